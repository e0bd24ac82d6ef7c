"""The nearest changes that would open a right: read in the formula of the right, then tried on the model (``essais``).

Every failing part of a conjunction must change; of an alternative, any one is enough. A number says how far it is from
its threshold; what is not a number (a sector, a closure) says what was expected.
"""

import functools
import math
from dataclasses import replace
from datetime import date, timedelta

import numpy
from openfisca_core import periods
from openfisca_core.periods import DateUnit

from openfisca_fds.amounts import CENTIMES, DIX_MILLIEMES, au_moins

from .calculs import branches, choix, utile
from .data import Changement
from .essais import AU_MAXIMUM_DES_ARTICLES, CHIFFRE_D_AFFAIRES, JOUR
from .expression import COMPARAISONS
from .lecteur import en_json, mois_realises, mot, orienter

EUROS = "currency-EUR"
JOURS_PAR_AN, JOURS_PAR_MOIS = 365, 31
COUT_D_UN_FAIT, COUT_D_UNE_ACTIVITE = 1, 2
JEUX_ESSAYES = 12  # sets of several changes kept for one right, the nearest ones
DECIMALES_DU_COUT = 6
REFERENCE = "chiffre_affaires_reference"
ENTIERS = {">": (">=", 1), "<": ("<=", -1)}
JOURS_COMPTES = {"2020-09": 6}  # article 3-10 begins on 25 September
A_DISTANCE = "chiffre_affaires_vente_a_distance"
NON_DEDUITS = CHIFFRE_D_AFFAIRES, A_DISTANCE
# Words of the changes of a sum that an aid deducts, euro for euro, and of one that a loss leaves out.
DEDUITE, NON_COMPTEE = "sans", "tout"
OPTION = "option_chiffre_affaires_reference"
OPTIONS = {
    "chiffre_affaires_mensuel_moyen_2019": "moyenne_2019",
    "chiffre_affaires_mois_de_2019": "mois_2019",
}

CONTRAIRE = {">=": "<", "<": ">=", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}


def propositions(lecteur, expression, voulu=True):
    """List sets of changes (lists of Changement, the nearest first) that bring a boolean expression to a value.

    They are those that its formula reads; one empty set when it has the value already. A change may close another
    condition: only the model tells whether a set does open the right.
    """
    if expression.valeur == voulu:
        return [[]]
    if expression.operation == "variable":
        interieur = None if lecteur.est_un_fait(expression) else lecteur.interieur(expression)
        activite = interieur is not None and bool(feuilles_de_liste(lecteur, interieur))
        if not voulu and interieur is not None and interieur.operation in ("et", "ou"):
            return []  # nobody gives up a better regime by losing less
        if not voulu and lecteur.resultat(expression):
            return []  # nor another article's right, that the model works out
        if interieur is None or activite:
            trouve = _changement(lecteur, expression, voulu, "exactement")
            return [[replace(trouve, activite=trouve.activite or activite)]]
        jeux = propositions(lecteur, interieur, voulu)
        return _nommes(lecteur, expression, jeux) if _d_un_autre_mois(lecteur, interieur) else jeux
    if expression.operation == "non":
        return propositions(lecteur, expression.termes[0], not voulu)
    if expression.operation in ("et", "ou"):
        parts = [propositions(lecteur, terme, voulu) for terme in expression.termes]
        if voulu and _un_fait_de_plusieurs_mois(lecteur, expression):
            (premier,) = parts[0][0]
            return [[_de_plusieurs_mois(lecteur, premier, expression.termes)]]
        tous = (expression.operation == "et") == voulu
        return combinees(parts) if tous else proches(sum(parts, []))
    if expression.operation == "selon":
        return propositions(lecteur, lecteur.retenue(expression), voulu)
    if expression.operation == "au_moins":
        return [[un] for un in _part_du_chiffre_d_affaires(lecteur, expression, voulu) if un.saisie]
    if expression.operation in COMPARAISONS:
        poses = ce_qui_fait_le_seuil(lecteur, expression)
        autres = [
            jeu
            for pose in poses
            if isinstance(pose.valeur, bool)
            for jeu in propositions(lecteur, pose, not pose.valeur)
        ]
        autres += [[_un_de_plus(lecteur, pose)] for pose in poses if type(pose.valeur) is int]
        return [*([un] for un in _seuil(lecteur, expression, voulu) if un.saisie), *autres]
    if expression.operation == "appartient":
        codes, liste = expression.termes
        sens = "dans la liste" if voulu else "hors de la liste"
        trouve = _changement(lecteur, codes, lecteur.liste(codes, liste), sens, valeur=liste.valeur[0])
        return [[replace(trouve, activite=True)]]
    return []


