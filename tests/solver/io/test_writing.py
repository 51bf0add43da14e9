"""Atomic writes, and streams that keep what was written."""

from __future__ import annotations

import json
import os
import re
import signal
import stat
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from grammar.errors import ExitStatus
from solver.io import writing
from solver.io.writing import (
    Ending,
    OutputError,
    all_or_nothing,
    atomic,
    hidden_beside,
    json_lines,
    lasting,
    numbered_lines,
    reporting,
    write_json,
)

HINT = "(check the folder, its permissions and its space)"

LINES = 20_000
"""Some 9 MB."""

WRITER = f"""
import sys, time
from solver.io.writing import json_lines
with json_lines(sys.argv[1]) as lines:
    print("begun", flush=True)
    for number in range({LINES}):
        lines.write({{"number": number, "text": "harvest " * 50}})
    while True:
        time.sleep(0.1)
"""


class TestAtomic:
    def test_whole(self, tmp_path: Path) -> None:
        path = tmp_path / "summary.json"
        with atomic(path) as file:
            file.write(b"new")
            assert not path.exists()
        assert path.read_bytes() == b"new"
        assert list(tmp_path.iterdir()) == [path]

    @pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt, SystemExit])
    def test_a_failure_leaves_what_was_there(
        self, tmp_path: Path, failure: type[BaseException]
    ) -> None:
        path = tmp_path / "summary.json"
        path.write_bytes(b"old")

        def fail() -> None:
            with atomic(path) as file:
                file.write(b"new")
                raise failure

        with pytest.raises(failure):
            fail()
        assert path.read_bytes() == b"old"
        assert list(tmp_path.iterdir()) == [path]

    def test_permissions_are_those_of_any_new_file(self, tmp_path: Path) -> None:
        (tmp_path / "plain").touch()
        write_json(tmp_path / "atomic", {})
        modes = {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
        assert len(modes) == 1

    def test_a_pipe_is_written_to_and_stays_a_pipe(self, tmp_path: Path) -> None:
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        got: list[bytes] = []
        reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()), daemon=True)
        reader.start()
        write_json(pipe, {"b": 1, "a": [1.5]})
        reader.join()
        assert got == [b'{\n  "a": [\n    1.5\n  ],\n  "b": 1\n}\n']
        assert pipe.is_fifo()

    @pytest.mark.parametrize(
        ("name", "reason"),
        [
            ("no/file", "no such file or directory"),
            ("plain/file", "not a directory"),
            (".", "is a directory"),
        ],
    )
    def test_where_nothing_can_be_written(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, reason: str
    ) -> None:
        monkeypatch.chdir(tmp_path)
        Path("plain").touch()
        with pytest.raises(OutputError) as caught:
            write_json(name, {})
        assert str(caught.value) == f"{name}: cannot be written: {reason} {HINT}"
        assert caught.value.exit_status == ExitStatus.UNREADABLE

    def test_a_full_disk(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def full(_: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", full)
        path = tmp_path / "summary.json"
        with pytest.raises(OutputError, match="cannot be written: no space left on device"):
            write_json(path, {})
        assert list(tmp_path.iterdir()) == []

    def test_failures_of_other_files_are_not_taken_for_its_own(self, tmp_path: Path) -> None:
        with pytest.raises(BrokenPipeError), atomic(tmp_path / "summary.json"):
            raise BrokenPipeError


class TestJsonLines:
    def test_at_its_end_it_takes_its_name(self, tmp_path: Path) -> None:
        path = tmp_path / "items.jsonl"
        with json_lines(path) as lines:
            lines.write({"b": "ö", "a": None})
            lines.write({"a": 2})
        assert path.read_text(encoding="utf-8") == '{"a":null,"b":"ö"}\n{"a":2}\n'
        assert list(tmp_path.iterdir()) == [path]

    def test_a_failure_keeps_what_was_written(self, tmp_path: Path) -> None:
        path = tmp_path / "items.jsonl"
        path.write_bytes(b"old")

        def interrupt() -> None:
            with json_lines(path) as lines:
                lines.write({"a": 1})
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            interrupt()
        assert path.read_bytes() == b"old"
        assert (tmp_path / "items.jsonl.partial").read_bytes() == b'{"a":1}\n'

    def test_the_next_whole_run_takes_the_place_of_both(self, tmp_path: Path) -> None:
        path = tmp_path / "items.jsonl"
        with pytest.raises(ValueError, match="stop"), json_lines(path):
            raise ValueError("stop")
        with json_lines(path) as lines:
            lines.write({})
        assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("items.jsonl", b"{}\n")]

    def test_a_value_that_json_cannot_hold_leaves_no_half_line(self, tmp_path: Path) -> None:
        path = tmp_path / "items.jsonl"

        def write() -> None:
            with json_lines(path) as lines:
                lines.write({"a": 1})
                lines.write({"a": object()})

        with pytest.raises(TypeError):
            write()
        assert (tmp_path / "items.jsonl.partial").read_bytes() == b'{"a":1}\n'

    def test_a_folder_that_is_not_there(self) -> None:
        with (
            pytest.raises(OutputError, match="cannot be written: no such file"),
            json_lines("no/x"),
        ):
            pass

    def test_an_interrupt_at_any_time_leaves_whole_lines(
        self,
        tmp_path: Path,
        start: Callable[..., subprocess.Popen[bytes]],
        until: Callable[[Callable[[], object]], None],
    ) -> None:
        path = tmp_path / "items.jsonl"
        partial = tmp_path / "items.jsonl.partial"
        process = start("-c", WRITER, path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        until(lambda: partial.stat().st_size)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=600) != 0
        lines = partial.read_bytes().splitlines(keepends=True)
        assert 0 < len(lines) <= LINES
        assert lines[-1].endswith(b"\n")
        assert [json.loads(line)["number"] for line in lines] == list(range(len(lines)))
        assert not path.exists()


class TestNumberedLines:
    def test_blocks_of_any_length_fill_the_files(self, tmp_path: Path) -> None:
        for seed in range(40):
            random, folder = Random(seed), tmp_path / str(seed)
            folder.mkdir()
            lines = [b"%d" % n * random.randrange(3) + b"\n" for n in range(random.randrange(30))]
            size, left = random.randint(1, 9), list(lines)
            with numbered_lines(folder, "x", size) as files:
                while left:
                    number = random.randint(0, 12)
                    files.write_lines(b"".join(left[:number]))
                    del left[:number]
            expected = [b"".join(lines[n : n + size]) for n in range(0, len(lines), size)]
            names = [f"x-{number:06d}.jsonl" for number in range(len(expected))]
            assert [path.name for path in files.paths] == names
            assert sorted(path.name for path in folder.iterdir()) == names
            assert [path.read_bytes() for path in files.paths] == expected

    def test_an_error_leaves_the_last_file_incomplete(self, tmp_path: Path) -> None:
        def write() -> None:
            with numbered_lines(tmp_path, "x", 2) as files:
                files.write_lines(b"1\n2\n3\n")
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            write()
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
            "x-000000.jsonl": b"1\n2\n",
            "x-000001.jsonl.partial": b"3\n",
        }


