"""Fixtures shared by all tests."""

from __future__ import annotations

import base64
import gc
import hashlib
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO, TypeVar
from unittest.mock import MagicMock, patch
from xml.sax.saxutils import escape

import pytest
from hypothesis import HealthCheck, settings

Result = TypeVar("Result")

SHARED = Path(__file__).resolve().parents[2] / "shared"


# Test processes share the cores: threads of libraries would wait for each other, and spin.
# Read when a library is loaded, also by children.
os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
# No test depends on the terminal, the language, the time zone or the proxies of its user.
for _name in (
    *("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE"),
    *("TTY_COMPATIBLE", "TTY_INTERACTIVE", "LANGUAGE", "PYTHONWARNINGS", "PYTHONIOENCODING"),
    *("PYTHONHASHSEED", "MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEFILES", "VERSIONS"),
):
    os.environ.pop(_name, None)
os.environ |= {"TERM": "xterm", "LC_ALL": "C.UTF-8", "TZ": "UTC", "NO_PROXY": "*", "no_proxy": "*"}
time.tzset()

PATIENCE = 600
"""Seconds after which a process hangs. Other work on the machine makes it slow, and no more."""

FIXED_WORK = 0.025
"""Seconds that `_fixed_work` takes on the machine that limits on processor time were set on."""


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip tests of bytes that other versions of a library write, unless it has the pinned one."""
    for mark in item.iter_markers("pinned"):
        pins = (Path(__file__).parents[1] / "constraints.txt").read_text(encoding="utf-8")
        for library in mark.args:
            if f"\n{library}=={version(library)} " not in pins:
                pytest.skip(f"{library} {version(library)} is not the version of constraints.txt")


def pytest_configure() -> None:
    """Make tests independent of time and of signals that the caller ignores.

    An ignored SIGINT (``nohup``, ``make test &``) would be inherited by every child. A process with
    a handler of its own gives its children the default action instead.

    How long hypothesis takes to draw an example depends on the machine.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    timed = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)
    settings.register_profile(
        "untimed", parent=settings(), deadline=None, suppress_health_check=timed
    )
    settings.load_profile("untimed")


# Every second test process, which imports what is tested in the opposite order.
_BACKWARDS = os.environ.get("PYTEST_XDIST_WORKER", "")[-1:] in tuple("13579")


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """In a new checkout, each module is compiled by the process that comes to it first."""
    report = yield
    if _BACKWARDS and isinstance(collector, pytest.Directory):
        report.result.reverse()
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests of all processes are in the same order; some are marked by their folder."""
    items.sort(key=lambda item: item.path.parts)
    for item in items:
        if {"campaigns", "reproduction"} & set(item.path.parts):
            item.add_marker("measuring")


def pytest_collection_finish() -> None:
    """Keep what was imported out of later garbage collections, where it is most of the work."""
    gc.collect()
    gc.freeze()
    # Fewer of them: they took a tenth of the time of all tests.
    gc.set_threshold(50_000, 20, 20)


class _Calls(MagicMock):
    """A figure that is not drawn: its file states the calls that would draw it, in their order."""

    def subplots(self, rows: int, columns: int, **_: object) -> list[list[MagicMock]]:
        made = [[MagicMock() for _ in range(columns)] for _ in range(rows)]
        for number, axes in enumerate(axes for row in made for axes in row):
            self.attach_mock(axes, f"axes_{number}")
        return made

    def savefig(self, file: BinaryIO, **_: object) -> None:
        # Without addresses of objects.
        calls = re.sub(r" id='\d+'| at 0x\w+", "", "\n".join(map(str, self.mock_calls)))
        file.write(f"<svg>{escape(calls)}</svg>".encode())


@pytest.fixture(scope="session")
def example_questions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Questions about the example's graph by the defaults, which no test changes."""
    from solver.cli import run

    graph = Path(__file__).resolve().parents[1] / "examples" / "questions" / "graph"
    folder = tmp_path_factory.mktemp("example") / "asked"
    assert run(["generate", "questions", str(graph), "--out", str(folder)]) == 0
    return folder


