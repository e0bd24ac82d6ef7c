"""A run: exact totals, resumption, files, dimensions, DGFiP form."""

import json
import random
import sys
from fractions import Fraction

import numpy
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from openfisca_fds_tools.population import ErreurUtilisateur, aggregates, backends, model, run, simulate
from openfisca_fds_tools.population.parquet import ParquetAppender, RowGroup

from .conftest import tirer

OPTIONS = {"months": "2021-02:2021-03", "outputs": ("fds_article_3_22_montant", "fds_volet_1", "fds_volet_2")}


class Coupure(Exception):  # noqa: N818 -- French
    """What stops a run in these tests."""


def interrompre(monkeypatch, apres: int) -> None:
    """Stop the run when a block of this rank begins."""
    vrai = run.traiter

    def traiter(lot, bloc):
        if bloc.numero == apres:
            raise Coupure
        return vrai(lot, bloc)

    monkeypatch.setattr(run, "traiter", traiter)


@pytest.fixture
def coupee(population, tmp_path, monkeypatch):
    """Give a population in a file, and a folder where its run stopped after three blocks."""
    chemin = tmp_path / "p.parquet"
    population.write_parquet(chemin)
    with monkeypatch.context() as contexte:
        interrompre(contexte, 3)
        with pytest.raises(Coupure):
            simulate(chemin, **OPTIONS, output=tmp_path / "sortie", block_size=500)
    return chemin, tmp_path / "sortie"


def compter(monkeypatch) -> list[int]:
    """Ranks of the blocks computed from now on."""
    vrai, faits = run.traiter, []

    def traiter(lot, bloc):
        faits.append(bloc.numero)
        return vrai(lot, bloc)

    monkeypatch.setattr(run, "traiter", traiter)
    return faits


def test_resumed_run_does_what_is_missing_and_equals_a_whole_run(coupee, monkeypatch, tmp_path):
    chemin, sortie = coupee
    assert [f.name for f in sortie.iterdir()] == [run.DOSSIER_EN_COURS]
    faits, avis = compter(monkeypatch), []
    repris = simulate(chemin, **OPTIONS, output=sortie, block_size=500, notice=avis.append)
    assert min(faits) == 3
    assert any("3 blocs" in message for message in avis)
    entier = simulate(chemin, **OPTIONS, output=tmp_path / "autre", block_size=500)
    for nom in (run._MENSUELS, run._ETERNELS, run._AGREGATS):
        assert (sortie / nom).read_bytes() == (tmp_path / "autre" / nom).read_bytes()
    assert repris.carte["totaux"] == entier.carte["totaux"]
    assert not (sortie / run.DOSSIER_EN_COURS).exists()


def test_a_block_without_report_is_done_again(coupee, monkeypatch):
    chemin, sortie = coupee
    (sortie / run.DOSSIER_EN_COURS / "bloc-000001-bilan.json").unlink()
    faits = compter(monkeypatch)
    simulate(chemin, **OPTIONS, output=sortie, block_size=500)
    assert faits[:2] == [1, 3]


def test_a_changed_run_is_not_resumed_and_says_why(coupee, monkeypatch):
    chemin, sortie = coupee
    blocs = sorted((sortie / run.DOSSIER_EN_COURS).iterdir())

    def refuser(raison, **options):
        with pytest.raises(ErreurUtilisateur, match=raison):
            simulate(chemin, **(OPTIONS | {"output": sortie, "block_size": 500} | options))
        assert sorted((sortie / run.DOSSIER_EN_COURS).iterdir()) == blocs

    refuser("les options ont changé", months="2021-02")
    refuser("les options ont changé", block_size=400)
    with monkeypatch.context() as contexte:
        contexte.setattr(model, "empreinte_parametres", lambda _: "autre")
        refuser("le modèle a changé")
    with monkeypatch.context() as contexte:
        contexte.setattr(model, "empreinte_formules", lambda _: "autre")
        refuser("le modèle a changé")
    with monkeypatch.context() as contexte:
        contexte.setattr(model, "classe_reforme", lambda _: lambda systeme: systeme)
        refuser("la réforme a changé", reform="une.Reforme")
    table = pl.read_parquet(chemin)
    table.with_columns(pl.col("chiffre_affaires:2021-02") + 1).write_parquet(chemin)
    refuser("la population a changé")
    simulate(chemin, **OPTIONS, output=sortie, block_size=500, restart=True)
    assert (sortie / "run.json").exists()


