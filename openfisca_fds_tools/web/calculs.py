"""What the routes compute: /calculate, /trace, /explain, /sweep."""

import math
from dataclasses import asdict
from datetime import date

import numpy
from openfisca_core.indexed_enums import Enum

from openfisca_fds_tools.situation import Place, construire, suggestion
from openfisca_fds_tools.web.lecture import (
    LIMITES,
    RequeteRefusee,
    court,
    identifiants,
    lire_demande,
    lire_mois,
    verifier,
)

SITUATION = "situation"


def calculate(systeme, situation):
    """Answer a situation: each null replaced by its value, in linear time.

    Args:
        systeme: tax and benefit system.
        situation: JSON value, modified.

    Returns:
        The situation; dates as ``AAAA-MM-JJ``, amounts in euros.

    Raises:
        ErreurSituation: what cannot be read, by its key.
    """
    demandes = verifier(systeme, situation, LIMITES["entreprises_calculate"])
    simulation = construire(systeme, situation)
    rangs = _rangs(simulation)
    calcules = {}
    for demande in demandes:
        cle = demande.variable, demande.mois
        if cle not in calcules:
            calcules[cle] = _valeurs(simulation, *cle)
        rang = rangs[demande.pluriel][demande.identifiant]
        situation[demande.pluriel][demande.identifiant][demande.variable][demande.periode] = calcules[cle][rang]
    return situation


def trace(systeme, situation):
    """Answer a situation by the steps of its computation, in the form of openfisca-core.

    Args:
        systeme: tax and benefit system.
        situation: JSON value.

    Returns:
        ``{trace, entitiesDescription, requestedCalculations}``.

    Raises:
        ErreurSituation: what cannot be read, by its key.
    """
    demandes = verifier(systeme, situation, LIMITES["entreprises_trace"])
    simulation = construire(systeme, situation)
    simulation.trace = True
    for cle in dict.fromkeys((demande.variable, demande.mois) for demande in demandes):
        simulation.calculate(*cle)
    return {
        "trace": simulation.tracer.get_serialized_flat_trace(),
        "entitiesDescription": simulation.describe_entities(),
        "requestedCalculations": [f"{demande.variable}<{demande.periode}>" for demande in demandes],
    }


def _rangs(simulation):
    return {
        population.entity.plural: {identifiant: rang for rang, identifiant in enumerate(population.ids)}
        for population in simulation.populations.values()
    }


def _valeurs(simulation, nom, periode):
    """Values of a variable as JSON takes them."""
    tableau = simulation.calculate(nom, periode)
    genre = simulation.tax_benefit_system.get_variable(nom).value_type
    if genre == Enum:
        return tableau.decode_to_str().tolist()
    if genre is date:
        return numpy.datetime_as_string(tableau, unit="D").tolist()
    return tableau.tolist()


# ---- explanations ----


def expliquer(systeme, corps):
    """Explain the aid of one enterprise for one month.

    Args:
        systeme: tax and benefit system.
        corps: JSON value ``{situation, mois, entreprise}``.

    Returns:
        ``{explication, page}``: the data, and the same told in blocks of French text.

    Raises:
        ErreurSituation: what cannot be read, by its key.
    """
    from openfisca_fds_tools.explain import blocs, explain

    champs = {SITUATION: dict, "mois": str, "entreprise": str}
    lire_demande(corps, champs, (SITUATION, "mois"))
    mois = lire_mois(corps["mois"])
    entreprise = _entreprise(systeme, corps, LIMITES["entreprises_explain"])
    explication = explain(construire(systeme, corps[SITUATION]), mois, entreprise)
    page = [{"bloc": type(bloc).__name__.lower(), **asdict(bloc)} for bloc in blocs.page(explication)]
    return {"explication": explication.en_dictionnaire(), "page": page}


def balayer(systeme, corps):
    """Compute the aid of a month while one input of an enterprise varies.

    Args:
        systeme: tax and benefit system.
        corps: JSON value ``{situation, mois, entreprise, variable, debut, fin, points}``; ``variable`` is the
            turnover by default.

    Returns:
        ``{variable, libelle, unite, periode, valeurs, aides, marches}``, in euros.

    Raises:
        ErreurSituation: what cannot be read, by its key.
    """
    from openfisca_fds_tools.explain import sweep

    nombre = (int, float)
    champs = {SITUATION: dict, "mois": str, "entreprise": str, "variable": str}
    champs |= {"debut": nombre, "fin": nombre, "points": int}
    lire_demande(corps, champs, (SITUATION, "mois", "debut", "fin"))
    mois = lire_mois(corps["mois"])
    entreprise = _entreprise(systeme, corps, LIMITES["entreprises_sweep"])
    points, variable = corps.get("points", 201), corps.get("variable", "chiffre_affaires")
    if not 2 <= points <= LIMITES["points_sweep"]:
        raise RequeteRefusee(400, Place(("points",)), f"{points} points", f"de 2 à {LIMITES['points_sweep']}")
    for cle in ("debut", "fin"):
        if not math.isfinite(corps[cle]):
            raise RequeteRefusee(400, Place((cle,)), f"valeur {corps[cle]}", "un nombre fini")
    definition = systeme.variables.get(variable)
    if definition is None:
        donnees = [nom for nom, une in systeme.variables.items() if une.is_input_variable()]
        attendu = suggestion(variable, donnees) or "un nom de GET /variables"
        raise RequeteRefusee(400, Place(("variable",)), f"variable « {court(variable)} » inconnue", attendu)
    if not definition.is_input_variable():
        raise RequeteRefusee(400, Place(("variable",)), f"« {variable} » est calculée", "une donnée de l'entreprise")
    courbe = sweep.balayer(
        systeme, corps[SITUATION], variable, mois, float(corps["debut"]), float(corps["fin"]), points, entreprise
    )
    return asdict(courbe)


def _entreprise(systeme, corps, maximum):
    """Check the situation of the body, and find the enterprise that is asked."""
    pluriel = systeme.person_entity.plural
    verifier(systeme, corps[SITUATION], maximum, Place((SITUATION,)))
    ids = identifiants(corps[SITUATION], pluriel)
    entreprise = corps.get("entreprise", ids[0] if len(ids) == 1 else None)
    if entreprise is None:
        raise RequeteRefusee(400, Place(("entreprise",)), "clé absente", "l'une des entreprises de la situation")
    if entreprise not in ids:
        attendu = suggestion(entreprise, ids) or "l'une des entreprises de la situation"
        raise RequeteRefusee(400, Place(("entreprise",)), f"entreprise « {court(entreprise)} » inconnue", attendu)
    return entreprise
