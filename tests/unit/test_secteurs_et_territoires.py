"""Lists of activities and of territories, against the surveys of the texts (``donnees/law``) they were written from.

The expected memberships are recomputed here from the dates of the surveys; the parameters were dated by decree.
"""

import calendar
import csv
import datetime
import pickle
import re
from pathlib import Path

import numpy
import pytest
from openfisca_core.parameters import Parameter, ParameterNode, load_parameter_file

from openfisca_fds.nomenclatures.departements import Departement
from openfisca_fds.nomenclatures.naf import CodeNaf

RACINE = Path(__file__).parents[2]
PARAMETRES = RACINE / "openfisca_fds" / "parameters"
RELEVES = RACINE / "tests" / "donnees" / "law"

MOIS = [f"{annee}-{mois:02d}" for annee in (2020, 2021, 2022) for mois in range(1, 13)]
MOIS_DU_FONDS = [mois for mois in MOIS if "2020-03" <= mois <= "2022-02"]

SECTEURS = load_parameter_file(str(PARAMETRES / "fonds_de_solidarite" / "secteurs"), "secteurs")
TERRITOIRES = load_parameter_file(str(PARAMETRES / "fonds_de_solidarite" / "territoires"), "territoires")
MULTI_ACTIVITES = load_parameter_file(
    str(PARAMETRES / "commerces_multi_activites" / "activites_principales.yaml"), "activites_principales"
)

#: Lines wider or uncertain by their NAF code, kept all the same as defaults (survey of the annexes, § 5).
EXCEPTIONS_ANNEXE_1 = {"27": {"90.03B"}, "39": {"92.00Z"}}
EXCEPTIONS_ANNEXE_2 = {"81": {"78.10Z"}}
#: 90.03B stands for annexe 1 by default, hence not for annexe 2.
RETIREE_DE_L_ANNEXE_2 = "75"

FORCE = {"M": 0, "S": 1, "T": 2}


def releve(nom):
    with (RELEVES / f"{nom}.csv").open(encoding="utf-8", newline="") as fichier:
        return list(csv.DictReader(fichier))


DECRETS = releve("decrets_annexes")
ANNEXE_1 = releve("secteurs_annexe1")
ANNEXE_2 = releve("secteurs_annexe2")
MULTI = releve("annexe_multi_activites")
ETAT_URGENCE = releve("etat_urgence_sanitaire")
COUVRE_FEU = releve("couvre_feu_octobre_2020")
ZONES = releve("territoires")
NAF = releve("naf_rev2")

#: First month of aid by date of entry into force of the decree that changed the annexe.
PREMIER_MOIS = {decret["entree_en_vigueur"]: decret["premier_mois"] for decret in DECRETS if decret["premier_mois"]}


def codes_indicatifs(ligne):
    return set(ligne["naf_indicatifs"].split(";")) - {""}


def vaut_pour(ligne, mois):
    """Tell whether a line of the survey is in the annexe for a month of aid."""
    if mois < PREMIER_MOIS[ligne["debut"]]:
        return False
    if not ligne["fin"]:
        return True
    lendemain = datetime.date.fromisoformat(ligne["fin"]) + datetime.timedelta(days=1)
    return mois < PREMIER_MOIS[str(lendemain)]


def a_part_de_chiffre_affaires(ligne):
    return ligne["condition_supplementaire"].startswith("PART_CA_50")


def codes_annexe_1_attendus(mois):
    codes = set()
    for ligne in ANNEXE_1:
        if not vaut_pour(ligne, mois):
            continue
        if not ligne["condition_supplementaire"]:
            codes |= codes_indicatifs(ligne)
        codes |= EXCEPTIONS_ANNEXE_1.get(ligne["ligne"], set())
    return codes