def test_fingerprints_follow_reforms():
    from openfisca_core.reforms import Reform

    class Seuil(Reform):
        def apply(self):
            self.modify_parameters(self.changer)

        @staticmethod
        def changer(parametres):
            parametres.fonds_de_solidarite.plafonds.groupe.update(start=None, period="month:2020-12:12", value=1)
            return parametres

    class Formule(Reform):
        def apply(self):
            self.neutralize_variable("fds_volet_1")

    base = model.systeme()
    assert model.empreinte_parametres(model.systeme(Seuil)) != model.empreinte_parametres(base)
    assert model.empreinte_parametres(model.systeme(Formule)) == model.empreinte_parametres(base)
    assert model.empreinte_formules(model.systeme(Formule)) != model.empreinte_formules(base)


def test_totals_are_the_exact_weighted_sums(population):
    """Against rational arithmetic on the results of each enterprise."""
    resultats = simulate(population, **OPTIONS, block_size=700)
    poids = dict(population.select("id", "poids").iter_rows())
    for mois in ("2021-02", "2021-03"):
        lignes = resultats.mensuels.filter(pl.col("mois") == mois)
        exact = sum(Fraction(poids[i] * m) for i, m in lignes.select("id", "fds_volet_1").iter_rows())
        aidees = sum(Fraction(poids[i]) for i, m in lignes.select("id", "fds_volet_1").iter_rows() if m > 0)
        agregat = resultats.agregats.filter((pl.col("mois") == mois) & (pl.col("article") == "fds_volet_1"))
        assert agregat["montant_total"].item() == float(round(exact, 2))
        assert agregat["entreprises_aidees"].item() == float(round(aidees, 6))


def test_exact_sums_commute_where_floats_do_not():
    hasard = random.Random(7)
    valeurs = [hasard.choice([-1, 1]) * 10 ** hasard.uniform(-6, 11) for _ in range(20_000)]
    flottantes, exactes = set(), set()
    for _ in range(5):
        hasard.shuffle(valeurs)
        flottantes.add(sum(valeurs))
        tableau = numpy.array(valeurs)
        exactes.add(sum(aggregates.sommes_exactes(part, None, 1)[0] for part in numpy.array_split(tableau, 7)))
    assert len(flottantes) > 1
    (exacte,) = exactes
    attendu = sum(map(Fraction, valeurs))
    assert abs(Fraction(exacte, aggregates.UNITE) - attendu) < Fraction(1, 10**8)
    cases = numpy.arange(20_000) % 13
    assert sum(aggregates.sommes_exactes(numpy.array(valeurs), cases, 13)) == exacte


def test_sums_out_of_reach_are_refused():
    with pytest.raises(ErreurUtilisateur, match="hors de portée"):
        aggregates.sommes_exactes(numpy.array([1e13]), None, 1)
    with pytest.raises(ErreurUtilisateur, match="hors de portée"):
        aggregates.sommes_exactes(numpy.array([numpy.nan]), None, 1)


@pytest.mark.parametrize(
    "dimensions",
    [
        ("departement",),
        ("region", "section"),
        ("annexe_1", "effectif_salarie@1/10"),
        ("densite_commune", "date_creation"),
        ("effectif_groupe@5/50",),
    ],
)
def test_dimensions_split_totals_without_loss(population, dimensions):
    entier = simulate(population, **OPTIONS).agregats
    detail = simulate(population, **OPTIONS, by=dimensions, block_size=800).agregats
    noms = [dimension.partition("@")[0] for dimension in dimensions]
    assert detail.columns == ["mois", "article", *noms, *aggregates.MESURES]
    assert detail.height > entier.height or dimensions == ("densite_commune",)
    for mesure in aggregates.MESURES:
        somme = detail.group_by("mois", "article").agg(pl.col(mesure).sum())
        ensemble = entier.join(somme, on=["mois", "article"], suffix="_somme")
        assert ensemble.height == entier.height
        sommes = ensemble[f"{mesure}_somme"].to_list()
        assert ensemble[mesure].to_list() == pytest.approx(sommes, abs=0.01 * detail.height)


