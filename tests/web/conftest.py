"""The application of the tests: its test client opens no port."""

import shutil
from pathlib import Path

import pytest

from openfisca_fds_tools.web.application import creer
from openfisca_fds_tools.web.enveloppe import Reglages

EXEMPLES = Path(__file__).parents[2] / "examples" / "reformes"
REFORMES = ("plafond_du_groupe_300_000", "seuil_de_60")


@pytest.fixture(scope="session")
def application(systeme, tmp_path_factory):
    dossier = tmp_path_factory.mktemp("reformes")
    for nom in REFORMES:
        shutil.copy(EXEMPLES / f"{nom}.yaml", dossier)
    return creer(systeme, Reglages(reformes=dossier))


@pytest.fixture(scope="session")
def client(application):
    return application.test_client()
