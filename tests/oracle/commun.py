"""Shared ground of the scalar oracles (`droit_2020.py`, `droit_2021.py`).

A second, independent reading of the law: one enterprise at a time, exact arithmetic, standard library only.
It shares no code and no parameter with the model it is compared with.

A case is a plain dict in the terms of the public dictionary: `name: value` for what never changes,
`name: {"2020-03": value, …}` for what is monthly. What is missing takes the dictionary's default or formula.
Money is given in euros with at most two decimals and becomes an exact `fractions.Fraction`.
Months are strings `AAAA-MM`; dates are `datetime.date` or `AAAA-MM-JJ`.

Sources cited in comments: D = dictionary, Cn = clarification n, « art. » = décret 2020-371.
"""

from __future__ import annotations

import calendar
import datetime
import functools
from collections.abc import Iterable, Sequence
from fractions import Fraction

ZERO = Fraction(0)

PREMIER_MOIS_CONNU = "2019-01"  # no turnover is known earlier

# D, entrees: plain defaults. Names absent from this table and from the methods of `Cas` have none.
DEFAUTS = {
    "date_creation": datetime.date(1970, 1, 1),  # D, date_creation_absente
    "forme_juridique": "entreprise_individuelle",
    "artiste_auteur": False,
    "residence_fiscale_francaise": True,
    "assujettie_impots_commerciaux": True,
    "monument_historique_ouvert_au_public": False,
    "liquidation_judiciaire_au_1er_mars_2020": False,
    "dettes_fiscales_ou_sociales_impayees": False,
    "controlee_par_societe_commerciale": False,
    "fermeture_administrative_pour_manquement": False,
    "departement": "75",
    "commune_annexe_3": False,
    "densite_commune": 1,
    "jours_couvre_feu_ou_confinement": 0,
    "jours_confinement": 0,
    "code_naf": "inconnu",
    "part_chiffre_affaires_clients_proteges": 0,
    "surface_centre_commercial": 0,
    "filiere_festive": False,
    "discotheque": False,
    "discotheque_dettes_et_charges_mars_aout_2020": 0,
    "discotheque_charges_fixes_septembre_novembre_2020": 0,
    "effectif_salarie": 0,
    "benefice_imposable_dernier_exercice": 0,
    "nombre_associes": 1,
    "nombre_conjoints_collaborateurs": 0,
    "conge_dirigeant_mars_2019": False,
    "dirigeant_contrat_temps_complet": False,
    "pensions_retraite": 0,
    "indemnites_journalieres": 0,
    "jours_interdiction_accueil_public": 0,
    "chiffre_affaires": 0,
    "chiffre_affaires_vente_a_distance": 0,
    "chiffre_affaires_jours_interdiction": 0,
    "option_chiffre_affaires_reference": "plus_favorable",
    "demande_volet_2": False,
    "solde_tresorerie_volet_2": 0,
    "aide_territoriale_deliberee": 0,
    "activite_secondaire": False,
    "activite_secondaire_interdite_au_public": False,
    "controle_autre_entreprise": False,
    "demande_fonds_solidarite": True,
}

# Fiche 05 § 9 and its CSV: the 54 departments of 24 October 2020 and French Polynesia, métropoles included (C30).
COUVRE_FEU_OCTOBRE_2020 = (
    "75 77 78 91 92 93 94 95 13 31 34 38 42 59 69 76 "
    "01 05 06 07 08 09 10 12 14 2A 2B 21 26 30 35 37 39 43 45 48 49 51 54 60 62 63 64 65 66 67 "
    "71 73 74 81 82 83 84 87 987"
)
DEPARTEMENTS_COUVRE_FEU_OCTOBRE_2020 = frozenset(COUVRE_FEU_OCTOBRE_2020.split())


# ---- money and thresholds ----------------------------------------------------------------------------------------


