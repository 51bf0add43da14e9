"""Comparison of texts with the dated facts that they were written from."""
