"""Scalar and exact oracle of the aids of March to December 2020 (art. 2 to 3-18 and 3-21) and of volet 2 (art. 4, 4-1).

Written from the texts alone, one enterprise at a time: see `commun.py` for the conventions.
Citations: « art. », « Seed001 » (art. 3-7) and « Seed003 » (art. 4) are the official extracts, F1 and F2 the fiches
01 and 02, D the dictionary, Cn the clarifications (which prevail over the fiches).

Nightclubs: only `annexe_1` is affected (C50); their own volet 1 (June to November 2020) is out of the oracle's scope,
and a case that would need it is refused rather than answered wrongly.
"""

from __future__ import annotations

from fractions import Fraction

from commun import (
    ZERO,
    Cas,
    former_groupe,
    jours_du_mois,
    lire_date,
    liste_des_mois,
    perte,
    plafonner_au_prorata,
    taux_atteint,
    taux_perte,
)

JUILLET_A_SEPTEMBRE = ("2020-07", "2020-08", "2020-09")

# Article → months it covers (D, sorties; C17 for 3-7, C15 for 3-10).
MOIS_DES_ARTICLES = {
    "2": ("2020-03",),
    "3_1": ("2020-04",),
    "3_3": ("2020-05",),
    "3_5": ("2020-06",),
    "3_7": JUILLET_A_SEPTEMBRE,
    "3_8": JUILLET_A_SEPTEMBRE,
    "3_10": ("2020-09", "2020-10"),
    "3_11": ("2020-10",),
    "3_12": ("2020-10",),
    "3_14": ("2020-11",),
    "3_15": ("2020-12",),
    "3_16": ("2020-12",),
    "3_17": ("2020-12",),
    "3_18": ("2020-12",),
    "3_21": ("2020-11",),
}
ARTICLES_2_A_3_9 = ("2", "3_1", "3_3", "3_5", "3_7", "3_8")

GUYANE_ET_MAYOTTE = ("973", "976")

NON_ELIGIBLE = (False, ZERO)


# ---- reference turnover ------------------------------------------------------------------------------------------


def ancienne(cas: Cas, mois: str) -> bool:
    """First bracket: the month of 2019, or the average of 2019 (C38)."""
    if mois == "2020-03":
        return cas.date_creation <= lire_date("2019-03-01")  # F1, art. 2: « before/on 01/03/2019 »
    if mois == "2020-04":
        return cas.date_creation <= lire_date("2019-04-01")  # art. 3-1: « on/before 01/04/2019 »
    if mois == "2020-05":
        return cas.creee_avant("2019-05-01")  # art. 3-3
    return cas.creee_avant("2019-06-01")  # art. 3-5, 3-7 III (« entre le 1er juin 2019 et… ») and later


def reference(cas: Cas, mois: str, option: str | None = None) -> Fraction:
    """Find the reference of the general regime of the month, under the enterprise's option unless one is given (C1)."""
    option = option or cas.valeur("option_chiffre_affaires_reference")
    if mois == "2020-03" and cas.vrai("conge_dirigeant_mars_2019"):
        return cas.moyenne("2019-04", "2020-02")  # art. 2-2°, whatever the creation (C54)
    if ancienne(cas, mois):
        mois_2019 = cas.ca("2019" + mois[4:])
        if mois == "2020-03":
            return mois_2019  # art. 2-2°: no average in March
        choix = {"mois_2019": mois_2019, "moyenne_2019": cas.moyenne_2019()}
        return choix[option] if option in choix else max(choix.values())
    if mois == "2020-03":
        return cas.moyenne_depuis_creation("2020-02")  # art. 2-2°: « après le 1er mars 2019 »
    if mois == "2020-04":
        if cas.date_creation <= lire_date("2020-02-01"):  # art. 3-1: « après le 1er avril 2019 »
            return cas.moyenne_depuis_creation("2020-02")
        return cas.ramene_sur_un_mois("2020-02")  # art. 3-1: « après le 1er février 2020 »; 0 from March on
    if cas.creee_avant("2020-02-01"):
        return cas.moyenne_depuis_creation("2020-02")  # « entre le … 2019 et le 31 janvier 2020 »
    if cas.creee_avant("2020-03-01"):
        return cas.ramene_sur_un_mois("2020-02")  # « entre le 1er et le 29 février 2020 »
    # « après le 1er mars 2020 », the 1st included (C44)
    if mois <= "2020-09":
        return cas.ca_au_15_mars_2020_ramene_sur_un_mois  # art. 3-3, 3-5, 3-7 III, 3-8 (C45)
    if mois in ("2020-10", "2020-11"):
        return cas.moyenne("2020-07", "2020-09")  # art. 3-11, 3-12, 3-14: « 1er juillet, ou création, → 30 septembre »
    return cas.moyenne("2020-07", "2020-10")  # December: « → 31 octobre » (F2, art. 3-15)


