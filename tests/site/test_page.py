"""The playground in headless Chromium: from a file, without any host."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import hopcheck as hc
from solver.eventhop import check

ROOT = Path(__file__).resolve().parents[2]
LABEL = "document.querySelector('#verdict .label')?.textContent"
REVISION = "document.documentElement.dataset.revision"
FIRST = "The end of Lantern Parade happened before the start of Winter Market"
CLAIM = "Lantern Parade happens before Winter Market"
FEASIBLE = "document.querySelectorAll('#feasible .possible').length"

Tab = Any
"""A tab of the browser: `tests/conftest.py`."""


def text(page: Tab, selector: str) -> str:
    return str(page.evaluate(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''"))


def fill(page: Tab, **values: str) -> None:
    """Change fields as a user does who types or chooses, before the page decides anything."""
    page.evaluate(
        "for (const [name, value] of Object.entries("
        f"{json.dumps(values)})) {{const field = document.getElementById(name); "
        "field.value = value; for (const kind of ['input', 'change']) "
        "field.dispatchEvent(new Event(kind, {bubbles: true}))}"
    )


def enter(page: Tab, premise: str, claim: str) -> None:
    """Fill both fields, and wait for the verdict."""
    before = page.evaluate(REVISION)
    fill(page, premise=premise, claim=claim)
    page.wait(f"Number({REVISION}) >= {int(before) + 2}")


def ready(page: Tab, site: Path) -> None:
    page.open(site / "playground.html")
    page.wait(LABEL)


@pytest.fixture
def playground(page: Tab, site: Path) -> Iterator[Tab]:
    """The page, opened from disk, with the verdict of the first example."""
    page.offline()
    ready(page, site)
    yield page
    assert page.errors == []
    assert {request.partition("#")[0] for request in page.requests} == {
        (site / "playground.html").as_uri()
    }


def test_a_new_user(playground: Tab, tmp_path: Path) -> None:
    """Read the example, break it, understand the contradiction, repair it, take the proof along."""
    assert playground.evaluate(LABEL) == "true"
    assert "The premise forces the claim" in text(playground, "#verdict")
    enter(playground, f"{FIRST}. {FIRST.replace('before', 'after')}", CLAIM)
    assert playground.evaluate(LABEL) == "undefined"
    assert "Before your change: true (entailed)" in text(playground, "#verdict")
    assert "would be before itself" in text(playground, "#proof")
    playground.click("#sentence-1")
    playground.wait(f"{LABEL} === 'true'")
    playground.click("#copy-json")
    row = playground.wait("document.getElementById('copied').value")
    path = tmp_path / "items.jsonl"
    path.write_text(row, encoding="utf-8")
    assert [reason for _, _, reason in check.check_file(str(path))] == [None]
    assert json.loads(row)["premise"] == FIRST


def test_a_link(playground: Tab, site: Path) -> None:
    enter(playground, "mill1 < tide2. Fête1 = tide2", "mill1 < Fête1")
    before = int(playground.evaluate(REVISION))
    playground.click("input[value=global]")
    playground.wait(f"Number({REVISION}) > {before}")
    playground.click("#copy-link")
    link = playground.wait("document.getElementById('copied').value")
    assert link.startswith(f"{(site / 'playground.html').as_uri()}#i=")
    playground.open("about:blank")
    playground.open(link)
    playground.wait(LABEL)
    fields = "['premise', 'claim'].map((one) => document.getElementById(one).value)"
    assert playground.evaluate(fields) == ["mill1 < tide2. Fête1 = tide2", "mill1 < Fête1"]
    assert playground.evaluate("document.querySelector('input[value=global]').checked")
    assert playground.evaluate(LABEL) == "true"


@pytest.mark.parametrize("hash", ["#i=", "#i=AAAA", "#i=%00", "#i=" + "A" * 2000])
def test_a_damaged_link(page: Tab, site: Path, hash: str) -> None:
    page.open((site / "playground.html").as_uri() + hash)
    page.wait("document.querySelector('#verdict .error')?.textContent.includes('damaged')")


def test_a_fault_has_its_place(playground: Tab) -> None:
    premise = f"{FIRST}. The end of x happend before the end of y"
    fill(playground, premise=premise)
    place = premise.index("happend")
    assert text(playground, "#premise-error").startswith(
        f'Line 1, column {place + 1}: found "happend before", '
        'expected a relation such as "happened before the".'
    )
    assert playground.evaluate("document.getElementById('premise').ariaInvalid") == "true"
    assert "No verdict" in text(playground, "#verdict")
    assert text(playground, "#sentences") == "The premise cannot be read."
    playground.click("#premise-error button")
    selected = "document.getElementById('premise').selectionStart"
    assert playground.evaluate(selected) == place


def test_sentences_that_people_write(playground: Tab) -> None:
    """Each box is a sentence, of several relations perhaps; an antecedent can be put back."""
    premise = "Lunch met tea. Tea and the race both began before supper began. Supper met bed!"
    enter(playground, premise, "Lunch happens before bed")
    assert playground.evaluate(LABEL) == "true"
    assert playground.evaluate("document.querySelectorAll('#sentences input').length") == 3
    playground.click("#sentence-1")
    playground.wait(f"{LABEL} === 'false'")
    playground.click("#sentence-1")
    playground.wait(f"{LABEL} === 'true'")
    enter(playground, "Lunch met tea. It began before tea began", "Lunch happens before tea")
    playground.click("#sentence-0")
    error = playground.wait("document.getElementById('premise-error').textContent")
    assert "the pronoun has not one antecedent" in error
    playground.click("#sentence-0")
    playground.wait(f"{LABEL} === 'true'")


def test_listed_names(playground: Tab, tmp_path: Path) -> None:
    """A name with an operator word is refused, and read once it is listed; so says its link."""
    premise = "The end of Long before happened before the start of Harvest never"
    fill(playground, premise=premise, claim="Long before happens before Harvest never")
    error = playground.wait("document.getElementById('premise-error').textContent")
    assert 'found "before" between "Long" and "happened", expected a relation' in error
    assert "list the name below" in error
    before = int(playground.evaluate(REVISION))
    fill(playground, names="Long before\n Harvest never \n")
    playground.wait(f"Number({REVISION}) > {before}")
    assert playground.evaluate(LABEL) == "true"
    playground.click("#copy-json")
    row = playground.wait("document.getElementById('copied').value")
    assert json.loads(row)["names"] == ["Harvest never", "Long before"]
    path = tmp_path / "items.jsonl"
    path.write_text(row, encoding="utf-8")
    assert [reason for _, _, reason in check.check_file(str(path))] == [None]
    playground.click("#copy-link")
    link = playground.wait(
        "(value => value.includes('#i=') && value)(document.getElementById('copied').value)"
    )
    fill(playground, names="")
    playground.evaluate(f"location.hash = ''; location.hash = {json.dumps(link.split('#')[1])}")
    playground.wait("document.getElementById('names').value === 'Long before\\nHarvest never'")
    playground.wait(f"{LABEL} === 'true'")


PHRASES = """domain = "temporal"
[[phrase]]
text   = "{A} kicked off right after {B} wrapped up"
means  = ["start of A after end of B"]
not    = ["{A} kicked off long before {B} wrapped up"]
"""


def test_phrases_of_others(playground: Tab, tmp_path: Path) -> None:
    """A phrase file is read, tested, and in the copied line and the link; a bad one is refused."""
    premise = "The show kicked off right after the gig wrapped up. Show met ball"
    fill(playground, premise=premise, claim="gig happens before ball")
    playground.wait("!document.getElementById('premise-error').hidden")
    before = int(playground.evaluate(REVISION))
    fill(playground, phrases=PHRASES)
    playground.wait(f"Number({REVISION}) > {before}")
    assert playground.evaluate(LABEL) == "true"
    playground.click("#copy-json")
    row = playground.wait("document.getElementById('copied').value")
    expected = hc.explain(premise=premise, claim="gig happens before ball", phrases=PHRASES)
    assert json.loads(row)["phrases"] == expected.as_json()["phrases"]
    path = tmp_path / "items.jsonl"
    path.write_text(row, encoding="utf-8")
    assert [reason for _, _, reason in check.check_file(str(path))] == [None]
    playground.click("#copy-link")
    link = playground.wait(
        "(value => value.includes('#i=') && value)(document.getElementById('copied').value)"
    )
    fill(playground, phrases=PHRASES.replace("A after end of B", "B after end of A"))
    error = playground.wait("document.getElementById('phrases-error').textContent")
    assert 'but "Harbour Fair kicked off after Long Regatta wrapped up" is read as' in error
    fill(playground, phrases=PHRASES.replace("{B}", "{B"))
    playground.wait("document.getElementById('phrases-error').textContent.includes('a slot is')")
    fill(playground, phrases="")
    playground.wait("document.getElementById('phrases-error').hidden")
    playground.evaluate(f"location.hash = ''; location.hash = {json.dumps(link.split('#')[1])}")
    playground.wait("document.getElementById('phrases').value.includes('kicked off')")
    playground.wait(f"{LABEL} === 'true'")


def test_markup_is_text(playground: Tab) -> None:
    """In every view that shows names."""
    name = '<img src=x onerror="alert(1)"><b>Fair</b>&amp;'
    before = int(playground.evaluate(REVISION))
    fill(playground, names=name)
    playground.wait(f"Number({REVISION}) > {before}")
    enter(playground, FIRST.replace("Lantern Parade", name), CLAIM.replace("Lantern Parade", name))
    playground.wait(FEASIBLE)
    for place in ("#sentences", "#verdict", "#proof", "#feasible", "#timeline", "#graph"):
        # Parts of the page follow one another.
        content = f"document.querySelector({json.dumps(place)}).textContent"
        playground.wait(f"{content}.includes('<img src=x')")
    assert playground.evaluate("document.querySelectorAll('img, b').length") == 0


def test_markup_of_a_refused_text_is_text(playground: Tab) -> None:
    """No name holds a tag; the message that says so shows it."""
    name = '<img src=x onerror="alert(1)"><b>Fair</b>'
    fill(playground, premise=FIRST.replace("Lantern Parade", name))
    playground.wait("document.body.textContent.includes('<b>')")
    assert playground.evaluate("document.querySelectorAll('img, b').length") == 0


def test_faults_of_the_published_procedure(playground: Tab) -> None:
    """Each example is about the faults that its name names."""
    options = (
        "[...document.querySelectorAll('#example option')].map((one) => [one.value, one.text])"
    )
    faults = [
        (value, name)
        for value, name in playground.evaluate(options)
        if "-exempt" in name or "-un" in name or "-by-" in name
    ]
    assert len(faults) == 5
    for value, name in faults:
        before = int(playground.evaluate(REVISION))
        fill(playground, example=value)
        playground.wait(f"Number({REVISION}) > {before}")
        shown = playground.evaluate(
            "[...document.querySelectorAll('#policies strong')].map((one) => one.textContent)"
        )
        assert shown == name.partition(":")[0].split(" and "), name


def test_a_dragged_event(playground: Tab) -> None:
    """By mouse and by keys: what the premise says of the new place."""
    judged = "document.getElementById('timeline-judged').innerText"
    assert "The premise allows this timeline" in playground.evaluate(judged)
    handle = '[data-handle="0 body"]'
    x, y = playground.evaluate(
        f"(() => {{const found = document.querySelector({json.dumps(handle)}); "
        "found.scrollIntoView({block: 'center'}); const box = found.getBoundingClientRect(); "
        "return [box.x + box.width / 2, box.y + box.height / 2];})()"
    )
    for kind, by in (("mousePressed", 0), ("mouseMoved", 300), ("mouseReleased", 300)):
        playground.call(
            "Input.dispatchMouseEvent", type=kind, x=x + by, y=y, button="left", clickCount=1
        )
    playground.wait(f"{judged}.includes('does not allow')")
    assert "sentence 1 " in playground.evaluate(judged)
    playground.click("#timeline-reset")
    playground.wait(f"{judged}.includes('premise allows')")
    playground.evaluate("document.querySelector('[data-handle=\"0 end\"]').focus()")
    for _ in range(4):
        playground.press("ArrowRight", 39)
    playground.wait(f"{judged}.includes('does not allow')")
    now = "document.activeElement.getAttribute('aria-valuenow')"
    assert playground.evaluate(now) == "6"


def test_the_proof_step_by_step(playground: Tab) -> None:
    current = "document.querySelectorAll('.steps .current').length"
    used = "document.querySelectorAll('#graph .used').length"
    assert playground.evaluate(f"[{current}, {used}]") == [0, 5]
    playground.click("#step-next")
    playground.click("#step-next")
    assert playground.evaluate(f"[{current}, {used}]") == [1, 2]
    assert text(playground, "#step-number") == "Step 2 of 5"
    playground.click("#step-all")
    assert playground.evaluate(f"[{current}, {used}]") == [0, 5]


def test_a_quiz_of_ten_items(playground: Tab) -> None:
    playground.click("#nav-quiz")
    labels = []
    for number in range(1, 11):
        playground.wait("!!document.querySelector('[data-answer]:enabled')")
        assert f"Item {number} of 10" in text(playground, "#view-quiz h2")
        playground.click("[data-answer=false]")
        labels.append(playground.wait("document.querySelector('[data-answer].main').textContent"))
        right = labels[-1] == "false"
        assert text(playground, "#quiz-result").startswith("✓" if right else "✗")
        playground.press("Enter", 13, "\r")
    playground.wait("!!document.getElementById('quiz-again')")
    assert "4 of 10 labels were right" in text(playground, "#view-quiz")
    assert {label: labels.count(label) for label in set(labels)} == {
        "true": 3,
        "false": 4,
        "undefined": 3,
    }


@pytest.fixture(scope="session")
def reported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report on the flawed examples."""
    from solver.cli import run

    folder = tmp_path_factory.mktemp("reported") / "report"
    run(["verify", str(ROOT / "examples" / "flawed.tsv"), "--report", str(folder)])
    return folder


