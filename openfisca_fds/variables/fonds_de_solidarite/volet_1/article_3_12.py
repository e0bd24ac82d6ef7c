"""Article 3-12 : octobre 2020, secteurs protégés hors des zones de couvre-feu."""

import numpy
from openfisca_core.periods import MONTH
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel
from openfisca_fds.entities import Entreprise
from openfisca_fds.references import DECRET


class fds_hors_couvre_feu_octobre_2020(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2020-10-31"
    label = "Domiciliée hors des zones de couvre-feu d'octobre 2020"
    reference = f"{DECRET}, art. 3-12, I"

    def formula_2020_10(entreprise, period):
        return ~entreprise("couvre_feu_octobre_2020", period)


class fds_article_3_12_eligible(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2020-10-31"
    label = "Éligible à l'aide d'octobre 2020 des secteurs protégés hors couvre-feu"
    reference = f"{DECRET}, art. 3-12, I"

    def formula_2020_10(entreprise, period):
        return (
            entreprise("fds_beneficiaire", period)  # art. 1er
            & entreprise("fds_secteur_protege", period)  # annexe 1 or 2
            & entreprise("fds_perte_seuil_general", period)  # loss
            & entreprise("fds_hors_couvre_feu_octobre_2020", period)  # territory
            & entreprise("fds_effectif_groupe_sous_plafond", period)  # headcount of the group
            & entreprise("fds_activite_debutee_a_temps", period)  # start of activity
            & entreprise("fds_sans_contrat_temps_complet", period)  # contract of the manager
            & entreprise("fds_sans_dette_impayee", period)  # declaration on honour
        )


class fds_article_3_12_perte_forte_montant(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2020-10-31"
    unit = "currency-EUR"
    label = "Perte d'au moins 70 % : limite de 10 000 € et de 60 % de la référence"
    reference = f"{DECRET}, art. 3-12, II"

    def formula_2020_10(entreprise, period, parameters):
        taux = parameters(period).fonds_de_solidarite.volet_1.article_3_12.taux_limite_chiffre_affaires
        limite = taux * entreprise("chiffre_affaires_reference", period)
        return numpy.minimum(entreprise("fds_perte_plafonnee_montant", period), limite)


class fds_article_3_12_subvention(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2020-10-31"
    unit = "currency-EUR"
    label = "Perte d'au moins 70 %, ou perte plus faible limitée à 1 500 €"
    reference = f"{DECRET}, art. 3-12, II"

    def formula_2020_10(entreprise, period):
        return numpy.where(
            entreprise("fds_perte_seuil_fort", period),
            entreprise("fds_article_3_12_perte_forte_montant", period),
            entreprise("fds_petite_perte_montant", period),
        )


class fds_article_3_12_montant(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2020-10-31"
    unit = "currency-EUR"
    label = "Aide d'octobre 2020 des secteurs protégés hors couvre-feu"
    reference = f"{DECRET}, art. 3-12, II"

    def formula_2020_10(entreprise, period):
        aide = entreprise("fds_article_3_12_subvention", period)
        apres_deduction = numpy.maximum(aide - entreprise("fds_pensions_et_indemnites", period), 0)
        return apres_deduction * entreprise("fds_article_3_12_eligible", period)
