"""``train``: fine-tunes an encoder on items."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchmarks.eventhop.encoder.model import Architecture
from benchmarks.eventhop.encoder.training import Recipe
from benchmarks.forecasting.cli import device
from benchmarks.tokenizers import Pieces
from benchmarks.training import Device
from grammar.errors import ExitStatus
from solver.cli.options import (
    as_json,
    gold,
    items,
    out_folder,
)
from solver.cli.settings import setting_options
from solver.eventhop.cli import reading
from solver.io.sources import output_name
from solver.verification.settings import setting

if TYPE_CHECKING:
    from benchmarks.eventhop.encoder.data import PairData, Partition
    from benchmarks.eventhop.encoder.model import Encoder
    from benchmarks.eventhop.encoder.training import TrainingTask
    from solver.eventhop.engines import ItemSettings

SHOWN = 20
LENGTH = 1_024
"""Default maximum length of a small encoder, in tokens: 32 relations take 500 to 540."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderOptions:
    """The encoder to train: a saved one, or a small one from scratch."""

    model: Path | None = setting(
        None,
        "Encoder to fine-tune: a folder saved by transformers, with the tokenizer.",
        path="folder",
        metavar="DIR",
    )
    tiny: Architecture | None = setting(
        None, "Small encoder to train from scratch.", choices=Architecture
    )
    pieces: Pieces = setting(
        Pieces.WORDPIECE, "With --tiny: kind of tokens, learned from the training items."
    )
    vocabulary: int = setting(
        4_000, "With --tiny: maximum size of the vocabulary.", low=100, high=1_000_000
    )
    length: int | None = setting(
        None,
        f"Maximum tokens per item; {LENGTH:,} with --tiny, otherwise the encoder's maximum.",
        low=16,
        high=100_000,
    )


@click.command()
@items
@out_folder("Output folder; an interrupted training resumes from it.")
@setting_options("encoder", EncoderOptions)
@setting_options("recipe", Recipe)
@device
@gold
@reading
@as_json
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    paths: tuple[str, ...],
    out: Path,
    encoder: EncoderOptions,
    recipe: Recipe,
    device: Device,
    gold: str,
    settings: ItemSettings,
    as_json: bool,
) -> None:
    """Fine-tune an encoder on items; the step with the best validation score is kept.

    Of a data set folder, the train split is read. The output is the model, training.json,
    training.svg and manifest.json; the same command resumes from the last checkpoint. Training on
    a CPU is reproducible. Nothing is downloaded.

    \b
    Examples:
      python -m solver generate eventhop --out data/strict
      python -m solver train --data data/strict --model encoders/roberta --out runs/roberta
      python -m solver train --data data/strict --tiny bert --rate 1e-3 --out runs/tiny
      python -m solver baseline encoder --model runs/tiny --data data/strict/test.jsonl
    """  # noqa: D301 - click reads the backslash
    from benchmarks.tokenizers import require_libraries
    from solver.cli.printing import print_json, print_unparsed

    if (encoder.model is None) == (encoder.tiny is None):
        raise click.UsageError("Use either --model or --tiny.")
    require_libraries()
    from benchmarks.eventhop.encoder.data import decided_pairs, declared_pairs, train_files

    files = train_files(paths)
    read = declared_pairs(files) if gold == "file" else decided_pairs(files, settings)
    print_unparsed(read.unparsed)
    figures = _train(read, files, encoder, recipe, device, out)
    if as_json:
        print_json(figures)
    else:
        _show(figures, out)
    ctx.exit(ExitStatus.UNREADABLE if read.unparsed else ExitStatus.OK)


