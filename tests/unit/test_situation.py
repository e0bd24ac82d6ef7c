"""Situations: each enterprise gets what it would get alone, and what cannot be read is refused in one clear line."""

import datetime
import itertools
import random

import numpy
import pytest
from openfisca_core.indexed_enums import Enum
from openfisca_core.periods import MONTH
from openfisca_core.reforms import Reform
from openfisca_core.simulations import SimulationBuilder
from openfisca_core.variables import Variable

from openfisca_fds.entities import Entreprise
from openfisca_fds.saisie import repartir_a_l_identique
from openfisca_fds_tools.situation import ErreurSituation, construire, lire_yaml, repliquer

MOIS = [f"{annee}-{mois:02d}" for annee in (2019, 2020, 2021) for mois in range(1, 13)]


def ecrire(tmp_path, texte):
    chemin = tmp_path / "cas.yaml"
    chemin.write_text(texte, encoding="utf-8")
    return chemin


def valeurs(simulation, nom, periodes=MOIS):
    return numpy.array([numpy.asarray(simulation.calculate(nom, periode)) for periode in periodes]).T


# ---- what each would get alone ----


def entreprise_au_hasard(hasard):
    """Draw what one enterprise gives: any mix of years and months, any of the variables that have a formula."""
    entreprise = {}
    if hasard.random() < 0.8:
        annees = {str(annee): hasard.randint(0, 10**7) / 100 for annee in hasard.sample((2019, 2020, 2021), 2)}
        mois = {periode: hasard.randint(0, 10**6) / 100 for periode in hasard.sample(MOIS, hasard.randint(0, 8))}
        entreprise["chiffre_affaires"] = annees | mois if hasard.random() < 0.7 else mois
    if hasard.random() < 0.7:
        entreprise["effectif_salarie"] = {"2020": hasard.randint(0, 60)}
        for periode in hasard.sample(MOIS, hasard.randint(0, 3)):
            entreprise["effectif_salarie"][periode] = hasard.randint(0, 60)
    if hasard.random() < 0.5:
        entreprise["date_creation"] = {"ETERNITY": f"20{hasard.randint(10, 20)}-0{hasard.randint(1, 9)}-15"}
    if hasard.random() < 0.3:
        entreprise["date_debut_activite"] = {"ETERNITY": "2020-02-01"}
    if hasard.random() < 0.3:
        entreprise["exercice_clos"] = {"ETERNITY": hasard.random() < 0.5}
    if hasard.random() < 0.3:
        entreprise["chiffre_affaires_dernier_exercice"] = {"ETERNITY": hasard.randint(0, 10**8) / 100}
    if hasard.random() < 0.4:
        jours = {periode: hasard.randint(0, 28) for periode in hasard.sample(MOIS, 3)}
        entreprise["jours_interdiction_accueil_public"] = jours
    if hasard.random() < 0.4:
        entreprise["interdiction_accueil_public"] = {hasard.choice(MOIS): hasard.random() < 0.5}
    return entreprise


LUES = (
    "chiffre_affaires",
    "effectif_salarie",
    "effectif_groupe",
    "date_creation",
    "date_debut_activite",
    "exercice_clos",
    "chiffre_affaires_dernier_exercice",
    "jours_interdiction_accueil_public",
    "interdiction_accueil_public",
    "interdiction_sans_interruption",
)


@pytest.mark.parametrize("graine", range(8))
def test_ensemble_comme_seule(systeme, graine):
    """Expected by a second way: openfisca-core's own builder, one enterprise at a time, where it is right."""
    hasard = random.Random(graine)
    entreprises = {f"e{rang}": entreprise_au_hasard(hasard) for rang in range(5)}
    ensemble = construire(systeme, {"entreprises": entreprises})
    for rang, (identifiant, saisies) in enumerate(entreprises.items()):
        seule = SimulationBuilder().build_from_entities(systeme, {"entreprises": {identifiant: saisies}})
        for nom in LUES:
            numpy.testing.assert_array_equal(
                valeurs(ensemble, nom)[rang], valeurs(seule, nom)[0], err_msg=f"{nom} {saisies}"
            )


