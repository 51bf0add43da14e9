"""The declaration of a kind of artefact, and the registry that finds all of them.

Each kind of this project is declared in ``solver/<kind>/kind.py``, those of other distributions by
the entry points of group ``hopcheck.kinds``. Nothing here knows any kind but by its declaration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from grammar.errors import HopcheckError
from solver import NAMESPACE
from solver.io.sources import uncapitalised
from solver.verification.report import Kind

if TYPE_CHECKING:
    import click

    from solver.verification.report import Codes
    from solver.verification.verifier import Execution, Verifier

GROUP = "hopcheck.kinds"
"""Group of the entry points by which other distributions declare kinds."""

_SPLITS = tuple(
    f"{split}.{ending}" for ending in ("jsonl", "parquet") for split in ("test", "valid", "train")
)


class KindError(HopcheckError):
    """A kind that does not exist or cannot be loaded."""

    code = "kind"


class Checker(Protocol):
    """A module that checks certificates with the standard library alone.

    Its ``check_file`` takes a path, and the paths of the data that the verdicts are about unless
    the certificates hold the texts, and yields the place, the name and the fault of each verdict;
    the fault is None if the verdict is proved, and begins with ``not proved`` if nothing is wrong.
    """

    @property
    def check_file(self) -> Callable[..., Iterable[tuple[int | str, str, str | None]]]:
        """Check the verdicts of a file or folder."""


class ProvedChecker(Checker, Protocol):
    """A checker that stops where one compiled from a proof does not accept the same."""

    @property
    def name(self) -> Callable[[], str]:
        """How the compiled checker runs."""


class SelfTest(Protocol):
    """The result of testing an engine; ``trouble`` is empty if it works."""

    @property
    def engine(self) -> str:
        """Name of the engine."""

    @property
    def trouble(self) -> str:
        """What is wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """How files of a kind are recognised.

    Attributes:
        fields: fields of the JSON lines, or columns of the tables; the first kind counts.
        without: fields that rows of this kind do not have.
        row: whether the first line of a table without names of columns is a row of this kind.
        files: files that a folder contains, next to its manifest.
        tables: files that an export for the hub contains.
        suffixes: suffixes of files.
        documents: suffixes of files that also show the kind of a folder with one of them.
        otherwise: whether files that no kind recognises are read as this kind.
    """

    fields: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()
    row: Callable[[str], bool] | None = None
    files: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    otherwise: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class KindCommand:
    """A command of a kind beside ``verify``, ``explain`` and ``check``.

    Attributes:
        load: imports the command.
        help: its line in the overview of commands.
        after: the command that it follows there.
    """

    load: Callable[[], click.Command]
    help: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KindDeclaration:
    """A kind of artefact: what the registry, the commands and the documentation know of it.

    Functions without arguments import what they return, so that a declaration is cheap to load:
    see ``lazy``.

    Attributes:
        name: as in ``--kind``.
        noun: what is counted, in the plural.
        signs: how its files are recognised.
        columns: the rows of its files by a name of the file, the verified one first: structs, or
            dataclasses that msgspec decodes, with fields declared by ``solver.io.columns.column``.
        verifier: class of the verifier; None if there is nothing to verify.
        settings: class of its settings; see ``solver.verification.settings``.
        argument: argument of ``verify`` in its help.
        help: help text of ``verify``.
        running: options of ``verify`` about the run: ``jobs``, ``on_cluster``, ``probes``.
        verify: the command, if it is not made from the declaration.
        codes: finding codes, from which messages and tables are made.
        explain: commands that explain something, by the option that requests one; ``""`` for the
            command without any of them.
        parse: command of ``parse``.
        realise: command of ``realise``.
        checker: module that checks certificates.
        proved_checker: one that also runs a checker that is compiled from a proof, and its name.
        certificates: files of a report with certificates; a pattern matches several shards.
        quotes: whether a certificate holds the texts that it is about.
        commands: further commands, by name.
        self_test: tests the engines.
        origin: function that compares a data set with what its config and seed give, as
            ``module:name``; imported on demand, as it is in a package above.
        undecidable: fields, entries and files of data sets that ``verify`` cannot decide, by an
            entry that the manifest has, or ``""`` for all.
    """

    name: str
    noun: str
    signs: Signs = field(default_factory=Signs)
    columns: Callable[[], Mapping[str, type[Any]]] | None = None
    verifier: Callable[[], Callable[..., Verifier[Any]]] | None = None
    settings: Callable[[], type[Any]] | None = None
    argument: str = "PATH..."
    help: str = ""
    running: tuple[str, ...] = ()
    verify: Callable[[], click.Command] | None = None
    codes: Callable[[], Codes] | None = None
    explain: Mapping[str, Callable[[], click.Command]] = field(default_factory=dict)
    parse: Callable[[], click.Command] | None = None
    realise: Callable[[], click.Command] | None = None
    checker: Callable[[], Checker] | None = None
    proved_checker: Callable[[], ProvedChecker] | None = None
    certificates: tuple[str, ...] = ()
    quotes: bool = False
    commands: Mapping[str, KindCommand] = field(default_factory=dict)
    self_test: Callable[[], Sequence[SelfTest]] | None = None
    origin: str = ""
    undecidable: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def make_verifier(self, config: object | None, execution: Execution) -> Verifier[Any]:
        """Create the verifier; ``config`` None means its defaults.

        Raises:
            KindError: there is nothing to verify.
        """
        if self.verifier is None:
            raise KindError(f"nothing is verified of {self.name}")
        make = self.verifier()
        return make(execution) if config is None else make(execution, config)


