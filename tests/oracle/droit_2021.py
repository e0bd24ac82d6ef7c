"""Scalar and exact oracle of the aids of January 2021 to February 2022, and of décret 2021-960.

Covers articles 3-19 to 3-30 of décret 2020-371, the complement of décret 2021-1582 (July to October 2021) and the aid
of décret 2021-960 (commerces multi-activités). Written from the texts alone, one enterprise at a time: see `commun.py`
for the conventions. Literalness first: a number or a date stands in the code beside the paragraph it comes from.

Citations: « graine 000 » (art. 3-25), « graine 002 » (art. 3-28) and « graine 004 » (décret 2021-960) are the official
extracts; F3 and F4 the fiches 03 and 04; D the dictionary; Cn the clarifications (which prevail over the fiches);
D1 to D11 the doubts of F3 § 8. Vocabulary R1 to R5: F3 § 0.4.

The inputs whose default formula reads lists of sectors or territories (annexe_1, annexe_2, etat_urgence_sanitaire,
activite_principale_multi_activites) must be given: a case without them raises KeyError rather than a guess.
Amounts come out as exact `Fraction`; `commun.en_flottants` turns a result into float64.
"""

from __future__ import annotations

from fractions import Fraction

from commun import (
    ZERO,
    Cas,
    former_groupe,
    liste_des_mois,
    perte,
    plafonner_au_prorata,
    taux_atteint,
    taux_perte,
)

MOIS = tuple(liste_des_mois("2021-01", "2022-02"))
ARTICLES = ("3_19", "3_22", "3_23", "3_24", "3_25", "3_26", "3_27", "3_28", "3_29", "3_30")

JANVIER_A_MAI = ("2021-01", "2021-02", "2021-03", "2021-04", "2021-05")
AVRIL_ET_MAI = ("2021-04", "2021-05")

# La Réunion, Guadeloupe, Martinique, Saint-Martin, Saint-Barthélemy, Polynésie française (graine 000, I-A-2°;
# graine 002, I-A-3° c).
DETAIL_OUTRE_MER = ("974", "971", "972", "978", "977", "987")

# The eleven overseas territories of graine 002, IV and V: window of prior aid January to May (F4, 3-28, 3°).
OUTRE_MER = ("971", "973", "974", "972", "976", "978", "977", "975", "988", "987", "986")

# F4, chronology: décret 2021-840 is said to open the mountain regime of April and May 2021 to hairdressing and beauty
# care. Neither F3 (3-26, 3-27) nor a clarification takes it up: off.
COIFFURE_EN_MONTAGNE_AVRIL_ET_MAI = False


# ---- reference turnover (IV of the articles) ---------------------------------------------------------------------


def reference_par_tranche(cas: Cas, mois: str, ancienne: Fraction) -> Fraction:
    """Give the reference by bracket of creation (graine 000, IV); `ancienne` is the value of the first bracket."""
    if cas.creee_avant("2019-06-01"):  # C38: 31/05/2019 included, in 3-28 too (graine 002 says « avant le 30 mai »)
        return ancienne
    if cas.creee_avant("2020-02-01"):  # « entre le 1er juin 2019 et le 31 janvier 2020 »
        return cas.moyenne_depuis_creation("2020-02")
    if cas.creee_avant("2020-03-01"):  # « entre le 1er février 2020 et le 29 février 2020 »
        return cas.ramene_sur_un_mois("2020-02")
    if cas.creee_avant("2020-10-01"):  # « 1er mars … 30 septembre 2020 »: from 1/7/2020, or from creation if later
        return cas.moyenne("2020-07", "2020-10")
    if cas.creee_avant("2020-11-01"):  # « entre le 1er octobre 2020 et le 31 octobre 2020 »
        if cas.interdiction_accueil_public("2020-12"):  # by derogation: closed to the public in December 2020
            return cas.ramene_sur_un_mois("2020-10")
        return cas.ca("2020-12")
    if cas.creee_avant("2021-01-01"):  # F3, 3-24 IV: January 2021, from the aid of March on
        return cas.ca("2021-01") if mois >= "2021-03" else ZERO
    if cas.creee_avant("2021-02-01"):  # F3, 3-26 IV: February 2021, from the aid of April on
        return cas.ca("2021-02") if mois >= "2021-04" else ZERO
    return ZERO


