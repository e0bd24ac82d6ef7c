"""The OpenAPI document: ``specification.yaml``, completed by the model, the limits and examples that are computed."""

import copy
from datetime import date
from pathlib import Path

import yaml
from openfisca_core.indexed_enums import Enum

from openfisca_fds_tools.web import calculs
from openfisca_fds_tools.web.lecture import LIMITES
from openfisca_fds_tools.web.schemas import decrire

# A café, flat 30 000 € a month in 2019, 9 000 € in March 2021: loss of 70 %, art. 3-24.
CAS = {
    "entreprises": {
        "cafe": {
            "code_naf": {"ETERNITY": "56.30Z"},
            "departement": {"ETERNITY": "75"},
            "date_creation": {"ETERNITY": "2015-04-01"},
            "chiffre_affaires": {"2019": 360_000, "2020-03": 9_000, "2021-03": 9_000},
            "fds_volet_1": {"2021-03": None},
        }
    },
    "groupes": {"cafe": {"membres": ["cafe"]}},
}
POPULATION = {
    "mois": "2021-03",
    "sorties": ["fds_volet_1"],
    "colonnes": {
        "id": ["a", "b"],
        "code_naf": ["56.30Z", "47.71Z"],
        **{f"chiffre_affaires:2019-{mois:02d}": [30_000, 20_000] for mois in range(1, 13)},
        "chiffre_affaires:2021-03": [9_000, 19_000],
    },
}
RESULTATS = {
    "mensuels": {"id": ["a", "b"], "groupe": [None, None], "mois": ["2021-03"] * 2, "fds_volet_1": [10_000.0, 0.0]},
    "eternels": {},
    "agregats": {
        "mois": ["2021-03"],
        "article": ["fds_volet_1"],
        "entreprises_eligibles": [1.0],
        "entreprises_aidees": [1.0],
        "montant_total": [10_000.0],
    },
    "avertissements": [],
}
PARAMETRE, VARIABLE = "fonds_de_solidarite.perte.seuil_general", "fds_article_3_24_eligible"


def specification(client, systeme, version, reformes=()):
    """Build the document.

    Args:
        client: test client of the application, which answers the examples.
        systeme: tax and benefit system.
        version: version of the package.
        reformes: list of {nom, titre, description}.

    Returns:
        Dictionary, without ``servers``.
    """
    document = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
    document["info"]["version"] = version
    document["x-limites"] = LIMITES
    _reformes(document, reformes)
    limites = ", ".join(f"{nom.replace('_', ' ')} {valeur}" for nom, valeur in LIMITES.items())
    document["info"]["description"] += f" Limites par requête : {limites}."
    schemas = document["components"]["schemas"]
    for entite in systeme.entities:
        schemas[entite.key.title()] = _entite(entite, systeme)
    situation = {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            entite.plural: {
                "type": "object",
                "additionalProperties": {"$ref": f"#/components/schemas/{entite.key.title()}"},
            }
            for entite in systeme.entities
        },
    }
    schemas["SituationInput"], schemas["SituationOutput"] = situation, copy.deepcopy(situation)
    schemas["SituationInput"]["required"] = [systeme.person_entity.plural]
    schemas["DemandeBalayage"]["properties"]["points"]["maximum"] = LIMITES["points_sweep"]
    _reponses(schemas)
    _exemples(schemas, client, systeme)
    return document


def _reformes(document, reformes):
    """Name the reforms, or take their parameter away where there is none."""
    document["x-reformes"] = list(reformes)
    if reformes:
        document["components"]["parameters"]["Reforme"]["schema"]["enum"] = [reforme["nom"] for reforme in reformes]
        return
    del document["components"]["parameters"]
    for operation in (route.get("post", {}) for route in document["paths"].values()):
        operation["parameters"] = [un for un in operation.get("parameters", []) if "$ref" not in un]


def _entite(entite, systeme):
    proprietes = {
        variable.name: {"type": "object", "description": variable.label, "additionalProperties": _valeur(variable)}
        for variable in systeme.variables.values()
        if variable.entity.key == entite.key
    }
    if not entite.is_person:
        proprietes |= {role.plural: {"type": "array", "items": {"type": "string"}} for role in entite.roles}
    return {"type": "object", "additionalProperties": False, "properties": proprietes}


def _valeur(variable):
    """Give the schema of one value; null asks for it."""
    if variable.value_type is Enum:
        return {"type": "string", "nullable": True, "enum": [*variable.possible_values.names, None]}
    formats = {float: {"type": "number"}, date: {"type": "string", "format": "date"}}
    return {"nullable": True, **formats.get(variable.value_type, {"type": variable.json_type})}


def _reponses(schemas):
    """Describe what /explain and /sweep answer, from the classes themselves."""
    from openfisca_fds_tools.explain import blocs
    from openfisca_fds_tools.explain.data import Explication
    from openfisca_fds_tools.explain.sweep import Balayage

    page = [
        decrire(schemas, classe, bloc={"type": "string", "enum": [classe.__name__.lower()]})
        for classe in (blocs.Titre, blocs.Paragraphe, blocs.Points, blocs.Tableau)
    ]
    texte = {"type": "string"}
    schemas["Points"]["properties"]["points"]["items"] = decrire(schemas, blocs.Point)
    schemas["Tableau"]["properties"]["entetes"]["items"] = texte
    schemas["Tableau"]["properties"]["lignes"]["items"] = {"type": "array", "items": texte}
    reponse = schemas["ReponseExplication"]["properties"]
    reponse["explication"], reponse["page"]["items"] = decrire(schemas, Explication), {"oneOf": page}
    decrire(schemas, Balayage)


def _exemples(schemas, client, systeme):
    """Compute the examples, but that of /simulate, whose engine starts threads: a wrong one stops the server."""
    question = {"situation": _sans_demande(CAS), "mois": "2020-03"}  # one article in force: a short explanation
    balayage = {**question, "mois": "2021-03", "debut": 0, "fin": 30_000, "points": 4}
    schemas["SituationInput"]["example"] = CAS
    schemas["SituationOutput"]["example"] = calculs.calculate(systeme, copy.deepcopy(CAS))
    schemas["DemandeExplication"]["example"] = question
    schemas["DemandeBalayage"]["example"] = balayage
    schemas["Balayage"]["example"] = calculs.balayer(systeme, copy.deepcopy(balayage))
    schemas["DemandePopulation"]["example"] = POPULATION
    schemas["Resultats"]["example"] = RESULTATS
    schemas["ReponseExplication"]["example"] = _reponse(client.post("/explain", json=question))
    trace = copy.deepcopy(question["situation"])
    trace["entreprises"]["cafe"]["perte_chiffre_affaires"] = {"2021-03": None}
    schemas["Trace"]["example"] = _reponse(client.post("/trace", json=trace))
    for schema, route in (("Parameter", f"/parameter/{PARAMETRE}"), ("Variable", f"/variable/{VARIABLE}")):
        schemas[schema]["example"] = _reponse(client.get(route))


def _reponse(reponse):
    if reponse.status_code != 200:
        raise RuntimeError(f"The example {reponse.request.path} answers {reponse.status_code}.")
    return reponse.get_json()


def _sans_demande(situation):
    sans = copy.deepcopy(situation)
    for entreprise in sans["entreprises"].values():
        for nom in [nom for nom, valeurs in entreprise.items() if None in valeurs.values()]:
            del entreprise[nom]
    return sans
