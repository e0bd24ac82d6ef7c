"""From files to blocks: opening, checks that need the whole file, cuts on group borders, reading of a block.

Whatever comes in (Parquet, a folder of Parquet, CSV, Arrow IPC, a table), blocks are row ranges of Parquet
files. The parent process holds 8 bytes per enterprise (a hash of its identifier and of its group), nothing else.
"""

import codecs
import csv
import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

import numpy
import polars as pl

from . import schema
from .errors import LIGNES_AFFICHEES, Constats, ErreurUtilisateur, PopulationInvalide, Probleme, ecriture_impossible
from .parquet import ParquetAppender, check_pages
from .schema import Colonne, Schema

ERREURS_DE_LECTURE = (pl.exceptions.PolarsError, pl.exceptions.PanicException, csv.Error, OSError, ValueError)
NOM_TABLE = "table"
OCTETS_VERIFIES = 32 << 20  # of a Parquet file whose pages are checked at once; beyond, it would be felt
_COL_FICHIER, _COL_LIGNE, _COL_LOT = "__fichier", "__ligne", "__lot"  # columns of regrouped files


@dataclass(frozen=True)
class Fichier:
    """A Parquet file to read, and how messages call it."""

    chemin: Path
    nom: str
    types: dict[str, pl.DataType] = field(hash=False, compare=False)
    lignes: int


@dataclass(frozen=True)
class Bloc:
    """A range of rows of a Parquet file that no group crosses; what a worker receives.

    Attributes:
        numero: rank of the block in the population.
        chemin: Parquet file.
        debut, nombre: first row (from 0) and number of rows.
        fichier: name for messages.
        premiere: number, in the whole population, of the row before the first one.
        doublons: rows (file name, rows from 1) whose identifier was seen before.
    """

    numero: int
    chemin: str
    debut: int
    nombre: int
    fichier: str
    premiere: int
    doublons: tuple = ()


@dataclass
class Source:
    """A population ready to be cut.

    Attributes:
        fichiers: Parquet files, in order.
        coupes: for each file, the rows before which a block may begin, or None: before any row.
        doublons: repeated identifiers, by file name.
        avis: what was done that the user must know.
    """

    fichiers: list[Fichier]
    coupes: list[numpy.ndarray | None] = field(default_factory=list)
    doublons: dict[str, numpy.ndarray] = field(default_factory=dict)
    constats: Constats = field(default_factory=Constats)
    avis: list[str] = field(default_factory=list)

    @property
    def lignes(self) -> int:
        """Number of enterprises."""
        return sum(fichier.lignes for fichier in self.fichiers)


def lister(population) -> list[Path]:
    """Files of a population given as a path, in order.

    Raises:
        ErreurUtilisateur: nothing there.
    """
    chemin = Path(population)
    if chemin.is_dir():
        fichiers = sorted(f for f in chemin.iterdir() if f.suffix == ".parquet" and not f.name.startswith("."))
        if not fichiers:
            raise ErreurUtilisateur(f"{chemin} : aucun fichier .parquet dans ce dossier.")
        return fichiers
    if not chemin.is_file():
        raise ErreurUtilisateur(f"{chemin} : fichier ou dossier introuvable.")
    if not os.access(chemin, os.R_OK):
        raise ErreurUtilisateur(f"{chemin} : lecture interdite.")
    return [chemin]


def ouvrir(chemins: list[Path], travail: Path, tbs, taille: int, tolerer: bool = False) -> Source:
    """Open a population: recognise its columns, look for repeated identifiers and scattered groups.

    A CSV or Arrow file is first written as Parquet; groups that are not in one piece are first gathered on
    disk. Both go to the working folder.

    Args:
        chemins: files, in order.
        travail: working folder (exists).
        tbs: tax-benefit system, which gives the schema.
        taille: rows per block aimed at.
        tolerer: set bad rows aside instead of refusing the file.

    Raises:
        PopulationInvalide: unreadable file, unknown column, wrong type, repeated identifier…
    """
    fichiers = [_en_parquet(chemin, travail, rang) for rang, chemin in enumerate(chemins)]
    source = Source(fichiers)
    reconnaisseur = Schema(tbs)
    for fichier in fichiers:
        source.constats.reunir(reconnaisseur.colonnes(fichier.types, fichier.nom)[1])
    avec_id = [fichier for fichier in fichiers if "id" in fichier.types]
    if avec_id and len(avec_id) < len(fichiers):
        sans_id = next(fichier for fichier in fichiers if "id" not in fichier.types)
        source.constats.ajouter(
            Probleme(sans_id.nom, None, "id", None, "colonne absente, présente dans d'autres fichiers")
        )
    source.constats.lever()
    if not source.lignes:
        raise PopulationInvalide(f"{', '.join(f.nom for f in fichiers)} : fichier vide, aucune entreprise.")
    if avec_id:
        _chercher_doublons(source, tolerer)
    if any("groupe" in fichier.types for fichier in fichiers):
        return _chercher_groupes(source, travail, taille)
    source.coupes = [None] * len(fichiers)
    return source