def reference_la_plus_favorable(cas: Cas, mois: str) -> Fraction:
    """Find the reference used by the tests, deaf to the option (C1)."""
    return reference(cas, mois, "plus_favorable")


# ---- tests of 80 % -----------------------------------------------------------------------------------------------


def base_du_printemps(cas: Cas) -> Fraction:
    """Find what 15 March to 15 May 2020 is compared with, in the texts of 2020 (Seed001 I-7°; C1, C42, C52)."""
    if cas.date_creation > lire_date("2019-03-15"):  # « créées après le 15 mars 2019 »
        ca_depuis_creation = (
            cas.somme_depuis_creation("2019-01", "2020-02") + cas.chiffre_affaires_jusqu_au_15_mars_2020
        )
        duree = cas.mois_d_activite("2019-01", "2020-02") + Fraction(cas.jours_actifs_au_15_mars_2020, 31)
        return 2 * ca_depuis_creation / duree if duree else ZERO  # « ramené sur deux mois »
    return max(
        cas.deux_mois_du_printemps(2019),  # « la même période de l'année précédente » (C42)
        2 * cas.moyenne_2019(),  # « ou, si elles le souhaitent, (…) ramené sur deux mois »
    )


def perte_de_80_au_printemps(cas: Cas) -> bool:
    """Loss of at least 80 % from 15 March to 15 May 2020 (Seed001 I-7°)."""
    base = base_du_printemps(cas)
    return taux_atteint(perte(base, cas.chiffre_affaires_premier_confinement), base, 80)


def secteur_annexe_2_jusqu_en_septembre(cas: Cas, mois: str) -> bool:
    """Annexe 2 and the test of 80 %, without exception (Seed001 I-7°)."""
    return cas.annexe_2(mois) and perte_de_80_au_printemps(cas)


def secteur_annexe_2_octobre_novembre(cas: Cas, mois: str) -> bool:
    """Annexe 2 and the test of 80 %, waived when created after 10 March 2020 (C46)."""
    return cas.annexe_2(mois) and epreuve_80_octobre_novembre(cas)


def epreuve_80_octobre_novembre(cas: Cas) -> bool:
    return cas.date_creation > lire_date("2020-03-10") or perte_de_80_au_printemps(cas)


def epreuve_80_decembre(cas: Cas) -> bool:
    """C13: started before 2020, spring or November; started since, November against the average to 30 November."""
    if cas.debute_avant("2020-01-01"):
        return perte_de_80_au_printemps(cas) or perte_de_80_en_novembre(
            cas, reference_la_plus_favorable(cas, "2020-11")
        )
    return perte_de_80_en_novembre(cas, cas.moyenne_depuis_creation("2020-11"))


def perte_de_80_en_novembre(cas: Cas, base: Fraction) -> bool:
    return taux_atteint(perte(base, cas.ca("2020-11")), base, 80)


# ---- loss of the month -------------------------------------------------------------------------------------------


def perte_du_mois(cas: Cas, mois: str) -> Fraction:
    """Loss on the whole turnover, distance sales included."""
    return perte(reference(cas, mois), cas.ca(mois))


