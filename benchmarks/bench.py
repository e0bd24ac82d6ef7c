"""Measure the engine on this machine, print one table and write it to ``benchmarks/results.md``.

    python benchmarks/bench.py                 # full size: one to four million enterprises
    python benchmarks/bench.py --scale 0.05    # a quick look
    python benchmarks/bench.py --only start,engine

Each measure runs in a process of its own, pinned to one core (two for the measure of workers), so that neither time
nor peak memory owes anything to the others. Times are CPU seconds, which a busy machine changes little, except
that of workers, which is elapsed time. Medians are kept.
"""

import argparse
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RACINE = Path(__file__).resolve().parent
RESULTATS = RACINE / "results.md"
MILLION = 1_000_000
BLOC = 65_536

MOIS_3_24, MOIS_3_28 = ("2021-03",), ("2021-06", "2021-07", "2021-08", "2021-09")
DOUZE_MOIS = "2020-10:2021-09"
SORTIES_3_24 = ("fds_article_3_24_eligible", "fds_article_3_24_montant")
SORTIES_3_28 = ("fds_article_3_28_eligible", "fds_article_3_28_montant")


def horloge() -> float:
    """CPU seconds of this process: single-threaded measures owe nothing to what else the machine does."""
    return time.process_time()


# ---- measures: each runs in a child process and returns a dictionary of numbers ----


def depart() -> dict:
    """Measure the time and memory of ``import openfisca_fds`` and of the construction of the system."""
    avant = pic()
    debut = horloge()
    import openfisca_fds

    openfisca_fds.CountryTaxBenefitSystem()
    return {"secondes": horloge() - debut, "octets": pic(), "octets_avant": avant}


def population(chemin: str, lignes: int) -> dict:
    """Write a population made by the project's generator."""
    from openfisca_fds_tools.population.parquet import ParquetAppender
    from openfisca_fds_tools.synthetic import generer

    debut = horloge()
    part = Path(f"{chemin}.part")
    with ParquetAppender(Path(f"{chemin}.partiel")) as tout:
        for table in generer(lignes, 1):
            table.write_parquet(part, compression="zstd", compression_level=1, statistics=False)
            tout.append(part)
    part.unlink()
    Path(f"{chemin}.partiel").replace(chemin)
    return {"secondes": horloge() - debut, "octets": pic()}


def moteur(chemin: str, sans_moteur: int) -> dict:
    """One block, articles 3-24 and 3-28: the engine, or the same formulas on bare NumPy arrays."""
    from openfisca_fds_tools.population import engine, reading

    plan = engine.planifier(engine.Demande((*MOIS_3_24, *MOIS_3_28), (*SORTIES_3_24, *SORTIES_3_28)))
    lu = reading.lire_bloc(reading.Bloc(0, chemin, 0, BLOC, "", 0), plan.tbs, ("",))
    durees = {}
    for article, mois, sorties in (("3_24", MOIS_3_24, SORTIES_3_24), ("3_28", MOIS_3_28, SORTIES_3_28)):
        essais = []
        for _ in range(7):
            debut = horloge()
            if sans_moteur:
                nu = Nu(plan.tbs, lu)
                somme = sum(nu.calculate(sorties[1], periode(m)).sum() for m in mois)
            else:
                simulation = engine.SimulationDeBloc(plan.tbs, lu.rang_groupe, lu.nb_groupes)
                for cle, (valeurs, connues) in lu.entrees.items():
                    simulation.fournir(*cle, valeurs, connues)
                somme = sum(simulation.calculate(sorties[1], periode(m)).sum() for m in mois)
            essais.append(horloge() - debut)
        durees[f"ns_{article}"] = statistics.median(essais) / BLOC / len(mois) * 1e9
        durees[f"somme_{article}"] = float(somme)
    return durees


