"""Exact sums: the same to the last cent whatever the blocks, their order and the number of processes.

Floating-point addition depends on its order. So each weighted amount is cut once, by itself, into whole euros and
2⁻⁴⁴ of a euro; both are added as integers, which is exact and commutes, in int64 within a block and in Python
integers between blocks. What the cut drops is below 6·10⁻¹⁴ € per row: less than a cent on 10¹¹ rows.
"""

import re
from dataclasses import dataclass
from fractions import Fraction

import numpy
import polars as pl
from openfisca_core.indexed_enums import Enum
from openfisca_core.periods import DateUnit

from . import model, taxonomies
from .errors import ErreurUtilisateur, nombre_fr

UNITE = 1 << 44  # fixed-point unit; 2¹⁸ rows may be added in an int64
LIGNES_MAXIMUM = 1 << 18
_MAXIMUM = float(1 << 43)

MESURES = ("entreprises_eligibles", "entreprises_aidees", "montant_total")
VARIABLES_DGFIP = ("departement", "code_naf")
MOIS_DES_EFFECTIFS = "2020-03"  # month of the size class of the DGFiP tables


def sommes_exactes(valeurs: numpy.ndarray, cases: numpy.ndarray, nombre: int) -> list[int]:
    """Exact sum of the values of each cell, in 2⁻⁴⁴.

    Args:
        valeurs: float64 array of shape (n,).
        cases: int array of shape (n,), cell of each value, below ``nombre``; None when there is one cell.
        nombre: number of cells.

    Raises:
        ErreurUtilisateur: a value too large to be summed exactly.
    """
    if len(valeurs) and not numpy.abs(valeurs).max() < _MAXIMUM:
        raise ErreurUtilisateur(
            "Montant pondéré hors de portée (plus de 8 000 milliards d'euros) : vérifier les poids."
        )
    if len(valeurs) > LIGNES_MAXIMUM:  # one huge group makes one huge block
        parts = [(slice(i, i + LIGNES_MAXIMUM)) for i in range(0, len(valeurs), LIGNES_MAXIMUM)]
        sommes = [sommes_exactes(valeurs[p], None if cases is None else cases[p], nombre) for p in parts]
        return [sum(case) for case in zip(*sommes, strict=True)]
    entiers = numpy.floor(valeurs)
    restes = numpy.rint((valeurs - entiers) * UNITE)
    if nombre == 1:
        return [int(entiers.astype(numpy.int64).sum()) * UNITE + int(restes.astype(numpy.int64).sum())]
    totaux = numpy.zeros((2, nombre), dtype=numpy.int64)
    numpy.add.at(totaux[0], cases, entiers.astype(numpy.int64))
    numpy.add.at(totaux[1], cases, restes.astype(numpy.int64))
    return [haut * UNITE + bas for haut, bas in zip(*totaux.tolist(), strict=True)]


@dataclass(frozen=True)
class Dimension:
    """A dimension of the aggregates: a variable, or what is derived from one.

    Attributes:
        nom: name of the column.
        variable: variable read.
        mensuelle: whether it changes with the month.
        bornes: bounds of the bins of a number, () otherwise.
        libelles: label of each code of the variable, for a derived dimension; () otherwise.
    """

    nom: str
    variable: str
    mensuelle: bool
    bornes: tuple[float, ...] = ()
    libelles: tuple[str, ...] = ()

    @classmethod
    def lire(cls, texte: str, tbs) -> "Dimension":
        """Read « departement », « section », « region », or « chiffre_affaires@10000/50000 ».

        Raises:
            ErreurUtilisateur: unknown variable, bounds missing or badly written.
        """
        nom, _, bornes = texte.partition("@")
        variable = {"section": "code_naf", "region": "departement"}.get(nom, nom)
        declaree = tbs.variables.get(variable)
        if declaree is None:
            voisins = model.proches(nom, [*tbs.variables, "section", "region"])
            conseil = voisins or " ; attendu : section, region, ou une variable comme departement"
            raise ErreurUtilisateur(f"Dimension « {nom} » inconnue{conseil}.")
        mensuelle = declaree.definition_period == DateUnit.MONTH
        if nom != variable:
            codes = [str(code) for code in declaree.possible_values.names]
            derive = taxonomies.section if nom == "section" else taxonomies.region
            return cls(nom, variable, mensuelle, (), tuple(derive(code) for code in codes))
        if not bornes:
            if declaree.value_type is float:
                raise ErreurUtilisateur(f"Dimension « {nom} » : donner des bornes, par exemple {nom}@1000/10000.")
            return cls(nom, variable, mensuelle)
        if not re.fullmatch(r"-?\d+(\.\d+)?(/-?\d+(\.\d+)?)*", bornes) or declaree.value_type not in (int, float):
            raise ErreurUtilisateur(f"Dimension « {texte} » : attendu variable@borne/borne, pour un nombre.")
        return cls(nom, variable, mensuelle, tuple(sorted(float(borne) for borne in bornes.split("/"))))

    def coder(self, valeurs, variable) -> tuple[numpy.ndarray, list[str]]:
        """Code of each row and label of each code."""
        if self.libelles:
            return _unifier(numpy.asarray(valeurs), self.libelles)
        if self.bornes:
            ecrites = [nombre_fr(b, 0 if b == int(b) else 2) for b in self.bornes]
            libelles = [f"moins de {ecrites[0]}"]
            libelles += [f"de {bas} à moins de {haut}" for bas, haut in zip(ecrites, ecrites[1:], strict=False)]
            libelles.append(f"{ecrites[-1]} et plus")
            return numpy.searchsorted(self.bornes, valeurs, side="right"), libelles
        if variable.value_type is Enum:
            return numpy.asarray(valeurs), [str(nom) for nom in variable.possible_values.names]
        if variable.value_type is bool:
            return valeurs.astype(int), ["non", "oui"]
        uniques, codes = numpy.unique(valeurs, return_inverse=True)
        return codes, [str(valeur) for valeur in uniques.tolist()]


