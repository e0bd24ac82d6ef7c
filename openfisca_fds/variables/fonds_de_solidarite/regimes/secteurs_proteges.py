"""Secteurs protégés de décembre 2020 à mai 2021 : annexe 1 (R3), annexe 2 et assimilés (R4), et autres (R5).

Chaque régime suppose une perte d'au moins 50 %.
"""

import numpy
from openfisca_core.periods import MONTH
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel, perte_dans_la_limite
from openfisca_fds.codes import appartient
from openfisca_fds.entities import Entreprise
from openfisca_fds.references import DECRET, aux_articles

FIN = "2021-05-31"


class fds_regime_annexe_1(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    label = "Annexe 1 et perte d'au moins 50 %"
    reference = aux_articles(
        "3-14, II ; 3-15, I ; 3-19, I, A, 2° a) ; 3-22, I, A, 2° a) ; 3-24, I, A, 3° a) ; "
        "3-26, I, A, 3° a) ; 3-27, I, A, 3° a)"
    )

    def formula_2020_10(entreprise, period):
        return entreprise("annexe_1", period) & entreprise("fds_perte_seuil_general", period)


class fds_regime_annexe_1_montant(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "Annexe 1 : perte dans la limite de 10 000 €, ou part du chiffre d'affaires de référence"
    reference = [f"{DECRET}, art. 3-15, II", f"{DECRET}, art. 3-22, I, B"]

    def formula_2020_12(entreprise, period):
        return numpy.maximum(
            entreprise("fds_perte_plafonnee_montant", period),
            entreprise("fds_option_chiffre_affaires_montant", period),
        )


class fds_regime_annexe_2(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    label = "Annexe 2, condition de pertes passées et perte d'au moins 50 %"
    reference = aux_articles(
        "3-14, II ; 3-15, I ; 3-17, I ; 3-19, I, A, 2° b) ; 3-22, I, A, 2° b) ; 3-24, I, A, 3° b) ; "
        "3-26, I, A, 3° b) ; 3-27, I, A, 3° b)"
    )

    def formula_2020_10(entreprise, period):
        return entreprise("fds_secteur_annexe_2", period) & entreprise("fds_perte_seuil_general", period)


class fds_activite_de_montagne(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    label = "Commerce de détail ou location de biens résidentiels dans une commune de l'annexe 3"
    reference = aux_articles(
        "3-16, I, 5° et 6° ; 3-18, I ; 3-19, I, A, 2° c) ; 3-22, I, A, 2° c) ; 3-24, I, A, 3° c) ; "
        "3-26, I, A, 3° c) ; "
        "3-27, I, A, 3° c)"
    )

    def formula_2020_12(entreprise, period):
        activite = entreprise("commerce_de_detail", period) | entreprise(
            "location_biens_immobiliers_residentiels", period
        )
        return activite & entreprise("commune_annexe_3", period)


class fds_regime_montagne(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    label = "Commerce ou location dans une station de montagne, et perte d'au moins 50 %"
    reference = aux_articles(
        "3-16, I ; 3-18, I ; 3-19, I, A, 2° c) ; 3-22, I, A, 2° c) ; 3-24, I, A, 3° c) ; "
        "3-26, I, A, 3° c) ; "
        "3-27, I, A, 3° c)"
    )

    def formula_2020_12(entreprise, period):
        """Up to February 2021: outside annexes 1 and 2."""
        return (
            entreprise("fds_activite_de_montagne", period)
            & entreprise("fds_hors_annexes", period)
            & entreprise("fds_perte_seuil_general", period)
        )

    def formula_2021_03(entreprise, period):
        """From March 2021 on: open to all."""
        return entreprise("fds_activite_de_montagne", period) & entreprise("fds_perte_seuil_general", period)


class fds_regime_centre_commercial(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    label = "Commerce de détail avec un magasin interdit d'accueil dans un grand centre, et perte d'au moins 50 %"
    reference = aux_articles("3-22, I, A, 2° d) ; 3-24, I, A, 3° d) ; 3-26, I, A, 3° d) ; 3-27, I, A, 3° d)")

    def formula_2021_02(entreprise, period, parameters):
        """The ban is without interruption or of one day at least, according to the month."""
        centre = parameters(period).fonds_de_solidarite.secteurs_proteges.centre_commercial
        nature = "interdiction_sans_interruption" if centre.sans_interruption else "interdiction_accueil_public"
        return (
            entreprise("commerce_de_detail", period)
            & (entreprise("surface_centre_commercial", period) >= centre.seuil_surface)
            & entreprise(nature, period)
            & entreprise("fds_perte_seuil_general", period)
        )


class fds_activite_protegee_outre_mer(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    label = "Commerce de détail ou réparation navale dans l'un des six territoires d'outre-mer"
    reference = aux_articles(
        "3-24, I, A, 3° e) ; 3-25, I, A, 2° ; 3-26, I, A, 3° e) ; 3-27, I, A, 3° e) ; 3-28, I, A, 3° c) ; 3-30"
    )

    def formula_2021_02(entreprise, period, parameters):
        territoires = parameters(period).fonds_de_solidarite.territoires.commerce_detail_outre_mer
        activite = entreprise("commerce_de_detail", period) | entreprise("reparation_navale", period)
        return activite & appartient(entreprise("departement", period), territoires)


class fds_regime_outre_mer(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    label = "Commerce de détail ou réparation navale outre-mer, et perte d'au moins 50 %"
    reference = aux_articles("3-24, I, A, 3° e) ; 3-26, I, A, 3° e) ; 3-27, I, A, 3° e)")

    def formula_2021_02(entreprise, period):
        return entreprise("fds_activite_protegee_outre_mer", period) & entreprise("fds_perte_seuil_general", period)


class fds_regime_autres_entreprises(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    label = "Autres entreprises : perte d'au moins 50 % et effectif du groupe sous le plafond"
    reference = aux_articles("3-15, I ; 3-19, II, A ; 3-22, II, A ; 3-24, II, A ; 3-26, II, A ; 3-27, II, A")

    def formula_2020_12(entreprise, period):
        return entreprise("fds_perte_seuil_general", period) & entreprise("fds_effectif_groupe_sous_plafond", period)


class fds_regime_autres_entreprises_montant(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "Autres entreprises : perte, dans la limite du plafond du mois"
    reference = aux_articles("3-15, II ; 3-19, II, B ; 3-22, II, B ; 3-24, II, B ; 3-26, II, B ; 3-27, II, B")

    def formula_2020_12(entreprise, period, parameters):
        fds = parameters(period).fonds_de_solidarite
        plafonds = fds.secteurs_proteges.autres_entreprises
        mayotte = appartient(entreprise("departement", period), fds.territoires.mayotte)
        plafond = numpy.where(mayotte, plafonds.plafond_mayotte, plafonds.plafond)
        return perte_dans_la_limite(entreprise("perte_chiffre_affaires", period), plafond)
