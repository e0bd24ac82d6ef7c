"""Explain the aid of one enterprise for one month."""

import functools
import itertools
import re
from dataclasses import replace

from openfisca_core import periods
from openfisca_core.periods import ETERNITY, DateUnit
from openfisca_core.simulations import Simulation

from openfisca_fds import CountryTaxBenefitSystem
from openfisca_fds.references import DECRET
from openfisca_fds_tools.situation import construire

from . import ecriture
from .calculs import PROFONDEUR, SORTIES_COMMUNES, branches, calcul, choix_poses, voies
from .cas import rang_de
from .changements import (
    A_DISTANCE,
    DEDUITE,
    EUROS,
    JOURS_COMPTES,
    NON_COMPTEE,
    OPTION,
    REFERENCE,
    combinees,
    cout,
    de_plus,
    moins_de_chiffre_d_affaires,
    proches,
    propositions,
)
from .conditions import condition, conditions, refusees, termes_du_droit
from .conseils import COMPLEMENT, UN_CENTIME, conseils, leviers, meilleur, proximite
from .data import Anterieure, Article, Explication, Fait, Ouverture
from .essais import (
    AIDE_DU_MOIS,
    AIDES_UNIQUES,
    AU_MAXIMUM_DES_ARTICLES,
    CHIFFRE_D_AFFAIRES,
    ouvrir,
    pente,
    plus_grande,
    plus_petite,
    premier_seuil,
    suit_la_limite,
)
from .expression import Expression, simplifier
from .lecteur import DEMANDES, DROIT, RECUE, Lecteur

DEMANDE = f"{DEMANDES}fonds_solidarite"
AVANT_PLAFOND, PLAFONNEES = "fds_volet_1_avant_plafond", "fds_groupe_volet_1_plafonne"
ARTICLE = re.compile(r"(fds_article_\w+)_eligible")
NUMERO_DE_DECRET = re.compile(r"\d{4}-\d+")

# The amounts of the other texts, monthly or once for all, and the right of each if a variable holds it.
AUTRES_DROITS = {
    "fds_discotheque_volet_1": None,
    "fds_complement_2021_1582": "fds_complement_eligible",
    "fds_volet_2": "fds_volet_2_eligible",
    "fds_volet_territorial": None,
    "fds_discotheque_volet_2_mars_aout_2020": None,
    "fds_discotheque_volet_2_septembre_novembre_2020": None,
    "multi_activites_montant": "multi_activites_eligible",
}
JOURS_CONFINES, JOURS_DE_MESURES = "jours_confinement", "jours_couvre_feu_ou_confinement"
MESURES = "fds_mesures_prolongees"  # what asks for the days of measures
JOURS_INTERDITS, INTERDITE = "jours_interdiction_accueil_public", "interdiction_accueil_public"
OPTION_PAR_DEFAUT, OPTION_RETENUE = "plus_favorable", "option_moyenne_2019_retenue"
FEVRIER_2019 = "2019-02"  # what the option frozen from March 2021 on compares
DISCOTHEQUE = "discotheque"  # the input, and in the names of the amounts of that text


@functools.cache
def systeme_par_defaut():
    """Return the model without reform, built once."""
    return CountryTaxBenefitSystem()


def explain(simulation, period, entreprise=None, autres=True, details=True):
    """Explain the aid of one enterprise for one month.

    Args:
        simulation: openfisca-core Simulation, or a situation (see ``openfisca_fds_tools.situation.construire``), whose
            values without period are those of ``period``.
        period: month, ``2021-03`` or Period.
        entreprise: id of the enterprise; needed when there are several.
        autres: explain the rights of the other texts too, those paid instead of an article being always there.
        details: with the conditions and the steps of each amount; otherwise only what pays, or if nothing does the
            nearest changes.

    Returns:
        Explication.

    Raises:
        ErreurSituation: the situation cannot be read.
        ValueError: ``period`` is not a month, or ``entreprise`` is missing or unknown.
    """
    period = periods.period(period)
    if period.unit != DateUnit.MONTH or period.size != 1:
        raise ValueError(f"« {period} » n'est pas un mois, comme 2021-03.")
    if not isinstance(simulation, Simulation):
        simulation = construire(systeme_par_defaut(), simulation, str(period))
    lecteur = Lecteur(simulation, rang_de(simulation, entreprise), period)
    droits = {nom: droit for nom, droit in AUTRES_DROITS.items() if autres or nom in AU_MAXIMUM_DES_ARTICLES}
    return _expliquer(lecteur, droits, PROFONDEUR if details else 0)


