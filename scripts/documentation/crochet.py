"""MkDocs hook: adds the pages that come from the model and from other folders, and keeps every link inside the site.

Nothing generated is written in ``docs``: the pages exist for the time of a build, so that none can be out of date.
"""

import logging
import posixpath
import re

from mkdocs.structure.files import File
from modele import RACINE, Modele
from pages import toutes_les_pages
from parametres import Parametres

# Files of the repository shown as pages of the site, and folders from which pages are made. A page written by hand
# links to the file or to the folder, that its reader sees on a forge; the site has the page instead.
MONTRES = {
    "CHANGELOG.md": "developers/changelog.md",
    "CONTRIBUTING.md": "developers/contributing.md",
    "benchmarks/results.md": "mesures.md",
    "examples/reformes": "reformes.md",
    "openfisca_fds/nomenclatures": "dictionnaire/codes.md",
    "openfisca_fds/parameters": "parametres/index.md",
    "openfisca_fds/variables/entreprise": "dictionnaire/entrees.md",
    "openfisca_fds/variables/fonds_de_solidarite": "dictionnaire/sorties.md",
    "openfisca_fds/variables/fonds_de_solidarite/volet_1": "droit/index.md",
    "openfisca_fds_tools/publie/donnees/LISEZMOI.md": "sources_publiees.md",
    "openfisca_fds_tools/synthetic/donnees/LISEZMOI.md": "sources.md",
    "openfisca_fds_tools/synthetic/donnees/calendrier/LISEZMOI.md": "sources_calendrier.md",
}
ARTICLE = re.compile(r"openfisca_fds/variables/.*/(article_\w+)\.py")
LIEN = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")
BLOC = re.compile(r"^( *)(```+).*?^\1\2$", re.M | re.S)
ICI = "<!-- doutes -->"  # where docs/doutes.md receives the table of the doubts that parameters bear
JOURNAL = logging.getLogger("mkdocs.hooks.site")  # a warning fails a strict build
_pages = {}


def on_config(config):
    """Read the model, and put the generated pages in the navigation, at the places that ``mkdocs.yml`` names ``@…``."""
    modele = Modele()
    _pages.clear()
    _pages.update(toutes_les_pages(modele), doutes=Parametres(modele).doutes("doutes.md"))
    config.nav = _naviguer(config.nav)
    return config


def _naviguer(entrees):
    """Replace every ``@folder`` by the generated pages of that folder, and drop what does not exist.

    A name badly written is seen all the same: the page that it means is then out of the navigation, which is refused.
    """
    nouvelles = []
    for entree in entrees:
        if isinstance(entree, dict):
            for titre, contenu in entree.items():
                garde = _naviguer(contenu if isinstance(contenu, list) else [contenu])
                nouvelles += [{titre: garde if isinstance(contenu, list) else garde[0]}] if garde else []
        elif entree.startswith("@"):
            dossier = entree.removeprefix("@") + "/"
            nouvelles += [page for page in _pages if page.startswith(dossier) and not page.endswith("index.md")]
        elif entree in _pages or entree in MONTRES.values() or (RACINE / "docs" / entree).is_file():
            nouvelles.append(entree)
    return nouvelles


def on_files(files, config):
    """Add the generated pages, and the files shown from other folders."""
    for chemin, texte in _pages.items():
        if chemin != "doutes":
            files.append(File.generated(config, chemin, content=texte))
    for source, chemin in MONTRES.items():
        if source.endswith(".md"):
            texte = relier((RACINE / source).read_text(encoding="utf-8"), posixpath.dirname(source), chemin)
            files.append(File.generated(config, chemin, content=texte))
    return files


def on_page_markdown(markdown, page, **_):
    """Bring the links of a written page inside the site, and give the page of doubts its table."""
    if page.file.generated_by:
        return markdown
    chemin = page.file.src_uri
    return relier(markdown, posixpath.dirname(f"docs/{chemin}"), chemin).replace(ICI, _pages["doutes"])


def on_page_content(html, page, **_):
    """Say that the pages for developers are in English."""
    return f'<div lang="en">{html}</div>' if page.file.src_uri.startswith("developers/") else html


def on_post_page(output, **_):
    """Name the dialog of the search, that the theme leaves without a name for a screen reader."""
    dialogue = 'data-md-component="search" role="dialog"'
    return output.replace(dialogue, f'{dialogue} aria-label="Rechercher"')


def relier(texte, dossier, page):
    """Turn the links of a file of the repository into links of a page of the site.

    Args:
        texte: Markdown.
        dossier: folder of the file in the repository, that its links start from.
        page: path of the page.

    Returns:
        Markdown where a link to a file that the site does not show is its text alone. A link to nothing is reported,
        which fails a strict build.
    """

    def remplacer(trouve):
        libelle, cible, ancre = trouve.groups()
        if ":" in cible:
            return trouve[0]
        chemin = posixpath.normpath(posixpath.join(dossier, cible))
        article = ARTICLE.fullmatch(chemin)
        dans_le_site = f"droit/{article[1]}.md" if article else MONTRES.get(chemin)
        if chemin.startswith("docs/") and not (RACINE / chemin).is_dir():
            dans_le_site = chemin.removeprefix("docs/")
        if dans_le_site:
            return f"[{libelle}]({posixpath.relpath(dans_le_site, posixpath.dirname(page))}{ancre or ''})"
        if not (RACINE / chemin).exists():
            JOURNAL.warning("%s : lien mort vers « %s »", page, cible)
        return libelle

    morceaux, debut = [], 0
    for bloc in BLOC.finditer(texte):  # code is left as it is
        morceaux += [LIEN.sub(remplacer, texte[debut : bloc.start()]), bloc[0]]
        debut = bloc.end()
    return "".join([*morceaux, LIEN.sub(remplacer, texte[debut:])])
