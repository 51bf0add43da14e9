"""Tables all baselines of questions: probes, counts, rules, chance and oracle, by kind and split.

    python -m benchmarks.reproduction.questions.baselines DIR GRAPH --rules RULES [--write]

DIR is the output of ``generate questions`` about GRAPH, RULES of ``mine`` with lengths 1 to 3. The
rules are mined from ``train``, so only the other splits are answered; ``train`` has probes only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from benchmarks.questions.scores import score
from benchmarks.reproduction.questions.entrants import ENTRANTS, BenchmarkData, baselines
from benchmarks.reproduction.questions.probes import measured as probed
from benchmarks.reproduction.speed.clock import write_results
from solver.cli.printing import print_json
from solver.graph.io import read_dataset
from solver.graph.model import Split
from solver.rules.io import read_rules

TRANSDUCTIVE = "the other questions of the split"
"""The probe that sees what other questions say."""

FIGURES = {"1-hop": "mrr", "2-hop": "mrr", "yes-unknown": "accuracy", "fact-reasoning": "accuracy"}
"""The figure of each kind, in [0, 1]; higher is better."""

_FOLDER = click.Path(exists=True, path_type=Path)


@click.command()
@click.argument("folder", type=_FOLDER)
@click.argument("graph", type=_FOLDER)
@click.option("--rules", type=_FOLDER, required=True, help="Rules of up to three facts.")
@click.option(
    "--write", is_flag=True, help="Write benchmarks/results/question-baselines.{md,json}."
)
def main(folder: Path, graph: Path, rules: Path, *, write: bool) -> None:
    """Run all probes and baselines on the questions of a folder."""
    values = measured(folder, graph, rules)
    if write:
        write_results("question-baselines", values, page(values))
    print_json(values)


def measured(folder: Path, graph: Path, rules: Path) -> dict[str, Any]:
    """The figure of each baseline, by kind and split."""
    dataset = read_dataset(graph)
    sampled = read_rules(rules, relations=dataset.vocabulary.relations)
    rows = list(_of_probes(probed(folder, graph)["probes"]))
    for split in (Split.VALID, Split.TEST):
        bench = BenchmarkData.of(folder, dataset, split)
        for name, config in baselines(folder, dataset, sampled).items():
            parts = score(bench.evaluate(config)[0], details=False).parts
            rows += [
                _row(kind, split, name, parts[kind].figures[FIGURES[kind]]) for kind in FIGURES
            ]
    return {"data": graph.name, "rules": len(sampled), "rows": rows}


def _row(kind: str, split: Split, name: str, figure: Any) -> dict[str, Any]:  # noqa: ANN401
    return {
        "questions": kind,
        "split": split.value,
        "baseline": name,
        "value": round(figure.value, 4),
        "low": round(figure.low, 4),
        "high": round(figure.high, 4),
    }


def _of_probes(probes: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """The transductive probe, and the most accurate of the others, of each kind and split."""
    parts: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for probe in probes:
        if probe["accuracy"] is not None:
            parts.setdefault((probe["questions"], probe["split"]), []).append(probe)
    for (kind, split), some in parts.items():
        others = [record for record in some if record["name"] != TRANSDUCTIVE]
        named = [
            ("transductive probe", record) for record in some if record["name"] == TRANSDUCTIVE
        ]
        best = max(others, key=lambda record: float(record["accuracy"]))
        named.append((f"best other probe ({best['name']})", best))
        for name, record in named:
            figures = {"value": record["accuracy"], "low": record["low"], "high": record["high"]}
            yield {"questions": kind, "split": split, "baseline": name, **figures}
        majority = {"value": some[0]["chance"], "low": None, "high": None}
        yield {"questions": kind, "split": split, "baseline": "most frequent label", **majority}


def page(values: Mapping[str, Any]) -> str:
    """The results as a page."""
    return "\n".join(_lines(values))


def _lines(values: Mapping[str, Any]) -> Iterator[str]:
    yield f"# Baselines of questions about {values['data']}"
    yield ""
    yield "`python -m benchmarks.reproduction.questions.baselines DIR GRAPH --rules RULES --write`"
    yield "writes"
    yield "this page. MRR of entities, accuracy of labels and choices, in percent; intervals: 95%,"
    yield f"of probes 99.8%. The {values['rules']:,} rules of up to three facts are mined from"
    yield "`train`, whose questions they do not answer. Contributions are those of the folder's"
    yield "rules, so that rules solve fact reasoning by construction."
    yield ""
    yield "| questions | baseline | train | valid | test |"
    yield "|---|---|---:|---:|---:|"
    for kind in FIGURES:
        rows = [row for row in values["rows"] if row["questions"] == kind]
        names = dict.fromkeys(row["baseline"] for row in rows)
        for name in sorted(names, key=_place):
            cells = {row["split"]: _cell(row) for row in rows if row["baseline"] == name}
            shown = " | ".join(cells.get(split.value, "–") for split in Split)
            yield f"| {kind} | {name} | {shown} |"
    yield ""


def _place(name: str) -> tuple[int, str]:
    """Probes first, then the baselines in their order."""
    return (ENTRANTS.index(name) + 1 if name in ENTRANTS else 0), name


def _cell(record: Mapping[str, Any]) -> str:
    value = f"{100 * record['value']:.2f}"
    return (
        value
        if record["low"] is None
        else f"{value} [{100 * record['low']:.1f}, {100 * record['high']:.1f}]"
    )


if __name__ == "__main__":
    main()