def a_la_main(chemin: str) -> dict:
    """Article 3-28 of August 2021 from reference, loss and sectors: engine against hand-written NumPy."""
    import numpy

    from openfisca_fds_tools.population import engine, reading

    tbs = engine.planifier(engine.Demande(("2021-08",), SORTIES_3_28)).tbs
    lu = reading.lire_bloc(reading.Bloc(0, chemin, 0, BLOC, "", 0), tbs, ("",))
    amont = engine.SimulationDeBloc(tbs, lu.rang_groupe, lu.nb_groupes)
    for cle, (valeurs, connues) in lu.entrees.items():
        amont.fournir(*cle, valeurs, connues)
    donnees = {nom: numpy.asarray(amont.calculate(nom, periode("2021-08"))) for nom in AMONT_3_28}
    parametres = tbs.get_parameters_at_instant("2021-08").fonds_de_solidarite.depuis_juin_2021
    essais_moteur, essais_main = [], []
    for _ in range(15):
        debut = horloge()
        simulation = engine.SimulationDeBloc(tbs, lu.rang_groupe, lu.nb_groupes)
        for nom, valeurs in donnees.items():
            simulation.get_holder(nom).put_in_cache(valeurs, periode("2021-08"))
        du_moteur = simulation.calculate(SORTIES_3_28[1], periode("2021-08"))
        essais_moteur.append(horloge() - debut)
        debut = horloge()
        de_la_main = article_3_28_a_la_main(donnees, parametres)
        essais_main.append(horloge() - debut)
        if not numpy.array_equal(du_moteur, de_la_main):
            raise AssertionError("Article 3-28 written by hand differs from the model.")
    return {
        "ns_moteur": statistics.median(essais_moteur) / BLOC * 1e9,
        "ns_main": statistics.median(essais_main) / BLOC * 1e9,
    }


AMONT_3_28 = (
    "chiffre_affaires",
    "chiffre_affaires_reference",
    "perte_chiffre_affaires",
    "fds_pensions_et_indemnites",
    "jours_interdiction_accueil_public",
    "jours_confinement",
    "jours_couvre_feu_ou_confinement",
    "etat_urgence_sanitaire",
    "fds_secteur_protege_2021",
    "fds_aide_anterieure_secteurs",
    "fds_aide_anterieure_avril_ou_mai_2021",
    "fds_effectif_groupe_sous_plafond",
    "fds_beneficiaire",
    "fds_sans_arrete_de_fermeture",
    "fds_activite_debutee_a_temps",
    "fds_sans_contrat_temps_complet",
    "fds_sans_dette_impayee",
)


def article_3_28_a_la_main(d: dict, p):
    """Article 3-28 in August 2021, as one would write it for speed: branches of the I, then of the II."""
    import numpy

    ca, ref, perte = d["chiffre_affaires"], d["chiffre_affaires_reference"], d["perte_chiffre_affaires"]
    c_ca, c_ref, c_perte = (numpy.rint(100 * x).astype(numpy.int64) for x in (ca, ref, perte))
    positive = ref > 0

    def atteint(montant, taux):
        return (montant * 10_000 >= round(10_000 * taux) * c_ref) & positive

    perte_20, perte_50, perte_10 = atteint(c_perte, 0.2), atteint(c_perte, 0.5), atteint(c_perte, 0.1)
    jours = d["jours_interdiction_accueil_public"]
    confine = d["jours_confinement"] >= p.confinement.duree_minimale
    mesures = d["etat_urgence_sanitaire"] & (d["jours_couvre_feu_ou_confinement"] >= p.secteurs.duree_mesures)
    continue_ = (jours == 31) & perte_20
    if p.fermeture_continue.aide_anterieure_exigee:
        continue_ &= d["fds_aide_anterieure_avril_ou_mai_2021"]
    prolongee = (jours >= p.fermeture_prolongee.duree_minimale) & perte_50
    fermee_confinee = (jours > 0) & d["etat_urgence_sanitaire"] & confine & perte_20
    secteurs = d["fds_secteur_protege_2021"] & perte_10 & d["fds_aide_anterieure_secteurs"]
    secteurs &= atteint(c_ca, p.secteurs.taux_activite_minimale)
    du_i = continue_ | prolongee | fermee_confinee | secteurs
    du_ii = ~du_i & d["fds_effectif_groupe_sous_plafond"] & perte_50 & confine

    vingt = 0.2 * ref
    taux = numpy.where(mesures, p.secteurs.taux_perte_mesures_prolongees, p.secteurs.taux_perte)
    aide = numpy.where(continue_ | prolongee, vingt, 0)
    confinement = numpy.minimum(perte, p.confinement.plafond)
    aide = numpy.maximum(aide, confinement * (fermee_confinee | du_ii))
    aide = numpy.maximum(aide, numpy.minimum(taux * perte, vingt) * secteurs)
    eligible = du_i | du_ii
    for nom in AMONT_3_28[-5:]:
        eligible = eligible & d[nom]
    return numpy.maximum(aide - d["fds_pensions_et_indemnites"], 0) * eligible


