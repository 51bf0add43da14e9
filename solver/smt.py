"""The only module that imports z3: satisfiability of points under the theory of order.

Verdicts and certificates use only results that do not depend on the version of z3: satisfiability
and entailed literals, but neither models nor z3's cores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations
from time import monotonic

import z3

from grammar.errors import HopcheckError, UndecidedError
from grammar.eventhop.model import AllenRelation, Claim, Item, Point
from solver.encodings import encoding
from solver.eventhop.engines.graph import NumberedItem, number

THEORY = encoding("temporal/order.smt2")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A relation of the premise, or the duration axiom of an event.

    Attributes:
        name: ``r3`` for relation 3 of the premise, ``lasts_2`` for the duration of event 2; also
            the name of its guard.
        macro: the macro that defines its meaning.
        left: its first point, as a term.
        right: its second point, as a term.
    """

    name: str
    macro: str
    left: str
    right: str

    @property
    def term(self) -> str:
        """The sentence as a term."""
        return f"({self.macro} {self.left} {self.right})"

    @property
    def relaxed(self) -> str:
        """The sentence relaxed from < to <=."""
        return f"({self.macro}_relaxed {self.left} {self.right})"

    @property
    def guarded(self) -> str:
        """The sentence under its guard."""
        return guarded(self.name, self.term)


def relations(numbered: NumberedItem) -> list[Sentence]:
    """The relations of the premise, in their order."""
    return [
        Sentence(name=f"r{n}", macro=order.value, left=point(p), right=point(q))
        for n, (p, order, q) in enumerate(numbered.relations)
    ]


def durations(numbered: NumberedItem) -> list[Sentence]:
    """The duration axioms, in the order of the events."""
    return [
        Sentence(name=f"lasts_{e}", macro="lasts", left=f"start_{e}", right=f"end_{e}")
        for e in range(len(numbered.events))
    ]


def point(number: int) -> str:
    """The term of a numbered point."""
    return f"end_{number >> 1}" if number & 1 else f"start_{number >> 1}"


def claimed_points(item: Item, numbered: NumberedItem) -> list[str]:
    """The points that the claim compares; a point may occur twice."""
    left, right = numbered.claim
    if not isinstance(item.claim, Claim):
        return [point(left), point(right)]
    return [f"start_{left}", f"end_{left}", f"start_{right}", f"end_{right}"]


def claim(item: Item, numbered: NumberedItem) -> str:
    """The claim as a term."""
    points = " ".join(claimed_points(item, numbered))
    if not isinstance(item.claim, Claim):
        return f"({item.claim.order} {points})"
    theory = "allen" if isinstance(item.claim.relation, AllenRelation) else "claim"
    return f"({theory}_{item.claim.relation} {points})"


def guarded(guard: str, term: str) -> str:
    """A term that holds if its guard does."""
    return f"(guarded {guard} {term})"


def assertions(terms: Iterable[str]) -> Iterator[str]:
    """An assertion of each term."""
    return (f"(assert {term})" for term in terms)


def constants(names: Iterable[str], sort: str) -> str:
    """Declarations of constants."""
    return "".join(f"(declare-const {name} {sort})" for name in names)


def not_collapsed(points: Sequence[str], cyclic: Iterable[Sentence]) -> list[str]:
    """Terms: no two of the points coincide with the points of a constraint on a cycle."""
    pairs = [f"{p} {q}" for p, q in combinations(points, 2)]
    cycle_points = dict.fromkeys(s.left for s in cyclic)
    return [f"(not_both_at {point} {pair})" for point in cycle_points for pair in pairs]


def script(item: Item) -> str:
    """An SMT-LIB script: checks the premise, the premise with the claim, and with its negation."""
    numbered = number(item)
    points = [point(p) for p in range(2 * len(numbered.events))]
    sentences = [*relations(numbered), *durations(numbered)]
    claimed = claim(item, numbered)
    lines = [
        THEORY.read_text(encoding="utf-8"),
        *(constants([p], "Int") for p in points),
        *assertions(f"(! {s.term} :named {s.name})" for s in sentences),
        "(check-sat)",
        f"(push) (assert {claimed}) (check-sat) (pop)",
        f"(push) (assert (not {claimed})) (check-sat) (pop)",
    ]
    return "\n".join(lines) + "\n"


# Bellman-Ford on a sparse graph: z3's other procedures need minutes for 10,000 relations.
_DIFFERENCE_LOGIC = 1
_MINUTE = 60_000
# z3 leaks memory with each query: the context is renewed after this many items.
_LIFETIME = 1000

# Guards of the claim and of its negation.
CLAIMED, DENIED = "claimed", "denied"


class SmtError(HopcheckError):
    """An error reported by z3."""

    code = "smt"