def chiffre_affaires_reference(cas: Cas, mois: str) -> Fraction:
    """Give the reference of the general regime of the month, with the option of the first bracket (C1, C2)."""
    ancienne = reference_avec_option(cas, mois) if cas.creee_avant("2019-06-01") else ZERO
    return reference_par_tranche(cas, mois, ancienne)


def reference_avec_option(cas: Cas, mois: str) -> Fraction:
    """Give the same month of 2019 or the average of 2019 (graine 000 and graine 002, IV, 1st dash)."""
    meme_mois_2019, moyenne_2019 = cas.ca(f"2019-{mois[5:]}"), cas.moyenne_2019()  # F4: Jan. and Feb. 2022 → 2019
    option = cas.valeur("option_chiffre_affaires_reference")
    if option == "mois_2019":
        return meme_mois_2019
    if option == "moyenne_2019":
        return moyenne_2019
    if mois <= "2021-02":  # graine 000, IV: « si cette option est plus favorable à l'entreprise »
        return max(meme_mois_2019, moyenne_2019)
    # C2: from March on, judged once, in February 2021; the month when equal
    return moyenne_2019 if moyenne_2019 > cas.ca("2019-02") else meme_mois_2019


def reference_mayotte(cas: Cas) -> Fraction:
    """Give the reference of 3-23: average of 2019 alone in the first bracket, no option (C1, C23)."""
    return reference_par_tranche(cas, "2021-02", cas.moyenne_2019())


class Mesure:
    """Reference, turnover and losses of one enterprise for one month."""

    def __init__(self, cas: Cas, mois: str, reference: Fraction | None = None):
        self.reference = chiffre_affaires_reference(cas, mois) if reference is None else reference
        self.ca = cas.ca(mois)
        self.perte = perte(self.reference, self.ca)
        # F3 § 0.4, loss_c: distance and take-away sales left out of the turnover of a closed enterprise
        self.perte_nette = perte(self.reference, cas.ca_hors_vente_a_distance(mois))

    def perte_d_au_moins(self, pourcent: int) -> bool:
        """« une perte de chiffre d'affaires d'au moins … % », on the total turnover."""
        return taux_atteint(self.perte, self.reference, pourcent)

    def part(self, pourcent: int) -> Fraction:
        """`pourcent` % of the reference."""
        return self.reference * pourcent / 100


# ---- conditions common to the articles ---------------------------------------------------------------------------


def conditions_communes(cas: Cas, mois: str, debut_avant: str) -> bool:
    """Art. 1er, no closure as a sanction, no debt, no full-time contract, activity started before a date."""
    return (
        cas.mentionnee_a_l_article_1er(mois)  # I-A, opening words
        and not cas.vrai("fermeture_administrative_pour_manquement", mois)  # I-A, opening words; C26
        and cas.sans_dette(mois)  # V, declaration; C27
        and cas.contrat_admis(mois, dispense_si_salarie=True)  # I-A-3°; C28
        and cas.debute_avant(debut_avant)  # I-A-4°, strict (D3); C14
    )


def detail_ou_naval_outre_mer(cas: Cas) -> bool:
    """Retail but cars and motorcycles, or ship repair, in six territories (graine 000, I-A-2°; graine 002, 3° c)."""
    return (cas.commerce_de_detail or cas.reparation_navale) and cas.departement in DETAIL_OUTRE_MER


# ---- the three tests of annexe 2 (S1 bis), texts of 2021 ---------------------------------------------------------


