"""The pages of the articles: conditions in the order of the text, decision, parameters, doubts, cases, code."""

from balises import CONFIANCES, badge, cellule, decaler, intervalle
from modele import MOIS
from ouvrage import LIGNES_CITEES, Ouvrage

from openfisca_fds_tools.citations import dans_l_article
from openfisca_fds_tools.explain import ecriture
from openfisca_fds_tools.web.paragraphes import texte

INTROUVABLE = "NOT FOUND"


class Articles(Ouvrage):
    """Index of the articles, and one page for each."""

    def pages(self):
        """Path of each page in the site, and its Markdown."""
        articles = {f"droit/article_{cle}.md": self.article(cle) for cle in self.modele.articles}
        return {"droit/index.md": self.index()} | articles

    def index(self):
        """Index of the articles, with the months of each."""
        lignes = [
            "---",
            "hide: [toc]",
            "---",
            "# Le droit, article par article",
            "",
            "Chaque page est tirée du modèle : les conditions dans l'ordre du texte, la formule de chacune en toutes "
            "lettres, les paramètres avec leur confiance, les points douteux et les cas qui éprouvent l'article. "
            "Une case pleine : l'article ouvre une aide pour ce mois. Chaque paragraphe et chaque valeur dit sa "
            "confiance : " + ", ".join(f"{badge(lettre)} {sens}" for lettre, sens in CONFIANCES.items()) + ".",
            "",
            '<div class="calendrier" markdown>',
            "",
            "| Article | " + " | ".join(_tete_de_mois(mois) for mois in MOIS) + " |",
            "|---|" + ":-:|" * len(MOIS),
        ]
        for cle, declaration in self.modele.articles.items():
            ouverts = set(mois_de(declaration)) if declaration["mois"] else set()
            uniques = "sorties" in declaration and len(ouverts) == len(MOIS)
            cases = " | ".join("■" if mois in ouverts and not uniques else "" for mois in MOIS)
            titre = declaration["titre"] + (" (une fois)" if uniques else "")
            lignes.append(f"| [{cellule(titre)}](article_{cle}.md) | {cases} |")
        lignes += ["", "</div>", "", "Voir aussi la [couverture](../couverture.md), paragraphe par paragraphe."]
        return "\n".join(lignes)

    def article(self, cle):
        """Page of an article: conditions in the order of the text, decision, parameters, doubts, cases, code."""
        declaration, depuis = self.modele.articles[cle], f"droit/article_{cle}.md"
        mois = mois_de(declaration)
        lignes = [f"# {declaration['titre']}", ""]
        if not mois:
            return "\n".join([*lignes, "L'article existe ; son contenu n'a pas été trouvé, rien ne l'applique."])
        sorties = sorties_de(cle, declaration)
        noms = [n for p in declaration["paragraphes"].values() if p != INTROUVABLE for n in p["variables"]]
        noms = list(dict.fromkeys([*noms, *sorties]))
        lignes += self._fiche(depuis, cle, sorties, noms, mois)
        lignes += ["", "## Dans l'ordre du texte", ""]
        for nom, paragraphe in declaration["paragraphes"].items():
            lignes += self._paragraphe(depuis, nom, paragraphe, mois)
        lignes += ["## La décision", ""]
        for sortie in sorties:
            lignes += [f"### {self._libelle(sortie, mois)}", "", self.formules(depuis, sortie, mois), ""]
            lignes += [f"Calcul : {self.lien(depuis, 'variable', sortie)}.", ""]
        lus = list(self.modele.parametres_lus(noms, mois))
        lignes += self._parametres_de_l_article(depuis, cle, lus, mois)
        lignes += self._doutes(depuis, lus)
        lignes += self._cas(cle, noms, mois)
        lignes += self._code(cle)
        return "\n".join(lignes)

    def _fiche(self, depuis, cle, sorties, noms, mois):
        """Head of the page: months, texts, outputs, least sure value."""
        references = list(dict.fromkeys(reference for nom in sorties for reference in self.references(nom)))
        confiances = [
            dans_l_article(valeur.metadata, *texte(cle))
            for chemin in self.modele.parametres_lus(noms, mois)
            for un_mois in mois
            if (valeur := self.modele.valeur(chemin, un_mois)) is not None and "confiance" in (valeur.metadata or {})
        ]
        lignes = ['<div class="fiche" markdown>', "", "| | |", "|---|---|"]
        lignes.append(f"| **Mois** | {intervalle((mois[0], mois[-1]))} |")
        lignes.append(f"| **Texte** | {'<br>'.join(references)} |")
        lignes.append(f"| **Sorties** | {', '.join(self.lien(depuis, 'variable', nom) for nom in sorties)} |")
        if confiances:
            lignes.append(f"| **Valeur la moins sûre** | {badge(max(confiances, key=list(CONFIANCES).index))} |")
        return [*lignes, "", "</div>"]

    def _paragraphe(self, depuis, nom, paragraphe, mois):
        """Section of a paragraph: what it asks, how the text is known, its variables and their formulas."""
        if paragraphe == INTROUVABLE:
            return [f"### {nom}", "", "Le paragraphe existe ; son contenu n'a pas été trouvé.", ""]
        titre = ecriture.typographie(f"### {nom} — {paragraphe['sens']}")
        lignes = [titre, "", f"Texte : {badge(paragraphe['texte'])}", ""]
        for variable in paragraphe["variables"]:
            lignes += [f"**{self._libelle(variable, mois)}** ({self.lien(depuis, 'variable', variable)})", ""]
            formules = self.formules(depuis, variable, mois)
            lignes += [formules or "- valeur donnée par l'entreprise", ""]
            lignes += self.parametres_lus(depuis, self.modele.parametres_lus([variable], mois), longs=True)
        return lignes

    def _libelle(self, nom, mois):
        """Label of a variable; where it is the same in every month of the article, without what it says of others."""
        libelle = self.variables[nom].label
        dits = {ecriture.du_mois(libelle, un_mois) for un_mois in mois}
        return (dits.pop() if len(dits) == 1 else "") or libelle

    def _parametres_de_l_article(self, depuis, cle, chemins, mois):
        par_theme = self.par_theme(chemins)
        if not par_theme:
            return []
        lignes = ["## Les paramètres", "", "| Paramètre | Valeur | Confiance | Décret |", "|---|---|---|---|"]
        for theme, siens in par_theme.items():
            if len(siens) > LIGNES_CITEES:
                lignes.append(f"| {self.lien_du_theme(depuis, theme)} | {len(siens)} lignes | | |")
            else:
                lignes += [self._ligne_de_parametre(depuis, cle, chemin, mois) for chemin in siens]
        return [*lignes, ""]

    def _ligne_de_parametre(self, depuis, cle, chemin, mois):
        """Row of a parameter: its successive values over some months, and how far the article's own text is known."""
        datees = {un_mois: self.modele.valeur(chemin, un_mois) for un_mois in mois}
        groupes = []
        for un_mois, datee in datees.items():
            valeur = self.valeur(chemin, datee.value) if datee is not None else "–"
            if groupes and groupes[-1][0] == valeur:
                groupes[-1][1][1] = un_mois
            else:
                groupes.append((valeur, [un_mois, un_mois]))
        valeurs = "<br>".join(
            valeur if len(groupes) == 1 else f"{valeur} ({intervalle(bornes)})" for valeur, bornes in groupes
        )
        metadonnees = [datee.metadata or {} for datee in datees.values() if datee is not None]
        confiances = sorted(
            {dans_l_article(m, *texte(cle)) for m in metadonnees if "confiance" in m}, key=list(CONFIANCES).index
        )
        decrets = dict.fromkeys(str(m["decret"]) for m in metadonnees if "decret" in m)
        titre = self.lien(depuis, "parametre", chemin, cellule(self.modele.parametres[chemin].description))
        badges = " ".join(map(badge, confiances))
        return f"| {titre} | {valeurs} | {badges} | {', '.join(decrets)} |"

    def _doutes(self, depuis, chemins):
        lignes = []
        for chemin in chemins:
            doute = self.doute(chemin)
            if doute:
                lignes.append(f"- **{doute[0]}** {doute[1]} Paramètre : {self.lien(depuis, 'parametre', chemin)}.")
        return ["## Les points douteux", "", *lignes, ""] if lignes else []

    def _cas(self, cle, noms, mois):
        """Cases that assert an output proper to the article, in one of its months, or that are in its file."""
        propres = {nom for nom in noms if f"article_{cle}_" in nom} or set(noms)
        trouves = []
        for cas in self.modele.cas:
            verifies = sorted({nom for nom, un_mois in cas.attentes if nom in propres and un_mois in (*mois, "")})
            if verifies:
                trouves.append(f"| {cellule(cas.nom)} | `{cas.fichier}:{cas.ligne}` |")
        if not trouves:
            return []
        tete = f'??? example "{len(trouves)} cas YAML vérifient une sortie propre à l\'article"'
        return ["## Les cas", "", tete, "", *decaler(["| Cas | Fichier |", "|---|---|", *trouves]), ""]

    def _code(self, cle):
        """Source of the file of the article, to be read beside the decree."""
        candidats = [
            m for m in dict.fromkeys(self.modele.modules.values()) if m.rsplit("/", 1)[-1] in (f"article_{cle}", cle)
        ]
        if not candidats:
            return []
        code = ["```python", *self.modele.code(candidats[0]).splitlines(), "```"]
        tete = f'??? abstract "openfisca_fds/variables/{candidats[0]}.py"'
        return ["## Le code de l'article", "", tete, "", *decaler(code), ""]


def mois_de(declaration):
    """Months of an article, as a list."""
    premier, dernier = declaration["mois"] or ("9999", "")
    return [mois for mois in MOIS if premier <= mois <= dernier]


def sorties_de(cle, declaration):
    """List the outputs that an article decides."""
    return declaration.get("sorties") or [f"fds_article_{cle}_eligible", f"fds_article_{cle}_montant"]


def _tete_de_mois(mois):
    return f"{mois[5:]}<br>{mois[2:4]}"
