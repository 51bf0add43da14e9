"""Phrases of others: what they mean, which are refused, and that both readers agree."""

from __future__ import annotations

import random
from itertools import product

import pytest

from grammar.errors import FaultError, HopcheckError
from grammar.eventhop.model import Domain, SpatialReading
from grammar.eventhop.reader import admitted, domain_of, reader
from grammar.eventhop.wordings import in_words, meaning
from grammar.phrases import PhraseError, PhraseFile
from solver.eventhop import check
from solver.eventhop.certificates.lines import texts

LATER = '["start of A after end of B"]'


def written(*phrases: tuple[str, str, str], domain: str = "temporal") -> str:
    rows = "".join(
        f'[[phrase]]\ntext = "{text}"\nmeans = {means}\nnot = {refused}\n'
        for text, means, refused in phrases
    )
    return f'domain = "{domain}"\n{rows}'


CLUB = written(
    (
        "{A} kicked off right after {B} wrapped up",
        LATER,
        '["{A} kicked off long before {B} wrapped up"]',
    ),
    ("{A} filled the gap between {B} and {C}", '["A met_by B", "A meets C"]', "[]"),
    ("no band was free for {A} until {B} was over", '["start of A at or after end of B"]', "[]"),
    ("{A}, and that was all night, ran next to {B}", '["A overlaps B"]', "[]"),
    ("{A}'s crowd came from {B}", '["A.start >= B.end"]', "[]"),
)


@pytest.fixture(scope="module")
def club() -> PhraseFile:
    (file,) = admitted([CLUB])
    return file


# What a statement says, as signs between start and end of A (a, b) and of B (c, d).
STATEMENTS = {
    "start of A after end of B": "a>d",
    "end of A before start of B": "b<c",
    "{A} before {B}": "b<c",
    "A before B.": "b<c",
    "A after B": "a>d",
    "A precedes B": "b<c",
    "A preceded_by B": "a>d",
    "A overlaps B": "a<d c<b",
    "A overlaps the beginning of B": "a<c c<b b<d",
    "A overlapped_by B": "c<a a<d d<b",
    "A meets B": "b=c",
    "A met_by B": "a=d",
    "A during B": "a>c b<d",
    "A contains B": "a<c d<b",
    "A starts B": "a=c b<d",
    "A started_by B": "a=c b>d",
    "A finishes B": "a>c b=d",
    "A finished_by B": "a<c b=d",
    "A equals B": "a=c b=d",
    "A.end < B.start": "b<c",
    "A.end <= B.start": "b<=c",
    "A.start ≥ B.end": "a>=d",
    "A.start = B.start": "a=c",
    "end of A at or before start of B": "b<=c",
    "end of A before or at start of B": "b<=c",
    "end of A no later than start of B": "b<=c",
    "start of A not_before end of B": "a>=d",
    "start of A not before end of B": "a>=d",
    "start of A simultaneous end of B": "a=d",
    "start of A is simultaneous with start of B": "a=c",
    "start of A same as start of B": "a=c",
    "the start of A is after the end of B": "a>d",
    "A's start is after B's end": "a>d",
    "A ended before B began": "b<c",
    "A happened before B": "b<c",
}
PLACES = {
    "western edge of A west of eastern edge of B": ("a<d", "b<c"),
    "start of A before end of B": ("a<d", "a<d"),
    "A.start < B.end": ("a<d", "a<d"),
    "A before B": ("b<c", "b<c"),
}
SYMBOLS = {"A2 < B1": "b<c", "A overlaps B": "a<c c<b b<d", "end of A before start of B": "b<c"}


def holds(text: str, at: dict[str, int]) -> bool:
    def one(row: str) -> bool:
        p, sign, q = at[row[0]], row[1:-1], at[row[-1]]
        return {"<": p < q, ">": p > q, "=": p == q, "<=": p <= q, ">=": p >= q}[sign]

    return all(map(one, text.split()))


def assert_means(
    statement: str,
    expected: str,
    domain: Domain,
    spatial: SpatialReading = SpatialReading.GEOMETRIC,
) -> None:
    """In every world both readers take the statement for what it is expected to say."""
    rows = meaning(statement, ("A", "B"), domain, spatial)
    second = check._meant(statement, ["A", "B"], domain.value, spatial.value)
    assert [tuple(row) for row in rows] == [
        ((left, "-+"[first]), sign, (right, "-+"[last]))
        for (left, first), sign, (right, last) in second
    ]
    letters = {("A", "-"): "a", ("A", "+"): "b", ("B", "-"): "c", ("B", "+"): "d"}
    read = " ".join(f"{letters[left]}{sign}{letters[right]}" for left, sign, right in rows)
    for instants in product(range(4), repeat=4):
        at = dict(zip("abcd", instants, strict=True))
        if at["a"] < at["b"] and at["c"] < at["d"]:
            assert holds(read, at) == holds(expected, at), (statement, read, at)