def _d_un_autre_mois(lecteur, expression):
    """Tell whether an expression compares an input of another month, that stands for what the text asks then."""
    if expression.operation not in COMPARAISONS:
        return False
    gauche = orienter(expression)[0]
    return gauche.operation == "variable" and gauche.periode not in ("", str(lecteur.period))


def _nommes(lecteur, expression, jeux):
    """Name the only change of some sets as the condition that asks for it: an employee at a date, not a headcount."""
    libelle = lecteur.libelle(expression)
    return [[replace(un, libelle=libelle) for un in jeu] if len(jeu) == 1 else jeu for jeu in jeux]


def ce_qui_fait_le_seuil(lecteur, expression):
    """List the variables that a threshold depends on: 20 employees for some sectors, 60 000 € for each associate."""
    seuil = expression.termes[-1]
    interieur = lecteur.interieur(seuil) if seuil.operation == "variable" else seuil
    if interieur is None:
        return []
    lues = [
        *choix(interieur),
        *(lecteur.retenue(interieur).feuilles("variable") if interieur.feuilles("parametre") else ()),
    ]
    return list({(lue.nom, lue.periode): lue for lue in lues if not isinstance(lue.valeur, float)}.values())


def _un_de_plus(lecteur, nombre):
    return _changement(lecteur, nombre, nombre.valeur + 1, "au moins", 1, lecteur.unite(nombre))


def _un_fait_de_plusieurs_mois(lecteur, expression):
    """Tell whether any of several other months will do: « reçue, avril 2021 ou mai 2021 »."""
    if expression.operation != "ou" or len({terme.nom for terme in expression.termes}) > 1:
        return False
    return all(lecteur.est_un_fait(terme) for terme in expression.termes)


def _de_plusieurs_mois(lecteur, premier, faits):
    """Say the change of a fact of one month as that of any of several."""
    entier = premier.libelle.rpartition(", ")[0]
    *mois, dernier = (lecteur.libelle(fait).removeprefix(f"{entier}, ") for fait in faits)
    nom = entier.removesuffix(" au cours du mois")
    calcule = any(map(lecteur.calculee, faits))
    actuel = "non, selon les données de ces mois" if calcule else premier.actuel
    return replace(premier, libelle=f"{nom}, {', '.join(mois)} ou {dernier}", actuel=actuel)


def feuilles_de_liste(lecteur, expression):
    """Variables of a condition that a list of codes decides, told whole (an activity, a territory); else none.

    A conjunction is never told whole: one of its parts may be the only one that misses.
    """
    retenue = lecteur.retenue(expression)
    if retenue.operation == "et":
        return []
    feuilles = retenue.feuilles("variable")
    calculees = any(isinstance(feuille.valeur, bool) and lecteur.interieur(feuille) is not None for feuille in feuilles)
    return feuilles if _a_une_liste(retenue) and not calculees else []


def _a_une_liste(expression):
    return expression.operation == "appartient" or any(_a_une_liste(terme) for terme in expression.termes)


def combinees(parts):
    """Put together, one of each, the changes that must all be made: lists of Changement, the nearest first."""
    return functools.reduce(lambda un, autre: proches([_reunis(a, b) for a in un for b in autre]), parts, [[]])


