"""Phrase files: wordings of others, as data. Nothing here knows a kind.

A phrase file is TOML: a ``domain`` and tables ``[[phrase]]`` with a ``text`` that has slots such as
``{A}``, what it ``means``, and sentences that must ``not`` be read. The reader of each kind says
what its domains are and what the meanings are, and tests the phrases before it reads with them.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grammar.errors import HopcheckError, quoted

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "hopcheck.phrases"
"""Group of the entry points by which other distributions add phrase files."""

LARGEST = 1 << 20
"""Maximum number of bytes of a phrase file."""

NAME_LIMIT = 200
"""Maximum number of characters that a slot takes."""

SLOT = re.compile(r"\{([A-Za-z][A-Za-z0-9_]*)\}")
_BRACE = re.compile(r"\{[^{}]*\}|[{}]")
_LINE_END = "\n"
_HEADER = re.compile(r"(?m)^[^\S\n]*\[\[\s*phrase\s*\]\]")
_SENTENCE_END = re.compile(r"[.;!?](?:\s|$)|\?")
_AT = re.compile(r"(?P<reason>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of .*)\)")
_PLAIN = str.maketrans({"’": "'", "ʼ": "'"})
_FIELDS = {"text": str, "means": list, "not": list}
_TYPES = {str: "a string", list: "an array", dict: "a table", bool: "a boolean", int: "a number"}


class PhraseError(HopcheckError):
    """A phrase file that is not admitted."""

    code = "phrases"


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """A phrase of a file.

    Attributes:
        text: one sentence without its full stop, with slots: ``{A} led to {B}``.
        means: statements that use the slots by name: ``end of A before start of B``. All hold.
        refused: sentences that must not be read; they may use the slots as well.
        where: file, line and column of the phrase.
    """

    text: str
    means: tuple[str, ...]
    refused: tuple[str, ...] = ()
    where: str = field(default="", compare=False)

    @property
    def slots(self) -> tuple[str, ...]:
        """The names of the slots, each once, in the order of the text."""
        return tuple(dict.fromkeys(SLOT.findall(self.text)))

    @property
    def words(self) -> tuple[str, ...]:
        """The text around the slots: one part more than there are slots, ends included."""
        return _words(self.text)

    def fill(self, names: Mapping[str, str], text: str | None = None) -> str:
        """Write the phrase, or another text with its slots, with these names."""
        written = self.text if text is None else text
        return SLOT.sub(lambda slot: names.get(slot[1], slot[0]), written)

    def within(self, text: str) -> bool:
        """Whether a text has all words of the phrase, but perhaps those before the first slot."""
        plain = text.translate(_PLAIN)
        return all(word in plain for word in self.words[1:])

    def matches(
        self, sentence: str, accepts: Callable[[str, bool], str | None]
    ) -> Iterator[dict[str, str]]:
        """All ways in which a sentence is this phrase: the name of each slot.

        Args:
            sentence: without its full stop.
            accepts: the name that a text in a slot stands for, None if it is no name; the second
                argument is whether the sentence begins with it.
        """
        order, (head, *words) = SLOT.findall(self.text), self.words
        text = sentence.translate(_PLAIN)
        start = text[: len(head)]
        if start != head and (start[:1].lower() + start[1:]) != (head[:1].lower() + head[1:]):
            return

        def assign(slot: int, begin: int, names: dict[str, str]) -> Iterator[dict[str, str]]:
            if slot == len(order):
                yield names
                return
            word, last = words[slot], slot == len(order) - 1
            end = len(text) - len(word) if last else text.find(word, begin + 1)
            while begin < end <= begin + NAME_LIMIT and text.startswith(word, end):
                name = accepts(sentence[begin:end], begin == 0)
                if name is not None and names.get(order[slot], name) == name:
                    yield from assign(slot + 1, end + len(word), {**names, order[slot]: name})
                end = -1 if last else text.find(word, end + 1)

        yield from assign(0, len(head), {})


@dataclass(frozen=True, slots=True, kw_only=True)
class PhraseFile:
    """A phrase file.

    Attributes:
        domain: the texts to which the phrases belong, as the reader of a kind names them.
        phrases: at least one.
        where: the file, for messages.
        digest: SHA-256 of the content, without comments and layout.
    """

    domain: str
    phrases: tuple[Phrase, ...]
    where: str = field(default="", compare=False)
    digest: str = field(init=False)

    def __post_init__(self) -> None:
        text = json.dumps(self.content(), ensure_ascii=False, separators=(",", ":"))
        object.__setattr__(self, "digest", hashlib.sha256(text.encode()).hexdigest())

    def content(self) -> list[Any]:
        """The content in its canonical form, from which the digest is made."""
        rows = ([row.text, list(row.means), list(row.refused)] for row in self.phrases)
        return [self.domain, list(rows)]

    def as_json(self) -> dict[str, Any]:
        """The file as JSON values, for certificates."""
        rows = [
            {"text": row.text, "means": list(row.means), "not": list(row.refused)}
            for row in self.phrases
        ]
        return {"digest": self.digest, "domain": self.domain, "phrase": rows}


@lru_cache(1024)
def _words(text: str) -> tuple[str, ...]:
    return tuple(SLOT.split(text)[::2])


def load_phrases(source: str | Path) -> PhraseFile:
    """Read a phrase file.

    Args:
        source: a path, the name of an installed phrase file, or the text of a file, which has
            several lines.

    Raises:
        PhraseError: with line and column.
    """
    if isinstance(source, str) and "\n" in source:
        return _parsed(source, "phrases")
    path = Path(source)
    if not path.exists() and isinstance(source, str) and source in (known := installed()):
        return _parsed(known[source](), source)
    try:
        if path.stat().st_size > LARGEST:
            message = f"found more than {LARGEST:,} bytes, expected a phrase file"
            raise PhraseError(message, where=str(source))
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        names = ", ".join(installed())
        hint = f"installed phrase files: {names}" if names else "pass the path of a phrase file"
        raise PhraseError(reason, where=str(source), hint=hint) from None
    try:
        return _parsed(data.decode("utf-8-sig"), str(source))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise PhraseError("found bytes that are not UTF-8", where=f"{source}:{line}") from None


def installed() -> Mapping[str, Callable[[], str]]:
    """The phrase files of other distributions, by the names of their entry points.

    The value of an entry point is a TOML file of a package, ``harbour:phrases.toml``, or a text or
    a function that returns it, ``harbour:phrases``.
    """
    from importlib.metadata import entry_points

    entries = sorted(entry_points(group=GROUP), key=lambda entry: entry.name)
    return {entry.name: partial(_resource, entry) for entry in entries}


def _resource(entry: EntryPoint) -> str:
    from importlib.resources import files

    try:
        if entry.attr.endswith(".toml"):
            return files(entry.module).joinpath(entry.attr).read_text(encoding="utf-8")
        value = entry.load()
        text = value() if callable(value) else value
    except Exception as error:
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        raise PhraseError(f"cannot be loaded: {reason}", where=entry.value) from error
    if not isinstance(text, str):
        found = f"found a {type(text).__name__}, expected the text of a phrase file"
        raise PhraseError(found, where=entry.value)
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """The text of a phrase file, to find the places of its parts."""

    text: str
    where: str

    def error(
        self, message: str, *, phrase: int = 0, key: str = "", inside: str = "", hint: str = ""
    ) -> PhraseError:
        """An error about a key of a phrase, counted from 1; of the file if the number is 0."""
        return PhraseError(message, where=self.place(phrase, key, inside), hint=hint)

    def place(self, phrase: int = 0, key: str = "", inside: str = "") -> str:
        """File, line and column of a key, or of what follows a text in its value, if found."""
        headers = [mark.start() for mark in _HEADER.finditer(self.text)]
        if phrase > len(headers):
            return self.where
        begin, end = (0, *headers)[phrase], (*headers[phrase:], len(self.text))[0]
        spelled = re.compile(rf"(?m)^[^\S\n]*(?P<key>[\"']?{re.escape(key)}[\"']?)\s*=")
        found = spelled.search(self.text, begin, end) if key else None
        position = begin if found is None else found.start("key")
        if inside and found is not None:
            place = self.text.find(inside, position, end)
            position = position if place < 0 else place + len(inside)
        line = self.text.count("\n", 0, position) + 1
        return f"{self.where}:{line}:{position - self.text.rfind(_LINE_END, 0, position)}"


def _parsed(text: str, where: str) -> PhraseFile:
    import tomllib

    source = _Source(text=text, where=where)
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _not_toml(str(error), text, where) from None
    except RecursionError:
        raise PhraseError("found values nested too deeply", where=where) from None
    for key in content:
        if key not in ("domain", "phrase"):
            hint = "a file has the keys domain and phrase"
            raise source.error(f"found the key {quoted(key)}", key=key, hint=hint)
    domain, rows = content.get("domain"), content.get("phrase")
    if not isinstance(domain, str) or not domain.strip():
        found = "no domain" if domain is None else f"{domain!r:.40} as domain"
        raise source.error(f'found {found}, expected one such as "temporal"', key="domain")
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        hint = 'begin each phrase with a line "[[phrase]]"'
        raise source.error("found no phrase", key="phrase", hint=hint)
    phrases = tuple(_phrase(source, number, row) for number, row in enumerate(rows, 1))
    texts: dict[str, int] = {}
    for number, phrase in enumerate(phrases, 1):
        first = texts.setdefault(phrase.text, number)
        if first != number:
            message = f"found the phrase {quoted(phrase.text)} again"
            raise source.error(message, phrase=number, key="text", hint=f"it is phrase {first}")
    return PhraseFile(domain=domain.strip(), phrases=phrases, where=where)


def _not_toml(message: str, text: str, where: str) -> PhraseError:
    """The error of a text that is no TOML."""
    found = _AT.fullmatch(message)
    if found is None:
        return PhraseError(f"not TOML: {message}", where=where)
    line = found["line"] or text.count("\n") + 1
    column = found["column"] or len(text) - text.rfind("\n")
    return PhraseError(f"not TOML: {found['reason']}", where=f"{where}:{line}:{column}")


def _phrase(source: _Source, number: int, row: Mapping[str, Any]) -> Phrase:
    def refuse(message: str, key: str = "", inside: str = "", hint: str = "") -> PhraseError:
        return source.error(message, phrase=number, key=key, inside=inside, hint=hint)

    for key, value in row.items():
        if key not in _FIELDS:
            hint = "a phrase has the keys text, means and not"
            raise refuse(f"found the key {quoted(key)}", key, hint=hint)
        if not isinstance(value, _FIELDS[key]):
            found = _TYPES.get(type(value), f"a {type(value).__name__}")
            expected = "an array of strings" if _FIELDS[key] is list else "a string"
            raise refuse(f"found {found} as {key}, expected {expected}", key)
        for part in value if isinstance(value, list) else (value,):
            if not isinstance(part, str) or not part.strip():
                raise refuse(f"found {part!r:.40} in {key}, expected a text", key)
    for key in ("text", "means"):
        if key not in row:
            raise refuse(f'found a phrase without "{key}"', hint=f"add a line {key} = …")
    if not row["means"]:
        raise refuse("empty meaning: found no statement in means", "means")
    text = _sentence(row["text"])
    for brace in _BRACE.finditer(text):
        if not SLOT.fullmatch(brace[0]):
            hint = "a slot is a letter or a word in braces: {A}"
            before = text[: brace.start()]
            found = f"found {quoted(brace[0])}, expected a slot"
            raise refuse(found, "text", before, hint)
    if not SLOT.search(text):
        hint = 'write the events as slots: "{A} led to {B}"'
        raise refuse(f"found no slot in {quoted(text)}", "text", hint=hint)
    if _SENTENCE_END.search(text):
        raise refuse(f"found {quoted(text)}, expected one sentence", "text")
    head, *between, last = SLOT.split(text)[::2]
    apart = all(re.search(r"\w", part) for part in between)
    if not apart or not re.search(r"\w", head + "".join(between) + last):
        hint = "names have no other limits than the words of the phrase"
        raise refuse("found two slots without a word between them", "text", hint=hint)
    return Phrase(
        text=text,
        means=tuple(" ".join(part.split()) for part in row["means"]),
        refused=tuple(" ".join(part.split()) for part in row.get("not", ())),
        where=source.place(number, "text"),
    )


def _sentence(text: str) -> str:
    """The text of a phrase with single blanks and straight apostrophes, without a full stop."""
    return " ".join(text.translate(_PLAIN).split()).removesuffix(".").rstrip()
