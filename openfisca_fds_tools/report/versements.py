"""Lag model: when the aid of a month is paid.

A share is paid soon after the form opens, a share evenly until its deadline, the rest after it (checks, appeals). Five
values of ``donnees/versements.yaml`` serve all months; openings and deadlines are in ``donnees/formulaires.csv``.
"""

from functools import cache
from importlib import resources

import numpy
import polars as pl
import yaml


@cache
def formulaires() -> pl.DataFrame:
    """Read the forms: mois, ouverture and limite (dates), source, confiance; one row per month of aid."""
    with resources.as_file(resources.files(__package__) / "donnees" / "formulaires.csv") as chemin:
        return pl.read_csv(chemin, try_parse_dates=True)


@cache
def rythme() -> dict[str, float]:
    """Read the five values of the model: part_immediate, jours_immediats, part_etalee, jours_tardifs, delai."""
    texte = (resources.files(__package__) / "donnees" / "versements.yaml").read_text(encoding="utf-8")
    return {nom: float(entree["valeur"]) for nom, entree in yaml.safe_load(texte).items()}


def part_payee(mois: list[str], dates) -> numpy.ndarray:
    """Give the share of each month's aid that is paid by the end of each date.

    Args:
        mois: months of aid, « AAAA-MM ».
        dates: dates, or « AAAA-MM-JJ » texts, in any order.

    Returns:
        Array of shape (dates, months), from 0 to 1, never decreasing with the date.

    Raises:
        KeyError: a month without form.
    """
    r = rythme()
    lignes = {ligne["mois"]: ligne for ligne in formulaires().iter_rows(named=True)}
    ouverture, limite = (_jours([lignes[un][borne] for un in mois]) for borne in ("ouverture", "limite"))
    fin = _jours(dates)[:, None] + 1 - r["delai"]
    depuis_ouverture, depuis_limite = (fin - ouverture).clip(0), (fin - limite).clip(0)
    immediate = 1 - numpy.exp(-depuis_ouverture / r["jours_immediats"])
    etalee = (depuis_ouverture / (limite - ouverture)).clip(0, 1)
    tardive = 1 - numpy.exp(-depuis_limite / r["jours_tardifs"])
    reste = 1 - r["part_immediate"] - r["part_etalee"]
    return r["part_immediate"] * immediate + r["part_etalee"] * etalee + reste * tardive


def etaler(mois: list[str], montants: numpy.ndarray, dates) -> numpy.ndarray:
    """Spread what is due for months of aid over the intervals that dates close.

    Args:
        mois: months of aid.
        montants: array of shape (months,) or (months, k), in euros or in aids.
        dates: increasing ends of intervals.

    Returns:
        Array of shape (dates + 1,) or (dates + 1, k): what each interval pays, then what is left after the last date;
        their sum over intervals is that of ``montants``.
    """
    montants = numpy.asarray(montants, dtype=float)
    cumul = part_payee(mois, dates) @ montants
    return numpy.diff(numpy.concatenate([cumul, montants.sum(axis=0, keepdims=True)]), axis=0, prepend=0)


def _jours(dates) -> numpy.ndarray:
    return numpy.array(dates, dtype="datetime64[D]").astype(float)
