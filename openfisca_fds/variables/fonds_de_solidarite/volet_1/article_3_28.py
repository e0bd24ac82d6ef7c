"""Article 3-28 : de juin à septembre 2021."""

import numpy
from openfisca_core.periods import MONTH
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel, meilleur_regime
from openfisca_fds.entities import Entreprise
from openfisca_fds.references import DECRET


class fds_article_3_28_regime_du_i(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2021-09-30"
    label = "Relève de l'une des branches du I"
    reference = f"{DECRET}, art. 3-28, I, A"

    def formula_2021_06(entreprise, period):
        return (
            entreprise("fds_fermeture_continue", period)  # closed all month
            | entreprise("fds_fermeture_prolongee", period)  # 2° bis a)
            | entreprise("fds_fermeture_confinement", period)  # 2° bis b)
            | entreprise("fds_secteurs", period)  # 3°
        )


class fds_article_3_28_regime_du_ii(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2021-09-30"
    label = "Petite entreprise d'un territoire confiné, autre que celles du I"
    reference = f"{DECRET}, art. 3-28, II"

    def formula_2021_06(entreprise, period):
        autre = ~entreprise("fds_article_3_28_regime_du_i", period)
        return autre & entreprise("fds_petites_entreprises_confinees", period)


class fds_article_3_28_regime_ouvert(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2021-09-30"
    label = "L'un des régimes de juin à septembre 2021 est ouvert"
    reference = f"{DECRET}, art. 3-28, I et II"

    def formula_2021_06(entreprise, period):
        return (
            entreprise("fds_article_3_28_regime_du_i", period)  # I
            | entreprise("fds_article_3_28_regime_du_ii", period)  # II
        )


class fds_article_3_28_eligible(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2021-09-30"
    label = "Éligible à l'aide de juin à septembre 2021"
    reference = f"{DECRET}, art. 3-28"

    def formula_2021_06(entreprise, period):
        return (
            entreprise("fds_beneficiaire", period)  # art. 1er
            & entreprise("fds_sans_arrete_de_fermeture", period)  # I, A
            & entreprise("fds_article_3_28_regime_ouvert", period)  # I and II
            & entreprise("fds_activite_debutee_a_temps", period)  # start of activity
            & entreprise("fds_sans_contrat_temps_complet", period)  # contract of the manager
            & entreprise("fds_sans_dette_impayee", period)  # V
        )


class fds_article_3_28_subvention(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2021-09-30"
    unit = "currency-EUR"
    label = "Juin à septembre 2021 : le plus favorable des régimes ouverts"
    reference = f"{DECRET}, art. 3-28, I, B, et B bis (depuis juillet 2021), et II"

    def formula_2021_06(entreprise, period, parameters):
        return meilleur_regime(
            entreprise,
            period,
            parameters,
            ("fds_fermeture_continue", "fds_fermeture_montant_chiffre_affaires"),
            ("fds_fermeture_prolongee", "fds_fermeture_prolongee_montant"),
            ("fds_fermeture_confinement", "fds_confinement_montant"),
            ("fds_secteurs", "fds_secteurs_montant"),
            ("fds_article_3_28_regime_du_ii", "fds_confinement_montant"),
        )


class fds_article_3_28_montant(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2021-09-30"
    unit = "currency-EUR"
    label = "Aide de juin à septembre 2021"
    reference = f"{DECRET}, art. 3-28"

    def formula_2021_06(entreprise, period):
        aide = entreprise("fds_article_3_28_subvention", period)
        apres_deduction = numpy.maximum(aide - entreprise("fds_pensions_et_indemnites", period), 0)
        return apres_deduction * entreprise("fds_article_3_28_eligible", period)
