"""Article 1er : les entreprises bénéficiaires."""

from openfisca_core.periods import ETERNITY, MONTH
from openfisca_core.variables import Variable

from openfisca_fds.entities import Entreprise
from openfisca_fds.references import DECRET


class fds_hors_liquidation_judiciaire(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "N'était pas en liquidation judiciaire au 1er mars 2020"
    reference = f"{DECRET}, art. 1er, I, 2°"

    def formula(entreprise, period):
        return ~entreprise("liquidation_judiciaire_au_1er_mars_2020", period)


class fds_association_admise(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    label = "N'est pas une association, ou est assujettie aux impôts commerciaux ou emploie au moins un salarié"
    reference = f"{DECRET}, art. 1er, I, 5°"

    def formula_2020_03(entreprise, period, parameters):
        seuil = parameters(period).fonds_de_solidarite.champ.seuil_effectif_association
        forme = entreprise("forme_juridique", period)
        association = forme == forme.possible_values.association
        assujettie = entreprise("assujettie_impots_commerciaux", period)
        employeur = entreprise("effectif_salarie", period) >= seuil
        return ~association | assujettie | employeur


class fds_monument_admis(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    label = "N'est pas un monument historique ouvert au public, ou emploie au moins un salarié (depuis mars 2021)"
    reference = f"{DECRET}, art. 1er, I, 5° bis (depuis mars 2021)"

    def formula_2020_03(entreprise, period, parameters):
        champ = parameters(period).fonds_de_solidarite.champ
        employeur = entreprise("effectif_salarie", period) >= champ.seuil_effectif_monument
        return ~entreprise("monument_historique_ouvert_au_public", period) | (employeur & champ.monuments_admis)


class fds_beneficiaire(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    label = "Entreprise mentionnée à l'article 1er"
    reference = f"{DECRET}, art. 1er"

    def formula_2020_03(entreprise, period):
        return (
            entreprise("residence_fiscale_francaise", period)  # I, first paragraph
            & entreprise("fds_hors_liquidation_judiciaire", period)  # 2°
            & entreprise("fds_association_admise", period)  # 5°
            & entreprise("fds_monument_admis", period)  # 5° bis
        )


class fds_non_controlee_par_societe_commerciale(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = ETERNITY
    label = "N'est pas contrôlée par une société commerciale (aides des articles 2 à 3-9)"
    reference = f"{DECRET}, art. 1er, I, 7°"

    def formula(entreprise, period):
        return ~entreprise("controlee_par_societe_commerciale", period)
