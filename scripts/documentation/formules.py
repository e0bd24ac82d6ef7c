"""A formula of the law in French words, its variables and its values being links.

What is written is the :class:`Expression` that the explanation room gets by following the formula itself: nothing is
written twice, and a formula that changes changes its page.
"""

import calendar
from collections.abc import Callable
from dataclasses import dataclass, replace

from openfisca_fds_tools.explain import ecriture
from openfisca_fds_tools.explain.expression import Expression
from openfisca_fds_tools.explain.lecteur import COMPARAISONS, mot, orienter

LONGUEUR_D_UNE_LIGNE = 150  # characters; beyond, the terms of « et », « ou » and « selon » take a line each
LISTES = {"et": "toutes ces conditions", "ou": "l'une de ces conditions"}
OPERATEURS = {"+": " + ", "-": " − ", "×": " × ", "÷": " ÷ ", "et": " et ", "ou": " ou "}
A_PROTEGER = {"+", "-", "min", "max", "et", "ou", "non", "selon"}
MOTS = {  # of a comparison with what is no figure
    ">=": "au moins égal à",
    ">": "supérieur à",
    "<=": "au plus égal à",
    "<": "inférieur à",
    "==": "égal à",
    "!=": "différent de",
}
CONTRAIRES = {">=": "<", "<": ">=", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}
TERMES_REGROUPES = 3  # months of one variable from which a sum is told by its first and last
COMPARAISONS_ECRITES = COMPARAISONS | {"au_moins", "appartient"}
BOOLEENNES = COMPARAISONS_ECRITES | {"et", "ou", "non"}


@dataclass(frozen=True)
class Ligne:
    """A line of a nested list: its level, its Markdown."""

    niveau: int
    texte: str


