"""The folder of the examples, and the counts written at the end."""

import os
import sys
from pathlib import Path

import pytest
from fuzz.essais import COMPTES, EXEMPLES


def pytest_sessionfinish(session):
    """Write the counts where ``scripts/evidence.py`` reads them."""
    if chemin := os.environ.get("OFDS_FUZZ_JSON"):
        sys.path.append(str(Path(__file__).parents[2] / "scripts"))
        from constat import ecrire

        surfaces = [
            {"surface": surface} | {issue: COMPTES[surface, issue] for issue in ("calculées", "refusées")}
            for surface in sorted({surface for surface, _ in COMPTES})
        ]
        ecrire(chemin, exemples_par_test=EXEMPLES, fautes=session.testsfailed, surfaces=surfaces)


@pytest.fixture(scope="session")
def dossier(tmp_path_factory):
    """Give a folder shared by all the examples, each of which writes over the former."""
    return tmp_path_factory.mktemp("fuzz")
