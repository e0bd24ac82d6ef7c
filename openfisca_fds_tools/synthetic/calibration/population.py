"""The population drawn for the calibration, what the engine pays it, and what is expected of it."""

from dataclasses import dataclass

import numpy
import polars
from scipy.special import ndtri

from openfisca_fds_tools.population import simulate

from ..calage import TAILLE_PAR_CLASSE
from ..chiffre_affaires import repartition_normale
from ..hypotheses import MOIS_AIDE
from ..recours import attrait, demander, logistique
from ..tirage import TAILLE_TRANCHE, colonnes, tirer

AIDE = "fds_volet_1"
_QUANTITES = ("poids", "section", "statut", "classe", "departement", "perte", "reticence", "jours_interdiction")
POINTS_DE_GAUSS = 7


@dataclass(frozen=True)
class Population:
    """Enterprises drawn and the aids they would have.

    Attributes:
        e: quantities drawn, by name, (n,) or (n, 24).
        tirage: weight drawn, before the calibrated ratio, (n,).
        lignes: the same enterprises as a population file.
        potentielle: aid of each month if all asked, euros, (n, 24).
    """

    e: dict[str, numpy.ndarray]
    tirage: numpy.ndarray
    lignes: polars.DataFrame
    potentielle: numpy.ndarray


def peupler(hypotheses, taille, graine):
    """Draw ``taille`` enterprises, rounded up to whole slices, concentrated where the aids are.

    The same seed gives the same draws whatever the calibration: only what it moves moves.
    """
    tranches = -(-taille // TAILLE_TRANCHE)
    tables, tirees = [], []
    for numero in range(tranches):
        e = tirer(hypotheses, graine, numero, tranches * TAILLE_TRANCHE, concentre=True)
        tables.append(colonnes(e))
        tirees.append({nom: e[nom] for nom in _QUANTITES})
    e = {nom: numpy.concatenate([t[nom] for t in tirees]) for nom in _QUANTITES}
    lignes = polars.concat(tables)
    tous = lignes.with_columns(polars.lit(True).alias(f"demande_fonds_solidarite:{mois}") for mois in MOIS_AIDE)
    return Population(e, e["poids"] / rapports(hypotheses, e), lignes, payer(tous))


def verser(hypotheses, population):
    """Who asks and what the engine pays them, euros: (n, 24) twice."""
    demande = demander(hypotheses, population.e)
    colonnes_demande = [
        polars.Series(f"demande_fonds_solidarite:{m}", d) for m, d in zip(MOIS_AIDE, demande.T, strict=True)
    ]
    return demande, payer(population.lignes.with_columns(colonnes_demande))


def payer(lignes):
    """Aid of volet 1 of each row and month, euros: (n, 24)."""
    mensuels = simulate(lignes, outputs=(AIDE,)).mensuels
    return mensuels.sort("mois", "id")[AIDE].to_numpy().reshape(len(MOIS_AIDE), lignes.height).T


def rapports(hypotheses, e):
    """Ratio of the calibrated weight of each enterprise to the one drawn, (n,)."""
    return hypotheses.rapports_de_poids[e["section"], e["statut"], e["classe"], e["departement"]]


@dataclass(frozen=True)
class Sommes:
    """Weighted sums by cell.

    Attributes:
        montant: euros by month, section and region, (24, s, r).
        aides: numbers of aids, same shape.
        entreprises: enterprises aided at least once, by section and region, (s, r).
        effectifs: enterprises by section, region, statut and size class, (s, r, u, t).
    """

    montant: numpy.ndarray
    aides: numpy.ndarray
    entreprises: numpy.ndarray
    effectifs: numpy.ndarray

    def __sub__(self, autre):
        return Sommes(*(a - b for a, b in zip(self._champs(), autre._champs(), strict=True)))

    def __truediv__(self, nombre):
        return Sommes(*(a / nombre for a in self._champs()))

    def _champs(self):
        return self.montant, self.aides, self.entreprises, self.effectifs

    def limitees(self, dimension, rangs):
        """Keep the cells of a modality of « section » or « region », or the months of a « phase »; null elsewhere."""
        if dimension == "phase":  # of the enterprises, the share of its months in the aids
            part = self.aides[rangs].sum() / (self.aides.sum() or 1)
            par_mois = (_garder(tableau, 0, rangs) for tableau in (self.montant, self.aides))
            return Sommes(*par_mois, self.entreprises * part, 0 * self.effectifs)
        axe = ("section", "region").index(dimension)
        return Sommes(
            _garder(self.montant, axe + 1, rangs),
            _garder(self.aides, axe + 1, rangs),
            _garder(self.entreprises, axe, rangs),
            _garder(self.effectifs, axe, rangs),
        )


def _garder(tableau, axe, rangs):
    indices = (slice(None),) * axe + (rangs,)
    garde = numpy.zeros_like(tableau)
    garde[indices] = tableau[indices]
    return garde


def attendre(hypotheses, population, verse_par_mois):
    """Give the sums expected over who asks, given the aid that each would have.

    Args:
        hypotheses: assumptions; their take-up and weights may differ from those the population was drawn with.
        population: what was drawn.
        verse_par_mois: (24,), what is really paid relative to what is expected when past aids are ignored: articles
            3-28 and 3-30 require an earlier aid.
    """
    h, e = hypotheses, population.e
    formes = [len(h.modalites[nom]) for nom in ("section", "region", "statut", "taille")]
    section, region = e["section"], h.region_par_departement[e["departement"]]
    case = section * formes[1] + region
    poids = population.tirage * rapports(h, e)
    chance = logistique(attrait(h, e)) * (e["perte"] > 0)
    due = population.potentielle > 0

    def sommer(valeurs, nombre=formes[0] * formes[1], cases=case):
        return numpy.bincount(cases, valeurs * poids, minlength=nombre)

    par_mois = [population.potentielle[:, m] * chance[:, m] * verse_par_mois[m] for m in range(len(MOIS_AIDE))]
    aides = [due[:, m] * chance[:, m] * verse_par_mois[m] for m in range(len(MOIS_AIDE))]
    finale = numpy.ravel_multi_index((section, region, e["statut"], TAILLE_PAR_CLASSE[e["classe"]]), formes)
    une_fois = 1 - _aucune(numpy.where(due, chance, 0.0), h["recours.persistance"])
    return Sommes(
        numpy.array([sommer(m) for m in par_mois]).reshape(-1, *formes[:2]),
        numpy.array([sommer(m) for m in aides]).reshape(-1, *formes[:2]),
        sommer(une_fois).reshape(formes[:2]),
        sommer(1.0, int(numpy.prod(formes)), finale).reshape(formes),
    )


def _aucune(chance, rho):
    """Probability that an enterprise asks in none of the months, (n,), given that of each month, (n, 24).

    Its disposition to ask is common to all months (weight ``rho``): a Gauss-Hermite sum integrates it.
    """
    concernes = numpy.flatnonzero(chance.any(axis=1))
    p = chance[concernes].clip(1e-6, 1 - 1e-6)
    seuil = ndtri(p)
    noeuds, poids = numpy.polynomial.hermite_e.hermegauss(POINTS_DE_GAUSS)
    aucune = numpy.zeros(len(concernes))
    for noeud, masse in zip(noeuds, poids / poids.sum(), strict=True):
        sachant = repartition_normale((seuil - numpy.sqrt(rho) * noeud) / numpy.sqrt(1 - rho))
        aucune += masse * numpy.prod(numpy.where(chance[concernes] > 0, 1 - sachant, 1.0), axis=1)
    resultat = numpy.ones(len(chance))
    resultat[concernes] = aucune
    return resultat
