"""Every generated page of the site, by the rooms that write them."""

import yaml
from articles import Articles
from balises import une_ligne
from dictionnaire import Dictionnaire
from modele import RACINE, Modele
from parametres import Parametres
from reference import pages_de_reference


def toutes_les_pages(modele: Modele) -> dict[str, str]:
    """Path of each generated page in the site, and its Markdown."""
    pages = {"reformes.md": reformes()}
    for salle in (Articles, Dictionnaire, Parametres):
        pages |= salle(modele).pages()
    return pages | pages_de_reference()


def reformes():
    """Show the reforms of the folder ``examples/reformes``, as they are written."""
    lignes = [
        "# Réformes fournies",
        "",
        "Chacune est un fichier de `examples/reformes`. Comment en écrire une et la chiffrer : "
        "[scénarios](scenarios.md).",
        "",
    ]
    for chemin in sorted((RACINE / "examples" / "reformes").glob("*.yaml")):
        texte = chemin.read_text(encoding="utf-8")
        contenu = yaml.safe_load(texte)
        lignes += [f"## {contenu['nom']} {{#{chemin.stem}}}", "", une_ligne(contenu.get("description", "")), ""]
        lignes += [f'```yaml title="examples/reformes/{chemin.name}"', texte.rstrip(), "```", ""]
    return "\n".join(lignes)
