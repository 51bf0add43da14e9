"""Ablated reasoners: each lacks a piece of the logic."""
