"""Article 3-22 : février 2021."""

import numpy
from openfisca_core.periods import MONTH
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel, meilleur_regime
from openfisca_fds.entities import Entreprise
from openfisca_fds.references import DECRET


class fds_article_3_22_regime_renforce(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2021-02-28"
    label = "L'un des régimes renforcés de février 2021 est ouvert"
    reference = f"{DECRET}, art. 3-22, I, A"

    def formula_2021_02(entreprise, period):
        return (
            entreprise("fds_fermeture_totale", period)  # A, 1°
            | entreprise("fds_regime_annexe_1", period)  # A, 2° a)
            | entreprise("fds_regime_annexe_2", period)  # A, 2° b)
            | entreprise("fds_regime_montagne", period)  # A, 2° c)
            | entreprise("fds_regime_centre_commercial", period)  # A, 2° d)
        )


class fds_article_3_22_regime_ouvert(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2021-02-28"
    label = "L'un des régimes de février 2021 est ouvert"
    reference = f"{DECRET}, art. 3-22, I, A et II, A"

    def formula_2021_02(entreprise, period):
        return (
            entreprise("fds_article_3_22_regime_renforce", period)  # I, A
            | entreprise("fds_regime_autres_entreprises", period)  # II, A
        )


class fds_article_3_22_eligible(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2021-02-28"
    label = "Éligible à l'aide de février 2021"
    reference = f"{DECRET}, art. 3-22, I, A et II, A"

    def formula_2021_02(entreprise, period):
        return (
            entreprise("fds_beneficiaire", period)  # art. 1er
            & entreprise("fds_sans_arrete_de_fermeture", period)  # I, A
            & entreprise("fds_article_3_22_regime_ouvert", period)  # I, A and II, A
            & entreprise("fds_sans_contrat_temps_complet", period)  # contract of the manager
            & entreprise("fds_activite_debutee_a_temps", period)  # start of activity
            & entreprise("fds_sans_dette_impayee", period)  # V
        )


class fds_article_3_22_subvention(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2021-02-28"
    unit = "currency-EUR"
    label = "Février 2021 : le plus favorable des régimes ouverts"
    reference = f"{DECRET}, art. 3-22, I, B et II, B"

    def formula_2021_02(entreprise, period, parameters):
        return meilleur_regime(
            entreprise,
            period,
            parameters,
            ("fds_fermeture_totale", "fds_fermeture_totale_montant"),
            ("fds_regime_annexe_1", "fds_regime_annexe_1_montant"),
            ("fds_regime_annexe_2", "fds_secteurs_assimiles_montant"),
            ("fds_regime_montagne", "fds_secteurs_assimiles_montant"),
            ("fds_regime_centre_commercial", "fds_secteurs_assimiles_montant"),
            ("fds_regime_autres_entreprises", "fds_regime_autres_entreprises_montant"),
        )


class fds_article_3_22_montant(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2021-02-28"
    unit = "currency-EUR"
    label = "Aide de février 2021"
    reference = f"{DECRET}, art. 3-22"

    def formula_2021_02(entreprise, period):
        aide = entreprise("fds_article_3_22_subvention", period)
        apres_deduction = numpy.maximum(aide - entreprise("fds_pensions_et_indemnites", period), 0)
        return apres_deduction * entreprise("fds_article_3_22_eligible", period)
