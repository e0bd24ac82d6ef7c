"""A threshold that several articles share is cited, for each, where that article writes it, and trusted as there."""

import re

import pytest
from openfisca_core import periods
from properties.population import MOIS_DU_MODELE, simuler, tirer
from regles import feuilles
from test_couverture import DECLARATIONS, declarees, mois_de, sorties

from openfisca_fds.references import DECRET, DECRET_COMPLEMENT
from openfisca_fds_tools.citations import article_cite, confiance, de_l_article, references
from openfisca_fds_tools.explain import blocs, explain, rendu
from openfisca_fds_tools.explain.expression import Expression
from openfisca_fds_tools.explain.lecteur import Lecteur
from openfisca_fds_tools.situation import construire
from openfisca_fds_tools.web.couverture import historique
from openfisca_fds_tools.web.paragraphes import articles, texte

# Where an article stops: what other articles decide, and what is cited as article 1er.
AILLEURS = {"fds_beneficiaire", "fds_aide_percue", "fds_volet_1_avant_plafond", "fds_volet_1_articles"}
# Not articles of the decree: whole texts, each cited by its own parameters, that read what articles decide.
AUTRES_TEXTES = {"volet_territorial", "complement_2021_1582", "multi_activites"}
MAYOTTE = "la règle générale, lue pour tous les départements : seuls 3-23 et 3-24 nomment Mayotte"
REFERENCE_DES_DISCOTHEQUES = "texte non lu : la perte du volet 1 se mesure comme celle du mois"
TOUTES_LES_TRANCHES = "calculé pour toutes, et ne sert qu'à celles que la date limite d'activité de l'article écarte"
REGIMES_DE_3_22 = "l'article 3-23 est pour celles qu'aucun régime de 3-22 n'aide"
# (beginning of the parameter's name, articles) that read a value without writing it: why.
LECTURES_SANS_TEXTE = {
    ("territoires.mayotte", "3_10 3_11 3_12 3_14 3_15 3_16 3_19 3_22 3_26 3_27 3_28 3_30"): MAYOTTE,
    ("chiffre_affaires_reference.", "discotheques"): REFERENCE_DES_DISCOTHEQUES,
    ("chiffre_affaires_reference.date_fin_activite_normale", "2 3_1 3_10"): TOUTES_LES_TRANCHES,
    ("chiffre_affaires_reference.tranches.mars_2020", "3_10"): TOUTES_LES_TRANCHES,
    ("tres_petites_entreprises.date_creation_recente", "2 3_1"): TOUTES_LES_TRANCHES,
    ("chiffre_affaires_reference.premier_confinement", "3_23"): REGIMES_DE_3_22,
    ("fermeture.perte_exigee_fermeture_totale", "3_23"): REGIMES_DE_3_22,
    ("perte.seuil_fermeture", "3_23"): REGIMES_DE_3_22,
    ("secteurs.commerce_de_detail", "3_23"): REGIMES_DE_3_22,
    ("secteurs.location_biens_immobiliers_residentiels", "3_23"): REGIMES_DE_3_22,
    ("secteurs.pertes_passees", "3_23"): REGIMES_DE_3_22,
    ("secteurs_proteges.centre_commercial", "3_23"): REGIMES_DE_3_22,
}
# The decree that created each article; no later text is older than it.
CREATIONS = {
    **dict.fromkeys(["2", "3", "4"], "2020-371"),
    **dict.fromkeys(["3-1", "3-2"], "2020-433"),
    **dict.fromkeys(["3-3", "3-4"], "2020-552"),
    **dict.fromkeys(["3-5", "3-6"], "2020-873"),
    "3-7": "2020-1053",
    **dict.fromkeys(["3-8", "3-9"], "2020-1048"),
    **dict.fromkeys(["3-10", "3-11", "3-12", "3-14"], "2020-1328"),
    "3-15": "2020-1620",
    "3-16": "2020-1770",
    **dict.fromkeys(["3-17", "3-18"], "2021-79"),
    "3-19": "2021-129",
    "3-21": "2021-192",
    "3-22": "2021-256",
    "3-23": "2021-317",
    "3-24": "2021-422",
    "3-25": "2021-423",
    "3-26": "2021-553",
    "3-27": "2021-651",
    "3-28": "2021-840",
    "3-29": "2021-1087",
    "3-30": "2021-1581",
}
REDACTION = re.compile(r"\(rédaction du décret n° (\d{4})-(\d+) ")
AUTRE_ARTICLE = re.compile(r"(?:,|;|et|à) (?:art\. )?\d+-\d+")
RACINE = "fonds_de_solidarite."