def test_bounds_hold_their_lower_value():
    table = pl.DataFrame({"effectif_salarie:2021-03": [0.0, 0.99, 1.0, 9.0, 10.0], "poids": [1.0, 2.0, 4.0, 8.0, 16.0]})
    table = table.with_columns(
        pl.lit(True).alias("interdiction_sans_interruption:2021-03"),
        **{"chiffre_affaires:2019-03": pl.lit(1_000.0)},
    )
    agregats = simulate(table, months="2021-03", outputs=("fds_volet_1",), by=("effectif_salarie@1/10",)).agregats
    par_classe = dict(agregats.select("effectif_salarie", "entreprises_eligibles").iter_rows())
    assert par_classe == {"moins de 1": 3.0, "de 1 à moins de 10": 12.0, "10 et plus": 16.0}


@pytest.mark.parametrize("dimension", ["departemen", "chiffre_affaires", "departement@1", "effectif_salarie@a/b"])
def test_dimensions_that_are_refused(dimension):
    with pytest.raises(ErreurUtilisateur, match=f"« {dimension.partition('@')[0]}"):
        simulate(pl.DataFrame({"id": ["a"]}), **OPTIONS, by=(dimension,))


@pytest.mark.parametrize(
    ("mois", "message"),
    [
        ("2020-02", "hors du modèle"),
        ("2022-03", "hors du modèle"),
        ("2021-02:2022-03", "hors du modèle"),
        ("2021-13", "attendu AAAA-MM"),
        ("fevrier", "attendu AAAA-MM"),
        ("2021-04:2021-02", "vide"),
    ],
)
def test_months_that_are_refused(mois, message):
    with pytest.raises(ErreurUtilisateur, match=message):
        simulate(pl.DataFrame({"id": ["a"]}), months=mois)


def test_unknown_output_is_refused_before_anything_is_written(tmp_path):
    with pytest.raises(ErreurUtilisateur, match="noms proches : « fds_volet_1 »"):
        simulate(tmp_path / "absent.parquet", outputs=("fds_volet1",), output=tmp_path / "sortie")
    with pytest.raises(ErreurUtilisateur, match="introuvable"):
        simulate(tmp_path / "absent.parquet", output=tmp_path / "sortie")
    assert not (tmp_path / "sortie").exists()


def test_files_of_a_run(population, tmp_path):
    resultats = simulate(population, months="2021-02:2021-03", by=("departement",), output=tmp_path / "sortie")
    assert sorted(f.name for f in (tmp_path / "sortie").iterdir()) == [
        "agregats.csv",
        "resultats.parquet",
        "resultats_eternels.parquet",
        "run.json",
    ]
    mensuels = pl.read_parquet(tmp_path / "sortie" / "resultats.parquet")
    assert mensuels.columns[:3] == ["id", "groupe", "mois"]
    assert mensuels.height == 2 * population.height
    assert all(type_ in (pl.Float64, pl.Boolean) for type_ in mensuels.dtypes[3:])
    assert "fds_article_3_22_eligible" in mensuels.columns
    assert "fds_article_3_28_montant" not in mensuels.columns  # closed in these months
    eternels = pl.read_parquet(tmp_path / "sortie" / "resultats_eternels.parquet")
    assert eternels.height == population.height
    assert {"fds_volet_2", "multi_activites_montant"} <= set(eternels.columns)
    lignes = (tmp_path / "sortie" / "agregats.csv").read_text().splitlines()
    assert lignes[0] == "mois,article,departement,entreprises_eligibles,entreprises_aidees,montant_total"
    assert all(len(ligne.split(",")[-1].partition(".")[2]) == 2 for ligne in lignes[1:])
    carte = json.loads((tmp_path / "sortie" / "run.json").read_text())
    assert carte["totaux"] == resultats.carte["totaux"]
    assert carte["entreprises_mois"] == 2 * population.height


