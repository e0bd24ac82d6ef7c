"""``openfisca-fds calibrate``: fit the synthetic population to published aggregates, and say how well."""

import shutil
import tempfile
from pathlib import Path

import click

from ..calage import Calage
from ..hypotheses import Hypotheses
from .ajustement import a_recours_constant, calibrer
from .cibles import Cibles
from .rapport import controler, dans_les_bornes, rediger

SOURCE = "calage sur les agrégats publiés (docs/population.md)"


@click.command()
@click.option(
    "--size", "taille", type=click.IntRange(min=4096), default=98_304, show_default=True, help="Entreprises tirées."
)
@click.option("--seed", "graine", type=click.IntRange(0, 2**64 - 2), default=2020, show_default=True, help="Graine.")
@click.option("--rounds", "tours", type=click.IntRange(min=1), default=2, show_default=True, help="Tours de calage.")
@click.option(
    "--evaluations", type=click.IntRange(min=2), default=8, show_default=True, help="Évaluations par tour, au plus."
)
@click.option("--from-zero", "zero", is_flag=True, help="Partir des hypothèses seules, non du calage livré.")
@click.option(
    "--output",
    "sortie",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Dossier (nouveau ou vide) qui recevra calage.csv, rapport.md, marges_ajustees.csv et marges_retenues.csv.",
)
def calibrate(taille, graine, tours, evaluations, zero, sortie):
    """Caler la population synthétique sur les agrégats publiés.

    Le recours, les poids, les niveaux de chiffre d'affaires et les chocs sont ajustés ensemble par moindres carrés ;
    le rapport donne à part les marges que le calage n'a pas vues. Même taille, même graine, mêmes valeurs.
    """
    if sortie.exists() and any(sortie.iterdir()):
        raise click.BadParameter(f"{sortie} n'est pas vide.", param_hint="--output")
    hypotheses = Hypotheses()
    cibles = Cibles(hypotheses)
    depart = depart_de_zero(hypotheses) if zero else hypotheses.calage

    def dire(texte):
        click.echo(texte, err=True)

    solution = calibrer(cibles, depart, taille, graine, tours=tours, evaluations=evaluations, dire=dire)
    calage = solution.calage.arrondi()  # what is measured is what the file says
    constante = a_recours_constant(cibles, calage, taille, graine)
    controle, controle_constant = (controler(c, cibles, taille, graine + 1) for c in (calage, constante.calage))
    parent = sortie.absolute().parent
    parent.mkdir(parents=True, exist_ok=True)
    travail = Path(tempfile.mkdtemp(prefix=f".{sortie.name}.", dir=parent))
    try:
        calage.ecrire(travail / "calage.csv", SOURCE)
        controle[0].write_csv(travail / "marges_ajustees.csv")
        controle[1].write_csv(travail / "marges_retenues.csv")
        rapport = rediger(solution, constante, cibles, controle, controle_constant, (taille, graine, graine + 1))
        (travail / "rapport.md").write_text(rapport + "\n", encoding="utf-8")
        if sortie.exists():
            sortie.rmdir()  # empty
        travail.chmod(0o755)
        travail.replace(sortie)
    finally:
        shutil.rmtree(travail, ignore_errors=True)
    dedans, mois = dans_les_bornes(controle[0])
    click.echo(f"{dedans} mois d'aide sur {mois} dans leurs bornes ; voir {sortie / 'rapport.md'}.")


def depart_de_zero(hypotheses):
    """Calibration that moves nothing, the slope and the closure of the take-up at what is expected of them."""
    communs = [hypotheses[f"recours.{nom}_attendue"] for nom in hypotheses.modalites["commun"]]
    return Calage(hypotheses.modalites).avec({("recours", "commun"): communs})
