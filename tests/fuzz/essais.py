"""Fuzzing: whatever comes in is either computed or refused in one clear line; anything else is a fault.

Each example is counted as « calculée » or « refusée » for its surface. ``OFDS_EXEMPLES=2000 pytest tests/fuzz`` tries
more than the few of every run, at random instead of always the same; ``OFDS_FUZZ_JSON`` names a file for the counts.
"""

import os
from collections import Counter

from hypothesis import HealthCheck, settings

EXEMPLES = int(os.environ.get("OFDS_EXEMPLES", "0"))
COMPTES = Counter()  # {(surface, outcome): examples}


def reglages(exemples):
    """Give the settings of a test: ``exemples``, the same in every run; more, and at random, when asked."""
    return settings(
        max_examples=EXEMPLES or exemples,
        deadline=None,
        derandomize=not EXEMPLES,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


def essayer(surface, appel, *refus):
    """Call, and count the outcome.

    Args:
        surface: what is tried, in the table of evidence.
        appel: function without argument.
        *refus: exceptions that refuse clearly.

    Returns:
        What the call gives, or None when it was refused.

    Raises:
        AssertionError: the refusal says nothing, or shows its machinery.
    """
    try:
        resultat = appel()
    except refus as refusee:
        COMPTES[surface, "refusées"] += 1
        if not str(refusee).strip() or "Traceback" in str(refusee):
            raise AssertionError(f"refus sans explication : {refusee!r}") from refusee
        return None
    COMPTES[surface, "calculées"] += 1
    return resultat
