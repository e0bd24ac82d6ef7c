"""Le chiffre d'affaires de référence de chaque mois, selon la date de création et l'option (IV des articles)."""

import numpy
from openfisca_core.indexed_enums import Enum, EnumArray
from openfisca_core.periods import ETERNITY, MONTH
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel, depasse, quotient
from openfisca_fds.entities import Entreprise
from openfisca_fds.moyennes import mensuel_moyen, ramene_sur_un_mois
from openfisca_fds.periodes import (
    ANNEE_2019,
    AVRIL_2019,
    DECEMBRE_2020,
    FEVRIER_2019,
    FEVRIER_2020,
    FEVRIER_2021,
    JANVIER_2019,
    JANVIER_2021,
    JUILLET_2020,
    MARS_2020,
    OCTOBRE_2020,
    jour,
    jours_d_activite,
    meme_mois_de_2019,
    mois_de,
    mois_du_jour,
    premier_jour,
)
from openfisca_fds.references import DECRET, aux_articles

# Where each article says what the loss is measured against; without paragraph, where its text was not read.
DEFINITIONS = aux_articles(
    "2, 2° ; 3-1, 2° ; 3-3, 2° ; 3-5, 2° ; 3-7, III ; 3-8 ; 3-10 ; 3-11 ; 3-12 ; 3-14 ; 3-15, IV ; 3-16 ; 3-17 ; "
    "3-18 ; 3-19, IV ; 3-21 ; 3-22, IV ; 3-24, IV ; 3-25, IV ; 3-26, IV ; 3-27, IV ; 3-28, IV ; 3-29 ; 3-30, IV"
)


class TrancheCreation(Enum):
    """Bracket of creation date, in the order of the text; its first day, month by month, is a parameter."""

    ancienne = "Référence de 2019"
    moyenne_au_29_fevrier_2020 = "Moyenne mensuelle de la création au 29 février 2020"
    fevrier_2020 = "Février 2020 ramené sur un mois"
    mars_2020 = "Chiffre d'affaires jusqu'au 15 mars 2020 ramené sur un mois"
    moyenne_depuis_juillet_2020 = "Moyenne mensuelle depuis le 1er juillet 2020 ou la création"
    octobre_2020 = "Décembre 2020, ou octobre 2020 ramené sur un mois si fermée en décembre"
    novembre_et_decembre_2020 = "Janvier 2021"
    janvier_2021 = "Février 2021"
    sans_reference = "Aucune référence"


# What each bracket reads; None = the month itself.
REFERENCES = {
    TrancheCreation.ancienne: ("chiffre_affaires_reference_entreprise_ancienne", None),
    TrancheCreation.moyenne_au_29_fevrier_2020: ("chiffre_affaires_mensuel_moyen_au_29_fevrier_2020", None),
    TrancheCreation.fevrier_2020: ("chiffre_affaires_fevrier_2020_sur_un_mois", None),
    TrancheCreation.mars_2020: ("chiffre_affaires_mars_2020_sur_un_mois", None),
    TrancheCreation.moyenne_depuis_juillet_2020: ("chiffre_affaires_mensuel_moyen_depuis_juillet_2020", None),
    TrancheCreation.octobre_2020: ("chiffre_affaires_reference_creation_octobre_2020", None),
    TrancheCreation.novembre_et_decembre_2020: ("chiffre_affaires", JANVIER_2021),
    TrancheCreation.janvier_2021: ("chiffre_affaires", FEVRIER_2021),
}


