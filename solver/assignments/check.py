"""Checks answers of assignment puzzles, with nothing but this file.

    python check.py items.jsonl

Each line of items.jsonl, which ``audit`` and ``verify`` write, has a label, a verdict, and for each
reading a puzzle, the phrases by which it is read, models, and clues that refute options: see
docs/assignments.md. The puzzle is read again here, by no shared code, and refutations are searched
again. Exit status: 0 if every line is proved, 1 if one is not, 2 if a file cannot be read.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

KIND = "assignments"


class RejectedError(Exception):
    """A line does not prove what it says."""


def require(condition: object, reason: str) -> None:
    """Reject the line unless a condition holds."""
    if not condition:
        raise RejectedError(reason)


# --- What the puzzle says -------------------------------------------------------------------------

COUNT = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
RANKS = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
)
SLOT = re.compile(r"\{(\w+)\}")
NO_FORM = {
    "not", "never", "no", "nor", "or", "and", "but", "if", "is", "does", "both", "either",
    "next", "left", "right",
}  # fmt: skip
SKIPPED = re.compile(
    r"Using the clues provided below, answer the question at the end\."
    r"|Some of (?:the )?clues provided might be irrelevant to the puzzle\."
)
MOST = 1 << 12  # Combinations of meanings that are searched for one refutation.

Term: TypeAlias = tuple[str, int]
"""A thing with its number, a mention with its number in ``Puzzle.mentions``, or a place."""


class Statement(NamedTuple):
    """What a clue or an option says: its relation, its terms, and the place of ``at``."""

    relation: str
    terms: tuple[Term, ...]
    place: int


class Puzzle(NamedTuple):
    """A puzzle as it is read here."""

    places: int
    categories: list[list[int]]
    clues: list[Statement]
    options: dict[str, Statement]
    mentions: dict[tuple[int, int], tuple[int, ...]]  # clue and part; the question is the last clue


Parsed: TypeAlias = tuple[str, tuple[str, ...], int]
"""Relation, texts of the terms, and place of a sentence."""


def readings(
    sentence: str, phrases: Sequence[tuple[str, str]], known: Callable[[str], bool]
) -> Iterator[tuple[str, dict[str, str]]]:
    """Each way in which a phrase reads a sentence: its meaning, and the text of each slot."""
    text = " ".join(sentence.split()).removesuffix(".").removesuffix("?").rstrip().replace("’", "'")
    for phrase, meaning in phrases:
        head, *rest = SLOT.split(phrase)
        start = text[: len(head)]
        if start[:1].lower() + start[1:] == head[:1].lower() + head[1:]:
            for names in filled(text, len(head), rest[::2], rest[1::2], known, {}):
                yield meaning, names


def filled(
    text: str,
    at: int,
    slots: Sequence[str],
    words: Sequence[str],
    known: Callable[[str], bool],
    names: dict[str, str],
) -> Iterator[dict[str, str]]:
    """Each way to fill the slots of a phrase, with the words after them, from a place of a text."""
    if not slots:
        if at == len(text):
            yield names
        return
    word = words[0]
    ends = [len(text) - len(word)] if len(slots) == 1 else range(at + 1, len(text))
    for end in ends:
        if end > at and text.startswith(word, end):
            name = text[at:end]
            name = name[:4].lower() + name[4:] if at == 0 and name[:4] == "The " else name
            if names.get(slots[0], name) == name and known(name):
                more = {**names, slots[0]: name}
                yield from filled(text, end + len(word), slots[1:], words[1:], known, more)


def rank(word: str, places: int) -> int:
    """The number that an ordinal or a numeral means; 0 if it means none."""
    digits = re.fullmatch(r"([0-9]+)(?:st|nd|rd|th)?", word)
    number = int(digits[1]) if digits else RANKS.index(word) + 1 if word in RANKS else 0
    return number if number <= places else 0


RELATIONS = (
    (r"(\w+) same as (\w+)", "same"), (r"(\w+) differs from (\w+)", "differs"),
    (r"(\w+) just before (\w+)", "adjoining"), (r"(\w+) before (\w+)", "earlier"),
    (r"(\w+) next to (\w+)", "beside"), (r"(\w+) between (\w+) and (\w+)", "between"),
    (r"(\w+) at an end", "outer"),
)  # fmt: skip


def meant(meaning: str, names: Mapping[str, str], places: int) -> Parsed:
    """A meaning with its slots filled: relation, texts of the terms, place."""
    for form, relation in RELATIONS:
        if found := re.fullmatch(form, meaning):
            return relation, tuple(names[slot] for slot in found.groups()), 0
    found = re.fullmatch(r"(\w+) at (\w+)( from last)?", meaning)
    require(found, f"{meaning!r} is no statement about places")
    assert found is not None
    number = rank(names.get(found[2], found[2]), places)
    place = places + 1 - number if found[3] and number else number
    return "placed", (names[found[1]],), place


def only(found: Iterable[Parsed], sentence: str) -> Parsed:
    """The single reading of a sentence."""
    kept = {row for row in found if row[0] != "placed" or row[2]}
    require(len(kept) == 1, f"{len(kept)} readings of {sentence!r}")
    return kept.pop()


def read(case: Mapping[str, Any]) -> Puzzle:
    """Read the puzzle of a case."""
    phrases = [(row["text"].replace("’", "'"), row["means"][0]) for row in case["phrases"]]
    if case["text"].lstrip().startswith("There are "):
        return read_people(case["text"], phrases)
    return read_objects(case["text"], phrases)


def read_objects(text: str, phrases: Sequence[tuple[str, str]]) -> Puzzle:
    """Read a puzzle about one list of things, with options."""
    body, options = text.strip().split("\nOptions:\n")
    body = " ".join(body.split())
    body = re.sub(
        r"^The following paragraphs each describe a set of \w+ objects arranged in a fixed order\."
        r" The statements are logically consistent within each paragraph\. ",
        "", body,
    )  # fmt: skip
    start, _, rest = body.partition(": ")
    listed, _, rest = rest.partition(". ")
    names = [
        re.sub(r"^(?:(?:a|an|the) )", "", re.sub("^and ", "", name.strip()))
        for name in re.split(r", | and ", listed)
        if name.strip()
    ]
    words = [word for word in start.split() if word in COUNT or word.isdecimal()]
    require("." not in start and words, "the list of things is not found")
    number = int(words[-1]) if words[-1].isdecimal() else COUNT.index(words[-1]) + 1
    require(len(set(names)) == len(names) == number, "things are missing")

    def statement(sentence: str) -> Statement:
        def known(name: str) -> bool:
            return name in names or rank(name, number) > 0

        found = (
            meant(meaning, slots, number) for meaning, slots in readings(sentence, phrases, known)
        )
        relation, terms, place = only((row for row in found if set(row[1]) <= set(names)), sentence)
        return Statement(relation, tuple(("thing", names.index(name)) for name in terms), place)

    clues = [statement(sentence) for sentence in re.split(r"(?<=\.) ", rest)]
    chosen = (re.fullmatch(r"(\([A-Z]\)) (.+)", line.strip()) for line in options.splitlines())
    claims = {found[1]: statement(found[2]) for found in chosen if found}
    require(len(claims) == len(options.strip().splitlines()), "an option has another form")
    return Puzzle(number, [list(range(number))], clues, claims, {})


def read_people(text: str, phrases: Sequence[tuple[str, str]]) -> Puzzle:
    """Read a puzzle about people in a row."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    head = re.match(r"There are ([0-9]+) people ", lines[0])
    require(head, "the number of people is not found")
    assert head is not None
    places, things = int(head[1]), dict[str, list[int]]()
    categories: list[list[int]] = []
    sentences: list[str] = []
    for line in lines[1:-1]:
        if line.startswith("Everyone "):
            names = line.removesuffix(".").partition(": ")[2].split(", ")
            require(len(set(names)) == places, "a category has another number of things")
            begin = sum(map(len, categories))
            categories.append(list(range(begin, begin + places)))
            for number, name in enumerate(names, begin):
                things.setdefault(name, []).append(number)
        elif found := re.match(r"Clue [0-9]+: ", line):
            sentences.append(line[found.end() :])
        else:
            require(SKIPPED.fullmatch(line), f"{line!r} is no clue")

    longest = sorted(things, key=len, reverse=True)

    @cache
    def described(name: str) -> tuple[str, str] | None:
        """The form of a description, and the word in it."""
        for word in longest:
            if word not in name:
                continue
            for found in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", name):
                before, after = name[: found.start()], name[found.end() :]
                shaped = re.fullmatch(r"(the (person who ([a-z]+ )+)?)?", before)
                plain = NO_FORM.isdisjoint(f"{before}{after}".split())
                if shaped and plain and re.fullmatch(r"( [a-z]+)?", after):
                    return f"{before}|{after}", word
        return None

    @cache
    def placed_at(name: str) -> int:
        found = re.fullmatch(r"the (?:person|one) (?:at|in) the (\w+) (?:position|place)", name)
        return rank(found[1], places) if found else 0

    def known(name: str) -> bool:
        return bool(described(name) or placed_at(name) or rank(name, places))

    def parsed(sentence: str) -> Parsed:
        found = (
            meant(meaning, slots, places)
            for meaning, slots in readings(sentence, phrases, known)
            if not re.fullmatch(r"position of (\w+)", meaning)
        )
        kept = (row for row in found if not any(rank(name, places) for name in row[1]))
        return only(kept, sentence)

    rows = [parsed(sentence) for sentence in sentences]
    asked = [
        names[found[1]]
        for meaning, names in readings(lines[-1].partition("Question: ")[2], phrases, known)
        if (found := re.fullmatch(r"position of (\w+)", meaning))
    ]
    require(len(asked) == 1, "the question has not one reading")
    forms: dict[int, set[str]] = {}
    for name in [*(name for row in rows for name in row[1]), asked[0]]:
        shape = described(name)
        if shape and not placed_at(name) and len(things[shape[1]]) == 1:
            forms.setdefault(things[shape[1]][0] // places, set()).add(shape[0])
    mentions: dict[tuple[int, int], tuple[int, ...]] = {}

    def term(name: str, clue: int, part: int) -> Term:
        if placed_at(name):
            return "place", placed_at(name)
        form, word = described(name) or ("", "")
        numbers = things[word]
        fitting = [number for number in numbers if form in forms.get(number // places, {form})]
        numbers = fitting or numbers
        if len(numbers) == 1:
            return "thing", numbers[0]
        mentions[clue, part] = tuple(numbers)
        return "mention", list(mentions).index((clue, part))

    clues = [
        Statement(
            relation, tuple(term(name, number, part) for part, name in enumerate(names)), place
        )
        for number, (relation, names, place) in enumerate(rows)
    ]
    who = term(asked[0], len(rows), 0)
    options = {str(place): Statement("placed", (who,), place) for place in range(1, places + 1)}
    return Puzzle(places, categories, clues, options, mentions)


# --- What the evidence shows ----------------------------------------------------------------------


def true_of(statement: Statement, spots: Sequence[int], places: int) -> bool:
    """Whether a statement is true of the places of its terms."""
    first, second = spots[0], spots[min(1, len(spots) - 1)]
    match statement.relation:
        case "same":
            return first == second
        case "differs":
            return first != second
        case "earlier":
            return first < second
        case "adjoining":
            return first + 1 == second
        case "beside":
            return abs(first - second) == 1
        case "between":
            return second < first < spots[2]
        case "outer":
            return first in (1, places)
    return first == statement.place


class Model:
    """An assignment of places, with a meaning of each mention."""

    def __init__(self, row: Mapping[str, Any], puzzle: Puzzle, fixed: Mapping[Any, int]) -> None:
        self.places = row["places"]
        keys = list(puzzle.mentions)
        self.meanings = {keys.index((c, p)): t for c, p, t in row["meanings"] if (c, p) in keys}
        for key, thing in fixed.items():
            self.meanings.setdefault(key, thing)
            require(self.meanings[key] == thing, "a model has another meaning of a word")
        for key, thing in self.meanings.items():
            require(thing in puzzle.mentions[keys[key]], "a word does not mean that")
        for members in puzzle.categories:
            spots = sorted(self.places[number] for number in members)
            require(spots == list(range(1, puzzle.places + 1)), "a model is no assignment")

    def makes(self, statement: Statement, places: int) -> bool:
        """Whether a statement is true in the model."""
        spots = []
        for sort, number in statement.terms:
            if sort == "mention":
                number = self.meanings[number]
            spots.append(number if sort == "place" else self.places[number])
        return true_of(statement, spots, places)


def contradict(
    puzzle: Puzzle,
    clues: Sequence[Statement],
    denied: Sequence[Statement],
    fixed: Mapping[int, int],
) -> bool:
    """Whether no assignment makes some clues true and other statements false."""
    used = [*clues, *denied]
    mentions = sorted(
        {number for row in used for sort, number in row.terms if sort == "mention"} - set(fixed)
    )
    keys = list(puzzle.mentions)
    choices = [puzzle.mentions[keys[number]] for number in mentions]
    total = 1
    for things in choices:
        total *= len(things)
    require(total <= MOST, "too many meanings are left open")
    for chosen in product(*choices):
        meanings = {**fixed, **dict(zip(mentions, chosen, strict=True))}

        def variables(row: Statement, meanings: Mapping[int, int] = meanings) -> tuple[int, ...]:
            """A thing by its number, a place by its negative number."""
            return tuple(
                -number if sort == "place" else meanings[number] if sort == "mention" else number
                for sort, number in row.terms
            )

        rows = [(row, variables(row), True) for row in clues]
        rows += [(row, variables(row), False) for row in denied]
        if satisfiable(puzzle, rows):
            return False
    return True


Row: TypeAlias = tuple[Statement, tuple[int, ...], bool]


def satisfiable(puzzle: Puzzle, rows: Sequence[Row]) -> bool:
    """Whether the things of some statements have places that make these true, or false.

    Things of no statement fill the places that are left.
    """
    whole = (1 << puzzle.places) - 1
    category = {n: index for index, members in enumerate(puzzle.categories) for n in members}
    domains = {name: whole for _, names, _ in rows for name in names if name >= 0}
    # Thing 0 has no negative number: places start at 1.
    domains |= {name: 1 << (-name - 1) for _, names, _ in rows for name in names if name < 0}
    groups: dict[int, list[int]] = {}
    for name in domains:
        if name >= 0:
            groups.setdefault(category[name], []).append(name)
    return search(puzzle.places, domains, rows, list(groups.values()))


def search(
    places: int, domains: dict[int, int], rows: Sequence[Row], groups: Sequence[Sequence[int]]
) -> bool:
    """Whether the domains contain a solution: propagate, then try the places of one thing."""
    if not propagate(places, domains, rows, groups):
        return False
    open_ = [name for name, domain in domains.items() if domain & (domain - 1)]
    if not open_:
        return True
    name = min(open_, key=lambda other: domains[other].bit_count())
    for place in range(places):
        narrowed = {**domains, name: 1 << place}
        if domains[name] >> place & 1 and search(places, narrowed, rows, groups):
            return True
    return False


def propagate(
    places: int, domains: dict[int, int], rows: Sequence[Row], groups: Sequence[Sequence[int]]
) -> bool:
    """Remove places that no solution has, until nothing changes; whether no domain is empty."""
    while True:
        before = sum(domain.bit_count() for domain in domains.values())
        for row, names, wanted in rows:
            narrow(places, domains, row, names, wanted)
        for group in groups:
            seen = twice = 0
            for name in group:
                domain = domains[name]
                if domain & (domain - 1) == 0:
                    for other in group:
                        if other != name:
                            domains[other] &= ~domain
                twice |= seen & domain
                seen |= domain
            if len(group) == places:
                if seen.bit_count() < places:
                    return False
                for name in group:
                    if single := domains[name] & ~twice:
                        domains[name] = single
        if not all(domains.values()):
            return False
        if before == sum(domain.bit_count() for domain in domains.values()):
            return True


def narrow(
    places: int, domains: dict[int, int], row: Statement, names: Sequence[int], wanted: bool
) -> None:
    """Keep the places of each term for which the others have places that fit."""
    spots = [[p + 1 for p in range(places) if domains[name] >> p & 1] for name in names]
    kept = [0] * len(names)
    for chosen in product(*spots):
        if true_of(row, chosen, places) is wanted and consistent(names, chosen):
            for index, place in enumerate(chosen):
                kept[index] |= 1 << (place - 1)
    for name, domain in zip(names, kept, strict=True):
        domains[name] &= domain


def consistent(names: Sequence[int], chosen: Sequence[int]) -> bool:
    """Whether a name that occurs twice has one place."""
    if len(set(names)) == len(names):
        return True
    return len(set(zip(names, chosen, strict=True))) == len(set(names))


def verdict_of(case: Mapping[str, Any], gold: object) -> tuple[str, str | None]:
    """The verdict about a label under one reading, and the right label, as the evidence shows."""
    puzzle = read(case)
    require(gold in puzzle.options, "the label is no option")
    keys = list(puzzle.mentions)
    fixed = {keys.index((clue, part)): thing for clue, part, thing in case["meanings"]}
    unclear = {clue for clue, _ in keys}
    if case["under"].get("words") == "some":
        require(not case["meanings"] or len(fixed) == len(keys), "a mention has no meaning")
    else:
        require(not fixed, "meanings are fixed")
    leave = case["under"].get("words") == "unused"
    used = {n: row for n, row in enumerate(puzzle.clues) if not (leave and n in unclear)}

    def rows(core: Sequence[int]) -> list[Statement]:
        require(set(core) <= set(used), "a refutation uses other clues")
        return [used[number] for number in core]

    if case["verdict"] == "contradictory":
        require(contradict(puzzle, rows(case["core"]), (), fixed), "the clues have a model")
        return "contradictory", None
    models = [Model(row, puzzle, fixed) for row in case["models"]]
    for model in models:
        for row in used.values():
            require(model.makes(row, puzzle.places), "a model breaks a clue")
    require(models, "no model is shown")
    refuted = {label for label, core in case["refutations"].items()
               if contradict(puzzle, [*rows(core), puzzle.options[label]], (), fixed)}  # fmt: skip
    require(len(refuted) == len(case["refutations"]), "an option is not refuted")
    entailed = {label for label, core in case["denials"].items()
                if contradict(puzzle, rows(core), (puzzle.options[label],), fixed)}  # fmt: skip
    require(len(entailed) == len(case["denials"]), "an option does not follow")
    true = {label: {model.makes(claim, puzzle.places) for model in models}
            for label, claim in puzzle.options.items()}  # fmt: skip
    if len(entailed) > 1:
        return "unanswerable", None
    for label in puzzle.options:
        known = label in entailed or label in refuted or False in true[label]
        require(known, f"{label} is neither refuted nor false in a model")
    if entailed:
        (label,) = entailed
        return ("right" if label == gold else "wrong"), label
    if len(refuted) == len(puzzle.options):
        return "no-right-option", None
    require(any(True in seen for seen in true.values()), "no option is possible")
    return "unanswerable", None


def fault_of_case(case: Mapping[str, Any], gold: object) -> str | None:
    """What is wrong with the verdict under one reading; None if it is proved."""
    try:
        verdict, decided = verdict_of(case, gold)
        require(case["verdict"] == verdict, f"the verdict is {verdict}")
        require(case["decided"] == decided, f"the answer is {decided}")
    except RejectedError as error:
        return str(error)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        return f"not a certificate: {type(error).__name__}: {error}"
    return None


# --- Lines of an audit ----------------------------------------------------------------------------


def fault_of_row(row: Mapping[str, Any]) -> str | None:
    """What is wrong with a line; None if its verdict is proved."""
    if row.get("verdict") == "unread":
        return None if row.get("gold") is None and not row.get("certificate") else "not unread"
    certificate = row.get("certificate")
    if not isinstance(certificate, dict) or not certificate.get("cases"):
        return "it has no certificate"
    gold, cases = certificate.get("gold"), certificate["cases"]
    if certificate.get("kind", KIND) != KIND:
        return "the certificate is of another kind"
    if row.get("gold") != gold:
        return "the certificate is about another label"
    for case in cases:
        if not isinstance(case, dict) or not isinstance(case.get("under"), dict):
            return "a case is malformed"
        fault = fault_of_case(case, gold)
        if fault is not None:
            return f"reading {case.get('reading', '')}: {fault}"
        named = ", ".join(f"{name}={value}" for name, value in sorted(case["under"].items()))
        if case.get("reading") != (named or "the only one"):
            return "a reading has another name"
    if any(case["text"] != cases[0]["text"] for case in cases):
        return "the readings are of several texts"
    shown = {
        case["reading"]: {"verdict": case["verdict"], "decided": case["decided"]} for case in cases
    }
    if row.get("readings") != shown:
        return "its readings are not those of the certificate"
    right = [case["verdict"] == "right" for case in cases]
    verdict = "right-under" if any(right) and not all(right) else cases[0]["verdict"]
    if row.get("verdict") != verdict:
        return f"the verdict is {verdict}"
    if row.get("decided") != cases[0]["decided"]:
        return f"the answer is {cases[0]['decided']}"
    return None


def check_file(path: str) -> Iterator[tuple[int, str, str | None]]:
    """Check the lines of a file: number from 1, id, and fault of each."""
    with Path(path).open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except ValueError:
                yield number, "", "not JSON"
                continue
            if not isinstance(row, dict):
                yield number, "", "not an object"
            elif row.get("kind", KIND) == KIND:
                yield number, str(row.get("id", "")), fault_of_row(row)


def main(paths: Sequence[str]) -> int:
    """Check files; returns the exit status."""
    rejected = 0
    for path in paths:
        try:
            for number, name, fault in check_file(path):
                if fault is not None:
                    rejected += 1
                    sys.stdout.write(f"{path}:{number}: {fault} (item {name})\n")
        except (OSError, UnicodeDecodeError) as error:
            sys.stderr.write(f"{path}: {error}\n")
            return 2
    return 1 if rejected else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
