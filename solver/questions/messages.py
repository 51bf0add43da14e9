"""Messages for findings about questions, with the evidence from the graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from grammar.questions.model import QuestionKind
from solver.asp import Program
from solver.encodings import ViolationAtom
from solver.graph.model import Quadruples, Split
from solver.questions.contributions import MARGIN, Contributions
from solver.questions.encode import CONTRIBUTIONS, NOT_RANKED_FIRST, QUESTIONS, AspEngine
from solver.questions.linking import ASKED_ID, PARTY_ID, LinkedFact, LinkedQuestion, graph_fact
from solver.questions.model import LETTERS, format_fact
from solver.questions.world import World
from solver.rules.model import Rule
from solver.verification.report import Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """The contribution of a choice of fact reasoning.

    Attributes:
        letter: index of the choice, from 0; place: its rank among all contributing facts.
        weight: contribution, 0 for none; row and rule: the contributing rule.
        lag: time between the choice and the question.
        proved: whether clingo derives the same contribution.
    """

    letter: int
    fact: LinkedFact
    weight: int
    lag: int
    place: int | None = None
    row: int | None = None
    rule: Rule | None = None
    proved: bool = False


def derivations(
    question: LinkedQuestion, world: World, answer: int
) -> list[tuple[LinkedFact, ...]]:
    """All derivations of an answer: one fact per hop, one derivation per party."""
    time = question.query.time
    facts = world.facts.take(world.facts.time == time)
    day = set(map(tuple, facts.rows().tolist()))
    filled = [
        (answer if s == ASKED_ID else s, r, answer if o == ASKED_ID else o)
        for s, r, o in question.query.triples
    ]
    if question.query.kind is QuestionKind.ONE_HOP:
        return [fact for (s, r, o) in filled if (fact := ((s, r, o, time),))[0] in day]
    named = next(number for number in filled[0][::2] if number != PARTY_ID)
    found = []
    for party in sorted({*facts.head.tolist(), *facts.tail.tolist()} - {named, answer}):
        pair = tuple(
            (party if s == PARTY_ID else s, r, party if o == PARTY_ID else o, time)
            for s, r, o in filled
        )
        if day.issuperset(pair):
            found.append(pair)
    return found


def contributions_to(question: LinkedQuestion, world: World) -> Contributions:
    """All contributions to the fact that a question is about."""
    row = (*question.query.triples[0], question.query.time)
    return world.contributors.contributions(Quadruples.of(np.array([row], dtype=np.int64)))


def times(question: LinkedQuestion, world: World) -> list[int]:
    """All times of the queried triple in the graph."""
    head, relation, tail = question.query.triples[0]
    facts = world.facts
    same = (facts.head == head) & (facts.relation == relation) & (facts.tail == tail)
    found: list[int] = facts.time[same].tolist()
    return found


def supports(question: LinkedQuestion, world: World) -> tuple[Support, ...]:
    """The contribution of each choice, in the declared order."""
    given = contributions_to(question, world)
    places = {tuple(fact): place for place, fact in enumerate(given.facts.rows().tolist())}
    proved = _proved(question, world)
    found = []
    for letter in question.order:
        fact = question.choices[letter]
        lag = question.query.time - fact[3]
        place = places.get(fact)
        if place is None:
            found.append(Support(letter=letter, fact=fact, weight=0, lag=lag))
            continue
        weight, number = int(given.weight[place]), int(given.rule[place])
        found.append(
            Support(
                letter=letter,
                fact=fact,
                weight=weight,
                lag=lag,
                place=place,
                row=number,
                rule=world.rules.rule(number),
                proved=(fact, weight, number) in proved,
            )
        )
    return tuple(found)


def _proved(question: LinkedQuestion, world: World) -> set[tuple[LinkedFact, int, int]]:
    """Fact, weight and rule of all contributions, as derived by clingo."""
    program = AspEngine(world).program((question,))
    found = set()
    for atom in Program(encodings=(CONTRIBUTIONS,)).unique_model(program):
        match atom.name, atom.arguments:
            case "contribution", (_, (_, fact), int(weight), int(row)):
                found.add((_integers(fact), weight, row))
    return found


def _integers(terms: Sequence[object]) -> LinkedFact:
    head, relation, tail, time = (term for term in terms if isinstance(term, int))
    return head, relation, tail, time


_SHOWN = 5

Message = tuple[str, dict[str, Any]]


class MessageFormatter:
    """Formats the findings of a batch.

    Args:
        world: background knowledge of the questions.
        questions: questions of the batch; places: their places in files; ids: their ids.
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

    def finding(self, finding: ViolationAtom) -> Finding:
        """Convert a finding of the engines to one with a message."""
        number, *shown_by = finding.numbers
        _, message_of = MESSAGES[finding.code]
        message, certificate = message_of(self, self._questions[number], *shown_by)
        return Finding(
            code=finding.code.replace("_", "-"),
            where=self._places[number],
            message=message,
            certificate={"question": self._ids[number], **certificate},
        )

    def _wrong(self, question: LinkedQuestion, answer: int) -> Message:
        if question.query.kind is QuestionKind.FACT_REASONING:
            message = f"choice {LETTERS[answer]} is answered, but another one contributes more"
            return message, {"contributions": self._contributions(question)}
        time = self._time(question.query.time)
        message = f"{self._entity(answer)} is answered, but not entailed by the facts of {time}"
        return message, {}

    def _missing(self, question: LinkedQuestion, answer: int) -> Message:
        ways = derivations(question, self._world, answer)
        facts = [self._fact(fact) for way in ways[:1] for fact in way]
        return f"{self._entity(answer)} is not answered, but entailed", {"facts": facts}

    def _nothing(self, _question: LinkedQuestion) -> Message:
        return "it has no answer, and none is entailed", {}

    def _absent(self, question: LinkedQuestion) -> Message:
        return f"the answer is yes, but the graph never has {self._asked(question)}", {}

    def _present(self, question: LinkedQuestion) -> Message:
        return f"the answer is unknown, but the graph has {self._asked(question)}", {}

    def _elsewhere(self, question: LinkedQuestion) -> Message:
        found = [self._time(time) for time in times(question, self._world)[:_SHOWN]]
        asked = self._asked(question)
        message = f"{asked} is in the graph at other times: no answer is right"
        return message, {"times": found}

    def _late(self, question: LinkedQuestion, choice: int) -> Message:
        asked, time = question.query.time, question.choices[choice][3]
        message = f"choice {LETTERS[choice]} is of {self._time(time)}, expected a time before "
        return message + self._time(asked), {}

    def _no_fact(self, question: LinkedQuestion, choice: int) -> Message:
        fact = self._fact(question.choices[choice])
        return f"choice {LETTERS[choice]}, {fact}, is not in the graph", {}

    def _equal(self, question: LinkedQuestion, choice: int, other: int) -> Message:
        fact = self._fact(question.choices[choice])
        return f"choices {LETTERS[choice]} and {LETTERS[other]} are both {fact}", {}

    def _order(self, question: LinkedQuestion, place: int) -> Message:
        before, after = (LETTERS[number] for number in question.order[place : place + 2])
        message = f"choice {before} is declared before {after}, but does not contribute more"
        return message, {"contributions": self._contributions(question)}

    def _no_contribution(self, question: LinkedQuestion, choice: int) -> Message:
        fact = self._fact(question.choices[choice])
        return f"choice {LETTERS[choice]}, {fact}, contributes nothing by any rule", {}

    def _narrow(self, question: LinkedQuestion) -> Message:
        first, second = (LETTERS[number] for number in question.order[:2])
        own_contributions = self._contributions(question)
        share = f"{100 * MARGIN[0] // MARGIN[1]}%"
        message = f"choice {second} contributes more than {share} of what choice {first} does"
        return message, {"contributions": own_contributions}

    def _twins(self, question: LinkedQuestion, choice: int, other: int) -> Message:
        both = f"{self._fact(question.choices[choice])} and {self._fact(question.choices[other])}"
        letters = f"{LETTERS[choice]} and {LETTERS[other]}"
        return f"choices {letters} are of the same two entities and time: {both}", {}

    def _repeats(self, question: LinkedQuestion, choice: int) -> Message:
        fact = self._fact(question.choices[choice])
        return f"choice {LETTERS[choice]} repeats the queried triple: {fact}", {}

    def _not_first(self, question: LinkedQuestion) -> Message:
        name = self._entity(question.query.triples[0][2])
        return f"rules do not rank {name} strictly first from earlier facts", {}

    def _outside(self, question: LinkedQuestion) -> Message:
        time = self._time(question.query.time)
        return f"the graph's split {question.split} has no facts at {time}", {}

    def _overlap(self, question: LinkedQuestion, other: int) -> Message:
        time = self._time(question.query.time)
        both = f"{question.split} and {tuple(Split)[other]}"
        return f"{time} is in the splits {both}, expected one of them", {}

    def _repeated(self, _question: LinkedQuestion, first: int) -> Message:
        return f"it repeats the query of {self._places[first]}", {"first": self._ids[first]}

    def _refused(self, question: LinkedQuestion, row: int) -> Message:
        rules = self._world.two_hop or ()
        if row >= len(rules):
            return f"2-hop rule {row} is not in the table, which has {len(rules)}", {}
        size = self._world.vocabulary.relations
        arcs = [r + (0 if s == PARTY_ID else size) for s, r, _ in question.query.triples]
        if arcs != [rules[row].given, rules[row].asked]:
            return f"2-hop rule {row} joins other relations than the question", {}
        return f"2-hop rule {row} was rejected by its curator", {}

    def _contributions(self, question: LinkedQuestion) -> dict[str, int]:
        """The contribution of each choice, by its letter."""
        given = contributions_to(question, self._world)
        facts = map(tuple, given.facts.rows().tolist())
        weights = dict(zip(facts, given.weight.tolist(), strict=True))
        return {
            letter: weights.get(choice, 0)
            for letter, choice in zip(LETTERS, question.choices, strict=True)
        }

    def _asked(self, question: LinkedQuestion) -> str:
        return self._fact((*question.query.triples[0], question.query.time))

    def _fact(self, fact: LinkedFact) -> str:
        return format_fact(graph_fact(fact, self._world.vocabulary))

    def _entity(self, number: int) -> str:
        return self._world.vocabulary.entity(number)

    def _time(self, number: int) -> str:
        return self._world.vocabulary.time(number)


