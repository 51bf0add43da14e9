"""``generate texts`` and ``generate moved-texts``: texts of dated facts, verified by parsing."""

from __future__ import annotations

import os
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generators.levels import level_option, settled
from generators.texts.run import LEVELS
from grammar.dates import DateStyle
from grammar.errors import ExitStatus, HopcheckError
from grammar.texts.model import TextStyle
from solver.cli.options import (
    CommaSeparated,
    FiniteFloat,
    as_json,
    choice_option,
    jobs,
    key_variable,
    number_option,
    out_folder,
    path_option,
    seed,
    timeout,
)
from solver.io.sources import output_name

if TYPE_CHECKING:
    from generators.texts.groups import EntityClasses
    from generators.texts.run import ShiftedText

_SHOWN = 20


class Writer(StrEnum):
    """The writer of the texts: ``openai-phrases`` writes like ``template``, with more phrases."""

    TEMPLATE = "template"
    OPENAI = "openai"
    PHRASES = "openai-phrases"


@click.command()
@click.option(
    "--facts",
    required=True,
    metavar="FILE",
    help="Facts, one Python literal per text and line: [['subject', 'relation', 'object', "
    "'2026-01-31'], ...].",
)
@out_folder()
@choice_option(
    "--style",
    values=TextStyle,
    default=TextStyle.PLAIN,
    help="How facts are stated: each in its own sentence with names and date in full (plain), or "
    "with several facts a sentence, references, relative dates and denials of other facts (story).",
)
@click.option(
    "--indirect",
    type=FiniteFloat(0, 1),
    default=1.0,
    show_default=True,
    help="Of stories: how much is stated indirectly, from 0 (names and dates in full, a sentence "
    "for each fact, no denials) to 1.",
)
@level_option(LEVELS)
@click.option(
    "--dates",
    type=CommaSeparated(DateStyle),
    default="all",
    metavar="STYLES",
    help=f"Date styles, from {', '.join(DateStyle)}. Default: all.",
)
@click.option(
    "--headlines",
    type=FiniteFloat(0, 1),
    help="Share of texts with a dated headline. Default: .25, in stories .75.",
)
@click.option(
    "--keep-names",
    is_flag=True,
    help="Keep artefacts in names, such as the blank in ( rower) or U0027 for an apostrophe.",
)
@click.option("--group", is_flag=True, help="Combine two to four similar facts in one text.")
@path_option(
    "--schema",
    metavar="PATH",
    help="With --group: schema by which the similarity of entities is measured.",
)
@click.option(
    "--types",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="With --schema: classes of entities. Default: domain and range of their relations.",
)
@choice_option(
    "--writer",
    values=Writer,
    default=Writer.TEMPLATE,
    help="Writer of the texts: the grammar (template), a language model at an OpenAI-compatible "
    "endpoint (openai), or the grammar with additional phrases of such a model (openai-phrases).",
)
@click.option(
    "--phrases",
    metavar="FILE",
    help="Additional phrases: phrases.tsv of an earlier run, or a table with its columns relation, "
    "past, ahead.",
)
@click.option(
    "--base-url", metavar="URL", help="URL of the endpoint, such as http://localhost:8000/v1."
)
@click.option("--model", metavar="NAME", help="Name of the model at the endpoint.")
@key_variable
@number_option(
    "--attempts",
    default=3,
    help="Maximum number of texts requested from a model per group of facts.",
)
@timeout
@seed
@jobs
@as_json
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    out: Path,
    base_url: str | None,
    model: str | None,
    key_variable: str,
    attempts: int,
    timeout: float,
    seed: int,
    jobs: int,
    as_json: bool,
    **config: Any,  # noqa: ANN401 - facts, and the options in the manifest
) -> None:
    """Write a text for each line of facts, with sampled phrases, date styles and headlines.

    Facts that cannot be expressed, such as those with an empty name, are reported and left out; the
    exit status is then 1, or 2 if some could not be read.

    A text of a language model is kept only if it parses to exactly its facts, a phrase only if no
    sentence can be read in two ways because of it.

    \b
    Examples:
      python -m solver generate texts --facts examples/texts/references.txt --out texts
      python -m solver generate texts --facts examples/texts/references.txt --style story --out told
      python -m solver generate texts --facts examples/texts/references.txt --level 3 --out texts
      python -m solver generate texts --facts references.txt --group --schema schema --out texts
      python -m solver verify --kind texts texts/descriptions.txt --facts texts/references.txt
      python -m solver generate texts --facts references.txt --out texts --writer openai \\
        --base-url http://localhost:8000/v1 --model llama --jobs 4
      python -m solver generate texts --facts references.txt --out texts --phrases phrases.tsv
    """  # noqa: D301 - click reads the backslash
    from generators.texts.groups import group_facts, read_lines, sources_of, with_clean_names
    from generators.texts.language_model import Endpoint, phrases_of_model, write_with_model
    from generators.texts.run import DraftSettings, write, write_texts
    from grammar.texts.phrases import phrase_table
    from solver.cli.printing import print_json, progress
    from solver.io.writing import make_folder
    from solver.texts.io import read_phrases

    config = settled(LEVELS, config)
    facts, schema, phrases = config.pop("facts"), config["schema"], config["phrases"]
    writer = config["writer"]
    if config["types"] is not None and schema is None:
        raise click.UsageError("--types needs --schema.")
    if schema is not None and not config["group"]:
        raise click.UsageError("--schema needs --group.")
    if {base_url is not None, model is not None} != {writer is not Writer.TEMPLATE}:
        raise click.UsageError(
            "--writer openai and openai-phrases need --base-url and --model, and they need it."
        )
    if writer is Writer.OPENAI and config["style"] is not TextStyle.PLAIN:
        raise click.UsageError("--writer openai needs --style plain.")
    added = () if phrases is None else read_phrases(phrases)
    lines = read_lines(facts)
    lines = lines if config["keep_names"] else with_clean_names(lines)
    endpoint = None
    if base_url is not None and model is not None:
        key = os.environ.get(key_variable, "")
        endpoint = Endpoint(base_url=base_url, model=model, key=key, timeout=timeout)
        config |= {"base_url": base_url, "model": model, "attempts": attempts}
    make_folder(out)
    answers: dict[str, dict[str, Any]] = {}
    if endpoint is not None and writer is Writer.PHRASES:
        relations = sorted({fact.relation for line in lines for fact in line.facts})
        with progress("relations", len(relations)) as advance:
            found = phrases_of_model(relations, added, endpoint, out, jobs=jobs, progress=advance)
        added += found.admitted
        answers["model_phrases"] = found.as_json()
        _print_messages(found.refused)
    sources = sources_of(lines, phrase_table(added))
    _print_messages((*sources.unreadable, *sources.refused))
    groups = list(sources.groups)
    if config["group"]:
        groups = group_facts(groups, _classes(schema, config["types"]))
    drafting = DraftSettings(
        style=config["style"],
        dates=config["dates"],
        headlines=config["headlines"],
        indirect=config["indirect"],
        seed=seed,
        phrases=added,
    )
    given_up: tuple[str, ...] = ()
    with progress("texts", len(groups)) as advance:
        if endpoint is None or writer is Writer.PHRASES:
            written = list(write(groups, drafting, jobs=jobs, progress=advance))
        else:
            texts = write_with_model(
                groups, drafting, endpoint, out, attempts=attempts, jobs=jobs, progress=advance
            )
            written, given_up = list(texts.written), texts.given_up
            answers["model_texts"] = texts.as_json()
    _print_messages(given_up)
    left_out = (*sources.unreadable, *sources.refused, *given_up)
    counts = write_texts(
        out,
        written,
        config=config,
        sources=[option for option in (facts, phrases) if option is not None],
        seed=seed,
        left_out=left_out,
        phrases=added,
        more=answers,
    )
    if as_json:
        print_json({"out": out.name, "seed": seed} | counts | answers)
    else:
        for name, shares in answers.items():
            click.echo(_share(name, shares))
        click.echo(
            f"wrote {counts['texts']:,} texts of {counts['facts']:,} facts to {output_name(out)}, "
            f"{counts['headlines']:,} with a headline; {len(left_out):,} left out"
        )
    if sources.unreadable:
        ctx.exit(ExitStatus.UNREADABLE)
    ctx.exit(ExitStatus.VIOLATIONS if sources.refused or given_up else ExitStatus.OK)


