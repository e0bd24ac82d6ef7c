"""The weighted sample shipped with the package: where it is, and how it was made.

It is rebuilt, from the root of the repository, by::

    openfisca-fds population --size 32768 --seed 1 --concentrated \
        --output openfisca_fds_tools/synthetic/donnees/echantillon.parquet
"""

from importlib import resources
from pathlib import Path

import polars

from .tirage import generer

TAILLE = 32768  # eight slices; see TAILLE_TRANCHE
GRAINE = 1


def chemin():
    """Path of the Parquet file shipped with the package, one row per enterprise."""
    return Path(str(resources.files(__package__) / "donnees" / "echantillon.parquet"))


def reconstruire():
    """Draw the sample again from the assumptions, without reading the file shipped: a DataFrame of ``TAILLE`` rows."""
    return polars.concat(generer(TAILLE, GRAINE, concentre=True))
