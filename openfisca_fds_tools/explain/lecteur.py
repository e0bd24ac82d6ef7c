"""Read the model for one enterprise: formulas followed, names, units, sources."""

import copy
import math
import operator
import re
from dataclasses import replace
from datetime import date

from openfisca_core import periods
from openfisca_core.indexed_enums import Enum
from openfisca_core.periods import ETERNITY

from openfisca_fds.codes import Code
from openfisca_fds_tools.explain import ecriture
from openfisca_fds_tools.explain.data import Fait, Reference, Source
from openfisca_fds_tools.explain.expression import COMPARAISONS, Expression, lire_formule

MIROIR = {">=": "<=", "<=": ">=", ">": "<", "<": ">", "==": "==", "!=": "!="}
MOTS = {">=": "au moins", ">": "plus de", "<=": "au plus", "<": "moins de", "==": "exactement", "!=": "autre que"}
MOTS_DES_DATES = MOTS | {">=": "à partir du", ">": "après le", "<=": "au plus tard le", "<": "avant le"}
LIBELLES = {"nb_persons": "Nombre d'entreprises du groupe"}
SOURCES_MAXIMALES = 6
ARTICLE_CITE = re.compile(r"art\. (\d+(?:-\d+)?)(?=,|$)")
DROIT = "_eligible"  # how the law ends the name of a right
CALCULS = {  # what is computed again under an assumption; anything else keeps its value
    "et": lambda *termes: all(termes),
    "ou": lambda *termes: any(termes),
    "non": operator.not_,
    "selon": lambda condition, oui, non: oui if condition else non,
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
    "==": operator.eq,
    "+": lambda *termes: sum(termes),
    "-": operator.sub,
    "×": lambda *termes: math.prod(termes),
    "max": max,
    "min": min,
}


