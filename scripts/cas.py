"""The YAML cases of the project in one simulation: read and compared by the collector's own functions.

Enterprises do not depend on one another outside their group, so that thousands of cases cost hardly more than one: each
case is a slice of rows of a single simulation, and is green there as it is alone.
"""

import importlib.util
import sys
from collections import defaultdict
from pathlib import Path
from types import SimpleNamespace

import numpy
from openfisca_core.indexed_enums import Enum, EnumArray
from openfisca_core.parameters import Parameter

RACINE = Path(__file__).resolve().parents[1]
TESTS = RACINE / "tests"


def _charger_le_collecteur():
    """Import ``tests/conftest.py``, whose functions read and compare the cases."""
    sys.path[:0] = [str(RACINE), str(TESTS)]
    spec = importlib.util.spec_from_file_location("collecteur", TESTS / "conftest.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


COLLECTEUR = _charger_le_collecteur()
SYSTEME = COLLECTEUR.systeme_reforme((), ())
SIMULATION = type(COLLECTEUR.construire(SYSTEME, {"entreprises": {"a": {}}}))
PARAMETRES = {
    feuille.name: feuille for feuille in SYSTEME.parameters.get_descendants() if isinstance(feuille, Parameter)
}


class CasNu:
    """A YAML case without pytest: the reading and the comparison are the collector's own."""

    _incorrect = COLLECTEUR.Cas._incorrect
    _attentes = COLLECTEUR.Cas._attentes
    _d_une_instance = COLLECTEUR.Cas._d_une_instance
    _par_periode = COLLECTEUR.Cas._par_periode
    _periode = COLLECTEUR.Cas._periode
    _ecart = COLLECTEUR.Cas._ecart
    _marge = COLLECTEUR.Cas._marge
    _marge_du_fichier = COLLECTEUR.Cas._marge_du_fichier

    def __init__(self, chemin, cas, ligne):
        self.cas, self.chemin = cas, chemin
        self.place = COLLECTEUR.Place((), str(chemin), ligne)
        self.systeme = SYSTEME
        self.nom = f"{chemin.relative_to(TESTS)}:{ligne}"
        self.simulation = COLLECTEUR.construire(SYSTEME, cas.get("input") or {}, cas.get("period"))
        self.attentes = list(self._attentes())

    def entrees(self):
        """Yield (variable, period, rows, values) of what the case gives, as stored by openfisca-core."""
        for population in self.simulation.populations.values():
            for nom, detenteur in population._holders.items():
                for periode in detenteur.get_known_periods():
                    yield nom, periode, numpy.arange(population.count), numpy.asarray(detenteur.get_array(periode))
        for (nom, periode), (rangs, valeurs) in self.simulation._donnees.items():
            yield nom, periode, rangs, valeurs


def charger_les_cas(dossier=TESTS):
    """List the cases below a folder, those under a reform or an extension excepted."""
    cas = []
    for chemin in sorted(dossier.rglob("*.yaml")):
        if "donnees" in chemin.parts:
            continue
        contenu = COLLECTEUR.lire_yaml(chemin)
        contenu = contenu if isinstance(contenu, list) else [contenu]
        lignes = getattr(contenu, "lignes", {})
        cas += [
            CasNu(chemin, un_cas, lignes.get(rang, 1))
            for rang, un_cas in enumerate(contenu)
            if not un_cas.get("reforms") and not un_cas.get("extensions")
        ]
    return cas


class Banc:
    """Every case as a slice of one simulation.

    Attributes:
        cas: list of :class:`CasNu`.
        tranches: for each case, {key of an entity: slice of its rows}.

    """

    def __init__(self, cas):
        self.cas, self.tranches = cas, []
        self.appartenances, self.roles = defaultdict(list), defaultdict(list)
        effectifs, entrees = defaultdict(int), defaultdict(list)
        for un_cas in cas:
            populations = un_cas.simulation.populations
            debuts = {cle: effectifs[cle] for cle in populations}
            self.tranches.append({cle: slice(debut, debut + populations[cle].count) for cle, debut in debuts.items()})
            for cle, population in populations.items():
                effectifs[cle] += population.count
                if not population.entity.is_person:
                    self.appartenances[cle].append(population.members_entity_id + debuts[cle])
                    self.roles[cle].append(population.members_role)
            for nom, periode, rangs, valeurs in un_cas.entrees():
                entrees[nom, periode].append((rangs + debuts[SYSTEME.get_variable(nom).entity.key], valeurs))
            un_cas.simulation = None
        self.effectifs = dict(effectifs)
        self.entrees = {
            cle: (numpy.concatenate([rangs for rangs, _ in morceaux]), numpy.concatenate([v for _, v in morceaux]))
            for cle, morceaux in entrees.items()
        }

    def simuler(self, trace=False):
        """Build a fresh simulation of all the cases."""
        populations = SYSTEME.instantiate_entities()
        for cle, population in populations.items():
            population.count, population.ids = self.effectifs[cle], list(range(self.effectifs[cle]))
            if not population.entity.is_person:
                population.members_entity_id = numpy.concatenate(self.appartenances[cle])
                population.members_role = numpy.concatenate(self.roles[cle])
        simulation = SIMULATION(SYSTEME, populations)
        simulation.trace = trace
        for (nom, periode), (rangs, valeurs) in self.entrees.items():
            self._donner(simulation, nom, periode, rangs, valeurs)
        return simulation

    def _donner(self, simulation, nom, periode, rangs, valeurs):
        variable = SYSTEME.get_variable(nom)
        if variable.formulas:
            simulation._donnees[nom, periode] = rangs, valeurs
            return
        tableau = numpy.array(variable.default_array(simulation.get_variable_population(nom).count))
        tableau[rangs] = valeurs
        simulation.set_input(
            nom, periode, EnumArray(tableau, variable.possible_values) if variable.value_type is Enum else tableau
        )

    def ecarts(self, rang, simulation, attentes=None):
        """Yield the differences of one case, read in its rows of a simulation of all."""
        cas, tranches = self.cas[rang], self.tranches[rang]

        def calculer(nom, periode):
            return simulation.calculate(nom, periode)[tranches[SYSTEME.get_variable(nom).entity.key]]

        cas.simulation = SimpleNamespace(calculate=calculer)
        for attente in cas.attentes if attentes is None else attentes:
            if ecart := cas._ecart(*attente):
                yield ecart

    def verifier(self):
        """Run the sound law under trace.

        Returns:
            The simulation, every case green.

        Raises:
            SystemExit: a case is red.

        """
        simulation = self.simuler(trace=True)
        for rang, cas in enumerate(self.cas):
            if rouges := list(self.ecarts(rang, simulation)):
                raise SystemExit(f"{cas.nom} est rouge avant toute mutation :\n" + "\n".join(rouges))
        return simulation


class Lectures:
    """What was read, from the trace of a simulation where each variable was computed once.

    Attributes:
        fils: {(variable, period): set of (variable, period) that it reads}.
        parametres: {(variable, period): set of (parameter, instant)}.

    """

    def __init__(self, simulation):
        self.fils, self.parametres = defaultdict(set), defaultdict(set)
        self._atteintes = {}
        attente = list(simulation.tracer.trees)
        while attente:
            noeud = attente.pop()
            cle = cle_de_calcul(noeud.name, noeud.period)
            self.fils[cle].update(cle_de_calcul(fils.name, fils.period) for fils in noeud.children)
            self.parametres[cle].update((lu.name, str(lu.period)) for lu in noeud.parameters)
            attente.extend(noeud.children)

    def atteintes(self, nom, periode):
        """Everything that a variable reads for a period, itself included, directly or not."""
        depart = cle_de_calcul(nom, periode)
        if depart not in self._atteintes:
            vues, file = {depart}, [depart]
            for cle in file:
                nouvelles = self.fils[cle] - vues
                vues |= nouvelles
                file.extend(nouvelles)
            self._atteintes[depart] = vues
        return self._atteintes[depart]


def cle_de_calcul(nom, periode):
    """Variable and period of a calculation; an ETERNITY variable is computed once, whatever month asks for it."""
    eternelle = SYSTEME.get_variable(nom).definition_period == "eternity"
    return nom, None if eternelle else str(periode)[:7]


def cle_de_formule(nom, periode):
    """Name of a variable and date of the formula that computes it for a month (None: ETERNITY)."""
    formules = SYSTEME.get_variable(nom).formulas
    if periode is None:
        return nom, next(iter(formules), None)
    return nom, next((date for date in reversed(formules) if date[:7] <= periode), None)


def valeur_en_vigueur(nom, instant):
    """Dated value of a parameter at an instant, or None before the first."""
    return next((valeur for valeur in PARAMETRES[nom].values_list if valeur.instant_str <= instant), None)
