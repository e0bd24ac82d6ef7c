"""Small random populations for the tests of the tools."""

import numpy
import polars as pl
import pytest

from openfisca_fds.nomenclatures.departements import Departement
from openfisca_fds.nomenclatures.naf import CodeNaf
from openfisca_fds_tools.population.model import intervalle

MOIS_DES_DONNEES = intervalle("2019-01", "2022-02")


def tirer(nombre: int, graine: int = 1) -> pl.DataFrame:
    """Draw enterprises that the fund often helps: groups, weights, closures, cells left empty.

    Args:
        nombre: rows.
        graine: seed.

    Returns:
        A population file, sorted by group.
    """
    hasard = numpy.random.default_rng(graine)
    tailles = hasard.choice([1, 2, 5], nombre, p=[0.85, 0.1, 0.05])
    groupes = numpy.repeat(numpy.arange(nombre), tailles)[:nombre]
    activite = hasard.lognormal(10, 1.5, nombre)
    colonnes = {
        "id": [f"E{rang:06d}" for rang in range(nombre)],
        "groupe": [f"G{groupe:06d}" for groupe in groupes],
        "poids": hasard.choice([1.0, 2.5, 10.1], nombre),
        "date_creation": numpy.datetime64("2014-01-01") + hasard.integers(0, 2600, nombre),
        "code_naf": hasard.choice([str(nom) for nom in CodeNaf.names], nombre),
        "departement": hasard.choice([str(nom) for nom in Departement.names], nombre),
        "forme_juridique": hasard.choice(["entreprise_individuelle", "societe", "association"], nombre),
        "demande_volet_2": hasard.random(nombre) < 0.5,
        "solde_tresorerie_volet_2": hasard.normal(-5_000, 5_000, nombre),
        "exercice_clos": _avec_vides(hasard, hasard.random(nombre) < 0.5),
        "fds_aide_percue:2021-04": _avec_vides(hasard, hasard.random(nombre) < 0.5),
        "chiffre_affaires_dernier_exercice": _avec_vides(hasard, activite * 12),
    }
    for mois in MOIS_DES_DONNEES:
        chute = 1.0 if mois < "2020-03" else 0.4
        colonnes[f"chiffre_affaires:{mois}"] = numpy.round(activite * hasard.uniform(0, 2 * chute, nombre), 2)
        if mois >= "2020-03":
            colonnes[f"effectif_salarie:{mois}"] = numpy.floor(hasard.exponential(3, nombre))
            colonnes[f"jours_interdiction_accueil_public:{mois}"] = hasard.choice([0, 0, 10, 28], nombre)
    return pl.DataFrame(colonnes)


def _avec_vides(hasard, valeurs) -> list:
    vides = hasard.random(len(valeurs)) < 0.5
    return [None if vide else valeur for vide, valeur in zip(vides, valeurs.tolist(), strict=True)]


@pytest.fixture(scope="session")
def population() -> pl.DataFrame:
    return tirer(3_000)
