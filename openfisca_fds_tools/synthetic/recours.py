"""Take-up: the probability of asking grows with what the month lost, and its level is calibrated."""

import numpy

from .chiffre_affaires import repartition_normale
from .hypotheses import MOIS_AIDE


def tirer_demandes(hypotheses, tirages, e):
    """Add ``demande`` (n, 24), booleans, to the slice ``e``: false without any loss, so before the creation too."""
    rho = hypotheses["recours.persistance"]
    latente = numpy.sqrt(rho) * tirages.normale("disposition")[:, None]
    latente = latente + numpy.sqrt(1 - rho) * tirages.normale("demande", len(MOIS_AIDE))
    e["reticence"] = repartition_normale(latente)
    e["demande"] = demander(hypotheses, e)


def demander(hypotheses, e):
    """Who asks, (n, 24): the probability exceeds the reluctance drawn, uniform on [0, 1), and something was lost."""
    return (e["reticence"] < logistique(attrait(hypotheses, e))) & (e["perte"] > 0)


def attrait(hypotheses, e):
    """Log-odds of asking of a slice, (n, 24): phase, section, region, loss, closure, each with its calibrated value."""
    h = hypotheses
    pente, fermeture = h.calage["recours", "commun"]
    territoire = h.calage["recours", "region"][h.region_par_departement[e["departement"]]]
    entreprise = h.calage["recours", "section"][e["section"]] + territoire
    mois = h.calage["recours", "phase"][h.phase_par_mois]
    perte = numpy.log(e["perte"].clip(1) / h.perte_de_reference)
    return entreprise[:, None] + mois + fermeture * (e["jours_interdiction"] > 0) + pente * perte


def logistique(x):
    """Probability of given log-odds."""
    return 1 / (1 + numpy.exp(-x))
