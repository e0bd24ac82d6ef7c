"""What a jurist asked of the explanations, after reading twenty of them against the texts.

The figures are worked by hand from the texts; each test says which.
"""

import random
import re

import pytest
from click.testing import CliRunner

from openfisca_fds_tools.explain import blocs, command, explain, rendu
from openfisca_fds_tools.explain.data import NON_REMPLIE, REMPLIE
from openfisca_fds_tools.explain.sweep import balayer, segmenter
from openfisca_fds_tools.explain.timeline import historique
from openfisca_fds_tools.situation import construire

ANCIENNE = {"date_creation": "2015-06-01"}
AUCUNE_AIDE = {f"2021-{mois:02d}": False for mois in range(1, 6)}


def texte(explication, autres=True):
    """Text of the page, in full unless told otherwise, on one line, plain spaces."""
    page = rendu.markdown(blocs.page(explication, autres=autres))
    return re.sub(r"\s+", " ", page)


def article(explication, numero):
    return next(un for un in explication.articles if un.numero == numero)


def toutes(conditions):
    for une in conditions:
        yield une
        yield from toutes(une.sous_conditions)


def variables(conditions):
    return {une.variable for une in toutes(conditions)}


# ---- what must be said first ----


def test_sans_demande_le_dit_d_abord():
    """October 2020 in Paris, loss of 15 000 € out of 30 000: article 3-11 would pay 10 000 €, nobody asked."""
    situation = ANCIENNE | {
        "departement": "75",
        "code_naf": "56.10A",
        "chiffre_affaires": {"2019-10": 30_000, "2020-10": 15_000},
        "demande_fonds_solidarite": False,
    }
    page = texte(explain(situation, "2020-10"))
    verdict = page.split("**")[1]
    assert verdict == (
        "Aucune aide pour ce mois : aucune demande n'a été déposée. Une demande aurait ouvert droit à 10 000,00 €, "
        "au titre de l'article 3-11."
    )
    assert "0,00 € + 0,00 €" not in page


def test_le_plafond_du_groupe_est_dit_d_abord_et_en_figures():
    """Closed all February 2021: 20 % of 450 000 and 1 000 000 €, that is 290 000, so 90 000 × 200 000 ÷ 290 000."""
    fermee = {"jours_interdiction_accueil_public": {"2021-02": 28}}
    membres = {"petite": 450_000, "grande": 1_000_000}
    situation = {
        "entreprises": {nom: fermee | {"chiffre_affaires": {"2019": 12 * mois}} for nom, mois in membres.items()},
        "groupes": {"g": {"membres": ["petite", "grande"]}},
    }
    explication = explain(situation, "2021-02", "petite")
    assert explication.montant == pytest.approx(62_068.97, abs=0.005)
    page = texte(explication)
    assert "groupe « g » de 2 entreprises" in page
    assert "62 068,97 €, après le plafond du groupe (90 000,00 € avant plafond), au titre de l'article 3-22" in page
    assert re.search(r"= 90 000,00 € \([^)]*\) × 200 000,00 € \([^)]*\) ÷ 290 000,00 €", page)


def test_seule_une_entreprise_n_a_pas_de_groupe():
    assert "groupe" not in texte(explain(ANCIENNE, "2021-02")).split("##")[0]


# ---- branches ----


def test_les_branches_de_3_28_sont_depliees_et_l_aide_anterieure_est_nommee():
    """A café of annexe 1 in August 2021, loss of 60 %, without the aid of April or May (art. 3-28, I, A, 3°)."""
    situation = ANCIENNE | {
        "code_naf": "56.30Z",
        "fds_aide_percue": AUCUNE_AIDE,
        "option_chiffre_affaires_reference": "mois_2019",
        "chiffre_affaires": {"2019-08": 50_000, "2021-08": 20_000},
    }
    explication = explain(situation, "2021-08")
    du_mois = article(explication, "3-28")
    (changement,) = du_mois.changements
    assert (changement.variable, changement.actuel, changement.requis) == ("fds_aide_percue", False, True)
    page = texte(explication)
    assert "Aide du volet 1 reçue, avril 2021 : non ; attendu : oui" in page
    assert "Fermée au public au moins 21 jours du mois et perte d'au moins 50 %" in page
    assert "Jours du mois sous interdiction d'accueil du public : 0 jour (par défaut) ; attendu : au moins 21 j" in page
    assert "art. 3-28, I, A, 2° bis a)" in page


