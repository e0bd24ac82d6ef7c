"""Write ``docs/evidence.md``: what was tried on the model and what came of it (``make evidence``).

The long checks keep their results in ``docs/evidence/*.json``, each with its date, machine and versions; this script
puts them on one page, with the counts that it takes from the sources themselves. A check that was never run shows as
such. ``tests/code_health/test_evidence.py`` compares the page with what this script would write.

    python scripts/evidence.py            write the page from the results
    python scripts/evidence.py --rules    run bite.py first and keep its scores (some minutes)
"""

import argparse
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import yaml
from constat import DOSSIER, ecrire, lire
from openfisca_core.parameters import Parameter

from openfisca_fds import CountryTaxBenefitSystem

RACINE = Path(__file__).resolve().parents[1]
TESTS = RACINE / "tests"
PAGE = RACINE / "docs" / "evidence.md"
FINE = "\u202f"  # narrow no-break space
ENTETE = """# Preuves

Page produite par `python scripts/evidence.py` ; ne pas la modifier à la main. Elle dit ce qui a été essayé contre le
modèle et ses outils, et ce qui en est sorti. Chaque mesure porte sa date, sa machine et ses versions ; ses résultats
complets sont dans `docs/evidence`. Rien ici ne mesure si le modèle décrit bien ce qui fut payé : voir le
rapport de confrontation aux chiffres publiés. Le [parcours d'un nouveau venu](parcours.md) rejoue le README dans un
clone neuf ; l'[exploitation](exploitation/README.md) donne le débit du serveur.
"""


def nombre(valeur) -> str:
    """Write an integer the French way."""
    return f"{valeur:,}".replace(",", FINE)


def tableau(titres, lignes, droite=()) -> list[str]:
    """Lay a table in Markdown; ``droite``: ranks of the columns of numbers."""
    regles = ["---:" if rang in droite else "---" for rang in range(len(titres))]
    toutes = [titres, regles, *lignes]
    return [f"| {' | '.join(str(cellule).replace('|', '·') for cellule in ligne)} |" for ligne in toutes]


def circonstances(resultats) -> str:
    """Say when and where a check was run."""
    versions = ", ".join(f"{nom} {version}" for nom, version in resultats["versions"].items())
    return f"*{resultats['date']}, {resultats['machine']} ; {versions}.*"


# ---- counted in the sources ----


def cas_par_fichier() -> dict[str, int]:
    """Count the YAML cases of each file: {path below tests: cases}."""
    comptes = {}
    for fichier in sorted(TESTS.rglob("*.yaml")):
        if "donnees" in fichier.parts:
            continue
        contenu = yaml.safe_load(fichier.read_text(encoding="utf-8"))
        comptes[fichier.relative_to(TESTS).as_posix()] = len(contenu) if isinstance(contenu, list) else 1
    return comptes


def taille_du_droit() -> dict[str, int]:
    """Count variables, dated formulas, parameters and dated values."""
    systeme = CountryTaxBenefitSystem()
    parametres = [p for p in systeme.parameters.get_descendants() if isinstance(p, Parameter)]
    variables = systeme.variables.values()
    return {
        "variables": len(variables),
        "données d'entrée": sum(not variable.formulas for variable in variables),
        "formules datées": sum(len(variable.formulas) for variable in variables),
        "paramètres": len(parametres),
        "valeurs datées": sum(len(parametre.values_list) for parametre in parametres),
    }


def section_des_cas() -> list[str]:
    """Write the size of the law, and the cases of each file."""
    cas = cas_par_fichier()
    taille = {**taille_du_droit(), "cas YAML": sum(cas.values())}
    lignes = ["## Le droit et ses cas", ""]
    lignes += tableau(taille, [[nombre(n) for n in taille.values()]], range(len(taille)))
    lignes += ["", "Valeurs attendues écrites à la main d'après les textes, jamais d'après le modèle.", ""]
    return lignes + tableau(["Fichier de cas", "Cas"], [[f"`{nom}`", n] for nom, n in cas.items()], [1])


# ---- results of the long checks ----


