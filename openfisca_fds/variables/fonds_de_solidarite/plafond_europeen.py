"""Le plafond européen de l'encadrement temporaire (régime SA.56985), par groupe et depuis mars 2020.

Ces variables informent : aucune aide ne les lit. Le cumul additionne des mois nommés et ne se relit jamais lui-même.
"""

import numpy
from openfisca_core.periods import MONTH
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel, quotient
from openfisca_fds.codes import appartient
from openfisca_fds.entities import Entreprise, Groupe
from openfisca_fds.periodes import AOUT_2020, MARS_2020, mois_de
from openfisca_fds.references import DECRET

FIN = "2022-02-28"


class fds_cumul_depuis_mars_2020(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "Aides du fonds de solidarité cumulées de mars 2020 au mois compris"
    reference = f"{DECRET}, art. 1er"
    documentation = "Volet 1 et compléments de chaque mois ; volet 2 compté à partir d'août 2020."

    def formula_2020_03(entreprise, period):
        return sum(entreprise("fonds_de_solidarite", mois) for mois in mois_de(MARS_2020, period))

    def formula_2020_08(entreprise, period):
        mensuelles = sum(entreprise("fonds_de_solidarite", mois) for mois in mois_de(MARS_2020, period))
        return mensuelles + entreprise("fds_volet_2", AOUT_2020)


class fds_groupe_cumul_depuis_mars_2020(Reel, Variable):
    value_type = float
    entity = Groupe
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "Aides du fonds de solidarité cumulées du groupe, de mars 2020 au mois compris"
    reference = f"{DECRET}, art. 1er"

    def formula_2020_03(groupe, period):
        return groupe.sum(groupe.members("fds_cumul_depuis_mars_2020", period))


class fds_plafond_europeen(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "Plafond européen applicable à l'entreprise"
    reference = f"{DECRET}, art. 1er"

    def formula_2020_03(entreprise, period, parameters):
        """General ceiling, or that of farming or of fishing by NAF code. Euros."""
        plafonds = parameters(period).fonds_de_solidarite.plafonds.europeen
        code_naf = entreprise("code_naf", period)
        noms = code_naf.possible_values.names
        agriculture = [nom for nom in noms if nom.startswith(plafonds.division_agriculture)]
        peche = [nom for nom in noms if nom.startswith(plafonds.division_peche)]
        hors_peche = numpy.where(appartient(code_naf, agriculture), plafonds.agriculture, plafonds.general)
        return numpy.where(appartient(code_naf, peche), plafonds.peche, hors_peche)


class fds_depassement_plafond_europeen(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "Part de l'entreprise dans le dépassement du plafond européen par son groupe"
    reference = f"{DECRET}, art. 1er"

    def formula_2020_03(entreprise, period):
        """Excess of the group over the ceiling of the enterprise, shared by cumulative aid. Euros."""
        cumul = entreprise("fds_cumul_depuis_mars_2020", period)
        groupe = entreprise.groupe("fds_groupe_cumul_depuis_mars_2020", period)
        exces = numpy.maximum(groupe - entreprise("fds_plafond_europeen", period), 0)
        return exces * quotient(cumul, groupe)


class fds_sous_plafond_europeen(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "Aides cumulées depuis mars 2020 retenues sous le plafond européen"
    reference = f"{DECRET}, art. 1er"
    documentation = "À demander à la place du cumul pour appliquer le plafond."

    def formula_2020_03(entreprise, period):
        return entreprise("fds_cumul_depuis_mars_2020", period) - entreprise("fds_depassement_plafond_europeen", period)
