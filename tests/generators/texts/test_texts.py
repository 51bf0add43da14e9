"""``generate texts``: the same bytes for a seed, headlines near their facts, nothing lost."""

from __future__ import annotations

import ast
import json
import random
from collections import Counter
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generators.cli import command
from generators.texts.run import DraftSettings, draft
from grammar.dates import DateStyle
from grammar.texts.model import Link, Naming, TextFact, clashes
from grammar.texts.phrases import phrase_table
from grammar.texts.reader import read_text
from grammar.texts.writer import write_text
from solver.texts.settings import Reading, TextSettings
from solver.verification.report import Kind, VerifyReport
from solver.verification.run import verify

NAMES = ("Ada", "Ben Ore", "Cleo joined", "Dan, Jr.", "Elm F. C.", "Café of May", "(Mill)", "Øst")


def check(texts: str, facts: str, **settings: Reading) -> VerifyReport:
    return verify(texts, Kind.TEXTS, config=TextSettings(facts=facts, **settings))


def facts(number: int, seed: int = 0) -> list[TextFact]:
    source = random.Random(seed)
    found = []
    for _ in range(number):
        subject, obj = source.sample(NAMES, 2)
        day = date(2026, 1, 1) + timedelta(days=source.randrange(365))
        relation = source.choice(phrase_table().relations)
        found.append(TextFact(subject=subject, relation=relation, object=obj, date=day))
    return found


def literal(found: list[TextFact]) -> str:
    return str(
        [[fact.subject, fact.relation, fact.object, fact.date.isoformat()] for fact in found]
    )


