"""Answers in the logs of inspect_ai and lm-eval, as rows of a prediction file.

inspect_ai writes ``.eval``, a ZIP archive with a JSON file for each sample, or one JSON document.
lm-eval writes ``samples_*.jsonl``, a line for each document and filter.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from grammar.errors import HopcheckError
from solver.extras import MissingLibraryError, available
from solver.io.sources import InputError, in_words, unpacked_limit

ARCHIVE = b"PK\x03\x04"
_ZSTANDARD = 93
_SAMPLES = "samples/"
_ATTACHMENT = "attachment://"
_HINT = "pass an .eval or .json log of inspect_ai"
_FAILURES = (OSError, ValueError, NotImplementedError, RuntimeError, zipfile.BadZipFile, zlib.error)

Row = Mapping[str, Any]


class LogError(HopcheckError):
    """An entry of a log that contains no answer."""

    code = "log"


def is_archive(path: str) -> bool:
    """Whether a file is a ZIP archive, as inspect's logs are."""
    if path == "-" or not Path(path).is_file():
        return False
    with Path(path).open("rb") as file:
        return file.read(len(ARCHIVE)) == ARCHIVE


def archive_rows(path: str) -> Iterator[tuple[str, Row]]:
    """The samples of an ``.eval`` log, each with its place in the log.

    Raises:
        InputError: the archive is damaged, or no log.
        MissingLibraryError: it is compressed by Zstandard, which Python reads from 3.14 on.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            # A member that was written again counts in its last version.
            members = {member.filename: member for member in archive.infolist()}
            _require_readable(path, list(members.values()))
            samples = [name for name in members if name.startswith(_SAMPLES)]
            if not samples:
                message = f"found an archive without {_SAMPLES}, expected a log of inspect_ai"
                raise InputError(message, where=path, hint=_HINT)
            for name in samples:
                sample = msgspec.json.decode(archive.read(members[name]))
                yield f"{path}:{name}", inspect_row(sample, f"{path}:{name}")
    except _FAILURES as error:
        message = f"damaged archive ({' '.join(str(error).split())[:120]})"
        raise InputError(message, where=path, hint=_HINT) from None


def _require_readable(path: str, members: list[zipfile.ZipInfo]) -> None:
    size = sum(member.file_size for member in members)
    most = unpacked_limit(sum(member.compress_size for member in members))
    if size > most:
        message = f"found {in_words(size)} of decompressed data, expected at most {in_words(most)}"
        raise InputError(message, where=path)
    if any(member.compress_type == _ZSTANDARD for member in members) and not hasattr(
        zipfile, "ZIP_ZSTD"
    ):
        if not available("zipfile_zstd"):
            message = "a log compressed by Zstandard needs zipfile-zstd, which is not installed"
            raise MissingLibraryError(message, where=path, hint="pip install 'hopcheck[inspect]'")
        import zipfile_zstd  # noqa: F401 - adds the method to zipfile


def document_samples(data: bytes) -> list[Any] | None:
    """The samples of a JSON log of inspect_ai; None if it is another document."""
    try:
        found = msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError):
        return None
    if not isinstance(found, dict) or not isinstance(found.get("eval"), dict):
        return None
    samples = found.get("samples")
    return samples if isinstance(samples, list) else None


def inspect_row(sample: Any, where: str) -> Row:  # noqa: ANN401 - any JSON value
    """The id and the answer of a sample of inspect_ai; an empty answer where it failed.

    Raises:
        LogError: it has no id.
    """
    if not isinstance(sample, dict) or not isinstance(sample.get("id"), str | int):
        raise LogError("found a sample without an id", where=where)
    output = sample.get("output")
    text = output.get("completion", "") if isinstance(output, dict) else ""
    if isinstance(text, str) and text.startswith(_ATTACHMENT):
        attached = sample.get("attachments") or {}
        text = attached.get(text.removeprefix(_ATTACHMENT), "")
    return {"id": str(sample["id"]), "answer": text}


def is_lm_eval(values: object) -> bool:
    """Whether a JSON line is a sample of lm-eval."""
    return isinstance(values, dict) and {"doc_id", "doc", "filtered_resps"} <= values.keys()


def lm_eval_row(values: Mapping[str, Any], filters: set[str], where: str) -> Row:
    """The id and the answer of a sample of lm-eval.

    Args:
        values: the sample.
        filters: the filters so far, to which its filter is added.
        where: its place.

    Raises:
        LogError: it has no answer, or the file has several filters.
    """
    filters.add(str(values.get("filter", "none")))
    if len(filters) > 1:
        message = f"found the filters {' and '.join(sorted(filters))}, expected one answer each"
        hint = 'keep the lines of one filter, such as by grep \'"filter": "none"\''
        raise LogError(message, where=where, hint=hint)
    doc, responses = values["doc"], values["filtered_resps"]
    given = doc.get("id") if isinstance(doc, dict) else None
    id_ = given if isinstance(given, str | int) else values["doc_id"]
    if not isinstance(responses, list) or not responses:
        raise LogError("found no filtered_resps", where=where)
    answer = responses[0] if isinstance(responses[0], str) else _likeliest(values, where)
    return {"id": str(id_), "answer": answer}


def _likeliest(values: Mapping[str, Any], where: str) -> str:
    """The choice with the largest log-likelihood; its text is the continuation of its request."""
    try:
        scores = [float(response[0]) for response in values["filtered_resps"]]
        best = scores.index(max(scores))
        arguments = values["arguments"]
        asked = arguments[f"gen_args_{best}"] if isinstance(arguments, dict) else arguments[best]
        return str(asked["arg_1"] if isinstance(asked, dict) else asked[1]).strip()
    except (KeyError, IndexError, TypeError, ValueError):
        message = "found filtered_resps without texts and choices, expected an answer"
        raise LogError(message, where=where) from None
