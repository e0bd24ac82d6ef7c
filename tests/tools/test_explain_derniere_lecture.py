"""What the last readers asked of a page: short, nothing misleading, and each advice the nearest that pays.

The figures are worked by hand from the texts; each test says which.
"""

import copy
import random
import re
from dataclasses import astuple
from io import StringIO

import numpy
import pytest
from openfisca_core import periods
from rich.console import Console

from openfisca_fds_tools.explain import blocs, explain, rendu
from openfisca_fds_tools.explain.conseils import conseils, plus_proche
from openfisca_fds_tools.explain.elements import Points, Tableau
from openfisca_fds_tools.explain.essais import Essais, _en_parts
from openfisca_fds_tools.situation import construire
from tests.tools.test_explain import MOIS, au_hasard
from tests.tools.test_explain_relecture import ANCIENNE, AUCUNE_AIDE, article, texte
from tests.tools.test_explain_troisieme_passe import EPICERIE, ESPACES_SIMPLES, HOTEL_FERME, tete

JOURS = "jours_interdiction_accueil_public"
ENTIERE = {"2021-01": 31, "2021-02": 28, "2021-03": 31, "2021-08": 31}
# March 2021, reference 10 000 €, loss of 4 999 € (49,99 %), no annexe.
CONSEIL = ANCIENNE | {"code_naf": "69.20Z", "chiffre_affaires": {"2019": 120_000, "2021-03": 5_001}}
# La Réunion, February 2021, retail: 1 500 € by article 3-22, 80 % of 14 000 € limited to 10 000 € by article 3-25.
COMMERCE_OUTRE_MER = ANCIENNE | {
    "departement": "974",
    "code_naf": "47.71Z",
    "chiffre_affaires": {"2019-02": 20_000, "2021-02": 6_000},
}


def lignes(explication, **options):
    """Lines of the page on a terminal of 80 columns."""
    console = Console(width=80, file=StringIO(), highlight=False)
    console.print(rendu.rich(blocs.page(explication, sources=False, **options), 80))
    return console.file.getvalue().split("\n")


# ---- what a closed regime misses, and what its formula would give ----


def test_un_regime_refuse_dit_tout_ce_qui_lui_manque():
    page = texte(explain(CONSEIL, "2021-03"), autres=False)
    ligne = next(une for une in page.split(" | ") if "Annexe 1 et perte" in une)
    assert "art. 3-24, I, A, 3° a)" in ligne
    assert "manque : activité principale mentionnée à l'annexe 1 ; perte de chiffre d'affaires d'au moins 50 %" in ligne


def test_un_montant_suppose_ne_suppose_pas_les_conditions_remplies():
    page = texte(explain(CONSEIL, "2021-03"))
    assert "Montant que la formule donnerait au chiffre d'affaires actuel" in page
    assert "toutes conditions remplies" not in page


@pytest.mark.parametrize(
    ("mois", "renvoi", "situation"),
    [
        ("2020-03", "art. 3", {}),
        ("2020-04", "art. 3-2", {}),
        ("2020-05", "art. 3-4", {}),
        ("2020-06", "art. 3-6", {}),
        ("2020-08", "art. 3-9", {"code_naf": "55.10Z"}),
        ("2020-11", "art. 3-14, II", {}),
        ("2021-02", "art. 3-22, I, B ; art. 3-22, II, B", {}),
    ],
)
def test_un_montant_refuse_cite_l_article_qui_le_fixe(mois, renvoi, situation):
    chiffres = {f"2019-{mois[5:]}": 10_000}
    refusee = ANCIENNE | {"chiffre_affaires": chiffres, "dettes_fiscales_ou_sociales_impayees": {mois: True}}
    page = texte(explain(refusee | situation, mois), autres=False)
    assert f"Montant que la formule donnerait au chiffre d'affaires actuel ({renvoi})" in page


# ---- advice ----


def test_un_jour_qui_manque_passe_avant_un_quart_du_chiffre_d_affaires():
    """Article 3-19, I, A, 1°: closed 30 days out of 31, reference 30 000 €; a 31st gives the loss up to 10 000 €.

    By the turnover, half of the reference must be lost, 5 000 € more, for 1 500 € (II).
    """
    situation = ANCIENNE | {
        "jours_interdiction_accueil_public": {"2021-01": 30},
        "chiffre_affaires": {"2019": 360_000, "2021-01": 20_000},
    }
    explication = explain(situation, "2021-01")
    (changement,) = plus_proche(explication).changements
    assert (changement.requis, changement.ecart) == (31, 1)
    assert plus_proche(explication).montant_si_change == 10_000


def test_des_jours_sont_les_moins_nombreux_qui_paient():
    """October 2020, article 3-10: 4 000 × n ÷ 31 passes the 2 400 € of article 3-12 at n = 19, 2 451,61 €."""
    situation = ANCIENNE | {
        "departement": "29",
        "code_naf": "55.10Z",
        "chiffre_affaires": {"2019-10": 4_000, "2020-10": 500},
    }
    explication = explain(situation, "2020-10")
    assert explication.montant == 2_400
    fermetures = article(explication, "3-10")
    assert [un.requis for un in fermetures.changements] == [19]
    assert fermetures.montant_si_change == pytest.approx(2_451.61, abs=0.005)
    assert tete(explication)[-1].endswith("pour 2 451,61 € en ne comptant aucun chiffre d'affaires ces jours-là.")


def test_un_regime_qui_ferme_le_complement_n_est_pas_donne_pour_meilleur():
    """August 2021: 1 500 € and 6 500 € of complement; closed, 20 % of 40 000 € are the same 8 000 €."""
    situation = ANCIENNE | {
        "departement": "972",
        "annexe_1": {"2021-08": True},
        "jours_confinement": {"2021-08": 31},
        "fds_aide_percue": AUCUNE_AIDE,
        "option_chiffre_affaires_reference": "mois_2019",
        "chiffre_affaires": {"2019-08": 40_000, "2021-08": 20_000},
    }
    verdict, *resume = tete(explain(situation, "2021-08"))
    assert verdict.startswith("Aide du mois : 8 000,00 €, soit 1 500,00 € au titre de l'article 3-28 et 6 500,00 € de")
    assert resume[-1].startswith("Sur ces données, rien de proche n'aurait donné davantage")


@pytest.mark.parametrize("pension", [0, 800])
def test_un_regime_ferme_se_compare_apres_deduction(pension):
    """Closed, article 3-22 would give 10 000 € too, less the same pension: only a pension less gives more."""
    explication = explain(COMMERCE_OUTRE_MER | {"pensions_retraite": {"2021-02": pension}}, "2021-02")
    assert explication.montant == 10_000 - pension
    assert [(un.numero, un.changements[0].variable) for un in explication.leviers] == (
        [("3-25", "pensions_retraite")] if pension else []
    )
    assert not any("aurait donné davantage, " in ligne for ligne in tete(explication))


def test_deux_articles_aussi_proches_sont_nommes_tous_deux():
    """Without its debt, the shop has 1 500 € by article 3-22, 10 000 € by article 3-25."""
    situation = COMMERCE_OUTRE_MER | {"dettes_fiscales_ou_sociales_impayees": {"2021-02": True}}
    explication = explain(situation, "2021-02")
    assert [un.numero for un in conseils(explication)[0]] == ["3-25", "3-22"]
    conseil = tete(explication)[-1]
    assert conseil.startswith("Au plus près, par l'article 3-25 : ")
    assert conseil.endswith(", pour 10 000,00 € (de même par l'article 3-22, 1 500,00 €).")


def test_une_autre_activite_n_est_pas_un_conseil():
    """An accountant refused by a debt is told the debt; paid, no other activity is advised."""
    (changement,) = plus_proche(explain(CONSEIL, "2021-03")).changements
    assert changement.variable == "chiffre_affaires"
    payee = CONSEIL | {"chiffre_affaires": {"2019": 120_000, "2021-03": 4_000}}
    assert explain(payee, "2021-03").montant == 1_500
    assert [un.variable for un in plus_proche(explain(payee, "2021-03")).changements] == [JOURS]
    refusee = ANCIENNE | {"liquidation_judiciaire_au_1er_mars_2020": True, "chiffre_affaires": {"2019-04": 5_000}}
    assert tete(explain(refusee, "2020-04"))[-1].startswith("Rien n'ouvrait de droit à une telle entreprise ; une")


def test_d_une_aide_anterieure_tous_les_mois_sont_dits():
    """Article 3-28, I, A, 3°: the aid of April or of May 2021."""
    situation = ANCIENNE | {
        "code_naf": "56.30Z",
        "fds_aide_percue": AUCUNE_AIDE,
        "chiffre_affaires": {"2019": 600_000, "2021-08": 20_000},
    }
    dite = "aide du volet 1 reçue, avril 2021 ou mai 2021 : non, il fallait oui"
    assert dite in " ".join(tete(explain(situation, "2021-08")))


@pytest.mark.parametrize("graine", range(4))
def test_chaque_conseil_est_le_plus_petit_de_son_genre(systeme, graine):
    """A day less opens no more than what is paid, and nobody who is paid is told to be another enterprise."""
    hasard = random.Random(300 + graine)
    situation = {"entreprises": {"a": au_hasard(hasard)}}
    simulation = construire(systeme, situation)
    for mois in hasard.sample(MOIS, 6):
        explication = explain(simulation, mois)
        proche = plus_proche(explication)
        if proche is None:
            continue
        assert explication.montant == 0 or not any(un.activite for un in proche.changements)
        for jours in (un for un in proche.changements if un.unite == "jour" and un.ecart and un.ecart > 1):
            if isinstance(jours.actuel, str):
                continue
            moins = copy.deepcopy(situation)
            for un in proche.changements:
                valeur = un.saisie.valeur - (un is jours)
                donnees = moins["entreprises"]["a"]
                periode = un.saisie.periode or "ETERNITY"
                ancien = donnees.get(un.saisie.variable)
                donnees[un.saisie.variable] = (dict(ancien) if isinstance(ancien, dict) else {}) | {periode: valeur}
            assert construire(systeme, moins).calculate(proche.variable_montant, mois)[0] <= explication.montant


JOURS_DE_MESURES = (JOURS, "jours_confinement", "jours_couvre_feu_ou_confinement")


