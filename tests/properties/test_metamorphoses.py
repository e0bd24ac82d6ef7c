"""What a change of the input must change in the output, and nothing else: no expected value is needed.

Order, cuts of a simulation and strangers are in ``test_invariants.py``; here, euros, weights and files.
"""

import numpy
import polars as pl
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal
from properties.population import MOIS_DU_MODELE, Tirage, simuler, tirer
from tools.conftest import tirer as tirer_un_fichier

from openfisca_fds_tools.population import simulate

GRAINES = st.integers(0, 10_000)
MOIS = st.sampled_from(MOIS_DU_MODELE)
OPTIONS = {"months": "2021-02:2021-03", "outputs": ("fds_article_3_22_montant", "fds_volet_1", "fds_volet_2")}
PHASES = (Phase.explicit, Phase.generate)
quelques = settings(max_examples=6, deadline=None, derandomize=True, database=None, phases=PHASES)

SEUILS = {"fds_perte_seuil_general": 0.5, "fds_perte_seuil_fermeture": 0.2, "fds_perte_seuil_fort": 0.7}
CENTIME = 0.01
SANS_PLAFOND = (
    "chiffre_affaires_reference",
    "perte_chiffre_affaires",
    "perte_hors_ventes_a_distance",
    "fds_option_chiffre_affaires_montant",
)


@quelques
@given(graine=GRAINES, mois=MOIS, facteur=st.sampled_from([2, 3, 7, 100]))
def test_des_euros_multiplies_ne_changent_pas_les_taux(systeme, graine, mois, facteur):
    """Turnover in another unit: the same conditions of loss, and amounts without ceiling in proportion."""
    tirage = tirer(graine, 400)
    entrees = {cle: v * facteur if cle[0].startswith("chiffre_affaires") else v for cle, v in tirage.entrees.items()}
    avant, apres = simuler(systeme, tirage), simuler(systeme, Tirage(entrees, tirage.groupe))
    reference, perte = (avant.calculate(nom, mois) for nom in SANS_PLAFOND[:2])
    for nom, taux in SEUILS.items():
        change = avant.calculate(nom, mois) != apres.calculate(nom, mois)
        assert (numpy.abs(perte - taux * reference)[change] <= CENTIME).all(), (
            nom
        )  # rounded to the cent at the threshold
    for nom in SANS_PLAFOND:
        numpy.testing.assert_allclose(
            apres.calculate(nom, mois), facteur * avant.calculate(nom, mois), rtol=1e-12, atol=1e-6
        )


@quelques
@given(graine=GRAINES, facteur=st.sampled_from([0.5, 2, 16]))
def test_des_poids_multiplies_multiplient_les_agregats(graine, facteur):
    """To the rounding of the totals; what each enterprise gets does not move."""
    table = tirer_un_fichier(150, graine)
    avant = simulate(table, **OPTIONS, by=("forme_juridique",))
    apres = simulate(table.with_columns(pl.col("poids") * facteur), **OPTIONS, by=("forme_juridique",))
    assert_frame_equal(apres.mensuels, avant.mensuels, check_exact=True)
    mesures = ["entreprises_eligibles", "entreprises_aidees", "montant_total"]
    attendus = avant.agregats.with_columns(pl.col(mesures) * facteur)
    assert_frame_equal(apres.agregats, attendus, check_exact=False, abs_tol=CENTIME * (1 + facteur), rel_tol=0)


@quelques
@given(graine=GRAINES, parties=st.integers(2, 5), alea=st.randoms(use_true_random=False))
def test_un_dossier_de_morceaux_vaut_le_fichier(tmp_path_factory, graine, parties, alea):
    """Rows dealt at random into files, groups cut: the same rows, and the same totals to the cent."""
    table = tirer_un_fichier(150, graine)
    dossier = tmp_path_factory.mktemp("morceaux")
    lots = [alea.randrange(parties) for _ in range(table.height)]
    for lot in range(parties):
        morceau = table.filter(pl.Series(lots) == lot)
        if morceau.height:
            morceau.write_parquet(dossier / f"{lot}.parquet")
    attendu, obtenu = (simulate(population, **OPTIONS) for population in (table, dossier))
    assert_frame_equal(obtenu.mensuels.sort("id", "mois"), attendu.mensuels.sort("id", "mois"), check_exact=True)
    assert obtenu.carte["totaux"] == attendu.carte["totaux"]


@quelques
@given(graine=GRAINES, position=st.integers(0, 150))
def test_une_ligne_hors_du_champ_ne_change_rien(graine, position):
    table = tirer_un_fichier(150, graine).with_columns(residence_fiscale_francaise=pl.lit(True))
    etrangere = table.head(1).with_columns(
        id=pl.lit("ETRANGERE"), groupe=pl.lit("SEULE"), residence_fiscale_francaise=pl.lit(False)
    )
    attendu = simulate(table, **OPTIONS)
    obtenu = simulate(pl.concat([table[:position], etrangere, table[position:]]), **OPTIONS)
    assert_frame_equal(
        obtenu.mensuels.filter(pl.col("id") != "ETRANGERE").sort("id", "mois"),
        attendu.mensuels.sort("id", "mois"),
        check_exact=True,
    )
    assert obtenu.carte["totaux"] == attendu.carte["totaux"]
