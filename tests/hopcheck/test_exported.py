"""What is exported for the hub is read back, in every form in which its users hold it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import hopcheck as hc
from solver.cli import run
from solver.io.parquet import labels_of
from solver.patterns.model import PatternFlags
from solver.patterns.settings import PatternSettings
from solver.questions.settings import QuestionSettings
from solver.tkg.settings import GraphSettings

GRAPH = Path(__file__).resolve().parents[2] / "examples" / "tkg"
FORMS = ("folder", "files", "Dataset", "DatasetDict", "pandas", "polars", "Arrow")


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("exported")
    sizes = ("--train-size", "36", "--test-size", "36")
    made = ("generate", "eventhop", "--shape", "8x8", *sizes, "--out", str(home / "set"))
    assert run(list(made)) == 0
    hub = home / "hub"
    assert run(["export", "hf", str(home / "set"), "--licence", "mit", "--out", str(hub)]) == 0
    return hub


def held(hub: Path, form: str) -> object:
    """The data in one of the forms."""
    files = sorted(hub.glob("*.parquet"))
    match form:
        case "folder":
            return hub
        case "files":
            return files
        case "Arrow":
            return pytest.importorskip("pyarrow.parquet").read_table(files[0])
        case "polars":
            return pytest.importorskip("polars").read_parquet(files[0])
    splits = loaded(hub)
    whole = {"DatasetDict": splits, "Dataset": splits["test"]}
    return whole[form] if form in whole else splits["test"].to_pandas()


def loaded(hub: Path) -> Any:
    datasets = pytest.importorskip("datasets")
    return datasets.load_dataset(str(hub), cache_dir=str(hub.parent / "cache"))


@pytest.mark.parametrize("form", FORMS)
def test_exported_items_are_right(exported: Path, form: str) -> None:
    report = hc.verify(held(exported, form))  # type: ignore[arg-type]
    assert report.findings.counts() == {}
    assert report.exit_status == 0


SCHEMES = {
    "nli3": ["entailment", "neutral", "contradiction"],
    "nli2": ["entailment", "not_entailment"],
    "yes-no": ["no", "yes"],
    "entailed=follows,refuted=impossible,unknown=open,contradictory=impossible": [
        *("follows", "impossible", "open"),
    ],
}


@pytest.fixture(scope="module", params=SCHEMES)
def worded(
    request: pytest.FixtureRequest, exported: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, str]:
    """The export of items with the words of a scheme, and the scheme."""
    hub = tmp_path_factory.mktemp("worded") / "hub"
    hc.export("hf", exported.with_name("set"), hub, labels=request.param)
    return hub, request.param


@pytest.mark.parametrize("form", FORMS)
def test_exports_with_other_labels_are_right(worded: tuple[Path, str], form: str) -> None:
    hub, scheme = worded
    given: Any = held(hub, form)
    if form == "Dataset":
        assert given.features["label"].names == SCHEMES[scheme]
    report = hc.verify(given, labels=scheme)
    assert report.findings.counts() == {}
    assert (report.unreadable, report.exit_status) == ((), 0)
    by_path = form in ("folder", "files")
    assert report.rows == (72 if by_path or form == "DatasetDict" else 36)


def test_a_changed_label_of_a_scheme_is_found(worded: tuple[Path, str]) -> None:
    hub, scheme = worded
    rows = loaded(hub)["test"].to_list()
    rows[3]["label"] = (rows[3]["label"] + 1) % len(SCHEMES[scheme])
    assert hc.verify(rows, labels=scheme).findings.counts() == {"wrong-label": 1}


@pytest.fixture(scope="module", params=["traces", "calendar", "positions", "assignments"])
def hub(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The export of another kind, in a folder that is named after it."""
    home = tmp_path_factory.mktemp(request.param)
    sizes = ("--train", "8", "--test", "8", "--probes", "none")
    assert run(["generate", request.param, *sizes, "--out", str(home / "set")]) == 0
    hub = home / request.param
    assert run(["export", "hf", str(home / "set"), "--out", str(hub)]) == 0
    return hub


