"""What the report says, from a backtest: the prose of ``donnees/rapport.yaml``, the figures of the calculation."""

from functools import cache
from importlib import resources

import polars as pl
import yaml

from openfisca_fds_tools import publie
from openfisca_fds_tools.population.command import libelle_aide

from . import graphiques, versements
from .blocs import Encadre, Figure, Liste, Paragraphe, Rapport, Section, Tableau
from .confrontation import AVERTISSEMENT, RESUME, Backtest
from .marges import GRANDE, SEUILS, part_des_grandes
from .textes import FINE, RIEN, insecables, milliards, millions, mois_court, mois_long, nombre, pourcent, rapport

POSITIONS = {"dans": "dans les bornes", "sous": "au-dessous", "sur": "au-dessus"}
STATUTS = ("calee", "regardee", "ecartee")
PHASES = (
    "2020-05",
    "2020-09",
    "2020-12",
    "2021-02",
    "2021-05",
    "2021-09",
)  # months of payment, one by phase of the fund
SECTIONS = ("F", "G", "H", "I", "M", "N", "R", "S")  # the largest
PLANCHER_DU_VOLET_2 = 1e6  # euros paid, below which a section is left out of its table


@cache
def _lire(nom: str) -> dict:
    """Read a file of ``donnees/``, its no-break spaces put in."""
    return insecables(yaml.safe_load((resources.files(__package__) / "donnees" / nom).read_text(encoding="utf-8")))


def _prose(rubrique: str, nom: str):
    return _lire("rapport.yaml")[rubrique][nom]


def composer(backtest: Backtest) -> Rapport:
    """Write the report of a backtest."""
    version = backtest.carte["modele"]["version"]
    blocs = [
        Encadre(trois_phrases(backtest)),
        _section("lire"),
        Paragraphe(_prose("textes", "lire")),
        Liste(tuple(_prose("listes", "lire"))),
        *_par_mois(backtest),
        *_par_marge(backtest),
        *_montants(backtest),
        *_validation(backtest),
        *_ecarts(backtest),
        *_doutes(backtest),
        *_methode(),
        *_carte(backtest.carte),
    ]
    sous_titre = f"Mars 2020 à février 2022 · openfisca-fds {version} · calcul du {_date(backtest.carte['date'])}"
    pied = f"openfisca-fds {version}. {_prose('phrases', 'pied')}"
    return Rapport(_lire("rapport.yaml")["titre"], sous_titre, tuple(blocs), pied)


def trois_phrases(backtest: Backtest) -> tuple[str, str, str]:
    """Say the whole in three sentences: the total, the months, what the agreement is worth."""
    totaux, mois = backtest.carte["totaux"], backtest.tables["mois_aide"]
    simule, verse = totaux["simules"].get("volet_1", {}).get("montant", 0.0), totaux["verses"]["volet_1"]
    dehors = mois.filter(pl.col("position") != "dans").select("premier_mois", "dernier_mois")
    dehors = _enumerer([mois_long(*bornes) for bornes in dehors.rows()])
    ecartees = backtest.tables[RESUME].filter((pl.col("statut") == "ecartee") & pl.col("part_25").is_not_null())
    ecartees = ecartees.filter(~pl.col("marge").str.starts_with("volet_2")).sort("part_25").to_dicts()
    etendue = "rien n'a pu être comparé"
    if ecartees:
        bas, haut = ecartees[0], ecartees[-1]
        etendue = _prose("phrases", "etendue").format(
            part_basse=pourcent(bas["part_25"]),
            bas=_minuscule(bas["titre"]),
            part_haute=pourcent(haut["part_25"]),
            haut=_minuscule(haut["titre"]),
        )
    return (
        _prose("phrases", "total").format(
            lignes=nombre(backtest.carte["entreprises"]),
            simule=milliards(simule),
            verse=milliards(verse),
            rapport=rapport(simule, verse),
        ),
        _prose("phrases", "mois").format(
            dedans=mois.filter(pl.col("position") == "dans").height,
            nombre=mois.height,
            dehors=f"{FINE}; hors des bornes : {dehors}" if dehors else "",
        ),
        _prose("phrases", "accord").format(etendue=etendue),
    )


# ---- bricks ----


def _section(nom: str) -> Section:
    return Section(_prose("sections", nom), nom.replace("_", "-"))


def _source(nom: str) -> str:
    annee, mois, jour = publie.DATE_DES_MARGES.split("-")
    date = f"{int(jour)} {mois_long(f'{annee}-{mois}')}"
    return _prose("sources", nom).format(date_des_marges=date)


