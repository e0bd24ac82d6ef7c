"""Ask the aid of one enterprise, then of a file of enterprises, with the standard library only.

python client.py http://localhost:5000 [--reforme nom] [entreprises.parquet resultats.parquet]
"""

import argparse
import json
import sys
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

PARQUET = "application/vnd.apache.parquet"


def demander(url, corps, genre="application/json", **options):
    """POST a body; the refusal of the server becomes the message of a SystemExit."""
    suite = urllib.parse.urlencode({cle: valeur for cle, valeur in options.items() if valeur})
    entetes = {"Content-Type": genre, "Accept": genre}
    requete = urllib.request.Request(f"{url}?{suite}", corps, entetes, method="POST")
    try:
        with urllib.request.urlopen(requete, timeout=70) as reponse:
            return reponse.read()
    except urllib.error.HTTPError as erreur:
        sys.exit(json.load(erreur)["error"])
    except urllib.error.URLError as erreur:
        sys.exit(f"{url}: {erreur.reason}")


def main():
    """Print the aid of March 2021 of a café, and simulate a population if one is given."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("serveur")
    arguments.add_argument("--reforme", help="name of a reform of the server (x-reformes in GET /spec)")
    arguments.add_argument("fichiers", nargs="*", metavar="entreprises.parquet resultats.parquet")
    choix = arguments.parse_args()
    cafe = {
        "code_naf": {"ETERNITY": "56.30Z"},
        "chiffre_affaires": {"2019": 360_000, "2021-03": 9_000},
        "fds_volet_1": {"2021-03": None},
    }
    corps = json.dumps({"entreprises": {"cafe": cafe}}).encode()
    reponse = json.loads(demander(f"{choix.serveur}/calculate", corps, reforme=choix.reforme))
    print(reponse["entreprises"]["cafe"]["fds_volet_1"]["2021-03"])
    if choix.fichiers:
        if len(choix.fichiers) != 2:
            arguments.error("two files are expected: the enterprises, and where to write the results")
        population, resultats = map(Path, choix.fichiers)
        if not population.is_file():
            sys.exit(f"{population}: no such file")
        options = {"mois": "2021-02:2021-09", "reforme": choix.reforme}
        resultats.write_bytes(demander(f"{choix.serveur}/simulate", population.read_bytes(), PARQUET, **options))


if __name__ == "__main__":
    main()
