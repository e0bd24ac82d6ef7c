"""Results of the long checks, kept in ``docs/evidence/*.json`` with their date, their machine and their versions."""

import json
import os
import platform
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

DOSSIER = Path(__file__).resolve().parents[1] / "docs" / "evidence"
PAQUETS = ("openfisca-fds", "openfisca-core", "numpy", "polars", "hypothesis", "cosmic-ray")


def ecrire(chemin, **resultats):
    """Write results as JSON, after the date and the machine that gave them."""
    chemin = Path(chemin)
    chemin.parent.mkdir(parents=True, exist_ok=True)
    contenu = {"date": datetime.now(UTC).date().isoformat(), "machine": machine(), "versions": versions(), **resultats}
    chemin.write_text(json.dumps(contenu, ensure_ascii=False, indent=1, sort_keys=False) + "\n", encoding="utf-8")


def lire(nom):
    """Read the results of one check, or None when it was never run."""
    chemin = DOSSIER / f"{nom}.json"
    return json.loads(chemin.read_text(encoding="utf-8")) if chemin.exists() else None


def machine():
    """Describe the machine: system, cores, memory."""
    octets = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} cœurs, {octets / 2**30:.0f} Gio"


def versions():
    """Give the versions of Python and of what the check used."""
    connues = {"python": platform.python_version()}
    for paquet in PAQUETS:
        try:
            connues[paquet] = metadata.version(paquet)
        except metadata.PackageNotFoundError:
            continue
    return connues
