"""``backtest``: a population simulated from March 2020 to February 2022, laid against what was really paid."""

import json
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from openfisca_fds_tools import publie
from openfisca_fds_tools.population import ErreurUtilisateur, run

from . import marges
from .releve import relever

AVERTISSEMENT = (
    "Un accord sur une marge calée est une cohérence interne, non une validation : la population y a été ajustée. "
    "Seules les marges écartées de l'ajustement éprouvent le modèle, et à travers une population synthétique."
)
CARTE, RESUME = "backtest.json", "resume"
VERSION = 1  # of the folder


@dataclass(frozen=True)
class Backtest:
    """Simulated against paid.

    Attributes:
        tables: name -> table; see ``marges``. « mois », « mois_aide », « mois_paiement », « marges »,
            « forme_par_mois », « section_par_mois », « departement_section », « officiels »,
            « articles », « tranche », « regime », « perte », « seuils » and « resume » (errors of each margin).
        carte: run card: versions, fingerprints, population.
        avis: what the user must know of the file.
    """

    tables: dict[str, pl.DataFrame]
    carte: dict
    avis: list[str] = field(default_factory=list)

    def marge(self, nom: str) -> pl.DataFrame:
        """Give the cells of one of the whole margins, by its name in ``marges.yaml``."""
        return self.tables["marges"].filter(pl.col("marge") == nom).drop("marge")

    def erreur(self, nom: str) -> dict:
        """Give the errors of a margin, by name."""
        return self.tables[RESUME].row(by_predicate=pl.col("marge") == nom, named=True)


def backtest(
    population,
    *,
    workers: int | None = 1,
    block_size: int = run.TAILLE_DE_BLOC,
    progress: Callable[[int, int], None] | None = None,
) -> Backtest:
    """Simulate a population and lay what it is paid against what was published.

    Args:
        population: Polars table or path, as for ``population.simulate``; weights in the column ``poids``.
        workers: processes; None: one per core.
        block_size: rows per block.
        progress: called with (enterprises done, enterprises in all).

    Raises:
        PopulationInvalide: the population is refused.
    """
    releve = relever(population, workers=workers, block_size=block_size, progress=progress)
    mois = marges.par_mois(releve)
    tables = {
        "mois": mois,
        "mois_aide": marges.par_mois_aide(mois),
        "officiels": marges.officiels(mois),
        "mois_paiement": marges.par_mois_paiement(releve),
        "forme_par_mois": marges.par_mois_paiement_et(releve, "forme_juridique"),
        "section_par_mois": marges.par_mois_paiement_et(releve, "section"),
        "departement_section": marges.par_departement_section(releve),
        "departement_section_par_trimestre": marges.par_departement_section_et_trimestre(releve),
        "articles": marges.articles(releve),
        "seuils": marges.seuils(releve),
        **{nom: marges.repartition(releve, nom) for nom in ("tranche", "regime", "perte")},
    }
    entieres = {axe: marges.marge(releve, axe) for axe in publie.AXES}
    entieres |= {f"volet_2_{axe}": marges.marge(releve, axe, 2) for axe in publie.AXES if axe != "departement"}
    tables["marges"] = pl.concat(table.select(pl.lit(nom).alias("marge"), pl.all()) for nom, table in entieres.items())
    tables[RESUME] = _resumer(tables, entieres)
    carte = releve.carte | {
        "avertissement": AVERTISSEMENT,
        "source_des_paiements": f"DGFiP, données ouvertes, {publie.DATE_DES_MARGES}",
        "totaux": _totaux(releve),
    }
    return Backtest(tables, carte, releve.avis)


