"""The command line: what it prints, its exit codes, what it says when packages are missing."""

import importlib
import io
import re
import socket
import subprocess
import sys
import types

import click
import polars as pl
import pytest
from click.testing import CliRunner
from rich.console import Console

from openfisca_fds_tools import cli
from openfisca_fds_tools.population import command, model, simulate

from .conftest import tirer

OPTIONS = ["--months", "2021-02:2021-03", "--workers", "1"]


@pytest.fixture
def fichier(tmp_path):
    chemin = tmp_path / "p.parquet"
    tirer(500).write_parquet(chemin)
    return chemin


def lancer(*arguments):
    return CliRunner().invoke(cli.main, [str(argument) for argument in arguments], env={"COLUMNS": "110"})


def test_table_by_month_and_article(fichier, tmp_path):
    resultat = lancer("simulate", fichier, *OPTIONS, "--output", tmp_path / "sortie")
    assert resultat.exit_code == 0, resultat.output
    for texte in ("art. 3-22", "art. 3-24", "2021-02", "2021-03", "Éligibles", "Aidées", "Euros", "Part"):
        assert texte in resultat.stdout
    assert "avant non-cumul" in " ".join(resultat.stdout.split())
    agregats = pl.read_csv(tmp_path / "sortie" / "agregats.csv", infer_schema_length=None)
    total = agregats.filter(pl.col("article") == "fds_volet_1")["montant_total"].sum()
    ligne = next(ligne for ligne in resultat.stdout.splitlines() if "tous les mois" in ligne)
    assert f"{total:,.0f}".replace(",", "\u202f") in ligne
    assert "500 entreprises" in resultat.stdout
    assert resultat.stderr == ""  # no progress bar in a pipe


def test_a_narrow_screen_shows_large_amounts_in_millions_on_whole_lines(fichier, monkeypatch):
    arguments = ["simulate", str(fichier), "--months", "2021-08:2021-09", "--workers", "1"]
    petit = CliRunner().invoke(cli.main, arguments, env={"COLUMNS": "80"}).stdout
    assert "Euros" in petit
    monkeypatch.setattr(command, "MONTANT_EN_MILLIONS", 0)
    etroit = CliRunner().invoke(cli.main, arguments, env={"COLUMNS": "80"}).stdout
    assert "M€" in etroit
    assert "Euros" not in etroit
    assert "…" not in etroit
    assert max(len(ligne) for ligne in etroit.splitlines()[:8]) <= 80


@pytest.mark.parametrize(
    ("article", "libelle"),
    [
        ("3-28", "art. 3-28"),
        ("complement_2021_1582", "décret 2021-1582"),
        ("discotheque_volet_1", "discothèques (v. 1)"),
        ("discotheque_volet_2_mars_aout_2020", "discothèques (v. 2), mars–août 2020"),
        ("multi_activites", "multi-activités"),
    ],
)
def test_rows_are_called_in_french(article, libelle):
    assert command.libelle_aide(article) == libelle


def test_every_aid_of_the_model_has_a_name():
    for aide in model.aides(model.systeme()):
        assert "_" not in command.libelle_aide(aide.article)
        assert any(re.fullmatch(motif, aide.article) for motif, _ in command.LIBELLES), aide.article


def test_total_does_not_add_the_articles(fichier):
    """The total is that of fds_volet_1, not the sum of what each article would give."""
    agregats = simulate(fichier, months="2021-02:2021-03").agregats
    rendu = command.tableau(agregats)
    euros = [str(cellule) for cellule in rendu.columns[4].cells]
    attendu = agregats.filter(pl.col("article") == "fds_volet_1")["montant_total"].sum()
    assert euros[-1] == f"{attendu:,.0f}".replace(",", "\u202f")
    par_article = agregats.filter(pl.col("article").str.contains(r"^\d"))["montant_total"].sum()
    assert par_article != pytest.approx(attendu)


def test_dimensions_are_columns_of_the_table(fichier):
    resultat = lancer("simulate", fichier, *OPTIONS, "--by", "forme_juridique,article", "--outputs", "fds_volet_1")
    assert "Forme juridique" in resultat.stdout
    assert "association" in resultat.stdout
    assert "art. 3-22" not in resultat.stdout


def test_a_dimension_is_called_in_french_or_as_it_was_asked():
    assert command.titre_de_dimension("effectif_salarie@1/10") == "Effectif"
    assert command.titre_de_dimension("nombre_associes@2") == "nombre_associes@2"


