"""French typography of the report: numbers, months."""

from openfisca_fds_tools.population.errors import nombre_fr

FINE = "\u202f"  # narrow no-break space
_MOIS = ["janv.", "févr.", "mars", "avril", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc."]
_MOIS_LONGS = ["janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre"]
_MOIS_LONGS += ["novembre", "décembre"]
RIEN = "–"
_INSECABLES = (
    (" :", "\u00a0:"),
    (" ;", FINE + ";"),
    (" ?", FINE + "?"),
    ("« ", "«\u00a0"),
    (" »", "\u00a0»"),
    (" %", FINE + "%"),
    (" €", FINE + "€"),
)


def insecables(prose):
    """Put the no-break spaces of French typography in the texts of a structure of lists and mappings."""
    if isinstance(prose, dict):
        return {cle: insecables(valeur) for cle, valeur in prose.items()}
    if isinstance(prose, list):
        return [insecables(valeur) for valeur in prose]
    if isinstance(prose, str):
        for ordinaire, insecable in _INSECABLES:
            prose = prose.replace(ordinaire, insecable)
    return prose


def mois_court(mois: str, dernier: str | None = None) -> str:
    """Write « mars 20 », or « oct.–févr. 22 » for several months."""
    if dernier and dernier != mois:
        return f"{_MOIS[int(mois[5:7]) - 1]}–{mois_court(dernier)}"
    return f"{_MOIS[int(mois[5:7]) - 1]} {mois[2:4]}"


def mois_long(mois: str, dernier: str | None = None) -> str:
    """Write « mars 2020 », or « octobre 2021 à février 2022 » for several months."""
    if dernier and dernier != mois:
        return f"{mois_long(mois)} à {mois_long(dernier)}"
    return f"{_MOIS_LONGS[int(mois[5:7]) - 1]} {mois[:4]}"


def nombre(valeur: float | None, decimales: int = 0) -> str:
    """Write a number, or a dash when there is none."""
    return RIEN if valeur is None else nombre_fr(valeur, decimales)


def milliards(euros: float | None, decimales: int = 2) -> str:
    """Write euros in billions: « 35,13 Md€ »."""
    return RIEN if euros is None else f"{nombre_fr(euros / 1e9, decimales)}{FINE}Md€"


def millions(euros: float | None, decimales: int = 0) -> str:
    """Write euros in millions, without the unit."""
    return RIEN if euros is None else nombre_fr(euros / 1e6, decimales)


def pourcent(part: float | None, decimales: int = 0) -> str:
    """Write a share from 0 to 1 in percent."""
    return RIEN if part is None else f"{nombre_fr(100 * part, decimales)}{FINE}%"


def rapport(numerateur: float | None, denominateur: float | None) -> str:
    """Write a ratio with two decimals, or a dash when it has no meaning."""
    return RIEN if numerateur is None or not denominateur else nombre_fr(numerateur / denominateur, 2)
