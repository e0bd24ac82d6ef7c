"""Head of a page: the verdict, the figures, and the nearest that would have given more."""

import functools
from dataclasses import astuple

from . import ecriture
from .calculs import PAR_DEFAUT
from .changements import DEDUITE, NON_COMPTEE, REFERENCE
from .conditions import CALCUL_PAR_DEFAUT
from .conseils import COMPLEMENT, UN_CENTIME, autre_etat, conseils, meilleur
from .data import REMPLIE
from .elements import Point
from .essais import AIDES_UNIQUES, JOUR
from .phrases import article_du_montant, changes, valeur_de

SANS_REFERENCE = " : sans chiffre d'affaires de référence, aucune perte ne peut être constatée"
PART = "/1"  # unit of a loss set against its threshold
JOURS_SEULS = "3-10"  # pays for the loss of the days of closure alone
SANS_MONTANT = " : à ce seuil le droit s'ouvre sans rien donner"
SEUL_AUTRE_ETAT = "Rien n'ouvrait de droit{} à une telle entreprise ; une autre en aurait eu un"
ENSEMBLE = (
    "À activité, lieu et forme inchangés, et sans perdre de droit, aucun{} changement seul ne suffit ; au plus près"
)
AUCUN_SEUIL = (
    "Sur ces données, rien de proche n'aurait {} (essayés : conditions, options, seuils du montant, chaque jour de "
    "plus, sommes déduites ; non proposés : une autre activité, un autre lieu, une autre forme, une autre date de "
    "création, une référence plus haute, moins de jours de mesure, un droit à perdre pour en ouvrir un autre, "
    "autant ou plus de chiffre d'affaires à perdre que d'aide à gagner{})."
)


def verdict(explication, unique=None):
    """Say what is paid, and first of all what stops it: no request, or the ceiling of the group.

    ``unique`` is the aid that the page tells first when it is not monthly.
    """
    if explication.montant > 0:
        return _aide_payee(explication)
    du = meilleur(explication.articles, explication.autres)
    rien = f"Aucune aide{' mensuelle (volet 1)' if unique or aides_uniques(explication) else ''} pour ce mois"
    if not explication.articles and not unique:
        return f"{rien} : aucun article du décret ne vise {ecriture.mois(explication.periode)}."
    if unique and not unique.montant:
        rien += f", et rien {_au_titre(unique)}"
    if not explication.demande:
        texte = f"{rien} : aucune demande n'a été déposée"
        if not du:
            return f"{texte}, et une demande n'aurait rien ouvert."
        texte += f". Une demande aurait ouvert droit à {ecriture.euros(du.montant)}, {_au_titre(du)}"
        return texte + (", avant le plafond du groupe." if explication.membres > 1 else ".")
    ouvert = next((article for article in explication.articles if article.eligible), None)
    if ouvert:
        calcul = f" : {ouvert.calcul.formule}" if ouvert.calcul.formule else ""
        return f"{rien} : les conditions de l'article {ouvert.numero} sont remplies, mais le montant est nul{calcul}."
    propres = (_reference_propre(branche.calcul) for article in explication.articles for branche in article.branches)
    sans_reference = not unique and not explication.faits[1].valeur and not any(propres)
    return f"{rien}{SANS_REFERENCE if sans_reference else ''}." + _sous_reserve(explication)


def _aide_payee(explication):
    """Say the aid of the month, what the ceiling and the complement are in it, and what it rests on by default."""
    texte = f"Aide du mois : {ecriture.euros(explication.montant)}"
    if explication.montant < explication.avant_plafond:
        texte += f", après le plafond du groupe ({ecriture.euros(explication.avant_plafond)} avant plafond)"
    titre = f" {_au_titre(explication.payant)}" if explication.retenu else ""
    complement = next((un for un in explication.autres if un.variable_montant == COMPLEMENT and un.montant > 0), None)
    if complement:
        reste, ajout = explication.montant - complement.montant, ecriture.euros(complement.montant)
        texte += f", soit {ecriture.euros(reste)}{titre} et {ajout} de complément ({complement.numero})."
    else:
        texte += f",{titre}." if titre else "."
    return texte + _sous_reserve(explication)


