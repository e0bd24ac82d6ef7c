"""The generators of the site, importable, and the model as they read it."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts" / "documentation"))


@pytest.fixture(scope="session")
def modele():
    """Return the law as the site reads it."""
    from modele import Modele

    return Modele()
