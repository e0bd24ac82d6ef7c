"""Secteurs des annexes 1 et 2, et les pertes passées que l'annexe 2 exige.

Le test de 80 % du printemps 2020 a deux formes : celle des textes de 2020 et celle des textes de 2021 (« selon les
modalités du IV »). Ces tests prennent la référence la plus favorable, quelle que soit l'option de l'entreprise.
"""

import numpy
from openfisca_core.periods import ETERNITY, MONTH
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel, au_moins, quotient
from openfisca_fds.entities import Entreprise
from openfisca_fds.moyennes import depuis_la_creation, mensuel_moyen, total
from openfisca_fds.periodes import (
    ANNEE_2019,
    ANNEE_2020,
    AVRIL_2019,
    DECEMBRE_2020,
    FEVRIER_2020,
    JANVIER_2019,
    JANVIER_2021,
    MAI_2019,
    MARS_2019,
    MARS_2020,
    NOVEMBRE_2019,
    NOVEMBRE_2020,
    OCTOBRE_2020,
    jour,
    jours_d_activite,
    mois_de,
    premier_jour,
)
from openfisca_fds.references import DECRET, aux_articles


class chiffre_affaires_15_mars_15_mai_2019(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = ETERNITY
    unit = "currency-EUR"
    label = "Chiffre d'affaires du 15 mars au 15 mai 2019"
    reference = f"{DECRET}, art. 3-7, I, 7°"

    def formula(entreprise, period, parameters):
        periode = parameters(MARS_2020).fonds_de_solidarite.chiffre_affaires_reference.premier_confinement
        mars = entreprise("chiffre_affaires", MARS_2019) * periode.jours_de_mars / MARS_2019.size_in_days
        mai = entreprise("chiffre_affaires", MAI_2019) * periode.jours_de_mai / MAI_2019.size_in_days
        return mars + entreprise("chiffre_affaires", AVRIL_2019) + mai


class chiffre_affaires_reference_premier_confinement_ancienne(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = ETERNITY
    unit = "currency-EUR"
    label = "Référence du 15 mars au 15 mai 2020 d'une entreprise ancienne, la plus favorable"
    reference = f"{DECRET}, art. 3-7, I, 7°"

    def formula(entreprise, period, parameters):
        """Same period of 2019, or the monthly mean of 2019 brought to two months. Euros."""
        periode = parameters(MARS_2020).fonds_de_solidarite.chiffre_affaires_reference.premier_confinement
        return numpy.maximum(
            entreprise("chiffre_affaires_15_mars_15_mai_2019", period),
            periode.mois_de_la_periode * entreprise("chiffre_affaires_mensuel_moyen_2019", period),
        )


class chiffre_affaires_reference_premier_confinement_2020(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = ETERNITY
    unit = "currency-EUR"
    label = "Référence du 15 mars au 15 mai 2020, textes de 2020"
    reference = f"{DECRET}, art. 3-7, I, 7°"

    def formula(entreprise, period, parameters):
        """Created after 15 March 2019: turnover from creation to 15 March 2020, brought to two months. Euros."""
        reference = parameters(MARS_2020).fonds_de_solidarite.chiffre_affaires_reference
        periode = reference.premier_confinement
        creation = entreprise("date_creation", period)
        mois = mois_de(MARS_2019, FEVRIER_2020)
        debut_mars = premier_jour(MARS_2020)
        fin = jour(reference.date_fin_activite_normale)
        part_de_mars = jours_d_activite(creation, debut_mars, fin) / MARS_2020.size_in_days
        realise, duree = depuis_la_creation(entreprise, mois)
        realise = realise + entreprise("chiffre_affaires_jusqu_au_15_mars_2020", period)
        return numpy.where(
            creation > jour(periode.date_creation_ancienne),
            quotient(periode.mois_de_la_periode * realise, duree + part_de_mars),
            entreprise("chiffre_affaires_reference_premier_confinement_ancienne", period),
        )


class fds_perte_premier_confinement_2020(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Perte d'au moins 80 % du 15 mars au 15 mai 2020 (textes de 2020)"
    reference = aux_articles(
        "3-3, 7° ; 3-5, 7° ; 3-7, I, 7° ; 3-8, 6° bis ; 3-11 ; 3-12 ; 3-14 ; 3-15, I ; 3-17, I ; 3-21, I, A ; 4, III"
    )

    def formula(entreprise, period, parameters):
        seuil = parameters(MARS_2020).fonds_de_solidarite.secteurs.pertes_passees.seuil_premier_confinement
        reference = entreprise("chiffre_affaires_reference_premier_confinement_2020", period)
        realise = entreprise("chiffre_affaires_premier_confinement", period)
        return au_moins(reference - realise, reference, seuil)


class chiffre_affaires_reference_premier_confinement_2021(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = ETERNITY
    unit = "currency-EUR"
    label = "Référence du 15 mars au 15 mai 2020, textes de 2021"
    reference = f"{DECRET}, art. 3-28, I, A, 3° b)"

    def formula(entreprise, period, parameters):
        """« Selon les modalités du IV »: two months of what the bracket of creation refers to. Euros."""
        reference = parameters(JANVIER_2021).fonds_de_solidarite.chiffre_affaires_reference
        creation = entreprise("date_creation", period)
        deux_mois = reference.premier_confinement.mois_de_la_periode
        moyenne = deux_mois * entreprise("chiffre_affaires_mensuel_moyen_au_29_fevrier_2020", period)
        fevrier = deux_mois * entreprise("chiffre_affaires_fevrier_2020_sur_un_mois", period)
        ancienne = entreprise("chiffre_affaires_reference_premier_confinement_ancienne", period)
        recente = numpy.where(creation < jour(reference.tranches.fevrier_2020), moyenne, fevrier)
        return numpy.where(creation < jour(reference.tranches.moyenne_au_29_fevrier_2020), ancienne, recente)


class fds_perte_premier_confinement_2021(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Créée avant le 1er mars 2020, perte d'au moins 80 % du 15 mars au 15 mai 2020 (textes de 2021)"
    reference = aux_articles(
        "3-19, I, A, 2° b) ; 3-22, I, A, 2° b) ; 3-24, I, A, 3° b) ; 3-26, I, A, 3° b) ; 3-27, I, A, 3° b) ; "
        "3-28, I, A, 3° b) ; 3-29, I ; 3-30"
    )

    def formula(entreprise, period, parameters):
        pertes = parameters(JANVIER_2021).fonds_de_solidarite.secteurs.pertes_passees
        reference = entreprise("chiffre_affaires_reference_premier_confinement_2021", period)
        realise = entreprise("chiffre_affaires_premier_confinement", period)
        creee_avant = entreprise("date_creation", period) < jour(pertes.date_creation_premier_confinement)
        return creee_avant & au_moins(reference - realise, reference, pertes.seuil_premier_confinement)


class chiffre_affaires_reference_novembre_2020_ancienne(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = ETERNITY
    unit = "currency-EUR"
    label = "Référence de novembre 2020 d'une entreprise ancienne, la plus favorable"
    reference = f"{DECRET}, art. 3-22, I, A, 2° b)"

    def formula(entreprise, period):
        return numpy.maximum(
            entreprise("chiffre_affaires", NOVEMBRE_2019),
            entreprise("chiffre_affaires_mensuel_moyen_2019", period),
        )


class chiffre_affaires_reference_novembre_2020(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = ETERNITY
    unit = "currency-EUR"
    label = "Référence de novembre 2020 pour les textes de 2021, selon le début d'activité"
    reference = f"{DECRET}, art. 3-22, I, A, 2° b)"

    def formula(entreprise, period, parameters):
        """Started before 2020; from January to September 2020; in October 2020; later: none. Euros."""
        parametres = parameters(JANVIER_2021).fonds_de_solidarite
        pertes = parametres.secteurs.pertes_passees
        debut = entreprise("date_debut_activite", period)
        ancienne = entreprise("date_creation", period) < jour(
            parametres.chiffre_affaires_reference.tranches.moyenne_au_29_fevrier_2020
        )
        avant_2020 = numpy.where(
            ancienne,
            entreprise("chiffre_affaires_reference_novembre_2020_ancienne", period),
            entreprise("chiffre_affaires_mensuel_moyen_au_29_fevrier_2020", period),
        )
        janvier_a_septembre = mensuel_moyen(entreprise, mois_de(JANVIER_2019, OCTOBRE_2020))
        octobre = entreprise("chiffre_affaires", DECEMBRE_2020)
        resultat = numpy.where(debut < jour(pertes.date_debut_novembre), octobre, 0)
        resultat = numpy.where(debut < jour(pertes.date_debut_octobre), janvier_a_septembre, resultat)
        return numpy.where(debut < jour(pertes.date_debut_2020), avant_2020, resultat)


class fds_perte_novembre_2020(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Perte d'au moins 80 % en novembre 2020 (textes de 2021)"
    reference = aux_articles(
        "3-19, I, A, 2° b) ; 3-22, I, A, 2° b) ; 3-24, I, A, 3° b) ; 3-26, I, A, 3° b) ; 3-27, I, A, 3° b) ; "
        "3-28, I, A, 3° b) ; 3-29, I ; 3-30"
    )

    def formula(entreprise, period, parameters):
        seuil = parameters(JANVIER_2021).fonds_de_solidarite.secteurs.pertes_passees.seuil_novembre
        reference = entreprise("chiffre_affaires_reference_novembre_2020", period)
        return au_moins(reference - entreprise("chiffre_affaires", NOVEMBRE_2020), reference, seuil)


class fds_baisse_annuelle_2020(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Créée avant le 1er décembre 2019, chiffre d'affaires de 2020 en baisse d'au moins 10 %"
    reference = aux_articles(
        "3-19, I, A, 2° b) ; 3-22, I, A, 2° b) ; 3-24, I, A, 3° b) ; 3-26, I, A, 3° b) ; 3-27, I, A, 3° b) ; "
        "3-28, I, A, 3° b) ; 3-29, I ; 3-30"
    )

    def formula(entreprise, period, parameters):
        """Turnover of 2019 (brought to twelve months if created in 2019) against 2020. Euros."""
        pertes = parameters(JANVIER_2021).fonds_de_solidarite.secteurs.pertes_passees
        creation = entreprise("date_creation", period)
        annee_2019 = numpy.where(
            creation < premier_jour(ANNEE_2019),
            total(entreprise, ANNEE_2019.get_subperiods(MONTH)),
            ANNEE_2019.size_in_months * entreprise("chiffre_affaires_mensuel_moyen_2019", period),
        )
        annee_2020 = total(entreprise, ANNEE_2020.get_subperiods(MONTH))
        creee_avant = creation < jour(pertes.date_creation_baisse_annuelle)
        return creee_avant & au_moins(annee_2019 - annee_2020, annee_2019, pertes.seuil_baisse_annuelle)


class fds_perte_novembre_2020_texte_de_decembre(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Perte d'au moins 80 % en novembre 2020 (texte de décembre 2020)"
    reference = f"{DECRET}, art. 3-15, I"

    def formula(entreprise, period, parameters):
        """Started in 2019 or before: reference of November; since 2020: mean from creation to 30 November. Euros."""
        parametres = parameters(DECEMBRE_2020).fonds_de_solidarite
        pertes = parametres.secteurs.pertes_passees
        tranche = entreprise("tranche_creation", NOVEMBRE_2020)
        de_novembre = numpy.where(
            tranche == tranche.possible_values.ancienne,
            entreprise("chiffre_affaires_reference_novembre_2020_ancienne", period),
            entreprise("chiffre_affaires_reference", NOVEMBRE_2020),
        )
        depuis_2020 = entreprise("date_debut_activite", period) >= jour(pertes.date_debut_2020)
        moyenne = mensuel_moyen(entreprise, mois_de(JANVIER_2019, NOVEMBRE_2020))
        reference = numpy.where(depuis_2020, moyenne, de_novembre)
        return au_moins(reference - entreprise("chiffre_affaires", NOVEMBRE_2020), reference, pertes.seuil_novembre)


class fds_pertes_passees_annexe_2(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    label = "Remplit l'une des conditions de pertes passées des secteurs de l'annexe 2"
    reference = aux_articles(
        "3-3, 7° ; 3-5, 7° ; 3-7, I, 7° ; 3-8, 6° bis ; 3-11, II ; 3-12, I ; 3-14, II ; 3-15, I ; "
        "3-17, I ; 3-19, I, A, 2° b) ; 3-21, I, A ; 3-22, I, A, 2° b) ; 3-24, I, A, 3° b) ; "
        "3-26, I, A, 3° b) ; 3-27, I, A, 3° b) ; 3-28, I, A, 3° b) ; 3-30"
    )

    def formula_2020_05(entreprise, period):
        """Loss of 80 % in the spring of 2020."""
        return entreprise("fds_perte_premier_confinement_2020", period)

    def formula_2020_10(entreprise, period, parameters):
        """The same, waived for enterprises created after 10 March 2020."""
        limite = parameters(period).fonds_de_solidarite.secteurs.pertes_passees.date_creation_dispensee
        dispensee = entreprise("date_creation", period) > jour(limite)
        return entreprise("fds_perte_premier_confinement_2020", period) | dispensee

    def formula_2020_12(entreprise, period, parameters):
        """Started in 2019 or before: 80 % in the spring or in November; since 2020: 80 % in November."""
        pertes = parameters(period).fonds_de_solidarite.secteurs.pertes_passees
        avant_2020 = entreprise("date_debut_activite", period) < jour(pertes.date_debut_2020)
        printemps = entreprise("fds_perte_premier_confinement_2020", period) & avant_2020
        return printemps | entreprise("fds_perte_novembre_2020_texte_de_decembre", period)

    def formula_2021_01(entreprise, period, parameters):
        """80 % in the spring, or 80 % in November, or 10 % over the year; the latest starts may be exempt."""
        pertes = parameters(period).fonds_de_solidarite.secteurs.pertes_passees
        limite = getattr(pertes, "date_debut_dispensee", None)
        une_perte = (
            entreprise("fds_perte_premier_confinement_2021", period)  # (i)
            | entreprise("fds_perte_novembre_2020", period)  # (ii)
            | entreprise("fds_baisse_annuelle_2020", period)  # (iii)
        )
        if limite is None:
            return une_perte
        return une_perte | (entreprise("date_debut_activite", period) >= jour(limite))


class fds_secteur_annexe_2(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    label = "Activité de l'annexe 2, avec une condition de pertes passées"
    reference = aux_articles(
        "3-3, 7° ; 3-5, 7° ; 3-7, I, 7° ; 3-8, 6° bis ; 3-11, II ; 3-12, I ; 3-14, II ; 3-15, I ; "
        "3-17, I ; 3-19, I, A, 2° b) ; 3-22, I, A, 2° b) ; 3-24, I, A, 3° b) ; 3-26, I, A, 3° b) ; "
        "3-27, I, A, 3° b) ; 3-28, I, A, 3° b) ; 3-30"
    )

    def formula_2020_05(entreprise, period):
        return entreprise("annexe_2", period) & entreprise("fds_pertes_passees_annexe_2", period)


class fds_secteur_protege(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    label = "Activité de l'annexe 1, ou de l'annexe 2 avec la condition de pertes passées"
    reference = aux_articles("3-3, 7° et 8° ; 3-5, 7° et 8° ; 3-7, I, 7° et 8° ; 3-8, 6° bis ; 3-11, II ; 3-12, I")

    def formula_2020_05(entreprise, period):
        return entreprise("annexe_1", period) | entreprise("fds_secteur_annexe_2", period)


class fds_hors_annexes(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    label = "Activité hors des annexes 1 et 2"
    reference = aux_articles("3-16, I ; 3-18, I ; 3-19, I, A, 2° c) ; 3-22, I, A, 2° c)")

    def formula_2020_05(entreprise, period):
        return ~entreprise("annexe_1", period) & ~entreprise("annexe_2", period)
