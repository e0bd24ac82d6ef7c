"""Seeded draws of groups concentrated at the thresholds of the law of 2021–2022.

`tirer_groupe(rng, mois)` gives one to four cases in the terms of the dictionary, complete enough for both the oracle
and the model (what the oracle does not recode is given). The same `random.Random` state gives the same group.

A uniform draw would hardly ever meet a threshold. Here each month's turnover is set from the reference the enterprise
will really have: exactly at a legal rate, one cent or one euro beside it, or at a loss of 1 500, 3 000 or 10 000 €;
dates stand on the borders of the brackets and one day away; headcounts, surfaces and days on their limits. Conditions
unrelated to turnover hold most of the time, so that the branches behind them are reached.

The draw uses the oracle's references to aim, never its amounts: a wrong reference would only make it aim badly.
"""

from __future__ import annotations

import random
from datetime import date, timedelta
from fractions import Fraction

from commun import ZERO, Cas, centimes, euros, jours_du_mois, liste_des_mois
from droit_2021 import (
    DETAIL_OUTRE_MER,
    OUTRE_MER,
    chiffre_affaires_reference,
    reference_multi_activites,
)

TOUS_LES_MOIS = liste_des_mois("2019-01", "2022-02")
MOIS_D_AIDE = liste_des_mois("2021-01", "2022-02")
CENTIME, EURO = Fraction(1, 100), Fraction(1)

ANCIENNE = date(2012, 5, 14)

# First day of each bracket or limit of the texts (C14, C38, C44); the draw takes it, the day before, the day after.
BORNES_DE_CREATION = [
    date(2018, 12, 31),
    date(2019, 1, 1),
    date(2019, 3, 1),
    date(2019, 5, 31),
    date(2019, 6, 1),
    date(2019, 12, 1),
    date(2020, 1, 1),
    date(2020, 2, 1),
    date(2020, 3, 1),
    date(2020, 7, 1),
    date(2020, 10, 1),
    date(2020, 10, 31),
    date(2020, 11, 1),
    date(2020, 12, 31),
    date(2021, 1, 1),
    date(2021, 1, 31),
]
BORNES_DE_DEBUT = [
    date(2020, 1, 1),
    date(2020, 10, 1),
    date(2020, 10, 31),
    date(2020, 11, 1),
    date(2020, 12, 31),
    date(2021, 1, 31),
]

# Monthly levels of turnover on which an amount changes its formula: 20 % and 15 % of the reference against 10 000,
# 1 500, the caps of the group and of the complement. (Not one a line: they read as a scale.)
NIVEAUX = (
    1500, 2000, 2900, 3000, 3600, 3700, 4000, 6000, 7500, 7500.05, 8000, 12000, 20000, 30000, 49999.95, 50000,
    50000.05, 55000, 66666.66, 66666.67, 66700, 80000, 90000, 100000, 300000, 1000000, 1000000.05, 1007500, 1007500.05,
    1200000, 1500000,
)  # fmt: skip
GRANDS_NIVEAUX = (1000000, 1000000.05, 1007500, 1200000, 1500000, 4000000.01)

# Rates that matter, by half of the period; 85: activity of 15 %.
TAUX_AVANT_JUIN = (10, 20, 20, 50, 50, 50, 70, 70, 70, 80)
TAUX_DES_JUIN = (10, 10, 20, 20, 50, 50, 70, 80, 85, 85)
PERTES = (1500, 1875, 3000, 10000, 12500)

SECTEURS = {
    # name: (code_naf, annexe_1, annexe_2, commerce_de_detail, reparation_navale, location résidentielle)
    "annexe_1": ("56.10A", True, False, False, False, False),
    "annexe_2": ("46.38B", False, True, False, False, False),
    "detail": ("47.71Z", False, False, True, False, False),
    "detail_annexe_1": ("47.25Z", True, False, True, False, False),
    "detail_annexe_2": ("47.78C", False, True, True, False, False),
    "naval": ("33.15Z", False, False, False, True, False),
    "location": ("68.20A", False, False, False, False, True),
    "location_annexe_1": ("68.20A", True, False, False, False, True),
    "coiffure": ("96.02A", False, False, False, False, False),
    "beaute": ("96.02B", False, False, False, False, False),
    "habillement": (None, False, False, False, False, False),
    "habillement_annexe_2": (None, False, True, False, False, False),
    "aucun": ("62.01Z", False, False, False, False, False),
}
# Codes of 3-29, and their neighbours which are not of it.
NAF_HABILLEMENT = ("14.13Z", "14.14Z", "14.31Z", "14.39Z", "14.12Z", "14.19Z")


