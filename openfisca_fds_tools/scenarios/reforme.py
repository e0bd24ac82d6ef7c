"""Parametric reforms written in a YAML file, read without executing anything, checked against the law.

``docs/scenarios.md`` describes the file. A file becomes an ordinary ``Reform`` class; its baseline is never changed.
"""

import difflib
import re
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import cache
from pathlib import Path

import yaml
from openfisca_core.periods import MONTH

from openfisca_fds_tools.situation import ErreurSituation, Place, lire_yaml

from . import classes, fermeture, valeurs
from .parametres import DERNIER_MOIS, PREMIER_MOIS, changer, feuilles, loi, valeur_datee

OCTETS_MAXIMUM = 65_536
PROFONDEUR_MAXIMALE = 20
TROP_EMBOITE = "listes ou dictionnaires trop emboîtés"
LONGUEURS = {"nom": 120, "description": 2000}  # characters
RACINE = "fonds_de_solidarite"  # paths may start below it
SEUIL_DE_PROXIMITE = 0.5
LONGUEUR_D_UN_NOM = 200  # beyond, no near name is looked for
CLES = ("nom", "description", "parametres", "neutralise")
CLES_DE_PARAMETRE = ("chemin", "debut", "fin", "valeur", "operation")
CLES_DE_NEUTRALISATION = ("variable", "debut", "fin")
MOIS = re.compile(r"(\d{4})-(\d{2})(?:-(\d{2}))?", re.ASCII)
OPERATION = re.compile(
    r"(?P<signe>[+\-−×x*])\s*(?P<nombre>\d[\d\s_]{0,20}(?:[.,]\d{1,10})?)\s*(?P<pourcent>%)?", re.ASCII
)
LOI_AU = "loi:"  # « loi:2021-02-20 » in a composition


class ErreurReforme(ErreurSituation):
    """A reform that cannot be read, said in one French line with its place in the file."""


@dataclass(frozen=True)
class Operation:
    """What to do to each value: multiply (``facteur``) or add (``terme``)."""

    texte: str
    facteur: Decimal = Decimal(1)
    terme: Decimal = Decimal(0)

    def appliquer(self, valeur):
        """Apply to a number, in decimal arithmetic so that 0.2 + 10 % is 0.22."""
        resultat = Decimal(str(valeur)) * self.facteur + self.terme
        return (
            int(resultat) if isinstance(valeur, int) and resultat == resultat.to_integral_value() else float(resultat)
        )


@dataclass(frozen=True)
class Changement:
    """One line of ``parametres``: a value (lists as tuples) or an operation, from month ``debut`` to month ``fin``."""

    chemin: str
    debut: str
    fin: str | None
    valeur: object = None
    operation: Operation | None = None


@dataclass(frozen=True)
class Neutralisation:
    """One variable to neutralise: for good, or for some months."""

    variable: str
    debut: str | None = None
    fin: str | None = None


@dataclass(frozen=True)
class ReformeParametrique:
    """A whole file; ``classes.classe`` makes it a Reform class."""

    nom: str
    description: str
    changements: tuple[Changement, ...] = ()
    neutralisations: tuple[Neutralisation, ...] = ()

    def appliquer(self, reforme) -> None:
        """Change a system: called by ``Reform.apply``."""
        if self.changements:
            reforme.modify_parameters(self.modifier)
        for neutralisation in self.neutralisations:
            if neutralisation.debut is None and neutralisation.fin is None:
                reforme.neutralize_variable(neutralisation.variable)
            else:
                fermeture.fermer(reforme, neutralisation.variable, neutralisation.debut, neutralisation.fin)

    def modifier(self, parametres):
        """Change a tree of parameters (a copy), and give it back."""
        connus = feuilles(parametres)
        for changement in self.changements:
            changer(connus[changement.chemin], changement.debut, changement.fin, self._remplacer(changement))
        return parametres

    def _remplacer(self, changement: Changement):
        """Give each new value its metadata: the reform, and the value of the law that it replaces."""

        def remplacement(ancienne):
            if changement.operation is None:
                valeur = list(changement.valeur) if isinstance(changement.valeur, tuple) else changement.valeur
            elif ancienne.value is None:
                return None  # a closed bracket stays closed
            else:
                valeur = changement.operation.appliquer(ancienne.value)
            loi = {"value": ancienne.value}
            loi |= {cle: ancienne.metadata[cle] for cle in ("decret", "en_vigueur") if cle in ancienne.metadata}
            return valeur, {
                "reforme": self.nom,
                "versions_anterieures": [*ancienne.metadata.get("versions_anterieures", []), loi],
                "reference": [{"title": f"Réforme « {self.nom} »"}],
            }

        return remplacement


