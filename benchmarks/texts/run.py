"""Runs ``score quadruples``: read, score, stratify, compare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

from benchmarks.predictions import unusable
from benchmarks.texts.elements import Profile, ScoreConfig
from benchmarks.texts.extraction import Extraction, Item, extract, match_lines
from benchmarks.texts.report import RunComparison, ScoredRun
from benchmarks.texts.scores import by_relation, by_style, compare, read_styles, score
from solver.facts.literals import Row, read_predictions, read_references
from solver.io.sources import counted

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
    other = _against(found, references, config, config.against) if config.against else None
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
        faults=tuple(fault for one in both for fault in one.faults),
        missing=tuple(sorted({item for one in both for item in one.unpredicted})),
        unknown=tuple(sorted({name for one in both for name in one.unknown})),
        broken=any(one.broken for one in both),
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


def _against(
    one: Extraction, references: Sequence[Row], config: ScoreConfig, path: str
) -> tuple[RunComparison, _LoadedRun]:
    profile, elsewhere = config.profile, config.against_references
    rows = read_references(elsewhere) if elsewhere else references
    read = _read(path, rows, profile)
    other = read.extraction
    drawn = _drawn(profile, config.resamples)
    scored = score(other, seed=config.seed, resamples=drawn) if len(other.item) else {}
    comparison = compare(
        one,
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
