"""What the model says of itself: articles, paragraphs, parameters, their texts and the confidence in them."""

import re
from datetime import date

from openfisca_core.parameters import Parameter

from openfisca_fds_tools.citations import moindre, references
from openfisca_fds_tools.web.paragraphes import articles

CONFIANCES = {"T": "texte officiel lu", "S": "source secondaire", "M": "de mémoire"}
REDACTION = re.compile(r" \((rédaction|décret) [^)]*\)$")  # the version of the text, told apart by the values
REFERENCE = re.compile(
    r"(?P<texte>.+?), (?:articles?|art\.|(?=annexe)) ?(?P<article>annexes? ?\d?|[\w-]+)(?:,? (?P<suite>.*))?"
)


def historique(parametre):
    """List the dated values of a parameter, the oldest first.

    Args:
        parametre: openfisca-core Parameter.

    Returns:
        List of {date, valeur, confiance, decret, en_vigueur, references, versions_anterieures}; a reference is
        {titre, href, confiance}, the confidence being that of the article cited.
    """
    valeurs = []
    for datee in sorted(parametre.values_list, key=lambda datee: datee.instant_str):
        metadonnees = datee.metadata or {}
        valeurs.append(
            {
                "date": datee.instant_str,
                "valeur": _json(datee.value),
                "confiance": metadonnees.get("confiance"),
                "decret": metadonnees.get("decret"),
                "en_vigueur": _json(metadonnees.get("en_vigueur")),
                "references": _references(metadonnees),
                "versions_anterieures": [
                    {cle: _json(valeur) for cle, valeur in version.items()}
                    for version in metadonnees.get("versions_anterieures", [])
                ],
            }
        )
    return valeurs


def _json(valeur):
    return valeur.isoformat() if isinstance(valeur, date) else valeur


def _references(metadonnees):
    commune = metadonnees.get("confiance")
    return [
        {"titre": une["title"], "href": une.get("href"), "confiance": une.get("confiance", commune)}
        for une in references(metadonnees)
    ]


def couverture(systeme):
    """Gather, article by article, what applies the text, then what cites it.

    Args:
        systeme: tax and benefit system.

    Returns:
        ``{confiances, articles, textes}``: the paragraphs and what applies them, then every text that a variable or a
        parameter cites; there, the confidence of a paragraph is the least of those of the values that cite it, None
        when no parameter does.
    """
    textes = {}
    for variable in systeme.variables.values():
        references = variable.reference or []
        for titre in [references] if isinstance(references, str) else references:
            fiche = {"nom": variable.name, "libelle": variable.label}
            _paragraphe(textes, titre)["variables"].append(fiche)
    for parametre in systeme.parameters.get_descendants():
        if isinstance(parametre, Parameter):
            _ranger(textes, parametre)
    textes = [_article(*item) for item in sorted(textes.items(), key=_ordre)]
    return {"confiances": CONFIANCES, "articles": articles(systeme), "textes": textes}


def _ranger(textes, parametre):
    for valeur in historique(parametre):
        for reference in valeur["references"]:
            paragraphe = _paragraphe(textes, reference["titre"])
            paragraphe["parametres"].append(
                {
                    "id": parametre.name,
                    "description": parametre.description,
                    "date": valeur["date"],
                    "confiance": reference["confiance"],
                    "href": reference["href"],
                }
            )


def _paragraphe(textes, titre):
    trouve = REFERENCE.fullmatch(REDACTION.sub("", titre))
    cle = (trouve["texte"], trouve["article"]) if trouve else (titre, "")
    suite = (trouve["suite"] or "") if trouve else ""
    return textes.setdefault(cle, {}).setdefault(suite, {"variables": [], "parametres": []})


def _ordre(item):
    (texte, article), _ = item
    return texte, [int(nombre) for nombre in re.findall(r"\d+", article)], article


def _article(cle, paragraphes):
    contenu = []
    for suite, paragraphe in sorted(paragraphes.items()):
        confiance = moindre(parametre["confiance"] for parametre in paragraphe["parametres"])
        contenu.append({"paragraphe": suite, "confiance": confiance, **paragraphe})
    confiance = moindre(paragraphe["confiance"] for paragraphe in contenu)
    return {"texte": cle[0], "article": cle[1], "confiance": confiance, "paragraphes": contenu}
