"""Simulated against published, cell by cell: the tables of the backtest and their errors.

A table has one row per cell, ``simule`` and ``verse`` in euros (null where withheld, or never published). Groups keep
the order of their rows, so that the same population always gives the same sums.
"""

from functools import cache
from importlib import resources

import polars as pl
import yaml

from openfisca_fds_tools import publie
from openfisca_fds_tools.population import taxonomies
from openfisca_fds_tools.population.dgfip import SECRET

from . import versements
from .releve import MOIS, PERTES, REGIMES, TRANCHES, Releve

GRANDE = 0.01  # share of what was paid from which a cell is large
SEUILS = (0.10, 0.25)
FORMES = {"10": "entreprise_individuelle", "92": "association"}  # legal categories of the open data
SOCIETES = ("5", "61", "63", "65")  # beginnings of the categories of companies, civil ones included
LIBELLES_DES_FORMES = {
    "entreprise_individuelle": "Entreprise individuelle",
    "societe": "Société",
    "association": "Association",
    "autre": "Autre",
}
MOIS_DES_SEUILS = ("2021-02", "2021-05")  # months that share the same thresholds of loss
HORS_TABLE = "hors tables"  # overseas collectivities, which no published table locates
_EFFECTIF_INCONNU, _SANS_SALARIE = "NN", "00"


@cache
def statuts() -> dict[str, dict[str, str]]:
    """Read what each margin was for the generator: titre and statut (calee, regardee, ecartee), by name."""
    texte = (resources.files(__package__) / "donnees" / "marges.yaml").read_text(encoding="utf-8")
    return yaml.safe_load(texte)


def part_des_grandes(nom: str) -> float:
    """Share of what was paid from which a cell of a margin is large."""
    return statuts()[nom].get("grande", GRANDE)


def forme(categorie: str) -> str:
    """Legal form of the model for a legal category of the open data (two digits)."""
    return FORMES.get(categorie, "societe" if categorie.startswith(SOCIETES) else "autre")


def secret(table: pl.DataFrame, *colonnes: str) -> pl.DataFrame:
    """Withhold what two rows of the population or fewer make, and drop the count of rows.

    Args:
        table: with a column ``lignes``.
        colonnes: measures to withhold.
    """
    visible = pl.col("lignes").fill_null(0) > SECRET
    return table.with_columns(pl.when(visible).then(pl.col(*colonnes))).drop("lignes")


# ---- months of aid ----


def par_mois(releve: Releve) -> pl.DataFrame:
    """Give each of the 24 months: mois, simule (volet 1), aides, moyenne, complement (décret 2021-1582), euros."""
    cases = releve.volet_1.group_by("mois", maintain_order=True).agg(
        pl.sum("lignes", "aides"), pl.sum("montant").alias("simule")
    )
    volet_1, tous = (
        releve.totaux.filter(pl.col("article") == total).select("mois", pl.col("montant_total").alias(total))
        for total in ("fds_volet_1", "fonds_de_solidarite")
    )
    complement = pl.col("fonds_de_solidarite").fill_null(0) - pl.col("fds_volet_1").fill_null(0)
    table = pl.DataFrame({"mois": MOIS}).join(cases, on="mois", how="left").join(volet_1, on="mois", how="left")
    table = table.join(tous, on="mois", how="left").with_columns(complement.round(2).alias("complement"))
    table = table.with_columns(pl.col("lignes", "simule", "aides").fill_null(0)).sort("mois")
    vide = pl.col("lignes") == 0  # nobody is paid: nothing to withhold
    table = table.with_columns(lignes=pl.when(vide).then(SECRET + 1).otherwise("lignes"))
    table = secret(table.select("mois", "lignes", "simule", "aides", "complement"), "simule", "aides", "complement")
    return table.with_columns(moyenne=_moyenne("simule", "aides"))


