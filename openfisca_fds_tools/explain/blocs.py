"""An explanation as a page: titles, paragraphs, points, tables; the terminal, Markdown and HTML print the same page."""

from dataclasses import dataclass, replace

from openfisca_fds.references import DECRET
from openfisca_fds_tools.explain import ecriture
from openfisca_fds_tools.explain.data import NON_REMPLIE, REMPLIE, Changement
from openfisca_fds_tools.explain.essais import AIDES_UNIQUES
from openfisca_fds_tools.explain.explication import (
    COMPLEMENT,
    DEMANDES,
    UN_CENTIME,
    ajoute,
    meilleur,
    payeur,
    plus_proche,
)
from openfisca_fds_tools.explain.lecteur import ARTICLE_CITE

PROFONDEUR = 6  # levels of conditions told below a condition; the data hold them all
PAR_DEFAUT = ecriture.DATE_PAR_DEFAUT.isoformat()
AURAIT_DONNE = "Ce qui aurait été dû, toutes conditions remplies, au chiffre d'affaires actuel"
AUCUN_SEUIL = "Aucune condition ni aucun seuil proche à franchir n'aurait donné davantage."
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
    blocs = [Titre(1, f"Fonds de solidarité, {ecriture.mois(explication.periode)}")]
    groupe = f", groupe « {explication.groupe} » de {explication.membres} entreprises"
    blocs.append(Paragraphe(f"Entreprise « {explication.entreprise} »{groupe if explication.membres > 1 else ''}."))
    blocs.append(Paragraphe(_verdict(explication), important=True))
    blocs.append(Points(tuple(Point(0, texte) for texte in _resume(explication))))
    blocs += _chiffre_d_affaires(explication)
    payee = any(article.eligible for article in explication.articles)
    vues = set()
    for article in sorted(
        explication.articles, key=lambda un: (un.variable_montant != explication.retenu, not un.eligible)
    ):
        blocs += _article(explication, article, article.eligible or not payee, vues)
    if not explication.articles:
        blocs.append(Paragraphe("Aucun article du décret ne s'applique à ce mois."))
    if explication.montant > 0:
        blocs.append(Titre(2, "Du montant de l'article à l'aide du mois"))
        ouverts = sorted((a for a in explication.articles if a.montant > 0), key=lambda article: article.montant)
        if len(ouverts) > 1:
            blocs.append(Paragraphe(_cumul(ouverts)))
        blocs.append(Points(tuple(_etapes(explication.total, replier=False))))
    for autre in explication.autres:
        if autres or autre.montant > 0 or autre.declaree:
            blocs += _article(explication, autre, True, vues)
    if autres:
        blocs += [Paragraphe(f"{texte}.") for texte in explication.sans_objet]
    return blocs + _sources(explication) if sources else blocs


def _verdict(explication):
    """Say what is paid, and first of all what stops it: no request, or the ceiling of the group."""
    premier = meilleur(explication)
    rien = f"Aucune aide{' mensuelle (volet 1)' if _uniques(explication) else ''} pour ce mois"
    if explication.montant > 0:
        verdict = f"Aide du mois : {ecriture.euros(explication.montant)}"
        if explication.montant < explication.avant_plafond:
            verdict += f", après le plafond du groupe ({ecriture.euros(explication.avant_plafond)} avant plafond)"
        verdict += f", {_au_titre(premier)}" if explication.retenu else ""
        complement = next((autre for autre in explication.autres if autre.variable_montant == COMPLEMENT), None)
        if complement and complement.montant > 0:
            verdict += f", et {ecriture.euros(complement.montant)} du complément du {complement.numero} compris"
        return f"{verdict}."
    if not explication.demande:
        verdict = f"{rien} : aucune demande n'a été déposée."
        if premier:
            verdict += f" Une demande aurait ouvert droit à {ecriture.euros(premier.montant)}, {_au_titre(premier)}"
            verdict += ", avant le plafond du groupe." if explication.membres > 1 else "."
        return verdict
    ouvert = next((article for article in explication.articles if article.eligible), None)
    if ouvert:
        calcul = f" : {ouvert.calcul.formule}" if ouvert.calcul.formule else ""
        verdict = f"les conditions de l'article {ouvert.numero} sont remplies, mais le montant est nul{calcul}"
        return f"{rien} : {verdict}."
    return f"{rien}."


