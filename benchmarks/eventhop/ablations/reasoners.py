"""The reasoners: the full one, and ablated ones that lack a piece of its logic.

Each is an encoding in ``encodings/temporal/ablations/``, except for the published procedure
(``solver.eventhop.published``). Their labels follow the policy ``local``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from grammar.errors import ExitStatus, HopcheckError
from grammar.eventhop.model import Item, Label, Status
from solver.asp import AspError, Program
from solver.encodings import FactTable
from solver.eventhop.engines.asp import MostFrequentLabel, claimed_relation, encode_items
from solver.eventhop.labels import LabelScheme
from solver.eventhop.published import UnpublishedClaimError, published_label

FULL = "full"
CLAIM_ONLY = "claim-only"
PUBLISHED = "published"
BOUNDS = tuple(range(1, 9))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reasoner:
    """A full or ablated reasoner.

    Attributes:
        name: name on the command line and in files.
        meaning: description in one sentence.
        habit: completion of the sentence "It answers as if …".
        encoding: path in ``encodings/``, or of another file; None for the published procedure.
        constants: values for the program's ``#const``.
    """

    name: str
    meaning: str
    habit: str
    encoding: str | None
    constants: Mapping[str, str | int] = field(default_factory=dict)


def _lacking(name: str, meaning: str, habit: str) -> Reasoner:
    encoding = f"temporal/ablations/{name.replace('-', '_')}.lp"
    return Reasoner(name=name, meaning=meaning, habit=habit, encoding=encoding)


def _bounded(bound: int) -> Reasoner:
    sentences = "one sentence" if bound == 1 else f"{bound} sentences"
    return Reasoner(
        name=f"hops-{bound}",
        meaning=f"Follows chains of at most {sentences} of the premise.",
        habit=f"no chain were longer than {sentences}",
        encoding="temporal/ablations/bounded.lp",
        constants={"bound": bound},
    )


REASONERS = (
    Reasoner(
        name=FULL,
        meaning="Derives everything that the premise implies about the claim.",
        habit="nothing were missing",
        encoding="temporal/claims.lp",
    ),
    *map(_bounded, BOUNDS),
    _lacking(
        "no-simultaneity",
        "Ignores sentences of simultaneity.",
        "simultaneity did not exist",
    ),
    _lacking(
        "after-not-inverted",
        "Takes “P after Q” for “P before Q”.",
        "“after” meant “before”",
    ),
    _lacking(
        "no-duration",
        "Does not know that an event's start comes before its end.",
        "an event's start need not come before its end",
    ),
    _lacking(
        "blind-to-contradictions",
        "Never detects a contradiction in the premise.",
        "no premise could contradict itself",
    ),
    _lacking(
        "forward-search",
        "Searches only forward in time, from the first event of the claim.",
        "chains ran only forward in time from the first event of the claim",
    ),
    _lacking(
        "first-derivation",
        "Reads the premise in order and stops at the first derivation that settles the claim.",
        "the premise ended after the first derivation",
    ),
    _lacking(
        "single-pass",
        "Extends a chain only with sentences that come later in the text.",
        "chains had to follow the order of the text",
    ),
    _lacking(
        "overlap-by-absence",
        "Takes two events to overlap unless it finds one before the other.",
        "events overlapped unless shown otherwise",
    ),
    _lacking(
        "ends-confused",
        "Confuses the start of an event with its end: each sentence is about whole events.",
        "the start and the end of an event were the same",
    ),
    _lacking(
        CLAIM_ONLY,
        "Ignores the premise and gives the most frequent answer to such claims.",
        "there were no premise",
    ),
    Reasoner(
        name=PUBLISHED,
        meaning="Follows the published procedure, including its five faults.",
        habit="it followed the published procedure with its faults",
        encoding=None,
    ),
)


DIAGNOSED = (
    *REASONERS,
    Reasoner(
        name="global",
        meaning="Calls a claim undefined if anything in the premise contradicts itself.",
        habit="a contradiction anywhere in the premise left every claim undefined",
        encoding="temporal/claims.lp",
        constants={"policy": "global"},
    ),
    _lacking(
        "strict-meeting",
        "Takes an event to be before another only if there is a gap between them.",
        "an event that ends where another starts were not before it",
    ),
    _lacking(
        "never-undefined",
        "Answers false where the premise contradicts itself about the claim.",
        "a claim on which the premise contradicts itself were false",
    ),
)
"""Reasoners of ``diagnose``: the ablations, and other ways to read a claim or a contradiction."""


def reasoner(name: str) -> Reasoner:
    """The reasoner of that name.

    Raises:
        KeyError: there is none.
    """
    return {reasoner.name: reasoner for reasoner in DIAGNOSED}[name]


class ReasonerFileError(HopcheckError):
    """A file that is no reasoner."""

    code = "reasoner-file"


def read_reasoner(path: str | Path) -> Reasoner:
    """A reasoner of a user: a program that derives ``label(Item,Label)`` for each item.

    Its input are the facts of ``temporal/claims.lp``. It is named after its file; its first
    comment is its description.

    Raises:
        ReasonerFileError: it cannot be read, has a script, or is named like another reasoner.
    """
    file = Path(path).resolve()
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        message = f"cannot be read ({error}), expected an answer set program"
        raise ReasonerFileError(message, where=str(path)) from None
    if "#script" in text:
        message = "found #script, expected rules alone"
        raise ReasonerFileError(message, where=str(path))
    if file.stem in {reasoner.name for reasoner in DIAGNOSED}:
        message = f"found a reasoner named {file.stem}, which there is already"
        raise ReasonerFileError(message, where=str(path), hint="rename the file")
    first = next(iter(text.splitlines()), "")
    meaning = first.lstrip("% ") if first.startswith("%") else f"The program {file.name}."
    habit = f"it followed {file.name}"
    return Reasoner(name=file.stem, meaning=meaning, habit=habit, encoding=str(file))


def read_reasoners(paths: Iterable[str | Path]) -> tuple[Reasoner, ...]:
    """Read reasoners of a user.

    Raises:
        ReasonerFileError: a file is no reasoner, or two have the same name.
    """
    found: dict[str, Reasoner] = {}
    for path in paths:
        reasoner = read_reasoner(path)
        if reasoner.name in found:
            message = f"found a second reasoner named {reasoner.name}, expected distinct names"
            raise ReasonerFileError(message, where=str(path))
        found[reasoner.name] = reasoner
    return tuple(found.values())


BATCH = 64


class UnansweredError(HopcheckError):
    """An encoding that derives no label, or several, for an item."""

    code = "unanswered"
    exit_status = ExitStatus.DISAGREEMENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """The answers of reasoners.

    Attributes:
        labels: reasoner's name -> its label for each item.
        statuses: reasoner's name -> the status behind each label, if it has statuses.
        left_out: reasoner's name -> why it cannot answer these items.
    """

    labels: Mapping[str, tuple[Label, ...]]
    statuses: Mapping[str, tuple[Status, ...]]
    left_out: Mapping[str, str]

    def words(self, name: str, scheme: LabelScheme | None) -> tuple[str, ...] | None:
        """The answers of a reasoner in the words of a scheme; by default its labels.

        None if it has labels alone, and the scheme has two words for *false*.
        """
        if scheme is None:
            return self.labels[name]
        if name in self.statuses:
            return tuple(scheme.words[status] for status in self.statuses[name])
        if scheme.words[Status.REFUTED] != scheme.words[Status.UNKNOWN]:
            return None
        return tuple(scheme.words[_STATUSES[label]] for label in self.labels[name])


_STATUSES = {
    Label.TRUE: Status.ENTAILED,
    Label.FALSE: Status.REFUTED,
    Label.UNDEFINED: Status.CONTRADICTORY,
}


def _behind(label: Label, status: Status) -> Status:
    """The status that a label states; a claim that is false is open only if the status is."""
    if label is Label.FALSE and status is Status.UNKNOWN:
        return status
    return _STATUSES[label]


def answer(
    items: Sequence[Item],
    decided: Sequence[Label],
    *,
    reasoners: Sequence[Reasoner] = REASONERS,
    progress: Callable[[int], object] | None = None,
) -> Answers:
    """Answer every item with each reasoner.

    Args:
        items: items to answer.
        decided: their decided labels, on which the claim-only reasoner is fitted.
        reasoners: reasoners to run.
        progress: called with the number of items after each reasoner.
    """
    batches = [encode_items(items[start : start + BATCH]) for start in range(0, len(items), BATCH)]
    given: dict[str, tuple[Label, ...]] = {}
    statuses: dict[str, tuple[Status, ...]] = {}
    left_out: dict[str, str] = {}
    for reasoner in reasoners:
        if reasoner.name == PUBLISHED:
            try:
                given[reasoner.name] = tuple(published_label(item) for item in items)
            except UnpublishedClaimError as error:
                left_out[reasoner.name] = str(error)
        else:
            more = [most_frequent_labels(items, decided)] if reasoner.name == CLAIM_ONLY else []
            labels, found = _answered(reasoner, batches, more, items)
            given[reasoner.name] = tuple(labels)
            if found:
                statuses[reasoner.name] = tuple(map(_behind, labels, found))
        if progress is not None:
            progress(len(items))
    return Answers(labels=given, statuses=statuses, left_out=left_out)


Key = TypeVar("Key", bound=Hashable)


def most_frequent(keys: Iterable[Key], labels: Sequence[Label]) -> dict[Key, Label]:
    """The most frequent label of each key; ties go to the first in the order of ``Label``."""
    counts: dict[Key, Counter[Label]] = {}
    for key, label in zip(keys, labels, strict=True):
        counts.setdefault(key, Counter())[label] += 1
    return {key: max(Label, key=count.__getitem__) for key, count in counts.items()}


def most_frequent_labels(items: Sequence[Item], decided: Sequence[Label]) -> FactTable:
    """Facts: the most frequent label of each claim relation."""
    most = most_frequent(map(claimed_relation, items), decided)
    ordered = sorted(most.items(), key=lambda pair: str(pair[0]))
    return FactTable(
        rows={MostFrequentLabel: [f"{relation},{label}" for relation, label in ordered]}
    )


_LARGEST = 2_000_000
"""Most ground rules of a user's reasoner for a batch of items."""