def test_annee_et_mois_ne_se_melangent_pas(systeme):
    simulation = construire(
        systeme,
        {"entreprises": {"a": {"chiffre_affaires": {"2019": 1200}}, "b": {"chiffre_affaires": {"2019-03": 7}}}},
    )
    assert simulation.calculate("chiffre_affaires", "2019-03").tolist() == [100, 7]
    assert simulation.calculate("chiffre_affaires", "2019-04").tolist() == [100, 0]
    # 12 × 100 for a, the month of March alone for b
    assert simulation.calculate("chiffre_affaires_dernier_exercice", "2020-03").tolist() == [1200, 7]


def test_le_reste_de_l_annee_est_reparti_entre_les_autres_mois(systeme):
    simulation = construire(systeme, {"chiffre_affaires": {"2019": 1200, "2019-03": 100.5}})
    # (1 200 − 100,50) / 11 = 99,9545…
    assert simulation.calculate("chiffre_affaires", "2019-03")[0] == 100.5
    assert simulation.calculate("chiffre_affaires", "2019-04")[0] == pytest.approx(1099.5 / 11, abs=1e-12)


FORMES = {
    "entreprises": lambda saisies: {"entreprises": {"a": saisies}},
    "courte": lambda saisies: saisies,
}


@pytest.mark.parametrize("forme", FORMES)
@pytest.mark.parametrize("lecteur", ["noyau", "nous"])
def test_un_mois_donne_a_cote_de_son_annee(systeme, lecteur, forme):
    """12 employees in March alone, and 11 000 € for the eleven months that June leaves of 2019."""
    saisies = {"effectif_salarie": {"2020-03": 12, "2020": 1}, "chiffre_affaires": {"2019-06": 13000, "2019": 24000}}
    situation = FORMES[forme](saisies)
    construit = construire if lecteur == "nous" else SimulationBuilder().build_from_dict
    simulation = construit(systeme, situation)
    effectifs = [simulation.calculate("effectif_salarie", mois)[0] for mois in ("2020-02", "2020-03", "2020-04")]
    chiffres = [simulation.calculate("chiffre_affaires", mois)[0] for mois in ("2019-05", "2019-06", "2019-07")]
    assert effectifs == [1, 12, 1]
    assert chiffres == [1000, 13000, 1000]


@pytest.mark.parametrize("premier", ["2019", "month:2019-01:3"])
def test_la_periode_la_plus_courte_l_emporte(systeme, premier):
    """A quarter of 30 € and a year of 1 200 €: 10 € a month, then 1 170 / 9 = 130 €, in any order."""
    donnees = {"2019": 1200, "month:2019-01:3": 30}
    situation = {"chiffre_affaires": {premier: donnees[premier]} | donnees}
    simulation = construire(systeme, situation)
    assert simulation.calculate("chiffre_affaires", "2019-02").tolist() == [10]
    assert simulation.calculate("chiffre_affaires", "2019-04").tolist() == [130]


def test_la_formule_complete_celles_qui_ne_donnent_rien(systeme):
    simulation = construire(
        systeme,
        {
            "entreprises": {
                "a": {"date_creation": "2015-06-01", "date_debut_activite": "2016-01-01"},
                "b": {"date_creation": "2017-06-01"},
                "c": {"exercice_clos": False},
            }
        },
    )
    debuts = simulation.calculate("date_debut_activite", "2020-03").astype(str).tolist()
    assert debuts == ["2016-01-01", "2017-06-01", "1970-01-01"]
    assert simulation.calculate("exercice_clos", "2020-03").tolist() == [True, True, False]


