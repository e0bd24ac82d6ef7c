"""What the commands print: tables of a comparison and of the doubtful points, within 80 columns.

Names of reforms are long: they head a table, or wrap at the top of a column; they are never repeated on each row.
"""

import textwrap

import polars as pl
from rich.table import Table

from openfisca_fds_tools.population.command import libelle_aide, titre_de_dimension
from openfisca_fds_tools.population.errors import nombre_fr

from .doutes import CONFIANCES

LARGEUR_DES_LIBELLES, LARGEUR_D_UNE_REFORME = 18, 20  # columns of the summary
COMPTES = ("gagnantes", "perdantes", "inchangees", "entrantes", "sortantes")


def signe(valeur: float) -> str:
    """Write a difference of euros with its sign, to the euro."""
    arrondie = round(valeur)
    return f"{'+' if arrondie > 0 else '−' if arrondie < 0 else ''}{nombre_fr(abs(arrondie))}"


def court(valeur: float) -> str:
    """Write the value of a parameter: six decimals at most, none that is zero."""
    return nombre_fr(valeur, 6).rstrip("0").rstrip(",")


def pourcentage(part: float) -> str:
    """Write a signed percentage, two decimals."""
    return f"{'−' if part < 0 else '+'}{nombre_fr(abs(part), 2)} %"


def _table(titre: str, textes: list[str], nombres: list[str]) -> Table:
    rendu = Table(title=titre, title_justify="left", caption_justify="left")
    for nom in textes:
        rendu.add_column(nom)
    for nom in nombres:
        rendu.add_column(nom, justify="right", no_wrap=True)
    return rendu


