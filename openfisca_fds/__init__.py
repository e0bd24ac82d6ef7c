"""The law: an OpenFisca country package, also loadable as an extension.

It imports openfisca-core and NumPy only; what runs it lives in ``openfisca_fds_tools``.
"""

from pathlib import Path

from openfisca_core.taxbenefitsystems import TaxBenefitSystem

from openfisca_fds import entities

COUNTRY_DIR = Path(__file__).parent


class CountryTaxBenefitSystem(TaxBenefitSystem):
    """The fonds de solidarité (décret 2020-371) and the multi-activités aid (décret 2021-960)."""

    def __init__(self) -> None:
        super().__init__(entities.entities)
        self.add_variables_from_directory(str(COUNTRY_DIR / "variables"))
        self.load_parameters(str(COUNTRY_DIR / "parameters"))
