"""The WSGI application: openfisca-core's, every failure of which is answered, and the routes of this model.

    gunicorn openfisca_fds_tools.web.application:application

is possible; ``openfisca-fds serve`` sets what goes with it.
"""

import json
import logging
import traceback
from datetime import date
from functools import cache
from pathlib import Path

from flask import Blueprint, Response, render_template, request
from flask.json.provider import DefaultJSONProvider
from openfisca_core.parameters import Parameter
from openfisca_web_api.app import create_app
from werkzeug.exceptions import HTTPException
from werkzeug.middleware.proxy_fix import ProxyFix

from openfisca_fds import CountryTaxBenefitSystem
from openfisca_fds_tools.situation import ErreurSituation, Place, suggestion
from openfisca_fds_tools.web import calculs, formulaire
from openfisca_fds_tools.web.couverture import couverture, historique
from openfisca_fds_tools.web.enveloppe import CLE_REQUETE, CLE_ROUTE, Enveloppe, Reglages, mesures
from openfisca_fds_tools.web.lecture import LIMITES, RequeteRefusee, court, lire_json
from openfisca_fds_tools.web.reformes import Reformes
from openfisca_fds_tools.web.specification import CAS, specification

JOURNAL = logging.getLogger("openfisca_fds")
DOSSIER = Path(__file__).parent
MESSAGES = {  # of the errors that werkzeug raises
    400: ("requête incorrecte", "voir GET /spec"),
    404: ("adresse inconnue", "voir GET /spec"),
    405: ("méthode refusée", "voir l'en-tête Allow"),
    413: ("corps trop grand", f"au plus {LIMITES['octets']} octets, {LIMITES['octets_simulate']} pour /simulate"),
}


def _texte(valeur):
    return valeur.isoformat() if isinstance(valeur, date) else DefaultJSONProvider.default(valeur)


class Json(DefaultJSONProvider):
    """JSON in the order of the keys, accents as they are, dates as AAAA-MM-JJ, never NaN."""

    def dumps(self, obj, **kwargs):
        """Write, lone surrogates replaced, which UTF-8 cannot hold."""
        texte = json.dumps(obj, ensure_ascii=False, allow_nan=False, default=_texte)
        return texte.encode("utf-8", "replace").decode("utf-8")


def creer(systeme=None, reglages=None):
    """Make the application.

    Args:
        systeme: tax and benefit system; the model without reform by default.
        reglages: Reglages; those of the environment by default.

    Returns:
        Flask application, whose ``wsgi_app`` is complete.
    """
    systeme = systeme or CountryTaxBenefitSystem()
    reglages = reglages or Reglages.de_l_environnement()
    app = create_app(systeme)
    app.json = Json(app)
    app.config["MAX_CONTENT_LENGTH"] = LIMITES["octets"]
    app.before_request_funcs.clear()  # the core redirects « //ailleurs/ » to another site
    app.before_request(_noter_la_route)
    _erreurs(app)
    reformes, document = Reformes(systeme, reglages.reformes), {}
    _noyau(app, systeme, reformes, document)
    app.register_blueprint(_routes(systeme, reformes))
    document.update(specification(app.test_client(), systeme, _version(systeme), reformes.liste()))
    app.config["TRUSTED_HOSTS"] = list(reglages.hotes) or None
    interieur = app.wsgi_app.app  # without the core's ProxyFix, which trusts X-Forwarded-Host
    if reglages.proxies:
        interieur = ProxyFix(interieur, x_for=0, x_proto=reglages.proxies, x_host=0)
    app.wsgi_app = Enveloppe(interieur, reglages)
    return app


def _version(systeme):
    return systeme.get_package_metadata()["version"]


def _noter_la_route():
    request.environ[CLE_ROUTE] = request.url_rule.rule if request.url_rule else "inconnue"
    if request.path == "/simulate":
        request.max_content_length = LIMITES["octets_simulate"]


# ---- errors ----


def _erreurs(app):
    app.log_exception = lambda _: None  # Flask would log the text of the exception: see _erreur_interne
    app.register_error_handler(ErreurSituation, _refuser)
    app.register_error_handler(HTTPException, _erreur_http)
    app.register_error_handler(500, _erreur_interne)


def _refuser(erreur):
    corps = {
        "error": court(erreur, 2_000),
        "chemin": list(erreur.place.chemin),
        "probleme": court(erreur.probleme, 2_000),
        "attendu": court(erreur.attendu, 1_000),
    }
    return corps, getattr(erreur, "statut", 400)


def _erreur_http(erreur):
    probleme, attendu = MESSAGES.get(erreur.code, (erreur.name, ""))
    corps = {"error": f"{probleme} ; {attendu}".strip(" ;"), "chemin": [], "probleme": probleme, "attendu": attendu}
    entetes = [(nom, valeur) for nom, valeur in erreur.get_headers() if nom.lower() == "allow"]
    return corps, erreur.code, entetes


def _erreur_interne(erreur):
    """Answer without the text of the exception, and log its lines without its message, which may quote a body."""
    cause = getattr(erreur, "original_exception", None) or erreur
    lignes = [f"{Path(ligne.filename).name}:{ligne.lineno}" for ligne in traceback.extract_tb(cause.__traceback__)]
    numero = request.environ.get(CLE_REQUETE)
    JOURNAL.error(
        "erreur interne", extra={"champs": {"requete": numero, "erreur": type(cause).__name__, "ou": lignes[-12:]}}
    )
    probleme = f"erreur interne, à signaler avec le numéro {numero}"
    return {"error": probleme, "chemin": [], "probleme": probleme, "attendu": ""}, 500