@pytest.mark.parametrize("form", FORMS)
def test_other_kinds_are_read_back(hub: Path, form: str) -> None:
    by_path = form in ("folder", "files")
    report = hc.verify(held(hub, form), kind=None if by_path else hub.name)  # type: ignore[arg-type]
    assert report.kind == hub.name
    assert report.findings.counts() == {}
    assert report.exit_status == 0
    whole = 32 if hub.name == "traces" else 16
    assert report.rows == (whole if by_path or form == "DatasetDict" else whole // 2)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The export of questions of all kinds about the example graph."""
    home = tmp_path_factory.mktemp("asked")
    made = ("generate", "questions", str(GRAPH), "--out", str(home / "set"))
    assert run(list(made)) == 0
    assert run(["export", "hf", str(home / "set"), "--out", str(home / "hub")]) == 0
    return home / "hub"


@pytest.mark.parametrize("form", FORMS)
def test_questions_are_read_back_with_their_rules(asked: Path, form: str) -> None:
    if form == "DatasetDict":
        datasets = pytest.importorskip("datasets")
        given = datasets.load_dataset(str(asked), "all", cache_dir=str(asked.parent / "cache"))
    elif form == "Dataset":
        datasets = pytest.importorskip("datasets")
        cache = str(asked.parent / "cache")
        given = datasets.load_dataset(str(asked), "fact-reasoning", split="train", cache_dir=cache)
    else:
        given = held(asked, form) if form != "pandas" else pandas_of(asked)
    settings = QuestionSettings(data=GRAPH, rules=None if form == "folder" else asked)
    report = hc.verify(given, kind="questions", config=settings)  # type: ignore[arg-type]
    assert report.findings.counts() == {}
    assert (report.exit_status, report.unreadable) == (0, ())
    assert report.rows > 0


def pandas_of(hub: Path) -> Any:
    return pytest.importorskip("pandas").read_parquet(hub / "fact-reasoning-train.parquet")


def test_a_folder_without_rules_is_none_of_them(asked: Path) -> None:
    settings = QuestionSettings(data=GRAPH, rules=GRAPH)
    files = sorted(asked.glob("*.parquet"))
    with pytest.raises(hc.HopcheckError, match=r"found no rules\.jsonl, expected a file of rules"):
        hc.verify(files, kind="questions", config=settings)


@pytest.fixture(scope="module", params=["links", "facts", "texts"])
def documents(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Annotated documents, dated facts or texts, with their export in a folder beside them."""
    home = tmp_path_factory.mktemp(request.param) / request.param
    given = {"links": GRAPH.parent / "links", "facts": GRAPH.parent / "facts" / "right.tsv"}
    if request.param == "texts":
        given["texts"] = home.with_name("made")
        references = str(GRAPH.parent / "texts" / "references.txt")
        made = ("generate", "texts", "--facts", references, "--out", str(given["texts"]))
        assert run(list(made)) == 0
    home.mkdir()
    home.with_name("original").symlink_to(given[request.param])
    assert run(["export", "hf", str(given[request.param]), "--out", str(home)]) == 0
    return home


@pytest.mark.parametrize("form", [form for form in FORMS if form != "files"])
def test_documents_facts_and_texts_are_read_back(documents: Path, form: str) -> None:
    """The findings are those of the files that were exported."""
    given: Any
    if form in ("Dataset", "DatasetDict"):
        datasets = pytest.importorskip("datasets")
        name = {"links": "documents"}.get(documents.name, documents.name)
        cache = str(documents.parent / "cache")
        given = datasets.load_dataset(str(documents), name, cache_dir=cache)
        given = given if form == "DatasetDict" else given["train"]
    elif form == "pandas":
        given = pytest.importorskip("pandas").read_parquet(sorted(documents.glob("*.parquet"))[0])
    else:
        given = held(documents, form)
    original = documents.with_name("original").resolve()
    expected = hc.verify(original, kind=documents.name)  # type: ignore[arg-type]
    report = hc.verify(given, kind=documents.name)  # type: ignore[arg-type]
    assert report.unreadable == ()
    assert report.rows == expected.rows > 0
    assert report.findings.counts() == expected.findings.counts()
    assert [finding.message for finding in report.findings] == [
        finding.message for finding in expected.findings
    ]
    if form == "folder" and documents.name != "facts":
        assert hc.verify(documents).findings.counts() == expected.findings.counts()


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The export of a generated graph with labels."""
    home = tmp_path_factory.mktemp("generated")
    sizes = ("--entities", "60", "--relations", "8", "--steps", "20", "--patterns", "6,2,1")
    made = ("generate", "tkg", "--mode", "forward", *sizes, "--out", str(home / "set"))
    assert run(list(made)) == 0
    assert run(["export", "hf", str(home / "set"), "--out", str(home / "hub")]) == 0
    return home / "hub"


def facts_of(hub: Path, form: str) -> Any:
    """All facts of an exported graph."""
    paths = sorted(hub.glob("facts-*.parquet"))
    if form == "files":
        return paths
    if form in ("Dataset", "DatasetDict"):
        datasets = pytest.importorskip("datasets")
        splits = datasets.load_dataset(str(hub), "facts", cache_dir=str(hub.parent / "cache"))
        return splits if form == "DatasetDict" else datasets.concatenate_datasets(splits.values())
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = arrow.concat_tables([parquet.read_table(path) for path in paths])
    if form == "polars":
        return pytest.importorskip("polars").from_arrow(table)
    return table if form == "Arrow" else table.to_pandas()


@pytest.mark.parametrize("form", FORMS)
def test_graphs_are_read_back_with_their_labels(generated: Path, form: str) -> None:
    given = generated if form == "folder" else facts_of(generated, form)
    settings = GraphSettings(labelled=None if form == "folder" else generated)
    kind = None if form == "folder" else "tkg"
    report = hc.verify(given, kind=kind, config=settings)  # type: ignore[arg-type]
    original = hc.verify(generated.with_name("set"))
    assert report.kind == "tkg"
    assert (report.findings.counts(), report.exit_status) == ({}, 0)
    assert (report.rows, report.metrics) == (original.rows, original.metrics)


@pytest.mark.parametrize("changed", ["fact", "label", "pattern", "split", "missing", "id"])
def test_a_changed_graph_is_found(generated: Path, changed: str, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    arrow = pytest.importorskip("pyarrow")
    hub = tmp_path / "hub"
    hub.mkdir()
    for path in generated.iterdir():
        (hub / path.name).write_bytes(path.read_bytes())
    name = {"label": "labels", "pattern": "patterns"}.get(changed, "facts") + "-train.parquet"
    table = parquet.read_table(hub / name)
    rows = table.to_pylist()
    match changed:
        case "fact":
            rows[3]["tail_id"] = (rows[3]["tail_id"] + 1) % 60
        case "label":
            rows[3]["role"] = 1 - rows[3]["role"]
        case "pattern":
            rows[0]["lags"] = [[low + 1, high + 1] for low, high in rows[0]["lags"]]
        case "split":
            rows[-1]["time"] = 19
        case "missing":
            del rows[2]
        case "id":
            rows[0]["head_id"] = 60
    parquet.write_table(arrow.Table.from_pylist(rows, table.schema), hub / name)
    if changed in ("missing", "id"):
        found = {"missing": "found fact 3, expected fact 2", "id": "found head 60, expected 0"}
        with pytest.raises(hc.HopcheckError, match=found[changed]):
            hc.verify(hub, unsealed=True)
        return
    report = hc.verify(hub, unsealed=True)
    assert report.exit_status == 1
    codes = report.findings.counts()
    assert set(codes) - {"digest"}
    assert all((hub / Path(f.where).name.split(":")[0]).exists() for f in report.findings)


def test_a_text_without_facts_is_refused(tmp_path: Path) -> None:
    with pytest.raises(hc.HopcheckError, match="found a text without facts"):
        hc.verify([{"text": "Ada left."}], kind="texts")
    (tmp_path / "texts.jsonl").touch()
    with pytest.raises(hc.HopcheckError, match="found no lines, expected at least one"):
        hc.verify(tmp_path / "texts.jsonl", kind="texts")


@pytest.mark.parametrize(
    ("fact", "message"),
    [
        (["Ada", "endWorksFor"], "expected `array` of length 4"),
        (["a", "b", "c", "2026-02-30"], "found date '2026-02-30'"),
    ],
)
def test_a_text_without_sound_facts_is_unread(fact: list[str], message: str) -> None:
    report = hc.verify([{"text": "Ada left.", "facts": [fact]}], kind="texts")
    assert [message in unread.message for unread in report.unreadable] == [True]
    assert (report.findings.counts(), report.exit_status) == ({}, 2)


@pytest.mark.parametrize("form", ["folder", "files", "Dataset", "Arrow"])
def test_patterns_are_read_back_with_the_names_of_their_labels(tmp_path: Path, form: str) -> None:
    made = tmp_path / "list.jsonl"
    assert run(["generate", "patterns", "--hops", "1", "--flags", "0000", "--out", str(made)]) == 0
    hub = tmp_path / "hub"
    assert run(["export", "hf", str(made), "--out", str(hub)]) == 0
    given = held(hub, form) if form != "Dataset" else loaded(hub)["train"]
    settings = PatternSettings(flags=PatternFlags.read("0000"), hops=(1,))
    report = hc.verify(given, kind="patterns", config=settings)  # type: ignore[arg-type]
    assert report.findings.counts() == {}
    assert report.rows == 10
    if form == "Arrow":
        rows = given.to_pylist()  # type: ignore[attr-defined]
        numbers = [row["shapes"] for row in rows]
        assert isinstance(numbers[0][0], int)


@pytest.mark.parametrize(
    "stated",
    [
        "", "[]", "{", "3", '{"info": 3}', '{"info": {"features": []}}', '{"info": null}',
        '{"info": {"features": {"claim": 3}}}', '{"info": {"features": {"claim": {"names": 3}}}}',
        '{"info": {"features": {"claim": {"feature": []}}}}',
    ],
)  # fmt: skip
def test_metadata_of_another_form_are_no_names(stated: str, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    premise = "The end of A happened before the start of B"
    row = {"premise": premise, "claim": "A happens before B", "trace": "A ends before B starts."}
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.Table.from_pylist([row]).replace_schema_metadata({"huggingface": stated})
    parquet.write_table(table, tmp_path / "rows.parquet")
    assert labels_of(table.schema) == {}
    for given in (tmp_path / "rows.parquet", table):
        report = hc.verify(given, kind="traces")  # type: ignore[arg-type]
        assert (report.rows, report.exit_status) == (1, 0)


def test_a_file_alone_has_its_labels(exported: Path, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    file = str(exported / "temporal-test.parquet")
    features = datasets.Dataset.from_parquet(file, cache_dir=str(tmp_path)).features
    assert features["label"].names == ["true", "false", "undefined"]


def test_a_changed_export_is_found(hub: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = parquet.read_table(hub / f"{hub.name}-test.parquet").to_pylist()
    if hub.name == "traces":
        rows[3]["first_error"] = 1 - rows[3]["first_error"]
        rows[3]["steps"][0]["verdict"] = "open"
    else:
        rows[3]["gold"] = "no such answer"
    report = hc.verify(rows, kind=hub.name)  # type: ignore[arg-type]
    assert report.exit_status != 0
    assert report.findings or report.unreadable


@pytest.mark.parametrize("form", ["pandas", "Arrow"])
def test_a_changed_label_is_found(exported: Path, form: str) -> None:
    given = held(exported, form)
    rows = given.to_pylist() if form == "Arrow" else given.to_dict("records")  # type: ignore[attr-defined]
    rows[3]["label"] = (rows[3]["label"] + 1) % 3
    report = hc.verify(rows)
    assert report.findings.counts() == {"wrong-label": 1}
    assert report.findings[0].where == "rows:4"


def test_numbers_without_a_status_are_no_labels() -> None:
    rows = [
        {"premise": "the end of A happened before the start of B", "claim": "A happens before B"}
    ]
    report = hc.verify([{**rows[0], "label": 1}])
    assert report.exit_status == 2
    assert hc.verify([{**rows[0], "label": 1}], labels="yes-no").exit_status == 0