def _share(name: str, shares: Mapping[str, Any]) -> str:
    """A line on how many answers of a model were kept."""
    noun = {"model_texts": "texts", "model_phrases": "pairs of phrases"}[name]
    share = "" if shares["share_kept"] is None else f" ({100 * shares['share_kept']:.1f}%)"
    dropped = ", ".join(f"{count:,} {code}" for code, count in shares["dropped"].items())
    reasons = f"; dropped: {dropped}" if dropped else ""
    return f"kept {shares['kept']:,} of {shares['received']:,} {noun} of the model{share}{reasons}"


def _classes(path: Path | None, types: Path | None) -> EntityClasses:
    """Classes of the entities, by the schema if there is one."""
    from generators.texts.groups import EntityClasses
    from solver.facts.schema import EntityTypes, read_types
    from solver.facts.schema_files import read_schema

    if path is None:
        return EntityClasses()
    schema = read_schema(path)
    known = EntityTypes() if types is None else read_types(types, schema.hierarchy).complete()
    return EntityClasses(schema=schema, of=known.of)


def _print_messages(messages: tuple[str, ...]) -> None:
    for message in messages[:_SHOWN]:
        click.echo(message, err=True)
    if len(messages) > _SHOWN:
        click.echo(f"and {len(messages) - _SHOWN:,} more", err=True)


