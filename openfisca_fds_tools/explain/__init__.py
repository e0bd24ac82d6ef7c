"""Why: every result explained by the text, read in the model."""

from .explication import explain

__all__ = ["explain"]