@pytest.fixture(scope="session")
def renew() -> Callable[[Path], None]:
    """Makes the manifest of a folder state the checksums of the files that it now contains."""

    def renewed(folder: Path) -> None:
        path = folder / "manifest.json"
        described = json.loads(path.read_bytes())
        described["outputs"] = {
            name: hashlib.sha256((folder / name).read_bytes()).hexdigest()
            for name in described["outputs"]
            if (folder / name).is_file()
        }
        path.write_text(json.dumps(described, sort_keys=True))

    return renewed


@pytest.fixture
def unsealed() -> Iterator[None]:
    """Reads data sets whose seals are broken, as ``--unsealed`` does."""
    from solver.dataset.seal import opening

    with opening(unsealed=True):
        yield


class _Drawing:
    """Whether figures are drawn."""

    wanted = False

    @classmethod
    @contextmanager
    def on(cls) -> Iterator[None]:
        before, cls.wanted = cls.wanted, True
        yield
        cls.wanted = before


@pytest.fixture(scope="session", autouse=True)
def _figures() -> Iterator[None]:
    """The charts of reports are drawn where a test uses ``charts``, and in other processes.

    To draw all of them would be a tenth of the work of all tests.
    """
    from solver.report.charts import figure as drawn

    def figure(width: float, height: float) -> object:
        return drawn(width, height) if _Drawing.wanted else _Calls()

    with patch("solver.report.charts.figure", figure):
        yield


@pytest.fixture
def charts() -> Iterator[None]:
    """Draws the charts of this test."""
    with _Drawing.on():
        yield


@pytest.fixture
def repeated(tmp_path: Path) -> Callable[[Callable[[Path], object]], Path]:
    """Calls what writes a folder three times, compares the bytes, and gives the first folder.

    Charts are drawn the first time. The other times, what would draw them is compared; that charts
    of the same values have the same bytes is a test of charts.
    """

    def contents(folder: Path) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in folder.iterdir()}

    def check(write: Callable[[Path], object]) -> Path:
        drawn, *others = (tmp_path / name for name in ("drawn", "first", "second"))
        with _Drawing.on():
            write(drawn)
        for folder in others:
            write(folder)
        first, second = map(contents, others)
        assert first == second
        found = contents(drawn)
        assert set(found) == set(first)
        charted = {name for name in found if name.endswith((".svg", ".html"))} | {"manifest.json"}
        assert all(found[name] == first[name] for name in set(found) - charted)
        assert any(b"axes_0" in first[name] for name in charted)
        return drawn

    return check


@pytest.fixture(scope="session")
def python() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs Python to its end: ``python("-m", "solver", path, cwd=folder)``.

    Output is captured; further options are those of ``subprocess.run``.
    """

    def call(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
        options = {"capture_output": True, "text": True, "timeout": PATIENCE} | options
        check = options.pop("check", False)
        return subprocess.run([sys.executable, *map(str, arguments)], check=check, **options)

    return call


@pytest.fixture
def alone(
    tmp_path: Path, python: Callable[..., subprocess.CompletedProcess[str]]
) -> Callable[..., tuple[int, str, str]]:
    """Runs a copy of a module in another folder, without site-packages and without this checkout.

    Gives its exit status, output and errors.
    """

    def call(module: ModuleType, *arguments: object) -> tuple[int, str, str]:
        (tmp_path / "alone.py").write_bytes(Path(str(module.__file__)).read_bytes())
        ran = python("-I", "-S", "alone.py", *arguments, cwd=tmp_path)
        return ran.returncode, ran.stdout, ran.stderr

    return call


@pytest.fixture
def start() -> Iterator[Callable[..., subprocess.Popen[Any]]]:
    """Starts Python: ``start("-c", program, stdout=PIPE)``. After the test, it is killed."""
    with ExitStack() as ends:

        def call(*arguments: object, **options: Any) -> subprocess.Popen[Any]:
            process = subprocess.Popen([sys.executable, *map(str, arguments)], **options)
            ends.enter_context(process)
            ends.callback(process.kill)
            return process

        yield call


@pytest.fixture(scope="session")
def until() -> Callable[[Callable[[], object]], None]:
    """Waits until something is so."""

    def wait(condition: Callable[[], object]) -> None:
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, f"not so after {PATIENCE} s"
            time.sleep(0.01)

    return wait


@pytest.fixture
def of_killed_process() -> Iterator[Callable[[str], str]]:
    """Names of what a killed process has left beside a file that it was to write."""
    from solver.io import writing

    def name(target: str) -> str:
        ended = subprocess.Popen((sys.executable, "-c", ""))
        ended.wait()
        writing._swept.clear()
        hidden = writing.hidden_beside(Path(target)).name
        return hidden.replace(f"-{os.getpid()}-", f"-{ended.pid}-")

    yield name
    writing._swept.clear()


def _fixed_work() -> float:
    """Processor time of fixed work."""
    begin = time.process_time()
    assert sum(number & 1 for number in range(1_000_000)) == 500_000
    return time.process_time() - begin


@pytest.fixture(scope="session")
def slowdown() -> Callable[[], float]:
    """How much slower than usual fixed work is now; at least 1."""
    return lambda: max(1.0, _fixed_work() / FIXED_WORK)


@pytest.fixture(scope="session")
def within() -> Callable[[float, Callable[[], Result]], Result]:
    """Calls what may take so many seconds of processor time, and gives its result.

    A call that takes more is repeated up to four times, and the limit grows as fixed work does:
    other processes slow this one down, too, by the caches that they share.
    """

    def call(seconds: float, work: Callable[[], Result]) -> Result:
        every = []
        for _ in range(5):
            begin = time.process_time()
            result = work()
            every.append(time.process_time() - begin)
            if every[-1] < seconds or every[-1] < seconds * _fixed_work() / FIXED_WORK:
                return result
        pytest.fail(f"took {every} s of processor time, expected less than {seconds}")

    return call


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real fixtures next to the checkout; the test is skipped without it.

    With ``HOPCHECK_REQUIRE_SHARED=1`` its absence is a failure.
    """
    if not (SHARED / "data").is_dir():
        reason = "the real data are not next to this checkout"
        if os.environ.get("HOPCHECK_REQUIRE_SHARED") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    return SHARED


