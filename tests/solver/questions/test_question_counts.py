"""What can be counted of a fact before its time, against a look at every fact."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from solver.graph.model import History, Quadruples
from solver.questions.counts import FactCounts, countries, types

NAMES = (
    "Citizen_(Orm)",
    "Police_(Orm)",
    "Orm",
    "Citizen (Vale)",
    "Police_(Vale)",
    "Ada",
    "Ben",
    "Mill_(by_the_sea)",
)


def drawn(seed: int, size: int = 120) -> Quadruples:
    draw = np.random.default_rng(seed)
    return Quadruples(
        head=draw.integers(len(NAMES), size=size),
        relation=draw.integers(3, size=size),
        tail=draw.integers(len(NAMES), size=size),
        time=np.sort(draw.integers(9, size=size)),
    ).distinct()


def test_counts_before_a_time() -> None:
    draw = np.random.default_rng(3)
    keys, times = draw.integers(5, size=80), draw.integers(9, size=80)
    counts = History(keys, times)
    for key, time in product(range(6), range(9)):
        here = times[(keys == key) & (times < time)]
        asked = np.array([key]), np.array([time])
        assert counts.before(*asked).tolist() == [len(here)]
        assert counts.at(*asked).tolist() == [((keys == key) & (times == time)).sum()]
        begins, ends = counts.places(*asked)
        assert (begins, ends) == ((keys < key).sum(), (keys < key).sum() + len(here))
        assert counts.counted(*asked)[1].tolist() == [time - here.max() if len(here) else 0]
    nothing = History(keys[:0], times[:0])
    assert (
        nothing.before(keys, times).tolist()
        == nothing.at(keys, times).tolist()
        == nothing.counted(keys, times)[1].tolist()
        == [0] * 80
    )


def test_countries_are_named_or_are_those_of_usual_partners() -> None:
    # Ada has most facts with Police_(Vale), Ben with Ada.
    facts = [(5, 0, 4, 1), (5, 0, 4, 2), (5, 0, 2, 3), (6, 0, 5, 1), (6, 1, 6, 2), (0, 0, 1, 1)]
    found = countries(Quadruples.of(np.array(facts)), len(NAMES), NAMES).tolist()
    assert found == [2, 2, 2, 3, 3, 3, 5, 7]
    alone = countries(Quadruples.of(np.array(facts)), len(NAMES))
    # Without names, the country of each is its usual partner.
    assert alone.tolist() == [1, 0, 5, 3, 5, 4, 5, 7]


def test_types_are_what_several_names_begin_with() -> None:
    found = types(len(NAMES), NAMES).tolist()
    assert found == [1, 2, 0, 1, 2, 0, 0, 0]
    assert types(3).tolist() == [0, 0, 0]


@pytest.mark.parametrize("seed", range(3))
def test_columns_are_those_counted_by_hand(seed: int) -> None:
    graph = drawn(seed)
    facts = graph.rows().tolist()
    country = countries(graph, len(NAMES), NAMES).tolist()
    kind = types(len(NAMES), NAMES).tolist()
    counts = FactCounts(graph, len(NAMES), 3, NAMES)
    asked = np.concatenate((graph.rows(), drawn(seed + 10).rows()))
    columns = {name: values.tolist() for name, values in counts.columns(asked).items()}
    kinds = counts.kinds(asked)
    assert {len(values) for values in columns.values()} == {len(asked)}
    for row, (head, relation, tail, time) in enumerate(asked.tolist()):
        before = [fact for fact in facts if fact[3] < time]
        both = [(s, r, o, t) for s, r, o, t in before] + [(o, r + 3, s, t) for s, r, o, t in before]
        shared = {
            "of the subject": [f for f in both if f[0] == head],
            "of the object": [f for f in both if f[0] == tail],
            "with it as subject": [f for f in before if f[0] == head],
            "with it as object": [f for f in before if f[2] == tail],
            "of the subject in the relation": [f for f in both if f[:2] == (head, relation)],
            "of the object in the relation": [f for f in both if f[:2] == (tail, relation + 3)],
            "of the subject in the other role": [f for f in both if f[:2] == (head, relation + 3)],
            "of the object in the other role": [f for f in both if f[:2] == (tail, relation)],
            "of the relation": [f for f in before if f[1] == relation],
            "of the two": [f for f in before if {f[0], f[2]} == {head, tail}],
            "of the types in the relation": [
                f
                for f in before
                if (kind[f[0]], f[1], kind[f[2]]) == (kind[head], relation, kind[tail])
            ],
        }
        near = {
            "the subject with the object's country": [
                f for f in before if (f[0], country[f[2]]) == (head, country[tail])
            ],
            "the subject's country with the object": [
                f for f in before if (country[f[0]], f[2]) == (country[head], tail)
            ],
            "the two countries": [
                f
                for f in before
                if (country[f[0]], country[f[2]]) == (country[head], country[tail])
            ],
        }
        for name, some in near.items():
            shared[f"of {name}"] = some
            shared[f"of {name} in the relation"] = [f for f in some if f[1] == relation]
        assert {name for name in columns if name.startswith("facts ")} == {
            f"facts {name}" for name in shared
        }
        for name, some in shared.items():
            assert columns[f"facts {name}"][row] == len(some), name
            last = max((f[3] for f in some), default=time)
            assert columns[f"time since facts {name}"][row] == time - last, name
        share = 1_000 * (len(shared["of the subject in the relation"]) + 1)
        share //= len(shared["of the subject"]) + 2
        assert columns["share of the subject in the relation"][row] == share
        day = [{s, o} for s, _, o, t in facts if t == time]
        for name, end, other in (("subject", head, tail), ("object", tail, head)):
            met = [max(pair - {end}, default=end) for pair in day if end in pair]
            expected = len(set(met)) - ({head, tail} in day)
            assert columns[f"others that the {name} meets that day"][row] == expected
            assert other in met or {head, tail} not in day
        assert columns["both are of one country"][row] == (country[head] == country[tail])
    for name, same in (
        ("countries", [(country[h], country[t]) for h, _, t, _ in asked.tolist()]),
        ("types", [(kind[h], kind[t]) for h, _, t, _ in asked.tolist()]),
        ("types and relation", [(kind[h], kind[t], r) for h, r, t, _ in asked.tolist()]),
    ):
        assert len(set(zip(same, kinds[name].tolist(), strict=True))) == len(set(same)), name
        assert len(set(kinds[name].tolist())) == len(set(same))
