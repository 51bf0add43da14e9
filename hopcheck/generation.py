"""``generate``: data sets, item by item."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Required, TypedDict, Unpack, overload

import msgspec

from hopcheck.inputs import (
    ArgumentError,
    DomainName,
    Opened,
    PathLike,
    SplitName,
    chosen,
    in_arguments,
    member,
    members,
    paths_of,
    scratch_folder,
    sealed,
)

if TYPE_CHECKING:
    from generators.eventhop.config import Config, Shape, Split
    from generators.problems.run import ProblemSettings
    from generators.questions.graph import Settings
    from generators.questions.run import DraftedDataset
    from solver.graph.model import Dataset

Row = dict[str, Any]


class ItemOptions(Opened, total=False):
    """Options of ``generate("eventhop")``."""

    preset: str
    domain: DomainName
    split: SplitName
    train_size: int
    test_size: int
    shapes: Sequence[str] | None
    claims: Sequence[str] | None
    hops: Sequence[int] | None
    level: int | None
    contradiction: bool | None
    exact: bool
    keep_unbalanced: bool
    phrases: Sequence[PathLike]
    seed: int


class QuestionOptions(TypedDict, total=False):
    """Options of ``generate("questions")``."""

    graph: Required[Dataset]
    kinds: Sequence[str] | None
    seed: int
    cap: int | None
    min_support: int | None
    min_days: int | None
    min_confidence: float | None
    reasoning: Sequence[str] | None
    met: Sequence[str] | None
    level: int | None


class TextOptions(Opened, total=False):
    """Options of ``generate("texts")``."""

    facts: Required[PathLike | Iterable[Sequence[Sequence[str]]]]
    style: str | None
    indirect: float | None
    level: int | None
    dates: Sequence[str] | None
    headlines: float | None
    keep_names: bool
    seed: int


class GraphOptions(TypedDict, total=False):
    """Options of ``generate("tkg")``."""

    preset: str | None
    config: Mapping[str, Any] | None
    level: int | None
    seed: int


class PatternOptions(TypedDict, total=False):
    """Options of ``generate("patterns")``."""

    hops: Sequence[int]
    flags: str
    cycle_reading: str


class ProblemOptions(TypedDict, total=False):
    """Options of ``generate("calendar")``, ``("positions")`` and ``("assignments")``."""

    split: SplitName
    train_size: int
    test_size: int
    levels: Sequence[int]
    families: Sequence[str] | None
    seed: int


class TraceOptions(TypedDict, total=False):
    """Options of ``generate("traces")``."""

    split: SplitName
    train_size: int
    test_size: int
    domains: Sequence[DomainName] | None
    errors: Sequence[str] | None
    hops: Sequence[int]
    level: int | None
    detours: int
    irrelevant: int
    seed: int


@overload
def generate(
    kind: Literal["eventhop"] = "eventhop", **options: Unpack[ItemOptions]
) -> Iterator[Row]: ...
@overload
def generate(kind: Literal["traces"], **options: Unpack[TraceOptions]) -> Iterator[Row]: ...
@overload
def generate(kind: Literal["questions"], **options: Unpack[QuestionOptions]) -> Iterator[Row]: ...
@overload
def generate(kind: Literal["texts"], **options: Unpack[TextOptions]) -> Iterator[Row]: ...
@overload
def generate(kind: Literal["tkg"], **options: Unpack[GraphOptions]) -> Iterator[Row]: ...
@overload
def generate(kind: Literal["patterns"], **options: Unpack[PatternOptions]) -> Iterator[Row]: ...
@overload
def generate(
    kind: Literal["calendar", "positions", "assignments"], **options: Unpack[ProblemOptions]
) -> Iterator[Row]: ...
@sealed
def generate(
    kind: str = "eventhop",
    *,
    unsealed: bool = False,  # noqa: ARG001
    **options: Any,
) -> Iterator[Row]:
    """Generate the items of a data set one after the other, as the command ``generate`` does.

    The same options and seed give the same items as the files of the command. Every item is
    verified before it is returned.

    Args:
        kind: kind of data set; its options are those of the functions below.
        unsealed: also read data sets that differ from their manifest.
        options: options of the kind, with the defaults of the command:

            - ``eventhop``: ``preset``, ``domain``, ``split`` (train, test or both),
              ``train_size``, ``test_size``, ``shapes`` (such as ``["8x16"]``), ``claims``,
              ``hops``, ``level`` (1 to 5), ``contradiction`` (True, False or None for half),
              ``exact``, ``keep_unbalanced``, ``phrases`` (files that the texts are read back with),
              ``seed``.
            - ``questions``: ``graph`` (required), ``kinds``, ``seed``, ``cap``, ``min_support``,
              ``min_days``, ``min_confidence``, ``reasoning`` (splits), ``met`` (how often entity
              and answer met before: often, sometimes, seldom, never), ``level`` (1 to 5).
            - ``texts``: ``facts`` (required: rows of ``[subject, relation, object, date]`` for each
              text), ``style`` (plain or story), ``indirect`` (of stories, 0 to 1), ``level`` (1 to
              5), ``dates`` (styles), ``headlines``, ``keep_names``, ``seed``.
            - ``tkg``: ``preset`` or ``config`` (a dict as in ``config.json``), ``level`` (1 to 5),
              ``seed``; the items are the facts of the graph.
            - ``patterns``: ``hops``, ``flags``, ``cycle_reading``.
            - ``traces``: ``split`` (train, test or both), ``train_size`` and ``test_size`` (twins
              of two chains), ``domains``, ``errors``, ``hops``, ``detours``, ``irrelevant``,
              ``level`` (1 to 5), ``seed``.
            - ``calendar``, ``positions``, ``assignments``: ``split`` (train, test or both),
              ``train_size``, ``test_size``, ``levels``, ``families``, ``seed``.

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
        "traces": _traces,
        "calendar": partial(_problems, "calendar"),
        "positions": partial(_problems, "positions"),
        "assignments": partial(_problems, "assignments"),
    }
    if kind not in makers:
        raise ArgumentError(f"found kind={kind!r}, expected one of {', '.join(makers)}")
    return _named(makers[kind](**options))


