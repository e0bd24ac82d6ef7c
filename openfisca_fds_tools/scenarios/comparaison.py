"""Compare the law with reforms on a population: one reading, shared computations, individual differences.

Blocks are those of the population engine. For each block the inputs are read once; the law is computed month by month,
each reform right after it (see ``partage``), and only amounts that differ are written. Sums are exact, so that they
depend neither on blocks nor on processes, and a reform that changes nothing shows exactly no difference.
"""

import hashlib
import json
import platform
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache, lru_cache
from pathlib import Path

import numpy
import polars as pl
from openfisca_core import periods
from openfisca_core.periods import DateUnit

from openfisca_fds_tools.population import ErreurUtilisateur, backends, engine, model, reading, run
from openfisca_fds_tools.population.aggregates import Agregateur, sommes_exactes
from openfisca_fds_tools.population.errors import Constats

from . import bilans, classes, reforme
from .partage import Differences, SimulationDeReference, SimulationDerivee

TAILLE_DE_BLOC = 65_536
REFORMES_MAXIMUM = 256
ENTREPRISES, ECARTS, CARTE = "entreprises.parquet", "ecarts.parquet", "run.json"
VOLET_1, TOTAL = model.TOTAUX
COMPLEMENT = "fds_complement_2021_1582"
REFERENCE = "chiffre_affaires_reference"


@dataclass(frozen=True)
class Demande:
    """What to compare: months, reforms (classes), dimensions as the user wrote them."""

    mois: tuple[str, ...]
    reformes: tuple[type, ...]
    par: tuple[str, ...] = ()
    tolerer: bool = False


@dataclass(frozen=True)
class Lot:
    """What every block shares; travels to the workers."""

    demande: Demande
    dossier: str
    noms: tuple[str, ...]


@dataclass
class BlocCompare:
    """What a worker gives back: exact sums, never rows.

    Attributes:
        cases: for each law (0 the baseline, then the reforms), the cells of the aggregates.
        payes: for each law, (month, article) -> exact euros paid under this article.
        calculs: for each law, computations made (variable, month), to say what was shared.
    """

    numero: int
    entreprises: int
    constats: Constats
    cases: list[dict] = field(default_factory=list)
    payes: list[dict] = field(default_factory=list)
    calculs: list[int] = field(default_factory=list)


@dataclass
class Plan:
    """A request made precise: systems, aids, dimensions, what separates each reform from the law."""

    base: engine.Plan
    systemes: list
    differences: list[Differences]
    plans: list[engine.Plan]
    candidats: list  # monthly aids among which the month is paid


@dataclass
class Comparaison:
    """Results of a comparison.

    Attributes:
        noms: names of the reforms, in order.
        couts: mois (None: aid due once), dimensions, reforme, avant, apres, ecart (euros), aidees_avant, aidees_apres.
        articles: mois, article, reforme, avant, apres, ecart: euros paid under each article; they add up to the total.
        gagnants: reforme, categorie: enterprises that gain, lose, enter, leave, keep the same; euros.
        deciles: reforme, decile of the mean monthly reference, enterprises, gains, losses, difference.
        par_dimension: winners and losers by dimension.
        incertitude: reforme, ecart, ecart_type, borne_basse, borne_haute; empty without bootstrap.
        ecarts: individual differences: id, groupe, mois, reforme, avant, apres, ecart.
        avis: what a reader must know: orders that matter, versions not reconstructed.
        carte: run card.
        dossier: folder of the files, None when none was asked.
    """

    noms: list[str]
    couts: pl.DataFrame
    articles: pl.DataFrame
    gagnants: pl.DataFrame
    deciles: pl.DataFrame
    par_dimension: pl.DataFrame
    incertitude: pl.DataFrame
    ecarts: pl.DataFrame
    avis: list[str]
    carte: dict
    dossier: Path | None = None

    def totaux(self) -> dict[str, tuple[float, float, float]]:
        """Cost of the law, of the reform, and their difference, in euros, by reform."""
        sommes = self.couts.group_by("reforme").agg(pl.sum("avant", "apres", "ecart"))
        return {nom: (avant, apres, ecart) for nom, avant, apres, ecart in sommes.iter_rows()}


