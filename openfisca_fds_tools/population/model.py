"""The model as the engine sees it: system and reform, months, aids, fingerprints."""

import hashlib
import importlib
import re
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path

import numpy
from openfisca_core.parameters import ParameterNode
from openfisca_core.periods import DateUnit
from openfisca_core.taxbenefitsystems import TaxBenefitSystem

import openfisca_fds
from openfisca_fds_tools.situation import suggestion

from .errors import ErreurUtilisateur

PREMIER_MOIS, DERNIER_MOIS = "2020-03", "2022-02"  # aid months of the model
PREMIER_MOIS_DES_DONNEES = "2019-01"  # inputs go back to the year of reference

TOTAUX = ("fds_volet_1", "fonds_de_solidarite")

_AIDES = [  # (name of the amount, its article, name of the eligibility), in the order of the tables
    (r"fds_article_(\d+(?:_\d+)?)_montant", "{0}", "fds_article_{0}_eligible"),
    (r"fds_discotheque_volet_1", "discotheque_volet_1", None),
    (r"fds_complement_(\d{4}_\d+)", "complement_{0}", None),
    (r"(fds_volet_1|fonds_de_solidarite)", "{0}", None),
    (r"fds_volet_2", "volet_2", "fds_volet_2_eligible"),
    (r"fds_volet_territorial", "volet_territorial", None),
    (r"fds_discotheque_volet_2_(\w+_\d{4})", "discotheque_volet_2_{0}", None),
    (r"multi_activites_montant", "multi_activites", "multi_activites_eligible"),
]


@dataclass(frozen=True)
class Aide:
    """An amount of the model that the cost table follows.

    Attributes:
        article: its name in tables (« 3-28 », « volet_2 », « fds_volet_1 »…).
        montant: variable of the amount, in euros.
        eligible: boolean variable of the eligibility; None where a positive amount says it.
        mensuelle: whether it is due by month (otherwise once).
    """

    article: str
    montant: str
    eligible: str | None
    mensuelle: bool


@cache
def systeme(reforme=None) -> TaxBenefitSystem:
    """Tax-benefit system of this process, with a reform.

    Args:
        reforme: None, or what :func:`classe_reforme` takes.

    Raises:
        ErreurUtilisateur: no such reform.
    """
    if reforme is None:
        return openfisca_fds.CountryTaxBenefitSystem()
    return classe_reforme(reforme)(systeme(None))


def classe_reforme(reforme):
    """Reform class named by its dotted name, read in files, or that of a date; a class is given back as it is.

    Raises:
        ErreurUtilisateur: no such reform.
    """
    if not isinstance(reforme, str):
        return reforme
    if ".yaml" in reforme or "+" in reforme or reforme.startswith("loi:") or reforme.endswith(".py"):
        from openfisca_fds_tools.scenarios.reforme import ErreurReforme, lire_reforme  # which imports this module

        try:
            return lire_reforme(reforme)
        except ErreurReforme as erreur:
            raise ErreurUtilisateur(str(erreur)) from erreur
    module, _, classe = reforme.rpartition(".")
    try:
        return getattr(importlib.import_module(module), classe)
    except (ImportError, AttributeError, ValueError) as erreur:
        raise ErreurUtilisateur(f"Réforme « {reforme} » introuvable ({erreur}).") from erreur


def nom_reforme(reforme) -> str | None:
    """Dotted name of a reform given as a class or as a name."""
    if reforme is None or isinstance(reforme, str):
        return reforme
    return f"{reforme.__module__}.{reforme.__qualname__}"


def aides(tbs: TaxBenefitSystem) -> list[Aide]:
    """Aids of a system, discovered by the names that the public interface fixes; articles first, in their order."""
    trouvees = []
    for rang, (motif, article, eligible) in enumerate(_AIDES):
        for nom, variable in tbs.variables.items():
            reconnu = re.fullmatch(motif, nom)
            if reconnu is None or variable.value_type is not float:
                continue
            groupes = reconnu.groups()
            nom_article = article.format(*groupes)
            if motif.startswith("fds_article"):
                nom_article = nom_article.replace("_", "-")
            nom_eligible = eligible.format(*groupes) if eligible else None
            aide = Aide(
                nom_article,
                nom,
                nom_eligible if nom_eligible in tbs.variables else None,
                variable.definition_period == DateUnit.MONTH,
            )
            ordre = [int(n) for n in re.findall(r"\d+", nom_article)] if motif.startswith("fds_article") else []
            trouvees.append((rang, ordre, nom, aide))
    return [aide for *_, aide in sorted(trouvees, key=lambda t: t[:3])]