@click.command("moved-texts")
@click.argument("texts", metavar="TEXTS")
@click.option(
    "--facts",
    required=True,
    metavar="FILE",
    help="Facts of the texts, one Python literal per line.",
)
@click.option(
    "--years",
    type=click.IntRange(-9998, 9998),
    required=True,
    help="Number of years to add; negative for earlier years.",
)
@out_folder()
@as_json
def moved_texts(texts: str, facts: str, years: int, out: Path, as_json: bool) -> None:
    """Move texts and their facts by a number of years, and recompute all weekdays.

    Texts written by generate texts are parsed and rewritten. In other texts every full date outside
    of names is replaced in place.

    \b
    Examples:
      python -m solver generate moved-texts examples/texts/right.txt \\
        --facts examples/texts/references.txt --years -4 --out moved
    """  # noqa: D301 - click reads the backslash
    from generators.dataset import DatasetFolder
    from generators.texts.run import write_pairs
    from solver.cli.printing import print_json
    from solver.texts.settings import REFERENCES, TEXTS

    done, failures = _moved(texts, facts, years)
    for message in failures:
        click.echo(message, err=True)
    home = DatasetFolder(out)
    write_pairs(home, [(shifted_text.text, shifted_text.facts) for shifted_text in done])
    home.finish(config={"years": years}, encodings=(), inputs=(texts, facts))
    ours = sum(text.ours for text in done)
    if as_json:
        print_json({"out": out.name, "texts": len(done), "read": ours, "left_out": len(failures)})
    else:
        click.echo(
            f"wrote {len(done):,} texts to {output_name(out / TEXTS)}, "
            f"their facts to {REFERENCES}; {ours:,} parsed and rewritten, "
            f"{len(done) - ours:,} with dates replaced"
        )
    if failures:
        click.get_current_context().exit(ExitStatus.UNREADABLE)


def _moved(texts: str, facts: str, years: int) -> tuple[list[ShiftedText], list[str]]:
    """The moved texts, and a one-line message for each that could not be moved."""
    from generators.texts.run import shift_text
    from solver.texts.io import read_pairs

    done: list[ShiftedText] = []
    failures: list[str] = []
    for pair in read_pairs(texts, facts):
        if pair.text is None or pair.references is None:
            present = pair.text or pair.references
            failures.append(
                f"{present.where if present else ''}: no matching line in the other file"
            )
            continue
        errors = [
            other_error
            for other_error in (pair.text.error, *pair.references.errors)
            if other_error is not None
        ]
        try:
            if not errors:
                done.append(shift_text(pair.text.text, pair.references.facts, years))
        except HopcheckError as error:
            error.where = pair.text.where
            errors.append(error)
        failures += map(str, errors)
    return done, failures
