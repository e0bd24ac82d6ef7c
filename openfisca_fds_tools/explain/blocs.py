"""An explanation as a page: titles, paragraphs, points, tables; the terminal, Markdown and HTML print the same page."""

from dataclasses import replace
from math import inf

from openfisca_fds.references import DECRET
from openfisca_fds_tools import citations

from . import ecriture, phrases
from .conditions import NEGATION, refusees
from .conseils import UN_CENTIME, ajoute, autre_etat, conseille, meilleur, plus_proche
from .data import CONVENTION, NON_REMPLIE, REMPLIE
from .elements import Paragraphe, Point, Points, Tableau, Titre
from .essais import AIDES_UNIQUES
from .lecteur import DROIT, RECUE
from .tete import aides_uniques, ce_que_donne, resume, verdict

MONTANT = "Montant de "  # how a label begins that says nothing of its regime
CHAMP = "fds_beneficiaire"  # article 1er: the same for every article
SUBSIDIAIRE = "pour qui n'est pas dans le régime précédent"
AURAIT_DONNE, AU_CHIFFRE_ACTUEL = "Montant que la formule donnerait", " au chiffre d'affaires actuel"
CONFIANCES = {
    CONVENTION: "convention du modèle",
    "T": "texte officiel lu",
    "S": "source secondaire",
    "M": "de mémoire ou par analogie",
}


def page(explication, sources=True, autres=False):
    """Lay an explanation out: the answer, the article that pays or that was nearest to, then the others in short.

    Args:
        explication: Explication.
        sources: end with the parameters that decided, their texts and the confidence in them.
        autres: tell every article in full, and the rights of the other texts that pay nothing.

    Returns:
        List of Titre, Paragraphe, Points and Tableau.
    """
    premier = _premier(explication)
    unique = premier if premier and premier.variable_montant in AIDES_UNIQUES else None
    aussi = "" if unique is None or unique.numero[:1].isdigit() else " et aides voisines"
    blocs = [Titre(1, f"Fonds de solidarité{aussi}, {ecriture.mois(explication.periode)}")]
    groupe = f", groupe « {explication.groupe} » de {explication.membres} entreprises"
    groupe += f" ({explication.plafond_du_groupe})" if explication.plafond_du_groupe else ""
    blocs.append(Paragraphe(f"Entreprise « {explication.entreprise} »{groupe if explication.membres > 1 else ''}."))
    blocs.append(Paragraphe(verdict(explication, unique), important=True))
    blocs += [Points(tuple(points))] if (points := resume(explication, unique)) else []
    suivants = [article for article in explication.articles if article is not premier]
    vues = set()
    if premier:
        blocs += _article(explication, premier, vues, autres, premier=True)
    if explication.montant > 0:
        blocs += _du_montant_a_l_aide(explication)
    aussi = [autre for autre in explication.autres if autre is not premier and (autre.montant > 0 or autre.declaree)]
    for autre in aussi:
        blocs += _article(explication, autre, vues, autres)
    blocs += _reference(explication, premier) if unique is None and explication.articles else []
    if autres:
        suivants += [autre for autre in explication.autres if autre is not premier and autre not in aussi]
        blocs += [bloc for article in suivants for bloc in _article(explication, article, vues, autres)]
        blocs += [Paragraphe(f"{texte}.") for texte in explication.sans_objet]
    elif suivants:
        blocs += [Titre(2, "Autres articles du mois"), Points(tuple(_voisin(explication, un) for un in suivants))]
    return blocs + _sources(explication, premier, unique) if sources else blocs


def _premier(explication):
    """Article told first and in full: the one that pays or would on request, else the nearest, else an open one."""
    ouverts = [article for article in explication.articles if article.eligible]
    payes = (meilleur(explication.articles, explication.autres), *aides_uniques(explication))
    proche = plus_proche(explication)
    proches = (un for un in explication.droits if proche and un.variable_montant == proche.variable_montant)
    candidats = (*payes, *proches, *ouverts, *explication.articles)
    return next((article for article in candidats if article), None)


