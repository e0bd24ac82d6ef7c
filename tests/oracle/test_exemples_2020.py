"""Worked examples of the fiches 01 and 02 (figures computed by hand there), through the oracle only.

Restated in the terms of the dictionary. F1 and F2 are the fiches, followed by the article and the number of the
example; where a clarification departs from a fiche, the test follows the clarification and cites both.
"""

import pytest
from commun import liste_des_mois
from droit_2020 import evaluer_2020, evaluer_volet_2

ANNEE_2019 = liste_des_mois("2019-01", "2019-12")
MOIS_2020 = liste_des_mois("2020-01", "2020-12")


def entreprise(chiffre_affaires=None, par_mois_2019=0.0, **donnees):
    """Build an old enterprise of no protected sector; `par_mois_2019` is its flat turnover of 2019."""
    chiffres = dict.fromkeys(ANNEE_2019, par_mois_2019) | (chiffre_affaires or {})
    cas = {"date_creation": "2015-06-01", "chiffre_affaires": chiffres}
    for annexe in ("annexe_1", "annexe_2"):
        cas[annexe] = dict.fromkeys(MOIS_2020, donnees.pop(annexe, False))
    return cas | donnees


def mensuel(mois, **donnees):
    """Monthly inputs of one month."""
    return {nom: {mois: valeur} for nom, valeur in donnees.items()}


def montants(cas, mois, *articles):
    resultat = evaluer_2020([cas], mois)[0]
    trouves = [resultat[f"fds_article_{article}_montant"] for article in articles]
    return trouves[0] if len(articles) == 1 else tuple(trouves)


def eligible(cas, mois, article):
    return evaluer_2020([cas], mois)[0][f"fds_article_{article}_eligible"]


def volet_1(cas, mois):
    return evaluer_2020([cas], mois)[0]["fds_volet_1"]


def volet_2(**donnees):
    cas = entreprise(demande_volet_2=True, fds_aide_percue={"2020-04": True}, **donnees)
    return evaluer_volet_2([cas])[0]["fds_volet_2"]


# ---- art. 1er (F1) -----------------------------------------------------------------------------------------------


def perdante_en_avril(**donnees):
    return entreprise(par_mois_2019=6_000.0, **donnees)


@pytest.mark.parametrize(
    ("donnees", "attendu"),
    [
        ({"forme_juridique": "association", "assujettie_impots_commerciaux": False}, 0),  # ex. 1
        (
            {
                "forme_juridique": "association",
                "assujettie_impots_commerciaux": False,
                "effectif_salarie": {"2020-04": 1},
            },
            1_500,
        ),
        ({"forme_juridique": "societe", "controlee_par_societe_commerciale": True}, 0),  # ex. 2
        ({"forme_juridique": "societe"}, 1_500),
        ({"liquidation_judiciaire_au_1er_mars_2020": True}, 0),  # ex. 3
        ({"residence_fiscale_francaise": False}, 0),
        ({"monument_historique_ouvert_au_public": True, "effectif_salarie": {"2020-04": 2}}, 0),  # C3
        ({"dettes_fiscales_ou_sociales_impayees": {"2020-04": True}}, 0),  # C27
        ({"chiffre_affaires_dernier_exercice": 1_000_000.0}, 0),  # ex. 5, strict
        ({"chiffre_affaires_dernier_exercice": 999_999.0}, 1_500),
    ],
)
def test_article_1er(donnees, attendu):
    assert montants(perdante_en_avril(**donnees), "2020-04", "3_1") == attendu


@pytest.mark.parametrize(("total", "attendu"), [(249_999.0, 0), (249_996.0, 1_500)])
def test_article_1er_exemple_4_sans_exercice_clos(total, attendu):
    chiffres = dict.fromkeys(["2019-12", "2020-01", "2020-02"], total / 3)
    cas = entreprise(chiffres, date_creation="2019-12-01")
    assert montants(cas, "2020-04", "3_1") == attendu


