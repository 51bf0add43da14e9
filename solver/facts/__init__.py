"""Interval facts, and the dated facts that are their bounds."""
