"""Seeded random enterprises, vectorised, that lie on the thresholds and reach every article.

A draw is a plain dictionary: ``{(variable, month or None): array of shape (n,)}``, plus the group of each row.
It serves the properties, the engine tests, the code-health tests, and the scripts.
"""

from dataclasses import dataclass, replace

import numpy
from openfisca_core import periods
from openfisca_core.simulations import Simulation

MOIS_DU_MODELE = [f"{annee}-{mois:02d}" for annee in (2020, 2021, 2022) for mois in range(1, 13)][2:26]
MOIS_CONNUS = [f"2019-{mois:02d}" for mois in range(1, 13)] + ["2020-01", "2020-02", *MOIS_DU_MODELE]

TAUX = numpy.array([0.0, 0.1, 0.2, 0.5, 0.5, 0.7, 0.8, 0.8, 0.9, 1.0, 1.0])
CREATIONS = [
    "2018-12-31",
    "2019-01-01",
    "2019-03-01",
    "2019-03-15",
    "2019-06-01",
    "2020-01-31",
    "2020-02-10",
    "2020-03-01",
    "2020-03-10",
    "2020-07-15",
    "2020-09-30",
    "2020-10-12",
    "2020-11-02",
    "2020-12-31",
    "2021-01-15",
    "2021-02-20",
]
DEPARTEMENTS = ["75", "13", "2A", "01", "29", "971", "972", "973", "974", "976", "978", "987", "988"]
CODES_NAF = [
    "47.71Z",
    "47.71Z",
    "47.71Z",
    "47.11B",
    "47.25Z",
    "33.15Z",
    "68.20A",
    "56.10A",
    "55.10Z",
    "96.02A",
    "14.13Z",
    "01.21Z",
]
CODES_NAF += ["inconnu", "46.17B", "93.29Z", "03.11Z", "74.20Z", "81.30Z", "49.32Z", "90.03B", "32.12Z"]
RARES = {
    "residence_fiscale_francaise": False,
    "assujettie_impots_commerciaux": False,
    "monument_historique_ouvert_au_public": True,
    "liquidation_judiciaire_au_1er_mars_2020": True,
    "controlee_par_societe_commerciale": True,
    "conge_dirigeant_mars_2019": True,
    "controle_autre_entreprise": True,
}
RARES_PAR_MOIS = [
    "dettes_fiscales_ou_sociales_impayees",
    "fermeture_administrative_pour_manquement",
    "dirigeant_contrat_temps_complet",
]
PART_RARE = 0.02


@dataclass(frozen=True)
class Tirage:
    """Inputs of n enterprises: ``entrees`` as above, ``groupe`` int array of shape (n,), any values."""

    entrees: dict
    groupe: numpy.ndarray

    def __len__(self):
        return len(self.groupe)

    def lignes(self, rangs):
        """Keep some rows, in the order given."""
        return Tirage({cle: valeurs[rangs] for cle, valeurs in self.entrees.items()}, self.groupe[rangs])

    def avec(self, **entrees):
        """Replace ETERNITY inputs by arrays or scalars."""
        nouvelles = {(nom, None): numpy.broadcast_to(valeur, len(self)).copy() for nom, valeur in entrees.items()}
        return replace(self, entrees={**self.entrees, **nouvelles})

    def avec_mensuelle(self, nom, mois, valeurs):
        """Replace a monthly input for a list of months by an array or a scalar."""
        nouvelles = {(nom, un_mois): numpy.broadcast_to(valeurs, len(self)).copy() for un_mois in mois}
        return replace(self, entrees={**self.entrees, **nouvelles})


def tirer(graine, nombre, taille_groupe=1.6):
    """Draw ``nombre`` enterprises in groups of ``taille_groupe`` on average; the same for the same seed."""
    alea = numpy.random.default_rng(graine)
    entrees = _identite(alea, nombre)
    entrees |= _taille(alea, nombre)
    entrees |= _mesures(alea, nombre)
    entrees |= _chiffres_affaires(alea, nombre)
    entrees |= _aides_ponctuelles(alea, nombre)
    groupe = numpy.sort(alea.integers(0, max(1, int(nombre / taille_groupe)), nombre))
    return Tirage(entrees | _multi_activites(alea, entrees), groupe)


