"""From the formula of an amount to its calculation in figures, and to the branches that an article compares."""

from dataclasses import dataclass, replace

from openfisca_core import periods

from . import ecriture
from .data import Branche, Calcul
from .essais import CHIFFRE_D_AFFAIRES, JOUR
from .expression import Expression
from .lecteur import PARTIE_D_UN_ARTICLE, citant, mois_realises, parties_citees

# Shown once for the month, not again under each amount.
SORTIES_COMMUNES = ("chiffre_affaires_reference", "perte_chiffre_affaires", "taux_perte_chiffre_affaires")
PROFONDEUR = 6
CONSTATS_MAXIMAUX = 3
NEUTRES = {"+": 0, "-": 0, "×": 1, "÷": 1}
DATE_CREATION, PAR_DEFAUT = "date_creation", "par défaut"
TERMES_ECRITS = 6  # beyond, a sum is told by its number of terms
JOINTURES = {"+": " + ", "-": " − ", "×": " × ", "÷": " ÷ ", "min": ", dans la limite de "}


def calcul(lecteur, expression, profondeur=PROFONDEUR, arrets=SORTIES_COMMUNES):
    """Explain an amount, usually a variable, ``profondeur`` variables deep.

    The ``etapes`` of the Calcul are the amounts that the formula uses and that have a formula themselves, but for
    ``arrets``, variables told elsewhere.
    """
    est_variable = expression.operation == "variable"
    interieur = lecteur.interieur(expression)
    retenue = None if interieur is None else utile(lecteur.retenue(interieur))
    feuilles = _montants(retenue) if retenue is not None and profondeur else []
    formule = _donnee(lecteur, expression) if retenue is None else _formule_utile(lecteur, retenue)
    return Calcul(
        variable=expression.nom,
        libelle=lecteur.libelle(expression),
        valeur=expression.valeur,
        unite=lecteur.unite(expression),
        formule=formule,
        references=lecteur.references(expression.nom) if est_variable else [],
        sources=_sources(lecteur, interieur, retenue) if retenue else [],
        constats=[un for un in _constats(lecteur, expression, interieur) if not _est_dit(un, formule)],
        etapes=[
            calcul(lecteur, feuille, profondeur - 1, arrets)
            for feuille in feuilles
            if feuille.nom not in arrets and lecteur.interieur(feuille) is not None
        ],
        reserve=mois_tus(lecteur, expression).removeprefix(", ")
        or (PAR_DEFAUT if lecteur.par_defaut(expression) else None),
    )


def _sources(lecteur, interieur, retenue):
    """List the parameters of a formula, those of the thresholds that chose the rule included (« au moins 70 % »)."""
    lus = retenue.feuilles("parametre") + _seuils_des_choix(interieur)
    lus += [seuil for fait in choix(interieur, tous=True) for seuil in _seuils_du_fait(lecteur, fait)]
    return [lecteur.source(parametre) for parametre in {parametre.nom: parametre for parametre in lus}.values()]


def _seuils_du_fait(lecteur, fait, profondeur=PROFONDEUR):
    """List the parameters that a yes or a no rests on, through those that it is made of."""
    interieur = lecteur.interieur(fait) if isinstance(fait.valeur, bool) and not lecteur.est_un_fait(fait) else None
    lus = []
    for part in _decisives(lecteur.retenue(interieur)) if interieur not in (None, fait) and profondeur else []:
        lus += part.feuilles("parametre")
        lus += [lu for un in part.feuilles("variable") for lu in _seuils_du_fait(lecteur, un, profondeur - 1)]
    return lus


def _decisives(expression):
    """List the parts that decide a yes or a no: the false ones of a false « et », the true ones of a true « ou »."""
    if expression.operation not in ("et", "ou", "non"):
        return [expression]
    tous = expression.operation == "non" or expression.valeur == (expression.operation == "et")
    return [part for un in expression.termes if tous or un.valeur == expression.valeur for part in _decisives(un)]


def _seuils_des_choix(expression):
    """List the numbers and dates that a choice compares in place, in the branches that apply: bounds of brackets."""
    lus = [seuil for un in _choix_poses(expression) for seuil in un.termes[0].feuilles("parametre")]
    return [seuil for seuil in lus if not isinstance(seuil.valeur, list)]


