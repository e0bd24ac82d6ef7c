"""The page of evidence is the one that its script writes today, and every dependency has its line."""

import ast
import re
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "scripts"))

import constat
import evidence

RACINE = evidence.RACINE


def test_la_page_est_a_jour():
    """After new cases or new results: ``python scripts/evidence.py``."""
    assert evidence.PAGE.read_text(encoding="utf-8") == evidence.page()


def test_les_cas_comptes_sont_ceux_qui_sont_collectes():
    """A case that is not a test would be counted for nothing."""
    comptes = evidence.cas_par_fichier()
    assert len(comptes) > 40
    assert min(comptes.values()) > 0
    fichier = evidence.TESTS / "fonds_de_solidarite" / "volet_1" / "article_3_28.yaml"
    noms = re.findall(r"^- name:", fichier.read_text(encoding="utf-8"), re.M)
    assert comptes["fonds_de_solidarite/volet_1/article_3_28.yaml"] == len(noms)


def test_une_mesure_absente_se_voit(monkeypatch):
    monkeypatch.setattr(evidence, "lire", lambda nom: None)
    assert evidence.page().count("Jamais mesuré") == len(evidence.SECTIONS)


@pytest.mark.parametrize("nom", evidence.SECTIONS)
def test_aucun_echec_n_est_garde(nom):
    """What is committed as evidence shows no failure that nobody explained."""
    resultats = constat.lire(nom)
    if resultats is None:
        pytest.skip("jamais mesuré")
    assert resultats["date"]
    assert resultats["machine"]
    assert not resultats.get("desaccords")
    assert not resultats.get("fautes")
    assert not resultats.get("code")
    assert [panne["echec"] for panne in resultats.get("pannes", []) if panne["echec"]] == []
    assert [s["mutant"] for s in resultats.get("survivants", []) if s["raison"] is None] == []
    assert all(fichier["reproductible"] for fichier in resultats.get("fichiers", []))
    assert not any(python["code"] for python in resultats.get("pythons", []))


def dependances():
    """Names in setup.py, extras included."""
    arbre = ast.parse((RACINE / "setup.py").read_text(encoding="utf-8"))
    textes = [n.value for n in ast.walk(arbre) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    return sorted({m[1] for texte in textes if (m := re.match(r"([a-z][\w-]*)(\[[\w,-]+\])?[<>=]=\d", texte))})


def test_chaque_dependance_est_justifiee():
    page = (RACINE / "docs" / "dependances.md").read_text(encoding="utf-8")
    justifiees = {
        nom.strip() for ligne in re.findall(r"^\| ([a-z][\w, -]+) \|", page, re.M) for nom in ligne.split(",")
    }
    assert {"numpy", "openfisca-core", "polars", "pytest"} <= set(dependances())
    assert set(dependances()) - justifiees == set()


def test_le_verrou_suit_les_versions_choisies():
    """Every locked version is that of constraints.txt, and has hashes."""
    choisies = dict(re.findall(r"^([\w.-]+)==(\S+)$", (RACINE / "constraints.txt").read_text(encoding="utf-8"), re.M))
    choisies = {re.sub(r"[-_.]+", "-", nom).lower(): version for nom, version in choisies.items()}
    verrou = (RACINE / "requirements.lock").read_text(encoding="utf-8")
    verrouillees = dict(re.findall(r"^([\w.-]+)==(\S+) \\$", verrou, re.M))
    assert len(verrouillees) > 40
    assert {
        nom: v for nom, v in verrouillees.items() if choisies.get(re.sub(r"[-_.]+", "-", nom).lower(), v) != v
    } == {}
    assert verrou.count("--hash=sha256:") > len(verrouillees)