# ---- mars (F1, art. 2 et 3) --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mars_2019", "mars_2020", "donnees", "attendu"),
    [
        (6_000.0, 3_000.0, {}, 1_500),  # ex. 1
        (6_000.0, 3_001.0, {}, 0),  # ex. 2
        (2_000.0, 1_100.0, mensuel("2020-03", jours_interdiction_accueil_public=16), 900),  # ex. 3
        (6_000.0, 3_000.0, mensuel("2020-03", indemnites_journalieres=800.0), 1_500),  # ex. 4
        (6_000.0, 3_000.0, mensuel("2020-03", indemnites_journalieres=801.0), 0),
        (6_000.0, 3_000.0, mensuel("2020-03", pensions_retraite=0.01), 0),  # C19
        (6_000.0, 3_000.0, {"benefice_imposable_dernier_exercice": 60_000.0}, 1_500),  # ex. 6
        (6_000.0, 3_000.0, {"benefice_imposable_dernier_exercice": 60_001.0}, 0),
        (
            6_000.0,
            3_000.0,
            {"benefice_imposable_dernier_exercice": 60_001.0, "nombre_conjoints_collaborateurs": 1},
            0,  # no doubling in March (C19)
        ),
        (6_000.0, 3_000.0, {"date_debut_activite": "2020-01-31"}, 1_500),
        (6_000.0, 3_000.0, {"date_debut_activite": "2020-02-01"}, 0),
    ],
)
def test_mars(mars_2019, mars_2020, donnees, attendu):
    cas = entreprise({"2019-03": mars_2019, "2020-03": mars_2020}, par_mois_2019=9_000.0, **donnees)
    assert montants(cas, "2020-03", "2") == attendu


def test_mars_exemple_5_creee_en_decembre_2019():
    chiffres = {"2019-12": 3_000.0, "2020-01": 2_000.0, "2020-02": 4_000.0, "2020-03": 1_400.0}
    assert montants(entreprise(chiffres, date_creation="2019-12-01"), "2020-03", "2") == 1_500


# ---- avril (F1, art. 3-1 et 3-2) ---------------------------------------------------------------------------------


def test_avril_exemple_1_moyenne_2019_par_option():
    chiffres = dict.fromkeys(ANNEE_2019, 46_000 / 11) | {"2019-04": 2_000.0, "2020-04": 1_200.0}
    chiffres = {mois: round(valeur, 2) for mois, valeur in chiffres.items()}
    chiffres["2019-12"] = round(46_000 - 10 * round(46_000 / 11, 2), 2)  # average 4 000
    assert montants(entreprise(chiffres), "2020-04", "3_1") == 1_500
    au_mois = entreprise(chiffres, option_chiffre_affaires_reference="mois_2019")
    assert not eligible(au_mois, "2020-04", "3_1")  # 40 % against April 2019


@pytest.mark.parametrize(
    ("donnees", "attendu"),
    [
        ({"nombre_conjoints_collaborateurs": 1, "benefice_imposable_dernier_exercice": 120_000.0}, 1_500),  # ex. 2
        ({"nombre_conjoints_collaborateurs": 1, "benefice_imposable_dernier_exercice": 120_001.0}, 0),
        (
            {
                "forme_juridique": "societe",
                "nombre_associes": 2,
                "nombre_conjoints_collaborateurs": 1,
                "benefice_imposable_dernier_exercice": 170_000.0,
            },
            1_500,  # ex. 3
        ),
        (mensuel("2020-04", pensions_retraite=1_501.0), 0),  # ex. 6
        ({"dirigeant_contrat_temps_complet": {"2020-03": True}}, 0),  # 1 March (C18)
        ({"dirigeant_contrat_temps_complet": {"2020-04": True}}, 1_500),
    ],
)
def test_avril(donnees, attendu):
    cas = entreprise({"2020-04": 1_200.0}, par_mois_2019=3_200.0, **donnees)  # loss 2 000, 62.5 %
    assert montants(cas, "2020-04", "3_1") == attendu


def test_avril_exemple_4_pension_dans_le_plafond():
    donnees = mensuel("2020-04", jours_interdiction_accueil_public=30, pensions_retraite=600.0)
    cas = entreprise({"2020-04": 2_000.0}, par_mois_2019=3_000.0, **donnees)
    assert montants(cas, "2020-04", "3_1") == 900


def test_avril_exemple_6_pension_de_1500_eligible_pour_rien():
    cas = entreprise(par_mois_2019=3_000.0, **mensuel("2020-04", pensions_retraite=1_500.0))
    assert eligible(cas, "2020-04", "3_1")  # C41
    assert montants(cas, "2020-04", "3_1") == 0


def test_avril_exemple_5_creee_le_10_fevrier_2020():
    cas = entreprise({"2020-02": 1_500.0, "2020-04": 1_000.0}, date_creation="2020-02-10")
    assert evaluer_2020([cas], "2020-04")[0]["chiffre_affaires_reference"] == 2_175
    assert montants(cas, "2020-04", "3_1") == 1_175


# ---- mai (F1, art. 3-3 et 3-4) -----------------------------------------------------------------------------------


def test_mai_exemple_1_restaurant_de_18_salaries():
    cas = entreprise(
        par_mois_2019=130_000.0,
        annexe_1=True,
        chiffre_affaires_dernier_exercice=1_600_000.0,
        **mensuel("2020-05", effectif_salarie=18, jours_interdiction_accueil_public=31),
    )
    assert montants(cas, "2020-05", "3_3") == 1_500