def seul(simulation, mois, variable, valeurs):
    """Aid of the month when one input alone takes each of several values."""
    essais = Essais(simulation, 0, len(valeurs))
    essais.donner(variable, periods.period(mois), list(valeurs))
    return essais.calculer("fonds_de_solidarite", periods.period(mois))


@pytest.mark.parametrize("graine", range(3))
def test_aucun_changement_fait_seul_n_est_oublie(systeme, graine):
    """Every day more, and turnovers down to nothing, are tried on the model: the first that pays more is told."""
    hasard = random.Random(700 + graine)
    simulation = construire(systeme, {"entreprises": {"a": au_hasard(hasard)}})
    for mois in hasard.sample(MOIS, 4):
        explication, period = explain(simulation, mois), periods.period(mois)
        dits = {(un.variable, un.periode): un.saisie.valeur for une in explication.leviers for un in une.changements}
        for variable in JOURS_DE_MESURES:
            tous = 6 if mois == "2020-09" else period.size_in_days
            de_plus = numpy.arange(simulation.calculate(variable, period)[0] + 1, tous + 1)
            if len(de_plus):
                payants = de_plus[seul(simulation, mois, variable, de_plus) >= explication.montant + 0.01]
                assert dits.get((variable, mois)) == (payants[0] if len(payants) else None), (mois, variable)
        chiffre = simulation.calculate("chiffre_affaires", period)[0]
        moins = numpy.round(numpy.linspace(0, chiffre, 300), 2)[:-1]
        gains = seul(simulation, mois, "chiffre_affaires", moins) - explication.montant
        payants = moins[gains > (chiffre - moins + 0.01 if explication.montant else 1)]
        if chiffre and len(payants):
            assert dits[("chiffre_affaires", mois)] >= payants[-1] - 0.01 or explication.montant == 0, mois
            assert any(un.changements[0].variable == "chiffre_affaires" for un in explication.leviers), mois


def test_chaque_changement_qui_paierait_seul_est_dit():
    """November 2020, 3-14 asks a loss of 50 % of 10 000 €, or a closure: 5 001 € is one euro, or one day, too much."""
    situation = ANCIENNE | {"chiffre_affaires": {"2019": 120_000, "2020-11": 5_001}}
    titre, *leviers = tete(explain(situation, "2020-11"))[2:]
    assert titre == "Au plus près, l'un de ces changements, seul :"
    assert [ligne.partition(" : ")[0] for ligne in leviers] == ["Par l'article 3-14"] * 2
    assert "il fallait au plus 5 000,00 € (écart : 1,00 €), pour 1 500,00 €." in leviers[0]
    assert "il fallait au moins 1 jour (écart : 1 jour), pour 4 999,00 €." in leviers[1]


def test_une_deduction_laisse_chercher_le_premier_euro():
    """March 2021, closed: 3-24 gives the loss, less the pension of 1 600 €, above half of the reference."""
    situation = ANCIENNE | {
        JOURS: {"2021-03": 21},
        "pensions_retraite": {"2021-03": 1_600},
        "chiffre_affaires": {"2019": 24_000, "2021-03": 2_000},
    }
    levier = explain(situation, "2021-03").leviers[0]
    assert (levier.changements[0].requis, levier.montant_si_change) == (399, 1)  # 2 000 − 399 − 1 600


def test_une_fermeture_d_activite_secondaire_est_une_mesure():
    """Décret n° 2021-960, art. 1er, I, 4°: a closure that the State orders, not another enterprise."""
    situation = EPICERIE | {"activite_secondaire_interdite_au_public": False}
    conseil = next(un for un in tete(explain(situation, "2021-06")) if "activité secondaire interdite" in un)
    assert "une autre entreprise" not in conseil


def test_une_autre_date_de_creation_est_une_autre_entreprise():
    """Article 3-8: begun before 10 March 2020; nobody changes it."""
    situation = {"date_creation": "2020-03-11", "chiffre_affaires": {"2020-03": 5_000, "2020-08": 0}}
    conseil = next(
        un for un in tete(explain(situation | {"annexe_1": {"2020-08": True}}, "2020-08")) if "avant le" in un
    )
    assert conseil.startswith("Rien n'ouvrait de droit à une telle entreprise ; une autre en aurait eu un, ")


@pytest.mark.parametrize("donnee", [{}, {"annexe_1": {"2021-03": False}}])
def test_un_secteur_donne_n_est_pas_un_conseil(donnee):
    """March 2021, 51 employees: one less, or one day of closure; annexe 1 would be another enterprise, given or not."""
    chiffres = {"2019-03": 10_000, "2021-03": 5_000}
    situation = {"code_naf": "69.20Z", "effectif_salarie": 51, "chiffre_affaires": chiffres} | donnee
    explication = explain(situation | {"option_chiffre_affaires_reference": "mois_2019"}, "2021-03")
    assert [un.changements[0].variable for un in explication.leviers] == ["effectif_groupe", JOURS]


def test_un_seuil_qui_se_multiplie_dit_par_quoi():
    """Article 3-5, 3°: 60 000 €, doubled with a spouse who works in the enterprise."""
    situation = ANCIENNE | {
        "benefice_imposable_dernier_exercice": 60_001,
        "chiffre_affaires": {"2019-06": 6_000, "2020-06": 3_000},
    }
    explication = explain(situation, "2020-06")
    trouves = [
        (un.changements[0].variable, un.changements[0].requis, un.montant_si_change) for un in explication.leviers
    ]
    assert trouves == [
        ("benefice_imposable_dernier_exercice", 60_000, 1_500),
        ("nombre_conjoints_collaborateurs", 1, 1_500),
    ]
    assert "[Nombre de conjoints collaborateurs : 0 (par défaut)]" in texte(explication)


# ---- what a page must not leave out ----


def test_trop_de_jours_en_septembre_2020_se_dit():
    """Article 3-10 counts the days from 25 to 30 September: six at most."""
    situation = ANCIENNE | {"chiffre_affaires": {"2019-09": 9_990, "2020-09": 0}}
    jours = {"jours_interdiction_accueil_public": {"2020-09": 30}}
    assert any("du 25 au 30 seulement : 30 jours donnés" in un for un in tete(explain(situation | jours, "2020-09")))
    jours = {"jours_interdiction_accueil_public": {"2020-09": 6}}
    assert not any("donnés" in ligne for ligne in tete(explain(situation | jours, "2020-09")))


@pytest.mark.parametrize(("mois", "articles"), [("2020-04", "3-1 et 3-2"), ("2020-08", "3-8 et 3-9")])
def test_la_declaration_sur_les_dettes_cite_les_deux_articles(mois, articles):
    dettes = [un for un in article(explain(ANCIENNE, mois), articles[:3]).conditions if "dette" in un.libelle]
    assert [un.references[0].partition("art. ")[2] for un in dettes] == [articles]


@pytest.mark.parametrize(("annexe", "plafond"), [(True, 20), (False, 10)])
def test_un_seuil_dit_ce_dont_il_depend(annexe, plafond):
    """Article 3-3, 7°: 20 employees in annexe 1, 10 elsewhere."""
    situation = ANCIENNE | {"annexe_1": {"2020-05": annexe}, "chiffre_affaires": {"2019-05": 6_000}}
    page = texte(explain(situation, "2020-05"))
    depend = f"au plus {plafond} salariés [Activité de l'annexe 1, ou de l'annexe 2 avec la condition de pertes passées"
    assert f"{depend} : {'oui' if annexe else 'non'}]" in page


def test_une_aide_anterieure_calculee_le_dit():
    """April 2021 is not given: the right to article 3-28 rests on a turnover by default."""
    situation = ANCIENNE | {"code_naf": "56.30Z", "chiffre_affaires": {"2019": 120_000, "2021-08": 4_000}}
    assert "Aide du volet 1 reçue, avril 2021 : oui, calculé pour avril 2021 (chiffre d'affaires par défaut)" in texte(
        explain(situation, "2021-08")
    )
    refusee = situation | {"chiffre_affaires": {"2019": 120_000, "2021-04": 9_000, "2021-05": 9_000, "2021-08": 4_000}}
    dite = "avril 2021 ou mai 2021 : non, selon les données de ces mois, il fallait oui"
    assert dite in " ".join(tete(explain(refusee, "2021-08")))
    donnee = situation | {"chiffre_affaires": {"2019": 120_000, "2021-04": 4_000, "2021-08": 4_000}}
    assert "avril 2021 : oui, calculé pour avril 2021 (voir ce mois)" in texte(explain(donnee, "2021-08"))


def test_la_reference_propre_a_un_article_est_dite():
    """Article 3-23: the mean of 2019 alone, 6 000 €, whatever the option; the general reference is null."""
    situation = {
        "departement": "976",
        "chiffre_affaires": {"2019-01": 72_000, "2021-02": 2_000},
        "option_chiffre_affaires_reference": "mois_2019",
    }
    assert (
        "Chiffre d'affaires de référence de l'aide de Mayotte : 6 000,00 €, au lieu de la référence générale"
        in tete(explain(situation, "2021-02"))[1]
    )


def test_une_perte_hors_ventes_a_distance_montre_ces_ventes():
    situation = ANCIENNE | {
        "jours_interdiction_accueil_public": ENTIERE,
        "chiffre_affaires": {"2019": 120_000, "2021-02": 4_000},
    }
    page = texte(explain(situation, "2021-02"))
    assert (
        "[Chiffre d'affaires des ventes à distance, avec retrait ou livraison, et à emporter : 0,00 € (par déf" in page
    )


def test_la_reference_cite_son_article():
    page = texte(explain(CONSEIL, "2021-03"), autres=False).split("## Chiffre d'affaires de référence")[1]
    assert "*(art. 3-24, IV)*" in page.split(" - ")[1]


def test_un_droit_donne_se_dit_sans_ses_conditions():
    """A right given by the case against its formula has no condition to tell, and no regime need be open."""
    ferme = explain(COMMERCE_OUTRE_MER | {"fds_article_3_22_eligible": {"2021-02": False}}, "2021-02")
    assert ferme.montant == 10_000
    assert "condition non remplie : le droit lui-même, donné fermé." in texte(ferme, autres=False)
    ouvert = explain(CONSEIL | {"fds_article_3_24_eligible": {"2021-03": True}}, "2021-03")
    assert (ouvert.montant, article(ouvert, "3-24").eligible) == (0, True)
    assert "les conditions de l'article 3-24 sont remplies, mais le montant est nul" in tete(ouvert)[0]


