"""Break the runs on purpose and see what remains (``make faults``).

Each trial runs the command line as a user does, breaks something (a process, the disk, the memory, the clock, the
file), then asks two things: nothing on the disk that looks whole and is not, no process left behind; and the same
command, run again once the cause is gone, ends with the same bytes as a run that nothing disturbed.

    python scripts/faults.py                        everything
    python scripts/faults.py tuer disque            faults whose name contains one of the words
    python scripts/faults.py --json results.json    write the results for ``evidence.py``

A full disk and a read-only one need the right to mount a small file system (root); without it the disk is made full by
a limit on the size of files, which the table says.
"""

import argparse
import hashlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import polars as pl
from constat import ecrire
from rich.console import Console
from rich.table import Table

RACINE = Path(__file__).resolve().parents[1]
GRAINE = 371
LIGNES, LIGNES_PAR_BLOC, MOIS = 12_000, 500, "2021-02:2021-04"
CONSTANTS = ("resultats.parquet", "resultats_eternels.parquet", "agregats.csv")  # same bytes at each run
EN_COURS = ".en_cours"
DELAI = 300  # seconds; a command that takes longer hangs
MIO = 2**20


class Echec(AssertionError):  # noqa: N818 — French
    """What a fault left, or lost."""


def exiger(condition, message: str) -> None:
    """Fail the trial unless the condition holds."""
    if not condition:
        raise Echec(message)


# ---- running a command ----


def commande(*arguments, ouvriers=2) -> list[str]:
    """Command line of a simulation, or of another verb when the arguments begin with one."""
    base = [sys.executable, "-m", "openfisca_fds_tools.cli"]
    return [*base, *map(str, arguments), "--workers", str(ouvriers)]


def simulation(atelier, sortie, **options) -> list[str]:
    """Command line of the simulation of reference, to another folder."""
    arguments = ["simulate", atelier.population, "--output", sortie, "--months", MOIS, "--block-size", LIGNES_PAR_BLOC]
    return commande(*arguments, **options)


def demarrer(ligne: list[str], **options) -> subprocess.Popen:
    """Start a command in a session of its own, by which its children are found."""
    tuyaux = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(ligne, start_new_session=True, cwd=RACINE, **tuyaux, **options)


def executer(ligne: list[str], **options) -> tuple[int, str]:
    """Run a command to its end: exit code (minus the signal that killed it) and what it said on its error output."""
    processus = demarrer(ligne, **options)
    dit = attendre(processus)
    faire_place_nette(processus)
    return processus.returncode, dit


def attendre(processus) -> str:
    """Wait for the end of a command; return what it said on its error output."""
    try:
        return processus.communicate(timeout=DELAI)[1]
    except subprocess.TimeoutExpired:
        faire_place_nette(processus)
        raise


def session(processus) -> list[int]:
    """List the processes alive in the session of a command."""
    vivants = []
    for dossier in Path("/proc").iterdir():
        if not dossier.name.isdigit():
            continue
        try:
            etat, _, _, numero = (dossier / "stat").read_text().rpartition(")")[2].split()[:4]
        except OSError:
            continue
        if int(numero) == processus.pid and etat != "Z":
            vivants.append(int(dossier.name))
    return vivants


def ouvriers(processus) -> list[int]:
    """List the worker processes of a command."""
    trouves = []
    for pid in session(processus):
        try:
            ligne = Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            continue
        if b"spawn_main" in ligne:
            trouves.append(pid)
    return trouves


def exiger_aucun_orphelin(processus, delai: float = 10) -> None:
    """No process of the command is left, some seconds after its end."""
    limite = time.monotonic() + delai
    while session(processus) and time.monotonic() < limite:
        time.sleep(0.05)
    restes = session(processus)
    faire_place_nette(processus)
    exiger(not restes, f"{len(restes)} processus orphelin(s)")


def faire_place_nette(processus) -> None:
    """Kill what a command left."""
    for pid in session(processus):
        os.kill(pid, signal.SIGKILL)


# ---- what a trial is judged on ----


def empreinte(chemin: Path) -> str:
    """SHA-256 of a file."""
    return hashlib.sha256(chemin.read_bytes()).hexdigest()


def visibles(dossier: Path) -> dict[str, Path]:
    """Files that a user sees in a folder, at any depth: {relative name: path}."""
    tous = [f for f in dossier.rglob("*") if f.is_file()] if dossier.is_dir() else []
    noms = {f.relative_to(dossier): f for f in tous}
    return {str(nom): f for nom, f in noms.items() if not any(part.startswith(".") for part in nom.parts)}


