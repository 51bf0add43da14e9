"""``baseline frequency``."""

from __future__ import annotations

from benchmarks.tkg.cli.heuristics import heuristic_command

command = heuristic_command("frequency")
