"""The second engine: z3 says which options are possible and which are entailed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grammar.assignments.model import Clue, ClueKind
from solver.assignments.encode import Mention, PuzzleSession
from solver.smt import TheorySolver

PUZZLE = "assignments/puzzle.smt2"


class PuzzleSolver:
    """A z3 solver with ``encodings/assignments/puzzle.smt2``."""

    def __init__(self) -> None:
        self._solver = TheorySolver(PUZZLE)

    def statuses(
        self, session: PuzzleSession, meanings: Mapping[Mention, int]
    ) -> list[tuple[bool, bool]] | None:
        """For each option whether it can be true and whether it can be false; None if no model."""
        puzzle, last = session.puzzle, len(session.puzzle.clues)
        things = [f"t_{number}" for number, _ in enumerate(puzzle.things)]
        sorts = dict.fromkeys(things, "Int")
        terms = [f"(within {thing} {puzzle.places})" for thing in things]
        first = 0
        for category in puzzle.categories:
            members = things[first : first + len(category.things)]
            terms.append(f"(distinct {' '.join(members)})" if len(members) > 1 else "true")
            first += len(members)
        for (number, part), meant in session.mentions.items():
            name = f"m_{number}_{part}"
            sorts[name] = "Int"
            chosen = meanings.get((number, part))
            cases = (
                f"(= {name} t_{thing})" for thing in ([chosen] if chosen is not None else meant)
            )
            terms.append(f"(or {' '.join(cases)})")
        statements = [_term(min(n, last), clue, puzzle.places)
                      for n, clue in enumerate(session.statements)]  # fmt: skip
        terms += (statements[number] for number in session.used)
        self._solver.begin("puzzle", sorts, terms)
        if not self._solver.satisfiable():
            return None
        return [
            (self._solver.satisfiable(claim), self._solver.satisfiable(f"(not {claim})"))
            for claim in statements[last:]
        ]


def _term(number: int, clue: Clue, places: int) -> str:
    names = []
    for part, reference in enumerate(clue.references):
        if reference.place:
            names.append(str(reference.place))
        elif len(reference.things) == 1:
            names.append(f"t_{reference.things[0]}")
        else:
            names.append(f"m_{number}_{part}")
    extra: Sequence[int] = ()
    if clue.kind in (ClueKind.OUTER, ClueKind.PLACED):
        extra = (places if clue.kind is ClueKind.OUTER else clue.place,)
    return f"({clue.kind} {' '.join((*names, *map(str, extra)))})"
