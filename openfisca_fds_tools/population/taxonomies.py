"""Codes of the DGFiP open data: NAF sections, regions of the départements, size classes (Insee)."""

# First division of each section and its label (NAF rév. 2)
_SECTIONS = (
    (1, "A", "Agriculture, sylviculture et pêche"),
    (5, "B", "Industries extractives"),
    (10, "C", "Industrie manufacturière"),
    (35, "D", "Production et distribution d'électricité, de gaz, de vapeur et d'air conditionné"),
    (36, "E", "Production et distribution d'eau ; assainissement, gestion des déchets et dépollution"),
    (41, "F", "Construction"),
    (45, "G", "Commerce"),
    (49, "H", "Transports et entreposage"),
    (55, "I", "Hébergement et restauration"),
    (58, "J", "Information et communication"),
    (64, "K", "Activités financières et d'assurance"),
    (68, "L", "Activités immobilières"),
    (69, "M", "Activités spécialisées, scientifiques et techniques"),
    (77, "N", "Activités de services administratifs et de soutien"),
    (84, "O", "Administration publique"),
    (85, "P", "Enseignement"),
    (86, "Q", "Santé humaine et action sociale"),
    (90, "R", "Arts, spectacles et activités récréatives"),
    (94, "S", "Autres activités de services"),
    (97, "T", "Activités des ménages"),
    (99, "U", "Activités extra-territoriales"),
)
LIBELLES_SECTIONS = {code: libelle for _, code, libelle in _SECTIONS}

_REGIONS = {  # code, label, départements
    "01": ("Guadeloupe", "971"),
    "02": ("Martinique", "972"),
    "03": ("Guyane", "973"),
    "04": ("La Réunion", "974"),
    "06": ("Mayotte", "976"),
    "11": ("Île-de-France", "75 77 78 91 92 93 94 95"),
    "24": ("Centre-Val de Loire", "18 28 36 37 41 45"),
    "27": ("Bourgogne-Franche-Comté", "21 25 39 58 70 71 89 90"),
    "28": ("Normandie", "14 27 50 61 76"),
    "32": ("Hauts-de-France", "02 59 60 62 80"),
    "44": ("Grand Est", "08 10 51 52 54 55 57 67 68 88"),
    "52": ("Pays de la Loire", "44 49 53 72 85"),
    "53": ("Bretagne", "22 29 35 56"),
    "75": ("Nouvelle-Aquitaine", "16 17 19 23 24 33 40 47 64 79 86 87"),
    "76": ("Occitanie", "09 11 12 30 31 32 34 46 48 65 66 81 82"),
    "84": ("Auvergne-Rhône-Alpes", "01 03 07 15 26 38 42 43 63 69 73 74"),
    "93": ("Provence-Alpes-Côte d'Azur", "04 05 06 13 83 84"),
    "94": ("Corse", "2A 2B"),
}
LIBELLES_REGIONS = {code: libelle for code, (libelle, _) in _REGIONS.items()}
_REGION_DU_DEPARTEMENT = {dep: code for code, (_, deps) in _REGIONS.items() for dep in deps.split()}

BORNES_EFFECTIF = (1, 3, 6, 10, 20, 50, 100, 200, 250, 500, 1_000, 2_000, 5_000, 10_000)
CLASSES_EFFECTIF = ("00", "01", "02", "03", "11", "12", "21", "22", "31", "32", "41", "42", "51", "52", "53")
LIBELLES_EFFECTIF = dict(
    zip(
        CLASSES_EFFECTIF,
        (
            "0 salarié",
            "1 ou 2 salariés",
            "3 à 5 salariés",
            "6 à 9 salariés",
            "10 à 19 salariés",
            "20 à 49 salariés",
            "50 à 99 salariés",
            "100 à 199 salariés",
            "200 à 249 salariés",
            "250 à 499 salariés",
            "500 à 999 salariés",
            "1 000 à 1 999 salariés",
            "2 000 à 4 999 salariés",
            "5 000 à 9 999 salariés",
            "10 000 salariés et plus",
        ),
        strict=True,
    )
)


def section(code_naf: str) -> str:
    """Section (A to U) of a NAF code, empty when the activity is unknown."""
    division = code_naf[:2]
    if not division.isdigit():
        return ""
    return next(code for premiere, code, _ in reversed(_SECTIONS) if premiere <= int(division))


def region(departement: str) -> str:
    """Code of the region of a département, empty for the overseas collectivities that belong to none."""
    return _REGION_DU_DEPARTEMENT.get(departement, "")