@pytest.mark.parametrize(("mois", "existe"), [("2021-06", False), ("2021-07", False), ("2021-08", True)])
def test_le_2_bis_n_existe_qu_en_aout_et_septembre_2021(mois, existe):
    situation = ANCIENNE | {
        "code_naf": "56.30Z",
        "fds_aide_percue": AUCUNE_AIDE,
        "jours_interdiction_accueil_public": {mois: 15},
        "chiffre_affaires": {f"2019-{mois[5:]}": 50_000, mois: 20_000},
    }
    du_mois = article(explain(situation, mois), "3-28")
    bis = {"fds_fermeture_prolongee", "fds_fermeture_confinement"}
    assert bool(bis & variables(du_mois.conditions)) is existe
    assert any("21 jours" in branche.libelle for branche in du_mois.branches) is existe
    assert len(du_mois.branches) == (5 if existe else 3)


def test_des_options_ne_sont_pas_des_regimes_ouverts():
    """December 2020, sport shop outside annexe 2 (art. 3-17): the two options are compared, neither is open."""
    situation = ANCIENNE | {"code_naf": "47.64Z", "chiffre_affaires": {"2019-12": 12_000, "2020-12": 6_001}}
    explication = explain(situation, "2020-12")
    tableaux = [bloc for bloc in blocs.page(explication, autres=True) if isinstance(bloc, blocs.Tableau)]
    options = [tableau for tableau in tableaux if tableau.entetes[0] == "Option"]
    assert options
    assert all(tableau.entetes == ("Option", "Montant") for tableau in options)


def test_les_montants_compares_disent_ce_que_le_complement_ajoute():
    """February 2021, La Réunion: 1 500 € by article 3-22, 10 000 € by article 3-25 (80 % of 13 999 €, limited)."""
    situation = {
        "departement": "974",
        "code_naf": "47.71Z",
        "chiffre_affaires": {"2019-02": 20_000, "2021-02": 6_001},
    }
    page = texte(explain(situation, "2021-02"))
    assert "l'article 3-25 donne 8 500,00 € de plus que l'article 3-22" in page
    # 80 % of the loss is limited first, then raised to the floor: brackets say so
    assert "le plus élevé de (80 % × 13 999,00 €" in page
    assert "dans la limite de 10 000,00 €) et de 1 500,00 €" in page
    assert "Perte de chiffre d'affaires d'au moins 70 % : non" in page


# ---- thresholds of the article ----


def test_les_seuils_de_3_8_sont_vingt_salaries_et_deux_millions():
    """A hairdresser, 15 employees, 1.5 million: the only obstacle to article 3-8 is the activity (6° bis)."""
    situation = ANCIENNE | {
        "code_naf": "96.02A",
        "effectif_salarie": {"2020-08": 15},
        "chiffre_affaires": {"2019-08": 10_000, "2020-08": 4_000},
        "chiffre_affaires_dernier_exercice": 1_500_000,
    }
    secteurs = article(explain(situation, "2020-08"), "3-8")
    par_nom = {une.variable: une for une in secteurs.conditions}
    effectif, chiffre = par_nom["fds_effectif_sous_plafond"], par_nom["fds_chiffre_affaires_sous_plafond"]
    assert (effectif.comparaison.seuil, chiffre.comparaison.seuil) == (20, 2_000_000)
    assert (effectif.statut, chiffre.statut) == (REMPLIE, REMPLIE)
    assert {numero.split(".")[0] for numero in secteurs.refus} == {par_nom["fds_secteur_protege"].numero}
    assert [changement.variable for changement in secteurs.changements] == ["annexe_1"]


