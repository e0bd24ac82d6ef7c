"""Population engine: from a file of enterprises to aids, by blocks, in bounded memory.

Examples:
    >>> from openfisca_fds_tools.population import simulate
    >>> resultats = simulate("docs/exemples/entreprises.csv", months="2021-02:2021-03")
    >>> resultats.carte["totaux"]["fonds_de_solidarite"]
    124000.0
"""

from .errors import ErreurUtilisateur, PopulationInvalide
from .run import Resultats, simulate

__all__ = ["ErreurUtilisateur", "PopulationInvalide", "Resultats", "simulate"]
