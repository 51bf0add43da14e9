"""``python -m solver``: the command line."""

from __future__ import annotations

import sys

from solver.cli import run


def main() -> None:
    """Run the command that the arguments name and exit with its status."""
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
