"""Tables of a comparison: costs, articles, winners and losers, deciles, uncertainty of the sample."""

from pathlib import Path

import numpy
import polars as pl

from openfisca_fds_tools.population import aggregates, model
from openfisca_fds_tools.population.aggregates import arrondi

CENTIME = 0.005  # below, an enterprise neither gains nor loses
DECILES = 10
NIVEAU = 0.95
_LIGNES_DE_TIRAGE = 200_000_000  # Poisson draws at most at a time, over blocks of replicates


def part(dossier: Path, numero: int, nom: str) -> Path:
    """Path of the part that a block writes."""
    return dossier / f"bloc-{numero:06d}-{nom}"


def lire(dossier: Path, nom: str) -> pl.DataFrame:
    """Parts of every block, in their order; empty when there is none."""
    parts = sorted(dossier.glob(f"bloc-*-{nom}"))
    return pl.concat([pl.read_parquet(p) for p in parts]) if parts else pl.DataFrame()


def nommer(ecarts: pl.DataFrame, noms: list[str]) -> pl.DataFrame:
    """Individual differences with the names of the reforms instead of their ranks."""
    types = (
        dict.fromkeys(("id", "groupe"), pl.String)
        | {"poids": pl.Float64}
        | dict.fromkeys(("mois", "reforme"), pl.String)
    )
    types |= dict.fromkeys(("avant", "apres", "ecart"), pl.Float64)
    if ecarts.is_empty():
        return pl.DataFrame(schema=types)
    return ecarts.with_columns(pl.col("reforme").replace_strict(dict(enumerate(noms)), return_dtype=pl.String)).select(
        list(types)
    )


def colonne(rang: int) -> str:
    """Name of the column of a reform in the table of enterprises."""
    return f"apres_{rang + 1}"


# ---- sums ----


def _reunir(morceaux: list[list[dict]], nombre: int) -> list[dict]:
    """Add the exact cells of blocks, law by law."""
    reunis = [{} for _ in range(nombre)]
    for lois in morceaux:
        for rang, cases in enumerate(lois):
            for cle, mesures in cases.items():
                aggregates.ajouter(reunis[rang], cle, mesures if isinstance(mesures, list) else [mesures])
    return reunis


def couts(plan, cases: list[list[dict]], noms: list[str]) -> pl.DataFrame:
    """Cost by month and dimensions of the law and of each reform, euros; ``mois`` is null for the aids due once."""
    lois = _reunir(cases, len(noms) + 1)
    uniques = {aide.article for aide in plan.base.aides if not aide.mensuelle}
    dimensions = [d.nom for d in plan.base.dimensions]
    compte = [_total_par_case(loi, uniques) for loi in lois]
    cles = sorted(set().union(*compte), key=lambda cle: (cle[0] or "~", *cle[1:]))
    zero = [0, 0]
    lignes = []
    for rang, nom in enumerate(noms, start=1):
        for cle in cles:
            (aidees, avant), (aidees_apres, apres) = compte[0].get(cle, zero), compte[rang].get(cle, zero)
            euros = [arrondi(v, 2) for v in (avant, apres, apres - avant)]
            lignes.append([cle[0] or None, *cle[1:], nom, *euros, arrondi(aidees, 6), arrondi(aidees_apres, 6)])
    textes = ["mois", *dimensions, "reforme"]
    nombres = ["avant", "apres", "ecart", "aidees_avant", "aidees_apres"]
    schema = dict.fromkeys(textes, pl.String) | dict.fromkeys(nombres, pl.Float64)
    return pl.DataFrame(lignes, schema=schema, orient="row")


def _total_par_case(cases: dict, uniques: set[str]) -> dict:
    """Aided enterprises and euros by (month, dimensions): the total of the month, or the sum of the aids due once."""
    totaux = {}
    for (mois, article, *dimensions), (_, aidees, montant) in cases.items():
        if article == model.TOTAUX[1] or article in uniques:
            aggregates.ajouter(totaux, (mois, *dimensions), [aidees, montant])
    return totaux


