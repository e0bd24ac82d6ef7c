"""What the second reader found once more: the head of the page, advice, citations.

The figures are worked by hand from the texts; each test says which.
"""

import pytest

from openfisca_fds_tools.explain import blocs, ecriture, explain
from openfisca_fds_tools.explain.conseils import plus_proche
from tests.tools.test_explain_relecture import ANCIENNE, article, texte, toutes

# Hotel without employee, closed in April 2020: volet 2 asks for 8 000 € of turnover (article 4, I, 2°).
HOTEL_FERME = ANCIENNE | {
    "demande_volet_2": True,
    "fds_aide_percue": {"2020-04": True},
    "effectif_salarie": {"2020-03": 0},
    "solde_tresorerie_volet_2": -7_300,
    "code_naf": "55.10Z",
    "jours_interdiction_accueil_public": {"2020-04": 30},
}
# Village grocery, first half of 2021: 8 000 € lost out of 60 000; 80 % of it, 6 400 €, are due (décret 2021-960).
EPICERIE = {
    "date_creation": "2018-12-31",
    "densite_commune": 3,
    "code_naf": "47.11B",
    "activite_secondaire": True,
    "activite_secondaire_interdite_au_public": True,
    "chiffre_affaires": {f"2019-{mois:02d}": 10_000 for mois in range(1, 7)}
    | {f"2021-{mois:02d}": 8_700 for mois in range(1, 6)}
    | {"2021-06": 8_500},
}
# Paris, October 2020, annexe 1: half of 30 000 € lost, limited to 10 000 €, less 900 € of pensions (article 3-11).
RESTAURANT = ANCIENNE | {
    "departement": "75",
    "code_naf": "56.10A",
    "chiffre_affaires": {"2019-10": 30_000, "2020-10": 15_000},
    "pensions_retraite": {"2020-10": 900},
}

ESPACES_SIMPLES = str.maketrans({ecriture.FINE: " ", ecriture.INSECABLE: " "})


def tete(explication):
    """Verdict and summary of a page, with plain spaces."""
    verdict, resume = blocs.page(explication)[2:4]
    lignes = [verdict.texte, *(point.texte for point in resume.points)]
    return [ligne.translate(ESPACES_SIMPLES) for ligne in lignes]


def cites(un_article, variable):
    return {
        reference.partition("art. ")[2]
        for une in toutes(un_article.conditions)
        for reference in une.references
        if une.variable == variable
    }


# ---- the head speaks of every aid ----

SANS_DONNEE = " Sous réserve : aucun chiffre d'affaires n'est donné pour août 2020 ni pour la référence."


def test_la_tete_conseille_le_volet_2_que_le_cas_demande():
    verdict, *resume = tete(explain(HOTEL_FERME | {"chiffre_affaires_dernier_exercice": 7_999}, "2020-08"))
    assert verdict == f"Aucune aide mensuelle (volet 1) pour ce mois, et rien au titre de l'article 4.{SANS_DONNEE}"
    conseil = resume[resume.index("Au plus près, l'un de ces changements, seul :") + 1]
    assert conseil.startswith("Par l'article 4 : chiffre d'affaires hors taxes du dernier exercice clos")
    assert conseil.endswith("il fallait au moins 8 000,00 € (écart : 1,00 €), pour 2 000,00 €.")


def test_la_tete_nomme_le_volet_2_paye_et_ce_qui_donnerait_plus():
    """Article 4: 3 500 € from 200 000 € of turnover on (II); an employee would give the whole need, 7 300 € (III)."""
    verdict, *_, unique, titre, chiffre, salarie = tete(
        explain(HOTEL_FERME | {"chiffre_affaires_dernier_exercice": 8_000}, "2020-08")
    )
    assert verdict == f"Aucune aide mensuelle (volet 1) pour ce mois.{SANS_DONNEE}"
    assert unique.startswith("En dehors de l'aide du mois : 2 000,00 € au titre de l'article 4")
    assert titre == "Davantage, par l'un de ces changements, seul :"
    assert chiffre.endswith("il fallait au moins 200 000,00 € (écart : 192 000,00 €), pour 3 500,00 €.")
    assert salarie.endswith("0 salarié, il fallait au moins 1 salarié (écart : 1 salarié), pour 7 300,00 €.")


