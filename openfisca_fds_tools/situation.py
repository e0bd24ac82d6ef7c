"""From a situation, in JSON or YAML, to a simulation where each enterprise gets what it would get alone.

openfisca-core's own builder mixes, without a word, enterprises whose inputs use different periods, and gives the
*default* of a variable, not its formula, to the enterprises that leave it out while another one gives it. Here the
inputs of each enterprise are first brought to months, alone, and then :class:`SimulationParEntreprise` completes
each variable row by row.

The reading is strict: a number is a number, a code is a code, and every refusal names the key, the line, the value
and what is expected.
"""

import calendar
import difflib
import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache, reduce
from operator import sub
from os.path import commonprefix
from pathlib import Path

import numpy
import yaml
from openfisca_core import periods
from openfisca_core.holders import set_input_dispatch_by_period, set_input_divide_by_period
from openfisca_core.indexed_enums import Enum, EnumArray
from openfisca_core.periods import ETERNITY, DateUnit, Period
from openfisca_core.simulations import Simulation

from openfisca_fds.codes import Code
from openfisca_fds.saisie import repartir_a_l_identique, repartir_par_parts_egales
from openfisca_fds_tools.memoire import Groupes, Personnes

A_L_IDENTIQUE = repartir_a_l_identique, set_input_dispatch_by_period
PAR_PARTS_EGALES = repartir_par_parts_egales, set_input_divide_by_period
MONTANT_MAXIMAL = 1e12  # euros; beyond, cents times ten-thousandths would leave int64
DEMI_CENTIME = 0.005
ENTIER_MAXIMAL = numpy.iinfo(numpy.int32).max  # openfisca-core stores int variables in int32
UN_MOIS = periods.period("2020-03")  # any one will do: what never changes is asked for a month like all the rest
TOUJOURS = periods.period(ETERNITY)
DUREE_MAXIMALE = 120  # months of one input period; a typing error must not loop for centuries
PREMIERE_ANNEE, DERNIERE_ANNEE = 1900, 2100
VOISINS_CITES = 3
LONGUEUR_D_UN_NOM = 200  # beyond, no near name is looked for

# Bounds of what an input means, by unit, then by name where the unit says too little.
BORNES_PAR_UNITE = {"salarié": (0, MONTANT_MAXIMAL), "jour": (0, 31), "m²": (0, MONTANT_MAXIMAL)}
JOURS = "jour"  # of a month: no more than it has
SIGNES = {"benefice_imposable_dernier_exercice", "solde_tresorerie_volet_2"}  # inputs in euros that may be negative
BORNES = {
    "densite_commune": (1, 4),
    "nombre_associes": (0, ENTIER_MAXIMAL),
    "nombre_conjoints_collaborateurs": (0, ENTIER_MAXIMAL),
    "part_chiffre_affaires_clients_proteges": (0, 1),
}
PERIODES_ATTENDUES = "un mois (2020-03), une année (2019) ou ETERNITY"
DATE_ISO = re.compile(r"\d{4}-\d{2}-\d{2}")
NAF_SANS_POINT = re.compile(r"(\d{2})(\d{2}[A-Za-z])")
ENTIER_AMBIGU = re.compile(r"[-+]?0[0-9_]+|.*:.*")


# ---- errors and places ----


@dataclass(frozen=True)
class Place:
    """Where something stands in a situation: the path of keys, and the file and line when we read the YAML."""

    chemin: tuple[str, ...] = ()
    fichier: str | None = None
    ligne: int | None = None

    def sous(self, contenant, cle):
        """Place of ``contenant[cle]``, ``contenant`` standing here."""
        ligne = getattr(contenant, "lignes", {}).get(cle, self.ligne)
        fichier = getattr(contenant, "fichier", self.fichier)
        return Place((*self.chemin, str(cle)), fichier, ligne)

    def __str__(self):
        lieu = ":".join(str(partie) for partie in (self.fichier, self.ligne) if partie is not None)
        return " : ".join(partie for partie in (lieu, "/".join(self.chemin)) if partie)


class ErreurSituation(ValueError):  # noqa: N818 — users read its French name
    """A situation that cannot be read, said in one French line.

    Attributes:
        place: where (path of keys, file, line).
        probleme: what is wrong, value included.
        attendu: what was expected, or an empty string.
    """

    def __init__(self, place, probleme, attendu=""):
        self.place, self.probleme, self.attendu = place, probleme, attendu
        suite = f" ; attendu : {attendu}" if attendu else ""
        super().__init__(" : ".join(partie for partie in (str(place), f"{probleme}{suite}.") if partie))


