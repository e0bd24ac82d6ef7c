"""Sentences of a page: a condition, a change, a calculation, a citation."""

from dataclasses import replace

from . import ecriture
from .changements import A_DISTANCE, DEDUITE, JOURS_COMPTES, NON_COMPTEE, jours_du_mois
from .conditions import NEGATION, refusees
from .data import NON_REMPLIE, REMPLIE, Changement
from .elements import Point
from .essais import JOUR
from .lecteur import numero_cite

PROFONDEUR = 6  # levels of conditions told below a condition; the data hold them all
PAR_DEFAUT = ecriture.DATE_PAR_DEFAUT.isoformat()
CONTRAIRE_ATTENDU = " : oui, il fallait non"
AU_PLUS_PRES = "au plus près"
NON_PAR_DEFAUT = " : non (par défaut)"
TABLE = " : non ; le tableau plus bas dit ce qui manque"

DANS_UNE_LISTE = ("dans la liste", "hors de la liste")


def changes(article):
    """Write in one sentence the changes that open a right."""
    return " ; ".join(ecriture.minuscule(changement(un)) for un in article.changements)


def changement(un):
    """Write a Changement: what it is, what it was, what was asked for."""
    actuel = ecriture.minuscule(ecriture.valeur(un.actuel, un.unite)) + _par_defaut(un)
    if un.sens == DEDUITE and un.requis:
        requis = ecriture.valeur(un.requis, un.unite)
        return f"{ecriture.court(un.libelle)} : {actuel}, que l'aide déduit de sa limite ; à {requis} ou moins"
    if un.sens == DEDUITE:
        rien = f" (rien de plus à partir de {ecriture.valeur(un.suivi, un.unite)})" if un.suivi < un.actuel else ""
        return f"{ecriture.court(un.libelle)} : {actuel}, que l'aide déduit{rien} ; sans cette somme"
    actuel += f", hors de la perte d'une fermeture{_suivi(un)} ;" if un.variable == A_DISTANCE else ","
    if un.sens == NON_COMPTEE:
        return f"{ecriture.court(un.libelle)} : {actuel} s'il était tout celui du mois"
    phrase = f"{ecriture.court(un.libelle)} : {actuel} il fallait {_voulu(un)}"
    if un.ecart is not None and un.actuel != PAR_DEFAUT:
        phrase += f" (écart : {ecriture.valeur(un.ecart, un.unite)})"
    return phrase


def _suivi(un):
    """Say that an aid follows a sum, and from where when it is not from the present value."""
    if un.suivi is None:
        return ""
    return ", que l'aide suit" + (f" au-delà de {ecriture.valeur(un.suivi, un.unite)}" if un.suivi > un.actuel else "")


def requis(article):
    """Write what the changes of an article ask for, without what was."""
    return " ; ".join(f"{ecriture.minuscule(ecriture.court(un.libelle))} : {_voulu(un)}" for un in article.changements)


def _voulu(un):
    requis = ecriture.valeur(un.requis, un.unite)
    if isinstance(un.requis, str) and un.ecart is None:
        requis = ecriture.minuscule(requis)
    if un.sens in DANS_UNE_LISTE:
        return f"une valeur {un.sens} {requis}"
    if un.unite == JOUR and un.periode and un.requis == jours_du_mois(un.periode):
        return f"tous les jours comptés ({requis})" if un.periode in JOURS_COMPTES else _borne("exactement", 0, requis)
    return requis if un.sens == "exactement" else _borne(un.sens, un.requis, requis)


def _borne(mot, seuil, ecrit):
    """Write a bound; at most nothing is nothing."""
    if mot == "exactement" and JOUR in ecrit:
        return f"tout le mois ({ecrit})"
    return ecrit if mot == "au plus" and not seuil else f"{mot} {ecrit}"


def valeur_de(fait):
    """Write the value of a Fait or of a Comparaison, and that nobody gave it."""
    return ecriture.valeur(fait.valeur, fait.unite) + _par_defaut(fait)


