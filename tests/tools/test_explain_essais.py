"""What an explanation advises is tried on the model; what it shows is of the month, and said in words.

The figures are worked by hand from the texts; each test says which.
"""

import re

import pytest
from click.testing import CliRunner
from openfisca_core import periods
from openfisca_core.simulation_builder import SimulationBuilder

from openfisca_fds_tools import cli
from openfisca_fds_tools.explain import ecriture, explain
from openfisca_fds_tools.explain.data import NON_REMPLIE, REMPLIE
from openfisca_fds_tools.explain.essais import Essais
from openfisca_fds_tools.explain.timeline import historique
from openfisca_fds_tools.situation import construire, repliquer, saisies
from tests.tools.test_explain_relecture import texte

ANCIENNE = {"date_creation": "2015-06-01"}


def section(page, titre):
    """Part of the page under a heading that starts so."""
    return next(partie for partie in page.split(" ## ") if partie.startswith(titre))


def article(explication, numero):
    return next(un for un in (*explication.articles, *explication.autres) if un.numero == numero)


def toutes(conditions):
    for une in conditions:
        yield une
        yield from toutes(une.sous_conditions)


# ---- an advice is only printed if the model agrees ----


def mayotte(code_naf, chiffre_affaires):
    """Mayotte, February 2021, mean of 2019 at 10 000 €."""
    chiffres = {"2019": 120_000, "2021-02": chiffre_affaires}
    return ANCIENNE | {"departement": "976", "code_naf": code_naf, "chiffre_affaires": chiffres}


def test_perdre_plus_ferme_3_23_a_un_restaurant():
    """Art. 3-23, I: closed to those that a reinforced regime of 3-22 takes; at 50 % of loss annexe 1 takes them."""
    explication = explain(mayotte("56.10A", 6_000), "2021-02")
    assert article(explication, "3-23").changements is None
    (changement,) = article(explication, "3-22").changements
    assert (changement.variable, changement.requis) == ("chiffre_affaires", 5_000)
    # annexe 1: 100 % of a loss of 5 000 €
    assert article(explication, "3-22").montant_si_change == 5_000
    assert "il fallait au plus 5 000,00 € (écart : 1 000,00 €), pour 5 000,00 €." in texte(explication)


def test_perdre_plus_ouvre_3_23_a_un_coiffeur():
    """No reinforced regime for a hairdresser: 50 % of loss opens 3-23, the loss up to 3 000 €."""
    explication = explain(mayotte("96.02A", 5_001), "2021-02")
    du_mois = article(explication, "3-23")
    (changement,) = du_mois.changements
    assert (changement.variable, changement.requis, changement.ecart) == ("chiffre_affaires", 5_000, 1)
    assert (du_mois.montant_si_change, du_mois.aide_si_change) == (3_000, 3_000)


def test_l_aide_du_mois_peut_etre_celle_d_un_autre_article():
    """Without its debt, a ski shop has 1 500 € by article 3-15 and 80 % of 10 000 € by article 3-16."""
    situation = ANCIENNE | {
        "code_naf": "47.64Z",
        "commune_annexe_3": True,
        "dettes_fiscales_ou_sociales_impayees": True,
        "chiffre_affaires": {"2019-12": 20_000, "2020-12": 10_000},
    }
    explication = explain(situation, "2020-12")
    general = article(explication, "3-15")
    assert (general.montant_si_change, general.aide_si_change) == (1_500, 8_000)
    memes = "(de même par l'article 3-18, 8 000,00 € ; par l'article 3-15, 1 500,00 €)."
    assert "par l'article 3-16 : dette fiscale" in texte(explication)
    assert f", pour 8 000,00 € {memes}" in texte(explication)