def perte_du_premier_confinement(cas: Cas) -> bool:
    """(i) 80 % from 15 March to 15 May 2020, reference « selon les modalités du IV » (graine 002; C1, C11, C52)."""
    if not cas.creee_avant("2020-03-01"):  # « créées avant le 1er mars 2020 », January included (C11)
        return False
    if cas.creee_avant("2019-06-01"):
        reference = max(cas.deux_mois_du_printemps(2019), 2 * cas.moyenne_2019())  # C42 for the spring of 2019
    elif cas.creee_avant("2020-02-01"):
        reference = 2 * cas.moyenne_depuis_creation("2020-02")
    else:
        reference = 2 * cas.ramene_sur_un_mois("2020-02")
    return taux_atteint(perte(reference, cas.chiffre_affaires_premier_confinement), reference, 80)


def perte_de_novembre_2020(cas: Cas) -> bool:
    """(ii) 80 % in November 2020, on the total turnover (C1, C12); « débuté » reads date_debut_activite (C14)."""
    if cas.debute_avant("2020-01-01"):
        if cas.creee_avant("2019-06-01"):
            reference = max(cas.ca("2019-11"), cas.moyenne_2019())
        else:
            reference = cas.moyenne_depuis_creation("2020-02")
    elif cas.debute_avant("2020-10-01"):  # 1/1 – 30/9/2020
        reference = cas.moyenne_depuis_creation("2020-10")
    elif cas.debute_avant("2020-11-01"):  # in October 2020
        reference = cas.ca("2020-12")
    else:
        return False
    return taux_atteint(perte(reference, cas.ca("2020-11")), reference, 80)


def perte_annuelle_2020(cas: Cas) -> bool:
    """(iii) 2020 down by 10 % on 2019, created before 1/12/2019; created in 2019: twelve average months (C12)."""
    if not cas.creee_avant("2019-12-01"):
        return False
    reference = 12 * cas.moyenne_2019()
    return taux_atteint(perte(reference, cas.somme_depuis_creation("2020-01", "2020-12")), reference, 10)


def condition_annexe_2(cas: Cas) -> bool:
    """At least one of the three tests."""
    return perte_du_premier_confinement(cas) or perte_de_novembre_2020(cas) or perte_annuelle_2020(cas)


# ---- regimes of January to May 2021 (F3 § 0.4) -------------------------------------------------------------------


def montant_fermeture(m: Mesure) -> Fraction:
    """R1: loss without distance sales up to 10 000 €, or 20 % of the reference."""
    return max(min(m.perte_nette, Fraction(10000)), m.part(20))


def montant_annexe_1(m: Mesure) -> Fraction:
    """R3: loss up to 10 000 €, or 20 % of the reference (15 % under 70 % of loss)."""
    return max(min(m.perte, Fraction(10000)), m.part(20 if m.perte_d_au_moins(70) else 15))


def montant_annexe_2(m: Mesure) -> Fraction:
    """R4, graine 000 I-B: 80 % of the loss up to 10 000 €, or 20 % / 15 % of the reference; at least 1 500 €."""
    if m.perte <= 1500:  # « inférieure ou égale à 1 500 euros »: 100 % of the loss
        return m.perte
    part = m.part(20 if m.perte_d_au_moins(70) else 15)  # B-1° « supérieure ou égale à 70 % », B-2°
    return max(Fraction(1500), part, min(m.perte * 80 / 100, Fraction(10000)))


def montagne(cas: Cas, mois: str) -> bool:
    """R4b: retail or residential letting in a commune of annexe 3; in Jan. and Feb. outside annexes 1 and 2 (C21)."""
    activite = cas.commerce_de_detail or cas.location_biens_immobiliers_residentiels
    if COIFFURE_EN_MONTAGNE_AVRIL_ET_MAI and mois in AVRIL_ET_MAI:
        activite = activite or cas.valeur("code_naf") in ("96.02A", "96.02B")
    if not (activite and cas.vrai("commune_annexe_3")):
        return False
    return mois >= "2021-03" or not (cas.annexe_1(mois) or cas.annexe_2(mois))