def test_l_effectif_d_un_groupe_n_est_par_defaut_que_si_personne_ne_le_donne():
    seule = explain(COMMERCE_OUTRE_MER, "2021-02")
    assert "Effectif du groupe inférieur ou égal au plafond du mois : 0 salarié (par défaut)" in texte(seule)
    membres = {"a": COMMERCE_OUTRE_MER, "b": {"effectif_salarie": {"2021-02": 3}}}
    situation = {"entreprises": membres, "groupes": {"g": {"membres": ["a", "b"]}}}
    page = texte(explain(situation, "2021-02", "a"))
    assert "Effectif du groupe inférieur ou égal au plafond du mois : 3 salariés ;" in page


def test_deux_articles_de_meme_montant_ne_s_ajoutent_rien():
    """December 2020, ski shop: 10 000 € by article 3-16 as by article 3-18, and the first is the one that pays."""
    situation = ANCIENNE | {
        "code_naf": "47.64Z",
        "commune_annexe_3": True,
        "chiffre_affaires": {"2019-12": 25_000, "2020-12": 5_000},
    }
    page = texte(explain(situation, "2020-12"), autres=False)
    assert "3-16 (10 000,00 €) ; 3-18 (10 000,00 €). L'aide du mois est la plus élevée. " in page
    assert "au titre de l'article 3-16" in page


def test_un_forfait_n_est_pas_egal_a_lui_meme():
    """Article 4, II: 2 000 € below 200 000 € of turnover, whatever the need."""
    situation = ANCIENNE | {
        "demande_volet_2": True,
        "fds_aide_percue": {"2020-04": True},
        "effectif_salarie": {"2020-03": 1},
        "chiffre_affaires_dernier_exercice": 150_000,
        "solde_tresorerie_volet_2": -900,
    }
    page = texte(explain(situation, "2020-08"), autres=False)
    assert "2 000,00 € (montant fixe) [A clos au moins un exercice : oui] [Chiffre d'affaires hors taxes du der" in page


# ---- words ----

FAUTES_DE_SENS = [
    r"\([^()]{12,} : (oui|non) ; attendu : (oui|non)\)",  # the contrary of its own name
    r"montant brut",
    r"et non le même",
    r"au plus 0\b",
    r"il fallait (hors|dans)",
    r"avant le (\d+ \w+ \d{4}) : [^;]{0,60}; attendu : avant le \1",
    r"(janvier|février|mars|avril|mai) 2021, \1 2021",
    r"régime fermé",
]


@pytest.mark.parametrize("graine", range(4))
def test_le_sens_de_chaque_page(systeme, graine):
    hasard = random.Random(500 + graine)
    simulation = construire(systeme, {"entreprises": {"a": au_hasard(hasard)}})
    for mois in hasard.sample(MOIS, 4):
        page = rendu.markdown(blocs.page(explain(simulation, mois), autres=True)).replace("\u00a0", " ")
        for faute in FAUTES_DE_SENS:
            trouvee = re.search(faute, page)
            assert not trouvee, (mois, faute, page[max(0, trouvee.start() - 60) : trouvee.end() + 20])


# ---- length ----


@pytest.mark.parametrize("situation", [CONSEIL, COMMERCE_OUTRE_MER | {"code_naf": "55.10Z"}])
def test_la_reponse_tient_dans_le_premier_ecran(situation):
    """Verdict, figures and the article in twenty-four lines; the whole page is half of the full one."""
    mois = "2021-03" if situation is CONSEIL else "2021-02"
    explication = explain(situation, mois)
    breve, entiere = lignes(explication), lignes(explication, autres=True)
    assert any(ligne.startswith("Article 3-2") for ligne in breve[:14])
    assert any(ligne.startswith(("Montant", "Conditions")) for ligne in breve[:24])
    assert len(breve) < 100
    assert 2 * len(breve) < len(entiere)


# ---- what a reader beside the texts found wrong, or misleading ----

# November 2020, annexe 2, no turnover of the first confinement given: the loss of 80 % is met by default.
TROP_DE_SALARIES = ANCIENNE | {
    "annexe_2": {"2020-11": True},
    "effectif_salarie": {"2020-11": 70},
    "chiffre_affaires": {"2019-11": 30_000, "2020-11": 12_000},
}
# Guyane, July 2020, annexe 2, 20 employees; loss of 79,99 % of 10 000 € from 15 March to 15 May: one euro short.
VINGT_SALARIES = ANCIENNE | {
    "departement": "973",
    "annexe_2": {"2020-07": True},
    "effectif_salarie": {"2020-07": 20},
    "chiffre_affaires_premier_confinement": 2_001,
    "chiffre_affaires": {"2019-04": 10_000, "2019-07": 12_000, "2020-07": 6_000},
}
EPICERIE_HORS_DE_FRANCE = ANCIENNE | {
    "residence_fiscale_francaise": False,
    "densite_commune": 3,
    "code_naf": "47.11B",
    "activite_secondaire": True,
    "activite_secondaire_interdite_au_public": True,
    "chiffre_affaires": {f"2019-{mois:02d}": 10_000 for mois in range(1, 7)}
    | {f"2021-{mois:02d}": 8_000 for mois in range(1, 7)},
}


@pytest.mark.parametrize(
    ("mois", "creation", "dites"),
    [  # article 3-1, 2°: 1 April 2019 at the latest; 3-3, 2°: before 1 May; 3-5, 2°: before 1 June
        ("2020-04", "2019-04-01", "Référence de 2019 (créée avant le 2 avril 2019)"),
        ("2020-05", "2019-04-30", "Référence de 2019 (créée avant le 1er mai 2019)"),
        ("2020-06", "2019-06-01", "au 29 février 2020 (créée du 1er juin 2019 au 31 janvier 2020)"),
        ("2021-02", "2020-11-15", "Aucune référence (créée à partir du 1er novembre 2020)"),
    ],
)
def test_une_tranche_de_creation_dit_les_dates_de_son_mois(mois, creation, dites):
    situation = {"date_creation": creation, "chiffre_affaires": {"2019": 120_000, "2020-01": 9_000}}
    assert dites in texte(explain(situation, mois), autres=False)


def test_ce_qui_est_suppose_n_est_pas_dit_rempli():
    """Article 3-8, 7°: 20 employees if 6° bis is met, which it is not."""
    conditions = article(explain(VINGT_SALARIES, "2020-07"), "3-8").conditions
    (effectif,) = [une for une in conditions if une.variable == "fds_effectif_sous_plafond"]
    assert [un.valeur for un in effectif.constats] == ["supposée remplie"]


def test_le_plus_proche_peut_deplacer_le_seuil():
    """Article 3-7, I, 7°: one euro less of the first confinement opens 20 employees, where ten must leave otherwise."""
    explication = explain(VINGT_SALARIES, "2020-07")
    (changement,) = article(explication, "3-7").changements
    assert (changement.variable, changement.ecart) == ("chiffre_affaires_premier_confinement", 1)
    assert article(explication, "3-7").montant_si_change == 3_000


def test_une_interdiction_donnee_ne_repose_sur_aucun_chiffre_d_affaires():
    situation = HOTEL_FERME | {"chiffre_affaires_dernier_exercice": 30_000}
    assert re.search(
        r"Interdiction d'accueil du public au cours du mois, avril 2020 : oui (?!, calc)",
        texte(explain(situation, "2020-08")),
    )


def test_une_autre_activite_se_dit_sans_etre_proposee():
    """September 2020, article 3-10: 600 €; article 3-8 would pay 1 500 € in annexe 1, 3-7 3 000 € in Guyane."""
    situation = ANCIENNE | {
        "jours_interdiction_accueil_public": {"2020-09": 6},
        "chiffre_affaires": {"2019-09": 3_000},
    }
    explication = explain(situation, "2020-09")
    assert explication.montant == 600
    page = texte(explication, autres=False)
    assert "non proposés : une autre activité, un autre lieu, une autre forme, une autre date de création" in page
    autre = "Non proposé, car ce serait une autre entreprise"
    assert f"{autre} (activité principale mentionnée à l'annexe 1 : oui), pour 1 500" in page
    en_entier = texte(explication)
    assert "Au plus près : activité" not in en_entier
    assert "Non proposé, car ce serait une autre entreprise : domiciliée en Guyane ou à Mayotte : non" in en_entier


def test_une_somme_deduite_dit_ce_que_l_aide_serait_sans_elle():
    """Article 3-2: pensions of 1 500 € open the right and take all of the limit; 500 € leave it the loss of 1 000 €."""
    situation = ANCIENNE | {"pensions_retraite": {"2020-04": 1_600}, "chiffre_affaires": {"2019-04": 1_000}}
    dit = "pensions de retraite du dirigeant : 1 600,00 €, que l'aide déduit de sa limite ; à 500,00 € ou moins"
    assert tete(explain(situation, "2020-04"))[-1] == f"Au plus près, par l'article 3-1 : {dit}, 1 000,00 €."
    assert "le droit s'ouvre sans rien donner" not in texte(explain(situation, "2020-04"), autres=False)


@pytest.mark.parametrize("mois", ["2020-12", "2021-02", "2021-05", "2021-06", "2021-10"])
def test_le_tableau_annonce_existe(mois):
    """Without any reference no regime gives a cent: the table is there all the same, with what each one misses."""
    explication = explain({"date_creation": "2015-01-01", "chiffre_affaires": {mois: 0}}, mois)
    page = blocs.page(explication, sources=False)
    annonces = [un for bloc in page if isinstance(bloc, Points) for un in bloc.points if "tableau plus bas" in un.texte]
    (tableau,) = [bloc for bloc in page if isinstance(bloc, Tableau)]
    assert annonces
    assert all(" — manque : " in nom for nom, *_ in tableau.lignes)


def test_un_regime_nul_dit_ce_qui_lui_manque():
    """June 2021, annexe 1, rise of turnover: the loss of 10 % is what the sector misses (article 3-28, I, A, 3°)."""
    situation = ANCIENNE | {
        "code_naf": "56.30Z",
        "fds_aide_percue": {"2021-04": True},
        "chiffre_affaires": {"2019": 12_000, "2021-06": 1_200},
    }
    page = texte(explain(situation, "2021-06"), autres=False)
    manque = "manque : perte de chiffre d'affaires d'au moins 10 % : chiffre d'affaires en hausse"
    assert f"(art. 3-28, I, A, 3°) — {manque}" in page


