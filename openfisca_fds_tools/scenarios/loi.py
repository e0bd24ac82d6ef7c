"""The law as published on a date: values and formulas of later decrees undone, articles not yet created closed.

Four things are known: the dated values (``en_vigueur``, ``versions_anterieures``), the decree that creates the aid of
each article for each month (``articles.yaml``), the rules that a decree adds to an open article
(``dispositions.yaml``), and that annexes are lists that decrees extend. What is not known is said:
``non_reconstituees`` lists the values of open articles that a later decree changed and whose former wording is not
recorded; they keep their final value. An empty ``versions_anterieures`` says that the decree created the value: nothing
of the earlier law reads it. Apart from the rules listed, the structure of formulas is that of the consolidated text.
"""

import re
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import resources

import yaml

from . import classes, fermeture
from .parametres import DERNIER_MOIS, changer, feuilles, loi

PREMIERE_PUBLICATION = "2020-03-31"  # JO of the decree 2020-371
LISTES_CUMULATIVES = "liste_de_codes_naf"


@dataclass(frozen=True)
class Acte:
    """The text that opens the aid of an article for some months (None: an aid due once)."""

    article: str
    variables: tuple[str, ...]
    debut: str | None
    fin: str | None
    decret: str
    en_vigueur: str
    confiance: str
    source: str


@dataclass(frozen=True)
class Disposition:
    """A rule that a text adds to an open article.

    Attributes:
        regle: what it says, in French.
        variables: variables whose formula it writes.
        formule: first day of the month of the formula that it adds; None: the whole variable, for the months.
        debut, fin: first day of the first and last month it governs, None for an aid due once.
        decret, en_vigueur, confiance, source: its text.
    """

    regle: str
    variables: tuple[str, ...]
    formule: str | None
    debut: str | None
    fin: str | None
    decret: str
    en_vigueur: str
    confiance: str
    source: str


@dataclass(frozen=True)
class Remplacement:
    """A dated value of the final law, and the one in force at the date."""

    chemin: str
    mois: str
    finale: object
    publiee: object
    decret: str | None  # of the value in force at the date; None when the list had not been extended
    finale_decret: str
    finale_en_vigueur: str


@dataclass(frozen=True)
class LoiAu:
    """The law as of a date; ``classes.classe`` makes it a Reform class."""

    date: str

    @property
    def nom(self) -> str:
        """Name for a reader."""
        return f"loi au {self.date}"

    @property
    def description(self) -> str:
        """Sentence for a reader."""
        return f"Le droit tel qu'il était publié et en vigueur le {self.date}."

    def appliquer(self, reforme) -> None:
        """Change a system: called by ``Reform.apply``."""
        reforme.modify_parameters(self.modifier)
        for disposition in self.absentes:
            for nom in disposition.variables:
                if disposition.formule:
                    fermeture.retirer(reforme, nom, disposition.formule)
                else:
                    fermeture.fermer(reforme, nom, disposition.debut, disposition.fin)
        for acte in self.fermes:
            for nom in acte.variables:
                fermeture.fermer(reforme, nom, acte.debut, acte.fin)

    def modifier(self, parametres):
        """Undo, in a tree of parameters (a copy), what later decrees changed."""
        for parametre in feuilles(parametres).values():
            for remplacement in self._remplacements(parametre):
                metadonnees = {"decret": remplacement.decret} if remplacement.decret else {}
                # only the dated value itself: its interval ends where the next value begins
                changer(
                    parametre,
                    remplacement.mois,
                    fin_de_valeur(parametre, remplacement.mois),
                    lambda _, r=remplacement, m=metadonnees: (_en_liste(r.publiee), m),
                )
        return parametres

    # ---- what differs ----

    @property
    def fermes(self) -> list[Acte]:
        """Articles and months whose creating text is not in force."""
        return [acte for acte in actes() if acte.en_vigueur > self.date]

    @property
    def absentes(self) -> list[Disposition]:
        """Rules whose text is not in force."""
        return [disposition for disposition in dispositions() if disposition.en_vigueur > self.date]

    @property
    def remplacements(self) -> list[Remplacement]:
        """Dated values of the final law that another one replaces."""
        return [r for parametre in feuilles(loi().parameters).values() for r in self._remplacements(parametre)]

    @property
    def non_reconstituees(self) -> list[Remplacement]:
        """Dated values of open articles that a later text wrote, whose former wording is unknown (``publiee`` None).

        A value whose every month is closed, or that its text created, is not counted.
        """
        trouvees = []
        for parametre in feuilles(loi().parameters).values():
            remplacees = {r.mois for r in self._remplacements(parametre)}
            for datee in parametre.values_list:
                posterieure = _vigueur(datee) > self.date and datee.instant_str not in remplacees
                creee = "versions_anterieures" in datee.metadata  # all of them later than the date: it did not exist
                if (
                    posterieure
                    and not creee
                    and self._ouverte(parametre.name, datee.instant_str, fin_de_valeur(parametre, datee.instant_str))
                ):
                    trouvees.append(_remplacement(parametre, datee, None, None))
        return trouvees

    def _remplacements(self, parametre) -> list[Remplacement]:
        liste = parametre.metadata.get("unit") == LISTES_CUMULATIVES and ".annexe_" in parametre.name
        faits, valeurs = [], parametre.values_list
        for rang, datee in enumerate(valeurs):
            if _vigueur(datee) <= self.date:
                continue
            anciennes = [v for v in datee.metadata.get("versions_anterieures", []) if _texte(v) <= self.date]
            if anciennes:
                ancienne = max(anciennes, key=_texte)
                faits.append(_remplacement(parametre, datee, ancienne["value"], ancienne["decret"]))
            elif liste:
                avant = next((v for v in valeurs[rang + 1 :] if _vigueur(v) <= self.date), None)
                publiee = avant.value if avant is not None else []
                faits.append(_remplacement(parametre, datee, publiee, avant and avant.metadata.get("decret")))
        return faits

    def _ouverte(self, chemin: str, debut: str, fin: str | None) -> bool:
        """Whether an article that may read a parameter is open, at the date, in one of the months."""
        propres = article_du_chemin(chemin)
        return any(
            acte.en_vigueur <= self.date
            and (acte.article.startswith(propres) if propres else acte.debut is not None)
            and (acte.debut is None or acte.debut <= (fin or DERNIER_MOIS) and acte.fin >= debut)
            for acte in actes()
        )


