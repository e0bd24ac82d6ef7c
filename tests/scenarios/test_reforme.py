"""Reform files: what they change, what they refuse, how they compose."""

import pickle
from pathlib import Path

import pytest

from openfisca_fds_tools.population import model
from openfisca_fds_tools.scenarios import ErreurReforme, composer, identite, lire_fichier, lire_reforme, loi_au
from openfisca_fds_tools.scenarios.parametres import loi
from openfisca_fds_tools.scenarios.reforme import desaccords
from openfisca_fds_tools.situation import construire

EXEMPLES = Path(__file__).parents[2] / "examples" / "reformes"
ENTETE = "nom: Essai\ndescription: Essai.\n"
PLAFOND = "fonds_de_solidarite.plafonds.groupe"


@pytest.fixture
def ecrire(tmp_path):
    def fichier(corps, nom="r.yaml", entete=ENTETE):
        chemin = tmp_path / nom
        chemin.write_text(entete + corps, encoding="utf-8")
        return str(chemin)

    return fichier


def valeurs(reforme, chemin, *mois):
    parametre = reforme(loi()).parameters
    for nom in chemin.split("."):
        parametre = parametre.children[nom]
    return [parametre.get_at_instant(f"{m}-01") for m in mois]


def une(chemin, **cles):
    lignes = [f"{cle}: {valeur}" for cle, valeur in ({"chemin": chemin} | cles).items()]
    return "parametres:\n  - " + "\n    ".join(lignes) + "\n"


# ---- what it changes ----


def test_only_the_months_asked_change(ecrire):
    reforme = lire_fichier(ecrire(une(PLAFOND, debut="2021-01", fin="2021-02", valeur=300000)))
    assert valeurs(reforme, PLAFOND, "2020-12", "2021-01", "2021-02", "2021-03", "2022-02") == [
        200000,
        300000,
        300000,
        200000,
        200000,
    ]


def test_an_operation_follows_each_dated_value(ecrire):
    chemin = "fonds_de_solidarite.depuis_juin_2021.secteurs.taux_perte"
    reforme = lire_fichier(ecrire(une(chemin, debut="2021-07", fin="2021-08", operation='"+10 %"')))
    assert valeurs(reforme, chemin, "2021-06", "2021-07", "2021-08", "2021-09") == [0.4, 0.33, 0.22, 0.2]


@pytest.mark.parametrize(
    ("operation", "attendu"),
    [("-500", 199500), ("+ 1 000", 201000), ("×1.1", 220000), ("x0,5", 100000), ("-25 %", 150000)],
)
def test_operations(ecrire, operation, attendu):
    reforme = lire_fichier(ecrire(une(PLAFOND, debut="2021-01", operation=f'"{operation}"')))
    assert valeurs(reforme, PLAFOND, "2021-01", "2022-02") == [attendu, attendu]


def test_the_law_is_not_changed_and_the_former_value_is_kept(ecrire):
    avant = model.empreinte_parametres(loi())
    reforme = lire_fichier(ecrire(une("plafonds.groupe", debut="2021-01", fin="2021-01", valeur=1)))(loi())
    assert model.empreinte_parametres(loi()) == avant != model.empreinte_parametres(reforme)
    datees = reforme.parameters.fonds_de_solidarite.plafonds.groupe.values_list
    changee = next(v for v in datees if v.instant_str == "2021-01-01")
    assert changee.metadata["versions_anterieures"] == [
        {"value": 200000, "decret": "2021-129", "en_vigueur": "2021-02-10"}
    ]
    assert changee.metadata["reforme"] == "Essai"


def test_a_list_of_codes(ecrire):
    chemin = "fonds_de_solidarite.secteurs.reparation_navale"
    reforme = lire_fichier(ecrire(une(chemin, debut="2020-03", valeur='["33.15Z", "30.11Z"]')))
    assert valeurs(reforme, chemin, "2021-06") == [["33.15Z", "30.11Z"]]


def test_neutralised_for_some_months_then_as_before(ecrire):
    corps = "neutralise:\n  - {variable: fds_article_3_28_montant, debut: 2021-07, fin: 2021-08}\n"
    variable = lire_fichier(ecrire(corps))(loi()).variables["fds_article_3_28_montant"]
    droit = loi().variables["fds_article_3_28_montant"]
    for mois, change in (("2021-06", False), ("2021-07", True), ("2021-08", True), ("2021-09", False)):
        assert (variable.get_formula(mois) is not droit.get_formula(mois)) is change
    assert variable.get_formula("2021-07").__name__ == "montant_nul"


