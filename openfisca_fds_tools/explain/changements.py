"""The nearest change that would have opened a right, read in the formula of the right.

Every failing part of a conjunction must change; of an alternative, the nearest one is enough. A number says how far it
is from its threshold; what is not a number (a sector, a closure) says what was expected.
"""

from datetime import date

import numpy

from openfisca_fds.amounts import CENTIMES, DIX_MILLIEMES
from openfisca_fds_tools.explain.data import Changement
from openfisca_fds_tools.explain.expression import COMPARAISONS
from openfisca_fds_tools.explain.lecteur import en_json, mot, orienter

CONTRAIRE = {">=": "<", "<": ">=", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}


def changements(lecteur, expression, voulu=True):
    """Find the smallest set of changes that brings a boolean expression to a value.

    Args:
        lecteur: Lecteur of the enterprise and the month.
        expression: boolean Expression.
        voulu: value wanted.

    Returns:
        List of Changement, empty when the value is already the one wanted; None when no change of what the
        enterprise declares gives it.
    """
    if expression.valeur == voulu:
        return []
    if expression.operation == "variable":
        interieur = lecteur.interieur(expression)
        return _non_chiffre(lecteur, expression, voulu) if interieur is None else changements(lecteur, interieur, voulu)
    if expression.operation == "non":
        return changements(lecteur, expression.termes[0], not voulu)
    if expression.operation in ("et", "ou"):
        possibles = [changements(lecteur, terme, voulu) for terme in expression.termes]
        tous = (expression.operation == "et") == voulu
        return _reunis(possibles) if tous else min((p for p in possibles if p is not None), key=_distance, default=None)
    if expression.operation == "selon":
        return changements(lecteur, lecteur.retenue(expression), voulu)
    if expression.operation == "au_moins":
        return _part_du_chiffre_d_affaires(lecteur, expression, voulu)
    if expression.operation in COMPARAISONS:
        return _seuil(lecteur, expression, voulu)
    if expression.operation == "appartient":
        codes, liste = expression.termes
        sens = "parmi" if voulu else "hors de"
        return [_changement(lecteur, codes, lecteur.libelle(liste) if liste.nom else "la liste du texte", sens)]
    return None


def _reunis(possibles):
    if any(possible is None for possible in possibles):
        return None
    reunis = {}
    for changement in (c for possible in possibles for c in possible):
        cle = changement.variable, changement.periode, changement.sens
        if cle not in reunis or (changement.ecart or 0) > (reunis[cle].ecart or 0):
            reunis[cle] = changement  # the widest of two changes of the same thing does for both
    return list(reunis.values())


def _distance(possible):
    """Order of nearness: what is not a number last, then the number of changes, then the relative distance."""
    relatifs = [
        changement.ecart / max(abs(changement.actuel), 1)
        for changement in possible
        if changement.ecart is not None and isinstance(changement.actuel, (int, float))
    ]
    return sum(changement.ecart is None for changement in possible), len(possible), sum(relatifs)


def _changement(lecteur, expression, requis, sens, ecart=None, unite=None):
    feuille = next(iter(expression.feuilles("variable")), expression)
    actuel = en_json(expression.valeur)
    return Changement(
        lecteur.libelle(expression), actuel, en_json(requis), sens, ecart, unite, feuille.nom, feuille.periode or None
    )


def _non_chiffre(lecteur, expression, voulu):
    return [_changement(lecteur, expression, voulu, "exactement")]


def _seuil(lecteur, expression, voulu):
    gauche, symbole, droite = orienter(expression)
    if not gauche.feuilles("variable"):
        return None
    if not voulu:
        symbole = CONTRAIRE[symbole]
    ecart, unite = distance(gauche.valeur, symbole, droite.valeur), lecteur.unite(gauche)
    if isinstance(gauche.valeur, date):
        unite = "jour"
    return [_changement(lecteur, gauche, droite.valeur, mot(symbole, droite.valeur), ecart, unite)]


def distance(valeur, symbole, seuil):
    """Distance from a value to the nearest one that meets a comparison.

    Args:
        valeur: date, int (days, persons) or float (euros, to the cent).
        symbole: ``>=``, ``>``, ``<=``, ``<``, ``==`` or ``!=``.
        seuil: same kind.

    Returns:
        Days for dates, else the unit of the value; a strict comparison asks for one step more (a day, one unit, a
        cent). None for what has no distance (a text, a boolean).
    """
    if isinstance(valeur, (bool, str)):
        return None
    if isinstance(valeur, date):
        return abs((seuil - valeur).days) + (symbole in (">", "<", "!="))
    pas = 1 if isinstance(valeur, int) else 1 / CENTIMES
    return round(abs(seuil - valeur) + (pas if symbole in (">", "<", "!=") else 0), 6)


def _part_du_chiffre_d_affaires(lecteur, expression, voulu):
    """Euros of turnover between the enterprise and the legal share, exact to the cent like the law's comparison."""
    montant, reference, taux = expression.termes
    if reference.valeur <= 0:
        return [_changement(lecteur, reference, 0, "plus de", None)]
    manque = ecart_a_la_part(montant.valeur, reference.valeur, taux.valeur, voulu)
    difference = _difference(lecteur, montant)
    if difference is None:
        return [_changement(lecteur, montant, montant.valeur + manque, "au moins" if voulu else "au plus", abs(manque))]
    avant, apres = difference
    manque += montant.valeur - (avant.valeur - apres.valeur)  # a loss is cut at zero: the way back to it counts
    requis = round(apres.valeur - manque, 2)
    return [
        _changement(lecteur, apres, requis, "au plus" if voulu else "au moins", round(abs(manque), 2), "currency-EUR")
    ]


def ecart_a_la_part(montant, reference, taux, voulu=True):
    """Euros to add to an amount for it to reach a share of a reference (or just to miss it).

    Args:
        montant: euros.
        reference: euros, positive.
        taux: legal rate, fraction.
        voulu: reach the share; otherwise stay one cent below.

    Returns:
        Euros, a whole number of cents of the amount reached minus ``montant``; negative to take away.
    """
    part = int(numpy.rint(DIX_MILLIEMES * taux))
    reference_en_centimes = int(numpy.rint(CENTIMES * reference))
    requis = -(-part * reference_en_centimes // DIX_MILLIEMES)  # rounded up: « au moins »
    return (requis if voulu else requis - 1) / CENTIMES - montant


def _difference(lecteur, expression):
    """Terms of the subtraction that an amount is, through variables and the cut at zero; None if it is not one."""
    for _ in range(5):  # a loss is two or three variables deep
        if expression.operation == "variable":
            expression = lecteur.interieur(expression)
            if expression is None:
                return None
        elif expression.operation == "max":
            autres = [terme for terme in expression.termes if terme.operation != "constante"]
            expression = autres[0] if len(autres) == 1 else None
            if expression is None:
                return None
        elif expression.operation == "selon":
            expression = lecteur.retenue(expression)
        else:
            break
    return expression.termes if expression.operation == "-" else None
