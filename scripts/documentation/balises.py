"""Small pieces of Markdown: marks, cells, anchors, months."""

import re

from openfisca_fds_tools.explain import ecriture

CONFIANCES = {"T": "texte officiel lu", "S": "source secondaire", "M": "de mémoire"}


def intervalle(bornes):
    """« janvier 2021 », « juin et juillet 2021 », « décembre 2020 à mai 2021 »."""
    debut, fin = map(ecriture.mois, bornes)
    if debut == fin:
        return debut
    (annee, mois), (derniere, dernier) = (map(int, borne.split("-")) for borne in bornes)
    liaison = "et" if (derniere - annee) * 12 + dernier - mois == 1 else "à"
    return f"{debut.removesuffix(f' {annee}') if annee == derniere else debut} {liaison} {fin}"


def ancre(chemin):
    """Anchor of a parameter in its page."""
    return chemin.replace(".", "-")


def court(chemin):
    """Path of a parameter below the fund's own node, which most of them share."""
    return chemin.removeprefix("fonds_de_solidarite.")


def badge(confiance):
    """Mark of a degree of confidence: its letter, its meaning under the pointer and for a screen reader."""
    return f'<abbr class="confiance {confiance}" title="{CONFIANCES[confiance]}">{confiance}</abbr>'


def cellule(texte):
    """Text that does not break the cell of a table."""
    return une_ligne(texte).replace("|", "\\|")


def guillemets(texte):
    """Text inside the quotes of a title of admonition."""
    return texte.replace('"', "”")


def decaler(lignes):
    """Lines moved inside an admonition."""
    return [f"    {ligne}" if ligne else "" for ligne in lignes]


def une_ligne(texte):
    """Text without its line breaks."""
    return re.sub(r"\s+", " ", str(texte)).strip()
