"""Compare the law with reforms on a population: one reading, shared computations, individual differences.

Blocks are those of the population engine (see ``blocs``). For each block the inputs are read once; the law is computed
month by month, each reform right after it (see ``partage``). A reform that changes nothing shows exactly no difference.
With an output folder, a comparison that was interrupted does what is missing, as a simulation does.
"""

import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy
import polars as pl

from openfisca_fds_tools.population import ErreurUtilisateur, backends, model, reading, run
from openfisca_fds_tools.population.errors import Constats, nombre_fr

from . import bilans, blocs, classes, reforme
from .loi import LoiAu

TAILLE_DE_BLOC = 65_536
REFORMES_MAXIMUM = 256
CARTE = "run.json"
TABLES = ("couts", "articles", "gagnants", "deciles", "par_dimension", "incertitude", "variables")
TOUJOURS = ("couts", "articles")  # written even without any row
VARIABLES_CITEES = 3


@dataclass
class Comparaison:
    """Results of a comparison.

    Attributes:
        noms: names of the reforms, in order.
        couts: mois (None: aid due once), dimensions, reforme, avant, apres, ecart (euros), aidees_avant, aidees_apres.
        articles: mois, article, reforme, avant, apres, ecart: euros paid under each article; they add up to the total.
        gagnants: reforme, categorie: enterprises that gain, lose, enter, leave, keep the same; euros.
        deciles: reforme, decile of the mean monthly reference, enterprises, gains, losses, difference.
        par_dimension: winners and losers by dimension.
        incertitude: reforme, ecart, ecart_type, borne_basse, borne_haute; empty without bootstrap.
        variables: reforme, variable, libelle, nature (condition, montant), lignes: rows and months where its value is
            not that of the law.
        ecarts: individual differences: id, groupe, mois, reforme, avant, apres, ecart.
        avis: what a reader must know: orders that matter, versions not reconstructed.
        carte: run card.
        dossier: folder of the files, None when none was asked.
    """

    noms: list[str]
    couts: pl.DataFrame
    articles: pl.DataFrame
    gagnants: pl.DataFrame
    deciles: pl.DataFrame
    par_dimension: pl.DataFrame
    incertitude: pl.DataFrame
    variables: pl.DataFrame
    ecarts: pl.DataFrame
    avis: list[str]
    carte: dict
    dossier: Path | None = None

    def totaux(self) -> dict[str, tuple[float, float, float]]:
        """Cost of the law, of the reform, and their difference, in euros, by reform."""
        sommes = self.couts.group_by("reforme").agg(pl.sum("avant", "apres", "ecart"))
        trouvees = {nom: (avant, apres, ecart) for nom, avant, apres, ecart in sommes.iter_rows()}
        return {nom: trouvees.get(nom, (0.0, 0.0, 0.0)) for nom in self.noms}  # no row where nobody is aided