def pese(rng: random.Random, *choix: tuple):
    """One of the values of pairs (value, weight)."""
    return rng.choices([valeur for valeur, _ in choix], [poids for _, poids in choix])[0]


def autour(rng: random.Random, jours: list[date]) -> date:
    """Give a limit, or the day before or after."""
    return rng.choice(jours) + timedelta(days=rng.choice((-1, 0, 0, 1)))


def flottant(montant: Fraction) -> float:
    """Amount as an input: never negative, whole cents."""
    return max(0, centimes(montant)) / 100


def ecart(rng: random.Random) -> Fraction:
    """Give what separates a turnover from a threshold: nothing, a cent, a euro."""
    return rng.choice((ZERO, ZERO, ZERO, CENTIME, -CENTIME, CENTIME, -CENTIME, EURO, -EURO))


# ---- one enterprise ----------------------------------------------------------------------------------------------


def tirer_identite(rng: random.Random) -> dict:
    """Scope and identity: the conditions of art. 1er hold for nine enterprises out of ten."""
    cas: dict = {}
    creation = pese(rng, (ANCIENNE, 45), (None, 5), ("borne", 35), ("libre", 15))
    if creation == "borne":
        creation = autour(rng, BORNES_DE_CREATION)
    elif creation == "libre":
        creation = date(2019, 1, 1) + timedelta(days=rng.randrange(765))
    if creation is not None:
        cas["date_creation"] = creation.isoformat()
    if rng.random() < 0.15:
        cas["date_debut_activite"] = autour(rng, BORNES_DE_DEBUT).isoformat()
    cas["forme_juridique"] = pese(
        rng, ("entreprise_individuelle", 45), ("societe", 40), ("association", 10), ("autre", 5)
    )
    if rng.random() < 0.5:
        cas["assujettie_impots_commerciaux"] = cas["forme_juridique"] != "association" or rng.random() < 0.4
    for nom, probabilite, rare in (
        ("residence_fiscale_francaise", 0.02, False),
        ("liquidation_judiciaire_au_1er_mars_2020", 0.02, True),
        ("monument_historique_ouvert_au_public", 0.04, True),
        ("controlee_par_societe_commerciale", 0.1, True),
    ):
        if rng.random() < probabilite:
            cas[nom] = rare
    cas["option_chiffre_affaires_reference"] = pese(
        rng, ("plus_favorable", 60), ("mois_2019", 20), ("moyenne_2019", 20)
    )
    return cas


def tirer_activite_et_lieu(rng: random.Random) -> dict:
    """Sector, territory and shop, with the inputs the oracle asks for."""
    naf, annexe_1, annexe_2, detail, naval, location = SECTEURS[rng.choice(list(SECTEURS))]
    montagnarde = detail or location or naf in ("96.02A", "96.02B")
    grandes_surfaces = (9999, 9999.99, 10000, 10000, 19999, 19999.99, 20000, 20000, 35000)
    if detail or naval:
        departement = pese(rng, ("75", 45), (rng.choice(DETAIL_OUTRE_MER), 35), (rng.choice(OUTRE_MER), 20))
    else:
        departement = pese(rng, ("75", 45), ("2A", 5), ("976", 25), (rng.choice(OUTRE_MER), 25))
    cas = {
        "code_naf": naf or rng.choice(NAF_HABILLEMENT),
        "annexe_1": dict.fromkeys(MOIS_D_AIDE, annexe_1),
        "annexe_2": dict.fromkeys(MOIS_D_AIDE, annexe_2),
        "commerce_de_detail": detail,
        "reparation_navale": naval,
        "location_biens_immobiliers_residentiels": location,
        "commune_annexe_3": rng.random() < (0.6 if montagnarde else 0.1),
        "surface_centre_commercial": float(rng.choice(grandes_surfaces))
        if rng.random() < (0.6 if detail else 0.1)
        else 0.0,
        "departement": departement,
    }
    if rng.random() < 0.1:  # lists are dated: a line may come in or go out during the year
        bascule = rng.choice(MOIS_D_AIDE)
        annexe = rng.choice(("annexe_1", "annexe_2"))
        cas[annexe] = {mois: (mois >= bascule) != cas[annexe][mois] for mois in MOIS_D_AIDE}
    urgence = rng.random() < (0.75 if cas["departement"] in OUTRE_MER else 0.15)
    cas["etat_urgence_sanitaire"] = {mois: urgence != (rng.random() < 0.1) for mois in MOIS_D_AIDE}
    return cas


