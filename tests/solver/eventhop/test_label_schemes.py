"""Label schemes: the words of a benchmark for each status, in every format, read and corrected."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import hopcheck as hc
from grammar.eventhop.model import Policy, Status
from solver.cli import run
from solver.eventhop.correction import correct
from solver.eventhop.engines import ItemSettings
from solver.eventhop.labels import SCHEMES, LabelScheme, SchemeError

TEXTS = {
    "entailed": ("The end of A happened before the start of B", "A happens before B"),
    "refuted": ("The end of A happened before the start of C", "A happens after C"),
    "unknown": ("The end of A happened before the start of B", "B happens before D"),
    "contradictory": (
        "The end of A happened before the start of B. The end of B happened before the start of A",
        "A happens before B",
    ),
}

OWN = "entailed=J,refuted=N,unknown=?,contradictory=X"

# Written from the tables of the documentation, not from the code.
WORDS = {
    "nli3": ("entailment", "contradiction", "neutral", "contradiction"),
    "nli2": ("entailment", "not_entailment", "not_entailment", "not_entailment"),
    "yes-no": ("yes", "no", "no", "no"),
    OWN: ("J", "N", "?", "X"),
}
NUMBERS = {
    "nli3": ("entailment", "neutral", "contradiction"),
    "nli2": ("entailment", "not_entailment"),
    "yes-no": ("no", "yes"),
    OWN: ("J", "N", "?", "X"),
}

Row = Mapping[str, object]


def json_lines(rows: Sequence[Row], path: Path) -> None:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))


def table(delimiter: str) -> Callable[[Sequence[Row], Path], None]:
    def write(rows: Sequence[Row], path: Path) -> None:
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, list(rows[0]), delimiter=delimiter, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        path.write_text(text.getvalue())

    return write


def parquet(rows: Sequence[Row], path: Path) -> None:
    pq.write_table(pa.Table.from_pylist(list(rows)), path)


FORMATS = {"jsonl": json_lines, "csv": table(","), "tsv": table("\t"), "parquet": parquet}


def rows_of(scheme: str, *, numbered: bool = False) -> list[dict[str, object]]:
    """An item of each status, once with the right word, and once with each wrong one."""
    rows: list[dict[str, object]] = []
    for (status, (premise, claim)), right in zip(TEXTS.items(), WORDS[scheme], strict=True):
        for word in dict.fromkeys((right, *WORDS[scheme])):
            rows.append(
                {
                    "id": f"{status} {word}",
                    "premise": f"{premise}. The end of E{len(rows)} happened before the start of F",
                    "claim": claim,
                    "label": NUMBERS[scheme].index(word) if numbered else word,
                }
            )
    return rows


def wrong(scheme: str) -> int:
    return sum(len(set(WORDS[scheme])) - 1 for _ in TEXTS)


@pytest.mark.parametrize("numbered", [False, True], ids=["words", "numbers"])
@pytest.mark.parametrize(("scheme", "form"), list(product(WORDS, FORMATS)))
def test_a_corrected_copy_is_right(tmp_path: Path, scheme: str, form: str, numbered: bool) -> None:
    rows = rows_of(scheme, numbered=numbered)
    path, fixed = tmp_path / f"own.{form}", tmp_path / f"fixed.{form}"
    FORMATS[form](rows, path)
    settings = ItemSettings(labels=LabelScheme.parse(scheme))
    assert hc.verify(path, labels=scheme).findings.counts() == {"wrong-label": wrong(scheme)}
    assert len(correct(path, fixed, settings)) == wrong(scheme)
    assert hc.verify(fixed, labels=scheme).exit_status == 0
    if form == "jsonl":
        right = dict(zip(TEXTS, WORDS[scheme], strict=True))
        for row in map(json.loads, fixed.read_text().splitlines()):
            word = right[row["id"].partition(" ")[0]]
            assert row["label"] == (NUMBERS[scheme].index(word) if numbered else word)


@pytest.mark.parametrize("scheme", WORDS)
def test_rows_of_tables_are_read_alike(scheme: str) -> None:
    for numbered in (False, True):
        report = hc.verify(rows_of(scheme, numbered=numbered), labels=scheme)
        assert report.findings.counts() == {"wrong-label": wrong(scheme)}


def test_a_neutral_item_with_gold_contradiction_is_corrected(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "snli.jsonl"
    premise, claim = TEXTS["unknown"]
    row = {"gold_label": "contradiction", "sentence1": premise, "sentence2": claim, "pairID": "1"}
    unlabelled = {**row, "gold_label": "-", "sentence2": "B happens before E"}
    json_lines([row, unlabelled], path)
    fixed = tmp_path / "fixed.jsonl"
    assert run(["verify", str(path), "--labels", "nli3", "--fixed", str(fixed)]) == 1
    out = capsys.readouterr().out
    assert "gold contradiction, decided neutral" in out
    assert json.loads(fixed.read_text().splitlines()[0]) == {**row, "gold_label": "neutral"}
    assert run(["verify", str(fixed), "--labels", "nli3"]) == 0


@pytest.mark.parametrize("policy", [Policy.LOCAL, Policy.GLOBAL])
def test_a_contradiction_elsewhere_counts_under_global(policy: Policy) -> None:
    premise = f"{TEXTS['contradictory'][0]}. The end of C happened before the start of D"
    rows = [{"premise": premise, "claim": "C happens before D", "label": "J"}]
    expected = 0 if policy is Policy.LOCAL else 1
    assert hc.verify(rows, labels=OWN, policy=policy.value).exit_status == expected


@pytest.mark.parametrize("text", ["nli3", " NLI3 ", OWN, OWN.replace("=", " = ")])
def test_schemes_are_read(text: str) -> None:
    scheme = LabelScheme.parse(text)
    assert scheme is not None
    name = "nli3" if "nli" in text.lower() else OWN
    assert tuple(scheme.words[status] for status in Status) == WORDS[name]
    assert scheme.order == NUMBERS[name]
    assert LabelScheme.parse("eventhop") is None
    assert set(SCHEMES) == {"nli3", "nli2", "yes-no"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nli4", "found 'nli4', expected eventhop, nli3, nli2, yes-no or STATUS=WORD"),
        ("entailed=a,refuted=b", "no word for unknown, contradictory"),
        ("entailed=a,entailed=b,refuted=c,unknown=d,contradictory=e", "entailed twice"),
        ("true=a", "found 'true=a'"),
        ("", "found ''"),
    ],
)
def test_other_texts_are_refused(text: str, message: str) -> None:
    with pytest.raises(SchemeError, match="expected") as caught:
        LabelScheme.parse(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "arguments",
    [
        {"labels": "nli9"},
        {"labels": {"entailed": "a"}},
        {"columns": {"x": "y"}},
        {"policy": "locl"},
        {"kind": "evnthop"},
        {"labels": "nli3", "policy": "published"},
        {"labels": "nli3", "kind": "links"},
        {"names": ["A"], "kind": "tkg"},
        {"probes": "some"},
    ],
)
def test_messages_of_python_name_arguments(arguments: dict[str, object]) -> None:
    with pytest.raises(hc.HopcheckError) as caught:
        hc.verify(rows_of("nli3"), **arguments)  # type: ignore[arg-type]
    assert "--" not in str(caught.value)
    assert any(name in str(caught.value) for name in arguments)


def test_a_word_that_is_none_is_unread(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    json_lines([{**rows_of("nli3")[0], "label": "Maybe"}], path)
    report = hc.verify(path, labels="nli3")
    assert report.exit_status == 2
    (error,) = (entry.message for entry in report.unreadable)
    assert "found 'Maybe', expected entailment or neutral or contradiction" in error


def test_an_item_is_explained_in_the_words_of_its_scheme(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "own.jsonl"
    premise = "the end of A happened before the start of B"
    row = {"name": "p1", "sentence1": premise, "sentence2": "B happens before A"}
    json_lines([{**row, "gold_label": "neutral"}], path)
    options = ["--labels", "nli3", "--map", "id=name"]
    assert run(["explain", str(path), "--id", "p1", *options]) == 0
    shown = capsys.readouterr().out
    assert "label contradiction" in shown
    assert "gold label neutral: wrong" in shown
    explained = hc.explain(path, id="p1", labels="nli3", columns={"id": "name"})
    assert (explained.label, explained.gold) == ("contradiction", "neutral")
    given = {"context": premise, "claim": "A happens before B", "answer": "Yes"}
    explained = hc.explain(given, labels="yes-no", columns={"premise": "context", "gold": "answer"})
    assert (explained.label, explained.gold) == ("yes", "yes")
    with pytest.raises(hc.HopcheckError, match="labels: found 'odd'"):
        hc.explain(given, labels="odd")
