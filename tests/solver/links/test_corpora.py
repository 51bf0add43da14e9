"""The figures of real corpora, next to the checkout."""

from __future__ import annotations

from pathlib import Path

import pytest

from grammar.links.model import Interpretation, Reading
from solver.links.io import read_documents
from solver.links.settings import LinkSettings
from solver.links.verify import LinkReport
from solver.verification.run import verify

TDD_MAN = "tddiscourse/TDDMan"
ABC = "ABC19980120.1830.0957"


def run(shared: Path, pattern: str, reading: Reading) -> LinkReport:
    folder = shared / "data" / "timelinks"
    paths = sorted(folder.glob(pattern))
    assert paths
    settings = LinkSettings(interpretation=Interpretation(reading=reading), redundancy=False)
    report = verify(paths, "links", config=settings)
    assert isinstance(report, LinkReport)
    assert not report.unreadable
    return report


@pytest.mark.parametrize(
    ("pattern", "reading", "documents", "links", "inconsistent"),
    [
        ("tddiscourse/TDDMan*", Reading.LENIENT, 34, 6150, 20),
        ("tddiscourse/TDDMan*", Reading.ALLEN, 34, 6150, 21),
        pytest.param("tddiscourse/TDDAuto*", Reading.LENIENT, 36, 38300, 8, marks=pytest.mark.slow),
        pytest.param("tddiscourse/TDDAuto*", Reading.ALLEN, 36, 38300, 8, marks=pytest.mark.slow),
        ("matres/*", Reading.LENIENT, 275, 13577, 0),
        ("narrativetime/a1/*", Reading.LENIENT, 12, 8504, 0),
        ("narrativetime/a1/*", Reading.ALLEN, 12, 8504, 1),
        ("narrativetime/a2/*", Reading.LENIENT, 12, 8504, 0),
        ("narrativetime/a2/*", Reading.ALLEN, 12, 8504, 0),
    ],
)
def test_the_table_of_corpora(
    shared: Path, pattern: str, reading: Reading, documents: int, links: int, inconsistent: int
) -> None:
    found = run(shared, pattern, reading)
    assert found.rows == documents
    assert found.metrics["links"] == links
    assert found.metrics["inconsistent"] == inconsistent
    cycles = [outcome for outcome in found.outcomes if outcome.decision.cycle]
    assert len(cycles) == inconsistent
    if pattern.startswith("narrativetime/a1") and inconsistent:
        assert found.metrics["inconsistent_documents"] == [ABC]


def test_every_element_of_timeml_is_read(shared: Path) -> None:
    folder = shared / "data" / "timelinks" / "narrativetime" / "a1"
    for loaded in read_documents([folder], raw=True):
        assert loaded.raw.count(b"<TLINK") == len(loaded.document.links)  # type: ignore[union-attr]
        for link in loaded.document.links:  # type: ignore[union-attr]
            text = loaded.raw[slice(*link.span)]  # type: ignore[union-attr]
            assert text.startswith(b"<TLINK")
            assert text.endswith(b"/>")
            assert f'lid="{link.id}"'.encode() in text