@pytest.mark.parametrize(("terminal", "lignes"), [(True, 2), (False, 1)])
def test_a_long_notice_is_cut_between_words_on_a_terminal_alone(terminal, lignes):
    ecran = Console(file=io.StringIO(), width=40, force_terminal=terminal)
    command.dire(ecran, "Avis : [aucune] colonne chiffre_affaires pour ce mois-là.")
    ecrites = ecran.file.getvalue().splitlines()
    assert len(ecrites) == lignes
    assert " ".join(ligne.strip() for ligne in ecrites).endswith("[aucune] colonne chiffre_affaires pour ce mois-là.")


def test_dgfip_form(fichier, tmp_path):
    resultat = lancer("simulate", fichier, *OPTIONS, "--format", "dgfip", "--output", tmp_path / "s")
    assert resultat.exit_code == 0
    assert (tmp_path / "s" / "fonds-solidarite-volet-1-departemental-naf.csv").exists()


def test_bad_population_is_one_line_and_exit_code_2(tmp_path):
    chemin = tmp_path / "p.csv"
    chemin.write_text("id,departement\na,75\nb,999\n")
    resultat = lancer("simulate", chemin, *OPTIONS, "--output", tmp_path / "sortie")
    assert resultat.exit_code == 2
    assert resultat.stdout == ""
    premiere = resultat.stderr.splitlines()[0]
    assert premiere.startswith("p.csv, ligne 2, colonne « departement » : valeur « 999 » ; attendu : un code connu")
    assert not (tmp_path / "sortie").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--months", "2019-12"], "hors du modèle"),
        (["--outputs", "fds_volet_3"], "inconnue"),
        (["--by", "departemment"], "noms proches : « departement »"),
        (["--by", "sections"], "noms proches : « section »"),
        (["--by", "dep"], "attendu : section, region, ou une variable"),
        (["--reform", "nulle.Part"], "introuvable"),
        (["--block-size", "0"], "attendu un nombre"),
    ],
)
def test_bad_requests(fichier, arguments, message):
    resultat = lancer("simulate", fichier, *arguments)
    assert resultat.exit_code == 2
    assert message in resultat.stderr
    assert len(resultat.stderr.splitlines()) == 1


def test_a_month_without_turnover_is_said(tmp_path):
    chemin = tmp_path / "court.csv"
    chemin.write_text("id,chiffre_affaires:2019-02,chiffre_affaires:2021-02\na,3000,1000\n")
    avis = "aucune colonne chiffre_affaires pour 2021-03 : lu comme 0 €, donc comme une perte totale."
    assert avis in lancer("simulate", chemin, *OPTIONS).stderr
    chemin.write_text("id,chiffre_affaires:2021-02,chiffre_affaires:2021-03\na,3000,1000\n")
    assert "aucune colonne" not in lancer("simulate", chemin, *OPTIONS).stderr


def test_a_misspelt_key_of_a_case_is_refused(tmp_path):
    chemin = tmp_path / "cas.yaml"
    chemin.write_text("- name: café\n  period: 2021-03\n  inputs:\n    code_naf: 56.30Z\n")
    resultat = lancer("explain", chemin)
    assert resultat.exit_code != 0
    assert "cas.yaml:3" in resultat.stderr
    assert "« input »" in resultat.stderr


def test_rows_set_aside_are_reported(tmp_path):
    chemin = tmp_path / "p.csv"
    chemin.write_text("id,departement,effectif_salarie:2021-02\na,75,\nb,999,1\nc,13,NaN\n")
    resultat = lancer("simulate", chemin, *OPTIONS, "--errors", "skip", "--output", tmp_path / "s")
    assert resultat.exit_code == 0
    assert "1 ligne(s) écartée(s)" in resultat.stderr
    assert "NaN" in resultat.stderr
    rejets = pl.read_parquet(tmp_path / "s" / "rejets.parquet")
    assert rejets["ligne"].to_list() == [2]


def test_version_and_help():
    assert "openfisca-fds" in lancer("--version").output
    aide = lancer("--help")
    assert aide.exit_code == 0
    assert all(nom in aide.output for nom in cli.COMMANDES)
    assert list(cli.RESUMES) == list(cli.COMMANDES)


@pytest.mark.parametrize("nom", list(cli.COMMANDES))
def test_every_command_can_be_imported(nom):
    module, _, attribut = cli.COMMANDES[nom].partition(":")
    try:
        commande = getattr(importlib.import_module(module), attribut)
    except ModuleNotFoundError as absence:
        pytest.skip(f"{absence.name} is not installed")
    assert commande.name == nom


def test_a_wrong_command_is_told_the_near_one():
    resultat = lancer("simulat")
    assert resultat.exit_code == 2
    assert "Commande 'simulat' inconnue. Peut-être 'simulate' ?" in resultat.stderr


