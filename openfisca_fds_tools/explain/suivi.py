"""Arrays that remember: every operation on one gives another, with the expression it comes from."""

import functools
from dataclasses import dataclass, field

import numpy
from openfisca_core import periods
from openfisca_core.indexed_enums import EnumArray
from openfisca_core.parameters import ParameterNodeAtInstant
from openfisca_core.periods import ETERNITY

from .expression import SYMBOLES, Expression, simplifier

# ---- arrays ----


class Suivi(numpy.ndarray):
    """Array that knows its expression; every operation on it gives another one."""

    expression = None
    carnet = None

    def __array_finalize__(self, obj):
        self.expression = getattr(obj, "expression", None)
        self.carnet = getattr(obj, "carnet", None)

    def __getitem__(self, cle):
        """Rows chosen by a mask: the array keeps its length, as every row is computed and only chosen at the end."""
        return self if isinstance(cle, Masque) else super().__getitem__(cle)

    def __setitem__(self, cle, valeurs):
        """Give a value to the rows of a mask: a choice between the new value and the old one."""
        if not isinstance(cle, Masque):
            super().__setitem__(cle, valeurs)
            return
        carnet = carnet_de((valeurs, cle.condition, self))
        anciens = numpy.array(nu(self))
        numpy.copyto(self.view(numpy.ndarray), nu(valeurs), where=numpy.asarray(nu(cle.condition)), casting="unsafe")
        avant = self.expression or Expression("constante", valeur=carnet.valeur(anciens))
        termes = carnet.expression(cle.condition), carnet.expression(valeurs), avant
        self.carnet, self.expression = carnet, simplifier("selon", termes, carnet.valeur(self.view(numpy.ndarray)))

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return _suivre(getattr(ufunc, method), ufunc.__name__, inputs, kwargs)

    def __array_function__(self, func, types, args, kwargs):
        return _suivre(func, func.__name__, args, kwargs)


def _suivre(fonction, nom, operandes, options):
    """Run a function of NumPy on plain arrays, and wrap its result when an operand remembers."""
    carnet, resultat = carnet_de(operandes), fonction(*nu(operandes), **nu(options))
    if carnet is None or not isinstance(resultat, (numpy.ndarray, numpy.generic)):
        return resultat
    return carnet.operation(SYMBOLES.get(nom, nom), operandes, resultat)


class Masque:
    """What ``flatnonzero`` gives while a formula is followed: the condition itself, and not the rows that meet it."""

    def __init__(self, condition):
        self.condition = condition

    def __getitem__(self, condition):
        return Masque(self.condition & condition)


class EnumSuivi(EnumArray):
    """Enum array that knows which variable it is."""

    expression = None
    carnet = None

    def __eq__(self, other):
        autre = getattr(other, "name", other)
        return self.carnet.operation("==", (self, autre), numpy.asarray(super().__eq__(other)))

    __hash__ = None


class TexteSuivi(str):
    """Text parameter (a date) that knows where it comes from."""

    expression = None


class ListeSuivie(list):
    """List parameter (codes) that knows where it comes from."""

    expression = None


def nu(valeur):
    """Give back plain arrays, in a value, a tuple, a list or a dictionary."""
    if isinstance(valeur, Suivi):
        return valeur.view(numpy.ndarray)
    if isinstance(valeur, (tuple, list)) and not isinstance(valeur, ListeSuivie):
        return type(valeur)(nu(element) for element in valeur)
    if isinstance(valeur, dict):
        return {cle: nu(element) for cle, element in valeur.items()}
    return valeur


def carnet_de(valeurs):
    """Give the notebook of the first value that remembers; None if none does."""
    for valeur in valeurs:
        if isinstance(valeur, (Suivi, EnumSuivi)) and valeur.carnet is not None:
            return valeur.carnet
    return None


@dataclass
class Carnet:
    """Notebook of one formula run again for one enterprise.

    Attributes:
        rang: row of the enterprise (or of its group) in the arrays of the formula's entity.
        nombre: length of those arrays.
    """

    rang: int
    nombre: int
    variables: dict = field(default_factory=dict)

    def valeur(self, tableau):
        """Python value of an array for the enterprise; None for an array of another length."""
        if isinstance(tableau, EnumArray):
            return str(tableau.decode_to_str()[self.rang]) if len(tableau) == self.nombre else None
        tableau = numpy.asarray(tableau)
        if tableau.ndim == 0:
            return tableau.item()
        return tableau[self.rang].item() if tableau.shape == (self.nombre,) else None

    def tableau(self, valeurs, expression):
        """Wrap an array with its expression."""
        if isinstance(valeurs, EnumArray):
            suivi = valeurs.view(EnumSuivi)
            suivi.possible_values = valeurs.possible_values
        else:
            suivi = numpy.asarray(valeurs).view(Suivi)
        suivi.expression, suivi.carnet = expression, self
        return suivi

    def expression(self, valeur):
        """Expression of an operand, a constant when it remembers nothing."""
        connue = getattr(valeur, "expression", None)
        if connue is not None:
            return connue
        return Expression("constante", valeur=self.valeur(valeur) if est_valeur(valeur) else str(valeur))

    def operation(self, symbole, operandes, resultat):
        """Wrap the result of an operation with the expression of it."""
        termes = tuple(self.expression(operande) for operande in operandes)
        return self.tableau(resultat, simplifier(symbole, termes, self.valeur(resultat)))


