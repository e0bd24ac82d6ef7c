"""The formula of a variable as a tree, for one enterprise, values included."""

from dataclasses import dataclass

# Symbols of the ufuncs that the law uses; any other keeps NumPy's name.
SYMBOLES = {
    "add": "+",
    "subtract": "-",
    "multiply": "×",
    "divide": "÷",
    "true_divide": "÷",
    "greater_equal": ">=",
    "greater": ">",
    "less_equal": "<=",
    "less": "<",
    "equal": "==",
    "not_equal": "!=",
    "bitwise_and": "et",
    "logical_and": "et",
    "bitwise_or": "ou",
    "logical_or": "ou",
    "invert": "non",
    "logical_not": "non",
    "maximum": "max",
    "minimum": "min",
    "absolute": "abs",
    "where": "selon",
}
ASSOCIATIVES = {"et", "ou", "max", "min", "+"}
NEUTRES = {"et": True, "ou": False, "+": 0}
ABSORBANTS = {"et": False, "ou": True}
COMPARAISONS = {">=", ">", "<=", "<", "==", "!="}
SANS_OBJET = "sans objet"  # name of the constant that stands for a condition the text of the month does not hold


@dataclass(frozen=True)
class Expression:
    """A node of a formula for one enterprise.

    Attributes:
        operation: ``variable``, ``parametre``, ``constante``, a symbol of :data:`SYMBOLES`, ``au_moins``,
            ``appartient``, ``realise`` (turnover of several months), ``duree`` (months), ``jours`` (days of
            activity), or the name of another NumPy function.
        termes: operands, in order.
        valeur: Python value for the enterprise (bool, int, float, str, date), None when it has none.
        nom: name of the variable, path of the parameter, or first and last month of a turnover.
        periode: period of the variable or instant of the parameter, as text.
        entite: key of the entity of the variable.
    """

    operation: str
    termes: tuple = ()
    valeur: object = None
    nom: str | None = None
    periode: str | None = None
    entite: str | None = None

    def feuilles(self, operation):
        """List the distinct leaves of one kind (``variable`` or ``parametre``), in the order of the formula."""
        vues = {}
        if self.operation == operation:
            vues[self.nom, self.periode] = self
        for terme in self.termes:
            vues.update({(feuille.nom, feuille.periode): feuille for feuille in terme.feuilles(operation)})
        return list(vues.values())

    @property
    def choisie(self):
        """Branch that applies, of a choice (``selon``)."""
        condition, oui, non = self.termes
        return oui if condition.valeur else non

    @property
    def facteurs(self):
        """Conditions and amounts that a product is made of: two lists; what is no product is its only factor."""
        termes = self.termes if self.operation == "×" else (self,)
        conditions = [terme for terme in termes if isinstance(terme.valeur, bool)]
        return conditions, [terme for terme in termes if not isinstance(terme.valeur, bool)]


@dataclass(frozen=True)
class Lecture:
    """What running a formula again gave: its expression (None if it could not be followed) and the variables read."""

    expression: Expression | None
    variables: tuple = ()


def simplifier(operation, termes, valeur):
    """Build an operation, flattened, without neutral terms, and without the branches that a constant excludes."""
    if termes and all(terme.operation == "constante" for terme in termes):
        return Expression("constante", valeur=valeur)
    if operation == "selon" and termes[0].operation == "constante":
        return termes[1] if termes[0].valeur else termes[2]
    absorbant = ABSORBANTS.get(operation)
    if absorbant is not None and any(t.operation == "constante" and t.valeur is absorbant for t in termes):
        return Expression("constante", valeur=absorbant)
    if operation in ASSOCIATIVES:
        plats = []
        for terme in termes:
            plats += terme.termes if terme.operation == operation else [terme]
        neutre = NEUTRES.get(operation)
        gardes = [t for t in plats if not (neutre is not None and t.operation == "constante" and t.valeur == neutre)]
        if len(gardes) == 1:
            return gardes[0]
        termes = gardes
    return Expression(operation, tuple(termes), valeur)
