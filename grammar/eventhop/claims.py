"""Claims in the words that people use: ``The picnic ended before the parade``, or a question.

A claim is one sentence about two events or two points. Whole events are ordered as in the published
claims, so a meeting counts as *before*: ``The picnic took place before the parade`` is ``picnic
happens before parade``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from grammar.errors import Fault, FaultError, found_at
from grammar.eventhop import sentences
from grammar.eventhop.model import AllenRelation, Claim, ClaimRelation, Domain, SpatialReading
from grammar.eventhop.model import Relation as PointClaim
from grammar.eventhop.wordings import Stated, claim_of, renamed
from grammar.eventhop.words import IT, Names, phrases, tokens, unlicensed

DO = ("did", "does", "do", "will")
BE = ("was", "were", "is", "are", "had", "has", "have")
MOVED = 12
"""Maximum number of words of the subject that *was* comes before in a question."""

_POINTED = ("BEGIN", "BEGUN", "END", "POSTFIX", "SIGN", "START", "FINISH", "AT_", "SHARED")
_WHOLE: dict[tuple[str, str, str], tuple[ClaimRelation | AllenRelation, ...]] = {
    ("+", "<", "-"): (ClaimRelation.BEFORE, AllenRelation.PRECEDES),
    ("-", ">", "+"): (ClaimRelation.AFTER, AllenRelation.PRECEDED_BY),
    ("+", "<=", "-"): (ClaimRelation.BEFORE,) * 2,
    ("-", ">=", "+"): (ClaimRelation.AFTER,) * 2,
}
"""Claims about whole events: of an order as it is, and of a strict one."""


def read(
    text: str,
    domain: Domain,
    spatial: SpatialReading,
    *,
    listed: Collection[str] = (),
    known: Collection[str] = (),
    leading: Collection[str] = (),
) -> tuple[Claim | PointClaim, Names]:
    """Read a claim.

    Args:
        text: the claim.
        domain: its domain.
        spatial: which edge of a place is its start.
        listed: names that the user lists.
        known: the events of the premise.
        leading: those at the start of a sentence alone, whose capital need not be their own.

    Raises:
        FaultError: it has no meaning, or several, or states more than one relation.
    """
    text = text.strip()
    if domain is Domain.LOGICAL:
        names = Names()
        rows = tuple(
            row for part in sentences.comparisons(text) for row in sentences.comparison(part, names)
        )
        every = [(claim_of(rows), names)]
    else:
        every = [
            (_claim(rows, order, known, names, leading), names)
            for form in _statements(text)
            for rows, order, names in _readings(form, domain, spatial, listed)
        ]
    claims = {claim for claim, _ in every}
    claim = claims.pop() if len(claims) == 1 else None
    if claim is None:
        found, expected = found_at(text, 0), "a claim about two events or two points"
        raise FaultError(Fault(position=0, found=found, expected=expected))
    return claim, every[0][1]


def _statements(text: str) -> Iterator[str]:
    """The statements that a text may ask for, or the text itself."""
    plain = sentences.without_stop(text.removesuffix("?"))
    verb, *words = plain.split(" ")
    verb = verb.lower()
    if verb in DO:
        yield " ".join(words)
    elif verb in BE:
        for cut in range(1, min(len(words), MOVED + 1)):
            yield " ".join([*words[:cut], verb, *words[cut:]])
    elif not text.endswith("?"):
        yield plain


def _readings(
    text: str, domain: Domain, spatial: SpatialReading, listed: Collection[str]
) -> Iterator[tuple[tuple[Stated, ...], str, Names]]:
    """The relations of a statement, the words that order whole events in it, and its names."""
    words, names = phrases(domain, spatial), Names()
    try:
        parts = sentences.sentence_parts(text, words, names)
    except FaultError:
        return
    rows = tuple(row for part in parts for row in part)
    licensed = {*listed, *names.quoted}
    for name in {event for left, _, right in rows for event, _ in (left, right)} - licensed:
        if name == IT or unlicensed(name, name in names.first - names.inner):
            return
    found = [token for token in tokens(text, words, Names()) if "NAME" not in token.type]
    pointed = any(token.type.startswith(_POINTED) for token in found)
    strict = any("strictly" in token or token.type == "PLACED" for token in found)
    yield rows, "" if pointed else "strict" if strict else "whole", names


def _claim(
    rows: Sequence[Stated],
    order: str,
    known: Collection[str],
    names: Names,
    leading: Collection[str],
) -> Claim | PointClaim | None:
    spelled = {}
    for name in {event for left, _, right in rows for event, _ in (left, right)}:
        lower, upper = (change(name[:1]) + name[1:] for change in (str.lower, str.upper))
        leads = name in names.first and name not in names.inner
        spelled[name] = name
        if name not in known and leads and lower in known:
            spelled[name] = lower
        elif name not in known and upper in leading:
            spelled[name] = upper
    stated = renamed(rows, spelled)
    if len(stated) == 1 and order:
        ((left, first), sign, (right, second)) = stated[0]
        relations = _WHOLE.get((first, sign, second))
        if relations is not None:
            return Claim(left=left, relation=relations[order == "strict"], right=right)
    return claim_of(stated)
