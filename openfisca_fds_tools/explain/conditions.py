"""From the formula of a right to its numbered conditions."""

import operator
from dataclasses import replace
from datetime import date

from . import ecriture
from .calculs import formule, mois_a_donner, mois_tus
from .changements import (
    CONTRAIRE,
    EUROS,
    REFERENCE,
    ce_qui_fait_le_seuil,
    distance,
    ecart_au_taux,
    en_nombre_entier,
    feuilles_de_liste,
)
from .data import NON_REMPLIE, REMPLIE, SANS_OBJET, Comparaison, Condition
from .essais import CHIFFRE_D_AFFAIRES, JOUR
from .lecteur import (
    ALINEA,
    PARTIE_D_UN_ARTICLE,
    citant,
    en_json,
    est_comparaison,
    mot,
    orienter,
    parties_citees,
)

NEGATION = " : non"
CALCUL_PAR_DEFAUT = "(chiffre d'affaires par défaut)"
COMPARE = {">=": operator.ge, ">": operator.gt, "<=": operator.le, "<": operator.lt}
SENS = {"et": "toutes", "ou": "une"}


def conditions(lecteur, droit):
    """List the conditions of a right, in the order of its text.

    The thresholds are those of the article: a condition whose threshold depends on another one of the article reads
    it as if that one were met. A right that is no conjunction has one condition.
    """
    numerotes = enumerate(termes_du_droit(lecteur, droit), start=1)
    return [condition(sien, terme, str(rang)) for rang, (sien, terme) in numerotes]


def termes_du_droit(lecteur, droit):
    """List (reader, term) of a right; a term that reads other failing conditions is read as if those were met."""
    interieur = lecteur.interieur(droit)
    if interieur is None:
        return []
    termes = interieur.termes if interieur.operation == "et" else (interieur,)
    manquantes = {terme.nom for terme in termes if terme.operation == "variable" and not terme.valeur}
    lecteurs, lus = {}, []
    for terme in termes:
        causes = frozenset(manquantes & _lues(lecteur, terme) - {terme.nom}) if terme.operation == "variable" else None
        if not causes:
            lus.append((lecteur, terme))
            continue
        if causes not in lecteurs:
            lecteurs[causes] = lecteur.supposer(causes)
        suppose = lecteurs[causes].variable(terme.nom)
        lus.append((lecteurs[causes], suppose) if suppose.valeur or not terme.valeur else (lecteur, terme))
    return lus


def _lues(lecteur, expression):
    """Names of all the variables of the month that an expression reads, however deep."""
    vues, attente = set(), [expression]
    while attente:
        for feuille in attente.pop().feuilles("variable"):
            if feuille.nom not in vues and feuille.periode in ("", str(lecteur.period)):
                vues.add(feuille.nom)
                interieur = lecteur.interieur(feuille)
                attente += [interieur] if interieur is not None else []
    return vues


def condition(lecteur, expression, numero, voulu=True, excusee=False, parties=frozenset()):
    """Build one Condition, and those it is made of.

    Args:
        lecteur: Lecteur.
        expression: boolean Expression.
        numero: number given to the condition.
        voulu: value that meets it (False under a negation).
        excusee: an alternative of it is met, so that it is without object when it is not.
        parties: parts of the article (I, II, 1°…) that the condition is read in; one met in several cites only those.
    """
    if expression.operation == "non":
        return condition(lecteur, expression.termes[0], numero, not voulu, excusee, parties)
    remplie = expression.valeur == voulu
    references = _references(lecteur, expression, numero, parties)
    details = _details(lecteur, expression, numero, voulu, excusee, parties_citees(references) or parties)
    if not {"comparaison", "sens"} & details.keys():  # nothing below tells it: it tells itself
        details["comparaison"] = Comparaison(libelle(lecteur, expression), expression.valeur, "", voulu)
    return Condition(
        numero=numero,
        libelle=libelle(lecteur, expression, voulu),
        statut=REMPLIE if remplie else SANS_OBJET if excusee else NON_REMPLIE,
        variable=expression.nom,
        periode=expression.periode or None,
        references=references,
        **details,
    )


