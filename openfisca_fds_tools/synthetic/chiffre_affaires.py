"""Turnover: level, season, growth and noise make the normal activity; shocks and closures take from it."""

import numpy

from . import calendrier
from .hypotheses import MOIS, MOIS_AIDE, STATUTS

MICRO = STATUTS.index("micro")
PREMIER_MOIS_AIDE = len(MOIS) - len(MOIS_AIDE)
METROPOLE = 0  # any mainland département: the national measures


def tirer_chiffre_affaires(hypotheses, tirages, e):
    """Add to the slice ``e``, in whole euros: turnover (n, 38), distance sales (n, 24), profit (n,), and ``perte``.

    ``perte`` (n, 24) is what the month lacks against the enterprise's normal activity: it drives the take-up and
    is not the loss of the law, which the model computes from references.
    """
    niveau = _niveau_annuel(hypotheses, tirages, e)
    normale = _activite_normale(hypotheses, tirages, e, niveau)
    attendue = normale[:, PREMIER_MOIS_AIDE:]
    ferme = e["jours_interdiction"] / calendrier.JOURS_PAR_MOIS
    a_distance, hors_public = _activite_fermee(hypotheses, tirages, e)
    ouverte = (1 - ferme) * (1 - _pertes(hypotheses, tirages, e))
    distance = numpy.rint(attendue * ferme * a_distance[:, None] ** (1 / hypotheses.progression_vente_a_distance))
    realise = numpy.rint(attendue * (ouverte + ferme * hors_public[:, None])) + distance
    e["chiffre_affaires"] = numpy.column_stack([numpy.rint(normale[:, :PREMIER_MOIS_AIDE]), realise])
    e["vente_a_distance"] = distance
    e["perte"] = numpy.maximum(attendue - realise, 0)
    marge = hypotheses.colonne("marge")[e["section"]] * niveau
    dispersion = hypotheses["benefice.dispersion"] * tirages.normale("benefice")
    e["benefice_imposable_dernier_exercice"] = numpy.rint(marge * numpy.exp(dispersion))


def _niveau_annuel(hypotheses, tirages, e):
    """Draw the normal turnover of a year, (n,): a median by section and statut (by head for employers) and a spread."""
    h, statut, section = hypotheses, e["statut"], e["section"]
    sans_salarie = numpy.choose(
        numpy.minimum(statut, 2), [h.colonne(f"ca_{nom}")[section] for nom in ("micro", "ei", "societe")]
    )
    tetes = (1 + e["effectif"]) ** h["chiffre_affaires.elasticite_effectif"]
    employeur = e["effectif"] >= 1
    mediane = numpy.where(employeur, h.colonne("ca_par_tete")[section] * tetes, sans_salarie)
    dispersion = numpy.where(
        employeur, h["chiffre_affaires.dispersion_employeurs"], h.par_statut("chiffre_affaires.dispersion")[statut]
    )
    relatif = h.par_statut("chiffre_affaires.niveau_relatif")[statut]
    territoire = h.calage["niveau", "region"][h.region_par_departement[e["departement"]]]
    relatif = relatif * numpy.exp(h.calage["niveau", "section"][section] + territoire)
    relatif = relatif * h.activites["niveau"].to_numpy()[e["naf"]]
    relatif = relatif * h.departements["facteur_niveau"].to_numpy()[e["departement"]]
    niveau = mediane * relatif * numpy.exp(dispersion * tirages.normale("niveau"))
    micro = statut == MICRO
    sans_activite = h.par_statut("chiffre_affaires.part_sans_chiffre_affaires")[statut]
    inactive = ~employeur & tirages.vrai("inactive", sans_activite)
    niveau = numpy.where(micro, numpy.minimum(niveau, h["chiffre_affaires.plafond_micro"]), niveau)
    return numpy.where(inactive, 0.0, niveau)