def lire_reforme(texte: str):
    """Read a reform, or a composition « a.yaml+b.yaml ».

    Args:
        texte: parts joined by « + », applied in this order; each is the path of a YAML file, the path of a Python file
            (executed) or the dotted name of a Reform class, or « loi:AAAA-MM-JJ ».

    Returns:
        Reform class.

    Raises:
        ErreurReforme: a file cannot be read, or a class does not exist.
    """
    morceaux = [morceau.strip() for morceau in texte.split("+")]
    if not all(morceaux):
        raise ErreurReforme(Place((texte,)), "partie vide", "a.yaml+b.yaml")
    return classes.composer(*(_lire_partie(morceau) for morceau in morceaux))


def _lire_partie(texte: str):
    if texte.startswith(LOI_AU):
        from .loi import loi_au

        try:
            return loi_au(texte.removeprefix(LOI_AU))
        except ValueError as erreur:
            raise ErreurReforme(Place((texte,)), str(erreur)) from None
    if texte.endswith(".py"):
        from .structure import lire_python

        try:
            return lire_python(texte)
        except ValueError as erreur:
            raise ErreurReforme(Place((), texte), str(erreur)) from None
    if texte.endswith((".yaml", ".yml")) or "/" in texte:
        return lire_fichier(texte)
    from openfisca_fds_tools.population import ErreurUtilisateur
    from openfisca_fds_tools.population.model import classe_reforme

    try:
        return classe_reforme(texte)
    except ErreurUtilisateur:
        raise ErreurReforme(
            Place((texte,)), "réforme introuvable", "un fichier .yaml ou .py, une classe Reform (paquet.module.Classe)"
        ) from None


def lire_fichier(chemin):
    """Read a YAML file.

    Args:
        chemin: path of the file.

    Returns:
        Reform class, the same for the same content.

    Raises:
        ErreurReforme: with the file, the line, what is wrong and what was expected.
    """
    return classes.classe(Lecteur(str(chemin)).lire(lire_contenu(chemin)))


def lire_contenu(chemin):
    """Content of a YAML file that anyone may have written: size, nesting and aliases are checked before it is built.

    Raises:
        ErreurReforme: with the file, the line, what is wrong and what was expected.
    """
    place = Place((), str(chemin))
    fichier = Path(chemin)
    if not fichier.is_file():
        raise ErreurReforme(place, "fichier introuvable")
    if fichier.stat().st_size > OCTETS_MAXIMUM:
        raise ErreurReforme(place, "fichier trop grand", f"au plus {OCTETS_MAXIMUM // 1024} Kio")
    _refuser_les_bombes(fichier)
    try:
        return lire_yaml(chemin)
    except ErreurSituation as erreur:
        probleme = " ".join(erreur.probleme.split())
        attendu = "des nombres et des dates bien écrits" if "valeur incorrecte" in probleme else erreur.attendu
        raise ErreurReforme(erreur.place, probleme[:200], attendu) from None


