"""The lead's hour by script only: from a file to a release whose hashes are verified."""

from __future__ import annotations

import hashlib
import zlib
from pathlib import Path
from typing import Any

import orjson
import pytest

from annotation.imports import uploads
from annotation.models import CaseKind, Project, User
from frontend.server import file_sender
from frontend.server.file_sender import FileAnswer
from tasks.background import long_jobs
from tests.boards import measure_everything
from tests.builders import Worker, questions
from tests.factories.record import CaseFactory
from tests.frontend.api.callers import Caller, leading
from tests.people import join
from tests.uploading import json_lines

SETUP = """
protocol: nq
title: Harbour lights
config:
  activities:
    annotate: {overlap: {train: 2}}
"""


class LeadScript:
    """What a lead would write around the calls: an upload in parts, and waiting for jobs."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller

    def get(self, address: str, **query: Any) -> Any:
        """What an address below the project says."""
        answer = self.caller.get(f"projects/lights/{address}", query)
        assert answer.status_code == 200, answer.content
        return answer.json()

    def post(self, address: str, body: Any = None) -> Any:
        """What it says to a body."""
        answer = self.caller.post(f"projects/lights/{address}", body)
        assert 200 <= answer.status_code < 300, answer.content
        return answer.json()

    def upload(self, name: str, data: bytes) -> str:
        """Send a file in parts; returns its uuid."""
        sent = {"name": name, "size": len(data), "beginning": zlib.crc32(data[: uploads.PART])}
        state = self.post("uploads/", sent)
        while state["received"] < len(data):
            start = state["received"]
            end = min(start + 700, len(data))
            place = {
                "Upload_Offset": str(start),
                "Upload_Checksum": str(zlib.crc32(data[start:end], state["checksum"])),
            }
            state = self.caller.send(
                "PATCH", f"projects/lights/uploads/{state['uuid']}/", data[start:end], **place
            ).json()
        return state["uuid"]

    def ended(self, address: str, job: dict[str, Any]) -> Any:
        """What is said of a job after its turn."""
        assert job["state"] == "queued"
        long_jobs.run(job["id"])  # as the site's own process does
        return self.get(f"{address}{job['id']}/")

    def download(self, address: str, size: int) -> bytes:
        """A file, in two ranges, as a download that was cut goes on."""
        half = size // 2
        return self._part(address, f"bytes=0-{half - 1}") + self._part(address, f"bytes={half}-")

    def _part(self, address: str, wanted: str) -> bytes:
        answer = self.caller.get(f"projects/lights/{address}")
        # The gateway, which is not part of a request here, sends what this header names.
        sent = FileAnswer.open_named(answer[file_sender.HEADER], 200, [], [(b"range", wanted.encode())])
        with sent.file as file:
            file.seek(sent.start)
            return file.read(sent.end - sent.start)


@pytest.fixture
def script(nq: Project, lena: User) -> LeadScript:
    return LeadScript(leading(lena, nq))


def test_a_lead_leads_by_script_only(nq: Project, script: LeadScript, tmp_path: Path):
    changed = script.caller.send("PATCH", "projects/lights/setup/", SETUP.encode(), "application/yaml").json()[
        "changed"
    ]
    assert "config.activities.annotate.overlap.train" in [row["path"] for row in changed]

    file = script.upload("lights.jsonl", json_lines(questions(4)))
    done = script.ended("imports/", script.post("imports/", {"file": file}))
    assert (done["state"], done["items"], done["refused"]) == ("done", 4, 0)

    queue = script.post("queues/annotate/open/", {"lease_minutes": 45})
    assert (queue["made"], queue["places"]) == (4, {"filled": 0, "held": 0, "free": 8})
    workers = [Worker(join(nq, name), nq) for name in ("ada", "ben")]
    for number in range(4):
        workers[0].finish_bad()
        held = workers[1].finish_without_answer() if number % 2 else workers[1].finish_bad()
    measure_everything()

    board = script.get("board/")
    assert (board["progress"]["done"], board["state"]["words"]) == (4, "Done")
    agreement = script.get("agreement/", measure="question")["agreement"]
    observed = next(one for one in agreement["measures"][0]["numbers"] if one["key"] == "observed")
    assert (observed["estimate"]["value"], observed["estimate"]["n"]) == (0.5, 4)
    assert len(script.get("people/")["results"]) == 3
    wanted = {"title": "Reading", "activities": ["annotate"], "present": "admit", "reason": "they did it well"}
    assert script.post("qualifications/", wanted)["active"] == 2

    response = held.annotation.responses.order_by("pk")[0]
    said = {"kind": CaseKind.FLAG, "annotation": held.annotation, "response": response}
    CaseFactory(**said, author=workers[0].user, reason="rude")
    [case] = script.get("cases/")["results"]
    script.post(f"items/{case['item']}/cases/{case['id']}/decide/", {"to": "dismissed", "reason": "it is meant well"})
    assert script.get("cases/")["results"] == []
    worst = agreement["worst"][0]["item"]
    [first, _second] = script.get(f"items/{worst}/")["annotations"]
    script.post(f"items/{worst}/annotations/{first['uuid']}/decide/", {"action": "exclude", "reason": "a slip"})

    wanted = {"format": "nq", "partial": True}
    counted = script.post("releases/count/", wanted)
    assert (counted["items"], counted["annotations"]) == (4, 7)
    build = script.ended("releases/builds/", script.post("releases/", wanted))
    assert (build["state"], build["error"]) == ("done", "")
    release = script.get(f"releases/{build['version']}/")
    assert release["counts"] == counted["counts"]
    for one in release["files"]:
        data = script.download(f"releases/{build['version']}/files/{one['name']}", one["size"])
        (tmp_path / one["name"]).write_bytes(data)
        assert one["sha256"] in ("", hashlib.sha256(data).hexdigest())
    assert hashlib.sha256((tmp_path / "manifest.json").read_bytes()).hexdigest() == release["manifest_sha256"]
    listed = dict(line.split("  ")[::-1] for line in (tmp_path / "SHA256SUMS").read_text().splitlines())
    for name, expected in listed.items():
        assert hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() == expected
    assert orjson.loads((tmp_path / "manifest.json").read_bytes())["counts"] == release["counts"]
