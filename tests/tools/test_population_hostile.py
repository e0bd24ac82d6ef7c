"""Hostile files: one clear line for each problem, exit code 2, nothing written."""

import os
import signal
import subprocess
import sys
import time

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from openfisca_fds_tools.population import PopulationInvalide, reading, simulate

from .conftest import tirer

MOIS = "2021-03"
SORTIES = ("fds_volet_1", "effectif_groupe")


def refus(table, tmp_path, nom="hostile.parquet", **options) -> list[str]:
    """Lines of the refusal of a population; nothing is left in the output folder."""
    chemin = tmp_path / nom
    if isinstance(table, pl.DataFrame):
        table.write_parquet(chemin)
    elif isinstance(table, str):
        chemin.write_text(table, encoding="utf-8")
    elif isinstance(table, bytes):
        chemin.write_bytes(table)
    sortie = tmp_path / "sortie"
    with pytest.raises(PopulationInvalide) as refuse:
        simulate(chemin, months=MOIS, outputs=SORTIES, output=sortie, **options)
    assert not sortie.exists()
    return str(refuse.value).splitlines()


@pytest.mark.parametrize(
    ("colonne", "valeurs", "message"),
    [
        ("nombre_associe", [1, 2], "variable inconnue ; noms proches : « nombre_associes »"),
        ("chiffre_affaires", [1.0, 2.0], "attendu : « chiffre_affaires:AAAA-MM » (variable mensuelle)"),
        ("chiffre_affaires:2019", [1.0, 2.0], "attendu : « chiffre_affaires:AAAA-MM » (variable mensuelle)"),
        ("departement:2021-03", ["75", "75"], "attendu : « departement » sans mois (variable constante)"),
        ("chiffre_affaires:2018-12", [1.0, 2.0], "mois 2018-12 hors du modèle ; attendu : de 2019-01 à 2022-02"),
        ("chiffre_affaires:2022-03", [1.0, 2.0], "mois 2022-03 hors du modèle ; attendu : de 2019-01 à 2022-02"),
        ("fds_aide_percue:2020-02", [True, True], "mois 2020-02 hors du modèle ; attendu : de 2020-03 à 2022-02"),
        ("effectif_groupe:2021-03", [1.0, 2.0], "attendu : « groupe.effectif_groupe:2021-03 »"),
        ("groupe.departement", ["75", "75"], "attendu : « departement »"),
        ("date_creation", [1.5, 2.5], "type Float64 ; attendu : une date AAAA-MM-JJ existante"),
        ("effectif_salarie:2021-03", [True, False], "type Boolean ; attendu : un nombre positif ou nul"),
        ("id", [1.5, 2.5], "type Float64 ; attendu : un texte ou un entier"),
    ],
)
def test_columns_that_are_refused(colonne, valeurs, message, tmp_path):
    assert refus(pl.DataFrame({colonne: valeurs}), tmp_path)[0] == f"hostile.parquet, colonne « {colonne} » : {message}"


