"""What every generated page needs: where things are, links, formulas in words, values and texts of parameters."""

import posixpath
from functools import cached_property

from balises import ancre, badge, cellule, court, intervalle, une_ligne
from formules import Ligne, Redacteur
from modele import MOIS
from openfisca_core.indexed_enums import Enum

from openfisca_fds_tools.citations import references
from openfisca_fds_tools.explain import ecriture

LECTEURS_CITES = 12
LIGNES_CITEES = 15  # parameters of one theme beyond which the theme is named instead
CODES_CITES = 6  # codes of a list shown outside its own page


class Ouvrage:
    """Base of the pages.

    Args:
        modele: Modele.
    """

    def __init__(self, modele):
        self.modele = modele
        self.variables = modele.systeme.variables

    # ---- where things are ----

    @cached_property
    def themes(self):
        """{file of parameters: its parameters}, in the order of the files."""
        return dict(sorted(self.par_theme(self.modele.parametres).items()))

    def par_theme(self, chemins):
        """Group parameters by file: {file: its parameters}."""
        themes = {}
        for chemin in chemins:
            themes.setdefault(self.modele.theme(chemin), []).append(chemin)
        return themes

    def lieu(self, genre, nom):
        """Page and anchor of a variable or of a parameter."""
        if genre == "parametre":
            return f"parametres/{self.modele.theme(nom)}.md", ancre(nom)
        if nom in self.modele.entrees:
            return "dictionnaire/entrees.md", nom
        return f"regles/{self.modele.modules[nom]}.md", nom

    def lien(self, depuis, genre, nom, texte=None):
        """Markdown link to a variable or a parameter, from a page."""
        page, ancre_visee = self.lieu(genre, nom)
        cible = "" if page == depuis else posixpath.relpath(page, posixpath.dirname(depuis))
        return f"[{texte if texte is not None else f'`{nom}`'}]({cible}#{ancre_visee})"

    def lien_du_theme(self, depuis, theme):
        """Markdown link to a page of parameters."""
        return (
            f"[{self.titre_du_theme(theme)}]({posixpath.relpath(f'parametres/{theme}.md', posixpath.dirname(depuis))})"
        )

    def titre_du_theme(self, theme):
        """Title of a file of parameters."""
        return cellule(self.modele.noeud(theme.replace("/", ".")).description)

    def liens(self, depuis, genre, noms):
        """Links to several variables or parameters; beyond a dozen, their number."""
        cites = ", ".join(self.lien(depuis, genre, nom) for nom in noms[:LECTEURS_CITES])
        return cites + (f" et {len(noms) - LECTEURS_CITES} autres" if len(noms) > LECTEURS_CITES else "")

    def references(self, nom):
        """List the references of a variable."""
        references = self.variables[nom].reference or []
        return [references] if isinstance(references, str) else list(references)

    # ---- formulas ----

    def formules(self, depuis, nom, mois=None):
        """Markdown of the formulas of a variable: one list, under its months when there are several."""

        def signature(lecture, lecteur, un_mois):
            return tuple(self._lignes(Redacteur(lecteur, _sans_lien, un_mois), nom, lecture))

        def lier(genre, cible, texte):
            return self.lien(depuis, genre, cible, texte)

        formules = self.modele.formules(nom, signature, mois)
        morceaux = []
        for formule in formules:
            redacteur = Redacteur(formule.lecteur, lier, formule.mois and formule.mois[0])
            lignes = self._lignes(redacteur, nom, formule.lecture)
            if formule.mois and (len(formules) > 1 or (mois is None and formule.mois != (MOIS[0], MOIS[-1]))):
                tete = Ligne(0, f"**{intervalle(formule.mois)}** :")
                lignes = [tete, *(Ligne(ligne.niveau + 1, ligne.texte) for ligne in lignes)]
            morceaux += [f"{'    ' * ligne.niveau}- {ecriture.typographie(ligne.texte)}" for ligne in lignes]
        return "\n".join(morceaux)

    def _lignes(self, redacteur, nom, lecture):
        """Lines of a formula; a value looked up in a table, or chosen among several, tells what it is chosen by."""
        expression = lecture.expression
        ecrites = {feuille.nom for feuille in expression.feuilles("variable")}
        autres = {lue.nom: lue for lue in lecture.variables if lue.nom not in ecrites}
        if expression.operation == "constante" and isinstance(expression.valeur, str):
            return [Ligne(0, f"lu dans un tableau d'après : {' ; '.join(map(redacteur.phrase, autres.values()))}")]
        choix = [lue for lue in autres.values() if self.variables[lue.nom].value_type is Enum]
        if expression.operation == "variable" and choix:
            choisies = [lue for lue in lecture.variables if lue not in choix and lue.nom != nom]
            tete = Ligne(0, f"selon {' et '.join(map(redacteur.phrase, choix))}, l'une de ces valeurs :")
            return [tete, *(Ligne(1, redacteur.phrase(lue)) for lue in choisies)]
        return redacteur.lignes(expression)

    # ---- parameters ----

    def parametres_lus(self, depuis, chemins, longs=False):
        """Line of the parameters that a variable reads; ``longs``: only the lists, that its formula cannot name."""
        cites = []
        for theme, siens in self.par_theme(chemins).items():
            if len(siens) > LIGNES_CITEES:
                cites.append(self.lien_du_theme(depuis, theme))
            elif not longs:
                cites += [self.lien(depuis, "parametre", chemin, f"`{court(chemin)}`") for chemin in siens]
        return [f"{'Liste' if longs else 'Paramètres'} : {', '.join(cites)}.", ""] if cites else []

    def valeur(self, chemin, brute, entiere=False):
        """Value of a parameter, in French; a list of codes in full only where it is asked for."""
        if isinstance(brute, list):
            codes = brute if entiere else brute[:CODES_CITES]
            suite = "" if len(codes) == len(brute) else f", … ({len(brute)})"
            return ", ".join(map(str, codes)) + suite if brute else "aucun"
        unite = (self.modele.parametres[chemin].metadata or {}).get("unit")
        return ecriture.valeur(brute, unite)

    def textes(self, chemin, metadonnees):
        """Links to the texts of a value, those of the parameter when it has none of its own."""
        communes = self.modele.parametres[chemin].metadata
        return "<br>".join(map(_reference, references(metadonnees) or references(communes)))

    def doute(self, chemin):
        """Doubt on a parameter: (question, what is kept and what else it could be), or None."""
        doute = (self.modele.parametres[chemin].metadata or {}).get("doute")
        if doute is None or isinstance(doute, str):
            return doute and (une_ligne(doute).removesuffix(".") + ".", "")
        autres = [autre["lecture"] for autre in doute.get("autres_valeurs", [])]
        autres += [doute["autre_lecture"]] if "autre_lecture" in doute else []
        phrases = [f"Retenu : {_phrase(doute['lecture_retenue'])}.", *(f"Ou : {_phrase(autre)}." for autre in autres)]
        return une_ligne(doute["question"]), " ".join(phrases)


def _sans_lien(_genre, _nom, texte):
    return texte


def _phrase(texte):
    return ecriture.minuscule(une_ligne(texte).removesuffix("."))


def _reference(reference):
    """Link to a text, with the confidence in it when it is not that of the value."""
    titre = cellule(reference["title"])
    lien = f"[{titre}]({reference['href']})" if reference.get("href") else titre
    return f"{lien} {badge(reference['confiance'])}" if reference.get("confiance") else lien
