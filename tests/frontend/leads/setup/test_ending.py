"""A project that rests is archived and brought back; an empty one is taken away, and its address is free again."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Event, Project, Role
from tasks.engine import leases
from tasks.setup import opening
from tests.builders import Worker, open_with, project, questions
from tests.factories.corpus import ProjectFactory
from tests.people import NOON, join


@pytest.fixture
def lights(nq, tmp_path):
    """Two questions in an open queue."""
    open_with(nq, tmp_path, questions(2))
    return nq


@pytest.fixture
def lead(lena):
    """The browser of the project's lead."""
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(lena)
    return client


def press(lead, name, of, *, follow=True):
    return lead.post(reverse(name, args=[of.slug]), follow=follow)


def settings(lead, of) -> str:
    return " ".join(lead.get(reverse("settings", args=[of.slug])).content.decode().split())


def pause(of, lena):
    opening.pause(of, "annotate", by=lena, now=NOON)


def test_an_archived_project_is_in_no_list_and_can_be_read_and_brought_back(lights, lead, lena):
    pause(lights, lena)
    bob = join(lights, "bob")
    home = press(lead, "archive_project", lights)
    assert home.context["led"] == []
    assert home.context["archived"] == [lights]
    assert "1 archived project" in home.content.decode()
    assert reverse("bring_back_project", args=[lights.slug]) in home.content.decode()
    board = lead.get(reverse("project", args=[lights.slug])).content.decode()
    assert "Archived since" in board
    worker = Client(SERVER_NAME="127.0.0.1")
    worker.force_login(bob)
    assert worker.get(reverse("home")).context["texts"] == []
    again = press(lead, "bring_back_project", lights)
    assert "Archived since" not in again.content.decode()
    assert [one.slug for one in lead.get(reverse("home")).context["led"]] == [lights.slug]
    assert "Brought back" in settings(lead, lights)


def test_no_queue_of_an_archived_project_can_be_opened(lights, lead, lena):
    pause(lights, lena)
    press(lead, "archive_project", lights, follow=False)
    sent = {"lease_minutes": "60", "least_agreement": ""}
    answer = lead.post(reverse("open_queue", args=[lights.slug, "annotate"]), sent)
    assert answer.status_code == 409
    assert "The project is archived. Bring it back first." in answer.content.decode()


def test_a_project_with_an_open_queue_is_not_archived(lights, lead):
    assert "A queue is open. Pause or close it first." in settings(lead, lights)
    assert press(lead, "archive_project", lights).status_code == 409
    assert Project.objects.get(pk=lights.pk).archived_at is None


def test_a_project_in_which_somebody_holds_work_is_not_archived_until_they_are_through(lights, lead, lena):
    held = Worker(join(lights, "bob"), lights).claim()
    pause(lights, lena)
    assert "1 person still holds work." in settings(lead, lights)
    assert press(lead, "archive_project", lights).status_code == 409
    leases.expire(held.lease, now=held.lease.expires_at)
    press(lead, "archive_project", lights, follow=False)
    assert Project.objects.get(pk=lights.pk).archived_at is not None


def test_an_empty_project_is_taken_away_and_its_address_is_free(nq, lead):
    slug = nq.slug
    assert f"another project can have its address, {slug}" in settings(lead, nq)
    home = press(lead, "remove_project", nq)
    assert home.context["led"] == []
    assert home.context["archived"] == []
    assert lead.get(reverse("project", args=[slug])).status_code == 404
    assert not Project.objects.exists()
    assert Project.with_removed.get().memberships.filter(role=Role.LEAD).exists()
    assert Event.objects.get(kind="project.removed").data == {"slug": slug}
    second = ProjectFactory(slug=slug)
    join(second, "lena", Role.LEAD)
    assert lead.get(reverse("project", args=[slug])).context["project"] == second


def test_whoever_took_their_only_project_away_can_make_another(nq, lead):
    press(lead, "remove_project", nq, follow=False)
    assert lead.get(reverse("new_project"), follow=True).status_code == 200


def test_a_project_with_items_is_not_taken_away(lights, lead):
    assert "Take it away" not in settings(lead, lights)
    answer = press(lead, "remove_project", lights)
    assert answer.status_code == 409
    assert "It has items. Archive it instead." in answer.content.decode()


def test_two_projects_with_the_same_address_can_be_taken_away_one_after_the_other(nq, lead):
    press(lead, "remove_project", nq, follow=False)
    second = project(nq.slug)
    join(second, "lena", Role.LEAD)
    press(lead, "remove_project", second, follow=False)
    assert Project.with_removed.count() == 2
