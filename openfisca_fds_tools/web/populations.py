"""POST /simulate: a population in the body, by columns, through the population engine."""

import io
import json
from dataclasses import dataclass
from datetime import date

import polars as pl

from openfisca_fds_tools.population import ErreurUtilisateur, PopulationInvalide, simulate
from openfisca_fds_tools.situation import Place, suggestion
from openfisca_fds_tools.web.decodage import ARROW, ARROW_FLUX, PARQUET, TableRefusee, decoder
from openfisca_fds_tools.web.lecture import LIMITES, RequeteRefusee, court, lire_demande, lire_json

JSON = "application/json"
FORMATS = (JSON, PARQUET, ARROW, ARROW_FLUX)
SORTIES = ("fds_volet_1", "fonds_de_solidarite")
CHIFFRE_D_AFFAIRES = "chiffre_affaires:"  # beginning of the names of its columns, one a month
GRAND = 2**63
_TYPES = {  # of the cells of a JSON column -> type of the column
    frozenset(): pl.Null,
    frozenset({bool}): pl.Boolean,
    frozenset({int}): pl.Int64,
    frozenset({float}): pl.Float64,
    frozenset({int, float}): pl.Float64,
    frozenset({str}): pl.String,
}


@dataclass(frozen=True)
class Population:
    """What a request asks of the engine."""

    table: pl.DataFrame
    mois: str | None
    sorties: tuple[str, ...]
    par: tuple[str, ...]


def simuler(systeme, type_du_corps, corps, options, acceptes, reforme=None):
    """Simulate the population of a request.

    Args:
        systeme: tax and benefit system, for the names of the outputs.
        type_du_corps: media type, one of FORMATS.
        corps: bytes.
        options: ``mois``, ``sorties``, ``par`` of the query string; in JSON, they are keys of the body.
        acceptes: media type wanted for the answer, one of FORMATS.
        reforme: Reform class; None: the law.

    Returns:
        (bytes, media type, warnings): by columns, monthly results, ETERNITY results, aggregates and warnings in JSON;
        in the other formats, one table: id, groupe, mois, the outputs.

    Raises:
        RequeteRefusee: unreadable body, problem in a column, unknown output…
    """
    population = _lire_json(corps) if type_du_corps == JSON else _lire_table(type_du_corps, corps, options)
    for nom in population.sorties:
        if nom not in systeme.variables:
            attendu = suggestion(nom, systeme.variables) or "un nom de GET /variables"
            raise RequeteRefusee(400, Place(("sorties",)), f"sortie « {court(nom)} » inconnue", attendu)
    avis = _cases_vides(population.table)
    try:
        resultats = simulate(
            population.table, population.mois, population.sorties, reforme, by=population.par, notice=avis.append
        )
    except PopulationInvalide as erreur:
        raise _refus(erreur) from None
    except ErreurUtilisateur as erreur:
        raise RequeteRefusee(400, Place(), str(erreur).rstrip(".")) from None
    mensuels, eternels = resultats.mensuels, resultats.eternels
    if acceptes == JSON:
        tables = {"mensuels": mensuels, "eternels": eternels, "agregats": resultats.agregats}
        return _ecrire_json(tables, avis), JSON, avis
    table = mensuels if not eternels.width else eternels
    if mensuels.width and eternels.width:
        table = mensuels.join(eternels.drop("groupe"), on="id", how="left", maintain_order="left")
    flux = io.BytesIO()
    {PARQUET: table.write_parquet, ARROW: table.write_ipc, ARROW_FLUX: table.write_ipc_stream}[acceptes](flux)
    return flux.getvalue(), acceptes, avis


def _cases_vides(table):
    """Warn of the empty cells of turnover, which make a total loss as an absent column does."""
    vides = {nom: table[nom].null_count() for nom in table.columns if nom.startswith(CHIFFRE_D_AFFAIRES)}
    return [
        f"colonne « {nom} » : {nombre} case(s) vide(s), lue(s) comme 0 €." for nom, nombre in vides.items() if nombre
    ]


def _refus(erreur):
    """Make a refusal of a refused population: it says all its problems, and gives the key of the first."""
    lignes = str(erreur).removesuffix("rien n'a été écrit.").rstrip(" :\n").replace("table, ", "").splitlines()
    if not erreur.problemes:
        return RequeteRefusee(400, Place(), " | ".join(lignes))
    premier = erreur.problemes[0]
    chemin = ["colonnes", court(premier.colonne)] if premier.colonne is not None else []
    if chemin and premier.ligne is not None:
        chemin.append(str(premier.ligne - 1))
    probleme, _, attendu = premier.attendu.partition(" ; noms proches : ")
    if premier.valeur is not None:
        probleme, attendu = f"valeur {premier.valeur}", premier.attendu
    refus = RequeteRefusee(400, Place(tuple(chemin)), probleme, attendu)
    refus.args = (f"{' | '.join(lignes)}.",)
    return refus


