"""Twins of chains: what they state agrees with an enumeration of all weak orders, and all walks."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from generators.eventhop.config import Split
from generators.traces.run import TraceSettings, WrittenTwin, drawn
from generators.traces.twins import Error
from grammar.eventhop.model import Domain
from solver.cli import run
from solver.probes.probe import area_under_curve
from solver.probes.ranking import rank_texts
from solver.traces.decide import decided
from solver.traces.engine import PremiseClosure
from solver.traces.model import StepVerdict
from tests.campaigns.traces import Specification, all_walks, expected, shown

NUMBER = 42
WRONG = (StepVerdict.CONTRADICTS, StepVerdict.OPEN)


def points(premise: PremiseClosure, order: tuple[str, str, str]) -> tuple[int, str, int]:
    return premise.points.index(order[0]), order[1], premise.points.index(order[2])


def sentences(text: str) -> list[str]:
    return text.split(". ")


def specified(made: WrittenTwin, *, flawed: bool) -> int:
    """The first error of a chain by the specification, with which its verdicts have to agree."""
    row = made.rows[made.flawed if flawed else 1 - made.flawed]
    result = decided(row.trace)
    verdicts = expected(result.premise, result.steps)
    assert [[s.verdict for s in step.statements] for step in result.verdict.steps] == verdicts
    wrong = [place for place, step in enumerate(verdicts) if any(v in WRONG for v in step)]
    return wrong[0] if wrong else -1


@pytest.mark.parametrize("domain", Domain)
def test_four_events_agree_with_all_weak_orders(domain: Domain) -> None:
    settings = TraceSettings(test=NUMBER, domains=(domain,), hops=(2, 3), irrelevant=1, detours=1)
    judged = 0
    for index in range(NUMBER):
        made = drawn(settings, Split.TEST, index)
        if len(made.twin.right.names) <= 4:
            judged += 1
            assert specified(made, flawed=False) == -1
            assert specified(made, flawed=True) == made.twin.first_error
    assert judged > NUMBER / 2


@pytest.mark.parametrize("error", Error)
def test_errors_keep_their_conditions(error: Error) -> None:
    settings = TraceSettings(test=6, errors=(error,), hops=(2, 3, 4), detours=1)
    for index in range(6):
        made = drawn(settings, Split.TEST, index)
        right, wrong = made.twin.right, made.twin.wrong
        place = made.twin.sentence
        before = right.sentences[place], wrong.sentences[place]
        assert right.with_sentence(place, before[1]) == wrong
        assert before[0] != before[1]
        walks = all_walks(wrong.sentences, 2 * len(wrong.names))
        step = made.twin.steps[made.twin.first_error]
        if error is Error.STOPPED_EARLY:
            assert step.form == "unknown"
            continue
        order = step.order
        assert order is not None
        assert not shown(walks, order)
        p, sign, q = order
        written = before[1]
        match error:
            case Error.CONVERSE:
                assert (written.left, written.sign, written.right) == (q, "<", p)
                assert sign == "<"
            case Error.WRONG_BOUND:
                both = {(p, q), (written.left, written.right), (written.right, written.left)}
                assert any((a ^ 1, b) in both or (a, b ^ 1) in both for a, b in both)
            case Error.SWAPPED_EVENTS:
                assert sorted((written.left >> 1, written.right >> 1)) == sorted((p >> 1, q >> 1))
                assert sorted((written.left & 1, written.right & 1)) == sorted((p & 1, q & 1))
            case Error.SIMULTANEITY_DROPPED:
                assert (written.sign, sign) == ("=", "<")
                assert {written.left, written.right} == {p, q}
            case Error.SKIPPED_LINK | Error.AFFIRMED_POSSIBLE:
                other = (q, True, p), (q, False, p)
                assert not any(walk in walks for walk in other)


def test_twins_are_the_same_text_about_premises_that_differ_in_one_sentence() -> None:
    settings = TraceSettings(test=42, detours=1)
    for index in range(42):
        first, second = drawn(settings, Split.TEST, index).rows
        assert first.trace.texts == second.trace.texts
        assert first.claim == second.claim
        pairs = list(zip(sentences(first.premise), sentences(second.premise), strict=True))
        assert sum(one != other for one, other in pairs) == 1


@pytest.mark.slow
def test_workers_write_the_same_bytes(tmp_path: Path) -> None:
    for jobs in ("1", "2"):
        out = str(tmp_path / jobs)
        arguments = ["generate", "traces", "--test", "70", "--jobs", jobs, "--out", out]
        assert run(arguments, program="hopcheck") == 0
    assert (tmp_path / "1/test.jsonl").read_bytes() == (tmp_path / "2/test.jsonl").read_bytes()


def test_the_same_seed_gives_the_same_bytes_and_they_verify(tmp_path: Path) -> None:
    arguments = ["generate", "traces", "--train", "4", "--test", "20", "--seed", "5"]
    for name in ("1", "2"):
        out = str(tmp_path / name)
        assert run([*arguments, "--out", out, "--probes", "none"], program="hopcheck") == 0
    names = sorted(path.name for path in (tmp_path / "1").iterdir())
    assert {"train.jsonl", "test.jsonl", "test.parquet", "manifest.json"} <= set(names)
    for name in ("train.jsonl", "test.jsonl"):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()
    # The written file is verified by the kind, and its certificates by the checker.
    file = str(tmp_path / "1" / "test.jsonl")
    assert run(["verify", "--kind", "traces", file], program="hopcheck") == 0
    rows = [json.loads(line) for line in Path(file).read_text().splitlines()]
    assert sum(row["first_error"] >= 0 for row in rows) == 20
    assert {row["error"] for row in rows} >= {None, "converse", "stopped-early"}
    # A step whose verdict was changed is a finding.
    row = rows[0]
    row["steps"][0]["verdict"] = "open"
    row["first_error"] = 0 if row["first_error"] else 1
    changed = tmp_path / "changed.jsonl"
    changed.write_text(json.dumps(row) + "\n")
    assert run(["verify", "--kind", "traces", str(changed)], program="hopcheck") == 1


def test_probes_find_nothing_in_the_words(tmp_path: Path) -> None:
    out = tmp_path / "data"
    arguments = ["generate", "traces", "--test", "21", "--format", "jsonl", "--out", str(out)]
    assert run(arguments, program="hopcheck") == 0
    probes = json.loads((out / "statistics.json").read_text())["probes"]["test"]
    assert {probe["features"]: probe["auc"] for probe in probes}["trace"] == 0.5


def test_a_word_that_gives_the_error_away_is_found() -> None:
    draw = Random(3)
    gold = [draw.random() < 0.5 for _ in range(300)]
    leaking = [["so", "oddly" if wrong and draw.random() < 0.9 else "then"] for wrong in gold]
    plain = [[draw.choice(["so", "then"])] for _ in gold]
    found = {
        (result.name, result.learner): result.auc
        for result in rank_texts({"leaking": leaking, "plain": plain}, gold, range(300))
    }
    assert found["leaking", "words"] > 0.9
    assert found["leaking", "boosted trees"] > 0.9
    assert 0.35 < found["plain", "words"] < 0.65


def test_area_under_curve_is_the_share_of_ordered_pairs() -> None:
    draw = Random(1)
    for _ in range(300):
        size = draw.randint(2, 12)
        scores = [float(draw.randint(0, 4)) for _ in range(size)]
        gold = [draw.random() < 0.5 for _ in range(size)]
        pairs = [
            (a > b) + (a == b) / 2
            for a, wrong in zip(scores, gold, strict=True)
            for b, other in zip(scores, gold, strict=True)
            if wrong and not other
        ]
        auc = area_under_curve(scores, gold)
        assert auc != auc if not pairs else auc == pytest.approx(sum(pairs) / len(pairs))


def test_the_specification_is_that_of_models_and_walks() -> None:
    made = drawn(TraceSettings(test=1, hops=(2,), irrelevant=0), Split.TEST, 0)
    closure = decided(made.rows[0].trace).premise
    specification = Specification(closure.relations, closure.size)
    assert specification.consistent is closure.consistent


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--test", "0"], "--train or --test"),
        (["--hops", "1"], "numbers from 2 to 12"),
        (["--errors", "typo"], "is not one of converse"),
    ],
)
def test_bad_options_are_one_line(
    arguments: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["generate", "traces", *arguments, "--out", str(tmp_path / "x")]
    assert run(given, program="hopcheck") == 2
    assert words in capsys.readouterr().err
