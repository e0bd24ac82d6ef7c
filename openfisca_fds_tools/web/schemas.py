"""JSON schemas (those of OpenAPI 3.0) of our dataclasses, so that /spec describes what the routes really answer."""

import types
import typing
from dataclasses import fields, is_dataclass

SIMPLES = {str: "string", bool: "boolean", int: "integer", float: "number"}
DESCRIPTIONS = {
    "Explication": {
        "faits": "Chiffre d'affaires, référence, perte et taux du mois",
        "reference": "Comment la référence a été trouvée",
        "options": "Références que le texte compare, s'il en compare",
        "articles": "Articles du décret n° 2020-371 en vigueur pour ce mois, dans l'ordre du décret",
        "autres": "Droits des autres textes, et ceux qui ne sont pas mensuels",
        "total": "Des articles au montant payé : meilleur article, demande, plafond du groupe, complément",
        "montant": "Euros payés au titre du mois, non arrondis",
        "retenu": "Variable du montant de l'article payé",
        "demande": "Une demande a été déposée pour le mois",
        "avant_plafond": "Euros, avant le plafond du groupe",
        "membres": "Nombre d'entreprises du groupe",
        "pente": "Comment l'aide suit le chiffre d'affaires du mois quand il baisse",
        "leviers": "Changements dont chacun, seul, aurait donné davantage ; le plus proche de chaque genre d'abord",
    },
    "Article": {
        "refus": "Numéros des conditions non remplies, dans l'ordre du texte",
        "changements": "Le moins qu'il aurait fallu changer pour ouvrir le droit",
    },
    "Condition": {"statut": "remplie, non remplie ou sans objet"},
    "Balayage": {"valeurs": "Valeurs de la donnée, croissantes", "aides": "Euros, pour chaque valeur"},
    "Marche": {"avant": "Dernière valeur avant la marche", "apres": "Première valeur après"},
}


def decrire(schemas, classe, **proprietes):
    """Add the schema of a dataclass, and of those it holds.

    Args:
        schemas: {name: schema}, completed.
        classe: dataclass.
        proprietes: schemas of keys that the class does not have and the answer does.

    Returns:
        ``{"$ref": …}`` to the schema of the class.
    """
    nom = classe.__name__
    if nom not in schemas:
        schemas[nom] = {}  # known before it is complete: a condition holds conditions
        types_des_champs = typing.get_type_hints(classe)
        for champ in fields(classe):
            schema, texte = _type(schemas, types_des_champs[champ.name]), DESCRIPTIONS.get(nom, {}).get(champ.name)
            if texte and "$ref" in schema:  # beside a $ref, everything is ignored
                schema = {"allOf": [schema]}
            proprietes[champ.name] = schema | ({"description": texte} if texte else {})
        schemas[nom] = {
            "type": "object",
            "additionalProperties": False,
            "required": list(proprietes),
            "properties": proprietes,
        }
    return {"$ref": f"#/components/schemas/{nom}"}


def _type(schemas, annotation):
    """Give the schema of an annotation."""
    if isinstance(annotation, types.UnionType):
        (plein,) = (un for un in typing.get_args(annotation) if un is not type(None))
        schema = _type(schemas, plein)
        nul = {"type": "object", "nullable": True, "enum": [None]}
        return {"oneOf": [schema, nul]} if "$ref" in schema else {"nullable": True, **schema}
    if typing.get_origin(annotation) is list:
        return {"type": "array", "items": _type(schemas, *typing.get_args(annotation))}
    if annotation is tuple:
        return {"type": "array", "items": {}}
    if is_dataclass(annotation):
        return decrire(schemas, annotation)
    return {"type": SIMPLES[annotation]} if annotation in SIMPLES else {}
