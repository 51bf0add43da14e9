"""Generates texts of dated facts."""
