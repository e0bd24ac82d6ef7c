"""Demandes déposées."""

from openfisca_core.periods import ETERNITY, MONTH
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel
from openfisca_fds.entities import Entreprise


class demande_fonds_solidarite(Variable):
    value_type = bool
    default_value = True
    entity = Entreprise
    definition_period = MONTH
    label = "Demande déposée au titre du mois"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-25, V"
    documentation = "Faux : permet de simuler le non-recours."


class demande_volet_2(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Demande de l'aide complémentaire (volet 2) déposée"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 4, V"


class solde_tresorerie_volet_2(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = ETERNITY
    unit = "currency-EUR"
    label = "Solde entre l'actif disponible et les dettes à trente jours et charges fixes"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 4, I, 3°"
    documentation = "Négatif pour avoir droit à l'aide."


class aide_territoriale_deliberee(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = ETERNITY
    unit = "currency-EUR"
    label = "Montant de l'aide voté par la collectivité territoriale"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 4-1"
