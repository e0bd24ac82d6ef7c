"""One pass of the engine over a population, kept as small tables of sums.

Each block is computed by ``population.engine``; what it pays is added up by cells and leaves the worker as a Parquet
file of cells, so that memory does not grow with the population. Sums are of integers (2⁻²⁰ of a euro or of an
enterprise): they depend neither on blocks nor on processes.
"""

import platform
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

import numpy
import polars as pl

from openfisca_fds_tools.population import aggregates, backends, engine, model, reading, run, taxonomies
from openfisca_fds_tools.population.errors import Constats

UNITE = 1 << 20  # fixed-point unit: sums below 8 000 billion euros fit an int64
VOLET_1, TOTAL = model.TOTAUX
COMPLEMENT = "complement_2021_1582"
VOLET_2 = ("fds_volet_2", "fds_discotheque_volet_2")  # beginnings of the names of the amounts paid as volet 2
MOIS = model.mois_demandes(None)
ATTRIBUTS = ("departement", "code_naf", "forme_juridique")
EFFECTIF, PERTE = "effectif_salarie", "taux_perte_chiffre_affaires"
DRAPEAUX = ("interdiction_accueil_public", "annexe_1", "annexe_2")  # of the first ``REGIMES``, in their order
CASES = ("section", "departement", "classe_effectif", "forme_juridique")

# (label, least amount), euros; the caps of the decree stand alone
CENT = 0.005
TRANCHES = (
    ("moins de 500 €", 0),
    ("500 à 1 000 €", 500),
    ("1 000 à 1 500 €", 1_000),
    ("1 500 €, plafond", 1_500 - CENT),
    ("1 500 à 3 000 €", 1_500 + CENT),
    ("3 000 à 5 000 €", 3_000),
    ("5 000 à 10 000 €", 5_000),
    ("10 000 €, plafond", 10_000 - CENT),
    ("10 000 à 20 000 €", 10_000 + CENT),
    ("20 000 à 50 000 €", 20_000),
    ("50 000 à 200 000 €", 50_000),
    ("200 000 €, plafond", 200_000 - CENT),
)
REGIMES = ("fermée au public", "annexe 1 (S1)", "annexe 2 (S1 bis)", "autre activité")
TOTALE = 0.9999  # rate from which a loss is total
PERTES = (("moins de 20 %", 0.2), *((f"{p} à {p + 10} %", (p + 10) / 100) for p in range(20, 90, 10)))
PERTES += (("90 à 100 %", TOTALE), ("totale", None))  # label, excluded greatest rate


@dataclass(frozen=True)
class Lot:
    """What every block shares; travels to the workers."""

    dossier: str
    noms: tuple[str, ...]


@dataclass
class BlocReleve:
    """What a worker gives back: findings and the engine's exact sums, never rows."""

    numero: int
    entreprises: int
    constats: Constats
    cases: dict = field(default_factory=dict)


@dataclass
class Releve:
    """What a population is paid.

    ``lignes`` counts rows of the population, which statistical secrecy looks at; aides, entreprises are weighted;
    montant is in euros.

    Attributes:
        volet_1: mois, section, departement, classe_effectif, forme_juridique, article (the one served): lignes,
            aides, montant.
        beneficiaires: volet (1 or 2), section, departement, classe_effectif, forme_juridique: lignes and entreprises
            aided at least once, aides, montant.
        distribution: mois, tranche (label of ``TRANCHES``), regime (of ``REGIMES``, the first that fits), perte (of
            ``PERTES``): lignes, aides, montant.
        totaux: the engine's own table, as ``Resultats.agregats``.
        carte: run card.
        avis: what the user must know of the file.
    """

    volet_1: pl.DataFrame
    beneficiaires: pl.DataFrame
    distribution: pl.DataFrame
    totaux: pl.DataFrame
    carte: dict
    avis: list[str]