def comparer(
    population,
    reformes,
    months: str | None = None,
    *,
    by: tuple[str, ...] | list[str] = (),
    output: str | Path | None = None,
    workers: int | None = 1,
    block_size: int = TAILLE_DE_BLOC,
    errors: str = "fail",
    bootstrap: int = 0,
    seed: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Comparaison:
    """Compare the law with reforms, on the same enterprises.

    Args:
        population: Polars table or path, as for ``population.simulate``. Amounts in euros.
        reformes: Reform classes, at least one.
        months: aid months, as for ``simulate``; None: all. Aids due once are always compared.
        by: dimensions, as for ``simulate``. One that changes with the month sorts winners by its first month.
        output: folder of the files; None: none is kept.
        workers: processes; None: one per core.
        block_size: rows per block.
        errors: « fail » or « skip », as for ``simulate``.
        bootstrap: replicates for the uncertainty of the sample weights; 0: none.
        seed: of the bootstrap.
        progress: called with (enterprises done, enterprises in all).

    Raises:
        ErreurUtilisateur: no reform, two of the same name, bad months or dimensions, population refused.
    """
    reformes = tuple(reformes)
    noms = [classes.titre(une) for une in reformes]
    if not reformes or len(reformes) > REFORMES_MAXIMUM:
        raise ErreurUtilisateur(f"{len(reformes)} réforme(s) : attendu de 1 à {REFORMES_MAXIMUM}.")
    doubles = sorted({nom for nom in noms if noms.count(nom) > 1})
    if doubles:
        raise ErreurUtilisateur(f"Réformes de même nom : {', '.join(doubles)}.")
    demande = Demande(model.mois_demandes(months), reformes, tuple(by), errors == "skip")
    plan = planifier(demande)
    debut = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="openfisca-fds-") as travail:
        dossier = Path(travail)
        if isinstance(population, pl.DataFrame):
            chemins = [dossier / reading.NOM_TABLE]
            population.write_parquet(chemins[0], compression="lz4", statistics=False)
        else:
            chemins = reading.lister(population)
        source = reading.ouvrir(chemins, dossier, plan.base.tbs, block_size, demande.tolerer)
        source.constats.lever()
        lot = Lot(demande, travail, tuple(chemin.name for chemin in chemins))
        blocs = reading.decouper(source, block_size)
        finis, faites = {}, 0
        for bilan in backends.executer(traiter, lot, blocs, workers or backends.coeurs()):
            finis[bilan.numero] = bilan
            faites += blocs[bilan.numero].nombre
            if progress is not None:
                progress(faites, source.lignes)
        finis = [finis[numero] for numero in sorted(finis)]
        constats = Constats()
        for bilan in finis:
            constats.reunir(bilan.constats)
        constats.lever()
        entreprises = bilans.lire(dossier, ENTREPRISES)
        ecarts = bilans.nommer(bilans.lire(dossier, ECARTS), noms)
        avis = [*source.avis, *avis_de(reformes)]
        comparaison = Comparaison(
            noms,
            bilans.couts(plan, [b.cases for b in finis], noms),
            bilans.articles(plan, [b.payes for b in finis], noms),
            bilans.gagnants(entreprises, noms),
            bilans.deciles(entreprises, noms),
            bilans.gagnants(entreprises, noms, [d.nom for d in plan.base.dimensions]),
            bilans.incertitude(entreprises, noms, bootstrap, seed),
            ecarts,
            avis,
            {},
        )
        comparaison.carte = _carte(
            comparaison, reformes, plan, chemins, finis, bootstrap, seed, time.perf_counter() - debut
        )
        if output is not None:
            comparaison.dossier = _ecrire(comparaison, entreprises, Path(output))
        return comparaison


def avis_de(reformes) -> list[str]:
    """Say, in French sentences, what must be known of reforms before reading their figures."""
    phrases = []
    for une in reformes:
        phrases += reforme.desaccords(une)
        provenance = getattr(une, "provenance", None)
        inconnues = getattr(provenance, "non_reconstituees", [])
        if inconnues:
            phrases.append(
                f"« {provenance.nom} » : {len(provenance.fermes)} aides fermées, {len(provenance.remplacements)} "
                f"valeurs rétablies ; {len(inconnues)} valeurs d'articles ouverts, écrites plus tard, gardent leur "
                "version finale."
            )
    return phrases