def perte_hors_vente_a_distance(cas: Cas, mois: str) -> Fraction:
    """Loss of closed firms, whose distance and take-away sales do not count (décret 2021-32; C24)."""
    return perte(reference(cas, mois), cas.ca_hors_vente_a_distance(mois))


def perte_de_50(cas: Cas, mois: str) -> bool:
    return taux_atteint(perte_du_mois(cas, mois), reference(cas, mois), 50)


# ---- articles 2 to 3-9: very small firms -------------------------------------------------------------------------


def seuils_releves(cas: Cas, mois: str) -> bool:
    """20 employees and 2 M€: annexe 1, or annexe 2 with the test of 80 % (Seed001 I-7°, 8°); none before May (C32)."""
    if mois < "2020-05":
        return False
    return cas.annexe_1(mois) or secteur_annexe_2_jusqu_en_septembre(cas, mois)


def benefice_maximal(cas: Cas, mois: str) -> int | None:
    """3°: highest taxable profit admitted; None where 3° does not apply."""
    if mois == "2020-03":
        return 60_000  # art. 2-3°, without doubling nor associés (C19)
    if mois >= "2020-05" and not cas.creee_avant("2020-03-01"):
        return None  # « créées après le 1er mars 2020 » (art. 3-3 3°, Seed001 I-3°; C44)
    conjoints = cas.valeur("nombre_conjoints_collaborateurs")
    if cas.valeur("forme_juridique") == "entreprise_individuelle":
        return 120_000 if conjoints >= 1 else 60_000  # « ce montant est doublé » (C29)
    return 60_000 * (cas.valeur("nombre_associes") + conjoints)  # « par associé et conjoint collaborateur » (C29)


def condition_3_benefice(cas: Cas, mois: str) -> bool:
    maximum = benefice_maximal(cas, mois)
    return maximum is None or cas.euros("benefice_imposable_dernier_exercice") <= maximum  # « n'excède pas »


def condition_4_dirigeant(cas: Cas, mois: str) -> bool:
    if mois == "2020-03":
        return (
            cas.contrat_admis("2020-03", dispense_si_salarie=False)  # art. 2-4°, 1 March 2020
            and cas.euros("pensions_retraite", mois) <= 0  # any pension excludes (C19)
            and cas.euros("indemnites_journalieres", mois) <= 800  # « supérieur à 800 » excludes (C19)
        )
    mois_du_contrat = "2020-03" if mois == "2020-04" else mois  # art. 3-1 4°: 1 March 2020 (C18)
    return (
        cas.contrat_admis(mois_du_contrat, dispense_si_salarie=False)  # no waiver before October (C18)
        and cas.pensions_et_indemnites(mois) <= 1_500  # « supérieur à 1 500 euros » excludes
    )


def condition_5_groupe(cas: Cas, mois: str, effectif_maximal: int, ca_maximal: int) -> bool:
    """5° as C4 applies it: every member of a group of two or more; sums against the member's own thresholds."""
    if len(cas.groupe) < 2:
        return True
    if cas.effectif_groupe(mois) > effectif_maximal:
        return False
    if not sum((membre.chiffre_affaires_dernier_exercice for membre in cas.groupe), ZERO) < ca_maximal:
        return False
    maximum = benefice_maximal(cas, mois)
    benefices = sum((membre.euros("benefice_imposable_dernier_exercice") for membre in cas.groupe), ZERO)
    return maximum is None or benefices <= maximum


def condition_6_debut(cas: Cas, mois: str) -> bool:
    limite = {"2020-03": "2020-02-01", "2020-04": "2020-03-01"}.get(mois, "2020-03-10")
    return cas.debute_avant(limite)


def condition_8_chiffre_affaires(cas: Cas, mois: str, ca_maximal: int, ca_mensuel_maximal: int) -> bool:
    if cas.exercice_clos:
        return cas.chiffre_affaires_dernier_exercice < ca_maximal  # « inférieur à »
    if mois >= "2020-05" and not cas.creee_avant("2020-03-01"):  # C44; neither art. 2 nor art. 3-1 has this sentence
        return cas.ca_au_15_mars_2020_ramene_sur_un_mois < ca_mensuel_maximal
    return cas.moyenne_depuis_creation("2020-02") < ca_mensuel_maximal


