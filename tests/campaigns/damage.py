"""Ways to damage a file: its bytes, lines, cells, numbers, encoding, values, markup, columns."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import random
import re
import zipfile
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa

SCRAPS = (
    b"\t", b"\n", b"\r", b'"', b"\0", b"\xef\xbb\xbf", b"\xff\xfe", b"\xc3", b"\xed\xa0\x80",
    b"9" * 400, b"-1", b"1e999", b"NaN", b"{", b"[" * 3000, b"]", b",", b"\\ud800", b"null",
    b"\x1f\x8b", b"PAR1", b"\x1b[2J", b"=cmd()", b"<a>", b" " * 3000,
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 2**31, 2**63, 10**30, 0.5, 1e308, "", "\n", "\x1b[2J", "x" * 5000, [], {},
    [[]], [None], {"a": {}}, "NaN", "=1+1",
)  # fmt: skip


def damage(draw: random.Random, content: bytes) -> bytes:
    """Damage content in one to three ways; what is compressed or in columns, often inside."""
    inside = _INSIDE.get(content[:2])
    if inside is not None:
        if draw.random() < 0.4:
            return _damage_bytes(draw, content)
        content = inside(draw, content)
        return _damage_bytes(draw, content) if draw.random() < 0.1 else content
    content = _damage_text(draw, content)
    if draw.random() < 0.05:
        content = gzip.compress(content, mtime=0)
        if draw.random() < 0.3:
            content = _damage_bytes(draw, content)
    return content


def _damage_text(draw: random.Random, content: bytes) -> bytes:
    ways = (*_WAYS, *_XML_WAYS) if content.lstrip().startswith(b"<") else _WAYS
    for _ in range(draw.randint(1, 3)):
        content = draw.choice(ways)(draw, content)
    return content


def _damage_gzip(draw: random.Random, content: bytes) -> bytes:
    return gzip.compress(_damage_text(draw, gzip.decompress(content)), mtime=0)


def _damage_table(draw: random.Random, content: bytes) -> bytes:
    """Parquet with other rows, columns or types of columns."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = io.BytesIO()
    try:
        table = _other_table(draw, content)
        pq.write_table(table, file, compression=draw.choice(("none", "zstd", "gzip")))
    except (pa.ArrowException, OverflowError):  # values that no column holds
        return _damage_bytes(draw, content)
    return file.getvalue()


def _other_table(draw: random.Random, content: bytes) -> pa.Table:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.read_table(io.BytesIO(content))
    at = draw.randrange(table.num_columns)
    name = table.column_names[at]
    match draw.randrange(6):
        case 0:
            return table.remove_column(at)
        case 1:
            return table.rename_columns(draw.sample(table.column_names, table.num_columns))
        case 2:
            return table.slice(0, draw.choice((0, 1, table.num_rows - 1)))
        case 3:
            return table.append_column(draw.choice((name, "other")), table.column(at))
        case 4:
            value = draw.choice((*VALUES, b"\xff\x00", 2**40, float("nan"), float("inf")))
            return table.set_column(at, name, pa.array([value] * table.num_rows))
        case _:
            rows = table.to_pylist()
            rows[draw.randrange(len(rows))][name] = draw.choice(VALUES)
            return pa.Table.from_pylist(rows)


