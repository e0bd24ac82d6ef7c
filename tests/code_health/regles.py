"""The conventions of the house, as functions: each takes what it judges and returns a list of faults, one line each.

The tests of this folder apply them to the law and, broken on purpose, to samples.
"""

import ast
import datetime
import re
import sys

import numpy
from openfisca_core.indexed_enums import Enum
from openfisca_core.parameters import Parameter, ParameterNode

# ---- words ----

NOM = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
MOTS_ANGLAIS = re.compile(
    r"(?<![a-z])(aids?|allowance|amounts?|business|cap|ceiling|claim|closed|closure|company|count|days?|due|eligibility|"
    r"employees?|enterprise|entitled|fee|firm|floor|gross|group|headcount|income|is|jobs|limit|loss|losses|manager|month|"
    r"monthly|of|paid|payment|profit|rates?|received|revenue|sector|shop|tax|the|threshold|turnover|with|without|"
    r"workers?|years?|yearly)(?![a-z])"
)
MOTS_ANGLAIS_DES_PHRASES = re.compile(
    r"\b(the|of|and|is|are|with|without|aid|amount|loss|turnover|month|eligible for|enterprise|group's)\b"
)

UNITES_DES_VARIABLES = {"currency-EUR", "/1", "salarié", "jour", "m²", "personne"}
UNITES_DES_PARAMETRES = UNITES_DES_VARIABLES | {
    "booléen",
    "date",
    "mois",
    "liste_de_codes_naf",
    "liste_de_departements",
    "prefixe_de_codes_naf",
    "classe",
}
TEXTE_CITE = re.compile(r"(Décret|Code|Loi|Ordonnance|Règlement|Conseil d'État|CAA|TA) ")
ENTIERS_SANS_UNITE = {
    "densite_commune": "rang d'une grille",
    "nombre_associes": "compte de personnes",
    "nombre_conjoints_collaborateurs": "compte de personnes",
}


# ---- variables ----


def fautes_de_nom(nom):
    """Judge a name: snake_case, ASCII, French."""
    if not NOM.fullmatch(nom):
        return [f"{nom} : nom hors de snake_case ASCII"]
    anglais = MOTS_ANGLAIS.search(nom)
    return [f"{nom} : mot anglais « {anglais[1]} »"] if anglais else []


def fautes_de_texte(ou, texte):
    """Judge a label or a description: a French phrase that says something, without final period nor edge spaces."""
    if not isinstance(texte, str) or len(texte.strip()) < 5:
        return [f"{ou} : libellé absent ou trop court"]
    fautes = []
    if texte != texte.strip() or "  " in texte or "\n" in texte.strip():
        fautes.append(f"{ou} : libellé mal espacé")
    if texte.rstrip().endswith("."):
        fautes.append(f"{ou} : libellé terminé par un point")
    if texte[0].islower():
        fautes.append(f"{ou} : libellé sans majuscule")
    if MOTS_ANGLAIS_DES_PHRASES.search(texte):
        fautes.append(f"{ou} : libellé en anglais")
    return fautes


def fautes_de_reference(ou, reference):
    """Judge a variable's reference: a non-empty list of strings, each a title or an URL, never both glued."""
    if not isinstance(reference, list) or not reference:
        return [f"{ou} : sans référence"]
    fautes = []
    for texte in reference:
        if not isinstance(texte, str) or len(texte.strip()) < 8:
            fautes.append(f"{ou} : référence {texte!r} vide ou non textuelle")
        elif re.search(r"https?:", texte) and not re.fullmatch(r"https?://\S+", texte):
            fautes.append(f"{ou} : titre et adresse collés dans {texte!r}")
        elif "http" not in texte and not TEXTE_CITE.match(texte):
            fautes.append(f"{ou} : référence {texte!r} qui ne nomme aucun texte")
    if len(set(map(str, reference))) < len(reference):
        fautes.append(f"{ou} : référence répétée")
    return fautes


