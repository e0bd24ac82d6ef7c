"""What a change would give: the group of an enterprise, copied once for each trial, and computed by the model."""

import functools
from dataclasses import dataclass

import numpy
from openfisca_core import periods
from openfisca_core.periods import ETERNITY, DateUnit

from openfisca_fds.amounts import CENTIMES
from openfisca_fds_tools.situation import repliquer

from .data import Pente

AIDE_DU_MOIS = "fonds_de_solidarite"
CHIFFRE_D_AFFAIRES = "chiffre_affaires"
PARTIES_DU_CHIFFRE = ("chiffre_affaires_vente_a_distance", "chiffre_affaires_jours_interdiction")  # never more than it
UN_DEMI_CENTIME = 0.005
POUSSIERE = 5e-4  # euros: what a cent of turnover never gives less than, and dust of floats never reaches
PENTE_MAXIMALE = 1.001  # euros of aid for one of turnover; a steeper slope is a threshold
PARTS, AFFINAGES = 65, 4  # an interval is cut in 64, four times: to the cent up to 160 000 €
JOUR = "jour"

# Aids that are not monthly; asked for any month.
AIDES_UNIQUES = (
    "fds_volet_2",
    "fds_volet_territorial",
    "fds_discotheque_volet_2_mars_aout_2020",
    "fds_discotheque_volet_2_septembre_novembre_2020",
    "multi_activites_montant",
)
AU_MAXIMUM_DES_ARTICLES = ("fds_discotheque_volet_1",)  # of another text, and paid instead of an article


class Essais:
    """Trials on one enterprise, all in one simulation; the changes are made before anything is asked.

    Args:
        simulation: openfisca-core Simulation.
        rang: row of the enterprise.
        nombre: number of trials k.

    Attributes:
        simulation: the copies, where the enterprise of the first trial is ``identifiant``, at the row ``premiere``.
    """

    def __init__(self, simulation, rang, nombre):
        self._base, self._rang = simulation, rang
        self.simulation = repliquer(simulation, nombre, rang)
        self.identifiant = f"{simulation.persons.ids[rang]}#0"
        self.premiere = list(self.simulation.persons.ids).index(self.identifiant)
        membres = self.simulation.persons.count // nombre
        self._entreprises, self._groupes = numpy.arange(nombre) * membres + self.premiere, numpy.arange(nombre)

    def _rangs(self, nom):
        """Rows of the enterprise, or of its group, in each trial: int array of shape (k,)."""
        variable = self.simulation.tax_benefit_system.get_variable(nom)
        return self._entreprises if variable.entity.is_person else self._groupes

    def calculer(self, nom, period):
        """Compute a variable for the enterprise in each trial: array of shape (k,)."""
        return self.simulation.calculate(nom, period)[self._rangs(nom)]

    def donner(self, nom, period, valeurs, essais=slice(None)):
        """Give a variable in some trials; with a turnover, none of its parts is more than it.

        Args:
            nom: variable.
            period: Period of the variable's own length, or ETERNITY.
            valeurs: list of one value for each of these trials.
            essais: rows of the trials; all of them by default.
        """
        self.simulation.donner(nom, period, self._rangs(nom)[essais], valeurs)
        for partie in PARTIES_DU_CHIFFRE if nom == CHIFFRE_D_AFFAIRES else ():
            donnee = float(self._base.calculate(partie, period)[self._rang])
            if donnee > min(valeurs):
                self.donner(partie, period, [min(donnee, float(valeur)) for valeur in valeurs], essais)

    def changer(self, essai, saisie):
        """Make the change of a Saisie in one trial; a value over several months is shared among them evenly."""
        variable = self.simulation.tax_benefit_system.get_variable(saisie.variable)
        periode = periods.period(ETERNITY if variable.definition_period == ETERNITY else saisie.periode)
        parts = [periode] if periode.unit == ETERNITY else periode.get_subperiods(DateUnit.MONTH)
        valeur = saisie.valeur if len(parts) == 1 else saisie.valeur / len(parts)
        for part in parts:
            self.donner(saisie.variable, part, [valeur], [essai])


@dataclass(frozen=True)
class Issue:
    """A set of changes that the model has been asked about.

    Attributes:
        changements: list of Changement.
        payeur: variable of the amount asked for; of each one that goes up when it is the aid of the month that was.
        premier: variable of the highest amount.
        montant: euros of the payer; plus_haut: of the highest amount; aide: of the month.
        gain: euros that all the aids together gain, those that are not monthly included; negative when they lose.
        paie: the right itself then pays more than what is paid, and nothing is lost by it; for a right that pays
            already, more than the turnover that the enterprise would have had to lose.
    """

    changements: list
    payeur: str
    premier: str | None
    montant: float
    plus_haut: float
    aide: float
    gain: float
    paie: bool


