"""The examples of the README do what it says."""

import ast
import json
import re
from pathlib import Path

import pytest
import yaml
from openfisca_core.simulation_builder import SimulationBuilder

from openfisca_fds_tools.situation import construire

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def bloc(langage):
    return re.search(rf"```{langage}\n(.*?)```", README, re.DOTALL).group(1)


def test_exemple_python():
    code = bloc("python")
    *instructions, derniere = ast.parse(code).body
    espace = {}
    exec(compile(ast.Module(instructions, []), "README.md", "exec"), espace)
    resultat = eval(compile(ast.Expression(derniere.value), "README.md", "eval"), espace)
    assert repr(resultat) == code.rsplit("# ", 1)[1].strip()


def test_exemple_yaml(systeme):
    (cas,) = yaml.safe_load(bloc("yaml"))
    simulation = construire(systeme, cas["input"], cas["period"])
    assert cas["output"]
    for variable, attendu in cas["output"].items():
        assert simulation.calculate(variable, cas["period"])[0] == attendu


def test_exemple_de_l_api(systeme):
    corps = json.loads(re.search(r"-d '(.*?)'", README, re.DOTALL).group(1))
    del corps["entreprises"]["cafe"]["fds_volet_1"]
    simulation = SimulationBuilder().build_from_entities(systeme, corps)
    assert simulation.calculate("fds_volet_1", "2021-03") == pytest.approx(10000)
