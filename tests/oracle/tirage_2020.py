"""Seeded draws of groups for the months of March to December 2020, concentrated on the borders of the law.

`tirer_groupe(rng, mois)` gives the members' dicts (see `commun.py`). Each enterprise aims at a few borders drawn from
`VISEES` (dates, headcount, yearly turnover, profit, pensions…), always at those of the loss, and otherwise passes the
conditions it does not aim at, so that every branch is reached. The oracle's own reference is used to place turnovers:
it only aims, it proves nothing. Every case carries what volet 2 needs too: the same groups serve `evaluer_2020` and
`evaluer_volet_2`.
"""

from __future__ import annotations

import datetime
import random
from fractions import Fraction

from commun import Cas, jours_du_mois, lire_date, liste_des_mois, mois_de
from droit_2020 import base_du_printemps, reference, reference_la_plus_favorable

TOUS_LES_MOIS = liste_des_mois("2019-01", "2020-12")
MOIS_AIDES = liste_des_mois("2020-03", "2020-12")
CENTIME = Fraction(1, 100)

VISEES = [
    "creation",
    "creation",
    "debut",
    "effectif",
    "chiffre_affaires_annuel",
    "chiffre_affaires_mensuel",
    "benefice",
    "pensions",
    "contrat",
    "exclusions",
    "secteur_mouvant",
    "donnees_sales",
    "entrees_a_formule",
]

BORNES_DE_CREATION = [
    "2019-01-01",
    "2019-03-01",
    "2019-03-15",
    "2019-04-01",
    "2019-05-01",
    "2019-06-01",
    "2019-12-31",
    "2020-01-01",
    "2020-01-31",
    "2020-02-01",
    "2020-02-29",
    "2020-03-01",
    "2020-03-10",
    "2020-03-15",
    "2020-07-01",
    "2020-08-31",
    "2020-09-30",
    "2020-10-31",
]
BORNES_DE_DEBUT = ["2019-12-31", "2020-01-01", "2020-02-01", "2020-03-01", "2020-03-10", "2020-08-31", "2020-09-30"]
# Borders that decide of something in this month and almost nowhere else (C44, C42, C15, C46, C13): drawn more often.
BORNES_PROPRES_AU_MOIS = {
    "2020-05": ["2020-03-01", "2020-03-10"],
    "2020-07": ["2019-03-15"],
    "2020-08": ["2019-03-15"],
    "2020-09": ["2020-03-01"],
    "2020-10": ["2020-03-10"],
    "2020-11": ["2020-03-10"],
    "2020-12": ["2019-12-31", "2020-01-01"],
}
EFFECTIFS = [0, 0.99, 1, 9, 10, 10.01, 11, 19, 20, 21, 49, 50, 50.5, 51]
SEUILS_ANNUELS = [8_000, 200_000, 600_000, 1_000_000, 2_000_000]
SEUILS_MENSUELS = [667, 83_333, 166_666]
PERTES_VISEES = [1_500, 1_500, 1_875, 3_000, 10_000, 12_500]
SOLDES_VISES = [0, 700, 2_000, 3_500, 4_321, 5_000, 10_000]
DEPARTEMENTS = [
    "75",
    "13",
    "29",
    "33",
    "2A",
    "01",
    "971",
    "972",
    "973",
    "974",
    "975",
    "976",
    "977",
    "978",
    "986",
    "987",
    "988",
]
CODES_NAF = ["47.71Z", "68.20A", "33.15Z", "45.11Z", "56.10A"]


def chance(rng: random.Random, probabilite: float) -> bool:
    return rng.random() < probabilite


def montant(valeur) -> float:
    """Euros with two decimals, never negative, as a file would give them (rounded down to the cent)."""
    return max(0, int(Fraction(valeur) * 100)) / 100


def exact(valeur: float) -> Fraction:
    return Fraction(str(valeur))


def ecart(rng: random.Random) -> Fraction:
    """On the border, or one cent on either side (one euro sometimes)."""
    return rng.choice([Fraction(0)] * 3 + [CENTIME, -CENTIME, CENTIME, -CENTIME, Fraction(1), Fraction(-1)])


def jour_voisin(rng: random.Random, bornes: list[str]) -> datetime.date:
    return lire_date(rng.choice(bornes)) + datetime.timedelta(days=rng.choice([-1, 0, 0, 1]))


# ---- identity ----------------------------------------------------------------------------------------------------


