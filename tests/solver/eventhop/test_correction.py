"""``verify --fixed``: the corrected copy is right, and nothing else is changed."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path

import pytest

import hopcheck as hc
from solver.cli import run

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


def verified(path: Path, *options: object) -> int:
    return run(["verify", str(path), *map(str, options), "--json"])


def changes(path: Path) -> list[dict[str, str]]:
    with Path(f"{path}.changes.tsv").open(newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def test_the_published_format(tmp_path: Path) -> None:
    source, fixed = EXAMPLES / "flawed.tsv", tmp_path / "fixed.tsv"
    assert verified(source, "--fixed", fixed) in (1, 2)
    assert verified(fixed) == 0
    before, after = source.read_text().splitlines(), fixed.read_text().splitlines()
    removed = {int(change["line"]) for change in changes(fixed) if not change["field"]}
    edited = {int(change["line"]) for change in changes(fixed) if change["field"]}
    kept = [line for number, line in enumerate(before, 1) if number not in removed]
    assert len(kept) == len(after)
    numbers = [number for number in range(1, len(before) + 1) if number not in removed]
    differing = {n for n, old, new in zip(numbers, kept, after, strict=True) if old != new}
    assert differing == edited != set()


@pytest.mark.parametrize("form", ["jsonl", "parquet", "csv", "tsv", "mapped", "nine"])
def test_every_format(tmp_path: Path, form: str) -> None:
    """Damaged labels, declarations and hops are restored; what was right is left as it is."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    items = list(hc.generate("eventhop", split="test", test_size=18, shapes=["8x8"], seed=3))
    damaged = [dict(item) for item in items]
    draw = random.Random(form)
    for row in draw.sample(damaged, 9):
        row["label"] = draw.choice(
            [value for value in ("true", "false", "undefined") if value != row["label"]]
        )
        row["declared"] = {"possible": "impossible", "impossible": "possible"}[row["declared"]]
        if row.get("hops") is not None:
            row["hops"] += 1
    suffix = {"mapped": "csv", "nine": "tsv"}.get(form, form)
    path, fixed = tmp_path / f"in.{suffix}", tmp_path / f"out.{suffix}"
    options: list[str] = []
    words = {"true": "entailment", "false": "other", "undefined": "broken"}

    def write(rows: list[dict[str, object]], to: Path) -> None:
        nonlocal options
        if form == "jsonl":
            to.write_text("".join(json.dumps(row) + "\n" for row in rows))
        elif form == "parquet":
            pq.write_table(pa.Table.from_pylist(rows), to)
        elif form in ("csv", "mapped"):
            names = ["id", "declared", "hops", "premise", "claim", "label"]
            shown = [{n: row.get(n) for n in names} for row in rows]
            if form == "mapped":
                options = ["--map", "gold=answer,entailment=true,other=false,broken=undefined"]
                for record in shown:
                    record["answer"] = words[str(record.pop("label"))]
            with to.open("w", newline="") as file:
                writer = csv.DictWriter(file, list(shown[0]), delimiter=";")
                writer.writeheader()
                writer.writerows(shown)
        else:
            order = [
                "id",
                "declared",
                "forced",
                "relation",
                "events",
                "relations",
                "event_distance",
            ]
            if form == "nine":
                order.remove("forced")
            text = {True: "true", False: "false", None: ""}
            lines = []
            for row in rows:
                cells = [row.get(name) for name in (*order, "premise", "claim", "label")]
                lines.append(
                    "\t".join(
                        text.get(cell, str(cell))
                        if not isinstance(cell, int) or isinstance(cell, bool)
                        else str(cell)
                        for cell in cells
                    )
                )
            to.write_text("\n".join(lines) + "\n")

    write(damaged, path)
    assert verified(path, *options, "--fixed", fixed) == 1
    assert verified(fixed, *options) == 0
    right = tmp_path / f"right.{suffix}"
    write(items, right)
    if form == "parquet":
        assert pq.read_table(fixed).to_pylist() == pq.read_table(right).to_pylist()
    elif form == "jsonl":
        read = [json.loads(line) for line in fixed.read_text().splitlines()]
        assert read == [json.loads(line) for line in right.read_text().splitlines()]
    else:
        assert fixed.read_bytes() == right.read_bytes()
    assert len({change["line"] for change in changes(fixed)}) == 9


def test_the_findings_have_cause_status_and_hops() -> None:
    pytest.importorskip("pandas")
    frame = hc.verify(EXAMPLES / "flawed.tsv").findings.to_pandas()
    names = ["id", "code", "where", "message", "causes", "status", "hops", "certificate_id"]
    assert list(frame.columns) == [*names, "certificate"]
    wrong = frame[frame.code == "wrong-label"]
    assert len(wrong)
    assert wrong.certificate_id.str.fullmatch("[0-9a-f]{16}").all()


def test_a_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [str(EXAMPLES / "right.tsv"), str(EXAMPLES / "flawed.tsv")]
    assert run(["verify", *paths, "--fixed", str(tmp_path / "out.tsv")]) == 2
    assert "--fixed takes one file" in capsys.readouterr().err


def test_formulas_are_marked_in_the_table_of_changes(tmp_path: Path) -> None:
    """The corrected copy keeps ids as they are; in the table a spreadsheet reads them as text."""
    premise, claim = "the end of A happened before the start of B", "A happens before B"
    ids = ["=1+1", "+1", "@sum", "-1", "a=b"]
    rows = [
        {"id": id, "premise": premise.replace("A", f"A{n}"), "claim": claim.replace("A", f"A{n}")}
        for n, id in enumerate(ids)
    ]
    path, fixed = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    path.write_text("".join(json.dumps(row | {"label": "false"}) + "\n" for row in rows))
    assert verified(path, "--fixed", fixed) == 1
    assert [change["id"] for change in changes(fixed)] == ["'=1+1", "'+1", "'@sum", "-1", "a=b"]
    assert [json.loads(line)["id"] for line in fixed.read_text().splitlines()] == ids


@pytest.mark.parametrize(
    ("scheme", "found", "right"),
    [("yes-no", [False, False], [True, False]), ("yes-no", [True, True], [True, False]),
     ("nli3", [1, 1], [0, 2]), ("nli2", [1, 0], [0, 1])],
)  # fmt: skip
def test_labels_keep_their_type(
    scheme: str, found: list[object], right: list[object], tmp_path: Path
) -> None:
    premise = "The end of A happened before the start of B"
    path, fixed = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    claims = ("A happens before B", "B happens before A")
    rows = [
        {"id": str(n), "premise": premise, "claim": claim, "label": label}
        for n, (claim, label) in enumerate(zip(claims, found, strict=True))
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert verified(path, "--labels", scheme, "--fixed", fixed) == 1
    labels = [json.loads(line)["label"] for line in fixed.read_text().splitlines()]
    assert labels == right
    assert list(map(type, labels)) == list(map(type, right))
    assert verified(fixed, "--labels", scheme) == 0
