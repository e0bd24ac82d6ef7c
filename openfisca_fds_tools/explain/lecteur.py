"""Read the model for one enterprise: formulas followed, names, units, sources."""

import copy
import re
from dataclasses import replace
from datetime import date, timedelta
from functools import cached_property, reduce

from openfisca_core import periods
from openfisca_core.indexed_enums import Enum
from openfisca_core.periods import ETERNITY

from openfisca_fds.codes import Code
from openfisca_fds.periodes import mois_de
from openfisca_fds.references import DECRET
from openfisca_fds_tools import citations
from openfisca_fds_tools.situation import saisies

from . import ecriture
from .data import CONVENTION, Fait, Reference, Saisie, Source
from .essais import CHIFFRE_D_AFFAIRES, PARTIES_DU_CHIFFRE, Essais
from .expression import COMPARAISONS, SANS_OBJET, Expression, simplifier
from .rejeu import lire_formule

MIROIR = {">=": "<=", "<=": ">=", ">": "<", "<": ">", "==": "==", "!=": "!="}
MOTS = {">=": "au moins", ">": "plus de", "<=": "au plus", "<": "moins de", "==": "exactement", "!=": "autre que"}
MOTS_DES_DATES = MOTS | {">=": "à partir du", ">": "après le", "<=": "au plus tard le", "<": "avant le"}
LOGIQUES = {"et", "ou", "non"}
PROFONDEUR_D_UNE_PERTE = 5  # a loss is two or three variables deep
LIBELLES = {"nb_persons": "Nombre d'entreprises du groupe"}
SOURCES_MAXIMALES = 6
PARTIE_D_UN_ARTICLE = re.compile(r"\b(?:I{1,3}|IV|V)\b")
ALINEA = re.compile(r"\d+°(?: bis)?")
ARTICLE_CITE = re.compile(r"art\. (\d+(?:-\d+)?)(?=,| et |$)")
REPOSENT = ("+", "-", "×", "÷", "min", "max", "sum")  # operations that rest on all their amounts
CODES_NOMMES, NOMS_LISIBLES = 8, 160  # codes, characters; beyond, the codes alone, or nothing
DROIT = "_eligible"  # how the law ends the name of a right
REFERENCE_DE, PERTE_DE = "Référence d", "Perte d"  # names of a reference turnover, and of what it loses
TRANCHE = "tranche_creation"
SUPPOSEE = "supposée remplie"
RECUE = "fds_aide_percue"  # asked for several months by one condition: always told with its month
DEMANDES, OPTIONS = "demande_", "option_"  # how it begins those of a request and of a choice
FERMETURES = "_interdite_au_public"  # how it ends that of a closure that the State ordered