def conditions_tres_petite_entreprise(cas: Cas, mois: str, releves: bool) -> bool:
    """Art. 1er and 3° to 8° of articles 2 to 3-9."""
    effectif_maximal, ca_maximal, ca_mensuel_maximal = (20, 2_000_000, 166_666) if releves else (10, 1_000_000, 83_333)
    return (
        cas.mentionnee_a_l_article_1er(mois)
        and not cas.vrai("controlee_par_societe_commerciale")  # art. 1er, 7°, articles 2 to 3-9 only
        and cas.sans_dette(mois)
        and condition_3_benefice(cas, mois)
        and condition_4_dirigeant(cas, mois)
        and condition_5_groupe(cas, mois, effectif_maximal, ca_maximal)
        and condition_6_debut(cas, mois)
        and cas.effectif(mois) <= effectif_maximal  # 7°: « inférieur ou égal »
        and condition_8_chiffre_affaires(cas, mois, ca_maximal, ca_mensuel_maximal)
    )


def fermee_ou_perte_de_50(cas: Cas, mois: str) -> bool:
    """1° or 2° of articles 2 to 3-9: public kept away during the month, or loss of at least 50 %."""
    return cas.interdiction_accueil_public(mois) or perte_de_50(cas, mois)


def forfait(cas: Cas, mois: str, plafond: int) -> Fraction:
    """Art. 3-2 to 3-9 and Seed001 II: the loss, aid and pensions together within the cap (C55)."""
    return max(ZERO, min(perte_du_mois(cas, mois), plafond - cas.pensions_et_indemnites(mois)))


def article_2(cas: Cas, mois: str) -> tuple[bool, Fraction]:
    """March 2020."""
    if not (fermee_ou_perte_de_50(cas, mois) and conditions_tres_petite_entreprise(cas, mois, releves=False)):
        return NON_ELIGIBLE
    return True, min(perte_du_mois(cas, mois), Fraction(1_500))  # art. 3; nothing deducted (C19)


def article_3_1_a_3_6(cas: Cas, mois: str) -> tuple[bool, Fraction]:
    """April (3-1, 3-2), May (3-3, 3-4) and June 2020 (3-5, 3-6)."""
    releves = seuils_releves(cas, mois)
    if not (fermee_ou_perte_de_50(cas, mois) and conditions_tres_petite_entreprise(cas, mois, releves)):
        return NON_ELIGIBLE
    return True, forfait(cas, mois, 1_500)


def article_3_7(cas: Cas, mois: str) -> tuple[bool, Fraction]:
    """Guyane and Mayotte, July to September 2020 (Seed001; C17)."""
    if cas.departement not in GUYANE_ET_MAYOTTE:
        return NON_ELIGIBLE
    releves = seuils_releves(cas, mois)
    if not (fermee_ou_perte_de_50(cas, mois) and conditions_tres_petite_entreprise(cas, mois, releves)):
        return NON_ELIGIBLE
    return True, forfait(cas, mois, 3_000)


def article_3_8(cas: Cas, mois: str) -> tuple[bool, Fraction]:
    """Annexe 1, or annexe 2 with the test of 80 %, July to September 2020 (3-8, 3-9)."""
    if not seuils_releves(cas, mois):  # 6° bis: the same sectors as those whose thresholds are raised
        return NON_ELIGIBLE
    if not (fermee_ou_perte_de_50(cas, mois) and conditions_tres_petite_entreprise(cas, mois, releves=True)):
        return NON_ELIGIBLE
    return True, forfait(cas, mois, 1_500)


# ---- articles 3-10 and following ---------------------------------------------------------------------------------