def test_l_effectif_reste_un_obstacle_au_dela_de_vingt():
    situation = ANCIENNE | {"code_naf": "96.02A", "effectif_salarie": {"2020-08": 21}}
    secteurs = article(explain(situation, "2020-08"), "3-8")
    effectif = next(une for une in secteurs.conditions if une.variable == "fds_effectif_sous_plafond")
    assert (effectif.statut, effectif.comparaison.seuil, effectif.comparaison.ecart) == (NON_REMPLIE, 20, 1)


# ---- citations ----


@pytest.mark.parametrize(
    ("mois", "numero"), [("2020-03", "2"), ("2020-04", "3-1"), ("2020-05", "3-3"), ("2020-06", "3-5")]
)
def test_chaque_condition_cite_l_article_du_mois(mois, numero):
    """Articles 2, 3-1, 3-3 and 3-5: every condition but those of article 1er cites the article, and only it."""
    conditions = article(explain(ANCIENNE, mois), numero).conditions
    cites = {une.variable: [reference.partition("art. ")[2] for reference in une.references] for une in conditions}
    for nom, references in cites.items():
        attendu = "1er" if nom in ("fds_beneficiaire", "fds_non_controlee_par_societe_commerciale") else numero
        assert references, nom
        # the declaration on debts is in the article of the conditions or in that of the amount: both are cited
        assert {reference.split(",")[0].split(" et ")[0] for reference in references} == {attendu}, nom
    assert cites["fds_activite_debutee_a_temps"] == [f"{numero}, 6°"]


def test_le_test_de_80_pour_cent_de_3_8_est_celui_du_6_bis():
    situation = ANCIENNE | {"annexe_2": {"2020-08": True}}
    conditions = article(explain(situation, "2020-08"), "3-8").conditions
    nommees = {une.variable: une for une in toutes(conditions)}
    assert nommees["fds_secteur_annexe_2"].references[0].endswith("art. 3-8, 6° bis")


# ---- negations and nearest changes ----


@pytest.mark.parametrize("effectif", [0, 0.5])
def test_un_contrat_se_lit_a_l_endroit_et_se_corrige_par_le_contrat(effectif):
    """December 2020, full-time contract, no employee: the contract is the obstacle, and its waiver is only shown."""
    situation = ANCIENNE | {
        "departement": "73",
        "commune_annexe_3": True,
        "code_naf": "47.64Z",
        "chiffre_affaires": {"2019-12": 25_000, "2020-12": 5_000},
        "dirigeant_contrat_temps_complet": True,
        "effectif_salarie": {"2020-12": effectif},
    }
    explication = explain(situation, "2020-12")
    (changement,) = article(explication, "3-16").changements
    assert (changement.variable, changement.requis) == ("dirigeant_contrat_temps_complet", False)
    attendu = "contrat de travail à temps complet le premier jour du mois : oui ; attendu : non"
    assert attendu in texte(explication)


def test_une_association_n_a_pas_a_changer_de_forme():
    """Art. 1er, 5°: an association must pay commercial taxes or employ someone; it does not change its taxes."""
    situation = ANCIENNE | {"forme_juridique": "association", "assujettie_impots_commerciaux": False}
    situation |= {"chiffre_affaires": {"2019": 120_000, "2021-03": 2_000}}
    changements = article(explain(situation, "2021-03"), "3-24").changements
    assert [(un.variable, un.requis) for un in changements] == [("effectif_salarie", 1)]


def test_un_meilleur_regime_ouvert_ne_se_quitte_pas_en_perdant_moins():
    """Article 3-23, I: Mayotte, for those that no reinforced regime of article 3-22 takes; a restaurant is taken."""
    situation = ANCIENNE | {
        "departement": "976",
        "code_naf": "56.10A",
        "chiffre_affaires": {"2019": 120_000, "2021-02": 0},
    }
    assert article(explain(situation, "2021-02"), "3-23").changements is None


