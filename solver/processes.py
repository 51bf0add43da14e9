"""Executors: tasks in this process, in worker processes, or on a Ray cluster.

Results come in the order of the tasks and depend neither on the executor nor on the number of its
workers. ``--jobs`` chooses worker processes, ``--on ray`` a cluster.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, partial
from importlib import import_module
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

from grammar.errors import HopcheckError
from solver import NAMESPACE

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

Progress: TypeAlias = Callable[
    [str, int | None], AbstractContextManager[Callable[[int], object] | None]
]
"""Shows the progress of a named task: takes the name of its parts and their number, if known."""


def no_progress(noun: str, total: int | None) -> AbstractContextManager[None]:  # noqa: ARG001
    """Show nothing."""
    return nullcontext()


@contextmanager
def no_collection() -> Iterator[None]:
    """Pause the search for cycles of objects, for work that makes many objects and few cycles.

    As a decorator, it searches again after the function's own objects are gone.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


Part = TypeVar("Part")
Result = TypeVar("Result")

_FOREVER = 2**31 - 1

_BATCHES = 32
"""Batches per worker: enough that the workers finish at about the same time."""

WORKER_LIFETIME = 6_144
"""Items that one worker decides before it is replaced, at some 120 MiB: clingo never frees its
terms, which take some 3 to 10 MiB per thousand new items, and doubles its tables."""


class WorkerDiedError(HopcheckError):
    """A worker process that died before it returned its result."""

    code = "ended"


@contextmanager
def worker_death_reported(*of_pipes: type[Exception]) -> Iterator[None]:
    """Turn the failure of a killed worker into an error with a hint.

    Args:
        of_pipes: errors that mean a killed worker here, besides the failure of a pool.

    Raises:
        WorkerDiedError: for one of these failures.
    """
    from concurrent.futures import BrokenExecutor

    failures: tuple[type[Exception], ...] = (BrokenExecutor, *of_pipes)
    try:
        yield
    except failures:
        hint = "fewer --jobs take less memory"
        raise WorkerDiedError("a worker process was killed", hint=hint) from None


Preparation: TypeAlias = Callable[[], object]
"""What workers are forked after: picklable, and starts no threads; see ``solver.forking``."""


def pool(
    jobs: int,
    prepare: Preparation | None = None,
    function: Callable[[Any], object] | None = None,
) -> ProcessPoolExecutor:
    """A pool of workers that ignore Ctrl-C and exit with this process.

    They are forked after the preparation, where there is one, and spawned otherwise. Each gets the
    function of ``_call`` once.
    """
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    from solver.forking import forking

    context = forking(prepare) or get_context("spawn")
    given = b"" if function is None else pickle.dumps(function)
    return ProcessPoolExecutor(
        jobs, mp_context=context, initializer=initialize_worker, initargs=(given,)
    )


def import_of(function: Callable[..., object]) -> Preparation:
    """The preparation that imports the module of a function."""
    while isinstance(function, partial):
        function = function.func
    return partial(import_module, function.__module__)


def preload(jobs: int, module: str) -> None:
    """Begin to prepare workers: they are forked from a server that imports a module.

    Args:
        jobs: nothing happens with one, or on a cluster.
        module: its name in a checkout, such as ``solver.rules.application``.
    """
    from solver.forking import forking

    if isinstance(executor(jobs), Processes):
        forking(partial(import_module, f"{NAMESPACE}{module}"))


class Executor(Protocol):
    """Runs tasks."""

    @property
    def workers(self) -> int:
        """The number of tasks that run at the same time."""

    def stream(
        self,
        function: Callable[[Part], Result],
        tasks: Iterator[Part],
        lifetime: int,
        prepare: Preparation | None = None,
    ) -> Iterator[Result]:
        """Apply a function to tasks; results are in order, and few tasks are read ahead.

        Args:
            function: picklable, with its bound arguments, tasks and results.
            tasks: an error of theirs is raised after the results of the earlier tasks.
            lifetime: tasks per worker, which is then replaced.
            prepare: what all workers of this machine need.

        Raises:
            WorkerDiedError: a worker was killed, perhaps for lack of memory.
        """


@dataclass(frozen=True, slots=True)
class InProcess:
    """Runs tasks in this process, and after its lifetime in one worker after another."""

    workers: int = 1

    def stream(
        self,
        function: Callable[[Part], Result],
        tasks: Iterator[Part],
        lifetime: int,
        prepare: Preparation | None = None,
    ) -> Iterator[Result]:
        """Apply a function to tasks: see ``Executor``."""
        yield from map(function, islice(tasks, lifetime))
        yield from Processes(1).stream(function, tasks, lifetime, prepare)