SANS = """
import sys
class Absent:
    def find_spec(self, nom, *_):
        if nom.partition('.')[0] in {absents}:
            raise ModuleNotFoundError(f'No module named {{nom!r}}', name=nom)
sys.meta_path.insert(0, Absent())
from openfisca_fds_tools.cli import main
main({arguments})
"""


@pytest.mark.parametrize(
    ("absents", "arguments"), [(("polars",), "['simulate']"), (("rich",), "['simulate']"), (("click",), "")]
)
def test_missing_packages_are_one_line(absents, arguments):
    programme = SANS.format(absents=set(absents), arguments=arguments)
    processus = subprocess.run([sys.executable, "-c", programme], capture_output=True, text=True)
    assert processus.returncode == 1
    assert processus.stdout == ""
    assert processus.stderr == f'« {absents[0]} » manque : pip install "openfisca-fds[tools]"\n'


@pytest.mark.parametrize(
    ("absent", "extra", "arguments"),
    [
        ("scipy", "calibration", "['calibrate', '--output', 'x']"),
        ("waitress", "web", "['serve', '--port', '0']"),
    ],
)
def test_a_missing_extra_is_named_by_its_command_alone(absent, extra, arguments):
    for texte, code in ((arguments, 1), ("['--help']", 0)):
        programme = SANS.format(absents={absent}, arguments=texte)
        processus = subprocess.run([sys.executable, "-c", programme], capture_output=True, text=True, timeout=60)
        assert processus.returncode == code, processus.stderr
        assert "Traceback" not in processus.stderr
    aide = processus.stdout
    assert all(nom in aide for nom in cli.COMMANDES)
    processus = subprocess.run(
        [sys.executable, "-c", SANS.format(absents={absent}, arguments=arguments)], capture_output=True, text=True
    )
    assert processus.stderr == f'« {absent} » manque : pip install "openfisca-fds[{extra}]"\n'


def test_a_package_missed_in_mid_command_is_one_line(monkeypatch):
    def echouer():
        raise ModuleNotFoundError("No module named 'altair'", name="altair")

    module = types.SimpleNamespace(doubts=click.Command("doubts", callback=echouer))
    monkeypatch.setitem(sys.modules, "commande_sans_altair", module)
    monkeypatch.setitem(cli.COMMANDES, "doubts", "commande_sans_altair:doubts")
    resultat = lancer("doubts")
    assert resultat.exit_code == 1
    assert resultat.stderr == '« altair » manque : pip install "openfisca-fds[report]"\n'


def test_help_imports_no_engine():
    programme = """
import sys
from openfisca_fds_tools import cli
cli.main(['--help'], standalone_mode=False)
assert not {'numpy', 'polars'} & set(sys.modules)"""
    aide = subprocess.run([sys.executable, "-c", programme], capture_output=True, text=True, env={"COLUMNS": "80"})
    assert aide.returncode == 0, aide.stderr
    assert "..." not in aide.stdout.partition("Commandes")[2]
    assert max(map(len, aide.stdout.splitlines())) <= 80


@pytest.mark.skipif(sys.platform != "linux", reason="limits the address space")
@pytest.mark.parametrize("mebioctets", [200, 760, 2047])
def test_too_small_an_address_space_is_refused_at_once(mebioctets, tmp_path):
    """Polars aborts there, or waits without end for a thread that the system refuses."""
    commande = f"ulimit -v {mebioctets * 1024}; exec '{sys.executable}' -m openfisca_fds_tools simulate --output s"
    fini = subprocess.run(["bash", "-c", commande], capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert fini.returncode == 1
    assert fini.stderr.count("\n") == 1, fini.stderr
    assert f"limité à {mebioctets} Mio" in fini.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("host", "cause"), [("127.0.0.1", "y écoute déjà"), ("192.0.2.1", "n'a pas cette adresse")])
def test_an_address_that_cannot_be_had_is_said_before_anything_starts(host, cause):
    with socket.create_server(("127.0.0.1", 0)) as pris:
        resultat = lancer("serve", "--host", host, "--port", pris.getsockname()[1])
    assert resultat.exit_code == 1
    assert resultat.stdout == ""
    assert resultat.stderr.count("\n") == 1
    assert cause in resultat.stderr


def test_a_full_disk_is_said_in_one_line(tmp_path):
    sortie = tmp_path / "population.parquet"
    commande = f"ulimit -f 8; exec '{sys.executable}' -m openfisca_fds_tools population --size 8192 --output '{sortie}'"
    fini = subprocess.run(["bash", "-c", f"trap '' XFSZ; {commande}"], capture_output=True, text=True)
    assert fini.returncode == 1
    assert fini.stderr.count("\n") == 1, fini.stderr
    assert "Écriture impossible : fichier plus grand que permis" in fini.stderr
    assert list(tmp_path.iterdir()) == []
