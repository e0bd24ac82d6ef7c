"""The collector of YAML cases: it reads what ``openfisca test`` reads, and catches what that one lets pass."""

from pathlib import Path

import pytest
from openfisca_core.tools.test_runner import run_tests

from openfisca_fds import CountryTaxBenefitSystem

pytest_plugins = ["pytester"]

CONFTEST = Path(__file__).parents[1] / "conftest.py"

# Read by both: the same files serve ``openfisca test``.
COMMUNS = """
- name: le centime
  period: 2019-01
  keywords: [argent]
  input: {chiffre_affaires: 16777217.01}
  output: {chiffre_affaires: 16777217.01}
- name: tous les types
  period: 2019-01
  absolute_error_margin: 0.001
  input:
    date_creation: 2018-05-01
    departement: "01"
    nombre_associes: 3
    jours_interdiction_accueil_public: 31
  output:
    date_debut_activite: 2018-05-01
    departement: "01"
    nombre_associes: 3
    interdiction_sans_interruption: true
    exercice_clos: {2021-07: true}
- name: plusieurs entreprises
  period: 2019-01
  input:
    entreprises:
      a: {effectif_salarie: 2}
      b: {effectif_salarie: 3}
    groupes:
      g: {membres: [a, b]}
  output:
    groupe: {effectif_groupe: 5}
    entreprises:
      a: {effectif_salarie: {2019-01: 2, 2019-02: 0}}
      b: {effectif_salarie: 3}
    effectif_salarie: [2, 3]
"""

# Read by the collector only: openfisca-core takes 01 for a rank, mixes the periods, and fails on ETERNITY.
PROPRES = """
- name: demi-centime arrondi
  period: 2019-01
  input: {chiffre_affaires: 1234.565, departement: 01}
  output: {chiffre_affaires: 1234.57, departement: "01"}
- name: sortie éternelle
  period: ETERNITY
  input: {date_creation: 2018-05-01}
  output: {exercice_clos: {ETERNITY: true}, date_debut_activite: 2018-05-01}
- name: périodes différentes
  period: 2019-01
  input:
    entreprises:
      a: {effectif_salarie: 2}
      b: {effectif_salarie: {2019: 3}}
    groupe: {membres: [a, b]}
  output:
    groupe: {effectif_groupe: {2019-01: 5, 2019-02: 3}}
"""

MAL_ECRITS = {
    "- name: a\n  input: {}\n": "1.yaml:1 : un cas est un dictionnaire",
    "- name: a\n  output: {x: 1}\n- name: a\n  output: {x: 1}\n": "2.yaml:3 : deux cas s'appellent « a »",
    "- name: a\n  name: b\n  output: {x: 1}\n": "3.yaml:2 : name : clé donnée deux fois",
    "": "4.yaml:1 : un cas est un dictionnaire",
}

FAUX = [
    ("output: {chiffre_affaires: 16777217.00}", "attendu 16 777 217, obtenu 16 777 217.01"),
    ("absolute_error_margin: 1\n  output: {chiffre_affaires: 16777217.00}", "obtenu 16 777 217.01"),
    ("relative_error_margin: 0.1\n  output: {chiffre_affaires: 16777217.00}", "obtenu 16 777 217.01"),
    ("absolute_error_margin: 0.001\n  output: {chiffre_affaires: 16777217.012}", "attendu 16 777 217.012"),
    ("output: {chiffre_affaires: 0, exercice_clos: true}", "chiffre_affaires (2019-01) : attendu 0, obtenu"),
    ("output: {exercice_clos: false}", "attendu false, obtenu true"),
    ("output: {exercice_clos: 1}", "valeur 1 ; attendu : true ou false"),
    ("output: {nombre_associes: 2}", "attendu 2, obtenu 1"),
    ("output: {forme_juridique: societe}", "attendu societe, obtenu entreprise_individuelle"),
    ("output: {date_debut_activite: 1970-01-02}", "attendu 1970-01-02, obtenu 1970-01-01"),
    ("output: {}", "sortie vide"),
    ("output: {chiffre_affaires: {}}", "un dictionnaire non vide"),
    ("output: {chiffre_affaire: 3}", "attendu : « chiffre_affaires »"),
    ("output: {chiffre_affaires: {2019: 3}}", "période « 2019 » ; attendu : un mois"),
    ("output: {entreprises: {z: {chiffre_affaires: 3}}}", "identifiant « z » inconnu"),
    ("output: {chiffre_affaires: [1, 2]}", "2 valeurs ; attendu : 1 valeurs"),
    ("outputs: {}\n  output: {chiffre_affaires: 3}", "clé « outputs » inconnue ; attendu : « output »"),
    ("parameters: {}\n  output: {chiffre_affaires: 3}", "clé « parameters » inconnue"),
    ("absolute_error_margin: -1\n  output: {chiffre_affaires: 3}", "marge -1"),
]


