"""Repairs are minimal: compared with all subsets of links, and with a second solver."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import clingo
import pytest

from grammar.links.model import Document, Interpretation, RelationType
from solver.links.corpus import repair_corpus
from solver.links.engine import Network
from solver.links.repair import RepairSettings, repair

SETTINGS = RepairSettings(interpretation=Interpretation())


def least(document: Document, world: Any) -> int:
    """The least weight of links to remove, by trying all sets."""
    brute = world(document, Interpretation())
    return min(
        sum(link.weight for link in document.links) - sum(link.weight for link in kept)
        for size in range(len(document.links) + 1)
        for kept in combinations(document.links, size)
        if brute.models(kept)
    )


@pytest.mark.parametrize("weighted", [False, True])
def test_repairs_are_minimal(
    random_documents: Callable[..., list[Document]], world: Any, weighted: bool
) -> None:
    source = random.Random(4)
    several = 0
    for document in random_documents(9, 120, nodes=3, links=7):
        links = tuple(
            replace(link, weight=source.randint(1, 4) if weighted else 1) for link in document.links
        )
        document = replace(document, links=links)
        found = repair(document, SETTINGS)
        assert found.proved
        assert found.cost == found.lower == least(document, world)
        assert found.second == (found.cost if found.removed else None)
        assert world(found.repaired, Interpretation()).models()
        assert len(found.repaired.links) == len(links) - len(found.removed)
        several += found.cost > 1
    assert several > 10


def test_relabelled_links_stay(random_documents: Callable[..., list[Document]], world: Any) -> None:
    settings = replace(SETTINGS, relabel=True)
    relabelled = 0
    for document in random_documents(10, 60, nodes=3, links=7):
        found = repair(document, settings)
        assert world(found.repaired, Interpretation()).models()
        assert len(found.removed) == repair(document, SETTINGS).cost
        assert set(found.relabelled) <= set(found.removed)
        kept = {link.id: link for link in found.repaired.links}
        for n, relation in found.relabelled.items():
            assert relation is not document.links[n].relation
            assert kept[document.links[n].id].relation is relation
            relabelled += 1
    assert relabelled > 10


def test_no_time_gives_an_interval(document_of: Callable[[str], Document]) -> None:
    """Without time for an optimisation, the bounds are those of the greedy repair."""
    text = ", ".join(f"{a} BEFORE {b}" for a in "abcdef" for b in "abcdef" if a != b)
    document = document_of(text)
    found = repair(document, replace(SETTINGS, seconds=0.0, second_limit=0))
    assert found.lower <= 15 <= found.cost
    assert Network(found.repaired, Interpretation()).decide().consistent


def test_a_wait_that_ends_early_is_no_time_limit(
    random_documents: Callable[..., list[Document]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine, clingo's wait ends with the start of its thread, before its result."""
    waits, wait = [0], clingo.SolveHandle.wait

    def early(handle: clingo.SolveHandle, seconds: float | None = None) -> bool | None:
        waits[0] += 1
        return waits[0] % 3 == 0 and wait(handle, seconds)

    monkeypatch.setattr(clingo.SolveHandle, "wait", early)
    assert all(repair(each, SETTINGS).proved for each in random_documents(9, 60, nodes=4, links=9))
    assert waits[0] > 60


@pytest.mark.parametrize(
    ("pattern", "removed"),
    [
        ("TDDManDev*", 4),
        pytest.param("TDDAuto*", 39, marks=pytest.mark.slow),
        pytest.param("TDDMan*", 206, marks=pytest.mark.slow),
    ],
)
def test_the_fewest_links_of_tddiscourse(shared: Path, pattern: str, removed: int) -> None:
    folder = shared / "data" / "timelinks" / "tddiscourse"
    paths = [str(path) for path in sorted(folder.glob(pattern))]
    result = repair_corpus(paths, replace(SETTINGS, seconds=3_000.0))
    assert result.proved
    assert result.as_json()["removed"] == removed
    for each_repair in result.repairs.values():
        asked = len(each_repair.document.links) <= SETTINGS.second_limit
        assert each_repair.second == (each_repair.cost if asked else None)


def test_vague_is_a_label_where_it_is_used(document_of: Callable[[str], Document]) -> None:
    text = "a BEFORE b, b BEFORE a, a VAGUE c"
    found = repair(document_of(text), replace(SETTINGS, relabel=True))
    (relation,) = found.relabelled.values()
    assert relation is not RelationType.VAGUE
