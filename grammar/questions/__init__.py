"""Questions over a temporal knowledge graph: query types, phrases, reader and writer."""
