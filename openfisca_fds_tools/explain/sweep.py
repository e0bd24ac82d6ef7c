"""The aid against one input: the curve, and every cliff found to the cent."""

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy
from openfisca_core import periods
from openfisca_core.periods import ETERNITY

from openfisca_fds_tools.situation import ErreurSituation, Place, construire, lire_valeur, suggestion

from . import ecriture
from .cas import rang_de
from .changements import EUROS
from .conseils import UN_CENTIME
from .essais import AIDE_DU_MOIS, Essais
from .explication import explain, payeur

PENTE_MAXIMALE = 1.0  # no rule of the fund gives more than one euro for one euro; a steeper step is a cliff
LOCALE = "fr-FR"
PENTE_EGALE = 1e-3
POINTS_MAXIMAUX = 5000


@dataclass(frozen=True)
class Marche:
    """A cliff: the last value before it, the first after it, one step apart, and the aid on both sides (euros)."""

    avant: float
    apres: float
    aide_avant: float
    aide_apres: float


@dataclass(frozen=True)
class Segment:
    """A stretch without cliff nor change of slope: values, aids (euros) at both ends, article and branch that pay."""

    debut: float
    fin: float
    aide_debut: float
    aide_fin: float
    article: str
    regime: str


@dataclass(frozen=True)
class Balayage:
    """Aid (euros) for each value of one input of an enterprise, sorted, cliffs included."""

    entreprise: str
    variable: str
    libelle: str
    unite: str | None
    periode: str
    valeurs: list[float]
    aides: list[float]
    marches: list[Marche]


def balayer(systeme, situation, variable, period, debut, fin, points=401, entreprise=None, defaut=None):
    """Compute the aid of a month while one input goes from a value to another.

    Args:
        systeme: tax and benefit system.
        situation: situation, left as it is.
        variable: name of a numeric input of the enterprise.
        period: month of the aid, and of the input if it is monthly.
        debut: lower bound, in the unit of the input.
        fin: upper bound.
        points: number of values, bounds included.
        entreprise: id; needed when the situation holds several.
        defaut: period of the values given without one (``period`` if None).

    Returns:
        Balayage.

    Raises:
        ErreurSituation: the situation, the variable or a bound cannot be read.
        ValueError: the enterprise is missing or unknown.
    """
    definition = systeme.variables.get(variable)
    if definition is None or definition.entity.key != systeme.person_entity.key:
        noms = [nom for nom, v in systeme.variables.items() if v.entity.key == systeme.person_entity.key]
        raise ErreurSituation(Place(), f"variable « {variable} » inconnue", suggestion(variable, noms))
    place = Place((variable,))
    if definition.value_type not in (int, float):
        raise ErreurSituation(place, "variable sans valeur numérique", "un montant, un effectif, des jours")
    for borne in (debut, fin):
        lire_valeur(definition, int(borne) if definition.value_type is int else borne, mois=str(period))
    if not debut < fin or not 2 <= points <= POINTS_MAXIMAUX:
        raise ErreurSituation(place, f"de {debut:g} à {fin:g} en {points} points", "un intervalle croissant")
    base = construire(systeme, situation, str(defaut or period))
    evaluer = _Evaluation(base, variable, periods.period(period), entreprise)
    pas = 1 if definition.value_type is int else UN_CENTIME
    valeurs = numpy.unique(numpy.round(numpy.linspace(debut, fin, points) / pas) * pas)
    aides = evaluer(valeurs)
    marches = _marches(evaluer, valeurs, aides, pas)
    courbe = dict(zip(valeurs.tolist(), aides.tolist(), strict=True))
    for marche in marches:
        courbe |= {marche.avant: marche.aide_avant, marche.apres: marche.aide_apres}
    return Balayage(
        entreprise=evaluer.entreprise,
        variable=variable,
        libelle=definition.label,
        unite=definition.unit,
        periode=str(period),
        valeurs=sorted(courbe),
        aides=[courbe[valeur] for valeur in sorted(courbe)],
        marches=marches,
    )


class _Evaluation:
    """Aid of the enterprise for an array of values of the input: one vectorised simulation a call."""

    def __init__(self, base, variable, period, entreprise):
        self.rang = rang_de(base, entreprise)
        self.entreprise = str(base.persons.ids[self.rang])
        self.base, self.variable, self.period = base, variable, period
        definition = base.tax_benefit_system.get_variable(variable)
        self.periode_saisie = periods.period(ETERNITY) if definition.definition_period == ETERNITY else period

    def essais(self, valeurs):
        """Trials where the input takes each value."""
        essais = Essais(self.base, self.rang, len(valeurs))
        essais.donner(self.variable, self.periode_saisie, list(valeurs))
        return essais

    def __call__(self, valeurs):
        return self.essais(valeurs).calculer(AIDE_DU_MOIS, self.period)


def segmenter(systeme, situation, balayage, defaut=None):
    """Name what pays along the curve, one line a stretch of the same slope.

    Args:
        systeme: tax and benefit system of the sweep.
        situation: situation of the sweep.
        balayage: Balayage.
        defaut: period of the values given without one (that of the sweep if None).

    Returns:
        List of Segment, from the lowest value to the highest.
    """
    base = construire(systeme, situation, str(defaut or balayage.periode))
    evaluer = _Evaluation(base, balayage.variable, periods.period(balayage.periode), balayage.entreprise)
    entiere = systeme.get_variable(balayage.variable).value_type is int
    segments = []
    for debut, fin, aide_debut, aide_fin in _troncons(balayage):
        milieu = (debut + fin) / 2
        essai = evaluer.essais([round(milieu) if entiere else milieu])
        explication = explain(essai.simulation, balayage.periode, essai.identifiant, autres=False, details=False)
        segments.append(Segment(debut, fin, aide_debut, aide_fin, *payeur(explication)))
    return segments


