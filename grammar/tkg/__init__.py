"""Prompts about a temporal knowledge graph, and answers to them: text to graph and back."""
