"""Explanations: read in the model, equal to the model, right by hand, and pleasant to read."""

import calendar
import copy
import json
import random
import re
from datetime import date

import numpy
import pytest
from click.testing import CliRunner
from openfisca_core import periods
from openfisca_core.periods import ETERNITY, MONTH
from openfisca_core.reforms import Reform
from openfisca_core.variables import Variable
from rich.console import Console

from openfisca_fds.amounts import Reel
from openfisca_fds.entities import Entreprise
from openfisca_fds_tools.explain import blocs, command, ecriture, explain, rendu
from openfisca_fds_tools.explain.calculs import branches
from openfisca_fds_tools.explain.changements import ecart_a_la_part
from openfisca_fds_tools.explain.data import NON_REMPLIE, REMPLIE, SANS_OBJET
from openfisca_fds_tools.explain.explication import articles_du_mois
from openfisca_fds_tools.explain.lecteur import Lecteur
from openfisca_fds_tools.explain.rejeu import lire_formule
from openfisca_fds_tools.situation import construire

MOIS = [f"{annee}-{mois:02d}" for annee in (2020, 2021, 2022) for mois in range(1, 13)][2:26]

RESTAURANT = {"code_naf": "56.10A", "chiffre_affaires": {"2019": 120_000, "2021-03": 5_001}}


NAF = ["inconnu", "56.10A", "47.71Z", "96.02A", "14.13Z", "68.20A", "33.15Z", "46.17B"]
DEPARTEMENTS = ["75", "69", "971", "973", "976"]


def article(explication, numero):
    return next(article for article in explication.articles if article.numero == numero)


def condition(conditions, numero):
    """Condition of a number, wherever it is."""
    for une in conditions:
        if une.numero == numero:
            return une
        if numero.startswith(f"{une.numero}."):
            return condition(une.sous_conditions, numero)
    raise KeyError(numero)


def toutes(conditions):
    for une in conditions:
        yield une
        yield from toutes(une.sous_conditions)


# ---- cases checked by hand ----


def test_un_refus_a_un_euro_du_seuil(systeme):
    """Reference 10 000 €, turnover 5 001 €: 49,99 % of loss where 50 % is asked (fiche 03, mars 2021)."""
    explication = explain(RESTAURANT, "2021-03")
    mars = article(explication, "3-24")
    assert (explication.montant, explication.retenu, mars.eligible, mars.refus) == (0, None, False, ["3"])
    perte = next(une for une in toutes(mars.conditions) if une.variable == "fds_perte_seuil_general")
    assert perte.statut == NON_REMPLIE
    assert perte.comparaison.valeur == pytest.approx(0.4999)
    assert (perte.comparaison.mot, perte.comparaison.seuil, perte.comparaison.ecart) == ("au moins", 0.5, 1)
    assert perte.comparaison.detail == "4\u202f999,00\u00a0€ sur 10\u202f000,00\u00a0€"
    (changement,) = mars.changements
    assert (changement.variable, changement.actuel, changement.requis) == ("chiffre_affaires", 5001, 5000)
    assert (changement.sens, changement.ecart) == ("au plus", 1)
    source = perte.comparaison.sources[0]
    assert source.valeur == 0.5
    assert source.confiance in ("T", "S", "M")
    assert source.references[0].href.startswith("https://")


def test_ce_que_les_regimes_auraient_donne(systeme):
    """Loss of 4 999 €: 20 % of 10 000 is 2 000, the loss is more; 80 % of it is 3 999,20; R5 stops at 1 500 €."""
    branches = {b.libelle: b for b in article(explain(RESTAURANT, "2021-03"), "3-24").branches}
    montants = {libelle[:20]: round(branche.montant, 2) for libelle, branche in branches.items()}
    assert montants["Annexe 1 et perte d'"] == 4999
    assert montants["Annexe 2, condition "] == 3999.2
    assert montants["Autres entreprises :"] == 1500
    assert not any(branche.ouverte or branche.retenue for branche in branches.values())


