"""What holds whatever the enterprises: bounds, monotonicity, ceilings, indifference to order and to strangers.

Each example is a draw of hundreds of enterprises lying on the thresholds. Limits are those of the texts, written here
again (fiches 01 to 04) and not read from the parameters.
"""

import re

import numpy
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from properties.population import MOIS_DU_MODELE, Tirage, simuler, tirer

GRAINES = st.integers(0, 10_000)
MOIS = st.sampled_from(MOIS_DU_MODELE)
DEPUIS_LE_PLAFOND_DU_GROUPE = MOIS_DU_MODELE[MOIS_DU_MODELE.index("2020-12") :]
PLAFOND_DU_GROUPE = 200_000
TOLERANCE = 1e-6  # euro

# No shrinking: an example is a seed, no seed is simpler than another, and each costs a simulation.
PHASES = (Phase.explicit, Phase.generate)
quelques = settings(max_examples=6, deadline=None, derandomize=True, database=None, phases=PHASES)
peu = settings(max_examples=2, deadline=None, derandomize=True, database=None, phases=PHASES)

# Largest amount of each article, in euros: (fixed limit, share of the reference turnover open as an alternative).
LIMITES = {
    "2": (1_500, 0),
    "3_1": (1_500, 0),
    "3_3": (1_500, 0),
    "3_5": (1_500, 0),
    "3_7": (3_000, 0),
    "3_8": (1_500, 0),
    "3_11": (10_000, 0),
    "3_12": (10_000, 0),
    "3_14": (10_000, 0),
    "3_15": (10_000, 0.20),
    "3_16": (10_000, 0),
    "3_17": (10_000, 0.20),
    "3_18": (10_000, 0.20),
    "3_19": (10_000, 0.20),
    "3_21": (10_000, 0),
    "3_22": (10_000, 0.20),
    "3_23": (3_000, 0),
    "3_24": (10_000, 0.20),
    "3_25": (10_000, 0.20),
    "3_26": (10_000, 0.20),
    "3_27": (10_000, 0.20),
    "3_28": (1_500, 0.20),
    "3_29": (10_000, 0.20),
    "3_30": (1_500, 0.20),
}
PAR_JOUR = 333  # article 3-10
PART_MAXIMALE_DE_3_12 = 0.60


def articles(systeme):
    return sorted(
        trouve[1] for nom in systeme.variables if (trouve := re.fullmatch(r"fds_article_([\d_]+)_montant", nom))
    )


def conditions(systeme, simulation, mois):
    """Every boolean variable of the model for a month: array of shape (number of variables, n)."""
    noms = [v.name for v in systeme.variables.values() if v.value_type is bool and v.entity.is_person]
    return numpy.array([simulation.calculate(nom, mois) for nom in noms])


# ---- bounds ----


@peu
@given(graine=GRAINES)
def test_aucun_montant_n_est_negatif_ni_infini(systeme, graine):
    simulation = simuler(systeme, tirer(graine, 400))
    for mois in MOIS_DU_MODELE:
        for variable in systeme.variables.values():
            if variable.value_type is float and variable.formulas:
                valeurs = simulation.calculate(variable.name, mois)
                assert numpy.isfinite(valeurs).all(), (variable.name, mois)
                assert (valeurs >= 0).all(), (variable.name, mois)


@peu
@given(graine=GRAINES)
def test_aucun_article_ne_depasse_sa_limite(systeme, graine):
    assert set(articles(systeme)) == set(LIMITES) | {"3_10"}
    simulation = simuler(systeme, tirer(graine, 400))
    for mois in MOIS_DU_MODELE:
        reference = simulation.calculate("chiffre_affaires_reference", mois)
        reference = numpy.maximum(reference, simulation.calculate("fds_article_3_23_chiffre_affaires_reference", mois))
        for article, (limite, part) in LIMITES.items():
            montant = simulation.calculate(f"fds_article_{article}_montant", mois)
            assert (montant <= numpy.maximum(limite, part * reference) + TOLERANCE).all(), (article, mois)
        jours = simulation.calculate("jours_interdiction_accueil_public", mois)
        assert (simulation.calculate("fds_article_3_10_montant", mois) <= PAR_JOUR * jours).all(), mois
        hors_couvre_feu = simulation.calculate("fds_article_3_12_montant", mois)
        assert (hors_couvre_feu <= numpy.maximum(1_500, PART_MAXIMALE_DE_3_12 * reference) + TOLERANCE).all(), mois


@peu
@given(graine=GRAINES)
def test_l_aide_ne_depasse_la_perte_que_si_le_texte_le_permet(systeme, graine):
    """Up to September 2020, and for what is a share of the loss, no aid exceeds the loss."""
    simulation = simuler(systeme, tirer(graine, 400))
    for mois in MOIS_DU_MODELE[:6]:
        perte = simulation.calculate("perte_chiffre_affaires", mois)
        assert (simulation.calculate("fds_volet_1", mois) <= perte + TOLERANCE).all(), mois
    for mois in MOIS_DU_MODELE:
        perte = simulation.calculate("perte_chiffre_affaires", mois)
        for nom in ("fds_part_de_la_perte_montant", "fds_petite_perte_montant", "fds_secteurs_montant"):
            assert (simulation.calculate(nom, mois) <= perte + TOLERANCE).all(), (nom, mois)