def totaux(comparaison, largeur: int = 80) -> list[Table]:
    """Summary: one column per reform, as many as the width allows, and one row per measure."""
    sommes = comparaison.totaux()
    droit = next(iter(sommes.values()))[0]
    gagnants = {ligne["reforme"]: ligne for ligne in comparaison.gagnants.iter_rows(named=True)}
    bornes = {ligne["reforme"]: ligne for ligne in comparaison.incertitude.iter_rows(named=True)}
    pas = max(1, (largeur - LARGEUR_DES_LIBELLES) // LARGEUR_D_UNE_REFORME)
    tables = []
    for debut in range(0, len(comparaison.noms), pas):
        noms = comparaison.noms[debut : debut + pas]
        rendu = Table(title=f"Droit : {nombre_fr(droit)} €", title_justify="left")
        rendu.add_column("")
        for nom in noms:
            rendu.add_column(nom, justify="right", overflow="fold")
        rendu.add_row("Coût (€)", *(nombre_fr(sommes[nom][1]) for nom in noms))
        rendu.add_row("Écart (€)", *(signe(sommes[nom][2]) for nom in noms), style="bold")
        if droit:
            rendu.add_row("Écart", *(pourcentage(100 * sommes[nom][2] / droit) for nom in noms))
        if bornes:
            for libelle, borne in (("95 % : de", "borne_basse"), ("95 % : à", "borne_haute")):
                rendu.add_row(libelle, *(signe(bornes[nom][borne]) for nom in noms))
        for compte in COMPTES if gagnants else ():
            rendu.add_row(_sans_code(compte), *(nombre_fr(gagnants[nom][compte]) for nom in noms))
        tables.append(rendu)
    return tables


def _sans_code(nom: str) -> str:
    return nom.replace("inchangees", "inchangées").capitalize()


def couts(table: pl.DataFrame, nom: str) -> Table:
    """Cost of a reform by month and dimension; lines without any difference are counted below."""
    dimensions = [n for n in table.columns[: table.columns.index("reforme")] if n != "mois"]
    rendu = _table(
        f"Coût par mois : {nom}",
        ["Mois", *map(titre_de_dimension, dimensions)],
        ["Droit (€)", "Réforme (€)", "Écart (€)"],
    )
    precedent = None
    for ligne in _qui_changent(table, nom, rendu).iter_rows(named=True):
        mois = ligne["mois"] or "une fois"
        montants = nombre_fr(ligne["avant"]), nombre_fr(ligne["apres"]), signe(ligne["ecart"])
        rendu.add_row(mois if mois != precedent else "", *(ligne[d] for d in dimensions), *montants)
        precedent = mois
    return rendu


def articles(table: pl.DataFrame, nom: str) -> Table:
    """Difference of a reform by article, over all months."""
    rendu = _table(f"Écart par article servi : {nom}", ["Article"], ["Droit (€)", "Réforme (€)", "Écart (€)"])
    sommes = table.group_by("reforme", "article", maintain_order=True).agg(pl.sum("avant", "apres", "ecart"))
    for ligne in _qui_changent(sommes, nom, rendu).iter_rows(named=True):
        montants = nombre_fr(ligne["avant"]), nombre_fr(ligne["apres"]), signe(ligne["ecart"])
        rendu.add_row(libelle_aide(ligne["article"]), *montants)
    return rendu


def deciles(table: pl.DataFrame, nom: str) -> Table:
    """Winners, losers and euros of a reform by decile of reference turnover."""
    titres = ["Référence max (€)", "Gagnantes", "Perdantes", "Écart (€)"]
    rendu = _table(f"Par décile de chiffre d'affaires de référence : {nom}", ["Décile"], titres)
    for ligne in table.filter(pl.col("reforme") == nom).iter_rows(named=True):
        comptes = [nombre_fr(ligne[n]) for n in ("reference_maximale", "gagnantes", "perdantes")]
        rendu.add_row(str(ligne["decile"]), *comptes, signe(ligne["ecart"]))
    return rendu


def _qui_changent(table: pl.DataFrame, nom: str, rendu: Table) -> pl.DataFrame:
    """Lines of a reform that show a difference; the table says under it how many do not."""
    siennes = table.filter(pl.col("reforme") == nom)
    gardees = siennes.filter(pl.col("ecart").round(2) != 0)
    if reste := siennes.height - gardees.height:
        rendu.caption = f"Lignes sans écart, non montrées : {nombre_fr(reste)}."
    return gardees


def details(comparaison) -> list[Table]:
    """Tables of each reform that changes something."""
    tables = []
    for nom in comparaison.noms:
        rendues = [couts(comparaison.couts, nom), articles(comparaison.articles, nom)]
        if rendues[0].row_count and comparaison.deciles.height:
            rendues.append(deciles(comparaison.deciles, nom))
        tables += [rendue for rendue in rendues if rendue.row_count]
    return tables


def mesures(nom: str, parts: pl.DataFrame) -> Table:
    """Contribution of each measure of a composition, whatever their order."""
    rendu = _table(f"Par mesure : {nom}", ["Mesure"], ["Seule (€)", "Contribution (€)"])
    for mesure, seule, contribution in parts.iter_rows():
        rendu.add_row(mesure, signe(seule), signe(contribution))
    rendu.add_section()
    rendu.add_row("ensemble", "", signe(parts["contribution"].sum()))
    return rendu


# ---- doubtful points and declared sensitivity ----


def liste_des_doutes(points, largeur: int = 80) -> str:
    """Doubtful points in full: question, parameter, reading of the model, confidence, other readings."""
    blocs = []
    for doute in points:
        lignes = [doute.question]
        lignes.append(f"Retenue : {doute.retenue} Confiance : {', '.join(CONFIANCES[c] for c in doute.confiance)}.")
        lignes += [f"Autre : {autre.texte}" for autre in doute.autres]
        lignes += [] if doute.autres else ["Sans autre lecture qu'un paramètre puisse appliquer."]
        ecrites = [textwrap.fill(li, largeur, initial_indent="  ", subsequent_indent="    ") for li in lignes]
        blocs.append("\n".join([f"{doute.numero} ({doute.chemin})", *ecrites]))
    return "\n\n".join(blocs)


def effets(mesures) -> Table:
    """Show what each other reading changes, alone."""
    rendu = _table("Effet de chaque autre lecture, seule", ["Lecture"], ["Écart (€)", "Gagnantes", "Perdantes"])
    for ligne in mesures.table.iter_rows(named=True):
        comptes = nombre_fr(ligne["gagnantes"]), nombre_fr(ligne["perdantes"])
        rendu.add_row(f"{ligne['numero']} : {ligne['lecture']}", signe(ligne["ecart"]), *comptes)
    return rendu


def ensemble(effets) -> str:
    """Say what the readings change together."""
    return (
        f"Coût des lectures retenues : {nombre_fr(effets.cout)} €. Ensemble : de {signe(effets.ensemble['minimum'])} € "
        f"(lectures qui réduisent) à {signe(effets.ensemble['maximum'])} € (lectures qui augmentent) ; "
        f"toutes les autres lectures à la fois : {signe(effets.ensemble['toutes'])} €."
    )


def intervalles(mesures) -> list[Table]:
    """Show what declared uncertainty does to each reform: one bound a row, then the interval of all together."""
    tables = []
    for sommaire in mesures.ensemble.iter_rows(named=True):
        nom = sommaire["reforme"]
        rendu = _table(f"Sensibilité : {nom}", ["Paramètre", "Valeur"], ["Écart (€)"])
        precedent = None
        for ligne in mesures.table.filter(pl.col("reforme") == nom).iter_rows(named=True):
            neuf = ligne["parametre"] != precedent
            rendu.add_row(ligne["parametre"] if neuf else "", ligne["valeur"], signe(ligne["ecart"]))
            precedent = ligne["parametre"]
        rendu.add_section()
        rendu.add_row("droit tel quel", "", signe(sommaire["ecart"]))
        rendu.add_row("ensemble, bornes qui réduisent l'écart", "", signe(sommaire["minimum"]))
        rendu.add_row("ensemble, bornes qui l'augmentent", "", signe(sommaire["maximum"]))
        tables.append(rendu)
    return tables