def test_un_conseil_compte_ce_que_les_autres_textes_ne_paieraient_plus():
    """Article 3-28 would pay 1 500 €, and who is eligible to it loses the 6 400 € of the other decree: 4 900 € less."""
    explication = explain(EPICERIE, "2021-06")
    assert article(explication, "3-28").montant_si_change == 1_500
    assert article(explication, "3-28").gain_si_change == -4_900
    assert plus_proche(explication) is None
    verdict, *resume = tete(explication)
    assert verdict == "Aucune aide mensuelle (volet 1) pour ce mois."
    assert "En dehors de l'aide du mois : 6 400,00 € au titre du décret n° 2021-960 du 20 juillet 2021" in resume[0]
    assert resume[-1].startswith("Sur ces données, rien de proche n'aurait donné davantage (essayés : conditions, ")
    assert "Toutes aides comprises, l'entreprise y aurait perdu 4 900,00 €." in texte(explication)


def test_sans_demande_le_volet_2_dit_qu_elle_manque_et_ce_qu_elle_donnerait():
    situation = HOTEL_FERME | {"chiffre_affaires_dernier_exercice": 8_000, "demande_volet_2": False}
    page = texte(explain(situation, "2020-08"), autres=True).split("## Article 4,")[1]
    assert tete(explain(situation, "2020-08"))[-1] == (
        "Au plus près, par l'article 4 : demande de l'aide complémentaire (volet 2) déposée : non, il fallait oui, "
        "pour 2 000,00 €."
    )
    assert "condition non remplie : demande de l'aide complémentaire (volet 2) déposée" in page


def test_un_droit_ferme_et_sans_demande_conseille_les_deux():
    situation = HOTEL_FERME | {"chiffre_affaires_dernier_exercice": 7_999, "demande_volet_2": False}
    volet_2 = next(un for un in explain(situation, "2020-08").autres if un.variable_montant == "fds_volet_2")
    assert [un.variable for un in volet_2.changements] == ["chiffre_affaires_dernier_exercice", "demande_volet_2"]
    assert volet_2.montant_si_change == 2_000


# ---- advice ----


def test_des_jours_s_essaient_jusqu_a_ceux_du_mois():
    """Article 3-10: 333 € a day; one day adds nothing, 31 days give 10 323 − 900 = 9 423 €, more than 9 100."""
    explication = explain(RESTAURANT, "2020-10")
    fermetures = article(explication, "3-10")
    assert explication.montant == 9_100
    assert [(un.requis, un.saisie.valeur) for un in fermetures.changements] == [(31, 31)]
    assert fermetures.montant_si_change == 9_423
    assert tete(explication)[-1].startswith("Par l'article 3-10 : ")
    dit = "il fallait tout le mois (31 jours) (écart : 31 jours), pour 9 423,00 € en ne comptant aucun chiffre"
    assert dit in tete(explication)[-1]


@pytest.mark.parametrize(("pensions", "jours", "montant"), [(1_000, 4, 332), (1_900, 6, 98)])
def test_en_septembre_2020_les_jours_s_arretent_a_six(pensions, jours, montant):
    """From 25 to 30 September, 333 € a day, less the pensions: the fewest days that pay, six at most."""
    situation = ANCIENNE | {
        "departement": "75",
        "chiffre_affaires": {"2019-09": 20_000, "2020-09": 12_000},
        "pensions_retraite": {"2020-09": pensions},
    }
    fermetures = article(explain(situation, "2020-09"), "3-10")
    assert [un.requis for un in fermetures.changements] == [jours]
    assert fermetures.montant_si_change == montant


def test_un_seul_changement_dans_l_article_du_mois_passe_avant_deux_dans_un_autre():
    """March 2021: partial closure pays 1 500 €; one euro less of turnover, at 50 %, the whole loss, 6 000 €."""
    situation = ANCIENNE | {
        "code_naf": "47.71Z",
        "effectif_salarie": {"2021-03": 51},
        "jours_interdiction_accueil_public": {"2021-03": 12},
        "option_chiffre_affaires_reference": "mois_2019",
        "chiffre_affaires": {"2019-03": 12_000, "2021-03": 6_001},
    }
    explication = explain(situation, "2021-03")
    proche = plus_proche(explication)
    assert (explication.montant, proche.numero) == (1_500, "3-24")
    assert [(un.requis, un.ecart) for un in proche.changements] == [(6_000, 1)]
    assert proche.montant_si_change == 6_000


