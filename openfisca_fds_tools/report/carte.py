"""Shapes of the départements, from the SVG map shipped in ``donnees/``, with a zoom on Paris and tiles overseas.

Coordinates are those of the drawing (y downwards): the map is drawn without any geographic projection.
"""

import re
from functools import cache
from importlib import resources
from xml.etree import ElementTree

LARGEUR, HAUTEUR = 613, 585  # of the drawing
OUTRE_MER = ("971", "972", "973", "974", "976")
COURONNE = ("75", "92", "93", "94")
_COTE, _PAS = 30, 38  # of the overseas tiles
_TUILES = (14, 372)  # top left corner of the first one
_ZOOM, _LOUPE = 4.2, (22, 14)  # scale of the zoom on Paris and its top left corner
_NOMBRE = re.compile(r"-?\d+(?:\.\d+)?")


@cache
def formes() -> tuple[dict, ...]:
    """Give the GeoJSON features of the 101 départements; those around Paris come twice, in place and enlarged."""
    chemin = resources.files(__package__) / "donnees" / "departements.svg"
    racine = ElementTree.fromstring(chemin.read_text(encoding="utf-8"))
    contours = {trace.get("id").upper(): _contours(trace.get("d")) for trace in racine.iter() if trace.get("d")}
    toutes = [_forme(code, polygones) for code, polygones in contours.items()]
    toutes += [_forme(code, polygones) for code, polygones in _agrandir({c: contours[c] for c in COURONNE}).items()]
    toutes += [_forme(code, [_tuile(rang)]) for rang, code in enumerate(OUTRE_MER)]
    return tuple(toutes)


def etiquettes() -> list[tuple[str, float, float]]:
    """Give the words of the map, and where each begins."""
    x, y = _TUILES[0] + _COTE + 6, _TUILES[1] + _COTE / 2
    tuiles = [(code, x, y + _PAS * rang) for rang, code in enumerate(OUTRE_MER)]
    return [*tuiles, ("Paris et petite couronne", _LOUPE[0], _LOUPE[1] - 6)]


def _forme(code: str, polygones: list[list]) -> dict:
    # Rings are all outer ones: a département of several pieces is a MultiPolygon.
    return {
        "type": "Feature",
        "properties": {"code": code},
        "geometry": {"type": "MultiPolygon", "coordinates": [[polygone] for polygone in polygones]},
    }


def _contours(trace: str) -> list[list]:
    """Read the rings of a path made of relative moves (« m », lines, « z »)."""
    contours, x, y = [], 0.0, 0.0
    for morceau in re.findall(r"m([^mz]*)z", trace):
        nombres = [float(nombre) for nombre in _NOMBRE.findall(morceau)]
        contour = []
        for dx, dy in zip(nombres[::2], nombres[1::2], strict=True):
            x, y = x + dx, y + dy
            contour.append([round(x, 1), round(y, 1)])
        contour.append(contour[0])
        contours.append(contour)
        x, y = contour[0]  # « z » goes back to the beginning of the ring
    return contours


def _agrandir(contours: dict[str, list]) -> dict[str, list]:
    points = [point for polygones in contours.values() for polygone in polygones for point in polygone]
    gauche, haut = min(x for x, _ in points), min(y for _, y in points)

    def place(x: float, y: float) -> list[float]:
        return [round(_LOUPE[0] + _ZOOM * (x - gauche), 1), round(_LOUPE[1] + _ZOOM * (y - haut), 1)]

    return {code: [[place(*p) for p in polygone] for polygone in polygones] for code, polygones in contours.items()}


def _tuile(rang: int) -> list:
    x, y = _TUILES[0], _TUILES[1] + _PAS * rang
    return [[x, y], [x + _COTE, y], [x + _COTE, y + _COTE], [x, y + _COTE], [x, y]]