class Lectures:
    """What each calculation of a large draw read: variables, and parameters at an instant."""

    def __init__(self, systeme, tirage):
        simulation = simuler(systeme, tirage, trace=True)
        for mois in MOIS_DU_MODELE:
            for nom in systeme.variables:
                simulation.calculate(nom, mois)
        self.eternelles = {nom for nom, une in systeme.variables.items() if une.definition_period == "eternity"}
        self.parametres = {une.name: une for une in feuilles(systeme.parameters)}
        self.fils, self.lus = {}, {}
        attente = list(simulation.tracer.trees)
        while attente:
            noeud = attente.pop()
            attente.extend(noeud.children)
            cle = self.cle(noeud.name, str(noeud.period))
            self.fils.setdefault(cle, set()).update(self.cle(fils.name, str(fils.period)) for fils in noeud.children)
            self.lus.setdefault(cle, set()).update((lu.name, str(lu.period)) for lu in noeud.parameters)

    def cle(self, nom, periode):
        return nom, None if nom in self.eternelles else periode[:7]

    def valeurs(self, article, declaration):
        """Values that an article reads by itself in its months: {(parameter, date of the value): its metadata}."""
        ailleurs = AILLEURS | {
            sortie for autre, une in DECLARATIONS.items() if autre != article for sortie in sorties(autre, une)
        }
        departs = (set(sorties(article, declaration)) | declarees(declaration)) - {"fds_beneficiaire"}
        trouvees = {}
        for mois in mois_de(declaration):
            file = [self.cle(nom, mois) for nom in departs]
            vues = set(file)
            for cle in file:
                suivants = {
                    fils for fils in self.fils.get(cle, ()) if fils[0] not in ailleurs and fils[1] in (None, mois)
                }
                file += suivants - vues
                vues |= suivants
            for nom, instant in set().union(*(self.lus.get(cle, set()) for cle in vues)):
                if valeur := self.en_vigueur(nom, instant):
                    trouvees[nom, valeur.instant_str] = valeur.metadata
        return trouvees

    def en_vigueur(self, nom, instant):
        return next((une for une in self.parametres[nom].values_list if une.instant_str <= instant), None)


@pytest.fixture(scope="module")
def lectures(systeme):
    return Lectures(systeme, tirer(31, 400))


def sans_citation(lectures, article, declaration):
    """Names of the values that an article reads and whose references cite other articles only."""
    return {
        nom.removeprefix(RACINE)
        for (nom, _), metadonnees in lectures.valeurs(article, declaration).items()
        if not de_l_article(references(metadonnees), *texte(article))
    }


def exceptions(article):
    return {debut for debut, articles in LECTURES_SANS_TEXTE if article in articles.split()}


@pytest.mark.parametrize("article", [un for un in DECLARATIONS if un not in AUTRES_TEXTES])
def test_une_valeur_cite_chaque_article_qui_la_lit(lectures, article):
    manques = sans_citation(lectures, article, DECLARATIONS[article])
    permis = exceptions(article)
    assert {nom for nom in manques if not nom.startswith(tuple(permis))} == set()
    assert {debut for debut in permis if not any(nom.startswith(debut) for nom in manques)} == set(), "exception vaine"


def test_les_lectures_sont_nombreuses(lectures):
    """The test above looks at what it says it does."""
    lues = {
        (article, *une)
        for article, declaration in DECLARATIONS.items()
        for une in lectures.valeurs(article, declaration)
    }
    assert len(lues) > 800
    assert ("3_22", f"{RACINE}conditions_communes.plafond_effectif_mayotte", "2020-09-01") in lues
    assert ("3_24", f"{RACINE}plafonds.groupe", "2021-02-01") in lues


