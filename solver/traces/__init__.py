"""Chains of thought: every step decided, with its certificate."""