def test_aids_are_discovered():
    tbs = model.systeme()
    aides = model.aides(tbs)
    attendus = {nom for nom in tbs.variables if model.re.fullmatch(r"fds_article_\d+(_\d+)?_montant", nom)}
    assert attendus == {aide.montant for aide in aides if aide.article[0].isdigit()}
    assert len(attendus) > 20
    noms = [aide.article for aide in aides]
    assert noms.index("3-3") < noms.index("3-10") < noms.index("fds_volet_1")
    assert len(set(noms)) == len(noms)
    assert {aide.montant for aide in aides} >= {
        "fds_volet_2",
        "fds_volet_territorial",
        "fds_discotheque_volet_1",
        "fds_discotheque_volet_2_mars_aout_2020",
        "fds_discotheque_volet_2_septembre_novembre_2020",
        "fds_complement_2021_1582",
        "multi_activites_montant",
        "fonds_de_solidarite",
    }


def test_dgfip_form(population, tmp_path):
    options = {"months": "2021-02:2021-03", "outputs": ("fds_volet_1",), "dgfip": True}
    resultats = simulate(population, **options, output=tmp_path / "s", block_size=700)
    table = resultats.dgfip["fonds-solidarite-volet-1-departemental-naf.csv"]
    assert table.columns == [
        "dispositif",
        "volet",
        "nombre_aides",
        "nombre_entreprises",
        "montant_total",
        "reg",
        "libelle_region",
        "dep",
        "libelle_departement",
        "code_section",
        "libelle_section",
    ]
    aidees = resultats.mensuels.filter(pl.col("fds_volet_1") > 0).join(population.select("id", "departement"), on="id")
    regionale = resultats.dgfip["fonds-solidarite-volet-1-regional-classe-effectif.csv"]
    # cells of two enterprises or fewer are withheld, so that totals are below those of the whole
    assert regionale["nombre_aides"].sum() > 0
    poids = aidees.join(population.select("id", "poids"), on="id")
    assert regionale["nombre_aides"].sum() <= poids["poids"].sum() + 0.5 * regionale.height
    par_departement = aidees.group_by("departement").agg(pl.col("id").n_unique()).filter(pl.col("id") <= 2)
    assert not set(par_departement["departement"]) & set(table["dep"])
    assert (tmp_path / "s" / "fonds-solidarite-volet-1-regional-naf.csv").exists()
    autre = simulate(population, **options, block_size=300).dgfip
    for nom, attendu in resultats.dgfip.items():
        assert_frame_equal(autre[nom], attendu)


def test_parquet_files_are_concatenated_as_they_are(tmp_path):
    parts = []
    for rang in range(4):
        part = tirer(50 * (rang + 1), graine=rang)
        part.write_parquet(tmp_path / f"{rang}.parquet", row_group_size=40, compression=["zstd", "lz4"][rang % 2])
        parts.append(part)
    with ParquetAppender(tmp_path / "tout.parquet") as tout:
        for rang in range(4):
            tout.append(tmp_path / f"{rang}.parquet")
    assert_frame_equal(pl.read_parquet(tmp_path / "tout.parquet"), pl.concat(parts))
    (tmp_path / "court.parquet").write_bytes((tmp_path / "0.parquet").read_bytes()[:-10])
    with pytest.raises(ValueError, match="not a whole"), ParquetAppender(tmp_path / "non.parquet") as non:
        non.append(tmp_path / "court.parquet")
    with pytest.raises(pl.exceptions.ComputeError):
        pl.read_parquet(tmp_path / "non.parquet")


