"""Mutate the formulas with the operators of Cosmic Ray and look for the case that turns red (``make mutation``).

``bite.py`` breaks the law rule by rule; here every operator, comparison, number and boolean of the Python text is
replaced in turn, in ``openfisca_fds/variables`` and in the arithmetic that the formulas share. A mutated module is run
aside and its changed formulas take the place of the sound ones. Only the YAML cases that read a changed formula are
asked, known from one traced run of the sound law; all the cases are rows of one simulation, so that a mutant costs a
fraction of a second where a session of Cosmic Ray starts Python again for each.

Survivors are printed, and the exit code is 1, unless ``mutation_exceptions.yaml`` names them with a reason.

    python scripts/mutation.py                      everything, on 2 processes
    python scripts/mutation.py article_3_28 perte   modules whose path contains one of the words
    python scripts/mutation.py --sample 300         a seeded draw
    python scripts/mutation.py --survivors f.json   the survivors of a former run
    python scripts/mutation.py --json results.json  write the results for ``evidence.py``
"""

import argparse
import fnmatch
import json
import multiprocessing
import random
import signal
import sys
import time
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType

import numpy
import yaml
from bite import GRAINE, Tribunal
from cas import RACINE, SYSTEME
from constat import ecrire
from openfisca_core.variables import Variable

EXCEPTIONS = Path(__file__).with_name("mutation_exceptions.yaml")
LOI = RACINE / "openfisca_fds"
PARTAGES = ("amounts", "codes", "moyennes", "periodes")  # modules that the formulas import
EQUIVALENTS = {  # in NumPy, and only ever applied to arrays of booleans: the same answer
    "ReplaceBinaryOperator_BitOr_Add",
    "ReplaceBinaryOperator_BitAnd_Mul",
    "ReplaceBinaryOperator_BitAnd_FloorDiv",  # an integer divided by zero gives zero
}
SECONDES_PAR_MUTANT = 60
TUE, ERREUR, SURVIT, INCHANGE = "tué", "erreur", "survit", "inchangé"


# ---- mutants ----


@dataclass(frozen=True)
class Mutant:
    """One change of the text of a module.

    Attributes:
        module: path below ``openfisca_fds``.
        operateur: operator of Cosmic Ray.
        source: mutated text.
        nom: module, operator and changed line, before and after.
    """

    module: str
    operateur: str
    source: str = field(repr=False)
    nom: str


def modules():
    """List the modules of the law that compute something."""
    variables = sorted((LOI / "variables").rglob("*.py"))
    return [*variables, *(LOI / f"{nom}.py" for nom in PARTAGES)]


def operateurs():
    """Operators of Cosmic Ray that need no argument: {name: instance}."""
    from cosmic_ray import plugins

    classes = {nom.split("/")[-1]: plugins.get_operator(nom) for nom in plugins.operator_names()}
    return {nom: classe() for nom, classe in classes.items() if not classe.arguments() and nom not in EQUIVALENTS}


def mutants_du_module(chemin):
    """Yield every mutant of a module."""
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.mutating import mutate_code

    sain = chemin.read_text(encoding="utf-8")
    noeuds = list(ast_nodes(get_ast(sain)))
    module = chemin.relative_to(LOI).as_posix()
    for nom, operateur in operateurs().items():
        occurrences = sum(len(list(operateur.mutation_positions(noeud))) for noeud in noeuds)
        for rang in range(occurrences):
            source = mutate_code(sain, operateur, rang)
            yield Mutant(module, nom, source, f"{module} {nom} {ligne_changee(sain, source)}")


def ligne_changee(avant, apres):
    """Give the first line that differs, before and after."""
    for ancienne, nouvelle in zip(avant.splitlines(), apres.splitlines(), strict=False):
        if ancienne != nouvelle:
            return f"« {ancienne.strip()} » → « {nouvelle.strip()} »"
    return "(mise en page)"


# ---- from a text to the living law ----


def executer(source, chemin):
    """Run the text of a module aside; return its namespace."""
    espace = {"__name__": "mutant", "__file__": str(chemin)}
    exec(compile(source, str(chemin), "exec"), espace)
    return espace


def classes(espace):
    """Give the variables that a module declares: {name: class}."""
    return {
        nom: objet
        for nom, objet in espace.items()
        if isinstance(objet, type) and issubclass(objet, Variable) and objet.__module__ == "mutant"
    }


def fonctions(espace):
    """Give the functions of a module, wrappers removed: {name: function}."""
    nues = {nom: getattr(objet, "__wrapped__", objet) for nom, objet in espace.items()}
    return {nom: f for nom, f in nues.items() if isinstance(f, FunctionType) and f.__module__ == "mutant"}


