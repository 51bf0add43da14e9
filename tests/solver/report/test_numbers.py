"""Figures as text."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from solver.report.numbers import (
    cut,
    decimal_interval,
    left_out,
    p_value,
    percent,
    percent_interval,
    share,
)


@dataclass(frozen=True)
class Figure:
    value: float
    low: float | None = None
    high: float | None = None


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        (share(41, 250), "16.4%"),
        (share(0, 0), "–"),
        (percent(0.55926), "55.93"),
        (percent(None), "–"),
        (percent_interval(Figure(0.5593, 0.4828, 0.6473)), "55.93 [48.28-64.73]"),
        (percent_interval(Figure(0.5593)), "55.93"),
        (decimal_interval(Figure(0.712, 0.69, 0.733)), "0.712 [0.690, 0.733]"),
        (p_value(0.01234), "0.012"),
        (p_value(0.0), "<1e-300"),
        (cut("abcdef", 6), "abcdef"),
        (cut("abcdefg", 6), "abcde…"),
        (left_out(1200, "scores.json"), "1,200 more are in scores.json."),
        (left_out(0, "scores.json"), ""),
    ],
)
def test_figures_are_formatted(shown: str, text: str) -> None:
    assert shown == text