@quelques
@given(graine=GRAINES, mois=MOIS)
def test_sans_condition_pas_de_montant(systeme, graine, mois):
    simulation = simuler(systeme, tirer(graine, 400))
    for article in articles(systeme):
        eligible = simulation.calculate(f"fds_article_{article}_eligible", mois)
        assert not simulation.calculate(f"fds_article_{article}_montant", mois)[~eligible].any(), article
    sans_demande = ~simulation.calculate("demande_fonds_solidarite", mois)
    assert sans_demande.any()
    assert not simulation.calculate("fonds_de_solidarite", mois)[sans_demande].any()
    assert not simulation.calculate("fds_aide_percue", mois)[sans_demande].any()


@quelques
@given(graine=GRAINES, mois=MOIS)
def test_hors_du_champ_rien_n_est_du(systeme, graine, mois):
    for exclusion in ({"residence_fiscale_francaise": False}, {"liquidation_judiciaire_au_1er_mars_2020": True}):
        simulation = simuler(systeme, tirer(graine, 200).avec(**exclusion))
        for nom in ("fonds_de_solidarite", "fds_volet_2", "fds_volet_territorial", "multi_activites_montant"):
            assert not simulation.calculate(nom, mois).any(), (nom, exclusion)


@peu
@given(graine=GRAINES)
def test_les_aides_uniques_tiennent_dans_leurs_bornes(systeme, graine):
    """Volet 2: nothing, or 2 000 to 10 000 euros; multi-activités: 8 000; discothèques: 45 000 and the charges."""
    simulation = simuler(systeme, tirer(graine, 600))
    volet_2 = simulation.calculate("fds_volet_2", "2020-08")
    assert ((volet_2 == 0) | ((volet_2 >= 2_000) & (volet_2 <= 10_000))).all()
    assert (volet_2 > 0).any()
    assert (simulation.calculate("multi_activites_montant", "2021-01") <= 8_000).all()
    perte = simulation.calculate("multi_activites_perte", "2021-01")
    assert (simulation.calculate("multi_activites_montant", "2021-01") <= 0.8 * perte + TOLERANCE).all()
    assert (simulation.calculate("fds_discotheque_volet_2_mars_aout_2020", "2020-08") <= 45_000).all()
    charges = simulation.calculate("discotheque_charges_fixes_septembre_novembre_2020", "2020-08")
    assert (simulation.calculate("fds_discotheque_volet_2_septembre_novembre_2020", "2020-08") <= charges).all()


# ---- monotonicity ----


@quelques
@given(graine=GRAINES, mois=MOIS, baisse=st.floats(0.001, 0.2))
def test_une_perte_plus_grande_ne_baisse_pas_l_aide_d_un_meme_regime(systeme, graine, mois, baisse):
    """Same enterprises, lower turnover: where every condition of the model stays the same, no article pays less."""
    tirage = tirer(graine, 600)
    realise = tirage.entrees["chiffre_affaires", mois]
    moindre = numpy.maximum(realise * (1 - baisse), tirage.entrees["chiffre_affaires_vente_a_distance", mois])
    avant, apres = (
        simuler(systeme, tirage.avec_mensuelle("chiffre_affaires", [mois], ca)) for ca in (realise, moindre)
    )
    memes = (conditions(systeme, avant, mois) == conditions(systeme, apres, mois)).all(axis=0)
    references = [s.calculate("chiffre_affaires_reference", mois) for s in (avant, apres)]
    memes &= references[0] == references[1]  # the latest creations refer to the month itself
    assert memes.sum() > 100
    for article in articles(systeme):
        nom = f"fds_article_{article}_montant"
        ecart = apres.calculate(nom, mois) - avant.calculate(nom, mois)
        assert (ecart[memes] >= -TOLERANCE).all(), nom
    perte = apres.calculate("perte_chiffre_affaires", mois) - avant.calculate("perte_chiffre_affaires", mois)
    assert (perte[memes] >= -TOLERANCE).all()


@quelques
@given(graine=GRAINES, mois=MOIS, pension=st.floats(0.01, 2_000))
def test_une_pension_ne_hausse_jamais_l_aide(systeme, graine, mois, pension):
    """And lowers it by no more than itself, where the conditions stay the same."""
    tirage = tirer(graine, 400).avec_mensuelle("pensions_retraite", [mois], 0)
    sans = simuler(systeme, tirage)
    avec = simuler(systeme, tirage.avec_mensuelle("pensions_retraite", [mois], pension))
    memes = (conditions(systeme, sans, mois) == conditions(systeme, avec, mois)).all(axis=0)
    for article in articles(systeme):
        nom = f"fds_article_{article}_montant"
        baisse = sans.calculate(nom, mois) - avec.calculate(nom, mois)
        assert (baisse >= 0).all(), nom
        assert (baisse[memes] <= pension + TOLERANCE).all(), nom


# ---- ceiling of the group ----


