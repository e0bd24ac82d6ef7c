"""The workers of the server: gunicorn keeps the processes, waitress reads and writes in each of them.

Requests are received, and answers sent, without waiting for anybody, thousands at a time; a request is computed once it
is whole, one at a time, in the same thread. So a slow client costs nothing to the others, a worker that computes takes
no new client, and one that computes for too long no longer notifies gunicorn, which replaces it.
"""

import json
import os
import socket
import sys
import time
from collections import deque

from gunicorn.workers.base import Worker
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask

from openfisca_fds_tools.web.lecture import LIMITES

ATTENTE = 20  # seconds without a byte from a client before its connection is closed
PATIENCE = 0.02  # seconds for the rest of a request just begun, before another client is taken
CONNEXIONS = 1_000  # open at once in a worker
EN_TETES = 32_768  # bytes
REGLAGES = {
    "asyncore_use_poll": True,  # select() knows 1 024 files at most
    "channel_timeout": ATTENTE,
    "cleanup_interval": ATTENTE // 4,
    "clear_untrusted_proxy_headers": False,  # the application believes none, but the scheme if it is told to
    "connection_limit": CONNEXIONS,
    "ident": "",
    "max_request_body_size": LIMITES["octets_simulate"],
    "max_request_header_size": EN_TETES,
    "outbuf_high_watermark": sys.maxsize,  # the thread that writes is the one that sends: it must never wait for itself
}


class Refus(ErrorTask):
    """What HTTP itself refuses, in the form of our other refusals."""

    def execute(self):
        """Answer."""
        erreur = self.request.error
        probleme = "corps ou en-têtes trop grands" if erreur.code in (413, 431) else "requête HTTP incorrecte"
        contenu = {"error": probleme, "chemin": [], "probleme": probleme, "attendu": "voir GET /spec"}
        corps = json.dumps(contenu, ensure_ascii=False).encode()
        self.status = f"{erreur.code} {erreur.reason}"
        self.response_headers.append(("Content-Type", "application/json"))
        self.set_close_on_finish()
        self.content_length = len(corps)
        self.write(corps)


class Connexion(HTTPChannel):
    """One request a connection, so that the next one goes to whichever worker is free."""

    error_task_class = Refus

    def __init__(self, server, sock, *args, **kwargs):
        super().__init__(server, sock, *args, **kwargs)
        server.derniere = self
        try:  # what comes first is often there, and whole: computed before another client is taken
            sock.recv(1, socket.MSG_PEEK)
        except OSError:
            return
        self.handle_read()

    def service(self):
        """Compute the request."""
        self.requests[0].headers["CONNECTION"] = "close"
        super().service()


class File(deque):
    """Requests that are whole, in the place of waitress's threads."""

    add_task = deque.append


class Ecoute(TcpWSGIServer):
    """The listening socket, that gunicorn opened and all the workers share."""

    channel_class = Connexion
    derniere = None  # connection

    def __init__(self, application, file, connexions, prise):
        if hasattr(socket, "TCP_DEFER_ACCEPT"):  # Linux: a client is given to us once it has said something
            prise.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, ATTENTE)
        lieu = prise.family, prise.type, prise.proto, prise.getsockname()
        reglages = Adjustments(**REGLAGES)
        super().__init__(
            application, connexions, _sock=prise, dispatcher=file, adj=reglages, sockinfo=lieu, bind_socket=False
        )

    def patiente(self):
        """Tell whether the last client is in the middle of a request, for so short a time that the rest must be near.

        Another client, taken meanwhile, would wait for that request; a free worker would serve it at once.
        """
        une = self.derniere
        commencee = une is not None and une.connected and une.request is not None
        return commencee and time.time() < une.creation_time + PATIENCE

    def readable(self):
        """Tell whether a client may be taken."""
        return super().readable() and not self.patiente()

    def handle_accept(self):
        """Take a client, unless a request is about to be computed: another worker may be free."""
        if not self.task_dispatcher:
            super().handle_accept()


class Ouvrier(Worker):
    """A gunicorn worker."""

    def run(self):
        """Serve until told to stop, or until ``max_requests``; then finish what is begun."""
        self.file, self.connexions = File(), {}
        self.ecoutes = [Ecoute(self.wsgi, self.file, self.connexions, une.sock) for une in self.sockets]
        while self.alive and os.getppid() == self.ppid:
            self.tour()
        fin = time.monotonic() + self.cfg.graceful_timeout
        for ecoute in self.ecoutes:
            ecoute.accepting = False
        while any(ecoute.active_channels for ecoute in self.ecoutes) and time.monotonic() < fin:
            self.tour()

    def tour(self):
        """Receive and send what can be, then compute."""
        self.notify()
        attente = PATIENCE if any(ecoute.patiente() for ecoute in self.ecoutes) else 1
        wasyncore.loop(attente, use_poll=True, map=self.connexions, count=1)
        while self.file:
            self.notify()
            self.file.popleft().service()
            self.nr += 1
            if self.nr == self.max_requests:
                self.alive = False