def test_les_essais_ne_changent_pas_la_simulation(systeme):
    situation = {
        "entreprises": {"a": mayotte("56.10A", 6_000), "b": ANCIENNE},
        "groupes": {"g": {"membres": ["a", "b"]}},
    }
    simulation = construire(systeme, situation)
    avant = {cle: (rangs.tolist(), valeurs.tolist()) for cle, (rangs, valeurs) in saisies(simulation).items()}
    explain(simulation, "2021-02", "a")
    assert {cle: (rangs.tolist(), valeurs.tolist()) for cle, (rangs, valeurs) in saisies(simulation).items()} == avant
    assert simulation.calculate("chiffre_affaires", "2021-02").tolist() == [6_000, 0]


def test_une_simulation_d_openfisca_deja_calculee_s_explique_pareil(systeme):
    """Built by openfisca-core, and asked before: what it was given is told from what it computed."""
    entreprise = {
        "code_naf": {"ETERNITY": "56.10A"},
        "annexe_2": {"2021-03": True},
        "chiffre_affaires": {"2019": 120_000, "2021-03": 5_001},
    }
    simulation = SimulationBuilder().build_from_entities(systeme, {"entreprises": {"entreprise": entreprise}})
    for mois in ("2021-02", "2021-03", "2021-06"):
        simulation.calculate("fonds_de_solidarite", mois)
    donnees = {nom for nom, _ in saisies(simulation)}
    assert donnees == {"code_naf", "annexe_2", "chiffre_affaires"}
    notre = explain(construire(systeme, {"entreprises": {"entreprise": entreprise}}), "2021-03")
    assert explain(simulation, "2021-03").en_dictionnaire() == notre.en_dictionnaire()


def test_seul_le_groupe_de_l_entreprise_est_essaye(systeme):
    membres = {"a": {"effectif_salarie": {"2021-03": 1}}, "b": {"effectif_salarie": {"2021-03": 2}}}
    situation = {"entreprises": {"seule": {}} | membres, "groupes": {"g": {"membres": ["b", "a"]}}}
    simulation = construire(systeme, situation)
    assert repliquer(simulation, 2, rang=1).persons.ids == ["a#0", "b#0", "a#1", "b#1"]
    essais = Essais(simulation, 2, 3)
    essais.donner("effectif_salarie", periods.period("2021-03"), [10.0, 20.0], [0, 2])
    assert essais.calculer("effectif_salarie", "2021-03").tolist() == [10, 2, 20]
    assert essais.calculer("effectif_groupe", "2021-03").tolist() == [11, 3, 21]


# ---- texts and citations ----


def test_les_autres_entreprises_citent_le_ii():
    """Article 3-24: « autres entreprises » are of the II, and the loss they show is not that of the I, A, 3°."""
    conditions = article(explain({"chiffre_affaires": {"2019": 120_000}}, "2021-03"), "3-24").conditions
    autres = next(une for une in toutes(conditions) if une.variable == "fds_regime_autres_entreprises")
    assert autres.references == ["Décret n° 2020-371 du 30 mars 2020, art. 3-24, II, A"]
    assert len(autres.sous_conditions) == 2
    assert all(", I, " not in reference for sous in autres.sous_conditions for reference in sous.references)


def discotheque(**autres):
    """August 2020, closed, too many employees for the articles of the fund; loss of 10 000 €."""
    fermee = {"jours_interdiction_accueil_public": {"2020-08": 31}, "effectif_salarie": {"2020-08": 25}}
    return {"discotheque": True, "chiffre_affaires": {"2019": 120_000}} | fermee | autres


def test_une_discotheque_payee_nomme_son_decret_et_ses_conditions():
    """Décret 2020-1049: the loss up to 1 500 €."""
    explication = explain(discotheque(), "2020-08")
    assert (explication.montant, explication.retenu) == (1_500, "fds_discotheque_volet_1")
    page = texte(explication)
    assert page.split("**")[1].startswith(
        "Aide du mois : 1 500,00 €, au titre du décret n° 2020-1049 du 14 août 2020. Sous réserve"
    )
    sienne = section(page, "Décret n° 2020-1049 du 14 août 2020, discothèques : aide du mois")
    assert "Discothèque (établissement recevant du public de type P) : oui *(art. 1er)*" in sienne
    assert "Entreprise mentionnée à l'article 1er *(décret n° 2020-371, art. 1er)*" in sienne


