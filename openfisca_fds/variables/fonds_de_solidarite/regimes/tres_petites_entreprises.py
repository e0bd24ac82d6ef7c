"""Conditions et montant des aides de mars à septembre 2020 (articles 2 à 3-9), pour les très petites entreprises."""

import numpy
from openfisca_core.periods import MONTH
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel, epoussete, perte_dans_la_limite
from openfisca_fds.entities import Entreprise, Groupe
from openfisca_fds.periodes import jour
from openfisca_fds.references import DECRET, aux_articles

FIN = "2020-09-30"


class fds_interdiction_ou_perte(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    label = "Interdiction d'accueil du public, ou perte d'au moins 50 %"
    reference = aux_articles(
        "2, 1° et 2° ; 3-1, 1° et 2° ; 3-3, 1° et 2° ; 3-5, 1° et 2° ; 3-7, I, 1° et 2° ; 3-8, 1° et 2° ; "
        "3-14, I, 1° et 2°"
    )

    def formula_2020_03(entreprise, period):
        return (
            entreprise("interdiction_accueil_public", period)  # 1°
            | entreprise("fds_perte_seuil_general", period)  # 2°
        )


class fds_plafond_benefice(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "Plafond de bénéfice imposable"
    reference = aux_articles("2, 3° ; 3-1, 3° ; 3-3, 3° ; 3-5, 3° ; 3-7, I, 3° ; 3-8, 3°")

    def formula_2020_03(entreprise, period, parameters):
        """March: the same for all."""
        plafond = parameters(period).fonds_de_solidarite.tres_petites_entreprises.plafond_benefice
        return numpy.full(entreprise.count, plafond, dtype=numpy.float64)

    def formula_2020_04(entreprise, period, parameters):
        """Own-name enterprise: doubled with a spouse who works in it; company: per associate and such spouse."""
        tpe = parameters(period).fonds_de_solidarite.tres_petites_entreprises
        conjoints = entreprise("nombre_conjoints_collaborateurs", period)
        forme = entreprise("forme_juridique", period)
        en_nom_propre = forme == forme.possible_values.entreprise_individuelle
        parts_nom_propre = numpy.where(conjoints > 0, tpe.coefficient_conjoint_collaborateur, 1)
        parts_societe = entreprise("nombre_associes", period) + conjoints
        return tpe.plafond_benefice * numpy.where(en_nom_propre, parts_nom_propre, parts_societe)


class fds_benefice_dispense(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    label = "Créée depuis le 1er mars 2020 : condition de bénéfice sans objet"
    reference = aux_articles("3-3, 3° ; 3-5, 3° ; 3-7, I, 3° ; 3-8, 3°")

    def formula_2020_05(entreprise, period, parameters):
        limite = parameters(period).fonds_de_solidarite.tres_petites_entreprises.date_creation_recente
        return entreprise("date_creation", period) >= jour(limite)


class fds_benefice_sous_plafond(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    label = "Bénéfice imposable, augmenté des sommes versées au dirigeant, inférieur ou égal au plafond"
    reference = aux_articles("2, 3° ; 3-1, 3° ; 3-3, 3° ; 3-5, 3° ; 3-7, I, 3° ; 3-8, 3°")

    def formula_2020_03(entreprise, period):
        benefice = entreprise("benefice_imposable_dernier_exercice", period)
        return (benefice <= entreprise("fds_plafond_benefice", period)) | entreprise("fds_benefice_dispense", period)


class fds_pensions_sous_plafond(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    label = "Pensions et indemnités du dirigeant sous le plafond du mois"
    reference = aux_articles("2, 4° ; 3-1, 4° ; 3-3, 4° ; 3-5, 4° ; 3-7, I, 4° ; 3-8, 4°")

    def formula_2020_03(entreprise, period, parameters):
        """March: no pension at all, and daily allowances up to a ceiling."""
        tpe = parameters(period).fonds_de_solidarite.tres_petites_entreprises
        sans_pension = entreprise("pensions_retraite", period) <= tpe.plafond_pensions
        return sans_pension & (entreprise("indemnites_journalieres", period) <= tpe.plafond_indemnites)

    def formula_2020_04(entreprise, period, parameters):
        """Pensions and daily allowances together."""
        plafond = parameters(period).fonds_de_solidarite.tres_petites_entreprises.plafond_pensions_et_indemnites
        return entreprise("fds_pensions_et_indemnites", period) <= plafond


class fds_plafond_effectif_entreprise(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    unit = "salarié"
    label = "Plafond d'effectif de l'entreprise"
    reference = aux_articles("2, 7° ; 3-1, 7° ; 3-3, 7° ; 3-5, 7° ; 3-7, I, 7° ; 3-8, 7°")

    def formula_2020_03(entreprise, period, parameters):
        tpe = parameters(period).fonds_de_solidarite.tres_petites_entreprises
        protege = entreprise("fds_secteur_protege", period)
        return numpy.where(protege, tpe.plafond_effectif_secteurs_proteges, tpe.plafond_effectif)


class fds_effectif_sous_plafond(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    label = "Effectif inférieur ou égal au plafond"
    reference = aux_articles("2, 7° ; 3-1, 7° ; 3-3, 7° ; 3-5, 7° ; 3-7, I, 7° ; 3-8, 7°")

    def formula_2020_03(entreprise, period):
        return entreprise("effectif_salarie", period) <= entreprise("fds_plafond_effectif_entreprise", period)


class fds_plafond_chiffre_affaires_annuel(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "Chiffre d'affaires annuel que l'entreprise ne doit pas atteindre"
    reference = aux_articles("2, 8° ; 3-1, 8° ; 3-3, 8° ; 3-5, 8° ; 3-7, I, 8° ; 3-8, 8°")

    def formula_2020_03(entreprise, period, parameters):
        tpe = parameters(period).fonds_de_solidarite.tres_petites_entreprises
        protege = entreprise("fds_secteur_protege", period)
        return numpy.where(protege, tpe.plafond_chiffre_affaires_secteurs_proteges, tpe.plafond_chiffre_affaires)


class fds_chiffre_affaires_sous_plafond(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    label = "Chiffre d'affaires du dernier exercice, ou mensuel à défaut, inférieur au plafond"
    reference = aux_articles("2, 8° ; 3-1, 8° ; 3-3, 8° ; 3-5, 8° ; 3-7, I, 8° ; 3-8, 8°")

    def formula_2020_03(entreprise, period, parameters):
        """Last closed year; else mean month to 29 February 2020; else, created since 1 March, month to 15 March."""
        tpe = parameters(period).fonds_de_solidarite.tres_petites_entreprises
        protege = entreprise("fds_secteur_protege", period)
        plafond_mensuel = numpy.where(protege, tpe.plafond_mensuel_secteurs_proteges, tpe.plafond_mensuel)
        recente = entreprise("date_creation", period) >= jour(tpe.date_creation_recente)
        mensuel = numpy.where(
            recente,
            entreprise("chiffre_affaires_mars_2020_sur_un_mois", period),
            entreprise("chiffre_affaires_mensuel_moyen_au_29_fevrier_2020", period),
        )
        annuel = entreprise("chiffre_affaires_dernier_exercice", period)
        return numpy.where(
            entreprise("exercice_clos", period),
            annuel < entreprise("fds_plafond_chiffre_affaires_annuel", period),
            mensuel < plafond_mensuel,
        )


class fds_groupe_chiffre_affaires(Reel, Variable):
    value_type = float
    entity = Groupe
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "Somme des chiffres d'affaires du dernier exercice des membres du groupe"
    reference = f"{DECRET}, art. 3-7, I, 5°"

    def formula_2020_03(groupe, period):
        return epoussete(groupe.sum(groupe.members("chiffre_affaires_dernier_exercice", period)))


class fds_groupe_benefice(Reel, Variable):
    value_type = float
    entity = Groupe
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "Somme des bénéfices du dernier exercice des membres du groupe"
    reference = f"{DECRET}, art. 3-7, I, 5°"

    def formula_2020_03(groupe, period):
        return epoussete(groupe.sum(groupe.members("benefice_imposable_dernier_exercice", period)))


class fds_groupe_sous_plafonds(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    label = "Hors groupe, ou sommes du groupe sous les plafonds d'effectif, de chiffre d'affaires et de bénéfice"
    reference = aux_articles("2, 5° ; 3-1, 5° ; 3-3, 5° ; 3-5, 5° ; 3-7, I, 5° ; 3-8, 5°")

    def formula_2020_03(entreprise, period):
        """Sums of the linked entities within 7°, 8° (annual threshold) and 3° (where it applies)."""
        groupe = entreprise.groupe
        seule = groupe.nb_persons() == 1
        effectif = groupe("effectif_groupe", period) <= entreprise("fds_plafond_effectif_entreprise", period)
        chiffre = groupe("fds_groupe_chiffre_affaires", period)
        annuel = chiffre < entreprise("fds_plafond_chiffre_affaires_annuel", period)
        benefice = groupe("fds_groupe_benefice", period) <= entreprise("fds_plafond_benefice", period)
        return seule | (effectif & annuel & (benefice | entreprise("fds_benefice_dispense", period)))


class fds_aide_tres_petites_entreprises(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = FIN
    unit = "currency-EUR"
    label = "Perte, dans la limite du plafond du mois, diminué des pensions et indemnités (depuis avril 2020)"
    reference = aux_articles("3 ; 3-2 ; 3-4 ; 3-6 ; 3-9")

    def formula_2020_03(entreprise, period, parameters):
        """March: nothing is deducted."""
        plafond = parameters(period).fonds_de_solidarite.tres_petites_entreprises.plafond_aide
        return perte_dans_la_limite(entreprise("perte_chiffre_affaires", period), plafond)

    def formula_2020_04(entreprise, period, parameters):
        """Aid and pensions together do not exceed the ceiling."""
        plafond = parameters(period).fonds_de_solidarite.tres_petites_entreprises.plafond_aide
        pensions = entreprise("fds_pensions_et_indemnites", period)
        return perte_dans_la_limite(entreprise("perte_chiffre_affaires", period), plafond - pensions)