def articles(plan, payes: list[list[dict]], noms: list[str]) -> pl.DataFrame:
    """Euros paid under each article, by month; differences add up to the total difference."""
    lois = _reunir(payes, len(noms) + 1)
    rangs = {aide.article: rang for rang, aide in enumerate(plan.base.aides)}
    cles = sorted(set().union(*lois), key=lambda cle: (cle[0] or "~", rangs.get(cle[1], len(rangs))))
    lignes = [
        [*cle, nom, *(arrondi(v, 2) for v in (avant, apres, apres - avant))]
        for rang, nom in enumerate(noms, start=1)
        for cle in cles
        for avant, apres in [(lois[0].get(cle, [0])[0], lois[rang].get(cle, [0])[0])]
    ]
    schema = dict.fromkeys(("mois", "article", "reforme"), pl.String)
    schema |= dict.fromkeys(("avant", "apres", "ecart"), pl.Float64)
    return pl.DataFrame(lignes, schema=schema, orient="row")


def variables(plan, changees: list[list[dict]], noms: list[str]) -> pl.DataFrame:
    """Variables whose value is not that of the law, conditions first, the most changed first.

    ``lignes`` counts rows of the file and months, without weights.
    """
    lois = _reunir([[{cle: [n] for cle, n in loi.items()} for loi in bloc] for bloc in changees], len(noms))
    lignes = []
    for nom, loi in zip(noms, lois, strict=True):
        for variable, (nombre,) in loi.items():
            connue = plan.base.tbs.variables[variable]
            nature = "condition" if connue.value_type is bool else "montant"
            lignes.append([nom, variable, connue.label, nature, nombre])
    schema = dict.fromkeys(("reforme", "variable", "libelle", "nature"), pl.String) | {"lignes": pl.Int64}
    ordre = {nom: rang for rang, nom in enumerate(noms)}
    lignes.sort(key=lambda ligne: (ordre[ligne[0]], ligne[3], -ligne[4], ligne[1]))
    return pl.DataFrame(lignes, schema=schema, orient="row")


# ---- enterprises ----


def _longue(entreprises: pl.DataFrame, noms: list[str], garder: list[str]) -> pl.DataFrame:
    """One row per enterprise and reform: poids, avant, apres, ecart, and what is to be kept."""
    return pl.concat(
        [
            entreprises.select(
                pl.lit(nom).alias("reforme"), *garder, "poids", "avant", pl.col(colonne(rang)).alias("apres")
            )
            for rang, nom in enumerate(noms)
        ]
    ).with_columns(ecart=pl.col("apres") - pl.col("avant"))


def gagnants(entreprises: pl.DataFrame, noms: list[str], dimensions: list[str] | None = None) -> pl.DataFrame:
    """Enterprises that gain, lose, keep, enter (nothing before) and leave (nothing after), weighted, and their euros.

    Gains and losses are over the whole run. With dimensions, one row for each label.
    """
    if dimensions == [] or entreprises.is_empty():
        return pl.DataFrame()
    dimensions = dimensions or []
    poids, ecart = pl.col("poids"), pl.col("ecart")
    gagne, perd = ecart >= CENTIME, ecart <= -CENTIME
    gain, perte = (poids * ecart).filter(gagne), (poids * ecart).filter(perd)
    return (
        _longue(entreprises, noms, dimensions)
        .group_by("reforme", *dimensions, maintain_order=True)
        .agg(
            gagnantes=poids.filter(gagne).sum(),
            perdantes=poids.filter(perd).sum(),
            inchangees=poids.filter(~gagne & ~perd).sum(),
            entrantes=poids.filter(gagne & (pl.col("avant") == 0)).sum(),
            sortantes=poids.filter(perd & (pl.col("apres") == 0)).sum(),
            gains=gain.sum(),
            pertes=perte.sum(),
            gain_median=ecart.filter(gagne).median().fill_null(0.0),
            perte_mediane=ecart.filter(perd).median().fill_null(0.0),
        )
    )


