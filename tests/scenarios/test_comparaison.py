"""Compare: signs of the shipped reforms, sharing equal to whole runs, exact sums, doubts, search."""

from functools import cache
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner

from openfisca_fds_tools.population import ErreurUtilisateur, simulate
from openfisca_fds_tools.scenarios import command, comparer, composer, identite, lire_fichier, lire_reforme, loi_au
from openfisca_fds_tools.scenarios.classes import titre
from openfisca_fds_tools.scenarios.decomposition import decomposer, shapley
from openfisca_fds_tools.scenarios.doutes import chiffrer, doutes
from openfisca_fds_tools.scenarios.loi import actes, dates_de_changement
from openfisca_fds_tools.scenarios.parametres import loi
from openfisca_fds_tools.scenarios.sensibilite import Cible, balayer, chercher
from openfisca_fds_tools.synthetic import echantillon

EXEMPLES = Path(__file__).parents[2] / "examples" / "reformes"
SIGNES = {  # by hand: what each reform can only do to the total cost
    "aout_21_jours": -1,
    "centres_de_20_000_m2_maintenus": 0,
    "limite_de_80_hors_couvre_feu": 1,
    "limite_de_la_perte_15_000": 1,
    "mayotte_3_000_en_avril_et_mai": 1,
    "option_15_absente_en_janvier": -1,
    "ordre_du_texte": -1,
    "pertes_passees_50": 1,
    "plafond_du_groupe_100_000": -1,
    "plafond_du_groupe_300_000": 1,
    "sans_indemnisation_de_la_perte": -1,
    "sans_plafond_du_groupe": 1,
    "sans_volet_2": -1,
    "seuil_de_60": -1,
    "seuil_de_70_en_mars_2020": -1,
    "volet_2_plafonds_doubles": 1,
}


def exemple(nom):
    return lire_fichier(EXEMPLES / f"{nom}.yaml")


@cache
def toutes():
    reformes = [identite(), *(exemple(nom) for nom in SIGNES)]
    return comparer(echantillon.chemin(), reformes, by=("forme_juridique",), bootstrap=50, seed=3)


def test_every_shipped_reform_is_tested():
    assert {chemin.stem for chemin in EXEMPLES.glob("*.yaml")} == set(SIGNES)


@pytest.mark.parametrize(("nom", "signe"), SIGNES.items())
def test_sign_on_the_embedded_sample(nom, signe):
    ecart = toutes().totaux()[exemple(nom).name][2]
    assert (ecart > 0) - (ecart < 0) == signe


def test_the_identity_changes_nothing_to_the_cent():
    resultat = toutes()
    moi = pl.col("reforme") == titre(identite())
    assert resultat.couts.filter(moi).select(pl.col("ecart").abs().max()).item() == 0
    assert resultat.ecarts.filter(moi).is_empty()
    assert resultat.carte["reformes"][0]["tableaux_recalcules"] == 0
    assert resultat.gagnants.filter(moi).select("gagnantes", "perdantes").row(0) == (0, 0)


def test_articles_and_dimensions_add_up_to_the_total():
    resultat = toutes()
    par_article = resultat.articles.group_by("reforme").agg(pl.sum("ecart"))
    for nom, ecart in par_article.iter_rows():
        assert ecart == pytest.approx(resultat.totaux()[nom][2], abs=1)
    individuels = resultat.ecarts.group_by("reforme").agg((pl.col("ecart") * pl.col("poids")).sum())
    for nom, ecart in individuels.iter_rows():
        assert ecart == pytest.approx(resultat.totaux()[nom][2], abs=1)
    groupes = resultat.gagnants.select("reforme", (pl.col("gains") + pl.col("pertes")).alias("ecart"))
    for nom, ecart in groupes.iter_rows():
        assert ecart == pytest.approx(resultat.totaux()[nom][2], rel=1e-6, abs=1)
    deciles = resultat.deciles.group_by("reforme").agg(pl.sum("ecart"), pl.sum("entreprises"))
    assert deciles["entreprises"].n_unique() >= 1
    for nom, ecart, _ in deciles.iter_rows():
        assert ecart == pytest.approx(resultat.totaux()[nom][2], rel=1e-6, abs=1)


def test_bootstrap_is_seeded_and_surrounds_the_difference():
    table = toutes().incertitude
    seuil = table.filter(pl.col("reforme") == exemple("seuil_de_60").name).row(0, named=True)
    assert seuil["borne_basse"] < seuil["ecart"] < seuil["borne_haute"] < 0


def test_sharing_gives_what_whole_runs_give(population):
    """A reform computed beside the law, and alone by the population engine: the same euros for each enterprise."""
    melange = composer(*(exemple(n) for n in ("pertes_passees_50", "ordre_du_texte", "plafond_du_groupe_100_000")))
    python = lire_reforme("scenarios_structurelle.SansArticle319")
    autres = [autre.reforme for doute in doutes() for autre in doute.autres]
    reformes = [melange, python, loi_au("2021-02-20"), composer(*autres)]
    ensemble = comparer(population, reformes)
    base = _individus(population, None)
    for reforme in reformes:
        seule = _individus(population, reforme).join(base, on=["id", "mois"], suffix="_droit")
        differe = seule.filter(pl.col("fonds_de_solidarite") != pl.col("fonds_de_solidarite_droit"))
        compare = ensemble.ecarts.filter((pl.col("reforme") == titre(reforme)) & pl.col("mois").is_not_null())
        joint = compare.join(differe, on=["id", "mois"], how="full", coalesce=True)
        assert joint.height == compare.height == differe.height > 0
        assert (joint["apres"] == joint["fonds_de_solidarite"]).all()
        assert (joint["avant"] == joint["fonds_de_solidarite_droit"]).all()