def _references(lecteur, expression, numero, parties):
    """List the references of a condition; a part of one cites the same part of the article explained, or nothing."""
    if expression.operation != "variable":
        return []
    if "." not in numero:
        return lecteur.references(expression.nom)
    exactes = lecteur.references(expression.nom, proche=False)
    return citant(citant(exactes, PARTIE_D_UN_ARTICLE, parties), ALINEA, parties)


def _details(lecteur, expression, numero, voulu, excusee, parties):
    """Tell what the formula of a condition compares or combines, as the fields of Condition."""
    if expression.operation == "variable":
        interieur = None if lecteur.est_un_fait(expression) else lecteur.interieur(expression)
        lues = feuilles_de_liste(lecteur, interieur) if interieur is not None else []
        if interieur is None or lues:
            dites = [lue for lue in lues if isinstance(lue.valeur, str) or not lecteur.par_defaut(lue)]
            constats = list(map(lecteur.fait, dites))
            return {"comparaison": _oui_ou_non(lecteur, expression, voulu), "constats": constats}
        return _details(lecteur, interieur, numero, voulu, excusee, parties) if interieur != expression else {}
    constats = []
    while expression.operation == "selon":  # the rule that applies depends on a fact, told apart
        faits = [lecteur.fait(lue) for lue in expression.termes[0].feuilles("variable")]
        autre = _autre_seuil(lecteur, expression, voulu) if expression.valeur != voulu and len(faits) == 1 else None
        constats += [replace(faits[0], sinon=autre)] if autre else faits
        expression = expression.choisie
    if expression.operation == "non":
        details = _details(lecteur, expression.termes[0], numero, not voulu, excusee, parties)
        return details | {"constats": constats + details.get("constats", [])}
    if est_comparaison(expression):
        poses = ce_qui_fait_le_seuil(lecteur, expression)
        refuse = expression.valeur != voulu  # otherwise, the yes or no alone
        decisif = None if refuse else _choix_decisif(lecteur, expression)
        constats += [lecteur.fait(un) for un in poses if un != decisif and (refuse or isinstance(un.valeur, bool))]
        sous = [condition(lecteur, decisif, f"{numero}.1", True, excusee, parties)] if decisif else []
        return {"comparaison": comparaison(lecteur, expression, voulu), "constats": constats, "sous_conditions": sous}
    if expression.operation == "variable":
        termes, sens = (expression,), "toutes"
    elif expression.operation not in SENS or (not voulu and expression.operation == "et"):
        return {"constats": constats}
    else:
        termes = expression.termes if voulu else [terme for terme in expression.termes if terme.valeur]
        sens = SENS[expression.operation] if voulu else "toutes"  # none of the alternatives may be open
    une_suffit = sens == "une" and expression.valeur == voulu
    sous = [
        condition(lecteur, terme, f"{numero}.{rang}", voulu, excusee or une_suffit, parties)
        for rang, terme in enumerate(termes, start=1)
        if terme.operation != "variable" or terme.valeur != voulu or not lecteur.sans_texte(terme.nom)
    ]
    return {"sens": sens, "sous_conditions": sous, "constats": constats}


def _choix_decisif(lecteur, expression):
    """Give the yes that a threshold depends on, when the threshold of the others would not be met; None otherwise."""
    gauche, symbole, seuil = orienter(expression) if expression.operation in COMPARE else (None, None, None)
    choix = lecteur.interieur(seuil) if seuil is not None else None
    if choix is None or choix.operation != "selon" or choix.termes[0].operation != "variable":
        return None
    pose, _, autre = choix.termes
    relevee = pose.valeur and pose.nom not in lecteur.supposees
    return pose if relevee and not COMPARE[symbole](gauche.valeur, autre.valeur) else None


