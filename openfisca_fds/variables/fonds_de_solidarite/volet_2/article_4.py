"""Article 4 : l'aide complémentaire (volet 2). Une seule aide, demandée avant le 31 octobre 2020."""

import numpy
from openfisca_core.periods import ETERNITY
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel
from openfisca_fds.codes import appartient
from openfisca_fds.entities import Entreprise
from openfisca_fds.periodes import AOUT_2020, JUIN_2020, MARS_2020, SEPTEMBRE_2020, jour, mois_de
from openfisca_fds.references import DECRET


class fds_volet_2_aide_percue(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "A bénéficié d'au moins une aide des articles 2 à 3-9 (mars à septembre 2020)"
    reference = f"{DECRET}, art. 4, I, 1°"

    def formula(entreprise, period):
        aides = [entreprise("fds_aide_percue", mois) for mois in mois_de(MARS_2020, SEPTEMBRE_2020)]
        return numpy.logical_or.reduce(aides)


class fds_volet_2_interdiction_accueil(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Interdiction d'accueil du public entre le 1er mars et le 30 juin 2020"
    reference = f"{DECRET}, art. 4, I, 2°"

    def formula(entreprise, period):
        interdictions = [entreprise("interdiction_accueil_public", mois) for mois in mois_de(MARS_2020, JUIN_2020)]
        return numpy.logical_or.reduce(interdictions)


class fds_volet_2_chiffre_affaires_suffisant(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Chiffre d'affaires d'au moins 8 000 € par an, ou 667 € par mois à défaut d'exercice clos"
    reference = f"{DECRET}, art. 4, I, 2°"

    def formula(entreprise, period, parameters):
        """Last closed year; else mean month to 29 February 2020; created since 1 March: month to 15 March. Euros."""
        fds = parameters(AOUT_2020).fonds_de_solidarite
        seuils = fds.volet_2.article_4
        recente = entreprise("date_creation", period) >= jour(fds.tres_petites_entreprises.date_creation_recente)
        mensuel = numpy.where(
            recente,
            entreprise("chiffre_affaires_mars_2020_sur_un_mois", period),
            entreprise("chiffre_affaires_mensuel_moyen_au_29_fevrier_2020", period),
        )
        return numpy.where(
            entreprise("exercice_clos", period),
            entreprise("chiffre_affaires_dernier_exercice", period) >= seuils.seuil_chiffre_affaires_annuel,
            mensuel >= seuils.seuil_chiffre_affaires_mensuel,
        )


class fds_volet_2_emploi_ou_fermeture(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Emploie un salarié, ou a été interdite d'accueil avec un chiffre d'affaires suffisant"
    reference = f"{DECRET}, art. 4, I, 2°"

    def formula(entreprise, period):
        fermee = entreprise("fds_volet_2_interdiction_accueil", period)
        return entreprise("salarie_au_1er_mars_2020", period) | (
            fermee & entreprise("fds_volet_2_chiffre_affaires_suffisant", period)
        )


class fds_volet_2_solde_negatif(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Solde entre actif disponible et dettes et charges négatif"
    reference = f"{DECRET}, art. 4, I, 3°"

    def formula(entreprise, period):
        return entreprise("solde_tresorerie_volet_2", period) < 0


class fds_volet_2_eligible(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Éligible à l'aide complémentaire (volet 2)"
    reference = f"{DECRET}, art. 4, I"

    def formula(entreprise, period):
        return (
            entreprise("residence_fiscale_francaise", period)  # art. 1er
            & entreprise("fds_hors_liquidation_judiciaire", period)  # art. 1er, I, 2°
            & entreprise("fds_volet_2_aide_percue", period)  # I, 1°
            & entreprise("fds_volet_2_emploi_ou_fermeture", period)  # I, 2°
            & entreprise("fds_volet_2_solde_negatif", period)  # I, 3°
        )


class fds_volet_2_besoin(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = ETERNITY
    unit = "currency-EUR"
    label = "Valeur absolue du solde"
    reference = f"{DECRET}, art. 4, II et III"

    def formula(entreprise, period):
        return numpy.abs(entreprise("solde_tresorerie_volet_2", period))


class fds_volet_2_montant_general(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = ETERNITY
    unit = "currency-EUR"
    label = "Aide complémentaire du cas général"
    reference = f"{DECRET}, art. 4, II"

    def formula(entreprise, period, parameters):
        """Flat below 200 000 € of turnover, without closed year, or for a small need; else the need, capped. Euros."""
        bareme = parameters(AOUT_2020).fonds_de_solidarite.volet_2.article_4
        chiffre_affaires = entreprise("chiffre_affaires_dernier_exercice", period)
        besoin = entreprise("fds_volet_2_besoin", period)
        forfait = (
            ~entreprise("exercice_clos", period)
            | (chiffre_affaires < bareme.seuil_chiffre_affaires_moyen)
            | (besoin < bareme.plancher)
        )
        plafond = numpy.where(
            chiffre_affaires < bareme.seuil_chiffre_affaires_haut, bareme.plafond_moyen, bareme.plafond_haut
        )
        return numpy.where(forfait, bareme.plancher, numpy.minimum(besoin, plafond))


class fds_volet_2_secteur_protege(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Annexe 1, ou annexe 2 et perte d'au moins 80 % du 15 mars au 15 mai 2020"
    reference = f"{DECRET}, art. 4, III"
    documentation = "Annexes lues au mois d'août 2020 : listes en vigueur à la fin des demandes."

    def formula(entreprise, period):
        annexe_2 = entreprise("annexe_2", AOUT_2020) & entreprise("fds_perte_premier_confinement_2020", period)
        return entreprise("annexe_1", AOUT_2020) | annexe_2


class fds_volet_2_derogation(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Dans un secteur protégé, et soit employeur, soit artiste auteur, soit en Guyane ou à Mayotte"
    reference = f"{DECRET}, art. 4, III"

    def formula(entreprise, period, parameters):
        territoires = parameters(AOUT_2020).fonds_de_solidarite.territoires.guyane_et_mayotte
        emploi = (
            entreprise("salarie_au_1er_mars_2020", period)
            | entreprise("artiste_auteur", period)
            | appartient(entreprise("departement", period), territoires)
        )
        return emploi & entreprise("fds_volet_2_secteur_protege", period)


class fds_volet_2_montant_derogatoire(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = ETERNITY
    unit = "currency-EUR"
    label = "Aide complémentaire des secteurs protégés"
    reference = f"{DECRET}, art. 4, III"

    def formula(entreprise, period, parameters):
        bareme = parameters(AOUT_2020).fonds_de_solidarite.volet_2.article_4
        besoin = numpy.minimum(entreprise("fds_volet_2_besoin", period), bareme.plafond_secteurs_proteges)
        return numpy.maximum(besoin, bareme.plancher)


class fds_volet_2(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = ETERNITY
    unit = "currency-EUR"
    label = "Fonds de solidarité, volet 2 : aide complémentaire"
    reference = f"{DECRET}, art. 4, II, III et IV"

    def formula(entreprise, period):
        montant = numpy.where(
            entreprise("fds_volet_2_derogation", period),
            entreprise("fds_volet_2_montant_derogatoire", period),
            entreprise("fds_volet_2_montant_general", period),
        )
        return montant * (entreprise("fds_volet_2_eligible", period) & entreprise("demande_volet_2", period))
