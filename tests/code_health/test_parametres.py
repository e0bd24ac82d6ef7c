"""Every parameter says what it is; every dated value cites its own text, and says how sure it is."""

import copy

import pytest
import yaml
from openfisca_core.parameters import Parameter, ParameterNode
from properties.population import MOIS_DU_MODELE, simuler, tirer
from regles import SANS_DECRET, fautes_de_noeud, fautes_de_parametre, feuilles

PREMIER_MOIS, DERNIER_MOIS = "2020-03-01", "2022-02-01"
# Leaves that no formula reads, and why.
NON_LUS = {}


def test_chaque_noeud_a_une_description(systeme):
    noeuds = [noeud for noeud in systeme.parameters.get_descendants() if isinstance(noeud, ParameterNode)]
    assert len(noeuds) > 20
    fautes = [faute for noeud in noeuds for faute in fautes_de_noeud(noeud)]
    assert not fautes, "\n".join(fautes)


def test_chaque_valeur_cite_son_texte(systeme):
    parametres = feuilles(systeme.parameters)
    assert len(parametres) > 200
    fautes = [faute for parametre in parametres for faute in fautes_de_parametre(parametre)]
    assert not fautes, "\n".join(fautes)


def test_les_exceptions_de_decret_existent(systeme):
    noms = {noeud.name for noeud in systeme.parameters.get_descendants()}
    assert set(SANS_DECRET) <= noms


def test_les_valeurs_tiennent_dans_les_mois_du_modele(systeme):
    """A value dated outside March 2020 to February 2022 would never be read (March 2022 may close a period)."""
    dehors = [
        f"{parametre.name}@{valeur.instant_str}"
        for parametre in feuilles(systeme.parameters)
        for valeur in parametre.values_list
        if not PREMIER_MOIS <= valeur.instant_str <= DERNIER_MOIS and parametre.metadata.get("unit") != "jour"
    ]
    assert dehors == []


@pytest.fixture(scope="module")
def lus(systeme):
    """Parameters that the formulas read for a large draw, over every month."""
    simulation = simuler(systeme, tirer(21, 1500), trace=True)
    for mois in MOIS_DU_MODELE:
        for nom in systeme.variables:
            simulation.calculate(nom, mois)
    noms, attente = set(), list(simulation.tracer.trees)
    while attente:
        noeud = attente.pop()
        noms |= {parametre.name for parametre in noeud.parameters}
        attente.extend(noeud.children)
    return noms


def test_chaque_parametre_est_lu_par_une_formule(systeme, lus):
    noms = {parametre.name for parametre in feuilles(systeme.parameters)}
    assert noms - lus - set(NON_LUS) == set()
    assert set(NON_LUS) <= noms - lus


# ---- broken on purpose ----

BON = yaml.safe_load(
    """
    description: Plafond de démonstration
    metadata: {unit: currency-EUR}
    values:
      "2020-03-01":
        value: 1500
        metadata:
          confiance: T
          decret: "2020-371"
          en_vigueur: "2020-04-01"
          reference: [{title: "Décret n° 2020-371, art. 3", href: "https://www.legifrance.gouv.fr/"}]
    """
)


def juger(changer=lambda donnees: None):
    donnees = copy.deepcopy(BON)
    changer(donnees)
    return fautes_de_parametre(Parameter("fonds_de_solidarite.plafond_de_demonstration", data=donnees))


def metadonnees(**changements):
    def changer(donnees):
        donnees["values"]["2020-03-01"]["metadata"].update(changements)

    return changer


def redater(donnees):
    donnees["values"] = {"2020-03-30": donnees["values"]["2020-03-01"]}


def unite(nom, valeur):
    def changer(donnees):
        donnees["metadata"]["unit"] = nom
        donnees["values"]["2020-03-01"]["value"] = valeur

    return changer


def test_un_bon_parametre_n_a_pas_de_faute():
    assert juger() == []


@pytest.mark.parametrize(
    ("changer", "faute"),
    [
        (lambda d: d.pop("description"), "libellé absent"),
        (lambda d: d["metadata"].pop("unit"), "unité None"),
        (unite("euros", 1500), "unité 'euros'"),
        (redater, "autre jour que le premier du mois"),
        (metadonnees(confiance="sûr"), "confiance"),
        (metadonnees(confiance=None), "confiance"),
        (metadonnees(reference=None), "sans référence propre"),
        (metadonnees(reference=[]), "sans référence propre"),
        (metadonnees(reference="Décret n° 2020-371"), "sans référence propre"),
        (metadonnees(reference=[{"title": "Décret n° 2020-371"}]), "sans title et href"),
        (metadonnees(reference=[{"title": "Décret n° 2020-371", "href": "legifrance"}]), "mal écrits"),
        (metadonnees(decret=None), "décret None"),
        (metadonnees(decret="décret de mars"), "décret 'décret de mars'"),
        (metadonnees(en_vigueur=None), "en_vigueur None"),
        (metadonnees(en_vigueur="2020-13-01"), "en_vigueur '2020-13-01'"),
        (unite("booléen", 1), "qui n'est pas de l'unité booléen"),
        (unite("date", "mars 2020"), "qui n'est pas de l'unité date"),
        (unite("jour", 20.5), "qui n'est pas de l'unité jour"),
        (unite("liste_de_codes_naf", ["4711B"]), "qui n'est pas de l'unité liste"),
    ],
)
def test_un_parametre_casse_est_vu(changer, faute):
    assert any(faute in trouvee for trouvee in juger(changer)), juger(changer)


def test_un_noeud_sans_description_est_vu():
    assert fautes_de_noeud(ParameterNode("fonds_de_solidarite.x", data={})) != []
