"""Draw the population, slice by slice.

A slice (« tranche ») is a fixed number of enterprises with its own random streams, one for each named quantity,
taken from a counter-based generator keyed by the seed, the slice and the name. So a row depends neither on the size
of the blocks asked for nor on the number of rows, and a new quantity changes no other one. A group never leaves its
slice. Inside a slice the cells (section, statut, class, département) are drawn systematically: margins are nearly
exact from one slice on.
"""

import zlib

import numpy
import polars

from . import calendrier
from .chiffre_affaires import tirer_chiffre_affaires
from .hypotheses import (
    CODES_NAF,
    DEPARTEMENTS,
    EFFECTIF_MAXIMAL,
    EFFECTIF_MINIMAL,
    FORMES,
    MOIS,
    MOIS_AIDE,
    STATUTS,
    charger,
    cumulees,
)
from .recours import tirer_demandes

TAILLE_TRANCHE = 4096
MICRO, EI, SOCIETE, ASSOCIATION, _ = range(len(STATUTS))


class Tirages:
    """Random streams of one slice; the same name gives the same draws, whatever else is drawn."""

    def __init__(self, graine, tranche):
        self._graine, self._tranche, self.taille = graine, tranche, TAILLE_TRANCHE

    def _flux(self, nom):
        compteur = [0, 0, self._tranche, zlib.crc32(nom.encode())]
        return numpy.random.Generator(numpy.random.Philox(key=self._graine, counter=compteur))

    def uniforme(self, nom, colonnes=None):
        """Uniform draws on [0, 1): (n,) or (n, columns)."""
        return self._flux(nom).random(self.taille if colonnes is None else (self.taille, colonnes))

    def normale(self, nom, colonnes=None):
        """Draw from the standard normal distribution: (n,) or (n, columns)."""
        return self._flux(nom).standard_normal(self.taille if colonnes is None else (self.taille, colonnes))

    def vrai(self, nom, probabilite):
        """Booleans (n,), true with the probability given (scalar or (n,))."""
        return self.uniforme(nom) < probabilite

    def rang(self, nom, cumul):
        """Ranks (n,) drawn from cumulative shares: (k,), or (n, k) for one distribution by enterprise."""
        tirages = self.uniforme(nom)
        if cumul.ndim == 1:
            return numpy.searchsorted(cumul, tirages, side="right")
        return (cumul <= tirages[:, None]).sum(axis=1)

    def valeur(self, nom, repartition):
        """Values (n,) drawn from a ``{value: share}`` dictionary."""
        return numpy.array(list(repartition))[self.rang(nom, cumulees(numpy.array(list(repartition.values()))))]

    def systematique(self, nom):
        """Uniform draws, one in each n-th of [0, 1), in random order: (n,)."""
        flux = self._flux(nom)
        return (flux.permutation(self.taille) + flux.random(self.taille)) / self.taille