def test_un_article_oublie_est_vu(lectures, monkeypatch):
    """Broken on purpose: without its reference to article 3-18, a threshold of December lacks it."""
    valeur = lectures.en_vigueur(f"{RACINE}perte.seuil_fort", "2020-12-01")
    restantes = [une for une in references(valeur.metadata) if "art. 3-18" not in une["title"]]
    monkeypatch.setitem(valeur.metadata, "reference", restantes)
    assert sans_citation(lectures, "3_18", DECLARATIONS["3_18"]) == {"perte.seuil_fort"}


def toutes(systeme):
    return [
        (f"{parametre.name}@{valeur.instant_str}", valeur.metadata, citee)
        for parametre in feuilles(systeme.parameters)
        for valeur in parametre.values_list
        for citee in references(valeur.metadata)
    ]


def fautes_de_citation(metadonnees, citee):
    titre = citee["title"]
    cite, redaction = article_cite(titre), REDACTION.search(titre)
    fautes = []
    if cite and AUTRE_ARTICLE.search(titre.partition(" (")[0].removeprefix(f"{cite[0]}, art. {cite[1]}")):
        fautes.append("deux articles dans une référence")
    if titre.startswith(f"{DECRET}, art. ") and cite is None and "art. 1er" not in titre:
        fautes.append("article illisible")
    if cite and cite[0] == DECRET and redaction:
        creation = tuple(map(int, CREATIONS[cite[1]].split("-")))
        if tuple(map(int, redaction.groups())) < creation:
            fautes.append("rédaction antérieure à l'article")
    if citee.get("confiance") == metadonnees["confiance"]:
        fautes.append("confiance répétée")
    return [f"{faute} : {titre}" for faute in fautes]


def test_une_reference_cite_un_article_dans_une_redaction_qui_l_a(systeme):
    fautes = [f"{ou} : {faute}" for ou, metas, citee in toutes(systeme) for faute in fautes_de_citation(metas, citee)]
    assert fautes == []


@pytest.mark.parametrize(
    ("suite", "faute"),
    [
        ("3-17 et 3-18, II", "illisible"),
        ("3-3, 6° ; art. 3-7, I, 6°", "deux articles"),
        ("3-14, II, et 3-15, II", "deux articles"),
        ("3-28, II (rédaction du décret n° 2020-757 du 20 juin 2020)", "rédaction antérieure"),
        ("3 bis", "illisible"),
    ],
)
def test_une_mauvaise_citation_est_vue(suite, faute):
    fautes = fautes_de_citation({"confiance": "S"}, {"title": f"{DECRET}, art. {suite}"})
    assert [une for une in fautes if faute in une], fautes


def test_une_confiance_repetee_est_vue():
    citee = {"title": f"{DECRET}, art. 3-24, IV", "confiance": "S"}
    assert fautes_de_citation({"confiance": "S"}, citee) != []
    assert fautes_de_citation({"confiance": "T"}, citee) == []


# ---- what is kept of a list ----

LISTE = [
    {"title": f"{DECRET}, art. 3-2"},
    {"title": f"{DECRET}, art. 3-24, I, B", "confiance": "S"},
    {"title": f"{DECRET}, art. 3-25, I, B"},
    {"title": "Décret n° 2020-1049 du 14 août 2020, art. 2", "confiance": "M"},
]


@pytest.mark.parametrize(
    ("article", "rangs", "sure"), [("3-25", [2], "T"), ("3-24", [1], "S"), ("3-1", [0], "T"), ("3-2", [0], "T")]
)
def test_un_article_garde_ses_references(article, rangs, sure):
    gardees = de_l_article(LISTE, article)
    assert gardees == [LISTE[rang] for rang in rangs]
    assert confiance({"confiance": "T", "reference": LISTE}, gardees) == sure


