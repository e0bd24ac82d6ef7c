"""Article 3-7 : Guyane et Mayotte, de juillet à septembre 2020."""

from openfisca_core.periods import MONTH
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel, perte_dans_la_limite
from openfisca_fds.codes import appartient
from openfisca_fds.entities import Entreprise
from openfisca_fds.references import DECRET


class fds_domiciliee_en_guyane_ou_a_mayotte(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    label = "Domiciliée en Guyane ou à Mayotte"
    reference = f"{DECRET}, art. 3-7, I"

    def formula_2020_03(entreprise, period, parameters):
        territoires = parameters(period).fonds_de_solidarite.territoires.guyane_et_mayotte
        return appartient(entreprise("departement", period), territoires)


class fds_article_3_7_eligible(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2020-09-30"
    label = "Éligible à l'aide de Guyane et de Mayotte"
    reference = f"{DECRET}, art. 3-7, I"
    documentation = "Dernier mois incertain : septembre 2020 est retenu."

    def formula_2020_07(entreprise, period):
        return (
            entreprise("fds_beneficiaire", period)  # art. 1er
            & entreprise("fds_non_controlee_par_societe_commerciale", period)  # art. 1er, I, 7°
            & entreprise("fds_domiciliee_en_guyane_ou_a_mayotte", period)  # I
            & entreprise("fds_interdiction_ou_perte", period)  # 1° and 2°
            & entreprise("fds_benefice_sous_plafond", period)  # 3°
            & entreprise("fds_sans_contrat_temps_complet", period)  # 4°
            & entreprise("fds_pensions_sous_plafond", period)  # 4°
            & entreprise("fds_groupe_sous_plafonds", period)  # 5°
            & entreprise("fds_activite_debutee_a_temps", period)  # 6°
            & entreprise("fds_effectif_sous_plafond", period)  # 7°
            & entreprise("fds_chiffre_affaires_sous_plafond", period)  # 8°
            & entreprise("fds_sans_dette_impayee", period)  # IV
        )


class fds_article_3_7_subvention(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2020-09-30"
    unit = "currency-EUR"
    label = "Perte dans la limite de 3 000 €, pensions et indemnités comprises"
    reference = f"{DECRET}, art. 3-7, II"

    def formula_2020_07(entreprise, period, parameters):
        plafond = parameters(period).fonds_de_solidarite.volet_1.article_3_7.plafond_aide
        pensions = entreprise("fds_pensions_et_indemnites", period)
        return perte_dans_la_limite(entreprise("perte_chiffre_affaires", period), plafond - pensions)


class fds_article_3_7_montant(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2020-09-30"
    unit = "currency-EUR"
    label = "Aide de Guyane et de Mayotte"
    reference = f"{DECRET}, art. 3-7, II"

    def formula_2020_07(entreprise, period):
        return entreprise("fds_article_3_7_subvention", period) * entreprise("fds_article_3_7_eligible", period)
