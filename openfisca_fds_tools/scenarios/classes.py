"""Reform classes made from a description: they travel between processes, and are the same class on arrival.

A process pool names a class by its module; a class made at run time has none. So the description travels (frozen,
hashable data), and each process makes the class from it once: results cached by class stay valid.
"""

import copyreg
import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from openfisca_core.reforms import Reform


class ClasseDeReforme(type(Reform)):
    """Metaclass of the reforms made from a description, kept in ``provenance``."""


@cache
def classe(provenance):
    """Reform class of a description.

    Args:
        provenance: hashable object with ``nom`` (text), ``description`` (text) and ``appliquer(reforme)``.

    Returns:
        Subclass of ``Reform``; the same object for equal descriptions.
    """
    corps = {
        "__doc__": provenance.description,
        "__module__": type(provenance).__module__,
        "provenance": provenance,
        "name": provenance.nom,
        "apply": lambda reforme: provenance.appliquer(reforme),
    }
    return ClasseDeReforme(identifiant(provenance.nom), (Reform,), corps)


def identifiant(nom: str) -> str:
    """Python name nearest to a title: no accents, no spaces."""
    sans_accents = unicodedata.normalize("NFKD", nom).encode("ascii", "ignore").decode()
    mots = re.sub(r"\W+", "_", sans_accents).strip("_").lower()
    return mots if mots[:1].isalpha() else f"reforme_{mots}"


@dataclass(frozen=True)
class Identite:
    """The reform that changes nothing."""

    nom: str = "identité"
    description: str = "Ne change rien."

    def appliquer(self, reforme) -> None:
        """Leave the system as it is."""


def identite():
    """Reform class that changes nothing: a witness."""
    return classe(Identite())


@dataclass(frozen=True)
class Composition:
    """Reforms applied one after the other, each to the law that the former leaves."""

    parties: tuple[type, ...]

    @property
    def nom(self) -> str:
        """Names of the parts, in the order of application."""
        return " + ".join(titre(partie) for partie in self.parties)

    @property
    def description(self) -> str:
        """Descriptions of the parts."""
        return " ".join(partie.__doc__ or "" for partie in self.parties)


@cache
def _classe_composee(composition: Composition):
    def empiler(_cls, baseline):
        for partie in composition.parties:
            baseline = partie(baseline)
        return baseline

    corps = {
        "__doc__": composition.description,
        "__module__": __name__,
        "__new__": empiler,
        "provenance": composition,
        "name": composition.nom,
        "apply": lambda reforme: None,
    }
    return ClasseDeReforme(identifiant(composition.nom), (Reform,), corps)


def composer(*reformes):
    """Compose reforms, written in Python or read from files.

    Args:
        reformes: Reform classes, in the order of application.

    Returns:
        Reform class; calling it on a system stacks the reforms on it. One reform is given back as it is.
    """
    plates = []
    for reforme in reformes:
        provenance = getattr(reforme, "provenance", None)
        plates += provenance.parties if isinstance(provenance, Composition) else [reforme]
    return plates[0] if len(plates) == 1 else _classe_composee(Composition(tuple(plates)))


def titre(reforme) -> str:
    """Name of a reform for a reader: the one it gives, or that of its class."""
    return getattr(reforme, "name", None) or reforme.__name__


def _refaire(provenance):
    return _classe_composee(provenance) if isinstance(provenance, Composition) else classe(provenance)


copyreg.pickle(ClasseDeReforme, lambda reforme: (_refaire, (reforme.provenance,)))
