"""Explain the aid of one enterprise for one month."""

import re
from functools import cache

from openfisca_core import periods
from openfisca_core.periods import ETERNITY, DateUnit
from openfisca_core.simulations import Simulation

from openfisca_fds import CountryTaxBenefitSystem
from openfisca_fds.references import DECRET
from openfisca_fds_tools.explain.calculs import SORTIES_COMMUNES, branches, calcul
from openfisca_fds_tools.explain.changements import changements, reunis
from openfisca_fds_tools.explain.conditions import conditions, refusees, termes_du_droit
from openfisca_fds_tools.explain.data import Article, Explication
from openfisca_fds_tools.explain.lecteur import ARTICLE_CITE, Lecteur
from openfisca_fds_tools.situation import construire

TOTAL = "fonds_de_solidarite"
DEMANDE = "demande_fonds_solidarite"
AVANT_PLAFOND = "fds_volet_1_avant_plafond"
ARTICLE = re.compile(r"(fds_article_\w+)_eligible")

# The rights of the other texts, and the amount of each; monthly or once for all.
AUTRES_DROITS = {
    "fds_complement_eligible": "fds_complement_2021_1582",
    "fds_volet_2_eligible": "fds_volet_2",
    "multi_activites_eligible": "multi_activites_montant",
}


@cache
def systeme_par_defaut():
    """Return the model without reform, built once."""
    return CountryTaxBenefitSystem()


def explain(simulation, period, entreprise=None):
    """Explain the aid of one enterprise for one month.

    Args:
        simulation: openfisca-core Simulation, or a situation (see ``openfisca_fds_tools.situation.construire``), whose
            values without period are those of ``period``.
        period: month, ``2021-03`` or Period.
        entreprise: id of the enterprise; needed when there are several.

    Returns:
        Explication.

    Raises:
        ErreurSituation: the situation cannot be read.
        ValueError: ``period`` is not a month, or ``entreprise`` is missing or unknown.
    """
    period = periods.period(period)
    if period.unit != DateUnit.MONTH or period.size != 1:
        raise ValueError(f"« {period} » n'est pas un mois, comme 2021-03.")
    if not isinstance(simulation, Simulation):
        simulation = construire(systeme_par_defaut(), simulation, str(period))
    ids = [str(identifiant) for identifiant in simulation.persons.ids]
    if entreprise is None and len(ids) > 1:
        raise ValueError(f"Choisir l'entreprise à expliquer : {', '.join(ids)}.")
    if entreprise is not None and entreprise not in ids:
        raise ValueError(f"Entreprise « {entreprise} » inconnue : {', '.join(ids)}.")
    rang = 0 if entreprise is None else ids.index(entreprise)
    return _expliquer(simulation, rang, period, ids[rang])


def _expliquer(simulation, rang, period, identifiant):
    lecteur = Lecteur(simulation, rang, period)
    articles = [
        _article(lecteur, nom.removeprefix("fds_article_").replace("_", "-"), f"{nom}_eligible", f"{nom}_montant")
        for nom in articles_du_mois(lecteur)
    ]
    autres = [
        _article(lecteur, _texte(lecteur, droit), droit, montant)
        for droit, montant in AUTRES_DROITS.items()
        if _formule(lecteur, droit) is not None
    ]
    total, reference = lecteur.variable(TOTAL), lecteur.variable("chiffre_affaires_reference")
    payeurs = [article for article in articles if article.montant > 0]
    meilleur = max(payeurs, key=lambda article: article.montant, default=None)
    avant = lecteur.variable(AVANT_PLAFOND).valeur
    groupe = simulation.populations["groupe"]
    rang_du_groupe = groupe.members_entity_id[rang]
    return Explication(
        entreprise=identifiant,
        groupe=str(groupe.ids[rang_du_groupe]),
        periode=str(period),
        faits=[lecteur.fait(lecteur.variable(nom)) for nom in ("chiffre_affaires", *SORTIES_COMMUNES)],
        reference=calcul(lecteur, reference, arrets=()),
        options=branches(lecteur, reference, arrets=()),
        articles=articles,
        autres=autres,
        total=calcul(lecteur, total, arrets=(*SORTIES_COMMUNES, *(article.variable_montant for article in articles))),
        montant=total.valeur,
        retenu=meilleur.variable_montant if meilleur and total.valeur > 0 and meilleur.montant == avant else None,
        demande=lecteur.variable(DEMANDE).valeur,
        avant_plafond=avant,
        membres=int((groupe.members_entity_id == rang_du_groupe).sum()),
    )


def payeur(explication):
    """Article and branch that pay, two empty texts when none does."""
    for article in explication.articles:
        if article.variable_montant == explication.retenu:
            branche = next((branche for branche in article.branches if branche.retenue), None)
            return article.numero, branche.libelle if branche else article.libelle
    return "", ""


def articles_du_mois(lecteur):
    """List the ``fds_article_XX`` in force for the month: those whose right has a formula that asks something."""
    noms = []
    for nom in lecteur.systeme.variables:
        trouve = ARTICLE.fullmatch(nom)
        if not trouve or _formule(lecteur, nom) is None:
            continue
        interieur = lecteur.interieur(lecteur.variable(nom))
        if interieur is None or interieur.operation != "constante":
            noms.append(trouve[1])
    return sorted(noms, key=lambda nom: [int(nombre) for nombre in re.findall(r"\d+", nom)])


def _formule(lecteur, nom):
    variable = lecteur.systeme.get_variable(nom)
    return variable.get_formula() if variable.definition_period == ETERNITY else variable.get_formula(lecteur.period)


def _texte(lecteur, droit):
    """Name a text that is not a monthly article: « art. 4 » of the decree, or another decree."""
    reference = lecteur.references(droit)[0]
    decret, _, article = reference.partition(", art. ")
    return article.split(",")[0] if decret == DECRET else decret[:1].lower() + decret[1:]


def _article(lecteur, numero, nom_du_droit, nom_du_montant):
    cite = ARTICLE_CITE.search(lecteur.references(nom_du_droit)[0])
    lecteur = lecteur.pour(article=cite[1] if cite else None)
    droit, montant = lecteur.variable(nom_du_droit), lecteur.variable(nom_du_montant)
    posees = conditions(lecteur, droit)
    return Article(
        numero=numero,
        variable=droit.nom,
        variable_montant=montant.nom,
        libelle=lecteur.libelle(montant),
        references=lecteur.references(droit.nom),
        eligible=droit.valeur,
        conditions=posees,
        refus=[condition.numero for condition in refusees(posees)],
        changements=reunis([changements(sien, terme) for sien, _, terme in termes_du_droit(lecteur, droit)]),
        montant=montant.valeur,
        branches=branches(lecteur, montant),
        calcul=calcul(lecteur, montant),
    )
