"""Change dated values of a parameter, over months, without touching the law they come from."""

from datetime import date, timedelta
from functools import cache

from openfisca_core.parameters import ParameterAtInstant, ParameterNode

import openfisca_fds

PREMIER_MOIS, DERNIER_MOIS = "2020-03-01", "2022-02-01"


@cache
def loi():
    """Return the law without reform, built once: what reforms are checked against."""
    return openfisca_fds.CountryTaxBenefitSystem()


def feuilles(noeud) -> dict:
    """Parameters of a tree, by full name."""
    if not isinstance(noeud, ParameterNode):
        return {noeud.name: noeud}
    trouvees = {}
    for enfant in noeud.children.values():
        trouvees |= feuilles(enfant)
    return trouvees


def valeur_datee(parametre, instant: str):
    """Dated value (``ParameterAtInstant``) in force at an instant, None before the first one."""
    return next((valeur for valeur in parametre.values_list if valeur.instant_str <= instant), None)


def mois_suivant(mois: str) -> str:
    """First day of the month after that of ``mois`` (AAAA-MM-JJ)."""
    return (date.fromisoformat(mois).replace(day=1) + timedelta(days=31)).replace(day=1).isoformat()


def changer(parametre, debut: str, fin: str | None, transformer) -> list[tuple[str, object, object]]:
    """Replace the values of a parameter from month ``debut`` to month ``fin``, both included.

    Dated values inside the interval are changed one by one; what comes after ``fin`` is kept.

    Args:
        parametre: parameter of a reform (a copy: the values list is rebuilt).
        debut: first day of the first month, AAAA-MM-01.
        fin: first day of the last month, or None: to the end.
        transformer: called with a dated value; gives (new value, its metadata), or None to leave it.

    Returns:
        What was changed: (instant, old value, new value).
    """
    apres = mois_suivant(fin) if fin else None
    dedans = [v for v in parametre.values_list if v.instant_str > debut and (apres is None or v.instant_str < apres)]
    faits, nouvelles = [], []
    for instant, ancienne in [(v.instant_str, v) for v in dedans] + [(debut, valeur_datee(parametre, debut))]:
        remplacement = None if ancienne is None else transformer(ancienne)
        if remplacement is None:
            nouvelles += [] if ancienne is None else [_copie(parametre, ancienne, instant)]
            continue
        valeur, metadonnees = remplacement
        faits.append((instant, ancienne.value, valeur))
        donnees = {"value": valeur, "metadata": metadonnees}
        nouvelles.append(
            ParameterAtInstant(f"{parametre.name}.{instant}", instant, donnees, metadata=parametre.metadata)
        )
    posterieures = [] if apres is None else [v for v in parametre.values_list if v.instant_str >= apres]
    reprise = valeur_datee(parametre, apres) if apres else None
    if reprise is not None and reprise.instant_str < apres:
        posterieures.append(_copie(parametre, reprise, apres))
    anterieures = [v for v in parametre.values_list if v.instant_str < debut]
    parametre.values_list = posterieures + nouvelles + anterieures
    return faits[::-1]


def _copie(parametre, valeur, instant: str):
    """Dated value carried to another instant, with its sources."""
    copie = valeur.clone()
    copie.instant_str, copie.name = instant, f"{parametre.name}.{instant}"
    return copie