def _damage_arrays(draw: random.Random, content: bytes) -> bytes:
    """An ``.npz`` with other arrays, shapes, types or headers."""
    with np.load(io.BytesIO(content)) as file:
        arrays = dict(file)
    name = draw.choice(sorted(arrays))
    array = arrays[name]
    match draw.randrange(7):
        case 0:
            del arrays[name]
        case 1:
            kinds = ("i1", "u8", ">i4", "f2", "f4", "c8", "?", "U5", "S3", "O", "M8[s]", "V4")
            with contextlib.suppress(TypeError, ValueError):
                arrays[name] = array.astype(draw.choice(kinds))
        case 2:
            shapes = ((-1,), (1, -1), (-1, 1, 1), array.shape[::-1])
            arrays[name] = array.reshape(draw.choice(shapes))
        case 3:
            rows = draw.choice((array[:0], array[:-1], array[::-1], np.concatenate((array, array))))
            arrays[name] = rows
        case 4:
            values = (-1, 2**31 - 1, 0) if array.dtype.kind == "i" else (np.nan, np.inf, -1, 1e308)
            array = arrays[name] = array.copy()
            array.flat[draw.randrange(array.size)] = draw.choice(values)
        case 5:
            arrays[name] = np.array(draw.choice((0, 1.5, "x")))
        case _:
            return _damage_header(draw, arrays, name)
    file = io.BytesIO()
    draw.choice((np.savez, np.savez_compressed))(file, **arrays)
    return file.getvalue()


def _damage_header(draw: random.Random, arrays: dict[str, Any], name: str) -> bytes:
    """An archive whose checksums are right for a header that is wrong."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", draw.choice((zipfile.ZIP_STORED, zipfile.ZIP_LZMA))) as archive:
        for key, array in arrays.items():
            member = io.BytesIO()
            np.save(member, array)
            data = member.getvalue()
            if key == name:
                first = str(len(array)).encode()
                huge = draw.choice(
                    (b"9" * 5, b"9" * 12, b"9" * 40, b"-1", b"None", b"1e3", b"[" * 90)
                )
                where = draw.choice((0, 1, 2))
                if where == 0:
                    data = data.replace(first, huge, 1)
                else:
                    data = _damage_bytes(draw, data[:100]) + data[100:]
            archive.writestr(f"{key}.npy", data)
    return file.getvalue()


def _damage_bytes(draw: random.Random, content: bytes) -> bytes:
    at = draw.randrange(len(content) + 1)
    match draw.randrange(4):
        case 0 if content:
            at = min(at, len(content) - 1)
            return content[:at] + bytes([content[at] ^ 1 << draw.randrange(8)]) + content[at + 1 :]
        case 1:
            return content[:at]
        case 2:
            return content[:at] + draw.choice(SCRAPS) + content[at:]
        case _:
            return content[:at] + content[at + draw.randint(1, 40) :]


def _double_lines(draw: random.Random, content: bytes) -> bytes:
    lines = content.split(b"\n")
    at = draw.randrange(len(lines))
    return b"\n".join(lines[: at + 1] + lines[at:])


def _swap_cells(draw: random.Random, content: bytes) -> bytes:
    lines = content.split(b"\n")
    at = draw.randrange(len(lines))
    mark = b"\t" if b"\t" in lines[at] else b","
    cells = lines[at].split(mark)
    draw.shuffle(cells)
    lines[at] = mark.join(cells)
    return b"\n".join(lines)


def _number(draw: random.Random, content: bytes) -> bytes:
    digits = [at for at, byte in enumerate(content[:20_000]) if 48 <= byte < 58]
    if not digits:
        return content
    at = draw.choice(digits)
    huge = draw.choice(
        (b"9" * 30, b"9" * 5000, b"-1", b"3.5", b"1e400", b"NaN", b"", b"2147483648")
    )
    return content[:at] + huge + content[at + 1 :]


def _recode(draw: random.Random, content: bytes) -> bytes:
    text = content.decode("utf-8", errors="replace")
    encoding = draw.choice(("utf-8-sig", "utf-16", "utf-32", "latin1", "utf-7", "cp037"))
    return text.encode(encoding, errors="replace")


def _retype(draw: random.Random, content: bytes) -> bytes:
    """Remove or replace a value of a JSON document or of a line of JSON."""
    with contextlib.suppress(ValueError, RecursionError):
        return _retype_document(draw, content)
    lines = content.split(b"\n")
    at = draw.randrange(len(lines))
    try:
        lines[at] = _retype_document(draw, lines[at])
    except (ValueError, RecursionError):
        return _damage_bytes(draw, content)
    return b"\n".join(lines)


def _retype_document(draw: random.Random, content: bytes) -> bytes:
    value = json.loads(content)
    places = list(_places(value))
    if not places:
        return content
    holder, key = draw.choice(places)
    match draw.randrange(4):
        case 0:
            del holder[key]
        case 1:
            holder[key] = json.loads("[" * 500 + "]" * 500)
        case _:
            holder[key] = draw.choice(VALUES)
    return json.dumps(value).encode()


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Each member of an object or array, with what holds it."""
    if not isinstance(value, dict | list):
        return
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        yield value, key
        yield from _places(value[key])


