"""Ranks of link prediction, and strikingness."""
