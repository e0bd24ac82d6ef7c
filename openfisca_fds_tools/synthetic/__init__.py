"""Seeded generator of a population of French enterprises, and the weighted sample shipped with the package."""

from .tirage import generer

__all__ = ["generer"]
