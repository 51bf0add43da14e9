"""``generate texts --style story``: read back to exactly their facts, by two engines."""

from __future__ import annotations

import ast
import csv
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from benchmarks.reproduction.texts.expressions import KEYWORDS, LEVELS, find
from generators.cli import command
from generators.texts.run import DraftSettings, draft, shift_text
from grammar.dates import RELATIVE, WEEKDAYS, read_relative, write_relative
from grammar.errors import ExitStatus, ParseError
from grammar.texts import phrases
from grammar.texts.discourse import ORDINALS, all_references
from grammar.texts.model import Clause, FactText, Sentence, TextFact, TextStyle, clashes
from grammar.texts.phrases import phrase_table
from grammar.texts.reader import read_text
from grammar.texts.writer import write_text
from solver.texts import references
from solver.texts.references import crosscheck
from solver.texts.settings import TextSettings
from solver.verification.report import Kind
from solver.verification.run import DisagreementError, verify

NAMES = (
    "Ada Brook", "Ben Ore", "Cleo joined", "Dan, Jr.", "Elm F. C.", "Café of May", "(Mill)", "Øst",
    "The first", "they", "Brook", "Ben Brook", "Plans for Peace", "Rovers, and two days later",
    "Ann, who joined", "the new member", "Fen the same day", "; ", "A; B", "It", "will join Rovers",
    "This report is about", "The day before, Ada", "“Øst”", "proved wrong.", "the day before",
)  # fmt: skip
STORY = DraftSettings(seed=4, style=TextStyle.STORY)


def facts(number: int, seed: int, names: tuple[str, ...] = NAMES) -> list[TextFact]:
    source = random.Random(seed)
    some = source.sample(names, min(len(names), 5))
    found = []
    for _ in range(number):
        subject, obj = source.sample(some, 2) if source.random() < 0.95 else some[:1] * 2
        day = date(2026, 1, 1) + timedelta(days=source.randrange(12))
        relation = source.choice(phrase_table().relations)
        found.append(TextFact(subject=subject, relation=relation, object=obj, date=day))
    return found


def stories(number: int, names: tuple[str, ...] = NAMES) -> Iterator[FactText]:
    for seed in range(number):
        yield draft(facts(1 + seed % 5, seed, names), seed, STORY, facts(2, seed + 1, names))


@pytest.mark.parametrize("number", [600, pytest.param(20_000, marks=pytest.mark.slow)])
def test_stories_are_read_back(number: int) -> None:
    planned = list(stories(number))
    for text in planned:
        assert read_text(write_text(text)) == text
        assert not list(clashes(text))
    crosscheck(planned)
    shapes = [{clause.clause for clause in text.sentences} for text in planned]
    assert all(sum(kind in shape for shape in shapes) > number / 10 for kind in Clause)
    told = [[fact.date for fact in text.facts] for text in planned if len(text.facts) > 2]
    assert sum(days != sorted(days) for days in told) > 0.5 * len(told)


def test_relative_dates_by_walking_the_calendar() -> None:
    source = random.Random(1)
    for _ in range(3_000):
        told = date(2026, 1, 1) + timedelta(days=source.randrange(800))
        day = told + timedelta(days=source.randint(-30, 30))
        report = told + timedelta(days=source.randint(-20, 20))
        written = write_relative(day, told, report)
        assert len(written) > 1
        assert set(written) == {*write_relative(day, told), *write_relative(day, None, report)}
        for words in written:
            assert re.fullmatch(RELATIVE, words)
            assert walked(words, told, report) == day == read_relative(words, told, report)


def walked(words: str, told: date, report: date) -> date:
    """The date that words mean, a day at a time."""
    told = report if "report" in words else told
    forward = any(word in words for word in ("later", "next", "following", "after"))
    step = timedelta(days=1 if forward else -1)
    for name in WEEKDAYS:
        if name in words:
            day = told + step
            while WEEKDAYS[day.weekday()] != name:
                day += step
            return day
    number = words.split()[0]
    in_words = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"]
    in_words.append("twelve")
    steps = in_words.index(number) + 2 if number in in_words else 1
    steps = int(number) if number.isdigit() else steps
    length = 7 if "week" in words else 14 if "fortnight" in words else 1
    for _ in range(0 if "same" in words or "day of" in words else steps * length):
        told += step
    return told