def _du_montant_a_l_aide(explication):
    """Tell how the aid of the month comes from the articles, when it is not simply the amount of one of them."""
    ouverts = sorted((a for a in explication.articles if a.montant > 0), key=lambda article: article.montant)
    du = meilleur(explication.articles, explication.autres)
    lignes = phrases.etapes(explication.total, du, replier=False)
    meme = bool(ouverts) and explication.montant == ouverts[-1].montant
    seul = meme and (explication.membres < 2 or not any(" = " in ligne.texte for ligne in lignes))
    if seul and len(ouverts) == 1:
        return []
    blocs = [Titre(2, "Du montant de l'article à l'aide du mois")]
    if len(ouverts) > 1:
        liste = " ; ".join(f"{article.numero} ({ecriture.euros(article.montant)})" for article in ouverts)
        premier, second = ouverts[-1], ouverts[-2]
        texte = f"Articles ouverts : {liste}. L'aide du mois est la plus élevée"
        if premier.montant > second.montant:
            ajout = ecriture.euros(premier.montant - second.montant)
            texte += f" : l'article {premier.numero} donne {ajout} de plus que l'article {second.numero}"
        blocs.append(Paragraphe(f"{texte}."))
    return blocs if seul else [*blocs, Points(tuple(lignes))]


def _reference(explication, premier):
    """Tell how the reference turnover was found, and why it is this one of those that the text compares."""
    points = phrases.etapes(explication.reference, premier)
    if len(explication.options) > 1:
        comparees = [
            f"{ecriture.minuscule(une.libelle)}, {ecriture.euros(une.montant)}{_mentions(une)}"
            for une in explication.options
        ]
        points.append(Point(0, f"Références possibles : {' ; '.join(comparees)}."))
        motif = explication.motif_de_l_option or "la plus favorable pour le mois"
        points.append(Point(0, f"Choix : {motif}."))
    return [Titre(2, "Chiffre d'affaires de référence"), Points(tuple(points))]


def _mentions(option):
    mentions = ", ".join(filter(None, ("retenue" if option.retenue else None, option.calcul.reserve)))
    return f" ({mentions})" if mentions else ""


def _article(explication, article, vues, tout, premier=False):
    """Lay an article out: its amount, then its conditions, those that close its regimes in a table unless ``tout``.

    ``vues`` holds the parts of met conditions already told by another article (article 1er), not told again.
    """
    etat = "conditions remplies" if article.eligible else "conditions non remplies"
    blocs = [Titre(2, f"{_nom(article)} : {etat}")]
    dit = conseille(explication, article) or (premier and not article.changements)  # by the summary
    if not dit and (not article.montant or article.changements):
        blocs += _changements(explication, article)
    montant, regimes = _montant(article, tout), {branche.condition for branche in article.branches if branche.condition}
    lignes = []
    for condition in article.conditions:
        bref = not tout and condition.variable == CHAMP and condition.statut == REMPLIE
        premiere, *suite = phrases.points(condition, article.decret, bref=bref, regimes=set() if tout else regimes)
        parties = tuple(point.texte for point in suite)
        lignes += [premiere, *([] if condition.statut == REMPLIE and parties in vues else suite)]
        vues.add(parties)
    conditions = [Titre(3, "Conditions"), Points(tuple(lignes))]
    return blocs + (montant + conditions if article.eligible else conditions + montant)


def _nom(article):
    texte = f"Article {article.numero}" if article.numero[:1].isdigit() else article.numero.capitalize()
    return f"{texte}, {ecriture.minuscule(article.libelle)}"


