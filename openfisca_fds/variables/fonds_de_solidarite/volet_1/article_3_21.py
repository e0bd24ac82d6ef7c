"""Article 3-21 : novembre 2020, exploitations agricoles des filières dites festives."""

import numpy
from openfisca_core.periods import MONTH
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel
from openfisca_fds.entities import Entreprise
from openfisca_fds.references import DECRET


class fds_exploitation_festive(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2020-11-30"
    label = "Filière festive réalisant au moins 50 % de son chiffre d'affaires avec la restauration ou la chasse"
    reference = f"{DECRET}, art. 3-21, I, A"

    def formula_2020_11(entreprise, period, parameters):
        seuil = parameters(period).fonds_de_solidarite.secteurs.seuil_part_chiffre_affaires
        part = entreprise("part_chiffre_affaires_clients_proteges", period)
        return entreprise("filiere_festive", period) & (part >= seuil)


class fds_article_3_21_eligible(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2020-11-30"
    label = "Éligible à l'aide des filières festives de novembre 2020"
    reference = f"{DECRET}, art. 3-21, I, A"

    def formula_2020_11(entreprise, period):
        return (
            entreprise("fds_beneficiaire", period)  # art. 1er
            & entreprise("fds_exploitation_festive", period)  # activity
            & entreprise("fds_perte_seuil_general", period)  # loss of the month
            & entreprise("fds_pertes_passees_annexe_2", period)  # loss of the spring, or created after 10 March 2020
            & entreprise("fds_sans_contrat_temps_complet", period)  # contract of the manager
            & entreprise("fds_activite_debutee_a_temps", period)  # start of activity
            & entreprise("fds_sans_dette_impayee", period)  # declaration on honour
        )


class fds_article_3_21_montant(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2020-11-30"
    unit = "currency-EUR"
    label = "Aide des filières festives de novembre 2020"
    reference = f"{DECRET}, art. 3-21, I, B et C"

    def formula_2020_11(entreprise, period):
        aide = entreprise("fds_part_de_la_perte_montant", period)
        apres_deduction = numpy.maximum(aide - entreprise("fds_pensions_et_indemnites", period), 0)
        return apres_deduction * entreprise("fds_article_3_21_eligible", period)
