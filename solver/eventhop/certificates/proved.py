"""Runs the checker that is compiled from the Coq proofs beside ``check.py``.

It reads items in numbers: proofs/README.md lists them. The program that ``make proofs`` built is
used; where there is none, node runs ``proved.js``, the same checker compiled to JavaScript.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cache
from itertools import islice
from pathlib import Path
from threading import Thread
from typing import IO, Any, NamedTuple, TypeAlias, TypeVar

from grammar.errors import ExitStatus, HopcheckError
from solver.eventhop import check

Json: TypeAlias = Any
Batch = TypeVar("Batch")
Place = TypeVar("Place", int, str)
"""Number of a line, or its file and number."""
Row: TypeAlias = tuple[Place, str, str | None]
"""Place, name and fault of a verdict."""

NATIVE = Path(__file__).resolve().parents[3] / "build" / "proofs" / "check"
SCRIPT = Path(__file__).with_name("proved.js")
BATCH = 150
"""Lines that are checked at once."""

FORMS = (
    *(("temporal", "geometric"), ("logical", "geometric")),
    *(("spatial", "geometric"), ("spatial", "published")),
)
"""Domain and spatial reading of each wording that the compiled checker reads."""

_IN_NODE = """
const { answer } = require(process.argv[1]);
let rest = "";
process.stdin.setEncoding("utf8").on("data", (chunk) => {
  const lines = (rest + chunk).split("\\n");
  rest = lines.pop();
  process.stdout.write(lines.map((line) => answer(line) + "\\n").join(""));
});
"""

_SIGNS = ("<", ">", "=", "<=", ">=")
_ALLEN = (
    *("precedes", "meets", "overlaps", "finished_by", "contains", "starts", "equals"),
    *("started_by", "during", "finishes", "overlapped_by", "met_by", "preceded_by"),
)
_KINDS = (
    *("before", "after", "overlaps", *_SIGNS[:3]),
    *(f"allen_{name}" for name in _ALLEN),
    *_SIGNS[3:],
)
_TEXTS = "texts "
_LONGEST = 20_000
"""Characters of a premise that the compiled checker is to read; ``check.py`` reads no longer ones
about events."""
_STATUSES = ("entailed", "refuted", "unknown", "contradictory")
_POLICIES = ("local", "global", "published")


class NoProvedCheckerError(HopcheckError):
    """Neither the compiled checker nor node is there."""

    code = "no-proved-checker"


class CheckersDifferError(HopcheckError):
    """The two checkers do not accept the same certificates: one is wrong."""

    code = "checkers-differ"
    exit_status = ExitStatus.DISAGREEMENT


class Answer(NamedTuple):
    """What the compiled checker answers to a line.

    Attributes:
        accepted: whether it accepts the verdict.
        read: whether it has read the texts of the item itself.
    """

    accepted: bool
    read: bool


class Compiled(NamedTuple):
    """How the compiled checker is run.

    Attributes:
        before: lines that it gets before those that it is to judge.
    """

    name: str
    command: tuple[str, ...]
    before: tuple[str, ...] = ()

    @contextmanager
    def running(self) -> Iterator[Running]:
        """It runs until the context ends.

        Raises:
            NoProvedCheckerError: it does not run.
        """
        try:
            process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        except OSError as error:
            message = f"the proved checker ({self.name}) does not run: {error}"
            raise NoProvedCheckerError(message) from None
        with process:
            run = Running(self.name, process)
            try:
                run.ask(self.before)
                yield run
            finally:
                process.kill()

    def answers(self, lines: Sequence[str]) -> list[Answer]:
        """The answer to each line.

        Raises:
            NoProvedCheckerError: it does not run.
        """
        with self.running() as run:
            return run.answers(lines)

    def readings(self, texts: Iterable[tuple[str, str, str, str]]) -> list[str | None]:
        """The items that texts say, as ``item_line`` writes them; None if it does not read them.

        Args:
            texts: domain, spatial reading, premise and claim of each item.

        Raises:
            NoProvedCheckerError: it does not run.
        """
        lines = [
            f"read {FORMS.index((domain, spatial))} {_coded(premise)} {_coded(claim)}"
            for domain, spatial, premise, claim in texts
        ]
        with self.running() as run:
            run.learn()
            return [None if found == "unread" else found for found in run.ask(lines)]


class Running:
    """The compiled checker while it runs.

    Attributes:
        name: how it runs.
    """

    def __init__(self, name: str, process: subprocess.Popen[str]) -> None:
        self.name = name
        self._process = process
        self._learned = False

    def answers(self, lines: Sequence[str]) -> list[Answer]:
        """The answer to each line.

        Raises:
            NoProvedCheckerError: it ended.
        """
        with_texts = [line.startswith(_TEXTS) for line in lines]
        if any(with_texts):
            self.learn()
        return [
            Answer(answer.startswith("accepted"), read and not answer.endswith("unread"))
            for answer, read in zip(self.ask(lines), with_texts, strict=True)
        ]

    def learn(self) -> None:
        """Give it the wordings, if it has not got them yet.

        Raises:
            NoProvedCheckerError: it ended, or does not take them.
        """
        if not self._learned and {*self.ask(wordings())} != {"accepted"}:
            message = f"the proved checker ({self.name}) does not take the table of phrases"
            raise NoProvedCheckerError(message)
        self._learned = True

    def ask(self, lines: Sequence[str]) -> list[str]:
        """What it writes after each line.

        Raises:
            NoProvedCheckerError: it ended.
        """
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        # It may wait until its answers are read.
        writing = Thread(target=_write, args=(process.stdin, lines))
        writing.start()
        found = [line.rstrip("\n") for line in islice(process.stdout, len(lines))]
        writing.join()
        if len(found) != len(lines):
            message = f"the proved checker ({self.name}) answers {len(found)} of {len(lines)} lines"
            raise NoProvedCheckerError(message)
        return found


def _write(file: IO[str], lines: Sequence[str]) -> None:
    with suppress(OSError):  # If it ended, an answer is missing.
        file.writelines(f"{line}\n" for line in lines)
        file.flush()


@cache
def compiled() -> Compiled:
    """The compiled checker: native where it is built, else in node.

    Raises:
        NoProvedCheckerError: there is none.
    """
    if NATIVE.is_file():
        return Compiled("native", (str(NATIVE),))
    return in_node()


def name() -> str:
    """How the compiled checker runs: ``native`` or ``JavaScript``."""
    return compiled().name


def in_node() -> Compiled:
    """The checker in JavaScript.

    Raises:
        NoProvedCheckerError: node is not installed.
    """
    node = shutil.which("node")
    if node is None:
        message = "found neither build/proofs/check nor node, expected one of them"
        hint = "run make proofs (Debian: coq ocaml-nox), or install Node.js"
        raise NoProvedCheckerError(message, hint=hint)
    return Compiled("JavaScript", (node, "-e", _IN_NODE, str(SCRIPT)))


def wordings() -> list[str]:
    """Lines that give the compiled checker the wordings that it reads, numbered as in ``FORMS``."""
    return [
        f"wording {number} {' '.join(flat(_coded(_wording(*form))))}"
        for number, form in enumerate(FORMS)
    ]


def _wording(domain: str, spatial: str) -> list[Json]:
    """The phrases of a domain, and the words that are no part of a name."""
    table = check.PHRASES[domain]
    reader = check._reader(domain, spatial)
    if isinstance(reader, check.Symbols):
        firsts = articles = [""]
        inner = [("", "1", 0), ("", "2", 1)]
        first = inner
    else:
        firsts, articles = ["The ", "the ", ""], ["the ", ""]
        inner = [(mark, "", bound) for mark, bound in reader.marks.items()]
        first = inner + [(mark.capitalize(), "", bound) for mark, _, bound in inner]
    phrases = [
        (begin.removesuffix(" the"), _SIGNS.index(sign), last)
        for sign in "<>="
        for begin, _, last in (phrase.partition(" …") for phrase in table[sign])
    ]
    relations = [(phrase, _KINDS.index(name)) for name in check.CLAIMS for phrase in table[name]]
    words = {name: text.split() for name, text in check.NAMES.items()}
    return [
        *(firsts, articles, first, inner, _by_letter(phrases)),
        *(*_predicates(domain, spatial), relations),
        int(domain == "logical"),
        _by_letter([(word,) for word in words["operators"]]),
        _by_letter([(word,) for word in sorted(_words_of_phrases(domain, spatial))]),
        *(words["articles"], words["prepositions"], words["between"]),
        words["nouns"] + words["nouns_in_ed"],
        words["pasts"] + words["particles"],
    ]


_MEANINGS = {  # Of a verb, by what follows it; a verb after the other event names the last point.
    "begin": {
        **{"before": "A- < B-", "earlier": "A- < B-", "after": "A- > B+", "later": "A- > B-"},
        **{"not_later": "A- <= B-", "not_earlier": "A- >= B-", "same": "A- = B-"},
        "during": "A- > B-, A- < B+",
    },
    "end": {
        **{"before": "A+ < B-", "earlier": "A+ < B+", "after": "A+ > B+", "later": "A+ > B+"},
        **{"not_later": "A+ <= B+", "not_earlier": "A+ >= B+", "same": "A+ = B+"},
        "during": "A+ > B-, A+ < B+",
    },
    "whole": {
        **{"before": "A+ < B-", "earlier": "A+ < B-", "after": "A- > B+", "later": "A- > B+"},
        "during": "A- > B-, A+ < B+",
    },
}
_MEANINGS |= {  # "Had ended", "was over": these do not say at which time.
    perfect: {kind: text for kind, text in _MEANINGS[verb].items() if kind != "same"}
    for perfect, verb in (("begun", "begin"), ("ended", "end"))
}
_POINTS = {"begin": "-", "end": "+", "begun": "-", "ended": "+"}
_DIRECT = {"precede": "A+ < B-", "follow": "A- > B+"}
_LEADS = {
    *("all", "even", "finally", "eventually", "only", "will", "did", "had", "has", "have"),
    *("is", "are"),
}


def _is_short(text: str, kind: str) -> bool:
    """Whether the compiled checker gets a phrase; longer ones are left to ``check.py``."""
    words = text.split()
    if kind in ("begun", "ended"):
        return len(words) == 2 and words[0] in ("had", "was", "were")
    # "Took place" and "entirely before" are phrases too.
    return words[0] not in _LEADS and (len(words) == 1 or words[-1] not in ("entirely", "wholly"))


def _predicates(domain: str, spatial: str) -> tuple[list[Json], ...]:
    """What may follow the second event; meanings; what may follow a verb; verbs of the first event.

    Of the phrases of ``check.py`` those with one meaning, whatever is before and after them.
    """
    phrases: dict[str, list[str]] = {}
    for text, kind in check._phrases(domain, spatial)[0].items():
        if _is_short(text, kind):
            phrases.setdefault(kind, []).append(text)
    closings = [[""], *(phrases.get(kind, []) for kind in _POINTS)]
    published = tuple(f"{some} " for name in check.CLAIMS for some in check.PHRASES[domain][name])
    closed: list[Json] = []
    continued: list[Json] = []
    predicates: list[Json] = []

    @cache
    def meant(verb: str, meaning: str, *, strictly: bool, also_published: bool) -> int:
        """The place of the meanings of a phrase, by what follows the other event."""
        ends = {0: meaning}
        if verb in _MEANINGS and ", " not in meaning:
            for number, (kind, sign) in enumerate(_POINTS.items(), 1):
                if "=" not in meaning.split() or kind in ("begin", "end"):
                    ends[number] = meaning[:-1] + sign
        points = verb in _POINTS
        row: list[Json] = []
        for place, some in ends.items():
            # A claim in published words is read as such.
            claim = [] if also_published else _claimed(some, points or place > 0, strictly=strictly)
            row.append((place, _compared(some), claim))
        closed.append(row)
        return len(closed) - 1

    def place(verb: str, text: str, meaning: str) -> int:
        also_published = f"{text} ".startswith(published)
        return meant(verb, meaning, strictly="strictly" in text, also_published=also_published)

    def add(text: str, links: list[tuple[str, int]]) -> None:
        if links not in continued:
            continued.append(links)
        predicates.append((text, continued.index(links)))

    for verb, meanings in _MEANINGS.items():
        for text in phrases.get(verb, ()):
            links = [
                (f" {link}", place(verb, f"{text} {link}", meaning))
                for kind, meaning in meanings.items()
                for link in phrases.get(kind, ())
                if text not in check.WAS or not link.startswith(("at ", "over "))
            ]
            add(text, links)
    for kind, texts in phrases.items():
        meaning = _DIRECT.get(kind, kind)
        for text in texts if re.match(r"[AB][-+] ", meaning) else ():
            add(text, [("", place(kind, text, meaning))])
    return closings, closed, continued, _by_letter(predicates)


def _claimed(meaning: str, of_points: bool, *, strictly: bool) -> list[Json]:
    """The claim with a meaning, if there is one: its kind, and the points of one about points."""
    rows = [
        check.Sentence((left[0], int(left[1] == "+")), sign, (right[0], int(right[1] == "+")))
        for left, sign, right in map(str.split, meaning.split(", "))
    ]
    if len(rows) == 1 and not of_points:
        (_, a), sign, (_, b) = rows[0]
        if (a, sign, b) in check.WHOLE:
            return [(_KINDS.index(check.WHOLE[a, sign, b][strictly]), 0, 0, 0, 0)]
    claim = check._one_claim(rows)
    if isinstance(claim, check.Sentence):
        (row,) = _compared(meaning)
        return [(_KINDS.index(claim.sign), *row[:2], *row[3:])]
    if claim is None or claim[0] != "A":
        return []
    return [(_KINDS.index(claim[1]), 0, 0, 0, 0)]


def _words_of_phrases(domain: str, spatial: str) -> set[str]:
    """The words of all phrases between events, but those that are in names."""
    texts = [*check._phrases(domain, spatial)[0], *check.SMALL]
    in_names = {*check.NAMES["between"].split(), *check.NAMES["prepositions"].split()}
    return {word for text in texts for word in text.split()} - in_names


def _compared(meaning: str) -> list[tuple[int, int, int, int, int]]:
    """Comparisons such as ``A- < B+``: whether of the latter event, whether the end; sign; both."""
    found = []
    for part in meaning.split(", "):
        left, sign, right = part.split()
        ends = [("AB".index(side[0]), "-+".index(side[1])) for side in (left, right)]
        found.append((*ends[0], _SIGNS.index(sign), *ends[1]))
    return found


def _by_letter(rows: list[tuple[Any, ...]]) -> list[tuple[int, list[tuple[Any, ...]]]]:
    """Rows that begin with a text, without its first letter, after each of these."""
    found: dict[int, list[tuple[Any, ...]]] = {}
    for text, *others in rows:
        found.setdefault(ord(text[0]), []).append((text[1:], *others))
    return list(found.items())


def _coded(value: Json) -> Json:
    """Values in which each text is a word, with two or four hexadecimal digits a character."""
    if isinstance(value, (list, tuple)):
        return type(value)(map(_coded, value))
    if isinstance(value, str) and value.isascii():
        return f"a{value.encode().hex()}"
    if isinstance(value, str):
        return f"x{value.encode('utf-16-be', 'surrogatepass').hex()}"
    return value


def numbers(
    item: check.Item,
    verdict: Json,
    policy: str,
    certificate: Json,
    repaired: Collection[str] = (),
) -> str:
    """The line that the compiled checker reads.

    Raises:
        TypeError, ValueError, KeyError, IndexError: a value has no place there.
        solver.eventhop.check.RejectedError: a name is no point of the item, or a part has other
            fields.
    """
    line = " ".join(flat(item_numbers(item, verdict, policy, certificate, repaired)))
    return _with_texts(item.row) + line


def _with_texts(row: dict[str, Json]) -> str:
    """The texts of an item, which stand before its numbers; none with phrases of the user."""
    if not row or row.get("phrases") or len(row["premise"]) > _LONGEST:
        return ""
    form = row["domain"], row["spatial"] if row["domain"] == "spatial" else "geometric"
    return f"{_TEXTS}{FORMS.index(form)} {_coded(row['premise'])} {_coded(row['claim'])} "


def item_numbers(
    item: check.Item,
    verdict: Json,
    policy: str,
    certificate: Json,
    repaired: Collection[str] = (),
) -> list[Json]:
    """The parts of the line of an item; ``flat`` writes them one after the other."""
    given = check._object(verdict, {"status", "label", "consistent", "hops"}, "the verdict")
    parts = {"walks", "cycle", "timelines", "distances"}
    witnesses = check._object(certificate, parts, "the certificate")
    rule = _POLICIES.index(policy)
    if policy == "published":
        rule += sum(1 << check.FAULTS.index(fault) for fault in {*repaired})
    cycle = witnesses["cycle"]
    return [
        *_stated(item),
        rule,
        _STATUSES.index(given["status"]),
        _boolean(given["consistent"]),
        check.LABELS.index(given["label"]),
        optional(given["hops"]),
        [_walk(item, walk) for walk in array(witnesses["walks"])],
        [] if cycle is None else [_walk(item, cycle)],
        [numbered_timeline(item, line) for line in array(witnesses["timelines"])],
        [_table(item, table) for table in array(witnesses["distances"])],
    ]


def _stated(item: check.Item) -> list[Json]:
    """The premise and the claim of an item."""
    left, claim, right = item.claim
    sides = (left, right) if claim in _SIGNS else (left // 2, right // 2)
    relations = [(p, _SIGNS.index(sign), q) for p, sign, q in item.relations]
    return [relations, (_KINDS.index(claim), *sides)]


def item_line(item: check.Item) -> str:
    """The premise and the claim of an item as the compiled checker writes what it reads."""
    return " ".join(flat(_stated(item)))


def flat(part: Json) -> Iterator[str]:
    """A list that is not at the top has its length before it; a tuple has not."""
    for values in part:
        if isinstance(values, list):
            yield str(len(values))
        if isinstance(values, (list, tuple)):
            yield from flat(values)
        else:
            yield str(values)


def array(value: Json) -> list[Json]:
    """The value, if it is a list."""
    if type(value) is not list:
        raise TypeError(value)
    return value


def _boolean(value: Json) -> int:
    if type(value) is not bool:
        raise TypeError(value)
    return int(value)


def _integer(value: Json) -> int:
    if type(value) is not int:
        raise TypeError(value)
    return value


def optional(value: Json) -> int:
    """-1 for null; other negative numbers have no place."""
    if value is None:
        return -1
    if _integer(value) < 0:
        raise ValueError(value)
    return int(value)


def _walk(item: check.Item, value: Json) -> tuple[int, list[int]]:
    walk = check._object(value, {"from", "steps"}, "a walk")
    return item.point(walk["from"]), [optional(step) for step in array(walk["steps"])]


def numbered_timeline(item: check.Item, value: Json) -> list[int]:
    """The instant of each point."""
    at = {item.point(name): _integer(instant) for name, instant in map(array, array(value))}
    if len(at) != len(value):
        raise ValueError("a point has two instants")
    return [at[p] for p in range(len(item.points))]


def _table(item: check.Item, value: Json) -> tuple[int, list[int], list[int]]:
    table = check._object(value, {"from", "beyond", "near"}, "a table of distances")
    beyond = _integer(table["beyond"])
    loose, strict = [beyond] * len(item.points), [beyond] * len(item.points)
    for name, without, with_strict in map(array, array(table["near"])):
        loose[item.point(name)] = _integer(without)
        strict[item.point(name)] = _integer(with_strict)
    return item.point(table["from"]), loose, strict


MALFORMED = "malformed"
"""A line that the compiled checker never accepts."""


class Judgement(NamedTuple):
    """What ``check.py`` finds of a verdict, and the line for the compiled checker."""

    accepted: bool
    line: str


def judge(
    item: check.Item,
    verdict: Json,
    policy: Json,
    certificate: Json,
    repaired: Collection[str] = (),
) -> tuple[Judgement, check.RejectedError | None]:
    """The judgement of ``check.py``, with its reason if it rejects the verdict."""
    try:
        line = numbers(item, verdict, policy, certificate, repaired)
    except (TypeError, ValueError, KeyError, IndexError, check.RejectedError):
        line = MALFORMED
    try:
        check.check_verdict(item, verdict, policy, certificate, repaired)
    except check.RejectedError as error:
        return Judgement(False, line), error
    return Judgement(True, line), None


def differing(judgements: Sequence[Judgement], checker: Compiled) -> list[int]:
    """The numbers of the judgements that the compiled checker does not share."""
    answers = checker.answers([judgement.line for judgement in judgements])
    pairs = zip(judgements, answers, strict=True)
    return [
        n for n, (judgement, answer) in enumerate(pairs) if answer.accepted != judgement.accepted
    ]


def require_agreement(judged: Sequence[tuple[str, Judgement]], checker: Compiled | Running) -> int:
    """Stop where the checkers differ on a verdict, which is given with its place.

    Returns:
        How many of the verdicts are of texts that the compiled checker has read itself.

    Raises:
        CheckersDifferError: they do.
    """
    answers = checker.answers([judgement.line for _, judgement in judged])
    for (where, judgement), answer in zip(judged, answers, strict=True):
        if answer.accepted == judgement.accepted:
            continue
        found = ("rejects", "accepts") if judgement.accepted else ("accepts", "rejects")
        message = f"the proved checker ({checker.name}) {found[0]} what check.py {found[1]}"
        raise CheckersDifferError(message, where=where)
    return sum(answer.read for answer in answers)


def agreed(
    batches: Iterable[tuple[Batch, Sequence[tuple[str, Judgement]]]], checker: Compiled
) -> Iterator[tuple[Batch, int]]:
    """Batches on whose verdicts the checkers agree, each checked while the next one is made.

    Returns:
        Each batch with the number of texts that the compiled checker has read itself.

    Raises:
        CheckersDifferError: the checkers differ on a verdict.
    """
    with checker.running() as run, ThreadPoolExecutor(1) as pool:
        pool.submit(run.learn)  # While the first batch is made; if it fails, it is tried again.
        waiting: list[tuple[Batch, Future[int]]] = []
        for batch, judged in batches:
            waiting.append((batch, pool.submit(require_agreement, judged, run)))
            if len(waiting) > 1:
                first, read = waiting.pop(0)
                yield first, read.result()
        for last, read in waiting:
            yield last, read.result()


def compared(
    path: str,
    lines: Callable[[Callable[..., None]], Iterable[Row[Place]]],
    judge: Callable[..., tuple[Judgement | None, Exception | None]],
    read: Counter[str] | None = None,
    before: tuple[str, ...] = (),
) -> Iterator[Row[Place]]:
    """What a checker finds of the lines of a file, with the compiled checker beside it.

    Args:
        path: the file.
        lines: the lines, by a checker that asks its argument for each verdict.
        judge: the judgement of a verdict, with its reason if the checker rejects it; none if that
            takes it too long.
        read: counts the verdicts of texts that a compiled checker has read itself, by its name.
        before: lines that the compiled checker gets first.

    Raises:
        CheckersDifferError: they do not accept the same certificates.
        NoProvedCheckerError: there is no compiled checker.
    """
    checker = compiled()._replace(before=before)
    last: list[Judgement] = []

    def decide(*given: Json) -> None:
        judgement, error = judge(*given)
        if judgement is not None:
            last.append(judgement)
        if error is not None:
            raise error

    def batches() -> Iterator[tuple[list[Row[Place]], list[tuple[str, Judgement]]]]:
        judged = list[tuple[str, Judgement]]()
        rows: list[Row[Place]] = []
        for place, name, fault in lines(decide):
            where = place if isinstance(place, str) else f"{path}:{place}"
            rows.append((place, name, fault))
            judged += ((where, known) for known in last)
            last.clear()
            if len(rows) == BATCH:
                yield rows, judged
                rows, judged = [], []
        yield rows, judged

    for rows, texts in agreed(batches(), checker):
        if read is not None:
            read[checker.name] += texts
        yield from rows


def check_file(
    path: str, digests: frozenset[str] | None = None, read: Counter[str] | None = None
) -> Iterator[Row[int]]:
    """As that of ``check.py``, with the compiled checker beside it: see ``compared``.

    Raises:
        CheckersDifferError: they do not accept the same certificates.
        NoProvedCheckerError: there is no compiled checker.
    """
    return compared(path, lambda decide: check.check_file(path, digests, decide), judge, read)
