"""Taille de l'entreprise et de son groupe."""

from openfisca_core.periods import ETERNITY, MONTH
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel, epoussete
from openfisca_fds.entities import Entreprise, Groupe
from openfisca_fds.moyennes import total
from openfisca_fds.periodes import ANNEE_2019, MARS_2020, premier_jour
from openfisca_fds.saisie import repartir_a_l_identique


class effectif_salarie(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    set_input = repartir_a_l_identique
    unit = "salarié"
    label = "Effectif salarié (art. L. 130-1, I, du code de la sécurité sociale)"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-7, I, 7°"


class effectif_groupe(Reel, Variable):
    value_type = float
    entity = Groupe
    definition_period = MONTH
    unit = "salarié"
    label = "Effectif salarié du groupe"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 1er"

    def formula(groupe, period):
        return epoussete(groupe.sum(groupe.members("effectif_salarie", period)))


class benefice_imposable_dernier_exercice(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = ETERNITY
    unit = "currency-EUR"
    label = (
        "Bénéfice imposable du dernier exercice (à défaut, au 29 février 2020, ramené sur douze mois), augmenté des "
        "sommes versées au dirigeant"
    )
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-7, I, 3°"
    documentation = "Ramené sur douze mois si aucun exercice n'est clos."


class nombre_associes(Variable):
    value_type = int
    default_value = 1
    entity = Entreprise
    definition_period = ETERNITY
    label = "Nombre d'associés"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-7, I, 3°"


class nombre_conjoints_collaborateurs(Variable):
    value_type = int
    entity = Entreprise
    definition_period = ETERNITY
    label = "Nombre de conjoints collaborateurs"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-7, I, 3°"


class salarie_au_1er_mars_2020(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Emploie au moins un salarié au 1er mars 2020 (10 mars si créée depuis)"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 4, I, 2°"

    def formula(entreprise, period, parameters):
        seuil = parameters(MARS_2020).fonds_de_solidarite.champ.seuil_effectif_1er_mars_2020
        return entreprise("effectif_salarie", MARS_2020) >= seuil


class exercice_clos(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "A clos au moins un exercice"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-7, I, 8°"
    documentation = "Par défaut : créée avant le premier janvier 2019."

    def formula(entreprise, period):
        return entreprise("date_creation", period) < premier_jour(ANNEE_2019)


class chiffre_affaires_dernier_exercice(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = ETERNITY
    unit = "currency-EUR"
    label = "Chiffre d'affaires hors taxes du dernier exercice clos"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-7, I, 8°"
    documentation = "Par défaut : somme des douze mois de 2019."

    def formula(entreprise, period):
        return total(entreprise, ANNEE_2019.get_subperiods(MONTH))
