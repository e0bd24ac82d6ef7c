"""The report as a PDF, set by Typst with the fonts that its wheel carries."""

import tempfile
from pathlib import Path

import typst

from .blocs import Encadre, Figure, Liste, Paragraphe, Rapport, Section, Tableau
from .gabarit import GABARIT
from .graphiques import pdf as dessiner


def document(rapport: Rapport) -> bytes:
    """Write a report as a PDF document, tagged for who listens to it."""
    with tempfile.TemporaryDirectory(prefix="openfisca-fds-") as travail:
        dossier = Path(travail)
        corps = [_bloc(rang, bloc, dossier) for rang, bloc in enumerate(rapport.blocs)]
        entete = f"#show: rapport.with({_texte(rapport.titre)}, {_texte(rapport.sous_titre)}, {_texte(rapport.pied)})"
        (dossier / "rapport.typ").write_text("\n\n".join([GABARIT, entete, *corps]), encoding="utf-8")
        return typst.compile(dossier / "rapport.typ", root=dossier, ignore_system_fonts=True)


def _bloc(rang: int, bloc, dossier: Path) -> str:
    match bloc:
        case Section(titre, _):
            return f"#heading(level: 1, {_texte(titre)})"
        case Paragraphe(texte):
            return f"#par[{_riche(texte)}]"
        case Liste(elements):
            return "#list(" + "".join(f"[{_riche(element)}]," for element in elements) + ")"
        case Encadre(phrases):
            return "#encadre(" + "".join(f"[{_riche(phrase)}]," for phrase in phrases) + ")"
        case Figure():
            nom = f"figure-{rang}.pdf"
            (dossier / nom).write_bytes(dessiner(bloc.dessin))
            return (
                f"#dessin({_texte(bloc.titre)}, {_texte(nom)}, {_texte(bloc.description)}, "
                f"{_texte(bloc.source)}, {_texte(bloc.limite)})"
            )
        case Tableau():
            return _tableau(bloc)
    raise TypeError(f"bloc inconnu : {type(bloc).__name__}")


def _tableau(tableau: Tableau) -> str:
    nombre = len(tableau.entetes)
    largeurs = [f"{part}fr" for part in tableau.largeurs] or ["1fr"] + ["auto"] * (nombre - 1)
    cellules = "".join(f"{_texte(cellule)}," for ligne in tableau.lignes for cellule in ligne)
    entetes = "".join(f"{_texte(entete)}," for entete in tableau.entetes)
    colonnes = f"({', '.join(largeurs)},), ({', '.join(tableau.aligner())},)"
    notes = f"{_texte(tableau.source)}, {_texte(tableau.limite)}"
    return f"#tableau({_texte(tableau.titre)}, {colonnes}, ({entetes}), ({cellules}), {tableau.totaux}, {notes})"


def _texte(texte: str) -> str:
    """Write a text as a Typst string."""
    return '"' + texte.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _riche(texte: str) -> str:
    """Write a text as Typst content, « **words** » in bold."""
    morceaux = texte.split("**")
    return "".join(f"#strong({_texte(m)})" if rang % 2 else f"#{_texte(m)}" for rang, m in enumerate(morceaux) if m)
