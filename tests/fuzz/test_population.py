"""Population files: damaged bytes in each format, and tables of hostile types and values."""

import io
import shutil

import polars as pl
import pytest
from fuzz.essais import essayer, reglages
from fuzz.mutations import octets_abimes
from hypothesis import given
from hypothesis import strategies as st
from polars.testing.parametric import series

from openfisca_fds_tools.population import ErreurUtilisateur, simulate

MOIS, SORTIES = "2021-03", ("fds_volet_1", "effectif_groupe", "fds_volet_2")
CONNUES = [
    "id",
    "groupe",
    "poids",
    "date_creation",
    "code_naf",
    "departement",
    "forme_juridique",
    "densite_commune",
    "discotheque",
    "nombre_associes",
    "demande_volet_2",
    "solde_tresorerie_volet_2",
    "fds_aide_percue:2021-02",
    "chiffre_affaires:2019-03",
    "chiffre_affaires:2021-03",
    "effectif_salarie:2021-03",
    "groupe.effectif_groupe:2021-03",
    "jours_interdiction_accueil_public:2021-03",
    "fds_article_3_24_eligible:2021-03",
]
ETRANGES = [
    "",
    "chiffre_affaires",
    "chiffre_affaires:2021-3",
    "ID",
    "groupe.",
    ":",
    "__ligne",
    "__fichier",
    "é",
    "id:2021-03",
]
TYPES = [
    pl.Int8,
    pl.Int64,
    pl.UInt64,
    pl.Int128,
    pl.Float32,
    pl.Float64,
    pl.String,
    pl.Categorical,
    pl.Boolean,
    pl.Date,
    pl.Enum(["75", "a", "vrai"]),
    pl.Datetime("us"),
    pl.Datetime("ns", "Europe/Paris"),
    pl.Time,
    pl.Duration,
    pl.Binary,
    pl.Null,
    pl.Decimal(20, 3),
    pl.List(pl.Int64),
    pl.Array(pl.Int8, 2),
    pl.Struct({"a": pl.Int8}),
]
PLAUSIBLES = [pl.Null, pl.Boolean, pl.UInt8, pl.Float64, pl.Int8]  # types that many columns accept
SAINE = pl.DataFrame(
    {
        "id": [f"E{i}" for i in range(12)],
        "groupe": [f"G{i // 2}" for i in range(12)],
        "poids": [1.5] * 12,
        "date_creation": ["2015-05-04"] * 12,
        "code_naf": ["56.10A", "47.71Z", "inconnu"] * 4,
        "departement": ["75", "971", "2A"] * 4,
        "chiffre_affaires:2019-03": [10_000.0 + i for i in range(12)],
        "chiffre_affaires:2021-03": [100.0 * i for i in range(12)],
        "effectif_salarie:2021-03": [float(i) for i in range(12)],
        "discotheque": [False, True] * 6,
    }
)
EPARSE = pl.concat([SAINE[::2], SAINE[1::2]])  # each group in two pieces: gathered on disk


def verifier(surface, population, dossier, **options):
    """Compute or refuse; a refusal leaves nothing, and a result is whole and sound."""
    sortie = dossier / "sortie"
    shutil.rmtree(sortie, ignore_errors=True)

    def simuler():
        return simulate(population, months=MOIS, outputs=SORTIES, output=sortie, **options)

    resultats = essayer(surface, simuler, ErreurUtilisateur)
    if resultats is None:
        assert not sortie.exists()
        return
    mensuels = resultats.mensuels
    assert mensuels.height == resultats.carte["entreprises"]
    if mensuels.height:
        assert mensuels["fds_volet_1"].is_finite().all()
        assert mensuels["fds_volet_1"].min() >= 0
    assert {"run.json", "agregats.csv"} <= {fichier.name for fichier in sortie.iterdir()}


def ecrite(table, ecrire, **options):
    tampon = io.BytesIO()
    getattr(table, ecrire)(tampon, **options)
    return tampon.getvalue()


FORMATS = {
    "parquet, zstd": (ecrite(SAINE, "write_parquet", compression="zstd"), "p.parquet", 1_500),
    "parquet, sans compression": (ecrite(SAINE, "write_parquet", compression="uncompressed"), "p.parquet", 1_500),
    "parquet, groupes épars": (ecrite(EPARSE, "write_parquet", compression="uncompressed"), "p.parquet", 0),
    "arrow": (ecrite(SAINE, "write_ipc"), "p.arrow", 1_000),
    "csv": (ecrite(SAINE, "write_csv"), "p.csv", 0),
}


@pytest.mark.parametrize("nom", FORMATS)
def test_octets_abimes(nom, dossier):
    sains, fichier, fin = FORMATS[nom]
    chemin = dossier / fichier

    @reglages(12)
    @given(octets=octets_abimes(sains, fin), options=st.sampled_from([{}, {"errors": "skip"}, {"block_size": 5}]))
    def essai(octets, options):
        chemin.write_bytes(octets)
        verifier(f"population : octets ({nom})", chemin, dossier, **options)

    chemin.write_bytes(sains)
    verifier(f"population : octets ({nom})", chemin, dossier)
    essai()