def _figure(nom: str, dessin: dict, **valeurs) -> Figure:
    prose = _prose("figures", nom)
    description, limite = (prose[cle].format(**valeurs) for cle in ("description", "limite"))
    return Figure(prose["titre"], dessin, description, _source(prose["source"]), limite)


def _tableau(
    nom: str, lignes, *, mots: tuple[int, ...] = (0,), totaux: int = 0, gabarit: str = "", **valeurs
) -> Tableau:
    """Make a table named in the prose, its columns described there or under the name ``gabarit``."""
    prose = _prose("tableaux", gabarit or nom) | _prose("tableaux", nom)
    premiere = (prose["premiere"],) if "premiere" in prose else ()
    return Tableau(
        prose["titre"],
        (*premiere, *prose["entetes"]),
        tuple(lignes),
        mots,
        _source(prose["source"]),
        prose["limite"].format(**valeurs),
        totaux,
        tuple(prose["largeurs"]),
    )


# ---- months ----


def _par_mois(backtest: Backtest) -> list:
    mois, paiements = backtest.tables["mois_aide"], backtest.tables["mois_paiement"]
    lignes = [
        (
            mois_court(ligne["premier_mois"], ligne["dernier_mois"]),
            millions(ligne["simule"]),
            millions(ligne["cible"]),
            f"{millions(ligne['bas'])} – {millions(ligne['haut'])}",
            rapport(ligne["simule"], ligne["cible"]),
            POSITIONS[ligne["position"]],
            nombre(ligne["moyenne"]),
            nombre(ligne["moyenne_cible"]),
        )
        for ligne in mois.iter_rows(named=True)
    ]
    simule, cible = mois["simule"].sum(), mois["cible"].sum()
    lignes.append(("Total", millions(simule), millions(cible), "", rapport(simule, cible), "", "", ""))
    complement = milliards(backtest.tables["mois"]["complement"].sum(), 3)
    valeurs = {
        "nombre": paiements.drop_nulls("mois").height,
        "erreur": pourcent(backtest.erreur("mois_paiement")["erreur"]),
    }
    return [
        _section("mois"),
        _figure("mois_aide", graphiques.mois_aide(mois)),
        _tableau("mois_aide", lignes, mots=(0, 5), totaux=1, complement=complement),
        _tableau("officiels", _officiels(backtest.tables["officiels"]), mots=(0, 1)),
        _figure("mois_paiement", graphiques.mois_paiement(paiements), **valeurs),
    ]


def _officiels(table: pl.DataFrame) -> list[tuple[str, ...]]:
    """List each official figure beside the simulated one: amount, number, or mean."""
    mesures = (("Montant, M€", "simule", "verse", millions), ("Entreprises, milliers", "aides", "nombre", _milliers))
    mesures += (("Aide moyenne, €", "moyenne", "moyenne_versee", nombre),)
    return [
        (
            mois_long(ligne["premier_mois"], ligne["dernier_mois"]),
            titre,
            ecrire(ligne[simule]),
            ecrire(ligne[verse]),
            rapport(ligne[simule], ligne[verse]),
        )
        for ligne in table.iter_rows(named=True)
        for titre, simule, verse, ecrire in mesures
        # A count over several months is of enterprises, not of aids: nothing simulated to lay beside.
        if ligne[verse] is not None and (verse != "nombre" or ligne["premier_mois"] == ligne["dernier_mois"])
    ]


# ---- margins ----


def _par_marge(backtest: Backtest) -> list:
    sections, departements = backtest.marge("section"), backtest.marge("departement")
    sections = sections.sort("verse", descending=True, nulls_last=True)
    part = pourcent(backtest.erreur("departement")["part_25"])
    formes = graphiques.part_des_formes(backtest.tables["forme_par_mois"], "entreprise_individuelle")
    return [
        _section("activite"),
        _figure("section", graphiques.marge(sections)),
        _tableau("composition", _composition(backtest.tables["section_par_mois"])),
        _marge("section", sections),
        _section("territoire"),
        _figure("cartes", graphiques.cartes(departements), part=part),
        _marge("region", backtest.marge("region").sort("verse", descending=True, nulls_last=True)),
        _section("taille"),
        _marge("classe_effectif", backtest.marge("classe_effectif")),
        _marge("forme_juridique", backtest.marge("forme_juridique").sort("verse", descending=True, nulls_last=True)),
        _figure("formes", formes),
    ]


