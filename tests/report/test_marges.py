"""Simulated against published, on cells made by hand: codes, secrecy, bounds, errors."""

import polars as pl
import pytest

from openfisca_fds_tools import publie
from openfisca_fds_tools.population import taxonomies
from openfisca_fds_tools.report import marges
from openfisca_fds_tools.report.releve import MOIS, Releve

MESURES = {"lignes": 10, "aides": 20.0, "montant": 1_000.0}


def fait_main(volet_1=(), beneficiaires=(), distribution=(), totaux=()) -> Releve:
    """Make what a population is paid, from rows that say only what differs from a common cell."""
    cellule = {"section": "I", "departement": "75", "classe_effectif": "01", "forme_juridique": "societe"}
    uns = [{"mois": "2020-03", "article": "2"} | cellule | MESURES | dict(ligne) for ligne in volet_1]
    deux = [{"volet": 1, "entreprises": 5.0} | cellule | MESURES | dict(ligne) for ligne in beneficiaires]
    trois = [
        {"mois": "2020-03", "tranche": "1 500 €, plafond", "regime": "autre activité", "perte": "totale"}
        | MESURES
        | dict(ligne)
        for ligne in distribution
    ]
    schema = {"mois": pl.String, "article": pl.String, "montant_total": pl.Float64}
    tables = [pl.DataFrame(lignes) for lignes in (uns or [cellule], deux, trois)]
    return Releve(*tables, pl.DataFrame(list(totaux), schema=schema), {}, [])


def ligne(table: pl.DataFrame, code: str) -> dict:
    return table.row(by_predicate=pl.col("code") == code, named=True)


# ---- months of aid ----


@pytest.mark.parametrize(
    ("simule", "position"),
    [(1.39e9, "sous"), (1.40e9, "dans"), (1.5e9, "dans"), (1.75e9, "dans"), (1.76e9, "sur")],
)
def test_bounds_belong_to_the_month(simule, position):
    mois = pl.DataFrame({"mois": MOIS, "simule": [simule] + [0.0] * 23, "aides": [1.0] * 24})
    premier = marges.par_mois_aide(mois).row(0, named=True)
    assert (premier["premier_mois"], premier["bas"], premier["haut"]) == ("2020-03", 1.4e9, 1.75e9)
    assert premier["position"] == position
    assert premier["ratio"] == pytest.approx(simule / 1.5e9)


def test_the_last_months_are_taken_together():
    simules = [0.0] * 19 + [1e6, 2e6, 3e6, 4e6, 5e6]
    dernier = marges.par_mois_aide(pl.DataFrame({"mois": MOIS, "simule": simules, "aides": [2.0] * 24})).row(
        -1, named=True
    )
    assert (dernier["premier_mois"], dernier["dernier_mois"]) == ("2021-10", "2022-02")
    assert (dernier["simule"], dernier["aides"], dernier["moyenne"]) == (15e6, 10.0, 1.5e6)


def test_official_figures_beside_the_same_months():
    simules = [float(rang + 1) for rang in range(24)]
    table = marges.officiels(pl.DataFrame({"mois": MOIS, "simule": simules, "aides": [2.0] * 24}))
    attendus = {  # 1 + … + 7, 8 + 9 + 10 : the simulated euros of the months
        ("2020-03", "2020-03"): (1.0, None, 1_319.0),
        ("2020-03", "2020-09"): (28.0, 6.8e9, 1_383.0),
        ("2020-10", "2020-12"): (27.0, 8.7e9, None),
        ("2020-11", "2020-11"): (9.0, None, 4_344.0),
        ("2021-01", "2021-01"): (11.0, 2.46e9, None),
        ("2021-02", "2021-02"): (12.0, 2.7e9, None),
    }
    obtenus = {
        ligne[:2]: ligne[2:]
        for ligne in table.select("premier_mois", "dernier_mois", "simule", "verse", "moyenne_versee").rows()
    }
    assert obtenus == attendus
    assert table.filter(pl.col("premier_mois") == "2021-01").select("aides", "nombre").row(0) == (2.0, 425_000.0)


def test_nobody_aided_no_mean():
    table = marges.par_mois_aide(pl.DataFrame({"mois": MOIS, "simule": [0.0] * 24, "aides": [0.0] * 24}))
    assert table["moyenne"].null_count() == table.height


