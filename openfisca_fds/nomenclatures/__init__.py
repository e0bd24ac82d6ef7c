"""Nomenclatures: closed lists of codes, as Enums whose member names are the codes."""
