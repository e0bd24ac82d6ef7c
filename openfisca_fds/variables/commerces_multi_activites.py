"""Décret n° 2021-960 : l'aide aux commerces multi-activités du premier semestre 2021. Une seule aide."""

import numpy
from openfisca_core.periods import ETERNITY
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel, au_moins, perte_dans_la_limite
from openfisca_fds.entities import Entreprise
from openfisca_fds.moyennes import mensuel_moyen, total
from openfisca_fds.periodes import (
    AVRIL_2021,
    DECEMBRE_2020,
    FEVRIER_2020,
    FEVRIER_2021,
    JANVIER_2019,
    JANVIER_2021,
    JUILLET_2020,
    JUIN_2019,
    JUIN_2021,
    MAI_2021,
    MARS_2021,
    OCTOBRE_2020,
    jour,
    mois_de,
)
from openfisca_fds.references import DECRET_MULTI_ACTIVITES

# Articles of the fonds de solidarité whose months fall in the first half of 2021 (condition 5°).
ARTICLES_DU_SEMESTRE = (
    ("3_19", JANVIER_2021),
    ("3_22", FEVRIER_2021),
    ("3_23", FEVRIER_2021),
    ("3_25", FEVRIER_2021),
    ("3_24", MARS_2021),
    ("3_26", AVRIL_2021),
    ("3_27", MAI_2021),
    ("3_28", JUIN_2021),
    ("3_29", JANVIER_2021),
    ("3_29", FEVRIER_2021),
    ("3_29", MARS_2021),
)