def euros(valeur) -> Fraction:
    """Exact euros of an amount given with at most two decimals (a `Fraction` passes through)."""
    if isinstance(valeur, (Fraction, int)):
        return Fraction(valeur)
    return Fraction(str(round(valeur, 2)))


def nombre(valeur) -> Fraction:
    """Exact value of a plain number (headcount, share, surface) as it is written in decimal."""
    if isinstance(valeur, (Fraction, int)):
        return Fraction(valeur)
    return Fraction(str(valeur))


def centimes(montant: Fraction) -> int:
    """Whole cents of an amount in euros, half to even (D, seuils_en_euros)."""
    return round(montant * 100)


def demi_centime(montant: Fraction) -> bool:
    """Tell whether the exact amount falls on half a cent: there, float64 may round to the other side."""
    return (montant * 200).denominator == 1 and (montant * 100).denominator != 1


def taux_atteint(perte: Fraction, reference: Fraction, pourcent: int) -> bool:
    """« une perte d'au moins `pourcent` % », compared in whole cents (D, taux_de_perte; C37 for a reference <= 0)."""
    if reference <= 0:
        return False
    return 100 * centimes(perte) >= pourcent * centimes(reference)


def perte(reference: Fraction, chiffre_affaires: Fraction) -> Fraction:
    """Subtract turnover from reference, never below 0 (C37)."""
    return max(ZERO, reference - chiffre_affaires)


def taux_perte(perte_subie: Fraction, reference: Fraction) -> Fraction:
    """Loss over reference, 0 without a positive reference (C37)."""
    return perte_subie / reference if reference > 0 else ZERO


def plafonner_au_prorata(montants: Sequence[Fraction], plafond: int | Fraction) -> list[Fraction]:
    """Group cap, shared between members in proportion to their amounts before the cap (D, plafond_groupe; C7)."""
    total = sum(montants, ZERO)
    if total <= plafond:
        return list(montants)
    return [montant * plafond / total for montant in montants]


# ---- calendar ----------------------------------------------------------------------------------------------------


def lire_date(valeur) -> datetime.date:
    """Read a `date`, or `AAAA-MM-JJ`."""
    return valeur if isinstance(valeur, datetime.date) else datetime.date.fromisoformat(valeur)


def jours_du_mois(mois: str) -> int:
    annee, rang = map(int, mois.split("-"))
    return calendar.monthrange(annee, rang)[1]


def premier_jour(mois: str) -> datetime.date:
    return datetime.date.fromisoformat(mois + "-01")


def dernier_jour(mois: str) -> datetime.date:
    return datetime.date.fromisoformat(f"{mois}-{jours_du_mois(mois):02d}")


def mois_de(jour: datetime.date) -> str:
    return f"{jour.year:04d}-{jour.month:02d}"


def liste_des_mois(premier: str, dernier: str) -> list[str]:
    """Months from `premier` to `dernier`, both included; empty when `premier` comes later."""
    annee, rang = map(int, premier.split("-"))
    mois = []
    while f"{annee:04d}-{rang:02d}" <= dernier:
        mois.append(f"{annee:04d}-{rang:02d}")
        annee, rang = (annee, rang + 1) if rang < 12 else (annee + 1, 1)
    return mois


# ---- one enterprise ----------------------------------------------------------------------------------------------


