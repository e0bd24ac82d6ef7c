"""What was paid beside what is simulated, for the table of ``simulate``: a terminal table and a chart file."""

from pathlib import Path

import polars as pl
from rich.console import Console
from rich.table import Table

from openfisca_fds_tools.population import model

from . import marges, rendu

GRAPHIQUE = "simule_et_verse.svg"


def face_au_verse(agregats: pl.DataFrame) -> pl.DataFrame:
    """Lay the aggregates of ``simulate``, by month and without dimension, against the targets of what was paid.

    Args:
        agregats: ``Resultats.agregats`` of every month of aid.

    Returns:
        As ``marges.par_mois_aide``.
    """
    volet_1 = agregats.filter(pl.col("article") == model.TOTAUX[0])
    return marges.par_mois_aide(
        volet_1.select("mois", pl.col("montant_total").alias("simule"), pl.col("entreprises_aidees").alias("aides"))
    )


def tableau(agregats: pl.DataFrame) -> Table:
    """Make the terminal table of :func:`face_au_verse`, at most 80 columns wide."""
    return rendu.mois_aide(face_au_verse(agregats))


def dessiner(agregats: pl.DataFrame, dossier: Path) -> Path:
    """Write the chart of :func:`face_au_verse` as an SVG file of a folder, and give its path.

    Raises:
        ModuleNotFoundError: the extra « report » is not installed.
    """
    from . import graphiques

    chemin = Path(dossier) / GRAPHIQUE
    provisoire = chemin.with_suffix(".partiel")
    provisoire.write_text(graphiques.svg(graphiques.mois_aide(face_au_verse(agregats))), encoding="utf-8")
    return provisoire.replace(chemin)


def montrer(agregats: pl.DataFrame, sortie: Console, dossier: Path | None = None) -> None:
    """Print the table and, with a folder, write the chart in it, or say which extra draws it.

    Args:
        agregats: as for :func:`face_au_verse`.
        sortie: terminal.
        dossier: folder of the results.
    """
    sortie.print(tableau(agregats))
    if dossier is None:
        return
    try:
        message = str(dessiner(agregats, dossier))
    except ModuleNotFoundError as absence:
        message = f'« {absence.name} » manque : pip install "openfisca-fds[report]"'
    sortie.print(f"Graphique : {message}", highlight=False, markup=False, soft_wrap=True)
