"""Asks several engines and stops at the first difference between them."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from grammar.graph_json import encode
from solver.engines import Engine, EngineName, engine
from solver.errors import ExitStatus, HopcheckError
from solver.facts import facts
from solver.model import Item, Policy, Verdict
from solver.theories import ENCODINGS


class DisagreementError(HopcheckError):
    """Two engines differ on an item: one of them is wrong, and no label can be trusted.

    Attributes:
        item: the item they differ on.
        policy: the policy they were asked under.
        verdicts: what each engine says, in the order they were asked.
    """

    code = "disagreement"
    exit_status = ExitStatus.DISAGREEMENT

    def __init__(self, item: Item, policy: Policy, verdicts: Mapping[EngineName, Verdict]) -> None:
        said = "; ".join(f"{name}: {_told(verdict)}" for name, verdict in verdicts.items())
        super().__init__(f"engines disagree on item {item.id}: {said}")
        self.item = item
        self.policy = policy
        self.verdicts = dict(verdicts)

    def __reduce__(self) -> tuple[type[DisagreementError], tuple[Item, Policy, object]]:
        """Cross a process's edge whole; an exception's own way keeps only its message."""
        return DisagreementError, (self.item, self.policy, self.verdicts)


class Crosscheck:
    """An engine made of others that have to agree."""

    def __init__(self, names: Sequence[EngineName], policy: Policy = Policy.LOCAL) -> None:
        """Ask the engines of these names, in this order; one alone is taken at its word."""
        self._policy = policy
        self._engines: tuple[Engine, ...] = tuple(engine(name, policy) for name in names)

    def decide(self, items: Sequence[Item]) -> list[Verdict]:
        """Give one verdict an item, in the order of the items.

        Raises:
            DisagreementError: for the first item that the engines differ on.
        """
        answers = [one.decide(items) for one in self._engines]
        for index, item in enumerate(items):
            if any(answer[index] != answers[0][index] for answer in answers[1:]):
                pairs = zip(self._engines, answers, strict=True)
                raise DisagreementError(
                    item, self._policy, {one.name: answer[index] for one, answer in pairs}
                )
        return answers[0]


def write_reproducer(found: DisagreementError, folder: Path) -> Path:
    """Write what is needed to see a disagreement again, and say where.

    The folder holds the item's facts, its graph, the encodings as they were asked, a page with
    each engine's verdict and the command, and a script that asks every engine again.
    """
    safe = "".join(c if c.isalnum() else "-" for c in found.item.id)[:40]
    home = folder / f"disagreement-{safe}"
    shutil.copytree(ENCODINGS / "temporal", home / "temporal", dirs_exist_ok=True)
    verdicts = "\n".join(f"{name}: {_told(verdict)}" for name, verdict in found.verdicts.items())
    premise = "\n".join(f"  {n}: {relation}" for n, relation in enumerate(found.item.premise))
    engines = [name.value for name in found.verdicts]
    texts = {
        "facts.lp": facts([found.item]) + "\n",
        "item.json": encode(found.item).decode() + "\n",
        "README.txt": _PAGE.format(
            item=found.item, policy=found.policy, verdicts=verdicts, premise=premise
        ),
        "ask_again.py": _SCRIPT.format(policy=found.policy.value, engines=engines),
    }
    for name, text in texts.items():
        (home / name).write_text(text, encoding="utf-8")
    return home


def _told(verdict: Verdict) -> str:
    state = "consistent" if verdict.consistent else "inconsistent"
    return f"{verdict.status}, {verdict.label}, premise {state}"


_PAGE = """Engines disagree on item {item.id} under the policy {policy}.

{verdicts}

premise
{premise}
claim
  {item.claim}

Ask clingo alone:
  clingo temporal/claims.lp facts.lp -c policy={policy}
Ask each engine again:
  python ask_again.py
"""

_SCRIPT = """# Asks each engine again for the item that they disagreed on.
from pathlib import Path

from grammar.graph_json import decode
from solver.engines import EngineName, engine
from solver.model import Policy

item = decode(Path(__file__).with_name("item.json").read_bytes())
for name in {engines!r}:
    verdict = engine(EngineName(name), Policy({policy!r})).decide([item])[0]
    print(f"{{name:<6}} {{verdict.status}} {{verdict.label}} consistent={{verdict.consistent}}")
"""
