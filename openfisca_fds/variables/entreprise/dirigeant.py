"""Situation du dirigeant."""

from openfisca_core.periods import ETERNITY, MONTH
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel
from openfisca_fds.entities import Entreprise


class conge_dirigeant_mars_2019(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Dirigeant en arrêt maladie, accident du travail ou congé maternité en mars 2019"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 2, 2°"


class dirigeant_contrat_temps_complet(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    label = "Dirigeant titulaire d'un contrat de travail à temps complet le premier jour du mois"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-25, I, A, 3°"


class pensions_retraite(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    unit = "currency-EUR"
    label = "Pensions de retraite du dirigeant"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-25, I, C"


class indemnites_journalieres(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    unit = "currency-EUR"
    label = "Indemnités journalières de sécurité sociale du dirigeant"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-25, I, C"
