"""A project that the token's person leads: items, imports, figures, releases."""

from __future__ import annotations

import uuid
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from goldfinch_client.calls import ApiCalls
from goldfinch_client.shapes import AnnotatedItem, Attempt, Dispute, Grant, Project

PART = 1 << 20
"""Bytes of a part of an upload."""
OPEN = frozenset({"queued", "running"})
"""States of a job that has not ended."""


class JobFailed(Exception):
    """A job of the site has ended without doing what it was asked for; `job` is what the site says of it."""

    def __init__(self, job: dict[str, Any]) -> None:
        self.job = job
        super().__init__(job.get("error") or job["state"])


class LedProject:
    """A project, with a token that reads, or leads it."""

    def __init__(self, calls: ApiCalls, slug: str) -> None:
        self._calls, self.slug, self._path = calls, slug, f"projects/{slug}/"

    def read(self) -> Project:
        """The project itself."""
        found: Project = self._calls.get(self._path)
        return found

    def items(self, **filters: Any) -> Iterator[AnnotatedItem]:
        """The items with their annotations, filtered as on the page of items: q, split, state, person, since ..."""
        return self._calls.pages(f"{self._path}items/", limit=100, **filters)

    def get(self, path: str, **query: Any) -> Any:
        """What the API says at an address below the project, such as `agreement/`, `human-bound/` or `pay/`."""
        return self._calls.get(self._path + path, **query)

    def rows(self, path: str, **query: Any) -> Iterator[Any]:
        """All rows of a list below the project, such as `releases/` or `people/`."""
        return self._calls.pages(self._path + path, **query)

    def send(self, method: str, path: str, body: Any = None, **options: str) -> Any:
        """Change something at an address below the project."""
        return self._calls.send(method, self._path + path, body, **options)

    def upload(self, file: Path) -> str:
        """Upload a file in parts, or go on where an earlier upload of it was cut; returns its id."""
        size = file.stat().st_size
        with file.open("rb") as bytes_of:
            asked = {"name": file.name, "size": size, "beginning": zlib.crc32(bytes_of.read(PART))}
            begun = self.send("POST", "uploads/", asked)
            path, checksum = f"{self._path}uploads/{begun['uuid']}/", begun["checksum"]
            bytes_of.seek(begun["received"])
            for offset in range(begun["received"], size, PART):
                part = bytes_of.read(PART)
                checksum = zlib.crc32(part, checksum)
                place = {"Upload_Offset": str(offset), "Upload_Checksum": str(checksum)}
                self._calls.send_bytes("PATCH", path, part, "application/octet-stream", **place)
        return str(begun["uuid"])

    def import_file(self, file: Path, *, beside: Path | None = None, **choices: Any) -> dict[str, Any]:
        """Upload and import a file; returns what came of it. `choices`: what, mode, split. JobFailed, Refused."""
        asked = {"file": self.upload(file)} | ({"beside": self.upload(beside)} if beside else {}) | choices
        job = self.send("POST", "imports/", asked)
        return self._ended(f"imports/{job['id']}/", job)

    def refused_lines(self, job: int) -> Iterator[Any]:
        """The lines that an import refused, with the reasons."""
        return self.rows(f"imports/{job}/refused/")

    def make_release(self, **choices: Any) -> int:
        """Make a release; returns its version. `choices`: format, split, partial, times, until. JobFailed, Refused."""
        build = self.send("POST", "releases/", choices)
        return int(self._ended(f"releases/builds/{build['id']}/", build)["version"])

    def download_release(self, version: int, folder: Path) -> list[Path]:
        """Download the files of a release into a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        names = [file["name"] for file in self.get(f"releases/{version}/")["files"]]
        found = []
        for name in names:
            to = folder / name
            to.parent.mkdir(parents=True, exist_ok=True)
            found.append(self._calls.download(f"{self._path}releases/{version}/files/{name}", to))
        return found

    def add_predictions(self, file: Path, *, system: str, layout: str, split: str = "") -> str:
        """Upload the answers of a system for judging rounds; returns the id of the set."""
        asked = {"system": system, "layout": layout, "split": split, "file": self.upload(file)}
        return str(self.send("POST", "predictions/", asked)["predictions"]["uuid"])

    def begin_round(self, kind: str, raters: list[str], **choices: Any) -> dict[str, Any]:
        """Make a judging round and seal it; `raters` by worker codes. JobFailed, Refused."""
        made = self.send("POST", "rounds/", {"kind": kind, "raters": raters, **choices})
        path = f"rounds/{made['uuid']}/"
        row: dict[str, Any] = self.send("POST", f"{path}seal/")
        if row["state"] == "draft":
            self._ended(path, row["sealing"], of="sealing")
            row = self.get(path)
        return row

    def disputes(self, **filters: Any) -> Iterator[Dispute]:
        """The disputes, those with the least agreement first: open ones, or with state="decided" the decided."""
        return self._calls.pages(f"{self._path}disputes/", **filters)

    def decide_dispute(self, dispute: Dispute, annotation: str, reason: str) -> dict[str, Any]:
        """Decide for one of the annotations of a dispute; returns it with its answers side by side."""
        path = f"disputes/{dispute['activity']}/{dispute['item']}/decide/"
        found: dict[str, Any] = self.send("POST", path, {"annotation": annotation, "reason": reason})
        return found

    def attempts(self, course: str, **filters: Any) -> Iterator[Attempt]:
        """The attempts at the exam of a course, by the key of its qualification: all, or with an `outcome`."""
        return self._calls.pages(f"{self._path}courses/{course}/attempts/", **filters)

    def give_qualification(self, key: str, people: list[str], reason: str) -> list[Grant]:
        """Give a qualification to members, by their worker codes; returns what was given."""
        asked = {"people": people, "reason": reason, "giving": str(uuid.uuid4())}
        given: list[Grant] = self.send("POST", f"qualifications/{key}/grants/", asked)["results"]
        return given

    def _ended(self, path: str, job: dict[str, Any], *, every: float = 1.0, of: str = "") -> dict[str, Any]:
        """The job once it has ended; asked for every so many seconds. JobFailed if it failed or was cancelled.

        `of`: the field of what is read at `path` that tells of the job, null once it is done; "" for all of it.
        """
        while job["state"] in OPEN:
            self._calls.pause(every)
            found = self.get(path)
            job = (found[of] or {"state": "done"}) if of else found
        if job["state"] != "done":
            raise JobFailed(job)
        return job