def _autre_seuil(lecteur, choix, voulu):
    """Write the threshold of the rule that does not apply, when both compare; None otherwise."""
    _, oui, non = choix.termes
    autre = lecteur.retenue(non if choix.choisie is oui else oui)
    if not (est_comparaison(choix.choisie) and est_comparaison(autre)):
        return None
    une = comparaison(lecteur, autre, voulu)
    return f"{ecriture.minuscule(ecriture.court(une.libelle))} : {une.mot} {ecriture.valeur(une.seuil, une.unite)}"


def _oui_ou_non(lecteur, expression, voulu):
    libelle, par_defaut, en_mots = lecteur.libelle(expression), lecteur.par_defaut(expression), None
    if lecteur.calculee(expression):
        donne = (CHIFFRE_D_AFFAIRES, expression.periode) in lecteur.declarees
        suite = "(voir ce mois)" if donne else CALCUL_PAR_DEFAUT
        mois = ecriture.mois(expression.periode)
        en_mots = f"{ecriture.valeur(expression.valeur)}, calculé pour {mois} {suite}"
    return Comparaison(libelle, expression.valeur, "", voulu, en_mots=en_mots, par_defaut=par_defaut)


def comparaison(lecteur, expression, voulu=True):
    """Value, word, threshold and distance of a comparison."""
    if expression.operation == "appartient":
        codes, liste = expression.termes
        nommee = liste.operation == "parametre"
        return Comparaison(
            lecteur.libelle(codes),
            lecteur.ecrire(codes),
            "dans la liste" if voulu else "hors de la liste",
            lecteur.liste(codes, liste),
            sources=[lecteur.source(liste)] if nommee else [],
            par_defaut=lecteur.par_defaut(codes),
        )
    if expression.operation == "au_moins":
        return _taux(lecteur, expression, voulu)
    gauche, symbole, droite = orienter(expression)
    texte = isinstance(gauche.valeur, str)
    a_atteindre = CONTRAIRE[symbole] if expression.valeur else symbole  # how far from the other side
    dit, seuil = en_nombre_entier(gauche.valeur, symbole if voulu else CONTRAIRE[symbole], droite.valeur)
    return Comparaison(
        libelle=lecteur.libelle(gauche),
        valeur=lecteur.ecrire(gauche) if texte else en_json(gauche.valeur),
        mot=mot(dit, seuil),
        seuil=en_json(seuil),
        unite=lecteur.unite(gauche),
        ecart=distance(gauche.valeur, a_atteindre, droite.valeur),
        unite_ecart=JOUR if isinstance(gauche.valeur, date) else lecteur.unite(gauche),
        detail=_moyenne_ou_mois_tus(lecteur, gauche),
        sources=lecteur.sources(droite),
        par_defaut=lecteur.par_defaut(gauche),
    )


def _moyenne_ou_mois_tus(lecteur, chiffre):
    """Write in figures a turnover that is a mean, or say the months of it that nobody gave; None of any other value."""
    moyenne = lecteur.retenue(chiffre)
    interieur = lecteur.interieur(moyenne)
    if interieur is not None and interieur.operation == "÷" and not lecteur.par_defaut(chiffre):
        return formule(lecteur, interieur)
    return mois_tus(lecteur, chiffre).removeprefix(", ") or None


def _taux(lecteur, expression, voulu):
    montant, reference, taux = expression.termes
    perdu, sur = ecriture.euros(montant.valeur), reference.valeur > 0
    ecart = ecart_au_taux(lecteur, expression, not expression.valeur) if sur else None
    return Comparaison(
        libelle=lecteur.libelle(montant),
        valeur=montant.valeur / reference.valeur if sur else 0.0,
        mot="au moins" if voulu else "moins de",
        seuil=taux.valeur,
        unite="/1",
        ecart=None if ecart is None else abs(round(ecart, 2)),
        unite_ecart=EUROS,
        detail=f"{perdu} sur {ecriture.euros(reference.valeur)}{_moyenne(lecteur, expression)}",
        sources=lecteur.sources(taux),
        en_mots=_perte_en_mots(lecteur, montant, reference),
        par_defaut=lecteur.par_defaut(montant),
    )