def _constats(lecteur, expression, interieur):
    """List what decided the rule: the facts that a choice rests on, and the names that a table was read by."""
    if interieur is None or expression.operation != "variable":
        return []
    lecture = lecteur.lecture(expression)
    suivies = interieur.feuilles("variable")
    noms = [lue for lue in lecture.variables if isinstance(lue.valeur, str) and lue not in suivies] if lecture else []
    decisifs = {(fait.nom, fait.periode): fait for fait in (*choix(interieur), *noms, *_tus(lecteur, interieur))}
    return [lecteur.fait(fait) for fait in list(decisifs.values())[:CONSTATS_MAXIMAUX]]


def _est_dit(fait, formule):
    """Tell whether a formula in figures has already given an amount."""
    return isinstance(fait.valeur, float) and f"({ecriture.minuscule(ecriture.court(fait.libelle))}" in formule


def _tus(lecteur, interieur):
    """List the null amounts, given or not, that a subtraction would not show."""
    retenue = lecteur.retenue(interieur)
    if lecteur.difference(retenue) is None:
        return []
    return [un for un in retenue.feuilles("variable") if un.valeur == 0.0 and lecteur.interieur(un) is None]


def choix(expression, tous=False):
    """Give the variables that the choices of an expression rest on, in the branches that apply.

    Those between two equal values decide nothing: they are left out, unless ``tous``.
    """
    return [
        fait
        for condition, oui, non in (un.termes for un in _choix_poses(expression))
        if tous or oui.valeur != non.valeur
        for fait in condition.feuilles("variable")
    ]


def _choix_poses(expression):
    """List the choices (``selon``) of an expression, in the branches that apply, the outermost first."""
    if expression.operation == "selon":
        return [expression, *_choix_poses(expression.choisie)]
    return [un for terme in expression.termes for un in _choix_poses(terme)]


def utile(expression):
    """Keep of an amount what gives its value: not the products brought to zero, not the zeros beside a maximum."""
    if expression.operation == "max":
        positifs = [terme for terme in expression.termes if isinstance(terme.valeur, (int, float)) and terme.valeur > 0]
        termes = tuple(utile(terme) for terme in positifs or expression.termes)
        return replace(expression, termes=termes)
    if not expression.termes or _nul(expression):
        return expression
    termes = _sans_neutres(expression.operation, tuple(utile(terme) for terme in expression.termes))
    return termes[0] if len(termes) == 1 < len(expression.termes) else replace(expression, termes=termes)


def _sans_neutres(operation, termes):
    """Drop the terms that change nothing: a null one of a sum, a factor of one; what is reduced or divided stays.

    Days stay too: « ÷ 1 jour ».
    """
    neutre, premier = NEUTRES.get(operation), operation in "-÷"
    gardes = [t for t in termes[premier:] if isinstance(t.valeur, bool) or t.valeur != neutre or t.operation == "jours"]
    return (*termes[:premier], *gardes) or termes[:1]


def _nul(expression):
    """Tell whether a product is brought to zero by a condition that is not met."""
    return expression.operation == "×" and any(terme.valeur is False for terme in expression.termes)


def _montants(expression):
    if _nul(expression) or isinstance(expression.valeur, bool):
        return []
    if expression.operation == "variable":
        return [expression] if isinstance(expression.valeur, float) else []
    trouves = {}
    for terme in expression.termes:
        trouves.update({(feuille.nom, feuille.periode): feuille for feuille in _montants(terme)})
    return list(trouves.values())


def _donnee(lecteur, expression):
    lecture = lecteur.lecture(expression) if expression.operation == "variable" else None
    if lecture is None:
        return PAR_DEFAUT if lecteur.par_defaut(expression) else "valeur donnée"
    lues = [
        f"{ecriture.minuscule(lecteur.libelle(lue))} : {lecteur.ecrire(lue)}"
        for lue in lecture.variables[:TERMES_ECRITS]
    ]
    return "selon " + " ; ".join(lues) if lues else "règle du mois"


