"""The server itself: slow clients, dead workers and endless requests cost nothing to the other requests."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import polars as pl
import pytest

from openfisca_fds_tools.web.ouvrier import EN_TETES
from openfisca_fds_tools.web.specification import CAS

CLIENTS = Path(__file__).parents[2] / "examples" / "clients"
CORPS = json.dumps(CAS).encode()
SANS_FIN = json.dumps({"entreprises": {"dort": {}}}).encode()
OUVRIERS = 3
DELAI = 6  # seconds, of a request
LENTS = 40
# The server, but that a request about an enterprise named « dort » never ends.
COMMANDE = """
import time
from openfisca_fds_tools.web import calculs
from openfisca_fds_tools.web.command import serve
vrai = calculs.calculate
calculs.calculate = lambda systeme, corps: time.sleep(600) if "dort" in corps["entreprises"] else vrai(systeme, corps)
serve()
"""
DEMARRAGE = 60  # seconds


@pytest.fixture(scope="module")
def serveur(tmp_path_factory):
    with socket.socket() as libre:
        libre.bind(("127.0.0.1", 0))
        port = libre.getsockname()[1]
    journal = tmp_path_factory.mktemp("serveur") / "journal"
    options = ["--port", str(port), "--workers", str(OUVRIERS), "--timeout", str(DELAI)]
    with open(journal, "w") as sortie:
        processus = subprocess.Popen(
            [sys.executable, "-c", COMMANDE, *options], stdout=sortie, stderr=subprocess.STDOUT
        )
    try:
        fin = time.monotonic() + DEMARRAGE
        while "Booting worker" not in journal.read_text():
            assert processus.poll() is None, journal.read_text()
            assert time.monotonic() < fin
            time.sleep(0.1)
        yield port, journal
    finally:
        processus.send_signal(signal.SIGTERM)
        processus.wait(30)


def demander(port, corps=CORPS):
    requete = urllib.request.Request(
        f"http://127.0.0.1:{port}/calculate", corps, {"Content-Type": "application/json"}, method="POST"
    )
    with urllib.request.urlopen(requete, timeout=60) as reponse:
        return json.load(reponse)["entreprises"]["cafe"]["fds_volet_1"]["2021-03"]


def requete(corps):
    """Write a request as it goes on the wire."""
    entetes = f"POST /calculate HTTP/1.1\r\nHost: x\r\nContent-Length: {len(corps)}\r\n"
    return f"{entetes}Content-Type: application/json\r\n\r\n".encode() + corps


def ouvriers(journal):
    return {int(pid) for pid in re.findall(r"Booting worker with pid: (\d+)", journal.read_text())}


def attendre_un_remplacant(journal, avant):
    fin = time.monotonic() + 30
    while len(ouvriers(journal)) == len(avant) and time.monotonic() < fin:
        time.sleep(0.1)
    assert len(ouvriers(journal)) == len(avant) + 1


def connexion(port, debut):
    """Open a connection whose client reads little, and send the beginning of a request."""
    prise = socket.socket()
    prise.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
    prise.connect(("127.0.0.1", port))
    prise.sendall(debut)
    return prise


@pytest.mark.parametrize(
    "debut",
    [
        b"POST /calculate HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\nContent-Type: application/json\r\n\r\n{",
        b"GET /hea",
        b"GET /spec HTTP/1.1\r\nHost: x\r\n\r\n",
    ],
    ids=["envoie le corps", "envoie les en-têtes", "lit la réponse"],
)
def test_des_clients_lents_bien_plus_nombreux_que_les_ouvriers_ne_retardent_personne(serveur, debut):
    port, _ = serveur
    lents = [connexion(port, debut) for _ in range(LENTS)]
    try:
        time.sleep(0.2)
        depart = time.monotonic()
        with ThreadPoolExecutor(8) as bassin:
            assert set(bassin.map(lambda _: demander(port), range(24))) == {10_000}
        assert time.monotonic() - depart < DELAI  # far less than what a mute client is granted
    finally:
        for lent in lents:
            lent.close()


def test_un_client_lent_finit_par_etre_servi(serveur):
    port, _ = serveur
    entiere = requete(CORPS)
    with connexion(port, entiere[:50]) as lent:
        for debut in range(50, len(entiere), 50):
            time.sleep(0.05)
            lent.sendall(entiere[debut : debut + 50])
        lent.settimeout(30)
        recu = b"".join(iter(lambda: lent.recv(500), b""))
    assert recu.startswith(b"HTTP/1.1 200 OK\r\n")
    assert json.loads(recu.partition(b"\r\n\r\n")[2])["entreprises"]["cafe"]["fds_volet_1"]["2021-03"] == 10_000


def test_une_requete_sans_fin_est_abandonnee_seule(serveur):
    port, journal = serveur
    avant = ouvriers(journal)
    with connexion(port, requete(SANS_FIN)) as client:
        time.sleep(0.3)
        with ThreadPoolExecutor(5) as bassin:
            assert set(bassin.map(lambda _: demander(port), range(20))) == {10_000}
        client.settimeout(30)
        assert client.recv(1) == b""
    attendre_un_remplacant(journal, avant)
    assert demander(port) == 10_000


@pytest.mark.parametrize(
    ("debut", "statut"),
    [
        (b"n'importe quoi\r\n\r\n", b"400"),
        (b"POST /simulate HTTP/1.1\r\nHost: x\r\nContent-Length: 64000001\r\n\r\n", b"413"),
        (b"GET / HTTP/1.1\r\nX: ".ljust(EN_TETES, b"x"), b"431"),
        (b"POST /calculate HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked, x\r\n\r\nabc", b"501"),
    ],
)
def test_ce_que_http_refuse_est_du_json(serveur, debut, statut):
    port, _ = serveur
    with connexion(port, debut) as prise:
        prise.settimeout(30)
        recu = b"".join(iter(lambda: prise.recv(500), b""))
    assert recu.split()[1] == statut
    assert set(json.loads(recu.partition(b"\r\n\r\n")[2])) == {"error", "chemin", "probleme", "attendu"}


def test_un_ouvrier_tue_ne_perd_que_sa_requete(serveur):
    """The killed worker is at work for a client; the others answer, and another is born."""
    port, journal = serveur
    avant = ouvriers(journal)
    with connexion(port, requete(SANS_FIN)) as client:
        time.sleep(0.3)
        occupe = _au_travail(avant, client.getsockname()[1])
        with ThreadPoolExecutor(4) as bassin:
            attendues = [bassin.submit(demander, port) for _ in range(40)]
            os.kill(occupe, signal.SIGKILL)
            assert {une.result() for une in attendues} == {10_000}
        client.settimeout(30)
        assert client.recv(1) == b""
    attendre_un_remplacant(journal, avant)


def _au_travail(pids, port):
    """Worker that holds the connection whose client side has this port."""
    inodes = set()
    for table in ("tcp", "tcp6"):
        for ligne in Path("/proc/net", table).read_text().splitlines()[1:]:
            champs = ligne.split()
            if int(champs[2].rpartition(":")[2], 16) == port:
                inodes.add(champs[9])
    for pid in pids:
        try:
            liens = [os.readlink(f"/proc/{pid}/fd/{fd}") for fd in os.listdir(f"/proc/{pid}/fd")]
        except FileNotFoundError:
            continue
        if inodes & {lien[8:-1] for lien in liens if lien.startswith("socket:[")}:
            return pid
    pytest.fail("aucun ouvrier ne tient la connexion")
    return None


def lancer_un_client(*commande):
    execution = subprocess.run(commande, capture_output=True, text=True, timeout=120, check=False)
    return execution.returncode, execution.stdout, execution.stderr


def test_le_client_python(serveur, tmp_path):
    port, _ = serveur
    client = (sys.executable, str(CLIENTS / "client.py"), f"http://127.0.0.1:{port}")
    entree, sortie = tmp_path / "entreprises.parquet", tmp_path / "resultats.parquet"
    pl.DataFrame({"id": ["a"], "code_naf": ["56.30Z"]}).write_parquet(entree)
    assert lancer_un_client(*client, str(entree), str(sortie)) == (0, "10000.0\n", "")
    assert pl.read_parquet(sortie).height == 8  # months, from February to September 2021
    code, _, refus = lancer_un_client(*client, "--reforme", "inconnue")
    assert code == 1
    assert "réforme « inconnue » inconnue" in refus


def test_le_client_r(serveur):
    port, _ = serveur
    if shutil.which("Rscript") is None:
        pytest.skip("R absent : apt-get install r-base-core r-cran-httr2 r-cran-jsonlite")
    code, ecrit, refus = lancer_un_client("Rscript", str(CLIENTS / "client.R"), f"http://127.0.0.1:{port}")
    if "there is no package called" in refus:
        pytest.skip("paquets R absents : apt-get install r-cran-httr2 r-cran-jsonlite")
    assert code == 0, refus
    assert re.findall(r"2021-03 +(\d+)", ecrit) == ["10000", "0"]


def test_le_journal_est_fait_de_json_sans_adresse(serveur):
    port, journal = serveur
    demander(port)
    time.sleep(0.2)
    lignes = [json.loads(ligne) for ligne in journal.read_text().splitlines()]
    assert {"route", "statut", "duree_ms", "requete"} <= set(lignes[-1])
    for ligne in lignes:
        if "route" in ligne:
            assert "127.0.0.1" not in json.dumps(ligne)


def test_les_mesures_reunissent_les_ouvriers(serveur):
    port, _ = serveur
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as reponse:
        mesures = reponse.read().decode()
    compte = re.search(r'requetes_total\{methode="POST",route="/calculate",statut="200"\} (\d+)', mesures)
    assert int(compte[1]) >= 100