# ---- one request, one process ----


@lru_cache(maxsize=4)
def planifier(demande: Demande) -> Plan:
    """Plan of a comparison, made once per process; every reform is built on the same system object."""
    base = run.planifier(engine.Demande(demande.mois, par=demande.par))  # made once for all comparisons of these months
    systemes = [base.tbs, *(une(base.tbs) for une in demande.reformes)]
    sommes = [a for a in base.aides if a.montant == TOTAL or not a.mensuelle]
    candidats = [a for a in base.aides if a.mensuelle and a.montant not in (VOLET_1, TOTAL, COMPLEMENT)]
    return Plan(
        base,
        systemes,
        [Differences(base.tbs, systeme) for systeme in systemes[1:]],
        [engine.Plan(base.demande, s, aides=sommes, dimensions=base.dimensions) for s in systemes],
        candidats,
    )


def traiter(lot: Lot, bloc) -> BlocCompare:
    """Compute a block under every law and write its individual differences; runs in a worker."""
    plan = planifier(lot.demande)
    lu = reading.lire_bloc(bloc, plan.base.tbs, lot.noms, lot.demande.tolerer)
    bilan = BlocCompare(bloc.numero, len(lu.ids), lu.constats)
    if lu.constats.nombre or not bilan.entreprises:
        return bilan
    simulations = [SimulationDeReference(plan.base.tbs, lu.rang_groupe, lu.nb_groupes)]
    for systeme, differences in zip(plan.systemes[1:], plan.differences, strict=True):
        simulations.append(SimulationDerivee(simulations[0], systeme, differences, lu.rang_groupe, lu.nb_groupes))
    for simulation in simulations:
        for cle, (valeurs, connues) in lu.entrees.items():
            if cle[0] in simulation.tax_benefit_system.variables:
                simulation.fournir(*cle, valeurs, connues)
    comptes = _Comptes(plan, lu, simulations)
    fournies = {(nom, _periode(mois)) for (nom, mois), (_, connues) in lu.entrees.items() if connues is None}
    for etape, mois in enumerate(lot.demande.mois):
        comptes.mois(mois)
        for simulation in simulations:
            for population in simulation.populations.values():
                population.oublier(plan.base.gardes[etape] | fournies)
    comptes.eternites(lot.demande.mois[0])
    comptes.ecrire(Path(lot.dossier), bloc.numero)
    bilan.cases = [agregateur.cases for agregateur in comptes.agregateurs]
    bilan.payes, bilan.calculs = comptes.payes, comptes.calculs()
    for simulation in simulations:
        simulation.vider()
    return bilan


def _periode(mois: str | None):
    return periods.period(mois or DateUnit.ETERNITY)


