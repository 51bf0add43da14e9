"""Questions over a temporal knowledge graph: answered from their texts, and scored."""