def tirer_dates(rng: random.Random, visees: set[str], mois: str) -> dict:
    """Creation (and start) dates: an old enterprise, or one day around a border the month can meet."""
    dernier = f"{mois}-28"
    if "creation" in visees:
        bornes = [borne for borne in BORNES_DE_CREATION if borne <= dernier]
        creation = jour_voisin(rng, bornes + 4 * BORNES_PROPRES_AU_MOIS.get(mois, []))
    elif chance(rng, 0.75):
        creation = datetime.date(rng.randint(1990, 2018), rng.randint(1, 12), rng.randint(1, 28))
    else:
        creation = datetime.date(2019, 1, 1) + datetime.timedelta(days=rng.randint(0, 400))
    cas: dict = {"date_creation": creation.isoformat()}
    if "debut" in visees:
        bornes = [borne for borne in BORNES_DE_DEBUT if borne <= dernier]
        debut = jour_voisin(rng, bornes + 4 * BORNES_PROPRES_AU_MOIS.get(mois, []))
        if debut >= creation or chance(rng, 0.2):  # a start earlier than the creation is rare, but filed
            cas["date_debut_activite"] = debut.isoformat()
    return cas


def tirer_identite(rng: random.Random, visees: set[str]) -> dict:
    forme = rng.choice(["entreprise_individuelle", "entreprise_individuelle", "societe", "association", "autre"])
    associes, conjoints = rng.choice([1, 1, 2, 3]), rng.choice([0, 0, 0, 1, 2])
    cas = {
        "forme_juridique": forme,
        "nombre_associes": associes,
        "nombre_conjoints_collaborateurs": conjoints,
        "benefice_imposable_dernier_exercice": float(rng.choice([0, 12_000, 28_000, 55_000])),
        "option_chiffre_affaires_reference": rng.choice(
            ["plus_favorable", "plus_favorable", "mois_2019", "moyenne_2019"]
        ),
        "part_chiffre_affaires_clients_proteges": rng.choice([0.0, 0.49, 0.5, 0.5, 0.51, 0.8]),
        "code_naf": rng.choice(CODES_NAF),
        "departement": rng.choice(["973", "976"]) if chance(rng, 0.25) else rng.choice(DEPARTEMENTS),
        "artiste_auteur": chance(rng, 0.1),
        "commune_annexe_3": chance(rng, 0.45),
        "filiere_festive": chance(rng, 0.3),
        "conge_dirigeant_mars_2019": chance(rng, 0.08),
    }
    if "benefice" in visees:
        parts = rng.choice([1, 2, associes + conjoints, associes + conjoints])
        cas["benefice_imposable_dernier_exercice"] = float(60_000 * parts + rng.choice([0, CENTIME, -CENTIME, 1]))
    if "exclusions" in visees:
        exclusion = rng.choice(["residence", "liquidation", "controle", "monument", "association", "non_assujettie"])
        if exclusion == "residence":
            cas["residence_fiscale_francaise"] = False
        elif exclusion == "liquidation":
            cas["liquidation_judiciaire_au_1er_mars_2020"] = True
        elif exclusion == "controle":
            cas["controlee_par_societe_commerciale"] = True
        elif exclusion == "monument":
            cas["monument_historique_ouvert_au_public"] = True
        else:  # only an association needs an employee when it pays no business tax
            cas["assujettie_impots_commerciaux"] = False
            if exclusion == "association":
                cas["forme_juridique"] = "association"
    return cas


def tirer_secteur(rng: random.Random, visees: set[str]) -> dict:
    annexe_1, annexe_2 = rng.choice([(False, False)] * 2 + [(True, False)] * 2 + [(False, True)] * 3)
    if "secteur_mouvant" in visees and chance(rng, 0.3):
        annexe_1 = annexe_2 = True
    cas: dict = {
        "annexe_1": dict.fromkeys(MOIS_AIDES, annexe_1),
        "annexe_2": dict.fromkeys(MOIS_AIDES, annexe_2),
        "etat_urgence_sanitaire": {mois: chance(rng, 0.5) for mois in MOIS_AIDES},
    }
    if "secteur_mouvant" in visees:  # an activity that changes list in time
        for mois in MOIS_AIDES[rng.randint(2, 9) :]:
            cas["annexe_1"][mois], cas["annexe_2"][mois] = annexe_2, annexe_1 or chance(rng, 0.5)
    return cas


# ---- size and manager --------------------------------------------------------------------------------------------


def tirer_effectif(rng: random.Random, visees: set[str], mois: str) -> dict:
    effectif = rng.choice(EFFECTIFS) if "effectif" in visees else rng.choice([0, 0, 1, 2, 4])
    par_mois = dict.fromkeys(MOIS_AIDES, effectif)
    if "effectif" in visees and chance(rng, 0.3):
        par_mois[mois] = rng.choice(EFFECTIFS)
    cas: dict = {"effectif_salarie": par_mois}
    if "entrees_a_formule" in visees:
        cas["salarie_au_1er_mars_2020"] = chance(rng, 0.5)
    return cas


