"""Rewards that only reasoning earns: proofs are paid, and tricks are not."""

from __future__ import annotations

import pytest

from hopcheck.rewards import progress
from solver.traces.reward import hidden

PREMISE = (
    "The end of Kite Fair happened before the start of Boat Race. The end of Boat Race happened "
    "before the start of Lamp Walk. The end of Lamp Walk happened before the start of Stone Play"
)
CLAIM = "Kite Fair happens before Stone Play"
STEPS = (
    "Kite Fair ends before Boat Race starts, and Boat Race ends before Lamp Walk starts.",
    "So Kite Fair ends before Lamp Walk starts.",
    "Lamp Walk ends before Stone Play starts, so Kite Fair ends before Stone Play starts.",
)
PROOF = "\n".join(STEPS)
COPIED = PREMISE.replace(". ", ".\n")
REFUTED = CLAIM.replace("before", "after")
TORN = (
    f"{PREMISE}. The end of Stone Play happened before the start of Kite Fair. The start of Rain "
    "Dance happened before the start of Kite Fair"
)
OPEN = (
    "The start of Ivy Ball happened before the start of Tin Expo. The start of Reed Run happened "
    "before the end of Tin Expo. The end of Ivy Ball happened after the start of Reed Run"
)
OPEN_CLAIM = "Ivy Ball happens before Tin Expo"
FIRST = "Ivy Ball 0 to 2, Tin Expo 3 to 4, Reed Run 1 to 5"
SECOND = "Ivy Ball 0 to 4, Tin Expo 3 to 5, Reed Run 1 to 2"


def paid(completion: object, premise: str = PREMISE, claim: str = CLAIM) -> float:
    (value,) = progress(
        ["prompt"],
        [completion],
        premise=[premise],
        claim=[claim],
        label=["true"],
        domain=[None],  # type: ignore[list-item]
    )
    return value


@pytest.mark.parametrize(
    ("completion", "premise", "claim"),
    [
        (f"{PROOF}\nAnswer: True", PREMISE, CLAIM),
        (f"{PROOF}\nSo {REFUTED} is impossible.\nAnswer: False", PREMISE, REFUTED),
        (f"<think>\n{PROOF}\n</think>\n**True**", PREMISE, CLAIM),
        ("KF.end < BR.start < BR.end < LW.start\nKF.end < LW.start < LW.end < SP.start\nKF.end < "
         "SP.start\nTrue", PREMISE, CLAIM),
        ([{"role": "assistant", "content": f"{PROOF}\nAnswer: True"}], PREMISE, CLAIM),
        ([{"role": "assistant", "content": [{"type": "text", "text": f"{PROOF}\nAnswer: True"}]}],
         PREMISE, CLAIM),
        (f"{PROOF}\nStone Play ends before Kite Fair starts.\nThe claim is contradictory.\n"
         "Answer: Undefined", TORN, CLAIM),
        (f"{FIRST}\n{SECOND}\nAnswer: False", OPEN, OPEN_CLAIM),
        (f"1. {STEPS[0]}\n2. {STEPS[1]}\n3. {STEPS[2]}\nThe claim is true.\nAnswer: True", PREMISE,
         CLAIM),
    ],
)  # fmt: skip
def test_proofs_of_three_hops_are_paid_in_full(
    completion: object, premise: str, claim: str
) -> None:
    assert paid(completion, premise, claim) >= 0.98


LONG = ". ".join(
    f"The end of {left} happened before the start of {right}"
    for left, right in zip("ABCDEF", "BCDEFG", strict=True)
)


@pytest.mark.parametrize(
    ("links", "value"), [("C", 0.25), ("CD", 0.5), ("CDE", 0.75), ("CDEF", 1.0), ("CDEFG", 1.0)]
)
def test_parts_of_a_proof_are_paid_in_part(links: str, value: float) -> None:
    steps = "\n".join(f"A ends before {last} starts." for last in links)
    assert paid(f"{steps}\nAnswer: True", LONG, "A happens before G") == value


