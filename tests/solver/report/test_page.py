"""Pages of figures and their plots: self-contained, escaped, the same for the same values."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from solver.io.writing import OutputError
from solver.report.charts import plot, shade
from solver.report.page import Section, Sheet, Table, sheet_html, write_sheet

HOSTILE = (
    "<script>alert('x')</script>",
    '"><img src=x onerror=alert(1)>',
    "a & b",
    "{{ 7 * 7 }} {% raw %}",
    "null\x00bell\x07",
    "half \ud800 letter",
    "שוק",
)


def drawn(text: str = "facts", *, legend: bool = False, panels: int = 1) -> str:
    with plot(panels=panels, legend=legend) as figure:
        for number, axes in enumerate(figure.axes):
            axes.plot([1, 2, 3], [number, 4, 9], label=text)
            axes.set_title(text)
    return figure.svg


def shaded() -> str:
    with plot() as figure:
        texts = [["low", "most"], ["none", "half"]]
        shade(
            *(figure.axes[0], [[0.1, 2.0], [0.0, 1.0]], texts),
            rows=("upper", "lower"),
            columns=("left", "right"),
            most=2,
        )
    return figure.svg


@cache
def plots() -> tuple[str, ...]:
    return drawn(), drawn("events"), shaded()


def sheet(text: str = "plain") -> Sheet:
    table = Table(
        columns=("name", text),
        rows=((text, "1,024"), ("b", "-0.5"), ("c", "−3"), ("d", "12 of 13")),
        best=frozenset({(0, 1)}),
    )
    return Sheet(
        title=f"Title {text}",
        lead=f"Lead {text}",
        facts={"seed": text, text: "1"},
        sections=(
            Section(title=f"One {text}", text=f"Text {text}", table=table),
            Section(title="Two", plots=plots()),
            Section(title="Three"),
        ),
    )


def test_the_page_needs_nothing_else(press: Any) -> None:
    press.assert_self_contained(sheet_html(sheet()))


@pytest.mark.parametrize("text", HOSTILE)
def test_what_comes_from_a_file_is_escaped(press: Any, text: str) -> None:
    html = sheet_html(sheet(text))
    page = press.Page(html)
    assert page.faults == []
    assert "script" not in page.tags
    assert "img" not in page.tags
    assert not any(name.startswith("on") for name, _ in page.attributes)
    assert "49" not in page.text.replace("2049", "") or "{{" in page.text
    assert not any(sign in html for sign in "\x00\x07\ud800")
    html.encode()


def test_everything_is_on_the_page(press: Any) -> None:
    text = press.Page(sheet_html(sheet())).text
    for words in ("Title plain", "Lead plain", "One plain", "Text plain", "1,024", "12 of 13"):
        assert words in text


@pytest.mark.parametrize(
    ("cell", "number"),
    [
        *((cell, True) for cell in ("1,024", "−3", "+.5", "<0.5", "1.2e-5", "12 s", "50%", "–")),
        *((cell, True) for cell in ("55.93 [48.28-64.73]", "48.28-64.73", "5-9", "5–9", "1 of 2")),
        *(
            (cell, False)
            for cell in ("1-hop", "1-hop and 2-hop", "2033-04", "2033-04-01", "1.2.3-4")
        ),
        *((cell, False) for cell in ("", "yes", "-", "10:20", "3D", "1.2.3-4")),
    ],
)
def test_what_has_a_number_in_it_is_not_one(cell: str, number: bool) -> None:
    table = Table(columns=("a",), rows=((cell,),))
    html = sheet_html(Sheet(title="Cells", sections=(Section(title="One", table=table),)))
    assert ('<td class="number">' in html) == number


def test_numbers_are_right_aligned_and_the_best_highlighted() -> None:
    html = sheet_html(sheet())
    assert '<td class="number best">1,024</td>' in html
    for cell in ("-0.5", "−3", "12 of 13"):
        assert f'<td class="number">{cell}</td>' in html
    assert '<td class="">b</td>' in html


def test_a_page_of_a_title_alone() -> None:
    html = sheet_html(Sheet(title="Nothing"))
    assert "<nav>" not in html
    assert "<dl" not in html
    assert "<table" not in html


def test_the_same_values_are_the_same_bytes(tmp_path: Path) -> None:
    first, second = (write_sheet(tmp_path / name, sheet()) for name in ("a.html", "b.html"))
    assert first.read_bytes() == second.read_bytes()
    assert sheet_html(sheet("x")) != sheet_html(sheet())


def test_a_page_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(OutputError):
        write_sheet(tmp_path / "missing" / "page.html", sheet())


def test_shades_are_shapes_and_no_image_that_a_page_would_not_show(press: Any) -> None:
    svg = shaded()
    assert "<image" not in svg
    page = press.Page(
        sheet_html(Sheet(title="Shades", sections=(Section(title="A", plots=(svg,)),)))
    )
    assert not {"image", "img"} & set(page.tags)
    for text in ("low", "most", "none", "half", "upper", "lower", "left", "right"):
        assert text in page.text


def test_the_first_row_of_shades_is_on_top() -> None:
    with plot() as figure:
        axes = figure.axes[0]
        shade(axes, [[0.1], [0.9]], [["a"], ["b"]], rows=("a", "b"), columns=("x",))
        assert axes.yaxis_inverted()
        assert [text.get_color() for text in axes.texts] == ["black", "white"]


def test_a_missing_number_is_right_aligned_like_its_column() -> None:
    table = Table(columns=("model", "MRR"), rows=(("a", "–"), ("b", "<0.5")))
    html = sheet_html(Sheet(title="T", sections=(Section(title="S", table=table),)))
    assert '<th scope="col" class="number">MRR</th>' in html
    assert '<th scope="col" class="">model</th>' in html
    assert '<td class="number">–</td>' in html
    assert '<td class="number">&lt;0.5</td>' in html


def test_a_plot_is_the_same_each_time() -> None:
    assert drawn() == drawn()
    assert drawn() != drawn("events")


def test_a_plot_has_its_words_as_text_and_no_time() -> None:
    svg = drawn("a < b & c")
    assert "a &lt; b &amp; c" in svg
    assert "<dc:date>" not in svg


def test_panels_and_a_legend() -> None:
    assert drawn(panels=2).count('id="axes_') == 2
    assert 'id="legend_1"' in drawn(legend=True)
    assert 'id="legend_1"' not in drawn()


def test_a_plot_that_fails_leaves_no_document() -> None:
    with pytest.raises(ZeroDivisionError), plot() as figure:
        raise ZeroDivisionError
    assert figure.svg == ""
