"""What OpenFisca gets wrong without a word, shown absent: order of calls, partition, rank of codes, branches."""

import re
from itertools import pairwise

import numpy
import pytest
from openfisca_core.periods import ETERNITY
from openfisca_core.simulation_builder import SimulationBuilder
from properties.population import MOIS_DU_MODELE, simuler, tirer

MENSUELLES = ["fds_volet_1", "fonds_de_solidarite", "fds_aide_percue", "fds_depassement_plafond_europeen"]


@pytest.fixture(scope="module")
def tirage():
    return tirer(2020, 600)


@pytest.fixture(scope="module")
def chronologique(systeme, tirage):
    """Every monthly output of interest, from March 2020 to February 2022, in one simulation."""
    simulation = simuler(systeme, tirage)
    resultats = {(nom, mois): simulation.calculate(nom, mois) for mois in MOIS_DU_MODELE for nom in MENSUELLES}
    assert (resultats["fds_volet_1", "2022-02"] > 0).any()
    return resultats


def test_demandee_seule_et_en_premier(systeme, tirage, chronologique):
    for rang, mois in enumerate(MOIS_DU_MODELE):
        for nom in MENSUELLES if rang % 5 == 3 else MENSUELLES[:1]:
            seule = simuler(systeme, tirage).calculate(nom, mois)
            numpy.testing.assert_array_equal(seule, chronologique[nom, mois], err_msg=f"{nom} {mois}")


@pytest.mark.parametrize("graine", [1, 2])
def test_dans_n_importe_quel_ordre(systeme, tirage, chronologique, graine):
    demandes = list(chronologique)
    numpy.random.default_rng(graine).shuffle(demandes)
    simulation = simuler(systeme, tirage)
    for nom, mois in demandes:
        resultat = simulation.calculate(str(nom), str(mois))
        numpy.testing.assert_array_equal(resultat, chronologique[nom, mois], err_msg=f"{nom} {mois}")


def test_une_sortie_eternelle_ne_depend_pas_du_mois_demande(systeme, tirage):
    """Each simulation asks every ETERNITY variable for one month only, so that all they read is asked for it too."""
    eternelles = [v.name for v in systeme.variables.values() if v.definition_period == ETERNITY and v.formulas]
    assert set(ETERNELLES) <= set(eternelles)
    attendus = None
    for mois in ("2020-03", "2019-05", "2020-12", "2022-05"):
        for noms in (eternelles, eternelles[::-1]):
            simulation = simuler(systeme, tirage)
            obtenus = {nom: numpy.asarray(simulation.calculate(nom, mois)) for nom in noms}
            attendus = attendus or obtenus
            for nom in eternelles:
                numpy.testing.assert_array_equal(obtenus[nom], attendus[nom], err_msg=f"{nom} {mois}")


ETERNELLES = ["fds_volet_2", "fds_volet_territorial", "multi_activites_montant"]


def _resultats(systeme, tirage):
    simulation = simuler(systeme, tirage)
    mensuels = {(nom, mois): simulation.calculate(nom, mois) for nom in MENSUELLES for mois in MOIS_DU_MODELE}
    return mensuels | {(nom, None): simulation.calculate(nom, "2021-01") for nom in ETERNELLES}


def test_le_decoupage_en_blocs_ne_change_rien(systeme, tirage):
    """Blocks that keep groups whole. Only a group's share may differ, by the last bit of its sum."""
    entier = _resultats(systeme, tirage)
    coupes = [0, *(numpy.flatnonzero(numpy.diff(tirage.groupe)) + 1)[::70], len(tirage)]
    blocs = [_resultats(systeme, tirage.lignes(slice(debut, fin))) for debut, fin in pairwise(coupes) if debut < fin]
    assert len(blocs) > 4
    for cle, attendu in entier.items():
        numpy.testing.assert_array_equal(numpy.concatenate([bloc[cle] for bloc in blocs]), attendu, err_msg=str(cle))


def test_l_ordre_des_entreprises_ne_change_rien(systeme, tirage):
    """Shuffled rows: a group's sum may round its last bit otherwise, hence a tolerance of 1e-9 euro."""
    rangs = numpy.random.default_rng(7).permutation(len(tirage))
    entier, melange = _resultats(systeme, tirage), _resultats(systeme, tirage.lignes(rangs))
    for cle, attendu in entier.items():
        ecart = numpy.abs(melange[cle].astype(float) - attendu[rangs].astype(float)).max()
        assert ecart <= 1e-9, (cle, ecart)


# ---- exactly one branch of each table applies ----


def test_une_seule_tranche_de_creation_s_applique(systeme):
    """Day by day: the bracket is unique, never goes back, and is never beyond « sans référence »."""
    jours = numpy.arange(numpy.datetime64("2018-12-01"), numpy.datetime64("2021-03-10"))
    tirage = tirer(3, len(jours)).avec(date_creation=jours)
    for mois in MOIS_DU_MODELE:
        tranches = simuler(systeme, tirage).calculate("tranche_creation", mois)
        rangs = numpy.asarray(tranches, dtype=int)
        assert (numpy.diff(rangs) >= 0).all(), mois
        debuts = systeme.parameters(f"{mois}-01").fonds_de_solidarite.chiffre_affaires_reference.tranches
        dates = [(nom, debuts[nom]) for nom in debuts if debuts[nom] is not None]
        attendues = [_tranche_unique(str(jour), dates) for jour in jours]
        assert tranches.decode_to_str().tolist() == attendues, mois


