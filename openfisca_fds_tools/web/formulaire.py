"""What the page needs to know of the model: fields, months, articles. Labels and units are those of the model."""

from datetime import date
from functools import cache

import numpy
from openfisca_core import periods
from openfisca_core.indexed_enums import Enum
from openfisca_core.periods import ETERNITY

from openfisca_fds_tools.situation import BORNES, BORNES_PAR_UNITE
from openfisca_fds_tools.web.lecture import DERNIER_MOIS, PREMIER_MOIS

PREMIER_MOIS_DES_DONNEES = "2019-01"
PRINCIPAUX = ("date_creation", "forme_juridique", "code_naf", "departement", "effectif_salarie")
GRILLES = (  # the first one stands open
    "chiffre_affaires",
    "jours_interdiction_accueil_public",
    "chiffre_affaires_vente_a_distance",
    "chiffre_affaires_jours_interdiction",
    "jours_couvre_feu_ou_confinement",
    "jours_confinement",
    "pensions_retraite",
    "indemnites_journalieres",
)
UNITES = {"currency-EUR": "€", "/1": "de 0 à 1", None: ""}
NOMS_DES_MOIS = ["janv.", "févr.", "mars", "avril", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc."]


def _mois(debut, fin):
    return numpy.arange(numpy.datetime64(debut), numpy.datetime64(fin) + 1).astype(str).tolist()


@cache
def contexte(systeme):
    """Gather what the template of the page reads.

    Args:
        systeme: tax and benefit system.

    Returns:
        Dictionary of the variables of the template.
    """
    from openfisca_fds_tools.explain.timeline import AIDES_UNIQUES

    aides, donnees = _mois(PREMIER_MOIS, DERNIER_MOIS), _mois(PREMIER_MOIS_DES_DONNEES, DERNIER_MOIS)
    autres = [
        nom
        for nom, variable in systeme.variables.items()
        if variable.is_input_variable() and variable.definition_period == ETERNITY and nom not in PRINCIPAUX
    ]
    return {
        "principaux": [_champ(systeme, nom) for nom in PRINCIPAUX],
        "grilles": [
            _champ(systeme, nom) | {"annees": _annees(aides if rang else donnees)} for rang, nom in enumerate(GRILLES)
        ],
        "autres": [_champ(systeme, nom) for nom in autres],
        "noms_des_mois": NOMS_DES_MOIS,
        "donnees": {
            "mois": aides,
            "moisDesDonnees": donnees,
            "articles": _articles(systeme, aides),
            "uniques": {nom: systeme.get_variable(nom).label for nom in AIDES_UNIQUES},
        },
    }


def _annees(mois):
    """Lay months out as {year: [month or None, for January to December]}."""
    annees = sorted({texte[:4] for texte in mois})
    return {annee: [un if (un := f"{annee}-{rang:02d}") in mois else None for rang in range(1, 13)] for annee in annees}


def _champ(systeme, nom):
    variable = systeme.get_variable(nom)
    genres = {bool: "booleen", int: "entier", float: "nombre", date: "date", Enum: "liste"}
    mini, maxi = BORNES.get(nom) or BORNES_PAR_UNITE.get(variable.unit, (None, None))
    return {
        "nom": nom,
        "libelle": variable.label,
        "genre": genres[variable.value_type],
        "mensuel": variable.definition_period != ETERNITY,
        "unite": UNITES.get(variable.unit, variable.unit),
        "mini": mini,
        "maxi": maxi,
        "defaut": variable.default_value.name if variable.value_type is Enum else variable.default_value,
        "valeurs": [(membre.name, membre.value) for membre in getattr(variable, "possible_values", None) or []],
    }


def _articles(systeme, mois):
    """List the monthly articles: number, variable of the amount, months when it has a formula."""
    articles = []
    for nom, variable in systeme.variables.items():
        if nom.startswith("fds_article_") and nom.endswith("_montant"):
            ouverts = [un for un in mois if variable.get_formula(periods.period(un)) is not None]
            numero = nom.removeprefix("fds_article_").removesuffix("_montant").replace("_", "-")
            articles.append({"numero": numero, "variable": nom, "libelle": variable.label, "mois": ouverts})
    return articles