class Lecteur:
    """The model seen from one enterprise.

    Args:
        simulation: openfisca-core Simulation.
        rang: row of the enterprise.
        period: month explained (Period); ETERNITY variables are asked for it.
    """

    def __init__(self, simulation, rang, period):
        self.simulation, self.rang, self.period = simulation, rang, period
        self.systeme = simulation.tax_benefit_system
        self.texte, self.supposees = None, frozenset()
        self._lectures, self._interieurs = {}, {}

    def pour(self, texte):
        """Read for one text, whose references come first: (decree, number of its article, None for any)."""
        autre = copy.copy(self)
        autre.texte = texte
        return autre

    def supposer(self, noms):
        """Read what the model would give if some booleans were true for the enterprise this month."""
        essais = Essais(self.simulation, self.rang, 1)
        for nom in noms:
            essais.changer(0, Saisie(nom, str(self.period), True))
        autre = Lecteur(essais.simulation, essais.premiere, self.period).pour(self.texte)
        autre.supposees = frozenset(noms)
        return autre

    # ---- variables ----

    def variable(self, nom):
        """Expression of a variable of the enterprise in the month, computed if need be."""
        variable, resultat = self.systeme.get_variable(nom), self.simulation.calculate(nom, self.period)
        rang = self._rang(variable.entity.key)
        valeur = str(resultat.decode_to_str()[rang]) if variable.value_type == Enum else resultat[rang].item()
        periode = "" if variable.definition_period == ETERNITY else str(self.period)
        return Expression("variable", (), valeur, nom, periode, variable.entity.key)

    def lecture(self, expression):
        """Lecture of a variable's formula, or None for an input; formulas are followed once each."""
        cle = expression.nom, expression.periode
        if cle not in self._lectures:
            periode = periods.period(expression.periode) if expression.periode else self.period
            rang, donnee = self._rang(expression.entite), cle in self.declarees  # even as the formula would give it
            self._lectures[cle] = None if donnee else lire_formule(self.simulation, expression.nom, periode, rang)
        return self._lectures[cle]

    def interieur(self, expression):
        """Give the formula of a variable as an expression; None for an input, or if its value comes from a table."""
        if expression.operation != "variable":
            return expression
        cle = expression.nom, expression.periode
        if cle not in self._interieurs:
            lecture = self.lecture(expression)
            trouvee = None if lecture is None else lecture.expression
            if trouvee is not None:
                en_table = trouvee.operation == "constante" and lecture.variables and trouvee.nom != SANS_OBJET
                trouvee = None if en_table else self._en_vigueur(trouvee)
            self._interieurs[cle] = trouvee
        return self._interieurs[cle]

    def _en_vigueur(self, expression):
        """Drop from a condition the alternatives and the parts that the text of the month does not hold."""
        if expression.operation == "variable":
            if not isinstance(expression.valeur, bool) or self.est_un_fait(expression):
                return expression
            interieur = self.interieur(expression)
            return interieur if interieur is not None and interieur.operation == "constante" else expression
        if expression.operation not in LOGIQUES:
            return expression
        termes = tuple(map(self._en_vigueur, expression.termes))
        if termes == expression.termes:
            return expression
        return simplifier(expression.operation, termes, expression.valeur)

    def est_un_fait(self, expression):
        """Tell whether a yes or no is told as it is: another month's, or what has its own explanation."""
        if expression.operation != "variable" or not isinstance(expression.valeur, bool):
            return False
        return expression.nom.endswith(DROIT) or expression.nom == RECUE or self._est_d_un_autre_mois(expression)

    def resultat(self, expression):
        """Tell whether a yes or no is an aid received, or a right that the model works out."""
        droit = expression.nom.endswith(DROIT) and self.lecture(expression) is not None
        return droit or expression.nom == RECUE or self.calculee(expression)

    def _est_d_un_autre_mois(self, expression):
        return expression.periode not in ("", str(self.period))

    def _rang(self, entite):
        if entite == self.systeme.person_entity.key:
            return self.rang
        return int(self.simulation.populations[entite].members_entity_id[self.rang])

    def difference(self, expression):
        """Terms of the subtraction that an amount is, through variables and the cut at zero; None if it is not one."""
        for _ in range(PROFONDEUR_D_UNE_PERTE):
            if expression is None:
                return None
            if expression.operation == "variable":
                expression = self.interieur(expression)
            elif expression.operation == "max":
                autres = [terme for terme in expression.termes if terme.operation != "constante"]
                expression = autres[0] if len(autres) == 1 else None
            elif expression.operation == "selon":
                expression = self.retenue(expression)
            else:
                break
        return expression.termes if expression is not None and expression.operation == "-" else None

    def est_une_perte(self, expression):
        """Tell whether an amount is a turnover less another one."""
        du_chiffre = (expression.nom or "").startswith(CHIFFRE_D_AFFAIRES)
        termes = None if du_chiffre else self.difference(expression)
        return termes is not None and all(map(est_un_chiffre_d_affaires, termes))

    def identite(self):
        """Id of the enterprise, id of its group, number of enterprises in it."""
        groupe = self.simulation.populations["groupe"].ids[self._rang("groupe")]
        return str(self.simulation.persons.ids[self.rang]), str(groupe), self.membres

    @cached_property
    def membres(self):
        """Number of enterprises in the group."""
        groupes = self.simulation.populations["groupe"].members_entity_id
        return int((groupes == groupes[self.rang]).sum())

    # ---- inputs ----

    @cached_property
    def declarees(self):
        """Set of (variable, period as text) that the case gives for the enterprise or its group."""
        trouvees = set()
        for (nom, periode), (rangs, _) in saisies(self.simulation).items():
            variable = self.systeme.get_variable(nom)
            if (rangs == self._rang(variable.entity.key)).any():
                trouvees.add((nom, "" if variable.definition_period == ETERNITY else str(periode)))
        return trouvees

    def par_defaut(self, expression):
        """Tell whether nobody gave what a value rests on: an input, or all the turnover that an amount is made of.

        A loss rests on two turnovers: one that nobody gave is enough. Of a turnover, distance sales are not looked at.
        """
        if expression.operation == "realise":
            return not any((CHIFFRE_D_AFFAIRES, str(mois)) in self.declarees for mois in mois_realises(expression))
        if expression.operation == "variable":
            if (expression.nom, expression.periode) in self.declarees:
                return False
            if self._est_d_un_autre_mois(expression) and isinstance(expression.valeur, bool):
                lecture = self.lecture(expression)
                return lecture is None or all(map(self.par_defaut, lecture.variables))
            interieur = self.interieur(expression)
            if interieur is None or not isinstance(expression.valeur, float):
                return not self.systeme.get_variable(expression.nom).formulas
            return interieur != expression and self.par_defaut(interieur)
        retenue = self.retenue(expression)
        if retenue.operation == "sum" and self.membres > 1:  # what the other members gave is not looked at
            return False
        if retenue.operation not in REPOSENT:
            return retenue.operation == "variable" and self.par_defaut(retenue)
        montants = retenue.termes[:1] if retenue.operation == "÷" else retenue.termes
        montants = [un for un in montants if _est_donne(un) and not _est_une_partie(un)]
        perte = retenue.operation == "-" and all(map(_est_du_chiffre_d_affaires, montants))
        return bool(montants) and (any if perte else all)(map(self.par_defaut, montants))

    def saisie(self, expression, valeur):
        """Say what to give the model for an expression to take a value: its own variable, or the first that it reads.

        What is read moves by as much as the expression; a territory takes the first code of its list. None when
        nothing that is read can move.
        """
        valeur = en_json(valeur)
        if expression.operation == "realise":
            mois = mois_realises(expression)
            return Saisie(CHIFFRE_D_AFFAIRES, f"month:{mois[0]}:{len(mois)}", valeur)
        interieur = self.interieur(expression) if expression.operation == "variable" else None
        if interieur is not None and interieur.operation == "appartient" and valeur is True:
            codes, liste = interieur.termes
            return Saisie(codes.nom, codes.periode or None, liste.valeur[0])
        if expression.operation == "variable":
            return Saisie(expression.nom, expression.periode or None, valeur)
        lue = next((feuille for feuille in expression.feuilles("variable") if isinstance(feuille.valeur, float)), None)
        if lue is None:
            return None
        return Saisie(lue.nom, lue.periode or None, lue.valeur + valeur - expression.valeur)

    def est_identite(self, nom):
        """Tell whether a variable is what an enterprise is, once for all: no amount, choice or closure.

        So is a yes or no that reads one: given, the sector of a month is still an activity.
        """
        variable = self.systeme.get_variable(nom)
        if nom.startswith((DEMANDES, OPTIONS)) or nom.endswith(FERMETURES):
            return False
        if variable.definition_period == ETERNITY:
            return variable.value_type in (bool, str, date, Enum)
        lus = {lu for formule in variable.formulas.values() for lu in formule.__code__.co_consts if isinstance(lu, str)}
        donnees = [lu for lu in lus if lu in self.systeme.variables and self.systeme.variables[lu].is_input_variable()]
        return variable.value_type is bool and any(map(self.est_identite, donnees))

    def calculee(self, expression):
        """Tell whether a yes or no of another month is worked out by the model, and not read from an input or two."""
        if not self._est_d_un_autre_mois(expression) or (expression.nom, expression.periode) in self.declarees:
            return False
        lecture = self.lecture(expression)
        return lecture is not None and any(self.systeme.get_variable(lue.nom).formulas for lue in lecture.variables)

    def mois_sans_aide(self):
        """List the other months, of which something is given, whose aid was read and the model works out to nothing."""
        lues = [Expression("variable", (), None, nom, mois) for nom, mois in self._lectures if nom == RECUE]
        donnes = {mois for _, mois in self.declarees}
        calculees = [une.periode for une in lues if une.periode in donnes and self.calculee(une)]
        return [mois for mois in calculees if not self.simulation.calculate(RECUE, mois)[self.rang]]

    def autre_valeur(self, expression):
        """Give another value that the variable of an Enum may take."""
        noms = self.systeme.get_variable(expression.nom).possible_values.names
        return next(str(nom) for nom in noms if str(nom) != expression.valeur)

    # ---- names, units, values ----

    def libelle(self, expression):
        """Name what an expression is: the label of its variable in the month, the description of its parameter."""
        if expression.operation == "variable":
            variable = self.systeme.get_variable(expression.nom)
            periode = expression.periode or str(self.period)
            libelle = ecriture.du_mois(variable.label or variable.name, periode)
            mois = ecriture.periode(periode)
            tu = periode == str(self.period) and expression.nom != RECUE
            return libelle if tu or mois in libelle else f"{libelle}, {mois}"
        if expression.operation == "realise":
            return f"Chiffre d'affaires {ecriture.duree(expression.nom)}"
        if expression.operation == "parametre":
            return self.systeme_parametre(expression.nom).description or expression.nom
        if expression.operation in LIBELLES:
            return LIBELLES[expression.operation]
        retenue = self.retenue(expression)
        if retenue.operation in ("variable", "realise"):
            return self.libelle(retenue)
        if retenue.operation == "-":
            avant, apres = (self._multiple(terme) for terme in retenue.termes)
            if avant.startswith(REFERENCE_DE):
                return avant.replace(REFERENCE_DE, PERTE_DE, 1)
            return f"{avant} moins {ecriture.minuscule(apres)}"
        variables = retenue.feuilles("variable") or expression.feuilles("variable")
        return self.libelle(variables[0]) if variables else ecriture.valeur(expression.valeur)

    def _multiple(self, terme):
        """Name a term of a difference, with the number that multiplies it: « 12 × chiffre d'affaires moyen »."""
        nom = ecriture.court(self.libelle(terme))
        fois = [un.valeur for un in terme.termes if not un.feuilles("variable")] if terme.operation == "×" else []
        return f"{ecriture.nombre_court(fois[0])} × {ecriture.minuscule(nom)}" if fois and fois[0] != 1 else nom

    def unite(self, expression):
        """Give the unit of an expression: its own, or that of its first leaf that has one."""
        if expression.operation == "realise":
            return self.systeme.get_variable(CHIFFRE_D_AFFAIRES).unit
        if expression.operation == "variable":
            return self.systeme.get_variable(expression.nom).unit
        if expression.operation == "parametre":
            return (self.systeme_parametre(expression.nom).metadata or {}).get("unit")
        feuilles = expression.feuilles("variable") + expression.feuilles("parametre")
        unites = [unite for unite in map(self.unite, feuilles) if unite]
        return next((unite for unite in unites if unite != "/1"), unites[0] if unites else None)

    def liste(self, codes, liste):
        """Name a list of codes by its description, and by what it holds when that is short."""
        if liste.operation != "parametre":
            return "du texte"
        membres = list(liste.valeur) if len(liste.valeur) <= CODES_NOMMES else []
        noms = ", ".join(self.ecrire(replace(codes, valeur=str(membre))) for membre in membres)
        if len(noms) > NOMS_LISIBLES:
            noms = ", ".join(map(str, membres))
        return f"« {self.libelle(liste)} »" + (f" : {noms}" if noms else "")

    def ecrire(self, expression):
        """Value of an expression, written with its unit; the value of an Enum by its label."""
        if expression.operation == "variable":
            variable = self.systeme.get_variable(expression.nom)
            if variable.value_type == Enum:
                nom = str(variable.possible_values[expression.valeur].value)
                if expression.nom == TRANCHE:
                    return f"{nom} (créée {self._bornes(expression)})"
                return f"{expression.valeur} ({nom})" if isinstance(variable, Code) else nom
        return ecriture.valeur(expression.valeur, self.unite(expression))

    def _bornes(self, tranche):
        """Write the creation dates of a bracket, as the parameters of its month bound it."""
        premiers = self.systeme.get_parameters_at_instant(tranche.periode).fonds_de_solidarite
        premiers = premiers.chiffre_affaires_reference.tranches
        noms = self.systeme.get_variable(tranche.nom).possible_values.names
        debuts = {str(nom): date.fromisoformat(un) for nom in noms if (un := getattr(premiers, str(nom), None))}
        debut = debuts.get(tranche.valeur, date.min)
        suivant = min((un for un in debuts.values() if un > debut), default=None)
        if debut == date.min:
            return f"avant le {ecriture.jour(suivant)}"
        if suivant is None:
            return f"à partir du {ecriture.jour(debut)}"
        return f"du {ecriture.jour(debut)} au {ecriture.jour(suivant - timedelta(days=1))}"

    def fait(self, expression):
        """Named value of a variable."""
        valeur = self.ecrire(expression) if isinstance(expression.valeur, (str, date)) else expression.valeur
        return Fait(
            libelle=self.libelle(expression),
            valeur=SUPPOSEE if expression.nom in self.supposees else valeur,
            unite=self.unite(expression),
            variable=expression.nom,
            periode=expression.periode or None,
            par_defaut=self.par_defaut(expression),
        )

    def references(self, nom, proche=True):
        """List the references of a variable: those to the article explained, else the nearest one if ``proche``."""
        toutes = self.systeme.get_variable(nom).reference or []
        toutes = [texte for texte in (ecriture.en_vigueur(texte, str(self.period)) for texte in toutes) if texte]
        cites = {texte: numero for texte in toutes if (numero := numero_cite(texte))}
        if self.texte is None or not cites:
            return toutes
        decret, article = self.texte
        if article is None:  # another decree cites its own articles
            return [texte for texte in toutes if texte.startswith(decret)]
        exactes = [texte for texte, cite in cites.items() if cite == article and texte.startswith(decret)]
        if exactes or not proche:
            return exactes
        voulu = citations.MONTANTS.get(article, article)  # the one that sets its amount is the nearest
        return [min(cites, key=lambda texte: _ecart_des_numeros(cites[texte], voulu))]

    def sans_texte(self, nom):
        """Tell whether all that a variable cites is of other months."""
        citees = self.systeme.get_variable(nom).reference or []
        return bool(citees) and not any(ecriture.en_vigueur(citee, str(self.period)) for citee in citees)

    # ---- parameters ----

    def systeme_parametre(self, chemin):
        """Parameter of the tree by its dotted path."""
        return reduce(lambda noeud, cle: noeud.children[cle], chemin.split("."), self.systeme.parameters)

    def source(self, expression):
        """Source of a parameter read: the value in force at that instant, as the article explained writes it."""
        parametre = self.systeme_parametre(expression.nom)
        en_vigueur = next((v for v in parametre.values_list if v.instant_str <= expression.periode), None)
        communes = parametre.metadata or {}
        metadonnees = communes | ((en_vigueur.metadata if en_vigueur else None) or {})
        citees = self._citees(citations.references(metadonnees))
        return Source(
            expression.nom,
            parametre.description or expression.nom,
            en_json(expression.valeur),
            communes.get("unit"),
            CONVENTION if communes.get("convention") else citations.confiance(metadonnees, citees),
            [Reference(citee["title"], citee.get("href")) for citee in citees],
        )

    def _citees(self, toutes):
        """Keep the references to the article explained; to the nearest of the month, told as such, if it has none."""
        titres = [ecriture.en_vigueur(citee["title"], str(self.period)) for citee in toutes]
        toutes = [citee | {"title": titre} for citee, titre in zip(toutes, titres, strict=True) if titre]
        du_mois = [citee for citee in toutes if self._est_du_mois(citations.article_cite(citee["title"]))] or toutes
        if self.texte is None:
            return du_mois
        decret, article = self.texte
        siennes = citations.de_l_article(toutes, article, decret)
        if siennes or not du_mois:
            return siennes
        if article is not None:
            ecarts = [_ecart_des_numeros(citations.article_cite(citee["title"])[1], article) for citee in du_mois]
            du_mois = [du_mois[ecarts.index(min(ecarts))]]
        return [citee | {"title": citations.comme_a(citee["title"])} for citee in du_mois]

    def _est_du_mois(self, cite):
        """Tell whether the article cited has a right this month; what has no monthly right always counts."""
        decret, article = cite or (None, None)
        droit = article and self.systeme.get_variable(citations.droit(article))
        return decret != DECRET or droit is None or droit.get_formula(self.period) is not None

    def sources(self, expression):
        """List the sources of a value, through variables that only choose among parameters (a ceiling)."""
        retenue = self.retenue(expression)
        lus = retenue.feuilles("parametre")
        for feuille in retenue.feuilles("variable"):
            interieur = None if isinstance(feuille.valeur, bool) else self.interieur(feuille)
            seuil = None if interieur is None else self.retenue(interieur)
            lus += [] if seuil is None or seuil.feuilles("variable") else seuil.feuilles("parametre")
        parametres = {lu.nom: lu for lu in lus}
        return [self.source(parametre) for parametre in list(parametres.values())[:SOURCES_MAXIMALES]]

    # ---- expressions ----

    def retenue(self, expression):
        """Keep, of every choice, the branch that applies to the enterprise."""
        if expression.operation == "selon":
            return self.retenue(expression.choisie)
        if not expression.termes:
            return expression
        return replace(expression, termes=tuple(self.retenue(terme) for terme in expression.termes))


