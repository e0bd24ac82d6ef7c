"""What a second reader asked, who had the texts and twenty explanations, not the code.

The figures are worked by hand from the texts; each test says which.
"""

import pytest

from openfisca_fds_tools.explain import blocs, ecriture, explain
from openfisca_fds_tools.explain.conseils import plus_proche
from openfisca_fds_tools.explain.data import NON_REMPLIE, REMPLIE
from openfisca_fds_tools.explain.explication import payeur
from openfisca_fds_tools.situation import construire
from tests.tools.test_explain_relecture import ANCIENNE, article, texte, toutes

# Mayotte, February 2021, hotel: loss of 5 000 € out of 6 000, all of it due by annexe 1 (article 3-22).
HOTEL_DE_MAYOTTE = ANCIENNE | {
    "departement": "976",
    "code_naf": "55.10Z",
    "chiffre_affaires": {"2019-02": 6_000, "2019-12": 66_000, "2021-02": 1_000},
}
# October 2020, hotel outside curfew: 50 % of loss gives 1 500 € (article 3-12), less 1 600 € of allowances.
HOTEL_INDEMNISE = ANCIENNE | {
    "departement": "29",
    "code_naf": "55.10Z",
    "chiffre_affaires": {"2019-10": 20_000, "2020-10": 10_000},
    "indemnites_journalieres": {"2020-10": 1_600},
}


def condition(un_article, variable):
    return next(une for une in toutes(un_article.conditions) if une.variable == variable)


def section(page, titre):
    """Part of a page under a title, to the next one."""
    return page.split(f"## {titre}")[1].split(" ## ")[0]


# ---- conditions ----


def test_la_negation_d_un_regime_dit_que_le_regime_est_ouvert():
    """Article 3-23, I: no reinforced regime must be open; annexe 1 is."""
    page = section(texte(explain(HOTEL_DE_MAYOTTE, "2021-02")), "Article 3-23")
    assert "✗ Annexe 1 et perte d'au moins 50 % : oui ; attendu : non" in page


@pytest.mark.parametrize("effectif", [9, 15])
def test_un_seuil_de_3_8_se_lit_dans_3_8_meme_tenu(effectif):
    """Article 3-8, 7° and 8°: 20 employees and 2 000 000 €, even when the activity closes the article."""
    situation = ANCIENNE | {"effectif_salarie": {"2020-08": effectif}, "chiffre_affaires_dernier_exercice": 500_000}
    secteurs = article(explain(situation, "2020-08"), "3-8")
    salaries = condition(secteurs, "fds_effectif_sous_plafond")
    chiffre = condition(secteurs, "fds_chiffre_affaires_sous_plafond")
    assert [(une.statut, une.comparaison.seuil) for une in (salaries, chiffre)] == [(REMPLIE, 20), (REMPLIE, 2_000_000)]
    assert "conséquence" not in texte(explain(situation, "2020-08"))


@pytest.mark.parametrize("numero", ["3-11", "3-12"])
def test_apres_une_hausse_l_ecart_part_du_chiffre_d_affaires(numero):
    """8 000 € against 4 000: half of 4 000 is 2 000, so 6 000 € less, as the advice says."""
    situation = ANCIENNE | {"departement": "75", "chiffre_affaires": {"2019-10": 4_000, "2020-10": 8_000}}
    du_mois = article(explain(situation, "2020-10"), numero)
    perte = condition(du_mois, "fds_perte_seuil_general")
    (conseil,) = (un for un in du_mois.changements if un.variable == "chiffre_affaires")
    assert perte.comparaison.ecart == conseil.ecart == 6_000


def test_ce_qui_a_ete_examine_reste_ecrit():
    """Article 4, I, 2°: closed, which is met, with 7 000 € of turnover out of 8 000, which is not; or an employee."""
    situation = ANCIENNE | {
        "demande_volet_2": True,
        "effectif_salarie": {"2020-03": 0},
        "chiffre_affaires_dernier_exercice": 7_000,
        "jours_interdiction_accueil_public": {"2020-04": 30},
    }
    page = section(texte(explain(situation, "2020-08"), autres=True), "Article 4,")
    assert "chiffre d'affaires suffisant (une possibilité suffit)" in page
    assert "✓ Interdiction d'accueil du public entre le 1er mars et le 30 juin 2020" in page