def relever(
    population,
    *,
    workers: int | None = 1,
    block_size: int = run.TAILLE_DE_BLOC,
    progress: Callable[[int, int], None] | None = None,
) -> Releve:
    """Simulate every month of aid of a population, and keep what it is paid.

    Args:
        population: Polars table or path, as for ``population.simulate``.
        workers: processes; None: one per core.
        block_size: rows per block.
        progress: called with (enterprises done, enterprises in all).

    Raises:
        PopulationInvalide: the population is refused.
    """
    debut, plan = time.perf_counter(), planifier()
    with tempfile.TemporaryDirectory(prefix="openfisca-fds-") as travail:
        if isinstance(population, pl.DataFrame):
            chemins = [Path(travail) / reading.NOM_TABLE]
            population.write_parquet(chemins[0], compression="lz4", statistics=False)
        else:
            chemins = reading.lister(population)
        source = reading.ouvrir(chemins, Path(travail), plan.tbs, block_size)
        source.constats.lever()
        blocs = reading.decouper(source, block_size)
        lot = Lot(travail, tuple(chemin.name for chemin in chemins))
        finis, faites = [], 0
        for bilan in backends.executer(traiter, lot, blocs, workers or backends.coeurs()):
            finis.append(bilan)
            faites += blocs[bilan.numero].nombre
            if progress is not None:
                progress(faites, source.lignes)
        constats, cases = Constats(), {}
        for bilan in sorted(finis, key=lambda b: b.numero):
            constats.reunir(bilan.constats)
            for cle, mesures in bilan.cases.items():
                aggregates.ajouter(cases, cle, mesures)
        constats.lever()
        tables = {nom: _reunir(Path(travail), nom) for nom in _CLES}
        carte = _carte(plan, chemins, sum(b.entreprises for b in finis), time.perf_counter() - debut)
    return Releve(**tables, totaux=aggregates.table(cases, plan.aides, []), carte=carte, avis=source.avis)


@lru_cache(maxsize=1)
def planifier() -> engine.Plan:
    """Plan of the pass, made once per process: every amount, and what sorts enterprises."""
    aides = [aide.montant for aide in model.aides(model.systeme())]
    return run.planifier(engine.Demande(MOIS, (*aides, *ATTRIBUTS, EFFECTIF, PERTE, *DRAPEAUX)))


def articles_du_volet_1(plan: engine.Plan) -> dict[str, str]:
    """Monthly amounts among which the month is paid, and their articles, in the order of the decree."""
    hors = (VOLET_1, TOTAL, f"fds_{COMPLEMENT}")
    return {aide.montant: aide.article for aide in plan.aides if aide.mensuelle and aide.montant not in hors}


def traiter(lot: Lot, bloc) -> BlocReleve:
    """Compute a block and write its cells; runs in a worker."""
    backends.garder_la_memoire()
    plan = planifier()
    lu = reading.lire_bloc(bloc, plan.tbs, lot.noms)
    bilan = BlocReleve(bloc.numero, len(lu.ids), lu.constats)
    if lu.constats.nombre or not bilan.entreprises:
        return bilan
    observateur = _Observateur(articles_du_volet_1(plan), lu)
    bilan.cases = engine.calculer(plan, lu, observateur.recevoir).cases
    for nom, table in observateur.tables().items():
        table.write_parquet(_part(Path(lot.dossier), nom, bloc.numero))
    return bilan


class _Observateur:
    """Takes the results of a block as the engine makes them.

    Args:
        articles: monthly amounts and their articles.
        lu: inputs of the block.
    """

    def __init__(self, articles: dict[str, str], lu) -> None:
        self._articles = articles
        self._n = len(lu.ids)
        self._poids = numpy.ones(self._n) if lu.poids is None else lu.poids
        self._effectifs = numpy.zeros(self._n)
        self._paiements: list[pl.DataFrame] = []

    def recevoir(self, mois: str | None, table: pl.DataFrame) -> None:
        """Keep what a month pays; with None, the attributes and what is due once."""
        if mois == engine.CONSTANTES:
            return
        if mois is None:
            self._uniques = table
            return
        if mois == aggregates.MOIS_DES_EFFECTIFS and EFFECTIF in table.columns:
            self._effectifs = table[EFFECTIF].to_numpy()
        montants = table[VOLET_1].to_numpy()
        rangs = numpy.flatnonzero(montants > 0)
        ouverts = [nom for nom in self._articles if nom in table.columns]
        # The month is paid under the article that gives most, the first in the order of the decree if equal.
        servi = numpy.argmax(table.select(ouverts)[rangs].to_numpy(), axis=1) if len(rangs) and ouverts else rangs * 0
        noms = pl.Series([self._articles[nom] for nom in ouverts] or [VOLET_1])
        cles = {"article": noms.gather(servi), "regime": _regime(table, rangs), "perte": _perte(table, rangs)}
        self._paiements.append(self._ligne(rangs, montants[rangs], mois=pl.lit(mois), **cles))

    def _ligne(self, rangs: numpy.ndarray, montants: numpy.ndarray, **cles) -> pl.DataFrame:
        poids = self._poids[rangs]
        colonnes = {
            "rang": rangs,
            "brut": montants,
            "poids": numpy.rint(poids * UNITE).astype(numpy.int64),
            "montant": numpy.rint(poids * montants * UNITE).astype(numpy.int64),
        }
        return pl.DataFrame(colonnes).with_columns(**cles)

    def tables(self) -> dict[str, pl.DataFrame]:
        """Cells of the block, by table."""
        attributs = self._attributs()
        paiements = pl.concat(self._paiements)
        volet_2 = self._uniques.select(pl.sum_horizontal(pl.col(f"^({'|'.join(VOLET_2)}).*$"))).to_series().to_numpy()
        rangs = numpy.flatnonzero(volet_2 > 0)
        volet_2 = self._ligne(rangs, volet_2[rangs])
        tranche = _classer(paiements["brut"].to_numpy(), [bas for _, bas in TRANCHES[1:]], [nom for nom, _ in TRANCHES])
        return {
            "volet_1": _sommer(paiements.join(attributs, on="rang"), "volet_1"),
            "distribution": _sommer(paiements.with_columns(tranche=tranche), "distribution"),
            "beneficiaires": pl.concat(
                [_beneficiaires(lignes, attributs, volet) for volet, lignes in ((1, paiements), (2, volet_2))]
            ),
        }

    def _attributs(self) -> pl.DataFrame:
        codes = self._uniques["code_naf"]
        sections = {code: taxonomies.section(code) for code in codes.unique()}
        classes = numpy.searchsorted(taxonomies.BORNES_EFFECTIF, self._effectifs, side="right")
        return self._uniques.select(
            pl.int_range(self._n).alias("rang"),
            codes.replace_strict(sections, return_dtype=pl.String).alias("section"),
            "departement",
            pl.Series(taxonomies.CLASSES_EFFECTIF).gather(classes).alias("classe_effectif"),
            "forme_juridique",
        )