def decouper(source: Source, taille: int) -> list[Bloc]:
    """Cut a population into blocks of about ``taille`` rows, between groups.

    A group larger than ``taille`` makes a larger block.
    """
    blocs, premiere = [], 0
    for fichier, coupes in zip(source.fichiers, source.coupes, strict=True):
        debut = 0
        while debut < fichier.lignes:
            fin = _fin_de_bloc(coupes, debut, taille, fichier.lignes)
            blocs.append(
                Bloc(
                    len(blocs),
                    str(fichier.chemin.absolute()),  # a worker of a cluster has its own current folder
                    debut,
                    fin - debut,
                    fichier.nom,
                    premiere + debut,
                    tuple(_doublons_du_bloc(source.doublons, fichier.nom, debut, fin)),
                )
            )
            debut = fin
        premiere += fichier.lignes
    return blocs


def _fin_de_bloc(coupes, debut: int, taille: int, lignes: int) -> int:
    if debut + taille >= lignes:
        return lignes
    if coupes is None:
        return debut + taille
    rang = numpy.searchsorted(coupes, debut + taille, side="right")
    if rang and coupes[rang - 1] > debut:
        return int(coupes[rang - 1])
    return int(coupes[rang]) if rang < len(coupes) else lignes


def _doublons_du_bloc(doublons, nom: str, debut: int, fin: int) -> Iterator[tuple[str, numpy.ndarray]]:
    for fichier, lignes in doublons.items():
        if not nom:  # regrouped: rows of every file may be there
            yield fichier, lignes
        elif fichier == nom:
            ici = lignes[(lignes > debut) & (lignes <= fin)]
            if len(ici):
                yield fichier, ici


# ---- opening ----


def _en_parquet(chemin: Path, travail: Path, rang: int) -> Fichier:
    """Parquet file that holds a file of any accepted format."""
    nom = chemin.name
    with open(chemin, "rb") as flux:
        debut = flux.read(8)
    if not debut:
        raise PopulationInvalide(f"{nom} : fichier vide.")
    try:
        if debut[:4] == b"PAR1":
            fichier = _fichier(chemin, nom)
            if chemin.stat().st_size <= OCTETS_VERIFIES:
                _verifier(fichier)
            return fichier
        cible = travail / f"entree-{rang}.parquet"
        if debut[:6] == b"ARROW1":
            pl.scan_ipc(chemin).sink_parquet(cible, compression="lz4")
        elif chemin.suffix.lower() in (".csv", ".tsv", ".txt"):
            _csv_en_parquet(chemin, cible)
        else:
            raise PopulationInvalide(f"{nom} : format non reconnu ; attendu : Parquet, CSV ou Arrow IPC.")
        return _fichier(cible, nom)
    except ERREURS_DE_LECTURE as erreur:
        if ecriture_impossible(erreur):
            raise  # the disk is at fault, not the file
        raise PopulationInvalide(f"{nom} : fichier illisible ou tronqué ({_resume(erreur)}).") from erreur


def verifier_pages(source: Source) -> None:
    """Look for what may have made workers die: pages that announce more than they hold.

    Raises:
        PopulationInvalide: a file is damaged.
    """
    for fichier in source.fichiers:
        _verifier(fichier)


def _verifier(fichier: Fichier) -> None:
    try:
        check_pages(fichier.chemin)
    except ValueError as erreur:
        nom = fichier.nom or fichier.chemin.name
        raise PopulationInvalide(f"{nom} : contenu illisible (une page contredit sa description).") from erreur


