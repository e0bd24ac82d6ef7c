"""What an accountant types, pastes or opens is taken as meant, or refused in its place; nothing is lost unsaid."""

import json
import re

import pytest
from gestes import calculer, case, coller, ligne, remplir_un_cafe, texte

ANNEE = {f"2019-{mois:02d}": 30_000 for mois in range(1, 13)}
PLEIN = ANNEE | {f"{an}-{mois:02d}": 30_000 for an in (2020, 2021) for mois in range(1, 13)}
PLEIN |= {"2022-01": 30_000, "2022-02": 30_000}


@pytest.fixture
def ouvrir(page, tmp_path):
    """Give what opens a case from a file, and waits for its results unless told otherwise."""

    def ouvrir(cas, attendu="#resultats:not([hidden])"):
        fichier = tmp_path / "cas.json"
        fichier.write_text(cas if isinstance(cas, str) else json.dumps(cas), encoding="utf-8")
        page.goto("/")
        page.set_input_files("#fichier", fichier)
        page.wait_for_selector(attendu)

    return ouvrir


def enregistrer(page):
    with page.expect_download() as attente:
        page.get_by_role("button", name="Enregistrer le cas").click()
    return json.loads(attente.value.path().read_text(encoding="utf-8"))


def expliquer(page, mois):
    page.locator(f"[data-expliquer='{mois}']").click()
    page.wait_for_selector("#courbe svg")
    return texte(page, "#texte")


def refus(page):
    page.get_by_role("button", name="Calculer", exact=True).click()
    page.wait_for_selector("#erreur:not([hidden])")
    return texte(page, "#erreur")


# ---- months without turnover ----


def test_un_mois_non_saisi_ne_compte_pas(page):
    remplir_un_cafe(page)
    page.fill(case("2020-05"), "0")
    calculer(page)
    assert texte(page, "#total") == "Café : 11 500,00 € en tout pour 2 mois sur 24"
    absents = texte(page, "#absents")
    assert "mars 2020 à avril 2020, juin 2020 à février 2021, avril 2021 à février 2022." in absents
    assert "chiffre d'affaires non saisi" in ligne(page, "2021-04")
    assert "€" not in ligne(page, "2021-04")
    assert page.locator("[data-expliquer]").count() == 2


def test_l_exemple_est_complet(page):
    page.goto("/")
    page.get_by_role("button", name="Essayer un exemple").click()
    page.wait_for_selector("#resultats:not([hidden])")
    assert not page.is_visible("#absents")
    assert page.locator("[data-expliquer]").count() == 24


def test_une_annee_ou_une_suite_de_mois_du_fichier_est_saisie(page, ouvrir):
    chiffres = {"2019": 360_000, "month:2020-03:2": 20_000, "2021-03": 9_000, "2022": 12_000, "2021-05": None}
    ouvrir({"entreprises": {"a": {"chiffre_affaires": chiffres}}})
    montres = page.locator("[data-expliquer]").evaluate_all("tous => tous.map((un) => un.dataset.expliquer)")
    assert montres == ["2020-03", "2020-04", "2021-03", "2022-01", "2022-02"]
    assert "1 000,00 €" in ligne(page, "2022-02")


# ---- the article that pays ----


def test_le_tableau_nomme_l_article_que_l_explication_nomme(page, ouvrir):
    """In October 2020, the amount of 3-12 for a great loss is a step that no right opens."""
    entreprise = {"departement": {"ETERNITY": "74"}, "code_naf": {"ETERNITY": "47.64Z"}}
    chiffres = dict.fromkeys(PLEIN, 40_000) | {"2020-10": 8_000}
    ouvrir({"entreprises": {"a": entreprise | {"chiffre_affaires": chiffres}}})
    assert page.locator("[data-ligne='2020-10'] td").nth(4).inner_text() == "3-11"
    assert "au titre de l'article 3-11" in expliquer(page, "2020-10")


def test_une_aide_donnee_par_le_fichier_est_la_meme_partout(page, ouvrir):
    ouvrir({"entreprises": {"a": {"chiffre_affaires": ANNEE | {"2021-03": 9_000}, "fds_volet_1": {"2021-03": 7}}}})
    assert texte(page, "[data-ligne='2021-03'] b") == "7,00 €"
    assert "7,00 €" in expliquer(page, "2021-03").split("\n\n")[0] + texte(page, "#courbe figcaption p")


# ---- what is refused in its place ----


def test_une_date_incomplete_ou_hors_du_modele_est_refusee(page):
    remplir_un_cafe(page)
    page.fill("#date_creation", "")
    page.locator("#date_creation").press_sequentially("02")
    assert "Date de création" in (dit := refus(page))
    assert "incomplète" in dit
    page.fill("#date_creation", "2025-01-01")
    assert "du 01/01/1600 au 28/02/2022" in refus(page)
    assert page.get_attribute("#date_creation", "aria-invalid") == "true"
    page.fill("#date_creation", "2015-04-01")
    calculer(page)


