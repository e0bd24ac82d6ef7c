"""A run from a population to its results: blocks, resumption, files renamed when whole, run card."""

import fcntl
import hashlib
import json
import os
import platform
import resource
import shutil
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

import numpy
import polars as pl

from . import aggregates, backends, dgfip, engine, model, reading
from .engine import Demande, Plan
from .errors import Constats, ErreurUtilisateur, PopulationInvalide, Probleme, ecriture_impossible, pannes_en_clair
from .parquet import ParquetAppender, RowGroup
from .reading import Bloc

TAILLE_DE_BLOC = 65_536  # rows; the row groups of the generator, so that none is decoded twice
DOSSIER_EN_COURS = ".en_cours"  # inside the output folder: blocks of a run that is not finished
MANIFESTE = "manifeste.json"
_PARTIEL = ".partiel"  # end of the name of a file being written
REPRISE = "les blocs finis sont gardés, la même commande reprendra."
_REFUS = "refus"  # says to the other workers that a problem was found
_MENSUELS, _ETERNELS, _REJETS = "resultats.parquet", "resultats_eternels.parquet", "rejets.parquet"
CHIFFRE_AFFAIRES = "chiffre_affaires"  # the input without which no loss is known
_AGREGATS, _CARTE = "agregats.csv", "run.json"


@dataclass(frozen=True)
class Lot:
    """What every block of a run shares; travels to the workers.

    Attributes:
        demande: what to compute.
        dossier: folder of the finished blocks.
        noms: names of the files of the population, for messages.
        ids_textes: whether identifiers are texts in the results (integers otherwise).
    """

    demande: Demande
    dossier: str
    noms: tuple[str, ...]
    ids_textes: bool


@dataclass
class BlocFini:
    """What a worker gives back: exact sums and findings, never rows."""

    numero: int
    entreprises: int
    constats: Constats
    cases: dict = field(default_factory=dict)
    dgfip: dict = field(default_factory=dict)
    memoire: int = 0  # peak of the process, bytes
    fichiers: dict[str, int] = field(default_factory=dict)  # parts of the results, and their bytes


@dataclass
class Resultats:
    """Results of a simulation.

    Attributes:
        agregats: table mois, article, dimensions, entreprises_eligibles, entreprises_aidees (weighted counts),
            montant_total (euros).
        carte: run card: versions, fingerprints, options, timings, totals.
        dossier: folder of the files, None when none was asked.
        dgfip: tables in the form of the DGFiP open data, by file name.
    """

    agregats: pl.DataFrame
    carte: dict
    dossier: Path | None = None
    dgfip: dict[str, pl.DataFrame] = field(default_factory=dict)
    _temporaire: object = None  # keeps a temporary folder alive as long as its results

    @property
    def mensuels(self) -> pl.DataFrame:
        """Monthly outputs: id, groupe, mois and one column per output; one row per enterprise and month."""
        return self._lire(_MENSUELS)

    @property
    def eternels(self) -> pl.DataFrame:
        """ETERNITY outputs: id, groupe and one column per output; one row per enterprise."""
        return self._lire(_ETERNELS)

    @property
    def rejets(self) -> pl.DataFrame:
        """Rows set aside: fichier, ligne, motif and their cells as texts; empty when there is none."""
        return self._lire(_REJETS)

    def _lire(self, nom: str) -> pl.DataFrame:
        chemin = self.dossier / nom if self.dossier else None
        return pl.read_parquet(chemin) if chemin is not None and chemin.exists() else pl.DataFrame()


