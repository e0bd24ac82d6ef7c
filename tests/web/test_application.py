"""What the application answers when all is well: OpenFisca's own routes, and ours."""

import copy
import io
import json
import logging
import re

import polars as pl
import pytest
from openapi_schema_validator import OAS30Validator
from openapi_spec_validator import validate
from openfisca_web_api import handlers

from openfisca_fds_tools.situation import construire
from openfisca_fds_tools.web import calculs
from openfisca_fds_tools.web.application import creer
from openfisca_fds_tools.web.enveloppe import Reglages
from openfisca_fds_tools.web.specification import CAS, POPULATION

MOIS_ANNEE = {f"2019-{mois:02d}": 10_000 for mois in range(1, 13)}


def calculer(client, situation):
    reponse = client.post("/calculate", json=situation)
    assert reponse.status_code == 200, reponse.get_data(as_text=True)[:500]
    return reponse.get_json()


# ---- compatible with OpenFisca ----


def test_calculate_et_trace_repondent_comme_le_noyau(client, systeme):
    question = copy.deepcopy(CAS)
    question["entreprises"]["cafe"] |= {
        nom: {"2021-03": None, "2020-11": None}
        for nom in ("chiffre_affaires_reference", "fds_article_3_24_eligible", "departement", "densite_commune")
    }
    question["groupes"]["cafe"]["effectif_groupe"] = {"2021-03": None}
    attendue = handlers.calculate(systeme, copy.deepcopy(question))
    assert calculer(client, question) == attendue
    assert calculer(client, question)["entreprises"]["cafe"]["fds_volet_1"]["2021-03"] == 10_000
    trace = client.post("/trace", json=question).get_json()
    du_noyau = json.loads(json.dumps(handlers.trace(systeme, copy.deepcopy(question)), default=str))
    assert trace["requestedCalculations"] == du_noyau["requestedCalculations"]
    assert trace["entitiesDescription"] == du_noyau["entitiesDescription"]
    for etape, contenu in du_noyau["trace"].items():
        assert trace["trace"][etape]["value"] == contenu["value"], etape
        assert trace["trace"][etape]["dependencies"] == contenu["dependencies"], etape


def test_une_date_se_lit_comme_elle_s_ecrit(client):
    demande = {"date_creation": {"ETERNITY": "2019-05-04"}, "date_debut_activite": {"2021-03": None}}
    reponse = calculer(client, {"entreprises": {"a": demande}})
    assert reponse["entreprises"]["a"]["date_debut_activite"] == {"2021-03": "2019-05-04"}


@pytest.mark.parametrize(("ecrit", "lu"), [(1, "01"), (75, "75"), ("2a", "2A"), (971, "971")])
def test_un_departement_entier_est_un_code(client, ecrit, lu):
    demande = {"departement": {"ETERNITY": ecrit, "2021-03": None}}
    assert calculer(client, {"entreprises": {"a": demande}})["entreprises"]["a"]["departement"]["2021-03"] == lu


def test_un_code_naf_sans_point_est_accepte(client):
    demande = {"code_naf": {"ETERNITY": "5630z", "2021-03": None}}
    assert calculer(client, {"entreprises": {"a": demande}})["entreprises"]["a"]["code_naf"]["2021-03"] == "56.30Z"


def test_des_entreprises_aux_periodes_differentes_ont_ce_qu_elles_auraient_seules(client):
    seules = {
        "annee": {"chiffre_affaires": {"2019": 120_000, "2021-02": 2_000}, "effectif_salarie": {"2021": 3}},
        "mois": {"chiffre_affaires": {**MOIS_ANNEE, "2021-02": 4_000}, "annexe_1": {"2021-02": True}},
        "mixte": {
            "chiffre_affaires": {"2019": 120_000, "2019-02": 50_000, "2021-02": 1},
            "code_naf": {"ETERNITY": "55.10Z"},
        },
        "rien": {},
    }
    demandes = ("fds_volet_1", "chiffre_affaires_reference", "annexe_1", "effectif_salarie", "exercice_clos")
    for entreprise in seules.values():
        for nom in demandes:
            entreprise[nom] = {"2021-02": None, "2021-03": None} | entreprise.get(nom, {})
    ensemble = calculer(client, {"entreprises": copy.deepcopy(seules)})["entreprises"]
    for identifiant, entreprise in seules.items():
        seule = calculer(client, {"entreprises": {identifiant: copy.deepcopy(entreprise)}})["entreprises"]
        assert ensemble[identifiant] == seule[identifiant]
    assert ensemble["annee"]["fds_volet_1"] != ensemble["rien"]["fds_volet_1"]


