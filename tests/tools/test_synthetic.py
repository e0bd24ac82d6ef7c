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
from openfisca_fds_tools import publie
from openfisca_fds_tools.population import simulate
from openfisca_fds_tools.synthetic import calendrier, echantillon, generer
from openfisca_fds_tools.synthetic.calage import HORS_REGIONS, Calage, rapport_de_poids
from openfisca_fds_tools.synthetic.calibration import ajustement, marges, rapport
from openfisca_fds_tools.synthetic.calibration import population as tirages
from openfisca_fds_tools.synthetic.calibration.cibles import Cibles
from openfisca_fds_tools.synthetic.calibration.command import calibrate, depart_de_zero
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
    Hypotheses,
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
    assert echantillon.chemin().stat().st_size < 7_000_000
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
    attendus = charger().effectifs * charger().rapports_de_poids
    attendus = attendus / attendus.sum()
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


# ---- calibration: the values fitted ----


def test_ratios_of_weights_are_bounded_and_neutral_at_zero():
    scores = numpy.linspace(-50, 50, 2001)
    ratios = rapport_de_poids(scores, (0.5, 2.0))
    assert rapport_de_poids(numpy.zeros(1), (0.5, 2.0)) == pytest.approx(1)
    assert (numpy.diff(ratios) > -1e-12).all()
    assert ratios[[0, -1]] == pytest.approx([0.5, 2.0], abs=1e-9)
    un_peu = rapport_de_poids(numpy.array([-1e-6, 1e-6]), (0.5, 2.0))
    assert (un_peu[1] - un_peu[0]) / 2e-6 == pytest.approx(1, abs=1e-4)


def test_weights_apply_the_scores_of_each_dimension():
    h = charger()
    section, statut, classe, departement = 8, 2, 5, DEPARTEMENTS.index("69")
    score = sum(
        h.calage["poids", nom][h.modalites[nom].index(modalite)]
        for nom, modalite in (("section", "I"), ("statut", "societe"), ("taille", "20_49"), ("region", "84"))
    )
    obtenu = h.rapports_de_poids[section, statut, classe, departement]
    assert obtenu == pytest.approx(float(rapport_de_poids(score, h["calage.bornes_des_rapports_de_poids"])))
    effectifs = h.effectifs / h.effectifs.sum()
    assert (effectifs * h.rapports_de_poids).sum() == pytest.approx(1, abs=0.01)  # the weights keep their sum


def test_calibration_is_written_and_read_back(tmp_path):
    calage = charger().calage.avec({("poids", "taille"): [0.12346, 0, -2, 0, 1]})
    calage.ecrire(tmp_path / "calage.csv", "essai")
    lu = Calage.lire(polars.read_csv(tmp_path / "calage.csv", infer_schema_length=None), calage.modalites)
    for cle in ajustement.PARAMETRES:
        assert lu[cle].tolist() == calage.arrondi()[cle].tolist(), cle
    assert lu["poids", "taille"].tolist() == [0.1235, 0, -2, 0, 1]


@pytest.mark.parametrize(
    ("lignes", "motif"),
    [
        ([("recours", "saison", "A")], "inconnu"),
        ([("poids", "section", "Z")], "inconnu"),
        ([("choc", "phase", "hiver 2021")] * 2, "deux fois"),
    ],
)
def test_a_wrong_calibration_is_refused(lignes, motif):
    table = polars.DataFrame(
        [(*ligne, 1.0) for ligne in lignes], schema=["famille", "dimension", "modalite", "valeur"], orient="row"
    )
    with pytest.raises(ValueError, match=motif):
        Calage.lire(table, charger().modalites)


def test_the_months_of_the_sample_are_within_their_bounds():
    """The figures of issue: at least 17 months of 20, and the whole within 5 % of what volet 1 paid."""
    agregats = simulate(echantillon.chemin(), outputs=("fds_volet_1",), detail=False).agregats
    par_mois = dict(agregats.select("mois", "montant_total").iter_rows())
    cibles, dedans = publie.cibles_par_mois_aide(), 0
    for debut, fin, bas, haut in cibles.select("premier_mois", "dernier_mois", "bas", "haut").iter_rows():
        dedans += bas <= sum(par_mois[mois] for mois in MOIS_AIDE if debut <= mois <= fin) <= haut
    assert dedans >= 17
    assert sum(par_mois.values()) == pytest.approx(publie.paiements_par_mois()["volet_1"].sum(), rel=0.05)


# ---- calibration: the method ----

UNE_TRANCHE = (TAILLE_TRANCHE, 7)


@pytest.fixture(scope="module")
def peuplee():
    return tirages.peupler(charger(), *UNE_TRANCHE)


@pytest.fixture(scope="module")
def cibles():
    return Cibles(charger())