def test_un_accord_et_la_branche_appliquee(systeme):
    """Turnover 2 000 €: loss of 8 000 € below 10 000 €, above 20 % of 10 000 €; annexe 1 pays the loss."""
    situation = {**RESTAURANT, "chiffre_affaires": {"2019": 120_000, "2021-03": 2_000}}
    explication = explain(situation, "2021-03")
    mars = article(explication, "3-24")
    assert (mars.eligible, mars.montant, explication.montant) == (True, 8000, 8000)
    assert explication.retenu == "fds_article_3_24_montant"
    (retenue,) = [branche for branche in mars.branches if branche.retenue]
    assert retenue.libelle == "Annexe 1 et perte d'au moins 50 %"
    assert retenue.calcul.formule.startswith("le plus élevé de 8\u202f000,00\u00a0€")
    assert mars.changements == []


def test_les_references_comparees(systeme):
    """March 2019 at 5 000 €, year at 120 000 €: the mean, 10 000 €, wins and stays frozen from February 2021 on."""
    situation = {"chiffre_affaires": {"2019": 120_000, "2019-02": 5_000, "2019-03": 5_000}}
    explication = explain(situation, "2021-03")
    options = {option.libelle: (option.montant, option.retenue) for option in explication.options}
    assert options["Chiffre d'affaires mensuel moyen de 2019"] == (10_000, True)
    assert options["Chiffre d'affaires du même mois de 2019"] == (5_000, False)


def test_le_texte_de_mars_2020(systeme):
    """Article 2: eleven conditions in the order of the text, each with its paragraph, and min(loss, 1 500 €)."""
    explication = explain({"chiffre_affaires": {"2019": 24_000, "2020-03": 600}}, "2020-03")
    mars = article(explication, "2")
    # reference 2 000 €, loss 1 400 € (70 %), below 1 500 €
    assert (mars.eligible, mars.montant) == (True, 1400)
    assert [une.numero for une in mars.conditions] == [str(rang) for rang in range(1, len(mars.conditions) + 1)]
    assert all(une.references for une in mars.conditions)
    assert "dans la limite de 1\u202f500,00\u00a0€" in mars.branches[0].calcul.formule


def test_une_valeur_donnee_remplace_la_formule(systeme):
    """Aid of April 2021 given as received: the condition of article 3-28 is met, without a formula to tell."""
    base = {"code_naf": "56.10A", "chiffre_affaires": {"2019": 120_000, "2021": 60_000}}
    sans = article(explain({**base, "demande_fonds_solidarite": False}, "2021-06"), "3-28")
    avec = article(explain({**base, "fds_aide_percue": {"2021-04": True}}, "2021-06"), "3-28")
    nom = "fds_aide_anterieure_avril_ou_mai_2021"
    aides = [une for une in toutes(avec.conditions) if une.variable == nom]
    assert aides[0].statut == REMPLIE
    (avril,) = [u for u in aides[0].sous_conditions if u.periode == "2021-04"]
    assert (avril.statut, avril.sens, avril.sous_conditions) == (REMPLIE, None, [])
    assert sans.variable == avec.variable


def test_le_plafond_du_groupe_est_dit(systeme):
    """Two closed members, 20 % of 800 000 € = 160 000 € each: 320 000 € in the group, 200 000 € shared in halves."""
    membre = {
        "chiffre_affaires": {"2019": 9_600_000},
        "jours_interdiction_accueil_public": {"2021-02": 28},
    }
    situation = {"entreprises": {"a": membre, "b": membre}, "groupes": {"g": {"membres": ["a", "b"]}}}
    explication = explain(situation, "2021-02", "b")
    assert (explication.montant, explication.groupe) == (100_000, "g")
    texte = rendu.markdown(blocs.page(explication)).replace("\u202f", " ").replace("\u00a0", " ")
    assert "160 000,00 €" in texte
    assert "320 000,00 €" in texte
    assert "200 000,00 €" in texte


def test_hors_du_fonds(systeme):
    explication = explain({"chiffre_affaires": {"2019": 1000}}, "2019-06")
    assert (explication.articles, explication.montant) == ([], 0)
    assert "aucun article du décret ne vise juin 2019" in rendu.markdown(blocs.page(explication))


