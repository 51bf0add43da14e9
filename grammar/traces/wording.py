"""From the text of a sentence to words: marks of layout, symbols, contractions and points.

A sentence comes with a placeholder for each event (``mentions.py``), so its other words are a
closed vocabulary: ``sentences.toml`` of the premises, and ``traces.toml``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from grammar.eventhop.lexicon import AnyRelation, lexicon, terminal
from grammar.eventhop.model import AllenRelation, ClaimRelation, Domain, SpatialReading
from grammar.eventhop.words import in_slots, licensing_words, phrases, table

FIRST_EVENT, FIRST_POINT = 0xE000, 0xE100
MOST_EVENTS = 240
"""Maximum number of events in one sentence."""

CLAIMED = (244, 245)
"""*The two events*: those of the claim, or the two of the clause before."""
THEY = (246, 247)
"""*They*: the two events of the clause before."""
IT = 248
"""*It*, as an event, until its antecedent is known."""
OTHER = 249
"""*The other*: of the two events before, the one that is not the subject."""

_TABLE = Path(__file__).with_name("traces.toml")
_E, _P = "[\ue000-\ue0ff]", "[\ue100-\ue2ff]"
_BOUNDS = {"-": 0, "+": 1}


@cache
def trace_table() -> Mapping[str, Mapping[str, Any]]:
    """The contents of ``traces.toml``, with the words of slots in their places."""
    table = tomllib.loads(_TABLE.read_text(encoding="utf-8"))
    return MappingProxyType(
        in_slots(table, table.pop("slots"), lambda text: _rewritten(text, _SUBJECTS))
    )


@cache
def operators(where: str) -> frozenset[str]:
    """Words that may change what other clauses mean, but for the plain ones of a place.

    Args:
        where: ``clauses``, or ``timelines`` for what is beside instants.
    """
    plain = trace_table()["plain"]
    known = licensing_words()["operators"] | frozenset(plain["operators"])
    return known - frozenset(plain[where])


class Rewriting(NamedTuple):
    """A pattern that is replaced where a text has one of some pieces: to look for these is fast.

    Attributes:
        pieces: pieces one of which every match has.
        pattern: what is replaced.
        instead: what replaces it.
    """

    pieces: tuple[str, ...]
    pattern: re.Pattern[str]
    instead: str | Callable[[re.Match[str]], str]


def _rewritten(text: str, rules: Iterable[Rewriting]) -> str:
    for pieces, pattern, instead in rules:
        for piece in pieces:
            if piece in text:
                text = pattern.sub(instead, text)
                break
    return text


def _rule(pieces: str, pattern: str, instead: str) -> Rewriting:
    return Rewriting(tuple(pieces.split("|")), re.compile(pattern), instead)


class Sense(NamedTuple):
    """What a phrase is.

    Attributes:
        category: category of the phrase, such as ``before`` or ``relation``.
        value: its meaning within the category.
    """

    category: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """The phrases of a domain.

    Attributes:
        senses: by the words of a phrase: what it is.
        lengths: by the first word of phrases: their numbers of words, the largest first.
        nouns: 0 or 1 for each noun of a point.
        points: what makes points of events and nouns, in order.
        logical: whether a digit after a name makes a point, and events are compared by signs.
    """

    senses: Mapping[tuple[str, ...], tuple[Sense, ...]]
    lengths: Mapping[str, tuple[int, ...]]
    nouns: Mapping[str, int]
    points: tuple[Rewriting, ...]
    logical: bool


_MEANINGS: Mapping[AnyRelation, str] = {
    ClaimRelation.BEFORE: "A+ <= B-",
    ClaimRelation.AFTER: "A- >= B+",
    ClaimRelation.OVERLAPS: "A- < B+, B- < A+",
    AllenRelation.PRECEDES: "A+ < B-",
    AllenRelation.MEETS: "A+ = B-",
    AllenRelation.OVERLAPS: "A- < B-, B- < A+, A+ < B+",
    AllenRelation.FINISHED_BY: "A- < B-, A+ = B+",
    AllenRelation.CONTAINS: "A- < B-, B+ < A+",
    AllenRelation.STARTS: "A- = B-, A+ < B+",
    AllenRelation.EQUALS: "A- = B-, A+ = B+",
    AllenRelation.STARTED_BY: "A- = B-, B+ < A+",
    AllenRelation.DURING: "B- < A-, A+ < B+",
    AllenRelation.FINISHES: "B- < A-, A+ = B+",
    AllenRelation.OVERLAPPED_BY: "B- < A-, A- < B+, B+ < A+",
    AllenRelation.MET_BY: "A- = B+",
    AllenRelation.PRECEDED_BY: "A- > B+",
}
_SAME_AS = {
    "NOT_LATER": "by",
    "NOT_EARLIER": "once",
    "WHEN": "same",
    "OPENER": "fill",
    "WHEREAS": "fill",
}
"""Categories of premises that are read as others here."""
_DOTTED = {
    "start": 0, "begin": 0, "beginning": 0, "s": 0, "st": 0, "b": 0, "starts": 0, "begins": 0,
    "end": 1, "finish": 1, "e": 1, "en": 1, "f": 1, "ends": 1, "finishes": 1,
}  # fmt: skip
_SIDES = {"west": 0, "east": 1, "w": 0, "western": 0, "eastern": 1}
_NOUNS = {
    "start": 0, "beginning": 0, "start point": 0, "starting point": 0, "start time": 0,
    "starting time": 0, "end": 1, "finish": 1, "end point": 1, "ending point": 1, "end time": 1,
    "ending": 1, "endpoint": 1, "finishing time": 1, "ending time": 1,
}  # fmt: skip
_EDGES = {
    "western side": 0, "west side": 0, "western limit": 0, "west": 0, "western bound": 0,
    "eastern side": 1, "east side": 1, "eastern limit": 1, "east": 1, "eastern bound": 1,
}  # fmt: skip
_LIMITS = {
    f"{side} {noun}": bound
    for bound, sides in enumerate((("lower", "low", "left"), ("upper", "high", "right")))
    for side in sides
    for noun in ("end", "endpoint", "end point", "bound", "limit", "boundary")
}


@cache
def wording(domain: Domain, spatial: SpatialReading) -> Wording:
    """The phrases of a domain; places are read as by ``spatial``."""
    geometric = domain is not Domain.SPATIAL or spatial is SpatialReading.GEOMETRIC
    senses: dict[tuple[str, ...], dict[str, Sense]] = {}

    def add(texts: Iterable[str], category: str, value: str = "") -> None:
        for text in texts:
            senses.setdefault(tuple(text.split()), {}).setdefault(category, Sense(category, value))

    nouns: dict[str, int] = {}
    domains = [domain] if domain is not Domain.LOGICAL else []
    if geometric and domain is not Domain.TEMPORAL:
        domains.append(Domain.TEMPORAL)
    for some in domains:
        known = phrases(some, spatial)
        nouns = {noun: _BOUNDS[sign] for noun, sign in known.nouns.items()} | nouns
        for words, category in known.categories.items():
            # What is made of nouns is read as points: see below.
            if "START" not in category and "FINISH" not in category:
                text = " ".join(words)
                name = _SAME_AS.get(category, category.lower())
                add([text], name, known.meanings.get(text, ""))
    east = 1 if geometric else 0
    if geometric:
        nouns |= _NOUNS
    if domain is Domain.SPATIAL:
        nouns |= {noun: side if geometric else 1 - side for noun, side in _EDGES.items()}
    if domain is Domain.LOGICAL:
        nouns |= _LIMITS
    own = trace_table()
    for category, texts in own["verbs"].items():
        if category == "relations":
            for meaning, words in texts.items() if geometric else ():
                add(words, "relation", meaning)
        else:
            add(texts, category)
    for relation, meaning in _MEANINGS.items():
        literals = lexicon(domain).literals.get(terminal(relation), ())
        if domain is not Domain.LOGICAL or relation not in tuple(ClaimRelation):
            add((text for text in literals if text not in "<>="), "relation", meaning)
    if domain is Domain.LOGICAL:
        for sign, texts in table()["logical"]["signs"].items():
            add(texts, "sign", sign)
        for meaning, texts in table()["logical"]["relations"].items():
            # "Is before" is the claim, as in the other domains.
            add((text for text in texts if not text.startswith("is ")), "relation", meaning)
    _structure(add, own)
    # The same tuple for phrases of the same senses: a collector of garbage visits it once.
    shared: dict[tuple[Sense, ...], tuple[Sense, ...]] = {}
    lengths: dict[str, set[int]] = {}
    for words in senses:
        lengths.setdefault(words[0], set()).add(len(words))
    logical = domain is Domain.LOGICAL
    dotted = dict(_DOTTED) if geometric else {}
    dotted |= {name: side if east else 1 - side for name, side in _SIDES.items()}
    bounds = dotted | nouns
    return Wording(
        senses={
            words: shared.setdefault(meanings := tuple(found.values()), meanings)
            for words, found in senses.items()
        },
        lengths={first: tuple(sorted(sizes, reverse=True)) for first, sizes in lengths.items()},
        nouns=bounds,
        points=tuple(_points(nouns, bounds, logical=logical)),
        logical=logical,
    )


def _structure(add: Callable[..., None], own: Mapping[str, Mapping[str, Any]]) -> None:
    """Add the words that state nothing about events by themselves."""
    for name in ("connectives", "reports"):
        add(own["fill"][name], "fill")
    for name in ("adverbs", "necessarily"):
        add(own["adverbs"][name], name)
    for name, texts in own["modals"].items():
        add(texts, f"modal {name}")
    for name, texts in own["frames"].items():
        add(texts, "frame", name)
    for name, texts in own["predicates"].items():
        add(texts, "predicate", name)
    add(own["tags"]["unforced"], "tag unforced")
    add(own["tags"]["defines"], "defines")
    add(own["tags"]["defines"], "fill")
    for name, texts in own["pairs"].items():
        add(texts, f"pair {name}")
    add(own["answers"]["lead"], "answer")
    add(own["answers"]["is"], "answer is")
    add(own["answers"]["get"], "answer get")
    for kind in ("labels", "words"):
        for label, texts in own["answers"][kind].items():
            add(texts, f"label {kind}", label)
    add(own["withdraws"]["phrases"], "withdraws")
    add(own["comments"]["lead"], "comment")
    add(
        [
            "the claim",
            "this claim",
            "claim",
            "the hypothesis",
            "our claim",
            "the claim itself",
            "the statement",
        ],
        "claim",
    )
    add(["that", "this", "it", "which", "these", "both", "those", "each"], "pointer")
    add(["it"], "it")
    add(["so"], "so")
    add(["they", "both", "both events", "both places"], "they")
    for name, texts in own["claims"].items():
        add(texts, f"claim {name}")
    add(
        [
            "the two",
            "the two events",
            "the two places",
            "the two intervals",
            "these two",
            "these two events",
            "the two of them",
            "these two places",
            "those two",
        ],
        "claimed",
    )
    for sign, texts in {
        "<": ["<", "≺"],
        ">": [">", "≻"],
        "=": ["=", "=="],
        "<=": ["<=", "≤", "=<"],
        ">=": [">=", "≥"],
    }.items():
        add(texts, "sign", sign)
    add(
        [
            "of them",
            "of the two",
            "of these",
            "event",
            "place",
            "one",
            "of the two events",
            "of both",
            "interval",
            "of the events",
        ],
        "of two",
    )
    add(own["verbs"]["less"], "less")
    add(own["verbs"]["greater"], "greater")


def _any(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_VERBS = (
    r"'|,? (?:starts?|begins?|ends?|finishe[sd]|started|began|ended|is|was|ha[sd]|happen(?:s|ed)"
    r"|lies|comes|came|takes|took|occurs|occurred|can|could|must|may|might|will|do(?:es)?|did)\b"
)
"""What follows an event that is a subject, and not the last one of a list."""


def _points(
    nouns: Mapping[str, int], bounds: Mapping[str, int], *, logical: bool
) -> Iterator[Rewriting]:
    """What makes points of events and nouns: lists after a noun first.

    Args:
        nouns: 0 or 1 for each noun of a sentence.
        bounds: the same for these and those of code, such as ``s`` and ``e``.
        logical: whether a digit after a name makes a point.
    """
    # "West of A" is no point of A.
    proper = _any(word for word in nouns if word not in ("west", "east"))
    noun, short = _any(nouns), _any(bounds)
    sign = "(?:[<>=≤≥≺≻→]|->)"
    signs = "<>=≤≥≺≻→"
    after_sign = f"(?:(?<=[{signs}] )|(?<=-> ))"
    quote = "[\"']?"
    verb = r"(?:is|coincides|equals|precedes|follows)\b"
    yield Rewriting(
        (" and ", ", "),
        re.compile(
            rf"\b(?:the )?(?P<noun>{proper})s? of (?:both )?"
            rf"(?P<events>{_E}(?:(?:, and |, | and ){_E})+)(?!{_VERBS})"
            rf"|(?P<plain>{_E}(?: and {_E})+)(?:'s?) (?P<their>{noun})s?\b"
        ),
        lambda found: _listed(found, bounds),
    )
    dots, words = ".", "starts|ends|begins|finishes"
    patterns: list[tuple[Iterable[str], str]] = [
        ("'", rf"(?P<event>{_E})(?:'s?| 's) (?:own )?(?P<noun>{noun})(?![\w]| of\b)"),
        (dots + "_", rf"(?P<event>{_E})[._](?P<noun>{short})\b(?:\(\))?"),
        ("[(", rf"(?P<event>{_E}) ?[\[(]{quote}(?P<noun>{short}){quote}[\])]"),
        ("(", rf"\b(?P<noun>{short}) ?\( ?(?P<event>{_E}) ?\)"),
        ("[", rf"\b(?P<noun>{short}) ?\[{quote}(?P<event>{_E}){quote}\]"),
        ("_", rf"\b(?P<noun>{short})_(?P<event>{_E})"),
        (
            (" of ",),
            rf"\b(?:the )?(?:very |exact |own )?(?P<noun>{proper}) of (?P<event>{_E}|it\b)",
        ),
        (("its ",), rf"\b(?P<event>its) (?:own )?(?P<noun>{noun})(?![\w]| of\b)"),
        (
            (*signs, "->", "is", "coin", "equ", "prec", "foll"),
            rf"(?P<event>{_E}) (?P<noun>{noun})(?= ?{sign}| {verb})",
        ),
        ((*signs, "->"), rf"{after_sign}(?P<event>{_E}) (?P<noun>{noun})(?=$|[\s,.;)])"),
        ((*signs, "->"), rf"\b(?:the )?(?P<noun>{noun}) (?P<event>{_E})(?= ?{sign})"),
        ((*signs, "->"), rf"{after_sign}(?:the )?(?P<noun>{noun}) (?P<event>{_E})"),
        ((*signs, "->"), rf"(?P<event>{_E}) (?P<noun>{words})(?= ?{sign})"),
        ((*signs, "->"), rf"{after_sign}(?P<event>{_E}) (?P<noun>{words})(?=$|[\s,.;)])"),
    ]
    if logical:
        patterns.append(("12", rf"(?P<event>{_E})_?(?P<noun>[12])(?!\w)"))
    patterns.append(("+-−⁺⁻", rf"(?P<event>{_E}) ?\^?(?P<noun>[+\-−⁺⁻])(?=[\s,.;:)<>=≤≥]|$)"))
    for pieces, pattern in patterns:
        yield Rewriting(tuple(pieces), re.compile(pattern), lambda found: _point(found, bounds))


# --- The text -------------------------------------------------------------------------------------

_SUBSTITUTED = str.maketrans(
    {
        "’": "'",
        "‘": "'",
        "ʼ": "'",
        "“": '"',
        "”": '"',
        "\xa0": " ",
        "\t": " ",
        "−": "-",
        "‐": "-",
        "‑": "-",
    }
)
_FONTS = "text|textbf|textit|mathrm|mathit|mathbf|mathsf|operatorname|mbox|emph|texttt"
_ARROWS = "Rightarrow|implies|Longrightarrow|rightarrow|longrightarrow|to"
_LATEX = (
    (re.compile(r"\\boxed\s*\{(?:\\text(?:bf)?\s*\{)?([^{}]*)\}*"), r" answer: \1 "),
    (re.compile(rf"\\(?:{_FONTS})\s*\{{([^{{}}]*)\}}"), r"\1"),
    (re.compile(r"\\(?:leqslant|leq|le)(?![a-z])"), "<="),
    (re.compile(r"\\(?:geqslant|geq|ge)(?![a-z])"), ">="),
    (re.compile(r"\\(?:lt|prec)(?![a-z])"), "<"),
    (re.compile(r"\\(?:gt|succ)(?![a-z])"), ">"),
    (re.compile(rf"\\(?:{_ARROWS})(?![a-z])"), "=>"),
    (re.compile(r"\\(?:therefore)(?![a-z])"), "∴"),
    (re.compile(r"\\(?:land|wedge)(?![a-z])"), " and "),
    (re.compile(r"\\(?:quad|qquad|left|right|(?:begin|end)\{[a-z*]+\})(?![a-z])"), " "),
    (re.compile(r"\\[,;:! \\]|\\[()\[\]]|\$+"), " "),
    (re.compile(r"[_^]\{([^{}]*)\}"), r"_\1"),
)  # fmt: skip
_MARKS = re.compile(r"\*+|`+|__+|~~|[✓✔✅❌☑➜►\ufe0f]|\[[ x]\] |^\s*(?:#{1,6}|>)\s+|\\_")
_TAGS = re.compile(r"</?(?:think|thinking|reasoning|answer|step|final)>")
_BULLET = re.compile(
    r"^\s*(?:[-•–—▪◦]\s+|\(?(?:[a-h]|i{1,3}|iv|vi{0,3})[.)]\s+)?"
    r"(?:(?:step|premise|sentence|line|fact|claim|p|s|rule|statement|point|clue)?\s*[(\[]?#?\d{1,2}[)\]]?\s*(?:[.:)\-–—]+)\s+(?!\s*(?:to|-)\s)"
    r"|[(\[]\d{1,2}[)\]]\s+)?"
)
_WHOLE_NUMBER = r"(?:\(?#?[ps]?\d{1,2}\)?|\[\d{1,2}\])"
_ORDINAL = (
    r"first|second|third|fourth|fifth|sixth|seventh|last|final|next|previous|preceding"
    r"|\d+(?:st|nd|rd|th)"
)
_UNIT = (
    r"(?:sentence|premise|step|fact|statement|line|relation|constraint|clue|item|point|bullet"
    r"|equation|inequality|claim)s?"
)
_SOURCE = (
    "from|by|per|using|in|combining|according to|because of|with|together with|given|via|applying"
    "|chaining|joining|see|of|and"
)
_ONE_REFERENCE = (
    rf"(?:(?:the )?(?:{_ORDINAL}) (?:two |three |{_UNIT}\b)"
    r"(?: sentences?| premises?| steps?| facts?)?"
    rf"|(?:the )?{_UNIT} (?:{_WHOLE_NUMBER}|above|before|one|two|three)\b"
    rf"|{_WHOLE_NUMBER}(?![\w.]))"
)
_REFERENCES = re.compile(
    r"(?:,? ?\b(?:as (?:stated|given|said|noted|shown|established|seen|we saw)?) ?)?"
    rf"\b(?:{_SOURCE})? ?(?:both )?{_ONE_REFERENCE}"
    rf"(?:(?:,? and |, | or | with |-| & |\+){_ONE_REFERENCE})*(?: (?:above|together))?"
)
_LONGITUDE = "longitude|longitudes|overlap|time"
_EACH = r"(?:each|every|any|an?|all) (?:place|event|interval|range|activity)s?"
_VERB = r"(?:is|are|lies|comes?|must be|must come|must lie)(?: always| strictly| by definition)?"
_DURATION = "|".join(
    rf"(?:{_EACH}'s? {first}|the {first}s? of {_EACH}) (?:{verb}) (?:its|their) (?:{last})s?"
    for first, verb, last in (
        ("(?:western|west) edge", rf"{_VERB} (?:to the )?west of", "(?:eastern|east) edge"),
        ("(?:eastern|east) edge", rf"{_VERB} (?:to the )?east of", "(?:western|west) edge"),
        ("(?:start|beginning)", rf"{_VERB} (?:before|earlier than)|(?:must )?precedes?", "end"),
        ("end", rf"{_VERB} (?:after|later than)|(?:must )?follows?", "(?:start|beginning)"),
        ("lower (?:end|bound)", rf"{_VERB} (?:below|less than)", "upper (?:end|bound)"),
        ("upper (?:end|bound)", rf"{_VERB} (?:above|greater than)", "lower (?:end|bound)"),
    )
)
_CONTRACTIONS = (
    # "A must be over before B can begin" says that it is.
    _rule(
        " can | could ",
        rf"\b(before|until) ({_E}) (?:can|could) (?:even |first )?(begin|start|commence)\b",
        r"\1 \2 \3s",
    ),
    # An event that is not needed is a mention without a statement.
    _rule(
        "relevant|needed|involved",
        rf"((?:{_E}(?:, and |, | and ))*{_E}) (?:is|are) "
        r"(?:irrelevant|not relevant|not needed|not involved)(?: here| (?:for|to) the claim)?"
        r"(?=[.,;]|$)",
        r"as for \1",
    ),
    _rule("none of |None of ", r"\bnone of (this|these|that) (?=\w+s?\b)", r"not \1 "),
    # What holds of all events states nothing.
    _rule("its |their ", rf"\b(?:{_DURATION})\b", "by definition"),
    # A coordinate of a point is the point: "time(end of A)".
    _rule(
        "(",
        r"\b(?:t|time|lon|long|longitude|x|pos|position) ?"
        rf"\(((?:[^()]|\([^()]*\))*{_E}(?:[^()]|\([^()]*\))*)\)",
        r"\1",
    ),
    _rule("can't|cannot", r"\bcan(?:'t|not)\b", "can not"),
    _rule("won't", r"\bwon't\b", "will not"),
    _rule(
        "n't",
        r"\b(is|are|was|were|do|does|did|has|have|had|could|would|should|might|must|need)n't\b",
        r"\1 not",
    ),
    _rule("'s", r"\b(that|it|there|here|what)'s\b", r"\1 is"),
    _rule("'s", r"\blet's\b", "let us"),
    _rule("'ve", r"\b(we|they|you|i)'ve\b", r"\1 have"),
    _rule("'re", r"\b(we|they|you)'re\b", r"\1 are"),
    _rule("i'm", r"\bi'm\b", "i am"),
    _rule("'d", r"\b(we|it|i|that|this|they|you)'d\b", r"\1 would"),
    _rule(" no longitude", r"\b(share|shares|shared) no longitudes?\b", r"not \1 a longitude"),
    _rule("never", r"\bnever\b", "not"),
    _rule("¬|!", r"(?:¬|!(?=\s?\()) ?", "not "),
    _rule("not (", r"\bnot \(([^()<>=≤≥]*(?:[<>]=?|=|≤|≥)[^()<>=≤≥]*)\)", r"not \1"),
    _rule("in common", rf"\b(?:have|has) no (?:{_LONGITUDE}) in common\b", "not share a longitude"),
    _rule(
        "in common", rf"\b(have|has) (?:a|some) (?:{_LONGITUDE}) in common\b", "share a longitude"
    ),
    _rule("common|shared", rf"\bno (?:common|shared) (?:{_LONGITUDE})\b", "no overlap"),
    _rule("comparable", r"\bare (?:incomparable|not comparable)\b", "can not be compared"),
    _rule("\"|'|«", rf"[\"'«]({_E})[\"'»]", r"\1"),
)
_BETWEEN = (
    "(?:also|therefore|thus|hence|then|consequently|indeed|clearly|still|now|actually|certainly"
    "|definitely|obviously|of course|in fact|itself|again|already|surely)"
)
_AUXILIARY = (
    "is|are|was|were|has|have|had|can|could|may|might|must|will|would|should|need|needs|do|does|did"
)
_SUBJECTS = (
    # Who reasons, and what is given, have one name each.
    _rule(
        "all of|whole|entire",
        rf"\b(?:all of|the whole of|the entirety of|the entire) (?={_E}|{_P})",
        "",
    ),
    _rule(" of", r"\b(west|east) (and|or) (?=(?:to the )?(?:west|east) of\b)", r"\1 of \2 "),
    _rule("only", r"\b(?:can|could|may) only (?!be (?:concluded|inferred))", "must "),
    _rule("i am", r"\bi am\b", "we are"),
    _rule(
        "i |you |one ",
        r"\b(?:i(?!\.)|you|one(?= (?:can|could|may|might|must|knows?)\b))(?= [a-z])",
        "we",
    ),
    _rule(
        "the |all |our |these|those",
        r"\b(?:the|these|those|all|our|any of the)(?: two| three)? (?:given |stated |above )?"
        r"(?:premises|text|passage|sentences|facts|constraints|relations|information|data"
        r"|problem|given premise|clues|rules|conditions|description"
        r"|premise (?:sentences|statements|facts|relations))\b(?! (?:about|between|on))",
        "the premise",
    ),
    _rule(
        "no|No",
        r"\b(?:no(?: (?:premise|sentence|fact|clue|relation|constraint|statement|rule"
        r"|information))s?|nothing (?:in|from|within|about|of) (?:the premise|it|this|that)"
        r"|nothing (?:here|given|else)"
        r"|none of (?:the premise|them|these)|there is nothing(?: here| in the premise)? "
        r"(?:that|which|to))(?: here| given)?(?= (?:does |directly |explicitly )?"
        r"(?:say|state|show|impl|tell|link|relat|compar|connect|order|join|tie|determin|decid"
        r"|settle|entail|forc|guarante|prov|fix|indicat|establish|rule|exclud|prevent|forbid"
        r"|specif|constrain|mean))",
        "nothing",
    ),
    _rule(
        "ly ",
        r"\b(directly|explicitly|actually|really) "
        r"(?=(?:say|state|show|impl|tell|link|relat|compar|connect|order)\w*\b)",
        "",
    ),
    _rule(
        ", ",
        r"(?<=[\ue000-\ue2ff]), (?:in turn|however|therefore|thus|then|of course|as well|also"
        r"|by contrast|in contrast|on the other hand|moreover|consequently|hence|meanwhile"
        r"|likewise|similarly|for its part|as we saw|as stated|as noted|as given), "
        rf"(?!the\b|it\b|they\b|we\b|{_E}|{_P})",
        " ",
    ),
)
_NORMAL = (
    *_SUBJECTS,
    _rule(
        "at ",
        r"\b((?:start|begin|end|commence|conclude)(?:s|ed|ing)?|finish(?:es|ed|ing)?|began) "
        rf"(?:right |exactly |just |precisely )?at (?={_P})",
        r"\1 exactly when ",
    ),
    _rule("not", rf"\b({_AUXILIARY}) (?:{_BETWEEN} )+not\b", r"\1 not"),
    _rule(" ", rf"\b({_AUXILIARY}) {_BETWEEN} ", r"\1 "),
    # "Is not entailed" is "not is entailed", and "does not follow" is "not follow".
    Rewriting(
        ("not ",),
        re.compile(
            rf"\b((?:we|i|one|it|this|that|there|the premises?|nothing) )?({_AUXILIARY}) not "
            rf"(?:(?:{_BETWEEN}) )*(yet )?"
        ),
        lambda found: f"not {found[1] or ''}{found[2]} ",
    ),
    Rewriting(
        ("not ",),
        re.compile(r"not ((?:we|i|one|it|this|that|there|the premises?) )?(?:do|does|did) "),
        lambda found: f"not {found[1] or ''}",
    ),
    _rule(
        "whether|if|that|which|how|the ",
        r"\b(?:from (?:the premise|this|these|that|it|them)(?: alone)?|with certainty"
        r"|for (?:sure|certain)|on this basis|based on (?:this|the premise)"
        r"|given (?:this|the premise)|definitively|reliably|conclusively) "
        r"(?=(?:whether|if|that|which|how|the order|the relati)\b)",
        "",
    ),
)
_ARTICLES = re.compile(
    rf"(?:\b(?:the|a|an|event|events|place|places|interval|region|area|activity) )+(?={_E})"
)
_TOKEN = re.compile(
    rf"{_E}|{_P}|\d+(?:\.\d+)?|<=|>=|=>|=<|->|!=|==|i\.e\b|[a-z]+(?:['-][a-z]+)*|\S"
)
_SAME_NOUN = re.compile(
    rf"(?P<point>{_P})(?P<middle>[^\ue000-\ue2ff,.;:]*?)(?:(?:that|the one) of (?P<of>{_E})"
    rf"|(?P<event>{_E})'s?(?=[,.;:)]|$| and\b| so\b| is\b| comes\b))"
)
_PARENTHESES = re.compile(r"[(\[]([^()\[\]]*)[)\]]")
_COMMENT = re.compile(r"\s(?:#|//)\s?(.*)$")


def unlayered(text: str) -> str:
    """A line without the marks of Markdown, LaTeX and code, in lower case."""
    text = text.translate(_SUBSTITUTED)
    if "\\" in text or "$" in text or "_{" in text:
        for _ in range(2):
            for pattern, instead in _LATEX:
                text = pattern.sub(instead, text)
        text = text.replace("{", "").replace("}", "")
    if "<" in text:
        text = _TAGS.sub(" ", text)
    text = _MARKS.sub("", text)
    text = _BULLET.sub("", text.strip(), count=1)
    if text.startswith("|"):
        text = text.strip("| ").replace("|", " ")
        if not text.strip(" -:|"):
            return ""
    if "#" in text or "//" in text:
        text = _COMMENT.sub(r" (\1)", text)
    return " ".join(text.lower().split())


def pointed(sentence: str, words: Wording) -> str:
    """A sentence with points as single placeholders, and without contractions and articles."""
    text = _ARTICLES.sub("", _rewritten(sentence, _CONTRACTIONS).replace('"', " "))
    text = _rewritten(text, words.points)
    if "'s" in text or " of " in text:
        text = _SAME_NOUN.sub(_as_before, text)
    return _ARTICLES.sub("", text)


def tokens(text: str) -> list[str]:
    """The words of a sentence with points, without references, and with "not" before its verb."""
    if "(" in text or "[" in text:
        text = _PARENTHESES.sub(_aside, text)
    if any(map(str.isdigit, text)) or "sentence" in text or "premise" in text or "step" in text:
        text = _REFERENCES.sub(_without_reference, text)
    return _TOKEN.findall(_rewritten(text, _NORMAL))


def _without_reference(found: re.Match[str]) -> str:
    text = found[0]
    return text if re.fullmatch(r"\s?\d+", text) or re.search(_E, text) else " "


def _aside(found: re.Match[str]) -> str:
    """What is in brackets: a clause of its own if it names events, and nothing if it is a note."""
    inside = found[1]
    states = re.search(f"{_E}|{_P}", inside) or operators("clauses") & set(inside.split())
    return f" ; {inside} ; " if states else " "


def _point(found: re.Match[str], nouns: Mapping[str, int]) -> str:
    noun = found["noun"]
    bound = nouns.get(noun, int(noun not in "1-−⁻"))
    event = IT if found["event"] in ("it", "its") else ord(found["event"]) - FIRST_EVENT
    return chr(FIRST_POINT + 2 * event + bound)


def _as_before(found: re.Match[str]) -> str:
    """The point of an event without its noun, which is that of the point before."""
    bound = (ord(found["point"]) - FIRST_POINT) & 1
    point = FIRST_POINT + 2 * (ord(found["event"] or found["of"]) - FIRST_EVENT) + bound
    return f"{found['point']}{found['middle']}{chr(point)}"


def _listed(found: re.Match[str], nouns: Mapping[str, int]) -> str:
    noun = found["noun"] or found["their"]
    events = re.findall(_E, found["events"] or found["plain"])
    points = [chr(FIRST_POINT + 2 * (ord(event) - FIRST_EVENT) + nouns[noun]) for event in events]
    return ", ".join(points[:-1]) + " and " + points[-1]
