"""Load, measured on loopback against the bare server of openfisca-core, in one run. Not a test: run it by hand.

python tests/web/charge.py [seconds]

Throughput, p95, and the processor time that the workers spend on a request, which the neighbours disturb the least.
"""

import json
import socket
import statistics
import subprocess
import sys
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import psutil

OUVRIERS, CLIENTS, TOURS = 2, 4, 4
MOIS_2019 = [f"2019-{mois:02d}" for mois in range(1, 13)]
SERVEURS = {
    "noyau": "from openfisca_web_api.scripts.serve import main; import argparse; p = argparse.ArgumentParser();"
    "p.add_argument('-f', '--configuration_file'); p.add_argument('--country_package'); main(p)",
    "nous": "from openfisca_fds_tools.web.command import serve; serve()",
}


def situation(nombre, annuel=False):
    """Build a situation that both servers take: monthly turnovers (or a year), explicit groups."""
    entreprises = {
        f"e{rang}": {
            "code_naf": {"ETERNITY": "56.30Z"},
            "chiffre_affaires": ({"2019": 360_000} if annuel else dict.fromkeys(MOIS_2019, 30_000 + rang % 7))
            | {"2021-03": 100 * (rang % 300)},
            "fds_volet_1": {"2021-03": None},
        }
        for rang in range(nombre)
    }
    groupes = {f"g{rang}": {"membres": [f"e{rang}"]} for rang in range(nombre)}
    return {"entreprises": entreprises, "groupes": groupes}


def population(nombre):
    """Build the same enterprises by columns."""
    rangs = range(nombre)
    colonnes = {"id": [f"e{rang}" for rang in rangs], "code_naf": ["56.30Z"] * nombre}
    colonnes |= {f"chiffre_affaires:{mois}": [30_000 + rang % 7 for rang in rangs] for mois in MOIS_2019}
    colonnes["chiffre_affaires:2021-03"] = [100 * (rang % 300) for rang in rangs]
    return {"mois": "2021-03", "sorties": ["fds_volet_1"], "colonnes": colonnes}


def demander(port, route, corps):
    """POST; give the seconds taken and the answer."""
    debut = time.perf_counter()
    requete = urllib.request.Request(
        f"http://127.0.0.1:{port}{route}", corps, {"Content-Type": "application/json"}, method="POST"
    )
    with urllib.request.urlopen(requete, timeout=600) as reponse:
        contenu = reponse.read()
    return time.perf_counter() - debut, contenu


def processeur(processus):
    """Give the seconds of processor that a server has spent, with its workers, those replaced since included."""
    parent = psutil.Process(processus.pid)
    return sum(parent.cpu_times()[:4]) + sum(sum(enfant.cpu_times()[:2]) for enfant in parent.children(recursive=True))


def debit(processus, port, corps, secondes):
    """Load /calculate with CLIENTS threads for some seconds; give requests per second, p95 and processor, in ms."""
    avant = processeur(processus)
    fin = time.perf_counter() + secondes

    def client(_):
        durees = []
        while time.perf_counter() < fin:
            durees.append(demander(port, "/calculate", corps)[0])
        return durees

    debut = time.perf_counter()
    with ThreadPoolExecutor(CLIENTS) as bassin:
        durees = [duree for liste in bassin.map(client, range(CLIENTS)) for duree in liste]
    ecoule = time.perf_counter() - debut
    p95 = statistics.quantiles(durees, n=20)[-1] if len(durees) > 1 else durees[0]
    return len(durees) / ecoule, 1_000 * p95, 1_000 * (processeur(processus) - avant) / len(durees)


def lancer(nom):
    """Start a server; give its process and its port."""
    with socket.socket() as libre:
        libre.bind(("127.0.0.1", 0))
        port = libre.getsockname()[1]
    options = {
        "noyau": ["--country_package", "openfisca_fds", "--bind", f"127.0.0.1:{port}", "--workers", str(OUVRIERS)],
        "nous": ["--port", str(port), "--workers", str(OUVRIERS)],
    }[nom]
    processus = subprocess.Popen(
        [sys.executable, "-c", SERVEURS[nom], *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    corps = json.dumps(situation(1)).encode()
    for _ in range(600):
        try:
            demander(port, "/calculate", corps)
            break
        except OSError:
            time.sleep(0.1)
    for _ in range(10):
        demander(port, "/calculate", corps)
    return processus, port


def main(secondes=5.0):
    """Measure, in turns so that a noisy neighbour disturbs both alike, and print a table."""
    serveurs = {nom: lancer(nom) for nom in SERVEURS}
    try:
        for nombre, annuel in ((1, False), (1, True), (100, False), (100, True)):
            corps = json.dumps(situation(nombre, annuel)).encode()
            genre = "année" if annuel else "mois"
            reponses = {nom: json.loads(demander(port, "/calculate", corps)[1]) for nom, (_, port) in serveurs.items()}
            assert reponses["noyau"] == reponses["nous"]
            for tour in range(TOURS):
                for nom, (processus, port) in serveurs.items():
                    par_seconde, p95, calcul = debit(processus, port, corps, secondes)
                    mesure = f"{par_seconde:8.1f} req/s, p95 {p95:8.1f} ms, processeur {calcul:6.1f} ms ({tour})"
                    print(f"{nombre:>6} entreprises ({genre}) {nom:>6} : {mesure}", flush=True)
        demander(serveurs["nous"][1], "/simulate", json.dumps(population(10)).encode())
        meilleur = min(
            demander(serveurs["nous"][1], "/simulate", json.dumps(population(10_000)).encode())[0] for _ in range(3)
        )
        noyau = demander(serveurs["noyau"][1], "/calculate", json.dumps(situation(10_000)).encode())[0]
        rapport = f"noyau {noyau:.2f} s, × {noyau / meilleur:.1f}"
        print(f" 10000 entreprises : /simulate {meilleur:.2f} s, /calculate du {rapport}", flush=True)
        duree, _ = demander(serveurs["nous"][1], "/simulate", json.dumps(population(100_000)).encode())
        print(f"100000 entreprises : /simulate {duree:.2f} s")
    finally:
        for processus, _ in serveurs.values():
            processus.terminate()
            processus.wait(30)


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
