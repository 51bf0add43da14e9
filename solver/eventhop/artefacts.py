"""Runs all artefact checks on a sample and describes the results in sentences."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache

from solver.eventhop.dataset import Flaw, Problem
from solver.eventhop.probes import LIMIT, PROBES, Sample
from solver.io.sources import counted
from solver.probes.balance import Balance, Cell, Row, balance
from solver.probes.probe import Labelled, ProbeLevel, ProbeResult, run_probes

FEW = 20
"""Claim relations with fewer items are not compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A result in one sentence; ``warning`` if it is an artefact."""

    sentence: str
    warning: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Artefacts:
    """Results of the artefact checks; every figure is finite or None.

    Attributes:
        items: number of items in the sample.
        labels: gold label -> items.
        by_claim: labels by claim relation.
        by_cell: labels by numbers of events and relations.
    """

    items: int
    labels: Mapping[str, int]
    guesses: tuple[ProbeResult, ...]
    by_claim: Balance
    by_cell: Balance
    duplicates: Duplicates
    findings: tuple[Finding, ...]

    @property
    def shortcuts(self) -> tuple[str, ...]:
        """Sentences on label leakage: all warnings but the last one, on duplicates."""
        return tuple(finding.sentence for finding in self.findings[:-1] if finding.warning)

    def to_json(self) -> dict[str, object]:
        """Convert to JSON values."""
        return asdict(self)


def measure(
    samples: Sequence[Sample],
    train: Sequence[Sample] | None = None,
    *,
    level: ProbeLevel = ProbeLevel.ALL,
    shared: frozenset[str] = frozenset(),
) -> Artefacts:
    """Check a sample for artefacts.

    Args:
        samples: at most ``LIMIT`` items, in any order; callers select from larger files by a hash
            of the text.
        train: items of another split to fit the probes on; None to cross-validate.
        level: which probes are run.
        shared: names of probes of what the splits share on purpose; these are no warnings.

    Raises:
        ValueError: there are more than ``LIMIT`` samples.
    """
    if len(samples) > LIMIT:
        raise ValueError(f"found {len(samples)} samples, expected at most {LIMIT}")
    learned = None if train is None else _labelled(train)
    guesses = tuple(run_probes(PROBES, _labelled(samples), learned, level=level))
    by_claim = balance("claim relation", [_claim_cell(s) for s in samples if s.relation])
    by_cell = balance("events and relations", [_size_cell(s) for s in samples if s.events])
    repeats = duplicates(samples)
    return Artefacts(
        items=len(samples),
        labels=dict(sorted(Counter(str(sample.gold) for sample in samples).items())),
        guesses=guesses,
        by_claim=by_claim,
        by_cell=by_cell,
        duplicates=repeats,
        findings=tuple(_findings(guesses, by_claim, by_cell, repeats, shared)),
    )


def _labelled(samples: Sequence[Sample]) -> Labelled[Sample]:
    distinct = deduplicate(samples)
    return Labelled(
        items=distinct,
        labels=[str(sample.gold) for sample in distinct],
        ids=[sample.id for sample in distinct],
        groups=[
            sample.premise if sample.outline is None else sample.outline for sample in distinct
        ],
    )


def _claim_cell(sample: Sample) -> Cell:
    return Cell(key=(sample.relation,), name=sample.relation, label=str(sample.gold))


def _size_cell(sample: Sample) -> Cell:
    name = f"{counted(sample.events, 'event')}, {counted(sample.relations, 'relation')}"
    return Cell(key=(sample.events, sample.relations), name=name, label=str(sample.gold))


def _findings(
    guesses: Sequence[ProbeResult],
    by_claim: Balance,
    by_cell: Balance,
    repeats: Duplicates,
    shared: frozenset[str],
) -> Iterator[Finding]:
    for result in guesses:
        strongest = f" {'; '.join(map(str, result.strongest))}" if result.shortcut else ""
        purpose = " The splits share this on purpose." if result.name in shared else ""
        yield Finding(
            sentence=f"{result}{strongest}{purpose}",
            warning=result.shortcut and not purpose,
        )
    yield from _claim_findings(by_claim)
    yield from _cell_findings(by_cell)
    yield _duplicate_finding(repeats)


def _claim_findings(by_claim: Balance) -> Iterator[Finding]:
    """Report the label whose share differs most between claims, if significantly."""
    rows = [row for row in by_claim.rows if row.total >= FEW]
    if len(rows) < 2 or not by_claim.uneven:
        return
    label = max(by_claim.labels, key=lambda name: _spread(rows, name))
    parts = [
        f"`{row.name}` in {_percent(row.share(label))}"
        for row in sorted(rows, key=lambda row: row.share(label))
    ]
    yield Finding(
        sentence=f"The label depends on the claim relation: items are {label} for "
        f"{_listed(parts)} of the cases.",
        warning=True,
    )


def _spread(rows: Sequence[Row], label: str) -> float:
    shares = [row.share(label) for row in rows]
    return max(shares) - min(shares)


def _cell_findings(by_cell: Balance) -> Iterator[Finding]:
    if by_cell.association is None:
        return
    verdict = "predict the label in part" if by_cell.uneven else "do not clearly predict the label"
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


_BETWEEN = re.compile(r"\.(?:\s+|$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Duplicates:
    """How often texts are repeated.

    Attributes:
        texts: number of distinct texts.
        repeated: items that repeat the text of an earlier item.
        reordered: those of them whose premise sentences are in another order.
        conflicting: texts that occur with more than one label.
    """

    texts: int
    repeated: int
    reordered: int
    conflicting: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """Key for deduplication: the multiset of sentences, and the claim."""

    sentences: tuple[str, ...]
    claim: str


def text(sample: Sample) -> Text:
    """The deduplication key of an item."""
    return _text(sample.premise, sample.claim)


@lru_cache(1 << 12)
def _text(premise: str, claim: str) -> Text:
    sentences = map(str.strip, _BETWEEN.split(premise.lower()))
    stated = claim.strip().rstrip(".").lower()
    return Text(sentences=tuple(sorted(filter(None, sentences))), claim=stated)


def deduplicate(samples: Sequence[Sample]) -> list[Sample]:
    """Each text once, sorted by text; of several labels the alphabetically first."""
    ordered = sorted(samples, key=lambda s: (s.premise, s.claim, str(s.gold)))
    first = {text(sample): sample for sample in reversed(ordered)}
    return sorted(first.values(), key=lambda s: (s.premise, s.claim))


def duplicates(samples: Sequence[Sample]) -> Duplicates:
    """Count duplicates."""
    groups: defaultdict[Text, list[Sample]] = defaultdict(list)
    for sample in samples:
        groups[text(sample)].append(sample)
    exact = len({(s.premise.strip().lower(), s.claim.strip().lower()) for s in samples})
    return Duplicates(
        texts=len(groups),
        repeated=len(samples) - len(groups),
        reordered=exact - len(groups),
        conflicting=sum(len({s.gold for s in group}) > 1 for group in groups.values()),
    )


def shortcuts(where: str, measured: Artefacts) -> Iterator[Problem]:
    """A problem for each shortcut."""
    for sentence in measured.shortcuts:
        yield Problem(flaw=Flaw.SHORTCUT, where=where, message=sentence)
