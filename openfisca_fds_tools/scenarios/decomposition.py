"""Share the difference of a composition among its measures, whatever their order: the Shapley value.

Each measure gets the mean, over all orders, of what it adds when it enters. It needs the cost of every subset, hence
few measures. Subsets keep the order of the composition.
"""

from itertools import combinations
from math import factorial

import polars as pl

from openfisca_fds_tools.population import ErreurUtilisateur

from . import classes
from .comparaison import comparer

MESURES_MAXIMUM = 6  # 63 laws beside the baseline


def shapley(couts: dict[frozenset, float]) -> dict[int, float]:
    """Value of each measure.

    Args:
        couts: difference of cost of each set of measures (ranks), the empty set and the whole one included.

    Returns:
        Value of each rank; they add up to the difference of the whole set.
    """
    tous = max(couts, key=len)
    n = len(tous)
    valeurs = {}
    for un in sorted(tous):
        autres = [ensemble for ensemble in couts if un not in ensemble]
        poids = {k: factorial(k) * factorial(n - k - 1) / factorial(n) for k in range(n)}
        valeurs[un] = sum(poids[len(e)] * (couts[e | {un}] - couts[e]) for e in autres)
    return valeurs


def decomposer(population, reforme, months=None, **options) -> pl.DataFrame:
    """Decompose a composition among its parts.

    Args:
        population: as for ``comparer``.
        reforme: Reform class made by ``composer`` (« a.yaml+b.yaml »).
        months: aid months; None: all.
        **options: those of ``comparer``.

    Returns:
        mesure, seule (difference of the measure alone), contribution (Shapley value), euros; contributions add up to
        the difference of the composition.

    Raises:
        ErreurUtilisateur: not a composition, or too many measures.
    """
    parties = getattr(getattr(reforme, "provenance", None), "parties", ())
    if not 2 <= len(parties) <= MESURES_MAXIMUM:
        raise ErreurUtilisateur(
            f"« {classes.titre(reforme)} » : une décomposition demande de 2 à {MESURES_MAXIMUM} mesures jointes "
            "par « + »."
        )
    rangs = range(len(parties))
    ensembles = [frozenset(e) for k in range(1, len(parties) + 1) for e in combinations(rangs, k)]
    lois = {e: classes.composer(*(parties[rang] for rang in sorted(e))) for e in ensembles}
    totaux = comparer(population, lois.values(), months, **options).totaux()
    couts = {e: totaux[classes.titre(loi)][2] for e, loi in lois.items()} | {frozenset(): 0.0}
    valeurs = shapley(couts)
    return pl.DataFrame(
        {
            "mesure": [classes.titre(partie) for partie in parties],
            "seule": [couts[frozenset({rang})] for rang in rangs],
            "contribution": [valeurs[rang] for rang in rangs],
        }
    )