def fautes_de_variable(variable):
    """Judge all that a variable's attributes must say."""
    nom = variable.name
    fautes = fautes_de_nom(nom) + fautes_de_texte(nom, variable.label) + fautes_de_reference(nom, variable.reference)
    if variable.value_type is float and variable.dtype != numpy.float64:
        fautes.append(f"{nom} : réel stocké en {variable.dtype}, non en float64")
    if variable.value_type is float and variable.unit is None:
        fautes.append(f"{nom} : réel sans unité")
    if variable.value_type is int and variable.unit is None and nom not in ENTIERS_SANS_UNITE:
        fautes.append(f"{nom} : entier sans unité")
    if variable.unit is not None and variable.unit not in UNITES_DES_VARIABLES:
        fautes.append(f"{nom} : unité {variable.unit!r} inconnue")
    if variable.value_type in (bool, Enum, datetime.date) and variable.unit is not None:
        fautes.append(f"{nom} : unité sur ce qui n'est pas un nombre")
    return fautes


# ---- parameters ----

DECRET = re.compile(r"20\d\d-\d+")
CONFIANCES = {"T", "S", "M"}
# Sub-trees whose values are not set by a decree of the fund; the reason.
SANS_DECRET = {
    "fonds_de_solidarite.plafonds.europeen": "décisions de la Commission européenne",
    "fonds_de_solidarite.territoires.jours_etat_urgence_sanitaire": "actes de l'état d'urgence, cités en référence",
}


def feuilles(noeud):
    """List the leaves of a parameter tree."""
    return [feuille for feuille in noeud.get_descendants() if isinstance(feuille, Parameter)]


def fautes_de_noeud(noeud):
    """Judge a folder or a heading: it has a description."""
    if not isinstance(noeud, ParameterNode):
        return []
    nom = noeud.name.rpartition(".")[2]
    return fautes_de_texte(noeud.name, noeud.description) + fautes_de_nom(nom)


def fautes_de_parametre(parametre):
    """Judge a leaf: description, unit, and for each dated value its reference, confidence, decree, date in force."""
    ou = parametre.name
    fautes = fautes_de_texte(ou, parametre.description) + fautes_de_nom(ou.rpartition(".")[2])
    unite = parametre.metadata.get("unit")
    if unite not in UNITES_DES_PARAMETRES:
        fautes.append(f"{ou} : unité {unite!r} absente ou inconnue")
    for valeur in parametre.values_list:
        fautes += fautes_de_valeur(f"{ou}@{valeur.instant_str}", valeur, unite)
    return fautes


def fautes_de_valeur(ou, valeur, unite):
    """Judge what one dated value must say; an absent value (null) closes a period and says so too."""
    fautes = []
    metadonnees = valeur.metadata
    if not valeur.instant_str.endswith("-01"):
        fautes.append(f"{ou} : datée d'un autre jour que le premier du mois")
    if metadonnees.get("confiance") not in CONFIANCES:
        fautes.append(f"{ou} : confiance {metadonnees.get('confiance')!r}, non T, S ou M")
    fautes += fautes_de_reference_de_parametre(ou, metadonnees.get("reference"))
    if not any(ou.startswith(f"{prefixe}.") for prefixe in SANS_DECRET):
        if not DECRET.fullmatch(str(metadonnees.get("decret"))):
            fautes.append(f"{ou} : décret {metadonnees.get('decret')!r}")
        if not _est_une_date(metadonnees.get("en_vigueur")):
            fautes.append(f"{ou} : en_vigueur {metadonnees.get('en_vigueur')!r}")
    return fautes + fautes_de_type(ou, valeur.value, unite)


