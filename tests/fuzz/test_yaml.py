"""Reform files and cases: damaged texts and damaged trees of those that ship."""

from pathlib import Path

import yaml
from fuzz.essais import essayer, reglages
from fuzz.mutations import arbre_abime, texte_abime
from hypothesis import given
from hypothesis import strategies as st

from openfisca_fds_tools.explain.cas import lire_cas
from openfisca_fds_tools.scenarios import lire_reforme
from openfisca_fds_tools.scenarios.parametres import loi
from openfisca_fds_tools.situation import ErreurSituation, construire

RACINE = Path(__file__).parents[2]
REFORMES = [f.read_text(encoding="utf-8") for f in sorted((RACINE / "examples" / "reformes").glob("*.yaml"))]
CAS = """\
- name: Deux cafés d'un groupe
  period: 2021-03
  input:
    entreprises:
      a: {code_naf: 56.30Z, departement: "75", chiffre_affaires: {2019: 360000, 2021-03: 9000}}
      b: {date_creation: 2020-01-15, effectif_salarie: {2021-03: 12.5}, discotheque: false}
    groupes:
      g: {membres: [a, b]}
"""
COURT = """\
input:
  code_naf: 56.30Z
  chiffre_affaires: {2019: 360000, 2021-03: 9000}
  jours_interdiction_accueil_public: {2021-03: 21}
"""


def lire_et_appliquer(chemin):
    reforme = lire_reforme(str(chemin))
    systeme = reforme(loi())
    assert systeme.variables
    return systeme


def lire_et_calculer(systeme, chemin):
    situation, periode = lire_cas(chemin)
    simulation = construire(systeme, situation, periode or "2021-03")
    montants = simulation.calculate("fds_volet_1", "2021-03")
    assert (montants >= 0).all()
    return montants


@reglages(30)
@given(texte=st.sampled_from(REFORMES).flatmap(texte_abime))
def test_reformes_dont_le_texte_est_abime(texte, dossier):
    chemin = dossier / "reforme.yaml"
    chemin.write_text(texte, encoding="utf-8")
    essayer("réforme : texte", lambda: lire_et_appliquer(chemin), ErreurSituation)


@reglages(30)
@given(arbre=st.sampled_from([yaml.safe_load(texte) for texte in REFORMES]).flatmap(arbre_abime))
def test_reformes_dont_l_arbre_est_abime(arbre, dossier):
    chemin = dossier / "reforme.yaml"
    chemin.write_text(yaml.safe_dump(arbre, allow_unicode=True), encoding="utf-8")
    essayer("réforme : arbre", lambda: lire_et_appliquer(chemin), ErreurSituation)


@reglages(30)
@given(texte=st.sampled_from([CAS, COURT]).flatmap(texte_abime))
def test_cas_dont_le_texte_est_abime(texte, systeme, dossier):
    chemin = dossier / "cas.yaml"
    chemin.write_text(texte, encoding="utf-8")
    essayer("cas : texte", lambda: lire_et_calculer(systeme, chemin), ErreurSituation)


@reglages(30)
@given(arbre=st.sampled_from([yaml.safe_load(texte) for texte in (CAS, COURT)]).flatmap(arbre_abime))
def test_cas_dont_l_arbre_est_abime(arbre, systeme, dossier):
    chemin = dossier / "cas.yaml"
    chemin.write_text(yaml.safe_dump(arbre, allow_unicode=True), encoding="utf-8")
    essayer("cas : arbre", lambda: lire_et_calculer(systeme, chemin), ErreurSituation)
