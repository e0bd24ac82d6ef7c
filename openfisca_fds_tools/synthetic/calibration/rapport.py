"""Report of a calibration: how the fit went, every target missed, and apart, the margins that it never saw."""

import numpy
import polars as pl

from openfisca_fds_tools.population.errors import nombre_fr

from ..hypotheses import Hypotheses
from .marges import Observation, marges_ajustees, marges_retenues
from .population import attendre, peupler, rapports, verser

QUANTILES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)
LONGUEUR = 40  # rows of a table, above which only the worst are shown
PIRES = 15
ECART_TOLERE = 0.25  # of a large cell kept out of the fit
GRANDE_CASE = {"montant": 50e6, "aides": 20_000, "entreprises": 4_000}  # published value from which a cell is large


def controler(calage, cibles, taille, graine):
    """Pay the enterprises of a seed with a calibration, and lay them beside what was published.

    Returns:
        Margins fitted, margins kept out (tables), and the quantiles of the ratios of weights.
    """
    hypotheses = Hypotheses(calage)
    population = peupler(hypotheses, taille, graine)
    _, versee = verser(hypotheses, population)
    effectifs = cibles.effectifs(attendre(hypotheses, population, numpy.ones(versee.shape[1])))
    observation = Observation(population.e, versee, hypotheses)
    ratios = numpy.quantile(rapports(hypotheses, population.e), QUANTILES)
    return avec_ecart(marges_ajustees(cibles, observation, effectifs)), avec_ecart(marges_retenues(observation)), ratios


def avec_ecart(marges):
    """Add « ecart », simulated over published minus one."""
    return marges.with_columns((pl.col("simule") / pl.col("publie") - 1).alias("ecart"))


def dans_les_bornes(ajustees):
    """Periods of aid whose amount is within its bounds, and number of periods."""
    mois = ajustees.filter(pl.col("marge") == "mois")
    return mois.filter(pl.col("simule").is_between("bas", "haut")).height, mois.height


def manquees(ajustees):
    """Targets missed: amounts by month out of bounds, others beyond twice their tolerance; worst first."""
    hors_bornes = ~pl.col("simule").is_between("bas", "haut")
    loin = pl.col("ecart").abs() > 2 * pl.col("tolerance")
    lignes = ajustees.filter(pl.when(pl.col("bas").is_not_null()).then(hors_bornes).otherwise(loin))
    return lignes.sort((pl.col("ecart").abs() / pl.col("tolerance")), descending=True)


def grandes_cases(retenues):
    """Cells kept out that are large enough to be judged; shares and means all are."""
    seuil = pl.col("mesure").replace_strict(GRANDE_CASE, default=0)
    return retenues.filter(pl.col("publie") >= seuil)


def rediger(solution, constante, cibles, controle, controle_constant, tirages):
    """Write the report, in Markdown.

    Args:
        solution: the calibration (``Solution``).
        constante: the one with a take-up that does not vary with time.
        cibles: targets.
        controle: what ``controler`` gives for the first.
        controle_constant: what it gives for the second.
        tirages: (rows, seed of the fit, seed of the control).
    """
    ajustees, retenues, _ = controle
    lignes = [
        "# Calage de la population synthétique",
        "",
        "L'accord sur les marges ajustées est une cohérence interne, non une validation : seules les marges retenues",
        "hors du calage en disent quelque chose.",
        "",
        "## Convergence",
        "",
        *_convergence(solution, constante, cibles, controle, controle_constant, tirages),
        "",
        "## Marges ajustées",
        "",
        *_mois(ajustees, controle_constant[0]),
        "",
        "### Cibles manquées",
        "",
        "Un mois hors de ses bornes ; toute autre cible à plus de deux fois sa tolérance.",
        "",
        *_tableau(manquees(ajustees)),
        "",
        "## Marges retenues hors du calage",
        "",
    ]
    for (nom,), cases in retenues.group_by("marge", maintain_order=True):
        grandes = grandes_cases(cases)
        proches = grandes.filter(pl.col("ecart").abs() <= ECART_TOLERE)
        lignes += [
            f"### {nom[0].upper()}{nom[1:]}",
            "",
            f"{proches.height} grandes cases sur {grandes.height} à 25 % près.",
            "",
            *_tableau(grandes if grandes.height <= LONGUEUR else _pires(grandes)),
            "",
        ]
    return "\n".join(lignes)