def tirer_dirigeant(rng: random.Random, visees: set[str], mois: str) -> dict:
    cas: dict = {}
    if "contrat" in visees:
        cas["dirigeant_contrat_temps_complet"] = {rng.choice([mois, mois, mois, "2020-03"]): True}
    if "exclusions" in visees and chance(rng, 0.2):
        cas["dettes_fiscales_ou_sociales_impayees"] = {mois: True}
    if "pensions" not in visees:
        return cas
    if mois == "2020-03":
        pensions = rng.choice([0.0, 0.0, 0.0, 0.01, 300.0])
        indemnites = rng.choice([200.0, 799.99, 800.0, 800.01])
    else:
        total = rng.choice([400.0, 1_200.0, 1_499.99, 1_500.0, 1_500.0, 1_500.01])
        pensions = rng.choice([0.0, total, round(total / 4, 2)])
        indemnites = round(total - pensions, 2)
    cas["pensions_retraite"] = {mois: pensions}
    cas["indemnites_journalieres"] = {mois: indemnites}
    return cas


def tirer_fermeture(rng: random.Random, visees: set[str], mois: str) -> dict:
    """Days of closure: none, some, or the whole month (25 to 30 September only)."""
    jours = {}
    for chaque in MOIS_AIDES:
        maximum = 6 if chaque == "2020-09" else jours_du_mois(chaque)
        ferme = chance(rng, 0.4 if chaque == mois else 0.2)
        jours[chaque] = (maximum if chance(rng, 0.5) else rng.randint(1, maximum)) if ferme else 0
    cas: dict = {"jours_interdiction_accueil_public": jours}
    if "entrees_a_formule" in visees:
        cas["interdiction_accueil_public"] = {mois: jours[mois] > 0 or chance(rng, 0.3)}
    return cas


def tirer_demandes(rng: random.Random, visees: set[str], mois: str) -> dict:
    cas = {
        "demande_volet_2": chance(rng, 0.85),
        "solde_tresorerie_volet_2": float(-rng.choice(SOLDES_VISES) + rng.choice([0, CENTIME, -CENTIME, -1])),
        "aide_territoriale_deliberee": float(rng.choice([0, 500, 1_500, 3_000])),
    }
    if chance(rng, 0.06):
        cas["demande_fonds_solidarite"] = {mois: False}
    if "entrees_a_formule" in visees:
        cas["fds_aide_percue"] = {rng.choice([mois, *MOIS_AIDES[:7]]): chance(rng, 0.5)}
        cas["couvre_feu_octobre_2020"] = chance(rng, 0.5)
    return cas


# ---- turnover ----------------------------------------------------------------------------------------------------


def niveau_mensuel(rng: random.Random, mois: str) -> int:
    """Level of monthly turnover, in whole euros, around the amounts where the tables of the month change."""
    tranches = [(300, 2_000), (1_500, 3_000), (1_500, 3_000), (2_500, 6_500), (9_000, 22_000)]
    if mois == "2020-12":
        tranches += [(45_000, 75_000), (45_000, 75_000), (150_000, 1_500_000)]
    return rng.randint(*rng.choice(tranches))


def chiffre_affaires_historique(
    rng: random.Random, visees: set[str], creation: datetime.date, niveau: int
) -> dict[str, float]:
    """Turnover of 24 months: flat or uneven, nothing before the month of creation (save a few dirty files)."""
    plat = chance(rng, 0.5)
    valeurs = {}
    for mois in TOUS_LES_MOIS:
        pourcent = 100 if plat else rng.randint(40, 180)
        if mois >= "2020-03":
            pourcent = rng.choice([0, 5, 10, 20, 40, 50, 60, 100])
        valeurs[mois] = montant(Fraction(niveau * pourcent, 100)) if mois >= mois_de(creation) else 0.0
    if "donnees_sales" in visees:
        for mois in TOUS_LES_MOIS:
            if mois < mois_de(creation) and chance(rng, 0.3):
                valeurs[mois] = montant(Fraction(niveau, 3))
    if not plat and creation < datetime.date(2020, 1, 1) and chance(rng, 0.6):  # an average of 2019 in whole cents
        total = sum(round(valeurs[mois] * 100) for mois in liste_des_mois("2019-01", "2019-12"))
        valeurs["2019-12"] = montant(exact(valeurs["2019-12"]) + Fraction(-total % 12, 100))
    return valeurs