class _Comptes:
    """Everything that a block adds up, law by law."""

    def __init__(self, plan: Plan, lu, simulations) -> None:
        self.plan, self.lu, self.simulations = plan, lu, simulations
        self.agregateurs = [Agregateur(p, s, lu.poids) for p, s in zip(plan.plans, simulations, strict=True)]
        self.payes = [{} for _ in simulations]
        n = len(lu.ids)
        self._poids = numpy.ones(n) if lu.poids is None else lu.poids
        self._totaux = numpy.zeros((len(simulations), n))
        self._reference, self._mois = numpy.zeros(n), 0
        self._ecarts: list[pl.DataFrame] = []
        self._dimensions: list[pl.Series] = []

    def mois(self, mois: str) -> None:
        """Add a month, the baseline first: the reforms take its arrays, or its sums when nothing can differ."""
        periode = periods.period(mois)
        droit = self.simulations[0].calculate(TOTAL, periode)
        montants = []
        for rang, simulation in enumerate(self.simulations):
            if rang and not simulation.touchee(TOTAL, periode):
                self._reprendre(rang, mois)
                montant = droit
            else:
                self.agregateurs[rang].mois(mois, periode)
                self._payer(rang, mois, simulation, periode)
                montant = simulation.calculate(TOTAL, periode)
            self._totaux[rang] += montant
            montants.append(montant)
        if not self._mois:
            self._dimensions = self._coder(periode)
        self._noter(mois, montants)
        self._reference += self.simulations[0].calculate(REFERENCE, periode)
        self._mois += 1

    def _reprendre(self, rang: int, mois: str) -> None:
        """Take the sums of the law for a month that a reform cannot change."""
        for sommes in (self.payes, [agregateur.cases for agregateur in self.agregateurs]):
            repris = {cle: valeur for cle, valeur in sommes[0].items() if cle[0] == mois}
            sommes[rang].update({cle: list(v) if isinstance(v, list) else v for cle, v in repris.items()})

    def eternites(self, premier_mois: str) -> None:
        """Add the aids due once."""
        periode = periods.period(premier_mois)
        uniques = [aide for aide in self.plan.base.aides if not aide.mensuelle]
        montants = [numpy.zeros(len(self._poids)) for _ in self.simulations]
        for rang, simulation in enumerate(self.simulations):
            for aide in uniques:
                montant = simulation.calculate(aide.montant, periode)
                montants[rang] = montants[rang] + montant
                self._ajouter(rang, None, [aide.article], montant, numpy.zeros(len(montant), dtype=int))
            self._totaux[rang] += montants[rang]
        self._noter(None, montants)
        for agregateur in self.agregateurs:
            agregateur.eternites(periode)

    def _payer(self, rang: int, mois: str, simulation, periode) -> None:
        """Share what is paid among articles: the one that gives most, the first in the order of the decree if equal."""
        paye = simulation.calculate(VOLET_1, periode)
        ouvertes = [
            a for a in self.plan.candidats if simulation.tax_benefit_system.variables[a.montant].get_formula(periode)
        ]
        droits = numpy.array([simulation.calculate(a.montant, periode) for a in ouvertes])
        retenu = droits.argmax(axis=0) if ouvertes else numpy.zeros(len(paye), dtype=int)
        self._ajouter(rang, mois, [a.article for a in ouvertes] or [VOLET_1], paye, retenu)
        complement = simulation.calculate(TOTAL, periode) - paye
        self._ajouter(rang, mois, ["complement_2021_1582"], complement, numpy.zeros(len(paye), dtype=int))

    def _ajouter(self, rang: int, mois, articles: list[str], montant, cases) -> None:
        payees = numpy.flatnonzero(montant)
        sommes = sommes_exactes(montant[payees] * self._poids[payees], cases[payees], len(articles))
        for article, somme in zip(articles, sommes, strict=True):
            if somme:
                self.payes[rang][mois, article] = self.payes[rang].get((mois, article), 0) + somme

    def _noter(self, mois, montants) -> None:
        """Keep the individual amounts that differ from those of the law."""
        for rang, montant in enumerate(montants[1:]):
            if montant is montants[0]:
                continue
            rangs = numpy.flatnonzero(montant != montants[0])
            if len(rangs):
                avant, apres = montants[0][rangs], montant[rangs]
                colonnes = {"mois": mois, "reforme": rang, "avant": avant, "apres": apres, "ecart": apres - avant}
                self._ecarts.append(self._identite(rangs).with_columns(**{n: _colonne(v) for n, v in colonnes.items()}))

    def _identite(self, rangs) -> pl.DataFrame:
        groupes = self.lu.groupes
        if groupes is None:
            groupes = pl.repeat(None, len(self.lu.ids), dtype=pl.String, eager=True)
        identite = [self.lu.ids.cast(pl.String).alias("id"), groupes.cast(pl.String).alias("groupe")]
        return pl.DataFrame(identite)[rangs].with_columns(poids=pl.Series(self._poids[rangs]))

    def _coder(self, periode) -> list[pl.Series]:
        """Label of each enterprise in each dimension, at the first month."""
        series = []
        for dimension in self.plan.base.dimensions:
            variable = self.plan.base.tbs.variables[dimension.variable]
            valeurs = self.simulations[0].calculate(variable.name, periode)
            if not variable.entity.is_person:
                valeurs = valeurs[self.lu.rang_groupe]
            codes, libelles = dimension.coder(valeurs, variable)
            series.append(pl.Series(dimension.nom, numpy.array(libelles, dtype=object)[numpy.asarray(codes)].tolist()))
        return series

    def ecrire(self, dossier: Path, numero: int) -> None:
        """Write the totals of each enterprise and the monthly differences."""
        table = self._identite(numpy.arange(len(self._poids))).with_columns(
            pl.Series("reference", self._reference / max(self._mois, 1)), pl.Series("avant", self._totaux[0])
        )
        table = table.with_columns(pl.Series(bilans.colonne(rang), t) for rang, t in enumerate(self._totaux[1:]))
        table.with_columns(self._dimensions).write_parquet(bilans.part(dossier, numero, ENTREPRISES))
        if self._ecarts:
            pl.concat(self._ecarts).write_parquet(bilans.part(dossier, numero, ECARTS))

    def calculs(self) -> list[int]:
        """Arrays that each law computed by itself."""
        return [len(self.simulations[0].releve.lus), *(sum(s._touchees.values()) for s in self.simulations[1:])]


