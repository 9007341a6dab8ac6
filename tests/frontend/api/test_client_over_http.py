"""The Python client over HTTP, in one process with the pages that it calls, behind the gateway that sends files."""

from __future__ import annotations

import csv
import hashlib
import importlib
import runpy
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from a2wsgi import WSGIMiddleware
from django.core.wsgi import get_wsgi_application

from annotation.models import Job, Project, User
from frontend.server.gateway import Gateway
from tasks.background import long_jobs
from tests.builders import project
from tests.frontend.api.callers import leading, working
from tests.frontend.api.scripts import by_script
from tests.frontend.server.server_rig import Rig
from tests.people import join

CLIENT = Path(__file__).parents[3] / "frontend" / "api" / "client"
BOT = CLIENT / "examples" / "bot_annotator.py"
TEXT = "The light was lit in 1823 by two keepers who came from Bergen and Oslo."


@pytest.fixture
def lights(transactional_db: None) -> Project:
    return by_script(project(protocol="squad"))


@pytest.fixture
def url(lights: Project) -> Iterator[str]:
    """Where the site is."""
    rig = Rig(Gateway(WSGIMiddleware(get_wsgi_application(), workers=1), longest_body=2**20))  # type: ignore[arg-type]
    yield f"http://127.0.0.1:{rig.port}"
    rig.stop()


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The package."""
    monkeypatch.syspath_prepend(CLIENT)
    return importlib.import_module("goldfinch_client")


def run_jobs(_seconds: float) -> None:
    """What the site's background does while the client waits."""
    for job in Job.objects.filter(state=Job.State.QUEUED):
        long_jobs.run(job.pk)


def answer_all(url: str, person: User, monkeypatch: pytest.MonkeyPatch) -> str:
    """The token of a person whose bot, an example, answers all that there is."""
    secret = working(person).secret
    monkeypatch.setenv("GOLDFINCH_SITE", url)
    monkeypatch.setenv("GOLDFINCH_TOKEN", secret)
    runpy.run_path(str(BOT))["main"]("lights")
    return secret


def test_it_imports_a_file_answers_corrects_an_answer_and_downloads_a_release(
    url: str,
    client: Any,
    lights: Project,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    led = client.Goldfinch(url, leading(join(lights, "lena", "lead"), lights).secret, sleep=run_jobs).project("lights")
    file = tmp_path / "test.csv"
    with file.open("w") as rows:
        csv.writer(rows).writerows(
            [
                ("id", "title", "context", "question"),
                *((f"q{n}", "Light", TEXT, f"Who lit it in {n}?") for n in range(3)),
            ]
        )
    done = led.import_file(file, split="test")
    assert (done["items"], done["refused"]) == (4, 0)
    led.send("POST", "queues/answer/open/")
    for name in ("ann", "ben"):
        secret = answer_all(url, join(lights, name), monkeypatch)
        assert capsys.readouterr().out.startswith("3 answered; ")
    mine = client.Goldfinch(url, secret)

    def kinds() -> list[str]:
        return [row["answers"][0]["payload"]["kind"] for row in mine.finished()]

    first = next(mine.finished())
    work = client.HeldWork(mine.calls, mine.calls.get(f"work/{first['uuid']}/"))
    as_read = {"step": first["answers"][0]["step"], "version": {"seen": 0, "client": str(uuid.uuid4())}}
    assert work.replace(as_read, {"kind": "unanswerable"})["work"]["state"] == "submitted"
    assert kinds() == ["unanswerable", "span", "span"]
    with pytest.raises(client.Refused) as refused:
        mine.project("lights").make_release()
    assert refused.value.status == 403
    folder = tmp_path / "release"
    files = led.download_release(led.make_release(partial=True), folder)
    sums = [line.split() for line in (folder / "SHA256SUMS").read_text().splitlines()]
    assert {folder / name for _sum, name in sums} | {folder / "SHA256SUMS"} == set(files)
    assert {hashlib.sha256((folder / name).read_bytes()).hexdigest() == checksum for checksum, name in sums} == {True}
    assert "The light was" in "".join(each.read_text() for each in folder.glob("*.json*"))
