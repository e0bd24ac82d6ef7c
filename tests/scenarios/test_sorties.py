"""Around a comparison: resumption, charts, declared sensitivity, reforms in a Python file, what the screen shows."""

import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner
from rich.console import Console

from openfisca_fds_tools.population import ErreurUtilisateur, run
from openfisca_fds_tools.scenarios import ErreurReforme, blocs, command, comparer, composer, lire_reforme, loi_au
from openfisca_fds_tools.scenarios import doutes as points_douteux
from openfisca_fds_tools.scenarios.classes import titre
from openfisca_fds_tools.scenarios.incertitudes import Intervalles, lire_incertitudes, mesurer
from openfisca_fds_tools.scenarios.rendu import couts, details, intervalles, liste_des_doutes, totaux

EXEMPLES = Path(__file__).parents[2] / "examples" / "reformes"
SEUIL, LIMITE = (str(EXEMPLES / f"{nom}.yaml") for nom in ("seuil_de_60", "limite_de_la_perte_15_000"))
MOIS = "2021-01:2021-02"
ATTENTE = 120  # seconds, on a machine that others use


# ---- resumption ----


@pytest.fixture(scope="module")
def interrompue(population, tmp_path_factory):
    """Folder of a comparison killed after two blocks, and its population."""
    dossier = tmp_path_factory.mktemp("reprise")
    fichier, sortie = dossier / "p.parquet", dossier / "sortie"
    population.write_parquet(fichier)
    arguments = ["compare", str(fichier), "--reform", SEUIL, "--months", MOIS, "--workers", "1", "--block-size", "300"]
    travail = subprocess.Popen(
        [sys.executable, "-m", "openfisca_fds_tools", *arguments, "--output", str(sortie)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    limite = time.monotonic() + ATTENTE
    while len(_finis(sortie)) < 2 and time.monotonic() < limite and travail.poll() is None:
        time.sleep(0.02)
    os.kill(travail.pid, signal.SIGKILL)
    assert travail.wait() == -signal.SIGKILL, "finished before it was killed"
    return fichier, sortie


def _finis(sortie):
    return list(sortie.glob(f"{run.DOSSIER_EN_COURS}/bloc-*-{blocs.BILAN}"))


def test_another_run_does_not_take_its_place(interrompue):
    fichier, sortie = interrompue
    assert not (sortie / "couts.csv").exists()
    with pytest.raises(ErreurUtilisateur, match="la réforme a changé"):
        comparer(fichier, [lire_reforme(LIMITE)], MOIS, output=sortie, block_size=300)
    with pytest.raises(ErreurUtilisateur, match="les options ont changé"):
        comparer(fichier, [lire_reforme(SEUIL)], "2021-01", output=sortie, block_size=300)
    with pytest.raises(ErreurUtilisateur, match="les options ont changé"):
        run.simulate(fichier, MOIS, output=sortie, block_size=300)
    assert len(_finis(sortie)) >= 2


def test_a_killed_comparison_does_what_is_missing(interrompue, tmp_path):
    fichier, sortie = interrompue
    finis, dits, faites = len(_finis(sortie)), [], []
    assert 2 <= finis < 6
    reprise = comparer(
        fichier,
        [lire_reforme(SEUIL)],
        MOIS,
        output=sortie,
        block_size=300,
        notice=dits.append,
        progress=lambda faite, total: faites.append((faite, total)),
    )
    assert faites
    assert dits == [f"reprise : {finis} bloc(s) sur {finis + len(faites)} déjà calculé(s)."]
    assert faites[-1] == (1500, 1500)
    entiere = comparer(fichier, [lire_reforme(SEUIL)], MOIS, output=tmp_path / "entiere", block_size=300)
    assert reprise.couts.equals(entiere.couts)
    assert reprise.variables.equals(entiere.variables)
    for nom in ("couts.csv", "articles.csv", "gagnants.csv", "deciles.csv", "variables.csv"):
        assert (sortie / nom).read_bytes() == (tmp_path / "entiere" / nom).read_bytes()
    for nom in (blocs.ECARTS, blocs.ENTREPRISES):
        assert pl.read_parquet(sortie / nom).equals(pl.read_parquet(tmp_path / "entiere" / nom))
    assert not (sortie / run.DOSSIER_EN_COURS).exists()


def test_a_new_comparison_leaves_no_table_of_the_former(population, tmp_path):
    comparer(population, [lire_reforme(SEUIL)], "2021-01", output=tmp_path, bootstrap=5, by=("section",))
    assert {"incertitude.csv", "par_dimension.csv"} <= {f.name for f in tmp_path.iterdir()}
    comparer(population, [lire_reforme(SEUIL)], "2021-01", output=tmp_path)
    assert not {"incertitude.csv", "par_dimension.csv"} & {f.name for f in tmp_path.iterdir()}


# ---- declared sensitivity ----


def _ecrire(tmp_path, texte):
    fichier = tmp_path / "incertitudes.yaml"
    fichier.write_text(texte, encoding="utf-8")
    return fichier


INCERTITUDES = """
- {chemin: plafonds.groupe, debut: 2020-12, bas: 150000, haut: "+50 %", source: Essai.}
- {chemin: perte.seuil_fort, debut: 2020-12, fin: 2021-02, bas: "65 %", haut: 0.75, source: Essai.}
"""


def test_sensitivity_is_the_reform_on_the_law_changed_less_that_law(population, tmp_path):
    reforme = lire_reforme(LIMITE)
    incertitudes = lire_incertitudes(_ecrire(tmp_path, INCERTITUDES))
    mesure = mesurer(population, [reforme], incertitudes, "2021-01")
    lois = {(une.chemin, borne): getattr(une, borne) for une in incertitudes for borne in ("bas", "haut")}
    couts = comparer(population, [*lois.values(), *(composer(loi, reforme) for loi in lois.values())], "2021-01")
    couts = {nom: apres for nom, (_, apres, _) in couts.totaux().items()}
    for (chemin, borne), loi in lois.items():
        ligne = mesure.table.filter((pl.col("parametre") == chemin) & (pl.col("borne") == borne))
        attendu = couts[titre(composer(loi, reforme))] - couts[titre(loi)]
        assert ligne["ecart"].item() == pytest.approx(attendu, abs=0.01)
    sommaire = mesure.ensemble.row(0, named=True)
    assert sommaire["minimum"] <= mesure.table["ecart"].min() + 0.01
    assert sommaire["minimum"] <= sommaire["ecart"] <= sommaire["maximum"]
    assert mesure.table["ecart"].n_unique() > 1
    assert mesure.table.filter(pl.col("parametre") == "plafonds.groupe")["valeur"].to_list() == ["150000", "+50 %"]


@pytest.mark.parametrize(
    ("texte", "morceau"),
    [
        ("{}", "une liste"),
        ("[]", "une liste"),
        ("- {chemin: plafonds.groupe, debut: 2021-01, bas: 1, haut: 2}", "source"),
        ("- {chemin: plafonds.groupes, debut: 2021-01, bas: 1, haut: 2, source: a}", "plafonds.groupe"),
        ("- {chemin: plafonds.groupe, debut: 2021-01, bas: -1, haut: 2, source: a}", "« bas »"),
        ("- {chemin: plafonds.groupe, debut: 2021-01, bas: 1, haut: x, source: a}", "« haut »"),
        ("- {chemin: plafonds.groupe, debut: 2021-01, bas: 1, haut: 2, milieu: 3, source: a}", "clé inconnue"),
    ],
)
def test_bad_sensitivity_files(texte, morceau, tmp_path):
    with pytest.raises(ErreurReforme, match=r"incertitudes\.yaml") as erreur:
        lire_incertitudes(_ecrire(tmp_path, texte))
    assert morceau in str(erreur.value)


def test_the_shipped_sensitivity_file_is_read():
    assert len(lire_incertitudes(EXEMPLES / "incertitudes" / "memoire.yaml")) == 3


# ---- a reform in a Python file ----


def test_a_python_file_travels_between_processes(variee):
    reforme = lire_reforme(str(EXEMPLES / "mayotte_doublee_partout.py"))
    assert pickle.loads(pickle.dumps(reforme)) is reforme
    assert lire_reforme(str(EXEMPLES / "mayotte_doublee_partout.py")) is reforme
    un = comparer(variee, [reforme], "2020-04")
    deux = comparer(variee, [reforme], "2020-04", block_size=1500, workers=2)
    assert un.couts.equals(deux.couts)
    assert next(iter(un.totaux().values()))[2] > 0


@pytest.mark.parametrize(
    ("texte", "morceau"),
    [
        ("", "0 classes Reform"),
        ("raise OSError('non')", "OSError : non"),
        ("import", "SyntaxError"),
        ("from openfisca_core.reforms import Reform\nclass A(Reform): ...\nclass B(Reform): ...", "2 classes Reform"),
    ],
)
def test_bad_python_files(texte, morceau, tmp_path):
    fichier = tmp_path / "r.py"
    fichier.write_text(texte, encoding="utf-8")
    with pytest.raises(ErreurReforme) as erreur:
        lire_reforme(str(fichier))
    assert morceau in str(erreur.value)
    with pytest.raises(ErreurReforme, match="introuvable"):
        lire_reforme(str(tmp_path / "absent.py"))


# ---- screen and charts ----


@pytest.fixture(scope="module")
def comparee(population):
    reformes = [lire_reforme(f"{SEUIL}+{LIMITE}"), lire_reforme(LIMITE), loi_au("2021-02-20"), lire_reforme(SEUIL)]
    return comparer(population, reformes, "2021-01", by=("section",), bootstrap=5)


def _ecran(objets, largeur):
    console = Console(width=largeur, record=True, file=open(os.devnull, "w"))  # noqa: SIM115 -- lives as long as it
    for objet in objets:
        console.print(objet)
    return console.export_text()


def test_tables_fit_80_columns_and_cut_no_number(comparee):
    texte = _ecran([*details(comparee), *totaux(comparee, 80)], 80)
    assert max(len(ligne) for ligne in texte.splitlines()) <= 80
    assert "…" not in texte
    plat = " ".join(texte.split())
    for nom, (_, apres, _) in comparee.totaux().items():
        assert f"{apres:,.0f}".replace(",", "\u202f") in texte, nom
        assert nom.split(" + ")[0].split()[0] in plat


def test_lines_without_difference_are_counted_under_the_table(comparee):
    """Each line of the file is either a row of the table or counted; none of those left out shows a difference."""
    comptes = []
    for nom in comparee.noms:
        lignes = comparee.couts.filter(pl.col("reforme") == nom)
        rendue = couts(comparee.couts, nom)
        reste = int((rendue.caption or ": 0.").rpartition(" ")[2].removesuffix("."))
        assert rendue.row_count + reste == lignes.height
        assert reste == lignes.filter(pl.col("ecart").round(2) == 0).height
        comptes.append(reste)
    assert max(comptes) > 0
    sans_reste = couts(comparee.couts.filter(pl.col("ecart").round(2) != 0), comparee.noms[0])
    assert sans_reste.row_count > 0
    assert sans_reste.caption is None


def test_wide_screens_put_every_reform_side_by_side(comparee):
    assert len(totaux(comparee, 80)) == 2
    assert len(totaux(comparee, 160)) == 1


def test_the_list_of_doubts_fits_80_columns():
    lignes = liste_des_doutes(points_douteux.doutes(), 80).splitlines()
    assert max(len(ligne) for ligne in lignes if not ligne.endswith(")")) <= 80


def test_charts_are_drawn_with_french_numbers(comparee, population, tmp_path):
    pytest.importorskip("altair", reason="extra report absent")
    pytest.importorskip("vl_convert", reason="extra report absent")
    from openfisca_fds_tools.scenarios import graphiques

    mesures = {comparee.noms[0]: pl.DataFrame({"mesure": ["A", "B"], "contribution": [1_500_000.0, -500_000.0]})}
    dessins = graphiques.comparaison(comparee, mesures)
    assert {f"{genre}-1" for genre in ("couts", "articles", "deciles", "mesures")} <= set(dessins)
    graphiques.ecrire(dessins["mesures-1"], tmp_path / "m.svg")
    svg = (tmp_path / "m.svg").read_text(encoding="utf-8")
    for texte in ("+1,50", "−0,50", "+1,00", "Écart total", "écart par mesure"):
        assert texte in svg
    assert "http" not in svg.replace("http://www.w3.org/", "")
    graphiques.ecrire(dessins["couts-1"], tmp_path / "c.png")
    assert (tmp_path / "c.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ErreurUtilisateur, match=r"\.svg"):
        graphiques.ecrire(dessins["couts-1"], tmp_path / "c.gif")


def test_a_waterfall_ends_where_the_parts_lead(comparee):
    pytest.importorskip("altair", reason="extra report absent")
    from openfisca_fds_tools.scenarios import graphiques

    dessin = graphiques.articles(comparee.articles, comparee.noms[0]).to_dict()
    barres = dessin["layer"][0].get("data", dessin.get("data"))["values"]
    assert (
        barres[-1]["fin"]
        == pytest.approx(barres[-2]["fin"])
        == pytest.approx(comparee.totaux()[comparee.noms[0]][2] / 1e6, abs=1e-4)
    )
    for avant, apres in zip(barres[:-2], barres[1:-1], strict=True):
        assert apres["debut"] == avant["fin"]


def test_commands_draw(population, tmp_path):
    pytest.importorskip("vl_convert", reason="extra report absent")
    fichier = tmp_path / "p.parquet"
    population.write_parquet(fichier)
    commun = [str(fichier), "--months", "2021-01", "--workers", "1"]
    sortie = tmp_path / "sortie"
    resultat = CliRunner().invoke(
        command.compare,
        [*commun, "--reform", SEUIL, "--output", str(sortie), "--chart", "svg"]
        + ["--sensitivity", str(EXEMPLES / "incertitudes" / "memoire.yaml")],
    )
    assert resultat.exit_code == 0, resultat.output
    assert {"couts.svg", "articles.svg", "deciles.svg", "sensibilite.csv"} <= {f.name for f in sortie.iterdir()}
    assert "ensemble, bornes" in resultat.output
    sans_dossier = CliRunner().invoke(command.compare, [*commun, "--reform", SEUIL, "--chart", "svg"])
    assert sans_dossier.exit_code == 2
    courbe = tmp_path / "courbe.svg"
    resultat = CliRunner().invoke(
        command.seek,
        [*commun, "--parameter", "plafonds.groupe", "--from", "2021-01", "--values", "50000:150000:2"]
        + ["--chart", str(courbe)],
    )
    assert resultat.exit_code == 0, resultat.output
    assert "Aides du mois à ne pas dépasser" in courbe.read_text(encoding="utf-8")


def test_intervals_on_screen():
    lignes = [
        ["R", "plafonds.groupe", borne, "1", "Essai.", ecart] for borne, ecart in (("bas", -5.0), ("haut", 1234.0))
    ]
    table = pl.DataFrame(lignes, ["reforme", "parametre", "borne", "valeur", "source", "ecart"], orient="row")
    ensemble = pl.DataFrame({"reforme": ["R"], "ecart": [7.0], "minimum": [-5.0], "maximum": [1234.0]})
    texte = _ecran(intervalles(Intervalles(table, ensemble)), 80)
    for morceau in ("Sensibilité : R", "−5", "+1\u202f234", "+7", "bornes qui réduisent"):
        assert morceau in texte
    assert texte.count("plafonds.groupe") == 1