def conditions_communes(cas: Cas, mois: str, debut_avant: str = "2020-09-30", dispense_si_salarie: bool = True) -> bool:
    """Art. 1er, debts, contract (waived with one employee from October on, C18), start of activity."""
    return (
        cas.mentionnee_a_l_article_1er(mois)
        and cas.sans_dette(mois)
        and cas.contrat_admis(mois, dispense_si_salarie)
        and cas.debute_avant(debut_avant)
    )


def effectif_de_50_au_plus(cas: Cas, mois: str) -> bool:
    """« inférieur ou égal à cinquante salariés », at group level (art. 1er for 3-10 to 3-12, 3-14 and following)."""
    return cas.effectif_groupe(mois) <= 50


def deduire_pensions(cas: Cas, mois: str, montant: Fraction) -> Fraction:
    """Articles 3-10 and following: the amount less pensions and daily allowances (C55)."""
    return max(ZERO, montant - cas.pensions_et_indemnites(mois))


def quatre_vingts_pour_cent(perte_subie: Fraction) -> Fraction:
    """80 % of the loss within 10 000 €; at least 1 500 € beyond a loss of 1 500 €, the loss up to it (F2, 3-14)."""
    if perte_subie <= 1_500:
        return perte_subie
    return max(Fraction(1_500), min(perte_subie * 80 / 100, Fraction(10_000)))


def article_3_10(cas: Cas, mois: str) -> tuple[bool, Fraction]:
    """333 € per day of closure, 25 to 30 September and October 2020 (C15)."""
    en_septembre = mois == "2020-09"
    if not (
        cas.interdiction_accueil_public(mois)
        and conditions_communes(cas, mois, "2020-08-31" if en_septembre else "2020-09-30", not en_septembre)
        and effectif_de_50_au_plus(cas, mois)
    ):
        return NON_ELIGIBLE
    if cas.creee_avant("2020-03-01"):
        reference_mensuelle = reference(cas, mois)
    else:  # « créées depuis le 1/3/2020 » (C15, C44)
        reference_mensuelle = cas.moyenne("2020-07", "2020-08" if en_septembre else "2020-09")
    jours = cas.jours_interdiction(mois)
    reference_des_jours = reference_mensuelle * jours / jours_du_mois(mois)
    perte_des_jours = perte(reference_des_jours, cas.euros("chiffre_affaires_jours_interdiction", mois))
    return True, deduire_pensions(cas, mois, min(perte_des_jours, Fraction(333 * jours)))


def article_3_11(cas: Cas, mois: str) -> tuple[bool, Fraction]:
    """October 2020, under curfew."""
    if not (
        cas.couvre_feu_octobre_2020
        and perte_de_50(cas, mois)
        and conditions_communes(cas, mois)
        and effectif_de_50_au_plus(cas, mois)
    ):
        return NON_ELIGIBLE
    protegee = cas.annexe_1(mois) or secteur_annexe_2_octobre_novembre(cas, mois)
    montant = min(perte_du_mois(cas, mois), Fraction(10_000 if protegee else 1_500))
    return True, deduire_pensions(cas, mois, montant)


def article_3_12(cas: Cas, mois: str) -> tuple[bool, Fraction]:
    """October 2020, annexes 1 and 2 away from the curfew."""
    if not (
        not cas.couvre_feu_octobre_2020
        and (cas.annexe_1(mois) or secteur_annexe_2_octobre_novembre(cas, mois))
        and perte_de_50(cas, mois)
        and conditions_communes(cas, mois)
        and effectif_de_50_au_plus(cas, mois)
    ):
        return NON_ELIGIBLE
    base, perte_subie = reference(cas, mois), perte_du_mois(cas, mois)
    if taux_atteint(perte_subie, base, 70):
        montant = min(perte_subie, Fraction(10_000), base * 60 / 100)
    else:
        montant = min(perte_subie, Fraction(1_500))
    return True, deduire_pensions(cas, mois, montant)


