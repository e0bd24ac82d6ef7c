"""Qui est l'entreprise : création, forme, situation au regard de l'article 1er."""

from datetime import date

from openfisca_core.indexed_enums import Enum
from openfisca_core.periods import ETERNITY, MONTH
from openfisca_core.variables import Variable

from openfisca_fds.entities import Entreprise


class FormeJuridique(Enum):
    entreprise_individuelle = "Entreprise individuelle"
    societe = "Société"
    association = "Association"
    autre = "Autre"


class date_creation(Variable):
    value_type = date
    default_value = date(1970, 1, 1)
    entity = Entreprise
    definition_period = ETERNITY
    label = "Date de création (début d'activité porté au formulaire de création)"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-7, III"
    documentation = (
        "Sens de « créée » : tranches de chiffre d'affaires de référence, moyennes, bornes de création (CAA "
        "Lyon 24LY03046)."
    )


class date_debut_activite(Variable):
    value_type = date
    entity = Entreprise
    definition_period = ETERNITY
    label = "Date du début effectif de l'activité"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-7, I, 6°"
    documentation = "Pour les conditions « ont débuté leur activité avant » ; par défaut la date de création."

    def formula(entreprise, period):
        return entreprise("date_creation", period)


class forme_juridique(Variable):
    value_type = Enum
    possible_values = FormeJuridique
    default_value = FormeJuridique.entreprise_individuelle
    entity = Entreprise
    definition_period = ETERNITY
    label = "Forme juridique"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-7, I, 3°"


class artiste_auteur(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Artiste auteur"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 4, III"


class residence_fiscale_francaise(Variable):
    value_type = bool
    default_value = True
    entity = Entreprise
    definition_period = ETERNITY
    label = "Résidence fiscale en France"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 1er, I"


class assujettie_impots_commerciaux(Variable):
    value_type = bool
    default_value = True
    entity = Entreprise
    definition_period = ETERNITY
    label = "Assujettie aux impôts commerciaux"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 1er, I, 5°"


class monument_historique_ouvert_au_public(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Propriétaire d'un monument historique ouvert au public"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 1er, I, 5° bis (depuis mars 2021)"


class liquidation_judiciaire_au_1er_mars_2020(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "En liquidation judiciaire au 1er mars 2020"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 1er, I, 2°"


class dettes_fiscales_ou_sociales_impayees(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    label = "Dette fiscale ou sociale faisant obstacle à l'aide du mois"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-25, V"
    documentation = (
        "Une fois retirées les dettes que le texte du mois ignore (réglées, sous plan, petites dettes "
        "fiscales, litiges)."
    )


class controlee_par_societe_commerciale(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Contrôlée par une société commerciale (art. L. 233-3 du code de commerce)"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 1er, I, 7°"


class fermeture_administrative_pour_manquement(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    label = "Fermée par arrêté préfectoral pour manquement"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-25, I, A"


class controle_autre_entreprise(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Contrôle une autre entreprise ou est contrôlée par elle (art. L. 233-3)"
    reference = "Décret n° 2021-960 du 20 juillet 2021, art. 1er, I, 7°"
