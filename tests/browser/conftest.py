"""A browser (Debian's Chromium) and a server in this process; without the browser, these tests say so and skip."""

import shutil
import threading
from pathlib import Path

import pytest
from werkzeug.serving import make_server

from openfisca_fds_tools.web.application import creer
from openfisca_fds_tools.web.enveloppe import Reglages

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
BUREAU, TELEPHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}


def pytest_collection_modifyitems(items):
    if CHROMIUM is None:
        for item in items:
            if "browser" in item.path.parts:
                item.add_marker(pytest.mark.skip(reason="Chromium absent : apt-get install chromium"))


@pytest.fixture(scope="session")
def adresse(systeme):
    reformes = Path(__file__).parents[2] / "examples" / "reformes"
    serveur = make_server("127.0.0.1", 0, creer(systeme, Reglages(reformes=reformes)), threaded=True)
    fil = threading.Thread(target=serveur.serve_forever, daemon=True)
    fil.start()
    yield f"http://127.0.0.1:{serveur.server_port}"
    serveur.shutdown()
    fil.join()


@pytest.fixture(scope="session")
def navigateur():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright absent : pip install playwright")
    with playwright.sync_playwright() as moteur:
        chromium = moteur.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture(params=["bureau"])
def page(request, navigateur, adresse):
    """Give a page that fails the test on an error of the console or a request to elsewhere."""
    taille = TELEPHONE if request.param == "telephone" else BUREAU
    contexte = navigateur.new_context(base_url=adresse, viewport=taille, locale="fr-FR", accept_downloads=True)
    contexte.grant_permissions(["clipboard-read", "clipboard-write"])
    page = contexte.new_page()
    page.bring_to_front()
    page.set_default_timeout(30_000)
    ennuis = []
    page.on("pageerror", lambda erreur: ennuis.append(str(erreur)))
    page.on("request", lambda r: ennuis.append(r.url) if not r.url.startswith((adresse, "blob:")) else None)
    page.on("console", lambda m: ennuis.append(m.text) if "Content Security" in m.text else None)
    yield page
    contexte.close()
    assert not ennuis
