"""Population engine: from a file of enterprises to aids, by blocks, in bounded memory.

>>> from openfisca_fds_tools.population import simulate
>>> resultats = simulate("population.parquet", months="2021-02:2021-09")
>>> resultats.agregats
"""

from .errors import ErreurUtilisateur, PopulationInvalide
from .run import Resultats, simulate

__all__ = ["ErreurUtilisateur", "PopulationInvalide", "Resultats", "simulate"]
