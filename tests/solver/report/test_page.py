"""Pages of figures and their plots: self-contained, escaped, the same for the same values."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from solver.io.terminal import print_table
from solver.io.writing import OutputError
from solver.report.charts import Series, bar_chart, plot, shade
from solver.report.model import Cell, Exhibit, Point, Report, Section, Sentence, Table, Tone
from solver.report.page import html as report_html
from solver.report.page import markdown, write_page, write_report

HOSTILE = (
    "<script>alert('x')</script>",
    '"><img src=x onerror=alert(1)>',
    "a & b",
    "{{ 7 * 7 }} {% raw %}",
    "null\x00bell\x07",
    "half \ud800 letter",
    "שוק",
)


pytestmark = pytest.mark.usefixtures("charts")


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
def plots() -> dict[str, str]:
    return {"facts": drawn(), "events": drawn("events"), "shades": shaded()}


def report(text: str = "plain") -> Report:
    table = Table(
        columns=("name", text),
        rows=((text, "1,024"), ("b", "-0.5"), ("c", "−3"), ("d", "12 of 13")),
        best=frozenset({(0, 1)}),
    )
    return Report(
        title=f"Title {text}",
        lead=f"Lead {text}",
        facts={"seed": text, text: "1"},
        sections=(
            Section(title=f"One {text}", text=f"Text {text}", tables=(table,)),
            Section(title="Two", plots=plots()),
            Section(title="Three"),
        ),
    )


def test_the_page_needs_nothing_else(pages: Any) -> None:
    pages.assert_self_contained(report_html(report()))


@pytest.mark.parametrize("text", HOSTILE)
def test_what_comes_from_a_file_is_escaped(pages: Any, text: str) -> None:
    html = report_html(report(text))
    page = pages.Page(html)
    assert page.faults == []
    assert "script" not in page.tags
    assert "img" not in page.tags
    assert not any(name.startswith("on") for name, _ in page.attributes)
    assert "49" not in page.text.replace("2049", "") or "{{" in page.text
    assert not any(sign in html for sign in "\x00\x07\ud800")
    html.encode()


def test_everything_is_on_the_page(pages: Any) -> None:
    text = pages.Page(report_html(report())).text
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
    html = report_html(Report(title="Cells", sections=(Section(title="One", tables=(table,)),)))
    assert ('<td class="number">' in html) == number


def test_numbers_are_right_aligned_and_the_best_highlighted() -> None:
    html = report_html(report())
    assert '<td class="number best">1,024</td>' in html
    for cell in ("-0.5", "−3", "12 of 13"):
        assert f'<td class="number">{cell}</td>' in html
    assert '<td class="">b</td>' in html


def test_a_page_of_a_title_alone() -> None:
    html = report_html(Report(title="Nothing"))
    assert "<nav>" not in html
    assert "<dl" not in html
    assert "<table" not in html


def test_the_same_values_are_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.html", "b.html"):
        assert write_page(tmp_path / name, report()) == [tmp_path / name]
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()
    assert report_html(report("x")) != report_html(report())


def test_a_page_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(OutputError):
        write_page(tmp_path / "missing" / "page.html", report())


def test_shades_are_shapes_and_no_image_that_a_page_would_not_show(pages: Any) -> None:
    svg = shaded()
    assert "<image" not in svg
    page = pages.Page(
        report_html(Report(title="Shades", sections=(Section(title="A", plots={"shades": svg}),)))
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
    html = report_html(Report(title="T", sections=(Section(title="S", tables=(table,)),)))
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


def rich_section(text: str) -> Section:
    """A section with every kind of content."""
    exhibit = Exhibit(
        id=text,
        claim=text,
        labels=(text, "true"),
        wrong=True,
        tags=(text,),
        text=text,
        sentences=(Sentence(number=3, text=text, used=True),),
        notes=(text,),
        heading=text,
        words=(text,),
        drawing='<svg xmlns="http://www.w3.org/2000/svg"></svg>',
        place=text,
    )
    cells = (Cell(text="7", detail=text, strength=0.5, tone=Tone.BAD), Cell(bar=40.0))
    return Section(
        title=text,
        text=f"See `{text}`",
        points=(Point(text=text), Point(text=text, warning=True)),
        plots={
            "bars": bar_chart(
                ["a"], [Series(name="s", values=[0.5], low=[0.4], high=[0.7])], axis=text
            )
        },
        tables=(Table(columns=("", "n", ""), rows=((text, *cells),), folded=text, note=text),),
        definitions={text: text},
        exhibits=(exhibit,),
    )


@pytest.mark.parametrize("text", ["plain", *HOSTILE])
def test_every_kind_of_content_is_escaped(pages: Any, text: str) -> None:
    html = report_html(Report(title="T", sections=(rich_section(text),), footer=text))
    page = pages.Page(html)
    assert page.faults == []
    assert {"details", "code", "ol", "dl"} <= set(page.tags)
    assert not {"script", "img"} & set(page.tags)
    assert 'class="heat bad" style="--s:0.5"' in html
    assert 'style="width:40.0%"' in html
    html.encode()


def test_a_folder_holds_figures_page_plots_and_manifest(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    rows = Table(columns=("name", "n"), rows=(("a|b", "3"), ("c", "4")), best=frozenset({(1, 1)}))
    content = Report(
        title="Title",
        lead="Lead.",
        facts={"seed": "0"},
        sections=(Section(title="One", plots={"by-hops": drawn()}, tables=(rows,)),),
    )
    page = write_report(
        folder, content, figures={"n": 3}, config={"o": 1}, encodings=(), page="scores.md"
    )
    assert page == folder / "report.html"
    assert "Title" in page.read_text(encoding="utf-8")
    text = (folder / "scores.md").read_text(encoding="utf-8")
    assert "![by hops](by-hops.svg)" in text
    assert "| name | n |\n|---|---:|\n| a\\|b | 3 |\n| c | **4** |\n" in text
    names = {"scores.json", "scores.md", "by-hops.svg", "report.html"}
    assert {path.name for path in folder.iterdir()} == {*names, "manifest.json"}
    assert set(json.loads((folder / "manifest.json").read_bytes())["outputs"]) == names


def test_figures_with_times_have_no_checksum(tmp_path: Path) -> None:
    write_report(
        tmp_path, report(), figures={}, config={}, encodings=(), summary="s.json", timed=True
    )
    assert set(json.loads((tmp_path / "manifest.json").read_bytes())["outputs"]) == {"report.html"}


def test_markdown_has_every_sentence() -> None:
    text = markdown(Report(title="T", sections=(rich_section("plain"),), footer="end"))
    for part in ("# T", "## plain", "See `plain`", "- plain", "- `plain`: plain", "end"):
        assert f"{part}\n" in text
    assert "| plain | 7 (plain) |  |" in text


def test_tables_are_printed_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(Table(columns=("name", "n"), rows=(("[bold]x\x1b", "1"),)), "title")
    shown = capsys.readouterr().out
    assert "title" in shown
    assert r"[bold]x\u001b" in shown