def test_un_article_refuse_dit_l_etat_de_chaque_regime():
    """Article 3-14 refused by its 5°: annexe 2 alone is open, on a loss that nobody gave."""
    page = blocs.page(explain(TROP_DE_SALARIES, "2020-11"), sources=False)
    (tableau,) = [bloc for bloc in page if isinstance(bloc, Tableau)]
    etats = {nom[:8]: (nom.partition(" — ")[2].replace("\u00a0", " "), etat) for nom, etat, _ in tableau.lignes}
    assert etats["Interdic"] == (
        "manque : jours du mois sous interdiction d'accueil du public : 0 jour (par défaut) ; attendu : au moins "
        "1 jour ; écart : 1 jour",
        "non ouvert",
    )
    annexe_1 = "manque : activité principale mentionnée à l'annexe 1 : non (par défaut)"
    assert etats["Annexe 1"] == (annexe_1, "non ouvert")
    raison, etat = etats["Annexe 2"]
    assert etat == "paierait"
    assert "perte d'au moins 80 % du 15 mars au 15 mai 2020" in raison
    assert raison.endswith("par défaut)")


def test_un_montant_refuse_donne_ses_sources():
    seuils = texte(explain(TROP_DE_SALARIES, "2020-11")).partition("Seuils et montants du texte")[2]
    assert "10 000,00 € (source secondaire)" in seuils
    assert re.search(r"15 mai 2020 : 80 % \(source secondaire\) \*\([^;]*art\. 3-14, II", seuils)


def test_l_aide_d_un_semestre_ne_montre_pas_le_mois():
    """Décret n° 2021-960, art. 2: 80 % of 12 000 €, limited to 8 000 €, refused for want of residence."""
    page = texte(explain(EPICERIE_HORS_DE_FRANCE, "2021-06"), autres=False)
    assert page.startswith("# Fonds de solidarité et aides voisines, juin 2021")
    assert "Aucune aide mensuelle (volet 1) pour ce mois, et rien au titre du décret n° 2021-960" in page
    assert "référence du mois" not in page
    assert "## Chiffre d'affaires de référence" not in page
    seuils = page.partition("Seuils et montants du texte")[2]
    assert all(
        seuil in seuils
        for seuil in (" : 10 % (texte", " : 80 % (texte", "8 000,00 € (texte", "31 décembre 2020 (texte")
    )
    assert "art. 3-28" not in seuils


def test_chaque_article_dit_combien_son_seuil_est_connu():
    """The profit of 60 000 €: read for article 3-7 in the official text, in a secondary source for 3-8."""
    riche = VINGT_SALARIES | {"benefice_imposable_dernier_exercice": 60_001}
    seuils = texte(explain(riche, "2020-07")).partition("Seuils et montants du texte")[2]
    ligne = next(une for une in seuils.split(" - ") if "60 000,00 €" in une)
    assert re.search(r"60 000,00 € \*\(Décret [^;]*art\. 3-7, I, 3°[^;]*\) : texte officiel lu ; art\. 3-8", ligne)
    assert ligne.rstrip().endswith(" : source secondaire)*")


def test_septembre_2020_dit_la_saisie_et_non_le_texte():
    """Article 3-7, I, 1° is for the whole month; only the days from 25 to 30 are given."""
    page = texte(explain(ANCIENNE | {"jours_interdiction_accueil_public": {"2020-09": 6}}, "2020-09"))
    assert "Interdiction d'accueil du public au cours du mois, saisie du 25 au 30 seulement : 6 jours" in page


# ---- and what they stumbled on ----


def test_un_jour_d_activite_se_dit():
    """Created on 29 February 2020: 100 € × 29 days ÷ 1 day."""
    situation = {"date_creation": "2020-02-29", "chiffre_affaires": {"2020-02": 100}}
    assert " × 29 jours ÷ 1 jour [" in texte(explain(situation, "2020-12"), autres=False)


def test_ce_qui_est_donne_passe_avant_ce_qui_est_par_defaut():
    """Article 3-3, 3°: created on 1 March 2020, the profit is without object (and not 0 € by default)."""
    situation = {"date_creation": "2020-03-01", "chiffre_affaires_jusqu_au_15_mars_2020": 5_000}
    benefice = next(ligne for ligne in texte(explain(situation, "2020-05")).split(" - ✓ ") if "sans objet" in ligne)
    assert benefice.startswith("Créée depuis le 1er mars 2020 : condition de bénéfice sans objet")


def test_deux_lignes_egales_n_expliquent_pas_l_aide():
    """November 2020, two firms, one aid each of 10 000 €, no ceiling that cuts: nothing lies between both."""
    membre = ANCIENNE | {
        "jours_interdiction_accueil_public": {"2020-11": 30},
        "chiffre_affaires": {"2019-11": 20_000, "2020-11": 0},
    }
    situation = {"entreprises": {"a": membre, "b": membre}, "groupes": {"g": {"membres": ["a", "b"]}}}
    explication = explain(situation, "2020-11", "a")
    assert explication.montant == 10_000
    assert "Du montant de l'article à l'aide du mois" not in texte(explication)


def test_une_citation_ne_se_coupe_pas_en_html():
    html = rendu.html(blocs.page(explain(CONSEIL, "2021-03")), "essai")
    assert "art.\u00a03\u201124,\u00a0I,\u00a0A<" in html


def test_une_egalite_entre_les_options_se_dit():
    """C2: the mean of 2019 and February 2019 are both 10 000 €: the month of 2019."""
    page = texte(explain(ANCIENNE | {"chiffre_affaires": {"2019": 120_000, "2021-08": 4_000}}, "2021-08"), autres=False)
    assert (
        "février 2019, 10 000,00 €, à égalité le mois de 2019) ; le texte reprend celle d'une demande antérieure"
        in page
    )


def test_une_annee_se_compare_a_douze_fois_la_moyenne():
    """Created in 2019: twelve times the mean of 2019 against the year 2020."""
    page = texte(explain({"date_creation": "2019-03-01", "annexe_2": {"2021-02": True}}, "2021-02"))
    assert "12 × chiffre d'affaires mensuel moyen de 2019 moins chiffre d'affaires de janvier 2020 à décembre" in page


def test_des_chiffres_deja_dits_y_renvoient():
    """October 2021, loss of 999 € out of 2 000: the two regimes that ask for 50 % miss the same euro."""
    chiffres = {"2019-10": 2_000, "2021-10": 1_001}
    situation = ANCIENNE | {"jours_confinement": {"2021-10": 8}, "chiffre_affaires": chiffres}
    page = texte(explain(situation | {"option_chiffre_affaires_reference": "mois_2019"}, "2021-10"), autres=False)
    assert page.partition("ce qui lui manque")[2].count("écart : 1,00 €") == 1
    assert "manque : perte de chiffre d'affaires d'au moins 50 % (ci-dessus)" in page


# ---- what a page let believe ----

# January 2021, annexe 2, half lost: 1 500 € by II; with the past losses, 80 % of 5 000 €, so 4 000 € by I, A, 2° b).
SANS_PERTES_PASSEES = ANCIENNE | {
    "annexe_2": {"2021-01": True},
    "chiffre_affaires_premier_confinement": 999_999,
    "jours_interdiction_accueil_public": {"2020-11": 30},
    "chiffre_affaires": {"2019": 120_000, "2020-01": 117_000, "2020-11": 3_000, "2021-01": 5_000},
}


def test_la_montagne_demande_une_activite_hors_des_annexes():
    """3-19, I, A, 2° c): for what is in neither annexe; an enterprise of annexe 2 is not told to enter it."""
    page = texte(explain(SANS_PERTES_PASSEES, "2021-01"), autres=False)
    assert "domiciliée dans une commune de l'annexe 3 ; activité hors des annexes 1 et 2 |" in page
    assert "(secteurs S1 bis) : non" not in page


def test_une_condition_contraire_dit_ce_qu_elle_attendait():
    """3-28, II is for those that I does not help; unpaid debts close both."""
    refusee = ANCIENNE | {
        "departement": "972",
        "annexe_1": {"2021-08": True},
        "fds_aide_percue": {"2021-04": True},
        "jours_confinement": {"2021-08": 31},
        "dettes_fiscales_ou_sociales_impayees": {"2021-08": True},
        "chiffre_affaires": {"2019": 120_000, "2021-08": 2_000},
    }
    page = texte(explain(refusee, "2021-08"), autres=False)
    assert "manque : relève de l'une des branches du I : oui, il fallait non" in page


def test_de_plusieurs_pertes_passees_la_plus_proche_en_euros():
    """November asks for 80 % of 10 000 €: 1 000 € are missing; the year 2020 for 10 % of 120 000 €: 12 000 €."""
    explication = explain(SANS_PERTES_PASSEES, "2021-01")
    (conseil,) = article(explication, "3-19").changements
    assert (conseil.periode, conseil.requis, conseil.ecart) == ("2020-11", 2_000, 1_000)
    page = texte(explication, autres=False)
    assert "secteurs de l'annexe 2 (au plus près, perte d'au moins 80 % en novembre 2020 : 70 %" in page


def test_novembre_est_dans_la_moyenne_qui_sert_a_le_comparer():
    """3-15, A: the mean holds November 2020, (90 000 + x) ÷ 23; x is 20 % of it at 18 000 ÷ 22,8 = 789,47 €."""

    def un_mois(novembre):
        chiffres = {"2019-12": 90_000, "2020-11": novembre, "2020-12": 20_000}
        debut = {"date_debut_activite": "2020-09-29", "code_naf": "46.34Z", "effectif_salarie": 120}
        return explain(ANCIENNE | debut | {"chiffre_affaires": chiffres}, "2020-12")

    explication = un_mois(1_000)
    assert explication.montant == 0
    (conseil,) = plus_proche(explication).changements
    assert (conseil.periode, conseil.requis) == ("2020-11", 789.47)
    assert un_mois(789.47).montant == plus_proche(explication).aide_si_change == 18_000
    assert un_mois(790).montant == 0


