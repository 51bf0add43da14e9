"""Synthetic temporal knowledge graphs: planted with patterns, every fact labelled."""
