"""A new project begins with the set-up of another one, from a file or directly; a wrong file enters nothing."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.models import NewProject, Project
from annotation.setup import changes, files
from tasks.engine import queues
from tasks.setup import outline
from tests.builders import project
from tests.disagreeing import browser
from tests.frontend.leads.setup.wizard import WORDS, entered, send, text
from tests.people import NOON


@pytest.fixture
def lead(nq, lena):
    return browser(lena)


def test_the_file_of_another_project_fills_all_steps(lead, lena, nq):
    queues.open_queue(nq, "annotate", by=lena, now=NOON, least_agreement=0.5)
    changes.change(nq, config={"tells_decisions": True}, by=lena, now=NOON)
    file = SimpleUploadedFile("lights.yaml", files.write(outline.setup_of(nq)).encode())
    page = text(lead.post(reverse("new_project_from_file"), {"setup": file}, follow=True))
    assert "Taken over from the file." in page
    send(lead, "words", {**WORDS, "guidelines": "", "title": "Again"}, "check")
    send(lead, "check", {}, "make")
    copied = outline.setup_of(Project.objects.get(slug="again"))
    assert copied == outline.setup_of(nq).model_copy(update={"slug": "again", "title": "Again"})


def test_a_project_that_one_leads_fills_all_steps_without_a_file(lead, nq):
    changes.change(nq, config={"pay": "9 EUR an hour"}, by=None, now=NOON)
    assert nq.title in entered(lead, "protocol")
    page = lead.post(reverse("new_project_from_project", args=[nq.slug]), follow=True)
    assert "Taken over." in text(page)
    assert 'value="9 EUR an hour"' in entered(lead, "numbers")
    assert lead.post(reverse("new_project_from_project", args=[project("others").slug])).status_code == 404


def test_a_file_with_an_unknown_field_is_refused_with_its_line_and_nothing_is_entered(lead):
    file = SimpleUploadedFile("x.yaml", b"goldfinch: 1\nprotocol: nq\ntitle: x\nconfig:\n  pays: 3\n")
    answer = lead.post(reverse("new_project_from_file"), {"setup": file})
    assert answer.status_code == 422
    assert "Line 5: config.pays · There is no such field." in text(answer)
    assert not NewProject.objects.exists()