@pytest.mark.parametrize(
    ("mois", "donnees", "aide", "pente"),
    [  # what a euro less adds, up to what aid, at what turnover, and the aid just below
        # 3-6: the loss up to 1 500 €, reached when 500 € are left of 2 000 €
        ("2020-06", {"chiffre_affaires": {"2019": 24_000, "2020-06": 1_000}}, 1_000, (1, 1_500, 500, 1_500)),
        (  # pensions are taken off that ceiling
            "2020-06",
            {"chiffre_affaires": {"2019": 24_000, "2020-06": 900}, "pensions_retraite": {"2020-06": 200}},
            1_100,
            (1, 1_300, 700, 1_300),
        ),
        ("2020-06", {"chiffre_affaires": {"2019": 24_000, "2020-06": 500}}, 1_500, None),  # at the ceiling
        ("2020-06", {"chiffre_affaires": {"2019": 9_600, "2020-06": 0}}, 800, None),  # nothing is left to lose
        (  # 3-14, I: the loss up to 10 000 €, all of a reference of 2 000 €
            "2020-11",
            {"annexe_1": {"2020-11": True}, "chiffre_affaires": {"2019": 24_000, "2020-11": 1_000}},
            1_000,
            (1, 2_000, 0, 2_000),
        ),
        (  # 3-22: 80 % of a loss of 6 000 €, then of 10 000 €
            "2021-02",
            {"code_naf": "47.71Z", "departement": "974", "chiffre_affaires": {"2019": 120_000, "2021-02": 4_000}},
            4_800,
            (0.8, 8_000, 0, 8_000),
        ),
        (  # 3-28, June 2021: 40 % of the loss, up to 20 % of 50 000 €, reached at 25 000 € and not a cent under
            "2021-06",
            {
                "code_naf": "56.30Z",
                "fds_aide_percue": {"2021-04": True},
                "chiffre_affaires": {"2019": 600_000, "2021-06": 30_000},
            },
            8_000,
            (0.4, 10_000, 25_000, 10_000),
        ),
        (  # 3-28, I, A, 3°, September 2021: 20 % of the loss, and no aid under 15 % of the reference
            "2021-09",
            {
                "code_naf": "56.30Z",
                "fds_aide_percue": {"2021-04": True},
                "chiffre_affaires": {"2019": 600_000, "2021-09": 30_000},
            },
            4_000,
            (0.2, 8_500, 7_500, 0),
        ),
    ],
)
def test_une_aide_qui_suit_la_perte_dit_jusqu_ou(mois, donnees, aide, pente):
    explication = explain(ANCIENNE | donnees, mois)
    trouvee = explication.pente and tuple(round(un, 2) for un in astuple(explication.pente))
    assert (round(explication.montant, 2), trouvee) == (aide, pente)
    dite = [
        une for une in tete(explication) if une.startswith("L'aide suit le chiffre d'affaires du mois : chaque euro")
    ]
    assert len(dite) == (pente is not None)
    assert all(("au-dessous" in une) == (pente[3] < pente[1]) for une in dite)


def test_on_ne_conseille_pas_de_perdre_un_droit():
    """June 2021: 3-28 pays 20 % of 10 000 €; décret 2021-960 is for those that it does not, which nobody chooses."""
    ventes = {f"2021-{mois:02d}": 8_700 for mois in range(1, 6)} | {"2019": 120_000, "2021-06": 8_000}
    situation = {
        "date_creation": "2010-01-01",
        "densite_commune": 3,
        "code_naf": "47.11B",
        "activite_secondaire": True,
        "activite_secondaire_interdite_au_public": True,
        "fds_aide_percue": {"2021-04": True},
        JOURS: {"2021-06": 30},
        "chiffre_affaires": ventes,
    }
    explication = explain(situation, "2021-06")
    assert explication.montant == 2_000
    conseils = [un for droit in explication.droits for un in droit.changements or []]
    assert not any(un.variable.endswith("_eligible") for un in conseils)
    assert not any("il fallait non" in ligne for ligne in tete(explication))


@pytest.mark.parametrize(
    ("mois", "mesures", "dite"),
    [("2021-08", None, True), ("2021-08", 20, True), ("2021-08", 31, False), ("2021-06", None, False)],
)
def test_un_confinement_sans_jour_de_mesure_se_signale(mois, mesures, dite):
    """3-28, I, B bis, from July 2021: days of curfew or lockdown, that hold those of lockdown."""
    situation = ANCIENNE | {
        "departement": "972",
        "jours_confinement": {mois: 30},
        "chiffre_affaires": {"2019": 480_000, mois: 20_000},
    }
    if mesures is not None:
        situation |= {"jours_couvre_feu_ou_confinement": {mois: mesures}}
    reserves = [ligne for ligne in tete(explain(situation, mois)) if ligne.startswith("Sous réserve : les jours")]
    donnes = "0 jour, par défaut" if mesures is None else f"{mesures} jours"
    ecrite = f"couvre-feu ou confinement ({donnes}) sont moins nombreux que les jours du mois sous confinement (30 "
    assert [ecrite in ligne for ligne in reserves] == [True] * dite


def test_une_reference_donnee_nulle_est_une_valeur_donnee():
    """Nothing earned in 2019 either: the formula would have given the same, and is not what gave it."""
    explication = explain(ANCIENNE | {"chiffre_affaires_reference": {"2021-02": 0}}, "2021-02")
    assert (explication.reference.formule, explication.reference.etapes) == ("valeur donnée", [])
    assert "Choix :" not in texte(explication)


def test_la_convention_du_premier_mars_se_dit_comme_telle():
    """C44: the text says « après le 1er mars », and nothing of that day."""
    recente = {"date_creation": "2020-03-10", "exercice_clos": False, "chiffre_affaires": {"2020-03": 5_000_000}}
    page = texte(explain(recente, "2020-05"))
    assert "comme « après le 1er mars 2020 » : 1er mars 2020 (convention du modèle)" in page


def test_un_voisin_dit_ce_qui_manque_a_la_possibilite_entamee(systeme):
    """A maker of knitwear is in the sector of 3-29; the past losses are what it misses: 16 000 € in November."""
    situation = {
        "code_naf": "14.39Z",
        "chiffre_affaires": {"2019": 240_000, "2020": 240_000, "2021-01": 20_000, "2021-02": 5_000},
    }
    page = " ".join(rendu.markdown(blocs.page(explain(situation, "2021-02"))).split())
    assert "manque : au plus près, perte d'au moins 80 % en novembre 2020 : 0 % (0,00 € sur 20 000,00 €)" in page


# ---- what decided, and nothing else ----


def test_une_condition_composee_se_dit_par_ce_qui_manque():
    """Article 3-11, C46: created on 10 March 2020, not after; and no reference of the spring of 2020 for 90 000 €."""
    situation = {
        "annexe_2": {"2020-10": True},
        "date_creation": "2020-03-10",
        "chiffre_affaires_premier_confinement": 90_000,
        "chiffre_affaires": {"2020-07": 18_000, "2020-10": 1_000},
    }
    manque = (
        "(activité de l'annexe 2 ; manque : perte d'au moins 80 % du 15 mars au 15 mai 2020 : aucun chiffre d'affaires "
        "de référence donné, pour 90 000,00 € réalisés ; ou date de création : 10 mars 2020 ; "
        "attendu : après le 10 mars 2020"
    )
    assert manque in texte(explain(situation, "2020-10"), autres=False)


def test_les_seuils_sont_ceux_du_regime_applique():
    """Article 3-28, August 2021, 2° bis b): 20 % of loss, 8 days, 1 500 € by the I, B bis; not the II, nor 20 %."""
    situation = ANCIENNE | {
        "departement": "971",
        "effectif_salarie": {"2021-08": 51},
        "option_chiffre_affaires_reference": "mois_2019",
        "jours_interdiction_accueil_public": {"2021-08": 31},
        "jours_confinement": {"2021-08": 8},
        "fds_aide_percue": AUCUNE_AIDE,
        "chiffre_affaires": {"2019-08": 5_000, "2021-08": 3_600},
    }
    explication = explain(situation, "2021-08")
    assert explication.montant == 1_400
    seuils = texte(explication, autres=False).partition("Seuils et montants du texte")[2]
    assert re.findall(r"- ([^:]+) : ([^(]+) \(", seuils) == [
        ("Jours de confinement dans le mois", "8 jours"),
        ("Taux de perte à atteindre par les entreprises fermées au public", "20 %"),
        ("L'activité doit avoir débuté avant cette date (strictement)", "31 janvier 2021"),
        ("Effectif à partir duquel la condition de contrat du dirigeant ne s'applique pas", "1 salarié"),
        ("Limite de l'aide des territoires confinés", "1 500,00 €"),
    ]
    assert "1 500,00 € (source secondaire) *(Décret n° 2020-371 du 30 mars 2020, art. 3-28, I, B bis (réd" in seuils


def test_des_donnees_qui_se_contredisent_se_disent():
    jours = {"interdiction_accueil_public": {"2020-09": False}, "jours_interdiction_accueil_public": {"2020-09": 6}}
    explication = explain(ANCIENNE | jours | {"chiffre_affaires": {"2019-09": 9_990}}, "2020-09")
    assert "saisie du 25 au 30 seulement : non, mais 6 jours donnés ; ce qui en dépend" in texte(explication)
    recue = {"demande_fonds_solidarite": {"2020-05": False}, "fds_aide_percue": {"2020-05": True}}
    verdict, _, reserve = tete(explain(ANCIENNE | recue, "2020-05"))
    assert verdict.endswith(" : aucune demande n'a été déposée, et une demande n'aurait rien ouvert.")
    assert reserve == "Sous réserve : aide du volet 1 reçue, mai 2020, sans demande ; ce qui en dépend est à revoir."


def test_le_cas_general_du_volet_2_cite_le_sien():
    """Article 4: the III for the protected sectors, which the II gives way to; refused by the I, 2°."""
    situation = ANCIENNE | {
        "departement": "973",
        "code_naf": "55.10Z",
        "demande_volet_2": True,
        "fds_aide_percue": {"2020-04": True},
        "effectif_salarie": {"2020-03": 0},
        "chiffre_affaires_dernier_exercice": 30_000,
        "solde_tresorerie_volet_2": -7_300,
    }
    page = texte(explain(situation, "2020-08"), autres=False)
    assert "| Aide complémentaire des secteurs protégés | paierait | 7 300,00 € |" in page
    assert "cas général (art. 4, II) — pour qui n'est pas dans le régime précédent | non ouvert | 2 000,00 €" in page
    assert "avril 2020 : non (par défaut) ; attendu : oui" in page


