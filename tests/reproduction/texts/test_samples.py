"""The page of texts for reading: as the generator writes, without faults of earlier ones."""

from __future__ import annotations

import re
from datetime import timedelta
from itertools import pairwise

from benchmarks.reproduction.texts.samples import EACH, PAGE, page
from grammar.texts.model import Link
from grammar.texts.reader import read_text

FAULTS = (
    # Starts that no start has, names in another case, and artefacts of the released names.
    r"\b(?:Ncaa|Fc|Ii|Iii)\b",
    r"\( | \)|U00[0-9A-F]{2}|' s\b",
    r"\b[Tt]he (?:new|former) (?:new|former)\b",
    r"\bthe the\b|\ba a\b",
)


def test_the_page_is_what_is_written() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()


def test_no_text_has_a_known_fault() -> None:
    texts = [line[2:] for line in PAGE.read_text(encoding="utf-8").splitlines() if line[:2] == "- "]
    assert len(texts) == 2 * EACH
    assert not [text for text in texts for fault in FAULTS if re.search(fault, text)]
    for text in texts:
        for before, after in pairwise(read_text(text).statements):
            days = after.written_date.date - before.written_date.date
            assert after.link is not Link.MEANWHILE or days <= timedelta(days=1), text
