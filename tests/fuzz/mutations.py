"""Strategies that damage what is sound: bytes, texts, trees of JSON or YAML."""

import copy

from hypothesis import strategies as st

PLACES = st.sampled_from([1, 1, 1, 2, 4])  # most often one, so that the rest is reached
BOUTS = st.sampled_from(
    [b"", b"\x00", b"\xff\xff\xff\xff", b"\x7f" * 8, b"PAR1", b"ARROW1", b"\r\n", b'"', b",", b"\xc3"]
)


@st.composite
def octets_abimes(draw, sains, fin=0):
    """Damage bytes in one to four places, half of them in the last ``fin`` bytes (the footer of a Parquet file)."""
    octets = bytearray(sains)
    for _ in range(draw(PLACES)):
        debut = len(octets) - fin if fin and draw(st.booleans()) else 0
        lieu = draw(st.integers(max(debut, 0), max(len(octets) - 1, 0)))
        geste = draw(st.sampled_from(["changer", "changer", "inserer", "oter", "couper", "repeter"]))
        if geste == "changer" and octets:
            octets[lieu] = draw(st.integers(0, 255))
        elif geste == "inserer":
            octets[lieu:lieu] = draw(BOUTS | st.binary(max_size=8))
        elif geste == "oter":
            del octets[lieu : lieu + draw(st.integers(1, 64))]
        elif geste == "couper":
            del octets[lieu:]
        elif geste == "repeter":
            octets[lieu:lieu] = octets[lieu : lieu + draw(st.integers(1, 200))]
    return bytes(octets)


MORCEAUX = st.sampled_from(
    [
        "",
        " ",
        "\n",
        "  ",
        "\t",
        ":",
        "- ",
        "{",
        "}",
        "[",
        "]",
        ",",
        "&a ",
        "*a",
        "<<: ",
        "!!python/object:os.system ",
        "|",
        "? ",
        "'",
        '"',
        "#",
        "null",
        "~",
        "true",
        "oui",
        "0",
        "-1",
        "1e999",
        ".inf",
        ".nan",
        "2021-02-30",
        "2021-13",
        "9999",
        "0001-01-01",
        "\u2028",
        "\x00",
        "é",
        "ETERNITY",
        "month:2021-01:3",
        "999999999999999999999",
        "1_000",
        "0x10",
        "1:30",
    ]
)


@st.composite
def texte_abime(draw, sain):
    """Damage a text in one to four places, with the words that YAML and our readers mind."""
    texte = sain
    for _ in range(draw(PLACES)):
        lieu = draw(st.integers(0, len(texte)))
        longueur = draw(st.sampled_from([0, 0, 1, 2, 8, 40]))
        texte = texte[:lieu] + draw(MORCEAUX | st.text(max_size=5)) + texte[lieu + longueur :]
    return texte


FEUILLES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.text(max_size=12)
    | st.sampled_from(
        ["2021-03", "2019", "ETERNITY", "47.71Z", "75", 75, 4771, "chiffre_affaires", "fds_volet_1", -0.01, 1e12]
    )
)
ARBRES = st.recursive(
    FEUILLES,
    lambda fils: st.lists(fils, max_size=3) | st.dictionaries(st.text(max_size=8), fils, max_size=3),
    max_leaves=6,
)


@st.composite
def arbre_abime(draw, sain):
    """Replace, remove, rename or wrap one to four nodes of a tree."""
    arbre = copy.deepcopy(sain)
    for _ in range(draw(PLACES)):
        lieux = list(_lieux(arbre))
        if not lieux:
            return arbre
        contenant, cle = draw(st.sampled_from(lieux))
        geste = draw(st.sampled_from(["remplacer", "remplacer", "oter", "renommer", "envelopper"]))
        if geste == "oter":
            del contenant[cle]
        elif geste == "renommer" and isinstance(contenant, dict):
            contenant[draw(st.text(max_size=12) | st.sampled_from(["fds_volet_1", "2021-03", "2019", "groupes"]))] = (
                contenant.pop(cle)
            )
        elif geste == "envelopper":
            contenant[cle] = draw(st.sampled_from([[contenant[cle]], {"2021-03": contenant[cle]}]))
        else:
            contenant[cle] = draw(ARBRES)
    return arbre


def _lieux(arbre):
    paires = arbre.items() if isinstance(arbre, dict) else enumerate(arbre) if isinstance(arbre, list) else ()
    for cle, fils in list(paires):
        yield arbre, cle
        yield from _lieux(fils)