def test_mille_entreprises_par_groupes_de_deux_en_une_requete(client):
    entreprises = {
        f"e{rang}": {
            "chiffre_affaires": {"2019-03": 10_000 + rang, "2021-03": None},
            "taux_perte_chiffre_affaires": {"2020-03": None},
        }
        for rang in range(1_000)
    }
    groupes = {
        f"g{rang}": {"membres": [f"e{2 * rang}", f"e{2 * rang + 1}"], "effectif_groupe": {"2021-03": None}}
        for rang in range(500)
    }
    reponse = calculer(client, {"entreprises": entreprises, "groupes": groupes})
    assert all(une["chiffre_affaires"]["2021-03"] == 0 for une in reponse["entreprises"].values())
    assert len(reponse["groupes"]) == 500


def test_la_barre_finale_ne_renvoie_pas_ailleurs(client):
    assert client.get("/variables/").status_code == 200
    assert client.post("/calculate/", json=CAS).status_code == 200
    reponse = client.get("/", environ_overrides={"PATH_INFO": "//exemple.test/"})
    assert reponse.status_code == 404
    assert "Location" not in reponse.headers


def test_la_racine_repond_a_un_client_openfisca(client):
    reponse = client.get("/", headers={"Accept": "application/json"})
    assert reponse.status_code == 300
    assert "welcome" in reponse.get_json()


def test_un_parametre_dit_son_histoire_et_ses_textes(client):
    parametre = client.get("/parameter/fonds_de_solidarite.perte.seuil_general").get_json()
    assert parametre["values"]["2020-03-01"] == 0.5
    for adresse in ("/parameter/fonds_de_solidarite.perte.seuil_general", "/variable/fds_volet_1"):
        assert not client.get(adresse).get_json().get("source", "").startswith("None")
    premiere = parametre["historique"][0]
    assert (premiere["date"], premiere["valeur"], premiere["confiance"]) == ("2020-03-01", 0.5, "S")
    assert premiere["references"][0]["href"].startswith("https://www.legifrance.gouv.fr/")
    assert premiere["versions_anterieures"][0]["value"] == 0.7


# ---- explanations, curve, populations ----


def test_explain_dit_ce_que_calculate_donne(client):
    situation = copy.deepcopy(CAS)
    reponse = client.post("/explain", json={"situation": situation, "mois": "2021-03"})
    assert reponse.status_code == 200, reponse.get_data(as_text=True)[:300]
    explication = reponse.get_json()["explication"]
    assert explication["montant"] == 10_000
    assert explication["retenu"] == "fds_article_3_24_montant"
    page = reponse.get_json()["page"]
    assert page[0] == {"bloc": "titre", "niveau": 1, "texte": "Fonds de solidarité, mars 2021"}
    assert {bloc["bloc"] for bloc in page} <= {"titre", "paragraphe", "points", "tableau"}


def test_explain_choisit_l_entreprise(client):
    situation = {"entreprises": {"a": {}, "b": {"chiffre_affaires": {"2019-03": 3_000}}}}
    for identifiant, chiffre in (("a", 0), ("b", 3_000)):
        reponse = client.post("/explain", json={"situation": situation, "mois": "2020-03", "entreprise": identifiant})
        explication = reponse.get_json()["explication"]
        assert explication["entreprise"] == identifiant
        assert explication["faits"][1]["valeur"] == chiffre


def test_sweep_trouve_la_marche_au_centime(client):
    corps = {"situation": CAS, "mois": "2021-03", "debut": 0, "fin": 30_000, "points": 11}
    courbe = client.post("/sweep", json=corps).get_json()
    assert courbe["valeurs"][0] == 0
    assert courbe["aides"][0] == 10_000
    assert courbe["marches"] == [{"avant": 15_000, "apres": 15_000.01, "aide_avant": 10_000, "aide_apres": 0}]


