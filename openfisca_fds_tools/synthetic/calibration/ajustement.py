"""The fit: one bounded least-squares problem, solved by SciPy's trust-region method.

What moves the law (turnover, shocks) is differentiated by drawing and paying the population again; what does not
(take-up, weights), on the sums expected. A modality of a section or of a region only moves its own cells, and that
of a phase its own months: one more draw gives the derivatives of all the modalities of a dimension.
"""

from dataclasses import dataclass, replace

import numpy
from scipy.optimize import least_squares

from ..calage import COMMUNS, FAMILLES
from ..hypotheses import MOIS_AIDE, Hypotheses
from .population import attendre, peupler, rapports, verser

PARAMETRES = tuple((famille, dimension) for famille, dimensions in FAMILLES.items() for dimension in dimensions)
RECOURS = tuple(cle for cle in PARAMETRES if cle[0] == "recours")
AVEC_MOTEUR = ("niveau", "choc")  # families that need a new draw
SEPAREES = ("section", "region", "phase")
PAS = 0.05  # of the finite differences
PRECISION = 1e-3  # relative: what a draw of this size can tell
CASE_VIDE = 1e-3  # what an empty cell counts for, relative to its target
RIGIDITE = 1e-3  # of the spread between phases, for a take-up that does not vary with them


@dataclass(frozen=True)
class Solution:
    """A calibration fitted.

    Attributes:
        calage: its values.
        couts: half sum of squares after each evaluation: gaps over tolerances, and gaps of parameters to their prior.
        parametres: number of parameters, by family.
        degres_de_liberte: what they are worth, given their priors: trace of the hat matrix.
    """

    calage: object
    couts: list[float]
    parametres: dict[str, int]
    degres_de_liberte: float


