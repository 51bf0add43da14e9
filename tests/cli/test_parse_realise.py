"""``parse`` and ``realise``: text to graph, graph to text, and errors in lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from grammar.errors import HopcheckError
from solver.eventhop.cli.parse import command as parse
from solver.eventhop.cli.realise import command as realise

TEXTS = [
    (
        "The end of Mill Quarrel happened before the start of Tide. "
        "The start of Tide happened simultaneous to the end of St. Orla’s Fair",
        "Mill Quarrel happens before St. Orla’s Fair",
    ),
    ("The start of Tide happened after the end of Tide", "Tide overlaps the beginning of Snow"),
    (
        "western edge of Mill is located to the west of eastern edge of Fen",
        "Mill is completely west of Fen",
    ),
    ("mill2 < fen1. fen1 = tide2", "mill < tide"),
    ("mill2 < fen1", "mill2 < fen1"),
    ("", "Mill Quarrel overlaps with Tide"),
]


def run(command: Any, *arguments: str, input: str | bytes | None = None) -> Result:
    return CliRunner().invoke(command, list(arguments), input=input)


def pairs(texts: list[tuple[str, str]]) -> str:
    return "".join(f"{premise}\t{claim}\n" for premise, claim in texts)


def published(texts: list[tuple[str, str]]) -> str:
    """The texts as a file of the published format."""
    return "".join(
        f"{n}\tpossible\ttrue\tbefore\t4\t3\t1\t{premise}\t{claim}\tTrue\n"
        for n, (premise, claim) in enumerate(texts)
    )


def test_one_text_gives_one_graph() -> None:
    result = run(parse, "--premise", TEXTS[0][0], "--claim", TEXTS[0][1], "--id", "q7")
    assert result.exit_code == 0
    graph = json.loads(result.stdout)
    assert graph == {
        "id": "q7",
        "domain": "temporal",
        "events": ["Mill Quarrel", "Tide", "St. Orla’s Fair"],
        "premise": [
            {
                "left": {"event": "Mill Quarrel", "bound": "end"},
                "order": "before",
                "right": {"event": "Tide", "bound": "start"},
            },
            {
                "left": {"event": "Tide", "bound": "start"},
                "order": "simultaneous",
                "right": {"event": "St. Orla’s Fair", "bound": "end"},
            },
        ],
        "claim": {
            "kind": "events",
            "left": "Mill Quarrel",
            "relation": "before",
            "right": "St. Orla’s Fair",
        },
    }
    assert list(graph) == sorted(graph)


def test_parse_realise_parse_is_parse() -> None:
    graphs = run(parse, "--pairs", "-", input=pairs(TEXTS))
    assert graphs.exit_code == 0
    texts = run(realise, input=graphs.stdout)
    assert texts.stdout == pairs(TEXTS)
    assert run(parse, "--pairs", "-", input=texts.stdout).stdout == graphs.stdout


def test_ids_and_phrases_of_ones_own_pass_through_json_lines(tmp_path: Path) -> None:
    file = tmp_path / "items.tsv"
    file.write_text(published(TEXTS), encoding="utf-8")
    graphs = run(parse, str(file))
    assert [json.loads(line)["id"] for line in graphs.stdout.splitlines()] == list("012345")
    seen = set()
    for seed in ("1", "2", "3"):
        texts = run(realise, "--json", "--seed", seed, input=graphs.stdout)
        assert texts.exit_code == 0
        assert run(realise, "--json", "--seed", seed, input=graphs.stdout).stdout == texts.stdout
        assert run(parse, "-", input=texts.stdout).stdout == graphs.stdout
        seen.add(texts.stdout)
    assert len(seen) == 3


def test_phrases_do_not_depend_on_the_position_of_an_item() -> None:
    graphs = run(parse, "--pairs", "-", input=pairs(TEXTS)).stdout.splitlines(keepends=True)
    whole = run(realise, "--seed", "5", input="".join(graphs)).stdout.splitlines()
    assert run(realise, "--seed", "5", input=graphs[1]).stdout.splitlines() == whole[1:2]


@pytest.mark.parametrize(("spatial", "bound"), [("geometric", "start"), ("published", "end")])
def test_both_readings_of_places(spatial: str, bound: str) -> None:
    graph = run(parse, "--spatial", spatial, "--premise", TEXTS[2][0], "--claim", TEXTS[2][1])
    assert json.loads(graph.stdout)["premise"][0]["left"]["bound"] == bound
    assert run(realise, "--spatial", spatial, input=graph.stdout).stdout == pairs(TEXTS[2:3])


def test_a_given_domain_is_not_detected_from_the_text() -> None:
    result = run(parse, "--domain", "spatial", "--premise", TEXTS[0][0], "--claim", TEXTS[0][1])
    assert isinstance(result.exception, HopcheckError)
    assert result.exception.where == "premise:1:1"


def test_a_text_that_is_wrong_raises() -> None:
    result = run(parse, "--premise", "Tide falls", "--claim", "Tide happens before Snow")
    assert isinstance(result.exception, HopcheckError)
    assert result.stdout == ""


def test_bad_lines_are_reported_and_skipped() -> None:
    lines = [pairs(TEXTS[:1]), "Tide\n", "\n", "The end of Tide hugs\tTide happens before Snow\n"]
    lines += ["\tTide happns before Snow\n", pairs(TEXTS[3:4])]
    result = run(parse, "--pairs", "-", input="".join(lines))
    assert result.exit_code == 2
    assert [json.loads(line)["id"] for line in result.stdout.splitlines()] == ["1", "6"]
    errors = result.stderr.splitlines()
    assert errors[0] == (
        "unparsed: <stdin>:2: found 1 column, expected 2 "
        "(write a premise, which may be empty, a tab and a claim)"
    )
    assert errors[1].startswith('unparsed: <stdin>:4:12: premise of item 4: found "Tide hugs", ')
    assert errors[2].startswith('unparsed: <stdin>:5:7: claim of item 5: found "happns before", ')
    assert len(errors) == 3


def test_bad_rows_of_a_file_are_reported_and_skipped(tmp_path: Path) -> None:
    file = tmp_path / "items.tsv"
    file.write_text("Tide\n" + published([TEXTS[3], ("mill1 ! tide2", "mill < tide")]))
    result = run(parse, str(file))
    assert result.exit_code == 2
    assert len(result.stdout.splitlines()) == 1
    first, second = result.stderr.splitlines()
    assert first.startswith(f"unparsed: {file}:1:")
    assert second.startswith(f'unparsed: {file}:3:36: premise of item 1: found "! tide2", ')


def test_bad_graphs_are_reported_and_skipped() -> None:
    good = run(parse, "--pairs", "-", input=pairs(TEXTS[:1])).stdout
    unwritable = good.replace('"Tide"', '"the Tide"').replace('"id":"1"', '"id":"q"')
    result = run(realise, input=f"{{}}\n\n{unwritable}{good}")
    assert result.exit_code == 2
    assert result.stdout == pairs(TEXTS[:1])
    errors = result.stderr.splitlines()
    assert errors[0].startswith("not written: <stdin>:1: found no graph of an item: ")
    assert errors[1].startswith(
        'not written: <stdin>:3: q: the name "the Tide" would be parsed back as "Tide"'
    )
    assert len(errors) == 2


def test_a_tab_in_a_name_asks_for_json() -> None:
    claim = "Mill\tQuarrel overlaps with Tide"
    graph = run(parse, "--claim", claim).stdout
    refused = run(realise, input=graph)
    assert refused.exit_code == 2
    assert "write it with --json" in refused.stderr
    written = run(realise, "--json", input=graph)
    assert json.loads(written.stdout)["claim"] == claim


@pytest.mark.parametrize(
    "arguments",
    [[], ["--premise", "mill1 < tide2"], ["-", "--claim", "mill < tide"], ["-", "--premise", ""]],
)
def test_usage_is_checked(arguments: list[str]) -> None:
    result = run(parse, *arguments)
    assert result.exit_code == 2
    assert "Usage:" in result.stderr


@pytest.mark.parametrize("command", [parse, realise])
def test_a_file_that_is_missing_is_reported(command: Any, tmp_path: Path) -> None:
    result = run(command, str(tmp_path / "missing"))
    assert isinstance(result.exception, HopcheckError)
    assert "no such file" in str(result.exception)


@pytest.mark.parametrize("command", [parse, realise])
def test_help_shows_an_example_that_can_be_run(command: Any) -> None:
    assert "python -m solver " in run(command, "--help").stdout