def give(page: Tab, path: Path) -> None:
    """Choose a file on the view of reports."""
    page.click("#nav-report")
    root = page.call("DOM.getDocument")["root"]["nodeId"]
    field = page.call("DOM.querySelector", nodeId=root, selector="#report-file")["nodeId"]
    page.call("DOM.setFileInputFiles", files=[str(path)], nodeId=field)


def test_a_report_is_browsed(playground: Tab, reported: Path, tmp_path: Path) -> None:
    """Its certificates are checked; one that was changed is rejected."""
    lines = (reported / "items.jsonl").read_text(encoding="utf-8").splitlines()
    changed = json.loads(lines[10])
    changed["verdict"]["hops"] += 1
    path = tmp_path / "items.jsonl"
    path.write_text("\n".join([*lines[:10], json.dumps(changed), *lines[11:]]), encoding="utf-8")
    give(playground, path)
    done = f"{len(lines)} of {len(lines)} certificates checked, 1 rejected"
    playground.wait(
        f"document.getElementById('report-checked')?.textContent === {json.dumps(done)}"
    )
    fill(playground, **{"report-filter": "wrong-label"})
    fill(playground, **{"report-search": "unknown"})
    count = "document.querySelectorAll('#report-rows tbody tr').length"
    assert playground.evaluate(count) == 1
    playground.click("#report-rows tbody button")
    playground.wait(f"{LABEL} === 'false'")
    assert playground.evaluate("document.getElementById('claim').value").startswith(
        "Lantern Parade"
    )