def article_3_14(cas: Cas, mois: str) -> tuple[bool, Fraction]:
    """November 2020: the best of the categories open."""
    if not (conditions_communes(cas, mois) and effectif_de_50_au_plus(cas, mois)):
        return NON_ELIGIBLE
    montants = []
    if cas.interdiction_accueil_public(mois):  # closed: no rate, distance sales left out
        montants.append(min(perte_hors_vente_a_distance(cas, mois), Fraction(10_000)))
    if perte_de_50(cas, mois):
        perte_subie = perte_du_mois(cas, mois)
        if cas.annexe_1(mois):
            montants.append(min(perte_subie, Fraction(10_000)))
        if secteur_annexe_2_octobre_novembre(cas, mois):
            montants.append(quatre_vingts_pour_cent(perte_subie))
        montants.append(min(perte_subie, Fraction(1_500)))  # others
    if not montants:
        return NON_ELIGIBLE
    return True, deduire_pensions(cas, mois, max(montants))


def article_3_21(cas: Cas, mois: str) -> tuple[bool, Fraction]:
    """November 2020, « filières festives » (C20): neither annexe 2 nor headcount read."""
    if not (
        cas.vrai("filiere_festive")
        and cas.nombre("part_chiffre_affaires_clients_proteges") >= Fraction(1, 2)
        and epreuve_80_octobre_novembre(cas)
        and perte_de_50(cas, mois)
        and conditions_communes(cas, mois)
    ):
        return NON_ELIGIBLE
    return True, deduire_pensions(cas, mois, quatre_vingts_pour_cent(perte_du_mois(cas, mois)))


def article_3_15(cas: Cas, mois: str) -> tuple[bool, Fraction]:
    """December 2020: the best of the categories open."""
    if not conditions_communes(cas, mois):
        return NON_ELIGIBLE
    base = reference(cas, mois)
    montants = []
    perte_fermee = perte_hors_vente_a_distance(cas, mois)
    fermee_tout_le_mois = cas.interdiction_sans_interruption(mois)  # a): no rate, no size
    fermee_en_partie = cas.interdiction_accueil_public(mois) and taux_atteint(perte_fermee, base, 50)  # b) (C24)
    if fermee_tout_le_mois or fermee_en_partie:
        montants.append(max(min(perte_fermee, Fraction(10_000)), base * 20 / 100))
    if perte_de_50(cas, mois):
        perte_subie = perte_du_mois(cas, mois)
        if cas.annexe_1(mois):  # c): no size
            taux = 20 if taux_atteint(perte_subie, base, 70) else 15
            montants.append(max(min(perte_subie, Fraction(10_000)), base * taux / 100))
        if effectif_de_50_au_plus(cas, mois):
            if cas.annexe_2(mois) and epreuve_80_decembre(cas):  # d)
                montants.append(quatre_vingts_pour_cent(perte_subie))
            montants.append(min(perte_subie, Fraction(1_500)))  # e)
    if not montants:
        return NON_ELIGIBLE
    return True, deduire_pensions(cas, mois, max(montants))


def commerce_de_montagne_hors_annexes(cas: Cas, mois: str) -> bool:
    """Annexe 3 commune, retail or residential letting, sector of neither annexe (C20)."""
    return (
        cas.vrai("commune_annexe_3")
        and (cas.commerce_de_detail or cas.location_biens_immobiliers_residentiels)
        and not cas.annexe_1(mois)
        and not cas.annexe_2(mois)
    )


def article_3_16(cas: Cas, mois: str) -> tuple[bool, Fraction]:
    """December 2020, mountain resorts."""
    if not (
        commerce_de_montagne_hors_annexes(cas, mois)
        and perte_de_50(cas, mois)
        and conditions_communes(cas, mois)
        and effectif_de_50_au_plus(cas, mois)
    ):
        return NON_ELIGIBLE
    return True, deduire_pensions(cas, mois, quatre_vingts_pour_cent(perte_du_mois(cas, mois)))