def test_row_groups_take_the_columns_that_do_not_change(tmp_path):
    entier = tirer(50)
    changes = [entier.select("poids", "id").with_columns(pl.col("poids") + rang) for rang in range(3)]
    entier.write_parquet(tmp_path / "entier.parquet")
    with ParquetAppender(tmp_path / "brouillon.parquet", draft=True) as brouillon:
        constantes = RowGroup(tmp_path / "entier.parquet")
        for change in changes:
            change.write_parquet(tmp_path / "change.parquet", compression="lz4")
            brouillon.append_columns(constantes, RowGroup(tmp_path / "change.parquet"))
    with ParquetAppender(tmp_path / "tout.parquet") as tout:
        tout.append(tmp_path / "brouillon.parquet")
        tout.append(tmp_path / "entier.parquet")
    attendu = [entier.with_columns(change["poids"]) for change in changes]
    assert_frame_equal(pl.read_parquet(tmp_path / "tout.parquet"), pl.concat([*attendu, entier]))
    entier.head(49).write_parquet(tmp_path / "court.parquet")
    with pytest.raises(ValueError, match="cannot be joined"), ParquetAppender(tmp_path / "non.parquet") as non:
        non.append_columns(constantes, RowGroup(tmp_path / "court.parquet"))


def mourir_une_fois(lot, bloc):
    """Kill the worker that gets the second block, the first time."""
    import os
    import signal
    from pathlib import Path

    temoin = Path(lot.dossier) / "deja"
    if bloc.numero == 1 and not temoin.exists():
        temoin.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return run.traiter(lot, bloc)


def mourir(lot, bloc):
    """Kill the worker."""
    import os
    import signal

    os.kill(os.getpid(), signal.SIGKILL)


def test_a_killed_worker_changes_nothing(population, monkeypatch):
    attendu = simulate(population, **OPTIONS)
    vrai = backends.executer
    monkeypatch.setattr(backends, "executer", lambda _, *arguments: vrai(mourir_une_fois, *arguments))
    obtenu = simulate(population, **OPTIONS, workers=2, block_size=1_000)
    assert obtenu.carte["totaux"] == attendu.carte["totaux"]
    assert_frame_equal(obtenu.mensuels.sort("id", "mois"), attendu.mensuels.sort("id", "mois"))


def test_workers_that_always_die_are_reported(population, monkeypatch):
    vrai = backends.executer
    monkeypatch.setattr(backends, "ESSAIS", 1)
    monkeypatch.setattr(backends, "executer", lambda _, *arguments: vrai(mourir, *arguments))
    with pytest.raises(ErreurUtilisateur, match="s'arrêtent"):
        simulate(population, **OPTIONS, workers=2, block_size=1_500)


def test_dask_with_a_killed_worker_changes_nothing(population, monkeypatch):
    pytest.importorskip("distributed", reason="extra dask absent")
    attendu = simulate(population, **OPTIONS)
    vrai = backends.executer
    monkeypatch.setattr(backends, "executer", lambda _, *arguments: vrai(mourir_une_fois, *arguments))
    obtenu = simulate(population, **OPTIONS, scheduler="local", workers=2, block_size=1_000)
    assert obtenu.carte["totaux"] == attendu.carte["totaux"]
    assert_frame_equal(obtenu.mensuels.sort("id", "mois"), attendu.mensuels.sort("id", "mois"))


def test_tasks_do_not_depend_on_the_current_folder(population, tmp_path, monkeypatch):
    population.write_parquet(tmp_path / "p.parquet")
    vrai = backends.executer

    def ailleurs(tache, lot, blocs, *reste):
        with monkeypatch.context() as contexte:
            contexte.chdir("/")  # an executor of Spark or Dask has a current folder of its own
            return iter(list(vrai(tache, lot, blocs, *reste)))

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(backends, "executer", ailleurs)
    simulate("p.parquet", **OPTIONS, output="sortie")
    assert (tmp_path / "sortie" / "resultats.parquet").exists()


def test_missing_distributed_packages_are_said(population, monkeypatch):
    for paquet, repartiteur in (("distributed", "local"), ("pyspark", "spark")):
        monkeypatch.setitem(sys.modules, paquet, None)
        with pytest.raises(ErreurUtilisateur, match="manque"):
            simulate(population, **OPTIONS, scheduler=repartiteur)
