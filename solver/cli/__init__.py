"""The command line: one module a command, imported only when it is called."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import current_thread, main_thread
from types import FrameType

import click

from grammar.errors import ExitStatus, HopcheckError
from solver import __version__
from solver.cli.program import PROGRAM, Entry, LazyGroup, as_called
from solver.cli.streams import guarded_output, reader_gone
from solver.io.sources import output_name
from solver.io.writing import Ending, all_or_nothing
from solver.verification.kinds import built_in

# Packages above this one add their commands by name; nothing of them is imported until called.
_SHARED = {
    "verify": Entry(
        "solver.cli.verify",
        "Verify items, links, patterns, graphs, facts, texts or questions, with certificates.",
        chooser="solver.cli.verify:by_kind",
    ),
    "explain": Entry(
        "solver.cli.kinds:explain", "Show why an item has its label: in words, as JSON, drawn."
    ),
    "check": Entry(
        "solver.cli.check", "Check verdicts by their certificates, independently of the engines."
    ),
    "audit": Entry(
        "benchmarks.audits.cli", "Audit a public benchmark: verdicts, proofs, corrections."
    ),
    "parse": Entry(
        "solver.cli.kinds:parse", "Parse texts into graphs, questions into queries (JSON)."
    ),
    "extract": Entry(
        "benchmarks.texts.cli:extract",
        "Extract dated facts from texts, by the grammar or a language model.",
    ),
    "realise": Entry("solver.cli.kinds:realise", "Write graphs and queries (JSON) as texts."),
    "ablate": Entry(
        "benchmarks.eventhop.cli.ablate",
        "Answer items with ablated reasoners, each without one piece of logic.",
    ),
    "diagnose": Entry(
        "benchmarks.eventhop.cli.answers:diagnose",
        "Find the ablated reasoner that best explains a model's answers.",
    ),
    "prompts": Entry(
        "benchmarks.cli:prompts", "Write items, texts, or queries about a graph, as prompts."
    ),
    "baseline": Entry("benchmarks.cli:baseline", "Answer items or queries without reasoning."),
    "score": Entry(
        "benchmarks.cli:score",
        "Score answers, ranks, facts, links and questions against the ground truth.",
    ),
    "compare": Entry(
        "benchmarks.eventhop.cli.answers:compare",
        "Compare models by their answers, over seeds, with paired tests.",
    ),
    "generate": Entry("generators.cli", "Generate data sets, verified during generation."),
    "answer": Entry(
        "benchmarks.questions.cli:answer",
        "Answer questions over a graph from their texts and earlier facts.",
    ),
    "forecast": Entry(
        "generators.facts.cli", "Forecast facts by temporal rules, each with its proof."
    ),
    "strikingness": Entry(
        "benchmarks.rules.cli.strikingness", "Weight the events of a graph by their strikingness."
    ),
    "calibrate": Entry(
        "benchmarks.tkg.cli.calibrate", "Find generator settings that reproduce a given graph."
    ),
    "like": Entry(
        "benchmarks.tkg.cli.like", "Compare two graphs: sizes, distributions, profile over time."
    ),
    "split": Entry("benchmarks.imports.cli:split", "Split a graph by time, at shares or dates."),
    "reproduce": Entry(
        "benchmarks.reproduction.cli:reproduce", "Reproduce published tables, with intervals."
    ),
    "export": Entry("benchmarks.export.cli", "Write a data set in the format of another tool."),
    "import": Entry("benchmarks.imports.cli", "Read data in the format of another tool."),
    "train": Entry("benchmarks.cli:train", "Train an encoder of items, or a forecaster."),
    "examples": Entry("solver.cli.examples", "Copy the example files into a folder."),
    "playground": Entry("solver.cli.playground", "Open a page that decides items in the browser."),
    "doctor": Entry("solver.cli.doctor", "Show versions and test every engine."),
}

# In a checkout only.
if not (Path(__file__).parents[2] / "benchmarks" / "reproduction").is_dir():
    del _SHARED["reproduce"]


def _with_those_of_kinds(shared: Mapping[str, Entry]) -> dict[str, Entry]:
    """The commands, with those that kinds declare after the commands that they name."""
    names = list(shared)
    declared = {
        name: command for kind in built_in().values() for name, command in kind.commands.items()
    }
    for name, command in declared.items():
        names.insert(names.index(command.after) + 1, name)
    entries = {name: Entry(command.load, command.help) for name, command in declared.items()}
    return {name: shared[name] if name in shared else entries[name] for name in names}


COMMANDS = _with_those_of_kinds(_SHARED)


@click.group(
    cls=LazyGroup,
    entries=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit status: "
    f"{'; '.join(f'{status.value} {status.meaning}' for status in ExitStatus)}.",
)
@click.version_option(__version__, prog_name="hopcheck")
def cli() -> None:
    """Benchmarks of temporal reasoning whose every label is proved.

    \b
    Examples:
      python -m solver verify examples/right.tsv
      python -m solver explain examples/flawed.tsv --id 3
    """  # noqa: D301 - click reads the backslash


_ENDINGS: dict[int, Ending] = {
    ExitStatus.UNREADABLE: Ending.FAILURE,
    ExitStatus.INTERRUPTED: Ending.INTERRUPT,
}


def run(arguments: Sequence[str], program: str = PROGRAM) -> int:
    """Run a command line and give its exit status; failures are reported on stderr in one line."""
    with (
        guarded_output() as faults,
        _lost_interrupts_again(),
        _terminated_as_interrupted(),
        all_or_nothing(_print_withheld) as settle,
    ):
        status = _run(arguments, program)
        settle(_ENDINGS.get(status, Ending.SUCCESS))
    # A reader that has ended, as `| head` does, has seen what it wanted.
    for fault in faults:
        if not reader_gone(fault):
            with guarded_output():
                _print_error(f"standard output: {(fault.strerror or str(fault)).lower()}")
            return ExitStatus.UNREADABLE
    return status


@contextmanager
def _lost_interrupts_again() -> Iterator[None]:
    """Interrupt again if Python drops an interrupt, as it does in finalizers such as clingo's."""
    before = sys.unraisablehook

    def hook(lost: sys.UnraisableHookArgs) -> None:
        if lost.exc_type is not KeyboardInterrupt:
            before(lost)
            return
        # Later, as it would be dropped here too.
        _interrupt_later(signal.SIGINT)

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = before