def test_une_discotheque_refusee_dit_pourquoi():
    explication = explain(discotheque(dirigeant_contrat_temps_complet={"2020-08": True}), "2020-08")
    assert "premier jour du mois : oui, il fallait non, pour 1 500,00 €" in texte(explication)


def test_l_historique_nomme_le_decret_des_discotheques(systeme):
    mois = next(un for un in historique(construire(systeme, discotheque())).mois if un.periode == "2020-08")
    assert (mois.article, mois.montant) == ("2020-1049", 1_500)


def test_3_8_ouvre_le_droit_et_3_9_fixe_le_montant():
    """Restaurant in Paris, August 2020: loss of 10 000 €, up to 1 500 €."""
    situation = ANCIENNE | {"code_naf": "56.10A", "chiffre_affaires": {"2019": 120_000}}
    page = texte(explain(situation, "2020-08"))
    assert "au titre de l'article 3-8, montant fixé par l'article 3-9" in page
    assert "### Montant, fixé par l'article 3-9" in page


def test_le_complement_est_distingue_de_l_article():
    """August 2021, hotel of a confined territory without earlier aid: 1 500 €, then 20 % of 50 000 € less 1 500 €."""
    situation = ANCIENNE | {
        "code_naf": "55.10Z",
        "jours_confinement": {"2021-08": 10},
        "fds_aide_percue": {f"2021-0{mois}": False for mois in range(1, 6)},
        "chiffre_affaires": {"2019": 600_000},
    }
    explication = explain(situation, "2021-08")
    assert explication.montant == 10_000
    assert (
        texte(explication)
        .split("**")[1]
        .startswith(
            "Aide du mois : 10 000,00 €, soit 1 500,00 € au titre de l'article 3-28 et 8 500,00 € de complément "
            "(décret n° 2021-1582 du 7 décembre 2021)."
        )
    )


@pytest.mark.parametrize(("donnee", "dite"), [({}, False), ({"activite_secondaire": True}, True)])
def test_2021_960_est_dit_quand_le_cas_en_donne_une_donnee(donnee, dite):
    situation = ANCIENNE | {"code_naf": "47.11B", "chiffre_affaires": {"2019": 120_000}} | donnee
    page = texte(explain(situation, "2021-06"), autres=False)
    assert ("Décret n° 2021-960 du 20 juillet 2021, aide aux commerces multi-activités" in page) is dite


# ---- what the month asks for, and nothing else ----


@pytest.mark.parametrize(
    ("mois", "attendu"),
    [
        ("2020-12", "Fermée"),
        ("2021-02", "Fermée, et perte de 20 %"),
        ("2021-03", "Fermée, et perte de 20 %, sauf à Mayotte"),
        ("2021-04", "Fermée, et perte de 20 %"),
    ],
)
def test_un_libelle_date_ne_dit_que_le_mois(mois, attendu):
    libelle = "Fermée, et perte de 20 % (depuis février 2021), sauf à Mayotte (en mars 2021)"
    assert ecriture.du_mois(libelle, mois) == attendu
    assert ecriture.du_mois("Aide de juin (jusqu'en juillet 2021)", "2021-08") == ""
    assert ecriture.en_vigueur("Décret, art. 1er, I, 5° bis (depuis mars 2021)", "2021-02") == ""
    assert ecriture.en_vigueur("Décret, art. 1er, I, 5° bis (depuis mars 2021)", "2021-03").endswith("5° bis")