def _colonne(valeur):
    if isinstance(valeur, numpy.ndarray):
        return pl.Series(valeur)
    return pl.lit(valeur, pl.Int32 if isinstance(valeur, int) else pl.String)


# ---- run card and files ----


@cache
def _sha256(chemin: Path, _taille: int) -> str:
    with open(chemin, "rb") as flux:
        return hashlib.file_digest(flux, "sha256").hexdigest()


def _carte(comparaison, reformes, plan: Plan, chemins, finis, bootstrap: int, seed: int, secondes: float) -> dict:
    calculs = [sum(nombres) for nombres in zip(*(b.calculs for b in finis if b.calculs), strict=True)]
    totaux = comparaison.totaux()
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "entrees": [
            {"fichier": c.name, "octets": c.stat().st_size, "sha256": _sha256(c, c.stat().st_size)} for c in chemins
        ],
        "modele": {"version": model.version(), "parametres": model.empreinte_parametres(plan.base.tbs)},
        "reformes": [
            {
                "nom": nom,
                "description": une.__doc__,
                "parametres": model.empreinte_parametres(systeme),
                "formules": model.empreinte_formules(systeme),
                "tableaux_recalcules": calculs[rang + 1] if calculs else 0,
                "avant": totaux[nom][0],
                "apres": totaux[nom][1],
                "ecart": totaux[nom][2],
            }
            for rang, (nom, une, systeme) in enumerate(zip(comparaison.noms, reformes, plan.systemes[1:], strict=True))
        ],
        "options": {"mois": list(plan.base.demande.mois), "par": list(plan.base.demande.par), "bootstrap": bootstrap},
        "graine": seed if bootstrap else None,
        "entreprises": sum(b.entreprises for b in finis),
        "tableaux_du_droit": calculs[0] if calculs else 0,
        "avis": comparaison.avis,
        "logiciels": {
            "python": platform.python_version(),
            "openfisca-core": model.metadata.version("openfisca-core"),
            "numpy": numpy.__version__,
            "polars": pl.__version__,
        },
        "secondes": round(secondes, 3),
    }


def _ecrire(comparaison: Comparaison, entreprises: pl.DataFrame, sortie: Path) -> Path:
    if sortie.exists() and not sortie.is_dir():
        raise ErreurUtilisateur(f"{sortie} existe et n'est pas un dossier.")
    sortie.mkdir(parents=True, exist_ok=True)
    for nom in ("couts", "articles", "gagnants", "deciles", "par_dimension", "incertitude"):
        table = getattr(comparaison, nom)
        if table.width and (table.height or nom in ("couts", "articles")):
            table.write_csv(sortie / f"{nom}.csv", float_precision=2)
    comparaison.ecarts.write_parquet(sortie / ECARTS, compression="zstd")
    entreprises.write_parquet(sortie / ENTREPRISES, compression="zstd")
    (sortie / CARTE).write_text(json.dumps(comparaison.carte, ensure_ascii=False, indent=1), encoding="utf-8")
    return sortie
