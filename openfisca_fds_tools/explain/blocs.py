"""An explanation as a page: titles, paragraphs, points, tables; the terminal, Markdown and HTML print the same page."""

from dataclasses import dataclass

from openfisca_fds_tools.explain import ecriture
from openfisca_fds_tools.explain.conditions import refusees
from openfisca_fds_tools.explain.data import NON_REMPLIE, REMPLIE

PROFONDEUR = 2  # levels of conditions told below a condition; the data hold them all
CONFIANCES = {"T": "texte officiel lu", "S": "source secondaire", "M": "de mémoire"}


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


def page(explication, sources=True, autres=False):
    """Lay an explanation out.

    Args:
        explication: Explication.
        sources: end with the parameters that decided, their texts and the confidence in them.
        autres: also tell the rights of the other texts that pay nothing.

    Returns:
        List of Titre, Paragraphe, Points and Tableau.
    """
    retenu = next((a for a in explication.articles if a.variable_montant == explication.retenu), None)
    blocs = [Titre(1, f"Fonds de solidarité, {ecriture.mois(explication.periode)}")]
    blocs.append(Paragraphe(f"Entreprise « {explication.entreprise} », groupe « {explication.groupe} »."))
    if retenu:
        verdict = f"Aide du mois : {ecriture.euros(explication.montant)}, au titre de l'article {retenu.numero}."
    elif explication.montant > 0:
        verdict = f"Aide du mois : {ecriture.euros(explication.montant)}."
    else:
        verdict = "Aucune aide pour ce mois."
    blocs.append(Paragraphe(verdict, important=True))
    blocs += _chiffre_d_affaires(explication)
    payee = any(article.eligible for article in explication.articles)
    for article in explication.articles:
        blocs += _article(article, entier=article.eligible or not payee)
    if not explication.articles:
        blocs.append(Paragraphe("Aucun article du décret ne s'applique à ce mois."))
    if explication.montant > 0 or any(article.montant > 0 for article in explication.articles):
        blocs += [
            Titre(2, "Du montant de l'article à l'aide du mois"),
            Points(tuple(_etapes(explication.total, replier=False))),
        ]
    for autre in explication.autres:
        if autres or autre.montant > 0:
            blocs += _article(autre, entier=True)
    return blocs + _sources(explication) if sources else blocs


def _chiffre_d_affaires(explication):
    lignes = tuple((fait.libelle, ecriture.valeur(fait.valeur, fait.unite)) for fait in explication.faits)
    blocs = [Titre(2, "Chiffre d'affaires"), Tableau(("", "Valeur"), lignes)]
    blocs.append(Points(tuple(_etapes(explication.reference))))
    if len(explication.options) > 1:
        blocs.append(_branches(explication.options, "Référence comparée", "Retenue"))
    return blocs


def _article(article, entier):
    """Lay an article out; a refusal beside an article that pays is told in short."""
    verdict = "conditions remplies" if article.eligible else "conditions non remplies"
    texte = f"Article {article.numero}" if article.numero[:1].isdigit() else article.numero.capitalize()
    blocs = [Titre(2, f"{texte}, {ecriture.minuscule(article.libelle)} : {verdict}")]
    if not article.eligible:
        blocs += [Paragraphe("Ce qui aurait ouvert le droit, au plus près :"), *_changements(article)]
    montrees = [condition for condition in article.conditions if entier or condition.bloque]
    blocs.append(Points(tuple(point for condition in montrees for point in points(condition))))
    if len(article.branches) > 1 and entier:
        titre = "Montants comparés" if article.eligible else "Ce que les régimes auraient donné"
        blocs += [Titre(3, titre), _branches(article.branches, "Régime", "Ouvert")]
    if article.eligible:
        blocs += [Titre(3, "Montant de l'article"), Points(tuple(_etapes(article.calcul)))]
    return blocs


def _branches(branches, nom, ouvert):
    choix = ouvert == "Retenue"
    lignes = tuple(
        (
            branche.libelle,
            "oui" if (branche.retenue if choix else branche.ouverte) else "non",
            ecriture.euros(branche.montant),
        )
        for branche in branches
    )
    retenue = next((rang for rang, branche in enumerate(branches) if branche.retenue), None)
    return Tableau((nom, ouvert, "Montant"), lignes, retenue)


def _changements(article):
    if article.changements is None:
        return [Paragraphe("Aucun changement de ce que l'entreprise déclare n'aurait suffi.")]
    return [Points(tuple(Point(0, changement(un)) for un in article.changements))]