def _train(
    read: PairData,
    inputs: list[str],
    encoder: EncoderOptions,
    recipe: Recipe,
    device: Device,
    out: Path,
) -> dict[str, Any]:
    from benchmarks.eventhop.encoder.data import partition
    from benchmarks.eventhop.encoder.training import (
        TrainingResult,
        read_results,
        train,
        write_results,
    )
    from benchmarks.training import Checkpoints
    from solver.cli.printing import progress

    parts = partition(read.pairs, share=recipe.validation, seed=recipe.seed)
    start = _start(read, recipe, encoder)
    checkpoints = Checkpoints(out, start)
    before = read_results(out)
    if before is not None:
        checkpoints.clear()
        click.echo(f"{output_name(out)}: training is already complete", err=True)
        return before
    task = _task(parts, recipe, encoder, device)
    with progress("steps", recipe.total(len(parts.train))) as advance:
        history = train(task, checkpoints, progress=advance)
    checkpoints.finish(history.best_step)
    trained = TrainingResult(
        train=len(parts.train),
        validation=len(parts.validation),
        cut=task.train.cut + task.validation.cut,
        parameters=sum(parameter.numel() for parameter in task.encoder.model.parameters()),
        history=history,
    )
    write_results(trained, out, start=start, seed=recipe.seed, inputs=inputs)
    checkpoints.clear()
    return trained.as_json()


def _task(
    parts: Partition, recipe: Recipe, options: EncoderOptions, device: Device
) -> TrainingTask:
    from benchmarks.eventhop.encoder.data import tokenize_pairs
    from benchmarks.eventhop.encoder.training import TrainingTask
    from benchmarks.training import select_device
    from solver.io.sources import counted

    place = select_device(device)
    encoder = _encoder(parts, options, recipe.seed)
    task = TrainingTask(
        encoder=encoder,
        train=tokenize_pairs(parts.train, encoder.tokenizer),
        validation=tokenize_pairs(parts.validation, encoder.tokenizer),
        recipe=recipe,
        place=place,
    )
    cut = task.train.cut + task.validation.cut
    if cut:
        most = encoder.tokenizer.model_max_length
        click.echo(f"{counted(cut, 'item')} truncated to {most:,} tokens", err=True)
    return task


def _start(read: PairData, recipe: Recipe, options: EncoderOptions) -> dict[str, object]:
    """Everything that determines the weights."""
    from benchmarks.eventhop.encoder.data import digest
    from benchmarks.tokenizers import library_versions
    from solver.io.sources import sha256

    folder = options.model
    encoder: dict[str, object] = {"length": options.length}
    if folder is None:
        encoder |= {
            "tiny": options.tiny,
            "pieces": options.pieces,
            "vocabulary": options.vocabulary,
        }
    elif folder.is_dir():
        encoder |= {path.name: sha256(path) for path in sorted(folder.iterdir()) if path.is_file()}
    return {
        "recipe": recipe.as_json(),
        "data": digest(read.pairs),
        "encoder": encoder,
        "versions": library_versions(),
    }


def _encoder(parts: Partition, options: EncoderOptions, seed: int) -> Encoder:
    from benchmarks.eventhop.encoder.model import load_encoder, small_encoder
    from benchmarks.tokenizers import train_tokenizer

    if options.model is not None:
        return load_encoder(options.model, length=options.length, seed=seed)
    assert options.tiny is not None
    tokenizer = train_tokenizer(
        (text for pair in parts.train for text in (pair.premise, pair.claim)),
        pieces=options.pieces,
        size=options.vocabulary,
        length=options.length or LENGTH,
    )
    return small_encoder(options.tiny, tokenizer, seed=seed)


def _show(figures: dict[str, Any], out: Path) -> None:
    from benchmarks.training import MODEL
    from solver.cli.printing import narrow_table
    from solver.io.terminal import wide_console

    console = wide_console()
    pairs, best = figures["pairs"], figures["best_step"]
    console.print(
        f"{pairs['parameters']:,} parameters, {pairs['train']:,} training items, "
        f"{pairs['validation']:,} validation items, {figures['steps']:,} steps"
        f"{', stopped early' if figures['early'] else ''}"
    )
    every = figures["evaluations"]
    title = f"the last {SHOWN} evaluations" if len(every) > SHOWN else ""
    table = narrow_table(title, "step", ["loss", "validation loss", "macro-F1"])
    for record in every[-SHOWN:]:
        loss = figures["losses"][record["step"] - 1]
        mark = "  kept" if record["step"] == best else ""
        scores = (f"{loss:.3f}", f"{record['loss']:.3f}", f"{record['macro_f1']:.3f}")
        table.add_row(f"{record['step']:,}{mark}", *scores)
    if every:
        console.print(table)
    console.print(f"model: {output_name(out / MODEL)}", soft_wrap=True)