def _tranche_unique(jour, dates):
    """Bracket of a creation date by intervals: [first day, next first day), each tried in turn."""
    bornes = sorted((debut, nom) for nom, debut in dates)
    bornes = [("0000-00-00", "ancienne"), *bornes, ("9999-99-99", None)]
    trouvees = [nom for (debut, nom), (fin, _) in pairwise(bornes) if debut <= jour < fin]
    assert len(trouvees) == 1, (jour, trouvees)
    return trouvees[0]


def _montants_d_option(systeme, taux_de_perte):
    """``fds_option_chiffre_affaires_montant`` / reference at exact loss rates, February 2021."""
    nombre = len(taux_de_perte)
    tirage = tirer(5, nombre).avec(date_creation=numpy.datetime64("2015-01-01"), conge_dirigeant_mars_2019=False)
    tirage = tirage.avec_mensuelle("chiffre_affaires", [f"2019-{m:02d}" for m in range(1, 13)], 20_000)
    tirage = tirage.avec_mensuelle("chiffre_affaires", ["2021-02"], 20_000 * (1 - numpy.array(taux_de_perte)))
    return simuler(systeme, tirage)


def test_les_deux_taux_de_l_option_s_excluent(systeme):
    simulation = _montants_d_option(systeme, [0.5, 0.6999, 0.7, 0.7001, 1])
    option = simulation.calculate("fds_option_chiffre_affaires_montant", "2021-02")
    numpy.testing.assert_allclose(option, [3000, 3000, 4000, 4000, 4000], rtol=0, atol=1e-9)


def test_les_trois_branches_de_la_part_de_la_perte_s_excluent(systeme):
    """Whole loss up to 1 500, then the floor of 1 500, then 80 % of it, then the ceiling of 10 000 euros."""
    pertes = [0, 1_499.99, 1_500, 1_500.01, 1_875, 1_875.02, 12_499, 12_500, 12_501, 20_000]
    attendus = [0, 1_499.99, 1_500, 1_500, 1_500, 1_500.016, 9_999.2, 10_000, 10_000, 10_000]
    simulation = _montants_d_option(systeme, [perte / 20_000 for perte in pertes])
    montant = simulation.calculate("fds_part_de_la_perte_montant", "2021-02")
    numpy.testing.assert_allclose(montant, attendus, rtol=0, atol=1e-6)


def test_un_seul_des_deux_baremes_du_volet_2_s_applique(systeme, tirage):
    simulation = simuler(systeme, tirage)
    montant = simulation.calculate("fds_volet_2", "2020-08")
    derogation = simulation.calculate("fds_volet_2_derogation", "2020-08")
    ouvert = simulation.calculate("fds_volet_2_eligible", "2020-08") & simulation.calculate(
        "demande_volet_2", "2020-08"
    )
    baremes = {vrai: simulation.calculate(f"fds_volet_2_montant_{nom}", "2020-08") for vrai, nom in BAREMES}
    for vrai, bareme in baremes.items():
        concernees = ouvert & (derogation == vrai)
        assert concernees.any()
        numpy.testing.assert_array_equal(montant[concernees], bareme[concernees])
    assert (montant[~ouvert] == 0).all()


BAREMES = [(True, "derogatoire"), (False, "general")]


def test_le_volet_1_paie_un_seul_article(systeme, tirage):
    """Before the group's ceiling, the amount is that of one article of the month, the largest, never a sum."""
    articles = [nom for nom in systeme.variables if re.fullmatch(r"fds_article_[\d_]+_montant", nom)]
    assert len(articles) == 25
    simulation = simuler(systeme, tirage)
    for mois in MOIS_DU_MODELE:
        montants = numpy.array([simulation.calculate(nom, mois) for nom in articles])
        numpy.testing.assert_array_equal(simulation.calculate("fds_volet_1_articles", mois), montants.max(axis=0))


# ---- départements: codes, never ranks ----


def _departement(systeme, valeur):
    situation = {"entreprises": {"a": {"departement": {"ETERNITY": valeur}}}, "groupes": {"g": {"membres": ["a"]}}}
    simulation = SimulationBuilder().build_from_entities(systeme, situation)
    return simulation.calculate("departement", "2020-03").decode_to_str()[0]


@pytest.mark.parametrize(
    ("valeur", "code"), [("75", "75"), (75, "75"), (1, "01"), ("01", "01"), ("2A", "2A"), (971, "971"), (9, "09")]
)
def test_un_departement_entier_est_lu_comme_un_code(systeme, valeur, code):
    assert _departement(systeme, valeur) == code


@pytest.mark.parametrize("valeur", [99, 0, -1, 20, 100, 75.0, 1.5, True, "1", "20", "", "Paris"])
def test_ce_qui_n_est_pas_un_code_est_refuse(systeme, valeur):
    with pytest.raises(Exception, match="code") as refus:
        _departement(systeme, valeur)
    assert not isinstance(refus.value, AssertionError)


@pytest.mark.parametrize("valeur", [5, 4771, "4771Z", True, 1.0])
def test_un_code_naf_n_est_jamais_un_rang(systeme, valeur):
    situation = {"entreprises": {"a": {"code_naf": {"ETERNITY": valeur}}}, "groupes": {"g": {"membres": ["a"]}}}
    with pytest.raises(Exception, match="code"):
        SimulationBuilder().build_from_entities(systeme, situation)