def centre_commercial(cas: Cas, mois: str) -> bool:
    """R4c: retail with a shop in a shopping centre of 20 000 m² (February), then 10 000 m², banned to the public."""
    if mois == "2021-01" or not cas.commerce_de_detail:
        return False
    if not cas.nombre("surface_centre_commercial") >= (20000 if mois == "2021-02" else 10000):
        return False
    if mois in ("2021-02", "2021-04"):  # C22: without interruption
        return cas.interdiction_sans_interruption(mois)
    return cas.interdiction_accueil_public(mois)  # C22: at least one day, in March and May


def regimes_proteges(cas: Cas, mois: str, m: Mesure) -> dict[str, Fraction]:
    """Amounts of the open regimes among R1 to R4, the common conditions apart."""
    ouverts = {}
    # R1, I-A-1°: closed the whole month, 20 % of loss; no loss asked for in January (D2)
    if cas.interdiction_sans_interruption(mois) and (mois == "2021-01" or m.perte_d_au_moins(20)):
        ouverts["R1"] = montant_fermeture(m)
    # R2, I-A-2° of 3-24, 3-26 and 3-27: one or several periods of closure, 20 % of loss, distance sales included
    if mois >= "2021-03" and cas.interdiction_accueil_public(mois) and m.perte_d_au_moins(20):
        moitie = taux_atteint(m.perte_nette, m.reference, 50)  # C25: without distance sales
        ouverts["R2"] = montant_fermeture(m) if moitie else min(m.perte_nette, Fraction(1500))
    if not m.perte_d_au_moins(50):  # asked for by all that follow
        return ouverts
    if cas.annexe_1(mois):
        ouverts["R3"] = montant_annexe_1(m)
    # C12: started from 1/11/2020 on, exempt from the three tests in March, April and May
    exemptee = mois >= "2021-03" and not cas.debute_avant("2020-11-01")
    if cas.annexe_2(mois) and (exemptee or condition_annexe_2(cas)):
        ouverts["R4a"] = montant_annexe_2(m)
    if montagne(cas, mois):
        ouverts["R4b"] = montant_annexe_2(m)
    if centre_commercial(cas, mois):
        ouverts["R4c"] = montant_annexe_2(m)
    if mois >= "2021-03" and detail_ou_naval_outre_mer(cas):  # 3-24 e) by décret 2021-423, then 3-26 and 3-27
        ouverts["R4d"] = montant_annexe_2(m)
    return ouverts


def autres_entreprises(cas: Cas, mois: str, m: Mesure) -> dict[str, Fraction]:
    """R5, II: loss of 50 %, group of 50 at most, loss up to 1 500 €; Mayotte in March: 250 and 3 000 € (C23)."""
    mayotte = mois == "2021-03" and cas.departement == "976"
    effectif_maximal, plafond = (250, 3000) if mayotte else (50, 1500)
    if m.perte_d_au_moins(50) and cas.effectif_groupe(mois) <= effectif_maximal:
        return {"R5": min(m.perte, Fraction(plafond))}
    return {}


# ---- articles of January to May 2021 -----------------------------------------------------------------------------

# Month → general article, date before which the activity started (F3 § 0.3).
ARTICLE_GENERAL = {
    "2021-01": ("3_19", "2020-10-31"),
    "2021-02": ("3_22", "2020-10-31"),
    "2021-03": ("3_24", "2020-12-31"),
    "2021-04": ("3_26", "2021-01-31"),
    "2021-05": ("3_27", "2021-01-31"),
}


def article_general(cas: Cas, mois: str) -> dict[str, Fraction]:
    """Art. 3-19, 3-22, 3-24, 3-26 and 3-27: open branches, with their amounts before deduction."""
    if not conditions_communes(cas, mois, ARTICLE_GENERAL[mois][1]):
        return {}
    m = Mesure(cas, mois)
    return {**regimes_proteges(cas, mois, m), **autres_entreprises(cas, mois, m)}


def article_3_23(cas: Cas, mois: str) -> dict[str, Fraction]:
    """Mayotte: loss of 50 %, group of 250 at most, loss up to 3 000 €; closed when R1 to R4 of 3-22 is open (C23)."""
    if cas.departement != "976" or not conditions_communes(cas, mois, "2020-10-31"):  # 2°, 4°
        return {}
    if regimes_proteges(cas, mois, Mesure(cas, mois)):
        return {}
    m = Mesure(cas, mois, reference_mayotte(cas))
    if m.perte_d_au_moins(50) and cas.effectif_groupe(mois) <= 250:  # 1°, 3°
        return {"mayotte": min(m.perte, Fraction(3000))}
    return {}


