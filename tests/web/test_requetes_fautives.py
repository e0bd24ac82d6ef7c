"""The measured failures of openfisca-core's server: each is answered, 4xx, by the key and what is expected."""

import json

import pytest

CA = "chiffre_affaires"
MONTANT = "fds_volet_1"


def situation(**variables):
    """One enterprise, in a group of its own."""
    return {"entreprises": {"a": variables}, "groupes": {"g": {"membres": ["a"]}}}


def brut(texte):
    """Write a body with ``texte`` as the turnover of March 2021, as JSON cannot always be written by json.dumps."""
    return json.dumps(situation(**{CA: {"2021-03": "@"}, MONTANT: {"2021-03": None}})).replace('"@"', texte)


def nombre(texte, *attendus):
    return brut(texte), 400, (CA, "2021-03", *attendus)


def variable(statut, nom, valeur, *attendus):
    return json.dumps(situation(**{nom: valeur})), statut, (nom, *attendus)


FAUTES = {
    "JSON incorrect": ("{", 400, ("JSON incorrect",)),
    "corps vide": ("", 400, ("JSON incorrect",)),
    "liste à la racine": ("[]", 400, ("objet",)),
    "null à la racine": ("null", 400, ("objet",)),
    "nombre à la racine": ("3", 400, ("objet",)),
    "clé donnée deux fois": ('{"entreprises": {"a": {}, "a": {}}}', 400, ("a", "deux fois")),
    "imbriqué": ('{"entreprises":' * 100_000, 400, ("imbriqué",)),
    "imbriqué, une valeur": (brut("[" * 500 + "]" * 500), 400, (CA, "liste", "un nombre")),
    "UTF-8 faux": (b'{"entreprises": {"\xff": {}}}', 400, ("UTF-8",)),
    "entité inconnue": ('{"menages": {}}', 400, ("menages", "entreprises")),
    "variable inconnue": variable(404, "chiffre_affaire", {"2021-03": 1}, "chiffre_affaires"),
    "variable d'une autre entité": variable(400, "effectif_groupe", {"2021-03": 1}, "groupes"),
    "variable sans période": variable(400, CA, 1, "2021-03"),
    "variable nulle": variable(400, MONTANT, None, "2021-03"),
    "calcul dans un nombre": nombre('"2000*2"', "sans guillemets"),
    "date dans un nombre": nombre('"2020-3-1"', "un nombre"),
    "texte dans un nombre": nombre('"abc"', "un nombre"),
    "puissance dans un nombre": nombre('"9**9**9"', "un nombre"),
    "nombre entre guillemets": nombre('"2000"', "sans guillemets"),
    "liste dans un nombre": nombre("[1]", "un nombre"),
    "objet dans un nombre": nombre('{"a": 1}', "un nombre"),
    "booléen dans un nombre": nombre("true", "un nombre"),
    "NaN": nombre("NaN", "un nombre"),
    "Infinity": nombre("-Infinity", "un nombre"),
    "1e400": nombre("1e400", "un nombre"),
    "entier de 4 000 chiffres": nombre("1" * 4_000, "un nombre"),
    "entier de 400 chiffres": nombre("1" * 400, "un nombre"),
    "trop grand": nombre("1e13", "un nombre"),
    "nombre dans un booléen": variable(400, "discotheque", {"ETERNITY": 1}, "true ou false"),
    "rang d'un Enum": variable(400, "forme_juridique", {"ETERNITY": 1}, "societe"),
    "rang d'un Enum trop grand": variable(400, "forme_juridique", {"ETERNITY": 99}, "societe"),
    "code NAF inconnu": variable(400, "code_naf", {"ETERNITY": "56.31Z"}, "56.30Z"),
    "département inconnu": variable(400, "departement", {"ETERNITY": 99}, "un code connu"),
    "nombre dans une date": variable(400, "date_creation", {"ETERNITY": 3}, "AAAA-MM-JJ"),
    "date qui n'existe pas": variable(400, "date_creation", {"ETERNITY": "2020-02-30"}, "qui existe"),
    "fraction dans un entier": variable(400, "densite_commune", {"ETERNITY": 1.5}, "un nombre entier"),
    "nombre hors bornes": variable(400, "densite_commune", {"ETERNITY": 5}, "de 1 à 4"),
    "mois de 32 jours": variable(400, "jours_confinement", {"2021-03": 32}, "de 0 à 31"),
    "29 jours en février": variable(400, "jours_interdiction_accueil_public", {"2021-02": 29}, "de 0 à 28"),
    "31 jours en avril": variable(400, "jours_couvre_feu_ou_confinement", {"month:2021-04": 31}, "de 0 à 30"),
    "chiffre d'affaires négatif": nombre("-0.01", "positif ou nul"),
    "année pour une aide mensuelle": variable(400, MONTANT, {"2021": None}, "2021", "un mois"),
    "ETERNITY pour une aide mensuelle": variable(400, MONTANT, {"ETERNITY": None}, "ETERNITY", "un mois"),
    "ETERNITY pour une donnée mensuelle": variable(400, CA, {"ETERNITY": 3}, "ETERNITY", "un mois"),
    "ETERNITY nul d'une donnée": variable(400, "code_naf", {"ETERNITY": None}, "ETERNITY", "un mois"),
    "ETERNITY nul d'une aide": variable(400, "fds_volet_2", {"ETERNITY": None}, "ETERNITY", "un mois"),
    "jour": variable(400, CA, {"2021-03-12": 3}, "2021-03-12", "un mois"),
    "mois à partir d'un jour": variable(400, CA, {"month:2021-03-12": 3}, "un mois"),
    "semaine": variable(400, CA, {"2021-W05": 3}, "un mois"),
    "période vide": variable(400, CA, {"": 3}, "un mois"),
    "13e mois": variable(400, CA, {"2021-13": 3}, "2021-13", "un mois"),
    "taille nulle": variable(400, CA, {"month:2021-03:0": 3}, "month:2021-03:0", "au moins un mois"),
    "chiffres d'une autre écriture": variable(400, CA, {"２０２１": 3}, "２０２１", "une année"),
    "taille négative": variable(400, CA, {"month:2021-03:-2": 3}, "month:2021-03:-2"),
    "taille immense": variable(400, CA, {"month:2017-01:95000": 3}, "month:2017-01:95000"),
    "année 9999": variable(400, MONTANT, {"9999-01": None}, "9999-01", "2018 à 2023"),
    "année 1": variable(400, CA, {"0001": 3}, "0001"),
    "année sans répartition": variable(400, "pensions_retraite", {"2021": 3}, "2021", "un mois"),
    "période donnée deux fois": variable(400, CA, {"2021-03": 3, "month:2021-03": 3}, "deux fois"),
    "total contredit": variable(
        400, CA, {"2021": 1, **{f"2021-{m:02d}": 5 for m in range(1, 13)}}, "2021", "leur somme"
    ),
    "identifiant avec barre": ('{"entreprises": {"a/b": {}}}', 400, ("a/b", "barre oblique")),
    "identifiant vide": ('{"entreprises": {"": {}}}', 400, ("entreprises", "caractères")),
    "identifiant long": (json.dumps({"entreprises": {"a" * 201: {}}}), 400, ("identifiant", "caractères")),
    "identifiant à moitié de caractère": ('{"entreprises": {"\\ud800": {}}}', 400, ("identifiant",)),
    "valeur longue": nombre(json.dumps("9" * 100_000), "un nombre"),
    "axes": (json.dumps({**situation(), "axes": [[{"count": 20_000_000}]]}), 400, ("axes", "/simulate")),
    "aucune entreprise": ('{"entreprises": {}}', 400, ("entreprise",)),
    "objet vide": ("{}", 400, ("aucune entreprise", "entreprises")),
    "groupes seuls": ('{"groupes": {}}', 400, ("aucune entreprise", "entreprises")),
    "groupe sans membre": ('{"entreprises": {"a": {}}, "groupes": {"g": {}}}', 400, ("g", "membres")),
    "groupe dont la liste est vide": ('{"entreprises": {"a": {}}, "groupes": {"g": {"membres": []}}}', 400, ("g",)),
    "membre inconnu": ('{"entreprises": {"ab": {}}, "groupes": {"g": {"membres": ["a"]}}}', 400, ("membres", "ab")),
    "membre de deux groupes": (
        '{"entreprises": {"a": {}}, "groupes": {"g": {"membres": ["a"]}, "h": {"membres": ["a"]}}}',
        400,
        ("h", "deux groupes"),
    ),
    "membre qui est un nombre": (
        '{"entreprises": {"1": {}}, "groupes": {"g": {"membres": [1]}}}',
        400,
        ("membre de type nombre", "entre guillemets"),
    ),
    "membres imbriqués": ('{"entreprises": {"a": {}}, "groupes": {"g": {"membres": [["a"]]}}}', 400, ("membres",)),
    "trop d'entreprises": (
        json.dumps({"entreprises": {f"e{i}": {} for i in range(1_001)}}),
        413,
        ("entreprises", "/simulate"),
    ),
    "trop de groupes": (
        json.dumps({"entreprises": {"a": {}}, "groupes": {f"g{i}": {} for i in range(1_001)}}),
        413,
        ("groupes",),
    ),
    "corps de 3 Mo": ('{"entreprises": {"' + "a" * 3_000_000, 413, ("2000000",)),
}