def test_plusieurs_entreprises_demandent_un_choix(systeme):
    situation = {"entreprises": {"a": {}, "b": {}}}
    with pytest.raises(ValueError, match="Choisir l'entreprise parmi : a, b"):
        explain(situation, "2021-03")
    with pytest.raises(ValueError, match="« c » inconnue"):
        explain(situation, "2021-03", "c")
    with pytest.raises(ValueError, match="n'est pas un mois"):
        explain(situation, "2021", "a")


def test_une_alternative_inutile_est_sans_objet(systeme):
    """Not an association: subject to commercial taxes as well, and its headcount does not matter (art. 1er, 5°)."""
    mars = article(explain(RESTAURANT, "2021-03"), "3-24")
    admise = next(une for une in toutes(mars.conditions) if une.variable == "fds_association_admise")
    assert (admise.statut, admise.sens) == (REMPLIE, "une")
    assert [sous.statut for sous in admise.sous_conditions] == [REMPLIE, REMPLIE, SANS_OBJET]
    contrat = next(une for une in mars.conditions if une.variable == "fds_sans_contrat_temps_complet")
    assert [sous.statut for sous in contrat.sous_conditions] == [REMPLIE, SANS_OBJET]
    regimes = next(une for une in mars.conditions if une.numero == "3")
    assert {sous.statut for sous in regimes.sous_conditions} == {NON_REMPLIE}


# ---- the nearest change ----


@pytest.mark.parametrize("taux", [0.1, 0.2, 0.5, 0.7, 0.8])
def test_l_ecart_est_exact_au_centime(taux):
    """By integers: the loss reached is the first whole number of cents at or above the share."""
    hasard = random.Random(int(taux * 100))
    for _ in range(2000):
        reference, perte = hasard.randint(1, 10**8), hasard.randint(0, 10**8)
        atteinte = round((perte / 100 + ecart_a_la_part(perte / 100, reference / 100, taux)) * 100)
        pourcents = round(taux * 100)
        assert atteinte * 100 >= pourcents * reference > (atteinte - 1) * 100


def test_le_changement_le_plus_proche_d_une_alternative(systeme):
    """Closed one day would do, but a restaurant at 1 € of its threshold is told the euro, not the closure."""
    mars = article(explain(RESTAURANT, "2021-03"), "3-24")
    assert [changement.variable for changement in mars.changements] == ["chiffre_affaires"]


def test_tout_ce_qui_refuse_doit_changer(systeme):
    situation = RESTAURANT | {"date_creation": "2021-01-15", "dettes_fiscales_ou_sociales_impayees": {"2021-03": True}}
    mars = article(explain(situation, "2021-03"), "3-24")
    changes = {changement.variable: changement for changement in mars.changements}
    assert changes["dettes_fiscales_ou_sociales_impayees"].requis is False
    debut = changes["date_debut_activite"]
    # strictly before 31 December 2020, started on 15 January 2021
    assert (debut.sens, debut.requis) == ("avant le", "2020-12-31")
    assert debut.ecart == (date(2021, 1, 15) - date(2020, 12, 31)).days + 1


# ---- derived from the model ----


def au_hasard(hasard):
    """Draw an enterprise near the thresholds, of any sector and territory."""
    mensuel = hasard.choice([1_000, 10_000, 60_000])
    parts = hasard.choice([[0], [0.2], [0, 0.2, 0.3, 0.5, 0.79, 0.8, 0.9]])  # same loss all along, or not
    entreprise = {
        "chiffre_affaires": {"2019": 12 * mensuel} | {mois: round(hasard.choice(parts) * mensuel, 2) for mois in MOIS},
        "code_naf": hasard.choice(NAF),
        "departement": hasard.choice(DEPARTEMENTS),
        "date_creation": hasard.choice(["2010-01-01", "2019-07-01", "2020-02-10", "2020-08-01", "2020-10-15"]),
        "forme_juridique": hasard.choice(["entreprise_individuelle", "societe", "association"]),
        "effectif_salarie": {str(annee): hasard.choice([0, 1, 5, 15, 60]) for annee in (2020, 2021, 2022)},
        "commune_annexe_3": hasard.random() < 0.3,
        "filiere_festive": hasard.random() < 0.3,
        "part_chiffre_affaires_clients_proteges": hasard.choice([0, 0.5]),
        "surface_centre_commercial": hasard.choice([0, 10_000, 25_000]),
        "jours_confinement": {mois: hasard.choice([0, 8, 10]) for mois in MOIS},
        "jours_couvre_feu_ou_confinement": {mois: hasard.choice([0, 20, 25]) for mois in MOIS},
        "pensions_retraite": {mois: hasard.choice([0, 0, 500, 1600]) for mois in MOIS},
        "option_chiffre_affaires_reference": hasard.choice(["plus_favorable", "mois_2019", "moyenne_2019"]),
    }
    jours = {mois: calendar.monthrange(int(mois[:4]), int(mois[5:]))[1] for mois in MOIS}
    entreprise["jours_interdiction_accueil_public"] = {
        mois: hasard.choice([0, 0, 10, 21, jours[mois]]) for mois in MOIS
    }
    entreprise["fds_aide_percue"] = {mois: hasard.random() < 0.5 for mois in MOIS if mois < "2021-06"}
    return entreprise


