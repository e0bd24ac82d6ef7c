"""Spark adapter: the same tasks, one per block, mapped over an RDD of row ranges.

Spark moves paths and sums, never rows: the population and the output folder must be on storage that the driver and
the executors see under the same path, and the package installed on the executors. On Onyxia's ``jupyter-pyspark``::

    pip install "openfisca-fds[tools]"
    spark-submit $(python -c "import openfisca_fds_tools as p; print(p.__path__[0])")/__main__.py \
        simulate population/ --output resultats --scheduler spark

(``spark-submit`` takes only files in ``.py``.) Tried with PySpark 4.3, two executors and one worker killed by SIGKILL:
the files are those of one process, byte for byte.
"""

from collections.abc import Callable, Iterator

from .errors import ErreurUtilisateur


def executer_spark(tache: Callable, lot, blocs: list) -> Iterator:
    """Apply ``tache(lot, bloc)`` to each block on the current Spark context; results come in order.

    Args:
        tache: function of a module that executors can import.
        lot: the job, the same for all.
        blocs: ranges of rows, one partition each.

    Raises:
        ErreurUtilisateur: PySpark is not installed.
    """
    try:
        from pyspark import SparkContext
    except ModuleNotFoundError as absence:
        raise ErreurUtilisateur("PySpark manque : lancer par spark-submit, ou pip install pyspark") from absence
    contexte = SparkContext.getOrCreate()
    faits = contexte.parallelize(blocs, len(blocs)).map(lambda bloc: tache(lot, bloc))
    # toLocalIterator would run one partition at a time; what comes back is small
    yield from faits.collect()
