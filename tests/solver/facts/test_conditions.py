"""Each condition of the checker of forecasts is asked for: its reason is given."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from solver.facts import check

DAY = date(2031, 5, 1).toordinal()
VISIT = ("Ada", "visits", "Bo", DAY)
HOST = ("Bo", "hosts", "Cy", DAY + 2)
MEET = ("Ada", "meets", "Cy", DAY + 5)
KNOWN = [VISIT, HOST, MEET, ("Ada", "meets", "Cy", DAY + 1)]
RULE = "meets(A, C) <- visits(A, B), hosts(B, C)"
ROWS = [{"head": 2, "body": [0, 1], "same": [], "rule_support": 1, "body_support": 2}]
RELATIONS = ("visits", "hosts", "meets")
ROLES = [{"rule": "meets(A, B) <- visits(A, C), hosts(D, B)", "single": [], "ended_by": None,
          "counts": [[1, 2], [1, 2]]}]  # fmt: skip


def background(**more: Any) -> check.Background:
    return check.Background(KNOWN, rules=ROWS, relations=RELATIONS, roles=ROLES, **more)


@pytest.mark.parametrize(
    "text", [3, None, "a <- b", "p(A, B)", "p(A, B) <- q(A, B) <- r(A, B)", f"{RULE},"]
)
def test_what_is_no_rule(text: object) -> None:
    with pytest.raises(check.RejectedError, match="which is no rule") as caught:
        check.read_rule(text)
    assert caught.value.code == "unsupported"


@pytest.mark.parametrize(
    ("rule", "cited", "window", "reason"),
    [
        (RULE, [VISIT, HOST], 5, None),
        ("meets(A, C) <- visits(A, B), hosts(C, D)", [VISIT, HOST], 0, check.NO_WALK),
        ("meets(A, C) <- visits(B, D), hosts(B, C)", [VISIT, HOST], 0, check.NO_WALK),
        ("meets(A, C) <- visits(A, B), hosts(B, D)", [VISIT, HOST], 0, check.NO_WALK),
        (RULE, [VISIT, ("Bo", "hosts", "Cy", DAY + 3)], 0,
         "cites (Bo, hosts, Cy, 2031-05-04), which is unknown"),
        (RULE, [VISIT, VISIT], 0, "cites (Ada, visits, Bo, 2031-05-01) more than once"),
        (RULE, [VISIT], 0, "1 for a body of 2"),
        ("meets(A, C) <- visits(A, B), visits(B, C)", [VISIT, HOST], 0,
         "(Bo, hosts, Cy, 2031-05-03) does not match it"),
        ("meets(A, A) <- visits(A, B), hosts(B, A)", [VISIT, HOST], 0, "does not match it"),
        ("meets(A, C) <- hosts(B, C), visits(A, B)", [HOST, VISIT], 0, check.NO_WALK),
        ("meets(C, A) <- hosts(B, A), visits(C, B)", [HOST, VISIT], 0, check.NO_WALK),
        (RULE, [VISIT, HOST], 4, "one is before the window"),
    ],
)  # fmt: skip
def test_each_condition_of_a_rule_is_asked_for(
    rule: str, cited: Sequence[check.Fact], window: int, reason: str | None
) -> None:
    given = background(window=window)
    if reason is None:
        check.check_grounding(given, rule, MEET, cited)
    else:
        with pytest.raises(check.RejectedError, match=re.escape(reason)):
            check.check_grounding(given, rule, MEET, cited)


def test_facts_are_cited_in_order_of_time_before_the_fact() -> None:
    rule = "meets(A, C) <- hosts(A, B), visits(B, C)"
    early, late = ("Ada", "hosts", "Bo", DAY + 3), ("Bo", "visits", "Cy", DAY + 1)
    with pytest.raises(check.RejectedError, match="they are not in order of time, before it"):
        check.check_grounding(check.Background([early, late, MEET]), rule, MEET, [early, late])
    same = ("Bo", "visits", "Cy", MEET[3])
    with pytest.raises(check.RejectedError, match="they are not in order of time, before it"):
        check.check_grounding(check.Background([early, same, MEET]), rule, MEET, [early, same])


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"rule_number": 0, "rule": RULE}, None),
        ({"rule_number": 1, "rule": RULE}, "has rule number 1, expected 0 to 0"),
        ({"rule_number": -1, "rule": RULE}, "has rule number -1, expected 0 to 0"),
        ({"rule_number": False, "rule": RULE}, "has rule number False, expected 0 to 0"),
        ({"rule_number": 0, "rule": "meets(A, B) <- visits(A, B)"},
         "states another rule than number 0"),
    ],
)  # fmt: skip
def test_a_rule_is_that_of_its_number(row: dict[str, Any], reason: str | None) -> None:
    if reason is None:
        check.check_rule(background(), row)
    else:
        with pytest.raises(check.RejectedError, match=re.escape(reason)):
            check.check_rule(background(), row)


OTHER, EARLY = ("Ada", "visits", "Bo", DAY + 5), ("Ada", "hosts", "Bo", DAY)


@pytest.mark.parametrize(
    ("row", "fact", "cited", "window", "reason"),
    [
        ({}, MEET, [VISIT, HOST], 5, None),
        ({"role_rule": 1}, MEET, [VISIT, HOST], 0, "has role rule 1, expected 0 to 0"),
        ({"role_rule": -1}, MEET, [VISIT, HOST], 0, "has role rule -1, expected 0 to 0"),
        ({"role_rule": True}, MEET, [VISIT, HOST], 0, "has role rule True, expected 0 to 0"),
        ({"role_rule": False}, MEET, [VISIT, HOST], 0, "has role rule False, expected 0 to 0"),
        ({"rule": RULE}, MEET, [VISIT, HOST], 0, "states another rule than role rule 0"),
        ({}, MEET, [VISIT, ("Bo", "hosts", "Cy", DAY)], 0, "which is unknown"),
        ({}, MEET, [VISIT], 0, "cites 1 facts, expected two"),
        ({}, ("Ada", "greets", "Cy", DAY + 5), [VISIT, HOST], 0, "is no fact of meets"),
        ({}, ("Bo", "meets", "Cy", DAY + 5), [VISIT, HOST], 0,
         "by which Bo does not fill its role"),
        ({}, ("Ada", "meets", "Bo", DAY + 5), [VISIT, HOST], 0,
         "by which Bo does not fill its role"),
        ({}, MEET, [HOST, VISIT], 0, "by which Ada does not fill its role"),
        ({}, MEET, [EARLY, HOST], 0, "by which Ada does not fill its role"),
        ({}, MEET, [OTHER, HOST], 0, "which is not earlier"),
        ({}, MEET, [VISIT, HOST], 4, "which is before the window"),
    ],
)  # fmt: skip
def test_each_condition_of_a_role_is_asked_for(
    row: dict[str, Any],
    fact: check.Fact,
    cited: Sequence[check.Fact],
    window: int,
    reason: str | None,
) -> None:
    given = check.Background([*KNOWN, OTHER, EARLY], rules=ROWS, relations=RELATIONS, roles=ROLES,
                             window=window)  # fmt: skip
    line = {"role_rule": 0, "rule": ROLES[0]["rule"], **row}
    if reason is None:
        check.check_role(given, line, fact, cited)
    else:
        with pytest.raises(check.RejectedError, match=re.escape(reason)):
            check.check_role(given, line, fact, cited)


def test_a_role_has_the_variable_that_it_fills() -> None:
    text = "meets(A, B) <- visits(C, D), hosts(E, B)"
    roles = [ROLES[0] | {"rule": text}]
    met = ("Bo", "meets", "Cy", DAY + 5)
    given = check.Background([*KNOWN, met], rules=ROWS, relations=RELATIONS, roles=roles)
    with pytest.raises(check.RejectedError, match="by which Bo does not fill its role"):
        check.check_role(given, {"role_rule": 0, "rule": text}, met, [VISIT, HOST])


LINE = {
    **{"subject": "Ada", "relation": "meets", "object": "Cy", "date": "2031-05-06"},
    **{"rule": RULE, "rule_number": 0, "rule_confidence": 0.5, "confidence": 0.5},
    "grounding": [["Ada", "visits", "Bo", "2031-05-01"], ["Bo", "hosts", "Cy", "2031-05-03"]],
}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({}, None),
        ({"date": "2031-05-07"}, "(Ada, meets, Cy, 2031-05-07) is not known"),
        ({"date": "2031-06-07"}, "the fact is outside the days of the forecast"),
        ({"date": "2031-04-30"}, "the fact is outside the days of the forecast"),
        ({"rule_confidence": 0.4}, "has rule confidence 0.4, expected 0.5"),
        ({"grounding": {}}, "the grounding is no array"),
    ],
)
def test_a_line_is_a_fact_of_the_forecast(change: dict[str, Any], reason: str | None) -> None:
    config = {"begin": "2031-05-02", "end": "2031-05-31"}
    forecast = check.Forecast([MEET], [VISIT, HOST], background(), config)
    if reason is None:
        assert check.check_fact(forecast, LINE | change) == MEET
    else:
        with pytest.raises(check.RejectedError, match=re.escape(reason)):
            check.check_fact(forecast, LINE | change)


def folder(
    place: Path, lines: Sequence[dict[str, Any]], facts: Sequence[str], **config: Any
) -> Path:
    """A forecast of some lines, with the facts of a file and a history."""
    history = ["Ada\tvisits\tBo\t2031-05-01", "Bo\thosts\tCy\t2031-05-03"]
    history += ["Ada\tstartWorksFor\tCy\t2031-05-01"]
    days = {"begin": "2031-05-05", "end": "2031-05-31", "window": 0}
    manifest = {
        "relations": [*RELATIONS[:2], config.pop("head", "meets")],
        "config": {**days, "schema": None, "coherent": True, "unknown": True, **config},
        "outputs": {},
    }
    (place / "manifest.json").write_text(json.dumps(manifest))
    (place / "history.tsv").write_text("\n".join(history) + "\n")
    (place / "facts.tsv").write_text("\n".join(facts) + "\n")
    (place / "rules.jsonl").write_text(json.dumps(ROWS[0]) + "\n")
    (place / "facts.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return place


TEXT = "Ada\tmeets\tCy\t2031-05-06"
LATER = LINE | {"date": "2031-05-08"}
START = LINE | {"relation": "startWorksFor", "rule": RULE.replace("meets", "startWorksFor")}


@pytest.mark.parametrize(
    ("lines", "facts", "config", "faults"),
    [
        ([LINE], [TEXT], {}, [None]),
        ([LINE, LATER], [TEXT, TEXT.replace("06", "08")], {}, [None, None]),
        ([LATER, LINE], [TEXT, TEXT.replace("06", "08")], {}, ["facts.tsv has another fact"] * 2),
        ([LINE, LINE], [TEXT, TEXT], {}, [None, "the fact occurs twice"]),
        ([], [TEXT], {}, ["it has no certificate"]),
        ([START], [TEXT.replace("meets", "startWorksFor")], {"head": "startWorksFor"},
         ["a fact that is open"]),
        ([START], [TEXT.replace("meets", "startWorksFor")],
         {"head": "startWorksFor", "coherent": False}, [None]),
    ],
)  # fmt: skip
def test_the_lines_of_a_folder_are_its_facts(
    lines: Sequence[dict[str, Any]],
    facts: Sequence[str],
    config: dict[str, Any],
    faults: Sequence[str | None],
    tmp_path: Path,
) -> None:
    found = check.check_file(str(folder(tmp_path, lines, facts, **config)))
    assert [fault for _, _, fault in found] == faults


@pytest.mark.parametrize("line", [None, [], "x", {}, {k: LINE[k] for k in LINE if k != "date"}])
def test_a_line_has_its_fields(line: object) -> None:
    forecast = check.Forecast([MEET], [VISIT, HOST], background(), {})
    with pytest.raises(check.RejectedError, match="a line needs the fields"):
        check.check_fact(forecast, line)


@pytest.mark.parametrize(
    "value", [None, ("a", "b", "c", "2031-05-01"), ["a", "b", "c"], ["a", "b", "c", 3]]
)
def test_what_is_no_fact(value: object) -> None:
    with pytest.raises(check.RejectedError, match="is no fact"):
        check._fact(value)
