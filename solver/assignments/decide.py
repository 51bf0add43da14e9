"""Decides assignment puzzles: two engines that must agree, evidence, and its check."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import islice, product
from typing import Any

from grammar.assignments.model import Puzzle
from solver.assignments import check
from solver.assignments.encode import ENCODINGS, Mention, PuzzleSession, Solution
from solver.assignments.engine import PuzzleSolver
from solver.verification.outcomes import Outcome, Verdict
from solver.verification.run import DisagreementError

WORDS: Mapping[str, str] = {
    "either": "a word with two meanings may mean either wherever it is mentioned",
    "some": "each mention of a word with two meanings means what makes the label the only answer",
    "unused": "clues with a word of two meanings do not count",
}
"""The values of the convention ``words``; the first one is the default."""

_TRIED = 4_096
"""Combinations of meanings that are tried."""


@cache
def _smt() -> PuzzleSolver:
    return PuzzleSolver()


@dataclass(frozen=True, kw_only=True)
class Problem:
    """A puzzle with the label of one of its options.

    Attributes:
        puzzle: as read.
        gold: the label.
    """

    puzzle: Puzzle
    gold: str

    @cached_property
    def _outcomes(self) -> dict[str, Outcome]:
        return {}

    def decide(self, reading: Mapping[str, str]) -> Outcome:
        """Decide the label under a value for the convention ``words``.

        Raises:
            DisagreementError: ASP and z3 disagree, or the checker rejects the certificate.
        """
        first = next(iter(WORDS))
        words = reading.get("words", first) if self.puzzle.unclear else first
        if words == "some" and self._under(first).verdict is Verdict.RIGHT:
            # An answer that holds whatever the words mean needs no choice of meanings.
            words = first
        outcome = self._under(words)
        certificate = {**outcome.certificate, "under": dict(reading)}
        case = {"verdict": outcome.verdict.value, "decided": outcome.decided, **certificate}
        fault = check.fault_of_case(case, self.gold)
        if fault is not None:
            raise _disagreement(f"the certificate is rejected: {fault}", self.puzzle)
        return replace(outcome, certificate=certificate)

    def _under(self, words: str) -> Outcome:
        if words not in self._outcomes:
            self._outcomes[words] = _decided_under(self.puzzle, self.gold, words)
        return self._outcomes[words]


def _decided_under(puzzle: Puzzle, gold: str, words: str) -> Outcome:
    clues = enumerate(puzzle.clues)
    used = tuple(number for number, clue in clues if words != "unused" or not clue.unclear)
    session = PuzzleSession(puzzle=puzzle, used=used)
    meanings = _meanings(session, gold) if words == "some" else {}
    return _outcome(_analysis(session, meanings), gold)


def _disagreement(message: str, puzzle: Puzzle) -> DisagreementError:
    place = f"{puzzle.text[:60]}…"
    return DisagreementError(
        message, where=place, name="assignments", program=puzzle.text, encodings=ENCODINGS
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Analysis:
    """What is known of a puzzle: for each option a model where it is true, and one where not."""

    session: PuzzleSession
    meanings: Mapping[Mention, int]
    consistent: bool
    true: Sequence[Solution | None]
    false: Sequence[Solution | None]


def _analysis(session: PuzzleSession, meanings: Mapping[Mention, int]) -> _Analysis:
    first = len(session.puzzle.clues)
    options = range(first, first + len(session.puzzle.options))
    consistent = session.solution(meanings=meanings) is not None
    true = [session.solution(claimed=[n], meanings=meanings) for n in options]
    false = [session.solution(denied=[n], meanings=meanings) for n in options]
    found = [(t is not None, f is not None) for t, f in zip(true, false, strict=True)]
    if _smt().statuses(session, meanings) != (found if consistent else None):
        raise _disagreement("ASP and z3 disagree", session.puzzle)
    return _Analysis(
        session=session, meanings=meanings, consistent=consistent, true=true, false=false
    )


def _meanings(session: PuzzleSession, gold: str) -> Mapping[Mention, int]:
    """Meanings of all mentions by which the label is the only answer; none if there are none."""
    labels = [label for label, _ in session.puzzle.options]
    option = len(session.puzzle.clues) + labels.index(gold)
    mentions = session.mentions
    first = session.solution(claimed=[option])
    combined = (dict(zip(mentions, row, strict=True)) for row in product(*mentions.values()))
    tried = [first.meanings] if first is not None else []
    for meanings in (*tried, *islice(combined, _TRIED)):
        if (
            session.solution(denied=[option], meanings=meanings) is None
            and session.solution(claimed=[option], meanings=meanings) is not None
        ):
            return meanings
    return {}


def _outcome(analysis: _Analysis, gold: str) -> Outcome:
    puzzle = analysis.session.puzzle
    if analysis.consistent:
        verdict, decided, evidence, proof = _decided(analysis, gold)
    else:
        core = analysis.session.core(meanings=analysis.meanings)
        verdict, decided, evidence = Verdict.CONTRADICTORY, None, {"core": core}
        proof = [f"these clues contradict each other: {_quoted(puzzle, core)}"]
    return Outcome(
        verdict=verdict,
        decided=decided,
        certificate={
            "text": puzzle.text,
            "phrases": [
                {"text": phrase.text, "means": list(phrase.means)} for phrase in puzzle.phrases
            ],
            "meanings": [[*mention, thing] for mention, thing in analysis.meanings.items()],
            **evidence,
        },
        proof="\n".join([*proof, *_notes(analysis)]),
    )


def _decided(
    analysis: _Analysis, gold: str
) -> tuple[Verdict, str | None, Mapping[str, Any], list[str]]:
    """Verdict, right label, evidence and proof of a puzzle that has a model."""
    session, puzzle = analysis.session, analysis.session.puzzle
    first, labels = len(puzzle.clues), [label for label, _ in puzzle.options]
    numbers = range(len(labels))
    entailed = [n for n in numbers if analysis.false[n] is None]
    refuted = [n for n in numbers if analysis.true[n] is None]
    refutations = {
        labels[n]: session.core(claimed=[first + n], meanings=analysis.meanings) for n in refuted
    }
    denials = {
        labels[n]: session.core(denied=[first + n], meanings=analysis.meanings)
        for n in entailed[:2]
    }
    shown = [analysis.true[n] or analysis.false[n] for n in entailed[:1] or refuted[:1]]
    if len(entailed) != 1:
        shown += analysis.true
    shown += [analysis.false[n] for n in numbers if n not in refuted]
    models = [_model(model) for model in shown if model is not None]
    evidence = {"refutations": refutations, "denials": denials, "models": models}
    lines = [
        f"not {labels[n]}: {_quoted(puzzle, refutations[labels[n]])}"
        for n in refuted
        if labels[n] == gold
    ]
    if len(entailed) == 1:
        decided = labels[entailed[0]]
        lines.append(f"only {decided} is left: {_quoted(puzzle, denials[decided])}")
        return (Verdict.RIGHT if decided == gold else Verdict.WRONG), decided, evidence, lines
    if entailed:
        return Verdict.UNANSWERABLE, None, evidence, ["several options follow from the clues"]
    if len(refuted) == len(labels):
        return Verdict.NO_RIGHT_OPTION, None, evidence, ["every option contradicts the clues"]
    open_ones = ", ".join(labels[n] for n in numbers if n not in refuted)
    return Verdict.UNANSWERABLE, None, evidence, [f"the clues leave open: {open_ones}"]


def _model(solution: Solution) -> dict[str, Any]:
    places = [place for _, place in sorted(solution.places.items())]
    return {"places": places, "meanings": [[*m, thing] for m, thing in solution.meanings.items()]}


def _quoted(puzzle: Puzzle, core: Sequence[int]) -> str:
    return " ".join(f"“{puzzle.clues[number].text}”" for number in core) or "in any case"


def _notes(analysis: _Analysis) -> Iterator[str]:
    """The words with several meanings, and what they are taken to mean."""
    session, things = analysis.session, [name for _, name in analysis.session.puzzle.things]
    names = [category.name for category in session.puzzle.categories]
    sorts = [names[category] for category, _ in session.puzzle.things]
    for word in dict.fromkeys(things[meant[0]] for meant in session.mentions.values()):
        meant = dict.fromkeys(
            sorts[thing]
            for mention, meanings in session.mentions.items()
            for thing in meanings
            if things[thing] == word and analysis.meanings.get(mention, thing) == thing
        )
        yield f"“{word}” means one that {' or '.join(meant)}"
