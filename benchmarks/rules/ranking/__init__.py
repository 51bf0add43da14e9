"""Ranks of answers to queries over a temporal graph: read, weighted, grouped, compared."""