def simulate(
    population,
    months: str | tuple[str, ...] | None = None,
    outputs: tuple[str, ...] | list[str] | None = None,
    reform=None,
    *,
    by: tuple[str, ...] | list[str] = (),
    output: str | Path | None = None,
    workers: int | None = 1,
    block_size: int = TAILLE_DE_BLOC,
    errors: str = "fail",
    dgfip: bool = False,
    detail: bool = True,
    scheduler: str | None = None,
    restart: bool = False,
    progress: Callable[[int, int], None] | None = None,
    notice: Callable[[str], None] | None = None,
) -> Resultats:
    """Simulate a population.

    Args:
        population: Polars table, or path of a Parquet, CSV or Arrow IPC file, or of a folder of Parquet files: one
            row per enterprise, columns as the dictionary of variables says (``variable``, ``variable:AAAA-MM``,
            ``groupe.variable:AAAA-MM``, and optionally ``id``, ``groupe``, ``poids``). Amounts in euros.
        months: « 2021-02:2021-09 », « 2021-02,2021-06 » or a tuple of months; None: all those of the model.
        outputs: variables to compute; None: every aid open in one of the months.
        reform: a ``Reform`` class, its dotted name, or what ``scenarios.lire_reforme`` reads (« a.yaml », « a.py »,
            « loi:2021-02-20 », several joined by « + »).
        by: dimensions of the aggregates: a variable (« departement »), « section », « region », or a number with
            bounds (« effectif_salarie@1/10/50 »).
        output: folder of the files; an interrupted run started again with the same arguments does what is missing.
            None: tables are kept in a temporary folder that disappears with the result.
        workers: processes; None: one per core.
        block_size: rows per block, at most 262 144.
        errors: « fail » refuses a population that has a problem; « skip » sets the bad rows aside, with their group.
        dgfip: aggregate in the form of the DGFiP open data too.
        detail: keep the results of each enterprise; False: aggregates only.
        scheduler: address of a Dask scheduler, « local » (Dask on this machine) or « spark ».
        restart: forget an interrupted run of the same folder.
        progress: called with (enterprises done, enterprises in all).
        notice: called with each message for the user.

    Returns:
        Aggregates, results of each enterprise and run card.

    Raises:
        ErreurUtilisateur: unknown output, month outside the model, other run in the folder, disk full, no memory…
        PopulationInvalide: the population is refused; nothing is written.
    """
    if not 1 <= block_size <= aggregates.LIGNES_MAXIMUM:
        raise ErreurUtilisateur(f"Taille de bloc {block_size} : attendu un nombre de 1 à {aggregates.LIGNES_MAXIMUM}.")
    if errors not in ("fail", "skip"):
        raise ErreurUtilisateur(f"Traitement des erreurs « {errors} » : attendu fail ou skip.")
    mois = model.mois_demandes(months if months is None or isinstance(months, str) else ",".join(months))
    demande = Demande(
        mois=mois,
        sorties=tuple(outputs) if outputs is not None else None,
        par=tuple(by),
        reforme=reform,
        tolerer=errors == "skip",
        detail=detail,
        dgfip=dgfip,
    )
    plan = planifier(demande)  # refuses a bad request before any file is touched
    with pannes_en_clair(REPRISE), Dossier(output, restart) as dossier:
        if isinstance(population, pl.DataFrame):
            chemins = [dossier.travail / reading.NOM_TABLE]
            population.write_parquet(chemins[0], compression="lz4", statistics=False)
        else:
            chemins = reading.lister(population)
        return _derouler(
            plan, chemins, dossier, workers or backends.coeurs(), block_size, scheduler, progress, notice or _muet
        )


def _muet(message: str) -> None:
    """Say nothing."""


@lru_cache(maxsize=8)
def planifier(demande: Demande) -> Plan:
    """Plan of a request, made once per process."""
    return engine.planifier(demande)


