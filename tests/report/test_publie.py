"""The published figures shipped: they are whole, agree with each other, and refuse what was never published."""

import polars as pl
import pytest

from openfisca_fds.nomenclatures.departements import Departement
from openfisca_fds_tools import publie
from openfisca_fds_tools.population import taxonomies

VOLET_1, VOLET_2 = 35_491_702_665, 289_073_235.58  # euros, last snapshot by section and region


@pytest.mark.parametrize(("axe", "total"), [("section", VOLET_1), ("region", VOLET_1), ("departement", 35_490_463_923)])
def test_margins_of_volet_1_add_up_to_what_was_paid(axe, total):
    table = publie.marge(axe)
    assert table["montant"].sum() == total
    assert table.columns == ["code", "libelle", "aides", "entreprises", "montant"]
    assert table["code"].is_unique().all()


def test_size_classes_leave_the_sole_proprietors_out():
    manquant = VOLET_1 - publie.marge("classe_effectif")["montant"].sum()
    individuelles = publie.marge("forme_juridique").filter(pl.col("code") == "10")["montant"].item()
    assert manquant / VOLET_1 == pytest.approx(0.284, abs=0.001)
    assert manquant == pytest.approx(individuelles, rel=0.01)


@pytest.mark.parametrize("axe", ["section", "region"])
def test_volet_2(axe):
    assert publie.marge(axe, 2)["montant"].sum() == pytest.approx(VOLET_2, abs=0.01)


@pytest.mark.parametrize(("axe", "volet"), [("departement", 2), ("naf", 1), ("section", 3)])
def test_what_was_never_published_is_refused(axe, volet):
    with pytest.raises(ValueError, match="Pas de marge publiée"):
        publie.marge(axe, volet)
    with pytest.raises(ValueError, match="Pas de paiements mensuels"):
        publie.paiements_par_mois_et("region")


def test_codes_are_those_of_the_model():
    assert set(publie.marge("section")["code"]) <= set(taxonomies.LIBELLES_SECTIONS)
    assert set(publie.marge("region")["code"]) == set(taxonomies.LIBELLES_REGIONS)
    assert set(publie.marge("classe_effectif")["code"]) - {"NN"} <= set(taxonomies.CLASSES_EFFECTIF)
    departements = publie.departement_section_par_trimestre()["departement"].unique()
    assert set(departements) == {code for code in Departement.__members__ if taxonomies.region(code)}


def test_flows_add_up_to_the_margin():
    flux = publie.paiements_par_mois_et("section").group_by("code").agg(pl.sum("montant")).sort("code")
    assert flux["montant"].to_list() == publie.marge("section")["montant"].to_list()


def test_region_and_section_cross_as_their_margins():
    croise = publie.region_section().group_by("section").agg(pl.sum("montant")).sort("section")
    assert croise["montant"].to_list() == publie.marge("section")["montant"].to_list()


def test_payments_by_month_are_whole():
    paiements = publie.paiements_par_mois()
    assert paiements["mois"].to_list() == sorted(paiements["mois"])
    assert paiements.height == 27
    assert paiements.null_count().sum_horizontal().item() == 0
    assert paiements["total"].sum() == pytest.approx(41_451_779_801.60, abs=0.01)
    volets = paiements["volet_1"] + paiements["volet_2"] + paiements["hors_volets"]
    assert (volets - paiements["total"]).abs().max() < 0.01


def test_targets_cover_each_month_of_aid_once():
    cibles = publie.cibles_par_mois_aide()
    debuts, fins = cibles["premier_mois"].to_list(), cibles["dernier_mois"].to_list()
    assert (debuts[0], fins[-1]) == ("2020-03", "2022-02")
    assert debuts[1:] == sorted(debuts[1:])
    assert all(debut == fin for debut, fin in zip(debuts[:-1], fins[:-1], strict=True))
    assert cibles.filter((pl.col("bas") > pl.col("cible")) | (pl.col("cible") > pl.col("haut"))).is_empty()
    assert 35.0e9 < cibles["cible"].sum() < 36.0e9


def test_windows_follow_each_other():
    fenetres = publie.fenetres_de_formulaire()
    assert fenetres["debut"].to_list()[1:] == fenetres["fin_exclue"].to_list()[:-1]


def test_few_official_figures():
    officiels = publie.chiffres_officiels().filter(pl.col("premier_mois") == "2021-01")
    assert officiels.select("montant", "nombre").row(0) == (2_460_000_000, 425_000)
    assert officiels["source"].item().startswith("https://")
