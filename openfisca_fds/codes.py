"""Codes (départements, NAF) read as codes, and membership of lists of codes in O(n)."""

from functools import lru_cache

import numpy


class Code:
    """Mixin of the Enum variables whose members are codes: an integer is the code it writes, never a rank.

    OpenFisca takes an integer given for an Enum as a rank in the list, so that an unquoted ``75`` in a YAML
    file or a JSON body would silently be another département.
    """

    def check_set_value(self, value):
        """Read ``1`` as « 01 » and ``971`` as « 971 »; refuse what is not a code.

        Raises:
            ValueError: the value is neither a code nor an integer that writes one.

        """
        if isinstance(value, bool) or not isinstance(value, (int, str)):
            raise ValueError(
                f"'{value}' n'est pas un code de « {self.name} » : un texte est attendu, par exemple '01'."
            )
        code = f"{value:02d}" if isinstance(value, int) else value
        if code not in self.possible_values.names:
            raise ValueError(f"'{value}' n'est pas un code connu de « {self.name} ».")
        return super().check_set_value(code)


def appartient(codes, liste):
    """Tell which rows bear a code of a list, by a table indexed by the Enum.

    Args:
        codes: EnumArray of shape (n,).
        liste: list of code names.

    Returns:
        Boolean array of shape (n,).

    """
    return _table(codes.possible_values, tuple(liste)).take(numpy.asarray(codes))


@lru_cache(maxsize=1024)
def _table(nomenclature, liste):
    """Tell which codes of an Enum are in a list; the key holds every code, so that a reform gets its own table.

    Args:
        nomenclature: Enum class.
        liste: tuple of code names.

    Returns:
        Read-only boolean array, one cell per code in the order of the Enum.

    """
    table = numpy.isin(nomenclature.names, liste)
    table.flags.writeable = False  # shared by every caller
    return table