def montant_renforce(cas: Cas, mois: str) -> Fraction:
    """3-17 and 3-18: 80 % of the loss, or 20 % of the reference from a loss of 70 % on if better."""
    base, perte_subie = reference(cas, mois), perte_du_mois(cas, mois)
    montant = quatre_vingts_pour_cent(perte_subie)
    if taux_atteint(perte_subie, base, 70):
        montant = max(montant, base * 20 / 100)
    return montant


def article_3_17(cas: Cas, mois: str) -> tuple[bool, Fraction]:
    """December 2020, annexe 2 reinforced: not closed in December, no size (F2), same test as 3-15 (C20)."""
    if not (
        cas.annexe_2(mois)
        and epreuve_80_decembre(cas)
        and not cas.interdiction_accueil_public(mois)
        and perte_de_50(cas, mois)
        and conditions_communes(cas, mois)
    ):
        return NON_ELIGIBLE
    return True, deduire_pensions(cas, mois, montant_renforce(cas, mois))


def article_3_18(cas: Cas, mois: str) -> tuple[bool, Fraction]:
    """December 2020, mountain resorts reinforced: no headcount (C20)."""
    if not (commerce_de_montagne_hors_annexes(cas, mois) and perte_de_50(cas, mois) and conditions_communes(cas, mois)):
        return NON_ELIGIBLE
    return True, deduire_pensions(cas, mois, montant_renforce(cas, mois))


# ---- the month ---------------------------------------------------------------------------------------------------

FONCTIONS = {
    "2": article_2,
    "3_1": article_3_1_a_3_6,
    "3_3": article_3_1_a_3_6,
    "3_5": article_3_1_a_3_6,
    "3_7": article_3_7,
    "3_8": article_3_8,
    "3_10": article_3_10,
    "3_11": article_3_11,
    "3_12": article_3_12,
    "3_14": article_3_14,
    "3_15": article_3_15,
    "3_16": article_3_16,
    "3_17": article_3_17,
    "3_18": article_3_18,
    "3_21": article_3_21,
}


def evaluer_articles(cas: Cas, mois: str) -> dict[str, tuple[bool, Fraction]]:
    """Article → (eligible, amount); an article out of its months gives (False, 0) (D, hors_periode)."""
    return {
        article: fonction(cas, mois) if mois in MOIS_DES_ARTICLES[article] else NON_ELIGIBLE
        for article, fonction in FONCTIONS.items()
    }


def aide_percue(cas: Cas, mois: str, articles: dict[str, tuple[bool, Fraction]]) -> bool:
    """D, fds_aide_percue: in September 2020 article 3-10 does not count."""
    comptes = ARTICLES_2_A_3_9 if mois == "2020-09" else articles
    return cas.aide_percue(mois, any(articles[article][1] > 0 for article in comptes))


def refuser_discotheque(cas: Cas, mois: str) -> None:
    if cas.vrai("discotheque") and "2020-06" <= mois <= "2020-11":
        raise ValueError(f"discothèque en {mois} : volet 1 du décret 2020-1049 hors du champ de l'oracle")


def evaluer_2020(groupe: list[dict], mois: str) -> list[dict]:
    """Evaluate one month (`2020-03` to `2020-12`) for each member of a group.

    Amounts (euros) and rates come as exact fractions, eligibilities as booleans, named as in the dictionary.
    """
    membres = former_groupe(groupe)
    resultats, avant_plafond = [], []
    for cas in membres:
        refuser_discotheque(cas, mois)
        base, perte_subie = reference(cas, mois), perte_du_mois(cas, mois)
        resultat = {
            "chiffre_affaires_reference": base,
            "perte_chiffre_affaires": perte_subie,
            "taux_perte_chiffre_affaires": taux_perte(perte_subie, base),
        }
        articles = evaluer_articles(cas, mois)
        for article, (eligible, montant) in articles.items():
            resultat[f"fds_article_{article}_eligible"] = eligible
            resultat[f"fds_article_{article}_montant"] = montant
        resultat["fds_aide_percue"] = aide_percue(cas, mois, articles)
        # D, plusieurs_regimes (C7, C16, C53): the most favourable article, gross; nothing without a request.
        du = max(montant for _, montant in articles.values())
        avant_plafond.append(du if cas.demande_deposee(mois) else ZERO)
        resultats.append(resultat)
    # Group cap on the total of the month, from December 2020 on (C7).
    verses = plafonner_au_prorata(avant_plafond, 200_000) if mois >= "2020-12" else avant_plafond
    for resultat, verse in zip(resultats, verses, strict=True):
        resultat["fds_volet_1"] = verse
    return resultats