def fautes_de_reference_de_parametre(ou, reference):
    """Judge a parameter's reference: a list of {title, href}, some with their own confiance."""
    if not isinstance(reference, list) or not reference:
        return [f"{ou} : sans référence propre"]
    fautes = []
    for element in reference:
        if not isinstance(element, dict) or set(element) - {"confiance"} != {"title", "href"}:
            fautes.append(f"{ou} : référence {element!r} sans title et href")
        elif element.get("confiance", "T") not in CONFIANCES:
            fautes.append(f"{ou} : confiance {element['confiance']!r} dans {element!r}")
        elif not re.fullmatch(r"https?://\S+", str(element["href"])) or "http" in str(element["title"]):
            fautes.append(f"{ou} : titre ou adresse mal écrits dans {element!r}")
        elif len(str(element["title"])) < 8:
            fautes.append(f"{ou} : titre vide")
    return fautes


def fautes_de_type(ou, valeur, unite):
    """Judge a value: it is of the kind that the unit names."""
    attendus = {
        "booléen": lambda v: isinstance(v, bool),
        "date": _est_une_date,
        "/1": lambda v: _est_un_nombre(v) and v >= 0,
        "currency-EUR": _est_un_nombre,
        "jour": lambda v: isinstance(v, int) and not isinstance(v, bool),
        "liste_de_codes_naf": lambda v: isinstance(v, list) and all(re.fullmatch(r"\d\d\.\d\d[A-Z]", c) for c in v),
        "liste_de_departements": lambda v: isinstance(v, list) and all(re.fullmatch(r"\d[\dAB]|\d{3}", c) for c in v),
    }
    juge = attendus.get(unite)
    if valeur is not None and juge and not juge(valeur):
        return [f"{ou} : valeur {valeur!r} qui n'est pas de l'unité {unite}"]
    return []


def _est_un_nombre(valeur):
    return isinstance(valeur, (int, float)) and not isinstance(valeur, bool)


def _est_une_date(valeur):
    try:
        datetime.date.fromisoformat(str(valeur))
    except ValueError:
        return False
    return True


# ---- formulas, read as syntax trees ----

LIGNES_MAXIMALES = 25
NOM_DE_FORMULE = re.compile(r"formula(_\d{4}_(0[1-9]|1[0-2]))?")
DATE_ECRITE = re.compile(r"\d{4}-\d\d(-\d\d)?|\d{4}")
CODE_ECRIT = re.compile(r"\d\d\.\d\d[A-Z]|9[78]\d|\d\d|2[AB]")
ATTRIBUTS_PERMIS = {"end", "FIN", "default_value"}  # dates of the class, not of a formula
POPULATIONS = {"entreprise", "groupe"}
METHODES_LENTES = {"max", "min", "all", "get_rank", "value_nth_person", "value_from_first_person", "first_person"}
OBJETS_LENTS = {"vectorize", "frompyfunc", "apply_along_axis", "tolist", "object", "object_"}


def fautes_de_source(chemin, texte):
    """Apply all the rules that read the syntax tree of one module of ``openfisca_fds/variables``."""
    arbre = ast.parse(texte)
    lignes = texte.splitlines()
    fautes = _litteraux(chemin, arbre, lignes)
    for classe in (noeud for noeud in arbre.body if isinstance(noeud, ast.ClassDef)):
        for fonction in (noeud for noeud in classe.body if isinstance(noeud, ast.FunctionDef)):
            fautes += _fautes_de_formule(chemin, classe.name, fonction)
    for fonction in (noeud for noeud in arbre.body if isinstance(noeud, ast.FunctionDef)):
        fautes += _fautes_de_formule(chemin, None, fonction)
    return fautes


