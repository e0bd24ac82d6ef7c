"""Ask the aid of one enterprise, then of a file of enterprises, with the standard library only.

python client.py http://localhost:5000 [entreprises.parquet resultats.parquet]
"""

import json
import sys
import urllib.error
import urllib.request

PARQUET = "application/vnd.apache.parquet"


def demander(url, corps, genre="application/json"):
    """POST a body; the refusal of the server becomes the message of a SystemExit."""
    requete = urllib.request.Request(url, corps, {"Content-Type": genre, "Accept": genre}, method="POST")
    try:
        with urllib.request.urlopen(requete, timeout=70) as reponse:
            return reponse.read()
    except urllib.error.HTTPError as erreur:
        sys.exit(json.load(erreur)["error"])


def main(serveur, population=None, resultats=None):
    """Print the aid of March 2021 of a café, and simulate a population if one is given."""
    cafe = {
        "code_naf": {"ETERNITY": "56.30Z"},
        "chiffre_affaires": {"2019": 360_000, "2021-03": 9_000},
        "fds_volet_1": {"2021-03": None},
    }
    corps = json.dumps({"entreprises": {"cafe": cafe}}).encode()
    reponse = json.loads(demander(f"{serveur}/calculate", corps))
    print(reponse["entreprises"]["cafe"]["fds_volet_1"]["2021-03"])
    if population:
        with open(population, "rb") as entree, open(resultats, "wb") as sortie:
            sortie.write(demander(f"{serveur}/simulate?mois=2021-02:2021-09", entree.read(), PARQUET))


if __name__ == "__main__":
    main(*sys.argv[1:])
