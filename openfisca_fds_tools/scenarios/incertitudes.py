"""Declared sensitivity: how far the cost of a reform moves when uncertain parameters of the law do.

A small YAML file lists parameters, a low value, a high value, and where they come from. The difference of cost of a
reform is measured on the law changed by each bound, against that same law without the reform; then on all the bounds
that lower it together, and on all those that raise it.
"""

from dataclasses import dataclass

import polars as pl

from openfisca_fds_tools.population import ErreurUtilisateur

from . import classes
from .comparaison import comparer
from .reforme import OPERATION, ErreurReforme, Lecteur, lire_contenu

CLES = ("chemin", "debut", "fin", "bas", "haut", "source")
EXIGEES = ("chemin", "debut", "bas", "haut", "source")
BORNES = ("bas", "haut")
PARAMETRES_MAXIMUM = 20


@dataclass(frozen=True)
class Incertitude:
    """A parameter of the law and its two bounds, as reforms."""

    chemin: str
    source: str
    bas: type
    haut: type


@dataclass
class Intervalles:
    """What declared uncertainty does to each reform.

    Attributes:
        table: reforme, parametre, borne (bas, haut), valeur (as written), source, ecart: difference of cost of the
            reform when the law has this value, euros.
        ensemble: reforme, ecart (law as it is), minimum, maximum (bounds that lower, or raise, taken together), euros.
    """

    table: pl.DataFrame
    ensemble: pl.DataFrame


def lire_incertitudes(chemin) -> tuple[Incertitude, ...]:
    """Read a file of uncertain parameters.

    Args:
        chemin: path of a YAML file: a list of {chemin, debut, fin (optional), bas, haut, source}; months and values as
            in a reform; a bound written "+10 %" changes each value of the law.

    Raises:
        ErreurReforme: with the file, the line, what is wrong and what was expected.
    """
    lecteur = Lecteur(str(chemin))
    contenu = lire_contenu(chemin)
    if not isinstance(contenu, list) or not 1 <= len(contenu) <= PARAMETRES_MAXIMUM:
        raise ErreurReforme(
            lecteur.place, "incertitudes illisibles", f"une liste de 1 à {PARAMETRES_MAXIMUM} paramètres"
        )
    lues = []
    for rang, element in enumerate(contenu):
        place = lecteur.place.sous(contenu, rang)
        lecteur.cles(element, CLES, place, EXIGEES)
        bornes = [_borne(lecteur, element, borne, place) for borne in BORNES]
        lues.append(Incertitude(str(element["chemin"]), str(element["source"]).strip(), *bornes))
    return tuple(lues)


def _borne(lecteur: Lecteur, element, borne: str, place):
    """Reform that gives a parameter one of its bounds."""
    ecrite = element[borne]
    est_operation = isinstance(ecrite, str) and OPERATION.fullmatch(ecrite.strip())
    changement = {cle: element[cle] for cle in ("chemin", "debut", "fin") if cle in element}
    changement["operation" if est_operation else "valeur"] = ecrite
    nom = f"{element['chemin']} = {ecrite}" if not est_operation else f"{element['chemin']} {ecrite}"
    contenu = {"nom": nom, "description": str(element["source"]), "parametres": [changement]}
    try:
        return classes.classe(lecteur.lire(contenu))
    except ErreurReforme as erreur:
        raise ErreurReforme(place, f"« {borne} » : {erreur.probleme}", erreur.attendu) from None


def mesurer(population, reformes, incertitudes, months: str | None = None, **options) -> Intervalles:
    """Measure each reform under each bound, alone, then together.

    Args:
        population: as for ``comparer``.
        reformes: Reform classes.
        incertitudes: what ``lire_incertitudes`` gives.
        months: aid months; None: all.
        **options: those of ``comparer``.
    """
    reformes = list(reformes)
    seules = {(une.chemin, borne): getattr(une, borne) for une in incertitudes for borne in BORNES}
    couts = _couts(population, [*reformes, *_paires(seules.values(), reformes)], months, **options)
    droit = couts[None]
    lignes, minimums, maximums = [], {}, {}
    for reforme in reformes:
        ecart = couts[reforme] - droit
        ecarts = {cle: couts[classes.composer(loi, reforme)] - couts[loi] for cle, loi in seules.items()}
        for une in incertitudes:
            bornes = {borne: ecarts[une.chemin, borne] for borne in BORNES}
            for borne, valeur in bornes.items():
                loi = seules[une.chemin, borne]
                ecrite = classes.titre(loi).removeprefix(une.chemin).lstrip(" =")
                lignes.append([classes.titre(reforme), une.chemin, borne, ecrite, une.source, valeur])
            for retenues, choisir, sens in ((minimums, min, -1), (maximums, max, 1)):
                borne = choisir(bornes, key=bornes.get)
                if sens * (bornes[borne] - ecart) > 0:
                    retenues.setdefault(reforme, []).append(seules[une.chemin, borne])
    groupes = {(r, nom): classes.composer(*lois) for nom, r, lois in _groupes(minimums, maximums)}
    ensembles = _couts(population, list(_paires(groupes.values(), reformes)), months, **options) if groupes else {}
    sommaire = []
    for reforme in reformes:
        ecart = couts[reforme] - droit
        extremes = []
        for nom in ("minimum", "maximum"):
            loi = groupes.get((reforme, nom))
            extremes.append(ecart if loi is None else ensembles[classes.composer(loi, reforme)] - ensembles[loi])
        sommaire.append([classes.titre(reforme), ecart, *extremes])
    return Intervalles(
        pl.DataFrame(
            lignes,
            schema=dict.fromkeys(("reforme", "parametre", "borne", "valeur", "source"), pl.String)
            | {"ecart": pl.Float64},
            orient="row",
        ),
        pl.DataFrame(
            sommaire,
            schema={"reforme": pl.String} | dict.fromkeys(("ecart", "minimum", "maximum"), pl.Float64),
            orient="row",
        ),
    )


def _groupes(minimums: dict, maximums: dict):
    for nom, retenues in (("minimum", minimums), ("maximum", maximums)):
        for reforme, lois in retenues.items():
            yield nom, reforme, lois


def _paires(lois, reformes):
    """Each law changed, then each reform on it."""
    for loi in lois:
        yield loi
        yield from (classes.composer(loi, reforme) for reforme in reformes)


def _couts(population, lois, months, **options) -> dict:
    """Cost of each law, euros; None: the law as it is."""
    uniques = list(dict.fromkeys(lois))
    if len({classes.titre(loi) for loi in uniques}) < len(uniques):
        raise ErreurUtilisateur("Incertitudes : deux bornes portent le même nom ; donner des valeurs différentes.")
    totaux = comparer(population, uniques, months, **options).totaux()
    return {loi: totaux[classes.titre(loi)][1] for loi in uniques} | {None: next(iter(totaux.values()))[0]}