def test_2021_960_nomme_l_article_qui_ferme_le_droit():
    """Eligible to article 3-19 in January 2021: condition 5° of décret 2021-960 fails, and nothing else is told."""
    situation = {
        "date_creation": "2010-01-01",
        "code_naf": "47.11B",
        "densite_commune": 3,
        "activite_secondaire": True,
        "activite_secondaire_interdite_au_public": True,
        "chiffre_affaires": {"2019": 120_000, "2021": 60_000, "2021-01": 4_000},
    }
    explication = explain(situation, "2021-01")
    multi = next(autre for autre in explication.autres if "2021-960" in autre.numero)
    assert multi.changements is None  # nobody gives up an aid for another
    assert "Éligible à l'aide de janvier 2021 : oui ; attendu : non" in texte(explication, autres=True)


def test_l_autre_option_de_reference_est_proposee_et_ouvre_le_droit(systeme):
    """Guyane, August 2020: 800 € of loss out of the month's 2 000, but 2 800 € out of the mean of 2019, 4 000."""
    situation = ANCIENNE | {
        "departement": "973",
        "chiffre_affaires": {"2019-08": 2_000, "2019-12": 46_000, "2020-08": 1_200},
        "option_chiffre_affaires_reference": "mois_2019",
    }
    explication = explain(situation, "2020-08")
    (changement,) = article(explication, "3-7").changements
    assert changement.variable == "option_chiffre_affaires_reference"
    assert changement.requis == "Chiffre d'affaires mensuel moyen de 2019"
    autre = situation | {"option_chiffre_affaires_reference": "moyenne_2019"}
    assert construire(systeme, autre, "2020-08").calculate("fds_article_3_7_eligible", "2020-08")[0]


def test_mars_2020_ne_compare_pas_a_la_moyenne():
    """Article 2 knows the month of 2019 only; the two ceilings of pensions and allowances are told (4°)."""
    situation = ANCIENNE | {"chiffre_affaires": {"2019-03": 1_499}, "indemnites_journalieres": {"2020-03": 800}}
    explication = explain(situation, "2020-03")
    assert len(explication.options) <= 1
    page = texte(explication)
    assert "moyen de 2019" not in page
    assert "Indemnités journalières de sécurité sociale du dirigeant : 800,00 € ; attendu : au plus 800,00 €" in page
    assert "Pensions de retraite du dirigeant : 0,00 € (par défaut) ; attendu : 0,00 €" in page


def test_un_chiffre_d_affaires_trop_faible_se_dit_en_euros():
    """September 2021: at least 15 % of 100 000 €, that is 15 000 €; 14 999 € is one euro short."""
    situation = ANCIENNE | {
        "code_naf": "56.30Z",
        "fds_aide_percue": AUCUNE_AIDE | {"2021-04": True},
        "option_chiffre_affaires_reference": "mois_2019",
        "chiffre_affaires": {"2019-09": 100_000, "2021-09": 14_999},
    }
    page = texte(explain(situation, "2021-09"))
    assert "14 999,00 €, il fallait au moins 15 000,00 € (écart : 1,00 €)" in page
    assert "14,999 %" in page


# ---- French and layout ----


def test_une_date_absente_n_est_pas_1970():
    page = texte(explain({"chiffre_affaires": {"2019": 120_000, "2021-03": 2_000}}, "2021-03"))
    assert "1970" not in page
    assert "non renseignée (entreprise ancienne) ; attendu : avant le 31 décembre 2020" in page


def test_mars_2020_ramene_sur_un_mois_en_jours():
    """Created on 5 March 2020, 1 100 € by the 15th: 11 days, 1 100 × 31 ÷ 11 = 3 100 €."""
    situation = {
        "date_creation": "2020-03-05",
        "chiffre_affaires_jusqu_au_15_mars_2020": 1_100,
        "chiffre_affaires": {"2020-05": 1_550},
    }
    page = texte(explain(situation, "2020-05"))
    assert re.search(r"3 100,00 € = 1 100,00 € \([^)]*\) × 31 ÷ 11 jours", page)


FAUTES = [
    r"\bde (avril|août|octobre)\b",
    r"\bparmi\b",
    r"la liste du texte",
    r"\(s\)",
    r" (%|€|»|:|;)",  # an ordinary space before them
    r"\d (janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)\b",
    r"(\d[\d\u202f]*,\d\d\u00a0€) = \1(?! [(−+×÷])",
    r"1970",
]


