"""What was published about the money really paid, shipped with the package, as Polars tables.

Amounts are in euros, months are « AAAA-MM » texts, codes are those of the open data. Sources, dates and licence:
``donnees/LISEZMOI.md``.
"""

from .tables import (
    AXES,
    DATE_DES_MARGES,
    PREMIER_FLUX,
    chiffres_officiels,
    cibles_par_mois_aide,
    departement_section_par_trimestre,
    fenetres_de_formulaire,
    marge,
    paiements_par_mois,
    paiements_par_mois_et,
    region_section,
)

__all__ = [
    "AXES",
    "DATE_DES_MARGES",
    "PREMIER_FLUX",
    "chiffres_officiels",
    "cibles_par_mois_aide",
    "departement_section_par_trimestre",
    "fenetres_de_formulaire",
    "marge",
    "paiements_par_mois",
    "paiements_par_mois_et",
    "region_section",
]