def constantes(espace):
    """Give the numbers of a module: {name: number}."""
    return {nom: objet for nom, objet in espace.items() if isinstance(objet, (int, float))}


def oublier(module):
    """Empty the caches of the functions of a module."""
    for objet in vars(module).values():
        if hasattr(objet, "cache_clear"):
            objet.cache_clear()


class Chirurgie:
    """Put the changed pieces of a mutated module in the living law, and take them out.

    Attributes:
        cles: formulas touched, (variable, date), or None: all of them may be.
    """

    def __init__(self, mutant):
        self.chemin = LOI / mutant.module
        self.sain, self.mute = (executer(s, self.chemin) for s in (self.chemin.read_text("utf-8"), mutant.source))
        self.gestes = []  # (undo, do)
        self.cles = set()
        aide_changee = self._communs()
        if mutant.module.startswith("variables"):
            self._variables(aide_changee)
        elif aide_changee:
            self.cles = None
            self._module_partage(sys.modules[f"openfisca_fds.{self.chemin.stem}"])

    @property
    def vide(self):
        """Whether the mutation changes nothing that computes (a label, a reference)."""
        return not self.gestes

    def _communs(self):
        """Whether a function or a number of the module, outside its variables, has changed."""
        saines, mutees = fonctions(self.sain), fonctions(self.mute)
        return constantes(self.sain) != constantes(self.mute) or any(
            saines[nom].__code__ != mutees[nom].__code__ for nom in saines
        )

    def _variables(self, toutes):
        saines = classes(self.sain)
        for nom, classe in classes(self.mute).items():
            vivante, saine, mutee = SYSTEME.get_variable(nom), saines[nom](), classe()
            for date, formule in mutee.formulas.items():
                if toutes or formule.__code__ != saine.formulas[date].__code__:
                    self._noter(vivante.formulas.__setitem__, date, vivante.formulas[date], formule)
                    self.cles.add((nom, date))
            if mutee.default_value != saine.default_value:
                self._noter(
                    lambda cle, v, cible=vivante: setattr(cible, cle, v),
                    "default_value",
                    vivante.default_value,
                    mutee.default_value,
                )
                self.cles |= {(nom, date) for date in (*vivante.formulas, None)}

    def _module_partage(self, vivant):
        """Change the code of the functions in place: the modules that import them hold the same objects."""
        for nom, nombre in constantes(self.mute).items():
            if nombre != getattr(vivant, nom):
                self._noter(
                    lambda cle, v: (setattr(vivant, cle, v), oublier(vivant)), nom, getattr(vivant, nom), nombre
                )
        saines = fonctions(self.sain)
        for nom, fonction in fonctions(self.mute).items():
            if fonction.__code__ != saines[nom].__code__:
                enveloppe = getattr(vivant, nom)
                vraie = getattr(enveloppe, "__wrapped__", enveloppe)
                self._noter(
                    lambda _, code, cible=vraie: (setattr(cible, "__code__", code), oublier(vivant)),
                    nom,
                    vraie.__code__,
                    fonction.__code__,
                )

    def _noter(self, poser, cle, ancien, nouveau):
        self.gestes.append((lambda: poser(cle, ancien), lambda: poser(cle, nouveau)))

    @contextmanager
    def appliquee(self):
        """Live with the mutation for a while."""
        for _, faire in self.gestes:
            faire()
        try:
            yield
        finally:
            for defaire, _ in self.gestes:
                defaire()


# ---- judgement ----


TRIBUNAL, MUTANTS = [], []  # set before the processes are forked, and shared by them


class TropLong(BaseException):  # not an Exception, so that no formula catches it
    """A mutant that does not end."""


def _sonner(*_):
    raise TropLong


def juger(rang):
    """Judge one mutant: (rank, verdict, number of cases that read what it changes)."""
    try:
        chirurgie = Chirurgie(MUTANTS[rang])
    except Exception:  # a module that cannot be run is seen by every case
        return rang, ERREUR, len(TRIBUNAL[0].banc.cas)
    if chirurgie.vide:
        return rang, INCHANGE, 0
    tribunal = TRIBUNAL[0]
    touchees = [s for s, cles in tribunal.cles.items() if chirurgie.cles is None or cles & chirurgie.cles]
    touchees.sort(key=lambda sortie: len(tribunal.cles[sortie]))  # the closest to the change first
    cas = {rang_du_cas for sortie in touchees for rang_du_cas, _ in tribunal.attentes[sortie]}
    signal.signal(signal.SIGALRM, _sonner)
    signal.alarm(SECONDES_PAR_MUTANT)
    try:
        with chirurgie.appliquee():
            return rang, _verdict(tribunal, touchees), len(cas)
    except TropLong:
        return rang, ERREUR, len(cas)
    finally:
        signal.alarm(0)