def article_3_25(cas: Cas, mois: str) -> dict[str, Fraction]:
    """Overseas retail and ship repair (graine 000), whatever the size."""
    if not conditions_communes(cas, mois, "2020-10-31"):  # I-A, opening words, 3° and 4°
        return {}
    m = Mesure(cas, mois)
    if m.perte_d_au_moins(50) and detail_ou_naval_outre_mer(cas):  # I-A-1° and 2°
        return {"outre_mer": montant_annexe_2(m)}  # I-B
    return {}


def article_3_29(cas: Cas, mois: str) -> dict[str, Fraction]:
    """Catch-up of January to March for two added sectors (C33); C12: no exemption from the tests here."""
    if not conditions_communes(cas, mois, "2021-01-31"):
        return {}
    m = Mesure(cas, mois)
    if not m.perte_d_au_moins(50):
        return {}
    naf = cas.valeur("code_naf")
    ouverts = {}
    if naf in ("96.02A", "96.02B") and cas.vrai("commune_annexe_3"):  # (i)
        ouverts["coiffure_montagne"] = montant_annexe_2(m)
    if naf in ("14.13Z", "14.14Z", "14.31Z", "14.39Z"):  # (ii)
        creee_en_hiver = not cas.creee_avant("2019-12-01") and cas.creee_avant("2020-03-01")
        printemps = creee_en_hiver and perte_du_premier_confinement(cas)
        if perte_annuelle_2020(cas) or printemps or perte_de_novembre_2020(cas):
            ouverts["habillement"] = montant_annexe_2(m)
    return ouverts


# ---- articles of June 2021 to February 2022 ----------------------------------------------------------------------


def secteur_soutenu(cas: Cas, mois: str) -> bool:
    """Read a, b and c of 3-28 I-A-3°, and « assimilées » of 3-30 (F4): tests of annexe 2 without exemption (C12)."""
    return (
        cas.annexe_1(mois)  # a)
        or (cas.annexe_2(mois) and condition_annexe_2(cas))  # b)
        or detail_ou_naval_outre_mer(cas)  # c)
    )


def a_percu_une_aide(cas: Cas, mois_possibles: tuple[str, ...]) -> bool:
    """Aid of volet 1 received for one of the months (C8)."""
    return any(aide_percue(cas, mois) for mois in mois_possibles)


def article_3_28(cas: Cas, mois: str) -> dict[str, Fraction]:
    """June to September 2021: the branches of I or, when none is open, II (C10)."""
    if not conditions_communes(cas, mois, "2021-01-31"):
        return {}
    m = Mesure(cas, mois)
    premiere_partie = {**fermetures_3_28(cas, mois, m), **secteurs_3_28(cas, mois, m)}
    if premiere_partie:
        return premiere_partie
    return petites_entreprises_confinees(cas, mois, m, 10 if mois <= "2021-07" else 8)


def fermetures_3_28(cas: Cas, mois: str, m: Mesure) -> dict[str, Fraction]:
    """3-28 I-A, continuous closure and 2° bis."""
    ouverts = {}
    # C8 bis: aid of April or May asked of everyone, in June and July
    aide_suffisante = mois >= "2021-08" or a_percu_une_aide(cas, AVRIL_ET_MAI)
    if cas.interdiction_sans_interruption(mois) and m.perte_d_au_moins(20) and aide_suffisante:
        ouverts["continue"] = m.part(20)
    if mois >= "2021-08":  # 2° bis: « pour la seule période mensuelle du mois d'août 2021 ou … de septembre 2021 »
        if cas.jours_interdiction(mois) >= 21 and m.perte_d_au_moins(50):  # a)
            ouverts["2bis_a"] = m.part(20)  # B bis
        confinement = cas.etat_urgence_sanitaire(mois) and cas.nombre("jours_confinement", mois) >= 8
        if cas.interdiction_accueil_public(mois) and confinement and m.perte_d_au_moins(20):  # b), C34
            ouverts["2bis_b"] = min(m.perte, Fraction(1500))
    return ouverts


