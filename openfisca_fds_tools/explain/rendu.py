"""Print a page (see ``blocs``) on a terminal, in Markdown or in HTML."""

import re
import textwrap
from html import escape

from rich import box
from rich.console import Group
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from openfisca_fds_tools.explain.data import NON_REMPLIE, REMPLIE, SANS_OBJET
from openfisca_fds_tools.explain.ecriture import typographie
from openfisca_fds_tools.explain.elements import Paragraphe, Points, Tableau, Titre

SIGNES = {REMPLIE: "✓", NON_REMPLIE: "✗", SANS_OBJET: "·", None: "•"}
COULEURS = {REMPLIE: "green", NON_REMPLIE: "red", SANS_OBJET: "dim", None: ""}
NUMERO_D_ARTICLE = re.compile(r"(?<=\b3)-(?=\d{1,2}\b)")
TRAIT_INSECABLE = "\u2011"  # a browser would cut « 3-7 » at its hyphen
MENTION = "Simulation du texte réglementaire, sans valeur officielle."

STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;background:#fff}
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2rem;border-top:1px solid #ccc;padding-top:1rem}h3{font-size:1rem}
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
    imprimes = []
    for bloc in blocs:
        if isinstance(bloc, Titre):
            imprimes.append(_titre_rich(bloc, largeur))
        elif isinstance(bloc, Paragraphe):
            imprimes.append(Text(couper(bloc.texte, largeur), style="bold" if bloc.important else "", no_wrap=True))
        elif isinstance(bloc, Points):
            imprimes += [_point_rich(point, largeur) for point in bloc.points]
        elif isinstance(bloc, Tableau):
            imprimes.append(_tableau_rich(bloc, largeur))
    return Group(*imprimes)


def couper(texte, largeur):
    """Cut a text into lines of at most ``largeur`` columns, never at a no-break space."""
    return textwrap.fill(typographie(texte), largeur, break_long_words=False, break_on_hyphens=False)


def _titre_rich(titre, largeur):
    if titre.niveau == 1:
        return Rule(Text(typographie(titre.texte), style="bold"), align="left")
    texte = couper(titre.texte, largeur)
    return Text(f"\n{texte}" if titre.niveau == 2 else texte, style="bold underline" if titre.niveau == 2 else "bold")


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
    montants = max(len(ligne[-1]) for ligne in (tableau.entetes, *tableau.lignes))
    autres = sum(max(len(ligne[rang]) for ligne in (tableau.entetes, *tableau.lignes)) for rang in _milieu(tableau))
    nom = largeur - montants - autres - 3 * len(tableau.entetes) - 1
    table = Table(box=box.SIMPLE_HEAD, show_header=any(tableau.entetes[:1]), padding=(0, 1), expand=False)
    for rang, entete in enumerate(tableau.entetes):
        table.add_column(entete, justify="right" if rang == len(tableau.entetes) - 1 else "left", no_wrap=True)
    for rang, ligne in enumerate(tableau.lignes):
        table.add_row(couper(ligne[0], nom), *ligne[1:], style="bold" if rang == tableau.retenue else "")
    return table


def _milieu(tableau):
    return range(1, len(tableau.entetes) - 1)


def markdown(blocs):
    """Return the page as Markdown, as a letter that can be attached to a file."""
    morceaux = []
    for bloc in blocs:
        if isinstance(bloc, Titre):
            morceaux.append("#" * bloc.niveau + " " + bloc.texte)
        elif isinstance(bloc, Paragraphe):
            morceaux.append(f"**{bloc.texte}**" if bloc.important else bloc.texte)
        elif isinstance(bloc, Points):
            morceaux.append("\n".join(_point_markdown(point) for point in bloc.points))
        elif isinstance(bloc, Tableau):
            morceaux.append(_tableau_markdown(bloc))
    morceaux.append(f"*{MENTION}*")
    return typographie("\n\n".join(morceaux)) + "\n"


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
    corps = []
    for bloc in blocs:
        if isinstance(bloc, Titre):
            corps.append(f"<h{bloc.niveau}>{escape(bloc.texte)}</h{bloc.niveau}>")
        elif isinstance(bloc, Paragraphe):
            classe = ' class="important"' if bloc.important else ""
            corps.append(f"<p{classe}>{escape(bloc.texte)}</p>")
        elif isinstance(bloc, Points):
            corps.append(_points_html(bloc.points))
        elif isinstance(bloc, Tableau):
            corps.append(_tableau_html(bloc))
    return (
        f'<!doctype html>\n<html lang="fr"><head><meta charset="utf-8"><meta name="viewport" '
        f'content="width=device-width"><title>{escape(titre)}</title><style>{STYLE}</style></head>\n<body>\n'
        + NUMERO_D_ARTICLE.sub(TRAIT_INSECABLE, typographie("\n".join(corps)))
        + f'\n<p class="ref">{MENTION}</p>\n</body></html>\n'
    )


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
    lignes = [
        f"<tr{' class=' + chr(34) + 'retenue' + chr(34) if rang == tableau.retenue else ''}>"
        + "".join(f"<td>{escape(cellule)}</td>" for cellule in ligne)
        + "</tr>"
        for rang, ligne in enumerate(tableau.lignes)
    ]
    return f"<table><thead><tr>{entetes}</tr></thead><tbody>{''.join(lignes)}</tbody></table>"