def test_the_page_of_a_report_is_browsed(playground: Tab, reported: Path) -> None:
    give(playground, reported / "report.html")
    rows = "[...document.querySelectorAll('#report-rows tbody tr')].map((one) => one.innerText)"
    playground.wait("!!document.querySelector('#report-rows tbody tr')")
    found = playground.evaluate(rows)
    assert len(found) == 12
    assert re.search(r"overlaps.*\bTrue\b.*\bfalse\b.*unknown.*wrong-label", found[0])


def test_other_files_are_no_report(playground: Tab, tmp_path: Path) -> None:
    path = tmp_path / "notes.html"
    path.write_text("<p>Nothing.</p>", encoding="utf-8")
    give(playground, path)
    error = "document.getElementById('report-error')?.textContent"
    assert "the page has no findings" in playground.wait(error)


def test_keys_alone(playground: Tab) -> None:
    """Every control is reached by Tab, in the order of the page; the focus is always shown."""
    playground.wait(FEASIBLE)
    playground.evaluate("document.activeElement.blur()")
    order = []
    for _ in range(60):
        playground.press("Tab", 9)
        place = playground.evaluate(
            "(() => {const at = document.activeElement; const style = getComputedStyle(at); "
            "return [at.id || at.dataset.handle || at.value || at.className || '', "
            "at.matches(':focus-visible'), "
            "style.outlineStyle !== 'none' || style.strokeWidth === '4px'];})()"
        )
        if place[0] in ("", *order):
            break
        order.append(place[0])
        assert place[1:] == [True, True], place
    tabs = [f"nav-{view}" for view in ("item", "chain", "quiz", "report")]
    wanted = ["skip", *tabs, "example", "premise", "claim", "domain"]
    assert order[: len(wanted)] == wanted
    for name in ("sentence-0", "copy-json", "step-next", "0 body", "timeline-reset", "graph"):
        assert name in order
    playground.evaluate("document.getElementById('sentence-0').focus()")
    playground.press(" ", 32, " ")
    playground.wait(f"{LABEL} === 'false'")
    assert playground.evaluate("document.activeElement.id") == "sentence-0"


