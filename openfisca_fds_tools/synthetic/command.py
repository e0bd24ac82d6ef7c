"""``openfisca-fds population``: write a synthetic population, block by block, in bounded memory."""

import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path

import click
from polars.io.plugins import register_io_source

from .tirage import TAILLE_TRANCHE, generer

LIGNES_PAR_PARTIE = 32 * TAILLE_TRANCHE  # of a directory; a part is the unit of work of the engine
LIGNES_PAR_PAQUET = 16 * TAILLE_TRANCHE  # rows of a Parquet row group, and of what stands in memory
COMPRESSION = {"compression": "zstd", "compression_level": 3, "row_group_size": LIGNES_PAR_PAQUET}


@click.command()
@click.option("--size", "taille", type=click.IntRange(min=1), required=True, help="Nombre d'entreprises (lignes).")
@click.option("--seed", "graine", type=click.IntRange(0, 2**64 - 1), default=1, show_default=True, help="Graine.")
@click.option(
    "--output",
    "sortie",
    type=click.Path(path_type=Path),
    required=True,
    help="Fichier .parquet, ou dossier (nouveau ou vide) qui recevra des parties de 131 072 lignes.",
)
@click.option(
    "--concentrated",
    "concentre",
    is_flag=True,
    help="Tirer plus de lignes là où sont les aides, avec un poids moindre : pour un petit échantillon.",
)
def population(taille, graine, sortie, concentre):
    """Engendrer une population d'entreprises françaises, pondérée et reproductible.

    Mêmes taille et graine, mêmes octets. Les hypothèses et leurs sources sont dans
    openfisca_fds_tools/synthetic/donnees.
    """
    un_fichier = sortie.suffix == ".parquet"
    if un_fichier and sortie.is_dir():
        raise click.BadParameter(f"{sortie} est un dossier ; un fichier est attendu.", param_hint="--output")
    if not un_fichier and sortie.exists() and (not sortie.is_dir() or any(sortie.iterdir())):
        raise click.BadParameter(
            f"{sortie} existe déjà ; donner un dossier nouveau ou vide, ou un nom en .parquet.", param_hint="--output"
        )
    parent = sortie.absolute().parent
    try:
        parent.mkdir(parents=True, exist_ok=True)
        travail = Path(tempfile.mkdtemp(prefix=f".{sortie.name}.", dir=parent))
    except OSError as erreur:
        raise click.BadParameter(
            f"écriture impossible dans {parent} ({erreur.strerror}).", param_hint="--output"
        ) from None
    try:
        tirage = partial(generer, taille, graine, concentre=concentre)
        if un_fichier:
            fini = travail / "population.parquet"
            _ecrire_un_fichier(_suivis(tirage(lignes_par_bloc=LIGNES_PAR_PAQUET), taille), fini)
        else:
            fini = travail / "population"
            _ecrire_les_parties(_suivis(tirage(lignes_par_bloc=LIGNES_PAR_PARTIE), taille), fini)
            if sortie.exists():
                sortie.rmdir()  # empty
        fini.replace(sortie)
    finally:
        shutil.rmtree(travail, ignore_errors=True)
    click.echo(f"{taille} entreprises écrites dans {sortie} (graine {graine}).")


def _suivis(blocs, taille):
    """Give the blocks back, with a progress bar on a terminal and none in a pipe."""
    if not sys.stderr.isatty():
        yield from blocs
        return
    with click.progressbar(length=taille, label="Entreprises", file=sys.stderr) as barre:
        for bloc in blocs:
            yield bloc
            barre.update(bloc.height)


def _ecrire_un_fichier(blocs, chemin):
    """Write the blocks one after the other into one file, without holding them together."""
    premier = next(blocs)

    def source(*_):
        yield premier
        yield from blocs

    lignes = register_io_source(source, schema=premier.schema)
    lignes.sink_parquet(chemin, maintain_order=True, **COMPRESSION)


def _ecrire_les_parties(blocs, dossier):
    """Write one file for each block."""
    dossier.mkdir()
    for numero, bloc in enumerate(blocs):
        bloc.write_parquet(dossier / f"partie-{numero:05d}.parquet", **COMPRESSION)
