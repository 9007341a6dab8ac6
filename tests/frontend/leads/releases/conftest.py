"""A project with finished work, its lead in a browser, and what a build in the background does."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Job, Project, Role, User
from tasks.background import long_jobs
from tests.builders import Worker, load, open_with, project, questions, write_lines
from tests.disagreeing import browser
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


@pytest.fixture(scope="module")
def lights_once(shared_rows, tmp_path_factory):
    """Both train questions are done, and one of two dev questions has one of five annotations; lena leads."""
    made, folder = project(), tmp_path_factory.mktemp("lights")
    open_with(made, folder, questions(2))
    worker = Worker(join(made, "ann"), made)
    for _ in range(2):
        worker.finish_bad()
    load(made, write_lines(folder / "dev.jsonl", questions(2, split="dev", start=10)))
    Worker(join(made, "ben"), made).finish_bad()
    join(made, "lena", Role.LEAD)


@pytest.fixture
def lights(lights_once, db):
    return Project.objects.get(slug="lights")


@pytest.fixture
def lead(lights):
    return lead_of(lights, User.objects.get(username="lena"))


def lead_of(project: Project, user: User) -> Lead:
    """That lead at the project's pages."""
    return Lead(browser(user), project, user)
