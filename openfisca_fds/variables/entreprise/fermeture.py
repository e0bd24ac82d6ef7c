"""Interdictions d'accueil du public."""

from openfisca_core.periods import MONTH
from openfisca_core.variables import Variable

from openfisca_fds.entities import Entreprise


class jours_interdiction_accueil_public(Variable):
    value_type = int
    entity = Entreprise
    definition_period = MONTH
    unit = "jour"
    label = "Jours du mois sous interdiction d'accueil du public"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-10"
    documentation = "Égal au nombre de jours du mois : sans interruption. Septembre 2020 : jours du 25 au 30."


class interdiction_accueil_public(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    label = "Interdiction d'accueil du public au cours du mois"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-7, I, 1°"

    def formula(entreprise, period):
        return entreprise("jours_interdiction_accueil_public", period) > 0


class interdiction_sans_interruption(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    label = "Interdiction d'accueil du public sans interruption pendant tout le mois"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-22, I, A, 1°"

    def formula(entreprise, period):
        return entreprise("jours_interdiction_accueil_public", period) == period.size_in_days
