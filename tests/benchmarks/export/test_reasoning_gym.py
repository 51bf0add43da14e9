"""``export reasoning-gym``: that library's own checks of data sets."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import hopcheck as hc

# The checks of reasoning-gym's tests, in its order: all registered sets, config, determinism,
# items, iteration, answers, curriculum.
CHECK = """
import json, sys
sys.path.insert(0, sys.argv[1])
import ours, pytest, reasoning_gym
from reasoning_gym.factory import CURRICULA, DATASETS, create_curriculum, get_score_answer_fn
assert "ours" in DATASETS and "ours" in CURRICULA
data = reasoning_gym.create_dataset("ours", size=10, seed=1234)
assert all(data.score_answer(one["answer"], one) == 1.0 for one in data)
for wrong in ({"split": "dev"}, {"min_events": 9, "max_events": 4}, {"size": 0}, {"prompt": "x"}):
    with pytest.raises(AssertionError):
        reasoning_gym.create_dataset("ours", **wrong)
assert list(data) == list(reasoning_gym.create_dataset("ours", size=10, seed=1234))
longer = reasoning_gym.create_dataset("ours", size=1_000, seed=1234)
after = reasoning_gym.create_dataset("ours", size=1_000, seed=1235)
same = sum(longer[i + 1]["metadata"]["item"] == after[i]["metadata"]["item"] for i in range(999))
assert same < 500, same  # seeds are hashed with the index: data of adjacent seeds do not overlap
assert [longer[i] for i in range(10)] == list(data) and len(longer) == 1_000
assert list(data) == list(data) and len(list(data)) == 10
for one in data:
    assert {*one} == {"question", "answer", "metadata"}
    assert one["metadata"]["source_dataset"] == "ours" and "difficulty" in one["metadata"]
    for answer in (None, "", "perhaps", "True or False"):
        assert data.score_answer(answer, one) == 0.0
    others = {"True", "False", "Undefined"} - {one["answer"]}
    assert all(data.score_answer(other, one) == 0.0 for other in others)
    assert data.score_answer(f"I think so. The answer is **{one['answer'].lower()}**.", one) == 1.0
    altered = one | {"answer": others.pop()}  # the solver decides, not the stored answer
    assert data.score_answer(one["answer"], altered) == 1.0
assert get_score_answer_fn("ours")("true", {"answer": "True"}) == 1.0
course = create_curriculum("ours")
first = course.generate_configuration({"size": 150, "seed": 1})
least = course.get_attribute("events").levels[0]
assert (first.size, first.seed) == (150, 1)
assert (first.min_events, first.max_events) == (least, least)
assert course.increment_attr_level("hops")
more = course.generate_configuration({"size": 150, "seed": 1})
levels = course.get_attribute("hops").levels
assert (more.min_hops, more.max_hops, more.max_events) == (levels[0], levels[1], least)
assert course.decrement_attr_level("hops")
assert course.generate_configuration({"size": 150, "seed": 1}) == first
hops = {one["metadata"]["hops"] for one in reasoning_gym.create_dataset("ours", max_hops=2, seed=2)}
assert hops <= {None, 1, 2}
print("checked")
"""


def test_the_checks_of_the_library_pass(
    items: Path, tmp_path: Path, outside: Callable[..., str]
) -> None:
    hc.export("reasoning-gym", items, tmp_path / "out", name="ours")
    assert outside(CHECK, tmp_path / "out", needs="reasoning_gym") == "checked\n"


CHECK_QUESTIONS = """
import json, sys
sys.path.insert(0, sys.argv[1])
import ours, pytest, reasoning_gym
from reasoning_gym.factory import create_curriculum, get_score_answer_fn
data = reasoning_gym.create_dataset("ours", size=40, seed=7)
longer = reasoning_gym.create_dataset("ours", size=400, seed=7)
assert [longer[i] for i in range(40)] == list(data)
kinds = {one["metadata"]["difficulty"]["kind"] for one in longer}
assert kinds == {"1-hop", "2-hop", "yes-unknown", "fact-reasoning"}
for one in longer:
    assert data.score_answer(one["answer"], one) == 1.0
    assert data.score_answer("Answer: " + one["answer"].replace("_", " ").lower(), one) == 1.0
    for wrong in (None, "", "perhaps", "Nobody"):
        assert data.score_answer(wrong, one) == 0.0
    if one["metadata"]["hops"]:
        assert data.score_answer("Nobody; " + one["answer"], one) == 0.5