def test_un_seuil_mensuel_dit_aussi_l_annuel():
    """Article 2, 8°: 83 333 € a month without a closed year, 1 000 000 € a year with one."""
    chiffres = {"2019-12": 100_000, "2020-01": 100_000, "2020-02": 100_000}
    page = texte(explain({"date_creation": "2019-12-01", "chiffre_affaires": chiffres}, "2020-03"))
    sinon = "sinon, chiffre d'affaires hors taxes du dernier exercice clos : moins de 1 000 000,00 €]"
    assert f"[A clos au moins un exercice : non ; {sinon}" in page


def test_les_mois_que_personne_ne_donne_se_comptent():
    """2019 is known by July alone: 5 000 € ÷ 12 for the mean, 5 000 € for the year."""
    situation = ANCIENNE | {"departement": "973", "chiffre_affaires": {"2019-07": 5_000, "2020-07": 0}}
    page = texte(explain(situation, "2020-07"), autres=False)
    assert "chiffre d'affaires mensuel moyen de 2019, 416,67 € (11 mois non donnés) ; " in page
    assert "inférieur au plafond : 5 000,00 € (11 mois non donnés) ; attendu : moins de 1 000 000,00 €" in page


def test_le_plafond_du_groupe_se_dit_meme_sous_lui():
    """February 2021: 20 % of 750 000 € in annexe 1; the other member asks for nothing."""
    membres = {
        "a": {"annexe_1": {"2021-02": True}, "chiffre_affaires": {"2019-02": 750_000, "2021-02": 0}},
        "b": {"demande_fonds_solidarite": {"2021-02": False}},
    }
    page = texte(explain({"entreprises": membres, "groupes": {"g": {"membres": ["a", "b"]}}}, "2021-02", "a"))
    assert (
        "entreprises (aides demandées par ses entreprises pour le mois : 150 000,00 € ; plafond : 200 000,00 €)."
        in page
    )


def test_une_moyenne_propre_a_un_test_se_derive():
    """C13: started in 2020, November against (9 000 + 9 000 + 32 000 + 900) ÷ 11; 3 727,27 € are 80,55 % of it."""
    chiffres = {"2020-01": 9_000, "2020-02": 9_000, "2020-07": 32_000, "2020-11": 900, "2020-12": 0}
    situation = {"date_creation": "2020-01-01", "annexe_2": {"2020-12": True}, "chiffre_affaires": chiffres}
    moyenne = "4 627,27 € = 50 900,00 € (de janvier 2020 à novembre 2020, 7 mois non donnés) ÷ 11 mois)"
    assert f"80,55 % (3 727,27 € sur {moyenne}" in texte(explain(situation, "2020-12"), autres=False)


def test_de_deux_pertes_la_plus_proche_passe_avant_une_date_remplie():
    """31 000 € a month: 63 000 € in the spring of 2019, of which 20 % are 12 600 €; 1 € is missing."""
    situation = ANCIENNE | {
        "annexe_2": {"2021-01": True},
        "chiffre_affaires_premier_confinement": 12_601,
        "chiffre_affaires": {"2019": 372_000, "2020": 372_000, "2021-01": 12_400},
    }
    manque = "(au plus près, créée avant le 1er mars 2020, perte d'au moins 80 % du 15 mars au 15 mai 2020 : 79,998 % "
    assert f"{manque}(50 399,00 € sur 63 000,00 €) ; écart : 1,00 €)" in texte(explain(situation, "2021-01"))


# ---- what another regime, another article or another sum changes ----


def test_le_regime_applique_dit_ce_qui_l_ouvre():
    """Article 3-11, II: 10 000 € and not 1 500 € for annexe 2, the test of 80 % waived after 10 March 2020."""
    situation = {
        "date_creation": "2020-04-01",
        "annexe_2": {"2020-10": True},
        "departement": "75",
        "chiffre_affaires": {"2020-07": 6_000, "2020-08": 6_000, "2020-09": 6_000, "2020-10": 1_000},
    }
    explication = explain(situation, "2020-10")
    assert explication.montant == 5_000
    page = texte(explication, autres=False)
    regime = page.split("Ce régime s'applique :")[1].split("Montants comparés")[0]
    assert "1er avril 2020 ; attendu : après le 10 mars 2020" in regime


def test_sans_chiffre_d_affaires_il_n_y_a_pas_de_ventes_a_distance():
    """March 2021, closed: the loss without distance sales, 8 000 − 3 000; once all is such sales, 8 000, no more."""
    situation = ANCIENNE | {
        "chiffre_affaires": {"2019": 96_000, "2021-03": 4_000},
        "chiffre_affaires_vente_a_distance": {"2021-03": 1_000},
        JOURS: {"2021-03": 31},
    }
    explication = explain(situation, "2021-03")
    assert (explication.montant, explication.pente.au_plus, explication.pente.chiffre_affaires) == (5_000, 8_000, 1_000)


def test_des_ventes_a_distance_au_dela_du_chiffre_d_affaires_se_disent():
    situation = ANCIENNE | {
        "chiffre_affaires": {"2019": 96_000, "2021-03": 0},
        "chiffre_affaires_vente_a_distance": {"2021-03": 1_000},
    }
    dites = [une for une in tete(explain(situation, "2021-03")) if une.startswith("Sous réserve")]
    assert len(dites) == 1
    assert "1 000,00 €, plus que le chiffre d'affaires du mois (0,00 €)" in dites[0]


def test_le_chiffre_d_affaires_des_jours_fermes_se_deduit():
    """Article 3-10: 9 990 × 6 / 30 − 800 = 1 198 €; without those 800 €, 1 998 €."""
    situation = ANCIENNE | {
        "chiffre_affaires": {"2019-09": 9_990, "2020-09": 20_000},
        "chiffre_affaires_jours_interdiction": {"2020-09": 800},
        JOURS: {"2020-09": 6},
    }
    explication = explain(situation, "2020-09")
    (levier,) = explication.leviers
    assert (explication.montant, levier.montant_si_change) == (1_198, 1_998)


def test_un_autre_article_alors_ouvert_se_nomme():
    """Guyane, July 2020, annexe 1, a debt: 3-8 would give 1 500 €, 3-7 3 000 €, and only the higher is paid."""
    situation = ANCIENNE | {
        "departement": "973",
        "annexe_1": {"2020-07": True},
        "effectif_salarie": 11,
        "chiffre_affaires": {"2019": 72_000, "2020-07": 2_000},
        "dettes_fiscales_ou_sociales_impayees": {"2020-07": True},
    }
    explication = explain(situation, "2020-07")
    general = article(explication, "3-8")
    assert (general.montant_si_change, general.aide_si_change) == (1_500, 3_000)
    assert (general.premier_si_change.libelle, general.premier_si_change.valeur) == ("3-7", 3_000)
    assert blocs.ce_que_donne(explication, general).translate(ESPACES_SIMPLES) == (
        "1 500,00 € ; l'article 3-7, alors ouvert aussi, donne 3 000,00 €, et seul le plus élevé est payé"
    )


def test_une_aide_anterieure_calculee_par_defaut_est_une_reserve():
    """June 2021, 3-28: the aid of April or May 2021 rests on a turnover that nobody gave."""
    situation = ANCIENNE | {"chiffre_affaires": {"2019": 120_000, "2021-06": 4_000}}
    reserves = [une for une in tete(explain(situation | {"code_naf": "56.30Z"}, "2021-06")) if "Sous réserve" in une]
    calculees = "avril 2021, mai 2021 : oui, calculé pour ces mois (chiffre d'affaires par défaut)"
    donnee = situation | {"code_naf": "56.30Z", "fds_aide_percue": {"2021-04": True}}  # April or May: one is enough
    assert not any("Sous réserve" in une for une in tete(explain(donnee, "2021-06")))
    assert reserves == [f"Sous réserve : aide du volet 1 reçue, {calculees}."]


def test_les_ventes_a_distance_d_une_entreprise_fermee_se_disent():
    """Article 3-15, closed: 20 % of 10 000 €; were all of the 9 000 € distance sales, the whole reference."""
    situation = ANCIENNE | {"chiffre_affaires": {"2019": 120_000, "2020-12": 9_000}, JOURS: {"2020-12": 31}}
    explication = explain(situation, "2020-12")
    (levier,) = (un for un in explication.leviers if un.changements[0].variable == "chiffre_affaires_vente_a_distance")
    assert (explication.montant, levier.montant_si_change) == (2_000, 10_000)
    vendue = situation | {"chiffre_affaires_vente_a_distance": {"2020-12": 4_000}}
    page = tete(explain(vendue, "2020-12"))
    assert any("Chiffre d'affaires du mois : 9 000,00 € (dont ventes à distance : 4 000,00 €)" in une for une in page)


def test_un_mois_hors_du_fonds_ne_dit_que_cela():
    """The fund ends with February 2022 (article 3-30)."""
    explication = explain(ANCIENNE | {"chiffre_affaires": {"2019-03": 10_000}}, "2022-03")
    *_, verdict = blocs.page(explication)
    assert verdict.texte == "Aucune aide pour ce mois : aucun article du décret ne vise mars 2022."


@pytest.mark.parametrize(("effectif", "decisif"), [(10, False), (11, True), (20, True)])
def test_un_seuil_releve_dit_pourquoi_quand_il_decide(effectif, decisif):
    """Article 3-3, 7°: 10 employees, 20 in annexe 1."""
    situation = ANCIENNE | {
        "annexe_1": {"2020-05": True},
        "effectif_salarie": effectif,
        "chiffre_affaires": {"2019-05": 6_000, "2020-05": 0},
    }
    posees = article(explain(situation, "2020-05"), "3-3").conditions
    (seuil,) = (une for une in posees if une.libelle.startswith("Effectif inférieur ou égal au plafond"))
    assert [une.variable for une in seuil.sous_conditions] == (["fds_secteur_protege"] if decisif else [])
    assert bool(seuil.constats) != decisif


def test_on_ne_conseille_pas_de_rendre_une_aide_recue():
    """Décret n° 2021-960, art. 1er, I, 5°: for those that received none; nobody gives one back."""
    explication = explain(EPICERIE | {"fds_aide_percue": {"2021-02": True}}, "2021-06")
    multi = next(un for un in explication.autres if un.variable_montant == "multi_activites_montant")
    assert (multi.eligible, multi.changements) == (False, None)
    assert "et sans perdre de droit, aucun changement seul ne suffit" in tete(explication)[-1]
    page = texte(explication, autres=False)
    assert page.count("perdre un autre droit pour ouvrir celui-ci n'est pas proposé") == 1


