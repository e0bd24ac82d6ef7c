"""Commands ``explain``, ``timeline`` and ``sweep``."""

import json
from functools import wraps
from pathlib import Path

import click
from rich.console import Console

from openfisca_fds_tools.explain import blocs, ecriture, rendu
from openfisca_fds_tools.explain import sweep as balayage
from openfisca_fds_tools.explain import timeline as chronologie
from openfisca_fds_tools.explain.cas import lire_cas
from openfisca_fds_tools.explain.explication import explain as expliquer
from openfisca_fds_tools.explain.explication import systeme_par_defaut
from openfisca_fds_tools.situation import ErreurSituation, construire

LARGEUR_MAXIMALE = 100
FORMATS_DE_DESSIN = (".svg", ".png", ".json")
CAS = click.argument("case", type=click.Path(dir_okay=False))
ENTREPRISE = click.option("--enterprise", metavar="ID", help="Enterprise, when the case holds several.")
NOM = click.option("--case", "name", metavar="NAME", help="Name of the case, when the file holds several.")
MOIS = click.option("--month", metavar="YYYY-MM", help="Month of the aid [default: the period of the case].")


def en_clair(commande):
    """Turn an unreadable case into one line and exit code 2."""

    @wraps(commande)
    def executee(*args, **kwargs):
        try:
            return commande(*args, **kwargs)
        except (ErreurSituation, ValueError) as erreur:
            refus = click.ClickException(str(erreur))
            refus.exit_code = 2
            raise refus from None

    return executee


def _console():
    console = Console(highlight=False)
    return console, min(console.width, LARGEUR_MAXIMALE)


def _mois(month, periode):
    if month is None and periode is None:
        raise ValueError("Donner le mois : --month 2021-03.")
    return month or str(periode)


def _entreprises(simulation, choisie):
    return [choisie] if choisie else [str(identifiant) for identifiant in simulation.persons.ids]


@click.command()
@CAS
@MOIS
@ENTREPRISE
@NOM
@click.option("--format", "forme", type=click.Choice(["rich", "json", "markdown", "html"]), default="rich")
@click.option("--sources", is_flag=True, help="On a terminal, also list the parameters, their texts and confidence.")
@click.option("--all", "tout", is_flag=True, help="Also explain the other texts that pay nothing (volet 2…).")
@en_clair
def explain(case, month, enterprise, name, forme, sources, tout):
    """Explain the aid of a month: conditions, thresholds, branches, amounts, and what was missing."""
    situation, periode = lire_cas(case, name)
    mois = _mois(month, periode)
    simulation = construire(systeme_par_defaut(), situation, str(periode or mois))
    explications = [expliquer(simulation, mois, une) for une in _entreprises(simulation, enterprise)]
    if forme == "json":
        dictionnaires = [explication.en_dictionnaire() for explication in explications]
        seule = dictionnaires[0] if len(dictionnaires) == 1 else dictionnaires
        click.echo(json.dumps(seule, ensure_ascii=False, indent=2, allow_nan=False))
        return
    if forme == "rich":
        console, largeur = _console()
        for explication in explications:
            console.print(rendu.rich(blocs.page(explication, sources, tout), largeur))
        return
    pages = [bloc for explication in explications for bloc in blocs.page(explication, autres=tout)]
    titre = f"Fonds de solidarité, {ecriture.mois(mois)}"
    click.echo(rendu.markdown(pages) if forme == "markdown" else rendu.html(pages, titre), nl=False)


@click.command()
@CAS
@ENTREPRISE
@NOM
@en_clair
def timeline(case, enterprise, name):
    """Show the whole history of an enterprise, March 2020 to February 2022."""
    situation, periode = lire_cas(case, name)
    simulation = construire(systeme_par_defaut(), situation, periode)
    console, largeur = _console()
    for une in _entreprises(simulation, enterprise):
        console.print(chronologie.afficher(chronologie.historique(simulation, une), largeur))


@click.command()
@CAS
@click.option("--variable", default="chiffre_affaires", show_default=True, help="Input that varies.")
@MOIS
@click.option("--from", "debut", type=float, required=True, help="First value.")
@click.option("--to", "fin", type=float, required=True, help="Last value.")
@click.option("--points", type=int, default=401, show_default=True)
@click.option("--output", type=click.Path(dir_okay=False), help="Drawing: .svg, .png or .json (extra « report »).")
@ENTREPRISE
@NOM
@en_clair
def sweep(case, variable, month, debut, fin, points, output, enterprise, name):
    """Plot the aid against one input, and list its cliffs to the cent."""
    if output and Path(output).suffix not in FORMATS_DE_DESSIN:
        raise ValueError(f"« {output} » : attendu un fichier {', '.join(FORMATS_DE_DESSIN)}.")
    situation, periode = lire_cas(case, name)
    mois = _mois(month, periode)
    resultat = balayage.balayer(
        systeme_par_defaut(), situation, variable, mois, debut, fin, points, enterprise, periode
    )
    if output:
        try:
            balayage.tracer(resultat, output)
        except ModuleNotFoundError:
            raise ValueError("Le dessin demande un complément : pip install 'openfisca-fds[report]'.") from None
    console, largeur = _console()
    console.print(rendu.rich(_page(resultat), largeur))


def _page(resultat):
    titre = blocs.Titre(1, f"Aide de {ecriture.mois(resultat.periode)} selon : {ecriture.minuscule(resultat.libelle)}")
    bornes = [(resultat.valeurs[rang], resultat.aides[rang]) for rang in (0, -1)]
    lignes = [(ecriture.valeur(x, resultat.unite), "", ecriture.euros(y)) for x, y in bornes]
    for marche in resultat.marches:
        lignes.insert(-1, (ecriture.valeur(marche.avant, resultat.unite), "avant", ecriture.euros(marche.aide_avant)))
        lignes.insert(-1, (ecriture.valeur(marche.apres, resultat.unite), "après", ecriture.euros(marche.aide_apres)))
    marches = (
        f"{len(resultat.marches)} marche(s) de l'aide entre ces valeurs." if resultat.marches else "Aucune marche."
    )
    return [titre, blocs.Tableau(("Valeur", "Marche", "Aide"), tuple(lignes)), blocs.Paragraphe(marches)]
