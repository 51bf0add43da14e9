"""Probes of texts: a planted style is found, texts without one have no shortcut."""

from __future__ import annotations

import json
import random
from datetime import date, timedelta
from pathlib import Path

import pytest

from generators.texts.run import date_in_style
from grammar.dates import DateStyle
from grammar.texts.model import FactText, Sentence
from grammar.texts.phrases import phrase_table
from grammar.texts.writer import write_text
from solver.cli import run
from solver.probes.probe import ProbeLevel
from solver.texts.settings import TextSettings
from solver.verification.report import Kind, VerifyReport
from solver.verification.run import verify

RELATIONS = ("startMemberOf", "endMemberOf", "startAward")
LONG = (DateStyle.ISO_LONG, DateStyle.WORDS_LONG, DateStyle.WORDS_SHORT)


def written(folder: Path, planted: float, number: int = 1_800) -> tuple[str, str]:
    """Texts and facts; in a share of the texts the date style decides the relation."""
    draw = random.Random(3)
    texts, facts = [], []
    for _ in range(number):
        relation = draw.choice(RELATIONS)
        day = date(2026, 1, 1) + timedelta(days=draw.randrange(300))
        style = draw.choice([DateStyle.WORDS, DateStyle.ISO])
        if draw.random() < planted:
            style = LONG[RELATIONS.index(relation)]
        sentence = Sentence(
            subject=f"Person {draw.randrange(99)}",
            phrase=draw.choice(phrase_table().of(relation)),
            object=f"Club {draw.randrange(99)}",
            written_date=date_in_style(day, style),
        )
        texts.append(write_text(FactText(sentences=(sentence,))))
        facts.append(str([[sentence.subject, relation, sentence.object, day.isoformat()]]))
    for name, lines in (("texts.txt", texts), ("facts.txt", facts)):
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(folder / "texts.txt"), str(folder / "facts.txt")


def check(texts: str, facts: str, level: ProbeLevel) -> VerifyReport:
    return verify(texts, Kind.TEXTS, config=TextSettings(facts=facts), probes=level)


@pytest.mark.parametrize(("planted", "found"), [(0.0, []), (0.10, ["shortcut"])])
def test_a_planted_date_style_is_found(tmp_path: Path, planted: float, found: list[str]) -> None:
    texts, facts = written(tmp_path, planted)
    report = check(texts, facts, ProbeLevel.FAST)
    assert [finding.code for finding in report.findings] == found
    if found:
        assert report.findings[0].certificate["features"] == "the date style"
        assert "date style" in str(report.findings[0].certificate["strongest"])
    assert not check(texts, facts, ProbeLevel.NONE).findings
    assert [place for place, _ in report.probed] == ["texts", "texts"]
    names = [result.name for _, result in report.probed]
    assert names == ["the date style", "the form of the sentence"]


def test_what_states_the_relation_is_a_figure(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    texts, facts = written(tmp_path, 0.0)
    report = check(texts, facts, ProbeLevel.ALL)
    by_name = {probe["features"]: probe for probe in report.as_json()["figures"]["probes"]}
    assert by_name["the phrase"]["accuracy"] > 0.9
    assert by_name["the rarest word of the phrase"]["accuracy"] > 0.6
    assert not report.findings
    arguments = ["verify", "--kind", "texts", texts, "--facts", facts, "--probes", "all", "--json"]
    assert run(arguments) == 0
    printed = json.loads(capfd.readouterr().out)["figures"]["probes"]
    assert printed == report.as_json()["figures"]["probes"]
