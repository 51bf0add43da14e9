"""Answers to EventHopNLI items: prompts, reading, metrics, baselines."""