def _installed(*libraries: str) -> None:
    missing = [name for name in libraries if find_spec(name) is None]
    if missing:
        reason = f"{', '.join(missing)} not installed (make models)"
        if os.environ.get("HOPCHECK_REQUIRE_MODELS") == "1":
            pytest.fail(reason)
        pytest.skip(reason)


@pytest.fixture(scope="session")
def torch() -> None:
    """The library ``torch``; the test is skipped without it.

    With ``HOPCHECK_REQUIRE_MODELS=1`` its absence is a failure.
    """
    _installed("torch")
    from torch import set_num_threads

    # Threads of several test processes would wait for each other.
    set_num_threads(1)


@pytest.fixture(scope="session")
def models(torch: None) -> None:  # noqa: ARG001
    """Requirements of the encoders, in the same way."""
    _installed("torch", "transformers", "tokenizers")


@pytest.fixture(scope="session")
def parquet() -> None:
    """The library ``pyarrow``, in the same way."""
    _installed("pyarrow")


@pytest.fixture(scope="session")
def hf() -> None:
    """The library ``datasets``, in the same way."""
    _installed("datasets")


@pytest.fixture(scope="session")
def notebook() -> None:
    """The libraries of notebooks, pandas among them, in the same way."""
    _installed("pandas", "nbclient", "ipykernel")


@pytest.fixture(scope="session")
def mkdocs() -> None:
    """The library that makes a site of the documentation, in the same way."""
    _installed("mkdocs", "material")


_CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe"),
)
# Chromium reads commands from descriptor 3 and answers on descriptor 4.
_START = """
import fcntl, os, sys
read, write = (fcntl.fcntl(int(end), fcntl.F_DUPFD, 10) for end in sys.argv[1:3])
os.dup2(read, 3)
os.dup2(write, 4)
os.execvp(sys.argv[3], sys.argv[3:])
"""


class BrowserError(Exception):
    """An error that the browser reports, or an answer that does not come."""


