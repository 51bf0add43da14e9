"""``hopcheck`` and ``python -m hopcheck``: the command line."""

from __future__ import annotations

from solver.__main__ import main

if __name__ == "__main__":
    main()
