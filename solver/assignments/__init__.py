"""Puzzles that assign things to places in a row."""
