"""Writes facts as TSV, and forecast facts with their certificates as JSON Lines."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from generators.forecast.dated import DatedGraph
from generators.forecast.forecast import Forecast
from solver.tkg.quadruples import Quadruples
from solver.writing import OutputError, atomic
from solver.writing.jsonl import line


def facts_of(forecasts: Sequence[Forecast]) -> Quadruples:
    """The facts of forecasts, in order."""
    return Quadruples.of(np.array([one.fact for one in forecasts], dtype=np.int64))


def write_facts(path: Path, facts: Quadruples, graph: DatedGraph) -> Path:
    """Write one tab-separated ``subject relation object date`` per line; return the path.

    Raises:
        OutputError: a name contains a tab or line break, or the file cannot be written.
    """
    words = graph.vocabulary
    with atomic(path) as file:
        for subject, relation, object_, time in facts.rows().tolist():
            names = (words.entity(subject), words.relation(relation), words.entity(object_))
            for name in names:
                if any(sign in name for sign in "\t\n\r\0"):
                    message = f"the name {name!r} cannot be written to a line of {path.name}"
                    raise OutputError(message, hint="rename it in the graph")
            file.write("\t".join((*names, graph.date(time))).encode() + b"\n")
    return path


def write_certificates(path: Path, forecasts: Sequence[Forecast], graph: DatedGraph) -> Path:
    """Write each fact with its rule and grounding as a line of JSON; return the path."""
    with atomic(path) as file:
        file.writelines(line(one.as_json(graph)) for one in forecasts)
    return path
