"""Tells a finding about a question: what is wrong with it, and what of the graph shows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from grammar.question import QuestionKind
from solver.questions.explanation import behind, speaking, times
from solver.questions.linking import PARTY_ID, LinkedFact, LinkedQuestion, graph_fact
from solver.questions.question import LETTERS, written
from solver.questions.world import World
from solver.tkg.dataset import Split
from solver.tkg.proof import Finding
from solver.verify.checked import Violation

_SHOWN = 5
_PLACES = ("first", "second", "third", "last")
_WANTED = ("most", "second most", "the median", "least")

Told = tuple[str, dict[str, Any]]


class Telling:
    """Finds the words for the findings of a batch.

    Args:
        world: that the questions are about.
        questions: as they were decided; places: where each stands; ids: what each is called.
    """

    def __init__(
        self,
        world: World,
        questions: Sequence[LinkedQuestion],
        places: Sequence[str],
        ids: Sequence[str],
    ) -> None:
        self._world = world
        self._questions, self._places, self._ids = questions, places, ids

    def violation(self, finding: Finding) -> Violation:
        """A finding in words."""
        number, *shown_by = finding.numbers
        message, certificate = self._words[finding.code](self, self._questions[number], *shown_by)
        return Violation(
            code=finding.code.replace("_", "-"),
            where=self._places[number],
            message=message,
            certificate={"question": self._ids[number], **certificate},
        )

    def _wrong(self, question: LinkedQuestion, answer: int) -> Told:
        if question.query.kind is QuestionKind.FACT_REASONING:
            message = f"choice {LETTERS[answer]} is answered, but another one contributes more"
            return message, {"contributions": self._contributions(question)}
        time = self._time(question.query.time)
        message = f"{self._entity(answer)} is answered, but no fact of {time} leads there"
        return message, {}

    def _missing(self, question: LinkedQuestion, answer: int) -> Told:
        ways = behind(question, self._world, answer)
        facts = [self._fact(fact) for way in ways[:1] for fact in way]
        return f"{self._entity(answer)} is not answered, but follows", {"facts": facts}

    def _nothing(self, _question: LinkedQuestion) -> Told:
        return "it has no answer, and none follows: nothing is there to be found", {}

    def _absent(self, question: LinkedQuestion) -> Told:
        return f"the answer is yes, but the graph never has {self._asked(question)}", {}

    def _present(self, question: LinkedQuestion) -> Told:
        return f"the answer is unknown, but the graph has {self._asked(question)}", {}

    def _elsewhere(self, question: LinkedQuestion) -> Told:
        found = [self._time(time) for time in times(question, self._world)[:_SHOWN]]
        asked = self._asked(question)
        message = f"{asked} is in the graph at other times: no answer is right"
        return message, {"times": found}

    def _late(self, question: LinkedQuestion, choice: int) -> Told:
        asked, time = question.query.time, question.choices[choice][3]
        message = f"choice {LETTERS[choice]} is of {self._time(time)}, expected a time before "
        return message + self._time(asked), {}

    def _no_fact(self, question: LinkedQuestion, choice: int) -> Told:
        fact = self._fact(question.choices[choice])
        return f"choice {LETTERS[choice]}, {fact}, is not in the graph", {}

    def _equal(self, question: LinkedQuestion, one: int, other: int) -> Told:
        fact = self._fact(question.choices[one])
        return f"choices {LETTERS[one]} and {LETTERS[other]} are both {fact}", {}

    def _order(self, question: LinkedQuestion, place: int) -> Told:
        before, after = (LETTERS[one] for one in question.order[place : place + 2])
        message = f"choice {before} is declared before {after}, but does not contribute more"
        return message, {"contributions": self._contributions(question)}

    def _not_most(self, question: LinkedQuestion, place: int) -> Told:
        given = speaking(question, self._world)
        choice = question.order[place]
        own = self._contributions(question)[LETTERS[choice]]
        message = f"choice {LETTERS[choice]}, the {_PLACES[place]} in order, contributes {own}"
        rows = given.chosen()[0]
        if rows[0] < 0:
            return f"{message}; {len(given.facts)} facts contribute, expected four at least", {}
        expected = int(given.weight[rows[place]])
        fact = self._fact(tuple(given.facts.take(rows[place : place + 1]).rows()[0].tolist()))
        return f"{message}, expected {_WANTED[place]}, {expected}", {"expected": fact}

    def _repeats(self, question: LinkedQuestion, choice: int) -> Told:
        fact = self._fact(question.choices[choice])
        return f"choice {LETTERS[choice]}, the answer, says what is asked: {fact}", {}

    def _not_first(self, question: LinkedQuestion) -> Told:
        name = self._entity(question.query.triples[0][2])
        return f"rules do not rank {name} first, before all others, by what came before", {}

    def _outside(self, question: LinkedQuestion) -> Told:
        time = self._time(question.query.time)
        return f"the graph's split {question.split} has no facts at {time}", {}

    def _overlap(self, question: LinkedQuestion, other: int) -> Told:
        time = self._time(question.query.time)
        both = f"{question.split} and {tuple(Split)[other]}"
        return f"{time} is in the splits {both}, expected one of them", {}

    def _repeated(self, _question: LinkedQuestion, first: int) -> Told:
        return f"it is asked already at {self._places[first]}", {"first": self._ids[first]}

    def _refused(self, question: LinkedQuestion, row: int) -> Told:
        rules = self._world.two_hop or ()
        if row >= len(rules):
            return f"2-hop rule {row} is not in the table, which has {len(rules)}", {}
        size = self._world.vocabulary.relations
        arcs = [r + (0 if s == PARTY_ID else size) for s, r, _ in question.query.triples]
        if arcs != [rules[row].given, rules[row].asked]:
            return f"2-hop rule {row} joins other relations than the question", {}
        return f"2-hop rule {row} is not to be used: a curator says no", {}

    _words: Mapping[str, Callable[..., Told]] = {
        "wrong_answer": _wrong,
        "missing_answer": _missing,
        "no_answer": _nothing,
        "yes_for_an_absent_fact": _absent,
        "unknown_for_a_present_fact": _present,
        "known_at_another_time": _elsewhere,
        "late_choice": _late,
        "absent_choice": _no_fact,
        "equal_choices": _equal,
        "choices_out_of_order": _order,
        "not_the_most_supporting": _not_most,
        "answer_repeats_the_question": _repeats,
        "not_ranked_first": _not_first,
        "outside_its_split": _outside,
        "splits_overlap": _overlap,
        "repeated_question": _repeated,
        "rule_refused": _refused,
    }

    def _contributions(self, question: LinkedQuestion) -> dict[str, int]:
        """What each choice contributes, by its letter."""
        given = speaking(question, self._world)
        facts = map(tuple, given.facts.rows().tolist())
        weights = dict(zip(facts, given.weight.tolist(), strict=True))
        return {
            letter: weights.get(choice, 0)
            for letter, choice in zip(LETTERS, question.choices, strict=True)
        }

    def _asked(self, question: LinkedQuestion) -> str:
        return self._fact((*question.query.triples[0], question.query.time))

    def _fact(self, fact: LinkedFact) -> str:
        return written(graph_fact(fact, self._world.vocabulary))

    def _entity(self, number: int) -> str:
        return self._world.vocabulary.entity(number)

    def _time(self, number: int) -> str:
        return self._world.vocabulary.time(number)
