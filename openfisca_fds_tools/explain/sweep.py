"""The aid against one input: the curve, and every cliff found to the cent."""

from dataclasses import dataclass

import numpy
from openfisca_core import periods
from openfisca_core.periods import ETERNITY

from openfisca_fds_tools.explain import ecriture
from openfisca_fds_tools.situation import ErreurSituation, Place, construire, lire_valeur, repliquer, suggestion

RESULTAT = "fonds_de_solidarite"
CENTIME = 0.01
PENTE_MAXIMALE = 1.0  # no rule of the fund gives more than one euro for one euro; a steeper step is a cliff
POINTS_MAXIMAUX = 5000


@dataclass(frozen=True)
class Marche:
    """A cliff: the last value before it, the first after it, one step apart, and the aid on both sides (euros)."""

    avant: float
    apres: float
    aide_avant: float
    aide_apres: float


@dataclass(frozen=True)
class Balayage:
    """Aid (euros) for each value of one input, sorted, cliffs included."""

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
    if definition.value_type not in (int, float):
        raise ErreurSituation(
            Place((variable,)), "variable sans valeur numérique", "un montant, un effectif, des jours"
        )
    for borne in (debut, fin):
        lire_valeur(definition, int(borne) if definition.value_type is int else borne)
    if not debut < fin or not 2 <= points <= POINTS_MAXIMAUX:
        raise ErreurSituation(Place((variable,)), f"de {debut} à {fin} en {points} points", "un intervalle croissant")
    base = construire(systeme, situation, str(defaut or period))
    evaluer = _Evaluation(base, variable, periods.period(period), entreprise)
    pas = 1 if definition.value_type is int else CENTIME
    valeurs = numpy.unique(numpy.round(numpy.linspace(debut, fin, points) / pas) * pas)
    aides = evaluer(valeurs)
    marches = _marches(evaluer, valeurs, aides, pas)
    bords = numpy.array([valeur for marche in marches for valeur in (marche.avant, marche.apres)])
    hauteurs = numpy.array([aide for marche in marches for aide in (marche.aide_avant, marche.aide_apres)])
    toutes, ordre = numpy.unique(numpy.concatenate([valeurs, bords]), return_index=True)
    return Balayage(
        variable=variable,
        libelle=definition.label,
        unite=definition.unit,
        periode=str(period),
        valeurs=toutes.tolist(),
        aides=numpy.concatenate([aides, hauteurs])[ordre].tolist(),
        marches=marches,
    )


class _Evaluation:
    """Aid of the enterprise for an array of values of the input: one vectorised simulation a call."""

    def __init__(self, base, variable, period, entreprise):
        ids = [str(identifiant) for identifiant in base.persons.ids]
        if entreprise not in ids and (entreprise is not None or len(ids) > 1):
            raise ValueError(f"Choisir l'entreprise parmi : {', '.join(ids)}.")
        self.rang = ids.index(entreprise) if entreprise is not None else 0
        self.base, self.variable, self.period, self.nombre = base, variable, period, len(ids)
        definition = base.tax_benefit_system.get_variable(variable)
        self.periode_saisie = periods.period(ETERNITY) if definition.definition_period == ETERNITY else period
        # computed apart: reading it here would fix in the base what depends on it
        self.initiale = repliquer(base, 1).calculate(variable, period)

    def __call__(self, valeurs):
        copies = repliquer(self.base, len(valeurs))
        tableau = numpy.tile(self.initiale, len(valeurs))
        tableau[self.rang :: self.nombre] = valeurs
        copies._donnees.pop((self.variable, self.periode_saisie), None)
        copies.get_holder(self.variable).delete_arrays(self.periode_saisie)
        copies.set_input(self.variable, self.periode_saisie, tableau)
        return numpy.array(copies.calculate(RESULTAT, self.period)[self.rang :: self.nombre])


def _marches(evaluer, valeurs, aides, pas):
    """Find the cliffs between neighbouring values, by halving all the suspect intervals together."""
    suspects = numpy.flatnonzero(numpy.abs(numpy.diff(aides)) > PENTE_MAXIMALE * numpy.diff(valeurs) + CENTIME / 2)
    gauche, droite = valeurs[suspects], valeurs[suspects + 1]
    aide_gauche, aide_droite = aides[suspects], aides[suspects + 1]
    while len(gauche) and (droite - gauche > 1.5 * pas).any():
        milieu = numpy.round((gauche + droite) / 2 / pas) * pas
        aide = evaluer(milieu)
        a_gauche = numpy.abs(aide - aide_gauche) - (milieu - gauche) > numpy.abs(aide_droite - aide) - (droite - milieu)
        fini = droite - gauche <= 1.5 * pas
        droite, aide_droite = (
            numpy.where(a_gauche & ~fini, milieu, droite),
            numpy.where(a_gauche & ~fini, aide, aide_droite),
        )
        gauche, aide_gauche = (
            numpy.where(a_gauche | fini, gauche, milieu),
            numpy.where(a_gauche | fini, aide_gauche, aide),
        )
    trouvees = zip(gauche, droite, aide_gauche, aide_droite, strict=True)
    return [
        Marche(*(float(valeur) for valeur in marche))
        for marche in trouvees
        if abs(marche[3] - marche[2]) > PENTE_MAXIMALE * pas + CENTIME / 2
    ]


def tracer(balayage, chemin):
    """Draw the curve, cliffs marked, into an SVG, PNG or JSON (Vega-Lite) file, without network.

    Args:
        balayage: Balayage.
        chemin: path; its suffix says the format.

    Raises:
        ModuleNotFoundError: the ``report`` extra is not installed.
    """
    import altair

    points = [{"x": x, "aide": y} for x, y in zip(balayage.valeurs, balayage.aides, strict=True)]
    marches = [
        {"x": m.apres, "aide": max(m.aide_avant, m.aide_apres), "texte": ecriture.valeur(m.apres, balayage.unite)}
        for m in balayage.marches
    ]
    abscisse = altair.X("x:Q", title=balayage.libelle)
    ordonnee = altair.Y("aide:Q", title=f"Aide du mois ({ecriture.mois(balayage.periode)}), en euros")
    courbe = altair.Chart(altair.Data(values=points)).mark_line(color="#000091").encode(abscisse, ordonnee)
    base = altair.Chart(altair.Data(values=marches))
    traits = base.mark_rule(strokeDash=[4, 4], color="#ce0500").encode(altair.X("x:Q"))
    noms = base.mark_text(align="left", dx=4, dy=-6, color="#ce0500").encode(
        altair.X("x:Q"), altair.Y("aide:Q"), altair.Text("texte:N")
    )
    altair.layer(courbe, traits, noms).properties(width=640, height=360).save(str(chemin))
