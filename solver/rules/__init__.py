"""Temporal rules: mined from a graph, applied to queries, grounded by ASP as certificates."""