def _named(rows: Iterator[Row]) -> Iterator[Row]:
    """Rows whose errors name arguments, as those of the call do."""
    with in_arguments():
        yield from rows


@sealed
def item(
    config: Mapping[str, Any] | PathLike,
    split: str,
    index: int,
    *,
    graph: Dataset | None = None,
    unsealed: bool = False,  # noqa: ARG001
) -> Row:
    """Generate one item of an ``eventhop`` data set, one question about a graph, or one problem.

    It is the same as in the file of a data set with these options. The first call with other
    options or another split prepares what they need; from then on an item takes milliseconds.

    An item of ``eventhop`` is verified, and does not depend on the number of items. Questions have
    no size to choose: as no two of them use the same fact, question ``index`` depends on all facts
    and options, of which ``cap``, ``kinds`` and ``reasoning`` change the number of questions. The
    first call drafts all of them; the wording of one depends on nothing but itself and the seed.

    Args:
        config: options of ``generate("eventhop")`` without ``split`` and sizes, such as
            ``{"preset": "strict", "seed": 0}``, or of ``generate("questions")`` without ``graph``;
            with ``kind``, options of ``generate("calendar")`` and its like; or the folder of a data
            set.
        split: train or test; of questions also valid.
        index: position of the item in its split, from 0; for ``eventhop`` it may exceed the sizes
            of a folder.
        graph: the graph of the questions, which has to be the one of a folder.
        unsealed: also read a folder that differs from its manifest.

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
        >>> hc.item({"kind": "positions", "levels": [2]}, "test", 7)["gold"]
        'no'
        >>> graph = hc.load_graph("examples/questions/graph")
        >>> hc.item({"kinds": ["1-hop"]}, "test", 3, graph=graph)["id"]
        'test-1-hop-000003'
    """
    from generators.eventhop.config import Split
    from generators.eventhop.shards import make_item

    if isinstance(index, bool) or not isinstance(index, int) or index < 0:
        raise ArgumentError(f"found index={index!r}, expected a number from 0")
    if graph is not None:
        return _question(config, split, index, graph)
    wanted = member(Split, "split", split)
    problem = _problem_config(config)
    if problem is not None:
        from generators.problems.run import item as drawn

        return drawn(_problem_settings(**problem), wanted, index)
    options = _options_of(config, "eventhop", _FOR_ITEMS)
    row: Row = msgspec.json.decode(make_item(_config(**options), wanted, index))
    return row