def section_des_mutations(resultats) -> list[str]:
    """Write the mutants of the formulas, and the reasons of those that survive."""
    verdicts = resultats["verdicts"]
    tues, survivants = verdicts["tué"] + verdicts["erreur"], resultats["survivants"]
    score = f"{100 * tues / (tues + len(survivants)):.1f}".replace(".", ",")
    sans_raison = sum(survivant["raison"] is None for survivant in survivants)
    lignes = [
        circonstances(resultats),
        "",
        f"Chaque opérateur, comparaison, nombre et booléen du texte des formules est changé, un à la fois, par les "
        f"opérateurs de Cosmic Ray : {nombre(tues + len(survivants))} mutants, {nombre(tues)} tués par un cas YAML "
        f"({nombre(verdicts['erreur'])} parce que le calcul échoue), {nombre(len(survivants))} survivants, dont "
        f"{nombre(sans_raison)} sans explication. Score : {score} %.",
        "",
    ]
    raisons = Counter(survivant["raison"] or "à examiner" for survivant in survivants)
    lignes += tableau(["Raison d'un survivant", "Mutants"], [[r, n] for r, n in raisons.most_common()], [1])
    par_module = [
        [f"`{m['module']}`", m["tué"] + m["erreur"], m["survit"]] for m in resultats["modules"] if m["survit"]
    ]
    return [*lignes, "", *tableau(["Module où il en reste", "Tués", "Survivants"], par_module, [1, 2])]


def section_des_regles(resultats) -> list[str]:
    """Write the mutants of the conditions and of the values of parameters."""
    lignes = [circonstances(resultats), "", "Le droit est cassé règle à règle ; un cas YAML doit rougir.", ""]
    return lignes + tableau(["Ce qui est cassé", "Tués", "Sur"], resultats["groupes"], [1, 2])


def section_de_l_oracle(resultats) -> list[str]:
    """Write the comparison with the second reading of the law."""
    mois = resultats["par_mois"]
    return [
        circonstances(resultats),
        "",
        "Une seconde lecture des textes, scalaire et en arithmétique exacte, écrite sans avoir lu les variables. "
        f"{nombre(resultats['entreprises'])} entreprises tirées aux seuils, {len(mois)} comparaisons (24 mois, "
        f"volet 2, multi-activités), toutes leurs sorties au demi-centime : "
        f"**{nombre(resultats['desaccords'])} désaccord{'s' if resultats['desaccords'] > 1 else ''}**.",
    ]


def section_des_entrees(resultats) -> list[str]:
    """Write the hostile inputs and their outcomes."""
    surfaces = resultats["surfaces"]
    total = sum(surface["calculées"] + surface["refusées"] for surface in surfaces)
    lignes = [
        circonstances(resultats),
        "",
        f"{nombre(total)} entrées abîmées ou tirées au hasard (Hypothesis). Chacune est calculée, ou refusée par un "
        f"message ; tests en faute : {resultats['fautes']}.",
        "",
    ]
    return lignes + tableau(
        ["Entrée", "Calculées", "Refusées"], [[s["surface"], s["calculées"], s["refusées"]] for s in surfaces], [1, 2]
    )


def section_des_pannes(resultats) -> list[str]:
    """Write the faults provoked and survived."""
    lignes = [
        circonstances(resultats),
        "",
        f"Sur {nombre(resultats['entreprises'])} entreprises et deux processus. Après chaque panne : rien à moitié "
        "écrit, aucun processus laissé, et la même commande finit avec les mêmes octets qu'un calcul sans panne.",
        "",
    ]
    pannes = [
        [p["panne"], p["sens"], p["survecus"], "aucun" if p["echec"] is None else p["echec"].splitlines()[0][:100]]
        for p in resultats["pannes"]
    ]
    return lignes + tableau(["Panne", "Ce qui est fait", "Survécues", "Échec"], pannes, [2])


