"""Money without loss and thresholds without doubt: float64 from the file to the JSON, rates compared on integers."""

import json

import numpy
import pytest
from openfisca_core.model_api import MONTH, Variable
from openfisca_core.reforms import Reform
from openfisca_core.simulation_builder import SimulationBuilder
from openfisca_web_api.app import create_app
from properties.population import simuler, tirer

from openfisca_fds import CountryTaxBenefitSystem
from openfisca_fds.amounts import Reel, au_moins, en_centimes
from openfisca_fds.entities import Entreprise

GRAND = 16_777_217.01  # neither the euro nor the cent fits in float32
SITUATION = {
    "entreprises": {
        "a": {"chiffre_affaires": {"2019-03": GRAND, "2020-03": 0.01}, "date_creation": {"ETERNITY": "2015-01-01"}},
        "b": {"chiffre_affaires": {"2019-03": GRAND, "2020-03": 0}, "effectif_salarie": {"2020-03": 0.25}},
    },
    "groupes": {"g": {"membres": ["a", "b"]}},
}
TAUX_LEGAUX = [10, 15, 20, 50, 70, 80]  # per cent


# ---- 16 777 217.01 euros everywhere ----


def test_le_centime_survit_a_l_entree_a_la_formule_et_a_la_somme(systeme):
    simulation = SimulationBuilder().build_from_entities(systeme, SITUATION)
    assert simulation.calculate("chiffre_affaires", "2019-03").tolist() == [GRAND, GRAND]
    assert simulation.calculate("chiffre_affaires_reference", "2020-03").tolist() == [GRAND, GRAND]
    assert simulation.calculate("perte_chiffre_affaires", "2020-03").tolist() == [GRAND - 0.01, GRAND]
    assert simulation.calculate("chiffre_affaires_dernier_exercice", "2020-03").tolist() == [GRAND, GRAND]
    assert simulation.calculate("fds_groupe_chiffre_affaires", "2020-03").tolist() == [2 * GRAND]


def test_le_centime_survit_a_un_tableau_sans_copie(systeme):
    tirage = tirer(1, 3).avec_mensuelle("chiffre_affaires", ["2021-02"], [GRAND, 300_000.01, 0.01])
    obtenu = simuler(systeme, tirage).calculate("chiffre_affaires", "2021-02")
    assert obtenu.dtype == numpy.float64
    assert obtenu.tolist() == [GRAND, 300_000.01, 0.01]


def test_le_centime_survit_au_json():
    client = create_app(CountryTaxBenefitSystem()).test_client()
    demande = json.loads(json.dumps(SITUATION))
    demande["entreprises"]["a"]["perte_chiffre_affaires"] = {"2020-03": None}
    demande["groupes"]["g"]["fds_groupe_chiffre_affaires"] = {"2020-03": None}
    reponse = client.post("/calculate", json=demande)
    assert reponse.status_code == 200
    corps = json.loads(reponse.data)
    assert corps["entreprises"]["a"]["chiffre_affaires"]["2019-03"] == GRAND
    assert corps["entreprises"]["a"]["perte_chiffre_affaires"]["2020-03"] == GRAND - 0.01
    assert corps["groupes"]["g"]["fds_groupe_chiffre_affaires"]["2020-03"] == 2 * GRAND
    assert f"{GRAND}" in reponse.get_data(as_text=True)


def test_une_annee_se_divise_sans_perdre_le_centime(systeme):
    annee = {"entreprises": {"a": {"chiffre_affaires": {"2019": 12 * GRAND}}}, "groupes": {"g": {"membres": ["a"]}}}
    simulation = SimulationBuilder().build_from_entities(systeme, annee)
    assert simulation.calculate("chiffre_affaires", "2019-07")[0] == pytest.approx(GRAND, abs=1e-8)
    somme = simulation.calculate("chiffre_affaires_dernier_exercice", "2020-03")[0]
    assert somme == pytest.approx(12 * GRAND, abs=1e-6)


# ---- every float of the system, and of a reform, is float64 ----


def reels_en_float32(systeme):
    """Names of the float variables that are not stored in float64."""
    return [v.name for v in systeme.variables.values() if v.value_type is float and v.dtype != numpy.float64]


def reforme(*bases):
    """Build a reform that replaces the monthly loss by a class deriving from ``bases``."""

    class perte_chiffre_affaires(*bases):
        value_type = float
        entity = Entreprise
        definition_period = MONTH
        label = "Perte doublée"

        def formula(entreprise, period):  # noqa: N805 -- the form of OpenFisca formulas
            return 2 * entreprise("chiffre_affaires", period)

    class perte_doublee(Reform):
        def apply(self):
            self.update_variable(perte_chiffre_affaires)

    return perte_doublee(CountryTaxBenefitSystem())


def test_tous_les_reels_sont_en_float64(systeme):
    assert reels_en_float32(systeme) == []


def test_les_reels_d_une_reforme_sont_en_float64():
    assert reels_en_float32(reforme(Reel, Variable)) == []


def test_une_reforme_qui_oublie_le_type_est_vue():
    assert reels_en_float32(reforme(Variable)) == ["perte_chiffre_affaires"]


# ---- legal rates ----


