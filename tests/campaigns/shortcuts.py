"""Plants cues in generated items, and counts those that the probes report.

``python -m tests.campaigns.shortcuts [--items N] [--clean N] [--level fast|all]`` takes items of
``generate eventhop`` and, one cue at a time, rewrites 15% of them without a change of meaning
(sentences are reordered, turned or worded otherwise, events are renamed) until a property that has
nothing to do with the label tells it. A planted cue is reported if a probe finds a shortcut in the
whole set. ``--clean`` counts alarms on sets without a cue, drawn anew with labels at random within
their groups.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from generators.eventhop.config import Config, Split
from generators.eventhop.run import generate
from grammar.eventhop.lexicon import GAP, lexicon
from grammar.eventhop.model import PUBLISHED_ORDERS, Domain, Label
from grammar.eventhop.reader import reader
from solver.eventhop.artefacts import measure
from solver.eventhop.probes import Sample, sample
from solver.eventhop.records import ItemPlace, Record
from solver.probes.probe import ProbeLevel

SHARE = 0.15
TRIES = 200
LABELS = (Label.TRUE, Label.FALSE, Label.UNDEFINED)

_SENTENCE = re.compile(r"The (start|end) of (.+?) ([a-z ]+) (start|end) of (.+)")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a premise: ``the BOUND of LEFT PHRASE the OTHER of RIGHT``."""

    bound: str
    left: str
    phrase: str
    other: str
    right: str

    def __str__(self) -> str:
        """The text."""
        after = endings()[self.phrase]
        return f"The {self.bound} of {self.left} {self.phrase} {self.other} of {self.right}{after}"

    @property
    def order(self) -> str:
        """``before``, ``after`` or ``simultaneous``."""
        return orders()[self.phrase]


@dataclass(frozen=True, slots=True)
class Draft:
    """An item that may be rewritten: its sentences, the claim's words, its label."""

    sentences: tuple[Sentence, ...]
    first: str
    relation: str
    second: str
    label: int

    @property
    def premise(self) -> str:
        """The text of the premise."""
        return ". ".join(map(str, self.sentences))

    @property
    def names(self) -> tuple[str, ...]:
        """The events in the order in which they are mentioned."""
        return tuple(dict.fromkeys(name for s in self.sentences for name in (s.left, s.right)))

    @property
    def others(self) -> tuple[str, ...]:
        """The events that the claim does not name."""
        return tuple(name for name in self.names if name not in (self.first, self.second))

    @property
    def words(self) -> tuple[str, ...]:
        """The orders of the sentences."""
        return tuple(sentence.order for sentence in self.sentences)


@cache
def _phrases() -> tuple[tuple[str, str, str], ...]:
    """The words before the second point, those after it, and the order that they state."""
    known = lexicon(Domain.TEMPORAL)
    split = (
        (phrase.partition(f" {GAP} "), order)
        for order in PUBLISHED_ORDERS
        for phrase in known.phrases(order)
    )
    return tuple(
        (before, f" {after}" if gap else "", order.name.lower())
        for (before, gap, after), order in split
    )


@cache
def orders() -> dict[str, str]:
    """The order that each phrase of the domain states."""
    return {phrase: order for phrase, _, order in _phrases()}


@cache
def endings() -> dict[str, str]:
    """What follows the second point."""
    return {phrase: after for phrase, after, _ in _phrases()}


# Rewriting without a change of meaning


def reordered(draft: Draft, source: random.Random) -> Draft:
    """The sentences in another order."""
    return replace(draft, sentences=tuple(source.sample(draft.sentences, len(draft.sentences))))


TURNED = {"before": "after", "after": "before", "simultaneous": "simultaneous"}


def turned(draft: Draft, source: random.Random) -> Draft:
    """Half of the sentences said from their other side."""
    spoken = defaultdict(list)
    for phrase, order in orders().items():
        spoken[order].append(phrase)
    sentences = [
        Sentence(s.other, s.right, source.choice(spoken[TURNED[s.order]]), s.bound, s.left)
        if source.random() < 0.5
        else s
        for s in draft.sentences
    ]
    return replace(draft, sentences=tuple(sentences))