def _troncons(balayage):
    """Cut the curve at the cliffs, then where the slope changes, the change put at its exact place."""
    apres = {marche.apres for marche in balayage.marches}
    troncons, cotes = [], []
    for x, y in zip(balayage.valeurs, balayage.aides, strict=True):
        if x in apres:
            troncons += _droites(cotes)
            cotes = []
        cotes.append((x, y))
    return troncons + _droites(cotes)


def _droites(points):
    """Cut a continuous curve into straight lines, each (start, end, aid at start, aid at end)."""
    droites = []
    for (x, y), (x2, y2) in pairwise(points):
        pente = (y2 - y) / (x2 - x)
        if droites and abs(pente - droites[-1][2]) < PENTE_EGALE:
            droites[-1][1] = (x2, y2)
        else:
            droites.append([(x, y), (x2, y2), pente])
    if not droites:
        return [(*(points[0][0],) * 2, *(points[0][1],) * 2)] if points else []
    for avant, coude, apres in zip(droites, droites[1:], droites[2:], strict=False):
        if abs(avant[2] - apres[2]) >= PENTE_EGALE and min(avant[2], apres[2]) < coude[2] < max(avant[2], apres[2]):
            (x, y), (x2, y2) = avant[1], apres[0]  # the slope changes inside one step of the grid
            croisee = x + (y2 - y - apres[2] * (x2 - x)) / (avant[2] - apres[2])
            avant[1] = apres[0] = (croisee, y + avant[2] * (croisee - x))
            coude[1] = coude[0]
    return [(a[0], b[0], a[1], b[1]) for a, b, _ in droites if a != b]


def _marches(evaluer, valeurs, aides, pas):
    """Find the cliffs between neighbouring values, by halving all the suspect intervals together."""
    courbe = numpy.array([valeurs, aides])  # values, then aids, of each point

    def saut(gauche, droite):
        return numpy.abs(droite[1] - gauche[1]) - PENTE_MAXIMALE * (droite[0] - gauche[0])

    suspects = numpy.flatnonzero(saut(courbe[:, :-1], courbe[:, 1:]) > UN_CENTIME / 2)
    gauche, droite = courbe[:, suspects], courbe[:, suspects + 1]
    while (ouverts := droite[0] - gauche[0] > 1.5 * pas).any():
        valeurs = numpy.round((gauche[0] + droite[0]) / 2 / pas) * pas
        milieu = numpy.array([valeurs, evaluer(valeurs)])
        a_gauche = saut(gauche, milieu) > saut(milieu, droite)
        droite = numpy.where(a_gauche & ouverts, milieu, droite)
        gauche = numpy.where(a_gauche | ~ouverts, gauche, milieu)
    marches = (Marche(*map(float, (a[0], b[0], a[1], b[1]))) for a, b in zip(gauche.T, droite.T, strict=True))
    return [m for m in marches if abs(m.aide_apres - m.aide_avant) > PENTE_MAXIMALE * pas + UN_CENTIME / 2]


def tracer(balayage, chemin):
    """Draw the curve, cliffs marked, into an SVG, PNG or JSON (Vega-Lite) file, without network.

    Args:
        balayage: Balayage.
        chemin: path; its suffix says the format.

    Raises:
        ModuleNotFoundError: the ``report`` extra is not installed.
    """
    import altair
    import vl_convert

    points = [{"x": x, "aide": y} for x, y in zip(balayage.valeurs, balayage.aides, strict=True)]
    marches = [
        {"x": m.apres, "aide": max(m.aide_avant, m.aide_apres), "texte": ecriture.valeur(m.apres, balayage.unite)}
        for m in balayage.marches
    ]
    unite = " (euros)" if balayage.unite == EUROS else ""
    abscisse = altair.X("x:Q", title=f"{balayage.libelle}{unite}")
    ordonnee = altair.Y("aide:Q", title=f"Aide de {ecriture.mois(balayage.periode)}, en euros")
    courbe = altair.Chart(altair.Data(values=points)).mark_line(color="#000091").encode(abscisse, ordonnee)
    base = altair.Chart(altair.Data(values=marches))
    traits = base.mark_rule(strokeDash=[4, 4], color="#ce0500").encode(altair.X("x:Q"))
    noms = base.mark_text(align="left", dx=4, dy=-6, color="#ce0500").encode(
        altair.X("x:Q"), altair.Y("aide:Q"), altair.Text("texte:N")
    )
    dessin = altair.layer(courbe, traits, noms).properties(
        width=640, height=360, title=f"Entreprise « {balayage.entreprise} », {ecriture.mois(balayage.periode)}"
    )
    chemin = Path(chemin)
    if chemin.suffix == ".json":
        dessin.save(str(chemin))
    elif chemin.suffix == ".svg":
        chemin.write_text(vl_convert.vegalite_to_svg(dessin.to_dict(), format_locale=LOCALE), encoding="utf-8")
    else:
        chemin.write_bytes(vl_convert.vegalite_to_png(dessin.to_dict(), format_locale=LOCALE, scale=2))
