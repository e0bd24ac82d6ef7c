"""The nearest change that would have opened a right, read in the formula of the right.

Every failing part of a conjunction must change; of an alternative, the nearest one is enough. A number says how far it
is from its threshold; what is not a number (a sector, a closure) says what was expected.
"""

from dataclasses import replace
from datetime import date

import numpy

from openfisca_fds.amounts import CENTIMES, DIX_MILLIEMES, au_moins
from openfisca_fds_tools.explain.calculs import branches
from openfisca_fds_tools.explain.data import Changement
from openfisca_fds_tools.explain.expression import COMPARAISONS
from openfisca_fds_tools.explain.lecteur import en_json, mot, orienter

EUROS = "currency-EUR"
JOURS_PAR_AN, JOURS_PAR_MOIS = 365, 31
COUT_D_UN_FAIT, COUT_D_UNE_ACTIVITE = 1, 2
REFERENCE = "chiffre_affaires_reference"
ENTIERS = {">": (">=", 1), "<": ("<=", -1)}
OPTION = "option_chiffre_affaires_reference"
OPTIONS = ("chiffre_affaires_mensuel_moyen_2019", "chiffre_affaires_mois_de_2019")

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
        interieur = None if lecteur.est_un_fait(expression) else lecteur.interieur(expression)
        activite = interieur is not None and bool(feuilles_de_liste(lecteur, interieur))
        regime_a_fermer = not voulu and interieur is not None and interieur.operation in ("et", "ou")
        if interieur is None or activite or regime_a_fermer:  # nobody gives up a better regime by losing less
            return [replace(_changement(lecteur, expression, voulu, "exactement"), activite=activite)]
        return changements(lecteur, interieur, voulu)
    if expression.operation == "non":
        return changements(lecteur, expression.termes[0], not voulu)
    if expression.operation in ("et", "ou"):
        possibles = [changements(lecteur, terme, voulu) for terme in expression.termes]
        tous = (expression.operation == "et") == voulu
        return reunis(possibles) if tous else min((p for p in possibles if p is not None), key=cout, default=None)
    if expression.operation == "selon":
        return changements(lecteur, lecteur.retenue(expression), voulu)
    if expression.operation == "au_moins":
        return _part_du_chiffre_d_affaires(lecteur, expression, voulu)
    if expression.operation in COMPARAISONS:
        return _seuil(lecteur, expression, voulu)
    if expression.operation == "appartient":
        codes, liste = expression.termes
        sens = "dans la liste" if voulu else "hors de la liste"
        requis = f"« {lecteur.libelle(liste)} »" if liste.nom else "du texte"
        return [replace(_changement(lecteur, codes, requis, sens), activite=True)]
    return None


def feuilles_de_liste(lecteur, expression):
    """Variables of a condition that a list of codes decides, told whole (an activity, a territory); else none."""
    retenue = lecteur.retenue(expression)
    feuilles = retenue.feuilles("variable")
    calculees = any(isinstance(feuille.valeur, bool) and lecteur.interieur(feuille) is not None for feuille in feuilles)
    return feuilles if _a_une_liste(retenue) and not calculees else []


def _a_une_liste(expression):
    return expression.operation == "appartient" or any(_a_une_liste(terme) for terme in expression.termes)


def reunis(possibles):
    """Put together the changes that must all be made; None when one of them cannot be."""
    if any(possible is None for possible in possibles):
        return None
    reunis = {}
    for changement in (c for possible in possibles for c in possible):
        cle = changement.variable, changement.periode, changement.sens
        if cle not in reunis or (changement.ecart or 0) > (reunis[cle].ecart or 0):
            reunis[cle] = changement  # the widest of two changes of the same thing does for both
    return list(reunis.values())


def cout(possible):
    """Order of nearness of a set of changes.

    A share of its value for a turnover, years for a date, one for a fact, one and a share for employees and for days
    of a measure that the State decides, two for an activity: nobody is hired to undo a contract.
    """
    return sum(map(_cout_d_un, possible))


def _cout_d_un(changement):
    if changement.variable == OPTION:
        return 0  # the enterprise's own choice
    if changement.ecart is None:
        return COUT_D_UNE_ACTIVITE if changement.activite else COUT_D_UN_FAIT
    if isinstance(changement.actuel, str):
        return changement.ecart / JOURS_PAR_AN
    if changement.unite == "jour":
        return COUT_D_UN_FAIT + changement.ecart / JOURS_PAR_MOIS
    part = changement.ecart / max(abs(changement.actuel), abs(changement.requis), 1)
    return part + (COUT_D_UN_FAIT if changement.unite == "salarié" else 0)


def _changement(lecteur, expression, requis, sens, ecart=None, unite=None):
    feuille = next(iter(expression.feuilles("variable")), expression)
    actuel = lecteur.ecrire(expression) if isinstance(expression.valeur, str) else en_json(expression.valeur)
    return Changement(
        lecteur.libelle(expression), actuel, en_json(requis), sens, ecart, unite, feuille.nom, feuille.periode or None
    )


def _seuil(lecteur, expression, voulu):
    gauche, symbole, droite = orienter(expression)
    if not gauche.feuilles("variable"):
        return None
    if not voulu:
        symbole = CONTRAIRE[symbole]
    ecart, unite = distance(gauche.valeur, symbole, droite.valeur), lecteur.unite(gauche)
    if isinstance(gauche.valeur, date):
        unite = "jour"
    requis = droite.valeur
    if isinstance(gauche.valeur, int) and symbole in ENTIERS:  # « au moins 1 jour », not « plus de 0 jour »
        symbole, pas = ENTIERS[symbole]
        requis += pas
    trouve = _changement(lecteur, gauche, requis, mot(symbole, requis), ecart, unite)
    return [replace(trouve, activite=isinstance(gauche.valeur, str))]  # nor does a legal form change for an aid


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
    if voulu and difference is not None and (option := _autre_option(lecteur, *difference, taux.valeur)):
        return [option]
    if difference is None:
        sens = "au moins" if voulu else "au plus"
        return [_changement(lecteur, montant, montant.valeur + manque, sens, abs(manque), EUROS)]
    avant, apres = difference
    manque += montant.valeur - (avant.valeur - apres.valeur)  # a loss is cut at zero: the way back to it counts
    requis = round(apres.valeur - manque, 2)
    return [_changement(lecteur, apres, requis, "au plus" if voulu else "au moins", round(abs(manque), 2), EUROS)]


def _autre_option(lecteur, avant, apres, taux):
    """Other option for the reference turnover that would give a loss of at least ``taux``; None when there is none."""
    if avant.nom != REFERENCE:
        return None
    for option in branches(lecteur, avant, arrets=()):
        reference = numpy.array([option.montant])
        if option.retenue or option.calcul.variable not in OPTIONS:
            continue
        if au_moins(reference - apres.valeur, reference, taux)[0]:
            actuelle = lecteur.variable(OPTION)
            return Changement(
                lecteur.libelle(actuelle), lecteur.ecrire(actuelle), option.libelle, "exactement", variable=OPTION
            )
    return None


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