class OrderSolver:
    """A z3 solver with ``encodings/temporal/order.smt2``, reused for one item after another.

    Args:
        timeout_ms: time limit in milliseconds, of each query and for all queries of an item.
    """

    def __init__(self, *, timeout_ms: int = _MINUTE) -> None:
        self._timeout_ms = timeout_ms
        self._deadline = monotonic() + timeout_ms / 1000
        self._item = ""
        self._theory = THEORY.read_text(encoding="utf-8")
        self._renew()

    def begin(self, item: Item) -> NumberedItem:
        """Start a new item: declare its points and guards, with no assertions."""
        numbered = number(item)
        self._item = item.id
        self._deadline = monotonic() + self._timeout_ms / 1000
        self._begun += 1
        if self._begun > _LIFETIME:
            self._renew()
        if len(numbered.events) > self._events or len(numbered.relations) > self._relations:
            self._declare(numbered)
        return numbered

    @contextmanager
    def assuming(self, terms: Iterable[str]) -> Iterator[None]:
        """Assert SMT-LIB terms within the context."""
        self._solver.push()
        try:
            self._read("".join(assertions(terms)))
            yield
        finally:
            self._solver.pop()

    def satisfiable(self, *guards: str) -> bool:
        """Whether the assertions are satisfiable with these guards assumed true."""
        literals = [self._guards[name] for name in guards]
        return self._is_sat(lambda: self._solver.check(*literals))

    def refuted(self, guards: Iterable[str]) -> set[str]:
        """The guards that are false in every model of the assertions."""
        literals = [self._guards[name] for name in guards]
        consequences: list[z3.BoolRef] = []

        def query() -> z3.CheckSatResult:
            answer, found = self._solver.consequences([], literals)
            consequences.extend(found)
            return answer

        self._is_sat(query)
        # Each consequence has the form (=> true (not name)).
        return {str(implied.arg(1).arg(0)) for implied in consequences}

    def instants(self, numbered: NumberedItem) -> dict[Point, int]:
        """An integer for each point, from the model of the last satisfiable query."""
        model = self._solver.model()
        terms = [z3.Int(point(p), self._context) for p in range(2 * len(numbered.events))]
        return {
            numbered.point(p): model.eval(term, model_completion=True).as_long()
            for p, term in enumerate(terms)
        }

    def _renew(self) -> None:
        self._begun = self._events = self._relations = 0
        self._context = z3.Context()
        self._guards = {name: z3.Bool(name, self._context) for name in (CLAIMED, DENIED)}
        self._solver = z3.SimpleSolver(ctx=self._context)
        # With z3's own handler, an interrupt would look like an unknown result.
        self._solver.set("ctrl_c", False)
        self._solver.set("timeout", self._timeout_ms)
        self._solver.set("arith.solver", _DIFFERENCE_LOGIC)
        self._read(self._theory)
        self._read(constants(self._guards, "Bool"))

    def _declare(self, numbered: NumberedItem) -> None:
        """Declare constants that no earlier item needed; they are kept for later items."""
        events = range(self._events, max(self._events, len(numbered.events)))
        points = [point(p) for p in range(2 * events.start, 2 * events.stop)]
        self._read(constants(points, "Int"))
        sentences = (
            *relations(numbered)[self._relations :],
            *durations(numbered)[self._events :],
        )
        self._read(constants([s.name for s in sentences], "Bool"))
        self._guards.update((s.name, z3.Bool(s.name, self._context)) for s in sentences)
        self._events = events.stop
        self._relations = max(self._relations, len(numbered.relations))

    def _read(self, text: str) -> None:
        try:
            self._solver.from_string(text)
        except z3.Z3Exception as error:
            raise SmtError(f"z3 rejects the theory: {error}", where=self._item) from error

    def _is_sat(self, query: Callable[[], z3.CheckSatResult]) -> bool:
        """Run a query; raises UndecidedError if its result is unknown."""
        if monotonic() <= self._deadline:
            try:
                answer = query()
            except z3.Z3Exception as error:
                raise SmtError(f"z3 fails: {error}", where=self._item) from error
            if answer != z3.unknown:
                return bool(answer == z3.sat)
        raise UndecidedError(
            f"z3 has no answer within {self._timeout_ms} ms",
            where=self._item,
            hint="allow more time, or use another engine",
        )


def least_weight(
    fixed: Iterable[tuple[int, int, bool]],
    guarded: Mapping[int, Sequence[tuple[int, int, bool]]],
    weights: Mapping[int, int],
    *,
    seconds: float,
) -> int | None:
    """The least weight of guarded constraints to give up, so that the others are satisfiable.

    Args:
        fixed: constraints (p, q, strict) that point p precedes q, or is no later.
        guarded: further ones, which are kept or given up together, by number.
        weights: of these numbers.
        seconds: time limit.

    Returns:
        The weight; None if it is not known in time.
    """
    context = z3.Context()
    solver = z3.Optimize(ctx=context)
    solver.set("timeout", max(1, int(1000 * seconds)))

    def constraint(p: int, q: int, strict: bool) -> z3.BoolRef:
        left, right = z3.Int(f"p{p}", context), z3.Int(f"p{q}", context)
        return left < right if strict else left <= right

    for arc in fixed:
        solver.add(constraint(*arc))
    guards = {one: z3.Bool(f"g{one}", context) for one in guarded}
    for one, arcs in guarded.items():
        solver.add(z3.Implies(guards[one], z3.And([constraint(*arc) for arc in arcs])))
        solver.add_soft(guards[one], weights[one])
    if solver.check() != z3.sat:
        return None
    model = solver.model()
    return sum(
        weights[one]
        for one, guard in guards.items()
        if not z3.is_true(model.eval(guard, model_completion=True))
    )


def version() -> str:
    """Version of z3."""
    return str(z3.get_version_string())
