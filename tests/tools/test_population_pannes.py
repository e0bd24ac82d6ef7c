"""What the machine does to a run: nothing half-written, and the same command ends the work.

``scripts/faults.py`` kills real processes and fills a real disk; here each fault strikes at a precise place.
"""

import errno
import os
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

from openfisca_fds_tools.population import ErreurUtilisateur, reading, run, simulate
from openfisca_fds_tools.population.errors import ecriture_impossible
from openfisca_fds_tools.population.parquet import check_pages

from .conftest import tirer

OPTIONS = {"months": "2021-02:2021-03", "outputs": ("fds_article_3_22_montant", "fds_volet_1", "fds_volet_2")}
FICHIERS = (run._MENSUELS, run._ETERNELS, run._AGREGATS)


class Coupure(BaseException):
    """The end of the process, as far as the engine can see."""


@pytest.fixture(scope="module")
def entier(tmp_path_factory):
    """Give a population, and the bytes of its results when nothing happens."""
    dossier = tmp_path_factory.mktemp("entier")
    tirer(1_500).write_parquet(dossier / "p.parquet")
    simulate(dossier / "p.parquet", **OPTIONS, output=dossier / "s", block_size=400)
    return dossier / "p.parquet", {nom: (dossier / "s" / nom).read_bytes() for nom in FICHIERS}


def lancer(entier, sortie, **options):
    return simulate(entier[0], **OPTIONS, output=sortie, block_size=400, **options)


def verifier_la_reprise(entier, sortie):
    lancer(entier, sortie)
    assert {nom: (sortie / nom).read_bytes() for nom in FICHIERS} == entier[1]
    assert sorted(f.name for f in sortie.iterdir()) == sorted([*FICHIERS, "run.json"])


def couper(monkeypatch, objet, nom, appels=1, erreur=Coupure):
    """Let the first ``appels`` calls of a function end, then raise."""
    vraie, faits = getattr(objet, nom), []

    def fausse(*args, **kwargs):
        if len(faits) == appels:
            raise erreur
        faits.append(1)
        return vraie(*args, **kwargs)

    monkeypatch.setattr(objet, nom, fausse)


@pytest.mark.parametrize("appels", [1, 3, 5])
def test_cut_while_the_parts_are_put_together(entier, tmp_path, monkeypatch, appels):
    """Parts are deleted as they are copied: their blocks are computed again."""
    with monkeypatch.context() as contexte:
        couper(contexte, run.ParquetAppender, "append", appels)
        with pytest.raises(Coupure):
            lancer(entier, tmp_path / "s")
    verifier_la_reprise(entier, tmp_path / "s")


@pytest.mark.parametrize("renommes", [0, 1, 2, 3])
def test_cut_while_files_take_their_names(entier, tmp_path, monkeypatch, renommes):
    """Over a former run: its card is gone before its files are replaced, so that no card goes with mixed files."""
    sortie = tmp_path / "s"
    simulate(entier[0], months="2021-05", output=sortie)
    vrai, faits = Path.replace, []

    def remplacer(chemin, cible):
        if Path(cible).parent == sortie:
            if len(faits) == renommes:
                raise Coupure
            faits.append(cible)
        return vrai(chemin, cible)

    with monkeypatch.context() as contexte:
        contexte.setattr(Path, "replace", remplacer)
        with pytest.raises(Coupure):
            lancer(entier, sortie)
    assert not (sortie / "run.json").exists()
    verifier_la_reprise(entier, sortie)


def coupee_au_troisieme_bloc(entier, sortie, monkeypatch):
    with monkeypatch.context() as contexte:
        couper(contexte, run, "traiter", 2)
        with pytest.raises(Coupure):
            lancer(entier, sortie)
    return sortie / run.DOSSIER_EN_COURS


