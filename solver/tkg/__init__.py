"""Temporal knowledge graphs: quadruples, their indexes and files; patterns over them."""
