"""What the pronouns of a clause stand for: *it*, *they*, each with one possible antecedent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from grammar.traces.clauses import Clause, Subjects
from grammar.traces.wording import CLAIMED, IT, THEY


def named(clause: Clause) -> tuple[int, ...]:
    """The events that a clause names, in order."""
    return tuple(dict.fromkeys(p >> 1 for p in clause.places if (p >> 1) < CLAIMED[0]))


def resolve(
    part: Clause, before: Sequence[int], subject: Subjects | None, last: Clause | None = None
) -> Clause | None:
    """A clause with its pronouns replaced by the only events that they can stand for.

    Args:
        part: the clause.
        before: the events of the clause before it.
        subject: the subject of that one.
        last: that clause, if it is in the same sentence.
    """
    used = {p >> 1 for p in part.places} | {
        p >> 1 for proto in part.protos for triple in proto.group for p in (triple[0], triple[2])
    }
    known: dict[int, int] = {}
    events = list(named(part))
    if IT in used:
        choice = _antecedent(part, events, before, subject) or _parallel(part, last)
        if choice is None:
            return None
        known |= choice
    if set(THEY) & used:
        if len(before) != 2 and subject is not None and len(subject.places) == 2:
            # "Both A and B are within C, so they overlap".
            before = [place >> subject.points for place in subject.places]
        if len(before) != 2:
            return None
        known |= {2 * THEY[n] + b: 2 * before[n] + b for n in (0, 1) for b in (0, 1)}
    if not known:
        return part
    protos = tuple(
        replace(
            proto,
            group=tuple((known.get(p, p), sign, known.get(q, q)) for p, sign, q in proto.group),
        )
        for proto in part.protos
    )
    places = tuple(known.get(p, p) for p in part.places)
    return replace(
        part,
        protos=protos,
        places=places,
        subjects=_known(part.subjects, known),
        target=_known(part.target, known),
    )


def _known(subjects: Subjects | None, known: Mapping[int, int]) -> Subjects | None:
    """Subjects, or a target, with their pronouns replaced."""
    if subjects is None:
        return None
    if subjects.points:
        return subjects._replace(places=tuple(known.get(p, p) for p in subjects.places))
    return subjects._replace(places=tuple(known.get(2 * e, 2 * e) >> 1 for e in subjects.places))


def _antecedent(
    part: Clause, named: Sequence[int], before: Sequence[int], subject: Subjects | None
) -> dict[int, int] | None:
    """What the points of *it* stand for; None if that is not one thing."""
    subjects = part.subjects
    pronoun = subjects is not None and subjects.places in ((IT,), (2 * IT,))
    if pronoun and subjects is not None and subjects.points:
        # *It* is a point, as the subject before.
        if (
            subject is None
            or not subject.points
            or len(subject.places) != 1
            or subject.places[0] >> 1 == IT
        ):
            return None
        if any(p >> 1 == IT and p != 2 * IT for p in part.places):
            return None
        return {2 * IT: subject.places[0]}
    own = None
    if not pronoun and subjects is not None and len(subjects.places) == 1:
        own = subjects.places[0] >> 1 if subjects.points else subjects.places[0]
    if own is not None and any(
        triple[0] >> 1 != triple[2] >> 1 and {triple[0], triple[2]} == {2 * own + b, 2 * IT + b}
        for proto in part.protos
        for triple in proto.group
        for b in (0, 1)
    ):
        return None  # "A starts before it starts": itself, or the event before
    if own is not None and all(
        len(proto.group) == 1 and _lasts(triple, own)
        for proto in part.protos
        for triple in proto.group
        if IT in (triple[0] >> 1, triple[2] >> 1)
    ):
        event = own
    else:
        choices = [event for event in before if event not in named]
        if len(choices) == 1:
            event = choices[0]
        elif not choices and own is not None and len(named) == 1:
            event = own
        else:
            return None
    return {2 * IT + b: 2 * event + b for b in (0, 1)}


def _parallel(part: Clause, last: Clause | None) -> dict[int, int] | None:
    """Of "A ends after B starts, so it ends after C starts": *it* is the subject with that verb."""
    if last is None or last.subjects is None or part.subjects is None:
        return None
    if part.subjects.places != (IT,) or part.subjects.points or last.subjects.points:
        return None
    if len(last.subjects.places) != 1 or last.subjects.places[0] >= CLAIMED[0]:
        return None
    event = last.subjects.places[0]
    mine = {_verb(triple, IT) for proto in part.protos for triple in proto.group}
    before = {_verb(triple, event) for proto in last.protos for triple in proto.group}
    if len(mine) != 1 or mine != before or None in mine:
        return None
    return {2 * IT + bound: 2 * event + bound for bound in (0, 1)}


def _verb(triple: tuple[int, str, int], event: int) -> tuple[int, str] | None:
    """The bound of an event in an order, and the sign after it."""
    p, sign, _ = triple
    if p >> 1 == event:
        return p & 1, sign
    return None


def _lasts(triple: tuple[int, str, int], event: int) -> bool:
    """Whether *it* makes an order of the start and the end of the clause's own event."""
    p, sign, q = triple
    if sign[0] == ">":
        p, q = q, p
    return (p, q) in ((2 * event, 2 * IT + 1), (2 * IT, 2 * event + 1))
