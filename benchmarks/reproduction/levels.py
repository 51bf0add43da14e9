"""Measures how difficult the levels of the generators are, by what limited reasoners find.

``python -m benchmarks.reproduction.levels KIND [DATA] [--write]`` prints a table of the levels of
``eventhop``, of ``traces``, of ``tkg``, of ``questions`` (DATA is a graph) or of ``texts`` (DATA is
a file of facts).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
import msgspec
import numpy as np

from benchmarks.eventhop.ablations.reasoners import answer
from benchmarks.eventhop.ablations.report import table as of_reasoners
from benchmarks.eventhop.cases import read_cases
from benchmarks.metrics.ranking import expected_hits
from benchmarks.questions.run import AnswerConfig, Basis
from benchmarks.reproduction import RESULTS
from benchmarks.reproduction.questions.entrants import BenchmarkData
from benchmarks.reproduction.speed.clock import write_results
from benchmarks.reproduction.texts.expressions import LEVELS as READERS
from benchmarks.reproduction.texts.expressions import found_share
from benchmarks.reproduction.tkg.table7 import ranked
from benchmarks.tkg.retrieval.context import ContextKey, Heuristic, Instances, evaluate
from generators.eventhop.config import LEVELS as OF_ITEMS
from generators.eventhop.config import Config, Split
from generators.eventhop.run import generate
from generators.levels import Levels
from generators.questions.graph import LEVELS as OF_QUESTIONS
from generators.questions.graph import Settings, question_graph
from generators.questions.run import Plan, make
from generators.texts.groups import read_sources
from generators.texts.run import LEVELS as OF_TEXTS
from generators.texts.run import DraftSettings, write
from generators.tkg.config import LEVELS as OF_GRAPHS
from generators.tkg.config import Config as GraphConfig
from generators.tkg.files import dataset
from generators.tkg.run import generate as generate_graph
from generators.traces.run import TraceSettings
from generators.traces.run import generate as generate_traces
from generators.traces.twins import LEVELS as OF_TRACES
from solver.graph.io import read_dataset
from solver.graph.model import Dataset
from solver.graph.model import Split as GraphSplit
from solver.probes.probe import ProbeLevel
from solver.questions.io import question_line
from solver.rules.application import Application
from solver.rules.mining import mine
from solver.rules.model import Method, MiningSettings, RuleTable
from solver.verification.run import verify

SIZE = 600
TWINS = 140
COMBINED = (1, 2, 3, 4, 5, 6)
"""Sentences that reasoners combine to check a statement of a chain."""
STEPS = (1, 2, 3, 4, 5, 6, 8)
GRAPHS, TIMES = 8, 150
"""Graphs of each level, and their numbers of time steps."""
RULES = {
    "rules of 1 fact": (1,),
    "rules of up to 2": (1, 2),
    "rules of up to 3": (1, 2, 3),
}
"""Rules of which lengths each reasoner has."""

Shares = dict[str, float]


def of_items(level: int, size: int = SIZE, seed: int = 0) -> Shares:
    """The accuracy of reasoners that combine so many sentences, on a generated test split."""
    with TemporaryDirectory() as folder:
        generate(Config(sizes={Split.TEST: size}, seed=seed, **OF_ITEMS[level]), Path(folder))
        read = read_cases([str(Path(folder) / "test.jsonl")])
    answers = answer([case.item for case in read.cases], read.decided)
    rows = {row.reasoner: row.overall for row in of_reasoners(answers, read.decided, ())}
    return {str(k): rows[f"hops-{k}"].accuracy for k in STEPS}


def of_traces(level: int, twins: int = TWINS, seed: int = 0) -> Shares:
    """The share of chains, right and wrong ones, whose first error is found, or that there is none.

    A reasoner that combines at most k sentences takes a statement that needs more for wrong.
    """
    settings = TraceSettings(test=twins, seed=seed, **OF_TRACES[level])
    with TemporaryDirectory() as folder:
        generate_traces(settings, Path(folder), probes=ProbeLevel.NONE)
        verify(Path(folder) / "test.jsonl", "traces", folder=Path(folder))
        lines = (Path(folder) / "items.jsonl").read_bytes().splitlines()
    rows = [msgspec.json.decode(line) for line in lines]
    return {
        str(k): sum(_seen_error(row, k) == row["first_error"] for row in rows) / len(rows)
        for k in COMBINED
    }


def _seen_error(row: dict[str, Any], sentences: int) -> int:
    """The first step that is wrong, or of which a statement needs more sentences; -1 if none."""
    for number, step in enumerate(row["steps"]):
        needed = [_sentences(statement["certificate"]) for statement in step["statements"]]
        if step["verdict"] in ("contradicts", "open") or max(needed, default=0) > sentences:
            return number
    return -1


def _sentences(certificate: dict[str, Any]) -> int:
    """The most sentences of the premise on a walk that derives an order, or denies one."""
    walks = [
        *certificate.get("walks", ()),
        *filter(None, [certificate.get("denied", {}).get("walk")]),
    ]
    return max((sum(step is not None for step in walk["steps"]) for walk in walks), default=0)


def of_graphs(level: int, graphs: int = GRAPHS, steps: int = TIMES) -> Shares:
    """The share of consequences in test whose tail is among the first three; mean over graphs."""
    found = [_of_graph(level, steps, seed) for seed in range(graphs)]
    return {name: float(np.mean([row[name] for row in found])) for name in found[0]}


def _of_graph(level: int, steps: int, seed: int) -> Shares:
    config = GraphConfig.of_json({"steps": steps, **OF_GRAPHS[level]})
    graph = generate_graph(config, seed)
    made = dataset(graph, config, f"level {level}")
    facts, asked, words = made.facts(), made.splits[GraphSplit.TEST], made.vocabulary
    instances = Instances.of(graph.labels, facts)
    rows = range(len(facts) - len(asked), len(facts))
    ends = np.array([instances.of_consequence(row) is not None for row in rows])
    past = evaluate(facts, asked, words)
    ranks = {each.value: past[each, ContextKey.ENTITY] for each in Heuristic}
    known = (GraphSplit.TRAIN, GraphSplit.VALID)
    for name, lengths in RULES.items():
        rules = mine(made, MiningSettings(lengths=lengths, splits=known)).rules
        applied = Application(rules, facts, words, learned=made.facts(*known))
        ranks[name] = ranked(applied, asked, words.entities)
    return {name: float(expected_hits(placed, 3)[ends].mean()) for name, placed in ranks.items()}


def of_questions(level: int, graph: Dataset, rules: Mapping[str, RuleTable]) -> Shares:
    """The share of the answers of the test split that are ranked first."""
    settings = Settings(**OF_QUESTIONS[level])
    made = make(Plan(graph=question_graph(graph), settings=settings))
    with TemporaryDirectory() as folder:
        for split in made.drafts:
            lines = (question_line(question) + b"\n" for question in made.questions(split))
            (Path(folder) / f"{split}.jsonl").write_bytes(b"".join(lines))
        bench = BenchmarkData.of(Path(folder), graph, GraphSplit.TEST)
        none = RuleTable.of(())
        configs = {
            basis.value: AnswerConfig(dataset=graph, basis=basis, rules=none, reasoning=none)
            for basis in (Basis.FREQUENCY, Basis.RECENCY)
        }
        for name, table in rules.items():
            configs[name] = AnswerConfig(
                dataset=graph, basis=Basis.RULES, rules=table, reasoning=none
            )
        runs = {name: bench.evaluate(config)[0] for name, config in configs.items()}
    ranks = {name: [rank for asked in run for rank in asked.ranks] for name, run in runs.items()}
    return {name: float((np.array(placed) <= 1).mean()) for name, placed in ranks.items()}


def of_texts(level: int, facts: Path) -> Shares:
    """The share of the facts that regular expressions find, which read more from left to right."""
    groups = list(read_sources(str(facts), clean=True).groups)
    texts = list(write(groups, DraftSettings(seed=1, **OF_TEXTS[level])))
    return {reader: found_share(texts, reader) for reader in READERS}


OF: Mapping[str, Levels] = {
    "eventhop": OF_ITEMS,
    "traces": OF_TRACES,
    "tkg": OF_GRAPHS,
    "questions": OF_QUESTIONS,
    "texts": OF_TEXTS,
}
"""The levels of each kind."""


def _measure(kind: str, data: Path | None) -> Callable[[int], Shares]:
    """What measures a level of a kind.

    Raises:
        HopcheckError: the graph or file of facts cannot be read.
    """
    if kind in ("questions", "texts") and data is None:
        raise click.UsageError(f"{kind} need DATA.")
    if data is not None and kind == "questions":
        graph = read_dataset(data)
        rules = {
            name: mine(graph, MiningSettings(lengths=lengths, method=Method.SAMPLE)).rules
            for name, lengths in RULES.items()
        }
        return lambda level: of_questions(level, graph, rules)
    if data is not None and kind == "texts":
        return lambda level: of_texts(level, data)
    return {"eventhop": of_items, "traces": of_traces, "tkg": of_graphs}[kind]


_CHOSEN: Mapping[str, Mapping[str, Callable[[Any], str]]] = {
    "eventhop": {
        "events x relations": lambda level: ", ".join(map(str, level["shapes"])),
        "hops": lambda level: ", ".join(map(str, level["hops"])),
    },
    "traces": {
        "sentences of the proof": lambda level: ", ".join(map(str, level["hops"])),
        "detours": lambda level: str(level["detours"]),
        "sentences that no proof needs": lambda level: str(level["irrelevant"]),
    },
    "tkg": {
        "patterns of 1, 2, 3 hops": lambda level: ", ".join(map(str, level["patterns"])),
        "lags": lambda level: f"{level['lags']['low']} to {level['lags']['high']}",
    },
    "questions": {
        "kinds": lambda level: ", ".join(level["kinds"]),
        "entity and answer met": lambda level: ", ".join(level["met"]),
    },
    "texts": {
        "style": lambda level: level["style"].value,
        "indirect": lambda level: f"{level['indirect']:g}",
    },
}
"""What the levels of each kind choose, as it is shown."""


def shown(kind: str, levels: Levels, found: Mapping[int, Shares]) -> str:
    """The shares as a table."""
    columns = ("level", *_CHOSEN[kind], *next(iter(found.values())))
    lines = [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    for level, row in found.items():
        chosen = [show(levels[level]) for show in _CHOSEN[kind].values()]
        figures = [f"{share:.2f}".removeprefix("0") for share in row.values()]
        lines.append(f"| {' | '.join((str(level), *chosen, *figures))} |")
    return "\n".join(lines) + "\n"


@click.command()
@click.argument("kind", type=click.Choice(list(_CHOSEN)))
@click.argument("data", type=click.Path(exists=True, path_type=Path), required=False)
@click.option("--write", "wanted", is_flag=True, help="Also write benchmarks/results/levels.json.")
def main(kind: str, data: Path | None, *, wanted: bool) -> None:
    """Print what limited reasoners find of the data of each level."""
    levels, measure = OF[kind], _measure(kind, data)
    found = {level: measure(level) for level in levels}
    click.echo(shown(kind, levels, found), nl=False)
    if wanted:
        path = RESULTS / "levels.json"
        values = msgspec.json.decode(path.read_bytes()) if path.is_file() else {}
        rows = {
            str(level): {name: round(share, 3) for name, share in row.items()}
            for level, row in found.items()
        }
        values[kind] = {"data": data and data.name, "levels": rows}
        write_results("levels", values)


if __name__ == "__main__":
    main()