def codes_annexe_2_attendus(mois):
    """Return the codes without condition, then those that require a share of turnover."""
    sans_condition, a_part = set(), set()
    for ligne in ANNEXE_2:
        if not vaut_pour(ligne, mois) or ligne["ligne"] == RETIREE_DE_L_ANNEXE_2:
            continue
        if not ligne["condition_supplementaire"]:
            sans_condition |= codes_indicatifs(ligne)
        elif a_part_de_chiffre_affaires(ligne):
            a_part |= codes_indicatifs(ligne)
        sans_condition |= EXCEPTIONS_ANNEXE_2.get(ligne["ligne"], set())
    return sans_condition, a_part


def codes_des_lignes(noeud, mois):
    """Codes of all the lines of a node for a month of aid."""
    lignes = noeud(f"{mois}-01")
    return {code for ligne in lignes for code in lignes[ligne]}


def annexe_1(mois):
    return codes_des_lignes(SECTEURS.annexe_1, mois)


def annexe_2(mois):
    return codes_des_lignes(SECTEURS.annexe_2.sans_condition, mois)


def annexe_2_a_part(mois):
    return codes_des_lignes(SECTEURS.annexe_2.part_chiffre_affaires, mois)


def feuilles():
    for noeud in (SECTEURS, TERRITOIRES, MULTI_ACTIVITES):
        yield from (enfant for enfant in noeud.get_descendants() if isinstance(enfant, Parameter))


@pytest.mark.parametrize("mois", MOIS_DU_FONDS)
def test_codes_de_l_annexe_1(mois):
    assert annexe_1(mois) == codes_annexe_1_attendus(mois)


@pytest.mark.parametrize("mois", MOIS_DU_FONDS)
def test_codes_de_l_annexe_2(mois):
    assert (annexe_2(mois), annexe_2_a_part(mois)) == codes_annexe_2_attendus(mois)


def test_aucune_annexe_avant_mai_2020():
    for mois in ("2020-03", "2020-04"):
        assert not annexe_1(mois) | annexe_2(mois) | annexe_2_a_part(mois)
    assert annexe_1("2020-05")
    assert annexe_2("2020-05")


@pytest.mark.parametrize(
    ("noeud", "lignes"),
    [(SECTEURS.annexe_1, ANNEXE_1), (SECTEURS.annexe_2, ANNEXE_2)],
    ids=["annexe_1", "annexe_2"],
)
def test_chaque_ligne_est_un_parametre_ou_dite_sans_code(noeud, lignes):
    retenues = {
        parametre.name.rsplit(".", 1)[1].removeprefix("ligne_"): parametre
        for parametre in noeud.get_descendants()
        if isinstance(parametre, Parameter)
    }
    ecartees = {str(ligne["ligne"]): ligne for ligne in noeud.metadata["lignes_sans_code"]}
    for ligne in lignes:
        numero = ligne["ligne"]
        parametre = retenues.pop(numero.zfill(3), None)
        if parametre is None:
            ecartee = ecartees.pop(numero)
            assert ecartee["activite"] == ligne["activite"]
            assert set(ecartee.get("codes_indicatifs", [])) == codes_indicatifs(ligne)
            assert ecartee["decret"] == ligne["decret"]
            assert ecartee["motif"] == ligne["condition_supplementaire"] or numero == RETIREE_DE_L_ANNEXE_2
        else:
            assert parametre.description == ligne["activite"]
            assert parametre.metadata["confiance_detail"] == ligne["confiance"]
            assert parametre.metadata.get("condition", "") == ligne["condition_supplementaire"].partition(":")[0]
            tags = re.findall(r"(?:libelle|naf|date)=([TSM])", ligne["confiance"])
            assert len(tags) == 3
            assert parametre.metadata["confiance"] == min(tags, key=FORCE.get)
    assert not ecartees
    assert set(retenues) <= {"010_boissons_a_emporter"}


