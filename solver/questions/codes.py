"""Finding codes of questions: their messages, with the evidence from the graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from grammar.questions.model import QuestionKind
from solver.asp import Program
from solver.dataset.copies import COPIES
from solver.encodings import ViolationAtom
from solver.graph.model import Quadruples, Split
from solver.questions.contributions import MARGIN, Contributions
from solver.questions.encode import CONTRIBUTIONS, NOT_RANKED_FIRST, AspEngine
from solver.questions.linking import ASKED_ID, PARTY_ID, LinkedFact, LinkedQuestion, graph_fact
from solver.questions.model import LETTERS, format_fact
from solver.questions.world import World
from solver.rules.model import Rule
from solver.verification.report import SHORTCUT, Codes, Finding


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

CODES = Codes(
    {
        "wrong_answer(question,answer)": (
            "{answer} is answered, but {reason}",
            "an answer is not entailed on the question's day; for fact reasoning, another "
            "choice contributes more",
        ),
        "missing_answer(question,answer)": "{answer} is not answered, but entailed",
        "no_answer(question)": "it has no answer, and none is entailed",
        "yes_for_an_absent_fact(question)": ("the answer is yes, but the graph never has {asked}"),
        "unknown_for_a_present_fact(question)": (
            "the answer is unknown, but the graph has {asked}",
            "*unknown* requires the triple at no time, in no split",
        ),
        "known_at_another_time(question)": (
            "{asked} is in the graph at other times: no answer is right"
        ),
        "late_choice(question,choice)": (
            "choice {choice} is of {choice_time}, expected a time before {time}"
        ),
        "absent_choice(question,choice)": "choice {choice}, {choice_fact}, is not in the graph",
        "equal_choices(question,choice,other)": (
            "choices {choice} and {other} are both {choice_fact}"
        ),
        "choices_out_of_order(question,place)": (
            "choice {earlier} is declared before {later}, but does not contribute more"
        ),
        "no_contribution(question,choice)": (
            "choice {choice}, {choice_fact}, contributes nothing by any rule"
        ),
        "narrow_margin(question)": (
            "choice {later} contributes more than {margin} of what choice {earlier} does"
        ),
        "twin_choices(question,choice,other)": (
            "choices {choice} and {other} are of the same two entities and time: "
            "{choice_fact} and {other_fact}"
        ),
        "choice_repeats_the_question(question,choice)": (
            "choice {choice} repeats the queried triple: {choice_fact}"
        ),
        "outside_its_split(question)": (
            "the graph's split {split} has no facts at {time}",
            "its day is not in its split, or its split is not that of its file",
        ),
        "splits_overlap(question,other_split)": (
            "{time} is in the splits {split} and {other_split}, expected one of them"
        ),
        "repeated_question(question,first)": "it repeats the query of {first}",
        "rule_refused(question,rule)": (
            "2-hop rule {rule} {reason}",
            "its 2-hop rule is not in `two_hop_rules.tsv`, has other relations, or was "
            "rejected by the curator",
        ),
        f"{NOT_RANKED_FIRST}(question)": (
            "rules do not rank {object} strictly first from earlier facts"
        ),
        "repeated-answer": "{answer} is answered {times} times, expected once",
        "answers-not-sorted": "found {answers}, expected them sorted",
        "repeated-id": "{id} is also the id of the question at {earlier}",
        "text-differs": ("{message}", "its text, or that of a choice, parses to another query"),
        "unparsed": ("{error}, in {text!r}", "its text, or that of a choice, does not parse"),
        "ambiguous": ("{error}, in {text!r}", "its text, or that of a choice, has two parses"),
        "unknown-name": ("{message}", "a name is not in the graph; the nearest are listed"),
        "certificate-fails": ("{message}", "its certificate does not establish its answers"),
        "digest-differs": ("{message}", "a file of the folder differs from the manifest"),
        **COPIES,
        **SHORTCUT,
    }
)


class FindingFormatter:
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

    def finding(self, atom: ViolationAtom) -> Finding:
        """Convert a finding of the engines to one with a message."""
        code, number = CODES[atom.code], atom.numbers[0]
        given = dict(zip(code.arguments, atom.numbers, strict=True))
        question, vocabulary = self._questions[number], self._world.vocabulary
        asked, order = (*question.query.triples[0], question.query.time), question.order
        reasoned = question.query.kind is QuestionKind.FACT_REASONING

        def fact(linked: LinkedFact) -> str:
            return format_fact(graph_fact(linked, vocabulary))

        def reason() -> str:
            if "rule" in given:
                return self._refusal(question, given["rule"])
            time = vocabulary.time(question.query.time)
            choice = "another one contributes more"
            return choice if reasoned else f"not entailed by the facts of {time}"

        def answer() -> str:
            named = given["answer"]
            return f"choice {LETTERS[named]}" if reasoned else vocabulary.entity(named)

        message = code.format(
            {
                "answer": answer,
                "reason": reason,
                "rule": lambda: given["rule"],
                "asked": lambda: fact(asked),
                "object": lambda: vocabulary.entity(asked[2]),
                "time": lambda: vocabulary.time(asked[3]),
                "split": lambda: question.split,
                "other_split": lambda: tuple(Split)[given["other_split"]],
                "first": lambda: self._places[given["first"]],
                "choice": lambda: LETTERS[given["choice"]],
                "choice_fact": lambda: fact(question.choices[given["choice"]]),
                "choice_time": lambda: vocabulary.time(question.choices[given["choice"]][3]),
                "other": lambda: LETTERS[given["other"]],
                "other_fact": lambda: fact(question.choices[given["other"]]),
                "earlier": lambda: LETTERS[order[given.get("place", 0)]],
                "later": lambda: LETTERS[order[given.get("place", 0) + 1]],
                "margin": lambda: f"{100 * MARGIN[0] // MARGIN[1]}%",
            }
        )
        certificate: dict[str, Any] = {"question": self._ids[number]}
        match atom.code:
            case "wrong_answer" | "choices_out_of_order" | "narrow_margin" if reasoned:
                certificate["contributions"] = self._contributions(question)
            case "missing_answer":
                ways = derivations(question, self._world, given["answer"])
                certificate["facts"] = [fact(linked) for way in ways[:1] for linked in way]
            case "known_at_another_time":
                found = times(question, self._world)[:_SHOWN]
                certificate["times"] = list(map(vocabulary.time, found))
            case "repeated_question":
                certificate["first"] = self._ids[given["first"]]
        where = self._places[number]
        return Finding(code=code.name, where=where, message=message, certificate=certificate)

    def _refusal(self, question: LinkedQuestion, row: int) -> str:
        rules = self._world.two_hop or ()
        if row >= len(rules):
            return f"is not in the table, which has {len(rules)}"
        size = self._world.vocabulary.relations
        arcs = [r + (0 if s == PARTY_ID else size) for s, r, _ in question.query.triples]
        if arcs != [rules[row].given, rules[row].asked]:
            return "joins other relations than the question"
        return "was rejected by its curator"

    def _contributions(self, question: LinkedQuestion) -> dict[str, int]:
        """The contribution of each choice, by its letter."""
        given = contributions_to(question, self._world)
        facts = map(tuple, given.facts.rows().tolist())
        weights = dict(zip(facts, given.weight.tolist(), strict=True))
        return {
            letter: weights.get(choice, 0)
            for letter, choice in zip(LETTERS, question.choices, strict=True)
        }
