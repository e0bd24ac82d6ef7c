"""Simulated against published: the margins fitted, and those kept out of the fit.

Everything is measured on the aids that the engine pays to a population of another seed than the one fitted.
"""

import numpy
import polars as pl

from openfisca_fds_tools import publie

from ..calage import REGIONS
from ..hypotheses import CLASSES, DEPARTEMENTS, FORMES, MOIS_AIDE, STATUTS, table
from .cibles import AXES, MESURES

# Published size classes and legal categories of those of the generator.
CLASSES_PUBLIEES = {
    "0": ("00", "NN"),
    "1_2": ("01",),
    "3_5": ("02",),
    "6_9": ("03",),
    "10_19": ("11",),
    "20_49": ("12",),
    "50_99": ("21",),
    "100_199": ("22",),
    "200_249": ("31",),
    "250_499": ("32",),
    "500": ("41", "42", "51"),
}
FORMES_PUBLIEES = {
    "entreprise_individuelle": ("10",),
    "societe": ("52", "53", "54", "55", "56", "57", "63", "65"),
    "association": ("92", "93"),
}
COLONNES = ("marge", "modalite", "mesure", "publie", "simule")


class Observation:
    """What the engine pays to a population, in sums by any code.

    Args:
        e: quantities drawn, weights calibrated included.
        versee: aids, euros (n, 24).
        hypotheses: assumptions of the population.
    """

    def __init__(self, e, versee, hypotheses):
        self.e, self.versee, self.poids = e, versee, e["poids"]
        self.section = numpy.array(hypotheses.modalites["section"])[e["section"]]
        self.region = numpy.array(REGIONS)[hypotheses.region_par_departement[e["departement"]]]
        self.departement = numpy.array(DEPARTEMENTS)[e["departement"]]
        self.forme = numpy.array(FORMES)[e["statut"]]
        self.classe = numpy.array(CLASSES)[e["classe"]]

    def sommes(self, codes, mois=slice(None), lignes=None):
        """Table (code, montant, aides, entreprises) over some months and rows."""
        lignes = numpy.ones(len(self.poids), dtype=bool) if lignes is None else lignes
        versee, poids = self.versee[lignes][:, mois], self.poids[lignes]
        aidee = versee > 0
        return (
            pl.DataFrame(
                {
                    "code": codes[lignes],
                    "montant": versee.sum(axis=1) * poids,
                    "aides": aidee.sum(axis=1) * poids,
                    "entreprises": aidee.any(axis=1) * poids,
                }
            )
            .group_by("code")
            .agg(pl.sum(*MESURES))
        )

    def montants_par_mois(self):
        """Euros of each month of aid: (24,)."""
        return self.poids @ self.versee

    def aides_par_mois(self):
        """Count the aids of each month of aid: (24,)."""
        return self.poids @ (self.versee > 0)


def marges_ajustees(cibles, observation, effectifs):
    """Every target of the fit beside what the control population gives.

    Args:
        cibles: targets.
        observation: what the engine pays to the control population.
        effectifs: numbers of enterprises of that population, in the order of its targets.

    Returns:
        COLONNES, then bas and haut (bounds of the amounts by month, null elsewhere) and tolerance.
    """
    par_mois = numpy.bincount(cibles.periode_par_mois, observation.montants_par_mois())
    familles = {"mois": par_mois, "population": effectifs}
    simules = {}
    for famille, valeurs in familles.items():
        modalites = [cible.modalite for cible in cibles.liste if cible.famille == famille]
        mesure = "montant" if famille == "mois" else "entreprises"
        simules |= {(famille, m, mesure): v for m, v in zip(modalites, valeurs.tolist(), strict=True)}
    for axe in AXES:
        for ligne in observation.sommes(getattr(observation, axe)).to_dicts():
            simules |= {(axe, ligne["code"], mesure): ligne[mesure] for mesure in MESURES}
    lignes = []
    for cible in cibles.liste:
        simule = simules.get((cible.famille, cible.modalite, cible.mesure), 0.0)
        bornes = cible.bornes or (None, None)
        lignes.append((cible.famille, cible.modalite, cible.mesure, cible.valeur, simule, *bornes, cible.tolerance))
    return pl.DataFrame(lignes, schema=[*COLONNES, "bas", "haut", "tolerance"], orient="row")


