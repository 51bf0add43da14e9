"""Readers and writers of temporal knowledge graphs."""

from solver.graph.io.detection import read_dataset
from solver.graph.io.folder import write_folder
from solver.graph.io.integers import read_integers

__all__ = ["read_dataset", "read_integers", "write_folder"]
