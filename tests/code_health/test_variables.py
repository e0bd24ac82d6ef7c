"""Every variable says what it is, where it comes from, in what unit; every formula follows the rules of the house."""

from pathlib import Path

import pytest
from openfisca_core.model_api import MONTH, Variable
from openfisca_core.reforms import Reform
from regles import fautes_d_import, fautes_de_source, fautes_de_variable

import openfisca_fds
from openfisca_fds import CountryTaxBenefitSystem
from openfisca_fds.amounts import Reel
from openfisca_fds.entities import Entreprise

LOI = Path(openfisca_fds.__file__).parent
MODULES = sorted(LOI.rglob("*.py"))
VARIABLES = [chemin for chemin in MODULES if LOI / "variables" in chemin.parents]


def nom_court(chemin):
    return str(chemin.relative_to(LOI.parent))


def lire(chemin):
    return chemin.read_text(encoding="utf-8")


def test_chaque_variable_dit_ce_qu_elle_est(systeme):
    assert len(systeme.variables) > 200
    fautes = [faute for variable in systeme.variables.values() for faute in fautes_de_variable(variable)]
    assert not fautes, "\n".join(fautes)


def test_chaque_libelle_est_unique(systeme):
    """Two variables under one label cannot be told apart in an explanation; two dated texts may share one."""
    par_libelle = {}
    for variable in systeme.variables.values():
        par_libelle.setdefault(variable.label, []).append(variable.name)
    assert [noms for noms in par_libelle.values() if len(noms) > 1] == []


def test_chaque_formule_suit_les_regles():
    assert len(VARIABLES) > 30
    fautes = [faute for chemin in VARIABLES for faute in fautes_de_source(nom_court(chemin), lire(chemin))]
    assert not fautes, "\n".join(fautes)


def test_la_loi_n_importe_que_openfisca_et_numpy():
    fautes = [faute for chemin in MODULES for faute in fautes_d_import(nom_court(chemin), lire(chemin))]
    assert not fautes, "\n".join(fautes)


def test_les_variables_ont_toutes_une_classe_dans_un_fichier_de_la_loi(systeme):
    """No variable is made on the fly, and none is a base class taken for a variable."""
    for variable in systeme.variables.values():
        assert type(variable).__name__ == variable.name
        assert variable.formulas or variable.is_input_variable()


# ---- broken on purpose: attributes ----


def variable_cassee(classe):
    """Load a class in a reform, as any user would, and return the variable."""

    class reforme(Reform):
        def apply(self):
            self.add_variable(classe)

    return reforme(SYSTEME).variables[classe.__name__]


SYSTEME = CountryTaxBenefitSystem()
BONNE = {
    "value_type": float,
    "entity": Entreprise,
    "definition_period": MONTH,
    "unit": "currency-EUR",
    "label": "Aide de démonstration",
    "reference": "Décret n° 2020-371 du 30 mars 2020, art. 2",
}


def juger(nom="aide_de_demonstration", bases=(Reel, Variable), **changements):
    attributs = {cle: valeur for cle, valeur in (BONNE | changements).items() if valeur is not None}
    return fautes_de_variable(variable_cassee(type(nom, bases, attributs)))


def test_une_bonne_variable_n_a_pas_de_faute():
    assert juger() == []


@pytest.mark.parametrize(
    ("changement", "faute"),
    [
        ({"label": None}, "libellé absent"),
        ({"label": "Aid"}, "libellé absent ou trop court"),
        ({"label": "Aide de démonstration."}, "terminé par un point"),
        ({"label": "aide de démonstration"}, "sans majuscule"),
        ({"label": "Amount of the demonstration"}, "en anglais"),
        ({"label": "Aide  de démonstration"}, "mal espacé"),
        ({"reference": None}, "sans référence"),
        ({"reference": []}, "sans référence"),
        ({"reference": ["Décret n° 2020-371, art. 2, https://www.legifrance.gouv.fr/"]}, "collés"),
        ({"reference": ["article deux"]}, "ne nomme aucun texte"),
        ({"reference": ["Décret n° 2020-371, art. 2"] * 2}, "répétée"),
        ({"unit": None}, "réel sans unité"),
        ({"unit": "euros"}, "unité 'euros' inconnue"),
        ({"bases": (Variable,)}, "float32"),
        ({"bases": (Variable,), "value_type": int, "unit": None}, "entier sans unité"),
        ({"bases": (Variable,), "value_type": bool}, "unité sur ce qui n'est pas un nombre"),
        ({"nom": "aideDeDemonstration"}, "hors de snake_case"),
        ({"nom": "aide_de_démonstration"}, "hors de snake_case"),
        ({"nom": "loss_amount"}, "mot anglais"),
    ],
)
def test_une_variable_cassee_est_vue(changement, faute):
    assert any(faute in trouvee for trouvee in juger(**changement)), juger(**changement)