def reworded(draft: Draft, source: random.Random) -> Draft:
    """Half of the sentences with another phrase of the same order."""
    used = defaultdict(list)
    for phrase in PHRASES:
        used[orders()[phrase]].append(phrase)
    sentences = [
        replace(s, phrase=source.choice(used[s.order])) if source.random() < 0.5 else s
        for s in draft.sentences
    ]
    return replace(draft, sentences=tuple(sentences))


PHRASES: set[str] = set()
"""The phrases of the data set."""
NAMES: list[str] = []
"""The names of the data set."""


def renamed(draft: Draft, source: random.Random) -> Draft:
    """A third of the events with names of other items."""
    kept = [name for name in draft.names if source.random() < 2 / 3]
    fresh = iter(source.sample([n for n in NAMES if n not in kept], len(draft.names)))
    names = {name: name if name in kept else next(fresh) for name in draft.names}
    sentences = [replace(s, left=names[s.left], right=names[s.right]) for s in draft.sentences]
    return replace(
        draft, sentences=tuple(sentences), first=names[draft.first], second=names[draft.second]
    )


def renamed_and_reordered(draft: Draft, source: random.Random) -> Draft:
    """Both."""
    return renamed(reordered(draft, source), source)


# Cues: a property that tells the label, as its number, or as whether it is *true*


def _kind(name: str) -> str:
    return name.split()[0]