@pytest.fixture(scope="module")
def population():
    """Columns of 500 enterprises, whose losses go from 0 to 100 %."""
    nombre = 500
    return {
        "id": [f"e{rang}" for rang in range(nombre)],
        "groupe": [f"g{rang // 2}" if rang % 3 == 0 else None for rang in range(nombre)],
        "code_naf": ["56.30Z" if rang % 2 else "47.71Z" for rang in range(nombre)],
        **{f"chiffre_affaires:2019-{mois:02d}": [20_000.0] * nombre for mois in range(1, 13)},
        "chiffre_affaires:2021-03": [40.0 * rang for rang in range(nombre)],
    }


def test_simulate_donne_ce_que_calculate_donne(client, population):
    corps = {"colonnes": population, "mois": "2021-03", "sorties": ["fds_volet_1", "multi_activites_montant"]}
    resultats = client.post("/simulate", json=corps).get_json()
    entreprises, groupes = {}, {}
    for rang, identifiant in enumerate(population["id"]):
        entreprises[identifiant] = {
            "code_naf": {"ETERNITY": population["code_naf"][rang]},
            "chiffre_affaires": {"2019": 240_000, "2021-03": population["chiffre_affaires:2021-03"][rang]},
            "fds_volet_1": {"2021-03": None},
        }
        if population["groupe"][rang]:
            groupes.setdefault(population["groupe"][rang], {"membres": []})["membres"].append(identifiant)
    attendues = calculer(client, {"entreprises": entreprises, "groupes": groupes})["entreprises"]
    mensuels = dict(zip(resultats["mensuels"]["id"], resultats["mensuels"]["fds_volet_1"], strict=True))
    assert mensuels == {identifiant: une["fds_volet_1"]["2021-03"] for identifiant, une in attendues.items()}
    assert sum(mensuels.values()) > 0
    assert set(resultats["eternels"]["multi_activites_montant"]) == {0}
    total = resultats["agregats"]["montant_total"][resultats["agregats"]["article"].index("fds_volet_1")]
    assert total == pytest.approx(sum(mensuels.values()))


@pytest.mark.parametrize(
    ("genre", "ecrire", "lire"),
    [
        ("application/vnd.apache.parquet", "write_parquet", pl.read_parquet),
        ("application/vnd.apache.arrow.file", "write_ipc", pl.read_ipc),
        ("application/vnd.apache.arrow.stream", "write_ipc_stream", pl.read_ipc_stream),
    ],
)
def test_simulate_lit_et_rend_parquet_et_arrow(client, population, genre, ecrire, lire):
    flux = io.BytesIO()
    getattr(pl.DataFrame(population), ecrire)(flux)
    options = {"mois": "2021-03:2021-04", "sorties": "fds_volet_1,multi_activites_montant"}
    reponse = client.post(
        "/simulate", data=flux.getvalue(), content_type=genre, query_string=options, headers={"Accept": genre}
    )
    assert reponse.status_code == 200, reponse.get_data(as_text=True)[:300]
    assert reponse.mimetype == genre
    table = lire(io.BytesIO(reponse.get_data()))
    assert table.columns == ["id", "groupe", "mois", "fds_volet_1", "multi_activites_montant"]
    assert table.height == 1_000
    corps = {"colonnes": population, "mois": "2021-03:2021-04", "sorties": ["fds_volet_1"]}
    json_ = client.post("/simulate", json=corps).get_json()["mensuels"]
    assert sorted(zip(table["id"], table["mois"], table["fds_volet_1"], strict=True)) == sorted(
        zip(json_["id"], json_["mois"], json_["fds_volet_1"], strict=True)
    )


def test_simulate_rend_une_date_comme_elle_s_ecrit(client):
    colonnes = {"id": ["a"], "date_creation": ["2015-04-01"], "chiffre_affaires:2021-03": [1]}
    corps = {"colonnes": colonnes, "mois": "2021-03", "sorties": ["date_creation", "date_debut_activite"]}
    reponse = client.post("/simulate", json=corps)
    assert reponse.status_code == 200, reponse.get_data(as_text=True)
    assert reponse.get_json()["eternels"]["date_creation"] == ["2015-04-01"]
    assert "2015-04-01" in reponse.get_data(as_text=True).split("date_debut_activite")[1]