@pytest.mark.parametrize(("printemps_2020", "attendu"), [(40_000.0, 1_500), (40_001.0, 0)])
def test_mai_exemple_2_grossiste_annexe_2(printemps_2020, attendu):
    # 200 000 from 15 March to 15 May 2019; twice the average of 2019 is only 168 333 (C1: the better of the two).
    cas = entreprise(
        {"2019-03": 0.0, "2019-04": 200_000.0, "2019-05": 0.0},
        par_mois_2019=90_000.0,
        annexe_2=True,
        chiffre_affaires_dernier_exercice=1_500_000.0,
        chiffre_affaires_premier_confinement=printemps_2020,
        **mensuel("2020-05", effectif_salarie=15),
    )
    assert montants(cas, "2020-05", "3_3") == attendu


@pytest.mark.parametrize(
    ("creation", "mars", "attendu"),
    [
        ("2020-03-05", 2_700.0, 1_500),  # ex. 3: 27 days × 100, 1 100 to 15 March, × 31/11 = 3 100; loss 1 550
        ("2020-03-09", 2_300.0, 1_500),  # ex. 4
        ("2020-03-10", 2_200.0, 0),
    ],
)
def test_mai_exemples_3_et_4_creee_en_mars_2020(creation, mars, attendu):
    cas = entreprise(
        {"2020-03": mars, "2020-05": 1_550.0},
        date_creation=creation,
        benefice_imposable_dernier_exercice=90_000.0,  # 3° does not apply
    )
    assert montants(cas, "2020-05", "3_3") == attendu


@pytest.mark.parametrize(
    ("effectif", "exercice", "attendu"), [(21, 900_000.0, 0), (20, 2_000_000.0, 0), (20, 1_999_999.0, 1_500)]
)
def test_mai_exemple_5_seuils_de_l_annexe_1(effectif, exercice, attendu):
    cas = entreprise(
        par_mois_2019=50_000.0,
        annexe_1=True,
        chiffre_affaires_dernier_exercice=exercice,
        **mensuel("2020-05", effectif_salarie=effectif),
    )
    assert montants(cas, "2020-05", "3_3") == attendu


# ---- juin (F1, art. 3-5 et 3-6) ----------------------------------------------------------------------------------


def creee_mi_septembre_2019(juin, **donnees):
    """Ex. 1 and 2, created on 16 instead of 15 September: half a month, so that the average is exactly 2 000."""
    chiffres = dict.fromkeys(liste_des_mois("2019-10", "2020-02"), 2_000.0) | {"2019-09": 1_000.0, "2020-06": juin}
    return entreprise(chiffres, date_creation="2019-09-16", **donnees)


@pytest.mark.parametrize(
    ("cas", "attendu"),
    [
        (creee_mi_septembre_2019(1_000.0), 1_000),  # ex. 1
        (creee_mi_septembre_2019(1_001.0), 0),  # ex. 2
        (creee_mi_septembre_2019(1_001.0, **mensuel("2020-06", jours_interdiction_accueil_public=2)), 999),
        (
            entreprise(
                {"2020-06": 1_700.0},
                par_mois_2019=3_000.0,
                **mensuel("2020-06", jours_interdiction_accueil_public=30, pensions_retraite=400.0),
            ),
            1_100,  # ex. 3
        ),
        (
            entreprise({"2020-06": 1_250.0}, par_mois_2019=6_250.0, benefice_imposable_dernier_exercice=60_000.0),
            1_500,  # ex. 4
        ),
    ],
)
def test_juin(cas, attendu):
    assert montants(cas, "2020-06", "3_5") == attendu