class Nu:
    """The formulas of the law on bare NumPy arrays: a dictionary instead of a simulation, nothing else.

    It shows what the engine costs above the arithmetic of the very same formulas.
    """

    def __init__(self, tbs, lu) -> None:
        import numpy

        self.tbs, self.codes, self.nombre_groupes = tbs, lu.rang_groupe, lu.nb_groupes
        self.tables = {}
        self.entreprise = _EntiteNue(self, "entreprise", len(lu.rang_groupe))
        self.les_groupes = _EntiteNue(self, "groupe", lu.nb_groupes)
        for (nom, mois), (valeurs, connues) in lu.entrees.items():
            variable = tbs.variables[nom]
            if connues is None or not variable.formulas:
                if variable.value_type.__name__ == "Enum":
                    valeurs = _enum(variable, valeurs)
                self.tables[nom, mois] = valeurs
        self.numpy = numpy

    def calculate(self, nom, p):
        """Value of a variable, computed once."""
        variable = self.tbs.variables[nom]
        cle = nom, None if str(variable.definition_period) == "eternity" else str(p)
        if cle not in self.tables:
            entite = self.entreprise if variable.entity.is_person else self.les_groupes
            formule = variable.get_formula(p)
            if formule is None:
                valeurs = variable.default_array(entite.count)
            elif formule.__code__.co_argcount == 2:
                valeurs = formule(entite, p)
            else:
                valeurs = formule(entite, p, self.tbs.get_parameters_at_instant)
            self.tables[cle] = valeurs
        return self.tables[cle]


class _EntiteNue:
    def __init__(self, nu, cle, nombre) -> None:
        self.nu, self.cle, self.count = nu, cle, nombre

    def __call__(self, nom, p, options=None):
        if options:
            return sum(self.nu.calculate(nom, mois) for mois in p.get_subperiods("month"))
        return self.nu.calculate(nom, p)

    def groupe(self, nom, p):
        return self.nu.calculate(nom, p)[self.nu.codes]

    def members(self, nom, p):
        return self.nu.calculate(nom, p)

    def sum(self, valeurs):
        return self.nu.numpy.bincount(self.nu.codes, weights=valeurs, minlength=self.count)

    def nb_persons(self):
        return self.nu.numpy.bincount(self.nu.codes, minlength=self.count)


def _enum(variable, valeurs):
    from openfisca_core.indexed_enums import EnumArray

    return EnumArray(valeurs, variable.possible_values)


def naif(chemin: str, lignes: int) -> dict:
    """openfisca-core used naively: one simulation of everybody, nothing deleted."""
    import polars as pl

    from openfisca_fds_tools.population import engine, model, reading

    tbs = model.systeme()
    debut = horloge()
    lu = reading.lire_bloc(reading.Bloc(0, chemin, 0, lignes, "", 0), tbs, ("",))
    lecture = horloge() - debut
    simulation = engine.SimulationDeBloc(tbs, lu.rang_groupe, lu.nb_groupes)
    for cle, (valeurs, connues) in lu.entrees.items():
        simulation.fournir(*cle, valeurs, connues)
    debut = horloge()
    mois = model.mois_demandes(DOUZE_MOIS)
    somme = pl.Series([simulation.calculate("fds_volet_1", m).sum() for m in mois]).sum()
    return {"secondes": horloge() - debut, "lecture": lecture, "octets": pic(), "somme": somme}


def complet(chemin: str, mois: str, sorties: str, ouvriers: int, bloc: int, detail: int) -> dict:
    """Our engine, end to end."""
    from openfisca_fds_tools.population import simulate

    debut = horloge()
    with tempfile.TemporaryDirectory() as dossier:
        resultats = simulate(
            chemin,
            months=mois or None,
            outputs=sorties.split(",") if sorties else None,
            workers=ouvriers,
            block_size=bloc,
            output=dossier,
            detail=bool(detail),
        )
    carte = resultats.carte
    return {
        "secondes": horloge() - debut,
        "secondes_mur": carte["secondes"]["total"],
        **{f"secondes_{nom}": duree for nom, duree in carte["secondes"].items()},
        "octets": carte["memoire_maximale_octets"],
        "entreprises_mois": carte["entreprises_mois"],
        "total": carte["totaux"].get("fds_volet_1"),
    }


