"""Aide d'avril 2020 : article 3-1 (conditions) et 3-2 (montant)."""

from openfisca_core.periods import MONTH
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel
from openfisca_fds.entities import Entreprise
from openfisca_fds.references import DECRET


class fds_article_3_1_eligible(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2020-04-30"
    label = "Éligible à l'aide d'avril 2020"
    reference = f"{DECRET}, art. 3-1"

    def formula_2020_04(entreprise, period):
        return (
            entreprise("fds_beneficiaire", period)  # art. 1er
            & entreprise("fds_non_controlee_par_societe_commerciale", period)  # art. 1er, I, 7°
            & entreprise("fds_interdiction_ou_perte", period)  # 1° and 2°
            & entreprise("fds_benefice_sous_plafond", period)  # 3°
            & entreprise("fds_sans_contrat_temps_complet", period)  # 4°
            & entreprise("fds_pensions_sous_plafond", period)  # 4°
            & entreprise("fds_groupe_sous_plafonds", period)  # 5°
            & entreprise("fds_activite_debutee_a_temps", period)  # 6°
            & entreprise("fds_effectif_sous_plafond", period)  # 7°
            & entreprise("fds_chiffre_affaires_sous_plafond", period)  # 8°
            & entreprise("fds_sans_dette_impayee", period)  # declaration on honour
        )


class fds_article_3_1_montant(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2020-04-30"
    unit = "currency-EUR"
    label = "Aide d'avril 2020"
    reference = f"{DECRET}, art. 3-2"

    def formula_2020_04(entreprise, period):
        aide = entreprise("fds_aide_tres_petites_entreprises", period)
        return aide * entreprise("fds_article_3_1_eligible", period)