def _expliquer(lecteur, droits, profondeur):
    """Explain with the conditions and the steps, unless ``profondeur`` is 0."""
    total, reference = lecteur.variable(AIDE_DU_MOIS), lecteur.variable(REFERENCE)
    droits, sans_objet = _pour_elle(lecteur, droits)
    du_mois = [(f"{nom}_montant", f"{nom}{DROIT}") for nom in articles_du_mois(lecteur)]
    des_autres = [(montant, droit) for montant, droit in droits.items() if _formule(lecteur, montant) is not None]
    a_changer = profondeur or not total.valeur
    expliques = [_article(lecteur, *noms, profondeur, a_changer) for noms in du_mois + des_autres]
    expliques, ouvertures = _avec_changements(lecteur, expliques, de_plus(lecteur) if a_changer else [])
    articles, autres = expliques[: len(du_mois)], expliques[len(du_mois) :]
    options = branches(lecteur, reference, arrets=()) if profondeur else []
    du, avant = meilleur(articles, autres), lecteur.variable(AVANT_PLAFOND).valeur
    identifiant, groupe, membres = lecteur.identite()
    explication = Explication(
        entreprise=identifiant,
        groupe=groupe,
        periode=str(lecteur.period),
        faits=_faits(lecteur),
        reference=calcul(lecteur, reference, profondeur, arrets=()),
        options=options,
        motif_de_l_option=_motif_de_l_option(lecteur, options),
        articles=articles,
        autres=autres,
        sans_objet=sans_objet,
        total=calcul(lecteur, total, profondeur, (*SORTIES_COMMUNES, *dict(du_mois + des_autres))),
        montant=total.valeur,
        retenu=du.variable_montant if du and total.valeur > 0 and du.montant == avant else None,
        demande=lecteur.variable(DEMANDE).valeur,
        avant_plafond=avant,
        membres=membres,
        plafond_du_groupe=_plafond_du_groupe(lecteur) if membres > 1 else None,
        reserves=_reserves(lecteur),
        pente=pente(lecteur.simulation, lecteur.rang, lecteur.period) if profondeur else None,
        a_distance=lecteur.variable(A_DISTANCE).valeur,
    )
    if a_changer and articles and not total.valeur:
        ouvertures += _au_premier_euro(lecteur, articles)
    au_plus_juste = (_au_plus_juste(lecteur, articles, un) for un in leviers(explication, ouvertures))
    explication = replace(explication, leviers=sorted(itertools.chain(*au_plus_juste), key=proximite))
    return replace(explication, anterieure=_anterieure(lecteur, explication))


def _au_plus_juste(lecteur, articles, ouverture):
    """Ask of a sum tried at its bound no more than what gives the same aid; list of Ouverture."""
    (changement,) = ouverture.changements
    if changement.sens == NON_COMPTEE:
        return _aux_seuils_des_ventes_a_distance(lecteur, articles, ouverture)
    if changement.sens == DEDUITE and ouverture.aide_si_change is not None:
        return [_a_la_plus_grande_deduite(lecteur, ouverture)]
    return [ouverture]