def _resumer(tables: dict[str, pl.DataFrame], entieres: dict[str, pl.DataFrame]) -> pl.DataFrame:
    comparees = {
        "mois_aide": (tables["mois_aide"], "simule", "cible"),
        "moyenne_par_mois": (tables["mois_aide"], "moyenne", "moyenne_cible"),
    }
    comparees |= {nom: (table, "simule", "verse") for nom, table in entieres.items()}
    autres = (nom for nom in marges.statuts() if nom not in comparees)
    comparees |= {nom: (tables[nom], "simule", "verse") for nom in autres}
    return pl.DataFrame([marges.erreurs(nom, *comparees[nom]) for nom in marges.statuts()])


def _totaux(releve) -> dict[str, float]:
    """Give what was simulated and what was paid in all, in euros."""
    sommes = releve.beneficiaires.group_by("volet").agg(pl.sum("montant", "aides", "entreprises"))
    simules = {
        f"volet_{volet}": {"montant": round(montant, 2), "aides": round(aides), "entreprises": round(entreprises)}
        for volet, montant, aides, entreprises in sorted(sommes.iter_rows())
    }
    verses = {f"volet_{volet}": publie.marge("section", volet)["montant"].sum() for volet in (1, 2)}
    return {"simules": simules, "verses": verses}


# ---- folder ----


def ecrire(resultat: Backtest, dossier: str | Path) -> Path:
    """Write the tables (Parquet and CSV) and the card: all of them, or nothing if interrupted.

    Args:
        resultat: backtest.
        dossier: folder, new, empty, or holding a former backtest, which is replaced.

    Raises:
        ErreurUtilisateur: the folder holds something else, or cannot be written.
    """
    dossier = Path(dossier)
    if dossier.exists() and not dossier.is_dir():
        raise ErreurUtilisateur(f"{dossier} existe et n'est pas un dossier.")
    if dossier.exists() and any(dossier.iterdir()) and not (dossier / CARTE).exists():
        raise ErreurUtilisateur(f"{dossier} contient autre chose qu'un backtest ; donner un dossier nouveau ou vide.")
    parent = dossier.absolute().parent
    try:
        parent.mkdir(parents=True, exist_ok=True)
        travail = Path(tempfile.mkdtemp(prefix=f".{dossier.name}.", dir=parent))
    except OSError as erreur:
        raise ErreurUtilisateur(f"Écriture impossible dans {parent} ({erreur.strerror}).") from erreur
    try:
        for nom, table in resultat.tables.items():
            table.write_parquet(travail / f"{nom}.parquet", compression="zstd")
            table.write_csv(travail / f"{nom}.csv", float_precision=2 if nom != RESUME else 6)
        carte = {"version": VERSION, **resultat.carte, "resume": resultat.tables[RESUME].to_dicts()}
        (travail / CARTE).write_text(json.dumps(carte, ensure_ascii=False, indent=1), encoding="utf-8")
        if dossier.exists():
            shutil.rmtree(dossier)
        travail.chmod(0o755)
        travail.replace(dossier)
    finally:
        shutil.rmtree(travail, ignore_errors=True)
    return dossier


def lire(dossier: str | Path) -> Backtest:
    """Read the folder of a backtest.

    Raises:
        ErreurUtilisateur: no backtest there, or one of another version.
    """
    dossier = Path(dossier)
    if not (dossier / CARTE).is_file():
        raise ErreurUtilisateur(
            f"{dossier} ne contient pas de backtest ; en écrire un : openfisca-fds backtest --output {dossier}"
        )
    try:
        carte = json.loads((dossier / CARTE).read_text(encoding="utf-8"))
        if carte.pop("version", None) != VERSION:
            raise ErreurUtilisateur(f"{dossier} : backtest d'une autre version ; le refaire.")
        carte.pop("resume")
        tables = {chemin.stem: pl.read_parquet(chemin) for chemin in sorted(dossier.glob("*.parquet"))}
    except (ValueError, KeyError, pl.exceptions.PolarsError) as erreur:
        raise ErreurUtilisateur(f"{dossier} : backtest illisible ({erreur}) ; le refaire.") from erreur
    return Backtest(tables, carte)
