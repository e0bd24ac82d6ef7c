"""Charts of a comparison and of a cost curve, in SVG or PNG, French numbers, without network.

Altair describes them and vl-convert draws them; both come with the extra « report ».
"""

from pathlib import Path

import polars as pl

from openfisca_fds_tools.population import ErreurUtilisateur
from openfisca_fds_tools.population.command import libelle_aide
from openfisca_fds_tools.population.errors import nombre_fr

from .rendu import court

FORMATS = ("svg", "png")
LOCALE = "fr-FR"
DROIT, REFORME, HAUSSE, BAISSE, ENCRE = "#c3c3cf", "#000091", "#000091", "#e07b00", "#161616"
LARGEUR = 620
MILLION = 1e6
MARGE_DES_TEXTES = 0.13  # of the width of a waterfall, for the figures at the right of the bars
NOMBRE = ",.2~f"  # for Vega: thousands apart, two decimals at most


def verifier() -> None:
    """Refuse at once, before any computation, when the packages that draw are missing.

    Raises:
        ErreurUtilisateur: saying what to install.
    """
    try:
        import altair  # noqa: F401 -- imported to know that it is there
        import vl_convert  # noqa: F401 -- altair looks for it when it saves
    except ModuleNotFoundError as absence:
        raise ErreurUtilisateur(f'« {absence.name} » manque : pip install "openfisca-fds[report]"') from None


def comparaison(resultat, mesures: dict[str, pl.DataFrame] | None = None) -> dict:
    """Charts of a comparison.

    Args:
        resultat: ``Comparaison``.
        mesures: name of a composition -> table of ``decomposer``.

    Returns:
        Name of the file, without suffix -> Altair chart; none for a reform that changes nothing.
    """
    noms = [nom for nom in resultat.noms if resultat.ecarts.filter(pl.col("reforme") == nom).height]
    dessins = {}
    for rang, nom in enumerate(noms, start=1):
        suffixe = f"-{rang}" if len(noms) > 1 else ""
        dessins[f"couts{suffixe}"] = couts(resultat.couts, nom)
        dessins[f"articles{suffixe}"] = articles(resultat.articles, nom)
        dessins[f"deciles{suffixe}"] = deciles(resultat.deciles, nom)
        if nom in (mesures or {}):
            dessins[f"mesures{suffixe}"] = cascade(nom, "mesure", *mesures[nom].select("mesure", "contribution"))
    return dessins


def couts(table: pl.DataFrame, nom: str):
    """Cost of each month under the law and under the reform, and their difference below, millions of euros."""
    import altair as alt

    mois = table.filter((pl.col("reforme") == nom) & pl.col("mois").is_not_null())
    mois = mois.group_by("mois", maintain_order=True).agg(pl.sum("avant", "apres", "ecart"))
    mois = mois.with_columns(pl.col("avant", "apres", "ecart") / MILLION)
    donnees = alt.Data(values=mois.to_dicts())
    x = alt.X("mois:O", title=None, axis=alt.Axis(labelAngle=-60))
    legende = alt.Scale(domain=["droit", "réforme"], range=[DROIT, REFORME])
    barres = alt.Chart(donnees).transform_calculate(loi="'droit'").mark_bar()
    traits = alt.Chart(donnees).transform_calculate(loi="'réforme'").mark_tick(thickness=3, bandSize=20)
    couleur = alt.Color("loi:N", title=None, scale=legende, legend=alt.Legend(orient="top"))
    haut = alt.layer(
        barres.encode(x, alt.Y("avant:Q", title="Coût (M€)", axis=_axe()), couleur),
        traits.encode(x, alt.Y("apres:Q", title="Coût (M€)"), couleur),
    ).properties(width=LARGEUR, height=220)
    bas = (
        alt.Chart(donnees)
        .mark_bar()
        .encode(x, alt.Y("ecart:Q", title="Écart (M€)", axis=_axe()), color=_sens("ecart"))
        .properties(width=LARGEUR, height=130)
    )
    return alt.vconcat(haut, bas, title=_titre(f"{nom} : coût par mois")).resolve_scale(color="independent")


def articles(table: pl.DataFrame, nom: str):
    """Difference article by article, one above the other up to the total."""
    sommes = (
        table.filter(pl.col("reforme") == nom)
        .group_by("article", maintain_order=True)
        .agg(pl.sum("ecart"))
        .filter(pl.col("ecart").abs() >= 1)
    )
    noms = [libelle_aide(article) for article in sommes["article"]]
    return cascade(nom, "article servi", noms, sommes["ecart"])


def cascade(nom: str, par: str, libelles, ecarts):
    """Waterfall: each part starts where the former ends; the last bar is the whole, euros.

    Args:
        nom: name of the reform.
        par: what the parts are, for the title.
        libelles: name of each part.
        ecarts: euros of each part.
    """
    import altair as alt

    barres, cumul = [], 0.0
    for libelle, ecart in zip(libelles, ecarts, strict=True):
        barres.append(_barre(libelle, cumul, cumul + ecart, ecart))
        cumul += ecart
    barres.append(_barre("Écart total", 0.0, cumul, cumul) | {"sens": "total"})
    bas, haut = (choisir(b[n] for b in barres for n in ("debut", "fin")) for choisir in (min, max))
    domaine = [bas - 0.02 * (haut - bas), haut + MARGE_DES_TEXTES * (haut - bas)]
    base = alt.Chart(alt.Data(values=barres)).encode(
        alt.Y("libelle:N", title=None, sort=[barre["libelle"] for barre in barres], axis=alt.Axis(labelLimit=260))
    )
    echelle = alt.Scale(domain=["hausse", "baisse", "total"], range=[HAUSSE, BAISSE, ENCRE])
    traits = base.mark_bar(size=16).encode(
        alt.X("debut:Q", title="Écart de coût cumulé (M€)", axis=_axe(), scale=alt.Scale(domain=domaine, nice=False)),
        alt.X2("fin:Q"),
        alt.Color("sens:N", title=None, scale=echelle, legend=None),
    )
    textes = base.mark_text(align="left", dx=5, color=ENCRE).encode(alt.X("droite:Q"), alt.Text("texte:N"))
    return alt.layer(traits, textes).properties(
        width=LARGEUR, height=26 * len(barres), title=_titre(f"{nom} : écart par {par}")
    )


