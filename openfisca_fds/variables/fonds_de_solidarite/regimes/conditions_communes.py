"""Conditions que les articles partagent : dirigeant, début d'activité, dettes, arrêté, effectif du groupe."""

import numpy
from openfisca_core.periods import MONTH
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel, epoussete
from openfisca_fds.codes import appartient
from openfisca_fds.entities import Entreprise
from openfisca_fds.periodes import MARS_2020, jour
from openfisca_fds.references import aux_articles


class fds_sans_contrat_temps_complet(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    label = (
        "Dirigeant sans contrat de travail à temps complet, au 1er mars 2020 (jusqu'en avril 2020), le premier jour "
        "du mois (depuis mai 2020), ou entreprise dispensée par son effectif (depuis octobre 2020)"
    )
    reference = aux_articles(
        "2, 4° ; 3-1, 4° ; 3-3, 4° ; 3-5, 4° ; 3-7, I, 4° ; 3-8, 4° ; 3-10, I ; 3-11, I ; 3-12, I ; "
        "3-14, I, 3° ; 3-15, I ; 3-16, I, 2° ; 3-17, I ; 3-18, I ; 3-19, I, A, 3° ; 3-21, I ; "
        "3-22, I, A, 3° ; 3-23, I, 2° ; 3-24, I, A ; 3-25, I, A, 3° ; 3-26, I, A ; 3-27, I, A ; 3-28, I, A ; "
        "3-29, I ; 3-30"
    )

    def formula_2020_03(entreprise, period):
        """March and April 2020: as of 1 March 2020."""
        return ~entreprise("dirigeant_contrat_temps_complet", MARS_2020)

    def formula_2020_05(entreprise, period):
        """As of the first day of the month."""
        return ~entreprise("dirigeant_contrat_temps_complet", period)

    def formula_2020_10(entreprise, period, parameters):
        """As of the first day of the month; waived from one employee on."""
        seuil = parameters(period).fonds_de_solidarite.conditions_communes.seuil_effectif_dispense_contrat
        employeur = entreprise("effectif_salarie", period) >= seuil
        return ~entreprise("dirigeant_contrat_temps_complet", period) | employeur


class fds_activite_debutee_a_temps(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    label = "Activité débutée avant la date limite du mois"
    reference = aux_articles(
        "2, 6° ; 3-1, 6° ; 3-3, 6° ; 3-5, 6° ; 3-7, I, 6° ; 3-8, 6° ; 3-11, I ; 3-12, I ; 3-14, I, 4° ; "
        "3-15, I ; 3-16, I, 4° ; 3-17, I ; 3-18, I ; 3-19, I, A, 4° ; 3-21, I ; 3-22, I, A, 4° ; "
        "3-23, I, 4° ; 3-24, I, A ; 3-25, I, A, 4° ; 3-26, I, A ; 3-27, I, A ; 3-28, I, A ; 3-30"
    )

    def formula_2020_03(entreprise, period, parameters):
        limite = parameters(period).fonds_de_solidarite.conditions_communes.date_debut_activite
        return entreprise("date_debut_activite", period) < jour(limite)


class fds_sans_dette_impayee(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    label = (
        "Sans dette fiscale ou sociale impayée, au 1er mars 2020 (en mars 2020), au 31 décembre 2019 "
        "(depuis avril 2020), hors plan de règlement (depuis avril 2020), et autres exceptions du mois "
        "(depuis octobre 2020)"
    )
    reference = aux_articles(
        "2 et 3 ; 3-1 et 3-2 ; 3-3 et 3-4 ; 3-5 et 3-6 ; 3-7, IV ; 3-8 et 3-9 ; 3-10 ; 3-11 ; 3-12 ; 3-14 ; "
        "3-15 ; 3-16 ; 3-17 ; 3-18 ; 3-19, V ; 3-21, III ; 3-22, V ; 3-23 ; 3-24, V ; 3-25, V ; 3-26, V ; "
        "3-27, V ; 3-28, V ; 3-29 ; 3-30"
    )

    def formula(entreprise, period):
        return ~entreprise("dettes_fiscales_ou_sociales_impayees", period)


class fds_sans_arrete_de_fermeture(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    label = "N'a pas fait l'objet d'un arrêté de fermeture pour manquement"
    reference = aux_articles(
        "3-19, I, A ; 3-22, I, A ; 3-23, I ; 3-24, I, A ; 3-25, I, A ; 3-26, I, A ; 3-27, I, A ; "
        "3-28, I, A ; 3-29, I ; 3-30"
    )

    def formula(entreprise, period):
        return ~entreprise("fermeture_administrative_pour_manquement", period)


class fds_effectif_groupe_sous_plafond(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    label = "Effectif du groupe inférieur ou égal au plafond du mois"
    reference = aux_articles(
        "3-10, I, 3° et 5° ; 3-11, I ; 3-12, I ; 3-14, I, 5° ; 3-15, I ; 3-16, I, 3° ; 3-19, II, A ; "
        "3-22, II, A ; 3-24, II, A ; 3-26, II, A ; 3-27, II, A ; 3-28, II ; 3-30"
    )

    def formula_2020_09(entreprise, period, parameters):
        """Fifty employees, or the special ceiling of Mayotte where the month has one."""
        fds = parameters(period).fonds_de_solidarite
        plafonds = fds.conditions_communes
        mayotte = appartient(entreprise("departement", period), fds.territoires.mayotte)
        plafond = numpy.where(mayotte, plafonds.plafond_effectif_mayotte, plafonds.plafond_effectif)
        return entreprise.groupe("effectif_groupe", period) <= plafond


class fds_pensions_et_indemnites(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    unit = "currency-EUR"
    label = "Pensions de retraite et indemnités journalières du dirigeant au titre du mois"
    reference = aux_articles(
        "2, 4° ; 3-2 ; 3-4 ; 3-6 ; 3-7, II ; 3-9 ; 3-10 ; 3-11 ; 3-12 ; 3-14 ; 3-15 ; 3-16 ; 3-17 ; 3-18 ; "
        "3-19 ; 3-21, I, C ; 3-22 ; 3-23 ; 3-24 ; 3-25, I, C ; 3-26 ; 3-27 ; 3-28 ; 3-29 ; 3-30"
    )

    def formula(entreprise, period):
        return epoussete(entreprise("pensions_retraite", period) + entreprise("indemnites_journalieres", period))