@pytest.mark.parametrize("graine", range(12))
def test_l_explication_est_le_modele(systeme, graine):
    """Amounts and rights are the model's; a right is refused if and only if a condition fails; JSON and pages hold."""
    hasard = random.Random(graine)
    situation = {"entreprises": {"a": au_hasard(hasard), "b": au_hasard(hasard)}}
    if graine % 2:
        situation["groupes"] = {"g": {"membres": ["a", "b"]}}
    simulation = construire(systeme, situation)
    for mois in hasard.sample(MOIS, 2):
        explication = explain(simulation, mois, "a")
        assert explication.montant == simulation.calculate("fonds_de_solidarite", mois)[0]
        assert json.loads(json.dumps(explication.en_dictionnaire(), allow_nan=False))
        for un in explication.articles:
            assert un.montant == simulation.calculate(un.variable_montant, mois)[0]
            assert un.eligible == simulation.calculate(un.variable, mois)[0]
            assert un.eligible == (not un.refus)
            assert un.eligible == all(une.statut == REMPLIE for une in un.conditions)
            if un.montant > 0:
                assert sum(branche.retenue for branche in un.branches) == 1
            verifier_le_changement(systeme, situation, mois, un)
        verifier_la_page(explication)


def verifier_le_changement(systeme, situation, mois, un):
    """Check, by giving the model the changes as a case would, that they open the right and what they give.

    One cent beyond the turnover asked for, the right stays closed; or it opens further still, for no more than what
    is paid without it.
    """
    if un.eligible or un.changements is None:
        return
    assert un.changements
    change = avec(systeme, situation, un.changements)
    simulation = construire(systeme, change)
    assert simulation.calculate(un.variable, mois)[0]
    montant, aide = (simulation.calculate(nom, mois)[0] for nom in (un.variable_montant, "fonds_de_solidarite"))
    assert (montant, aide) == (un.montant_si_change, un.aide_si_change), (un.numero, un.changements)
    if [(c.variable, c.periode) for c in un.changements] == [("chiffre_affaires", mois)]:
        (changement,) = un.changements
        pas = 0.01 if changement.sens == "au plus" else -0.01
        actuelle = construire(systeme, situation).calculate("fonds_de_solidarite", mois)[0]
        seuils = [changement.requis + pas, *numpy.linspace(changement.requis, changement.actuel, 21)]
        ouverts = []
        for seuil in seuils:
            change["entreprises"]["a"]["chiffre_affaires"][mois] = round(seuil, 2)
            essai = construire(systeme, change)
            ouverts.append(
                essai.calculate(un.variable_montant, mois)[0] if essai.calculate(un.variable, mois)[0] else None
            )
        sans_interet = [montant for montant in ouverts if montant is not None and montant <= actuelle]
        assert ouverts[0] is None or sans_interet, (un.numero, changement)


