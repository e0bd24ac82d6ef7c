"""Décret n° 2021-1582 : complément de juillet à octobre 2021 pour les annexes 1 et 2 payées 1 500 €."""

import numpy
from openfisca_core.periods import MONTH
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel, epoussete, quotient
from openfisca_fds.entities import Entreprise, Groupe
from openfisca_fds.references import DECRET_COMPLEMENT

FIN = "2021-10-31"


class fds_complement_annexe_1_ou_2(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    label = "Activité de l'annexe 1 ou de l'annexe 2"
    reference = f"{DECRET_COMPLEMENT}, art. 1er"

    def formula_2021_07(entreprise, period):
        return entreprise("annexe_1", period) | entreprise("annexe_2", period)


class fds_complement_regime_de_base(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    label = "Régime des petites entreprises d'un territoire confiné ouvert pour le mois"
    reference = f"{DECRET_COMPLEMENT}, art. 1er"

    def formula_2021_07(entreprise, period):
        """Part II of article 3-28."""
        return entreprise("fds_article_3_28_eligible", period) & entreprise("fds_article_3_28_regime_du_ii", period)

    def formula_2021_10(entreprise, period):
        """Branch E of article 3-30."""
        return entreprise("fds_article_3_30_eligible", period) & entreprise("fds_petites_entreprises_confinees", period)


class fds_complement_aide_exacte(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    label = "Aide du mois strictement égale à 1 500 €"
    reference = f"{DECRET_COMPLEMENT}, art. 1er"

    def formula_2021_07(entreprise, period, parameters):
        montant = parameters(period).fonds_de_solidarite.volet_1.complement_2021_1582.montant_de_base
        return epoussete(entreprise("fds_volet_1", period)) == montant


class fds_complement_eligible(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    label = "Éligible au complément du décret n° 2021-1582"
    reference = f"{DECRET_COMPLEMENT}, art. 1er"

    def formula_2021_07(entreprise, period):
        return (
            entreprise("fds_complement_annexe_1_ou_2", period)
            & entreprise("fds_complement_regime_de_base", period)
            & entreprise("fds_complement_aide_exacte", period)
        )


class fds_complement_avant_plafond(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "Complément : 20 % de la référence moins l'aide de 1 500 €, avant la limite du groupe"
    reference = f"{DECRET_COMPLEMENT}, art. 2"

    def formula_2021_07(entreprise, period, parameters):
        complement = parameters(period).fonds_de_solidarite.volet_1.complement_2021_1582
        part = complement.taux_chiffre_affaires_reference * entreprise("chiffre_affaires_reference", period)
        difference = numpy.maximum(part - complement.montant_de_base, 0)
        return difference * entreprise("fds_complement_eligible", period)


class fds_groupe_complement_avant_plafond(Reel, Variable):
    value_type = float
    entity = Groupe
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "Compléments du mois dans le groupe, avant limite"
    reference = f"{DECRET_COMPLEMENT}, art. 2"

    def formula_2021_07(groupe, period):
        return groupe.sum(groupe.members("fds_complement_avant_plafond", period))


class fds_complement_2021_1582(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "Complément au fonds de solidarité"
    reference = f"{DECRET_COMPLEMENT}, art. 2"
    documentation = "Limite de 200 000 € sur les compléments du groupe, au prorata, à part du plafond du volet 1."

    def formula_2021_07(entreprise, period, parameters):
        plafond = parameters(period).fonds_de_solidarite.volet_1.complement_2021_1582.plafond_groupe
        avant = entreprise("fds_complement_avant_plafond", period)
        total = entreprise.groupe("fds_groupe_complement_avant_plafond", period)
        montant = avant.copy()
        rangs = numpy.flatnonzero(total > plafond)
        montant[rangs] = quotient(avant[rangs] * plafond, total[rangs])
        return montant