@pytest.mark.parametrize(
    ("colonne", "valeur", "montre", "attendu"),
    [
        ("effectif_salarie:2021-03", -3.0, "-3.0", "un nombre positif ou nul"),
        ("chiffre_affaires:2021-03", -0.01, "-0.01", "un nombre positif ou nul"),
        ("chiffre_affaires:2021-03", float("inf"), "inf", "un nombre positif ou nul"),
        ("chiffre_affaires:2021-03", "douze", "« douze »", "un nombre positif ou nul"),
        ("chiffre_affaires:2021-03", "12,5", "« 12,5 »", "un nombre positif ou nul"),
        ("nombre_associes", 1.5, "1.5", "un nombre entier positif ou nul"),
        ("nombre_associes", 3_000_000_000, "3000000000", "un nombre entier positif ou nul"),
        ("nombre_associes", 55_000_000_123_456, "55000000123456", "un nombre entier positif ou nul"),
        ("densite_commune", 5, "5", "un nombre entier de 1 à 4"),
        ("jours_interdiction_accueil_public:2021-02", 29, "29", "un nombre entier de 0 à 28"),
        ("part_chiffre_affaires_clients_proteges", 50.0, "50.0", "un nombre de 0 à 1"),
        ("discotheque", 2, "2", "true ou false"),
        ("discotheque", "peut-être", "« peut-être »", "true ou false"),
        ("date_creation", "2020-02-30", "« 2020-02-30 »", "une date AAAA-MM-JJ existante"),
        ("date_creation", "30/01/2020", "« 30/01/2020 »", "une date AAAA-MM-JJ existante"),
        ("date_creation", "0001-01-01", "« 0001-01-01 »", "une date AAAA-MM-JJ existante"),
        ("departement", "20", "« 20 »", "un code connu : 01, 02, 03, 04, 05, 06…"),
        ("departement", 96, "96", "un code connu, peut-être « 986 », « 976 »"),
        ("departement", 0, "0", "un code connu : 01, 02, 03, 04, 05, 06…"),
        ("departement", -1, "-1", "un code connu : 01, 02, 03, 04, 05, 06…"),
        ("departement", "075", "« 075 »", "un code connu, peut-être « 07 », « 05 », « 75 »"),
        ("code_naf", "47.71", "« 47.71 »", "un code connu, peut-être « 47.71Z », « 47.79Z », « 47.78C »"),
        ("code_naf", 4771, "4771", "un code connu, peut-être « 47.71Z », « 47.91B », « 47.91A »"),
        ("code_naf", "café", "« café »", "un code connu : inconnu, 01.11Z, 01.12Z, 01.13Z, 01.14Z, 01.15Z…"),
        ("forme_juridique", "asociation", "« asociation »", "un code connu, peut-être « association »"),
        (
            "forme_juridique",
            "SARL",
            "« SARL »",
            "un code connu : entreprise_individuelle, societe, association, autre",
        ),
        ("poids", -1.0, "-1.0", "un nombre de 0 à 1000000"),
        ("poids", float("inf"), "inf", "un nombre de 0 à 1000000"),
    ],
)
def test_cells_that_are_refused(colonne, valeur, montre, attendu, tmp_path):
    table = pl.DataFrame({"id": ["a", "b", "c"]}).with_columns(pl.Series(colonne, [None, None, valeur]))
    lignes = refus(table, tmp_path)
    assert lignes == [
        f"hostile.parquet, ligne 3, colonne « {colonne} » : valeur {montre} ; attendu : {attendu}",
        "1 problème : rien n'a été écrit.",
    ]


def test_codes_are_codes_never_ranks():
    graphies = ["1", "01", "95", "971", "2A", None]
    attendus = ["01", "01", "95", "971", "2A", "75"]
    for serie in (pl.Series(graphies), pl.Series([1, 1, 95, 971, 988, None])):
        resultats = simulate(pl.DataFrame({"departement": serie}), months=MOIS, outputs=("departement",))
        voulus = attendus if serie.dtype == pl.String else ["01", "01", "95", "971", "988", "75"]
        assert resultats.eternels["departement"].to_list() == voulus
    table = pl.DataFrame({"code_naf": ["4771Z", "47.71Z", " 56.10A ", "", None]})
    resultats = simulate(table, months=MOIS, outputs=("code_naf",))
    assert resultats.eternels["code_naf"].to_list() == ["47.71Z", "47.71Z", "56.10A", "inconnu", "inconnu"]


def test_nan_is_an_empty_cell_that_is_reported():
    avis = []
    table = pl.DataFrame({"effectif_salarie:2021-03": [float("nan"), 3.0], "poids": [float("nan"), 2.0]})
    resultats = simulate(table, months=MOIS, outputs=("effectif_salarie",), notice=avis.append)
    assert resultats.mensuels["effectif_salarie"].to_list() == [0.0, 3.0]
    assert resultats.carte["nan_lus_comme_vides"] == {"effectif_salarie:2021-03": 1, "poids": 1}
    assert len(avis) == 2


def test_columns_of_nulls_are_as_absent():
    table = pl.DataFrame({"id": ["a"], "departement": [None], "effectif_salarie:2021-03": [None], "poids": [None]})
    assert simulate(table, months=MOIS, outputs=SORTIES).mensuels["effectif_groupe"].to_list() == [0.0]


