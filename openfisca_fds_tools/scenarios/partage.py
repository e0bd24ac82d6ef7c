"""Several laws on the same enterprises: what a reform cannot change is computed once.

The baseline notes, for each variable and month it computes, the variables and the parameters that its formula reads,
on the very enterprises of the block. A reform then computes again only what has another formula, reads a parameter
whose value differs at the instant read, or reads something computed again. For the rest, the formula would read the
same values and do the same operations: its array is that of the baseline, shared and never written.
"""

from openfisca_core.periods import DateUnit

from openfisca_fds_tools.population.engine import SimulationDeBloc

from .parametres import feuilles


class Releve:
    """Tracer that keeps names only: which variables and parameters each computation reads.

    Attributes:
        lus: (variable, month or None) -> set of the same.
        parametres: (variable, month or None) -> set of (parameter, instant).
        stack: computations under way, as openfisca-core reads it.
    """

    def __init__(self, eternelles: set[str]) -> None:
        self._eternelles = eternelles
        self._pile: list[tuple] = []
        self.stack: list[dict] = []
        self.lus: dict[tuple, set] = {}
        self.parametres: dict[tuple, set] = {}

    def cle(self, nom: str, periode) -> tuple:
        """Name a computation."""
        return nom, None if nom in self._eternelles else periode

    def noter(self, nom: str, periode) -> tuple:
        """Note that the computation under way reads this variable, and name it."""
        cle = self.cle(nom, periode)
        if self._pile:
            self.lus[self._pile[-1]].add(cle)
        return cle

    def record_calculation_start(self, nom: str, periode, *_) -> None:
        """Begin a computation."""
        cle = self.noter(nom, periode)
        self.lus.setdefault(cle, set())
        self._pile.append(cle)
        self.stack.append({"name": nom, "period": periode})

    def record_calculation_result(self, valeur) -> None:
        """Keep nothing: values stay in the simulation."""

    def record_calculation_end(self) -> None:
        """Go back to the computation that asked."""
        self._pile.pop()
        self.stack.pop()

    def record_parameter_access(self, parametre: str, instant, valeur) -> None:
        """Note that the computation under way reads this parameter."""
        if self._pile:
            self.parametres.setdefault(self._pile[-1], set()).add((parametre, str(instant)))


class _MemoireNotee(dict):
    """What a population of the engine remembers; reading it is reading the variable, and must be noted."""

    def __init__(self, releve: Releve) -> None:
        super().__init__()
        self._releve = releve

    def get(self, cle, defaut=None):
        """Note, then give what is known of (variable, month)."""
        self._releve.noter(*cle)
        return super().get(cle, defaut)


class SimulationDeReference(SimulationDeBloc):
    """The law, with its notes.

    Args:
        tbs: tax-benefit system.
        rang_groupe: int array of shape (n,), group of each enterprise.
        nb_groupes: number of groups.
    """

    def __init__(self, tbs, rang_groupe, nb_groupes: int) -> None:
        super().__init__(tbs, rang_groupe, nb_groupes)
        eternelles = {nom for nom, v in tbs.variables.items() if v.definition_period == DateUnit.ETERNITY}
        self._trace = True  # formulas then read parameters through the tracer
        self.tracer = self.releve = Releve(eternelles)
        for population in self.populations.values():
            population.connues = _MemoireNotee(self.releve)


class Differences:
    """What separates a reform from its baseline, in a form quick to ask.

    Args:
        base: tax-benefit system of the baseline.
        reforme: system that a reform made from this very object.
    """

    def __init__(self, base, reforme) -> None:
        self._base, self._reforme = base, reforme
        avant, apres = feuilles(base.parameters), feuilles(reforme.parameters)
        if base.parameters is reforme.parameters:
            avant = apres = {}
        self._parametres = {
            nom: (avant.get(nom), apres.get(nom))
            for nom in avant.keys() | apres.keys()
            if _valeurs(avant.get(nom)) != _valeurs(apres.get(nom))
        }
        self._connus: dict[tuple[str, str], bool] = {}

    def formule(self, nom: str, periode) -> bool:
        """Tell whether a variable is computed otherwise."""
        avant, apres = self._base.variables.get(nom), self._reforme.variables.get(nom)
        if avant is apres:
            return False
        if avant is None or apres is None or avant.is_neutralized != apres.is_neutralized:
            return True
        natures = [(v.value_type, v.dtype, v.default_value, v.definition_period, v.entity.key) for v in (avant, apres)]
        return natures[0] != natures[1] or avant.get_formula(periode) is not apres.get_formula(periode)

    def parametre(self, nom: str, instant: str) -> bool:
        """Tell whether a parameter, or one below a node, has another value at an instant."""
        cle = nom, instant
        if cle not in self._connus:
            self._connus[cle] = any(
                _valeur(avant, instant) != _valeur(apres, instant)
                for autre, (avant, apres) in self._parametres.items()
                if autre == nom or autre.startswith(f"{nom}.")
            )
        return self._connus[cle]


def _valeurs(parametre):
    return None if parametre is None else [(v.instant_str, v.value) for v in parametre.values_list]


def _valeur(parametre, instant: str):
    return None if parametre is None else parametre.get_at_instant(instant)


class SimulationDerivee(SimulationDeBloc):
    """A reform on the enterprises of a baseline, whose arrays it takes where they cannot differ.

    Args:
        base: simulation of the baseline, computed first for each month.
        tbs: system of the reform.
        differences: what separates it from the baseline.
        rang_groupe, nb_groupes: as in the baseline.
    """

    def __init__(self, base: SimulationDeReference, tbs, differences: Differences, rang_groupe, nb_groupes) -> None:
        super().__init__(tbs, rang_groupe, nb_groupes)
        self._base, self._differences = base, differences
        self._touchees: dict[tuple, bool] = {}

    def touchee(self, nom: str, periode) -> bool:
        """Tell whether the reform may change a variable at a month; True when the baseline never computed it."""
        releve = self._base.releve
        cle = releve.cle(nom, periode)
        if cle not in releve.lus:
            return True
        if cle not in self._touchees:
            self._touchees[cle] = (
                self._differences.formule(nom, periode)
                or any(self._differences.parametre(*lu) for lu in releve.parametres.get(cle, ()))
                or any(self.touchee(autre, quand or periode) for autre, quand in releve.lus[cle])
            )
        return self._touchees[cle]

    def changees(self, periode) -> dict[str, int]:
        """Count, for each variable computed again, the rows whose value is not that of the baseline.

        Args:
            periode: month whose arrays are still known; None: the ETERNITY variables.
        """
        comptes = {}
        for (nom, quand), touchee in self._touchees.items():
            if touchee and quand == periode and nom in self.tax_benefit_system.variables:
                ici, la = (simulation.get_holder(nom).get_array(periode) for simulation in (self, self._base))
                if ici is not None and la is not None and ici is not la:
                    comptes[nom] = int((ici != la).sum())
        return {nom: nombre for nom, nombre in comptes.items() if nombre}

    def _run_formula(self, variable, population, period):
        if self.touchee(variable.name, period):
            return super()._run_formula(variable, population, period)
        return self._base.calculate(variable.name, period)