@dataclass(frozen=True)
class Redacteur:
    """Writes expressions.

    Attributes:
        lecteur: Lecteur of the explanation room, for labels and units.
        lier: function of the kind (``variable`` or ``parametre``), the name and the text to show, giving Markdown.
        mois: month of the formula, that is not said again; None for what is the same every month.
    """

    lecteur: object
    lier: Callable[[str, str, str], str]
    mois: str | None = None

    def lignes(self, expression: Expression, niveau: int = 0) -> list[Ligne]:
        """Write an expression on one line if it is short, else as a nested list.

        Args:
            expression: what to write.
            niveau: level of the first line.

        Returns:
            List of Ligne, at least one.
        """
        depliable = expression.operation in (*LISTES, "selon") or len(_montants(expression)) > 1
        if not depliable or _longueur(expression, self) <= LONGUEUR_D_UNE_LIGNE:
            return [Ligne(niveau, self.phrase(expression))]
        if expression.operation == "selon":
            condition, oui, non = expression.termes
            suite = [Ligne(niveau, f"si {self.phrase(condition)} :"), *self.lignes(oui, niveau + 1)]
            return [*suite, Ligne(niveau, "sinon :"), *self.lignes(non, niveau + 1)]
        tete = LISTES.get(expression.operation, "le plus élevé de")
        termes = _montants(expression) or expression.termes
        return [Ligne(niveau, f"{tete} :"), *(ligne for terme in termes for ligne in self.lignes(terme, niveau + 1))]

    def phrase(self, expression: Expression) -> str:
        """Write an expression on one line of Markdown."""
        ecrire = getattr(self, f"_{NOMS.get(expression.operation, 'autre')}")
        return ecrire(expression)

    # ---- leaves ----

    def _variable(self, expression):
        libelle = self._libelle(expression.nom, expression.periode)
        ailleurs = expression.periode and expression.periode != self.mois
        texte = self.lier("variable", expression.nom, libelle)
        return f"{texte} ({self._periode(expression.periode)})" if ailleurs else texte

    def _libelle(self, nom, periode):
        """Label of a variable inside a sentence: of what it dates, what the month has; with its dates, if none."""
        libelle = self.lecteur.systeme.get_variable(nom).label
        mois = periode if periode and len(periode) == 7 else self.mois
        dit = ecriture.du_mois(libelle, mois) if mois else libelle
        return ecriture.minuscule(ecriture.court(dit) or libelle)

    def _periode(self, periode):
        """Write a month; the one that follows the month of the aid is told so, and reads the same every month."""
        if len(periode) != 7:
            return periode
        if self.mois and periode[4:] == self.mois[4:]:
            return f"même mois de {periode[:4]}"
        return ecriture.mois(periode)

    def _parametre(self, expression):
        parametre = self.lecteur.systeme_parametre(expression.nom)
        unite = (parametre.metadata or {}).get("unit")
        if isinstance(expression.valeur, list):
            texte = f"« {parametre.description} »"
        elif isinstance(expression.valeur, bool):
            texte = f"{ecriture.minuscule(parametre.description)} : {ecriture.valeur(expression.valeur)}"
        else:
            texte = ecriture.valeur(expression.valeur, unite)
        return self.lier("parametre", expression.nom, texte)

    def _constante(self, expression):
        if isinstance(expression.valeur, bool):
            return "toujours" if expression.valeur else "jamais"
        if expression.valeur is None:
            return "une constante du texte"
        unite = None if isinstance(expression.valeur, (int, float)) else self.lecteur.unite(expression)
        return ecriture.valeur(expression.valeur, unite)

    def _realise(self, expression):
        return f"chiffre d'affaires {_intervalle(expression.nom)}"

    def _duree(self, expression):
        return f"nombre de mois {_intervalle(expression.nom)}, depuis la création"

    def _jours(self, _expression):
        return "jours d'activité de la période"

    # ---- comparisons ----

    def _au_moins(self, expression):
        montant, reference, taux = expression.termes
        return f"{self._protegee(montant)} : au moins {self.phrase(taux)} de {self._protegee(reference)}"

    def _appartient(self, expression):
        codes, liste = expression.termes
        nommee = self.phrase(liste) if liste.operation == "parametre" else "les lignes en vigueur de la liste"
        return f"{self.phrase(codes)} dans {nommee}"

    def _comparaison(self, expression, contraire=False):
        gauche, symbole, droite = orienter(expression)
        symbole = CONTRAIRES[symbole] if contraire else symbole
        if isinstance(droite.valeur, str) and gauche.operation == "variable":
            possibles = self.lecteur.systeme.get_variable(gauche.nom).possible_values
            droit = f"« {ecriture.minuscule(str(possibles[droite.valeur].value))} »"
        elif self._est_tout_le_mois(gauche, symbole, droite):
            droit = "le nombre de jours du mois"
        else:
            droit = self._protegee(droite)
        chiffree = not droite.feuilles("variable")
        return f"{self._protegee(gauche)} : {mot(symbole, droite.valeur) if chiffree else MOTS[symbole]} {droit}"

    def _est_tout_le_mois(self, gauche, symbole, droite):
        if not self.mois or symbole != "==" or self.lecteur.unite(gauche) != "jour":
            return False
        return droite.valeur == calendar.monthrange(int(self.mois[:4]), int(self.mois[5:]))[1]

    # ---- combinations ----

    def _liste(self, expression):
        return OPERATEURS[expression.operation].join(self._protegee(terme) for terme in expression.termes)

    def _somme(self, expression):
        """Write a sum; the same variable over many months is told once."""
        par_nom = {}
        for terme in expression.termes:
            par_nom.setdefault(terme.nom or id(terme), []).append(terme)
        morceaux = []
        for termes in par_nom.values():
            if len(termes) < TERMES_REGROUPES or termes[0].operation != "variable":
                morceaux += map(self._protegee, termes)
                continue
            periodes = sorted(terme.periode for terme in termes)
            intervalle = _intervalle(f"{periodes[0]}/{periodes[-1]}")
            if periodes[-1] == self.mois:
                intervalle = f"{ecriture.de(ecriture.mois(periodes[0]))} au mois compris"
            nom = self.lier("variable", termes[0].nom, self._libelle(termes[0].nom, periodes[-1]))
            morceaux.append(f"somme, {intervalle}, de « {nom} »")
        return " + ".join(morceaux)

    def _quotient(self, expression):
        haut, bas = expression.termes
        if haut.operation == "×" and haut.termes[-1].operation == bas.operation == "jours":
            return f"{self._protegee(haut.termes[0])}, ramené sur un mois d'activité"
        return self._liste(expression)

    def _produit(self, expression):
        """Write a product; a condition among the factors opens the amount, it is no figure."""
        conditions = [terme for terme in expression.termes if _est_une_condition(terme)]
        facteurs = [terme for terme in expression.termes if terme not in conditions]
        texte = " × ".join(self._protegee(terme) for terme in facteurs)
        if not conditions:
            return texte
        return f"{texte or '1'}, si {' et '.join(self._protegee(terme) for terme in conditions)}"

    def _non(self, expression):
        (terme,) = expression.termes
        if terme.operation in CONTRAIRES:
            return self._comparaison(terme, contraire=True)
        if terme.operation == "non":
            return self.phrase(terme.termes[0])
        return f"non : {self._protegee(terme)}"

    def _selon(self, expression):
        condition, oui, non = expression.termes
        if oui.operation == non.operation == "parametre" and oui.valeur == non.valeur:
            return self.phrase(non)
        if _est_zero(non):
            return f"{self._protegee(oui)}, si {self._protegee(condition)}"
        return f"{self._protegee(oui)} si {self._protegee(condition)}, sinon {self._protegee(non)}"

    def _max(self, expression):
        termes = _montants(expression)
        if len(termes) == 1:
            return f"{self.phrase(termes[0])}, jamais négatif"
        return "le plus élevé de : " + " ; ".join(self._protegee(terme) for terme in termes)

    def _min(self, expression):
        return ", dans la limite de ".join(self._protegee(terme) for terme in expression.termes)

    def _clip(self, expression):
        montant, plancher, plafond = map(self._protegee, expression.termes)
        return f"{montant}, au moins {plancher} et au plus {plafond}"

    def _abs(self, expression):
        return f"valeur absolue de {self._protegee(expression.termes[0])}"

    def _somme_du_groupe(self, expression):
        return f"somme, pour les membres du groupe, de {self._protegee(expression.termes[0])}"

    def _nombre_du_groupe(self, _expression):
        return "nombre d'entreprises du groupe"

    def _autre(self, expression):
        termes = " ; ".join(self.phrase(terme) for terme in expression.termes)
        return f"{expression.operation}({termes})" if termes else expression.operation

    def _protegee(self, terme):
        texte = self.phrase(terme)
        if terme.operation == "non" and terme.termes[0].operation in (*CONTRAIRES, "non"):
            return texte  # written as the contrary comparison
        conditionne = terme.operation == "×" and any(map(_est_une_condition, terme.termes))
        return f"({texte})" if terme.operation in A_PROTEGER or conditionne else texte


