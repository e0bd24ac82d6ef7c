"""One block of a comparison: the law, then each reform, month by month, and what they add up to.

Only amounts that differ are written. Sums are exact, so that they depend neither on blocks nor on processes.
"""

import json
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path

import numpy
import polars as pl
from openfisca_core import periods

from openfisca_fds_tools.population import backends, engine, model, reading, run
from openfisca_fds_tools.population.aggregates import Agregateur, sommes_exactes
from openfisca_fds_tools.population.errors import Constats, Probleme

from . import bilans
from .partage import Differences, SimulationDeReference, SimulationDerivee

ENTREPRISES, ECARTS = "entreprises.parquet", "ecarts.parquet"
BILAN = "comparaison.json"
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
        changees: for each reform, variable -> rows and months where its value is not that of the law.
    """

    numero: int
    entreprises: int
    constats: Constats
    cases: list[dict] = field(default_factory=list)
    payes: list[dict] = field(default_factory=list)
    calculs: list[int] = field(default_factory=list)
    changees: list[dict] = field(default_factory=list)


@dataclass
class Plan:
    """A request made precise: systems, aids, dimensions, what separates each reform from the law."""

    base: engine.Plan
    systemes: list
    differences: list[Differences]
    plans: list[engine.Plan]
    candidats: list  # monthly aids among which the month is paid


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
    """Compute a block under every law and write its individual differences; runs in a worker.

    The report is written last, under its final name: a block without report is not done.
    """
    backends.garder_la_memoire()
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
    fournies = {cle for cle, (_, connues) in lu.entrees.items() if connues is None}
    for etape, mois in enumerate(lot.demande.mois):
        comptes.mois(mois)
        for simulation in simulations:
            simulation.oublier(plan.base.gardes[etape] | fournies)
    comptes.eternites(lot.demande.mois[0])
    comptes.ecrire(Path(lot.dossier), bloc.numero)
    bilan.cases = [agregateur.cases for agregateur in comptes.agregateurs]
    bilan.payes, bilan.calculs, bilan.changees = comptes.payes, comptes.calculs(), comptes.changees
    for simulation in simulations:
        simulation.vider()
    _ecrire(bilan, Path(lot.dossier))
    return bilan


def _ecrire(bilan: BlocCompare, dossier: Path) -> None:
    """Write a report, under a temporary name first; mappings keyed by tuples become rows."""
    contenu = asdict(bilan)
    for nom in ("cases", "payes"):
        contenu[nom] = [[[*cle, valeur] for cle, valeur in loi.items()] for loi in getattr(bilan, nom)]
    run.ecrire_json(bilans.part(dossier, bilan.numero, BILAN), contenu)


def relire(dossier: Path) -> list[BlocCompare]:
    """Read the reports of the blocks already computed in a folder, in their order."""
    lus = []
    for chemin in sorted(dossier.glob(f"bloc-*-{BILAN}")):
        contenu = json.loads(chemin.read_text(encoding="utf-8"))
        premiers = [Probleme(**probleme) for probleme in contenu["constats"].pop("premiers")]
        contenu["constats"] = Constats(premiers=premiers, **contenu["constats"])
        for nom in ("cases", "payes"):
            contenu[nom] = [{tuple(cle): valeur for *cle, valeur in loi} for loi in contenu[nom]]
        lus.append(BlocCompare(**contenu))
    return lus


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
        self.changees: list[dict[str, int]] = [{} for _ in simulations[1:]]
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
        self._comparer(periode)
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
        self._comparer(None)

    def _comparer(self, periode) -> None:
        """Count the rows where a variable is no longer what the law gives."""
        for changees, simulation in zip(self.changees, self.simulations[1:], strict=True):
            for nom, nombre in simulation.changees(periode).items():
                changees[nom] = changees.get(nom, 0) + nombre

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
