"""Print a page (see ``blocs``) on a terminal, in Markdown or in HTML."""

import re
import textwrap
from html import escape

from rich import box
from rich.console import Group
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from .data import NON_REMPLIE, REMPLIE, SANS_OBJET
from .ecriture import typographie
from .elements import Paragraphe, Points, Tableau, Titre

SIGNES = {REMPLIE: "✓", NON_REMPLIE: "✗", SANS_OBJET: "·", None: "•"}
COULEURS = {REMPLIE: "green", NON_REMPLIE: "red", SANS_OBJET: "dim", None: ""}
NUMERO_D_ARTICLE = re.compile(r"(?<=\b3)-(?=\d{1,2}\b)")
TRAIT_INSECABLE = "\u2011"  # a browser would cut « 3-7 » at its hyphen
MENTION = "Simulation du texte réglementaire, sans valeur officielle."

STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;background:#fff}
h1{font-size:1.6rem}*+h1{margin-top:4rem;border-top:3px solid;padding-top:1rem}
h2{font-size:1.2rem;margin-top:2rem;border-top:1px solid #ccc;padding-top:1rem}h3{font-size:1rem}
ul{list-style:none;padding:0;margin:.2rem 0}li{margin:.2rem 0;padding-left:1.3rem;text-indent:-1.3rem}
li>span.s{display:inline-block;width:1.05rem;text-indent:0}
.remplie>span.s{color:#18753c}.non-remplie>span.s{color:#ce0500}.sans-objet{color:#666}
.ref{color:#666;font-size:.85em}table{border-collapse:collapse;width:100%}
th,td{padding:.25rem .5rem;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}
td:last-child,th:last-child{text-align:right;white-space:nowrap}tr.retenue{font-weight:700;background:#f3f6fe}
p.important{font-size:1.15rem;font-weight:700}
"""


def rich(blocs, largeur=80):
    """Return what a Rich console prints.

    Lines are cut here and not by Rich, which cuts at the no-break spaces of French numbers.

    Args:
        blocs: page.
        largeur: columns of the terminal.

    Returns:
        A Rich Group.
    """
    formes = {Titre: _titre_rich, Paragraphe: _paragraphe_rich, Points: _points_rich, Tableau: _tableau_rich}
    return Group(*(formes[type(bloc)](bloc, largeur) for bloc in blocs))


def couper(texte, largeur):
    """Cut a text into lines of at most ``largeur`` columns, never at a no-break space."""
    return textwrap.fill(typographie(texte), largeur, break_long_words=False, break_on_hyphens=False)


def _titre_rich(titre, largeur):
    if titre.niveau == 1:
        return Rule(Text(typographie(titre.texte), style="bold"), align="left")
    texte = couper(titre.texte, largeur)
    return Text(f"\n{texte}" if titre.niveau == 2 else texte, style="bold underline" if titre.niveau == 2 else "bold")


def _paragraphe_rich(paragraphe, largeur):
    return Text(couper(paragraphe.texte, largeur), style="bold" if paragraphe.important else "", no_wrap=True)


def _points_rich(points, largeur):
    return Group(*(_point_rich(point, largeur) for point in points.points))


def _point_rich(point, largeur):
    marge = 2 + 2 * point.niveau
    lignes = couper(point.texte, largeur - marge - 2).split("\n")
    texte = Text(" " * marge, no_wrap=True)
    texte.append(f"{SIGNES[point.statut]} ", style=COULEURS[point.statut])
    suite = "\n" + " " * (marge + 2)
    texte.append(suite.join(lignes), style="dim" if point.statut == SANS_OBJET else "")
    if point.reference:
        renvois = couper(point.reference, largeur - marge - 2).replace("\n", suite)
        tient = "\n" not in renvois and len(lignes[-1]) + len(renvois) + marge + 4 <= largeur
        texte.append(f"  {renvois}" if tient else suite + renvois, style="dim")
    return texte


def _tableau_rich(tableau, largeur):
    largeurs = [max(map(len, colonne)) for colonne in zip(tableau.entetes, *tableau.lignes, strict=True)]
    nom = largeur - sum(largeurs[1:]) - 3 * len(largeurs) - 1
    table = Table(box=box.SIMPLE_HEAD, show_header=any(tableau.entetes[:1]), padding=(0, 1), expand=False)
    for rang, entete in enumerate(tableau.entetes):
        table.add_column(entete, justify="right" if rang == len(tableau.entetes) - 1 else "left", no_wrap=True)
    for rang, ligne in enumerate(tableau.lignes):
        table.add_row(couper(ligne[0], nom), *ligne[1:], style="bold" if rang == tableau.retenue else "")
    return table


def markdown(blocs):
    """Return the page as Markdown, as a letter that can be attached to a file."""
    formes = {
        Titre: lambda titre: "#" * titre.niveau + " " + titre.texte,
        Paragraphe: lambda paragraphe: f"**{paragraphe.texte}**" if paragraphe.important else paragraphe.texte,
        Points: lambda points: "\n".join(map(_point_markdown, points.points)),
        Tableau: _tableau_markdown,
    }
    morceaux = [formes[type(bloc)](bloc) for bloc in blocs]
    return typographie("\n\n".join([*morceaux, f"*{MENTION}*"])) + "\n"


def _point_markdown(point):
    signe = f"{SIGNES[point.statut]} " if point.statut else ""
    reference = f" *({point.reference})*" if point.reference else ""
    return f"{'  ' * point.niveau}- {signe}{point.texte}{reference}"


def _tableau_markdown(tableau):
    traits = ["---"] * (len(tableau.entetes) - 1) + ["---:"]
    lignes = [tableau.entetes, traits]
    for rang, ligne in enumerate(tableau.lignes):
        cellules = [cellule.replace("|", "\\|") for cellule in ligne]
        lignes.append([f"**{cellule}**" for cellule in cellules] if rang == tableau.retenue else cellules)
    return "\n".join("| " + " | ".join(ligne) + " |" for ligne in lignes)


def html(blocs, titre):
    """Return the page as a stand-alone HTML document, everything escaped."""
    formes = {
        Titre: lambda titre: f"<h{titre.niveau}>{escape(titre.texte)}</h{titre.niveau}>",
        Paragraphe: _paragraphe_html,
        Points: lambda points: _points_html(points.points),
        Tableau: _tableau_html,
    }
    corps = [formes[type(bloc)](bloc) for bloc in blocs]
    return (
        f'<!doctype html>\n<html lang="fr"><head><meta charset="utf-8"><meta name="viewport" '
        f'content="width=device-width"><title>{escape(titre)}</title><style>{STYLE}</style></head>\n<body>\n'
        + NUMERO_D_ARTICLE.sub(TRAIT_INSECABLE, typographie("\n".join(corps)))
        + f'\n<p class="ref">{MENTION}</p>\n</body></html>\n'
    )


def _paragraphe_html(paragraphe):
    classe = ' class="important"' if paragraphe.important else ""
    return f"<p{classe}>{escape(paragraphe.texte)}</p>"


def _points_html(points):
    """Nest the lists: a deeper point goes inside the item before it."""
    lignes, ouverts = [], 0
    for point in points:
        profondeur = point.niveau + 1
        if profondeur > ouverts:
            lignes += ["<ul>"] * (profondeur - ouverts)
        else:
            lignes += ["</li></ul>"] * (ouverts - profondeur) + ["</li>"]
        ouverts = profondeur
        classe = f' class="{point.statut.replace(" ", "-")}"' if point.statut else ""
        reference = f' <span class="ref">{escape(point.reference)}</span>' if point.reference else ""
        titre = f' title="{point.statut}"' if point.statut else ""
        lignes.append(f'<li{classe}><span class="s"{titre}>{SIGNES[point.statut]}</span> ')
        lignes.append(f"{escape(point.texte)}{reference}")
    return "\n".join([*lignes, "</li></ul>" * ouverts])


def _tableau_html(tableau):
    entetes = "".join(f'<th scope="col">{escape(entete)}</th>' for entete in tableau.entetes)
    lignes = []
    for rang, ligne in enumerate(tableau.lignes):
        classe = ' class="retenue"' if rang == tableau.retenue else ""
        lignes.append(f"<tr{classe}>{''.join(f'<td>{escape(cellule)}</td>' for cellule in ligne)}</tr>")
    return f"<table><thead><tr>{entetes}</tr></thead><tbody>{''.join(lignes)}</tbody></table>"