def _formule_utile(lecteur, expression):
    """Write the formula, or nothing when it only passes on an amount that is told next."""
    seul = expression
    while seul.operation in ("max", "×") and not _nul(seul):
        utiles = [t for t in seul.termes if not isinstance(t.valeur, bool) and t.operation != "constante"]
        if len(utiles) != 1 or utiles[0].valeur != seul.valeur:
            break
        seul = utiles[0]
    if seul.operation != "variable":
        return formule(lecteur, expression)
    if lecteur.interieur(seul) is None:
        return _donnee(lecteur, seul) if lecteur.lecture(seul) else _nom_dans_la_phrase(lecteur, seul)
    return formule(lecteur, seul) if seul.nom in SORTIES_COMMUNES else ""


def formule(lecteur, expression):
    """Write a formula in figures, names in brackets: « 20 % × 20 000,00 € (chiffre d'affaires de référence) »."""
    operation, termes = expression.operation, expression.termes
    if operation == "variable":
        defaut = ", par défaut" if lecteur.par_defaut(expression) else ""
        return f"{lecteur.ecrire(expression)} ({ecriture.court(_nom_dans_la_phrase(lecteur, expression))}{defaut})"
    if operation in ("parametre", "constante"):
        return ecriture.valeur(expression.valeur, lecteur.unite(expression) if operation == "parametre" else None)
    if operation == "max":
        return _maximum(lecteur, expression)
    if operation == "×":
        return _produit(lecteur, expression)
    if operation == "abs":
        return f"valeur absolue de {formule(lecteur, termes[0])}"
    if operation == "sum":
        return f"somme, pour les entreprises du groupe, de : {_nom_dans_la_phrase(lecteur, termes[0])}"
    if operation == "realise":
        return f"{ecriture.euros(expression.valeur)} ({ecriture.duree(expression.nom)}{mois_tus(lecteur, expression)})"
    if operation == "duree":
        return _duree(expression)
    if operation == "jours":
        return ecriture.valeur(expression.valeur, JOUR)
    valeur = ecriture.valeur(expression.valeur, lecteur.unite(expression))
    if operation == "+" and len(termes) > TERMES_ECRITS:
        return f"somme de {len(termes)} termes : {valeur}"
    if operation in JOINTURES:
        return _joints(lecteur, JOINTURES[operation], termes)
    lues = ", ".join(_nom_dans_la_phrase(lecteur, une) for une in expression.feuilles("variable")[:TERMES_ECRITS])
    return f"{valeur} (d'après {lues})" if lues else valeur


def mois_tus(lecteur, expression):
    """Say of a turnover how many of its months nobody gave, when some are given; nothing of that of the month.

    Those before the creation are not missing.
    """
    creation = lecteur.variable(DATE_CREATION).valeur
    realises = {un for realise in _realises(lecteur, expression) for un in mois_realises(realise)}
    mois = {str(un) for un in realises if un.stop.date >= creation}
    tus = len([un for un in mois if (CHIFFRE_D_AFFAIRES, un) not in lecteur.declarees])
    return f", {tus} mois non donné{'s' if tus > 1 else ''}" if 0 < tus < len(mois) else ""


def _realises(lecteur, expression, profondeur=PROFONDEUR):
    """List the turnovers of several months that an amount rests on, but for what is told once for the month."""
    if expression.operation == "realise":
        return [expression]
    if expression.operation == "variable":
        dite = not profondeur or expression.nom in SORTIES_COMMUNES or not isinstance(expression.valeur, float)
        interieur = None if dite else lecteur.interieur(expression)
        return [] if interieur in (None, expression) else _realises(lecteur, interieur, profondeur - 1)
    retenue = lecteur.retenue(expression)
    termes = retenue.termes or ([retenue] if retenue != expression else [])
    return [un for terme in termes for un in _realises(lecteur, terme, profondeur)]


def mois_a_donner(lecteur, expression):
    """List the months, not before the creation, whose turnover an amount rests on."""
    creation = lecteur.variable(DATE_CREATION).valeur
    return [un for un in _mois_lus(lecteur, expression) if un.stop.date >= creation]


def _mois_lus(lecteur, expression, profondeur=PROFONDEUR):
    if expression.operation == "realise":
        return mois_realises(expression)
    if expression.operation == "variable" and expression.nom == CHIFFRE_D_AFFAIRES:
        return [periods.period(expression.periode)]
    if expression.operation == "variable":
        interieur = lecteur.interieur(expression) if profondeur and isinstance(expression.valeur, float) else None
        return [] if interieur in (None, expression) else _mois_lus(lecteur, interieur, profondeur - 1)
    retenue = lecteur.retenue(expression)
    termes = retenue.termes or ([retenue] if retenue != expression else [])
    return [un for terme in termes for un in _mois_lus(lecteur, terme, profondeur)]


