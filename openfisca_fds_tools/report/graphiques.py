"""Charts of the report, with Altair; drawn offline as SVG for the page and as PDF for print."""

import altair as alt
import polars as pl
import vl_convert

from . import carte
from .marges import LIBELLES_DES_FORMES
from .releve import PERTES, REGIMES, TRANCHES
from .textes import mois_court

SIMULE, VERSE, GRIS, ENCRE = "#000091", "#e07b00", "#8d8d99", "#161616"
POLICE = "Liberation Sans, Arial, Helvetica, sans-serif"
LARGEUR = 640
ECHELLE_CARTE = 0.5
SANS_DONNEE = "sans donnée"
_REGIMES = ("#000091", "#6a6af4", "#e07b00", "#c3c3cf")
_SECTIONS_COURTES = {"D": "Électricité et gaz", "E": "Eau, déchets", "M": "Activités scientifiques et techniques"}
_SECTIONS_COURTES |= {"N": "Services administratifs et de soutien"}
_ECARTS = (  # classes of simulated over paid: label, excluded greatest ratio, colour
    ("moins de 0,5", 0.5, "#7a3a00"),
    ("0,5 à 0,75", 0.75, "#c96f0c"),
    ("0,75 à 0,9", 0.9, "#f3c58f"),
    ("0,9 à 1,1", 1.1, "#e9e9ee"),
    ("1,1 à 1,25", 1.25, "#b9b9f7"),
    ("1,25 à 1,5", 1.5, "#6a6af4"),
    ("plus de 1,5", None, "#000091"),
)
_MONTANTS = (  # classes of amounts: label, excluded greatest amount in millions of euros, colour
    ("moins de 100", 100, "#e3e3fd"),
    ("100 à 200", 200, "#b9b9f7"),
    ("200 à 400", 400, "#8585f6"),
    ("400 à 800", 800, "#4141d6"),
    ("plus de 800", None, "#000091"),
)


def svg(dessin: dict) -> str:
    """Draw a chart, a Vega-Lite specification, as SVG text."""
    return vl_convert.vegalite_to_svg(dessin, format_locale="fr-FR")


def pdf(dessin: dict) -> bytes:
    """Draw a chart, a Vega-Lite specification, as a one-page PDF, its fonts embedded."""
    return vl_convert.vegalite_to_pdf(dessin, format_locale="fr-FR")


