"""Reproducible audits of published data sets."""