def tirer_mesures(rng: random.Random) -> dict:
    """Days of closure (December 2020 too, for the reference of October 2020), of confinement and of curfew."""
    fermeture = {"2020-12": rng.choice((0, 0, 1, 31))}
    confinement, couvre_feu = {}, {}
    for mois in MOIS_D_AIDE:
        jours = jours_du_mois(mois)
        fermeture[mois] = pese(rng, (0, 40), (1, 8), (20, 8), (21, 12), (jours - 1, 7), (jours, 25))
        confinement[mois] = pese(rng, (0, 35), (7, 10), (8, 20), (9, 10), (10, 20), (jours, 5))
        couvre_feu[mois] = max(
            confinement[mois], pese(rng, (0, 25), (18, 10), (19, 20), (20, 25), (21, 10), (jours, 10))
        )
    return {
        "jours_interdiction_accueil_public": fermeture,
        "jours_confinement": confinement,
        "jours_couvre_feu_ou_confinement": couvre_feu,
    }


def tirer_dirigeant_et_demande(rng: random.Random) -> dict:
    """Monthly conditions and deductions; prior aid given for some months, computed for the others."""
    cas: dict = {
        "pensions_retraite": {},
        "indemnites_journalieres": {},
        "dirigeant_contrat_temps_complet": {},
        "dettes_fiscales_ou_sociales_impayees": {},
        "fermeture_administrative_pour_manquement": {},
        "demande_fonds_solidarite": {},
        "fds_aide_percue": {},
    }
    retraite, contrat, aide_fournie = rng.random() < 0.2, rng.random() < 0.15, rng.random() < 0.4
    for mois in MOIS_D_AIDE:
        if retraite:
            cas["pensions_retraite"][mois] = rng.choice((0.0, 0.01, 300.5, 800.0, 1499.99, 1500.0, 1500.01))
            cas["indemnites_journalieres"][mois] = rng.choice((0.0, 0.0, 0.01, 700.0))
        cas["dirigeant_contrat_temps_complet"][mois] = contrat
        cas["dettes_fiscales_ou_sociales_impayees"][mois] = rng.random() < 0.02
        cas["fermeture_administrative_pour_manquement"][mois] = rng.random() < 0.02
        cas["demande_fonds_solidarite"][mois] = rng.random() < 0.92
        if aide_fournie and mois <= "2021-05" and rng.random() < 0.5:
            cas["fds_aide_percue"][mois] = rng.random() < 0.5
    return cas


# ---- turnover ----------------------------------------------------------------------------------------------------


def creation_de(cas: dict) -> date:
    """Creation of a case, as the dictionary reads it."""
    return Cas(cas).date_creation


def tirer_passe(rng: random.Random, cas: dict, grands: bool) -> dict[str, float]:
    """Turnover of 2019 and 2020 and, where it will be a reference, of January and February 2021."""
    niveau = euros(rng.choice(GRANDS_NIVEAUX if grands else NIVEAUX))
    if rng.random() < 0.3:  # cents that float64 subtracts badly: 1 500.00 of loss may come out as 1 499.9999999999991
        niveau = Fraction(rng.randrange(200000, 12000000), 100)
    plat = rng.random() < 0.6  # flat: month and average equal, frozen option at equality (C2)
    activite_2020 = Fraction(rng.choice((0, 30, 60, 100)), 100)
    ca = {}
    for mois in TOUS_LES_MOIS:
        montant = niveau if plat else niveau * rng.choice((50, 90, 100, 100, 110, 150)) / 100
        if "2020-03" <= mois <= "2020-12":
            montant *= activite_2020
        ca[mois] = montant
    creation = creation_de(cas)
    if creation >= date(2020, 3, 1):  # the reference lies in 2020 or 2021: no slump there
        for mois in TOUS_LES_MOIS:
            ca[mois] = niveau if plat else niveau * rng.choice((90, 100, 110)) / 100
    elif not plat and rng.random() < 0.3:
        fevrier_a_la_moyenne(rng, ca)
    return {mois: flottant(montant) if mois >= f"{creation:%Y-%m}" else 0.0 for mois, montant in ca.items()}


