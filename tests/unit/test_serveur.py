"""``openfisca serve --country-package openfisca_fds``: the standard web API answers on every route.

The application is the one that the command serves; its test client opens no port.
"""

import pytest
from openfisca_web_api.app import create_app

from openfisca_fds import CountryTaxBenefitSystem

# Flat 10 000 euros a month in 2019, 2 000 in February 2021, hotel (annexe 1): loss of 8 000 (80 %), paid whole since
# below 10 000, and above 20 % of the reference (2 000). Fiche 03, art. 3-22, I, B.
SITUATION = {
    "entreprises": {
        "a": {
            "date_creation": {"ETERNITY": "2015-01-01"},
            "code_naf": {"ETERNITY": "55.10Z"},
            "effectif_salarie": {"2021-02": 3},
            "chiffre_affaires": {"2019": 120_000, "2021-02": 2_000},
            "fds_volet_1": {"2021-02": None},
            "fds_article_3_22_eligible": {"2021-02": None},
            "perte_chiffre_affaires": {"2021-02": None},
        }
    },
    "groupes": {"g": {"membres": ["a"], "effectif_groupe": {"2021-02": None}}},
}


@pytest.fixture(scope="module")
def client():
    return create_app(CountryTaxBenefitSystem()).test_client()


def lire(client, route):
    reponse = client.get(route)
    assert reponse.status_code == 200, (route, reponse.get_data(as_text=True)[:500])
    return reponse.get_json()


def test_calculate_repond_pour_une_entreprise(client):
    reponse = client.post("/calculate", json=SITUATION)
    assert reponse.status_code == 200, reponse.get_data(as_text=True)
    corps = reponse.get_json()
    assert corps["entreprises"]["a"]["perte_chiffre_affaires"]["2021-02"] == 8_000
    assert corps["entreprises"]["a"]["fds_article_3_22_eligible"]["2021-02"] is True
    assert corps["entreprises"]["a"]["fds_volet_1"]["2021-02"] == 8_000
    assert corps["groupes"]["g"]["effectif_groupe"]["2021-02"] == 3


def test_calculate_repond_pour_chaque_sortie_eternelle(client):
    for nom in ("fds_volet_2", "multi_activites_montant", "fds_volet_territorial"):
        situation = {"entreprises": {"a": {nom: {"2021-01": None}}}, "groupes": {"g": {"membres": ["a"]}}}
        reponse = client.post("/calculate", json=situation)
        assert reponse.status_code == 200, reponse.get_data(as_text=True)
        assert reponse.get_json()["entreprises"]["a"][nom]["2021-01"] == 0


@pytest.mark.parametrize(("valeur", "code"), [("75", "75"), (75, "75"), (1, "01"), ("2A", "2A")])
def test_calculate_lit_un_departement_entier_comme_un_code(client, valeur, code):
    entreprise = {"departement": {"ETERNITY": valeur}, "couvre_feu_octobre_2020": {"2020-10": None}}
    reponse = client.post("/calculate", json={"entreprises": {"a": entreprise}, "groupes": {"g": {"membres": ["a"]}}})
    assert reponse.status_code == 200, reponse.get_data(as_text=True)
    assert reponse.get_json()["entreprises"]["a"]["couvre_feu_octobre_2020"]["2020-10"] is True
    assert code in {"75", "01", "2A"}


@pytest.mark.parametrize("valeur", [99, 3.0, "Ain"])
def test_calculate_refuse_un_faux_departement(client, valeur):
    situation = {"entreprises": {"a": {"departement": {"ETERNITY": valeur}}}, "groupes": {"g": {"membres": ["a"]}}}
    reponse = client.post("/calculate", json=situation)
    assert reponse.status_code == 400
    assert "code" in reponse.get_data(as_text=True)


def test_trace_montre_les_conditions_et_les_parametres(client):
    reponse = client.post("/trace", json=SITUATION)
    assert reponse.status_code == 200
    trace = reponse.get_json()["trace"]
    assert trace["fds_volet_1<2021-02>"]["value"] == [8_000]
    assert trace["fds_perte_seuil_general<2021-02>"]["value"] == [True]
    parametres = trace["fds_perte_seuil_general<2021-02>"]["parameters"]
    assert parametres == {"fonds_de_solidarite.perte.seuil_general<2021-02-01>": 0.5}
    assert "fds_volet_1<2021-02>" in reponse.get_json()["requestedCalculations"]


def test_spec_decrit_les_routes(client):
    spec = lire(client, "/spec")
    assert spec["openapi"].startswith("3.")
    assert {"/calculate", "/trace", "/parameters", "/variables", "/entities"} <= set(spec["paths"])


def test_entities(client):
    entites = lire(client, "/entities")
    assert set(entites) == {"entreprise", "groupe"}
    assert list(entites["groupe"]["roles"]) == ["membre"]


def test_parameters_et_la_page_de_chacun(client):
    parametres = lire(client, "/parameters")
    assert len(parametres) > 200
    for nom in parametres:
        page = lire(client, f"/parameter/{nom}")
        assert page["id"] == nom
        assert page["description"]
    assert lire(client, "/parameter/fonds_de_solidarite.perte.seuil_general")["values"]["2020-03-01"] == 0.5


def test_variables_et_la_page_de_chacune(client, systeme):
    variables = lire(client, "/variables")
    assert set(variables) == set(systeme.variables)
    for nom in variables:
        page = lire(client, f"/variable/{nom}")
        assert page["description"] == systeme.get_variable(nom).label
        assert page["references"]


def test_une_route_inconnue_est_refusee(client):
    assert client.get("/parameter/inconnu").status_code == 404
    assert client.get("/variable/inconnue").status_code == 404