def _unifier(rangs: numpy.ndarray, libelles: tuple[str, ...]) -> tuple[numpy.ndarray, list[str]]:
    """Codes of labels that several ranks share."""
    uniques = sorted(set(libelles))
    table = numpy.array([uniques.index(libelle) for libelle in libelles])
    return table[rangs], uniques


class Agregateur:
    """Sums of a block, by month, article and dimensions.

    Args:
        plan: aids and dimensions.
        simulation: simulation of the block.
        poids: float64 array of shape (n,), or None: 1 each.
    """

    def __init__(self, plan, simulation, poids: numpy.ndarray | None) -> None:
        self._plan, self._simulation = plan, simulation
        self._n = len(simulation.persons.ids)
        self._poids = poids
        self.cases: dict[tuple, list[int]] = {}
        self.dgfip: dict[tuple, list[int]] = {}
        self._paiements = numpy.zeros((2, self._n)) if plan.demande.dgfip else None
        self._eternels = [None if d.mensuelle else self._coder(d, None) for d in plan.dimensions]

    def mois(self, mois: str, periode) -> None:
        """Add the monthly aids of a month."""
        cases, libelles = self._croiser(periode)
        for aide in self._plan.aides:
            if aide.mensuelle and self._peut_etre_due(aide, periode):
                self._ajouter(mois, aide, periode, cases, libelles)
        if self._paiements is not None:
            montant = self._simulation.calculate(model.TOTAUX[0], periode)
            self._paiements += (montant > 0, montant)

    def eternites(self, periode) -> None:
        """Add the aids that are due once, and the DGFiP cells; to be called after the months."""
        uniques = [aide for aide in self._plan.aides if not aide.mensuelle]
        if uniques:
            cases, libelles = self._croiser(periode)
            for aide in uniques:
                self._ajouter("", aide, periode, cases, libelles)
        if self._paiements is not None:
            self._croiser_dgfip(periode)
        self._simulation = self._paiements = self._eternels = None

    def _peut_etre_due(self, aide, periode) -> bool:
        """Tell whether an aid has a formula in a month, or was given in the file; otherwise it is null for all."""
        noms = [nom for nom in (aide.montant, aide.eligible) if nom]
        donnees = self._simulation.donnees
        return any(self._plan.ouverte(nom, periode) or (nom, str(periode)) in donnees for nom in noms)

    def _coder(self, dimension: Dimension, periode):
        variable = self._plan.tbs.variables[dimension.variable]
        valeurs = self._simulation.calculate(variable.name, periode or self._plan.demande.mois[0])
        if not variable.entity.is_person:
            valeurs = valeurs[self._simulation.populations[variable.entity.key].members_entity_id]
        return dimension.coder(valeurs, variable)

    def _croiser(self, periode) -> tuple[numpy.ndarray | None, list[tuple[str, ...]]]:
        """Cell of each row, and labels of each cell."""
        croises, codages = None, []
        for dimension, eternel in zip(self._plan.dimensions, self._eternels, strict=True):
            codes, libelles = eternel or self._coder(dimension, periode)
            codages.append(libelles)
            croises = codes if croises is None else croises.astype(numpy.int64) * len(libelles) + codes
        if croises is None:
            return None, [()]
        uniques, cases = numpy.unique(croises, return_inverse=True)
        noms = []
        for code in uniques.tolist():
            nom = []
            for libelles in reversed(codages):
                code, rang = divmod(code, len(libelles))
                nom.append(libelles[rang])
            noms.append(tuple(reversed(nom)))
        return cases, noms

    def _ajouter(self, mois: str, aide, periode, cases, libelles) -> None:
        montant = self._simulation.calculate(aide.montant, periode)
        aidees = montant > 0
        eligibles = self._simulation.calculate(aide.eligible, periode) if aide.eligible else aidees
        sommes = [self._effectifs(eligibles, cases, len(libelles)), self._effectifs(aidees, cases, len(libelles))]
        rangs = numpy.flatnonzero(montant != 0)  # five times faster on booleans than on floats
        montant = montant[rangs] if self._poids is None else montant[rangs] * self._poids[rangs]
        sommes.append(sommes_exactes(montant, None if cases is None else cases[rangs], len(libelles)))
        for nom, *mesures in zip(libelles, *sommes, strict=True):
            if any(mesures):
                ajouter(self.cases, (mois, aide.article, *nom), mesures)

    def _effectifs(self, vrais: numpy.ndarray, cases, nombre: int) -> list[int]:
        if self._poids is not None:
            rangs = numpy.flatnonzero(vrais)
            return sommes_exactes(self._poids[rangs], None if cases is None else cases[rangs], nombre)
        if cases is None:
            return [int(numpy.count_nonzero(vrais)) * UNITE]
        return [compte * UNITE for compte in numpy.bincount(cases[vrais], minlength=nombre).tolist()]

    def _croiser_dgfip(self, periode) -> None:
        """Aids, enterprises aided at least once and euros by département and section, by département and size."""
        tbs = self._plan.tbs
        nombres, montants = self._paiements
        rangs = numpy.flatnonzero(nombres)
        poids = numpy.ones(len(rangs)) if self._poids is None else self._poids[rangs]
        codes, departements = self._coder(Dimension.lire("departement", tbs), periode)
        sections = self._coder(Dimension.lire("section", tbs), periode)
        effectifs = self._simulation.calculate("effectif_salarie", MOIS_DES_EFFECTIFS)
        classes = numpy.searchsorted(taxonomies.BORNES_EFFECTIF, effectifs, side="right"), taxonomies.CLASSES_EFFECTIF
        for axe, (autres, libelles) in (("section", sections), ("classe_effectif", classes)):
            croises = codes[rangs].astype(numpy.int64) * len(libelles) + autres[rangs]
            uniques, cases = numpy.unique(croises, return_inverse=True)
            sommes = [
                sommes_exactes(valeurs * poids, cases, len(uniques))
                for valeurs in (nombres[rangs], numpy.ones(len(rangs)), montants[rangs])
            ]
            if len(uniques) == 0:
                continue
            lignes = numpy.bincount(cases, minlength=len(uniques)).tolist()
            for code, *mesures in zip(uniques.tolist(), *sommes, lignes, strict=True):
                departement, autre = divmod(code, len(libelles))
                ajouter(self.dgfip, (axe, departements[departement], libelles[autre]), mesures)