def _rare(alea, nombre, part=PART_RARE):
    return alea.random(nombre) < part


def _identite(alea, nombre):
    recentes = numpy.array(CREATIONS, dtype="datetime64[D]")
    creation = numpy.where(alea.random(nombre) < 0.6, numpy.datetime64("2015-05-04"), alea.choice(recentes, nombre))
    debut = numpy.where(_rare(alea, nombre, 0.1), alea.choice(recentes, nombre), creation)
    entrees = {
        ("date_creation", None): creation,
        ("date_debut_activite", None): debut,
        ("forme_juridique", None): alea.choice(["entreprise_individuelle", "societe", "association", "autre"], nombre),
        ("artiste_auteur", None): alea.random(nombre) < 0.2,
        ("departement", None): alea.choice(DEPARTEMENTS, nombre),
        ("code_naf", None): alea.choice(CODES_NAF, nombre),
        ("commune_annexe_3", None): alea.random(nombre) < 0.4,
        ("densite_commune", None): alea.integers(1, 5, nombre),
        ("part_chiffre_affaires_clients_proteges", None): alea.choice([0, 0.49, 0.5, 0.8], nombre),
        ("surface_centre_commercial", None): alea.choice([0.0, 9999.0, 10000.0, 20000.0], nombre),
        ("filiere_festive", None): alea.random(nombre) < 0.3,
        ("discotheque", None): alea.random(nombre) < 0.1,
        ("activite_secondaire", None): alea.random(nombre) < 0.9,
        ("activite_secondaire_interdite_au_public", None): alea.random(nombre) < 0.9,
        ("option_chiffre_affaires_reference", None): alea.choice(
            ["plus_favorable", "plus_favorable", "mois_2019", "moyenne_2019"], nombre
        ),
    }
    for nom, valeur in RARES.items():
        entrees[nom, None] = _rare(alea, nombre) == valeur
    for nom in RARES_PAR_MOIS:
        entrees |= {(nom, mois): _rare(alea, nombre) for mois in MOIS_DU_MODELE}
    return entrees


def _taille(alea, nombre):
    effectif = alea.choice([0, 0, 0, 1, 2, 10, 10.5, 20, 50, 51, 250], nombre)
    entrees = {("effectif_salarie", mois): effectif for mois in MOIS_DU_MODELE}
    entrees["benefice_imposable_dernier_exercice", None] = alea.choice([0, 30e3, 60e3, 60e3 + 0.01, 120e3], nombre)
    entrees["nombre_associes", None] = alea.integers(1, 4, nombre)
    entrees["nombre_conjoints_collaborateurs", None] = alea.integers(0, 2, nombre)
    for mois in MOIS_DU_MODELE:
        entrees["pensions_retraite", mois] = alea.choice([0, 0, 0, 0, 0, 400.5, 1500], nombre)
        entrees["indemnites_journalieres", mois] = alea.choice([0, 0, 0, 0, 0, 300, 800], nombre)
        entrees["demande_fonds_solidarite", mois] = ~_rare(alea, nombre, 0.05)
    return entrees


def _mesures(alea, nombre):
    entrees = {}
    for mois in MOIS_DU_MODELE:
        jours = periods.period(mois).size_in_days
        entrees["jours_interdiction_accueil_public", mois] = alea.choice([0, 0, 0, 0, 6, 20, 21, jours], nombre)
        entrees["jours_couvre_feu_ou_confinement", mois] = alea.choice([0, 18, 19, 20, jours], nombre)
        entrees["jours_confinement", mois] = alea.choice([0, 0, 7, 8, 9, 10, jours], nombre)
    return entrees