def test_un_salarie_a_une_date_n_est_pas_un_effectif():
    """Article 4, I, 2°: an employee at 1 March 2020, not the yearly average of article L. 130-1."""
    conseils_dits = tete(explain(HOTEL_FERME | {"chiffre_affaires_dernier_exercice": 7_999}, "2020-08"))
    dits = [une for une in conseils_dits if "salarié" in une]
    assert len(dits) == 1
    assert dits[0].startswith("Par l'article 4 : emploie au moins un salarié au 1er mars 2020")


@pytest.mark.parametrize(("bas", "haut"), [(0.0, 999.004), (999.0, 999.01), (7.0, 7.0)])
def test_un_intervalle_se_coupe_sans_perdre_ses_bornes(bas, haut):
    """A month of a year's turnover has no whole cents: the end of the interval is tried as it is, not beyond."""
    parts = _en_parts(bas, haut)
    assert (parts[0], parts[-1]) == (bas, haut)
    assert (numpy.diff(parts) > 0).all()


# ---- one change alone: thresholds of any way of paying, past losses, options, an earlier month ----


def sens_et_montants(explication):
    """List the changes told alone: (variable, value asked for, euros that it gives)."""
    return [
        (un.changements[0].variable, un.changements[0].saisie.valeur, un.montant_si_change)
        for un in explication.leviers
    ]


def test_une_perte_passee_est_la_plus_proche_en_euros():
    """Article 3-22, I, A, 2° b: 80 % of November lacks 800 €, of the spring more; 10 % of 2020 (9 001 €) lacks 1 €."""
    situation = {
        "annexe_2": True,
        "effectif_salarie": 51,
        "chiffre_affaires": {
            "2019-02": 4_000,
            "2019-11": 6_000,
            "2020-04": 7_001,
            "2020-11": 2_000,
            "2021-02": 2_000,
        },
    }
    assert sens_et_montants(explain(situation, "2021-02")) == [
        ("chiffre_affaires", 9_000, 1_600),  # 80 % of 2 000 €
        ("effectif_groupe", 50, 1_500),
        (JOURS, 28, 2_000),
    ]


def test_le_seuil_d_une_option_qui_ne_s_applique_pas_se_dit():
    """Article 3-17, II: at 27 000 € of 90 000 € the loss is 70 %, and 20 % of the reference are 18 000 €."""
    situation = ANCIENNE | {
        "code_naf": "46.34Z",
        "effectif_salarie": 120,
        "chiffre_affaires": {"2019-12": 90_000, "2020-12": 27_001},
    }
    explication = explain(situation, "2020-12")
    assert explication.montant == 10_000
    assert ("chiffre_affaires", 27_000, 18_000) in sens_et_montants(explication)


def test_une_perte_un_peu_moindre_peut_donner_plus():
    """Article 3-12: from 70 % on, 60 % of the 1 000 €; a cent of turnover more, all of the loss up to 1 500 €."""
    situation = ANCIENNE | {
        "departement": "29",
        "code_naf": "55.10Z",
        "chiffre_affaires": {"2019-10": 1_000, "2020-10": 300},
    }
    explication = explain(situation, "2020-10")
    assert explication.montant == 600
    assert ("chiffre_affaires", 300.01, 699.99) in sens_et_montants(explication)


@pytest.mark.parametrize(
    ("chiffre", "actuel", "suivants"),
    [(199_999, 2_000, [(200_000, 3_500)]), (200_000, 3_500, [(600_000, 5_000)]), (600_000, 5_000, [])],
)
def test_le_volet_2_dit_la_tranche_suivante(chiffre, actuel, suivants):
    """Article 4, II: 2 000 € below 200 000 € of turnover, 3 500 € below 600 000 €, then 5 000 €."""
    situation = ANCIENNE | {
        "demande_volet_2": True,
        "fds_aide_percue": {"2020-04": True},
        "effectif_salarie": {"2020-03": 1},
        "chiffre_affaires_dernier_exercice": chiffre,
        "solde_tresorerie_volet_2": -9_000,
    }
    explication = explain(situation, "2020-08")
    (unique,) = (un for un in explication.autres if un.variable_montant == "fds_volet_2")
    assert unique.montant == actuel
    assert [(requis, euros) for _, requis, euros in sens_et_montants(explication)] == suivants


def test_l_option_contraire_se_dit_si_elle_donne_plus():
    """Article 3-24, IV: kept from February 2021 on (1 002 € against 1 000 €); the month of 2019 gives 1 500 €."""
    situation = {"chiffre_affaires": {"2019-02": 1_000, "2019-03": 1_500, "2019-12": 9_524}}
    explication = explain(situation, "2021-03")
    assert explication.montant == 1_002
    assert sens_et_montants(explication) == [("option_chiffre_affaires_reference", "mois_2019", 1_500)]


@pytest.mark.parametrize(
    ("donnees", "attendu"),
    [
        (
            {"pensions_retraite": {"2021-04": 5_000}},
            "En avril 2021, au plus près, par l'article 3-26 : chiffre d'affaires hors taxes du mois, ventes à "
            "distance comprises : 5 000,00 €, il fallait au plus 4 999,00 € (écart : 1,00 €), pour 1,00 € ce mois-là.",
        ),
        (
            {"demande_fonds_solidarite": {"2021-04": False}},
            "En avril 2021, aucune demande n'a été déposée ; une demande aurait ouvert droit à 5 000,00 €, "
            "par l'article 3-26.",
        ),
    ],
)
def test_une_aide_anterieure_nulle_dit_pourquoi(donnees, attendu):
    """Article 3-28, I, A, 3°: asks for the aid of April or May 2021; half of 10 000 € was lost in April."""
    situation = {
        "code_naf": "56.30Z",
        "option_chiffre_affaires_reference": "mois_2019",
        "chiffre_affaires": {"2019-04": 10_000, "2019-06": 10_000, "2021-04": 5_000, "2021-06": 6_000},
    }
    assert tete(explain(situation | donnees, "2021-06"))[-1] == attendu


def test_les_sources_tiennent_les_seuils_du_regime_applique():
    """Article 3-14, I, 2° (50 %) and II (created after 10 March 2020)."""
    situation = {
        "date_creation": "2020-03-11",
        "annexe_2": True,
        "chiffre_affaires": {"2020-07": 12_000, "2020-08": 12_000, "2020-09": 12_000, "2020-11": 5_000},
    }
    page = texte(explain(situation, "2020-11"), autres=False)
    sources = page[page.index("Seuils et montants du texte") :]
    assert "Taux de perte à atteindre (régime général) : 50 %" in sources
    assert "dispensée (octobre et novembre 2020) : 10 mars 2020" in sources


@pytest.mark.parametrize(
    ("mois", "departement", "pension", "loss", "dit"),
    [
        (
            "2020-07",
            "973",
            1_501,
            1_200,
            "1 501,00 €, il fallait au plus 1 500,00 € (écart : 1,00 €), pour 1 200,00 €.",
        ),
        (
            "2020-07",
            "973",
            1_400,
            1_800,
            "1 400,00 €, que l'aide déduit de sa limite ; à 1 200,00 € ou moins, 1 800,00 €.",
        ),
        ("2020-11", "75", 500, 1_000, "500,00 €, que l'aide déduit ; sans cette somme, 1 000,00 €."),
    ],
)
def test_une_somme_deduite_l_est_de_la_limite_ou_de_l_aide(mois, departement, pension, loss, dit):
    """Article 3-7, I, 4° and II: at most 1 500 € of pensions, 3 000 € with the aid. Article 3-14: the aid less them."""
    situation = ANCIENNE | {
        "departement": departement,
        "pensions_retraite": {mois: pension},
        "chiffre_affaires": {mois.replace("2020", "2019"): loss, mois: 0},
    }
    dits = [une for une in tete(explain(situation, mois)) if "ensions de retraite du dirigeant : " in une]
    assert [une.endswith(f"ensions de retraite du dirigeant : {dit}") for une in dits] == [True]


def test_une_perte_passee_supposee_se_dit():
    """Article 3-14, II: the 80 % of the spring of 2020, met because nobody gave the turnover of these months."""
    situation = ANCIENNE | {"annexe_2": {"2020-11": True}, "chiffre_affaires": {"2019-11": 12_500, "2020-11": 0}}
    reserve = "Sous réserve : perte d'au moins 80 % du 15 mars au 15 mai 2020 (textes de 2020) : par défaut."
    assert reserve in tete(explain(situation, "2020-11"))
    donnee = situation | {"chiffre_affaires_premier_confinement": 0}
    assert reserve not in tete(explain(donnee, "2020-11"))


def test_un_montant_du_ii_est_cite_quand_le_droit_est_du_i():
    """Article 3-15: the conditions are in the I, what the other enterprises are paid in the II."""
    explication = explain(ANCIENNE | {"chiffre_affaires": {"2019-12": 25_000, "2020-12": 5_000}}, "2020-12")
    (retenue,) = (un for un in article(explication, "3-15").branches if un.retenue)
    assert [citee.endswith("art. 3-15, II") for citee in retenue.calcul.references] == [True]


def test_une_moyenne_comparee_s_ecrit_en_chiffres():
    """Article 3-1, 8°: created on 1 April 2019, 9 000 € in eleven months, two of them given."""
    situation = {"date_creation": "2019-04-01", "chiffre_affaires": {"2019-04": 900, "2019-05": 8_100}}
    page = texte(explain(situation, "2020-04"))
    assert "818,18 € (9 000,00 € (d'avril 2019 à février 2020, 9 mois non donnés) ÷ 11 mois)" in page


def test_une_condition_qui_n_en_tient_qu_une_la_nomme():
    """Article 3-8, 6° bis: of past losses, the text of July 2020 knows that of the spring only."""
    situation = ANCIENNE | {
        "annexe_2": {"2020-07": True},
        "chiffre_affaires_premier_confinement": 20_100,
        "chiffre_affaires": {"2019-04": 100_000, "2019-07": 10_000, "2020-07": 1_000},
    }
    page = texte(explain(situation, "2020-07"))
    assert "Perte d'au moins 80 % du 15 mars au 15 mai 2020 (textes de 2020) : 79,9 % (79 900,00 € sur" in page
    assert "l'une des conditions de pertes passées" not in page