MESSAGES: Mapping[str, tuple[str, Callable[..., Message]]] = {
    "wrong_answer": (QUESTIONS, MessageFormatter._wrong),
    "missing_answer": (QUESTIONS, MessageFormatter._missing),
    "no_answer": (QUESTIONS, MessageFormatter._nothing),
    "yes_for_an_absent_fact": (QUESTIONS, MessageFormatter._absent),
    "unknown_for_a_present_fact": (QUESTIONS, MessageFormatter._present),
    "known_at_another_time": (QUESTIONS, MessageFormatter._elsewhere),
    "late_choice": (QUESTIONS, MessageFormatter._late),
    "absent_choice": (QUESTIONS, MessageFormatter._no_fact),
    "equal_choices": (QUESTIONS, MessageFormatter._equal),
    "choices_out_of_order": (QUESTIONS, MessageFormatter._order),
    "no_contribution": (QUESTIONS, MessageFormatter._no_contribution),
    "narrow_margin": (QUESTIONS, MessageFormatter._narrow),
    "twin_choices": (QUESTIONS, MessageFormatter._twins),
    "choice_repeats_the_question": (QUESTIONS, MessageFormatter._repeats),
    NOT_RANKED_FIRST: ("", MessageFormatter._not_first),
    "outside_its_split": (QUESTIONS, MessageFormatter._outside),
    "splits_overlap": (QUESTIONS, MessageFormatter._overlap),
    "repeated_question": (QUESTIONS, MessageFormatter._repeated),
    "rule_refused": (QUESTIONS, MessageFormatter._refused),
}
"""For each code, the encoding with the rules that derive it, and its message.

Empty for the code that applying rules derives.
"""