def avec(systeme, situation, changements):
    """Write changes into a case; those of the group, into the group's own keys."""
    change = copy.deepcopy(situation)
    for saisie in (changement.saisie for changement in changements):
        entreprise = change["entreprises"]["a"]
        if not systeme.get_variable(saisie.variable).entity.is_person:
            groupe = change.setdefault("groupes", {}).setdefault("g", {"membres": ["a"]})
            groupe[saisie.variable] = {saisie.periode: saisie.valeur}
        elif saisie.periode is None:
            entreprise[saisie.variable] = saisie.valeur
        elif saisie.periode.startswith("month:"):
            nombre = int(saisie.periode.split(":")[2])
            debut = periods.period(saisie.periode.split(":")[1])
            parts = {str(debut.offset(rang)): saisie.valeur / nombre for rang in range(nombre)}
            entreprise[saisie.variable] = _mois_par_mois(entreprise[saisie.variable]) | parts
        else:
            donnees = entreprise.get(saisie.variable) or {}
            entreprise[saisie.variable] = _mois_par_mois(donnees) | {saisie.periode: saisie.valeur}
    return change


def _mois_par_mois(donnees):
    """Spread the years of an input of turnover or of headcount over the months that it does not give."""
    mois = {}
    for periode, valeur in donnees.items():
        if len(periode) == 4:
            part = valeur / 12 if valeur > 60 else valeur  # a turnover is divided, a headcount repeated
            mois |= {f"{periode}-{rang:02d}": part for rang in range(1, 13)}
    return mois | {periode: valeur for periode, valeur in donnees.items() if len(periode) > 4}


def verifier_la_page(explication):
    page = blocs.page(explication)
    console = Console(width=80, record=True, file=open("/dev/null", "w", encoding="utf-8"))  # noqa: SIM115 -- lives as long as the console
    console.print(rendu.rich(page, 80))
    assert max(len(ligne) for ligne in console.export_text().split("\n")) <= 80
    assert rendu.markdown(page).startswith("# Fonds de solidarité")
    html = rendu.html(page, "essai")
    assert html.count("<ul>") == html.count("</ul>")


def test_toutes_les_formules_se_suivent(systeme):
    """No formula of the law escapes: each, at each month it changes, gives an expression of the model's own value."""
    hasard = random.Random(0)
    simulation = construire(
        systeme, {"entreprises": {str(rang): sans_aide_donnee(au_hasard(hasard)) for rang in range(3)}}
    )
    perdues, suivies = [], 0
    for nom, variable in systeme.variables.items():
        debuts = {max(str(debut)[:7], "2020-03") for debut in variable.formulas} | {"2022-02"}
        for mois in debuts if variable.definition_period == MONTH else {"2021-01"}:
            periode = periods.period(mois)
            formule = variable.get_formula(periode) if variable.definition_period == MONTH else variable.get_formula()
            if formule is None or variable.definition_period not in (MONTH, ETERNITY):
                continue
            lecture = lire_formule(simulation, nom, periode, 0)
            suivies += 1
            if lecture is None or lecture.expression is None:
                perdues.append((nom, mois))
    assert perdues == []
    assert suivies > 300


