"""Article 3-29 : rattrapage de janvier à mars 2021, coiffure et beauté en station, habillement."""

import numpy
from openfisca_core.periods import MONTH
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel
from openfisca_fds.codes import appartient
from openfisca_fds.entities import Entreprise
from openfisca_fds.periodes import jour
from openfisca_fds.references import DECRET


class fds_coiffure_et_beaute_en_station(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2021-03-31"
    label = "Coiffure ou soins de beauté dans une commune de l'annexe 3"
    reference = f"{DECRET}, art. 3-29, I"

    def formula_2021_01(entreprise, period, parameters):
        codes = parameters(period).fonds_de_solidarite.secteurs.coiffure_et_soins_de_beaute
        return appartient(entreprise("code_naf", period), codes) & entreprise("commune_annexe_3", period)


class fds_article_3_29_pertes_passees(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2021-03-31"
    label = "Habillement : l'une des trois conditions de pertes passées"
    reference = f"{DECRET}, art. 3-29, I"

    def formula_2021_01(entreprise, period, parameters):
        """10 % over the year; or created since December 2019 and 80 % in the spring; or 80 % in November."""
        limite = parameters(period).fonds_de_solidarite.secteurs.pertes_passees.date_creation_baisse_annuelle
        recente = entreprise("date_creation", period) >= jour(limite)
        return (
            entreprise("fds_baisse_annuelle_2020", period)
            | (recente & entreprise("fds_perte_premier_confinement_2021", period))
            | entreprise("fds_perte_novembre_2020", period)
        )


class fds_habillement(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2021-03-31"
    label = "Fabrication de vêtements ou d'articles à mailles, et pertes passées"
    reference = f"{DECRET}, art. 3-29, I"

    def formula_2021_01(entreprise, period, parameters):
        codes = parameters(period).fonds_de_solidarite.secteurs.habillement
        activite = appartient(entreprise("code_naf", period), codes)
        return activite & entreprise("fds_article_3_29_pertes_passees", period)


class fds_article_3_29_secteur(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2021-03-31"
    label = "L'un des deux secteurs du rattrapage"
    reference = f"{DECRET}, art. 3-29, I"

    def formula_2021_01(entreprise, period):
        return entreprise("fds_coiffure_et_beaute_en_station", period) | entreprise("fds_habillement", period)


class fds_article_3_29_activite_debutee_a_temps(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2021-03-31"
    label = "Activité débutée avant le 31 janvier 2021"
    reference = f"{DECRET}, art. 3-29, I"

    def formula_2021_01(entreprise, period, parameters):
        limite = parameters(period).fonds_de_solidarite.volet_1.article_3_29.date_debut_activite
        return entreprise("date_debut_activite", period) < jour(limite)


class fds_article_3_29_eligible(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2021-03-31"
    label = "Éligible au rattrapage de janvier à mars 2021"
    reference = f"{DECRET}, art. 3-29, I"

    def formula_2021_01(entreprise, period):
        return (
            entreprise("fds_beneficiaire", period)  # art. 1er
            & entreprise("fds_sans_arrete_de_fermeture", period)  # I
            & entreprise("fds_article_3_29_secteur", period)  # activity
            & entreprise("fds_perte_seuil_general", period)  # loss
            & entreprise("fds_sans_contrat_temps_complet", period)  # contract of the manager
            & entreprise("fds_article_3_29_activite_debutee_a_temps", period)  # start of activity
            & entreprise("fds_sans_dette_impayee", period)  # declaration on honour
        )


class fds_article_3_29_montant(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2021-03-31"
    unit = "currency-EUR"
    label = "Rattrapage de janvier à mars 2021, avant déduction des autres aides du mois"
    reference = f"{DECRET}, art. 3-29, II"

    def formula_2021_01(entreprise, period):
        aide = entreprise("fds_secteurs_assimiles_montant", period)
        apres_deduction = numpy.maximum(aide - entreprise("fds_pensions_et_indemnites", period), 0)
        return apres_deduction * entreprise("fds_article_3_29_eligible", period)