def par_mois_aide(mois: pl.DataFrame) -> pl.DataFrame:
    """Lay months of aid against the targets and their bounds.

    Args:
        mois: result of :func:`par_mois`.

    Returns:
        premier_mois, dernier_mois, simule, cible, bas, haut, position (« dans », « sous », « sur »), ratio, aides,
        aides_cible, moyenne, moyenne_cible.
    """
    cibles = publie.cibles_par_mois_aide().rename({"aides": "aides_cible"}).drop("fondement")
    simules = (
        mois.join_where(
            cibles.select("premier_mois", "dernier_mois"),
            pl.col("mois") >= pl.col("premier_mois"),
            pl.col("mois") <= pl.col("dernier_mois"),
        )
        .group_by("premier_mois", maintain_order=True)
        .agg(pl.sum("simule", "aides"))
    )
    table = cibles.join(simules, on="premier_mois").sort("premier_mois")
    position = pl.when(pl.col("simule") < pl.col("bas")).then(pl.lit("sous"))
    position = position.when(pl.col("simule") > pl.col("haut")).then(pl.lit("sur")).otherwise(pl.lit("dans"))
    return table.select(
        "premier_mois",
        "dernier_mois",
        "simule",
        "cible",
        "bas",
        "haut",
        position.alias("position"),
        (pl.col("simule") / pl.col("cible")).alias("ratio"),
        "aides",
        "aides_cible",
        _moyenne("simule", "aides").alias("moyenne"),
        _moyenne("cible", "aides_cible").alias("moyenne_cible"),
    )


def officiels(mois: pl.DataFrame) -> pl.DataFrame:
    """Lay the few figures that the administration gave against the same months simulated.

    Args:
        mois: result of :func:`par_mois`.

    Returns:
        premier_mois, dernier_mois, date_constat, simule and verse (euros), aides and nombre, moyenne and
        moyenne_versee, nature, source; what was not given is null.
    """
    lignes = []
    for ligne in publie.chiffres_officiels().filter("comparable").iter_rows(named=True):
        simules = mois.filter(pl.col("mois").is_between(pl.lit(ligne["premier_mois"]), pl.lit(ligne["dernier_mois"])))
        simule, aides = simules["simule"].sum(), simules["aides"].sum()
        lignes.append(
            {
                "premier_mois": ligne["premier_mois"],
                "dernier_mois": ligne["dernier_mois"],
                "date_constat": ligne["date_constat"],
                "simule": simule,
                "verse": ligne["montant"],
                "aides": aides,
                "nombre": ligne["nombre"],
                "moyenne": simule / aides if aides else None,
                "moyenne_versee": ligne["moyenne"],
                "nature": ligne["nature"],
                "source": ligne["source"],
            }
        )
    return pl.DataFrame(lignes, infer_schema_length=None).sort("premier_mois", "dernier_mois")


# ---- calendar months of payment ----


def par_mois_paiement(releve: Releve) -> pl.DataFrame:
    """Lay payments by calendar month, through the lag model: mois, simule, verse, aides, aides_versees.

    The last row, whose month is null, is what is left to pay after the last snapshot; nothing was published for it.
    """
    publies = publie.paiements_par_mois()
    sommes = _aligner(releve.volet_1.group_by("mois", maintain_order=True).agg(pl.sum("montant", "aides")))
    simules = versements.etaler(list(MOIS), sommes.select("montant", "aides").to_numpy(), publies["dernier_releve"])
    return pl.DataFrame(
        {
            "mois": [*publies["mois"], None],
            "simule": simules[:, 0],
            "verse": [*publies["volet_1"], None],
            "aides": simules[:, 1],
            "aides_versees": [*publies["aides_volet_1"], None],
        }
    )


