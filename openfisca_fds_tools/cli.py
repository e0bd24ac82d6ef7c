"""Command line ``openfisca-fds``: a group whose sub-commands are imported when they are asked for.

To add a sub-command, add its line to ``COMMANDES`` and to ``RESUMES``.
"""

import importlib
import sys

COMMANDES = {
    "simulate": "openfisca_fds_tools.population.command:simulate",
    "explain": "openfisca_fds_tools.explain.command:explain",
    "timeline": "openfisca_fds_tools.explain.command:timeline",
    "sweep": "openfisca_fds_tools.explain.command:sweep",
    "population": "openfisca_fds_tools.synthetic.command:population",
    "calibrate": "openfisca_fds_tools.synthetic.calibration.command:calibrate",
    "compare": "openfisca_fds_tools.scenarios.command:compare",
    "doubts": "openfisca_fds_tools.scenarios.command:doubts",
    "seek": "openfisca_fds_tools.scenarios.command:seek",
    "backtest": "openfisca_fds_tools.report.command:backtest",
    "report": "openfisca_fds_tools.report.command:report",
    "serve": "openfisca_fds_tools.web.command:serve",
}

RESUMES = {  # what the help says, in the order of the help
    "simulate": "Simuler une population : le coût par mois et par article.",
    "explain": "Expliquer l'aide d'une entreprise pour un mois.",
    "timeline": "Suivre une entreprise de mars 2020 à février 2022.",
    "sweep": "Suivre l'aide d'un mois quand une donnée varie.",
    "population": "Engendrer une population synthétique d'entreprises.",
    "calibrate": "Caler cette population sur les chiffres publiés.",
    "compare": "Chiffrer des réformes, ou le droit d'une date passée.",
    "doubts": "Lister les points douteux du droit, et les chiffrer.",
    "seek": "Chercher la valeur d'un paramètre qui atteint un budget.",
    "backtest": "Comparer une simulation à ce qui a été versé.",
    "report": "Faire de cette comparaison un rapport, en HTML ou en PDF.",
    "serve": "Servir l'API et la page web.",
}

EXTRAS = {  # package missing -> extra that brings it; any other belongs to « tools »
    "altair": "report",
    "great_tables": "report",
    "vl_convert": "report",
    "typst": "report",
    "scipy": "calibration",
    "prometheus_client": "web",
    "waitress": "web",
    "distributed": "dask",
    "dask": "dask",
}


# Bytes of address space; Polars and OpenBLAS reserve 1.7 GiB of it on 64 cores, and use little.
ESPACE_MINIMAL = 2 << 30


def _extra_manquant(module: str) -> None:
    """Say in one line which extra to install, and stop."""
    extra = EXTRAS.get(module, "tools")
    print(f'« {module} » manque : pip install "openfisca-fds[{extra}]"', file=sys.stderr)
    sys.exit(1)


try:
    import click
except ModuleNotFoundError as absence:
    _MODULE = absence.name

    def main() -> None:
        """Say which extra brings the command line."""
        _extra_manquant(_MODULE)

else:
    from openfisca_fds_tools.francais import parler_francais

    parler_francais()

    def _version(contexte: click.Context, _parametre, demandee: bool) -> None:
        if demandee and not contexte.resilient_parsing:
            from importlib import metadata

            try:
                click.echo(f"openfisca-fds {metadata.version('openfisca-fds')}")
            except metadata.PackageNotFoundError:
                click.echo("openfisca-fds (non installé)")
            contexte.exit()

    def _exiger_l_espace() -> None:
        """Refuse to start under a limit of the address space where a library could abort, or wait without end.

        Raises:
            click.ClickException: the limit (``ulimit -v``) is too low.
        """
        try:
            import resource
        except ModuleNotFoundError:  # not a Unix
            return
        limite = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limite != resource.RLIM_INFINITY and limite < ESPACE_MINIMAL:
            raise click.ClickException(
                f"Espace d'adressage limité à {limite >> 20} Mio (ulimit -v) : il en faut {ESPACE_MINIMAL >> 20}, "
                "réservés plus qu'occupés."
            )

    class GroupeParesseux(click.Group):
        """A group that imports a sub-command when it is used, so that ``--help`` stays instantaneous."""

        def invoke(self, ctx: click.Context) -> None:
            """Run a command; say in one line what the machine refuses and the command does not foresee."""
            try:
                return super().invoke(ctx)
            except ModuleNotFoundError as absence:
                if absence.name.startswith("openfisca_fds"):
                    raise
                return _extra_manquant(absence.name.partition(".")[0])
            except click.ClickException:
                raise
            except Exception:
                from openfisca_fds_tools.population.errors import ErreurUtilisateur, pannes_en_clair

                try:
                    with pannes_en_clair():
                        raise
                except ErreurUtilisateur as erreur:
                    raise click.ClickException(str(erreur)) from None

        def list_commands(self, ctx: click.Context) -> list[str]:
            """Names, in the order of ``COMMANDES``."""
            return list(COMMANDES)

        def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
            """Write the list of the help, without importing anything."""
            with formatter.section("Commandes "):
                formatter.write_dl(list(RESUMES.items()))

        def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
            """Import a sub-command; say which extra is missing if its packages are absent."""
            if cmd_name not in COMMANDES:
                return None
            _exiger_l_espace()
            module, _, attribut = COMMANDES[cmd_name].partition(":")
            try:
                return getattr(importlib.import_module(module), attribut)
            except ModuleNotFoundError as absence:
                if absence.name.startswith("openfisca_fds"):
                    raise
                return _en_attente(cmd_name, absence.name.partition(".")[0])

    def _en_attente(nom: str, module: str) -> click.Command:
        """Stand for a command whose packages are absent: it says what to install."""
        return click.Command(
            nom,
            callback=lambda **_: _extra_manquant(module),
            params=[click.Argument(["reste"], nargs=-1, type=click.UNPROCESSED)],
            context_settings={"ignore_unknown_options": True, "help_option_names": []},
        )

    @click.group(
        cls=GroupeParesseux,
        commands=dict.fromkeys(COMMANDES),  # the names among which Click looks for those near a wrong one
        context_settings={"help_option_names": ["-h", "--help"]},
        subcommand_metavar="COMMANDE [OPTIONS]...",
    )
    @click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Version.")
    def main() -> None:
        """Fonds de solidarité (décret 2020-371) et aide aux commerces multi-activités (décret 2021-960)."""


if __name__ == "__main__":
    main()