@dataclass(frozen=True, slots=True)
class Processes:
    """Runs tasks in worker processes of this machine."""

    workers: int

    def stream(
        self,
        function: Callable[[Part], Result],
        tasks: Iterator[Part],
        lifetime: int,
        prepare: Preparation | None = None,
    ) -> Iterator[Result]:
        """Apply a function to tasks: see ``Executor``."""
        processes: ProcessPoolExecutor | None = None
        given = 0
        prepare = prepare or import_of(function)

        def submit(task: Part) -> Future[Result]:
            nonlocal processes, given
            if processes is None or given == lifetime * self.workers:
                if processes is not None:
                    processes.shutdown(wait=False)
                processes, given = pool(self.workers, prepare, function), 0
            given += 1
            return processes.submit(_call, task)

        try:
            with worker_death_reported():
                # Enough to keep every worker busy; more would only fill the memory.
                yield from _in_order(
                    submit, lambda future: future.result(), tasks, 2 * self.workers
                )
        finally:
            if processes is not None:
                processes.shutdown(wait=False, cancel_futures=True)


_LONGER = 12
"""Lifetimes that a worker of Ray lives: it takes some seconds to start, not a fork."""

_RETRIES = 3
"""How often a task is run again after its node or worker was lost."""


@dataclass(frozen=True, slots=True)
class RayCluster:
    """Runs tasks on the Ray cluster that this process is connected to: see ``on_ray``.

    Ray runs the tasks of a lost node again, on another one.
    """

    @property
    def workers(self) -> int:
        """The number of cores."""
        import ray

        return max(1, int(ray.cluster_resources().get("CPU", 1)))

    def stream(
        self,
        function: Callable[[Part], Result],
        tasks: Iterator[Part],
        lifetime: int,
        prepare: Preparation | None = None,  # noqa: ARG002 - Ray keeps its workers
    ) -> Iterator[Result]:
        """Apply a function to tasks: see ``Executor``."""
        import ray

        calls = {"max_calls": _LONGER * lifetime} if lifetime < _FOREVER else {}
        remote = ray.remote(num_cpus=1, max_retries=_RETRIES, **calls)(_attempt)
        # Stored once: it may hold a graph.
        shared = ray.put(function)
        under_way: set[Any] = set()

        def submit(task: Part) -> Any:  # noqa: ANN401 - a reference of Ray
            reference = remote.remote(shared, task)
            under_way.add(reference)
            return reference

        def result(reference: Any) -> Result:  # noqa: ANN401
            under_way.discard(reference)
            try:
                found, error = ray.get(reference)
            except ray.exceptions.RayTaskError as failed:
                raise failed.cause from None
            except ray.exceptions.RayError as failed:
                hint = "nodes may have died or run out of memory"
                raise WorkerDiedError(
                    f"a task was lost on the cluster: {type(failed).__name__}", hint=hint
                ) from None
            if error is not None:
                raise error
            value: Result = found
            return value

        try:
            yield from _in_order(submit, result, tasks, 2 * self.workers)
        finally:
            for reference in under_way:
                with suppress(Exception):
                    ray.cancel(reference, force=True)


def _attempt(
    function: Callable[[Part], Result], task: Part
) -> tuple[Result, None] | tuple[None, HopcheckError]:
    """The result of a task or its error, which Ray would wrap in one of its own."""
    try:
        return function(task), None
    except HopcheckError as error:
        return None, error


Ticket = TypeVar("Ticket")


def _in_order(
    submit: Callable[[Part], Ticket],
    result: Callable[[Ticket], Result],
    tasks: Iterator[Part],
    ahead: int,
) -> Iterator[Result]:
    """The results of tasks in order, with some tasks submitted ahead."""
    under_way: deque[Ticket] = deque()
    broken: Exception | None = None
    while True:
        if len(under_way) > ahead:
            yield result(under_way.popleft())
        try:
            task = next(tasks)
        except StopIteration:
            break
        except HopcheckError as error:
            broken = error
            break
        under_way.append(submit(task))
    while under_way:
        yield result(under_way.popleft())
    if broken is not None:
        raise broken


class On(StrEnum):
    """Where tasks run."""

    PROCESSES = "processes"
    RAY = "ray"


class ClusterError(HopcheckError):
    """A Ray cluster that cannot be reached."""

    code = "cluster"


_cluster: ContextVar[Executor | None] = ContextVar("cluster", default=None)