# ---- Guyane et Mayotte (F1 et F2, art. 3-7) ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reference", "juillet", "donnees", "attendu"),
    [
        (5_000.0, 1_500.0, {}, 3_000),  # F1 ex. 1
        (5_000.0, 2_001.0, {}, 2_999),  # F1 ex. 2
        (5_000.0, 2_500.0, mensuel("2020-07", indemnites_journalieres=1_000.0), 2_000),  # F1 ex. 3
        (6_000.0, 1_000.0, mensuel("2020-07", pensions_retraite=1_500.0), 1_500),  # F1 ex. 4
        (6_000.0, 1_000.0, mensuel("2020-07", pensions_retraite=1_501.0), 0),
        (20_000.0, 6_000.0, mensuel("2020-07", effectif_salarie=3), 3_000),  # F2 ex. 1
        (5_000.0, 2_500.0, {}, 2_500),  # F2 ex. 2
        (5_000.0, 2_501.0, {}, 0),
        (6_000.0, 2_000.0, mensuel("2020-07", pensions_retraite=1_200.0), 1_800),  # F2 ex. 4
        (6_000.0, 1_000.0, mensuel("2020-07", effectif_salarie=11), 0),  # F2 ex. 5
        (
            6_000.0,
            1_000.0,
            {"annexe_1": True, "chiffre_affaires_dernier_exercice": 1_999_999.0}
            | mensuel("2020-07", effectif_salarie=20),
            3_000,
        ),
        (
            6_000.0,
            1_000.0,
            {"annexe_1": True, "chiffre_affaires_dernier_exercice": 2_000_000.0}
            | mensuel("2020-07", effectif_salarie=20),
            0,
        ),
    ],
)
def test_guyane_et_mayotte(reference, juillet, donnees, attendu):
    cas = entreprise({"2020-07": juillet}, par_mois_2019=reference, departement="973", **donnees)
    assert montants(cas, "2020-07", "3_7") == attendu


def test_guyane_annexe_1_le_plus_favorable_de_3_7_et_3_8():
    cas = entreprise(par_mois_2019=5_000.0, departement="976", annexe_1=True)
    assert montants(cas, "2020-08", "3_7", "3_8") == (3_000, 1_500)
    assert volet_1(cas, "2020-08") == 3_000


# ---- juillet à septembre (F2, art. 3-8 et 3-9) -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reference", "aout", "donnees", "attendu"),
    [
        (12_000.0, 6_000.0, {"annexe_1": True}, 1_500),  # ex. 1
        (12_000.0, 6_001.0, {"annexe_1": True}, 0),
        (2_400.0, 1_000.0, {"annexe_1": True}, 1_400),  # ex. 2
        # ex. 3: from 15 March to 15 May a flat 9 300 a month makes 9 300 × 63/31 = 18 900 (C42); 79.9 %, then 80 %
        (9_300.0, 930.0, {"annexe_2": True, "chiffre_affaires_premier_confinement": 3_798.9}, 0),
        (9_300.0, 930.0, {"annexe_2": True, "chiffre_affaires_premier_confinement": 3_780.0}, 1_500),
        (10_000.0, 2_000.0, {}, 0),  # ex. 4
        (10_000.0, 2_000.0, {"annexe_1": True} | mensuel("2020-08", effectif_salarie=21), 0),  # ex. 5
        (10_000.0, 2_000.0, {"annexe_1": True} | mensuel("2020-08", effectif_salarie=20), 1_500),
    ],
)
def test_ete(reference, aout, donnees, attendu):
    assert montants(entreprise({"2020-08": aout}, par_mois_2019=reference, **donnees), "2020-08", "3_8") == attendu


# ---- fermetures de septembre et d'octobre (F2, art. 3-10; C15) ----------------------------------------------------


@pytest.mark.parametrize(
    ("mois", "jours", "reference_des_jours", "attendu"),
    [
        ("2020-09", 4, 3_000, 1_332),  # septembre, ex. 1
        ("2020-09", 4, 900, 900),  # ex. 2
        ("2020-09", 6, 1_998, 1_998),  # ex. 3
        ("2020-09", 6, 1_999, 1_998),
        ("2020-10", 14, 7_000, 4_662),  # octobre, ex. 1
        ("2020-10", 14, 4_662, 4_662),  # ex. 2
        ("2020-10", 14, 4_661, 4_661),
        ("2020-10", 31, 12_000, 10_323),  # ex. 3: no absolute cap (C15)
    ],
)
def test_fermetures(mois, jours, reference_des_jours, attendu):
    duree = 30 if mois == "2020-09" else 31
    cas = entreprise(
        par_mois_2019=reference_des_jours * duree / jours,
        departement="29",
        **mensuel(mois, jours_interdiction_accueil_public=jours),
    )
    assert round(float(montants(cas, mois, "3_10")), 1) == attendu


@pytest.mark.parametrize(("debut", "attendu"), [("2020-08-30", True), ("2020-08-31", False)])
def test_fermeture_de_septembre_exemple_4_debut(debut, attendu):
    cas = entreprise(date_debut_activite=debut, **mensuel("2020-09", jours_interdiction_accueil_public=4))
    assert eligible(cas, "2020-09", "3_10") is attendu


def test_fermeture_d_octobre_exemple_4_bar_parisien():
    cas = entreprise(par_mois_2019=30_000.0, annexe_1=True, **mensuel("2020-10", jours_interdiction_accueil_public=26))
    assert montants(cas, "2020-10", "3_10", "3_11") == (8_658, 10_000)
    assert volet_1(cas, "2020-10") == 10_000