@pytest.mark.parametrize("reste", [f"bloc-000001-{run._MENSUELS}", "bloc-000001-bilan.json", run.MANIFESTE])
def test_what_the_power_took_is_done_again(entier, tmp_path, monkeypatch, reste):
    """A file cut short under its final name, as a failure of the power may leave."""
    travail = coupee_au_troisieme_bloc(entier, tmp_path / "s", monkeypatch)
    octets = (travail / reste).read_bytes()
    (travail / reste).write_bytes(octets[: len(octets) // 2])
    (travail / "bloc-000002-resultats.parquet.0.partiel").write_bytes(b"PAR1")
    verifier_la_reprise(entier, tmp_path / "s")


PLEIN = pl.exceptions.ComputeError("underlying IO error: No space left on device (os error 28)")


@pytest.mark.parametrize(
    ("lieu", "erreur", "message"),
    [
        ((run, "ecrire"), PLEIN, "Écriture impossible : disque plein"),
        ((run.ParquetAppender, "append"), OSError(errno.ENOSPC, "No space left"), "disque plein"),
        ((run, "ecrire"), OSError(errno.EROFS, "Read-only"), "lecture seule"),
        ((run.engine, "calculer"), MemoryError(), "Mémoire insuffisante"),
    ],
)
def test_what_the_machine_refuses_is_one_line(entier, tmp_path, monkeypatch, lieu, erreur, message):
    with monkeypatch.context() as contexte:
        couper(contexte, *lieu, 1, erreur)
        with pytest.raises(ErreurUtilisateur, match=message) as refus:
            lancer(entier, tmp_path / "s")
    assert len(str(refus.value).splitlines()) == 1
    assert [f.name for f in (tmp_path / "s").iterdir()] == [run.DOSSIER_EN_COURS]
    verifier_la_reprise(entier, tmp_path / "s")


def test_an_error_of_the_program_is_not_disguised(entier, tmp_path, monkeypatch):
    couper(monkeypatch, run, "ecrire", 1, pl.exceptions.ComputeError("a fault of ours"))
    with pytest.raises(pl.exceptions.ComputeError):
        lancer(entier, tmp_path / "s")
    assert ecriture_impossible(FileNotFoundError(errno.ENOENT, "absent")) is None


def test_a_full_disk_is_not_an_unreadable_file(tmp_path, monkeypatch):
    chemin = tmp_path / "p.csv"
    tirer(50).write_csv(chemin)
    couper(monkeypatch, pl.LazyFrame, "sink_parquet", 0, PLEIN)
    with pytest.raises(ErreurUtilisateur, match="disque plein"):
        simulate(chemin, **OPTIONS, output=tmp_path / "s")
    assert not (tmp_path / "s").exists()


def test_damaged_bytes_behind_a_sound_footer_are_refused(tmp_path):
    """Where groups are scattered, the file is read by another way."""
    table = tirer(400)
    chemin = tmp_path / "p.parquet"
    pl.concat([table[::2], table[1::2]]).write_parquet(chemin, compression="uncompressed")
    lus = pl.scan_parquet(chemin).select("id", "groupe").collect()
    assert lus.height == 400
    octets = bytearray(chemin.read_bytes())
    milieu = octets.index(b"chiffre_affaires:2021-02") // 2
    octets[milieu : milieu + 20_000] = b"\xff" * 20_000
    chemin.write_bytes(octets)
    with pytest.raises(reading.PopulationInvalide, match="illisible"):
        simulate(chemin, **OPTIONS, output=tmp_path / "s")
    assert not (tmp_path / "s").exists()


@pytest.mark.parametrize(
    ("texte", "message"),
    [
        ("id,departement,nombre_associes\na,75,1\nb,13", "ligne 2 : 2 cellules ; attendu : 3"),
        ("id;departement;nombre_associes\na\nb;13;1\n", "ligne 1 : 1 cellule ; attendu : 3"),
        ('id,departement,nombre_associes\n"a,b",75,1\n"c\nd",75\n', "ligne 2 : 2 cellules ; attendu : 3"),
        ("x" * 200_000 + "\n1\n", "illisible"),
    ],
)
def test_a_line_that_lacks_cells_is_refused(tmp_path, texte, message):
    """A text file cut short, whose last values would be read as empty."""
    chemin = tmp_path / "p.csv"
    chemin.write_text(texte, encoding="utf-8")
    with pytest.raises(reading.PopulationInvalide, match=message):
        simulate(chemin, **OPTIONS)


def test_separators_in_quotes_are_no_missing_cells(tmp_path):
    chemin = tmp_path / "p.csv"
    chemin.write_text('id,departement\n"a,1",75\n"b\n2",13\n', encoding="utf-8")
    resultats = simulate(chemin, months="2021-02", outputs=("departement",))
    assert resultats.eternels["departement"].to_list() == ["75", "13"]


def test_a_folder_serves_one_run_at_a_time(entier, tmp_path, monkeypatch):
    refus, vrai = [], run.traiter

    def traiter(lot, bloc):
        with pytest.raises(ErreurUtilisateur, match="en cours") as refuse:
            lancer(entier, tmp_path / "s", restart=True)
        refus.append(refuse)
        return vrai(lot, bloc)

    with monkeypatch.context() as contexte:
        contexte.setattr(run, "traiter", traiter)
        lancer(entier, tmp_path / "s")
    assert len(refus) == 4
    verifier_la_reprise(entier, tmp_path / "s")  # free again


def test_workers_die_with_the_run(entier, tmp_path):
    """SIGKILL of the parent: it can tell nothing, and its workers must not wait for ever."""
    code = "from tools.test_population_pannes import lancer; import sys, pathlib; lancer((sys.argv[1],), pathlib.Path("
    code = f"if __name__ == '__main__':\n    {code}sys.argv[2]), workers=2)\n"
    (tmp_path / "lance.py").write_text(code, encoding="utf-8")
    environnement = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])}
    commande = [sys.executable, tmp_path / "lance.py", entier[0], tmp_path / "s"]
    processus = subprocess.Popen(commande, env=environnement, start_new_session=True)
    limite = time.monotonic() + 120
    while not list(tmp_path.glob("s/.en_cours/*bilan.json")) and time.monotonic() < limite:
        time.sleep(0.02)
    assert processus.poll() is None
    processus.kill()
    processus.wait()
    limite = time.monotonic() + 30
    while _vivants(processus.pid) and time.monotonic() < limite:
        time.sleep(0.05)
    restes = _vivants(processus.pid)
    if restes:
        os.killpg(processus.pid, signal.SIGKILL)
    assert not restes
    verifier_la_reprise(entier, tmp_path / "s")