@pytest.mark.parametrize("graine", range(6))
def test_le_francais_de_chaque_page(systeme, graine):
    """Months elided, plurals, no-break spaces, no tautology, on drawn enterprises."""
    from tests.tools.test_explain import MOIS, au_hasard

    hasard = random.Random(100 + graine)
    simulation = construire(systeme, {"entreprises": {"a": au_hasard(hasard), "b": au_hasard(hasard)}})
    for mois in hasard.sample(MOIS, 3):
        page = rendu.markdown(blocs.page(explain(simulation, mois, "a"), autres=True))
        for faute in FAUTES:
            trouvee = re.search(faute, page)
            assert not trouvee, (mois, faute, page[max(0, trouvee.start() - 60) : trouvee.end() + 20])


def test_la_valeur_precede_toujours_le_seuil(systeme):
    """« Libellé : valeur ; attendu : seuil », for every comparison shown."""
    situation = ANCIENNE | {"chiffre_affaires": {"2019": 120_000, "2020-08": 5_001}, "departement": "973"}
    lignes = rendu.markdown(blocs.page(explain(situation, "2020-08"))).split("\n")
    comparees = [ligne for ligne in lignes if "attendu" in ligne]
    assert len(comparees) > 6
    assert all(re.search(r" : [^;]+ ; attendu : ", ligne.replace("\u00a0", " ")) for ligne in comparees)


def test_un_numero_d_article_ne_se_coupe_pas_en_html():
    html = rendu.html(blocs.page(explain(ANCIENNE, "2020-08")), "essai")
    assert "art.\u00a03\u20117,\u00a0I<" in html
    assert "3-7," not in html.split("</style>")[1]


def test_une_condition_commune_n_est_depliee_qu_une_fois():
    page = texte(explain(ANCIENNE, "2020-12")).split("## Article 4,")[0]
    assert page.count("Entreprise mentionnée à l'article 1er") > 1
    assert page.count("Résidence fiscale en France : oui") == 1


# ---- helpers written otherwise ----


def test_les_aides_a_la_loi_se_suivent_par_leur_sens(systeme):
    """Mean, scaling, best regime and share of the ceiling: none of them appears as what NumPy does."""
    situation = {
        "date_creation": "2019-07-01",
        "code_naf": "56.10A",
        "chiffre_affaires": {"2019": 120_000, "2020-01": 10_000, "2020-02": 10_000, "2021-03": 1_000},
    }
    explication = explain(situation, "2021-03")
    page = texte(explication)
    # turnover since July 2019: 6 × 10 000 + 2 × 10 000, over 8 months
    assert "80 000,00 € (de juillet 2019 à février 2020) ÷ 8 mois" in page
    assert [branche.retenue for branche in article(explication, "3-24").branches].count(True) == 1
    assert "d'après" not in page


# ---- timeline and sweep ----


def test_l_historique_nomme_le_regime_la_deduction_et_l_article_le_plus_proche(systeme):
    """Paris restaurant, pensions of 600 € in February 2021; in July 2020 the sector article is the nearest."""
    en_2020 = dict.fromkeys((f"2020-{mois:02d}" for mois in range(1, 13)), 20_000)
    chiffres = {"2019": 240_000} | en_2020 | {"2020-04": 1_000, "2020-07": 10_001, "2021-02": 5_000}
    situation = ANCIENNE | {
        "code_naf": "56.10A",
        "departement": "75",
        "pensions_retraite": {"2021-02": 600},
        "chiffre_affaires": chiffres,
    }
    par_mois = {mois.periode: mois for mois in historique(construire(systeme, situation)).mois}
    juillet = par_mois["2020-07"]
    assert juillet.article == "3-8"
    assert juillet.regime.startswith("refus ; au plus près : ")
    fevrier = par_mois["2021-02"]
    # annexe 1: 100 % of the loss of 15 000 € up to 10 000 €, less 600 €
    assert (fevrier.article, fevrier.montant) == ("3-22", 9_400)
    assert fevrier.regime.startswith("Annexe 1 et perte d'au moins 50 %")
    assert "600,00" in fevrier.regime