def test_les_completions_suivent_l_ordre_des_dependances(systeme):
    """Of two variables given by some only, the one that reads the other sees it whole, whatever is asked first."""
    situation = {
        "entreprises": {
            "a": {"jours_interdiction_accueil_public": {"2021-03": 31}},
            "b": {"interdiction_accueil_public": {"2021-03": True}},
            "c": {"interdiction_sans_interruption": {"2021-03": True}},
        }
    }
    for ordre in itertools.permutations(("interdiction_accueil_public", "interdiction_sans_interruption")):
        simulation = construire(systeme, situation)
        resultats = {nom: simulation.calculate(nom, "2021-03").tolist() for nom in ordre}
        assert resultats["interdiction_accueil_public"] == [True, True, False]
        assert resultats["interdiction_sans_interruption"] == [True, False, True]


def test_une_variable_de_groupe_donnee_par_un_seul_groupe(systeme):
    simulation = construire(
        systeme,
        {
            "entreprises": {nom: {"effectif_salarie": {"2021-03": 10}} for nom in "abcd"},
            "groupes": {"g": {"membres": ["a", "c"], "effectif_groupe": {"2021-03": 99}}, "h": {"membres": ["b"]}},
        },
    )
    assert list(simulation.populations["groupe"].ids) == ["g", "h", "d"]
    assert simulation.calculate("effectif_groupe", "2021-03").tolist() == [99, 10, 10]
    assert simulation.calculate("effectif_groupe", "2021-04").tolist() == [0, 0, 0]


def test_un_identifiant_de_groupe_deja_pris(systeme):
    simulation = construire(systeme, {"entreprises": {"a": {}, "b": {}}, "groupes": {"b": {"membres": ["a"]}}})
    assert list(simulation.populations["groupe"].ids) == ["b", "groupe_b"]
    assert simulation.populations["groupe"].members_entity_id.tolist() == [0, 1]


def test_formes_equivalentes(systeme):
    plate = construire(systeme, {"chiffre_affaires": 12, "code_naf": "47.71Z"}, "2020-03")
    singulier = construire(systeme, {"entreprise": {"chiffre_affaires": {"2020-03": 12}, "code_naf": "4771z"}})
    pluriel = construire(
        systeme,
        {"entreprises": {1: {"chiffre_affaires": {"2020-03": 12}, "code_naf": {"2020-03": "47.71Z"}}}},
    )
    for simulation in (plate, singulier, pluriel):
        assert simulation.calculate("chiffre_affaires", "2020-03").tolist() == [12]
        assert simulation.calculate("code_naf", "2021-01").decode_to_str().tolist() == ["47.71Z"]


def test_forme_courte_a_plusieurs_entreprises(systeme):
    simulation = construire(
        systeme, {"chiffre_affaires": {"2020-03": [1, 2, 3]}, "departement": ["01", 2, "2A"]}, "2020-03"
    )
    assert simulation.calculate("chiffre_affaires", "2020-03").tolist() == [1, 2, 3]
    assert simulation.calculate("departement", "2020-03").decode_to_str().tolist() == ["01", "02", "2A"]
    assert simulation.populations["groupe"].count == 3


def test_le_centime_survit(systeme):
    situation = {"chiffre_affaires": {"2019-01": 16_777_217.01, "2019-02": 0.01}}
    simulation = construire(systeme, situation)
    assert simulation.calculate("chiffre_affaires", "2019-01")[0] == 16_777_217.01
    assert round(simulation.calculate("chiffre_affaires_dernier_exercice", "2020-03")[0], 2) == 16_777_217.02


def test_douze_mois_et_leur_total_au_centime(systeme):
    """0.1 + 0.1 + … does not make 1.2 in float64; the total is accepted all the same, and a false one is refused."""
    mois = {f"2019-{mois:02d}": 0.1 for mois in range(1, 13)}
    simulation = construire(systeme, {"chiffre_affaires": {**mois, "2019": 1.2}})
    assert simulation.calculate("chiffre_affaires", "2019-12")[0] == 0.1
    with pytest.raises(ErreurSituation, match="contredit les mois donnés"):
        construire(systeme, {"chiffre_affaires": {**mois, "2019": 1.21}})


