"""What audits are made of: rows of a file, readings, outcomes, verdicts, and declared tasks.

A *task* is a part of a public set whose files have one form, such as ``temporal_sequences`` of BBH.
It declares how its file is recognised, how a row becomes a problem of a kind (``calendar``,
``positions``, ``assignments``), which conventions its labels may depend on, and what decides them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, TypeAlias

from grammar.errors import HopcheckError
from solver.io.sources import InputError
from solver.verification.outcomes import Outcome, Verdict, judged


class UnreadError(HopcheckError):
    """A row that no grammar of its task reads."""

    code = "unread"


class ReadingError(InputError):
    """A convention, or a value of one, that no task of a file has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """An item of a file.

    Attributes:
        id: its place in the file, from 0.
        where: its place in messages.
        fields: its values.
        spans: for each field, the first byte of its value in the file and the byte after it.
    """

    id: int
    where: str
    fields: Mapping[str, Any]
    spans: Mapping[str, tuple[int, int]]

    def text(self, name: str) -> str:
        """The text of a field.

        Raises:
            UnreadError: there is no such field, or it is no text.
        """
        value = self.fields.get(name)
        if not isinstance(value, str):
            raise UnreadError(f"found no text {name!r}, expected one", where=self.where)
        return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Convention:
    """Something that labels depend on and texts leave open.

    Attributes:
        name: as in ``--reading``.
        values: the meaning of each value; the first one is the default.
        source: why that is the default.
        tried: whether an audit decides each item under every value, or under the default alone.
    """

    name: str
    values: Mapping[str, str]
    source: str
    tried: bool = False

    @property
    def default(self) -> str:
        """The value of the default reading."""
        return next(iter(self.values))


Reading: TypeAlias = Mapping[str, str]
"""A value for each convention of a task."""


def reading_name(reading: Reading) -> str:
    """A reading as text: ``time=units, week=sunday``."""
    return ", ".join(f"{name}={value}" for name, value in sorted(reading.items())) or "the only one"


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemRead:
    """An item as its task reads it.

    Attributes:
        problem: what the kind of the task decides; its class is known to the task alone.
        gold: the label, as the file has it.
        templates: wordings that the item uses, without the names and values in them.
    """

    problem: Any
    gold: str
    templates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditTask:
    """A task of a set.

    Attributes:
        name: such as ``temporal_sequences``.
        kind: the kind of artefact whose checker checks its certificates.
        title: what its items ask, in one line.
        recognises: whether the first rows of a file are of this task.
        read: makes a problem of a row; raises ``UnreadError``.
        decide: decides items under one reading, in order. Two engines must agree and every
            certificate must be accepted, or it raises.
        correct: new values for fields of a row with a wrong label, from the outcome under the
            default reading; empty if there is no correction.
        conventions: what its labels may depend on.
        versions: published versions of its files by the sha256 of their bytes, decompressed.
        rows: reads the rows of a file from its name and bytes; JSON of the usual forms by default.
        plain: whether fields are plain text in the file, and not JSON.
    """

    name: str
    kind: str
    title: str
    recognises: Callable[[Sequence[Row]], bool]
    read: Callable[[Row], ItemRead]
    decide: Callable[[Sequence[ItemRead], Reading], Sequence[Outcome]]
    correct: Callable[[Row, Outcome], Mapping[str, object]]
    conventions: tuple[Convention, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    rows: Callable[[str, bytes], Sequence[Row]] | None = None
    plain: bool = False

    def readings(self, chosen: Reading) -> tuple[Reading, ...]:
        """The readings under which items are decided, the default one first.

        Args:
            chosen: values of conventions that are fixed instead of the declared ones.

        Raises:
            ReadingError: a convention or a value is not declared.
        """
        declared = {convention.name: convention for convention in self.conventions}
        for name, value in chosen.items():
            if name not in declared or value not in declared[name].values:
                known = ", ".join(
                    f"{convention.name}={value}"
                    for convention in self.conventions
                    for value in convention.values
                )
                message = f"found {name}={value}, expected a reading of {self.name}"
                raise ReadingError(message, where="--reading", hint=f"known: {known or 'none'}")
        values = [
            (chosen[convention.name],)
            if convention.name in chosen
            else tuple(convention.values)
            if convention.tried
            else (convention.default,)
            for convention in self.conventions
        ]
        return tuple(dict(zip(declared, row, strict=True)) for row in product(*values))


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedItem:
    """The result of an audit about one item; a line of ``items.jsonl``.

    Attributes:
        id: place in the file, from 0.
        verdict: what is found.
        gold: the label of the file; None if the item is not read.
        decided: the right label under the default reading, if there is a single one.
        readings: verdict and right label under each reading that was tried.
        certificate: the evidence for each reading: see ``docs/audits.md``.
        proof: the evidence for the default reading in words; of an unread item, why it is not.
        templates: wordings that the item uses.
        where: the place in messages.
    """

    id: int
    verdict: Verdict
    gold: str | None
    decided: str | None
    readings: Mapping[str, Mapping[str, str | None]]
    certificate: Mapping[str, Any]
    proof: str
    templates: tuple[str, ...]
    where: str

    def as_json(self) -> dict[str, object]:
        """The line."""
        return {
            "id": self.id,
            "verdict": self.verdict.value,
            "gold": self.gold,
            "decided": self.decided,
            "readings": {name: dict(row) for name, row in self.readings.items()},
            "certificate": dict(self.certificate),
            "proof": self.proof,
        }


def combined(
    row: Row, item: ItemRead, kind: str, readings: Sequence[Reading], outcomes: Sequence[Outcome]
) -> AuditedItem:
    """The verdict of an item from its outcomes under each reading, the default one first."""
    names = map(reading_name, readings)
    line = judged(kind, item.gold, dict(zip(names, outcomes, strict=True)))
    return AuditedItem(
        id=row.id,
        verdict=Verdict(line["verdict"]),
        gold=item.gold,
        decided=line["decided"],
        readings=line["readings"],
        certificate=line["certificate"],
        proof=line["proof"],
        templates=item.templates,
        where=row.where,
    )


def unread(row: Row, error: HopcheckError) -> AuditedItem:
    """The verdict of an item that is not read."""
    return AuditedItem(
        id=row.id,
        verdict=Verdict.UNREAD,
        gold=None,
        decided=None,
        readings={},
        certificate={},
        proof=f"not read: {error.message}",
        templates=(),
        where=row.where,
    )