@pytest.mark.parametrize("route", ["/calculate", "/trace"])
@pytest.mark.parametrize("faute", FAUTES)
def test_chaque_faute_est_refusee_et_nommee(client, route, faute):
    corps, statut, attendus = FAUTES[faute]
    reponse = client.post(route, data=corps, content_type="application/json")
    assert reponse.status_code == statut, reponse.get_data(as_text=True)[:500]
    refus = json.loads(reponse.get_data(), parse_constant=lambda _: pytest.fail("ce n'est pas du JSON"))
    assert set(refus) == {"error", "chemin", "probleme", "attendu"}
    assert len(reponse.get_data()) < 5_000
    for attendu in attendus:
        assert attendu in refus["error"], refus


@pytest.mark.parametrize("faute", FAUTES)
def test_explain_et_sweep_refusent_les_memes_situations(client, faute):
    corps, statut, _ = FAUTES[faute]
    corps = corps.encode() if isinstance(corps, str) else corps
    for route, suite in (("/explain", b""), ("/sweep", b', "debut": 0, "fin": 10')):
        corps_entier = b'{"mois": "2021-03"' + suite + b', "situation": ' + (corps or b"}") + b"}"
        reponse = client.post(route, data=corps_entier, content_type="application/json")
        assert reponse.status_code == statut, (route, reponse.get_data(as_text=True)[:500])
        assert reponse.get_json()["error"]


