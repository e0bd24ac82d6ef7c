"""Close a variable for some months, or take one of its formulas away: what a text that does not exist yet gives."""

import copy

import numpy

from .parametres import mois_suivant


def droit_ferme(entreprise, period):
    """No right: the text of this month is closed."""
    return numpy.zeros(entreprise.count, dtype=bool)


def montant_nul(entreprise, period):
    """No euro: the text of this month is closed."""
    return numpy.zeros(entreprise.count)


FORMULES = {bool: droit_ferme, float: montant_nul}


def fermer(reforme, nom: str, debut: str | None = None, fin: str | None = None) -> None:
    """Make a variable false or null from one month to another, in a reform only.

    Args:
        reforme: Reform being applied.
        nom: name of a boolean or float variable with formulas.
        debut: first day of the first month (AAAA-MM-01); None: from the beginning.
        fin: first day of the last month, included; None: to the end.

    Raises:
        ValueError: the variable is neither boolean nor float.
    """
    variable = reforme.get_variable(nom, check_existence=True)
    if variable.value_type not in FORMULES:
        raise ValueError(f"« {nom} » n'est ni un montant ni une condition : elle ne peut pas être fermée par mois.")
    fermee = copy.copy(variable)
    formules = copy.copy(variable.formulas)
    reprise = None
    if fin is not None:
        apres = mois_suivant(fin)
        dates = [date for date in formules if date <= apres]
        reprise = (apres, formules[max(dates)]) if dates else None
    premiere = debut or min(formules, default="0001-01-01")
    for date in list(formules):
        if date >= premiere and (fin is None or date < mois_suivant(fin)):
            del formules[date]
    formules[premiere] = FORMULES[variable.value_type]
    if reprise is not None:
        formules.setdefault(*reprise)
    fermee.formulas = formules
    reforme.variables[nom] = fermee


def retirer(reforme, nom: str, date: str) -> None:
    """Take a dated formula away, in a reform only: the one before it goes on.

    Args:
        reforme: Reform being applied.
        nom: name of the variable.
        date: first day of the first month of the formula (AAAA-MM-01).

    Raises:
        KeyError: the variable has no formula of this date.
    """
    variable = copy.copy(reforme.get_variable(nom, check_existence=True))
    variable.formulas = copy.copy(variable.formulas)
    del variable.formulas[date]
    reforme.variables[nom] = variable
