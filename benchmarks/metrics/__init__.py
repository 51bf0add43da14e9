"""Metrics: each is defined once, with its formula, range, direction and source."""
