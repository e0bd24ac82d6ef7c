"""The lag model: shares by hand, totals kept, dates that make sense."""

import datetime
import math

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openfisca_fds_tools import publie
from openfisca_fds_tools.report.releve import MOIS
from openfisca_fds_tools.report.versements import etaler, formulaires, part_payee, rythme

FIN_DES_TEMPS = ["2030-12-31"]


def test_forms_are_those_of_the_months_of_aid():
    table = formulaires()
    assert table["mois"].to_list() == list(MOIS)
    for mois, ouverture, limite in table.select("mois", "ouverture", "limite").rows():
        assert ouverture > datetime.date(int(mois[:4]), int(mois[5:]), 28)  # no one asks before the month is over
        assert limite > ouverture
    assert set(table["confiance"]) <= {"T", "S", "M"}
    assert table["ouverture"].is_sorted()


def test_share_by_hand():
    # April 2020: open on 1 May, closed on 31 May. By the evening of 20 May, one day after asking: 19 days.
    attendu = 0.75 * (1 - math.exp(-19 / 6)) + 0.10 * 19 / 30
    assert part_payee(["2020-04"], ["2020-05-20"])[0, 0] == pytest.approx(attendu, rel=1e-12)
    # On 14 June: 44 days after the opening, 14 after the deadline.
    attendu = 0.75 * (1 - math.exp(-44 / 6)) + 0.10 + 0.15 * (1 - math.exp(-14 / 15))
    assert part_payee(["2020-04"], ["2020-06-14"])[0, 0] == pytest.approx(attendu, rel=1e-12)


def test_nothing_before_the_opening_and_all_in_the_end():
    assert part_payee(["2020-04"], ["2020-05-01"]).item() == 0
    assert part_payee(list(MOIS), FIN_DES_TEMPS).ravel() == pytest.approx(numpy.ones(len(MOIS)))


def test_shares_are_shares():
    r = rythme()
    assert 0 < r["part_immediate"] + r["part_etalee"] <= 1
    assert min(r.values()) > 0
    jours = numpy.arange("2020-03-01", "2022-12-31", dtype="datetime64[D]")
    parts = part_payee(list(MOIS), jours)
    assert parts.min() == 0
    assert parts.max() <= 1
    assert (numpy.diff(parts, axis=0) >= 0).all()


def test_a_month_without_form_is_refused():
    with pytest.raises(KeyError):
        part_payee(["2022-03"], ["2022-06-01"])


@given(
    st.lists(st.floats(0, 1e10), min_size=len(MOIS), max_size=len(MOIS)),
    st.lists(st.dates(datetime.date(2020, 1, 1), datetime.date(2023, 1, 1)), min_size=1, max_size=30, unique=True),
)
@settings(max_examples=40, deadline=None)
def test_totals_are_kept_whatever_the_dates(montants, dates):
    etales = etaler(list(MOIS), montants, sorted(dates))
    assert etales.shape == (len(dates) + 1,)
    assert etales.sum() == pytest.approx(sum(montants), rel=1e-9, abs=1e-3)
    assert etales.min() >= -1e-3


def test_columns_are_spread_apart():
    montants = numpy.column_stack([numpy.ones(len(MOIS)), numpy.arange(len(MOIS))])
    dates = ["2020-06-30", "2021-06-30"]
    etales = etaler(list(MOIS), montants, dates)
    assert etales[:, 1] == pytest.approx(etaler(list(MOIS), montants[:, 1], dates))


def test_what_the_model_leaves_unexplained_even_when_the_targets_are_right():
    """The documentation says 13 %: no simulation may be blamed for that part of the gap."""
    cibles = publie.cibles_par_mois_aide()["cible"].to_list()
    montants = cibles[:-1] + [cibles[-1] / 5] * 5
    paiements = publie.paiements_par_mois()
    verse = paiements["volet_1"].to_numpy()
    etales = etaler(list(MOIS), montants, paiements["dernier_releve"])[:-1]
    assert abs(etales - verse).sum() / verse.sum() == pytest.approx(0.13, abs=0.005)
