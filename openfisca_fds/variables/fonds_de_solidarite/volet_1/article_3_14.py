"""Article 3-14 : novembre 2020."""

import numpy
from openfisca_core.periods import MONTH
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel, meilleur_regime
from openfisca_fds.entities import Entreprise
from openfisca_fds.references import DECRET


class fds_article_3_14_eligible(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2020-11-30"
    label = "Éligible à l'aide de novembre 2020"
    reference = f"{DECRET}, art. 3-14, I"

    def formula_2020_11(entreprise, period):
        return (
            entreprise("fds_beneficiaire", period)  # art. 1er
            & entreprise("fds_interdiction_ou_perte", period)  # 1° and 2°
            & entreprise("fds_sans_contrat_temps_complet", period)  # 3°
            & entreprise("fds_activite_debutee_a_temps", period)  # 4°
            & entreprise("fds_effectif_groupe_sous_plafond", period)  # 5°
            & entreprise("fds_sans_dette_impayee", period)  # declaration on honour
        )


class fds_article_3_14_subvention(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2020-11-30"
    unit = "currency-EUR"
    label = "Novembre 2020 : le plus favorable des régimes ouverts"
    reference = f"{DECRET}, art. 3-14, II"

    def formula_2020_11(entreprise, period, parameters):
        return meilleur_regime(
            entreprise,
            period,
            parameters,
            ("interdiction_accueil_public", "fds_perte_sur_place_plafonnee_montant"),
            ("fds_regime_annexe_1", "fds_perte_plafonnee_montant"),
            ("fds_regime_annexe_2", "fds_part_de_la_perte_montant"),
            ("fds_perte_seuil_general", "fds_petite_perte_montant"),
        )


class fds_article_3_14_montant(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2020-11-30"
    unit = "currency-EUR"
    label = "Aide de novembre 2020"
    reference = f"{DECRET}, art. 3-14, II"

    def formula_2020_11(entreprise, period):
        aide = entreprise("fds_article_3_14_subvention", period)
        apres_deduction = numpy.maximum(aide - entreprise("fds_pensions_et_indemnites", period), 0)
        return apres_deduction * entreprise("fds_article_3_14_eligible", period)
