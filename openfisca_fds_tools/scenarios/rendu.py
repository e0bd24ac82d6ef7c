"""What the commands print: tables of a comparison and of the doubtful points."""

import polars as pl
from rich.table import Table

from openfisca_fds_tools.population.command import _libelle
from openfisca_fds_tools.population.errors import nombre_fr

from .doutes import CONFIANCES


def signe(valeur: float) -> str:
    """Write a difference of euros with its sign, to the euro."""
    arrondie = round(valeur)
    return f"{'+' if arrondie > 0 else '−' if arrondie < 0 else ''}{nombre_fr(abs(arrondie))}"


def _table(titre: str, textes: list[str], nombres: list[str]) -> Table:
    rendu = Table(title=titre)
    for nom in textes:
        rendu.add_column(nom)
    for nom in nombres:
        rendu.add_column(nom, justify="right", no_wrap=True)
    return rendu


def totaux(comparaison) -> Table:
    """One row per reform: cost, difference, share, winners, losers, uncertainty."""
    bornes = {ligne["reforme"]: ligne for ligne in comparaison.incertitude.iter_rows(named=True)}
    titres = ["Coût (€)", "Écart (€)", "%", "Gagnantes", "Perdantes", "Entrantes", "Sortantes"]
    rendu = _table("Droit et réformes", ["Réforme"], titres + (["Intervalle à 95 %"] if bornes else []))
    sommes = comparaison.totaux()
    avant = next(iter(sommes.values()))[0]
    rendu.add_row("droit", nombre_fr(avant), *[""] * (len(rendu.columns) - 2))
    for ligne in comparaison.gagnants.iter_rows(named=True):
        nom = ligne["reforme"]
        _, apres, ecart = sommes[nom]
        part = f"{100 * ecart / avant:+.2f}".replace(".", ",") if avant else ""
        comptes = [nombre_fr(ligne[n]) for n in ("gagnantes", "perdantes", "entrantes", "sortantes")]
        cellules = [nom, nombre_fr(apres), signe(ecart), part, *comptes]
        if bornes:
            cellules.append(f"{signe(bornes[nom]['borne_basse'])} ; {signe(bornes[nom]['borne_haute'])}")
        rendu.add_row(*cellules)
    return rendu


def couts(table: pl.DataFrame) -> Table:
    """Cost by month and dimension, months without any difference left out."""
    dimensions = [nom for nom in table.columns[: table.columns.index("reforme")] if nom != "mois"]
    rendu = _table("Coût par mois", ["Réforme", "Mois", *dimensions], ["Droit (€)", "Réforme (€)", "Écart (€)"])
    for ligne in table.filter(pl.col("ecart").round(2) != 0).iter_rows(named=True):
        textes = [ligne["reforme"], ligne["mois"] or "une fois", *(ligne[d] for d in dimensions)]
        rendu.add_row(*textes, nombre_fr(ligne["avant"]), nombre_fr(ligne["apres"]), signe(ligne["ecart"]))
    return rendu


def articles(table: pl.DataFrame) -> Table:
    """Difference by article, over all months."""
    rendu = _table("Écart par article servi", ["Réforme", "Article"], ["Droit (€)", "Réforme (€)", "Écart (€)"])
    sommes = table.group_by("reforme", "article", maintain_order=True).agg(pl.sum("avant", "apres", "ecart"))
    for ligne in sommes.filter(pl.col("ecart").round(2) != 0).iter_rows(named=True):
        article = _libelle(ligne["article"])
        montants = nombre_fr(ligne["avant"]), nombre_fr(ligne["apres"]), signe(ligne["ecart"])
        rendu.add_row(ligne["reforme"], article, *montants)
    return rendu


def mesures(nom: str, parts: pl.DataFrame) -> Table:
    """Contribution of each measure of a composition, whatever their order."""
    rendu = _table(f"Par mesure : {nom}", ["Mesure"], ["Seule (€)", "Contribution (€)"])
    for mesure, seule, contribution in parts.iter_rows():
        rendu.add_row(mesure, signe(seule), signe(contribution))
    rendu.add_section()
    rendu.add_row("ensemble", "", signe(parts["contribution"].sum()))
    return rendu


def deciles(table: pl.DataFrame) -> Table:
    """Winners, losers and euros by decile of reference turnover."""
    titres = ["Référence max (€)", "Gagnantes", "Perdantes", "Écart (€)"]
    rendu = _table("Par décile de chiffre d'affaires de référence", ["Réforme", "Décile"], titres)
    actifs = table.filter(pl.col("ecart").round(2).abs().sum().over("reforme") > 0)
    for ligne in actifs.iter_rows(named=True):
        comptes = [nombre_fr(ligne[n]) for n in ("reference_maximale", "gagnantes", "perdantes")]
        rendu.add_row(ligne["reforme"], str(ligne["decile"]), *comptes, signe(ligne["ecart"]))
    return rendu


def liste_des_doutes(points) -> str:
    """Doubtful points in full: question, parameter, reading of the model, confidence, other readings."""
    blocs = []
    for doute in points:
        lignes = [f"{doute.numero} ({doute.chemin})", f"  {doute.question}"]
        lignes.append(f"  Retenue : {doute.retenue} Confiance : {', '.join(CONFIANCES[c] for c in doute.confiance)}.")
        lignes += [f"  Autre : {autre.texte}" for autre in doute.autres]
        lignes += [] if doute.autres else ["  Sans autre lecture qu'un paramètre puisse appliquer."]
        blocs.append("\n".join(lignes))
    return "\n\n".join(blocs)


def effets(mesures) -> Table:
    """Show what each other reading changes, alone."""
    rendu = _table("Effet de chaque autre lecture, seule", ["N°", "Lecture"], ["Écart (€)", "Gagnantes", "Perdantes"])
    for ligne in mesures.table.iter_rows(named=True):
        comptes = nombre_fr(ligne["gagnantes"]), nombre_fr(ligne["perdantes"])
        rendu.add_row(ligne["numero"], ligne["lecture"], signe(ligne["ecart"]), *comptes)
    return rendu


def ensemble(effets) -> str:
    """Say what the readings change together."""
    return (
        f"Coût des lectures retenues : {nombre_fr(effets.cout)} €. Ensemble : de {signe(effets.ensemble['minimum'])} € "
        f"(lectures qui réduisent) à {signe(effets.ensemble['maximum'])} € (lectures qui augmentent) ; "
        f"toutes les autres lectures à la fois : {signe(effets.ensemble['toutes'])} €."
    )