def _millions(euros: float) -> str:
    signe = "+" if euros > 0 else "−" if euros < 0 else ""
    return f"{signe}{nombre_fr(abs(euros) / MILLION, 2)}"


def _barre(libelle: str, debut: float, fin: float, ecart: float) -> dict:
    return {
        "libelle": libelle,
        "debut": debut / MILLION,
        "fin": fin / MILLION,
        "droite": max(debut, fin) / MILLION,
        "texte": _millions(ecart),
        "sens": "hausse" if ecart > 0 else "baisse",
    }


def deciles(table: pl.DataFrame, nom: str):
    """Winners and losers of each decile (enterprises), and what the decile gains or loses (millions of euros)."""
    import altair as alt

    lignes = table.filter(pl.col("reforme") == nom).with_columns(
        ecart=pl.col("ecart") / MILLION, perdantes=-pl.col("perdantes")
    )
    donnees = alt.Data(values=lignes.to_dicts())
    x = alt.X("decile:O", title="Décile de chiffre d'affaires de référence", axis=alt.Axis(labelAngle=0))
    base = alt.Chart(donnees).transform_fold(["gagnantes", "perdantes"], as_=["nature", "entreprises"])
    couleur = alt.Color(
        "nature:N",
        title=None,
        scale=alt.Scale(domain=["gagnantes", "perdantes"], range=[HAUSSE, BAISSE]),
        legend=alt.Legend(orient="top"),
    )
    comptes = alt.Axis(labelExpr=f"format(abs(datum.value), '{NOMBRE}')", tickCount=6)
    entreprises = base.mark_bar(size=22).encode(x, alt.Y("entreprises:Q", title="Entreprises", axis=comptes), couleur)
    euros = alt.Chart(donnees).mark_bar(size=22)
    euros = euros.encode(x, alt.Y("ecart:Q", title="Écart (M€)", axis=_axe()), color=_sens("ecart"))
    tailles = {"width": LARGEUR // 2 - 30, "height": 240}
    return alt.hconcat(
        entreprises.properties(**tailles), euros.properties(**tailles), title=_titre(f"{nom} : par décile")
    ).resolve_scale(color="independent")


def courbe(table: pl.DataFrame, libelle: str, budget: float | None = None, trouvee: tuple | None = None):
    """Cost curve of a parameter: difference of cost by value, the budget, and the value found, if any.

    Args:
        table: of ``balayer``.
        libelle: name of the parameter.
        budget: euros.
        trouvee: (value, difference in euros).
    """
    import altair as alt

    points = table.with_columns(ecart=pl.col("ecart") / MILLION)
    x = alt.X("valeur:Q", title=libelle, scale=alt.Scale(zero=False), axis=_axe())
    y = alt.Y("ecart:Q", title="Écart de coût (M€)", axis=_axe())
    couches = [
        alt.Chart(alt.Data(values=points.to_dicts()))
        .mark_line(color=REFORME, point={"color": REFORME, "size": 50})
        .encode(x, y)
    ]
    if budget is not None:
        regle = alt.Chart(alt.Data(values=[{"ecart": budget / MILLION}]))
        couches.append(regle.mark_rule(color=BAISSE, strokeDash=[5, 4]).encode(alt.Y("ecart:Q")))
    if trouvee is not None:
        valeur, ecart = trouvee
        texte = f"{court(valeur)} : {_millions(ecart)} M€"
        point = alt.Chart(alt.Data(values=[{"valeur": valeur, "ecart": ecart / MILLION, "texte": texte}]))
        couches.append(point.mark_point(color=BAISSE, size=110, filled=True).encode(x, y))
        couches.append(point.mark_text(align="left", dx=9, dy=-9, color=ENCRE).encode(x, y, alt.Text("texte:N")))
    return alt.layer(*couches).properties(width=LARGEUR, height=320, title=_titre("Courbe de coût"))


def _axe():
    import altair as alt

    return alt.Axis(format=NOMBRE, tickCount=6)


def _sens(colonne: str):
    """Colour of a bar by its sign."""
    import altair as alt

    return alt.condition(f"datum.{colonne} >= 0", alt.value(HAUSSE), alt.value(BAISSE))


def _titre(texte: str):
    import altair as alt

    return alt.TitleParams(texte, anchor="start", color=ENCRE, fontSize=14)


def ecrire(dessin, chemin: Path) -> None:
    """Draw a chart in a file; its suffix says the format.

    Raises:
        ErreurUtilisateur: another suffix than those of ``FORMATS``.
    """
    import vl_convert

    chemin = Path(chemin)
    description = dessin.configure_view(stroke=None).configure_axis(grid=True, gridColor="#eeeeee").to_dict()
    if chemin.suffix == ".svg":
        chemin.write_text(vl_convert.vegalite_to_svg(description, format_locale=LOCALE), encoding="utf-8")
    elif chemin.suffix == ".png":
        chemin.write_bytes(vl_convert.vegalite_to_png(description, format_locale=LOCALE, scale=2))
    else:
        raise ErreurUtilisateur(f"« {chemin} » : attendu un fichier {' ou '.join('.' + f for f in FORMATS)}.")
