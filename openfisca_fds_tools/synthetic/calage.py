"""What the calibration fitted, read from ``donnees/calage.csv``: take-up, weights, levels of turnover, shocks.

Each value belongs to a family (what it moves), a dimension and a modality of it. A modality without line is worth
zero, which moves nothing: territories without published figures are so.
"""

from dataclasses import dataclass, field

import numpy
import polars

from openfisca_fds_tools.population.taxonomies import LIBELLES_REGIONS

FAMILLES = {  # family: its dimensions
    "recours": ("commun", "phase", "section", "region"),
    "poids": ("section", "region", "statut", "taille"),
    "niveau": ("section", "region"),
    "choc": ("phase", "section"),
}
COMMUNS = ("pente", "fermeture")
HORS_REGIONS = "hors_regions"  # overseas collectivities, which the published tables leave out
REGIONS = (*LIBELLES_REGIONS, HORS_REGIONS)
TAILLES = ("0", "1_9", "10_19", "20_49", "50_et_plus")
TAILLE_PAR_CLASSE = numpy.array([0, 1, 1, 1, 2, 3, 4, 4, 4, 4, 4])


@dataclass(frozen=True)
class Calage:
    """Fitted values: ``valeurs[famille, dimension]`` is an array in the order of ``modalites[dimension]``."""

    modalites: dict[str, tuple[str, ...]]
    valeurs: dict[tuple[str, str], numpy.ndarray] = field(default_factory=dict)

    def __getitem__(self, cle):
        famille, dimension = cle
        if dimension not in FAMILLES[famille]:
            raise KeyError(cle)
        nulles = numpy.zeros(len(self.modalites[dimension]))
        return self.valeurs.get(cle, nulles)

    def avec(self, nouvelles):
        """Return a copy where the arrays given, by (family, dimension), replace the former ones."""
        return Calage(self.modalites, self.valeurs | {cle: numpy.asarray(v, float) for cle, v in nouvelles.items()})

    @classmethod
    def lire(cls, lignes, modalites):
        """Build from a table (famille, dimension, modalite, valeur).

        Raises:
            ValueError: unknown family, dimension or modality, or a value given twice.
        """
        vide = cls(modalites)
        valeurs, lues = {}, set()
        for famille, dimension, modalite, valeur in lignes.select(
            "famille", "dimension", "modalite", "valeur"
        ).iter_rows():
            cle = famille, dimension
            if dimension not in FAMILLES.get(famille, ()) or modalite not in modalites[dimension]:
                raise ValueError(f"calage.csv : {famille}, {dimension}, {modalite} inconnu")
            if (*cle, modalite) in lues:
                raise ValueError(f"calage.csv : {famille}, {dimension}, {modalite} donné deux fois")
            lues.add((*cle, modalite))
            valeurs.setdefault(cle, vide[cle].copy())[modalites[dimension].index(modalite)] = valeur
        return cls(modalites, valeurs)

    def ecrire(self, chemin, source):
        """Write the values that are not null, to four decimals, all with the source given and the confidence C."""
        lignes = [
            (famille, dimension, modalite, round(float(valeur), 4), source, "C")
            for famille, dimensions in FAMILLES.items()
            for dimension in dimensions
            for modalite, valeur in zip(self.modalites[dimension], self[famille, dimension], strict=True)
            if round(float(valeur), 4)
        ]
        colonnes = ["famille", "dimension", "modalite", "valeur", "source", "confiance"]
        polars.DataFrame(lignes, schema=colonnes, orient="row").write_csv(chemin)

    def arrondi(self):
        """Return the calibration as ``ecrire`` writes it."""
        return Calage(self.modalites, {cle: valeurs.round(4) for cle, valeurs in self.valeurs.items()})


def rapport_de_poids(score, bornes):
    """Ratio of a calibrated weight to the one drawn, for a score: the bounded logit of Deville and Särndal (1992).

    Args:
        score: array of scores; 0 gives 1, and the slope there is 1.
        bornes: (low, high), the bounds of the ratio, around 1.
    """
    bas, haut = bornes
    pente = (haut - bas) / ((1 - bas) * (haut - 1))
    exponentielle = numpy.exp(pente * score)
    return (bas * (haut - 1) + haut * (1 - bas) * exponentielle) / (haut - 1 + (1 - bas) * exponentielle)
