"""``ablate``, ``compare``, ``diagnose``, ``repair`` and scores of chains, as by the commands."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hopcheck as hc
from solver.cli import run

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
ITEMS, ANSWERS = EXAMPLES / "reasoners" / "items.tsv", EXAMPLES / "reasoners" / "answers.jsonl"
CHAINS, CRITIC = EXAMPLES / "traces" / "right.jsonl", EXAMPLES / "traces" / "critic.jsonl"

CASES: dict[str, tuple[list[object], Callable[[], hc.Result]]] = {
    "ablate": (["ablate", ITEMS], lambda: hc.ablate(ITEMS)),
    "compare": (
        ["compare", f"A={ANSWERS}", f"B={ANSWERS}", f"B={ANSWERS}", "--data", ITEMS],
        lambda: hc.compare({"A": ANSWERS, "B": [ANSWERS, ANSWERS]}, ITEMS),
    ),
    "diagnose": (
        ["diagnose", ANSWERS, "--data", ITEMS, "--seed", 3],
        lambda: hc.diagnose(ANSWERS, ITEMS, seed=3),
    ),
    "repair": (["repair", EXAMPLES / "links"], lambda: hc.repair(EXAMPLES / "links")),
    "traces": (
        ["score", "traces", CRITIC, "--data", CHAINS, "--threshold", 0.4],
        lambda: hc.score("traces", CRITIC, CHAINS, threshold=0.4),
    ),
}


def printed(capsys: pytest.CaptureFixture[str], arguments: list[object]) -> dict[str, Any]:
    run([*map(str, arguments), "--json"])
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("name", CASES)
def test_figures_are_those_of_the_command(
    capsys: pytest.CaptureFixture[str], name: str, tmp_path: Path
) -> None:
    arguments, call = CASES[name]
    found = call()
    expected = printed(capsys, arguments)
    figures = json.loads(json.dumps(found.figures))
    for timed in (expected, figures):
        timed.pop("seconds", None)
    assert figures == expected
    page = found.write(tmp_path / "report")
    assert page.is_file()
    assert (tmp_path / "report" / "manifest.json").is_file()
    assert "<table" in found._repr_html_()


def test_rows_in_memory_are_read(notebook: None) -> None:  # noqa: ARG001
    premise = "the end of A happened before the start of B"
    items = [
        {"id": str(number), "premise": premise, "claim": claim}
        for number, claim in enumerate(["A happens before B", "B happens before A"] * 6)
    ]
    answers = [{"id": item["id"], "answer": "true"} for item in items]
    assert hc.ablate(items).figures["items"] == 12
    frame = hc.diagnose(answers, items).to_pandas()
    assert frame.set_index("name")["value"]["answers"] == 12


def test_repaired_documents_are_written_and_consistent(tmp_path: Path) -> None:
    out = tmp_path / "repaired"
    found = hc.repair(EXAMPLES / "links", out=out, weights={("harbour", "l6"): 9})
    assert found.figures["removed_links"]["harbour"] != ["l6"]
    files = [path for path in out.iterdir() if path.suffix == ".tml"]
    assert hc.verify(files, kind="links").exit_status == 0


@pytest.mark.parametrize(("name", "call"), [("close", hc.close), ("reduce", hc.reduce)])
def test_documents_with_other_links_are_those_of_the_command(
    capsys: pytest.CaptureFixture[str], name: str, call: Callable[..., Any], tmp_path: Path
) -> None:
    for options in ({}, {"reading": "allen", "during": "simultaneous", "dates": True}):
        words = [
            f"--{option}" if text is True else f"--{option}={text}"
            for option, text in options.items()
        ]
        assert run([name, str(EXAMPLES / "links"), *words]) == 1  # one contradicts itself
        printed_rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        found = call(EXAMPLES / "links", **options, folder=tmp_path / str(len(options)))
        assert list(found) == printed_rows
        assert found.left_out == ("harbour",)
        assert hc.verify(list(found), kind="links").exit_status == 0
        assert run([name, str(EXAMPLES / "links"), *words, "--folder", str(tmp_path / "by")]) == 1
        files = sorted((tmp_path / "by").iterdir())
        assert [path.read_bytes() for path in files] == [
            (tmp_path / str(len(options)) / path.name).read_bytes() for path in files
        ]
        again = json.loads(found.write(tmp_path / "rows.jsonl").read_text().splitlines()[0])
        assert again == printed_rows[0]
        for path in files:
            path.unlink()
        (tmp_path / "by").rmdir()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: hc.compare({"A": ANSWERS}, ITEMS), "expected at least two"),
        (lambda: hc.diagnose(ANSWERS, ITEMS, domain="place"), "found domain='place'"),
        (lambda: hc.repair(EXAMPLES / "links", reading="strict"), "found reading='strict'"),
        (lambda: hc.repair(EXAMPLES / "no-such"), "no-such"),
        (lambda: hc.close(EXAMPLES / "no-such"), "no-such"),
        (lambda: hc.reduce(EXAMPLES / "links", during="between"), "found during='between'"),
        (lambda: hc.ablate([{"id": "1"}]), "premise"),
    ],
)
def test_wrong_arguments_are_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(hc.HopcheckError, match=message):
        call()
