"""What was done to a generated graph is found, and the quadruple is named with the reason."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from generators.tkg.config import Config, Mode
from generators.tkg.files import write_graph
from generators.tkg.run import generate
from solver.tkg.io import read_generated
from solver.verification.report import Finding, Kind, VerifyReport
from solver.verification.run import verify

Damage = Callable[[str, Callable[[list[str]], None]], Path]


def only(checked: VerifyReport, code: str) -> list[Finding]:
    return [finding for finding in checked.findings if finding.code == code]


def named(folder: Path, line: int, name: str = "train.txt") -> str:
    """A fact as it is expected."""
    head, relation, tail, time = (folder / name).read_text().splitlines()[line - 1].split("\t")
    return f"(e{head}, r{relation}, e{tail}, {time})"


def changed(column: int, value: int) -> Callable[[list[str], int], None]:
    def change(lines: list[str], line: int) -> None:
        cells = lines[line - 1].split("\t")
        cells[column] = str(value)
        lines[line - 1] = "\t".join(cells)

    return change


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"injective": True, "closure": {"depth": None}},
        {"closure": {"depth": 3, "cycles": "follow"}, "lags": {"low": 0, "high": 2}, "steps": 12},
        {"closure": {"depth": 0}, "flags": "0000"},
    ],
    ids=["default", "injective", "cycles", "loose"],
)
def test_what_is_generated_is_proved(
    tmp_path: Path, mode: Mode, options: dict[str, object]
) -> None:
    config = Config.of_json({"mode": mode.value, "probability": 0.1, **options})
    write_graph(tmp_path, generate(config, 5), config, 5)
    checked = verify(tmp_path, Kind.TKG)
    assert checked.findings.counts() == {}
    assert checked.rows > 50
    assert checked.engines == ("asp", "join")
    assert ("no consequence is missing" in checked.passed) == (mode is Mode.FORWARD)


def test_a_fact_that_was_added(damaged: Damage, generated: Path) -> None:
    lines = (generated / "train.txt").read_text().splitlines()
    time = lines[199].split("\t")[3]
    new = f"3\t2\t8\t{time}"
    folder = damaged("train.txt", lambda lines: lines.insert(199, new))
    checked = verify(folder, Kind.TKG)
    counts = {**checked.findings.counts(), "statistics-differs": 1}
    copies = {"parquet-differs": 1, "statistics-differs": 1}
    assert counts == {"fact-added": 1, "unlabelled": 1, **copies}
    (finding,) = only(checked, "unlabelled")
    assert finding.where == f"{folder}/train.txt:200"
    assert finding.message == f"(e3, r2, e8, {time}) has no label, expected at least one"


def test_a_fact_that_was_added_at_the_end(damaged: Damage) -> None:
    folder = damaged("test.txt", lambda lines: lines.append("3\t2\t8\t59"))
    (finding,) = only(verify(folder, Kind.TKG), "unlabelled")
    assert "(e3, r2, e8, 59) has no label" in finding.message


@pytest.mark.parametrize(("line", "known"), [(200, 0), (301, 0), (1, 1)])
def test_a_fact_that_was_removed(damaged: Damage, generated: Path, line: int, known: int) -> None:
    """No other fact determines the head of the first fact."""
    gone = named(generated, line).split(", ")[known:3]
    folder = damaged("train.txt", lambda lines: lines.__delitem__(line - 1))
    checked = verify(folder, Kind.TKG)
    (finding,) = only(checked, "fact-removed")
    assert finding.where == f"{folder}/train.txt:{line}"
    assert ", ".join(gone) in finding.message
    counts = checked.findings.counts()
    assert len(checked.findings) - counts["statistics-differs"] - counts["parquet-differs"] < 5


def test_a_fact_that_was_moved_by_a_step(damaged: Damage, generated: Path) -> None:
    """Outside its lag: the consequence of an instance at the latest time, one step later."""
    graph = read_generated(generated)
    labels, facts = graph.labels, graph.facts
    patterns = {planted_pattern.id: planted_pattern for planted_pattern in graph.patterns}
    for row in np.flatnonzero(labels.consequence).tolist():
        same = labels.instance == labels.instance[row]
        (before,) = labels.fact[same & (labels.position == labels.position[row] - 1)]
        pattern, fact = patterns[int(labels.pattern[row])], int(labels.fact[row])
        if facts.time[fact] - facts.time[before] == pattern.lags[-1].high:
            break
    line, time = fact + 1, int(facts.time[fact]) + 1
    folder = damaged("train.txt", lambda lines: changed(3, time)(lines, line))
    late = [
        finding
        for finding in only(verify(folder, Kind.TKG), "outside-lag")
        if finding.where.endswith(f":{line}")
    ]
    assert named(folder, line) in late[0].message
    assert "expected 1 to 3 from step" in late[0].message
    assert late[0].certificate["instance"] == int(labels.instance[row])


@pytest.mark.parametrize("later", [True, False])
def test_a_fact_that_was_moved_and_sorted_in(
    damaged: Damage, generated: Path, *, later: bool
) -> None:
    """All rows between its old one and its new one shift by one, and so would their labels."""
    graph = read_generated(generated)
    labels, facts = graph.labels, graph.facts.rows().tolist()
    lags = {pattern.id: pattern.lags for pattern in graph.patterns}
    consequence = {int(i): row for row, i in enumerate(labels.instance) if labels.consequence[row]}
    for instance, row in consequence.items():
        lag, fact = lags[int(labels.pattern[row])][-1], int(labels.fact[row])
        same = labels.instance == instance
        (before,) = labels.fact[same & (labels.position == labels.position[row] - 1)]
        passed = facts[fact][3] - facts[before][3]
        moved = [*facts[fact][:3], facts[fact][3] + (1 if later else -1)]
        outermost = passed == (lag.high if later else lag.low)
        alone = (labels.fact == fact).sum() == 1
        if outermost and alone and moved not in facts and 10 < moved[3] < 46:
            break

    def sorted_in(lines: list[str]) -> None:
        del lines[fact]
        place = next(at for at, name in enumerate(lines) if int(name.split("\t")[3]) > moved[3])
        lines.insert(place, "\t".join(map(str, moved)))

    folder = damaged("train.txt", sorted_in)
    checked = verify(folder, Kind.TKG)
    first = checked.findings[0]
    line = (folder / "train.txt").read_text().splitlines().index("\t".join(map(str, moved))) + 1
    assert abs(line - fact - 1) > 3
    assert (first.code, first.where) == ("fact-moved", f"{folder}/train.txt:{line}")
    assert first.message.startswith(named(folder, line))
    assert f"but fact {fact} according to the labels;" in first.message
    (late,) = only(checked, "outside-lag")
    assert late is checked.findings[1]
    assert late.message.startswith(named(folder, line))
    assert len(checked.findings) < 6


def test_a_fact_that_was_relabelled_and_sorted_in(damaged: Damage) -> None:
    """The relation changes, and so the row; what labels demand of the rows between still fits."""

    def sorted_in(lines: list[str]) -> None:
        cells = lines.pop(299).split("\t")
        lines.insert(320, "\t".join((cells[0], "19", *cells[2:])))

    checked = verify(damaged("train.txt", sorted_in), Kind.TKG)
    assert checked.findings[0].code == "fact-moved"
    assert checked.findings[0].where.endswith("train.txt:321")
    assert len(checked.findings) < 8


def test_causes_are_told_before_what_comes_of_them(damaged: Damage) -> None:
    folder = damaged("train.txt", lambda lines: changed(1, 19)(lines, 3))
    codes = list(dict.fromkeys(finding.code for finding in verify(folder, Kind.TKG).findings))
    assert codes[0] == "wrong-relation"


def test_a_fact_with_another_relation(damaged: Damage) -> None:
    folder = damaged("train.txt", lambda lines: changed(1, 19)(lines, 300))
    finding = only(verify(folder, Kind.TKG), "wrong-relation")[0]
    assert finding.where == f"{folder}/train.txt:300"
    assert named(folder, 300) in finding.message
    assert "expected relation r" in finding.message


def test_a_fact_with_another_entity(damaged: Damage) -> None:
    folder = damaged("train.txt", lambda lines: changed(2, 199)(lines, 300))
    found = [
        finding
        for finding in only(verify(folder, Kind.TKG), "two-entities")
        if "e199" in finding.message
    ]
    assert named(folder, 300) in str(found[0].certificate["steps"])


def relabelled(column: int, value: str) -> Callable[[list[str]], None]:
    def change(lines: list[str]) -> None:
        cells = lines[100].split("\t")
        cells[column] = value
        lines[100] = "\t".join(cells)

    return change


@pytest.mark.parametrize(
    ("column", "value", "code", "expected"),
    [
        (0, "9000", "absent-fact", "names fact 9000, expected 0 to 647"),
        (1, "99", "unknown-pattern", "is labelled with pattern 99, not in patterns.jsonl"),
        (2, "0", "two-entities", "placeholder"),
        (3, "consequence", "wrong-role", "is labelled as a consequence, but is an antecedent"),
        (4, "9", "unknown-step", "is labelled as step 9, expected 1 to "),
        (4, "2", "labelled-twice", "is labelled as step 2 of instance"),
    ],
)
def test_labels_that_were_changed(
    damaged: Damage, generated: Path, column: int, value: str, code: str, expected: str
) -> None:
    cells = (generated / "labels.tsv").read_text().splitlines()[100].split("\t")
    assert cells[3:] == ["antecedent", "1"], "choose another line"
    folder = damaged("labels.tsv", relabelled(column, value))
    found = only(verify(folder, Kind.TKG), code)
    assert expected in found[0].message
    if code in ("unknown-pattern", "wrong-role", "unknown-step"):
        assert found[0].where == f"{folder}/labels.tsv:101"
        assert named(folder, int(cells[0]) + 1) in found[0].message


def test_a_label_that_was_dropped(damaged: Damage, generated: Path) -> None:
    graph = read_generated(generated)
    once = np.flatnonzero(np.bincount(graph.labels.fact) == 1)
    fact = int(once[100])
    (row,) = np.flatnonzero(graph.labels.fact == fact)
    folder = damaged("labels.tsv", lambda lines: lines.pop(row + 1))
    (finding,) = only(verify(folder, Kind.TKG), "unlabelled")
    assert finding.where == f"{folder}/train.txt:{fact + 1}"
    assert named(folder, fact + 1) in finding.message


def test_one_of_several_labels_that_was_dropped(damaged: Damage, generated: Path) -> None:
    graph = read_generated(generated)
    labels = graph.labels
    often = np.bincount(labels.fact)[labels.fact] > 1
    row = int(np.flatnonzero(often & (labels.position == 1))[0])
    folder = damaged("labels.tsv", lambda lines: lines.pop(row + 1))
    (finding,) = only(verify(folder, Kind.TKG), "missing-step")
    fact = graph.facts.rows()[labels.fact[row]].tolist()
    assert f"instance {labels.instance[row]}, which" in finding.message
    assert f"no fact is labelled as step 1, expected (e{fact[0]}, r{fact[1]}" in finding.message
    expected = ", ".join(f"{kind}{number}" for kind, number in zip("ere", fact, strict=False))
    assert f"({expected}, {fact[3]})" in finding.certificate["fitting"]


def test_a_consequence_that_was_left_out(
    damaged: Damage, generated: Path, renew: Callable[[Path], None]
) -> None:
    """As a generator would that does not close: without the fact and all of its instance."""
    graph = read_generated(generated)
    labels = graph.labels
    followed = labels.instance >= graph.declared.planted
    alone = np.bincount(labels.fact)[labels.fact] == 1
    row = int(np.flatnonzero(followed & labels.consequence & alone)[0])
    fact, instance = int(labels.fact[row]), int(labels.instance[row])

    def left_out(lines: list[str]) -> None:
        kept = [line.split("\t") for line in lines[1:] if int(line.split("\t")[2]) != instance]
        lines[1:] = [
            "\t".join((str(int(cells[0]) - (int(cells[0]) > fact)), *cells[1:])) for cells in kept
        ]

    folder = damaged("labels.tsv", left_out)
    lines = (folder / "train.txt").read_text().splitlines()
    gone = lines.pop(fact).split("\t")
    (folder / "train.txt").write_text("\n".join(lines) + "\n")
    renew(folder)
    checked = verify(folder, Kind.TKG)
    counts = {**checked.findings.counts(), "statistics-differs": 1}
    copies = {"parquet-differs": 1, "statistics-differs": 1}
    assert counts == {"missing-consequence": 1, **copies}
    (finding,) = only(checked, "missing-consequence")
    assert f"(e{gone[0]}, r{gone[1]}, e{gone[2]}) at times" in finding.message
    steps = [str(step) for step in finding.certificate["antecedents"]]
    assert steps == [named(folder, lines.index(expected) + 1) for expected in lines_of(steps)]
    assert finding.where == f"{folder}/patterns.jsonl:{int(labels.pattern[row]) + 1}"


def lines_of(facts: list[str]) -> list[str]:
    """Facts as the files hold them."""
    return ["\t".join(part.strip("er") for part in fact.strip("()").split(", ")) for fact in facts]
