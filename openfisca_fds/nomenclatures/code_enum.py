"""The Enum of codes: numbers given for codes are codes, never ranks."""

import numpy
from openfisca_core.indexed_enums import Enum


class CodeEnum(Enum):
    """Enum whose member names are codes.

    OpenFisca takes any array of integers for ranks in the list: a column of départements read as numbers, or an
    unquoted ``75`` in a YAML case, would silently name others. Here integers are the codes they write; only int16,
    the Enum's own dtype, holds ranks.
    """

    @classmethod
    def encode(cls, array):
        """Encode codes: text, whole numbers (``1`` is « 01 »), or the ranks of an int16 array.

        Raises:
            ValueError: a value is not a code.
        """
        valeurs = numpy.asarray(array)
        if valeurs.dtype.kind == "f" or valeurs.dtype.kind == "b":
            raise ValueError(f"{cls.__name__} : un code est attendu, pas {valeurs.flat[0]!r}.")
        if valeurs.dtype.kind in "iu" and valeurs.dtype != numpy.int16:
            array = numpy.char.zfill(valeurs.astype(str), len("01"))
            inconnus = ~numpy.isin(array, cls.names)
            if inconnus.any():
                raise ValueError(f"{cls.__name__} : « {array[inconnus][0]} » n'est pas un code connu.")
        return super().encode(array)
