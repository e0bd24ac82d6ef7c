"""The history of one enterprise: the model's amounts, month by month, readable in 80 columns."""

from click.testing import CliRunner

from openfisca_fds_tools.cli import main
from openfisca_fds_tools.explain import command
from openfisca_fds_tools.explain.timeline import historique
from openfisca_fds_tools.situation import construire

CAS = """
entreprises:
  restaurant:
    code_naf: 56.10A
    departement: 69
    effectif_salarie: {2020: 3, 2021: 3, 2022: 3}
    chiffre_affaires: {2019: 240000, 2020: 90000, 2021: 120000, 2021-03: 5000, 2022: 120000}
    jours_interdiction_accueil_public: {2020-04: 30, 2020-11: 30, 2021-03: 31}
    demande_volet_2: true
    solde_tresorerie_volet_2: -2500
    chiffre_affaires_dernier_exercice: 150000
"""

SITUATION = {
    "chiffre_affaires": {"2019": 24_000},
    "demande_fonds_solidarite": {"2020-05": False},
}


def test_un_historique_calcule_a_la_main(systeme):
    """Reference 2 000 € a month, no turnover from January 2020 on: the whole loss up to each month's ceiling."""
    simulation = construire(systeme, SITUATION)
    histoire = historique(simulation)
    par_mois = {mois.periode: mois for mois in histoire.mois}
    assert list(par_mois)[0] == "2020-03"
    assert list(par_mois)[-1] == "2022-02"
    assert len(par_mois) == 24
    # 1 500 € in March and April 2020; no request in May
    assert [par_mois[mois].montant for mois in ("2020-03", "2020-04", "2020-05")] == [1500, 1500, 0]
    assert par_mois["2020-03"].article == "2"
    assert par_mois["2020-05"].regime == "droit ouvert, sans demande"
    assert par_mois["2020-05"].cumul == 3000
    # April 2021: R5, the loss up to 1 500 €
    assert (par_mois["2021-04"].article, par_mois["2021-04"].montant) == ("3-26", 1500)
    assert par_mois["2021-04"].taux == 1
    # nobody gave the turnover of the months aided, and the history says so
    aides = tuple(mois.periode for mois in histoire.mois if mois.montant > 0)
    assert histoire.mois_sans_chiffre_affaires == aides
    # and the figures are the model's
    cumul = 0
    for mois in histoire.mois:
        montant = simulation.calculate("fonds_de_solidarite", mois.periode)[0]
        cumul += montant
        assert (mois.montant, mois.cumul) == (montant, cumul)
        assert mois.reference == simulation.calculate("chiffre_affaires_reference", mois.periode)[0]
    assert histoire.total == cumul + sum(montant for _, montant in histoire.aides_uniques)


def test_les_aides_qui_ne_sont_pas_mensuelles(systeme, tmp_path):
    """Volet 2 of a restaurant that employs (article 4, III): the need, 2 500 €, between 2 000 and 10 000 €."""
    chemin = tmp_path / "cas.yaml"
    chemin.write_text(CAS, encoding="utf-8")
    resultat = CliRunner().invoke(command.timeline, [str(chemin)], env={"COLUMNS": "80"})
    assert resultat.exit_code == 0, resultat.output
    assert "non donné" not in resultat.output
    assert "2\u202f500,00" in next(ligne for ligne in resultat.output.split("\n") if "volet 2" in ligne)
    lignes = resultat.output.split("\n")
    assert max(len(ligne) for ligne in lignes) <= 80
    assert sum(ligne[:4] in ("2020", "2021", "2022") for ligne in lignes) == 24


def test_une_situation_illisible(tmp_path):
    chemin = tmp_path / "cas.yaml"
    chemin.write_text("chiffre_affaires: {2020-03: beaucoup}\n", encoding="utf-8")
    resultat = CliRunner().invoke(command.timeline, [str(chemin)])
    assert resultat.exit_code == 2
    assert "cas.yaml:1 : chiffre_affaires/2020-03" in resultat.output


def test_chaque_entreprise_a_son_historique(tmp_path):
    chemin = tmp_path / "cas.yaml"
    chemin.write_text("entreprises:\n  a: {}\n  b: {}\n", encoding="utf-8")
    resultat = CliRunner().invoke(command.timeline, [str(chemin)], env={"COLUMNS": "120"})
    assert "Entreprise « a »" in resultat.output
    assert "Entreprise « b »" in resultat.output


def test_une_entreprise_inconnue_est_nommee(tmp_path):
    """The three commands say the same."""
    cas = tmp_path / "cas.yaml"
    cas.write_text(CAS, encoding="utf-8")
    mois = ["--month", "2021-03"]
    for commande, options in (("explain", mois), ("timeline", []), ("sweep", [*mois, "--from", "0", "--to", "9"])):
        rendu = CliRunner().invoke(main, [commande, str(cas), *options, "--enterprise", "hotel"])
        assert rendu.exit_code != 0
        assert "Entreprise « hotel » inconnue ; attendu : restaurant." in rendu.output


def test_les_jours_d_une_courbe_tiennent_dans_le_mois(tmp_path):
    cas = tmp_path / "cas.yaml"
    cas.write_text(CAS, encoding="utf-8")
    options = ["--month", "2021-02", "--variable", "jours_interdiction_accueil_public", "--from", "0", "--to", "31"]
    rendu = CliRunner().invoke(main, ["sweep", str(cas), *options])
    assert rendu.exit_code != 0
    assert "28" in rendu.output
