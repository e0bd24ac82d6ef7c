"""The synthetic population: reproducible, possible, close to its margins, and the sample shipped is the one drawn."""

import csv
import datetime

import numpy
import polars
import pytest
import yaml
from click.testing import CliRunner
from openfisca_core.periods import DateUnit

from openfisca_fds import CountryTaxBenefitSystem
from openfisca_fds_tools.synthetic import calendrier, echantillon, generer
from openfisca_fds_tools.synthetic.chiffre_affaires import perte_au_rang, repartition_normale
from openfisca_fds_tools.synthetic.command import population
from openfisca_fds_tools.synthetic.hypotheses import (
    CLASSES,
    CODES_NAF,
    DEPARTEMENTS,
    EFFECTIF_MAXIMAL,
    EFFECTIF_MINIMAL,
    MOIS,
    MOIS_AIDE,
    charger,
    donnees,
)
from openfisca_fds_tools.synthetic.tirage import TAILLE_TRANCHE

JOURS = {mois: (datetime.date(int(mois[:4]) + mois.endswith("12"), int(mois[5:]) % 12 + 1, 1)) for mois in MOIS}
JOURS = {mois: (suivant - datetime.timedelta(days=1)).day for mois, suivant in JOURS.items()}


@pytest.fixture(scope="module")
def livre():
    return polars.read_parquet(echantillon.chemin())


@pytest.fixture(scope="module")
def uniforme():
    return polars.concat(generer(4 * TAILLE_TRANCHE, graine=2))


@pytest.fixture(scope="module")
def sections():
    return {
        f"{division:02d}": ligne["section"]
        for ligne in charger().sections.iter_rows(named=True)
        for division in range(ligne["premiere_division"], ligne["derniere_division"] + 1)
    }


def parts(lignes, cle):
    """Weighted shares of the values of ``cle``, a column name or an array."""
    valeurs = lignes[cle].to_numpy() if isinstance(cle, str) else numpy.asarray(cle)
    poids = lignes["poids"].to_numpy()
    return {valeur: poids[valeurs == valeur].sum() / poids.sum() for valeur in numpy.unique(valeurs)}


# ---- reproducible ----


def test_rows_do_not_depend_on_the_blocks():
    taille = 2 * TAILLE_TRANCHE + 37
    petits = list(generer(taille, graine=5, concentre=True, lignes_par_bloc=1))
    grands = list(generer(taille, graine=5, concentre=True, lignes_par_bloc=10**9))
    assert [bloc.height for bloc in petits] == [TAILLE_TRANCHE, TAILLE_TRANCHE, 37]
    assert [bloc.height for bloc in grands] == [taille]
    assert polars.concat(petits).equals(grands[0])


def test_rows_do_not_depend_on_the_size_of_the_population_but_their_weight():
    grande, petite = next(generer(TAILLE_TRANCHE, graine=5)), next(generer(100, graine=5))
    assert grande.head(100).drop("poids").equals(petite.drop("poids"))
    assert petite["poids"].to_numpy() == pytest.approx(grande.head(100)["poids"].to_numpy() * TAILLE_TRANCHE / 100)


def test_each_seed_its_own_population():
    une, autre = next(generer(200, graine=1)), next(generer(200, graine=2))
    assert not une["chiffre_affaires:2019-06"].equals(autre["chiffre_affaires:2019-06"])


def test_slices_differ():
    lignes = next(generer(2 * TAILLE_TRANCHE, graine=1))
    ca = "chiffre_affaires:2019-06"
    assert not lignes[ca].head(TAILLE_TRANCHE).equals(lignes[ca].tail(TAILLE_TRANCHE))


def test_same_seed_same_bytes(tmp_path):
    fichiers = [tmp_path / "une.parquet", tmp_path / "autre.parquet"]
    for fichier in fichiers:
        resultat = CliRunner().invoke(population, ["--size", "5000", "--seed", "3", "--output", str(fichier)])
        assert resultat.exit_code == 0, resultat.output
    assert fichiers[0].read_bytes() == fichiers[1].read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["autre.parquet", "une.parquet"]


