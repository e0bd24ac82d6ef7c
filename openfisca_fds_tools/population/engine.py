"""The engine: one fresh simulation per block, entities set directly, month by month, in bounded memory.

Which arrays to keep is not guessed: a dry run on a few enterprises records, for every variable and month, the last
month of the run that reads it. Once a month is computed, every computed monthly array that no later month is known
to read is deleted. This is always safe, since a deleted array would be computed again; inputs and ETERNITY
variables are never deleted.
"""

from dataclasses import dataclass, field
from functools import cache

import numpy
import polars as pl
from openfisca_core import periods
from openfisca_core.indexed_enums import Enum, EnumArray
from openfisca_core.periods import DateUnit, Period
from openfisca_core.populations import GroupPopulation, Population
from openfisca_core.simulations import Simulation

from openfisca_fds_tools.memoire import Memoire

from . import model
from .aggregates import VARIABLES_DGFIP, Agregateur, Dimension
from .errors import ErreurUtilisateur
from .model import Aide

_ETERNITE = periods.period(DateUnit.ETERNITY)
CONSTANTES = ""  # stands for the month in a table that no month changes


class _Oublieuse(Memoire):
    """A population whose arrays can be deleted."""

    def oublier(self, gardes: set[tuple[str, str | None]]) -> None:
        """Delete the computed monthly arrays that are not in ``gardes``."""
        for nom, holder in self._holders.items():
            if holder.variable.formulas and holder.variable.definition_period == DateUnit.MONTH:
                arrays = holder._memory_storage._arrays  # delete_arrays compares every pair of periods
                for periode in [p for p in arrays if (nom, _mois_de(p)) not in gardes]:
                    del arrays[periode]

    def vider(self) -> None:
        """Delete every array: a simulation is full of reference cycles, which free nothing by themselves."""
        for holder in self._holders.values():
            holder.delete_arrays()


class _Entreprises(_Oublieuse, Population):
    pass


class _Groupes(_Oublieuse, GroupPopulation):
    pass


def peuplement(tbs, rang_groupe: numpy.ndarray, nb_groupes: int) -> dict:
    """Set the populations of a simulation directly: what SimulationBuilder does, 200 times faster.

    Args:
        tbs: tax-benefit system.
        rang_groupe: int array of shape (n,), group of each enterprise, from 0 to nb_groupes - 1 without gap
            (openfisca-core answers wrongly when a group has no member).
        nb_groupes: number of groups.
    """
    membres = _Entreprises(tbs.person_entity)
    membres.count = len(rang_groupe)
    populations = {tbs.person_entity.key: membres}
    for entite in tbs.group_entities:
        populations[entite.key] = population = _Groupes(entite, membres)
        population.count = nb_groupes
        population.members_entity_id = rang_groupe
    for population in populations.values():
        population.ids = numpy.arange(population.count)
    return populations


class SimulationDeBloc(Simulation):
    """A simulation whose inputs may be known for some rows only; a formula gives the others.

    The merge takes place when the formula runs, so that no order of computation has to be found beforehand.
    """

    def __init__(self, tbs, rang_groupe: numpy.ndarray, nb_groupes: int) -> None:
        super().__init__(tbs, peuplement(tbs, rang_groupe, nb_groupes))
        self._partielles: dict[tuple[str, str | None], tuple[numpy.ndarray, numpy.ndarray]] = {}
        self.donnees: set[tuple[str, str | None]] = set()  # what the population gives, for some rows at least

    def fournir(self, nom: str, mois: str | None, valeurs: numpy.ndarray, connues: numpy.ndarray | None) -> None:
        """Give the values of an input.

        Args:
            nom: variable.
            mois: « AAAA-MM », None for an ETERNITY variable.
            valeurs: array of the type of the variable, not copied.
            connues: boolean array of the same shape; None when every value is known.
        """
        variable = self.tax_benefit_system.variables[nom]
        self.donnees.add((nom, mois))
        if variable.value_type is Enum:
            valeurs = EnumArray(valeurs, variable.possible_values)
        if connues is None or not variable.formulas:
            # put_in_cache and not set_input: the « divide » helper would copy
            self.get_holder(nom).put_in_cache(valeurs, _periode(mois))
        else:
            self._partielles[nom, mois] = valeurs, connues

    @property
    def suivie(self) -> bool:
        """Whether someone follows each reading, so that none may be cut short."""
        return self.trace

    def oublier(self, gardes: set[tuple[str, str | None]]) -> None:
        """Delete the computed monthly arrays that are not in ``gardes``."""
        for population in self.populations.values():
            population.oublier(gardes)

    def vider(self) -> None:
        """Delete every array."""
        for population in self.populations.values():
            population.vider()

    def _run_formula(self, variable, population, period):
        resultat = super()._run_formula(variable, population, period)
        if not self._partielles:
            return resultat
        partielle = self._partielles.get(_cle(variable, period))
        if partielle is None:
            return resultat
        if resultat is None:
            resultat = population.get_holder(variable.name).default_array()
        valeurs, connues = partielle
        fusion = numpy.where(connues, valeurs, resultat)
        return EnumArray(fusion, variable.possible_values) if variable.value_type is Enum else fusion


