"""``openfisca-fds serve``: the application under gunicorn, with sane limits and JSON logs."""

import errno
import gc
import json
import logging
import os
import re
import resource
import shutil
import socket
import tempfile
from pathlib import Path

import click
from gunicorn.app.base import BaseApplication

REQUETES_PAR_OUVRIER = 2_000  # then the worker is replaced, which bounds the growth of its memory
OBJETS_NEUFS = 10_000  # before the collector looks at them: at its usual 700, it takes one twentieth of a request
ADRESSE = re.compile(r"\bip=\S+")
ECOUTE_IMPOSSIBLE = {
    errno.EADDRINUSE: "un autre programme y écoute déjà ; choisir un autre --port",
    errno.EACCES: "réservé à l'administrateur ; choisir un --port d'au moins 1024",
    errno.EADDRNOTAVAIL: "cette machine n'a pas cette adresse ; changer --host",
}


class FormatJson(logging.Formatter):
    """One JSON object a line; what is not ours loses the addresses of clients and the text of exceptions."""

    def format(self, record):
        """Write a record."""
        champs = {"date": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"), "niveau": record.levelname}
        champs |= getattr(record, "champs", {}) or {"message": ADRESSE.sub("ip=…", record.getMessage())}
        if record.exc_info and record.exc_info[0]:
            champs["erreur"] = record.exc_info[0].__name__
        return json.dumps(champs, ensure_ascii=False)


class Serveur(BaseApplication):
    """Gunicorn, configured by a dictionary."""

    def __init__(self, options):
        self.options = options
        super().__init__()

    def load_config(self):
        """Set the options."""
        for cle, valeur in self.options.items():
            self.cfg.set(cle, valeur)

    def load(self):
        """Make the application, once, in the parent of the workers."""
        from openfisca_fds_tools.web.application import creer

        application = creer()
        gc.collect()
        gc.freeze()  # the workers share these pages as long as nobody writes in them
        gc.set_threshold(OBJETS_NEUFS)
        return application


def options(host, port, workers, timeout, memory):
    """Give the options of gunicorn.

    Args:
        host: address to listen on.
        port: port.
        workers: number of processes.
        timeout: seconds before a busy worker is killed and replaced.
        memory: gibibytes that a worker may address.
    """
    return {
        "bind": f"{host}:{port}",
        "workers": workers,
        "worker_class": "openfisca_fds_tools.web.ouvrier.Ouvrier",
        "timeout": timeout,
        "graceful_timeout": timeout,
        "max_requests": REQUETES_PAR_OUVRIER,
        "max_requests_jitter": REQUETES_PAR_OUVRIER // 10,
        "preload_app": True,
        "worker_tmp_dir": "/dev/shm" if Path("/dev/shm").is_dir() else None,  # gunicorn's heartbeat
        "logconfig_dict": {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {"json": {"()": FormatJson}},
            "handlers": {
                "sortie": {"class": "logging.StreamHandler", "formatter": "json", "stream": "ext://sys.stdout"}
            },
            "root": {"level": "WARNING", "handlers": ["sortie"]},
            "loggers": {
                "openfisca_fds": {"level": "INFO", "handlers": ["sortie"], "propagate": False},
                "gunicorn.error": {"level": "INFO", "handlers": ["sortie"], "propagate": False},
            },
        },
        "post_fork": lambda _, __: resource.setrlimit(resource.RLIMIT_AS, (memory << 30, memory << 30)),
        "child_exit": _oublier,
    }


def verifier_l_adresse(host, port):
    """Listen for an instant, so that an address that cannot be had is said before anything starts.

    Raises:
        click.ClickException: the address is unknown, taken or forbidden.
    """
    try:
        famille, *_, adresse = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.create_server(adresse[:2], family=famille):
            pass
    except OSError as erreur:
        cause = ECOUTE_IMPOSSIBLE.get(erreur.errno, "adresse inconnue ou inutilisable ; changer --host")
        raise click.ClickException(f"Le serveur ne peut écouter sur {host}, port {port} : {cause}.") from None


def _oublier(_, ouvrier):
    from prometheus_client.multiprocess import mark_process_dead

    mark_process_dead(ouvrier.pid)


@click.command(help="Sert l'API et la page (gunicorn). Réglages : OPENFISCA_FDS_ORIGINES, _HOTES, _PROXIES.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Adresse d'écoute.")
@click.option(
    "--port", type=click.IntRange(0, 65_535), default=5000, show_default=True, help="Port ; 0 : un port libre."
)
@click.option("--workers", type=click.IntRange(1), help="Processus ; par défaut, deux par cœur et un de plus.")
@click.option("--timeout", type=click.IntRange(1), default=60, show_default=True, help="Secondes par requête.")
@click.option("--memory", type=click.IntRange(2), default=4, show_default=True, help="Gio par processus.")
@click.option(
    "--reform-dir",
    type=click.Path(exists=True, file_okay=False),
    envvar="OPENFISCA_FDS_REFORMES",
    help="Dossier des réformes (YAML) qu'une requête peut nommer ; aucune par défaut.",
)
def serve(host, port, workers, timeout, memory, reform_dir):
    """Serve the web API and its pages."""
    import waitress  # noqa: F401 — what the workers need, missed here rather than in each of them

    verifier_l_adresse(host, port)
    if reform_dir:
        os.environ["OPENFISCA_FDS_REFORMES"] = reform_dir
    coeurs = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    dossier, parent = tempfile.mkdtemp(prefix="openfisca-fds-mesures-"), os.getpid()
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = dossier  # read by prometheus_client when the application imports it
    try:
        Serveur(options(host, port, workers or 2 * coeurs + 1, timeout, memory)).run()
    finally:
        if os.getpid() == parent:  # a worker that stops leaves by here too, while the others still measure
            shutil.rmtree(dossier, ignore_errors=True)
