"""French writing of values: euros, rates, days, dates, codes."""

import operator
import re
from datetime import date
from functools import lru_cache

MOIS = [
    *("janvier", "février", "mars", "avril", "mai", "juin"),
    *("juillet", "août", "septembre", "octobre", "novembre", "décembre"),
]
NOMS_DES_MOIS = rf"(?:{'|'.join(MOIS)})\b"
UNITES = ("salarié", "jour", "m²")  # written as they are
FINE = "\u202f"  # narrow no-break space, between thousands
A_LA_FRANCAISE = str.maketrans({",": FINE, ".": ",", "-": "−"})
PARENTHESE_FINALE = re.compile(r" \([^()]*\)$")
INSECABLE = "\u00a0"
POUSSIERE = 1e-10  # of a percent: float dust
# « …, et perte d'au moins 20 % (depuis février 2021) »: the date rules what follows the last comma; « b) » is a letter
# of a list, not the end of a bracket.
SANS_VIRGULE = r"(?:[^,()]|\b[a-z]\))*"
PARTIE_DATEE = re.compile(rf"(,{SANS_VIRGULE}|^{SANS_VIRGULE}) \((depuis|jusqu'en|en) ({NOMS_DES_MOIS}) (\d{{4}})\)")
# Spaces of « I, A, 2° bis b) », never broken.
DANS_UNE_CITATION = re.compile(r"(?<=,) (?=(?:[IVX]+|[A-Z]|\d+°)(?:[\s,;)*<]|$))|(?<=°) (?=bis)|(?<=°|s) (?=[a-z]\))")
VAUT = {"depuis": operator.ge, "jusqu'en": operator.le, "en": operator.eq}
DATE_PAR_DEFAUT = date(1970, 1, 1)  # what openfisca gives to a date that nobody gave


def nombre(valeur, decimales):
    """Write a number the French way: ``−1 234,50``."""
    return f"{valeur:,.{decimales}f}".translate(A_LA_FRANCAISE)


def nombre_court(valeur):
    """Write a number with the decimals that it has, four at most."""
    texte = nombre(round(valeur, 4), 4)
    return texte.rstrip("0").rstrip(",")


def euros(valeur):
    """Write euros to the cent; a value that rounds to zero never bears a minus sign."""
    return nombre(round(valeur, 2) + 0.0, 2) + INSECABLE + "€"


def pourcentage(valeur):
    """Write a fraction as a percentage, with the decimals it takes not to read as a whole one that it is not.

    Two decimals, rounded; up to eight beside a whole percentage, as every legal rate is: 79,996 % never reads 80 %.
    """
    for decimales in range(2, 9):
        arrondi = round(100.0 * valeur, decimales)
        if not arrondi.is_integer() or abs(arrondi - 100 * valeur) <= POUSSIERE:
            break
    return nombre(arrondi + 0.0, decimales).rstrip("0").rstrip(",") + INSECABLE + "%"


def jour(valeur):
    """Write a date in full: ``1er mars 2020``."""
    numero = "1er" if valeur.day == 1 else str(valeur.day)
    return f"{numero} {MOIS[valeur.month - 1]} {valeur.year}"


def mois(periode):
    """Write a month given as ``2021-03``: ``mars 2021``."""
    annee, numero = periode.split("-")[:2]
    return f"{MOIS[int(numero) - 1]} {annee}"


def valeur(brute, unite=None):
    """Write any value according to its unit (that of the variable or of the parameter).

    Args:
        brute: bool, number, date, ISO date, text, list of codes or None.
        unite: ``currency-EUR``, ``/1``, ``jour``, ``salarié``, ``m²``, ``currency`` or None.

    Returns:
        French text.
    """
    if brute is None:
        return "sans valeur"
    if isinstance(brute, bool):
        return "oui" if brute else "non"
    if isinstance(brute, date):
        return jour(brute) if brute != DATE_PAR_DEFAUT else "non renseignée (entreprise ancienne)"
    if isinstance(brute, list):
        return ", ".join(str(element) for element in brute[:6]) + (", …" if len(brute) > 6 else "")
    if isinstance(brute, str):
        try:
            return valeur(date.fromisoformat(brute)) if len(brute) == 10 else brute
        except ValueError:
            return brute
    if unite and unite.startswith("currency"):
        return euros(brute)
    if unite == "/1":
        return pourcentage(brute)
    texte = nombre(brute, 0 if float(brute).is_integer() else 2)
    if unite not in UNITES:
        return texte
    pluriel = "s" if unite.isalpha() and abs(brute) >= 2 else ""
    return f"{texte}{INSECABLE}{unite}{pluriel}"


def duree(texte):
    """Write months given as ``2019-01/2019-12``: « de janvier 2019 à décembre 2019 »; a single one alone."""
    debut, fin = map(mois, texte.split("/"))
    return de(debut) if debut == fin else f"{de(debut)} à {fin}"


def periode(texte):
    """Write a period: a month in full, anything else as it is."""
    return mois(texte) if len(texte) == 7 else texte


@lru_cache(maxsize=4096)  # the labels of a month are read again and again
def du_mois(texte, periode):
    """Keep of a label, or of a reference, what the text says in a month.

    Args:
        texte: label whose parts may be dated: « A, et B (depuis février 2021), sauf C (en mars 2021) ».
        periode: month, ``2021-03``.

    Returns:
        The parts in force, without their dates; an empty text if there is none.
    """

    def part(trouvee):
        debut = f"{trouvee[4]}-{MOIS.index(trouvee[3]) + 1:02d}"
        return trouvee[1] if VAUT[trouvee[2]](periode, debut) else ""

    return PARTIE_DATEE.sub(part, texte)


@lru_cache(maxsize=4096)
def en_vigueur(reference, periode):
    """Give a reference without its date, or an empty text when the month does not have it."""
    sans_date = PARTIE_DATEE.sub(r"\1", reference)
    return sans_date if du_mois(reference, periode) == sans_date else ""


def minuscule(texte):
    """Lower the first letter of a label put inside a sentence, save for a name or an acronym."""
    return texte[:1].lower() + texte[1:] if texte[1:2].islower() or texte[1:2] in ("'", " ") else texte


def de(texte):
    """Put « de » before a name, elided before a vowel: « d'avril 2021 »."""
    return f"d'{texte}" if texte[:1].lower() in "aeéioôuy" else f"de {texte}"


def court(texte):
    """Drop the bracket that ends a label, when the label is used inside a sentence."""
    return PARENTHESE_FINALE.sub("", texte)


def typographie(texte):
    """Put the no-break spaces of French: before « : ; ? ! % € », inside guillemets, in a citation."""
    texte = re.sub(r"\bautre que (?=[aeéioôuy])", "autre qu'", texte)
    texte = re.sub(r" (?=[:;?!»%€])", INSECABLE, texte).replace("« ", "«" + INSECABLE)
    texte = re.sub(r"(?<=\d) (?=\d{3}\b)", FINE, texte)
    texte = re.sub(rf"(?<=\d) (?={NOMS_DES_MOIS})|(?<=1er) (?={NOMS_DES_MOIS})", INSECABLE, texte)
    texte = DANS_UNE_CITATION.sub(INSECABLE, texte)
    return re.sub(r"(?<=art\.) (?=\d)|(?<=n°) (?=\d)", INSECABLE, texte)
