"""Write ``docs/couverture.md``: article × paragraph → variable → parameters → cases → confidence.

The paragraphs and the variables that apply them are declared in ``paragraphes.yaml``; the rest is measured. Every YAML
case is run under trace. A case counts for a variable when it asserts an output of the article for one of its months,
and the variable took part in that output. For a condition, what matters is the cases where it is *not* met. A paragraph
without variable, or whose variable no case tests, shows as a hole.

    python scripts/coverage.py           write the page
    python scripts/coverage.py --check   exit code 1 if there is a hole
"""

import argparse
import sys
from collections import defaultdict
from dataclasses import dataclass, field

import yaml
from cas import RACINE, SYSTEME, Banc, Lectures, charger_les_cas, valeur_en_vigueur

from openfisca_fds_tools.citations import CONFIANCES, dans_l_article, moindre
from openfisca_fds_tools.web import paragraphes

PARAGRAPHES = RACINE / "openfisca_fds_tools" / "web" / "paragraphes.yaml"
PAGE = RACINE / "docs" / "couverture.md"
INTROUVABLE = "NOT FOUND"
ENTETE = """# Couverture du droit

Page produite par `python scripts/coverage.py` ; ne pas la modifier à la main.

Pour chaque paragraphe : les variables qui l'appliquent, les paramètres qu'elles lisent (valeurs des mois de l'article),
les cas YAML qui les éprouvent, et la confiance. **Cas** : nombre de cas qui vérifient une sortie de l'article et où la
variable intervient ; pour une condition, après la barre, nombre de ceux où elle n'est pas remplie. **Confiance** : du
texte, puis de la moins sûre des valeurs lues, telle que l'article la fixe. T : texte officiel lu ; S : source
secondaire ; M : mémoire.
« NOT FOUND » : le paragraphe existe et son contenu n'a pas été trouvé. **TROU** : rien ne l'applique ou ne l'éprouve.
"""


@dataclass
class Usage:
    """What the cases show of one variable within one article."""

    cas: set = field(default_factory=set)
    contraires: set = field(default_factory=set)
    parametres: dict = field(default_factory=dict)


def lire_les_paragraphes():
    """Read {article: declaration}, the shared anchors left out."""
    declarations = yaml.safe_load(PARAGRAPHES.read_text(encoding="utf-8"))
    return {cle: valeur for cle, valeur in declarations.items() if not cle.startswith("_")}


def sorties(article, declaration):
    """List the outputs that an article's cases assert."""
    propres = declaration.get("sorties") or [f"fds_article_{article}_eligible", f"fds_article_{article}_montant"]
    return [*propres, "fds_volet_1"] if "sorties" not in declaration else propres


def mesurer(declarations):
    """Run every case under trace.

    Returns:
        {(article, variable): :class:`Usage`}.

    """
    banc = Banc(charger_les_cas())
    simulation = banc.verifier()
    lectures = Lectures(simulation)
    usages = defaultdict(Usage)
    for article, declaration in declarations.items():
        if not declaration["mois"]:
            continue
        variables = {nom for paragraphe in declaration["paragraphes"].values() for nom in noms(paragraphe)}
        assertables = variables | set(sorties(article, declaration))
        for rang, cas in enumerate(banc.cas):
            for sortie, _, periode, _, _ in cas.attentes:
                if sortie not in assertables or not _est_du_mois(str(periode)[:7], declaration):
                    continue
                for nom, mois in lectures.atteintes(sortie, periode):
                    if nom in variables and (mois is None or _est_du_mois(mois, declaration)):
                        usage = usages[article, nom]
                        usage.cas.add(cas.nom)
                        lus = lectures.parametres[nom, mois]
                        usage.parametres |= {lu: _confiance(article, lu, jour) for lu, jour in lus}
                        if _manque(simulation, banc.tranches[rang], nom, mois or declaration["mois"][0]):
                            usage.contraires.add(cas.nom)
    return usages


def _manque(simulation, tranches, nom, mois):
    """Tell whether a condition is not met by every enterprise of a case."""
    variable = SYSTEME.get_variable(nom)
    return variable.value_type is bool and not simulation.calculate(nom, mois)[tranches[variable.entity.key]].all()


def noms(paragraphe):
    """Variables of a paragraph; none for one that was not found."""
    return [] if paragraphe == INTROUVABLE else paragraphe["variables"]


def _est_du_mois(mois, declaration):
    premier, dernier = declaration["mois"]
    return premier <= mois <= dernier


def _confiance(article, nom, instant):
    valeur = valeur_en_vigueur(nom, instant)
    return dans_l_article(valeur.metadata, *paragraphes.texte(article)) if valeur else CONFIANCES[0]


# ---- page ----


def ecrire_la_page(declarations, usages):
    """Return (text of the page, list of holes)."""
    lignes, trous = [], []
    for article, declaration in declarations.items():
        lignes += ["", f"## {declaration['titre']}", ""]
        lignes += ["| Paragraphe | Sens | Variable | Paramètres | Cas | Confiance |", "|---|---|---|---|---|---|"]
        for nom, paragraphe in declaration["paragraphes"].items():
            if paragraphe == INTROUVABLE:
                lignes.append(f"| {nom} | {INTROUVABLE} | | | | |")
                continue
            for rang, variable in enumerate(paragraphe["variables"]):
                usage = usages.get((article, variable), Usage())
                ligne, trou = _ligne(variable, usage, paragraphe)
                sens = paragraphe["sens"] if rang == 0 else ""
                lignes.append(f"| {nom if rang == 0 else ''} | {sens} | {ligne}")
                trous += [f"{declaration['titre']}, {nom} : {variable} ({trou})"] if trou else []
    sommaire = ["", "## Trous", "", *([f"- {trou}" for trou in trous] or ["Aucun."])]
    return "\n".join([ENTETE.rstrip(), *sommaire, *lignes, ""]), trous


def _ligne(nom, usage, paragraphe):
    """Return (cells of one variable, what is missing or an empty string)."""
    variable = SYSTEME.get_variable(nom)
    if variable is None:
        raise SystemExit(f"paragraphes.yaml : variable « {nom} » inconnue")
    trou = ""
    nombre = str(len(usage.cas))
    if variable.value_type is bool:
        nombre += f" / {len(usage.contraires)}"
    if not usage.cas:
        trou = "aucun cas"
    elif variable.value_type is bool and variable.formulas and not usage.contraires:
        trou = "aucun cas où elle manque"
    parametres = ", ".join(f"`{chemin.removeprefix('fonds_de_solidarite.')}`" for chemin in _resume(usage.parametres))
    confiance = paragraphe["texte"]
    if usage.parametres:
        confiance += f", {moindre(usage.parametres.values())}"
    nombre = f"**TROU** {nombre}" if trou else nombre
    return f"`{nom}` | {parametres} | {nombre} | {confiance} |", trou


def _resume(parametres):
    """Names of parameters, the lines of one list brought to one name."""
    return sorted({chemin.partition(".ligne_")[0] for chemin in parametres})


def main():
    """Write the page, or check that it has no hole."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--check", action="store_true", help="exit code 1 if there is a hole")
    options = arguments.parse_args()
    declarations = lire_les_paragraphes()
    texte, trous = ecrire_la_page(declarations, mesurer(declarations))
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(texte, encoding="utf-8")
    print(f"{PAGE.relative_to(RACINE)} : {len(trous)} trous")
    print("\n".join(trous))
    return 1 if options.check and trous else 0


if __name__ == "__main__":
    sys.exit(main())