def _uniques(explication):
    """List the aids paid that are not monthly."""
    return [autre for autre in explication.autres if autre.variable_montant in AIDES_UNIQUES and autre.montant > 0]


def _resume(explication):
    """Say in a few lines what a hurried reader wants: the branch, the figures, the other aids, why there is no more."""
    _, regime = payeur(explication)
    chiffre, reference, perte, taux = map(_valeur, explication.faits[:4])
    lignes = [f"Régime appliqué : {ecriture.minuscule(regime)}."] if regime else []
    lignes.append(f"Chiffre d'affaires du mois : {chiffre} ; référence : {reference} ; perte : {perte}, soit {taux}.")
    if uniques := _uniques(explication):
        textes = [
            f"{ecriture.euros(une.montant)} {_au_titre(une)} ({ecriture.minuscule(une.libelle)})" for une in uniques
        ]
        lignes.append(f"En dehors de l'aide du mois : {' ; '.join(textes)}.")
    proche = plus_proche(explication)
    if proche:
        plus = "Davantage" if explication.montant > 0 or proche.montant > 0 else "Au plus près"
        changes = " ; ".join(ecriture.minuscule(changement(un)).rstrip(".") for un in proche.changements)
        donne = ecriture.euros(proche.montant_si_change)
        par = "l'article" if proche.numero[:1].isdigit() else "le"
        lignes.append(f"{plus}, par {par} {proche.numero} : {changes}, pour {donne}.")
    elif ferme := _meilleur_regime_ferme(explication):
        lignes.append(f"Davantage, par un régime fermé, {ecriture.euros(ferme.montant)} : {_nom_et_obstacle(ferme)}.")
    elif explication.articles and explication.demande:
        lignes.append(AUCUN_SEUIL)
    return lignes


def _meilleur_regime_ferme(explication):
    """Give the closed branch of an open article that would pay the most, more than what is paid; None if none would."""
    ouverts = [(article, explication.avant_plafond) for article in explication.articles if article.eligible]
    ouverts += [(unique, unique.montant) for unique in _uniques(explication)]
    fermes = [
        branche
        for article, paye in ouverts
        for branche in article.branches
        if branche.obstacle and branche.montant > paye
    ]
    return max(fermes, key=lambda branche: branche.montant, default=None)


def _nom_et_obstacle(branche):
    """Name a closed branch, and the first condition that closes it, without what decided that one."""
    return f"{branche.libelle} — {_phrase(replace(branche.obstacle, constats=[]))}"


def _au_titre(article):
    """Name the text that pays, and the article that fixes the amount when it is another one."""
    if not article.numero[:1].isdigit():
        return f"au titre du {article.numero}"
    autre = _article_du_montant(article)
    return f"au titre de l'article {article.numero}" + (f", montant fixé par l'article {autre}" if autre else "")


def _article_du_montant(article):
    """Article that fixes the amount, when it is not the one that gives the right."""
    cites = [trouve[1] for texte in article.calcul.references if (trouve := ARTICLE_CITE.search(texte))]
    return cites[0] if len(cites) == 1 and cites[0] != article.numero else None


def _cumul(ouverts):
    """Say that the best of several open articles is due, and what it adds to the others."""
    liste = " ; ".join(f"{article.numero} ({ecriture.euros(article.montant)})" for article in ouverts)
    ajout = ecriture.euros(ouverts[-1].montant - ouverts[-2].montant)
    return (
        f"Articles ouverts : {liste}. L'aide du mois est la plus élevée : l'article {ouverts[-1].numero} ajoute "
        f"{ajout} à l'article {ouverts[-2].numero}."
    )


