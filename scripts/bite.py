"""Do the YAML cases bite? Break the law one rule at a time and look for the case that turns red (``make bite``).

Three kinds of mutants:

* a boolean variable with a formula is inverted, then always true, then always false (each dated formula apart);
* a condition is taken out of one article: the eligibility of the article reads it as always true;
* a dated value of a parameter is nudged: a number by one unit (a rate by 0.01), a date by one day, both ways; a boolean
  is inverted; a list loses a code, then gains one.

A mutant is judged by the cases that read what it changes, known from one traced run of the sound law; the first red
one kills it (all the cases are rows of one simulation: see ``cas.py``). Survivors are printed, and the exit code is 1,
unless ``bite_exceptions.yaml`` names them with a reason.

    python scripts/bite.py                     everything, on 2 processes
    python scripts/bite.py article_3_28 perte  mutants whose name contains one of the words
"""

import argparse
import datetime
import fnmatch
import multiprocessing
import random
import sys
from collections import Counter, defaultdict
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy
import yaml
from cas import PARAMETRES, SYSTEME, Banc, Lectures, charger_les_cas, cle_de_formule, valeur_en_vigueur

EXCEPTIONS = Path(__file__).with_name("bite_exceptions.yaml")
GRAINE = 371
ELIGIBILITES = ("fds_article_", "fds_volet_2_eligible", "multi_activites_eligible", "fds_complement_eligible")


# ---- mutants ----


@dataclass(frozen=True)
class Mutant:
    """One change of the law: ``cle`` is what a case must read to be touched, ``appliquer`` a context manager."""

    nom: str
    groupe: str
    cle: tuple
    appliquer: object = field(compare=False)


@contextmanager
def formule_remplacee(nom, date, fabrique):
    """Replace one dated formula of a variable for a while."""
    formules = SYSTEME.get_variable(nom).formulas
    ancienne = formules[date]
    formules[date] = fabrique(ancienne)
    try:
        yield
    finally:
        formules[date] = ancienne


def calculer(formule, population, period, parameters):
    """Call a formula with the arguments that it takes."""
    return formule(population, period, *([parameters] if formule.__code__.co_argcount == 3 else []))


def inversee(formule):
    """Make the formula that answers the contrary."""
    return lambda population, period, parameters: (
        ~numpy.asarray(calculer(formule, population, period, parameters) & numpy.ones(population.count, dtype=bool))
    )


def constante(valeur):
    """Make the maker of a formula that always answers the same."""
    return lambda formule: lambda population, period, parameters: numpy.full(population.count, valeur)


class PopulationSans:
    """Population that answers « true » to one condition, and is itself otherwise."""

    def __init__(self, population, condition):
        self.population, self.condition = population, condition

    def __call__(self, nom, *arguments, **options):
        """Answer as the population does, but for the condition."""
        resultat = self.population(nom, *arguments, **options)
        return numpy.ones_like(resultat) if nom == self.condition else resultat

    def __getattr__(self, nom):
        return getattr(self.population, nom)


def sans_condition(condition):
    """Make the maker of a formula that reads one condition as always true."""
    return lambda formule: (
        lambda population, period, parameters: calculer(
            formule, PopulationSans(population, condition), period, parameters
        )
    )


def mutants_des_conditions():
    """Invert, force and disarm each dated formula of each boolean variable."""
    sortes = {"inversée": inversee, "toujours vraie": constante(True), "toujours fausse": constante(False)}
    for variable in SYSTEME.variables.values():
        if variable.value_type is not bool:
            continue
        for date in variable.formulas:
            for sorte, fabrique in sortes.items():
                yield Mutant(
                    f"{variable.name}@{date[:7]} {sorte}",
                    "condition",
                    (variable.name, date),
                    lambda n=variable.name, d=date, f=fabrique: formule_remplacee(n, d, f),
                )


