"""Generates future facts day by day from temporal rules, under a schema (extrapolation)."""
