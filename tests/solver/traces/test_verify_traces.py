"""``verify --kind traces`` and ``explain --trace``: files, findings, reports, messages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import hopcheck as hc
import hopcheck.traces
from grammar.errors import HopcheckError
from solver.traces import check
from solver.traces.cli import explain
from solver.traces.model import StepVerdict
from solver.verification.kinds import detect
from solver.verification.run import verify
from tests.conftest import SHARED

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "traces"
SAMPLE = SHARED / "data" / "traces" / "sample.jsonl"
PREMISE = "The end of A happened before the start of B"


def rows(folder: Path) -> list[dict[str, object]]:
    lines = (folder / "items.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def written(path: Path, *values: object) -> Path:
    path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    return path


@pytest.mark.skipif(not SAMPLE.is_file(), reason="needs the shared samples")
def test_the_samples_come_out_as_labelled(tmp_path: Path) -> None:
    report = verify(SAMPLE, folder=tmp_path)
    assert report.kind == "traces"
    assert report.findings.counts() == {}
    wanted = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    for row, line in zip(wanted, rows(tmp_path), strict=True):
        assert (line["id"], line["first_error"]) == (row["id"], row["first_error"])
        for step, found in zip(row["steps"], line["steps"], strict=True):  # type: ignore[arg-type]
            assert found["verdict"] == step["verdict"]
            assert len(found["statements"]) == len(step["statements"])
            for statement, stated in zip(step["statements"], found["statements"], strict=True):
                names = ("kind", "orders", "label")
                assert [stated.get(name) for name in names] == [statement.get(n) for n in names]
                assert stated["verdict"] in statement["verdict"].split("/")


def test_examples_are_as_they_say(tmp_path: Path) -> None:
    assert detect([EXAMPLES / "right.jsonl"]) == "traces"
    assert verify(EXAMPLES / "right.jsonl", folder=tmp_path).findings.counts() == {}
    assert [fault for _, _, fault in check.check_file(str(tmp_path / "items.jsonl"))] == [None] * 3
    flawed = verify(EXAMPLES / "flawed.jsonl")
    assert flawed.findings.counts() == {
        "wrong-first-error": 1, "wrong-label": 1, "wrong-step-verdict": 1,
    }  # fmt: skip
    assert flawed.metrics["lucky"] == 1


def test_processes_write_the_same_bytes(tmp_path: Path) -> None:
    verify(EXAMPLES / "right.jsonl", folder=tmp_path / "one")
    verify(EXAMPLES / "right.jsonl", folder=tmp_path / "two", jobs=2)
    assert (tmp_path / "one/items.jsonl").read_bytes() == (
        tmp_path / "two/items.jsonl"
    ).read_bytes()


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"claim": "A happens before B"}, "premise"),
        ({"premise": PREMISE, "claim": "A blorbs B", "steps": []}, "claim of trace 1"),
        ({"premise": PREMISE, "claim": "A happens before B"}, "steps: found neither"),
        ({"premise": PREMISE, "claim": "A happens before B", "steps": [], "trace": ""},
         "steps: found both"),
        ({"premise": PREMISE, "claim": "A happens before B", "trace": "x", "first_error": 4},
         "first_error: found 4, expected -1 to 0"),
        ({"premise": PREMISE, "claim": "A happens before B", "trace": "x", "label": "maybe"},
         "label: found 'maybe'"),
        ({"premise": PREMISE, "claim": "A happens before B", "trace": "x", "policy": "odd"},
         "policy: found 'odd', expected local, global, published"),
        ({"premise": PREMISE, "claim": "A happens before B",
          "steps": [{"text": "x", "verdict": "y"}]}, "verdict: found 'y'"),
    ],
)  # fmt: skip
def test_broken_rows_are_unread_with_a_reason(
    tmp_path: Path, row: dict[str, object], message: str
) -> None:
    good = {"premise": PREMISE, "claim": "A happens before B", "trace": "Answer: True"}
    report = verify(written(tmp_path / "rows.jsonl", row, good), "traces")
    assert report.exit_status == 2
    assert report.rows == 1
    (unread,) = report.unreadable
    assert unread.where.startswith(str(tmp_path / "rows.jsonl:1"))
    assert message in unread.message


def test_policies_decide_the_answer(tmp_path: Path) -> None:
    torn = (
        f"{PREMISE}. The end of C happened before the start of D. The end of D happened before the "
        "start of C"
    )
    row = {"premise": torn, "claim": "A happens before B", "trace": "Answer: True"}
    policies = ("local", "global", "published")
    path = written(tmp_path / "rows.jsonl", *({**row, "policy": name} for name in policies))
    verify(path, "traces", folder=tmp_path)
    assert [line["first_error"] for line in rows(tmp_path)] == [-1, 0, -1]
    assert all(fault is None for _, _, fault in check.check_file(str(tmp_path / "items.jsonl")))


@pytest.mark.parametrize("policy", ["local", "global", "published"])
@pytest.mark.parametrize(
    "forged",
    [{"label": "false"}, {"status": "refuted"}, {"consistent": False}, {"hops": 2}],
)
def test_the_verdict_of_the_item_is_proved_under_every_policy(
    tmp_path: Path, policy: str, forged: dict[str, object]
) -> None:
    row = {"premise": PREMISE, "claim": "A happens before B", "trace": "A ends.", "policy": policy}
    verify(written(tmp_path / "rows.jsonl", row), "traces", folder=tmp_path)
    (line,) = rows(tmp_path)
    line["verdict"] |= forged  # type: ignore[operator]
    written(tmp_path / "items.jsonl", line)
    ((_, _, fault),) = check.check_file(str(tmp_path / "items.jsonl"))
    assert fault


@pytest.mark.parametrize(
    "damage",
    [
        {"first_error": 0}, {"steps": []}, {"verdict": None},
        {"premise": "The end of B happened before the start of A"},
        {"domain": "odd"}, {"policy": "odd"}, {"claim": 3},
    ],
)  # fmt: skip
def test_damaged_lines_are_rejected(tmp_path: Path, damage: dict[str, object]) -> None:
    row = {"premise": PREMISE, "claim": "A happens before B", "trace": "B ends before A starts."}
    verify(written(tmp_path / "rows.jsonl", row), "traces", folder=tmp_path)
    (line,) = rows(tmp_path)
    (row_of_check,) = check.check_file(str(written(tmp_path / "good.jsonl", line)))
    assert row_of_check[2] is None
    broken = line | ({"first_error": -1} if damage == {"first_error": 0} else damage)
    (row_of_check,) = check.check_file(str(written(tmp_path / "bad.jsonl", broken)))
    assert row_of_check[2] is not None


def test_the_checker_runs_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    verify(EXAMPLES / "right.jsonl", folder=tmp_path)
    assert check.main([str(tmp_path / "items.jsonl")]) == 0
    assert capsys.readouterr().out == "3 traces, 0 rejected\n"
    assert check.main(["--json", str(tmp_path / "missing.jsonl")]) == 2
    assert check.main([]) == 2


def test_steps_are_explained() -> None:
    run = CliRunner().invoke(explain, ["--trace", "open-2", str(EXAMPLES / "flawed.jsonl")])
    assert run.exit_code == 0
    assert "two timelines fit the premise" in run.output
    assert "first wrong step: 0" in run.output
    run = CliRunner().invoke(
        explain, ["--trace", "torn-1", str(EXAMPLES / "right.jsonl"), "--json"]
    )
    assert json.loads(run.output)["first_error"] == -1
    run = CliRunner().invoke(explain, ["--trace", "none", str(EXAMPLES / "right.jsonl")])
    assert isinstance(run.exception, HopcheckError)
    assert "found no trace with the id 'none'" in str(run.exception)


def test_the_python_interface_decides_a_trace() -> None:
    verdict = hopcheck.traces.check(
        PREMISE, "A happens before B", ["A ends before B starts.", "False"]
    )
    assert [step.verdict for step in verdict.steps] == [
        StepVerdict.RESTATED,
        StepVerdict.CONTRADICTS,
    ]
    with pytest.raises(hc.ArgumentError, match="policy"):
        hopcheck.traces.check(PREMISE, "A happens before B", "True", policy="odd")
    with pytest.raises(HopcheckError):
        hopcheck.traces.check("nonsense", "A happens before B", "True")
