"""A question of a data set: text, query, gold answers, and the certificate of its answers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from grammar.questions.model import Arc, QuestionKind, Role
from solver.graph.model import Split
from solver.io.sources import InputError, open_input, shown, sound_lines
from solver.io.writing import packed

Triple: TypeAlias = tuple[str, str, str]
"""Subject, relation and object, by name; ``ASKED`` and ``PARTY`` are variables in their place."""

Fact: TypeAlias = tuple[str, str, str, str]
"""Subject, relation, object and time, by their names in the graph."""

ASKED = "?answer"
"""Query variable of the answer."""

PARTY = "?party"
"""Query variable of the party that both facts of a 2-hop query share."""

YES, UNKNOWN = "yes", "unknown"
LETTERS = "ABCD"
"""Letters of the choices, in the order in which they are shown."""


def format_fact(fact: Fact) -> str:
    """Format a fact on one line."""
    return f"({', '.join(fact)})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A choice of a fact-reasoning question: an earlier fact and its text."""

    text: str
    fact: Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """Evidence for the gold answers.

    Attributes:
        facts: entity questions: the facts that entail each answer, in the order of the answers,
            one each, or two each for 2-hop (that of the named entity first). Answer yes: the fact.
        source: answer unknown: the fact that was corrupted into the queried one.
        contributions: fact reasoning: the contribution of each choice.
        rules: fact reasoning: the row of the rule that leads from each choice to the fact.
    """

    facts: tuple[Fact, ...] = ()
    source: Fact | None = None
    contributions: tuple[int, ...] = ()
    rules: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question.

    Attributes:
        id: unique in its data set.
        time: query time; only earlier facts may be used to answer.
        query: one triple; two for 2-hop: that of the named entity, then that of the answer.
        answers: all gold answers, sorted: entities; ``yes`` or ``unknown``; a choice's letter.
        choices: fact reasoning: four choices.
        order: fact reasoning: letters of the choices by contribution, greatest first.
        rule: 2-hop: row of the rule in ``two_hop_rules.tsv`` that generated it, from 0.
    """

    id: str
    kind: QuestionKind
    split: Split
    time: str
    text: str
    query: tuple[Triple, ...]
    answers: tuple[str, ...]
    choices: tuple[Choice, ...] = ()
    order: str = ""
    rule: int | None = None
    certificate: Certificate = field(default_factory=Certificate)


COLUMNS = (
    "rule",
    "given",
    "given_shared",
    "asked",
    "asked_shared",
    "days",
    "body_support",
    "rule_support",
    "confidence",
    "curated",
)
"""``rule`` (the row, from 0) and ``confidence`` are for human readers, and ignored on reading."""
_WORDS = {"yes": True, "no": False}
_LARGEST = 2**62


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoHopRule:
    """A party with the ``given`` relation to one entity has, that day, ``asked`` to another.

    Attributes:
        given: relation of the party to the named entity, by name.
        asked: relation of the party to the answer.
        days: number of days on which the rule holds.
        rule_support: facts of ``given``, over all days, whose party has an answer that day.
        body_support: facts of ``given``, over all days.
        use: curator's verdict: whether questions may be generated from it.
    """

    given: Arc
    asked: Arc
    rule_support: int
    body_support: int
    days: int = 0
    use: bool = True

    @property
    def confidence(self) -> float:
        """Rule support over body support, in [0, 1]."""
        return self.rule_support / self.body_support if self.body_support else 0.0


def write_two_hop_rules(path: str | Path, rules: Iterable[TwoHopRule]) -> None:
    """Write a table with a header, one rule per row.

    Raises:
        OutputError: writing failed.
    """
    with packed(path) as file:
        file.write("\t".join(COLUMNS).encode() + b"\n")
        for row, rule in enumerate(rules):
            cells = (
                str(row),
                rule.given.relation,
                rule.given.shared,
                rule.asked.relation,
                rule.asked.shared,
                str(rule.days),
                str(rule.body_support),
                str(rule.rule_support),
                f"{rule.confidence:.6f}",
                "yes" if rule.use else "no",
            )
            file.write("\t".join(cells).encode() + b"\n")


def read_two_hop_rules(path: str | Path) -> tuple[TwoHopRule, ...]:
    """Read a table of rules.

    Raises:
        InputError: the file cannot be read, or a row is not a rule.
    """
    rules: list[TwoHopRule] = []
    headed = False
    with open_input(path) as source:
        for line in sound_lines(source):
            where = f"{source.name}:{line.number}"
            cells = line.text.split("\t")
            if not headed:
                if tuple(cells) != COLUMNS:
                    message = f"found {shown(line.text)}, expected the columns {', '.join(COLUMNS)}"
                    raise InputError(message, where=f"{where}:1", hint="separated by tabs")
                headed = True
                continue
            rules.append(_rule(cells, where))
    if not headed:
        message = f"found nothing, expected the columns {', '.join(COLUMNS)}"
        raise InputError(message, where=f"{path}:1:1", hint="separated by tabs")
    return tuple(rules)


def _rule(cells: list[str], where: str) -> TwoHopRule:
    if len(cells) != len(COLUMNS):
        message = f"found {len(cells)} columns, expected {len(COLUMNS)}: {', '.join(COLUMNS)}"
        raise InputError(message, where=f"{where}:1", hint="separated by tabs")

    def refused(column: int, expected: str) -> InputError:
        at = f"{where}:{sum(len(cell) + 1 for cell in cells[:column]) + 1}"
        message = f"{COLUMNS[column]}: found {shown(cells[column])}, expected {expected}"
        return InputError(message, where=at)

    def role(column: int) -> Role:
        if cells[column] not in tuple(Role):
            raise refused(column, " or ".join(Role))
        return Role(cells[column])

    def count(column: int) -> int:
        text = cells[column]
        if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) <= _LARGEST):
            raise refused(column, "a whole number")
        return int(text)

    curated = COLUMNS.index("curated")
    if cells[curated] not in _WORDS:
        raise refused(curated, "yes or no")
    return TwoHopRule(
        given=Arc(relation=cells[1], shared=role(2)),
        asked=Arc(relation=cells[3], shared=role(4)),
        days=count(5),
        body_support=count(6),
        rule_support=count(7),
        use=_WORDS[cells[curated]],
    )
