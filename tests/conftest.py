"""Collect the YAML cases: one pytest item per case, compared in float64 to the cent.

``openfisca test`` reads the same files but compares in float32, where 16 777 217 € equals 16 777 216 €, and lets an
empty ``output`` pass. Every ``*.yaml`` below ``tests/`` is a file of cases, the data of ``tests/donnees/`` excepted.
"""

import io
from functools import cache
from importlib import import_module

import numpy
import pytest
from openfisca_core.indexed_enums import Enum
from openfisca_core.periods import ETERNITY, DateUnit

from openfisca_fds import CountryTaxBenefitSystem
from openfisca_fds_tools.situation import (
    ErreurSituation,
    Place,
    construire,
    lire_periode,
    lire_valeur,
    lire_yaml,
    suggestion,
)

CLES = {
    "absolute_error_margin",
    "description",
    "extensions",
    "input",
    "keywords",
    "max_spiral_loops",
    "name",
    "output",
    "period",
    "reforms",
    "relative_error_margin",
}
MARGE_EN_EUROS = 0.005  # the cent; a file may ask for less, never for more
MARGE_DES_TAUX = 0.00005  # unit "/1": four decimals
BRUIT = 1e-9  # of the subtraction itself, for an expected value rounded half a cent away
EXPLICATIONS_PAR_SESSION = 3
LARGEUR = 100  # columns of the explanation of a failure
EXPLIQUES = pytest.StashKey[list]()
MOIS_QUELCONQUE = "2020-03"  # for a case whose outputs are all ETERNITY


def pytest_collect_file(parent, file_path):
    """Take every YAML file outside ``donnees``."""
    if file_path.suffix in (".yaml", ".yml") and "donnees" not in file_path.parts:
        return FichierDeCas.from_parent(parent, path=file_path)
    return None


@pytest.fixture(scope="session")
def systeme():
    """Return the model without reform, built once a session."""
    return systeme_reforme((), ())


@cache
def systeme_reforme(reformes, extensions):
    """Build a system with its reforms (dotted paths) and extensions; never a clone, which re-points the original."""
    systeme = systeme_reforme((), ()) if reformes else CountryTaxBenefitSystem()
    for chemin in reformes:
        module, _, nom = chemin.rpartition(".")
        systeme = getattr(import_module(module), nom)(systeme)
    for extension in extensions:
        systeme.load_extension(extension)
    return systeme


class EcartError(AssertionError):
    """A YAML case whose values differ from those expected."""


class FichierDeCas(pytest.File):
    """One YAML file: a list of cases, or one."""

    def collect(self):
        try:
            contenu = lire_yaml(self.path)
        except ErreurSituation as erreur:
            raise self.CollectError(str(erreur)) from None
        cas = contenu if isinstance(contenu, list) else [contenu]
        lignes = getattr(contenu, "lignes", {}) if isinstance(contenu, list) else {}
        noms = set()
        for rang, un_cas in enumerate(cas):
            ligne = lignes.get(rang, 1)
            if not isinstance(un_cas, dict) or "output" not in un_cas:
                raise self.CollectError(f"{self.path}:{ligne} : un cas est un dictionnaire qui a la clé « output ».")
            nom = str(un_cas.get("name") or f"{self.path.stem} ({rang + 1})")
            if nom in noms:
                raise self.CollectError(f"{self.path}:{ligne} : deux cas s'appellent « {nom} ».")
            noms.add(nom)
            yield Cas.from_parent(self, name=nom, cas=un_cas, ligne=ligne)