# ---- broken on purpose: formulas ----

PROPRE = '''"""Module."""

FIN = "2021-05-31"


class aide(Variable):
    end = FIN
    label = "Aide de 1 500 € depuis 2020-03"

    def formula_2020_03(entreprise, period, parameters):
        """At most 1 500 euros."""
        plafond = parameters(period).fonds.plafond
        mois = [entreprise("ca", m) for m in mois_de(MARS_2020, period)]
        codes = [code for ligne in parameters(period).liste for code in parameters(period).liste[ligne]]
        if not parameters(period).fonds.ouvert:
            return 0
        return numpy.minimum(sum(mois), plafond) * appartient(entreprise("naf", period), codes) * 12  # months a year
'''

CASSEES = [
    ("return entreprise('ca', period) * 2", "nombre 2 dans le code"),
    ("return entreprise('ca', period) * 0.8", "nombre 0.8"),
    ("return entreprise('creation', period) < jour('2020-03-01')", "date '2020-03-01'"),
    ("return entreprise('ca', periods.period('2019'))", "date '2019'"),
    ("return entreprise('departement', period) == '976'", "code '976'"),
    ("return appartient(entreprise('naf', period), ['47.11B'])", "code '47.11B'"),
    ("return numpy.vectorize(len)(entreprise('ca', period))", "vectorize"),
    ("return entreprise('ca', period).astype(object)", "object"),
    ("return numpy.array([c + 1 for c in entreprise('ca', period)])", "boucle sur les entreprises"),
    ("ca = entreprise('ca', period)\n        return [max(c, 0) for c in ca]", "boucle sur les entreprises"),
    ("ca = entreprise('ca', period)\n        for i, c in enumerate(ca):\n            i", "boucle sur les entreprises"),
    ("for rang in range(entreprise.count):\n            pass", "boucle sur les entreprises"),
    ("return entreprise.groupe.max(entreprise('ca', period))", "groupe.max"),
    ("return groupe.all(groupe.members('condition', period))", "groupe.all"),
    ("return groupe.value_nth_person(0, groupe.members('ca', period))", "groupe.value_nth_person"),
    ("return parameters(period).taux[entreprise('zone', period)]", "paramètre indexé par un vecteur"),
    (
        "zone = entreprise('zone', period)\n        taux = parameters(period).taux\n        return taux[zone]",
        "paramètre indexé par un vecteur",
    ),
    ("return not entreprise('condition', period)", "not sur un vecteur"),
    ("return entreprise('a', period) and entreprise('b', period)", "and / or sur un vecteur"),
    ("if entreprise('a', period) > 0:\n            return 1", "if sur un vecteur"),
    ("return 1 if entreprise('a', period) else 0", "if sur un vecteur"),
    ("total = 0\n" + "        total += 1\n" * 25 + "        return total", "lignes, plus de 25"),
]


def test_une_bonne_formule_n_a_pas_de_faute():
    assert fautes_de_source("bonne.py", PROPRE) == []


@pytest.mark.parametrize(("corps", "faute"), CASSEES, ids=[faute for _, faute in CASSEES])
def test_une_formule_cassee_est_vue(corps, faute):
    source = f"class aide(Variable):\n    def formula(entreprise, period, parameters):\n        {corps}\n"
    fautes = fautes_de_source("cassee.py", source)
    assert any(faute in trouvee for trouvee in fautes), fautes


@pytest.mark.parametrize("nom", ["formula_2020_03_17", "formula_2020", "formula_2020_13", "calculer"])
def test_un_nom_de_formule_casse_est_vu(nom):
    source = f"class aide(Variable):\n    def {nom}(entreprise, period):\n        return 0\n"
    assert any("ni « formula »" in faute for faute in fautes_de_source("cassee.py", source))


@pytest.mark.parametrize(
    "ligne", ["import polars", "from openfisca_fds_tools import cli", "from . import x", "import yaml.loader"]
)
def test_un_import_interdit_est_vu(ligne):
    assert fautes_d_import("cassee.py", f"import numpy\n{ligne}\n") != []
    assert fautes_d_import("bonne.py", "import numpy\nfrom datetime import date\nfrom openfisca_fds import x\n") == []
