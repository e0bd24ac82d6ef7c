"""What was paid beside the table of ``simulate``: the same figures as the backtest, and a chart file."""

import sys

import pytest
from rich.console import Console

from openfisca_fds_tools.population import simulate
from openfisca_fds_tools.report import marges, officiel


@pytest.fixture(scope="module")
def agregats(population):
    return simulate(population, detail=False).agregats


def test_same_figures_as_the_backtest(agregats, releve, monkeypatch):
    monkeypatch.setattr(marges, "SECRET", 0)  # few rows are aided at the end of this small population
    obtenus, attendus = officiel.face_au_verse(agregats), marges.par_mois_aide(marges.par_mois(releve))
    assert obtenus.columns == attendus.columns
    for nom in ("simule", "aides", "cible"):
        ecarts = (obtenus[nom] - attendus[nom]).abs().drop_nulls()
        assert ecarts.max() < 0.1
    assert obtenus["position"].to_list() == attendus["position"].to_list()


def test_narrow_table_has_each_month(agregats):
    console = Console(width=80)
    with console.capture() as capture:
        console.print(officiel.tableau(agregats))
    sortie = capture.get()
    assert max(len(ligne) for ligne in sortie.splitlines()) <= 80
    assert "…" not in sortie
    for texte in ("mars 20", "sept. 21", "oct.–févr. 22", "1\u202f400 – 1\u202f750", "Total"):
        assert texte in sortie


def test_chart_file(tmp_path, agregats):
    chemin = officiel.dessiner(agregats, tmp_path)
    assert [c.name for c in tmp_path.iterdir()] == [officiel.GRAPHIQUE]
    svg = chemin.read_text(encoding="utf-8")
    assert svg.startswith("<svg")
    assert "mars 20" in svg


def test_without_the_extra_the_table_is_shown_and_the_chart_named(tmp_path, agregats, monkeypatch):
    monkeypatch.setitem(sys.modules, "altair", None)
    monkeypatch.delitem(sys.modules, "openfisca_fds_tools.report.graphiques", raising=False)
    monkeypatch.delattr("openfisca_fds_tools.report.graphiques", raising=False)
    console = Console(width=80)
    with console.capture() as capture:
        officiel.montrer(agregats, console, tmp_path)
    assert "mars 20" in capture.get()
    assert 'pip install "openfisca-fds[report]"' in capture.get()
    assert list(tmp_path.iterdir()) == []
