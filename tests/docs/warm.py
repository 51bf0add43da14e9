"""Runs commands in copies of a process that has imported the libraries and loaded the grammars.

``python warm.py serve SOCKET`` does so and then forks once for each command; it ends with its
standard input. ``python warm.py SOCKET -m solver ...`` has a command run there as if it were run
here: with the same arguments, folder, environment and standard streams; other arguments are run
by a new process. The start takes longer than most commands of the pages. Reports have no charts:
to draw them would take most of the time of many commands.
"""

from __future__ import annotations

# Not `socket` and `json`: to import them takes longer than a client does otherwise.
import _socket
import array
import marshal
import os
import sys

# They load the grammars and list the patterns that graphs are planted with.
FIRST = (
    "verify examples/right.tsv",
    "generate tkg --mode forced --patterns 1,1,1 --entities 20 --relations 6 --steps 20 --seed 1",
    "generate questions examples/questions/graph",
    "parse --kind questions --question 'Will Belmora consult Ösvik on 2033-05-29?'",
    "parse --kind questions --question 'Who will Saint-Elm consult on 2033-05-29?'",
    "parse --kind questions --choice 'Belmora threatened Ösvik on 2033-05-28.'",
    "verify --kind texts examples/texts/right.txt --facts examples/texts/references.txt",
)


def serve(address: str) -> None:
    """Answer until the standard input ends."""
    import gc
    import select
    import signal
    import socket

    _import_all()
    from tests.campaigns.fuzz import without_charts

    with without_charts(), socket.socket(socket.AF_UNIX) as server:
        _load()
        # A collection in a copy would copy all that it visits.
        gc.collect()
        gc.freeze()
        # Under another name, so that a server that is found listens.
        server.bind(f"{address}.new")
        server.listen()
        os.rename(f"{address}.new", address)  # noqa: PTH104
        while True:
            readable, _, _ = select.select([server, sys.stdin], [], [], 0.5)
            _reap()
            if sys.stdin in readable:
                return
            if server in readable:
                connection, _ = server.accept()
                if os.fork() == 0:
                    server.close()
                    signal.signal(signal.SIGINT, signal.default_int_handler)
                    _answer(connection)
                connection.close()


def _import_all() -> None:
    import importlib
    import pkgutil

    libraries = ("matplotlib.backends.backend_svg", "pyarrow.parquet", "scipy.stats", "rich.table")
    models = ("sklearn.linear_model", "sklearn.ensemble", "optuna", "networkx", "pyoxigraph")
    for name in (*libraries, *models):
        importlib.import_module(name)
    for package in ("grammar", "solver", "generators", "benchmarks"):
        path = importlib.import_module(package).__path__
        for found in pkgutil.walk_packages(path, f"{package}."):
            if not found.name.endswith("__main__") and ".encoder." not in found.name:
                importlib.import_module(found.name)


def _load() -> None:
    import contextlib
    import shlex
    import tempfile
    from pathlib import Path

    from solver.cli import run

    examples = str(Path(__file__).resolve().parents[2] / "examples")
    with (
        tempfile.TemporaryDirectory() as folder,
        open(os.devnull, "w") as nowhere,  # noqa: PTH123
        contextlib.redirect_stdout(nowhere),
        contextlib.redirect_stderr(nowhere),
    ):
        for number, command in enumerate(FIRST):
            words = [word.replace("examples", examples) for word in shlex.split(command)]
            out = ["--out", f"{folder}/{number}"] if words[0] == "generate" else []
            assert run([*words, *out]) == 0, command


def _reap() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def _answer(connection: _socket.socket) -> None:
    """Run the command of a client in this process, and end."""
    import runpy
    import socket
    import traceback

    _, descriptors, _, _ = socket.recv_fds(connection, 1, 3)
    with connection.makefile("rb") as request:
        command = marshal.load(request)
    for number, descriptor in enumerate(descriptors):
        os.dup2(descriptor, number)
        os.close(descriptor)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        old = getattr(sys, name)
        buffering = 1 if name == "stderr" else -1
        new = open(  # noqa: SIM115 - it lives as long as the process
            old.fileno(), mode, buffering, encoding=old.encoding, errors=old.errors, closefd=False
        )
        setattr(sys, name, new)
    os.chdir(command["folder"])
    os.environ.clear()
    os.environ.update(command["environment"])
    sys.argv = ["-m", *command["arguments"][2:]]
    status = 0
    try:
        runpy.run_module(command["arguments"][1], run_name="__main__", alter_sys=True)
    except SystemExit as end:
        status = int(end.code or 0)
    except BaseException:  # as Python does
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    connection.sendall(bytes([status]))
    os._exit(status)


def ask(address: str, arguments: list[str]) -> int:
    """Have a command run by the server; gives its exit status."""
    request = {"arguments": arguments, "folder": os.getcwd(), "environment": dict(os.environ)}  # noqa: PTH109
    streams = array.array("i", [0, 1, 2])
    connection = _socket.socket(_socket.AF_UNIX)
    connection.connect(address)
    connection.sendmsg([b"\0"], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams)])
    connection.sendall(marshal.dumps(request))
    connection.shutdown(_socket.SHUT_WR)
    # Nothing comes from a process that was killed.
    return (connection.recv(1) or b"\x01")[0]


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve(sys.argv[2])
    elif sys.argv[2:4] == ["-m", "solver"]:
        sys.exit(ask(sys.argv[1], sys.argv[2:]))
    else:
        os.execv(sys.executable, [sys.executable, *sys.argv[2:]])