def totaux(dossier: Path) -> dict:
    """Totals of the run card of a folder."""
    return json.loads((dossier / "run.json").read_text(encoding="utf-8"))["totaux"]


@dataclass
class Atelier:
    """Where the trials take place.

    Attributes:
        dossier: temporary folder.
        population: file of the population.
        attendus: {name: SHA-256} of the results that nothing disturbed; ``totaux`` theirs.
        duree: seconds that the undisturbed run took.
        alea: source of the moments.
    """

    dossier: Path
    population: Path
    attendus: dict
    totaux: dict
    duree: float
    alea: random.Random

    def sortie(self) -> Path:
        """Give a new output folder."""
        return Path(tempfile.mkdtemp(dir=self.dossier)) / "resultats"

    def exiger_rien_a_moitie(self, sortie: Path) -> None:
        """Require that what bears a final name be whole, and that a run card go with all of it."""
        presents = visibles(sortie)
        for nom, chemin in presents.items():
            if nom == "run.json":
                exiger(set(CONSTANTS) <= set(presents), "run.json sans tous les résultats")
                exiger(totaux(sortie) == self.totaux, "run.json a d'autres totaux")
            else:
                exiger(empreinte(chemin) == self.attendus.get(nom), f"{nom} à moitié écrit")

    def exiger_reprise(self, sortie: Path, **options) -> str:
        """Run the same command: it must end with the same bytes, and leave nothing else; return what it said."""
        code, dit = executer(simulation(self, sortie), **options)
        exiger(code == 0, f"reprise : code {code}, {dit.strip()[-300:]}")
        exiger(
            {nom: empreinte(f) for nom, f in visibles(sortie).items() if nom != "run.json"} == self.attendus,
            "reprise : d'autres octets",
        )
        exiger(totaux(sortie) == self.totaux, "reprise : d'autres totaux")
        exiger(not (sortie / EN_COURS).exists(), "reprise : dossier de travail laissé")
        return dit


def installer(dossier: Path) -> Atelier:
    """Draw the population and run it undisturbed."""
    population = dossier / "population.parquet"
    generer = [sys.executable, "-m", "openfisca_fds_tools.cli", "population"]
    code, dit = executer([*generer, "--size", str(LIGNES), "--seed", str(GRAINE), "--output", str(population)])
    exiger(code == 0, f"population : {dit}")
    atelier = Atelier(dossier, population, {}, {}, 0, random.Random(GRAINE))
    sortie, debut = atelier.sortie(), time.monotonic()
    code, dit = executer(simulation(atelier, sortie))
    exiger(code == 0, f"simulation de référence : {dit}")
    atelier.duree = time.monotonic() - debut
    atelier.attendus = {nom: empreinte(sortie / nom) for nom in CONSTANTS}
    atelier.totaux = totaux(sortie)
    return atelier


# ---- the faults: each yields what it did, or raises Echec ----


def tuer_le_lanceur(atelier: Atelier, essais: int = 25) -> Iterator[str]:
    """Kill the process that distributes the blocks."""
    for rang in range(essais):
        sortie = atelier.sortie()
        processus = demarrer(simulation(atelier, sortie))
        moment = _attendre_le_moment(atelier, processus, sortie, rang)
        processus.kill()
        processus.wait()
        exiger_aucun_orphelin(processus)
        atelier.exiger_rien_a_moitie(sortie)
        faits = len(list(sortie.glob(f"{EN_COURS}/*bilan.json")))
        atelier.exiger_reprise(sortie)
        yield f"{moment} ; {faits} blocs gardés"


def _attendre_le_moment(atelier, processus, sortie, rang: int) -> str:
    """Wait for a random moment, or, one time in five, for the end: the assembly, or the renaming."""
    guet = {3: sortie / EN_COURS / "resultats.parquet", 4: sortie / "resultats.parquet"}.get(rang % 5)
    debut, moment = time.monotonic(), atelier.alea.uniform(0, 0.95 * atelier.duree)
    while processus.poll() is None and (guet is not None or time.monotonic() - debut < moment):
        if guet is not None and guet.exists():
            return "à l'assemblage" if rang % 5 == 3 else "au renommage"
        time.sleep(0.001)
    return f"à {time.monotonic() - debut:.1f} s"


