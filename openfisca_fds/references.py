"""The texts, named once."""

DECRET = "Décret n° 2020-371 du 30 mars 2020"
DECRET_DISCOTHEQUES = "Décret n° 2020-1049 du 14 août 2020"
DECRET_MULTI_ACTIVITES = "Décret n° 2021-960 du 20 juillet 2021"
DECRET_COMPLEMENT = "Décret n° 2021-1582 du 7 décembre 2021"


def aux_articles(articles):
    """List the references of a condition that several articles write.

    Args:
        articles: numbers and paragraphs as the decree cites them, in the order of the months, separated by « ; »:
            ``"2, 2° ; 3-7, I, 2°"``.

    Returns:
        list of str, one per article.

    """
    return [f"{DECRET}, art. {article}" for article in articles.split(" ; ")]
