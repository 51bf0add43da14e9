"""All artefact checks of one sample, and what they say in plain sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from solver.artefacts.balance import Balance, Cell, Row, balance
from solver.artefacts.duplicates import Duplicates, duplicates, once
from solver.artefacts.features import Seen
from solver.artefacts.guess import Guess, guess
from solver.artefacts.sample import LIMIT, Sample
from solver.wording import counted

FEW = 20
"""A claim relation with fewer items is not compared with others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One plain sentence; ``warning`` if it tells of something that should not be."""

    sentence: str
    warning: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Artefacts:
    """What the artefact checks found; every figure is finite or None.

    Attributes:
        items: how many were looked at.
        labels: gold label -> items.
        by_claim: labels by the relation that the claim asks for.
        by_cell: labels by number of events and of relations.
    """

    items: int
    labels: Mapping[str, int]
    guesses: tuple[Guess, ...]
    by_claim: Balance
    by_cell: Balance
    duplicates: Duplicates
    findings: tuple[Finding, ...]

    @property
    def giveaways(self) -> tuple[str, ...]:
        """What tells the label, in sentences: all warnings but that of repeats, which is last."""
        return tuple(one.sentence for one in self.findings[:-1] if one.warning)

    def to_json(self) -> dict[str, object]:
        """The same as plain JSON values."""
        return asdict(self)


def measure(samples: Sequence[Sample]) -> Artefacts:
    """Check a sample for artefacts.

    Args:
        samples: at most ``LIMIT`` items, in any order; of more, the caller chooses by a hash of
            the text, so that the choice depends on nothing else.

    Raises:
        ValueError: there are more.
    """
    if len(samples) > LIMIT:
        raise ValueError(f"found {len(samples)} samples, expected at most {LIMIT}")
    different = once(samples)
    guesses = tuple(guess(different, seen) for seen in Seen)
    by_claim = balance("claim relation", [_claim_cell(s) for s in samples if s.relation])
    by_cell = balance("events and relations", [_size_cell(s) for s in samples if s.events])
    repeats = duplicates(samples)
    return Artefacts(
        items=len(samples),
        labels=dict(sorted(Counter(sample.gold.value for sample in samples).items())),
        guesses=guesses,
        by_claim=by_claim,
        by_cell=by_cell,
        duplicates=repeats,
        findings=tuple(_findings(guesses, by_claim, by_cell, repeats)),
    )


def _claim_cell(sample: Sample) -> Cell:
    return Cell(key=(sample.relation,), name=sample.relation, label=sample.gold.value)


def _size_cell(sample: Sample) -> Cell:
    name = f"{counted(sample.events, 'event')}, {counted(sample.relations, 'relation')}"
    return Cell(key=(sample.events, sample.relations), name=name, label=sample.gold.value)


def _findings(
    guesses: Sequence[Guess], by_claim: Balance, by_cell: Balance, repeats: Duplicates
) -> Iterator[Finding]:
    for tried in guesses:
        yield Finding(sentence=_guess_sentence(tried), warning=tried.gives_away)
    yield from _claim_findings(by_claim)
    yield from _cell_findings(by_cell)
    yield _duplicate_finding(repeats)


def _guess_sentence(tried: Guess) -> str:
    if tried.macro_f1 is None:
        return f"Guessing the label from {tried.seen} was not measured: {tried.note}."
    more = f" ({tried.note})" if tried.note else ""
    return (
        f"Seeing only {tried.seen} {_verdict(tried)}: macro-F1 {tried.macro_f1:.2f}, "
        f"chance {tried.chance:.2f}{more}."
    )


def _verdict(tried: Guess) -> str:
    if tried.gives_away:
        return "gives the label away in part"
    if tried.better_than_chance:
        return f"may give the label away, or be luck on {counted(tried.items, 'item')}"
    return "does not give the label away"


def _claim_findings(by_claim: Balance) -> Iterator[Finding]:
    """Name the label whose share differs most between claims, if the difference is real."""
    rows = [row for row in by_claim.rows if row.total >= FEW]
    if len(rows) < 2 or not by_claim.uneven:
        return
    label = max(by_claim.labels, key=lambda name: _spread(rows, name))
    parts = [
        f"`{row.name}` in {_percent(row.share(label))}"
        for row in sorted(rows, key=lambda row: row.share(label))
    ]
    yield Finding(
        sentence=f"The label depends on what is claimed: items are {label} for {_listed(parts)} "
        "of the cases.",
        warning=True,
    )


def _spread(rows: Sequence[Row], label: str) -> float:
    shares = [row.share(label) for row in rows]
    return max(shares) - min(shares)


def _cell_findings(by_cell: Balance) -> Iterator[Finding]:
    if by_cell.association is None:
        return
    verdict = "tell the label in part" if by_cell.uneven else "do not clearly tell the label"
    yield Finding(
        sentence=f"The numbers of events and relations {verdict}: Cramér's V "
        f"{by_cell.association:.2f} (0 not at all, 1 fully), p = {by_cell.p_value:.2g}.",
        warning=by_cell.uneven,
    )


def _duplicate_finding(repeats: Duplicates) -> Finding:
    if not repeats.repeated:
        return Finding(sentence="No item occurs twice.", warning=False)
    conflicts = ""
    if repeats.conflicting:
        conflicts = f"; {counted(repeats.conflicting, 'text')} with more than one label"
    return Finding(
        sentence=f"Repeats of an earlier item: {repeats.repeated:,}, of these "
        f"{repeats.reordered:,} with the sentences in another order{conflicts}.",
        warning=True,
    )


def _percent(share: float) -> str:
    return f"{100 * share:.0f}%"


def _listed(parts: Sequence[str]) -> str:
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else "".join(parts)
