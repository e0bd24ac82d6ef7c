"""Populations that give at once the arrays that their simulation holds."""

from openfisca_core import periods
from openfisca_core.periods import ETERNITY
from openfisca_core.populations import GroupPopulation, Population

_ETERNITE = periods.period(ETERNITY)


class Memoire:
    """A population that reads what its simulation holds without asking it, and asks the rest by the shortest way.

    A formula reads each array several times, and each time the core checks the period, the entity and the variable:
    five microseconds, thousands of times a block. Here they are checked when the array is computed, and a Period is
    not read again as one. The simulation says by ``suivie`` whether someone follows each reading, so that none may be
    cut short.
    """

    def __call__(self, variable_name, period, options=None):
        """Value of a variable, as in the core."""
        if options or not isinstance(period, periods.Period) or self.simulation is None or self.simulation.suivie:
            return super().__call__(variable_name, period, options)
        holder = self._holders.get(variable_name)
        if holder is not None:
            valeurs = holder._memory_storage._arrays.get(_ETERNITE if holder._eternal else period)
            if valeurs is not None:
                return valeurs
        self.entity.check_variable_defined_for_entity(variable_name)
        return self.simulation.calculate(variable_name, period)


class Personnes(Memoire, Population):
    """Persons, read directly."""


class Groupes(Memoire, GroupPopulation):
    """Groups, read directly."""