def facilite(jeu):
    """Order sets of changes: first those that leave the enterprise what it is, then the fewest."""
    return any(un.activite for un in jeu), len(jeu)


def _recette_perdue(jeu, period):
    """Euros of turnover of the month that a set of changes takes away: an aid of the loss gives that much back."""
    de_moins = (un for un in jeu if un.sens == "au plus" and un.saisie.variable == CHIFFRE_D_AFFAIRES)
    return sum(un.ecart for un in de_moins if un.saisie.periode == str(period))


def ouvrir(simulation, rang, period, demandes, payeurs):
    """Find, for each right, the set of changes that really opens it: of those that pay more the nearest.

    The model is run on each set. When none pays more, the nearest one.

    Args:
        simulation: openfisca-core Simulation.
        rang: row of the enterprise.
        period: month (Period).
        demandes: list of (name of the right, name of its amount, sets of Changement, the nearest first); an amount
            stands for a right that no variable holds, the aid of the month for all of them.
        payeurs: names of the amounts that the aid of the month is the highest of.

    Returns:
        List, for each right, of (Issue, or None if no set opens it, list of the Issue that pay more).
    """
    essayees = _essayer(simulation, rang, period, demandes, payeurs)
    return [(_la_meilleure(ouvertes), [une for une in ouvertes if une.paie]) for ouvertes in essayees]


def _la_meilleure(ouvertes):
    payantes = [issue for issue in ouvertes if issue.paie]
    return min(payantes or ouvertes, key=lambda issue: facilite(issue.changements), default=None)


def _essayer(simulation, rang, period, demandes, payeurs):
    """Run the model on each set of changes: for each right, the list of Issue of those that open it, in order."""
    rangees = [jeu for _, _, jeux in demandes for jeu in jeux]
    if not rangees:
        return [[] for _ in demandes]
    essais = Essais(simulation, rang, len(rangees))
    for essai, jeu in enumerate(rangees):
        for changement in jeu:
            essais.changer(essai, changement.saisie)
    actuelle = float(simulation.calculate(AIDE_DU_MOIS, period)[rang])
    payees = {nom: un for nom in AIDES_UNIQUES if (un := float(simulation.calculate(nom, period)[rang])) > 0}
    aides, debut, issues = essais.calculer(AIDE_DU_MOIS, period), 0, []
    gains = aides - actuelle + sum(essais.calculer(nom, period) - un for nom, un in payees.items())
    premiers, plus_hauts = _plus_hauts(essais, period, payeurs)

    def issues_de(droit, nom, jeux, ceux):
        montants, ouverts = essais.calculer(nom, period)[ceux], essais.calculer(droit, period)[ceux] > 0
        propre = float(simulation.calculate(nom, period)[rang])
        if droit == AIDE_DU_MOIS:
            ouverts &= montants > propre + UN_DEMI_CENTIME
        if nom in AIDES_UNIQUES:
            propres, gagnes = montants - payees.get(nom, 0), gains[ceux] + (0 if nom in payees else montants)
        else:
            propres, gagnes = numpy.minimum(montants, aides[ceux]) - actuelle, gains[ceux]
        payee = (actuelle if droit == AIDE_DU_MOIS else propre) > 0
        pertes = numpy.array([_recette_perdue(jeu, period) if payee else 0.0 for jeu in jeux])
        paient = (propres > 0) & (gagnes > pertes + UN_DEMI_CENTIME)
        resultats = zip(*(un.tolist() for un in (montants, plus_hauts[ceux], aides[ceux], gagnes, paient)), strict=True)
        essayees = zip(jeux, premiers[ceux], resultats, ouverts, strict=True)
        return [Issue(jeu, nom, premier, *resultat) for jeu, premier, resultat, ouvert in essayees if ouvert]

    for droit, nom, jeux in demandes:
        ceux = slice(debut, debut + len(jeux))
        debut = ceux.stop
        noms = payeurs if droit == AIDE_DU_MOIS else [nom]
        issues.append([une for un in noms if jeux for une in issues_de(droit, un, jeux, ceux)])
    return issues


def _plus_hauts(essais, period, noms):
    """Name and euros of the highest of several amounts in each trial: list and array of k."""
    if not noms:
        aides = essais.calculer(AIDE_DU_MOIS, period)
        return [None] * len(aides), numpy.zeros(len(aides))
    montants = numpy.array([essais.calculer(nom, period) for nom in noms])
    return [noms[rang] for rang in montants.argmax(axis=0)], montants.max(axis=0)


def _aides(simulation, rang, period, valeurs, variable=CHIFFRE_D_AFFAIRES):
    """Aid of the month for each of k values of an input of the month: float array of shape (k,), euros."""
    essais = Essais(simulation, rang, len(valeurs))
    essais.donner(variable, period, list(valeurs))
    return essais.calculer(AIDE_DU_MOIS, period)