def _fichier(chemin: Path, nom: str) -> Fichier:
    balayage = pl.scan_parquet(chemin)
    lignes = balayage.select(pl.len()).collect().item()
    return Fichier(chemin, nom, dict(balayage.collect_schema()), lignes)


def _resume(erreur: BaseException) -> str:
    return (str(erreur).strip().splitlines() or [type(erreur).__name__])[0][:200]


def _csv_en_parquet(chemin: Path, cible: Path) -> None:
    """Write a CSV file as Parquet, every cell a text, so that each is then checked by itself."""
    _verifier_utf8(chemin)
    with open(chemin, encoding="utf-8-sig", newline="") as flux:
        entete = flux.readline()
    separateur = max(",;\t", key=entete.count)
    noms = next(csv.reader([entete], delimiter=separateur))
    for nom in noms:
        if noms.count(nom) > 1:
            raise PopulationInvalide(f"{chemin.name}, colonne « {nom} » : présente plusieurs fois.")
    _verifier_lignes(chemin, separateur, len(noms))
    balayage = pl.scan_csv(chemin, separator=separateur, infer_schema=False)
    balayage.sink_parquet(cible, compression="lz4", row_group_size=50_000)


def _verifier_lignes(chemin: Path, separateur: str, colonnes: int) -> None:
    """Refuse a line that lacks cells: Polars reads them as empty, and a file cut short would pass for whole.

    Separators are counted first, at the speed of the disk; only where their number is not that of whole lines are
    lines read one by one.
    """
    separateurs = lignes = 0
    fin = b"\n"
    with open(chemin, "rb") as flux:
        while morceau := flux.read(1 << 22):
            separateurs += morceau.count(separateur.encode())
            lignes += morceau.count(b"\n")
            fin = morceau[-1:]
    lignes += fin != b"\n"
    if separateurs == lignes * (colonnes - 1):
        return
    with open(chemin, encoding="utf-8-sig", newline="") as flux:
        for rang, cellules in enumerate(csv.reader(flux, delimiter=separateur)):
            if cellules and len(cellules) < colonnes:
                cellule = "1 cellule" if len(cellules) == 1 else f"{len(cellules)} cellules"
                raise PopulationInvalide(
                    f"{chemin.name}, ligne {rang} : {cellule} ; attendu : {colonnes} (fichier tronqué ?)."
                )


def _verifier_utf8(chemin: Path) -> None:
    decodeur, ligne = codecs.getincrementaldecoder("utf-8")(), 0
    with open(chemin, "rb") as flux:
        while morceau := flux.read(1 << 22):
            try:
                decodeur.decode(morceau)
            except UnicodeDecodeError as erreur:
                ligne += morceau[: erreur.start].count(b"\n")
                lieu = "en-tête" if ligne == 0 else f"ligne {ligne}"
                raise PopulationInvalide(
                    f"{chemin.name}, {lieu} : encodage inattendu ; attendu : un texte en UTF-8."
                ) from erreur
            ligne += morceau.count(b"\n")


# ---- checks on the whole population ----


def _texte(nom: str) -> pl.Expr:
    """Read an identifier as a text, empty cells null."""
    texte = pl.col(nom).cast(pl.String).str.strip_chars()
    return pl.when(texte != "").then(texte)


def _collecter(balayage: pl.LazyFrame, nom: str, **options) -> pl.DataFrame:
    """Read what a scan describes; ``nom``: the file, for the message.

    Raises:
        PopulationInvalide: the bytes are damaged.
    """
    try:
        return balayage.collect(**options)
    except ERREURS_DE_LECTURE as erreur:
        raise PopulationInvalide(f"{nom} : contenu illisible ({_resume(erreur)}).") from erreur


def _hachages(fichier: Fichier, nom: str) -> tuple[numpy.ndarray, numpy.ndarray]:
    """64-bit hash of each cell of a column of identifiers, and whether it is empty."""
    lus = pl.scan_parquet(fichier.chemin).select(hachage=_texte(nom).hash(seed=0), vide=_texte(nom).is_null())
    table = _collecter(lus, fichier.nom, engine="streaming")
    return table["hachage"].to_numpy(), table["vide"].to_numpy()