NOMS = {  # operation -> method of Redacteur that writes it
    **{nom: nom for nom in ("variable", "parametre", "constante", "realise", "duree", "jours", "au_moins")},
    **{nom: nom for nom in ("appartient", "selon", "max", "min", "abs", "clip", "non")},
    **dict.fromkeys(COMPARAISONS, "comparaison"),
    **dict.fromkeys(("et", "ou", "-"), "liste"),
    "+": "somme",
    "×": "produit",
    "÷": "quotient",
    "sum": "somme_du_groupe",
    "nb_persons": "nombre_du_groupe",
}


def _est_zero(terme):
    return terme.operation == "constante" and terme.valeur == 0 and not isinstance(terme.valeur, bool)


def _montants(expression):
    """Terms of a maximum that are not the zero below which it never goes; empty for another operation."""
    return [t for t in expression.termes if not _est_zero(t)] if expression.operation == "max" else []


def _est_une_condition(terme):
    return terme.operation in BOOLEENNES or (terme.operation == "variable" and isinstance(terme.valeur, bool))


def _longueur(expression, redacteur):
    """Length of the sentence as it is read, links apart."""
    nu = replace(redacteur, lier=lambda _genre, _nom, texte: texte)
    return len(nu.phrase(expression))


def _intervalle(nom):
    debut, fin = nom.split("/")
    if debut == fin:
        return ecriture.de(ecriture.mois(debut))
    return f"{ecriture.de(ecriture.mois(debut))} à {ecriture.mois(fin)}"