def test_repeated_and_empty_identifiers(tmp_path):
    table = pl.DataFrame({"id": ["a", "b", "a", None, " "]})
    assert refus(table, tmp_path)[:3] == [
        "hostile.parquet, ligne 4, colonne « id » : valeur vide ; attendu : un identifiant",
        "hostile.parquet, ligne 5, colonne « id » : valeur vide ; attendu : un identifiant",
        "hostile.parquet, ligne 3, colonne « id » : valeur « a » ; attendu : un identifiant unique",
    ]


def test_identifiers_repeated_across_blocks_and_files(tmp_path):
    dossier = tmp_path / "population"
    dossier.mkdir()
    pl.DataFrame({"id": [1, 2, 3]}).write_parquet(dossier / "a.parquet")
    pl.DataFrame({"id": [4, 2]}).write_parquet(dossier / "b.parquet")
    lignes = refus(None, tmp_path, "population", block_size=1)
    assert lignes[0] == "b.parquet, ligne 2, colonne « id » : valeur « 2 » ; attendu : un identifiant unique"


def test_group_values_must_agree(tmp_path):
    table = pl.DataFrame({"groupe": ["g", "g", "h"], "groupe.effectif_groupe:2021-03": [5.0, 6.0, 7.0]})
    assert refus(table, tmp_path)[0] == (
        "hostile.parquet, ligne 2, colonne « groupe.effectif_groupe:2021-03 » : valeur 6.0 ; "
        "attendu : la même valeur pour tout le groupe"
    )