def test_une_valeur_vide_laisse_la_formule(systeme):
    simulation = construire(systeme, {"date_creation": "2018-01-01", "date_debut_activite": None})
    assert simulation.calculate("date_debut_activite", "2020-03").astype(str).tolist() == ["2018-01-01"]


def test_la_situation_lue_n_est_pas_modifiee(systeme):
    situation = {"entreprises": {"a": {"chiffre_affaires": {"2019": 12}}}, "groupes": {"g": {"membres": ["a"]}}}
    copie = {"entreprises": {"a": {"chiffre_affaires": {"2019": 12}}}, "groupes": {"g": {"membres": ["a"]}}}
    construire(systeme, situation)
    assert situation == copie


class Statut(Enum):
    ouvert = "Ouvert"
    ferme = "Fermé"


class statut(Variable):
    value_type = Enum
    possible_values = Statut
    default_value = Statut.ouvert
    entity = Entreprise
    definition_period = MONTH
    set_input = repartir_a_l_identique
    label = "Statut"

    def formula_2021(entreprise, period):  # noqa: N805 -- the form of OpenFisca formulas
        return numpy.where(entreprise("interdiction_accueil_public", period), Statut.ferme.name, Statut.ouvert.name)


class avec_statut(Reform):
    def apply(self):
        self.add_variable(statut)


def test_une_enumeration_mensuelle_d_une_reforme(systeme):
    """Given for a year, completed by its formula, replicated: names all along, never ranks."""
    simulation = construire(
        avec_statut(systeme),
        {
            "entreprises": {
                "a": {"statut": {"2021": "ferme", "2021-01": "ouvert"}},
                "b": {"jours_interdiction_accueil_public": {"2021-03": 31}},
                "c": {},
            }
        },
    )
    copies = repliquer(simulation, 2)
    assert simulation.calculate("statut", "2021-01").decode_to_str().tolist() == ["ouvert"] * 3
    assert simulation.calculate("statut", "2021-03").decode_to_str().tolist() == ["ferme", "ferme", "ouvert"]
    assert copies.calculate("statut", "2021-03").decode_to_str().tolist() == ["ferme", "ferme", "ouvert"] * 2
    autre = construire(avec_statut(systeme), {"entreprises": {"a": {"statut": {"2021": "ferme"}}, "b": {}}})
    assert autre.calculate("statut", "2021-07").decode_to_str().tolist() == ["ferme", "ouvert"]


def test_une_simulation_repliquee_donne_les_memes_valeurs(systeme):
    situation = {
        "entreprises": {
            "a": {"chiffre_affaires": {"2019": 1200}, "effectif_salarie": {"2020": 2}, "exercice_clos": False},
            "b": {"chiffre_affaires": {"2019-03": 7}, "effectif_salarie": {"2020-03": 5}},
            "c": {"departement": "974"},
        },
        "groupes": {"g": {"membres": ["a", "c"]}},
    }
    copies = repliquer(construire(systeme, situation), 3)
    for nom in LUES:
        attendues = valeurs(construire(systeme, situation), nom)
        numpy.testing.assert_array_equal(valeurs(copies, nom), numpy.concatenate([attendues] * 3), err_msg=nom)


# ---- what is refused ----