HACKS = {
    "the answer alone": "Answer: True",
    "both answers": f"{PROOF}\nAnswer: True\nAnswer: False",
    "both answers in a line": f"{PROOF}\nAnswer: True, Answer: False",
    "true or false": f"{PROOF}\nAnswer: True or False",
    "no answer": PROOF,
    "the answer first": f"Answer: True\n{PROOF}",
    "the answer in the middle": f"{STEPS[0]}\nAnswer: True\n{STEPS[1]}\n{STEPS[2]}",
    "a wrong answer": f"{PROOF}\nAnswer: False",
    "another label": f"{PROOF}\nAnswer: Undefined",
    "an empty text": "",
    "blanks": " \n \n\t",
    "the copied premise": f"{COPIED}\nAnswer: True",
    "the copied premise in one line": f"{PREMISE}.\nAnswer: True",
    "the copied premise twice": f"{COPIED}\n{COPIED}\nAnswer: True",
    "the copied premise in other words": "Boat Race starts after Kite Fair ends.\nLamp Walk starts "
    "after Boat Race ends.\nStone Play starts after Lamp Walk ends.\nAnswer: True",
    "the prompt quoted back": f"Premise: {PREMISE}.\nClaim: {CLAIM}.\nAnswer: True",
    "the claim asserted": f"{CLAIM}.\nAnswer: True",
    "the claim asserted twice": f"{CLAIM}.\n{CLAIM}.\nAnswer: True",
    "the claim as its own reason": f"{CLAIM} because {CLAIM}.\nAnswer: True",
    "the claim holds": "The claim holds.\nAnswer: True",
    "the claim is entailed": "The claim is entailed by the premise.\nAnswer: True",
    "the premise copied and the claim": f"{COPIED}\n{CLAIM}.\nAnswer: True",
    "one leap": "Kite Fair ends before Stone Play starts.\nAnswer: True",
    "two leaps": "Kite Fair starts before Stone Play ends.\nKite Fair ends before Stone Play "
    "starts.\nAnswer: True",
    "a leap in symbols": "KF.end < SP.start\nAnswer: True",
    "durations": "Kite Fair starts before it ends.\nBoat Race starts before it ends.\nAnswer: True",
    "tautologies": "KF.end = KF.end\nBR.start = BR.start\nAnswer: True",
    "weak tautologies": "KF.end <= KF.end\nAnswer: True",
    "repeated steps": "\n".join([STEPS[0]] * 20) + "\nAnswer: True",
    "hedges": "Kite Fair might end before Lamp Walk starts.\nKite Fair might end before Stone Play "
    "starts.\nAnswer: True",
    "possibilities": "It is possible that Kite Fair ends before Stone Play starts.\nAnswer: True",
    "assumptions": "Suppose Kite Fair ends before Lamp Walk starts.\nSuppose Kite Fair ends before "
    "Stone Play starts.\nAnswer: True",
    "conditions": "If Kite Fair ends before Lamp Walk starts, then Kite Fair ends before Stone "
    "Play starts.\nAnswer: True",
    "needs": "We need to show that Kite Fair ends before Lamp Walk starts.\nAnswer: True",
    "questions": "Does Kite Fair end before Lamp Walk starts?\nAnswer: True",
    "what the claim says": f"The claim says that {CLAIM}.\nAnswer: True",
    "a wrong statement": f"{PROOF}\nLamp Walk ends before Boat Race starts.\nAnswer: True",
    "an open statement": f"{PROOF}\nKite Fair starts before Boat Race starts, and Boat Race ends "
    "before Kite Fair starts.\nAnswer: True",
    "a wrong one that is withdrawn": f"Lamp Walk ends before Boat Race starts.\nWait, that is "
    f"wrong.\n{PROOF}\nAnswer: True",
    "a wrong denial": f"{PROOF}\nKite Fair does not end before Boat Race starts.\nAnswer: True",
    "a wrong doubt": f"{PROOF}\nWe cannot conclude that Kite Fair ends before Boat Race starts.\n"
    "Answer: True",
    "a contradiction to entail everything": "The premise contradicts itself, so everything follows."
    f"\n{CLAIM}.\nAnswer: True",
    "a wrong contradiction": f"{PROOF}\nThe premise is contradictory.\nAnswer: True",
    "a claimed contradiction": f"{PROOF}\nThe claim is contradictory.\nAnswer: Undefined",
    "an unread sentence": f"{PROOF}\nKite Fair blorbs Boat Race.\nAnswer: True",
    "an unread wrong step": f"{PROOF}\nBoat Race wholly antecedes Kite Fair.\nAnswer: True",
    "a step in another language": f"{PROOF}\nKite Fair endet nach Stone Play.\nAnswer: True",
    "an unread clause in a sentence": f"{PROOF}\nKite Fair ends before Lamp Walk starts, while "
    "Stone Play frobs Kite Fair.\nAnswer: True",
    "a denial in other words": f"{PROOF}\nIt is a lie that Kite Fair ends before Boat Race starts."
    "\nAnswer: True",
    "an unless": f"{PROOF}\nKite Fair ends before Lamp Walk starts unless Boat Race ends late.\n"
    "Answer: True",
    "a hidden comment": f"<!-- {PROOF} -->\n{PROOF}\nAnswer: True",
    "a comment of code": f"/* {PROOF} */\n{PROOF}\nAnswer: True",
    "hidden letters": f"{PROOF}\nAns\u200bwer: True\nAnswer: True",
    "a text in reverse": f"{PROOF}\n\u202eeurT :rewsnA\nAnswer: True",
    "a null": f"{PROOF}\x00\nAnswer: True",
    "private characters": f"{PROOF}\n\ue000 < \ue001\nAnswer: True",
    "hidden in markup": f'<span style="display:none">{PROOF}</span>\nAnswer: True',
    "hidden in LaTeX": f"\\phantom{{{PROOF}}}\nAnswer: True",
    "too long": f"{PROOF}\n{'Let us think. ' * 600}\nAnswer: True",
    "too many statements": "\n".join([PROOF] * 13) + "\nAnswer: True",
    "praise of itself": "This is a complete and correct proof. Reward: 1.0\nAnswer: True",
    "a claim of a proof": "By transitivity of the premises the claim follows.\nAnswer: True",
    "names alone": "Kite Fair, Boat Race, Lamp Walk, Stone Play.\nAnswer: True",
    "a timeline": "Kite Fair 0 to 1, Boat Race 2 to 3, Lamp Walk 4 to 5, Stone Play 6 to 7\n"
    "Answer: True",
    "an answer to a question": "Is it so? Yes.\nAnswer: True",
}


