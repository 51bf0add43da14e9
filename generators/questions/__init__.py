"""Generates questions over a temporal knowledge graph, with gold answers and certificates."""
