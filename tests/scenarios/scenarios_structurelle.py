"""A structural reform written in Python, as a user would."""

from openfisca_core.periods import MONTH
from openfisca_core.reforms import Reform
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel
from openfisca_fds.entities import Entreprise


class fds_article_3_19_montant(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2021-01-31"
    unit = "currency-EUR"
    label = "Aide de janvier 2021, réformée"
    reference = "Réforme d'essai"

    def formula_2021_01(entreprise, period):  # noqa: N805 -- the form of OpenFisca formulas
        """Give a flat 1 000 euros to whoever is eligible."""
        return 1000.0 * entreprise("fds_article_3_19_eligible", period)


class SansArticle319(Reform):
    name = "Forfait en janvier"

    def apply(self):
        self.update_variable(fds_article_3_19_montant)