def test_sums_expected_are_those_of_many_draws_of_the_demands(peuplee):
    """By Monte Carlo, with the engine out of the way: an aid is paid as soon as it is asked for."""
    h, alea = charger(), numpy.random.default_rng(0)
    attendues = tirages.attendre(h, peuplee, numpy.ones(len(MOIS_AIDE)))
    rho, essais = h["recours.persistance"], 60
    montants, entreprises = [], []
    for _ in range(essais):
        latente = numpy.sqrt(rho) * alea.standard_normal((TAILLE_TRANCHE, 1))
        latente = latente + numpy.sqrt(1 - rho) * alea.standard_normal((TAILLE_TRANCHE, len(MOIS_AIDE)))
        demande = tirages.demander(h, peuplee.e | {"reticence": repartition_normale(latente)})
        versee = peuplee.potentielle * demande
        montants.append(peuplee.e["poids"] @ versee)
        entreprises.append(peuplee.e["poids"] @ (versee > 0).any(axis=1))
    assert attendues.montant.sum(axis=(1, 2))[:20] == pytest.approx(numpy.mean(montants, axis=0)[:20], rel=0.03)
    assert attendues.entreprises.sum() == pytest.approx(numpy.mean(entreprises), rel=0.005)


def test_who_never_asks_among_independent_months():
    chance = numpy.array([[0.5, 0.2, 0.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.3]])
    assert tirages._aucune(chance, 0.0) == pytest.approx([0.4, 1.0, 0.0], abs=1e-3)
    # Fully persistent: who asks least reluctantly asks in the easiest month, or never.
    assert tirages._aucune(chance[:1], 0.9999) == pytest.approx([0.5], abs=0.15)


def test_paid_with_the_demands_drawn_is_what_the_file_gives(peuplee):
    demande, versee = tirages.verser(charger(), peuplee)
    assert (demande == peuplee.lignes.select(f"demande_fonds_solidarite:{m}" for m in MOIS_AIDE).to_numpy()).all()
    assert (versee <= peuplee.potentielle + 1e-6).mean() > 0.999  # a group's cap may leave more to a member that asks
    assert (versee[~demande] == 0).all()


@pytest.mark.parametrize("cle", [cle for cle in ajustement.PARAMETRES if cle[0] in ("recours", "poids")])
def test_derivatives_are_those_of_the_residuals(peuplee, cibles, cle):
    essai = ajustement.Ajustement(cibles, charger().calage, *UNE_TRANCHE, libres=(cle,))
    parametres = essai.vecteur(charger().calage)
    jacobienne = essai.jacobienne(parametres)
    base = essai.residus(parametres)
    for rang in (0, len(parametres) - 1):
        deplaces = parametres.copy()
        deplaces[rang] += 1e-4
        numerique = (essai.residus(deplaces) - base) / 1e-4
        # The finite step of the jacobian is larger: they agree to the curvature.
        assert jacobienne[:, rang] == pytest.approx(numerique, rel=0.1, abs=0.05 * abs(numerique).max() + 1e-9)


def test_a_fit_comes_closer_and_is_reproducible(cibles):
    depart = depart_de_zero(charger())
    un, autre = (
        ajustement.Ajustement(cibles, depart, *UNE_TRANCHE, libres=ajustement.RECOURS).resoudre(4) for _ in range(2)
    )
    assert un.couts[-1] < 0.8 * un.couts[0]
    assert un.parametres == {"recours": 47}
    assert 0 < un.degres_de_liberte < 47
    assert un.couts == autre.couts
    assert un.calage["recours", "section"].tolist() == autre.calage["recours", "section"].tolist()


def test_a_constant_take_up_does_not_vary(cibles):
    constante = ajustement.a_recours_constant(cibles, charger().calage, *UNE_TRANCHE, evaluations=4)
    assert numpy.ptp(constante.calage["recours", "phase"]) < 0.01
    for cle in ajustement.PARAMETRES:
        if cle[0] != "recours":
            assert constante.calage[cle].tolist() == charger().calage[cle].tolist()


def test_targets_are_the_published_figures(cibles):
    par_cle = {(c.famille, c.modalite, c.mesure): c for c in cibles.liste}
    assert len(par_cle) == len(cibles.liste)
    assert par_cle["section", "I", "montant"].valeur == 12622943889
    assert par_cle["region", "11", "entreprises"].valeur == pytest.approx(431_041, rel=0.01)  # by division of NAF
    assert par_cle["mois", "2021-02", "montant"].bornes == (2.7e9, 3.4e9)
    assert numpy.isinf(par_cle["mois", "2021-10", "montant"].tolerance)  # reported, not fitted
    assert not any(c.modalite == HORS_REGIONS for c in cibles.liste)


