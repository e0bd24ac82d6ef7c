"""Reforms by name: every calculation route takes those of the server's folder, and no other."""

import copy
import io

import polars as pl
import pytest

from openfisca_fds_tools.web.application import creer
from openfisca_fds_tools.web.enveloppe import Reglages
from openfisca_fds_tools.web.specification import CAS, POPULATION

# art. 3-24, March 2021: a group's ceiling of 200 000 € cuts two cafés whose 20 % of the reference would give 160 000 €
# each (reference 800 000 €, loss of 100 %, closed); the reform allows 300 000 €.
FERMES = {
    "entreprises": {
        nom: {
            "code_naf": {"ETERNITY": "56.30Z"},
            "date_creation": {"ETERNITY": "2015-04-01"},
            "chiffre_affaires": {"2019": 12 * 800_000, "2021-03": 0},
            "jours_interdiction_accueil_public": {"2021-03": 31},
            "fonds_de_solidarite": {"2021-03": None},
        }
        for nom in ("a", "b")
    },
    "groupes": {"g": {"membres": ["a", "b"]}},
}
REFORME = {"reforme": "plafond_du_groupe_300_000"}


def total(reponse):
    assert reponse.status_code == 200, reponse.get_data(as_text=True)[:300]
    return sum(une["fonds_de_solidarite"]["2021-03"] for une in reponse.get_json()["entreprises"].values())


def test_calculate_sous_une_reforme_puis_sous_le_droit(client):
    assert total(client.post("/calculate", json=FERMES, query_string=REFORME)) == pytest.approx(300_000)
    assert total(client.post("/calculate", json=FERMES)) == pytest.approx(200_000)


def test_explain_sweep_et_trace_sous_une_reforme(client):
    situation = copy.deepcopy(FERMES)
    for une in situation["entreprises"].values():
        del une["fonds_de_solidarite"]
    question = {"situation": situation, "mois": "2021-03", "entreprise": "a"}
    montants = [
        client.post("/explain", json=question, query_string=options).get_json()["explication"]["montant"]
        for options in ({}, REFORME)
    ]
    assert montants == [pytest.approx(100_000), pytest.approx(150_000)]
    question |= {"debut": 0, "fin": 1_000, "points": 2}
    assert client.post("/sweep", json=question, query_string=REFORME).get_json()["aides"][0] == pytest.approx(150_000)
    trace = client.post("/trace", json=FERMES, query_string=REFORME).get_json()["trace"]
    assert trace["fonds_de_solidarite<2021-03>"]["value"] == pytest.approx([150_000, 150_000])


def test_simulate_sous_une_reforme_en_json_et_en_parquet(client):
    colonnes = {
        "id": ["a", "b"],
        "groupe": ["g", "g"],
        "code_naf": ["56.30Z"] * 2,
        "date_creation": ["2015-04-01"] * 2,
        **{f"chiffre_affaires:2019-{mois:02d}": [800_000] * 2 for mois in range(1, 13)},
        "chiffre_affaires:2021-03": [0] * 2,
        "jours_interdiction_accueil_public:2021-03": [31] * 2,
    }
    corps = {"mois": "2021-03", "sorties": ["fonds_de_solidarite"], "colonnes": colonnes}
    reponse = client.post("/simulate", json=corps, query_string=REFORME).get_json()
    assert sum(reponse["mensuels"]["fonds_de_solidarite"]) == pytest.approx(300_000)
    flux = io.BytesIO()
    pl.DataFrame(colonnes).write_parquet(flux)
    options = REFORME | {"mois": "2021-03", "sorties": "fonds_de_solidarite"}
    genre = "application/vnd.apache.parquet"
    reponse = client.post("/simulate", data=flux.getvalue(), content_type=genre, query_string=options)
    assert sum(reponse.get_json()["mensuels"]["fonds_de_solidarite"]) == pytest.approx(300_000)


@pytest.mark.parametrize("route", ["/calculate", "/trace", "/explain", "/sweep", "/simulate"])
@pytest.mark.parametrize(
    ("nom", "attendu"),
    [
        ("plafond_du_groupe_30_000", "« plafond_du_groupe_300_000 »"),
        ("../plafond_du_groupe_300_000", "« plafond_du_groupe_300_000 »"),
        ("os.system", "plafond_du_groupe_300_000, seuil_de_60"),
        ("", "plafond_du_groupe_300_000, seuil_de_60"),
    ],
)
def test_une_reforme_inconnue_est_refusee(client, route, nom, attendu):
    reponse = client.post(route, json={}, query_string={"reforme": nom})
    assert reponse.status_code == 404
    assert reponse.get_json()["chemin"] == ["reforme"]
    assert attendu in reponse.get_json()["attendu"]


def test_spec_nomme_les_reformes(client):
    document = client.get("/spec").get_json()
    noms = ["plafond_du_groupe_300_000", "seuil_de_60"]
    assert document["components"]["parameters"]["Reforme"]["schema"]["enum"] == noms
    assert [reforme["nom"] for reforme in document["x-reformes"]] == noms
    assert document["x-reformes"][0]["titre"] == "Plafond du groupe à 300 000 €"


def test_un_serveur_sans_reforme_n_en_accepte_aucune(systeme):
    client = creer(systeme, Reglages()).test_client()
    reponse = client.post("/calculate", json=CAS, query_string=REFORME)
    assert reponse.status_code == 404
    assert reponse.get_json()["attendu"] == "aucune réforme sur ce serveur"
    assert "Reforme" not in client.get("/spec").get_data(as_text=True)
    assert client.post("/simulate", json=POPULATION).status_code == 200


def test_un_dossier_faux_empeche_de_demarrer(systeme, tmp_path):
    with pytest.raises(FileNotFoundError, match="introuvable"):
        creer(systeme, Reglages(reformes=tmp_path / "absent"))
    (tmp_path / "fausse.yaml").write_text("nom: Fausse", encoding="utf-8")
    with pytest.raises(ValueError, match="description"):
        creer(systeme, Reglages(reformes=tmp_path))