def _habiller(graphique: alt.TopLevelMixin) -> dict:
    """Give a chart the look of the report, and its specification."""
    axe = {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal", "labelColor": ENCRE}
    axe |= {"titleColor": ENCRE, "gridColor": "#e4e4ea", "domainColor": GRIS, "tickColor": GRIS}
    legende = {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal", "orient": "top", "symbolSize": 90}
    return (
        graphique.configure(font=POLICE, background="white", padding=4)
        .configure_axis(**axe)
        .configure_legend(**legende, labelLimit=400)
        .configure_view(stroke=None)
        .configure_title(fontSize=13, fontWeight="bold", anchor="start", color=ENCRE)
        .to_dict(validate=False)  # the shapes of the maps take seconds to validate
    )


def _donnees(table: pl.DataFrame) -> alt.Data:
    return alt.Data(values=table.to_dicts())


def _couleur(domaine: list[str], couleurs) -> alt.Color:
    echelle = alt.Scale(domain=list(domaine), range=list(couleurs))
    return alt.Color("serie:N", title=None, scale=echelle)


# ---- months ----


def mois_aide(table: pl.DataFrame) -> dict:
    """Bars of what is simulated for each month of aid, bounds and target of what was paid over them."""
    lignes = table.select(
        pl.Series("mois", [mois_court(*bornes) for bornes in table.select("premier_mois", "dernier_mois").rows()]),
        *(pl.col(nom) / 1e9 for nom in ("simule", "cible", "bas", "haut")),
        pl.lit("simulé").alias("serie"),
    )
    base = alt.Chart(_donnees(lignes)).encode(
        x=alt.X("mois:N", sort=None, title=None, axis=alt.Axis(labelAngle=-60)),
    )
    axe = alt.Y("simule:Q", title="milliards d'euros", axis=alt.Axis(format=",.0f", tickCount=6))
    couleur = _couleur(["simulé", "versé : cible et bornes"], [SIMULE, VERSE])
    barres = base.mark_bar(size=17).encode(y=axe, color=couleur)
    autre = base.transform_calculate(serie="'versé : cible et bornes'")
    bornes = autre.mark_rule(size=3).encode(y=alt.Y("bas:Q"), y2="haut:Q", color=couleur)
    cibles = autre.mark_point(filled=True, size=75, opacity=1, stroke="white").encode(y="cible:Q", color=couleur)
    return _habiller((barres + bornes + cibles).properties(width=LARGEUR - 60, height=225))


def mois_paiement(table: pl.DataFrame) -> dict:
    """Lines of what is simulated, through the lag model, and of what was paid each calendar month."""
    lignes = table.drop_nulls("mois").with_columns(pl.col("simule", "verse") / 1e9)
    longues = lignes.unpivot(["simule", "verse"], index="mois", variable_name="serie", value_name="montant")
    return _lignes(longues, "milliards d'euros", ",.0f")


def part_des_formes(table: pl.DataFrame, code: str) -> dict:
    """Lines of the share of one legal form in the euros of each month of payment, simulated and paid."""
    lignes = table.filter(pl.col("code") == code).with_columns(
        simule=pl.col("part") * 100, verse=pl.col("part_versee") * 100
    )
    longues = lignes.unpivot(["simule", "verse"], index="mois", variable_name="serie", value_name="montant")
    return _lignes(longues, f"% des euros : {LIBELLES_DES_FORMES[code].lower()}", ",.0f")


def _lignes(longues: pl.DataFrame, titre: str, forme: str) -> dict:
    noms = {"simule": "simulé", "verse": "versé"}
    domaine = list(noms.values())
    longues = longues.with_columns(
        pl.col("serie").replace(noms), pl.col("mois").map_elements(mois_court, return_dtype=pl.String)
    )
    return _habiller(
        alt.Chart(_donnees(longues))
        .mark_line(point=alt.OverlayMarkDef(size=32), strokeWidth=2.2)
        .encode(
            x=alt.X("mois:N", sort=None, title=None, axis=alt.Axis(labelAngle=-60)),
            y=alt.Y("montant:Q", title=titre, axis=alt.Axis(format=forme, tickCount=6), scale=alt.Scale(zero=True)),
            color=_couleur(domaine, [SIMULE, VERSE]),
            strokeDash=alt.StrokeDash("serie:N", legend=None, scale=alt.Scale(domain=domaine, range=[[1, 0], [5, 3]])),
        )
        .properties(width=LARGEUR - 60, height=190)
    )


# ---- margins ----


def marge(table: pl.DataFrame) -> dict:
    """Bars of what was paid, a point of what is simulated, cell by cell: code, libelle, simule, verse."""
    lignes = table.select(
        pl.coalesce(pl.col("code").replace_strict(_SECTIONS_COURTES, default=None), "libelle").alias("libelle"),
        pl.col("simule") / 1e9,
        pl.col("verse") / 1e9,
        pl.lit("versé").alias("serie"),
    ).filter(pl.max_horizontal(pl.col("simule", "verse").fill_null(0)) > 0)
    base = alt.Chart(_donnees(lignes)).encode(
        y=alt.Y("libelle:N", sort=None, title=None, axis=alt.Axis(labelLimit=300, labelPadding=6))
    )
    couleur = _couleur(["versé", "simulé"], ["#f3c58f", SIMULE])
    x = alt.X("verse:Q", title="milliards d'euros", axis=alt.Axis(format=",.0f", tickCount=7))
    barres = base.mark_bar(size=10).encode(x=x, color=couleur)
    points = base.mark_tick(thickness=4, size=14).encode(x="simule:Q", color=couleur)
    points = points.transform_calculate(serie="'simulé'")
    return _habiller((barres + points).properties(width=330, height=alt.Step(17)))


def regimes(table: pl.DataFrame) -> dict:
    """Stacked bars of the regime of the aids paid, by month of aid."""
    lignes = table.select(
        pl.col("mois").map_elements(mois_court, return_dtype=pl.String),
        pl.col("code").alias("serie"),
        pl.col("simule") / 1e9,
        pl.col("code").replace_strict({nom: rang for rang, nom in enumerate(REGIMES)}).alias("rang"),
    ).drop_nulls()
    return _habiller(
        alt.Chart(_donnees(lignes))
        .mark_bar(size=16)
        .encode(
            x=alt.X("mois:N", sort=None, title=None, axis=alt.Axis(labelAngle=-60)),
            y=alt.Y("simule:Q", title="milliards d'euros", axis=alt.Axis(format=",.0f", tickCount=6)),
            color=_couleur(REGIMES, _REGIMES),
            order="rang:Q",
        )
        .properties(width=LARGEUR - 60, height=190)
    )


def tranches(table: pl.DataFrame) -> dict:
    """Two panels of bars: share of the aids, and of the euros, by class of monthly amount."""
    sommes = table.group_by("code").agg(pl.sum("aides", "simule"))
    lignes = pl.DataFrame({"code": [nom for nom, _ in TRANCHES]}).join(sommes, on="code", how="left").fill_null(0)
    lignes = lignes.with_columns((pl.col(nom) / pl.col(nom).sum().clip(1e-9) * 100) for nom in ("aides", "simule"))
    plafond = alt.condition("indexof(datum.code, 'plafond') >= 0", alt.value(VERSE), alt.value(SIMULE))

    def panneau(colonne: str, titre: str, noms: bool) -> alt.Chart:
        axe = alt.Axis(labelLimit=200) if noms else None
        base = alt.Chart(_donnees(lignes), title=titre).encode(y=alt.Y("code:N", sort=None, title=None, axis=axe))
        haut = float(lignes[colonne].max()) * 1.18 + 1
        x = alt.X(
            f"{colonne}:Q", title="%", axis=alt.Axis(format=",.0f", tickCount=5), scale=alt.Scale(domain=[0, haut])
        )
        barres = base.mark_bar(size=11).encode(x=x, color=plafond)
        valeurs = base.mark_text(align="left", dx=4, fontSize=11).encode(
            x=x, text=alt.Text(f"{colonne}:Q", format=",.1f")
        )
        return (barres + valeurs).properties(width=220, height=alt.Step(17))

    panneaux = panneau("aides", "Part des aides", True), panneau("simule", "Part des euros", False)
    return _habiller(alt.hconcat(*panneaux, spacing=24))


def plafonds(table: pl.DataFrame) -> dict:
    """Lines of the share of aids that are exactly at a cap, by month of aid."""
    hauts = [nom for nom, _ in TRANCHES if "plafond" in nom]
    domaine = [nom.replace(", plafond", "") for nom in hauts]
    parts = table.with_columns(part=100.0 * pl.col("aides") / pl.col("aides").sum().over("mois"))
    # A class without any aid is null; one that secrecy withholds has no value, and breaks the line.
    grille = table.select("mois").unique().join(pl.DataFrame({"code": hauts}), how="cross")
    absentes = grille.join(table, on=["mois", "code"], how="anti").with_columns(part=pl.lit(0.0))
    lignes = (
        pl.concat([parts.select("mois", "code", "part"), absentes]).filter(pl.col("code").is_in(hauts)).sort("mois")
    )
    mois = [mois_court(un) for un in lignes["mois"].unique().sort()]
    lignes = lignes.select(
        pl.col("mois").map_elements(mois_court, return_dtype=pl.String),
        pl.col("code").str.replace(", plafond", "").alias("serie"),
        "part",
    )
    return _habiller(
        alt.Chart(_donnees(lignes))
        .mark_line(point=alt.OverlayMarkDef(size=30), strokeWidth=2.2)
        .encode(
            x=alt.X("mois:N", sort=mois, title=None, axis=alt.Axis(labelAngle=-60)),
            y=alt.Y("part:Q", title="% des aides du mois", axis=alt.Axis(format=",.0f", tickCount=6)),
            color=_couleur(domaine, [SIMULE, VERSE, "#18753c"]),
            strokeDash=alt.StrokeDash(
                "serie:N", legend=None, scale=alt.Scale(domain=domaine, range=[[1, 0], [6, 3], [2, 2]])
            ),
        )
        .properties(width=LARGEUR - 60, height=180)
    )


def pertes(table: pl.DataFrame) -> dict:
    """Stacked bars of the loss of turnover of those who are paid, in shares of the month's aids."""
    noms = ["moins de 50 %", "50 à 70 %", "70 à 100 %", "totale"]
    groupes = {nom: noms[_groupe_de_pertes(haut)] for nom, haut in PERTES}
    sommes = table.group_by("mois", pl.col("code").replace_strict(groupes).alias("serie"), maintain_order=True)
    lignes = sommes.agg(pl.sum("aides")).select(
        pl.col("mois").map_elements(mois_court, return_dtype=pl.String),
        "serie",
        "aides",
        pl.col("serie").replace_strict({nom: rang for rang, nom in enumerate(noms)}).alias("rang"),
    )
    return _habiller(
        alt.Chart(_donnees(lignes))
        .mark_bar(size=16)
        .encode(
            x=alt.X("mois:N", sort=None, title=None, axis=alt.Axis(labelAngle=-60)),
            y=alt.Y(
                "aides:Q", stack="normalize", title="part des aides du mois", axis=alt.Axis(format=".0%", tickCount=5)
            ),
            color=_couleur(noms, ["#c3c3cf", "#8585f6", "#000091", VERSE]),
            order="rang:Q",
        )
        .properties(width=LARGEUR - 60, height=170)
    )


def _groupe_de_pertes(haut: float | None) -> int:
    return 3 if haut is None else 0 if haut <= 0.5 else 1 if haut <= 0.7 else 2


def seuils(table: pl.DataFrame) -> dict:
    """Lines of the mean aid by class of loss, one for each regime."""
    noms = [nom for nom, _ in PERTES]
    lignes = table.select("code", pl.col("regime").alias("serie"), "moyenne").drop_nulls()
    return _habiller(
        alt.Chart(_donnees(lignes))
        .mark_line(point=alt.OverlayMarkDef(size=32), strokeWidth=2.2)
        .encode(
            x=alt.X("code:N", sort=noms, title="perte de chiffre d'affaires", axis=alt.Axis(labelAngle=-30)),
            y=alt.Y("moyenne:Q", title="aide moyenne, €", axis=alt.Axis(format=",.0f", tickCount=6)),
            color=_couleur(REGIMES, (*_REGIMES[:3], GRIS)),
        )
        .properties(width=LARGEUR - 60, height=190)
    )


# ---- maps ----


def cartes(table: pl.DataFrame) -> dict:
    """Two maps of the départements: what is simulated, and simulated over paid."""
    montants, ecarts = {}, {}
    for code, simule, verse in table.select("code", "simule", "verse").iter_rows():
        montants[code] = None if simule is None else simule / 1e6
        ecarts[code] = None if simule is None or not verse else simule / verse
    formes = [
        forme | {"montant": _classe(montants.get(code), _MONTANTS), "ecart": _classe(ecarts.get(code), _ECARTS)}
        for forme in carte.formes()
        for code in [forme["properties"]["code"]]
    ]
    gauche = _carte("montant", _MONTANTS, {forme["montant"] for forme in formes}, "Simulé, millions d'euros")
    droite = _carte("ecart", _ECARTS, {forme["ecart"] for forme in formes}, "Simulé rapporté au versé")
    dessin = _habiller(alt.hconcat(gauche, droite, spacing=14).resolve_scale(color="independent"))
    dessin.setdefault("datasets", {})["formes"] = formes  # put last: Altair copies what a chart holds many times
    return dessin


def _classe(valeur: float | None, classes) -> str:
    if valeur is None:
        return SANS_DONNEE
    return next(nom for nom, haut, _ in classes if haut is None or valeur < haut)


def _carte(champ: str, classes, presentes: set[str], titre: str) -> alt.LayerChart:
    couleurs = {nom: couleur for nom, _, couleur in (*classes, (SANS_DONNEE, None, "#ffffff")) if nom in presentes}
    couleur = alt.Color(
        f"{champ}:N",
        title=None,
        scale=alt.Scale(domain=list(couleurs), range=list(couleurs.values())),
        legend=alt.Legend(orient="bottom", columns=3, labelFontSize=11, symbolType="square", symbolSize=110),
    )
    k = ECHELLE_CARTE
    fond = (
        alt.Chart(alt.NamedData(name="formes"))
        .mark_geoshape(stroke="#5f5f70", strokeWidth=0.4)
        .encode(color=couleur)
        .project(type="identity", scale=k, translate=[0, 0])
    )
    mots = [
        alt.Chart(alt.Data(values=[{"texte": texte}]))
        .mark_text(align="left", baseline="middle", fontSize=9, color="#3a3a3a", x=x * k, y=y * k)
        .encode(text="texte:N")
        for texte, x, y in carte.etiquettes()
    ]
    return alt.layer(fond, *mots, title=titre).properties(width=carte.LARGEUR * k, height=carte.HAUTEUR * k)