def _aux_seuils_des_ventes_a_distance(lecteur, articles, ouverture):
    """Ask for the distance sales that first open more, then for those that give as much as all the turnover would."""
    (tout,) = ouverture.changements
    essayee = lecteur.simulation, lecteur.rang, lecteur.period, tout.variable, tout.requis
    premier, aide = premier_seuil(*essayee) or (None, lecteur.variable(AIDE_DU_MOIS).valeur)
    assez, suivi = plus_petite(*essayee, ouverture.aide_si_change), plus_petite(*essayee, aide + UN_CENTIME / 2)
    trouvees = []
    if premier is not None and premier < assez:
        trouvees = _ouvertures(lecteur, articles, [[_a_partir_de(tout, premier)]])
    if suivi is not None and suivi < assez:
        tout = replace(tout, suivi=max(round(suivi - UN_CENTIME, 2), tout.actuel))
    changement = _a_partir_de(tout, assez) if assez < tout.requis else tout
    return [*trouvees, replace(ouverture, changements=[changement])]


def _a_partir_de(changement, requis):
    ecart = round(requis - changement.actuel, 2)
    saisie = replace(changement.saisie, valeur=requis)
    return replace(changement, requis=requis, sens="au moins", ecart=ecart, saisie=saisie)


def _a_la_plus_grande_deduite(lecteur, ouverture):
    """Ask of a deducted sum no more than what gives the same aid: a limit less it may still be above the loss."""
    (changement,) = ouverture.changements
    essayee = lecteur.simulation, lecteur.rang, lecteur.period, changement.variable
    requis = plus_grande(*essayee, ouverture.aide_si_change)
    debut = plus_grande(*essayee, lecteur.variable(AIDE_DU_MOIS).valeur + UN_CENTIME / 2)
    changement = replace(changement, requis=requis, suivi=min(round(debut + UN_CENTIME, 2), changement.actuel))
    if requis and not suit_la_limite(*essayee, requis, ouverture.aide_si_change):
        changement = replace(changement, sens="au plus", ecart=round(changement.actuel - requis, 2))
    return replace(ouverture, changements=[changement])


def _anterieure(lecteur, explication):
    """Give the earlier month nearest to an aid, if the changes told ask for the aid of one; None otherwise."""
    if not any(un.variable == RECUE for memes in conseils(explication) for une in memes for un in une.changements):
        return None
    entreprise, *_ = lecteur.identite()
    voisins = [
        explain(lecteur.simulation, mois, entreprise, autres=False, details=False) for mois in lecteur.mois_sans_aide()
    ]
    dus = [(une, meilleur(une.articles, une.autres)) for une in voisins if not une.demande]
    for une, du in dus:
        if du:
            return Anterieure(une.periode, du=Fait(du.numero, du.montant, EUROS, du.variable_montant))
    proches = [(une, conseils(une)[0]) for une in voisins if conseils(une)]
    if not proches:
        return None
    une, ouvertures = min(proches, key=lambda un: cout(un[1][0].changements))
    return Anterieure(une.periode, ouvertures)


def _au_premier_euro(lecteur, articles):
    """List the rights that the first turnover to give a euro opens, be it at a threshold or not.

    A right open to all losses has none, and a deduction may take all the aid of the loss that opens a right.
    """
    chiffre = plus_grande(lecteur.simulation, lecteur.rang, lecteur.period, CHIFFRE_D_AFFAIRES, 1)
    jeux = [] if chiffre is None else moins_de_chiffre_d_affaires(lecteur, chiffre)
    return _ouvertures(lecteur, articles, jeux)


def _ouvertures(lecteur, articles, jeux):
    """List the Ouverture of sets of changes that no article asks for."""
    return _avec_changements(lecteur, [(article, []) for article in articles], jeux)[1]


def _plafond_du_groupe(lecteur):
    """Say the aids of the month in a group, and their ceiling; None in a month that has none."""
    plafonnees = lecteur.interieur(lecteur.variable(PLAFONNEES))
    if plafonnees is None or plafonnees.operation != "min":
        return None
    aides, plafond = (ecriture.euros(terme.valeur) for terme in plafonnees.termes)
    return f"aides demandées par ses entreprises pour le mois : {aides} ; plafond : {plafond}"