def comparer(
    population,
    reformes,
    months: str | None = None,
    *,
    by: tuple[str, ...] | list[str] = (),
    output: str | Path | None = None,
    workers: int | None = 1,
    block_size: int = TAILLE_DE_BLOC,
    errors: str = "fail",
    bootstrap: int = 0,
    seed: int = 1,
    restart: bool = False,
    progress: Callable[[int, int], None] | None = None,
    notice: Callable[[str], None] | None = None,
) -> Comparaison:
    """Compare the law with reforms, on the same enterprises.

    Args:
        population: Polars table or path, as for ``population.simulate``. Amounts in euros.
        reformes: Reform classes, at least one.
        months: aid months, as for ``simulate``; None: all. Aids due once are always compared.
        by: dimensions, as for ``simulate``. One that changes with the month sorts winners by its first month.
        output: folder of the files; an interrupted comparison started again with the same arguments does what is
            missing. None: nothing is kept.
        workers: processes; None: one per core.
        block_size: rows per block.
        errors: « fail » or « skip », as for ``simulate``.
        bootstrap: replicates for the uncertainty of the sample weights; 0: none.
        seed: of the bootstrap.
        restart: forget an interrupted run of the same folder.
        progress: called with (enterprises done, enterprises in all).
        notice: called with each message for the user, while it runs.

    Raises:
        ErreurUtilisateur: no reform, two of the same name, bad months or dimensions, other run in the folder,
            population refused.
    """
    reformes = tuple(reformes)
    noms = [classes.titre(une) for une in reformes]
    if not reformes or len(reformes) > REFORMES_MAXIMUM:
        raise ErreurUtilisateur(f"{len(reformes)} réforme(s) : attendu de 1 à {REFORMES_MAXIMUM}.")
    doubles = sorted({nom for nom in noms if noms.count(nom) > 1})
    if doubles:
        raise ErreurUtilisateur(f"Réformes de même nom : {', '.join(doubles)}.")
    demande = blocs.Demande(model.mois_demandes(months), reformes, tuple(by), errors == "skip")
    plan = blocs.planifier(demande)
    debut = time.perf_counter()
    with run.Dossier(output, restart) as dossier:
        travail = dossier.travail
        if isinstance(population, pl.DataFrame):
            chemins = [travail / reading.NOM_TABLE]
            population.write_parquet(chemins[0], compression="lz4", statistics=False)
        else:
            chemins = reading.lister(population)
        manifeste = _manifeste(plan, demande, noms, chemins, block_size)
        finis = _reprendre(travail, manifeste)
        source = reading.ouvrir(chemins, travail, plan.base.tbs, block_size, demande.tolerer)
        source.constats.lever()
        run.ecrire_json(travail / run.MANIFESTE, manifeste)
        lot = blocs.Lot(demande, str(travail), tuple(chemin.name for chemin in chemins))
        tous = reading.decouper(source, block_size)
        if finis and notice is not None:
            notice(f"reprise : {len(finis)} bloc(s) sur {len(tous)} déjà calculé(s).")
        faites = sum(tous[numero].nombre for numero in finis)
        restants = [bloc for bloc in tous if bloc.numero not in finis]
        for bilan in backends.executer(blocs.traiter, lot, restants, workers or backends.coeurs()):
            finis[bilan.numero] = bilan
            faites += tous[bilan.numero].nombre
            if progress is not None:
                progress(faites, source.lignes)
        finis = [finis[numero] for numero in sorted(finis)]
        constats = Constats()
        for bilan in finis:
            constats.reunir(bilan.constats)
        constats.lever()
        entreprises = bilans.lire(travail, blocs.ENTREPRISES)
        comparaison = Comparaison(
            noms,
            bilans.couts(plan, [b.cases for b in finis], noms),
            bilans.articles(plan, [b.payes for b in finis], noms),
            bilans.gagnants(entreprises, noms),
            bilans.deciles(entreprises, noms),
            bilans.gagnants(entreprises, noms, [d.nom for d in plan.base.dimensions]),
            bilans.incertitude(entreprises, noms, bootstrap, seed),
            bilans.variables(plan, [b.changees for b in finis], noms),
            bilans.nommer(bilans.lire(travail, blocs.ECARTS), noms),
            [*source.avis, *avis_de(reformes)],
            {},
        )
        calculs = [sum(nombres) for nombres in zip(*(b.calculs for b in finis if b.calculs), strict=True)]
        comparaison.avis += sans_effet(comparaison, calculs)
        carte = _carte(comparaison, reformes, manifeste, calculs)
        carte["options"] |= {"bootstrap": bootstrap}
        carte |= {
            "graine": seed if bootstrap else None,
            "entreprises": sum(b.entreprises for b in finis),
            "secondes": round(time.perf_counter() - debut, 3),
        }
        comparaison.carte = carte
        if output is not None:
            comparaison.dossier = dossier.sortie
            _ecrire(comparaison, entreprises, dossier)
        return comparaison


def avis_de(reformes) -> list[str]:
    """Say, in French sentences, what must be known of reforms before reading their figures."""
    phrases = []
    for une in reformes:
        phrases += reforme.desaccords(une)
        provenance = getattr(une, "provenance", None)
        if isinstance(provenance, LoiAu):
            fermees, retablies = len(provenance.fermes), len(provenance.remplacements)
            retirees, inconnues = len(provenance.absentes), len(provenance.non_reconstituees)
            phrases.append(
                f"« {provenance.nom} » : {_compte(fermees, 'aide fermée')}, {_compte(retablies, 'valeur rétablie')}, "
                f"{_compte(retirees, 'règle retirée')} ; valeurs de rédaction alors inconnue, gardées en version "
                f"finale : {inconnues}."
            )
    return phrases


def _compte(nombre: int, singulier: str) -> str:
    """« 1 règle retirée », « 2 règles retirées »."""
    return f"{nombre} {singulier if nombre < 2 else ' '.join(f'{mot}s' for mot in singulier.split())}"


