"""Build what is released, and check it as the one who receives it would (``make release``).

    python scripts/release.py                                 every check; files in dist/
    python scripts/release.py --pythons python3.12 python3.13 the tests of the law under other Pythons too
    python scripts/release.py --lock                          write requirements.lock anew, hashes included
    python scripts/release.py --json results.json             write the results for ``evidence.py``

The checks: two builds give the same bytes, ``twine`` accepts them, the wheel installs from a folder of wheels without
network nor sources and simulates there the embedded population to the same totals, every licence is accepted, the bill
of materials (CycloneDX) is written, and ``pip-audit`` knows no vulnerability, where an advisory database is reachable.
"""

import argparse
import gzip
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
from pathlib import Path

from constat import ecrire

RACINE = Path(__file__).resolve().parents[1]
DIST = RACINE / "dist"
VERROU = RACINE / "requirements.lock"
EXTRAS = ("tools", "report", "calibration", "web", "dask")
TESTS_DU_DROIT = ("tests/unit", "tests/fonds_de_solidarite", "tests/entreprise", "tests/commerces_multi_activites.yaml")
LICENCES = (
    "MIT",
    "BSD",
    "Apache",
    "AGPL-3.0",
    "PSF",
    "Python Software",
    "MPL-2.0",
    "ISC",
    "CC0-1.0",
    "Zlib",
    "Zope",
    "ZPL",
)


def lancer(*commande, **options) -> str:
    """Run a command; return its output, or stop with what it said."""
    fini = subprocess.run([str(mot) for mot in commande], capture_output=True, text=True, **options)
    if fini.returncode:
        raise SystemExit(f"{' '.join(map(str, commande))}\n{fini.stdout[-2000:]}{fini.stderr[-3000:]}")
    return fini.stdout


def module(nom, *arguments, **options) -> str:
    """Run a Python module."""
    return lancer(sys.executable, "-m", nom, *arguments, **options)


# ---- build ----


def date_de_la_version() -> str:
    """Seconds of the last commit: the date written in what is built."""
    return lancer("git", "log", "-1", "--format=%ct", cwd=RACINE).strip()


def extraire(cible: Path) -> None:
    """Write the sources of the last commit in a new folder."""
    cible.mkdir()
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=RACINE, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        tar.extractall(cible, filter="data")


def construire(dossier: Path) -> dict[str, Path]:
    """Build the wheel and the source archive from the last commit, in a folder of their own: {kind: file}."""
    sources = dossier / "sources"
    extraire(sources)
    date = date_de_la_version()
    environnement = {
        **os.environ,
        "SOURCE_DATE_EPOCH": date,
        "PIP_CONSTRAINT": str(RACINE / "constraints.txt"),
    }
    module("build", "--outdir", dossier / "dist", sources, env=environnement)
    (roue,), (archive,) = ((dossier / "dist").glob(motif) for motif in ("*.whl", "*.tar.gz"))
    normaliser(archive, int(date))
    return {"wheel": roue, "sdist": archive}