def mutants_des_articles(lectures):
    """Take each condition out of each eligibility; ``lectures``: {formula: conditions that it reads}."""
    for (nom, date), conditions in sorted(lectures.items(), key=str):
        if not (nom.startswith(ELIGIBILITES) and nom.endswith("_eligible")) or date is None:
            continue
        for condition in sorted(conditions):
            yield Mutant(
                f"{nom}@{date[:7]} sans {condition}",
                "condition retirée d'un article",
                (nom, date),
                lambda n=nom, d=date, c=condition: formule_remplacee(n, d, sans_condition(c)),
            )


@contextmanager
def valeur_remplacee(valeur, nouvelle):
    """Replace one dated value for a while; what openfisca-core keeps of the tree is forgotten."""
    ancienne, valeur.value = valeur.value, nouvelle
    oublier()
    try:
        yield
    finally:
        valeur.value = ancienne
        oublier()


def oublier():
    """Forget the trees already read."""
    type(SYSTEME).get_parameters_at_instant.cache_clear()


def valeurs_voisines(parametre, valeur, alea):
    """List (what is done, nudged value) of one value of a parameter."""
    unite = parametre.metadata.get("unit")
    if isinstance(valeur, bool):
        return [("inversé", not valeur)]
    if isinstance(valeur, list):
        return _listes_voisines(unite, valeur, alea)
    if isinstance(valeur, (int, float)):
        if "jours_etat_urgence_sanitaire" in parametre.name:  # the law asks only whether there is one
            return [("bascule", 0 if valeur else 1)]
        pas = 0.01 if unite == "/1" else 1
        return [(f"+ {pas}", valeur + pas), (f"- {pas}", valeur - pas)]
    try:
        jour = datetime.date.fromisoformat(str(valeur))
    except ValueError:
        return [("changé", f"{valeur}0")]
    un_jour = datetime.timedelta(days=1)
    return [("+ 1 jour", str(jour + un_jour)), ("- 1 jour", str(jour - un_jour))]


def _listes_voisines(unite, valeur, alea):
    variable = "departement" if unite == "liste_de_departements" else "code_naf"
    absents = sorted(set(SYSTEME.get_variable(variable).possible_values.names) - set(valeur) - {"inconnu"})
    ajoute = alea.choice(absents)
    voisines = [(f"avec {ajoute}", [*valeur, ajoute])]
    if valeur:
        retire = alea.choice(valeur)
        voisines.append((f"sans {retire}", [code for code in valeur if code != retire]))
    return voisines


def mutants_des_parametres():
    """Nudge each dated value of each parameter."""
    alea = random.Random(GRAINE)
    for nom, parametre in sorted(PARAMETRES.items()):
        for valeur in parametre.values_list:
            if valeur.value is None:
                continue
            for geste, nouvelle in valeurs_voisines(parametre, valeur.value, alea):
                yield Mutant(
                    f"{nom}@{valeur.instant_str[:7]} {geste}",
                    "paramètre",
                    (nom, valeur.instant_str),
                    lambda v=valeur, n=nouvelle: valeur_remplacee(v, n),
                )


# ---- judgement ----


class Tribunal:
    """The cases, and what each output that they assert reads, known from one traced run of the sound law."""

    def __init__(self):
        self.banc = Banc(charger_les_cas())
        lectures = Lectures(self.banc.verifier())
        self.attentes = defaultdict(list)  # {(output, period): [(case, expectation)]}
        self.cles = {}  # {(output, period): formulas and dated values that it reads}
        self.conditions = defaultdict(set)  # {formula: boolean variables that it reads}
        for rang, cas in enumerate(self.banc.cas):
            for attente in cas.attentes:
                self.attentes[attente[0], attente[2]].append((rang, attente))
        for sortie in self.attentes:
            self.cles[sortie] = {
                cle for calcul in lectures.atteintes(*sortie) for cle in self._cles_d_un_calcul(calcul, lectures)
            }
        for calcul, fils in lectures.fils.items():
            booleens = {nom for nom, _ in fils if SYSTEME.get_variable(nom).value_type is bool}
            self.conditions[cle_de_formule(*calcul)] |= booleens

    @staticmethod
    def _cles_d_un_calcul(calcul, lectures):
        yield cle_de_formule(*calcul)
        for nom, instant in lectures.parametres[calcul]:
            if valeur := valeur_en_vigueur(nom, instant):
                yield nom, valeur.instant_str

    def juger(self, mutant):
        """Return the number of cases that read what the mutant changes, and the case that kills it (or None).

        The outputs that read least are asked first: they are the closest to the change.
        """
        touchees = sorted((s for s, cles in self.cles.items() if mutant.cle in cles), key=lambda s: len(self.cles[s]))
        cas = {rang for sortie in touchees for rang, _ in self.attentes[sortie]}
        with mutant.appliquer():
            simulation = self.banc.simuler()
            for sortie in touchees:
                for rang, attente in self.attentes[sortie]:
                    if self._est_rouge(rang, simulation, attente):
                        return len(cas), self.banc.cas[rang].nom
        return len(cas), None

    def _est_rouge(self, rang, simulation, attente):
        try:
            return any(self.banc.ecarts(rang, simulation, [attente]))
        except Exception:  # a mutant may break in any way, and is then seen
            return True


