"""One pass of the engine: what a hand-made population is paid, sums equal to the engine's, whatever the blocks."""

import polars as pl
import pytest

from openfisca_fds_tools.population import PopulationInvalide, simulate
from openfisca_fds_tools.report.releve import PERTES, TRANCHES, relever

from .conftest import entreprises


def test_one_month_by_hand():
    # A bar of Paris loses 21 000 € of 30 000 (70 %) in March 2021: annex 1, 10 000 € (see the README). Weight 2.5.
    # A second one loses nothing. A third one loses 18 000 € (60 %): 80 % of it up to 10 000 €; weight 1.
    releve = relever(entreprises({"2021-03": 9_000.0, "poids": 2.5}, {}, {"2021-03": 12_000.0, "departement": "2A"}))
    lignes = releve.volet_1.sort("departement").select("mois", "section", "departement", "classe_effectif", "article")
    assert lignes.rows() == [("2021-03", "I", "2A", "02", "3-24"), ("2021-03", "I", "75", "02", "3-24")]
    assert releve.volet_1.sort("departement")["aides"].to_list() == [1.0, 2.5]
    assert releve.volet_1.sort("departement")["montant"].to_list() == [10_000.0, 25_000.0]
    assert releve.beneficiaires.select(pl.sum("lignes", "entreprises", "aides", "montant")).row(0) == (
        2,
        3.5,
        3.5,
        35e3,
    )
    repartition = releve.distribution.select("tranche", "regime", "perte", "aides").sort("perte")
    assert repartition.rows() == [
        ("10 000 €, plafond", "annexe 1 (S1)", "60 à 70 %", 1.0),
        ("10 000 €, plafond", "annexe 1 (S1)", "70 à 80 %", 2.5),
    ]


def test_an_enterprise_aided_twice_counts_once():
    releve = relever(entreprises({"2021-03": 9_000.0, "2021-04": 9_000.0, "poids": 3.0}))
    assert releve.beneficiaires.select("lignes", "entreprises", "aides", "montant").row(0) == (1, 3.0, 6.0, 60_000.0)


def test_nobody_is_paid():
    releve = relever(entreprises({}, {}))
    assert releve.volet_1.is_empty()
    assert releve.beneficiaires.is_empty()
    assert releve.distribution.is_empty()
    assert releve.carte["entreprises"] == 2


def test_closed_enterprises_have_their_own_regime():
    releve = relever(entreprises({"2021-03": 0.0, "jours_interdiction_accueil_public:2021-03": 31}))
    assert releve.distribution.select("regime", "perte").row(0) == ("fermée au public", "totale")


def test_sums_are_those_of_the_engine(population, releve):
    agregats = simulate(population, by=("departement", "section", "forme_juridique")).agregats
    cles = ["mois", "departement", "section", "forme_juridique"]
    attendus = agregats.filter((pl.col("article") == "fds_volet_1") & (pl.col("montant_total") > 0)).sort(cles)
    obtenus = releve.volet_1.group_by(cles).agg(pl.sum("aides", "montant")).sort(cles)
    assert obtenus.select(cles).equals(attendus.select(cles))
    assert obtenus["montant"].to_list() == pytest.approx(attendus["montant_total"].to_list(), abs=0.01)
    assert obtenus["aides"].to_list() == pytest.approx(attendus["entreprises_aidees"].to_list(), abs=1e-4)
    assert obtenus.height > 500


def test_tables_agree_with_each_other(releve):
    total = releve.volet_1["montant"].sum()
    volet_1 = releve.beneficiaires.filter(pl.col("volet") == 1)
    assert volet_1["montant"].sum() == pytest.approx(total, rel=1e-12)
    assert volet_1["aides"].sum() == pytest.approx(releve.volet_1["aides"].sum(), rel=1e-12)
    assert releve.distribution["montant"].sum() == pytest.approx(total, rel=1e-12)
    uniques = releve.totaux.filter(
        pl.col("article").is_in(["volet_2"]) | pl.col("article").str.contains("discotheque_volet_2")
    )
    volet_2 = releve.beneficiaires.filter(pl.col("volet") == 2)["montant"].sum()
    assert volet_2 == pytest.approx(uniques["montant_total"].sum(), abs=0.01)
    assert volet_2 > 0


def test_articles_served_add_up_and_never_exceed_their_rights(releve):
    servis = releve.volet_1.group_by("mois", "article").agg(pl.sum("montant"))
    droits = releve.totaux.select("mois", "article", "montant_total")
    joints = servis.join(droits, on=["mois", "article"], how="left")
    assert joints["montant_total"].null_count() == 0
    assert (joints["montant"] <= joints["montant_total"] + 0.01).all()


def test_blocks_and_workers_change_nothing(population, releve):
    autre = relever(population, block_size=200)
    for nom in ("volet_1", "beneficiaires", "distribution", "totaux"):
        assert getattr(autre, nom).equals(getattr(releve, nom)), nom


def test_amounts_fall_in_one_class_each(releve):
    noms = [nom for nom, _ in TRANCHES]
    bornes = [bas for _, bas in TRANCHES]
    assert bornes == sorted(bornes)
    assert set(releve.distribution["tranche"]) <= set(noms)
    plafonds = releve.distribution.filter(pl.col("tranche") == "10 000 €, plafond").select(pl.sum("aides", "montant"))
    aides, montant = plafonds.row(0)
    assert montant == pytest.approx(10_000 * aides, rel=1e-6)
    moyennes = releve.distribution.group_by("tranche").agg(moyenne=pl.sum("montant") / pl.sum("aides"))
    for nom, moyenne in moyennes.rows():
        rang = noms.index(nom)
        assert bornes[rang] <= moyenne <= (bornes[rang + 1] if rang + 1 < len(bornes) else 200_000.01)
    assert set(releve.distribution["perte"]) <= {nom for nom, _ in PERTES}


def test_a_wrong_population_is_refused():
    with pytest.raises(PopulationInvalide, match="poids"):
        relever(entreprises({}).with_columns(poids=pl.lit(-1.0)))
