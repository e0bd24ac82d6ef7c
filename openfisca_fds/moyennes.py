"""Monthly means and scaling of turnover, as every text of the fund asks for them."""

import numpy

from openfisca_fds.amounts import epoussete, quotient
from openfisca_fds.periodes import part_du_mois, premier_jour


def total(entreprise, mois):
    """Turnover of a list of months, to the float nearest to the exact sum of cents; euros, shape (n,)."""
    return epoussete(sum(entreprise("chiffre_affaires", un_mois) for un_mois in mois))


def mensuel_moyen(entreprise, mois):
    """Mean monthly turnover over a list of months, from the creation on.

    Args:
        entreprise: population of n enterprises.
        mois: list of monthly Period, in order.

    Returns:
        float64 array of shape (n,), euros: turnover since creation / months of existence, the month of creation
        counted for (remaining days, creation included) / (days of the month); 0 for an enterprise created later.

    """
    realise, duree = depuis_la_creation(entreprise, mois)
    return quotient(epoussete(realise), duree)


def depuis_la_creation(entreprise, mois):
    """Turnover since the creation and months of existence, over a list of months.

    Args:
        entreprise: population of n enterprises.
        mois: list of monthly Period, in order.

    Returns:
        pair of float64 arrays of shape (n,): euros, and months, the month of creation counted for its share.

    """
    chiffres = [entreprise("chiffre_affaires", un_mois) for un_mois in mois]
    realise, duree = sum(chiffres), numpy.full(entreprise.count, float(len(mois)))
    creation = entreprise("date_creation", mois[0])
    recentes = numpy.flatnonzero(creation > premier_jour(mois[0]))  # the others exist during every month
    if len(recentes):
        parts = [part_du_mois(creation[recentes], un_mois) for un_mois in mois]
        realise[recentes] = sum(c[recentes] * (part > 0) for c, part in zip(chiffres, parts, strict=True))
        duree[recentes] = sum(parts)
    return realise, duree


def ramene_sur_un_mois(entreprise, mois):
    """Turnover of a month × days of the month / days of activity, creation included; euros, shape (n,)."""
    creation = entreprise("date_creation", mois)
    return quotient(entreprise("chiffre_affaires", mois), part_du_mois(creation, mois))