def test_thresholds_by_regime_and_loss():
    cases = [
        {"mois": "2021-02", "perte": "70 à 80 %", "regime": "annexe 1 (S1)", "montant": 3_000.0},
        {"mois": "2021-05", "perte": "70 à 80 %", "regime": "annexe 1 (S1)", "montant": 5_000.0},
        {"mois": "2021-06", "perte": "70 à 80 %", "regime": "annexe 1 (S1)", "montant": 9e9},
        {"mois": "2021-03", "perte": "totale", "regime": "autre activité", "lignes": 1},
    ]
    table = marges.seuils(fait_main(distribution=cases))
    assert table.rows() == [
        ("annexe 1 (S1)", "70 à 80 %", 40.0, 8_000.0, 200.0),
        ("autre activité", "totale", None, None, None),
    ]


def test_a_month_without_aid_is_null_not_secret():
    releve = fait_main(
        volet_1=[{"mois": "2020-03"}, {"mois": "2020-04", "lignes": 2}],
        totaux=[
            {"mois": "2020-03", "article": "fds_volet_1", "montant_total": 1_000.0},
            {"mois": "2020-03", "article": "fonds_de_solidarite", "montant_total": 1_250.0},
        ],
    )
    table = marges.par_mois(releve)
    assert table["mois"].to_list() == list(MOIS)
    assert table.row(0, named=True) == {
        "mois": "2020-03",
        "simule": 1_000.0,
        "aides": 20.0,
        "complement": 250.0,
        "moyenne": 50.0,
    }
    assert table.row(1)[1:3] == (None, None)  # two rows: withheld
    assert table.row(2)[1:3] == (0.0, 0.0)


# ---- margins ----


@pytest.mark.parametrize(("lignes", "visible"), [(2, False), (3, True)])
def test_secrecy(lignes, visible):
    table = marges.marge(fait_main(beneficiaires=[{"lignes": lignes}]), "section")
    case = ligne(table, "I")
    assert (case["simule"] is not None) == visible
    assert (case["entreprises"] is not None) == visible
    assert case["verse"] > 12e9  # what is published stays


def test_what_is_only_published_is_kept_and_has_no_simulated_value():
    table = marges.marge(fait_main(beneficiaires=[{}]), "section")
    assert table["code"].to_list() == publie.marge("section")["code"].to_list()
    assert ligne(table, "A")["simule"] is None
    assert table["simule"].sum() == 1_000.0


def test_regions_gather_their_departements():
    cases = [{"departement": dep} for dep in ("2A", "2B", "987")]
    table = marges.marge(fait_main(beneficiaires=cases), "region")
    assert ligne(table, "94")["simule"] == 2_000.0
    assert ligne(table, "94")["libelle"] == "Corse"
    hors = ligne(table, marges.HORS_TABLE)
    assert (hors["simule"], hors["verse"]) == (1_000.0, None)


def test_departements_that_no_table_locates_are_set_apart():
    table = marges.marge(fait_main(beneficiaires=[{"departement": "2A"}, {"departement": "977"}]), "departement")
    assert table.height == 102
    assert ligne(table, "2A")["libelle"] == "Corse-du-Sud"
    assert ligne(table, marges.HORS_TABLE)["simule"] == 1_000.0


def test_size_classes_without_sole_proprietors_and_unknown_size_with_none():
    cases = [{"classe_effectif": "00"}, {"forme_juridique": "entreprise_individuelle", "classe_effectif": "00"}]
    table = marges.marge(fait_main(beneficiaires=cases), "classe_effectif")
    zero = ligne(table, "00")
    assert zero["simule"] == 1_000.0
    publies = publie.marge("classe_effectif").filter(pl.col("code").is_in(["00", "NN"]))
    assert zero["verse"] == publies["montant"].sum()
    assert "NN" not in table["code"]


@pytest.mark.parametrize(
    ("categorie", "forme"),
    [
        ("10", "entreprise_individuelle"),
        ("54", "societe"),
        ("57", "societe"),
        ("65", "societe"),
        ("92", "association"),
        ("21", "autre"),
        ("62", "autre"),
        ("93", "autre"),
    ],
)
def test_legal_forms(categorie, forme):
    assert marges.forme(categorie) == forme


def test_volet_2_apart():
    releve = fait_main(beneficiaires=[{}, {"volet": 2, "montant": 7.0}])
    assert ligne(marges.marge(releve, "section", 2), "I")["simule"] == 7.0
    assert ligne(marges.marge(releve, "section"), "I")["simule"] == 1_000.0