def _montant(article, tout):
    """Tell the amount of an article in figures, or for a refusal what its formula would give.

    The regimes that are not applied are only compared in a table, unless ``tout``.
    """
    if not article.eligible and not any(
        branche.montant > 0 or (branche.obstacle and not tout) for branche in article.branches
    ):
        return []
    seule, retenue = len(article.branches) == 1, article.retenue
    if article.eligible:
        autre, calcul = phrases.article_du_montant(article), article.calcul
        titre = f"Montant, fixé par l'article {autre}" if autre else "Montant de l'article"
        if retenue and retenue.montant == article.montant and not tout:
            calcul = retenue.calcul
    else:
        propres = filter(None, (phrases.renvoi_propre(branche.calcul, article) for branche in article.branches))
        uniques = dict.fromkeys(" ; ".join(propres).split(" ; "))
        renvois = " ; ".join(filter(None, uniques)) or phrases.renvoi_court(article.calcul.references, DECRET)
        base = "" if article.variable_montant in AIDES_UNIQUES else AU_CHIFFRE_ACTUEL
        titre, calcul = f"{AURAIT_DONNE}{base} ({renvois})", article.branches[0].calcul
    du = max((branche.montant for branche in article.branches if branche.ouverte), default=0)
    blocs = [Titre(3, titre)]
    if seule or (article.eligible and du > 0):
        blocs.append(Points(tuple(phrases.etapes(calcul, article))))
    blocs += _ce_qui_ouvre(article) if article.eligible and retenue else []
    if article.eligible and not seule:
        blocs.append(Paragraphe(f"Montants comparés{', avant déduction' if article.montant < du else ''} :"))
    return blocs if seule else [*blocs, _comparees(article)]


def _ce_qui_ouvre(article):
    """Tell the condition of the regime applied, when it is none of those of the article."""
    posee = article.retenue.exigence
    if posee is None or posee.libelle.endswith(NEGATION) or posee.variable in _variables(article.conditions):
        return []
    lignes = phrases.points(posee, article.decret, niveau=1)
    points = tuple(replace(ligne, niveau=ligne.niveau - 1) for ligne in lignes)
    return [Paragraphe("Ce régime s'applique :"), Points(points)]


def _variables(conditions):
    """Names of the variables of conditions and of their parts."""
    return {une.variable for une in conditions}.union(*(_variables(une.sous_conditions) for une in conditions))


def _comparees(article):
    """Table of what an article compares: regimes, each with what it misses, or options."""
    etats = any(branche.condition and (article.eligible or branche.ouverte) for branche in article.branches)
    dits, lignes = set(), []
    feuilles = _comparees_seules(article.conditions)
    for branche in article.branches:
        retenue = branche.retenue and article.eligible
        nom = branche.libelle.removeprefix("Option : ")
        ouvert = "ouvert" if article.eligible else "paierait"
        etat = "retenu" if retenue else ouvert if branche.ouverte else "non ouvert"
        montant = branche.calcul.libelle
        if nom in feuilles and not montant.startswith(MONTANT):  # by its only condition: the amount says which it is
            nom += f" : {ecriture.minuscule(montant)}"
        if branche.obstacle and branche.obstacle.libelle.endswith(NEGATION):  # the contrary of the one before
            renvoi = phrases.renvoi_propre(branche.calcul, article)
            nom += f"{phrases.entre_parentheses(renvoi)} — {SUBSIDIAIRE}"
        elif branche.obstacle:
            renvoi = phrases.renvoi_court(branche.obstacle.references, DECRET)
            nom += f"{phrases.entre_parentheses(renvoi)} — {phrases.manques(branche, dits)}"
        elif not article.eligible and branche.exigence and (supposees := phrases.suppositions(branche.exigence)):
            nom += f" — sous réserve : {' ; '.join(phrases.manque(une, dits) for une in supposees)}"
        lignes.append((nom, *((etat,) if etats else ()), ecriture.euros(branche.montant)))
    rang = article.branches.index(article.retenue) if article.eligible and article.retenue else None
    nom = "Régime" if any(branche.condition for branche in article.branches) else "Option"
    nom += " et ce qui lui manque" if dits else ""
    return Tableau((nom, *(("État",) if etats else ()), "Montant"), tuple(lignes), rang)


def _comparees_seules(conditions):
    """Names of the conditions that a value decides by itself."""
    seules = {une.libelle for une in conditions if une.comparaison}
    return seules.union(*(_comparees_seules(une.sous_conditions) for une in conditions))