def _ecrire_json(tables, avis):
    cellules = sum(table.width * table.height for table in tables.values())
    if cellules > LIMITES["cellules_json"]:
        attendu = f"au plus {LIMITES['cellules_json']} ; demander {PARQUET} par l'en-tête Accept"
        raise RequeteRefusee(413, Place(), f"{cellules} cellules de résultats en JSON", attendu)
    colonnes = {nom: {c.name: c.to_list() for c in table.iter_columns()} for nom, table in tables.items()}
    reponse = colonnes | {"avertissements": avis}
    return json.dumps(reponse, ensure_ascii=False, allow_nan=False, default=date.isoformat).encode("utf-8", "replace")


# ---- reading ----


def _lire_json(corps):
    champs = {"colonnes": dict, "mois": str, "sorties": list, "par": list}
    demande = lire_demande(lire_json(corps, constantes=False), champs, ("colonnes",))
    colonnes = demande["colonnes"]
    tailles = {}
    for nom, cellules in colonnes.items():
        if not 1 <= len(nom) <= LIMITES["caracteres"]:
            raise RequeteRefusee(400, _place(nom), "nom refusé", f"de 1 à {LIMITES['caracteres']} caractères")
        if not isinstance(cellules, list):
            raise RequeteRefusee(400, _place(nom), "ce n'est pas une liste", "une valeur par entreprise")
        tailles.setdefault(len(cellules), nom)
    if len(tailles) > 1:
        (_, une), (taille, autre) = list(tailles.items())[:2]
        raise RequeteRefusee(400, _place(autre), f"{taille} valeurs", f"autant que « {court(une)} »")
    _verifier_taille(next(iter(tailles), 0))
    table = pl.DataFrame([_serie(nom, cellules) for nom, cellules in colonnes.items()])
    return Population(table, demande.get("mois"), _noms(demande, "sorties") or SORTIES, _noms(demande, "par"))


def _place(nom):
    return Place(("colonnes", court(nom)))


def _noms(demande, cle):
    noms = demande.get(cle, [])
    if not all(isinstance(nom, str) and len(nom) <= LIMITES["caracteres"] for nom in noms):
        raise RequeteRefusee(400, Place((cle,)), "ce ne sont pas des noms", "une liste de noms")
    if len(noms) > LIMITES["sorties_simulate"]:
        raise RequeteRefusee(413, Place((cle,)), f"{len(noms)} noms", f"au plus {LIMITES['sorties_simulate']}")
    return tuple(noms)


def _serie(nom, cellules):
    types = frozenset(map(type, cellules)) - {type(None)}
    if types not in _TYPES:
        raise RequeteRefusee(400, _place(nom), "valeurs de types mêlés", "des nombres, des textes ou des booléens")
    genre = _TYPES[types]
    if genre == pl.Int64 and any(abs(valeur) >= GRAND for valeur in cellules if valeur is not None):
        genre = pl.Float64
    try:
        if genre == pl.String:
            "".join(cellule for cellule in cellules if cellule is not None).encode()
        return pl.Series(nom, cellules, dtype=genre)
    except UnicodeEncodeError:
        raise RequeteRefusee(400, _place(nom), "caractères incorrects", "du texte Unicode") from None


def _lire_table(type_du_corps, corps, options):
    try:
        table = decoder(type_du_corps, corps, LIMITES["entreprises_simulate"], LIMITES["caracteres"])
    except TableRefusee as refus:
        place = Place() if refus.colonne is None else _place(refus.colonne)
        raise RequeteRefusee(refus.statut, place, refus.probleme, refus.attendu) from None
    _verifier_taille(table.height)
    listes = {cle: [nom for nom in options.get(cle, "").split(",") if nom] for cle in ("sorties", "par")}
    mois = options.get("mois")
    if mois is not None and len(mois) > LIMITES["caracteres"]:
        raise RequeteRefusee(400, Place(("mois",)), "texte trop long", "2021-02:2021-09")
    return Population(table, mois, _noms(listes, "sorties") or SORTIES, _noms(listes, "par"))


def _verifier_taille(lignes):
    maximum = LIMITES["entreprises_simulate"]
    if lignes > maximum:
        raise RequeteRefusee(413, Place(), f"{lignes} entreprises", f"au plus {maximum} par requête")
    if not lignes:
        raise RequeteRefusee(400, Place(("colonnes",)), "aucune entreprise", "au moins une ligne")