def _chiffre_d_affaires(explication):
    lignes = tuple((fait.libelle, _valeur(fait)) for fait in explication.faits)
    blocs = [Titre(2, "Chiffre d'affaires"), Tableau(("", "Valeur"), lignes)]
    blocs.append(Points(tuple(_etapes(explication.reference))))
    if len(explication.options) > 1:
        blocs.append(_branches(explication.options, "Référence comparée", "Retenue"))
    if explication.motif_de_l_option:
        blocs.append(Paragraphe(f"La plus élevée n'est pas retenue : {explication.motif_de_l_option}."))
    return blocs


def _article(explication, article, entier, vues):
    """Lay an article out; a refusal beside an article that pays is told in short.

    ``vues`` holds the parts of met conditions already told by another article (article 1er), not told again.
    """
    verdict = "conditions remplies" if article.eligible else "conditions non remplies"
    texte = f"Article {article.numero}" if article.numero[:1].isdigit() else article.numero.capitalize()
    blocs = [Titre(2, f"{texte}, {ecriture.minuscule(article.libelle)} : {verdict}")]
    if not article.montant or article.changements:
        blocs += _changements(explication, article)
    montrees = [condition for condition in article.conditions if entier or condition.bloque]
    if len(montrees) < len(article.conditions):
        blocs.append(Paragraphe("Conditions non remplies (les autres le sont) :"))
    lignes, decret = [], article.references[0].partition(", art. ")[0]
    for condition in montrees:
        premiere, *suite = points(condition, decret)
        parties = tuple(point.texte for point in suite)
        lignes += [premiere, *(suite if condition.statut != REMPLIE or parties not in vues else [])]
        vues.add(parties)
    blocs.append(Points(tuple(lignes)))
    regimes = any(branche.condition for branche in article.branches)
    entier &= any(branche.montant > 0 for branche in article.branches)
    if len(article.branches) > 1 and entier:
        if article.eligible:
            titre, ouvert = "Montants comparés", "Ouvert" if regimes else "Retenue"
        else:  # a regime may have its own condition met while the article is refused
            titre, ouvert = AURAIT_DONNE, "Condition propre" if regimes else None
        blocs += [Titre(3, titre), _branches(article.branches, "Régime" if regimes else "Option", ouvert)]
    if article.eligible:
        autre = _article_du_montant(article)
        titre = f"Montant, fixé par l'article {autre}" if autre else "Montant de l'article"
        blocs += [Titre(3, titre), Points(tuple(_etapes(article.calcul, article)))]
    elif len(article.branches) == 1 and entier:
        blocs += [Titre(3, AURAIT_DONNE), Points(tuple(_etapes(article.branches[0].calcul, article)))]
    return blocs


def _branches(branches, nom, ouvert):
    """Table of regimes (open or not) or of options (kept or not); ``ouvert`` None: neither is said."""
    lignes = []
    for branche in branches:
        oui = branche.retenue if ouvert == "Retenue" else branche.ouverte
        milieu = () if ouvert is None else ("oui" if oui else "non",)
        nom_entier = _nom_et_obstacle(branche) if branche.obstacle and ouvert else branche.libelle
        lignes.append((nom_entier, *milieu, ecriture.euros(branche.montant)))
    retenue = next((rang for rang, branche in enumerate(branches) if branche.retenue), None) if ouvert else None
    return Tableau((nom, *((ouvert,) if ouvert else ()), "Montant"), tuple(lignes), retenue)