def deciles(entreprises: pl.DataFrame, noms: list[str]) -> pl.DataFrame:
    """Gains and losses by weighted decile of the mean monthly reference turnover (1: the smallest)."""
    if entreprises.is_empty():
        return pl.DataFrame()
    ordre = numpy.argsort(entreprises["reference"].to_numpy(), kind="stable")
    poids = entreprises["poids"].to_numpy()
    milieu = numpy.empty(len(poids))
    milieu[ordre] = numpy.cumsum(poids[ordre]) - poids[ordre] / 2
    rangs = numpy.minimum(milieu * DECILES // max(poids.sum(), 1e-300), DECILES - 1).astype(int) + 1
    table = entreprises.with_columns(decile=pl.Series(rangs))
    euros = pl.col("poids") * pl.col("ecart")
    return (
        _longue(table, noms, ["decile", "reference"])
        .group_by("reforme", "decile", maintain_order=True)
        .agg(
            reference_maximale=pl.col("reference").max(),
            entreprises=pl.col("poids").sum(),
            gagnantes=pl.col("poids").filter(pl.col("ecart") >= CENTIME).sum(),
            perdantes=pl.col("poids").filter(pl.col("ecart") <= -CENTIME).sum(),
            avant=(pl.col("poids") * pl.col("avant")).sum(),
            ecart=euros.sum(),
        )
        .sort(pl.col("reforme").replace_strict({nom: i for i, nom in enumerate(noms)}), "decile")
    )


def incertitude(entreprises: pl.DataFrame, noms: list[str], repliques: int, graine: int) -> pl.DataFrame:
    """Uncertainty of each difference of cost due to the sample, by a Poisson bootstrap of the groups.

    Each replicate counts each group (or lone enterprise) a Poisson(1) number of times. Only the sample is drawn again:
    neither the reading of the law nor the quality of the inputs.

    Args:
        entreprises: table of the enterprises.
        noms: names of the reforms.
        repliques: number of replicates.
        graine: seed.

    Returns:
        reforme, ecart, ecart_type, borne_basse, borne_haute (percentiles 2.5 and 97.5), euros.
    """
    if not repliques or entreprises.is_empty():
        return pl.DataFrame()
    isolee = pl.concat_str([pl.lit("seule "), pl.int_range(pl.len())])
    groupes = entreprises.select(pl.coalesce(pl.concat_str([pl.lit("groupe "), "groupe"]), isolee)).to_series()
    grappes = groupes.rank("dense").to_numpy().astype(numpy.int64) - 1
    poids = entreprises["poids"].to_numpy()
    contributions = []
    for rang in range(len(noms)):
        ecart = (entreprises[colonne(rang)] - entreprises["avant"]).to_numpy() * poids
        contributions.append(numpy.bincount(grappes, ecart, minlength=grappes.max() + 1))
    sommes = numpy.array(contributions)
    utiles = numpy.flatnonzero(sommes.any(axis=0))  # a group without difference adds nothing to any replicate
    hasard, sommes = numpy.random.default_rng(graine), sommes[:, utiles]
    pas = max(1, min(repliques, _LIGNES_DE_TIRAGE // max(8 * len(utiles), 1)))
    tirages = [
        sommes @ hasard.poisson(1, (len(utiles), min(pas, repliques - debut))) for debut in range(0, repliques, pas)
    ]
    tires = numpy.concatenate(tirages, axis=1)
    bas, haut = numpy.quantile(tires, [(1 - NIVEAU) / 2, (1 + NIVEAU) / 2], axis=1)
    return pl.DataFrame(
        {
            "reforme": noms,
            "ecart": sommes.sum(axis=1),
            "ecart_type": tires.std(axis=1, ddof=1) if repliques > 1 else numpy.zeros(len(noms)),
            "borne_basse": bas,
            "borne_haute": haut,
        }
    )
