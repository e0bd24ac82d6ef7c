"""Interdictions d'accueil du public."""

from openfisca_core.periods import MONTH
from openfisca_core.variables import Variable

from openfisca_fds.entities import Entreprise
from openfisca_fds.references import aux_articles


class jours_interdiction_accueil_public(Variable):
    value_type = int
    entity = Entreprise
    definition_period = MONTH
    unit = "jour"
    label = "Jours du mois sous interdiction d'accueil du public, du 25 au 30 seulement (en septembre 2020)"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-10"
    documentation = "Égal au nombre de jours du mois : sans interruption. Septembre 2020 : jours du 25 au 30."


class interdiction_accueil_public(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    label = "Interdiction d'accueil du public au cours du mois, saisie du 25 au 30 seulement (en septembre 2020)"
    reference = aux_articles(
        "2, 1° ; 3-1, 1° ; 3-3, 1° ; 3-5, 1° ; 3-7, I, 1° ; 3-8, 1° ; 3-10, I, 1° ; 3-14, I, 1° ; 3-15, I ; "
        "3-17, I ; 3-24, I, A, 2° ; 3-24, I, A, 3° d) ; 3-26, I, A, 2° ; 3-27, I, A, 2° ; 3-27, I, A, 3° d) ; "
        "3-28, I, A, 2° bis b) ; 3-30"
    )

    def formula(entreprise, period):
        return entreprise("jours_interdiction_accueil_public", period) > 0


class interdiction_sans_interruption(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    label = "Interdiction d'accueil du public sans interruption pendant tout le mois"
    reference = aux_articles(
        "3-15, I ; 3-19, I, A, 1° ; 3-22, I, A, 1° ; 3-22, I, A, 2° d) ; 3-24, I, A, 1° ; 3-26, I, A, 1° ; "
        "3-26, I, A, 3° d) ; 3-27, I, A, 1° ; 3-28, I, A ; 3-30"
    )

    def formula(entreprise, period):
        return entreprise("jours_interdiction_accueil_public", period) == period.size_in_days
