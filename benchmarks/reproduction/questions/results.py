"""Scores of all baselines on the questions about a graph, and their results page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.questions.inputs import split_file
from benchmarks.questions.run import AnswerConfig
from benchmarks.questions.scores import (
    BOTH,
    PARTS,
    EvaluatedQuestion,
    difference,
    read_gold,
    score,
)
from benchmarks.reproduction.questions.entrants import (
    BEST,
    ENTRANTS,
    FORECASTS,
    BenchmarkData,
)
from benchmarks.reproduction.speed.clock import rounded_figures
from grammar.questions.model import QuestionKind
from solver.graph.model import Dataset, Split
from solver.rules.model import RuleTable

COLUMNS = (("MRR", "mrr"), ("Hits@1", "hits1"), ("Hits@10", "hits10"))


def compare(bench: BenchmarkData, config: Mapping[str, AnswerConfig]) -> dict[str, Any]:
    """Scores of each baseline, and the gain of the best rules over the other forecasts."""
    rows, runs = {}, {}
    for name, settings in config.items():
        evaluated, threshold = bench.evaluate(settings)
        parts = score(evaluated, details=False).parts
        runs[name] = evaluated
        rows[name] = {
            "parts": {part: rounded_figures(asdict(figures), 6) for part, figures in parts.items()},
            "threshold": None if threshold in (None, float("inf")) else threshold,
        }
    return {
        "entrants": rows,
        "over": {
            other: {
                part: rounded_figures(
                    asdict(difference(_of(runs[BEST], kinds), _of(runs[other], kinds))), 6
                )
                for part, kinds in PARTS.items()
                if part != BOTH and _of(runs[BEST], kinds)
            }
            for other in FORECASTS
        },
    }


def accuracy_with_other_rules(
    bench: BenchmarkData, dataset: Dataset, sampled: RuleTable
) -> dict[str, Any]:
    """Accuracy on fact reasoning with other rules than those that generated the questions."""
    config = AnswerConfig(dataset=dataset, basis=None, rules=sampled, reasoning=sampled)
    evaluated, _ = bench.evaluate(config)
    parts = score(evaluated, details=False).parts
    rounded: dict[str, Any] = rounded_figures(asdict(parts[QuestionKind.FACT_REASONING.value]), 6)
    return rounded


def questions_of(folder: Path) -> dict[str, dict[str, int]]:
    """Number of questions by split and kind."""
    return {
        split.value: dict(
            Counter(question.kind.value for question in read_gold(split_file(folder, split)))
        )
        for split in Split
    }


def _of(evaluated: Sequence[EvaluatedQuestion], kinds: frozenset[Any]) -> list[EvaluatedQuestion]:
    return [question for question in evaluated if question.kind in kinds]


def page(values: Mapping[str, Any]) -> str:
    """The results page in Markdown."""
    return "\n".join(_lines(values)) + "\n"


def _lines(values: Mapping[str, Any]) -> Iterator[str]:
    yield f"# Questions about {values['data']}"
    yield ""
    program = "python -m benchmarks.reproduction.questions"
    yield f"`{program} {values['data'].upper()} --write` writes this page."
    if "questions" in values:
        yield from _questions(values["questions"])
    if "compared" in values:
        rows = values["compared"]["entrants"]
        yield from _entities(rows)
        yield from _labels(rows)
        yield from _over(values["compared"]["over"])
        yield ""
        rules = values["rules"]
        yield f"Rules of up to three facts: `{rules['options']}`, {rules['rules']:,} rules."
        yield ""
        accuracy = values["otherwise"]["figures"]["accuracy"]
        yield (
            "Contributions use the rules of the folder, which generated the questions, so that "
            "rules solve fact reasoning by construction. With the rules of one fact among those "
            f"of up to three the accuracy is {_cell(accuracy)}."
        )
    if "costs" in values:
        yield from ("", "## Costs")
        yield from _costs(values["costs"], "command", "wall seconds")
    if "answering" in values:
        answering = {name: values["answering"][name] for name in ENTRANTS}
        yield from _costs(answering, "answering the test split by", "process seconds")


def _questions(splits: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    kinds = [kind for kind in PARTS if kind != BOTH]
    yield ""
    yield f"| split | {' | '.join(kinds)} |"
    yield f"|---|{'---:|' * len(kinds)}"
    for split in Split:
        counts = splits[split.value]
        yield f"| {split} | {' | '.join(f'{counts.get(kind, 0):,}' for kind in kinds)} |"


def _entities(rows: Mapping[str, Any]) -> Iterator[str]:
    yield ""
    yield "## Entities, test split, in percent"
    yield ""
    yield f"| questions | by | {' | '.join(name for name, _ in COLUMNS)} |"
    yield f"|---|---|{'---:|' * len(COLUMNS)}"
    for part in list(PARTS)[:3]:
        for name in ENTRANTS:
            figures = rows[name]["parts"][part]["figures"]
            cells = [_cell(figures[key]) for _, key in COLUMNS]
            yield f"| {part} | {name} | {' | '.join(cells)} |"


def _labels(rows: Mapping[str, Any]) -> Iterator[str]:
    parts = list(PARTS)[3:]
    yield ""
    yield "## Labels and choices, test split, accuracy in percent"
    yield ""
    yield f"| by | {' | '.join(parts)} | threshold of yes |"
    yield f"|---|{'---:|' * (len(parts) + 1)}"
    for name in ENTRANTS:
        row = rows[name]
        cells = [_cell(row["parts"][part]["figures"]["accuracy"]) for part in parts]
        threshold = "–" if row["threshold"] is None else f"{row['threshold']:.4g}"
        yield f"| {name} | {' | '.join(cells)} | {threshold} |"


def _over(over: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    parts = [part for part in PARTS if part != BOTH]
    yield ""
    yield f"## Gain of {BEST} over the others, MRR or accuracy, paired bootstrap"
    yield ""
    yield f"| over | {' | '.join(parts)} |"
    yield f"|---|{'---:|' * len(parts)}"
    for other in FORECASTS:
        cells = [_cell(over[other][part], sign="+") for part in parts]
        yield f"| {other} | {' | '.join(cells)} |"


def _costs(costs: Mapping[str, Mapping[str, float]], what: str, time: str) -> Iterator[str]:
    yield ""
    yield f"| {what} | {time} | MiB |"
    yield "|---|---:|---:|"
    for name, cost in costs.items():
        yield f"| {name} | {cost['seconds']:.1f} | {cost['mebibytes']:.0f} |"


def _cell(figure: Mapping[str, float], sign: str = "") -> str:
    value, low, high = (100 * figure[key] for key in ("value", "low", "high"))
    return f"{value:{sign}.2f} [{low:.2f}, {high:.2f}]"
