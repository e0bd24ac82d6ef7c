"""La perte de chiffre d'affaires du mois, et son taux."""

import numpy
from openfisca_core.periods import MONTH
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel, au_moins, quotient
from openfisca_fds.entities import Entreprise
from openfisca_fds.references import DECRET, aux_articles


class perte_chiffre_affaires(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2022-02-28"
    unit = "currency-EUR"
    label = "Perte de chiffre d'affaires du mois"
    reference = f"{DECRET}, art. 3-25, IV"
    documentation = "Référence moins chiffre d'affaires du mois, ventes à distance comprises ; jamais négative."

    def formula_2020_03(entreprise, period):
        reference = entreprise("chiffre_affaires_reference", period)
        return numpy.maximum(reference - entreprise("chiffre_affaires", period), 0)


class taux_perte_chiffre_affaires(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2022-02-28"
    unit = "/1"
    label = "Taux de perte de chiffre d'affaires du mois"
    reference = f"{DECRET}, art. 3-25, IV"
    documentation = "Pour l'affichage : les seuils se comparent sur des centimes entiers. 0 si la référence est nulle."

    def formula_2020_03(entreprise, period):
        reference = entreprise("chiffre_affaires_reference", period)
        return quotient(entreprise("perte_chiffre_affaires", period), reference)


class perte_hors_ventes_a_distance(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2022-02-28"
    unit = "currency-EUR"
    label = "Perte de chiffre d'affaires du mois, ventes à distance et à emporter exclues"
    reference = [f"{DECRET}, art. 3-15, IV", f"{DECRET}, art. 3-24, IV"]
    documentation = "Celle des entreprises fermées au public, pour le montant de leur aide."

    def formula_2020_11(entreprise, period, parameters):
        part_comptee = parameters(period).fonds_de_solidarite.perte.part_ventes_a_distance_comptee
        a_distance = entreprise("chiffre_affaires_vente_a_distance", period)
        sur_place = entreprise("chiffre_affaires", period) - (1 - part_comptee) * a_distance
        return numpy.maximum(entreprise("chiffre_affaires_reference", period) - sur_place, 0)


class fds_perte_seuil_general(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2022-02-28"
    label = "Perte de chiffre d'affaires d'au moins 50 %"
    reference = aux_articles(
        "2, 2° ; 3-1, 2° ; 3-3, 2° ; 3-5, 2° ; 3-7, I, 2° ; 3-8, 2° ; 3-11, I ; 3-12, I ; 3-14, I, 2° ; "
        "3-15, I ; 3-16, I, 1° ; 3-17, I ; 3-18, I ; 3-19, I, A, 2° ; 3-21, I, A ; 3-22, I, A, 2° ; "
        "3-24, I, A, 3° ; 3-25, I, A, 1° ; 3-26, I, A, 3° ; 3-27, I, A, 3° ; 3-28, II ; 3-29, I ; 3-30 ; "
        "3-19, II, A ; 3-22, II, A ; 3-24, II, A ; 3-26, II, A ; 3-27, II, A"
    )

    def formula_2020_03(entreprise, period, parameters):
        seuil = parameters(period).fonds_de_solidarite.perte.seuil_general
        reference = entreprise("chiffre_affaires_reference", period)
        return au_moins(entreprise("perte_chiffre_affaires", period), reference, seuil)


class fds_perte_seuil_fermeture(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2022-02-28"
    label = "Perte de chiffre d'affaires d'au moins 20 %, ventes à distance comprises"
    reference = aux_articles(
        "3-22, I, A, 1° ; 3-24, I, A, 1° ; 3-24, I, A, 2° ; 3-26, I, A, 1° ; 3-26, I, A, 2° ; "
        "3-27, I, A, 1° ; 3-27, I, A, 2° ; 3-28, I, A ; 3-30"
    )

    def formula_2020_12(entreprise, period, parameters):
        seuil = parameters(period).fonds_de_solidarite.perte.seuil_fermeture
        reference = entreprise("chiffre_affaires_reference", period)
        return au_moins(entreprise("perte_chiffre_affaires", period), reference, seuil)


class fds_perte_seuil_fort(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2022-02-28"
    label = "Perte de chiffre d'affaires d'au moins 70 %"
    reference = aux_articles(
        "3-12, II ; 3-15, II ; 3-17, II ; 3-18, II ; 3-19, I, B ; 3-22, I, B ; 3-24, I, B ; 3-25, I, B ; "
        "3-26, I, B ; 3-27, I, B ; 3-29, II"
    )

    def formula_2020_10(entreprise, period, parameters):
        seuil = parameters(period).fonds_de_solidarite.perte.seuil_fort
        reference = entreprise("chiffre_affaires_reference", period)
        return au_moins(entreprise("perte_chiffre_affaires", period), reference, seuil)


class fds_perte_sur_place_seuil_general(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2022-02-28"
    label = "Perte d'au moins 50 %, ventes à distance et à emporter exclues"
    reference = aux_articles("3-15, I ; 3-24, I, B ; 3-26, I, B ; 3-27, I, B")
    documentation = (
        "Ventes à distance exclues, comme pour le montant ; un commutateur applique l'autre lecture, "
        "ventes à distance comprises."
    )

    def formula_2020_12(entreprise, period, parameters):
        perte = parameters(period).fonds_de_solidarite.perte
        hors_distance = perte.fermeture_partielle_hors_ventes_a_distance
        nature = "perte_hors_ventes_a_distance" if hors_distance else "perte_chiffre_affaires"
        reference = entreprise("chiffre_affaires_reference", period)
        return au_moins(entreprise(nature, period), reference, perte.seuil_general)
