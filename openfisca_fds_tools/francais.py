"""Click's own words, in French.

Click hands every word it writes to gettext, whose catalogues follow the locale of the user. This tool speaks French to
all: the two functions that Click imported from gettext are replaced, in its modules, by the table below.
"""

from importlib import import_module

MODULES = ("core", "decorators", "exceptions", "formatting", "parser", "types")

TYPES = {
    "StringParamType": "texte",
    "IntParamType": "entier",
    "IntRange": "entier",
    "FloatParamType": "nombre",
    "FloatRange": "nombre",
    "BoolParamType": "booléen",
}

MESSAGES = {
    # help
    "Usage:": "Usage :",
    "Options": "Options ",
    "Commands": "Commandes ",
    "Positional arguments": "Arguments ",
    "Show this message and exit.": "Montrer cette aide.",
    "default: {default}": "par défaut : {default}",
    "required": "obligatoire",
    "env var: {var}": "variable d'environnement : {var}",
    "(dynamic)": "(variable)",
    "file": "fichier",
    "directory": "dossier",
    "path": "chemin",
    # errors
    "Error: {message}": "Erreur : {message}",
    "Aborted!": "Interrompu.",
    "unknown error": "erreur inconnue",
    "Try '{command} {option}' for help.": "Aide : {command} {option}",
    "Missing command.": "Commande absente.",
    "Missing argument": "Argument absent",
    "Missing option": "Option absente",
    "Missing parameter": "Paramètre absent",
    "Missing parameter: {param_name}": "Paramètre absent : {param_name}",
    "Missing {param_type}": "{param_type} absent",
    "No such option {name!r}.": "Option {name!r} inconnue.",
    "No such command {name!r}.": "Commande {name!r} inconnue.",
    "Did you mean {possibility}?": "Peut-être {possibility} ?",
    "(Did you mean one of: {possibilities}?)": "(Peut-être l'une de : {possibilities} ?)",
    "Got unexpected extra argument ({args})": "Argument en trop ({args})",
    "Got unexpected extra arguments ({args})": "Arguments en trop ({args})",
    "Option {name!r} does not take a value.": "L'option {name!r} ne prend pas de valeur.",
    "Option {name!r} requires an argument.": "L'option {name!r} demande une valeur.",
    "Option {name!r} requires {nargs} arguments.": "L'option {name!r} demande {nargs} valeurs.",
    "Argument {name!r} takes {nargs} values.": "L'argument {name!r} prend {nargs} valeurs.",
    "Takes {nargs} values but 1 was given.": "{nargs} valeurs attendues, une seule donnée.",
    "Takes {nargs} values but {len} were given.": "{nargs} valeurs attendues, {len} données.",
    "Invalid value: {message}": "Valeur incorrecte : {message}",
    "Invalid value for {param_hint}: {message}": "Valeur incorrecte pour {param_hint} : {message}",
    "Could not open file {filename!r}: {message}": "Fichier {filename!r} illisible : {message}",
    "Choose from:\n\t{choices}": "Au choix :\n\t{choices}",
    "{value!r} is not {choice}.": "{value!r} ; attendu : {choice}.",
    "{value!r} is not one of {choices}.": "{value!r} ; attendu : l'un de {choices}.",
    "{value!r} is not a valid {number_type}.": "{value!r} ; attendu : {number_type}.",
    "{value!r} is not a valid boolean. Recognized values: {states}": "{value!r} ; attendu : l'un de {states}.",
    "{value} is not in the range {range}.": "{value} ; attendu : {range}.",
    "{name} {filename!r} does not exist.": "{name} {filename!r} absent.",
    "{name} {filename!r} is a file.": "{name} {filename!r} : c'est un fichier.",
    "{name} {filename!r} is a directory.": "{name} {filename!r} : c'est un dossier.",
    "{name} {filename!r} is not readable.": "{name} {filename!r} illisible.",
    "{name} {filename!r} is not writable.": "{name} {filename!r} interdit en écriture.",
    "{name} {filename!r} is not executable.": "{name} {filename!r} non exécutable.",
}


def traduire(message):
    """Give the French of a message of Click, or the message itself."""
    return MESSAGES.get(message, message)


def traduire_au_nombre(singulier, pluriel, nombre):
    """Give the French of a message of Click that agrees with a number."""
    return traduire(singulier if nombre == 1 else pluriel)


def parler_francais():
    """Have Click write French, in this process."""
    for nom in MODULES:
        module = import_module(f"click.{nom}")
        module._, module.ngettext = traduire, traduire_au_nombre
    types = import_module("click.types")
    for classe, nom in TYPES.items():
        getattr(types, classe).name = nom
