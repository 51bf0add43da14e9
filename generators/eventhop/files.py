"""The files of a data set, joined from its shards: JSON Lines, Parquet, TSV, card, manifest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from generators.eventhop.card import card
from generators.eventhop.census import Census
from generators.eventhop.config import Config
from generators.eventhop.layout import ExcludedCell, Layout, layout
from generators.eventhop.presets import Split
from generators.eventhop.rows import published
from generators.eventhop.shards import shards
from solver.extras import available
from solver.manifest import manifest
from solver.writing import atomic, write_json, write_tsv

ROWS = 4_096
"""Rows of a Parquet row group, and so the number in memory."""


def finish(config: Config, out: Path, home: Path) -> None:
    """Write the files of all splits from the shards in ``home``.

    Raises:
        CensusError: the counts of the shards differ from the plan.
        OutputError: a file cannot be written.
    """
    planned = layout(config)
    censuses: dict[Split, Census] = {}
    written: list[Path] = []
    for split in sorted(config.sizes):
        paths = [home / shard.name for shard in shards(config) if shard.split is split]
        census = Census(config, split)
        jsonl = out / f"{split}.jsonl"
        with atomic(jsonl) as file:
            for path in paths:
                lines = path.read_bytes()
                file.write(lines)
                census.count(_rows([lines]))
        census.check(planned)
        censuses[split] = census
        parquet, tsv = out / f"{split}.parquet", out / f"{split}.tsv"
        written.append(jsonl)
        if available("pyarrow"):
            _write_parquet(parquet, _rows(path.read_bytes() for path in paths))
            written.append(parquet)
        rows = _rows(path.read_bytes() for path in paths)
        write_tsv(tsv, (published(row, tsv.name) for row in rows))
        written.append(tsv)
    readme = out / "README.md"
    with atomic(readme) as file:
        file.write(card(config, planned, {s: c.items for s, c in censuses.items()}).encode())
    _write_manifest(config, planned, censuses, out, [*written, readme])


def _rows(blocks: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    decode = msgspec.json.Decoder(dict[str, Any]).decode
    return (decode(line) for block in blocks for line in block.splitlines())


def _write_parquet(path: Path, rows: Iterator[dict[str, Any]]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    text = ("id", "premise", "claim", "label", "declared", "relation", "status", "domain")
    schema = pa.schema(
        [
            *(pa.field(name, pa.string(), nullable=False) for name in text),
            pa.field("timeline", pa.string(), nullable=False),
            pa.field("forced", pa.bool_(), nullable=False),
            *((name, pa.int32()) for name in ("events", "relations", "event_distance", "hops")),
        ]
    )
    with (
        atomic(path) as file,
        pq.ParquetWriter(file, schema, compression="zstd", write_page_checksum=True) as writer,
    ):
        while part := list(islice(rows, ROWS)):
            writer.write_table(pa.Table.from_pylist(part, schema=schema))


def _write_manifest(
    config: Config,
    planned: Layout,
    censuses: dict[Split, Census],
    out: Path,
    written: list[Path],
) -> None:
    from generators.eventhop.overlaps import overlaps, vocabulary

    described = manifest(config=config.as_json(), seed=config.seed, outputs=written)
    described |= {
        "generator": "eventhop",
        "data": [f"{split}.jsonl" for split in sorted(censuses)],
        "splits": {split.value: census.as_json() for split, census in censuses.items()},
        "impossible": [_excluded(one) for one in planned.impossible],
        "withheld": [_excluded(one) for one in planned.withheld],
        "overlaps": overlaps(config, censuses),
        "vocabulary": vocabulary(config),
    }
    write_json(out / "manifest.json", described)


def _excluded(one: ExcludedCell) -> dict[str, str]:
    return {"cell": one.cell.key, "reason": one.reason}
