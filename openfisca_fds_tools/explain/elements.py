"""What a page is made of."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Titre:
    """A heading, level 1 to 3."""

    niveau: int
    texte: str


@dataclass(frozen=True)
class Paragraphe:
    """A paragraph; ``important`` ones stand out."""

    texte: str
    important: bool = False


@dataclass(frozen=True)
class Point:
    """A line of a nested list; ``statut`` is that of a condition, or None."""

    niveau: int
    texte: str
    statut: str | None = None
    reference: str | None = None


@dataclass(frozen=True)
class Points:
    """A nested list."""

    points: tuple


@dataclass(frozen=True)
class Tableau:
    """A table; the last column is a number; ``retenue`` is the row to underline, or None."""

    entetes: tuple
    lignes: tuple
    retenue: int | None = None
