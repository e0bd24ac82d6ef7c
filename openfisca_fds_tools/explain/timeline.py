"""The whole history of one enterprise, month by month."""

from dataclasses import dataclass

from openfisca_core import periods
from rich.console import Group
from rich.rule import Rule
from rich.text import Text

from openfisca_fds.periodes import mois_de
from openfisca_fds_tools.situation import SimulationParEntreprise

from . import ecriture
from .cas import rang_de
from .conseils import plus_proche
from .essais import AIDES_UNIQUES, CHIFFRE_D_AFFAIRES
from .explication import explain, payeur
from .lecteur import Lecteur
from .phrases import changes
from .rendu import couper

MOIS_DU_FONDS = mois_de(periods.period("2020-03"), periods.period("2022-02"))
PENSIONS = "fds_pensions_et_indemnites"


@dataclass(frozen=True)
class Mois:
    """One month of the history.

    Attributes:
        periode: ``2021-03``.
        reference, perte: euros; taux: fraction.
        article: number of the article that pays, or of the nearest one that refuses; empty if none is in force, or
            without reference turnover.
        regime: branch applied and what is taken off, or the nearest change that would have opened the right.
        montant: euros paid for the month; cumul: euros paid since March 2020, this month included.
    """

    periode: str
    reference: float
    perte: float
    taux: float
    article: str
    regime: str
    montant: float
    cumul: float


@dataclass(frozen=True)
class Historique:
    """History of one enterprise: months from March 2020 to February 2022, then the aids that are not monthly.

    ``mois_sans_chiffre_affaires``: months aided while nobody gave their turnover, hence read as a total loss.
    """

    entreprise: str
    mois: list[Mois]
    aides_uniques: list[tuple[str, float]]
    total: float
    mois_sans_chiffre_affaires: tuple[str, ...] = ()


def historique(simulation, entreprise=None):
    """Follow one enterprise from March 2020 to February 2022.

    Args:
        simulation: openfisca-core Simulation.
        entreprise: id of the enterprise; needed when there are several.

    Returns:
        Historique, amounts in euros, unrounded.

    Raises:
        ValueError: ``entreprise`` is missing or unknown.
    """
    lignes, cumul, rang = [], 0.0, rang_de(simulation, entreprise)
    for periode in MOIS_DU_FONDS:
        explication = explain(simulation, periode, entreprise, autres=False, details=False)
        cumul += explication.montant
        reference, perte, taux = (fait.valeur for fait in explication.faits[1:4])
        pensions = float(simulation.calculate(PENSIONS, periode)[rang])
        article, regime = _regime(explication, pensions)
        lignes.append(Mois(str(periode), reference, perte, taux, article, regime, explication.montant, cumul))
    uniques = []
    for nom in AIDES_UNIQUES:
        montant = float(simulation.calculate(nom, MOIS_DU_FONDS[0])[rang])
        if montant > 0:
            uniques.append((simulation.tax_benefit_system.get_variable(nom).label, montant))
    total = cumul + sum(montant for _, montant in uniques)
    return Historique(explication.entreprise, lignes, uniques, total, _sans_chiffre_affaires(simulation, rang, lignes))


def _sans_chiffre_affaires(simulation, rang, lignes):
    """Months aided whose turnover the case does not give; none where what was given cannot be known for sure."""
    if not isinstance(simulation, SimulationParEntreprise):
        return ()
    donnees = Lecteur(simulation, rang, MOIS_DU_FONDS[0]).declarees
    aides = (mois.periode for mois in lignes if mois.montant > 0)
    return tuple(periode for periode in aides if (CHIFFRE_D_AFFAIRES, periode) not in donnees)


def _regime(explication, pensions):
    """Article and branch that pay, with what is taken off; else the nearest refusal; else nothing."""
    numero, regime = payeur(explication)
    if numero:
        if pensions > 0:
            regime += f" ; pensions et indemnités du dirigeant : {ecriture.euros(pensions)}"
        if explication.montant < explication.avant_plafond:
            regime += f" ; plafond du groupe, {ecriture.euros(explication.avant_plafond)} avant plafond"
        return numero, regime
    if explication.montant > 0:
        return "", "aide d'un autre texte"
    for article in explication.articles:
        if article.montant > 0:
            return article.numero, "droit ouvert, sans demande"
        if article.eligible:
            return article.numero, "droit ouvert, montant nul"
    proche = plus_proche(explication)
    if proche is None or not explication.reference.valeur:
        return "", ""
    return proche.numero, f"refus ; au plus près : {changes(proche)}, pour {ecriture.euros(proche.montant_si_change)}"


def afficher(histoire, largeur=80):
    """Lay a history out for a terminal.

    Args:
        histoire: Historique.
        largeur: columns.

    Returns:
        A Rich Group: one line of figures a month, and below it the branch applied or the refusal.
    """
    entetes = ("Mois", "Article", "Référence", "Perte", "Taux", "Aide", "Cumul")
    lignes = [_cellules(mois) for mois in histoire.mois]
    largeurs = [max(len(ligne[rang]) for ligne in (entetes, *lignes)) for rang in range(len(entetes))]
    imprimes = [
        Rule(Text(f"Entreprise « {histoire.entreprise} »", style="bold"), align="left"),
        Text(_ligne(entetes, largeurs), style="bold", no_wrap=True),
    ]
    for mois, cellules in zip(histoire.mois, lignes, strict=True):
        paye = mois.montant > 0
        imprimes.append(Text(_ligne(cellules, largeurs), style="" if paye else "dim", no_wrap=True))
        if mois.regime:
            texte = couper(mois.regime, largeur - 4).replace("\n", "\n    ")
            imprimes.append(Text(f"    {texte}", style="green" if paye else "dim", no_wrap=True))
    for libelle, montant in histoire.aides_uniques:
        imprimes.append(Text(couper(f"{libelle} : {ecriture.euros(montant)}", largeur), no_wrap=True))
    if absents := histoire.mois_sans_chiffre_affaires:
        texte = f"Attention, chiffre d'affaires non donné, lu comme 0 € (perte totale) : {', '.join(absents)}."
        imprimes.append(Text(couper(texte, largeur), style="bold red", no_wrap=True))
    imprimes.append(Text(f"Total : {ecriture.euros(histoire.total)}", style="bold"))
    return Group(*imprimes)


def _cellules(mois):
    return (
        mois.periode,
        mois.article or "—",
        ecriture.nombre(mois.reference, 2),
        ecriture.nombre(mois.perte, 2),
        ecriture.pourcentage(mois.taux),
        ecriture.nombre(mois.montant, 2),
        ecriture.nombre(mois.cumul, 2),
    )


def _ligne(cellules, largeurs):
    textes = [
        cellule.ljust(largeur) if rang < 2 else cellule.rjust(largeur)
        for rang, (cellule, largeur) in enumerate(zip(cellules, largeurs, strict=True))
    ]
    return "  ".join(textes)