class Dossier:
    """Output folder: created if need be, locked, left as it was when the population is refused.

    Blocks live in a hidden folder inside it, kept when the run is interrupted. Without an output folder, a
    temporary one. The lock is that of the system, which frees it whatever the end of the process.
    """

    def __init__(self, sortie, recommencer: bool) -> None:
        self.temporaire = tempfile.TemporaryDirectory(prefix="openfisca-fds-") if sortie is None else None
        self.sortie = Path(self.temporaire.name if sortie is None else sortie)
        self.travail = self.sortie / DOSSIER_EN_COURS
        self._recommencer = recommencer

    def __enter__(self) -> "Dossier":
        if self.sortie.exists() and not self.sortie.is_dir():
            raise ErreurUtilisateur(f"{self.sortie} existe et n'est pas un dossier.")
        self._cree = not self.sortie.exists()
        try:
            self.sortie.mkdir(parents=True, exist_ok=True)
            self._verrou = os.open(self.sortie, os.O_RDONLY)
            self._verrouiller()
            if self._recommencer:
                shutil.rmtree(self.travail, ignore_errors=True)
            self.travail.mkdir(exist_ok=True)
        except OSError as erreur:
            cause = ecriture_impossible(erreur) or erreur.strerror
            raise ErreurUtilisateur(f"{self.sortie} : dossier impossible à créer ({cause}).") from erreur
        for reste in self.travail.glob(f"*{_PARTIEL}"):
            reste.unlink(missing_ok=True)
        return self

    def _verrouiller(self) -> None:
        try:
            fcntl.flock(self._verrou, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._verrou)
            raise ErreurUtilisateur(f"{self.sortie} : un autre calcul y est en cours.") from None
        except OSError:  # some network file systems cannot lock a folder: as before, the user takes care
            return

    def __exit__(self, genre, erreur, trace) -> None:
        fini = genre is None or isinstance(erreur, PopulationInvalide)
        if fini or not (self.travail / MANIFESTE).exists():
            self.vider()
        os.close(self._verrou)

    def vider(self) -> None:
        """Remove the blocks, and the folder itself if this run made it and wrote nothing in it."""
        shutil.rmtree(self.travail, ignore_errors=True)
        if self._cree and self.sortie.exists() and not any(self.sortie.iterdir()):
            self.sortie.rmdir()


def _derouler(plan: Plan, chemins, dossier: Dossier, ouvriers, taille, repartiteur, progres, dire) -> Resultats:
    debut = time.perf_counter()
    manifeste = manifeste_de(plan, chemins, taille)
    finis = reprendre(dossier.travail, manifeste)
    source = reading.ouvrir(chemins, dossier.travail, plan.tbs, taille, plan.demande.tolerer)
    source.constats.lever()
    for avis in source.avis:
        dire(avis)
    blocs = reading.decouper(source, taille)
    manifeste["blocs"] = [[Path(b.chemin).name, b.debut, b.nombre] for b in blocs]
    ecrire_json(dossier.travail / MANIFESTE, manifeste)
    ouverture = time.perf_counter() - debut
    lot = Lot(
        plan.demande,
        str(dossier.travail.absolute()),
        tuple(chemin.name for chemin in chemins),
        reading.type_des_ids(source.fichiers) == pl.String,
    )
    if finis:
        dire(f"reprise : {len(finis)} bloc{'s' if len(finis) > 1 else ''} sur {len(blocs)} déjà calculé(s).")
    bilans = {bilan.numero: bilan for bilan in finis}
    faites = sum(bilan.entreprises + bilan.constats.lignes_rejetees for bilan in finis)
    restants = [bloc for bloc in blocs if bloc.numero not in bilans]
    try:
        for bilan in backends.executer(traiter, lot, restants, ouvriers, repartiteur):
            bilans[bilan.numero] = bilan
            faites += blocs[bilan.numero].nombre
            if progres is not None:
                progres(faites, source.lignes)
    except backends.OuvriersPerdus:
        reading.verifier_pages(source)  # a damaged file is refused as such
        raise
    constats = Constats()
    for numero in sorted(bilans):
        constats.reunir(bilans[numero].constats)
    constats.lever()
    for avis in _mois_sans_chiffre_affaires(plan, source):
        dire(avis)
    if constats.nan:
        for colonne, nombre in sorted(constats.nan.items()):
            dire(f"colonne « {colonne} » : {nombre} valeur{'s' if nombre > 1 else ''} NaN, lue(s) comme vide(s).")
    if constats.lignes_rejetees:
        dire(f"{constats.lignes_rejetees} ligne(s) écartée(s), voir {_REJETS}.")
    calcul = time.perf_counter() - debut - ouverture
    return _conclure(plan, dossier, manifeste, blocs, bilans, constats, ouvriers, (debut, ouverture, calcul))


