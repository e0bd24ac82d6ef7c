"""Sweep a numeric parameter over a range, and find the value that meets a budget.

The search brackets: each step evaluates the cost at one value, inside an interval whose ends give costs on both sides
of the budget. It only makes sense when the cost moves one way, which the sweep checks first.
"""

import re
from dataclasses import dataclass

import numpy
import polars as pl
from rich.table import Table

from openfisca_fds_tools.population import ErreurUtilisateur
from openfisca_fds_tools.population.errors import nombre_fr

from . import classes
from .comparaison import comparer
from .parametres import feuilles, loi
from .reforme import RACINE, Lecteur
from .rendu import court, signe
from .valeurs import ENTIERS

POINTS = 9
ETAPES_MAXIMUM = 30
PRECISION = 1e-4  # of the range, or one unit for a whole number
UNITES = {"currency-EUR": "euros", "/1": ""}  # the other units are already French words
VALEURS = re.compile(r"(-?\d+(?:\.\d+)?):(-?\d+(?:\.\d+)?)(?::(\d+))?")


@dataclass(frozen=True)
class Cible:
    """A parameter and the months for which its value is tried."""

    chemin: str
    debut: str
    fin: str | None = None

    @property
    def _parametre(self):
        connus = feuilles(loi().parameters)
        return connus.get(self.chemin) or connus.get(f"{RACINE}.{self.chemin}")

    @property
    def entiere(self) -> bool:
        """Whether the parameter only takes whole numbers."""
        return self._parametre is not None and self._parametre.metadata.get("unit") in ENTIERS

    @property
    def libelle(self) -> str:
        """Name of the parameter for the reader of a chart, its unit last when it has a name."""
        unite = UNITES.get(self._parametre.metadata.get("unit"), self._parametre.metadata.get("unit"))
        return f"{self._parametre.description}{f' ({unite})' if unite else ''}"

    def reforme(self, valeur: float):
        """Reform class that gives the parameter a value."""
        valeur = round(valeur) if self.entiere else round(float(valeur), 6)
        parametre = {"chemin": self.chemin, "debut": self.debut, "valeur": valeur}
        if self.fin:
            parametre["fin"] = self.fin
        contenu = {"nom": f"{valeur}", "description": f"{self.chemin} à {valeur}", "parametres": [parametre]}
        return classes.classe(Lecteur("--parameter").lire(contenu))


@dataclass(frozen=True)
class Trouvee:
    """What a search found: the value, its difference of cost (euros), and the sentence (French) that says it."""

    valeur: float
    ecart: float
    phrase: str


def lire_valeurs(texte: str) -> tuple[float, float, int]:
    """Read « 0.4:0.8 » or « 0.4:0.8:5 » (number of points).

    Raises:
        ErreurUtilisateur: badly written, or an empty range.
    """
    trouve = VALEURS.fullmatch(texte.strip())
    if not trouve or float(trouve[1]) >= float(trouve[2]) or int(trouve[3] or POINTS) < 2:
        raise ErreurUtilisateur(f"Valeurs « {texte} » : attendu BAS:HAUT ou BAS:HAUT:NOMBRE, comme 0.4:0.8:5.")
    return float(trouve[1]), float(trouve[2]), int(trouve[3] or POINTS)


def balayer(population, cible: Cible, bas: float, haut: float, nombre: int = POINTS, months=None, **options):
    """Cost of a parameter over a range.

    Returns:
        Table valeur, cout, ecart (euros), in the order of the values; every value in one pass over the population.
    """
    valeurs = numpy.linspace(bas, haut, nombre)
    reformes = list(dict.fromkeys(cible.reforme(valeur) for valeur in valeurs))
    totaux = comparer(population, reformes, months, **options).totaux()
    lignes = [(float(nom), apres, ecart) for nom, (_, apres, ecart) in totaux.items()]
    return pl.DataFrame(sorted(lignes), schema=["valeur", "cout", "ecart"], orient="row")


def chercher(population, cible: Cible, courbe: pl.DataFrame, budget: float, months=None, **options) -> Trouvee:
    """Find the value whose difference of cost meets a budget.

    Args:
        population: as for ``comparer``.
        cible: parameter.
        courbe: table of ``balayer``, which brackets the search.
        budget: difference of cost aimed at, euros.
        months: aid months; None: all.
        **options: those of ``comparer``.

    Returns:
        The value, its difference of cost, and the sentence that says both sides of the budget.

    Raises:
        ErreurUtilisateur: the cost goes up and down over the range, or never reaches the budget.
    """
    valeurs, ecarts = courbe["valeur"].to_list(), courbe["ecart"].to_list()
    pas = numpy.diff(ecarts)
    if (pas > 0).any() and (pas < 0).any():
        rang = next(i for i in range(1, len(pas)) if pas[i] * pas[:i][pas[:i] != 0][-1:].sum() < 0)
        raise ErreurUtilisateur(
            f"Le coût n'est pas monotone : il change de sens vers {court(valeurs[rang])}. Plusieurs valeurs peuvent "
            "atteindre le budget ; resserrer --values autour de l'une d'elles."
        )
    if not min(ecarts) <= budget <= max(ecarts):
        raise ErreurUtilisateur(
            f"Écart {signe(budget)} € hors d'atteinte : de {signe(min(ecarts))} à {signe(max(ecarts))} € "
            f"entre {court(valeurs[0])} et {court(valeurs[-1])}."
        )
    rang = next(i for i in range(len(pas)) if min(ecarts[i : i + 2]) <= budget <= max(ecarts[i : i + 2]))
    (bas, haut), (ecart_bas, ecart_haut) = valeurs[rang : rang + 2], ecarts[rang : rang + 2]
    seuil = 1 if cible.entiere else PRECISION * (valeurs[-1] - valeurs[0])
    etapes = 0
    while haut - bas > seuil and etapes < ETAPES_MAXIMUM:
        milieu = round((bas + haut) / 2) if cible.entiere else (bas + haut) / 2
        if milieu in (bas, haut):
            break
        ecart = next(iter(comparer(population, [cible.reforme(milieu)], months, **options).totaux().values()))[2]
        etapes += 1
        if (ecart <= budget) == (ecart_bas <= budget):
            bas, ecart_bas = milieu, ecart
        else:
            haut, ecart_haut = milieu, ecart
    valeur, ecart = min(((bas, ecart_bas), (haut, ecart_haut)), key=lambda point: abs(point[1] - budget))
    phrase = (
        f"{cible.chemin} = {court(valeur)} : écart de {signe(ecart)} € pour {signe(budget)} € demandés, "
        f"trouvé en {etapes} évaluations ; entre {court(bas)} ({signe(ecart_bas)} €) "
        f"et {court(haut)} ({signe(ecart_haut)} €)."
    )
    return Trouvee(valeur, ecart, phrase)


def table(courbe: pl.DataFrame) -> Table:
    """Cost curve, with a bar proportional to the difference."""
    rendu = Table(title="Courbe de coût")
    for nom in ("Valeur", "Coût (€)", "Écart (€)"):
        rendu.add_column(nom, justify="right")
    rendu.add_column("")
    maximum = courbe["ecart"].abs().max() or 1
    for valeur, cout, ecart in courbe.iter_rows():
        barre = "█" * round(20 * abs(ecart) / maximum)
        signee = ("−" if ecart < 0 else "+") + barre if barre else ""
        rendu.add_row(court(valeur), nombre_fr(cout), signe(ecart), signee)
    return rendu