def _question(config: Mapping[str, Any] | PathLike, split: str, index: int, graph: Dataset) -> Row:
    from solver.graph.model import Split
    from solver.questions.io import question_line

    folder = None if isinstance(config, Mapping) else Path(config)
    options = _options_of(config, "questions", _FOR_QUESTIONS)
    wanted = member(Split, "split", split)
    made = _drafted(_Same(graph), _settings(**options), folder)
    size = made.size(wanted) if wanted in made.drafts else 0
    if index >= size:
        raise ArgumentError(f"found index={index}, expected a number below {size} of {wanted}")
    row: Row = msgspec.json.decode(question_line(made.question(wanted, index)))
    return row


class _Same:
    """A hashable key for a graph, equal for the same object."""

    def __init__(self, graph: Dataset) -> None:
        self.graph = graph

    def __hash__(self) -> int:
        return id(self.graph)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.graph is other.graph


@lru_cache(maxsize=2)
def _drafted(key: _Same, settings: Settings, folder: Path | None) -> DraftedDataset:
    """All questions of some options; of a folder with the rules that were given for it."""
    from generators.questions.files import GIVEN
    from generators.questions.graph import question_graph
    from generators.questions.run import Plan, make
    from solver.questions.io import RULES, TWO_HOP_RULES
    from solver.questions.model import read_two_hop_rules
    from solver.rules.io import read_rules

    graph, found = key.graph, {} if folder is None else _config_of(folder, "questions")
    rules = two_hop = None
    if folder is not None and found.get("rules") == GIVEN:
        rules = read_rules(folder / RULES, relations=graph.vocabulary.relations)
    if folder is not None and found.get("two_hop_rules") == GIVEN:
        two_hop = read_two_hop_rules(folder / TWO_HOP_RULES)
    return make(Plan(graph=question_graph(graph), settings=settings, rules=rules, two_hop=two_hop))


_FOR_ITEMS = frozenset(
    ("preset", "domain", "shapes", "claims", "hops", "contradiction", "keep_unbalanced", "seed")
)

_FOR_QUESTIONS = frozenset(
    ("kinds", "cap", "min_support", "min_days", "min_confidence", "reasoning", "met", "seed")
)


class _Manifest(msgspec.Struct):
    """The part of a manifest that decides the items of a data set."""

    config: dict[str, Any]
    seed: int
    generator: str


def _options_of(
    source: Mapping[str, Any] | PathLike, generator: str, known: frozenset[str]
) -> dict[str, Any]:
    """The given options, or those of a data set in a folder.

    Raises:
        ArgumentError: an option is unknown.
        InputError: the folder has no manifest of a data set.
    """
    if not isinstance(source, Mapping):
        config = _config_of(Path(source), generator)
        return {name: value for name, value in config.items() if name in known}
    unknown = sorted(source.keys() - known)
    if unknown:
        raise ArgumentError(f"found the option {unknown[0]!r}, expected {', '.join(sorted(known))}")
    return dict(source)


def _config_of(folder: Path, generator: str) -> dict[str, Any]:
    """The config of the manifest, with the seed."""
    from solver.io.json_lines import read_document
    from solver.io.sources import MANIFEST

    found = read_document(folder / MANIFEST, _Manifest, "manifest")
    if found.generator != generator:
        raise ArgumentError(f"found a data set of {found.generator}, expected one of {generator}")
    return found.config | {"seed": found.seed}


def _eventhop(**options: Unpack[ItemOptions]) -> Iterator[Row]:
    from generators.eventhop.shards import make, shards

    config = _config(**options)
    decode = msgspec.json.Decoder(Row).decode
    return (decode(line) for shard in shards(config) for line in make(config, shard).splitlines())


