"""What the last readers asked of a page: short, nothing misleading, and each advice the nearest that pays.

The figures are worked by hand from the texts; each test says which.
"""

import copy
import random
import re
from io import StringIO

import pytest
from rich.console import Console

from openfisca_fds_tools.explain import blocs, explain, rendu
from openfisca_fds_tools.explain.explication import aussi_proches, plus_proche
from openfisca_fds_tools.situation import construire
from tests.tools.test_explain import MOIS, au_hasard
from tests.tools.test_explain_relecture import ANCIENNE, AUCUNE_AIDE, article, texte
from tests.tools.test_explain_troisieme_passe import tete

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
    assert tete(explication)[-1].endswith("pour 2 451,61 € si ces jours-là n'avaient aucun chiffre d'affaires.")


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
    assert resume[-1].startswith("Rien de proche n'aurait donné davantage")


@pytest.mark.parametrize("pension", [0, 800])
def test_un_regime_ferme_se_compare_apres_deduction(pension):
    """Closed, article 3-22 would give 10 000 € too, less the same pension: nothing more than article 3-25."""
    explication = explain(COMMERCE_OUTRE_MER | {"pensions_retraite": {"2021-02": pension}}, "2021-02")
    assert explication.montant == 10_000 - pension
    assert plus_proche(explication) is None
    assert not any("aurait donné davantage, " in ligne for ligne in tete(explication))


def test_deux_articles_aussi_proches_sont_nommes_tous_deux():
    """Without its debt, the shop has 1 500 € by article 3-22, 10 000 € by article 3-25."""
    situation = COMMERCE_OUTRE_MER | {"dettes_fiscales_ou_sociales_impayees": {"2021-02": True}}
    explication = explain(situation, "2021-02")
    assert [un.numero for un in aussi_proches(explication)] == ["3-25", "3-22"]
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
    assert tete(explain(refusee, "2020-04"))[-1].startswith("Rien n'ouvrait de droit à une telle entreprise ; à une")


def test_d_une_aide_anterieure_tous_les_mois_sont_dits():
    """Article 3-28, I, A, 3°: the aid of April or of May 2021."""
    situation = ANCIENNE | {
        "code_naf": "56.30Z",
        "fds_aide_percue": AUCUNE_AIDE,
        "chiffre_affaires": {"2019": 600_000, "2021-08": 20_000},
    }
    assert (
        "aide du volet 1 reçue, avril 2021 ou mai 2021 : non, il fallait oui" in tete(explain(situation, "2021-08"))[-1]
    )


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
    conseil = tete(explain(refusee, "2021-08"))[-1]
    assert "avril 2021 ou mai 2021 : non, selon les données de ces mois, il fallait oui" in conseil
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
