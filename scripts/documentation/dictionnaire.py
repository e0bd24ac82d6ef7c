"""The pages of the variables: rules, inputs, outputs, codes."""

import posixpath
from datetime import date
from functools import cached_property

from balises import cellule
from openfisca_core.indexed_enums import Enum
from openfisca_core.periods import ETERNITY
from ouvrage import Ouvrage

from openfisca_fds_tools.explain import ecriture

TYPES = {bool: "oui ou non", int: "nombre entier", float: "nombre", date: "date", str: "texte", Enum: "code"}
UNITES = {"currency-EUR": "euros", "/1": "fraction de 0 à 1", "jour": "jours", "salarié": "salariés", "m²": "m²"}
CODES_ECRITS = 8  # codes of an Enum shown beside the variable; beyond, the page of codes has them


class Dictionnaire(Ouvrage):
    """Everything that the model knows or computes of an enterprise."""

    def pages(self):
        """Path of each page in the site, and its Markdown."""
        pages = {f"regles/{module}.md": self.regles(module) for module in self.modules_des_regles}
        pages |= {"dictionnaire/entrees.md": self.entrees(), "dictionnaire/sorties.md": self.sorties()}
        return pages | {"dictionnaire/codes.md": self.codes()}

    @cached_property
    def modules_des_regles(self):
        """Files of variables that hold at least one variable which is not an input."""
        regles = (nom for nom in self.modele.modules if nom not in self.modele.entrees)
        return list(dict.fromkeys(self.modele.modules[nom] for nom in regles))

    def regles(self, module):
        """Page of the calculated variables of a file."""
        depuis = f"regles/{module}.md"
        lignes = [f"# {self.modele.titre_du_module(module)}", "", f"Fichier `openfisca_fds/variables/{module}.py`.", ""]
        cle = posixpath.basename(module).removeprefix("article_")
        if cle in self.modele.articles:
            cible = posixpath.relpath(f"droit/article_{cle}.md", posixpath.dirname(depuis))
            lignes += [f"Dans l'ordre du texte : [la page de l'article]({cible}).", ""]
        for nom, autre in self.modele.modules.items():
            if autre == module and nom not in self.modele.entrees:
                lignes += self._variable(depuis, nom)
        return "\n".join(lignes)

    def entrees(self):
        """Write the dictionary of the inputs, by file of variables."""
        depuis = "dictionnaire/entrees.md"
        lignes = [
            "# Entrées",
            "",
            "Ce que l'on donne d'une entreprise. Une entrée qui a une formule par défaut se calcule quand on ne la "
            "donne pas ; une valeur donnée l'emporte. Noms, types et périodes sont l'interface publique du modèle : "
            "un test les compare au dictionnaire. Comment les écrire dans un fichier : [formats](../formats.md).",
            "",
        ]
        precedent = None
        for nom, module in self.modele.modules.items():
            if nom not in self.modele.entrees:
                continue
            if module != precedent:
                lignes += [f"## {self.modele.titre_du_module(module)}", ""]
                precedent = module
            lignes += self._variable(depuis, nom)
        return "\n".join(lignes)

    def _variable(self, depuis, nom):
        """Section of a variable."""
        variable = self.variables[nom]
        niveau = "###" if nom in self.modele.entrees else "##"  # inputs are below the title of their file
        lignes = [f"{niveau} `{nom}` {{#{nom}}}", "", f"**{variable.label}**", "", self._nature(nom), ""]
        note = self.modele.note(nom) or (variable.documentation or "").strip()
        lignes += [f"{note[:1].upper()}{note[1:].removesuffix('.')}.", ""] if note else []
        formules = self.formules(depuis, nom)
        if formules:
            lignes += ["Formule par défaut :" if nom in self.modele.entrees else "Formule :", "", formules, ""]
        _, parametres = self.modele.lus[nom]
        lignes += self.parametres_lus(depuis, parametres)
        lecteurs = self.modele.lue_par.get(nom, [])
        lignes += [f"Lue par : {self.liens(depuis, 'variable', lecteurs)}.", ""] if lecteurs else []
        references = self.references(nom)
        lignes += [f"Texte : {' ; '.join(references)}.", ""] if references else []
        return lignes

    def _nature(self, nom):
        """One line: type, unit, period, default, accepted codes, column of a file."""
        variable = self.variables[nom]
        eternelle = variable.definition_period == ETERNITY
        morceaux = [TYPES[variable.value_type]]
        if variable.unit in UNITES:
            morceaux[0] += f" ({UNITES[variable.unit]})"
        morceaux.append("une fois pour toutes" if eternelle else "chaque mois")
        if not variable.entity.is_person:
            morceaux.append("du groupe")
        if nom in self.modele.entrees:
            if not variable.formulas:
                morceaux.append(f"défaut : {self.defaut(variable)}")
            prefixe = "" if variable.entity.is_person else "groupe."
            morceaux.append(f"colonne `{prefixe}{nom}{'' if eternelle else ':AAAA-MM'}`")
        if variable.end:
            morceaux.append(f"jusqu'en {ecriture.mois(variable.end.isoformat())}")
        texte = " · ".join(morceaux)
        if variable.value_type is Enum:
            noms = [str(code.name) for code in variable.possible_values]
            texte += f" · {len(noms)} codes : [liste](codes.md#{nom})" if nom in self.modele.entrees else ""
            if len(noms) <= CODES_ECRITS:
                texte += f" ({', '.join(f'`{code}`' for code in noms)})"
        return texte

    def defaut(self, variable):
        """Default of a variable, as it is written in a file."""
        if variable.value_type is Enum:
            return f"`{variable.default_value.name}`"
        if isinstance(variable.default_value, bool):
            return "`true`" if variable.default_value else "`false`"
        return f"`{variable.default_value:g}`" if variable.value_type is float else f"`{variable.default_value}`"

    def sorties(self):
        """Table of the public outputs."""
        depuis = "dictionnaire/sorties.md"
        lignes = [
            "# Sorties",
            "",
            "Les sorties publiques, que fichiers, cas YAML et API nomment. Toutes les autres variables calculées sont "
            "aussi des sorties possibles : voir les règles. Les montants sont en euros, sans arrondi ; les taux, des "
            "fractions ; le mois est celui de l'aide, jamais celui de la demande ou du paiement.",
            "",
            "| Sortie | Sens | Type |",
            "|---|---|---|",
        ]
        for nom in self.modele.sorties:
            variable = self.variables[nom]
            unite = f" ({UNITES[variable.unit]})" if variable.unit in UNITES else ""
            periode = "une fois" if variable.definition_period == ETERNITY else "chaque mois"
            lien = self.lien(depuis, "variable", nom)
            lignes.append(f"| {lien} | {cellule(variable.label)} | {TYPES[variable.value_type]}{unite}, {periode} |")
        return "\n".join(lignes)

    def codes(self):
        """List the accepted codes of every input that is a code."""
        lignes = [
            "# Codes acceptés",
            "",
            "Un code NAF s'écrit avec ou sans point, un département avec ou sans zéro initial. Entre guillemets dans "
            "un fichier YAML ou JSON : un code est un texte, jamais un rang.",
            "",
        ]
        for nom in self.modele.entrees:
            if self.variables[nom].value_type is Enum:
                possibles = self.variables[nom].possible_values
                lignes += [f"## `{nom}` {{#{nom}}}", "", self.variables[nom].label + ".", ""]
                lignes += ["| Code | Libellé |", "|---|---|"]
                lignes += [f"| `{code.name}` | {cellule(str(code.value))} |" for code in possibles]
                lignes.append("")
        return "\n".join(lignes)
