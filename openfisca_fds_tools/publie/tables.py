"""Loaders of the published figures: one function per table, read once per process."""

from functools import cache
from importlib import resources

import polars as pl

AXES = ("section", "region", "departement", "classe_effectif", "forme_juridique")
DATE_DES_MARGES = "2022-06-24"  # last snapshot of the open data
PREMIER_FLUX = ("2020-04", "2020-05")  # months that the first line of the flows holds together

_MESURES = {"nombre_aides": "aides", "nombre_entreprises": "entreprises", "montant_total": "montant"}
_FICHIERS = {  # axis -> file of the open data, its column of codes, its column of labels
    "section": ("naf", "code_section", "libelle_section"),
    "region": ("naf", "reg", "libelle_region"),
    "classe_effectif": ("classe-effectif", "classe_effectif", "libelle_classe_effectif"),
    "forme_juridique": ("categorie-juridique", "code_categorie_juridique", "libelle_categorie_juridique"),
}
_CODES = ("reg", "departement", "section", "classe_effectif", "forme_juridique", "code_categorie_juridique")


@cache
def _lire(nom: str) -> pl.DataFrame:
    """Read one file of ``donnees/``; codes stay texts, everything else is inferred from all its lines."""
    with resources.as_file(resources.files(__package__) / "donnees" / nom) as chemin:
        colonnes = pl.read_csv(chemin, n_rows=0).columns
        codes = {code: pl.String for code in _CODES if code in colonnes}
        return pl.read_csv(chemin, schema_overrides=codes, infer_schema_length=None)


def cibles_par_mois_aide() -> pl.DataFrame:
    """Give what volet 1 is believed to have paid for each month of aid: a judgement with bounds, not a statistic.

    Returns:
        20 rows: premier_mois, dernier_mois (equal, save the last row, October 2021 – February 2022), cible, bas, haut
        (euros), aides (approximate number), fondement (what the judgement rests on).
    """
    return _lire("cibles_par_mois_aide.csv").with_columns(pl.col("cible", "bas", "haut", "aides").cast(pl.Float64))


def chiffres_officiels() -> pl.DataFrame:
    """Give the few figures that the administration gave by month of aid.

    Returns:
        premier_mois, dernier_mois, date_constat, montant (euros), nombre (enterprises or aids: see nature), moyenne
        (euros), nature, source, comparable (false for forecasts, requests, and payments counted too early to be whole);
        a figure not given is null.
    """
    return _lire("chiffres_officiels.csv").with_columns(pl.col("montant", "nombre", "moyenne").cast(pl.Float64))


def fenetres_de_formulaire() -> pl.DataFrame:
    """Give what was paid between the opening of one month's form and that of the next.

    Returns:
        19 rows: mois_aide (the last one and the following months), debut, fin_exclue (« AAAA-MM-JJ »), montant
        (euros), aides, serie. Late payments of earlier months are in it: within some 30 % of the month's aid.
    """
    return _lire("fenetres_de_formulaire.csv").with_columns(pl.col("montant", "aides").cast(pl.Float64))


def paiements_par_mois() -> pl.DataFrame:
    """Give payments by calendar month, from the differences of the published totals.

    Returns:
        27 rows, April 2020 – June 2022: mois, dernier_releve (date of the snapshot), volet_1, volet_2, hors_volets
        (other schemes paid through the same pipe, mostly « coûts fixes » from April 2021, and what has no region),
        total (euros), aides_volet_1, aides. In April and May 2020 all was volet 1, and is counted so.
    """
    paiements = _lire("paiements_par_mois.csv")
    return paiements.with_columns(
        pl.col("volet_1").fill_null(pl.col("total")),
        pl.col("aides_volet_1").fill_null(pl.col("aides")),
        pl.col("volet_2", "hors_volets").fill_null(0.0),
    ).with_columns(pl.col("aides", "aides_volet_1").cast(pl.Float64))


def paiements_par_mois_et(axe: str) -> pl.DataFrame:
    """Give payments of volet 1 by calendar month and section, or legal form.

    Args:
        axe: « section » or « forme_juridique » (the first two digits of the legal category).

    Returns:
        mois, code, aides, montant (euros). The row « 2020-05 » holds April and May (``PREMIER_FLUX``). Corrections
        make a few small negative flows.

    Raises:
        ValueError: no such table.
    """
    if axe not in ("section", "forme_juridique"):
        raise ValueError(f"Pas de paiements mensuels par « {axe} » : section ou forme_juridique.")
    flux = _lire(f"paiements_par_mois_{axe}.csv").rename({axe: "code"})
    return flux.with_columns(pl.col("aides", "montant").cast(pl.Float64))


def marge(axe: str, volet: int = 1) -> pl.DataFrame:
    """Give the whole of what a volet paid, by one axis, at the last snapshot (``DATE_DES_MARGES``).

    Args:
        axe: one of ``AXES``. Size classes leave out most sole proprietors (29 % of the euros of volet 1).
        volet: 1 or 2; départements exist for volet 1 alone.

    Returns:
        code, libelle, aides, entreprises, montant (euros), in the order of the codes. Cells of two enterprises or
        fewer are withheld by the publisher, so totals differ a little between axes; by section, enterprises are
        counted once per NAF division.

    Raises:
        ValueError: no such table.
    """
    if axe not in AXES or volet not in (1, 2) or (axe, volet) == ("departement", 2):
        raise ValueError(f"Pas de marge publiée par « {axe} » pour le volet {volet}.")
    if axe == "departement":
        cumul = departement_section_par_trimestre().filter(pl.col("date") == DATE_DES_MARGES)
        return _sommes(cumul.rename({"departement": "code"}).with_columns(libelle=pl.lit(None, pl.String)))
    fichier, code, libelle = _FICHIERS[axe]
    return _sommes(_ouvert(volet, fichier).rename({code: "code", libelle: "libelle"}))


def region_section(volet: int = 1) -> pl.DataFrame:
    """Give the whole of what a volet paid by region and section: columns region, section, then as ``marge``."""
    lignes = _ouvert(volet, "naf").rename({"reg": "region", "code_section": "section"})
    return lignes.select("region", "section", *_MESURES.values()).sort("region", "section")


def departement_section_par_trimestre() -> pl.DataFrame:
    """Give cumulated payments of volet 1 by département and section, at the ends of quarters.

    Returns:
        date (« AAAA-MM-JJ » of the snapshot, ten of them), departement, section, aides, entreprises (null before
        2021), montant (euros), all three counted since April 2020.
    """
    cumul = _lire("cumul_departement_section.csv")
    return cumul.with_columns(pl.col("aides", "entreprises", "montant").cast(pl.Float64))


def _ouvert(volet: int, fichier: str) -> pl.DataFrame:
    """Read a regional file of the open data, its measures renamed."""
    lignes = _lire(f"fonds-solidarite-volet-{volet}-regional-{fichier}.csv").rename(_MESURES)
    return lignes.with_columns(pl.col(*_MESURES.values()).cast(pl.Float64))


def _sommes(lignes: pl.DataFrame) -> pl.DataFrame:
    sommes = lignes.group_by("code", "libelle").agg(pl.sum(*_MESURES.values())).sort("code")
    return sommes.with_columns(pl.col("montant").round(2))  # whatever the order of the additions