class Lecteur:
    """The model seen from one enterprise.

    Args:
        simulation: openfisca-core Simulation.
        rang: row of the enterprise.
        period: month explained (Period); ETERNITY variables are asked for it.
    """

    def __init__(self, simulation, rang, period):
        self.simulation, self.rang, self.period = simulation, rang, period
        self.systeme = simulation.tax_benefit_system
        self.article, self.hypotheses = None, frozenset()
        self._lectures, self._interieurs = {}, {}

    def pour(self, article=None, hypotheses=frozenset()):
        """Read for one article, whose references come first, some of its conditions being held for met.

        Args:
            article: number, ``3-8``; None to keep the present one.
            hypotheses: names of boolean variables taken as true in what other variables read of them.
        """
        autre = copy.copy(self)
        autre.article, autre.hypotheses, autre._interieurs = article or self.article, frozenset(hypotheses), {}
        return autre

    # ---- variables ----

    def variable(self, nom, periode=None):
        """Expression of a variable of the enterprise, computed if need be."""
        variable = self.systeme.get_variable(nom)
        eternelle = variable.definition_period == ETERNITY
        periode = self.period if eternelle or periode is None else periods.period(periode)
        resultat = self.simulation.calculate(nom, periode)
        rang = self._rang(variable.entity.key)
        valeur = str(resultat.decode_to_str()[rang]) if variable.value_type == Enum else resultat[rang].item()
        return Expression("variable", (), valeur, nom, "" if eternelle else str(periode), variable.entity.key)

    def lecture(self, expression):
        """Lecture of a variable's formula, or None for an input; formulas are followed once each."""
        cle = expression.nom, expression.periode
        if cle not in self._lectures:
            periode = periods.period(expression.periode) if expression.periode else self.period
            rang = self._rang(expression.entite)
            self._lectures[cle] = lire_formule(self.simulation, expression.nom, periode, rang)
        return self._lectures[cle]

    def interieur(self, expression):
        """Give the formula of a variable as an expression; None for an input, or if its value comes from a table."""
        if expression.operation != "variable":
            return expression
        cle = expression.nom, expression.periode
        if cle not in self._interieurs:
            lecture = self.lecture(expression)
            trouvee = None if lecture is None else lecture.expression
            if trouvee is not None and trouvee.operation == "constante" and lecture.variables:
                trouvee = None  # read in a table
            self._interieurs[cle] = self.supposer(trouvee) if trouvee is not None and self.hypotheses else trouvee
        return self._interieurs[cle]

    def supposer(self, expression):
        """Give an expression its value under the assumptions."""
        if expression.operation == "variable":
            if expression.nom in self.hypotheses:
                return replace(expression, valeur=True)
            interieur = None if self.est_un_fait(expression) else self.interieur(expression)
            return expression if interieur is None else replace(expression, valeur=interieur.valeur)
        termes = tuple(self.supposer(terme) for terme in expression.termes)
        if expression.operation not in CALCULS or termes == expression.termes:
            return expression
        valeur = CALCULS[expression.operation](*(terme.valeur for terme in termes))
        return replace(expression, termes=termes, valeur=valeur)

    def est_un_fait(self, expression):
        """Tell whether a yes or no is told as it is: another month's, or a right that has its own explanation."""
        if expression.operation != "variable" or not isinstance(expression.valeur, bool):
            return False
        return expression.nom.endswith(DROIT) or expression.periode not in (None, "", str(self.period))

    def _rang(self, entite):
        if entite == self.systeme.person_entity.key:
            return self.rang
        return int(self.simulation.populations[entite].members_entity_id[self.rang])

    # ---- names, units, values ----

    def libelle(self, expression):
        """Name of what an expression is: the label of its variable, the description of its parameter."""
        if expression.operation == "variable":
            variable = self.systeme.get_variable(expression.nom)
            libelle = variable.label or variable.name
            autre_mois = expression.periode and expression.periode != str(self.period)
            return f"{libelle}, {ecriture.periode(expression.periode)}" if autre_mois else libelle
        if expression.operation == "parametre":
            return self.systeme_parametre(expression.nom).description or expression.nom
        if expression.operation in LIBELLES:
            return LIBELLES[expression.operation]
        retenue = self.retenue(expression)
        if retenue.operation == "variable":
            return self.libelle(retenue)
        if retenue.operation == "-":
            avant, apres = (ecriture.court(self.libelle(terme)) for terme in retenue.termes)
            return f"{avant} moins {ecriture.minuscule(apres)}"
        variables = retenue.feuilles("variable") or expression.feuilles("variable")
        return self.libelle(variables[0]) if variables else ecriture.valeur(expression.valeur)

    def unite(self, expression):
        """Give the unit of an expression: its own, or that of its first leaf that has one."""
        if expression.operation == "variable":
            return self.systeme.get_variable(expression.nom).unit
        if expression.operation == "parametre":
            return (self.systeme_parametre(expression.nom).metadata or {}).get("unit")
        feuilles = expression.feuilles("variable") + expression.feuilles("parametre")
        unites = [unite for unite in map(self.unite, feuilles) if unite]
        return next((unite for unite in unites if unite != "/1"), unites[0] if unites else None)

    def ecrire(self, expression):
        """Value of an expression, written with its unit; the value of an Enum by its label."""
        if expression.operation == "variable":
            variable = self.systeme.get_variable(expression.nom)
            if variable.value_type == Enum:
                nom = str(variable.possible_values[expression.valeur].value)
                return f"{expression.valeur} ({nom})" if isinstance(variable, Code) else nom
        return ecriture.valeur(expression.valeur, self.unite(expression))

    def fait(self, expression):
        """Named value of a variable."""
        valeur = en_json(expression.valeur)
        if isinstance(valeur, str) and expression.operation == "variable":
            valeur = self.ecrire(expression)
        return Fait(
            self.libelle(expression), valeur, self.unite(expression), expression.nom, expression.periode or None
        )

    def references(self, nom, proche=True):
        """List the references of a variable: those to the article explained, else the nearest one if ``proche``."""
        toutes = list(self.systeme.get_variable(nom).reference or [])
        cites = [(texte, trouve[1]) for texte in toutes if (trouve := ARTICLE_CITE.search(texte))]
        if self.article is None or not cites:
            return toutes
        exactes = [texte for texte, article in cites if article == self.article]
        if exactes or not proche:
            return exactes
        return [min(cites, key=lambda cite: _ecart_des_numeros(cite[1], self.article))[0]]

    # ---- parameters ----

    def systeme_parametre(self, chemin):
        """Parameter of the tree by its dotted path."""
        noeud = self.systeme.parameters
        for cle in chemin.split("."):
            noeud = noeud.children[cle] if hasattr(noeud, "children") else getattr(noeud, cle)
        return noeud

    def source(self, expression):
        """Source of a parameter read: the metadata of the value in force at that instant."""
        parametre = self.systeme_parametre(expression.nom)
        en_vigueur = next((v for v in parametre.values_list if v.instant_str <= expression.periode), None)
        propres = (en_vigueur.metadata if en_vigueur else None) or {}
        communes = parametre.metadata or {}
        textes = propres.get("reference") or communes.get("reference") or []
        textes = textes if isinstance(textes, list) else [textes]
        references = [
            Reference(texte.get("title", ""), texte.get("href")) if isinstance(texte, dict) else Reference(str(texte))
            for texte in textes
        ]
        confiance = propres.get("confiance") or communes.get("confiance")
        return Source(
            expression.nom,
            parametre.description or expression.nom,
            en_json(expression.valeur),
            communes.get("unit"),
            confiance,
            references,
        )

    def sources(self, expression):
        """List the sources of a value, through variables that only choose among parameters (a ceiling)."""
        parametres = {}
        for feuille in self.retenue(expression).feuilles("parametre"):
            parametres[feuille.nom] = feuille
        for feuille in self.retenue(expression).feuilles("variable"):
            interieur = self.interieur(feuille) if not isinstance(feuille.valeur, bool) else None
            if interieur is not None and not self.retenue(interieur).feuilles("variable"):
                parametres.update({p.nom: p for p in self.retenue(interieur).feuilles("parametre")})
        return [self.source(parametre) for parametre in list(parametres.values())[:SOURCES_MAXIMALES]]

    # ---- expressions ----

    def retenue(self, expression):
        """Keep, of every choice, the branch that applies to the enterprise."""
        if expression.operation == "selon":
            return self.retenue(expression.termes[1] if expression.termes[0].valeur else expression.termes[2])
        if not expression.termes:
            return expression
        return replace(expression, termes=tuple(self.retenue(terme) for terme in expression.termes))


def _ecart_des_numeros(un, autre):
    (a, b), (c, d) = ([*map(int, numero.split("-")), 0][:2] for numero in (un, autre))
    return abs(a - c), abs(b - d)


def est_comparaison(expression):
    """Tell whether an expression sets a value against a threshold or a list."""
    return expression.operation in COMPARAISONS or expression.operation in ("au_moins", "appartient")


def orienter(expression):
    """Left, symbol and right of a comparison, the value of the enterprise on the left."""
    gauche, droite = expression.termes
    if not gauche.feuilles("variable") and droite.feuilles("variable"):
        return droite, MIROIR[expression.operation], gauche
    return gauche, expression.operation, droite


def mot(symbole, seuil):
    """Give the French word of a comparison, « au moins », « avant le » and so on."""
    return (MOTS_DES_DATES if isinstance(seuil, date) else MOTS)[symbole]


def en_json(valeur):
    """Bring a value to what JSON holds: dates as ISO text."""
    return valeur.isoformat() if isinstance(valeur, date) else valeur
