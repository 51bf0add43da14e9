"""Baselines, probes, models and samples of generated questions."""