def plancher(chemin: str) -> dict:
    """Floor of the end-to-end run: decode the same columns, bare formulas, write the same output."""
    import polars as pl

    from openfisca_fds_tools.population import engine, model, reading, run

    tbs = model.systeme()
    plan = engine.planifier(engine.Demande((*MOIS_3_24, *MOIS_3_28), (*SORTIES_3_24, *SORTIES_3_28)))
    debut = horloge()
    lignes = pl.scan_parquet(chemin).select(pl.len()).collect().item()
    decodage = calcul = ecriture = 0.0
    with tempfile.TemporaryDirectory() as dossier:
        for numero, premiere in enumerate(range(0, lignes, BLOC)):
            t0 = horloge()
            table = pl.scan_parquet(chemin).slice(premiere, BLOC).collect()
            t1 = horloge()
            lu = reading._convertir(
                table, reading._colonnes(tuple(table.columns), tbs), reading._Refus(table, [""], None, _sans_doublon())
            )
            t2 = horloge()
            nu = Nu(tbs, lu)
            for mois in plan.demande.mois:
                valeurs = {nom: nu.calculate(nom, periode(mois)) for nom in plan.mensuelles}
                t3 = horloge()
                calcul += t3 - t2
                colonne = pl.repeat(mois, table.height, dtype=pl.String, eager=True).alias("mois")
                sortie = pl.DataFrame([table["id"], table["groupe"], colonne]).with_columns(
                    pl.Series(nom, v) for nom, v in valeurs.items()
                )
                run.ecrire(sortie, Path(dossier) / f"{numero}-{mois}.parquet")
                t2 = horloge()
                ecriture += t2 - t3
            decodage += t1 - t0
    return {
        "secondes": decodage + calcul + ecriture,
        "decodage": decodage,
        "calcul": calcul,
        "ecriture": ecriture,
        "mur": horloge() - debut,
    }


def _sans_doublon():
    from openfisca_fds_tools.population.reading import Bloc

    return Bloc(0, "", 0, 0, "", 0)


def constructeur(chemin: str, lignes: int) -> dict:
    """Use the JSON way: ``SimulationBuilder.build_from_entities``, then one month."""
    import polars as pl
    from openfisca_core.simulations import SimulationBuilder

    from openfisca_fds_tools.population import model

    tbs = model.systeme()
    table = pl.scan_parquet(chemin).head(lignes).collect()
    entreprises, groupes = {}, {}
    for ligne in table.iter_rows(named=True):
        identifiant = str(ligne["id"])
        entrees = entreprises[identifiant] = {}
        groupes.setdefault(str(ligne["groupe"]), {"membres": []})["membres"].append(identifiant)
        for nom, valeur in ligne.items():
            variable, _, mois = nom.partition(":")
            if variable in tbs.variables and valeur and mois <= "2021-03":  # false, 0 and later months are left out
                texte = str(valeur) if variable.startswith("date") else valeur
                entrees[variable] = entrees.get(variable, {}) | {mois or "ETERNITY": texte}
    debut = horloge()
    simulation = SimulationBuilder().build_from_entities(tbs, {"entreprises": entreprises, "groupes": groupes})
    somme = simulation.calculate("fds_volet_1", "2021-03").sum()
    return {"secondes": horloge() - debut, "somme": float(somme)}


# ---- machinery ----


