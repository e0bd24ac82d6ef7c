"""Against what was really paid: the backtest of a population, and its report.

Examples:
    >>> from openfisca_fds_tools.report import backtest
    >>> resultat = backtest("population.parquet")
    >>> resultat.tables["mois_aide"]
"""

from .confrontation import AVERTISSEMENT, Backtest, backtest

__all__ = ["AVERTISSEMENT", "Backtest", "backtest"]
