"""The notebook: stored without results, and each of its cells runs, in order, in this process."""

import ast
import json
from pathlib import Path

import altair as alt
import polars as pl
import pytest

CARNET = Path(__file__).parents[2] / "examples" / "carnets" / "cout_du_fonds.ipynb"


@pytest.fixture(scope="module")
def cellules():
    carnet = json.loads(CARNET.read_text(encoding="utf-8"))
    assert (carnet["nbformat"], carnet["metadata"]["kernelspec"]["language"]) == (4, "python")
    return carnet["cells"]


def executer(source: str, noms: dict):
    """Run a cell and give the value of its last expression, as a notebook shows it."""
    arbre = ast.parse(source)
    derniere = arbre.body.pop() if isinstance(arbre.body[-1], ast.Expr) else None
    exec(compile(arbre, str(CARNET), "exec"), noms)
    return None if derniere is None else eval(compile(ast.Expression(derniere.value), str(CARNET), "eval"), noms)


def test_no_result_is_stored(cellules):
    assert len({cellule["id"] for cellule in cellules}) == len(cellules)
    for cellule in cellules:
        if cellule["cell_type"] == "code":
            assert cellule["outputs"] == []
            assert cellule["execution_count"] is None


def test_cells_run_in_order(cellules, monkeypatch):
    monkeypatch.chdir(CARNET.parent)
    noms, montres = {}, []
    for cellule in cellules:
        if cellule["cell_type"] == "code":
            montres.append(executer("".join(cellule["source"]), noms))
    tables = [montre for montre in montres if isinstance(montre, pl.DataFrame)]
    assert all(table.height for table in tables)
    assert len(tables) == 5
    assert sum(isinstance(montre, alt.TopLevelMixin) for montre in montres) == 1
    assert noms["mois"].height == 20
    assert noms["comparaison"].couts["ecart"].sum() < 0  # a lower cap costs less
