"""Every variable computes for every month, and every output is 0 or false outside March 2020 to February 2022."""

import re
from pathlib import Path

import numpy
import pytest
import yaml
from openfisca_core.periods import ETERNITY
from properties.population import MOIS_DU_MODELE, simuler, tirer

DICTIONNAIRE = yaml.safe_load((Path(__file__).parents[1] / "donnees" / "dictionnaire.yaml").read_text(encoding="utf-8"))
DEHORS = ["2019-01", "2019-05", "2020-01", "2020-02", "2022-03", "2022-05", "2023-12"]
# Months of each article, from the comment of the dictionary: first and last.
MOIS_DES_ARTICLES = {
    "2": ("2020-03", "2020-03"),
    "3_1": ("2020-04", "2020-04"),
    "3_3": ("2020-05", "2020-05"),
    "3_5": ("2020-06", "2020-06"),
    "3_7": ("2020-07", "2020-09"),
    "3_8": ("2020-07", "2020-09"),
    "3_10": ("2020-09", "2020-10"),
    "3_11": ("2020-10", "2020-10"),
    "3_12": ("2020-10", "2020-10"),
    "3_14": ("2020-11", "2020-11"),
    "3_15": ("2020-12", "2020-12"),
    "3_16": ("2020-12", "2020-12"),
    "3_17": ("2020-12", "2020-12"),
    "3_18": ("2020-12", "2020-12"),
    "3_19": ("2021-01", "2021-01"),
    "3_21": ("2020-11", "2020-11"),
    "3_22": ("2021-02", "2021-02"),
    "3_23": ("2021-02", "2021-02"),
    "3_24": ("2021-03", "2021-03"),
    "3_25": ("2021-02", "2021-02"),
    "3_26": ("2021-04", "2021-04"),
    "3_27": ("2021-05", "2021-05"),
    "3_28": ("2021-06", "2021-09"),
    "3_29": ("2021-01", "2021-03"),
    "3_30": ("2021-10", "2022-02"),
}


@pytest.fixture(scope="module")
def tirage():
    """Draw inputs that open rights, and repeat them on the months outside the model."""
    tirage = tirer(8, 300)
    for nom, mois in list(tirage.entrees):
        if mois == "2021-02":
            tirage = tirage.avec_mensuelle(nom, DEHORS, tirage.entrees[nom, mois])
    return tirage


@pytest.fixture(scope="module")
def simulation(systeme, tirage):
    return simuler(systeme, tirage)


@pytest.mark.parametrize("mois", DEHORS + MOIS_DU_MODELE)
def test_chaque_variable_se_calcule_chaque_mois(systeme, simulation, tirage, mois):
    groupes = len(numpy.unique(tirage.groupe))
    for variable in systeme.variables.values():
        resultat = simulation.calculate(variable.name, mois)
        assert len(resultat) == (len(tirage) if variable.entity.is_person else groupes), variable.name
        assert resultat.dtype == variable.dtype or variable.value_type not in (float, bool), variable.name
        if variable.value_type is float:
            assert numpy.isfinite(resultat).all(), variable.name


def sorties_mensuelles(systeme):
    noms = [nom for nom, entree in DICTIONNAIRE["sorties"].items() if "XX" not in nom and entree["periode"] == "MONTH"]
    return noms + [nom for nom in systeme.variables if re.fullmatch(r"fds_article_[\d_]+_(eligible|montant)", nom)]


def test_hors_du_modele_tout_vaut_zero(systeme, simulation):
    noms = sorties_mensuelles(systeme)
    assert len(noms) > 50
    for mois in DEHORS:
        for nom in noms:
            assert not simulation.calculate(nom, mois).any(), (nom, mois)


def test_chaque_article_ne_vit_que_ses_mois(systeme, simulation):
    """And lives each of them: with this draw some enterprise is paid every month of every article."""
    for article, (premier, dernier) in MOIS_DES_ARTICLES.items():
        for suffixe in ("eligible", "montant"):
            for mois in MOIS_DU_MODELE:
                resultat = simulation.calculate(f"fds_article_{article}_{suffixe}", mois)
                assert resultat.any() == (premier <= mois <= dernier), (article, suffixe, mois)


def test_les_bornes_propres_de_certaines_sorties(simulation):
    for mois in MOIS_DU_MODELE:
        if mois > "2021-05":
            assert not simulation.calculate("fds_aide_percue", mois).any(), mois
        if not "2020-06" <= mois <= "2020-11":
            assert not simulation.calculate("fds_discotheque_volet_1", mois).any(), mois
        if not "2021-07" <= mois <= "2021-10":
            assert not simulation.calculate("fds_complement_2021_1582", mois).any(), mois


def test_sans_aucune_entree_rien_n_est_du(systeme):
    """Default enterprise: no turnover, hence no loss and no aid, whatever the month."""
    vide = tirer(1, 2)
    simulation = simuler(systeme, type(vide)({}, vide.groupe))
    for mois in MOIS_DU_MODELE:
        for variable in systeme.variables.values():
            if variable.name.endswith("_montant") and variable.definition_period != ETERNITY:
                assert not simulation.calculate(variable.name, mois).any(), (variable.name, mois)
        assert not simulation.calculate("fonds_de_solidarite", mois).any()
    for nom in ("fds_volet_2", "multi_activites_montant", "fds_volet_territorial"):
        assert not simulation.calculate(nom, "2021-01").any()