class Page:
    """A tab of the browser.

    Attributes:
        requests: addresses that the page asked for, `data:` and `blob:` left out.
        errors: exceptions that were not caught, and messages of the console's level `error`.
    """

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser = browser
        self._session = session
        self.requests: list[str] = []
        self.errors: list[str] = []
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, /, **parameters: object) -> dict[str, Any]:
        """A method of the DevTools protocol."""
        return self._browser.call(method, parameters, self._session)

    def notice(self, method: str, parameters: dict[str, Any]) -> None:
        """Record an event."""
        if method == "Network.requestWillBeSent":
            address = parameters["request"]["url"]
            if not address.startswith(("data:", "blob:")):
                self.requests.append(address)
        elif method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.errors.append(parameters["entry"]["text"])
        elif method == "Runtime.consoleAPICalled" and parameters["type"] == "error":
            self.errors.append(str([argument.get("value") for argument in parameters["args"]]))

    def resize(self, width: int, height: int) -> None:
        """Set the size of the window, in CSS pixels."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", **size)

    def open(self, address: str | Path, seconds: float = 120) -> None:
        """Open an address or a file, and wait until it is loaded."""
        url = address.as_uri() if isinstance(address, Path) else address
        failed = self.call("Page.navigate", url=url).get("errorText")
        if failed:
            raise BrowserError(f"{url}: {failed}")
        self.wait("document.readyState === 'complete'", seconds)

    def evaluate(self, script: str) -> Any:
        """The JSON value of an expression; a promise is awaited."""
        answer = self.call(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def wait(self, script: str, seconds: float = 120) -> Any:
        """Wait until an expression is true; gives its value."""
        end = time.monotonic() + seconds
        while not (value := self.evaluate(script)):
            if time.monotonic() > end:
                raise BrowserError(f"not true after {seconds} s: {script}")
            time.sleep(0.02)
        return value

    def emulate(self, scheme: str) -> None:
        """Prefer a colour scheme, light or dark."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", features=features)

    def violations(self, axe: str) -> list[list[str]]:
        """What axe finds that is serious or critical: the rule and the first element of each."""
        self.evaluate(f"{axe};0")
        return self.evaluate(
            "axe.run(document, {resultTypes: ['violations']}).then(found => found.violations"
            ".filter(rule => ['serious', 'critical'].includes(rule.impact))"
            ".map(rule => [rule.id, rule.nodes[0].html, rule.nodes[0].failureSummary]))"
        )

    def click(self, selector: str) -> None:
        """Click in the middle of the first element of a selector, once it stays in its place."""
        name = json.dumps(selector)
        find = (
            f"(() => {{const found = document.querySelector({name}); "
            "found.scrollIntoView({block: 'nearest'}); const box = found.getBoundingClientRect(); "
            "return [box.x + box.width / 2, box.y + box.height / 2];})()"
        )
        # What is shown late moves what is below it.
        place, before = self.evaluate(find), None
        while place != before:
            time.sleep(0.05)
            place, before = self.evaluate(find), place
        x, y = place
        for kind in ("mousePressed", "mouseReleased"):
            at = {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}
            self.call("Input.dispatchMouseEvent", **at)

    def press(self, key: str, code: int = 0, text: str = "") -> None:
        """Press a key: `press("Tab", 9)`, `press("Enter", 13, "\\r")`, `press("ArrowDown", 40)`."""
        pressed = {"key": key, "code": key, "windowsVirtualKeyCode": code}
        kind = "keyDown" if text else "rawKeyDown"
        self.call("Input.dispatchKeyEvent", type=kind, text=text, **pressed)
        self.call("Input.dispatchKeyEvent", type="keyUp", **pressed)

    def type(self, text: str) -> None:
        """Type a text into the element that has the focus."""
        self.call("Input.insertText", text=text)

    def offline(self) -> None:
        """Cut the page off from every host."""
        lost = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
        self.call("Network.emulateNetworkConditions", **lost)

    def screenshot(self, path: Path | None = None) -> bytes:
        """A picture of the window as PNG, also written to a file."""
        picture = base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
        if path is not None:
            path.write_bytes(picture)
        return picture