def exactement_au_seuil(pourcentage, nombre, graine):
    """Draw references (cents) and the losses (cents) that are exactly ``pourcentage`` of them.

    References are multiples of the smallest step for which the loss is a whole cent, from 1 cent to 20 million euros.
    """
    pas = 100 // numpy.gcd(100, pourcentage)
    grandeur = numpy.exp(numpy.random.default_rng(graine).uniform(0, numpy.log(2e9 / pas), nombre)).astype(numpy.int64)
    reference = pas * numpy.maximum(grandeur, 1)
    perte, reste = numpy.divmod(reference * pourcentage, 100)
    assert (reste == 0).all()
    return reference, perte


@pytest.mark.parametrize("pourcentage", TAUX_LEGAUX)
def test_dix_mille_entreprises_au_seuil_un_centime_dessous_et_dessus(pourcentage):
    """As an enterprise declares it: two turnovers in euros, whose difference is the loss."""
    reference, au_seuil = exactement_au_seuil(pourcentage, 10_000, pourcentage)
    for ecart, attendu in ((-1, False), (0, True), (1, True)):
        realise = (reference - au_seuil - ecart) / 100
        obtenu = au_moins(reference / 100 - realise, reference / 100, pourcentage / 100)
        assert (obtenu == attendu).all(), (pourcentage, ecart, int((obtenu != attendu).sum()))


@pytest.mark.parametrize("pourcentage", TAUX_LEGAUX)
def test_au_hasard_contre_l_arithmetique_entiere(pourcentage):
    alea = numpy.random.default_rng(100 + pourcentage)
    reference = alea.integers(1, 2_000_000_000, 10_000)
    realise = alea.integers(0, reference + 1)
    attendu = [(r - c) * 100 >= pourcentage * r for r, c in zip(reference.tolist(), realise.tolist(), strict=True)]
    obtenu = au_moins(reference / 100 - realise / 100, reference / 100, pourcentage / 100)
    assert obtenu.tolist() == attendu


def test_la_comparaison_naive_se_trompe():
    """Why the helper exists: the same draw, compared in float64, is wrong for some."""
    reference, perte = exactement_au_seuil(80, 10_000, 80)
    naive = reference / 100 - (reference - perte) / 100 >= 0.8 * (reference / 100)
    assert not naive.all()


# Condition, month, and rate of each rule of the law founded on a loss rate.
CONDITIONS = [
    ("fds_perte_seuil_general", "2020-03", 50),
    ("fds_perte_seuil_general", "2021-05", 50),
    ("fds_perte_seuil_fort", "2020-10", 70),
    ("fds_perte_seuil_fort", "2021-04", 70),
    ("fds_perte_seuil_fermeture", "2021-02", 20),
    ("fds_perte_seuil_secteurs", "2021-06", 10),
    ("fds_perte_seuil_secteurs", "2022-02", 10),
    ("fds_perte_sur_place_seuil_general", "2020-12", 50),
]


@pytest.mark.parametrize(("condition", "mois", "pourcentage"), CONDITIONS)
def test_les_conditions_du_droit_tombent_juste(systeme, condition, mois, pourcentage):
    reference, au_seuil = exactement_au_seuil(pourcentage, 2_000, 7)
    for ecart, attendu in ((-1, False), (0, True), (1, True)):
        obtenu = _condition(systeme, condition, mois, reference, reference - au_seuil - ecart)
        possible = (reference - au_seuil - ecart >= 0) & (au_seuil + ecart >= 0)
        assert (obtenu == attendu)[possible].all(), ecart


def test_l_activite_minimale_tombe_juste(systeme):
    """15 % of the reference, on the turnover itself: from September 2021 on."""
    reference, part = exactement_au_seuil(15, 2_000, 15)
    for ecart, attendu in ((-1, False), (0, True), (1, True)):
        obtenu = _condition(systeme, "fds_activite_minimale", "2021-09", reference, part + ecart)
        assert (obtenu == attendu).all(), ecart


def _condition(systeme, nom, mois, reference, realise):
    """Compute a condition for enterprises whose 2019 is flat; ``reference`` and ``realise`` in cents."""
    tirage = tirer(4, len(reference)).avec(
        date_creation=numpy.datetime64("2015-01-01"),
        conge_dirigeant_mars_2019=False,
        option_chiffre_affaires_reference="mois_2019",
    )
    tirage = tirage.avec_mensuelle("chiffre_affaires", [f"2019-{m:02d}" for m in range(1, 13)], reference / 100)
    tirage = tirage.avec_mensuelle("chiffre_affaires", [mois], realise / 100)
    tirage = tirage.avec_mensuelle("chiffre_affaires_vente_a_distance", [mois], 0)
    return simuler(systeme, tirage).calculate(nom, mois)


def test_une_reference_nulle_ou_negative_ne_fonde_aucun_droit():
    references = numpy.array([0, -0.01, -1000])
    assert not au_moins(numpy.zeros(3), references, 0.5).any()
    assert not au_moins(numpy.full(3, 10.0), references, 0.0).any()


def test_les_centimes_s_arrondissent_au_pair():
    assert en_centimes([0.125, 0.375, -0.125, 16_777_217.01]).tolist() == [12, 38, -12, 1_677_721_701]