def tuer_un_ouvrier(atelier: Atelier, essais: int = 25) -> Iterator[str]:
    """Kill a worker: the run itself must go to its end."""
    for _ in range(essais):
        sortie = atelier.sortie()
        processus = demarrer(simulation(atelier, sortie))
        debut, moment = time.monotonic(), atelier.alea.uniform(0.2, 0.8) * atelier.duree
        while processus.poll() is None and (time.monotonic() - debut < moment or not ouvriers(processus)):
            time.sleep(0.01)
        victimes = ouvriers(processus)
        if victimes:
            os.kill(atelier.alea.choice(victimes), signal.SIGKILL)
        dit = attendre(processus)
        exiger(processus.returncode == 0, f"code {processus.returncode}, {dit[-300:]}")
        exiger_aucun_orphelin(processus)
        exiger((sortie / "run.json").exists(), "pas de run.json")
        atelier.exiger_rien_a_moitie(sortie)
        yield f"à {moment:.1f} s" if victimes else "trop tard : calcul déjà fini"


def interrompre(atelier: Atelier, essais: int = 4) -> Iterator[str]:
    """Send SIGINT, as Ctrl-C does, and SIGTERM to the whole session."""
    for rang in range(essais):
        sortie, un_signal = atelier.sortie(), (signal.SIGINT, signal.SIGTERM)[rang % 2]
        processus = demarrer(simulation(atelier, sortie))
        while processus.poll() is None and not list(sortie.glob(f"{EN_COURS}/manifeste.json")):
            time.sleep(0.01)
        time.sleep(atelier.alea.uniform(0, 0.6) * atelier.duree)
        if processus.poll() is None:
            os.killpg(processus.pid, un_signal)
        dit = attendre(processus)
        exiger(processus.returncode in (0, 130, -un_signal), f"code {processus.returncode}")
        exiger("Traceback" not in dit, f"trace d'erreur : {dit[-300:]}")
        exiger_aucun_orphelin(processus)
        atelier.exiger_rien_a_moitie(sortie)
        atelier.exiger_reprise(sortie)
        yield f"{un_signal.name}, code {processus.returncode}"


def remplir_le_disque(atelier: Atelier, essais: int = 6) -> Iterator[str]:
    """Fill the disk at several stages, then make it larger."""
    besoin = sum((f.stat().st_size for f in visibles(_dossier_de_reference(atelier)).values()), 0)
    for rang in range(essais):
        octets = max(int(besoin * (rang + 0.5) / essais), 16_384)
        with _petit_disque(atelier, octets) as (sortie, options, agrandir):
            code, dit = executer(simulation(atelier, sortie), **options)
            if code != 0:
                exiger(code == 2 and "Traceback" not in dit, f"code {code}, {dit[-300:]}")
                exiger("disque plein" in dit or "plus grand que permis" in dit or "impossible" in dit, dit[-300:])
            atelier.exiger_rien_a_moitie(sortie)
            agrandir()
            atelier.exiger_reprise(sortie)
        yield f"{octets / 1024:.0f} Kio : code {code}, {_derniere_ligne(dit)}"


def _dossier_de_reference(atelier) -> Path:
    return next(f.parent for f in atelier.dossier.rglob("run.json"))


@contextmanager
def _petit_disque(atelier, octets: int):
    """Give an output folder on a disk of some bytes, the options of the command, and what makes the disk larger."""
    point = Path(tempfile.mkdtemp(dir=atelier.dossier))
    monter = ["mount", "-t", "tmpfs", "-o", f"size={octets}", "tmpfs", str(point)]
    if peut_monter():
        subprocess.run(monter, check=True)
        try:
            agrandir = ["mount", "-o", f"remount,size={1024 * MIO}", str(point)]
            yield point / "resultats", {}, lambda: subprocess.run(agrandir, check=True)
        finally:
            subprocess.run(["umount", str(point)], check=True)
    else:
        limite = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (octets, octets))}
        yield point / "resultats", limite, lambda: None


def peut_monter() -> bool:
    """Whether this user may mount a file system."""
    if os.geteuid() != 0:
        return False
    with tempfile.TemporaryDirectory() as point:
        if subprocess.run(["mount", "-t", "tmpfs", "tmpfs", point], capture_output=True).returncode:
            return False
        subprocess.run(["umount", point], check=True)
    return True


