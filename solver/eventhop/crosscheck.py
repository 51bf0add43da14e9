"""Runs several engines on the same items and stops at the first disagreement."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from grammar.errors import HopcheckError
from grammar.eventhop.model import Item, Policy, Verdict
from solver import NAMESPACE
from solver.encodings import ENCODINGS
from solver.eventhop.engines import Engine, EngineName, engine_named, installed
from solver.verification.run import DisagreementError


class ItemDisagreementError(DisagreementError):
    """Two engines disagree on an item, so at least one of them is wrong.

    Attributes:
        item: the item they disagree on.
        policy: the labelling policy.
        verdicts: the verdict of each engine, in the order in which they ran.
    """

    def __init__(self, item: Item, policy: Policy, verdicts: Mapping[str, Verdict]) -> None:
        listed = "; ".join(f"{name}: {_describe(verdict)}" for name, verdict in verdicts.items())
        super().__init__(f"engines disagree on item {item.id}: {listed}")
        self.item = item
        self.policy = policy
        self.verdicts = dict(verdicts)

    def __reduce__(self) -> tuple[type[ItemDisagreementError], tuple[Item, Policy, object]]:
        """Pickle all attributes; the default keeps only the message."""
        return ItemDisagreementError, (self.item, self.policy, self.verdicts)

    def write_reproducer(self, folder: Path) -> Path:
        """Write a folder that reproduces the disagreement; returns its path.

        It holds the item as facts and as a graph, the encodings, a page with each engine's verdict
        and the clingo command, and a script that runs every engine again.
        """
        from grammar.eventhop.graph_json import encode
        from solver.eventhop.engines.asp import encode_items

        safe = "".join(c if c.isalnum() else "-" for c in self.item.id)[:40]
        target = folder / f"disagreement-{safe}"
        shutil.copytree(ENCODINGS / "temporal", target / "temporal", dirs_exist_ok=True)
        verdicts = "\n".join(f"{name}: {_describe(v)}" for name, v in self.verdicts.items())
        premise = "\n".join(f"  {n}: {relation}" for n, relation in enumerate(self.item.premise))
        engines = list(map(str, self.verdicts))
        texts = {
            "facts.lp": f"{encode_items([self.item])}\n",
            "item.json": encode(self.item).decode() + "\n",
            "README.txt": _PAGE.format(
                item=self.item, policy=self.policy, verdicts=verdicts, premise=premise
            ),
            "ask_again.py": _SCRIPT.format(
                packages=NAMESPACE, policy=self.policy.value, engines=engines
            ),
        }
        for name, text in texts.items():
            (target / name).write_text(text, encoding="utf-8")
        self.hint = f"reproduce it with {target}"
        return target


class EngineError(HopcheckError):
    """An engine of another distribution that cannot be loaded."""

    code = "engine"


def engine(name: EngineName | str, policy: Policy = Policy.LOCAL) -> Engine:
    """Create the engine of that name; no other one is imported.

    Raises:
        ValueError: there is none.
        EngineError: one of another distribution cannot be loaded.
    """
    match engine_named(name):
        case EngineName.ASP:
            from solver.eventhop.engines.asp import DerivationEngine

            return DerivationEngine(policy=policy)
        case EngineName.GRAPH:
            from solver.eventhop.engines.graph import ClosureEngine

            return ClosureEngine(policy=policy)
        case EngineName.SMT:
            from solver.eventhop.engines.smt import RefutationEngine

            return RefutationEngine(policy=policy)
        case EngineName.TIMELINES:
            from solver.eventhop.engines.timelines import SearchEngine

            return SearchEngine(policy=policy)
        case other:
            return _installed(other, policy)


def _installed(name: str, policy: Policy) -> Engine:
    try:
        made: Engine = installed()[name].load()(policy)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        raise EngineError(f"cannot be loaded: {reason}", where=f"engine {name}") from error
    if not callable(getattr(made, "decide", None)) or made.name != name:
        message = f"found a {type(made).__name__}, expected an engine with this name"
        raise EngineError(message, where=f"engine {name}")
    return made


class Crosscheck:
    """An engine composed of others that must agree."""

    def __init__(self, names: Sequence[EngineName | str], policy: Policy = Policy.LOCAL) -> None:
        """Use these engines, in this order; a single one is not checked."""
        self._policy = policy
        self._engines: tuple[Engine, ...] = tuple(engine(name, policy) for name in names)

    def decide(self, items: Sequence[Item]) -> list[Verdict]:
        """One verdict per item, in order.

        Raises:
            ItemDisagreementError: for the first item on which the engines disagree.
        """
        answers = [engine.decide(items) for engine in self._engines]
        for index, item in enumerate(items):
            if any(answer[index] != answers[0][index] for answer in answers[1:]):
                pairs = zip(self._engines, answers, strict=True)
                raise ItemDisagreementError(
                    item, self._policy, {engine.name: answer[index] for engine, answer in pairs}
                )
        return answers[0]


def _describe(verdict: Verdict) -> str:
    state = "consistent" if verdict.consistent else "inconsistent"
    return f"{verdict.status}, {verdict.label}, premise {state}"


_PAGE = """Engines disagree on item {item.id} under the policy {policy}.

{verdicts}

premise
{premise}
claim
  {item.claim}

Run clingo alone:
  clingo temporal/claims.lp facts.lp -c policy={policy}
Run each engine again:
  python ask_again.py
"""

_SCRIPT = """# Runs each engine again on the item on which they disagree.
from pathlib import Path

from {packages}grammar.eventhop.graph_json import decode
from {packages}grammar.eventhop.model import Policy
from {packages}solver.eventhop.crosscheck import engine

item = decode(Path(__file__).with_name("item.json").read_bytes())
for name in {engines!r}:
    verdict = engine(name, Policy({policy!r})).decide([item])[0]
    print(f"{{name:<6}} {{verdict.status}} {{verdict.label}} consistent={{verdict.consistent}}")
"""