def test_septembre_3_10_ne_compte_pas_comme_aide_percue():
    """D, fds_aide_percue; C9, C16: the better of 3-8 and 3-10 (F2 speaks of two forms)."""
    cas = entreprise(par_mois_2019=9_000.0, **mensuel("2020-09", jours_interdiction_accueil_public=6))
    resultat = evaluer_2020([cas], "2020-09")[0]
    assert (resultat["fds_volet_1"], resultat["fds_aide_percue"]) == (1_800, False)
    cas["annexe_1"] = {"2020-09": True}
    resultat = evaluer_2020([cas], "2020-09")[0]
    assert (resultat["fds_article_3_8_montant"], resultat["fds_volet_1"], resultat["fds_aide_percue"]) == (
        1_500,
        1_800,
        True,
    )


# ---- octobre (F2, art. 3-11 et 3-12) -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reference", "octobre", "donnees", "attendu"),
    [
        (30_000.0, 15_000.0, {"annexe_1": True}, 10_000),  # ex. 1
        (30_000.0, 15_001.0, {"annexe_1": True}, 0),
        (9_000.0, 3_000.0, {}, 1_500),  # ex. 3
        (2_000.0, 800.0, {}, 1_200),
        (9_000.0, 3_000.0, {"annexe_2": True, "chiffre_affaires_premier_confinement": 3_840.97}, 1_500),  # ex. 4: 79 %
    ],
)
def test_couvre_feu(reference, octobre, donnees, attendu):
    cas = entreprise({"2020-10": octobre}, par_mois_2019=reference, departement="75", **donnees)
    assert montants(cas, "2020-10", "3_11", "3_12") == (attendu, 0)


def test_couvre_feu_exemple_2_annexe_2_creee_apres_le_10_mars():
    chiffres = dict.fromkeys(["2020-07", "2020-08", "2020-09"], 6_000.0) | {"2020-10": 1_000.0}
    cas = entreprise(chiffres, date_creation="2020-04-01", annexe_2=True)
    assert montants(cas, "2020-10", "3_11") == 5_000


@pytest.mark.parametrize(
    ("reference", "octobre", "donnees", "attendu"),
    [
        (20_000.0, 6_000.0, {"annexe_1": True}, 10_000),  # ex. 1
        (20_000.0, 6_001.0, {"annexe_1": True}, 1_500),
        (4_000.0, 500.0, {"annexe_1": True}, 2_400),  # ex. 2
        (2_000.0, 0.0, {"annexe_1": True}, 1_200),  # ex. 3
        (2_000.0, 700.0, {"annexe_1": True}, 1_300),
        (9_000.0, 3_000.0, {"annexe_2": True, "chiffre_affaires_premier_confinement": 4_572.58}, 0),  # ex. 4: 75 %
        (9_000.0, 3_000.0, {}, 0),
    ],
)
def test_hors_couvre_feu(reference, octobre, donnees, attendu):
    cas = entreprise({"2020-10": octobre}, par_mois_2019=reference, departement="29", **donnees)
    assert montants(cas, "2020-10", "3_11", "3_12") == (0, attendu)


# ---- novembre (F2, art. 3-14 et 3-21) ----------------------------------------------------------------------------


def test_novembre_exemple_1_librairie_fermee():
    cas = entreprise(
        {"2019-11": 18_000.0, "2020-11": 4_000.0},
        par_mois_2019=14_700.0,
        **mensuel("2020-11", jours_interdiction_accueil_public=28, chiffre_affaires_vente_a_distance=4_000.0),
    )
    resultat = evaluer_2020([cas], "2020-11")[0]
    assert resultat["perte_chiffre_affaires"] == 14_000  # general output: distance sales count
    assert resultat["fds_article_3_14_montant"] == 10_000


@pytest.mark.parametrize(
    ("reference", "novembre", "attendu"),
    [
        (12_000.0, 5_000.0, 5_600),  # ex. 2
        (2_400.0, 600.0, 1_500),  # ex. 3: 80 % of 1 800 is 1 440
        (2_400.0, 900.0, 1_500),
        (2_400.0, 1_000.0, 1_400),
        (2_500.0, 625.0, 1_500),  # 1 875
        (20_000.0, 7_500.0, 10_000),  # 12 500
    ],
)
def test_novembre_annexe_2(reference, novembre, attendu):
    cas = entreprise({"2020-11": novembre}, par_mois_2019=reference, annexe_2=True)
    assert montants(cas, "2020-11", "3_14") == attendu


