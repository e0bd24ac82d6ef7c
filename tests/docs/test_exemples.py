"""Every fenced block of the README and of the documentation that can run is run; the others are checked.

A command on the files of ``docs/exemples``, or on those of the reader, that the working folder holds under the names
used in the pages, runs in the process; another one of ours is only parsed: its options and its values must exist.
``make`` must name a target, ``pip install`` an extra, ``pytest`` and ``python`` a file. A block that must be left alone
says so just above: ``<!-- skip: next "reason" -->``.
"""

import ast
import doctest
import json
import re
import shlex
from importlib import import_module
from pathlib import Path

import click
import numpy
import polars as pl
import pytest
import yaml
from click.testing import CliRunner
from sybil import Sybil
from sybil.evaluators.python import PythonEvaluator
from sybil.parsers.markdown import CodeBlockParser, SkipParser

from openfisca_fds_tools.cli import main
from openfisca_fds_tools.explain.explication import explain, systeme_par_defaut
from openfisca_fds_tools.scenarios.reforme import lire_fichier
from openfisca_fds_tools.situation import ErreurSituation, construire

RACINE = Path(__file__).parents[2]
# Written by the project's own commands, without examples.
GENEREES = {"couverture.md", "evidence.md", "parcours.md", "versions.md"}
DOCUMENTS = [
    *(RACINE / nom for nom in ("README.md", "LISEZMOI.md", "CONTRIBUTING.md")),
    *(page for page in sorted((RACINE / "docs").rglob("*.md")) if page.name not in GENEREES),
]
EXEMPLES = "docs/exemples/"
DU_LECTEUR = {  # file named by the pages -> what stands for it here
    "entreprises.parquet": "entreprises.csv",
    "population.parquet": "entreprises.csv",
    "cas.yaml": "cafe.yaml",
    "a.yaml": "seuil_de_70.yaml",
    "b.yaml": "seuil_de_70.yaml",
    "c.yaml": "seuil_de_70.yaml",
}
JOUEES = {"simulate", "explain", "timeline", "sweep", "compare", "backtest", "report"}
DEHORS = {  # shown, not run here: program -> why
    "cd": "depends on where the reader is",
    "docker": "builds an image",
    "Rscript": "needs R",
    "openfisca": "starts the core's server, or runs the user's own case",
    "sudo": "changes the machine",
    "systemctl": "changes the machine",
}
# Blocks of pages where the names of files stand for the reader's own: (page, language) -> how many.
MONTREES = {("docs/scenarios.md", "python"): 1}
MAKEFILE = (RACINE / "Makefile").read_text(encoding="utf-8")
EXTRAS = set(re.findall(r'^ {8}"(\w+)": ', (RACINE / "setup.py").read_text(encoding="utf-8"), re.M))


# ---- commands ----


def jouer_les_commandes(exemple):
    """Run or check each command of a block ``sh``."""
    for ligne, mots in commandes(exemple.parsed):
        verifier_la_commande(mots, ligne)


def commandes(texte):
    """Yield each command of a block and its words; a quoted text may spread over several lines."""
    debut = ""
    for ligne in texte.replace("\\\n", " ").splitlines():
        debut = f"{debut}\n{ligne}" if debut else ligne
        try:
            mots = shlex.split(debut, comments=True)
        except ValueError:  # the quotation goes on
            continue
        if mots:
            yield debut, mots
        debut = ""
    assert not debut, f"guillemet non fermé : {debut}"


def verifier_la_commande(mots, ligne):
    programme, *arguments = mots
    if programme == "openfisca-fds":
        donnees = [mot for mot in arguments if mot.startswith(EXEMPLES) or mot in DU_LECTEUR]
        jouer(arguments) if donnees else lire(arguments)
    elif programme == "make":
        for mot in arguments:
            nom, egal, _ = mot.partition("=")
            assert (f"\n{nom} ?= " if egal else f"\n{nom}:") in MAKEFILE, ligne
    elif programme == "pip":
        extras = re.search(r"\[([\w,]+)\]", ligne)
        assert extras is None or set(extras[1].split(",")) <= EXTRAS, ligne
    elif programme in ("pytest", "python"):
        chemins = [mot for mot in arguments if "/" in mot and not mot.startswith("-")]
        assert all((RACINE / chemin).exists() for chemin in chemins), ligne
    elif programme == "curl":
        if corps := re.search(r"-d '(.*?)'", ligne, re.DOTALL):
            verifier_le_corps(json.loads(corps[1]))
    else:
        assert programme in DEHORS, f"« {programme} » : jouer la commande, ou dire pourquoi elle ne l'est pas"


def jouer(arguments):
    assert arguments[0] in JOUEES, arguments
    resultat = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert resultat.exit_code == 0, resultat.output


def lire(arguments):
    """Parse a command without running it: unknown options and values are refused."""
    nom, *suite = arguments
    if nom.startswith("-"):
        return
    commande = main.get_command(None, nom)
    assert commande is not None, nom
    try:
        commande.make_context(nom, [mot for mot in suite if mot != "…"])
    except click.exceptions.Exit:  # --help
        return
    except click.BadParameter as refus:
        if "does not exist" not in refus.message:  # a file of the reader is absent here
            raise


# ---- data ----


def jouer_le_yaml(exemple):
    """Run cases, read reforms, and at least parse anything else."""
    contenu = yaml.safe_load(exemple.parsed)
    if isinstance(contenu, list) and all("input" in cas for cas in contenu):
        if not titre(exemple):
            for cas in contenu:
                verifier_le_cas(exemple.namespace["systeme"], cas)
    elif isinstance(contenu, dict) and "parametres" in contenu:
        fichier = Path("reforme_du_document.yaml")
        fichier.write_text(exemple.parsed, encoding="utf-8")
        lire_fichier(fichier)


