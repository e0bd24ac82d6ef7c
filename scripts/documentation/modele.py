"""The model as the site reads it: variables, formulas month by month, parameters, cases, and who reads whom."""

import re
from collections import defaultdict
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import yaml
from openfisca_core import periods
from openfisca_core.parameters import Parameter
from openfisca_core.periods import ETERNITY

from openfisca_fds import COUNTRY_DIR, CountryTaxBenefitSystem
from openfisca_fds_tools.explain.lecteur import Lecteur
from openfisca_fds_tools.situation import construire, lire_yaml

RACINE = Path(__file__).resolve().parents[2]
PARAGRAPHES = RACINE / "openfisca_fds_tools" / "web" / "paragraphes.yaml"
DICTIONNAIRE = RACINE / "tests" / "donnees" / "dictionnaire.yaml"
CAS = RACINE / "tests"
SANS_CAS = {"donnees", "scenarios"}  # folders of tests whose YAML files are not cases of the law as it is
MOIS = [f"{annee}-{mois:02d}" for annee in (2020, 2021, 2022) for mois in range(1, 13)][2:26]
MOIS_DE_CREATION = [f"{annee}-{mois:02d}" for annee in (2019, 2020, 2021) for mois in range(1, 13)]

# Formulas are read through enterprises of every bracket of creation, so that each branch of the text is open to one of
# them: their values do not show, only the shape of the formula does.
CREATIONS = ["2015-01-01", *(f"{mois}-15" for mois in MOIS_DE_CREATION)]
EXEMPLES = {
    "entreprises": {
        f"e{rang:02d}": {
            "code_naf": "56.10A",
            "date_creation": creation,
            "chiffre_affaires": {"2019": 360000, "2020": 100000, "2021": 100000},
        }
        for rang, creation in enumerate(CREATIONS)
    }
}


@dataclass(frozen=True)
class Formule:
    """A formula over consecutive months where it reads the same.

    Attributes:
        mois: first and last month, or None for an ETERNITY variable.
        lecture: Lecture of its first month.
        lecteur: Lecteur of that month.
    """

    mois: tuple[str, str] | None
    lecture: object
    lecteur: Lecteur


@dataclass
class Cas:
    """A YAML case: where it is, what it is called, and the outputs that it asserts: {(variable, month): value}."""

    fichier: str
    ligne: int
    nom: str
    attentes: dict = field(default_factory=dict)