@quelques
@given(graine=GRAINES, mois=st.sampled_from(DEPUIS_LE_PLAFOND_DU_GROUPE), taille=st.integers(2, 60))
def test_le_groupe_ne_depasse_pas_200_000_euros(systeme, graine, mois, taille):
    """Large groups of enterprises whose turnover is multiplied; shared in proportion, and never more than one's own."""
    tirage = tirer(graine, 400, taille_groupe=taille)
    entrees = {cle: v * 30 if cle[0].startswith("chiffre_affaires") else v for cle, v in tirage.entrees.items()}
    simulation = simuler(systeme, Tirage(entrees, tirage.groupe))
    _, rang = numpy.unique(tirage.groupe, return_inverse=True)
    avant, apres = (simulation.calculate(nom, mois) for nom in ("fds_volet_1_avant_plafond", "fds_volet_1"))
    totaux = [numpy.bincount(rang, weights=montants) for montants in (avant, apres)]
    assert (totaux[1] <= PLAFOND_DU_GROUPE + TOLERANCE).all()
    numpy.testing.assert_allclose(totaux[1], numpy.minimum(totaux[0], PLAFOND_DU_GROUPE), atol=TOLERANCE)
    facteur = numpy.where(totaux[0] > PLAFOND_DU_GROUPE, PLAFOND_DU_GROUPE / numpy.maximum(totaux[0], 1), 1)
    numpy.testing.assert_allclose(apres, avant * facteur[rang], atol=TOLERANCE)
    complement = numpy.bincount(rang, weights=simulation.calculate("fds_complement_2021_1582", mois))
    assert (complement <= PLAFOND_DU_GROUPE + TOLERANCE).all()


def test_le_tirage_atteint_le_plafond_du_groupe(systeme):
    """The property above is not idle: the same draws exceed the ceiling for some groups."""
    tirage = tirer(1, 400, taille_groupe=20)
    entrees = {cle: v * 30 if cle[0].startswith("chiffre_affaires") else v for cle, v in tirage.entrees.items()}
    simulation = simuler(systeme, Tirage(entrees, tirage.groupe))
    for mois in ("2020-12", "2021-03", "2021-08", "2022-01"):
        assert (simulation.calculate("fds_groupe_volet_1_avant_plafond", mois) > PLAFOND_DU_GROUPE).sum() > 2, mois


# ---- strangers and order ----


def _aides(systeme, tirage, mois):
    simulation = simuler(systeme, tirage)
    noms = ["fonds_de_solidarite", "fds_volet_1", "fds_aide_percue", "fds_volet_2", "multi_activites_montant"]
    noms += [f"fds_article_{article}_eligible" for article in articles(systeme)]
    return numpy.array([simulation.calculate(nom, mois).astype(float) for nom in noms])


@quelques
@given(graine=GRAINES, mois=MOIS, alea=st.randoms(use_true_random=False))
def test_l_ordre_et_le_decoupage_ne_changent_rien(systeme, graine, mois, alea):
    tirage = tirer(graine, 250)
    attendu = _aides(systeme, tirage, mois)
    rangs = list(range(len(tirage)))
    alea.shuffle(rangs)
    melange = _aides(systeme, tirage.lignes(rangs), mois)
    numpy.testing.assert_allclose(melange, attendu[:, rangs], rtol=0, atol=TOLERANCE)
    coupe = alea.choice(numpy.flatnonzero(numpy.diff(tirage.groupe)).tolist()) + 1  # groups whole
    blocs = [_aides(systeme, tirage.lignes(bloc), mois) for bloc in (slice(0, coupe), slice(coupe, None))]
    numpy.testing.assert_array_equal(numpy.concatenate(blocs, axis=1), attendu)


@quelques
@given(graine=GRAINES, mois=MOIS, position=st.integers(0, 250))
def test_une_entreprise_etrangere_ne_change_rien(systeme, graine, mois, position):
    """One enterprise out of the field, in a group of its own, anywhere in the file."""
    tirage, etrangere = tirer(graine, 250), tirer(graine + 1, 1).avec(residence_fiscale_francaise=False)
    entrees = {cle: numpy.insert(v, position, etrangere.entrees[cle]) for cle, v in tirage.entrees.items()}
    agrandi = Tirage(entrees, numpy.insert(tirage.groupe, position, 99_999))
    avec = _aides(systeme, agrandi, mois)
    assert not avec[:, position].any()
    numpy.testing.assert_array_equal(numpy.delete(avec, position, axis=1), _aides(systeme, tirage, mois))


@quelques
@given(graine=GRAINES, mois=MOIS)
def test_le_meme_calcul_donne_les_memes_bits(systeme, graine, mois):
    numpy.testing.assert_array_equal(
        _aides(systeme, tirer(graine, 200), mois), _aides(systeme, tirer(graine, 200), mois)
    )


@pytest.mark.parametrize("mois", ["2020-04", "2021-03", "2021-11"])
def test_les_proprietes_parcourent_des_entreprises_aidees(systeme, mois):
    """The draws reach what the properties speak of."""
    assert (_aides(systeme, tirer(5, 400), mois)[0] > 0).sum() > 15