def test_aucun_libelle_ne_garde_une_date_d_effet(systeme):
    """Whatever the month, what a label or a reference dates is either kept without its date, or dropped."""
    datees = 0
    for variable in systeme.variables.values():
        for mois in ("2020-03", "2020-09", "2021-03", "2022-02"):
            textes = [variable.label, *(variable.reference or [])]
            lus = [ecriture.du_mois(variable.label, mois), *(ecriture.en_vigueur(un, mois) for un in textes[1:])]
            assert not any(re.search(r"\((depuis|jusqu'en|en) ", lu) for lu in lus), variable.name
            datees += lus != textes
    assert datees > 20


@pytest.mark.parametrize(
    ("mois", "absent", "mois_present"),
    [
        ("2020-12", "Fermée au public sans interruption pendant le mois, et perte d'au moins 20 %", "2021-02"),
        ("2021-08", "aide antérieure, activité minimale", "2021-09"),
        ("2021-08", "Chiffre d'affaires d'au moins 15 % de la référence", "2021-09"),
        ("2021-08", "Fermée au public sans interruption et perte d'au moins 20 %, et aide antérieure", "2021-07"),
        ("2021-02", "5° bis", "2021-03"),
        ("2021-02", "monument historique", "2021-03"),
        ("2020-09", "entreprise dispensée par son effectif", "2020-10"),
    ],
)
def test_une_condition_d_un_autre_mois_n_est_pas_montree(mois, absent, mois_present):
    situation = ANCIENNE | {"code_naf": "56.30Z", "chiffre_affaires": {"2019": 120_000}}
    assert absent not in texte(explain(situation, mois)).split("## Décret n° 2021-960")[0]
    assert absent in texte(explain(situation, mois_present))


def test_un_monument_reste_refuse_avant_mars_2021():
    situation = ANCIENNE | {"monument_historique_ouvert_au_public": True, "chiffre_affaires": {"2019": 120_000}}
    page = texte(explain(situation, "2021-02"))
    assert "(propriétaire d'un monument historique ouvert au public : oui)" in page
    assert "5° bis" not in page


# ---- in words ----


def habillement(**autres):
    """March 2021, maker of clothes (article 3-29): reference 10 000 €, no turnover."""
    mois = {f"2020-{rang:02d}": 11_000 for rang in range(1, 13)}
    return ANCIENNE | {"code_naf": "14.13Z", "chiffre_affaires": {"2019": 120_000} | mois} | autres


def test_une_hausse_se_dit_en_toutes_lettres():
    """2020 at 132 000 € against 120 000 €: no loss over the year, and no negative rate."""
    page = section(texte(explain(habillement(), "2021-03")), "Article 3-29")
    assert (
        "chiffre d'affaires en hausse, 132 000,00 € contre 120 000,00 € de référence ; attendu : au moins 10 %" in page
    )
    assert "-10 %" not in page
    assert "−10 %" not in page


def test_une_entreprise_sans_reference_le_dit():
    """Created in 2021: nothing in 2019 to compare with, and the date says so too."""
    situation = {"code_naf": "14.13Z", "date_creation": "2021-01-10", "chiffre_affaires": {"2021-02": 5_000}}
    explication = explain(situation, "2021-03")
    page = section(texte(explication), "Article 3-29")
    assert "aucun chiffre d'affaires de référence ; attendu : au moins 10 %" in page
    assert "10 janvier 2021 ; attendu : avant le 1er décembre 2019" in page
    assert "sur 0,00 €" not in texte(explication)


def test_ce_que_personne_n_a_donne_est_dit_par_defaut():
    page = texte(explain({"chiffre_affaires": {"2019": 120_000, "2021-03": 0}}, "2021-03"))
    assert "75 (Paris) (par défaut)" in page
    donnee = texte(explain({"departement": "75", "chiffre_affaires": {"2019": 120_000, "2021-03": 0}}, "2021-03"))
    assert "75 (Paris)" in donnee
    assert "75 (Paris) (par défaut)" not in donnee
    assert "Chiffre d'affaires du mois : 0,00 € ;" in page
    sans = texte(explain({"chiffre_affaires": {"2019-03": 10_000}}, "2021-03"))
    assert "Chiffre d'affaires du mois : 0,00 € (par défaut) ;" in sans
    assert "Sous réserve : aucun chiffre d'affaires n'est donné pour mars 2021." in sans
    assert "Sous réserve" not in page


