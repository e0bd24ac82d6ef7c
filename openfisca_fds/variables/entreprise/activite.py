"""Ce que fait l'entreprise."""

from openfisca_core.indexed_enums import Enum
from openfisca_core.periods import ETERNITY, MONTH
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel
from openfisca_fds.codes import Code, appartient
from openfisca_fds.entities import Entreprise
from openfisca_fds.nomenclatures.naf import CodeNaf
from openfisca_fds.periodes import JANVIER_2021, MARS_2020


class code_naf(Code, Variable):
    value_type = Enum
    possible_values = CodeNaf
    default_value = CodeNaf.inconnu
    entity = Entreprise
    definition_period = ETERNITY
    label = "Code de l'activité principale (NAF rév. 2)"
    reference = "Décret n° 2020-371 du 30 mars 2020, annexes 1 et 2"


class part_chiffre_affaires_clients_proteges(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = ETERNITY
    unit = "/1"
    label = "Part du chiffre d'affaires faite avec les clients que les lignes « au moins 50 % » de l'annexe 2 désignent"
    reference = "Décret n° 2020-371 du 30 mars 2020, annexe 2"


class surface_centre_commercial(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = ETERNITY
    unit = "m²"
    label = "Surface commerciale utile du centre commercial où se trouve au moins un magasin de vente"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-22, I, A, 2° d)"
    documentation = "0 : aucun magasin dans un centre commercial."


class filiere_festive(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Exploitation agricole des filières dites festives"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-21, I, A"


class discotheque(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Discothèque (établissement recevant du public de type P)"
    reference = "Décret n° 2020-1049 du 14 août 2020, art. 1er"


class discotheque_dettes_et_charges_mars_aout_2020(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = ETERNITY
    unit = "currency-EUR"
    label = "Discothèque : dettes exigibles et charges fixes de mars à août 2020 restant à régler"
    reference = "Décret n° 2020-1049 du 14 août 2020, art. 4"


class discotheque_charges_fixes_septembre_novembre_2020(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = ETERNITY
    unit = "currency-EUR"
    label = "Discothèque : charges fixes de septembre à novembre 2020"
    reference = "Décret n° 2020-1049 du 14 août 2020, art. 4-1"


class activite_secondaire(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Exerce au moins une activité secondaire"
    reference = "Décret n° 2021-960 du 20 juillet 2021, art. 1er, I, 3°"


class activite_secondaire_interdite_au_public(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Activité secondaire interdite d'accueil du public sans interruption du 1er novembre 2020 au 1er mai 2021"
    reference = "Décret n° 2021-960 du 20 juillet 2021, art. 1er, I, 4°"


class commerce_de_detail(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Commerce de détail, à l'exception des automobiles et des motocycles"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-25, I, A, 2°"

    def formula(entreprise, period, parameters):
        codes = parameters(MARS_2020).fonds_de_solidarite.secteurs.commerce_de_detail
        return appartient(entreprise("code_naf", period), codes)


class reparation_navale(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Réparation et maintenance navale"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-25, I, A, 2°"

    def formula(entreprise, period, parameters):
        codes = parameters(MARS_2020).fonds_de_solidarite.secteurs.reparation_navale
        return appartient(entreprise("code_naf", period), codes)


class location_biens_immobiliers_residentiels(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Location de biens immobiliers résidentiels"
    reference = "Décret n° 2020-371 du 30 mars 2020, art. 3-16, I"

    def formula(entreprise, period, parameters):
        codes = parameters(MARS_2020).fonds_de_solidarite.secteurs.location_biens_immobiliers_residentiels
        return appartient(entreprise("code_naf", period), codes)


class annexe_1(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    label = "Activité principale mentionnée à l'annexe 1 (secteurs S1)"
    reference = "Décret n° 2020-371 du 30 mars 2020, annexe 1"
    documentation = (
        "Par défaut : code NAF et listes datées du mois d'aide ; les lignes plus étroites que leur code NAF "
        "demandent une saisie."
    )

    def formula_2020_05(entreprise, period, parameters):
        secteurs = parameters(period).fonds_de_solidarite.secteurs
        code_naf = entreprise("code_naf", period)
        boissons_a_emporter = secteurs.annexe_1.ligne_010_boissons_a_emporter
        codes = [
            code
            for ligne in secteurs.annexe_1
            for code in secteurs.annexe_1[ligne]
            if secteurs.boissons_a_emporter_en_annexe_1 or code not in boissons_a_emporter
        ]
        return appartient(code_naf, codes) | entreprise("discotheque", period)


class annexe_2(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    label = "Activité principale mentionnée à l'annexe 2 (secteurs S1 bis)"
    reference = "Décret n° 2020-371 du 30 mars 2020, annexe 2"
    documentation = (
        "Par défaut : code NAF, listes datées du mois d'aide et, pour les lignes qui l'exigent, part du "
        "chiffre d'affaires."
    )

    def formula_2020_05(entreprise, period, parameters):
        secteurs = parameters(period).fonds_de_solidarite.secteurs
        code_naf = entreprise("code_naf", period)
        part = entreprise("part_chiffre_affaires_clients_proteges", period)
        lignes = secteurs.annexe_2.sans_condition
        lignes_a_part = secteurs.annexe_2.part_chiffre_affaires
        sans_condition = appartient(code_naf, [code for ligne in lignes for code in lignes[ligne]])
        avec_part = appartient(code_naf, [code for ligne in lignes_a_part for code in lignes_a_part[ligne]])
        return sans_condition | (avec_part & (part >= secteurs.seuil_part_chiffre_affaires))


class activite_principale_multi_activites(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Activité principale de la liste annexée au décret n° 2021-960"
    reference = "Décret n° 2021-960 du 20 juillet 2021, annexe"

    def formula(entreprise, period, parameters):
        lignes = parameters(JANVIER_2021).commerces_multi_activites.activites_principales
        return appartient(entreprise("code_naf", period), [code for ligne in lignes for code in lignes[ligne]])