def par_mois_paiement_et(releve: Releve, axe: str) -> pl.DataFrame:
    """Lay payments by calendar month and « section » or « forme_juridique ».

    Returns:
        mois (April and May 2020 together), code, simule, verse, aides, aides_versees, part and part_versee (of the
        month's euros).
    """
    publies = publie.paiements_par_mois_et(axe)
    if axe == "forme_juridique":
        publies = publies.with_columns(pl.col("code").map_elements(forme, return_dtype=pl.String))
    publies = publies.group_by("mois", "code", maintain_order=True).agg(
        pl.sum("montant").alias("verse"), pl.sum("aides").alias("aides_versees")
    )
    fins = publie.paiements_par_mois().filter(pl.col("mois") != publie.PREMIER_FLUX[0])
    mesures = {"simule": pl.Float64, "aides": pl.Float64, "lignes": pl.Int64}
    simules = [pl.DataFrame(schema={"mois": pl.String, "code": pl.String} | mesures)]
    for (code,), cases in releve.volet_1.group_by(axe, maintain_order=True):
        sommes = _aligner(cases.group_by("mois", maintain_order=True).agg(pl.sum("lignes", "montant", "aides")))
        flux = versements.etaler(list(MOIS), sommes.select("montant", "aides").to_numpy(), fins["dernier_releve"])[:-1]
        simules.append(
            fins.select(
                "mois",
                pl.lit(code).alias("code"),
                pl.Series("simule", flux[:, 0]),
                pl.Series("aides", flux[:, 1]),
                pl.lit(cases["lignes"].sum(), pl.Int64).alias("lignes"),
            )
        )
    table = secret(pl.concat(simules), "simule", "aides").join(
        publies, on=["mois", "code"], how="full", coalesce=True, nulls_equal=True
    )
    part = pl.col("simule") / pl.col("simule").sum().over("mois")
    part_versee = pl.col("verse") / pl.col("verse").sum().over("mois")
    return table.select(
        "mois",
        "code",
        "simule",
        "verse",
        "aides",
        "aides_versees",
        part.alias("part"),
        part_versee.alias("part_versee"),
    ).sort("mois", "code")


def par_departement_section(releve: Releve) -> pl.DataFrame:
    """Lay the whole of volet 1 by département and section: departement, section, simule, verse."""
    cles = ["departement", "section"]
    cases = releve.beneficiaires.filter(pl.col("volet") == 1).group_by(cles, maintain_order=True)
    simules = secret(cases.agg(pl.sum("lignes"), pl.sum("montant").alias("simule")), "simule")
    publies = publie.departement_section_par_trimestre().filter(pl.col("date") == publie.DATE_DES_MARGES)
    table = publies.select(*cles, pl.col("montant").alias("verse")).join(simules, on=cles, how="left")
    return table.select(*cles, "simule", "verse").sort(cles)


def par_departement_section_et_trimestre(releve: Releve) -> pl.DataFrame:
    """Lay what is paid between two published ends of quarters, by département and section.

    Returns:
        debut (null: since the beginning), fin, departement, section, simule, verse. A cell is compared when both of
        its ends are published.
    """
    publies = publie.departement_section_par_trimestre()
    dates = publies["date"].unique().sort()
    debuts = pl.DataFrame({"debut": [None, *dates[:-1]], "date": dates})
    cles = ["departement", "section"]
    avant = publies.select("date", *cles, pl.col("montant").alias("montant_avant"))
    flux = (
        publies.join(debuts, on="date")
        .join(avant, left_on=["debut", *cles], right_on=["date", *cles], how="left")
        .filter(pl.col("debut").is_null() | pl.col("montant_avant").is_not_null())
        .select(
            "debut",
            pl.col("date").alias("fin"),
            *cles,
            (pl.col("montant") - pl.col("montant_avant").fill_null(0)).alias("verse"),
        )
    )
    cases = releve.volet_1.group_by("mois", *cles, maintain_order=True).agg(pl.sum("montant"))
    matrice = cases.pivot("mois", index=cles, values="montant").fill_null(0.0)
    manquants = [mois for mois in MOIS if mois not in matrice.columns]
    matrice = matrice.with_columns(pl.lit(0.0).alias(mois) for mois in manquants)
    payes = versements.etaler(list(MOIS), matrice.select(MOIS).to_numpy().T, dates)[:-1]
    lignes = releve.beneficiaires.filter(pl.col("volet") == 1).group_by(cles, maintain_order=True).agg(pl.sum("lignes"))
    simules = (
        matrice.select(cles)
        .with_columns(pl.Series(date, paye) for date, paye in zip(dates, payes, strict=True))
        .unpivot(index=cles, variable_name="fin", value_name="simule")
        .join(lignes, on=cles)
    )
    table = flux.join(secret(simules, "simule"), on=["fin", *cles], how="left")
    return table.select("debut", "fin", *cles, "simule", "verse").sort("fin", *cles)