def secteurs_3_28(cas: Cas, mois: str, m: Mesure) -> dict[str, Fraction]:
    """3-28 I-A-3°: loss of 10 %, prior aid (January to May overseas), 15 % of activity in September (C34)."""
    if not (m.perte_d_au_moins(10) and secteur_soutenu(cas, mois)):
        return {}
    if mois == "2021-09" and not taux_atteint(m.ca, m.reference, 15):
        return {}
    if not a_percu_une_aide(cas, JANVIER_A_MAI if cas.departement in OUTRE_MER else AVRIL_ET_MAI):
        return {}
    pourcent = {"2021-06": 40, "2021-07": 30, "2021-08": 20, "2021-09": 20}[mois]  # B, then B bis, 2nd paragraph
    # B bis, 3rd and 4th paragraphs; C34: from July on
    if mois >= "2021-07" and mesures_sanitaires(cas, mois, 20):
        pourcent = 40
    return {"secteurs": min(m.perte * pourcent / 100, m.part(20))}


def mesures_sanitaires(cas: Cas, mois: str, jours: int) -> bool:
    """Territory under état d'urgence, with so many days of curfew or confinement (graine 002, B bis; C34)."""
    return cas.etat_urgence_sanitaire(mois) and cas.nombre("jours_couvre_feu_ou_confinement", mois) >= jours


def petites_entreprises_confinees(cas: Cas, mois: str, m: Mesure, jours: int) -> dict[str, Fraction]:
    """3-28 II and branch E of 3-30: group of 50 at most, loss of 50 %, days of confinement (C34)."""
    confinement = cas.nombre("jours_confinement", mois) >= jours
    if cas.effectif_groupe(mois) <= 50 and m.perte_d_au_moins(50) and confinement:
        return {"petites": min(m.perte, Fraction(1500))}
    return {}


def article_3_30(cas: Cas, mois: str) -> dict[str, Fraction]:
    """October 2021 to February 2022: five branches, the best (C10)."""
    if not conditions_communes(cas, mois, "2021-01-31"):
        return {}
    m = Mesure(cas, mois)
    ouverts = {}
    if cas.interdiction_sans_interruption(mois) and m.perte_d_au_moins(20):
        ouverts["A"] = m.part(20)
    if cas.jours_interdiction(mois) >= 21 and m.perte_d_au_moins(50):
        ouverts["B"] = m.part(20)
    confinement = cas.nombre("jours_confinement", mois) >= 8  # C34: no état d'urgence read in C and E
    if cas.interdiction_accueil_public(mois) and confinement and m.perte_d_au_moins(20):
        ouverts["C"] = min(m.perte, Fraction(1500))
    if branche_d_ouverte(cas, mois, m):
        ouverts["D"] = min(m.perte * 40 / 100, m.part(20))
    return {**ouverts, **petites_entreprises_confinees(cas, mois, m, 8)}  # E


def branche_d_ouverte(cas: Cas, mois: str, m: Mesure) -> bool:
    """3-30 D: 10 % of loss, 15 % of activity, sector, measures of 20 then 19 days, aid of January to May (C34)."""
    return (
        m.perte_d_au_moins(10)
        and taux_atteint(m.ca, m.reference, 15)
        and secteur_soutenu(cas, mois)
        and mesures_sanitaires(cas, mois, 20 if mois <= "2021-12" else 19)
        and a_percu_une_aide(cas, JANVIER_A_MAI)  # C34: every territory
    )


# ---- from the articles to the aid of the month -------------------------------------------------------------------