class Cas(pytest.Item):
    """One case: an input situation and the outputs expected."""

    def __init__(self, *, cas, ligne, **kwargs):
        super().__init__(**kwargs)
        self.cas, self.ligne = cas, ligne
        self.place = Place((), str(self.path), ligne)
        self.extra_keyword_matches.update(str(mot) for mot in _liste(cas.get("keywords")))

    def reportinfo(self):
        return self.path, self.ligne - 1, self.name

    def runtest(self):
        self._verifier_les_cles()
        self.systeme = systeme_reforme(*(tuple(_liste(self.cas.get(cle))) for cle in ("reforms", "extensions")))
        self.simulation = construire(self.systeme, self.cas.get("input") or {}, self.cas.get("period"))
        self.simulation.max_spiral_loops = self.cas.get("max_spiral_loops") or self.simulation.max_spiral_loops
        faux = [(ecart, attente) for attente in self._attentes() if (ecart := self._ecart(*attente))]
        if faux:
            self.premier_faux = faux[0][1]
            raise EcartError("\n".join(ecart for ecart, _ in faux))

    def repr_failure(self, excinfo):
        if not isinstance(excinfo.value, (EcartError, ErreurSituation)):
            return super().repr_failure(excinfo)
        message = f"{self.name}\n{self.path}:{self.ligne}\n{excinfo.value}"
        explication = self._explication() if isinstance(excinfo.value, EcartError) else ""
        return f"{message}\n\n{explication}" if explication else message

    def _explication(self):
        """Explain the month of the first difference, for the first failures of the session only."""
        deja = self.config.stash.setdefault(EXPLIQUES, [])
        _, rang, periode, _, _ = self.premier_faux
        if len(deja) >= EXPLICATIONS_PAR_SESSION or periode.unit != DateUnit.MONTH:
            return ""
        deja.append(self.name)
        try:
            return _expliquer(self.simulation, periode, rang or 0)
        except Exception as erreur:  # the difference itself must be shown whatever happens here
            return f"(explication impossible : {erreur!r})"

    def _verifier_les_cles(self):
        for cle in self.cas:
            if cle not in CLES:
                raise self._incorrect(cle, f"clé « {cle} » inconnue", suggestion(cle, CLES))
        if not isinstance(self.cas["output"], dict) or not self.cas["output"]:
            raise self._incorrect("output", "sortie vide", "{variable: valeur}")

    def _incorrect(self, cle, probleme, attendu=""):
        return ErreurSituation(self.place.sous(self.cas, cle), probleme, attendu)

    # ---- what the case expects ----

    def _attentes(self):
        """Yield (variable, row or None, period, expected value, Place) in the order of the file."""
        sortie = self.cas["output"]
        place = self.place.sous(self.cas, "output")
        for cle, attendu in sortie.items():
            ici = place.sous(sortie, cle)
            population = self.simulation.get_population(cle)
            if cle in self.systeme.variables:
                yield from self._par_periode(cle, None, attendu, ici)
            elif cle in self.simulation.populations:
                yield from self._d_une_instance(attendu, None, ici)
            elif population is not None:
                for identifiant, valeurs in _dictionnaire(attendu, ici).items():
                    la = ici.sous(attendu, identifiant)
                    ids = [str(connu) for connu in population.ids]
                    if str(identifiant) not in ids:
                        raise ErreurSituation(la, f"identifiant « {identifiant} » inconnu", ", ".join(ids))
                    yield from self._d_une_instance(valeurs, ids.index(str(identifiant)), la)
            else:
                raise ErreurSituation(ici, f"« {cle} » inconnue", suggestion(cle, self.systeme.variables))

    def _d_une_instance(self, valeurs, rang, place):
        for nom, attendu in _dictionnaire(valeurs, place).items():
            ici = place.sous(valeurs, nom)
            if nom not in self.systeme.variables:
                raise ErreurSituation(ici, f"« {nom} » inconnue", suggestion(nom, self.systeme.variables))
            yield from self._par_periode(nom, rang, attendu, ici)

    def _par_periode(self, nom, rang, attendu, place):
        if not isinstance(attendu, dict):
            yield nom, rang, self._periode(nom, self.cas.get("period"), place), attendu, place
            return
        for texte, valeur in _dictionnaire(attendu, place).items():
            ici = place.sous(attendu, texte)
            yield nom, rang, self._periode(nom, texte, ici), valeur, ici

    def _periode(self, nom, texte, place):
        """Period to ask for: an ETERNITY variable is asked for a month, since openfisca-core fails on ETERNITY."""
        variable = self.systeme.variables[nom]
        if texte is None and variable.definition_period != ETERNITY:
            raise ErreurSituation(place, f"« {nom} » sans période", "« period » dans le cas, ou {période: valeur}")
        periode = lire_periode(texte or MOIS_QUELCONQUE, place)
        if variable.definition_period == ETERNITY:
            return periode if periode.unit == DateUnit.MONTH else lire_periode(MOIS_QUELCONQUE, place)
        if periode.unit != variable.definition_period or periode.size != 1:
            raise ErreurSituation(place, f"période « {periode} »", "un mois, comme 2020-03")
        return periode

    # ---- comparison ----

    def _ecart(self, nom, rang, periode, attendu, place):
        """Return a readable difference, or None when the value is the one expected."""
        variable = self.systeme.variables[nom]
        resultat = self.simulation.calculate(nom, periode)
        resultat = resultat if rang is None else resultat[rang : rang + 1]
        attendus = attendu if isinstance(attendu, list) else [attendu] * len(resultat)
        if len(attendus) != len(resultat):
            raise ErreurSituation(place, f"{len(attendus)} valeurs", f"{len(resultat)} valeurs")
        lus = [lire_valeur(variable, valeur, place, bornes=False) for valeur in attendus]
        obtenus = _en_python(variable, resultat)
        marge = self._marge(variable, lus)
        faux = [
            (lu, obtenu)
            for lu, obtenu, permis in zip(lus, obtenus, marge, strict=True)
            if not _egal(lu, obtenu, permis)
        ]
        if not faux:
            return None
        lu, obtenu = faux[0]
        return f"  ligne {place.ligne} : {nom} ({periode}) : attendu {_ecrit(lu)}, obtenu {_ecrit(obtenu)}"

    def _marge(self, variable, lus):
        """Margin of each value: the cent, or less when the file asks for it; 0 for what is not a float."""
        if variable.value_type is not float:
            return [0] * len(lus)
        defaut = MARGE_DES_TAUX if variable.unit == "/1" else MARGE_EN_EUROS
        absolue = self._marge_du_fichier("absolute_error_margin", variable.name)
        relative = self._marge_du_fichier("relative_error_margin", variable.name)
        absolue = defaut if absolue is None else min(MARGE_EN_EUROS, absolue)
        return [absolue if relative is None else min(absolue, relative * abs(lu)) for lu in lus]

    def _marge_du_fichier(self, cle, nom):
        marge = self.cas.get(cle)
        if isinstance(marge, dict):
            marge = marge.get(nom, marge.get("default"))
        if marge is not None and (isinstance(marge, bool) or not isinstance(marge, (int, float)) or marge < 0):
            raise self._incorrect(cle, f"marge {marge!r}", "un nombre positif")
        return marge


