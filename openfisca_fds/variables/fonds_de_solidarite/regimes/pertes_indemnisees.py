"""Montants servis d'octobre 2020 à mai 2021 : la perte, plafonnée, et l'option en part de la référence.

La limite de 10 000 € tient à l'option « perte » ; l'option « part du chiffre d'affaires » n'a que la limite du groupe.
"""

import numpy
from openfisca_core.periods import MONTH
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel, perte_dans_la_limite
from openfisca_fds.entities import Entreprise
from openfisca_fds.references import aux_articles

FIN = "2021-05-31"


class fds_option_chiffre_affaires_montant(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "Option : 20 % du chiffre d'affaires de référence, 15 % si la perte est inférieure à 70 %"
    reference = aux_articles("3-15, II ; 3-19, I, B ; 3-22, I, B ; 3-24, I, B ; 3-26, I, B ; 3-27, I, B")

    def formula_2020_12(entreprise, period, parameters):
        option = parameters(period).fonds_de_solidarite.pertes_indemnisees.option
        taux = numpy.where(entreprise("fds_perte_seuil_fort", period), option.taux_fort, option.taux_faible)
        return taux * entreprise("chiffre_affaires_reference", period)


class fds_option_secteurs_assimiles_montant(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = (
        "Option : 20 % du chiffre d'affaires de référence si la perte atteint 70 %, 15 % sinon (depuis janvier 2021)"
    )
    reference = aux_articles(
        "3-17, II ; 3-18, II ; 3-19, I, B ; 3-22, I, B ; 3-24, I, B ; 3-25, I, B ; 3-26, I, B ; 3-27, I, B ; 3-29, II"
    )

    def formula_2020_12(entreprise, period, parameters):
        option = parameters(period).fonds_de_solidarite.pertes_indemnisees.option_secteurs_assimiles
        taux = numpy.where(entreprise("fds_perte_seuil_fort", period), option.taux_fort, option.taux_faible)
        return taux * entreprise("chiffre_affaires_reference", period)


class fds_perte_plafonnee_montant(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "100 % de la perte, dans la limite de 10 000 €"
    reference = aux_articles(
        "3-11, II ; 3-14, II ; 3-15, II ; 3-19, I, B ; 3-22, I, B ; 3-24, I, B ; 3-26, I, B ; 3-27, I, B"
    )

    def formula_2020_10(entreprise, period, parameters):
        plafond = parameters(period).fonds_de_solidarite.pertes_indemnisees.plafond_perte
        return perte_dans_la_limite(entreprise("perte_chiffre_affaires", period), plafond)


class fds_perte_sur_place_plafonnee_montant(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "100 % de la perte hors ventes à distance, dans la limite de 10 000 €"
    reference = aux_articles("3-14, II ; 3-15, II ; 3-19, I, B ; 3-22, I, B ; 3-24, I, B ; 3-26, I, B ; 3-27, I, B")

    def formula_2020_11(entreprise, period, parameters):
        plafond = parameters(period).fonds_de_solidarite.pertes_indemnisees.plafond_perte
        return perte_dans_la_limite(entreprise("perte_hors_ventes_a_distance", period), plafond)


class fds_petite_perte_montant(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "100 % de la perte, dans la limite de 1 500 €"
    reference = aux_articles("3-11, II ; 3-12, II ; 3-14, II")

    def formula_2020_10(entreprise, period, parameters):
        plafond = parameters(period).fonds_de_solidarite.pertes_indemnisees.plafond_petite_perte
        return perte_dans_la_limite(entreprise("perte_chiffre_affaires", period), plafond)


class fds_part_de_la_perte_montant(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "80 % de la perte, de 1 500 € à 10 000 € (toute la perte si elle ne dépasse pas 1 500 €)"
    reference = aux_articles(
        "3-14, II ; 3-15, II ; 3-16, II ; 3-17, II ; 3-18, II ; 3-19, I, B ; 3-21, I, B ; 3-22, I, B ; "
        "3-24, I, B ; 3-25, I, B ; 3-26, I, B ; 3-27, I, B ; 3-29, II"
    )

    def formula_2020_11(entreprise, period, parameters):
        """Up to 1 500 € the whole loss; above, 80 % of it between the floor and the ceiling. Euros."""
        part = parameters(period).fonds_de_solidarite.pertes_indemnisees.part_de_la_perte
        plafond = parameters(period).fonds_de_solidarite.pertes_indemnisees.plafond_perte
        perte = entreprise("perte_chiffre_affaires", period)
        partielle = numpy.maximum(perte_dans_la_limite(part.taux * perte, plafond), part.plancher)
        return numpy.where(perte <= part.seuil_perte_integrale, perte, partielle)


class fds_secteurs_assimiles_montant(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "Perte entière jusqu'à 1 500 € ; au-delà, la meilleure option : 80 % de la perte, ou part de la référence"
    reference = aux_articles(
        "3-17, II ; 3-18, II ; 3-19, I, B ; 3-22, I, B ; 3-24, I, B ; 3-25, I, B ; 3-26, I, B ; 3-27, I, B ; 3-29, II"
    )

    def formula_2020_12(entreprise, period, parameters):
        """A loss of at most 1 500 € is paid whole; above, the better of the two options. Euros."""
        seuil = parameters(period).fonds_de_solidarite.pertes_indemnisees.part_de_la_perte.seuil_perte_integrale
        perte = entreprise("perte_chiffre_affaires", period)
        part = entreprise("fds_part_de_la_perte_montant", period)
        meilleure = numpy.maximum(part, entreprise("fds_option_secteurs_assimiles_montant", period))
        return numpy.where(perte <= seuil, perte, meilleure)
