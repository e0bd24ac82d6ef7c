"""What the calibration aims at: amounts by month of aid, margins by section and region, numbers of enterprises."""

from dataclasses import dataclass

import numpy

from openfisca_fds_tools import publie

from ..calage import HORS_REGIONS
from ..hypotheses import MOIS_AIDE, table

MESURES = ("montant", "aides", "entreprises")
AXES = ("section", "region")
_DIMENSIONS = ("section", "region", "statut", "taille")  # of the numbers of enterprises


@dataclass(frozen=True)
class Cible:
    """A published number, and how sums are compared with it.

    Attributes:
        famille: « mois », « section », « region » or « population ».
        modalite: month, section, region, or modality of the population.
        mesure: « montant » (euros), « aides » or « entreprises ».
        valeur: what was published.
        tolerance: standard deviation of the gap allowed, in logarithm; infinite for a target that is only reported.
        bornes: lowest and highest plausible value, for the amounts by month.
    """

    famille: str
    modalite: str
    mesure: str
    valeur: float
    tolerance: float
    bornes: tuple[float, float] | None = None


class Cibles:
    """Every target of the calibration, and the sums of the cells that each one is about."""

    def __init__(self, hypotheses):
        self._modalites = hypotheses.modalites
        mois = publie.cibles_par_mois_aide()
        self.periode_par_mois = numpy.searchsorted(mois["premier_mois"], MOIS_AIDE, side="right") - 1
        # Bounds are read as two standard deviations each way. A period of several months is reported, not fitted: it
        # holds late payments and corrections of other months, which are not simulated.
        self.liste = []
        for debut, fin, cible, *bornes in mois.select("premier_mois", "dernier_mois", "cible", "bas", "haut").rows():
            ecart = (bornes[1] - bornes[0]) / 4 / cible if debut == fin else numpy.inf
            self.liste.append(Cible("mois", debut, "montant", cible, ecart, tuple(bornes)))
        ecarts, petite = hypotheses["calage.tolerances"], hypotheses["calage.tolerance_petite_case"]
        for axe in AXES:
            publiees = {ligne["code"]: ligne for ligne in publie.marge(axe).to_dicts()}
            for mesure in MESURES:
                for code in self._modalites[axe]:
                    if code != HORS_REGIONS:
                        ecart = ecarts[mesure] + petite / (publiees[code]["montant"] / 1e6) ** 0.5
                        self.liste.append(Cible(axe, code, mesure, publiees[code][mesure], ecart))
        self._population = table("population.csv").select("dimension", "modalite", "nombre", "tolerance").rows()
        self.liste += [
            Cible("population", modalite or dimension, "entreprises", nombre, tolerance)
            for dimension, modalite, nombre, tolerance in self._population
        ]
        self.valeurs = numpy.array([cible.valeur for cible in self.liste])
        self.tolerances = numpy.array([cible.tolerance for cible in self.liste])

    def sommer(self, sommes):
        """Give the sums that the targets are about, in their order: (k,)."""
        par_mois = sommes.montant.sum(axis=(1, 2))
        vecteurs = [numpy.bincount(self.periode_par_mois, par_mois)]
        for axe, dimension in enumerate(AXES):
            connues = numpy.array(self._modalites[dimension]) != HORS_REGIONS
            for cellules in (sommes.montant.sum(axis=0), sommes.aides.sum(axis=0), sommes.entreprises):
                vecteurs.append(cellules.sum(axis=1 - axe)[connues])
        return numpy.concatenate([*vecteurs, self.effectifs(sommes)])

    def effectifs(self, sommes):
        """Numbers of enterprises that the targets of the population are about, in their order."""
        return numpy.array([self._effectif(sommes.effectifs, d, modalite) for d, modalite, *_ in self._population])

    def _effectif(self, effectifs, dimension, modalite):
        """Count the enterprises of a modality, of a union of them (« G+I »), or of all (« ensemble »)."""
        if dimension == "ensemble":
            return effectifs.sum()
        rangs = [self._modalites[dimension].index(m) for m in modalite.split("+")]
        return effectifs.take(rangs, axis=_DIMENSIONS.index(dimension)).sum()
