"""Dask backend (extra « dask »): the same tasks on a cluster.

Tasks carry paths and row ranges, never rows; a worker that dies is replaced and its blocks are computed again, which
changes nothing since a block has no effect but its files, renamed when whole. The population and the output folder
must be readable by every worker under the same path.
"""

from collections.abc import Callable, Iterator

from .errors import ErreurUtilisateur

MEMOIRE_PAR_OUVRIER = "2GB"
_AVANCE = 2  # blocks in flight per worker
_ESSAIS = 3  # workers that may die on the same block


def executer_dask(tache: Callable, lot, blocs: list, ouvriers: int, adresse: str) -> Iterator:
    """Apply ``tache(lot, bloc)`` to each block on a Dask cluster; results come in any order.

    Args:
        tache: function of a module that workers can import.
        lot: the job, the same for all.
        blocs: ranges of rows.
        ouvriers: processes of a local cluster.
        adresse: « tcp://… » of a scheduler, or « local ».

    Raises:
        ErreurUtilisateur: Dask is not installed, or the scheduler does not answer.
    """
    try:
        from distributed import Client, LocalCluster, as_completed
    except ModuleNotFoundError as absence:
        raise ErreurUtilisateur('Dask manque : pip install "openfisca-fds[dask]"') from absence
    if adresse == "local":
        grappe = LocalCluster(
            n_workers=ouvriers,
            threads_per_worker=1,  # a block is single-threaded; processes scale better
            memory_limit=MEMOIRE_PAR_OUVRIER,
            dashboard_address=None,
            env={"POLARS_MAX_THREADS": "1"},
        )
    else:
        grappe = adresse
    try:
        client = Client(grappe, timeout="30s")
    except OSError as erreur:
        raise ErreurUtilisateur(f"Répartiteur Dask {adresse} injoignable ({erreur}).") from erreur
    with client:
        try:
            avance = _AVANCE * max(len(client.scheduler_info()["workers"]), ouvriers)
            suite = iter(blocs)

            def soumettre():
                bloc = next(suite, None)
                return None if bloc is None else client.submit(tache, lot, bloc, pure=False, retries=_ESSAIS)

            premiers = [futur for _ in range(avance) if (futur := soumettre()) is not None]
            en_vol = as_completed(premiers)
            for futur in en_vol:
                yield futur.result()
                futur.release()
                if (nouveau := soumettre()) is not None:
                    en_vol.add(nouveau)
        finally:
            if grappe is not adresse:
                grappe.close()
