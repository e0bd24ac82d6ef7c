"""What a report is made of, whatever it is printed on: sections, texts, figures, tables."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Section:
    """A heading; ``ancre`` names it in links."""

    titre: str
    ancre: str


@dataclass(frozen=True)
class Paragraphe:
    """A text, where « **words** » stand out."""

    texte: str


@dataclass(frozen=True)
class Liste:
    """Short texts, one under the other."""

    elements: tuple[str, ...]


@dataclass(frozen=True)
class Encadre:
    """Sentences that must not be missed."""

    phrases: tuple[str, ...]


@dataclass(frozen=True)
class Tableau:
    """A table of texts already written.

    Attributes:
        titre: what it shows.
        entetes: names of the columns.
        lignes: cells, by row.
        mots: ranks of the columns that hold words; the others hold numbers, aligned on the right.
        source: where the figures come from.
        limite: what it does not show, empty when everything is said.
        totaux: number of last rows that are totals.
        largeurs: widths of the columns in hundredths; empty: as their cells ask.
    """

    titre: str
    entetes: tuple[str, ...]
    lignes: tuple[tuple[str, ...], ...]
    mots: tuple[int, ...] = (0,)
    source: str = ""
    limite: str = ""
    totaux: int = 0
    largeurs: tuple[int, ...] = ()

    def aligner(self) -> list[str]:
        """Side of each column, « left » or « right »."""
        return ["left" if rang in self.mots else "right" for rang in range(len(self.entetes))]


@dataclass(frozen=True)
class Figure:
    """A chart.

    Attributes:
        titre: what it shows.
        dessin: Vega-Lite specification.
        description: the same in words, for who does not see it.
        source: where the figures come from.
        limite: what it does not show.
    """

    titre: str
    dessin: dict
    description: str
    source: str
    limite: str


@dataclass(frozen=True)
class Rapport:
    """A whole report.

    Attributes:
        titre, sous_titre: its name.
        blocs: its content, in order.
        pied: a line at the foot of each page.
    """

    titre: str
    sous_titre: str
    blocs: tuple
    pied: str
