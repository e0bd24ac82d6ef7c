"""Run a formula again and record what it does, so that an explanation is read in the model and never written twice.

It runs on the values that the simulation has already computed, with arrays that remember where they come from
(``suivi``); the helpers of the law are each followed as one operation. Adding an article adds nothing here.
"""

import functools
from collections.abc import Callable
from dataclasses import replace
from types import FunctionType

import numpy
from openfisca_core.periods import ETERNITY

from openfisca_fds import amounts, codes, moyennes, periodes

from .expression import SANS_OBJET, Expression, Lecture
from .suivi import Carnet, NumpySuivi, ParametresSuivis, PopulationSuivie, Suivi, carnet_de, nu

# ---- helpers of the law ----


def _au_moins(montant, reference, taux):
    resultat = amounts.au_moins(nu(montant), nu(reference), nu(taux))
    carnet = carnet_de((montant, reference, taux))
    if not numpy.any(nu(taux)):  # a share that the month does not ask for
        return carnet.tableau(resultat, Expression("constante", valeur=True, nom=SANS_OBJET))
    return carnet.operation("au_moins", (montant, reference, taux), resultat)


def _appartient(tableau, liste):
    resultat, carnet = codes.appartient(tableau, liste), tableau.carnet
    codes_lus = getattr(liste, "expression", None) or Expression("constante", valeur=list(liste))
    termes = carnet.expression(tableau), codes_lus
    return carnet.tableau(resultat, Expression("appartient", termes, carnet.valeur(resultat)))


def _jour(date):
    resultat = periodes.jour(date)
    if not hasattr(date, "expression"):
        return resultat
    suivi = numpy.asarray(resultat).view(Suivi)
    suivi.expression = replace(date.expression, valeur=resultat.item())
    return suivi


def _operation(symbole, aide):
    """Follow a helper of two amounts as one operation."""

    def suivie(*montants):
        return carnet_de(montants).operation(symbole, montants, aide(*nu(montants)))

    return suivie


def _epoussete(montant):
    """Dust is no step of the text: the amount keeps its expression."""
    carnet = carnet_de((montant,))
    propre = amounts.epoussete(nu(montant))
    return propre if carnet is None else carnet.tableau(propre, carnet.expression(montant))


def _meilleur_regime(entreprise, period, parameters, *regimes):
    """« Le plus favorable des régimes ouverts »: the greatest of the amounts, each times its condition."""
    ordre_du_texte = parameters(period).fonds_de_solidarite.pluralite_des_regimes.ordre_du_texte
    montants, pris = [], False
    for condition, montant in regimes:
        ouvert = entreprise(condition, period)
        if entreprise.carnet.expression(ouvert).operation == "constante":
            continue  # no such regime this month
        libre = ouvert & ~pris if ordre_du_texte and pris is not False else ouvert
        montants.append(entreprise(montant, period) * libre)
        pris = ouvert | pris if pris is not False else ouvert
    return functools.reduce(numpy.maximum, montants) if montants else numpy.zeros(entreprise.count)


def _chiffre_d_affaires(entreprise, valeurs, operation, mois):
    carnet = entreprise.carnet
    return carnet.tableau(valeurs, Expression(operation, (), carnet.valeur(valeurs), f"{mois[0]}/{mois[-1]}"))


def _total(entreprise, mois):
    return _chiffre_d_affaires(entreprise, moyennes.total(entreprise.population, mois), "realise", mois)


def _depuis_la_creation(entreprise, mois):
    realise, duree = moyennes.depuis_la_creation(entreprise.population, mois)
    creation = entreprise.carnet.valeur(nu(entreprise("date_creation", mois[0])))
    existants = [un for un in mois if periodes.dernier_jour(un) >= numpy.datetime64(creation)] or mois
    return (
        _chiffre_d_affaires(entreprise, realise, "realise", existants),
        _chiffre_d_affaires(entreprise, duree, "duree", existants),
    )