@pytest.mark.parametrize(
    ("reference", "novembre", "donnees", "attendu"),
    [
        (3_000.0, 1_500.0, {}, 1_500),  # ex. 4
        (3_000.0, 1_501.0, {}, 0),
        (5_000.0, 1_000.0, {"annexe_1": True} | mensuel("2020-11", pensions_retraite=900.0), 3_100),  # ex. 5
    ],
)
def test_novembre_autres_et_annexe_1(reference, novembre, donnees, attendu):
    cas = entreprise({"2020-11": novembre}, par_mois_2019=reference, **donnees)
    assert montants(cas, "2020-11", "3_14") == attendu


FESTIVE = {"filiere_festive": True, "part_chiffre_affaires_clients_proteges": 0.5}


@pytest.mark.parametrize(
    ("perte_subie", "attendu"),
    [(20_000.0, 10_000), (1_600.0, 1_500), (1_500.0, 1_500)],  # ex. 1 and 3
)
def test_filieres_festives(perte_subie, attendu):
    reference = perte_subie / 0.6
    reference = round(reference, 2)
    cas = entreprise(
        {"2020-11": round(reference - perte_subie, 2)},
        par_mois_2019=reference,
        **FESTIVE,
        **mensuel("2020-11", effectif_salarie=70),
    )
    assert montants(cas, "2020-11", "3_21", "3_14") == (attendu, 0)  # 70 employees: 3-14 closed


def test_filieres_festives_exemple_2_le_complement_est_dans_le_volet_1():
    """F2 pays 8 500 on top of 1 500; the amount of the article is gross (C7)."""
    cas = entreprise({"2020-11": 10_000.0}, par_mois_2019=30_000.0, **FESTIVE)
    assert montants(cas, "2020-11", "3_14", "3_21") == (1_500, 10_000)
    assert volet_1(cas, "2020-11") == 10_000


# ---- décembre (F2, art. 3-15 à 3-18) -----------------------------------------------------------------------------

FERMEE_EN_DECEMBRE = mensuel("2020-12", jours_interdiction_accueil_public=31)


@pytest.mark.parametrize(
    ("reference", "decembre", "donnees", "attendu"),
    [
        (80_000.0, 0.0, {"annexe_1": True} | FERMEE_EN_DECEMBRE, 16_000),  # ex. 1
        (40_000.0, 12_000.0, {"annexe_1": True}, 10_000),  # ex. 2
        (100_000.0, 30_000.0, {"annexe_1": True}, 20_000),  # ex. 3
        (100_000.0, 30_001.0, {"annexe_1": True}, 15_000),
        (100_000.0, 50_000.0, {"annexe_1": True}, 15_000),
        (100_000.0, 50_001.0, {"annexe_1": True}, 0),
        (20_000.0, 11_000.0, mensuel("2020-12", jours_interdiction_accueil_public=14), 0),  # ex. 6: 45 %
        (20_000.0, 10_000.0, mensuel("2020-12", jours_interdiction_accueil_public=14), 10_000),
        (20_000.0, 19_000.0, FERMEE_EN_DECEMBRE, 4_000),  # ex. 6: regime a), no loss test
    ],
)
def test_decembre(reference, decembre, donnees, attendu):
    assert montants(entreprise({"2020-12": decembre}, par_mois_2019=reference, **donnees), "2020-12", "3_15") == attendu


@pytest.mark.parametrize(("novembre", "attendu"), [(1_800.0, 4_000), (1_809.0, 1_500)])
def test_decembre_exemple_4_epreuve_de_novembre(novembre, attendu):
    cas = entreprise(
        {"2020-11": novembre, "2020-12": 4_000.0},
        par_mois_2019=9_000.0,
        annexe_2=True,
        chiffre_affaires_premier_confinement=9_000.0,
    )
    assert montants(cas, "2020-12", "3_15") == attendu


def test_decembre_vente_a_distance_dans_la_fermeture_partielle():
    """C24: the 50 % of b) leave distance sales out, as the amount does."""
    donnees = mensuel("2020-12", jours_interdiction_accueil_public=14, chiffre_affaires_vente_a_distance=3_000.0)
    assert montants(entreprise({"2020-12": 7_000.0}, par_mois_2019=8_000.0, **donnees), "2020-12", "3_15") == 4_000