class Modele:
    """The law, read once for the whole site."""

    def __init__(self):
        self.systeme = CountryTaxBenefitSystem()
        simulation = construire(self.systeme, EXEMPLES, MOIS[0])
        self._lecteurs = {mois: Lecteur(simulation, 0, periods.period(mois)) for mois in MOIS}
        self._lectures = {}

    # ---- variables ----

    @cached_property
    def modules(self):
        """{variable: path of its file below ``variables``, without ``.py``}, in the order of the files."""
        dossier = COUNTRY_DIR / "variables"
        modules = {}
        for chemin in sorted(dossier.rglob("*.py"), key=_ordre):
            module = chemin.relative_to(dossier).with_suffix("").as_posix()
            modules.update(dict.fromkeys(re.findall(r"^class (\w+)\(", chemin.read_text("utf-8"), re.M), module))
        return {nom: module for nom, module in modules.items() if nom in self.systeme.variables}

    def titre_du_module(self, module):
        """First line of the docstring of a file of variables, without its full stop."""
        texte = (COUNTRY_DIR / "variables" / f"{module}.py").read_text(encoding="utf-8")
        return re.match(r'"""(.+?)(?:\.?"""|\.?\n)', texte)[1].removesuffix(".")

    def code(self, module):
        """Source of a file of variables."""
        return (COUNTRY_DIR / "variables" / f"{module}.py").read_text(encoding="utf-8")

    @cached_property
    def entrees(self):
        """Notes of the dictionary for each input, in its order: {variable: entry}."""
        return self._dictionnaire["entrees"]

    @cached_property
    def sorties(self):
        """Names of the public outputs, those of each article spelt out, in the order of the dictionary."""
        noms = []
        for nom in self._dictionnaire["sorties"]:
            motif = re.compile(nom.replace("XX", r"[\d_]+"))
            noms += [nom] if "XX" not in nom else [autre for autre in self.modules if motif.fullmatch(autre)]
        return noms

    def note(self, nom):
        """Note of the dictionary on a public variable, or an empty text."""
        modele = re.sub(r"fds_article_[\d_]+_(eligible|montant)", r"fds_article_XX_\1", nom)
        entree = self.entrees.get(nom) or self._dictionnaire["sorties"].get(modele) or {}
        return entree.get("note", "")

    @cached_property
    def _dictionnaire(self):
        return yaml.safe_load(DICTIONNAIRE.read_text(encoding="utf-8"))

    # ---- formulas ----

    def lecture(self, nom, mois):
        """Lecture of a variable for a month, None when it has no formula then."""
        cle = nom, self._mois(nom, mois)
        if cle not in self._lectures:
            lecteur = self._lecteurs[mois]
            self._lectures[cle] = lecteur.lecture(lecteur.variable(nom))
        return self._lectures[cle]

    def formules(self, nom, signature, mois=None):
        """List the formulas of a variable, consecutive months that read the same being one.

        Args:
            nom: variable.
            signature: function (Lecture, Lecteur, month) giving what is compared, usually the text.
            mois: months wanted; all those of the model by default.

        Returns:
            List of Formule; empty when the variable has no formula in these months.
        """
        if self.systeme.get_variable(nom).definition_period == ETERNITY:
            lecture = self.lecture(nom, MOIS[0])
            return [] if lecture is None else [Formule(None, lecture, self._lecteurs[MOIS[0]])]
        trouvees, precedente = [], None
        for un_mois in mois or MOIS:
            lecture, lecteur = self.lecture(nom, un_mois), self._lecteurs[un_mois]
            actuelle = None if lecture is None else signature(lecture, lecteur, un_mois)
            if actuelle is not None and actuelle == precedente:
                trouvees[-1] = replace(trouvees[-1], mois=(trouvees[-1].mois[0], un_mois))
            elif actuelle is not None:
                trouvees.append(Formule((un_mois, un_mois), lecture, lecteur))
            precedente = actuelle
        return trouvees

    @cached_property
    def lectures(self):
        """{(variable, month or None): (names of the variables read, paths of the parameters read)}, from a trace."""
        simulation = construire(self.systeme, EXEMPLES, MOIS[0])
        simulation.trace = True
        for mois in MOIS:
            for nom in self.modules:
                simulation.calculate(nom, mois)
        lectures = defaultdict(lambda: ({}, {}))
        attente = list(simulation.tracer.trees)
        while attente:
            noeud = attente.pop(0)
            variables, parametres = lectures[noeud.name, self._mois(noeud.name, str(noeud.period)[:7])]
            variables.update(dict.fromkeys(lue.name for lue in noeud.children if lue.name != noeud.name))
            parametres.update(dict.fromkeys(lu.name for lu in noeud.parameters))
            attente += noeud.children
        return lectures

    @cached_property
    def lus(self):
        """{variable: (variables read, parameters read)} over all months, each in the order of the formula."""
        lus = {nom: ({}, {}) for nom in self.modules}
        for (nom, _), (variables, parametres) in self.lectures.items():
            lus[nom][0].update(variables)
            lus[nom][1].update(parametres)
        return lus

    @cached_property
    def lue_par(self):
        """{variable or parameter: names of the variables that read it}."""
        lecteurs = defaultdict(list)
        for nom, (variables, parametres) in self.lus.items():
            for lue in (*variables, *parametres):
                lecteurs[lue].append(nom)
        return lecteurs

    def parametres_lus(self, noms, mois):
        """Parameters that some variables read in some months, directly: {path: None}, in the order of reading."""
        lus = {}
        for nom in noms:
            for un_mois in mois:
                lus |= self.lectures.get((nom, self._mois(nom, un_mois)), ({}, {}))[1]
        return lus

    def _mois(self, nom, mois):
        """Month of a calculation: None for an ETERNITY variable, computed once."""
        return None if self.systeme.get_variable(nom).definition_period == ETERNITY else mois

    # ---- parameters ----

    @cached_property
    def parametres(self):
        """{path: Parameter}, in the order of the tree."""
        return {
            feuille.name: feuille
            for feuille in self.systeme.parameters.get_descendants()
            if isinstance(feuille, Parameter)
        }

    def theme(self, chemin):
        """Path of the file of a parameter below ``parameters``, without ``.yaml``."""
        parties = chemin.split(".")
        for longueur in range(len(parties), 0, -1):
            if (COUNTRY_DIR / "parameters" / "/".join(parties[:longueur])).with_suffix(".yaml").is_file():
                return "/".join(parties[:longueur])
        raise LookupError(chemin)

    def noeud(self, chemin):
        """Node of the tree of parameters, by its dotted path."""
        return self._lecteurs[MOIS[0]].systeme_parametre(chemin)

    def valeur(self, chemin, mois):
        """Dated value of a parameter for a month of aid, or None before the first."""
        return next((v for v in self.parametres[chemin].values_list if v.instant_str[:7] <= mois), None)

    # ---- articles and cases ----

    @cached_property
    def articles(self):
        """{key: declaration of ``paragraphes.yaml``}, the shared anchors left out."""
        declarations = yaml.safe_load(PARAGRAPHES.read_text(encoding="utf-8"))
        return {cle: valeur for cle, valeur in declarations.items() if not cle.startswith("_")}

    @cached_property
    def cas(self):
        """Every YAML case of the law, in the order of the files."""
        trouves = []
        for chemin in sorted(CAS.rglob("*.yaml")):
            if SANS_CAS & set(chemin.relative_to(CAS).parts):
                continue
            contenu = lire_yaml(chemin)
            lignes = getattr(contenu, "lignes", {})
            for rang, cas in enumerate(contenu if isinstance(contenu, list) else [contenu]):
                attentes = dict(_attentes(cas.get("output") or {}, str(cas.get("period", "")), self.systeme.variables))
                fichier = chemin.relative_to(RACINE).as_posix()
                trouves.append(Cas(fichier, lignes.get(rang, 1), str(cas.get("name", "sans nom")), attentes))
        return trouves


def _ordre(chemin):
    """Place of a file among the others: article 3-3 before article 3-10."""
    return [
        (partie.rstrip("0123456789_"), list(map(int, re.findall(r"\d+", partie))))
        for partie in chemin.with_suffix("").parts
    ]


def _attentes(sorties, periode, variables):
    """Yield ((variable, month), value) of the outputs of a case, whatever the depth of their entity."""
    for cle, valeur in sorties.items():
        if cle not in variables:
            if isinstance(valeur, dict):
                yield from _attentes(valeur, periode, variables)
        elif isinstance(valeur, dict):
            yield from (((cle, str(mois)[:7]), attendue) for mois, attendue in valeur.items())
        else:
            yield (cle, periode[:7]), valeur
