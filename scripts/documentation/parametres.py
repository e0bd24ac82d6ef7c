"""The pages of the parameters, by theme: history, texts, confidence, doubts, readers."""

from datetime import date

from balises import CONFIANCES, ancre, badge, cellule, court, decaler, guillemets, une_ligne
from ouvrage import Ouvrage

from openfisca_fds_tools.explain import ecriture

LIGNES_D_UN_THEME = 40  # parameters from which a theme is one table


class Parametres(Ouvrage):
    """Index of the themes, and one page for each file of parameters."""

    def pages(self):
        """Path of each page in the site, and its Markdown."""
        themes = {f"parametres/{theme}.md": self.page(theme) for theme in self.themes}
        return {"parametres/index.md": self.index()} | themes

    def index(self):
        """Index of the files of parameters."""
        lignes = [
            "# Paramètres, par thème",
            "",
            "Aucun nombre et aucune date du droit n'est dans une formule : tous sont ici, datés du premier mois d'aide "
            "où ils valent, avec leur texte et le degré de confiance qu'on a en lui : "
            + ", ".join(f"{badge(lettre)} {sens}" for lettre, sens in CONFIANCES.items())
            + ". « Rédactions antérieures » : ce que le texte disait pour ces mêmes mois avant d'être modifié.",
            "",
            "| Thème | Paramètres | Valeurs datées |",
            "|---|--:|--:|",
        ]
        for theme, chemins in self.themes.items():
            titre = self.titre_du_theme(theme)
            valeurs = sum(len(self.modele.parametres[chemin].values_list) for chemin in chemins)
            lignes.append(f"| [{titre}]({theme}.md) | {len(chemins)} | {valeurs} |")
        return "\n".join(lignes)

    def page(self, theme):
        """Page of a file of parameters: history, texts, confidence, doubts, readers."""
        depuis, chemins = f"parametres/{theme}.md", self.themes[theme]
        noeud = self.modele.noeud(theme.replace("/", "."))
        lignes = [f"# {noeud.description}", "", f"Fichier `openfisca_fds/parameters/{theme}.yaml`.", ""]
        for doute in (getattr(noeud, "metadata", None) or {}).get("doutes", []):
            lignes += [f"- {une_ligne(doute)}"]
        lignes.append("")
        if len(chemins) > LIGNES_D_UN_THEME:
            return "\n".join([*lignes, *self._liste(depuis, theme, chemins)])
        for chemin in chemins:
            lignes += self._parametre(depuis, theme, chemin)
        return "\n".join(lignes)

    def _parametre(self, depuis, theme, chemin):
        parametre = self.modele.parametres[chemin]
        metadonnees = parametre.metadata or {}
        titre = parametre.description if chemin != theme.replace("/", ".") else "Valeurs"
        lignes = [f"## {titre} {{#{ancre(chemin)}}}", "", f"`{chemin}`", ""]
        if metadonnees.get("notes"):
            lignes += [une_ligne(metadonnees["notes"]), ""]
        doute = self.doute(chemin)
        if doute:
            lignes += [f'!!! question "{guillemets(doute[0])}"', "", *decaler([doute[1] or "Voir le texte."]), ""]
        lignes += ["| Depuis | Valeur | Confiance | Texte |", "|---|---|---|---|"]
        for datee in sorted(parametre.values_list, key=lambda valeur: valeur.instant_str):
            lignes.append(self._valeur_datee(chemin, datee))
        lignes.append("")
        lecteurs = self.modele.lue_par.get(chemin, [])
        lignes += [f"Lu par : {self.liens(depuis, 'variable', lecteurs)}.", ""] if lecteurs else []
        return lignes

    def _valeur_datee(self, chemin, datee):
        metadonnees = datee.metadata or {}
        texte = self.textes(chemin, metadonnees)
        for version in metadonnees.get("versions_anterieures") or []:
            ancienne = self.valeur(chemin, version["value"])
            texte += f"<br>Avant : {ancienne} (décret n° {version['decret']}, {_jour(version['en_vigueur'])})"
        if metadonnees.get("en_vigueur"):
            texte += f"<br>En vigueur le {_jour(metadonnees['en_vigueur'])}"
        confiance = badge(metadonnees["confiance"]) if "confiance" in metadonnees else ""
        valeur = self.valeur(chemin, datee.value, entiere=True)
        return f"| {ecriture.mois(datee.instant_str)} | {valeur} | {confiance} | {texte} |"

    def _liste(self, depuis, theme, chemins):
        """One table for a long list of lines (an annexe)."""
        lecteurs = list(dict.fromkeys(nom for chemin in chemins for nom in self.modele.lue_par.get(chemin, [])))
        lignes = [f"Lus par : {self.liens(depuis, 'variable', lecteurs)}.", ""] if lecteurs else []
        lignes += ["| Ligne | Depuis | Codes | Confiance | Texte |", "|---|---|---|---|---|"]
        for chemin in chemins:
            parametre = self.modele.parametres[chemin]
            for rang, datee in enumerate(sorted(parametre.values_list, key=lambda valeur: valeur.instant_str)):
                metadonnees = datee.metadata or {}
                court_nom = chemin.removeprefix(theme.replace("/", ".") + ".")
                titre = f'<span id="{ancre(chemin)}"></span>`{court_nom}`<br>{cellule(parametre.description or "")}'
                confiance = metadonnees.get("confiance") or (parametre.metadata or {}).get("confiance")
                cellules = [
                    titre if rang == 0 else "",
                    ecriture.mois(datee.instant_str),
                    self.valeur(chemin, datee.value, entiere=True),
                    badge(confiance) if confiance else "",
                    self.textes(chemin, metadonnees),
                ]
                lignes.append(f"| {' | '.join(cellules)} |")
        return lignes

    def doutes(self, depuis):
        """Table of the doubts that the parameters bear."""
        lignes = ["| Question | Lectures | Paramètre |", "|---|---|---|"]
        for chemin in self.modele.parametres:
            doute = self.doute(chemin)
            if doute:
                lien = self.lien(depuis, "parametre", chemin, f"`{court(chemin)}`")
                lignes.append(f"| {cellule(doute[0])} | {cellule(doute[1])} | {lien} |")
        return "\n".join(lignes)


def _jour(texte):
    return ecriture.jour(texte if isinstance(texte, date) else date.fromisoformat(str(texte)))
