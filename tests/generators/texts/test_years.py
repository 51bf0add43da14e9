"""Texts in another year: facts and dates move together, weekdays are recomputed."""

from __future__ import annotations

import ast
import gzip
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from generators.cli import command
from generators.texts.run import shift_date, shift_text
from grammar.dates import find_dates
from grammar.errors import UnwritableError
from grammar.texts.model import TextFact
from solver.texts.settings import Reading, TextSettings
from solver.verification.report import Kind, VerifyReport
from solver.verification.run import verify

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "texts"


def check(texts: str, facts: str, **settings: Reading) -> VerifyReport:
    return verify(texts, Kind.TEXTS, config=TextSettings(facts=facts, **settings))


def fact(day: date, subject: str = "Ada", obj: str = "Ben") -> TextFact:
    return TextFact(subject=subject, relation="founder", object=obj, date=day)


@pytest.mark.parametrize(
    ("text", "day", "years", "expected"),
    [
        ("Ada was founded by Ben on Sun, 2026-03-01.", (2026, 3, 1), -4,
         "Ada was founded by Ben on Tue, 2022-03-01."),
        ("Thu, February 29th, 2024 – The record. Ada was founded by Ben on 2024-02-29.",
         (2024, 2, 29), 2, "Sat, February 28th, 2026 – The record. "
         "Ada was founded by Ben on 2026-02-28."),
        ("On SUNDAY, MARCH 1, 2026, Ben gave life to Ada.", (2026, 3, 1), -4,
         "On TUESDAY, MARCH 1, 2022, Ben gave life to Ada."),
        ("Sun Mar 1st 2026: Ada begins, says Ben.", (2026, 3, 1), 1,
         "Mon Mar 1st 2027: Ada begins, says Ben."),
        ("Ben gave life to Ada on Thursday, 29 February 2024.", (2024, 2, 29), 1,
         "Ben gave life to Ada on Friday, 28 February 2025."),
        ("Ben and Ada, 1 March 2026, founded 12 houses in 2026.", (2026, 3, 1), 10,
         "Ben and Ada, 1 March 2036, founded 12 houses in 2026."),
    ],
)  # fmt: skip
def test_texts_are_moved(text: str, day: tuple[int, int, int], years: int, expected: str) -> None:
    found = shift_text(text, (fact(date(*day)),), years)
    assert found.text == expected
    assert found.facts == (fact(shift_date(date(*day), years)),)


def test_dates_within_names_stay() -> None:
    text_fact = fact(date(2026, 3, 1), subject="Pact of May 5, 1990")
    text = "Ben signed the Pact of May 5, 1990 on March 1, 2026."
    assert (
        shift_text(text, (text_fact,), 1).text
        == "Ben signed the Pact of May 5, 1990 on March 1, 2027."
    )


@pytest.mark.parametrize("years", [-2026, 8000])
def test_the_calendar_ends(years: int) -> None:
    with pytest.raises(UnwritableError, match="found the year"):
        shift_date(date(2026, 3, 1), years)


def test_examples_are_moved_and_right(tmp_path: Path) -> None:
    arguments = ["moved-texts", str(EXAMPLES / "right.txt"), "--facts"]
    arguments += [str(EXAMPLES / "references.txt"), "--years", "-4", "--out", str(tmp_path)]
    assert CliRunner().invoke(command, arguments).exit_code == 0
    checked = check(str(tmp_path / "descriptions.txt"), str(tmp_path / "references.txt"))
    assert (checked.rows, checked.findings.counts()) == (4, {})
    refused = CliRunner().invoke(command, [*arguments, "--years", "9000"])
    assert refused.exit_code == 2
    assert "right.txt:1: found the year" in refused.stderr


def test_released_texts_keep_true_weekdays(shared: Path) -> None:
    """The released sets moved by their authors have false weekdays in most texts; these do not."""
    folder = shared / "data" / "yago2026" / "yago2026"
    with gzip.open(folder / "single.descriptions.txt.gz", "rt", encoding="utf-8") as file:
        texts = file.read().splitlines()
    lines = (folder / "single.references.txt").read_text(encoding="utf-8").splitlines()
    weekdays = false = 0
    # Every third text, to save time.
    for text, line in list(zip(texts, lines, strict=True))[::3]:
        facts = tuple(
            TextFact(subject=s, relation=r, object=o, date=date.fromisoformat(t))
            for s, r, o, t in ast.literal_eval(line)
        )
        later = list(find_dates(shift_text(text, facts, -4).text))
        weekdays += any(found_date.weekday is not None for found_date in later)
        false += any(found_date.false_weekday for found_date in later)
    assert weekdays > 500
    assert false == 0


def test_moved_texts_of_other_origin_keep_their_mentions(tmp_path: Path) -> None:
    text = "Sunday, March 1, 2026 saw Ada born of Ben."
    found = shift_text(text, (fact(date(2026, 3, 1)),), -4)
    (tmp_path / "t.txt").write_text(f"{found.text}\n", encoding="utf-8")
    (tmp_path / "f.txt").write_text("[['Ada', 'founder', 'Ben', '2022-03-01']]\n")
    names = check(str(tmp_path / "t.txt"), str(tmp_path / "f.txt"), reading=Reading.NAMES)
    assert set(names.findings.counts()) == {"unverified"}