def test_simulate_avertit_d_un_mois_sans_chiffre_d_affaires_et_d_un_nan(client):
    colonnes = {"id": ["a", "b"], "chiffre_affaires:2019-03": [1.0, float("nan")]}
    flux = io.BytesIO()
    pl.DataFrame(colonnes).write_parquet(flux)
    genre = "application/vnd.apache.parquet"
    demande = {"data": flux.getvalue(), "content_type": genre, "query_string": {"mois": "2021-03"}}
    avertissements = client.post("/simulate", **demande).get_json()["avertissements"]
    assert any("2021-03" in un and "perte totale" in un for un in avertissements)
    assert any("chiffre_affaires:2019-03" in un and "NaN" in un for un in avertissements)
    table = client.post("/simulate", **demande, headers={"Accept": genre})
    assert table.mimetype == genre
    assert json.loads(table.headers["X-Avertissements"]) == avertissements
    assert client.post("/simulate", json=POPULATION).get_json()["avertissements"] == []
    colonnes = {"chiffre_affaires:2021-03": [1, None, None], "chiffre_affaires:2021-02": [1, 1, 1]}
    avis = client.post("/simulate", json={"colonnes": colonnes, "mois": "2021-03"}).get_json()["avertissements"]
    assert avis == ["colonne « chiffre_affaires:2021-03 » : 2 case(s) vide(s), lue(s) comme 0 €."]


def test_la_page_range_ce_qui_paie_comme_l_explication(client):
    """Only amounts behind a right, in the order that settles ties: not 3-12's step, and 3-22 before 3-25."""
    page = client.get("/").get_data(as_text=True)
    payeurs = json.loads(re.search(r'id="donnees">(.*?)</script>', page, re.S)[1])["payeurs"]
    numeros = [payeur["numero"] for payeur in payeurs]
    assert numeros[:4] == ["2", "3-1", "3-3", "3-5"]
    assert numeros.index("3-22") < numeros.index("3-25")
    assert numeros[-1] == "2020-1049"
    for mois in ("2020-10", "2021-02", "2021-03"):
        question = {"situation": {"entreprises": {"a": {}}}, "mois": mois}
        explication = client.post("/explain", json=question).get_json()["explication"]
        du_mois = [p["variable"] for p in payeurs if mois in p["mois"] and p["numero"] != "2020-1049"]
        assert du_mois == [article["variable_montant"] for article in explication["articles"]]


def test_simulate_en_json_renvoie_vers_parquet_quand_c_est_trop(client, monkeypatch, population):
    from openfisca_fds_tools.web.lecture import LIMITES

    monkeypatch.setitem(LIMITES, "cellules_json", 1_000)
    reponse = client.post("/simulate", json={"colonnes": population, "mois": "2021-03"})
    assert reponse.status_code == 413
    assert "parquet" in reponse.get_json()["attendu"]


# ---- what the server says of itself ----


def test_spec_est_valide_et_ses_exemples_sont_vrais(client, systeme):
    document = client.get("/spec").get_json()
    validate(document)
    schemas = document["components"]["schemas"]
    assert calculer(client, schemas["SituationInput"]["example"]) == schemas["SituationOutput"]["example"]
    for demande, route, reponse in (
        ("DemandeExplication", "/explain", "ReponseExplication"),
        ("DemandeBalayage", "/sweep", "Balayage"),
        ("DemandePopulation", "/simulate", "Resultats"),
    ):
        assert client.post(route, json=schemas[demande]["example"]).get_json() == schemas[reponse]["example"]
    assert document["x-limites"]["entreprises_calculate"] == 1_000
    assert "1000" in document["info"]["description"]
    routes = {
        regle.rule.replace("<path:parameter_id>", "{parameterID}").replace("<id>", "{variableID}")
        for regle in client.application.url_map.iter_rules()
    }
    pages = {"/", "/parametres", "/static/<path:filename>", "/statique/<path:filename>"}
    assert set(document["paths"]) == routes - pages


@pytest.fixture(scope="module")
def controler(client):
    """Give what checks an answer against a schema of /spec, by jsonschema."""
    document = client.get("/spec").get_json()

    def controler(nom, contenu):
        schema = {"$ref": f"#/components/schemas/{nom}", "components": document["components"]}
        erreurs = [
            f"{'/'.join(map(str, e.absolute_path))} : {e.message[:200]}"
            for e in OAS30Validator(schema).iter_errors(contenu)
        ]
        assert not erreurs

    return controler