def _est_donne(expression):
    """Tell whether an amount rests on inputs, and not on parameters and days alone."""
    return expression.operation in ("variable", "realise") or any(map(_est_donne, expression.termes))


def _ecart_des_numeros(un, autre):
    (a, b), (c, d) = ([*map(int, numero.split("-")), 0][:2] for numero in (un, autre))
    return abs(a - c), abs(b - d)


def numero_cite(reference):
    """Give the number of the article that a reference cites; None if it cites none."""
    trouve = ARTICLE_CITE.search(reference)
    return trouve and trouve[1]


def citant(references, motif, parties):
    """Keep the references that cite one of the parts of a kind (``motif``), or none of that kind."""
    connues = set(filter(motif.fullmatch, parties))
    if not connues:
        return references
    return [texte for texte in references if not motif.search(texte) or connues & set(motif.findall(texte))]


def parties_citees(references):
    """Parts of an article (I, II, 1°…) that references cite."""
    motifs = PARTIE_D_UN_ARTICLE, ALINEA
    return frozenset(partie for texte in references for motif in motifs for partie in motif.findall(texte))


def mois_realises(expression):
    """List the months of a turnover (operation ``realise``)."""
    debut, fin = (periods.period(mois) for mois in expression.nom.split("/"))
    return mois_de(debut, fin)