def _sous_reserve(explication):
    """Say that nobody gave the turnover of the month."""
    if not explication.faits[0].par_defaut:
        return ""
    reference = " ni pour la référence" if explication.faits[1].par_defaut else ""
    mois = ecriture.mois(explication.periode)
    return f" Sous réserve : aucun chiffre d'affaires n'est donné pour {mois}{reference}."


def aides_uniques(explication):
    """List the aids paid that are not monthly."""
    return [autre for autre in explication.autres if autre.variable_montant in AIDES_UNIQUES and autre.montant > 0]


def resume(explication, unique=None):
    """List as points what a hurried reader wants: the branch, the figures, the other aids, why there is no more.

    ``unique``, an aid that is not monthly, does not compare the turnover of the month: it is left out.
    """
    chiffre, reference, perte, taux = map(valeur_de, explication.faits[:4])
    lignes = list(_regime_applique(explication))
    if unique is None and explication.articles:
        chiffre += (
            f" (dont ventes à distance : {ecriture.euros(explication.a_distance)})" if explication.a_distance else ""
        )
        texte = f"Chiffre d'affaires du mois : {chiffre} ; référence : {reference} ; perte : {perte}, soit {taux}."
        lignes.append(texte)
    lignes += [
        f"{un.libelle} : {valeur_de(un)} donnés, plus que le texte n'en compte ; le montant qui en dépend est à revoir."
        for un in explication.faits[4:]
    ]
    lignes += explication.reserves
    if uniques := aides_uniques(explication):
        textes = [
            f"{ecriture.euros(une.montant)} {_au_titre(une)} ({ecriture.minuscule(une.libelle)})" for une in uniques
        ]
        lignes.append(f"En dehors de l'aide du mois : {' ; '.join(textes)}.")
    lignes += _aides_calculees(explication)
    if explication.pente and unique is None:
        lignes.append(_selon_le_chiffre_d_affaires(explication.pente))
    points = [Point(0, texte) for texte in lignes]
    if proches := conseils(explication):
        return points + _conseils(explication, proches) + _d_un_mois_anterieur(explication)
    sans_conseil = bool(explication.articles) and explication.demande
    gagne = "donné davantage" if explication.montant > 0 or uniques else "ouvert de droit"
    suivi = "" if unique is None else ", le solde ou les charges qu'une aide suit"
    return [*points, Point(0, AUCUN_SEUIL.format(gagne, suivi))] if sans_conseil else points


def _aides_calculees(explication):
    """Say the aids received, and the past losses of the regime that pays, that a turnover that nobody gave decides."""
    posees = [une for article in explication.articles for une in article.conditions]
    ouvertes = [une.exigence for article in explication.articles for une in article.branches if une.exigence]
    trouvees, montants = list(_remplies_par_defaut([*posees, *ouvertes])), []
    if payant := explication.payant:
        exigence = payant.retenue and payant.retenue.exigence
        siennes = [*payant.conditions, *([exigence] if exigence else [])]
        trouvees += _remplies_par_defaut(siennes, explication.faits[2].libelle)
        calcul = payant.retenue.calcul if payant.retenue else payant.calcul
        montants = [] if explication.faits[0].par_defaut else _montants_par_defaut(calcul)
    dites = dict.fromkeys([*_dites(trouvees), *montants])
    return [f"Sous réserve : {' ; '.join(dites)}."] if dites else []