TRIBUNAL, MUTANTS = [], []  # set before the processes are forked, and shared by them


def juger(indice):
    """Judge one mutant in a process of its own."""
    return indice, *TRIBUNAL[0].juger(MUTANTS[indice])


def lire_les_exceptions():
    """Read {glob pattern: reason} of the survivors that are explained."""
    return yaml.safe_load(EXCEPTIONS.read_text(encoding="utf-8")) or {}


def raison(nom, exceptions):
    """Return the pattern that explains a mutant, or None."""
    return next((motif for motif in exceptions if fnmatch.fnmatchcase(nom, motif)), None)


def main():
    """Judge the mutants and print the survivors; exit code 1 if one is not explained."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("mots", nargs="*", help="words: keep the mutants whose name contains one of them")
    arguments.add_argument("--processes", type=int, default=2)
    options = arguments.parse_args()
    exceptions = lire_les_exceptions()

    TRIBUNAL.append(Tribunal())
    conditions = TRIBUNAL[0].conditions
    candidats = [*mutants_des_conditions(), *mutants_des_articles(conditions), *mutants_des_parametres()]
    retenus = [m for m in candidats if not options.mots or any(mot in m.nom for mot in options.mots)]
    expliques = Counter(raison(m.nom, exceptions) for m in retenus)
    MUTANTS.extend(m for m in retenus if raison(m.nom, exceptions) is None)
    nombre_de_cas = len(TRIBUNAL[0].banc.cas)
    print(f"{nombre_de_cas} cas, {len(MUTANTS)} mutants à juger, {len(retenus) - len(MUTANTS)} expliqués d'avance")

    with multiprocessing.get_context("fork").Pool(options.processes) as bassin:
        jugements = list(bassin.imap_unordered(juger, range(len(MUTANTS)), chunksize=4))
    survivants = [
        (MUTANTS[rang], touches) for rang, touches, tueur in sorted(jugements, key=lambda j: j[0]) if tueur is None
    ]
    afficher(survivants, Counter(m.groupe for m in MUTANTS))
    for motif, motif_raison in exceptions.items():
        if not options.mots and not expliques[motif]:
            print(f"exception sans objet : {motif} ({motif_raison})")
    return 1 if survivants else 0


def afficher(survivants, totaux):
    """Print the survivors by kind, then the scores."""
    for groupe in totaux:
        restants = [(mutant, touches) for mutant, touches in survivants if mutant.groupe == groupe]
        if restants:
            print(f"\n{groupe} : survivants")
        for mutant, touches in restants:
            vus = f"{touches} cas le lisent, aucun ne rougit" if touches else "aucun cas ne le lit"
            print(f"  {mutant.nom} ({vus})")
    print()
    for groupe, total in totaux.items():
        restants = sum(mutant.groupe == groupe for mutant, _ in survivants)
        print(f"{groupe} : {total - restants} tués sur {total}")


if __name__ == "__main__":
    sys.exit(main())