_CLES = {
    "volet_1": ("mois", *CASES, "article"),
    "beneficiaires": ("volet", *CASES),
    "distribution": ("mois", "tranche", "regime", "perte"),
}


def _regime(table: pl.DataFrame, rangs: numpy.ndarray) -> pl.Series:
    """Tell under which regime of the decree each of some rows falls, the first that fits."""
    drapeaux = [table[nom].to_numpy()[rangs] if nom in table.columns else rangs < 0 for nom in DRAPEAUX]
    return pl.Series(REGIMES).gather(numpy.select(drapeaux, [0, 1, 2], 3))


def _perte(table: pl.DataFrame, rangs: numpy.ndarray) -> pl.Series:
    taux = table[PERTE].to_numpy()[rangs]
    return _classer(taux, [haut for _, haut in PERTES[:-1]], [nom for nom, _ in PERTES])


def _classer(valeurs: numpy.ndarray, bornes: list[float], libelles: list[str]) -> pl.Series:
    """Label of the class of each value; a bound belongs to the class above it."""
    return pl.Series(libelles).gather(numpy.searchsorted(bornes, valeurs, side="right"))


def _sommer(paiements: pl.DataFrame, nom: str) -> pl.DataFrame:
    """Add payments up by the cells of a table, in whole units."""
    return paiements.group_by(_CLES[nom]).agg(
        pl.len().cast(pl.Int64).alias("lignes"), pl.sum("poids").alias("aides"), pl.sum("montant")
    )


def _beneficiaires(paiements: pl.DataFrame, attributs: pl.DataFrame, volet: int) -> pl.DataFrame:
    """Count once each enterprise that is paid at least once."""
    par_entreprise = paiements.group_by("rang").agg(
        pl.first("poids").alias("entreprises"), pl.sum("poids").alias("aides"), pl.sum("montant")
    )
    cases = par_entreprise.join(attributs, on="rang").group_by(CASES)
    sommes = cases.agg(pl.len().cast(pl.Int64).alias("lignes"), pl.sum("entreprises", "aides", "montant"))
    return sommes.select(pl.lit(volet).alias("volet"), pl.all())


def _part(dossier: Path, nom: str, numero: int) -> Path:
    return dossier / f"{nom}-{numero:06d}.parquet"


def _reunir(dossier: Path, nom: str) -> pl.DataFrame:
    """Add the cells of the blocks up, in the order of the keys, and give euros and enterprises back."""
    sommes = pl.scan_parquet(dossier / f"{nom}-*.parquet").group_by(_CLES[nom]).agg(pl.all().sum())
    mesures = pl.exclude(*_CLES[nom], "lignes")
    return sommes.sort(_CLES[nom]).with_columns(mesures.cast(pl.Float64) / UNITE).collect()


def _carte(plan: engine.Plan, chemins: list[Path], entreprises: int, secondes: float) -> dict:
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "entrees": [{"fichier": c.name, "octets": c.stat().st_size, "sha256": run.sha256(c)} for c in chemins],
        "modele": {
            "version": model.version(),
            "parametres": model.empreinte_parametres(plan.tbs),
            "formules": model.empreinte_formules(plan.tbs),
        },
        "logiciels": {
            "python": platform.python_version(),
            "openfisca-core": model.metadata.version("openfisca-core"),
            "numpy": numpy.__version__,
            "polars": pl.__version__,
        },
        "mois": [MOIS[0], MOIS[-1]],
        "entreprises": entreprises,
        "secondes": round(secondes, 3),
    }