class multi_activites_entreprise_admise(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Entreprise de l'article 1er du décret n° 2020-371, hors associations et monuments historiques"
    reference = f"{DECRET_MULTI_ACTIVITES}, art. 1er, I"

    def formula(entreprise, period):
        forme = entreprise("forme_juridique", period)
        association = forme == forme.possible_values.association
        return (
            entreprise("residence_fiscale_francaise", period)
            & entreprise("fds_hors_liquidation_judiciaire", period)
            & ~association
            & ~entreprise("monument_historique_ouvert_au_public", period)
        )


class multi_activites_creee_a_temps(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Créée au plus tard le 31 décembre 2020"
    reference = f"{DECRET_MULTI_ACTIVITES}, art. 1er, I, 1°"

    def formula(entreprise, period, parameters):
        limite = parameters(JANVIER_2021).commerces_multi_activites.conditions.date_creation_maximale
        return entreprise("date_creation", period) <= jour(limite)


class multi_activites_commune_peu_dense(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Domiciliée dans une commune peu dense (3) ou très peu dense (4)"
    reference = f"{DECRET_MULTI_ACTIVITES}, art. 1er, I, 2°"

    def formula(entreprise, period, parameters):
        seuil = parameters(JANVIER_2021).commerces_multi_activites.conditions.seuil_densite
        return entreprise("densite_commune", period) >= seuil


class multi_activites_activites(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Activité principale de l'annexe et au moins une activité secondaire"
    reference = f"{DECRET_MULTI_ACTIVITES}, art. 1er, I, 3°"

    def formula(entreprise, period):
        return entreprise("activite_principale_multi_activites", period) & entreprise("activite_secondaire", period)


class multi_activites_sans_fonds_de_solidarite(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Ni éligible au fonds de solidarité au premier semestre 2021, ni bénéficiaire"
    reference = f"{DECRET_MULTI_ACTIVITES}, art. 1er, I, 5°"

    def formula(entreprise, period):
        eligible = [entreprise(f"fds_article_{article}_eligible", mois) for article, mois in ARTICLES_DU_SEMESTRE]
        percue = [entreprise("fds_aide_percue", mois) for mois in mois_de(JANVIER_2021, MAI_2021)]
        return ~numpy.logical_or.reduce(eligible + percue)


class multi_activites_chiffre_affaires_reference(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = ETERNITY
    unit = "currency-EUR"
    label = "Chiffre d'affaires de référence de six mois"
    reference = f"{DECRET_MULTI_ACTIVITES}, art. 2, II"

    def formula(entreprise, period, parameters):
        """First half of 2019, or six times the monthly turnover of the bracket of creation. Euros."""
        tranches = parameters(JANVIER_2021).commerces_multi_activites.tranches
        creation = entreprise("date_creation", period)
        six_mois = tranches.duree
        ancienne = total(entreprise, mois_de(JANVIER_2019, JUIN_2019))
        fevrier_2020 = six_mois * mensuel_moyen(entreprise, mois_de(JANVIER_2019, FEVRIER_2020))
        octobre_2020 = six_mois * mensuel_moyen(entreprise, mois_de(JUILLET_2020, OCTOBRE_2020))
        decembre_2020 = six_mois * entreprise("chiffre_affaires", DECEMBRE_2020)
        resultat = numpy.where(creation >= jour(tranches.debut_2019), fevrier_2020, ancienne)
        resultat = numpy.where(creation >= jour(tranches.mars_2020), octobre_2020, resultat)
        resultat = numpy.where(creation >= jour(tranches.octobre_2020), decembre_2020, resultat)
        return numpy.where(creation > jour(tranches.derniere_creation), 0, resultat)


class multi_activites_perte(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = ETERNITY
    unit = "currency-EUR"
    label = "Perte de chiffre d'affaires du premier semestre 2021"
    reference = f"{DECRET_MULTI_ACTIVITES}, art. 2, II"

    def formula(entreprise, period):
        realise = total(entreprise, mois_de(JANVIER_2021, JUIN_2021))
        return numpy.maximum(entreprise("multi_activites_chiffre_affaires_reference", period) - realise, 0)


class multi_activites_perte_suffisante(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Perte d'au moins 10 % au premier semestre 2021"
    reference = f"{DECRET_MULTI_ACTIVITES}, art. 1er, I, 6°"

    def formula(entreprise, period, parameters):
        seuil = parameters(JANVIER_2021).commerces_multi_activites.conditions.seuil_perte
        reference = entreprise("multi_activites_chiffre_affaires_reference", period)
        return au_moins(entreprise("multi_activites_perte", period), reference, seuil)


class multi_activites_sans_groupe(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Ni contrôlée par une autre entreprise, ni n'en contrôle une"
    reference = f"{DECRET_MULTI_ACTIVITES}, art. 1er, I, 7°"

    def formula(entreprise, period):
        return ~entreprise("controle_autre_entreprise", period)


class multi_activites_eligible(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "Éligible à l'aide aux commerces multi-activités"
    reference = f"{DECRET_MULTI_ACTIVITES}, art. 1er, I"

    def formula(entreprise, period):
        return (
            entreprise("multi_activites_entreprise_admise", period)  # I
            & entreprise("multi_activites_creee_a_temps", period)  # 1°
            & entreprise("multi_activites_commune_peu_dense", period)  # 2°
            & entreprise("multi_activites_activites", period)  # 3°
            & entreprise("activite_secondaire_interdite_au_public", period)  # 4°
            & entreprise("multi_activites_sans_fonds_de_solidarite", period)  # 5°
            & entreprise("multi_activites_perte_suffisante", period)  # 6°
            & entreprise("multi_activites_sans_groupe", period)  # 7°
        )


class multi_activites_montant(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = ETERNITY
    unit = "currency-EUR"
    label = "Aide aux commerces multi-activités"
    reference = f"{DECRET_MULTI_ACTIVITES}, art. 2, I"

    def formula(entreprise, period, parameters):
        montant = parameters(JANVIER_2021).commerces_multi_activites.montant
        aide = perte_dans_la_limite(montant.taux_perte * entreprise("multi_activites_perte", period), montant.plafond)
        return aide * entreprise("multi_activites_eligible", period)