@pytest.mark.parametrize("mois", ["2020-03", "2020-10", "2021-03", "2021-08", "2022-01"])
def test_explain_repond_ce_que_spec_decrit(client, controler, mois):
    """One enterprise that is paid and one that is refused, with a group and an earlier closure."""
    situation = {
        "entreprises": {
            "payee": CAS["entreprises"]["cafe"] | {"chiffre_affaires": {"2019": 360_000, "2020": 120_000, "2021": 0}},
            "refusee": {"code_naf": {"ETERNITY": "62.01Z"}},
        },
        "groupes": {"g": {"membres": ["payee", "refusee"]}},
    }
    del situation["entreprises"]["payee"]["fds_volet_1"]
    for entreprise in situation["entreprises"]:
        question = {"situation": situation, "mois": mois, "entreprise": entreprise}
        reponse = client.post("/explain", json=question).get_json()
        controler("ReponseExplication", reponse)
        assert {"demande", "avant_plafond", "membres"} <= set(reponse["explication"])
    balayage = client.post("/sweep", json=question | {"debut": 0, "fin": 30_000, "points": 5}).get_json()
    controler("Balayage", balayage)
    assert balayage["entreprise"] == "refusee"


def test_trace_simulate_et_calculate_repondent_ce_que_spec_decrit(client, controler):
    controler("Trace", client.post("/trace", json=CAS).get_json())
    controler("SituationOutput", calculer(client, CAS))
    controler("Resultats", client.post("/simulate", json=POPULATION | {"par": ["departement"]}).get_json())
    controler("Couverture", client.get("/coverage").get_json())
    controler("Erreur", client.post("/simulate", json={}).get_json())


def test_un_schema_qui_ment_est_vu(controler, client):
    reponse = client.get("/spec").get_json()["components"]["schemas"]["ReponseExplication"]["example"]
    reponse["explication"]["membres"] = "un"
    reponse["page"][0]["de_trop"] = 1
    with pytest.raises(AssertionError, match="membres.*page/0"):
        controler("ReponseExplication", reponse)


@pytest.fixture(scope="module")
def couverture(client):
    return client.get("/coverage").get_json()


def test_la_couverture_cite_chaque_article_et_chaque_parametre(couverture, systeme):
    textes = {(article["texte"], article["article"]) for article in couverture["textes"]}
    for numero in ("1er", "2", "3-1", "3-14", "3-28", "3-30", "4"):
        assert ("Décret n° 2020-371 du 30 mars 2020", numero) in textes
    paragraphes = [paragraphe for article in couverture["textes"] for paragraphe in article["paragraphes"]]
    cites = {parametre["id"] for paragraphe in paragraphes for parametre in paragraphe["parametres"]}
    feuilles = {p.name for p in systeme.parameters.get_descendants() if hasattr(p, "values_list")}
    assert cites == feuilles
    variables = {variable["nom"] for paragraphe in paragraphes for variable in paragraphe["variables"]}
    assert variables == {variable.name for variable in systeme.variables.values() if variable.reference}
    assert all(paragraphe["confiance"] in ("T", "S", "M", None) for paragraphe in paragraphes)


def test_la_couverture_dit_ce_que_lit_chaque_paragraphe(couverture):
    articles = {article["article"]: article for article in couverture["articles"]}
    assert list(articles)[:3] == ["2", "3-1", "3-3"]
    assert articles["3-24"]["mois"] == ["2021-03", "2021-03"]
    perte = next(p for p in articles["2"]["paragraphes"] if p["paragraphe"] == "2°")
    assert [variable["nom"] for variable in perte["variables"]] == ["fds_perte_seuil_general"]
    assert [parametre["id"] for parametre in perte["parametres"]] == ["fonds_de_solidarite.perte.seuil_general"]
    (inconnu,) = articles["3-20"]["paragraphes"]
    assert (inconnu["texte"], inconnu["confiance"], inconnu["variables"]) == (None, None, [])
    for article in articles.values():
        for paragraphe in article["paragraphes"]:
            sues = [paragraphe["texte"], *(parametre["confiance"] for parametre in paragraphe["parametres"])]
            assert paragraphe["texte"] is None or "TSM".index(paragraphe["confiance"]) == max(map("TSM".index, sues))


