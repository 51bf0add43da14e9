"""The encoding, the join and the checker find the same in graphs that were damaged at random."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from generators.tkg.config import Config, Mode
from generators.tkg.files import dataset
from generators.tkg.run import generate
from solver.encodings import ViolationAtom
from solver.graph.model import Ids, Quadruples
from solver.tkg import check
from solver.tkg.encode import findings
from solver.tkg.engine import joined_findings
from solver.tkg.io import GeneratedGraph, GraphDeclaration, Labels, write_labels
from solver.tkg.planted import write_planted

COLUMNS = ("fact", "pattern", "instance", "consequence", "position")
CODES = {
    "absent_fact",
    "labelled_twice",
    "missing_consequence",
    "missing_step",
    "one_entity",
    "outside_lag",
    "repeated_fact",
    "two_entities",
    "two_patterns",
    "unknown_pattern",
    "unknown_step",
    "unlabelled",
    "unsupported",
    "wrong_relation",
    "wrong_role",
}


def drawn(seed: int) -> GeneratedGraph:
    chance = random.Random(seed)
    low = chance.choice([0, 1, 2])
    config = Config.of_json(
        {
            "entities": chance.choice([6, 8, 30]),
            "relations": 6,
            "steps": chance.choice([6, 15]),
            "patterns": (chance.randint(0, 3), chance.randint(0, 3), 1),
            "flags": chance.choice(["0000", "1000", "1100"]),
            "lags": {"low": low, "high": low + chance.choice([0, 2])},
            "probability": 0.1,
            "mode": chance.choice(list(Mode)).value,
            "injective": chance.random() < 0.3,
            "closure": {
                "depth": chance.choice([None, 0, 1, 2, 3]),
                "cycles": chance.choice(["leave-out", "follow"]),
            },
        }
    )
    graph = generate(config, seed)
    return GeneratedGraph(
        facts=graph.facts,
        patterns=graph.plan.patterns,
        labels=graph.labels,
        dataset=dataset(graph, config, "drawn"),
        declared=GraphDeclaration(
            mode=config.mode.value,
            steps=config.steps,
            planted=graph.forced,
            injective=config.injective,
            depth=config.closure.depth,
        ),
    )


def damaged(graph: GeneratedGraph, chance: random.Random) -> GeneratedGraph:
    """The graph with one to three changes, to facts, labels or what is declared."""
    facts, declared = graph.facts.rows(), graph.declared
    labels: dict[str, Ids] = {name: getattr(graph.labels, name).copy() for name in COLUMNS}
    for _ in range(chance.randint(1, 3)):
        size = len(labels["fact"])
        if not size or not len(facts):
            break
        row, fact = chance.randrange(size), chance.randrange(len(facts))
        match chance.randrange(8):
            case 0:
                facts[fact, chance.randrange(4)] = chance.randrange(3)
            case 1:
                facts = np.delete(facts, fact, 0)
            case 2:
                facts = np.vstack([facts, facts[fact]])
            case 3:
                labels = {name: np.delete(column, row) for name, column in labels.items()}
            case 4:
                labels[chance.choice(COLUMNS)][row] = chance.randrange(6)
            case 5:
                column = labels[chance.choice(COLUMNS)]
                column[row] = column[chance.randrange(size)]
            case 6:
                labels = {name: np.append(column, column[row]) for name, column in labels.items()}
            case _:
                depth = chance.choice([None, 0, 1, 2])
                declared = replace(declared, planted=chance.randrange(size), depth=depth)
    labels["consequence"] = labels["consequence"].astype(np.bool_)
    return replace(graph, facts=Quadruples.of(facts), labels=Labels(**labels), declared=declared)


def faults(graph: GeneratedGraph, folder: Path) -> list[str]:
    """What the checker rejects, but for the order of the file, which no engine looks at."""
    declared = graph.declared
    lines = ("\t".join(map(str, row)) for row in graph.facts.rows().tolist())
    (folder / "train.txt").write_text("\n".join(lines), encoding="utf-8")
    write_labels(folder / "labels.tsv", graph.labels)
    write_planted(folder / "patterns.jsonl", graph.patterns)
    closure = {"depth": declared.depth}
    config = {"steps": declared.steps, "injective": declared.injective, "closure": closure}
    manifest = {"mode": declared.mode, "forced_instances": declared.planted, "config": config}
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    every = [fault for _, _, fault in check.check_file(str(folder)) if fault]
    return [fault for fault in every if fault != "the fact is not in order of time"]


def compared(seeds: range, copies: int, folder: Path) -> Counter[str]:
    found: Counter[str] = Counter()
    for seed in seeds:
        graph, chance = drawn(seed), random.Random(seed)
        assert findings(graph) == joined_findings(graph).findings == faults(graph, folder) == []
        for _ in range(copies):
            broken = damaged(graph, chance)
            reported, rejected = findings(broken), faults(broken, folder)
            assert reported == joined_findings(broken).findings, seed
            # The checker stops there; the engines do not look at the numbers of instances.
            if not rejected or not rejected[0].startswith("they are not numbered from 0"):
                assert bool(reported) is bool(rejected), seed
            found.update(atom.code for atom in reported)
    return found


def test_all_find_the_same(tmp_path: Path) -> None:
    assert set(compared(range(7), 5, tmp_path)) > CODES - {
        "missing_consequence",
        "unknown_pattern",
    }


@pytest.mark.slow
def test_all_find_the_same_often(tmp_path: Path) -> None:
    assert set(compared(range(30, 300), 8, tmp_path)) == CODES


def test_an_empty_graph_lacks_what_labels_name() -> None:
    graph = drawn(3)
    empty = replace(graph, facts=Quadruples.of(np.empty((0, 4), np.int64)))
    reported = findings(empty)
    assert reported == joined_findings(empty).findings
    assert {atom.code for atom in reported} >= {"absent_fact"}
    alone = replace(empty, labels=Labels(**{c: getattr(graph.labels, c)[:0] for c in COLUMNS}))
    assert findings(alone) == joined_findings(alone).findings == []


def test_missing_consequences_are_shown_by_facts_of_the_graph() -> None:
    shown = 0
    for seed in range(40):
        graph = drawn(seed)
        labels = graph.labels
        followed = labels.consequence & (labels.instance >= graph.declared.planted)
        if graph.declared.mode != "forward" or not followed.any():
            continue
        kept = np.ones(len(graph.facts), dtype=np.bool_)
        kept[labels.fact[followed][0]] = False
        rows = graph.facts.take(kept)
        joined = joined_findings(replace(graph, facts=rows))
        held = set(map(tuple, rows.rows().tolist()))
        for atom, antecedents in joined.antecedents.items():
            assert isinstance(atom, ViolationAtom)
            assert set(antecedents) <= held
            assert antecedents[-1][3] == atom.numbers[-1]
            shown += 1
    assert shown
