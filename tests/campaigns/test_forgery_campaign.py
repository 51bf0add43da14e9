"""The campaign of forged certificates: what it enumerates, tries and notices."""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from grammar.eventhop.model import Policy, Relation, Status
from solver.eventhop import check
from solver.eventhop.engines.graph import ClosureEngine
from tests.campaigns import forgery, journal
from tests.campaigns.engines import random_item

FAULTS = [
    (check.Timeline, "separates", lambda *_: True),
    (check.Timeline, "refutes", lambda *_: True),
    (check.Walk, "derives", lambda walk, need: walk.last == need.upper),
    (check.Distances, "bound", lambda *_: 99),
]


def places(part: str, count: int) -> list[int]:
    return random.Random(part).sample(range(forgery.size_of(part, 10_000)), count)


def test_small_worlds_are_complete_up_to_names() -> None:
    # One event: 4 strict relations of its points and 3 loose ones; 16 claims about the event.
    assert len(forgery.worlds(1, 0)) == 7 + 16
    assert len(forgery.worlds(1, 2)) == (1 + 7 + 28) * 23
    assert [forgery.size_of(part, 5) for part in forgery.SHARD] == [58_306, 1_218, 5]


def test_worlds_represent_every_item_once() -> None:
    """By Burnside's lemma: the items that renaming the two events leaves unchanged count twice."""
    items = forgery.worlds(2, 1)
    assert len(items) == len(set(map(repr, items)))
    relations, claims = 16 + 10, 16 + 10 + 4 * 16
    fixed = (1 + 2) * 2  # A+ = B+ and A- = B-, as a premise and as a claim
    assert len(items) == ((1 + relations) * claims + fixed) / 2


def test_the_truth_is_the_verdict_of_an_engine() -> None:
    items = [random_item(3, number) for number in range(300)]
    seen: Counter[tuple[Any, ...]] = Counter()
    for policy in (Policy.LOCAL, Policy.GLOBAL):
        for item, verdict in zip(items, ClosureEngine(policy=policy).decide(items), strict=True):
            right = forgery.truth(item)
            assert right[:2] == (verdict.status, verdict.consistent)
            assert right.label(policy.value) == verdict.label
            assert (right.hops is None) == (verdict.status is Status.UNKNOWN)
            seen[right[:2]] += 1
    assert len(seen) == 7


@pytest.mark.parametrize(("part", "count"), [("small", 60), ("bounded", 2), ("random", 120)])
def test_no_forgery_is_accepted(part: str, count: int) -> None:
    for place in places(part, count):
        trial = forgery.trial_of(part, 1, place)
        assert trial.wrong == []
        assert trial.proved == {"local", "global"}
        assert trial.tried > 20


@pytest.mark.parametrize(
    ("part", "owner", "name", "faulty"),
    [
        *(("small", *fault) for fault in FAULTS),
        *(("random", *fault) for fault in FAULTS if fault[1] != "derives"),
    ],
)
def test_a_fault_of_the_checker_is_noticed(
    part: str, owner: type, name: str, faulty: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owner, name, faulty)
    assert any(forgery.trial_of(part, 2, place).wrong for place in places(part, 150))


def test_a_wrong_label_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    real = check.check_verdict

    def lenient(item: check.Item, verdict: Any, _policy: object, certificate: object) -> None:
        undefined = verdict["status"] == "contradictory"
        label = "undefined" if undefined else str(verdict["status"] == "entailed").lower()
        real(item, {**verdict, "label": label}, "local", certificate)

    monkeypatch.setattr(check, "check_verdict", lenient)
    trial = forgery.trial_of("random", 0, 0)
    assert len(trial.wrong) >= 4


def test_a_right_verdict_without_certificate_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forgery, "made", lambda _item: [])
    found = forgery.forge("random", 0, 0, 3)
    assert found["right_unproved"] == len(found["first_faults"]) == 3


def test_figures_accumulate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def shard(_module: str, first: int, count: int, arguments: Any) -> dict[str, Any]:
        assert arguments == ("--part", "random", "--seed", "0")
        return forgery.forge("random", 0, first, count)

    def run(*options: str) -> int:
        words = ["forgery", "--write", "--out", str(tmp_path / "out"), *options]
        monkeypatch.setattr(sys, "argv", words)
        return forgery.main()

    monkeypatch.setattr(journal, "_shard", shard)
    monkeypatch.setattr(forgery, "RESULTS", tmp_path / "forgery.json")
    monkeypatch.setattr(forgery, "SHARD", {"random": 4})
    assert run("--items", "3") == run("--items", "10") == 0
    found = json.loads(forgery.RESULTS.read_text())["random"]
    whole = forgery.forge("random", 0, 0, 10)
    assert found["items"] == 10
    assert {name: found[name] for name in ("tried", "wrong_accepted", "right_unproved")} == {
        name: whole[name] for name in ("tried", "wrong_accepted", "right_unproved")
    }
    assert found["statuses"] == dict(whole["statuses"])
    with pytest.raises(SystemExit, match="2"):
        run("--items", "20", "--seed", "1")
    assert "records seed 0" in capsys.readouterr().err


def test_items_of_small_worlds_have_relations_of_both_kinds() -> None:
    items = forgery.worlds(3, 2)
    kinds = {type(item.claim).__name__ for item in items}
    assert kinds == {"Claim", "Relation"}
    assert all(
        isinstance(r, Relation) and len(item.premise) <= 2 for item in items for r in item.premise
    )