def _verdict(tribunal, touchees):
    try:
        simulation = tribunal.banc.simuler()
        with numpy.errstate(all="ignore"):  # mutants divide by zero
            for sortie in touchees:
                for rang, attente in tribunal.attentes[sortie]:
                    if any(tribunal.banc.ecarts(rang, simulation, [attente])):
                        return TUE
    except Exception:  # a mutant may break in any way, and is then seen
        return ERREUR
    return SURVIT


def lire_les_exceptions():
    """Read {glob pattern: reason} of the survivors that are explained; only « * » is special in a pattern."""
    return yaml.safe_load(EXCEPTIONS.read_text(encoding="utf-8")) or {}


def raison(nom, exceptions):
    """Return the reason that explains a mutant, or None."""
    return next((r for motif, r in exceptions.items() if fnmatch.fnmatchcase(nom, motif.replace("[", "[[]"))), None)


def main():
    """Judge the mutants and print the survivors; exit code 1 if one is not explained."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("mots", nargs="*", help="words: keep the modules whose path contains one of them")
    arguments.add_argument("--sample", type=int, help="number of mutants drawn")
    arguments.add_argument("--survivors", type=Path, help="results of a former run: judge its survivors only")
    arguments.add_argument("--processes", type=int, default=2)
    arguments.add_argument("--json", type=Path, help="file of the results")
    options = arguments.parse_args()
    debut = time.perf_counter()

    TRIBUNAL.append(Tribunal())
    retenus = [c for c in modules() if not options.mots or any(mot in c.as_posix() for mot in options.mots)]
    MUTANTS.extend(mutant for chemin in retenus for mutant in mutants_du_module(chemin))
    total = len(MUTANTS)
    if options.survivors:
        anciens = {s["mutant"] for s in json.loads(options.survivors.read_text(encoding="utf-8"))["survivants"]}
        MUTANTS[:] = [mutant for mutant in MUTANTS if mutant.nom in anciens]
    if options.sample is not None:
        MUTANTS[:] = random.Random(GRAINE).sample(MUTANTS, min(options.sample, total))
    print(f"{len(TRIBUNAL[0].banc.cas)} cas, {len(MUTANTS)} mutants à juger sur {total}", flush=True)
    # a process is renewed now and then: simulations that a mutant broke keep their memory
    with multiprocessing.get_context("fork").Pool(options.processes, maxtasksperchild=20) as bassin:
        jugements = sorted(bassin.imap_unordered(juger, range(len(MUTANTS)), chunksize=8))

    exceptions = lire_les_exceptions()
    survivants = [
        {"mutant": MUTANTS[rang].nom, "cas": cas, "raison": raison(MUTANTS[rang].nom, exceptions)}
        for rang, verdict, cas in jugements
        if verdict == SURVIT
    ]
    comptes = Counter(verdict for _, verdict, _ in jugements)
    inexpliques = afficher(survivants, comptes)
    if options.json:
        par_module = Counter((MUTANTS[rang].module, verdict) for rang, verdict, _ in jugements)
        ecrire(
            options.json,
            secondes=round(time.perf_counter() - debut),
            processus=options.processes,
            cas=len(TRIBUNAL[0].banc.cas),
            mutants_possibles=total,
            verdicts=dict(comptes),
            modules=[
                {"module": module} | {v: par_module[module, v] for v in (TUE, ERREUR, SURVIT, INCHANGE)}
                for module in sorted({mutant.module for mutant in MUTANTS})
            ],
            survivants=survivants,
        )
    return 1 if inexpliques else 0


def afficher(survivants, comptes):
    """Print the survivors that no reason explains, then the scores; return how many there are."""
    inexpliques = [survivant for survivant in survivants if survivant["raison"] is None]
    for survivant in inexpliques:
        print(f"  survit ({survivant['cas']} cas le lisent) : {survivant['mutant']}")
    tues, survit = comptes[TUE] + comptes[ERREUR], comptes[SURVIT]
    print(f"{tues} tués, dont {comptes[ERREUR]} par une erreur")
    print(f"{survit} survivants, dont {survit - len(inexpliques)} expliqués")
    print(f"score : {100 * tues / max(1, tues + survit):.1f} % ; {comptes[INCHANGE]} mutants ne changent aucun calcul")
    return len(inexpliques)


if __name__ == "__main__":
    sys.exit(main())
