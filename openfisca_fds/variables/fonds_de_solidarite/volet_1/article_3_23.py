"""Article 3-23 : février 2021, Mayotte."""

import numpy
from openfisca_core.periods import MONTH
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel, au_moins, perte_dans_la_limite
from openfisca_fds.codes import appartient
from openfisca_fds.entities import Entreprise
from openfisca_fds.references import DECRET


class fds_domiciliee_a_mayotte(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2021-02-28"
    label = "Domiciliée à Mayotte"
    reference = f"{DECRET}, art. 3-23, I"

    def formula_2021_02(entreprise, period, parameters):
        return appartient(entreprise("departement", period), parameters(period).fonds_de_solidarite.territoires.mayotte)


class fds_article_3_23_chiffre_affaires_reference(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2021-02-28"
    unit = "currency-EUR"
    label = "Chiffre d'affaires de référence de l'aide de Mayotte"
    reference = f"{DECRET}, art. 3-23"

    def formula_2021_02(entreprise, period):
        """Old enterprises: mean of 2019 alone, whatever their option; others as the general regime. Euros."""
        tranche = entreprise("tranche_creation", period)
        return numpy.where(
            tranche == tranche.possible_values.ancienne,
            entreprise("chiffre_affaires_mensuel_moyen_2019", period),
            entreprise("chiffre_affaires_reference", period),
        )


class fds_article_3_23_perte(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2021-02-28"
    unit = "currency-EUR"
    label = "Perte au sens de l'aide de Mayotte"
    reference = f"{DECRET}, art. 3-23"

    def formula_2021_02(entreprise, period):
        reference = entreprise("fds_article_3_23_chiffre_affaires_reference", period)
        return numpy.maximum(reference - entreprise("chiffre_affaires", period), 0)


class fds_article_3_23_perte_suffisante(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2021-02-28"
    label = "Perte d'au moins 50 % au sens de l'aide de Mayotte"
    reference = f"{DECRET}, art. 3-23, I, 1°"

    def formula_2021_02(entreprise, period, parameters):
        seuil = parameters(period).fonds_de_solidarite.perte.seuil_general
        reference = entreprise("fds_article_3_23_chiffre_affaires_reference", period)
        return au_moins(entreprise("fds_article_3_23_perte", period), reference, seuil)


class fds_article_3_23_effectif_groupe(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2021-02-28"
    label = "Effectif du groupe d'au plus 250 salariés"
    reference = f"{DECRET}, art. 3-23, I, 3°"

    def formula_2021_02(entreprise, period, parameters):
        plafond = parameters(period).fonds_de_solidarite.volet_1.article_3_23.plafond_effectif
        return entreprise.groupe("effectif_groupe", period) <= plafond


class fds_article_3_23_autre_entreprise(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2021-02-28"
    label = "Aucun régime renforcé de février 2021 n'est ouvert"
    reference = f"{DECRET}, art. 3-23, I"

    def formula_2021_02(entreprise, period):
        return ~entreprise("fds_article_3_22_regime_renforce", period)


class fds_article_3_23_eligible(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2021-02-28"
    label = "Éligible à l'aide de Mayotte de février 2021"
    reference = f"{DECRET}, art. 3-23, I"

    def formula_2021_02(entreprise, period):
        return (
            entreprise("fds_beneficiaire", period)  # art. 1er
            & entreprise("fds_sans_arrete_de_fermeture", period)  # I
            & entreprise("fds_domiciliee_a_mayotte", period)  # I
            & entreprise("fds_article_3_23_autre_entreprise", period)  # I
            & entreprise("fds_article_3_23_perte_suffisante", period)  # 1°
            & entreprise("fds_sans_contrat_temps_complet", period)  # 2°
            & entreprise("fds_article_3_23_effectif_groupe", period)  # 3°
            & entreprise("fds_activite_debutee_a_temps", period)  # 4°
            & entreprise("fds_sans_dette_impayee", period)  # declaration on honour
        )


class fds_article_3_23_subvention(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2021-02-28"
    unit = "currency-EUR"
    label = "Perte dans la limite de 3 000 €"
    reference = f"{DECRET}, art. 3-23, II"

    def formula_2021_02(entreprise, period, parameters):
        plafond = parameters(period).fonds_de_solidarite.volet_1.article_3_23.plafond_aide
        return perte_dans_la_limite(entreprise("fds_article_3_23_perte", period), plafond)


class fds_article_3_23_montant(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2021-02-28"
    unit = "currency-EUR"
    label = "Aide de Mayotte de février 2021, avant déduction de l'aide de l'article 3-22"
    reference = f"{DECRET}, art. 3-23, II"

    def formula_2021_02(entreprise, period):
        aide = entreprise("fds_article_3_23_subvention", period)
        apres_deduction = numpy.maximum(aide - entreprise("fds_pensions_et_indemnites", period), 0)
        return apres_deduction * entreprise("fds_article_3_23_eligible", period)