def test_travels_between_processes(ecrire):
    fichier = ecrire(une(PLAFOND, debut="2021-01", valeur=1))
    for reforme in (lire_fichier(fichier), lire_reforme(f"{fichier}+loi:2021-02-20"), identite()):
        assert pickle.loads(pickle.dumps(reforme)) is reforme
    assert lire_fichier(fichier) is lire_fichier(fichier)


def test_the_engine_takes_it(ecrire):
    reforme = lire_fichier(ecrire(une(PLAFOND, debut="2021-01", valeur=12345)))
    systeme = model.systeme(reforme)
    assert systeme.parameters.fonds_de_solidarite.plafonds.groupe.get_at_instant("2021-01-01") == 12345


def test_explain_shows_the_reform():
    from openfisca_fds_tools.explain import explain

    hotel = {"code_naf": "55.10Z", "effectif_salarie": 60, "chiffre_affaires": {"2019-01": 30000, "2021-01": 0}}
    systeme = lire_fichier(EXEMPLES / "limite_de_la_perte_15_000.yaml")(loi())
    explication = explain(construire(systeme, hotel, "2021-01"), "2021-01")
    assert explication.montant == 15000
    fermee = explain(construire(loi_au("2021-02-09")(loi()), hotel, "2021-01"), "2021-01")
    assert fermee.montant == 0
    assert [article.numero for article in fermee.articles] == []


# ---- what it refuses ----

HOSTILES = [
    (une("fonds_de_solidarite.plafonds.groupes", debut="2021-01", valeur=1), ("inconnu", "plafonds.groupe »")),
    (une("perte.seuil_generale", debut="2021-01", valeur=0.5), ("inconnu", "perte.seuil_general »")),
    (une("plafonds.europeen", debut="2021-01", valeur=1), ("groupe de paramètres", "europeen.agriculture")),
    (une(PLAFOND, debut="2021-01-15", valeur=1), ("2021-01-15", "premier jour")),
    (une(PLAFOND, debut="2021-01", fin="2021-01-31", valeur=1), ("2021-01-31", "mois compris")),
    (une(PLAFOND, debut="2020-02", valeur=1), ("hors du modèle", "2020-03")),
    (une(PLAFOND, debut="2022-03", valeur=1), ("hors du modèle",)),
    (une(PLAFOND, debut="2021-13", valeur=1), ("2021-13",)),
    (une(PLAFOND, debut="2021-03", fin="2021-01", valeur=1), ("précède",)),
    (une(PLAFOND, debut="2020-03", valeur=1), ("à partir de 2020-12",)),
    (une(PLAFOND, debut="2021-01", valeur='"200 000"'), ("currency-EUR", "sans guillemets")),
    (une(PLAFOND, debut="2021-01", valeur=-1), ("-1",)),
    (une(PLAFOND, debut="2021-01", valeur=".nan"), ("nan",)),
    (une(PLAFOND, debut="2021-01", valeur="true"), ("True",)),
    (une(PLAFOND, debut="2021-01", valeur="null"), ("vide",)),
    (une(PLAFOND, debut="2021-01"), ("« valeur » ou « operation »",)),
    (une(PLAFOND, debut="2021-01", valeur=1, operation='"+1"'), ("l'une des deux",)),
    (une(PLAFOND, debut="2021-01", operation="+10"), ("entre guillemets",)),
    (une(PLAFOND, debut="2021-01", operation='"__import__(1)"'), ("opération",)),
    (une(PLAFOND, debut="2021-01", operation='"-300000"'), ("-100000",)),
    (une("perte.seuil_general", debut="2021-01", valeur=60), ("60", "part de 0 à 1")),
    (une("perte.seuil_general", debut="2021-01", operation='"×3"'), ("1.5", "part de 0 à 1")),
    (une("conditions_communes.plafond_effectif", debut="2021-01", operation='"×1.01"'), ("nombre entier",)),
    (une("pluralite_des_regimes.ordre_du_texte", debut="2021-01", valeur=1), ("true ou false",)),
    (une("pluralite_des_regimes.ordre_du_texte", debut="2021-01", operation='"+1"'), ("booléen", "« valeur »")),
    (une("secteurs.reparation_navale", debut="2021-01", valeur='["33.15"]'), ("33.15",)),
    (une("territoires.mayotte", debut="2021-01", valeur="[976]"), ("entre guillemets",)),
    (une("territoires.mayotte", debut="2021-01", valeur='"976"'), ("liste de codes",)),
    (une("conditions_communes.date_debut_activite", debut="2021-01", valeur='"2021-02-30"'), ("qui existe",)),
    (une(PLAFOND, debut="2021-01", valeurs=1), ("clé inconnue", "« valeur »")),
    ("parametre: []\n", ("clé inconnue", "« parametres »")),
    ("parametres: 3\n", ("une liste",)),
    ("neutralise: [fds_volet_3]\n", ("fds_volet_3", "« fds_volet_2 »")),
    ("neutralise: [{variable: departement, debut: 2021-01}]\n", ("tous les mois",)),
    ("", ("réforme vide",)),
    ("parametres: !!python/object/apply:os.system ['true']\n", ("YAML incorrect",)),
    ("nom: Encore\n", ("deux fois",)),
    ("parametres: " + "[" * 5000 + "]" * 5000, ("emboîtés",)),
    ("#" * 70000, ("trop grand",)),
    ("parametres: [\n", ("YAML incorrect",)),
]