def _changements(explication, article):
    """Say the nearest changes that open the right, and what the model gives once they are made."""
    paye = article.montant > 0 or (explication.montant > 0 and article.aide_si_change is not None)
    ouvert = "donné davantage" if paye else "donné un montant" if article.eligible else "ouvert ce droit"
    if article.changements is None:
        return [Paragraphe(f"Aucun des changements proches essayés sur le modèle n'aurait {ouvert}.")]
    if paye and not ajoute(explication, article):
        aide = ecriture.euros(explication.montant)
        changes = " ; ".join(map(_requis, article.changements))
        return [
            Paragraphe(f"Ouvert au plus près ({changes}), cet article n'aurait rien ajouté à l'aide du mois ({aide}).")
        ]
    if article.eligible and [un.variable.startswith(DEMANDES) for un in article.changements] == [True]:
        du = ecriture.euros(article.montant_si_change)
        return [Paragraphe(f"Aucune demande n'a été déposée. Une demande aurait ouvert droit à {du}.")]
    if article.montant_si_change < UN_CENTIME:
        donne = "Le droit aurait alors été ouvert, pour un montant nul"
    else:
        donne = f"Le montant aurait alors été de {ecriture.euros(article.montant_si_change)}"
    autre = explication.demande and article.aide_si_change is not None
    if autre and abs(article.aide_si_change - article.montant_si_change) >= UN_CENTIME:
        donne += f" et l'aide du mois, tous articles et plafonds compris, de {ecriture.euros(article.aide_si_change)}"
    if article.gain_si_change <= -UN_CENTIME:
        donne += f". Toutes aides comprises, l'entreprise y aurait perdu {ecriture.euros(-article.gain_si_change)}"
    return [
        Paragraphe(f"Ce qui aurait {ouvert}, au plus près :"),
        Points(tuple(Point(0, changement(un)) for un in article.changements)),
        Paragraphe(f"{donne}."),
    ]


def changement(un):
    """Write a Changement in one sentence."""
    actuel = ecriture.minuscule(ecriture.valeur(un.actuel, un.unite)) + _par_defaut(un)
    phrase = f"{ecriture.court(un.libelle)} : {actuel}, il fallait {_voulu(un)}"
    if un.ecart is not None and un.actuel != PAR_DEFAUT:
        phrase += f" (écart : {ecriture.valeur(un.ecart, un.unite)})"
    return phrase + "."


def _requis(un):
    """Write what a Changement asks for, in a bracket."""
    return f"{ecriture.minuscule(ecriture.court(un.libelle))} : {_voulu(un)}"


def _voulu(un):
    requis = ecriture.valeur(un.requis, un.unite)
    if isinstance(un.requis, str) and un.ecart is None:
        requis = ecriture.minuscule(requis)
    return requis if un.sens == "exactement" else f"{un.sens} {requis}"


def _valeur(fait):
    return ecriture.valeur(fait.valeur, fait.unite) + _par_defaut(fait)


def _par_defaut(fait):
    """Say that nobody gave a value; a date that nobody gave is already written so."""
    valeur = fait.actuel if isinstance(fait, Changement) else fait.valeur
    return " (par défaut)" if fait.par_defaut and valeur != PAR_DEFAUT else ""


def points(condition, decret, niveau=0, bref=False):
    """Write a condition, and below it, unless ``bref``, what refuses or meets it; ``decret``: text of the article."""
    numero = f"{condition.numero}. " if not niveau else ""
    lignes = [Point(niveau, numero + _phrase(condition), condition.statut, _renvoi(condition.references, decret))]
    if niveau < PROFONDEUR and not bref:
        for sous in _detaillees(condition):  # what is met in a refusal is told in one line
            lignes += points(sous, decret, niveau + 1, bref=sous.statut != condition.statut)
    return lignes


def _detaillees(condition):
    """Parts of a condition worth telling: all those of a refusal; of an alternative, those that are met."""
    sous = condition.sous_conditions
    if condition.statut == NON_REMPLIE:
        return sous
    return [une for une in sous if une.statut == REMPLIE]


