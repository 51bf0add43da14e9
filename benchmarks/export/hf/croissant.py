"""Metadata of a data set in the format Croissant 1.0."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.export.hf.card import About, WrittenFile
from benchmarks.export.hf.tables import Table
from solver.io.sources import sha256

CROISSANT = "croissant.json"


def croissant(
    out: Path, tables: Sequence[Table], files: Mapping[str, Sequence[WrittenFile]], about: About
) -> dict[str, Any]:
    """The metadata: files with checksums, and the columns of each."""
    written = {one.name: one for table in tables for one in files[table.name] if not table.parts}
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "name": about.name,
        "description": about.description,
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "license": about.licence,
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": name,
                "name": name,
                "contentUrl": name,
                "contentSize": f"{one.size} B",
                "encodingFormat": "application/x-parquet",
                "sha256": sha256(out / name),
            }
            for name, one in sorted(written.items())
        ],
        "recordSet": [
            _records(table, one) for table in tables if not table.parts for one in files[table.name]
        ],
    }


def _records(table: Table, file: WrittenFile) -> dict[str, Any]:
    import pyarrow as pa

    name = f"{table.name}-{file.split}"
    fields = []
    for column in table.schema():
        kind, repeated = column.type, pa.types.is_list(column.type)
        inner = kind.value_type if repeated else kind
        # Croissant 1.0 has no type for lists of lists and for records in a column.
        if pa.types.is_nested(inner):
            continue
        field: dict[str, Any] = {
            "@type": "cr:Field",
            "@id": f"{name}/{column.name}",
            "name": column.name,
            "dataType": _CROISSANT_TYPES.get(str(inner), "sc:Integer"),
            "source": {"fileObject": {"@id": file.name}, "extract": {"column": column.name}},
        }
        if column.name in table.labels:
            names = ", ".join(f"{n} {one}" for n, one in enumerate(table.labels[column.name]))
            field["description"] = f"Number of the label: {names}."
        if repeated:
            field["repeated"] = True
        fields.append(field)
    return {"@type": "cr:RecordSet", "@id": name, "name": name, "field": fields}


_CROISSANT_TYPES = {"string": "sc:Text", "bool": "sc:Boolean", "double": "sc:Float"}
_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "sc": "https://schema.org/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "recordSet": "cr:recordSet",
    "field": "cr:field",
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "source": "cr:source",
    "extract": "cr:extract",
    "column": "cr:column",
    "fileObject": "cr:fileObject",
    "repeated": "cr:repeated",
}