def test_une_aide_egale_a_la_perte_n_a_pas_de_seuil_a_franchir():
    """April 2021, hotel: the whole loss, 6 500 €, as at 70 % of loss, 7 000 €: a euro of aid for a euro lost."""
    situation = ANCIENNE | {
        "code_naf": "55.10Z",
        "option_chiffre_affaires_reference": "mois_2019",
        "chiffre_affaires": {"2019-04": 10_000, "2021-04": 3_500},
    }
    explication = explain(situation, "2021-04")
    assert explication.montant == 6_500
    assert plus_proche(explication) is None


def test_les_discotheques_ne_sont_dites_que_pour_elles():
    epicerie = explain(ANCIENNE | {"code_naf": "47.11B"}, "2020-08")
    assert "iscothèque" not in texte(epicerie, autres=False)
    page = texte(epicerie)
    assert page.count("iscothèque") == 1
    assert "Décret n° 2020-1049 du 14 août 2020 : n'est pas une discothèque." in page
    boite = explain(ANCIENNE | {"discotheque": True}, "2020-08")
    assert not boite.sans_objet
    assert "fds_discotheque_volet_1" in [autre.variable_montant for autre in boite.autres]


# ---- citations and labels ----


def test_l_interdiction_se_cite_dans_la_branche_ou_elle_se_lit():
    """Article 3-22: 1° for the closure of the month, 2° d) for a shop of a shopping centre."""
    situation = ANCIENNE | {
        "code_naf": "47.71Z",
        "surface_centre_commercial": 25_000,
        "chiffre_affaires": {"2019-02": 10_000, "2021-02": 3_000},
    }
    du_mois = article(explain(situation, "2021-02"), "3-22")
    assert cites(du_mois, "interdiction_sans_interruption") == {"3-22, I, A, 1°", "3-22, I, A, 2° d)"}
    centre = next(une for une in toutes(du_mois.conditions) if une.variable == "fds_regime_centre_commercial")
    (interdiction,) = (une for une in centre.sous_conditions if une.variable == "interdiction_sans_interruption")
    assert [un.partition("art. ")[2] for un in interdiction.references] == ["3-22, I, A, 2° d)"]


@pytest.mark.parametrize(
    ("mois", "attendus"), [("2021-06", {"3-28, II"}), ("2021-08", {"3-28, II", "3-28, I, A, 2° bis b)"})]
)
def test_le_2_bis_ne_se_cite_que_lorsqu_il_existe(mois, attendus):
    du_mois = article(explain(ANCIENNE | {"code_naf": "47.11B"}, mois), "3-28")
    assert cites(du_mois, "fds_territoire_confine") == attendus


def test_la_fermeture_de_juin_2021_ne_cite_pas_un_numero_inconnu():
    """Neither the sheet nor the text read tells 1° from 2°."""
    du_mois = article(explain(ANCIENNE, "2021-06"), "3-28")
    assert cites(du_mois, "fds_fermeture_continue") == {"3-28, I, A"}


@pytest.mark.parametrize(("mois", "deduit"), [("2020-03", False), ("2020-04", True)])
def test_le_libelle_de_mars_2020_ne_deduit_rien(mois, deduit):
    situation = ANCIENNE | {"chiffre_affaires": {f"2019-{mois[5:]}": 2_000}}
    page = texte(explain(situation, mois))
    assert ("diminué des pensions et indemnités" in page) == deduit
    assert "dans la limite du plafond du mois" in page


def test_une_negation_tenue_se_lit_comme_un_fait():
    assert "✓ Relève de l'une des branches du I : non" in texte(explain(ANCIENNE | {"code_naf": "47.11B"}, "2021-06"))


def test_les_citations_ne_se_coupent_pas():
    ecrite = ecriture.typographie("art. 3-28, V ; art. 1er, I, 7° ; art. 3-28, I, A, 2° bis b) et II")
    assert ecrite.replace("\u00a0", "_") == "art._3-28,_V_; art._1er,_I,_7°_; art._3-28,_I,_A,_2°_bis_b) et II"