@pytest.mark.parametrize(("corps", "morceaux"), HOSTILES)
def test_hostile_files_get_one_clear_line(ecrire, corps, morceaux):
    fichier = ecrire(corps)
    with pytest.raises(ErreurReforme) as erreur:
        lire_fichier(fichier)
    message = str(erreur.value)
    assert message.startswith(fichier)
    assert "\n" not in message
    for morceau in morceaux:
        assert morceau in message


def test_the_line_of_the_error_is_given(ecrire):
    with pytest.raises(ErreurReforme, match=r"r\.yaml:5 "):
        lire_fichier(ecrire(une(PLAFOND, debut="2021-01-15", valeur=1)))


def test_overlapping_changes_of_one_file_are_refused(ecrire):
    deux = une(PLAFOND, debut="2021-01", fin="2021-03", valeur=1) + une(PLAFOND, debut="2021-03", valeur=2)[12:]
    with pytest.raises(ErreurReforme, match="déjà changé"):
        lire_fichier(ecrire(deux))


@pytest.mark.parametrize("texte", ["absent.yaml", "a.yaml+", "paquet.Absent", "loi:2021-02-30", "loi:2019-01-01"])
def test_unknown_parts(texte):
    with pytest.raises(ErreurReforme):
        lire_reforme(texte)


# ---- composition ----


def test_compositions_commute_when_they_say_so(ecrire):
    plus = lire_fichier(
        ecrire(une(PLAFOND, debut="2021-01", operation='"+10 %"'), "a.yaml", "nom: A\ndescription: A.\n")
    )
    fois = lire_fichier(ecrire(une(PLAFOND, debut="2020-12", operation='"×2"'), "b.yaml", "nom: B\ndescription: B.\n"))
    terme = lire_fichier(ecrire(une(PLAFOND, debut="2021-06", operation='"+5"'), "c.yaml", "nom: C\ndescription: C.\n"))
    autre = lire_fichier(EXEMPLES / "seuil_de_60.yaml")
    for un, deux in ((plus, fois), (plus, autre), (terme, autre)):
        assert desaccords(composer(un, deux)) == []
        assert model.empreinte_parametres(composer(un, deux)(loi())) == model.empreinte_parametres(
            composer(deux, un)(loi())
        )
    assert "l'ordre compte" in desaccords(composer(plus, terme))[0]
    assert valeurs(composer(plus, terme), PLAFOND, "2021-06") == [220005]
    assert valeurs(composer(terme, plus), PLAFOND, "2021-06") == [220005.5]


def test_a_reform_in_python_composes_too():
    texte = f"{EXEMPLES / 'seuil_de_60.yaml'}+scenarios_structurelle.SansArticle319"
    assert "l'ordre peut compter" in desaccords(lire_reforme(texte))[0]
    systeme = lire_reforme(texte)(loi())
    assert systeme.parameters.fonds_de_solidarite.perte.seuil_general.get_at_instant("2021-01-01") == 0.6
    assert systeme.variables["fds_article_3_19_montant"].label == "Aide de janvier 2021, réformée"
