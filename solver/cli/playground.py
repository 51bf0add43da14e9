"""``playground``: opens the page that decides items in a browser."""

from __future__ import annotations

from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import click

from grammar.errors import HopcheckError

_ROOT = Path(__file__).resolve().parents[2]
PAGES = (_ROOT / "build" / "site" / "playground.html", _ROOT / "playground.html")
"""Where the page is: in a checkout after ``make site``, and in the wheel."""

HOST = "127.0.0.1"


class NotBuiltError(HopcheckError):
    """The page has not been built."""

    code = "not-built"


def page() -> Path:
    """The built page.

    Raises:
        NotBuiltError: there is none.
    """
    for path in PAGES:
        if path.is_file():
            return path
    raise NotBuiltError(
        "the page of the playground is not built",
        hint="in a checkout, `make site` builds it (Node.js is needed)",
    )


def server(port: int, content: bytes) -> ThreadingHTTPServer:
    """A server of one page on the loopback address; everything else is not found.

    Args:
        port: its port; 0 for any that is free.
        content: the page.
    """

    class Handler(BaseHTTPRequestHandler):
        server_version = "hopcheck"
        sys_version = ""

        def do_GET(self) -> None:
            # Another host name may be one that a web page has pointed at this machine.
            name = self.headers.get("Host", "").rpartition(":")[0]
            if self.path != "/" or name not in (HOST, "localhost"):
                self.send_error(HTTPStatus.NOT_FOUND)
                return
            self.send_response(HTTPStatus.OK)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(content)))
            self.send_header("X-Content-Type-Options", "nosniff")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_arguments: object) -> None:
            """Keep quiet."""

    return ThreadingHTTPServer((HOST, port), Handler)


@click.command()
@click.option("--serve", is_flag=True, help="Serve the page on 127.0.0.1 until interrupted.")
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=0,
    help="Port of --serve; by default any that is free.",
)
@click.option("--no-browser", is_flag=True, help="Print the address; open no browser.")
def command(*, serve: bool, port: int, no_browser: bool) -> None:
    """Open a page that decides items and chains of thought in the browser, with proofs.

    The page is one file without a server: it runs the encodings in clingo as WebAssembly, and sends
    nothing anywhere. --serve is for browsers that do not open files. See docs/playground.md.

    \b
    Examples:
      python -m solver playground
      python -m solver playground --no-browser
    """  # noqa: D301 - click reads the backslash
    import webbrowser

    path = page()
    if not serve:
        click.echo(path)
        if not no_browser:
            webbrowser.open(path.as_uri())
        return
    try:
        serving = server(port, path.read_bytes())
    except OSError as error:
        raise HopcheckError(f"cannot serve: {error.strerror}", where=f"{HOST}:{port}") from None
    with serving:
        address = f"http://{HOST}:{serving.server_port}/"
        click.echo(f"{address} (stop with Ctrl-C)")
        if not no_browser:
            webbrowser.open(address)
        serving.serve_forever()