class Ajustement:
    """The least-squares problem: targets, free parameters, and a population drawn that stands for all.

    Args:
        cibles: targets.
        depart: calibration to start from; it keeps the families that are not free.
        taille, graine: of the population drawn.
        libres: pairs (family, dimension) to fit.
        constant: one take-up for all phases.
        dire: called with a line of progress.
    """

    def __init__(self, cibles, depart, taille, graine, *, libres=PARAMETRES, constant=False, dire=None):
        self._cibles, self._depart, self._libres, self._constant = cibles, depart, libres, constant
        self._tirage = taille, graine
        self._dire = dire or (lambda texte: None)
        self._coupures = numpy.cumsum([len(depart[cle]) for cle in libres])
        self._verse_par_mois = numpy.ones(len(MOIS_AIDE))
        self._population = (None, None)
        self._rappel, self._centre = self._a_priori()
        self._couts = []

    # ---- parameters ----

    def calage(self, parametres):
        """Calibration that a vector of parameters stands for."""
        morceaux = numpy.split(parametres, self._coupures[:-1])
        return self._depart.avec(dict(zip(self._libres, morceaux, strict=True)))

    def vecteur(self, calage):
        """Vector of the free parameters of a calibration."""
        return numpy.concatenate([calage[cle] for cle in self._libres])

    def _a_priori(self):
        """Prior of the parameters, as residuals: a matrix and a constant."""
        h = Hypotheses(self._depart)
        matrice, centre = numpy.zeros((self._coupures[-1],) * 2), numpy.zeros(self._coupures[-1])
        for cle, fin in zip(self._libres, self._coupures, strict=True):
            famille, dimension = cle
            nombre = len(self._depart[cle])
            ecart = h["calage.ecarts_types"][famille][dimension]
            bloc = slice(fin - nombre, fin)
            if dimension == "commun":
                ecarts = numpy.array([ecart[nom] for nom in COMMUNS])
                matrice[bloc, bloc] = numpy.diag(1 / ecarts)
                centre[bloc] = numpy.array([h[f"recours.{nom}_attendue"] for nom in COMMUNS]) / ecarts
            elif cle == ("recours", "phase"):  # around their mean, which is free
                ecart = ecart * RIGIDITE if self._constant else ecart
                matrice[bloc, bloc] = (numpy.eye(nombre) - 1 / nombre) / ecart
            else:
                matrice[bloc, bloc] = numpy.eye(nombre) / ecart
        return matrice, centre

    # ---- residuals and their derivatives ----

    def peupler(self, calage):
        """Draw the population of a calibration, unless only its take-up or its weights changed."""
        cle = numpy.concatenate([calage[cle] for cle in PARAMETRES if cle[0] in AVEC_MOTEUR]).tobytes()
        if self._population[0] != cle:
            self._population = cle, peupler(Hypotheses(calage), *self._tirage)
        return self._population[1]

    def sommes(self, calage, population):
        """Give the sums that the targets are about, as expected with a calibration."""
        return attendre(Hypotheses(calage), population, self._verse_par_mois)

    def _sommer(self, sommes):
        """Give the sums of the targets, never null: a small draw may leave a small cell empty."""
        return numpy.maximum(self._cibles.sommer(sommes), CASE_VIDE * self._cibles.valeurs)

    def residus(self, parametres):
        """Gaps to the targets over their tolerances, then gaps of the parameters to their prior."""
        calage = self.calage(parametres)
        ecarts = numpy.log(self._sommer(self.sommes(calage, self.peupler(calage))) / self._cibles.valeurs)
        ecarts /= self._cibles.tolerances
        residus = numpy.concatenate([ecarts, self._rappel @ parametres - self._centre])
        self._couts.append(float(residus @ residus / 2))
        self._dire(f"évaluation {len(self._couts)} : coût {self._couts[-1]:.1f}, dont cibles {ecarts @ ecarts / 2:.1f}")
        return residus

    def jacobienne(self, parametres):
        """Give the derivatives of the residuals: (residuals, parameters)."""
        calage = self.calage(parametres)
        population = self.peupler(calage)
        sommes = self.sommes(calage, population)
        echelle = self._sommer(sommes) * self._cibles.tolerances
        derivees = [d for cle in self._libres for d in self._derivees(calage, cle, population, sommes)]
        return numpy.vstack([numpy.array([self._cibles.sommer(d) / echelle for d in derivees]).T, self._rappel])

    def _derivees(self, calage, cle, population, sommes):
        """Give the derivatives of the sums by each modality of a dimension."""
        famille, dimension = cle
        nombre = len(calage[cle])
        if dimension not in SEPAREES or cle == ("recours", "phase"):
            for deplacement in numpy.eye(nombre) * PAS:
                yield self._difference(calage, cle, deplacement, population, sommes)
            return
        ensemble = self._difference(calage, cle, numpy.full(nombre, PAS), population, sommes)
        phases = Hypotheses(calage).phase_par_mois
        for rang in range(nombre):
            yield ensemble.limitees(dimension, phases == rang if dimension == "phase" else rang)

    def _difference(self, calage, cle, deplacement, population, sommes):
        deplace = calage.avec({cle: calage[cle] + deplacement})
        if cle[0] in AVEC_MOTEUR:
            population = peupler(Hypotheses(deplace), *self._tirage)
        return (self.sommes(deplace, population) - sommes) / PAS

    # ---- solution ----

    def resoudre(self, evaluations):
        """Solve from the calibration of departure, past aids taken as they are there; return a ``Solution``."""
        self._mesurer_les_aides_passees()
        bornes = Hypotheses(self._depart)["calage.bornes"]
        maximum = numpy.concatenate([numpy.full(len(self._depart[cle]), bornes[cle[0]]) for cle in self._libres])
        depart = self.vecteur(self._depart).clip(-maximum * 0.999, maximum * 0.999)  # strictly inside
        self._couts = []
        trouve = least_squares(
            self.residus,
            depart,
            jac=self.jacobienne,
            bounds=(-maximum, maximum),
            max_nfev=evaluations,
            ftol=PRECISION,
            xtol=PRECISION,
        )
        cibles = trouve.jac[: len(self._cibles.valeurs)]
        parametres = {}
        for cle in self._libres:
            parametres[cle[0]] = parametres.get(cle[0], 0) + len(self._depart[cle])
        degres = numpy.trace(numpy.linalg.solve(trouve.jac.T @ trouve.jac, cibles.T @ cibles))
        return Solution(self.calage(trouve.x), self._couts, parametres, float(degres))

    def _mesurer_les_aides_passees(self):
        """Measure what past aids change: paid by the engine, relative to the aids due if all had always asked."""
        hypotheses, population = Hypotheses(self._depart), self.peupler(self._depart)
        demande, versee = verser(hypotheses, population)
        poids = population.tirage * rapports(hypotheses, population.e)
        self._verse_par_mois = (poids @ versee) / (poids @ (population.potentielle * demande))


def calibrer(cibles, depart, taille, graine, *, tours=2, evaluations=8, dire=None):
    """Fit everything: each round measures again what past aids change, and starts from the former solution.

    Returns:
        A ``Solution``, its costs those of all the rounds.
    """
    couts = []
    for _ in range(tours):
        solution = Ajustement(cibles, depart, taille, graine, dire=dire).resoudre(evaluations)
        couts += solution.couts
        depart = solution.calage
    return replace(solution, couts=couts)


def a_recours_constant(cibles, calage, taille, graine, *, evaluations=6):
    """Fit the take-up again, the same in all phases, the rest as calibrated; return a ``Solution``."""
    return Ajustement(cibles, calage, taille, graine, libres=RECOURS, constant=True).resoudre(evaluations)
