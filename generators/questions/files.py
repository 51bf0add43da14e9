"""The folder of a data set of questions: its statistics, card and page, the manifest last."""

from __future__ import annotations

import math
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import msgspec

from generators import dataset
from generators.dataset import README, DatasetFolder, SplitFormat, encoded
from generators.questions.graph import QuestionGraph, Settings
from generators.questions.run import DraftedDataset, Plan
from generators.questions.two_hop import ENCODING
from grammar.questions.model import QuestionKind
from solver.dataset.seal import Breach, DataSet
from solver.graph.model import Split, Vocabulary
from solver.io.json_lines import read_document
from solver.io.sources import MANIFEST
from solver.questions.contributions import write_folds
from solver.questions.io import (
    CROSS_FITTED,
    FOLDS,
    RULES,
    SPLITS,
    STATISTICS,
    TWO_HOP_RULES,
    fields,
    question_files,
    read_questions,
    schema,
)
from solver.questions.model import (
    ASKED,
    YES,
    Question,
    TwoHopRule,
    read_two_hop_rules,
    write_two_hop_rules,
)
from solver.report.charts import plot
from solver.report.model import Report, Section, Table
from solver.rules.io import read_rules, stated_confidences, write_rules
from solver.rules.provenance import manifest_path


class Tally:
    """Counts a stream of questions.

    Attributes:
        counts: questions by kind and split.
        days: questions by time and kind, times in order of appearance.
    """

    def __init__(self) -> None:
        self.counts: Counter[tuple[QuestionKind, Split]] = Counter()
        self.days: dict[str, Counter[QuestionKind]] = {}
        self._relations: dict[str, Counter[QuestionKind]] = defaultdict(Counter)
        self._answers: dict[tuple[QuestionKind, Split], Counter[int]] = defaultdict(Counter)
        self._true: Counter[Split] = Counter()

    def counted(self, questions: Iterable[Question]) -> Iterator[Question]:
        """Pass questions through, and count each."""
        for question in questions:
            kind, part = question.kind, (question.kind, question.split)
            self.counts[part] += 1
            self._answers[part][len(question.answers)] += 1
            self._relations[_relation(question)][kind] += 1
            if question.time not in self.days:
                self.days[question.time] = Counter()
            self.days[question.time][kind] += 1
            if question.answers == (YES,):
                self._true[question.split] += 1
            yield question

    def total(self, kind: QuestionKind) -> int:
        """Number of questions of a kind in all splits."""
        return sum(
            count for (question_kind, _), count in self.counts.items() if question_kind is kind
        )

    def mean_answers(self, kind: QuestionKind) -> float:
        """Mean number of answers per question of a kind; 0 without questions."""
        found: Counter[int] = Counter()
        for (question_kind, _), counts in self._answers.items():
            if question_kind is kind:
                found += counts
        return _mean(found)

    def relations(self) -> list[tuple[str, Counter[QuestionKind]]]:
        """Relations with their questions by kind, most frequent first."""
        return sorted(
            self._relations.items(), key=lambda relation: (-relation[1].total(), relation[0])
        )

    def as_json(self) -> dict[str, Any]:
        """The counts in ``statistics.json``; means are rounded."""
        parts = sorted(self.counts)
        return {
            "questions": _by_kind({part: self.counts[part] for part in parts}),
            "total": sum(self.counts.values()),
            "answers": _by_kind({part: _answers(self._answers[part]) for part in parts}),
            "yes": dict(sorted(self._true.items())),
            "relations": {name: dict(counts) for name, counts in sorted(self._relations.items())},
            "times": {time: dict(counts) for time, counts in self.days.items()},
        }


def _relation(question: Question) -> str:
    """The queried relation."""
    asked = next((row for row in question.query if ASKED in row), question.query[-1])
    return asked[1]


def _by_kind(parts: Mapping[tuple[QuestionKind, Split], Any]) -> dict[str, dict[str, Any]]:
    nested: dict[str, dict[str, Any]] = {}
    for (kind, split), value in parts.items():
        nested.setdefault(kind.value, {})[split.value] = value
    return nested


def _answers(counts: Counter[int]) -> dict[str, Any]:
    return {
        "mean": round(_mean(counts), 6),
        "most": max(counts),
        "questions": {str(answers): counts[answers] for answers in sorted(counts)},
    }


def _mean(counts: Counter[int]) -> float:
    return sum(answers * count for answers, count in counts.items()) / max(counts.total(), 1)


