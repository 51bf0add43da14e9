"""Compares both checkers of generated graphs: ``python -m tests.campaigns.graphs --mutants N``.

Small graphs are changed in one to three places: a label, a fact, a step or lag of a pattern, an
option. ``check.py`` and the checker compiled from the proofs have to accept the same ones. Exit
status 1 if they differ on one.
"""

from __future__ import annotations

import argparse
import copy
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from generators.tkg.config import Config
from generators.tkg.files import write_graph
from generators.tkg.run import generate
from solver.eventhop.certificates.proved import (
    MALFORMED,
    Judgement,
    compiled,
    differing,
    in_node,
)
from solver.tkg import check
from solver.tkg.proved import judge

CONFIGS: tuple[dict[str, Any], ...] = (
    {"entities": 12, "relations": 5, "steps": 12, "patterns": [2, 2, 1]},
    {"entities": 10, "relations": 5, "steps": 10, "mode": "forced", "injective": True},
    {"entities": 12, "relations": 5, "steps": 10, "mode": "literal", "patterns": [2, 1, 0]},
    {
        "entities": 20,
        "relations": 6,
        "steps": 10,
        "patterns": [3, 0, 0],
        "closure": {"depth": None},
    },
    {"entities": 20, "relations": 4, "steps": 10, "patterns": [3, 1, 0], "closure": {"depth": 2}},
)
"""Options of small graphs of all modes, with a limit on derivations and without."""

Draw = random.Random


def small_graphs(seed: int = 0) -> Iterator[check.Graph]:
    """A graph of each of ``CONFIGS``."""
    with tempfile.TemporaryDirectory() as folder:
        for options in CONFIGS:
            config = Config.of_json(Config().as_json() | options)
            write_graph(Path(folder), generate(config, seed), config, seed)
            yield check.read_graph(Path(folder))


def mutant(graph: check.Graph, draw: Draw) -> check.Graph:
    """The graph with one to three changes."""
    changed = check.Graph(
        list(graph.facts),
        graph.places,
        dict(graph.patterns),
        list(graph.labels),
        copy.deepcopy(graph.manifest),
    )
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        draw.choice(CHANGES)(changed, draw)
    return changed


def _label(graph: check.Graph, draw: Draw) -> None:
    row = draw.randrange(len(graph.labels))
    numbers: dict[str, Any] = {
        "fact": draw.randrange(-1, len(graph.facts) + 1),
        "position": draw.randrange(5),
        "role": draw.choice(("antecedent", "consequence")),
        "pattern": draw.randrange(len(graph.patterns) + 1),
        "instance": draw.randrange(max(label.instance for label in graph.labels) + 2),
    }
    name = draw.choice(list(numbers))
    graph.labels[row] = graph.labels[row]._replace(**{name: numbers[name]})


def _fewer_labels(graph: check.Graph, draw: Draw) -> None:
    if len(graph.labels) > 1:
        graph.labels.pop(draw.randrange(len(graph.labels)))


def _fact(graph: check.Graph, draw: Draw) -> None:
    row, name = draw.randrange(len(graph.facts)), draw.choice(check.Fact._fields)
    value = getattr(graph.facts[row], name) + draw.choice((-1, 1))
    graph.facts[row] = graph.facts[row]._replace(**{name: max(0, value)})


def _repeated_fact(graph: check.Graph, draw: Draw) -> None:
    graph.facts.append(draw.choice(graph.facts))


def _fewer_facts(graph: check.Graph, draw: Draw) -> None:
    if len(graph.facts) > 1:
        graph.facts.pop(draw.choice((-1, -1, 0)))


def _lag(graph: check.Graph, draw: Draw) -> None:
    number = draw.choice(list(graph.patterns))
    lags = list(graph.patterns[number].lags)
    place = draw.randrange(len(lags))
    low, high = lags[place]
    lags[place] = low + draw.choice((-1, 0, 1)), high + draw.choice((-1, 0, 1))
    graph.patterns[number] = graph.patterns[number]._replace(lags=lags)


def _step(graph: check.Graph, draw: Draw) -> None:
    number = draw.choice(list(graph.patterns))
    steps = list(graph.patterns[number].steps)
    place, name = draw.randrange(len(steps)), draw.choice(check.Step._fields)
    value = getattr(steps[place], name) + draw.choice((-1, 1))
    steps[place] = steps[place]._replace(**{name: value})
    graph.patterns[number] = graph.patterns[number]._replace(steps=steps)


def _closed(graph: check.Graph, draw: Draw) -> None:
    number = draw.choice(list(graph.patterns))
    pattern = graph.patterns[number]
    graph.patterns[number] = pattern._replace(closed=not pattern.closed)


def _option(graph: check.Graph, draw: Draw) -> None:
    manifest, config = graph.manifest, graph.manifest["config"]
    options: list[tuple[dict[str, Any], str, object]] = [
        (config, "steps", config["steps"] + draw.choice((-2, -1, 1, 3))),
        (config, "injective", not config["injective"]),
        (config["closure"], "depth", draw.choice((None, -1, 0, 1, 2, 3))),
        (manifest, "mode", draw.choice(check.MODES)),
        (manifest, "forced_instances", manifest["forced_instances"] + draw.choice((-1, 1))),
    ]
    place, name, value = draw.choice(options)
    place[name] = value


CHANGES: tuple[Callable[[check.Graph, Draw], None], ...] = (
    *(_label, _fewer_labels, _fact, _repeated_fact, _fewer_facts),
    *(_lag, _step, _closed, _option),
)


def judgements(mutants: int, seed: int = 0) -> list[Judgement]:
    """Both sides of each small graph and of so many mutants, by turns."""
    draw, graphs = Draw(seed), list(small_graphs(seed))
    changed = (mutant(graphs[number % len(graphs)], draw) for number in range(mutants))
    return [judge(graph) for graph in (*graphs, *changed)]


def main(arguments: list[str]) -> int:
    """Compare the checkers; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutants", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--node", action="store_true", help="run the one in JavaScript")
    chosen = parser.parse_args(arguments)
    judged = judgements(chosen.mutants, chosen.seed)
    checker = in_node() if chosen.node else compiled()
    wrong = differing(judged, checker)
    accepted = sum(each.accepted for each in judged)
    unread = sum(each.line == MALFORMED for each in judged)
    sys.stdout.write(
        f"{len(judged):,} graphs, {accepted:,} accepted, {len(judged) - accepted:,} rejected, of "
        f"which {unread:,} have labels of no steps; {len(wrong):,} differ ({checker.name})\n"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