class TestAllOrNothing:
    """What a failing command has replaced comes back."""

    @pytest.fixture
    def files(self, tmp_path: Path) -> tuple[Path, Path]:
        old, new = tmp_path / "old.json", tmp_path / "new.json"
        old.write_bytes(b"old")
        return old, new

    @staticmethod
    def write(*files: Path) -> None:
        for file in files:
            for content in (b"first", b"second"):
                with atomic(file) as opened:
                    opened.write(content)

    def test_success(self, files: tuple[Path, Path], tmp_path: Path) -> None:
        withheld: list[list[Path]] = []
        with all_or_nothing(withheld.append) as settle:
            self.write(*files)
            settle(Ending.SUCCESS)
        assert [file.read_bytes() for file in files] == [b"second", b"second"]
        assert (sorted(tmp_path.iterdir()), withheld) == (sorted(files), [])

    @pytest.mark.parametrize("linked", [True, False])
    def test_failure(
        self,
        files: tuple[Path, Path],
        tmp_path: Path,
        linked: bool,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        def no_link(*_: object) -> None:
            raise PermissionError

        if not linked:
            monkeypatch.setattr(os, "link", no_link)
        withheld: list[list[Path]] = []
        with all_or_nothing(withheld.append) as settle:
            self.write(*files)
            settle(Ending.FAILURE)
        assert (list(tmp_path.iterdir()), withheld) == ([files[0]], [list(files)])
        assert files[0].read_bytes() == b"old"

    def test_an_exception_is_a_failure(self, files: tuple[Path, Path], tmp_path: Path) -> None:
        def fail() -> None:
            with all_or_nothing(lambda _: None):
                self.write(*files)
                raise ValueError("no")

        with pytest.raises(ValueError, match="no"):
            fail()
        assert list(tmp_path.iterdir()) == [files[0]]
        assert files[0].read_bytes() == b"old"

    @pytest.mark.parametrize("ending", [Ending.FAILURE, Ending.INTERRUPT])
    def test_lasting_files_remain(self, files: tuple[Path, Path], ending: Ending) -> None:
        with all_or_nothing(lambda _: None) as settle:
            with lasting():
                self.write(files[1])
            self.write(files[0])
            settle(ending)
        assert [file.read_bytes() for file in files] == [b"old", b"second"]

    @pytest.mark.parametrize("ending", Ending)
    def test_reports_remain_after_a_failure(
        self, files: tuple[Path, Path], tmp_path: Path, ending: Ending
    ) -> None:
        described, withheld = tmp_path / "manifest.json", list[list[Path]]()
        described.write_bytes(b"earlier")
        with all_or_nothing(withheld.append) as settle:
            with reporting():
                self.write(*files)
                # Without a manifest where the process is killed here.
                assert not described.exists()
            settle(ending)
        found = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
        if ending is Ending.INTERRUPT:
            assert found == {files[0].name: b"old", described.name: b"earlier"}
            assert withheld == [[described, *files]]
        else:
            assert found == dict.fromkeys((path.name for path in files), b"second")
            assert withheld == []


def test_files_of_killed_processes_are_removed(
    tmp_path: Path, of_killed_process: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    left = tmp_path / of_killed_process("summary.json")
    left.write_bytes(b"half")
    folder = tmp_path / of_killed_process("model")
    folder.mkdir()
    live = hidden_beside(tmp_path / "other.json")
    assert not left.exists()
    assert not folder.exists()
    kept = [
        live,
        tmp_path / live.name.replace(f"-{os.getpid()}-", f"-{os.getppid()}-"),
        tmp_path / ".summary.json.0123abcd",
        tmp_path / re.sub(r"\.[0-9a-f]{8}-", ".00000000-", left.name),
    ]
    for path in kept:
        path.write_bytes(b"")
    monkeypatch.setattr(writing, "_swept", set())
    write_json(tmp_path / "summary.json", {})
    assert sorted(tmp_path.iterdir()) == sorted([*kept, tmp_path / "summary.json"])