class _Releve(SimulationDeBloc):
    """A dry run, which notes at which step each array is read for the last time.

    One enterprise is created each month of the data: the law skips the brackets of creation where there is nobody.
    """

    def __init__(self, tbs) -> None:
        mois = model.intervalle(model.PREMIER_MOIS_DES_DONNEES, model.DERNIER_MOIS)
        super().__init__(tbs, numpy.arange(len(mois)), len(mois))
        if "date_creation" in tbs.variables:
            self.fournir("date_creation", None, numpy.array(mois, dtype="datetime64[D]"), None)
        self.etape = 0
        self.lectures: dict[tuple[str, str | None], int] = {}

    suivie = True

    def calculate(self, variable_name, period):
        variable = self.tax_benefit_system.get_variable(variable_name, check_existence=True)
        self.lectures[_cle(variable, period)] = self.etape
        return super().calculate(variable_name, period)


@cache
def _periode(mois: str | None) -> Period:
    return periods.period(mois) if mois else _ETERNITE


@cache
def _mois_de(periode: Period) -> str:
    return str(periode)


def _cle(variable, periode: Period) -> tuple[str, str | None]:
    """Key of an array: an ETERNITY variable has one, whatever the month that asks for it."""
    return variable.name, None if variable.definition_period == DateUnit.ETERNITY else _mois_de(periode)


@dataclass(frozen=True)
class Demande:
    """What to compute.

    Attributes:
        mois: aid months, in order.
        sorties: variables asked, None for the aids of the model.
        par: dimensions of the aggregates, as written by the user.
        reforme: None, dotted name of a Reform, or class.
        tolerer: set bad rows aside instead of refusing the population.
        detail: write the results of each enterprise.
        dgfip: aggregate in the form of the DGFiP open data too.
    """

    mois: tuple[str, ...]
    sorties: tuple[str, ...] | None = None
    par: tuple[str, ...] = ()
    reforme: object = None
    tolerer: bool = False
    detail: bool = False
    dgfip: bool = False


@dataclass
class Plan:
    """A request, made precise for a system.

    Attributes:
        demande: the request.
        tbs: tax-benefit system, reform included.
        mensuelles, eternelles: variables to write.
        aides: aids to aggregate.
        dimensions: dimensions of the aggregates.
        gardes: for each step (month, then ETERNITY), the monthly arrays that a later step reads.
    """

    demande: Demande
    tbs: object
    mensuelles: list[str] = field(default_factory=list)
    eternelles: list[str] = field(default_factory=list)
    aides: list[Aide] = field(default_factory=list)
    dimensions: list[Dimension] = field(default_factory=list)
    gardes: list[set[tuple[str, str | None]]] = field(default_factory=list)

    _ouvertes: dict[tuple[str, Period], bool] = field(default_factory=dict)

    def ouverte(self, nom: str, periode: Period) -> bool:
        """Tell whether a monthly variable has a formula in a month; otherwise it has its default value."""
        cle = nom, periode
        if cle not in self._ouvertes:
            self._ouvertes[cle] = self.tbs.variables[nom].get_formula(periode) is not None
        return self._ouvertes[cle]


def planifier(demande: Demande) -> Plan:
    """Make a request precise: outputs, aids, dimensions, arrays to delete.

    Raises:
        ErreurUtilisateur: unknown output, dimension or reform.
    """
    tbs = model.systeme(demande.reforme)
    plan = Plan(demande, tbs)
    toutes = model.aides(tbs)
    if demande.sorties is None:
        plan.aides = [
            aide
            for aide in toutes
            if not aide.mensuelle or any(plan.ouverte(aide.montant, _periode(m)) for m in demande.mois)
        ]
        sorties = [nom for aide in plan.aides for nom in (aide.eligible, aide.montant) if nom]
    else:
        sorties = list(dict.fromkeys(demande.sorties))
        plan.aides = [aide for aide in toutes if aide.montant in sorties]
    for nom in sorties:
        variable = tbs.variables.get(nom)
        if variable is None:
            raise ErreurUtilisateur(f"Sortie « {nom} » inconnue{model.proches(nom, tbs.variables)}.")
        eternelle = variable.definition_period == DateUnit.ETERNITY
        (plan.eternelles if eternelle else plan.mensuelles).append(nom)
    plan.dimensions = [Dimension.lire(texte, tbs) for texte in demande.par if texte not in ("mois", "article")]
    _relever(plan)
    return plan


