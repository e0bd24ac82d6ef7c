"""``openfisca-fds simulate``: the command line of the population engine."""

import re
import sys
from pathlib import Path

import click
import polars as pl
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table

from . import model, run
from .aggregates import MESURES
from .errors import ErreurUtilisateur, nombre_fr

LEGENDE = (
    "Éligibles, aidées : entreprises (pondérées). Part : du total de tous les mois. "
    "Lignes des articles : droits ouverts, demande déposée ou non, avant non-cumul et plafond du groupe ; "
    "ils ne s'additionnent pas. Le total du mois est fds_volet_1 (le plus favorable, après plafond) et, "
    "complément compris, fonds_de_solidarite."
)

LIBELLES = [  # (name of an aid in the aggregates, how the table calls it), see « model.aides »
    (r"(\d+(?:-\d+)?)", "art. {0}"),
    (r"fds_volet_1", "total"),
    (r"fonds_de_solidarite", "total et complément"),
    (r"complement_(\d+)_(\d+)", "décret {0}-{1}"),
    (r"volet_2", "volet 2 (art. 4)"),
    (r"volet_territorial", "volet territorial"),
    (r"discotheque_volet_(\d)", "discothèques (v. {0})"),
    (r"discotheque_volet_(\d)_([a-z]+)_([a-z]+)_(\d+)", "discothèques (v. {0}), {1}–{2} {3}"),
    (r"multi_activites", "multi-activités"),
]
ACCENTS = {"fevrier": "février", "aout": "août", "decembre": "décembre", "septembre": "sept.", "novembre": "nov."}
TITRES = {  # dimension -> its column in the tables; any other is called as it was asked
    "code_naf": "Code NAF",
    "departement": "Département",
    "effectif_groupe": "Effectif du groupe",
    "effectif_salarie": "Effectif",
    "forme_juridique": "Forme juridique",
    "region": "Région",
    "section": "Section",
}
MONTANT_EN_MILLIONS = 10_000_000  # euros
LARGEURS = {"Mois": 8, "Article": 9}  # columns: « une fois », « art. 3-22 » hold in one line
LARGEUR_DES_EUROS = 100  # columns; a narrower screen shows millions


@click.command(
    help="Simule une POPULATION (Parquet, dossier de Parquet, CSV, Arrow) ; sans elle, l'échantillon du paquet."
)
@click.argument("population", required=False)
@click.option("--months", metavar="AAAA-MM[:AAAA-MM]", help="Mois d'aide ; par défaut, tous ceux du modèle.")
@click.option("--output", type=click.Path(file_okay=False, path_type=Path), help="Dossier des résultats.")
@click.option("--by", default="", help="Dimensions des agrégats : departement, section, effectif_salarie@1/10…")
@click.option("--outputs", default="", help="Sorties voulues ; par défaut, les aides ouvertes dans les mois.")
@click.option("--workers", type=click.IntRange(1), help="Processus de calcul ; par défaut, un par cœur.")
@click.option("--block-size", type=int, default=run.TAILLE_DE_BLOC, show_default=True, help="Lignes par bloc.")
@click.option(
    "--errors",
    type=click.Choice(["fail", "skip"]),
    default="fail",
    show_default=True,
    help="Ligne fautive : refuser le fichier, ou l'écarter avec son groupe dans rejets.parquet.",
)
@click.option(
    "--format",
    "forme",
    type=click.Choice(["table", "dgfip"]),
    default="table",
    show_default=True,
    help="Avec dgfip, aussi les fichiers des données ouvertes.",
)
@click.option(
    "--reform", metavar="A.YAML[+B.YAML]", help="Réforme ; ou un fichier Python, loi:AAAA-MM-JJ, paquet.Classe."
)
@click.option("--scheduler", metavar="TCP://…", help="Répartiteur Dask (extra « dask »), ou spark.")
@click.option("--cluster", type=click.Choice(["local"]), help="Grappe Dask de cette machine (extra « dask »).")
@click.option("--restart", is_flag=True, help="Oublier un calcul interrompu du même dossier.")
def simulate(
    population, months, output, by, outputs, workers, block_size, errors, forme, reform, scheduler, cluster, restart
):
    """Simulate a population and print its cost table."""
    sortie, messages = Console(), Console(stderr=True)
    try:
        with barre_de_progression(messages) as avancer:
            resultats = run.simulate(
                population or echantillon(),
                months,
                _liste(outputs) or None,
                reform,
                by=_liste(by),
                output=output,
                workers=workers,
                block_size=block_size,
                errors=errors,
                dgfip=forme == "dgfip",
                detail=output is not None,
                scheduler=scheduler or cluster,
                restart=restart,
                progress=avancer,
                notice=lambda message: dire(messages, f"Avis : {message}"),
            )
    except ErreurUtilisateur as erreur:
        dire(messages, str(erreur))
        sys.exit(2)
    except KeyboardInterrupt:
        reprise = " ; relancer la même commande reprend où elle en était" if output else ""
        messages.print(f"Interrompu{reprise}.", highlight=False)
        sys.exit(130)
    if forme == "dgfip":
        for nom, table in resultats.dgfip.items():
            sortie.print(f"{nom} : {nombre_fr(table.height)} lignes", highlight=False)
    grand = resultats.agregats["montant_total"].max() or 0
    en_millions = sortie.width < LARGEUR_DES_EUROS and grand >= MONTANT_EN_MILLIONS
    sortie.print(tableau(resultats.agregats, population is None, en_millions=en_millions))
    if population is None and months is None and not by and not outputs and reform is None:
        from openfisca_fds_tools.report import officiel  # needed for the shipped sample alone

        officiel.montrer(resultats.agregats, sortie, output)
    dire(sortie, bilan(resultats.carte))
    if output is not None:
        sortie.print(f"Résultats : {output}", highlight=False, soft_wrap=True)


