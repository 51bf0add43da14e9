"""``explain --query`` and ``explain --rule``: answers of temporal rules, and single rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver.cli.options import as_json, graph, number_option, read_graph, seed, svg
from solver.cli.printing import print_json, write_drawing
from solver.rules.cli.options import ApplicationOptions, applying, rules_file

if TYPE_CHECKING:
    from solver.graph.model import Dataset, Vocabulary
    from solver.rules.encode import Fact
    from solver.rules.explain import Explanation, Proof, Support
    from solver.rules.model import Rule, RuleTable

UNKNOWN = "?"


@click.command()
@click.option(
    "--query",
    "asked",
    nargs=4,
    required=True,
    metavar="S R O T",
    help="Query as names or ids; S or O is a question mark.",
)
@rules_file
@graph()
@applying
@number_option("--candidates", default=5, help="Number of candidates to show.")
@number_option("--reasons", default=3, help="Number of rules to show per candidate.")
@svg
@as_json
def query(
    *,
    asked: tuple[str, str, str, str],
    rules: Path,
    graph: Path,
    applying: ApplicationOptions,
    candidates: int,
    reasons: int,
    drawing: Path | None,
    as_json: bool,
) -> None:
    """Answer a query with temporal rules and show the rules and facts behind each candidate.

    Only facts before the query's time are used; after the last time of the graph the answer is a
    forecast, and a time before the first one is refused. The latest grounding of each rule is
    shown; it is found by joins and confirmed by clingo.

    \b
    Examples:
      python -m solver explain --query Belmora visits "?" 2031-05-10 --rules rules.json \\
        --data examples/tkg
      python -m solver explain --query "?" 0 3 75 --rules rules.json --data examples/tkg --svg a.svg
    """  # noqa: D301 - click reads the backslash
    from solver.rules.application import Application
    from solver.rules.explain import explain
    from solver.rules.io import read_rules

    dataset = read_graph(graph)
    table = read_rules(rules, relations=dataset.vocabulary.relations)
    applied = Application.of(table, dataset, applying.settings(), trained=applying.trained)
    head, relation, time = _query_ids(asked, dataset.vocabulary)
    explanation = explain(applied, head, relation, time, candidates=candidates, reasons=reasons)
    if drawing is not None:
        _draw_proof(explanation, dataset.vocabulary, drawing)
    if as_json:
        print_json(_explanation_json(explanation, dataset))
        return
    for line in _explanation_lines(explanation, dataset):
        click.echo(line)


def _query_ids(query: tuple[str, str, str, str], vocabulary: Vocabulary) -> tuple[int, int, int]:
    """Head, relation and time; a head query becomes a tail query of the inverse relation."""
    from solver.graph.model import entity_id, relation_id, time_id

    head, named, tail, moment = query
    if (head == UNKNOWN) == (tail == UNKNOWN):
        raise click.UsageError("--query: exactly one of S and O must be a question mark.")
    relation, time = relation_id(vocabulary, named), time_id(vocabulary, moment, later=True)
    if tail == UNKNOWN:
        return entity_id(vocabulary, head), relation, time
    size = vocabulary.relations
    return entity_id(vocabulary, tail), (relation + size) % (2 * size), time


def _known(explanation: Explanation, dataset: Dataset) -> set[int]:
    """The answers that are facts of the graph."""
    facts = dataset.facts().both_ways(dataset.vocabulary.relations)
    matching = (facts.head == explanation.head) & (facts.relation == explanation.relation)
    return set(facts.tail[matching & (facts.time == explanation.time)].tolist())


def _explanation_lines(explanation: Explanation, dataset: Dataset) -> Iterator[str]:
    from solver.rules.notation import fact_text

    size, known = dataset.vocabulary, _known(explanation, dataset)
    fact = (explanation.head, explanation.relation, -1, explanation.time)
    yield f"{fact_text(fact, size)} at {size.time(explanation.time)}"
    last = int(dataset.facts().time.max())
    if explanation.time > last:
        yield f"a forecast: the last facts of the graph are of {size.time(last)}"
    if not explanation.ruled:
        yield "no rule applies: candidates are the most frequent objects of the relation"
    for place, one in enumerate(explanation.first, 1):
        right = ", a fact of the graph" if one.entity in known else ""
        ruled = f" by {one.rules} rule{'s' * (one.rules != 1)}" if explanation.ruled else ""
        yield f"{place}. {size.entity(one.entity)} {one.score:.4f}{ruled}{right}"
        for proof in one.proofs:
            yield from _proof_lines(proof, size)
    if explanation.candidates > len(explanation.first):
        yield f"and {explanation.candidates - len(explanation.first):,} more candidates"


def _proof_lines(proof: Proof, size: Vocabulary) -> Iterator[str]:
    from solver.rules.notation import fact_text, rule_text

    reason = proof.reason
    rule = f"rule {reason.number}, confidence {reason.rule.confidence:.3f}"
    yield f"   {reason.score:.4f} {rule}: {rule_text(reason.rule, size)}"
    for fact in proof.facts:
        yield f"          {size.time(fact[3])}  {fact_text(fact, size)}"
    others = proof.alike - 1
    if others:
        yield f"          and {others:,} more grounding{'s' * (others != 1)} that begin then"
    if not proof.proved:
        yield "          NOT confirmed by clingo"


def _explanation_json(explanation: Explanation, dataset: Dataset) -> dict[str, Any]:
    size, known = dataset.vocabulary, _known(explanation, dataset)
    return {
        "head": explanation.head,
        "relation": explanation.relation,
        "time": explanation.time,
        "forecast": explanation.time > int(dataset.facts().time.max()),
        "ruled": explanation.ruled,
        "candidates": explanation.candidates,
        "first": [
            {
                "entity": one.entity,
                "name": size.entity(one.entity),
                "score": one.score,
                "rules": one.rules,
                "holds": one.entity in known,
                "reasons": [_reason(proof, size) for proof in one.proofs],
            }
            for one in explanation.first
        ],
    }


def _reason(proof: Proof, size: Vocabulary) -> dict[str, Any]:
    from solver.rules.notation import rule_text

    return {
        "rule": proof.reason.number,
        "text": rule_text(proof.reason.rule, size),
        "confidence": proof.reason.rule.confidence,
        "score": proof.reason.score,
        "grounding": proof.facts,
        "alike": proof.alike,
        "proved": proof.proved,
    }


def _draw_proof(explanation: Explanation, size: Vocabulary, path: Path) -> None:
    """Draw the grounding of the rule with the highest score for the best candidate."""
    best = explanation.first[0] if explanation.first else None
    if best is None or not best.proofs:
        click.echo("nothing is drawn: no rule applies", err=True)
        return
    proof = best.proofs[0]
    rule = proof.reason.rule
    note = (
        f"confidence {rule.confidence:.3f}; {size.entity(best.entity)} scores "
        f"{best.score:.4f} by {best.rules} rules"
    )
    head = (explanation.head, explanation.relation, best.entity, explanation.time)
    _draw(path, rule, size, note=note, body=proof.facts, head=head)


def _draw(
    path: Path, rule: Rule, size: Vocabulary, *, note: str, body: Sequence[Fact], head: Fact
) -> None:
    from solver.rules.drawing import DrawnGrounding, arrow, draw, picture
    from solver.rules.notation import rule_text

    drawn = DrawnGrounding(
        title=rule_text(rule, size),
        note=note,
        body=tuple(arrow(fact, size) for fact in body),
        head=arrow(head, size),
    )
    write_drawing(path, draw=lambda: draw(drawn), picture=lambda form: picture(drawn, form=form))


@click.command()
@click.option(
    "--rule",
    "wanted",
    required=True,
    metavar="TEXT|N",
    help="Rule such as `hosts(A, B) <- visits(B, A)`, or its number in FILE, from 0.",
)
@rules_file
@graph()
@number_option("--groundings", default=3, low=0, help="Number of groundings to show.")
@seed
@svg
@as_json
def rule(
    *,
    wanted: str,
    rules: Path,
    graph: Path,
    groundings: int,
    seed: int,
    drawing: Path | None,
    as_json: bool,
) -> None:
    """Show a temporal rule of a file with its supports and some groundings in the graph.

    Groundings are found by joins and confirmed by clingo.

    \b
    Examples:
      python -m solver explain --rule 0 --rules rules.json --data examples/tkg
      python -m solver explain --rule "hosts(A, B) <- visits(B, A)" --rules rules.json \\
        --data examples/tkg --svg rule.svg
    """  # noqa: D301 - click reads the backslash
    from solver.rules.explain import supporting
    from solver.rules.graph import History
    from solver.rules.io import read_rules

    dataset = read_graph(graph)
    size = dataset.vocabulary
    table = read_rules(rules, relations=size.relations)
    number = _number(wanted, table, size, str(rules))
    chosen = table.rule(number)
    history = History.of(dataset.facts(), size)
    found = supporting(history, chosen, number=groundings, seed=seed)
    if drawing is not None:
        _draw_support(chosen, found, size, drawing)
    if as_json:
        print_json(_rule_json(number, chosen, found, size))
        return
    for line in _rule_lines(number, chosen, found, size):
        click.echo(line)


def _number(wanted: str, table: RuleTable, size: Vocabulary, file: str) -> int:
    """Find the row of a rule given as text or number."""
    from solver.rules.notation import RuleTextError, read_rule

    if wanted.isascii() and wanted.isdecimal():
        if int(wanted) < len(table):
            return int(wanted)
        message = f"found rule {wanted}, expected 0 to {len(table) - 1}"
        raise RuleTextError(message, where=file)
    meant = {(one.head, one.body, one.same) for one in read_rule(wanted, size)}
    heads = {head for head, _, _ in meant}
    for number, rule in enumerate(table):
        if rule.head in heads and (rule.head, rule.body, rule.same) in meant:
            return number
    raise RuleTextError("the file has no such rule", where=file, hint=_near(heads, table, size))


def _near(heads: set[int], table: RuleTable, size: Vocabulary) -> str:
    """Describe the rules of the file with the same head relation."""
    import numpy as np

    from solver.rules.notation import rule_text

    rows = np.flatnonzero(np.isin(table.head, sorted(heads)))
    if not len(rows):
        return "it has none for this relation"
    first = rule_text(table.rule(int(rows[0])), size)
    return f"it has {len(rows):,} for this relation, such as {first}"


def _rule_lines(
    number: int, rule: Rule, found: Sequence[Support], size: Vocabulary
) -> Iterator[str]:
    from solver.rules.notation import fact_text, rule_text

    yield f"rule {number}: {rule_text(rule, size)}"
    yield (
        f"confidence {rule.confidence:.4f}: {rule.rule_support:,} of {rule.body_support:,} body "
        "groundings are followed by the head"
    )
    if not found:
        yield "no grounding was found among the sampled facts of the head"
    for place, one in enumerate(found, 1):
        yield f"{place}. {size.time(one.head[3])}  {fact_text(one.head, size)}"
        for fact in reversed(one.body):
            yield f"   {size.time(fact[3])}  {fact_text(fact, size)}"
        if not one.proved:
            yield "   NOT confirmed by clingo"


def _rule_json(
    number: int, rule: Rule, found: Sequence[Support], size: Vocabulary
) -> dict[str, Any]:
    from solver.rules.notation import rule_text

    return {
        "rule": number,
        "text": rule_text(rule, size),
        "head": rule.head,
        "body": rule.body,
        "same": rule.same,
        "confidence": rule.confidence,
        "rule_support": rule.rule_support,
        "body_support": rule.body_support,
        "groundings": [{"head": one.head, "body": one.body, "proved": one.proved} for one in found],
    }


def _draw_support(rule: Rule, found: Sequence[Support], size: Vocabulary, path: Path) -> None:
    """Draw the first grounding."""
    if not found:
        click.echo("nothing is drawn: no grounding was found", err=True)
        return
    note = (
        f"confidence {rule.confidence:.3f}: {rule.rule_support:,} of "
        f"{rule.body_support:,} body groundings"
    )
    _draw(path, rule, size, note=note, body=found[0].body, head=found[0].head)
