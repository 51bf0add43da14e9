"""The figures of real corpora, next to the checkout."""

from __future__ import annotations

from pathlib import Path

import pytest

from grammar.links.model import Interpretation, Reading
from solver.links.check import check_file
from solver.links.io import read_documents
from solver.links.settings import LinkSettings
from solver.links.verify import LinkReport, write_certificates
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


def test_files_of_annotators(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """As TimeBank-Dense publishes them: no suffix that is known, and no document in the rows."""
    annotated = {"ann": "e1\te2\tb\ne2\te1\tb\n", "bea": "e1\te2\tb\n", "readme": "a text"}
    for annotator, text in annotated.items():
        (tmp_path / f"wsj_1.tml.{annotator}").write_text(text)
    report = verify([tmp_path], "links")
    assert (report.rows, report.metrics["inconsistent_documents"]) == (2, ["wsj_1.tml.ann"])
    assert isinstance(report, LinkReport)
    decided = [(outcome.document, outcome.decision) for outcome in report.outcomes]
    out = tmp_path_factory.mktemp("report")
    certificates = write_certificates(out, decided, Interpretation())
    assert [fault for *_, fault in check_file(str(certificates), [str(tmp_path)])] == [None, None]
