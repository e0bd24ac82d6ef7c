"""The page of the successive versions of each month: ``python -m openfisca_fds_tools.scenarios.versions``."""

import sys
from dataclasses import dataclass

from openfisca_fds_tools.population import model
from openfisca_fds_tools.population.command import libelle_aide
from openfisca_fds_tools.population.errors import nombre_fr
from openfisca_fds_tools.synthetic import echantillon

from .classes import titre
from .comparaison import comparer
from .loi import LoiAu, actes, article_du_chemin, dates_de_changement, dispositions, fin_de_valeur, loi_au
from .parametres import feuilles, loi

EN_TETE = """# Versions successives du droit, mois d'aide par mois d'aide

Écrit par `python -m openfisca_fds_tools.scenarios.versions > docs/versions.md`. Par mois d'aide : les dates où un
texte a changé le droit de ce mois, ce qui change, et le coût du mois sur {population} si le droit en était resté là
(volet 1 et complément, en millions d'euros). Le mécanisme et ses limites : [scenarios.md](scenarios.md). Un ajout à une
annexe est compté, non nommé. Réserve : valeurs écrites plus tard, datées de ce mois, dont la version d'alors n'est pas
connue ; elles gardent leur version finale.
"""


@dataclass(frozen=True)
class Version:
    """What changes for a month at a date."""

    date: str
    decrets: tuple[str, ...]
    changements: tuple[str, ...]


def versions(mois: str) -> list[Version]:
    """Successive versions of the law of a month (AAAA-MM), in the order of their dates."""
    jour, trouvees = f"{mois}-01", []
    ouvertures = [acte for acte in actes() if acte.debut and acte.debut <= jour <= acte.fin]
    dates = [date for date in dates_de_changement() if date >= min(acte.en_vigueur for acte in ouvertures)]
    avant = {}
    for date in dates:
        apres = _remplacees(date, jour)
        ouverts = [acte for acte in ouvertures if acte.en_vigueur == date]
        regles = [une for une in dispositions() if une.en_vigueur == date and (une.debut or "~") <= jour <= une.fin]
        textes = [f"ouvre {libelle_aide(acte.article)}" for acte in ouverts] + [une.regle for une in regles]
        decrets = {texte.decret for texte in (*ouverts, *regles)}
        annexes = 0
        for chemin, retablie in avant.items() if trouvees else ():
            if apres.get(chemin) != retablie:
                nouvelle = apres[chemin].publiee if chemin in apres else retablie.finale
                if nouvelle == retablie.publiee or article_du_chemin(chemin) == "volet_2":
                    continue  # the same value in another text, or an aid that is not monthly
                decrets.add(apres[chemin].decret if chemin in apres else retablie.finale_decret)
                if ".annexe_" in chemin:
                    annexes += 1
                else:
                    court = chemin.removeprefix("fonds_de_solidarite.")
                    textes.append(f"`{court}` : {_ecrire(retablie.publiee)} → {_ecrire(nouvelle)}")
        textes += [f"{annexes} ligne{'s' if annexes > 1 else ''} d'annexe"] if annexes else []
        if textes:
            trouvees.append(Version(date, tuple(sorted(str(d) for d in decrets)), tuple(textes)))
        avant = apres
    return trouvees


def _remplacees(date: str, jour: str) -> dict:
    """Give the replacements of a date that hold for a month that reads them, by parameter."""
    connus = feuilles(loi().parameters)
    return {
        r.chemin: r
        for r in LoiAu(date).remplacements
        if max(r.mois, connus[r.chemin].metadata.get("lu_depuis", "")) <= jour
        and ((fin := fin_de_valeur(connus[r.chemin], r.mois)) is None or jour <= fin)
    }


def _ecrire(valeur) -> str:
    if isinstance(valeur, bool):
        return "oui" if valeur else "non"
    if isinstance(valeur, (list, tuple)):
        return ", ".join(valeur) or "aucun"
    return "aucune" if valeur is None else f"{valeur:g}".replace(".", ",") if isinstance(valeur, float) else str(valeur)


def page(population=None, nom: str = "l'échantillon embarqué") -> str:
    """Markdown page: versions of each month and their cost on a population.

    Args:
        population: as for ``comparer``; None: the embedded sample.
        nom: how the page calls it.
    """
    mois = model.intervalle(model.PREMIER_MOIS, model.DERNIER_MOIS)
    par_mois = {un: versions(un) for un in mois}
    dates = sorted({version.date for suite in par_mois.values() for version in suite})
    reformes = {date: loi_au(date) for date in dates}
    couts = comparer(population or echantillon.chemin(), reformes.values()).couts
    apres = {(ligne["reforme"], ligne["mois"]): ligne for ligne in couts.iter_rows(named=True)}
    morceaux = [EN_TETE.format(population=nom).strip()]
    for un, suite in par_mois.items():
        lignes = ["| En vigueur | Décret | Ce qui change | Coût (M€) | Écart |", "|---|---|---|---:|---:|"]
        precedent = 0.0
        for version in suite:
            ligne = apres.get((titre(reformes[version.date]), un))
            cout = ligne["apres"] / 1e6 if ligne else 0.0
            ecart = cout - precedent
            signe = "+" if ecart > 0 else "−" if ecart < 0 else ""
            lignes.append(
                f"| {version.date} | {', '.join(version.decrets)} | {' ; '.join(version.changements)} "
                f"| {nombre_fr(cout, 1)} | {signe}{nombre_fr(abs(ecart), 1)} |"
            )
            precedent = cout
        morceaux.append(f"## {un}\n\n" + "\n".join(lignes))
        reserves = [r for r in LoiAu(suite[0].date).non_reconstituees if r.mois[:7] == un]
        if reserves:
            noms = ", ".join(f"`{r.chemin.removeprefix('fonds_de_solidarite.')}` ({r.finale_decret})" for r in reserves)
            morceaux.append(f"Réserve, le {suite[0].date} : {noms}.")
    return "\n\n".join(morceaux) + "\n"


if __name__ == "__main__":
    sys.stdout.write(page())
