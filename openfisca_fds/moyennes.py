"""Monthly means and scaling of turnover, as every text of the fund asks for them."""

from openfisca_fds.amounts import epoussete, quotient
from openfisca_fds.periodes import part_du_mois


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
    creation = entreprise("date_creation", mois[0])
    realise, duree = 0, 0
    for un_mois in mois:
        part = part_du_mois(creation, un_mois)
        realise = realise + entreprise("chiffre_affaires", un_mois) * (part > 0)
        duree = duree + part
    return quotient(epoussete(realise), duree)


def ramene_sur_un_mois(entreprise, mois):
    """Turnover of a month × days of the month / days of activity, creation included; euros, shape (n,)."""
    creation = entreprise("date_creation", mois)
    return quotient(entreprise("chiffre_affaires", mois), part_du_mois(creation, mois))