def est_un_chiffre_d_affaires(expression):
    """Tell whether an expression is turnover: of months, or of a variable named so."""
    return expression.operation == "realise" or CHIFFRE_D_AFFAIRES in (expression.nom or "")


def _est_une_partie(expression):
    """Tell whether an amount is but a part of a turnover, that nobody gives when there is none."""
    lues = [feuille.nom for feuille in expression.feuilles("variable")]
    return expression.operation != "variable" and bool(lues) and set(lues) <= set(PARTIES_DU_CHIFFRE)


def _est_du_chiffre_d_affaires(expression):
    """Tell whether all the inputs of an amount are turnover: « turnover less the distance sales »."""
    donnes = list(filter(_est_donne, expression.termes))
    return all(map(_est_du_chiffre_d_affaires, donnes)) if donnes else est_un_chiffre_d_affaires(expression)


def est_comparaison(expression):
    """Tell whether an expression sets a value against a threshold or a list."""
    return expression.operation in COMPARAISONS or expression.operation in ("au_moins", "appartient")


def orienter(expression):
    """Left, symbol and right of a comparison, the value of the enterprise on the left."""
    gauche, droite = expression.termes
    if not gauche.feuilles("variable") and droite.feuilles("variable"):
        return droite, MIROIR[expression.operation], gauche
    return gauche, expression.operation, droite


def mot(symbole, seuil):
    """Give the French word of a comparison, « au moins », « avant le » and so on."""
    return (MOTS_DES_DATES if isinstance(seuil, date) else MOTS)[symbole]


def en_json(valeur):
    """Bring a value to what JSON holds: dates as ISO text."""
    return valeur.isoformat() if isinstance(valeur, date) else valeur
