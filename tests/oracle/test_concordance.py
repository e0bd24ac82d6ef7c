"""The vectorised model against the scalar oracle, both written from the texts, on random groups at the thresholds.

``OFDS_GROUPES=1000 pytest tests/oracle`` draws more groups a month than the few of every run.
"""

import functools
import os

import droit_2020
import droit_2021
import pytest
import tirage_2020
import tirage_2021
from concordance import desaccords

GROUPES = int(os.environ.get("OFDS_GROUPES", "40"))
GRAINE = os.environ.get("OFDS_GRAINE", "concordance")
MOIS_2020 = [f"2020-{mois:02d}" for mois in range(3, 13)]
MOIS_2021 = [f"2021-{mois:02d}" for mois in range(1, 13)] + ["2022-01", "2022-02"]


def verifier(systeme, tirer, evaluer, mois, periode=None):
    ecarts = desaccords(systeme, tirer, evaluer, mois, GROUPES, GRAINE, periode)
    message = "\n".join(
        f"{nom}, membre {membre} : modèle {modele}, oracle {oracle}\n  {groupe}"
        for nom, _, membre, modele, oracle, groupe in ecarts[:3]
    )
    assert not ecarts, f"{len(ecarts)} désaccords en {mois}\n{message}"


@pytest.mark.parametrize("mois", MOIS_2020)
def test_2020(systeme, mois):
    evaluer = functools.partial(droit_2020.evaluer_2020, mois=mois)
    verifier(systeme, tirage_2020.tirer_groupe, evaluer, mois)


@pytest.mark.parametrize("mois", MOIS_2021)
def test_2021_2022(systeme, mois):
    evaluer = functools.partial(droit_2021.evaluer_2021, mois=mois)
    verifier(systeme, tirage_2021.tirer_groupe, evaluer, mois)


def test_volet_2(systeme):
    verifier(systeme, tirage_2020.tirer_groupe, droit_2020.evaluer_volet_2, "2020-09", periode="2020-10")


def test_multi_activites(systeme):
    verifier(systeme, tirage_2021.tirer_groupe, droit_2021.evaluer_multi_activites, "2021-06")
