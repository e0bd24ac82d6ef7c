"""What is wrong with a population file, or with the machine, said in one line each."""

import errno
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

LIGNES_AFFICHEES = 20
ECRITURE_IMPOSSIBLE = {
    errno.ENOSPC: "disque plein",
    errno.EDQUOT: "quota de disque atteint",
    errno.EFBIG: "fichier plus grand que permis",
    errno.EROFS: "système de fichiers en lecture seule",
    errno.EIO: "erreur du disque",
}


class ErreurUtilisateur(Exception):  # noqa: N818 -- a French word, as the messages are
    """A request that cannot be served as it stands; its text (French) is meant for the user. Exit code 2."""


class PopulationInvalide(ErreurUtilisateur):
    """The population file is refused; the text holds one line per problem, at most 20, then their count.

    Attributes:
        problemes: tuple of the Probleme that the text tells.
    """

    def __init__(self, texte, problemes=()):
        super().__init__(texte)
        self.problemes = tuple(problemes)


def ecriture_impossible(erreur: BaseException) -> str | None:
    """Say why the system refused to write, or None when the error is of another kind.

    Polars gives the number of the system error in its text only.
    """
    dans_le_texte = re.search(r"\(os error (\d+)\)", str(erreur))
    numero = getattr(erreur, "errno", None) or (int(dans_le_texte[1]) if dans_le_texte else None)
    return ECRITURE_IMPOSSIBLE.get(numero)


@contextmanager
def pannes_en_clair(suite: str = "rien n'a été écrit.") -> Iterator[None]:
    """Say in one line what the machine refused: memory, or a place on its disk; any other error goes its way.

    Args:
        suite: what the user is to know of what was being done.

    Raises:
        ErreurUtilisateur: instead of the error of the system.
    """
    try:
        yield
    except MemoryError as erreur:
        raise ErreurUtilisateur(f"Mémoire insuffisante ; réduire --workers ou --block-size ; {suite}") from erreur
    except Exception as erreur:
        cause = ecriture_impossible(erreur)
        if cause is None:
            raise
        raise ErreurUtilisateur(f"Écriture impossible : {cause} ; {suite}") from erreur


@dataclass(frozen=True, order=True)
class Probleme:
    """One problem: where it is, what was read and what was expected."""

    fichier: str
    ligne: int | None  # 1 for the first row of data, None for a whole column or file
    colonne: str | None
    valeur: str | None
    attendu: str

    def __str__(self) -> str:
        lieu = [self.fichier]
        if self.ligne is not None:
            lieu.append(f"ligne {self.ligne}")
        if self.colonne is not None:
            lieu.append(f"colonne « {self.colonne} »")
        if self.valeur is None:
            return f"{', '.join(lieu)} : {self.attendu}"
        return f"{', '.join(lieu)} : valeur {self.valeur} ; attendu : {self.attendu}"


@dataclass
class Constats:
    """Problems (the first ones, and how many in all) and warnings of a file or of a block."""

    premiers: list[Probleme] = field(default_factory=list)
    nombre: int = 0
    nan: dict[str, int] = field(default_factory=dict)  # column -> NaN read as empty
    lignes_rejetees: int = 0

    def ajouter(self, probleme: Probleme) -> None:
        """Record one problem."""
        self.nombre += 1
        if len(self.premiers) < LIGNES_AFFICHEES:
            self.premiers.append(probleme)

    def compter_nan(self, colonne: str, nombre: int) -> None:
        """Record NaN read as empty cells."""
        if nombre:
            self.nan[colonne] = self.nan.get(colonne, 0) + nombre

    def reunir(self, autre: "Constats") -> None:
        """Add what was found elsewhere, keeping the first lines only."""
        self.premiers = (self.premiers + autre.premiers)[:LIGNES_AFFICHEES]
        self.nombre += autre.nombre
        for colonne, nombre in autre.nan.items():
            self.compter_nan(colonne, nombre)
        self.lignes_rejetees += autre.lignes_rejetees

    def lever(self) -> None:
        """Refuse the population if there is any problem.

        Raises:
            PopulationInvalide: at least one problem was recorded.
        """
        if not self.nombre:
            return
        lignes = [str(probleme) for probleme in self.premiers]
        reste = self.nombre - len(lignes)
        if reste:
            lignes.append(
                f"… et {nombre_fr(reste)} autre{'s' if reste > 1 else ''} problème{'s' if reste > 1 else ''}."
            )
        lignes.append(f"{nombre_fr(self.nombre)} problème{'s' if self.nombre > 1 else ''} : rien n'a été écrit.")
        raise PopulationInvalide("\n".join(lignes), self.premiers)


def nombre_fr(valeur, decimales: int = 0) -> str:
    """Write a number the French way: narrow no-break space between thousands, decimal comma."""
    return f"{valeur:,.{decimales}f}".replace(",", "\u202f").replace(".", ",")