def test_exploitation(client):
    assert client.get("/health").status_code == 200
    assert client.get("/ready").get_json() == {"etat": "prêt"}
    client.get("/variable/inconnue", buffered=True)
    mesures = client.get("/metrics").get_data(as_text=True)
    assert re.search(r'openfisca_fds_requetes_total\{methode="GET",route="/variable/<id>",statut="404"\} \d', mesures)
    assert 'inconnue"' not in mesures


def test_les_journaux_ne_disent_rien_de_personnel(client, caplog):
    caplog.set_level(logging.INFO)
    logging.getLogger("openfisca_fds").propagate = True
    client.post("/calculate", json={"entreprises": {"Dupont": {"chiffre_affaires": {"2021-03": 12345}}}}, buffered=True)
    client.get("/coverage?jeton=secret", buffered=True)
    client.get("/variable/Dupont", buffered=True)
    lignes = [json.dumps(getattr(trace, "champs", {})) + trace.getMessage() for trace in caplog.records]
    assert any('"/calculate"' in ligne and '"statut": 200' in ligne for ligne in lignes)
    for ligne in lignes:
        assert not re.search("Dupont|12345|secret|127.0.0.1", ligne)


def test_une_erreur_interne_ne_dit_ni_son_texte_ni_son_chemin(client, monkeypatch, caplog):
    def casser(*_):
        raise KeyError("Dupont, SIRET 123")

    monkeypatch.setattr(calculs, "construire", casser)
    reponse = client.post("/calculate", json=CAS)
    assert reponse.status_code == 500
    assert set(reponse.get_json()) == {"error", "chemin", "probleme", "attendu"}
    assert reponse.headers["X-Request-Id"] in reponse.get_json()["error"]
    textes = reponse.get_data(as_text=True) + "".join(
        json.dumps(getattr(t, "champs", {})) + t.getMessage() for t in caplog.records
    )
    assert "KeyError" in textes
    assert not re.search("Dupont|SIRET|Traceback|site-packages", textes)


@pytest.mark.parametrize("route", ["/", "/parametres", "/health", "/nulle-part", "/statique/calcul.js"])
def test_les_en_tetes_de_securite(client, route):
    reponse = client.get(route, headers={"Origin": "https://ailleurs.test"})
    politique = reponse.headers["Content-Security-Policy"]
    assert "default-src 'none'" in politique
    assert "unsafe" not in politique
    assert reponse.headers["X-Content-Type-Options"] == "nosniff"
    assert "Access-Control-Allow-Origin" not in reponse.headers


def test_cors_et_hotes_selon_la_configuration(systeme):
    client = creer(systeme, Reglages(origines=("https://ami.test",), hotes=("api.test",))).test_client()
    ami = client.get("/health", headers={"Origin": "https://ami.test", "Host": "api.test"})
    assert ami.headers["Access-Control-Allow-Origin"] == "https://ami.test"
    autre = client.get("/health", headers={"Origin": "https://autre.test", "Host": "api.test"})
    assert "Access-Control-Allow-Origin" not in autre.headers
    vol = client.options("/calculate", headers={"Origin": "https://ami.test", "Host": "api.test"})
    assert vol.status_code == 200
    assert "Content-Type" in vol.headers["Access-Control-Allow-Headers"]
    assert client.get("/health", headers={"Host": "faux.test"}).status_code == 400


def test_l_hote_transmis_n_est_pas_cru(client):
    reponse = client.get("/variables", headers={"X-Forwarded-Host": "faux.test", "X-Forwarded-For": "1.2.3.4"})
    assert "faux.test" not in reponse.get_data(as_text=True)
    assert "faux.test" not in client.get("/spec", headers={"X-Forwarded-Host": "faux.test"}).get_data(as_text=True)


@pytest.mark.parametrize("route", ["/", "/parametres"])
def test_les_pages_n_ont_rien_en_ligne_ni_d_ailleurs(client, route):
    page = client.get(route).get_data(as_text=True)
    assert not re.search(r"<script(?![^>]*(src=|application/json))|<style|\sstyle=|\son\w+=", page)
    assert not re.search(r"""(src|href)=["'](https?:)?//""", page)
    for adresse in re.findall(r'(?:src|href)="(/statique/[^"]+)"', page):
        assert client.get(adresse).status_code == 200
    assert '<html lang="fr">' in page


def test_la_situation_d_un_exemple_se_construit(systeme):
    assert construire(systeme, CAS).persons.count == 1
    assert POPULATION["colonnes"]["id"] == ["a", "b"]