def est_valeur(valeur):
    """Tell whether something is a value that a formula computes with."""
    return isinstance(valeur, (numpy.ndarray, numpy.generic, bool, int, float, str))


# ---- what a formula is given: population, parameters, NumPy ----


class PopulationSuivie:
    """Stand-in of the population: same calls, same values, arrays that remember."""

    def __init__(self, carnet, population, simulation):
        self.carnet, self.population, self._simulation = carnet, population, simulation

    def __call__(self, nom, period, options=None):
        """Read a variable, as a population does."""
        valeurs, periode = self.population(nom, period, options=options), periods.period(period)
        variable = self._simulation.tax_benefit_system.get_variable(nom)
        eternelle = variable.definition_period == ETERNITY
        absente = not eternelle and variable.formulas and variable.get_formula(periode) is None  # other months have one
        if absente and (numpy.asarray(valeurs) == variable.default_value).all():
            return self.carnet.tableau(valeurs, Expression("constante", valeur=variable.default_value))
        texte = "" if eternelle else str(periode)
        expression = Expression("variable", (), self.carnet.valeur(valeurs), nom, texte, variable.entity.key)
        self.carnet.variables[nom, texte] = expression
        return self.carnet.tableau(valeurs, expression)

    def __getattr__(self, nom):
        attribut = getattr(self.population, nom)
        if nom == "members" or nom in self._simulation.populations:
            return PopulationSuivie(self.carnet, attribut, self._simulation)
        return functools.partial(self._methode, nom, attribut) if callable(attribut) else attribut

    def _methode(self, nom, methode, *args, **kwargs):
        resultat, operandes = methode(*nu(args), **nu(kwargs)), [arg for arg in args if isinstance(arg, Suivi)]
        if operandes:
            return self.carnet.operation(nom, operandes, resultat)
        return self.carnet.tableau(resultat, Expression(nom, valeur=self.carnet.valeur(resultat)))


class ParametresSuivis:
    """Stand-in of the parameters at a date: same reading, values that remember."""

    def __init__(self, carnet, noeud, instant):
        self._carnet, self._noeud, self._instant = carnet, noeud, instant

    def __getattr__(self, cle):
        return self._enfant(getattr(self._noeud, cle), cle)

    def __getitem__(self, cle):
        return self._enfant(self._noeud[cle], cle)

    def __iter__(self):
        return iter(self._noeud)

    def _enfant(self, enfant, cle):
        if isinstance(enfant, ParameterNodeAtInstant):
            return ParametresSuivis(self._carnet, enfant, self._instant)
        chemin = f"{self._noeud._name}.{cle}"
        expression = Expression("parametre", (), enfant, chemin, self._instant)
        if enfant is None or isinstance(enfant, bool):  # a rule that the month has or not, no threshold
            return enfant
        if isinstance(enfant, (str, list)):
            suivi = (TexteSuivi if isinstance(enfant, str) else ListeSuivie)(enfant)
            suivi.expression = expression
            return suivi
        return self._carnet.tableau(enfant, expression)


class Ufunc:
    """A ufunc whose ``reduce`` over a list follows each term."""

    def __init__(self, ufunc):
        self._ufunc = ufunc

    def __call__(self, *args, **kwargs):
        """Apply the ufunc."""
        return self._ufunc(*args, **kwargs)

    def reduce(self, tableaux):
        """Apply the ufunc to the arrays of a list, one after the other."""
        return functools.reduce(self._ufunc, tableaux)


class NumpySuivi:
    """NumPy as the formulas see it while they are followed."""

    @staticmethod
    def flatnonzero(condition):
        """Give the condition itself, not the rows that meet it."""
        return Masque(condition)

    @staticmethod
    def zeros(forme, dtype=float):
        """Give zeros whose rows can be chosen by a mask."""
        return numpy.zeros(forme, dtype).view(Suivi)

    @staticmethod
    def full(forme, valeur, dtype=None):
        """Give an array of one value, that remembers it if it is a parameter."""
        if isinstance(valeur, Suivi):  # a parameter, the same for all
            return valeur.carnet.tableau(numpy.full(forme, nu(valeur), dtype), valeur.expression)
        return numpy.full(forme, valeur, dtype).view(Suivi)

    @staticmethod
    def clip(valeurs, plancher, plafond):
        """Follow a floor and a ceiling as two steps."""
        return numpy.minimum(numpy.maximum(valeurs, plancher), plafond)

    def __getattr__(self, nom):
        attribut = getattr(numpy, nom)
        return Ufunc(attribut) if isinstance(attribut, numpy.ufunc) else attribut