def ajouter(cases: dict[tuple, list[int]], cle: tuple, mesures: list[int]) -> None:
    """Add exact measures to a cell."""
    presentes = cases.setdefault(cle, [0] * len(mesures))
    for rang, mesure in enumerate(mesures):
        presentes[rang] += mesure


def table(cases: dict[tuple, list[int]], aides: list, dimensions: list[str]) -> pl.DataFrame:
    """Lay aggregates in the order of months and articles.

    Args:
        cases: exact sums, in 2⁻⁴⁴.
        aides: aids, in the order of the tables.
        dimensions: names of the dimensions.

    Returns:
        Columns mois (empty for an aid due once), article, dimensions, then enterprises eligible and aided
        (weighted) and total amount in euros, rounded to the cent.
    """
    rangs = {aide.article: rang for rang, aide in enumerate(aides)}
    # aids due once come after the months: "~" sorts after digits
    cles = sorted(cases, key=lambda cle: (cle[0] or "~", rangs[cle[1]], cle[2:]))
    colonnes = {nom: [cle[i] for cle in cles] for i, nom in enumerate(("mois", "article", *dimensions))}
    for i, mesure in enumerate(MESURES):
        decimales = 2 if mesure == "montant_total" else 6
        colonnes[mesure] = [arrondi(cases[cle][i], decimales) for cle in cles]
    types = {nom: pl.Float64 if nom in MESURES else pl.String for nom in colonnes}
    return pl.DataFrame(colonnes, schema=types)


def arrondi(somme: int, decimales: int) -> float:
    """Exact sum rounded, half to even, then written as the nearest float64."""
    return float(round(Fraction(somme, UNITE), decimales))


def en_csv(agregats: pl.DataFrame, chemin) -> None:
    """Write aggregates: amounts with two decimals, counts without needless ones."""

    def compte(valeur: float) -> str:
        return f"{valeur:.6f}".rstrip("0").rstrip(".")

    agregats.with_columns(
        pl.col("montant_total").map_elements("{:.2f}".format, return_dtype=pl.String),
        *(pl.col(mesure).map_elements(compte, return_dtype=pl.String) for mesure in MESURES[:2]),
    ).write_csv(chemin)