def _mois_sans_chiffre_affaires(plan: Plan, source) -> list[str]:
    """Warn of the months whose turnover no file gives, if an aid is asked: as nought, it makes every loss total."""
    donnees = {nom for fichier in source.fichiers for nom in fichier.types}
    absents = [mois for mois in plan.demande.mois if f"{CHIFFRE_AFFAIRES}:{mois}" not in donnees]
    if not absents or not plan.aides:
        return []
    suite = absents[0] if len(absents) == 1 else f"{absents[0]} à {absents[-1]} ({len(absents)} mois)"
    return [f"aucune colonne {CHIFFRE_AFFAIRES} pour {suite} : lu comme 0 €, donc comme une perte totale."]


# ---- one block ----


def traiter(lot: Lot, bloc: Bloc) -> BlocFini:
    """Compute a block and write its files; runs in a worker.

    The report is written last, under its final name: a block without report is not done.
    """
    backends.garder_la_memoire()
    plan = planifier(lot.demande)
    lu = reading.lire_bloc(bloc, plan.tbs, lot.noms, lot.demande.tolerer)
    bilan = BlocFini(bloc.numero, len(lu.ids), lu.constats)
    dossier = Path(lot.dossier)
    if lu.constats.nombre:
        (dossier / _REFUS).touch()
    if (dossier / _REFUS).exists():  # what follows is read only to count every problem
        return bilan
    lu.ids = lu.ids.cast(pl.String if lot.ids_textes else pl.Int64)
    if lu.rejets is not None:
        with _entier(_part(dossier, bloc.numero, _REJETS)) as partiel:
            lu.rejets.write_parquet(partiel)
    if bilan.entreprises:
        agregateur = _calculer(plan, lu, dossier, bloc.numero)
        bilan.cases, bilan.dgfip = agregateur.cases, agregateur.dgfip
    bilan.memoire = _pic_memoire()
    parts = (_part(dossier, bloc.numero, nom) for nom in (_MENSUELS, _ETERNELS, _REJETS))
    bilan.fichiers = {part.name: part.stat().st_size for part in parts if part.exists()}
    _ecrire_bilan(dossier, bilan)
    return bilan


def _calculer(plan: Plan, lu, dossier: Path, numero: int):
    if not plan.demande.detail:
        return engine.calculer(plan, lu)
    provisoire = dossier / f"mois-{os.getpid()}.parquet"
    with (
        _entier(_part(dossier, numero, _MENSUELS)) as partiel,
        ParquetAppender(partiel, draft=True) as mensuels,
    ):
        constantes = None

        def recevoir(mois: str | None, table: pl.DataFrame) -> None:
            nonlocal constantes
            if mois is None:
                with _entier(_part(dossier, numero, _ETERNELS)) as eternels:
                    ecrire(table, eternels)
                return
            ecrire(table, provisoire)
            if mois == engine.CONSTANTES:  # identifiers and closed aids, encoded once for all months
                constantes = RowGroup(provisoire)
            else:
                mensuels.append_columns(constantes, RowGroup(provisoire))

        agregateur = engine.calculer(plan, lu, recevoir)
    provisoire.unlink(missing_ok=True)
    return agregateur


def ecrire(table: pl.DataFrame, chemin: Path) -> None:
    """Write results as Parquet: the one place that says how."""
    table.write_parquet(
        chemin, compression="zstd", compression_level=1, statistics=False, row_group_size=max(table.height, 1)
    )


def _part(dossier: Path, numero: int, nom: str) -> Path:
    return dossier / f"bloc-{numero:06d}-{nom}"


def _pic_memoire() -> int:
    pic = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return pic if platform.system() == "Darwin" else pic * 1024


def _ecrire_bilan(dossier: Path, bilan: BlocFini) -> None:
    contenu = asdict(bilan) | {
        "cases": [[*cle, mesures] for cle, mesures in bilan.cases.items()],
        "dgfip": [[*cle, mesures] for cle, mesures in bilan.dgfip.items()],
    }
    ecrire_json(_part(dossier, bilan.numero, "bilan.json"), contenu)


