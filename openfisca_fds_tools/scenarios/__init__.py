"""Reforms, the law as it stood, and doubts, all as ordinary OpenFisca reforms.

Examples:
    Cost of the law, cost of the reform, and their difference, in euros:

    >>> from openfisca_fds_tools.scenarios import comparer, lire_reforme
    >>> reforme = lire_reforme("docs/exemples/seuil_de_70.yaml")
    >>> comparer("docs/exemples/entreprises.csv", [reforme], "2021-02:2021-03").totaux()
    {'Seuil de perte à 70 %': (124000.0, 80000.0, -44000.0)}
"""

from .classes import composer, identite
from .loi import loi_au
from .reforme import ErreurReforme, lire_fichier, lire_reforme

__all__ = ["ErreurReforme", "comparer", "composer", "identite", "lire_fichier", "lire_reforme", "loi_au"]


def comparer(*args, **kwargs):
    """Compare the law with reforms on a population: see :func:`openfisca_fds_tools.scenarios.comparaison.comparer`."""
    from .comparaison import comparer as executer  # Polars is loaded only when a population is

    return executer(*args, **kwargs)