def fevrier_a_la_moyenne(rng: random.Random, ca: dict[str, Fraction]) -> None:
    """February 2019 equal to the average of 2019, to the cent, or just beside: the frozen option turns there (C2)."""
    autres = [mois for mois in liste_des_mois("2019-01", "2019-12") if mois != "2019-02"]
    total = sum(centimes(ca[mois]) for mois in autres)
    # eleven months whose average is a whole number of cents
    ca["2019-12"] = Fraction(centimes(ca["2019-12"]) - total % 11, 100)
    ca["2019-02"] = Fraction(total // 11, 100) + ecart(rng)


def viser_les_tests_s1_bis(rng: random.Random, cas: dict) -> None:
    """Put the spring, November 2020 or the year 2020 at its threshold (C11, C12), or let the draw be."""
    ca, lecture = cas["chiffre_affaires"], Cas(cas)
    creation = f"{lecture.date_creation:%Y-%m}"
    if lecture.creee_avant("2020-03-01") and rng.random() < 0.5:
        if lecture.creee_avant("2019-06-01"):
            reference = max(lecture.deux_mois_du_printemps(2019), 2 * lecture.moyenne_2019())
        else:  # February 2020 brought to one month is its average
            reference = 2 * lecture.moyenne_depuis_creation("2020-02")
        vise = reference * 20 / 100 + ecart(rng)
        if rng.random() < 0.5:
            cas["chiffre_affaires_premier_confinement"] = flottant(vise)
        else:  # nothing in March and May: the whole period is April
            ca["2020-03"], ca["2020-04"], ca["2020-05"] = 0.0, flottant(vise), 0.0
    if creation <= "2020-11" and rng.random() < 0.5:
        candidates = [euros(ca["2019-11"]), lecture.moyenne_2019(), lecture.moyenne_depuis_creation("2020-02")]
        candidates += [lecture.moyenne_depuis_creation("2020-10"), euros(ca["2020-12"])]
        ca["2020-11"] = flottant(rng.choice([c for c in candidates if c > 0] or [ZERO]) * 20 / 100 + ecart(rng))
    if lecture.creee_avant("2019-12-01") and rng.random() < 0.4:
        vise = 12 * lecture.moyenne_2019() * 90 / 100 + ecart(rng)
        autres = sum((euros(ca[m]) for m in liste_des_mois("2020-01", "2020-11")), ZERO)
        if vise >= autres:
            ca["2020-12"] = flottant(vise - autres)


def viser_le_mois(rng: random.Random, cas: dict, mois: str) -> None:
    """Set the turnover of the month beside a threshold of rate or of loss, and its distance sales."""
    ca = cas["chiffre_affaires"]
    if mois < f"{creation_de(cas):%Y-%m}":
        return
    reference = chiffre_affaires_reference(Cas(cas), mois)
    if reference > 0:
        cible = pese(rng, ("taux", 50), ("perte", 20), ("nul", 10), ("libre", 15), ("hausse", 5))
        if cible == "taux":
            taux = rng.choice(TAUX_AVANT_JUIN if mois <= "2021-05" else TAUX_DES_JUIN)
            ca[mois] = flottant(reference * (100 - taux) / 100 + ecart(rng))
        elif cible == "perte":
            ca[mois] = flottant(reference - rng.choice(PERTES) + ecart(rng))
        elif cible == "nul":
            ca[mois] = 0.0
        elif cible == "libre":
            ca[mois] = flottant(reference * rng.randrange(0, 100) / 100)
        else:
            ca[mois] = flottant(reference * rng.choice((100, 101, 150)) / 100)
    # else: no reference yet (January and February 2021 of the youngest): the level drawn stays, a reference to come
    cas["chiffre_affaires_vente_a_distance"][mois] = tirer_vente_a_distance(rng, reference, euros(ca[mois]))


def tirer_vente_a_distance(rng: random.Random, reference: Fraction, ca: Fraction) -> float:
    """Distance sales: none, any share, or such that the loss without them is at 50 % or at 1 500 or 10 000 € (C25)."""
    cible = pese(rng, ("aucune", 55), ("taux", 15), ("perte", 10), ("libre", 15), ("tout", 5))
    if cible == "aucune":
        return 0.0
    if cible == "taux":
        vise = ca - reference * 50 / 100 + ecart(rng)
    elif cible == "perte":
        vise = ca - reference + rng.choice((1500, 10000)) + ecart(rng)
    elif cible == "libre":
        vise = ca * rng.randrange(0, 100) / 100
    else:
        vise = ca
    return flottant(min(vise, ca))


def tirer_cas(rng: random.Random, mois: str, grands: bool) -> dict:
    """One enterprise, headcount left to the group."""
    cas = {
        **tirer_identite(rng),
        **tirer_activite_et_lieu(rng),
        **tirer_mesures(rng),
        **tirer_dirigeant_et_demande(rng),
    }
    cas["chiffre_affaires"] = tirer_passe(rng, cas, grands)
    cas["chiffre_affaires_vente_a_distance"] = {}
    viser_les_tests_s1_bis(rng, cas)
    for precedent in MOIS_D_AIDE:  # in order: January and February 2021 are references of the following months
        if precedent <= mois:
            viser_le_mois(rng, cas, precedent)
    return cas


# ---- groups ------------------------------------------------------------------------------------------------------


def repartir_effectif(rng: random.Random, membres: list[dict]) -> None:
    """Headcounts whose total lies on a limit (1, 50, 250) or one beside; a share of an employee now and then."""
    total = pese(rng, (0, 20), (1, 15), (3, 20), (49, 3), (50, 15), (50.5, 3), (51, 10), (250, 7), (251, 7))
    if rng.random() < 0.05:
        total = rng.choice((0.5, 0.99))
    parts = [0.0] * len(membres)
    entiers, reste = int(total), total - int(total)
    parts[rng.randrange(len(membres))] += reste
    if rng.random() < 0.5:
        parts[0] += entiers
    else:
        coupes = sorted(rng.randrange(entiers + 1) for _ in membres[1:])
        for rang, (bas, haut) in enumerate(zip([0, *coupes], [*coupes, entiers], strict=True)):
            parts[rang] += haut - bas
    for membre, part in zip(membres, parts, strict=True):
        membre["effectif_salarie"] = dict.fromkeys(TOUS_LES_MOIS, part)


def tirer_groupe(rng: random.Random, mois: str) -> list[dict]:
    """Group of one to four enterprises at the thresholds of an aid month (2021-01 to 2022-02)."""
    taille = pese(rng, (1, 60), (2, 20), (3, 12), (4, 8))
    grands = rng.random() < (0.15 if taille == 1 else 0.5)  # the cap of 200 000 € binds above 1 000 000 € a month
    membres = [tirer_cas(rng, mois, grands) for _ in range(taille)]
    repartir_effectif(rng, membres)
    if rng.random() < 0.5:
        (orienter_apres_mai if mois >= "2021-06" else orienter_avant_juin)(rng, membres, mois)
    return membres


def viser_une_perte(rng: random.Random, cas: dict, mois: str, pertes: tuple[Fraction, ...]) -> None:
    """Turnover of the month beside one of the losses, given as shares of the reference; no distance sales."""
    reference = chiffre_affaires_reference(Cas(cas), mois)
    if reference > 0 and mois >= f"{creation_de(cas):%Y-%m}":
        cas["chiffre_affaires"][mois] = flottant(reference * (1 - rng.choice(pertes)) + ecart(rng))
        cas["chiffre_affaires_vente_a_distance"][mois] = 0.0


def orienter_avant_juin(rng: random.Random, membres: list[dict], mois: str) -> None:
    """Reach the rarest regimes of January to May: shopping centres, and Mayotte apart from the protected regimes."""
    for cas in membres:
        if rng.random() < 0.25:
            cas.update(commerce_de_detail=True, reparation_navale=False, code_naf="47.71Z")
        if cas["commerce_de_detail"] and rng.random() < 0.8:
            jours = jours_du_mois(mois)
            surfaces = (19999.99, 20000.0, 20000.0, 35000.0) if mois == "2021-02" else (9999.99, 10000.0, 12000.0)
            cas["surface_centre_commercial"] = rng.choice(surfaces)
            cas["jours_interdiction_accueil_public"][mois] = rng.choice((1, jours - 1, jours, jours))
            viser_une_perte(rng, cas, mois, (Fraction(50, 100), Fraction(70, 100), Fraction(75, 100)))
        elif not (cas["commerce_de_detail"] or cas["reparation_navale"]) and rng.random() < 0.6:
            cas["departement"] = "976"
            cas["jours_interdiction_accueil_public"][mois] = 0
            cas["annexe_1"][mois] = False
            viser_une_perte(rng, cas, mois, (Fraction(50, 100), Fraction(60, 100), Fraction(75, 100)))


def orienter_apres_mai(rng: random.Random, membres: list[dict], mois: str) -> None:
    """Reach the rarest branches: 3-28 II and 3-30 E at exactly 1 500 €, in a sector (décret 2021-1582)."""
    for cas in membres:
        jours = jours_du_mois(mois)
        cas["jours_confinement"][mois] = rng.choice((8, 10, jours))
        cas["jours_couvre_feu_ou_confinement"][mois] = max(cas["jours_confinement"][mois], rng.choice((19, 20)))
        if rng.random() < 0.7:
            cas["jours_interdiction_accueil_public"][mois] = 0
            cas["pensions_retraite"].pop(mois, None)
            cas["indemnites_journalieres"].pop(mois, None)
            cas["fds_aide_percue"] = {m: rng.random() < 0.2 for m in MOIS_D_AIDE if m <= "2021-05"}
            cas[rng.choice(("annexe_1", "annexe_2"))][mois] = True
        if rng.random() < 0.5:
            reference = chiffre_affaires_reference(Cas(cas), mois)
            a_1500 = (1500 / reference,) if reference > 1500 else ()
            viser_une_perte(rng, cas, mois, (*a_1500, Fraction(50, 100), Fraction(80, 100)))


def tirer_groupe_multi_activites(rng: random.Random) -> list[dict]:
    """Group at the thresholds of décret 2021-960; one enterprise three times out of four, its conditions mostly met."""
    membres = [tirer_cas(rng, "2021-06", False) for _ in range(pese(rng, (1, 75), (2, 25)))]
    repartir_effectif(rng, membres)
    for cas in membres:
        cas["densite_commune"] = pese(rng, (1, 3), (2, 10), (3, 45), (4, 42))
        for nom in (
            "activite_principale_multi_activites",
            "activite_secondaire",
            "activite_secondaire_interdite_au_public",
        ):
            cas[nom] = rng.random() < 0.93
        cas["controle_autre_entreprise"] = rng.random() < 0.07
        cas["fds_aide_percue"] = {"2021-03": True} if rng.random() < 0.07 else {}
        if rng.random() < 0.8:  # 5°: what would open the fonds de solidarité is mostly shut
            cas["annexe_1"] = dict.fromkeys(MOIS_D_AIDE, False)
            cas["jours_interdiction_accueil_public"] = {"2020-12": 0}
            viser_le_semestre(rng, cas)
    return membres


def viser_le_semestre(rng: random.Random, cas: dict) -> None:
    """Half-year of 2021 beside 10 % of loss or a loss of 10 000 €, no month losing half of its own reference."""
    lecture = Cas(cas)
    reference = reference_multi_activites(lecture)
    if reference <= 0:
        return
    vise = rng.choice((reference * 90 / 100, reference - 10000, reference * rng.randrange(60, 100) / 100)) + ecart(rng)
    mois_du_semestre = liste_des_mois("2021-01", "2021-06")
    part = Fraction(centimes(max(vise, ZERO)) // 6, 100)
    for mois in mois_du_semestre[:-1]:
        cas["chiffre_affaires"][mois] = flottant(part)
    cas["chiffre_affaires"]["2021-06"] = flottant(max(vise, ZERO) - 5 * part)
    cas["chiffre_affaires_vente_a_distance"] = {}