class Cas:
    """One enterprise: its dict read with the defaults and the default formulas of the dictionary.

    `groupe` is the list of the members' cases (itself included); alone, an enterprise is its own group.
    A `Cas` reads its dict once: build a new one after changing the dict.
    """

    def __init__(self, donnees: dict):
        self.donnees = donnees
        self.groupe: list[Cas] = [self]
        self._ca: dict[str, Fraction] = {}  # turnovers already converted

    # -- raw reading

    def fourni(self, nom: str, mois: str | None = None) -> bool:
        """Tell whether the case gives `nom` (for `mois` if monthly)."""
        if nom not in self.donnees:
            return False
        return mois is None or mois in self.donnees[nom]

    def valeur(self, nom: str, mois: str | None = None):
        """Given value, else plain default. KeyError for a variable that must be given (annexe_1, annexe_2…)."""
        if not self.fourni(nom, mois):
            if nom not in DEFAUTS:
                raise KeyError(f"{nom} {mois or ''} : ni fourni, ni valeur par défaut")
            return DEFAUTS[nom]
        return self.donnees[nom] if mois is None else self.donnees[nom][mois]

    def euros(self, nom: str, mois: str | None = None) -> Fraction:
        return euros(self.valeur(nom, mois))

    def nombre(self, nom: str, mois: str | None = None) -> Fraction:
        return nombre(self.valeur(nom, mois))

    def vrai(self, nom: str, mois: str | None = None) -> bool:
        return bool(self.valeur(nom, mois))

    # -- identity and dates

    @functools.cached_property
    def date_creation(self) -> datetime.date:
        return lire_date(self.valeur("date_creation"))

    @property
    def date_debut_activite(self) -> datetime.date:
        """D: the creation date unless given."""
        return (
            lire_date(self.valeur("date_debut_activite")) if self.fourni("date_debut_activite") else self.date_creation
        )

    def creee_avant(self, jour: str) -> bool:
        """Tell whether it was created strictly before `jour` (`AAAA-MM-JJ`)."""
        return self.date_creation < lire_date(jour)

    def debute_avant(self, jour: str) -> bool:
        """« ont débuté leur activité avant le … »: strict (D, comparaisons), effective start (C14)."""
        return self.date_debut_activite < lire_date(jour)

    @property
    def departement(self) -> str:
        return self.valeur("departement")

    # -- size

    def effectif(self, mois: str) -> Fraction:
        return self.nombre("effectif_salarie", mois)

    def effectif_groupe(self, mois: str) -> Fraction:
        """D: sum of the members, unless the group (any of its members' dicts) gives it."""
        for membre in self.groupe:
            if membre.fourni("effectif_groupe", mois):
                return membre.nombre("effectif_groupe", mois)
        return sum((membre.effectif(mois) for membre in self.groupe), ZERO)

    @property
    def salarie_au_1er_mars_2020(self) -> bool:
        if self.fourni("salarie_au_1er_mars_2020"):
            return self.vrai("salarie_au_1er_mars_2020")
        return self.effectif("2020-03") >= 1

    @property
    def exercice_clos(self) -> bool:
        if self.fourni("exercice_clos"):
            return self.vrai("exercice_clos")
        return self.creee_avant("2019-01-01")

    @property
    def chiffre_affaires_dernier_exercice(self) -> Fraction:
        if self.fourni("chiffre_affaires_dernier_exercice"):
            return self.euros("chiffre_affaires_dernier_exercice")
        return sum((self.ca(mois) for mois in liste_des_mois("2019-01", "2019-12")), ZERO)

    # -- turnover

    def ca(self, mois: str) -> Fraction:
        """Turnover of the month as given, distance sales included."""
        if mois not in self._ca:
            self._ca[mois] = self.euros("chiffre_affaires", mois)
        return self._ca[mois]

    def ca_hors_vente_a_distance(self, mois: str) -> Fraction:
        return self.ca(mois) - self.euros("chiffre_affaires_vente_a_distance", mois)

    def part_active(self, mois: str) -> Fraction:
        """Share of the month's days in activity: (days left, creation day included) / (days of the month)."""
        jours = jours_du_mois(mois)
        ecoules = (dernier_jour(mois) - self.date_creation).days + 1
        return Fraction(max(0, min(jours, ecoules)), jours)

    def mois_d_activite(self, premier: str, dernier: str) -> Fraction:
        """Count the months of the window in activity, the month of creation in proportion (D, mensuel_moyen)."""
        return sum((self.part_active(mois) for mois in liste_des_mois(premier, dernier)), ZERO)

    def somme_depuis_creation(self, premier: str, dernier: str) -> Fraction:
        """Turnover of the window since creation: months that end before the creation do not count."""
        return sum((self.ca(mois) for mois in liste_des_mois(premier, dernier) if self.part_active(mois) > 0), ZERO)

    def moyenne(self, premier: str, dernier: str) -> Fraction:
        """Average a month over the window or, if later, since creation; 0 when created after it (C39 for 2019-01)."""
        duree = self.mois_d_activite(premier, dernier)
        return self.somme_depuis_creation(premier, dernier) / duree if duree else ZERO

    def moyenne_2019(self) -> Fraction:
        """« chiffre d'affaires mensuel moyen de l'année 2019 »: /12, or over the months of activity (D; C38)."""
        return self.moyenne("2019-01", "2019-12")

    def moyenne_depuis_creation(self, dernier: str) -> Fraction:
        """Monthly average from creation (from January 2019 if older, C39) to the end of `dernier`."""
        return self.moyenne(PREMIER_MOIS_CONNU, dernier)

    def ramene_sur_un_mois(self, mois: str) -> Fraction:
        """Turnover of the month × days of the month / days in activity (D); 0 when created later."""
        part = self.part_active(mois)
        return self.ca(mois) / part if part else ZERO

    @property
    def jours_actifs_au_15_mars_2020(self) -> int:
        """Days in activity from 1 to 15 March 2020, creation day included."""
        return max(0, min(15, (datetime.date(2020, 3, 15) - self.date_creation).days + 1))

    @property
    def chiffre_affaires_jusqu_au_15_mars_2020(self) -> Fraction:
        """D: turnover of March × days in activity to 15 March / days in activity of March."""
        if self.fourni("chiffre_affaires_jusqu_au_15_mars_2020"):
            return self.euros("chiffre_affaires_jusqu_au_15_mars_2020")
        jours_actifs = self.part_active("2020-03") * 31
        return self.ca("2020-03") * self.jours_actifs_au_15_mars_2020 / jours_actifs if jours_actifs else ZERO

    @property
    def ca_au_15_mars_2020_ramene_sur_un_mois(self) -> Fraction:
        """C45: × 31 / days in activity from 1 to 15 March; 0 when created after the 15th."""
        jours = self.jours_actifs_au_15_mars_2020
        return self.chiffre_affaires_jusqu_au_15_mars_2020 * 31 / jours if jours else ZERO

    @property
    def chiffre_affaires_premier_confinement(self) -> Fraction:
        """D: 15 March to 15 May 2020 = 17/31 of March + April + 15/31 of May (no correction for creation, C42)."""
        if self.fourni("chiffre_affaires_premier_confinement"):
            return self.euros("chiffre_affaires_premier_confinement")
        return self.deux_mois_du_printemps(2020)

    def deux_mois_du_printemps(self, annee: int) -> Fraction:
        """Turnover from 15 March to 15 May of a year, from the three months (C42 for 2019)."""
        mars, avril, mai = (self.ca(f"{annee}-{rang:02d}") for rang in (3, 4, 5))
        return mars * Fraction(17, 31) + avril + mai * Fraction(15, 31)

    # -- manager

    def pensions_et_indemnites(self, mois: str) -> Fraction:
        return self.euros("pensions_retraite", mois) + self.euros("indemnites_journalieres", mois)

    # -- closure to the public

    def jours_interdiction(self, mois: str) -> int:
        return int(self.valeur("jours_interdiction_accueil_public", mois))

    def interdiction_accueil_public(self, mois: str) -> bool:
        """D: at least one day."""
        if self.fourni("interdiction_accueil_public", mois):
            return self.vrai("interdiction_accueil_public", mois)
        return self.jours_interdiction(mois) > 0

    def interdiction_sans_interruption(self, mois: str) -> bool:
        """D: every day of the month."""
        if self.fourni("interdiction_sans_interruption", mois):
            return self.vrai("interdiction_sans_interruption", mois)
        return self.jours_interdiction(mois) == jours_du_mois(mois)

    # -- sector and place

    def annexe_1(self, mois: str) -> bool:
        """Must be given (the sector lists are not coded again here), except for a nightclub (C50)."""
        return self.vrai("discotheque") or self.vrai("annexe_1", mois)

    def annexe_2(self, mois: str) -> bool:
        """Must be given."""
        return self.vrai("annexe_2", mois)

    def etat_urgence_sanitaire(self, mois: str) -> bool:
        """Must be given."""
        return self.vrai("etat_urgence_sanitaire", mois)

    @property
    def couvre_feu_octobre_2020(self) -> bool:
        if self.fourni("couvre_feu_octobre_2020"):
            return self.vrai("couvre_feu_octobre_2020")
        return self.departement in DEPARTEMENTS_COUVRE_FEU_OCTOBRE_2020

    @property
    def commerce_de_detail(self) -> bool:
        """D: division 47, whose title leaves out cars and motorcycles (division 45)."""
        if self.fourni("commerce_de_detail"):
            return self.vrai("commerce_de_detail")
        return self.valeur("code_naf").startswith("47")

    @property
    def reparation_navale(self) -> bool:
        if self.fourni("reparation_navale"):
            return self.vrai("reparation_navale")
        return self.valeur("code_naf") in ("33.15Z", "3315Z")

    @property
    def location_biens_immobiliers_residentiels(self) -> bool:
        if self.fourni("location_biens_immobiliers_residentiels"):
            return self.vrai("location_biens_immobiliers_residentiels")
        return self.valeur("code_naf") in ("68.20A", "6820A")

    # -- scope (art. 1er) and conditions common to most articles

    def mentionnee_a_l_article_1er(self, mois: str) -> bool:
        """Apply art. 1er, I, without 7° (control, articles 2 to 3-9 only) nor debts (each article)."""
        if not self.vrai("residence_fiscale_francaise"):  # chapeau
            return False
        if self.vrai("liquidation_judiciaire_au_1er_mars_2020"):  # 2°
            return False
        if (  # 5° and C28: headcount of the month, of the enterprise
            self.valeur("forme_juridique") == "association"
            and not self.vrai("assujettie_impots_commerciaux")
            and not self.effectif(mois) >= 1
        ):
            return False
        if self.vrai("monument_historique_ouvert_au_public"):  # 5° bis and C3: from March 2021, one employee
            return mois >= "2021-03" and self.effectif(mois) >= 1
        return True

    def sans_dette(self, mois: str) -> bool:
        """Apply the declaration of every monthly article (C27)."""
        return not self.vrai("dettes_fiscales_ou_sociales_impayees", mois)

    def contrat_admis(self, mois: str, dispense_si_salarie: bool) -> bool:
        """Refuse a full-time contract on the first of the month, save with one employee where the text says so."""
        if not self.vrai("dirigeant_contrat_temps_complet", mois):
            return True
        return dispense_si_salarie and self.effectif(mois) >= 1

    # -- requests

    def demande_deposee(self, mois: str) -> bool:
        return self.vrai("demande_fonds_solidarite", mois)

    def aide_percue(self, mois: str, un_article_du) -> bool:
        """D, fds_aide_percue: a given value prevails, else a request and one article of the month due (C8)."""
        if self.fourni("fds_aide_percue", mois):
            return self.vrai("fds_aide_percue", mois)
        return self.demande_deposee(mois) and bool(un_article_du)


def former_groupe(membres: Iterable[dict]) -> list[Cas]:
    """Build the members' cases, each knowing its group."""
    cas = [Cas(donnees) for donnees in membres]
    for membre in cas:
        membre.groupe = cas
    return cas


def en_flottants(resultat: dict) -> dict:
    """Turn amounts and rates into float64, to compare with the model; booleans stay booleans."""
    return {nom: float(valeur) if isinstance(valeur, Fraction) else valeur for nom, valeur in resultat.items()}
