"""A kind in one file: lists of numbers that must rise."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, ClassVar

import click
import clingo
import msgspec

from solver.verification.kinds import Checker, KindDeclaration, Signs
from solver.verification.report import Codes, Finding, Findings, Unreadable, VerifyReport
from solver.verification.run import DisagreementError
from solver.verification.settings import option
from solver.verification.verifier import Execution, RunResult

ENCODING = Path(__file__).with_name("rising.lp")
CODES = Codes({"falls(row,position)": "{value} at {position} is followed by {next}"})


class Row(msgspec.Struct):
    """A line of a file."""

    rising: Annotated[
        list[int], msgspec.Meta(description="numbers that must rise", examples=[[1, 2, 4]])
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class RisingSettings:
    """Which numbers are checked."""

    most: int = field(default=100, metadata=option("Most numbers of a list.", low=1, high=1_000))
    absolute: bool = field(default=False, metadata=option("Compare without signs."))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedRow:
    """A list with its place."""

    where: str
    numbers: tuple[int, ...]


class RisingVerifier:
    """Decides by clingo and by a comparison of neighbours."""

    kind: ClassVar[str] = "rising"

    def __init__(self, _: Execution, settings: RisingSettings | None = None) -> None:
        self._settings, self._rows = settings or RisingSettings(), 0

    def read(self, source: Sequence[Any]) -> Iterator[PlacedRow | Unreadable]:
        for path in map(Path, source):
            for number, line in enumerate(path.read_bytes().splitlines(), 1):
                where = f"{path}:{number}"
                try:
                    numbers = msgspec.json.decode(line, type=Row).rising
                except msgspec.DecodeError as error:
                    yield Unreadable(where=where, message=str(error))
                    continue
                shown = map(abs, numbers) if self._settings.absolute else numbers
                yield PlacedRow(where=where, numbers=tuple(shown)[: self._settings.most])

    def decide(self, rows: Iterable[PlacedRow]) -> Iterator[Finding]:
        for row in rows:
            self._rows += 1
            pairs = enumerate(zip(row.numbers, row.numbers[1:], strict=False))
            falls = {position for position, (value, after) in pairs if after <= value}
            if falls != solved(row.numbers):
                raise DisagreementError("engines disagree", where=row.where, name=self.kind)
            for position in sorted(falls):
                value, after = row.numbers[position : position + 2]
                certificate = {"position": position}
                yield CODES["falls"].finding(
                    row.where, certificate, value=value, position=position, next=after
                )

    def report(self, run: RunResult) -> VerifyReport:
        return VerifyReport(
            rows=self._rows,
            passed="every list rises",
            findings=Findings(run.findings),
            engines=("asp", "neighbours"),
        )


def solved(numbers: Sequence[int]) -> set[int]:
    """Positions that clingo finds."""
    control = clingo.Control(["--warn=none"])
    control.load(str(ENCODING))
    facts = (f"number(0,{position},{value})." for position, value in enumerate(numbers))
    control.add("base", [], "".join(facts))
    control.ground([("base", [])])
    found: set[int] = set()
    control.solve(
        on_model=lambda model: found.update(
            symbol.arguments[0].arguments[1].number for symbol in model.symbols(shown=True)
        )
    )
    return found


class RisingChecker:
    """Checks lines of certificates."""

    UNREADABLE = (ValueError, KeyError)

    @property
    def check_file(self) -> Callable[..., Iterator[tuple[int | str, str, str | None]]]:
        return self._check

    def _check(self, path: str, data: Iterable[str] = ()) -> Iterator[tuple[int, str, str | None]]:
        (lists,) = [Path(name).read_text(encoding="utf-8").splitlines() for name in data]
        rows = Path(path).read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(rows, 1):
            finding = json.loads(line)
            place = int(finding["where"].rpartition(":")[2])
            position = finding["certificate"]["position"]
            before, after = json.loads(lists[place - 1])["rising"][position : position + 2]
            yield number, finding["where"], None if after <= before else "it rises there"


@click.command()
@click.option("--rising", "text", required=True, metavar="N,N,...")
def explain(text: str) -> None:
    """Show where a list falls."""
    numbers = [int(part) for part in text.split(",")]
    click.echo(f"falls at: {', '.join(map(str, sorted(solved(numbers)))) or 'nowhere'}")


def _checker() -> Checker:
    return RisingChecker()


KIND = KindDeclaration(
    name="rising",
    noun="lists",
    signs=Signs(fields=frozenset({"rising"})),
    columns=lambda: {"jsonl": Row},
    verifier=lambda: RisingVerifier,
    settings=lambda: RisingSettings,
    codes=lambda: CODES,
    explain={"--rising": lambda: explain},
    checker=_checker,
    certificates=("violations.jsonl",),
    help="Check that the numbers of each list rise.",
)
