"""Statistics of a data set: ``statistics.json`` and its table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from generators.questions.graph import QuestionGraph
from generators.questions.run import DraftedDataset
from generators.questions.tally import Tally
from grammar.question import QuestionKind
from solver.tkg.dataset import Split

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
                "one_fact": None if self.made.rules is None else len(self.made.rules),
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
