"""Read the case that a command is given: a situation alone, or a YAML test case."""

from openfisca_fds_tools.situation import ErreurSituation, Place, lire_yaml, suggestion

CLES_DE_CAS = {"input", "output", "name", "period"}
CLES_ADMISES = CLES_DE_CAS | {
    "absolute_error_margin",
    "description",
    "extensions",
    "keywords",
    "max_spiral_loops",
    "reforms",
    "relative_error_margin",
}


def lire_cas(chemin, nom=None):
    """Read a case.

    Args:
        chemin: YAML file: a situation, a test case (``input``, ``period``…), or a list of test cases.
        nom: name of the test case; needed when the file holds several.

    Returns:
        (situation, default period or None).

    Raises:
        ErreurSituation: the file cannot be read, or the case is not in it.
    """
    contenu = lire_yaml(chemin)
    place = Place((), str(chemin))
    cas = contenu if isinstance(contenu, list) else [contenu]
    if any(not isinstance(un_cas, dict) for un_cas in cas) or not cas:
        raise ErreurSituation(place, "ni une situation ni des cas", "{entreprises: {…}} ou des cas avec « input »")
    noms = [str(un_cas.get("name", "")) for un_cas in cas]
    if nom is not None and nom not in noms:
        raise ErreurSituation(place, f"cas « {nom} » absent", suggestion(nom, noms) or ", ".join(noms))
    if nom is None and len(cas) > 1:
        raise ErreurSituation(place, f"{len(cas)} cas", "l'option --case et l'un de : " + ", ".join(noms))
    choisi = cas[noms.index(nom)] if nom is not None else cas[0]
    if CLES_DE_CAS & set(choisi):
        for cle in choisi:
            if cle not in CLES_ADMISES:
                raise ErreurSituation(
                    place.sous(choisi, cle), "clé inconnue d'un cas", suggestion(str(cle), sorted(CLES_ADMISES))
                )
        return choisi.get("input") or {}, choisi.get("period")
    return choisi, None


def rang_de(simulation, entreprise=None):
    """Row of an enterprise in a simulation.

    Args:
        simulation: openfisca-core Simulation.
        entreprise: id; None for the only one.

    Raises:
        ValueError: the id is missing where there are several enterprises, or unknown.
    """
    ids = [str(identifiant) for identifiant in simulation.persons.ids]
    if entreprise is None and len(ids) > 1:
        raise ValueError(f"Choisir l'entreprise parmi : {', '.join(ids)}.")
    if entreprise is not None and entreprise not in ids:
        raise ValueError(f"Entreprise « {entreprise} » inconnue ; attendu : {', '.join(ids)}.")
    return 0 if entreprise is None else ids.index(entreprise)
