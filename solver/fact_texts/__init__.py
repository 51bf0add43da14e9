"""Texts of dated facts, held against the facts that they were written from."""