def _voisin(explication, article):
    """Tell in a few lines an article beside the first one: what it gives, or what it misses."""
    if article.eligible:
        texte = f"conditions remplies, {ecriture.euros(article.montant)}"
        return Point(0, f"{_nom(article)} : {texte}.", REMPLIE)
    textes, dits = [], set()
    for une in article.conditions:
        if une.statut == NON_REMPLIE:
            renvoi = phrases.renvoi_court(une.references, article.decret)
            manques = " ; ".join(phrases.manque(part, dits) for part in refusees([une]))
            textes.append(f"{une.numero}. {manques}{phrases.entre_parentheses(renvoi)}")
    suite, dit = "", conseille(explication, article)  # by the summary
    if article.changements and not dit:
        seul_autre = all(un.activite for un in article.changements)
        if ajoute(explication, article) and (seul_autre or not autre_etat(article)):
            donne = ce_que_donne(explication, article)
            requis = f" ({phrases.requis(article)})" if autre_etat(article) else f", {phrases.requis(article)}"
            suite = f" {_au_plus_pres(article)}{requis}, pour {donne}."
        elif not autre_etat(article):
            suite = " Même ouvert au plus près, il n'aurait rien ajouté."
    pluriel = "s" if len(textes) > 1 else ""
    refus = f"condition{pluriel} non remplie{pluriel} : {' ; '.join(textes) or 'le droit lui-même, donné fermé'}."
    return Point(0, f"{_nom(article)} : {refus}{suite}", NON_REMPLIE)


def _changements(explication, article):
    """Say the nearest changes that open the right, and what the model gives once they are made."""
    paye = article.montant > 0 or (explication.montant > 0 and article.aide_si_change is not None)
    if article.changements is None:
        ouvert = "donné davantage" if paye else "donné un montant" if article.eligible else "ouvert ce droit"
        ferme = _ferme_par_un_droit(article.conditions)
        suite = " ; perdre un autre droit pour ouvrir celui-ci n'est pas proposé" if ferme else ""
        return [Paragraphe(f"Aucun des changements proches essayés n'aurait {ouvert}{suite}.")]
    if autre_etat(article) and not article.montant_si_change:
        return [Paragraphe("Aucun des changements proches essayés n'aurait donné un montant.")]
    if paye and not ajoute(explication, article):
        rien = f"cet article n'aurait rien ajouté à l'aide du mois ({ecriture.euros(explication.montant)})"
        return [Paragraphe(f"Ouvert au plus près ({phrases.requis(article)}), {rien}.")]
    donne = f"pour {ce_que_donne(explication, article)}"
    if article.gain_si_change <= -UN_CENTIME:
        donne += f". Toutes aides comprises, l'entreprise y aurait perdu {ecriture.euros(-article.gain_si_change)}"
    return [Paragraphe(f"{_au_plus_pres(article)} : {phrases.changes(article)}, {donne}.")]


def _ferme_par_un_droit(conditions):
    """Tell whether a right, or an aid received, is what refuses: the text is for those that have none."""
    return any(
        une.statut == NON_REMPLIE
        and (_ferme_par_un_droit(une.sous_conditions) or (une.libelle.endswith(NEGATION) and _est_un_droit(une)))
        for une in conditions
    )


def _est_un_droit(condition):
    return (condition.variable or "").endswith((DROIT, RECUE))


def _au_plus_pres(article):
    """Begin an advice; what would be another enterprise is told, and not advised."""
    return "Non proposé, car ce serait une autre entreprise" if autre_etat(article) else "Au plus près"


def _sources(explication, premier, unique):
    """List the parameters that decided, each once, with what every article that pays says of it and how it is known.

    When nothing pays, those of ``unique``, told alone, or of all the articles; of the first one, its amounts too.
    """
    payants = [droit for droit in explication.droits if droit.montant > 0]
    lues = [_de_l_article(article, premier) for article in payants or ([unique] if unique else explication.articles)]
    lues += [_du_calcul(explication.total)] if explication.montant > 0 else []
    trouvees = {}
    for siennes in lues:
        for source in {une.parametre: une for une in siennes}.values():
            trouvees.setdefault((source.parametre, str(source.valeur)), []).append(source)
    if not trouvees:
        return []
    points = tuple(_source(toutes) for toutes in trouvees.values())
    return [Titre(2, "Seuils et montants du texte"), Points(points)]