@contextmanager
def on_ray(address: str | None, jobs: int) -> Iterator[None]:
    """Run all tasks within the context on a Ray cluster, whatever their ``jobs``.

    Args:
        address: of the head of a cluster; None to start one on this machine, for the time of the
            context.
        jobs: number of cores of a cluster on this machine.

    Raises:
        MissingLibraryError: Ray is not installed.
        ClusterError: there is no such cluster.
    """
    from solver.extras import require

    require("--on ray", "ray")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    import ray

    _require_reachable(address)
    own = {"num_cpus": jobs, "include_dashboard": False, "object_store_memory": _STORE}
    try:
        ray.init(
            address=address or "local",
            log_to_driver=False,
            logging_level="CRITICAL",
            **({} if address else own),
        )
    except (OSError, RuntimeError, ValueError) as error:
        raise _unreachable(address, str(error).strip().partition("\n")[0]) from None
    # Ray prints the loss of a node on standard output, where results go, and has no option for it.
    ray._private.worker._worker_logs_enabled = False
    token = _cluster.set(RayCluster())
    try:
        yield
    finally:
        _cluster.reset(token)
        ray.shutdown()


def _require_reachable(address: str | None) -> None:
    """Check that something listens at an address: Ray itself tries for minutes.

    Raises:
        ClusterError: nothing does.
    """
    import socket

    host, _, port = (address or "").removeprefix("ray://").rpartition(":")
    if host and port.isdecimal():
        try:
            socket.create_connection((host, int(port)), timeout=5).close()
        except (OSError, OverflowError) as error:
            raise _unreachable(address, str(error)) from None


def _unreachable(address: str | None, reason: str) -> ClusterError:
    place = "on this machine" if address is None else f"at {address}"
    hint = "ray start --head starts one, whose address is HOST:6379"
    return ClusterError(f"found no Ray cluster {place}: {reason}", hint=hint)


_STORE = 256 * 2**20
"""Bytes of the store of objects of a cluster on this machine."""


def connected_cluster() -> Executor | None:
    """The cluster within ``on_ray``; None elsewhere."""
    return _cluster.get()


def executor(jobs: int) -> Executor:
    """The cluster within ``on_ray``, or else this process or its workers."""
    return connected_cluster() or (InProcess() if jobs == 1 else Processes(jobs))


def parallel_map(
    function: Callable[[Part], Result], parts: Sequence[Part], jobs: int
) -> Iterator[Result]:
    """Apply a function to independent parts; results come in the order of the parts.

    Args:
        function: picklable, with its bound arguments and its results.
        parts: the inputs.
        jobs: number of worker processes.

    Raises:
        WorkerDiedError: a worker was killed, perhaps for lack of memory.
    """
    chosen = executor(jobs)
    if isinstance(chosen, InProcess) or len(parts) < 2:
        yield from map(function, parts)
        return
    number = min(_BATCHES * chosen.workers, len(parts))
    bounds = [len(parts) * index // number for index in range(number + 1)]
    batches = (parts[begin:end] for begin, end in pairwise(bounds))
    work = partial(_batch, function)
    for results in chosen.stream(work, batches, _FOREVER, import_of(function)):
        yield from results


def parallel_stream(
    function: Callable[[Part], Result],
    tasks: Iterable[Part],
    jobs: int,
    *,
    lifetime: int,
    prepare: Preparation | None = None,
) -> Iterator[Result]:
    """Apply a function to a stream of tasks; results come in order, in constant memory.

    Workers are replaced after ``lifetime`` tasks. With one job, this process handles that many
    tasks itself before it starts a worker.

    Args:
        function: picklable, with its bound arguments, tasks and results.
        tasks: read only as far as needed to keep every worker busy. If reading them fails, the
            error is raised after the results of the earlier tasks.
        jobs: number of worker processes.
        lifetime: tasks per worker; see ``WORKER_LIFETIME``.
        prepare: see ``solver.forking``; worth it where workers are replaced, or take long to start.

    Raises:
        WorkerDiedError: a worker was killed, perhaps for lack of memory.
    """
    yield from executor(jobs).stream(function, iter(tasks), lifetime, prepare)


def _batch(function: Callable[[Part], Result], parts: Sequence[Part]) -> list[Result]:
    return [function(part) for part in parts]


_given: bytes = b""
"""In a worker: the function of ``_call``, pickled."""


@cache
def _function() -> Callable[[Any], Any]:
    function: Callable[[Any], Any] = pickle.loads(_given)
    return function


def _call(task: Any) -> Any:  # noqa: ANN401 - any function's
    """Apply the function of this worker, which is read with the first task."""
    return _function()(task)


def initialize_worker(given: bytes = b"") -> None:
    """Set up a worker: ignore Ctrl-C, which the parent handles, and exit when the parent dies.

    Args:
        given: the function of ``_call``, pickled once with its bound arguments, not for each task.
    """
    from multiprocessing import parent_process
    from threading import Thread

    global _given
    _given = given
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    from multiprocessing import connection

    connection.wait([sentinel])
    # No one is left to receive a result or an exit status.
    os._exit(1)
