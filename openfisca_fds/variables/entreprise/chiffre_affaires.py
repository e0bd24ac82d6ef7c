"""Chiffres d'affaires de l'entreprise."""

from openfisca_core.indexed_enums import Enum
from openfisca_core.periods import ETERNITY, MONTH
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel, quotient
from openfisca_fds.entities import Entreprise
from openfisca_fds.periodes import (
    AVRIL_2020,
    MAI_2020,
    MARS_2020,
    dernier_jour,
    jour,
    jours_d_activite,
    premier_jour,
)
from openfisca_fds.saisie import repartir_par_parts_egales


class OptionChiffreAffairesReference(Enum):
    plus_favorable = "La plus favorable à l'entreprise"
    mois_2019 = "Chiffre d'affaires du même mois de 2019"
    moyenne_2019 = "Chiffre d'affaires mensuel moyen de 2019"


class chiffre_affaires(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    set_input = repartir_par_parts_egales
    unit = "currency-EUR"
    label = "Chiffre d'affaires hors taxes du mois, ventes à distance comprises"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-25, IV"
    documentation = "Recettes nettes hors taxes pour un BNC ; hors dons et subventions pour une association."


class chiffre_affaires_vente_a_distance(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    unit = "currency-EUR"
    label = "Chiffre d'affaires des ventes à distance, avec retrait ou livraison, et à emporter"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-25, V"
    documentation = "Compris dans chiffre_affaires."


class chiffre_affaires_jours_interdiction(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    unit = "currency-EUR"
    label = "Chiffre d'affaires des jours d'interdiction d'accueil du public, hors ventes à distance"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-10"


class option_chiffre_affaires_reference(Variable):
    value_type = Enum
    possible_values = OptionChiffreAffairesReference
    default_value = OptionChiffreAffairesReference.plus_favorable
    entity = Entreprise
    definition_period = ETERNITY
    label = "Option de l'entreprise pour son chiffre d'affaires de référence"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-7, III"


class chiffre_affaires_jusqu_au_15_mars_2020(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = ETERNITY
    unit = "currency-EUR"
    label = "Chiffre d'affaires réalisé du 1er au 15 mars 2020"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-7, III"
    documentation = "Par défaut : chiffre d'affaires de mars, au prorata des jours d'activité."

    def formula(entreprise, period, parameters):
        reference = parameters(MARS_2020).fonds_de_solidarite.chiffre_affaires_reference
        creation = entreprise("date_creation", period)
        debut = premier_jour(MARS_2020)
        jours_comptes = jours_d_activite(creation, debut, jour(reference.date_fin_activite_normale))
        jours_de_mars = jours_d_activite(creation, debut, dernier_jour(MARS_2020))
        return entreprise("chiffre_affaires", MARS_2020) * quotient(jours_comptes, jours_de_mars)


class chiffre_affaires_premier_confinement(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = ETERNITY
    unit = "currency-EUR"
    label = "Chiffre d'affaires réalisé du 15 mars au 15 mai 2020"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-7, I, 7°"
    documentation = "Par défaut : mois de mars et mai au prorata des jours de la période."

    def formula(entreprise, period, parameters):
        periode = parameters(MARS_2020).fonds_de_solidarite.chiffre_affaires_reference.premier_confinement
        mars = entreprise("chiffre_affaires", MARS_2020) * periode.jours_de_mars / MARS_2020.size_in_days
        mai = entreprise("chiffre_affaires", MAI_2020) * periode.jours_de_mai / MAI_2020.size_in_days
        return mars + entreprise("chiffre_affaires", AVRIL_2020) + mai
