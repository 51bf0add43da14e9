"""Texts of dated facts: phrases, reader and writer."""