def proches(jeux):
    """Keep the changes made alone, and the nearest sets of several; the nearest first, then the shortest."""
    ranges = sorted(jeux, key=lambda jeu: (round(cout(jeu), DECIMALES_DU_COUT), len(jeu)))
    gardes = {id(jeu) for jeu in [jeu for jeu in ranges if len(jeu) > 1][:JEUX_ESSAYES]}
    return [jeu for jeu in ranges if len(jeu) <= 1 or id(jeu) in gardes]


def _reunis(*jeux):
    reunis = {}
    for changement in (c for jeu in jeux for c in jeu):
        cle = changement.variable, changement.periode, changement.sens
        if cle not in reunis or (changement.ecart or 0) > (reunis[cle].ecart or 0):
            reunis[cle] = changement  # the widest of two changes of the same thing does for both
    return list(reunis.values())


def cout(jeu):
    """Order of nearness of a set of changes.

    A share of its value for a turnover, by the month when it is of several; of the month for more days of a measure,
    years for a date, one for a fact, one and a share for employees and for days of a measure that the State did not
    take, two for what an enterprise is: nobody is hired to undo a contract.
    """
    return sum(map(_cout_d_un, jeu))


def _cout_d_un(changement):
    if changement.variable == OPTION:
        return 0  # the enterprise's own choice
    if changement.ecart is None:
        return COUT_D_UNE_ACTIVITE if changement.activite else COUT_D_UN_FAIT
    if isinstance(changement.actuel, str):
        return changement.ecart / JOURS_PAR_AN
    if changement.unite == JOUR:
        return changement.ecart / JOURS_PAR_MOIS + (0 if changement.actuel else COUT_D_UN_FAIT)
    part = changement.ecart / max(abs(changement.actuel), abs(changement.requis), 1)
    if changement.saisie and changement.saisie.variable == CHIFFRE_D_AFFAIRES:
        part *= periods.period(changement.saisie.periode).size_in_months  # a year's euros weigh as a month's
    return part + (COUT_D_UN_FAIT if changement.unite == "salarié" else 0)


def _changement(lecteur, expression, requis, sens, ecart=None, unite=None, valeur=None):
    """Build a change; ``valeur`` is what to give the model, if it is not ``requis``."""
    expression = lecteur.retenue(expression)
    saisie = lecteur.saisie(expression, requis if valeur is None else valeur)
    return Changement(
        libelle=lecteur.libelle(expression),
        actuel=lecteur.ecrire(expression) if isinstance(expression.valeur, str) else en_json(expression.valeur),
        requis=en_json(requis),
        sens=sens,
        ecart=ecart,
        unite=unite,
        variable=expression.nom if expression.operation == "variable" else saisie and saisie.variable,
        periode=expression.periode or None if expression.operation == "variable" else saisie and saisie.periode,
        activite=saisie is not None and lecteur.est_identite(saisie.variable),
        saisie=saisie,
        par_defaut=lecteur.par_defaut(expression),
    )


def _seuil(lecteur, expression, voulu):
    gauche, symbole, droite = orienter(expression)
    if not gauche.feuilles("variable") and gauche.operation != "realise":
        return []
    if gauche.nom in AU_MAXIMUM_DES_ARTICLES and gauche.periode == str(lecteur.period):
        return []  # an aid of the month is worked out: its own conditions say what it misses
    symbole = symbole if voulu else CONTRAIRE[symbole]
    ecart = distance(gauche.valeur, symbole, droite.valeur)
    if lecteur.est_une_perte(gauche):
        return _par_la_perte(lecteur, gauche, ecart if symbole in (">", ">=") else -ecart)
    unite = JOUR if isinstance(gauche.valeur, date) else lecteur.unite(gauche)
    symbole, requis = en_nombre_entier(gauche.valeur, symbole, droite.valeur)
    valeur = _atteinte(gauche.valeur, symbole, requis, ecart)
    if isinstance(gauche.valeur, str) and symbole == "!=":
        valeur = lecteur.autre_valeur(gauche)
    return [_changement(lecteur, gauche, requis, mot(symbole, requis), ecart, unite, valeur)]


