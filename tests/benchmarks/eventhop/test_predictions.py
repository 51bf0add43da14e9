"""Files of predictions in every shape that is read, and in some that are refused."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from benchmarks.eventhop.predictions import read_label_predictions
from grammar.eventhop.model import Label
from solver.io.sources import InputError

EXPECTED = {"0": Label.TRUE, "x 1": Label.FALSE, "2": None}
FILES = {
    "jsonl": '{"id": 0, "answer": "True"}\n\n{"id": "x 1", "answer": "False."}\n'
    '{"id": 2, "answer": "?"}\n',
    "other names": '{"ID": "0", "Prediction": true}\n{"index": "x 1", "response": "It is false"}\n'
    '{"item_id": 2, "output": null}\n',
    "windows": '{"id": 0, "answer": "True"}\r\n{"id": "x 1", "answer": "False"}\r\n{"id": 2}\r\n',
    "tsv": "id\tanswer\n0\tTrue\nx 1\tfalse\n2\tno idea\n",
    "csv": 'model,answer,id\nm,"Long, long talk.\nAnswer: True",0\nm,False,x 1\nm,,2\n',
    "csv without names": "0,True\nx 1,False\n2,maybe\n",
    "tsv without names": "0\tTrue\nx 1\tFalse\n2\tmaybe\n",
    "byte order mark": "\ufeffid,answer\n0,True\nx 1,False\n2,maybe\n",
}
REFUSED = {
    "": "the file is empty",
    "\n\n": "the file is empty",
    "id,answer\n": "the file is empty",
    '{"answer": "True"}\n': "found no id",
    '{"id": true, "answer": "True"}\n': "found no id",
    '{"id": 1\n': "broken JSON",
    "alone\n": "found 1 columns without names",
    "0\tpossible\tfalse\tTrue\n": "found 4 columns without names",
    '[{"id": 1, "answer": "true"}]': "found a JSON array",
}


@pytest.mark.parametrize("text", FILES.values(), ids=FILES)
@pytest.mark.parametrize("packed", [False, True])
def test_every_shape_reads_the_same(tmp_path: Path, text: str, packed: bool) -> None:
    file = tmp_path / "answers"
    data = text.encode()
    file.write_bytes(gzip.compress(data) if packed else data)
    read = read_label_predictions(str(file))
    assert {answer.id: answer.label for answer in read.answers.values()} == EXPECTED
    assert (read.repeated, read.broken) == ((), ())


@pytest.mark.parametrize(("text", "message"), REFUSED.items(), ids=map(repr, REFUSED))
def test_files_without_a_prediction_are_refused(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "answers"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(message)):
        read_label_predictions(str(file))


def test_broken_rows_and_doubled_ids_are_reported(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    rows = ['{"id": 1, "answer": "true"}', "[1]", '{"id": 1, "answer": "false"}', "{"]
    file.write_text("\n".join(rows), encoding="utf-8")
    read = read_label_predictions(str(file))
    assert {answer.id: answer.label for answer in read.answers.values()} == {"1": Label.TRUE}
    assert read.repeated == ("1",)
    assert [message.split(": ")[0] for message in read.broken] == [f"{file}:2", f"{file}:4:2"]


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "answers"
    file.write_bytes(b"id,answer\n1,tr\xffe\n")
    with pytest.raises(InputError, match="byte 15 is not UTF-8"):
        read_label_predictions(str(file))