def normaliser(archive: Path, date: int) -> None:
    """Give a source archive one date, one owner and one order: setuptools writes those of the day."""
    with tarfile.open(archive) as tar:
        membres = [(m, tar.extractfile(m).read() if m.isfile() else None) for m in tar.getmembers()]
    tampon = io.BytesIO()
    with tarfile.open(fileobj=tampon, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for membre, octets in sorted(membres, key=lambda paire: paire[0].name):
            propre = tarfile.TarInfo(membre.name)
            propre.type, propre.size, propre.mtime = membre.type, membre.size, date
            propre.mode = 0o755 if membre.isdir() or membre.mode & 0o100 else 0o644
            tar.addfile(propre, None if octets is None else io.BytesIO(octets))
    with open(archive, "wb") as sortie, gzip.GzipFile("", "wb", fileobj=sortie, mtime=date) as flux:
        flux.write(tampon.getvalue())


def sha256(chemin: Path) -> str:
    """Fingerprint of a file."""
    return hashlib.sha256(chemin.read_bytes()).hexdigest()


def construire_deux_fois() -> list[dict]:
    """Build twice in two places; keep the files in ``dist/`` and say whether they are the same."""
    with tempfile.TemporaryDirectory() as un, tempfile.TemporaryDirectory() as autre:
        premiers, seconds = construire(Path(un)), construire(Path(autre))
        shutil.rmtree(DIST, ignore_errors=True)
        DIST.mkdir()
        bilan = []
        for genre, fichier in premiers.items():
            garde = Path(shutil.copy(fichier, DIST))
            empreintes = [sha256(garde), sha256(seconds[genre])]
            bilan.append(
                {
                    "genre": genre,
                    "fichier": garde.name,
                    "octets": garde.stat().st_size,
                    "sha256": empreintes[0],
                    "reproductible": empreintes[0] == empreintes[1],
                }
            )
    module("twine", "check", "--strict", *(DIST / un["fichier"] for un in bilan))
    return bilan


# ---- install without network nor sources ----


def installer_hors_ligne(dossier: Path) -> tuple[Path, dict]:
    """Install the wheel in an empty environment from a folder of wheels, and simulate far from the sources.

    Returns:
        The Python of the environment, and what was seen.
    """
    (roue,) = DIST.glob("*.whl")
    roues = dossier / "roues"
    extras = ",".join(EXTRAS)
    module("pip", "download", "--quiet", "--require-hashes", "--dest", roues, "--requirement", VERROU)
    environnement = dossier / "env"
    venv.create(environnement, with_pip=True)
    python = environnement / "bin" / "python"
    hors_ligne = ["--no-index", "--find-links", roues, "--quiet"]
    if sdists := [f.name for f in roues.glob("*.tar.gz")]:
        lancer(python, "-m", "pip", "install", *hors_ligne, "setuptools", "wheel")
        hors_ligne.append("--no-build-isolation")
    lancer(python, "-m", "pip", "install", *hors_ligne, f"{roue}[{extras}]")
    lancer(python, "-m", "pip", "check")
    ailleurs = dossier / "ailleurs"
    ailleurs.mkdir()
    commande = [environnement / "bin" / "openfisca-fds", "simulate", "--output", "resultats", "--workers", "1"]
    lancer(*commande, cwd=ailleurs, env={"PATH": "/usr/bin:/bin", "HOME": str(ailleurs)})
    carte = json.loads((ailleurs / "resultats" / "run.json").read_text(encoding="utf-8"))
    lieu = lancer(python, "-c", "import openfisca_fds; print(openfisca_fds.__file__)", cwd=ailleurs).strip()
    return python, {
        "paquets": len(json.loads(lancer(python, "-m", "pip", "list", "--format", "json"))),
        "archives_sources": sdists,
        "depuis_les_sources": not Path(lieu).is_relative_to(environnement),
        "entreprises": carte["entreprises"],
        "totaux": carte["totaux"],
    }


# ---- what it is made of ----


def licences(python: Path) -> list[dict]:
    """List the licence of each package of an environment.

    Raises:
        SystemExit: a licence is not one of those accepted.
    """
    brut = module("piplicenses", "--python", python, "--format", "json", "--from", "mixed")
    paquets = sorted(json.loads(brut), key=lambda paquet: paquet["Name"].lower())
    refusees = [f"{p['Name']} : {p['License']}" for p in paquets if not any(nom in p["License"] for nom in LICENCES)]
    if refusees:
        raise SystemExit("Licences à examiner :\n" + "\n".join(refusees))
    return [{"paquet": p["Name"], "version": p["Version"], "licence": p["License"]} for p in paquets]


def nomenclature(python: Path) -> Path:
    """Write the bill of materials of an environment, as CycloneDX JSON without serial number nor date."""
    cible = DIST / "sbom.cyclonedx.json"
    options = ["--output-reproducible", "--output-format", "JSON", "--output-file", cible]
    module("cyclonedx_py", "environment", python, *options)
    return cible


def audit() -> str:
    """Say what pip-audit knows of the locked versions; it ends well too when it could ask nobody.

    Raises:
        SystemExit: a vulnerability is known.
    """
    commande = [
        sys.executable,
        "-m",
        "pip_audit",
        "--requirement",
        VERROU,
        "--no-deps",
        "--disable-pip",
        "--format",
        "json",
    ]
    try:
        fini = subprocess.run(commande, capture_output=True, text=True, timeout=300)
        paquets = json.loads(fini.stdout)["dependencies"]
    except (subprocess.TimeoutExpired, ValueError):
        paquets = []
    examines = [paquet for paquet in paquets if "skip_reason" not in paquet]
    if vulnerables := [f"{p['name']} {p['version']} : {p['vulns']}" for p in examines if p["vulns"]]:
        raise SystemExit("Vulnérabilités connues :\n" + "\n".join(vulnerables))
    if not examines:
        return "base d'avis injoignable, rien n'est su"
    return f"aucune vulnérabilité connue de {len(examines)} paquets sur {len(paquets)}"


def verrouiller() -> None:
    """Write the versions of ``constraints.txt`` that the extras need, with the hashes of their files."""
    extras = [argument for extra in EXTRAS for argument in ("--extra", extra)]
    options = ["--generate-hashes", "--strip-extras", "--no-header", "--no-annotate", "--quiet", "--allow-unsafe"]
    chemin = VERROU.relative_to(RACINE)
    module(
        "piptools",
        "compile",
        *options,
        *extras,
        "--constraint",
        "constraints.txt",
        "--no-emit-index-url",
        "--no-emit-find-links",
        "--output-file",
        chemin,
        "setup.py",
        cwd=RACINE,
    )
    texte = (RACINE / chemin).read_text(encoding="utf-8")
    entete = f"# Every package of the extras {', '.join(EXTRAS)}, with the hashes of its files.\n"
    entete += "# Written by `python scripts/release.py --lock` from setup.py and constraints.txt.\n"
    (RACINE / chemin).write_text(entete + texte, encoding="utf-8")


# ---- other Pythons ----


def eprouver(python: str) -> dict:
    """Run the tests of the law under another Python, on a copy of the sources."""
    with tempfile.TemporaryDirectory() as dossier:
        environnement, sources = Path(dossier) / "env", Path(dossier) / "sources"
        extraire(sources)
        lancer(python, "-m", "venv", environnement)
        propre = environnement / "bin" / "python"
        installer = ["-m", "pip", "install", "--quiet", "--constraint", "constraints.txt", "--editable"]
        lancer(propre, *installer, ".[dev,report,web,dask]", cwd=sources)
        commande = [str(propre), "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS_DU_DROIT]
        fini = subprocess.run(commande, cwd=sources, capture_output=True, text=True)
        version = lancer(propre, "-c", "import platform; print(platform.python_version())").strip()
        return {"python": version, "code": fini.returncode, "bilan": bilan(fini.stdout)}


def bilan(dit: str) -> str:
    """Last line that pytest writes, or the number of its points in quiet mode when all is green."""
    reussis = sum(ligne.partition(" [")[0].count(".") for ligne in dit.splitlines() if ligne.rstrip().endswith("%]"))
    derniere = dit.strip().splitlines()[-1]
    return f"{reussis} réussis" if derniere.endswith("[100%]") else derniere.strip("= ")


def main() -> int:
    """Build and check; exit code 1 if a check fails."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--lock", action="store_true", help="write requirements.lock and stop")
    arguments.add_argument("--pythons", nargs="*", default=[], help="other Pythons to try")
    arguments.add_argument("--json", type=Path, help="file of the results")
    options = arguments.parse_args()
    if options.lock:
        verrouiller()
        return 0
    fichiers = construire_deux_fois()
    for fichier in fichiers:
        print(
            f"{fichier['fichier']} : {fichier['octets']} octets, reproductible : {fichier['reproductible']}", flush=True
        )
    with tempfile.TemporaryDirectory() as dossier:
        python, installation = installer_hors_ligne(Path(dossier))
        print(f"installée hors ligne : {installation['entreprises']} entreprises simulées sans les sources")
        liste = licences(python)
        sbom = nomenclature(python)
        print(f"{len(liste)} licences acceptées ; nomenclature : {sbom.relative_to(RACINE)}", flush=True)
    avis = audit()
    print(f"pip-audit : {avis}", flush=True)
    autres = [eprouver(python) for python in options.pythons]
    for autre in autres:
        print(f"Python {autre['python']} : {autre['bilan']}", flush=True)
    if options.json:
        ecrire(
            options.json,
            fichiers=fichiers,
            installation=installation,
            licences=liste,
            composants=len(json.loads(sbom.read_text(encoding="utf-8"))["components"]),
            audit=avis,
            pythons=autres,
        )
    return 0 if all(f["reproductible"] for f in fichiers) and not any(a["code"] for a in autres) else 1


if __name__ == "__main__":
    sys.exit(main())