def generer(taille, graine=1, *, concentre=False, lignes_par_bloc=16 * TAILLE_TRANCHE):
    """Yield a population of enterprises as Polars DataFrames, in the columns of a population file.

    ``taille`` is the number of rows; the weights make them stand for the enterprises of ``hypotheses.yaml``.
    ``concentre`` draws more rows where the aids are (employers, hotels and restaurants, overseas) and weights them
    less. ``lignes_par_bloc`` bounds the memory and is rounded up to whole slices: the rows do not depend on it.
    Raise ``ValueError`` if the size, the seed or the block is out of range.
    """
    if taille < 1 or lignes_par_bloc < 1 or not 0 <= graine < 2**64:
        raise ValueError("taille et lignes_par_bloc au moins 1, graine entre 0 et 2⁶⁴ − 1")
    tranches = -(-taille // TAILLE_TRANCHE)
    pas = -(-lignes_par_bloc // TAILLE_TRANCHE)
    for debut in range(0, tranches, pas):
        bloc = [tranche(graine, n, taille, concentre=concentre) for n in range(debut, min(debut + pas, tranches))]
        yield polars.concat(bloc).head(taille - debut * TAILLE_TRANCHE)


def tranche(graine, numero, taille, *, concentre=False):
    """Return slice ``numero`` of a population of ``taille`` rows, as a DataFrame of ``TAILLE_TRANCHE`` rows."""
    return colonnes(tirer(charger(), graine, numero, taille, concentre=concentre))


def tirer(hypotheses, graine, numero, taille, *, concentre=False):
    """Draw a slice: every quantity by its name, those of the file and those behind them (section, loss…)."""
    tirages = Tirages(graine, numero)
    e = _structure(hypotheses, tirages, concentre=concentre)
    e["poids"] = e.pop("poids_relatif") * (hypotheses["population.effectif_total"] / taille)
    e["id"] = numero * TAILLE_TRANCHE + numpy.arange(TAILLE_TRANCHE)
    e["groupe"] = numero * TAILLE_TRANCHE + e["groupe"]
    _activite(hypotheses, tirages, e)
    _identite(hypotheses, tirages, e)
    _fermetures(hypotheses, tirages, e)
    tirer_chiffre_affaires(hypotheses, tirages, e)
    _dirigeant(hypotheses, tirages, e)
    _volet_2_et_autres(hypotheses, tirages, e)
    tirer_demandes(hypotheses, tirages, e)
    return e


# ---- who ----


def _structure(hypotheses, tirages, *, concentre):
    """Cell and group of each enterprise; the members of a group stand on consecutive rows."""
    effectifs = hypotheses.effectifs
    tires = effectifs * hypotheses.concentration if concentre else effectifs
    cellule = numpy.searchsorted(cumulees(tires.ravel()), tirages.systematique("cellule"), side="right")
    poids = (effectifs / effectifs.sum() / (tires / tires.sum()).clip(1e-300) * hypotheses.rapports_de_poids).ravel()[
        cellule
    ]
    section, statut, classe, departement = numpy.unravel_index(cellule, effectifs.shape)

    part = numpy.array(hypotheses["groupes.part_en_groupe"])[classe]
    membres = numpy.flatnonzero((statut == SOCIETE) & tirages.vrai("en_groupe", part))
    tailles = tirages.valeur("taille_groupe", hypotheses["groupes.tailles"])
    groupe = numpy.arange(tirages.taille)
    premier = numpy.concatenate([[0], numpy.cumsum(tailles)])
    rang_du_groupe = numpy.searchsorted(premier, numpy.arange(len(membres)), side="right") - 1
    groupe[membres] = membres[premier[rang_du_groupe]] if len(membres) else membres
    ordre = numpy.argsort(groupe, kind="stable")
    nouveau = numpy.searchsorted(groupe[ordre], groupe[ordre])  # rank of the first member, after sorting
    structure = {
        "poids_relatif": poids,
        "section": section,
        "statut": statut,
        "classe": classe,
        "departement": departement,
    }
    return {nom: valeurs[ordre] for nom, valeurs in structure.items()} | {"groupe": nouveau}


def _activite(hypotheses, tirages, e):
    association = (e["statut"] == ASSOCIATION).astype(int)
    e["naf"] = tirages.rang("code_naf", hypotheses.cumul_naf[association, e["section"]])
    largeur = (EFFECTIF_MAXIMAL - EFFECTIF_MINIMAL + 1)[e["classe"]]
    e["effectif"] = EFFECTIF_MINIMAL[e["classe"]] + numpy.floor(tirages.uniforme("effectif") * largeur)
    mois, cumul = hypotheses.naissances
    mois = mois[tirages.rang("mois_creation", cumul[e["statut"]])]
    jours = ((mois + 1).astype("datetime64[D]") - mois.astype("datetime64[D]")).astype(int)
    jour = numpy.floor(tirages.uniforme("jour_creation") * jours).astype(int)
    e["date_creation"] = mois.astype("datetime64[D]") + jour
    e["densite_commune"] = 1 + tirages.rang("densite", hypotheses.cumul_densite[e["departement"]])
    annexe_3 = hypotheses.departements["part_annexe_3"].to_numpy()[e["departement"]]
    e["commune_annexe_3"] = tirages.vrai("annexe_3", annexe_3)
    parts = hypotheses["activites.part_clients_proteges"]
    sorte = tirages.rang("clients_proteges", cumulees(numpy.array([parts[s] for s in parts])))
    moitie = tirages.uniforme("part_clients_proteges") / 2
    part = numpy.select([sorte == 1, sorte == 2], [moitie, 0.5 + moitie], 0.0)
    e["part_chiffre_affaires_clients_proteges"] = part.round(2)


def _identite(hypotheses, tirages, e):
    statut, h = e["statut"], hypotheses
    individuelle, societe, association = (statut <= EI), (statut == SOCIETE), (statut == ASSOCIATION)
    code = numpy.array(CODES_NAF)[e["naf"]]
    e["assujettie_impots_commerciaux"] = ~association | tirages.vrai(
        "assujettie", h["identite.part_associations_assujetties"]
    )
    e["residence_fiscale_francaise"] = ~tirages.vrai("non_residente", h["identite.part_residence_hors_de_france"])
    existait = {
        jour: e["date_creation"] < numpy.datetime64(jour) for jour in ("2019-03-01", "2020-01-01", "2020-03-01")
    }
    liquidation = tirages.vrai("liquidation", h["identite.part_liquidation_judiciaire"])
    e["liquidation_judiciaire_au_1er_mars_2020"] = existait["2020-03-01"] & liquidation
    e["dettes"] = existait["2020-01-01"] & tirages.vrai("dettes", h["identite.part_dettes_bloquantes"])
    e["manquement"] = tirages.vrai("manquement", h["identite.part_fermeture_pour_manquement"])
    conge = tirages.vrai("conge", h["identite.part_conge_dirigeant_mars_2019"])
    e["conge_dirigeant_mars_2019"] = existait["2019-03-01"] & conge
    e["artiste_auteur"] = (
        individuelle
        & numpy.isin(code, ["90.03A", "90.03B"])
        & tirages.vrai("artiste", h["identite.part_artistes_auteurs"])
    )
    e["monument_historique_ouvert_au_public"] = numpy.isin(code, ["68.20B", "91.03Z"]) & tirages.vrai(
        "monument", h["identite.part_monuments_historiques"]
    )
    e["nombre_associes"] = numpy.where(societe, tirages.valeur("associes", h["identite.nombre_associes"]), 1)
    conjoint = individuelle & tirages.vrai("conjoint", h["identite.part_conjoint_collaborateur"])
    e["nombre_conjoints_collaborateurs"] = conjoint.astype(int)

    membres = numpy.bincount(e["groupe"] - e["groupe"][0], minlength=tirages.taille)[e["groupe"] - e["groupe"][0]]
    en_groupe, tete = membres > 1, e["groupe"] == e["id"]
    controlee = tirages.vrai("controlee", h["groupes.part_membres_controles_par_societe_commerciale"])
    isolee = societe & tirages.vrai("isolee_controlee", h["groupes.part_societes_isolees_controlees"])
    e["controlee_par_societe_commerciale"] = numpy.where(en_groupe, ~tete & controlee, isolee)
    e["controle_autre_entreprise"] = en_groupe | isolee


def _fermetures(hypotheses, tirages, e):
    """Add the closed activity, the shopping centre, the days of closure, lockdown and curfew."""
    activites = calendrier.activites_fermees()
    fermeture = tirages.rang("fermeture", calendrier.cumul_fermetures()[e["naf"]])
    e["discotheque"] = numpy.array([nom == "Discothèques" for nom in activites])[fermeture]
    en_centre = calendrier.naf_de_centre_commercial()[e["naf"]] & tirages.vrai(
        "centre", hypotheses["lieux.part_en_centre_commercial"]
    )
    surface = tirages.valeur("surface", hypotheses["lieux.surfaces_centres_commerciaux"])
    e["surface_centre_commercial"] = numpy.where(en_centre, surface, 0).astype(float)
    palier = numpy.searchsorted(calendrier.seuils_centres_commerciaux(), e["surface_centre_commercial"], side="right")
    e["jours_interdiction"] = calendrier.table_interdictions()[fermeture, palier, e["departement"]].astype(int)
    for nom in ("jours_confinement", "jours_couvre_feu_ou_confinement"):
        e[nom] = calendrier.jours_de_mesures(nom)[e["departement"]]


def _dirigeant(hypotheses, tirages, e):
    statut, h = e["statut"], hypotheses
    e["contrat"] = tirages.vrai("contrat", h.par_statut("dirigeant.part_contrat_temps_complet")[statut])
    retraite = tirages.vrai("retraite", h.par_statut("dirigeant.part_retraites")[statut])
    pension = h["dirigeant.pension_mensuelle_mediane"] * numpy.exp(
        h["dirigeant.pension_dispersion"] * tirages.normale("pension")
    )
    e["pension"] = numpy.where(retraite & ~e["contrat"], pension.round(), 0.0)
    arret = tirages.uniforme("arret", len(MOIS_AIDE)) < h["dirigeant.part_indemnites_journalieres"]
    montant = h["dirigeant.indemnites_mensuelles_medianes"] * numpy.exp(
        h["dirigeant.pension_dispersion"] * tirages.normale("indemnites")
    )
    e["indemnites"] = arret * montant.round()[:, None]


def _volet_2_et_autres(hypotheses, tirages, e):
    h = hypotheses
    code = numpy.array(CODES_NAF)[e["naf"]]
    part = numpy.where(
        e["effectif"] >= 1, h["volet_2.part_demandes_employeurs"], h["volet_2.part_demandes_sans_salarie"]
    )
    e["demande_volet_2"] = tirages.vrai("volet_2", part)
    solde = h["volet_2.solde_median"] * numpy.exp(h["volet_2.solde_dispersion"] * tirages.normale("solde_volet_2"))
    e["solde_tresorerie_volet_2"] = numpy.where(e["demande_volet_2"], solde.round(), 0.0)
    bareme = h["volet_2.abondement_territorial"]
    montant = numpy.array(bareme)[numpy.floor(tirages.uniforme("abondement") * len(bareme)).astype(int)]
    delibere = e["demande_volet_2"] & tirages.vrai("delibere", h["volet_2.part_abondement_territorial"])
    e["aide_territoriale_deliberee"] = numpy.where(delibere, montant, 0).astype(float)

    festives = numpy.isin(code, h["activites.filiere_festive_codes"])
    e["filiere_festive"] = festives & tirages.vrai("festive", h["activites.part_filiere_festive"])
    secondaire = tirages.vrai("secondaire", h["activites.part_activite_secondaire"])
    e["activite_secondaire"] = secondaire & numpy.isin(e["section"], [0, 2, 6])  # A, C, G: those of the decree
    e["activite_secondaire_interdite_au_public"] = e["activite_secondaire"] & tirages.vrai(
        "secondaire_interdite", h["activites.part_activite_secondaire_interdite"]
    )
    charges = e["discotheque"] & tirages.vrai("charges", h["activites.part_discotheques_avec_charges"])
    dispersion = numpy.exp(h["activites.discotheque_dispersion"] * tirages.normale("discotheque"))
    for nom in ("dettes_et_charges", "charges_fixes"):
        montant = (h[f"activites.discotheque_{nom}_medianes"] * dispersion).round()
        e[f"discotheque_{nom}"] = numpy.where(charges, montant, 0.0)


# ---- the table ----

ETERNELLES = {  # column of the file: quantity drawn, where the names differ
    "discotheque_dettes_et_charges_mars_aout_2020": "discotheque_dettes_et_charges",
    "discotheque_charges_fixes_septembre_novembre_2020": "discotheque_charges_fixes",
} | {
    nom: nom
    for nom in (
        "date_creation",
        "artiste_auteur",
        "residence_fiscale_francaise",
        "assujettie_impots_commerciaux",
        "monument_historique_ouvert_au_public",
        "liquidation_judiciaire_au_1er_mars_2020",
        "controlee_par_societe_commerciale",
        "commune_annexe_3",
        "densite_commune",
        "part_chiffre_affaires_clients_proteges",
        "surface_centre_commercial",
        "filiere_festive",
        "discotheque",
        "benefice_imposable_dernier_exercice",
        "nombre_associes",
        "nombre_conjoints_collaborateurs",
        "conge_dirigeant_mars_2019",
        "demande_volet_2",
        "solde_tresorerie_volet_2",
        "aide_territoriale_deliberee",
        "activite_secondaire",
        "activite_secondaire_interdite_au_public",
        "controle_autre_entreprise",
    )
}


def colonnes(e):
    """Lay a slice drawn as a DataFrame of the dictionary's terms: identifiers, ETERNITY inputs, then monthly ones."""
    codes = {
        "code_naf": numpy.array(CODES_NAF)[e["naf"]],
        "departement": numpy.array(DEPARTEMENTS)[e["departement"]],
        "forme_juridique": numpy.array(FORMES)[e["statut"]],
    }
    table = {nom: e[nom] for nom in ("id", "groupe", "poids")} | codes
    table |= {nom: e[quantite] for nom, quantite in ETERNELLES.items()}
    table |= {f"chiffre_affaires:{mois}": e["chiffre_affaires"][:, m] for m, mois in enumerate(MOIS)}
    existe = e["date_creation"][:, None] < (numpy.array(MOIS_AIDE, dtype="datetime64[M]") + 1).astype("datetime64[D]")
    mensuelles = {
        "chiffre_affaires_vente_a_distance": e["vente_a_distance"],
        "effectif_salarie": existe * e["effectif"][:, None],
        "jours_interdiction_accueil_public": e["jours_interdiction"],
        "jours_confinement": e["jours_confinement"],
        "jours_couvre_feu_ou_confinement": e["jours_couvre_feu_ou_confinement"],
        "dirigeant_contrat_temps_complet": existe & e["contrat"][:, None],
        "pensions_retraite": existe * e["pension"][:, None],
        "indemnites_journalieres": existe * e["indemnites"],
        "dettes_fiscales_ou_sociales_impayees": existe & e["dettes"][:, None],
        "fermeture_administrative_pour_manquement": existe & e["manquement"][:, None],
        "demande_fonds_solidarite": e["demande"],
    }
    for nom, valeurs in mensuelles.items():
        table |= {f"{nom}:{mois}": valeurs[:, m] for m, mois in enumerate(MOIS_AIDE)}
    return polars.DataFrame(table)
