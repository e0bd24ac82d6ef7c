"""Formulas in words: every formula of the law is written, and the sentences say what the text says."""

import re

import pytest
from articles import Articles
from formules import NOMS, Redacteur
from modele import MOIS
from ouvrage import Ouvrage
from pages import toutes_les_pages


@pytest.fixture(scope="module")
def ouvrage(modele):
    return Ouvrage(modele)


def en_clair(ouvrage, nom, mois):
    """Text of the formula of a variable for a month, without its links."""
    texte = ouvrage.formules("x.md", nom, [mois])
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", texte).replace("\u00a0", " ").replace("\u202f", " ")


# Sentences written from the fiches, not from the output.
PHRASES = [
    ("fds_perte_seuil_general", "2021-03", "au moins 50 % de chiffre d'affaires de référence du mois"),
    ("fds_activite_debutee_a_temps", "2020-03", "avant le 1er février 2020"),
    ("fds_activite_debutee_a_temps", "2021-04", "avant le 31 janvier 2021"),
    ("fds_regime_centre_commercial", "2021-02", "au moins 20 000 m²"),
    ("fds_part_de_la_perte_montant", "2021-02", "80 % × perte de chiffre d'affaires du mois"),
    ("fds_effectif_groupe_sous_plafond", "2021-03", "250 salariés si département"),
    ("fds_groupe_volet_1_plafonne", "2021-03", "dans la limite de 200 000,00 €"),
    ("multi_activites_montant", "2021-06", "80 % × perte"),
    ("interdiction_sans_interruption", "2021-02", "exactement le nombre de jours du mois"),
    ("chiffre_affaires_mois_de_2019", "2021-02", "même mois de 2019"),
    ("fds_volet_1_articles", "2020-09", "le plus élevé de : le plus favorable des articles du mois"),
    ("fds_volet_1_articles", "2020-09", "article 3-10 excepté ; aide des fermetures"),
    ("fds_sans_contrat_temps_complet", "2021-02", "le premier jour du mois) ou effectif salarié : au moins 1"),
]


@pytest.mark.parametrize(("nom", "mois", "phrase"), PHRASES)
def test_la_formule_dit_le_texte(ouvrage, nom, mois, phrase):
    assert phrase in en_clair(ouvrage, nom, mois)


def test_le_mois_change_la_phrase(ouvrage):
    assert "20 000 m²" not in en_clair(ouvrage, "fds_regime_centre_commercial", "2021-03")


def test_un_libelle_date_ne_dit_que_le_mois(ouvrage, modele):
    """« …, et perte d'au moins 20 % (depuis février 2021) »: in January 2021, no loss; in March, no date."""
    pages = Articles(modele)
    assert "perte d'au moins 20 %" not in pages._libelle("fds_fermeture_totale", ["2021-01"])
    assert pages._libelle("fds_fermeture_totale", ["2021-03"]).endswith("et perte d'au moins 20 %")
    assert pages._libelle("fds_fermeture_totale", ["2021-01", "2021-03"]).endswith("(depuis février 2021)")
    sans_dates = en_clair(ouvrage, "fds_fermeture_partielle", "2021-03")
    assert "25 au 30" not in sans_dates
    aout = en_clair(ouvrage, "fds_secteurs", "2021-08")
    assert "au moins 15 % de la référence (depuis septembre 2021)" in aout
    assert "25 au 30" in en_clair(ouvrage, "fds_article_3_10_eligible", "2020-09")


def test_toute_formule_est_ecrite(modele):
    """No formula is left out, and none holds an operation without words."""

    def operations(expression):
        return {expression.operation}.union(*map(operations, expression.termes))

    for nom in modele.modules:
        variable = modele.systeme.get_variable(nom)
        lectures = [lecture for mois in MOIS if (lecture := modele.lecture(nom, mois))]
        assert bool(lectures) == bool(variable.formulas), nom
        for lecture in lectures:
            assert lecture.expression is not None, nom
            assert operations(lecture.expression) <= set(NOMS), nom


def test_un_parametre_lu_est_lie(modele):
    """The value of a parameter in a formula is a link to its history."""
    lecture = modele.lecture("fds_perte_seuil_general", "2021-03")
    lies = []
    redacteur = Redacteur(modele._lecteurs["2021-03"], lambda genre, nom, texte: lies.append((genre, nom)) or texte)
    redacteur.lignes(lecture.expression)
    assert ("parametre", "fonds_de_solidarite.perte.seuil_general") in lies


def test_chaque_variable_et_chaque_parametre_ont_leur_place(ouvrage):
    """One page each, and a link that leads to its anchor."""
    pages = toutes_les_pages(ouvrage.modele)
    for nom in ouvrage.modele.modules:
        page, ancre = ouvrage.lieu("variable", nom)
        assert f"{{#{ancre}}}" in pages[page], nom
    for chemin in ouvrage.modele.parametres:
        page, ancre = ouvrage.lieu("parametre", chemin)
        assert f"{{#{ancre}}}" in pages[page] or f'id="{ancre}"' in pages[page], chemin


def test_un_article_montre_ses_paragraphes_ses_doutes_et_ses_cas(modele):
    page = Articles(modele).article("3_24").replace("\u00a0", " ").replace("\u202f", " ")
    for nom in modele.articles["3_24"]["paragraphes"]:
        assert f"### {nom}" in page
    assert "## Les points douteux" in page
    assert "interdiction sans interruption est-elle exigée en mars 2021" in page
    assert "tests/fonds_de_solidarite/volet_1/article_3_24.yaml:" in page