def _vivants(groupe) -> bool:
    """Whether a process of the group is left."""
    try:
        os.killpg(groupe, 0)
    except ProcessLookupError:
        return False
    return True


def page_menteuse(chemin):
    """Make the header of a page of data announce a negative number of values: Polars aborts the process on it."""
    pl.DataFrame({"id": range(12), "effectif_salarie:2021-02": [float(i) for i in range(12)]}).write_parquet(
        chemin, compression="uncompressed"
    )
    octets = bytearray(chemin.read_bytes())
    lieu = octets.rindex(b"\x2c\x15\x18", 0, octets.rindex(struct.pack("<d", 11.0)))  # field 5 begins by: 12 values
    octets[lieu + 2] = 121
    chemin.write_bytes(octets)


def test_a_page_that_lies_is_refused_and_kills_nothing(tmp_path):
    page_menteuse(tmp_path / "p.parquet")
    with pytest.raises(reading.PopulationInvalide, match="illisible"):
        simulate(tmp_path / "p.parquet", **OPTIONS, output=tmp_path / "s")
    assert not (tmp_path / "s").exists()


def test_workers_killed_by_a_large_damaged_file_are_explained(tmp_path, monkeypatch):
    """Beyond a size, pages are checked only once workers have died."""
    page_menteuse(tmp_path / "p.parquet")
    monkeypatch.setattr(reading, "OCTETS_VERIFIES", 0)
    monkeypatch.setattr(run.backends, "ESSAIS", 1)
    with pytest.raises(reading.PopulationInvalide, match="illisible"):
        simulate(tmp_path / "p.parquet", **OPTIONS, output=tmp_path / "s", workers=2, block_size=6)
    assert not (tmp_path / "s").exists()


@pytest.mark.parametrize("options", [{}, {"row_group_size": 7, "data_page_size": 30}, {"compression": "snappy"}])
def test_sound_pages_are_accepted(tmp_path, options):
    table = tirer(100).with_columns(pl.lit(None).alias("vide"), pl.lit([[1, 2]]).alias("liste"))
    table.write_parquet(tmp_path / "p.parquet", **options)
    check_pages(tmp_path / "p.parquet")


class Tache:
    """A block, as far as a backend knows."""

    def __init__(self, numero):
        self.numero = numero


def mon_processus(lot, bloc):
    """Give the identity of the worker."""
    tache = Tache(bloc.numero)
    tache.pid = os.getpid()
    return tache


def test_a_worker_that_never_ends_does_not_hold_the_run(monkeypatch):
    """As one that the pool started while it found another dead, and forgot to end: here, it is stopped."""
    monkeypatch.setattr(run.backends, "DELAI_DE_SORTIE", 0.5)
    resultats = run.backends.executer(mon_processus, None, [Tache(rang) for rang in range(4)], 2)
    premiers = [next(resultats) for _ in range(4)]
    os.kill(premiers[0].pid, signal.SIGSTOP)
    debut = time.monotonic()
    assert next(resultats, None) is None
    assert time.monotonic() - debut < 20
    with pytest.raises(ProcessLookupError):
        os.kill(premiers[0].pid, 0)
