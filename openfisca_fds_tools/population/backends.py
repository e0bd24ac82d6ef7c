"""Where blocks are computed: this process, one process per core, a Dask cluster or Spark.

All share one shape: a task receives a job (a few names and paths) and a range of rows, writes its files, and gives
back exact sums. Rows never travel between processes.
"""

import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from .errors import ErreurUtilisateur

ESSAIS = 3  # times a block is given to a fresh pool after the death of a worker
_AVANCE = 2  # blocks in flight per worker: enough to keep it busy, few enough to bound memory


def coeurs() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def executer(tache: Callable, lot, blocs: list, ouvriers: int, repartiteur: str | None = None) -> Iterator:
    """Apply ``tache(lot, bloc)`` to each block; results come in any order.

    Args:
        tache: function of a module, so that another process can import it.
        lot: the job, the same for all.
        blocs: ranges of rows.
        ouvriers: processes; 1 computes in this one.
        repartiteur: address of a Dask scheduler, « local » (Dask on this machine) or « spark ».

    Raises:
        ErreurUtilisateur: workers keep dying.
    """
    if not blocs:
        return iter(())
    if repartiteur == "spark":
        from .spark_backend import executer_spark

        return executer_spark(tache, lot, blocs)
    if repartiteur:
        from .dask_backend import executer_dask

        return executer_dask(tache, lot, blocs, ouvriers, repartiteur)
    if ouvriers == 1 or len(blocs) == 1:
        return (tache(lot, bloc) for bloc in blocs)
    return _processus(tache, lot, blocs, min(ouvriers, len(blocs)))


def _processus(tache: Callable, lot, blocs: list, ouvriers: int) -> Iterator:
    restants = {bloc.numero: bloc for bloc in blocs}
    for _ in range(ESSAIS):
        try:
            for resultat in _un_essai(tache, lot, list(restants.values()), ouvriers):
                del restants[resultat.numero]
                yield resultat
            return
        except BrokenProcessPool:
            continue
    raise ErreurUtilisateur(
        f"Des processus de calcul s'arrêtent sans raison connue (mémoire ?), {ESSAIS} fois de suite. "
        "Réduire --workers ou --block-size, puis relancer : les blocs finis sont gardés."
    )


def _un_essai(tache: Callable, lot, blocs: Iterable, ouvriers: int) -> Iterator:
    """Feed a pool with a few blocks in advance."""
    contexte = multiprocessing.get_context("spawn")  # forking a process with threads (Polars) may deadlock
    rangs = contexte.SimpleQueue()
    for rang in range(ouvriers):
        rangs.put(rang)
    avant = os.environ.get("POLARS_MAX_THREADS")
    os.environ["POLARS_MAX_THREADS"] = "1"  # read by Polars when a child imports it
    bassin = ProcessPoolExecutor(ouvriers, mp_context=contexte, initializer=_epingler, initargs=(rangs,))
    try:
        suite, en_vol = iter(blocs), set()
        while True:
            while len(en_vol) < _AVANCE * ouvriers and (bloc := next(suite, None)) is not None:
                en_vol.add(bassin.submit(tache, lot, bloc))
            if not en_vol:
                return
            finis, en_vol = wait(en_vol, return_when=FIRST_COMPLETED)
            for fini in finis:
                yield fini.result()
    finally:
        bassin.shutdown(wait=True, cancel_futures=True)
        if avant is None:
            os.environ.pop("POLARS_MAX_THREADS", None)
        else:
            os.environ["POLARS_MAX_THREADS"] = avant


def _epingler(rangs) -> None:
    """Pin this worker to one core: on a virtual machine, two free processes often share one."""
    if hasattr(os, "sched_setaffinity"):
        permis = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {permis[rangs.get() % len(permis)]})