def _chercher_doublons(source: Source, tolerer: bool) -> None:
    """Find empty and repeated identifiers; a doubtful hash is confirmed on the texts themselves."""
    morceaux = []
    for fichier in source.fichiers:
        hachages, vides = _hachages(fichier, "id")
        lignes = numpy.flatnonzero(vides) + 1
        _retenir(source, fichier.nom, lignes, [None] * len(lignes), "un identifiant", tolerer)
        morceaux.append(hachages)
    tries = numpy.sort(numpy.concatenate(morceaux))
    repetes = numpy.unique(tries[1:][tries[1:] == tries[:-1]])
    del tries
    if not len(repetes):
        return
    vus = {}
    for fichier, hachages in zip(source.fichiers, morceaux, strict=True):
        suspects = numpy.flatnonzero(numpy.isin(hachages, repetes))
        if not len(suspects):
            continue
        lus = _collecter(pl.scan_parquet(fichier.chemin).select(id=_texte("id")), fichier.nom)
        textes = lus["id"].gather(suspects).to_list()
        lignes, valeurs = [], []
        for ligne, texte in zip(suspects + 1, textes, strict=True):
            if texte is not None and vus.setdefault(texte, (fichier.nom, ligne)) != (fichier.nom, ligne):
                lignes.append(ligne)
                valeurs.append(texte)
        _retenir(source, fichier.nom, numpy.array(lignes, dtype=int), valeurs, "un identifiant unique", tolerer)


def _retenir(source: Source, nom: str, lignes: numpy.ndarray, valeurs: list, attendu: str, tolerer: bool) -> None:
    """Record rows with a bad identifier: problems, or rows to set aside."""
    if not len(lignes):
        return
    if tolerer:
        source.doublons[nom] = numpy.sort(numpy.concatenate([source.doublons.get(nom, lignes[:0]), lignes]))
        return
    for ligne, valeur in zip(lignes, valeurs, strict=True):
        montre = "vide" if valeur is None else f"« {valeur} »"
        source.constats.ajouter(Probleme(nom, int(ligne), "id", montre, attendu))


def _chercher_groupes(source: Source, travail: Path, taille: int) -> Source:
    """Rows between which blocks may be cut; gather the groups first if one is not in one piece."""
    debuts_de_groupe = []
    for fichier in source.fichiers:
        if "groupe" not in fichier.types:
            source.coupes.append(None)
            continue
        hachages, vides = _hachages(fichier, "groupe")
        nouveau = numpy.ones(len(hachages), dtype=bool)
        nouveau[1:] = (hachages[1:] != hachages[:-1]) | vides[1:] | vides[:-1]
        source.coupes.append(numpy.flatnonzero(nouveau))
        debuts_de_groupe.append(hachages[nouveau & ~vides])
    tries = numpy.sort(numpy.concatenate(debuts_de_groupe))
    if not (tries[1:] == tries[:-1]).any():
        return source
    return _regrouper(source, travail, taille)