def _refuser_les_bombes(fichier: Path) -> None:
    """Refuse nesting and aliases, event by event: no object is built, and what is no YAML is left to the reader."""
    profondeur = 0
    try:
        for evenement in yaml.parse(fichier.read_bytes(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            ici = Place((), str(fichier), evenement.start_mark.line + 1)
            if isinstance(evenement, yaml.AliasEvent):
                raise ErreurReforme(ici, f"alias « *{evenement.anchor[:40]} »", "le contenu lui-même, sans alias")
            profondeur += isinstance(evenement, yaml.CollectionStartEvent)
            profondeur -= isinstance(evenement, yaml.CollectionEndEvent)
            if profondeur > PROFONDEUR_MAXIMALE:
                raise ErreurReforme(ici, TROP_EMBOITE)
    except (yaml.YAMLError, UnicodeDecodeError) as erreur:
        if "nesting" in str(erreur):  # the scanner, which reads ahead, has a limit of its own
            raise ErreurReforme(Place((), str(fichier)), TROP_EMBOITE) from None


@cache
def _parametres() -> dict:
    return feuilles(loi().parameters)


class Lecteur:
    """Reads the content of one file; every error says where.

    Args:
        fichier: its path, for messages.
    """

    def __init__(self, fichier: str) -> None:
        self.place = Place((), fichier)

    def lire(self, contenu) -> ReformeParametrique:
        """Check a whole file and give its reform."""
        self.cles(contenu, CLES, self.place, ("nom", "description"))
        if not contenu.get("parametres") and not contenu.get("neutralise"):
            raise ErreurReforme(self.place, "réforme vide", "« parametres » ou « neutralise »")
        changements = self._liste(contenu, "parametres", self._changement)
        neutralisations = self._liste(contenu, "neutralise", self._neutralisation)
        self._refuser_les_chevauchements(changements, "chemin", "changé")
        self._refuser_les_chevauchements(neutralisations, "variable", "neutralisée")
        return ReformeParametrique(
            self._texte(contenu, "nom"),
            self._texte(contenu, "description"),
            tuple(changement for changement, _ in changements),
            tuple(neutralisation for neutralisation, _ in neutralisations),
        )

    # ---- shape ----

    def cles(self, contenu, permises, place, exigees) -> None:
        """Refuse what is no mapping, an unknown key, a missing one."""
        if not isinstance(contenu, dict):
            raise ErreurReforme(
                place, f"valeur {valeurs.citer(contenu)}", f"un dictionnaire de clés {', '.join(permises)}"
            )
        for cle in contenu:
            if cle not in permises:
                conseil = _proches(str(cle), permises) or f"l'une de {', '.join(permises)}"
                raise ErreurReforme(place.sous(contenu, cle), f"clé inconnue {valeurs.citer(cle)}", conseil)
        for cle in exigees:
            if contenu.get(cle) is None:
                raise ErreurReforme(place, f"clé « {cle} » absente")

    def _texte(self, contenu, cle) -> str:
        valeur = contenu[cle]
        lisible = isinstance(valeur, str) and valeur.strip() and "".join(valeur.split()).isprintable()
        if not lisible or len(valeur) > LONGUEURS[cle]:
            attendu = f"un texte d'au plus {LONGUEURS[cle]} caractères imprimables"
            raise ErreurReforme(self.place.sous(contenu, cle), f"valeur {valeurs.citer(valeur)}", attendu)
        return " ".join(valeur.split())

    def _liste(self, contenu, cle, lire) -> list:
        elements = contenu.get(cle)
        if elements is None:
            return []
        place = self.place.sous(contenu, cle)
        if not isinstance(elements, list):
            raise ErreurReforme(place, f"valeur {valeurs.citer(elements)}", "une liste")
        places = [place.sous(elements, rang) for rang in range(len(elements))]
        return [(lire(element, ici), ici) for element, ici in zip(elements, places, strict=True)]

    # ---- one parameter ----

    def _changement(self, element, place) -> Changement:
        self.cles(element, CLES_DE_PARAMETRE, place, ("chemin", "debut"))
        parametre = self._parametre(element, place)
        debut, fin = self._intervalle(element, place)
        if ("valeur" in element) == ("operation" in element):
            raise ErreurReforme(place, f"« {parametre.name} »", "« valeur » ou « operation », l'une des deux")
        premiere = parametre.values_list[-1].instant_str
        if debut < premiere:
            lieu = place.sous(element, "debut")
            raise ErreurReforme(lieu, f"« {parametre.name} » n'existe qu'à partir de {premiere[:7]}", premiere[:7])
        if "valeur" in element:
            valeur = valeurs.lire(parametre, element["valeur"], place.sous(element, "valeur"), ErreurReforme)
            return Changement(parametre.name, debut, fin, valeur)
        ici = place.sous(element, "operation")
        operation = self._operation(element["operation"], ici)
        self._essayer(parametre, debut, fin, operation, ici)
        return Changement(parametre.name, debut, fin, None, operation)

    def _parametre(self, element, place):
        chemin, ici = element["chemin"], place.sous(element, "chemin")
        connus = _parametres()
        if not isinstance(chemin, str):
            raise ErreurReforme(ici, f"valeur {valeurs.citer(chemin)}", "le chemin d'un paramètre")
        for essai in (chemin, f"{RACINE}.{chemin}"):
            if essai in connus:
                return connus[essai]
            enfants = [nom for nom in connus if nom.startswith(f"{essai}.")]
            if enfants:
                raise ErreurReforme(ici, f"« {chemin} » est un groupe de paramètres", f"l'un de {_citer(enfants[:4])}")
        conseil = _proches(chemin, [*connus, *(nom.removeprefix(f"{RACINE}.") for nom in connus)])
        raise ErreurReforme(ici, f"paramètre « {chemin[:80]} » inconnu", conseil and f"peut-être {conseil}")

    def _intervalle(self, element, place) -> tuple[str | None, str | None]:
        debut, fin = (self._mois(element, cle, place) for cle in ("debut", "fin"))
        if debut and fin and fin < debut:
            raise ErreurReforme(place.sous(element, "fin"), f"{fin[:7]} précède {debut[:7]}")
        return debut, fin

    def _mois(self, element, cle, place) -> str | None:
        """Read a month of aid; the last one is included."""
        if element.get(cle) is None:
            return None
        ecrit, ici = element[cle], place.sous(element, cle)
        ecrit = str(ecrit) if isinstance(ecrit, (str, date)) else valeurs.citer(ecrit)
        trouve = MOIS.fullmatch(ecrit)
        if not trouve or not 1 <= int(trouve[2]) <= 12:
            raise ErreurReforme(ici, f"date « {ecrit[:40]} »", "un mois d'aide, comme 2021-01")
        if trouve[3] not in (None, "01"):
            raise ErreurReforme(
                ici, f"date {ecrit} : le droit est daté du premier jour du mois d'aide", f"{ecrit[:7]} (mois compris)"
            )
        mois = f"{ecrit[:7]}-01"
        if not PREMIER_MOIS <= mois <= DERNIER_MOIS:
            raise ErreurReforme(ici, f"mois {ecrit[:7]} hors du modèle", f"{PREMIER_MOIS[:7]} à {DERNIER_MOIS[:7]}")
        return mois

    def _operation(self, ecrit, place) -> Operation:
        attendu = '"+10 %", "×1.1" ou "-500", entre guillemets'
        trouve = OPERATION.fullmatch(ecrit.strip()) if isinstance(ecrit, str) else None
        if not trouve:
            raise ErreurReforme(place, f"opération {valeurs.citer(ecrit)}", attendu)
        try:
            nombre = Decimal(re.sub(r"[\s_]", "", trouve["nombre"]).replace(",", "."))
        except InvalidOperation:
            raise ErreurReforme(place, f"opération {valeurs.citer(ecrit)}", attendu) from None
        negatif = trouve["signe"] in "-−"
        if trouve["signe"] in "×x*":
            if trouve["pourcent"]:
                nombre /= 100
            return Operation(ecrit, facteur=nombre)
        if trouve["pourcent"]:
            return Operation(ecrit, facteur=1 + (-nombre if negatif else nombre) / 100)
        return Operation(ecrit, terme=-nombre if negatif else nombre)

    def _essayer(self, parametre, debut, fin, operation, place) -> None:
        """Refuse an operation on what is no number, or whose result the unit does not allow."""
        if parametre.metadata.get("unit") not in valeurs.NUMERIQUES:
            unite = parametre.metadata.get("unit")
            raise ErreurReforme(place, f"opération sur « {parametre.name} » ({unite})", "« valeur »")
        premiere = valeur_datee(parametre, debut)
        dedans = [v for v in parametre.values_list if debut < v.instant_str <= (fin or DERNIER_MOIS)]
        for datee in [premiere, *dedans]:
            if datee.value is not None:
                resultat = operation.appliquer(datee.value)
                valeurs.lire(parametre, resultat, place, ErreurReforme)

    def _refuser_les_chevauchements(self, lignes, cle: str, participe: str) -> None:
        for rang, (ligne, place) in enumerate(lignes):
            nom = getattr(ligne, cle)
            for autre, _ in lignes[:rang]:
                if getattr(autre, cle) == nom and se_chevauchent(autre, ligne):
                    raise ErreurReforme(
                        place, f"« {nom} » : déjà {participe} pour des mois communs", "des mois séparés"
                    )

    # ---- one variable ----

    def _neutralisation(self, element, place) -> Neutralisation:
        if isinstance(element, str):
            element = {"variable": element}
        self.cles(element, CLES_DE_NEUTRALISATION, place, ("variable",))
        nom = element["variable"]
        ici = place.sous(element, "variable")
        variable = loi().variables.get(nom) if isinstance(nom, str) else None
        if variable is None:
            conseil = _proches(nom, loi().variables) if isinstance(nom, str) else ""
            raise ErreurReforme(ici, f"variable {valeurs.citer(nom)} inconnue", conseil and f"peut-être {conseil}")
        debut, fin = self._intervalle(element, place)
        mensuelle = variable.definition_period == MONTH and variable.value_type in fermeture.FORMULES
        if (debut or fin) and not (mensuelle and variable.formulas):
            raise ErreurReforme(ici, f"« {nom} » se neutralise pour tous les mois seulement")
        return Neutralisation(nom, debut, fin)


def _proches(nom: str, noms) -> str:
    if len(nom) > LONGUEUR_D_UN_NOM:
        return ""
    return _citer(difflib.get_close_matches(nom, [str(n) for n in noms], n=3, cutoff=SEUIL_DE_PROXIMITE))


def _citer(noms) -> str:
    return ", ".join(f"« {nom} »" for nom in noms)


# ---- composition ----


def se_chevauchent(un, autre) -> bool:
    """Tell whether two changes, or two neutralisations, share a month."""
    debuts = [ligne.debut or PREMIER_MOIS for ligne in (un, autre)]
    return max(debuts) <= min(ligne.fin or DERNIER_MOIS for ligne in (un, autre))


def desaccords(reforme) -> list[str]:
    """Say why the order of the parts of a composition matters; empty when they commute.

    Two files commute when they change no common month of a common parameter, or change it by operations of the same
    kind (two factors, two terms). Nothing can be shown for a reform written in Python or for the law as of a date.

    Args:
        reforme: Reform class.

    Returns:
        One sentence (French) per reason.
    """
    provenance = getattr(reforme, "provenance", None)
    if not isinstance(provenance, classes.Composition):
        return []
    raisons, lues = [], []
    for partie in provenance.parties:
        source = getattr(partie, "provenance", None)
        if not isinstance(source, ReformeParametrique):
            raisons.append(f"« {classes.titre(partie)} » n'est pas un fichier de paramètres : l'ordre peut compter.")
            continue
        for avant in lues:
            for un in avant.changements:
                for autre in source.changements:
                    if un.chemin == autre.chemin and se_chevauchent(un, autre) and not _commutent(un, autre):
                        raisons.append(f"« {avant.nom} » et « {source.nom} » changent {un.chemin} : l'ordre compte.")
        lues.append(source)
    return raisons


def _commutent(un: Changement, autre: Changement) -> bool:
    if un.operation is None or autre.operation is None:
        return un.operation is autre.operation and un.valeur == autre.valeur
    facteurs = un.operation.terme == autre.operation.terme == 0
    termes = un.operation.facteur == autre.operation.facteur == 1
    return facteurs or termes