def test_3_16_dit_ce_qui_aurait_ete_du():
    """December 2020, ski shop of 60 employees: 80 % of a loss of 7 000 €, less 500 € of pensions."""
    situation = ANCIENNE | {
        "code_naf": "47.64Z",
        "commune_annexe_3": True,
        "effectif_salarie": {"2020-12": 60},
        "pensions_retraite": {"2020-12": 500},
        "dettes_fiscales_ou_sociales_impayees": {"2020-12": True},
        "chiffre_affaires": {"2019": 120_000, "2020-12": 3_000},
    }
    stations = article(explain(situation, "2020-12"), "3-16")
    assert (stations.montant, stations.montant_si_change) == (0, 5_100)
    page = section(texte(explain(situation, "2020-12")), "Article 3-16")
    assert "### Montant que la formule donnerait au chiffre d'affaires actuel (art. 3-16, II) - Aide de déc" in page
    assert "5 100,00 € = 5 600,00 €" in page


def test_une_formule_ne_montre_pas_ce_qui_ne_change_rien():
    """Closed all March 2021, no distance sales: the loss is 10 000 − 4 000, without a share of null sales."""
    situation = ANCIENNE | {
        "jours_interdiction_accueil_public": {"2021-03": 31},
        "chiffre_affaires": {"2019": 120_000, "2021-03": 4_000},
    }
    page = texte(explain(situation, "2021-03"))
    assert "(1 −" not in page
    assert re.search(r"ventes à distance et à emporter exclues : 6 000,00 € = 10 000,00 € \([^)]*\) − 4 000,00 €", page)


def test_les_statuts_ne_dependent_pas_de_ce_qui_est_montre():
    """Met or not, every condition of a met conjunction is met, and a failing one has a failing part or a figure."""
    for mois in ("2020-06", "2021-01", "2021-09"):
        for un in explain(habillement(), mois).articles:
            for une in toutes(un.conditions):
                if une.sens == "toutes" and une.statut == REMPLIE:
                    assert all(sous.statut == REMPLIE for sous in une.sous_conditions), une
                if une.sens and une.statut == NON_REMPLIE:
                    assert any(sous.statut == NON_REMPLIE for sous in une.sous_conditions), une


# ---- the command line ----

ANGLAIS = re.compile(
    r"\b(usage:|options:|commands:|error|show|exit|missing|such|did you|invalid|required|default|text)\b"
)


@pytest.mark.parametrize("commande", ["", *cli.COMMANDES])
def test_l_aide_de_chaque_commande_est_en_francais(commande):
    resultat = CliRunner().invoke(cli.main, [*commande.split(), "--help"])
    assert resultat.exit_code == 0
    assert resultat.output.startswith("Usage : ")
    assert not ANGLAIS.search(resultat.output.lower()), resultat.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Erreur : Argument absent 'CAS'."),
        (["x.yaml", "--mois", "3"], "Erreur : Option '--mois' inconnue. Peut-être '--month' ?"),
        (["x.yaml", "y"], "Erreur : Argument en trop (y)"),
        (["x.yaml", "--month"], "Erreur : L'option '--month' demande une valeur."),
        (["x.yaml", "--format", "pdf"], "'pdf' ; attendu : l'un de 'rich', 'json', 'markdown', 'html'."),
        (["/"], "'/' : c'est un dossier."),
    ],
)
def test_chaque_erreur_de_la_ligne_de_commande_est_en_francais(arguments, message):
    resultat = CliRunner().invoke(cli.main, ["explain", *arguments])
    assert resultat.exit_code == 2
    assert message in resultat.output
    assert not ANGLAIS.search(resultat.output.lower()), resultat.output