REFUS = [
    ({"chiffre_affaires": {"2020-03": "9**9**9"}}, r"chiffre_affaires/2020-03 : valeur '9\*\*9\*\*9'"),
    ({"chiffre_affaires": {"2020-03": True}}, "valeur True ; attendu : un nombre"),
    ({"chiffre_affaires": {"2020-03": float("nan")}}, "valeur nan ; attendu : un nombre"),
    ({"chiffre_affaires": {"2020-03": float("inf")}}, "valeur inf"),
    ({"chiffre_affaires": {"2020-03": 1e13}}, "mille milliards"),
    ({"chiffre_affaires": 3}, "valeur sans période"),
    ({"chiffre_affaires": {"ETERNITY": 3}}, "varie dans le temps"),
    ({"chiffre_affaires": {"2020-13": 3}}, "période « 2020-13 »"),
    ({"chiffre_affaires": {"2020-03-01": 3}}, "période « 2020-03-01 »"),
    ({"chiffre_affaires": {"month:2020-03-12": 3}}, "période « month:2020-03-12 »"),
    ({"chiffre_affaires": {"month:2017-01:95000": 3}}, "au plus 120 mois"),
    ({"chiffre_affaires": {"2020-03": 3, "month:2020-03": 4}}, "donnée deux fois"),
    ({"pensions_retraite": {"2020": 3}}, "ne se répartit pas"),
    ({"effectif_salarie": {"2020-03": -1}}, "un nombre au moins 0"),
    ({"jours_confinement": {"2020-03": 32}}, "de 0 à 31"),
    ({"jours_confinement": {"2020-03": 2.5}}, "un nombre entier"),
    ({"part_chiffre_affaires_clients_proteges": 60}, "de 0 à 1"),
    ({"densite_commune": 5}, "de 1 à 4"),
    ({"artiste_auteur": 1}, "true ou false"),
    ({"date_creation": "2020-02-30"}, "qui existe"),
    ({"date_creation": "01/03/2020"}, "une date AAAA-MM-JJ"),
    ({"date_creation": 20200301}, "une date AAAA-MM-JJ"),
    ({"date_creation": datetime.datetime(2020, 3, 1, 12)}, "une date AAAA-MM-JJ"),
    ({"date_creation": {"2020-01": "2019-01-01", "2020-02": "2019-01-02"}}, "donnée deux fois"),
    ({"departement": 99}, "attendu : un"),
    ({"departement": True}, "un code connu"),
    ({"code_naf": "47.71"}, "peut-être « 47.71Z »"),
    ({"forme_juridique": "sociéte"}, "peut-être « societe »"),
    ({"forme_juridique": 1}, "« entreprise_individuelle », « societe »"),
    ({"chifre_affaires": {"2020-03": 3}}, "attendu : « chiffre_affaires »"),
    ({"entreprises": {"a": {"effectif_groupe": {"2020-03": 3}}}}, "n'est pas une variable de « entreprise »"),
    ({"entreprises": {}}, "aucune entreprise"),
    ({"entreprises": {"a": 3}}, "entreprises/a : valeur 3"),
    ({"entreprises": {"": {}}}, "identifiant non vide"),
    ({"entreprises": {1: {}, "1": {}}}, "unique"),
    ({"entreprises": {"a": {}}, "entreprise": {}}, "à la fois"),
    ({"entreprises": {"a": {}}, "axes": []}, "clé « axes » inconnue"),
    ({"entreprises": {"a": {}}, "groupes": {"g": {"membres": ["b"]}}}, "membre « b » inconnu"),
    ({"entreprises": {"a": {}}, "groupes": {"g": {"membres": ["a", "a"]}}}, "deux fois"),
    ({"entreprises": {"a": {}}, "groupes": {"g": {"membres": ["a"]}, "h": {"membres": ["a"]}}}, "deux groupes"),
    ({"entreprises": {"a": {}}, "groupes": {"g": {}}}, "groupe sans membre"),
    ({"entreprises": {"a": {}}, "groupes": {"g": {"membres": [["a"]]}}}, "liste d'identifiants"),
    ({"entreprises": {"a": {}}, "groupes": {"g": {"membres": ["a"], "membre": []}}}, "attendu : « membres »"),
    ({"chiffre_affaires": {"2020-03": [1, 2]}, "departement": "01"}, "une liste de 2 valeurs"),
    ([], "situation \\[\\]"),
]


@pytest.mark.parametrize(("situation", "message"), REFUS, ids=[message for _, message in REFUS])
def test_refus(systeme, situation, message):
    with pytest.raises(ErreurSituation, match=message) as erreur:
        construire(systeme, situation)
    assert "\n" not in str(erreur.value)


