"""Workers forked from a server process that has prepared what all of them need.

A spawned worker imports its modules and computes its constants itself, which takes a second; a
forked one has those of the server. The server is started by ``exec``, so that it has no thread,
lock or open file of this process, and it only prepares and forks. It ends with the last process
that uses it, however that ends.
"""

from __future__ import annotations

import base64
import os
import pickle
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from multiprocessing.context import BaseContext
from pathlib import Path

from solver import NAMESPACE

PREPARATION = "HOPCHECK_PREPARATION"
"""Environment variable of the server: what to prepare, and the variables to restore."""
_LARGEST = 96 * 1024
"""Bytes of a preparation: Linux takes 128 KiB for a variable."""


def forking(prepare: Callable[[], object] | None) -> BaseContext | None:
    """A context whose processes are forked after a preparation; None where this is not possible.

    There is one server in a process: after the first one, preparations are not run, which costs
    time in the workers but changes no result.

    Args:
        prepare: picklable; called once, in the server. It must start no threads. An error of it is
            ignored: it will occur in the workers again.
    """
    # On macOS, system libraries do not survive a fork; Windows has none.
    if prepare is None or not sys.platform.startswith("linux"):
        return None
    from multiprocessing import forkserver, get_context

    # The server must not find modules in the working folder. An installed package is found anyway.
    # The rest of the path is set later, as a folder that has a module of Python's own name would
    # keep the server from starting.
    own = {"PYTHONSAFEPATH": "1"}
    if not NAMESPACE:
        home = str(Path(__file__).resolve().parents[1])
        own["PYTHONPATH"] = os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH"))))
    before = {name: os.environ.get(name) for name in own}
    text = base64.b64encode(pickle.dumps((before, sys.path, pickle.dumps(prepare)))).decode()
    if len(text) > _LARGEST:
        return None
    context = get_context("forkserver")
    context.set_forkserver_preload([__name__])
    with _environment({PREPARATION: text, **own}):
        forkserver.ensure_running()
    _wait_for_server()
    return context


@cache
def _wait_for_server() -> None:
    """At the exit of this process, after its workers: else no one counts their processor time."""
    from multiprocessing import forkserver, util

    stop = getattr(getattr(forkserver, "_forkserver", None), "_stop", None)
    if stop is not None:
        # A negative priority: after the processes were joined.
        util.Finalize(None, stop, exitpriority=-10)


@contextmanager
def _environment(added: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in added}
    os.environ.update(added)
    try:
        yield
    finally:
        restore(before)


def restore(variables: Mapping[str, str | None]) -> None:
    """Set environment variables, and remove those without a value."""
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def _run_preparation(text: str) -> None:
    """In the server: do what ``forking`` was given."""
    import gc
    import signal

    # The server's loop ignores Ctrl-C only once it runs.
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What fails here fails in the workers again, which report it.
    with suppress(Exception):
        before, path, prepare = pickle.loads(base64.b64decode(text))
        restore(before)
        sys.path[:] = path
        pickle.loads(prepare)()
    # Collections in the workers would copy all pages.
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGINT, handler)


# The server imports this module by name, with the variable set for it alone.
if PREPARATION in os.environ:
    _run_preparation(os.environ.pop(PREPARATION))