def _expliquer(simulation, periode, rang):
    from rich.console import Console

    from openfisca_fds_tools.explain import blocs, explain, rendu

    ids = list(simulation.persons.ids)
    sortie = io.StringIO()
    explication = explain(simulation, periode, str(ids[rang if rang < len(ids) else 0]))
    Console(file=sortie, width=LARGEUR).print(rendu.rich(blocs.page(explication, sources=False), LARGEUR))
    return sortie.getvalue()


def _liste(valeur):
    return [] if valeur is None else valeur if isinstance(valeur, list) else [valeur]


def _dictionnaire(valeur, place):
    if not isinstance(valeur, dict) or not valeur:
        raise ErreurSituation(place, f"valeur {valeur!r}", "un dictionnaire non vide")
    return valeur


def _en_python(variable, resultat):
    if variable.value_type == Enum:
        return [str(nom) for nom in resultat.decode_to_str()]
    if variable.value_type is float:
        return [float(valeur) for valeur in numpy.asarray(resultat, dtype=numpy.float64)]
    return resultat.tolist()


def _egal(attendu, obtenu, marge):
    if isinstance(attendu, float):
        return abs(attendu - obtenu) <= marge + BRUIT
    return attendu == obtenu


def _ecrit(valeur):
    if isinstance(valeur, bool):
        return str(valeur).lower()
    return f"{valeur:,.12g}".replace(",", " ") if isinstance(valeur, float) else str(valeur)