def _convergence(solution, constante, cibles, controle, controle_constant, tirages):
    ajustees, _, ratios = controle
    taille, graine, graine_de_controle = tirages
    familles = ", ".join(f"{nombre} de {famille}" for famille, nombre in solution.parametres.items())
    ajustables = [cible for cible in cibles.liste if numpy.isfinite(cible.tolerance)]
    pire = ajustees.filter(pl.col("tolerance").is_finite())
    pire = pire.sort(pl.col("ecart").abs() / pl.col("tolerance"), descending=True).to_dicts()[0]
    dedans, mois = dans_les_bornes(ajustees)
    dedans_constant, _ = dans_les_bornes(controle_constant[0])
    return [
        f"- {nombre_fr(taille)} lignes ; graine {graine} pour ajuster, graine {graine_de_controle} pour mesurer.",
        f"- {sum(solution.parametres.values())} paramètres ({familles}) pour {len(ajustables)} cibles ; leurs "
        f"écarts-types a priori les ramènent à {nombre_fr(solution.degres_de_liberte)} degrés de liberté.",
        f"- {len(solution.couts)} évaluations ; coût (demi-somme des carrés) : "
        f"{' → '.join(nombre_fr(cout, 1) for cout in solution.couts)}.",
        f"- Pire écart, rapporté à sa tolérance : {pire['marge']} {pire['modalite']}, {pire['mesure']}, "
        f"{_pour_cent(pire['ecart'])}.",
        f"- Rapports de poids, quantiles {', '.join(nombre_fr(q, 2) for q in QUANTILES)} : "
        f"{' ; '.join(nombre_fr(ratio, 2) for ratio in ratios)}.",
        f"- Mois dans les bornes : {dedans} sur {mois}. À recours constant dans le temps, le reste inchangé : "
        f"{dedans_constant} sur {mois}, coût {nombre_fr(constante.couts[-1], 1)}.",
    ]


def _pires(cases):
    return cases.sort(pl.col("ecart").abs(), descending=True).head(PIRES)


def _mois(ajustees, constantes):
    lignes = [
        "| mois d'aide | simulé (M€) | bornes (M€) | écart à la cible | à recours constant |",
        "|---|--:|--:|--:|--:|",
    ]
    constant = dict(constantes.filter(pl.col("marge") == "mois").select("modalite", "ecart").iter_rows())
    for ligne in ajustees.filter(pl.col("marge") == "mois").to_dicts():
        dedans = ligne["bas"] <= ligne["simule"] <= ligne["haut"]
        bornes = f"{nombre_fr(ligne['bas'] / 1e6)} – {nombre_fr(ligne['haut'] / 1e6)}"
        lignes.append(
            f"| {ligne['modalite']} | {nombre_fr(ligne['simule'] / 1e6)}{'' if dedans else ' (hors bornes)'} "
            f"| {bornes} | "
            f"{_pour_cent(ligne['ecart'])} | {_pour_cent(constant[ligne['modalite']])} |"
        )
    return lignes


def _tableau(cases):
    lignes = ["| marge | modalité | mesure | publié | simulé | écart |", "|---|---|---|--:|--:|--:|"]
    for ligne in cases.to_dicts():
        publie, simule = (_nombre(ligne[nom], ligne["mesure"]) for nom in ("publie", "simule"))
        lignes.append(
            f"| {ligne['marge']} | {ligne['modalite']} | {ligne['mesure']} | {publie} | {simule} "
            f"| {_pour_cent(ligne['ecart'])} |"
        )
    return lignes


def _nombre(valeur, mesure):
    if mesure == "montant":
        return f"{nombre_fr(valeur / 1e6, 1)} M€"
    if mesure == "part":
        return f"{nombre_fr(100 * valeur, 1)} %"
    return f"{nombre_fr(valeur)} €" if mesure == "moyenne" else nombre_fr(valeur)


def _pour_cent(ecart):
    return f"{'+' if ecart >= 0 else '−'}{nombre_fr(100 * abs(ecart))} %"