def _duree(expression):
    """Write months of existence: « 3 mois », or « (1/31 + 1 mois) » when the first one is not whole."""
    premier, *suivants = mois_realises(expression)
    part = expression.valeur - len(suivants)
    if part == 1:
        return f"{ecriture.nombre_court(expression.valeur)} mois"
    jours = premier.size_in_days
    return f"({round(part * jours)}/{jours}" + (f" + {len(suivants)} mois)" if suivants else " mois)")


def _protegee(lecteur, terme):
    texte = formule(lecteur, terme)
    return f"({texte})" if terme.operation in ("+", "-", "min", "max") else texte


def _joints(lecteur, jointure, termes):
    return jointure.join(_protegee(lecteur, terme) for terme in termes)


def _nom_dans_la_phrase(lecteur, expression):
    return ecriture.minuscule(lecteur.libelle(expression))


def _maximum(lecteur, expression):
    """Write the greater of several amounts; the cut at zero is only said when it cuts."""
    montants = [terme for terme in expression.termes if not (terme.operation == "constante" and terme.valeur == 0)]
    if len(montants) == 1:
        texte = formule(lecteur, montants[0])
        return texte if montants[0].valeur >= 0 else f"{texte}, soit 0 (jamais négatif)"
    *premiers, dernier = montants
    return f"le plus élevé de {_joints(lecteur, ', de ', premiers)} et de {_protegee(lecteur, dernier)}"


def _produit(lecteur, expression):
    """Write a product; a condition among the factors is only said when it brings the product to zero."""
    conditions, montants = expression.facteurs
    if _nul(expression):
        fausses = [un for terme in conditions if not terme.valeur for un in _manquantes(terme)]
        noms = ", ".join(_nom_dans_la_phrase(lecteur, terme) for terme in fausses)
        return f"{ecriture.euros(0)} (condition non remplie : {noms})"
    return formule(lecteur, montants[0]) if len(montants) == 1 else _joints(lecteur, JOINTURES["×"], montants)


def _manquantes(condition):
    """Parts of a condition that miss; itself when it is not a conjunction."""
    return [terme for terme in condition.termes if not terme.valeur] if condition.operation == "et" else [condition]


# ---- branches ----


@dataclass(frozen=True)
class Voie:
    """A way of paying, as Expressions: its condition (None for an option) and its amount."""

    libelle: str
    condition: Expression | None
    montant: Expression

    @property
    def ouverte(self):
        """Tell whether the condition is met."""
        return self.condition is None or self.condition.valeur


def branches(lecteur, montant, profondeur=PROFONDEUR, arrets=SORTIES_COMMUNES, lire=None, refuse=False):
    """List the ways of paying that an article compares, or chooses among, in the order of its formula; at least one.

    The first of the highest open ones is applied.

    Args:
        lecteur: Lecteur.
        montant: Expression of the variable that holds the article's amount.
        profondeur: how many variables deep each amount is explained.
        arrets: names of variables where no choice is looked for.
        lire: function giving the Condition of an Expression, for the way that is applied and those, closed, that would
            pay more.
        refuse: the article is refused: read the conditions of all its ways.
    """
    possibles = voies(lecteur, montant, arrets) or [_seule(lecteur, montant)]
    ouvertes = [voie for voie in possibles if voie.ouverte]
    meilleure = max(ouvertes, key=lambda voie: voie.montant.valeur, default=None)
    plus_haut = meilleure.montant.valeur if meilleure else 0
    trouvees = []
    for voie in possibles:
        euros = voie.montant.valeur
        detail = _du_regime(lecteur, calcul(lecteur, voie.montant, profondeur), voie.condition)
        detail = detail if detail.variable else replace(detail, libelle=voie.libelle)
        condition = voie.condition and _condition_en_mots(lecteur, voie.condition)
        close = not voie.ouverte and (euros > plus_haut or voie.condition.operation == "non")
        lue = voie.condition and lire and (refuse or voie is meilleure or close)
        posee = {"exigence" if voie.ouverte else "obstacle": lire(voie.condition)} if lue else {}
        retenue = voie is meilleure and euros > 0
        trouvees.append(Branche(voie.libelle, condition, voie.ouverte, euros, retenue, detail, **posee))
    return trouvees


