"""Reform files named as Python objects, for tools that only know « paquet.module.Classe ».

``openfisca test -r openfisca_fds_tools.scenarios.fichiers.plafond_du_groupe_300_000`` reads
``plafond_du_groupe_300_000.yaml``, or executes ``plafond_du_groupe_300_000.py``, in the folder named by
``OPENFISCA_FDS_REFORMES`` (by default ``examples/reformes``); ``loi_au_2021_02_20`` is the law as of that date.
"""

import os
import re
from pathlib import Path

from .loi import loi_au
from .reforme import lire_fichier
from .structure import lire_python

DOSSIER = "OPENFISCA_FDS_REFORMES"
DOSSIER_PAR_DEFAUT = "examples/reformes"
_LOI_AU = re.compile(r"loi_au_(\d{4})_(\d{2})_(\d{2})")


def __getattr__(nom: str):
    """Reform class of a file, or of a date."""
    date = _LOI_AU.fullmatch(nom)
    if date:
        return loi_au("-".join(date.groups()))
    dossier = Path(os.environ.get(DOSSIER, DOSSIER_PAR_DEFAUT))
    for suffixe, lire in ((".yaml", lire_fichier), (".py", lire_python)):
        chemin = dossier / f"{nom}{suffixe}"
        if not nom.startswith("_") and chemin.is_file():
            return lire(chemin)
    raise AttributeError(f"pas de réforme « {dossier / nom} » (.yaml ou .py)")