@pytest.fixture
def bac(pytester):
    """Return an empty folder where the project's collector works."""
    pytester.makeconftest(CONFTEST.read_text(encoding="utf-8"))
    return pytester


def ecrire(bac, texte, nom="cas.yaml"):
    chemin = bac.path / nom
    chemin.parent.mkdir(exist_ok=True)
    chemin.write_text(texte, encoding="utf-8")


def test_les_cas_justes_passent_chacun_sous_son_nom(bac):
    ecrire(bac, COMMUNS, "communs.yaml")
    ecrire(bac, PROPRES, "propres.yaml")
    ecrire(bac, "a: 1\n", "donnees/pas_un_cas.yaml")
    resultat = bac.runpytest("-v")
    resultat.assert_outcomes(passed=6)
    resultat.stdout.fnmatch_lines(
        ["*communs.yaml::le centime PASSED*", "*communs.yaml::plusieurs entreprises PASSED*"],
    )


def test_les_memes_cas_sont_lus_par_openfisca(bac):
    (bac.path / "conftest.py").unlink()
    ecrire(bac, COMMUNS, "communs.yaml")
    assert run_tests(CountryTaxBenefitSystem(), str(bac.path / "communs.yaml"), {}) == 0


def test_les_cas_faux_echouent_avec_un_message_lisible(bac):
    entete = "  period: 2019-01\n  input: {chiffre_affaires: 16777217.01}\n"
    ecrire(bac, "\n".join(f"- name: faux {rang}\n{entete}  {sortie}" for rang, (sortie, _) in enumerate(FAUX)))
    resultat = bac.runpytest("-p", "no:logging")
    resultat.assert_outcomes(failed=len(FAUX))
    sortie = resultat.stdout.str()
    blocs = sortie.split("faux ")
    for rang, (_, message) in enumerate(FAUX):
        assert any(bloc.startswith(f"{rang}\n") and message in bloc for bloc in blocs), (rang, message)
    assert "cas.yaml:1" in sortie
    assert "ligne 4 : chiffre_affaires (2019-01)" in sortie
    assert "Traceback" not in sortie


def test_un_mot_cle_ou_un_nom_choisit_des_cas(bac):
    ecrire(bac, COMMUNS + PROPRES.lstrip("\n"))
    bac.runpytest("-k", "argent or éternelle").assert_outcomes(passed=2, deselected=4)


def test_un_fichier_mal_ecrit_arrete_la_collecte(bac):
    for rang, texte in enumerate(MAL_ECRITS, start=1):
        ecrire(bac, texte, f"{rang}.yaml")
    resultat = bac.runpytest()
    resultat.assert_outcomes(errors=len(MAL_ECRITS))
    for message in MAL_ECRITS.values():
        assert message in resultat.stdout.str()


def test_une_reforme_vaut_pour_son_cas_seul(bac):
    bac.makepyfile(
        reforme_exercice="""
        from openfisca_core.reforms import Reform

        class sans_exercice(Reform):
            def apply(self):
                self.neutralize_variable("exercice_clos")
        """
    )
    bac.syspathinsert()
    cas = "  period: 2019-01\n  input: {}\n  output: {exercice_clos: %s}\n"
    reforme = "- name: réforme\n  reforms: reforme_exercice.sans_exercice\n"
    ecrire(bac, f"{reforme}{cas % 'false'}- name: sans\n{cas % 'true'}")
    bac.runpytest().assert_outcomes(passed=2)