def viser_chiffre_affaires_mensuel(rng: random.Random, cas: dict) -> None:
    """For those judged on a monthly turnover: 667, 83 333 or 166 666 €, to 29 February or to 15 March 2020."""
    lecture, chiffres = Cas(cas), cas["chiffre_affaires"]
    seuil = rng.choice(SEUILS_MENSUELS)
    if not lecture.creee_avant("2020-03-01"):
        vise = Fraction(seuil * lecture.jours_actifs_au_15_mars_2020, 31) + ecart(rng)
        cas["chiffre_affaires_jusqu_au_15_mars_2020"] = montant(vise)
        return
    mois_actifs = [mois for mois in liste_des_mois("2019-01", "2020-02") if lecture.part_active(mois) > 0]
    for mois in mois_actifs:
        chiffres[mois] = montant(seuil * lecture.part_active(mois))
    chiffres[mois_actifs[-1]] = montant(exact(chiffres[mois_actifs[-1]]) + ecart(rng))
    if lecture.creee_avant("2019-01-01"):
        cas["exercice_clos"] = False


def viser_chiffre_affaires_annuel(rng: random.Random, cas: dict) -> None:
    """Turnover of the last closed year on a threshold: given, or as the sum of 2019."""
    seuil = Fraction(rng.choice(SEUILS_ANNUELS)) + ecart(rng)
    creation = Cas(cas).date_creation
    if datetime.date(2019, 1, 1) <= creation < datetime.date(2020, 1, 1):
        cas["exercice_clos"] = True  # a short first year
    if creation >= datetime.date(2019, 1, 1) or chance(rng, 0.5):
        cas["chiffre_affaires_dernier_exercice"] = montant(seuil)
        return
    part = montant(seuil / 12)
    cas["chiffre_affaires"].update(dict.fromkeys(liste_des_mois("2019-01", "2019-11"), part))
    cas["chiffre_affaires"]["2019-12"] = montant(seuil - 11 * exact(part))


