"""Pages of the public functions, one per room, that mkdocstrings fills from the docstrings."""

from modele import RACINE

SALLES = {"openfisca_fds": "The law", "openfisca_fds_tools": "What runs it"}
DEDANS = "variables"  # rules are documented by their own pages


def pages_de_reference():
    """Path of each page of reference, and its Markdown."""
    pages = {}
    for paquet, titre in SALLES.items():
        for dossier in sorted({chemin.parent for chemin in (RACINE / paquet).rglob("*.py")}):
            modules = [chemin for chemin in sorted(dossier.glob("*.py")) if _est_public(chemin)]
            if not modules or DEDANS in dossier.relative_to(RACINE).parts:
                continue
            nom = ".".join(dossier.relative_to(RACINE).parts)
            lignes = [f"# {nom}", "", f"{titre}.", ""]
            for chemin in modules:
                module = ".".join(chemin.relative_to(RACINE).with_suffix("").parts).removesuffix(".__init__")
                lignes += [f"## {module}", "", f"::: {module}", ""]
            pages[f"developers/reference/{nom}.md"] = "\n".join(lignes)
    return pages


def _est_public(chemin):
    """Tell whether a module has something to say: not an empty one."""
    return chemin.stat().st_size > 0