def test_une_activite_et_une_commune_sont_deux_faits():
    """Article 3-29: a hairdresser (96.02A) outside annexe 3 lacks the commune only."""
    situation = ANCIENNE | {"code_naf": "96.02A", "chiffre_affaires": {"2019-02": 20_000, "2021-02": 10_001}}
    rattrapage = article(explain(situation, "2021-02"), "3-29")
    assert [un.variable for un in rattrapage.changements] == ["commune_annexe_3", "chiffre_affaires"]
    coiffure = condition(rattrapage, "fds_coiffure_et_beaute_en_station")
    assert [une.statut for une in coiffure.sous_conditions] == [REMPLIE, NON_REMPLIE]


def test_une_liste_courte_de_territoires_est_nommee():
    page = section(texte(explain(HOTEL_DE_MAYOTTE, "2021-02")), "Article 3-25")
    assert "971 (Guadeloupe), 972 (Martinique), 974 (La Réunion), 977 (Saint-Barthélemy)" in page


def test_un_jour_suffit_se_dit_au_moins_un_jour():
    page = texte(explain(ANCIENNE, "2020-10"))
    assert "0 jour (par défaut) ; attendu : au moins 1 jour ; écart : 1 jour" in page
    assert "plus de 0 jour" not in page


# ---- what nobody gave ----


def test_une_perte_qui_repose_sur_un_chiffre_jamais_donne_le_dit():
    """Nothing is given for spring 2020 nor for December: the losses of 100 % are guesses; the reference is not.

    Spring: 17 days of March and 15 of May out of 31, and April, 10 000 € a month: 20 322,58 €.
    """
    situation = ANCIENNE | {"code_naf": "46.34Z", "chiffre_affaires": {"2019": 120_000}}
    explication = explain(situation, "2020-12")
    assert condition(article(explication, "3-15"), "fds_perte_premier_confinement_2020").comparaison.par_defaut
    assert [fait.par_defaut for fait in explication.faits] == [True, False, True, True]
    page = texte(explication)
    assert "au moins 80 % du 15 mars au 15 mai 2020 (textes de 2020) : 100 % (20 322,58 € sur 20 322,58 €, par" in page
    assert "10 000,00 € (perte de chiffre d'affaires du mois, par défaut)" in page


def test_une_perte_donnee_n_est_pas_par_defaut():
    situation = ANCIENNE | {"code_naf": "46.34Z", "chiffre_affaires": {"2019": 120_000, "2020-12": 1_000}}
    explication = explain(situation, "2020-12")
    assert not any(fait.par_defaut for fait in explication.faits)
    assert "(perte de chiffre d'affaires du mois, par défaut)" not in texte(explication)


# ---- advice ----


def test_un_article_qui_n_ajouterait_rien_n_est_pas_conseille():
    """Article 3-25 would give 80 % of 5 000 €, when article 3-22 pays all of it."""
    explication = explain(HOTEL_DE_MAYOTTE, "2021-02")
    assert explication.montant == 5_000
    assert plus_proche(explication) is None
    page = section(texte(explication), "Article 3-25")
    assert "Ouvert au plus près (" in page
    assert "), cet article n'aurait rien ajouté à l'aide du mois (5 000,00 €)." in page
    assert "il fallait" not in page
    assert "il fallait" not in texte(explication, autres=False)


def test_un_article_qui_ajouterait_est_conseille(systeme):
    """Loss of 49.995 % of 20 000 €: nothing; at 50 %, annexe 1 gives the whole loss, 10 000 €, as the model says."""
    situation = ANCIENNE | {"code_naf": "55.10Z", "chiffre_affaires": {"2019-02": 20_000, "2021-02": 10_001}}
    explication = explain(situation, "2021-02")
    assert plus_proche(explication).numero == "3-22"
    assert "Par l'article 3-22 : chiffre d'affaires hors taxes du mois" in texte(explication)
    change = situation | {"chiffre_affaires": {"2019-02": 20_000, "2021-02": 10_000}}
    assert construire(systeme, change, "2021-02").calculate("fonds_de_solidarite", "2021-02")[0] == 10_000


def test_sans_demande_rien_n_est_conseille_qui_donnerait_moins_qu_une_demande():
    """Paris, October 2020: a request would give 10 000 € (article 3-11); one day of closure, 333 €."""
    situation = ANCIENNE | {
        "departement": "75",
        "code_naf": "56.10A",
        "chiffre_affaires": {"2019-10": 30_000, "2020-10": 15_000},
        "demande_fonds_solidarite": False,
    }
    explication = explain(situation, "2020-10")
    assert article(explication, "3-10").changements
    assert plus_proche(explication) is None


