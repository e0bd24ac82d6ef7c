"""Article 3-30 : d'octobre 2021 à février 2022."""

import numpy
from openfisca_core.periods import MONTH
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel, meilleur_regime
from openfisca_fds.entities import Entreprise
from openfisca_fds.references import DECRET


class fds_article_3_30_regime_ouvert(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2022-02-28"
    label = "L'une des branches d'octobre 2021 à février 2022 est ouverte"
    reference = f"{DECRET}, art. 3-30"

    def formula_2021_10(entreprise, period):
        return (
            entreprise("fds_fermeture_continue", period)  # A
            | entreprise("fds_fermeture_prolongee", period)  # B
            | entreprise("fds_fermeture_confinement", period)  # C
            | entreprise("fds_secteurs", period)  # D
            | entreprise("fds_petites_entreprises_confinees", period)  # E
        )


class fds_article_3_30_eligible(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2022-02-28"
    label = "Éligible à l'aide d'octobre 2021 à février 2022"
    reference = f"{DECRET}, art. 3-30"

    def formula_2021_10(entreprise, period):
        return (
            entreprise("fds_beneficiaire", period)  # art. 1er
            & entreprise("fds_sans_arrete_de_fermeture", period)  # I, A
            & entreprise("fds_article_3_30_regime_ouvert", period)  # branches A to E
            & entreprise("fds_activite_debutee_a_temps", period)  # start of activity
            & entreprise("fds_sans_contrat_temps_complet", period)  # contract of the manager
            & entreprise("fds_sans_dette_impayee", period)  # V
        )


class fds_article_3_30_subvention(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2022-02-28"
    unit = "currency-EUR"
    label = "Octobre 2021 à février 2022 : la plus favorable des branches ouvertes"
    reference = f"{DECRET}, art. 3-30"

    def formula_2021_10(entreprise, period, parameters):
        return meilleur_regime(
            entreprise,
            period,
            parameters,
            ("fds_fermeture_continue", "fds_fermeture_montant_chiffre_affaires"),
            ("fds_fermeture_prolongee", "fds_fermeture_prolongee_montant"),
            ("fds_fermeture_confinement", "fds_confinement_montant"),
            ("fds_secteurs", "fds_secteurs_montant"),
            ("fds_petites_entreprises_confinees", "fds_confinement_montant"),
        )


class fds_article_3_30_montant(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2022-02-28"
    unit = "currency-EUR"
    label = "Aide d'octobre 2021 à février 2022"
    reference = f"{DECRET}, art. 3-30"

    def formula_2021_10(entreprise, period):
        aide = entreprise("fds_article_3_30_subvention", period)
        apres_deduction = numpy.maximum(aide - entreprise("fds_pensions_et_indemnites", period), 0)
        return apres_deduction * entreprise("fds_article_3_30_eligible", period)