def test_une_ligne_cite_les_decrets_qui_l_ajoutent_et_la_deplacent():
    for noeud, lignes in ((SECTEURS.annexe_1, ANNEXE_1), (SECTEURS.annexe_2, ANNEXE_2)):
        decrets = {ligne["ligne"].zfill(3): re.findall(r"20\d\d-\d+", ligne["decret"]) for ligne in lignes}
        for parametre in noeud.get_descendants():
            if not isinstance(parametre, Parameter):
                continue
            numero = parametre.name.rsplit("ligne_", 1)[1][:3]
            for valeur in parametre.values_list:
                decret = valeur.metadata["decret"]
                assert decret in decrets[numero]
                assert valeur.instant_str == PREMIER_MOIS[valeur.metadata["en_vigueur"]] + "-01"
                assert f"n° {decret} " in valeur.metadata["reference"][0]["title"]


def test_boissons_a_emporter_sur_une_ligne_distincte():
    lignes = SECTEURS.annexe_1("2021-01-01")
    porteuses = [ligne for ligne in lignes if "47.25Z" in lignes[ligne]]
    assert porteuses == ["ligne_010_boissons_a_emporter"]
    assert lignes.ligne_010_boissons_a_emporter == ["47.25Z"]
    assert lignes.ligne_010 == ["56.30Z"]
    assert SECTEURS.boissons_a_emporter_en_annexe_1("2020-05-01") is True
    assert SECTEURS.boissons_a_emporter_en_annexe_1.metadata["doute"]


class TestExemplesDuReleve:
    """Worked examples of the survey of the annexes (§ 11), on the lists."""

    def test_1_debit_de_boissons(self):
        assert "56.30Z" in annexe_1("2020-06")
        assert "56.30Z" not in annexe_2("2020-06")

    def test_2_viticulture_change_d_annexe_en_janvier_2021(self):
        assert "01.21Z" in annexe_2("2020-12") - annexe_1("2020-12")
        assert "01.21Z" in annexe_1("2021-01") - annexe_2("2021-01")

    def test_3_gros_de_cafe_a_part_de_chiffre_affaires_depuis_fevrier_2021(self):
        assert "46.37Z" in annexe_2_a_part("2021-02") - annexe_2("2021-02")
        assert "46.37Z" not in annexe_2_a_part("2021-01") | annexe_2("2021-01")
        seuil = SECTEURS.seuil_part_chiffre_affaires("2021-02-01")
        assert 0.4999 < seuil <= 0.5

    def test_4_gros_de_boissons_sans_statut(self):
        assert "46.34Z" in annexe_2("2021-02") - annexe_1("2021-02")

    def test_5_reparation_navale_et_commerce_de_detail_outre_mer(self):
        zone = TERRITOIRES.commerce_detail_outre_mer("2021-02-01")
        assert SECTEURS.reparation_navale("2021-02-01") == ["33.15Z"]
        assert "971" in zone
        assert "973" not in zone
        assert "974" in zone
        assert "45.11Z" not in SECTEURS.commerce_de_detail("2021-02-01")

    def test_6_jours_d_etat_d_urgence_de_juillet_2021(self):
        jours = TERRITOIRES.jours_etat_urgence_sanitaire("2021-07-01")
        assert jours.departement_972 == 18
        assert jours.departement_973 == 31

    def test_7_boulangerie_multi_activites(self):
        assert MULTI_ACTIVITES("2021-01-01").ligne_3 == ["10.71C"]


@pytest.mark.parametrize(
    ("code", "mois", "en_annexe_1", "en_annexe_2"),
    [
        ("90.03B", "2020-05", True, False),
        ("90.03B", "2021-01", True, False),
        ("92.00Z", "2020-06", False, False),
        ("92.00Z", "2020-07", True, False),
        ("46.17B", "2021-01", False, True),
        ("70.21Z", "2020-09", False, True),
        ("74.90B", "2020-12", False, True),
        ("78.10Z", "2020-11", False, False),
        ("78.10Z", "2020-12", False, True),
        ("49.32Z", "2020-08", False, True),
        ("49.32Z", "2020-09", True, False),
        ("59.13A", "2020-06", False, True),
        ("59.13A", "2020-07", True, False),
        ("74.30Z", "2020-07", False, True),
        ("74.30Z", "2020-09", True, False),
        ("14.14Z", "2021-05", False, False),
        ("14.14Z", "2021-06", False, True),
        ("47.71Z", "2021-06", False, False),
        ("10.71C", "2021-06", False, False),
    ],
)
def test_defauts_et_transferts(code, mois, en_annexe_1, en_annexe_2):
    assert (code in annexe_1(mois)) == en_annexe_1
    assert (code in annexe_2(mois)) == en_annexe_2