def test_chaque_branche_de_chaque_article_est_expliquee(systeme):
    """Over 1 000 drawn enterprises and 24 months, each branch of each article pays at least once.

    One exception, in law: the branch of shopping centres asks for a closure, so that a regime of closure, which
    never pays less, is open too and comes first in the text.
    """
    hasard = random.Random(2)
    tires = {str(rang): au_hasard(hasard) for rang in range(1000)}
    for rang, tire in enumerate(tires.values()):  # every sector with every territory, and annexe 2 whatever the code
        tire |= {"code_naf": NAF[rang % len(NAF)], "departement": DEPARTEMENTS[rang // len(NAF) % len(DEPARTEMENTS)]}
        tire["annexe_2"] = {mois: hasard.random() < 0.3 for mois in MOIS}
    fermee = {"2021-02": 28, "2021-03": 31, "2021-04": 30, "2021-05": 31}
    centre = {"surface_centre_commercial": 25_000, "jours_interdiction_accueil_public": fermee}
    fixes = {
        "centre": {"code_naf": "47.71Z", "chiffre_affaires": {"2019": 120_000}, **centre},
        "coiffure": {"code_naf": "96.02A", "commune_annexe_3": True, "chiffre_affaires": {"2019": 720_000}},
        "station": {"code_naf": "68.20A", "commune_annexe_3": True, "chiffre_affaires": {"2019": 720_000}},
        "grande": {"annexe_2": dict.fromkeys(MOIS, True), "chiffre_affaires": {"2019": 720_000}},
    }
    tires = fixes | tires
    simulation = construire(systeme, {"entreprises": tires})
    ouvertes, payees, connues = set(), set(), set()
    for mois in MOIS:
        periode = periods.period(mois)
        for nom in articles_du_mois(Lecteur(simulation, 0, periode)):
            montants = simulation.calculate(f"{nom}_montant", periode)
            for rang in numpy.flatnonzero(montants > 0)[:150]:
                lecteur = Lecteur(simulation, int(rang), periode)
                for branche in branches(lecteur, lecteur.variable(f"{nom}_montant")):
                    cle = nom, branche.libelle
                    connues.add(cle)
                    ouvertes |= {cle} if branche.ouverte else set()
                    payees |= {cle} if branche.retenue else set()
                if {cle for cle in connues if cle[0] == nom} <= payees:
                    break
    assert {nom for nom, _ in connues} == {nom for mois in MOIS for nom in articles(simulation, mois)}
    assert connues == ouvertes
    assert {cle for cle in connues - payees if cle[1] != CENTRE_COMMERCIAL} == set()
    assert len(payees) >= 76  # of 80 branches, in 25 articles


CENTRE_COMMERCIAL = (
    "Commerce de détail avec un magasin interdit d'accueil dans un grand centre, et perte d'au moins 50 %"
)


def articles(simulation, mois):
    return articles_du_mois(Lecteur(simulation, 0, periods.period(mois)))


def sans_aide_donnee(entreprise):
    return {nom: valeur for nom, valeur in entreprise.items() if nom != "fds_aide_percue"}


def test_un_article_nouveau_s_explique_sans_code(systeme):
    """An article added by a reform is explained from its variables alone."""

    class fds_article_99_eligible(Variable):
        value_type = bool
        entity = Entreprise
        definition_period = MONTH
        label = "Éligible à l'aide imaginaire"
        reference = "Décret imaginaire, art. 99"

        def formula_2021_03(entreprise, period):  # noqa: N805 -- the form of OpenFisca formulas
            return entreprise("residence_fiscale_francaise", period) & (entreprise("effectif_salarie", period) >= 10)

    class fds_article_99_montant(Reel, Variable):
        value_type = float
        entity = Entreprise
        definition_period = MONTH
        unit = "currency-EUR"
        label = "Aide imaginaire"
        reference = "Décret imaginaire, art. 99"

        def formula_2021_03(entreprise, period):  # noqa: N805 -- the form of OpenFisca formulas
            aide = numpy.minimum(entreprise("chiffre_affaires", period), 250)
            return aide * entreprise("fds_article_99_eligible", period)

    class article_99(Reform):
        def apply(self):
            self.add_variable(fds_article_99_eligible)
            self.add_variable(fds_article_99_montant)

    situation = {"effectif_salarie": {"2021-03": 8}, "chiffre_affaires": {"2021-03": 900}}
    nouveau = article(explain(construire(article_99(systeme), situation), "2021-03"), "99")
    assert nouveau.refus == ["2"]
    assert nouveau.conditions[1].libelle.endswith("au moins 10\u00a0salariés")
    assert (nouveau.changements[0].ecart, nouveau.changements[0].unite) == (2, "salarié")
    assert article(explain(construire(article_99(systeme), situation), "2021-04"), "99").eligible is False


# ---- writing ----


@pytest.mark.parametrize(
    ("valeur", "unite", "texte"),
    [
        (1234.5, "currency-EUR", "1 234,50 €"),
        (-0.001, "currency-EUR", "0,00 €"),
        (-900.0, "currency-EUR", "−900,00 €"),
        (0.8, "/1", "80 %"),
        (0.79996, "/1", "79,996 %"),
        (0.77777, "/1", "77,78 %"),
        (0.4999999, "/1", "49,99999 %"),
        (0.7 + 1e-12, "/1", "70 %"),
        (0.1, "/1", "10 %"),
        (1, "salarié", "1 salarié"),
        (2, "jour", "2 jours"),
        (10000.0, "m²", "10 000 m²"),
        (True, None, "oui"),
        ("2020-03-01", None, "1er mars 2020"),
        (date(2021, 5, 31), None, "31 mai 2021"),
        (["01", "02"], None, "01, 02"),
        (None, None, "sans valeur"),
    ],
)
def test_ecriture(valeur, unite, texte):
    assert re.sub("[\u202f\u00a0]", " ", ecriture.valeur(valeur, unite)) == texte


# ---- commands ----


@pytest.fixture
def cas(tmp_path):
    chemin = tmp_path / "cas.yaml"
    chemin.write_text(
        "entreprises:\n  <b>snack</b>:\n    code_naf: 56.10C\n    chiffre_affaires: {2019: 120000, 2021-03: 5001}\n",
        encoding="utf-8",
    )
    return str(chemin)


def lancer(commande, *arguments):
    return CliRunner().invoke(commande, arguments, env={"COLUMNS": "80"})


def test_commande_explain(cas):
    resultat = lancer(command.explain, cas, "--month", "2021-03")
    assert resultat.exit_code == 0
    assert "il fallait au plus 5 000,00 €" in re.sub("[\u202f\u00a0]", " ", " ".join(resultat.output.split()))
    assert max(len(ligne) for ligne in resultat.output.split("\n")) <= 80


def test_commande_explain_json(cas):
    donnees = json.loads(lancer(command.explain, cas, "--month", "2021-03", "--format", "json").output)
    assert donnees["montant"] == 0
    assert donnees["articles"][0]["changements"][0]["ecart"] == 1


def test_commande_explain_html_est_echappee(cas):
    page = lancer(command.explain, cas, "--month", "2021-03", "--format", "html").output
    assert page.startswith("<!doctype html>")
    assert "<b>snack" not in page
    assert "&lt;b&gt;snack" in page
    assert "http" not in re.sub(r"https://www\.legifrance\S+", "", page)  # stands alone, offline


def test_tout_ce_qui_est_ecrit_en_html_est_echappe():
    page = [
        blocs.Titre(2, "<i>t"),
        blocs.Paragraphe("<i>p"),
        blocs.Points((blocs.Point(0, "<i>a", REMPLIE, "<i>r"), blocs.Point(1, "<i>b"))),
        blocs.Tableau(("<i>e", "n"), (("<i>l", "1"),)),
    ]
    html = rendu.html(page, "<i>titre")
    assert "<i>" not in html
    assert html.count("&lt;i&gt;") == 8
    assert html.count("<li") == html.count("</li>") == 2


def test_commande_explain_markdown(cas):
    page = lancer(command.explain, cas, "--month", "2021-03", "--format", "markdown").output
    assert page.startswith("# Fonds de solidarité, mars 2021")
    assert "| Régime et ce qui lui manque | Montant |" in page


@pytest.mark.parametrize(
    ("texte", "arguments", "message"),
    [
        ("chiffre_affaires: {2021-03: x}\n", ["--month", "2021-03"], "cas.yaml:1 : chiffre_affaires/2021-03"),
        ("chiffre_affaires: {2021-03: 1}\n", [], "Donner le mois"),
        ("chiffre_affaires: {2021-03: 1}\n", ["--month", "2021-3x"], "2021-3x"),
        ("chiffre_affaires: {2021-03: 1}\n", ["--month", "2021-03", "--enterprise", "z"], "« z » inconnue"),
        (
            "- {name: a, input: {}}\n- {name: b, input: {}}\n",
            ["--month", "2021-03"],
            "l'option --case et l'un de : a, b",
        ),
        ("- {name: a, input: {}}\n", ["--month", "2021-03", "--case", "c"], "cas « c » absent"),
        ("[]\n", ["--month", "2021-03"], "ni une situation ni des cas"),
        ("3\n", ["--month", "2021-03"], "ni une situation ni des cas"),
    ],
)
def test_commande_refuse_en_une_ligne(tmp_path, texte, arguments, message):
    chemin = tmp_path / "cas.yaml"
    chemin.write_text(texte, encoding="utf-8")
    resultat = lancer(command.explain, str(chemin), *arguments)
    assert resultat.exit_code == 2
    assert message in resultat.output
    assert "Traceback" not in resultat.output


def test_commande_lit_un_cas_de_test(tmp_path):
    chemin = tmp_path / "cas.yaml"
    chemin.write_text(
        "- name: un\n  period: 2021-03\n  input: {chiffre_affaires: {2019: 1200}}\n  output: {fds_volet_1: 0}\n"
        "- name: deux\n  period: 2021-04\n  input: {chiffre_affaires: {2019: 2400}}\n  output: {fds_volet_1: 0}\n",
        encoding="utf-8",
    )
    donnees = json.loads(lancer(command.explain, str(chemin), "--case", "deux", "--format", "json").output)
    assert donnees["periode"] == "2021-04"
    assert donnees["faits"][1]["valeur"] == 200


# ---- sweep ----


def test_balayage_trouve_la_marche_au_centime(tmp_path, cas):
    """Reference 10 000 €: at 50 % of loss exactly the loss of 5 000 € is paid, one cent above nothing."""
    resultat = lancer(command.sweep, cas, "--month", "2021-03", "--from", "0", "--to", "12000", "--points", "37")
    texte = re.sub("[\u202f\u00a0]", " ", resultat.output)
    assert resultat.exit_code == 0
    assert "5 000,00 € : aide de 5 000,00 € ; 5 000,01 € : aide de 0,00 €" in texte
    assert "1 marche entre" in texte


def test_balayage_egale_le_modele(systeme):
    from openfisca_fds_tools.explain.sweep import balayer

    hasard = random.Random(3)
    situation = {
        "entreprises": {"a": au_hasard(hasard), "b": au_hasard(hasard)},
        "groupes": {"g": {"membres": ["b", "a"]}},
    }
    resultat = balayer(systeme, situation, "chiffre_affaires", "2021-03", 0, 20_000, 9, "a")
    for valeur, aide in zip(resultat.valeurs, resultat.aides, strict=True):
        change = copy.deepcopy(situation)
        change["entreprises"]["a"]["chiffre_affaires"]["2021-03"] = valeur
        assert construire(systeme, change).calculate("fonds_de_solidarite", "2021-03")[0] == aide


def test_balayage_des_jours_de_fermeture(systeme):
    """A day of closure is enough in March 2021, with 20 % of loss: an integer input steps by one."""
    from openfisca_fds_tools.explain.sweep import balayer

    situation = {"chiffre_affaires": {"2019": 120_000, "2021-03": 7_000}}
    resultat = balayer(systeme, situation, "jours_interdiction_accueil_public", "2021-03", 0, 31, 32)
    # 30 % of loss: nothing without closure; partial closure pays the loss up to 1 500 €, total closure 3 000 €
    assert [(m.avant, m.apres, m.aide_avant, m.aide_apres) for m in resultat.marches] == [
        (0, 1, 0, 1500),
        (30, 31, 1500, 3000),
    ]


def test_balayage_dessine(tmp_path, cas):
    pytest.importorskip("altair", reason="extra report absent")
    pytest.importorskip("vl_convert", reason="extra report absent")
    dessin = tmp_path / "aide.svg"
    resultat = lancer(command.sweep, cas, "--month", "2021-03", "--from", "0", "--to", "9000", "--output", str(dessin))
    assert resultat.exit_code == 0, resultat.output
    assert "5 000,01" in dessin.read_text(encoding="utf-8").replace("\u202f", " ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--variable", "chifre_affaires"], "« chiffre_affaires »"),
        (["--variable", "artiste_auteur"], "sans valeur numérique"),
        (["--from", "9", "--to", "3"], "un intervalle croissant"),
        (["--output", "x.html"], ".svg"),
        (["--variable", "jours_confinement", "--to", "99"], "de 0 à 31"),
    ],
)
def test_balayage_refuse(cas, arguments, message):
    resultat = lancer(command.sweep, cas, "--month", "2021-03", "--from", "0", "--to", "12", *arguments)
    assert resultat.exit_code == 2
    assert message in resultat.output