def _par_la_perte(lecteur, perte, ecart):
    """Turn the euros that a loss must gain into those that the turnover must lose, if it has them."""
    actuel = lecteur.difference(perte)[1]
    if not 0 <= ecart <= actuel.valeur:
        return []  # nobody turns over less than nothing, or more to lose less
    return [_changement(lecteur, actuel, round(actuel.valeur - ecart, 2), "au plus", ecart, EUROS)]


def de_plus(lecteur):
    """List the sets of changes that no condition asks for.

    Each more day of a measure; none of a sum that an aid deducts; all the turnover in distance sales, which the loss of
    a closed enterprise leaves out; another option for the reference.
    """
    mensuelles = [
        lecteur.variable(nom)
        for nom, une in lecteur.systeme.variables.items()
        if une.is_input_variable() and une.entity.is_person and une.definition_period == DateUnit.MONTH
    ]
    jeux = []
    for saisie in mensuelles:
        if lecteur.unite(saisie) == JOUR:
            ajouts = range(1, jours_du_mois(saisie.periode) - saisie.valeur + 1)
            plus = [_changement(lecteur, saisie, saisie.valeur + un, "au moins", un, JOUR) for un in ajouts]
            jeux += [[un] for un in plus]
        elif lecteur.unite(saisie) == EUROS and saisie.valeur > 0 and saisie.nom not in NON_DEDUITS:
            jeux.append([_changement(lecteur, saisie, 0.0, DEDUITE, saisie.valeur, EUROS)])
    chiffre, a_distance = lecteur.variable(CHIFFRE_D_AFFAIRES).valeur, lecteur.variable(A_DISTANCE)
    if chiffre > a_distance.valeur:
        jeux.append([_changement(lecteur, a_distance, chiffre, NON_COMPTEE, chiffre - a_distance.valeur, EUROS)])
    return jeux + [[_option(lecteur, lecteur.variable(nom))] for nom in OPTIONS]


def moins_de_chiffre_d_affaires(lecteur, chiffre):
    """List the set of the change of the turnover of the month alone, to a lower one in euros."""
    actuel = lecteur.variable(CHIFFRE_D_AFFAIRES)
    return [[_changement(lecteur, actuel, chiffre, "au plus", round(actuel.valeur - chiffre, 2), EUROS)]]


def jours_du_mois(mois):
    """Count the days of a month (text), those that the text counts when it counts fewer."""
    return JOURS_COMPTES.get(mois, periods.period(mois).size_in_days)


def en_nombre_entier(valeur, symbole, seuil):
    """Say a strict comparison of a whole number as a wide one: « au moins 1 jour », not « plus de 0 jour »."""
    if isinstance(valeur, bool) or not isinstance(valeur, int) or symbole not in ENTIERS:
        return symbole, seuil
    symbole, pas = ENTIERS[symbole]
    return symbole, seuil + pas


def _atteinte(valeur, symbole, seuil, ecart):
    """Give the nearest value that meets a comparison: the present one moved, or the threshold if it has no distance."""
    if ecart is None:
        return seuil
    monte = symbole in (">", ">=", "!=") or (symbole == "==" and seuil > valeur)
    pas = ecart if monte else -ecart
    return valeur + (timedelta(days=pas) if isinstance(valeur, date) else pas)


