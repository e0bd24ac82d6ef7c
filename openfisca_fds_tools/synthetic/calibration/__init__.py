"""Calibration of the synthetic population on published aggregates: docs/population.md says the method."""