@sealed
def _config(
    *,
    split: str = "both",
    train_size: int = 14_000,
    test_size: int = 2_500,
    shapes: Sequence[str] | None = None,
    claims: Sequence[str] | None = None,
    hops: Sequence[int] | None = None,
    level: int | None = None,
    phrases: Sequence[PathLike] = (),
    **options: Any,  # noqa: ANN401 - fields of the config
) -> Config:
    from generators.eventhop.config import LEVELS, Config, Preset, Split
    from generators.levels import at_level
    from grammar.eventhop.model import ClaimRelation, Domain
    from grammar.eventhop.reader import admitted

    sizes = {Split.TRAIN: train_size, Split.TEST: test_size}
    splits = tuple(Split) if split == "both" else (member(Split, "split", split),)
    sized: dict[str, object] = {} if hops is None else {"hops": tuple(hops)}
    sized |= {} if shapes is None else {"shapes": tuple(map(_shape, shapes))}
    return Config(
        sizes={wanted: sizes[wanted] for wanted in splits},
        claims=tuple(ClaimRelation) if claims is None else members(ClaimRelation, "claims", claims),
        **at_level(LEVELS, level, sized),
        phrases=admitted(paths_of(phrases)),
        **chosen(options, preset=Preset, domain=Domain),
    )


def _shape(text: str) -> Shape:
    from generators.eventhop.config import Shape

    events, _, relations = text.partition("x")
    if not (events.isdecimal() and relations.isdecimal()):
        raise ArgumentError(f"found the shape {text!r}, expected events x relations, as 8x16")
    return Shape(events=int(events), relations=int(relations))


def _questions(
    *,
    graph: Dataset,
    level: int | None = None,
    **options: Any,  # noqa: ANN401 - as typed above
) -> Iterator[Row]:
    from generators.questions.graph import question_graph
    from generators.questions.run import Plan, make
    from solver.questions.io import question_line

    settings = _settings(level=level, **options)
    made = make(Plan(graph=question_graph(graph), settings=settings))
    return (
        msgspec.json.decode(question_line(question))
        for split in made.drafts
        for question in made.questions(split)
    )


def _settings(
    *,
    kinds: Sequence[str] | None = None,
    reasoning: Sequence[str] | None = None,
    met: Sequence[str] | None = None,
    level: int | None = None,
    **numbers: Any,  # noqa: ANN401 - options of the command
) -> Settings:
    from generators.levels import at_level
    from generators.questions.graph import LEVELS, Met, Settings
    from grammar.questions.model import QuestionKind
    from solver.graph.model import Split

    several = (("kinds", QuestionKind, kinds), ("reasoning", Split, reasoning), ("met", Met, met))
    given: dict[str, Any] = {
        name: tuple(sorted(members(known, name, values), key=list(known).index))
        for name, known, values in several
        if values is not None
    }
    return Settings(**at_level(LEVELS, level, given | _given(numbers)))


@sealed
def _texts(
    *,
    facts: PathLike | Iterable[Sequence[Sequence[str]]],
    style: str | None = None,
    indirect: float | None = None,
    level: int | None = None,
    dates: Sequence[str] | None = None,
    headlines: float | None = None,
    keep_names: bool = False,
    seed: int = 0,
) -> Iterator[Row]:
    from generators.levels import at_level
    from generators.texts.groups import read_sources
    from generators.texts.run import LEVELS, DraftSettings, write
    from grammar.dates import DateStyle
    from grammar.texts.model import TextStyle

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
    stated = {
        "style": None if style is None else member(TextStyle, "style", style),
        "indirect": indirect,
    }
    drafting = DraftSettings(
        **at_level(LEVELS, level, _given(stated)),
        dates=tuple(DateStyle) if dates is None else members(DateStyle, "dates", dates),
        headlines=headlines,
        seed=seed,
    )
    return (text.as_json() for text in write(list(sources.groups), drafting))