def _moyenne(lecteur, perte):
    """Write in figures a reference that is a mean of its own, or say the months that nobody gave."""
    reference = lecteur.retenue(perte.termes[1])
    if reference.operation == "÷" and reference.valeur:
        return f" = {formule(lecteur, reference)}"
    return mois_tus(lecteur, perte)


def _perte_en_mots(lecteur, perte, reference):
    """Say a rise of turnover, or the want of a reference, whose rate would say nothing; None when there is a loss."""
    difference = lecteur.difference(perte)
    realise = difference[1].valeur if difference else 0
    if reference.valeur <= 0:
        donne = " donné" if lecteur.par_defaut(reference) and mois_a_donner(lecteur, reference) else ""
        suite = f", pour {ecriture.euros(realise)} réalisés" if realise else ""
        return f"aucun chiffre d'affaires de référence{donne}{suite}"
    if difference is None or realise <= difference[0].valeur:
        return None
    avant, apres = (ecriture.euros(terme.valeur) for terme in difference)
    nom = ecriture.minuscule(ecriture.court(lecteur.libelle(difference[0])))
    propre = difference[0].operation == "variable" and difference[0].nom != REFERENCE
    de = f"({nom}{mois_tus(lecteur, difference[0])})" if propre else "de référence"
    return f"chiffre d'affaires en hausse, {apres} contre {avant} {de}"


def libelle(lecteur, expression, voulu=True):
    """Name a condition: the label of its variable, or a sentence for what the formula compares in place."""
    operation, termes = expression.operation, expression.termes
    if operation == "variable":
        return lecteur.libelle(_seule(lecteur, expression)) + ("" if voulu else NEGATION)
    if operation == "non":
        return libelle(lecteur, termes[0], not voulu)
    if operation in SENS:
        mots = " et " if (operation == "et") == voulu else " ou "
        premier, *suivants = (libelle(lecteur, terme, voulu) for terme in termes)
        return mots.join([premier, *map(ecriture.minuscule, suivants)])
    if operation == "selon":
        return libelle(lecteur, lecteur.retenue(expression), voulu)
    if est_comparaison(expression):
        une = comparaison(lecteur, expression, voulu)
        de = f" de {ecriture.minuscule(lecteur.libelle(termes[1]))}" if operation == "au_moins" else ""
        return f"{ecriture.court(une.libelle)} : {une.mot} {ecriture.valeur(une.seuil, une.unite)}{de}"
    return "Règle du mois" if operation == "constante" else lecteur.libelle(expression)


def _seule(lecteur, expression):
    """Give the only condition that one stands for this month, that says what it asks; itself otherwise."""
    interieur = None if lecteur.est_un_fait(expression) else lecteur.interieur(expression)
    seule = interieur is not None and interieur.operation == "variable" and isinstance(interieur.valeur, bool)
    return _seule(lecteur, interieur) if seule and interieur != expression else expression


def refusees(liste):
    """List the conditions that refuse, each at the depth where something can be said of it.

    One that only asks for the contrary of its parts says it better than they do: « hors des annexes 1 et 2 »; so does
    the name of one whose only part to tell is a share that no variable names.
    """
    trouvees = []
    for une in liste:
        if une.statut == NON_REMPLIE:
            contraires = une.variable and all(sous.libelle.endswith(NEGATION) for sous in une.sous_conditions)
            profondes = refusees(une.sous_conditions) if une.sens == "toutes" and not contraires else []
            if une.variable and len(profondes) == 1 and _sans_nom(profondes[0]):
                profondes = [replace(profondes[0], libelle=une.libelle, variable=une.variable)]
            trouvees += profondes or [une]
    return trouvees


def _sans_nom(condition):
    return condition.variable is None and condition.comparaison is not None and condition.comparaison.unite == "/1"