def _par_defaut(fait):
    """Say that nobody gave a value; a date that nobody gave is already written so."""
    valeur = fait.actuel if isinstance(fait, Changement) else fait.valeur
    return " (par défaut)" if fait.par_defaut and valeur != PAR_DEFAUT else ""


def points(condition, decret, niveau=0, bref=False, regimes=frozenset()):
    """Write a condition and below it, unless ``bref``, what refuses or meets it.

    ``decret`` is the text of the article; ``regimes`` names those that a table tells, what they miss included.
    """
    if condition.variable is None and condition.sens == "une" and condition.statut == REMPLIE:
        condition = replace(detaillees(condition)[0], numero=condition.numero)
    if niveau and condition.variable is None and condition.sens == "toutes" and condition.statut == REMPLIE:
        return [ligne for sous in detaillees(condition) for ligne in points(sous, decret, niveau, bref, regimes)]
    numero = f"{condition.numero}. " if not niveau else ""
    en_table = condition.statut == NON_REMPLIE and _des_regimes(condition, regimes)
    texte = condition.libelle + TABLE if en_table else _phrase(condition, bref)
    lignes = [Point(niveau, numero + texte, condition.statut, renvoi_court(condition.references, decret))]
    if niveau < PROFONDEUR and not bref and not en_table:
        for sous in detaillees(condition, regimes):  # what is met in a refusal is told in one line
            lignes += points(sous, decret, niveau + 1, sous.statut != condition.statut, regimes)
    return lignes


def _des_regimes(condition, regimes):
    """Tell whether a condition is a choice among the regimes of a table."""
    if condition.sens != "une":
        return False
    return any(sous.libelle in regimes or _des_regimes(sous, regimes) for sous in condition.sous_conditions)


def detaillees(condition, regimes=frozenset()):
    """Parts of a condition worth telling: all those of a refusal; of alternatives, the first met by what is given."""
    sous = condition.sous_conditions
    if condition.statut == NON_REMPLIE:
        return sous
    remplies = [une for une in sous if une.statut == REMPLIE]
    if condition.sens != "une" or _des_regimes(condition, regimes):
        return remplies
    return sorted(remplies, key=lambda une: bool(suppositions(une)))[:1]


def _phrase(condition, bref=False):
    """Write a condition: what it is, the value, the threshold, the distance when it is not met."""
    une = condition.comparaison
    if condition.variable is None and condition.sous_conditions:
        texte = "Toutes ces conditions" if condition.sens == "toutes" else "L'une de ces conditions suffit"
    elif une is None:
        texte = condition.libelle
        if condition.sens == "une" and condition.statut == NON_REMPLIE and len(condition.sous_conditions) > 1:
            texte += " (une possibilité suffit)"
        if bref and suppositions(condition):
            texte += " (par défaut)"
    else:
        propre = condition.variable is None or condition.libelle.removesuffix(NEGATION) == une.libelle
        texte = _comparaison(condition, une, une.libelle if propre else condition.libelle, propre)
    for constat in condition.constats:
        sinon = f" ; sinon, {constat.sinon}" if constat.sinon else ""
        texte += f" [{ecriture.court(constat.libelle)} : {valeur_de(constat)}{sinon}]"
    return texte


def suppositions(condition):
    """List, of what meets a condition, the parts that rest on a value that nobody gave."""
    if condition.comparaison is not None:
        return [condition] if condition.comparaison.par_defaut else []
    return [une for sous in detaillees(condition) for une in suppositions(sous)]


