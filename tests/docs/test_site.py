"""The site builds strict, without dead link or request outside, and its reference has every public function."""

import ast
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import yaml

RACINE = Path(__file__).parents[2]
CHARGEES = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("use", "href")}
FEUILLES = {"stylesheet", "icon", "preload", "preconnect", "dns-prefetch", "manifest"}  # links that a browser follows


class Page(HTMLParser):
    """What a page holds: its anchors, its links, what a browser loads for it."""

    def __init__(self, texte):
        super().__init__()
        self.ancres, self.liens, self.charges = set(), [], []
        self.feed(texte)

    def handle_starttag(self, tag, attrs):
        attributs = {cle: valeur or "" for cle, valeur in attrs}
        self.ancres |= {attributs[cle] for cle in ("id", "name") if cle in attributs}
        if tag == "a" and "href" in attributs:
            self.liens.append(attributs["href"])
        self.charges += [attributs[cle] for balise, cle in CHARGEES if balise == tag and cle in attributs]
        if tag == "link" and set(attributs.get("rel", "").split()) & FEUILLES:
            self.charges.append(attributs["href"])


def liens_morts(pages):
    """List the links of the pages towards a page or an anchor that does not exist."""
    morts = []
    for chemin, page in pages.items():
        for lien in page.liens:
            cible = urlsplit(lien)
            if cible.scheme or cible.netloc:
                continue
            visee = (chemin.parent / unquote(cible.path)).resolve() if cible.path else chemin
            ancre = unquote(cible.fragment)
            absente = ancre and visee in pages and ancre not in pages[visee].ancres and not ancre.startswith("__")
            if not visee.exists() or absente:
                morts.append((chemin.name, lien))
    return morts


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Build the site, as ``make docs`` does; a warning is a failure."""
    dossier = tmp_path_factory.mktemp("site").resolve()
    commande = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(dossier)]
    environnement = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    fini = subprocess.run(commande, cwd=RACINE, env=environnement, capture_output=True, text=True, timeout=300)
    assert fini.returncode == 0, fini.stdout + fini.stderr
    return dossier


@pytest.fixture(scope="module")
def pages(site):
    """Every page, that of a missing address excepted: it is served from anywhere, and starts from the root."""
    pages = (chemin for chemin in site.rglob("*.html") if chemin.name != "404.html")
    return {chemin: Page(chemin.read_text(encoding="utf-8")) for chemin in pages}


def test_aucun_lien_mort(pages):
    assert len(pages) > 100
    assert liens_morts(pages) == []


def test_un_lien_mort_est_vu(tmp_path):
    """Broken on purpose."""
    chemin = tmp_path / "a.html"
    chemin.write_text('<a href="b.html">b</a><a href="#c">c</a><a href="#d">d</a><i id="d"></i>', encoding="utf-8")
    assert liens_morts({chemin: Page(chemin.read_text("utf-8"))}) == [("a.html", "b.html"), ("a.html", "#c")]


def test_rien_n_est_demande_au_reseau(site, pages):
    dehors = {(chemin.name, url) for chemin, page in pages.items() for url in page.charges if urlsplit(url).netloc}
    assert dehors == set()
    for feuille in site.rglob("*.css"):
        assert not re.search(r"url\(['\"]?(https?:)?//", feuille.read_text(encoding="utf-8")), feuille.name


def test_la_langue_est_dite(site):
    assert '<html lang="fr"' in (site / "index.html").read_text(encoding="utf-8")
    assert '<div lang="en">' in (site / "developers" / "index.html").read_text(encoding="utf-8")


def publics(chemin):
    """Yield the dotted names of the public functions and classes of a module, those inside public classes included."""
    module = ".".join(chemin.relative_to(RACINE).with_suffix("").parts).removesuffix(".__init__")
    attente = [(module, noeud) for noeud in ast.parse(chemin.read_text(encoding="utf-8")).body]
    for prefixe, noeud in attente:
        if not isinstance(noeud, (ast.FunctionDef, ast.ClassDef)) or noeud.name.startswith("_"):
            continue
        yield f"{prefixe}.{noeud.name}"
        if isinstance(noeud, ast.ClassDef):
            attente += [(f"{prefixe}.{noeud.name}", fils) for fils in noeud.body]


def test_toute_fonction_publique_est_dans_la_reference(pages):
    """The reference leaves out what has no docstring: an undocumented function is missing from it."""
    ancres = set().union(*(page.ancres for chemin, page in pages.items() if chemin.parent.name == "reference"))
    for paquet in ("openfisca_fds", "openfisca_fds_tools"):
        for chemin in (RACINE / paquet).rglob("*.py"):
            if "variables" not in chemin.parts and "nomenclatures" not in chemin.parts:
                assert [nom for nom in publics(chemin) if nom not in ancres] == [], chemin.name


def test_les_crochets_de_commit_sont_locaux():
    """They download nothing, and the tests that they run exist."""
    configuration = yaml.safe_load((RACINE / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    assert {depot["repo"] for depot in configuration["repos"]} == {"local"}
    crochets = [crochet for depot in configuration["repos"] for crochet in depot["hooks"]]
    assert {crochet["language"] for crochet in crochets} == {"system"}
    chemins = [mot for crochet in crochets for mot in crochet["entry"].split() if mot.startswith("tests/")]
    assert chemins
    assert all((RACINE / chemin).is_file() for chemin in chemins)