def run(*arguments: object) -> Result:
    return CliRunner().invoke(command, ["texts", *map(str, arguments)])


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "facts.txt"
    lines = [literal(facts(1 + seed % 4, seed)) for seed in range(200)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_texts_state_their_facts_for_any_number_of_jobs(source: Path, tmp_path: Path) -> None:
    file, two, other = (tmp_path / name for name in ("one", "two", "other"))
    assert run("--facts", source, "--out", file).exit_code == 0
    assert run("--facts", source, "--out", two, "--jobs", 2).exit_code == 0
    assert run("--facts", source, "--out", other, "--seed", 1).exit_code == 0
    for path in sorted(file.iterdir()):
        assert path.read_bytes() == (two / path.name).read_bytes()
    texts = "descriptions.txt"
    assert (file / texts).read_bytes() != (other / texts).read_bytes()
    for name in (texts, "texts.jsonl"):
        assert not check(str(file / name), str(file / "references.txt")).findings
    given = [sorted(ast.literal_eval(line)) for line in source.read_text().splitlines()]
    kept = [sorted(ast.literal_eval(x)) for x in (file / "references.txt").read_text().splitlines()]
    assert given == kept


def test_distribution_of_headlines_styles_and_phrases() -> None:
    drafting = DraftSettings(seed=3)
    texts = [draft(facts(2, number), number, drafting) for number in range(2_000)]
    headlines = [text for text in texts if text.headline is not None]
    # Three standard deviations of 2,000 trials are 58.
    assert abs(len(headlines) - 500) < 60
    days = Counter(
        min(abs((text.headline.written_date.date - f.date).days) for f in text.facts)
        for text in headlines
        if text.headline is not None
    )
    assert set(days) == set(range(8))
    styles = Counter(s.written_date.style for text in texts for s in text.sentences)
    assert set(styles) == set(DateStyle)
    assert min(styles.values()) > 500
    assert len({s.phrase.words for text in texts for s in text.sentences}) > 1_000
    for text in texts:
        written = {s.written_date.style for s in text.sentences}
        if text.headline is not None:
            written.add(text.headline.written_date.style)
            named = {name for s in text.sentences for name in (s.subject, s.object)}
            assert text.headline.name in named
        assert len(written) == 1
    assert not [clash for text in texts for clash in clashes(read_text(write_text(text)))]


def test_an_entity_is_not_named_again_in_the_next_sentence() -> None:
    drafting = DraftSettings(seed=3)
    texts = [draft(facts(4, number), number, drafting) for number in range(300)]
    references = 0
    for text in texts:
        for before, sentence in pairwise(text.sentences):
            shared = {before.subject, before.object}
            named = {
                name
                for name, by in (
                    (sentence.subject, sentence.subject_by),
                    (sentence.object, sentence.object_by),
                )
                if by is Naming.NAME
            }
            assert not shared & named
            references += len(shared & {sentence.subject, sentence.object})
    assert references > 200


def test_connectives_are_true() -> None:
    texts = []
    for number in range(300):
        near = [replace(f, date=date(2026, 1, 1 + f.date.day % 4)) for f in facts(4, number)]
        texts.append(draft(near, number, DraftSettings(seed=3)))
    apart: dict[Link, set[int]] = {link: set() for link in Link}
    for text in texts:
        for before, sentence in pairwise(text.sentences):
            days = (sentence.written_date.date - before.written_date.date).days
            apart[sentence.link].add(days)
    assert max(apart[Link.MEANWHILE]) <= 1
    assert apart[Link.SAME_DAY] == {0}
    assert min(apart[Link.LATER]) > 0


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_share_and_styles(share: float) -> None:
    drafting = DraftSettings(headlines=share, dates=(DateStyle.ISO,))
    texts = [draft(facts(1, number), number, drafting) for number in range(50)]
    assert {text.headline is not None for text in texts} == {bool(share)}
    assert {s.written_date.style for text in texts for s in text.sentences} == {DateStyle.ISO}


@pytest.mark.parametrize("day", [date.min, date.max])
def test_headlines_at_the_edges_of_the_calendar(day: date) -> None:
    fact = TextFact(subject="Ada", relation="founder", object="Ben", date=day)
    for number in range(20):
        planned = draft([fact], number, DraftSettings(headlines=1.0))
        assert read_text(write_text(planned)) == planned


def test_inexpressible_facts_are_reported_and_left_out(tmp_path: Path) -> None:
    path, out = tmp_path / "facts.txt", tmp_path / "out"
    path.write_text(
        "[['', 'founder', 'Ben', '2026-01-01'], ['Ada', 'founder', 'Ben', '2026-01-01']]\n"
        "[['Ada', 'juggles', 'Ben', '2026-01-01']]\n"
        "[['\\ud800', 'founder', 'Ben', '2026-01-01']]\n",
        encoding="utf-8",
    )
    result = run("--facts", path, "--out", out)
    # A lone surrogate cannot be read.
    assert result.exit_code == 2
    assert "facts.txt:1: (, founder, Ben, 2026-01-01): found an empty subject" in result.stderr
    assert "facts.txt:2" in result.stderr
    assert "'juggles'" in result.stderr
    assert "facts.txt:3" in result.stderr
    assert (out / "references.txt").read_text() == "[['Ada', 'founder', 'Ben', '2026-01-01']]\n"
    metadata = json.loads((out / "manifest.json").read_bytes())
    counts = metadata["counts"]
    assert (counts["facts"], counts["left_out"], counts["texts"]) == (1, 3, 1)
    assert len(metadata["left_out"]) == 3


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[['Ada', 'founder', 'Ben', '2026-13-01']]", "found date '2026-13-01'"),
        ("[['Ada', 'founder', 'Ben']]", "found 3 parts"),
        ("{'Ada'", "expected a Python literal"),
    ],
)
def test_unreadable_facts_are_reported(line: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "facts.txt"
    path.write_text(f"[['Ada', 'founder', 'Ben', '2026-01-01']]\n{line}\n", encoding="utf-8")
    result = run("--facts", path, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert f"{path}:2" in result.stderr
    assert message in result.stderr


def test_options_that_need_others(source: Path, tmp_path: Path) -> None:
    for options in (("--schema", "x"), ("--types", "x"), ("--style", "gothic")):
        assert run("--facts", source, "--out", tmp_path / "out", *options).exit_code == 2