def pic() -> int:
    """Peak resident memory of this process, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def periode(mois: str):
    """Period of the core."""
    from openfisca_core import periods

    return periods.period(mois)


MESURES = {f.__name__: f for f in (depart, population, moteur, a_la_main, naif, complet, plancher, constructeur)}


def mesurer(nom: str, *arguments, coeurs: int = 1, fois: int = 1) -> dict:
    """Run a measure in child processes; medians of each number."""
    essais = []
    for _ in range(fois):
        permis = sorted(os.sched_getaffinity(0))[:coeurs] if hasattr(os, "sched_getaffinity") else None
        environnement = os.environ | {"POLARS_MAX_THREADS": str(coeurs), "PYTHONPATH": str(RACINE.parent)}
        commande = [sys.executable, __file__, "--child", nom, json.dumps(arguments)]
        processus = subprocess.run(
            commande,
            capture_output=True,
            text=True,
            env=environnement,
            preexec_fn=(lambda p=permis: os.sched_setaffinity(0, p)) if permis else None,
        )
        if processus.returncode:
            raise SystemExit(f"{nom}{arguments}: {processus.stderr}")
        essais.append(json.loads(processus.stdout.splitlines()[-1]))
    return {
        cle: statistics.median(essai[cle] for essai in essais) if isinstance(valeur, (int, float)) else valeur
        for cle, valeur in essais[0].items()
    }


class Rapport:
    """Lines of the table."""

    def __init__(self) -> None:
        self.lignes: list[tuple[str, str, str]] = []

    def ajouter(self, mesure: str, valeur: str, attendu: str = "") -> None:
        """Print a line and keep it for the file."""
        self.lignes.append((mesure, valeur, attendu))
        print(f"{mesure:<72} {valeur:>32}   {attendu}", flush=True)

    def ecrire(self, echelle: float) -> None:
        """Write the table as Markdown."""
        entete = [
            "# Benchmarks",
            "",
            "Written by `make bench` from one run. Medians; each measure in a process pinned to one core;",
            "CPU seconds, except for workers (elapsed time).",
            "",
            f"Machine: {platform.processor() or platform.machine()}, {os.cpu_count()} cores, "
            f"Python {platform.python_version()}. Scale: {echelle:g} (1 = one million enterprises).",
            "",
            "| Measure | Result | Aim |",
            "| --- | ---: | --- |",
        ]
        corps = [f"| {mesure} | {valeur} | {attendu} |" for mesure, valeur, attendu in self.lignes]
        RESULTATS.write_text("\n".join(entete + corps) + "\n", encoding="utf-8")


def start(rapport, ici, n, fois):
    m = mesurer("depart", fois=fois)
    rapport.ajouter("import + construction of the system", f"{m['secondes']:.2f} s", "< 1 s")
    rapport.ajouter("its peak memory", f"{m['octets'] / 2**20:.0f} MiB", "< 150 MB")


def engine(rapport, ici, n, fois):
    chemin = ici(max(n, BLOC))
    avec, sans = mesurer("moteur", chemin, 0, fois=fois), mesurer("moteur", chemin, 1, fois=fois)
    for article in ("3_24", "3_28"):
        if avec[f"somme_{article}"] != sans[f"somme_{article}"]:
            raise SystemExit(f"Article {article}: the engine and the bare formulas differ.")
        a, s = avec[f"ns_{article}"], sans[f"ns_{article}"]
        nom = article.replace("_", "-")
        rapport.ajouter(
            f"1. art. {nom} from the inputs: engine / same formulas on bare NumPy",
            f"{a:.0f} / {s:.0f} ns = {a / s:.2f}",
            "≤ 1.3",
        )
    m = mesurer("a_la_main", chemin, fois=fois)
    rapport.ajouter(
        "1. art. 3-28 (August) from reference and loss: engine / NumPy by hand",
        f"{m['ns_moteur']:.0f} / {m['ns_main']:.0f} ns = {m['ns_moteur'] / m['ns_main']:.2f}",
        "≤ 1.3",
    )


def naive(rapport, ici, n, fois):
    chemin = ici(n)
    notre = mesurer("complet", chemin, DOUZE_MOIS, "fds_volet_1", 1, BLOC, 0, fois=fois)
    leur = mesurer("naif", chemin, n, fois=fois)
    temps = leur["secondes"] + leur["lecture"]
    rapport.ajouter(
        f"2. naive core / engine, {n:,} × 12 months, time (reading included)",
        f"{temps:.1f} / {notre['secondes']:.1f} s = {temps / notre['secondes']:.1f}",
        "≥ 3",
    )
    rapport.ajouter(
        "2. naive core / engine, peak memory",
        f"{leur['octets'] / 2**20:.0f} / {notre['octets'] / 2**20:.0f} MiB = {leur['octets'] / notre['octets']:.1f}",
        "≥ 10",
    )


def builder(rapport, ici, n, fois):
    lignes = min(10_000, n)
    chemin = ici(lignes)
    leur = mesurer("constructeur", chemin, lignes)
    notre = mesurer("complet", chemin, "2021-03", "fds_volet_1", 1, BLOC, 0, fois=fois)
    rapport.ajouter(
        f"3. JSON builder / engine, {lignes:,} × 1 month",
        f"{leur['secondes']:.1f} / {notre['secondes']:.2f} s = {leur['secondes'] / notre['secondes']:.0f}",
    )


def end_to_end(rapport, ici, n, fois):
    chemin = ici(n)
    mois = ",".join((*MOIS_3_24, *MOIS_3_28))
    sorties = ",".join((*SORTIES_3_24, *SORTIES_3_28))
    notre = mesurer("complet", chemin, mois, sorties, 1, BLOC, 1, fois=fois)
    sol = mesurer("plancher", chemin, fois=fois)
    rapport.ajouter(
        f"4. Parquet to Parquet, {n:,} × months of 3-24 and 3-28: engine / floor",
        f"{notre['secondes']:.1f} / {sol['secondes']:.1f} s = {notre['secondes'] / sol['secondes']:.2f}",
        "≤ 1.5",
    )
    rapport.ajouter(
        "   floor: decode, bare formulas, write",
        f"{sol['decodage']:.1f} + {sol['calcul']:.1f} + {sol['ecriture']:.1f} s",
    )


def growth(rapport, ici, n, fois):
    reference = None
    for facteur in (1, 2, 4):
        m = mesurer("complet", ici(facteur * n), "", "", 1, BLOC, 1, fois=fois)
        par_ligne = m["secondes"] / m["entreprises_mois"] * 1e9
        reference = reference or par_ligne
        rapport.ajouter(
            f"5. {facteur * n:,} × 24 months, all articles, all results written",
            f"{m['secondes']:.0f} s, {par_ligne:.0f} ns per enterprise-month ({par_ligne / reference - 1:+.0%})",
            "within 5 % of linear",
        )
        parts = [f"{nom} {m[f'secondes_{nom}']:.1f}" for nom in ("ouverture", "calcul", "ecriture")]
        rapport.ajouter(
            "   opening, blocks, assembly; peak memory",
            f"{', '.join(parts)} s; {m['octets'] / 2**20:.0f} MiB",
            "≤ 500 MB",
        )


def workers(rapport, ici, n, fois):
    chemin = ici(2 * n)
    un = mesurer("complet", chemin, "", "", 1, BLOC, 1, fois=fois)
    deux = mesurer("complet", chemin, "", "", 2, BLOC, 1, coeurs=2, fois=fois)
    if un["total"] != deux["total"]:
        raise SystemExit("One and two workers give different totals.")
    rapport.ajouter(
        f"5. {2 * n:,} × 24 months: 1 worker / 2 workers",
        f"{un['secondes_mur']:.0f} / {deux['secondes_mur']:.0f} s = {un['secondes_mur'] / deux['secondes_mur']:.2f}",
        "≥ 1.7",
    )
    blocs = {taille: mesurer("complet", chemin, "", "", 1, taille, 0) for taille in (10_000, 100_000)}
    if len({m["total"] for m in (un, *blocs.values())}) > 1:
        raise SystemExit("Block sizes give different totals.")
    rapport.ajouter(
        "5. totals of 1 and 2 workers, blocks of 10,000, 65,536, 100,000", "identical to the cent", "identical"
    )


SECTIONS = {f.__name__: f for f in (start, engine, naive, builder, end_to_end, growth, workers)}


def main() -> None:
    analyseur = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    analyseur.add_argument("--scale", type=float, default=1.0, help="1: one million enterprises")
    analyseur.add_argument("--repeat", type=int, default=3, help="runs of each measure")
    analyseur.add_argument("--only", default=",".join(SECTIONS), help="sections, separated by commas")
    analyseur.add_argument("--data", type=Path, help="folder of the populations (kept); a temporary one by default")
    analyseur.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = analyseur.parse_args()
    if options.child:
        nom, arguments = options.child
        print(json.dumps(MESURES[nom](*json.loads(arguments))))
        return
    with tempfile.TemporaryDirectory(dir=options.data) as temporaire:
        dossier = options.data or Path(temporaire)

        def ici(lignes: int) -> str:
            """Make a population of so many rows, once."""
            chemin = dossier / f"population-{lignes}.parquet"
            if not chemin.exists():
                mesurer("population", str(chemin), lignes, coeurs=2)
            return str(chemin)

        rapport = Rapport()
        for nom in options.only.split(","):
            SECTIONS[nom](rapport, ici, max(int(options.scale * MILLION), 1_000), options.repeat)
        rapport.ecrire(options.scale)


if __name__ == "__main__":
    main()
