"""Take-up: the probability of asking grows with what the month lost, and its level moves by phase of the fund."""

import numpy

from .chiffre_affaires import repartition_normale
from .hypotheses import MOIS_AIDE


def tirer_demandes(hypotheses, tirages, e):
    """Add ``demande`` (n, 24), booleans, to the slice ``e``: false without any loss, so before the creation too."""
    h, perte = hypotheses, e["perte"]
    attrait = h.ordonnee_recours + h["recours.supplement_fermeture"] * (e["jours_interdiction"] > 0)
    attrait = attrait + h["recours.pente"] * numpy.log(perte.clip(1) / h["recours.perte_de_reference"])
    rho = h["recours.persistance"]
    latente = numpy.sqrt(rho) * tirages.normale("disposition")[:, None]
    latente = latente + numpy.sqrt(1 - rho) * tirages.normale("demande", len(MOIS_AIDE))
    e["demande"] = (repartition_normale(latente) < 1 / (1 + numpy.exp(-attrait))) & (perte > 0)
