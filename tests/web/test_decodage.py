"""Parquet and Arrow bodies that are small and say much: each is refused, and the server still answers."""

import io

import polars as pl
import pytest

from openfisca_fds_tools.web import decodage
from openfisca_fds_tools.web.decodage import ARROW, ARROW_FLUX, PARQUET

ECRIRE = {PARQUET: "write_parquet", ARROW: "write_ipc", ARROW_FLUX: "write_ipc_stream"}


def fichier(table, genre):
    flux = io.BytesIO()
    getattr(table, ECRIRE[genre])(flux, compression="zstd")
    assert flux.tell() < 20_000
    return flux.getvalue()


@pytest.mark.parametrize("genre", ECRIRE)
@pytest.mark.parametrize(
    ("table", "statut", "attendus"),
    [
        (pl.select(effectif_salarie=pl.repeat(0, 3_000_000)), 413, ("3000000 entreprises", "100000")),
        (pl.DataFrame({"departement": ["7" * 30_000_000]}), 400, ("departement", "texte trop long", "200")),
        (pl.DataFrame({"id": [[1, 2]]}), 400, ("id", "colonne de type List", "des nombres")),
    ],
    ids=["lignes", "cellule", "liste"],
)
def test_un_petit_fichier_qui_en_dit_trop_est_refuse(client, genre, table, statut, attendus):
    reponse = client.post("/simulate", data=fichier(table, genre), content_type=genre)
    assert reponse.status_code == statut, reponse.get_data(as_text=True)[:300]
    for attendu in attendus:
        assert attendu in reponse.get_json()["error"]


def test_un_fichier_qui_demande_trop_de_memoire_ne_tue_que_son_processus():
    """Within 500 MiB, 100 million bytes do not decode: the allocation fails, and Polars ends its process."""
    bombe = fichier(pl.DataFrame({"x": ["a" * 100_000_000]}), PARQUET)
    with pytest.raises(decodage.TableRefusee, match="trop grand") as refus:
        decodage.decoder(PARQUET, bombe, 10, 200, memoire=500 << 20)
    assert refus.value.statut == 413


def test_trop_de_colonnes_ou_trop_d_octets(monkeypatch):
    corps = fichier(pl.DataFrame({f"c{rang}": [1] for rang in range(10)}), ARROW_FLUX)
    monkeypatch.setattr(decodage, "COLONNES", 9)
    with pytest.raises(decodage.TableRefusee, match="10 colonnes"):
        decodage.lire(ARROW_FLUX, corps, 10, 200)
    monkeypatch.setattr(decodage, "COLONNES", 10)
    monkeypatch.setattr(decodage, "TAILLE", 79)
    with pytest.raises(decodage.TableRefusee, match="trop grand"):
        decodage.lire(ARROW_FLUX, corps, 10, 200)
    monkeypatch.setattr(decodage, "TAILLE", 80)
    assert decodage.lire(ARROW_FLUX, corps, 10, 200).width == 10