Cells = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A written data set with its inputs."""

    graph: QuestionGraph
    made: DraftedDataset
    tally: Tally

    @property
    def splits(self) -> tuple[Split, ...]:
        """The splits of the graph."""
        return tuple(self.graph.splits)

    def as_json(self) -> dict[str, Any]:
        """The contents of ``statistics.json``."""
        whole, asked = self.graph.splits, self.graph.rows
        facts = {
            split.value: {"facts": len(whole[split]), "asked_about": len(asked[split])}
            for split in self.splits
        }
        return self.tally.as_json() | {
            "graph": {"name": self.graph.name, "splits": facts},
            "left_out": self._left_out(),
            "rules": {
                "one_fact": None if self.made.rules is None else len(self.made.rules.all),
                "two_hop": None if self.made.two_hop is None else len(self.made.two_hop),
                "two_hop_used": sum(rule.use for rule in self.made.two_hop or ()),
            },
        }

    def _left_out(self) -> dict[str, dict[str, dict[str, int]]]:
        record: dict[str, dict[str, dict[str, int]]] = {}
        for (kind, split), reasons in self.made.left_out.items():
            record.setdefault(kind.value, {})[split.value] = dict(reasons)
        return record

    def columns(self) -> tuple[str, ...]:
        """The header of ``table``."""
        return ("questions", *self.splits, "total", "answers each")

    def table(self) -> Cells:
        """Questions by kind and split, as in Table 1b, with the mean number of answers."""
        counts, rows = self.tally.counts, []
        for kind in QuestionKind:
            if total := self.tally.total(kind):
                some = [counts[kind, split] for split in self.splits]
                answers = f"{self.tally.mean_answers(kind):.2f}"
                rows.append((kind.value, *_formatted([*some, total]), answers))
        totals = [sum(counts[kind, split] for kind in QuestionKind) for split in self.splits]
        return (*rows, ("total", *_formatted([*totals, sum(totals)]), ""))

    def reasons(self) -> Cells:
        """Candidates without a question: kind, split, reason and number."""
        asked = self.graph.rows
        unsuitable = tuple(
            ("all", split.value, "facts whose relation does not suit a question", number)
            for split, facts in self.graph.splits.items()
            if (number := len(facts) - len(asked[split]))
        )
        others = tuple(
            (kind.value, split.value, reason, number)
            for (kind, split), reasons in self.made.left_out.items()
            for reason, number in reasons.items()
            if number
        )
        return tuple((*names, f"{number:,}") for *names, number in (*unsuitable, *others))


def _formatted(numbers: Sequence[int]) -> list[str]:
    return [f"{number:,}" for number in numbers]


def card(outcome: Outcome, plan: Plan, form: SplitFormat) -> str:
    """README.md of a data set.

    Args:
        outcome: its questions.
        plan: settings and inputs of the run.
        form: formats of the question files.
    """
    counts = outcome.tally.counts
    splits = [
        other_split
        for other_split in outcome.splits
        if any(split is other_split for _, split in counts)
    ]
    ending = "jsonl" if form is SplitFormat.JSONL else "parquet"
    total = sum(counts.values())
    values = {
        "graph": outcome.graph.name,
        "total": f"{total:,}",
        "facts": f"{len(outcome.graph.facts):,}",
        "table": _table(outcome),
    }
    return dataset.card(
        f"Forecasting questions over {outcome.graph.name}",
        Path(__file__).with_name("card.md"),
        values,
        task="question-answering",
        tags=("temporal-knowledge-graph", "forecasting", "synthetic"),
        splits={split: f"{split}.{ending}" for split in splits},
        items=total,
        commands=(
            ("generate", "questions", "GRAPH", *arguments(plan, form), "--out", "DIR"),
            ("verify", "--kind", "questions", "DIR", "--data", "GRAPH"),
        ),
    )


def arguments(plan: Plan, form: SplitFormat) -> list[str]:
    """The options of ``generate questions`` that make a data set."""
    settings = plan.settings
    found = ["--kinds", ",".join(settings.kinds), "--seed", str(settings.seed)]
    found += ["--cap", str(settings.cap), "--min-support", str(settings.min_support)]
    found += ["--min-days", str(settings.min_days)]
    found += ["--min-confidence", str(settings.min_confidence)]
    given = {
        "--reasoning": ",".join(settings.reasoning),
        "--rules": plan.rules is not None and "RULES",
        "--two-hop-rules": plan.two_hop is not None and "FILE",
        "--format": form is not SplitFormat.BOTH and form,
    }
    return [*found, *(word for name, value in given.items() if value for word in (name, value))]


def _table(outcome: Outcome) -> str:
    rows = [outcome.columns(), ("---",) * len(outcome.columns()), *outcome.table()]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


GIVEN, MINED = "given", "mined"
"""Where the rules of a data set are from, in its manifest."""

SHOWN = 20
_COLOURS = ("#4878a8", "#e49444", "#6a9f58", "#a87c9f")


def report(outcome: Outcome, settings: Settings) -> Report:
    """The page of a data set."""
    graph, made = outcome.graph, outcome.made
    total = sum(outcome.tally.counts.values())
    used = sum(rule.use for rule in made.two_hop or ())
    return Report(
        title="Questions over a temporal knowledge graph",
        lead=f"{total:,} questions about {len(graph.facts):,} facts of {graph.name}; only facts "
        "before the query time may be used to answer.",
        facts={
            "seed": str(settings.seed),
            "2-hop rules": f"{used:,} used of {len(made.two_hop or ()):,}",
            "questions of a 2-hop rule and split": f"{settings.cap:,}" if settings.cap else "all",
            "rules of one fact": f"{len(made.rules.all) if made.rules is not None else 0:,}",
        },
        sections=_sections(outcome),
    )


def _sections(outcome: Outcome) -> tuple[Section, ...]:
    reasons = Table(columns=("kind", "split", "reason", "number"), rows=outcome.reasons())
    sections = [
        Section(
            title="Questions", tables=(Table(columns=outcome.columns(), rows=outcome.table()),)
        ),
        Section(title="Questions by time", plots={"by time": _times(outcome)}),
        Section(title="Most queried relations", tables=(_relations(outcome),)),
    ]
    if outcome.made.two_hop:
        sections.append(Section(title="2-hop rules", tables=(_rules(outcome.made.two_hop),)))
    return (*sections, Section(title="Left out", tables=(reasons,)))


def _times(outcome: Outcome) -> str:
    """Plot the questions of each kind by time, on a logarithmic scale: some kinds have few."""
    days = outcome.tally.days
    kinds = [kind for kind in QuestionKind if outcome.tally.total(kind)]
    places = range(len(days))
    with plot(width=8.0, height=3.2, legend=True) as drawn:
        axes = drawn.axes[0]
        for kind, colour in zip(QuestionKind, _COLOURS, strict=True):
            if kind in kinds:
                # A logarithmic scale has no place for a time without questions.
                counts = [day[kind] or math.nan for day in days.values()]
                # Markers, as an isolated time has no line to it.
                axes.plot(places, counts, ".-", ms=2.5, lw=0.9, color=colour, label=kind.value)
        begins = _begins(outcome)
        for begin in begins[1:]:
            axes.axvline(begin - 0.5, color="0.7", linewidth=0.8)
        axes.set_yscale("log")
        axes.set(xlabel=f"times from {next(iter(days), '')}, splits marked", ylabel="questions")
    return drawn.svg


def _begins(outcome: Outcome) -> list[int]:
    """Where each split begins among the times that have questions."""
    names, graph = list(outcome.tally.days), outcome.graph
    times, words = graph.facts.time, graph.vocabulary
    first = [words.time(int(times[rows[0]])) for rows in graph.rows.values() if len(rows)]
    return [names.index(name) for name in first if name in outcome.tally.days]


def _relations(outcome: Outcome) -> Table:
    kinds = [kind for kind in QuestionKind if outcome.tally.total(kind)]

    def cells(counts: Counter[QuestionKind]) -> tuple[str, ...]:
        return tuple(f"{counts[kind]:,}" for kind in kinds)

    rows = tuple((name, *cells(counts)) for name, counts in outcome.tally.relations()[:SHOWN])
    return Table(columns=("relation", *kinds), rows=rows)


def _rules(rules: tuple[TwoHopRule, ...]) -> Table:
    rows = tuple(
        (
            rule.given.relation,
            rule.given.shared.value,
            rule.asked.relation,
            rule.asked.shared.value,
            f"{rule.rule_support:,}",
            f"{rule.confidence:.3f}",
            "yes" if rule.use else "no",
        )
        for rule in rules[:SHOWN]
    )
    columns = ("given", "party is", "asked", "party is", "support", "confidence", "used")
    return Table(columns=columns, rows=rows)


_STEP = 1_000

Progress = Callable[[int], object]


def write_data_set(
    folder: Path,
    plan: Plan,
    made: DraftedDataset,
    form: SplitFormat,
    inputs: Sequence[Path],
    progress: Progress | None = None,
) -> Outcome:
    """Write all files of a data set, and remove stale files of an earlier run.

    Args:
        folder: output folder, created if missing.
        plan: settings and inputs of the run.
        made: the questions.
        form: format of the question files.
        inputs: files that were read.
        progress: called with the number of newly written questions.

    Raises:
        OutputError: writing failed.
    """
    form = form.writable()
    home, tally = DatasetFolder(folder), Tally()
    for split in made.drafts:
        if made.size(split):
            questions = _with_progress(tally.counted(made.questions(split)), progress)
            home.add_split(split, encoded(map(fields, questions)), schema, form)
    home.add(*_write_rules(home.path, made, plan.graph.vocabulary))
    outcome = Outcome(graph=plan.graph, made=made, tally=tally)
    home.add_json(STATISTICS, outcome.as_json())
    home.add_text(README, card(outcome, plan, form))
    home.add_page(report(outcome, plan.settings))
    parquet = [f"{Path(name).stem}.parquet" for name in SPLITS]
    manifests = [manifest_path(name).name for name in (RULES, CROSS_FITTED)]
    home.remove_stale([*SPLITS, *parquet, RULES, CROSS_FITTED, *manifests, FOLDS, TWO_HOP_RULES])
    settings = plan.settings
    home.finish(
        config={
            "graph": plan.graph.name,
            **{name: value for name, value in asdict(settings).items() if name != "seed"},
            "rules": GIVEN if plan.rules is not None else MINED,
            "two_hop_rules": GIVEN if plan.two_hop is not None else MINED,
            "format": form,
        },
        seed=settings.seed,
        encodings=[ENCODING],
        inputs=inputs,
        more={"generator": "questions"},
    )
    return outcome


def _write_rules(home: Path, made: DraftedDataset, vocabulary: Vocabulary) -> list[Path]:
    written = []
    if made.rules is not None:
        for name, rules in ((RULES, made.rules.rules), (CROSS_FITTED, made.rules.train)):
            if name == RULES or len(rules):
                write_rules(home / name, rules)
                written.append(home / name)
                if rules.seen is not None:
                    written.append(manifest_path(home / name))
        if len(made.rules.train):
            write_folds(home / FOLDS, made.rules.folds, vocabulary)
            written.append(home / FOLDS)
    if made.two_hop is not None:
        write_two_hop_rules(home / TWO_HOP_RULES, made.two_hop)
        written.append(home / TWO_HOP_RULES)
    return written


def _with_progress(questions: Iterator[Question], progress: Progress | None) -> Iterator[Question]:
    for number, question in enumerate(questions, start=1):
        if progress is not None and number % _STEP == 0:
            progress(_STEP)
        yield question


def disagreements(made: DataSet) -> Iterator[Breach]:
    """Entries of the manifest and of the statistics that differ from what the folder contains.

    The seed and the graph draw the questions; without the graph they are not drawn again.

    Raises:
        HopcheckError: a file cannot be read.
        KeyError, TypeError: an entry is missing or malformed.
    """
    if made.folder.remote:
        return
    folder, config = Path(made.folder.place), made.manifest["config"]
    where = str(folder / MANIFEST)
    tally = Tally()
    for file in question_files(folder):
        read = (question for question in read_questions(file) if isinstance(question, Question))
        deque(tally.counted(read), maxlen=0)
    stated = read_document(folder / STATISTICS, dict[str, Any], "set of statistics")
    due = msgspec.json.decode(msgspec.json.encode(tally.as_json()))
    rules = stated["rules"]
    tables = [folder / name for name in (RULES, CROSS_FITTED) if (folder / name).is_file()]
    for path in tables:
        yield from stated_confidences(path)
    if tables:
        due["rules"] = rules | {"one_fact": sum(len(read_rules(path)) for path in tables)}
    if (folder / TWO_HOP_RULES).is_file():
        table = read_two_hop_rules(folder / TWO_HOP_RULES)
        counts = {"two_hop": len(table), "two_hop_used": sum(rule.use for rule in table)}
        due["rules"] = due.get("rules", rules) | counts
    for name in sorted(due):
        if stated.get(name) != due[name]:
            message = f"{name}: found other figures than those of the questions and rules"
            yield Breach(where=str(folder / STATISTICS), message=message)
    kinds = {kind for kind, _ in tally.counts}
    endings = {Path(name).suffix for name in made.outputs if Path(name).stem in set(Split)}
    form = SplitFormat.BOTH if len(endings) > 1 else SplitFormat("".join(endings)[1:])
    for entry, right in (
        ("outputs", len({tuple(files) for files in map(sorted, _question_files(made))}) == 1),
        ("generator", made.manifest.get("generator") == "questions"),
        ("kinds of config", kinds <= set(config["kinds"]) <= set(QuestionKind)),
        ("format of config", config["format"] == form),
        ("graph of config", config["graph"] == stated["graph"]["name"]),
    ):
        if not right:
            yield Breach(where=where, message=f"{entry} differs from the files")


def _question_files(made: DataSet) -> Iterator[Mapping[str, object]]:
    """The formats of each split."""
    return (files for split, files in made.splits.items() if split in set(Split))
