"""Article 3-10 : interdictions d'accueil du 25 au 30 septembre et d'octobre 2020, 333 € par jour."""

import numpy
from openfisca_core.periods import MONTH
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel, perte_dans_la_limite
from openfisca_fds.entities import Entreprise
from openfisca_fds.periodes import jour
from openfisca_fds.references import DECRET


class fds_article_3_10_activite_debutee_a_temps(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2020-10-31"
    label = "Activité débutée avant la date limite des fermetures du mois"
    reference = f"{DECRET}, art. 3-10, I"

    def formula_2020_09(entreprise, period, parameters):
        limite = parameters(period).fonds_de_solidarite.volet_1.article_3_10.date_debut_activite
        return entreprise("date_debut_activite", period) < jour(limite)


class fds_article_3_10_eligible(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2020-10-31"
    label = "Éligible à l'aide des fermetures de septembre et octobre 2020"
    reference = f"{DECRET}, art. 3-10, I"

    def formula_2020_09(entreprise, period):
        return (
            entreprise("fds_beneficiaire", period)  # art. 1er
            & entreprise("interdiction_accueil_public", period)  # I, 1°
            & entreprise("fds_effectif_groupe_sous_plafond", period)  # I, 3° and 5°
            & entreprise("fds_article_3_10_activite_debutee_a_temps", period)  # start of activity
            & entreprise("fds_sans_contrat_temps_complet", period)  # contract of the manager
            & entreprise("fds_sans_dette_impayee", period)  # declaration on honour
        )


class fds_article_3_10_chiffre_affaires_reference(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2020-10-31"
    unit = "currency-EUR"
    label = "Chiffre d'affaires de référence des jours de fermeture"
    reference = f"{DECRET}, art. 3-10"

    def formula_2020_09(entreprise, period, parameters):
        """Reference of the month (mean since July 2020 if created since 1 March) × days closed / days of the month."""
        limite = parameters(period).fonds_de_solidarite.tres_petites_entreprises.date_creation_recente
        du_mois = numpy.where(
            entreprise("date_creation", period) >= jour(limite),
            entreprise("chiffre_affaires_mensuel_moyen_depuis_juillet_2020", period),
            entreprise("chiffre_affaires_reference", period),
        )
        return du_mois * entreprise("jours_interdiction_accueil_public", period) / period.size_in_days


class fds_article_3_10_perte(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2020-10-31"
    unit = "currency-EUR"
    label = "Perte des jours de fermeture, ventes à distance exclues"
    reference = f"{DECRET}, art. 3-10"

    def formula_2020_09(entreprise, period):
        reference = entreprise("fds_article_3_10_chiffre_affaires_reference", period)
        return numpy.maximum(reference - entreprise("chiffre_affaires_jours_interdiction", period), 0)


class fds_article_3_10_subvention(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2020-10-31"
    unit = "currency-EUR"
    label = "Perte des jours de fermeture, dans la limite de 333 € par jour"
    reference = f"{DECRET}, art. 3-10, II"

    def formula_2020_09(entreprise, period, parameters):
        plafond_par_jour = parameters(period).fonds_de_solidarite.volet_1.article_3_10.plafond_journalier
        plafond = plafond_par_jour * entreprise("jours_interdiction_accueil_public", period)
        return perte_dans_la_limite(entreprise("fds_article_3_10_perte", period), plafond)


class fds_article_3_10_montant(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2020-10-31"
    unit = "currency-EUR"
    label = "Aide des fermetures de septembre et octobre 2020"
    reference = f"{DECRET}, art. 3-10, II"

    def formula_2020_09(entreprise, period):
        aide = entreprise("fds_article_3_10_subvention", period)
        apres_deduction = numpy.maximum(aide - entreprise("fds_pensions_et_indemnites", period), 0)
        return apres_deduction * entreprise("fds_article_3_10_eligible", period)