def _phrase(condition):
    """Write a condition: what it is, the value, the threshold, the distance when it is not met."""
    une = condition.comparaison
    if condition.variable is None and condition.sous_conditions:
        texte = "Toutes ces conditions" if condition.sens == "toutes" else "L'une de ces conditions suffit"
    elif une is None:
        texte = condition.libelle
        if condition.sens == "une" and len(_detaillees(condition)) > 1:
            texte += " (l'une suffit)"
    else:
        propre = condition.variable is None or condition.libelle.removesuffix(" : non") == une.libelle
        texte = _comparaison(condition, une, une.libelle if propre else condition.libelle, propre)
    for constat in condition.constats:
        texte += f" [{ecriture.court(constat.libelle)} : {_valeur(constat)}]"
    return texte


def _comparaison(condition, une, texte, propre):
    refus = condition.statut == NON_REMPLIE
    valeur, seuil = _valeur(une), ecriture.valeur(une.seuil, une.unite)
    if not une.mot:  # a yes or a no: the label of a condition says what its own yes would
        attendu = f" ; attendu : {seuil}" if refus else ""
        if propre:
            return f"{texte} : {valeur}{attendu}"
        return f"{texte} ({ecriture.minuscule(une.libelle)} : {valeur}{attendu})" if refus else texte
    detail = une.en_mots or valeur
    if une.detail and not une.en_mots:
        defaut = ", par défaut" if une.par_defaut else ""
        detail = f"{ecriture.valeur(une.valeur, une.unite)} ({une.detail}{defaut})"
    texte += f" : {detail} ; attendu : {une.mot} {seuil}"
    if refus and une.ecart is not None and une.valeur != PAR_DEFAUT:
        texte += f" ; écart : {ecriture.valeur(une.ecart, une.unite_ecart)}"
    return texte


def _renvoi(references, decret):
    """Short reference: the article and paragraph, and the decree when it is not the one of the article explained."""
    renvois = []
    for reference in references:
        texte, _, article = reference.partition(", ")
        texte = ecriture.minuscule(texte.partition(" du ")[0])
        renvois.append(article if reference.startswith(decret) else f"{texte}, {article}" if article else texte)
    return " ; ".join(renvois) or None


def _etapes(calcul, article=None, niveau=0, replier=True, dit=None):
    """Write a calculation, without the steps that only pass an amount on; ``replier`` False keeps the first one.

    A step cites its paragraph of ``article``, unless the step above it, that cites ``dit``, has just done so.
    """
    while (niveau or replier) and not calcul.formule and len(calcul.etapes) == 1 and not calcul.constats:
        calcul = calcul.etapes[0]
    texte = f"{calcul.libelle} : {ecriture.valeur(calcul.valeur, calcul.unite)}"
    if calcul.formule:
        texte += f" = {calcul.formule}"
    for constat in calcul.constats:
        texte += f" [{ecriture.court(constat.libelle)} : {_valeur(constat)}]"
    cites = [(texte, trouve[1]) for texte in calcul.references if (trouve := ARTICLE_CITE.search(texte))]
    propres = [texte for texte, cite in cites if article and cite == article.numero]
    renvoi = _renvoi(propres, DECRET)
    lignes = [Point(niveau, texte, reference=renvoi if renvoi != dit else None)]
    for etape in calcul.etapes:
        if etape.valeur:  # a null step explains nothing
            lignes += _etapes(etape, article, niveau + 1, dit=renvoi)
    return lignes


def _sources(explication):
    """List the parameters that decided, with their text and the confidence in it, each once."""
    trouvees = {}
    payants = [article for article in (*explication.articles, *explication.autres) if article.montant > 0]
    for article in payants or explication.articles:
        for condition in article.conditions:
            _recueillir(condition, trouvees)
        if article.eligible:
            _recueillir_calcul(article.calcul, trouvees)
    if explication.montant > 0:
        _recueillir_calcul(explication.total, trouvees)
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
    if condition.comparaison is not None:
        trouvees.update({source.parametre: source for source in condition.comparaison.sources})
    for sous in _detaillees(condition):
        _recueillir(sous, trouvees)


def _recueillir_calcul(calcul, trouvees):
    trouvees.update({source.parametre: source for source in calcul.sources})
    for etape in calcul.etapes:
        _recueillir_calcul(etape, trouvees)
