"""Article 3-15 : décembre 2020."""

import numpy
from openfisca_core.periods import MONTH
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel, meilleur_regime
from openfisca_fds.entities import Entreprise
from openfisca_fds.references import DECRET


class fds_article_3_15_annexe_2(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2020-12-31"
    label = "Annexe 2, pertes passées, perte d'au moins 50 % et effectif du groupe sous le plafond"
    reference = f"{DECRET}, art. 3-15, I"

    def formula_2020_12(entreprise, period):
        return entreprise("fds_regime_annexe_2", period) & entreprise("fds_effectif_groupe_sous_plafond", period)


class fds_article_3_15_regime_ouvert(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2020-12-31"
    label = "L'un des régimes de décembre 2020 est ouvert"
    reference = f"{DECRET}, art. 3-15, I"

    def formula_2020_12(entreprise, period):
        return (
            entreprise("fds_fermeture_totale", period)  # a)
            | entreprise("fds_fermeture_partielle", period)  # b)
            | entreprise("fds_regime_annexe_1", period)  # c)
            | entreprise("fds_article_3_15_annexe_2", period)  # d)
            | entreprise("fds_regime_autres_entreprises", period)  # e)
        )


class fds_article_3_15_eligible(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2020-12-31"
    label = "Éligible à l'aide de décembre 2020"
    reference = f"{DECRET}, art. 3-15, I"

    def formula_2020_12(entreprise, period):
        return (
            entreprise("fds_beneficiaire", period)  # art. 1er
            & entreprise("fds_article_3_15_regime_ouvert", period)  # A and B
            & entreprise("fds_sans_contrat_temps_complet", period)  # C
            & entreprise("fds_activite_debutee_a_temps", period)  # D
            & entreprise("fds_sans_dette_impayee", period)  # E
        )


class fds_article_3_15_subvention(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2020-12-31"
    unit = "currency-EUR"
    label = "Décembre 2020 : le plus favorable des régimes ouverts"
    reference = f"{DECRET}, art. 3-15, II"

    def formula_2020_12(entreprise, period, parameters):
        return meilleur_regime(
            entreprise,
            period,
            parameters,
            ("fds_fermeture_totale", "fds_fermeture_totale_montant"),
            ("fds_fermeture_partielle", "fds_fermeture_partielle_montant"),
            ("fds_regime_annexe_1", "fds_regime_annexe_1_montant"),
            ("fds_article_3_15_annexe_2", "fds_part_de_la_perte_montant"),
            ("fds_regime_autres_entreprises", "fds_regime_autres_entreprises_montant"),
        )


class fds_article_3_15_montant(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2020-12-31"
    unit = "currency-EUR"
    label = "Aide de décembre 2020"
    reference = f"{DECRET}, art. 3-15, II"

    def formula_2020_12(entreprise, period):
        aide = entreprise("fds_article_3_15_subvention", period)
        apres_deduction = numpy.maximum(aide - entreprise("fds_pensions_et_indemnites", period), 0)
        return apres_deduction * entreprise("fds_article_3_15_eligible", period)
