"""Phrase files on the command line, and the phrases that certificates carry."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

import hopcheck as hc
from grammar.eventhop.model import Domain
from grammar.eventhop.reader import reader
from grammar.phrases import Phrase, PhraseFile
from solver.cli import run
from solver.eventhop import check
from solver.eventhop.check import RejectedError, check_row
from solver.eventhop.engines import ItemSettings, phrase_files
from solver.eventhop.io import read_records
from solver.eventhop.outcomes import ItemDecider

FILE = """domain = "temporal"
[[phrase]]
text   = "{A} kicked off right after {B} wrapped up"
means  = ["start of A after end of B"]
not    = ["{A} kicked off long before {B} wrapped up"]
"""
PREMISE = "The show kicked off right after the gig wrapped up"
CLAIM = "gig happens before show"


@pytest.fixture
def club(tmp_path: Path) -> str:
    path = tmp_path / "club.toml"
    path.write_text(FILE, encoding="utf-8")
    return str(path)


@pytest.fixture
def items(tmp_path: Path) -> str:
    path = tmp_path / "items.jsonl"
    path.write_text(json.dumps({"premise": PREMISE, "claim": CLAIM, "label": "true"}) + "\n")
    return str(path)


def test_the_rows_are_unread_without_the_file(items: str, club: str, tmp_path: Path) -> None:
    folder = str(tmp_path / "run")
    assert run(["verify", items, "--probes", "none"]) == 2
    assert run(["verify", items, "--probes", "none", "--phrases", club, "--report", folder]) == 0
    assert run(["check", folder]) == 0
    assert run(["parse", items, "--phrases", club]) == 0
    assert run(["parse", items]) == 2


def test_texts(club: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--premise", PREMISE, "--claim", CLAIM, "--phrases", club]
    assert run(["parse", *words]) == 0
    assert '"left":"gig"' in capsys.readouterr().out
    assert run(["explain", *words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["phrases"][0]["domain"] == "temporal"


def test_a_refused_file(club: str, items: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(club).write_text(FILE.replace("start of A after end of B", "start of B after end of A"))
    for words in (["verify", items], ["parse", items], ["explain", items, "--id", "1"],
                  ["prompts", "eventhop", items],
                  ["generate", "eventhop", "--out", f"{club}.made"]):  # fmt: skip
        assert run([*words, "--phrases", club]) == 2
        error = capsys.readouterr().err
        assert f'{club}:3:1: phrase "{{A}} kicked off right after {{B}} wrapped up"' in error
        assert "swap the events of the meaning" in error
    assert not Path(f"{club}.made").exists()


def test_generated_texts_are_read_back_with_the_file(club: str, tmp_path: Path) -> None:
    sizes = ["--split", "test", "--test-size", "60", "--shape", "8x16"]
    plain, worded = tmp_path / "plain", tmp_path / "worded"
    assert run(["generate", "eventhop", *sizes, "--out", str(plain)]) == 0
    assert run(["generate", "eventhop", *sizes, "--out", str(worded), "--phrases", club]) == 0
    assert (plain / "test.jsonl").read_bytes() == (worded / "test.jsonl").read_bytes()
    config = json.loads((worded / "manifest.json").read_text())["config"]
    (digest,) = config["phrases"]
    assert (
        digest
        == hc.explain(premise=PREMISE, claim=CLAIM, phrases=club).as_json()["phrases"][0]["digest"]
    )


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda row: row["phrases"][0].update(digest="0" * 64), "the digest .* does not fit"),
        (
            lambda row: row["phrases"][0]["phrase"][0].update(
                means=["start of A after start of B"]
            ),
            "the digest .* does not fit",
        ),
        (lambda row: row["phrases"][0].update(domain="spatial"), "the digest .* does not fit"),
        (lambda row: row.update(phrases=[]), "no sentence"),
        (lambda row: row.pop("phrases"), "no sentence"),
        (lambda row: row.update(phrases={}), "not an array"),
        (lambda row: row["phrases"][0].pop("domain"), "has the fields"),
        (lambda row: row["phrases"][0]["phrase"][0].update(text=3), "digest"),
        (lambda row: row.update(premise=PREMISE.replace("right", "never")), "no sentence|no part"),
    ],
)
def test_changed_certificates_are_rejected(
    change: Callable[[dict[str, Any]], object], reason: str
) -> None:
    row = hc.explain(premise=PREMISE, claim=CLAIM, phrases=FILE).as_json()
    check_row(row)
    change(row)
    with pytest.raises(RejectedError, match=reason):
        check_row(row)


def test_a_changed_file_with_its_digest_is_another_text() -> None:
    """The digest names the file; the verdict is proved for what that file says."""
    other = FILE.replace("start of A after end of B", "start of A after start of B")
    row = hc.explain(premise=PREMISE, claim=CLAIM, phrases=FILE).as_json()
    loose = hc.explain(premise=PREMISE, claim=CLAIM, phrases=other).as_json()
    assert (row["verdict"]["status"], loose["verdict"]["status"]) == ("entailed", "unknown")
    row["phrases"] = loose["phrases"]
    with pytest.raises(RejectedError):
        check_row(row)


def test_one_process_or_several(items: str, club: str, tmp_path: Path) -> None:
    rows = []
    for jobs in ("1", "2"):
        folder = tmp_path / jobs
        words = ["--probes", "none", "--phrases", club, "--jobs", jobs, "--report", str(folder)]
        assert run(["verify", items, *words]) == 0
        rows.append((folder / "items.jsonl").read_bytes())
    assert rows[0] == rows[1]


def _swapped(rows: Iterable[Any]) -> list[Any]:
    """The converse of relations of A and B."""
    other = {"A": "B", "B": "A"}
    return [_exchange(row, other) for row in rows]


def _exchange(row: Any, other: dict[str, str]) -> Any:
    (left, first), sign, (right, last) = row
    parts = (other[left], first), sign, (other[right], last)
    return type(row)(*parts) if hasattr(row, "_fields") else parts


@pytest.mark.parametrize("side", ["reader", "checker", "digest", "names"])
def test_planted_faults_stop_the_run(
    side: str, monkeypatch: pytest.MonkeyPatch, items: str, club: str
) -> None:
    """A converse meaning or swapped names in one of the readers: never a verdict."""
    check._others.cache_clear()
    text = Path(club).read_text().replace("kicked off right after", f"kicked off {side} after")
    Path(club).write_text(text)
    row = json.loads(Path(items).read_text())
    row["premise"] = row["premise"].replace("right after", f"{side} after")
    Path(items).write_text(json.dumps(row) + "\n")
    settings = ItemSettings(phrases=phrase_files([club]))
    if side == "reader":
        found = reader(Domain.TEMPORAL, phrases=settings.phrases)._wordings
        assert found is not None
        for phrase, rows in list(found._meanings.items()):
            monkeypatch.setitem(found._meanings, phrase, tuple(_swapped(rows)))  # type: ignore[arg-type]
    elif side == "checker":
        meant = check._meant
        monkeypatch.setattr(check, "_meant", lambda *given: _swapped(meant(*given)))
    elif side == "digest":
        monkeypatch.setattr(PhraseFile, "as_json", _without_its_digest)
    else:
        matches = Phrase.matches

        def turned(*given: Any) -> Iterator[dict[str, str]]:
            for names in matches(*given):
                yield {"A": names["B"], "B": names["A"]}

        monkeypatch.setattr(Phrase, "matches", turned)
    with pytest.raises(hc.HopcheckError) as raised:
        list(ItemDecider(settings).outcomes(list(read_records(items))))
    assert raised.value.exit_status == 4
    check._others.cache_clear()


_AS_JSON = PhraseFile.as_json


def _without_its_digest(file: PhraseFile) -> dict[str, Any]:
    return _AS_JSON(file) | {"digest": "0" * 64}
