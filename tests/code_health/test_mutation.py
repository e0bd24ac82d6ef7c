"""``scripts/mutation.py`` really puts a mutated formula in the law, takes it out, and its exceptions serve."""

import fnmatch
import sys
from pathlib import Path

import numpy
import pytest

sys.path.append(str(Path(__file__).parents[2] / "scripts"))

import constat
import mutation
from cas import SYSTEME
from properties.population import simuler, tirer

TIRAGE, MOIS = tirer(44, 200), "2021-02"
PERTE = "variables/fonds_de_solidarite/perte.py"


def muter(module, ancien, nouveau):
    source = (mutation.LOI / module).read_text(encoding="utf-8")
    assert source.count(ancien) == 1
    return mutation.Chirurgie(mutation.Mutant(module, "essai", source.replace(ancien, nouveau), "essai"))


def calculer(nom):
    return simuler(SYSTEME, TIRAGE).calculate(nom, MOIS)


@pytest.mark.parametrize(
    ("module", "ancien", "nouveau", "cles"),
    [
        (PERTE, "(reference - entreprise", "(reference + entreprise", {("perte_chiffre_affaires", "2020-03-01")}),
        ("amounts.py", "positive = reference > 0", "positive = reference < 0", None),
        ("amounts.py", "DIX_MILLIEMES = 10_000", "DIX_MILLIEMES = 1", None),
    ],
)
def test_un_mutant_change_le_calcul_puis_s_en_va(module, ancien, nouveau, cles):
    noms = ["perte_chiffre_affaires", "fds_perte_seuil_general"]
    avant = [calculer(nom) for nom in noms]
    chirurgie = muter(module, ancien, nouveau)
    assert chirurgie.cles == cles
    with chirurgie.appliquee():
        assert any((calculer(nom) != valeurs).any() for nom, valeurs in zip(noms, avant, strict=True))
    for nom, valeurs in zip(noms, avant, strict=True):
        numpy.testing.assert_array_equal(calculer(nom), valeurs)


def test_un_cache_est_vide_avec_sa_fonction():
    """A mutated function that is cached must not answer from before, nor leave its answers behind."""
    mois = mutation.sys.modules["openfisca_fds.periodes"]
    period = type(mois.MARS_2020)(("month", mois.MARS_2020.start, 1))
    avant = mois.premier_jour(period)
    with muter(
        "periodes.py", "numpy.datetime64(str(period.start), ", "numpy.datetime64(str(period.stop), "
    ).appliquee():
        assert mois.premier_jour(period) != avant
    assert mois.premier_jour(period) == avant


def test_une_etiquette_n_est_pas_un_calcul():
    ancien = 'label = "Perte de chiffre d\'affaires du mois"'
    assert muter(PERTE, ancien, 'label = "Autre"').vide


def test_un_mutant_qu_aucun_cas_ne_voit_survit_et_un_autre_meurt(monkeypatch):
    source = (mutation.LOI / PERTE).read_text(encoding="utf-8")
    textes = [source.replace("(1 - part_comptee)", "(1 + part_comptee)"), source.replace("- (1 - part", "+ (1 - part")]
    monkeypatch.setattr(mutation, "MUTANTS", [mutation.Mutant(PERTE, "essai", texte, "essai") for texte in textes])
    monkeypatch.setattr(mutation, "TRIBUNAL", [mutation.Tribunal()])
    assert mutation.juger(0)[1] == mutation.SURVIT
    assert mutation.juger(1)[1] == mutation.TUE


def test_chaque_exception_explique_un_survivant():
    resultats = constat.lire("mutation")
    if resultats is None:
        pytest.skip("jamais mesuré")
    noms = [survivant["mutant"] for survivant in resultats["survivants"]]
    sans_objet = [
        motif
        for motif in mutation.lire_les_exceptions()
        if not any(fnmatch.fnmatchcase(nom, motif.replace("[", "[[]")) for nom in noms)
    ]
    assert sans_objet == []
