"""Generates twins of chains: each is read, decided twice and certified before it is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from generators.dataset import DatasetFolder, SplitFormat, batches
from generators.eventhop.config import Split, names
from generators.traces.twins import Error, GenerationError, Shape, Twin, twin
from generators.traces.wording import Wording
from grammar.eventhop.model import Domain
from grammar.traces.model import ReadStep, StatementKind
from solver.dataset.copies import read
from solver.dataset.seal import Breach, DataSet
from solver.extras import available
from solver.io.json_lines import read_document
from solver.io.sources import MANIFEST
from solver.io.writing import line
from solver.probes.probe import ProbeLevel
from solver.probes.ranking import RankingResult, rank_texts
from solver.processes import parallel_stream
from solver.seeding import seed_of
from solver.traces.dataset import STATISTICS, cells, schema, tabled
from solver.traces.decide import DecidedTrace, certified, crosschecked
from solver.traces.encode import VERDICTS
from solver.traces.model import DeclaredTrace, Support, Trace

BATCH = 16
_LIFETIME = 64
FORM = "format"
"""Entry of the config: the formats of the splits."""
TARGETS: Mapping[str, float] = {"trace": 0.5, "premise": 0.55, "premise and trace": 0.6}
"""Areas under the curve that a data set should not exceed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceSettings:
    """What is generated.

    Attributes:
        train, test: numbers of twins.
        domains: wordings, in turn.
        errors: kinds of first errors, in turn.
        hops: numbers of sentences of a proof, in turn.
        detours: right steps of each chain that lead nowhere.
        irrelevant: sentences of each premise that the proof does not need.
        seed: random seed.
    """

    train: int = 0
    test: int = 0
    domains: tuple[Domain, ...] = tuple(Domain)
    errors: tuple[Error, ...] = tuple(Error)
    hops: tuple[int, ...] = (2, 3, 4, 5)
    detours: int = 0
    irrelevant: int = 2
    seed: int = 0

    def as_config(self) -> dict[str, object]:
        """The settings, for a manifest."""
        built: dict[str, object] = msgspec.to_builtins(self)
        return built


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenTwin:
    """A twin whose chains are decided, with the cell that it belongs to.

    Attributes:
        twin: what was drawn.
        domain: its wording.
        rows: the traces, the wrong one at ``flawed``.
        flawed: 0 or 1.
    """

    twin: Twin
    domain: Domain
    rows: tuple[DeclaredTrace, DeclaredTrace]
    flawed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A data set of chains.

    Attributes:
        counts: rows by split, domain, error and hops.
        probes: how well classifiers rank wrong chains above right ones, by split.
        files: the files, the manifest last.
    """

    counts: Counter[str]
    probes: Mapping[str, Sequence[RankingResult]]
    files: tuple[Path, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The contents of ``statistics.json``."""
        return {
            "counts": dict(sorted(self.counts.items())),
            "probes": {
                split: [result.as_json() for result in results]
                for split, results in self.probes.items()
            },
            "targets": dict(TARGETS),
        }


