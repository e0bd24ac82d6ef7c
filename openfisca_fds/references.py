"""The texts, named once."""

DECRET = "Décret n° 2020-371 du 30 mars 2020"
DECRET_DISCOTHEQUES = "Décret n° 2020-1049 du 14 août 2020"
DECRET_MULTI_ACTIVITES = "Décret n° 2021-960 du 20 juillet 2021"
DECRET_COMPLEMENT = "Décret n° 2021-1582 du 7 décembre 2021"
