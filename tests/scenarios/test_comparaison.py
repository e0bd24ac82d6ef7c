"""Compare: signs of the shipped reforms, sharing equal to whole runs, exact sums, doubts, search."""

from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner

from openfisca_fds_tools.population import ErreurUtilisateur, simulate
from openfisca_fds_tools.scenarios import command, comparer, composer, identite, lire_reforme, loi_au
from openfisca_fds_tools.scenarios.classes import titre
from openfisca_fds_tools.scenarios.decomposition import decomposer, shapley
from openfisca_fds_tools.scenarios.doutes import chiffrer, doutes
from openfisca_fds_tools.scenarios.sensibilite import Cible, balayer, chercher
from openfisca_fds_tools.situation import lire_yaml

EXEMPLES = Path(__file__).parents[2] / "examples" / "reformes"
SIGNES = {  # by hand: what each reform can only do to the total cost
    "aout_21_jours": -1,
    "centres_de_20_000_m2_maintenus": 0,
    "limite_de_80_hors_couvre_feu": 1,
    "limite_de_la_perte_15_000": 1,
    "mayotte_3_000_en_avril_et_mai": 1,
    "mayotte_doublee_partout": 1,
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
    chemin = next(EXEMPLES.glob(f"{nom}.*"))
    return lire_reforme(str(chemin))


@pytest.fixture(scope="module")
def toutes(variee):
    """Every shipped reform, and the one that changes nothing."""
    reformes = [identite(), *(exemple(nom) for nom in SIGNES)]
    return comparer(variee, reformes, by=("forme_juridique",), bootstrap=50, seed=3)


def test_every_shipped_reform_has_a_sign_and_a_case_by_hand():
    livrees = {chemin.stem for chemin in EXEMPLES.iterdir() if chemin.suffix in (".yaml", ".py")}
    assert livrees == set(SIGNES)
    cas = lire_yaml(str(Path(__file__).with_name("reformes.yaml")))
    calculees = {un["reforms"].rpartition(".")[2] for un in cas if "reforms" in un}
    assert calculees == livrees


@pytest.mark.parametrize(("nom", "signe"), SIGNES.items())
def test_sign_on_the_embedded_sample(nom, signe, toutes):
    ecart = toutes.totaux()[exemple(nom).name][2]
    assert (ecart > 0) - (ecart < 0) == signe


def test_the_identity_changes_nothing_to_the_cent(toutes):
    resultat = toutes
    moi = pl.col("reforme") == titre(identite())
    assert resultat.couts.filter(moi).select(pl.col("ecart").abs().max()).item() == 0
    assert resultat.ecarts.filter(moi).is_empty()
    assert resultat.carte["reformes"][0]["tableaux_recalcules"] == 0
    assert resultat.gagnants.filter(moi).select("gagnantes", "perdantes").row(0) == (0, 0)
    assert resultat.variables.filter(moi).is_empty()


def test_no_effect_is_always_explained(toutes):
    identique = next(avis for avis in toutes.avis if avis.startswith(f"« {titre(identite())} »"))
    assert "aucune formule ne lit" in identique
    muettes = {avis.split(" »")[0] for avis in toutes.avis if "sans effet" in avis}
    assert len(muettes) == sum(ecart == 0 for _, _, ecart in toutes.totaux().values())


def test_a_condition_may_change_and_no_aid():
    """A shop of a centre of 10 000 m²: its regime closes, its closure pays as much."""
    galerie = {
        "code_naf": "47.71Z",
        "surface_centre_commercial": 10_000.0,
        "effectif_salarie:2021-03": 51.0,
        "jours_interdiction_accueil_public:2021-03": 12,
        "chiffre_affaires:2019-03": 100_000.0,
        "chiffre_affaires:2021-03": 29_000.0,
        "option_chiffre_affaires_reference": "mois_2019",
    }
    resultat = comparer(pl.DataFrame([galerie]), [exemple("centres_de_20_000_m2_maintenus")], "2021-03")
    assert next(iter(resultat.totaux().values())) == (20_000, 20_000, 0)
    (avis,) = resultat.avis
    assert "fds_regime_centre_commercial (1)" in avis
    assert avis.endswith("mais aucune aide versée.")


def test_nobody_aided_is_no_error():
    resultat = comparer(pl.DataFrame([{"code_naf": "47.71Z"}]), [exemple("seuil_de_60")], "2021-03")
    assert resultat.totaux() == {exemple("seuil_de_60").name: (0, 0, 0)}
    assert resultat.carte["reformes"][0]["ecart"] == 0


def test_a_parameter_that_nobody_reads_in_these_months(population):
    resultat = comparer(population, [exemple("aout_21_jours")], "2021-01")
    assert "aucune formule ne lit, ces mois-là" in resultat.avis[0]
    assert resultat.variables.is_empty()


def test_changed_variables_are_counted(population):
    """The threshold of January changes this condition for the rows between 50 and 60 %, and no other month."""
    reforme = exemple("seuil_de_60")
    resultat = comparer(population, [reforme], "2021-01")
    lignes = dict(resultat.variables.select("variable", "lignes").iter_rows())
    avant, apres = (
        simulate(population, "2021-01", ("fds_perte_seuil_general",), loi, detail=True).mensuels
        for loi in (None, reforme)
    )
    differents = (avant["fds_perte_seuil_general"] != apres["fds_perte_seuil_general"]).sum()
    assert lignes["fds_perte_seuil_general"] == differents > 0


def test_articles_and_dimensions_add_up_to_the_total(toutes):
    resultat = toutes
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


def test_bootstrap_is_seeded_and_surrounds_the_difference(toutes):
    table = toutes.incertitude
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


def test_doubts_alone_and_together(variee):
    effets = chiffrer(variee)
    assert {d.numero for d in doutes() if d.autres} == set(effets.table["numero"])
    assert effets.ensemble["minimum"] <= min(effets.table["ecart"].min(), 0)
    assert effets.ensemble["maximum"] >= max(effets.table["ecart"].max(), 0)
    nuls = effets.table.filter(pl.col("ecart") == 0)["numero"].to_list()
    assert all(any(numero in avis for avis in effets.avis) for numero in nuls)
    for doute in doutes():
        assert doute.question
        assert doute.confiance


def test_the_switches_of_the_law_are_doubts_with_another_value():
    attendus = {"D1", "D2", "D3", "D4", "D-R2", "D-centre", "D-anterieure", "D-boissons", "D-couvre-feu"}
    attendus |= {"D-90.03B", "D-92.00Z", "D-78.10Z", "D-ferme-auberge"}
    assert {doute.numero for doute in doutes() if doute.autres} == attendus


def test_search_meets_a_budget_and_refuses_what_goes_both_ways(population):
    cible = Cible("plafonds.groupe", "2021-01", "2021-01")
    courbe = balayer(population, cible, 50_000, 250_000, 3, "2021-01")
    budget = courbe["ecart"].min() / 2
    trouvee = chercher(population, cible, courbe, budget, "2021-01")
    assert "plafonds.groupe = " in trouvee.phrase
    totaux = comparer(population, [cible.reforme(trouvee.valeur)], "2021-01").totaux()
    assert next(iter(totaux.values()))[2] == pytest.approx(trouvee.ecart, abs=0.01) == pytest.approx(budget, rel=0.01)
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
    assert "gardées en version finale" in " ".join(resultat.output.split())
    assert {f.name for f in sortie.iterdir()} >= {"couts.csv", "articles.csv", "ecarts.parquet", "run.json"}
    assert pl.read_parquet(sortie / "ecarts.parquet").height > 0
    assert CliRunner().invoke(command.compare, options).exit_code == 2
    assert CliRunner().invoke(command.compare, [*options, "--law-as-of", "hier"]).exit_code == 2
    liste = CliRunner().invoke(command.doubts, ["--list"])
    assert liste.exit_code == 0
    assert "Le plus favorable" in liste.output
