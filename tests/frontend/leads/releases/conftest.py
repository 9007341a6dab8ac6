"""A project with finished work, its lead in a browser, and what a build in the background does."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Job, Project, User
from tasks.background import long_jobs
from tests.builders import Worker, load, open_with, questions, write_lines
from tests.people import join


@dataclass
class Lead:
    """A lead's browser, and the background jobs beside it."""

    client: Client
    project: Project
    user: User

    def get(self, name: str = "releases", *args, query=None):
        return self.client.get(reverse(name, args=[self.project.slug, *args]), query or {})

    def post(self, name: str, *args, **fields):
        return self.client.post(reverse(name, args=[self.project.slug, *args]), fields)

    def build(self, **fields) -> Job:
        """Ask for a release and do what the child process would."""
        fields = {"format": "nq", "split": ["train"]} | fields
        assert self.post("new_release", **fields).status_code == 302
        return self.work()

    def work(self) -> Job:
        """Do the newest job."""
        job = self.project.jobs.order_by("pk").last()
        long_jobs.run(job.pk)
        job.refresh_from_db()
        return job


@pytest.fixture
def lead(nq, lena):
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(lena)
    return Lead(client, nq, lena)


@pytest.fixture
def lights(nq, tmp_path):
    """Both train questions are done, and one of two dev questions has one of five annotations."""
    open_with(nq, tmp_path, questions(2))
    worker = Worker(join(nq, "ann"), nq)
    for _ in range(2):
        worker.finish_bad()
    load(nq, write_lines(tmp_path / "dev.jsonl", questions(2, split="dev", start=10)))
    Worker(join(nq, "ben"), nq).finish_bad()
    return nq