def cell(settings: TraceSettings, index: int) -> tuple[Domain, Error, int]:
    """The wording, the error and the hops of a twin."""
    domain = settings.domains[index % len(settings.domains)]
    block, place = divmod(index // len(settings.domains), len(settings.errors))
    # Every error with every number of hops, and both mixed from the first twins on.
    hops = settings.hops[(place + block) % len(settings.hops)]
    return domain, settings.errors[place], hops


def drawn(settings: TraceSettings, split: Split, index: int) -> WrittenTwin:
    """A twin with its texts; the same for the same seed and index."""
    draw = Random(seed_of(settings.seed, "traces", split, index))
    domain, error, hops = cell(settings, index)
    shape = Shape(hops=hops, detours=settings.detours, irrelevant=settings.irrelevant)
    made = twin(draw, names(split, domain), error, shape)
    return written(draw, made, domain, f"{split}-{index:06d}")


def written(draw: Random, made: Twin, domain: Domain, name: str) -> WrittenTwin:
    """The texts of a twin; its premises differ in one sentence, and nothing else differs."""
    wording = Wording(draw, domain)
    flawed = draw.randrange(2)
    ids = (f"{name}-a", f"{name}-b")
    right, wrong = (
        drafted.item(ids[which], domain, made.turned)
        for drafted, which in ((made.right, 1 - flawed), (made.wrong, flawed))
    )
    text = wording.item(right)
    sentences = text.premise.split(". ")
    other = wording.item(wrong).premise.split(". ")[made.sentence]
    changed = [*sentences[: made.sentence], other, *sentences[made.sentence + 1 :]]
    steps = tuple(wording.steps(right, made.right.names, made.steps, text.claim))

    def row(premise: str, drafted_item: Any, place: int) -> DeclaredTrace:  # noqa: ANN401
        return DeclaredTrace(
            id=drafted_item.id,
            where=drafted_item.id,
            premise=premise,
            claim=text.claim,
            trace=Trace(item=drafted_item, texts=steps),
            first_error=place,
        )

    rows = [row(text.premise, right, -1), row(". ".join(changed), wrong, made.first_error)]
    if not flawed:
        rows.reverse()
    return WrittenTwin(twin=made, domain=domain, rows=(rows[0], rows[1]), flawed=flawed)


Line = tuple[bytes, tuple[str, ...]]


def batch(settings: TraceSettings, task: tuple[Split, Sequence[int]]) -> list[Line]:
    """The lines of some twins, two each, with the events of their items.

    Raises:
        DisagreementError: the engines disagree.
        RejectedTraceError: the checker rejects a certificate.
        GenerationError: a chain is not what was to be generated.
    """
    split, indices = task
    made = [drawn(settings, split, index) for index in indices]
    rows = [row for each in made for row in each.rows]
    results = iter(crosschecked([row.trace for row in rows]))
    lines = []
    for each in made:
        for place, row in enumerate(each.rows):
            result = next(results)
            check_intended(each, row, result, wrong=place == each.flawed)
            data = line(_row(each, row, result, wrong=place == each.flawed))
            lines.append((data, result.premise.events))
    return lines


def check_intended(
    made: WrittenTwin, row: DeclaredTrace, result: DecidedTrace, *, wrong: bool
) -> None:
    """Require that a chain was read as it was meant, with its first error where it should be.

    Raises:
        GenerationError: it is not.
    """
    drafted, verdict = made.twin.right, result.verdict
    for place, (step, stated) in enumerate(zip(made.twin.steps, result.steps, strict=True)):
        if step.order is None:
            continue
        meant = (
            _point(drafted.names, step.order.left),
            step.order.sign,
            _point(drafted.names, step.order.right),
        )
        if _stated(stated, result.premise.points) != [_normal(*meant)]:
            message = f"step {place} of {row.id} is read otherwise: {stated.text!r}"
            raise GenerationError(message)
    support = verdict.support is Support.SUPPORTED
    if verdict.first_error != row.first_error or (not wrong and not support):
        message = (
            f"the first error of {row.id} is {verdict.first_error}, expected {row.first_error}"
        )
        raise GenerationError(message)


def _point(names: Sequence[str], point: int) -> str:
    return f"{('start', 'end')[point & 1]} of {names[point >> 1]}"


def _normal(left: str, sign: str, right: str) -> tuple[str, str, str]:
    return (right, sign, left) if sign == "=" and right < left else (left, sign, right)


def _stated(step: ReadStep, points: Sequence[str]) -> list[tuple[str, str, str]]:
    """The orders that a step states; something else if it states anything but orders."""
    if any(stated.kind is not StatementKind.HOLDS for stated in step.statements):
        return []
    return [
        _normal(points[p], sign, points[q])
        for stated in step.statements
        for p, sign, q in stated.orders
    ]


def _row(
    made: WrittenTwin, row: DeclaredTrace, result: DecidedTrace, *, wrong: bool
) -> dict[str, Any]:
    """The line of a chain: its item, its steps with verdicts and certificates, and its error."""
    proved = certified(row, result)
    verdict = result.verdict
    return {
        "id": row.id,
        "twin": row.id[:-2],
        **{name: proved.pop(name) for name in ("premise", "claim", "domain")},
        "label": verdict.label.value,
        "hops": made.twin.hops,
        "error": made.twin.error.value if wrong else None,
        "answer_correct": verdict.answer is verdict.label,
        **{name: value for name, value in proved.items() if name != "id"},
    }


# --- The data set ---------------------------------------------------------------------------------


@dataclass(slots=True)
class _Tally:
    """Counts rows that pass, and keeps the words that probes see."""

    counts: Counter[str] = field(default_factory=Counter)
    texts: dict[str, list[list[str]]] = field(default_factory=dict)
    gold: list[bool] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)

    def add(self, row: Mapping[str, Any], events: Sequence[str], split: str) -> None:
        wrong = row["first_error"] >= 0
        self.counts.update(cells(row, split))
        texts = (row["premise"], " ".join(step["text"] for step in row["steps"]))
        premise, trace = (_masked(text, row["claim"], events) for text in texts)
        marked = [*(f"P:{word}" for word in premise), *(f"T:{word}" for word in trace)]
        for name, words in zip(TARGETS, (trace, premise, marked), strict=True):
            self.texts.setdefault(name, []).append(words)
        self.gold.append(wrong)
        self.groups.append(row["twin"])


def _masked(text: str, claim: str, events: Sequence[str]) -> list[str]:
    """The words of a text with marks for events: those of the claim, and others."""
    for name in sorted(events, key=len, reverse=True):
        at = claim.find(name)
        text = text.replace(name, "OTHER" if at < 0 else "RIGHT" if at else "LEFT")
    return text.replace(".", " ").split()