def test_les_references_sans_article_valent_pour_tous():
    annexe = {"title": f"{DECRET}, annexe 2"}
    assert de_l_article([annexe, *LISTE], "3-25") == [LISTE[2]]
    assert de_l_article([annexe, *LISTE], "3-19") == [annexe]
    assert de_l_article(LISTE, "3-19") == []
    assert de_l_article(LISTE, None, "Décret n° 2020-1049 du 14 août 2020") == [LISTE[3]]


# ---- in the pages ----


def test_l_historique_dit_la_confiance_de_chaque_article(systeme):
    """Threshold of 70 % of February 2021: only article 3-25 was read in the official text."""
    seuil = next(une for une in feuilles(systeme.parameters) if une.name == f"{RACINE}perte.seuil_fort")
    datee = next(une for une in historique(seuil) if une["date"] == "2021-02-01")
    assert datee["confiance"] == "T"
    confiances = {article_cite(citee["titre"])[1]: citee["confiance"] for citee in datee["references"]}
    assert confiances == {"3-25": "T"} | dict.fromkeys(("3-22", "3-24", "3-26", "3-27", "3-29"), "S")


def test_la_couverture_dit_la_confiance_de_chaque_article(systeme):
    lus = {
        un["article"]: lu["confiance"]
        for un in articles(systeme)
        for paragraphe in un["paragraphes"]
        for lu in paragraphe["parametres"]
        if (lu["id"], lu["date"]) == (f"{RACINE}pertes_indemnisees.part_de_la_perte.plancher", "2021-02-01")
    }
    assert lus == {"3-22": "S", "3-24": "S", "3-25": "T", "3-26": "S", "3-27": "S", "3-29": "M"}


# ---- in an explanation ----


def sources(situation, mois, article):
    """Read the sources that the explanation of an article gives: {end of the parameter's name: Source}."""
    explication = explain({"entreprises": {"a": situation}}, mois)
    explique = next(un for un in (*explication.articles, *explication.autres) if un.numero == article)
    trouvees, file = {}, [*explique.conditions, explique.calcul]
    for noeud in file:
        comparaison = getattr(noeud, "comparaison", None)
        siennes = comparaison.sources if comparaison else getattr(noeud, "sources", [])
        trouvees |= {source.parametre.removeprefix(RACINE): source for source in siennes}
        file += [*getattr(noeud, "sous_conditions", []), *getattr(noeud, "etapes", [])]
    return trouvees


CENT_MILLE = {"chiffre_affaires": {"2019": 1_200_000}, "date_creation": "2015-01-01"}


@pytest.mark.parametrize(
    ("situation", "mois", "article", "parametre", "cite", "decret", "sure"),
    [
        (
            {"departement": "976", **CENT_MILLE},
            "2021-02",
            "3-22",
            "conditions_communes.plafond_effectif_mayotte",
            "3-22, II, A",
            "2021-256",
            "S",
        ),
        (
            {"code_naf": "47.64Z", "commune_annexe_3": True, **CENT_MILLE},
            "2020-12",
            "3-18",
            "perte.seuil_fort",
            "3-18, II",
            "2021-79",
            "S",
        ),
        (
            {"filiere_festive": True, "part_chiffre_affaires_clients_proteges": 0.6, **CENT_MILLE},
            "2020-11",
            "3-21",
            "pertes_indemnisees.part_de_la_perte.taux",
            "3-21, I, B",
            "2021-192",
            "S",
        ),
        (CENT_MILLE, "2020-06", "3-5", "tres_petites_entreprises.plafond_effectif", "3-5, 7°", "2020-873", "S"),
        (
            {"code_naf": "56.10A", "annexe_1": {"2021-03": False}, "annexe_2": {"2021-03": True}, **CENT_MILLE},
            "2021-03",
            "3-24",
            "pertes_indemnisees.part_de_la_perte.taux",
            "3-24, I, B",
            "2021-422",
            "S",
        ),
    ],
    ids=["3-22 à Mayotte", "3-18", "3-21", "3-5", "3-24"],
)
def test_l_explication_cite_l_article_explique(situation, mois, article, parametre, cite, decret, sure):
    source = sources(situation, mois, article)[parametre]
    assert [reference.titre for reference in source.references] == [
        next(r.titre for r in source.references if r.titre.startswith(f"{DECRET}, art. {cite} (rédaction du décret n°"))
    ]
    assert f"n° {decret} " in source.references[0].titre
    assert source.confiance == sure