def _activite_normale(hypotheses, tirages, e, niveau):
    """Turnover that each month would have without the crisis, (n, 38), zero before the creation."""
    h, statut = hypotheses, e["statut"]
    mois = numpy.array(MOIS, dtype="datetime64[M]")
    rang = mois.astype(int) % 12
    ampleur = numpy.exp(h["chiffre_affaires.ampleur_saison_ecart_type"] * tirages.normale("saison"))
    saison = h.saison_par_naf[e["naf"]][:, rang] ** ampleur[:, None]
    saison /= saison[:, :12].mean(axis=1, keepdims=True)
    croissance = h["chiffre_affaires.croissance_annuelle_ecart_type"] * tirages.normale("croissance")
    tendance = numpy.exp(croissance[:, None] * (numpy.arange(len(MOIS)) - 6) / 12)
    bruit = h.par_statut("chiffre_affaires.bruit_mensuel")[statut]
    bruit = bruit / (1 + e["effectif"]) ** h["chiffre_affaires.attenuation_bruit_par_salarie"]
    alea = numpy.exp(bruit[:, None] * tirages.normale("alea", len(MOIS)) - bruit[:, None] ** 2 / 2)
    nul = tirages.uniforme("mois_nul", len(MOIS)) < h.par_statut("chiffre_affaires.part_mois_nuls")[statut][:, None]

    debut = mois.astype("datetime64[D]")
    fin = (mois + 1).astype("datetime64[D]")
    jours = (fin - numpy.maximum(debut, e["date_creation"][:, None])).astype(int)
    presence = jours.clip(0) / (fin - debut).astype(int)
    age = (mois - e["date_creation"].astype("datetime64[M]")[:, None]).astype(int)
    initial = h["chiffre_affaires.montee_en_charge_initiale"]
    montee = (initial + (1 - initial) * age / h["chiffre_affaires.montee_en_charge_mois"]).clip(0, 1)
    return niveau[:, None] / 12 * saison * tendance * alea * ~nul * presence * montee


def _pertes(hypotheses, tirages, e):
    """Share of the normal activity lost when open, (n, 24)."""
    h = hypotheses
    choc = h.choc_par_naf[e["naf"]]
    facteur = h.departements["facteur_choc"].to_numpy()[e["departement"]][:, None]
    facteur = facteur * numpy.exp(
        h.calage["choc", "section"][e["section"], None] + h.calage["choc", "phase"][h.phase_par_mois]
    )
    choc = choc * facteur / (1 - choc + choc * facteur)  # odds times the factors of the territory and of the phase
    # A measure that the mainland does not have adds a part of April 2020; one that it has alone takes a part off.
    avril_2020 = h.choc_par_naf[e["naf"]][:, 1:2]
    ecart = h["chocs.effet_confinement_local"] * _ecart_local(e, "jours_confinement")
    ecart = ecart + h["chocs.effet_couvre_feu_local"] * _ecart_local(e, "jours_couvre_feu_ou_confinement")
    ecart = ecart.clip(-1, 1)
    choc = choc + ecart * numpy.where(ecart > 0, avril_2020 * (1 - choc), choc)

    rho = h["chocs.persistance"]
    latente = numpy.sqrt(rho) * tirages.normale("fragilite")[:, None]
    latente = latente + numpy.sqrt(1 - rho) * tirages.normale("choc", len(MOIS_AIDE))
    decalage = h.par_statut("chocs.decalage_par_statut")[e["statut"]]
    decalage = decalage + numpy.array(h["chocs.decalage_par_classe"])[e["classe"]]
    return perte_au_rang(hypotheses, choc, repartition_normale(latente + decalage[:, None]))


def perte_au_rang(hypotheses, choc, rang):
    """Return the share lost by the enterprise of a rank (0 to 1) among those of a mean shock, same shapes.

    A mass loses nothing, a mass loses all, and between them a power of the rank spreads the losses so that the mean
    over uniform ranks is the shock.
    """
    sans_perte = (1 - choc) ** hypotheses["chocs.exposant_sans_perte"]
    totale = choc ** hypotheses["chocs.exposant_perte_totale"]
    milieu = 1 - sans_perte - totale
    moyenne = ((choc - totale) / milieu).clip(0.01, 0.99)
    return ((rang - sans_perte) / milieu).clip(0, 1) ** ((1 - moyenne) / moyenne)


def _ecart_local(e, mesure):
    """Share of the month under a measure, beyond the mainland: (n, 24), from -1 to 1."""
    return (e[mesure] - calendrier.jours_de_mesures(mesure)[METROPOLE]) / calendrier.JOURS_PAR_MOIS


def _activite_fermee(hypotheses, tirages, e):
    """Shares of the normal activity kept while closed to the public, (n,) twice: distance sales, other activity."""
    nulle, moyenne = (valeurs[e["naf"]] for valeurs in calendrier.vente_a_distance())
    pratique = ~tirages.vrai("vente_a_distance", nulle) & (moyenne > 0)
    puissance = (1 - moyenne) / moyenne.clip(1e-9)
    part = numpy.where(pratique, tirages.uniforme("part_a_distance") ** puissance, 0.0)
    autre = tirages.vrai("hors_public", hypotheses["chocs.part_activite_hors_public"])
    niveau = hypotheses["chocs.niveau_activite_hors_public"] * tirages.uniforme("niveau_hors_public") * 2
    return part, numpy.where(autre, niveau * (1 - part), 0.0)


def repartition_normale(x):
    """Return the standard normal distribution function, to 3·10⁻⁴, from NumPy alone."""
    return (1 + numpy.tanh(numpy.sqrt(2 / numpy.pi) * (x + 0.044715 * x**3))) / 2