def _reserves(lecteur):
    """Say what contradicts: lockdown out of the days of measures, days of closure without one, an aid not asked for.

    And more distance sales than turnover.
    """
    trouvees = []
    confines, mesures = map(lecteur.variable, (JOURS_CONFINES, JOURS_DE_MESURES))
    if mesures.valeur < confines.valeur and _formule(lecteur, MESURES):
        noms = [f"les {ecriture.minuscule(lecteur.libelle(un))} ({lecteur.ecrire(un)}" for un in (mesures, confines)]
        defaut = ", par défaut" if lecteur.par_defaut(mesures) else ""
        trouvees.append(f"{noms[0]}{defaut}) sont moins nombreux que {noms[1]})")
    jours, interdite = map(lecteur.variable, (JOURS_INTERDITS, INTERDITE))
    if jours.valeur and not interdite.valeur:
        trouvees.append(f"{ecriture.minuscule(lecteur.libelle(interdite))} : non, mais {lecteur.ecrire(jours)} donnés")
    chiffre, a_distance = map(lecteur.variable, (CHIFFRE_D_AFFAIRES, A_DISTANCE))
    if a_distance.valeur > chiffre.valeur:
        trouvees.append(
            f"{ecriture.minuscule(lecteur.libelle(a_distance))} : {lecteur.ecrire(a_distance)}, plus que le chiffre "
            f"d'affaires du mois ({lecteur.ecrire(chiffre)})"
        )
    recue = lecteur.variable(RECUE)
    if recue.valeur and not lecteur.variable(DEMANDE).valeur:
        trouvees.append(f"{ecriture.minuscule(lecteur.libelle(recue))}, sans demande")
    return [f"Sous réserve : {une} ; ce qui en dépend est à revoir." for une in trouvees]


def _faits(lecteur):
    """Figures of the turnover, and the days of closure if more than the text counts."""
    jours = lecteur.variable(JOURS_INTERDITS)
    de_trop = [jours] if jours.valeur > JOURS_COMPTES.get(str(lecteur.period), jours.valeur) else []
    return [lecteur.fait(un) for un in (*map(lecteur.variable, (CHIFFRE_D_AFFAIRES, *SORTIES_COMMUNES)), *de_trop)]


def _pour_elle(lecteur, droits):
    """Set aside the rights of a text that is not for such an enterprise; returns (rights kept, reasons)."""
    en_vigueur = [nom for nom in droits if _formule(lecteur, nom) is not None and DISCOTHEQUE in nom]
    if not en_vigueur or lecteur.variable(DISCOTHEQUE).valeur:
        return droits, []
    texte = lecteur.references(en_vigueur[0])[0].partition(", ")[0]
    gardes = {nom: droit for nom, droit in droits.items() if DISCOTHEQUE not in nom}
    return gardes, [f"{texte} : n'est pas une discothèque"]


def _avec_changements(lecteur, expliques, de_plus):
    """Complete each article that pays nothing with the nearest changes that the model, run again, answers by an aid.

    Args:
        lecteur: Lecteur.
        expliques: list of (Article, sets of Changement to try).
        de_plus: other sets, tried on the aid of the month.

    Returns:
        (list of Article, list of the Ouverture of all the changes that pay more, of the texts that the case speaks of).
    """
    demandes = [
        (article.variable_montant if article.eligible else article.variable, article.variable_montant, jeux)
        for article, jeux in expliques
    ]
    articles = {article.variable_montant: article for article, _ in expliques}
    payeurs = [nom for nom in articles if nom in AU_MAXIMUM_DES_ARTICLES or nom not in AUTRES_DROITS]
    tout = [*demandes, (AIDE_DU_MOIS, AIDE_DU_MOIS, de_plus if payeurs else [])]
    issues = ouvrir(lecteur.simulation, lecteur.rang, lecteur.period, tout, payeurs)
    payantes = [(articles[une.payeur], une) for _, payantes in issues for une in payantes]
    completes = []
    for (article, _), (issue, _) in zip(expliques, issues, strict=False):
        if issue is None or not issue.paie:
            siennes = [une for autre, une in payantes if autre is article]
            issue = min(siennes, key=lambda une: cout(une.changements), default=issue)
        if issue is not None and (issue.paie or not article.montant):
            article = replace(article, **_si_change(issue, articles))
        completes.append(article)
    ouvertures = [
        Ouverture(article.numero, article.variable_montant, article.montant, **_si_change(une, articles))
        for article, une in payantes
        if article.declaree or article.variable_montant not in AUTRES_DROITS
    ]
    return completes, ouvertures


