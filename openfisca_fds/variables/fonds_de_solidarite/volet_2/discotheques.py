"""Décret n° 2020-1049 : discothèques, volet 1 (juin à novembre 2020) et ses deux aides complémentaires.

Les articles 2 et 3 n'ont été lus que par extraits : voir la confiance des paramètres.
"""

import numpy
from openfisca_core.periods import ETERNITY, MONTH
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel, perte_dans_la_limite
from openfisca_fds.codes import appartient
from openfisca_fds.entities import Entreprise
from openfisca_fds.periodes import AOUT_2020, JUIN_2020, NOVEMBRE_2020, SEPTEMBRE_2020, jour, mois_de
from openfisca_fds.references import DECRET_DISCOTHEQUES

FIN = "2020-11-30"


class fds_discotheque_admise_hors_dirigeant(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    label = "Discothèque remplissant les conditions du volet 1, celle du dirigeant mise à part"
    reference = f"{DECRET_DISCOTHEQUES}, art. 1er et 2"

    def formula_2020_06(entreprise, period, parameters):
        limite = parameters(period).fonds_de_solidarite.volet_2.discotheques.date_debut_activite
        return (
            entreprise("fds_beneficiaire", period)
            & entreprise("discotheque", period)  # art. 1er
            & entreprise("fds_interdiction_ou_perte", period)  # art. 2, 1°
            & (entreprise("date_debut_activite", period) < jour(limite))  # art. 2, 3°
            & entreprise("fds_sans_dette_impayee", period)
        )


class fds_discotheque_dirigeant_admis(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    label = "Dirigeant de discothèque sans contrat à temps complet, pensions et indemnités sous le plafond"
    reference = f"{DECRET_DISCOTHEQUES}, art. 2, 2°"

    def formula_2020_06(entreprise, period, parameters):
        plafond = parameters(period).fonds_de_solidarite.volet_2.discotheques.plafond_pensions_et_indemnites
        sous_plafond = entreprise("fds_pensions_et_indemnites", period) <= plafond
        return entreprise("fds_sans_contrat_temps_complet", period) & sous_plafond


class fds_discotheque_volet_1(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "Discothèques : aide du mois (volet 1)"
    reference = [f"{DECRET_DISCOTHEQUES}, art. {article}" for article in ("1er", "2", "3")]

    def formula_2020_06(entreprise, period, parameters):
        """Loss of the month up to the ceiling, that of Guyane and Mayotte apart, less pensions. Euros."""
        fds = parameters(period).fonds_de_solidarite
        plafonds = fds.volet_2.discotheques
        guyane_ou_mayotte = appartient(entreprise("departement", period), fds.territoires.guyane_et_mayotte)
        plafond = numpy.where(guyane_ou_mayotte, plafonds.plafond_guyane_mayotte, plafonds.plafond_aide)
        reste = plafond - entreprise("fds_pensions_et_indemnites", period)
        admise = entreprise("fds_discotheque_admise_hors_dirigeant", period) & entreprise(
            "fds_discotheque_dirigeant_admis", period
        )
        return perte_dans_la_limite(entreprise("perte_chiffre_affaires", period), reste) * admise


class fds_discotheque_volet_2_mars_aout_2020(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = ETERNITY
    unit = "currency-EUR"
    label = "Discothèques : aide complémentaire au titre des charges de mars à août 2020"
    reference = f"{DECRET_DISCOTHEQUES}, art. 4"
    documentation = "Sans dettes ni charges déclarées, aucune demande n'est supposée."

    def formula(entreprise, period, parameters):
        """Had volet 1 in the summer, or would but for the manager in August: the sum, between floor and ceiling."""
        bareme = parameters(AOUT_2020).fonds_de_solidarite.volet_2.discotheques
        somme = entreprise("discotheque_dettes_et_charges_mars_aout_2020", period)
        aides = [entreprise("fds_discotheque_volet_1", mois) > 0 for mois in mois_de(JUIN_2020, AOUT_2020)]
        ouvert = numpy.logical_or.reduce(aides) | entreprise("fds_discotheque_admise_hors_dirigeant", AOUT_2020)
        montant = numpy.clip(somme, bareme.plancher_mars_aout, bareme.plafond_mars_aout)
        return montant * (ouvert & (somme > 0))


class fds_discotheque_volet_2_septembre_novembre_2020(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = ETERNITY
    unit = "currency-EUR"
    label = "Discothèques : aide complémentaire au titre des charges fixes de septembre à novembre 2020"
    reference = f"{DECRET_DISCOTHEQUES}, art. 4-1"

    def formula(entreprise, period, parameters):
        """Had volet 1 since June, or would but for the manager since September: the charges, capped. Euros."""
        plafond = parameters(NOVEMBRE_2020).fonds_de_solidarite.volet_2.discotheques.plafond_septembre_novembre
        charges = entreprise("discotheque_charges_fixes_septembre_novembre_2020", period)
        aides = [entreprise("fds_discotheque_volet_1", mois) > 0 for mois in mois_de(JUIN_2020, NOVEMBRE_2020)]
        admises = [
            entreprise("fds_discotheque_admise_hors_dirigeant", mois) for mois in mois_de(SEPTEMBRE_2020, NOVEMBRE_2020)
        ]
        return perte_dans_la_limite(charges, plafond) * numpy.logical_or.reduce(aides + admises)
