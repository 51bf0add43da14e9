"""Asks several engines and stops at the first difference between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from solver.engines import Engine, EngineName, engine
from solver.errors import ExitStatus, HopcheckError
from solver.facts import facts
from solver.model import Item, Policy, Verdict


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

    The folder holds the item's facts and a page with each engine's verdict and the commands.
    """
    home = folder / f"disagreement-{''.join(c if c.isalnum() else '-' for c in found.item.id)}"
    home.mkdir(parents=True, exist_ok=True)
    (home / "facts.lp").write_text(facts([found.item]) + "\n", encoding="utf-8")
    verdicts = "\n".join(f"{name}: {_told(verdict)}" for name, verdict in found.verdicts.items())
    premise = "\n".join(f"{n}: {relation}" for n, relation in enumerate(found.item.premise))
    page = _PAGE.format(
        id=found.item.id,
        policy=found.policy,
        verdicts=verdicts,
        premise=premise,
        claim=found.item.claim,
        engines=",".join(found.verdicts),
    )
    (home / "README.txt").write_text(page, encoding="utf-8")
    return home


def _told(verdict: Verdict) -> str:
    state = "consistent" if verdict.consistent else "inconsistent"
    return f"{verdict.status}, {verdict.label}, premise {state}"


_PAGE = """Engines disagree on item {id} under the policy {policy}.

{verdicts}

premise
{premise}
claim
{claim}

Ask clingo alone (facts.lp lies beside this page):
  clingo encodings/temporal/claims.lp facts.lp -c policy={policy}
Ask all engines again, from Python:
  from solver.crosscheck import Crosscheck
"""
