"""``openfisca-fds compare``, ``doubts`` and ``seek``."""

import sys
from functools import wraps
from pathlib import Path

import click
from rich.console import Console

from openfisca_fds_tools.population import ErreurUtilisateur
from openfisca_fds_tools.population.command import barre_de_progression, dire, echantillon
from openfisca_fds_tools.situation import ErreurSituation

from . import comparaison as comparaisons
from . import decomposition, graphiques, incertitudes, rendu, sensibilite
from . import doutes as points_douteux
from .classes import titre
from .loi import loi_au
from .reforme import lire_reforme

POPULATION = click.argument("population", required=False)
MOIS = click.option("--months", metavar="AAAA-MM[:AAAA-MM]", help="Mois d'aide ; par défaut, tous ceux du modèle.")
OUVRIERS = click.option("--workers", type=click.IntRange(1), help="Processus de calcul ; par défaut, un par cœur.")


def en_clair(commande):
    """Turn a request that cannot be served into one message and exit code 2."""

    @wraps(commande)
    def executee(*args, **kwargs):
        messages = Console(stderr=True)
        try:
            return commande(*args, **kwargs)
        except (ErreurUtilisateur, ErreurSituation) as erreur:
            dire(messages, str(erreur))
            sys.exit(2)
        except KeyboardInterrupt:
            reprise = " ; relancer la même commande reprend où elle en était" if kwargs.get("output") else ""
            messages.print(f"Interrompu{reprise}.", highlight=False)
            sys.exit(130)

    return executee


def _population(chemin):
    return chemin or echantillon()


def _dire(avis: str) -> None:
    dire(Console(stderr=True), f"Avis : {avis}")


@click.command(help="Compare le droit à des réformes sur une POPULATION ; sans elle, sur l'échantillon du paquet.")
@POPULATION
@click.option(
    "--reform", "reformes", multiple=True, metavar="A.YAML[+B.YAML]", help="Réforme ; plusieurs fois possible."
)
@click.option("--law-as-of", "dates", multiple=True, metavar="AAAA-MM-JJ", help="Droit tel que publié à cette date.")
@MOIS
@click.option("--by", default="", help="Dimensions : departement, section, effectif_salarie@1/10…")
@click.option("--output", type=click.Path(file_okay=False, path_type=Path), help="Dossier des résultats.")
@OUVRIERS
@click.option(
    "--block-size",
    type=click.IntRange(1),
    default=comparaisons.TAILLE_DE_BLOC,
    show_default=True,
    help="Lignes par bloc.",
)
@click.option(
    "--errors",
    type=click.Choice(["fail", "skip"]),
    default="fail",
    show_default=True,
    help="Ligne fautive : refuser le fichier, ou l'écarter avec son groupe.",
)
@click.option("--bootstrap", type=click.IntRange(0), default=0, help="Répliques pour l'incertitude des poids.")
@click.option("--seed", type=int, default=1, show_default=True, help="Graine du bootstrap.")
@click.option("--sensitivity", metavar="FICHIER.YAML", help="Paramètres incertains et leurs bornes.")
@click.option("--decompose", is_flag=True, help="Partager l'écart de chaque A.YAML+B.YAML entre ses mesures.")
@click.option("--chart", type=click.Choice(graphiques.FORMATS), help="Graphiques dans --output (extra « report »).")
@click.option("--restart", is_flag=True, help="Oublier un calcul interrompu du même dossier.")
@en_clair
def compare(
    population,
    reformes,
    dates,
    months,
    by,
    output,
    workers,
    block_size,
    errors,
    bootstrap,
    seed,
    sensitivity,
    decompose,
    chart,
    restart,
):
    """Compare the law with reforms and with the law as of dates."""
    sortie = Console()
    classes = [*(lire_reforme(texte) for texte in reformes), *(_loi_au(date) for date in dates)]
    if not classes:
        raise ErreurUtilisateur("Rien à comparer : donner --reform ou --law-as-of.")
    if chart and output is None:
        raise ErreurUtilisateur("--chart écrit dans le dossier de --output, qui manque.")
    if chart:
        graphiques.verifier()
    bornes = incertitudes.lire_incertitudes(sensitivity) if sensitivity else ()
    calcul = {"workers": workers, "block_size": block_size, "errors": errors}
    with barre_de_progression(Console(stderr=True)) as avancer:
        resultat = comparaisons.comparer(
            _population(population),
            classes,
            months,
            by=tuple(morceau.strip() for morceau in by.split(",") if morceau.strip()),
            output=output,
            bootstrap=bootstrap,
            seed=seed,
            restart=restart,
            progress=avancer,
            notice=_dire,
            **calcul,
        )
    for avis in resultat.avis:
        _dire(avis)
    for table in rendu.details(resultat):
        sortie.print(table)
    mesures = {}
    for une in classes if decompose else ():
        if hasattr(getattr(une, "provenance", None), "parties"):
            mesures[titre(une)] = decomposition.decomposer(_population(population), une, months, **calcul)
            sortie.print(rendu.mesures(titre(une), mesures[titre(une)]))
    if bornes:
        sensible = incertitudes.mesurer(_population(population), classes, bornes, months, **calcul)
        for table in rendu.intervalles(sensible):
            sortie.print(table)
        if output is not None:
            sensible.table.write_csv(output / "sensibilite.csv", float_precision=2)
    for table in rendu.totaux(resultat, sortie.width):
        sortie.print(table)
    for nom, dessin in graphiques.comparaison(resultat, mesures).items() if chart else ():
        graphiques.ecrire(dessin, output / f"{nom}.{chart}")
    if output is not None:
        sortie.print(f"Résultats : {output}", highlight=False, soft_wrap=True)


