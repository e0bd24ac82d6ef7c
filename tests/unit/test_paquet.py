"""What is installed is what is in the sources: no file of the two packages stays behind."""

import subprocess
import sys
from pathlib import Path

RACINE = Path(__file__).parents[2]


def fichiers(dossier):
    paquets = ("openfisca_fds", "openfisca_fds_tools")
    return {
        fichier.relative_to(dossier)
        for paquet in paquets
        for fichier in (dossier / paquet).rglob("*")
        if fichier.is_file() and "__pycache__" not in fichier.parts
    }


def test_le_paquet_emporte_tous_ses_fichiers(tmp_path):
    commande = [sys.executable, "setup.py", "--quiet", "build_py", "--build-lib", str(tmp_path / "lib")]
    subprocess.run(
        [*commande, "egg_info", "--egg-base", str(tmp_path)], cwd=RACINE, check=True, capture_output=True, timeout=120
    )
    assert fichiers(tmp_path / "lib") == fichiers(RACINE)
