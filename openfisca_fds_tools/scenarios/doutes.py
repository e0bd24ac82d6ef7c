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
    fichier = resources.files(__package__) / "doutes.yaml"
    connus = feuilles(loi().parameters)
    trouves, vus = [], set()
    for ligne in lire_yaml(str(fichier)):
        parametre = connus[f"{RACINE}.{ligne['chemin']}"]
        vus.add(parametre.name)
        trouves.append(_doute(parametre, ligne, _lectures(ligne, str(fichier))))
    for parametre in connus.values():
        if "doute" in parametre.metadata and parametre.name not in vus:
            trouves.append(_doute(parametre, {}, ()))
    return tuple(trouves)


def _lectures(ligne, fichier: str) -> tuple[Lecture, ...]:
    lecteur = Lecteur(fichier)
    lues = []
    for rang, autre in enumerate(ligne["autres"], start=1):
        suffixe = f" ({rang})" if len(ligne["autres"]) > 1 else ""
        contenu = {
            "nom": f"{ligne['numero']}{suffixe}",
            "description": autre["lecture"],
            "parametres": autre["parametres"],
        }
        lues.append(Lecture(autre["lecture"], classes.classe(lecteur.lire(contenu))))
    return tuple(lues)


def _doute(parametre, ligne, autres) -> Doute:
    metadonnees = parametre.metadata.get("doute", {})
    if isinstance(metadonnees, str):
        metadonnees = {"question": metadonnees}
    court = parametre.name.removeprefix(f"{RACINE}.")
    tags = {v.metadata.get("confiance") for v in parametre.values_list} - {None}
    sources = {r["title"] for v in parametre.values_list for r in v.metadata.get("reference", []) if "title" in r}
    return Doute(
        ligne.get("numero") or metadonnees.get("numero") or court.rsplit(".", 1)[-1],
        court,
        ligne.get("question") or metadonnees.get("question", ""),
        ligne.get("lecture_retenue") or metadonnees.get("lecture_retenue", "Celle des valeurs du paramètre."),
        "".join(sorted(tags)),
        tuple(sorted(sources)),
        autres,
    )


@dataclass
class Effets:
    """What other readings change.

    Attributes:
        table: numero, lecture, ecart (euros), gagnantes, perdantes (weighted enterprises).
        cout: cost of the readings of the model, euros.
        ensemble: name -> difference in euros of several readings together: « minimum » (for each point, its cheapest
            reading when it lowers the cost), « maximum », « toutes » (the first other reading of every point).
    """

    table: pl.DataFrame
    cout: float
    ensemble: dict[str, float]


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
    return Effets(table, cout, {nom: ensemble[classes.titre(une)][2] for nom, une in distinctes.items()})
