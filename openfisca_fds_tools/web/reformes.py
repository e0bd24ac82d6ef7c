"""The reforms that a server accepts: those of a folder, by the name of their file, and no other."""

from pathlib import Path

from openfisca_fds_tools.scenarios import lire_fichier
from openfisca_fds_tools.situation import Place, suggestion
from openfisca_fds_tools.web.lecture import RequeteRefusee, court


class Reformes:
    """The law and its reforms, made once, at the start of the server.

    Attributes:
        classes: {name: Reform class}.
    """

    def __init__(self, systeme, dossier=None):
        """Read the folder; None: no reform.

        Args:
            systeme: tax and benefit system of the law.
            dossier: folder of YAML files.

        Raises:
            ErreurReforme: a file cannot be read.
            FileNotFoundError: no such folder.
        """
        if dossier is not None and not Path(dossier).is_dir():
            raise FileNotFoundError(f"Dossier de réformes introuvable : {dossier}")
        fichiers = sorted(Path(dossier).glob("*.yaml")) if dossier is not None else []
        self.classes = {fichier.stem: lire_fichier(fichier) for fichier in fichiers}
        self._systemes = {None: systeme} | {nom: classe(systeme) for nom, classe in self.classes.items()}

    def systeme(self, nom):
        """Give the system of a reform; None: the law.

        Raises:
            RequeteRefusee: 404, unknown name.
        """
        if nom not in self._systemes:
            nom = court(nom)
            attendu = suggestion(nom, self.classes) or ", ".join(self.classes) or "aucune réforme sur ce serveur"
            raise RequeteRefusee(404, Place(("reforme",)), f"réforme « {nom} » inconnue", attendu)
        return self._systemes[nom]

    def liste(self):
        """Tell each reform: ``{nom, titre, description}``."""
        return [
            {"nom": nom, "titre": classe.name, "description": classe.__doc__} for nom, classe in self.classes.items()
        ]
