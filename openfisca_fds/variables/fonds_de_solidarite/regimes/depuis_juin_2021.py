"""Régimes de juin 2021 à février 2022 (articles 3-28 et 3-30) : fermetures, secteurs, territoires confinés."""

import numpy
from openfisca_core.periods import MONTH
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel, au_moins, perte_dans_la_limite
from openfisca_fds.codes import appartient
from openfisca_fds.entities import Entreprise
from openfisca_fds.periodes import AVRIL_2021, JANVIER_2021, MAI_2021, mois_de
from openfisca_fds.references import DECRET, aux_articles

FIN = "2022-02-28"


class fds_aide_anterieure_avril_ou_mai_2021(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    label = "A reçu l'aide d'avril ou de mai 2021"
    reference = f"{DECRET}, art. 3-28, I, A"

    def formula_2021_06(entreprise, period):
        return entreprise("fds_aide_percue", AVRIL_2021) | entreprise("fds_aide_percue", MAI_2021)


class fds_aide_anterieure_janvier_a_mai_2021(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    label = "A reçu au moins une aide de janvier à mai 2021"
    reference = [f"{DECRET}, art. 3-28, I, A, 3°", f"{DECRET}, art. 3-30"]

    def formula_2021_06(entreprise, period):
        aides = [entreprise("fds_aide_percue", mois) for mois in mois_de(JANVIER_2021, MAI_2021)]
        return numpy.logical_or.reduce(aides)


class fds_aide_anterieure_secteurs(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    label = "A reçu l'aide antérieure que le régime des secteurs exige"
    reference = [f"{DECRET}, art. 3-28, I, A, 3°", f"{DECRET}, art. 3-30"]

    def formula_2021_06(entreprise, period, parameters):
        """April or May 2021; January to May in the overseas territories."""
        territoires = parameters(period).fonds_de_solidarite.territoires.outre_mer_reference
        outre_mer = appartient(entreprise("departement", period), territoires)
        return numpy.where(
            outre_mer,
            entreprise("fds_aide_anterieure_janvier_a_mai_2021", period),
            entreprise("fds_aide_anterieure_avril_ou_mai_2021", period),
        )

    def formula_2021_10(entreprise, period):
        """From October 2021 on: January to May 2021 everywhere."""
        return entreprise("fds_aide_anterieure_janvier_a_mai_2021", period)


class fds_fermeture_continue(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    label = "Fermée au public sans interruption et perte d'au moins 20 %, et aide antérieure (jusqu'en juillet 2021)"
    reference = [f"{DECRET}, art. 3-28, I, A", f"{DECRET}, art. 3-30"]

    def formula_2021_06(entreprise, period, parameters):
        regimes = parameters(period).fonds_de_solidarite.depuis_juin_2021
        fermee = entreprise("interdiction_sans_interruption", period)
        perte = entreprise("fds_perte_seuil_fermeture", period)
        if not regimes.fermeture_continue.aide_anterieure_exigee:
            return fermee & perte
        return fermee & perte & entreprise("fds_aide_anterieure_avril_ou_mai_2021", period)


class fds_fermeture_prolongee(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    label = "Fermée au public au moins 21 jours du mois et perte d'au moins 50 %"
    reference = [f"{DECRET}, art. 3-28, I, A, 2° bis a)", f"{DECRET}, art. 3-30"]

    def formula_2021_08(entreprise, period, parameters):
        duree = parameters(period).fonds_de_solidarite.depuis_juin_2021.fermeture_prolongee.duree_minimale
        fermee = entreprise("jours_interdiction_accueil_public", period) >= duree
        return fermee & entreprise("fds_perte_seuil_general", period)


class fds_fermeture_montant_chiffre_affaires(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "Fermeture sans interruption : 20 % du chiffre d'affaires de référence"
    reference = aux_articles("3-28, I, B ; 3-30")

    def formula_2021_06(entreprise, period, parameters):
        regimes = parameters(period).fonds_de_solidarite.depuis_juin_2021
        return regimes.fermeture_continue.taux_chiffre_affaires_reference * entreprise(
            "chiffre_affaires_reference", period
        )


class fds_fermeture_prolongee_montant(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "Fermeture d'au moins 21 jours : 20 % du chiffre d'affaires de référence"
    reference = [f"{DECRET}, art. 3-28, I, B bis", f"{DECRET}, art. 3-30"]

    def formula_2021_08(entreprise, period, parameters):
        regimes = parameters(period).fonds_de_solidarite.depuis_juin_2021
        return regimes.fermeture_prolongee.taux_chiffre_affaires_reference * entreprise(
            "chiffre_affaires_reference", period
        )


class fds_territoire_confine(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    label = "Domiciliée dans un territoire confiné pendant la durée minimale du mois"
    reference = aux_articles("3-28, I, A, 2° bis b) (depuis août 2021) ; 3-28, II ; 3-30")

    def formula_2021_06(entreprise, period, parameters):
        duree = parameters(period).fonds_de_solidarite.depuis_juin_2021.confinement.duree_minimale
        return entreprise("jours_confinement", period) >= duree


class fds_fermeture_confinement(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    label = "Fermée au public dans un territoire confiné et perte d'au moins 20 %"
    reference = [f"{DECRET}, art. 3-28, I, A, 2° bis b)", f"{DECRET}, art. 3-30"]

    def formula_2021_08(entreprise, period):
        """August and September 2021: the territory is under the state of emergency."""
        return (
            entreprise("interdiction_accueil_public", period)
            & entreprise("etat_urgence_sanitaire", period)
            & entreprise("fds_territoire_confine", period)
            & entreprise("fds_perte_seuil_fermeture", period)
        )

    def formula_2021_10(entreprise, period):
        return (
            entreprise("interdiction_accueil_public", period)
            & entreprise("fds_territoire_confine", period)
            & entreprise("fds_perte_seuil_fermeture", period)
        )


class fds_confinement_montant(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "Territoire confiné : perte dans la limite de 1 500 €"
    reference = aux_articles("3-28, I, B bis (depuis août 2021) ; 3-28, II ; 3-30")

    def formula_2021_06(entreprise, period, parameters):
        plafond = parameters(period).fonds_de_solidarite.depuis_juin_2021.confinement.plafond
        return perte_dans_la_limite(entreprise("perte_chiffre_affaires", period), plafond)


class fds_perte_seuil_secteurs(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    label = "Perte de chiffre d'affaires d'au moins 10 %"
    reference = [f"{DECRET}, art. 3-28, I, A, 3°", f"{DECRET}, art. 3-30"]

    def formula_2021_06(entreprise, period, parameters):
        seuil = parameters(period).fonds_de_solidarite.depuis_juin_2021.secteurs.seuil_perte
        reference = entreprise("chiffre_affaires_reference", period)
        return au_moins(entreprise("perte_chiffre_affaires", period), reference, seuil)


class fds_activite_minimale(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    label = "Chiffre d'affaires d'au moins 15 % de la référence (depuis septembre 2021)"
    reference = [f"{DECRET}, art. 3-28, I, A, 3°", f"{DECRET}, art. 3-30"]

    def formula_2021_06(entreprise, period, parameters):
        """Without object before September 2021: the rate is then null."""
        taux = parameters(period).fonds_de_solidarite.depuis_juin_2021.secteurs.taux_activite_minimale
        reference = entreprise("chiffre_affaires_reference", period)
        return au_moins(entreprise("chiffre_affaires", period), reference, taux)


class fds_secteur_protege_2021(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    label = "Annexe 1, annexe 2 avec pertes passées, ou commerce de détail et réparation navale outre-mer"
    reference = [f"{DECRET}, art. 3-28, I, A, 3° a), b) et c)", f"{DECRET}, art. 3-30"]

    def formula_2021_06(entreprise, period):
        return (
            entreprise("annexe_1", period)  # a)
            | entreprise("fds_secteur_annexe_2", period)  # b)
            | entreprise("fds_activite_protegee_outre_mer", period)  # c)
        )


class fds_mesures_prolongees(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    label = "Territoire sous état d'urgence sanitaire, et couvre-feu ou confinement pendant la durée minimale"
    reference = [f"{DECRET}, art. 3-28, I, B bis", f"{DECRET}, art. 3-30"]

    def formula_2021_07(entreprise, period, parameters):
        duree = parameters(period).fonds_de_solidarite.depuis_juin_2021.secteurs.duree_mesures
        mesures = entreprise("jours_couvre_feu_ou_confinement", period) >= duree
        return entreprise("etat_urgence_sanitaire", period) & mesures


class fds_secteurs(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    label = (
        "Secteur protégé : perte d'au moins 10 % et aide antérieure, activité minimale (depuis septembre 2021), "
        "mesures prolongées (depuis octobre 2021)"
    )
    reference = [f"{DECRET}, art. 3-28, I, A, 3°", f"{DECRET}, art. 3-30"]

    def formula_2021_06(entreprise, period):
        return (
            entreprise("fds_secteur_protege_2021", period)  # a), b), c)
            & entreprise("fds_perte_seuil_secteurs", period)
            & entreprise("fds_aide_anterieure_secteurs", period)
            & entreprise("fds_activite_minimale", period)
        )

    def formula_2021_10(entreprise, period):
        """From October 2021 on: only where measures last."""
        return (
            entreprise("fds_secteur_protege_2021", period)
            & entreprise("fds_perte_seuil_secteurs", period)
            & entreprise("fds_aide_anterieure_secteurs", period)
            & entreprise("fds_activite_minimale", period)
            & entreprise("fds_mesures_prolongees", period)
        )


class fds_secteurs_montant(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "Part de la perte dans la limite de 20 % de la référence"
    reference = aux_articles("3-28, I, B (jusqu'en juillet 2021) ; 3-28, I, B bis (depuis juillet 2021) ; 3-30")

    def formula_2021_06(entreprise, period, parameters):
        """June 2021: one rate for all."""
        secteurs = parameters(period).fonds_de_solidarite.depuis_juin_2021.secteurs
        limite = secteurs.taux_plafond_chiffre_affaires_reference * entreprise("chiffre_affaires_reference", period)
        return perte_dans_la_limite(secteurs.taux_perte * entreprise("perte_chiffre_affaires", period), limite)

    def formula_2021_07(entreprise, period, parameters):
        """July to September 2021: a higher rate under lasting measures."""
        secteurs = parameters(period).fonds_de_solidarite.depuis_juin_2021.secteurs
        taux = numpy.where(
            entreprise("fds_mesures_prolongees", period), secteurs.taux_perte_mesures_prolongees, secteurs.taux_perte
        )
        limite = secteurs.taux_plafond_chiffre_affaires_reference * entreprise("chiffre_affaires_reference", period)
        return perte_dans_la_limite(taux * entreprise("perte_chiffre_affaires", period), limite)

    def formula_2021_10(entreprise, period, parameters):
        """From October 2021 on: the regime supposes lasting measures."""
        secteurs = parameters(period).fonds_de_solidarite.depuis_juin_2021.secteurs
        limite = secteurs.taux_plafond_chiffre_affaires_reference * entreprise("chiffre_affaires_reference", period)
        aide = secteurs.taux_perte_mesures_prolongees * entreprise("perte_chiffre_affaires", period)
        return perte_dans_la_limite(aide, limite)


class fds_petites_entreprises_confinees(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    label = "Effectif du groupe d'au plus 50 salariés, territoire confiné et perte d'au moins 50 %"
    reference = [f"{DECRET}, art. 3-28, II", f"{DECRET}, art. 3-30"]

    def formula_2021_06(entreprise, period):
        return (
            entreprise("fds_effectif_groupe_sous_plafond", period)
            & entreprise("fds_perte_seuil_general", period)
            & entreprise("fds_territoire_confine", period)
        )
