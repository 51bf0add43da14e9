"""``verify --kind text``: every kind of damage to a text is found under its own code."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grammar.dates import WEEKDAYS, DateStyle, WrittenDate
from grammar.errors import ExitStatus
from grammar.texts.model import FactText, Sentence, TextFact
from grammar.texts.phrases import phrase_table
from grammar.texts.writer import write_text
from solver.cli.verify import command_of
from solver.io.sources import InputError
from solver.texts.compare import Difference, differences
from solver.texts.io import read_phrases
from solver.texts.kind import KIND
from solver.texts.settings import Reading, TextSettings
from solver.verification.report import Kind, VerifyReport
from solver.verification.run import verify

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "examples" / "texts"
NAMES = ("Ada", "Ben Ore", "Cleo joined", "Dan, Jr.", "Elm F. C.", "Café of May", "(Mill)", "Øst")


def check(texts: str, facts: str, **settings: Reading) -> VerifyReport:
    return verify(texts, Kind.TEXTS, config=TextSettings(facts=facts, **settings))


def text(source: random.Random) -> FactText:
    table = phrase_table()
    sentences = []
    for _ in range(source.randint(2, 4)):
        subject, obj = source.sample(NAMES, 2)
        day = date(2026, 1, 1) + timedelta(days=source.randrange(365))
        relation = source.choice(table.relations)
        written_date = WrittenDate(date=day, style=DateStyle.WORDS_LONG, weekday=day.weekday())
        phrase = source.choice(table.of(relation))
        front = source.random() < 0.5
        sentences.append(
            Sentence(
                subject=subject, phrase=phrase, object=obj, written_date=written_date, front=front
            )
        )
    return FactText(sentences=tuple(sentences))


def drop(text: FactText, _: random.Random) -> str:
    return write_text(replace(text, sentences=text.sentences[1:]))


def repeat(text: FactText, _: random.Random) -> str:
    return write_text(replace(text, sentences=(*text.sentences, text.sentences[0])))


def move(text: FactText, source: random.Random) -> str:
    first = text.sentences[0]
    day = first.written_date.date + timedelta(days=source.choice((-400, -1, 1, 7)))
    written_date = replace(first.written_date, date=day, weekday=day.weekday())
    return write_text(
        replace(text, sentences=(replace(first, written_date=written_date), *text.sentences[1:]))
    )


def rename(text: FactText, source: random.Random) -> str:
    first = text.sentences[0]
    side = source.choice(("subject", "object"))
    changed = replace(first, **{side: "Someone Else"})
    return write_text(replace(text, sentences=(changed, *text.sentences[1:])))


def swap(text: FactText, _: random.Random) -> str:
    first = text.sentences[0]
    changed = replace(first, subject=first.object, object=first.subject)
    return write_text(replace(text, sentences=(changed, *text.sentences[1:])))


def rephrase(text: FactText, source: random.Random) -> str:
    first = text.sentences[0]
    others = [w for w in phrase_table().relations if w != first.phrase.relation]
    changed = replace(first, phrase=phrase_table().of(source.choice(others))[0])
    return write_text(replace(text, sentences=(changed, *text.sentences[1:])))


def misname_day(text: FactText, source: random.Random) -> str:
    right = WEEKDAYS[text.sentences[0].written_date.date.weekday()]
    wrong = source.choice([day for day in WEEKDAYS if day != right])
    return write_text(text).replace(right, wrong, 1)


def babble(text: FactText, _: random.Random) -> str:
    return write_text(text) + " Fans were delighted."


@pytest.mark.parametrize(
    ("damage", "code"),
    [
        (drop, "missing-fact"),
        (repeat, "extra-fact"),
        (move, "moved-date"),
        (rename, "changed-name"),
        (swap, "changed-name"),
        (rephrase, "changed-relation"),
        (misname_day, "wrong-weekday"),
        (babble, "unparsed"),
    ],
)
def test_every_damage_is_found_under_its_code(
    damage: Callable[[FactText, random.Random], str], code: str, tmp_path: Path
) -> None:
    source = random.Random(f"{code}")
    texts = [text(source) for _ in range(60)]
    facts = tmp_path / "references.txt"
    facts.write_text(
        "".join(f"{literal(fact_text.facts)}\n" for fact_text in texts), encoding="utf-8"
    )
    right, flawed = tmp_path / "right.txt", tmp_path / "flawed.txt"
    right.write_text("".join(f"{write_text(fact_text)}\n" for fact_text in texts), encoding="utf-8")
    flawed.write_text(
        "".join(f"{damage(fact_text, source)}\n" for fact_text in texts), encoding="utf-8"
    )
    assert not check(str(right), str(facts)).findings
    found = check(str(flawed), str(facts)).findings
    assert {finding.where for finding in found if finding.code == code} == {
        f"{flawed}:{line}" for line in range(1, 61)
    }
    assert {finding.code for finding in found} == {code}


def literal(facts: Sequence[TextFact]) -> str:
    return str(
        [[fact.subject, fact.relation, fact.object, fact.date.isoformat()] for fact in facts]
    )


def run(*arguments: object) -> Result:
    return CliRunner().invoke(command_of(KIND), list(map(str, arguments)))


def test_examples_are_right_and_flawed() -> None:
    references = EXAMPLES / "references.txt"
    right = run(EXAMPLES / "right.txt", "--facts", references, "--json")
    assert right.exit_code == 0
    assert json.loads(right.stdout)["violations"] == {}
    flawed = run(EXAMPLES / "flawed.txt", "--facts", references, "--json")
    assert flawed.exit_code == 1
    assert json.loads(flawed.stdout)["violations"] == {
        "changed-name": 1, "missing-fact": 1, "moved-date": 1, "wrong-weekday": 1,
    }  # fmt: skip
    assert run(EXAMPLES / "right.txt").exit_code == 2


def test_unmatched_lines_are_reported(tmp_path: Path) -> None:
    lines = (EXAMPLES / "right.txt").read_text(encoding="utf-8").splitlines(keepends=True)
    short, long = tmp_path / "short.txt", tmp_path / "long.txt"
    short.write_text("".join(lines[:-1]), encoding="utf-8")
    long.write_text("".join(lines * 2), encoding="utf-8")
    references = str(EXAMPLES / "references.txt")
    assert check(str(short), references).findings.counts() == {"missing-text": 1}
    assert check(str(long), references).findings.counts() == {"extra-text": 4}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[['Ada', 'startMemberOf', 'Rovers', '2026-02-30']]", "found date '2026-02-30'"),
        ("[['Ada', 'startMemberOf', 'Rovers']]", "found 3 parts, expected 4"),
        ("Ada joined", "expected a Python literal"),
    ],
)
def test_unreadable_facts_are_reported(line: str, message: str, tmp_path: Path) -> None:
    facts = tmp_path / "references.txt"
    facts.write_text(f"{line}\n", encoding="utf-8")
    texts = tmp_path / "texts.txt"
    texts.write_text("Ada joined Rovers on 2026-02-03.\n", encoding="utf-8")
    result = run(texts, "--facts", facts)
    assert result.exit_code == 2
    assert message in result.stderr
    assert f"{facts}:1" in result.stderr


def test_json_lines_and_headlines(tmp_path: Path) -> None:
    facts, texts = tmp_path / "f.txt", tmp_path / "t.jsonl"
    facts.write_text("[['Ada', 'founder', 'Ben', '2026-02-03']]\n" * 3, encoding="utf-8")
    row = "2026-01-20 – The record. Ada will be founded by Ben on 2026-02-03."
    texts.write_text(f'{{"text": "{row}"}}\n{{"text": 1}}\n{{}}\n', encoding="utf-8")
    checked = check(str(texts), str(facts))
    assert checked.findings.counts() == {"far-headline": 1}
    assert len(checked.unreadable) == 2


def test_texts_of_other_origin_are_checked_by_mentions(tmp_path: Path) -> None:
    facts, texts = tmp_path / "f.txt", tmp_path / "t.txt"
    facts.write_text("[['Ada', 'founder', 'Ben', '2026-02-03']]\n", encoding="utf-8")
    texts.write_text("Ben gave life to Ada on 3 February 2026.\n", encoding="utf-8")
    assert check(str(texts), str(facts)).findings.counts() == {"unparsed": 1}
    read = check(str(texts), str(facts), reading=Reading.NAMES)
    assert read.findings.counts() == {"unverified": 1}
    assert read.exit_status is ExitStatus.UNDECIDED
    texts.write_text("Benn gave life to Adah on Monday, 3 February 2026.\n", encoding="utf-8")
    assert check(str(texts), str(facts), reading=Reading.NAMES).findings.counts() == {
        "wrong-weekday": 1
    }


def test_differences_report_each_fact_once() -> None:
    day = date(2026, 1, 1)
    fact, other = (TextFact(subject=s, relation="founder", object="B", date=day) for s in "AC")
    moved = replace(fact, date=date(2026, 1, 2))
    assert [d.kind for d in differences([fact, other, fact], [fact, moved])] == [
        Difference.DATE, Difference.MISSING,
    ]  # fmt: skip
    assert not list(differences([fact, other], [other, fact]))


@pytest.mark.parametrize(
    ("text", "codes", "status"),
    [
        ("Ada Brook joined FC North on March 1st, 2026.", set(), ExitStatus.OK),
        (
            "Ada Brook left FC North on March 1st, 2026.",
            {"changed-relation"},
            ExitStatus.VIOLATIONS,
        ),
        (
            "Ada Brook has sensationally quit FC North on March 1st, 2026 and won the Nobel Prize.",
            {"extra-name"},
            ExitStatus.VIOLATIONS,
        ),
        (
            "Ada Brook never joined FC North, not even on March 1st, 2026.",
            {"polarity"},
            ExitStatus.VIOLATIONS,
        ),
        (
            "Ada Brook quit FC North as of March 1st, 2026.",
            {"unverified"},
            ExitStatus.UNDECIDED,
        ),
        (
            "Ada Brook signed for FC North: March 1st, 2026!",
            {"unverified"},
            ExitStatus.UNDECIDED,
        ),
    ],
)
@pytest.mark.parametrize("reading", [Reading.NAMES, Reading.NORMALISED])
def test_a_text_is_right_only_if_it_parses_to_its_facts(
    text: str, codes: set[str], status: ExitStatus, reading: Reading, tmp_path: Path
) -> None:
    facts, texts = tmp_path / "f.txt", tmp_path / "t.txt"
    facts.write_text(
        "[['Ada Brook', 'startMemberOf', 'FC North', '2026-03-01']]\n", encoding="utf-8"
    )
    texts.write_text(f"{text}\n", encoding="utf-8")
    report = check(str(texts), str(facts), reading=reading)
    assert set(report.findings.counts()) == codes
    assert report.exit_status is status


PHRASES = "relation\tpast\tahead\n"


def test_additional_phrases_are_read(tmp_path: Path) -> None:
    facts, texts, phrases = (tmp_path / name for name in ("f.txt", "t.txt", "p.tsv"))
    facts.write_text(
        "[['Ada', 'startMemberOf', 'Rovers', '2026-03-01']]\n"
        "[['Ada', 'juggles', 'Clubs', '2026-03-02']]\n",
        encoding="utf-8",
    )
    texts.write_text(
        "Ada rallied to Rovers on 2026-03-01.\nOn 2026-03-02, Ada kept in the air Clubs.\n",
        encoding="utf-8",
    )
    phrases.write_text(
        f"{PHRASES}startMemberOf\trallied to\twill rally to\n\n"
        "startMemberOf\tjoined\twill join\n"
        "juggles\tkept in the air\twill keep in the air\n",
        encoding="utf-8",
    )
    assert check(str(texts), str(facts)).findings.counts() == {"unparsed": 2}
    result = run(texts, "--facts", facts, "--phrases", phrases, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["figures"]["additional_phrases"] == 4
    named = run(texts, "--facts", facts, "--phrases", phrases, "--reading", "names")
    assert named.exit_code == 0
    phrases.write_text(f"{PHRASES}endMemberOf\trallied to\twill rally to\n", encoding="utf-8")
    wrong = run(texts, "--facts", facts, "--phrases", phrases, "--json")
    assert json.loads(wrong.stdout)["violations"] == {"changed-relation": 1, "unparsed": 1}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("startMemberOf\trallied to\twill rally to\n", ":1: found 'startMemberOf"),
        (f"{PHRASES}startMemberOf\trallied to\n", ":2:1: found 2 columns, expected 3"),
        (f"{PHRASES}x\tjoined\tblue\n", ':2: clash: x: "joined" clashes with "joined"'),
        (f"{PHRASES}x\tblue\tred\ny\tred hot\twhite\n", ':3: clash: y: "red hot" clashes'),
        (f"{PHRASES}x\tblue\tred\nx\tblue\tred\n", ':3: repeated: x: found "blue" again'),
        (f"{PHRASES}x\tBlue\tred\n", ":2: malformed: x: found 'Blue'"),
        ("", "p.tsv"),
    ],
)
def test_a_table_of_phrases_with_a_clash_is_refused(
    content: str, message: str, tmp_path: Path
) -> None:
    phrases = tmp_path / "p.tsv"
    phrases.write_text(content, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_phrases(phrases)
    assert message in str(caught.value)
