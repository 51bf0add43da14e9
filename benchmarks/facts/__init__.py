"""Audits of published sets of dated facts."""