def echantillon() -> Path:
    """Path of the population shipped with the package."""
    from openfisca_fds_tools.synthetic import echantillon as embarque

    return Path(embarque.chemin())


def dire(console: Console, texte: str) -> None:
    """Write sentences: between words at the width of a terminal, each on one line in a pipe, where programs read."""
    console.print(texte, highlight=False, markup=False, soft_wrap=not console.is_terminal)


def _liste(texte: str) -> tuple[str, ...]:
    return tuple(morceau.strip() for morceau in texte.split(",") if morceau.strip())


class barre_de_progression:  # noqa: N801 -- used as a function
    """Progress bar on a terminal, nothing in a pipe; gives the function to call at each step."""

    def __init__(self, console: Console) -> None:
        self._progres = None
        if console.is_terminal:
            self._progres = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                TaskProgressColumn(),
                TextColumn("{task.fields[rythme]}"),
                TimeRemainingColumn(),
                console=console,
                transient=True,
            )

    def __enter__(self):
        if self._progres is None:
            return None
        self._progres.start()
        tache = self._progres.add_task("Simulation", total=None, rythme="")

        def avancer(faites: int, total: int) -> None:
            ecoule = self._progres.tasks[tache].elapsed or 0
            rythme = f"{nombre_fr(faites / ecoule)} entreprises/s" if ecoule else ""
            self._progres.update(tache, completed=faites, total=total, rythme=rythme)

        return avancer

    def __exit__(self, *_) -> None:
        if self._progres is not None:
            self._progres.stop()


def tableau(agregats: pl.DataFrame, embarquee: bool = False, en_millions: bool = False) -> Table:
    """Make the cost table: by month and article, enterprises eligible and aided, amount, share of the total.

    Amounts are in euros, or in millions with one decimal.

    Shares are those of the total of all months; an aid due once, outside that total, has none.
    """
    titre = "Fonds de solidarité : coût simulé"
    if embarquee:
        titre += " (échantillon synthétique embarqué)"
    dimensions = [nom for nom in agregats.columns[2:] if nom not in MESURES]
    marge = 0 if dimensions else 1  # two dimensions hold in 80 columns
    rendu = Table(title=titre, caption=LEGENDE, caption_justify="left", padding=(0, marge))
    for nom in ("Mois", "Article"):
        rendu.add_column(nom, min_width=LARGEURS[nom])
    for nom in dimensions:
        rendu.add_column(titre_de_dimension(nom), overflow="fold")
    for nom in ("Éligibles", "Aidées", "M€" if en_millions else "Euros", "Part"):
        rendu.add_column(nom, justify="right", no_wrap=True)
    volet_1, tous = (agregats.filter(pl.col("article") == total) for total in model.TOTAUX)
    if tous.height == 0:
        tous = volet_1
    total = tous["montant_total"].sum()
    sans_complement = set(volet_1.drop("article").iter_rows())
    precedent = None
    for ligne in agregats.iter_rows(named=True):
        if (
            ligne["article"] == model.TOTAUX[1]
            and tuple(v for n, v in ligne.items() if n != "article") in sans_complement
        ):
            continue  # no complement this month: one total is enough
        mois = ligne["mois"] or "une fois"
        if mois != precedent:
            rendu.add_section()
        rendu.add_row(
            mois if mois != precedent else "",
            libelle_aide(ligne["article"]),
            *(ligne[nom] for nom in dimensions),
            nombre_fr(ligne["entreprises_eligibles"]),
            nombre_fr(ligne["entreprises_aidees"]),
            _montant(ligne["montant_total"], en_millions),
            f"{nombre_fr(100 * ligne['montant_total'] / total, 1)} %" if total and ligne["mois"] else "",
            style="bold" if ligne["article"] in model.TOTAUX else None,
        )
        precedent = mois
    rendu.add_section()
    if tous.height:
        vides = [""] * len(dimensions)
        aides = nombre_fr(tous["entreprises_aidees"].sum())
        rendu.add_row(
            "Total", "tous les mois", *vides, "", aides, _montant(total, en_millions), "100,0 %", style="bold"
        )
    return rendu


def _montant(euros: float, en_millions: bool) -> str:
    return nombre_fr(euros / 1e6, 1) if en_millions else nombre_fr(euros)


def libelle_aide(article: str) -> str:
    """Say how tables call an aid of the aggregates (« 3-28 » → « art. 3-28 »)."""
    for motif, libelle in LIBELLES:
        if reconnu := re.fullmatch(motif, article):
            return libelle.format(*(ACCENTS.get(mot, mot) for mot in reconnu.groups()))
    return article.replace("_", " ")


def titre_de_dimension(nom: str) -> str:
    """Say how tables call a dimension, with or without its bounds (« departement » → « Département »)."""
    return TITRES.get(nom.partition("@")[0], nom)


def bilan(carte: dict) -> str:
    """Say, in a final line, enterprises, enterprise-months, seconds, peak memory."""
    memoire = carte["memoire_maximale_octets"] / 2**20
    return (
        f"{nombre_fr(carte['entreprises'])} entreprises, {nombre_fr(carte['entreprises_mois'])} entreprises-mois, "
        f"{nombre_fr(carte['secondes']['total'], 1)} s, {nombre_fr(memoire)} Mio par processus au plus."
    )
