"""The law as of a date: complete, dated, and true to what it says it does not know."""

from datetime import date, timedelta

import pytest

from openfisca_fds_tools.scenarios import comparer, composer, loi_au
from openfisca_fds_tools.scenarios.classes import classe, titre
from openfisca_fds_tools.scenarios.loi import (
    PREMIERE_PUBLICATION,
    LoiAu,
    actes,
    dates_de_changement,
    dispositions,
    fin_de_valeur,
)
from openfisca_fds_tools.scenarios.parametres import DERNIER_MOIS, changer, feuilles, loi, mois_suivant
from openfisca_fds_tools.scenarios.versions import versions

INCONNUES = {  # by hand, from the surveys of the decrees: what no source read gives
    "2020-04-01": set(),
    "2020-06-22": set(),
    "2020-08-16": {
        "volet_2.discotheques.plancher_mars_aout",
        "volet_2.discotheques.plafond_mars_aout",
        "volet_2.discotheques.plafond_septembre_novembre",
    },
    "2021-02-20": {
        "chiffre_affaires_reference.tranches.octobre_2020",
        "chiffre_affaires_reference.tranches.sans_reference",
        "secteurs.pertes_passees.date_debut_octobre",
        "secteurs.pertes_passees.date_debut_novembre",
        "secteurs.pertes_passees.date_creation_premier_confinement",
    },
    "2021-03-11": set(),
    "2021-08-19": set(),
}


@pytest.mark.parametrize(("date", "inconnues"), INCONNUES.items())
def test_what_is_not_known_is_said(date, inconnues):
    courts = {r.chemin.removeprefix("fonds_de_solidarite.") for r in loi_au(date).provenance.non_reconstituees}
    assert courts == inconnues


def test_final_at_the_end():
    fin = loi_au(dates_de_changement()[-1]).provenance
    assert (fin.fermes, fin.absentes, fin.remplacements, fin.non_reconstituees) == ([], [], [], [])


def test_every_article_is_known():
    connues = {nom for acte in actes() for nom in acte.variables}
    assert connues <= set(loi().variables)
    montants = {
        nom for nom in loi().variables if nom.startswith("fds_article_") and nom.endswith(("_montant", "_eligible"))
    }
    montants -= {"fds_article_3_12_perte_forte_montant", "fds_articles_ouvrant_droit_montant"}
    assert montants <= connues


def test_every_month_of_an_article_has_its_act():
    """A month that an article pays, and that no text opens, would be open before its decree."""
    ouverts = {}
    for acte in actes():
        mois = acte.debut
        while mois is not None and mois <= acte.fin:
            ouverts.setdefault(acte.variables[-1], set()).add(mois)
            mois = mois_suivant(mois)
    for nom, mois_ouverts in ouverts.items():
        variable, mois, payes = loi().variables[nom], "2020-03-01", set()
        while mois <= DERNIER_MOIS:
            if variable.get_formula(mois) is not None:
                payes.add(mois)
            mois = mois_suivant(mois)
        assert payes == mois_ouverts, nom


def test_dispositions_add_to_an_open_article():
    for disposition in dispositions():
        for nom in disposition.variables:
            formules = loi().variables[nom].formulas
            assert disposition.formule is None or disposition.formule in formules, disposition
            assert disposition.formule is None or min(formules) < disposition.formule, "the formula before it goes on"
        ouvrants = [
            acte.en_vigueur
            for acte in actes()
            if (acte.debut is None if disposition.debut is None else acte.debut and acte.debut <= disposition.debut)
        ]
        assert min(ouvrants) < disposition.en_vigueur


# ---- « versions_anterieures: [] » : nothing of the earlier law reads the value ----


def _creees():
    """Values that their decree creates, by the day before it is in force."""
    par_veille = {}
    for parametre in feuilles(loi().parameters).values():
        for datee in parametre.values_list:
            vigueur = str(datee.metadata.get("en_vigueur"))
            if datee.metadata.get("versions_anterieures") == [] and vigueur > PREMIERE_PUBLICATION:
                par_veille.setdefault(vigueur, []).append((parametre.name, datee.instant_str))
    return par_veille


class Bouleversement:
    """Give absurd values to some parameters, at some months."""

    description = "Essai."

    def __init__(self, nom, cibles):
        self.nom, self.cibles = nom, cibles

    def appliquer(self, reforme):
        reforme.modify_parameters(self.modifier)

    def modifier(self, parametres):
        connus = feuilles(parametres)
        for chemin, mois in self.cibles:
            changer(connus[chemin], mois, fin_de_valeur(connus[chemin], mois), lambda datee: (_absurde(datee), {}))
        return parametres


def _absurde(datee):
    if isinstance(datee.value, bool):
        return not datee.value
    if isinstance(datee.value, list):
        return ["75"] if len(datee.value[0]) < 6 else ["56.10A", "55.10Z"]
    if isinstance(datee.value, str):
        return "2021-06-15"  # later: those whom the date will concern had no right before it
    return 0.01 if 0 < datee.value <= 1 else datee.value / 3


FENETRES = {  # last date in force -> some of the months that the law of that time pays
    "2020-06-22": "2020-03,2020-05",
    "2020-11-30": "2020-09:2020-10",
    "2021-01-30": "2020-10,2020-12",
    "2022-01-01": "2021-01,2021-02,2021-07",
}


@pytest.mark.parametrize(("fin", "mois"), FENETRES.items())
def test_a_value_that_its_decree_creates_is_read_by_nothing_before(fin, mois, variee):
    debut = max((autre for autre in FENETRES if autre < fin), default="")
    paires = []
    for vigueur, cibles in _creees().items():
        if debut < vigueur <= fin:
            au = loi_au(_veille(vigueur))
            paires.append((au, composer(au, classe(Bouleversement(f"essai {vigueur}", cibles)))))
    assert len(paires) > 1
    totaux = comparer(variee, [loi for paire in paires for loi in paire], mois).totaux()
    for au, bouleversee in paires:
        assert totaux[titre(bouleversee)] == totaux[titre(au)], bouleversee.provenance.parties[1].provenance.cibles


def _veille(jour):
    return (date.fromisoformat(jour) - timedelta(days=1)).isoformat()


def test_the_upheaval_does_change_the_final_law(variee):
    """The control: the same absurd values, in the final law, are read."""
    cibles = [cible for groupe in _creees().values() for cible in groupe]
    temoin = comparer(variee, [classe(Bouleversement("témoin", cibles))], "2021-01").totaux()
    assert next(iter(temoin.values()))[2] != 0


def test_the_date_must_be_one_and_after_the_decree():
    for mauvaise in ("2020-03-30", "hier", "2021-02-30"):
        with pytest.raises(ValueError, match="date"):
            loi_au(mauvaise)
    assert LoiAu("2020-04-01").fermes


def test_versions_of_a_month_and_only_what_changes():
    suite = versions("2020-04")
    assert [(version.date, version.decrets) for version in suite] == [
        ("2020-04-17", ("2020-433",)),
        ("2020-05-14", ("2020-552",)),
    ]
    assert suite[0].changements == ("ouvre art. 3-1",)
    assert any("pensions et indemnités" in texte for texte in suite[1].changements)
    octobre = [version for version in versions("2021-09") if version.date == "2021-10-16"]
    assert "rétablis pour septembre 2021" in octobre[0].changements[0]
    for mois in ("2020-05", "2020-11", "2021-02", "2021-08"):
        for texte in (texte for version in versions(mois) for texte in version.changements if " → " in texte):
            avant, apres = texte.split(" : ", 1)[1].split(" → ")
            assert avant != apres, texte
