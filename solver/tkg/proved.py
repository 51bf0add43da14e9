"""Runs the checker that is compiled from the Coq proofs beside ``check.py`` of generated graphs.

It reads graphs in numbers: proofs/README.md lists them. Checksums, splits, and the order of facts
are not among them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

from solver.eventhop.certificates.proved import (
    MALFORMED,
    Judgement,
    compiled,
    flat,
    name,
    require_agreement,
)
from solver.tkg import check

__all__ = ["check_file", "judge", "name", "numbers"]

Json: TypeAlias = Any
Instances: TypeAlias = dict[int, list[check.Label]]


def numbers(graph: check.Graph, instances: Instances) -> str:
    """The line that the compiled checker reads.

    Raises:
        KeyError, ValueError: labels are not those of the first steps of a pattern.
    """
    manifest = graph.manifest
    depth, planted = check.depth(graph), manifest["forced_instances"]
    place = {number: index for index, number in enumerate(graph.patterns)}
    shown = [
        (place[_pattern(labels)], int(number < planted), _rows(graph, labels, number < planted))
        for number, labels in sorted(instances.items())
    ]
    levels = check.levels(graph, instances)
    showing = _showing(levels, shown)
    levelled = enumerate(zip(graph.facts, levels, strict=True))
    facts = [(*fact, at or 0, showing.get(row, 0)) for row, (fact, at) in levelled]
    patterns = [
        (list(pattern.steps[:-1]), pattern.steps[-1], pattern.lags, int(bool(pattern.closed)))
        for pattern in graph.patterns.values()
    ]
    config = (
        manifest["config"]["steps"],
        int(bool(manifest["config"].get("injective", False))),
        -1 if depth is None else max(depth, 0),
        int(manifest["mode"] == "forward"),
    )
    return " ".join(("graph", *flat([config, patterns, facts, shown])))


def _pattern(labels: list[check.Label]) -> int:
    """The only pattern of an instance."""
    (pattern,) = {label.pattern for label in labels}
    return pattern


def _rows(graph: check.Graph, labels: list[check.Label], planted: bool) -> list[int]:
    """The facts of the first steps of a pattern, each with its role; of all steps if derived."""
    last = len(graph.patterns[labels[0].pattern].steps)
    rows = []
    for position, label in enumerate(sorted(labels, key=lambda label: label.position), 1):
        role = "consequence" if position == last else "antecedent"
        if (label.position, label.role) != (position, role) or label.fact < 0:
            raise ValueError(label)
        rows.append(label.fact)
    if not planted and len(rows) < last:
        raise ValueError(labels)
    return rows


def _showing(levels: list[int | None], shown: list[tuple[int, int, list[int]]]) -> dict[int, int]:
    """An instance for each fact that shows its level."""
    found: dict[int, int] = {}
    for number, (_, planted, rows) in enumerate(shown):
        if planted:
            found |= dict.fromkeys(rows, number)
    for number, (_, planted, (*antecedents, last)) in enumerate(shown):
        known = [levels[row] for row in antecedents]
        if (
            not planted
            and levels[last] == max((at for at in known if at is not None), default=-1) + 1
        ):
            found.setdefault(last, number)
    return found


def judge(graph: check.Graph) -> Judgement:
    """What ``check.py`` finds of labels and closure, and the line for the compiled checker."""
    instances, numbered = check.numbered_instances(graph)
    try:
        if not numbered:
            raise ValueError("instances are not numbered from 0")
        line = numbers(graph, instances)
    except (KeyError, ValueError, IndexError):
        line = MALFORMED
    return Judgement(numbered and _holds(graph, instances), line)


def _holds(graph: check.Graph, instances: Instances) -> bool:
    try:
        for labels in instances.values():
            check.check_instance(graph, labels)
    except check.RejectedError:
        return False
    levels = check.levels(graph, instances)
    repeated = len(set(graph.facts)) < len(graph.facts)
    return not (
        None in levels or repeated or any(fault for _, fault in check.closure(graph, levels))
    )


def check_file(path: str, _data: Json = ()) -> Iterator[tuple[str, str, str | None]]:
    """As that of ``check.py``, with the compiled checker beside it.

    Raises:
        CheckersDifferError: they do not accept the same labels.
        NoProvedCheckerError: there is no compiled checker.
    """
    require_agreement([(path, judge(check.read_graph(Path(path))))], compiled())
    yield from check.check_file(path)