def _comparaison(condition, une, texte, propre):
    refus = condition.statut == NON_REMPLIE
    valeur, seuil = valeur_de(une), ecriture.valeur(une.seuil, une.unite)
    if not une.mot:  # a yes or a no: the label of a condition says what its own yes would
        valeur = une.en_mots or valeur
        if propre:
            return f"{texte} : {valeur}" + (f" ; attendu : {seuil}" if refus else "")
        if refus:
            return f"{texte} ({ecriture.minuscule(une.libelle)} : {valeur})"
        return texte + _par_defaut(une)
    detail = une.en_mots or valeur
    if une.detail and not une.en_mots:
        defaut = ", par défaut" if une.par_defaut else ""
        detail = f"{ecriture.valeur(une.valeur, une.unite)} ({une.detail}{defaut})"
    attendu = _borne(une.mot, une.seuil, seuil)
    dit = ecriture.typographie(attendu) in ecriture.typographie(texte)  # by the label itself
    texte += f" : {detail}" + ("" if dit else f" ; attendu : {attendu}")
    if refus and une.ecart is not None and une.valeur != PAR_DEFAUT:
        texte += f" ; écart : {ecriture.valeur(une.ecart, une.unite_ecart)}"
    return texte


def manques(branche, dits):
    """List the conditions that a closed branch misses, the figures once; ``dits`` holds what was told already."""
    manquantes = {une.libelle: une for une in refusees([branche.obstacle])}.values()
    return "manque : " + " ; ".join(manque(une, dits, branche.libelle) for une in manquantes)


def manque(condition, dits, titre=""):
    """Write a missing condition in short: the figures the first time only, the name unless ``titre`` has it.

    A list is named, without what it holds; of alternative shares of turnover, the nearest one is told.
    """
    une, nom = condition.comparaison, ecriture.court(condition.libelle)
    if nom.endswith(NEGATION):
        nom = nom.removesuffix(NEGATION) + CONTRAIRE_ATTENDU
    texte = _sans_contenu(_phrase(replace(condition, constats=[])) if une and une.mot else nom)
    if texte == nom and _code_par_defaut(condition):
        texte = nom = nom + NON_PAR_DEFAUT
    deja = texte in dits
    dits.add(texte)
    texte += "" if deja else _alternatives(condition)
    if condition.libelle == titre:
        return ecriture.minuscule(texte.replace(titre, ecriture.court(une.libelle), 1) if une else texte)
    return ecriture.minuscule(f"{nom} (ci-dessus)" if deja and texte != nom else texte)


def _code_par_defaut(condition):
    """Tell whether a missing condition reads a code that nobody gave: a place, an activity."""
    return bool(condition.constats) and all(un.par_defaut and isinstance(un.valeur, str) for un in condition.constats)


def _alternatives(condition):
    """Say in brackets what a missing condition that is a choice of others misses; nothing of what is no choice.

    Of several ways, the nearest share of turnover, else the only one that what is given has begun, else all those
    that a value decides.
    """
    if condition.sens != "une":
        return ""
    possibles = [une for une in condition.sous_conditions if une.statut == NON_REMPLIE]
    dites, entamees = _en_chiffres(possibles), [un for un in possibles if any(map(_est_donnee, un.sous_conditions))]
    if len(entamees) == 1 and not dites.startswith(AU_PLUS_PRES):
        (une,) = entamees
        if all(part.comparaison and part.comparaison.mot in DANS_UNE_LISTE for part in refusees([une])):
            return ""  # an activity or a place: the name says enough
        manquent = " ; ".join(dict.fromkeys(map(_feuille, refusees([une]))))
        dites = f"{ecriture.minuscule(ecriture.court(une.libelle.partition(',')[0]))} ; manque : {manquent}"
    return f" ({dites})" if dites else ""


def _est_donnee(condition):
    """Tell whether a part of a condition is met by what is given, and not by default."""
    return condition.statut == REMPLIE and not suppositions(condition)


def _feuille(condition):
    """Write a missing condition by its figures, or those of the parts that it is a choice of, else by its name."""
    dites = _en_chiffres(condition.sous_conditions if condition.sens == "une" else [condition])
    return dites or ecriture.minuscule(ecriture.court(_sans_contenu(condition.libelle)))


def _sans_contenu(texte):
    """Name a list without what it holds."""
    liste, contenu, _ = texte.partition(" » : ")
    return f"{liste} »" if contenu else texte


