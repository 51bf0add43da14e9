"""Columns of files, as a kind declares them: what is checked, renamed and documented from them.

The rows of a file are declared as a msgspec struct, or as a dataclass that msgspec decodes; each of
its fields is annotated with a ``column``. A shared reader checks rows by it, ``--map`` names other
columns, and the JSON schemas and the tables of ``docs/files.md`` are made from it.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from inspect import cleandoc
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypeAlias, TypeVar

import msgspec

from grammar.errors import HopcheckError
from solver.io.sources import FieldError, InputError, Source, shown, sound_lines

if TYPE_CHECKING:
    import pyarrow as pa

T = TypeVar("T")

LARGEST = 999_999_999
"""Largest number in a field."""


class MapError(HopcheckError):
    """An invalid ``--map``."""

    code = "map"


def column(
    description: str,
    *,
    example: object = None,
    unit: str = "",
    names: Sequence[str] = (),
) -> msgspec.Meta:
    """The declaration of a field, to annotate it with.

    Args:
        description: its contents, without full stop.
        example: a value.
        unit: of numbers.
        names: all names under which it is read, if there are several; the first present counts.
    """
    further = {"unit": unit, "names": list(names)}
    return msgspec.Meta(
        description=description,
        examples=None if example is None else [example],
        extra_json_schema={name: value for name, value in further.items() if value} or None,
    )


Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=LARGEST)]
"""A whole number."""


def about(rows: type[Any]) -> str:
    """What the rows of a file are, in one sentence without full stop."""
    return (rows.__doc__ or "").partition("\n")[0].removesuffix(".")


def schema(rows: type[Any]) -> dict[str, Any]:
    """The JSON schema of a row."""
    made = msgspec.json.schema(rows)
    definitions = made.pop("$defs")
    own = definitions.pop(made.pop("$ref").rpartition("/")[2])
    named = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": about(rows)}
    own = {name: value for name, value in own.items() if name not in ("title", "description")}
    for definition in definitions.values():
        # Python 3.13 strips the indentation of docstrings, earlier versions do not.
        if "description" in definition:
            definition["description"] = cleandoc(definition["description"])
    return named | own | ({"$defs": definitions} if definitions else {})


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A declared field.

    Attributes:
        name: its name.
        required: whether a row without it is malformed.
        description, example, unit: as declared; an example as a JSON value.
        names: the names under which it is read, the first present counts.
        expected: the values, for messages: ``a whole number from 0 to 999,999,999``.
        type: type of its values in JSON, such as ``integer``; empty if there are several.
    """

    name: str
    required: bool
    description: str
    example: object
    unit: str
    names: tuple[str, ...]
    expected: str
    type: str


_DECLARED: dict[type[Any], Mapping[str, Column]] = {}


def columns_of(rows: type[Any]) -> Mapping[str, Column]:
    """The fields of a row by name, in the order of their declaration."""
    if rows not in _DECLARED:
        _DECLARED[rows] = _declared(schema(rows))
    return _DECLARED[rows]


def _declared(made: Mapping[str, Any]) -> Mapping[str, Column]:
    return {
        name: Column(
            name=name,
            required=name in made.get("required", ()),
            description=declared.get("description", ""),
            example=declared.get("examples", [None])[0],
            unit=declared.get("unit", ""),
            names=tuple(declared.get("names", (name,))),
            expected=_expected(declared, made.get("$defs", {})),
            type=_type(declared),
        )
        for name, declared in made["properties"].items()
    }