def _si_change(issue, articles):
    """Give what the model answers to changes, as the fields of Article and Ouverture."""
    autre = articles.get(issue.premier) if issue.premier != issue.payeur and issue.payeur != COMPLEMENT else None
    mieux = autre is not None and issue.plus_haut > issue.montant
    return {
        "premier_si_change": Fait(autre.numero, issue.plus_haut, EUROS, issue.premier) if mieux else None,
        "changements": issue.changements,
        "montant_si_change": issue.montant,
        "aide_si_change": None if issue.payeur in AIDES_UNIQUES else issue.aide,
        "gain_si_change": issue.gain,
    }


def _motif_de_l_option(lecteur, options):
    """Say why a reference is kept, of those compared, when it is not because it is the best of the month."""
    if len(options) < 2:
        return None
    if lecteur.variable(OPTION).valeur != OPTION_PAR_DEFAUT:
        return "option donnée par l'entreprise, non choisie d'office"
    comparees = _comparees(lecteur.interieur(lecteur.variable(OPTION_RETENUE)))
    if not any(un.periode == FEVRIER_2019 for un in comparees):
        return None
    dites = " contre ".join(f"{ecriture.minuscule(lecteur.libelle(un))}, {lecteur.ecrire(un)}" for un in comparees)
    egales = ", à égalité le mois de 2019" if len({un.valeur for un in comparees}) == 1 else ""
    convention = f"faute d'option, par convention la plus favorable en février 2021 ({dites}{egales})"
    return f"{convention} ; le texte reprend celle d'une demande antérieure"


def _comparees(expression):
    """Amounts that the first strict comparison of an expression sets against each other."""
    if expression.operation == ">":
        return expression.termes
    return next((trouvees for terme in expression.termes if (trouvees := _comparees(terme))), ())


def payeur(explication):
    """Article and branch that pay, two empty texts when none does."""
    article = explication.payant
    return (numero_court(article.numero), (article.retenue or article).libelle) if article else ("", "")


def numero_court(numero):
    """Shorten the name of another text: « 2020-1049 »."""
    decret = NUMERO_DE_DECRET.search(numero)
    return decret[0] if decret else numero


def articles_du_mois(lecteur):
    """List the ``fds_article_XX`` in force for the month: those whose right has a formula that asks something."""
    droits = [nom for nom in filter(ARTICLE.fullmatch, lecteur.systeme.variables) if _formule(lecteur, nom) is not None]
    formules = {nom: lecteur.interieur(lecteur.variable(nom)) for nom in droits}
    noms = [nom.removesuffix(DROIT) for nom, une in formules.items() if une is None or une.operation != "constante"]
    return sorted(noms, key=lambda nom: [int(nombre) for nombre in re.findall(r"\d+", nom)])


def _formule(lecteur, nom):
    variable = lecteur.systeme.get_variable(nom)
    return variable.get_formula() if variable.definition_period == ETERNITY else variable.get_formula(lecteur.period)