def test_un_mois_sans_reference_tient_en_une_ligne(systeme):
    mois = historique(construire(systeme, {"date_creation": "2021-06-01"})).mois
    assert {(un.article, un.regime) for un in mois if un.montant == 0} == {("", "")}


def test_le_balayage_montre_les_pentes_et_ce_qui_paie(systeme):
    """Bar, reference 12 000 €: the loss limited to 10 000 €, then the loss down to 6 000 €, then nothing (50 %)."""
    situation = ANCIENNE | {
        "code_naf": "56.30Z",
        "effectif_salarie": {"2021-03": 3},
        "option_chiffre_affaires_reference": "mois_2019",
        "chiffre_affaires": {"2019-03": 12_000},
    }
    resultat = balayer(systeme, situation, "chiffre_affaires", "2021-03", 0, 20_000, 38)
    segments = segmenter(systeme, situation, resultat)
    bornes = [tuple(round(x, 2) for x in (s.debut, s.fin, s.aide_debut, s.aide_fin)) for s in segments]
    assert bornes == [(0, 2_000, 10_000, 10_000), (2_000, 6_000, 10_000, 6_000), (6_000.01, 20_000, 0, 0)]
    assert [segment.article for segment in segments] == ["3-24", "3-24", ""]
    assert segments[0].regime == "Annexe 1 et perte d'au moins 50 %"


@pytest.fixture
def cas(tmp_path):
    chemin = tmp_path / "cas.yaml"
    chemin.write_text("entreprises:\n  snack:\n    code_naf: 56.10C\n    chiffre_affaires: {2019: 120000}\n", "utf-8")
    return str(chemin)


def test_le_dessin_est_en_francais(tmp_path, cas):
    pytest.importorskip("altair", reason="extra report absent")
    pytest.importorskip("vl_convert", reason="extra report absent")
    dessin = tmp_path / "aide.svg"
    arguments = [cas, "--month", "2021-03", "--from", "0", "--to", "12000", "--output", str(dessin)]
    resultat = CliRunner().invoke(command.sweep, arguments, env={"COLUMNS": "80"})
    assert resultat.exit_code == 0, resultat.output
    svg = dessin.read_text(encoding="utf-8")
    assert re.search(r"10[\u00a0\u202f]000", svg)
    assert "10,000" not in svg
    assert "snack" in svg
    assert "…" not in resultat.output


@pytest.mark.parametrize("commande", [command.explain, command.timeline, command.sweep])
def test_l_aide_en_ligne_est_en_francais(commande):
    aide = CliRunner().invoke(commande, ["--help"]).output
    assert "Entreprise, si le cas en compte plusieurs." in " ".join(aide.split())
    assert not re.search(r"\b(Name of|Enterprise,|value|the case)\b", aide)


@pytest.mark.parametrize("mois", ["mars", "2021", "2021-13", "2021-3"])
def test_un_mois_illisible_se_dit_en_francais(cas, mois):
    resultat = CliRunner().invoke(command.explain, [cas, "--month", mois])
    assert resultat.exit_code == 2
    assert resultat.output == (
        f"Erreur : « {mois} » n'est pas un mois ; attendu : une année et un mois, comme 2021-03.\n"
    )


def test_les_conditions_remplies_disent_leurs_valeurs():
    """March 2021, 50 employees: the regime of the others shows the loss, 50 %, and the ceiling of 50 employees."""
    situation = {
        "effectif_salarie": {"2021-03": 50},
        "option_chiffre_affaires_reference": "mois_2019",
        "chiffre_affaires": {"2019-03": 4_000, "2021-03": 2_000},
    }
    explication = explain(situation, "2021-03")
    assert all(une.statut == REMPLIE for une in article(explication, "3-24").conditions)
    page = texte(explication)
    assert "50 salariés ; attendu : au plus 50 salariés" in page
    assert "Perte de chiffre d'affaires d'au moins 50 % : 50 % (2 000,00 € sur 4 000,00 €)" in page
    assert "3-29" not in page.split("## Seuils et montants du texte")[1]
