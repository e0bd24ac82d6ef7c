"""Of all the changes that the model was asked about, those worth telling: what would have given more."""

import itertools

from .changements import DECIMALES_DU_COUT, cout
from .essais import AU_MAXIMUM_DES_ARTICLES, CHIFFRE_D_AFFAIRES, facilite

UN_CENTIME, PRESQUE_RIEN = 0.01, 2  # euros
CALCULEE = "fds_"  # how the law begins the names of what it works out
COMPLEMENT = "fds_complement_2021_1582"  # paid over and above the article


def meilleur(articles, autres):
    """Article, or other text paid instead of one, with the greatest amount; None if nothing is due."""
    payeurs = [*articles, *(autre for autre in autres if autre.variable_montant in AU_MAXIMUM_DES_ARTICLES)]
    return max((un for un in payeurs if un.montant > 0), key=lambda un: un.montant, default=None)


def conseils(explication):
    """List what would have given more, nearest first: lists of rights that the same changes open.

    Each change alone that does, the nearest of its kind; when none does, the changes that an article asks together,
    the fewest first. Those of what the enterprise is, only when nothing is paid and nothing else would open a right.

    Returns:
        List of lists of Ouverture or Article.
    """
    possibles = explication.leviers or _ensemble(explication)
    return [list(memes) for _, memes in itertools.groupby(possibles, key=lambda un: _ce_qui_change(un.changements))]


def plus_proche(explication):
    """First of the Ouverture or Article that would have given more; None if none does."""
    return next((un for memes in conseils(explication) for un in memes), None)


def conseille(explication, article):
    """Tell whether the head of the page says what would have given more by an article."""
    return any(un.variable_montant == article.variable_montant for memes in conseils(explication) for un in memes)


def leviers(explication, ouvertures):
    """Keep of the changes made alone that give more the nearest of each kind, and all the rights that it opens.

    What gives next to nothing is a kind apart: it does not hide a threshold further on.

    Args:
        explication: Explication.
        ouvertures: list of Ouverture.

    Returns:
        List of Ouverture, the nearest first, the rights that a change opens one after the other.
    """
    seules = [une for une in ouvertures if len(une.changements) == 1 and ajoute(explication, une)]
    par_genre = {}
    for une in seules:
        if not autre_etat(une):
            par_genre.setdefault(_genre(explication, une), []).append(une)
    return sorted((une for memes in par_genre.values() for une in _les_plus_proches(memes)), key=proximite)


def _genre(explication, une):
    """Name the kind of a change made alone: what changes, and when.

    Less turnover of any other time is one kind, a past loss; and so is an aid, that any month would do for.
    """
    (changement,) = une.changements
    quoi, periode = changement.variable, changement.periode
    if quoi.startswith(CHIFFRE_D_AFFAIRES) and periode != explication.periode and changement.sens == "au plus":
        quoi, periode = CHIFFRE_D_AFFAIRES, None
    elif quoi.startswith(CALCULEE):
        periode = None
    return quoi, periode, une.montant_si_change < PRESQUE_RIEN


def _les_plus_proches(memes):
    """Keep of a kind the smallest change, and of the rights that it opens the first of each."""
    premiere = min(memes, key=_ecart)
    ouvertes = {}
    for une in sorted(memes, key=_ecart):
        if _ce_qui_change(une.changements) == _ce_qui_change(premiere.changements):
            ouvertes.setdefault(une.variable_montant, une)
    return list(ouvertes.values())


def _ecart(ouverture):
    (changement,) = ouverture.changements
    return changement.ecart or 0, *proximite(ouverture)


def _ensemble(explication):
    """List the rights whose changes, made together, are the nearest."""
    declares = [autre for autre in explication.autres if autre.declaree]
    possibles = [un for un in (*explication.articles, *declares) if un.changements and ajoute(explication, un)]
    reels = [un for un in possibles if not autre_etat(un)]
    retenus = sorted(reels if reels or explication.montant > 0 else possibles, key=proximite)
    return [article for article in retenus if _facilite(article) == _facilite(retenus[0])]


def proximite(ouverture):
    """Order of what would give more: the fewest changes, the nearest, then the best."""
    return *_facilite(ouverture), _ce_qui_change(ouverture.changements), -ouverture.montant_si_change


def _facilite(ouverture):
    return *facilite(ouverture.changements), round(cout(ouverture.changements), DECIMALES_DU_COUT)


def _ce_qui_change(changements):
    return tuple((un.libelle, un.sens, str(un.requis)) for un in changements)


def autre_etat(ouverture):
    """Tell whether changes would make another enterprise: its activity, its territory, its form, its creation."""
    return any(changement.activite for changement in ouverture.changements)


def ajoute(explication, ouverture):
    """Tell whether changes would by their right pay more than what is paid, or than a request would pay.

    What the other texts would no longer pay counts.
    """
    if ouverture.gain_si_change <= -UN_CENTIME or (explication.demande and ouverture.gain_si_change < UN_CENTIME):
        return False
    if ouverture.aide_si_change is None:
        return ouverture.montant_si_change >= ouverture.montant + UN_CENTIME
    if not explication.demande:
        due = meilleur(explication.articles, explication.autres)
        return ouverture.montant_si_change > (due.montant if due else 0)
    complete = ouverture.variable_montant == COMPLEMENT
    propre = ouverture.aide_si_change if complete else ouverture.montant_si_change
    return min(propre, ouverture.aide_si_change) >= explication.montant + UN_CENTIME