def _en_chiffres(possibles):
    """Write the ways that figures alone decide: the nearest in euros of the shares of turnover, else all of them."""
    voies = [refusees([une]) for une in possibles]
    voies = [voie for voie in voies if all(une.comparaison and une.comparaison.unite_ecart for une in voie)]
    parts = [voie for voie in voies if all(une.comparaison.unite == "/1" and une.comparaison.ecart for une in voie)]
    if parts:
        voies = [min(parts, key=lambda voie: sum(une.comparaison.ecart for une in voie))]
    dites = " ; ou ".join(dict.fromkeys(" et ".join(map(_chiffree, voie)) for voie in voies))
    return f"{AU_PLUS_PRES}, {dites}" if parts and len(possibles) > 1 else dites


def _chiffree(condition):
    """Write a condition in figures, without the brackets of its names."""
    une = replace(condition.comparaison, libelle=ecriture.court(condition.comparaison.libelle))
    courte = replace(condition, libelle=ecriture.court(condition.libelle), comparaison=une, constats=[])
    return ecriture.minuscule(_phrase(courte))


def entre_parentheses(renvoi):
    """Put a reference beside a name, in brackets unless it ends with one: « 3° a) »."""
    return "" if not renvoi else f", {renvoi}" if renvoi.endswith(")") else f" ({renvoi})"


def renvoi_court(references, decret):
    """Short reference: the article and paragraph, and the decree when it is not the one of the article explained."""
    renvois = []
    for reference in references:
        texte, _, article = reference.partition(", ")
        texte = ecriture.minuscule(texte.partition(" du ")[0])
        renvois.append(article if reference.startswith(decret) else f"{texte}, {article}" if article else texte)
    return " ; ".join(renvois) or None


def etapes(calcul, article=None, niveau=0, replier=True, dit=None, dites=None):
    """Write a calculation, without the steps that only pass an amount on; ``replier`` False keeps the first one.

    A step cites its paragraph of ``article``, unless the step above it, that cites ``dit``, has just done so; one that
    two others use, among ``dites``, is told once.
    """
    dites = set() if dites is None else dites
    libelle, constats, renvoi = calcul.libelle, [], None
    while (niveau or replier) and not calcul.formule and len(calcul.etapes) == 1:
        constats += [constat for constat in calcul.constats if constat.valeur is not False]  # what did not apply
        renvoi = renvoi or renvoi_propre(calcul, article)
        calcul = calcul.etapes[0]
    nom = libelle if niveau else calcul.libelle  # below, that of the formula above
    valeur = ecriture.valeur(calcul.valeur, calcul.unite)
    texte = f"{nom} : {valeur}"
    if calcul.formule:
        texte += " (montant fixe)" if calcul.formule == valeur else f" = {calcul.formule}"
    for constat in {constat.libelle: constat for constat in (*constats, *calcul.constats)}.values():
        texte += f" [{ecriture.court(constat.libelle)} : {valeur_de(constat)}]"
    renvoi = renvoi_propre(calcul, article) or renvoi
    lignes = [Point(niveau, texte, reference=renvoi if renvoi != dit else None)]
    for etape in calcul.etapes:
        if etape.valeur and etape.variable not in dites:  # a null step explains nothing
            dites.add(etape.variable)
            lignes += etapes(etape, article, niveau + 1, dit=renvoi, dites=dites)
    return lignes


def renvoi_propre(calcul, article):
    """Short reference of a step to the article told, or to the one that fixes its amount; None if it cites neither."""
    if article is None:
        return None
    numeros = {article.numero, article_du_montant(article)} - {None}
    siennes = [texte for texte in calcul.references if texte.startswith(article.decret)]
    return renvoi_court([texte for texte in siennes if numero_cite(texte) in numeros], article.decret)


def article_du_montant(article):
    """Article that fixes the amount, when it is not the one that gives the right."""
    cites = [numero for numero in map(numero_cite, article.calcul.references) if numero]
    return cites[0] if len(cites) == 1 and cites[0] != article.numero else None