class Browser:
    """Headless Chromium, driven by the DevTools protocol through a pair of pipes."""

    def __init__(self, program: str, folder: Path) -> None:
        read, self._write = os.pipe()
        self._read, write = os.pipe()
        command = [sys.executable, "-c", _START, str(read), str(write), program, *_FLAGS]
        self._process = subprocess.Popen(
            [*command, f"--user-data-dir={folder}"],
            pass_fds=(read, write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        os.close(read)
        os.close(write)
        self._rest = b""
        self._calls = 0
        self._pages: dict[str, Page] = {}

    def call(
        self, method: str, parameters: dict[str, object] | None = None, session: str | None = None
    ) -> dict[str, Any]:
        """Call a method and wait for its answer; the events before it go to their pages."""
        self._calls += 1
        message: dict[str, Any] = {"id": self._calls, "method": method, "params": parameters or {}}
        if session is not None:
            message["sessionId"] = session
        sent = json.dumps(message).encode() + b"\0"
        while sent:
            sent = sent[os.write(self._write, sent) :]
        while True:
            answer = self._receive(method)
            if answer.get("id") == self._calls:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            if (page := self._pages.get(answer.get("sessionId", ""))) and "method" in answer:
                page.notice(answer["method"], answer["params"])

    def _receive(self, method: str, seconds: float = PATIENCE) -> dict[str, Any]:
        parts = [self._rest]
        while b"\0" not in parts[-1]:
            if not select.select([self._read], [], [], seconds)[0]:
                raise BrowserError(f"{method}: no answer after {seconds} s")
            if not (part := os.read(self._read, 1 << 20)):
                raise BrowserError(f"{method}: the browser has ended")
            parts.append(part)
        received, _, self._rest = b"".join(parts).partition(b"\0")
        return json.loads(received)

    @contextmanager
    def page(self, width: int = 1400, height: int = 900) -> Iterator[Page]:
        """A new tab without cookies, storage or cache of another one."""
        context = self.call("Target.createBrowserContext")["browserContextId"]
        blank: dict[str, object] = {"url": "about:blank", "browserContextId": context}
        target = self.call("Target.createTarget", blank)["targetId"]
        attached = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})
        session = attached["sessionId"]
        page = self._pages[session] = Page(self, session)
        page.resize(width, height)
        try:
            yield page
        finally:
            del self._pages[session]
            self.call("Target.disposeBrowserContext", {"browserContextId": context})

    def close(self) -> None:
        """End the browser and all of its processes."""
        os.close(self._write)
        os.close(self._read)
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Headless Chromium; the test is skipped without it.

    With ``HOPCHECK_REQUIRE_BROWSER=1`` its absence is a failure.
    """
    program = next(filter(None, map(shutil.which, _CHROMIUM)), None)
    if program is None:
        reason = "no chromium (make browser)"
        if os.environ.get("HOPCHECK_REQUIRE_BROWSER") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    started = Browser(program, tmp_path_factory.mktemp("chromium"))
    yield started
    started.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A new tab of headless Chromium, 1400 by 900 pixels."""
    with browser.page() as opened:
        yield opened


_ROOT = Path(__file__).resolve().parents[1]
_PAGE_SOURCES = (
    "solver/eventhop/certificates/proved.js",
    *("site/*.html", "site/*.css", "site/*.mjs", "site/src/*.js"),
    *(
        "grammar/eventhop/*",
        "encodings/temporal/*.lp",
        "benchmarks/reproduction/playground/*.py",
    ),
)
"""Besides the modules of its archive."""


def _page_sources() -> Iterator[Path]:
    from benchmarks.reproduction.playground.archive import files

    yield from files().values()
    for pattern in _PAGE_SOURCES:
        yield from filter(Path.is_file, _ROOT.glob(pattern))


@pytest.fixture(scope="session")
def site() -> Path:
    """The folder of the built playground; without it or Node.js the test is skipped.

    With ``HOPCHECK_REQUIRE_SITE=1`` its absence is a failure, and so is a page that is older than
    its sources.
    """
    page = _ROOT / "build" / "site" / "playground.html"
    reason = ""
    if shutil.which("node") is None or not page.is_file():
        reason = "no playground (make site)"
    elif page.stat().st_mtime < max(path.stat().st_mtime for path in _page_sources()):
        reason = "the playground is older than its sources (make site)"
    if reason and os.environ.get("HOPCHECK_REQUIRE_SITE") == "1":
        pytest.fail(reason)
    if reason:
        pytest.skip(reason)
    return page.parent


@pytest.fixture(scope="session")
def axe(site: Path) -> str:
    """The script of axe, which looks for what keeps people from reading a page."""
    script = site.parents[1] / "site" / "node_modules" / "axe-core" / "axe.min.js"
    return script.read_text(encoding="utf-8")