def _source(toutes):
    """Write a parameter; when its articles are not known as well as each other, each says how it is."""
    titres = {}
    for une in toutes:
        titres.setdefault(CONFIANCES.get(une.confiance, ""), []).extend(citee.titre for citee in une.references)
    premiere, *autres = titres
    texte = f"{toutes[0].description} : {ecriture.valeur(toutes[0].valeur, toutes[0].unite)}"
    if not autres:
        return Point(0, f"{texte} ({premiere})", reference=_a_la_suite(titres[premiere]) or None)
    renvois = [f"{_a_la_suite(siens)} : {confiance}" for confiance, siens in titres.items() if siens]
    return Point(0, texte, reference=_a_la_suite(renvois))


def _a_la_suite(titres):
    """Write references one after the other, each once, the decree named by the first of its articles."""
    memes = {citations.comme_a(titre) for titre in titres if titre != citations.comme_a(titre)}
    premier, *suite = [titre for titre in dict.fromkeys(titres) if titre not in memes] or [""]
    decret, article, _ = premier.partition(", art. ")
    return " ; ".join([premier, *(titre.removeprefix(f"{decret}, ") if article else titre for titre in suite)])


def _de_l_article(article, premier):
    """List the sources of what decided: of a right, its conditions and the regime applied; of a refusal, what misses.

    Of a right, a regime that is not applied is left out; the first refusal has a table of what each would give.
    """
    if not article.eligible:
        branches = article.branches if article is premier else []
        manquants = [une for une in article.conditions if article is premier or une.statut == NON_REMPLIE]
        manquants += [un for branche in branches if (un := branche.obstacle or branche.exigence)]
        sources = [source for une in manquants for source in _de_la_condition(une)]
        return sources + [source for branche in branches for source in _du_calcul(branche.calcul)]
    ecartees = [une for une in article.branches if une.condition and not une.retenue] if article.retenue else []
    noms, montants = {une.condition for une in ecartees}, {une.calcul.variable for une in ecartees}
    retenues = {article.retenue.condition} if ecartees else set()
    sources = [source for une in article.conditions for source in _de_la_condition(une, retenues, noms - retenues)]
    if ecartees:
        sources += _de_la_condition(article.retenue.exigence) + _du_calcul(article.retenue.calcul)
        montants.add(article.retenue.calcul.variable)
    return sources + _du_calcul(article.calcul, montants)


def _de_la_condition(condition, retenues=frozenset(), ecartees=frozenset()):
    """List the sources of a condition that decided: of one that refuses, its parts that miss."""
    une, sous = condition.comparaison, phrases.detaillees(condition, retenues)
    if condition.variable == CHAMP and condition.statut == REMPLIE:  # what meets it without a threshold is enough
        sous = [min(part.sous_conditions, key=_seuils) if part.sens == "une" else part for part in sous]
    if condition.statut == NON_REMPLIE:
        sous = [part for part in sous if part.statut == NON_REMPLIE]
    parmi_elle = any(part.libelle in retenues for part in sous)
    suivies = [part for part in sous if not parmi_elle or part.libelle not in ecartees]
    siennes = [source for part in suivies for source in _de_la_condition(part, retenues, ecartees)]
    return [*(une.sources if une else []), *siennes]


def _seuils(condition):
    """Count the thresholds that a way of meeting a condition asks for; too many if it does not."""
    return len(_de_la_condition(condition)) if condition.statut == REMPLIE else inf


def _du_calcul(calcul, sauf=frozenset()):
    suivies = [etape for etape in calcul.etapes if etape.variable not in sauf]
    return calcul.sources + [source for etape in suivies for source in _du_calcul(etape, sauf)]