def _third(value: str) -> int:
    """A letter's third of the alphabet."""
    return min("ABCDEFGHIJKLMNOPQRSTUVWXYZ".find(value[0].upper()) // 9, 2)


def _place(draft: Draft, name: str) -> int:
    """The first sentence that names an event."""
    return next(n for n, s in enumerate(draft.sentences) if name in (s.left, s.right))


def _neighbour(draft: Draft, name: str) -> str:
    return next(
        s.right if s.left == name else s.left for s in draft.sentences if name in (s.left, s.right)
    )


_ORDERS = ("before", "after", "simultaneous")
_VERBS = ("arrived", "fell", "was")


def _verb(sentence: Sentence) -> int:
    verb = sentence.phrase.split()[0]
    return _VERBS.index(verb) if verb in _VERBS else -1


def _middle(draft: Draft) -> Sentence:
    return draft.sentences[len(draft.sentences) // 2]


Edit = Callable[[Draft, random.Random], Draft]
Cue = Callable[[Draft], int | bool]

CUES: dict[str, tuple[Edit, Cue]] = {
    "order of the last sentence": (reordered, lambda d: _ORDERS.index(d.words[-1])),
    "order of the first sentence": (reordered, lambda d: _ORDERS.index(d.words[0])),
    "order of the second sentence": (reordered, lambda d: _ORDERS.index(d.words[1])),
    "order of the middle sentence": (reordered, lambda d: _ORDERS.index(_middle(d).order)),
    "the last sentence begins with a start": (
        reordered,
        lambda d: d.sentences[-1].bound == "start",
    ),
    "the last two sentences have the same order": (
        reordered,
        lambda d: d.words[-1] == d.words[-2],
    ),
    "the first event is named in the first half": (
        reordered,
        lambda d: _place(d, d.first) < len(d.sentences) / 2,
    ),
    "the first event is named before the second": (
        reordered,
        lambda d: d.names.index(d.first) < d.names.index(d.second),
    ),
    "the last sentence names an event of the claim": (
        reordered,
        lambda d: bool({d.sentences[-1].left, d.sentences[-1].right} & {d.first, d.second}),
    ),
    "the longest sentence is in the first half": (
        reordered,
        lambda d: (
            max(range(len(d.sentences)), key=lambda n: len(str(d.sentences[n])))
            < len(d.sentences) / 2
        ),
    ),
    "the first sentence is longer than the last": (
        reordered,
        lambda d: len(str(d.sentences[0])) > len(str(d.sentences[-1])),
    ),
    "the first and third sentence have the same order": (
        reordered,
        lambda d: d.words[0] == d.words[2],
    ),
    "the first simultaneous sentence has an even place": (
        reordered,
        lambda d: "simultaneous" in d.words and d.words.index("simultaneous") % 2 == 0,
    ),
    "initial of the first name": (reordered, lambda d: _third(d.sentences[0].left)),
    "the first two sentences share an event": (
        reordered,
        lambda d: bool(
            {d.sentences[0].left, d.sentences[0].right}
            & {d.sentences[1].left, d.sentences[1].right}
        ),
    ),
    "the last name is an event of the claim": (
        reordered,
        lambda d: d.names[-1] in (d.first, d.second),
    ),
    "kind of the third event": (renamed, lambda d: _third(_kind(d.others[0])[1:])),
    "initial of the third event": (renamed, lambda d: _third(d.others[0])),
    "ending of the third event": (renamed, lambda d: _third(d.others[0][-1])),
    "alphabetical order of the claim's names": (renamed, lambda d: d.first < d.second),
    "the claim's first name is longer": (renamed, lambda d: len(d.first) > len(d.second)),
    "initial of the claim's second event": (renamed, lambda d: _third(d.second)),
    "an even number of events is *of* somewhere": (
        renamed,
        lambda d: sum(" of " in name for name in d.names) % 2 == 0,
    ),
    "initial of the place of the last event": (
        renamed,
        lambda d: _third(d.names[-1].split()[-1]),
    ),
    "the claim's events are of one kind": (renamed, lambda d: _kind(d.first) == _kind(d.second)),
    "initial of the first neighbour of the first event": (
        renamed,
        lambda d: _third(_neighbour(d, d.first)),
    ),
    "the longest name is one of the claim": (
        renamed,
        lambda d: max(d.names, key=len) in (d.first, d.second),
    ),
    "two lectures or more": (
        renamed,
        lambda d: sum(_kind(name) == "Lecture" for name in d.names) >= 2,
    ),
    "an even number of characters": (renamed, lambda d: len(d.premise) % 2 == 0),
    "verb of the first sentence": (reworded, lambda d: _verb(d.sentences[0])),
    "verb of the middle sentence": (reworded, lambda d: _verb(_middle(d))),
    "words of the last sentence": (
        reworded,
        lambda d: len(d.sentences[-1].phrase.split()) > 3,
    ),
    "an even number of sentences with *fell*": (
        reworded,
        lambda d: sum("fell" in s.phrase for s in d.sentences) % 2 == 0,
    ),
    "the first event is first named on the left": (
        turned,
        lambda d: d.sentences[_place(d, d.first)].left == d.first,
    ),
    "most sentences begin with a start": (
        turned,
        lambda d: sum(s.bound == "start" for s in d.sentences) > len(d.sentences) / 2,
    ),
    "initial of the first name, and the last order, together": (
        renamed_and_reordered,
        lambda d: (_third(d.sentences[0].left) == 0) == (d.words[-1] == "before"),
    ),
}


def planted(drafts: Sequence[Draft], edit: Edit, cue: Cue, source: random.Random) -> list[Draft]:
    """The items with a cue in 15% of them, fewer where no rewriting has it."""
    made = list(drafts)
    left = round(SHARE * len(drafts))
    for number in source.sample(range(len(drafts)), len(drafts)):
        if not left:
            break
        for _ in range(TRIES):
            tried = edit(made[number], source)
            value = cue(tried)
            told = value == (tried.label == 0) if isinstance(value, bool) else value == tried.label
            if told:
                made[number] = tried
                left -= 1
                break
    return made


def seen(drafts: Sequence[Draft], outlines: Sequence[int | None]) -> list[Sample]:
    """What the probes see."""
    read = reader(Domain.TEMPORAL)
    found = []
    for number, draft in enumerate(drafts):
        claim = f"{draft.first} {draft.relation} {draft.second}"
        record = Record(
            id=str(number),
            premise=draft.premise,
            claim=claim,
            gold=LABELS[draft.label].value,
            label=LABELS[draft.label],
            place=ItemPlace(file="planted", line=number + 1),
        )
        made = sample(record, read.read(str(number), draft.premise, claim))
        assert made is not None
        found.append(replace(made, outline=outlines[number]))
    return found


def drawn(items: int, seed: int) -> Iterator[tuple[Draft, int]]:
    """Generated items, each with the number of its group."""
    with TemporaryDirectory() as folder:
        generate(Config(seed=seed, sizes={Split.TEST: items}), Path(folder))
        lines = (Path(folder) / "test.jsonl").read_text(encoding="utf-8").splitlines()
    groups: dict[str, int] = {}
    for row in map(json.loads, lines):
        sentences = []
        for text in row["premise"].split(". "):
            match = _SENTENCE.fullmatch(text)
            assert match is not None, text
            bound, left, phrase, other, right = match.groups()
            right = right.removesuffix(endings()[phrase])
            sentences.append(Sentence(bound, left, phrase, other, right))
        names = {name for s in sentences for name in (s.left, s.right)}
        first = max((n for n in names if row["claim"].startswith(f"{n} ")), key=len)
        second = max((n for n in names if row["claim"].endswith(f" {n}")), key=len)
        relation = row["claim"][len(first) + 1 : -len(second) - 1]
        label = [label.value for label in LABELS].index(row["label"])
        yield (
            Draft(tuple(sentences), first, relation, second, label),
            groups.setdefault(row["outline"], len(groups)),
        )
        PHRASES.update(s.phrase for s in sentences)
        NAMES.extend(names)


def reported(samples: Sequence[Sample], level: ProbeLevel) -> list[str]:
    """The names of the probes that find a shortcut."""
    return [guess.name for guess in measure(samples, level=level).guesses if guess.shortcut]


def main() -> int:
    """Run the campaign."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=3000)
    parser.add_argument("--clean", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--level", choices=["fast", "all"], nargs="+", default=["fast", "all"])
    parser.add_argument("--cue", nargs="*", default=list(CUES))
    options = parser.parse_args()
    source = random.Random(options.seed)
    pairs = list(drawn(options.items, options.seed))
    drafts, outlines = [draft for draft, _ in pairs], [group for _, group in pairs]
    NAMES[:] = sorted(set(NAMES))
    levels = [ProbeLevel(level) for level in options.level]
    found: Counter[str] = Counter()
    for name in options.cue:
        edit, cue = CUES[name]
        samples = seen(planted(drafts, edit, cue, source), outlines)
        for level in levels:
            began = time.process_time()
            names = reported(samples, level)
            found[level] += bool(names)
            took = time.process_time() - began
            sys.stdout.write(f"{level:5} {took:5.2f} s {name}: {'; '.join(names) or '-'}\n")
    for level in levels:
        sys.stdout.write(
            f"{level}: {found[level]} of {len(options.cue)} planted cues are reported\n"
        )
    alarms: Counter[str] = Counter()
    for number in range(options.clean):
        samples = seen([draft for draft, _ in pairs], outlines)
        of_group = defaultdict(list)
        for place, group in enumerate(outlines):
            of_group[group].append(place)
        for places in of_group.values():
            labels = [samples[place].gold for place in places]
            random.Random(f"{options.seed} {number} {places[0]}").shuffle(labels)
            for place, label in zip(places, labels, strict=True):
                samples[place] = replace(samples[place], gold=label)
        for level in levels:
            names = reported(samples, level)
            alarms[level] += bool(names)
            if names:
                sys.stdout.write(f"{level} clean set {number}: {'; '.join(names)}\n")
    for level in levels:
        sys.stdout.write(
            f"{level}: {alarms[level]} of {options.clean} sets without a cue have an alarm\n"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