def section_du_paquet(resultats) -> list[str]:
    """Write how what is released was checked."""
    fichiers = [
        [f"`{f['fichier']}`", nombre(f["octets"]), f"`{f['sha256'][:16]}…`", "oui" if f["reproductible"] else "non"]
        for f in resultats["fichiers"]
    ]
    installation, licences = resultats["installation"], Counter(p["licence"] for p in resultats["licences"])
    lignes = [circonstances(resultats), ""]
    lignes += tableau(["Fichier", "Octets", "SHA-256", "Deux constructions, mêmes octets"], fichiers, [1])
    lignes += [
        "",
        f"- Installé hors ligne dans un environnement vide ({installation['paquets']} paquets), puis "
        f"`openfisca-fds simulate` lancé loin des sources : {nombre(installation['entreprises'])} entreprises.",
        f"- Nomenclature CycloneDX : {resultats['composants']} composants. `pip-audit` : {resultats['audit']}.",
        f"- Licences : {', '.join(f'{nom} ({n})' for nom, n in licences.most_common())}.",
    ]
    return lignes + [
        f"- Python {p['python']}, tests unitaires et cas du droit : {p['bilan']}." for p in resultats["pythons"]
    ]


SECTIONS = {  # file of results -> (title, what writes it, command that measures)
    "mutation": ("Mutations des formules", section_des_mutations, "scripts/mutation.py --json"),
    "regles": ("Mutations des règles et des valeurs", section_des_regles, "scripts/evidence.py --rules"),
    "oracle": ("Seconde lecture du droit", section_de_l_oracle, "scripts/evidence_oracle.py --json"),
    "entrees": ("Entrées hostiles", section_des_entrees, "-m pytest tests/fuzz (OFDS_EXEMPLES, OFDS_FUZZ_JSON)"),
    "pannes": ("Pannes", section_des_pannes, "scripts/faults.py --json"),
    "paquet": ("Ce qui est distribué", section_du_paquet, "scripts/release.py --json"),
}
LIMITES = """## Ce que ces preuves ne disent pas

- Une coupure de courant : les fichiers sont renommés entiers mais non forcés sur le disque ; un fichier tronqué du
  dossier de travail est reconnu à sa taille et refait, un résultat final tronqué l'est à la lecture seulement.
- Un CSV coupé au milieu de sa dernière cellule : rien ne le distingue d'un fichier entier. Parquet et Arrow le voient.
- Un Parquet de plus de 32 Mio dont une page ment : vérifié seulement quand des processus de calcul meurent.
- Un espace d'adressage limité à moins de 2 Gio (`ulimit -v`) : refusé d'une phrase au départ, car une bibliothèque qui
  ne peut créer un fil s'arrête ou attend sans fin ; au-delà, 43 calculs à 2 Gio ont tous abouti.
- Les fautes que deux lecteurs des mêmes fiches feraient ensemble : l'oracle et le modèle en partagent les sources.
"""


def page() -> str:
    """Give the text of the page."""
    lignes = [ENTETE, *section_des_cas(), ""]
    for nom, (titre, section, commande) in SECTIONS.items():
        resultats = lire(nom)
        lignes += [f"## {titre}", ""]
        lignes += section(resultats) if resultats else [f"Jamais mesuré : `python {commande}`."]
        lignes.append("")
    return "\n".join([*lignes, LIMITES])


def mesurer_les_regles() -> None:
    """Run bite.py and keep its scores."""
    fini = subprocess.run([sys.executable, RACINE / "scripts" / "bite.py"], capture_output=True, text=True)
    groupes = re.findall(r"^(.+) : (\d+) tués sur (\d+)$", fini.stdout, re.M)
    if not groupes:
        raise SystemExit(fini.stdout[-2000:] + fini.stderr[-2000:])
    ecrire(DOSSIER / "regles.json", code=fini.returncode, groupes=[[g, int(t), int(n)] for g, t, n in groupes])


def main() -> int:
    """Write the page."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--rules", action="store_true", help="run bite.py first")
    if arguments.parse_args().rules:
        mesurer_les_regles()
    PAGE.write_text(page(), encoding="utf-8")
    print(PAGE.relative_to(RACINE))
    return 0


if __name__ == "__main__":
    sys.exit(main())
