"""The assumptions of the generator, read from ``donnees/`` and turned into arrays.

Nothing is assumed in the code: a share, a level, a dispersion is a named value of a data file, with its source and
its confidence. This module only normalises (shares sum to one, seasons to twelve) and lines the tables up.
"""

from functools import cache, cached_property
from importlib import resources

import numpy
import polars
import yaml

from openfisca_fds.nomenclatures.departements import Departement
from openfisca_fds.nomenclatures.naf import CodeNaf
from openfisca_fds_tools.population.taxonomies import region

from .calage import COMMUNS, HORS_REGIONS, REGIONS, TAILLE_PAR_CLASSE, TAILLES, Calage, rapport_de_poids

STATUTS = ("micro", "ei", "societe", "association", "autre")
FORMES = ("entreprise_individuelle", "entreprise_individuelle", "societe", "association", "autre")  # of each statut
CLASSES = ("0", "1_2", "3_5", "6_9", "10_19", "20_49", "50_99", "100_199", "200_249", "250_499", "500")
# Bounds of the size classes of Insee; the last one is open and gets a bound of convenience.
EFFECTIF_MINIMAL = numpy.array([0, 1, 3, 6, 10, 20, 50, 100, 200, 250, 500])
EFFECTIF_MAXIMAL = numpy.array([0, 2, 5, 9, 19, 49, 99, 199, 249, 499, 2000])
MOIS = tuple(f"{annee}-{mois:02d}" for annee in range(2019, 2023) for mois in range(1, 13))[:38]
MOIS_AIDE = MOIS[14:]  # March 2020 – February 2022
DEPARTEMENTS = tuple(Departement.__members__)
CODES_NAF = tuple(CodeNaf.__members__)[1:]  # without « inconnu »


def donnees():
    """Folder of the data files, as a ``Traversable``."""
    return resources.files(__package__) / "donnees"


@cache
def table(nom):
    """One CSV of ``donnees/`` as a DataFrame, its types inferred from all its lines."""
    with resources.as_file(donnees() / nom) as chemin:
        return polars.read_csv(chemin, infer_schema_length=None)


@cache
def _scalaires():
    return yaml.safe_load((donnees() / "hypotheses.yaml").read_text(encoding="utf-8"))


def cumulees(parts):
    """Cumulative shares along the last axis, normalised so that each line ends at exactly one."""
    cumul = numpy.cumsum(parts, axis=-1)
    return cumul / cumul[..., -1:]