@pytest.mark.parametrize("genre", [None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_un_autre_type_de_corps_est_refuse(client, genre):
    for route in ("/calculate", "/trace", "/explain", "/sweep", "/simulate"):
        reponse = client.post(route, data=b"{}", content_type=genre)
        assert reponse.status_code == 415
        assert "application/json" in reponse.get_json()["attendu"]


@pytest.mark.parametrize(
    ("methode", "route", "statut"),
    [
        ("get", "/nulle/part", 404),
        ("get", "/variable/fds_volet", 404),
        ("get", "/parameter/fonds_de_solidarite.perte.seuil", 404),
        ("get", "/calculate", 405),
        ("delete", "/variables", 405),
        ("post", "/", 405),
        ("get", "/statique/../application.py", 404),
        ("get", "/statique/%2e%2e/application.py", 404),
    ],
)
def test_les_erreurs_de_route_sont_en_json(client, methode, route, statut):
    reponse = getattr(client, methode)(route)
    assert reponse.status_code == statut
    assert reponse.get_json()["error"]
    assert statut != 405 or "Allow" in reponse.headers


def test_un_nom_proche_est_propose(client):
    assert "fds_volet_1" in client.get("/variable/fds_volet").get_json()["attendu"]
    assert (
        "fonds_de_solidarite.perte.seuil_fort"
        in client.get("/parameter/fonds_de_solidarite.perte.seuil_for").get_json()["attendu"]
    )


def test_un_enum_refuse_nomme_les_codes_proches_et_non_tous(client):
    corps, _, _ = FAUTES["code NAF inconnu"]
    attendu = client.post("/calculate", data=corps, content_type="application/json").get_json()["attendu"]
    assert attendu.count("Z") <= 3
    assert len(attendu) < 100


POPULATION = {"colonnes": {"id": ["a", "b"], f"{CA}:2021-03": [1, 2]}, "mois": "2021-03"}
COLONNES_FAUTIVES = {
    "colonne inconnue": ({"chiffre_affaire:2021-03": [1]}, ("chiffre_affaire", "chiffre_affaires")),
    "colonne sans mois": ({CA: [1]}, (CA, "AAAA-MM")),
    "tailles": ({"id": ["a"], f"{CA}:2021-03": [1, 2]}, (CA, "2 valeurs")),
    "types mêlés": ({f"{CA}:2021-03": [1, "2"]}, (CA, "mêlés")),
    "liste dans une cellule": ({f"{CA}:2021-03": [[1]]}, (CA, "mêlés")),
    "pas une liste": ({f"{CA}:2021-03": 1}, (CA, "liste")),
    "négatif": ({f"{CA}:2021-03": [-1]}, (CA, "ligne 1", "positif")),
    "texte": ({f"{CA}:2021-03": ["abc"]}, (CA, "ligne 1", "un nombre")),
    "infini": ({f"{CA}:2021-03": [1, float("1e308") * 10]}, ("nombre fini",)),
    "entier immense": ({f"{CA}:2021-03": [10**18 * 9, 2**63]}, (CA, "un nombre")),
    "au-delà du maximum": ({f"{CA}:2021-03": [10**13]}, (CA, "mille milliards")),
    "colonne sans nom": ({"": [1]}, ("nom refusé",)),
    "code": ({"code_naf": ["99.99Z"]}, ("code_naf", "ligne 1", "un code connu")),
    "identifiant répété": ({"id": ["a", "a"]}, ("id",)),
    "aucune": ({}, ("aucune entreprise",)),
    "vide": ({"id": []}, ("aucune entreprise",)),
    "poids négatif": ({"poids": [-1]}, ("poids",)),
    "demi-caractère": ({"groupe": ["\ud800"]}, ("groupe", "Unicode")),
}


@pytest.mark.parametrize("faute", COLONNES_FAUTIVES)
def test_simulate_nomme_la_colonne_et_la_ligne(client, faute):
    colonnes, attendus = COLONNES_FAUTIVES[faute]
    corps = json.dumps({"colonnes": colonnes, "mois": "2021-03"})
    reponse = client.post("/simulate", data=corps, content_type="application/json")
    assert reponse.status_code == 400, reponse.get_data(as_text=True)[:300]
    for attendu in attendus:
        assert attendu in reponse.get_json()["error"]


def test_simulate_donne_la_cle_de_la_premiere_faute_et_les_dit_toutes(client):
    colonnes = {"id": ["a", "b"], f"{CA}:2021-03": [1, -5], "code_naf": ["56.30Z", "56.31Z"]}
    refus = client.post("/simulate", json={"colonnes": colonnes, "mois": "2021-03"}).get_json()
    assert refus["chemin"] == ["colonnes", f"{CA}:2021-03", "1"]
    assert refus["probleme"] == "valeur -5"
    assert refus["attendu"] == "un nombre positif ou nul"
    assert "code_naf" in refus["error"]
    refus = client.post("/simulate", json={"colonnes": {"chiffre_affaire:2021-03": [1]}}).get_json()
    assert refus["chemin"] == ["colonnes", "chiffre_affaire:2021-03"]
    assert refus["attendu"].startswith("« chiffre_affaires »")
    refus = client.post("/simulate", json={**POPULATION, "sorties": ["fds_volet_1", "fds_volet"]}).get_json()
    assert refus["chemin"] == ["sorties"]
    assert "« fds_volet_1 »" in refus["attendu"]


@pytest.mark.parametrize(
    ("route", "corps", "options", "nom"),
    [
        ("/calculate", situation(), {"reforme ": "seuil_de_60"}, "reforme "),
        ("/calculate", situation(), {"reform": "seuil_de_60"}, "reform"),
        ("/trace", situation(), {"mois": "2021-03"}, "mois"),
        ("/explain", {"situation": situation(), "mois": "2021-03"}, {"entreprise": "a"}, "entreprise"),
        ("/simulate", POPULATION, {"mois": "2021-03"}, "mois"),
    ],
)
def test_un_parametre_d_url_qui_ne_servirait_pas_est_refuse(client, route, corps, options, nom):
    reponse = client.post(route, json=corps, query_string=options)
    assert reponse.status_code == 400
    assert reponse.get_json()["chemin"] == [nom]
    assert "reforme" in reponse.get_json()["attendu"]


def test_un_corps_compresse_est_refuse_par_son_en_tete(client):
    reponse = client.post("/calculate", json=situation(), headers={"Content-Encoding": "gzip"})
    assert reponse.status_code == 415
    assert reponse.get_json()["chemin"] == ["Content-Encoding"]


@pytest.mark.parametrize(
    ("changement", "statut", "attendu"),
    [
        ({"mois": "2019-01"}, 400, "hors du modèle"),
        ({"mois": "mars"}, 400, "AAAA-MM"),
        ({"mois": 3}, 400, "texte"),
        ({"sorties": ["fds_volet"]}, 400, "fds_volet_1"),
        ({"sorties": [3]}, 400, "noms"),
        ({"sorties": ["fds_volet_1"] * 51}, 413, "50"),
        ({"par": ["inconnue"]}, 400, "inconnue"),
        ({"reforme": "os.system"}, 400, "clé inconnue"),
        ({"colonnes": None}, 400, "objet"),
        ({"colonnes": {"id": list(range(100_001))}}, 413, "100000"),
    ],
)
def test_simulate_refuse_une_demande_fautive(client, changement, statut, attendu):
    reponse = client.post("/simulate", json={**POPULATION, **changement})
    assert reponse.status_code == statut, reponse.get_data(as_text=True)[:300]
    assert attendu in reponse.get_json()["error"]


@pytest.mark.parametrize("genre", ["parquet", "arrow.file", "arrow.stream"])
@pytest.mark.parametrize("corps", [b"", b"PAR1", b"ARROW1\0\0" + b"\xff" * 100, b"\x00" * 50])
def test_simulate_refuse_un_fichier_illisible(client, genre, corps):
    reponse = client.post("/simulate", data=corps, content_type=f"application/vnd.apache.{genre}")
    assert reponse.status_code == 400
    assert "tmp" not in reponse.get_json()["error"]


@pytest.mark.parametrize(
    ("changement", "attendu"),
    [
        ({"mois": "2019-03"}, "2020-03"),
        ({"mois": "2021-03-01"}, "mois"),
        ({"mois": "2021"}, "mois"),
        ({"mois": None}, "texte"),
        ({"entreprise": "b"}, "inconnue"),
        ({"entreprise": 3}, "texte"),
        ({"situation": []}, "objet"),
        ({"Situation": {}}, "clé inconnue"),
    ],
)
def test_explain_refuse_une_demande_fautive(client, changement, attendu):
    demande = {"situation": situation(), "mois": "2021-03"} | changement
    reponse = client.post("/explain", json=demande)
    assert reponse.status_code == 400, reponse.get_data(as_text=True)[:300]
    assert attendu in reponse.get_json()["error"]


def test_explain_demande_laquelle_s_il_y_a_plusieurs_entreprises(client):
    reponse = client.post("/explain", json={"situation": {"entreprises": {"a": {}, "b": {}}}, "mois": "2021-03"})
    assert reponse.status_code == 400
    assert reponse.get_json()["chemin"] == ["entreprise"]


@pytest.mark.parametrize(
    "changement",
    [
        {"debut": 10, "fin": 0},
        {"debut": 0, "fin": 0},
        {"debut": "0"},
        {"debut": True},
        {"fin": 1e300},
        {"points": 1},
        {"points": 1_000_000},
        {"points": 2.5},
        {"variable": "code_naf"},
        {"variable": "fds_volet_1"},
        {"variable": "inconnue"},
        {"variable": "effectif_groupe"},
        {"variable": "densite_commune", "fin": 9},
        {"situation": {"entreprises": {f"e{i}": {} for i in range(21)}}, "entreprise": "e1"},
    ],
)
def test_sweep_refuse_une_demande_fautive(client, changement):
    demande = {"situation": situation(), "mois": "2021-03", "debut": 0, "fin": 10_000, "points": 3} | changement
    reponse = client.post("/sweep", json=demande)
    assert reponse.status_code in (400, 413), reponse.get_data(as_text=True)[:300]
    assert reponse.get_json()["error"]


@pytest.mark.parametrize(
    ("changement", "attendu"),
    [({"variable": "effectif_salaries"}, "« effectif_salarie »"), ({"points": 2.0}, "nombre entier")],
)
def test_sweep_nomme_la_cle_et_ce_qui_est_attendu(client, changement, attendu):
    demande = {"situation": situation(), "mois": "2021-03", "debut": 0, "fin": 10_000} | changement
    refus = client.post("/sweep", json=demande).get_json()
    assert refus["chemin"] == list(changement)
    assert attendu in refus["attendu"]


@pytest.mark.parametrize("borne", ["NaN", "Infinity", "1e999"])
def test_sweep_refuse_une_borne_infinie(client, borne):
    demande = json.dumps({"situation": situation(), "mois": "2021-03", "debut": 0, "fin": "@"}).replace('"@"', borne)
    reponse = client.post("/sweep", data=demande, content_type="application/json")
    assert reponse.status_code == 400
    assert reponse.get_json()["chemin"] == ["fin"]