def _article(lecteur, nom_du_montant, nom_du_droit, profondeur, a_changer):
    """Explain an article but for its changes; returns (Article, sets of Changement to try if ``a_changer``)."""
    montant = lecteur.variable(nom_du_montant)
    reference = lecteur.references(nom_du_droit or nom_du_montant)[0]
    decret, cite = _article_cite(reference)
    lecteur = lecteur.pour((decret, cite if decret == DECRET else None))
    droit = lecteur.variable(nom_du_droit) if nom_du_droit else droit_du_montant(lecteur, montant)
    posees = conditions(lecteur, droit) if profondeur else []
    lire = functools.partial(condition, lecteur, numero="1") if profondeur else None
    possibles = branches(lecteur, montant, profondeur, lire=lire, refuse=not droit.valeur)
    article = Article(
        numero=_numero(nom_du_droit, reference),
        variable=droit.nom or montant.nom,
        variable_montant=montant.nom,
        libelle=lecteur.libelle(montant),
        references=lecteur.references(droit.nom or montant.nom),
        eligible=droit.valeur,
        conditions=posees,
        refus=[une.numero for une in refusees(posees)],
        changements=[] if montant.valeur > 0 else None,
        montant=montant.valeur,
        branches=possibles if profondeur or montant.valeur else [],
        calcul=calcul(lecteur, montant, profondeur),
        declaree=_declaree(lecteur, lecteur.references(nom_du_droit or nom_du_montant)),
    )
    return article, _jeux(lecteur, droit, montant) if a_changer else []


def _numero(nom_du_droit, reference):
    """Give the number of an article, as its right is named; the name of another text, as it is cited."""
    if nomme := ARTICLE.fullmatch(nom_du_droit or ""):
        return nomme[1].removeprefix("fds_article_").replace("_", "-")
    decret, cite = _article_cite(reference)
    return cite if decret == DECRET else decret[:1].lower() + decret[1:]


def _jeux(lecteur, droit, montant):
    """List the sets of changes to try: those that open the right, with the request; or a better way of paying.

    Of an article that pays, nobody changes activity.
    """
    manquants = [] if droit.valeur else termes_du_droit(lecteur, droit)
    manquants += [(lecteur, demande) for demande in _demandes(lecteur, droit, montant)]
    if manquants:
        return combinees([propositions(sien, terme) for sien, terme in manquants])
    plus_haut = max(montant.valeur, 0)
    fermees = [voie for voie in voies(lecteur, montant) if not voie.ouverte and voie.montant.valeur > plus_haut]
    jeux = [jeu for voie in fermees for jeu in propositions(lecteur, voie.condition)]
    if montant.valeur > 0:
        poses = choix_poses(lecteur, montant)
        jeux += [jeu for choix in poses for jeu in propositions(lecteur, choix, not choix.valeur)]
        jeux = [jeu for jeu in jeux if not any(un.activite for un in jeu)]
    return proches(jeux)


def _demandes(lecteur, droit, montant):
    """List the requests, not filed, that an amount asks for beside its right."""
    posees = droit_du_montant(lecteur, montant).feuilles("variable")
    return [une for une in posees if une.nom != droit.nom and une.nom.startswith(DEMANDES) and not une.valeur]


def droit_du_montant(lecteur, montant):
    """Right to an amount that no variable holds: the conditions that multiply it."""
    poses, _ = (lecteur.interieur(montant) or montant).facteurs
    return simplifier("et", poses, all(un.valeur for un in poses)) if poses else Expression("constante", valeur=True)


def _declaree(lecteur, references):
    """Tell whether the case gives an input, not a result, that cites the same article of the same text."""
    donnees = map(lecteur.systeme.get_variable, {nom for nom, _ in lecteur.declarees})
    citees = [citee for variable in donnees if not variable.formulas for citee in variable.reference or []]
    return not set(map(_article_cite, references)).isdisjoint(map(_article_cite, citees))


def _article_cite(reference):
    """Decree and number of the article that a reference cites."""
    decret, _, article = reference.partition(", art. ")
    return decret, article.split(",")[0].split(" ")[0]