CONTRAST = """
(() => {
  const parse = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number);
  const channel = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const behind = (one) => {
    for (; one; one = one.parentElement) {
      const color = parse(getComputedStyle(one).backgroundColor);
      if (color.length === 3 || color[3] > 0) return color;
    }
    return [255, 255, 255];
  };
  const low = [];
  for (const one of document.querySelectorAll('body *')) {
    const own = [...one.childNodes].some((node) => node.nodeType === 3 && /\\S/.test(node.data));
    if (!own || !one.checkVisibility() || one.closest('.skip, svg, .ahead')) continue;
    const [a, b] = [light(parse(getComputedStyle(one).color)), light(behind(one))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) low.push([one.tagName, one.className, one.textContent.slice(0, 30), ratio]);
  }
  return low;
})()
"""
UNNAMED = """
[...document.querySelectorAll('button, input, select, textarea, [role=slider], [tabindex="0"]')]
  .filter((one) => one.checkVisibility())
  .filter((one) => !(one.ariaLabel || one.labels?.length || one.textContent.trim()
    || one.getAttribute('aria-labelledby')))
  .map((one) => one.outerHTML.slice(0, 80))
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_readable_at_each_width(playground: Tab, axe: str, scheme: str) -> None:
    playground.emulate(scheme)
    playground.call("Page.setBypassCSP", enabled=True)
    for width in (1400, 800, 360):
        playground.resize(width, 900)
        playground.wait(FEASIBLE)
        for view in ("item", "quiz", "report"):
            playground.click(f"#nav-{view}")
            playground.wait("!document.querySelector('#view-quiz:not([hidden]) > .hint')")
            wide = "document.documentElement.scrollWidth - innerWidth"
            assert playground.evaluate(wide) <= 0, (width, view)
            assert playground.evaluate(CONTRAST) == [], (width, view)
            assert playground.evaluate(UNNAMED) == [], (width, view)
            assert playground.violations(axe) == [], (width, view)
        playground.click("#nav-item")


def test_the_policy_of_the_page(page: Tab, site: Path) -> None:
    """No request to any host, no script but its own, no evaluation of text but WebAssembly."""
    source = (site / "playground.html").read_text(encoding="utf-8")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', source)
    assert policy is not None
    rules = dict(rule.split(" ", 1) for rule in policy[1].split("; "))
    assert rules.pop("default-src") == "'none'"
    assert rules.pop("worker-src") == "blob:"
    scripts = rules.pop("script-src").split()
    assert scripts.pop(0) == "'wasm-unsafe-eval'"
    assert [script for script in scripts if not script.startswith("'sha256-")] == []
    assert rules.pop("style-src").startswith("'sha256-")
    assert rules == {"base-uri": "'none'", "form-action": "'none'"}
    page.offline()
    ready(page, site)
    tried = (
        "(async () => {const tried = []; "
        "try {eval('1')} catch (error) {tried.push(error.name)} "
        "try {await fetch('http://127.0.0.1:9/')} catch (error) {tried.push(error.name)} "
        "return tried;})()"
    )
    strict = {"awaitPromise": True, "returnByValue": True, "allowUnsafeEvalBlockedByCSP": False}
    answer = page.call("Runtime.evaluate", expression=tried, **strict)
    assert answer["result"]["value"] == ["EvalError", "TypeError"]


def test_the_embedded_page(page: Tab, site: Path) -> None:
    page.open(site / "embed.html")
    page.wait(LABEL)
    hidden = (
        "['.bar', 'footer', '#example'].map((one) => document.querySelector(one).checkVisibility())"
    )
    assert page.evaluate(hidden) == [False, False, False]
    assert page.errors == []


PICTURES = (
    ("1400", 1400, 1250, "0 0", "light"),
    ("800", 800, 1500, "2 4", "light"),
    ("390", 390, 1500, "0 3", "dark"),
)


@pytest.mark.parametrize(("name", "width", "height", "example", "scheme"), PICTURES)
def test_pictures(
    playground: Tab, tmp_path: Path, name: str, width: int, height: int, example: str, scheme: str
) -> None:
    """Those of docs/playground.md: HOPCHECK_WRITE_IMAGES=1 writes them."""
    playground.call(
        "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}]
    )
    playground.resize(width, height)
    before = int(playground.evaluate(REVISION))
    fill(playground, example=example)
    playground.wait(f"Number({REVISION}) > {before}")
    playground.wait("document.querySelectorAll('#policies .label').length === 3")
    images = ROOT / "docs" / "images"
    folder = images if os.environ.get("HOPCHECK_WRITE_IMAGES") == "1" else tmp_path
    picture = playground.screenshot(folder / f"playground-{name}.png")
    assert picture[16:24] == width.to_bytes(4) + height.to_bytes(4)


SIXTEEN = ". ".join(
    f"The {'start' if n % 2 else 'end'} of Event {n % 8} happened {'before' if n % 3 else 'after'} "
    f"the {'end' if n % 3 else 'start'} of Event {(n * 3 + 1) % 8}"
    for n in range(16)
)


def test_the_first_verdict_needs_half_of_its_budget(browser: Any, site: Path) -> None:
    """1.5 s after the file is opened. Seconds of the processor, as other work does not count."""
    taken = []
    for _ in range(3):
        with browser.page() as page:
            page.call("Performance.enable", timeDomain="threadTicks")
            ready(page, site)
            metrics = page.call("Performance.getMetrics")["metrics"]
        taken += [metric["value"] for metric in metrics if metric["name"] == "TaskDuration"]
    assert min(taken) < 0.75, taken


def test_a_change_of_16_sentences_takes_150_milliseconds(playground: Tab) -> None:
    enter(playground, SIXTEEN, "Event 0 happens before Event 3")
    playground.wait(FEASIBLE)
    taken = []
    for number in range(40):
        before = int(playground.evaluate(REVISION))
        changed = SIXTEEN.replace("before", "after", 1) if number % 2 else SIXTEEN
        fill(playground, premise=changed)
        playground.wait(f"Number({REVISION}) > {before}")
        taken.append(float(playground.evaluate("document.documentElement.dataset.milliseconds")))
        if taken[-1] < 150:
            return
        playground.wait("document.querySelectorAll('#policies .label').length >= 2")
    pytest.fail(f"milliseconds: {taken}")
