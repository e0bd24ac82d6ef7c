"""Bodies sent to the web API: every one is answered, by a result or by a refusal that says why, never by a 5xx."""

import io
import json

import pytest
from fuzz.essais import COMPTES, reglages
from fuzz.mutations import arbre_abime, octets_abimes
from fuzz.test_population import EPARSE, SAINE
from hypothesis import given

ENTREPRISE = {
    "code_naf": {"ETERNITY": "56.30Z"},
    "date_creation": {"ETERNITY": "2015-05-04"},
    "chiffre_affaires": {"2019": 360000, "2021-03": 9000},
    "effectif_salarie": {"2021-03": 2.5},
    "fds_volet_1": {"2021-03": None},
}
SITUATION = {
    "entreprises": {"a": ENTREPRISE, "b": {"departement": {"ETERNITY": "971"}}},
    "groupes": {"g": {"membres": ["a", "b"]}},
}
CORPS = {
    "/calculate": SITUATION,
    "/trace": SITUATION,
    "/explain": {"situation": SITUATION, "mois": "2021-03", "entreprise": "a"},
    "/sweep": {
        "situation": SITUATION,
        "mois": "2021-03",
        "entreprise": "a",
        "variable": "chiffre_affaires",
        "debut": 0,
        "fin": 10_000,
        "points": 3,
    },
    "/simulate": {
        "colonnes": {"id": ["a", "b"], "chiffre_affaires:2019-03": [9000, 1], "chiffre_affaires:2021-03": [1.5, 2]},
        "mois": "2021-03",
        "sorties": ["fds_volet_1"],
        "par": ["departement"],
    },
}


@pytest.fixture(scope="module")
def client(systeme):
    pytest.importorskip("flask", reason="extra web absent")
    from openfisca_fds_tools.web.application import creer
    from openfisca_fds_tools.web.enveloppe import Reglages

    return creer(systeme, Reglages()).test_client()


def envoyer(client, surface, route, corps, genre="application/json"):
    reponse = client.post(route, data=corps, content_type=genre)
    texte = reponse.get_data(as_text=True)
    COMPTES[surface, "calculées" if reponse.status_code == 200 else "refusées"] += 1
    assert reponse.status_code < 500, (reponse.status_code, texte[:300])
    if reponse.status_code != 200:
        assert reponse.get_json(force=True)["error"]
        assert "Traceback" not in texte


@pytest.mark.parametrize("route", CORPS)
def test_arbres_abimes(client, route):
    @reglages(6)
    @given(arbre=arbre_abime(CORPS[route]))
    def essai(arbre):
        envoyer(client, f"API : {route}, arbre", route, json.dumps(arbre))

    assert client.post(route, json=CORPS[route]).status_code == 200  # sound before it is damaged
    essai()


@pytest.mark.parametrize("route", CORPS)
def test_octets_abimes(client, route):
    @reglages(6)
    @given(octets=octets_abimes(json.dumps(CORPS[route]).encode()))
    def essai(octets):
        envoyer(client, f"API : {route}, octets", route, octets)

    essai()


@pytest.mark.parametrize(
    ("genre", "ecrire"),
    [("parquet", "write_parquet"), ("arrow.file", "write_ipc"), ("arrow.stream", "write_ipc_stream")],
)
@pytest.mark.parametrize("table", [SAINE, EPARSE], ids=["groupes réunis", "groupes épars"])
def test_fichiers_abimes(client, genre, ecrire, table):
    tampon = io.BytesIO()
    getattr(table, ecrire)(tampon)
    route, type_du_corps = "/simulate?mois=2021-03", f"application/vnd.apache.{genre}"

    @reglages(2)  # each is decoded in a process of its own
    @given(octets=octets_abimes(tampon.getvalue(), fin=1_000))
    def essai(octets):
        envoyer(client, f"API : /simulate, {genre}", route, octets, type_du_corps)

    assert client.post(route, data=tampon.getvalue(), content_type=type_du_corps).status_code == 200
    essai()