# ---- whole margins ----


def marge(releve: Releve, axe: str, volet: int = 1) -> pl.DataFrame:
    """Lay the whole of a volet by one axis of the open data.

    Args:
        releve: what the population is paid.
        axe: one of ``publie.AXES``. Size classes are those of all but sole proprietors, since theirs are not
            published; the unknown size is counted as no employee.
        volet: 1 or 2.

    Returns:
        code, libelle, simule, verse, aides, aides_versees, entreprises, entreprises_versees.
    """
    cases = releve.beneficiaires.filter(pl.col("volet") == volet)
    publies = publie.marge(axe, volet)
    if axe == "region":
        regions = {code: taxonomies.region(code) or HORS_TABLE for code in cases["departement"].unique()}
        cases = cases.with_columns(region=pl.col("departement").replace_strict(regions, return_dtype=pl.String))
    elif axe == "classe_effectif":
        cases = cases.filter(pl.col("forme_juridique") != FORMES["10"])
        publies = publies.with_columns(pl.col("code").replace(_EFFECTIF_INCONNU, _SANS_SALARIE))
    elif axe == "forme_juridique":
        publies = publies.with_columns(pl.col("code").map_elements(forme, return_dtype=pl.String))
    elif axe == "departement":
        cases = cases.with_columns(
            pl.when(pl.col("departement").is_in(publies["code"].implode()))
            .then("departement")
            .otherwise(pl.lit(HORS_TABLE))
        )
    simules = cases.group_by(pl.col(axe).alias("code"), maintain_order=True).agg(
        pl.sum("lignes", "aides", "entreprises"), pl.sum("montant").alias("simule")
    )
    publies = publies.group_by("code", maintain_order=True).agg(
        pl.sum("montant").alias("verse"),
        pl.sum("aides").alias("aides_versees"),
        pl.sum("entreprises").alias("entreprises_versees"),
    )
    table = secret(simules, "simule", "aides", "entreprises").join(publies, on="code", how="full", coalesce=True)
    return (
        table.with_columns(libelle=pl.col("code").replace(libelles(axe)))
        .select("code", "libelle", "simule", "verse", "aides", "aides_versees", "entreprises", "entreprises_versees")
        .sort("code")
    )


@cache
def libelles(axe: str) -> dict[str, str]:
    """Label of each code of an axis."""
    if axe == "departement":
        from openfisca_fds.nomenclatures.departements import Departement

        return {code: str(nom.value) for code, nom in Departement.__members__.items()}
    return {
        "section": taxonomies.LIBELLES_SECTIONS,
        "region": taxonomies.LIBELLES_REGIONS,
        "classe_effectif": taxonomies.LIBELLES_EFFECTIF | {_SANS_SALARIE: "0 salarié ou inconnu"},
        "forme_juridique": LIBELLES_DES_FORMES,
    }[axe]


# ---- what is simulated alone ----


def articles(releve: Releve) -> pl.DataFrame:
    """Give what each article pays each month: mois, article, simule, aides, in the order of the decree."""
    cases = releve.volet_1.group_by("mois", "article", maintain_order=True)
    sommes = cases.agg(pl.sum("lignes", "aides"), pl.sum("montant").alias("simule"))
    numero = pl.col("article").str.extract_all(r"\d+").list.eval(pl.element().str.zfill(3)).list.join("-")
    return secret(sommes, "simule", "aides").sort("mois", numero)