def _insert_entities(draw: random.Random, content: bytes) -> bytes:
    """Entities that expand, refer to themselves, or refer to a file."""
    name = re.search(rb"<([A-Za-z]\w*)", content)
    root = name[1] if name else b"TimeML"
    expanding = b'<!ENTITY a0 "%s">' % (b"x" * draw.choice((3, 1000)))
    for level in range(1, 30):
        expanding += b'<!ENTITY a%d "%s">' % (level, b"&a%d;" % (level - 1) * 10)
    entities = draw.choice(
        (
            expanding,
            b'<!ENTITY a29 "&a29;">',
            b'<!ENTITY a29 SYSTEM "file:///etc/passwd">',
            b'<!ENTITY %% p SYSTEM "nowhere.dtd"> %p;',
            b"<!ELEMENT",
        )
    )
    document = b"<!DOCTYPE %s [%s]>" % (root, entities)
    at = content.find(b"?>") + 2 if b"?>" in content else 0
    content = content[:at] + document + content[at:]
    end = draw.choice([match.end() for match in re.finditer(rb">", content)])
    return content[:end] + b"&a29;" + content[end:]


def _nest(draw: random.Random, content: bytes) -> bytes:
    """Elements within elements, closed or not."""
    depth = draw.choice((100, 5_000, 200_000))
    end = draw.choice([match.end() for match in re.finditer(rb">", content)] or [0])
    closing = b"</s>" * depth if draw.random() < 0.7 else b""
    return content[:end] + b"<s>" * depth + closing + content[end:]


def _declare(draw: random.Random, content: bytes) -> bytes:
    """Another encoding in the declaration, which the content may have or not."""
    encoding = draw.choice(("utf-16", "latin1", "ascii", "utf-7", "cp037", "no-such", "\u00fc"))
    declaration = f'<?xml version="1.0" encoding="{encoding}"?>'.encode()
    content = declaration + re.sub(rb"^<\?xml[^>]*\?>", b"", content)
    if draw.random() < 0.5:
        return content
    with contextlib.suppress(LookupError):
        return content.decode(errors="replace").encode(encoding, errors="replace")
    return content


def _drop_root(draw: random.Random, content: bytes) -> bytes:
    """No root element, several, or nothing but a declaration."""
    tags = [match.span() for match in re.finditer(rb"</?[A-Za-z][^>]*>", content)]
    if not tags:
        return content
    (first, opened), (last, closed) = tags[0], tags[-1]
    return draw.choice(
        (
            content[:first] + content[opened:last] + content[closed:],
            content[:first],
            content + content[first:],
            content[:opened] + content[closed:],
        )
    )


_WAYS: tuple[Callable[[random.Random, bytes], bytes], ...] = (
    _damage_bytes, _damage_bytes, _double_lines, _swap_cells, _number, _recode, _retype, _retype,
)  # fmt: skip

_XML_WAYS = (_insert_entities, _nest, _declare, _drop_root)
_INSIDE: dict[bytes, Callable[[random.Random, bytes], bytes]] = {
    b"\x1f\x8b": _damage_gzip,
    b"PA": _damage_table,
    b"PK": _damage_arrays,
}
"""How formats that are not text are damaged inside, by their first bytes."""