def sortie_en_lecture_seule(atelier: Atelier) -> Iterator[str]:
    """Ask for an output that cannot be written: a read-only file system, a file in its place, a system folder."""
    if peut_monter():
        with _petit_disque(atelier, 64 * MIO) as (sortie, _, _):
            sortie.mkdir()
            subprocess.run(["mount", "-o", "remount,ro", str(sortie.parent)], check=True)
            yield _refus(atelier, sortie, "système de fichiers en lecture seule")
            subprocess.run(["mount", "-o", "remount,rw", str(sortie.parent)], check=True)
            atelier.exiger_reprise(sortie)
    fichier = atelier.dossier / "un_fichier"
    fichier.write_text("ne pas effacer", encoding="utf-8")
    yield _refus(atelier, fichier, "un fichier à la place du dossier")
    exiger(fichier.read_text(encoding="utf-8") == "ne pas effacer", "fichier effacé")
    yield _refus(atelier, Path("/proc/openfisca"), "/proc")


def _refus(atelier, sortie: Path, nom: str) -> str:
    code, dit = executer(simulation(atelier, sortie))
    exiger(code == 2 and "Traceback" not in dit, f"{nom} : code {code}, {dit[-300:]}")
    return f"{nom} : {_derniere_ligne(dit)}"


def tronquer_la_population(atelier: Atelier, essais: int = 6) -> Iterator[str]:
    """Cut the file at random places, in each format."""
    table = pl.read_parquet(atelier.population)
    formats = {"csv": table.head(2_000).write_csv, "arrow": table.write_ipc, "parquet": table.write_parquet}
    for extension, ecrire_le in formats.items():
        entier = atelier.dossier / f"entiere.{extension}"
        ecrire_le(entier)
        octets = entier.read_bytes()
        for _ in range(essais):
            coupe = atelier.dossier / f"coupee.{extension}"
            longueur = atelier.alea.randrange(len(octets))
            if extension == "csv":  # at the end of a line nothing is missing but lines: nobody can tell
                longueur = octets.rfind(b",", 0, max(longueur, 40_000))
            coupe.write_bytes(octets[:longueur])
            sortie = atelier.sortie()
            code, dit = executer(commande("simulate", coupe, "--output", sortie, "--months", "2021-02", ouvriers=1))
            exiger(code == 2 and "Traceback" not in dit, f"{extension}, {longueur} octets : code {code}, {dit[-300:]}")
            exiger(not sortie.exists(), f"{extension} : dossier laissé")
            yield f"{extension}, {longueur} octets sur {len(octets)} : {_derniere_ligne(dit)[:80]}"


def limiter_la_memoire(atelier: Atelier, essais: int = 6) -> Iterator[str]:
    """Limit the address space, from too little to start to enough."""
    for rang in range(essais):
        octets = int((200 + 2_800 * rang / (essais - 1)) * MIO)
        sortie = atelier.sortie()
        limite = {"preexec_fn": lambda octets=octets: resource.setrlimit(resource.RLIMIT_AS, (octets, octets))}
        try:
            code, dit = executer(simulation(atelier, sortie, ouvriers=1 + rang % 2), **limite)
        except subprocess.TimeoutExpired:  # seen once: a library that cannot start a thread waits for it for ever
            code, dit = -signal.SIGKILL, "sans fin, tué"
        atelier.exiger_rien_a_moitie(sortie)
        exiger(code == 0 or not (sortie / "run.json").exists(), f"code {code} avec une carte")
        atelier.exiger_reprise(sortie)
        yield f"{octets // MIO} Mio : code {code}, {_derniere_ligne(dit)[:80]}"


