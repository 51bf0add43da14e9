"""Audit of published facts."""
