"""The report: what it says, a page that asks the network for nothing, a PDF, files that are whole or absent."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import polars as pl
import pytest
from click.testing import CliRunner

from openfisca_fds.nomenclatures.departements import Departement
from openfisca_fds_tools.population import ErreurUtilisateur, taxonomies
from openfisca_fds_tools.report import (
    AVERTISSEMENT,
    backtest,
    carte,
    confrontation,
    contenu,
    graphiques,
    html,
    pdf,
    rapport,
)
from openfisca_fds_tools.report.blocs import Encadre, Figure, Paragraphe, Rapport, Section, Tableau
from openfisca_fds_tools.report.command import report as commande
from openfisca_fds_tools.report.marges import statuts
from openfisca_fds_tools.report.textes import FINE, insecables, mois_court, mois_long

from .conftest import entreprises

SANS_FIN = {"meta", "br", "hr", "img", "link", "input", "col"}


class Lecteur(HTMLParser):
    """Notes the tags of a page, its identifiers, its links, and what is opened and never closed."""

    def __init__(self):
        super().__init__()
        self.ouvertes, self.balises, self.ids, self.attributs, self.texte = [], [], [], [], []

    def handle_starttag(self, balise, attributs):
        self.balises.append(balise)
        self.attributs += attributs
        self.ids += [valeur for nom, valeur in attributs if nom == "id"]
        if balise not in SANS_FIN:
            self.ouvertes.append(balise)

    def handle_startendtag(self, balise, attributs):
        self.handle_starttag(balise, attributs)
        if balise not in SANS_FIN:
            self.handle_endtag(balise)

    def handle_endtag(self, balise):
        assert self.ouvertes.pop() == balise

    def handle_data(self, texte):
        self.texte.append(texte)


@pytest.fixture(scope="module")
def compose(resultat):
    return contenu.composer(resultat)


@pytest.fixture(scope="module")
def page(compose):
    return html.page(compose)


@pytest.fixture(scope="module")
def lu(page):
    lecteur = Lecteur()
    lecteur.feed(page)
    return lecteur


# ---- what it says ----


def test_it_says_first_the_total_the_months_and_what_it_is_worth(resultat, compose):
    premier = compose.blocs[0]
    assert isinstance(premier, Encadre)
    total, mois, accord = premier.phrases
    simule = resultat.carte["totaux"]["simules"]["volet_1"]["montant"]
    assert f"{simule / 1e9:.2f}".replace(".", ",") in total
    assert f"35,49{FINE}Md€" in total
    dedans = resultat.tables["mois_aide"].filter(pl.col("position") == "dans").height
    assert f"{dedans} mois d'aide sur 20" in mois
    assert "cohérence interne" in accord


def test_every_figure_and_table_says_its_source(compose):
    for bloc in compose.blocs:
        if isinstance(bloc, Figure | Tableau):
            assert bloc.source, bloc.titre
            assert "{" not in bloc.source + bloc.limite + bloc.titre
        if isinstance(bloc, Figure):
            assert len(bloc.description) > 40, bloc.titre
            assert bloc.limite, bloc.titre


def test_tables_are_rectangles(compose):
    for bloc in compose.blocs:
        if isinstance(bloc, Tableau):
            assert {len(ligne) for ligne in bloc.lignes} == {len(bloc.entetes)}, bloc.titre
            assert len(bloc.largeurs) == len(bloc.entetes)
            assert sum(bloc.largeurs) == 100


def test_fitted_and_held_out_margins_are_apart(compose):
    tables = {bloc.titre: [ligne[0] for ligne in bloc.lignes] for bloc in compose.blocs if isinstance(bloc, Tableau)}
    par_statut = {titre.split(" (")[0]: noms for titre, noms in tables.items() if titre.startswith("Marges")}
    assert list(par_statut) == ["Marges calées", "Marges regardées", "Marges tenues à l'écart"]
    for noms, statut in zip(par_statut.values(), ("calee", "regardee", "ecartee"), strict=True):
        assert noms == [entree["titre"] for entree in statuts().values() if entree["statut"] == statut]
    avertis = [bloc for bloc in compose.blocs if isinstance(bloc, Encadre) and AVERTISSEMENT in bloc.phrases]
    assert len(avertis) == 1


def test_composition_of_payments_by_phase(resultat, compose):
    table = next(
        bloc for bloc in compose.blocs if isinstance(bloc, Tableau) and bloc.titre.startswith("Part des grandes")
    )
    avril_mai, *_ = table.lignes
    assert avril_mai[0] == "avril 2020 à mai 2020"
    assert [cellule.split(" / ")[1] for cellule in avril_mai[1:]] == ["13", "17", "5", "12", "10", "4", "4", "11"]
    attendue = resultat.tables["section_par_mois"].row(
        by_predicate=(pl.col("mois") == "2020-12") & (pl.col("code") == "I")
    )
    assert table.lignes[2][4].split(" / ")[0] == f"{100 * attendue[6]:.0f}"


def test_each_month_missed_has_its_reason(resultat, compose):
    table = next(bloc for bloc in compose.blocs if isinstance(bloc, Tableau) and bloc.titre.startswith("Mois et cases"))
    mois = [ligne for ligne in table.lignes if ligne[0].startswith("Mois d'aide")]
    assert len(mois) == resultat.tables["mois_aide"].filter(pl.col("position") != "dans").height
    assert all(len(ligne[2]) > 10 for ligne in table.lignes)


def test_no_miss_no_reason(resultat):
    parfait = resultat.tables["mois_aide"].with_columns(position=pl.lit("dans"))
    egales = resultat.tables["marges"].with_columns(simule=pl.col("verse"))
    blocs = contenu._ecarts(confrontation.Backtest(resultat.tables | {"mois_aide": parfait, "marges": egales}, {}))
    assert [type(bloc) for bloc in blocs] == [Section, Paragraphe]


def test_reasons_are_of_known_margins():
    assert set(contenu._lire("ecarts.yaml")) <= set(statuts())


# ---- page ----


def test_page_asks_the_network_for_nothing(page, lu):
    adresses = [valeur for nom, valeur in lu.attributs if nom in ("src", "href", "data", "action", "srcset")]
    assert all(adresse.startswith("#") for adresse in adresses)
    assert "<script" not in page
    assert "@import" not in page
    assert not re.findall(r"url\((?!#)", page)
    assert set(re.findall(r"https?://[^\s\"'<>]+", page)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }


def test_page_is_well_formed_and_accessible(page, lu):
    assert lu.ouvertes == []
    assert '<html lang="fr">' in page
    assert len(lu.ids) == len(set(lu.ids))
    assert lu.balises.count("h1") == 1
    cibles = {valeur for nom, valeur in lu.attributs if nom in ("aria-labelledby", "aria-describedby")}
    assert cibles <= set(lu.ids)
    liens = {valeur[1:] for nom, valeur in lu.attributs if nom == "href"}
    assert liens <= set(lu.ids)
    assert lu.balises.count("figcaption") == lu.balises.count("figure")
    assert page.count('role="img" aria-labelledby') == sum(1 for b in lu.balises if b == "svg")
    assert page.count("<table aria-labelledby") == lu.balises.count("table")


def test_texts_are_escaped():
    blocs = (Section("Un & deux", "x"), Paragraphe("<b>**gras**</b>"), Tableau("T < t", ("A&B", "C"), (("<i>", "1"),)))
    sortie = html.page(Rapport("<titre>", "s", blocs, "p"))
    assert "&lt;titre&gt;" in sortie
    assert "Un &amp; deux" in sortie
    assert "&lt;b&gt;<strong>gras</strong>&lt;/b&gt;" in sortie
    assert "<i>" not in sortie


def test_unknown_blocks_are_refused():
    with pytest.raises(TypeError, match="bloc inconnu"):
        html.page(Rapport("t", "s", ("texte",), "p"))
    with pytest.raises(TypeError, match="bloc inconnu"):
        pdf.document(Rapport("t", "s", ("texte",), "p"))


# ---- charts ----


def test_map_has_each_departement_and_closed_rings():
    codes = [forme["properties"]["code"] for forme in carte.formes()]
    attendus = [code for code in Departement.__members__ if taxonomies.region(code)]
    assert set(codes) == set(attendus)
    assert sorted(code for code in codes if codes.count(code) == 2) == sorted([*carte.COURONNE] * 2)
    for forme in carte.formes():
        for (anneau,) in forme["geometry"]["coordinates"]:
            assert anneau[0] == anneau[-1]
            assert all(0 <= x <= carte.LARGEUR and 0 <= y <= carte.HAUTEUR for x, y in anneau)


def test_map_colours_follow_the_values():
    table = pl.DataFrame({"code": ["75", "13"], "simule": [2e9, 1e8], "verse": [1e9, 1e8]})
    formes = graphiques.cartes(table)["datasets"]["formes"]
    classes = {forme["properties"]["code"]: (forme["montant"], forme["ecart"]) for forme in formes}
    assert classes["75"] == ("plus de 800", "plus de 1,5")
    assert classes["13"] == ("100 à 200", "0,9 à 1,1")
    assert classes["29"] == ("sans donnée", "sans donnée")


def test_a_cap_that_secrecy_withholds_breaks_the_line_and_an_absent_one_is_zero():
    table = pl.DataFrame(
        {
            "mois": ["2021-01", "2021-01", "2021-02"],
            "code": ["1 500 €, plafond", "10 000 €, plafond", "10 000 €, plafond"],
            "simule": [1.5e6, None, 1e6],
            "aides": [1_000.0, None, 100.0],
        }
    )
    dessin = graphiques.plafonds(table)
    valeurs = {(v["mois"], v["serie"]): v["part"] for v in dessin["data"]["values"]}
    assert valeurs["janv. 21", "1 500 €"] == 100.0
    assert valeurs["janv. 21", "10 000 €"] is None
    assert valeurs["févr. 21", "1 500 €"] == 0.0
    assert valeurs["févr. 21", "10 000 €"] == 100.0


# ---- files ----


def test_command_reads_a_backtest_and_writes_whole_files(tmp_path, resultat):
    dossier = confrontation.ecrire(resultat, tmp_path / "backtest")
    page, document = tmp_path / "a" / "rapport.html", tmp_path / "a" / "rapport.PDF"
    lance = CliRunner().invoke(commande, [str(dossier), "--output", str(page), "--output", str(document)])
    assert lance.exit_code == 0, lance.output
    assert lance.stdout.splitlines() == [f"Rapport : {page}", f"Rapport : {document}"]
    assert page.read_text(encoding="utf-8").endswith("</html>\n")
    octets = document.read_bytes()
    assert octets.startswith(b"%PDF-")
    assert octets.rstrip().endswith(b"%%EOF")
    assert len(re.findall(rb"/Type\s*/Page\b", octets)) > 5
    assert sorted(chemin.name for chemin in (tmp_path / "a").iterdir()) == ["rapport.PDF", "rapport.html"]


@pytest.mark.parametrize("nom", ["rapport.txt", "rapport", "dossier.html"])
def test_other_names_are_refused(tmp_path, resultat, nom):
    (tmp_path / "dossier.html").mkdir()
    with pytest.raises(ErreurUtilisateur, match="attendu un nom|est un dossier"):
        rapport.ecrire(resultat, [tmp_path / nom])


def test_a_former_report_stays_when_the_new_one_fails(tmp_path, resultat):
    chemin = tmp_path / "rapport.html"
    chemin.write_text("ancien")
    casse = replace(resultat, tables={nom: t for nom, t in resultat.tables.items() if nom != "regime"})
    with pytest.raises(KeyError):
        rapport.ecrire(casse, [chemin])
    assert chemin.read_text() == "ancien"
    assert list(tmp_path.iterdir()) == [chemin]


@pytest.mark.parametrize("sortie", ["r.txt", "r.html"])
def test_command_refuses_before_computing(tmp_path, sortie):
    lance = CliRunner().invoke(commande, [str(tmp_path), "--output", str(tmp_path / sortie)])
    assert lance.exit_code == 2
    assert list(tmp_path.iterdir()) == []


def test_a_population_of_one_enterprise_has_its_report():
    seul = backtest(entreprises({"2021-03": 9_000.0}))
    assert "sans donnée" in html.page(contenu.composer(seul))  # everything is withheld


# ---- words ----


def test_months_in_french():
    assert mois_court("2020-03") == "mars 20"
    assert mois_court("2021-10", "2022-02") == "oct.–févr. 22"
    assert mois_long("2021-08", "2021-08") == "août 2021"
    assert mois_long("2021-10", "2022-02") == "octobre 2021 à février 2022"


def test_no_break_spaces():
    assert insecables({"a": ["« oui » : 5 % ; 3 €"]}) == {"a": ["«\u00a0oui\u00a0»\u00a0: 5\u202f%\u202f; 3\u202f€"]}
    assert insecables([1, None]) == [1, None]