def _regrouper(source: Source, travail: Path, taille: int) -> Source:
    """Send each group, whole, to one of many files: a sort by group, out of core and in one pass."""
    lots = -(-source.lignes // taille)
    types = _types_communs(source.fichiers)
    cibles = [travail / f"lot-{lot:06d}.parquet" for lot in range(lots)]
    partiel = travail / "lot.partiel"
    appenders = [ParquetAppender(cible) for cible in cibles]
    premiere = 0
    for rang, fichier in enumerate(source.fichiers):
        for debut in range(0, fichier.lignes, 4 * taille):
            morceau = _morceau(fichier, debut, 4 * taille, types, rang, premiere, lots)
            for (lot,), part in morceau.partition_by(_COL_LOT, as_dict=True, include_key=False).items():
                part.write_parquet(partiel, compression="lz4", statistics=False)
                appenders[lot].append(partiel)
        premiere += fichier.lignes
    fichiers = []
    for cible, appender in zip(cibles, appenders, strict=True):
        appender.__exit__(None, None, None)
        if appender.rows:
            fichiers.append(Fichier(cible, "", types, appender.rows))
    partiel.unlink(missing_ok=True)
    avis = "population non triée par groupe : groupes rassemblés sur disque avant le calcul."
    return replace(source, fichiers=fichiers, coupes=[numpy.array([0])] * len(fichiers), avis=[*source.avis, avis])


def type_des_ids(fichiers: list[Fichier]) -> pl.DataType:
    """Type of the identifiers in the results: the row number without them, integers when all files hold integers."""
    types = [fichier.types["id"] for fichier in fichiers if "id" in fichier.types]
    return pl.Int64 if all(type_.is_integer() for type_ in types) else pl.String


def _types_communs(fichiers: list[Fichier]) -> dict[str, pl.DataType]:
    """Union of the columns of files; a column of several types becomes a text."""
    types = {"id": type_des_ids(fichiers), "groupe": pl.String}
    for fichier in fichiers:
        for nom, type_ in fichier.types.items():
            if nom in types and (nom in ("id", "groupe") or types[nom] == type_):
                continue
            types[nom] = type_ if nom not in types and type_ not in (pl.Categorical, pl.Enum) else pl.String
    return types


def _morceau(fichier: Fichier, debut: int, nombre: int, types: dict, rang: int, premiere: int, lots: int):
    """Rows of a file with their origin and the rank of the file that will hold their group."""
    table = _collecter(pl.scan_parquet(fichier.chemin).slice(debut, nombre), fichier.nom)
    ligne = pl.int_range(debut + 1, debut + 1 + table.height, dtype=pl.Int64, eager=True)
    if "id" not in table.columns:
        table = table.with_columns(id=ligne + premiere)
    groupe = _texte("groupe") if "groupe" in table.columns else pl.lit(None, pl.String)
    table = table.with_columns(groupe.alias("groupe"))
    absentes = [pl.lit(None, type_).alias(nom) for nom, type_ in types.items() if nom not in table.columns]
    table = table.with_columns(absentes).select(pl.col(nom).cast(type_) for nom, type_ in types.items())
    origine = [pl.lit(rang, pl.Int32).alias(_COL_FICHIER), ligne.alias(_COL_LIGNE)]
    table = table.with_columns(origine)
    cle = pl.when(pl.col("groupe").is_null()).then(pl.col(_COL_LIGNE).hash()).otherwise(pl.col("groupe").hash())
    return table.with_columns((cle % lots).cast(pl.Int64).alias(_COL_LOT))


# ---- reading of a block ----


@dataclass
class BlocLu:
    """Inputs of the enterprises of a block.

    Attributes:
        ids, groupes: series of length n (groupes: None without groups).
        rang_groupe: int array of shape (n,), from 0 to nb_groupes - 1 without gap.
        poids: float64 array of shape (n,), or None: 1 each.
        entrees: (variable, month or None) -> (values, known or None); shape (n,) or (nb_groupes,).
        constats: problems and warnings.
        rejets: rows set aside, as texts, with their reason; None when there is none.
    """

    ids: pl.Series
    groupes: pl.Series | None
    rang_groupe: numpy.ndarray
    nb_groupes: int
    poids: numpy.ndarray | None
    entrees: dict[tuple[str, str | None], tuple[numpy.ndarray, numpy.ndarray | None]]
    constats: Constats
    rejets: pl.DataFrame | None = None


@lru_cache(maxsize=64)
def _colonnes(noms: tuple[str, ...], tbs) -> dict[str, Colonne]:
    """Columns of variables among the columns of a file already checked."""
    return Schema(tbs).colonnes(dict.fromkeys(noms, pl.Null()), "")[0]


def lire_bloc(bloc: Bloc, tbs, noms_fichiers: tuple[str, ...], tolerer: bool = False) -> BlocLu:
    """Read and check a block.

    Args:
        bloc: range of rows.
        tbs: tax-benefit system.
        noms_fichiers: names of the files of the population, in order, for messages.
        tolerer: set bad rows aside, with the whole of their group.

    Raises:
        PopulationInvalide: the file cannot be read.
    """
    nom = bloc.fichier or bloc.chemin
    table = _collecter(pl.scan_parquet(bloc.chemin).slice(bloc.debut, bloc.nombre), nom)
    if table.height != bloc.nombre:
        raise PopulationInvalide(f"{nom} : {table.height} lignes lues pour {bloc.nombre} annoncées.")
    if _COL_LIGNE not in table.columns:
        ligne = pl.int_range(bloc.debut + 1, bloc.debut + bloc.nombre + 1, dtype=pl.Int64, eager=True)
        table = table.with_columns(ligne.alias(_COL_LIGNE))
        if "id" not in table.columns:
            table = table.with_columns(id=ligne - bloc.debut + bloc.premiere)
    if "groupe" in table.columns:
        table = _ordonner_les_membres(table)
    lignes = table[_COL_LIGNE].to_numpy()
    fichiers = [bloc.fichier]
    if _COL_FICHIER in table.columns:
        fichiers = [noms_fichiers[rang] for rang in table[_COL_FICHIER]]
    table = table.drop(_COL_LIGNE, _COL_FICHIER, strict=False)
    refus = _Refus(table, fichiers, lignes, bloc)
    lu = _convertir(table, _colonnes(tuple(table.columns), tbs), refus)
    if not tolerer or not refus.lignes.any():
        return lu
    gardes = ~_avec_leur_groupe(refus.lignes, lu)
    rejets = refus.table(~gardes)
    lu = _convertir(table.filter(gardes), _colonnes(tuple(table.columns), tbs), _Refus(table, fichiers, lignes, bloc))
    lu.constats = Constats(nan=refus.constats.nan, lignes_rejetees=rejets.height)
    lu.rejets = rejets
    return lu


def _ordonner_les_membres(table: pl.DataFrame) -> pl.DataFrame:
    """Bring the members of each group together, in the order of their identifiers.

    Floating-point sums depend on their order: a group must add its members in the same one whatever the file.
    """
    groupe, membre = _texte("groupe"), _texte("id")
    suit = (groupe == groupe.shift()) & (membre > membre.shift())
    en_ordre = (suit | (groupe != groupe.shift())).fill_null(True).all()
    if _COL_FICHIER not in table.columns and table.select(en_ordre).item():
        return table
    premiere = pl.col(_COL_LIGNE).first().over(groupe)
    seule = groupe.is_null()
    cles = [pl.when(seule).then(pl.col(_COL_LIGNE)).otherwise(premiere), groupe, membre]
    if _COL_FICHIER in table.columns:  # groups come from several files, where row numbers repeat
        cles = [groupe, membre, pl.col(_COL_FICHIER), pl.col(_COL_LIGNE)]
    return table.sort(cles, nulls_last=True)


def _avec_leur_groupe(lignes: numpy.ndarray, lu: BlocLu) -> numpy.ndarray:
    """Rows of the groups that hold one of ``lignes``: a part of a group would get a wrong cap."""
    touches = numpy.zeros(lu.nb_groupes, dtype=bool)
    touches[lu.rang_groupe[lignes]] = True
    return touches[lu.rang_groupe]


class _Refus:
    """Cells refused in a block."""

    def __init__(self, table: pl.DataFrame, fichiers: list[str], lignes: numpy.ndarray, bloc: Bloc) -> None:
        self.donnees, self.fichiers, self.numeros = table, fichiers, lignes
        self.lignes = numpy.zeros(table.height, dtype=bool)
        self.constats = Constats()
        self.motifs: dict[int, str] = {}
        for fichier, repetees in bloc.doublons:
            ici = numpy.isin(lignes, repetees)
            if len(fichiers) > 1:
                ici &= numpy.array([nom == fichier for nom in fichiers])
            self.ajouter("id", ici, "un identifiant unique")

    def ajouter(self, nom: str, refusees: numpy.ndarray, attendu: str, colonne: Colonne | None = None) -> None:
        """Record the refused cells of a column, with the codes nearest to the first ones when it holds codes."""
        rangs = numpy.flatnonzero(refusees)
        self.lignes |= refusees
        valeurs = self.donnees[nom].gather(rangs).to_list()
        distinctes = list(dict.fromkeys(valeurs))[:LIGNES_AFFICHEES] if colonne else ()  # a search takes milliseconds
        conseils = {valeur: colonne.attendu_pres_de(valeur) for valeur in distinctes}
        for rang, valeur in zip(rangs.tolist(), valeurs, strict=True):
            voulu = conseils.get(valeur, attendu)
            montre = "vide" if valeur is None else f"« {valeur} »" if isinstance(valeur, str) else str(valeur)
            probleme = Probleme(self._fichier(rang), int(self.numeros[rang]), nom, montre, voulu)
            self.constats.ajouter(probleme)
            self.motifs.setdefault(rang, f"{nom} : valeur {montre} ; attendu : {voulu}")

    def _fichier(self, rang: int) -> str:
        return self.fichiers[rang] if len(self.fichiers) > 1 else self.fichiers[0]

    def table(self, rejetees: numpy.ndarray) -> pl.DataFrame:
        """Rows set aside, as texts, with their file, row and reason."""
        rangs = numpy.flatnonzero(rejetees).tolist()
        motif_groupe = "membre d'un groupe dont une ligne est refusée"
        origine = {
            "fichier": [self._fichier(rang) for rang in rangs],
            "ligne": self.numeros[rangs],
            "motif": [self.motifs.get(rang, motif_groupe) for rang in rangs],
        }
        return pl.DataFrame(origine).hstack(self.donnees[rangs].select(pl.all().cast(pl.String)))


def _convertir(table: pl.DataFrame, colonnes: dict[str, Colonne], refus: _Refus) -> BlocLu:
    """Turn the cells of a block into inputs of the model, recording what is refused."""
    rang_groupe, nb_groupes = _groupes(table)
    entrees = {}
    for nom, colonne in colonnes.items():
        lecture = schema.lire(colonne, table[nom])
        refus.constats.compter_nan(nom, lecture.nan)
        if lecture.refusees is not None:
            refus.ajouter(nom, lecture.refusees, colonne.attendu, colonne)
        if lecture.connues is not None and not lecture.connues.any():
            continue
        valeurs, connues = lecture.valeurs, lecture.connues
        if colonne.de_groupe and nb_groupes < len(valeurs):
            valeurs, connues, ecarts = _par_groupe(colonne, valeurs, connues, rang_groupe, nb_groupes)
            if ecarts.any():
                refus.ajouter(nom, ecarts, "la même valeur pour tout le groupe")
        entrees[colonne.cle] = valeurs, connues
    poids = None
    if "poids" in table.columns:
        lecture = schema.lire_poids(table["poids"])
        poids = lecture.valeurs
        refus.constats.compter_nan("poids", lecture.nan)
        if lecture.refusees is not None:
            refus.ajouter("poids", lecture.refusees, f"un nombre de 0 à {schema.POIDS_MAXIMUM:.0f}")
    groupes = table["groupe"].cast(pl.String) if "groupe" in table.columns else None
    return BlocLu(table["id"], groupes, rang_groupe, nb_groupes, poids, entrees, refus.constats)


def _groupes(table: pl.DataFrame) -> tuple[numpy.ndarray, int]:
    """Rank of the group of each row; groups are in one piece, an empty cell is a group by itself."""
    if "groupe" not in table.columns:
        return numpy.arange(table.height), table.height
    textes = table.select(_texte("groupe")).to_series()
    nouveau = ((textes != textes.shift()) | textes.is_null() | textes.shift().is_null()).fill_null(True)
    rangs = nouveau.to_numpy().cumsum() - 1
    return rangs, int(rangs[-1]) + 1 if len(rangs) else 0


def _par_groupe(colonne: Colonne, valeurs, connues, rang_groupe, nb_groupes):
    """Value of each group (its first known cell), whether it has one, and the cells that differ from it."""
    rangs = numpy.arange(len(valeurs)) if connues is None else numpy.flatnonzero(connues)
    premier = numpy.full(nb_groupes, -1)
    premier[rang_groupe[rangs[::-1]]] = rangs[::-1]
    connues_par_groupe = premier >= 0
    par_groupe = numpy.where(connues_par_groupe, valeurs[premier], colonne.variable.default_value)
    ecarts = numpy.zeros(len(valeurs), dtype=bool)
    ecarts[rangs] = valeurs[rangs] != par_groupe[rang_groupe[rangs]]
    par_groupe = par_groupe.astype(valeurs.dtype, copy=False)
    return par_groupe, None if connues_par_groupe.all() else connues_par_groupe, ecarts
