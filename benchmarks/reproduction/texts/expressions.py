"""What regular expressions find of the facts of written texts, without reading them.

    python -m benchmarks.reproduction.texts.expressions FOLDER

The expressions split sentences at clauses and know the keywords of eight relations. Each level
knows more: dates in full; dates relative to the last one; the list of names at the start.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import click

from benchmarks.reproduction.speed.clock import write_results
from generators.texts.groups import read_sources
from generators.texts.run import DraftSettings, GeneratedText, write
from grammar.dates import MONTHS, WEEKDAYS
from grammar.texts.model import TextStyle
from solver.cli.printing import print_json

LEVELS = ("dates in full", "relative dates", "lists of names")
SETS = ("single", "multi")

_NUMBERS = (
    "zero", "a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip
_PLACES = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth",
)  # fmt: skip
_DATE = r"(?:\w+, )?(?:([A-Z]\w+) (\d+)\w\w, (\d{4})|(\d{4}-\d\d-\d\d))"
_RELATIVE = r"(?:[Tt]he (?:\w+ )?\w*day(?: before)?|\w+ (?:day|week)s? \w+er)"
_NAME = r"([Tt]he \w+|“[^”]+”|[A-ZÀ-Ý0-9(](?:[^;]| (?=[a-z]+ [A-ZÀ-Ý]))*?)"
_NOTHING = "wrong|nothing|Nothing|Contrary|denied|withdrawn|wide of|mistake"
_LIST = r"(?:about|are|follows) ((?:[^;]+; )+[^;]+?)\.(?= [A-Z“\d])"
_STARTS = (
    r"commence|embark|enter|launch|step(?! ?p?e?d? down)|usher|start|first day|beginning|open|join"
    r"|bec[ao]me|sign(?:ed)? up|t[ao]ke|took|rece|w[io]n |marr"
)
KEYWORDS = {
    "memberOf": "member|join|left|leave|signed|sign up|part",
    "worksFor": "employ|work|post|staff|job",
    "playsIn": "league|play",
    "award": "honour|award|prize",
    "homeLocation": "residence|live|move",
    "spouse": "wed|marr",
    "academicDegree": "degree|graduat",
    "owns": "owner",
}

Found = tuple[str, str, str, str]


def find(text: str, level: str) -> Iterator[Found]:
    """The facts that the expressions find in a text."""
    last: date | None = None
    listed = re.search(_LIST, text) if level == LEVELS[2] else None
    names = [] if listed is None else [name.strip("“”") for name in listed[1].split("; ")]
    for sentence in re.split(r"(?<=\w\w[\w”)]\.) (?=[A-Z“\d])|(?<=\d –) ", text):
        if re.search(_NOTHING, sentence):
            continue
        for part in sentence.split(", and "):
            last = _day(part, last, relative=level != LEVELS[0]) or last
            when = rf"(?:[Oo]n {_DATE}|{_RELATIVE})"
            connective = "(?:Later|Meanwhile|On the same day), "
            bare = re.sub(rf"^{connective}|^{when},? | {when}\.?$|\.$", "", part)
            clause = re.fullmatch(rf"{_NAME} ((?:[a-z]+ )+?){_NAME}", bare)
            if clause is None or last is None:
                continue
            relation = next((r for r, words in KEYWORDS.items() if re.search(words, clause[2])), "")
            bound = "start" if re.search(_STARTS, clause[2]) else "end"
            relation = bound + relation[:1].upper() + relation[1:]
            yield _entity(clause[1], names), relation, _entity(clause[3], names), last.isoformat()


def _day(part: str, last: date | None, *, relative: bool) -> date | None:
    """The date of a clause."""
    full = re.search(_DATE, part)
    if full is not None and (full[4] or full[1] in MONTHS):
        if full[4]:
            return date.fromisoformat(full[4])
        return date(int(full[3]), MONTHS.index(full[1]) + 1, int(full[2]))
    if not relative or last is None:
        return None
    counted = re.search(r"(\w+) (day|week)s? (later|earlier)", part)
    if counted is not None:
        number = counted[1].lower()
        days = int(number) if number.isdigit() else _NUMBERS.index(number)
        days *= 7 if counted[2] == "week" else 1
        return last + timedelta(days if counted[3] == "later" else -days)
    named = re.search(r"following (\w+)|he (\w+) before|(same) day|(next) day", part)
    if named is None:
        return None
    if named[3] or named[4]:
        return last + timedelta(1 if named[4] else 0)
    word, sign = named[1] or named[2], 1 if named[1] else -1
    steps = range(1, 8) if word in WEEKDAYS else [1]
    near = [last + timedelta(sign * step) for step in steps]
    return next(day for day in near if word not in WEEKDAYS or WEEKDAYS[day.weekday()] == word)


def _entity(words: str, names: list[str]) -> str:
    """A name, or a listed name by its place or by its first or last word."""
    place = words.split(" ")[-1]
    if words[:4] in ("The ", "the ") and place in _PLACES[: len(names)]:
        return names[_PLACES.index(place)]
    fitting = (name for name in names if words in (name.split(" ")[0], name.split(" ")[-1]))
    return next(fitting, words).strip("“”")


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--json", "as_values", is_flag=True, help="Print one JSON object and nothing else.")
@click.option("--write", is_flag=True, help="Also write benchmarks/results/expressions.{md,json}.")
def main(folder: Path, as_values: bool, write: bool) -> None:
    """Write texts of FOLDER's balanced references, and count the facts that are found."""
    values = {"rows": [row for name in SETS for row in _rows(folder, name)]}
    if write:
        write_results("expressions", values, table(values))
    if as_values:
        print_json(values)
        return
    click.echo(table(values), nl=False)


def _rows(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    sources = read_sources(str(folder / f"yago2026_{name}.references.txt"), clean=True)
    for style in TextStyle:
        texts = list(write(list(sources.groups), DraftSettings(style=style, seed=1)))
        row: dict[str, Any] = {"set": name, "style": style.value, "texts": len(texts)}
        row["facts"] = sum(len(_facts(text)) for text in texts)
        for level in LEVELS:
            row[level] = round(100 * found_share(texts, level), 1)
        yield row


def found_share(texts: Sequence[GeneratedText], level: str) -> float:
    """The share of the facts of texts that the expressions find."""
    hits = sum(len(set(find(text.text, level)) & _facts(text)) for text in texts)
    return hits / sum(len(_facts(text)) for text in texts)


def _facts(text: GeneratedText) -> set[Found]:
    return {(f.subject, f.relation, f.object, f.date.isoformat()) for f in text.facts}


def table(values: dict[str, Any]) -> str:
    """The shares in percent, as a Markdown table."""
    lines = [
        f"| texts | style | facts | {' | '.join(LEVELS)} |",
        f"|---|---|---:|{'---:|' * len(LEVELS)}",
    ]
    lines += [
        f"| {row['set']}, {row['texts']:,} | {row['style']} | {row['facts']:,} | "
        + " | ".join(f"{row[level]:.1f}%" for level in LEVELS)
        + " |"
        for row in values["rows"]
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