def suggestion(nom, noms):
    """Say which known names are near an unknown one.

    Args:
        nom: the unknown name.
        noms: iterable of known names.

    Returns:
        ``« a », « b »``, the nearest first; of two that are as near, the one that begins alike, as a code of the same
        division does. An empty string when nothing is near, or when the name is too long to be one.
    """
    nom, noms = str(nom), [str(connu) for connu in noms]
    if len(nom) > LONGUEUR_D_UN_NOM or not noms:
        return ""

    def proximite(connu):
        return difflib.SequenceMatcher(None, connu, nom).ratio(), len(commonprefix([connu, nom]))

    proches = difflib.get_close_matches(nom, noms, n=len(noms), cutoff=0.6)
    return ", ".join(f"« {proche} »" for proche in sorted(proches, key=proximite, reverse=True)[:VOISINS_CITES])


# ---- YAML ----


class Carte(dict):
    """Mapping read from YAML, that knows the line of each key."""

    def __init__(self, fichier):
        super().__init__()
        self.fichier = fichier
        self.lignes = {}


class Liste(list):
    """Sequence read from YAML, that knows the line of each item."""

    def __init__(self, fichier):
        super().__init__()
        self.fichier = fichier
        self.lignes = {}


class _Chargeur(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """Safe loader that records lines, refuses duplicate keys, and reads ``01`` as the text it writes, not in octal."""

    fichier = None

    def carte(self, noeud):
        carte = Carte(self.fichier)
        yield carte
        propres = {id(cle) for cle, _ in noeud.value if cle.tag != "tag:yaml.org,2002:merge"}
        self.flatten_mapping(noeud)
        vues = set()
        for noeud_cle, noeud_valeur in noeud.value:
            cle = self.construct_object(noeud_cle, deep=True)
            ligne = noeud_cle.start_mark.line + 1
            if isinstance(cle, (dict, list)):
                raise ErreurSituation(Place((), self.fichier, ligne), "une clé ne peut pas être une liste")
            if id(noeud_cle) in propres and cle in vues:
                raise ErreurSituation(Place((str(cle),), self.fichier, ligne), "clé donnée deux fois")
            if id(noeud_cle) in propres:
                vues.add(cle)
            carte[cle] = self.construct_object(noeud_valeur, deep=True)
            carte.lignes[cle] = ligne

    def liste(self, noeud):
        liste = Liste(self.fichier)
        yield liste
        for rang, element in enumerate(noeud.value):
            liste.append(self.construct_object(element, deep=True))
            liste.lignes[rang] = element.start_mark.line + 1

    def entier(self, noeud):
        ecrit = self.construct_scalar(noeud)
        return ecrit if ENTIER_AMBIGU.fullmatch(ecrit) else self.construct_yaml_int(noeud)


_Chargeur.add_constructor("tag:yaml.org,2002:map", _Chargeur.carte)
_Chargeur.add_constructor("tag:yaml.org,2002:seq", _Chargeur.liste)
_Chargeur.add_constructor("tag:yaml.org,2002:int", _Chargeur.entier)


def lire_yaml(chemin):
    """Read a YAML file with a safe loader, keeping the line of every key for the error messages.

    Args:
        chemin: path of the file.

    Returns:
        The content, whose mappings and sequences are :class:`Carte` and :class:`Liste`.

    Raises:
        ErreurSituation: the file cannot be read, is not YAML, asks for objects, or gives a key twice.
    """
    place = Place((), str(chemin))
    try:
        texte = Path(chemin).read_text(encoding="utf-8")
    except FileNotFoundError as erreur:
        raise ErreurSituation(place, "fichier introuvable") from erreur
    except UnicodeDecodeError as erreur:
        raise ErreurSituation(place, "fichier illisible", "un texte en UTF-8") from erreur
    except OSError as erreur:
        raise ErreurSituation(place, f"fichier illisible ({erreur.strerror})") from erreur
    chargeur = _Chargeur(texte)
    chargeur.fichier = str(chemin)
    try:
        return chargeur.get_single_data()
    except yaml.YAMLError as erreur:
        marque = getattr(erreur, "problem_mark", None)
        ligne = marque.line + 1 if marque else None
        raise ErreurSituation(
            Place((), str(chemin), ligne), f"YAML incorrect : {getattr(erreur, 'problem', erreur)}"
        ) from erreur
    except ValueError as erreur:  # a date such as 2020-02-30
        if isinstance(erreur, ErreurSituation):
            raise
        raise ErreurSituation(place, f"valeur incorrecte : {erreur}", "des dates AAAA-MM-JJ qui existent") from erreur
    finally:
        chargeur.dispose()


# ---- values ----


def bornes_de(variable, mois=None):
    """Give the bounds of what an input means.

    Args:
        variable: openfisca-core Variable.
        mois: « AAAA-MM » that the value is for, if it is for one month.

    Returns:
        (least, greatest) number, infinite where anything goes.
    """
    if variable.unit == JOURS and mois:
        return 0, calendar.monthrange(int(mois[:4]), int(mois[5:]))[1]
    return BORNES.get(variable.name) or BORNES_PAR_UNITE.get(variable.unit, (-math.inf, math.inf))


def lire_valeur(variable, valeur, place=None, bornes=True, mois=None):
    """Check one value of a variable and bring it to the type that openfisca-core stores.

    Args:
        variable: openfisca-core Variable.
        valeur: what the user wrote.
        place: :class:`Place`, for the message.
        bornes: also check the bounds of what an input means (days of a month, shares…).
        mois: « AAAA-MM » that the value is for, if it is for one month.

    Returns:
        bool, int, float, datetime.date, str, or the name (str) of a member of an Enum.

    Raises:
        ErreurSituation: the value is not what the variable expects.
    """
    place = place or Place((variable.name,))
    lecteurs = {bool: _booleen, int: _entier, float: _reel, date: _date, str: _texte, Enum: _membre}
    lue = lecteurs[variable.value_type](variable, valeur, place)
    if bornes and variable.value_type in (int, float):
        mini, maxi = bornes_de(variable, mois)
        if not mini <= lue <= maxi:
            borne = f"au moins {mini:g}" if maxi >= ENTIER_MAXIMAL else f"de {mini:g} à {maxi:g}"
            raise ErreurSituation(place, f"valeur {valeur}", f"un nombre {borne}")
    return lue


def _refus(place, valeur, attendu):
    return ErreurSituation(place, f"valeur {valeur!r}", attendu)


def _est_nombre(valeur):
    return isinstance(valeur, (int, float, numpy.integer, numpy.floating)) and not isinstance(valeur, bool)


def _booleen(variable, valeur, place):
    if not isinstance(valeur, (bool, numpy.bool_)):
        raise _refus(place, valeur, "true ou false")
    return bool(valeur)


def _reel(variable, valeur, place):
    if not _est_nombre(valeur) or not abs(valeur) <= MONTANT_MAXIMAL:  # NaN fails too, and a huge integer is no crash
        raise _refus(place, valeur, "un nombre, sans guillemets ni calcul, d'au plus mille milliards")
    return float(valeur)


def _entier(variable, valeur, place):
    if not _est_nombre(valeur) or not abs(valeur) <= ENTIER_MAXIMAL or valeur != valeur // 1:
        raise _refus(place, valeur, "un nombre entier")
    return int(valeur)


def _date(variable, valeur, place):
    attendu = "une date AAAA-MM-JJ"
    if isinstance(valeur, date) and not isinstance(valeur, datetime):
        return valeur
    if not isinstance(valeur, str) or not DATE_ISO.fullmatch(valeur):
        raise _refus(place, valeur, attendu)
    try:
        return date.fromisoformat(valeur)
    except ValueError:
        raise _refus(place, valeur, f"{attendu} qui existe") from None


def _texte(variable, valeur, place):
    if not isinstance(valeur, str):
        raise _refus(place, valeur, "un texte")
    return valeur


def _membre(variable, valeur, place):
    noms = variable.possible_values.__members__
    est_code = isinstance(variable, Code)
    if est_code and isinstance(valeur, int) and not isinstance(valeur, bool):
        valeur = f"{valeur:02d}"  # the code it writes, never a rank
    if est_code and isinstance(valeur, str):
        valeur = NAF_SANS_POINT.sub(r"\1.\2", valeur.strip()).upper() if valeur not in noms else valeur
    if isinstance(valeur, str) and valeur in noms:
        return valeur
    proches = suggestion(valeur, noms)
    if proches:
        attendu = f"un nom connu, peut-être {proches}"
    else:
        attendu = (
            "un code connu, entre guillemets" if est_code else "l'un de " + ", ".join(f"« {nom} »" for nom in noms)
        )
    raise _refus(place, valeur, attendu)


# ---- periods ----


def lire_periode(texte, place):
    """Read a legal period, refusing those that openfisca-core takes and then loses (``month:2020-03-12``).

    Args:
        texte: ``2020-03``, ``2019``, ``month:2020-01:3``, ``ETERNITY``… (a YAML int or date is taken as written).
        place: :class:`Place`, for the message.

    Returns:
        Period.

    Raises:
        ErreurSituation: not a period, or one that makes no sense here.
    """
    lue = _periode(str(texte))
    if isinstance(lue, Period):
        return lue
    raise ErreurSituation(place, f"période « {texte} »", lue)


@lru_cache(maxsize=4096)  # a situation repeats the same months, and openfisca-core parses slowly
def _periode(texte):
    """Parse a period; give what was expected, as text, instead of one that is refused."""
    try:
        periode = periods.period(texte)
    except ValueError:
        return PERIODES_ATTENDUES
    if periode.unit == ETERNITY:
        return periode
    if periode.unit not in (DateUnit.MONTH, DateUnit.YEAR) or periode.start.day != 1:
        return PERIODES_ATTENDUES
    if not 1 <= _nombre_de_mois(periode) <= DUREE_MAXIMALE:
        return f"au plus {DUREE_MAXIMALE} mois"
    if not PREMIERE_ANNEE <= periode.start.year <= DERNIERE_ANNEE:
        return f"une année entre {PREMIERE_ANNEE} et {DERNIERE_ANNEE}"
    return periode


def _periodes_et_valeurs(variable, brut, defaut, place):
    """List (Period, value checked, Place) of what one enterprise gives for one variable."""
    if not isinstance(brut, Mapping):
        if variable.definition_period == ETERNITY:
            brut = {"ETERNITY": brut}
        elif defaut is None:
            raise ErreurSituation(place, "valeur sans période", "{période: valeur}, par exemple {2020-03: 1000}")
        else:
            brut = {str(defaut): brut}
    saisies = []
    for texte, valeur in brut.items():
        ici = place.sous(brut, texte)
        periode = lire_periode(texte, ici)
        if variable.definition_period == ETERNITY:
            periode = periods.period(ETERNITY)
        elif periode.unit == ETERNITY:
            raise ErreurSituation(ici, f"« {variable.name} » varie dans le temps", "un mois (2020-03) ou une année")
        if valeur is not None:  # an empty cell leaves the formula or the default
            mois = str(periode) if periode.unit == DateUnit.MONTH and periode.size == 1 else None
            saisies.append((periode, lire_valeur(variable, valeur, ici, mois=mois), ici))
    return saisies


def _par_periode(variable, saisies):
    """Bring what one enterprise gives for one variable to the variable's own periods, as it would be alone.

    The shorter periods come first and win; a longer one is then shared among the months left, by the variable's own
    rule. Beware, it is openfisca-core's: a headcount given for 2020 and for March 2020 holds from January to February,
    then March's from March on.

    Returns:
        {Period: value}.
    """
    saisies = sorted(saisies, key=lambda saisie: _nombre_de_mois(saisie[0]))
    doublons = [periode for periode, nombre in Counter(periode for periode, _, _ in saisies).items() if nombre > 1]
    if doublons:
        ici = next(place for periode, _, place in reversed(saisies) if periode == doublons[0])
        raise ErreurSituation(ici, "période donnée deux fois")
    connues = {}
    for periode, valeur, place in saisies:
        if periode.unit == variable.definition_period and abs(periode.size) == 1:
            connues[periode] = valeur
        else:
            _repartir(variable, periode, valeur, connues, place)
    return connues


@lru_cache(maxsize=256)
def _mois(periode):
    return periode.get_subperiods(DateUnit.MONTH)


def _repartir(variable, periode, valeur, connues, place):
    """Complete ``connues``, {month: value}, with the months of a longer period that it leaves."""
    mois = _mois(periode)
    if variable.set_input in A_L_IDENTIQUE:
        for un_mois in mois:
            connues.setdefault(un_mois, valeur)
        return
    if variable.set_input not in PAR_PARTS_EGALES:
        raise ErreurSituation(place, f"« {variable.name} » ne se répartit pas sur « {periode} »", "un mois à la fois")
    libres = [un_mois for un_mois in mois if un_mois not in connues]
    reste = reduce(sub, (connues[un_mois] for un_mois in mois if un_mois in connues), valeur)  # in the core's order
    if not libres and abs(reste) >= DEMI_CENTIME:
        raise ErreurSituation(place, f"le total {valeur} contredit les mois donnés", "leur somme")
    connues.update((un_mois, reste / len(libres)) for un_mois in libres)


def _tableau(variable, valeurs):
    """Array of the variable's own type, from values as :func:`lire_valeur` gives them."""
    if variable.value_type == Enum:
        membres = variable.possible_values
        return EnumArray(numpy.array([membres[nom].index for nom in valeurs], dtype=variable.dtype), membres)
    return numpy.array(valeurs, dtype=variable.dtype)


def _nombre_de_mois(periode):
    return periode.size * (12 if periode.unit == DateUnit.YEAR else 1)  # months a year


# ---- structure: which enterprises, which groups, what they give ----


@dataclass(frozen=True)
class _Saisie:
    """What one instance (enterprise or group) gives for one variable, as written."""

    entite: str
    rang: int
    variable: str
    brut: object
    place: Place


@dataclass
class _Structure:
    """Ids of each entity by key, memberships and roles by group entity, and everything that is given."""

    ids: dict
    appartenances: dict
    roles: dict
    saisies: list


def _lire_structure(systeme, situation):
    if not isinstance(situation, Mapping):
        raise ErreurSituation(Place(), f"situation {situation!r}", "un dictionnaire {entreprises: {…}, groupes: {…}}")
    place = Place()
    entites = {nom: entite for entite in systeme.entities for nom in (entite.key, entite.plural)}
    if not any(cle in entites for cle in situation):
        return _lire_forme_courte(systeme, situation, place)
    for cle in situation:
        if cle not in entites:
            raise ErreurSituation(
                place.sous(situation, cle), f"clé « {cle} » inconnue", suggestion(cle, entites) or ", ".join(entites)
            )
    instances = {entite.key: _instances(entite, situation, place) for entite in systeme.entities}
    personne = systeme.person_entity
    if not instances[personne.key]:
        raise ErreurSituation(place, "aucune entreprise", f"au moins une sous « {personne.plural} »")
    ids = [identifiant for identifiant, _, _ in instances[personne.key]]
    structure = _Structure({personne.key: ids}, {}, {}, [])
    for rang, (_, contenu, ici) in enumerate(instances[personne.key]):
        structure.saisies += _saisies(systeme, personne, rang, contenu, ici, ())
    for entite in systeme.group_entities:
        _lire_groupes(systeme, entite, instances[entite.key], structure)
    return structure


def _instances(entite, situation, place):
    """List (id, content, Place) of the instances of an entity, written in the plural or in the singular."""
    if entite.key in situation and entite.plural in situation:
        raise ErreurSituation(place.sous(situation, entite.key), f"« {entite.key} » et « {entite.plural} » à la fois")
    if entite.key in situation:
        instances = [(entite.key, situation[entite.key], place.sous(situation, entite.key))]
    elif situation.get(entite.plural) is None:
        return []
    else:
        contenant, ici = situation[entite.plural], place.sous(situation, entite.plural)
        if not isinstance(contenant, Mapping):
            raise ErreurSituation(ici, f"valeur {contenant!r}", "{identifiant: {variable: valeur}}")
        instances = [(str(cle), contenu, ici.sous(contenant, cle)) for cle, contenu in contenant.items()]
    vus = Counter(identifiant for identifiant, _, _ in instances)
    for identifiant, contenu, ici in instances:
        if not identifiant.strip() or vus[identifiant] > 1:
            raise ErreurSituation(ici, f"identifiant « {identifiant} »", "un identifiant non vide et unique")
        if not isinstance(contenu, Mapping | None):
            raise ErreurSituation(ici, f"valeur {contenu!r}", "{variable: valeur}")
    return [(identifiant, contenu or {}, ici) for identifiant, contenu, ici in instances]


def _saisies(systeme, entite, rang, contenu, place, autres_cles):
    """List what one instance gives, each key being a variable of its entity or one of ``autres_cles``."""
    saisies = []
    for nom, brut in contenu.items():
        if nom in autres_cles:
            continue
        ici = place.sous(contenu, nom)
        variable = systeme.variables.get(nom)
        if variable is None:
            connus = [*autres_cles, *(v.name for v in systeme.variables.values() if v.entity.key == entite.key)]
            raise ErreurSituation(ici, f"clé « {nom} » inconnue", suggestion(nom, connus) or "une variable du modèle")
        if variable.entity.key != entite.key:
            raise ErreurSituation(ici, f"« {nom} » n'est pas une variable de « {entite.key} »", variable.entity.plural)
        saisies.append(_Saisie(entite.key, rang, nom, brut, ici))
    return saisies


def _lire_groupes(systeme, entite, instances, structure):
    """Read the groups of one entity; an enterprise that no group names forms one alone."""
    ids_personnes = structure.ids[systeme.person_entity.key]
    rangs = {identifiant: rang for rang, identifiant in enumerate(ids_personnes)}
    cles = {role.plural or role.key: role for role in entite.roles}
    appartenance = numpy.full(len(ids_personnes), -1, dtype=numpy.int64)
    roles = numpy.full(len(ids_personnes), entite.flattened_roles[0], dtype=object)
    ids = []
    for rang, (identifiant, contenu, place) in enumerate(instances):
        ids.append(identifiant)
        for cle, role in cles.items():
            membres = contenu.get(cle) or []
            ici = place.sous(contenu, cle)
            for position, membre in enumerate(_liste_de_membres(membres, role, ici)):
                if membre not in rangs:
                    raise ErreurSituation(ici, f"membre « {membre} » inconnu", suggestion(membre, rangs))
                if appartenance[rangs[membre]] >= 0:
                    raise ErreurSituation(ici, f"membre « {membre} » déclaré dans deux groupes ou deux fois")
                appartenance[rangs[membre]] = rang
                roles[rangs[membre]] = role.subroles[position] if role.subroles else role
        if rang not in appartenance:
            raise ErreurSituation(place, "groupe sans membre", f"au moins un identifiant sous « {next(iter(cles))} »")
        structure.saisies += _saisies(systeme, entite, rang, contenu, place, cles)
    for seul in numpy.flatnonzero(appartenance < 0):
        appartenance[seul] = len(ids)
        ids.append(_identifiant_libre(ids_personnes[seul], ids))
    structure.ids[entite.key] = ids
    structure.appartenances[entite.key], structure.roles[entite.key] = appartenance, roles


def _liste_de_membres(membres, role, place):
    if isinstance(membres, (str, int)):
        membres = [membres]
    if not isinstance(membres, list) or not all(isinstance(membre, (str, int)) for membre in membres):
        raise ErreurSituation(place, f"valeur {membres!r}", "une liste d'identifiants d'entreprises")
    if role.max is not None and len(membres) > role.max:
        raise ErreurSituation(place, f"{len(membres)} membres", f"au plus {role.max}")
    return [str(membre) for membre in membres]


def _identifiant_libre(identifiant, pris):
    while identifiant in pris:
        identifiant = f"groupe_{identifiant}"
    return identifiant


def _lire_forme_courte(systeme, situation, place):
    """Read ``{variable: value}``: one enterprise, or several when the values are lists of the same length."""
    variables = {}
    for nom in situation:
        variables[nom] = systeme.variables.get(nom)
        if variables[nom] is None:
            attendu = suggestion(nom, systeme.variables) or "une variable du modèle"
            raise ErreurSituation(place.sous(situation, nom), f"clé « {nom} » inconnue", attendu)
    nombre = max((_longueur(valeur) for brut in situation.values() for valeur in _valeurs(brut)), default=1)
    if nombre == 0:
        raise ErreurSituation(place, "liste vide", "une valeur par entreprise")
    ids = [systeme.person_entity.key] if nombre == 1 else [str(rang) for rang in range(nombre)]
    structure = _Structure({entite.key: ids for entite in systeme.entities}, {}, {}, [])
    for entite in systeme.group_entities:
        structure.appartenances[entite.key] = numpy.arange(nombre)
        structure.roles[entite.key] = numpy.full(nombre, entite.flattened_roles[0], dtype=object)
    for nom, brut in situation.items():
        ici = place.sous(situation, nom)
        for valeur in _valeurs(brut):
            if _longueur(valeur) != nombre:
                raise ErreurSituation(ici, f"{_longueur(valeur)} valeur", f"une liste de {nombre} valeurs")
        for rang in range(nombre):
            structure.saisies.append(_Saisie(variables[nom].entity.key, rang, nom, _part(brut, rang), ici))
    return structure


def _valeurs(brut):
    """Values of a variable, whatever the depth of the mapping that holds them: a wrong depth is refused later."""
    if not isinstance(brut, Mapping):
        return [brut]
    return [feuille for valeur in brut.values() for feuille in _valeurs(valeur)]


def _longueur(valeur):
    return len(valeur) if isinstance(valeur, list) else 1


def _part(brut, rang):
    """Share of the instance ``rang`` in a value, list or mapping of those, lines kept."""
    if not isinstance(brut, Mapping):
        return brut[rang] if isinstance(brut, list) else brut
    part = Carte(getattr(brut, "fichier", None))
    part.update({periode: _part(valeur, rang) for periode, valeur in brut.items()})
    part.lignes = getattr(brut, "lignes", {})
    return part


# ---- simulation ----


class SimulationParEntreprise(Simulation):
    """Simulation where a variable may be given by some instances only: the others get its formula.

    The formula runs when the variable is first asked, hence in the order of dependencies, and the values given
    are then put in their rows. A group formula thus reads, for each member, what that member gives or computes.
    """

    def __init__(self, tax_benefit_system, populations):
        super().__init__(tax_benefit_system, populations)
        self._donnees = {}  # {(variable, period): (rows, values)}, all that is given

    @property
    def suivie(self):
        """Whether someone follows each reading."""
        return self.trace

    def donner(self, nom, periode, rangs, valeurs):
        """Give a variable for some rows, in addition to what others have, before anything is computed.

        Args:
            nom: variable.
            periode: Period of the variable's own length, or ETERNITY.
            rangs: int array of shape (k,), rows of the variable's entity.
            valeurs: array or list of k values, as :func:`lire_valeur` gives them (ranks of an Enum in an array).
        """
        if isinstance(valeurs, list):
            valeurs = numpy.asarray(_tableau(self.tax_benefit_system.get_variable(nom), valeurs))
        if (nom, periode) in self._donnees:
            anciens, anciennes = self._donnees[nom, periode]
            autres = ~numpy.isin(anciens, rangs)
            rangs = numpy.concatenate([anciens[autres], rangs])
            valeurs = numpy.concatenate([anciennes[autres], valeurs])
        self._donnees[nom, periode] = rangs, valeurs

    def _run_formula(self, variable, population, period):
        # Private in openfisca-core, but the one place that sees a formula's result before it is cached.
        cle = variable.name, TOUJOURS if variable.definition_period == ETERNITY else period
        if cle not in self._donnees:
            return super()._run_formula(variable, population, period)
        rangs, valeurs = self._donnees[cle]
        array = None if len(rangs) == population.count else super()._run_formula(variable, population, period)
        array = variable.default_array(population.count) if array is None else array
        complet = numpy.array(self._cast_formula_result(array, variable))
        complet[rangs] = valeurs
        return EnumArray(complet, variable.possible_values) if variable.value_type == Enum else complet


def saisies(simulation):
    """List what a simulation was given, whatever it has computed since.

    Args:
        simulation: openfisca-core Simulation. Unless it is a :class:`SimulationParEntreprise`, what it knows was given
            if no formula gives it; a value equal to the formula's makes no difference.

    Returns:
        {(variable, Period): (rows of shape (k,), k values)}.
    """
    if isinstance(simulation, SimulationParEntreprise):
        return simulation._donnees
    donnees = {}
    for population in list(simulation.populations.values()):
        for nom, detenteur in list(population._holders.items()):
            for periode in list(detenteur.get_known_periods()):
                connues = numpy.asarray(detenteur.get_array(periode))
                mois = UN_MOIS if periode.unit == ETERNITY else periode
                calculees = simulation._run_formula(detenteur.variable, population, mois)
                if calculees is None:
                    calculees = detenteur.default_array()
                rangs = numpy.flatnonzero(connues != numpy.asarray(calculees))
                if len(rangs):
                    donnees[nom, periode] = rangs, connues[rangs]
    return donnees


def construire(tax_benefit_system, situation, periode_par_defaut=None):
    """Build the simulation of a situation.

    Args:
        tax_benefit_system: the country's system, or a reform of it.
        situation: ``{entreprises: {id: {variable: value or {period: value}}}, groupes: {id: {membres: [id, …],
            variable: …}}}``, in the plural or the singular, or the short form ``{variable: value}``; plain
            dictionaries, or what :func:`lire_yaml` gives, whose lines then appear in the messages.
        periode_par_defaut: period of the values given without one (ETERNITY variables need none).

    Returns:
        Simulation (a :class:`SimulationParEntreprise`); an enterprise that no group names forms a group alone.

    Raises:
        ErreurSituation: the situation cannot be read; the message names the path, the line and what is expected.
    """
    structure = _lire_structure(tax_benefit_system, situation)
    defaut = None if periode_par_defaut is None else lire_periode(periode_par_defaut, Place(("period",)))
    par_variable = {}
    for saisie in structure.saisies:
        variable = tax_benefit_system.get_variable(saisie.variable)
        valeurs = _periodes_et_valeurs(variable, saisie.brut, defaut, saisie.place)
        for periode, valeur in _par_periode(variable, valeurs).items():
            if _est_lue(variable, periode, valeur, saisie.place):
                par_variable.setdefault((variable.name, periode), {})[saisie.rang] = valeur
    simulation = SimulationParEntreprise(tax_benefit_system, _populations(tax_benefit_system, structure))
    for (nom, periode), valeurs in par_variable.items():
        simulation.donner(nom, periode, numpy.array(list(valeurs), dtype=numpy.int64), list(valeurs.values()))
    return simulation


def repliquer(simulation, nombre, rang=None):
    """Copy what a simulation was given several times side by side, groups apart; nothing is computed in the copies.

    Args:
        simulation: openfisca-core Simulation of n enterprises.
        nombre: number of copies k.
        rang: row of an enterprise, to copy its group alone; None for all.

    Returns:
        SimulationParEntreprise: the rows of copy i are ``i * n`` to ``(i + 1) * n - 1``, in the order of the original,
        n being the number of enterprises (or groups) kept.
    """
    systeme = simulation.tax_benefit_system
    gardes = _gardes(simulation, rang)
    structure = _Structure({}, {}, {}, [])
    for cle, rangs in gardes.items():
        ids = [simulation.populations[cle].ids[garde] for garde in rangs]
        structure.ids[cle] = [f"{identifiant}#{copie}" for copie in range(nombre) for identifiant in ids]
    personnes = gardes[systeme.person_entity.key]
    for entite in systeme.group_entities:
        population, rangs = simulation.populations[entite.key], gardes[entite.key]
        places = numpy.searchsorted(rangs, population.members_entity_id[personnes])
        structure.appartenances[entite.key] = _decaler(places, nombre, len(rangs))
        structure.roles[entite.key] = numpy.tile(population.members_role[personnes], nombre)
    copies = SimulationParEntreprise(systeme, _populations(systeme, structure))
    for (nom, periode), (rangs, valeurs) in saisies(simulation).items():
        garde = gardes[systeme.get_variable(nom).entity.key]
        dedans = numpy.isin(rangs, garde)
        places = numpy.searchsorted(garde, rangs[dedans])
        if len(places):
            copies.donner(nom, periode, _decaler(places, nombre, len(garde)), numpy.tile(valeurs[dedans], nombre))
    return copies


def _gardes(simulation, rang):
    """Rows of each entity to copy, sorted: all of them, or the group of one enterprise."""
    if rang is None:
        return {cle: numpy.arange(population.count) for cle, population in simulation.populations.items()}
    systeme = simulation.tax_benefit_system
    groupes = {entite.key: simulation.populations[entite.key].members_entity_id for entite in systeme.group_entities}
    ensemble = numpy.any([membres == membres[rang] for membres in groupes.values()], axis=0)
    gardes = {cle: numpy.unique(membres[ensemble]) for cle, membres in groupes.items()}
    return gardes | {systeme.person_entity.key: numpy.flatnonzero(ensemble)}


def _decaler(rangs, nombre, taille):
    """Rows of each copy of ``taille`` rows, one copy after the other."""
    return numpy.tile(rangs, nombre) + numpy.repeat(numpy.arange(nombre) * taille, len(rangs))


def _est_lue(variable, periode: Period, valeur, place):
    """Tell whether the model reads the value; openfisca-core drops without a word what comes after ``end``."""
    if variable.end is None or periode.unit == ETERNITY or periode.start.date <= variable.end:
        return True
    if valeur != variable.default_value:
        raise ErreurSituation(place, f"« {variable.name} » n'est plus lue en {periode}", f"au plus tard {variable.end}")
    return False


def _populations(systeme, structure):
    personnes = Personnes(systeme.person_entity)
    populations = {systeme.person_entity.key: personnes}
    populations |= {entite.key: Groupes(entite, personnes) for entite in systeme.group_entities}
    for cle, ids in structure.ids.items():
        populations[cle].count, populations[cle].ids = len(ids), ids
    for cle, appartenance in structure.appartenances.items():
        populations[cle].members_entity_id = appartenance
        populations[cle].members_role = structure.roles[cle]
    return populations
