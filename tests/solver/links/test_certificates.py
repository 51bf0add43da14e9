"""The checker of documents: what it accepts, what it rejects, and its own reading of files."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from grammar.links.model import Document, Interpretation
from solver.asp import Optimum, Program
from solver.cli import run
from solver.links import check
from solver.links.io import certified, read_documents
from solver.links.repair import RepairSettings, repair
from solver.links.verify import decide

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "links"


def accepted(row: object) -> bool:
    try:
        check.check_row(row)
    except check.RejectedError:
        return False
    return True


def mutated(row: dict[str, Any], draw: random.Random) -> dict[str, Any]:
    """A row with one change in its verdict or its certificate."""
    changed = json.loads(json.dumps(row))
    points = [f"{bound} of {name}" for name, _ in row["nodes"] for bound in ("start", "end")]
    steps, places = changed["cycle"] or [], changed["timeline"] or []
    match draw.randrange(6):
        case 0 if steps:
            draw.choice(steps)[draw.randrange(2)] = draw.choice(points)
        case 1 if steps:
            draw.choice(steps)[2] = draw.choice([None, *range(len(row["links"]))])
        case 2 if steps:
            steps.pop(draw.randrange(len(steps)))
        case 3 if steps:
            steps.insert(draw.randrange(len(steps) + 1), [*draw.choices(points, k=2), None])
        case 4 if places:
            draw.choice(places)[draw.choice((1, 2))] += draw.choice((-1, 1))
        case _:
            changed["consistent"] = not changed["consistent"]
            line = [[name, 2 * n, 2 * n + 1] for n, (name, _) in enumerate(row["nodes"])]
            changed["timeline"] = line if changed["consistent"] else None
            link = draw.randrange(len(row["links"]))
            around = [[points[0], points[-1], link], [points[-1], points[0], link]]
            changed["cycle"] = None if changed["consistent"] else around
    return changed


def test_every_verdict_is_proved_and_no_wrong_one(
    random_documents: Callable[..., list[Document]],
    world: Any,
    interpretations: list[Interpretation],
) -> None:
    draw = random.Random(0)
    wrong = right = 0
    for number, interpretation in enumerate(interpretations):
        documents = random_documents(number, 80, nodes=3, links=5)
        decisions = decide(documents, interpretation)
        for document, decision in zip(documents, decisions, strict=True):
            row = certified(document, interpretation, decision)
            assert accepted(row)
            consistent = bool(world(document, interpretation).models())
            for _ in range(10):
                changed = mutated(row, draw)
                assert not accepted(changed) or changed["consistent"] is consistent
                wrong += changed["consistent"] is not consistent
                right += accepted(changed)
    assert wrong > 500
    assert right > 100


def test_repaired_documents_have_a_timeline(
    random_documents: Callable[..., list[Document]],
) -> None:
    interpretation = Interpretation()
    settings = RepairSettings(interpretation=interpretation, second_limit=0)
    documents = [
        document
        for document, decision in zip(
            random_documents(7, 60, nodes=3, links=6),
            decide(random_documents(7, 60, nodes=3, links=6), interpretation),
            strict=True,
        )
        if not decision.consistent
    ]
    repaired = [repair(document, settings).repaired for document in documents]
    assert len(repaired) > 5
    for document, decision in zip(repaired, decide(repaired, interpretation), strict=True):
        assert decision.consistent
        check.check_row(certified(document, interpretation, decision))


@pytest.mark.parametrize(
    ("value", "length"),
    [
        ("1998", 365), ("1998-Q1", 90), ("1998-H2", 184), ("1998-02", 28), ("1998-W05", 7),
        ("1998-W05-2", 1), ("1998-02-27", 1), ("1998-02-27T10", 1 / 24),
        ("1998-02-27T10:30:05.5", 1 / 86400), ("1998-12", 31), ("1998-Q4", 92),
        ("1998-13", None), ("1998-00", None), ("1998-02-30", None), ("1998-02-27T24", None),
        ("P3M", None), ("9999", None), ("0000", None), ("1998-Q5", None), ("1998-W60", None),
        ("PRESENT_REF", None), ("1998-02-27T10:61", None), ("1998-W", None),
    ],
)  # fmt: skip
def test_the_calendar_is_read_as_the_engines_read_it(value: str, length: float | None) -> None:
    from grammar.links.model import interval

    found = check.interval(value)
    assert found == interval(value)
    days = None if found is None else (found[1] - found[0]).total_seconds() / 86400
    assert days == length


def write_files(folder: Path) -> None:
    """A document in each format; some links mean nothing."""
    (folder / "some.tsv").write_text(
        "one\te1\te2\tb\none\te2\tt1\tii\none\te2\te2\tb\ntwo\te1\te2\tCONTAINS\ntwo\te1\te2\todd\n",
        encoding="utf-8",
    )
    (folder / "starts.txt").write_text("m\tran\tsaid\t1\t2\tBEFORE\nm\ta\tb\t2\t3\tEQUAL\n")
    nodes = [{"id": "a"}, {"id": "t", "time": True, "value": "1998"}]
    links = [
        {"id": "0", "left": "a", "right": "t", "relation": "s"},
        {"id": "1", "left": "a", "right": "x", "relation": "BEFORE"},
    ]
    rows = [{"document": "j", "nodes": nodes, "links": links}, {"document": "k", "links": links}]
    (folder / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (folder / "text.tml").write_text(
        '<TimeML xmlns="http://x/"><TIMEX3 tid="t0" value="1998-01">J</TIMEX3>'
        '<EVENT eid="e1">a</EVENT><EVENT eid="e2">b</EVENT>'
        '<MAKEINSTANCE eiid="ei1" eventID="e1"/><MAKEINSTANCE eiid="ei9" eventID="e9"/>'
        '<TLINK lid="l1" eventInstanceID="ei1" relatedToTime="t0" relType="before"/>'
        '<TLINK eventInstanceID="e2" relatedToEventInstance="ei1" relType="AFTER"/>'
        '<TLINK eventInstanceID="ei9" relatedToEventInstance="ei1" relType="AFTER"/></TimeML>',
        encoding="utf-8",
    )


def test_both_readers_read_the_same(tmp_path: Path) -> None:
    write_files(tmp_path)
    for folder in (tmp_path, EXAMPLES):
        documents = [entry.document for entry in read_documents([folder])]  # type: ignore[union-attr]
        rows = [
            certified(document, Interpretation(), decision)
            for document, decision in zip(
                documents, decide(documents, Interpretation()), strict=True
            )
        ]
        fault = check.unknown_in(check.read_data(folder))
        assert len(rows) > 1
        assert [fault(row) for row in rows] == [None] * len(rows)
        assert sum(len(row["links"]) for row in rows) > 4
        assert fault(rows[0] | {"document": "other"}) == "no document of the data is other"
        links = [[*rows[0]["links"][0][:3], "VAGUE"], *rows[0]["links"][1:]]
        assert fault(rows[0] | {"links": links}) == "its links are not those of the data"


@pytest.mark.parametrize("command", ["verify --kind links", "repair"])
def test_the_report_is_checked(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run([*command.split(), str(EXAMPLES), "--report", str(tmp_path / "report")])
    capsys.readouterr()
    assert run(["check", str(tmp_path / "report")]) == 0
    assert capsys.readouterr().out == "2 items: 2 proved, 0 rejected, 0 not proved\n"
    # The line of a repaired document states what it was before.
    assert run(["check", str(tmp_path / "report"), "--data", str(EXAMPLES)]) == 0
    other = tmp_path / "other.tsv"
    other.write_text("harbour\tei1\tt1\tBEFORE\nmarket\te1\te2\tBEFORE\n")
    assert run(["check", str(tmp_path / "report"), "--data", str(other)]) == 1


def test_the_file_runs_alone(tmp_path: Path, alone: Callable[..., tuple[int, str, str]]) -> None:
    run(["verify", "--kind", "links", str(EXAMPLES), "--report", str(tmp_path / "report")])
    found = alone(check, "report/documents.jsonl", "--data", EXAMPLES)
    assert found == (0, "2 items, 0 rejected\n", "")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"reading": "odd"}, "the reading is unknown"),
        ({"during": ["allen"]}, "the during is unknown"),
        ({"dates": 1}, "dates is true or false"),
        ({"nodes": [["a", ""], ["a", ""]]}, "an id occurs twice"),
        ({"nodes": [["a"], ["b", ""]]}, "a node has 2 strings"),
        ({"links": [["0", "a", "c", "BEFORE"]]}, "refers to what the document lacks"),
        ({"links": [["0", "a", "b", "before"]]}, "the unknown relation 'before'"),
        ({"cycle": []}, "a consistent document has no cycle"),
        ({"consistent": False, "timeline": None, "cycle": []}, "no strict step"),
        ({"consistent": False}, "an inconsistent document has no timeline"),
        ({"document": 5}, "the name of a document is a string"),
        ({"timeline": [["a", 0], ["b", 2, 3]]}, "a timeline has triples"),
        ({"timeline": [("a", 0, 1), ["b", 2, 3]]}, "a timeline has triples"),
        ({"timeline": [[0, 0, 1], ["b", 2, 3]]}, "a timeline has triples"),
        ({"timeline": [["a", 0, 1], ["b", 2, 3], ["a", 0, 1]]}, "places each event and time once"),
        ({"timeline": [["a", 0, 1], ["b", 2, 3], ["c", 0, 1]]}, "places each event and time once"),
        ({"nodes": [("a", ""), ["b", ""]]}, "a node: not an array"),
        ({"nodes": [["a", 1], ["b", ""]]}, "a node has 2 strings"),
        ({"timeline": [["a", 0, 1]]}, "places each event and time once"),
        ({"timeline": [["a", 0, 1], ["b", 1.0, 2]]}, "is no whole number"),
        ({"timeline": [["a", 0, 1], ["b", True, 2]]}, "is no whole number"),
        ({"timeline": [["a", 0, 1], ["b", 2, 2]]}, "b ends before it starts"),
        ({"timeline": [["a", 0, 1], ["b", 0, 2]]}, "the timeline violates link 0"),
    ],
)
def test_what_is_no_proof_is_rejected(
    change: dict[str, object], reason: str, document_of: Callable[[str], Document]
) -> None:
    document = document_of("a BEFORE b")
    (decision,) = decide([document], Interpretation())
    row = certified(document, Interpretation(), decision)
    check.check_row(row)
    with pytest.raises(check.RejectedError, match=reason):
        check.check_row(row | change)


@pytest.mark.parametrize("row", [None, [], "reading", {}, {"document": "a"}])
def test_what_is_no_line_is_rejected(row: object) -> None:
    with pytest.raises(check.RejectedError, match="a line needs the fields"):
        check.check_row(row)


def repaired(document: Document, interpretation: Interpretation) -> dict[str, Any]:
    """The line of a repaired document."""
    found = repair(document, RepairSettings(interpretation=interpretation, second_limit=0))
    (decision,) = decide([found.repaired], interpretation)
    return certified(found.repaired, interpretation, decision) | {"repair": found.as_json()}


def test_a_repair_that_is_not_minimised_is_open(
    document_of: Callable[[str], Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupted = Optimum(atoms=None, cost=0, lower=0, proved=False)
    monkeypatch.setattr(Program, "optimum", lambda *_: interrupted)
    text = ", ".join(f"{a} BEFORE {b}" for a in "abcdef" for b in "abcdef" if a != b)
    row = repaired(document_of(text), Interpretation())
    with pytest.raises(check.OpenError, match="not proved: a repair may cost"):
        check.check_row(row)


def without(row: dict[str, Any], link: int) -> dict[str, Any]:
    """A repair without one more link, as if it were minimal."""
    changed = json.loads(json.dumps(row))
    gone = changed["links"].pop(link)
    weight = next(known[4] for known in row["repair"]["links"] if known[0] == gone[0])
    for name in ("cost", "lower"):
        changed["repair"][name] += weight
    return changed


def test_repairs_are_proved_to_be_minimal_and_no_others(
    random_documents: Callable[..., list[Document]], world: Any
) -> None:
    draw = random.Random(36)
    costs = Counter[int]()
    interpretation = Interpretation()
    for document in random_documents(9, 150, nodes=4, links=9):
        links = tuple(replace(link, weight=draw.choice([1, 1, 2, 5])) for link in document.links)
        document = replace(document, links=links)
        least = min(
            sum(link.weight for link in links if link not in kept)
            for size in range(len(links) + 1)
            for kept in combinations(links, size)
            if world(document, interpretation).models(kept)
        )
        costs[least] += 1
        if not least:
            continue
        row = repaired(document, interpretation)
        check.check_row(row)
        assert row["repair"]["cost"] == least
        for name, value in (("lower", least + 1), ("cost", least + 1), ("cost", least - 1)):
            assert not accepted(row | {"repair": row["repair"] | {name: value}})
        every = row["repair"]
        assert not accepted(row | {"repair": every | {"lower": least + 1, "cost": least + 1}})
        if row["links"]:
            assert not accepted(without(row, draw.randrange(len(row["links"]))))
        assert not accepted(row | {"repair": every | {"conflicts": []}})
        lighter = [[*link[:4], link[4] + (n == 0)] for n, link in enumerate(every["links"])]
        changed = row | {"repair": every | {"links": lighter}}
        gone = {link[0] for link in every["links"]} - {link[0] for link in row["links"]}
        assert accepted(changed) <= (every["links"][0][0] not in gone)
    assert len(costs) > 4


def test_a_cycle_that_is_none_shows_no_lower_bound(document_of: Callable[[str], Document]) -> None:
    row = repaired(document_of("a BEFORE b, b BEFORE a, c BEFORE d"), Interpretation())
    made = row["repair"]
    step = ["start of c", "end of c", None]
    for cycle in ([step], [[*step[:2], 2]], [["end of c", "start of d", 2]], "cycle", [[1]]):
        assert not accepted(row | {"repair": made | {"conflicts": [*made["conflicts"], cycle]}})


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ({"links": "x"}, "the links: not an array"),
        ({"links": ["x"]}, "a link: not an array"),
        ({"links": [["l1", "a", "b", "BEFORE"]]}, "a cost is no number"),
        ({"links": [["l1", "a", "b", "BEFORE", 0]]}, "a cost is no number"),
        ({"links": [["l1", "a", "z", "BEFORE", 1]]}, "refers to what the document lacks"),
        ({"links": [["l1", "a", "b", "NEAR", 1]]}, "has the unknown relation"),
        ({"links": [["l1", "b", "a", "BEFORE", 1]], "cost": 1}, "is not one of those before"),
        ({"cost": True}, "a cost is no number"),
        ({"cost": 1.0}, "a cost is no number"),
        ({"cost": 2}, "the repair costs 1"),
        ({"lower": 0}, "a cost is no number"),
        ({"lower": 2}, "no lower bound is above the cost"),
        ({"more": 1}, "a repair has links, a cost"),
        ({"conflicts": [[["start of a", "end of b", 7]]]}, "there is no link 7"),
    ],
)
def test_damaged_repairs_are_refused(
    other: dict[str, Any], reason: str, document_of: Callable[[str], Document]
) -> None:
    row = repaired(document_of("a BEFORE b, b BEFORE a"), Interpretation())
    assert accepted(row)
    with pytest.raises(check.RejectedError, match=reason):
        check.check_row(row | {"repair": row["repair"] | other})
    for damaged in (None, [], {**row["repair"], "more": 1}):
        with pytest.raises(check.RejectedError, match="a repair has links, a cost"):
            check.check_row(row | {"repair": damaged})


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"cycle": [["start of a", None]]}, "a cycle has triples"),
        ({"cycle": [("start of a", "end of a", None)]}, "a cycle has triples"),
        ({"cycle": [[["start of a"], "end of a", None]]}, "is no point"),
        ({"cycle": [["end of a", "start of b", True]]}, "there is no link True"),
        ({"cycle": [[5, "start of a", None]]}, "5 is no point"),
        ({"cycle": [["end of c", "start of a", None]]}, "is no point"),
        ({"cycle": [["end of a", "start of b", 9]]}, "there is no link 9"),
        ({"cycle": [["end of a", "start of b", -1]]}, "there is no link -1"),
        ({"cycle": [["end of b", "start of b", 0]]}, "nothing leads from"),
        ({"repair": {}}, "a repaired document is consistent"),
    ],
)
def test_what_is_no_cycle_is_rejected(
    change: dict[str, object], reason: str, document_of: Callable[[str], Document]
) -> None:
    document = document_of("a BEFORE b, b BEFORE a")
    (decision,) = decide([document], Interpretation())
    row = certified(document, Interpretation(), decision)
    check.check_row(row)
    with pytest.raises(check.RejectedError, match=reason):
        check.check_row(row | change)


def test_a_timeline_against_the_calendar_is_rejected(
    document_of: Callable[[str], Document],
) -> None:
    document = document_of("a BEFORE b")
    (decision,) = decide([document], Interpretation())
    row = certified(document, Interpretation(), decision) | {"dates": True}
    days = [["a", "2026-03-05"], ["b", "2026-03-06"]]
    check.check_row(row | {"nodes": days, "timeline": [["a", 0, 1], ["b", 1, 2]]})
    with pytest.raises(check.RejectedError, match="violates the calendar"):
        check.check_row(row | {"nodes": days, "timeline": [["a", 0, 1], ["b", 2, 3]]})


def test_a_name_that_occurs_twice_in_a_line_is_rejected(
    tmp_path: Path, document_of: Callable[[str], Document]
) -> None:
    document = document_of("a BEFORE b")
    (decision,) = decide([document], Interpretation())
    text = json.dumps(certified(document, Interpretation(), decision))
    path = tmp_path / "documents.jsonl"
    path.write_text(text.replace("{", '{"consistent": false, ', 1))
    ((_, _, fault),) = check.check_file(str(path))
    assert fault is not None
    assert "a name occurs twice" in fault


def test_a_bound_that_is_not_shown_is_not_proved(
    document_of: Callable[[str], Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    row = repaired(document_of("a BEFORE b, b BEFORE a, c BEFORE d, d BEFORE c"), Interpretation())
    with pytest.raises(check.OpenError, match="may cost 1"):
        check.check_row(row | {"repair": row["repair"] | {"lower": 1}})
    text = "a BEFORE b, b BEFORE a, a SIMULTANEOUS b"
    row = repaired(document_of(text), Interpretation())
    check.check_row(row)
    assert row["repair"]["cost"] == 2
    monkeypatch.setattr(check, "MOST_TRIED", 0)
    with pytest.raises(check.OpenError, match="not proved"):
        check.check_row(row)


def test_a_repair_is_checked_with_the_documents_before_and_after_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, report = str(tmp_path / "repaired"), str(tmp_path / "report")
    assert run(["repair", str(EXAMPLES), "--out", out, "--report", report]) == 0
    for data in (str(EXAMPLES), out):
        assert run(["check", report, "--data", data]) == 0
    path = tmp_path / "report" / "documents.jsonl"
    text = path.read_text()
    assert text.count('"repair"') == 1
    path.write_text(text.replace('"lower":1', '"lower":2'))
    (path.parent / "manifest.json").unlink()
    assert run(["check", report, "--data", out]) == 1
    assert "no lower bound is above the cost" in capsys.readouterr().out
