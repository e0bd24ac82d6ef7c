"""What ``backtest`` prints: tables of at most 80 columns."""

import polars as pl
from rich.table import Table
from rich.text import Text

from .confrontation import RESUME, Backtest
from .marges import SEUILS, statuts
from .textes import RIEN, millions, mois_court, nombre, pourcent, rapport

POSITIONS = {"dans": "", "sous": "↓", "sur": "↑"}  # the bounds
LARGEUR_DU_LIBELLE, LARGEUR_DU_TITRE = 26, 38
ENTIERES = ("section", "region", "classe_effectif", "forme_juridique")
TITRES_DES_STATUTS = {
    "calee": "Marges calées",
    "regardee": "Marges regardées",
    "ecartee": "Marges tenues à l'écart",
}


def _table(titre: str, premiere: str, nombres: tuple[str, ...], largeur: int = LARGEUR_DU_LIBELLE) -> Table:
    rendu = Table(title=titre, title_justify="left")
    rendu.add_column(premiere, max_width=largeur, no_wrap=True, overflow="ellipsis")
    for nom in nombres:
        rendu.add_column(nom, justify="right", no_wrap=True)
    return rendu


def mois_aide(table: pl.DataFrame) -> Table:
    """Table of the months of aid: simulated, target, bounds, ratio, number of aids, in millions of euros and thousands.

    Args:
        table: result of ``marges.par_mois_aide``.
    """
    rendu = _table("Volet 1 par mois d'aide, M€", "Mois d'aide", ("Simulé", "Versé*", "Bornes", "Rapport", "Aides, k"))
    rendu.add_column("")
    rendu.caption = "* cible jugée : le montant versé par mois d'aide n'a jamais été publié"
    rendu.caption_justify = "left"
    for ligne in table.iter_rows(named=True):
        rendu.add_row(
            mois_court(ligne["premier_mois"], ligne["dernier_mois"]),
            millions(ligne["simule"]),
            millions(ligne["cible"]),
            f"{millions(ligne['bas'])} – {millions(ligne['haut'])}",
            rapport(ligne["simule"], ligne["cible"]),
            RIEN if ligne["aides"] is None else nombre(ligne["aides"] / 1000),
            Text(POSITIONS[ligne["position"]], style="bold red"),
        )
    simule, cible = table["simule"].sum(), table["cible"].sum()
    rendu.add_section()
    aides = nombre(table["aides"].sum() / 1000)
    rendu.add_row("Total", millions(simule), millions(cible), "", rapport(simule, cible), aides, "", style="bold")
    return rendu


def mois_paiement(table: pl.DataFrame) -> Table:
    """Table of the months of payment; what is left after the last snapshot comes last."""
    rendu = _table("Volet 1 par mois de paiement, M€", "Payé en", ("Simulé", "Versé", "Rapport"))
    for ligne in table.iter_rows(named=True):
        rendu.add_row(
            "après juin 22" if ligne["mois"] is None else mois_court(ligne["mois"]),
            millions(ligne["simule"]),
            millions(ligne["verse"]),
            rapport(ligne["simule"], ligne["verse"]),
        )
    return rendu


def marge(nom: str, table: pl.DataFrame) -> Table:
    """Table of a whole margin: euros, ratio, mean aids."""
    rendu = _table(f"{statuts()[nom]['titre']}, M€", "", ("Simulé", "Versé", "Rapport", "Entr. k", "vers. k"))
    for ligne in table.iter_rows(named=True):
        simulees, aidees = (ligne[cle] and ligne[cle] / 1000 for cle in ("entreprises", "entreprises_versees"))
        rendu.add_row(
            ligne["libelle"],
            millions(ligne["simule"]),
            millions(ligne["verse"]),
            rapport(ligne["simule"], ligne["verse"]),
            nombre(simulees),
            nombre(aidees),
        )
    return rendu


def volets(carte: dict) -> Table:
    """Table of the two volets."""
    rendu = _table("Volets, M€", "", ("Simulé", "Versé", "Rapport"))
    for nom, verse in carte["totaux"]["verses"].items():
        simule = carte["totaux"]["simules"].get(nom, {}).get("montant", 0.0)
        rendu.add_row(nom.replace("_", " "), millions(simule), millions(verse), rapport(simule, verse))
    return rendu


def resume(table: pl.DataFrame) -> Table:
    """Table of the errors of each margin, fitted and held out apart."""
    seuil = pourcent(SEUILS[1])
    rendu = _table("Ce que vaut l'accord", "Marge", ("Cases", "Erreur", f"À {seuil}", "Grandes"), LARGEUR_DU_TITRE)
    rendu.caption = (
        f"Erreur : écarts sans signe sur le versé. À {seuil} : part des euros versés dans des cases à moins de {seuil} "
        "du versé. Grandes : grandes cases à moins de ce seuil."
    )
    rendu.caption_justify = "left"
    for statut, titre in TITRES_DES_STATUTS.items():
        rendu.add_section()
        rendu.add_row(Text(titre, style="bold"), *[""] * 4)
        for ligne in table.filter(pl.col("statut") == statut).iter_rows(named=True):
            rendu.add_row(
                f"  {ligne['titre']}",
                nombre(ligne["cases"]),
                pourcent(ligne["erreur"]),
                pourcent(ligne["part_25"]),
                f"{ligne['grandes_25']}/{ligne['grandes']}",
            )
    return rendu


def tables(resultat: Backtest) -> list[Table]:
    """List everything that the command prints, in order."""
    return [
        mois_aide(resultat.tables["mois_aide"]),
        mois_paiement(resultat.tables["mois_paiement"]),
        *(marge(nom, resultat.marge(nom)) for nom in ENTIERES),
        volets(resultat.carte),
        resume(resultat.tables[RESUME]),
    ]