def _mensuel_moyen(entreprise, mois):
    valeurs = moyennes.mensuel_moyen(entreprise.population, mois)
    termes = tuple(entreprise.carnet.expression(terme) for terme in _depuis_la_creation(entreprise, mois))
    return entreprise.carnet.tableau(valeurs, Expression("÷", termes, entreprise.carnet.valeur(valeurs)))


def _jours_d_activite(date_creation, debut, fin):
    jours = periodes.jours_d_activite(nu(date_creation), nu(debut), nu(fin))
    carnet = carnet_de((date_creation,))
    return carnet.tableau(jours, Expression("jours", (), carnet.valeur(jours)))


def _ramene_sur_un_mois(entreprise, mois):
    creation = entreprise("date_creation", mois)
    jours = _jours_d_activite(creation, periodes.premier_jour(mois), periodes.dernier_jour(mois))
    chiffre = entreprise("chiffre_affaires", mois)
    valeurs = moyennes.ramene_sur_un_mois(entreprise.population, mois)
    carnet = entreprise.carnet
    du_mois = chiffre * carnet.tableau(
        numpy.full_like(nu(jours), mois.size_in_days), Expression("jours", (), mois.size_in_days)
    )
    termes = carnet.expression(du_mois), carnet.expression(jours)
    return carnet.tableau(valeurs, Expression("÷", termes, carnet.valeur(valeurs)))


# By their public meaning, so that a helper may be written otherwise without changing an explanation.
AIDES_SUIVIES: dict[Callable, Callable] = {
    amounts.au_moins: _au_moins,
    amounts.depasse: _operation(">", amounts.depasse),
    amounts.epoussete: _epoussete,
    amounts.meilleur_regime: _meilleur_regime,
    amounts.quotient: _operation("÷", amounts.quotient),
    codes.appartient: _appartient,
    moyennes.depuis_la_creation: _depuis_la_creation,
    moyennes.mensuel_moyen: _mensuel_moyen,
    moyennes.ramene_sur_un_mois: _ramene_sur_un_mois,
    moyennes.total: _total,
    periodes.jour: _jour,
    periodes.jours_d_activite: _jours_d_activite,
}


# ---- formulas ----

SUIVABLES = FunctionType, functools._lru_cache_wrapper  # a helper may remember what it gave (``jour``)
_reliees: dict = {}  # copies already made, by function


def relier(fonction):
    """Copy a function of the law so that it, and what it calls in the law, uses the followed helpers.

    The module of the law is left as it is: only the copy has other globals.
    """
    if fonction in _reliees:
        return _reliees[fonction]
    globales = dict(fonction.__globals__)
    copie = FunctionType(fonction.__code__, globales, fonction.__name__, fonction.__defaults__, fonction.__closure__)
    copie.__kwdefaults__ = fonction.__kwdefaults__
    _reliees[fonction] = copie  # before what it calls, that may call it back
    for nom, objet in list(globales.items()):
        if objet is numpy:
            globales[nom] = NumpySuivi()
        elif isinstance(objet, SUIVABLES) and objet in AIDES_SUIVIES:
            globales[nom] = AIDES_SUIVIES[objet]
        elif isinstance(objet, FunctionType) and _est_de_la_loi(objet, fonction):
            globales[nom] = relier(objet)
    return copie


def _est_de_la_loi(objet, fonction):
    return objet.__globals__ is fonction.__globals__ or (objet.__module__ or "").startswith("openfisca_fds.")


def lire_formule(simulation, nom, period, rang):
    """Run the formula of a variable again for one instance, a row of the variable's entity.

    What the formula reads is computed if need be.

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
        resultat = relier(formule)(*arguments[: formule.__code__.co_argcount])
    except (TypeError, ValueError, AttributeError, IndexError, KeyError):
        return Lecture(None, tuple(carnet.variables.values()))
    if carnet.valeur(resultat) != carnet.valeur(connue):
        return None
    return Lecture(carnet.expression(resultat), tuple(carnet.variables.values()))
