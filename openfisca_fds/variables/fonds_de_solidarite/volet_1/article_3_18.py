"""Article 3-18 : décembre 2020, complément des stations de montagne."""

import numpy
from openfisca_core.periods import MONTH
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel
from openfisca_fds.entities import Entreprise
from openfisca_fds.references import DECRET


class fds_article_3_18_eligible(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2020-12-31"
    label = "Éligible au complément de décembre 2020 des stations de montagne"
    reference = f"{DECRET}, art. 3-18, I"

    def formula_2020_12(entreprise, period):
        return (
            entreprise("fds_beneficiaire", period)  # art. 1er
            & entreprise("fds_regime_montagne", period)  # activity, commune, loss, outside annexes 1 and 2
            & entreprise("fds_sans_contrat_temps_complet", period)  # contract of the manager
            & entreprise("fds_activite_debutee_a_temps", period)  # start of activity
            & entreprise("fds_sans_dette_impayee", period)  # declaration on honour
        )


class fds_article_3_18_montant(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2020-12-31"
    unit = "currency-EUR"
    label = "Aide de décembre 2020 des stations de montagne, avant déduction de l'aide de l'article 3-16"
    reference = f"{DECRET}, art. 3-18, II"

    def formula_2020_12(entreprise, period):
        aide = entreprise("fds_secteurs_assimiles_montant", period)
        apres_deduction = numpy.maximum(aide - entreprise("fds_pensions_et_indemnites", period), 0)
        return apres_deduction * entreprise("fds_article_3_18_eligible", period)