def _individus(population, reforme):
    resultats = simulate(population, outputs=("fonds_de_solidarite",), reform=reforme)
    return resultats.mensuels.select(pl.col("id").cast(pl.String), "mois", "fonds_de_solidarite")


def test_blocks_and_processes_change_nothing(population):
    reformes = [exemple("seuil_de_60"), loi_au("2021-02-20")]
    un = comparer(population, reformes, "2021-01:2021-02")
    deux = comparer(population, reformes, "2021-01:2021-02", block_size=800, workers=2)
    assert un.couts.equals(deux.couts)
    assert un.articles.equals(deux.articles)
    assert un.ecarts.sort("reforme", "mois", "id").equals(deux.ecarts.sort("reforme", "mois", "id"))


def test_the_law_as_of_is_final_at_the_end_and_knows_its_articles():
    fin = loi_au(dates_de_changement()[-1]).provenance
    assert (fin.fermes, fin.remplacements, fin.non_reconstituees) == ([], [], [])
    connues = {nom for acte in actes() for nom in acte.variables}
    assert connues <= set(loi().variables)
    montants = {
        nom for nom in loi().variables if nom.startswith("fds_article_") and nom.endswith(("_montant", "_eligible"))
    }
    montants -= {"fds_article_3_12_perte_forte_montant", "fds_articles_ouvrant_droit_montant"}
    assert montants <= connues
    for acte in actes():
        montant = loi().variables[acte.variables[-1]]
        for mois in {acte.debut, acte.fin} - {None}:
            assert montant.get_formula(mois[:7]) is not None, acte


def test_shapley_by_hand():
    """Alone 10 and 4, together 20: the 6 of the meeting are shared equally."""
    couts = {frozenset(): 0, frozenset({0}): 10, frozenset({1}): 4, frozenset({0, 1}): 20}
    assert shapley(couts) == {0: 13, 1: 7}


def test_measures_add_up_whatever_their_order(population):
    un, deux = exemple("limite_de_la_perte_15_000"), exemple("seuil_de_60")
    parts = decomposer(population, composer(un, deux), "2021-01")
    inverse = decomposer(population, composer(deux, un), "2021-01")
    total = next(iter(comparer(population, [composer(un, deux)], "2021-01").totaux().values()))[2]
    assert parts["contribution"].sum() == pytest.approx(total, abs=0.01)
    assert parts.sort("mesure").equals(inverse.sort("mesure"))
    with pytest.raises(ErreurUtilisateur, match="2 à 6"):
        decomposer(population, un, "2021-01")


def test_doubts_alone_and_together(population):
    effets = chiffrer(population)
    assert {d.numero for d in doutes() if d.autres} == set(effets.table["numero"])
    assert effets.ensemble["minimum"] <= min(effets.table["ecart"].min(), 0)
    assert effets.ensemble["maximum"] >= max(effets.table["ecart"].max(), 0)
    for doute in doutes():
        assert doute.question
        assert doute.confiance


def test_search_meets_a_budget_and_refuses_what_goes_both_ways(population):
    cible = Cible("plafonds.groupe", "2021-01", "2021-01")
    courbe = balayer(population, cible, 50_000, 250_000, 3, "2021-01")
    budget = courbe["ecart"].min() / 2
    phrase = chercher(population, cible, courbe, budget, "2021-01")
    assert "plafonds.groupe = " in phrase
    valeur = float(phrase.split(" = ")[1].split(" ")[0])
    trouvee = comparer(population, [cible.reforme(valeur)], "2021-01").totaux()
    assert next(iter(trouvee.values()))[2] == pytest.approx(budget, rel=0.01)
    with pytest.raises(ErreurUtilisateur, match="hors d'atteinte"):
        chercher(population, cible, courbe, 1e12, "2021-01")
    with pytest.raises(ErreurUtilisateur, match="monotone"):
        chercher(population, cible, courbe.with_columns(ecart=pl.Series([0.0, 5.0, 1.0])), 2.0, "2021-01")


def test_commands(population, tmp_path):
    fichier = tmp_path / "p.parquet"
    population.write_parquet(fichier)
    options = [str(fichier), "--months", "2021-01", "--workers", "1"]
    reforme = ["--reform", f"{EXEMPLES / 'seuil_de_60.yaml'}+{EXEMPLES / 'sans_volet_2.yaml'}"]
    sortie = tmp_path / "sortie"
    arguments = [
        *options,
        *reforme,
        "--law-as-of",
        "2021-02-20",
        "--by",
        "section",
        "--decompose",
        "--output",
        str(sortie),
    ]
    resultat = CliRunner().invoke(command.compare, arguments)
    assert resultat.exit_code == 0, resultat.output
    assert "loi au 2021-02-20" in resultat.output
    assert "gardent leur version finale" in resultat.output
    assert {f.name for f in sortie.iterdir()} >= {"couts.csv", "articles.csv", "ecarts.parquet", "run.json"}
    assert pl.read_parquet(sortie / "ecarts.parquet").height > 0
    assert CliRunner().invoke(command.compare, options).exit_code == 2
    assert CliRunner().invoke(command.compare, [*options, "--law-as-of", "hier"]).exit_code == 2
    liste = CliRunner().invoke(command.doubts, ["--list"])
    assert liste.exit_code == 0
    assert "Le plus favorable" in liste.output
