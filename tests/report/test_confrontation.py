"""The backtest: its tables hold together, its folder is whole or absent, its command says what it must."""

import json

import polars as pl
import pytest
from click.testing import CliRunner

from openfisca_fds_tools.population import ErreurUtilisateur, simulate
from openfisca_fds_tools.report import AVERTISSEMENT, Backtest, confrontation, marges
from openfisca_fds_tools.report.command import backtest as commande

from .conftest import entreprises


@pytest.fixture
def fichier(tmp_path, population):
    chemin = tmp_path / "population.parquet"
    population.head(200).write_parquet(chemin)
    return chemin


def test_months_are_those_of_the_engine(population, resultat):
    attendus = simulate(population).agregats.filter(pl.col("article") == "fds_volet_1")
    obtenus = resultat.tables["mois"].drop_nulls("simule").filter(pl.col("simule") > 0)
    joints = obtenus.join(attendus, on="mois")
    assert joints.height == obtenus.height > 15
    assert joints["simule"].to_list() == pytest.approx(joints["montant_total"].to_list(), abs=0.01)
    total = resultat.carte["totaux"]["simules"]["volet_1"]["montant"]
    assert total == pytest.approx(attendus["montant_total"].sum(), abs=0.05)


def test_every_margin_is_summed_up_once(resultat):
    assert resultat.tables["resume"]["marge"].to_list() == list(marges.statuts())
    assert resultat.tables["resume"]["erreur"].null_count() == 0
    assert resultat.erreur("section")["verse"] == pytest.approx(35.49e9, rel=1e-3)


def test_same_population_same_tables(population, resultat):
    autre = confrontation.backtest(population, block_size=300)
    for nom, table in resultat.tables.items():
        assert table.equals(autre.tables[nom]), nom


def test_folder_comes_back_as_it_was(tmp_path, resultat):
    dossier = confrontation.ecrire(resultat, tmp_path / "backtest")
    relu = confrontation.lire(dossier)
    assert relu.tables.keys() == resultat.tables.keys()
    for nom, table in resultat.tables.items():
        assert table.equals(relu.tables[nom]), nom
        assert pl.read_csv(dossier / f"{nom}.csv", infer_schema_length=None).height == table.height
    carte = json.loads((dossier / "backtest.json").read_text(encoding="utf-8"))
    assert carte["avertissement"] == AVERTISSEMENT
    assert {entree["marge"] for entree in carte["resume"]} == set(marges.statuts())
    assert confrontation.ecrire(resultat, dossier) == dossier  # a former backtest is replaced
    assert [chemin.name for chemin in tmp_path.iterdir()] == ["backtest"]


def test_nothing_is_left_when_writing_stops(tmp_path, resultat):
    class Arret(Exception):  # noqa: N818 -- as an interruption
        pass

    class Table(pl.DataFrame):
        def write_csv(self, *_args, **_options):
            raise Arret

    casse = Backtest(resultat.tables | {"mois": Table(resultat.tables["mois"])}, resultat.carte)
    with pytest.raises(Arret):
        confrontation.ecrire(casse, tmp_path / "backtest")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_in_use_is_refused(tmp_path, resultat):
    (tmp_path / "notes.txt").write_text("à garder")
    with pytest.raises(ErreurUtilisateur, match="autre chose"):
        confrontation.ecrire(resultat, tmp_path)
    with pytest.raises(ErreurUtilisateur, match="n'est pas un dossier"):
        confrontation.ecrire(resultat, tmp_path / "notes.txt")
    assert [chemin.name for chemin in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("carte", [None, "{", '{"version": 0, "resume": []}', '{"version": 1}'])
def test_what_is_no_backtest_is_refused(tmp_path, carte):
    if carte is not None:
        (tmp_path / "backtest.json").write_text(carte)
    with pytest.raises(ErreurUtilisateur, match="backtest"):
        confrontation.lire(tmp_path)


def test_command_prints_narrow_tables_and_writes_its_folder(tmp_path, fichier):
    sortie = tmp_path / "sortie"
    resultat = CliRunner().invoke(
        commande, [str(fichier), "--output", str(sortie), "--workers", "1"], env={"COLUMNS": "200"}
    )
    assert resultat.exit_code == 0, resultat.output
    lignes = resultat.stdout.splitlines()
    assert max(len(ligne) for ligne in lignes if str(tmp_path) not in ligne) <= 80
    for texte in (
        "Mois d'aide",
        "Payé en",
        "Section",
        "Région",
        "Forme juridique",
        "volet 2",
        "Marges tenues à l'écart",
    ):
        assert texte in resultat.stdout
    assert AVERTISSEMENT in " ".join(resultat.stdout.split())
    assert (sortie / "mois_aide.parquet").exists()


def test_a_wrong_file_is_refused_in_one_message(tmp_path):
    chemin = tmp_path / "fautive.csv"
    entreprises({}).with_columns(poids=pl.lit(-1.0)).write_csv(chemin)
    resultat = CliRunner().invoke(commande, [str(chemin), "--output", str(tmp_path / "sortie"), "--workers", "1"])
    assert resultat.exit_code == 2
    assert "poids" in resultat.stderr
    assert not (tmp_path / "sortie").exists()


def test_nobody_paid_is_compared_all_the_same():
    resultat = confrontation.backtest(entreprises({}, {}))
    assert resultat.carte["totaux"]["simules"] == {}
    assert resultat.tables["mois"]["simule"].to_list() == [0.0] * 24
    assert resultat.erreur("mois_aide")["ratio"] == 0
