"""Article by article, paragraph by paragraph: what applies the text, what it reads, and how far it is known."""

from collections import defaultdict
from pathlib import Path

import numpy
import yaml

from openfisca_fds.references import DECRET, DECRET_COMPLEMENT, DECRET_DISCOTHEQUES, DECRET_MULTI_ACTIVITES
from openfisca_fds_tools.citations import dans_l_article, moindre
from openfisca_fds_tools.situation import construire

DECLARATIONS = Path(__file__).with_name("paragraphes.yaml")
INTROUVABLE = "NOT FOUND"
# The article and the decree of what is declared under another name than the number of an article.
TEXTES = {
    "volet_2": ("4", DECRET),
    "volet_territorial": ("4-1", DECRET),
    "discotheques": (None, DECRET_DISCOTHEQUES),
    "complement_2021_1582": (None, DECRET_COMPLEMENT),
    "multi_activites": (None, DECRET_MULTI_ACTIVITES),
}


def articles(systeme):
    """List the articles in the order of the text.

    Args:
        systeme: tax and benefit system.

    Returns:
        List of ``{article, titre, mois, confiance, paragraphes}``; a paragraph is ``{paragraphe, sens, texte,
        confiance, variables, parametres}``: ``texte`` is how the rule is known, ``confiance`` the least of that and of
        the values that its variables read in the months of the article; both None for a paragraph never found.
    """
    declarations = yaml.safe_load(DECLARATIONS.read_text(encoding="utf-8"))
    declarations = {cle: une for cle, une in declarations.items() if not cle.startswith("_")}
    lues = _lectures(systeme, declarations)
    return [_article(systeme, cle, une, lues) for cle, une in declarations.items()]


def _mois(declaration):
    debut, *_, fin = declaration["mois"] or (None, None)
    return numpy.arange(debut, numpy.datetime64(fin) + 1, dtype="datetime64[M]").astype(str) if debut else []


def _variables(paragraphe):
    return [] if paragraphe == INTROUVABLE else paragraphe["variables"]


def _lectures(systeme, declarations):
    """Follow what each variable reads: {(variable, month): set of (parameter, date)}."""
    simulation = construire(systeme, {"entreprises": {"a": {}}})
    simulation.trace = True
    for declaration in declarations.values():
        for mois in _mois(declaration):
            for paragraphe in declaration["paragraphes"].values():
                for nom in _variables(paragraphe):
                    simulation.calculate(nom, mois)
    lues, attente = defaultdict(set), list(simulation.tracer.trees)
    while attente:
        noeud = attente.pop()
        lues[noeud.name, str(noeud.period)].update((lu.name, str(lu.period)) for lu in noeud.parameters)
        attente.extend(noeud.children)
    return lues


def _article(systeme, cle, declaration, lues):
    mois = _mois(declaration)
    paragraphes = []
    for nom, paragraphe in declaration["paragraphes"].items():
        variables = _variables(paragraphe)
        parametres = [_parametre(cle, *lu) for lu in _lus(systeme, variables, mois, lues)]
        trouve = paragraphe != INTROUVABLE
        paragraphes.append(
            {
                "paragraphe": nom,
                "sens": paragraphe["sens"] if trouve else "paragraphe dont le contenu n'a pas été trouvé",
                "texte": paragraphe["texte"] if trouve else None,
                "confiance": moindre([paragraphe["texte"], *(p["confiance"] for p in parametres)]) if trouve else None,
                "variables": [{"nom": v, "libelle": systeme.get_variable(v).label} for v in variables],
                "parametres": parametres,
            }
        )
    return {
        "article": cle.replace("_", "-"),
        "titre": declaration["titre"],
        "mois": list(declaration["mois"]),
        "confiance": moindre(paragraphe["confiance"] for paragraphe in paragraphes),
        "paragraphes": paragraphes,
    }


def _lus(systeme, variables, mois, lues):
    """List (parameter, its value in force) that some variables read in some months, each once."""
    trouves = {}
    for chemin, jour in sorted(set().union(*(lues[nom, un_mois] for nom in variables for un_mois in mois))):
        parametre = systeme.parameters
        for partie in chemin.split("."):
            parametre = parametre.children[partie]
        datee = next((datee for datee in parametre.values_list if datee.instant_str <= jour), None)
        if datee is not None:
            trouves[chemin, datee.instant_str] = parametre, datee
    return trouves.values()


def _parametre(cle, parametre, datee):
    return {
        "id": parametre.name,
        "description": parametre.description,
        "date": datee.instant_str,
        "confiance": dans_l_article(datee.metadata, *texte(cle)),
    }


def texte(cle):
    """Give (number, decree) of what is declared under a key, the number None where it is a whole decree."""
    return TEXTES.get(cle, (cle.replace("_", "-"), DECRET))
