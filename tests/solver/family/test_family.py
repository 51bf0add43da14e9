"""What people are to each other, against a search of all ways between them in random families."""

from __future__ import annotations

import json
from random import Random

import pytest

from grammar.family.reader import Family, StoryError, read_family
from solver.family.check import fault_of_case, possible
from solver.family.decide import COUPLES, decide

NAMES = ("Ada", "Bo", "Cy", "Dora", "Eli", "Fay", "Gus", "Hana", "Ivo", "Jo", "Kit", "Lea")
STORY = (
    "Ada is married to Bo. They have children called Cy and Dora. "
    "Cy is married to Eli. They have a child called Fay.\n\n"
)


def story(random: Random) -> str:
    """Up to four couples; children may marry each other's families."""
    names = list(NAMES)
    random.shuffle(names)
    single, sentences = list[str](), list[str]()
    for _ in range(random.randint(1, 4)):
        first = single.pop() if single and random.random() < 0.7 else names.pop()
        # Nobody marries a brother or a sister here: the partner is new.
        second = names.pop()
        sentences.append(f"{first} is married to {second}.")
        most = max(0, min(3, len(names) - 4))
        children = [names.pop() for _ in range(random.randint(0, most))]
        if len(children) == 1:
            sentences.append(f"They have a child called {children[0]}.")
        elif children:
            listed = ", ".join(children[:-1])
            sentences.append(f"They have children called {listed} and {children[-1]}.")
        single += children
        random.shuffle(single)
    people = sorted(set(NAMES) - set(names))
    first, second = random.sample(people, 2)
    question = random.choice(
        [
            f"What is {first} to {second}? Respond only with the word.",
            f"How is {first} related to {second}? Provide the relationship in one word.",
            f"What relation is {first} to {second}? Answer with a single word.",
        ]
    )
    return f"{' '.join(sentences)}\n\n{question}"


def brute_force(family: Family, couples: str) -> set[str]:
    """The words by their definitions, with loops over all people."""
    parents: dict[str, tuple[str, ...]] = dict.fromkeys(family.people, ())
    spouse = dict[str, str]()
    for pair, children in zip(family.couples, family.children, strict=True):
        spouse |= {pair[0]: pair[1], pair[1]: pair[0]}
        parents |= dict.fromkeys(children, pair)
    people = family.people

    def siblings(a: str, b: str) -> bool:
        return a != b and bool(parents[a]) and parents[a] == parents[b]

    p, q = family.asked
    pairs = set[tuple[str, str]]()
    if spouse.get(p) == q:
        pairs.add(("husband", "wife"))
    if p in parents[q]:
        pairs.add(("father", "mother"))
    if q in parents[p]:
        pairs.add(("son", "daughter"))
    if siblings(p, q):
        pairs.add(("brother", "sister"))
    for x in people:
        if x in parents[q] and p in parents[x]:
            pairs.add(("grandfather", "grandmother"))
        if x in parents[p] and q in parents[x]:
            pairs.add(("grandson", "granddaughter"))
        if x in parents[q] and siblings(p, x):
            pairs.add(("uncle", "aunt"))
        if x in parents[p] and siblings(q, x):
            pairs.add(("nephew", "niece"))
        if spouse.get(q) == x and p in parents[x]:
            pairs.add(("father-in-law", "mother-in-law"))
        if spouse.get(p) == x and q in parents[x]:
            pairs.add(("son-in-law", "daughter-in-law"))
        if (spouse.get(q) == x and siblings(p, x)) or (spouse.get(p) == x and siblings(x, q)):
            pairs.add(("brother-in-law", "sister-in-law"))
    if couples == "husband-first":
        for man, woman in family.couples:
            if p in (man, woman):
                return {pair[p == woman] for pair in pairs}
    return {word for pair in pairs for word in pair}


@pytest.mark.parametrize("couples", COUPLES)
def test_words(couples: str) -> None:
    random = Random(f"family {couples}")
    families = [read_family(story(random)) for _ in range(150)]
    expected = [brute_force(family, couples) for family in families]
    assert len({tuple(sorted(words)) for words in expected}) > 8
    outcomes = decide(families, ["sister"] * len(families), couples)
    for family, outcome, words in zip(families, outcomes, expected, strict=True):
        assert set(outcome.certificate["words"]) == words, family.text
        assert possible(family.text, couples) == sorted(words)
        verdict = "right" if "sister" in words else "wrong" if len(words) == 1 else "unanswerable"
        assert outcome.verdict.value == verdict


@pytest.mark.parametrize(
    ("question", "gold", "verdict", "decided"),
    [
        ("What is Eli to Ada? Respond in one word.", "daughter-in-law", "right", "daughter-in-law"),
        ("What is Eli to Ada? Respond in one word.", "mother-in-law", "wrong", "daughter-in-law"),
        ("What is Bo to Eli? Respond in one word.", "mother-in-law", "right", "mother-in-law"),
        ("How is Dora related to Fay? Provide one word.", "aunt", "right", "aunt"),
        # Whether Dora is a man is open.
        ("How is Dora related to Fay? Provide one word.", "mother", "unanswerable", None),
        ("What relation is Fay to Dora? Answer in one word.", "nephew", "right", "nephew"),
    ],
)
def test_verdicts(question: str, gold: str, verdict: str, decided: str | None) -> None:
    (outcome,) = decide([read_family(STORY + question)], [gold])
    assert (outcome.verdict.value, outcome.decided) == (verdict, decided)
    case = {"verdict": verdict, "decided": decided, **outcome.certificate}
    case = json.loads(json.dumps(case))
    assert fault_of_case(case, gold) is None
    assert fault_of_case(case, "grandfather") is not None
    assert fault_of_case({**case, "words": ["uncle"]}, gold) is not None
    assert fault_of_case({**case, "verdict": "contradictory"}, gold) is not None


@pytest.mark.parametrize(
    "text",
    [
        "Ada is not married to Bo.\n\nWhat is Ada to Bo? Respond in one word.",
        "Ada is married to Bo. Ada is married to Cy.\n\nWhat is Ada to Bo? Respond in one word.",
        "Ada is married to Bo.\n\nWhat is Ada to Zoe? Respond in one word.",
        "Ada is married to Bo.\n\nWhat is Ada to Ada? Respond in one word.",
        "Ada is married to Bo. They have a child called Cy.",
    ],
)
def test_other_stories(text: str) -> None:
    with pytest.raises(StoryError):
        read_family(text)


ASKED = f"{STORY}What is Fay to Ada? Respond only with the word."


@pytest.mark.parametrize(
    ("change", "gold", "reason"),
    [
        ({}, "granddaughter", None),
        ({"text": "Ada is married to Bo."}, "granddaughter", "it is no such story"),
        ({"couples": "wife-first"}, "granddaughter", "it is no such story"),
        ({}, "grandson", "the label is another one"),
        ({"words": ["granddaughter"]}, "granddaughter",
         "the words are ['granddaughter', 'grandson']"),
        ({"verdict": "wrong"}, "granddaughter", "the verdict is right"),
        ({"decided": "grandson"}, "granddaughter", "the answer is None"),
    ],
)  # fmt: skip
def test_each_condition_is_asked_for(
    change: dict[str, object], gold: str, reason: str | None
) -> None:
    case = {
        **{"text": ASKED, "couples": "any", "label": "granddaughter", "verdict": "right"},
        **{"words": possible(ASKED, "any"), "decided": "granddaughter"},
    }
    assert fault_of_case({**case, **change}, gold) == reason
