"""Aggregates in the form of the DGFiP open data, so that official tables and ours lie side by side.

Same columns and codes; as in the published files, a cell of two enterprises or fewer is withheld.
"""

import polars as pl

from .aggregates import arrondi
from .taxonomies import LIBELLES_EFFECTIF, LIBELLES_REGIONS, LIBELLES_SECTIONS, region

SECRET = 2  # enterprises of the sample (not their weight) up to which a cell is withheld

_AXES = {  # axis -> (part of the file name, column of the code, column of the label, labels)
    "section": ("naf", "code_section", "libelle_section", LIBELLES_SECTIONS),
    "classe_effectif": ("classe-effectif", "classe_effectif", "libelle_classe_effectif", LIBELLES_EFFECTIF),
}


def tables(cases: dict[tuple, list[int]], tbs) -> dict[str, pl.DataFrame]:
    """Tables by département and by region, for each axis.

    Args:
        cases: (axis, département, code) -> exact number of aids, of enterprises aided at least once, euros, and
            number of rows.
        tbs: tax-benefit system, for the names of the départements.

    Returns:
        File name -> table; counts are rounded to the unit, amounts to the cent.
    """
    noms = {str(d.name): d.value for d in tbs.variables["departement"].possible_values}
    fichiers = {}
    for axe, (fichier, code, libelle, libelles) in _AXES.items():
        for maille in ("departemental", "regional"):
            sommes = {}
            for (axe_de_la_case, departement, valeur), mesures in cases.items():
                if axe_de_la_case == axe:
                    cle = (region(departement), departement if maille == "departemental" else "", valeur)
                    anciennes = sommes.get(cle, [0] * len(mesures))
                    sommes[cle] = [a + m for a, m in zip(anciennes, mesures, strict=True)]
            lignes = [
                {
                    "dispositif": "Fonds de solidarité",
                    "volet": "VOLET1",
                    "nombre_aides": round(arrondi(aides, 6)),
                    "nombre_entreprises": round(arrondi(entreprises, 6)),
                    "montant_total": f"{arrondi(montant, 2):.2f}",
                    "reg": reg,
                    "libelle_region": LIBELLES_REGIONS.get(reg, ""),
                    **({"dep": dep, "libelle_departement": noms[dep]} if dep else {}),
                    code: valeur,
                    libelle: libelles.get(valeur, ""),
                }
                for (reg, dep, valeur), (aides, entreprises, montant, rangees) in sorted(sommes.items())
                if rangees > SECRET
            ]
            fichiers[f"fonds-solidarite-volet-1-{maille}-{fichier}.csv"] = pl.DataFrame(lignes)
    return fichiers