def generate(
    settings: TraceSettings,
    out: Path,
    *,
    form: SplitFormat = SplitFormat.BOTH,
    probes: ProbeLevel = ProbeLevel.FAST,
    jobs: int = 1,
    progress: Callable[[int], object] | None = None,
) -> Outcome:
    """Generate a data set of twins.

    Args:
        settings: what is generated.
        out: output folder.
        form: the formats of the splits.
        probes: which classifiers look for shortcuts; none, words, or boosted trees too.
        jobs: number of worker processes; the bytes do not depend on it.
        progress: called with the number of twins that were just completed.

    Raises:
        HopcheckError: settings for which there is no twin, engines that disagree, or a file that
            cannot be written.
    """
    folder = DatasetFolder(out)
    form = form.writable()
    folder.remove_stale(f"{split}.{ending}" for split in Split for ending in ("jsonl", "parquet"))
    counts: Counter[str] = Counter()
    results: dict[str, list[RankingResult]] = {}
    for split, size in _sizes(settings).items():
        if not size:
            continue
        tally = _Tally(counts=counts)
        folder.add_split(
            split.value, _lines(settings, split, size, tally, jobs, progress), schema, form
        )
        if probes is not ProbeLevel.NONE and available("sklearn") and size >= 10:
            boosted = probes is ProbeLevel.ALL
            results[split.value] = list(
                rank_texts(tally.texts, tally.gold, tally.groups, boosted=boosted)
            )
    outcome = Outcome(counts=counts, probes=results)
    folder.add_json(STATISTICS, outcome.as_json())
    files = folder.finish(
        config={**settings.as_config(), FORM: form.value},
        seed=settings.seed,
        encodings=(VERDICTS,),
    )
    return Outcome(counts=counts, probes=results, files=files)


def _lines(
    settings: TraceSettings,
    split: Split,
    size: int,
    tally: _Tally,
    jobs: int,
    progress: Callable[[int], object] | None,
) -> Iterator[bytes]:
    tasks = ((split, indices) for indices in batches(size, BATCH))
    decode = msgspec.json.Decoder(dict[str, Any]).decode
    for lines in parallel_stream(partial(batch, settings), tasks, jobs, lifetime=_LIFETIME):
        for data, events in lines:
            tally.add(decode(data), events, split.value)
            yield data
        if progress is not None:
            progress(len(lines) // 2)


def disagreements(dataset: DataSet) -> Iterator[Breach]:
    """Rows, files and targets that are not those of the config and the seed.

    Raises:
        HopcheckError: a file cannot be read.
        KeyError, TypeError, ValueError: an entry is missing or malformed.
    """
    where, config = dataset.folder.path(MANIFEST), dict(dataset.manifest["config"])
    form = SplitFormat(config.pop(FORM))
    try:
        settings = msgspec.convert(config, TraceSettings)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from None
    if config.keys() != settings.as_config().keys():
        yield Breach(where=where, message="found other options in config, expected those of traces")
    endings = [ending for ending in ("jsonl", "parquet") if form in (ending, SplitFormat.BOTH)]
    sizes = {split: size for split, size in _sizes(settings).items() if size}
    due = {f"{split}.{ending}" for split in sizes for ending in endings} | {STATISTICS}
    for name in sorted(due ^ dataset.outputs.keys()):
        found = "no such file" if name in due else "a file that config does not have"
        yield Breach(where=dataset.folder.path(name), message=f"found {found}")
    if not due <= dataset.outputs.keys():
        return
    for split, size in sizes.items():
        yield from _of_split(dataset.folder.path(f"{split}.{endings[0]}"), settings, split, size)
    place = dataset.folder.path(STATISTICS)
    if read_document(place, dict[str, Any], "statistics").get("targets") != TARGETS:
        yield Breach(where=place, message="found other targets than those of this version")


def _sizes(settings: TraceSettings) -> dict[Split, int]:
    return {Split.TRAIN: settings.train, Split.TEST: settings.test}


def _of_split(path: str, settings: TraceSettings, split: Split, size: int) -> Iterator[Breach]:
    rows = list(read(path))
    if len(rows) != 2 * size:
        yield Breach(where=path, message=f"found {len(rows):,} rows, expected {2 * size:,}")
    for number, row in enumerate(rows):
        expected = tuple(map(str, cell(settings, number // 2)))
        domain, error, hops = (row.values.get(name) for name in ("domain", "error", "hops"))
        if (domain, str(hops)) != expected[::2] or error not in (None, expected[1]):
            message = f"found the cell {domain}, {error}, {hops}, expected {', '.join(expected)}"
            yield Breach(where=row.where, message=message)
            return
    decode = msgspec.json.Decoder(dict[str, Any]).decode
    made = [decode(data) for data, _ in batch(settings, (split, (0,)))]
    for row, expected_row in zip(rows, made, strict=False):
        if tabled(row.values) != tabled(expected_row):
            message = "the first item is not the one that config and seed give"
            yield Breach(where=row.where, message=message)