def test_decembre_exemple_5_plafond_du_groupe():
    hotel = entreprise(par_mois_2019=1_200_000.0, annexe_1=True, **FERMEE_EN_DECEMBRE)
    seul = evaluer_2020([hotel], "2020-12")[0]
    assert (seul["fds_article_3_15_montant"], seul["fds_volet_1"]) == (240_000, 200_000)
    # With a second member due 10 000 the cap is shared in proportion (D, plafond_groupe); not without its request.
    autre = entreprise(par_mois_2019=20_000.0, annexe_1=True)
    deux = [resultat["fds_volet_1"] for resultat in evaluer_2020([hotel, autre], "2020-12")]
    assert deux == [192_000, 8_000]
    autre["demande_fonds_solidarite"] = {"2020-12": False}
    deux = [resultat["fds_volet_1"] for resultat in evaluer_2020([hotel, autre], "2020-12")]
    assert deux == [200_000, 0]


MONTAGNE = {"commune_annexe_3": True, "code_naf": "47.64Z", "departement": "73"}


@pytest.mark.parametrize(
    ("reference", "decembre", "donnees", "attendu"),
    [
        (25_000.0, 5_000.0, MONTAGNE, 10_000),  # ex. 1
        (12_000.0, 6_000.0, MONTAGNE, 4_800),  # ex. 2
        (12_000.0, 6_001.0, MONTAGNE, 0),
        (25_000.0, 5_000.0, {"code_naf": "47.64Z", "departement": "69"}, 0),  # ex. 3: 3-15 only
        (25_000.0, 5_000.0, MONTAGNE | {"code_naf": "45.11Z"}, 0),
        (25_000.0, 5_000.0, MONTAGNE | {"annexe_2": True}, 0),  # C20
        (25_000.0, 5_000.0, MONTAGNE | mensuel("2020-12", effectif_salarie=51), 0),
    ],
)
def test_montagne(reference, decembre, donnees, attendu):
    assert montants(entreprise({"2020-12": decembre}, par_mois_2019=reference, **donnees), "2020-12", "3_16") == attendu


@pytest.mark.parametrize(
    ("reference", "decembre", "article", "attendu"),
    [
        (90_000.0, 20_000.0, "3_17", 18_000),  # 3-17 ex. 1
        (90_000.0, 27_000.0, "3_17", 18_000),  # ex. 2
        (90_000.0, 27_001.0, "3_17", 10_000),
        (12_000.0, 3_000.0, "3_17", 7_200),  # ex. 3
        (200_000.0, 50_000.0, "3_18", 40_000),  # 3-18 ex. 1: 30 000 on top of 10 000 in F2, gross here (C7)
        (200_000.0, 60_000.0, "3_18", 40_000),  # ex. 2
        (200_000.0, 60_001.0, "3_18", 10_000),
        (40_000.0, 4_000.0, "3_18", 10_000),  # ex. 3
    ],
)
def test_regimes_renforces(reference, decembre, article, attendu):
    secteur = {"annexe_2": True} if article == "3_17" else MONTAGNE | {"code_naf": "68.20A"}
    donnees = secteur | mensuel("2020-12", effectif_salarie=120)  # no size condition
    assert (
        montants(entreprise({"2020-12": decembre}, par_mois_2019=reference, **donnees), "2020-12", article) == attendu
    )


def test_regime_renforce_exemple_4_le_plus_favorable():
    cas = entreprise({"2020-12": 20_000.0}, par_mois_2019=90_000.0, annexe_2=True)
    assert montants(cas, "2020-12", "3_15", "3_17") == (10_000, 18_000)
    assert volet_1(cas, "2020-12") == 18_000


def test_regime_renforce_ferme_aux_entreprises_fermees():
    cas = entreprise(par_mois_2019=90_000.0, annexe_2=True, **mensuel("2020-12", jours_interdiction_accueil_public=3))
    assert montants(cas, "2020-12", "3_15", "3_17") == (18_000, 0)


# ---- volet 2 (F1, art. 4 et 4-1) ---------------------------------------------------------------------------------

SALARIE = {"salarie_au_1er_mars_2020": True}
FERMEE_EN_AVRIL = mensuel("2020-04", jours_interdiction_accueil_public=30)


