"""Compare the model with the scalar oracle on many random enterprises, out of CI.

The oracle (``tests/oracle``) was written from the texts by someone who had not read the variables; it computes one
enterprise at a time in exact arithmetic. ``tests/oracle/test_concordance.py`` does the same on a few groups a month.

    python scripts/evidence_oracle.py --enterprises 100000 --json docs/evidence/oracle.json
    python scripts/evidence_oracle.py --seconds 600
"""

import argparse
import functools
import random
import sys
import time
from pathlib import Path

from constat import ecrire

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))
sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "oracle"))

import droit_2020
import droit_2021
import tirage_2020
import tirage_2021
from concordance import desaccords
from test_concordance import MOIS_2020, MOIS_2021

from openfisca_fds import CountryTaxBenefitSystem

GROUPES_PAR_LOT = 150
GRAINE = "preuve"


def comparaisons():
    """Yield (what, draw of a group, evaluation of a group, month of the draw, month asked of the model)."""
    for mois in MOIS_2020:
        evaluer = functools.partial(droit_2020.evaluer_2020, mois=mois)
        yield mois, tirage_2020.tirer_groupe, evaluer, mois, None
    for mois in MOIS_2021:
        evaluer = functools.partial(droit_2021.evaluer_2021, mois=mois)
        yield mois, tirage_2021.tirer_groupe, evaluer, mois, None
    yield "volet 2", tirage_2020.tirer_groupe, droit_2020.evaluer_volet_2, "2020-09", "2020-10"
    yield "multi-activités", tirage_2021.tirer_groupe, droit_2021.evaluer_multi_activites, "2021-06", None


def compter(tirer, mois, graine):
    """Count the enterprises of a draw, made again."""
    rng = random.Random(f"{graine}-{mois}")
    return sum(len(tirer(rng, mois)) for _ in range(GROUPES_PAR_LOT))


def main():
    """Compare until enough enterprises or enough time; exit code 1 if the two disagree once."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--enterprises", type=int, default=100_000)
    arguments.add_argument("--seconds", type=float, default=float("inf"))
    arguments.add_argument("--json", type=Path, help="file of the results")
    options = arguments.parse_args()
    systeme, debut = CountryTaxBenefitSystem(), time.monotonic()
    liste = list(comparaisons())
    entreprises, ecarts, lot = dict.fromkeys((quoi for quoi, *_ in liste), 0), [], 0
    while sum(entreprises.values()) < options.enterprises and time.monotonic() - debut < options.seconds:
        graine = f"{GRAINE}-{lot}"
        for quoi, tirer, evaluer, mois, periode in liste:
            trouves = desaccords(systeme, tirer, evaluer, mois, GROUPES_PAR_LOT, graine, periode)
            ecarts += [(quoi, *ecart) for ecart in trouves]
            entreprises[quoi] += compter(tirer, mois, graine)
            if time.monotonic() - debut > options.seconds:
                break
        lot += 1
        print(f"{sum(entreprises.values())} entreprises, {len(ecarts)} désaccords", flush=True)
    for ecart in ecarts[:5]:
        print(ecart)
    if options.json:
        ecrire(
            options.json,
            secondes=round(time.monotonic() - debut),
            entreprises=sum(entreprises.values()),
            par_mois=entreprises,
            desaccords=len(ecarts),
            premiers=[str(ecart)[:500] for ecart in ecarts[:5]],
        )
    return 1 if ecarts else 0


if __name__ == "__main__":
    sys.exit(main())
