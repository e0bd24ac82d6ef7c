"""Embedded sample, and the structural reform importable by its dotted name."""

import sys
from pathlib import Path

import polars as pl
import pytest

from openfisca_fds_tools.synthetic import echantillon

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def population():
    """Return a part of the embedded sample, whole groups."""
    return pl.read_parquet(echantillon.chemin()).sort("groupe", "id").head(1500)


@pytest.fixture(scope="session")
def variee():
    """Return the rows that few rules concern, and some others: overseas, centres, discothèques, large enterprises."""
    table = pl.read_parquet(echantillon.chemin()).sort("groupe", "id").with_row_index("rang")
    annuel = pl.sum_horizontal(pl.col("^chiffre_affaires:2019-.*$").fill_null(0))
    rares = (
        pl.col("departement").str.starts_with("97")
        | (pl.col("surface_centre_commercial").fill_null(0) > 0)
        | pl.col("discotheque").fill_null(False)
        | (pl.col("jours_couvre_feu_ou_confinement:2021-08") == 20)
        | (annuel.rank("ordinal", descending=True) <= 300)
    )
    return table.filter(rares | (pl.col("rang") < 1200)).drop("rang")