def _chiffres_affaires(alea, nombre):
    """Flat 2019 in whole cents; later months on a legal loss rate, one cent below or above, or anywhere."""
    base = numpy.rint(numpy.exp(alea.normal(9.5, 1.6, nombre)) * 100) / 100
    base = numpy.where(alea.random(nombre) < 0.5, numpy.rint(base / 100) * 100, base)
    entrees = {}
    for mois in MOIS_CONNUS:
        if mois < "2020-03":
            entrees["chiffre_affaires", mois] = base * numpy.where(_rare(alea, nombre, 0.1), 2, 1)
            continue
        taux = numpy.where(alea.random(nombre) < 0.8, alea.choice(TAUX, nombre), alea.random(nombre))
        realise = base * (1 - taux) + alea.choice([-0.01, 0, 0, 0.01], nombre)
        entrees["chiffre_affaires", mois] = numpy.rint(100 * numpy.maximum(realise, 0)) / 100
        distance = entrees["chiffre_affaires", mois] * alea.choice([0, 0, 0.5, 1], nombre)
        entrees["chiffre_affaires_vente_a_distance", mois] = numpy.rint(100 * distance) / 100
        jours = entrees["chiffre_affaires", mois] * alea.choice([0, 0.1, 0.2], nombre)
        entrees["chiffre_affaires_jours_interdiction", mois] = numpy.rint(100 * jours) / 100
    return entrees


def _aides_ponctuelles(alea, nombre):
    return {
        ("demande_volet_2", None): alea.random(nombre) < 0.9,
        ("solde_tresorerie_volet_2", None): alea.choice([-20e3, -4321.5, -2000, -700, 0, 100], nombre),
        ("aide_territoriale_deliberee", None): alea.choice([0, 500.0, 3000.0], nombre),
        ("discotheque_dettes_et_charges_mars_aout_2020", None): alea.choice([0, 1e3, 30e3, 60e3], nombre),
        ("discotheque_charges_fixes_septembre_novembre_2020", None): alea.choice([0, 1e3, 30e3, 60e3], nombre),
    }


def _multi_activites(alea, entrees):
    """Turn one enterprise in twenty into a village shop, whose loss stays below what the fund asks for."""
    boutique = alea.random(len(entrees["date_creation", None])) < 0.05
    village = {("code_naf", None): "47.11B", ("departement", None): "75", ("densite_commune", None): 3}
    village |= {("forme_juridique", None): "societe", ("discotheque", None): False, ("commune_annexe_3", None): False}
    for mois in MOIS_DU_MODELE[10:16]:  # January to June 2021
        village["jours_interdiction_accueil_public", mois] = 0
        ventes = numpy.rint(85 * entrees["chiffre_affaires", "2019-06"]) / 100
        village["chiffre_affaires", mois] = ventes
    return {cle: numpy.where(boutique, valeur, entrees[cle]) for cle, valeur in village.items()}


def simuler(systeme, tirage, trace=False):
    """Build a fresh simulation of a draw.

    Args:
        systeme: TaxBenefitSystem.
        tirage: :class:`Tirage` of n enterprises.
        trace: record the calculations.

    Returns:
        Simulation, whose input arrays are read-only, so that a formula that mutates them fails.

    """
    populations = systeme.instantiate_entities()
    entreprises, groupes = populations["entreprise"], populations["groupe"]
    identifiants, appartenance = numpy.unique(tirage.groupe, return_inverse=True)
    entreprises.count, entreprises.ids = len(tirage), list(range(len(tirage)))
    groupes.count, groupes.ids, groupes.members_entity_id = len(identifiants), list(identifiants), appartenance
    simulation = Simulation(systeme, populations)
    simulation.trace = trace
    for (nom, mois), valeurs in tirage.entrees.items():
        variable = systeme.get_variable(nom)
        if valeurs.dtype.kind not in "U":
            valeurs = valeurs.astype(variable.dtype)
        valeurs.flags.writeable = False
        simulation.set_input(nom, mois or "ETERNITY", valeurs)
    return simulation