def repartition(releve: Releve, cle: str) -> pl.DataFrame:
    """Give how monthly amounts share out: mois, code, simule, aides.

    Args:
        releve: what the population is paid.
        cle: « tranche » (amounts), « regime » or « perte ».
    """
    cases = releve.distribution.group_by("mois", pl.col(cle).alias("code"), maintain_order=True)
    sommes = cases.agg(pl.sum("lignes", "aides"), pl.sum("montant").alias("simule"))
    ordre = {"tranche": [nom for nom, _ in TRANCHES], "regime": REGIMES, "perte": [nom for nom, _ in PERTES]}[cle]
    rang = pl.col("code").replace_strict({nom: i for i, nom in enumerate(ordre)}, return_dtype=pl.Int8)
    return secret(sommes, "simule", "aides").sort("mois", rang)


def seuils(releve: Releve) -> pl.DataFrame:
    """Give the mean aid by regime and loss, over ``MOIS_DES_SEUILS``: regime, code (loss), simule, aides, moyenne."""
    cases = releve.distribution.filter(pl.col("mois").is_between(*map(pl.lit, MOIS_DES_SEUILS)))
    cases = cases.group_by("regime", pl.col("perte").alias("code"), maintain_order=True)
    sommes = secret(cases.agg(pl.sum("lignes", "aides"), pl.sum("montant").alias("simule")), "simule", "aides")
    return sommes.with_columns(moyenne=_moyenne("simule", "aides")).sort("regime", "code")


# ---- errors ----


def erreurs(nom: str, table: pl.DataFrame, simule: str = "simule", verse: str = "verse") -> dict:
    """Sum the errors of a table up.

    Args:
        nom: name of the margin in ``marges.yaml``.
        table: one row per cell.
        simule: column of what is simulated.
        verse: column of what was paid; rows where one of the two is missing are left out.

    Returns:
        marge, titre, statut, cases, couverture (share of what was paid that is compared), simule, verse, ratio; erreur
        (sum of absolute gaps over what was paid), mediane
        (of the ratios, weighted by what was paid), part_10 and part_25 (share of what was paid in cells within 10 and
        25 %), grandes (see :func:`part_des_grandes`) and grandes_25 (those within 25 %).
    """
    cases = table.filter(pl.col(simule).is_not_null() & (pl.col(verse) > 0)).select(
        pl.col(simule).alias("s"), pl.col(verse).alias("v")
    )
    s, v = cases["s"].to_numpy(), cases["v"].to_numpy()
    total, publies = v.sum(), table[verse].sum()
    ecart = abs(s - v) / v
    grandes = v >= part_des_grandes(nom) * total
    ordre = (s / v).argsort()
    mediane = (s / v)[ordre][v[ordre].cumsum().searchsorted(total / 2)] if total else None
    return {
        "marge": nom,
        "titre": statuts()[nom]["titre"],
        "statut": statuts()[nom]["statut"],
        "cases": len(v),
        "couverture": float(total / publies) if publies else None,
        "simule": float(s.sum()),
        "verse": float(total),
        "ratio": float(s.sum() / total) if total else None,
        "erreur": float(abs(s - v).sum() / total) if total else None,
        "mediane": None if mediane is None else float(mediane),
        "part_10": float(v[ecart <= SEUILS[0]].sum() / total) if total else None,
        "part_25": float(v[ecart <= SEUILS[1]].sum() / total) if total else None,
        "grandes": int(grandes.sum()),
        "grandes_25": int((grandes & (ecart <= SEUILS[1])).sum()),
    }


def _aligner(sommes: pl.DataFrame) -> pl.DataFrame:
    """One row for each month of aid, zero where nothing is paid."""
    return pl.DataFrame({"mois": MOIS}).join(sommes, on="mois", how="left").fill_null(0).sort("mois")


def _moyenne(montant: str, aides: str) -> pl.Expr:
    return pl.when(pl.col(aides) > 0).then(pl.col(montant) / pl.col(aides))
