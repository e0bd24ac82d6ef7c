"""Values of parameters as a reform writes them: one reader for each unit of the law."""

import math
import re
import reprlib
from datetime import date

from openfisca_fds_tools.situation import suggestion

from .parametres import loi

MONTANT_MAXIMAL = 1e12
ENTIER_MAXIMAL = 10**15  # an int may be too large to compare with a float
JOURS_MAXIMUM = 31
ENTIERS = {"jour": JOURS_MAXIMUM, "salarié": 1_000_000, "mois": 120, "m²": 10_000_000, "classe": 7}
NUMERIQUES = {"currency-EUR", "/1", *ENTIERS}
POURCENTAGE = re.compile(r"(\d{1,9}(?:[.,]\d{1,9})?)\s*%", re.ASCII)
DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
CODES = {"liste_de_codes_naf": "code_naf", "liste_de_departements": "departement"}  # unit -> variable that knows them


def lire(parametre, valeur, place, erreur):
    """Check a value against the unit of a parameter.

    Args:
        parametre: parameter of the law.
        valeur: what the file says.
        place: where, for the message.
        erreur: class of the error, called with (place, problem, expected).

    Returns:
        Value of the type that the law reads; a list of codes as a tuple. Rates are fractions, « 30 % » is 0.3.

    Raises:
        erreur: the value does not fit.
    """
    unite = parametre.metadata.get("unit")
    if valeur is None:
        if any(datee.value is None for datee in parametre.values_list):
            return None
        raise erreur(place, f"« {parametre.name} » n'accepte pas de valeur vide", unite)
    lecteurs = {"booléen": _booleen, "date": _date, "currency-EUR": _montant, "/1": _part} | dict.fromkeys(
        CODES, _codes
    )
    lecteur = lecteurs.get(unite, _entier if unite in ENTIERS else _texte)
    lue, attendu = lecteur(valeur, parametre)
    if attendu:
        raise erreur(place, f"« {parametre.name} » ({unite}) : valeur {citer(valeur)}", attendu)
    return lue


def citer(valeur) -> str:
    """Quote what a file says, whatever its size: a few items, a few characters."""
    try:
        return reprlib.repr(valeur)
    except ValueError:  # Python refuses to write integers of thousands of digits
        return "démesurée"


def _nombre(valeur) -> bool:
    if isinstance(valeur, bool) or not isinstance(valeur, (int, float)):
        return False
    return abs(valeur) <= ENTIER_MAXIMAL if isinstance(valeur, int) else math.isfinite(valeur)


def _booleen(valeur, _parametre):
    return valeur, "" if isinstance(valeur, bool) else "true ou false"


def _montant(valeur, _parametre):
    bon = _nombre(valeur) and 0 <= valeur <= MONTANT_MAXIMAL
    return valeur, "" if bon else "des euros, sans guillemets, de 0 à mille milliards"


def _part(valeur, parametre):
    """Share; above 1 only where the law itself writes more (a multiplier)."""
    ecrite = POURCENTAGE.fullmatch(valeur.strip()) if isinstance(valeur, str) else None
    if ecrite:
        valeur = round(float(ecrite[1].replace(",", ".")) / 100, 6)
    maximum = max([1, *(datee.value * 10 for datee in parametre.values_list if datee.value and datee.value > 1)])
    bon = _nombre(valeur) and 0 <= valeur <= maximum
    return valeur, "" if bon else 'une part de 0 à 1, comme 0.3 ou "30 %"'


def _entier(valeur, parametre):
    maximum = ENTIERS[parametre.metadata["unit"]]
    bon = _nombre(valeur) and valeur == int(valeur) and 0 <= valeur <= maximum
    return (int(valeur) if bon else valeur), "" if bon else f"un nombre entier de 0 à {maximum}"


def _date(valeur, _parametre):
    ecrite = valeur.isoformat() if isinstance(valeur, date) else valeur
    attendu = "une date AAAA-MM-JJ"
    if not isinstance(ecrite, str) or not DATE.fullmatch(ecrite):
        return valeur, attendu
    try:
        date.fromisoformat(ecrite)
    except ValueError:
        return valeur, f"{attendu} qui existe"
    return ecrite, ""


def _codes(valeur, parametre):
    variable = CODES[parametre.metadata["unit"]]
    connus = set(loi().variables[variable].possible_values.names.tolist())
    if not isinstance(valeur, (list, tuple)):
        return valeur, "une liste de codes, entre crochets"
    for code in valeur:
        if not isinstance(code, str) or code not in connus:
            conseil = suggestion(code, connus) if isinstance(code, str) else "des codes entre guillemets"
            return valeur, f"des codes connus ({citer(code)} : {conseil or 'inconnu'})"
    if len(set(valeur)) < len(valeur):
        return valeur, "des codes tous différents"
    return tuple(valeur), ""


def _texte(valeur, _parametre):
    return valeur, "" if isinstance(valeur, str) and valeur else "un texte"
