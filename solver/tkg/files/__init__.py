"""Files of temporal knowledge graphs: read into a ``Dataset``, and written from one."""

from solver.tkg.files.folder import read_dataset
from solver.tkg.files.integers import read_integers

__all__ = ["read_dataset", "read_integers"]
