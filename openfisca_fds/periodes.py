"""The fixed periods that the texts name, and the arithmetic of months.

These are names of months in the sentences of the decree (« le mois de février 2020 », « l'année 2019 »), not
thresholds: the thresholds and limit dates are parameters.
"""

from functools import cache

import numpy
from openfisca_core import periods

ANNEE_DE_REFERENCE = 2019

ANNEE_2019 = periods.period("2019")
ANNEE_2020 = periods.period("2020")
JANVIER_2019 = periods.period("2019-01")
FEVRIER_2019 = periods.period("2019-02")
MARS_2019 = periods.period("2019-03")
AVRIL_2019 = periods.period("2019-04")
MAI_2019 = periods.period("2019-05")
JUIN_2019 = periods.period("2019-06")
NOVEMBRE_2019 = periods.period("2019-11")
JANVIER_2020 = periods.period("2020-01")
FEVRIER_2020 = periods.period("2020-02")
MARS_2020 = periods.period("2020-03")
AVRIL_2020 = periods.period("2020-04")
MAI_2020 = periods.period("2020-05")
JUIN_2020 = periods.period("2020-06")
JUILLET_2020 = periods.period("2020-07")
AOUT_2020 = periods.period("2020-08")
SEPTEMBRE_2020 = periods.period("2020-09")
OCTOBRE_2020 = periods.period("2020-10")
NOVEMBRE_2020 = periods.period("2020-11")
DECEMBRE_2020 = periods.period("2020-12")
JANVIER_2021 = periods.period("2021-01")
FEVRIER_2021 = periods.period("2021-02")
AVRIL_2021 = periods.period("2021-04")
MAI_2021 = periods.period("2021-05")
MARS_2021 = periods.period("2021-03")
JUIN_2021 = periods.period("2021-06")


@cache
def jour(date):
    """Read a date parameter, written « AAAA-MM-JJ », as a NumPy day."""
    return numpy.datetime64(str(date), "D")


@cache
def mois_de(debut, fin):
    """List the months from ``debut`` to ``fin``, both included.

    Args:
        debut: first month (Period).
        fin: last month (Period).

    Returns:
        tuple of monthly Period.

    """
    nombre = (fin.start.year - debut.start.year) * 12 + fin.start.month - debut.start.month  # 12 months a year
    return tuple(debut.offset(i) for i in range(nombre + 1))


@cache
def mois_du_jour(date):
    """Month (Period) that holds the day of a date parameter, written « AAAA-MM-JJ »."""
    return periods.period(str(date)[: len("AAAA-MM")])


@cache
def meme_mois_de_2019(period):
    """Month of the year of reference that bears the same name as ``period``."""
    return period.offset((ANNEE_DE_REFERENCE - period.start.year) * 12, "month")  # 12 months a year


@cache
def premier_jour(period):
    """First day of a period, as datetime64[D]."""
    return numpy.datetime64(str(period.start), "D")


@cache
def dernier_jour(period):
    """Last day of a period, as datetime64[D]."""
    return numpy.datetime64(str(period.stop), "D")


def jours_d_activite(date_creation, debut, fin):
    """Days of activity between two days included, day of creation included.

    Args:
        date_creation: datetime64[D] array of shape (n,).
        debut: first day of the window (datetime64).
        fin: last day of the window (datetime64).

    Returns:
        int64 array of shape (n,), 0 for an enterprise created after ``fin``.

    """
    depuis = (fin - date_creation.astype("datetime64[D]", copy=False)).astype(numpy.int64) + 1
    return numpy.clip(depuis, 0, (fin - debut).astype(numpy.int64) + 1)


def part_du_mois(date_creation, mois):
    """Share of a month during which the enterprise existed: (remaining days, creation included) / (days of the month).

    Args:
        date_creation: datetime64[D] array of shape (n,).
        mois: monthly Period.

    Returns:
        float64 array of shape (n,), between 0 and 1.

    """
    return jours_d_activite(date_creation, premier_jour(mois), dernier_jour(mois)) / mois.size_in_days