def test_files_that_cannot_be_read(tmp_path):
    entier = tmp_path / "entier.parquet"
    tirer(500).write_parquet(entier, compression="zstd")
    octets = entier.read_bytes()
    assert "fichier illisible ou tronqué" in refus(octets[: len(octets) // 2], tmp_path)[0]
    abime = bytearray(octets)
    abime[2_000:6_000] = bytes(4_000)
    assert "contenu illisible" in refus(bytes(abime), tmp_path)[0]
    assert refus(b"", tmp_path) == ["hostile.parquet : fichier vide."]
    assert "format non reconnu" in refus(b"\x89PNG rien de bon", tmp_path)[0]
    assert "aucune entreprise" in refus(pl.DataFrame({"id": []}, schema={"id": pl.String}), tmp_path)[0]
    assert "aucune entreprise" in refus("id,departement\n", tmp_path, "vide.csv")[0]


def test_text_files_in_another_shape(tmp_path):
    latin = "id,forme_juridique\n1,societe\n2,société\n".encode("latin-1")
    assert refus(latin, tmp_path, "p.csv") == ["p.csv, ligne 2 : encodage inattendu ; attendu : un texte en UTF-8."]
    assert "illisible" in refus("id,departement\n1,75,3\n", tmp_path, "p.csv")[0]
    assert "plusieurs fois" in refus("id,departement,departement\n1,75,75\n", tmp_path, "p.csv")[0]
    lignes = refus("id;departement;nombre_associes\n1;75;3\n2;7X;beaucoup\n", tmp_path, "p.csv")
    assert lignes[:2] == [
        "p.csv, ligne 2, colonne « departement » : valeur « 7X » ; attendu : un code connu : 01, 02, 03, 04, 05, 06…",
        "p.csv, ligne 2, colonne « nombre_associes » : valeur « beaucoup » ; attendu : un nombre entier positif ou nul",
    ]


@pytest.mark.parametrize("ouvriers", [1, 2])
def test_many_bad_rows_are_shown_twenty_then_counted(tmp_path, ouvriers):
    nombre = 200_000
    table = pl.DataFrame({"effectif_salarie:2021-03": [-1.0]}).select(pl.all().repeat_by(nombre).explode())
    lignes = refus(table, tmp_path, workers=ouvriers)
    assert len(lignes) == 22
    assert lignes[19].startswith("hostile.parquet, ligne 20,")
    assert lignes[20] == "… et 199\u202f980 autres problèmes."
    assert lignes[21] == "200\u202f000 problèmes : rien n'a été écrit."


@pytest.mark.parametrize(("taille", "eparse"), [(50, False), (400, False), (100, True)])
def test_skip_sets_bad_rows_aside_with_their_group(tmp_path, taille, eparse):
    """A wrong code and a repeated identifier: their rows go, with their group; the others get what they would alone."""
    bonne = tirer(400).with_columns(pl.col("departement").replace("75", "76"))
    if eparse:  # every group in several pieces
        bonne = pl.concat([bonne[::2], bonne[1::2]])
    rang = pl.int_range(pl.len())
    fautive = bonne.with_columns(
        departement=pl.when(rang == 7).then(pl.lit("ZZ")).otherwise("departement"),
        id=pl.when(rang == 90).then(pl.lit(bonne["id"][3])).otherwise("id"),
    )
    perdus = bonne.filter(pl.col("groupe").is_in([bonne["groupe"][7], bonne["groupe"][90]]))
    attendu = simulate(bonne.join(perdus, on="id", how="anti"), months=MOIS, outputs=SORTIES)
    resultats = simulate(fautive, months=MOIS, outputs=SORTIES, errors="skip", block_size=taille, output=tmp_path / "s")
    assert_frame_equal(resultats.mensuels.sort("id"), attendu.mensuels.sort("id"), check_exact=True)
    assert_frame_equal(resultats.agregats, attendu.agregats, check_exact=True)
    assert resultats.rejets.height == perdus.height == resultats.carte["lignes_rejetees"]
    motifs = dict(resultats.rejets.select("ligne", "motif").iter_rows())
    assert motifs[8] == "departement : valeur « ZZ » ; attendu : un code connu : 01, 02, 03, 04, 05, 06…"
    assert motifs[91] == f"id : valeur « {bonne['id'][3]} » ; attendu : un identifiant unique"
    assert set(motifs.values()) <= {motifs[8], motifs[91], "membre d'un groupe dont une ligne est refusée"}


def test_skip_with_nothing_left():
    table = pl.DataFrame({"id": ["a"], "departement": ["ZZ"]})
    resultats = simulate(table, months=MOIS, outputs=SORTIES, errors="skip")
    assert resultats.carte["entreprises"] == 0
    assert resultats.rejets.height == 1


def test_former_results_survive_a_refusal(tmp_path):
    sortie = tmp_path / "sortie"
    simulate(tirer(50), months=MOIS, outputs=SORTIES, output=sortie)
    avant = {f.name: f.read_bytes() for f in sortie.iterdir()}
    with pytest.raises(PopulationInvalide):
        simulate(pl.DataFrame({"departement": ["ZZ"]}), months=MOIS, outputs=SORTIES, output=sortie)
    assert {f.name: f.read_bytes() for f in sortie.iterdir()} == avant


def test_hash_collisions_do_not_make_duplicates(monkeypatch, tmp_path):
    """A collision of hashes is checked on the texts."""
    table = tirer(60)
    vrai = reading._hachages

    def tout_pareil(fichier, nom):
        hachages, vides = vrai(fichier, nom)
        return hachages % 3 if nom == "id" else hachages, vides

    monkeypatch.setattr(reading, "_hachages", tout_pareil)
    assert simulate(table, months=MOIS, outputs=SORTIES).carte["entreprises"] == 60


def test_killed_run_leaves_nothing_that_looks_whole(tmp_path):
    """SIGKILL in mid-run: the output folder holds blocks to resume, and no result file."""
    tirer(20_000).write_parquet(tmp_path / "p.parquet")
    commande = [sys.executable, "-m", "openfisca_fds_tools.cli", "simulate", str(tmp_path / "p.parquet")]
    commande += ["--output", str(tmp_path / "sortie"), "--block-size", "500", "--workers", "1"]
    processus = subprocess.Popen(commande, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    limite = time.monotonic() + 120
    while not list((tmp_path / "sortie").glob(".en_cours/*bilan.json")) and time.monotonic() < limite:
        time.sleep(0.05)
    os.kill(processus.pid, signal.SIGKILL)
    processus.wait()
    assert [f.name for f in (tmp_path / "sortie").iterdir()] == [".en_cours"]
