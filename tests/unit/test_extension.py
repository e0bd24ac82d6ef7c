"""The law loads as an extension of a host whose entities are ``entreprise`` and ``groupe``, and computes the same."""

import numpy
import pytest
from openfisca_core.entities import build_entity
from openfisca_core.periods import ETERNITY
from openfisca_core.taxbenefitsystems import TaxBenefitSystem
from properties.population import simuler, tirer

MOIS = ["2020-03", "2020-07", "2020-10", "2020-12", "2021-03", "2021-08", "2021-11"]


class Hote(TaxBenefitSystem):
    """Small host: its own entities, whose role bears another name, and one parameter of its own."""

    def __init__(self, dossier_des_parametres):
        entreprise = build_entity(key="entreprise", plural="entreprises", label="Société de l'hôte", is_person=True)
        filiale = {"key": "filiale", "plural": "filiales", "label": "Filiales"}
        groupe = build_entity(key="groupe", plural="groupes", label="Groupe de l'hôte", roles=[filiale])
        super().__init__([groupe, entreprise])
        self.load_parameters(str(dossier_des_parametres))


@pytest.fixture(scope="module")
def hote(tmp_path_factory):
    dossier = tmp_path_factory.mktemp("parametres")
    (dossier / "de_l_hote.yaml").write_text("values: {2019-01-01: {value: 1}}\n", encoding="utf-8")
    systeme = Hote(dossier)
    assert not systeme.variables
    systeme.load_extension("openfisca_fds")
    return systeme


def test_les_memes_variables_et_les_memes_parametres(hote, systeme):
    assert set(hote.variables) == set(systeme.variables)
    feuilles = [{feuille.name for feuille in s.parameters.get_descendants()} for s in (hote, systeme)]
    assert feuilles[0] == feuilles[1] | {"de_l_hote"}
    assert len(feuilles[1]) > 200


def test_chaque_variable_est_rattachee_aux_entites_de_l_hote(hote):
    for variable in hote.variables.values():
        assert variable.entity.key in {"entreprise", "groupe"}
        if variable.value_type is float:
            assert variable.dtype == numpy.float64, variable.name


def test_les_memes_resultats(hote, systeme):
    tirage = tirer(33, 300)
    seul, dans_l_hote = simuler(systeme, tirage), simuler(hote, tirage)
    for nom, variable in systeme.variables.items():
        for mois in MOIS if variable.definition_period != ETERNITY else ["2020-08"]:
            attendu, obtenu = seul.calculate(nom, mois), dans_l_hote.calculate(nom, mois)
            numpy.testing.assert_array_equal(numpy.asarray(obtenu), numpy.asarray(attendu), err_msg=f"{nom} {mois}")
    assert (dans_l_hote.calculate("fds_volet_1", "2020-12") > 0).any()


def test_charger_deux_fois_est_refuse(hote):
    with pytest.raises(Exception, match="date_creation|already|paramètre|parameter"):
        hote.load_extension("openfisca_fds")