def branches(cas: Cas, mois: str) -> dict[str, dict[str, Fraction]]:
    """Articles of the month → open branches and their amounts before deduction (empty: article closed)."""
    articles = {}
    if mois in ARTICLE_GENERAL:
        articles[ARTICLE_GENERAL[mois][0]] = article_general(cas, mois)
    if mois == "2021-02":
        articles["3_23"] = article_3_23(cas, mois)
        articles["3_25"] = article_3_25(cas, mois)
    if mois in ("2021-01", "2021-02", "2021-03"):
        articles["3_29"] = article_3_29(cas, mois)
    if mois in ("2021-06", "2021-07", "2021-08", "2021-09"):
        articles["3_28"] = article_3_28(cas, mois)
    if mois in ("2021-10", "2021-11", "2021-12", "2022-01", "2022-02"):
        articles["3_30"] = article_3_30(cas, mois)
    return articles


def montants_dus(cas: Cas, mois: str, articles: dict[str, dict[str, Fraction]]) -> dict[str, Fraction]:
    """Gross amount of each article: best branch (D1), pensions and allowances deducted (graine 000 I-C; C35, C55)."""
    deduction = cas.pensions_et_indemnites(mois)
    return {
        article: max(ZERO, max(ouvertes.values(), default=ZERO) - deduction) for article, ouvertes in articles.items()
    }


def aide_percue(cas: Cas, mois: str) -> bool:
    """D, fds_aide_percue: of January to May 2021, false afterwards whatever is given (C8)."""
    if mois not in JANVIER_A_MAI:
        return False
    return cas.aide_percue(mois, any(montants_dus(cas, mois, branches(cas, mois)).values()))


def complement_avant_plafond(cas: Cas, mois: str, articles: dict, verse: Fraction) -> Fraction:
    """Décret 2021-1582 (C6): 20 % of the reference less 1 500 €, for « un montant strictement égal à 1 500 euros »."""
    if mois not in ("2021-07", "2021-08", "2021-09", "2021-10"):
        return ZERO
    ouvertes = articles["3_30" if mois == "2021-10" else "3_28"]
    secteur = cas.annexe_1(mois) or cas.annexe_2(mois)  # without the three tests
    if "petites" in ouvertes and secteur and verse == 1500:  # 3-28 II, 3-30 E
        return max(ZERO, Mesure(cas, mois).part(20) - 1500)
    return ZERO


def evaluer_2021(groupe: list[dict], mois: str) -> list[dict]:
    """Give the outputs of the month for each member of the group, under the dictionary's names.

    `mois` goes from 2021-01 to 2022-02 (ValueError otherwise). bool for `…_eligible` and `fds_aide_percue`, exact
    Fraction for amounts and rates; an article out of its months is False and 0.
    """
    if mois not in MOIS:
        raise ValueError(f"{mois} : cet oracle va de 2021-01 à 2022-02")
    membres = former_groupe(groupe)
    articles = [branches(cas, mois) for cas in membres]
    montants = [montants_dus(cas, mois, ouverts) for cas, ouverts in zip(membres, articles, strict=True)]
    # C53: best article of the month; nothing without a request; 200 000 € for the group and the month (III, C7)
    meilleurs = [
        max(dus.values()) if cas.demande_deposee(mois) else ZERO for cas, dus in zip(membres, montants, strict=True)
    ]
    volets = plafonner_au_prorata(meilleurs, 200000)
    # C6: a cap of its own, on the complements of the group
    complements = plafonner_au_prorata(
        [complement_avant_plafond(cas, mois, *reste) for cas, *reste in zip(membres, articles, volets, strict=True)],
        200000,
    )
    return [
        {
            **sorties_de_perte(cas, mois),
            **sorties_des_articles(ouverts, dus),
            "fds_aide_percue": aide_percue(cas, mois),
            "fds_volet_1": volet,
            "fds_complement_2021_1582": complement,
            "fonds_de_solidarite": volet + complement,
        }
        for cas, ouverts, dus, volet, complement in zip(membres, articles, montants, volets, complements, strict=True)
    ]