def _interrupt_later(number: int) -> None:
    from _thread import interrupt_main
    from threading import Timer

    again = Timer(0.01, interrupt_main, (number,))
    again.daemon = True
    again.start()


def _in_callback(frame: FrameType | None) -> bool:
    """Whether clingo has called Python; it ends the process if an exception is raised there."""
    while frame is not None:
        if frame.f_code.co_name.startswith(("_pyclingo_", "pyclingo_")):
            return True
        frame = frame.f_back
    return False


@contextmanager
def _terminated_as_interrupted() -> Iterator[None]:
    """Treat SIGTERM, which schedulers send, as an interrupt; worker processes end at once.

    Neither interrupts a callback of clingo.
    """
    if current_thread() is not main_thread() or signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        yield
        return
    owner = os.getpid()

    def handler(number: int, frame: FrameType | None) -> None:
        if os.getpid() == owner or number == signal.SIGINT:
            if not _in_callback(frame):
                raise KeyboardInterrupt
            _interrupt_later(number)
            return
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    before = {signal.SIGTERM: signal.SIG_DFL, signal.SIGINT: signal.getsignal(signal.SIGINT)}
    if before[signal.SIGINT] is not signal.default_int_handler:
        del before[signal.SIGINT]
    for number in before:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)


def _run(arguments: Sequence[str], program: str) -> int:
    try:
        status = cli.main(list(arguments), prog_name=program, standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return ExitStatus.UNREADABLE
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return ExitStatus.INTERRUPTED
    except HopcheckError as error:
        _print_error(as_called(str(error), program))
        return error.exit_status
    except ModuleNotFoundError as error:
        from solver.extras import of_failed_import

        missing = of_failed_import(error)
        if missing is None:
            raise
        _print_error(str(missing))
        return missing.exit_status
    except MemoryError:
        _print_error("out of memory (split the input, or use fewer --jobs)")
        return ExitStatus.UNREADABLE
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        _print_error(reason if error.filename is None else f"{error.filename}: {reason}")
        return ExitStatus.UNREADABLE
    return status if isinstance(status, int) else ExitStatus.OK


def _print_withheld(files: Sequence[Path]) -> None:
    more = f" and {len(files) - 1:,} more" if len(files) > 1 else ""
    click.echo(f"not written: {output_name(files[0])}{more}", err=True)


def _print_error(message: str) -> None:
    click.echo(f"error: {message}", err=True)