def _given(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that are not None."""
    return {name: value for name, value in options.items() if value is not None}


def _tkg(
    *,
    preset: str | None = None,
    config: Mapping[str, Any] | None = None,
    level: int | None = None,
    seed: int = 0,
) -> Iterator[Row]:
    from generators.levels import at_level
    from generators.tkg.config import LEVELS, Config
    from generators.tkg.presets import Preset, config_of
    from generators.tkg.run import generate as generate_graph

    base = Config() if preset is None else config_of(member(Preset, "preset", preset))
    given: dict[str, Any] = base.as_json() | at_level(LEVELS, level, config or {})
    made = generate_graph(Config.of_json(given), seed)
    names = ("head", "relation", "tail", "time")
    return (dict(zip(names, fact, strict=True)) for fact in made.facts.rows().tolist())


def _problems(
    kind: str,
    *,
    split: str = "both",
    **options: Any,  # noqa: ANN401 - those of the settings
) -> Iterator[Row]:
    from generators.dataset import batches
    from generators.problems.run import BATCH, batch

    settings = _problem_settings(kind, **options)
    sizes = _sizes(settings.sizes, split)
    decode = msgspec.json.Decoder(Row).decode
    return (
        decode(line)
        for part, size in sizes.items()
        for indices in batches(size, BATCH)
        for line, *_ in batch(settings, (part, indices))
    )


def _sizes(sizes: Mapping[Split, int], split: str) -> dict[Split, int]:
    """The number of rows of each split, or of one."""
    from generators.eventhop.config import Split

    wanted = set(sizes) if split == "both" else {member(Split, "split", split)}
    return {part: size for part, size in sizes.items() if part in wanted}


def _traces(
    *,
    split: str = "both",
    train_size: int = 0,
    test_size: int = 700,
    domains: Sequence[str] | None = None,
    errors: Sequence[str] | None = None,
    hops: Sequence[int] | None = None,
    level: int | None = None,
    detours: int | None = None,
    irrelevant: int | None = None,
    seed: int = 0,
) -> Iterator[Row]:
    from generators.dataset import batches
    from generators.eventhop.config import Split
    from generators.levels import at_level
    from generators.traces.run import BATCH, TraceSettings, batch
    from generators.traces.twins import LEVELS, Error
    from grammar.eventhop.model import Domain

    given = _given({"hops": hops and tuple(hops), "detours": detours, "irrelevant": irrelevant})
    settings = TraceSettings(
        domains=tuple(Domain) if domains is None else members(Domain, "domains", domains),
        errors=tuple(Error) if errors is None else members(Error, "errors", errors),
        seed=seed,
        **at_level(LEVELS, level, given),
    )
    sizes = _sizes({Split.TRAIN: train_size, Split.TEST: test_size}, split)
    decode = msgspec.json.Decoder(Row).decode
    return (
        decode(line)
        for part, size in sizes.items()
        for indices in batches(size, BATCH)
        for line, _ in batch(settings, (part, indices))
    )


def _problem_settings(
    kind: str,
    *,
    train_size: int = 0,
    test_size: int = 1_000,
    levels: Sequence[int] | None = None,
    families: Sequence[str] | None = None,
    seed: int = 0,
) -> ProblemSettings:
    from generators.problems.model import LEVELS
    from generators.problems.run import KINDS, ProblemSettings
    from generators.problems.run import families as known

    if kind not in KINDS:
        raise ArgumentError(f"found kind={kind!r}, expected one of {', '.join(KINDS)}")
    for name, values, possible in (("levels", levels, LEVELS), ("families", families, known(kind))):
        if values is not None and (not values or not set(values) <= set(possible)):
            expected = ", ".join(map(str, possible))
            raise ArgumentError(f"found {name}={values!r}, expected some of {expected}")
    return ProblemSettings(
        kind=kind,
        train=train_size,
        test=test_size,
        levels=LEVELS if levels is None else tuple(levels),
        families=() if families is None else tuple(families),
        seed=seed,
    )


def _problem_config(config: Mapping[str, Any] | PathLike) -> dict[str, Any] | None:
    """The options of a problem; None if the config is of something else."""
    names = ("kind", "levels", "families", "seed")
    if isinstance(config, Mapping):
        unknown = sorted(config.keys() - set(names))
        if "kind" in config and unknown:
            raise ArgumentError(f"found the option {unknown[0]!r}, expected {', '.join(names)}")
        return dict(config) if "kind" in config else None
    from solver.io.json_lines import read_document
    from solver.io.sources import MANIFEST

    found = read_document(Path(config) / MANIFEST, dict[str, Any], "manifest").get("config")
    if not isinstance(found, dict) or "kind" not in found:
        return None
    return {name: found[name] for name in names if name in found}


def _patterns(
    *, hops: Sequence[int] = (1, 2, 3), flags: str = "none", cycle_reading: str = "fixed"
) -> Iterator[Row]:
    from solver.patterns.engine import enumerate_patterns, judge
    from solver.patterns.io import row
    from solver.patterns.model import CycleReading, PatternFlags

    reading = member(CycleReading, "cycle_reading", cycle_reading)
    given = PatternFlags.read(flags)
    return (
        row(verdict)
        for number in hops
        for verdict in judge(enumerate_patterns(number, given, reading), given, reading)
    )