def test_trop_de_jours_dans_le_mois_est_refuse(page):
    remplir_un_cafe(page)
    page.locator("details").first.evaluate("bloc => { bloc.open = true }")
    case_de_fevrier = case("2021-02", "jours_interdiction_accueil_public")
    page.fill(case_de_fevrier, "29")
    dit = refus(page)
    assert "février 2021 : valeur 29 ; attendu : un nombre de 0 à 28." in dit
    assert "entreprises/" not in dit
    assert page.get_attribute(case_de_fevrier, "aria-invalid") == "true"


NOMBRES = {
    "1 234,56 €": 1234.56,
    "1.234,56": 1234.56,
    "1,234.56": 1234.56,
    "30,000.00": 30_000,
    "1.234.567": 1_234_567,
    "30,5": 30.5,
    "30.50": 30.5,
    "0,625": 0.625,
    "1234,567": 1234.567,
    "(9 000)": -9_000,
    "−5": -5,
    "-": 0,
    " -   € ": 0,
    "30.000": None,
    "30,000": None,
    "1,23,456": None,
    "12a": None,
}


def test_un_nombre_est_lu_comme_il_est_ecrit(page):
    page.goto("/")
    lire = "import('/statique/saisie.js').then(({ lireNombre }) => textes.map((un) => [un, lireNombre(un)]))"
    lus = page.evaluate(f"textes => {lire}", list(NOMBRES))
    assert {ecrit: None if lu != lu else lu for ecrit, lu in lus} == NOMBRES


def test_un_nombre_a_deux_lectures_est_refuse_dans_sa_case(page):
    remplir_un_cafe(page)
    page.fill(case("2021-04"), "30.000")
    assert "avril 2021 : « 30.000 » se lit de deux façons : écrire 30000 ou 30,0000." in refus(page)


def test_un_booleen_ou_un_nombre_entre_guillemets_est_refuse_comme_par_l_api(page, ouvrir):
    entreprise = {"chiffre_affaires": ANNEE, "discotheque": {"ETERNITY": "true"}}
    ouvrir({"entreprises": {"a": entreprise}}, "#erreur:not([hidden])")
    assert "« true » ; attendu : true ou false" in texte(page, "#erreur")
    assert page.get_attribute("#discotheque", "aria-invalid") == "true"
    page.check("#discotheque")
    calculer(page)
    ouvrir({"entreprises": {"a": {"chiffre_affaires": ANNEE | {"2021-03": "9000"}}}}, "#erreur:not([hidden])")
    assert page.get_attribute(case("2021-03"), "aria-invalid") == "true"


# ---- files and links ----


def test_un_effectif_d_un_mois_reste_celui_d_un_mois(page, ouvrir):
    cas = {"entreprises": {"a": {"effectif_salarie": {"2021-03": 60}, "chiffre_affaires": ANNEE | {"2021-03": 9_000}}}}
    ouvrir(cas)
    assert page.input_value("#effectif_salarie") == ""
    assert "Effectif salarié" in texte(page, "#conserve")
    assert enregistrer(page) == cas
    page.fill("#effectif_salarie", "3")
    assert not page.is_visible("#conserve")
    assert enregistrer(page)["entreprises"]["a"]["effectif_salarie"] == {str(an): 3 for an in range(2019, 2023)}


def test_un_identifiant_en_chiffres_garde_sa_place(page, ouvrir):
    """A key that looks like an integer loses its order in JavaScript: a SIREN must not take the place of another."""
    entreprises = {"900000000": ANNEE | {"2021-03": 9_000}, "100000000": ANNEE | {"2021-03": 30_000}}
    cas = {"entreprises": {id_: {"chiffre_affaires": chiffres} for id_, chiffres in entreprises.items()}}
    ouvrir(cas | {"groupes": {"g": {"membres": ["900000000", "100000000"]}}})
    page.get_by_label("Entreprise du cas").select_option("900000000")
    page.locator("#total").filter(has_text="900000000").wait_for()
    page.fill("#identifiant", "950000000")
    calculer(page)
    page.locator("#total").filter(has_text="950000000").wait_for()
    assert "950000000" in expliquer(page, "2021-03")
    lien = page.url
    page.goto("about:blank")
    page.goto(lien)
    page.wait_for_selector("#resultats:not([hidden])")
    assert page.input_value("#identifiant") == "950000000"
    assert "9 000,00 €" in ligne(page, "2021-03")
    assert enregistrer(page)["groupes"]["g"]["membres"] == ["950000000", "100000000"]
    page.fill("#identifiant", "100000000")
    assert "déjà une autre entreprise" in refus(page)


# ---- paste ----


