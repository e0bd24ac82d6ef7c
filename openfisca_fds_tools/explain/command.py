"""Commands ``explain``, ``timeline`` and ``sweep``."""

import json
import re
from functools import wraps
from pathlib import Path

import click
from rich.console import Console

from openfisca_fds_tools.situation import ErreurSituation, construire

from . import blocs, ecriture, rendu
from . import sweep as balayage
from . import timeline as chronologie
from .cas import lire_cas
from .explication import explain as expliquer
from .explication import systeme_par_defaut

UN_MOIS = re.compile(r"\d{4}-(0[1-9]|1[0-2])")
LARGEUR_MAXIMALE = 100
FORMES = ("rich", "json", "markdown", "html")
FORMATS_DE_DESSIN = (".svg", ".png", ".json")
CAS = click.argument("case", metavar="CAS", type=click.Path(dir_okay=False))
ENTREPRISE = click.option("--enterprise", metavar="ID", help="Entreprise, si le cas en compte plusieurs.")
NOM = click.option("--case", "name", metavar="NOM", help="Nom du cas, si le fichier en compte plusieurs.")
MOIS = click.option("--month", metavar="AAAA-MM", help="Mois de l'aide [par défaut : celui du cas].")


class Refus(click.ClickException):
    """What the command cannot read, said in French; exit code 2."""

    exit_code = 2

    def show(self, file=None):
        """Print the message."""
        click.echo(f"Erreur : {self.format_message()}", file=file, err=True)


def en_clair(commande):
    """Turn an unreadable case into one line and exit code 2."""

    @wraps(commande)
    def executee(*args, **kwargs):
        try:
            return commande(*args, **kwargs)
        except (ErreurSituation, ValueError) as erreur:
            raise Refus(str(erreur)) from None

    return executee


def _console():
    console = Console(highlight=False)
    return console, min(console.width, LARGEUR_MAXIMALE)


def _mois(month, periode):
    if month is None and periode is None:
        raise ValueError("Donner le mois : --month 2021-03.")
    mois = month or str(periode)
    if not UN_MOIS.fullmatch(mois):
        raise ValueError(f"« {mois} » n'est pas un mois ; attendu : une année et un mois, comme 2021-03.")
    return mois


def _entreprises(simulation, choisie):
    return [choisie] if choisie else [str(identifiant) for identifiant in simulation.persons.ids]


@click.command()
@CAS
@MOIS
@ENTREPRISE
@NOM
@click.option("--format", "forme", type=click.Choice(FORMES), default=FORMES[0], help="Forme de la réponse.")
@click.option("--sources", is_flag=True, help="Au terminal aussi, les seuils, leurs textes et leur degré de confiance.")
@click.option("--all", "tout", is_flag=True, help="Chaque article en entier, et les autres textes (volet 2…).")
@en_clair
def explain(case, month, enterprise, name, forme, sources, tout):
    """Expliquer l'aide d'un mois : conditions, seuils, régimes, montants, et ce qui manquait."""
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
        for rang, explication in enumerate(explications):
            console.print(*[""] * bool(rang), rendu.rich(blocs.page(explication, sources, tout), largeur), sep="\n")
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
    """Montrer toute l'histoire d'une entreprise, de mars 2020 à février 2022."""
    situation, periode = lire_cas(case, name)
    simulation = construire(systeme_par_defaut(), situation, periode)
    console, largeur = _console()
    for une in _entreprises(simulation, enterprise):
        console.print(chronologie.afficher(chronologie.historique(simulation, une), largeur))


@click.command()
@CAS
@click.option("--variable", default="chiffre_affaires", show_default=True, help="Donnée qui varie.")
@MOIS
@click.option("--from", "debut", type=float, required=True, help="Première valeur.")
@click.option("--to", "fin", type=float, required=True, help="Dernière valeur.")
@click.option("--points", type=int, default=401, show_default=True, help="Nombre de valeurs.")
@click.option("--output", type=click.Path(dir_okay=False), help="Dessin : .svg, .png ou .json (complément « report »).")
@ENTREPRISE
@NOM
@en_clair
def sweep(case, variable, month, debut, fin, points, output, enterprise, name):
    """Suivre l'aide quand une donnée varie, ses marches au centime près, et la dessiner."""
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
    segments = balayage.segmenter(systeme_par_defaut(), situation, resultat, periode)
    console.print(rendu.rich(_page(resultat, segments), largeur))


def _page(resultat, segments):
    titre = f"Aide {ecriture.de(ecriture.mois(resultat.periode))}, entreprise « {resultat.entreprise} »"
    lignes = []
    for segment in segments:
        bornes = [ecriture.valeur(x, resultat.unite) for x in (segment.debut, segment.fin)]
        aides = [ecriture.euros(y) for y in dict.fromkeys((round(segment.aide_debut, 2), round(segment.aide_fin, 2)))]
        texte = f"{segment.article} : {ecriture.minuscule(segment.regime)}" if segment.article else "pas d'aide"
        lignes.append((texte, *bornes, " → ".join(aides)))
    nombre = len(resultat.marches)
    marches = [
        f"{ecriture.valeur(marche.avant, resultat.unite)} : aide de {ecriture.euros(marche.aide_avant)} ; "
        f"{ecriture.valeur(marche.apres, resultat.unite)} : aide de {ecriture.euros(marche.aide_apres)}"
        for marche in resultat.marches
    ]
    return [
        blocs.Titre(1, titre),
        blocs.Paragraphe(f"Ce qui varie : {ecriture.minuscule(resultat.libelle)}."),
        blocs.Tableau(("Article et régime", "De", "À", "Aide"), tuple(lignes)),
        blocs.Paragraphe(f"{nombre or 'Aucune'} marche{'s' if nombre > 1 else ''} entre ces valeurs."),
        blocs.Points(tuple(blocs.Point(0, marche) for marche in marches)),
    ]
