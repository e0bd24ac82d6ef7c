"""Structural reforms written in a Python file that no package holds: found by their path, in every process."""

import hashlib
import importlib.util
import inspect
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from openfisca_core.reforms import Reform

from . import classes


@dataclass(frozen=True)
class ReformeDeFichier:
    """The only ``Reform`` class of a Python file; ``classes.classe`` makes it one that travels between processes.

    Attributes:
        chemin: path of the file, absolute.
        empreinte: SHA-256 of its content: another content is another reform.
        nom, description: those of the class.
    """

    chemin: str
    empreinte: str
    nom: str
    description: str

    def appliquer(self, reforme) -> None:
        """Change a system: called by ``Reform.apply``."""
        _classe(self.chemin, self.empreinte).apply(reforme)


def lire_python(chemin):
    """Read a Python file: it is executed, as any module is.

    Args:
        chemin: path of the file.

    Returns:
        Reform class, the same for the same content.

    Raises:
        ValueError: no such file, a file that fails, or not exactly one Reform class in it.
    """
    fichier = Path(chemin).resolve()
    if not fichier.is_file():
        raise ValueError("fichier introuvable")
    empreinte = hashlib.sha256(fichier.read_bytes()).hexdigest()
    lue = _classe(str(fichier), empreinte)
    return classes.classe(
        ReformeDeFichier(str(fichier), empreinte, classes.titre(lue), inspect.getdoc(lue) or classes.titre(lue))
    )


@cache
def _classe(chemin: str, _empreinte: str):
    annonce = importlib.util.spec_from_file_location(classes.identifiant(Path(chemin).stem), chemin)
    module = importlib.util.module_from_spec(annonce)
    try:
        annonce.loader.exec_module(module)
    except Exception as erreur:  # whatever the file does
        raise ValueError(f"fichier en erreur ({type(erreur).__name__} : {erreur})") from erreur
    siennes = [
        objet
        for objet in vars(module).values()
        if isinstance(objet, type) and issubclass(objet, Reform) and objet.__module__ == module.__name__
    ]
    if len(siennes) != 1:
        raise ValueError(f"{len(siennes)} classes Reform au lieu d'une")
    return siennes[0]
