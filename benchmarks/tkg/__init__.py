"""Compares generated temporal knowledge graphs with the published statistics."""