def _composition(table: pl.DataFrame) -> list[tuple[str, ...]]:
    """Give, for each phase and large section, its simulated and paid shares of the euros, in percent."""
    parts = {
        (mois, code): (part, versee)
        for mois, code, part, versee in table.select("mois", "code", "part", "part_versee").rows()
    }
    return [
        (
            mois_long(mois) if mois != publie.PREMIER_FLUX[1] else mois_long(*publie.PREMIER_FLUX),
            *(_deux_parts(*parts.get((mois, code), (None, None))) for code in SECTIONS),
        )
        for mois in PHASES
    ]


def _deux_parts(simulee: float | None, versee: float | None) -> str:
    return " / ".join(RIEN if part is None else nombre(100 * part) for part in (simulee, versee))


def _marge(nom: str, table: pl.DataFrame) -> Tableau:
    """Make the table of a margin, and its total."""
    total = table.select(pl.lit("Total").alias("libelle"), pl.exclude("code", "libelle").sum())
    lignes = [
        (
            ligne["libelle"],
            millions(ligne["simule"]),
            millions(ligne["verse"]),
            rapport(ligne["simule"], ligne["verse"]),
            _milliers(ligne["entreprises"]),
            _milliers(ligne["entreprises_versees"]),
            nombre(_quotient(ligne["simule"], ligne["aides"])),
            nombre(_quotient(ligne["verse"], ligne["aides_versees"])),
        )
        for ligne in [*table.iter_rows(named=True), *total.iter_rows(named=True)]
    ]
    return _tableau(nom, lignes, totaux=1, gabarit="marge")


# ---- amounts ----


def _montants(backtest: Backtest) -> list:
    tables = backtest.tables
    montres = tables["articles"].drop_nulls("simule").group_by("article", maintain_order=True)
    articles = montres.agg(pl.min("mois").alias("debut"), pl.max("mois").alias("fin"), pl.sum("simule", "aides"))
    lignes = [
        (
            libelle_aide(ligne["article"]),
            _periode(ligne["debut"], ligne["fin"]),
            _milliers(ligne["aides"]),
            millions(ligne["simule"], 1),
            nombre(_quotient(ligne["simule"], ligne["aides"])),
        )
        for ligne in articles.iter_rows(named=True)
    ]
    volet_2 = backtest.marge("volet_2_section").filter(pl.col("verse") >= PLANCHER_DU_VOLET_2)
    return [
        _section("montants"),
        _figure("regimes", graphiques.regimes(tables["regime"])),
        _figure("tranches", graphiques.tranches(tables["tranche"])),
        _figure("plafonds", graphiques.plafonds(tables["tranche"])),
        _figure("pertes", graphiques.pertes(tables["perte"])),
        _figure("seuils", graphiques.seuils(tables["seuils"])),
        _tableau("articles", lignes, mots=(0, 1)),
        _section("volet_2"),
        _marge("volet_2_section", volet_2.sort("verse", descending=True)),
    ]


# ---- what it is worth ----


def _validation(backtest: Backtest) -> list:
    blocs = [_section("validation"), Encadre((AVERTISSEMENT,))]
    for statut in STATUTS:
        lignes = [
            (
                ligne["titre"],
                nombre(ligne["cases"]),
                pourcent(ligne["couverture"]),
                RIEN if ligne["marge"] == "moyenne_par_mois" else rapport(ligne["simule"], ligne["verse"]),
                pourcent(ligne["erreur"]),
                pourcent(ligne["part_10"]),
                pourcent(ligne["part_25"]),
                f"{ligne['grandes_25']} sur {ligne['grandes']}",
            )
            for ligne in backtest.tables[RESUME].filter(pl.col("statut") == statut).iter_rows(named=True)
        ]
        if lignes:
            blocs.append(_tableau(statut, lignes, gabarit="resume", grande=pourcent(GRANDE)))
    return blocs


def _ecarts(backtest: Backtest) -> list:
    """Say each month and large cell that is missed, and why when it is known."""
    manques = [
        (
            f"Mois d'aide : {mois_long(ligne['premier_mois'], ligne['dernier_mois'])}",
            rapport(ligne["simule"], ligne["cible"]),
            _raison("mois_aide", ligne["premier_mois"]),
        )
        for ligne in backtest.tables["mois_aide"].filter(pl.col("position") != "dans").iter_rows(named=True)
    ]
    for nom in backtest.tables["marges"]["marge"].unique(maintain_order=True):
        manques += _cases_manquees(nom, backtest)
    if not manques:
        return [_section("ecarts"), Paragraphe(_prose("textes", "aucun_ecart"))]
    return [_section("ecarts"), Paragraphe(_prose("textes", "ecarts")), _tableau("ecarts", manques, mots=(0, 2))]


