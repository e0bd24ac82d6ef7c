"""Où est l'entreprise, et les mesures sanitaires de son territoire."""

import numpy
from openfisca_core.indexed_enums import Enum
from openfisca_core.periods import ETERNITY, MONTH
from openfisca_core.variables import Variable

from openfisca_fds.codes import Code, appartient
from openfisca_fds.entities import Entreprise
from openfisca_fds.nomenclatures.departements import Departement
from openfisca_fds.periodes import OCTOBRE_2020
from openfisca_fds.references import aux_articles


class departement(Code, Variable):
    value_type = Enum
    possible_values = Departement
    default_value = Departement["75"]
    entity = Entreprise
    definition_period = ETERNITY
    label = "Département ou collectivité de domiciliation"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-25, I, A, 2°"


class commune_annexe_3(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Domiciliée dans une commune de l'annexe 3 (station de montagne ou vallée)"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-16, I et annexe 3"


class densite_commune(Variable):
    value_type = int
    default_value = 1
    entity = Entreprise
    definition_period = ETERNITY
    label = (
        "Classe de la commune dans la grille communale de densité de l'Insee (1 dense, 2 intermédiaire, 3 "
        "peu dense, 4 très peu dense)"
    )
    reference = "Décret n° 2021-960 du 20 juillet 2021, art. 1er, I, 2°"


class etat_urgence_sanitaire(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    label = "Territoire soumis à l'état d'urgence sanitaire au moins un jour du mois"
    reference = aux_articles("3-28, I, A, 2° bis b) (depuis août 2021) ; 3-28, I, B bis (depuis juillet 2021) ; 3-30")
    documentation = "Par défaut : calendrier de l'état d'urgence sanitaire du territoire."

    def formula_2020_03(entreprise, period, parameters):
        jours = parameters(period).fonds_de_solidarite.territoires.jours_etat_urgence_sanitaire
        departement = entreprise("departement", period)
        par_departement = numpy.array(
            [getattr(jours, f"departement_{code}", jours.metropole) for code in departement.possible_values.names]
        )
        return par_departement[numpy.asarray(departement)] > 0


class couvre_feu_octobre_2020(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Domiciliée dans une zone de couvre-feu en octobre 2020"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-11, I"
    documentation = "Par défaut : départements en zone de couvre-feu, y compris limitée à une métropole."

    def formula(entreprise, period, parameters):
        zones = parameters(OCTOBRE_2020).fonds_de_solidarite.territoires.couvre_feu_octobre_2020
        return appartient(entreprise("departement", period), zones)


class jours_couvre_feu_ou_confinement(Variable):
    value_type = int
    entity = Entreprise
    definition_period = MONTH
    unit = "jour"
    label = "Jours du mois sous couvre-feu ou confinement"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-28, I, B bis"


class jours_confinement(Variable):
    value_type = int
    entity = Entreprise
    definition_period = MONTH
    unit = "jour"
    label = "Jours du mois sous confinement"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-28, II"