def _du_regime(lecteur, detail, condition):
    """Keep, of what an amount that several parts of an article set cites, the part that its regime cites (I, II)."""
    nomme = condition is not None and condition.operation == "variable"
    parties = parties_citees(lecteur.references(condition.nom, proche=False)) if nomme else ()
    sources = []
    for source in detail.sources:
        titres = [citee.titre for citee in source.references]
        titres = citant(titres, PARTIE_D_UN_ARTICLE, parties) or titres
        sources.append(replace(source, references=[une for une in source.references if une.titre in titres]))
    citees = citant(detail.references, PARTIE_D_UN_ARTICLE, parties) or detail.references  # right in I, amount in II
    return replace(detail, references=citees, sources=sources)


def _condition_en_mots(lecteur, condition):
    return _nom(lecteur, condition) + (" : non" if condition.operation == "non" else "")


def _seule(lecteur, montant):
    """Give the only branch of an article that compares nothing: its amount, whatever its conditions."""
    _, montants = (lecteur.interieur(montant) or montant).facteurs
    brut = montants[0] if len(montants) == 1 else montant
    return Voie(lecteur.libelle(brut if brut.operation == "variable" else montant), None, brut)


def voies(lecteur, expression, arrets=SORTIES_COMMUNES, profondeur=PROFONDEUR):
    """List the Voie of the first choice found on the way down an amount; none if it chooses nothing."""
    if expression.operation == "variable":
        if not profondeur or expression.nom in arrets:
            return []
        interieur = lecteur.interieur(expression)
        return [] if interieur is None else voies(lecteur, interieur, arrets, profondeur - 1)
    if expression.operation == "max":
        trouvees = [voie for terme in expression.termes if (voie := _voie(lecteur, terme, arrets))]
        if len(trouvees) > 1:
            return trouvees
    if expression.operation == "selon":
        choix, oui, non = expression.termes
        if _est_montant(oui, arrets) and _est_montant(non, arrets):
            contraire = Expression("non", (choix,), not choix.valeur)
            return [Voie(lecteur.libelle(oui), choix, oui), Voie(lecteur.libelle(non), contraire, non)]
        return voies(lecteur, lecteur.retenue(expression), arrets, profondeur)
    for terme in expression.termes:
        if isinstance(terme.valeur, float) and (trouvees := voies(lecteur, terme, arrets, profondeur)):
            return trouvees
    return []


def choix_poses(lecteur, expression, profondeur=PROFONDEUR, vues=None):
    """List the conditions of all the choices met on the way down an amount, in every way of paying, applied or not.

    The turnover figures of the month are left out.
    """
    vues = set() if vues is None else vues
    if expression.operation == "variable":
        deja = (expression.nom, expression.periode) in vues
        vues.add((expression.nom, expression.periode))
        interieur = (
            None if deja or not profondeur or expression.nom in SORTIES_COMMUNES else lecteur.interieur(expression)
        )
        return [] if interieur in (None, expression) else choix_poses(lecteur, interieur, profondeur - 1, vues)
    poses = [terme for terme in expression.termes if isinstance(terme.valeur, bool)]
    montants = [terme for terme in expression.termes if not isinstance(terme.valeur, bool)]
    return poses + [un for montant in montants for un in choix_poses(lecteur, montant, profondeur, vues)]


def _voie(lecteur, terme, arrets):
    if _est_montant(terme, arrets):
        return Voie(lecteur.libelle(terme), None, terme)
    conditions, montants = terme.facteurs
    if len(conditions) != 1 or len(montants) != 1:
        return None
    return Voie(_nom(lecteur, conditions[0]), conditions[0], montants[0])


def _est_montant(terme, arrets):
    """Tell whether a term is an amount of aid, named so by the law; without ``arrets``, any amount."""
    return terme.operation == "variable" and isinstance(terme.valeur, float) and (not arrets or "montant" in terme.nom)


def _nom(lecteur, condition):
    variables = condition.feuilles("variable")
    return lecteur.libelle(condition if condition.operation == "variable" or not variables else variables[0])
