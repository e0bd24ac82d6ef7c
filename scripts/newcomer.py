"""Write ``docs/parcours.md``: what a newcomer sees who follows the README of a fresh clone, command by command.

The commands are those of the README, word for word and in its order, for its three readers: the economist, the jurist,
the integrator. Each runs in a clone of the last commit, with an environment of its own; the reader's own file is
``docs/exemples/entreprises.csv``, written as Parquet, and the reader's own case is that of the README.

    python scripts/newcomer.py
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from constat import machine, versions

RACINE = Path(__file__).resolve().parents[1]
PAGE = RACINE / "docs" / "parcours.md"
BLOC = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
EN_CODE = re.compile(
    r"`(openfisca-fds (?:explain|timeline) [^`]+|openfisca test [^`]+|openfisca-fds serve --port 5000)`"
)
PROGRES = re.compile(r"\.+ +\[ *\d+%\]$")  # of pytest
SERVEURS = ("openfisca serve", "openfisca-fds serve")
ATTENTE = 60  # seconds for a server to answer
DEBUT, FIN = 40, 12  # lines kept of an output
ENTETE = """# Parcours d'un nouveau venu

Page produite par `python scripts/newcomer.py` : les commandes du README, mot pour mot et dans son ordre, lancées dans
un clone neuf du projet, avec un environnement neuf. Le fichier de l'utilisateur est `docs/exemples/entreprises.csv`,
écrit en Parquet. Une sortie longue est coupée là où « … » le dit.
"""
TITRES = {
    "Two commands": "Deux commandes",
    "Your own file": "L'économiste : son propre fichier",
    "One enterprise": "Le juriste : une entreprise",
    "Web API": "L'intégrateur : l'API",
}


class Parcours:
    """Commands run one after the other in a clone.

    Args:
        dossier: the clone (Path).
        omises: commands left out.

    Attributes:
        lignes: lines of the page.
        echecs: commands that failed.
    """

    def __init__(self, dossier, omises):
        self.dossier, self.omises, self.lignes, self.echecs = dossier, omises, [], []
        self.environnement = {nom: valeur for nom, valeur in os.environ.items() if nom != "PYTHONPATH"}
        chemin = f"{dossier / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
        self.environnement |= {"PATH": chemin, "VIRTUAL_ENV": str(dossier / ".venv"), "COLUMNS": "100"}
        self.environnement["PIP_QUIET"] = "2"
        (dossier / ".curlrc").write_text("silent\nshow-error\n", encoding="utf-8")
        self.environnement["CURL_HOME"] = str(dossier)

    def titre(self, texte):
        """Begin a part of the page."""
        self.lignes += [f"## {texte}", ""]

    def jouer(self, commande):
        """Run a command of the shell, and tell it."""
        if commande in self.omises:
            return
        debut = time.monotonic()
        fini = subprocess.run(
            ["bash", "-c", commande], cwd=self.dossier, env=self.environnement, capture_output=True, text=True
        )
        self._conter(commande, fini.returncode, time.monotonic() - debut, fini.stdout + fini.stderr)

    def servir(self, commande, requetes):
        """Start a server, send it requests once it answers, and stop it."""
        debut = time.monotonic()
        serveur = subprocess.Popen(
            commande.split(),
            cwd=self.dossier,
            env=self.environnement,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        pret = f"curl -s -o /dev/null --retry {ATTENTE} --retry-delay 1 --retry-connrefused localhost:5000/spec"
        subprocess.run(pret.split(), check=False)
        attente = time.monotonic() - debut
        for requete in requetes:
            self.jouer(requete)
        serveur.terminate()
        journal, _ = serveur.communicate(timeout=ATTENTE)
        self._conter(f"{commande} &", serveur.returncode, attente, journal)

    def _conter(self, commande, code, secondes, sortie):
        if code:
            self.echecs.append(commande)
        sortie = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", sortie).replace(str(self.dossier), "openfisca-fds")
        lignes = [ligne.rstrip() for ligne in sortie.splitlines() if not PROGRES.match(ligne)]
        if len(lignes) > DEBUT + FIN:
            lignes = [*lignes[:DEBUT], "…", *lignes[-FIN:]]
        duree = f"{secondes:.1f}".replace(".", ",")
        self.lignes += ["```text", *(f"$ {ligne}" for ligne in commande.splitlines()), *lignes, "```", ""]
        self.lignes += [f"Code {code}, {duree} s.", ""]


def parties(readme):
    """Cut the README in parts: {title of a heading of level 2: text}."""
    return dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", readme, re.M | re.S))


def blocs(texte, langue):
    """List the fenced blocks of a language."""
    return [contenu for genre, contenu in BLOC.findall(texte) if genre == langue]


def commandes(bloc):
    """List the commands of a block ``sh``, comments left aside; a line that ends with a backslash goes on."""
    lignes = re.sub(r"\s+# .*$", "", bloc, flags=re.M)
    trouvees = []
    for ligne in lignes.splitlines():
        if trouvees and (trouvees[-1].endswith("\\") or trouvees[-1].count("'") % 2):
            trouvees[-1] += f"\n{ligne}"
        elif ligne.strip():
            trouvees.append(ligne)
    return trouvees


def suivre(parcours, readme):
    """Follow the README from its first command to its last."""
    textes = parties(readme)
    for titre, en_francais in TITRES.items():
        texte = textes[titre]
        parcours.titre(en_francais)
        a_jouer = [commande for bloc in blocs(texte, "sh") for commande in commandes(bloc)]
        if titre == "One enterprise":
            (parcours.dossier / "cas.yaml").write_text(blocs(texte, "yaml")[0], encoding="utf-8")
            (parcours.dossier / "cas.py").write_text(blocs(texte, "python")[0], encoding="utf-8")
            a_jouer = ["python cas.py", *EN_CODE.findall(texte)]
        if titre == "Your own file":
            ecrire = "import polars; polars.read_csv('docs/exemples/entreprises.csv', infer_schema=False)"
            parcours.jouer(f"python -c \"{ecrire}.write_parquet('entreprises.parquet')\"")
        if titre == "Web API":
            requetes = [commande for commande in a_jouer if commande.startswith("curl")]
            parcours.servir(next(commande for commande in a_jouer if commande.startswith(SERVEURS)), requetes)
            parcours.jouer('pip install ".[tools,web]"')
            parcours.servir(next(une for une in EN_CODE.findall(texte) if une.startswith(SERVEURS)), requetes)
            continue
        for commande in a_jouer:
            parcours.jouer(commande)


def main():
    """Clone, follow, write the page; exit code 1 if a command failed."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--without", action="append", default=[], help="command left out (« make test » is long)")
    omises = arguments.parse_args().without
    with tempfile.TemporaryDirectory() as temporaire:
        dossier = Path(temporaire) / "openfisca-fds"
        subprocess.run(["git", "clone", "--quiet", RACINE, dossier], check=True)
        parcours = Parcours(dossier, omises)
        suivre(parcours, (dossier / "README.md").read_text(encoding="utf-8"))
        shutil.rmtree(dossier)
    python = versions()["python"]
    PAGE.write_text("\n".join([ENTETE, f"{machine()}, Python {python}.", "", *parcours.lignes]), encoding="utf-8")
    for commande in parcours.echecs:
        print(f"en échec : {commande}")
    return 1 if parcours.echecs else 0


if __name__ == "__main__":
    sys.exit(main())
