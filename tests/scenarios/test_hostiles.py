"""Reform files that anyone may send: whatever they hold, one short line in French, at once."""

import time

import pytest

from openfisca_fds_tools.scenarios import ErreurReforme, lire_fichier
from openfisca_fds_tools.scenarios.incertitudes import lire_incertitudes

TETE = "nom: Essai\ndescription: Essai.\n"
VALEUR = TETE + "parametres:\n  - {{chemin: plafonds.groupe, debut: 2021-01, valeur: {}}}\n"
LIGNE = TETE + "parametres:\n  - {{chemin: {}, debut: {}, {}}}\n"
NEUF = ["*a{0}"] * 9


def bombe(debut, profondeur=9):
    """Billion laughs: each list holds nine times the former."""
    lignes = [f"{debut}\n  - &a0 [rire, rire, rire]"]
    lignes += [f"  - &a{i} [{', '.join(NEUF).format(i - 1)}]" for i in range(1, profondeur)]
    return TETE.replace("description: Essai.\n", "") + "\n".join(lignes) + "\n"


HOSTILES = {  # file -> what its message must say
    "alias dans la description": (bombe("description:"), "alias"),
    "alias dans les paramètres": (bombe("parametres:"), "alias"),
    "alias récursif": (TETE + "parametres: &a [*a]\n", "alias"),
    "fusion récursive": (TETE + "x: &x\n  <<: *x\n", "alias"),
    "ancre inconnue": (TETE + "parametres: *rien\n", "alias"),
    "crochets emboîtés": (TETE + "parametres: " + "[" * 9000 + "]" * 9000, "emboîtés"),
    "accolades emboîtées": (TETE + "parametres: " + "{a: " * 900 + "}" * 900, "emboîtés"),
    "tirets emboîtés": (TETE + "parametres:\n" + "- " * 900 + "a\n", "emboîtés"),
    "clés emboîtées": (TETE + "? " * 900 + "\n", "emboîtés"),
    "marges emboîtées": (TETE + "\n".join(" " * rang + "a:" for rang in range(200)), "emboîtés"),
    "binaire": (bytes(range(256)) * 20, "illisible"),
    "octet nul": (b"nom: a\x00b\n", "YAML incorrect"),
    "utf-16": ((TETE + "x: 1\n").encode("utf-16"), "illisible"),
    "latin-1": ("nom: été\n".encode("latin-1"), "illisible"),
    "trop grand": ("#" * 70_000, "trop grand"),
    "tabulations": (TETE + "parametres:\n\t- {}\n", "YAML incorrect"),
    "deux documents": (VALEUR.format(1) + "---\n" + VALEUR.format(2), "YAML incorrect"),
    "autre version de YAML": ("%YAML 9.9\n---\nnom: a\n", "YAML incorrect"),
    "balise inconnue": (VALEUR.format("!diablotin 1"), "YAML incorrect"),
    "balise d'exécution": (VALEUR.format("!!python/object/apply:os.system [ls]"), "YAML incorrect"),
    "balise de nom": (VALEUR.format("!!python/name:os.system"), "YAML incorrect"),
    "balise d'octets": (VALEUR.format("!!binary aGVsbG8="), "des euros"),
    "balise d'ensemble": (TETE + "parametres: !!set {a, b}\n", "une liste"),
    "balise de liste ordonnée": (TETE + "parametres: !!omap [a: 1]\n", "un dictionnaire"),
    "entier mal écrit": (VALEUR.format("!!int abc"), "bien écrits"),
    "date impossible": (VALEUR.format("!!timestamp 2021-13-45"), "bien écrits"),
    "entier de 5 000 chiffres": (VALEUR.format("9" * 5000), "bien écrits"),
    "entier hexadécimal de 9 000 chiffres": (VALEUR.format("0x" + "F" * 9000), "démesurée"),
    "entier plus grand qu'un réel": (VALEUR.format("0x" + "F" * 300), "des euros"),
    "infini": (VALEUR.format(".inf"), "inf"),
    "nombre qui n'en est pas un": (VALEUR.format(".nan"), "nan"),
    "1e400": (VALEUR.format("1e400"), "sans guillemets"),
    "octal": (VALEUR.format("0777"), "'0777'"),
    "sexagésimal": (VALEUR.format("1:00:00"), "'1:00:00'"),
    "dictionnaire pour valeur": (VALEUR.format("{a: 1}"), "des euros"),
    "5 000 valeurs": (VALEUR.format("[" + "1, " * 5000 + "1]"), "des euros"),
    "3 000 fois le même code": (
        LIGNE.format("secteurs.reparation_navale", "2021-01", "valeur: [" + '"33.15Z", ' * 3000 + "]"),
        "tous différents",
    ),
    "code nombre": (LIGNE.format("secteurs.reparation_navale", "2021-01", "valeur: [33.15]"), "entre guillemets"),
    "code liste": (LIGNE.format("secteurs.reparation_navale", "2021-01", 'valeur: [["33.15Z"]]'), "entre guillemets"),
    "facteur de 3 000 chiffres": (
        LIGNE.format("plafonds.groupe", "2021-01", f'operation: "×{"9" * 3000}"'),
        "opération",
    ),
    "terme à exposant": (LIGNE.format("plafonds.groupe", "2021-01", 'operation: "+1e999"'), "opération"),
    "jours non entiers": (
        LIGNE.format("depuis_juin_2021.secteurs.duree_mesures", "2021-08", 'operation: "×0,333"'),
        "nombre entier",
    ),
    "mois de février 30": (LIGNE.format("plafonds.groupe", "2021-02-30", "valeur: 1"), "bien écrits"),
    "mois zéro": (LIGNE.format("plafonds.groupe", "2021-00", "valeur: 1"), "un mois d'aide"),
    "mois en liste": (LIGNE.format("plafonds.groupe", "[2021-01]", "valeur: 1"), "un mois d'aide"),
    "mois nombre": (LIGNE.format("plafonds.groupe", "202101", "valeur: 1"), "un mois d'aide"),
    "chiffres arabes": (LIGNE.format("plafonds.groupe", "٢٠٢١-٠١", "valeur: 1"), "un mois d'aide"),
    "chemin de fichier": (LIGNE.format("../../etc/passwd", "2021-01", "valeur: 1"), "inconnu"),
    "chemin de classe": (LIGNE.format("__class__.__mro__", "2021-01", "valeur: 1"), "inconnu"),
    "chemin de 40 000 caractères": (LIGNE.format("a." * 20_000 + "b", "2021-01", "valeur: 1"), "inconnu"),
    "clé deux fois": (LIGNE.format("plafonds.groupe, chemin: a", "2021-01", "valeur: 1"), "deux fois"),
    "clé liste": (TETE + "? [a, b]\n: 1\n", "une clé ne peut pas"),
    "clé nulle": (TETE + "~: 1\n", "clé inconnue"),
    "clé NaN": (TETE + ".nan: 1\n", "clé inconnue"),
    "nom de 60 000 caractères": (
        "nom: " + "x" * 60_000 + "\ndescription: Essai.\nneutralise: [fds_volet_2]\n",
        "120 caractères",
    ),
    "nom qui colore l'écran": ('nom: "a\\e[31m"\ndescription: Essai.\n' + "neutralise: [fds_volet_2]\n", "imprimables"),
    "900 fois le même changement": (
        TETE + "parametres:\n" + "  - {chemin: plafonds.groupe, debut: 2021-01, valeur: 1}\n" * 900,
        "déjà changé",
    ),
    "neutralisée deux fois": (TETE + "neutralise: [fds_volet_2, fds_volet_2]\n", "déjà neutralisée"),
    "aide due une fois, par mois": (
        TETE + "neutralise: [{variable: fds_volet_2, debut: 2021-01}]\n",
        "pour tous les mois",
    ),
    "vide": ("", "un dictionnaire"),
    "texte": ("bonjour\n", "un dictionnaire"),
}


@pytest.mark.parametrize("nom", HOSTILES)
def test_one_short_line_at_once(nom, tmp_path):
    contenu, morceau = HOSTILES[nom]
    fichier = tmp_path / "r.yaml"
    fichier.write_bytes(contenu if isinstance(contenu, bytes) else contenu.encode())
    debut = time.process_time()
    for lire in (lire_fichier, lire_incertitudes):
        with pytest.raises(ErreurReforme) as erreur:
            lire(fichier)
        message = str(erreur.value)
        assert message.startswith(str(fichier))
        assert message.isprintable()
        assert len(message.removeprefix(str(fichier))) < 420
        if lire is lire_fichier:
            assert morceau in message
    assert time.process_time() - debut < 5


def test_what_is_odd_but_sound_is_read(tmp_path):
    fichier = tmp_path / "r.yaml"
    fichier.write_bytes(b"\xef\xbb\xbf" + VALEUR.format("&ancre 300_000").replace("Essai.", "Essai\n  long.").encode())
    assert lire_fichier(fichier).__doc__ == "Essai long."
