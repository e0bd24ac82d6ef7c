"""The worked example of the developers' pages does what it says, in the lines it says, on a copy of the law."""

import re
import shutil
from pathlib import Path

import pytest
import yaml
from openfisca_core.taxbenefitsystems import TaxBenefitSystem

from openfisca_fds import COUNTRY_DIR, entities
from openfisca_fds_tools.situation import construire

PAGE = (Path(__file__).parents[2] / "docs" / "developers" / "add_a_condition.md").read_text(encoding="utf-8")
BLOCS = dict(re.findall(r'^```\w+ title="([^"]+)"\n(.*?)^```', PAGE, re.M | re.S))
(PARAMETRE,) = [chemin for chemin in BLOCS if "/parameters/" in chemin]
(VARIABLE,) = [chemin for chemin in BLOCS if "/variables/" in chemin]
(CAS,) = [chemin for chemin in BLOCS if chemin.startswith("tests/")]
LIGNE = "fds_article_3_22_eligible"
APRES = 'entreprise("fds_article_3_22_regime_ouvert", period)'  # the line that the page names


def loi_modifiee(dossier, lue=True):
    """Copy the law, apply the blocks (without the line that reads the condition, if not ``lue``), and load it."""
    copie = dossier / "openfisca_fds"
    shutil.copytree(COUNTRY_DIR, copie, ignore=shutil.ignore_patterns("__pycache__"))
    parametre = dossier / PARAMETRE
    assert not parametre.exists()
    parametre.write_text(BLOCS[PARAMETRE], encoding="utf-8")
    article = dossier / VARIABLE
    texte = article.read_text(encoding="utf-8")
    if lue:
        classe, suite = texte.split(f"class {LIGNE}(", 1)
        avant, apres = suite.split(APRES, 1)
        fin, reste = apres.split("\n", 1)
        texte = f"{classe}class {LIGNE}({avant}{APRES}{fin}\n{BLOCS[LIGNE]}{reste}"
    article.write_text(f"{texte}\n\n{BLOCS[VARIABLE]}", encoding="utf-8")
    systeme = TaxBenefitSystem(entities.entities)
    systeme.add_variables_from_directory(str(copie / "variables"))
    systeme.load_parameters(str(copie / "parameters"))
    return systeme


def rouges(systeme):
    """Names of the cases of the page that do not give what they expect."""
    manques = []
    for cas in yaml.safe_load(BLOCS[CAS]):
        simulation = construire(systeme, cas["input"], cas["period"])
        for variable, attendu in cas["output"].items():
            if simulation.calculate(variable, cas["period"])[0] != pytest.approx(attendu):
                manques.append(cas["name"])
    return manques


def test_l_exemple_est_vert_puis_rouge_sans_la_condition(tmp_path):
    assert rouges(loi_modifiee(tmp_path / "avec")) == []
    assert rouges(loi_modifiee(tmp_path / "sans", lue=False)) == ["3° : aucun salarié"]


def test_l_exemple_tient_en_moins_de_trente_lignes():
    nombre = sum(len(bloc.splitlines()) for bloc in BLOCS.values())
    assert f"in {nombre} lines" in PAGE.splitlines()[0]
    assert nombre < 30
