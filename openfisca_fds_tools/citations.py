"""What a dated value cites: one reference for each article that reads it, and how far each one is known.

A reference is ``{title, href}``, with a ``confiance`` of its own where the article is better or less well known than
the value. Its title names one article; that of an annex, of a decision or of article 1er holds for every article.
"""

import re

from openfisca_fds.references import DECRET

CITEE = re.compile(r"(Décret n° [^,]+), art\. (\d+(?:-\d+)?)(?=,| \(|$)")
CONFIANCES = "TSM"  # official text read, secondary source, memory: from the surest to the least
# The article that sets the amount, by the one that sets the conditions.
MONTANTS = {"2": "3", "3-1": "3-2", "3-3": "3-4", "3-5": "3-6", "3-8": "3-9"}
CONDITIONS = {montant: conditions for conditions, montant in MONTANTS.items()}


def references(metadonnees):
    """List the references of a dated value.

    Args:
        metadonnees: metadata of the value, or of the parameter; None for none.

    Returns:
        List of ``{title, href}``, some with ``confiance``; ``href`` may be missing.
    """
    toutes = (metadonnees or {}).get("reference") or []
    toutes = toutes if isinstance(toutes, list) else [toutes]
    return [une if isinstance(une, dict) else {"title": str(une)} for une in toutes]


def article_cite(titre):
    """Give the (decree, number) of the article that a title cites; None if it names none."""
    trouve = CITEE.match(titre)
    return (trouve[1], trouve[2]) if trouve else None


def de_l_article(toutes, article, decret=DECRET):
    """Keep the references to an article, or to the one that sets its amount; those of no article if there is none.

    Args:
        toutes: references.
        article: number of an article, that of its conditions; None for any of the decree.
        decret: name of the decree.

    Returns:
        List of references, empty when every one is to other articles.
    """
    voulus = {(decret, article), (decret, MONTANTS.get(article, article))}
    cites = [(une, article_cite(une["title"])) for une in toutes]
    siennes = [une for une, cite in cites if cite and (cite in voulus or (article is None and cite[0] == decret))]
    return siennes or [une for une, cite in cites if cite is None]


def droit(article):
    """Name the variable of the monthly right of an article of the decree, from its number."""
    return f"fds_article_{CONDITIONS.get(article, article).replace('-', '_')}_eligible"


def comme_a(titre):
    """Say of a reference that it is to another article than the one explained, which has the same threshold."""
    return titre.replace(f"{DECRET}, art. ", "même seuil qu'à l'art. ", 1)


def confiance(metadonnees, retenues=()):
    """Give the least confidence of some references, each its own if it has one, else that of the value.

    Args:
        metadonnees: metadata of the value.
        retenues: references of it.

    Returns:
        T, S or M; that of the value without reference; None if it has none.
    """
    commune = (metadonnees or {}).get("confiance")
    return moindre(une.get("confiance", commune) for une in retenues) if retenues else commune


def moindre(confiances):
    """Give the least of some confidences, None left out; None when there is none."""
    return max((une for une in confiances if une), key=CONFIANCES.index, default=None)


def dans_l_article(metadonnees, article, decret=DECRET):
    """Give the confidence in a value as an article says it (see :func:`de_l_article`)."""
    return confiance(metadonnees, de_l_article(references(metadonnees), article, decret))
