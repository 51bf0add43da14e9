"""``check``: the command, the file alone, and what is rejected."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import solver.eventhop.check as checker
from grammar.eventhop.lexicon import lexicon
from grammar.eventhop.model import AllenRelation, ClaimRelation, Domain, Order
from hopcheck import explain
from solver.cli import run

FILE = Path(checker.__file__)
DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    rows = [
        ("The end of fair happened before the start of race", "fair happens before race"),
        ("The end of fair happened before the start of fair", "fair happens before race"),
        ("The start of fair happened before the start of race", "fair overlaps with race"),
        ("this is no sentence", "fair happens before race"),
    ]
    lines = [
        json.dumps({"id": str(n), "premise": premise, "claim": claim})
        for n, (premise, claim) in enumerate(rows)
    ]
    (folder / "items.jsonl").write_text("\n".join(lines), encoding="utf-8")
    run(["verify", str(folder / "items.jsonl"), "--report", str(folder / "report")])
    return folder / "report"


def changed(report: Path, path: Path, **changes: Any) -> Path:
    """A copy whose first line is changed."""
    first, *others = (report / "items.jsonl").read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([json.dumps(json.loads(first) | changes), *others]), encoding="utf-8")
    return path


UNREAD = "not proved: no verdict is given of a text that could not be read"


def test_a_report_is_accepted(report: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(report)]) == 3
    assert capsys.readouterr().out.splitlines() == [
        f"{report / 'items.jsonl'}:4: {UNREAD} (item 3)",
        "4 items: 3 proved, 0 rejected, 1 not proved",
    ]


def test_a_changed_verdict_is_rejected(
    report: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    verdict = {"status": "entailed", "label": "false", "consistent": True, "hops": 1}
    path = changed(report, tmp_path / "changed.jsonl", verdict=verdict)
    assert run(["check", str(path)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{path}:1: the label is true (item 0)",
        f"{path}:4: {UNREAD} (item 3)",
        "4 items: 2 proved, 1 rejected, 1 not proved",
    ]
    assert run(["check", str(path), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found == {
        "items": 4,
        "proved": 2,
        "rejected": 1,
        "not_proved": 1,
        "reasons": {"0": [f"{path}:1: the label is true"], "3": [f"{path}:4: {UNREAD}"]},
    }


def test_the_file_runs_alone(report: Path, alone: Callable[..., tuple[int, str, str]]) -> None:
    path = report / "items.jsonl"
    printed = f"{path}:4: {UNREAD} (item 3)\n4 items: 3 proved, 0 rejected, 1 not proved\n"
    assert alone(checker, path) == (3, printed, "")


@pytest.mark.parametrize("arguments", [[], ["--help"], ["no-such-file"]])
def test_bad_usage_is_reported(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert checker.main(arguments) == 2
    assert capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"\xff", "not a line of JSON"),
        (b"[" * 100_000, "not a line of JSON"),
        (b'{"id": NaN}', "a constant is no whole number: 'NaN'"),
        (b'{"id": "1", "id": "2"}', "occurs twice"),
        (b"[]", "a line needs the fields"),
        (b'{"id": "1"}', "a line needs the fields"),
    ],
)
def test_what_is_no_line_is_rejected(line: bytes, reason: str, tmp_path: Path) -> None:
    (tmp_path / "items.jsonl").write_bytes(line)
    ((number, _, fault),) = checker.check_file(str(tmp_path / "items.jsonl"))
    assert number == 1
    assert fault is not None
    assert reason in fault


def walk(*steps: object) -> dict[str, object]:
    return {"from": "end of fair", "steps": list(steps)}


TIMELINE = [["start of fair", 0], ["end of fair", 1], ["start of race", 2], ["end of race", 3]]
NEAR = {"from": "end of fair", "beyond": 1, "near": [["end of fair", 0, 1]]}


@pytest.mark.parametrize(
    ("part", "value", "reason"),
    [
        ("walks", [walk(True)], "a step is no whole number"),
        ("walks", [walk(0.0)], "a step is no whole number"),
        ("walks", [walk(1)], "no relation 1"),
        ("walks", [walk(-1)], "no relation -1"),
        ("walks", [walk(0, 0)], "does not go on"),
        ("walks", [walk(None)], "a duration leads from the start"),
        ("walks", [{"from": "end of fair"}], "a walk has the fields"),
        ("walks", [{"from": ["end of fair"], "steps": [0]}], "no point of the item"),
        ("walks", {}, "the walks: not an array"),
        ("walks", [], "do not derive"),
        ("cycle", walk(0), "a consistent premise has no closed walk"),
        ("timelines", [], "no timeline is a model"),
        ("timelines", [TIMELINE[:3]], "each point has one instant"),
        ("timelines", [[*TIMELINE, TIMELINE[0]]], "each point has one instant"),
        ("timelines", [[*TIMELINE[:3], ["end of race", False]]], "an instant is no whole number"),
        ("timelines", [[*TIMELINE[:3], ["end of race"]]], "a timeline has pairs"),
        ("timelines", [[*TIMELINE[:3], ["end of X", 3]]], "a timeline has pairs of a point"),
        ("timelines", [[*TIMELINE[:3], ["end of race", 1]]], "not monotone"),
        ("timelines", [[*TIMELINE[:3], ["end of race", 2]]], "no timeline is a model"),
        ("distances", [], "do not show that many hops"),
        ("distances", [NEAR | {"near": []}], "at no distance from itself"),
        ("distances", [NEAR | {"beyond": 2}], "a step improves a distance"),
        ("distances", [NEAR | {"near": [["end of fair", 0]]}], "distances are triples"),
    ],
)
def test_malformed_and_insufficient_parts_are_rejected(
    part: str, value: object, reason: str
) -> None:
    row = explain(
        premise="The end of fair happened before the start of race",
        claim="fair happens before race",
    ).as_json()
    checker.check_row(row)
    row["certificate"][part] = value
    with pytest.raises(checker.RejectedError, match=re.escape(reason)):
        checker.check_row(row)


@pytest.mark.parametrize(
    ("part", "value", "reason"),
    [
        ("consistent", 1, "whether the premise is consistent is not stated"),
        ("consistent", None, "whether the premise is consistent is not stated"),
        ("consistent", False, "no closed strict walk"),
        ("status", "proved", "the status is unknown"),
        ("status", "refuted", "no walk derives the opposite"),
        ("hops", True, "hops"),
        ("hops", None, "hops"),
        ("hops", 0, "there are fewer hops"),
        ("hops", 2, "do not show that many hops"),
        ("label", True, "the label is unknown"),
        ("label", "yes", "the label is unknown"),
        ("label", "false", "the label is true"),
    ],
)
def test_each_value_of_a_verdict_is_checked(part: str, value: object, reason: str) -> None:
    row = explain(
        premise="The end of fair happened before the start of race",
        claim="fair happens before race",
    ).as_json()
    row["verdict"][part] = value
    with pytest.raises(checker.RejectedError, match=re.escape(reason)):
        checker.check_row(row)


def test_the_worked_item_of_the_page_is_proved() -> None:
    page = (DOCS / "certificates.md").read_text(encoding="utf-8")
    row = json.loads(page.partition("```json\n")[2].partition("```")[0])
    checker.check_row(row)
    made = explain(premise=row["premise"], claim=row["claim"]).as_json()
    assert made["certificate"] == row["certificate"]
    assert made["verdict"] == row["verdict"]


def test_the_schema_names_what_the_checker_reads(report: Path) -> None:
    """The published schema, followed by hand: names and types of all values of a report."""
    schema = json.loads((DOCS / "schemas" / "eventhop.verdicts.json").read_text(encoding="utf-8"))
    kinds = {
        "string": str,
        "integer": int,
        "boolean": bool,
        "null": type(None),
        "object": dict,
        "array": list,
    }

    def fits(value: Any, rule: dict[str, Any]) -> bool:
        if "$ref" in rule:
            return fits(value, schema["$defs"][rule["$ref"].rpartition("/")[2]])
        if "anyOf" in rule:
            return any(fits(value, entry) for entry in rule["anyOf"])
        if "enum" in rule:
            return value in rule["enum"]
        named = [rule["type"]] if isinstance(rule["type"], str) else rule["type"]
        if type(value) not in [kinds[name] for name in named]:
            return False
        if isinstance(value, dict):
            closed = (
                rule.get("additionalProperties", True) or value.keys() <= rule["properties"].keys()
            )
            return (
                closed
                and set(rule["required"]) <= value.keys()
                and all(fits(value[k], r) for k, r in rule["properties"].items())
            )
        if isinstance(value, list) and "prefixItems" in rule:
            pairs = zip(value, rule["prefixItems"], strict=True)
            return all(fits(part, other) for part, other in pairs)
        return not isinstance(value, list) or all(fits(part, rule["items"]) for part in value)

    rows = [json.loads(line) for line in (report / "items.jsonl").read_bytes().splitlines()]
    assert all(fits(row, schema) for row in rows)
    assert not fits(rows[0] | {"verdict": {"status": "entailed"}}, schema)
    wrong = rows[0]["certificate"] | {"walks": [{"from": "end of fair", "steps": [True]}]}
    assert not fits(rows[0] | {"certificate": wrong}, schema)


@pytest.mark.parametrize("domain", Domain)
def test_the_phrases_are_those_of_the_grammars(domain: Domain) -> None:
    words = lexicon(domain)
    signs = {"<": Order.BEFORE, ">": Order.AFTER, "=": Order.SIMULTANEOUS}
    expected = {sign: words.phrases(order) for sign, order in signs.items()}
    expected |= {claim.value: words.phrases(claim) for claim in ClaimRelation}
    expected |= {f"allen_{claim}": words.phrases(claim) for claim in AllenRelation}
    assert checker.PHRASES[domain.value] == expected
    assert checker.CLAIMS.keys() == expected.keys() - signs.keys()


def test_the_checker_is_short() -> None:
    text = FILE.read_text(encoding="utf-8").partition("# --- Tables")[0]
    lines = [line for line in text.splitlines() if line.strip()]
    # Of these, some 1,000 read the sentences that people write.
    assert len(lines) < 1_950
