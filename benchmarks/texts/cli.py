"""Facts of texts: ``score quadruples``, ``prompts quadruples`` and ``extract``."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchmarks.texts.elements import ScoreConfig
from grammar.errors import ExitStatus, printable
from solver.cli.options import (
    Command,
    as_json,
    jobs,
    key_variable,
    out_file,
    out_folder,
    report,
    seed,
    timeout,
)
from solver.cli.settings import setting_options
from solver.io.sources import output_name

if TYPE_CHECKING:
    from benchmarks.texts.extract import Task
    from benchmarks.texts.report import ScoredRun
    from solver.texts.io import ReadText

_SHOWN = 20
PREDICTIONS = "predictions.txt"


@click.command()
@click.argument("predictions", metavar="PREDICTIONS")
@setting_options("config", ScoreConfig)
@report
@as_json
@click.pass_context
def quadruples(
    ctx: click.Context,
    /,
    *,
    predictions: str,
    config: ScoreConfig,
    report: Path | None,
    as_json: bool,
) -> None:
    """Score extracted facts (subject, relation, object, date) in four modes.

    PREDICTIONS and references have one Python literal per line: a list of facts, each a list of
    four strings. The files are aligned by line; plain or gzip, - is standard input.

    \b
    Examples:
      python -m solver score quadruples examples/quadruples/careful.predictions.txt \\
        --references examples/quadruples/club.references.txt
      python -m solver score quadruples examples/quadruples/careful.predictions.txt \\
        --references examples/quadruples/club.references.txt \\
        --against examples/quadruples/hasty.predictions.txt --report reports/quadruples
    """  # noqa: D301 - click reads the backslash
    from benchmarks.texts.report import score_run, write
    from solver.cli.printing import finish_run

    if config.against_references and not config.against:
        raise click.UsageError("--against-references needs --against.")
    run = score_run(predictions, config)
    _print_first("fault", run.faults)
    for note in run.notes:
        click.echo(f"note: {note}", err=True)
    finish_run(run, as_json=as_json, show=lambda: _show(run), report=report, write=write)
    ctx.exit(run.exit_status)


def _print_first(what: str, messages: Sequence[object]) -> None:
    """Print the first messages on stderr, and the number of the others."""
    for message in messages[:_SHOWN]:
        click.echo(f"{what}: {printable(str(message))}", err=True)
    if len(messages) > _SHOWN:
        click.echo(f"{what}: {len(messages) - _SHOWN:,} more", err=True)


def _show(run: ScoredRun) -> None:
    from benchmarks.texts.report import against, describe_test, grouped, headline, overall
    from solver.io.sources import counted
    from solver.io.terminal import print_table, wide_console

    found = run.extraction
    console = wide_console()
    console.print(
        f"{run.predictions}: {counted(len(found.items), 'item')}, "
        f"{counted(len(found.item), 'pair')} of facts, profile {found.profile}; in percent",
        soft_wrap=True,
    )
    if run.scores:
        print_table(overall(run.scores))
        print_table(grouped(run.relations, "relation"), "F1 by relation")
    if run.styles:
        print_table(grouped(run.styles, "date style"), "F1 by date style")
    if run.against is not None:
        console.print(describe_test(run.against), soft_wrap=True)
        table = against(run)
        if table is not None:
            print_table(table)
    console.print(headline(run), soft_wrap=True)


def _task_options(command: Command) -> Command:
    """The options that decide the prompts."""
    for option in (
        click.option(
            "--shots-facts", metavar="FILE", help="Facts of --shots, one Python literal per line."
        ),
        click.option(
            "--shots", metavar="FILE", help="Texts that each prompt has as examples, one per line."
        ),
        click.option(
            "--relations",
            metavar="FILE",
            help="Relations that a model may use, one per line. Default: those of the grammar.",
        ),
    ):
        command = option(command)
    return command


@click.command()
@click.argument("texts", metavar="TEXTS")
@_task_options
@out_file()
def prompts(
    *,
    texts: str,
    relations: str | None,
    shots: str | None,
    shots_facts: str | None,
    out: Path | None,
) -> None:
    """Write a prompt for the facts of each text, as JSONL.

    TEXTS has one text per line, or JSON Lines with a field text. Each line of the output holds id,
    the number of the text, and prompt. extract --answers reads a model's answers with these ids.

    \b
    Examples:
      python -m solver prompts quadruples examples/texts/right.txt --out prompts.jsonl
      python -m solver prompts quadruples examples/texts/right.txt --relations relations.txt \\
        --shots examples/quadruples/club.texts.txt \\
        --shots-facts examples/quadruples/club.references.txt
    """  # noqa: D301 - click reads the backslash
    from solver.cli.printing import write_lines
    from solver.io.writing import line

    task = _task(relations, shots, shots_facts)
    found = _texts(texts)
    write_lines(
        (
            line({"id": str(number), "prompt": task.prompt(read_text.text)})
            for number, read_text in enumerate(found, 1)
        ),
        out,
    )


@click.command()
@click.argument("texts", metavar="TEXTS")
@out_folder("Output folder; an interrupted run with a model resumes from its journal.")
@click.option("--model", metavar="NAME", help="Language model; the grammar reads without one.")
@click.option(
    "--base-url", metavar="URL", help="URL of its endpoint, such as http://localhost:8000/v1."
)
@click.option(
    "--replay", is_flag=True, help="Answer from the journal of --out alone, without an endpoint."
)
@click.option("--answers", metavar="FILE", help="Answers to the prompts of prompts quadruples.")
@_task_options
@click.option(
    "--phrases", metavar="FILE", help="Additional phrases of the grammar, as of generate texts."
)
@key_variable
@timeout
@seed
@jobs
@as_json
def extract(
    *,
    texts: str,
    out: Path,
    model: str | None,
    base_url: str | None,
    replay: bool,
    answers: str | None,
    relations: str | None,
    shots: str | None,
    shots_facts: str | None,
    phrases: str | None,
    key_variable: str,
    timeout: float,
    seed: int,
    jobs: int,
    as_json: bool,
) -> int:
    """Extract dated facts from texts, for score quadruples.

    TEXTS has one text per line, or JSON Lines with a field text. The facts are those that the
    grammar reads; or, with --model, the answers of a language model at an OpenAI-compatible
    endpoint; or, with --answers, those of a file.

    A text or answer that cannot be read is reported and has no facts; the exit status is then 1.

    \b
    Examples:
      python -m solver extract examples/texts/right.txt --out parsed
      python -m solver score quadruples parsed/predictions.txt \\
        --references examples/texts/references.txt
      python -m solver extract examples/texts/right.txt --out asked \\
        --base-url http://localhost:8000/v1 --model llama --jobs 4
      python -m solver extract examples/texts/right.txt --out asked --model llama --replay
    """  # noqa: D301 - click reads the backslash
    if answers is not None and model is not None:
        raise click.UsageError("--answers excludes --model.")
    if (model is not None) != (base_url is not None or replay) or (replay and base_url):
        raise click.UsageError("--model needs either --base-url or --replay, and they need it.")
    if phrases is not None and (model is not None or answers is not None):
        raise click.UsageError("--phrases is for the grammar only.")
    from benchmarks.texts.extract import by_file, by_grammar, by_model, literal
    from generators.dataset import DatasetFolder
    from generators.texts.language_model import Endpoint
    from grammar.texts.phrases import phrase_table
    from solver.cli.printing import print_json, progress
    from solver.io.sources import counted
    from solver.texts.io import read_phrases

    read = _texts(texts)
    task = _task(relations, shots, shots_facts)
    home = DatasetFolder(out)
    with progress("texts", len(read)) as advance:
        if model is not None:
            # No request is sent to the address of a replay.
            endpoint = Endpoint(
                base_url=base_url or "http://localhost",
                model=model,
                key=os.environ.get(key_variable, ""),
                timeout=timeout,
            )
            found = by_model(
                read, task, endpoint, out, replay=replay, seed=seed, jobs=jobs, progress=advance
            )
        elif answers is not None:
            found = by_file(read, answers)
        else:
            added = () if phrases is None else read_phrases(phrases)
            found = by_grammar(read, phrase_table(added), advance)
    home.add_text(PREDICTIONS, "".join(f"{literal(extraction.facts)}\n" for extraction in found))
    by = model or ("answers" if answers is not None else "grammar")
    given = (texts, answers, relations, shots, shots_facts, phrases)
    counts = {
        "texts": len(found),
        "facts": sum(len(extraction.facts) for extraction in found),
        "unread": sum(extraction.error is not None for extraction in found),
    }
    home.finish(
        config={"by": by, "relations": list(task.relations), "shots": len(task.shots)},
        seed=seed,
        encodings=(),
        inputs=[option for option in given if option is not None],
        more={"counts": counts},
    )
    _print_first("not read", [text.error for text in found if text.error is not None])
    if as_json:
        print_json({"out": out.name, "by": by} | counts)
    else:
        click.echo(
            f"{counted(counts['facts'], 'fact')} of {counted(counts['texts'], 'text')} by {by}, "
            f"{counts['unread']:,} not read: {output_name(out / PREDICTIONS)}"
        )
    return ExitStatus.VIOLATIONS if counts["unread"] else ExitStatus.OK


def _texts(path: str) -> list[ReadText]:
    """The texts of a file.

    Raises:
        InputError: there are none.
        RowError: a line cannot be read; predictions are aligned with references by line.
    """
    from solver.io.sources import InputError
    from solver.texts.io import read_texts

    found = list(read_texts(path))
    for text in found:
        if text.error is not None:
            raise text.error
    if not found:
        raise InputError("found no lines, expected at least one text", where=f"{path}:1")
    return found


def _task(relations: str | None, shots: str | None, facts: str | None) -> Task:
    """What a model is asked for.

    Raises:
        InputError: a file cannot be read, or texts and facts of the examples do not match.
    """
    from benchmarks.texts.extract import Shot, Task
    from grammar.texts.phrases import phrase_table
    from solver.io.sources import InputError, lines, open_input
    from solver.texts.io import read_pairs

    if (shots is None) != (facts is None):
        raise click.UsageError("--shots needs --shots-facts, and it needs --shots.")
    named = phrase_table().relations
    if relations is not None:
        with open_input(relations, "a file of relations") as source:
            named = tuple(line.text.strip() for line in lines(source) if not line.blank)
        if not named:
            message = "found no lines, expected at least one relation"
            raise InputError(message, where=f"{relations}:1")
    examples: list[Shot] = []
    if shots is not None and facts is not None:
        for pair in read_pairs(shots, facts):
            if pair.text is None or pair.references is None:
                text = pair.text or pair.references
                message = "found no matching line in the other file, expected one"
                raise InputError(message, where=text.where if text else shots)
            for error in (pair.text.error, *pair.references.errors):
                if error is not None:
                    raise error
            examples.append(Shot(text=pair.text.text, facts=pair.references.facts))
    return Task(relations=named, shots=tuple(examples))