@pytest.mark.parametrize(
    ("exercice", "solde", "donnees", "attendu"),
    [
        (150_000.0, -900.0, SALARIE, 2_000),  # ex. 1
        (200_000.0, -1_999.0, SALARIE, 2_000),  # ex. 2
        (200_000.0, -2_000.0, SALARIE, 2_000),
        (200_000.0, -3_100.0, SALARIE, 3_100),
        (199_999.0, -3_100.0, SALARIE, 2_000),
        (599_999.0, -9_000.0, SALARIE, 3_500),  # ex. 3
        (600_000.0, -4_200.0, SALARIE, 4_200),
        (600_000.0, -9_000.0, SALARIE, 5_000),
        (120_000.0, -7_300.0, SALARIE | {"annexe_1": True}, 7_300),  # ex. 4
        (120_000.0, -15_000.0, SALARIE | {"annexe_1": True}, 10_000),
        (30_000.0, -7_300.0, {"annexe_1": True} | FERMEE_EN_AVRIL, 2_000),  # ex. 5
        (7_999.0, -7_300.0, {"annexe_1": True} | FERMEE_EN_AVRIL, 0),
        (8_000.0, -7_300.0, {"annexe_1": True} | FERMEE_EN_AVRIL, 2_000),
        (8_000.0, -7_300.0, {"annexe_1": True, "artiste_auteur": True} | FERMEE_EN_AVRIL, 7_300),
        (8_000.0, -7_300.0, {"annexe_1": True, "departement": "973"} | FERMEE_EN_AVRIL, 7_300),
        (8_000.0, -7_300.0, {"annexe_1": True, "departement": "973"}, 0),  # 2° still fails (C9)
        (150_000.0, 0.0, SALARIE, 0),  # ex. 6: not negative
        (400_000.0, -12_000.0, SALARIE | {"annexe_1": True}, 10_000),  # ex. 6: III in full, II never paid apart
        (600_000.0, -9_000.0, SALARIE | {"exercice_clos": False}, 2_000),
    ],
)
def test_volet_2(exercice, solde, donnees, attendu):
    assert volet_2(chiffre_affaires_dernier_exercice=exercice, solde_tresorerie_volet_2=solde, **donnees) == attendu


def test_volet_2_sans_demande_reste_eligible_et_n_ouvre_pas_l_article_4_1():
    cas = entreprise(
        solde_tresorerie_volet_2=-900.0,
        fds_aide_percue={"2020-04": True},
        aide_territoriale_deliberee=1_500.0,
        **SALARIE,
    )
    assert evaluer_volet_2([cas]) == [{"fds_volet_2_eligible": True, "fds_volet_2": 0, "fds_volet_territorial": 0}]
    cas["demande_volet_2"] = True
    assert evaluer_volet_2([cas]) == [
        {"fds_volet_2_eligible": True, "fds_volet_2": 2_000, "fds_volet_territorial": 1_500}
    ]


def test_volet_2_suppose_une_aide_des_articles_2_a_3_9():
    """C9: the aid of 3-10 for September does not open volet 2, an aid of April does, if asked for."""
    fermee_en_septembre = entreprise(
        par_mois_2019=9_000.0,
        solde_tresorerie_volet_2=-900.0,
        **SALARIE,
        **mensuel("2020-09", jours_interdiction_accueil_public=6),
    )
    fermee_en_septembre["chiffre_affaires"] |= dict.fromkeys(MOIS_2020, 9_000.0)
    assert volet_1(fermee_en_septembre, "2020-09") > 0
    assert not evaluer_volet_2([fermee_en_septembre])[0]["fds_volet_2_eligible"]
    fermee_en_septembre["chiffre_affaires"]["2020-04"] = 4_500.0
    assert evaluer_volet_2([fermee_en_septembre])[0]["fds_volet_2_eligible"]
    fermee_en_septembre["demande_fonds_solidarite"] = {"2020-04": False}
    assert not evaluer_volet_2([fermee_en_septembre])[0]["fds_volet_2_eligible"]


# ---- clarifications with a figure --------------------------------------------------------------------------------


def test_pensions_avant_et_apres_l_article_3_10():
    """C55: loss 1 000, P 1 200, cap 3 000 gives 1 000 under 3-7; an amount of 1 000 gives 0 under 3-14."""
    chiffres = {"2020-07": 1_000.0, "2020-11": 1_000.0}
    pensions = {"pensions_retraite": {"2020-07": 1_200.0, "2020-11": 1_200.0}}
    cas = entreprise(chiffres, par_mois_2019=2_000.0, departement="973", **pensions)
    assert montants(cas, "2020-07", "3_7") == 1_000
    assert montants(cas, "2020-11", "3_14") == 0


def test_epreuve_de_80_d_une_entreprise_creee_apres_le_15_mars_2019():
    """C42: created on 1 January 2020, 2 000 a month, 1 000 to 15 March: 5 000 / (2 + 15/31) × 2 = 4 025.97."""
    base = 5_000 / (2 + 15 / 31) * 2
    for printemps, attendu in ((base * 0.2 - 0.01, 1_500), (base * 0.2 + 0.01, 0)):
        cas = entreprise(
            {"2020-01": 2_000.0, "2020-02": 2_000.0},
            date_creation="2020-01-01",
            annexe_2=True,
            chiffre_affaires_jusqu_au_15_mars_2020=1_000.0,
            chiffre_affaires_premier_confinement=round(printemps, 2),
        )
        assert montants(cas, "2020-07", "3_8") == attendu
