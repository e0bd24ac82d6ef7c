"""Columns of a population file: what they may be called, what they may hold, how a cell becomes a value.

The schema is generated from the tax-benefit system, so that a variable added by the law or by a reform is
at once a column that files may carry.
"""

import math
import re
from dataclasses import dataclass
from functools import cached_property

import numpy
import polars as pl
from openfisca_core.indexed_enums import Enum
from openfisca_core.periods import DateUnit

from openfisca_fds_tools.situation import SIGNES, bornes_de, suggestion

from . import model
from .errors import Constats, Probleme

SERVICE = ("id", "groupe", "poids")  # columns that are no variable of the model
PREFIXE_GROUPE = "groupe."

DATES = (numpy.datetime64("1600-01-01"), numpy.datetime64("2100-01-01"))
ENTIER_MAXIMUM = 2**31 - 1
POIDS_MAXIMUM = 1e6  # keeps exact sums within their range, see aggregates.py
MONTANT_MAXIMUM = 1e12  # euros; ten thousand times the largest French turnover of a month

_VRAI, _FAUX = ("true", "vrai", "oui", "1"), ("false", "faux", "non", "0")
_TEXTES = (pl.String, pl.Categorical, pl.Enum)


@dataclass(frozen=True)
class Colonne:
    """A column of variable.

    Attributes:
        nom: its name in the file.
        variable: variable of the system.
        mois: « AAAA-MM », or None for an ETERNITY variable.
    """

    nom: str
    variable: object
    mois: str | None

    @property
    def de_groupe(self) -> bool:
        """Whether the variable belongs to the group."""
        return not self.variable.entity.is_person

    @property
    def cle(self) -> tuple[str, str | None]:
        """(variable, month or None), the key of the engine."""
        return self.variable.name, self.mois

    @property
    def type(self):
        """Python type of the values; Enum for codes."""
        return self.variable.value_type

    @cached_property
    def bornes(self) -> tuple[float, float]:
        """Least and greatest accepted numbers: those of a situation, within what the engine holds."""
        grand = ENTIER_MAXIMUM if self.type is int else MONTANT_MAXIMUM
        bas, haut = bornes_de(self.variable, self.mois)
        permis = -grand if self.variable.name in SIGNES else 0
        return max(bas, permis), min(haut, 1 if self.variable.unit == "/1" else grand)

    @cached_property
    def attendu(self) -> str:
        """What a cell must hold, in French."""
        if self.type is bool:
            return "true ou false"
        if self.type is Enum:
            codes = self.codes[0]
            exemples = ", ".join(codes[:6])
            return f"un code connu : {exemples}{'…' if len(codes) > 6 else ''}"
        if self.type in (int, float):
            bas, haut = self.bornes
            genre = "un nombre entier" if self.type is int else "un nombre"
            if haut >= ENTIER_MAXIMUM:
                return f"{genre} positif ou nul" if bas == 0 else genre
            return f"{genre} de {bas} à {haut}"
        if self.type is str:
            return "un texte"
        return "une date AAAA-MM-JJ existante"

    def attendu_pres_de(self, valeur) -> str:
        """Say in French what a cell must hold, with the codes nearest to what it holds, or the limit that it passes."""
        if isinstance(valeur, (int, float)) and MONTANT_MAXIMUM in self.bornes and MONTANT_MAXIMUM < valeur < math.inf:
            return f"{self.attendu}, d'au plus mille milliards"
        cherchee = self.type is Enum and len(str(valeur)) > 1  # one character is near to any code that holds it
        voisins = suggestion(valeur, self.variable.possible_values.names) if cherchee else ""
        return f"un code connu, peut-être {voisins}" if voisins else self.attendu

    @cached_property
    def codes(self) -> tuple[list[str], numpy.ndarray]:
        """Accepted spellings of a code, and the Enum index of each.

        A NAF code may be written without its dot, a département without its leading zero: what is read is
        always the code that is written, never a rank.
        """
        noms = [str(nom) for nom in self.variable.possible_values.names]
        graphies = {nom: rang for rang, nom in enumerate(noms)}
        for rang, nom in enumerate(noms):
            if self.variable.name == "code_naf":
                graphies.setdefault(nom.replace(".", ""), rang)
            elif self.variable.name == "departement":
                graphies.setdefault(nom.lstrip("0"), rang)
        return list(graphies), numpy.fromiter(graphies.values(), dtype=numpy.int16)


