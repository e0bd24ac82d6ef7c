"""What a request may say: its JSON, then its situation, checked before anything is computed.

Every refusal names the key and what is expected. The values themselves are checked by
``openfisca_fds_tools.situation``, which computes each enterprise as it would be alone.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from openfisca_core.indexed_enums import Enum
from openfisca_core.periods import ETERNITY, DateUnit, Period

from openfisca_fds_tools.situation import SIGNES, ErreurSituation, Place, lire_periode, suggestion

LIMITES = {  # stated in /spec
    "octets": 2_000_000,
    "octets_simulate": 64_000_000,
    "entreprises_calculate": 1_000,
    "entreprises_trace": 100,
    "entreprises_explain": 100,
    "entreprises_sweep": 20,
    "entreprises_simulate": 100_000,
    "points_sweep": 1_001,
    "sorties_simulate": 50,
    "cellules_json": 5_000_000,
    "caracteres": 200,
}
PREMIERE_ANNEE, DERNIERE_ANNEE = 2018, 2023  # the model reads 2019-01 to 2022-02; outside its months, an aid is 0
PREMIER_MOIS, DERNIER_MOIS = "2020-03", "2022-02"
PERIODE = re.compile(
    r"ETERNITY|eternity|\d{4}|\d{4}-\d{2}|month:\d{4}-\d{2}(:\d{1,3})?|year:\d{4}(-\d{2})?(:\d{1,2})?", re.ASCII
)
DUREE_NULLE = re.compile(r".*:0+")
PERIODE_ATTENDUE = "un mois (2020-03), une année (2019) ou ETERNITY"
TYPES_JSON = {dict: "objet", list: "liste", str: "texte", bool: "booléen", int: "nombre", float: "nombre"}
ATTENDUS = {
    bool: "true ou false",
    int: "un nombre entier",
    float: "un nombre",
    str: "un texte",
    Enum: "un code ou un nom, entre guillemets",
}
EUROS = "currency-EUR"
CHIFFRES_MAXIMAUX = 19  # of an integer; beyond, it is read as a float, and out of every bound


class RequeteRefusee(ErreurSituation):
    """A request refused for another reason than a wrong value; ``statut`` is the HTTP status."""

    def __init__(self, statut, place, probleme, attendu=""):
        super().__init__(place, probleme, attendu)
        self.statut = statut


@dataclass(frozen=True)
class Demande:
    """A value asked by ``null``: where it stands in the situation, and its month."""

    pluriel: str
    identifiant: str
    variable: str
    periode: str
    mois: Period


# ---- JSON ----


def lire_json(corps, constantes=True):
    """Read a JSON body; keys are unique, and no integer is longer than a float can tell.

    Args:
        corps: bytes.
        constantes: let NaN and Infinity through, so that what reads the value refuses it by its key.

    Raises:
        RequeteRefusee: not JSON, or nested too deep.
    """
    try:
        return json.loads(
            corps,
            parse_int=lambda ecrit: int(ecrit) if len(ecrit) <= CHIFFRES_MAXIMAUX else float(ecrit),
            parse_constant=None if constantes else _constante,
            object_pairs_hook=_objet,
        )
    except RecursionError:
        raise RequeteRefusee(400, Place(), "JSON trop imbriqué", "au plus 6 niveaux") from None
    except json.JSONDecodeError as erreur:
        ou = f"ligne {erreur.lineno}, colonne {erreur.colno}"
        raise RequeteRefusee(400, Place(), f"JSON incorrect, {ou}", "un objet JSON") from None
    except UnicodeDecodeError:
        raise RequeteRefusee(400, Place(), "corps illisible", "du JSON en UTF-8") from None


def _constante(ecrit):
    raise RequeteRefusee(400, Place(), f"{ecrit} n'est pas du JSON", "un nombre fini")


def _objet(paires):
    objet = dict(paires)
    if len(objet) < len(paires):
        vues = set()
        for cle, _ in paires:
            if cle in vues:
                raise RequeteRefusee(400, Place((court(cle),)), "clé donnée deux fois", "des clés uniques")
            vues.add(cle)
    return objet


def court(texte, longueur=80):
    """Cut a text for a message."""
    texte = str(texte)
    return texte if len(texte) <= longueur else f"{texte[:longueur]}…"


def lire_demande(corps, champs, obligatoires):
    """Check the keys and the JSON types of the body of /explain, /sweep or /simulate.

    Args:
        corps: JSON value.
        champs: {key: Python type or tuple of types}.
        obligatoires: keys that must be there.

    Returns:
        The body.

    Raises:
        RequeteRefusee: not an object, unknown, missing or mistyped key.
    """
    if not isinstance(corps, dict):
        raise RequeteRefusee(400, Place(), f"corps de type {_type(corps)}", "un objet JSON")
    for cle, valeur in corps.items():
        place = Place((court(cle),))
        if cle not in champs:
            attendu = suggestion(court(cle), champs) or ", ".join(champs)
            raise RequeteRefusee(400, place, "clé inconnue", attendu)
        types = champs[cle] if isinstance(champs[cle], tuple) else (champs[cle],)
        if not isinstance(valeur, types) or (isinstance(valeur, bool) and bool not in types):
            attendu = "nombre entier" if types == (int,) else " ou ".join(dict.fromkeys(TYPES_JSON[un] for un in types))
            raise RequeteRefusee(400, place, f"valeur de type {_type(valeur)}", attendu)
        if isinstance(valeur, str) and len(valeur) > LIMITES["caracteres"]:
            raise RequeteRefusee(400, place, "texte trop long", f"au plus {LIMITES['caracteres']} caractères")
    for cle in obligatoires:
        if cle not in corps:
            raise RequeteRefusee(400, Place((cle,)), "clé absente", ", ".join(obligatoires))
    return corps


def _type(valeur):
    return TYPES_JSON.get(type(valeur), "null")


def lire_mois(texte):
    """Read the aid month of /explain and /sweep.

    Raises:
        RequeteRefusee: not a month of the fund.
    """
    if not re.fullmatch(r"[0-9]{4}-(0[1-9]|1[0-2])", texte) or not PREMIER_MOIS <= texte <= DERNIER_MOIS:
        raise RequeteRefusee(
            400, Place(("mois",)), f"mois « {court(texte)} »", f"un mois de {PREMIER_MOIS} à {DERNIER_MOIS}"
        )
    return texte


# ---- situation ----


def verifier(systeme, situation, maximum, place=None):
    """Check the shape of a situation, and list what it asks.

    Args:
        systeme: tax and benefit system.
        situation: JSON value: ``{entreprises: {id: {variable: {period: value or null}}}, groupes: {…}}``.
        maximum: number of enterprises.
        place: where the situation stands in the body.

    Returns:
        List of Demande, one for each null.

    Raises:
        RequeteRefusee: wrong shape; unknown variable (404); too many enterprises (413).
        ErreurSituation: a period that cannot be read.
    """
    place = place or Place()
    if not isinstance(situation, dict):
        raise RequeteRefusee(400, place, f"situation de type {_type(situation)}", "un objet {entreprises, groupes}")
    entites = {entite.plural: entite for entite in systeme.entities}
    demandes = []
    for pluriel, instances in situation.items():
        ici = place.sous(situation, court(pluriel))
        if pluriel == "axes":
            raise RequeteRefusee(400, ici, "les axes ne sont pas acceptés", "POST /sweep ou POST /simulate")
        if pluriel not in entites:
            raise RequeteRefusee(400, ici, "entité inconnue", suggestion(court(pluriel), entites) or ", ".join(entites))
        if not isinstance(instances, dict):
            raise RequeteRefusee(400, ici, f"valeur de type {_type(instances)}", "{identifiant: {variable: …}}")
        if len(instances) > maximum:
            suite = f"au plus {maximum} ; au-delà, POST /simulate"
            raise RequeteRefusee(413, ici, f"{len(instances)} {pluriel}", suite)
        for identifiant, contenu in instances.items():
            la = _identifiant(ici, identifiant)
            if not isinstance(contenu, dict):
                raise RequeteRefusee(400, la, f"valeur de type {_type(contenu)}", "{variable: {période: valeur}}")
            demandes += _instance(systeme, entites[pluriel], identifiant, contenu, la)
    personnes = systeme.person_entity.plural
    if personnes not in situation:
        raise RequeteRefusee(400, place, "aucune entreprise", f'{{"{personnes}": {{identifiant: {{variable: …}}}}}}')
    return demandes


def _identifiant(place, identifiant):
    ici = Place((*place.chemin, court(identifiant)))
    correct = identifiant.strip() and len(identifiant) <= LIMITES["caracteres"] and identifiant.isprintable()
    if not correct or "/" in identifiant:
        attendu = f"1 à {LIMITES['caracteres']} caractères imprimables, sans barre oblique"
        raise RequeteRefusee(400, ici, "identifiant refusé", attendu)
    return ici


def _instance(systeme, entite, identifiant, contenu, place):
    roles = {nom for role in entite.roles for nom in (role.key, role.plural)} if not entite.is_person else set()
    for nom, brut in contenu.items():
        ici = Place((*place.chemin, court(nom)))
        if nom in roles:
            _membres(brut, ici)
            continue
        variable = systeme.variables.get(nom)
        if variable is None:
            noms = [v.name for v in systeme.variables.values() if v.entity.key == entite.key]
            attendu = suggestion(court(nom), [*roles, *noms]) or "un nom de GET /variables"
            raise RequeteRefusee(404, ici, "variable inconnue", attendu)
        if variable.entity.key != entite.key:
            raise RequeteRefusee(
                400, ici, f"variable des {variable.entity.plural}", f"une variable des {entite.plural}"
            )
        if not isinstance(brut, dict):
            exemple = "ETERNITY" if variable.definition_period == ETERNITY else "2021-03"
            raise RequeteRefusee(400, ici, f"valeur de type {_type(brut)}", f'{{"{exemple}": valeur}}')
        for texte, valeur in brut.items():
            periode = _periode(texte, Place((*ici.chemin, court(texte))))
            if valeur is None:
                mois = _mois_demande(variable, periode, Place((*ici.chemin, texte)))
                yield Demande(entite.plural, identifiant, nom, texte, mois)
            elif isinstance(valeur, (dict, list)) or (isinstance(valeur, str) and len(valeur) > LIMITES["caracteres"]):
                probleme = "texte trop long" if isinstance(valeur, str) else f"valeur de type {_type(valeur)}"
                attendu = ATTENDUS.get(variable.value_type, "une date AAAA-MM-JJ")
                raise RequeteRefusee(400, Place((*ici.chemin, texte)), probleme, attendu)
            elif variable.unit == EUROS and variable.name not in SIGNES and type(valeur) in (int, float) and valeur < 0:
                raise RequeteRefusee(400, Place((*ici.chemin, texte)), f"valeur {valeur}", "un nombre positif ou nul")


def _membres(brut, place):
    liste = [brut] if isinstance(brut, str) else brut
    attendu = "une liste d'identifiants d'entreprises, entre guillemets"
    if not isinstance(liste, list):
        raise RequeteRefusee(400, place, f"valeur de type {_type(brut)}", attendu)
    for membre in liste:
        if not isinstance(membre, str):
            raise RequeteRefusee(400, place, f"membre de type {_type(membre)}", attendu)
        _identifiant(place, membre)


def _periode(texte, place):
    """Read a period of the model."""
    if not PERIODE.fullmatch(texte):
        raise RequeteRefusee(400, place, f"période « {court(texte)} »", PERIODE_ATTENDUE)
    annee = re.search(r"\d{4}", texte)
    attendu = f"de {PREMIERE_ANNEE} à {DERNIERE_ANNEE}"
    if annee and not PREMIERE_ANNEE <= int(annee[0]) <= DERNIERE_ANNEE:
        raise RequeteRefusee(400, place, f"période « {texte} » hors du modèle", attendu)
    if DUREE_NULLE.fullmatch(texte):
        raise RequeteRefusee(400, place, f"période « {texte} » de durée nulle", "au moins un mois")
    periode = lire_periode(texte, place)
    if periode.unit != ETERNITY and periode.stop.year > DERNIERE_ANNEE:
        raise RequeteRefusee(400, place, f"période « {texte} » hors du modèle", attendu)
    return periode


def _mois_demande(variable, periode, place):
    if periode.unit != DateUnit.MONTH or periode.size != 1:
        precision = ", quel qu'il soit" if variable.definition_period == ETERNITY else ""
        raise RequeteRefusee(
            400, place, f"« {variable.name} » demandée pour {periode}", f"un mois (2021-03){precision}"
        )
    return periode


def identifiants(situation, pluriel):
    """Ids of the instances of an entity in a situation already checked."""
    instances = situation.get(pluriel)
    return list(instances) if isinstance(instances, Mapping) else []
