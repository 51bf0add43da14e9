"""Measures generated temporal knowledge graphs."""