class Schema:
    """Columns that a population file may carry for a tax-benefit system."""

    def __init__(self, tbs) -> None:
        self.variables = tbs.variables

    def colonnes(self, types: dict[str, pl.DataType], fichier: str) -> tuple[dict[str, Colonne], Constats]:
        """Recognise the columns of a file.

        Args:
            types: name and Polars type of each column.
            fichier: name of the file, for messages.

        Returns:
            Columns of variables by name, and the problems found.
        """
        colonnes, constats = {}, Constats()
        for nom, type_ in types.items():
            if nom in SERVICE:
                attendu = _type_de_service(nom, type_)
            else:
                attendu, colonne = self._reconnaitre(nom)
                if colonne is not None:
                    colonnes[nom] = colonne
                    attendu = None if _convertible(colonne, type_) else f"type {type_} ; attendu : {colonne.attendu}"
            if attendu is not None:
                constats.ajouter(Probleme(fichier, None, nom, None, attendu))
        return colonnes, constats

    def _reconnaitre(self, nom: str) -> tuple[str | None, Colonne | None]:
        """Problem (or None) and column of a name."""
        base, deux_points, mois = nom.partition(":")
        sans_prefixe = base.removeprefix(PREFIXE_GROUPE)
        variable = self.variables.get(sans_prefixe)
        if variable is None:
            return f"variable inconnue{model.proches(sans_prefixe, [*self.variables, *SERVICE])}", None
        if variable.entity.is_person == base.startswith(PREFIXE_GROUPE):
            voulu = sans_prefixe if variable.entity.is_person else PREFIXE_GROUPE + sans_prefixe
            return f"attendu : « {voulu}{deux_points}{mois} »", None
        if variable.definition_period == DateUnit.ETERNITY:
            return (
                (f"attendu : « {base} » sans mois (variable constante)", None)
                if mois or deux_points
                else (
                    None,
                    Colonne(nom, variable, None),
                )
            )
        if not re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])", mois):
            return f"attendu : « {base}:AAAA-MM » (variable mensuelle)", None
        calculee = sans_prefixe.startswith(("fds_", "fonds_de_solidarite"))
        premier = model.PREMIER_MOIS if calculee else model.PREMIER_MOIS_DES_DONNEES
        if not premier <= mois <= model.DERNIER_MOIS:
            return f"mois {mois} hors du modèle ; attendu : de {premier} à {model.DERNIER_MOIS}", None
        return None, Colonne(nom, variable, mois)


def _type_de_service(nom: str, type_: pl.DataType) -> str | None:
    if nom == "poids":
        correct = type_.is_numeric() or type_ in (pl.String, pl.Null)
        return None if correct else f"type {type_} ; attendu : un nombre positif ou nul"
    correct = type_.is_integer() or type_ in _TEXTES or type_ == pl.Null
    return None if correct else f"type {type_} ; attendu : un texte ou un entier"


def _convertible(colonne: Colonne, type_: pl.DataType) -> bool:
    """Whether the cells of a column of this type can be read one by one."""
    if type_ in _TEXTES or type_ == pl.Null:
        return True
    if colonne.type in (int, float):
        return type_.is_numeric()
    if colonne.type is bool:
        return type_ == pl.Boolean or type_.is_numeric()
    if colonne.type is Enum:
        return type_.is_integer()
    if colonne.type is str:
        return False
    return type_ == pl.Date or type_ == pl.Datetime


@dataclass(frozen=True)
class Lecture:
    """Values of a column.

    Attributes:
        valeurs: array of shape (n,) in the type of the model; a placeholder where there is none.
        connues: boolean array of shape (n,), or None when every cell holds a value.
        refusees: boolean array of shape (n,), or None when no cell is refused.
        nan: number of NaN, read as empty cells.
    """

    valeurs: numpy.ndarray
    connues: numpy.ndarray | None
    refusees: numpy.ndarray | None
    nan: int = 0


def lire(colonne: Colonne, serie: pl.Series) -> Lecture:
    """Read the cells of a column; no copy when they already have the type of the model.

    Args:
        colonne: column of a variable.
        serie: cells, of one of the types that the schema accepts.
    """
    tableau = _sans_detour(colonne, serie)
    if tableau is not None:
        return Lecture(tableau, None, None)
    vides, serie = _cellules(serie)
    lecteurs = {float: _nombres, int: _entiers, bool: _booleens, Enum: _codes, str: _textes}
    valeurs, nan = lecteurs.get(colonne.type, _dates)(colonne, serie)
    if nan is not None:
        vides = nan if vides is None else vides | nan
    nuls = valeurs.is_null()
    refusees = None
    if valeurs.null_count():
        refusees = (nuls if vides is None else nuls & ~vides).to_numpy()
        if not refusees.any():
            refusees = None
        nuls = nuls.to_numpy()
    else:
        nuls = None
    defaut = colonne.variable.default_value
    return Lecture(
        _tableau(colonne, valeurs, defaut),
        None if nuls is None else ~nuls,
        refusees,
        0 if nan is None else int(nan.sum()),
    )


