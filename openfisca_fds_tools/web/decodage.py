"""Decode a Parquet or Arrow body in a process of its own, so that a hostile file can only kill that process.

A file of a few kilobytes may say that it holds gigabytes, or lie about what it holds; no decoder can be asked to stop
in time. ``python -m openfisca_fds_tools.web.decodage`` reads the file on its input, within bounds of memory and time
that the system holds, and writes on its output the table in Arrow without compression, or why it is refused.
"""

import io
import json
import resource
import subprocess
import sys

import polars as pl
import polars.selectors as cs

PARQUET = "application/vnd.apache.parquet"
ARROW = "application/vnd.apache.arrow.file"
ARROW_FLUX = "application/vnd.apache.arrow.stream"
MEMOIRE = 2 << 30  # bytes that the process may address
SECONDES = 20  # of processor
TAILLE = 256 << 20  # bytes of the decoded table
COLONNES = 2_000
REFUS = 2  # exit code
_LECTEURS = {PARQUET: pl.scan_parquet, ARROW: pl.scan_ipc, ARROW_FLUX: lambda flux: pl.read_ipc_stream(flux).lazy()}
_ILLISIBLE = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError, TypeError, OverflowError)
_TEXTES = cs.string() | cs.categorical()
_ADMIS = _TEXTES | cs.numeric() | cs.boolean() | cs.temporal() | cs.by_dtype(pl.Null)


class TableRefusee(Exception):  # noqa: N818 — as our other refusals
    """A file that cannot be read: HTTP status, column or None, problem, what is expected."""

    def __init__(self, statut, colonne, probleme, attendu):
        super().__init__(probleme)
        self.statut, self.colonne, self.probleme, self.attendu = statut, colonne, probleme, attendu


def decoder(genre, corps, lignes, caracteres, memoire=MEMOIRE):
    """Decode a body, in another process.

    Args:
        genre: media type: PARQUET, ARROW or ARROW_FLUX.
        corps: bytes.
        lignes: rows, at most.
        caracteres: bytes of a text, at most.
        memoire: bytes that the process may address.

    Returns:
        polars DataFrame.

    Raises:
        TableRefusee: 400, not such a file, or a column that is no list of values; 413, too big.
    """
    commande = [sys.executable, "-m", __name__, genre, str(lignes), str(caracteres), str(memoire)]
    enfant = subprocess.run(commande, input=corps, capture_output=True, check=False)
    if enfant.returncode == 0:
        return pl.read_ipc_stream(io.BytesIO(enfant.stdout))
    if enfant.returncode == REFUS:
        raise TableRefusee(*json.loads(enfant.stdout))
    raise TableRefusee(413, None, "fichier trop grand une fois décompressé", f"au plus {TAILLE >> 20} Mio")


def lire(genre, corps, lignes, caracteres):
    """Read a file, what it announces checked first.

    Args:
        genre: media type.
        corps: bytes.
        lignes: rows, at most.
        caracteres: bytes of a text, at most.

    Returns:
        polars DataFrame.

    Raises:
        TableRefusee: see :func:`decoder`.
    """
    try:
        annoncee = _LECTEURS[genre](io.BytesIO(corps))
        largeur = len(annoncee.collect_schema())
        if largeur > COLONNES:
            raise TableRefusee(413, None, f"{largeur} colonnes", f"au plus {COLONNES}")
        _verifier_lignes(annoncee.select(pl.len()).collect().item(), lignes)
        table = annoncee.collect()
    except _ILLISIBLE:
        raise TableRefusee(400, None, "corps illisible", f"un fichier {genre}") from None
    _verifier_lignes(table.height, lignes)
    for nom in table.select(~_ADMIS).columns:
        raise TableRefusee(400, nom, f"colonne de type {table[nom].dtype}", "des nombres, des textes ou des booléens")
    longueurs = table.select(_TEXTES.cast(pl.String).str.len_bytes().max())
    for nom, longueur in zip(longueurs.columns, longueurs.row(0), strict=True) if longueurs.width else ():
        if (longueur or 0) > caracteres:
            raise TableRefusee(400, nom, "texte trop long", f"au plus {caracteres} caractères")
    if table.estimated_size() > TAILLE:
        raise TableRefusee(413, None, "fichier trop grand une fois décompressé", f"au plus {TAILLE >> 20} Mio")
    return table


def _verifier_lignes(lignes, maximum):
    if lignes > maximum:
        raise TableRefusee(413, None, f"{lignes} entreprises", f"au plus {maximum} par requête")


def main(genre, lignes, caracteres, memoire):
    """Decode the standard input to the standard output."""
    resource.setrlimit(resource.RLIMIT_AS, (memoire, memoire))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDES, SECONDES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        lire(genre, sys.stdin.buffer.read(), lignes, caracteres).write_ipc_stream(sys.stdout.buffer)
    except TableRefusee as refus:
        print(json.dumps([refus.statut, refus.colonne, refus.probleme, refus.attendu]))
        sys.exit(REFUS)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
