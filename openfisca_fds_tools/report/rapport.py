"""``report``: the report of a backtest, as HTML or PDF by the suffix of its file."""

import tempfile
from pathlib import Path

from openfisca_fds_tools.population import ErreurUtilisateur

from .confrontation import Backtest

SUFFIXES = (".html", ".pdf")


def verifier(chemin: str | Path) -> Path:
    """Check that a file may be written as a report, before any computation.

    Raises:
        ErreurUtilisateur: another suffix than .html and .pdf, or a folder.
    """
    chemin = Path(chemin)
    if chemin.suffix.lower() not in SUFFIXES:
        raise ErreurUtilisateur(f"{chemin} : attendu un nom en .html ou en .pdf.")
    if chemin.is_dir():
        raise ErreurUtilisateur(f"{chemin} est un dossier.")
    return chemin


def ecrire(backtest: Backtest, chemins) -> list[Path]:
    """Write the report of a backtest; a file appears whole, or not at all.

    Args:
        backtest: what to report.
        chemins: files to write, each .html or .pdf.

    Raises:
        ErreurUtilisateur: a file that cannot be written.
    """
    from .contenu import composer

    chemins = [verifier(chemin) for chemin in chemins]
    contenu = composer(backtest)
    for chemin in chemins:
        if chemin.suffix.lower() == ".pdf":
            from .pdf import document

            octets = document(contenu)
        else:
            from .html import page

            octets = page(contenu).encode()
        _poser(octets, chemin)
    return chemins


def _poser(octets: bytes, chemin: Path) -> None:
    """Write under a temporary name beside the file, then rename."""
    try:
        chemin.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{chemin.name}.", dir=chemin.parent) as travail:
            provisoire = Path(travail) / chemin.name
            provisoire.write_bytes(octets)
            provisoire.replace(chemin)
    except OSError as erreur:
        raise ErreurUtilisateur(f"{chemin} : écriture impossible ({erreur.strerror}).") from erreur
