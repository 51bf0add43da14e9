"""Statistics of a data set: ``statistics.json`` and its table."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from generators.questions.graph import QuestionGraph
from generators.questions.run import DraftedDataset
from grammar.questions.model import QuestionKind
from solver.graph.model import Split
from solver.questions.model import ASKED, YES, Question


class Tally:
    """Counts a stream of questions.

    Attributes:
        counts: questions by kind and split.
        days: questions by time and kind, times in order of appearance.
    """

    def __init__(self) -> None:
        self.counts: Counter[tuple[QuestionKind, Split]] = Counter()
        self.days: dict[str, Counter[QuestionKind]] = {}
        self._relations: dict[str, Counter[QuestionKind]] = defaultdict(Counter)
        self._answers: dict[tuple[QuestionKind, Split], Counter[int]] = defaultdict(Counter)
        self._true: Counter[Split] = Counter()

    def counted(self, questions: Iterable[Question]) -> Iterator[Question]:
        """Pass questions through, and count each."""
        for question in questions:
            kind, part = question.kind, (question.kind, question.split)
            self.counts[part] += 1
            self._answers[part][len(question.answers)] += 1
            self._relations[_relation(question)][kind] += 1
            if question.time not in self.days:
                self.days[question.time] = Counter()
            self.days[question.time][kind] += 1
            if question.answers == (YES,):
                self._true[question.split] += 1
            yield question

    def total(self, kind: QuestionKind) -> int:
        """Number of questions of a kind in all splits."""
        return sum(count for (one, _), count in self.counts.items() if one is kind)

    def mean_answers(self, kind: QuestionKind) -> float:
        """Mean number of answers per question of a kind; 0 without questions."""
        found: Counter[int] = Counter()
        for (one, _), counts in self._answers.items():
            if one is kind:
                found += counts
        return _mean(found)

    def relations(self) -> list[tuple[str, Counter[QuestionKind]]]:
        """Relations with their questions by kind, most frequent first."""
        return sorted(self._relations.items(), key=lambda one: (-one[1].total(), one[0]))

    def as_json(self) -> dict[str, Any]:
        """The counts in ``statistics.json``; means are rounded."""
        parts = sorted(self.counts)
        return {
            "questions": _by_kind({part: self.counts[part] for part in parts}),
            "total": sum(self.counts.values()),
            "answers": _by_kind({part: _answers(self._answers[part]) for part in parts}),
            "yes": dict(sorted(self._true.items())),
            "relations": {name: dict(counts) for name, counts in sorted(self._relations.items())},
            "times": {time: dict(counts) for time, counts in self.days.items()},
        }


def _relation(question: Question) -> str:
    """The queried relation."""
    asked = next((one for one in question.query if ASKED in one), question.query[-1])
    return asked[1]


def _by_kind(parts: Mapping[tuple[QuestionKind, Split], Any]) -> dict[str, dict[str, Any]]:
    nested: dict[str, dict[str, Any]] = {}
    for (kind, split), value in parts.items():
        nested.setdefault(kind.value, {})[split.value] = value
    return nested


def _answers(counts: Counter[int]) -> dict[str, Any]:
    return {
        "mean": round(_mean(counts), 6),
        "most": max(counts),
        "questions": {str(answers): counts[answers] for answers in sorted(counts)},
    }


def _mean(counts: Counter[int]) -> float:
    return sum(answers * count for answers, count in counts.items()) / max(counts.total(), 1)


Cells = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A written data set with its inputs."""

    graph: QuestionGraph
    made: DraftedDataset
    tally: Tally

    @property
    def splits(self) -> tuple[Split, ...]:
        """The splits of the graph."""
        return tuple(self.graph.splits)

    def as_json(self) -> dict[str, Any]:
        """The contents of ``statistics.json``."""
        whole, asked = self.graph.splits, self.graph.asked
        facts = {
            split.value: {"facts": len(whole[split]), "asked_about": len(asked[split])}
            for split in self.splits
        }
        return self.tally.as_json() | {
            "graph": {"name": self.graph.name, "splits": facts},
            "left_out": self._left_out(),
            "rules": {
                "one_fact": None if self.made.rules is None else len(self.made.rules.all),
                "two_hop": None if self.made.two_hop is None else len(self.made.two_hop),
                "two_hop_used": sum(rule.use for rule in self.made.two_hop or ()),
            },
        }

    def _left_out(self) -> dict[str, dict[str, dict[str, int]]]:
        record: dict[str, dict[str, dict[str, int]]] = {}
        for (kind, split), reasons in self.made.left_out.items():
            record.setdefault(kind.value, {})[split.value] = dict(reasons)
        return record

    def columns(self) -> tuple[str, ...]:
        """The header of ``table``."""
        return ("questions", *self.splits, "total", "answers each")

    def table(self) -> Cells:
        """Questions by kind and split, as in Table 1b, with the mean number of answers."""
        counts, rows = self.tally.counts, []
        for kind in QuestionKind:
            if total := self.tally.total(kind):
                some = [counts[kind, split] for split in self.splits]
                answers = f"{self.tally.mean_answers(kind):.2f}"
                rows.append((kind.value, *_formatted([*some, total]), answers))
        totals = [sum(counts[kind, one] for kind in QuestionKind) for one in self.splits]
        return (*rows, ("total", *_formatted([*totals, sum(totals)]), ""))

    def reasons(self) -> Cells:
        """Candidates without a question: kind, split, reason and number."""
        asked = self.graph.asked
        unsuitable = tuple(
            ("all", split.value, "facts whose relation does not suit a question", number)
            for split, facts in self.graph.splits.items()
            if (number := len(facts) - len(asked[split]))
        )
        others = tuple(
            (kind.value, split.value, reason, number)
            for (kind, split), reasons in self.made.left_out.items()
            for reason, number in reasons.items()
            if number
        )
        return tuple((*names, f"{number:,}") for *names, number in (*unsuitable, *others))


def _formatted(numbers: Sequence[int]) -> list[str]:
    return [f"{number:,}" for number in numbers]
