"""Where blocks are computed: this process, one process per core, a Dask cluster or Spark.

All share one shape: a task receives a job (a few names and paths) and a range of rows, writes its files, and gives
back exact sums. Rows never travel between processes.
"""

import ctypes
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import cache

from .errors import ErreurUtilisateur


class OuvriersPerdus(ErreurUtilisateur):
    """Workers keep dying, whatever the block."""


ESSAIS = 3  # times a block is given to a fresh pool after the death of a worker
DELAI_DE_SORTIE = 10  # seconds left to a worker that has nothing more to do
_AVANCE = 2  # blocks in flight per worker: enough to keep it busy, few enough to bound memory


_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # mallopt(3)
_A_GARDER, _GRAND_TABLEAU = 1 << 30, 32 << 20  # bytes; the second is the greatest that glibc accepts


@cache
def garder_la_memoire() -> None:
    """Let this process keep the memory it frees, for the next arrays.

    By default the C library gives it back to the system as soon as an array is deleted, and each new array then pays
    a page fault for every 4 kB: several times the arithmetic of a formula. Done once per process; where the C library
    is not that of GNU, nothing is done.
    """
    if sys.platform != "linux":
        return
    try:
        reglage = ctypes.CDLL(None).mallopt
    except AttributeError:
        return
    reglage(_M_MMAP_THRESHOLD, _GRAND_TABLEAU)
    reglage(_M_TRIM_THRESHOLD, _A_GARDER)


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
        OuvriersPerdus: workers keep dying.
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
    raise OuvriersPerdus(
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
    bassin = ProcessPoolExecutor(ouvriers, mp_context=contexte, initializer=_commencer, initargs=(rangs,))
    delai = 0
    try:
        suite, en_vol = iter(blocs), set()
        while True:
            while len(en_vol) < _AVANCE * ouvriers and (bloc := next(suite, None)) is not None:
                with _interruptions_pour_nous_seuls():  # a submission may start a worker
                    en_vol.add(bassin.submit(tache, lot, bloc))
            if not en_vol:
                delai = DELAI_DE_SORTIE
                return
            finis, en_vol = wait(en_vol, return_when=FIRST_COMPLETED)
            for fini in finis:
                yield fini.result()
    finally:
        processus = list((bassin._processes or {}).values())  # no other way to know them; gone after the shutdown
        bassin.shutdown(wait=False, cancel_futures=True)
        _faire_sortir(processus, delai)
        if avant is None:
            os.environ.pop("POLARS_MAX_THREADS", None)
        else:
            os.environ["POLARS_MAX_THREADS"] = avant


@contextmanager
def _interruptions_pour_nous_seuls() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach: this one tells them to stop, and says so once."""
    if threading.current_thread() is not threading.main_thread():  # signals are the business of the main thread
        yield
        return
    ancien = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, ancien)


def _faire_sortir(processus: list, delai: float) -> None:
    """End workers: a block is written whole or not at all, so that killing one in the middle of it loses nothing.

    The pool itself would wait for ever for a worker started while another one was found dead: it ends those that it
    knew then, and waits for all.
    """
    for ouvrier in processus:
        ouvrier.join(delai)
        ouvrier.kill()
        ouvrier.join()


def _commencer(rangs) -> None:
    """Begin the life of a worker."""
    threading.Thread(target=_finir_avec_le_parent, daemon=True).start()
    _epingler(rangs)


def _finir_avec_le_parent() -> None:
    """Stop this worker when its parent dies: killed, it cannot say so, and an orphan would wait for ever."""
    multiprocessing.parent_process().join()
    os._exit(1)


def _epingler(rangs) -> None:
    """Pin this worker to one core: on a virtual machine, two free processes often share one."""
    if hasattr(os, "sched_setaffinity"):
        permis = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {permis[rangs.get() % len(permis)]})
