"""The report as one HTML page that asks the network for nothing: style, charts and tables are in it."""

import re
from html import escape
from importlib import resources

import polars as pl
from great_tables import GT

from .blocs import Encadre, Figure, Liste, Paragraphe, Rapport, Section, Tableau
from .graphiques import svg


def page(rapport: Rapport) -> str:
    """Write a report as an HTML document."""
    style = (resources.files(__package__) / "donnees" / "rapport.css").read_text(encoding="utf-8")
    sections = [bloc for bloc in rapport.blocs if isinstance(bloc, Section)]
    liens = "".join(f'<li><a href="#{s.ancre}">{escape(s.titre)}</a></li>' for s in sections)
    corps = "\n".join(_bloc(rang, bloc) for rang, bloc in enumerate(rapport.blocs))
    return f"""<!DOCTYPE html>
<html lang="fr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>{escape(rapport.titre)}</title>
<style>{style}</style>
</head>
<body>
<a class="evitement" href="#contenu">Aller au contenu</a>
<header>
<h1>{escape(rapport.titre)}</h1>
<p class="sous-titre">{escape(rapport.sous_titre)}</p>
</header>
<nav aria-label="Sommaire"><ol>{liens}</ol></nav>
<main id="contenu">
{corps}
</main>
<footer><p>{escape(rapport.pied)}</p></footer>
</body>
</html>
"""


def _bloc(rang: int, bloc) -> str:
    match bloc:
        case Section(titre, ancre):
            return f'<h2 id="{ancre}">{escape(titre)}</h2>'
        case Paragraphe(texte):
            return f"<p>{_riche(texte)}</p>"
        case Liste(elements):
            return "<ul>" + "".join(f"<li>{_riche(element)}</li>" for element in elements) + "</ul>"
        case Encadre(phrases):
            return '<div class="encadre">' + "".join(f"<p>{_riche(phrase)}</p>" for phrase in phrases) + "</div>"
        case Figure():
            return _figure(rang, bloc)
        case Tableau():
            return _tableau(rang, bloc)
    raise TypeError(f"bloc inconnu : {type(bloc).__name__}")


def _riche(texte: str) -> str:
    return re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", escape(texte, quote=False))


def _figure(rang: int, figure: Figure) -> str:
    # The drawing is one image for who listens: its description says what it shows.
    return (
        f'<figure><figcaption id="titre-{rang}">{escape(figure.titre)}</figcaption>'
        f'<div class="dessin" role="img" aria-labelledby="titre-{rang}" aria-describedby="description-{rang}">'
        f"{svg(figure.dessin)}</div>"
        f'<p class="lecteur" id="description-{rang}">{escape(figure.description)}</p>{_notes(figure)}</figure>'
    )


def _tableau(rang: int, tableau: Tableau) -> str:
    noms = [f"c{colonne}" for colonne in range(len(tableau.entetes))]
    lignes = pl.DataFrame(
        [dict(zip(noms, ligne, strict=True)) for ligne in tableau.lignes], schema=dict.fromkeys(noms, pl.String)
    )
    table = (
        GT(lignes, rowname_col=noms[0], id=f"table-{rang}", locale="fr")
        .tab_stubhead(tableau.entetes[0])
        .cols_label(dict(zip(noms[1:], tableau.entetes[1:], strict=True)))
    )
    for nom, cote in zip(noms, tableau.aligner(), strict=True):
        table = table.cols_align(cote, nom)
    if tableau.largeurs:
        table = table.cols_width(dict(zip(noms, (f"{part}%" for part in tableau.largeurs), strict=True)))
    rendu = re.sub(r"<style>.*?</style>", "", table.as_raw_html(), flags=re.DOTALL)  # the page has its own
    rendu = rendu.replace("<table ", f'<table aria-labelledby="titre-{rang}" ', 1)
    classe = f' class="totaux-{tableau.totaux}"' if tableau.totaux else ""
    return (
        f'<figure{classe}><figcaption id="titre-{rang}">{escape(tableau.titre)}</figcaption>'
        f'<div class="defile" tabindex="0" role="region" aria-labelledby="titre-{rang}">{rendu}</div>'
        f"{_notes(tableau)}</figure>"
    )


def _notes(bloc: Figure | Tableau) -> str:
    notes = [f"Source : {bloc.source}"] if bloc.source else []
    if bloc.limite:
        notes.append(f"À savoir : {bloc.limite}")
    return "".join(f'<p class="note">{escape(note)}</p>' for note in notes)
