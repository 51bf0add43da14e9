"""Each condition of the checker is asked for: a forged line breaks it, and its reason is given."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from solver.eventhop import check

READ = {"A", "B"}
WRITTEN = check.WrittenPremise("temporal", "geometric")
PROSE = check._prose("temporal", "geometric")
SYMBOLS = check.Symbols()
LATER, SOONER = "start of A after end of B", "end of A before start of B"


def phrases(*rows: tuple[str, str], domain: str = "temporal") -> dict[str, Any]:
    """A phrase file as a certificate brings it along: texts with their meanings."""
    plain = [domain, [[text, [means], []] for text, means in rows]]
    data = json.dumps(plain, ensure_ascii=False, separators=(",", ":")).encode()
    listed = [{"text": text, "means": [means], "not": []} for text, means in rows]
    return {"digest": hashlib.sha256(data).hexdigest(), "domain": domain, "phrase": listed}


def texts(premise: str, claim: str, *files: dict[str, Any]) -> check.Texts:
    """The relations of a premise, and the claim."""
    return check.read_texts(premise, claim, "temporal", "geometric", frozenset(), list(files))


def symbols(premise: str) -> check.Texts:
    """The relations of a premise of the logical domain, with a phrase file."""
    files = [phrases(("{A} meets {B}", "A after B"), domain="logical")]
    return check.read_texts(premise, "mill < tide", "logical", "geometric", frozenset(), files)


def trailed(*more: tuple[str, str]) -> dict[str, Any]:
    return phrases(("{A} trailed {B}", LATER), *more)


FAIRS = "The end of Fair happened before the start of Race"
CLAIM = "Fair happens before Race"
MANY = ", ".join(f"N{number}" for number in range(101))
TEXTS: list[tuple[Callable[..., object], tuple[Any, ...], str]] = [
    (check._published, (".", CLAIM, check.Form("temporal", "", None, frozenset()), None),
     "a premise is a sentence, or empty"),
    (texts, (".", CLAIM), "this is no sentence about the order of events: ''"),
    (PROSE.claim, ("A happens before B happens after C", READ),
     "two relations in 'A happens before B happens after C'"),
    (PROSE.claim, ("A happens before the start of B", READ),
     "a claim about events names the point 'start of B'"),
    (SYMBOLS.claim, ("A1 overlaps B1", READ), "an ambiguous claim: 'A1 overlaps B1'"),
    (SYMBOLS.claim, ("A1 < B1", {"A", "B", "A1"}), None),
    (SYMBOLS.claim, ("A1 < B1", {"A", "A1"}), "an ambiguous claim: 'A1 < B1'"),
    (check._name, ("the the fair",), "'the the fair' is no name"),
    (check._name, ("x" * 201,), f"{'x' * 80!r} is no name"),
    (check._name, ("the ",), "'the ' is no name"),
    (check._name, (" x",), "' x' is no name"),
    (check._name, ("x\ny",), r"'x\ny' is no name"),
    (check._name, (". ",), "'. ' is no name"),
    (check._name, ("fair. Race",), "'fair. Race' is more than a name"),
    (check._name, ("J. race",), "'J. race' is more than a name"),
    (texts, ("A began\x07before B began", CLAIM), r"there is a control character: '\x07'"),
    (PROSE.sentence, ("A began before B began",),
     "this is no sentence about two points: 'A began before B began'"),
    (PROSE.sentence, ("The start of A blorbs the end of B",),
     "this is no sentence about two points: 'The start of A blorbs the end of B'"),
    (PROSE.sentence, ("The start of A ensued once the end of B",),
     "'The start of A ensued once the end of B' is not one relation that ends with ' had "
     "happened'"),
    (PROSE.sentence, ("The end of A happened before the start of B happened before the end of C",),
     "'The end of A happened before the start of B happened before the end of C' is not one "
     "relation that ends with ''"),
    (SYMBOLS.sentence, ("mill < tide",), "this is no comparison of two points: 'mill < tide'"),
    (SYMBOLS.claim, ("mill", READ), "this is no claim: 'mill'"),
    (SYMBOLS.claim, ("A blorbs B", READ), "this is no claim: 'A blorbs B'"),
    (WRITTEN.read, (f"A began before {'x' * 20_000}",), "too long for sentences of this sort"),
    (WRITTEN.read, ("A  began before B began",), "blanks other than one space"),
    (WRITTEN.read, ("A began\tbefore B began",), "blanks other than one space"),
    (texts, ("Fair began before Race began", CLAIM,
             phrases(("{A} began before {B} began", "start of A after start of B"))),
     "two meanings: 'Fair began before Race began'"),
    (check.WrittenPremise("logical", "geometric").statement, ("A began before B",), "no statement"),
    (WRITTEN.statement, ("Did A begin before B?",), "not read: 'Did A begin before B?'"),
    (WRITTEN.statement, (f"A began before {'y' * 2000}",),
     f"not read: 'A began before {'y' * 65}'"),
    (WRITTEN.statement, (f"{MANY} began before B",), f"too long: {MANY[:80]!r}"),
    (WRITTEN.statement, ("A ended after B that succeeds C and D",),
     "two meanings: 'A ended after B that succeeds C and D'"),
    (WRITTEN.statement, ("A blorbs B",),
     "this is no sentence about the order of events: 'A blorbs B'"),
    (WRITTEN.statement, ("The began before B",), "a name is expected"),
    (WRITTEN.statement, ("- began before B",), "a name is expected"),
    (WRITTEN.statement, (f"{'x' * 201} began before B",), "a name is expected"),
    (WRITTEN.statement, ('Old "Fair" began before B',), "words before '\"Fair\"'"),
    (symbols, ("mill blorbs",), "this is no comparison: 'mill blorbs'"),
    (check.WrittenPremise("logical", "geometric").read, ("mill",),
     "this is no comparison: 'mill'"),
    (symbols, ("mill meets tide",), "two meanings: 'mill meets tide'"),
    (WRITTEN.read, ("It began before A ended",), "a pronoun has not one antecedent"),
    (WRITTEN.read, ("A began before B began. It ended before C ended",),
     "a pronoun has not one antecedent"),
    (texts, (FAIRS, CLAIM, trailed() | {"digest": "0" * 64}),
     "the digest of a phrase file does not fit it"),
    (texts, (FAIRS, CLAIM, phrases(("{A} trailed {B}", LATER), domain="spatial")),
     "a phrase file is of another domain"),
    (texts, (FAIRS, "Fair trailed Race", trailed(("{A} trailed {B}", SOONER))),
     "two meanings: 'Fair trailed Race'"),
    (check._wording, (3, [LATER], "temporal", "geometric"), "a phrase has texts"),
    (check._wording, ("{A} trailed {B}", [3], "temporal", "geometric"), "a phrase has texts"),
    (check._wording, ("{A} trailed {B}", LATER, "temporal", "geometric"), "means: not an array"),
    (check._wording, ("{A} trailed {B} of {C}", [LATER], "temporal", "geometric"),
     "the slots are not those of the meaning: '{A} trailed {B} of {C}'"),
    (check._wording, ("it rained", [], "temporal", "geometric"),
     "the slots are not those of the meaning: 'it rained'"),
    (check._meant, (LATER, [f"s{number}" for number in range(27)], "temporal", "geometric"),
     "too many slots"),
    (check._meant, ("B is open at the start of A", ["A", "B"], "temporal", "geometric"),
     "a phrase has two meanings: 'B is open at the start of A'"),
    (texts, (FAIRS.replace("Race", "Race trailed Fair"), CLAIM, trailed()),
     "a phrase is in the name 'Race trailed Fair'"),
    (texts, (FAIRS.replace("Race", "Race never"), CLAIM),
     "'never' is no part of a name: 'Race never'"),
    (texts, (FAIRS.replace("Race", "Old Fair"), CLAIM), "'Old Fair' is 'Fair' and other words"),
]  # fmt: skip


@pytest.mark.parametrize(("reads", "given", "reason"), TEXTS)
def test_a_text(reads: Callable[..., object], given: tuple[Any, ...], reason: str | None) -> None:
    if reason is None:
        reads(*given)
        return
    with pytest.raises(check.RejectedError, match=f"^{re.escape(reason)}$"):
        reads(*given)


A, A_END, B, B_END = POINTS = "start of A", "end of A", "start of B", "end of B"


def walk(begin: str, *steps: object) -> dict[str, Any]:
    return {"from": begin, "steps": list(steps)}


def line(*instants: object) -> list[list[object]]:
    """A timeline of both events."""
    return [[point, at] for point, at in zip(POINTS, instants, strict=True)]


def distances(begin: str, *near: list[object], beyond: int = 1) -> dict[str, Any]:
    return {"from": begin, "beyond": beyond, "near": list(near)}


def row(
    premise: str, verdict: tuple[str, str, int | None], consistent: bool, **parts: object
) -> dict[str, Any]:
    """A line about whether A happens before B."""
    status, label, hops = verdict
    return {
        "id": "x", "premise": premise, "claim": "A happens before B", "domain": "temporal",
        "spatial": "geometric", "policy": "local",
        "verdict": {"status": status, "label": label, "hops": hops, "consistent": consistent},
        "certificate": {"walks": [], "cycle": None, "timelines": [], "distances": [], **parts},
    }  # fmt: skip


CHAIN = "The end of A happened before the start of B"
BACK = "The end of B happened before the start of A"
ENTAILED = row(
    CHAIN, ("entailed", "true", 1), True,
    walks=[walk(A_END, 0)], timelines=[line(0, 1, 2, 3)],
    distances=[distances(A_END, [A_END, 0, 1])],
)  # fmt: skip
REFUTED = row(
    BACK, ("refuted", "false", 1), True,
    walks=[walk(B, None, 0, None)], timelines=[line(2, 3, 0, 1)],
    distances=[distances(B, [B, 0, 1], [B_END, 1, 0])],
)  # fmt: skip
OPEN = row(
    "The start of A happened before the end of B", ("unknown", "false", None), True,
    timelines=[line(0, 1, 1, 2), line(0, 1, 0, 1)],
)  # fmt: skip
TORN = row(
    f"{CHAIN}. {BACK}", ("contradictory", "undefined", 2), False, cycle=walk(A, None, 0, None, 1),
    distances=[
        distances(A, [A, 0, 2], [A_END, 2, 0], [B, 2, 1], [B_END, 2, 1], beyond=2),
        distances(A_END, [A_END, 0, 2], [B, 2, 1], [B_END, 2, 1], beyond=2),
        distances(B, [A, 2, 1], [A_END, 2, 1], [B, 0, 2], [B_END, 2, 0], beyond=2),
        distances(B_END, [A, 2, 1], [A_END, 2, 1], [B_END, 0, 2], beyond=2),
    ],
)  # fmt: skip
ELSEWHERE = row(
    f"{CHAIN}. The end of C happened before the start of C", ("entailed", "true", 1), False,
    walks=[walk(A_END, 0)], cycle=walk("start of C", None, 1),
    timelines=[[*line(0, 1, 2, 3), ["start of C", 9], ["end of C", 9]]],
    distances=[distances(A_END, [A_END, 0, 1])],
)  # fmt: skip


def verdict(found: dict[str, Any], **parts: object) -> dict[str, Any]:
    return found | {"verdict": found["verdict"] | parts}


def proved(found: dict[str, Any], **parts: object) -> dict[str, Any]:
    return found | {"certificate": found["certificate"] | parts}


VERDICT_FIELDS = "the verdict has the fields consistent, hops, label, status"
FAR = "the distances do not show that many hops"
LINES: list[tuple[dict[str, Any], str | None]] = [
    *((found, None) for found in (ENTAILED, REFUTED, OPEN, TORN, ELSEWHERE)),
    (proved(ENTAILED, walks=[walk(A_END, None)]), "a duration leads from the start of an event"),
    (proved(ENTAILED, walks=[walk(A_END, 1)]), "no relation 1"),
    (proved(ENTAILED, walks=[walk(A_END, -1)]), "no relation -1"),
    (proved(ENTAILED, walks=[walk(A, 0)]), "relation 0 does not go on where the walk is"),
    (proved(REFUTED, walks=[walk(B, None, 0, 0)]), "relation 0 does not go on where the walk is"),
    (proved(ENTAILED, timelines=[line(0, 1, 2, 3)[:3]]), "each point has one instant"),
    (proved(ENTAILED, timelines=[[*line(0, 1, 2, 3), [A, 0]]]), "each point has one instant"),
    (proved(ENTAILED, timelines=[line(0, 1, 2, 3.5)]), "an instant is no whole number"),
    (proved(ENTAILED, timelines=[line(False, 1, 2, 3)]), "an instant is no whole number"),
    (proved(ENTAILED, timelines=[line(0, 2, 1, 3)]), "a timeline is not monotone"),
    (proved(ENTAILED, distances=[distances(A_END, [A_END, 0])]), "distances are triples"),
    (proved(ENTAILED, distances=[distances(A_END, (A_END, 0, 1))]), "distances are triples"),
    (proved(ENTAILED, distances=[distances(A_END, beyond=1)]),
     "a point is at no distance from itself"),
    (proved(ENTAILED, distances=[distances(A_END, [A_END, 0, 3], beyond=3)]),
     "a step improves a distance"),
    (proved(ENTAILED, distances=[distances(A_END, [A_END, 0, 1], [B, 3, 0], [B_END, 3, 1],
                                           beyond=3)]), "a step improves a distance"),
    (proved(ENTAILED, timelines={}), "the timelines: not an array"),
    (proved(ENTAILED, walks=({},)), "the walks: not an array"),
    (ENTAILED | {"verdict": None}, VERDICT_FIELDS),
    (ENTAILED | {"verdict": []}, VERDICT_FIELDS),
    (verdict(ENTAILED, more=1), VERDICT_FIELDS),
    (ENTAILED | {"certificate": None},
     "the certificate has the fields cycle, distances, timelines, walks"),
    (ENTAILED | {"verdict": None, "certificate": None},
     f"{check.NOT_PROVED}no verdict is given of a text that could not be read"),
    (verdict(ENTAILED, hops=1.0), "hops is no whole number: 1.0"),
    (verdict(ENTAILED, hops=True), "hops is no whole number: True"),
    (verdict(ENTAILED, consistent=1), "whether the premise is consistent is not stated"),
    (proved(ENTAILED, cycle=walk(A)), "a consistent premise has no closed walk"),
    (proved(ENTAILED, timelines=[]), "no timeline is a model of the premise"),
    (proved(ENTAILED, timelines=[line(0, 1, 1, 2)]), "no timeline is a model of the premise"),
    (verdict(ENTAILED, consistent=False),
     "no closed strict walk shows that the premise is inconsistent"),
    (proved(verdict(ENTAILED, consistent=False), cycle=walk(A, None, 0)),
     "no closed strict walk shows that the premise is inconsistent"),
    (proved(verdict(ENTAILED, consistent=False), cycle=walk(A)),
     "no closed strict walk shows that the premise is inconsistent"),
    (proved(ELSEWHERE, timelines=[]), "no timeline keeps the points of the claim apart"),
    (verdict(TORN, status="entailed"), "no timeline keeps the points of the claim apart"),
    (proved(ENTAILED, walks=[]), "the walks do not derive the requirements of the claim"),
    (proved(ENTAILED, walks=[walk(A, None, 0)]),
     "the walks do not derive the requirements of the claim"),
    (proved(ENTAILED, walks=[walk(A_END, 0)] * 2),
     "the walks do not derive the requirements of the claim"),
    (proved(REFUTED, walks=[]), "no walk derives the opposite of a requirement"),
    (proved(REFUTED, walks=[walk(B, None)]), "no walk derives the opposite of a requirement"),
    (proved(OPEN, timelines=[line(0, 1, 2, 3)]),
     "no timeline shows that the claim cannot be derived"),
    (verdict(ENTAILED, status="unknown"), "no timeline shows that the claim cannot be derived"),
    (proved(OPEN, timelines=[line(0, 1, 0, 1)]),
     "no timeline shows that the claim cannot be refuted"),
    (proved(OPEN, walks=[walk(A)]), "no timeline shows that the claim cannot be refuted"),
    (verdict(ENTAILED, status="odd"), "the status is unknown"),
    (verdict(ENTAILED, status="contradictory"),
     "the closed walk does not pass two points of the claim"),
    (proved(verdict(ELSEWHERE, status="contradictory"), walks=[]),
     "the closed walk does not pass two points of the claim"),
    (proved(TORN, walks=[walk(A)]), "the closed walk does not pass two points of the claim"),
    (verdict(OPEN, hops=0), "an open claim has no hops"),
    (verdict(ENTAILED, hops=0), "there are fewer hops"),
    (verdict(ENTAILED, hops=2), FAR),
    (proved(ENTAILED, distances=[]), FAR),
    (proved(REFUTED, distances=[distances(A, [A, 0, 0], beyond=0)]), FAR),
    *((proved(TORN, distances=TORN["certificate"]["distances"][:n]), FAR) for n in range(4)),
    (verdict(ENTAILED, label="maybe"), "the label is unknown"),
    (verdict(ENTAILED, label=["true"]), "the label is unknown"),
    (verdict(ENTAILED, label="false"), "the label is true"),
    (verdict(OPEN, label="undefined"), "the label is false"),
    (verdict(TORN, label="false"), "the label is undefined"),
    (ELSEWHERE | {"policy": "global"}, "the label is undefined"),
    (verdict(ELSEWHERE, label="undefined") | {"policy": "global"}, None),
    (ENTAILED | {"policy": "published"}, None),
    (ENTAILED | {"policy": "odd"}, "the policy is unknown"),
    (ENTAILED | {"domain": ["temporal"]}, "the domain is unknown"),
    (ENTAILED | {"id": 1}, "id, premise and claim are strings"),
    (ENTAILED | {"claim": None}, "id, premise and claim are strings"),
    (ENTAILED | {"names": [1]}, "names are strings"),
    (ENTAILED | {"repaired": ["seen-early"]}, "a fault is unknown"),
    (ENTAILED | {"repaired": ["odd"], "policy": "published"}, "a fault is unknown"),
    (ENTAILED | {"repaired": [1], "policy": "published"}, "a fault is unknown"),
    (ENTAILED | {"repaired": ["seen-early"], "policy": "published"}, None),
]  # fmt: skip


@pytest.mark.parametrize(
    "found", [None, [], "id", {}, {name: ENTAILED[name] for name in ENTAILED if name != "policy"}]
)
def test_what_is_no_line(found: object) -> None:
    with pytest.raises(check.RejectedError, match="a line needs the fields"):
        check.check_row(found)


@pytest.mark.parametrize(("found", "reason"), LINES)
def test_a_line(found: dict[str, Any], reason: str | None) -> None:
    if reason is None:
        check.check_row(found)
        return
    with pytest.raises(check.RejectedError, match=f"^{re.escape(reason)}$"):
        check.check_row(found)


@pytest.mark.parametrize(
    ("relation", "sign", "reason"),
    [
        ("before", "<", None),
        ("overlaps", "=", None),
        ("allen_meets", "<", "the published procedure does not support the claim"),
        ("before", "<=", "the published procedure does not support the premise"),
    ],
)
def test_what_the_published_procedure_supports(
    relation: str, sign: str, reason: str | None
) -> None:
    stated = check.Texts([check.Sentence(("A", 1), sign, ("B", 0))], ("A", relation, "B"))
    if reason is None:
        check.Procedure(check.Item(stated), ())
        return
    with pytest.raises(check.RejectedError, match=reason):
        check.Procedure(check.Item(stated), ())


def test_phrase_files_are_those_that_may_be_used(tmp_path: Path) -> None:
    file = trailed()
    trails = "The end of A happened before the start of B. C trailed B"
    used = ENTAILED | {"premise": trails, "phrases": [file]}
    more = [["start of C", 4], ["end of C", 5]]
    used = proved(used, timelines=[[*line(0, 1, 2, 3), *more]])
    path = tmp_path / "items.jsonl"
    path.write_text(json.dumps(used), encoding="utf-8")
    assert list(check.check_file(str(path))) == [(1, "x", None)]
    assert list(check.check_file(str(path), frozenset({file["digest"]}))) == [(1, "x", None)]
    ((_, _, fault),) = check.check_file(str(path), frozenset())
    assert fault == "another phrase file is used"
