"""``train``: an encoder learns to answer items."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from benchmarks.cli.score_nli import as_json, gold
from benchmarks.models.encoder import Architecture, Device
from benchmarks.models.recipe import Recipe
from benchmarks.models.vocabulary import Pieces
from solver.cli.options import EnumChoice, FiniteFloat, domain, spatial
from solver.cli.outputs import NewFolder
from solver.errors import ExitStatus

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.models.encoder import Encoder
    from benchmarks.models.pairs import Parts, Read
    from benchmarks.models.training import Lesson

Command = TypeVar("Command", bound="Callable[..., Any]")
_DEFAULT = Recipe()
SHOWN = 20
LENGTH = 1_024
"""Tokens that a small encoder reads unless told otherwise: 32 relations take 500 to 540."""
CHOICES = (
    *("epochs", "steps", "batch", "rate", "warmup", "decay", "clip", "validation", "patience"),
    *("every", "seed"),
)


def _number(name: str, kind: click.ParamType[Any], help: str) -> Callable[[Command], Command]:
    """An option that is a choice of the recipe."""
    default = getattr(_DEFAULT, name)
    return click.option(
        f"--{name}", type=kind, default=default, show_default=default is not None, help=help
    )


device = click.option(
    "--device",
    type=EnumChoice(Device),
    default=Device.AUTO,
    show_default=Device.AUTO.value,
    help="What computes; auto is a graphics card where there is one.",
)


@click.command()
@click.option(
    "--data",
    "paths",
    multiple=True,
    required=True,
    metavar="PATH",
    help="Items to learn: files, or the folder of a data set, of which train is taken.",
)
@click.option(
    "--out",
    type=NewFolder(),
    required=True,
    metavar="DIR",
    help="Folder of the training; one that was interrupted goes on there.",
)
@click.option(
    "--model",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The encoder to fine-tune: a folder that transformers saved, with its tokenizer.",
)
@click.option(
    "--tiny", type=EnumChoice(Architecture), help="A small encoder without training instead."
)
@click.option(
    "--pieces",
    type=EnumChoice(Pieces),
    default=Pieces.WORDPIECE,
    show_default=Pieces.WORDPIECE.value,
    help="With --tiny: the tokens, learned from the training part.",
)
@click.option(
    "--vocabulary",
    type=click.IntRange(100, 1_000_000),
    default=4_000,
    show_default=True,
    help="With --tiny: how many there are at most.",
)
@click.option(
    "--length",
    type=click.IntRange(16, 100_000),
    help=f"Tokens of a pair at most; {LENGTH:,} with --tiny, else what the encoder can read.",
)
@_number("epochs", click.IntRange(1), "Passes over the items, at most.")
@_number("steps", click.IntRange(1), "Batches, at most.")
@_number("batch", click.IntRange(1), "Items of a batch.")
@_number("rate", FiniteFloat(0, min_open=True), "The highest learning rate.")
@_number("warmup", FiniteFloat(0, 1), "Share of the steps in which the rate rises.")
@_number("decay", FiniteFloat(0), "Weight decay.")
@_number("clip", FiniteFloat(0, min_open=True), "The longest gradient.")
@_number("validation", FiniteFloat(0, 1, max_open=True), "Share of the items held out.")
@_number("patience", click.IntRange(0), "Evaluations without a better one that end it; 0: none.")
@_number("every", click.IntRange(1), "Steps between evaluations; once an epoch by default.")
@_number("seed", click.IntRange(0), "Same seed, same weights (on a processor).")
@device
@gold
@spatial
@domain
@as_json
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> None:  # noqa: ANN401
    """Fine-tune an encoder to answer items; the best step on items held out is kept.

    --out gets the model, training.json, training.svg and manifest.json; the same command goes on
    there from the last checkpoint. Nothing is fetched from a network.

    \b
    Examples:
      python -m solver generate eventhop --out data/strict
      python -m solver train --data data/strict --model encoders/roberta --out runs/roberta
      python -m solver train --data data/strict --tiny bert --rate 1e-3 --out runs/tiny
      python -m solver baseline encoder --model runs/tiny --data data/strict/test.jsonl
    """  # noqa: D301 - click reads the backslash
    from benchmarks.models.libraries import require_libraries
    from solver.cli.printing import print_json, print_unparsed

    if (options["model"] is None) == (options["tiny"] is None):
        raise click.UsageError("Give one of --model and --tiny.")
    require_libraries()
    read, inputs = _read(options)
    print_unparsed(read.unparsed)
    figures = _train(read, inputs, options)
    if options["as_json"]:
        print_json(figures)
    else:
        _show(figures, options["out"])
    ctx.exit(ExitStatus.UNREADABLE if read.unparsed else ExitStatus.OK)


def _read(options: dict[str, Any]) -> tuple[Read, list[str]]:
    """The items, and the files they come from."""
    from benchmarks.models.pairs import decided_pairs, declared_pairs, train_files
    from solver.verify.settings import Settings

    paths = train_files(options["paths"])
    if options["gold"] == "file":
        return declared_pairs(paths), paths
    settings = Settings(spatial=options["spatial"], domain=options["domain"])
    return decided_pairs(paths, settings), paths


def _train(read: Read, inputs: list[str], options: dict[str, Any]) -> dict[str, Any]:
    from benchmarks.models.checkpoints import Checkpoints
    from benchmarks.models.pairs import parted
    from benchmarks.models.results import Trained, finished, write_results
    from benchmarks.models.training import train
    from solver.cli.progress import progress

    recipe = Recipe(**{name: options[name] for name in CHOICES})
    out: Path = options["out"]
    parts = parted(read.pairs, share=recipe.validation, seed=recipe.seed)
    start = _start(read, recipe, options)
    checkpoints = Checkpoints(out, start)
    before = finished(out)
    if before is not None:
        checkpoints.clear()
        click.echo(f"{out}: has ended before; nothing to do", err=True)
        return before
    lesson = _lesson(parts, recipe, options)
    with progress("steps", recipe.total(len(parts.train))) as advance:
        history = train(lesson, checkpoints, progress=advance)
    checkpoints.finish(history.best_step)
    trained = Trained(
        train=len(parts.train),
        validation=len(parts.validation),
        cut=lesson.train.cut + lesson.validation.cut,
        parameters=sum(one.numel() for one in lesson.encoder.model.parameters()),
        history=history,
    )
    write_results(trained, out, start=start, seed=recipe.seed, inputs=inputs)
    checkpoints.clear()
    return trained.as_json()


def _lesson(parts: Parts, recipe: Recipe, options: dict[str, Any]) -> Lesson:
    from benchmarks.models.encoder import chosen
    from benchmarks.models.tokens import tokenized
    from benchmarks.models.training import Lesson
    from solver.wording import counted

    place = chosen(options["device"])
    encoder = _encoder(parts, options)
    lesson = Lesson(
        encoder=encoder,
        train=tokenized(parts.train, encoder.tokenizer),
        validation=tokenized(parts.validation, encoder.tokenizer),
        recipe=recipe,
        place=place,
    )
    cut = lesson.train.cut + lesson.validation.cut
    if cut:
        most = encoder.tokenizer.model_max_length
        click.echo(f"{counted(cut, 'item')} cut: longer than {most:,} tokens", err=True)
    return lesson


def _start(read: Read, recipe: Recipe, options: dict[str, Any]) -> dict[str, object]:
    """What the weights follow from."""
    from benchmarks.models.libraries import library_versions
    from benchmarks.models.pairs import digest
    from solver.manifest import sha256

    folder: Path | None = options["model"]
    encoder: dict[str, object] = {"length": options["length"]}
    if folder is None:
        encoder |= {name: options[name] for name in ("tiny", "pieces", "vocabulary")}
    elif folder.is_dir():
        encoder |= {path.name: sha256(path) for path in sorted(folder.iterdir()) if path.is_file()}
    return {
        "recipe": recipe.as_json(),
        "data": digest(read.pairs),
        "encoder": encoder,
        "versions": library_versions(),
    }


def _encoder(parts: Parts, options: dict[str, Any]) -> Encoder:
    from benchmarks.models.encoder import loaded, small
    from benchmarks.models.vocabulary import learned_tokenizer

    if options["model"] is not None:
        return loaded(options["model"], length=options["length"], seed=options["seed"])
    tokenizer = learned_tokenizer(
        (text for pair in parts.train for text in (pair.premise, pair.claim)),
        pieces=options["pieces"],
        size=options["vocabulary"],
        length=options["length"] or LENGTH,
    )
    return small(options["tiny"], tokenizer, seed=options["seed"])


def _show(figures: dict[str, Any], out: Path) -> None:
    from benchmarks.models.encoder import MODEL
    from solver.cli.printing import narrow_table, wide_console

    console = wide_console()
    pairs, best = figures["pairs"], figures["best_step"]
    console.print(
        f"{pairs['parameters']:,} parameters, {pairs['train']:,} items to learn, "
        f"{pairs['validation']:,} held out, {figures['steps']:,} steps"
        f"{', ended early' if figures['early'] else ''}"
    )
    every = figures["evaluations"]
    title = f"the last {SHOWN} evaluations" if len(every) > SHOWN else ""
    table = narrow_table(title, "step", ["loss", "held out", "macro-F1"])
    for one in every[-SHOWN:]:
        loss = figures["losses"][one["step"] - 1]
        mark = "  kept" if one["step"] == best else ""
        scores = (f"{loss:.3f}", f"{one['loss']:.3f}", f"{one['macro_f1']:.3f}")
        table.add_row(f"{one['step']:,}{mark}", *scores)
    if every:
        console.print(table)
    console.print(f"model: {out / MODEL}", markup=False, soft_wrap=True)
