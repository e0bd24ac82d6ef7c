"""The public interface: every name, type, period, entity and default is as the dictionary writes it.

``tests/donnees/dictionnaire.yaml`` is the interface as data; users' files and acceptance cases rely on it.
"""

import csv
import datetime
import re
from pathlib import Path

import pytest
import yaml
from openfisca_core.indexed_enums import Enum

from openfisca_fds.saisie import repartir_a_l_identique, repartir_par_parts_egales

DONNEES = Path(__file__).parents[1] / "donnees"
TEXTE = (DONNEES / "dictionnaire.yaml").read_text(encoding="utf-8")
DICTIONNAIRE = yaml.safe_load(TEXTE)

TYPES = {"bool": bool, "int": int, "float": float, "date": datetime.date, "Enum": Enum}
SET_INPUT = {None: None, "dispatch": repartir_a_l_identique, "divide": repartir_par_parts_egales}
DEFAUTS = {"bool": False, "int": 0, "float": 0, "date": datetime.date(1970, 1, 1)}  # conventions.date_creation_absente
FINS = {"fds_aide_percue": datetime.date(2021, 5, 31)}  # note: « fin : 2021-05-31 »


def codes_des_articles():
    """List the article numbers that the comment below ``fds_article_XX_montant`` gives."""
    debut = TEXTE.index("# XX in:")
    commentaire = TEXTE[debut : TEXTE.index("fds_aide_percue:", debut)].replace("#", " ")
    return re.findall(r"(?<![\w-])(2|3_\d{1,2})(?= \(|, 3_|, déc|,)", commentaire)


def sorties():
    """Expand ``fds_article_XX_…`` into one entry per article."""
    articles = codes_des_articles()
    for nom, entree in DICTIONNAIRE["sorties"].items():
        for article in articles if "XX" in nom else [""]:
            yield nom.replace("XX", article), entree


ENTREES = list(DICTIONNAIRE["entrees"].items())
SORTIES = list(sorties())


def noms_des_membres(nom, valeurs):
    """Members of an Enum: the list as written, or the codes that the sentence describes."""
    if nom == "departement":
        metropole = [f"{numero:02d}" for numero in range(1, 96) if numero != 20]
        return {*metropole, "2A", "2B", *(str(numero) for numero in range(971, 979)), "986", "987", "988"}
    if nom == "code_naf":
        with open(DONNEES / "law" / "naf_rev2.csv", encoding="utf-8", newline="") as fichier:
            codes = [ligne[0] for ligne in csv.reader(ligne for ligne in fichier if not ligne.startswith("#"))]
        codes = [code for code in codes if re.fullmatch(r"\d\d\.\d\d[A-Z]", code)]
        assert len(codes) == 732, "le dictionnaire annonce 732 codes"
        return {"inconnu", *codes}
    return set(valeurs)


def test_le_commentaire_enumere_tous_les_articles():
    attendus = "2 3_1 3_3 3_5 3_7 3_8 3_10 3_11 3_12 3_14 3_15 3_16 3_17 3_18 3_19 3_21 3_22 3_23 3_24 3_25 3_26 3_27"
    assert codes_des_articles() == [*attendus.split(), "3_28", "3_29", "3_30"]
    assert len(ENTREES) > 50
    assert len({nom for nom, _ in SORTIES}) == len(SORTIES) > 60


def test_entites(systeme):
    for cle, entite in DICTIONNAIRE["entites"].items():
        trouvee = next(connue for connue in systeme.entities if connue.key == cle)
        assert trouvee.plural == entite["pluriel"]
        assert trouvee.is_person == (cle == "entreprise")
        if "role" in entite:
            assert [(role.key, role.plural) for role in trouvee.roles] == [
                (entite["role"]["cle"], entite["role"]["pluriel"])
            ]
    assert {entite.key for entite in systeme.entities} == set(DICTIONNAIRE["entites"])


@pytest.mark.parametrize(("nom", "entree"), ENTREES + SORTIES, ids=[nom for nom, _ in ENTREES + SORTIES])
def test_variable(systeme, nom, entree):
    variable = systeme.get_variable(nom)
    assert variable is not None, "variable absente"
    assert variable.value_type == TYPES[entree["type"]]
    assert str(variable.definition_period).upper() == entree["periode"]
    assert variable.entity.key == entree.get("entite", "entreprise")
    assert variable.set_input == SET_INPUT[entree.get("set_input")]
    if entree["type"] == "Enum":
        assert set(variable.possible_values.names) == noms_des_membres(nom, entree["valeurs"])
        assert variable.default_value.name == entree["defaut"]
    else:
        assert variable.default_value == entree.get("defaut", DEFAUTS[entree["type"]])
        assert type(variable.default_value) in (TYPES[entree["type"]], int)


@pytest.mark.parametrize(("nom", "entree"), ENTREES, ids=[nom for nom, _ in ENTREES])
def test_entree(systeme, nom, entree):
    variable = systeme.get_variable(nom)
    assert bool(variable.formulas) == ("formule" in entree)
    assert variable.end is None, "une entrée se lit pour tous les mois"


@pytest.mark.parametrize(("nom", "entree"), SORTIES, ids=[nom for nom, _ in SORTIES])
def test_sortie(systeme, nom, entree):
    variable = systeme.get_variable(nom)
    assert variable.formulas, "une sortie se calcule"
    if nom in FINS:
        assert f"fin : {FINS[nom]}" in entree["note"]
        assert variable.end == FINS[nom]
    if variable.definition_period == "eternity":
        assert variable.end is None, "une sortie éternelle se demande pour n'importe quel mois"
