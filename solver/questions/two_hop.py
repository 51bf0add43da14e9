"""Files of 2-hop rules: two facts of one day that share a party, with a curator's verdict.

Source: ForecastTKGQuestions (Ding et al., ISWC 2023), section 3.2, 2-hop questions.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from grammar.questions.model import Arc, Role
from solver.io.sources import InputError, open_input, shown, sound_lines
from solver.io.writing import packed

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
