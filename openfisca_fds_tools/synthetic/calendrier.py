"""Who was closed, locked down or under curfew, by activity, territory and month, from the sourced calendar.

The three CSV files of ``donnees/calendrier/`` are read as their notice says: only total closures count, a line
``METROPOLE`` holds for the 96 mainland départements and never overseas, and September 2020 counts from the 25th.
"""

from functools import cache

import numpy
import polars

from .hypotheses import CODES_NAF, DEPARTEMENTS, MOIS_AIDE, cumulees, table

PREMIER_JOUR = numpy.datetime64("2020-03-01")
DERNIER_JOUR = numpy.datetime64("2022-02-28")
JOURS = numpy.arange(PREMIER_JOUR, DERNIER_JOUR + 1)
RANG_MOIS = JOURS.astype("datetime64[M]").astype(int) - PREMIER_JOUR.astype("datetime64[M]").astype(int)
JOURS_PAR_MOIS = numpy.bincount(RANG_MOIS)
# The decree counts the closures of September 2020 from the 25th on (article 3-10).
HORS_CHAMP = numpy.isin(JOURS, numpy.arange("2020-09-01", "2020-09-25", dtype="datetime64[D]"))
CENTRE_COMMERCIAL = "Commerces en centre commercial de "
SANS_FERMETURE = "aucune"


@cache
def _fermetures():
    totales = polars.col("nature") == "totale"
    return table("calendrier/fermetures_activites.csv").filter(totales)


def _calendrier(lignes):
    """Return the closed days of the lines given, by département: booleans (107, days)."""
    fermes = numpy.zeros((len(DEPARTEMENTS), len(JOURS)), dtype=bool)
    metropole = numpy.array([len(code) == 2 for code in DEPARTEMENTS])
    for territoire, debut, fin in lignes.select("territoire", "debut", "fin").iter_rows():
        concernes = metropole if territoire == "METROPOLE" else numpy.array(DEPARTEMENTS) == territoire
        jours = (numpy.datetime64(debut) <= JOURS) & (numpy.datetime64(fin) >= JOURS)
        fermes |= concernes[:, None] & jours
    return fermes & ~HORS_CHAMP


@cache
def activites_fermees():
    """Names of the activities that the calendar closes, shopping centres apart; the first one is « aucune »."""
    noms = _fermetures()["activite"].unique(maintain_order=True).to_list()
    return (SANS_FERMETURE, *(nom for nom in noms if not nom.startswith(CENTRE_COMMERCIAL)))


@cache
def seuils_centres_commerciaux():
    """Surfaces (m²) from which the calendar closes the shops of a shopping centre, ascending."""
    noms = _fermetures()["activite"].unique()
    return numpy.array(
        sorted(int("".join(c for c in nom if c.isdecimal())) for nom in noms if nom.startswith(CENTRE_COMMERCIAL))
    )


@cache
def naf_de_centre_commercial():
    """Booleans (732,): the activity closes with the shopping centre that houses it."""
    lignes = table("calendrier/fermetures_activites.csv").filter(
        polars.col("activite").str.starts_with(CENTRE_COMMERCIAL)
    )
    codes = {code for valeur in lignes["naf_codes"].unique() for code in valeur.split(";")}
    return numpy.array([code in codes for code in CODES_NAF])


@cache
def cumul_fermetures():
    """Cumulative shares of the enterprises of a NAF code that each closed activity concerns: (732, activities)."""
    rangs = {nom: rang for rang, nom in enumerate(activites_fermees())}
    codes = {code: rang for rang, code in enumerate(CODES_NAF)}
    parts = numpy.zeros((len(codes), len(rangs)))
    for ligne in table("fermetures.csv").iter_rows(named=True):
        parts[codes[ligne["code_naf"]], rangs[ligne["activite"]]] = ligne["part"]
    parts[:, 0] = 1 - parts[:, 1:].sum(axis=1)
    return cumulees(parts)


@cache
def vente_a_distance():
    """Share of closed enterprises without distance sales, and mean share of turnover of the others: (732,) twice."""
    lignes = table("fermetures.csv").unique("code_naf", keep="first").rows_by_key("code_naf", named=True, unique=True)
    nulle = numpy.array([lignes[code]["vad_nulle"] if code in lignes else 1 for code in CODES_NAF])
    moyenne = numpy.array([lignes[code]["vad_moyenne"] if code in lignes else 0 for code in CODES_NAF])
    return nulle, moyenne


@cache
def table_interdictions():
    """Days of closure to the public: (activities, 1 + shopping-centre thresholds, 107, 24), uint8."""
    lignes = _fermetures()
    par_activite = [_calendrier(lignes.filter(polars.col("activite") == nom)) for nom in activites_fermees()]
    centre = numpy.zeros_like(par_activite[0])
    centres = [centre]
    for seuil in seuils_centres_commerciaux():
        nom = polars.col("activite").str.replace_all(r"\D", "") == str(seuil)
        du_seuil = lignes.filter(polars.col("activite").str.starts_with(CENTRE_COMMERCIAL) & nom)
        centre = centre | _calendrier(du_seuil)
        centres.append(centre)
    bornes = numpy.searchsorted(RANG_MOIS, numpy.arange(len(MOIS_AIDE)))
    return numpy.array(
        [[numpy.add.reduceat(activite | c, bornes, axis=1, dtype=int) for c in centres] for activite in par_activite],
        dtype=numpy.uint8,
    )


@cache
def jours_de_mesures(nom):
    """Days of ``jours_confinement`` or ``jours_couvre_feu_ou_confinement``: (107, 24), int."""
    lignes = table("calendrier/jours_par_mois.csv").pivot("mois", index="territoire", values=nom)
    rangees = polars.DataFrame({"territoire": DEPARTEMENTS}).join(
        lignes, on="territoire", how="left", maintain_order="left"
    )
    return rangees.select(MOIS_AIDE).to_numpy().astype(int)