def test_l_aide_du_mois_n_est_pas_dite_pour_le_volet_2():
    situation = ANCIENNE | {
        "demande_volet_2": True,
        "fds_aide_percue": {"2020-04": True},
        "solde_tresorerie_volet_2": -7_300,
        "chiffre_affaires_dernier_exercice": 9_000,
    }
    explication = explain(situation, "2020-08")
    volet_2 = next(autre for autre in explication.autres if autre.variable_montant == "fds_volet_2")
    assert volet_2.changements
    assert volet_2.aide_si_change is None
    assert "l'aide du mois, tous articles" not in section(texte(explication, autres=True), "Article 4,")


def test_un_montant_que_les_deductions_annulent_dit_pourquoi_et_ce_qui_paierait(systeme):
    """1 500 − 1 600 is nothing; at 70 % of loss, 14 000 € are limited to 10 000 €: 8 400 € after allowances."""
    explication = explain(HOTEL_INDEMNISE, "2020-10")
    hors_zone = article(explication, "3-12")
    assert (hors_zone.eligible, explication.montant) == (True, 0)
    (conseil,) = hors_zone.changements
    assert (conseil.variable, conseil.requis, hors_zone.montant_si_change) == ("chiffre_affaires", 6_000, 8_400)
    verdict = texte(explication).split("**")[1]
    assert "le montant est nul : 1 500,00 €" in verdict
    assert "− 1 600,00 € (pensions de retraite et indemnités journalières" in verdict
    (levier,) = (un for un in explication.leviers if un.changements[0].variable == "chiffre_affaires")
    assert (levier.numero, levier.changements[0].requis, levier.montant_si_change) == ("3-12", 6_000, 8_400)


def test_un_montant_nul_conseille_les_jours_qui_paieraient():
    """One day of closure, 333 €, less 1 000 € of pensions: four days are needed, 1 332 − 1 000 €."""
    situation = ANCIENNE | {
        "departement": "75",
        "jours_interdiction_accueil_public": {"2020-10": 1},
        "pensions_retraite": {"2020-10": 1_000},
        "chiffre_affaires": {"2019-10": 31_000, "2020-10": 31_000},
    }
    explication = explain(situation, "2020-10")
    fermetures = article(explication, "3-10")
    assert (fermetures.eligible, fermetures.montant, fermetures.montant_si_change) == (True, 0, 332)
    assert [un.requis for un in fermetures.changements] == [4]


# ---- branches, options, reference ----


def test_un_meilleur_regime_ferme_dit_ce_qui_le_ferme():
    page = section(texte(explain(HOTEL_INDEMNISE | {"indemnites_journalieres": 0}, "2020-10")), "Article 3-12")
    ligne = "(art. 3-12, II) — manque : perte de chiffre d'affaires d'au moins 70 % : 50 % (10 000,00 € sur 20 000,00"
    assert ligne in page
    assert "1 500,00 € — " not in page  # an open or a lesser regime needs no reason


def test_le_resume_nomme_le_meilleur_regime_ferme():
    """April 2021, accountant: 1 500 € of a loss of 20 000; annexe 1 would give 10 000, as the closure would.

    A day of closure, that the State decides, is told first; closed already, only the activity is in the way.
    """
    situation = ANCIENNE | {"code_naf": "69.20Z", "chiffre_affaires": {"2019": 240_000, "2021-01": 0}}
    explication = explain(situation, "2021-05")
    assert explication.montant == 1_500
    (changement,) = plus_proche(explication).changements
    assert (changement.requis, plus_proche(explication).montant_si_change) == (1, 10_000)
    sienne = explain(situation | {"effectif_salarie": {"2021-01": 3}, "date_creation": "2020-12-20"}, "2021-01")
    assert plus_proche(sienne) is None


@pytest.mark.parametrize(
    ("mois", "option", "motif"),
    [
        ("2020-08", "mois_2019", "option donnée par l'entreprise, non choisie d'office"),
        ("2020-08", "plus_favorable", None),
        (
            "2021-03",
            "plus_favorable",
            "faute d'option, par convention la plus favorable en février 2021 (chiffre d'affaires mensuel moyen de "
            "2019, 4 000,00 € contre chiffre d'affaires hors taxes du mois, ventes à distance comprises, février "
            "2019, 40 000,00 €) ; le texte reprend celle d'une demande antérieure",
        ),
    ],
)
def test_une_option_moins_favorable_dit_pourquoi_elle_est_retenue(mois, option, motif):
    """Month of 2019 below the mean of 4 000 €; for March 2021, February 2019 was above it."""
    chiffres = (
        {"2019-02": 40_000, "2019-03": 2_000, "2019-12": 6_000}
        if mois == "2021-03"
        else {"2019-08": 2_000, "2019-12": 46_000}
    )
    situation = ANCIENNE | {"chiffre_affaires": chiffres, "option_chiffre_affaires_reference": option}
    explication = explain(situation, mois)
    dit = explication.motif_de_l_option
    assert (dit and dit.replace("\u202f", " ").replace("\u00a0", " ")) == motif
    assert f"Choix : {motif or 'la plus favorable pour le mois'}." in texte(explication)