def test_file_and_folder_hold_the_same_rows(tmp_path):
    for sortie in ("population.parquet", "population"):
        resultat = CliRunner().invoke(population, ["--size", "5000", "--output", str(tmp_path / sortie)])
        assert resultat.exit_code == 0, resultat.output
    dossier = polars.read_parquet(tmp_path / "population" / "partie-*.parquet")
    assert dossier.equals(polars.read_parquet(tmp_path / "population.parquet"))


@pytest.mark.parametrize("arguments", [["--size", "0"], ["--size", "10", "--seed", "-1"], ["--size", "mille"]])
def test_bad_arguments_are_refused(tmp_path, arguments):
    resultat = CliRunner().invoke(population, [*arguments, "--output", str(tmp_path / "p.parquet")])
    assert resultat.exit_code == 2
    assert list(tmp_path.iterdir()) == []


def test_a_folder_in_use_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("à garder")
    resultat = CliRunner().invoke(population, ["--size", "10", "--output", str(tmp_path)])
    assert resultat.exit_code == 2
    assert "existe déjà" in resultat.output
    assert [p.name for p in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("arguments", [{"taille": 0}, {"taille": 1, "graine": -1}, {"taille": 1, "lignes_par_bloc": 0}])
def test_bad_sizes_are_refused(arguments):
    with pytest.raises(ValueError, match="au moins 1"):
        next(generer(**arguments))


# ---- the sample shipped ----


def test_sample_is_small_and_whole(livre, sections):
    assert echantillon.chemin().stat().st_size < 3_000_000
    assert livre.height == echantillon.TAILLE
    assert set(livre["departement"]) == set(DEPARTEMENTS)
    assert {sections[code[:2]] for code in livre["code_naf"]} == set(charger().sections["section"])
    assert livre["forme_juridique"].n_unique() == 4
    assert livre.null_count().sum_horizontal().item() == 0


def test_sample_is_the_one_that_the_assumptions_give(livre):
    tranche = next(generer(echantillon.TAILLE, echantillon.GRAINE, concentre=True, lignes_par_bloc=1))
    extrait = livre.head(TAILLE_TRANCHE)
    assert extrait.columns == tranche.columns
    for colonne in tranche.columns:
        if tranche[colonne].dtype.is_float():
            numpy.testing.assert_allclose(extrait[colonne], tranche[colonne], rtol=1e-9, err_msg=colonne)
        else:
            assert extrait[colonne].equals(tranche[colonne]), colonne


def test_columns_are_inputs_of_the_model(livre):
    variables = CountryTaxBenefitSystem().variables
    for colonne in set(livre.columns) - {"id", "groupe", "poids"}:
        nom, _, mois = colonne.partition(":")
        assert (variables[nom].definition_period == DateUnit.MONTH) == bool(mois), colonne
        if mois:
            assert mois in (MOIS if nom == "chiffre_affaires" else MOIS_AIDE), colonne


# ---- possible ----


@pytest.mark.parametrize("lignes", ["livre", "uniforme"])
def test_no_impossible_row(request, lignes):
    lignes = request.getfixturevalue(lignes)
    naissance = lignes["date_creation"].to_numpy()
    assert naissance.max() < numpy.datetime64("2021-06-01")
    individuelle = lignes["forme_juridique"].to_numpy() == "entreprise_individuelle"
    for mois in MOIS:
        suivant = (numpy.datetime64(mois) + 1).astype("datetime64[D]")
        pas_encore = naissance >= suivant
        ca = lignes[f"chiffre_affaires:{mois}"].to_numpy()
        assert (ca >= 0).all()
        assert (ca == numpy.rint(ca)).all()
        assert (ca[pas_encore] == 0).all()
        if mois not in MOIS_AIDE:
            continue
        interdits = lignes[f"jours_interdiction_accueil_public:{mois}"].to_numpy()
        distance = lignes[f"chiffre_affaires_vente_a_distance:{mois}"].to_numpy()
        assert ((distance >= 0) & (distance <= ca)).all()
        assert (distance[interdits == 0] == 0).all()
        confinement = lignes[f"jours_confinement:{mois}"].to_numpy()
        mesures = lignes[f"jours_couvre_feu_ou_confinement:{mois}"].to_numpy()
        assert ((interdits >= 0) & (interdits <= JOURS[mois])).all()
        assert ((confinement >= 0) & (confinement <= mesures) & (mesures <= JOURS[mois])).all()
        for nom in ("effectif_salarie", "demande_fonds_solidarite", "pensions_retraite", "indemnites_journalieres"):
            assert not lignes[f"{nom}:{mois}"].to_numpy()[pas_encore].any(), nom
    tardive = naissance > numpy.datetime64("2020-03-01")
    assert not lignes["liquidation_judiciaire_au_1er_mars_2020"].to_numpy()[tardive].any()
    assert not lignes["dettes_fiscales_ou_sociales_impayees:2020-03"].to_numpy()[tardive].any()
    assert (lignes["nombre_associes"].to_numpy()[individuelle] == 1).all()
    assert not (lignes["artiste_auteur"].to_numpy() & ~individuelle).any()
    assert not (lignes["activite_secondaire_interdite_au_public"] & ~lignes["activite_secondaire"]).any()
    assert (lignes["poids"].to_numpy() > 0).all()
    assert lignes["densite_commune"].is_between(1, 4).all()
    assert lignes["part_chiffre_affaires_clients_proteges"].is_between(0, 1).all()
    assert (lignes["solde_tresorerie_volet_2"].to_numpy()[lignes["demande_volet_2"].to_numpy()] < 0).all()


def test_groups_stand_together_in_one_slice(uniforme):
    groupe, rang = uniforme["groupe"].to_numpy(), uniforme["id"].to_numpy()
    assert (numpy.diff(groupe) >= 0).all()  # consecutive rows
    assert (groupe // TAILLE_TRANCHE == rang // TAILLE_TRANCHE).all()
    tailles = uniforme.group_by("groupe").len()["len"]
    assert tailles.max() <= 6
    assert (tailles > 1).sum() > 100
    membres = uniforme.filter(polars.len().over("groupe") > 1)
    assert set(membres["forme_juridique"]) == {"societe"}
    assert membres["controle_autre_entreprise"].all()
    assert not membres.filter(polars.col("id") == polars.col("groupe"))["controlee_par_societe_commerciale"].any()
    assert (
        0.4 < membres.filter(polars.col("id") != polars.col("groupe"))["controlee_par_societe_commerciale"].mean() < 0.8
    )


def test_births_run_until_2021(livre):
    annees = parts(livre, livre["date_creation"].dt.year().to_numpy())
    assert 0.05 < annees[2019] < 0.15
    assert 0.05 < annees[2020] < 0.15
    assert 0.01 < annees[2021] < 0.06


# ---- close to the margins ----


# Weights vary within a section of the sample shipped: its margins are less exact than those of equal weights.
@pytest.mark.parametrize(("lignes", "tolerance"), [("livre", 0.10), ("uniforme", 0.02)])
def test_margins(request, lignes, tolerance, sections):
    lignes = request.getfixturevalue(lignes)
    attendus = charger().effectifs / charger().effectifs.sum()
    assert lignes["poids"].sum() == pytest.approx(charger()["population.effectif_total"], rel=0.01)

    obtenues = parts(lignes, [sections[code[:2]] for code in lignes["code_naf"]])
    for section, attendue in zip(charger().sections["section"], attendus.sum(axis=(1, 2, 3)), strict=True):
        assert obtenues[section] == pytest.approx(attendue, rel=tolerance, abs=0.0005), section

    micro, ei, societe, association, autre = attendus.sum(axis=(0, 2, 3))
    formes = parts(lignes, "forme_juridique")
    assert formes["entreprise_individuelle"] == pytest.approx(micro + ei, abs=0.01)
    assert formes["societe"] == pytest.approx(societe, abs=0.01)
    assert formes["association"] + formes["autre"] == pytest.approx(association + autre, abs=0.004)

    departements = parts(lignes, "departement")
    for departement, attendue in zip(DEPARTEMENTS, attendus.sum(axis=(0, 1, 2)), strict=True):
        part = departements.get(departement, 0)
        assert part == pytest.approx(attendue, rel=0.30 + 2 * tolerance, abs=0.003), departement

    # Headcounts are zero before the creation: the classes are those of the last month.
    effectif = lignes[f"effectif_salarie:{MOIS_AIDE[-1]}"].to_numpy()
    for rang, attendue in enumerate(attendus.sum(axis=(0, 1, 3))):
        dans_la_classe = (effectif >= EFFECTIF_MINIMAL[rang]) & (effectif <= EFFECTIF_MAXIMAL[rang])
        part = parts(lignes, dans_la_classe).get(True, 0)
        assert part == pytest.approx(attendue, rel=0.10, abs=0.002), CLASSES[rang]


def test_published_orders_of_magnitude(livre):
    """Insee 2021: 73 % of legal units without employee; Acoss 2018: 11 298 € a year by active micro-entrepreneur."""
    sans_salarie = livre[f"effectif_salarie:{MOIS_AIDE[-1]}"].to_numpy() == 0
    assert parts(livre, sans_salarie)[True] == pytest.approx(0.73, abs=0.04)
    annee = livre.select(polars.sum_horizontal(f"chiffre_affaires:{mois}" for mois in MOIS[:12])).to_series().to_numpy()
    total = (annee * livre["poids"].to_numpy())[livre["effectif_salarie:2020-03"].to_numpy() < 10].sum()
    # Microenterprises of mainly market sectors: 477 billion euros (Insee, 2020).
    assert 300e9 < total < 700e9


# ---- shocks, closures, calendar ----


@pytest.mark.parametrize("choc", [0.02, 0.1, 0.35, 0.6, 0.9, 0.97])
def test_losses_have_the_mean_and_the_masses_assumed(choc):
    rangs = (numpy.arange(200_000) + 0.5) / 200_000
    pertes = perte_au_rang(charger(), numpy.full(200_000, choc), rangs)
    assert pertes.mean() == pytest.approx(choc, abs=0.002)
    assert (pertes == 0).mean() == pytest.approx((1 - choc) ** charger()["chocs.exposant_sans_perte"], abs=1e-4)
    assert (pertes == 1).mean() == pytest.approx(choc ** charger()["chocs.exposant_perte_totale"], abs=1e-4)


def test_normal_distribution_function():
    for x, attendue in [(-1.959964, 0.025), (0, 0.5), (0.6744898, 0.75), (2.326348, 0.99)]:
        assert repartition_normale(x) == pytest.approx(attendue, abs=4e-4)


@pytest.fixture(scope="module")
def fermetures_totales():
    with (donnees() / "calendrier" / "fermetures_activites.csv").open(encoding="utf-8") as fichier:
        return [ligne for ligne in csv.DictReader(fichier) if ligne["nature"] == "totale"]


def jours_fermes(lignes, activite, departement, mois):
    """Count the closed days one by one from the file, by another way than the table."""
    territoires = {departement, "METROPOLE"} if len(departement) == 2 else {departement}
    lignes = [ligne for ligne in lignes if ligne["activite"] == activite and ligne["territoire"] in territoires]
    jours = [f"{mois}-{jour:02d}" for jour in range(25 if mois == "2020-09" else 1, JOURS[mois] + 1)]
    return sum(any(ligne["debut"] <= jour <= ligne["fin"] for ligne in lignes) for jour in jours)


@pytest.mark.parametrize("activite", calendrier.activites_fermees()[1::3])
def test_closures_follow_the_calendar(activite, fermetures_totales):
    rang = calendrier.activites_fermees().index(activite)
    for departement in ("01", "13", "2A", "75", "971", "976", "988"):
        table = calendrier.table_interdictions()[rang, 0, DEPARTEMENTS.index(departement)]
        attendus = [jours_fermes(fermetures_totales, activite, departement, mois) for mois in MOIS_AIDE]
        assert table.tolist() == attendus, departement


def test_closures_known_by_date():
    restaurants = calendrier.activites_fermees().index("Restaurants")
    paris = calendrier.table_interdictions()[restaurants, 0, DEPARTEMENTS.index("75")]
    par_mois = dict(zip(MOIS_AIDE, paris.tolist(), strict=True))
    # Closed from 15 March to 1 June 2020, then from 30 October 2020 to 18 May 2021.
    assert [par_mois[m] for m in ("2020-03", "2020-04", "2020-06", "2020-07")] == [17, 30, 1, 0]
    assert [par_mois[m] for m in ("2020-11", "2021-02", "2021-05", "2021-06")] == [30, 28, 18, 0]


def test_large_shopping_centres_close_more():
    table = calendrier.table_interdictions()[0, :, DEPARTEMENTS.index("75"), MOIS_AIDE.index("2021-02")]
    par_seuil = dict(zip([0, *calendrier.seuils_centres_commerciaux().tolist()], table.tolist(), strict=True))
    assert par_seuil == {0: 0, 5000: 0, 10000: 0, 20000: 28, 40000: 28}


def test_a_closed_enterprise_sells_little_else_than_at_a_distance(livre):
    ferme = livre.filter(
        polars.col("jours_interdiction_accueil_public:2021-02") == 28, polars.col("chiffre_affaires:2019-02") > 0
    )
    assert ferme.height > 500
    restant = ferme["chiffre_affaires:2021-02"] - ferme["chiffre_affaires_vente_a_distance:2021-02"]
    assert 0.5 < (restant == 0).mean() < 0.95
    assert restant.sum() < 0.15 * ferme["chiffre_affaires:2019-02"].sum()


def test_losses_are_dispersed_within_a_sector(livre):
    """April 2020, construction: some lose nothing, some lose all, most are between."""
    construction = livre.filter(
        polars.col("code_naf").str.starts_with("43"), polars.col("chiffre_affaires:2019-04") > 0
    )
    reste = construction["chiffre_affaires:2020-04"] / construction["chiffre_affaires:2019-04"]
    assert 0.05 < (reste > 0.9).mean() < 0.4
    assert 0.05 < (reste == 0).mean() < 0.5


# ---- assumptions ----


def test_every_assumption_has_its_source():
    for fichier in donnees().iterdir():
        if fichier.name.endswith(".csv"):
            with fichier.open(encoding="utf-8") as lignes:
                for ligne in csv.DictReader(lignes):
                    assert ligne["source"], (fichier.name, ligne)
                    assert ligne["confiance"] in {"T", "S", "M", "C"}, (fichier.name, ligne)
    for bloc in yaml.safe_load((donnees() / "hypotheses.yaml").read_text(encoding="utf-8")).values():
        for nom, hypothese in bloc.items():
            assert set(hypothese) == {"valeur", "source", "confiance"}, nom
            assert hypothese["confiance"] in {"T", "S", "M", "C"}, nom


def test_codes_of_the_assumptions_exist():
    for fichier, colonne, codes in (
        ("activites.csv", "code_naf", CODES_NAF),
        ("fermetures.csv", "code_naf", CODES_NAF),
        ("departement_section.csv", "departement", DEPARTEMENTS),
    ):
        with (donnees() / fichier).open(encoding="utf-8") as lignes:
            assert {ligne[colonne] for ligne in csv.DictReader(lignes)} <= set(codes), fichier
