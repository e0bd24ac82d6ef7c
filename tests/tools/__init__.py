"""Tests of what runs the law."""