def _relever(plan: Plan) -> None:
    """Fill ``gardes`` by a dry run."""
    releve = _Releve(plan.tbs)
    for releve.etape, mois in enumerate(plan.demande.mois):
        for nom in _a_calculer(plan, mensuelles=True):
            releve.calculate(nom, _periode(mois))
    releve.etape = len(plan.demande.mois)
    for nom in _a_calculer(plan, mensuelles=False):
        releve.calculate(nom, _periode(plan.demande.mois[0]))
    plan.gardes = [
        {cle for cle, derniere in releve.lectures.items() if derniere > etape} for etape in range(releve.etape + 1)
    ]


def _a_calculer(plan: Plan, mensuelles: bool) -> list[str]:
    """Variables that a month (or the ETERNITY step) asks for: outputs, aids, dimensions."""
    noms = list(plan.mensuelles if mensuelles else plan.eternelles)
    noms += [n for a in plan.aides if a.mensuelle == mensuelles for n in (a.eligible, a.montant) if n]
    noms += [d.variable for d in plan.dimensions if d.mensuelle == mensuelles]
    if plan.demande.dgfip:
        noms += [model.TOTAUX[0]] if mensuelles else [*VARIABLES_DGFIP]
    return list(dict.fromkeys(noms))


@dataclass
class Tables:
    """Per-enterprise results of a block: a table for each month, one for the ETERNITY outputs (or None)."""

    mensuelles: list[pl.DataFrame] = field(default_factory=list)
    eternelles: pl.DataFrame | None = None


def calculer(plan: Plan, lu, recevoir=None) -> Agregateur:
    """Compute a block.

    Args:
        plan: what to compute.
        lu: inputs of the block (``reading.BlocLu``).
        recevoir: called with (month or None, table) as soon as a table of results is ready. First, with the month
            CONSTANTES, the table of a month without aid: id, groupe, mois and every output at its default; then, for
            each month, mois and the outputs that may differ; with None, id, groupe and the ETERNITY outputs. None:
            no table is made.

    Returns:
        Exact sums of the block.
    """
    simulation = SimulationDeBloc(plan.tbs, lu.rang_groupe, lu.nb_groupes)
    for cle, (valeurs, connues) in lu.entrees.items():
        simulation.fournir(*cle, valeurs, connues)
    fournies = {cle for cle, (_, connues) in lu.entrees.items() if connues is None}
    agregateur = Agregateur(plan, simulation, lu.poids)
    identite = [lu.ids.alias("id")]
    groupes = lu.groupes if lu.groupes is not None else pl.repeat(None, len(lu.ids), dtype=pl.String, eager=True)
    identite.append(groupes.alias("groupe"))
    if recevoir is not None and plan.mensuelles:
        recevoir(CONSTANTES, pl.DataFrame([*identite, _mois(CONSTANTES, len(lu.ids)), *_par_defaut(plan, len(lu.ids))]))
    for etape, mois in enumerate(plan.demande.mois):
        periode = _periode(mois)
        agregateur.mois(mois, periode)
        if recevoir is not None and plan.mensuelles:
            noms = [nom for nom in plan.mensuelles if plan.ouverte(nom, periode) or (nom, mois) in simulation.donnees]
            sorties = [_serie(simulation, nom, periode, lu.rang_groupe) for nom in noms]
            recevoir(mois, pl.DataFrame([_mois(mois, len(lu.ids)), *sorties]))
        simulation.oublier(plan.gardes[etape] | fournies)
    periode = _periode(plan.demande.mois[0])
    agregateur.eternites(periode)
    if recevoir is not None and plan.eternelles:
        sorties = [_serie(simulation, nom, periode, lu.rang_groupe) for nom in plan.eternelles]
        recevoir(None, pl.DataFrame([*identite, *sorties]))
    simulation.vider()
    return agregateur


def _mois(mois: str, nombre: int) -> pl.Series:
    return pl.repeat(mois, nombre, dtype=pl.String, eager=True).alias("mois")


def _par_defaut(plan: Plan, nombre: int) -> list[pl.Series]:
    """Make the column of each monthly output where it has neither formula nor input."""
    colonnes = []
    for nom in plan.mensuelles:
        variable = plan.tbs.variables[nom]
        un = variable.default_array(1)
        un = pl.Series([str(variable.default_value.name)]) if variable.value_type is Enum else pl.Series(un)
        colonnes.append(un.new_from_index(0, nombre).alias(nom))
    return colonnes


def _serie(simulation: Simulation, nom: str, periode, rang_groupe: numpy.ndarray) -> pl.Series:
    """Give an output as a column: codes as texts, values of a group repeated for its members."""
    valeurs = simulation.calculate(nom, periode)
    variable = simulation.tax_benefit_system.variables[nom]
    if not variable.entity.is_person:
        valeurs = valeurs[rang_groupe]
    if variable.value_type is Enum:
        noms = [str(n) for n in variable.possible_values.names]
        return pl.Series(noms).gather(numpy.asarray(valeurs)).alias(nom)
    return pl.Series(nom, numpy.asarray(valeurs))