def verifier_le_cas(systeme, cas):
    simulation = construire(systeme, cas["input"], cas["period"])
    assert cas["output"]
    for variable, attendu in cas["output"].items():
        obtenu = simulation.calculate(variable, cas["period"])
        numpy.testing.assert_allclose(obtenu, numpy.broadcast_to(attendu, obtenu.shape), atol=0.005)


def jouer_le_json(exemple):
    """Build the situation of a body of the API, have a refusal refused again; parse anything else."""
    contenu = json.loads(exemple.parsed)
    if isinstance(contenu, dict) and "entreprises" in contenu:
        verifier_le_corps(contenu)
    elif isinstance(contenu, dict) and "error" in contenu:
        refusee = contenu["probleme"].removeprefix("valeur ").strip("'")
        for cle in reversed(contenu["chemin"]):
            refusee = {cle: refusee}
        with pytest.raises(ErreurSituation, match=re.escape(contenu["attendu"])):
            construire(systeme_par_defaut(), refusee)


def verifier_le_corps(corps):
    """Build the situation of a body, and compute what it asks for."""
    if "situation" in corps:  # /explain: nothing is asked by null
        explication = explain(construire(systeme_par_defaut(), corps["situation"], corps["mois"]), corps["mois"])
        assert explication.articles
        return
    demandes = []
    for entreprise in corps["entreprises"].values():
        for nom, valeurs in list(entreprise.items()):
            demandes += [(nom, periode) for periode, valeur in valeurs.items() if valeur is None]
            entreprise[nom] = {periode: valeur for periode, valeur in valeurs.items() if valeur is not None}
    corps["entreprises"] = {cle: {n: v for n, v in e.items() if v} for cle, e in corps["entreprises"].items()}
    simulation = construire(systeme_par_defaut(), corps, "2021-03")
    assert demandes
    assert all(simulation.calculate(nom, periode).size for nom, periode in demandes)


def jouer_le_python(exemple):
    """Run the block in the namespace of its page; compile it where it works on the reader's own files."""
    page = Path(exemple.document.path).relative_to(RACINE).as_posix()
    if titre(exemple) or (page, "python") in MONTREES:
        compile(re.sub(r"^\s+&", "_ = True &", exemple.parsed), page, "exec")
        return None
    debut, espace, fin = exemple.parsed.rpartition("  # array(")
    if not espace:
        return PythonEvaluator()(exemple)
    *instructions, derniere = ast.parse(debut).body  # the block ends with an expression, and its value as a comment
    exec(compile(ast.Module(instructions, []), page, "exec"), exemple.namespace)
    obtenu = eval(compile(ast.Expression(derniere.value), page, "eval"), exemple.namespace)
    assert repr(obtenu) == f"array({fin.strip()}"
    return None


def titre(exemple):
    """Tell whether a block has a title: it is a part of a file, that ``test_condition`` puts together."""
    return "title=" in exemple.document.text[exemple.start :].split("\n", 1)[0]


SYBIL = Sybil(
    [
        SkipParser(),
        CodeBlockParser("python", jouer_le_python),
        CodeBlockParser("sh", jouer_les_commandes),
        CodeBlockParser("yaml", jouer_le_yaml),
        CodeBlockParser("json", jouer_le_json),
    ],
    path=str(RACINE),
)


@pytest.fixture
def bac(tmp_path, monkeypatch):
    """Working folder with the examples, where commands may write."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "exemples").symlink_to(RACINE / "docs" / "exemples")
    (tmp_path / "examples").symlink_to(RACINE / "examples")
    for nom, modele in DU_LECTEUR.items():
        source = RACINE / EXEMPLES / modele
        if source.suffix == ".csv":
            pl.read_csv(source, schema_overrides={"departement": pl.String}).write_parquet(tmp_path / nom)
        else:
            (tmp_path / nom).symlink_to(source)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: page.relative_to(RACINE).as_posix())
def test_les_exemples_de_la_page(page, bac, systeme):
    document = SYBIL.parse(page)
    document.namespace["systeme"] = systeme
    for exemple in document.examples():
        exemple.evaluate()


@pytest.mark.parametrize("salle", ["population", "scenarios"])
def test_les_exemples_de_la_reference(salle, bac):
    """Those of the docstrings, that the pages of reference show."""
    joues = doctest.testmod(import_module(f"openfisca_fds_tools.{salle}"))
    assert joues.attempted
    assert not joues.failed


def test_les_fichiers_d_exemple_sont_ceux_des_pages():
    """The café and the reform are shown in full: the page and the file say the same."""
    exemples, pages = RACINE / "docs" / "exemples", RACINE / "docs" / "commencer"
    assert (exemples / "cafe.yaml").read_text("utf-8") in (pages / "juriste.md").read_text("utf-8")
    assert (exemples / "seuil_de_70.yaml").read_text("utf-8") in (pages / "tutoriel.md").read_text("utf-8")


def test_ce_qui_est_montre_sans_etre_joue_existe_encore():
    for (page, langage), nombre in MONTREES.items():
        assert len(re.findall(rf"^```{langage}", (RACINE / page).read_text("utf-8"), re.M)) == nombre


def test_un_exemple_faux_est_vu(systeme):
    """Broken on purpose: an option that does not exist, an amount that is not the law's."""
    with pytest.raises(click.NoSuchOption):
        lire(["simulate", "--mois", "2021-02"])
    cas = {"period": "2021-03", "input": {"chiffre_affaires": {"2019": 360000}}, "output": {"fds_volet_1": 1}}
    with pytest.raises(AssertionError):
        verifier_le_cas(systeme, cas)
