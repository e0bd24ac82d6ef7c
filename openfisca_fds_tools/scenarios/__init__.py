"""Reforms, the law as it stood, and doubts, all as ordinary OpenFisca reforms.

>>> from openfisca_fds_tools.scenarios import comparer, lire_reforme, loi_au
>>> comparer("population.parquet", [lire_reforme("a.yaml+b.yaml"), loi_au("2021-02-20")]).couts
"""

from .classes import composer, identite
from .loi import loi_au
from .reforme import ErreurReforme, lire_fichier, lire_reforme

__all__ = ["ErreurReforme", "comparer", "composer", "identite", "lire_fichier", "lire_reforme", "loi_au"]


def comparer(*args, **kwargs):
    """Compare the law with reforms on a population: see :func:`openfisca_fds_tools.scenarios.comparaison.comparer`."""
    from .comparaison import comparer as executer  # Polars is loaded only when a population is

    return executer(*args, **kwargs)
