"""Questions over a temporal knowledge graph: what is asked, what follows, and what shows it."""