def test_sums_of_the_targets_are_counted_once(cibles, peuplee):
    sommes = tirages.attendre(charger(), peuplee, numpy.ones(len(MOIS_AIDE)))
    par_cible = dict(zip(((c.famille, c.modalite, c.mesure) for c in cibles.liste), cibles.sommer(sommes), strict=True))

    def total(famille, mesure):
        return sum(valeur for cle, valeur in par_cible.items() if cle[0] == famille and cle[2] == mesure)

    assert total("mois", "montant") == pytest.approx(sommes.montant.sum())
    assert total("section", "aides") == pytest.approx(sommes.aides.sum())
    hors = charger().modalites["region"].index(HORS_REGIONS)
    assert total("region", "montant") == pytest.approx(sommes.montant.sum() - sommes.montant[:, :, hors].sum())
    assert par_cible["population", "ensemble", "entreprises"] == pytest.approx(peuplee.e["poids"].sum())


# ---- calibration: what it reports ----


@pytest.fixture(scope="module")
def controle(cibles):
    return rapport.controler(charger().calage, cibles, *UNE_TRANCHE)


def test_fitted_and_held_out_margins_stand_apart(controle, cibles):
    ajustees, retenues, _ = controle
    assert ajustees.height == len(cibles.liste)
    assert set(ajustees["marge"]) == {"mois", "section", "region", "population"}
    assert not set(ajustees["marge"]) & set(retenues["marge"])
    assert set(retenues["marge"]) == {
        "aide moyenne par mois",
        "aide moyenne officielle",
        "forme juridique par période",
        "classe d'effectif",
        "département",
        "département et section",
    }


def test_margins_of_a_population_counted_by_hand(cibles):
    """Three restaurants of Lyon: a sole proprietor aided twice, a company aided once and a dormant one."""
    h = charger()
    e = {
        "poids": numpy.array([10.0, 100.0, 1000.0]),
        "section": numpy.full(3, 8),
        "statut": numpy.array([1, 2, 2]),
        "classe": numpy.array([0, 4, 0]),
        "departement": numpy.full(3, DEPARTEMENTS.index("69")),
    }
    versee = numpy.zeros((3, len(MOIS_AIDE)))
    versee[0, :2] = 1500, 500
    versee[1, MOIS_AIDE.index("2020-11")] = 10_000
    observation = marges.Observation(e, versee, h)
    ajustees = marges.marges_ajustees(cibles, observation, numpy.ones(len(cibles._population)))
    simules = {(m, c, mesure): v for m, c, mesure, v in ajustees.select(marges.COLONNES).drop("publie").iter_rows()}
    assert simules["mois", "2020-03", "montant"] == 15_000
    assert simules["section", "I", "montant"] == 20_000 + 1_000_000
    assert simules["section", "I", "aides"] == 20 + 100
    assert simules["region", "84", "entreprises"] == 110
    assert simules["section", "A", "montant"] == 0
    retenues = marges.marges_retenues(observation)
    simules = {(m, c, mesure): v for m, c, mesure, v in retenues.drop("publie").iter_rows()}
    assert simules["classe d'effectif", "10_19", "montant"] == 1_000_000  # legal persons only
    assert simules["classe d'effectif", "0", "montant"] == 0
    assert simules["département et section", "69 I", "montant"] == 1_020_000
    assert simules["aide moyenne par mois", "2020-11", "moyenne"] == 10_000
    assert simules["forme juridique par période", "entreprise_individuelle, printemps 2020", "part"] == 1
    assert simules["forme juridique par période", "societe, fin 2020", "moyenne"] == 10_000


def test_missed_targets_are_those_out_of_bounds_or_far(controle):
    ajustees = controle[0]
    manquees = rapport.manquees(ajustees)
    mois = manquees.filter(polars.col("marge") == "mois")
    assert ((mois["simule"] < mois["bas"]) | (mois["simule"] > mois["haut"])).all()
    dedans, nombre = rapport.dans_les_bornes(ajustees)
    assert dedans == nombre - mois.height
    autres = manquees.filter(polars.col("marge") != "mois")
    assert (autres["ecart"].abs() > 2 * autres["tolerance"]).all()


def test_calibrate_writes_the_whole_or_nothing(tmp_path, monkeypatch):
    plein = tmp_path / "plein"
    plein.mkdir()
    (plein / "notes.txt").write_text("à garder")
    assert CliRunner().invoke(calibrate, ["--output", str(plein)]).exit_code == 2
    sortie = tmp_path / "calage"
    arguments = ["--size", "4096", "--rounds", "1", "--evaluations", "2", "--output", str(sortie)]
    resultat = CliRunner().invoke(calibrate, arguments)
    assert resultat.exit_code == 0, resultat.output
    assert sorted(p.name for p in sortie.iterdir()) == [
        "calage.csv",
        "marges_ajustees.csv",
        "marges_retenues.csv",
        "rapport.md",
    ]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["calage", "plein"]
    texte = (sortie / "rapport.md").read_text(encoding="utf-8")
    assert texte.index("## Marges ajustées") < texte.index("## Marges retenues hors du calage")
    assert "cohérence interne, non une validation" in " ".join(texte.split())
    calage = Calage.lire(polars.read_csv(sortie / "calage.csv", infer_schema_length=None), charger().modalites)
    assert (Hypotheses(calage).rapports_de_poids > 0.5).all()  # the file can be used
