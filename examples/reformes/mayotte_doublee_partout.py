"""Mayotte doublée partout : à Mayotte, toute limite de 1 500 € devient 3 000 €, de mars 2020 à février 2022.

A reform of structure, in Python: most limits have no value of their own for Mayotte, so that no file of parameters can
write it. Each formula that reads one of them is computed twice, with the limits of the law and with limits of 3 000 €.
"""

import copy
from functools import cache

import numpy
from openfisca_core.reforms import Reform

from openfisca_fds.codes import appartient

LIMITE, DOUBLEE = 1500, 3000  # euros
FORMULES = {  # variable -> limits of 1 500 € that its formulas read
    "fds_aide_tres_petites_entreprises": ["tres_petites_entreprises.plafond_aide"],
    "fds_discotheque_volet_1": ["volet_2.discotheques.plafond_guyane_mayotte"],
    "fds_petite_perte_montant": ["pertes_indemnisees.plafond_petite_perte"],
    "fds_regime_autres_entreprises_montant": ["secteurs_proteges.autres_entreprises.plafond_mayotte"],
    "fds_fermeture_partielle_montant": ["fermeture.plafond_perte_faible"],
    "fds_confinement_montant": ["depuis_juin_2021.confinement.plafond"],
    "fds_complement_aide_exacte": ["volet_1.complement_2021_1582.montant_de_base"],
    "fds_complement_avant_plafond": ["volet_1.complement_2021_1582.montant_de_base"],
}


class MayotteDoubleePartout(Reform):
    """À Mayotte, toute limite de 1 500 € devient 3 000 €."""

    name = "Mayotte doublée partout"

    def apply(self):
        """Replace each formula by itself, computed with both sets of limits."""
        doubles = copy.deepcopy(self.parameters)
        for chemin in {chemin for chemins in FORMULES.values() for chemin in chemins}:
            parametre = doubles.fonds_de_solidarite
            for cle in chemin.split("."):
                parametre = parametre.children[cle]
            for datee in parametre.values_list:
                datee.value = DOUBLEE if datee.value == LIMITE else datee.value
        for nom in FORMULES:
            variable = copy.copy(self.get_variable(nom, check_existence=True))
            variable.formulas = copy.copy(variable.formulas)
            for date, formule in variable.formulas.items():
                if formule.__code__.co_argcount == 3:  # with two arguments, it reads no parameter
                    variable.formulas[date] = _a_mayotte(formule, cache(doubles.get_at_instant))
            self.variables[nom] = variable


def _a_mayotte(formule, parametres_doubles):
    """Give, in Mayotte, what a formula gives with other parameters."""

    def formule_doublee(entreprise, period, parameters):
        """Compute what the law gives, and in Mayotte what the other parameters give."""
        mayotte = appartient(
            entreprise("departement", period), parameters(period).fonds_de_solidarite.territoires.mayotte
        )
        droit = formule(entreprise, period, parameters)
        return numpy.where(mayotte, formule(entreprise, period, parametres_doubles), droit)

    return formule_doublee
