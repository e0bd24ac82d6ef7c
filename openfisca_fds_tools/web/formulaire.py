"""What the page needs to know of the model: fields, months, articles. Labels and units are those of the model."""

import re
from datetime import date
from functools import cache

import numpy
from openfisca_core import periods
from openfisca_core.indexed_enums import Enum
from openfisca_core.periods import ETERNITY

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
    donnees_du_modele = [nom for nom, variable in systeme.variables.items() if variable.is_input_variable()]
    restent = [nom for nom in donnees_du_modele if nom not in (*PRINCIPAUX, *GRILLES)]
    mensuelles = [nom for nom in restent if systeme.get_variable(nom).definition_period != ETERNITY]
    return {
        "principaux": [_champ(systeme, nom) for nom in PRINCIPAUX],
        "grilles": [
            _champ(systeme, nom) | {"annees": _annees(aides if rang else donnees)} for rang, nom in enumerate(GRILLES)
        ],
        "autres": [_champ(systeme, nom) for nom in restent if nom not in mensuelles],
        "par_fichier": [_champ(systeme, nom) for nom in mensuelles],
        "noms_des_mois": NOMS_DES_MOIS,
        "donnees": {
            "mois": aides,
            "moisDesDonnees": donnees,
            "payeurs": _payeurs(systeme, aides),
            "uniques": {nom: systeme.get_variable(nom).label for nom in AIDES_UNIQUES},
            "version": systeme.get_package_metadata()["version"],
        },
    }


def _annees(mois):
    """Lay months out as {year: [month or None, for January to December]}."""
    annees = sorted({texte[:4] for texte in mois})
    return {annee: [un if (un := f"{annee}-{rang:02d}") in mois else None for rang in range(1, 13)] for annee in annees}


def _champ(systeme, nom):
    variable = systeme.get_variable(nom)
    genres = {bool: "booleen", int: "entier", float: "nombre", date: "date", Enum: "liste"}
    return {
        "nom": nom,
        "libelle": variable.label,
        "genre": genres[variable.value_type],
        "mensuel": variable.definition_period != ETERNITY,
        "unite": UNITES.get(variable.unit, variable.unit),
        "defaut": variable.default_value.name if variable.value_type is Enum else variable.default_value,
        "valeurs": [(membre.name, membre.value) for membre in getattr(variable, "possible_values", None) or []],
    }


def _payeurs(systeme, mois):
    """List what may pay a month, in the order of the explanation, which settles ties.

    Returns:
        List of ``{numero, variable, mois}``: number shown, variable of the amount, months when it has a formula.
    """
    from openfisca_fds_tools.explain.conseils import AU_MAXIMUM_DES_ARTICLES
    from openfisca_fds_tools.explain.explication import ARTICLE, numero_court

    articles = [trouve[1] for nom in systeme.variables if (trouve := ARTICLE.fullmatch(nom))]
    articles.sort(key=lambda nom: [int(nombre) for nombre in re.findall(r"\d+", nom)])
    numeros = {f"{nom}_montant": nom.removeprefix("fds_article_").replace("_", "-") for nom in articles}
    numeros |= {nom: numero_court(systeme.get_variable(nom).reference[0]) for nom in AU_MAXIMUM_DES_ARTICLES}
    return [
        {
            "numero": numero,
            "variable": nom,
            "mois": [un for un in mois if systeme.get_variable(nom).get_formula(periods.period(un)) is not None],
        }
        for nom, numero in numeros.items()
    ]
