"""Files of facts: with names and dates a line, and with the certificates of what was forecast."""

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
    """The facts themselves, in their order."""
    return Quadruples.of(np.array([one.fact for one in forecasts], dtype=np.int64))


def write_facts(path: Path, facts: Quadruples, graph: DatedGraph) -> Path:
    """Write ``subject relation object date`` a line, in their order, and give the path.

    Raises:
        OutputError: a name cannot stand on such a line, or the system refuses to write.
    """
    words = graph.vocabulary
    with atomic(path) as file:
        for subject, relation, object_, time in facts.rows().tolist():
            names = (words.entity(subject), words.relation(relation), words.entity(object_))
            for name in names:
                if any(sign in name for sign in "\t\n\r\0"):
                    message = f"found the name {name!r}, which no line of {path.name} can hold"
                    raise OutputError(message, hint="rename it in the graph")
            file.write("\t".join((*names, graph.date(time))).encode() + b"\n")
    return path


def write_certificates(path: Path, forecasts: Sequence[Forecast], graph: DatedGraph) -> Path:
    """Write a fact a line with its rule and its grounding, and give the path."""
    with atomic(path) as file:
        file.writelines(line(one.as_json(graph)) for one in forecasts)
    return path
