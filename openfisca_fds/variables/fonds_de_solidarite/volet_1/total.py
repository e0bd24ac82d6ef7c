"""Le volet 1 : les articles de chaque mois, le plus favorable, le plafond du groupe, l'aide perçue.

« Aide perçue » lit les articles de son mois et rien d'autre : c'est elle, et jamais le total, que lisent les textes
qui exigent une aide antérieure. Le total lit les mêmes articles à travers la même variable, jamais l'inverse : sinon
il se relirait lui-même à un mois passé, ce qu'OpenFisca rend faux sans erreur.
"""

from functools import reduce

import numpy
from openfisca_core.periods import MONTH
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel, depasse, quotient
from openfisca_fds.entities import Entreprise, Groupe
from openfisca_fds.references import DECRET, DECRET_DISCOTHEQUES, aux_articles

FIN = "2022-02-28"


def maximum_des_articles(entreprise, period, *articles):
    """Largest amount among articles, in euros, shape (n,)."""
    montants = [entreprise(f"fds_article_{article}_montant", period) for article in articles]
    return reduce(numpy.maximum, montants)


class fds_articles_ouvrant_droit_montant(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2021-05-31"
    unit = "currency-EUR"
    label = "Le plus favorable des articles du mois, article 3-10 excepté (en septembre 2020)"
    reference = [f"{DECRET}, art. 3-28, I", f"{DECRET}, art. 4, I, 1°"]
    documentation = "En septembre 2020, les articles 3-7 et 3-8 seulement : l'article 3-10 n'y compte pas."

    def formula_2020_03(entreprise, period):
        return maximum_des_articles(entreprise, period, "2")

    def formula_2020_04(entreprise, period):
        return maximum_des_articles(entreprise, period, "3_1")

    def formula_2020_05(entreprise, period):
        return maximum_des_articles(entreprise, period, "3_3")

    def formula_2020_06(entreprise, period):
        return maximum_des_articles(entreprise, period, "3_5")

    def formula_2020_07(entreprise, period):
        return maximum_des_articles(entreprise, period, "3_7", "3_8")

    def formula_2020_10(entreprise, period):
        return maximum_des_articles(entreprise, period, "3_10", "3_11", "3_12")

    def formula_2020_11(entreprise, period):
        return maximum_des_articles(entreprise, period, "3_14", "3_21")

    def formula_2020_12(entreprise, period):
        return maximum_des_articles(entreprise, period, "3_15", "3_16", "3_17", "3_18")

    def formula_2021_01(entreprise, period):
        return maximum_des_articles(entreprise, period, "3_19", "3_29")

    def formula_2021_02(entreprise, period):
        return maximum_des_articles(entreprise, period, "3_22", "3_23", "3_25", "3_29")

    def formula_2021_03(entreprise, period):
        return maximum_des_articles(entreprise, period, "3_24", "3_29")

    def formula_2021_04(entreprise, period):
        return maximum_des_articles(entreprise, period, "3_26")

    def formula_2021_05(entreprise, period):
        return maximum_des_articles(entreprise, period, "3_27")


class fds_volet_1_articles(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "Montant du mois au titre de l'article le plus favorable"
    reference = DECRET

    def formula_2020_03(entreprise, period):
        return entreprise("fds_articles_ouvrant_droit_montant", period)

    def formula_2020_09(entreprise, period):
        """September 2020: article 3-10 too."""
        autres = entreprise("fds_articles_ouvrant_droit_montant", period)
        return numpy.maximum(autres, entreprise("fds_article_3_10_montant", period))

    def formula_2020_10(entreprise, period):
        return entreprise("fds_articles_ouvrant_droit_montant", period)

    def formula_2021_06(entreprise, period):
        return maximum_des_articles(entreprise, period, "3_28")

    def formula_2021_10(entreprise, period):
        return maximum_des_articles(entreprise, period, "3_30")


class fds_aide_percue(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2021-05-31"
    label = "Aide du volet 1 reçue"
    reference = [f"{DECRET}, art. 3-28, I", f"{DECRET}, art. 4, I, 1°"]
    documentation = "Demande déposée et un article du mois dû ; une valeur donnée en entrée l'emporte."

    def formula_2020_03(entreprise, period):
        due = depasse(entreprise("fds_articles_ouvrant_droit_montant", period), 0)
        return due & entreprise("demande_fonds_solidarite", period)


class fds_volet_1_avant_plafond(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "Aide demandée du mois, avant le plafond du groupe"
    reference = [f"{DECRET}, art. 3-25, III", DECRET_DISCOTHEQUES]

    def formula_2020_03(entreprise, period):
        montant = numpy.maximum(
            entreprise("fds_volet_1_articles", period),
            entreprise("fds_discotheque_volet_1", period),
        )
        return montant * entreprise("demande_fonds_solidarite", period)


class fds_groupe_volet_1_avant_plafond(Reel, Variable):
    value_type = float
    entity = Groupe
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "Aides demandées du mois dans le groupe, avant plafond"
    reference = f"{DECRET}, art. 3-25, III"

    def formula_2020_03(groupe, period):
        return groupe.sum(groupe.members("fds_volet_1_avant_plafond", period))


class fds_groupe_volet_1_plafonne(Reel, Variable):
    value_type = float
    entity = Groupe
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "Aides du mois dans le groupe, plafond de 200 000 € appliqué"
    reference = aux_articles(
        "3-15, III ; 3-17, III ; 3-18 ; 3-19, III ; 3-22, III ; 3-24, III ; 3-25, III ; 3-26, III ; 3-27, III ; "
        "3-28, III ; 3-30"
    )

    def formula_2020_03(groupe, period):
        """No ceiling before December 2020."""
        return groupe("fds_groupe_volet_1_avant_plafond", period)

    def formula_2020_12(groupe, period, parameters):
        plafond = parameters(period).fonds_de_solidarite.plafonds.groupe
        return numpy.minimum(groupe("fds_groupe_volet_1_avant_plafond", period), plafond)


class fds_volet_1(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "Fonds de solidarité, volet 1 : aide du mois"
    reference = DECRET
    documentation = "Le plafond du groupe est réparti entre ses membres au prorata de leurs aides avant plafond."

    def formula_2020_03(entreprise, period):
        """Own amount, or its share of the ceiling where the group exceeds it. Euros."""
        avant = entreprise("fds_volet_1_avant_plafond", period)
        total = entreprise.groupe("fds_groupe_volet_1_avant_plafond", period)
        plafonne = entreprise.groupe("fds_groupe_volet_1_plafonne", period)
        montant = avant.copy()
        rangs = numpy.flatnonzero(total > plafonne)
        montant[rangs] = quotient(avant[rangs] * plafonne[rangs], total[rangs])
        return montant


class fonds_de_solidarite(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "Fonds de solidarité : volet 1 et complément du mois"
    reference = [DECRET, "Décret n° 2021-1582 du 7 décembre 2021"]

    def formula_2020_03(entreprise, period):
        return entreprise("fds_volet_1", period) + entreprise("fds_complement_2021_1582", period)