def _litteraux(chemin, arbre, lignes):
    """List numbers other than 0 and 1, dates and codes, outside prose; a comment on the line justifies an exception."""
    prose, permis = set(), set()
    for noeud in ast.walk(arbre):
        if isinstance(noeud, ast.Expr) and isinstance(noeud.value, ast.Constant):
            prose.add(id(noeud.value))  # docstrings
        if isinstance(noeud, ast.Assign) and any(
            isinstance(cible, ast.Name) and cible.id in ATTRIBUTS_PERMIS for cible in noeud.targets
        ):
            permis |= {id(fils) for fils in ast.walk(noeud.value)}
    fautes = []
    for noeud in ast.walk(arbre):
        if not isinstance(noeud, ast.Constant) or id(noeud) in prose | permis or "#" in lignes[noeud.lineno - 1]:
            continue
        if _est_un_nombre(noeud.value) and noeud.value not in (0, 1):
            fautes.append(f"{chemin}:{noeud.lineno} : nombre {noeud.value!r} dans le code")
        if isinstance(noeud.value, str) and DATE_ECRITE.fullmatch(noeud.value):
            fautes.append(f"{chemin}:{noeud.lineno} : date {noeud.value!r} dans le code")
        elif isinstance(noeud.value, str) and CODE_ECRIT.fullmatch(noeud.value):
            fautes.append(f"{chemin}:{noeud.lineno} : code {noeud.value!r} dans le code")
    return fautes


def _fautes_de_formule(chemin, classe, fonction):
    ou = f"{chemin}:{fonction.lineno} {classe or ''}.{fonction.name}"
    fautes = []
    if classe and fonction.name != "__init__" and not NOM_DE_FORMULE.fullmatch(fonction.name):
        fautes.append(f"{ou} : méthode qui n'est ni « formula » ni « formula_AAAA_MM »")
    if _nombre_de_lignes(fonction) > LIGNES_MAXIMALES:
        fautes.append(f"{ou} : {_nombre_de_lignes(fonction)} lignes, plus de {LIGNES_MAXIMALES}")
    return fautes + _lenteurs(ou, fonction)


def _nombre_de_lignes(fonction):
    corps = fonction.body
    if isinstance(corps[0], ast.Expr) and isinstance(corps[0].value, ast.Constant) and len(corps) > 1:
        corps = corps[1:]
    return corps[-1].end_lineno - corps[0].lineno + 2  # the line of « def » counts


def _lenteurs(ou, fonction):
    """List what costs more than O(n), or breaks on arrays."""
    vecteurs, parametres = _noms_derives(fonction)
    fautes = []
    for noeud in ast.walk(fonction):
        if isinstance(noeud, ast.Attribute) and noeud.attr in OBJETS_LENTS:
            fautes.append(f"{ou} : {noeud.attr} (objets Python)")
        if isinstance(noeud, ast.Name) and noeud.id == "object":
            fautes.append(f"{ou} : object (objets Python)")
        if isinstance(noeud, ast.Attribute) and noeud.attr in METHODES_LENTES and _est_une_population(noeud.value):
            fautes.append(f"{ou} : groupe.{noeud.attr} (lent quand un groupe est grand)")
        if isinstance(noeud, (ast.For, ast.comprehension)) and _parcourt(noeud.iter, vecteurs):
            fautes.append(f"{ou} : boucle sur les entreprises")
        if isinstance(noeud, ast.Subscript) and _racine(noeud.value) in parametres | {"parameters"}:
            fautes += [f"{ou} : paramètre indexé par un vecteur"] * _contient_un_vecteur(noeud.slice, vecteurs)
        fautes += [f"{ou} : {quoi} sur un vecteur" for quoi in _logique_scalaire(noeud, vecteurs)]
    return fautes


def _noms_derives(fonction):
    """Names assigned, in a function, from a call to a population; and from a parameter."""
    vecteurs, parametres = set(), set()
    for noeud in ast.walk(fonction):
        if not isinstance(noeud, ast.Assign):
            continue
        noms = {nom.id for cible in noeud.targets for nom in ast.walk(cible) if isinstance(nom, ast.Name)}
        liste = isinstance(noeud.value, (ast.ListComp, ast.List)) or _est_une_nomenclature(noeud.value)
        if _contient_un_vecteur(noeud.value, vecteurs) and not liste:
            vecteurs |= noms
        elif _racine(noeud.value) in parametres | {"parameters"}:
            parametres |= noms
    return vecteurs, parametres


