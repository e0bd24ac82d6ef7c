"""Run the vectorised model and a scalar oracle on the same random groups, and list where they disagree."""

from __future__ import annotations

import datetime
import random

import numpy
from openfisca_core.indexed_enums import Enum
from openfisca_core.simulations import Simulation

TOLERANCE = 0.005  # half a cent


def simulation(systeme, groupes):
    """Build one simulation of all the groups, each row completed by the formulas where its case is silent.

    Args:
        systeme: tax and benefit system.
        groupes: list of groups, each a list of cases (dicts in the dictionary's terms).

    Returns:
        Simulation whose enterprises follow the order of the cases.
    """
    cas = [un_cas for groupe in groupes for un_cas in groupe]
    appartenance = numpy.repeat(numpy.arange(len(groupes)), [len(groupe) for groupe in groupes])
    valeurs = _par_variable_et_mois(cas)
    fournies = {cle: v for cle, v in valeurs.items() if not systeme.variables[cle[0]].is_input_variable()}
    directes = {cle: v for cle, v in valeurs.items() if cle not in fournies}
    for aide in (False, True):  # an earlier aid depends on every other input, so it is completed last
        base = _simulation(systeme, appartenance, len(groupes), directes)
        for cle, par_ligne in fournies.items():
            if (cle[0] == "fds_aide_percue") == aide:
                directes[cle] = _completer(base, cle, par_ligne, len(cas))
    return _simulation(systeme, appartenance, len(groupes), directes)


def _par_variable_et_mois(cas):
    valeurs = {}
    for ligne, un_cas in enumerate(cas):
        for nom, valeur in un_cas.items():
            for mois, v in valeur.items() if isinstance(valeur, dict) else [("ETERNITY", valeur)]:
                valeurs.setdefault((nom, mois), {})[ligne] = v
    return valeurs


def _completer(base, cle, par_ligne, nombre):
    nom, mois = cle
    if len(par_ligne) == nombre:
        return par_ligne
    calcul = base.calculate(nom, "2020-03" if mois == "ETERNITY" else mois)
    return {ligne: par_ligne.get(ligne, calcul[ligne]) for ligne in range(nombre)}


def _simulation(systeme, appartenance, nombre_groupes, valeurs):
    populations = systeme.instantiate_entities()
    entreprise, groupe = populations["entreprise"], populations["groupe"]
    entreprise.count, entreprise.ids = len(appartenance), numpy.arange(len(appartenance))
    groupe.members_entity_id = appartenance
    groupe.count, groupe.ids = nombre_groupes, numpy.arange(nombre_groupes)
    resultat = Simulation(systeme, populations)
    for (nom, mois), par_ligne in valeurs.items():
        variable = systeme.variables[nom]
        if variable.entity.key != "entreprise":
            raise ValueError(f"{nom} n'est pas une variable d'entreprise")
        resultat.set_input(nom, mois, _tableau(variable, par_ligne, len(appartenance)))
    return resultat


def _tableau(variable, par_ligne, nombre):
    lignes = numpy.fromiter(par_ligne, dtype=numpy.int64)
    if variable.value_type is Enum:
        tableau = numpy.full(nombre, variable.default_value.name, dtype=variable.possible_values.names.dtype)
    else:
        tableau = numpy.array(variable.default_array(nombre))
    brut = list(par_ligne.values())
    if variable.value_type is datetime.date:
        brut = numpy.array([numpy.datetime64(str(v), "D") for v in brut])
    tableau[lignes] = brut
    return tableau


def desaccords(systeme, tirer, evaluer, mois, nombre, graine, periode=None):
    """Compare every output of the oracle with the model.

    Args:
        systeme: tax and benefit system.
        tirer: function (rng, month) -> list of cases.
        evaluer: function (group) -> list of dicts of outputs.
        mois: month of the drawing, and period asked of the model unless ``periode`` is given.
        nombre: number of groups.
        graine: seed.
        periode: month asked of the model, for the aids due once.

    Returns:
        list of (output, group index, member index, model, oracle, case).
    """
    rng = random.Random(f"{graine}-{mois}")
    groupes = [tirer(rng, mois) for _ in range(nombre)]
    attendus = [evaluer(groupe) for groupe in groupes]
    modele = simulation(systeme, groupes)
    plat = [(i, j) for i, groupe in enumerate(groupes) for j in range(len(groupe))]
    ecarts = []
    for nom in attendus[0][0]:
        calcule = modele.calculate(nom, periode or mois)
        attendu = numpy.array([float(attendus[i][j][nom]) for i, j in plat])
        for k in numpy.flatnonzero(numpy.abs(calcule.astype(float) - attendu) > TOLERANCE):
            i, j = plat[k]
            ecarts.append((nom, i, j, calcule[k].item(), attendu[k].item(), groupes[i]))
    return ecarts