def article_du_chemin(chemin: str) -> str:
    """Article that alone reads a parameter, by the place of the parameter; empty for a shared one."""
    propres = {
        r".*\.volet_1\.article_([\d_]+)\..*": lambda lu: lu[1].replace("_", "-"),
        r".*\.volet_1\.(complement_\d+_\d+)\..*": lambda lu: lu[1],
        r".*\.volet_2\.article_4\..*": lambda _: "volet_2",
        r".*\.volet_2\.discotheques\..*": lambda _: "discotheque",
        r"commerces_multi_activites\..*": lambda _: "multi_activites",
    }
    return next((nommer(lu) for motif, nommer in propres.items() if (lu := re.fullmatch(motif, chemin))), "")


def loi_au(jour):
    """Reform class that rebuilds the law as it was in force on a date.

    Args:
        jour: date, or text AAAA-MM-JJ, from the publication of the decree (31 March 2020) on.

    Returns:
        Reform class; ``provenance`` says what it changes (``remplacements``, ``fermes``, ``non_reconstituees``).

    Raises:
        ValueError: not a date, or before the decree.
    """
    try:
        lue = date.fromisoformat(str(jour)).isoformat()
    except ValueError:
        raise ValueError(f"date « {jour} » : attendu AAAA-MM-JJ") from None
    if lue < PREMIERE_PUBLICATION:
        raise ValueError(f"date {lue} : le décret n° 2020-371 est publié le {PREMIERE_PUBLICATION}")
    return classes.classe(LoiAu(lue))


@cache
def actes() -> tuple[Acte, ...]:
    """Texts that open each article, from ``articles.yaml``."""
    return tuple(
        Acte(ligne["article"], tuple(ligne.get("variables") or _variables(ligne["article"])), *_datation(ligne))
        for ligne in _lire("articles.yaml")
    )


@cache
def dispositions() -> tuple[Disposition, ...]:
    """Rules that a text adds to an open article, from ``dispositions.yaml``."""
    return tuple(
        Disposition(ligne["regle"], tuple(ligne["variables"]), _premier_jour(ligne.get("formule")), *_datation(ligne))
        for ligne in _lire("dispositions.yaml")
    )


def _lire(nom: str) -> list[dict]:
    return yaml.safe_load((resources.files(__package__) / nom).read_text(encoding="utf-8"))


def _datation(ligne: dict) -> tuple:
    """Months, decree, date in force, confidence and source: the last fields of both classes."""
    debut = _premier_jour(ligne.get("debut"))
    texte = ligne["decret"], str(ligne["en_vigueur"]), ligne["confiance"], ligne["source"]
    return debut, _premier_jour(ligne.get("fin")) or debut, *texte


def _premier_jour(mois: str | None) -> str | None:
    return f"{mois}-01" if mois else None


def _variables(article: str) -> tuple[str, str]:
    """Right and amount of a monthly article (« 3-28 »)."""
    prefixe = f"fds_article_{article.replace('-', '_')}"
    return f"{prefixe}_eligible", f"{prefixe}_montant"


def dates_de_changement() -> list[str]:
    """Dates at which something of the law entered into force."""
    dates = {texte.en_vigueur for texte in (*actes(), *dispositions())}
    for parametre in feuilles(loi().parameters).values():
        for datee in parametre.values_list:
            dates |= {_vigueur(datee), *(_texte(v) for v in datee.metadata.get("versions_anterieures", []))}
    return sorted(d for d in dates if d)


def _vigueur(datee) -> str:
    """Date in force of a value, empty for a value that no decree of the fund sets (or that a reform writes)."""
    return str(datee.metadata.get("en_vigueur") or "")


def _texte(version) -> str:
    return str(version["en_vigueur"])


def fin_de_valeur(parametre, mois: str) -> str | None:
    """First day of the last month of the value dated ``mois``, None for the last value."""
    suivants = [v.instant_str for v in parametre.values_list if v.instant_str > mois]
    if not suivants:
        return None
    derniere = date.fromisoformat(min(suivants)).replace(day=1)
    avant = derniere.replace(month=derniere.month - 1) if derniere.month > 1 else date(derniere.year - 1, 12, 1)
    return avant.isoformat()


def _en_liste(valeur):
    return list(valeur) if isinstance(valeur, (list, tuple)) else valeur


def _remplacement(parametre, datee, publiee, decret) -> Remplacement:
    figees = [tuple(v) if isinstance(v, list) else v for v in (datee.value, publiee)]
    return Remplacement(
        parametre.name, datee.instant_str, *figees, decret, str(datee.metadata.get("decret")), _vigueur(datee)
    )
