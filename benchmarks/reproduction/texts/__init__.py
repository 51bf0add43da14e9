"""Scores and costs of published texts of facts."""
