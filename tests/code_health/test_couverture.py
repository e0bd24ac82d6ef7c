"""The coverage page: it declares every condition that an article reads, and only those, and is up to date in its rows.

The counts of cases are measured by ``scripts/coverage.py``, which takes longer than a test may.
"""

import re
from pathlib import Path

import pytest
import yaml
from properties.population import MOIS_DU_MODELE, simuler, tirer

RACINE = Path(__file__).parents[2]
DECLARATIONS = {
    article: declaration
    for article, declaration in yaml.safe_load(
        (RACINE / "openfisca_fds_tools" / "web" / "paragraphes.yaml").read_text(encoding="utf-8")
    ).items()
    if not article.startswith("_")
}
INTROUVABLE = "NOT FOUND"


def noms(paragraphe):
    return [] if paragraphe == INTROUVABLE else paragraphe["variables"]


def declarees(declaration):
    return {nom for paragraphe in declaration["paragraphes"].values() for nom in noms(paragraphe)}


def sorties(article, declaration):
    return declaration.get("sorties") or [f"fds_article_{article}_eligible", f"fds_article_{article}_montant"]


@pytest.fixture(scope="module")
def lectures(systeme):
    """Return what each variable reads, for each month, in a large draw: {(variable, month): {variables}}."""
    simulation = simuler(systeme, tirer(31, 400), trace=True)
    graphe = {}
    for mois in MOIS_DU_MODELE:
        for nom in systeme.variables:
            simulation.calculate(nom, mois)
    attente = list(simulation.tracer.trees)
    while attente:
        noeud = attente.pop()
        attente.extend(noeud.children)
        periode = str(noeud.period)[:7] if noeud.period.unit == "month" else None
        graphe.setdefault((noeud.name, periode), set()).update(fils.name for fils in noeud.children)
    return graphe


def lues(lectures, nom, mois):
    return lectures.get((nom, mois), set()) | lectures.get((nom, None), set())


def non_declarees(systeme, lectures, nom, mois, connues):
    """List the conditions that an output reads and that no paragraph declares, nor the conditions they are made of."""
    if nom in connues:
        return []
    composantes = [lue for lue in lues(lectures, nom, mois) if systeme.get_variable(lue).value_type is bool]
    if not composantes:
        return [nom]
    return [manque for lue in composantes for manque in non_declarees(systeme, lectures, lue, mois, connues)]


def mois_de(declaration):
    premier, dernier = declaration["mois"] or ("9999", "9999")
    return [mois for mois in MOIS_DU_MODELE if premier <= mois <= dernier]


def atteintes(lectures, departs, mois):
    """Everything that some outputs read for a month, directly or not."""
    vues, file = set(departs), list(departs)
    for nom in file:
        nouvelles = lues(lectures, nom, mois) - vues
        vues |= nouvelles
        file.extend(nouvelles)
    return vues


@pytest.mark.parametrize("article", DECLARATIONS)
def test_chaque_condition_d_un_article_est_dans_un_paragraphe(systeme, lectures, article):
    declaration = DECLARATIONS[article]
    connues = declarees(declaration)
    for mois in mois_de(declaration):
        for sortie in sorties(article, declaration):
            if systeme.get_variable(sortie).value_type is bool:
                conditions = lues(lectures, sortie, mois)
                manques = [m for nom in conditions for m in non_declarees(systeme, lectures, nom, mois, connues)]
                assert sorted(set(manques)) == [], mois


@pytest.mark.parametrize("article", DECLARATIONS)
def test_chaque_variable_d_un_paragraphe_est_lue_par_son_article(systeme, lectures, article):
    """Or it reads the article itself: the choice of the month, the ceiling of the group."""
    declaration = DECLARATIONS[article]
    assert declarees(declaration) <= set(systeme.variables)
    if not declaration["mois"]:
        return
    lues_un_mois = set()
    for mois in mois_de(declaration):
        lues_un_mois |= atteintes(lectures, [*sorties(article, declaration), "fds_volet_1"], mois)
    assert declarees(declaration) - lues_un_mois == set()


def test_chaque_article_du_modele_a_ses_paragraphes(systeme):
    articles = {
        trouve[1] for nom in systeme.variables if (trouve := re.fullmatch(r"fds_article_([\d_]+)_eligible", nom))
    }
    assert articles <= set(DECLARATIONS)


def test_la_page_a_une_ligne_par_variable_declaree():
    page = (RACINE / "docs" / "couverture.md").read_text(encoding="utf-8")
    for declaration in DECLARATIONS.values():
        titre = f"\n## {declaration['titre']}\n"
        assert titre in page, titre
        section = page.split(titre)[1].split("\n## ")[0]
        assert {nom.strip("`") for nom in re.findall(r"^\|[^|]*\|[^|]*\| (`\w+`) \|", section, re.M)} == declarees(
            declaration
        )
        assert section.count(INTROUVABLE) == list(declaration["paragraphes"].values()).count(INTROUVABLE)


def test_une_condition_oubliee_est_vue(systeme, lectures):
    """Broken on purpose: without its paragraph 2°, article 3-14 has an undeclared condition."""
    connues = declarees(DECLARATIONS["3_14"]) - {"fds_perte_seuil_general"}
    conditions = lues(lectures, "fds_article_3_14_eligible", "2020-11")
    manques = {m for nom in conditions for m in non_declarees(systeme, lectures, nom, "2020-11", connues)}
    assert manques == {"fds_perte_seuil_general"}
