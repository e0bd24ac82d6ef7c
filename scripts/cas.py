"""The YAML cases of the project, without pytest: read, run, compared and traced by the collector's own functions."""

import importlib.util
import sys
from pathlib import Path

from openfisca_core.parameters import Parameter

RACINE = Path(__file__).resolve().parents[1]
TESTS = RACINE / "tests"


def _charger_le_collecteur():
    """Import ``tests/conftest.py``, whose functions read and compare the cases."""
    sys.path[:0] = [str(RACINE), str(TESTS)]
    spec = importlib.util.spec_from_file_location("collecteur", TESTS / "conftest.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


COLLECTEUR = _charger_le_collecteur()
SYSTEME = COLLECTEUR.systeme_reforme((), ())
PARAMETRES = {
    feuille.name: feuille for feuille in SYSTEME.parameters.get_descendants() if isinstance(feuille, Parameter)
}


class CasNu:
    """A YAML case without pytest: the reading and the comparison are the collector's own."""

    _incorrect = COLLECTEUR.Cas._incorrect
    _attentes = COLLECTEUR.Cas._attentes
    _d_une_instance = COLLECTEUR.Cas._d_une_instance
    _par_periode = COLLECTEUR.Cas._par_periode
    _periode = COLLECTEUR.Cas._periode
    _ecart = COLLECTEUR.Cas._ecart
    _marge = COLLECTEUR.Cas._marge
    _marge_du_fichier = COLLECTEUR.Cas._marge_du_fichier

    def __init__(self, chemin, cas, ligne):
        self.cas, self.ligne, self.chemin = cas, ligne, chemin
        self.place = COLLECTEUR.Place((), str(chemin), ligne)
        self.systeme = SYSTEME
        self.nom = f"{chemin.relative_to(TESTS)}:{ligne}"

    def simuler(self, trace=False):
        """Build a fresh simulation of the case."""
        self.simulation = COLLECTEUR.construire(SYSTEME, self.cas.get("input") or {}, self.cas.get("period"))
        self.simulation.trace = trace

    def est_rouge(self):
        """Tell whether a value differs from the one expected, or the law fails."""
        try:
            self.simuler()
            return any(self._ecart(*attente) for attente in self._attentes())
        except Exception:  # noqa: BLE001 — a mutant may break in any way, and is then seen
            return True

    def tracer(self):
        """Run the sound law under trace.

        Returns:
            (expectations as (variable, row, period), nodes of the trace, flat).

        Raises:
            SystemExit: the case is red.

        """
        self.simuler(trace=True)
        attentes = list(self._attentes())
        rouges = [ecart for attente in attentes if (ecart := self._ecart(*attente))]
        if rouges:
            raise SystemExit(f"{self.nom} est rouge avant toute mutation :\n" + "\n".join(rouges))
        noeuds, attente = [], list(self.simulation.tracer.trees)
        while attente:
            noeud = attente.pop()
            noeuds.append(noeud)
            attente.extend(noeud.children)
        return [(nom, rang, periode) for nom, rang, periode, _, _ in attentes], noeuds


def cle_de_formule(nom, periode):
    """Name of a variable and date of the formula that computes it for a period."""
    formules = SYSTEME.get_variable(nom).formulas
    if periode.unit == "eternity":
        return nom, next(iter(formules), None)
    return nom, next((date for date in reversed(formules) if date <= str(periode.start)), None)


def valeur_en_vigueur(lecture):
    """Dated value that a traced reading of a parameter gave, or None before the first."""
    instant = str(lecture.period)
    return next((valeur for valeur in PARAMETRES[lecture.name].values_list if valeur.instant_str <= instant), None)


def charger_les_cas():
    """List the cases of the project, those under a reform or an extension excepted."""
    cas = []
    for chemin in sorted(TESTS.rglob("*.yaml")):
        if "donnees" in chemin.parts:
            continue
        contenu = COLLECTEUR.lire_yaml(chemin)
        contenu = contenu if isinstance(contenu, list) else [contenu]
        lignes = getattr(contenu, "lignes", {})
        cas += [
            CasNu(chemin, un_cas, lignes.get(rang, 1))
            for rang, un_cas in enumerate(contenu)
            if not un_cas.get("reforms") and not un_cas.get("extensions")
        ]
    return cas
