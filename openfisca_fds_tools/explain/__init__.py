"""Why: every result explained by the text, read in the model."""

from openfisca_fds_tools.explain.explication import explain

__all__ = ["explain"]