class tranche_creation(Variable):
    value_type = Enum
    possible_values = TrancheCreation
    default_value = TrancheCreation.ancienne
    entity = Entreprise
    definition_period = MONTH
    end = "2022-02-28"
    label = "Tranche de date de création"
    reference = DEFINITIONS

    def formula_2020_03(entreprise, period, parameters):
        """Last bracket whose first day the creation reaches; a bracket without a first day is not open this month."""
        tranches = parameters(period).fonds_de_solidarite.chiffre_affaires_reference.tranches
        creation = entreprise("date_creation", period)
        indices = numpy.zeros(entreprise.count, dtype=numpy.int16)
        premiers = {t: getattr(tranches, t.name, None) for t in TrancheCreation}
        debuts = {tranche: jour(premier) for tranche, premier in premiers.items() if premier is not None}
        recentes = numpy.flatnonzero(creation >= min(debuts.values(), default=numpy.datetime64("NaT")))
        jours = creation[recentes]
        for tranche, debut in debuts.items():
            indices[recentes[jours >= debut]] = tranche.index
        return EnumArray(indices, TrancheCreation)


class chiffre_affaires_reference(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2022-02-28"
    unit = "currency-EUR"
    label = "Chiffre d'affaires de référence du mois"
    reference = DEFINITIONS
    documentation = "Régime général du mois : tranche de date de création, puis option des entreprises anciennes."

    def formula_2020_03(entreprise, period):
        """Sick, injured or maternity leave in March 2019 (art. 2, 2°) overrides the bracket, whatever the creation."""
        return numpy.where(
            entreprise("conge_dirigeant_mars_2019", period),
            mensuel_moyen(entreprise, mois_de(AVRIL_2019, FEVRIER_2020)),
            entreprise("chiffre_affaires_reference_selon_creation", period),
        )

    def formula_2020_04(entreprise, period):
        return entreprise("chiffre_affaires_reference_selon_creation", period)


class chiffre_affaires_reference_selon_creation(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2022-02-28"
    unit = "currency-EUR"
    label = "Chiffre d'affaires de référence selon la date de création"
    reference = DEFINITIONS

    def formula_2020_03(entreprise, period):
        """Read, for each bracket present, what it refers to; 0 without reference. Euros."""
        tranche = numpy.asarray(entreprise("tranche_creation", period))
        resultat = numpy.zeros(entreprise.count)
        for membre, (variable, mois) in REFERENCES.items():
            dans_la_tranche = tranche == membre.index
            if dans_la_tranche.any():
                rangs = numpy.flatnonzero(dans_la_tranche)
                resultat[rangs] = entreprise(variable, mois or period)[rangs]
        return resultat


class chiffre_affaires_mois_de_2019(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2022-02-28"
    unit = "currency-EUR"
    label = "Chiffre d'affaires du même mois de 2019"
    reference = DEFINITIONS

    def formula_2020_03(entreprise, period):
        return entreprise("chiffre_affaires", meme_mois_de_2019(period))


class option_moyenne_2019_retenue(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2022-02-28"
    label = "Moyenne mensuelle de 2019 retenue comme référence"
    reference = [f"{DECRET}, art. 3-25, IV", f"{DECRET}, art. 3-24, IV"]

    def formula_2020_04(entreprise, period):
        """The option of the enterprise, else the better of the two for the month."""
        mois = entreprise("chiffre_affaires_mois_de_2019", period)
        return option_moyenne(entreprise, period, mois)

    def formula_2021_03(entreprise, period):
        """Frozen: the option taken for February 2021 holds for every later month (the month, when equal)."""
        fevrier = entreprise("chiffre_affaires", FEVRIER_2019)
        return option_moyenne(entreprise, period, fevrier)


def option_moyenne(entreprise, period, mois):
    """Tell who takes the mean of 2019: those who chose it, and those it favours over ``mois`` (euros, shape (n,))."""
    option = entreprise("option_chiffre_affaires_reference", period)
    options = option.possible_values
    moyenne_plus_favorable = depasse(entreprise("chiffre_affaires_mensuel_moyen_2019", period), mois)
    return (option == options.moyenne_2019) | ((option == options.plus_favorable) & moyenne_plus_favorable)


class chiffre_affaires_reference_entreprise_ancienne(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2022-02-28"
    unit = "currency-EUR"
    label = "Chiffre d'affaires de référence d'une entreprise ancienne"
    reference = DEFINITIONS
    documentation = "Mars 2020 : le mois de 2019 seul ; ensuite le mois de 2019 ou la moyenne de 2019."

    def formula_2020_03(entreprise, period):
        return numpy.where(
            entreprise("option_moyenne_2019_retenue", period),
            entreprise("chiffre_affaires_mensuel_moyen_2019", period),
            entreprise("chiffre_affaires_mois_de_2019", period),
        )


class chiffre_affaires_mensuel_moyen_2019(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = ETERNITY
    unit = "currency-EUR"
    label = "Chiffre d'affaires mensuel moyen de 2019"
    reference = f"{DECRET}, art. 3-7, III"

    def formula(entreprise, period):
        return mensuel_moyen(entreprise, ANNEE_2019.get_subperiods(MONTH))


class chiffre_affaires_mensuel_moyen_au_29_fevrier_2020(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = ETERNITY
    unit = "currency-EUR"
    label = "Chiffre d'affaires mensuel moyen de la création ou de janvier 2019 au 29 février 2020"
    reference = f"{DECRET}, art. 3-7, III"
    documentation = "Pour une entreprise créée avant 2019 : de janvier 2019 à février 2020."

    def formula(entreprise, period):
        return mensuel_moyen(entreprise, mois_de(JANVIER_2019, FEVRIER_2020))


class chiffre_affaires_fevrier_2020_sur_un_mois(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = ETERNITY
    unit = "currency-EUR"
    label = "Chiffre d'affaires de février 2020 ramené sur un mois"
    reference = f"{DECRET}, art. 3-7, III"

    def formula(entreprise, period):
        return ramene_sur_un_mois(entreprise, FEVRIER_2020)


class chiffre_affaires_mars_2020_sur_un_mois(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = ETERNITY
    unit = "currency-EUR"
    label = "Chiffre d'affaires réalisé jusqu'au 15 mars 2020 ramené sur un mois"
    reference = f"{DECRET}, art. 3-7, III"

    def formula(entreprise, period, parameters):
        """Turnover to 15 March × days of March / days of activity from 1 to 15 March, creation included. Euros."""
        reference = parameters(MARS_2020).fonds_de_solidarite.chiffre_affaires_reference
        fin = jour(reference.date_fin_activite_normale)
        jours = jours_d_activite(entreprise("date_creation", period), premier_jour(MARS_2020), fin)
        realise = entreprise("chiffre_affaires_jusqu_au_15_mars_2020", period)
        return quotient(realise * MARS_2020.size_in_days, jours)


class chiffre_affaires_mensuel_moyen_depuis_juillet_2020(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2022-02-28"
    unit = "currency-EUR"
    label = "Chiffre d'affaires mensuel moyen depuis le 1er juillet 2020 ou la création"
    reference = f"{DECRET}, art. 3-25, IV"
    documentation = "La fin de la période de calcul dépend du mois d'aide."

    def formula_2020_09(entreprise, period, parameters):
        reference = parameters(period).fonds_de_solidarite.chiffre_affaires_reference
        return mensuel_moyen(entreprise, mois_de(JUILLET_2020, mois_du_jour(reference.date_fin_moyenne_depuis_juillet)))


class chiffre_affaires_reference_creation_octobre_2020(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = ETERNITY
    unit = "currency-EUR"
    label = "Chiffre d'affaires de référence d'une entreprise créée en octobre 2020"
    reference = f"{DECRET}, art. 3-25, IV"

    def formula(entreprise, period):
        """December 2020; by derogation, October scaled to a month if closed to the public in December."""
        return numpy.where(
            entreprise("interdiction_accueil_public", DECEMBRE_2020),
            ramene_sur_un_mois(entreprise, OCTOBRE_2020),
            entreprise("chiffre_affaires", DECEMBRE_2020),
        )
