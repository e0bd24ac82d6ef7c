"""No variable reads itself at another month, even through others: OpenFisca would answer wrongly without a word.

Two checks. The graph of what was really read, for every variable and month of a large draw, holds no path from a
variable to itself; and a simulation that refuses any such reading computes each main output alone and first.
"""

import numpy
import pytest
from openfisca_core.model_api import MONTH, Variable
from openfisca_core.reforms import Reform
from openfisca_core.simulations import Simulation
from properties.population import MOIS_DU_MODELE, simuler, tirer

from openfisca_fds.entities import Entreprise

CHAQUE_MOIS = ["fonds_de_solidarite"]
QUELQUES_MOIS = ["fds_aide_percue", "fds_volet_territorial", "fds_sous_plafond_europeen", "multi_activites_montant"]


class RelectureError(Exception):
    """A variable that reads itself at another month."""


class SimulationStricte(Simulation):
    """Simulation that raises where openfisca-core gives the default value without a word."""

    def _check_for_cycle(self, variable, period):
        if any(appel["name"] == variable for appel in self.tracer.stack[:-1]):
            raise RelectureError(" > ".join(f"{appel['name']}@{appel['period']}" for appel in self.tracer.stack))


def simuler_strictement(systeme, tirage):
    simulation = simuler(systeme, tirage)
    simulation.__class__ = SimulationStricte
    return simulation


def lectures(systeme, tirage, mois):
    """Return the graph of readings of a draw: {(variable, period): set of (variable, period)}."""
    simulation = simuler(systeme, tirage, trace=True)
    simulation.max_spiral_loops = 1000  # so that nothing is cut
    for un_mois in mois:
        for variable in systeme.variables.values():
            simulation.calculate(variable.name, un_mois)
    graphe = {}
    attente = list(simulation.tracer.trees)
    while attente:
        noeud = attente.pop()
        graphe.setdefault((noeud.name, str(noeud.period)), set()).update(
            (fils.name, str(fils.period)) for fils in noeud.children
        )
        attente.extend(noeud.children)
    return graphe


def relectures(graphe):
    """List the paths (text) from a variable at a period to the same variable, at any period; the shortest of each."""
    fautes = {}
    for depart in graphe:
        chemins, file = {depart: None}, [depart]
        for noeud in file:
            for suivant in sorted(graphe.get(noeud, ())):
                if suivant[0] == depart[0]:
                    fautes.setdefault(depart[0], _chemin(chemins, noeud) + [suivant])
                elif suivant not in chemins:
                    chemins[suivant] = noeud
                    file.append(suivant)
    return [" > ".join(f"{nom}@{periode}" for nom, periode in chemin) for chemin in fautes.values()]


def _chemin(chemins, noeud):
    chemin = []
    while noeud is not None:
        chemin.insert(0, noeud)
        noeud = chemins[noeud]
    return chemin


@pytest.fixture(scope="module")
def tirage():
    return tirer(11, 500)


def test_aucune_variable_ne_se_relit_a_un_autre_mois(systeme, tirage):
    graphe = lectures(systeme, tirage, MOIS_DU_MODELE)
    assert len(graphe) > 3000
    assert relectures(graphe) == []


def test_les_sorties_se_calculent_seules_et_en_premier_sous_surveillance(systeme):
    petit = tirer(12, 40)
    for rang, mois in enumerate(MOIS_DU_MODELE):
        for nom in CHAQUE_MOIS + (QUELQUES_MOIS if rang % 8 == 7 else []):
            simuler_strictement(systeme, petit).calculate(nom, mois)


# ---- the checks themselves, broken on purpose ----


class aide_de_mars_relue(Reform):
    """A total that reads itself a month before, through another variable."""

    def apply(self):
        class relecture_indirecte(Variable):
            value_type = float
            entity = Entreprise
            definition_period = MONTH
            label = "Lit le total du mois précédent"

            def formula(entreprise, period):  # noqa: N805 -- the form of OpenFisca formulas
                return entreprise("relecture", period.last_month)

        class relecture(Variable):
            value_type = float
            entity = Entreprise
            definition_period = MONTH
            label = "Se relit à travers une autre"

            def formula_2020_04(entreprise, period):  # noqa: N805 -- the form of OpenFisca formulas
                return entreprise("relecture_indirecte", period) + 1

        self.add_variable(relecture_indirecte)
        self.add_variable(relecture)


@pytest.fixture(scope="module")
def systeme_casse():
    from openfisca_fds import CountryTaxBenefitSystem

    return aide_de_mars_relue(CountryTaxBenefitSystem())


def test_le_graphe_voit_une_relecture_indirecte(systeme_casse, tirage):
    graphe = lectures(systeme_casse, tirage.lignes(numpy.arange(5)), ["2020-05"])
    assert any("relecture@2020-05 > relecture_indirecte@2020-05 > relecture@2020-04" in f for f in relectures(graphe))


def test_la_simulation_stricte_refuse_une_relecture(systeme_casse, tirage):
    simulation = simuler_strictement(systeme_casse, tirage.lignes(numpy.arange(5)))
    with pytest.raises(RelectureError, match="relecture@2020-05 > relecture_indirecte@2020-05 > relecture@2020-04"):
        simulation.calculate("relecture", "2020-05")
