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


def extrait(source: str, chemin: str, lignes: int) -> dict:
    """Write the first rows of a population as a smaller one."""
    import polars as pl

    options = {"compression": "zstd", "compression_level": 1, "statistics": False, "row_group_size": BLOC}
    pl.scan_parquet(source).head(lignes).sink_parquet(f"{chemin}.partiel", **options)
    Path(f"{chemin}.partiel").replace(chemin)
    return {}


def moteur(chemin: str) -> dict:
    """One block, articles 3-24 and 3-28, in turn: the engine, and the same formulas on bare NumPy arrays."""
    from openfisca_fds_tools.population import backends, engine, reading

    backends.garder_la_memoire()  # for both sides

    plan = engine.planifier(engine.Demande((*MOIS_3_24, *MOIS_3_28), (*SORTIES_3_24, *SORTIES_3_28)))
    lu = reading.lire_bloc(reading.Bloc(0, chemin, 0, BLOC, "", 0), plan.tbs, ("",))

    def du_moteur(sortie, mois):
        simulation = engine.SimulationDeBloc(plan.tbs, lu.rang_groupe, lu.nb_groupes)
        for cle, (valeurs, connues) in lu.entrees.items():
            simulation.fournir(*cle, valeurs, connues)
        somme = sum(simulation.calculate(sortie, periode(m)).sum() for m in mois)
        simulation.vider()
        return somme

    def du_nu(sortie, mois):
        nu = Nu(plan.tbs, lu)
        return sum(nu.calculate(sortie, periode(m)).sum() for m in mois)

    durees = {}
    for article, mois, sorties in (("3_24", MOIS_3_24, SORTIES_3_24), ("3_28", MOIS_3_28, SORTIES_3_28)):
        moteur_, nu_, sommes = comparer(
            lambda s=sorties[1], m=mois: du_moteur(s, m), lambda s=sorties[1], m=mois: du_nu(s, m), 15
        )
        if sommes[0] != sommes[1]:
            raise AssertionError(f"Article {article}: the engine and the bare formulas differ.")
        durees[f"ns_moteur_{article}"] = moteur_ / BLOC / len(mois) * 1e9
        durees[f"ns_nu_{article}"] = nu_ / BLOC / len(mois) * 1e9
    return durees


def comparer(un, autre, fois: int) -> tuple[float, float, tuple]:
    """Median seconds of two functions run in turn, and their last results."""
    durees = [], []
    for _ in range(fois):
        resultats = []
        for essais, fonction in zip(durees, (un, autre), strict=True):
            debut = horloge()
            resultats.append(fonction())
            essais.append(horloge() - debut)
    return statistics.median(durees[0]), statistics.median(durees[1]), tuple(resultats)


def a_la_main(chemin: str) -> dict:
    """Article 3-28 of August 2021 from reference, loss and sectors: engine against hand-written NumPy."""
    import numpy

    from openfisca_fds_tools.population import backends, engine, reading

    backends.garder_la_memoire()  # for both sides

    tbs = engine.planifier(engine.Demande(("2021-08",), SORTIES_3_28)).tbs
    lu = reading.lire_bloc(reading.Bloc(0, chemin, 0, BLOC, "", 0), tbs, ("",))
    amont = engine.SimulationDeBloc(tbs, lu.rang_groupe, lu.nb_groupes)
    for cle, (valeurs, connues) in lu.entrees.items():
        amont.fournir(*cle, valeurs, connues)
    donnees = {nom: numpy.asarray(amont.calculate(nom, periode("2021-08"))) for nom in AMONT_3_28}
    parametres = tbs.get_parameters_at_instant("2021-08").fonds_de_solidarite.depuis_juin_2021

    def du_moteur():
        simulation = engine.SimulationDeBloc(tbs, lu.rang_groupe, lu.nb_groupes)
        for nom, valeurs in donnees.items():
            simulation.get_holder(nom).put_in_cache(valeurs, periode("2021-08"))
        resultat = simulation.calculate(SORTIES_3_28[1], periode("2021-08"))
        simulation.vider()
        return resultat

    moteur_, main_, resultats = comparer(du_moteur, lambda: article_3_28_a_la_main(donnees, parametres), 31)
    if not numpy.array_equal(*resultats):
        raise AssertionError("Article 3-28 written by hand differs from the model.")
    return {"ns_moteur": moteur_ / BLOC * 1e9, "ns_main": main_ / BLOC * 1e9}


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


