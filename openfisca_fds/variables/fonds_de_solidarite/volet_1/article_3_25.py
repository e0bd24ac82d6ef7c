"""Article 3-25 : février 2021, commerce de détail et réparation navale outre-mer."""

import numpy
from openfisca_core.periods import MONTH
from openfisca_core.variables import Variable

from openfisca_fds.amounts import Reel
from openfisca_fds.entities import Entreprise
from openfisca_fds.references import DECRET


class fds_article_3_25_eligible(Variable):
    value_type = bool
    entity = Entreprise
    definition_period = MONTH
    end = "2021-02-28"
    label = "Éligible à l'aide de février 2021 du commerce et de la réparation navale outre-mer"
    reference = f"{DECRET}, art. 3-25, I, A"

    def formula_2021_02(entreprise, period):
        return (
            entreprise("fds_beneficiaire", period)  # A, art. 1er
            & entreprise("fds_sans_arrete_de_fermeture", period)  # A
            & entreprise("fds_perte_seuil_general", period)  # A, 1°
            & entreprise("fds_activite_protegee_outre_mer", period)  # A, 2°
            & entreprise("fds_sans_contrat_temps_complet", period)  # A, 3°
            & entreprise("fds_activite_debutee_a_temps", period)  # A, 4°
            & entreprise("fds_sans_dette_impayee", period)  # V
        )


class fds_article_3_25_montant(Reel, Variable):
    value_type = float
    entity = Entreprise
    definition_period = MONTH
    end = "2021-02-28"
    unit = "currency-EUR"
    label = "Aide de février 2021 outre-mer, avant déduction de l'aide de l'article 3-22"
    reference = f"{DECRET}, art. 3-25, I, B, C et D"

    def formula_2021_02(entreprise, period):
        aide = entreprise("fds_secteurs_assimiles_montant", period)
        apres_deduction = numpy.maximum(aide - entreprise("fds_pensions_et_indemnites", period), 0)
        return apres_deduction * entreprise("fds_article_3_25_eligible", period)