def _loi_au(date: str):
    try:
        return loi_au(date)
    except ValueError as erreur:
        raise ErreurUtilisateur(str(erreur)) from None


@click.command(help="Liste les points douteux du droit et chiffre leurs autres lectures sur une POPULATION.")
@POPULATION
@click.option("--list", "seulement", is_flag=True, help="Lister sans chiffrer.")
@MOIS
@OUVRIERS
@en_clair
def doubts(population, seulement, months, workers):
    """List the doubtful points and measure their other readings, alone and together."""
    sortie = Console()
    liste = rendu.liste_des_doutes(points_douteux.doutes(), sortie.width)
    sortie.print(liste, highlight=False, markup=False)
    if seulement:
        return
    effets = points_douteux.chiffrer(_population(population), months, workers=workers)
    sortie.print(rendu.effets(effets))
    for phrase in (rendu.ensemble(effets), *effets.avis):
        dire(sortie, phrase)


@click.command(help="Courbe de coût d'un paramètre et, avec --budget, valeur qui atteint cet écart.")
@POPULATION
@click.option("--parameter", "chemin", required=True, help="Chemin du paramètre.")
@click.option("--from", "debut", required=True, metavar="AAAA-MM", help="Premier mois changé.")
@click.option("--to", "fin", metavar="AAAA-MM", help="Dernier mois changé.")
@click.option("--values", required=True, metavar="BAS:HAUT[:NOMBRE]", help="Valeurs essayées, et combien.")
@click.option("--budget", type=float, help="Écart de coût cherché, en euros.")
@click.option("--chart", type=click.Path(dir_okay=False, path_type=Path), help="Courbe en SVG ou PNG.")
@MOIS
@OUVRIERS
@en_clair
def seek(population, chemin, debut, fin, values, budget, chart, months, workers):
    """Sweep a parameter, or search the value that meets a budget."""
    sortie = Console()
    bas, haut, nombre = sensibilite.lire_valeurs(values)
    if chart is not None:
        graphiques.verifier()
    cible = sensibilite.Cible(chemin, debut, fin)
    courbe = sensibilite.balayer(_population(population), cible, bas, haut, nombre, months, workers=workers)
    sortie.print(sensibilite.table(courbe))
    trouve = None
    if budget is not None:
        trouve = sensibilite.chercher(_population(population), cible, courbe, budget, months, workers=workers)
        dire(sortie, trouve.phrase)
    if chart is not None:
        point = trouve and (trouve.valeur, trouve.ecart)
        graphiques.ecrire(graphiques.courbe(courbe, cible.libelle, budget, point), chart)
