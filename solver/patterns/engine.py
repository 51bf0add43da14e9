"""Enumerates and classifies patterns with ``encodings/patterns``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from solver.asp import AspError, Program
from solver.encodings import Atom, Fact, Term
from solver.patterns.model import (
    MOST_HOPS,
    AntecedentRelations,
    CycleReading,
    EntityReuse,
    Pattern,
    PatternError,
    PatternFlags,
    RelationReuse,
    Rule,
    Shape,
    Triple,
)

ENUMERATION = "patterns/enumeration.lp"
CLASSIFICATION = "patterns/classification.lp"
SELECTION = "patterns/selection.lp"
PATTERN_ENCODINGS = tuple(
    f"patterns/{name}.lp"
    for name in (
        *("canonical", "classification", "cycle", "enumeration", "first", "numbering", "places"),
        *("regimes", "shapes", "steps", "triples", "validity"),
    )
)
"""Encodings that define and classify patterns, for manifests."""

_BATCH = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternVerdict:
    """Properties of a pattern.

    Attributes:
        violations: violated rules, in the order of ``Rule``.
        canonical: the canonical form of the pattern.
        shapes: shapes in the order of ``Shape``; a valid pattern has at least one.
        entity_reuse: None if the consequence introduces a new entity.
    """

    pattern: Pattern
    violations: tuple[Rule, ...]
    canonical: Pattern
    shapes: tuple[Shape, ...]
    entity_reuse: EntityReuse | None
    relation_reuse: RelationReuse
    antecedent_relations: AntecedentRelations

    @property
    def valid(self) -> bool:
        """Whether no rule is violated."""
        return not self.violations

    @property
    def is_canonical(self) -> bool:
        """Whether the pattern is in canonical form."""
        return self.pattern == self.canonical


def enumerate_patterns(
    hops: int, flags: PatternFlags, reading: CycleReading = CycleReading.FIXED
) -> list[Pattern]:
    """Enumerate the valid canonical patterns with ``hops`` antecedents (Algorithm 3), sorted.

    Raises:
        PatternError: ``hops`` is not 1, 2 or 3.
    """
    if not 1 <= hops <= MOST_HOPS:
        raise PatternError(f"found {hops} hops, expected 1 to {MOST_HOPS}")
    constants = _constants(flags, reading) | {"hops": hops}
    program = Program(encodings=(ENUMERATION,), constants=constants)
    found = sorted(_steps(atom.arguments for atom in atoms) for atoms in program.models(""))
    return [_pattern(steps) for steps in found]


def judge(
    patterns: Sequence[Pattern],
    flags: PatternFlags,
    reading: CycleReading = CycleReading.FIXED,
) -> list[PatternVerdict]:
    """Classify patterns; verdicts are in the order of the patterns."""
    program = Program(encodings=(CLASSIFICATION,), constants=_constants(flags, reading))
    verdicts: list[PatternVerdict] = []
    for start in range(0, len(patterns), _BATCH):
        batch = patterns[start : start + _BATCH]
        atoms_of = _by_pattern(program.unique_model(_facts(batch)))
        verdicts += (_verdict(pattern, atoms_of[number]) for number, pattern in enumerate(batch))
    return verdicts


def without_parts(patterns: Sequence[Pattern], *, renamed: bool = False) -> list[Pattern]:
    """Drop each pattern that is a subpattern of an earlier one that was kept.

    Subpattern filtering (Table 5b): antecedents map to antecedents in any order and the
    consequence to the consequence, up to renaming of entities.

    Args:
        patterns: patterns of up to three hops, in order of selection.
        renamed: whether relations may be renamed as well.
    """
    program = Program(
        encodings=(SELECTION,),
        constants={"relation_names": "renamed" if renamed else "kept"},
    )
    atoms_of = _by_pattern(program.unique_model(_facts(patterns)))
    return [
        pattern for number, pattern in enumerate(patterns) if "rejected" not in atoms_of[number]
    ]


def _constants(flags: PatternFlags, reading: CycleReading) -> dict[str, str | int]:
    return {
        "require_unique": int(flags.unique),
        "prohibit_self": int(flags.prohibit_self),
        "prohibit_new_relation": int(flags.prohibit_new_relation),
        "require_sequential": int(flags.sequential),
        "cycle_reading": reading.value,
    }


class TripleFact(Fact, predicate="triple"):
    """A step of a pattern."""

    pattern: int
    step: int
    head: int
    relation: int
    tail: int


def _facts(patterns: Iterable[Pattern]) -> str:
    rows = (
        (number, step, triple.head, triple.relation, triple.tail)
        for number, pattern in enumerate(patterns)
        for step, triple in enumerate(pattern.steps, start=1)
    )
    return "\n".join(TripleFact.rows(rows))


_AtomsByPredicate = dict[str, list[tuple[Term, ...]]]


def _by_pattern(atoms: Iterable[Atom]) -> defaultdict[Term, _AtomsByPredicate]:
    """Group atoms by pattern and predicate; arguments omit the pattern number."""
    atoms_of: defaultdict[Term, _AtomsByPredicate] = defaultdict(dict)
    for atom in atoms:
        atoms_of[atom.arguments[0]].setdefault(atom.name, []).append(atom.arguments[1:])
    return atoms_of


def _verdict(pattern: Pattern, atoms_of: _AtomsByPredicate) -> PatternVerdict:
    named = {name: {row[0] for row in rows} for name, rows in atoms_of.items()}
    renumbered = atoms_of.get("renumbered", [])
    (relation_reuse,) = named["relation_reuse"]
    (antecedent_relations,) = named["antecedent_relations"]
    entity_reuse = next(iter(named.get("entity_reuse", ())), None)
    return PatternVerdict(
        pattern=pattern,
        violations=tuple(rule for rule in Rule if rule in named.get("violation", ())),
        canonical=_pattern(_steps((None, *r) for r in renumbered)) if renumbered else pattern,
        shapes=tuple(shape for shape in Shape if shape in named.get("shape", ())),
        entity_reuse=None if entity_reuse is None else EntityReuse(str(entity_reuse)),
        relation_reuse=RelationReuse(str(relation_reuse)),
        antecedent_relations=AntecedentRelations(str(antecedent_relations)),
    )


_Step = tuple[int, int, int, int]


def _steps(rows: Iterable[tuple[Term | None, ...]]) -> list[_Step]:
    """Step, head, relation and tail of rows that begin with the pattern, sorted by step."""
    return sorted(map(_numbers, rows))


def _pattern(steps: Sequence[_Step]) -> Pattern:
    triples = [Triple(head=h, relation=r, tail=t) for _, h, r, t in steps]
    return Pattern(antecedents=tuple(triples[:-1]), consequence=triples[-1])


def _numbers(row: tuple[Term | None, ...]) -> _Step:
    _, step, head, relation, tail = row
    if not (
        isinstance(step, int)
        and isinstance(head, int)
        and isinstance(relation, int)
        and isinstance(tail, int)
    ):
        raise AspError(f"found a step {row}, expected whole numbers")
    return step, head, relation, tail