def test_commerce_de_detail_est_la_division_47():
    attendus = [ligne["code"] for ligne in NAF if ligne["division"] == "47"]
    assert SECTEURS.commerce_de_detail("2020-03-01") == attendus
    assert len(attendus) == 50


def test_autres_activites_nommees():
    assert SECTEURS.location_biens_immobiliers_residentiels("2020-03-01") == ["68.20A"]
    assert SECTEURS.coiffure_et_soins_de_beaute("2021-01-01") == ["96.02A", "96.02B"]
    assert SECTEURS.habillement("2021-01-01") == ["14.13Z", "14.14Z", "14.31Z", "14.39Z"]


def test_activites_principales_multi_activites():
    lignes = MULTI_ACTIVITES("2021-01-01")
    assert list(lignes) == [f"ligne_{ligne['ligne']}" for ligne in MULTI]
    for ligne in MULTI:
        codes = codes_indicatifs(ligne)
        if codes == {"01"}:
            codes = {sous_classe["code"] for sous_classe in NAF if sous_classe["division"] == "01"}
        assert set(lignes[f"ligne_{ligne['ligne']}"]) == codes
        assert MULTI_ACTIVITES.children[f"ligne_{ligne['ligne']}"].description == ligne["activite"]


def jours_attendus(territoire, mois):
    """Count one by one the days of the month that fall in a period of the survey."""
    annee, numero = map(int, mois.split("-"))
    jours = [f"{mois}-{jour:02d}" for jour in range(1, calendar.monthrange(annee, numero)[1] + 1)]
    periodes = [ligne for ligne in ETAT_URGENCE if ligne["territoire"].split()[0] == territoire]
    return sum(any(periode["debut"] <= jour <= periode["fin"] for periode in periodes) for jour in jours)


@pytest.mark.parametrize("territoire", ["METROPOLE", *(str(code) for code in [*range(971, 979), 986, 987, 988])])
def test_jours_d_etat_d_urgence_sanitaire(territoire):
    cle = "metropole" if territoire == "METROPOLE" else f"departement_{territoire}"
    parametre = TERRITOIRES.jours_etat_urgence_sanitaire.children[cle]
    releves = {mois: jours_attendus(territoire, mois) for mois in MOIS if mois >= "2020-03"}
    assert {mois: parametre(f"{mois}-01") for mois in releves} == releves


def test_jours_d_etat_d_urgence_sanitaire_publies():
    """Table of the survey (§ 10), counted by hand from the acts."""
    mois = ["2021-06", "2021-07", "2021-08", "2021-09", "2021-10", "2021-11", "2021-12"]
    table = {
        "973": [30, 31, 31, 30, 31, 30, 31],
        "972": [1, 18, 31, 30, 31, 30, 31],
        "974": [1, 18, 31, 30, 14, 0, 4],
        "971": [1, 3, 31, 30, 31, 15, 0],
        "977": [1, 3, 31, 30, 31, 15, 0],
        "978": [1, 3, 31, 30, 31, 15, 0],
        "987": [1, 0, 20, 30, 31, 15, 0],
        "988": [1, 0, 0, 22, 31, 15, 0],
    }
    for code, jours in table.items():
        parametre = TERRITOIRES.jours_etat_urgence_sanitaire.children[f"departement_{code}"]
        assert [parametre(f"{m}-01") for m in mois] == jours, code


def test_etat_d_urgence_defini_pour_chaque_territoire_et_lui_seul():
    outre_mer = {f"departement_{code}" for code in Departement.names if len(code) == 3}
    assert set(TERRITOIRES.jours_etat_urgence_sanitaire.children) == {"metropole"} | outre_mer


