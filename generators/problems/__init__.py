"""Generates problems of calendar, positions and assignments: drawn, read back, decided."""
