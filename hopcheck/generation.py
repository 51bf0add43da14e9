"""``generate``: data sets, item by item."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Required, TypedDict, Unpack, overload

import msgspec

from hopcheck.inputs import ArgumentError, PathLike, member, members, scratch_folder

if TYPE_CHECKING:
    from generators.eventhop.cells import Shape
    from generators.eventhop.config import Config
    from solver.graph.model import Dataset

Row = dict[str, Any]


class ItemOptions(TypedDict, total=False):
    """Options of ``generate("eventhop")``."""

    preset: str
    domain: str
    split: str
    train_size: int
    test_size: int
    shapes: Sequence[str] | None
    claims: Sequence[str] | None
    hops: Sequence[int] | None
    contradiction: bool | None
    exact: bool
    keep_unbalanced: bool
    seed: int


class QuestionOptions(TypedDict, total=False):
    """Options of ``generate("questions")``."""

    graph: Required[Dataset]
    kinds: Sequence[str] | None
    seed: int
    cap: int | None
    min_support: int | None
    reasoning: Sequence[str]


class TextOptions(TypedDict, total=False):
    """Options of ``generate("texts")``."""

    facts: Required[PathLike | Iterable[Sequence[Sequence[str]]]]
    styles: Sequence[str] | None
    headlines: float
    keep_names: bool
    seed: int


class GraphOptions(TypedDict, total=False):
    """Options of ``generate("tkg")``."""

    preset: str | None
    config: Mapping[str, Any] | None
    seed: int


class PatternOptions(TypedDict, total=False):
    """Options of ``generate("patterns")``."""

    hops: Sequence[int]
    flags: str
    cycle_reading: str


@overload
def generate(
    kind: Literal["eventhop"] = "eventhop", **options: Unpack[ItemOptions]
) -> Iterator[Row]: ...
@overload
def generate(kind: Literal["questions"], **options: Unpack[QuestionOptions]) -> Iterator[Row]: ...
@overload
def generate(kind: Literal["texts"], **options: Unpack[TextOptions]) -> Iterator[Row]: ...
@overload
def generate(kind: Literal["tkg"], **options: Unpack[GraphOptions]) -> Iterator[Row]: ...
@overload
def generate(kind: Literal["patterns"], **options: Unpack[PatternOptions]) -> Iterator[Row]: ...
def generate(kind: str = "eventhop", **options: Any) -> Iterator[Row]:
    """Generate the items of a data set one after the other, as the command ``generate`` does.

    The same options and seed give the same items as the files of the command. Every item is
    verified before it is returned.

    Args:
        kind: kind of data set; its options are those of the functions below.
        options: options of the kind, with the defaults of the command:

            - ``eventhop``: ``preset``, ``domain``, ``split`` (train, test or both),
              ``train_size``, ``test_size``, ``shapes`` (such as ``["8x16"]``), ``claims``,
              ``hops``, ``contradiction`` (True, False or None for half), ``exact``,
              ``keep_unbalanced``, ``seed``.
            - ``questions``: ``graph`` (required), ``kinds``, ``seed``, ``cap``, ``min_support``,
              ``reasoning`` (splits).
            - ``texts``: ``facts`` (required: rows of ``[subject, relation, object, date]`` for each
              text), ``styles``, ``headlines``, ``keep_names``, ``seed``.
            - ``tkg``: ``preset`` or ``config`` (a dict as in ``config.json``), ``seed``; the items
              are the facts of the graph.
            - ``patterns``: ``hops``, ``flags``, ``cycle_reading``.

    Returns:
        An iterator of dicts with the fields of the written files.

    Raises:
        ArgumentError: the kind or the value of an option is unknown.
        TypeError: the kind has no such option.
        HopcheckError: no such data set can be generated.

    Examples:
        >>> import hopcheck as hc
        >>> items = list(hc.generate("eventhop", split="test", test_size=9, shapes=["8x8"]))
        >>> sorted({item["label"] for item in items})
        ['false', 'true', 'undefined']
        >>> next(hc.generate("patterns", hops=(1,)))["pattern"]
        '1 -1-> 1 => 1 -1-> 1'
    """
    makers: dict[str, Callable[..., Iterator[Row]]] = {
        "eventhop": _eventhop,
        "questions": _questions,
        "texts": _texts,
        "tkg": _tkg,
        "patterns": _patterns,
    }
    if kind not in makers:
        raise ArgumentError(f"found kind={kind!r}, expected one of {', '.join(makers)}")
    return makers[kind](**options)


def item(config: Mapping[str, Any] | PathLike, split: str, index: int) -> Row:
    """Generate one item of an ``eventhop`` data set.

    It is verified, and the same as in the file of a data set with these options, whatever the
    number of items. The first call with other options or another split loads what they need; from
    then on an item takes milliseconds.

    Args:
        config: options of ``generate("eventhop")`` without ``split`` and sizes, such as
            ``{"preset": "strict", "seed": 0}``; or the folder of a data set.
        split: train or test.
        index: position of the item in its split, from 0; it may exceed the sizes of a folder.

    Returns:
        The fields of the item.

    Raises:
        ArgumentError: the split, the index, an option or its value is unknown.
        HopcheckError: no such data set can be generated, or the folder has none.

    Examples:
        >>> import hopcheck as hc
        >>> one = hc.item({"preset": "strict", "shapes": ["8x8"]}, "test", 1_000_000)
        >>> one["id"], one["events"]
        ('1000000', 8)
    """
    from generators.eventhop.presets import Split
    from generators.eventhop.shards import make_item

    if isinstance(index, bool) or not isinstance(index, int) or index < 0:
        raise ArgumentError(f"found index={index!r}, expected a number from 0")
    chosen = member(Split, "split", split)
    options = dict(config) if isinstance(config, Mapping) else _options_of(Path(config))
    unknown = sorted(options.keys() - _FOR_ITEMS)
    if unknown:
        raise ArgumentError(
            f"found the option {unknown[0]!r}, expected {', '.join(sorted(_FOR_ITEMS))}"
        )
    row: Row = msgspec.json.decode(make_item(_config(**options), chosen, index))
    return row


_FOR_ITEMS = frozenset(
    ("preset", "domain", "shapes", "claims", "hops", "contradiction", "keep_unbalanced", "seed")
)


class _Manifest(msgspec.Struct):
    """The part of a manifest that decides the items of a data set."""

    config: dict[str, Any]
    seed: int
    generator: str


def _options_of(folder: Path) -> dict[str, Any]:
    """The options of a data set in a folder.

    Raises:
        InputError: it has no manifest of one.
    """
    from solver.io.json_lines import read_document
    from solver.io.sources import MANIFEST

    found = read_document(folder / MANIFEST, _Manifest, "manifest")
    if found.generator != "eventhop":
        raise ArgumentError(f"found a data set of {found.generator}, expected one of eventhop")
    options = {name: value for name, value in found.config.items() if name in _FOR_ITEMS}
    return options | {"seed": found.seed}


def _eventhop(**options: Unpack[ItemOptions]) -> Iterator[Row]:
    from generators.eventhop.shards import make, shards

    config = _config(**options)
    decode = msgspec.json.Decoder(Row).decode
    return (decode(line) for shard in shards(config) for line in make(config, shard).splitlines())


def _config(
    *,
    preset: str = "strict",
    domain: str = "temporal",
    split: str = "both",
    train_size: int = 14_000,
    test_size: int = 2_500,
    shapes: Sequence[str] | None = None,
    claims: Sequence[str] | None = None,
    hops: Sequence[int] | None = None,
    contradiction: bool | None = None,
    exact: bool = False,
    keep_unbalanced: bool = False,
    seed: int = 0,
) -> Config:
    from generators.eventhop.config import Config
    from generators.eventhop.presets import Preset, Split
    from grammar.eventhop.model import ClaimRelation, Domain

    sizes = {Split.TRAIN: train_size, Split.TEST: test_size}
    splits = tuple(Split) if split == "both" else (member(Split, "split", split),)
    return Config(
        preset=member(Preset, "preset", preset),
        domain=member(Domain, "domain", domain),
        seed=seed,
        sizes={one: sizes[one] for one in splits},
        shapes=None if shapes is None else tuple(map(_shape, shapes)),
        claims=tuple(ClaimRelation) if claims is None else members(ClaimRelation, "claims", claims),
        hops=None if hops is None else tuple(hops),
        contradiction=contradiction,
        exact=exact,
        keep_unbalanced=keep_unbalanced,
    )


def _shape(text: str) -> Shape:
    from generators.eventhop.cells import Shape

    events, _, relations = text.partition("x")
    if not (events.isdecimal() and relations.isdecimal()):
        raise ArgumentError(f"found the shape {text!r}, expected events x relations, as 8x16")
    return Shape(events=int(events), relations=int(relations))


def _questions(
    *,
    graph: Dataset,
    kinds: Sequence[str] | None = None,
    seed: int = 0,
    cap: int | None = None,
    min_support: int | None = None,
    reasoning: Sequence[str] = ("test",),
) -> Iterator[Row]:
    from generators.questions.graph import CAP, MIN_SUPPORT, Settings, question_graph
    from generators.questions.run import Plan, make
    from grammar.questions.model import QuestionKind
    from solver.graph.model import Split
    from solver.questions.io import question_line

    wanted = tuple(QuestionKind) if kinds is None else members(QuestionKind, "kinds", kinds)
    splits = members(Split, "reasoning", reasoning)
    plan = Plan(
        graph=question_graph(graph),
        settings=Settings(
            kinds=tuple(kind for kind in QuestionKind if kind in wanted),
            seed=seed,
            cap=CAP if cap is None else cap,
            min_support=MIN_SUPPORT if min_support is None else min_support,
            reasoning=tuple(split for split in Split if split in splits),
        ),
    )
    made = make(plan)
    return (
        msgspec.json.decode(question_line(question))
        for split in made.drafts
        for question in made.questions(split)
    )


def _texts(
    *,
    facts: PathLike | Iterable[Sequence[Sequence[str]]],
    styles: Sequence[str] | None = None,
    headlines: float = 0.25,
    keep_names: bool = False,
    seed: int = 0,
) -> Iterator[Row]:
    from generators.texts.groups import read_sources
    from generators.texts.run import DraftSettings, write
    from grammar.dates import DateStyle

    if isinstance(facts, str | os.PathLike):
        sources = read_sources(str(facts), clean=not keep_names)
    else:
        with scratch_folder() as folder:
            path = folder / "facts"
            rows = (repr([[*map(str, fact)] for fact in group]) + "\n" for group in facts)
            path.write_text("".join(rows), encoding="utf-8")
            sources = read_sources(str(path), clean=not keep_names)
    problem = next(iter((*sources.unreadable, *sources.refused)), None)
    if problem is not None:
        raise ArgumentError(problem)
    drafting = DraftSettings(
        styles=tuple(DateStyle) if styles is None else members(DateStyle, "styles", styles),
        headlines=headlines,
        seed=seed,
    )
    return (text.as_json() for text in write(list(sources.groups), drafting))


def _tkg(
    *, preset: str | None = None, config: Mapping[str, Any] | None = None, seed: int = 0
) -> Iterator[Row]:
    from generators.tkg.config import Config
    from generators.tkg.presets import Preset, config_of
    from generators.tkg.run import generate as generate_graph

    base = Config() if preset is None else config_of(member(Preset, "preset", preset))
    given: dict[str, Any] = base.as_json() | dict(config or {})
    made = generate_graph(Config.of_json(given), seed)
    names = ("head", "relation", "tail", "time")
    return (dict(zip(names, fact, strict=True)) for fact in made.facts.rows().tolist())


def _patterns(
    *, hops: Sequence[int] = (1, 2, 3), flags: str = "none", cycle_reading: str = "fixed"
) -> Iterator[Row]:
    from solver.patterns.engine import enumerate_patterns, judge
    from solver.patterns.io import row
    from solver.patterns.model import CycleReading, PatternFlags

    reading = member(CycleReading, "cycle_reading", cycle_reading)
    chosen = PatternFlags.read(flags)
    return (
        row(verdict)
        for number in hops
        for verdict in judge(enumerate_patterns(number, chosen, reading), chosen, reading)
    )
