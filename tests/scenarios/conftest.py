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
