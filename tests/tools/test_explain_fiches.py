"""Each article explained, accepted and refused, on the worked examples restated in the YAML cases.

The values expected were computed by hand from the texts by those who wrote the cases; here the explanation, and not
only the model, must give them: the right, the amount, the conditions and the intermediate amounts it shows.
"""

import re
from pathlib import Path

import pytest

from openfisca_fds_tools.explain import explain
from openfisca_fds_tools.situation import construire, lire_yaml

CAS = Path(__file__).parents[1] / "fonds_de_solidarite"
DROIT = re.compile(r"fds_article_(\d+(?:_\d+)?)_eligible")
PAR_ARTICLE = 2  # cases explained for each article and each answer


def cas_par_article():
    """Yield (article, right, case), the first cases of each article, accepted and refused."""
    pris = {}
    for chemin in sorted(CAS.rglob("*.yaml")):
        contenu = lire_yaml(chemin)
        for cas in contenu if isinstance(contenu, list) else [contenu]:
            if not re.fullmatch(r"20\d\d-\d\d", str(cas.get("period"))) or "reforms" in cas:
                continue
            for nom, attendu in cas["output"].items():
                trouve = DROIT.fullmatch(str(nom))
                if not trouve or not isinstance(attendu, bool):
                    continue
                retenus = pris.setdefault((trouve[1], attendu), [])
                if len(retenus) < PAR_ARTICLE:
                    retenus.append(cas)
                    yield pytest.param(trouve[1], attendu, cas, id=f"{trouve[1]}-{attendu}-{cas['name']}")


@pytest.mark.parametrize(("numero", "attendu", "cas"), list(cas_par_article()))
def test_l_explication_donne_les_valeurs_de_la_fiche(systeme, numero, attendu, cas):
    simulation = construire(systeme, cas.get("input") or {}, cas["period"])
    explication = explain(simulation, cas["period"], str(simulation.persons.ids[0]))
    article = next(un for un in explication.articles if un.numero == numero.replace("_", "-"))
    sortie = {nom: valeur for nom, valeur in cas["output"].items() if isinstance(valeur, (bool, int, float))}
    assert article.eligible is attendu
    assert bool(article.refus) is not attendu
    if article.variable_montant in sortie:
        assert article.montant == pytest.approx(sortie[article.variable_montant], abs=0.00501)
    montres = dict(conditions(article.conditions, str(cas["period"])))
    for calcul in (article.calcul, explication.total, explication.reference, *(b.calcul for b in article.branches)):
        montres |= dict(etapes(calcul))
    for nom in montres.keys() & sortie.keys():
        assert montres[nom] == pytest.approx(sortie[nom], abs=0.00501), nom


def conditions(liste, mois):
    """Yield (variable, value) of the conditions of the month, as the explanation tells them."""
    for une in liste:
        if une.variable and une.periode in (None, mois) and not une.libelle.endswith(" : non"):
            yield une.variable, une.statut == "remplie"
        yield from conditions(une.sous_conditions, mois)


def etapes(calcul):
    """Yield (variable, value) of an amount and of those it is made of."""
    if calcul.variable:
        yield calcul.variable, calcul.valeur
    for etape in calcul.etapes:
        yield from etapes(etape)


def test_chaque_article_a_un_accord_et_un_refus(systeme):
    articles = {trouve[1] for nom in systeme.variables if (trouve := DROIT.fullmatch(nom))}
    expliques = {tuple(parametres.values[:2]) for parametres in cas_par_article()}
    assert expliques == {(article, reponse) for article in articles for reponse in (True, False)}
