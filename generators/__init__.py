"""What makes data: items, patterns, graphs, facts, questions."""
