"""The engine: one fresh simulation per block, entities set directly, month by month, in bounded memory.

Which arrays to keep is not guessed: a dry run on a few enterprises records, for every variable and month, the last
month of the run that reads it. Once a month is computed, every computed monthly array that no later month is known
to read is deleted. This is always safe, since a deleted array would be computed again; inputs and ETERNITY
variables are never deleted.
"""

import gc
from dataclasses import dataclass, field

import numpy
import polars as pl
from openfisca_core import periods
from openfisca_core.indexed_enums import Enum, EnumArray
from openfisca_core.periods import DateUnit
from openfisca_core.simulations import Simulation

from . import model
from .aggregates import VARIABLES_DGFIP, Agregateur, Dimension
from .errors import ErreurUtilisateur
from .model import Aide


def peuplement(tbs, rang_groupe: numpy.ndarray, nb_groupes: int) -> dict:
    """Set the populations of a simulation directly: what SimulationBuilder does, 200 times faster.

    Args:
        tbs: tax-benefit system.
        rang_groupe: int array of shape (n,), group of each enterprise, from 0 to nb_groupes - 1 without gap
            (openfisca-core answers wrongly when a group has no member).
        nb_groupes: number of groups.
    """
    populations = tbs.instantiate_entities()
    for entite in tbs.entities:
        population = populations[entite.key]
        if entite.is_person:
            population.count = len(rang_groupe)
        else:
            population.count = nb_groupes
            population.members_entity_id = rang_groupe
        population.ids = numpy.arange(population.count)
    return populations


class SimulationDeBloc(Simulation):
    """A simulation whose inputs may be known for some rows only; a formula gives the others.

    The merge takes place when the formula runs, so that no order of computation has to be found beforehand.
    """

    def __init__(self, tbs, rang_groupe: numpy.ndarray, nb_groupes: int) -> None:
        super().__init__(tbs, peuplement(tbs, rang_groupe, nb_groupes))
        self._partielles: dict[tuple[str, str | None], tuple[numpy.ndarray, numpy.ndarray]] = {}

    def fournir(self, nom: str, mois: str | None, valeurs: numpy.ndarray, connues: numpy.ndarray | None) -> None:
        """Give the values of an input.

        Args:
            nom: variable.
            mois: « AAAA-MM », None for an ETERNITY variable.
            valeurs: array of the type of the variable, not copied.
            connues: boolean array of the same shape; None when every value is known.
        """
        variable = self.tax_benefit_system.variables[nom]
        if variable.value_type is Enum:
            valeurs = EnumArray(valeurs, variable.possible_values)
        if connues is None or not variable.formulas:
            # put_in_cache and not set_input: the « divide » helper would copy
            self.get_holder(nom).put_in_cache(valeurs, _periode(mois))
        else:
            self._partielles[nom, mois] = valeurs, connues

    def _run_formula(self, variable, population, period):
        resultat = super()._run_formula(variable, population, period)
        mois = None if variable.definition_period == DateUnit.ETERNITY else str(period)
        partielle = self._partielles.get((variable.name, mois))
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

    def calculate(self, variable_name, period):
        variable = self.tax_benefit_system.get_variable(variable_name, check_existence=True)
        mois = None if variable.definition_period == DateUnit.ETERNITY else str(period)
        self.lectures[variable_name, mois] = self.etape
        return super().calculate(variable_name, period)


def _periode(mois: str | None):
    return periods.period(mois or DateUnit.ETERNITY)


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
    gardes: list[set[tuple[str, str]]] = field(default_factory=list)


def planifier(demande: Demande) -> Plan:
    """Make a request precise: outputs, aids, dimensions, arrays to delete.

    Raises:
        ErreurUtilisateur: unknown output, dimension or reform.
    """
    tbs = model.systeme(demande.reforme)
    plan = Plan(demande, tbs)
    toutes = model.aides(tbs)
    if demande.sorties is None:
        plan.aides = [aide for aide in toutes if not aide.mensuelle or _ouverte(tbs, aide.montant, demande.mois)]
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


def _ouverte(tbs, nom: str, mois: tuple[str, ...]) -> bool:
    """Whether a variable has a formula in one of the months."""
    return any(tbs.variables[nom].get_formula(periods.period(m)) is not None for m in mois)


def _relever(plan: Plan) -> None:
    """Fill ``gardes`` by a dry run."""
    releve = _Releve(plan.tbs)
    for releve.etape, mois in enumerate(plan.demande.mois):
        for nom in _a_calculer(plan, mensuelles=True):
            releve.calculate(nom, periods.period(mois))
    releve.etape = len(plan.demande.mois)
    for nom in _a_calculer(plan, mensuelles=False):
        releve.calculate(nom, periods.period(plan.demande.mois[0]))
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
        recevoir: called with (month or None, table) as soon as a table of results is ready; the table holds id,
            groupe, mois for a month, and one column per output. None: no table is made.

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
    for etape, mois in enumerate(plan.demande.mois):
        periode = periods.period(mois)
        agregateur.mois(mois, periode)
        if recevoir is not None and plan.mensuelles:
            colonne_mois = pl.repeat(mois, len(lu.ids), dtype=pl.String, eager=True).alias("mois")
            sorties = [_serie(simulation, nom, periode, lu.rang_groupe) for nom in plan.mensuelles]
            recevoir(mois, pl.DataFrame([*identite, colonne_mois, *sorties]))
        _oublier(simulation, plan.gardes[etape] | fournies)
    periode = periods.period(plan.demande.mois[0])
    agregateur.eternites(periode)
    if recevoir is not None and plan.eternelles:
        sorties = [_serie(simulation, nom, periode, lu.rang_groupe) for nom in plan.eternelles]
        recevoir(None, pl.DataFrame([*identite, *sorties]))
    del simulation
    gc.collect()  # a simulation is full of reference cycles
    return agregateur


def _oublier(simulation: Simulation, gardes: set[tuple[str, str]]) -> None:
    """Delete the computed monthly arrays that are not in ``gardes``."""
    for population in simulation.populations.values():
        for nom, holder in population._holders.items():
            if holder.variable.formulas and holder.variable.definition_period == DateUnit.MONTH:
                for periode in holder.get_known_periods():
                    if (nom, str(periode)) not in gardes:
                        holder.delete_arrays(periode)


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
