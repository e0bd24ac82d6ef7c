"""One tax and benefit system for the concordance tests."""

import pytest

from openfisca_fds import CountryTaxBenefitSystem


@pytest.fixture(scope="session")
def systeme():
    return CountryTaxBenefitSystem()