def distance(valeur, symbole, seuil):
    """Distance from a value to the nearest one that meets a comparison; None for a text or a boolean.

    Days for dates, else the unit of the value (whole number, or euros to the cent); a strict comparison asks for one
    step more: a day, one unit, a cent.
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
    difference = lecteur.difference(montant)
    if reference.valeur <= 0:
        du_mois = difference is not None and difference[0].nom == REFERENCE
        return _reference_suffisante(lecteur, reference, difference, taux.valeur) if voulu and du_mois else []
    manque = ecart_au_taux(lecteur, expression, voulu)
    monter, descendre = ("au moins", "au plus") if voulu else ("au plus", "au moins")
    if difference is None:
        return [_changement(lecteur, montant, montant.valeur + manque, monter, abs(manque), EUROS)]
    avant, apres = difference
    requis = round(apres.valeur - manque, 2)
    moins = _changement(lecteur, apres, requis, descendre, round(abs(manque), 2), EUROS)
    return [*(_autres_options(lecteur, avant, apres, taux.valeur) if voulu else []), moins]


def _reference_suffisante(lecteur, reference, difference, taux):
    """Give the reference that the turnover of the month would be a sufficient loss of; none without any turnover."""
    realise = difference[1].valeur
    if realise <= 0 or taux >= 1:
        return []
    requis = math.ceil(round(CENTIMES * realise / (1 - taux), 6)) / CENTIMES
    return [_changement(lecteur, reference, requis, "au moins", requis - reference.valeur, EUROS)]


def _autres_options(lecteur, avant, apres, taux):
    """List the other options for the reference turnover that give a loss of at least ``taux``."""
    if avant.nom != REFERENCE:
        return []
    trouvees = []
    for option in branches(lecteur, avant, arrets=()):
        reference = numpy.array([option.montant])
        autre = option.calcul.variable in OPTIONS and not option.retenue
        if autre and au_moins(reference - apres.valeur, reference, taux)[0]:
            trouvees.append(_option(lecteur, lecteur.variable(option.calcul.variable)))
    return trouvees


def _option(lecteur, reference):
    """Build the change of option to a reference turnover."""
    choix = OPTIONS[reference.nom]
    return _changement(lecteur, lecteur.variable(OPTION), lecteur.libelle(reference), "exactement", valeur=choix)


def ecart_au_taux(lecteur, expression, voulu=True):
    """Euros to add to the amount of a share for it to reach its rate (or just to miss it); negative to take away.

    A loss is cut at zero: after a rise of turnover, the way back to zero counts. The euros of a loss are those of its
    turnover: more of them are needed when the reference is an average that holds it, and moves with it.
    """
    montant, reference, taux = expression.termes
    difference = lecteur.difference(montant)
    ecart = ecart_a_la_part(montant.valeur, reference.valeur, taux.valeur, voulu)
    if difference is None:
        return ecart
    avant, apres = difference
    ecart += montant.valeur - (avant.valeur - apres.valeur)
    part = _part_dans_la_moyenne(lecteur, avant, apres)
    if not part:
        return ecart
    exact = ecart / (1 - (1 - taux.valeur) * part)
    return math.copysign(math.ceil(round(CENTIMES * abs(exact), 6)) / CENTIMES, exact)


def _part_dans_la_moyenne(lecteur, moyenne, chiffre):
    """Euros that an average turnover moves by for each euro of a month that it holds; 0 if it does not."""
    interieur = lecteur.interieur(moyenne)
    retenue = None if interieur is None else utile(lecteur.retenue(interieur))
    if retenue is not None and retenue.operation == "variable" and retenue != moyenne:
        return _part_dans_la_moyenne(lecteur, retenue, chiffre)
    if retenue is None or retenue.operation != "÷" or retenue.termes[0].operation != "realise":
        return 0
    realise, duree = retenue.termes
    return chiffre.periode in map(str, mois_realises(realise)) and 1 / duree.valeur


def ecart_a_la_part(montant, reference, taux, voulu=True):
    """Euros to add to an amount for it to reach the share ``taux`` (fraction) of a positive reference, to the cent.

    Unless ``voulu``, for it to stay one cent below; negative to take away.
    """
    part = int(numpy.rint(DIX_MILLIEMES * taux))
    reference_en_centimes = int(numpy.rint(CENTIMES * reference))
    requis = -(-part * reference_en_centimes // DIX_MILLIEMES)  # rounded up: « au moins »
    return (requis if voulu else requis - 1) / CENTIMES - montant
