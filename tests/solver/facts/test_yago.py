"""``import yago``: facts, classes and schema against a plain computation; the command."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

import pytest

from grammar.errors import ExitStatus
from solver.cli import run
from solver.facts.schema import read_types
from solver.facts.schema_files import read_schema
from solver.facts.yago import Imprecise, import_yago
from solver.io.sources import InputError

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "examples" / "yago"
FILES = [str(EXAMPLES / name) for name in ("meta-facts.ntx", "facts.ttl", "taxonomy.ttl")]
HEADER = """\
@prefix schema: <http://schema.org/> .
@prefix yago: <http://yago-knowledge.org/resource/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
"""
DATES = {
    '"2031-02-28"^^schema:d': ("2031-02-28", "2031-02-28"),
    '"2030-12-01T10:00:00Z"': ("2030-12-01", "2030-12-01"),
    '"2031"': (None, "2031-01-01"),
    '"2031-05"': (None, "2031-05-01"),
    '"2031-02-30"': (None, None),
    '"-0044-03-15"': (None, None),
    '"12 May"': (None, None),
    "schema:never": (None, None),
}


@pytest.mark.parametrize("imprecise", Imprecise)
def test_random_files(imprecise: Imprecise, tmp_path: Path) -> None:
    column = [Imprecise.SKIP, Imprecise.FIRST].index(imprecise)
    compared = 0
    for seed in range(120):
        chance = random.Random(seed)
        lines, rows, types, classes, ends = [], set(), {}, {}, {}
        for _ in range(chance.randrange(1, 25)):
            s, o = (chance.choice("ABCDEFG") for _ in range(2))
            r, bound = chance.choice("pqr"), chance.choice(["start", "end"])
            written, days = chance.choice([*DATES.items()])
            lines.append(f"<< yago:{s} schema:{r} yago:{o} >> schema:{bound}Date {written} .")
            ends[r] = ends.get(r, False) or bound == "end"
            if days[column] is not None:
                rows.add((days[column], s, r, bound, o))
        for _ in range(chance.randrange(12)):
            text, other = (chance.choice("ABCDEFGHI") for _ in range(2))
            if chance.random() < 0.5:
                lines.append(f"yago:{text} a yago:K{other} .")
                types.setdefault(text, set()).add(f"yago:K{other}")
                classes.setdefault(f"yago:K{other}", set())
            else:
                lines.append(f"yago:K{text} rdfs:subClassOf yago:K{other} .")
                classes.setdefault(f"yago:K{other}", set())
                classes.setdefault(f"yago:K{text}", set()).add(f"yago:K{other}")
        lines.append('<< yago:A schema:p "x" >> schema:startDate "2031-01-01" .')
        lines.append("<< yago:A schema:p yago:B >> schema:location yago:C .")
        chance.shuffle(lines)
        half = chance.randrange(len(lines))
        files = [tmp_path / "a.ttl", tmp_path / "b.ttl.gz"]
        files[0].write_text(HEADER + "\n".join(lines[:half]))
        files[1].write_bytes(gzip.compress((HEADER + "\n".join(lines[half:])).encode()))
        out = tmp_path / "out"
        at_once = chance.choice([1, 2, 5, 100])
        if not rows:
            with pytest.raises(InputError, match="found no dated facts"):
                import_yago(files, out, imprecise=imprecise, at_once=at_once)
            continue
        found = import_yago(files, out, imprecise=imprecise, at_once=at_once)
        expected = [
            (s, f"{bound}{r.upper()}" if ends[r] else r, o, day)
            for day, s, r, bound, o in sorted(rows)
        ]
        read = [tuple(row.split("\t")) for row in (out / "facts.tsv").read_text().splitlines()]
        assert read == expected
        schema = read_schema(out / "schema")
        assert {n: set(p) for n, p in schema.hierarchy.parents.items()} == {
            name: above - {name} for name, above in classes.items()
        }
        assert {
            name: relation.end is not None for name, relation in schema.relations.items()
        } == ends
        known = {name for row in rows for name in (row[1], row[4])}
        of = read_types(out / "schema" / "types.tsv", schema.hierarchy).complete().of
        assert {e: set(c) for e, c in of.items()} == {e: types[e] for e in known & {*types}}
        assert (found.facts, found.entities, found.typed) == (len(rows), len(known), len(of))
        assert found.left_out["dates of blank nodes and literals"] == 1
        assert found.left_out["other annotations"] == 1
        assert sorted(path.name for path in out.iterdir()) == ["facts.tsv", "schema"]
        compared += 1
    assert compared > 100


def test_shapes_as_a_schema_of_shapes(tmp_path: Path) -> None:
    shapes = EXAMPLES / "schema.ttl"
    import_yago([FILES[0], shapes], tmp_path)
    ours, theirs = read_schema(tmp_path / "schema"), read_schema(shapes)

    def plain(name: str) -> str:
        return name.rpartition(":")[2]

    def signatures(schema: object) -> dict[str, set[tuple[frozenset[str], frozenset[str]]]]:
        return {
            plain(name): {
                (frozenset(map(plain, signature.domain)), frozenset(map(plain, signature.range)))
                for signature in relation.signatures
            }
            for name, relation in schema.relations.items()  # type: ignore[attr-defined]
        }

    assert signatures(ours) == signatures(theirs)
    assert {tuple(map(plain, pair)) for pair in ours.hierarchy.disjoint} == {
        tuple(map(plain, pair)) for pair in theirs.hierarchy.disjoint
    }


def test_blank_nodes_of_two_files_are_different(tmp_path: Path) -> None:
    files = []
    for name in "pq":
        files.append(tmp_path / f"{name}.ttl")
        shape = f"yago:{name} sh:property [ sh:path schema:{name} ; sh:class yago:K{name} ] ."
        files[-1].write_text(HEADER + shape)
    import_yago([*files, FILES[0]], tmp_path / "out")
    relations = read_schema(tmp_path / "out" / "schema").relations
    for name in "pq":
        (signature,) = relations[name].signatures
        assert (signature.domain, signature.range) == ((f"yago:{name}",), (f"yago:K{name}",))


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "out")
    files = [*FILES, str(EXAMPLES / "schema.ttl")]
    assert run(["import", "yago", *files, "--out", out, "--imprecise", "first", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["facts"], found["entities"], found["left_out"]) == (
        5,
        4,
        {"blank nodes and literals": 1, "facts without dates": 3},
    )
    check = ["verify", "--kind", "facts", f"{out}/facts.tsv", "--schema", f"{out}/schema"]
    assert run(check) == ExitStatus.OK
    wrong = tmp_path / "wrong.ttl"
    wrong.write_text(HEADER + "yago:A schema:p\n  .")
    assert run(["import", "yago", *files, str(wrong), "--out", out]) == ExitStatus.UNREADABLE
    message = "found broken Turtle (. is not a valid RDF object)"
    assert f"{wrong}:6:3: {message}" in capsys.readouterr().err
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["facts.tsv", "schema"]