def _dites(conditions):
    """Yield in words conditions met by default, once those of several months."""
    memes = {}
    for une in conditions:
        if une.comparaison.en_mots:
            nom = une.comparaison.libelle.removesuffix(f", {ecriture.mois(une.periode)}")
            memes.setdefault(nom, {})[une.periode] = une.comparaison
        else:
            yield f"{ecriture.minuscule(une.libelle)} : {PAR_DEFAUT}"
    for nom, par_mois in memes.items():
        mois, (dite, *autres) = list(map(ecriture.mois, par_mois)), par_mois.values()
        dit = f"{ecriture.valeur(dite.valeur)}, calculé pour ces mois {CALCUL_PAR_DEFAUT}" if autres else dite.en_mots
        yield f"{ecriture.minuscule(nom)}, {', '.join(mois)} : {dit}"


def _remplies_par_defaut(conditions, perte_du_mois=None):
    """Yield the aids received by default that meet conditions; nothing of an alternative that a given one meets.

    And the losses by default, if ``perte_du_mois`` names the one of the month, that the verdict tells.
    """
    for une in conditions:
        dite = une.comparaison if une.statut == REMPLIE else None
        if dite and (_recue_par_defaut(dite) or (perte_du_mois and _perte_passee_par_defaut(dite, perte_du_mois))):
            yield une
        suivre = functools.partial(_remplies_par_defaut, perte_du_mois=perte_du_mois)
        parties = [list(suivre([sous])) for sous in une.sous_conditions if sous.statut == REMPLIE]
        if une.statut != REMPLIE:
            parties = [list(suivre(une.sous_conditions))]
        if une.sens != "une" or all(parties):
            yield from sum(parties, [])


def _montants_par_defaut(calcul):
    """Yield the losses of a calculation, the days of closure, that rest on what nobody gave."""
    for etape in calcul.etapes:
        if etape.valeur and etape.reserve == PAR_DEFAUT:
            yield f"{ecriture.minuscule(etape.libelle)} : {PAR_DEFAUT}"
        yield from _montants_par_defaut(etape)


def _recue_par_defaut(comparee):
    return comparee.valeur and (comparee.en_mots or "").endswith(CALCUL_PAR_DEFAUT)


def _perte_passee_par_defaut(comparee, perte_du_mois):
    return comparee.unite == PART and comparee.par_defaut and not comparee.libelle.startswith(perte_du_mois)


def _selon_le_chiffre_d_affaires(pente):
    """Say how an aid follows the turnover of the month, and to where."""
    par_euro, au_plus, chiffre, apres = map(ecriture.euros, astuple(pente))
    a_ce_chiffre = f"à {chiffre} de chiffre d'affaires" if pente.chiffre_affaires else "sans aucun chiffre d'affaires"
    atteint = f"{au_plus}, atteints" if pente.chiffre_affaires else au_plus
    suite = f" ; au-dessous, {apres}" if pente.au_dessous < pente.au_plus - UN_CENTIME else ""
    suivie = f"L'aide suit le chiffre d'affaires du mois : chaque euro de moins en donne {par_euro}"
    return f"{suivie}, jusqu'à {atteint} {a_ce_chiffre}{suite}."


def _conseils(explication, proches):
    """Say what would have given more: in one line, or one below the other when several changes would, each alone."""
    premier = proches[0][0]
    paye = explication.montant > 0 or premier.montant > 0
    textes = [_conseil(explication, *memes) for memes in proches]
    if autre_etat(premier):
        du_mois = " à l'aide mensuelle" if aides_uniques(explication) else ""
        titre = SEUL_AUTRE_ETAT.format(du_mois)
    elif len(premier.changements) > 1:
        titre = ENSEMBLE.format(" autre" if explication.pente else "")
    elif len(textes) > 1:
        titre = "Davantage, par" if paye else "Au plus près,"
        tete = f"{titre} l'un de ces changements, seul :"
        return [Point(0, tete), *(Point(1, f"{texte[:1].upper()}{texte[1:]}.") for texte in textes)]
    else:
        titre = "Davantage" if paye else "Au plus près"
    return [Point(0, f"{titre}, {' ; ou bien, '.join(textes)}.")]