class Hypotheses:
    """Every assumption of the generator as arrays indexed by section, statut, class, département, NAF rank."""

    def __init__(self, calage=None):
        """Read ``donnees/``; ``calage`` replaces the one shipped, for the calibration itself."""
        self.sections = table("sections.csv")
        self.departements = _dans_l_ordre(table("departements.csv"), "departement", DEPARTEMENTS)
        self.phases = table("phases.csv")
        if calage is not None:
            self.calage = calage

    def __getitem__(self, nom):
        """Value of a scalar assumption, ``"bloc.nom"``; a KeyError names what is missing."""
        bloc, cle = nom.split(".")
        return _scalaires()[bloc][cle]["valeur"]

    def par_statut(self, nom):
        """Values of an assumption given by statut, in the order of ``STATUTS``."""
        return numpy.array([self[nom][statut] for statut in STATUTS], dtype=float)

    def colonne(self, nom):
        """One column of ``sections.csv`` as an array (18,)."""
        return self.sections[nom].to_numpy()

    # ---- structure ----

    @cached_property
    def effectifs(self):
        """Number of enterprises by section, statut, class and département, in thousands: (18, 5, 11, 107)."""
        milliers = self.colonne("milliers")
        parts = self.sections.select("part_micro", "part_ei", "part_association", "part_autre").to_numpy()
        societes = 1 - parts.sum(axis=1)
        statuts = numpy.column_stack([parts[:, 0], parts[:, 1], societes, parts[:, 2], parts[:, 3]])
        return numpy.einsum("s,su,suc,sd->sucd", milliers, statuts, self._parts_classes, self._parts_departements)

    @cached_property
    def _parts_classes(self):
        lignes = {
            (ligne["groupe"], ligne["statut"]): [ligne[f"c{classe}"] for classe in CLASSES]
            for ligne in table("effectifs.csv").to_dicts()
        }
        # Associations and the other forms employ as companies do.
        modele = {"association": "societe", "autre": "societe"}
        parts = [[lignes[groupe, modele.get(s, s)] for s in STATUTS] for groupe in self.colonne("groupe_effectif")]
        parts = numpy.array(parts)
        return parts / parts.sum(axis=-1, keepdims=True)

    @cached_property
    def _parts_departements(self):
        connues = table("departement_section.csv").pivot("section", index="departement", values="part_par_million")
        connues = self.departements.select("departement").join(connues, on="departement", how="left").fill_null(0)
        parts = connues.select(self.sections["section"].to_list()).to_numpy().T
        parts = parts / parts.sum(axis=1, keepdims=True)
        # The overseas collectivities that no published table locates have their own count, spread over the sections.
        hors_table = self.departements["milliers_hors_table"].to_numpy() / self.colonne("milliers").sum()
        return parts * (1 - hors_table.sum()) + hors_table

    @cached_property
    def concentration(self):
        """Factor on the probability of being drawn in a weighted sample, same shape as ``effectifs``."""
        return numpy.einsum(
            "s,u,c,d->sucd",
            self.colonne("tirage"),
            self.par_statut("tirage.concentration_par_statut"),
            numpy.array(self["tirage.concentration_par_classe"]),
            self.departements["tirage"].to_numpy(),
        )

    # ---- activity ----

    @cached_property
    def activites(self):
        """One line per NAF code, in the order of ``CODES_NAF``: section rank, weights, profile and season ranks."""
        rangs = {}
        for rang, (debut, fin) in enumerate(self.sections.select("premiere_division", "derniere_division").rows()):
            rangs |= {f"{division:02d}": rang for division in range(debut, fin + 1)}
        codes = polars.DataFrame({"code_naf": CODES_NAF}).with_columns(
            polars.col("code_naf").str.head(2).replace_strict(rangs, default=-1).alias("rang_section")
        )
        defaut = polars.lit(self["activites.poids_par_defaut"])
        sections = self.sections.with_row_index("rang_section").select(
            polars.col("rang_section").cast(polars.Int64),
            polars.col("profil").alias("profil_section"),
            polars.col("saison").alias("saison_section"),
        )
        return (
            codes.join(table("activites.csv").drop("source", "confiance"), on="code_naf", how="left")
            .join(sections, on="rang_section", how="left")
            .with_columns(
                polars.col("milliers").fill_null(defaut),
                polars.col("milliers_association").fill_null(0.0),
                polars.col("niveau").fill_null(1.0),
                polars.coalesce("profil", "profil_section").alias("profil"),
                polars.coalesce("saison", "saison_section").alias("saison"),
            )
        )

    @cached_property
    def cumul_naf(self):
        """Cumulative shares of the NAF codes by section, for associations (1) or not (0): (2, 18, 732)."""
        dans_section = self.activites["rang_section"].to_numpy() == numpy.arange(self.sections.height)[:, None]
        ordinaires = dans_section * self.activites["milliers"].to_numpy()
        associations = dans_section * self.activites["milliers_association"].to_numpy()
        sans_association = associations.sum(axis=1) == 0
        associations[sans_association] = ordinaires[sans_association]
        return cumulees(numpy.stack([ordinaires, associations]))

    @cached_property
    def saison_par_naf(self):
        """Monthly seasonal factors of each NAF code, mean one over the year: (732, 12)."""
        return self._par_naf("saisons.csv", "saison", lambda valeurs: valeurs / valeurs.mean(axis=1, keepdims=True))

    @cached_property
    def choc_par_naf(self):
        """Mean loss of activity of each NAF code when open, by month of aid, as a fraction: (732, 24)."""
        return self._par_naf("profils_choc.csv", "profil", lambda valeurs: valeurs / 100)

    def _par_naf(self, fichier, cle, transformation):
        lignes = table(fichier)
        valeurs = transformation(lignes.drop(cle, "source", "confiance").to_numpy())
        rangs = {nom: rang for rang, nom in enumerate(lignes[cle])}
        section_inconnue = 0  # codes outside the population (public administration, households) are never drawn
        return valeurs[[rangs.get(nom, section_inconnue) for nom in self.activites[cle]]]

    @cached_property
    def progression_vente_a_distance(self):
        """How used enterprises are to selling at a distance, by month of aid: (24,)."""
        depuis = self["chocs.progression_vente_a_distance"]
        debuts = sorted(depuis)
        return numpy.array([depuis[max(debut for debut in debuts if debut <= mois)] for mois in MOIS_AIDE])

    # ---- dates of creation ----

    @cached_property
    def naissances(self):
        """First days of the months of birth (m,), and their cumulative shares by statut (5, m)."""
        mois, parts = [], []
        for ligne in table("naissances.csv").to_dicts():
            debut, fin = (numpy.datetime64(ligne[c], "M") for c in ("premier_mois", "dernier_mois"))
            periode = numpy.arange(debut, fin + 1)
            part = [ligne["societe" if statut == "autre" else statut] / len(periode) for statut in STATUTS]
            mois.append(periode)
            parts.append(numpy.repeat(numpy.array(part)[:, None], len(periode), axis=1))
        return numpy.concatenate(mois), cumulees(numpy.concatenate(parts, axis=1))

    # ---- places ----

    @cached_property
    def cumul_densite(self):
        """Cumulative shares of the four classes of density, by département: (107, 4)."""
        grille = self["lieux.densite"]
        return cumulees(numpy.array([grille[groupe] for groupe in self.departements["densite"]]))

    # ---- calibration ----

    @cached_property
    def modalites(self):
        """Modalities of each dimension of the calibration."""
        return {
            "commun": COMMUNS,
            "phase": tuple(self.phases["phase"]),
            "section": tuple(self.sections["section"]),
            "region": REGIONS,
            "statut": STATUTS,
            "taille": TAILLES,
        }

    @cached_property
    def calage(self):
        """Values fitted, those shipped unless others were given."""
        return Calage.lire(table("calage.csv"), self.modalites)

    @cached_property
    def region_par_departement(self):
        """Rank in ``REGIONS`` of each département: (107,)."""
        return numpy.array([REGIONS.index(region(code) or HORS_REGIONS) for code in DEPARTEMENTS])

    @cached_property
    def phase_par_mois(self):
        """Rank of the phase of each month of aid: (24,)."""
        debuts = self.phases["premier_mois"].to_numpy()
        return numpy.searchsorted(debuts, numpy.array(MOIS_AIDE), side="right") - 1

    @cached_property
    def perte_de_reference(self):
        """Loss (euros) for which the take-up is that of its phase, by month of aid: (24,)."""
        return self.phases["perte_de_reference"].to_numpy()[self.phase_par_mois]

    @cached_property
    def rapports_de_poids(self):
        """Ratio of the calibrated weight to the one drawn, by cell of ``effectifs``, which it keeps in sum."""
        scores = [self.calage["poids", nom] for nom in ("section", "statut", "taille", "region")]
        section, statut, taille, territoire = scores
        score = (
            section[:, None, None, None]
            + statut[None, :, None, None]
            + taille[TAILLE_PAR_CLASSE][None, None, :, None]
            + territoire[self.region_par_departement]
        )
        return rapport_de_poids(score, self["calage.bornes_des_rapports_de_poids"])


def _dans_l_ordre(lignes, cle, ordre):
    attendues = polars.DataFrame({cle: ordre})
    rangees = attendues.join(lignes, on=cle, how="left", maintain_order="left")
    if lignes.height != len(ordre) or rangees["source"].null_count():
        raise ValueError(f"{cle} : une ligne et une seule attendue pour chacun des {len(ordre)} codes")
    return rangees


@cache
def charger():
    """Return the assumptions shipped with the package, read once."""
    return Hypotheses()
