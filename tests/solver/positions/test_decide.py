"""Verdicts about positions: a brute force over small worlds, and evidence that must be right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import pairwise, permutations, product
from random import Random
from typing import Any

import numpy as np
import pytest

from benchmarks.audits.sets.positions import QA14, QA17, QA19, STEPGAME, story_rows
from grammar.phrases import load_phrases
from grammar.positions.model import DIRECTIONS
from grammar.positions.reader import StoryReader, reader
from solver.positions import check
from solver.positions.decide import decide
from solver.positions.model import LABELS, NAMES, Problem
from solver.verification.outcomes import Verdict

WORDING = "\n".join(
    [
        'domain = "positions"',
        *(
            f'[[phrase]]\ntext = "{{A}} lies {words} {{B}}"\nmeans = ["A {meaning} B"]'
            for words, meaning in (
                *((f"{name} of", f"{name} of") for name in DIRECTIONS),
                ("two steps north of", "2 north of"),
                ("two steps west of", "2 west of"),
                ("three steps southeast of", "3 southeast of"),
                ("where there is", "at"),
                ("in the row of", "level with"),
                ("in the column of", "aligned with"),
                ("somewhere like", "and"),
            )
        ),
        '[[phrase]]\ntext = "Where is {A} from {B}"\nmeans = ["where A from B"]',
        *(
            f'[[phrase]]\ntext = "Is {{A}} {name} of {{B}}"\nmeans = ["whether A {name} of B"]'
            for name in DIRECTIONS
        ),
        '[[phrase]]\ntext = "Is {A} exactly where {B} lies"\nmeans = ["whether A at B"]',
    ]
)
READER = StoryReader(load_phrases(WORDING))
POINTS = "PQRS"
SPAN = 13
WORLD = np.stack(np.meshgrid(*[np.arange(SPAN)] * len(POINTS), indexing="ij"), -1).reshape(
    -1, len(POINTS)
)
"""Coordinates of all points on one axis."""


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


def holding(statement: tuple[str, str, str], axis: int, reading: Mapping[str, str]) -> Any:
    """In which worlds a statement is true on an axis, from what its words mean."""
    subject, words, other = statement
    if subject == other:
        return np.ones(len(WORLD), dtype=bool)
    shift = WORLD[:, POINTS.index(subject)] - WORLD[:, POINTS.index(other)]
    if words == "somewhere like" or words == ("in the row of", "in the column of")[axis]:
        return np.ones(len(WORLD), dtype=bool)
    if words in ("where there is", "in the row of", "in the column of"):
        return shift == 0
    parts = words.removesuffix(" of").split()
    number = {"two": 2, "three": 3}.get(parts[0])
    north = ("north" in parts[-1]) - ("south" in parts[-1])
    east = parts[-1].endswith("east") - parts[-1].endswith("west")
    side = (east, north)[axis]
    if side == 0:
        free = reading["rows"] == "free"
        return np.ones(len(WORLD), dtype=bool) if free else shift == 0
    if number or reading["steps"] == "unit":
        return shift == side * (number or 1)
    return shift * side > 0


def brute(
    story: Sequence[tuple[str, str, str]], pair: str, reading: Mapping[str, str]
) -> list[set[int]]:
    """The signs of the difference of two points on each axis, in all worlds."""
    found = []
    for axis in (0, 1):
        true = np.ones(len(WORLD), dtype=bool)
        for statement in story:
            true &= holding(statement, axis, reading)
        shifts = WORLD[:, POINTS.index(pair[0])] - WORLD[:, POINTS.index(pair[1])]
        found.append({int(value) for value in np.sign(shifts[true])})
    return found


def expected(signs: Sequence[set[int]], asked: str, gold: str) -> tuple[str, str | None]:
    """Verdict and answer from the possible signs; a question asks for a label or for yes and no."""
    if not all(signs):
        return "contradictory", None
    answers = set()
    for pair in product(*signs):
        if asked == "where":
            answers.add(NAMES[pair[0], pair[1]])
        else:
            wanted = DIRECTIONS.get(asked, (0, 0))
            axes = [axis for axis in (0, 1) if wanted[axis] or asked == "at"]
            answers.add("yes" if all(pair[axis] == wanted[axis] for axis in axes) else "no")
    if len(answers) > 1:
        return "unanswerable", None
    (answer,) = answers
    return ("right" if answer == gold else "wrong"), answer


WORDS = (
    *(f"{name} of" for name in DIRECTIONS),
    *("two steps north of", "two steps west of", "where there is", "in the row of"),
    *("in the column of", "somewhere like"),
)


def cases(seed: int, number: int) -> Iterator[tuple[Problem, tuple[str, str | None]]]:
    random = Random(seed)
    for _ in range(number):
        story = [
            (random.choice(POINTS), random.choice(WORDS), random.choice(POINTS))
            for _ in range(random.randint(1, 4))
        ]
        pair = "".join(random.sample(POINTS, 2))
        reading = {
            "steps": random.choice(("unit", "any")),
            "rows": random.choice(("kept", "free")),
        }
        asked = random.choice(("where", "at", *DIRECTIONS))
        if asked == "where":
            question, gold = f"Where is {pair[0]} from {pair[1]}?", random.choice(list(LABELS))
        else:
            gold = random.choice(("yes", "no"))
            question = (
                f"Is {pair[0]} exactly where {pair[1]} lies?"
                if asked == "at"
                else f"Is {pair[0]} {asked} of {pair[1]}?"
            )
        read = READER.story([f"{a} lies {words} {b}." for a, words, b in story], question)
        problem = Problem(story=read, gold=gold, reading=reading)
        mentioned = {name for a, _, b in story for name in (a, b)}
        if set(pair) <= mentioned:
            yield problem, expected(brute(story, pair, reading), asked, gold)
        else:
            yield problem, ("unanswerable", None)


def test_verdicts_are_those_of_a_brute_force() -> None:
    problems, wanted = zip(*cases(seed=5, number=400), strict=True)
    found = decide(problems)
    assert [(row.verdict.value, row.decided) for row in found] == list(wanted)
    assert min(Counter(verdict for verdict, _ in wanted).values()) > 20


def test_no_other_label_is_proved() -> None:
    """A certificate of one verdict proves no other verdict, and no other answer."""
    tried = 0
    for problem, _ in cases(seed=8, number=60):
        (outcome,) = decide([problem])
        case = {"verdict": outcome.verdict.value, "decided": outcome.decided, **outcome.certificate}
        assert check.fault_of_case(case, problem.gold) is None
        for verdict in Verdict:
            if verdict is not outcome.verdict:
                tried += 1
                assert check.fault_of_case({**case, "verdict": verdict.value}, problem.gold)
        if outcome.decided is not None:
            for label in {*LABELS, "yes", "no"} - {problem.gold}:
                fault = check.fault_of_case(case, label)
                assert (fault is None) == (outcome.verdict == "wrong" and label != outcome.decided)
            assert check.fault_of_case({**case, "decided": "nothing"}, problem.gold)
    assert tried > 200


@pytest.mark.parametrize("part", ["placements", "walks", "story", "phrases"])
def test_damaged_evidence_is_refused(part: str) -> None:
    story = ["P is above Q.", "R is to the left of Q."]
    asked = "What is the relation of the agent P to the agent R?"
    read = reader("stepgame").story(story, asked)
    (outcome,) = decide([Problem(story=read, gold="upper-right", reading={"steps": "unit"})])
    case = {"verdict": "right", "decided": "upper-right", **deepcopy(dict(outcome.certificate))}
    assert check.fault_of_case(case, "upper-right") is None
    if part == "placements":
        case["placements"][0]["P"][0] += 1
    elif part == "walks":
        case["walks"] = case["walks"][:1]
    elif part == "story":
        case["story"] = ["P is below Q.", story[1]]
    else:
        case["phrases"] = case["phrases"][1:]
    assert check.fault_of_case(case, "upper-right")


def routes(seed: int) -> Iterator[tuple[Problem, tuple[str, str | None]]]:
    random, moves = Random(seed), {"north": "n", "south": "s", "east": "e", "west": "w"}
    back = dict(zip("nsew", "snwe", strict=True))
    for _ in range(60):
        story = []
        for _ in range(random.randint(2, 5)):
            rooms = random.sample(("attic", "cellar", "porch", "study", "pantry"), 2)
            story.append((rooms[0], random.choice(list(moves)), rooms[1]))
        start, goal = random.sample(sorted({room for a, _, b in story for room in (a, b)}), 2)
        steps = {(b, moves[d], a) for a, d, b in story} | {
            (a, back[moves[d]], b) for a, d, b in story
        }
        ways: dict[str, set[str]] = {}
        for length in range(1, 5):
            for way in product("nsew", repeat=length):
                at = {start}
                for move in way:
                    at = {room for place, step, room in steps if place in at and step == move}
                for room in at:
                    ways.setdefault(room, set()).add(",".join(way))
        gold = ",".join(random.choice("nsew") for _ in range(random.randint(1, 2)))
        if goal in ways and random.random() < 0.5:
            gold = min(ways[goal], key=lambda way: (len(way), way))
        sentences = [f"The {a} is {d} of the {b}." for a, d, b in story]
        asked = f"How do you go from the {start} to the {goal}?"
        apart = random.random() < 0.5
        reading = {"steps": "unit", "rooms": "apart" if apart else "shared"}
        problem = Problem(story=reader("babi").story(sentences, asked), gold=gold, reading=reading)
        if goal not in ways:
            yield problem, ("unanswerable", None)
        elif not placeable(story, apart=apart):
            yield problem, ("contradictory", None)
        elif gold in ways[goal]:
            yield problem, ("right", gold)
        else:
            yield problem, ("wrong", min(ways[goal], key=lambda way: (len(way), way)))


def placeable(story: Sequence[tuple[str, str, str]], *, apart: bool) -> bool:
    """Whether the rooms have places on a grid, found by walking from one room to another."""
    spots: dict[str, tuple[int, int, int]] = {}
    for number, room in enumerate(sorted({name for a, _, b in story for name in (a, b)})):
        if room in spots:
            continue
        spots[room] = (number, 0, 0)
        for _ in story:
            for a, direction, b in story:
                east, north = DIRECTIONS[direction]
                if b in spots and a not in spots:
                    spots[a] = (spots[b][0], spots[b][1] + east, spots[b][2] + north)
                if a in spots and b not in spots:
                    spots[b] = (spots[a][0], spots[a][1] - east, spots[a][2] - north)
    for a, direction, b in story:
        east, north = DIRECTIONS[direction]
        if (spots[b][1] + east, spots[b][2] + north) != spots[a][1:]:
            return False
    return not apart or len(set(spots.values())) == len(spots)


def test_routes_are_those_of_a_brute_force() -> None:
    problems, wanted = zip(*routes(seed=2), strict=True)
    found = decide(problems)
    assert [(row.verdict.value, row.decided) for row in found] == list(wanted)
    assert {verdict for verdict, _ in wanted} == {"right", "wrong", "contradictory", "unanswerable"}


def visits(seed: int) -> Iterator[tuple[Problem, tuple[str, str | None]]]:
    random = Random(seed)
    times = ("yesterday", "this morning", "this afternoon", "this evening")
    for _ in range(150):
        rows = [
            (random.choice(("Ida", "Bruno")), random.choice(("pier", "mill", "barn")), time)
            for time in random.choices(range(4), k=random.randint(1, 6))
        ]
        person, place = random.choice(("Ida", "Bruno")), random.choice(("pier", "mill", "barn"))
        which = random.choice(("first", "last"))
        mine = [(time, spot) for name, spot, time in rows if name == person]
        answers = set()
        for order in permutations(mine):
            if all(first[0] <= second[0] for first, second in pairwise(order)):
                spots = [spot for _, spot in order]
                at = [n for n, spot in enumerate(spots) if spot == place]
                before = spots[: at[0 if which == "first" else -1]] if at else []
                earlier = [spot for spot in before if spot != place]
                answers.add(earlier[-1] if earlier else None)
        gold = random.choice(("pier", "mill", "barn"))
        read = reader("babi").story(
            [f"{name} went to the {spot} {times[time]}." for name, spot, time in rows],
            f"Where was {person} before the {place}?",
        )
        problem = Problem(story=read, gold=gold, reading={"visit": which})
        if len(answers) != 1 or None in answers:
            yield problem, ("unanswerable", None)
        else:
            (answer,) = answers
            yield problem, ("right" if answer == gold else "wrong", answer)


def test_visits_are_those_of_a_brute_force() -> None:
    problems, wanted = zip(*visits(seed=4), strict=True)
    found = decide(problems)
    assert [(row.verdict.value, row.decided) for row in found] == list(wanted)
    assert {verdict for verdict, _ in wanted} == {"right", "wrong", "unanswerable"}


STORY = """1 The attic is north of the cellar.
2 The porch is east of the attic.
3 How do you go from the cellar to the porch? \tn,e\t1 2
1 The porch is west of the mill.
2 How do you go from the mill to the porch?\te\t1
"""


def test_rows_of_stories() -> None:
    data = STORY.encode()
    first, second = story_rows("rooms.txt", data)
    assert first.fields["story"] == [
        "The attic is north of the cellar.",
        "The porch is east of the attic.",
    ]
    assert (first.fields["answer"], second.fields["answer"]) == ("n,e", "e")
    assert data[slice(*second.spans["answer"])] == b"e"
    assert second.where == "rooms.txt:5"
    assert [task.recognises([first]) for task in (QA19, QA17, QA14, STEPGAME)] == [
        *(True, False, False, False)
    ]


def proved_case(story: Sequence[str], asked: str, gold: str, **reading: str) -> dict[str, Any]:
    """The case of a problem, which its certificate proves."""
    wording = "stepgame" if "agent" in asked else "babi"
    read = reader(wording).story(story, asked)
    (outcome,) = decide([Problem(story=read, gold=gold, reading=reading)])
    case = {"verdict": outcome.verdict.value, "decided": outcome.decided, **outcome.certificate}
    assert check.fault_of_case(case, gold) is None
    return {**deepcopy(case), "gold": gold}


def refused(case: Mapping[str, Any], reason: str) -> None:
    assert reason in str(check.fault_of_case(case, case["gold"]))


def test_each_condition_on_points_is_tried() -> None:
    asked = "What is the relation of the agent P to the agent R?"
    story = ["P is above Q.", "R is to the left of Q."]
    case = proved_case(story, asked, "upper-right", steps="unit")
    first, (other, *_) = case["placements"][0], case["phrases"]
    more = [*case["phrases"], {"text": other["text"], "means": ["B left of A", "A at B"]}]
    refused({**case, "phrases": more}, "2 phrases read")
    lacking = {name: spot for name, spot in first.items() if name != "P"}
    refused({**case, "placements": [lacking]}, "a placement lacks a point")
    refused({**case, "walks": [*case["walks"], [0, ["P", "R"]]]}, "a walk leaves the statements")
    refused({**case, "walks": []}, "the walks leave several answers")
    refused({**case, "placements": []}, "no placement has the answer")
    open_case = proved_case(story, asked, "upper-right", steps="any", rows="free")
    assert open_case["verdict"] == "unanswerable"
    some = open_case["placements"][:1]
    refused({**open_case, "placements": some}, "the placements do not differ")
    against = proved_case([*story, "Q is above P."], asked, "upper-right", steps="unit")
    assert against["verdict"] == "contradictory"
    refused({**against, "walks": []}, "no contradiction is shown")


def test_each_condition_on_routes_is_tried() -> None:
    asked = "How do you go from the cellar to the porch?"
    story = ["The attic is north of the cellar.", "The porch is east of the attic."]
    case = proved_case(story, asked, "n,n", steps="unit", rooms="apart")
    assert (case["verdict"], case["decided"]) == ("wrong", "n,e")
    refused({**case, "decided": "n,w"}, "the route does not arrive")
    refused({**case, "placements": []}, "no placement is shown")
    more = proved_case([*story, "The mill is east of the barn."], asked, "n,n",
                       steps="unit", rooms="apart")  # fmt: skip
    (placed, *_) = more["placements"]
    placed |= {"mill": placed["porch"], "barn": placed["attic"]}
    refused({**more, "placements": [placed]}, "two rooms are at one place")
    against = [*story, "The cellar is north of the porch."]
    case = proved_case(against, asked, "n,n", steps="unit", rooms="apart")
    assert case["verdict"] == "contradictory"
    refused({**case, "walks": []}, "no contradiction is shown")


def test_too_many_visits_at_one_time_are_not_tried() -> None:
    story = ["Ida went to the pier yesterday.", "Ida went to the mill this morning."]
    case = proved_case(story, "Where was Ida before the mill?", "pier", visit="last")
    crowd = [f"Ida went to the {spot} yesterday." for spot in ("pier", "mill", "barn") * 4]
    refused({**case, "story": [*crowd, story[1]]}, "too many visits at one time")
