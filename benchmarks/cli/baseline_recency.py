"""``baseline recency``."""

from __future__ import annotations

from benchmarks.cli.baseline_heuristics import heuristic_command

command = heuristic_command("recency")
