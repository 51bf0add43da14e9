"""Readers and writers of temporal knowledge graphs."""

from solver.tkg.files.detection import read_dataset
from solver.tkg.files.integers import read_integers
from solver.tkg.files.writing import write_folder

__all__ = ["read_dataset", "read_integers", "write_folder"]