for wrong in ({"split": "dev"}, {"kinds": ("3-hop",)}, {"max_hops": 0}, {"prompt": "x"}):
    with pytest.raises(AssertionError):
        reasoning_gym.create_dataset("ours", **wrong)
one = reasoning_gym.create_dataset("ours", kinds=("2-hop",), size=5, seed=1)
assert {row["metadata"]["hops"] for row in one} == {2}
assert get_score_answer_fn("ours")("the mill", {"answer": "The_Mill"}) == 1.0
course = create_curriculum("ours")
assert course.generate_configuration({"size": 9, "seed": 1}).max_hops == 1
assert course.increment_attr_level("hops")
assert course.generate_configuration({"size": 9, "seed": 1}).max_hops == 2
print("checked")
"""


def test_questions_pass_the_checks(
    questions: Path, tmp_path: Path, outside: Callable[..., str]
) -> None:
    hc.export("reasoning-gym", questions, tmp_path / "out", name="ours")
    assert outside(CHECK_QUESTIONS, tmp_path / "out", needs="reasoning_gym") == "checked\n"


CHECK_PROBLEMS = """
import json, sys
sys.path.insert(0, sys.argv[1])
import ours, pytest, reasoning_gym
from reasoning_gym.factory import create_curriculum, get_score_answer_fn
data = reasoning_gym.create_dataset("ours", split="test", size=40, seed=7)
longer = reasoning_gym.create_dataset("ours", split="test", size=400, seed=7)
assert [longer[i] for i in range(40)] == list(data)
for item in longer:
    assert data.score_answer(item["answer"], item) == 1.0
    assert data.score_answer("Answer: " + item["metadata"]["answers"][item["answer"]], item) == 1.0
    for wrong in (None, "", "perhaps", *({*item["metadata"]["answers"]} - {item["answer"]})):
        assert data.score_answer(wrong, item) == 0.0
for wrong in ({"split": "dev"}, {"families": ("x",)}, {"min_level": 4, "max_level": 2},
              {"prompt": "x"}, {"size": 0}):
    with pytest.raises(AssertionError):
        reasoning_gym.create_dataset("ours", **wrong)
assert get_score_answer_fn("ours")("Answer: b", {"answer": "B"}) == 1.0
course = create_curriculum("ours")
assert course.generate_configuration({"size": 9, "seed": 1}).max_level == 1
assert course.increment_attr_level("level")
assert course.generate_configuration({"size": 9, "seed": 1}).max_level == 2
print("checked")
"""


def test_problems_pass_the_checks(
    problems: Path, tmp_path: Path, outside: Callable[..., str]
) -> None:
    hc.export("reasoning-gym", problems, tmp_path / "out", name="ours")
    assert outside(CHECK_PROBLEMS, tmp_path / "out", needs="reasoning_gym") == "checked\n"


def test_the_files_are_those_of_the_items(items: Path, tmp_path: Path) -> None:
    hc.export("reasoning-gym", items, tmp_path, name="ours")
    rows = [
        json.loads(line) for line in (tmp_path / "ours" / "test.jsonl").read_text().splitlines()
    ]
    assert [row["id"] for row in rows] == [str(number) for number in range(18)]


def test_unknown_formats_are_refused(items: Path, tmp_path: Path) -> None:
    with pytest.raises(hc.ArgumentError, match="expected one of hf, inspect"):
        hc.export("arrow", items, tmp_path)
