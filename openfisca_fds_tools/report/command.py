"""``openfisca-fds backtest`` and ``openfisca-fds report``."""

from pathlib import Path

import click
from rich.console import Console

from openfisca_fds_tools.population import run
from openfisca_fds_tools.population.command import barre_de_progression, echantillon
from openfisca_fds_tools.scenarios.command import OUVRIERS, POPULATION, en_clair

from . import confrontation, rapport, rendu

LARGEUR = 80


@click.command(
    help="Compare ce que le modèle simule sur une POPULATION, de mars 2020 à février 2022, à ce qui a été versé ; sans "
    "elle, l'échantillon du paquet."
)
@POPULATION
@click.option(
    "--output", type=click.Path(file_okay=False, path_type=Path), help="Dossier des tables (Parquet, CSV, JSON)."
)
@OUVRIERS
@click.option("--block-size", type=click.IntRange(1), default=run.TAILLE_DE_BLOC, show_default=True)
@en_clair
def backtest(population, output, workers, block_size):
    """Lay a simulated population against what was paid."""
    resultat = _calculer(population, workers, block_size)
    if output is not None:
        confrontation.ecrire(resultat, output)
    sortie = Console()
    if sortie.width > LARGEUR:
        sortie = Console(width=LARGEUR)
    for table in rendu.tables(resultat):
        sortie.print(table)
    sortie.print(confrontation.AVERTISSEMENT, style="bold", highlight=False)
    if output is not None:
        sortie.print(f"Tables : {output}", highlight=False, soft_wrap=True)


@click.command(
    help="Écrit le rapport d'un BACKTEST (dossier de backtest --output) ; sans lui, de l'échantillon du paquet."
)
@click.argument("dossier", metavar="[BACKTEST]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--output",
    "sorties",
    multiple=True,
    default=("rapport.html",),
    show_default=True,
    type=click.Path(path_type=Path),
    help="Fichier en .html ou en .pdf ; plusieurs fois possible.",
)
@OUVRIERS
@en_clair
def report(dossier, sorties, workers):
    """Write the report of a backtest."""
    chemins = [rapport.verifier(chemin) for chemin in sorties]  # before anything is computed
    resultat = confrontation.lire(dossier) if dossier is not None else _calculer(None, workers)
    for chemin in rapport.ecrire(resultat, chemins):
        click.echo(f"Rapport : {chemin}")


def _calculer(population, ouvriers, taille=run.TAILLE_DE_BLOC):
    messages = Console(stderr=True)
    with barre_de_progression(messages) as avancer:
        resultat = confrontation.backtest(
            population or echantillon(), workers=ouvriers, block_size=taille, progress=avancer
        )
    for avis in resultat.avis:
        messages.print(f"Avis : {avis}", highlight=False, soft_wrap=True)
    return resultat
