"""Scores chains of thought: a model's own, and what a critic says of others."""