def mois_demandes(texte: str | None) -> tuple[str, ...]:
    """Months of « 2021-02:2021-09 », « 2021-02 », « 2021-02,2021-06 », or all those of the model.

    Raises:
        ErreurUtilisateur: a month badly written, outside the model, or an empty interval.
    """
    if not texte:
        return intervalle(PREMIER_MOIS, DERNIER_MOIS)
    mois = []
    for morceau in texte.split(","):
        debut, _, fin = morceau.strip().partition(":")
        for borne in (debut, fin or debut):
            if not re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])", borne):
                raise ErreurUtilisateur(f"Mois « {borne} » : attendu AAAA-MM, ou un intervalle AAAA-MM:AAAA-MM.")
            if not PREMIER_MOIS <= borne <= DERNIER_MOIS:
                raise ErreurUtilisateur(
                    f"Mois {borne} hors du modèle : attendu un mois de {PREMIER_MOIS} à {DERNIER_MOIS}."
                )
        suite = intervalle(debut, fin or debut)
        if not suite:
            raise ErreurUtilisateur(f"Intervalle « {morceau} » vide : le premier mois suit le dernier.")
        mois += suite
    return tuple(sorted(set(mois)))


def intervalle(debut: str, fin: str) -> tuple[str, ...]:
    """Months from ``debut`` to ``fin`` (AAAA-MM), both included."""
    mois = numpy.arange(numpy.datetime64(debut), numpy.datetime64(fin) + 1)
    return tuple(mois.astype(str).tolist())


def version() -> str:
    """Version of the installed package."""
    try:
        return metadata.version("openfisca-fds")
    except metadata.PackageNotFoundError:
        return "non installée"


def empreinte_parametres(tbs: TaxBenefitSystem) -> str:
    """SHA-256 of every dated value of the parameters, reform included."""
    somme = hashlib.sha256()

    def parcourir(noeud) -> None:
        if isinstance(noeud, ParameterNode):
            for enfant in sorted(noeud.children):
                parcourir(noeud.children[enfant])
        elif hasattr(noeud, "values_list"):
            somme.update(repr((noeud.name, [(v.instant_str, v.value) for v in noeud.values_list])).encode())
        else:  # a scale: its brackets are nodes
            for tranche in noeud.brackets:
                parcourir(tranche)

    if tbs.parameters is not None:
        parcourir(tbs.parameters)
    return somme.hexdigest()


def empreinte_formules(tbs: TaxBenefitSystem) -> str:
    """SHA-256 of the source of the law and of the formulas of a system (bytecode, dates), reform included."""
    somme = hashlib.sha256()

    def code(objet) -> tuple:
        return (objet.co_code, objet.co_names, [constante(c) for c in objet.co_consts])

    def constante(objet) -> tuple | str:
        if hasattr(objet, "co_code"):
            return code(objet)
        return repr(sorted(map(repr, objet)) if isinstance(objet, frozenset) else objet)  # sets have no order

    for nom, variable in sorted(tbs.variables.items()):
        formules = [(date, code(formule.__code__)) for date, formule in variable.formulas.items()]
        nature = (variable.value_type, variable.definition_period, variable.end, variable.is_neutralized)
        somme.update(repr((nom, nature, repr(variable.default_value))).encode())
        somme.update(repr(formules).encode())
    for fichier in sorted(Path(openfisca_fds.__file__).parent.rglob("*.py")):  # helpers that the formulas call
        somme.update(fichier.read_bytes())
    return somme.hexdigest()


def proches(nom: str, noms) -> str:
    """Advice that lists the names nearest to an unknown one, or an empty text."""
    voisins = suggestion(nom, noms)
    return f" ; noms proches : {voisins}" if voisins else ""
