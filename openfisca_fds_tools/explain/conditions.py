"""From the formula of a right to its numbered conditions."""

from datetime import date

from openfisca_fds_tools.explain import ecriture
from openfisca_fds_tools.explain.changements import CONTRAIRE, distance, ecart_a_la_part
from openfisca_fds_tools.explain.data import (
    NON_REMPLIE,
    REMPLIE,
    SANS_OBJET,
    Comparaison,
    Condition,
)
from openfisca_fds_tools.explain.lecteur import en_json, est_comparaison, mot, orienter

CONSTATS_MAXIMAUX = 6
SENS = {"et": "toutes", "ou": "une"}


def conditions(lecteur, droit):
    """List the conditions of a right, in the order of its text.

    Args:
        lecteur: Lecteur of the enterprise and the month.
        droit: boolean Expression, the variable of the right.

    Returns:
        List of Condition; one alone when the right is not a conjunction.
    """
    interieur = lecteur.interieur(droit)
    if interieur is None:
        return []
    termes = interieur.termes if interieur.operation == "et" else (interieur,)
    return [condition(lecteur, terme, str(rang)) for rang, terme in enumerate(termes, start=1)]


def condition(lecteur, expression, numero, voulu=True, excusee=False):
    """Build one condition and what it is made of.

    Args:
        lecteur: Lecteur.
        expression: boolean Expression.
        numero: number given to the condition.
        voulu: value that meets it (False under a negation).
        excusee: an alternative of it is met, so that it is without object when it is not.

    Returns:
        Condition.
    """
    if expression.operation == "non":
        return condition(lecteur, expression.termes[0], numero, not voulu, excusee)
    remplie = expression.valeur == voulu
    details = _details(lecteur, expression, numero, voulu, excusee or None)
    return Condition(
        numero=numero,
        libelle=libelle(lecteur, expression, voulu),
        statut=REMPLIE if remplie else SANS_OBJET if excusee else NON_REMPLIE,
        variable=expression.nom,
        periode=expression.periode or None,
        references=lecteur.references(expression.nom) if expression.operation == "variable" else [],
        **details,
    )


def _details(lecteur, expression, numero, voulu, excusee):
    """Tell what the formula of a condition compares or combines, as the fields of Condition."""
    if expression.operation == "variable":
        interieur = lecteur.interieur(expression)
        if interieur is None:
            lecture = lecteur.lecture(expression)
            lues = lecture.variables[:CONSTATS_MAXIMAUX] if lecture else ()
            return {"constats": [lecteur.fait(lue) for lue in lues]}
        return _details(lecteur, interieur, numero, voulu, excusee) if interieur != expression else {}
    constats = []
    while expression.operation == "selon":  # the rule that applies depends on a fact, told apart
        constats += [lecteur.fait(lue) for lue in expression.termes[0].feuilles("variable")]
        expression = expression.termes[1] if expression.termes[0].valeur else expression.termes[2]
    if expression.operation == "non":
        return _details(lecteur, expression.termes[0], numero, not voulu, excusee) | {"constats": constats}
    if est_comparaison(expression):
        return {"comparaison": comparaison(lecteur, expression, voulu), "constats": constats}
    termes = expression.termes if expression.operation in SENS else (expression,)
    sens = SENS.get(expression.operation, "toutes")
    if expression.operation not in SENS and expression.operation != "variable":
        return {"constats": constats}
    if not voulu and expression.operation in SENS:
        return {"constats": constats}  # a right that must not be open is told whole, not by the conditions it lacks
    une_suffit = sens == "une" and expression.valeur == voulu
    sous = [
        condition(lecteur, terme, f"{numero}.{rang}", voulu, bool(excusee) or une_suffit)
        for rang, terme in enumerate(termes, start=1)
    ]
    return {"sens": sens, "sous_conditions": sous, "constats": constats}


def comparaison(lecteur, expression, voulu=True):
    """Value, word, threshold and distance of a comparison."""
    if expression.operation == "appartient":
        codes, liste = expression.termes
        seuil = lecteur.libelle(liste) if liste.operation == "parametre" else "la liste du texte"
        sources = [lecteur.source(liste)] if liste.operation == "parametre" else []
        return Comparaison(
            lecteur.libelle(codes), lecteur.ecrire(codes), "parmi" if voulu else "hors de", seuil, sources=sources
        )
    if expression.operation == "au_moins":
        return _taux(lecteur, expression, voulu)
    gauche, symbole, droite = orienter(expression)
    texte = isinstance(gauche.valeur, str)
    atteint = expression.valeur == voulu
    a_atteindre = symbole if voulu != atteint else CONTRAIRE[symbole]  # how far from the other side
    return Comparaison(
        libelle=lecteur.libelle(gauche),
        valeur=lecteur.ecrire(gauche) if texte else en_json(gauche.valeur),
        mot=mot(symbole if voulu else CONTRAIRE[symbole], droite.valeur),
        seuil=en_json(droite.valeur),
        unite=lecteur.unite(gauche),
        ecart=distance(gauche.valeur, a_atteindre, droite.valeur),
        unite_ecart="jour" if isinstance(gauche.valeur, date) else lecteur.unite(gauche),
        sources=lecteur.sources(droite),
    )


def _taux(lecteur, expression, voulu):
    montant, reference, taux = expression.termes
    sur = reference.valeur > 0
    ecart = ecart_a_la_part(montant.valeur, reference.valeur, taux.valeur, not expression.valeur) if sur else None
    return Comparaison(
        libelle=lecteur.libelle(montant),
        valeur=montant.valeur / reference.valeur if sur else 0.0,
        mot="au moins" if voulu else "moins de",
        seuil=taux.valeur,
        unite="/1",
        ecart=None if ecart is None else abs(round(ecart, 2)),
        unite_ecart="currency-EUR",
        detail=f"{ecriture.euros(montant.valeur)} sur {ecriture.euros(reference.valeur)}",
        sources=lecteur.sources(taux),
    )


def libelle(lecteur, expression, voulu=True):
    """Name a condition: the label of its variable, or a sentence for what the formula compares in place."""
    operation, termes = expression.operation, expression.termes
    if operation == "variable":
        return lecteur.libelle(expression) + ("" if voulu else " : non")
    if operation == "non":
        return libelle(lecteur, termes[0], not voulu)
    if operation in SENS:
        mots = " et " if (operation == "et") == voulu else " ou "
        return mots.join(_dans_une_phrase(libelle(lecteur, terme, voulu), rang) for rang, terme in enumerate(termes))
    if operation == "selon":
        return libelle(lecteur, lecteur.retenue(expression), voulu)
    if est_comparaison(expression):
        une = comparaison(lecteur, expression, voulu)
        de = f" de {ecriture.minuscule(lecteur.libelle(termes[1]))}" if operation == "au_moins" else ""
        return f"{ecriture.court(une.libelle)} : {une.mot} {ecriture.valeur(une.seuil, une.unite)}{de}"
    return "Règle du mois" if operation == "constante" else lecteur.libelle(expression)


def _dans_une_phrase(texte, rang):
    return ecriture.minuscule(texte) if rang else texte


def refusees(liste):
    """List the conditions that refuse, each at the depth where something can be said of it."""
    trouvees = []
    for une in liste:
        if not une.bloque:
            continue
        profondes = refusees(une.sous_conditions) if une.sens == "toutes" else []
        trouvees += profondes or [une]
    return trouvees
