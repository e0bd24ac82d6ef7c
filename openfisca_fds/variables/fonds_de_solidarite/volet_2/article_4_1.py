"""Article 4-1 : l'aide des collectivités territoriales aux bénéficiaires de l'article 4."""

from openfisca_core.periods import ETERNITY
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel
from openfisca_fds.entities import Entreprise
from openfisca_fds.references import DECRET


class fds_volet_territorial(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = ETERNITY
    unit = "currency-EUR"
    label = "Fonds de solidarité : aide de la collectivité territoriale"
    reference = f"{DECRET}, art. 4-1"
    documentation = "Le montant voté (de 500 à 3 000 € par pas de 500 €) est repris tel quel."

    def formula(entreprise, period):
        return entreprise("aide_territoriale_deliberee", period) * (entreprise("fds_volet_2", period) > 0)