def _lire_bilan(chemin: Path) -> BlocFini | None:
    """Report of a block; None if the report or a part is not whole, after a failure of the disk or of the power."""
    try:
        contenu = json.loads(chemin.read_text(encoding="utf-8"))
        entiers = all(chemin.with_name(nom).stat().st_size == octets for nom, octets in contenu["fichiers"].items())
    except (ValueError, KeyError, FileNotFoundError):
        return None
    if not entiers:
        return None
    constats = contenu["constats"]
    premiers = [Probleme(**probleme) for probleme in constats.pop("premiers")]
    contenu["constats"] = Constats(premiers=premiers, **constats)
    for nom in ("cases", "dgfip"):
        contenu[nom] = {tuple(cle): mesures for *cle, mesures in contenu[nom]}
    return BlocFini(**contenu)


def ecrire_json(chemin: Path, contenu) -> None:
    """Write a JSON file, whole or not at all."""
    with _entier(chemin) as partiel:
        partiel.write_text(json.dumps(contenu, ensure_ascii=False, indent=1, default=str), encoding="utf-8")


@contextmanager
def _entier(chemin: Path) -> Iterator[Path]:
    """Give a name to write under, then rename it: what bears the final name is whole.

    The provisional name is of no one else, so that two workers given the same block do not write in one file.
    """
    partiel = chemin.with_name(f"{chemin.name}.{uuid.uuid4().hex}{_PARTIEL}")
    try:
        yield partiel
        partiel.replace(chemin)
    finally:
        partiel.unlink(missing_ok=True)


# ---- resumption ----


def manifeste_de(plan: Plan, chemins, taille: int) -> dict:
    """Say what makes two runs the same."""
    demande = plan.demande
    return {
        "entrees": [
            {"fichier": chemin.name, "octets": chemin.stat().st_size, "sha256": sha256(chemin)} for chemin in chemins
        ],
        "modele": {
            "version": model.version(),
            "parametres": model.empreinte_parametres(plan.tbs),
            "formules": model.empreinte_formules(plan.tbs),
        },
        "reforme": model.nom_reforme(demande.reforme),
        "options": {
            "mois": list(demande.mois),
            "sorties": None if demande.sorties is None else list(demande.sorties),
            "par": list(demande.par),
            "erreurs": "skip" if demande.tolerer else "fail",
            "detail": demande.detail,
            "dgfip": demande.dgfip,
            "taille_de_bloc": taille,
        },
    }


def sha256(chemin: Path) -> str:
    """Fingerprint of a file."""
    with open(chemin, "rb") as flux:
        return hashlib.file_digest(flux, "sha256").hexdigest()


def reprendre(travail: Path, manifeste: dict) -> list[BlocFini]:
    """Finished blocks, whole, of an interrupted run of the same population, model and options.

    Raises:
        ErreurUtilisateur: the folder holds another run.
    """
    chemin = travail / MANIFESTE
    try:
        ancien = json.loads(chemin.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):  # none, or lost with the power
        return []
    libelles = {
        "entrees": "la population a changé",
        "modele": "le modèle a changé (version, paramètres ou formules)",
        "reforme": "la réforme a changé",
        "options": "les options ont changé",
    }
    raisons = [libelle for nom, libelle in libelles.items() if ancien.get(nom) != manifeste[nom]]
    if raisons:
        raise ErreurUtilisateur(
            f"{travail.parent} contient un calcul interrompu qui ne peut être repris : {', '.join(raisons)}. "
            "Ajouter --restart pour l'abandonner, ou choisir un autre dossier."
        )
    bilans = (_lire_bilan(bilan) for bilan in sorted(travail.glob("bloc-*-bilan.json")))
    return [bilan for bilan in bilans if bilan is not None]


# ---- end of a run ----