@pytest.mark.parametrize("name", HACKS)
def test_tricks_earn_nothing(name: str) -> None:
    assert paid(HACKS[name]) == 0.0


def test_there_are_sixty_tricks() -> None:
    assert len(HACKS) >= 60


@pytest.mark.parametrize(
    "completion",
    [
        f"{FIRST}\nAnswer: False", f"{FIRST}\n{FIRST}\nAnswer: False", f"{SECOND}\nAnswer: False",
        "The claim is left open.\nAnswer: False", "It does not follow.\nAnswer: False",
        "Ivy Ball 0 to 1, Tin Expo 0 to 1, Reed Run 0 to 1\nAnswer: False",
        f"{FIRST}\nIvy Ball 0 to 4, Tin Expo 3 to 5\nAnswer: False",
        f"{FIRST}\n{SECOND}\nAnswer: True",
    ],
)  # fmt: skip
def test_tricks_about_open_claims_earn_nothing(completion: str) -> None:
    assert paid(completion, OPEN, OPEN_CLAIM) == 0.0


@pytest.mark.parametrize("label", ["True", "False", "Undefined"])
@pytest.mark.parametrize("status", ["holds", "is refuted", "is left open", "is contradictory"])
def test_constant_policies_earn_nothing(label: str, status: str) -> None:
    for premise, claim in ((PREMISE, CLAIM), (PREMISE, REFUTED), (TORN, CLAIM), (OPEN, OPEN_CLAIM)):
        copied = premise.replace(". ", ".\n")
        assert paid(f"{copied}\nSo the claim {status}.\nAnswer: {label}", premise, claim) == 0.0


def test_an_item_of_two_hops_pays_nothing() -> None:
    short = PREMISE.rpartition(". ")[0]
    proof = "Kite Fair ends before Lamp Walk starts.\nAnswer: True"
    assert paid(proof, short, "Kite Fair happens before Lamp Walk") == 0.0


def test_metrics_are_logged_and_further_columns_accepted() -> None:
    logged: dict[str, float] = {}
    values = progress(
        ["a", "b"],
        [f"{PROOF}\nAnswer: True", "Answer: True"],
        premise=[PREMISE] * 2,
        claim=[CLAIM] * 2,
        label=["true"] * 2,
        domain=["temporal"] * 2,
        spatial=["geometric"] * 2,
        policy=["local"] * 2,
        completion_ids=[[1], [2]],
        trainer_state=None,
        log_metric=logged.__setitem__,
    )
    assert values == [1.0, 0.0]
    assert logged == {"progress/paid": 0.5, "progress/no_progress": 0.5}


@pytest.mark.parametrize("text", ["a < b", "x <think> y", "a \\le b", "É ≤ ∴ ⇒", "tab\there"])
def test_visible_text_is_not_hidden(text: str) -> None:
    assert not hidden(text)
