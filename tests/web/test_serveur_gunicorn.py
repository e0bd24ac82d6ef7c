"""The server itself: mute clients and dead workers cost nothing to the other requests."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from openfisca_fds_tools.web.specification import CAS

CORPS = json.dumps(CAS).encode()
OUVRIERS = 3
DEMARRAGE = 60  # seconds


@pytest.fixture(scope="module")
def serveur(tmp_path_factory):
    with socket.socket() as libre:
        libre.bind(("127.0.0.1", 0))
        port = libre.getsockname()[1]
    journal = tmp_path_factory.mktemp("serveur") / "journal"
    commande = "from openfisca_fds_tools.web.command import serve; serve()"
    options = ["--port", str(port), "--workers", str(OUVRIERS)]
    with open(journal, "w") as sortie:
        processus = subprocess.Popen(
            [sys.executable, "-c", commande, *options], stdout=sortie, stderr=subprocess.STDOUT
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


def demander(port):
    requete = urllib.request.Request(
        f"http://127.0.0.1:{port}/calculate", CORPS, {"Content-Type": "application/json"}, method="POST"
    )
    with urllib.request.urlopen(requete, timeout=60) as reponse:
        return json.load(reponse)["entreprises"]["cafe"]["fds_volet_1"]["2021-03"]


def ouvriers(journal):
    return {int(pid) for pid in re.findall(r"Booting worker with pid: (\d+)", journal.read_text())}


def test_des_clients_muets_ne_perdent_aucune_autre_requete(serveur):
    port, _ = serveur
    debuts = [
        b"POST /calculate HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\nContent-Type: application/json\r\n\r\n{",
        b"GET /hea",
    ]
    muets = [socket.create_connection(("127.0.0.1", port)) for _ in range(OUVRIERS - 1)]
    try:
        for muet, debut in zip(muets, debuts, strict=True):
            muet.sendall(debut)
        time.sleep(0.2)
        with ThreadPoolExecutor(8) as bassin:
            assert set(bassin.map(lambda _: demander(port), range(40))) == {10_000}
    finally:
        for muet in muets:
            muet.close()


def test_un_ouvrier_tue_ne_perd_que_sa_requete(serveur):
    """The killed worker is busy with a client of its own; the others answer, and another is born."""
    port, journal = serveur
    avant = ouvriers(journal)
    with socket.create_connection(("127.0.0.1", port)) as muet:
        muet.sendall(b"POST /calculate HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n")
        time.sleep(0.3)
        occupe = _en_lecture(avant, muet.getsockname()[1])
        with ThreadPoolExecutor(4) as bassin:
            attendues = [bassin.submit(demander, port) for _ in range(40)]
            os.kill(occupe, signal.SIGKILL)
            assert {une.result() for une in attendues} == {10_000}
        muet.settimeout(30)
        assert muet.recv(1) == b""
    fin = time.monotonic() + 30
    while len(ouvriers(journal)) == len(avant) and time.monotonic() < fin:
        time.sleep(0.1)
    assert len(ouvriers(journal)) == len(avant) + 1


def _en_lecture(pids, port):
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
    assert int(compte[1]) >= 81