def _conclure(plan, dossier, manifeste, blocs, bilans, constats, ouvriers, temps) -> Resultats:
    cases, dgfip_cases = {}, {}
    for numero in sorted(bilans):
        for cle, mesures in bilans[numero].cases.items():
            aggregates.ajouter(cases, cle, mesures)
        for cle, mesures in bilans[numero].dgfip.items():
            aggregates.ajouter(dgfip_cases, cle, mesures)
    agregats = aggregates.table(cases, plan.aides, [d.nom for d in plan.dimensions])
    tables_dgfip = dgfip.tables(dgfip_cases, plan.tbs) if plan.demande.dgfip else {}
    debut_ecriture = time.perf_counter()
    ecrits = {}
    if plan.demande.detail:
        for nom in (_MENSUELS, _ETERNELS):
            _assembler(dossier.travail, nom, [bloc.numero for bloc in blocs], ecrits)
    _assembler_rejets(dossier.travail, ecrits)
    aggregates.en_csv(agregats, dossier.travail / _AGREGATS)
    ecrits[_AGREGATS] = dossier.travail / _AGREGATS
    for nom, table in tables_dgfip.items():
        ecrits[nom] = dossier.travail / nom
        table.write_csv(ecrits[nom])
    debut, ouverture, calcul = temps
    entreprises = sum(bilan.entreprises for bilan in bilans.values())
    carte = {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        **{cle: valeur for cle, valeur in manifeste.items() if cle != "blocs"},
        "logiciels": {
            "python": platform.python_version(),
            "openfisca-core": model.metadata.version("openfisca-core"),
            "numpy": numpy.__version__,
            "polars": pl.__version__,
        },
        "graine": None,  # nothing is drawn at random
        "ouvriers": ouvriers,
        "blocs": len(blocs),
        "entreprises": entreprises,
        "entreprises_mois": entreprises * len(plan.demande.mois),
        "lignes_rejetees": constats.lignes_rejetees,
        "nan_lus_comme_vides": constats.nan,
        "secondes": {
            "ouverture": round(ouverture, 3),
            "calcul": round(calcul, 3),
            "ecriture": round(time.perf_counter() - debut_ecriture, 3),
            "total": round(time.perf_counter() - debut, 3),
        },
        "memoire_maximale_octets": max([_pic_memoire(), *(bilan.memoire for bilan in bilans.values())]),
        "totaux": {
            aide.montant: aggregates.arrondi(
                sum(mesures[2] for cle, mesures in cases.items() if cle[1] == aide.article), 2
            )
            for aide in plan.aides
        },
    }
    ecrire_json(dossier.travail / _CARTE, carte)
    ecrits[_CARTE] = dossier.travail / _CARTE
    (dossier.sortie / _CARTE).unlink(missing_ok=True)  # comes back last: with a card, results are whole
    for nom in (_MENSUELS, _ETERNELS, _REJETS):  # a former run must not be mistaken for this one
        if nom not in ecrits:
            (dossier.sortie / nom).unlink(missing_ok=True)
    for nom, chemin in ecrits.items():
        chemin.replace(dossier.sortie / nom)
    return Resultats(agregats, carte, dossier.sortie, tables_dgfip, dossier.temporaire)


def _assembler(travail: Path, nom: str, numeros: list[int], ecrits: dict) -> None:
    """Concatenate the parts of the blocks, in their order, each deleted once copied: a disk holds them once.

    A run killed here computes again the blocks whose parts are gone.
    """
    parts = [part for numero in numeros if (part := _part(travail, numero, nom)).exists()]
    parts = [part for part in parts if part.stat().st_size > len(b"PAR1")]
    if not parts:
        return
    with ParquetAppender(travail / nom) as final:
        for part in parts:
            final.append(part)
            part.unlink()
    ecrits[nom] = travail / nom


def _assembler_rejets(travail: Path, ecrits: dict) -> None:
    parts = sorted(travail.glob(f"bloc-*-{_REJETS}"))
    if parts:
        pl.concat([pl.scan_parquet(part) for part in parts], how="diagonal").sink_parquet(travail / _REJETS)
        ecrits[_REJETS] = travail / _REJETS
