"""Article 3-11 : octobre 2020, zones de couvre-feu."""

import numpy
from openfisca_core.periods import MONTH
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel
from openfisca_fds.entities import Entreprise
from openfisca_fds.references import DECRET


class fds_article_3_11_eligible(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2020-10-31"
    label = "Éligible à l'aide d'octobre 2020 en zone de couvre-feu"
    reference = f"{DECRET}, art. 3-11, I"

    def formula_2020_10(entreprise, period):
        return (
            entreprise("fds_beneficiaire", period)  # art. 1er
            & entreprise("fds_perte_seuil_general", period)  # loss
            & entreprise("couvre_feu_octobre_2020", period)  # territory under curfew
            & entreprise("fds_sans_contrat_temps_complet", period)  # contract of the manager
            & entreprise("fds_activite_debutee_a_temps", period)  # start of activity
            & entreprise("fds_effectif_groupe_sous_plafond", period)  # headcount of the group
            & entreprise("fds_sans_dette_impayee", period)  # declaration on honour
        )


class fds_article_3_11_subvention(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2020-10-31"
    unit = "currency-EUR"
    label = "Secteurs protégés : perte dans la limite de 10 000 € ; autres : 1 500 €"
    reference = f"{DECRET}, art. 3-11, II"

    def formula_2020_10(entreprise, period):
        return numpy.where(
            entreprise("fds_secteur_protege", period),
            entreprise("fds_perte_plafonnee_montant", period),
            entreprise("fds_petite_perte_montant", period),
        )


class fds_article_3_11_montant(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2020-10-31"
    unit = "currency-EUR"
    label = "Aide d'octobre 2020 en zone de couvre-feu"
    reference = f"{DECRET}, art. 3-11, II"

    def formula_2020_10(entreprise, period):
        aide = entreprise("fds_article_3_11_subvention", period)
        apres_deduction = numpy.maximum(aide - entreprise("fds_pensions_et_indemnites", period), 0)
        return apres_deduction * entreprise("fds_article_3_11_eligible", period)