def sorties_de_perte(cas: Cas, mois: str) -> dict[str, Fraction]:
    """Give the reference, loss and rate of the general regime."""
    m = Mesure(cas, mois)
    return {
        "chiffre_affaires_reference": m.reference,
        "perte_chiffre_affaires": m.perte,
        "taux_perte_chiffre_affaires": taux_perte(m.perte, m.reference),
    }


def sorties_des_articles(articles: dict[str, dict[str, Fraction]], montants: dict[str, Fraction]) -> dict:
    """Eligibility and gross amount of every article; neither request nor cap (C41)."""
    sorties = {}
    for article in ARTICLES:
        sorties[f"fds_article_{article}_eligible"] = bool(articles.get(article))
        sorties[f"fds_article_{article}_montant"] = montants.get(article, ZERO)
    return sorties


def branches_ouvertes(groupe: list[dict], mois: str) -> list[dict[str, dict[str, Fraction]]]:
    """Open branches of each member: to explain a disagreement, or to measure what a draw reaches."""
    return [branches(cas, mois) for cas in former_groupe(groupe)]


# ---- décret 2021-960 (graine 004) --------------------------------------------------------------------------------


def reference_multi_activites(cas: Cas) -> Fraction:
    """Art. 2 II: reference of six months; no option (C1)."""
    if cas.creee_avant("2019-01-01"):  # « avant le 31 décembre 2018 »; the 31st, in no row, goes with them (F4)
        return sum((cas.ca(mois) for mois in liste_des_mois("2019-01", "2019-06")), ZERO)
    if cas.creee_avant("2020-03-01"):
        return 6 * cas.moyenne_depuis_creation("2020-02")
    if cas.creee_avant("2020-10-01"):
        return 6 * cas.moyenne("2020-07", "2020-10")
    if cas.creee_avant("2021-01-01"):
        return 6 * cas.ca("2020-12")  # C36: not scaled for a creation in December
    return ZERO


def perte_multi_activites(cas: Cas) -> Fraction:
    """Art. 2 II: loss over the first half of 2021."""
    realise = sum((cas.ca(mois) for mois in liste_des_mois("2021-01", "2021-06")), ZERO)
    return perte(reference_multi_activites(cas), realise)


def eligible_multi_activites(cas: Cas) -> bool:
    """Art. 1er I of décret 2021-960."""
    semestre = liste_des_mois("2021-01", "2021-06")
    return (
        # opening words: art. 1er of décret 2020-371 but its 5° and 5° bis; C36: no association, no monument at all
        cas.vrai("residence_fiscale_francaise")
        and not cas.vrai("liquidation_judiciaire_au_1er_mars_2020")
        and cas.valeur("forme_juridique") != "association"
        and not cas.vrai("monument_historique_ouvert_au_public")
        and cas.creee_avant("2021-01-01")  # 1° « au plus tard le 31 décembre 2020 »
        and cas.valeur("densite_commune") in (3, 4)  # 2° peu dense, très peu dense
        and cas.vrai("activite_principale_multi_activites")  # 3°
        and cas.vrai("activite_secondaire")  # 3°
        and cas.vrai("activite_secondaire_interdite_au_public")  # 4°
        and not any(any(branches(cas, mois).values()) for mois in semestre)  # 5°: not eligible, request or not (C36)
        and not a_percu_une_aide(cas, JANVIER_A_MAI)  # 5°: nothing received (C36)
        and taux_atteint(perte_multi_activites(cas), reference_multi_activites(cas), 10)  # 6°
        and not cas.vrai("controle_autre_entreprise")  # 7° (C36)
    )


def evaluer_multi_activites(groupe: list[dict]) -> list[dict]:
    """Give the outputs of décret 2021-960 for each member of the group: bool, and exact Fraction in euros."""
    resultats = []
    for cas in former_groupe(groupe):
        eligible = eligible_multi_activites(cas)
        aide = min(perte_multi_activites(cas) * 80 / 100, Fraction(8000))  # art. 2 I
        resultats.append(
            {
                "multi_activites_chiffre_affaires_reference": reference_multi_activites(cas),
                "multi_activites_eligible": eligible,
                "multi_activites_montant": aide if eligible else ZERO,
            }
        )
    return resultats