def _en_parts(bas, haut):
    """Cut an interval of euros in parts, to the cent but for its bounds: sorted float array."""
    entre = numpy.rint(CENTIMES * numpy.linspace(bas, haut, PARTS)[1:-1]) / CENTIMES
    return numpy.unique([bas, *entre[(entre > bas) & (entre < haut)], haut])


def pente(simulation, rang, period):
    """Say how the aid of the month follows the turnover of the month, as this one goes down.

    Args:
        simulation: openfisca-core Simulation.
        rang: row of the enterprise.
        period: month (Period).

    Returns:
        Pente; None if a euro less adds nothing, or crosses a threshold.
    """
    aides = functools.partial(_aides, simulation, rang, period)
    actuel, aide = (float(simulation.calculate(nom, period)[rang]) for nom in (CHIFFRE_D_AFFAIRES, AIDE_DU_MOIS))
    bas, haut = 0.0, actuel - 1 / CENTIMES
    d_un_centime, d_un_euro = aides([max(haut, 0.0), max(actuel - 1, 0.0)]) - aide
    par_euro = float(CENTIMES * d_un_centime)
    if abs(par_euro - d_un_euro) < UN_DEMI_CENTIME:
        par_euro = float(d_un_euro)  # the same, more exactly, unless a limit is less than a euro away
    if not UN_DEMI_CENTIME < par_euro < PENTE_MAXIMALE:
        return None
    for _ in range(AFFINAGES):
        valeurs = _en_parts(bas, haut)
        rompues = numpy.flatnonzero(numpy.abs(aides(valeurs) - aide - par_euro * (actuel - valeurs)) > POUSSIERE)
        if not len(rompues):
            haut = valeurs[0]
            break
        bas, haut = valeurs[rompues[-1]], valeurs[rompues[-1] + 1]
    au_plus, apres = aides([haut, max(haut - 1 / CENTIMES, 0.0)]).tolist()
    return Pente(par_euro, au_plus, float(haut), apres)


def plus_grande(simulation, rang, period, variable, aide):
    """Give the greatest value of an input, below the present one, for which the aid of the month reaches an amount.

    Args:
        simulation: openfisca-core Simulation.
        rang: row of the enterprise.
        period: month (Period).
        variable: monthly input in euros.
        aide: euros to reach.

    Returns:
        Euros, to the cent; None when no value found reaches it.
    """
    return _la_premiere(simulation, rang, period, variable, 0.0, aide)


def plus_petite(simulation, rang, period, variable, plafond, aide):
    """Give the least value of an input, from the present one to ``plafond`` (euros); as ``plus_grande`` otherwise."""
    return _la_premiere(simulation, rang, period, variable, float(plafond), aide)


def _la_premiere(simulation, rang, period, variable, borne, aide):
    """Give the value nearest to the present one, towards a bound, for which the aid of the month reaches an amount."""
    avant, apres = float(simulation.calculate(variable, period)[rang]), borne
    for _ in range(AFFINAGES):
        valeurs = _en_parts(*sorted((avant, apres)))
        valeurs = valeurs if avant < apres else valeurs[::-1]
        payants = numpy.flatnonzero(_aides(simulation, rang, period, valeurs, variable) >= aide - POUSSIERE)
        if not len(payants):
            return None
        avant, apres = valeurs[max(payants[0] - 1, 0)], valeurs[payants[0]]
    return float(apres)


def premier_seuil(simulation, rang, period, variable, plafond):
    """Give the least value of an input, above the present one, where the aid of the month leaps.

    It goes up there by more than the input does.

    Args:
        simulation: openfisca-core Simulation.
        rang: row of the enterprise.
        period: month (Period).
        variable: monthly input in euros.
        plafond: greatest value of the input (euros).

    Returns:
        (euros of the input, to the cent, euros of the aid there); None when the aid never leaps.
    """
    avant, apres = float(simulation.calculate(variable, period)[rang]), float(plafond)
    for _ in range(AFFINAGES):
        valeurs = _en_parts(avant, apres)
        aides = _aides(simulation, rang, period, valeurs, variable)
        sauts = numpy.flatnonzero(numpy.diff(aides) > PENTE_MAXIMALE * numpy.diff(valeurs) + UN_DEMI_CENTIME)
        if not len(sauts):
            return None
        avant, apres = valeurs[sauts[0]], valeurs[sauts[0] + 1]
    return float(apres), float(aides[sauts[0] + 1])


def suit_la_limite(simulation, rang, period, variable, valeur, aide):
    """Tell whether an aid goes down by a euro at most, and not at once, for a euro more of an input.

    Args:
        simulation: openfisca-core Simulation.
        rang: row of the enterprise.
        period: month (Period).
        variable: monthly input in euros.
        valeur: euros of the input, where the aid is ``aide``.
        aide: euros.
    """
    return bool(_aides(simulation, rang, period, [valeur + 1], variable)[0] >= aide - PENTE_MAXIMALE)
