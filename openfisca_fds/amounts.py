"""Money without loss and thresholds without doubt.

OpenFisca stores floats as float32, which loses the cent above 131 072 €, and even in float64
``loss >= 0.8 * reference`` is wrong for 7 % of the enterprises that lie exactly on 80 %. Hence one
mixin that stores float64 and one comparison made on integers, both used everywhere.
"""

import numpy

CENTIMES = 100  # cents in a euro
DIX_MILLIEMES = 10_000  # legal rates have at most four decimals
MILLIONIEMES = 1_000_000  # of a euro: far below any difference between two means of whole cents
MARGE = 0.01  # euros; rounding to the cent moves an amount by half a cent at most, and float dust far less


class Reel:
    """Mixin that stores a variable in float64: ``class montant(Reel, Variable)``.

    A mixin and not a base ``Variable``, because loading the package as an extension would take a
    base class for a variable. Reforms that replace a float variable derive from it too.
    """

    def __init__(self, baseline_variable=None) -> None:
        super().__init__(baseline_variable)
        self.dtype = numpy.float64


def en_centimes(montant):
    """Whole cents, half to even, decided on millionths of a euro so that float dust tips no half cent.

    Args:
        montant: euros, array of any shape.

    Returns:
        int64 array of the same shape, in cents.

    """
    millioniemes = numpy.rint(MILLIONIEMES * numpy.asarray(montant))
    return numpy.rint(millioniemes / (MILLIONIEMES // CENTIMES)).astype(numpy.int64)


def epoussete(montant):
    """Drop what float sums add beyond the millionth of a euro; euros, shape kept.

    A sum of whole cents comes out as the float nearest to its exact value, and so does the sum of twelve twelfths.
    """
    return numpy.rint(MILLIONIEMES * numpy.asarray(montant)) / MILLIONIEMES


def au_moins(montant, reference, taux):
    """Tell exactly, to the cent, whether ``montant`` reaches the share ``taux`` of ``reference``.

    « Au moins x % » reads as >=. No right is founded on a null or negative reference.

    Args:
        montant: euros (usually a loss), array of shape (n,).
        reference: euros, array of shape (n,).
        taux: legal rate as a fraction, scalar or array of shape (n,).

    Returns:
        Boolean array of shape (n,).

    """
    montant, reference = numpy.asarray(montant), numpy.asarray(reference)
    part = numpy.rint(DIX_MILLIEMES * numpy.asarray(taux)).astype(numpy.int64)
    positive = reference > 0
    # Away from the threshold, by more than rounding can bring, floats decide; near it, whole cents do.
    ecart = montant - part / DIX_MILLIEMES * reference
    marge = MARGE * (1 + part.max(initial=0) / DIX_MILLIEMES)
    atteint = (ecart > 0) & positive
    proches = numpy.flatnonzero((numpy.abs(ecart) <= marge) & positive)
    if len(proches):
        part = part if part.ndim == 0 else part[proches]
        exact = en_centimes(montant[proches]) * DIX_MILLIEMES >= part * en_centimes(reference[proches])
        atteint[proches] = exact
    return atteint


def depasse(montant, autre):
    """Tell whether ``montant`` is strictly greater, whatever the last bit of a mean; euros, arrays of shape (n,)."""
    return epoussete(montant) > epoussete(autre)


def quotient(montant, diviseur):
    """Divide, and give 0 where the divisor is not positive.

    Args:
        montant: array of shape (n,).
        diviseur: array of shape (n,).

    Returns:
        float64 array of shape (n,).

    """
    resultat = numpy.zeros(numpy.shape(montant), dtype=numpy.float64)
    return numpy.divide(montant, diviseur, out=resultat, where=numpy.asarray(diviseur) > 0)


def perte_dans_la_limite(perte, plafond):
    """« La perte, dans la limite de »: the smaller of the two, never negative; euros, arrays of shape (n,)."""
    return numpy.maximum(numpy.minimum(perte, plafond), 0)


def meilleur_regime(entreprise, period, parameters, *regimes):
    """Best amount among the regimes open to each enterprise, 0 where none is.

    No text says which regime comes first; the administration let the enterprise take the best. A switch
    (``pluralite_des_regimes.ordre_du_texte``) pays the first open regime of the article instead.

    Args:
        entreprise: population of n enterprises.
        period: month (Period).
        parameters: parameters at a date, as given to a formula.
        *regimes: pairs (condition, amount) of names of variables, in the order of the text.

    Returns:
        float64 array of shape (n,), euros.

    """
    ordre_du_texte = parameters(period).fonds_de_solidarite.pluralite_des_regimes.ordre_du_texte
    resultat = numpy.zeros(entreprise.count)
    libre = numpy.ones(entreprise.count, dtype=bool)
    for condition, montant in regimes:
        ouvert = entreprise(condition, period)
        rangs = numpy.flatnonzero(ouvert & libre)  # a regime is open to few
        resultat[rangs] = numpy.maximum(resultat[rangs], entreprise(montant, period)[rangs])
        if ordre_du_texte:
            libre = libre & ~ouvert
    return resultat
