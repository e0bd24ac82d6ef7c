"""Record what a formula does, so that an explanation is read in the model and never written twice.

A formula runs once more, on the values that the simulation has already computed, with arrays that remember where
they come from: variables, parameters, operations. What comes out is an :class:`Expression`, a tree of the formula for
one enterprise, values included. Adding an article adds nothing here.
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FunctionType

import numpy
from openfisca_core import periods
from openfisca_core.indexed_enums import EnumArray
from openfisca_core.parameters import ParameterNodeAtInstant
from openfisca_core.periods import ETERNITY

from openfisca_fds import amounts, codes, moyennes, periodes

# Symbols of the ufuncs that the law uses; any other keeps NumPy's name.
SYMBOLES = {
    "add": "+",
    "subtract": "-",
    "multiply": "×",
    "divide": "÷",
    "true_divide": "÷",
    "greater_equal": ">=",
    "greater": ">",
    "less_equal": "<=",
    "less": "<",
    "equal": "==",
    "not_equal": "!=",
    "bitwise_and": "et",
    "logical_and": "et",
    "bitwise_or": "ou",
    "logical_or": "ou",
    "invert": "non",
    "logical_not": "non",
    "maximum": "max",
    "minimum": "min",
    "absolute": "abs",
    "where": "selon",
}
ASSOCIATIVES = {"et", "ou", "max", "min", "+"}
NEUTRES = {"et": True, "ou": False, "+": 0}
ABSORBANTS = {"et": False, "ou": True}
COMPARAISONS = {">=", ">", "<=", "<", "==", "!="}


@dataclass(frozen=True)
class Expression:
    """A node of a formula for one enterprise.

    Attributes:
        operation: ``variable``, ``parametre``, ``constante``, a symbol of :data:`SYMBOLES`, ``au_moins``,
            ``appartient``, ``realise`` (turnover of several months), ``duree`` (months), ``jours`` (days of
            activity), or the name of another NumPy function.
        termes: operands, in order.
        valeur: Python value for the enterprise (bool, int, float, str, date), None when it has none.
        nom: name of the variable, path of the parameter, or first and last month of a turnover.
        periode: period of the variable or instant of the parameter, as text.
        entite: key of the entity of the variable.
    """

    operation: str
    termes: tuple = ()
    valeur: object = None
    nom: str | None = None
    periode: str | None = None
    entite: str | None = None

    def feuilles(self, operation):
        """List the distinct leaves of one kind (``variable`` or ``parametre``), in the order of the formula."""
        vues = {}
        if self.operation == operation:
            vues[self.nom, self.periode] = self
        for terme in self.termes:
            vues.update({(feuille.nom, feuille.periode): feuille for feuille in terme.feuilles(operation)})
        return list(vues.values())


@dataclass(frozen=True)
class Lecture:
    """What running a formula again gave: its expression (None if it could not be followed) and all it read."""

    expression: Expression | None
    variables: tuple = ()
    parametres: tuple = ()


def simplifier(operation, termes, valeur):
    """Build an operation, flattened, without neutral terms, and without the branches that a constant excludes."""
    if termes and all(terme.operation == "constante" for terme in termes):
        return Expression("constante", valeur=valeur)
    if operation == "selon" and termes[0].operation == "constante":
        return termes[1] if termes[0].valeur else termes[2]
    absorbant = ABSORBANTS.get(operation)
    if absorbant is not None and any(t.operation == "constante" and t.valeur is absorbant for t in termes):
        return Expression("constante", valeur=absorbant)
    if operation in ASSOCIATIVES:
        plats = []
        for terme in termes:
            plats += terme.termes if terme.operation == operation else [terme]
        neutre = NEUTRES.get(operation)
        gardes = [t for t in plats if not (neutre is not None and t.operation == "constante" and t.valeur == neutre)]
        if len(gardes) == 1:
            return gardes[0]
        termes = gardes
    return Expression(operation, tuple(termes), valeur)


# ---- arrays that remember ----


class Suivi(numpy.ndarray):
    """Array that knows its expression; every operation on it gives another one."""

    expression = None
    carnet = None

    def __array_finalize__(self, obj):
        self.expression = getattr(obj, "expression", None)
        self.carnet = getattr(obj, "carnet", None)

    def __getitem__(self, cle):
        """Rows chosen by a mask: the array keeps its length, as every row is computed and only chosen at the end."""
        if not isinstance(cle, Masque):
            return super().__getitem__(cle)
        return self

    def __setitem__(self, cle, valeurs):
        """Give a value to the rows of a mask: a choice between the new value and the old one."""
        if not isinstance(cle, Masque):
            super().__setitem__(cle, valeurs)
            return
        carnet = _carnet((valeurs, cle.condition, self))
        anciens = numpy.array(_nu(self))
        numpy.copyto(self.view(numpy.ndarray), _nu(valeurs), where=numpy.asarray(_nu(cle.condition)), casting="unsafe")
        if carnet is not None:
            avant = self.expression or Expression("constante", valeur=carnet.valeur(anciens))
            termes = carnet.expression(cle.condition), carnet.expression(valeurs), avant
            self.carnet, self.expression = carnet, simplifier("selon", termes, carnet.valeur(self.view(numpy.ndarray)))

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        carnet = _carnet(inputs)
        resultat = getattr(ufunc, method)(*_nu(inputs), **_nu(kwargs))
        if carnet is None:
            return resultat
        return carnet.operation(SYMBOLES.get(ufunc.__name__, ufunc.__name__), inputs, resultat)

    def __array_function__(self, func, types, args, kwargs):
        carnet = _carnet(args)
        resultat = func(*_nu(args), **_nu(kwargs))
        if carnet is None or not isinstance(resultat, numpy.ndarray):
            return resultat
        return carnet.operation(SYMBOLES.get(func.__name__, func.__name__), args, resultat)


class Masque:
    """What ``flatnonzero`` gives while a formula is followed: the condition itself, and not the rows that meet it."""

    def __init__(self, condition):
        self.condition = condition

    def __len__(self):
        return int(numpy.count_nonzero(_nu(self.condition)))

    def __getitem__(self, condition):
        return Masque(self.condition & condition)


class EnumSuivi(EnumArray):
    """Enum array that knows which variable it is."""

    expression = None
    carnet = None

    def decode_to_str(self):
        """Names, as the base class gives them, with the expression of the variable."""
        return self.carnet.tableau(super().decode_to_str(), self.expression)

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


def _nu(valeur):
    """Give back plain arrays, in a value, a tuple, a list or a dictionary."""
    if isinstance(valeur, Suivi):
        return valeur.view(numpy.ndarray)
    if isinstance(valeur, (tuple, list)) and not isinstance(valeur, ListeSuivie):
        return type(valeur)(_nu(element) for element in valeur)
    if isinstance(valeur, dict):
        return {cle: _nu(element) for cle, element in valeur.items()}
    return valeur


def _carnet(valeurs):
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
    parametres: dict = field(default_factory=dict)

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
        return Expression("constante", valeur=self.valeur(valeur) if _est_valeur(valeur) else str(valeur))

    def operation(self, symbole, operandes, resultat):
        """Wrap the result of an operation with the expression of it."""
        termes = tuple(self.expression(operande) for operande in operandes)
        return self.tableau(resultat, simplifier(symbole, termes, self.valeur(resultat)))


def _est_valeur(valeur):
    return isinstance(valeur, (numpy.ndarray, numpy.generic, bool, int, float, str))


def est_absente(variable, periode):
    """Tell whether the text of a variable does not exist at a period: other months have a formula, not this one."""
    if variable.definition_period == ETERNITY or not variable.formulas:
        return False
    return variable.get_formula(periode) is None


# ---- what a formula is given ----


class PopulationSuivie:
    """Stand-in of the population: same calls, same values, arrays that remember."""

    def __init__(self, carnet, population, simulation):
        self.carnet, self.population, self._simulation = carnet, population, simulation

    def __call__(self, nom, period, options=None):
        """Read a variable, as a population does."""
        valeurs = self.population(nom, period, options=options)
        return self._lue(nom, period, valeurs)

    def _lue(self, nom, period, valeurs):
        periode = periods.period(period)
        variable = self._simulation.tax_benefit_system.get_variable(nom)
        if est_absente(variable, periode) and (numpy.asarray(valeurs) == variable.default_value).all():
            return self.carnet.tableau(valeurs, Expression("constante", valeur=variable.default_value))
        texte = "" if variable.definition_period == ETERNITY else str(periode)
        expression = Expression("variable", (), self.carnet.valeur(valeurs), nom, texte, variable.entity.key)
        self.carnet.variables[nom, texte] = expression
        return self.carnet.tableau(valeurs, expression)

    def __getattr__(self, nom):
        attribut = getattr(self.population, nom)
        if nom in self._simulation.populations:
            return PopulationSuivie(self.carnet, attribut, self._simulation)
        if nom == "members":
            return PopulationSuivie(self.carnet, attribut, self._simulation)
        return functools.partial(self._methode, nom, attribut) if callable(attribut) else attribut

    def _methode(self, nom, methode, *args, **kwargs):
        resultat = methode(*_nu(args), **_nu(kwargs))
        if not isinstance(resultat, numpy.ndarray):
            return resultat
        operandes = [arg for arg in args if isinstance(arg, Suivi)]
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

    def __contains__(self, cle):
        return cle in self._noeud

    def _enfant(self, enfant, cle):
        if isinstance(enfant, ParameterNodeAtInstant):
            return ParametresSuivis(self._carnet, enfant, self._instant)
        chemin = f"{self._noeud._name}.{cle}"
        expression = Expression("parametre", (), enfant, chemin, self._instant)
        self._carnet.parametres[chemin, self._instant] = expression
        if enfant is None:
            return None
        if isinstance(enfant, (str, list)):
            suivi = (TexteSuivi if isinstance(enfant, str) else ListeSuivie)(enfant)
            suivi.expression = expression
            return suivi
        return self._carnet.tableau(enfant, expression)


# ---- helpers of the law, followed as one operation ----


def _au_moins(montant, reference, taux):
    resultat = amounts.au_moins(_nu(montant), _nu(reference), _nu(taux))
    carnet = _carnet((montant, reference, taux))
    return carnet.operation("au_moins", (montant, reference, taux), resultat)


def _appartient(tableau, liste):
    resultat = codes.appartient(tableau, liste)
    return tableau.carnet.operation("appartient", (tableau, liste), resultat)


def _jour(date):
    resultat = periodes.jour(date)
    lue = getattr(date, "expression", None)
    if lue is None:
        return resultat
    suivi = numpy.asarray(resultat).view(Suivi)
    suivi.expression = Expression("parametre", (), resultat.item(), lue.nom, lue.periode)
    return suivi


def _quotient(montant, diviseur):
    resultat = amounts.quotient(_nu(montant), _nu(diviseur))
    return _carnet((montant, diviseur)).operation("÷", (montant, diviseur), resultat)


def _depasse(montant, autre):
    resultat = amounts.depasse(_nu(montant), _nu(autre))
    return _carnet((montant, autre)).operation(">", (montant, autre), resultat)


def _epoussete(montant):
    """Dust is no step of the text: the amount keeps its expression."""
    carnet = _carnet((montant,))
    propre = amounts.epoussete(_nu(montant))
    return propre if carnet is None else carnet.tableau(propre, carnet.expression(montant))


def _meilleur_regime(entreprise, period, parameters, *regimes):
    """« Le plus favorable des régimes ouverts »: the greatest of the amounts, each times its condition."""
    fds = parameters(period).fonds_de_solidarite
    ordre_du_texte = bool(fds.pluralite_des_regimes.ordre_du_texte)
    montants, pris = [], False
    for condition, montant in regimes:
        ouvert = entreprise(condition, period)
        if entreprise.carnet.expression(ouvert).operation == "constante":
            continue  # no such regime this month
        libre = ouvert & ~pris if ordre_du_texte and pris is not False else ouvert
        montants.append(entreprise(montant, period) * libre)
        pris = ouvert | pris if pris is not False else ouvert
    return functools.reduce(_Ufunc(numpy.maximum), montants) if montants else numpy.zeros(entreprise.count)


def _chiffre_d_affaires(entreprise, valeurs, operation, mois):
    carnet = entreprise.carnet
    return carnet.tableau(valeurs, Expression(operation, (), carnet.valeur(valeurs), f"{mois[0]}/{mois[-1]}"))


def _total(entreprise, mois):
    return _chiffre_d_affaires(entreprise, moyennes.total(entreprise.population, mois), "realise", mois)


def _depuis_la_creation(entreprise, mois):
    realise, duree = moyennes.depuis_la_creation(entreprise.population, mois)
    return (
        _chiffre_d_affaires(entreprise, realise, "realise", mois),
        _chiffre_d_affaires(entreprise, duree, "duree", mois),
    )


def _mensuel_moyen(entreprise, mois):
    valeurs = moyennes.mensuel_moyen(entreprise.population, mois)
    termes = tuple(entreprise.carnet.expression(terme) for terme in _depuis_la_creation(entreprise, mois))
    return entreprise.carnet.tableau(valeurs, Expression("÷", termes, entreprise.carnet.valeur(valeurs)))


def _jours_d_activite(date_creation, debut, fin):
    jours = periodes.jours_d_activite(_nu(date_creation), _nu(debut), _nu(fin))
    carnet = _carnet((date_creation,))
    return carnet.tableau(jours, Expression("jours", (), carnet.valeur(jours)))


def _ramene_sur_un_mois(entreprise, mois):
    creation = entreprise("date_creation", mois)
    jours = _jours_d_activite(creation, periodes.premier_jour(mois), periodes.dernier_jour(mois))
    chiffre = entreprise("chiffre_affaires", mois)
    valeurs = moyennes.ramene_sur_un_mois(entreprise.population, mois)
    carnet = entreprise.carnet
    du_mois = chiffre * carnet.tableau(
        numpy.full_like(_nu(jours), mois.size_in_days), Expression("jours", (), mois.size_in_days)
    )
    termes = carnet.expression(du_mois), carnet.expression(jours)
    return carnet.tableau(valeurs, Expression("÷", termes, carnet.valeur(valeurs)))


# By their public meaning, so that a helper may be written otherwise without changing an explanation.
AIDES_SUIVIES: dict[Callable, Callable] = {
    amounts.au_moins: _au_moins,
    amounts.depasse: _depasse,
    amounts.epoussete: _epoussete,
    amounts.meilleur_regime: _meilleur_regime,
    amounts.quotient: _quotient,
    codes.appartient: _appartient,
    moyennes.depuis_la_creation: _depuis_la_creation,
    moyennes.mensuel_moyen: _mensuel_moyen,
    moyennes.ramene_sur_un_mois: _ramene_sur_un_mois,
    moyennes.total: _total,
    periodes.jour: _jour,
    periodes.jours_d_activite: _jours_d_activite,
}


class _Ufunc:
    """A ufunc whose ``reduce`` over a list follows each term."""

    def __init__(self, ufunc):
        self._ufunc = ufunc

    def __call__(self, *args, **kwargs):
        return self._ufunc(*args, **kwargs)

    def __getattr__(self, nom):
        return getattr(self._ufunc, nom)

    def reduce(self, tableaux, *args, **kwargs):
        if isinstance(tableaux, (list, tuple)) and not args and not kwargs:
            return functools.reduce(self._ufunc, tableaux)
        return self._ufunc.reduce(tableaux, *args, **kwargs)


class _NumpySuivi:
    """NumPy as the formulas see it while they are followed."""

    @staticmethod
    def flatnonzero(condition):
        return Masque(condition)

    @staticmethod
    def zeros(forme, dtype=float):
        return numpy.zeros(forme, dtype).view(Suivi)

    @staticmethod
    def full(forme, valeur, dtype=None):
        if isinstance(valeur, Suivi):  # a parameter, the same for all
            return valeur.carnet.tableau(numpy.full(forme, _nu(valeur), dtype), valeur.expression)
        return numpy.full(forme, valeur, dtype).view(Suivi)

    def __getattr__(self, nom):
        attribut = getattr(numpy, nom)
        return _Ufunc(attribut) if isinstance(attribut, numpy.ufunc) else attribut


_reliees: dict = {}  # copies already made, by function


def relier(fonction, reliees=None):
    """Copy a function of the law so that it, and what it calls in the law, uses the followed helpers.

    The module of the law is left as it is: only the copy has other globals.
    """
    reliees = {} if reliees is None else reliees
    if fonction in reliees:
        return reliees[fonction]
    globales = dict(fonction.__globals__)
    copie = FunctionType(fonction.__code__, globales, fonction.__name__, fonction.__defaults__, fonction.__closure__)
    copie.__kwdefaults__ = fonction.__kwdefaults__
    reliees[fonction] = copie
    for nom, objet in list(globales.items()):
        if objet is numpy:
            globales[nom] = _NumpySuivi()
        elif isinstance(objet, FunctionType) and objet in AIDES_SUIVIES:
            globales[nom] = AIDES_SUIVIES[objet]
        elif isinstance(objet, FunctionType) and _est_de_la_loi(objet, fonction):
            globales[nom] = relier(objet, reliees)
    return copie


def _est_de_la_loi(objet, fonction):
    return objet.__globals__ is fonction.__globals__ or (objet.__module__ or "").startswith("openfisca_fds.")


def lire_formule(simulation, nom, period, rang):
    """Run the formula of a variable again and return its expression for one instance.

    Args:
        simulation: openfisca-core Simulation; what the formula reads is computed if need be.
        nom: variable.
        period: Period.
        rang: row of the instance in the variable's entity.

    Returns:
        Lecture, or None when the variable has no formula at this period, or when its value is an input, that is
        when it is not what the formula gives.
    """
    variable = simulation.tax_benefit_system.get_variable(nom)
    eternelle = variable.definition_period == ETERNITY
    formule = variable.get_formula() if eternelle else variable.get_formula(period)
    if formule is None or variable.is_neutralized:
        return None
    population = simulation.get_variable_population(nom)
    carnet = Carnet(rang, population.count)

    def parametres(instant):
        noeud = simulation.tax_benefit_system.get_parameters_at_instant(instant)
        return ParametresSuivis(carnet, noeud, str(getattr(instant, "start", instant)))

    arguments = (PopulationSuivie(carnet, population, simulation), period, parametres)
    connue = simulation.calculate(nom, period)
    try:
        resultat = relier(formule, _reliees)(*arguments[: formule.__code__.co_argcount])
    except (TypeError, ValueError, AttributeError, IndexError, KeyError):
        return Lecture(None, tuple(carnet.variables.values()), tuple(carnet.parametres.values()))
    if carnet.valeur(resultat if _est_valeur(resultat) else numpy.asarray(resultat)) != carnet.valeur(connue):
        return None
    return Lecture(carnet.expression(resultat), tuple(carnet.variables.values()), tuple(carnet.parametres.values()))