def marges_retenues(observation):
    """Margins that the fit never saw: COLONNES."""
    return pl.concat(
        [
            _moyennes_par_mois(observation),
            _formes_par_periode(observation),
            _tailles(observation),
            _departements_et_sections(observation),
        ]
    )


def _moyennes_par_mois(observation):
    """Mean aid by month, against the payments between two openings of forms (late ones included)."""
    moyennes = observation.montants_par_mois() / observation.aides_par_mois().clip(1)
    lignes = [
        ("aide moyenne par mois", mois, "moyenne", montant / aides, float(moyennes[MOIS_AIDE.index(mois)]))
        for mois, montant, aides in publie.fenetres_de_formulaire().select("mois_aide", "montant", "aides").iter_rows()
        if mois != "2021-09"  # this window holds six months
    ]
    officielles = publie.chiffres_officiels().filter(
        pl.col("premier_mois") == pl.col("dernier_mois"), pl.col("moyenne").is_not_null()
    )
    for mois, moyenne in officielles.group_by("premier_mois").agg(pl.last("moyenne")).sort("premier_mois").iter_rows():
        lignes.append(("aide moyenne officielle", mois, "moyenne", moyenne, float(moyennes[MOIS_AIDE.index(mois)])))
    return _table(lignes)


def _formes_par_periode(observation):
    """Share of each legal form in the euros of a period, and its mean aid; periods of payment lag those of aid."""
    flux = publie.paiements_par_mois_et("forme_juridique")
    lignes = []
    for periode in table("periodes_de_paiement.csv").to_dicts():
        mois = [m for m, nom in enumerate(MOIS_AIDE) if periode["premier_mois"] <= nom <= periode["dernier_mois"]]
        simules = observation.sommes(observation.forme, mois)
        payes = flux.filter(
            pl.col("mois").is_between(pl.lit(periode["premier_paiement"]), pl.lit(periode["dernier_paiement"]))
        )
        total_paye, total_simule = payes["montant"].sum(), simules["montant"].sum()
        for forme, codes in FORMES_PUBLIEES.items():
            paye = payes.filter(pl.col("code").is_in(codes)).select(pl.sum("montant", "aides")).row(0)
            simule = simules.filter(pl.col("code") == forme).select(pl.sum("montant", "aides")).row(0)
            cle = f"{forme}, {periode['periode']}"
            lignes += [
                ("forme juridique par période", cle, "part", paye[0] / total_paye, simule[0] / max(total_simule, 1)),
                ("forme juridique par période", cle, "moyenne", paye[0] / paye[1], simule[0] / max(simule[1], 1)),
            ]
    return _table(lignes)


def _tailles(observation):
    """Size classes, which are published for legal persons only."""
    personnes_morales = observation.e["statut"] >= STATUTS.index("societe")
    simules = observation.sommes(observation.classe, lignes=personnes_morales)
    marge, lignes = publie.marge("classe_effectif"), []
    for classe, publiees in CLASSES_PUBLIEES.items():
        paye = marge.filter(pl.col("code").is_in(publiees)).select(pl.sum(*MESURES)).row(0)
        simule = simules.filter(pl.col("code") == classe).select(pl.sum(*MESURES)).row(0)
        lignes += [
            ("classe d'effectif", classe, mesure, p, s) for mesure, p, s in zip(MESURES, paye, simule, strict=True)
        ]
    return _table(lignes)


def _departements_et_sections(observation):
    """Euros by département, then by département and section."""
    cumul = publie.departement_section_par_trimestre().filter(pl.col("date") == publie.DATE_DES_MARGES)
    par_case = observation.sommes(numpy.char.add(numpy.char.add(observation.departement, " "), observation.section))
    par_case = par_case.with_columns(
        pl.col("code").str.split(" ").list.to_struct(fields=["departement", "section"])
    ).unnest("code")
    cases = cumul.join(par_case, on=["departement", "section"], how="left", suffix="_simule").with_columns(
        pl.col("montant_simule").fill_null(0.0)
    )
    lignes = []
    for nom, cles in (("département", ["departement"]), ("département et section", ["departement", "section"])):
        sommes = cases.group_by(cles).agg(pl.sum("montant", "montant_simule")).sort(cles)
        lignes += [
            (nom, " ".join(ligne[cle] for cle in cles), "montant", ligne["montant"], ligne["montant_simule"])
            for ligne in sommes.to_dicts()
        ]
    return _table(lignes)


def _table(lignes):
    return pl.DataFrame(lignes, schema=COLONNES, orient="row")