def collees(page, mois, lignes, grille="chiffre_affaires"):
    coller(page, case(mois, grille), "\r\n".join("\t".join(map(str, une)) for une in lignes) + "\r\n")
    return texte(page, "#etat")


def test_un_bloc_est_pose_selon_sa_forme(page):
    page.goto("/")
    dit = collees(page, "2019-01", [range(1, 13), range(13, 25)])
    assert dit == "24 valeurs collées."
    mois = ("2019-01", "2019-12", "2020-01", "2020-12")
    assert [page.input_value(case(un)) for un in mois] == ["1", "12", "13", "24"]
    assert page.input_value(case("2021-01")) == ""


def test_ce_qui_deborde_est_compte(page):
    page.goto("/")
    assert collees(page, "2019-03", [(1, 2)] * 12).startswith("20 valeurs collées ; 4 valeurs laissées de côté")
    assert collees(page, "2021-01", [[1]] * 40).startswith("14 valeurs collées ; 26 valeurs laissées de côté")


def test_une_case_vide_collee_efface(page):
    page.goto("/")
    page.fill(case("2019-03"), "5")
    assert collees(page, "2019-01", [[1], [2], [""]]) == "3 valeurs collées."
    assert page.input_value(case("2019-03")) == ""


# ---- answers out of time, changes after a calculation ----


def retarder(page, route, quand):
    """Make the requests to a route that hold a text wait for the next one to be answered."""
    attente = []

    def traiter(requete):
        if quand in (requete.request.post_data or "") and not attente:
            attente.append(requete)
        else:
            requete.continue_()

    page.route(re.compile(f"/{route}$"), traiter)
    return attente


def test_une_explication_en_retard_ne_remplace_pas_la_suivante(page, ouvrir):
    ouvrir({"entreprises": {"a": {"chiffre_affaires": PLEIN}}})
    attente = retarder(page, "explain", '"mois":"2021-02"')
    page.locator("[data-expliquer='2021-02']").click()
    expliquer(page, "2020-11")
    with page.expect_response(re.compile("/explain$")):
        attente[0].continue_()
    page.wait_for_timeout(200)
    assert "novembre 2020" in page.locator("#texte h2").first.inner_text()


def test_un_calcul_en_retard_ne_remplace_pas_le_suivant(page):
    remplir_un_cafe(page)
    attente = retarder(page, "calculate", '"2021-03":9000')
    page.get_by_role("button", name="Calculer", exact=True).click()
    page.fill(case("2021-03"), "30 000")
    calculer(page)
    with page.expect_response(re.compile("/calculate$")):
        attente[0].continue_()
    page.wait_for_timeout(200)
    assert "30 000,00 € 30 000,00 €" in re.sub(r"\s+", " ", ligne(page, "2021-03"))


def test_une_courbe_qui_echoue_laisse_l_explication(page):
    remplir_un_cafe(page)
    calculer(page)
    page.route(re.compile("/sweep$"), lambda requete: requete.fulfill(status=503, json={"error": "Indisponible."}))
    page.locator("[data-expliquer='2021-03']").click()
    page.locator("#courbe").filter(has_text="Indisponible.").wait_for()
    assert "10 000,00 €" in texte(page, "#texte")


def test_un_changement_apres_le_calcul_est_dit(page):
    remplir_un_cafe(page)
    calculer(page)
    assert not page.is_visible("#perime")
    page.fill(case("2021-03"), "8 000")
    assert page.is_visible("#perime")
    calculer(page)
    page.locator("[data-ligne='2021-03']").filter(has_text="22").wait_for()
    assert not page.is_visible("#perime")
    page.fill("#code_naf", "56.31Z")
    refus(page)
    assert page.is_visible("#perime")
    page.fill("#code_naf", "56.30Z")
    page.get_by_label("Comparer à une réforme").select_option("seuil_de_60")
    assert page.is_visible("#perime")
    calculer(page)
    page.wait_for_selector("#mois.comparee")
    assert "sans la réforme" in expliquer(page, "2021-03")


@pytest.mark.parametrize("bouton", ["Effacer", "Essayer un exemple"])
def test_ce_qui_est_saisi_n_est_efface_que_si_on_le_confirme(page, bouton):
    remplir_un_cafe(page)
    reponses = iter(["dismiss", "accept"])
    page.on("dialog", lambda question: getattr(question, next(reponses))())
    page.get_by_role("button", name=bouton).click()
    assert page.input_value("#identifiant") == "Café"
    page.get_by_role("button", name=bouton).click()
    assert page.input_value("#identifiant") == ("" if bouton == "Effacer" else "Café du Port")


def test_une_adresse_de_parametre_illisible_laisse_la_page(page):
    page.goto("/parametres#%E0%A4%A")
    page.wait_for_selector("#couverture tbody tr")
    assert "Adresse illisible" in texte(page, "#erreur")
