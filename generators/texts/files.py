"""Writes the folder of a set of texts: texts, references, both as JSON Lines, and a manifest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from generators.texts.run import GeneratedText, rows
from grammar.fact_text import TextFact
from solver.manifest import manifest
from solver.writing import atomic, json_lines, write_json

TEXTS = "descriptions.txt"
REFERENCES = "references.txt"
ROWS = "texts.jsonl"
MANIFEST = "manifest.json"


def write_texts(
    folder: Path,
    texts: Sequence[GeneratedText],
    *,
    config: Mapping[str, object],
    source: str,
    seed: int,
    left_out: Sequence[str],
) -> dict[str, int]:
    """Write all files and return their counts.

    Line i of the references has the facts of line i of the texts, in text order.

    Args:
        folder: an existing folder.
        texts: the texts.
        config: options, for the manifest.
        source: file of the facts.
        seed: random seed.
        left_out: one message for each fact without a text.

    Raises:
        OutputError: a file cannot be written.
    """
    write_pairs(folder, [(one.text, one.facts) for one in texts])
    with json_lines(folder / ROWS) as lines:
        for one in texts:
            lines.write(one.as_json())
    outputs = tuple(folder / name for name in (TEXTS, REFERENCES, ROWS))
    metadata = manifest(config=config, seed=seed, encodings=(), inputs=(source,), outputs=outputs)
    counts = {
        "texts": len(texts),
        "facts": sum(len(one.facts) for one in texts),
        "headlines": sum(one.headline is not None for one in texts),
        "left_out": len(left_out),
    }
    write_json(folder / MANIFEST, metadata | {"counts": counts, "left_out": list(left_out)})
    return counts


def write_pairs(folder: Path, pairs: Sequence[tuple[str, Sequence[TextFact]]]) -> None:
    """Write texts and, aligned by line, their facts as Python literals.

    Raises:
        OutputError: a file cannot be written.
    """
    with atomic(folder / TEXTS) as file:
        file.writelines(f"{text}\n".encode() for text, _ in pairs)
    with atomic(folder / REFERENCES) as file:
        file.writelines(f"{rows(facts)}\n".encode() for _, facts in pairs)