def naif(chemin: str) -> dict:
    """openfisca-core used naively, as its documentation says: one simulation of everybody, nothing deleted.

    The populations are built by ``SimulationBuilder`` from arrays, and each column is given by ``set_input``.
    """
    import numpy
    import polars as pl
    from openfisca_core.simulations import SimulationBuilder

    from openfisca_fds_tools.population import model, reading

    tbs = model.systeme()
    debut = horloge()
    table = pl.read_parquet(chemin)
    constructeur = SimulationBuilder()
    constructeur.create_entities(tbs)
    constructeur.declare_person_entity("entreprise", table["id"].to_numpy())
    groupes = table["groupe"].to_numpy()
    declares = constructeur.declare_entity("groupe", numpy.unique(groupes))
    constructeur.join_with_persons(declares, groupes, numpy.array(["membre"] * table.height))
    simulation = constructeur.build(tbs)
    for nom, colonne in reading._colonnes(tuple(table.columns), tbs).items():
        valeurs = table[nom]
        if valeurs.null_count() and colonne.variable.formulas:
            continue
        if valeurs.dtype in (pl.String, pl.Categorical, pl.Enum):
            valeurs = valeurs.cast(pl.String).to_numpy().astype(str)
        else:
            valeurs = valeurs.to_numpy()
        simulation.set_input(colonne.variable.name, colonne.mois or "ETERNITY", valeurs)
    poids = table["poids"].to_numpy()
    somme = sum((simulation.calculate("fds_volet_1", m) * poids).sum() for m in model.mois_demandes(DOUZE_MOIS))
    return {"secondes": horloge() - debut, "octets": pic(), "somme": float(somme)}


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


def repartition(chemin: str) -> dict:
    """Profile of a block of all months and articles: CPU nanoseconds per enterprise-month."""
    from openfisca_fds_tools.population import engine, model, reading, run, simulate

    durees: dict[str, float] = {}

    def chronometrer(porteur, attribut, nom):
        vraie = getattr(porteur, attribut)

        def mesuree(*arguments, **options):
            debut = horloge()
            try:
                return vraie(*arguments, **options)
            finally:
                durees[nom] = durees.get(nom, 0) + horloge() - debut

        setattr(porteur, attribut, mesuree)

    model.systeme()
    chronometrer(reading, "lire_bloc", "reading of the blocks")
    chronometrer(engine, "calculer", "computation")
    chronometrer(run, "ecrire", "encoding of the results")
    chronometrer(run, "_assembler", "assembly of the files")
    chronometrer(reading, "ouvrir", "identifiers and groups")
    debut = horloge()
    with tempfile.TemporaryDirectory() as dossier:
        cellules = simulate(chemin, workers=1, block_size=BLOC, output=dossier).carte["entreprises_mois"]
    total = horloge() - debut
    durees["computation"] -= durees["encoding of the results"]
    durees["rest (plan, checksums, copies)"] = total - sum(durees.values())
    return {nom: duree / cellules * 1e9 for nom, duree in durees.items()}


def plancher(chemin: str) -> dict:
    """Floor of the end-to-end run: decode the same columns, bare formulas, write the same output."""
    import polars as pl

    from openfisca_fds_tools.population import backends, engine, model, reading, run

    backends.garder_la_memoire()  # for both sides

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