def _sans_detour(colonne: Colonne, serie: pl.Series) -> numpy.ndarray | None:
    """Array of a column already in the type of the model and without fault; None for any other.

    It is the common case of a clean file, hence done in NumPy, at the cost of one least and one greatest value.
    """
    if serie.null_count() or not len(serie):
        return None
    if colonne.type is bool and serie.dtype == pl.Boolean:
        return serie.to_numpy()
    if (colonne.type is float and serie.dtype == pl.Float64) or (colonne.type is int and serie.dtype.is_integer()):
        tableau = serie.to_numpy()
        bas, haut = colonne.bornes
        if tableau.min() >= bas and tableau.max() <= haut:  # false when there is a NaN
            return tableau.astype(colonne.variable.dtype, copy=False)
    return None


def lire_poids(serie: pl.Series) -> Lecture:
    """Read the weights: positive or null numbers, 1 where empty."""
    vides, serie = _cellules(serie)
    valeurs = serie.cast(pl.Float64, strict=False)
    nan = valeurs.is_nan().fill_null(False)
    valeurs = _borner(valeurs.fill_nan(None), 0, POIDS_MAXIMUM)
    manquantes = valeurs.is_null()
    connues = nan if vides is None else vides | nan
    refusees = (manquantes & ~connues).to_numpy()
    return Lecture(valeurs.fill_null(1.0).to_numpy(), None, refusees if refusees.any() else None, int(nan.sum()))


def _cellules(serie: pl.Series) -> tuple[pl.Series | None, pl.Series]:
    """Empty cells (None when there is none) and the series, its texts stripped."""
    if serie.dtype in _TEXTES:
        serie = serie.cast(pl.String).str.strip_chars()
        serie = serie.set(serie == "", None)
    return (serie.is_null() if serie.null_count() else None), serie


def _borner(serie: pl.Series, bas: float, haut: float) -> pl.Series:
    """Empty what lies outside two bounds; the common case, nothing, reads the series once."""
    if serie.null_count() == len(serie) or (serie.min() >= bas and serie.max() <= haut):
        return serie
    return serie.set(~serie.is_between(bas, haut), None)


def _nombres(colonne: Colonne, serie: pl.Series) -> tuple[pl.Series, pl.Series | None]:
    valeurs = serie.cast(pl.Float64, strict=False)
    nan = None
    if (serie.dtype.is_float() or serie.dtype == pl.String) and valeurs.is_nan().any():
        nan = valeurs.is_nan().fill_null(False)
        valeurs = valeurs.fill_nan(None)
    return _borner(valeurs, *colonne.bornes), nan


def _entiers(colonne: Colonne, serie: pl.Series) -> tuple[pl.Series, pl.Series | None]:
    nan = None
    if not serie.dtype.is_integer():
        serie = serie.cast(pl.Float64, strict=False)
        if serie.is_nan().any():
            nan = serie.is_nan().fill_null(False)
            serie = serie.fill_nan(None)
        serie = serie.set((serie != serie.floor()).fill_null(False), None)
    return _borner(serie, *colonne.bornes).cast(pl.Int32, strict=False), nan


def _booleens(colonne: Colonne, serie: pl.Series) -> tuple[pl.Series, pl.Series | None]:
    if serie.dtype == pl.Boolean:
        return serie, None
    if serie.dtype == pl.String:
        textes = serie.str.to_lowercase()
        return pl.select(
            pl.when(textes.is_in(_VRAI)).then(True).when(textes.is_in(_FAUX)).then(False).otherwise(None)
        ).to_series(), None
    nombres = serie.cast(pl.Float64)  # Polars compares no other type of number with all the others
    nan = nombres.is_nan().fill_null(False) if nombres.is_nan().any() else None
    return nombres.set(~nombres.is_in([0.0, 1.0]), None).cast(pl.Boolean), nan


def _codes(colonne: Colonne, serie: pl.Series) -> tuple[pl.Series, pl.Series | None]:
    graphies, rangs = colonne.codes
    lus = serie.cast(pl.String).cast(pl.Enum(graphies), strict=False).to_physical()
    return pl.Series(rangs).gather(lus), None


def _textes(colonne: Colonne, serie: pl.Series) -> tuple[pl.Series, pl.Series | None]:
    return serie, None


def _dates(colonne: Colonne, serie: pl.Series) -> tuple[pl.Series, pl.Series | None]:
    if serie.dtype == pl.String:
        serie = serie.set(~serie.str.contains(r"^\d{4}-\d{2}-\d{2}$"), None).str.to_date("%Y-%m-%d", strict=False)
    serie = serie.cast(pl.Date, strict=False)
    return _borner(serie, *(borne.item() for borne in DATES)), None


def _tableau(colonne: Colonne, valeurs: pl.Series, defaut) -> numpy.ndarray:
    """Array in the type of the model, the default of the variable where there is no value."""
    if colonne.type is Enum:
        defaut = defaut.index
    if valeurs.null_count():
        valeurs = valeurs.fill_null(defaut)
    tableau = valeurs.to_numpy()
    if colonne.type is str:
        return tableau.astype(object)
    return tableau.astype(colonne.variable.dtype, copy=False)