class LazyModule:
    """A module that is imported when a name of it is used."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - what the module has
        return getattr(import_module(NAMESPACE + self._name), name)


def lazy(package: str, *modules: str) -> list[LazyModule]:
    """Modules of a package for a declaration; type checkers and editors see the real import."""
    return [LazyModule(f"{package}.{module}") for module in modules]


@cache
def built_in() -> Mapping[str, KindDeclaration]:
    """The kinds of this project, by name, in the order of ``Kind``."""
    return {kind.value: _declaration(kind) for kind in Kind}


def _declaration(kind: Kind) -> KindDeclaration:
    declared: KindDeclaration = import_module(NAMESPACE + f"solver.{kind}.kind").KIND
    return declared


@cache
def installed() -> Mapping[str, KindDeclaration]:
    """The kinds of other distributions, by name.

    Raises:
        KindError: one cannot be loaded, or has the name of another.
    """
    from importlib.metadata import entry_points

    found: dict[str, KindDeclaration] = {}
    for entry in sorted(entry_points(group=GROUP)):
        package = entry.dist.name if entry.dist is not None else entry.value
        try:
            declared = entry.load()
        except Exception as error:
            reason = f"{type(error).__name__}: {error}".splitlines()[0]
            message = f"cannot be loaded: {reason}"
            raise KindError(message, where=_place(entry.name, package)) from error
        if not isinstance(declared, KindDeclaration):
            message = f"found a {type(declared).__name__}, expected a KindDeclaration"
            raise KindError(message, where=_place(entry.name, package))
        if declared.name in {*built_in(), *found}:
            raise KindError("its name is taken", where=_place(declared.name, package))
        found[declared.name] = declared
    return found


def _place(name: str, package: str) -> str:
    return f"kind {name} of {package}"


def kinds() -> Iterator[KindDeclaration]:
    """All kinds; those of other distributions are looked up after those of this project."""
    yield from built_in().values()
    yield from installed().values()


def find(name: str) -> KindDeclaration | None:
    """The kind of that name, or None; a kind of another distribution is only then looked up.

    Raises:
        KindError: one of another distribution cannot be loaded.
    """
    try:
        return built_in()[Kind(name).value]
    except ValueError:
        return installed().get(name)


def kind_named(name: str) -> KindDeclaration:
    """The kind of that name.

    Raises:
        KindError: there is none.
    """
    found = find(name)
    if found is None:
        known = ", ".join(declared.name for declared in kinds())
        raise KindError(f"no such kind: {name!r}", hint=f"known: {known}")
    return found


def otherwise() -> KindDeclaration:
    """The kind of files of which nothing shows the kind."""
    return next(declared for declared in built_in().values() if declared.signs.otherwise)


def detect(paths: Sequence[str | Path]) -> str:
    """The kind of some paths, by the first one; ``otherwise`` if nothing shows it.

    Streams are not read: standard input and pipes count as files of that kind.
    """
    path = Path(next(iter(paths), "-"))
    if not path.exists():
        return otherwise().name
    # Kinds of other distributions are only looked up if none of this project matches.
    for registered in (built_in, installed):
        found = _recognised(path, registered().values())
        if found is not None:
            return found.name
    return otherwise().name


def _recognised(path: Path, declared: Iterable[KindDeclaration]) -> KindDeclaration | None:
    candidates = [kind for kind in declared if kind.verifier is not None]
    if path.is_dir():
        return _of_folder(path, candidates)
    for kind in candidates if path.is_file() else ():
        if path.name.endswith((*kind.signs.suffixes, *kind.signs.documents)):
            return kind
    return _of_head(path, candidates) if path.is_file() else None


def _of_folder(folder: Path, candidates: Sequence[KindDeclaration]) -> KindDeclaration | None:
    for kind in candidates:
        for files in (kind.signs.files, kind.signs.tables):
            if files and all((folder / name).is_file() for name in files):
                return kind
    for name in _SPLITS:
        for path in (folder / name, folder / f"{name}.gz"):
            if path.is_file():
                return _of_head(path, candidates)
    for kind in candidates:
        if any(True for end in kind.signs.documents for _ in folder.rglob(f"*{end}")):
            return kind
    tables = sorted(folder.glob("*.parquet"))
    return _of_head(tables[0], candidates) if tables else None


def _of_head(path: Path, candidates: Sequence[KindDeclaration]) -> KindDeclaration | None:
    fields, row = head_of(path)
    for kind in candidates:
        if row and kind.signs.row is not None and kind.signs.row(row):
            return kind
    for kind in candidates:
        wanted = kind.signs.fields
        if wanted and wanted <= fields and not kind.signs.without & fields:
            return kind
    return None


AUDITED = "items.jsonl"
"""The file of an audit whose lines name the kinds that check them."""

_OF_AUDITS = frozenset({"kind", "verdict", "readings", "certificate"})


def named_kinds(path: str | Path) -> tuple[str, ...]:
    """The kinds that the lines of an audit name, each once; none for any other file or folder."""
    import msgspec

    path = Path(path) / AUDITED if Path(path).is_dir() else Path(path)
    if not path.is_file():
        return ()
    fields, names = msgspec.json.Decoder(dict[str, msgspec.Raw]), set[str]()
    try:
        # The first line may be longer than the head of a file by which others are recognised.
        with path.open("rb") as lines:
            for line in filter(bytes.strip, lines):
                row = fields.decode(line)
                if not row.keys() >= _OF_AUDITS:
                    return ()
                names.add(msgspec.json.decode(row["kind"], type=str))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ()
    return tuple(sorted(names))


def fields_of(path: Path) -> frozenset[str]:
    """The fields of the first JSON line, or the names in a first line of cells."""
    return head_of(path)[0]


def head_of(path: Path) -> tuple[frozenset[str], str]:
    """The fields of the rows, and the first line unless that is JSON."""
    import msgspec

    from solver.io.sources import open_input

    try:
        with open_input(path) as source:
            head, parquet = source.head(), source.parquet
    except HopcheckError:
        return frozenset(), ""
    if parquet:
        from solver.io.parquet import column_names

        return column_names(path), ""
    first = head.lstrip().partition(b"\n")[0]
    if not first.startswith(b"{"):
        row = first.decode(errors="replace")
        return frozenset(row.strip().lower().split("\t")), row
    try:
        return frozenset(msgspec.json.decode(first, type=dict[str, msgspec.Raw])), ""
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return frozenset(), ""


def table_of_codes(kind: KindDeclaration) -> str:
    """The finding codes of a kind as a Markdown table."""
    codes = kind.codes() if kind.codes is not None else {}
    rows = (f"| `{name}` | {code.describe()} |\n" for name, code in codes.items())
    return "".join(("| code | meaning |\n|---|---|\n", *rows))


def fields_of_files(kind: KindDeclaration) -> str:
    """The fields of the files of a kind as a section in Markdown."""
    from solver.io.columns import about, table_of_columns

    parts = [f"### {kind.name}\n"]
    for name, rows in kind.columns().items() if kind.columns is not None else ():
        parts.append(f"`{name}`: {uncapitalised(about(rows))}.\n")
        parts.append(table_of_columns(rows))
    return "\n".join(parts)