def test_les_bornes_d_un_bareme_sont_citees():
    """Volet 2: 200 000 € of turnover open the second bracket, 600 000 € the third; no list of codes is a threshold."""
    situation = {"exercice_clos": True, "chiffre_affaires_dernier_exercice": 300_000, **CENT_MILLE}
    situation |= {"salarie_au_1er_mars_2020": True, "demande_volet_2": True, "solde_tresorerie_volet_2": -3_000}
    lues = sources(situation, "2020-07", "4")
    bornes = [lues[f"volet_2.article_4.seuil_chiffre_affaires_{rang}"] for rang in ("moyen", "haut")]
    assert [(borne.valeur, borne.confiance) for borne in bornes] == [(200_000, "T"), (600_000, "M")]


def test_un_seuil_que_plusieurs_articles_paient_les_cite_tous():
    """December 2020 in a ski resort: articles 3-15, 3-16 and 3-18 are open, each as well known as it is."""
    situation = {"code_naf": "47.64Z", "commune_annexe_3": True, **CENT_MILLE}
    page = rendu.markdown(blocs.page(explain({"entreprises": {"a": situation}}, "2020-12")))
    _, _, plancher = re.sub(r"\s+", " ", page).partition("pour une perte supérieure au seuil : 1 500,00 €")
    cites = re.findall(r"art\. (\S+, [^(]+) \([^)]*\) : ([^;)]*)", plancher.partition(" - ")[0])
    assert [(article, confiance.strip()) for article, confiance in cites] == [
        ("3-16, II", "de mémoire ou par analogie"),
        ("3-18, II", "source secondaire"),
    ]


def titres(systeme, mois, texte_explique, parametre):
    """Titles that the reader of a month, for an article or for none, keeps of a parameter."""
    simulation = construire(systeme, {"entreprises": {"a": {}}}, mois)
    lecteur = Lecteur(simulation, 0, periods.period(mois)).pour(texte_explique)
    lue = Expression("parametre", (), None, f"{RACINE}{parametre}", f"{mois}-01")
    return [reference.titre.partition(" (")[0] for reference in lecteur.source(lue).references]


def test_un_seuil_que_l_article_n_ecrit_pas_se_dit_d_un_autre(systeme):
    """Article 3-23 asks that no regime of 3-22 be open; décret n° 2021-1582, that an aid of 3-28 was paid."""
    assert titres(systeme, "2021-02", (DECRET, "3-23"), "perte.seuil_fermeture") == [
        "même seuil qu'à l'art. 3-22, I, A, 1°"
    ]
    complement = titres(systeme, "2021-07", (DECRET_COMPLEMENT, None), "conditions_communes.date_debut_activite")
    assert complement == ["même seuil qu'à l'art. 3-28, I, A"]


def test_hors_de_tout_article_seuls_ceux_du_mois_sont_cites(systeme):
    """The ceiling of the group, after the articles; and a paragraph that later months only have."""
    assert titres(systeme, "2021-04", None, "plafonds.groupe") == [f"{DECRET}, art. 3-26, III"]
    assert titres(systeme, "2020-12", None, "plafonds.groupe") == [
        f"{DECRET}, art. {n}, III" for n in ("3-15", "3-17", "3-18")
    ]
    assert titres(systeme, "2021-06", (DECRET, "3-28"), "perte.seuil_general") == [f"{DECRET}, art. 3-28, II"]
    assert len(titres(systeme, "2021-08", (DECRET, "3-28"), "perte.seuil_general")) == 2


def test_une_date_limite_est_citee():
    """Dates are thresholds too: start of activity before 30 September 2020, for article 3-18."""
    situation = {"code_naf": "47.64Z", "commune_annexe_3": True, **CENT_MILLE}
    source = sources(situation, "2020-12", "3-18")["conditions_communes.date_debut_activite"]
    assert source.valeur == "2020-09-30"
    assert source.references[0].titre.startswith(f"{DECRET}, art. 3-18, I (")