@pytest.mark.parametrize("axe", publie.AXES)
def test_every_code_has_a_label(axe):
    table = marges.marge(fait_main(beneficiaires=[{}]), axe)
    assert table.filter((pl.col("libelle").str.len_chars() < 3) | (pl.col("libelle") == pl.col("code"))).is_empty()
    assert table["code"].is_unique().all()


# ---- by month of payment ----


def test_payments_keep_the_total(releve):
    table = marges.par_mois_paiement(releve)
    assert table["simule"].sum() == pytest.approx(releve.volet_1["montant"].sum(), rel=1e-9)
    assert table["aides"].sum() == pytest.approx(releve.volet_1["aides"].sum(), rel=1e-9)
    assert table["mois"].null_count() == 1
    assert table["verse"].to_list()[:-1] == publie.paiements_par_mois()["volet_1"].to_list()


@pytest.mark.parametrize("axe", ["section", "forme_juridique"])
def test_payments_by_code_add_up_to_payments(releve, axe):
    table = marges.par_mois_paiement_et(releve, axe)
    ensemble = marges.par_mois_paiement(releve).drop_nulls("mois")
    premier = table.filter(pl.col("mois") == "2020-05")["simule"].sum()
    assert premier == pytest.approx(ensemble["simule"].head(2).sum(), rel=1e-3)  # April and May together
    juin = table.filter(pl.col("mois") == "2020-06")
    assert juin["simule"].sum() == pytest.approx(
        ensemble.filter(pl.col("mois") == "2020-06")["simule"].item(), rel=1e-3
    )
    assert juin["part"].sum() == pytest.approx(1)
    assert juin["part_versee"].sum() == pytest.approx(1)
    assert table["verse"].sum() == publie.paiements_par_mois_et(axe)["montant"].sum()


def test_quarters_add_up_and_skip_unpublished_ends(releve):
    table = marges.par_departement_section_et_trimestre(releve)
    ain = table.filter((pl.col("departement") == "01") & (pl.col("section") == "A"))
    cumul = publie.departement_section_par_trimestre()
    dernier = cumul.filter(pl.col("departement") == "01", pl.col("section") == "A").sort("date")["montant"][-1]
    assert ain["verse"].sum() == dernier
    assert ain["debut"].to_list() == [None, *ain["fin"].to_list()[:-1]]
    assert table.height < cumul.height  # a cell that appears later has no beginning to compare with
    suivies = table.filter(pl.len().over("departement", "section") == cumul["date"].n_unique()).drop_nulls("simule")
    sommes = suivies.group_by("departement", "section").agg(pl.sum("simule").alias("par_trimestre"))
    entier = marges.par_departement_section(releve).join(sommes, on=["departement", "section"])
    assert entier.height > 50
    # What the lag model pays after the last snapshot is the only difference.
    assert (entier["simule"] - entier["par_trimestre"]).min() > -0.01
    assert entier["par_trimestre"].sum() == pytest.approx(entier["simule"].sum(), rel=1e-3)


# ---- errors ----


def test_errors_by_hand():
    # Paid 100, 100, 1 000, 5: simulated 110, 60, 1 000; the fourth is withheld.
    table = pl.DataFrame({"simule": [110.0, 60.0, 1_000.0, None], "verse": [100.0, 100.0, 1_000.0, 5.0]})
    e = marges.erreurs("section", table)
    assert (e["cases"], e["simule"], e["verse"]) == (3, 1_170.0, 1_200.0)
    assert e["couverture"] == pytest.approx(1_200 / 1_205)
    assert e["erreur"] == pytest.approx(50 / 1_200)
    assert e["mediane"] == 1.0
    assert e["part_10"] == pytest.approx(1_100 / 1_200)
    assert e["part_25"] == pytest.approx(1_100 / 1_200)
    assert (e["grandes"], e["grandes_25"]) == (3, 2)


def test_errors_of_nothing_are_no_error():
    e = marges.erreurs(
        "section", pl.DataFrame({"simule": [None], "verse": [1.0]}, schema_overrides={"simule": pl.Float64})
    )
    assert (e["cases"], e["erreur"], e["part_25"], e["couverture"]) == (0, None, None, 0)


def test_each_margin_says_what_it_was_for_the_generator():
    assert {entree["statut"] for entree in marges.statuts().values()} == {"calee", "regardee", "ecartee"}
    assert marges.statuts()["section"]["statut"] == "calee"
    assert marges.statuts()["forme_par_mois"]["statut"] == "ecartee"


def test_labels_of_regions_are_those_published():
    publies = publie.marge("region").select("code", "libelle").rows()
    assert dict(publies) == taxonomies.LIBELLES_REGIONS