def test_la_moyenne_commence_a_la_creation_et_compte_ses_jours():
    """Created on 31 January 2020: 100 + 3 100 €, over one day of January (1/31) and one month: 3 100 €."""
    situation = {"date_creation": "2020-01-31", "chiffre_affaires": {"2020-01": 100, "2020-02": 3_100}}
    page = texte(explain(situation, "2021-02"))
    assert "3 100,00 € = 3 200,00 € (de janvier 2020 à février 2020) ÷ (1/31 + 1 mois)" in page


# ---- citations and layout ----


def test_decembre_2020_ne_cite_pas_les_lettres_d_une_liste_qui_n_est_pas_du_decret():
    """Article 3-15: the sheet's letters A to E are its own; the debts are told without paragraph."""
    posees = article(explain(ANCIENNE, "2020-12"), "3-15").conditions
    cites = [reference.partition("art. ")[2] for une in toutes(posees) for reference in une.references]
    de_l_article = {cite for cite in cites if cite.startswith("3-15")}
    assert de_l_article == {"3-15", "3-15, I"}


def test_l_article_qui_paie_vient_d_abord_et_un_resume_le_precede():
    """Mayotte, February 2021: 3-22 pays; then those that do not, in the order of the decree."""
    page = blocs.page(explain(HOTEL_DE_MAYOTTE, "2021-02"))
    titres = [bloc.texte.split(",")[0] for bloc in page if isinstance(bloc, blocs.Titre) and bloc.niveau == 2]
    assert titres[:3] == ["Article 3-22", "Chiffre d'affaires de référence", "Autres articles du mois"]
    autres = next(bloc for bloc in page[page.index(blocs.Titre(2, titres[2])) :] if isinstance(bloc, blocs.Points))
    assert [point.texte.split(",")[0] for point in autres.points] == ["Article 3-23", "Article 3-25", "Article 3-29"]
    resume = page[3]
    assert isinstance(resume, blocs.Points)
    assert len(resume.points) <= 4
    assert resume.points[0].texte == "Régime appliqué : annexe 1 et perte d'au moins 50 %."


def test_un_montant_cite_son_paragraphe():
    page = section(texte(explain(HOTEL_DE_MAYOTTE, "2021-02")), "Article 3-22")
    assert "*(art. 3-22, I, B et II, B)*" in page.split("### Montant de l'article")[1]


def test_les_numeros_qui_manquent_sont_ceux_des_conditions_remplies():
    page = texte(explain(HOTEL_DE_MAYOTTE, "2021-02"), autres=False).split("✗ Article 3-23")[1]
    assert "condition non remplie : 4. aucun régime renforcé de février 2021 n'est ouvert (art. 3-23, I)." in page


@pytest.mark.parametrize(
    ("valeur", "ecrite"),
    [
        (0.6, "60 %"),
        (0.6000001, "60,00001 %"),
        (0.85002, "85,002 %"),
        (0.5999999, "59,99999 %"),
        (0.49997, "49,997 %"),
        (0.79996, "79,996 %"),
    ],
)
def test_un_taux_ne_se_lit_entier_que_s_il_l_est(valeur, ecrite):
    assert ecriture.pourcentage(valeur).replace("\u00a0", " ") == ecrite


@pytest.mark.parametrize("situation", [HOTEL_DE_MAYOTTE, HOTEL_DE_MAYOTTE | {"code_naf": "69.20Z"}])
def test_sans_details_ce_qui_paie_est_le_meme(situation):
    """What the timeline asks: no condition, no step, the same amount by the same branch."""
    entiere, breve = (explain(situation, "2021-02", autres=False, details=details) for details in (True, False))
    assert (breve.montant, breve.retenu) == (entiere.montant, entiere.retenu)
    assert payeur(breve) == payeur(entiere) != ("", "")
    assert not any(un.conditions or un.calcul.etapes for un in breve.articles)


def test_sans_details_un_refus_garde_son_conseil():
    situation = HOTEL_DE_MAYOTTE | {"dettes_fiscales_ou_sociales_impayees": {"2021-02": True}}
    entiere, breve = (explain(situation, "2021-02", autres=False, details=details) for details in (True, False))
    assert plus_proche(breve).changements == plus_proche(entiere).changements
    assert [un.variable for un in plus_proche(breve).changements] == ["dettes_fiscales_ou_sociales_impayees"]
