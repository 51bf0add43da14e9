"""Makes questions over a temporal knowledge graph, each with its answers and what shows them."""
