"""How a value given for a longer period is spread over its months.

The helpers of openfisca-core are kept in what they mean, and put right in two cases: the month given beside its year,
and the short form of a YAML case, where a value comes without the shape of its population.
"""

from openfisca_core.holders import set_input_divide_by_period
from openfisca_core.periods import DateUnit


def repartir_a_l_identique(holder, period, array):
    """Give each month of a period the same value, except the months that have their own.

    The core's ``set_input_dispatch_by_period`` carries a month that has its own value on over the following ones.

    Args:
        holder: openfisca-core Holder of a monthly variable.
        period: Period of one month or more.
        array: value, or array of shape (n,).
    """
    array = holder._to_array(array)
    mois = period.get_subperiods(DateUnit.MONTH)
    for un_mois in mois:
        if len(mois) == 1 or holder.get_array(un_mois) is None:
            holder._set(un_mois, array)


def repartir_par_parts_egales(holder, period, array):
    """Share the amount of a period, less the months that have their own, among the others.

    Args:
        holder: openfisca-core Holder of a monthly variable.
        period: Period of one month or more.
        array: amount, or array of shape (n,), in euros.

    Raises:
        ValueError: every month has its own, and they do not make the amount.
    """
    set_input_divide_by_period(holder, period, holder._to_array(array))
