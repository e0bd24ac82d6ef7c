"""Doubtful points of the law: their readings, and what each other reading changes on a population."""

from dataclasses import dataclass
from functools import cache
from importlib import resources

import polars as pl

from openfisca_fds_tools.situation import lire_yaml

from . import classes
from .comparaison import comparer
from .parametres import feuilles, loi
from .reforme import RACINE, Lecteur

CONFIANCES = {"T": "texte lu", "S": "source secondaire", "M": "mémoire"}


@dataclass(frozen=True)
class Lecture:
    """Another reading of the text, as a reform."""

    texte: str
    reforme: type


@dataclass(frozen=True)
class Doute:
    """A doubtful point.

    Attributes:
        numero: its name.
        chemin: parameter that carries it.
        question, retenue: the question, and the reading of the model.
        confiance: tags of the dated values (T text read, S secondary source, M memory).
        sources: titles of the texts.
        autres: other readings that a parameter can switch; empty where none can be written so.
    """

    numero: str
    chemin: str
    question: str
    retenue: str
    confiance: str
    sources: tuple[str, ...]
    autres: tuple[Lecture, ...] = ()


@cache
def doutes() -> tuple[Doute, ...]:
    """Doubtful points of the parameters: those with other readings first, then those that are only documented."""
    fichier = str(resources.files(__package__) / "doutes.yaml")
    composees = {f"{RACINE}.{ligne['chemin']}": ligne["autres"] for ligne in lire_yaml(fichier)}
    points = []
    for nom, parametre in feuilles(loi().parameters).items():
        if "doute" in parametre.metadata:
            points.append(_doute(parametre, composees.get(nom, [])))
    return tuple(sorted(points, key=lambda doute: (not doute.autres, doute.numero)))


def _doute(parametre, composees) -> Doute:
    """Read the metadata « doute »: a text, or numero, question, lecture_retenue and autres_valeurs."""
    metadonnees = parametre.metadata["doute"]
    if isinstance(metadonnees, str):
        metadonnees = {"question": metadonnees}
    court = parametre.name.removeprefix(f"{RACINE}.")
    numero = metadonnees.get("numero") or court.rsplit(".", 1)[-1]
    tags = {v.metadata.get("confiance") for v in parametre.values_list} - {None}
    sources = {r["title"] for v in parametre.values_list for r in v.metadata.get("reference", []) if "title" in r}
    seules = [
        {
            "lecture": autre["lecture"],
            "parametres": [{"chemin": court} | {k: v for k, v in autre.items() if k != "lecture"}],
        }
        for autre in metadonnees.get("autres_valeurs", [])
    ]
    return Doute(
        numero,
        court,
        metadonnees["question"],
        metadonnees.get("lecture_retenue", "Celle des valeurs du paramètre."),
        "".join(sorted(tags)),
        tuple(sorted(sources)),
        _lectures(numero, [*seules, *composees]),
    )


def _lectures(numero: str, autres) -> tuple[Lecture, ...]:
    """Make a reform of each other reading, checked as a file would be."""
    lecteur, lues = Lecteur(numero), []
    for rang, autre in enumerate(autres, start=1):
        nom = f"{numero} ({rang})" if len(autres) > 1 else numero
        contenu = {"nom": nom, "description": autre["lecture"], "parametres": autre["parametres"]}
        lues.append(Lecture(autre["lecture"], classes.classe(lecteur.lire(contenu))))
    return tuple(lues)


@dataclass
class Effets:
    """What other readings change.

    Attributes:
        table: numero, lecture, ecart (euros), gagnantes, perdantes (weighted enterprises).
        cout: cost of the readings of the model, euros.
        ensemble: name -> difference in euros of several readings together: « minimum » (for each point, its cheapest
            reading when it lowers the cost), « maximum », « toutes » (the first other reading of every point).
        avis: why a reading changes nothing on this population, in French sentences.
    """

    table: pl.DataFrame
    cout: float
    ensemble: dict[str, float]
    avis: list[str]


def chiffrer(population, months: str | None = None, **options) -> Effets:
    """Measure each other reading, alone, then together.

    The bounds compose the readings that lower (or raise) the cost alone: they are those of these combinations,
    computed together, not sums.

    Args:
        population: as for ``comparer``.
        months: aid months; None: all.
        options: those of ``comparer``.
    """
    points = [doute for doute in doutes() if doute.autres]
    lectures = {classes.titre(autre.reforme): (doute, autre) for doute in points for autre in doute.autres}
    seules = comparer(population, [autre.reforme for _, autre in lectures.values()], months, **options)
    totaux = seules.totaux()
    ecarts = {nom: ecart for nom, (_, _, ecart) in totaux.items()}
    groupes = {"minimum": [], "maximum": [], "toutes": []}
    for doute in points:
        par_ecart = sorted(doute.autres, key=lambda autre: ecarts[classes.titre(autre.reforme)])
        bas, haut = par_ecart[0].reforme, par_ecart[-1].reforme
        groupes["toutes"].append(doute.autres[0].reforme)
        groupes["minimum"] += [bas] if ecarts[classes.titre(bas)] < 0 else []
        groupes["maximum"] += [haut] if ecarts[classes.titre(haut)] > 0 else []
    distinctes = {nom: classes.composer(*(groupe or [classes.identite()])) for nom, groupe in groupes.items()}
    uniques = list(dict.fromkeys(distinctes.values()))
    ensemble = comparer(population, uniques, months, **options).totaux()
    gagnants = {ligne["reforme"]: ligne for ligne in seules.gagnants.iter_rows(named=True)}
    table = pl.DataFrame(
        [
            {
                "numero": doute.numero,
                "lecture": autre.texte,
                "ecart": ecarts[nom],
                "gagnantes": gagnants[nom]["gagnantes"],
                "perdantes": gagnants[nom]["perdantes"],
            }
            for nom, (doute, autre) in lectures.items()
        ]
    )
    cout = next(iter(totaux.values()))[0]
    return Effets(table, cout, {nom: ensemble[classes.titre(une)][2] for nom, une in distinctes.items()}, seules.avis)
