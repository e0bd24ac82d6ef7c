"""Populations small enough to be computed by hand, and one backtest of the generator's for all the tests."""

import polars as pl
import pytest

from openfisca_fds_tools.population.model import intervalle
from openfisca_fds_tools.report import backtest
from openfisca_fds_tools.report.releve import relever
from openfisca_fds_tools.synthetic import generer

MOIS = intervalle("2019-01", "2022-02")


def entreprises(*lignes: dict) -> pl.DataFrame:
    """Make a population: 30 000 € every month, unless said otherwise (« AAAA-MM »: euros)."""
    return pl.DataFrame(
        [
            {"id": str(rang), "code_naf": "56.30Z", "departement": "75", "forme_juridique": "societe", "poids": 1.0}
            | {f"chiffre_affaires:{mois}": 30_000.0 for mois in MOIS}
            | {f"effectif_salarie:{mois}": 4.0 for mois in MOIS if mois >= "2020-03"}
            | {f"chiffre_affaires:{cle}" if cle[:2] == "20" else cle: valeur for cle, valeur in ligne.items()}
            for rang, ligne in enumerate(lignes)
        ]
    )


@pytest.fixture(scope="session")
def population():
    return next(generer(1500, graine=3, concentre=True))


@pytest.fixture(scope="session")
def releve(population):
    return relever(population)


@pytest.fixture(scope="session")
def resultat(population):
    return backtest(population)
