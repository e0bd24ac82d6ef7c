"""The application of the tests: its test client opens no port."""

import pytest

from openfisca_fds_tools.web.application import creer
from openfisca_fds_tools.web.enveloppe import Reglages


@pytest.fixture(scope="session")
def application(systeme):
    return creer(systeme, Reglages())


@pytest.fixture(scope="session")
def client(application):
    return application.test_client()
