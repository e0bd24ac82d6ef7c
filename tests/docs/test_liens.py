"""No Markdown file holds a dead link, read in the sources or on a forge; ``test_site`` does the same for the site."""

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from markdown_it import MarkdownIt

RACINE = Path(__file__).parents[2]
DOSSIERS = ("benchmarks", "docs", "examples", "openfisca_fds", "openfisca_fds_tools", "scripts", "tests")
FICHIERS = [*RACINE.glob("*.md"), *(chemin for nom in DOSSIERS for chemin in sorted((RACINE / nom).rglob("*.md")))]
MARKDOWN = MarkdownIt("commonmark").enable("table")


def lire(chemin):
    """Give the targets of the links and images of a file, and the anchors of its titles, named as forges do."""
    liens, ancres = [], []
    jetons = MARKDOWN.parse(chemin.read_text(encoding="utf-8"))
    for rang, jeton in enumerate(jetons):
        if jeton.type == "heading_open":
            titre = "".join(j.content for j in jetons[rang + 1].children if j.type in ("text", "code_inline"))
            ancres.append(re.sub(r"[^\w\- ]", "", titre.lower()).replace(" ", "-"))
        for dedans in jeton.children or ():
            liens += [dedans.attrGet(nom) for nom in ("href", "src") if dedans.attrGet(nom)]
    return liens, ancres


def liens_morts(chemin):
    """List the relative links of a file towards what does not exist."""
    morts = []
    for lien in lire(chemin)[0]:
        cible = urlsplit(lien)
        if cible.scheme or cible.netloc:
            continue
        visee = chemin.parent / unquote(cible.path) if cible.path else chemin
        ancre = unquote(cible.fragment)
        if not visee.exists() or (ancre and (visee.suffix != ".md" or ancre not in lire(visee)[1])):
            morts.append(lien)
    return morts


@pytest.mark.parametrize("chemin", FICHIERS, ids=lambda chemin: chemin.relative_to(RACINE).as_posix())
def test_aucun_lien_mort(chemin):
    assert liens_morts(chemin) == []


def test_un_lien_mort_est_vu(tmp_path):
    """Broken on purpose."""
    (tmp_path / "a.md").write_text("# Où ça ?\n\n## Le `code`\n", encoding="utf-8")
    page = tmp_path / "b.md"
    page.write_text(
        "[a](a.md#où-ça-) [b](a.md#code) [c](c.md) ![d](d.png) [e](a.md#le-code) [f](#f)\n\n|[g](g)|\n|-|\n"
    )
    assert liens_morts(page) == ["a.md#code", "c.md", "d.png", "#f", "g"]