def _d_un_mois_anterieur(explication):
    """Say what the earlier month nearest to an aid would have asked for."""
    anterieure = explication.anterieure
    if anterieure is None:
        return []
    debut = f"En {ecriture.mois(anterieure.periode)}, "
    if anterieure.du:
        droit = f"{ecriture.euros(anterieure.du.valeur)}, {_par(anterieure.du.libelle)}"
        return [Point(0, f"{debut}aucune demande n'a été déposée ; une demande aurait ouvert droit à {droit}.")]
    premiere = anterieure.ouvertures[0]
    montant = ecriture.euros(premiere.montant_si_change)
    return [Point(0, f"{debut}au plus près, {_par(premiere.numero)} : {changes(premiere)}, pour {montant} ce mois-là.")]


def _regime_applique(explication):
    """Yield the regime or the option that applies, when there was a choice, and the reference of its own it reads."""
    article = explication.payant
    if article and article.retenue and len(article.branches) > 1:
        nom = "Régime appliqué" if article.retenue.condition else "Option appliquée"
        yield f"{nom} : {ecriture.minuscule(article.retenue.libelle.removeprefix('Option : '))}."
    propre = article and _reference_propre(article.calcul)
    if propre and propre.valeur != explication.faits[1].valeur:
        yield f"{propre.libelle} : {ecriture.euros(propre.valeur)}, au lieu de la référence générale qui suit."


def _reference_propre(calcul):
    """Find in a calculation the reference turnover of its own that an article compares with; None if it has none."""
    if (calcul.variable or "").endswith(f"_{REFERENCE}"):
        return calcul
    return next((trouvee for etape in calcul.etapes if (trouvee := _reference_propre(etape))), None)


def _conseil(explication, article, *autres):
    """Say the changes that an article would have paid for, and what, then the others that the same changes open."""
    lien = "" if article.changements[0].sens in (DEDUITE, NON_COMPTEE) else "pour "
    conseil = f"{_par(article.numero)} : {changes(article)}, {lien}{ce_que_donne(explication, article)}"
    if autres:
        memes = " ; ".join(f"{_par(autre.numero)}, {ecriture.euros(autre.montant_si_change)}" for autre in autres)
        conseil += f" (de même {memes})"
    return conseil


def _par(numero):
    return f"par {_texte(numero)}"


def _texte(numero):
    return f"l'article {numero}" if numero[:1].isdigit() else f"le {numero}"


def ce_que_donne(explication, article):
    """Write the amount that the changes of an article give, and the aid of the month when it is another one."""
    donne = ecriture.euros(article.montant_si_change) + ("" if article.montant_si_change else SANS_MONTANT)
    if article.numero == JOURS_SEULS and any(un.unite == JOUR for un in article.changements):
        donne += " en ne comptant aucun chiffre d'affaires ces jours-là"
    if not explication.demande or article.aide_si_change is None:
        return donne
    aide = ecriture.euros(article.aide_si_change)
    if article.variable_montant == COMPLEMENT:
        return f"{donne}, et une aide du mois de {aide}"
    plus_haut = article.montant_si_change
    if premier := article.premier_si_change:
        plus_haut, par = premier.valeur, _texte(premier.libelle)
        donne += f" ; {par}, alors ouvert aussi, donne {ecriture.euros(plus_haut)}, et seul le plus élevé est payé"
    reste = article.aide_si_change - plus_haut
    if reste >= UN_CENTIME:
        donne += f", et {ecriture.euros(reste)} de complément, soit {aide}"
    elif reste <= -UN_CENTIME:
        donne += f", soit {aide} après le plafond du groupe"
    return donne


def _au_titre(article):
    """Name the text that pays, and the article that fixes the amount when it is another one."""
    if not article.numero[:1].isdigit():
        return f"au titre du {article.numero}"
    autre = article_du_montant(article)
    return f"au titre de l'article {article.numero}" + (f", montant fixé par l'article {autre}" if autre else "")
