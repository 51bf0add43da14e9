"""Imported by name in the server that workers are forked from: prepares what they need."""

from solver.forking import run_preparation

run_preparation()