def sans_effet(comparaison: Comparaison, calculs: list[int]) -> list[str]:
    """Say why a reform changes no amount: nothing reads it, no condition changes, or no amount follows.

    Args:
        comparaison: tables of the comparison.
        calculs: arrays computed under the law, then under each reform.
    """
    phrases = []
    for nom, recalcules in zip(comparaison.noms, calculs[1:], strict=False):
        if comparaison.ecarts.filter(pl.col("reforme") == nom).height:
            continue
        changees = comparaison.variables.filter(pl.col("reforme") == nom)
        if not recalcules:
            raison = "aucune formule ne lit, ces mois-là, ce qu'elle change"
        elif changees.is_empty():
            raison = "ce qu'elle change est lu, mais aucune condition ni aucun montant n'en dépend"
        else:
            cites = [
                f"{ligne['variable']} ({nombre_fr(ligne['lignes'])})"
                for ligne in changees.head(VARIABLES_CITEES).iter_rows(named=True)
            ]
            autres = changees.height - len(cites)
            suite = f" et {autres} autre{'s' if autres > 1 else ''}" if autres else ""
            raison = f"{', '.join(cites)}{suite} changent (lignes et mois du fichier), mais aucune aide versée"
        phrases.append(f"« {nom} » : sans effet sur cette population : {raison}.")
    return phrases


# ---- resumption: the manifest is that of the engine ----


def _manifeste(plan: blocs.Plan, demande: blocs.Demande, noms, chemins, taille: int) -> dict:
    """Say what makes two comparisons the same."""
    manifeste = run.manifeste_de(plan.base, chemins, taille)
    manifeste["options"] |= {"commande": "compare", "erreurs": "skip" if demande.tolerer else "fail"}
    manifeste["reforme"] = [
        {
            "nom": nom,
            "parametres": model.empreinte_parametres(systeme),
            "formules": model.empreinte_formules(systeme),
        }
        for nom, systeme in zip(noms, plan.systemes[1:], strict=True)
    ]
    return manifeste


def _reprendre(travail: Path, manifeste: dict) -> dict[int, blocs.BlocCompare]:
    """Blocks that an interrupted comparison of the same population, law and reforms computed.

    Raises:
        ErreurUtilisateur: the folder holds another run.
    """
    if not (travail / run.MANIFESTE).exists():
        return {}
    run.reprendre(travail, manifeste)
    return {bilan.numero: bilan for bilan in blocs.relire(travail)}


# ---- run card and files ----


def _carte(comparaison: Comparaison, reformes, manifeste: dict, calculs: list[int]) -> dict:
    totaux = comparaison.totaux()
    lois = [
        {
            **empreintes,
            "description": une.__doc__,
            "tableaux_recalcules": recalcules,
            **dict(zip(("avant", "apres", "ecart"), totaux[empreintes["nom"]], strict=True)),
        }
        for empreintes, une, recalcules in zip(
            manifeste["reforme"], reformes, calculs[1:] or [0] * len(reformes), strict=True
        )
    ]
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "entrees": manifeste["entrees"],
        "modele": manifeste["modele"],
        "reformes": lois,
        "options": manifeste["options"],
        "tableaux_du_droit": calculs[0] if calculs else 0,
        "avis": comparaison.avis,
        "logiciels": {
            "python": platform.python_version(),
            "openfisca-core": model.metadata.version("openfisca-core"),
            "numpy": numpy.__version__,
            "polars": pl.__version__,
        },
    }


def _ecrire(comparaison: Comparaison, entreprises: pl.DataFrame, dossier) -> None:
    """Write every file beside the blocks, then move them all: a former comparison is replaced as a whole."""
    travail, noms = dossier.travail, []
    for nom in TABLES:
        table = getattr(comparaison, nom)
        if table.width and (table.height or nom in TOUJOURS):
            noms.append(f"{nom}.csv")
            table.write_csv(travail / noms[-1], float_precision=2)
    for nom, table in ((blocs.ECARTS, comparaison.ecarts), (blocs.ENTREPRISES, entreprises)):
        noms.append(nom)
        table.write_parquet(travail / nom, compression="zstd")
    noms.append(CARTE)
    run.ecrire_json(travail / CARTE, comparaison.carte)
    for nom in {f"{table}.csv" for table in TABLES} - set(noms):
        (dossier.sortie / nom).unlink(missing_ok=True)
    for nom in noms:
        (travail / nom).replace(dossier.sortie / nom)