@st.composite
def tables(draw):
    """Draw tables with known and strange columns, of any type."""
    lignes = draw(st.integers(0, 6))
    noms = draw(st.lists(st.sampled_from(CONNUES) | st.sampled_from(ETRANGES), unique=True, max_size=5))
    colonnes = {}
    for nom in noms:
        genre = draw(st.sampled_from(PLAUSIBLES if draw(st.booleans()) else TYPES))
        colonnes[nom] = draw(series(dtype=genre, min_size=lignes, max_size=lignes, allow_null=True))
    return pl.DataFrame({nom: serie.alias(nom) for nom, serie in colonnes.items()})


@reglages(30)
@given(table=tables(), options=st.sampled_from([{}, {"errors": "skip"}, {"block_size": 2}]))
def test_tables_de_types_hostiles(table, options, dossier):
    verifier("population : tables de types quelconques", table, dossier, **options)


NOMBRES = st.floats() | st.integers(-10, 10) | st.sampled_from([1e12, 1e12 + 1, 5e-324, -0.0, 0.005, 2**53 + 1.0])
TEXTES = st.text(max_size=8) | st.sampled_from(
    ["75", "1", "47.71Z", "4771Z", "vrai", "0", "2020-02-29", "2019-02-29", "NaN"]
)
VALEURS = {
    "poids": NOMBRES,
    "date_creation": TEXTES | st.dates().map(str),
    "code_naf": TEXTES,
    "departement": TEXTES,
    "densite_commune": st.integers(-(2**63), 2**63 - 1),
    "discotheque": TEXTES,
    "chiffre_affaires:2019-03": NOMBRES,
    "chiffre_affaires:2021-03": NOMBRES,
    "effectif_salarie:2021-03": NOMBRES,
    "solde_tresorerie_volet_2": NOMBRES,
    "groupe": TEXTES,
    "id": TEXTES,
}


@st.composite
def tables_plausibles(draw):
    """Draw tables whose columns have the right name and nearly the right type."""
    lignes = draw(st.integers(1, 6))
    noms = draw(st.lists(st.sampled_from(list(VALEURS)), unique=True, min_size=1, max_size=6))
    colonnes = {}
    for nom in noms:
        valeurs = draw(st.lists(st.none() | VALEURS[nom], min_size=lignes, max_size=lignes))
        nombres = VALEURS[nom] is NOMBRES
        colonnes[nom] = [None if v is None else float(v) for v in valeurs] if nombres else valeurs
    return pl.DataFrame(colonnes, strict=False)


@reglages(30)
@given(table=tables_plausibles(), options=st.sampled_from([{}, {"errors": "skip"}, {"block_size": 2}]))
def test_tables_de_valeurs_hostiles(table, options, dossier):
    verifier("population : valeurs hostiles", table, dossier, **options)


@reglages(30)
@given(
    mois=st.text(max_size=20) | st.text("0123456789-:,", max_size=17) | st.sampled_from(["2021-03", "2021-03:2021-04"]),
    dimension=st.text(max_size=12) | st.text("@/0123456789.-einf", max_size=20).map("effectif_salarie{}".format),
)
def test_demandes_quelconques(mois, dimension, dossier):
    chemin = dossier / "saine.parquet"
    SAINE.write_parquet(chemin)

    def simuler():
        return simulate(chemin, months=mois, outputs=("effectif_salarie",), by=(dimension,))

    essayer("population : mois et dimensions", simuler, ErreurUtilisateur)


@pytest.mark.parametrize(
    "genre", [pl.Int8, pl.UInt64, pl.Int128, pl.Float32, pl.Float64, pl.Decimal(20, 3)], ids=lambda genre: str(genre)
)
def test_zero_et_un_sont_faux_et_vrai_dans_tous_les_types_de_nombres(genre):
    """Found by fuzzing: a narrow float was an error of the program."""
    table = pl.DataFrame({"discotheque": pl.Series([0, 1, None], dtype=genre)})
    assert simulate(table, months=MOIS, outputs=("discotheque",)).eternels["discotheque"].to_list() == [
        False,
        True,
        False,
    ]
    vide = pl.DataFrame({"discotheque": pl.Series([None, None], dtype=pl.Null)})
    assert simulate(vide, months=MOIS, outputs=("discotheque",)).eternels["discotheque"].to_list() == [False, False]
    with pytest.raises(ErreurUtilisateur, match="true ou false"):
        simulate(pl.DataFrame({"discotheque": pl.Series([0, 2], dtype=genre)}), months=MOIS, outputs=("discotheque",))