MESURES = {
    f.__name__: f
    for f in (depart, population, extrait, moteur, a_la_main, naif, complet, repartition, plancher, constructeur)
}


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
    """Lines of the table, section by section.

    Args:
        memoire: file that keeps the sections measured before in the same folder of data.
    """

    def __init__(self, memoire: Path) -> None:
        self._memoire = memoire
        self.sections: dict[str, list] = json.loads(memoire.read_text("utf-8")) if memoire.exists() else {}

    def commencer(self, section: str) -> None:
        """Begin a section, in place of what was measured before."""
        self._lignes = self.sections[section] = []

    def ajouter(self, mesure: str, valeur: str, attendu: str = "") -> None:
        """Print a line and keep it for the file."""
        self._lignes.append((mesure, valeur, attendu))
        print(f"{mesure:<72} {valeur:>32}   {attendu}", flush=True)

    def ecrire(self, echelle: float) -> None:
        """Write the table as Markdown."""
        self._memoire.write_text(json.dumps(self.sections, ensure_ascii=False, indent=1), encoding="utf-8")
        lignes = [ligne for nom in SECTIONS for ligne in self.sections.get(nom, [])]
        entete = [
            "# Benchmarks",
            "",
            "Written by `make bench`. Each measure runs in a process pinned to one core; medians of the runs asked for",
            "(`--repeat`; the last run of each section when `--data` keeps a folder);",
            "CPU seconds, except for workers (elapsed time, which a machine shared with others blurs).",
            "",
            f"Machine: {platform.processor() or platform.machine()}, {os.cpu_count()} cores, "
            f"Python {platform.python_version()}. Scale: {echelle:g} (1 = one million enterprises).",
            "",
            "| Measure | Result | Aim |",
            "| --- | ---: | --- |",
        ]
        corps = [f"| {mesure} | {valeur} | {attendu} |" for mesure, valeur, attendu in lignes]
        RESULTATS.write_text("\n".join(entete + corps) + "\n", encoding="utf-8")


def start(rapport, ici, n, fois):
    m = mesurer("depart", fois=fois)
    rapport.ajouter("import + construction of the system", f"{m['secondes']:.2f} s", "< 1 s")
    rapport.ajouter("its peak memory", f"{m['octets'] / 2**20:.0f} MiB", "< 150 MB")


def engine(rapport, ici, n, fois):
    chemin = ici(max(n, BLOC))
    m = mesurer("moteur", chemin, fois=fois)
    for article in ("3_24", "3_28"):
        a, s = m[f"ns_moteur_{article}"], m[f"ns_nu_{article}"]
        rapport.ajouter(
            f"1. art. {article.replace('_', '-')} from the inputs: engine / same formulas on bare NumPy",
            f"{a:.0f} / {s:.0f} ns = {a / s:.2f}",
            "≤ 1.3",
        )
    m = mesurer("a_la_main", chemin, fois=fois)
    rapport.ajouter(
        "1. art. 3-28 (August) from reference and loss: engine / NumPy by hand",
        f"{m['ns_moteur']:.1f} / {m['ns_main']:.1f} ns = {m['ns_moteur'] / m['ns_main']:.2f}",
        "≤ 1.3",
    )


