"""Lookup of times by name, without materialising them."""

from __future__ import annotations

import pytest

from solver.graph.model import UnknownNameError, Vocabulary
from solver.questions.linking import Names
from solver.questions.names import Labels, TimeIndex

DAYS = ("2033-01-01", "2033-01-02", "2033-01-03")
HUGE = 2**50


def words(times: int, *names: str, step: int = 1) -> Vocabulary:
    return Vocabulary(entities=1, relations=1, times=times, time_names=names, time_step=step)


@pytest.mark.parametrize(
    "vocabulary", [words(40), words(3, *DAYS), words(2, *DAYS), words(72, *DAYS, step=24), words(0)]
)
def test_each_time_is_found_by_what_it_is_called(vocabulary: Vocabulary) -> None:
    listed = {vocabulary.time(number): number for number in range(vocabulary.times)}
    moments = TimeIndex(vocabulary)
    assert dict(moments) == listed
    assert len(moments) == len(listed)
    others = ("", "x", "-1", "00", "01", "1.", "١", "2", "24", "39", "40", "72", "9" * 5000, *DAYS)
    for name in others:
        assert moments.get(name) == listed.get(name), name


def test_a_graph_of_seconds_is_looked_up_at_once() -> None:
    vocabulary = words(HUGE)
    name = str(HUGE - 1)
    assert Names.of(vocabulary).time(name) == Labels.of(vocabulary).time(name) == HUGE - 1
    for lookup in (Names.of(vocabulary).time, Labels.of(vocabulary).time):
        with pytest.raises(UnknownNameError, match=f"found .*time .*{HUGE}"):
            lookup(str(HUGE))