def _cases_manquees(nom: str, backtest: Backtest) -> list[tuple[str, str, str]]:
    """List the large cells of a margin that are missed: one by one, or together when one reason holds for all."""
    table, titre = backtest.marge(nom), backtest.erreur(nom)["titre"]
    grandes = table.filter(pl.col("verse") >= part_des_grandes(nom) * pl.col("verse").sum())
    grandes = grandes.with_columns(ratio=pl.col("simule").fill_null(0) / pl.col("verse"))
    loin = grandes.filter((pl.col("ratio") - 1).abs() > SEUILS[1])
    commune = _lire("ecarts.yaml").get(nom, {}).get("tous")
    if commune and loin.height > 1:
        etendue = f"{nombre(loin['ratio'].min(), 2)} à {nombre(loin['ratio'].max(), 2)}"
        return [(f"{titre} : {loin.height} grandes cases sur {grandes.height}", etendue, commune)]
    return [
        (f"{titre} : {ligne['libelle']}", rapport(ligne["simule"], ligne["verse"]), _raison(nom, ligne["code"]))
        for ligne in loin.iter_rows(named=True)
    ]


def _raison(marge: str, code: str) -> str:
    connues = _lire("ecarts.yaml").get(marge, {})
    return connues.get(code) or connues.get("tous") or "Sans raison connue."


def _doutes(backtest: Backtest) -> list:
    from openfisca_fds_tools.scenarios.doutes import CONFIANCES, doutes

    lignes = [
        (doute.question, doute.retenue, ", ".join(CONFIANCES[c] for c in doute.confiance))
        for doute in doutes()
        if doute.autres
    ]
    return [_section("doutes"), Paragraphe(_prose("textes", "doutes")), _tableau("doutes", lignes, mots=(0, 1, 2))]


def _methode() -> list:
    r = versements.rythme()
    valeurs = {
        "part_immediate": pourcent(r["part_immediate"]),
        "jours_immediats": nombre(r["jours_immediats"]),
        "part_etalee": pourcent(r["part_etalee"]),
        "jours_tardifs": nombre(r["jours_tardifs"]),
    }
    return [_section("methode"), Liste(tuple(phrase.format(**valeurs) for phrase in _prose("listes", "methode")))]


def _carte(carte: dict) -> list:
    premier, *autres = carte["entrees"]
    fichiers = f"{premier['fichier']} (sha256 {premier['sha256'][:12]}…)"
    lignes = [
        ("Date", _date(carte["date"])),
        ("Population", f"{fichiers} et {len(autres)} autres" if autres else fichiers),
        ("Entreprises (lignes)", nombre(carte["entreprises"])),
        ("Modèle", f"openfisca-fds {carte['modele']['version']}"),
        ("Empreinte des paramètres", carte["modele"]["parametres"][:16]),
        ("Empreinte des formules", carte["modele"]["formules"][:16]),
        ("Logiciels", ", ".join(f"{nom} {version}" for nom, version in carte["logiciels"].items())),
        ("Paiements", f"{carte['source_des_paiements']}, Licence Ouverte 2.0"),
        ("Durée du calcul", f"{nombre(carte['secondes'], 1)} s"),
    ]
    return [_section("carte"), _tableau("carte", lignes, mots=(0, 1))]


# ---- words ----


def _quotient(numerateur: float | None, denominateur: float | None) -> float | None:
    return numerateur / denominateur if numerateur is not None and denominateur else None


def _milliers(valeur: float | None) -> str:
    return RIEN if valeur is None else nombre(valeur / 1000, 1)


def _periode(debut: str, fin: str) -> str:
    return mois_court(debut, fin) if debut[:4] == fin[:4] else f"{mois_court(debut)} – {mois_court(fin)}"


def _enumerer(noms: list[str]) -> str:
    return " et ".join(part for part in (", ".join(noms[:-1]), *noms[-1:]) if part)


def _minuscule(titre: str) -> str:
    return titre[0].lower() + titre[1:]


def _date(iso: str) -> str:
    annee, mois, jour = iso[:10].split("-")
    return f"{'1er' if jour == '01' else int(jour)} {mois_long(f'{annee}-{mois}')}"