def roles_table() -> dict[str, tuple[tuple[str, str], tuple[str, str]]]:
    path = Path(phrases.__file__).with_name("roles.tsv")
    rows = csv.reader(path.read_text(encoding="utf-8").splitlines()[1:], delimiter="\t")
    return {name: ((a, b), (c, d)) for name, a, b, c, d in rows}


ROLES = roles_table()
CARDINALS = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip
LISTED = [*(f"the {word}" for word in ORDINALS), *(f"number {word}" for word in CARDINALS)]


def said(clause: Sentence) -> list[tuple[str, str, str]]:
    """What a clause says of its entities: name, kind, role."""
    relation = clause.phrase.relation
    found = re.fullmatch(r"(start|end)?(\w)(\w*)", relation)
    assert found is not None
    bound, name = found[1], found[2].lower() + found[3]
    if name not in ROLES:
        bound, name = "", relation
    adjective = {"start": "new ", "end": "former "}.get(bound or "", "")
    parts = ROLES.get(name, (("", ""), ("", "")))
    return [
        (entity, kind, f"the {adjective}{role}" if role and clause.denial is None else "")
        for entity, (kind, role) in zip((clause.subject, clause.object), parts, strict=True)
    ]


def fitting(text: FactText, sentence: int, clause: Sentence, words: str) -> set[str]:
    """All entities that a reference fits, by the words of docs/texts.md."""
    groups = list(text.by_sentence())
    earlier = [other for group in groups[:sentence] for other in group]
    cast = () if text.cast is None else text.cast.names
    every = {name for other in text.sentences for name in (other.subject, other.object)} | {*cast}
    every |= set() if text.headline is None else {text.headline.name}
    near = {n for other in groups[sentence - 1] for n in (other.subject, other.object)}
    if sentence == 0:
        near = {text.headline.name} if text.headline is not None and not cast else set()
    main = clause.clause is Clause.MAIN

    def fits(name: str) -> bool:
        kinds = {kind for other in earlier for n, kind, _ in said(other) if n == name and kind}
        if words in ("they", "them", "it"):
            persons = {kind == "person" for kind in kinds}
            return main and name in near and persons != {words == "it"}
        if words in ("the former", "the latter"):
            before = groups[sentence - 1] if sentence else ()
            if not main or len(before) != 1 or before[0].denial is not None:
                return False
            return name == (before[0].subject if words == "the former" else before[0].object)
        if words in LISTED:
            return cast[LISTED.index(words) % 12 :][:1] == (name,)
        if words == "the middle one":
            return len(cast) % 2 == 1 and cast[len(cast) // 2] == name
        if words.startswith("the last"):
            back = 0 if words == "the last" else CARDINALS.index(words.split()[-1]) + 1
            return cast[::-1][back : back + 1] == (name,)
        return any((name, words) == (n, role) for other in earlier for n, _, role in said(other))

    return {name for name in every if name and fits(name)}


@pytest.mark.parametrize("number", [1_500, pytest.param(30_000, marks=pytest.mark.slow)])
def test_any_reference_means_the_only_entity_that_fits(number: int) -> None:
    source = random.Random(7)
    subjects = ["they", "it", "the former", "the latter", *LISTED[:6], *LISTED[12:18], "the last"]
    subjects += ["the last but one", "the last but two", "the last but three", "the middle one"]
    read = refused = 0
    for text in stories(number):
        place = source.randrange(len(text.sentences))
        clause = text.sentences[place]
        roles = [role for other in text.sentences[:place] for *_, role in said(other) if role]
        words = source.choice((*subjects, *roles, source.choice(sorted(all_references()))))
        if clause.clause in (Clause.WHO, Clause.DENIED) or clause.subject_by == "":
            continue
        changed = replace(clause, subject_by=words)
        rest = (*text.sentences[:place], changed)
        short = replace(text, sentences=rest)
        sentence = len(list(short.by_sentence())) - 1
        expected = fitting(short, sentence, changed, words)
        try:
            found = read_text(write_text(short)).sentences[-1]
        except ParseError:
            refused += 1
            assert len(expected) != 1, (write_text(short), expected)
            continue
        read += 1
        assert {found.subject} == expected, write_text(short)
    assert read > number / 10
    assert refused > number / 10


def test_a_part_of_a_name_means_the_only_listed_entity_with_it() -> None:
    text = "This report is about Ada Brook; Ben Ore; Cleo Brook. {} joined Rovers on 2026-01-11."
    assert read_text(text.format("Ore")).facts[0].subject == "Ben Ore"
    assert read_text(text.format("Ada")).facts[0].subject == "Ada Brook"
    assert read_text(text.format("“Ore”")).facts[0].subject == "Ore"
    assert read_text(text.format("Fen")).facts[0].subject == "Fen"
    with pytest.raises(ParseError, match="it fits Ada Brook and Cleo Brook"):
        read_text(text.format("Brook"))
    plain = "Ada Brook joined Rovers on 2026-01-11. Ada left Rovers on 2026-01-12."
    assert read_text(plain).facts[1].subject == "Ada"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Two days later, Ada joined Rovers.", "no date was stated before"),
        (
            "Plans for Ada to join Rovers on 2026-01-11 came to nothing. "
            "Two days later, Ada joined Rovers.",
            "no date was stated before",
        ),
        ("Plans for Ada to join Rovers on 2026-01-11 proved wrong.", "the end of a sentence"),
        ("On 2026-01-11, Ada, which joined Rovers two days earlier, left Rovers.", "another kind"),
        ("On 2026-01-11, Ada joined Rovers, and two days later they left Fen.", "nothing before"),
        ("This report is about Ada; Ada. Ada joined Rovers on 2026-01-11.", "listed before"),
        ("On 2026-01-11, Ada joined Rovers. 2 days later, Ada left Rovers.", "expected"),
        ("On 2026-01-11, Ada joined Rovers. 12 days later, Ada left Rovers.", "twelve days"),
    ],
)
def test_what_is_not_clear_is_not_read(text: str, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        read_text(text)


def test_a_denial_states_nothing() -> None:
    text = (
        "This report is about Ada Brook; Rovers; Fen. Contrary to reports, Ada Brook did not join "
        "Fen on 2026-01-11. On 2026-02-01, Ada, who started a job at Fen three days earlier, "
        "joined the second, and the following Monday became a member of the third."
    )
    assert [str(fact) for fact in read_text(text).facts] == [
        "(Ada Brook, startWorksFor, Fen, 2026-01-29)",
        "(Ada Brook, startMemberOf, Rovers, 2026-02-01)",
        "(Ada Brook, startMemberOf, Fen, 2026-02-02)",
    ]


def run(*arguments: object) -> Result:
    return CliRunner().invoke(command, ["texts", "--style", "story", *map(str, arguments)])


PEOPLE = tuple(
    f"{first} {last}"
    for first in ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana")
    for last in ("Brook", "Ore", "Marsh", "Hollow", "Reed", "Vale", "Stone", "Fenn")
)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "facts.txt"
    with path.open("w", encoding="utf-8") as file:
        for seed in range(240):
            rows = [
                [fact.subject, fact.relation, fact.object, fact.date.isoformat()]
                for fact in facts(1 + seed % 4, seed, PEOPLE)
            ]
            file.write(f"{rows}\n")
    return path


def test_planted_antecedents_and_dates_are_found(source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run("--facts", source, "--out", out, "--jobs", 2).exit_code == 0
    again = tmp_path / "again"
    assert run("--facts", source, "--out", again).exit_code == 0
    for path in sorted(out.iterdir()):
        assert path.read_bytes() == (again / path.name).read_bytes()
    texts = (out / "descriptions.txt").read_text(encoding="utf-8").splitlines()
    assert not findings(texts, out)
    planted = {
        "the second": "the first",
        " days later": " days earlier",
        " before this report": " after this report",
        "the last but one": "the last but two",
        "number two": "number one",
        "the same day": "a week later",
    }
    for before, after in planted.items():
        places = [number for number, text in enumerate(texts) if before in text]
        assert len(places) > 5
        for number in places:
            spoilt = [
                *texts[:number],
                texts[number].replace(before, after, 1),
                *texts[number + 1 :],
            ]
            if number % 7 == 0 or len(places) < 10:
                assert findings(spoilt, out), spoilt[number]


def findings(texts: list[str], folder: Path) -> list[str]:
    path = folder.parent / "changed.txt"
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    config = TextSettings(facts=str(folder / "references.txt"))
    return [finding.code for finding in verify(str(path), Kind.TEXTS, config=config).findings]


def test_two_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    planned = list(stories(60, PEOPLE))
    crosscheck(planned)
    place, text = next(
        (place, text)
        for text in planned
        for place, clause in enumerate(text.sentences)
        if clause.subject_by == "the second"
    )
    wrong = replace(text.sentences[place], subject_by="the first")
    changed = replace(text, sentences=(*text.sentences[:place], wrong))
    with pytest.raises(DisagreementError, match="the first"):
        crosscheck([changed])
    told = next(clause for clause in text.sentences if clause.written_date.relative)
    day = replace(told.written_date, date=told.written_date.date + timedelta(days=1))
    moved = tuple(replace(c, written_date=day) if c is told else c for c in text.sentences)
    with pytest.raises(DisagreementError, match="the date"):
        crosscheck([replace(text, sentences=moved)])
    monkeypatch.setattr(references, "ORDINALS", ORDINALS[::-1])
    with pytest.raises(DisagreementError):
        crosscheck(planned)


def test_stories_move_to_another_year() -> None:
    for years in (-2, 5):
        for text in stories(150, PEOPLE):
            moved = shift_text(write_text(text), text.facts, years)
            assert moved.ours
            assert read_text(moved.text).facts == moved.facts


def test_a_model_writes_no_stories(source: Path, tmp_path: Path) -> None:
    options = ("--writer", "openai", "--base-url", "http://localhost:1", "--model", "x")
    result = run("--facts", source, "--out", tmp_path / "out", *options)
    assert result.exit_code == ExitStatus.UNREADABLE
    assert "--writer openai needs --style plain" in result.output


def test_regular_expressions_find_few_facts(source: Path, tmp_path: Path) -> None:
    names = [f"{name[0].upper()}{name[1:]}" for name in KEYWORDS]
    common = [f"{bound}{name}" for name in names for bound in ("start", "end")]
    lines = [ast.literal_eval(line) for line in source.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        for fact in line:
            fact[1] = common[sum(map(ord, str(fact))) % len(common)]
    source.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    shares = {}
    for style in TextStyle:
        out = tmp_path / style
        assert run("--facts", source, "--out", out, "--style", style).exit_code == 0
        texts = (out / "descriptions.txt").read_text(encoding="utf-8").splitlines()
        stated = (out / "references.txt").read_text(encoding="utf-8").splitlines()
        facts = [{tuple(fact) for fact in ast.literal_eval(line)} for line in stated]
        for level in LEVELS:
            found = [set(find(text, level)) for text in texts]
            hits = sum(len(some & every) for some, every in zip(found, facts, strict=True))
            shares[style, level] = hits / sum(map(len, facts))
    assert shares[TextStyle.STORY, LEVELS[0]] < 0.1, shares
    assert shares[TextStyle.STORY, LEVELS[2]] < 0.2, shares
    assert shares[TextStyle.PLAIN, LEVELS[0]] > 0.3, shares