def viser_printemps(rng: random.Random, cas: dict, mois: str) -> None:
    """Loss of 80 % from 15 March to 15 May 2020: on the border, well beyond, or short of it."""
    chiffres = cas["chiffre_affaires"]
    libres = mois > "2020-05"  # the three months are not the month aimed at
    if libres:
        for borne in ("2020-03", "2020-05"):  # 17/31 and 15/31 then fall on whole cents
            chiffres[borne] = montant(Fraction(round(chiffres[borne] * 100) // 31 * 31, 100))
    base = base_du_printemps(Cas(cas))
    sort = rng.random()
    if sort < 0.4:
        vise = base / 5 + rng.choice([0, CENTIME, -CENTIME])
    elif sort < 0.85:
        vise = base * rng.randint(0, 18) / 100
    else:
        vise = base * rng.randint(25, 110) / 100
    bords = exact(chiffres["2020-03"]) * Fraction(17, 31) + exact(chiffres["2020-05"]) * Fraction(15, 31)
    if libres and vise >= bords and chance(rng, 0.6):
        chiffres["2020-04"] = montant(vise - bords)
    else:
        cas["chiffre_affaires_premier_confinement"] = montant(vise)


def viser_novembre(rng: random.Random, cas: dict) -> None:
    """December: turnover of November 2020 around 20 % of what the test compares it with."""
    lecture = Cas(cas)
    if lecture.debute_avant("2020-01-01"):
        vise = reference_la_plus_favorable(lecture, "2020-11") / 5
    else:  # the average to 30 November includes November: n = (s + n) / 5k
        duree = lecture.mois_d_activite("2019-01", "2020-11")
        somme = lecture.somme_depuis_creation("2019-01", "2020-10")
        vise = somme / (5 * duree - 1) if duree > Fraction(1, 5) else Fraction(0)
    if chance(rng, 0.5):
        vise += rng.choice([0, CENTIME, -CENTIME])
    else:
        vise *= Fraction(rng.randint(0, 300), 100)
    cas["chiffre_affaires"]["2020-11"] = montant(vise)


def viser_perte(rng: random.Random, cas: dict, mois: str) -> None:
    """Turnover of the month: loss rate or loss in euros on a border; nil, high or any otherwise."""
    base = reference(Cas(cas), mois)
    sort = rng.random()
    if sort < 0.45:
        vise = base * (100 - rng.choice([50, 50, 50, 70, 70, 80])) / 100 + ecart(rng)
    elif sort < 0.70:
        a_moitie = [visee for visee in PERTES_VISEES if visee <= base <= 2 * visee]  # borders met with the rate of 50 %
        vise = base - rng.choice(a_moitie or PERTES_VISEES) + ecart(rng)
    elif sort < 0.80:
        vise = Fraction(0)
    elif sort < 0.85:
        vise = base + rng.choice([0, CENTIME, base / 10])
    else:
        vise = base * rng.randint(0, 60) / 100
    cas["chiffre_affaires"][mois] = montant(vise)
    if chance(rng, 0.35):  # distance sales: added to the turnover aimed at, or taken from it
        vente = montant(base * rng.choice([5, 10, 30]) / 100)
        if chance(rng, 0.6):
            cas["chiffre_affaires"][mois] = montant(exact(cas["chiffre_affaires"][mois]) + exact(vente))
        cas["chiffre_affaires_vente_a_distance"] = {mois: min(vente, cas["chiffre_affaires"][mois])}


def viser_jours_fermes(rng: random.Random, cas: dict, mois: str) -> None:
    """Turnover of the closed days so that the loss of these days is around 333 € a day."""
    lecture = Cas(cas)
    jours = lecture.jours_interdiction(mois)
    base = reference(lecture, mois) * jours / jours_du_mois(mois)
    vise = base - 333 * jours + ecart(rng) if chance(rng, 0.5) else base * rng.randint(0, 110) / 100
    cas["chiffre_affaires_jours_interdiction"] = {mois: montant(vise)}


# ---- members and groups ------------------------------------------------------------------------------------------


def tirer_membre(rng: random.Random, mois: str) -> dict:
    """One enterprise aimed at the borders of `mois` and at one to four others."""
    visees = set(rng.sample(VISEES, rng.choice([1, 2, 2, 3, 4])))
    cas = {
        **tirer_dates(rng, visees, mois),
        **tirer_identite(rng, visees),
        **tirer_secteur(rng, visees),
        **tirer_effectif(rng, visees, mois),
        **tirer_dirigeant(rng, visees, mois),
        **tirer_fermeture(rng, visees, mois),
        **tirer_demandes(rng, visees, mois),
    }
    creation = lire_date(cas["date_creation"])
    cas["chiffre_affaires"] = chiffre_affaires_historique(rng, visees, creation, niveau_mensuel(rng, mois))
    if "chiffre_affaires_mensuel" in visees:
        viser_chiffre_affaires_mensuel(rng, cas)
    elif "chiffre_affaires_annuel" in visees:
        viser_chiffre_affaires_annuel(rng, cas)
    elif creation >= datetime.date(2020, 3, 1) and chance(rng, 0.4):
        cas["chiffre_affaires_jusqu_au_15_mars_2020"] = montant(rng.randint(100, 5_000))
    viser_printemps(rng, cas, mois)
    if mois == "2020-12":
        viser_novembre(rng, cas)
    viser_perte(rng, cas, mois)
    if mois in ("2020-09", "2020-10"):
        viser_jours_fermes(rng, cas, mois)
    return cas


def viser_groupe(rng: random.Random, membres: list[dict], mois: str) -> None:
    """Put the sums of a group on the borders of 5° (until September) or of the 50 employees."""
    premier, autres = membres[0], membres[1:]
    visee = rng.choice(["effectif", "chiffre_affaires", "benefice", "rien", "rien"])
    if visee == "effectif":
        seuil = rng.choice([10, 20, 50]) if mois < "2020-10" else 50
        reste = seuil - sum(membre["effectif_salarie"][mois] for membre in autres)
        if reste >= 0:
            premier["effectif_salarie"][mois] = round(reste + rng.choice([0, 0, 0.01, 1]), 2)
    elif visee == "chiffre_affaires":
        reste = rng.choice([1_000_000, 2_000_000]) - sum(
            Cas(membre).chiffre_affaires_dernier_exercice for membre in autres
        )
        premier["chiffre_affaires_dernier_exercice"] = montant(reste + ecart(rng))
    elif visee == "benefice":
        seuil = 60_000 * rng.choice([1, 2, 3])
        reste = seuil - sum(exact(membre["benefice_imposable_dernier_exercice"]) for membre in autres)
        premier["benefice_imposable_dernier_exercice"] = montant(reste + rng.choice([0, CENTIME, -CENTIME]))


def tirer_groupe(rng: random.Random, mois: str) -> list[dict]:
    """Members' dicts of one group of one to four enterprises, aimed at the borders of `mois` (2020-03 to 2020-12)."""
    taille = rng.choices([1, 2, 3, 4], weights=[60, 20, 12, 8])[0]
    membres = [tirer_membre(rng, mois) for _ in range(taille)]
    if taille > 1:
        viser_groupe(rng, membres, mois)
    return membres