def _options(declared: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [part for part in declared.get("anyOf", [declared]) if part.get("type") != "null"]


def _type(declared: Mapping[str, Any]) -> str:
    options = _options(declared)
    return str(options[0].get("type", "")) if len(options) == 1 else ""


def _expected(declared: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    texts = []
    for option in _options(declared):
        if "$ref" in option:
            option = definitions[option["$ref"].rpartition("/")[2]]
        if "enum" in option:
            texts += [str(value) for value in option["enum"] if value is not None]
        elif option.get("type") == "integer":
            low, high = option.get("minimum"), option.get("maximum")
            bounds = "" if low is None or high != LARGEST else f" from {low} to {high:,}"
            texts.append(f"a whole number{bounds}")
        else:
            texts.append(_NOUNS.get(option.get("type", ""), "a value"))
    return f"{', '.join(texts[:-1])} or {texts[-1]}" if len(texts) > 1 else texts[0]


_NOUNS = {
    "string": "a string",
    "number": "a number",
    "boolean": "true or false",
    "array": "an array",
    "object": "an object",
}
_HINTS = {
    "string": "write it in quotes",
    "boolean": "write it unquoted",
    "integer": "write digits only",
}
_CELL_HINTS = _HINTS | {"boolean": "leave it out if unknown"}
_DIGITS = re.compile("[0-9]{1,19}")
_FLAGS = {"true": True, "false": False}


Known: TypeAlias = tuple[tuple[str, ...], ...]
"""The names of fields; several for one that has other names too."""

_SHORTEST = 4
"""Shorter names are like too many words."""


def require_names(names: Sequence[str], known: Known) -> None:
    """Refuse names of columns that occur twice, or seem to be misspelt.

    Raises:
        FieldError: a name occurs twice, or is one edit away from that of a field that is missing.
    """
    if len(set(names)) < len(names):
        name = next(name for name, count in Counter(names).items() if count > 1)
        raise FieldError(name, "it twice", "it once", "rename or remove one of them")
    if (near := near_miss(tuple(names), known)) is not None:
        raise misspelt(*near)


def misspelt(name: str, meant: str) -> FieldError:
    """The error about a name that is one edit away from that of a missing field."""
    return FieldError(name, "an unknown field", meant, "correct its name, or remove it")


@lru_cache(maxsize=4096)
def near_miss(names: tuple[str, ...], known: Known) -> tuple[str, str] | None:
    """The first unknown name that is one edit away from that of a missing field, and the latter."""
    missing = [name for aliases in known if set(aliases).isdisjoint(names) for name in aliases]
    every = {name for aliases in known for name in aliases}
    for name in names:
        for meant in missing if name not in every else ():
            if len(meant) >= _SHORTEST and _one_edit(name, meant):
                return name, meant
    return None


def _one_edit(word: str, other: str) -> bool:
    """Whether one letter is added, missing, changed or swapped with the next one."""
    at = next((n for n, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), None)
    if at is None:
        return abs(len(word) - len(other)) == 1
    rest, other_rest = word[at:], other[at:]
    swapped = rest[1::-1] == other_rest[:2] and rest[2:] == other_rest[2:]
    return swapped or other_rest[1:] in (rest, rest[1:]) or rest[1:] == other_rest


class SeenHashes:
    """The hashes that occurred, of 64 bits: 12 to 24 bytes each, not the 80 of a set."""

    def __init__(self) -> None:
        self._count = 0
        self._table = array("Q", bytes(8 << 10))

    def repeats(self, digest: int) -> bool:
        """Whether a hash occurred before; it has occurred from now on. Zero never occurs."""
        if not digest:
            return False
        place = self._place(digest)
        if self._table[place]:
            return True
        self._table[place] = digest
        self._count += 1
        if 3 * self._count > 2 * len(self._table):
            self._grow()
        return False

    def _place(self, digest: int) -> int:
        """Where a hash is, or the free place where it goes: open addressing."""
        table = self._table
        most = len(table) - 1
        place = digest & most
        while table[place] not in (0, digest):
            place = (place + 1) & most
        return place

    def _grow(self) -> None:
        before = self._table
        self._table = array("Q", bytes(16 * len(before)))
        for digest in filter(None, before):
            self._table[self._place(digest)] = digest


class RowReader(Generic[T]):
    """Converts the values of rows to their declared form.

    Args:
        rows: the declared form.
        hint: what to do about a missing field.
    """

    def __init__(self, rows: type[T], *, hint: str = "") -> None:
        self._rows, self._hint = rows, hint
        self._columns = columns_of(rows)
        self._aliased = [known for known in self._columns.values() if len(known.names) > 1]
        self._plan = [
            (name, known.names if len(known.names) > 1 else (), known.type, known.required)
            for name, known in self._columns.items()
        ]
        self._whole = {name for name, known in self._columns.items() if known.type == "integer"}

    @property
    def known(self) -> Known:
        """The names of each field."""
        return tuple(known.names for known in self._columns.values())

    @property
    def names(self) -> tuple[str, ...]:
        """All names of fields that are read."""
        own = self._columns.keys()
        aliases = (name for known in self._aliased for name in known.names)
        return tuple(dict.fromkeys((*own, *aliases)))

    def read(self, values: Mapping[str, object], *, hints: Mapping[str, str] = _HINTS) -> T:
        """Convert values by name; null counts as missing, and hints are given by type.

        Raises:
            FieldError: a field is missing, or has another type.
        """
        present = {name: value for name, value in values.items() if value is not None}
        for known in self._aliased:
            for name in known.names:
                if name in present:
                    present[known.name] = present[name]
                    break
        # Tables with missing values have floats for whole numbers.
        for name in self._whole & present.keys():
            value = present[name]
            if isinstance(value, float) and value.is_integer():
                present[name] = int(value)
        return self._convert(present, hints)

    def read_cells(self, cells: Mapping[str, str]) -> T:
        """Convert the cells of a table; an empty one is a missing value unless it is required.

        Raises:
            FieldError: as ``read`` does.
        """
        values: dict[str, object] = {}
        for name, names, kind, required in self._plan:
            written = cells.get(name)
            if names:
                written = next((cells[other] for other in names if cells.get(other)), written)
            if kind == "integer" and written and _DIGITS.fullmatch(written):
                values[name] = int(written)
            elif kind == "boolean" and written:
                values[name] = _FLAGS.get(written.lower(), written)
            elif written or (required and written is not None):
                values[name] = written
        return self._convert(values, _CELL_HINTS)

    def _convert(self, values: Mapping[str, object], hints: Mapping[str, str]) -> T:
        try:
            return msgspec.convert(values, self._rows)
        except msgspec.ValidationError as error:
            raise self._refused(values, str(error), hints) from None

    def _refused(
        self, values: Mapping[str, object], message: str, hints: Mapping[str, str]
    ) -> FieldError:
        missing = message.partition("missing required field `")[2].partition("`")[0]
        name = missing or message.partition("`$.")[2].partition("`")[0].partition("[")[0]
        known = self._columns[name.partition(".")[0]]
        if missing:
            return FieldError(known.name, "nothing", known.expected, self._hint)
        hint = hints.get(known.type, "or leave it out")
        return FieldError(known.name, described(values[known.name]), known.expected, hint)


_KINDS = {
    bool: "a boolean",
    int: "a number",
    float: "a number",
    list: "an array",
    dict: "an object",
}


def table_rows(
    source: Source, rows: type[T], *, columns: ColumnNames | None = None
) -> Iterator[tuple[str, T]]:
    """Read a table whose first line names all columns in the order of their declaration.

    Args:
        source: the open file.
        rows: the declared form of a row.
        columns: their names, if they differ from the declared ones.

    Yields:
        The place of a row, as ``file:line``, and the row; blank lines are skipped.

    Raises:
        InputError: the columns are others, or a row is malformed.
    """
    reader, names = RowReader(rows), tuple(columns_of(rows))
    headers = names if columns is None else tuple(map(columns.in_file, names))
    wanted, hint = f"expected the columns {', '.join(headers)}", "separated by tabs"
    headed = False
    for line in sound_lines(source):
        where = f"{source.name}:{line.number}"
        cells = line.text.split("\t")
        if not headed:
            try:
                require_names(cells, tuple((name,) for name in headers))
            except FieldError as error:
                raise InputError(str(error), where=f"{where}:1", hint=error.hint) from None
            if tuple(cells) != headers:
                raise InputError(
                    f"found {shown(line.text)}, {wanted}", where=f"{where}:1", hint=hint
                )
            headed = True
            continue
        if len(cells) != len(names):
            message = f"found {len(cells)} columns, expected {len(names)}: {', '.join(names)}"
            raise InputError(message, where=f"{where}:1", hint=hint)
        try:
            yield where, reader.read_cells(dict(zip(names, cells, strict=True)))
        except FieldError as error:
            before = cells[: names.index(error.field)]
            at = f"{where}:{sum(len(cell) + 1 for cell in before) + 1}"
            raise InputError(str(error), where=at, hint=hint) from None
    if not headed:
        raise InputError(f"found nothing, {wanted}", where=f"{source.name}:1:1", hint=hint)


def described(value: object) -> str:
    """Describe a value: ``an array``; a string or a small number is quoted."""
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST:
        return repr(value)
    return _KINDS.get(type(value), f"a {type(value).__name__}")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ColumnNames:
    """Names of columns in a file that differ from the declared ones.

    Attributes:
        columns: name of a field -> name of its column.
    """

    columns: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str, rows: Iterable[type[Any]]) -> ColumnNames:
        """Parse ``subject=from,object=to``.

        Args:
            text: fields of the rows on the left, names of their columns on the right.
            rows: the rows of all files of a kind.

        Raises:
            MapError: a part has another form, or names no field.
        """
        known = list(dict.fromkeys(name for each in rows for name in columns_of(each)))
        columns: dict[str, str] = {}
        for part in text.split(","):
            name, _, value = (word.strip() for word in part.partition("="))
            if name not in known or not value:
                message = f"found {shown(part)}, expected FIELD=COLUMN"
                raise MapError(message, hint=f"fields: {', '.join(known)}")
            columns[name] = value
        return cls(columns=columns)

    def named(self, values: Mapping[str, T]) -> dict[str, T]:
        """The values of a row by the declared names."""
        taken = {*self.columns, *self.columns.values()}
        found = {name: value for name, value in values.items() if name not in taken}
        given = self.columns.items()
        return found | {ours: values[theirs] for ours, theirs in given if theirs in values}

    def require_present(self, names: Iterable[str], where: str) -> None:
        """Refuse a file without a column that is mapped.

        Raises:
            InputError: it has none.
        """
        for ours, theirs in self.columns.items():
            if theirs not in names:
                message = f"found no column {theirs}, expected the one that --map names for {ours}"
                raise InputError(message, where=where, hint="correct --map, or leave it out")

    def in_file(self, name: str) -> str:
        """The name of a field in the file."""
        return self.columns.get(name, name)


SAME_NAMES = ColumnNames()
"""All columns have the declared names."""


def arrow_schema(rows: type[Any], *always: str) -> pa.Schema:
    """The columns of a Parquet file.

    Args:
        rows: the declared form of a row; its required fields are never null.
        always: further fields that are always written.
    """
    import pyarrow as pa

    made = schema(rows)

    def type_of(declared: Mapping[str, Any]) -> pa.DataType:
        option = _options(declared)[0]
        if "$ref" in option:
            option = made["$defs"][option["$ref"].rpartition("/")[2]]
        if option.get("type") == "array":
            return pa.list_(type_of(option.get("items") or option["prefixItems"][0]))
        if option.get("type") == "object":
            inner = option["properties"].items()
            return pa.struct([(name, type_of(value)) for name, value in inner])
        if option.get("type") == "integer":
            return pa.int32() if option.get("maximum", 2**62) <= LARGEST else pa.int64()
        return pa.bool_() if option.get("type") == "boolean" else pa.string()

    required = {*made.get("required", ()), *always}
    return pa.schema(
        [
            pa.field(name, type_of(declared), nullable=name not in required)
            for name, declared in made["properties"].items()
        ]
    )


def table_of_columns(rows: type[Any]) -> str:
    """The fields of the rows of a file as a Markdown table."""
    lines = ["| field | meaning | example |\n|---|---|---|\n"]
    for known in columns_of(rows).values():
        others = [f"`{name}`" for name in known.names if name != known.name]
        notes = (
            "required" * known.required,
            f"in {known.unit}" if known.unit else "",
            f"also read as {' or '.join(others)}" if others else "",
        )
        meaning = "; ".join((known.description, *filter(None, notes))).replace("|", r"\|")
        example = "" if known.example is None else _code(known.example)
        lines.append(f"| `{known.name}` | {meaning} | {example} |\n")
    return "".join(lines)


def _code(example: object) -> str:
    text = example if isinstance(example, str) else msgspec.json.encode(example).decode()
    return f"`{text}`".replace("|", r"\|")