# ---- the routes of the core ----


def _noyau(app, systeme, reformes, document):
    """Put our own answers behind the routes of openfisca-core, in the same form; ``document`` is that of /spec."""
    d_origine = dict(app.view_functions)

    def racine():
        if request.accept_mimetypes.best_match(["text/html", "application/json"]) == "application/json":
            adresse = f"{request.host_url}spec"
            return {"welcome": f"Ceci est la racine d'une API web OpenFisca, décrite par {adresse}."}, 300
        return render_template("calcul.html", **formulaire.contexte(systeme), reformes=reformes.liste())

    def get_parameter(parameter_id):
        nom = parameter_id.replace("/", ".")
        parametre = _parametres(systeme).get(nom)
        if parametre is None:
            raise _inconnu("paramètre inconnu", nom, _parametres(systeme), "/parameters")
        reponse = d_origine["get_parameter"](parameter_id=parameter_id)
        if isinstance(parametre, Parameter):
            return _sans_source_vide({**reponse.get_json(), "historique": historique(parametre)})
        return reponse

    def get_variable(id):
        if id not in systeme.variables:
            raise _inconnu("variable inconnue", id, systeme.variables, "/variables")
        return _sans_source_vide(d_origine["get_variable"](id=id))

    def get_spec():
        adresse = f"{request.scheme}://{request.host}"
        return {**document, "servers": [{"url": adresse}]}

    app.view_functions.update(
        get_root=racine,
        get_parameter=get_parameter,
        get_variable=get_variable,
        get_spec=get_spec,
        calculate=lambda: calculs.calculate(_systeme_demande(reformes), _json()),
        trace=lambda: calculs.trace(_systeme_demande(reformes), _json()),
    )


@cache
def _parametres(systeme):
    return {parametre.name: parametre for parametre in systeme.parameters.get_descendants()}


def _inconnu(probleme, nom, noms, route):
    nom = court(nom)
    return RequeteRefusee(404, Place((nom,)), probleme, suggestion(nom, noms) or f"un nom de GET {route}")


def _sans_source_vide(reponse):
    """Take away an address that begins by None, as openfisca-core makes for a package without repository."""
    contenu = reponse if isinstance(reponse, dict) else reponse.get_json()
    return {cle: valeur for cle, valeur in contenu.items() if not (cle == "source" and valeur.startswith("None/"))}


def _systeme_demande(reformes, *options):
    """Give the system that the query string asks for, which says nothing else but ``options``."""
    connues = ("reforme", *options)
    for nom in request.args:
        if nom not in connues:
            attendu = suggestion(court(nom), connues) or ", ".join(connues)
            raise RequeteRefusee(400, Place((court(nom),)), "paramètre d'URL inconnu ici", attendu)
    return reformes.systeme(request.args.get("reforme"))


def _json():
    """Read the JSON body of the request."""
    _exiger_le_type("application/json")
    return lire_json(request.get_data())


def _exiger_le_type(*types):
    if request.mimetype not in types:
        recu = court(request.mimetype) or "absent"
        raise RequeteRefusee(415, Place(("Content-Type",)), f"type {recu}", " ou ".join(types))
    codage = request.headers.get("Content-Encoding", "identity")
    if codage != "identity":
        raise RequeteRefusee(
            415, Place(("Content-Encoding",)), f"corps codé en {court(codage)}", "un corps sans codage"
        )


# ---- our routes ----


def _routes(systeme, reformes):
    routes = Blueprint(
        "fds", __name__, static_folder=DOSSIER / "statique", static_url_path="/statique", template_folder="pages"
    )

    @routes.post("/explain")
    def explain():
        return calculs.expliquer(_systeme_demande(reformes), _json())

    @routes.post("/sweep")
    def sweep():
        return calculs.balayer(_systeme_demande(reformes), _json())

    @routes.post("/simulate")
    def simulate():
        from openfisca_fds_tools.web import populations  # Polars starts threads: never before gunicorn forks

        _exiger_le_type(*populations.FORMATS)
        options = () if request.mimetype == populations.JSON else ("mois", "sorties", "par")
        demande = _systeme_demande(reformes, *options)
        reforme = reformes.classes.get(request.args.get("reforme"))  # the engine makes its own system
        accepte = request.accept_mimetypes.best_match(populations.FORMATS, default=populations.JSON)
        corps, genre, avis = populations.simuler(
            demande, request.mimetype, request.get_data(), request.args, accepte, reforme
        )
        return Response(corps, mimetype=genre, headers={"X-Avertissements": json.dumps(avis)} if avis else None)

    @routes.get("/coverage")
    def coverage():
        return _couverture(systeme)

    @routes.get("/parametres")
    def parametres():
        return render_template("parametres.html")

    @routes.get("/health")
    def health():
        return {"etat": "vivant"}

    @routes.get("/ready")
    def ready():
        montant = calculs.calculate(systeme, json.loads(json.dumps(CAS)))
        return {"etat": "prêt"} if montant else ({"etat": "indisponible"}, 503)

    @routes.get("/metrics")
    def metrics():
        corps, genre = mesures()
        return Response(corps, content_type=genre)

    return routes


@cache
def _couverture(systeme):
    return couverture(systeme)


def __getattr__(nom):
    """Make ``application`` when a WSGI server asks for it."""
    if nom == "application":
        return creer()
    raise AttributeError(nom)