def test_couvre_feu_d_octobre_2020():
    codes = TERRITOIRES.couvre_feu_octobre_2020("2020-10-01")
    assert set(codes) == {ligne["departement"].split()[0] for ligne in COUVRE_FEU}
    assert len(codes) == len(set(codes)) == 55  # 54 départements et la Polynésie française
    assert {"2A", "2B", "13", "987"} <= set(codes)
    assert "33" not in codes


@pytest.mark.parametrize(
    ("parametre", "sigle", "nombre"),
    [
        ("commerce_detail_outre_mer", "COMMERCE_DETAIL_OM", 6),
        ("outre_mer_reference", "OM_11", 11),
        ("guyane_et_mayotte", "GUYANE_MAYOTTE", 2),
    ],
)
def test_zones(parametre, sigle, nombre):
    codes = TERRITOIRES.children[parametre]("2020-03-01")
    assert set(codes) == {ligne["code"] for ligne in ZONES if sigle in ligne["zones"]}
    assert len(codes) == nombre


def test_mayotte():
    assert TERRITOIRES.mayotte("2020-03-01") == ["976"]


def test_les_codes_sont_du_texte_et_des_membres_de_leur_nomenclature():
    """An unquoted 01 or 971 would be a number, and would belong to no list."""
    noms = {"liste_de_codes_naf": set(CodeNaf.names), "liste_de_departements": set(Departement.names)}
    for parametre in feuilles():
        nomenclature = noms.get(parametre.metadata["unit"])
        if nomenclature is None:
            continue
        for valeur in parametre.values_list:
            assert isinstance(valeur.value, list)
            assert all(isinstance(code, str) for code in valeur.value), parametre.name
            assert len(set(valeur.value)) == len(valeur.value), parametre.name
            assert set(valeur.value) <= nomenclature, parametre.name


def test_les_noeuds_sont_decrits():
    for noeud in (SECTEURS.annexe_1, SECTEURS.annexe_2, MULTI_ACTIVITES, TERRITOIRES.jours_etat_urgence_sanitaire):
        descendants = [noeud, *(enfant for enfant in noeud.get_descendants() if isinstance(enfant, ParameterNode))]
        assert all(descendant.description and descendant.metadata["unit"] for descendant in descendants)


def test_nomenclature_naf():
    assert list(CodeNaf.names) == ["inconnu", *(ligne["code"] for ligne in NAF)]
    for ligne in NAF:
        assert CodeNaf[ligne["code"]].value == " ".join(ligne["libelle"].replace("’", "'").split())


def test_nomenclature_des_departements():
    metropole = [f"{numero:02d}" for numero in range(1, 96)]
    rang = metropole.index("20")
    metropole[rang : rang + 1] = ["2A", "2B"]
    assert list(Departement.names) == [*metropole, *(str(code) for code in [*range(971, 979), 986, 987, 988])]
    for ligne in ZONES:
        if ligne["code"] in Departement.names:
            assert Departement[ligne["code"]].value == ligne["nom"]
    for ligne in COUVRE_FEU:
        code, nom = ligne["departement"].split(" ", 1)
        assert Departement[code].value == nom.partition(" (")[0]


@pytest.mark.parametrize(("nomenclature", "effectif"), [(CodeNaf, 733), (Departement, 107)])
def test_nomenclature_sans_alias_et_serialisable(nomenclature, effectif):
    """Two equal labels would make an alias: one member fewer, and the following ranks shifted."""
    assert len(nomenclature) == len(nomenclature.__members__) == effectif
    assert [membre.index for membre in nomenclature] == list(range(effectif))
    noms = numpy.array(nomenclature.names[::-1], dtype=str)
    encodes = nomenclature.encode(noms)
    assert encodes.dtype == numpy.int16
    assert (numpy.asarray(encodes) == numpy.arange(effectif)[::-1]).all()
    assert (encodes.decode_to_str() == noms).all()
    assert pickle.loads(pickle.dumps(nomenclature)) is nomenclature
    for membre in nomenclature:
        assert nomenclature[membre.name] is membre
        assert pickle.loads(pickle.dumps(membre)) is membre