def changer_l_heure(atelier: Atelier) -> Iterator[str]:
    """Begin a run in 2035, kill it, resume in 1999; then let the clock run a thousand times too fast."""
    try:
        import libfaketime
    except ModuleNotFoundError:
        yield "libfaketime absent : non éprouvé"
        return
    bibliotheque = next(Path(libfaketime.__file__).parent.rglob("*faketime.so.1"))
    for debut, suite in (("@2035-06-01 12:00:00", "@1999-01-01 00:00:00"), ("@2019-01-01 00:00:00 x1000", "-5y")):
        sortie = atelier.sortie()
        commun = {**os.environ, "LD_PRELOAD": str(bibliotheque), "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
        processus = demarrer(simulation(atelier, sortie), env={**commun, "FAKETIME": debut})
        while processus.poll() is None and not list(sortie.glob(f"{EN_COURS}/*bilan.json")):
            time.sleep(0.01)
        processus.kill()
        processus.wait()
        exiger_aucun_orphelin(processus)
        atelier.exiger_rien_a_moitie(sortie)
        dit = atelier.exiger_reprise(sortie, env={**commun, "FAKETIME": suite})
        exiger("reprise" in dit, "rien n'a été repris")
        annee = json.loads((sortie / "run.json").read_text(encoding="utf-8"))["date"][:4]
        yield f"{debut} puis {suite} : carte datée de {annee}, mêmes totaux"


def deux_calculs_dans_un_dossier(atelier: Atelier, essais: int = 3) -> Iterator[str]:
    """Start a second run in the folder of one that is not finished: it is refused, and disturbs nothing."""
    for _ in range(essais):
        sortie = atelier.sortie()
        premier = demarrer(simulation(atelier, sortie))
        while premier.poll() is None and not list(sortie.glob(f"{EN_COURS}/manifeste.json")):
            time.sleep(0.01)
        code, dit = executer([*simulation(atelier, sortie), "--restart"])
        exiger(code == 2 and "en cours" in dit, f"second : code {code}, {dit[-200:]}")
        dit_premier = attendre(premier)
        exiger(premier.returncode == 0, f"premier : {dit_premier[-200:]}")
        atelier.exiger_rien_a_moitie(sortie)
        exiger((sortie / "run.json").exists(), "pas de run.json")
        yield _derniere_ligne(dit)


def interrompre_les_autres_commandes(atelier: Atelier, essais: int = 4) -> Iterator[str]:
    """Kill a generation, a comparison, a report; then run the same command."""
    from openfisca_fds_tools.cli import COMMANDES

    reforme = RACINE / "examples" / "reformes" / "plafond_du_groupe_300_000.yaml"
    confrontation = atelier.sortie()
    executer([sys.executable, "-m", "openfisca_fds_tools.cli", "backtest", "--output", str(confrontation)])
    lignes = {
        "population": lambda sortie: ["population", "--size", "150000", "--output", sortie / "p.parquet"],
        "compare": lambda sortie: [
            "compare",
            atelier.population,
            "--reform",
            reforme,
            "--months",
            MOIS,
            "--workers",
            2,
            "--output",
            sortie,
        ],
        "report": lambda sortie: ["report", confrontation, "--output", sortie / "rapport.html"],
        "backtest": lambda sortie: ["backtest", "--output", sortie],
    }
    for nom, arguments in lignes.items():
        if nom in COMMANDES:
            yield from _interrompre_une_commande(atelier, nom, arguments, essais)


def _interrompre_une_commande(atelier, nom: str, arguments: Callable, essais: int) -> Iterator[str]:
    def ligne(sortie):
        return [sys.executable, "-m", "openfisca_fds_tools.cli", *map(str, arguments(sortie))]

    reference, debut = atelier.sortie(), time.monotonic()
    code, dit = executer(ligne(reference))
    exiger(code == 0, f"{nom} : code {code}, {dit[-300:]}")
    duree, attendus = time.monotonic() - debut, _empreintes_stables(reference)
    for _ in range(essais):
        sortie = atelier.sortie()
        processus = demarrer(ligne(sortie))
        moment = atelier.alea.uniform(0.1, 0.95) * duree
        try:
            processus.communicate(timeout=moment)
        except subprocess.TimeoutExpired:
            processus.kill()
            processus.wait()
        exiger_aucun_orphelin(processus)
        for fichier, trouvee in _empreintes_stables(sortie).items():
            exiger(trouvee == attendus.get(fichier), f"{nom} : {fichier} à moitié écrit à {moment:.1f} s")
        for page in sortie.glob("*.html"):
            entiere = page.read_text(encoding="utf-8").rstrip().endswith("</html>")
            exiger(entiere, f"{nom} : {page.name} à moitié écrit à {moment:.1f} s")
        code, dit = executer(ligne(sortie))
        exiger(code == 0, f"{nom}, seconde fois : code {code}, {dit[-300:]}")
        exiger(_empreintes_stables(sortie) == attendus, f"{nom} : d'autres octets après une interruption")
        yield f"{nom}, à {moment:.1f} s sur {duree:.1f}"


def _empreintes_stables(dossier: Path) -> dict[str, str]:
    """Fingerprints of the files of a folder that carry neither a date nor a duration."""
    datees = (".json", ".html", ".pdf", ".svg", ".png")
    return {nom: empreinte(f) for nom, f in visibles(dossier).items() if not nom.endswith(datees)}


def _derniere_ligne(dit: str) -> str:
    return (dit.strip().splitlines() or ["(rien)"])[-1]


PANNES = {  # name -> (what is done, how the results say it)
    "lanceur tué": (tuer_le_lanceur, "SIGKILL du processus qui distribue les blocs, à un moment quelconque"),
    "ouvrier tué": (tuer_un_ouvrier, "SIGKILL d'un processus de calcul : la simulation va d'elle-même à son terme"),
    "interruption": (interrompre, "Ctrl-C ou SIGTERM"),
    "disque plein": (remplir_le_disque, "disque de plus en plus grand, plein à diverses étapes, puis agrandi"),
    "lecture seule": (sortie_en_lecture_seule, "dossier de sortie où l'on ne peut écrire"),
    "population tronquée": (tronquer_la_population, "fichier coupé au hasard : refus d'une ligne, rien d'écrit"),
    "mémoire limitée": (limiter_la_memoire, "limite de l'espace d'adressage, de 200 Mio à 3 Gio"),
    "horloge changée": (changer_l_heure, "date qui recule de trente ans entre l'interruption et la reprise"),
    "deux calculs à la fois": (deux_calculs_dans_un_dossier, "second calcul dans le même dossier : refusé"),
    "autres commandes": (
        interrompre_les_autres_commandes,
        "SIGKILL de population, compare, report, backtest si elles sont là",
    ),
}


def eprouver(nom: str, sens: str, panne: Callable, atelier: Atelier) -> dict:
    """Try a fault until its end or its first failure."""
    essais, echec = [], None
    debut = time.monotonic()
    try:
        for detail in panne(atelier):
            essais.append(detail)
    except (Echec, subprocess.TimeoutExpired) as erreur:
        echec = str(erreur)
    essais = [
        essai.replace(str(atelier.dossier), "…") for essai in essais
    ]  # paths of this machine mean nothing elsewhere
    return {
        "panne": nom,
        "sens": sens,
        "survecus": len(essais),
        "echec": echec,
        "secondes": round(time.monotonic() - debut),
        "essais": essais,
    }


def main() -> int:
    """Try the faults, print the table; exit code 1 if one was not survived."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("mots", nargs="*", help="words: keep the faults whose name contains one of them")
    arguments.add_argument("--json", type=Path, help="file of the results")
    options = arguments.parse_args()
    retenues = {nom: p for nom, p in PANNES.items() if not options.mots or any(mot in nom for mot in options.mots)}
    bilans, ecran = [], Console()
    with tempfile.TemporaryDirectory(prefix="openfisca-fds-pannes-") as dossier:
        atelier = installer(Path(dossier))
        ecran.print(f"{LIGNES} entreprises, {atelier.duree:.1f} s sans panne", highlight=False)
        for nom, (panne, sens) in retenues.items():
            bilan = eprouver(nom, sens, panne, atelier)
            bilans.append(bilan)
            suite = f"ÉCHEC : {bilan['echec']}" if bilan["echec"] else "tout survécu"
            ecran.print(f"{nom} : {bilan['survecus']} essais, {bilan['secondes']} s, {suite}", highlight=False)
            _vider(atelier)
    ecran.print(tableau(bilans))
    if options.json:
        ecrire(options.json, entreprises=LIGNES, montages=peut_monter(), pannes=bilans)
    return 1 if any(bilan["echec"] for bilan in bilans) else 0


def _vider(atelier: Atelier) -> None:
    """Remove the folders of a fault, but the reference."""
    reference = _dossier_de_reference(atelier).parent
    for dossier in atelier.dossier.iterdir():
        if dossier.is_dir() and dossier != reference:
            shutil.rmtree(dossier)


def tableau(bilans: list[dict]) -> Table:
    """Make the table of the faults."""
    rendu = Table(title="Pannes provoquées")
    for titre, cote in (("Panne", "left"), ("Survécues", "right"), ("Échec", "left"), ("Secondes", "right")):
        rendu.add_column(titre, justify=cote)
    for bilan in bilans:
        rendu.add_row(bilan["panne"], str(bilan["survecus"]), bilan["echec"] or "—", str(bilan["secondes"]))
    return rendu


if __name__ == "__main__":
    sys.exit(main())