def naive(rapport, ici, n, fois):
    chemin = ici(n)
    notre = mesurer("complet", chemin, DOUZE_MOIS, "fds_volet_1", 1, BLOC, 0, fois=fois)
    leur = mesurer("naif", chemin)
    if abs(leur["somme"] - notre["total"]) > 0.01:
        raise SystemExit(f"Naive core and engine differ: {leur['somme']} and {notre['total']}.")
    rapport.ajouter(
        f"2. naive core / engine, {n:,} × 12 months, fds_volet_1: time, reading included",
        f"{leur['secondes']:.1f} / {notre['secondes']:.1f} s = {leur['secondes'] / notre['secondes']:.1f}",
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
    notre = mesurer("complet", chemin, MOIS_DE_CROISSANCE, SORTIES_DE_CROISSANCE, 1, BLOC, 1, fois=fois)
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


MOIS_DE_CROISSANCE = ",".join((*MOIS_3_24, *MOIS_3_28))
SORTIES_DE_CROISSANCE = ",".join((*SORTIES_3_24, *SORTIES_3_28))


def growth(rapport, ici, n, fois):
    def mesure(lignes):
        return mesurer("complet", ici(lignes), MOIS_DE_CROISSANCE, SORTIES_DE_CROISSANCE, 1, BLOC, 1, fois=fois)

    demarrage = mesure(1_000)["secondes"]  # imports, plan, system: the same whatever the population
    rapport.ajouter("5. the same on 1,000 enterprises: what a run costs before its first block", f"{demarrage:.2f} s")
    reference = None
    for facteur in (1, 2, 4):
        m = mesure(facteur * n)
        par_ligne = (m["secondes"] - demarrage) / m["entreprises_mois"] * 1e9
        reference = reference or par_ligne
        rapport.ajouter(
            f"5. {facteur * n:,} × months of 3-24 and 3-28, one worker",
            f"{m['secondes']:.1f} s; start left out, {par_ligne:.0f} ns per enterprise-month "
            f"({par_ligne / reference - 1:+.0%}), {m['octets'] / 2**20:.0f} MiB",
            "within 5 % of linear",
        )


def everything(rapport, ici, n, fois):
    m = mesurer("complet", ici(4 * n), "", "", 1, BLOC, 1)
    rapport.ajouter(
        f"4. {4 * n:,} × 24 months, all articles, all results written",
        f"{m['secondes']:.0f} s, {m['secondes'] / m['entreprises_mois'] * 1e9:.0f} ns per enterprise-month",
    )
    rapport.ajouter("   peak memory of the process", f"{m['octets'] / 2**20:.0f} MiB", "≤ 500 MB")
    parts = mesurer("repartition", ici(n))
    for nom, duree in parts.items():
        rapport.ajouter(f"   profile, {nom}", f"{duree:.0f} ns per enterprise-month")


def workers(rapport, ici, n, fois):
    chemin, demande = ici(n), (MOIS_DE_CROISSANCE, "fds_volet_1")
    un = mesurer("complet", chemin, "", "", 1, BLOC, 1, fois=fois)
    deux = mesurer("complet", chemin, "", "", 2, BLOC, 1, coeurs=2, fois=fois)
    if un["total"] != deux["total"]:
        raise SystemExit("One and two workers give different totals.")
    rapport.ajouter(
        f"5. {n:,} × 24 months: 1 worker / 2 workers, elapsed",
        f"{un['secondes_mur']:.0f} / {deux['secondes_mur']:.0f} s = {un['secondes_mur'] / deux['secondes_mur']:.2f}",
        "≥ 1.7",
    )
    essais = [mesurer("complet", chemin, *demande, 1, taille, 0)["total"] for taille in (10_000, BLOC, 100_000)]
    essais.append(mesurer("complet", chemin, *demande, 2, BLOC, 0, coeurs=2)["total"])
    if len(set(essais)) > 1:
        raise SystemExit("Block sizes give different totals.")
    rapport.ajouter(
        "5. totals of 1 and 2 workers, blocks of 10,000, 65,536, 100,000", "identical to the cent", "identical"
    )


def generation(rapport, ici, n, fois):
    for lignes, mesure in ici.tirages.items():
        rapport.ajouter(
            f"{lignes:,} enterprises drawn by the generator, in one file",
            f"{mesure['secondes']:.0f} s, {mesure['octets'] / 2**20:.0f} MiB",
        )


SECTIONS = {f.__name__: f for f in (start, engine, naive, builder, end_to_end, growth, workers, everything, generation)}


class Populations:
    """Populations of a folder, each made once, the smaller ones from the first rows of a larger one."""

    def __init__(self, dossier: Path) -> None:
        self.dossier = dossier
        self.tirages: dict[int, dict] = {}  # rows -> time and memory of those drawn in this run

    def __call__(self, lignes: int) -> str:
        """Path of a population of so many rows."""
        chemin = self.dossier / f"population-{lignes}.parquet"
        if not chemin.exists():
            faites = [f for f in self.dossier.glob("population-*.parquet") if int(f.stem.split("-")[1]) > lignes]
            if faites:
                mesurer("extrait", str(min(faites, key=lambda f: f.stat().st_size)), str(chemin), lignes, coeurs=2)
            else:
                self.tirages[lignes] = mesurer("population", str(chemin), lignes, coeurs=2)
        return str(chemin)


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

        ici = Populations(dossier)
        n = max(int(options.scale * MILLION), 1_000)
        rapport = Rapport(dossier / "sections.json")
        if {"growth", "everything", "generation"} & set(options.only.split(",")):
            ici(int(4.5 * n))  # the largest first: the others are its first rows
        for nom in options.only.split(","):
            rapport.commencer(nom)
            SECTIONS[nom](rapport, ici, n, options.repeat)
            rapport.ecrire(options.scale)  # after each section, so that a failure keeps the others


if __name__ == "__main__":
    main()
