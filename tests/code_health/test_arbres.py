"""Three parallel trees: each file of the law has its cases, each article its parameters where it alone needs them."""

import re
from pathlib import Path

import openfisca_fds

LOI = Path(openfisca_fds.__file__).parent
CAS = Path(__file__).parents[1]


def articles(racine, suffixe):
    """List article files below a folder, as relative paths without suffix."""
    return {chemin.relative_to(racine).with_suffix("") for chemin in racine.rglob(f"article_*{suffixe}")}


def sans_cas(variables, cas):
    """List files of ``variables`` with a formula and no case (``x.yaml``, ``x_2021.yaml``… or a folder ``x``)."""
    repondues = {repondue for chemin in cas.rglob("*.yaml") for repondue in _chemins_repondus(chemin, cas)}
    manquants = []
    for chemin in sorted(variables.rglob("*.py")):
        relatif = chemin.relative_to(variables).with_suffix("")
        if "def formula" not in chemin.read_text(encoding="utf-8"):
            continue
        if relatif not in repondues:
            manquants.append(str(relatif))
    return manquants


def _chemins_repondus(chemin, cas):
    """List what a case file answers to: its own path, without a year at the end of its name, or its folder."""
    relatif = chemin.relative_to(cas).with_suffix("")
    return {relatif, relatif.with_name(re.sub(r"_20\d\d$", "", relatif.name)), relatif.parent}


def hors_de_l_arbre(variables, cas):
    """List case files below the law's folders that answer to no file of ``variables``."""
    connus = {chemin.relative_to(variables).with_suffix("") for chemin in variables.rglob("*.py")}
    racines = {chemin.relative_to(variables).parts[0].removesuffix(".py") for chemin in variables.rglob("*.py")}
    orphelins = []
    for chemin in sorted(cas.rglob("*.yaml")):
        relatif = chemin.relative_to(cas).with_suffix("")
        if relatif.parts[0] in racines and not _chemins_repondus(chemin, cas) & connus:
            orphelins.append(str(relatif))
    return orphelins


def test_chaque_article_est_un_fichier():
    trouves = {chemin.name for chemin in articles(LOI / "variables", ".py")}
    mensuels = "2 3_1 3_3 3_5 3_7 3_8 3_10 3_11 3_12 3_14 3_15 3_16 3_17 3_18 3_19 3_21 3_22 3_23 3_24 3_25 3_26 3_27"
    attendus = [*mensuels.split(), "3_28", "3_29", "3_30", "4", "4_1"]
    assert trouves == {f"article_{article}" for article in attendus}


def test_chaque_fichier_de_la_loi_a_ses_cas():
    manquants = sans_cas(LOI / "variables", CAS)
    assert not manquants, "\n".join(manquants)


def test_chaque_fichier_de_cas_repond_a_un_fichier_de_la_loi():
    assert hors_de_l_arbre(LOI / "variables", CAS) == []


def test_les_parametres_d_un_article_sont_au_meme_endroit_que_lui():
    assert articles(LOI / "parameters", ".yaml") <= articles(LOI / "variables", ".py")


def test_un_fichier_sans_cas_et_un_cas_sans_fichier_sont_vus(tmp_path):
    """Broken on purpose."""
    for nom in ("a/avec.py", "a/sans.py", "a/dossier.py", "a/annee.py", "a/vide.py"):
        (tmp_path / "variables" / nom).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "variables" / nom).write_text("" if "vide" in nom else "def formula(): pass", encoding="utf-8")
    for nom in ("a/avec.yaml", "a/orphelin.yaml", "a/dossier/un.yaml", "a/annee_2021.yaml"):
        (tmp_path / "cas" / nom).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "cas" / nom).write_text("", encoding="utf-8")
    assert sans_cas(tmp_path / "variables", tmp_path / "cas") == ["a/sans"]
    assert hors_de_l_arbre(tmp_path / "variables", tmp_path / "cas") == ["a/orphelin"]
