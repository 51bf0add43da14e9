"""``generate texts``: newspaper-like texts of dated facts, each verified by parsing it."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grammar.dates import DateStyle
from grammar.errors import ExitStatus
from solver.cli.options import CommaSeparated, EnumChoice, FiniteFloat, NewFolder, as_json, jobs

if TYPE_CHECKING:
    from generators.texts.groups import EntityClasses, Sources
    from generators.texts.run import GeneratedText, Group

_SHOWN = 20


class Writer(StrEnum):
    """The writer of the texts."""

    TEMPLATE = "template"
    OPENAI = "openai"


@click.command()
@click.option(
    "--facts",
    required=True,
    metavar="FILE",
    help="Facts, one Python literal per text and line: [['subject', 'relation', 'object', "
    "'2026-01-31'], ...].",
)
@click.option(
    "--out",
    type=NewFolder(),
    required=True,
    metavar="DIR",
    help="Folder to write.",
)
@click.option(
    "--style",
    type=CommaSeparated(DateStyle),
    default="all",
    metavar="STYLES",
    help=f"Date styles, from {', '.join(DateStyle)}. Default: all.",
)
@click.option(
    "--headlines",
    type=FiniteFloat(0, 1),
    default=0.25,
    show_default=True,
    help="Share of texts with a dated headline.",
)
@click.option("--group", is_flag=True, help="Combine two to four similar facts in one text.")
@click.option(
    "--schema",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="With --group: schema by which the similarity of entities is measured.",
)
@click.option(
    "--types",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="With --schema: classes of entities. Default: domain and range of their relations.",
)
@click.option(
    "--writer",
    type=EnumChoice(Writer),
    default=Writer.TEMPLATE,
    show_default=Writer.TEMPLATE.value,
    help="Writer of the texts: the grammar, or a language model at an OpenAI-compatible endpoint.",
)
@click.option(
    "--base-url", metavar="URL", help="URL of the endpoint, such as http://localhost:8000/v1."
)
@click.option("--model", metavar="NAME", help="Name of the model at the endpoint.")
@click.option(
    "--key-variable",
    default="OPENAI_API_KEY",
    show_default=True,
    metavar="NAME",
    help="Environment variable with the API key of the endpoint, if it needs one.",
)
@click.option(
    "--attempts",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="Maximal number of texts requested from a model per group of facts.",
)
@click.option(
    "--timeout",
    type=FiniteFloat(0, min_open=True),
    default=60.0,
    show_default=True,
    help="Seconds to wait for a response of the endpoint.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Random seed.")
@jobs
@as_json
@click.pass_context
def texts(ctx: click.Context, /, facts: str, out: Path, **options: Any) -> None:  # noqa: ANN401
    """Write a text for each line of facts, with sampled phrases, date styles and headlines.

    Facts that cannot be expressed, such as those with an empty name, are reported and left out; the
    exit status is then 1, or 2 if some could not be read.

    \b
    Examples:
      python -m solver generate texts --facts examples/texts/references.txt --out texts
      python -m solver generate texts --facts references.txt --group --schema schema --out texts
      python -m solver verify --kind text texts/descriptions.txt --facts texts/references.txt
      python -m solver generate texts --facts references.txt --out texts --writer openai \\
        --base-url http://localhost:8000/v1 --model llama --jobs 4
    """  # noqa: D301 - click reads the backslash
    from generators.texts.groups import read_sources

    if options["types"] is not None and options["schema"] is None:
        raise click.UsageError("--types needs --schema.")
    if options["schema"] is not None and not options["group"]:
        raise click.UsageError("--schema needs --group.")
    named = {options[name] is not None for name in ("base_url", "model")}
    if named != {options["writer"] is Writer.OPENAI}:
        raise click.UsageError("--writer openai needs --base-url and --model, and they need it.")
    sources = read_sources(facts)
    _print_messages((*sources.unreadable, *sources.refused))
    given_up = _make(sources, facts, out, options)
    if sources.unreadable:
        ctx.exit(ExitStatus.UNREADABLE)
    ctx.exit(ExitStatus.VIOLATIONS if sources.refused or given_up else ExitStatus.OK)


def _make(sources: Sources, facts: str, out: Path, options: dict[str, Any]) -> tuple[str, ...]:
    """Write the texts; return messages for the groups that the model failed on."""
    from generators.texts.run import write_texts
    from solver.cli.printing import print_json
    from solver.io.writing import make_folder

    groups = list(sources.groups)
    if options["group"]:
        from generators.texts.groups import group_facts

        groups = group_facts(groups, _classes(options))
    make_folder(out)
    written, given_up = _written(groups, out, options)
    _print_messages(given_up)
    names = ["style", "headlines", "group", "schema", "types", "writer"]
    if options["writer"] is Writer.OPENAI:
        names += ["base_url", "model", "attempts"]
    left_out = (*sources.unreadable, *sources.refused, *given_up)
    counts = write_texts(
        out,
        written,
        config={name: options[name] for name in names},
        source=facts,
        seed=options["seed"],
        left_out=left_out,
    )
    if options["as_json"]:
        print_json({"out": out.name, "seed": options["seed"]} | counts)
        return given_up
    click.echo(
        f"wrote {counts['texts']:,} texts of {counts['facts']:,} facts to {out}, "
        f"{counts['headlines']:,} with a headline; {len(left_out):,} left out"
    )
    return given_up


def _written(
    groups: list[Group], out: Path, options: dict[str, Any]
) -> tuple[list[GeneratedText], tuple[str, ...]]:
    from generators.texts.run import DraftSettings, write
    from solver.cli.printing import progress

    drafting = DraftSettings(
        styles=options["style"], headlines=options["headlines"], seed=options["seed"]
    )
    with progress("texts", len(groups)) as advance:
        if options["writer"] is Writer.OPENAI:
            from generators.texts.language_model import Endpoint, write_with_model

            endpoint = Endpoint(
                base_url=options["base_url"],
                model=options["model"],
                key=os.environ.get(options["key_variable"], ""),
                timeout=options["timeout"],
            )
            result = write_with_model(
                groups,
                drafting,
                endpoint,
                out,
                attempts=options["attempts"],
                jobs=options["jobs"],
                progress=advance,
            )
            return list(result.written), result.given_up
        written = []
        for one in write(groups, drafting, jobs=options["jobs"]):
            written.append(one)
            if advance is not None:
                advance(1)
        return written, ()


def _classes(options: dict[str, Any]) -> EntityClasses:
    from generators.texts.groups import EntityClasses
    from solver.facts.schema import EntityTypes, read_types
    from solver.facts.schema_files import read_schema

    if options["schema"] is None:
        return EntityClasses()
    schema = read_schema(options["schema"])
    path = options["types"]
    types = EntityTypes() if path is None else read_types(path, schema.hierarchy).complete()
    return EntityClasses(schema=schema, of=types.of)


def _print_messages(messages: tuple[str, ...]) -> None:
    for message in messages[:_SHOWN]:
        click.echo(message, err=True)
    if len(messages) > _SHOWN:
        click.echo(f"and {len(messages) - _SHOWN:,} more", err=True)