# ---- volet 2 (art. 4) and territorial aid (art. 4-1) -------------------------------------------------------------

MOIS_DES_ARTICLES_2_A_3_9 = liste_des_mois("2020-03", "2020-09")
MOIS_DES_ANNEXES_DU_VOLET_2 = "2020-08"  # C5


def chiffre_affaires_minimal_volet_2(cas: Cas) -> bool:
    """Seed003 I-2°: 8 000 € a year, or 667 € a month, all « supérieur ou égal »."""
    if cas.exercice_clos:
        return cas.chiffre_affaires_dernier_exercice >= 8_000
    if not cas.creee_avant("2020-03-01"):  # C44
        return cas.ca_au_15_mars_2020_ramene_sur_un_mois >= 667
    return cas.moyenne_depuis_creation("2020-02") >= 667


def eligible_volet_2(cas: Cas) -> bool:
    """Seed003 I; of art. 1er only residence and liquidation are tested again (C9)."""
    fermee_au_printemps = any(cas.interdiction_accueil_public(mois) for mois in liste_des_mois("2020-03", "2020-06"))
    return (
        cas.vrai("residence_fiscale_francaise")
        and not cas.vrai("liquidation_judiciaire_au_1er_mars_2020")
        and any(aide_percue(cas, mois, evaluer_articles(cas, mois)) for mois in MOIS_DES_ARTICLES_2_A_3_9)  # 1° (C9)
        and (cas.salarie_au_1er_mars_2020 or (fermee_au_printemps and chiffre_affaires_minimal_volet_2(cas)))  # 2°
        and cas.euros("solde_tresorerie_volet_2") < 0  # 3°
    )


def releve_du_iii(cas: Cas) -> bool:
    """Seed003 III: one employee (waived for artistes-auteurs, Guyane and Mayotte) and a protected sector."""
    salarie = cas.salarie_au_1er_mars_2020 or cas.vrai("artiste_auteur") or cas.departement in GUYANE_ET_MAYOTTE
    mois = MOIS_DES_ANNEXES_DU_VOLET_2
    return salarie and (cas.annexe_1(mois) or (cas.annexe_2(mois) and perte_de_80_au_printemps(cas)))


def montant_volet_2(cas: Cas) -> Fraction:
    solde = abs(cas.euros("solde_tresorerie_volet_2"))
    if solde < 2_000:
        return Fraction(2_000)  # II, third case, and III, first dash
    if releve_du_iii(cas):
        return min(solde, Fraction(10_000))  # III, second dash (F1)
    chiffre_affaires = cas.chiffre_affaires_dernier_exercice
    if not cas.exercice_clos or chiffre_affaires < 200_000:
        return Fraction(2_000)  # II, first and second cases
    return min(solde, Fraction(3_500 if chiffre_affaires < 600_000 else 5_000))  # II (F1)


def evaluer_volet_2(groupe: list[dict]) -> list[dict]:
    """Evaluate volet 2 and the territorial aid of each member of a group; amounts as exact fractions."""
    resultats = []
    for cas in former_groupe(groupe):
        eligible = eligible_volet_2(cas)
        volet_2 = montant_volet_2(cas) if eligible and cas.vrai("demande_volet_2") else ZERO
        resultats.append(
            {
                "fds_volet_2_eligible": eligible,
                "fds_volet_2": volet_2,
                # Art. 4-1: as voted, for those who get the aid of art. 4 (C47)
                "fds_volet_territorial": cas.euros("aide_territoriale_deliberee") if volet_2 > 0 else ZERO,
            }
        )
    return resultats