def changement(un):
    """Write a Changement in one sentence."""
    actuel, requis = ecriture.valeur(un.actuel, un.unite), ecriture.valeur(un.requis, un.unite)
    sens = "" if un.sens == "exactement" else f"{un.sens} "
    phrase = f"{ecriture.court(un.libelle)} : {actuel}, il fallait {sens}{requis}"
    if un.ecart is not None:
        phrase += f" (écart : {ecriture.valeur(un.ecart, un.unite)})"
    return phrase + "."


def points(condition, niveau=0):
    """Write a condition, and below it what refuses, or which alternative is met."""
    lignes = [Point(niveau, f"{condition.numero}. {_phrase(condition)}", condition.statut, _renvoi(condition))]
    if niveau >= PROFONDEUR:
        return lignes
    if condition.statut == NON_REMPLIE and condition.sens == "toutes":
        detaillees = refusees(condition.sous_conditions)
    elif condition.statut == NON_REMPLIE:
        detaillees = [sous for sous in condition.sous_conditions if sous.bloque]
    elif condition.sens == "une":
        detaillees = [sous for sous in condition.sous_conditions if sous.statut == REMPLIE]
    else:
        detaillees = []
    for sous in detaillees:
        lignes += points(sous, niveau + 1)
    return lignes


def _phrase(condition):
    texte = condition.libelle
    une = condition.comparaison
    if une is not None:
        texte += f" — {ecriture.valeur(une.valeur, une.unite)}"
        if une.detail:
            texte += f" ({une.detail})"
        if condition.variable:
            texte += f", attendu : {une.mot} {ecriture.valeur(une.seuil, une.unite)}"
        if condition.statut == NON_REMPLIE and une.ecart is not None:
            texte += f" ; écart : {ecriture.valeur(une.ecart, une.unite_ecart)}"
    for constat in condition.constats:
        texte += f" [{ecriture.court(constat.libelle)} : {ecriture.valeur(constat.valeur, constat.unite)}]"
    return texte


def _renvoi(condition):
    """Short reference: the article and paragraph, without the decree when it is the main one."""
    return " ; ".join(reference.split(", ", 1)[-1] for reference in condition.references[:2]) or None


def _etapes(calcul, niveau=0, replier=True):
    """Write a calculation; ``replier`` skips the first steps that only pass an amount on."""
    while replier and not calcul.formule and len(calcul.etapes) == 1 and not calcul.constats:
        calcul = calcul.etapes[0]
    texte = f"{calcul.libelle} : {ecriture.valeur(calcul.valeur, calcul.unite)}"
    if calcul.formule:
        texte += f" = {calcul.formule}"
    for constat in calcul.constats:
        texte += f" [{ecriture.court(constat.libelle)} : {ecriture.valeur(constat.valeur, constat.unite)}]"
    lignes = [Point(niveau, texte)]
    for etape in calcul.etapes:
        if etape.valeur:  # a null step explains nothing
            lignes += _etapes(etape, niveau + 1, replier)
    return lignes


def _sources(explication):
    """List the parameters that decided, with their text and the confidence in it, each once."""
    trouvees = {}
    for article in (*explication.articles, *(autre for autre in explication.autres if autre.montant > 0)):
        for condition in article.conditions:
            _recueillir(condition, trouvees)
        if article.eligible:
            _recueillir_calcul(article.calcul, trouvees)
    if not trouvees:
        return []
    textes = []
    for source in trouvees.values():
        confiance = CONFIANCES.get(source.confiance, "")
        references = " ; ".join(reference.titre for reference in source.references)
        valeur = ecriture.valeur(source.valeur, source.unite)
        textes.append(Point(0, f"{source.description} : {valeur} ({confiance})", reference=references or None))
    return [Titre(2, "Seuils et montants du texte"), Points(tuple(textes))]


def _recueillir(condition, trouvees):
    if condition.comparaison is not None and (condition.statut == NON_REMPLIE or not condition.numero.count(".")):
        trouvees.update({source.parametre: source for source in condition.comparaison.sources})
    for sous in condition.sous_conditions:
        _recueillir(sous, trouvees)


def _recueillir_calcul(calcul, trouvees):
    trouvees.update({source.parametre: source for source in calcul.sources})
    for etape in calcul.etapes:
        _recueillir_calcul(etape, trouvees)
