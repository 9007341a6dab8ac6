"""An import of large pages holds one of them at a time."""

from __future__ import annotations

from annotation.imports import run, spool
from annotation.parsing.sources import FileSource
from tests.builders import NOON, questions, write_lines


class Counted(FileSource):
    """A file that, for each line read, notes how many lines have been read but not yet written."""

    waiting: list[int] = []
    written: list[int] = []

    def lines(self):
        for number, line in super().lines():
            self.waiting.append(number - 1 - len(self.written))
            yield number, line


def test_a_page_is_written_before_the_next_is_read(nq, tmp_path, monkeypatch):
    source, real = Counted(write_lines(tmp_path / "q.jsonl", questions(30))), spool.line_of
    monkeypatch.setattr(spool, "line_of", lambda *said, **more: source.written.append(1) or real(*said, **more))
    run.run(nq, source, sha256="0" * 64, by=None, clock=lambda: NOON, progress=lambda *told: None)
    assert source.waiting == [0] * 30