@pytest.mark.parametrize(("statement", "expected"), STATEMENTS.items())
def test_statements(statement: str, expected: str) -> None:
    assert_means(statement, expected, Domain.TEMPORAL)


@pytest.mark.parametrize(("statement", "expected"), PLACES.items())
def test_statements_about_places(statement: str, expected: tuple[str, str]) -> None:
    for spatial, worlds in zip(SpatialReading, expected, strict=True):
        assert_means(statement, worlds, Domain.SPATIAL, spatial)


@pytest.mark.parametrize(("statement", "expected"), SYMBOLS.items())
def test_statements_about_symbols(statement: str, expected: str) -> None:
    assert_means(statement, expected, Domain.LOGICAL)


@pytest.mark.parametrize(
    "statement", ["A < B", "A glorps B", "A before C", "start of A", "never A"]
)
def test_no_statements(statement: str) -> None:
    with pytest.raises(FaultError):
        meaning(statement, ("A", "B"), Domain.TEMPORAL, SpatialReading.GEOMETRIC)
    with pytest.raises(check.RejectedError):
        check._meant(statement, ["A", "B"], "temporal", "geometric")


BACK = '["start of B after end of A"]'


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            written(("{A} trailed {B}", LATER, "[]"), ("{B} trailed {A}", LATER, "[]")),
            '"Harbour Fair trailed Long Regatta" has two meanings',
        ),
        (written(("{A} ended before {B} began", LATER, "[]")), "has two meanings"),
        (
            written(("{A} kicked off right after {B} wrapped up", BACK, "[]")),
            '"Harbour Fair kicked off after Long Regatta wrapped up" is read as start of Harbour',
        ),
        (
            written(("{A} trailed {B}", LATER, '["{B} trailed {A}"]')),
            '"not" has the sentence "Long Regatta trailed Harbour Fair", which is read as',
        ),
        (written(("{A} trailed {B}", LATER, '["{A} met {B}"]')), '"not" has the sentence'),
        (
            written(("{A} trailed {B}", '["A after B", "A before B"]', "[]")),
            "meaning contradictory: start of A after end of B and end of A before start of B",
        ),
        (
            written(("{A} trailed {B}", '["A.start < A.end", "B.start < B.end"]', "[]")),
            "empty meaning",
        ),
        (written(("{A} trailed {B} by {n}", LATER, "[]")), r"found the slot \{n\}"),
        (
            written(("{A} trailed {B}", '["A after C"]', "[]")),
            r'found "A after C" in means, .* has no slot \{C\}',
        ),
        (
            written(("{A} happens before {B}", '["A before B"]', "[]")),
            "has two meanings: end of Harbour Fair before start of Long Regatta; end of Harbour "
            "Fair not after start of Long Regatta",
        ),
        (
            written(
                ("the start of {A} ensued once the end of {B} had happened", '["A before B"]', "[]")
            ),
            "has two meanings",
        ),
        (written(("{A} trailed {B}", LATER, "[]"), domain="time"), 'the domain "time"'),
        (
            written(("{A} leads, and {B} trails", '["A before B"]', "[]"), domain="logical"),
            "cannot be read back",
        ),
    ],
)
def test_refused_files(text: str, reason: str) -> None:
    with pytest.raises(PhraseError, match=reason):
        admitted([text])


@pytest.mark.parametrize(
    "text",
    [
        CLUB,
        written(("{A} ended before {B} began", '["A before B"]', "[]")),
        written(("{A} shared its evening with {B}", '["A overlaps B"]', "[]")),
        written(("{A} hugs the coast west of {B}", '["A is strictly west of B"]', "[]"),
                domain="spatial"),
        written(("{A} hugs {B}", '["end of A before start of B"]', "[]"), domain="spatial"),
        written(("{A} leads_to {B}", '["A2 < B1"]', '["{A} trails {B}"]'), domain="logical"),
        written(("{A} directly gave way to {B}", '["end of A = start of B"]', "[]")),
    ],
)  # fmt: skip
def test_admitted_files(text: str) -> None:
    (file,) = admitted([text])
    assert file.phrases


