"""``playground``: finds the page, or serves it and nothing else."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from solver.cli import playground


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A built page."""
    path = tmp_path / "playground.html"
    path.write_bytes(b"<!doctype html>a page")
    monkeypatch.setattr(playground, "PAGES", (tmp_path / "absent.html", path))
    return path


def test_prints_the_page(solver: Callable[..., Any], built: Path) -> None:
    ran = solver("playground", "--no-browser")
    assert (ran.status, ran.out) == (0, f"{built}\n")


def test_opens_the_page(
    solver: Callable[..., Any], built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    assert solver("playground").status == 0
    assert opened == [built.as_uri()]


def test_without_a_page(solver: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playground, "PAGES", ())
    ran = solver("playground")
    assert ran.status == 2
    assert ran.err.startswith("error: the page of the playground is not built (")


@contextmanager
def serving(content: bytes) -> Iterator[int]:
    with playground.server(0, content) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            assert server.server_address[0] == "127.0.0.1"
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize(
    ("path", "host", "status"),
    [
        ("/", "127.0.0.1", 200),
        ("/", "localhost", 200),
        ("/", "elsewhere.example", 404),
        ("/playground.html", "127.0.0.1", 404),
        ("/../pyproject.toml", "127.0.0.1", 404),
        ("//etc/hostname", "127.0.0.1", 404),
    ],
)
def test_serves_one_page(path: str, host: str, status: int) -> None:
    with serving(b"the page") as port:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
        connection.putrequest("GET", path, skip_host=True)
        connection.putheader("Host", f"{host}:{port}")
        connection.endheaders()
        answer = connection.getresponse()
        assert answer.status == status
        assert (answer.read() == b"the page") == (status == 200)
        connection.close()


def test_a_port_in_use(solver: Callable[..., Any], built: Path) -> None:
    with serving(built.read_bytes()) as port:
        ran = solver("playground", "--serve", "--no-browser", "--port", port)
    assert ran.status == 2
    assert ran.err.startswith(f"error: 127.0.0.1:{port}: cannot serve: ")
