"""Runs ``score quadruples`` and writes its report: scores, HTML page, manifest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path, PurePath
from typing import Any

import msgspec

from benchmarks.metrics.bootstrap import estimate_series
from benchmarks.predictions import matching_status, unusable
from benchmarks.texts.elements import MODES, Mode, Profile, ScoreConfig
from benchmarks.texts.extraction import Extraction, Item, extract, match_lines
from benchmarks.texts.scores import (
    Comparison,
    Group,
    Measures,
    Score,
    by_relation,
    by_style,
    compare,
    read_styles,
    score,
)
from grammar.errors import ExitStatus
from solver.facts.literals import Row, read_predictions, read_references
from solver.io.sources import counted
from solver.report.charts import Series, bar_chart, plot
from solver.report.model import Report, Section, Table
from solver.report.numbers import percent, percent_interval
from solver.report.page import write_report

MOST_GROUPS = 24
FIGURES = ("precision", "recall", "f1")


def by_mode(scores: Mapping[Mode, Score]) -> str:
    """Precision, recall and F1 of each mode, over pairs, with their intervals."""
    series = []
    for name, shown in zip(FIGURES, ("precision", "recall", "F1"), strict=True):
        figures = [getattr(scores[mode].macro, name) for mode in MODES]
        series.append(estimate_series(shown, figures))
    return bar_chart([mode.value for mode in MODES], series, axis="mean over pairs")


def by_group(groups: Sequence[Group], title: str) -> str:
    """F1 of each group in each mode, the largest groups on top."""
    some = groups[:MOST_GROUPS]
    series = [
        Series(name=mode.value, values=[group.scores[mode].macro.f1.value for group in some])
        for mode in MODES
    ]
    names = [f"{group.name} ({group.pairs:,})" for group in some]
    return bar_chart(names, series, axis="F1, mean over pairs", title=title)


def by_item(extraction: Extraction) -> str:
    """Share of items that reach each F1, by mode."""
    _, f1 = extraction.item_f1()
    with plot(height=3.2, legend=True) as drawn:
        axes = drawn.axes[0]
        for place, mode in enumerate(MODES):
            values = sorted(f1[:, place].tolist())
            shares = [(len(values) - rank) / len(values) for rank in range(len(values))]
            axes.step(values, shares, where="pre", label=mode.value)
        axes.set(xlim=(0, 1.02), ylim=(0, 1.05), xlabel="F1 of an item")
        axes.set_ylabel("share of items that reach it")
    return drawn.svg


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunComparison:
    """Another run, its scores, and the significance test; None if a run has no scored item."""

    predictions: str
    scores: Mapping[Mode, Score]
    comparison: Comparison | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoredRun:
    """The result of ``score quadruples``.

    Attributes:
        predictions: name of the file; likewise ``references``.
        scores: empty if there is nothing to score.
        relations: scores by relation, the largest first.
        styles: scores by the date style of the text; empty without texts.
        faults: faults of the predictions, by line.
        missing: numbers of items without a line of predictions, from 0.
        unknown: predicted relations that are in no reference.
        broken: whether a line of the predictions is not a list of facts.
        notes: remarks on skipped items, empty names and unknown relations.
        config: options of the run.
        inputs: input files.
    """

    predictions: str
    references: str
    extraction: Extraction
    scores: Mapping[Mode, Score]
    relations: tuple[Group, ...]
    styles: tuple[Group, ...]
    against: RunComparison | None
    faults: tuple[str, ...]
    missing: tuple[int, ...]
    unknown: tuple[str, ...]
    broken: bool
    notes: tuple[str, ...]
    config: Mapping[str, object]
    inputs: tuple[str, ...]
    seed: int = 0

    @property
    def exit_status(self) -> ExitStatus:
        """As for all predictions: 2 with broken lines, else 1 if something does not match."""
        unmatched = bool(self.faults or self.missing or self.unknown)
        return matching_status(unmatched=unmatched, broken=self.broken)

    def as_json(self) -> dict[str, Any]:
        """All figures as JSON values; items by their line."""
        extraction = self.extraction
        return {
            "predictions": self.predictions,
            "references": self.references,
            "profile": extraction.profile.value,
            "items": len(extraction.items),
            "scored_items": len(set(extraction.item.tolist())),
            "pairs": len(extraction.item),
            "facts": {
                "references": sum(len(item.references) for item in extraction.items),
                "predictions": sum(len(item.candidates) for item in extraction.items),
            },
            "excluded": {
                name: {"items": len(items), "lines": [item + 1 for item in items]}
                for name, items in asdict(extraction.excluded).items()
            },
            "faults": list(self.faults),
            "missing": [item + 1 for item in self.missing],
            "unknown": list(self.unknown),
            "notes": list(self.notes),
            "scores": msgspec.to_builtins(self.scores),
            "relations": msgspec.to_builtins(self.relations),
            "styles": msgspec.to_builtins(self.styles),
            "against": None if self.against is None else _against(self.against),
            "config": {name: str(value) for name, value in self.config.items()},
        }


def _against(other: RunComparison) -> dict[str, Any]:
    test = other.comparison
    return {
        "predictions": other.predictions,
        "scores": msgspec.to_builtins(other.scores),
        "paired": None if test is None else test.paired,
        "items": None if test is None else list(test.items),
        "modes": {} if test is None else msgspec.to_builtins(test.modes),
    }


def write(run: ScoredRun, folder: Path) -> Path:
    """Write ``scores.json``, ``report.html`` and ``manifest.json``; return the page."""
    return write_report(
        folder,
        report(run),
        figures=run.as_json(),
        config=run.config,
        seed=run.seed,
        encodings=(),
        inputs=run.inputs,
    )


def report(run: ScoredRun) -> Report:
    """Build the page."""
    extraction = run.extraction
    facts = {
        "references": run.references,
        "profile": extraction.profile.value,
        "items": f"{len(extraction.items):,}, {counted(len(extraction.item), 'pair')} of facts",
        **{f"note {n}": note for n, note in enumerate(run.notes, 1)},
    }
    return Report(
        title=f"Quadruples of {run.predictions}",
        lead=headline(run),
        facts=facts,
        sections=tuple(_sections(run)),
    )


def headline(run: ScoredRun) -> str:
    """F1 of the four modes in one sentence."""
    if not run.scores:
        return "There is nothing to score."
    scores = ", ".join(f"{mode} {percent_interval(run.scores[mode].macro.f1)}" for mode in MODES)
    return f"F1, mean over pairs of facts: {scores}."


def _sections(run: ScoredRun) -> Iterator[Section]:
    if run.scores:
        text = "In percent: means over pairs of facts (0 for an unmatched fact); micro counts "
        text += "the spans of all pairs together. In brackets: 95% confidence intervals."
        plots = {"scores by mode": by_mode(run.scores), "F1 of items": by_item(run.extraction)}
        yield Section(title="Modes", text=text, plots=plots, tables=(overall(run.scores),))
    if run.against is not None:
        table = against(run)
        yield Section(
            title="Comparison with the other run",
            text=describe_test(run.against),
            tables=() if table is None else (table,),
        )
    for title, groups in (("Relations", run.relations), ("Date styles", run.styles)):
        if groups:
            table = grouped(groups, title[:-1].lower())
            yield Section(title=title, plots={title: by_group(groups, title)}, tables=(table,))
    if run.faults:
        rows = tuple((fault,) for fault in run.faults)
        yield Section(title="Faults", tables=(Table(columns=("line",), rows=rows),))


def overall(scores: Mapping[Mode, Score]) -> Table:
    """Scores by mode."""
    columns = ("mode", "P", "R", "F1", "micro P", "micro R", "micro F1")
    rows = tuple(
        (mode.value, *_cells(score.macro), *_cells(score.micro)) for mode, score in scores.items()
    )
    return Table(columns=columns, rows=rows)


def _cells(measures: Measures) -> tuple[str, ...]:
    sides = (measures.precision, measures.recall)
    return (*(percent(side.value) for side in sides), percent_interval(measures.f1))


def grouped(groups: Sequence[Group], noun: str) -> Table:
    """F1 of each group in each mode."""
    rows = tuple(
        (
            group.name,
            *(percent_interval(group.scores[mode].macro.f1) for mode in MODES),
            f"{group.pairs:,}",
        )
        for group in groups
    )
    return Table(columns=(noun, *(mode.value for mode in MODES), "pairs"), rows=rows)


def against(run: ScoredRun) -> Table | None:
    """Difference in mean F1 of the items between two runs."""
    test = run.against.comparison if run.against is not None else None
    if test is None:
        return None
    rows = tuple(
        (mode.value, f"{100 * difference.difference:+.2f}", f"{difference.p:.4f}")
        for mode, difference in test.modes.items()
    )
    return Table(columns=("mode", "difference", "p"), rows=rows)


def describe_test(other: RunComparison) -> str:
    """Describe the significance test in a sentence."""
    test = other.comparison
    if test is None:
        return f"{other.predictions}: nothing to test."
    sides = " and ".join(f"{items:,}" for items in dict.fromkeys(test.items))
    return (
        f"Difference in mean F1 of items to {other.predictions}, in percent; permutation test, "
        f"{'paired' if test.paired else 'unpaired'}, {sides} items."
    )


_SHOWN = 10


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _LoadedRun:
    """The predictions of a run, scored against their references."""

    extraction: Extraction
    faults: tuple[str, ...]
    unpredicted: tuple[int, ...]
    broken: bool

    @property
    def unknown(self) -> tuple[str, ...]:
        """The predicted relations that are in no reference."""
        items = self.extraction.items
        known = {fact[1] for item in items for fact in item.references}
        named = {fact[1] for item in items for fact in item.candidates if fact is not None}
        return tuple(sorted(named - known))


def score_run(predictions: str, config: ScoreConfig) -> ScoredRun:
    """Score a file of predictions.

    Args:
        predictions: path of the file.
        config: the references and how to score.

    Raises:
        InputError: a file cannot be read, or has too many lines.
        FactsError: the references have faults.
    """
    profile = config.profile
    references = read_references(config.references)
    styles = read_styles(config.texts, len(references)) if config.texts else ()
    read = _read(predictions, references, profile)
    resamples, seed = config.resamples, config.seed
    found = read.extraction
    scored = bool(len(found.item))
    other = _compared(found, references, config, config.against) if config.against else None
    against, both, notes = None, [read], _notes(read)
    if other is not None:
        against, compared = other
        both.append(compared)
        notes += [f"{against.predictions}: {note}" for note in _notes(compared)]
    files = (config.references, config.against, config.against_references, config.texts)
    return ScoredRun(
        predictions=PurePath(predictions).name,
        references=PurePath(config.references).name,
        extraction=found,
        scores=score(found, seed=seed, resamples=_drawn(profile, resamples)) if scored else {},
        relations=by_relation(found) if scored else (),
        styles=by_style(found, styles) if styles and scored else (),
        against=against,
        faults=tuple(fault for run in both for fault in run.faults),
        missing=tuple(sorted({item for run in both for item in run.unpredicted})),
        unknown=tuple(sorted({name for run in both for name in run.unknown})),
        broken=any(run.broken for run in both),
        notes=tuple(notes),
        config={
            "profile": profile,
            "resamples": resamples,
            "permutations": config.permutations,
        },
        inputs=(predictions, *filter(None, files)),
        seed=seed,
    )


def _drawn(profile: Profile, resamples: int) -> int:
    """Number of bootstrap resamples; none for the released script, which has no intervals."""
    return 0 if profile is Profile.RELEASED else resamples


def _read(path: str, references: Sequence[Row], profile: Profile) -> _LoadedRun:
    rows = read_predictions(path)
    items, unread, unpredicted = match_lines(references, rows, file=path)
    extraction = extract(items, profile, unread=unread, unpredicted=unpredicted)
    faults = tuple(str(fault) for row in rows for fault in row.faults)
    broken = any(row.broken for row in rows)
    return _LoadedRun(
        extraction=extraction, faults=faults, unpredicted=tuple(unpredicted), broken=broken
    )


def _compared(
    extraction: Extraction, references: Sequence[Row], config: ScoreConfig, path: str
) -> tuple[RunComparison, _LoadedRun]:
    profile, elsewhere = config.profile, config.against_references
    rows = read_references(elsewhere) if elsewhere else references
    read = _read(path, rows, profile)
    other = read.extraction
    drawn = _drawn(profile, config.resamples)
    scored = score(other, seed=config.seed, resamples=drawn) if len(other.item) else {}
    comparison = compare(
        extraction,
        other,
        paired=not elsewhere,
        seed=config.seed,
        resamples=config.permutations,
    )
    name = PurePath(path).name
    return RunComparison(predictions=name, scores=scored, comparison=comparison), read


def _notes(read: _LoadedRun) -> list[str]:
    excluded, items = read.extraction.excluded, read.extraction.items
    remarks = {
        "skipped, unreadable prediction": excluded.unread,
        "skipped, more than 7 facts": excluded.long,
        "skipped, without a line of predictions": excluded.unpredicted,
        "without a line of predictions": () if excluded.unpredicted else read.unpredicted,
        "without references and candidates, not scored": excluded.bare,
        "with an empty name in the references, so a perfect copy may score below 1": _empty(items),
    }
    notes = [
        f"{counted(len(places), 'item')} {what}: line {_lines(places)}"
        for what, places in remarks.items()
        if places
    ]
    what = "in no reference"
    return [*notes, *unusable("predicted relation", what, map(repr, read.unknown))]


def _empty(items: Sequence[Item]) -> tuple[int, ...]:
    return tuple(
        place
        for place, item in enumerate(items)
        if any(not part.strip() for fact in item.references for part in fact)
    )


def _lines(places: Sequence[int]) -> str:
    more = ", …" if len(places) > _SHOWN else ""
    return ", ".join(f"{place + 1:,}" for place in places[:_SHOWN]) + more