def test_une_valeur_que_le_modele_ne_lirait_plus(systeme):
    assert construire(systeme, {"fds_aide_percue": {"2021-06": False}})
    with pytest.raises(ErreurSituation, match="n'est plus lue en 2021-06"):
        construire(systeme, {"fds_aide_percue": {"2021-06": True}})


# ---- YAML ----


def test_le_message_nomme_le_fichier_et_la_ligne(systeme, tmp_path):
    chemin = ecrire(tmp_path, "entreprises:\n  a:\n    chiffre_affaires:\n      2020-03: 1\n      2020-04: un\n")
    with pytest.raises(ErreurSituation) as erreur:
        construire(systeme, lire_yaml(chemin))
    assert str(erreur.value).startswith(f"{chemin}:5 : entreprises/a/chiffre_affaires/2020-04 : valeur 'un' ; attendu")
    assert (erreur.value.place.ligne, erreur.value.place.chemin[-1]) == (5, "2020-04")


def test_yaml_sans_guillemets(systeme, tmp_path):
    """01 is a code and not octal, 2019 a year, 2019-03-01 a date."""
    chemin = ecrire(tmp_path, "departement: 01\nchiffre_affaires:\n  2019: 1200\ndate_creation: 2018-03-01\n")
    simulation = construire(systeme, lire_yaml(chemin))
    assert simulation.calculate("departement", "2020-03").decode_to_str().tolist() == ["01"]
    assert simulation.calculate("chiffre_affaires", "2019-07").tolist() == [100]
    assert simulation.calculate("date_creation", "2020-03").astype(str).tolist() == ["2018-03-01"]


@pytest.mark.parametrize(
    ("texte", "message"),
    [
        ("a: !!python/object/apply:os.system ['true']\n", "YAML incorrect"),
        ("a: 1\nb: 2\na: 3\n", ":3 : a : clé donnée deux fois"),
        ("a: [1\n", "YAML incorrect"),
        ("date_creation: 2020-02-30\n", "des dates AAAA-MM-JJ qui existent"),
        ("? [1, 2]\n: 3\n", "une clé ne peut pas être une liste"),
    ],
)
def test_yaml_refuse(tmp_path, texte, message):
    with pytest.raises(ErreurSituation, match=message):
        lire_yaml(ecrire(tmp_path, texte))


@pytest.mark.parametrize("ecrit", ["010", "0012", "12:30"])
def test_un_entier_ambigu_n_est_ni_octal_ni_sexagesimal(systeme, tmp_path, ecrit):
    with pytest.raises(ErreurSituation, match=f"valeur '{ecrit}'"):
        construire(systeme, lire_yaml(ecrire(tmp_path, f"departement: {ecrit}\n")))


def test_fichier_absent(tmp_path):
    with pytest.raises(ErreurSituation, match="fichier introuvable"):
        lire_yaml(tmp_path / "absent.yaml")


def test_les_cles_fusionnees_d_une_ancre(tmp_path):
    contenu = lire_yaml(ecrire(tmp_path, "base: &base {a: 1, b: 2}\ncas:\n  <<: *base\n  b: 3\n"))
    assert contenu["cas"] == {"a": 1, "b": 3}


def test_un_entier_demesure_est_refuse_sans_plantage(systeme):
    with pytest.raises(ErreurSituation, match="chiffre_affaires"):
        construire(systeme, {"chiffre_affaires": {"2021-03": 10**400}})
    with pytest.raises(ErreurSituation, match="nombre_associes"):
        construire(systeme, {"nombre_associes": 10**400})


def test_des_annees_seules_valent_ce_que_donne_openfisca(systeme):
    situation = {"chiffre_affaires": {"2019": 100000, "2020": 70000.01}, "effectif_salarie": {"2020": 3}}
    ici = construire(systeme, situation)
    la_bas = SimulationBuilder().build_from_entities(systeme, {"entreprises": {"a": situation}})
    for mois in ("2019-01", "2019-12", "2020-06"):
        for variable in ("chiffre_affaires", "effectif_salarie"):
            assert ici.calculate(variable, mois)[0] == la_bas.calculate(variable, mois)[0]