def read_twice(
    premise: str, claim: str, domain: Domain, file: PhraseFile, names: frozenset[str] = frozenset()
) -> check.Texts | None:
    """What both readers read; None if both refuse."""
    try:
        first = texts(reader(domain, phrases=(file,)).read("1", premise, claim, names=names))
    except HopcheckError:
        first = None
    try:
        second = check.read_texts(
            premise, claim, domain.value, "geometric", names, [file.as_json()]
        )
    except check.RejectedError:
        second = None
    assert first == second, (premise, claim)
    return first


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("The gig kicked off right after the show wrapped up.", "show happens before gig"),
        ("Gig filled the gap between show and ball", "show happens before ball"),
        ("Gig's crowd came from Show. It began as Show ended", "Show happens before Gig"),
        ("The start of the gig ensued once the end of the show had happened. "
         "Ball kicked off right after gig wrapped up", "show happens before Ball"),
        ("A ended before B began", "B kicked off right after A wrapped up."),
        ("the storm met the ball", "Storm, and that was all night, ran next to the ball"),
        ('"Never Again" kicked off right after B wrapped up',
         '"Never Again" kicked off right after C wrapped up'),
    ],
)  # fmt: skip
def test_read(premise: str, claim: str, club: PhraseFile) -> None:
    assert read_twice(premise, claim, Domain.TEMPORAL, club) is not None
    assert reader(Domain.TEMPORAL, phrases=(club,)).used(premise, claim) == [club]


@pytest.mark.parametrize(
    "premise",
    [
        "A kicked off long before B wrapped up",
        "Gig's crowd came from Show. It ended before Ball began",
        "A kicked off right after B wrapped up and C ended before D began",
        "A never kicked off right after B wrapped up",
        "A kicked off right after probably B wrapped up",
        "The end of A happened before the start of B kicked off right after C",
        "A kicked off right after A wrapped up",
        "A, and that was all night, ran next to B, and that was all night, ran next to C",
        "A kicked off right after B wrapped up right after C wrapped up",
    ],
)
def test_unread(premise: str, club: PhraseFile) -> None:
    assert read_twice(premise, "A happens before B", Domain.TEMPORAL, club) is None


def test_a_listed_name_may_have_the_words_of_a_phrase(club: PhraseFile) -> None:
    name = "Right after Dinner"
    premise = f"{name} kicked off right after B wrapped up"
    claim = f"B happens before {name}"
    assert read_twice(premise, claim, Domain.TEMPORAL, club) is None
    assert read_twice(premise, claim, Domain.TEMPORAL, club, frozenset([name])) is not None


def test_the_domain_is_that_of_the_phrases() -> None:
    (file,) = admitted(
        [written(("{A} hugs {B}", '["end of A before start of B"]', "[]"), domain="spatial")]
    )
    assert domain_of("Ridge hugs Marsh", "Ridge hugs Marsh", (file,)) is Domain.SPATIAL
    assert domain_of("Ridge met Marsh", "Ridge overlaps with Marsh", (file,)) is Domain.TEMPORAL


NAMES = (
    *("A", "B", "the gig", "Gig", "gig", "Long Show", "a ball", "it", "It", '"Never Again"', "and"),
    *("Before Sunset", "kicked off", "B wrapped up", "wrapped up", "St. Mary's Fair", "café", ""),
    *("that was all night", "A filled the gap between B and C", "the", "Miller’s Feast", "is over"),
)


def random_text(source: random.Random, file: PhraseFile) -> str:
    def sentence() -> str:
        name = lambda: source.choice(NAMES)  # noqa: E731 - drawn anew each time
        form = source.choice(
            [*(phrase.text for phrase in file.phrases), *file.phrases[0].refused,
             "{A} ended before {B} began", "the end of {A} happened before the start of {B}",
             "{A} and {B} both ended before {C}", "{A} happens before {B}"]
        )  # fmt: skip
        for slot in "ABC":
            form = form.replace(f"{{{slot}}}", name())
        return form

    stop = source.choice([". ", ". ", "; ", " and ", "."])
    return stop.join(sentence() for _ in range(source.randrange(1, 4))) + source.choice(["", "."])


def test_both_readers_read_the_same(club: PhraseFile) -> None:
    source = random.Random(34)
    read = 0
    for _ in range(1_200):
        premise = random_text(source, club)
        claim = source.choice(
            ["A happens before B", "gig overlaps with B", random_text(source, club)]
        )
        read += read_twice(premise, claim, Domain.TEMPORAL, club) is not None
    assert read > 60


def test_meanings_in_words() -> None:
    rows = meaning("A.end <= B.start", ("A", "B"), Domain.TEMPORAL, SpatialReading.GEOMETRIC)
    assert in_words(rows) == "end of A not after start of B"