def _answered(
    reasoner: Reasoner,
    batches: Sequence[FactTable],
    more: Sequence[FactTable],
    items: Sequence[Item],
) -> tuple[list[Label], list[Status]]:
    """The labels of a reasoner, and the statuses of one of this project that has them."""
    by_user = Path(str(reasoner.encoding)).is_absolute()
    program = Program(
        encodings=(str(reasoner.encoding),),
        constants=reasoner.constants,
        largest=_LARGEST if by_user else None,
    )
    labels: list[Label] = []
    statuses: list[Status] = []
    for start, batch in zip(range(0, len(items), BATCH), batches, strict=True):
        try:
            rows = dict(pair for table in (batch, *more) for pair in table.rows.items())
            text = "\n".join(table.text for table in (batch, *more))
            atoms = program.unique_model(FactTable(rows=rows, text=text))
        except AspError as error:
            if by_user:
                raise ReasonerFileError(error.message, where=str(reasoner.encoding)) from None
            raise
        shown = [atom.arguments for atom in atoms if atom.name == "label"]
        if by_user and any(len(pair) != 2 or pair[1] not in set(Label) for pair in shown):
            message = "found an atom label that is not label(Item,true|false|undefined)"
            raise ReasonerFileError(message, where=str(reasoner.encoding))
        found = [(pair[0], pair[1]) for pair in shown]
        by_item = dict(found)
        size = min(BATCH, len(items) - start)
        if len(found) != size or len(by_item) != size:
            kind = ReasonerFileError if by_user else UnansweredError
            raise kind(
                f"{reasoner.encoding} derives {len(found)} labels for {size} items, expected one "
                "each",
                where=f"items {start + 1} to {start + size}",
            )
        labels += [Label(str(by_item[index])) for index in range(size)]
        if not by_user:
            shown = sorted(atom.arguments for atom in atoms if atom.name == "status")
            statuses += [Status(str(status)) for _, status in shown]
    if len(statuses) not in (0, len(labels)):
        message = f"{reasoner.encoding} derives {len(statuses)} statuses for {len(labels)} items"
        raise UnansweredError(message)
    return labels, statuses
