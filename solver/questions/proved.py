"""Runs the checker that is compiled from the Coq proofs beside ``check.py`` of questions.

It gets the graph and the rules in numbers, finds all answers itself, and compares them with those
that are listed: proofs/README.md lists the numbers. Texts and splits are not among them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import count
from typing import Any, TypeAlias

from solver.eventhop.certificates.proved import MALFORMED, Judgement, compared, flat, name
from solver.questions import check

__all__ = ["Numbers", "check_file", "judge", "name"]

Json: TypeAlias = Any

_FORWARDS, _BACKWARDS = range(2)


class Numbers:
    """The numbers of entities, relations and rules of a graph; entities are sorted by name.

    Names that are not in the graph have the number after those of all others.

    Raises:
        ValueError: two times of the graph have one number.
    """

    def __init__(self, graph: check.Graph) -> None:
        self.graph = graph
        names = sorted({entity for fact in graph.facts for entity in (fact[0], fact[2])})
        self.entities = {entity: number for number, entity in enumerate(names)}
        self.relations = {relation: number for number, relation in enumerate(graph.relations)}
        if len({graph.moment(time) for time in graph.at}) < len(graph.at):
            raise ValueError("two times of the graph have one number")
        rules = graph.folds or ((0, 0, 0, len(graph.rules)),)
        self.folds = [range(first, first + number) for _, _, first, number in rules]
        self.places: list[dict[int, int]] = []
        """For each fold the place of each rule with one body atom."""
        for fold in self.folds:
            known = (number for number in fold if graph.rules[number] is not None)
            self.places.append({number: place for place, number in enumerate(known)})

    def graph_line(self) -> str:
        """The facts, how much facts of each age count, and the rules of each fold."""
        decays: list[int] = []
        for age in count(1):
            decays.append(check.decay(age))
            if not decays[-1]:
                break
        facts = [self.fact(fact) for fact in sorted(self.graph.facts)]
        folds = [[self._rule(number) for number in places] for places in self.places]
        return " ".join(("facts", *flat([facts, decays, folds])))

    def fact(self, fact: Json) -> tuple[int, int, int, int]:
        """The numbers of a fact."""
        head, relation, tail, time = fact
        moment = self.graph.moment(time)
        return self._entity(head), self._relation(relation), self._entity(tail), moment

    def _entity(self, entity: str) -> int:
        return self.entities.get(entity, len(self.entities))

    def _relation(self, relation: str) -> int:
        return self.relations.get(relation, len(self.relations))

    def _rule(self, number: int) -> tuple[int, ...]:
        rule = self.graph.rules[number]
        assert rule is not None
        backwards, body = divmod(rule.body, len(self.relations))
        return rule.head, backwards, body, rule.confidence, rule.body_support

    def question(self, row: Json) -> str:
        """The line of a question.

        Raises:
            KeyError, ValueError, TypeError, IndexError: it has a name or a value of no place.
        """
        kind, answers, triple = row["kind"], row["answers"], row["query"][0]
        if kind == "fact-reasoning":
            parts = self._reasoning(row)
        elif kind == "yes-unknown":
            asked = self.fact((*triple, row["time"]))
            parts = {"yes": [1, asked], "unknown": [2, asked[:3]]}[" ".join(answers)]
        else:
            found = [self._entity(answer) for answer in answers]
            parts = [0, len(row["query"]), *self._hops(row), found]
        return " ".join(("question", *flat(parts)))

    def _hops(self, row: Json) -> Iterator[Json]:
        """Each triple of a query, from the named entity, or the party, on; and the time."""
        subject, relation, target = row["query"][0]
        onwards = target in (check.ASKED, check.PARTY)
        yield _FORWARDS if onwards else _BACKWARDS
        yield self._entity(subject if onwards else target)
        yield self._relation(relation)
        for subject, relation, _ in row["query"][1:]:
            yield _FORWARDS if subject == check.PARTY else _BACKWARDS
            yield self._relation(relation)
        yield self.graph.moment(row["time"])

    def _reasoning(self, row: Json) -> list[Json]:
        fold = self.folds.index(self.graph.counting(row["time"]))
        stated = row["certificate"]
        rows = zip(row["choices"], stated["rules"], stated["contributions"], strict=True)
        choices = [
            (self.fact(choice["fact"]), self.places[fold][rule], value)
            for choice, rule, value in rows
        ]
        best = choices.pop(check.LETTERS.index(*row["answers"]))
        return [3, fold, self.fact((*row["query"][0], row["time"])), best, choices]


def judge(
    numbers: Numbers, graph: check.Graph, row: Json
) -> tuple[Judgement | None, Exception | None]:
    """The judgement of ``check.py`` of the answers, with its reason if it rejects the question.

    None if it rejects the choices of fact reasoning, as they may be wrong in other ways too.
    """
    rejected: Exception | None = None
    try:
        check.check_question(graph, row)
    except (check.RejectedError, ValueError, KeyError, TypeError) as error:
        rejected = error
    try:
        line = numbers.question(row)
    except (KeyError, ValueError, TypeError, IndexError):
        line = MALFORMED
    if rejected is None:
        return Judgement(True, line), None
    if line == MALFORMED or row["kind"] == "fact-reasoning":
        return None, rejected
    try:
        check.check_answers(graph, row["kind"], row["query"], row["time"], row["answers"])
    except check.RejectedError:
        return Judgement(False, line), rejected
    return Judgement(True, line), rejected


def check_file(path: str, data: Iterable[str] = ()) -> Iterator[tuple[str, str, str | None]]:
    """As that of ``check.py``, with the compiled checker beside it.

    Raises:
        CheckersDifferError: they do not accept the same answers.
        NoProvedCheckerError: there is no compiled checker.
    """
    graph = check.read_data(path, data)
    numbers = Numbers(graph)
    return compared(
        path,
        lambda decide: check.check_rows(path, graph, decide),
        partial(judge, numbers),
        before=(numbers.graph_line(),),
    )
