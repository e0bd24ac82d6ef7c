"""What surrounds every answer: security and CORS headers, one JSON log line without personal data, measures.

The log and the measures know the route (never the path as it was written), the status, the duration and the sizes.
They know no address, no body, no query.
"""

import logging
import time
import uuid
from dataclasses import dataclass
from os import environ as environnement

from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from werkzeug.wsgi import ClosingIterator

ACCES = logging.getLogger("openfisca_fds.acces")
CLE_ROUTE, CLE_REQUETE = "openfisca_fds.route", "openfisca_fds.requete"  # in the WSGI environment

REQUETES = Counter("openfisca_fds_requetes", "Requêtes servies", ["methode", "route", "statut"])
DUREES = Histogram(
    "openfisca_fds_duree_secondes",
    "Durée des requêtes",
    ["route"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60),
)
METHODES = {"GET", "HEAD", "POST", "OPTIONS"}

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
SECURITE = [
    ("Content-Security-Policy", CSP),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
]
EXPOSES = "Country-Package, Country-Package-Version, X-Avertissements, X-Request-Id"


@dataclass(frozen=True)
class Reglages:
    """Settings of a server.

    Attributes:
        origines: origins that browsers may call from (``https://exemple.fr``), « * » for all; none by default.
        hotes: host names that are answered; empty: all.
        proxies: number of trusted reverse proxies, for the scheme only; the host they forward is never trusted.
        reformes: folder of the reforms that a request may name; None: none.
    """

    origines: tuple[str, ...] = ()
    hotes: tuple[str, ...] = ()
    proxies: int = 0
    reformes: str | None = None

    @classmethod
    def de_l_environnement(cls):
        """Read OPENFISCA_FDS_ORIGINES, _HOTES (separated by commas), _PROXIES and _REFORMES."""

        def liste(nom):
            return tuple(un.strip() for un in environnement.get(nom, "").split(",") if un.strip())

        proxies = int(environnement.get("OPENFISCA_FDS_PROXIES", "0"))
        reformes = environnement.get("OPENFISCA_FDS_REFORMES") or None
        return cls(liste("OPENFISCA_FDS_ORIGINES"), liste("OPENFISCA_FDS_HOTES"), proxies, reformes)


class Enveloppe:
    """WSGI middleware, the outermost."""

    def __init__(self, application, reglages):
        self.application, self.reglages = application, reglages

    def __call__(self, environ, start_response):
        """Answer a request of WSGI."""
        debut = time.perf_counter()
        identifiant = environ[CLE_REQUETE] = uuid.uuid4().hex[:16]
        environ["PATH_INFO"] = environ.get("PATH_INFO", "").rstrip("/") or "/"
        trace = {"statut": "500", "octets_envoyes": "0"}

        def commencer(statut, entetes, *exc_info):
            trace["statut"] = statut[:3]
            entetes = [(nom, valeur) for nom, valeur in entetes if not nom.lower().startswith("access-control-")]
            trace["octets_envoyes"] = next((v for nom, v in entetes if nom.lower() == "content-length"), "0")
            entetes += [*SECURITE, *self._cors(environ), ("X-Request-Id", identifiant)]
            return start_response(statut, entetes, *exc_info)

        def noter():
            duree = time.perf_counter() - debut
            route = environ.get(CLE_ROUTE, "inconnue")
            methode = environ["REQUEST_METHOD"] if environ["REQUEST_METHOD"] in METHODES else "autre"
            REQUETES.labels(methode, route, trace["statut"]).inc()
            DUREES.labels(route).observe(duree)
            champs = {
                "requete": identifiant,
                "methode": methode,
                "route": route,
                "statut": int(trace["statut"]),
                "duree_ms": round(1000 * duree, 1),
                "octets_recus": environ.get("CONTENT_LENGTH") or "0",
                "octets_envoyes": trace["octets_envoyes"],
            }
            ACCES.info("requête", extra={"champs": champs})

        return ClosingIterator(self.application(environ, commencer), noter)

    def _cors(self, environ):
        origine = environ.get("HTTP_ORIGIN")
        if not origine or not {"*", origine} & set(self.reglages.origines):
            return [("Vary", "Origin")] if self.reglages.origines else []
        return [
            ("Access-Control-Allow-Origin", origine if "*" not in self.reglages.origines else "*"),
            ("Access-Control-Allow-Methods", "GET, POST"),
            ("Access-Control-Allow-Headers", "Content-Type"),
            ("Access-Control-Expose-Headers", EXPOSES),
            ("Access-Control-Max-Age", "600"),
            ("Vary", "Origin"),
        ]


def mesures():
    """Give the measures of all the workers, in the text form of Prometheus.

    Returns:
        (bytes, media type).
    """
    registre = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in environnement:
        registre = CollectorRegistry()
        MultiProcessCollector(registre)
    return generate_latest(registre), CONTENT_TYPE_LATEST