@pytest.mark.parametrize(("lieu", "dit"), [({}, " : non (par défaut)"), ({"departement": "75"}, "")])
def test_un_lieu_que_nul_n_a_donne_se_dit(lieu, dit):
    """Article 3-12: out of the curfew of October 2020; Paris, by default, was in it."""
    page = texte(explain(ANCIENNE | lieu | {"chiffre_affaires": {"2020-10": 0}}, "2020-10"), autres=False)
    assert f"omiciliée hors des zones de couvre-feu d'octobre 2020{dit} (art. 3-12, I)" in page


def test_une_perte_passee_se_nomme_perte():
    """Article 3-29, I: of a spring of 20 322,58 €, 10 322,58 € are lost; not a reference less a turnover."""
    situation = ANCIENNE | {
        "annexe_2": {"2021-02": True},
        "chiffre_affaires_premier_confinement": 10_000,
        "chiffre_affaires": {"2019": 120_000, "2020": 119_000, "2021-02": 5_000},
    }
    page = texte(explain(situation, "2021-02"))
    assert "moins chiffre d'affaires réalisé du 15 mars au 15 mai 2020" not in page
    assert "Perte du 15 mars au 15 mai 2020, textes de 2021 : 50,79 % (10 322,58 € sur 20 322,58 €)" in page


def test_un_meme_changement_dit_tous_les_droits_qu_il_ouvre():
    """Article 3-8, 4° and décret n° 2020-1049, art. 2, 2°: at most 1 500 € of pensions, that both aids are less."""
    situation = ANCIENNE | {
        "discotheque": True,
        "pensions_retraite": {"2020-08": 1_600},
        "chiffre_affaires": {"2019-08": 20_000, "2020-08": 0},
    }
    explication = explain(situation, "2020-08")
    assert tete(explication)[-1] == (
        "Au plus près, par l'article 3-8 : pensions de retraite du dirigeant : 1 600,00 €, que l'aide déduit "
        "(rien de plus à partir de 1 500,00 €) ; sans cette somme, 1 500,00 € "
        "(de même par le décret n° 2020-1049 du 14 août 2020, 1 500,00 €)."
    )
    assert "Aucun des changements proches essayés" not in texte(explication, autres=False)


def test_les_jours_de_septembre_2020_ne_sont_pas_tout_le_mois():
    """Article 3-10: six days, from the 25th to the 30th; 333 € for each."""
    situation = ANCIENNE | {JOURS: {"2020-09": 5}, "chiffre_affaires": {"2019-09": 60_000, "2020-09": 0}}
    (dit,) = (une for une in tete(explain(situation, "2020-09")) if "5 jours, il fallait" in une)
    assert "il fallait tous les jours comptés (6 jours) (écart : 1 jour), pour 1 998,00 €" in dit


def test_une_aide_recue_par_defaut_n_est_dite_que_si_elle_compte():
    """Article 3-28, C8 bis: in August 2021 who is closed the whole month needs no earlier aid."""
    situation = ANCIENNE | {
        JOURS: {"2021-08": 31},
        "dettes_fiscales_ou_sociales_impayees": {"2021-08": True},
        "chiffre_affaires": {"2019": 120_000, "2021-08": 0},
    }
    assert not any("aide du volet 1 reçue" in une for une in tete(explain(situation, "2021-08")))


def test_une_pente_se_mesure_avant_sa_limite():
    """Article 3-19, II, B: all the loss up to 1 500 €, that 50 cents of turnover less reach."""
    pente = explain({"chiffre_affaires": {"2019-01": 2_999, "2021-01": 1_499.5}}, "2021-01").pente
    assert astuple(pente) == pytest.approx((1, 1_500, 1_499, 1_500))


# ---- distance sales, that the loss of a closed enterprise leaves out ----

A_DISTANCE = "chiffre d'affaires des ventes à distance, avec retrait ou livraison, et à emporter"
HORS_DE_LA_PERTE = f"{A_DISTANCE} : 0,00 € (par défaut), hors de la perte d'une fermeture"


def des_ventes_a_distance(situation, mois):
    """Lines of the head about distance sales."""
    return [
        une.partition(HORS_DE_LA_PERTE)[2].strip(" ,;") for une in tete(explain(situation, mois)) if A_DISTANCE in une
    ]


def test_les_ventes_a_distance_disent_leur_seuil_puis_leur_maximum():
    """Article 3-15, I and II: 50 % of 10 000 € lost out of them, from 500 € on; all the reference if all are."""
    situation = ANCIENNE | {JOURS: {"2020-12": 30}, "chiffre_affaires": {"2019-12": 10_000, "2020-12": 5_500}}
    assert des_ventes_a_distance(situation, "2020-12") == [
        "il fallait au moins 500,00 € (écart : 500,00 €), pour 5 000,00 €.",
        "que l'aide suit au-delà de 500,00 € ; s'il était tout celui du mois, 10 000,00 €.",
    ]


def test_les_ventes_a_distance_ne_demandent_que_le_seuil_quand_il_donne_tout():
    """Article 3-27, I, B: closed one day; from 50 % of 20 000 € on, 10 000 € instead of 1 500 €."""
    situation = ANCIENNE | {JOURS: {"2021-05": 1}, "chiffre_affaires": {"2019": 240_000, "2021-05": 12_000}}
    assert des_ventes_a_distance(situation, "2021-05") == [
        "il fallait au moins 2 000,00 € (écart : 2 000,00 €), pour 10 000,00 €."
    ]


def test_les_ventes_a_distance_que_l_aide_suit_s_arretent_a_sa_limite():
    """Article 3-14, II: closed, all the loss up to 10 000 €; of 7 000 €, 3 000 € more is enough."""
    situation = ANCIENNE | {JOURS: {"2020-11": 1}, "chiffre_affaires": {"2019-11": 12_000, "2020-11": 5_000}}
    assert des_ventes_a_distance(situation, "2020-11") == [
        "que l'aide suit ; il fallait au moins 3 000,00 € (écart : 3 000,00 €), pour 10 000,00 €."
    ]


@pytest.mark.parametrize(
    ("donnes", "defaut"), [({"2019-12": 80_000}, ", par défaut"), ({"2019-12": 80_000, "2020-12": 0}, "")]
)
def test_une_perte_hors_ventes_a_distance_dit_le_chiffre_que_nul_n_a_donne(donnes, defaut):
    """Article 3-15, I: no distance sales by default is no reserve; no turnover of the month is one."""
    situation = ANCIENNE | {JOURS: {"2020-12": 10}, "chiffre_affaires": donnes}
    page = texte(explain(situation, "2020-12"))
    perdue = "Perte d'au moins 50 %, ventes à distance et à emporter exclues : 100 % (80 000,00 € sur 80 000,00 €"
    assert f"{perdue}{defaut})" in page


@pytest.mark.parametrize(
    ("mois", "dit"),
    [
        ("2020-03", "au 1er mars 2020 (par défaut)"),
        ("2020-07", "au 31 décembre 2019, hors plan de règlement (par défaut)"),
        ("2020-10", "au 31 décembre 2019, hors plan de règlement, et autres exceptions du mois (par défaut)"),
    ],
)
def test_les_dettes_ignorees_sont_celles_du_mois(mois, dit):
    """Article 3-7, IV: nothing but the settlement plan; the small and the contested ones came in the autumn."""
    page = texte(explain(ANCIENNE | {"chiffre_affaires": {f"2019{mois[4:]}": 10_000, mois: 0}}, mois))
    assert f"Sans dette fiscale ou sociale impayée, {dit}" in page


def test_une_somme_deduite_d_un_droit_ferme_dit_a_partir_d_ou_elle_n_en_laisse_rien():
    """Article 3-8, 4°: no right above 1 500 € of pensions, that the aid of 1 500 € is less."""
    situation = ANCIENNE | {
        "code_naf": "56.30Z",
        "pensions_retraite": {"2020-08": 1_600},
        "chiffre_affaires": {"2019-08": 20_000, "2020-08": 0},
    }
    dits = tete(explain(situation, "2020-08"))
    assert any(
        "que l'aide déduit (rien de plus à partir de 1 500,00 €) ; sans cette somme, 1 500,00 €" in d for d in dits
    )


def test_un_chiffre_des_jours_fermes_que_nul_n_a_donne_se_dit_en_tete():
    """Article 3-10, II: 333 € for each day closed, of a loss of 12 000 € if nothing was earned those days."""
    donnes = {JOURS: {"2020-10": 31}, "chiffre_affaires": {"2019-10": 12_000, "2020-10": 12_000}}
    reserve = "Sous réserve : perte des jours de fermeture, ventes à distance exclues : par défaut."
    assert reserve in tete(explain(ANCIENNE | donnes, "2020-10"))
    donnes |= {"chiffre_affaires_jours_interdiction": {"2020-10": 3_000}}
    dits = tete(explain(ANCIENNE | donnes, "2020-10"))
    assert dits[0].startswith("Aide du mois : 9 000,00 €")
    assert reserve not in dits


def test_une_hausse_se_dit_contre_la_reference_de_l_article():
    """Article 3-23: the mean of 2019, 1 666,67 €, although the month is 70 % below that of 2019."""
    situation = ANCIENNE | {"departement": "976", "chiffre_affaires": {"2019-02": 20_000, "2021-02": 6_000}}
    page = texte(explain(situation, "2021-02"), autres=False)
    assert (
        "6 000,00 € contre 1 666,67 € (chiffre d'affaires de référence de l'aide de Mayotte, 11 mois non donnés)"
        in page
    )
    assert "au lieu de la référence générale" not in page


def test_ce_qui_ne_vaut_que_pour_les_autres_se_dit_ainsi():
    """Article 3-11: the flat 1 500 € are for who is not of the annexe."""
    situation = ANCIENNE | {
        "departement": "75",
        "annexe_1": {"2020-10": True},
        "chiffre_affaires": {"2019-10": 20_000, "2020-10": 5_000},
    }
    (ligne,) = (une for une in texte(explain(situation, "2020-10"), autres=False).split(" | ") if "— pour qui" in une)
    assert "pour qui n'est pas dans le régime précédent" in ligne
