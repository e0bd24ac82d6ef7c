"""Entities: the enterprise (unit of calculation) and its group (art. L. 233-3 of the code de commerce)."""

from openfisca_core.entities import build_entity

Entreprise = build_entity(
    key="entreprise",
    plural="entreprises",
    label="Entreprise",
    doc="Personne physique ou morale de droit privé exerçant une activité économique (décret n° 2020-371, art. 1er).",
    is_person=True,
)

Groupe = build_entity(
    key="groupe",
    plural="groupes",
    label="Groupe d'entreprises",
    doc=(
        "Entreprises liées au sens de l'article L. 233-3 du code de commerce. "
        "Une entreprise sans lien forme un groupe à elle seule."
    ),
    roles=[
        {
            "key": "membre",
            "plural": "membres",
            "label": "Membres",
            "doc": "Entreprises du groupe",
        }
    ],
)

entities = [Groupe, Entreprise]