def _est_une_nomenclature(noeud):
    """``x.possible_values.names``: the members of an Enum, not the rows."""
    return isinstance(noeud, ast.Attribute) and "possible_values" in (noeud.attr, getattr(noeud.value, "attr", None))


def _contient_un_vecteur(noeud, vecteurs):
    return any(
        (isinstance(fils, ast.Name) and fils.id in vecteurs)
        or (isinstance(fils, ast.Call) and _est_une_population(fils.func))
        for fils in ast.walk(noeud)
    )


def _est_une_population(noeud):
    """``entreprise``, ``groupe``, ``entreprise.groupe``, ``groupe.members``."""
    if isinstance(noeud, ast.Attribute) and noeud.attr in {"groupe", "members"}:
        return True
    return isinstance(noeud, ast.Name) and noeud.id in POPULATIONS


def _racine(noeud):
    """Name at the root of a chain of attributes, calls and subscripts."""
    while not isinstance(noeud, ast.Name):
        if isinstance(noeud, (ast.Attribute, ast.Subscript)):
            noeud = noeud.value
        elif isinstance(noeud, ast.Call):
            noeud = noeud.func
        else:
            return None
    return noeud.id


def _parcourt(iterable, vecteurs):
    """Tell whether an iterable runs over the rows: a vector, or range, zip, enumerate… of one, or of the count."""
    if isinstance(iterable, ast.Call) and isinstance(iterable.func, ast.Name) and iterable.func.id not in POPULATIONS:
        return any(_parcourt(argument, vecteurs) for argument in iterable.args)
    if isinstance(iterable, ast.Attribute):
        return iterable.attr in {"count", "ids", "flat"} and _est_une_population(iterable.value)
    if isinstance(iterable, (ast.Name, ast.Subscript, ast.Call, ast.BinOp)):
        return not isinstance(_racine(iterable), type(None)) and (
            _racine(iterable) in vecteurs or _racine(iterable) in POPULATIONS
        )
    return False


def _logique_scalaire(noeud, vecteurs):
    """``if``, ``and``, ``or``, ``not`` on arrays; ``x.any()`` and ``x.all()`` make a scalar."""
    tests = {
        "if": getattr(noeud, "test", None) if isinstance(noeud, (ast.If, ast.IfExp, ast.While)) else None,
        "not": noeud.operand if isinstance(noeud, ast.UnaryOp) and isinstance(noeud.op, ast.Not) else None,
    }
    if isinstance(noeud, ast.BoolOp):
        tests["and / or"] = noeud
    return [
        quoi for quoi, test in tests.items() if test is not None and _contient_un_vecteur(_sans_any(test), vecteurs)
    ]


def _sans_any(noeud):
    """Replace ``x.any()`` and ``x.all()`` by nothing in a copy of the tree."""

    class Efface(ast.NodeTransformer):
        def visit_Call(self, appel):
            if isinstance(appel.func, ast.Attribute) and appel.func.attr in {"any", "all"} and not appel.args:
                return ast.Constant(value=True)
            return self.generic_visit(appel)

    return Efface().visit(ast.parse(ast.unparse(noeud), mode="eval").body)


# ---- imports ----


def fautes_d_import(chemin, texte):
    """Judge imports: openfisca-core, NumPy, the standard library and the law itself, nothing else, nothing relative."""
    permis = {"openfisca_core", "numpy", "openfisca_fds"} | set(sys.stdlib_module_names)
    fautes = []
    for noeud in ast.walk(ast.parse(texte)):
        if isinstance(noeud, ast.Import):
            racines = [alias.name.partition(".")[0] for alias in noeud.names]
        elif isinstance(noeud, ast.ImportFrom):
            racines = ["import relatif"] if noeud.level else [(noeud.module or "").partition(".")[0]]
        else:
            continue
        fautes += [f"{chemin}:{noeud.lineno} : importe {racine}" for racine in racines if racine not in permis]
    return fautes
