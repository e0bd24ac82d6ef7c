"""Entreprises fermées au public, de novembre 2020 à mai 2021 : fermeture totale (R1) et partielle (R2)."""

import numpy
from openfisca_core.periods import MONTH
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel, perte_dans_la_limite
from openfisca_fds.entities import Entreprise
from openfisca_fds.references import aux_articles

FIN = "2021-05-31"


class fds_fermeture_totale(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    label = "Fermée au public sans interruption pendant le mois, et perte d'au moins 20 % (depuis février 2021)"
    reference = aux_articles(
        "3-15, I ; 3-19, I, A, 1° ; 3-22, I, A, 1° ; 3-24, I, A, 1° ; 3-26, I, A, 1° ; 3-27, I, A, 1°"
    )

    def formula_2020_12(entreprise, period, parameters):
        """December 2020 and January 2021 ask for no loss, unless the switch of the doubt says otherwise."""
        perte_exigee = parameters(period).fonds_de_solidarite.fermeture.perte_exigee_fermeture_totale
        fermee = entreprise("interdiction_sans_interruption", period)
        if not perte_exigee:
            return fermee
        return fermee & entreprise("fds_perte_seuil_fermeture", period)


class fds_fermeture_montant(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "Fermeture : perte hors ventes à distance (limite 10 000 €) ou 20 % de la référence"
    reference = aux_articles("3-15, II ; 3-19, I, B ; 3-22, I, B ; 3-24, I, B ; 3-26, I, B ; 3-27, I, B")

    def formula_2020_12(entreprise, period, parameters):
        taux = parameters(period).fonds_de_solidarite.fermeture.taux_chiffre_affaires_reference
        option = taux * entreprise("chiffre_affaires_reference", period)
        return numpy.maximum(entreprise("fds_perte_sur_place_plafonnee_montant", period), option)


class fds_fermeture_totale_montant(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "Montant de la fermeture totale"
    reference = aux_articles("3-15, II ; 3-19, I, B ; 3-22, I, B ; 3-24, I, B ; 3-26, I, B ; 3-27, I, B")

    def formula_2020_12(entreprise, period, parameters):
        """Literal reading: 20 % of the reference even above the loss; a switch limits it to the loss."""
        montant = entreprise("fds_fermeture_montant", period)
        if parameters(period).fonds_de_solidarite.fermeture.montant_limite_a_la_perte:
            return perte_dans_la_limite(montant, entreprise("perte_hors_ventes_a_distance", period))
        return montant


class fds_fermeture_partielle(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    label = (
        "Fermée au public au moins un jour du mois, et perte d'au moins 50 % hors ventes à distance "
        "(en décembre 2020), et perte d'au moins 20 % (depuis mars 2021)"
    )
    reference = aux_articles("3-15, I ; 3-24, I, A, 2° ; 3-26, I, A, 2° ; 3-27, I, A, 2°")

    def formula_2020_12(entreprise, period):
        """December 2020: loss of 50 %, distance sales left out."""
        fermee = entreprise("interdiction_accueil_public", period)
        return fermee & entreprise("fds_perte_sur_place_seuil_general", period)

    def formula_2021_01(entreprise, period):
        """January and February 2021: no such regime."""
        return numpy.zeros(entreprise.count, dtype=bool)

    def formula_2021_03(entreprise, period):
        """From March 2021 on: one day of closure, loss of 20 %, distance sales included."""
        fermee = entreprise("interdiction_accueil_public", period)
        return fermee & entreprise("fds_perte_seuil_fermeture", period)


class fds_fermeture_partielle_montant(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "Montant de la fermeture partielle : comme la totale à partir de 50 % de perte, sinon 1 500 € au plus"
    reference = aux_articles("3-15, II ; 3-24, I, B ; 3-26, I, B ; 3-27, I, B")

    def formula_2020_12(entreprise, period):
        """December 2020: the regime itself supposes a loss of 50 %."""
        return entreprise("fds_fermeture_montant", period)

    def formula_2021_03(entreprise, period, parameters):
        plafond = parameters(period).fonds_de_solidarite.fermeture.plafond_perte_faible
        perte = entreprise("perte_hors_ventes_a_distance", period)
        return numpy.where(
            entreprise("fds_perte_sur_place_seuil_general", period),
            entreprise("fds_fermeture_montant", period),
            perte_dans_la_limite(perte, plafond),
        )
