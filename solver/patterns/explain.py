"""Explains one pattern: its validity, the rules it violates, its shapes and a drawing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from solver.patterns.engine import PatternVerdict, judge
from solver.patterns.io import row
from solver.patterns.model import RULE_IN_WORDS, CycleReading, PatternFlags, read
from solver.report.explanation import WrittenExplanation


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternExplanation(WrittenExplanation):
    """A pattern with its properties.

    Attributes:
        verdict: the pattern, the rules it violates, its canonical form and shapes.
        flags: flags under which it is valid or not.
        cycle_reading: reading of Algorithm 10, line 22.
    """

    verdict: PatternVerdict
    flags: PatternFlags
    cycle_reading: CycleReading

    @property
    def valid(self) -> bool:
        """Whether no rule is violated."""
        return self.verdict.valid

    def lines(self) -> Iterator[str]:
        """The properties in words."""
        verdict = self.verdict
        yield f"pattern {verdict.pattern}"
        yield f"flags {self.flags}: {'valid' if verdict.valid else 'invalid'}"
        for rule in verdict.violations:
            yield f"  {rule}: {RULE_IN_WORDS[rule]}"
        canonical = "yes" if verdict.is_canonical else f"no; it is {verdict.canonical}"
        yield f"canonical: {canonical}"
        yield f"shapes: {', '.join(verdict.shapes) or 'none'}"
        yield f"entities of the consequence: {verdict.entity_reuse or 'new'}"
        yield f"relation of the consequence: {verdict.relation_reuse}"
        yield f"relations of the antecedents: {verdict.antecedent_relations}"

    def as_json(self) -> dict[str, Any]:
        """The properties as JSON values."""
        return row(self.verdict) | {
            "flags": self.flags.code,
            "cycle_reading": self.cycle_reading.value,
            "valid": self.verdict.valid,
            "violations": [rule.value for rule in self.verdict.violations],
            "canonical": str(self.verdict.canonical),
        }

    def columns(self) -> Sequence[str]:
        """Rule and meaning."""
        return ("rule", "meaning")

    def rows(self) -> list[Mapping[str, object]]:
        """The violated rules."""
        return [
            {"rule": rule.value, "meaning": RULE_IN_WORDS[rule]} for rule in self.verdict.violations
        ]

    def picture(self, form: str = "svg") -> bytes | None:
        """The pattern as a graph."""
        from solver.patterns.drawing import picture

        return picture(self.verdict.pattern, form)


def explain(text: str, flags: PatternFlags, cycle_reading: CycleReading) -> PatternExplanation:
    """Read, classify and explain a pattern.

    Raises:
        PatternError: it cannot be read.
    """
    (verdict,) = judge([read(text)], flags, cycle_reading)
    return PatternExplanation(verdict=verdict, flags=flags, cycle_reading=cycle_reading)
