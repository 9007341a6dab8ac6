"""Forms without a session, and addresses of forms that are opened."""

from __future__ import annotations

import html
import re
import uuid

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.people import join

WRITTEN = "Is a list <b>one</b> box?\n\n  Or two?"


@pytest.fixture
def messages(nq):
    return reverse("messages", args=[nq.slug])


def fields_of(page: str) -> dict[str, str]:
    """The fields that the page would send again, as a browser reads them."""
    found = re.findall(r'<textarea name="([^"]+)" hidden>\n(.*?)</textarea>', page, re.DOTALL)
    return {name: html.unescape(value) for name, value in found}


def test_what_was_written_is_in_the_page_and_can_be_sent_again_after_signing_in(nq, messages):
    browser = Client(SERVER_NAME="127.0.0.1")
    sent = {"text": WRITTEN, "key": str(uuid.uuid4())}
    answer = browser.post(messages, sent, headers={"Referer": f"http://127.0.0.1{messages}"})
    page = answer.content.decode()
    assert answer.status_code == 401
    assert "You are signed out, so this was not sent" in page
    assert "&lt;b&gt;one&lt;/b&gt;" in page
    assert f'action="{messages}"' in page
    assert f'<a class="btn btn-link" href="{messages}">' in page
    assert fields_of(page) == sent
    browser.force_login(join(nq, "alice"))
    assert browser.post(messages, fields_of(page), follow=True).status_code == 200
    assert "Or two?" in browser.get(messages).content.decode()


@pytest.mark.parametrize("there", ["https://elsewhere.example/x/", "javascript:alert(1)", ""])
def test_the_way_back_never_leads_elsewhere(db, messages, there):
    page = Client(SERVER_NAME="127.0.0.1").post(messages, {"text": "x"}, headers={"Referer": there})
    assert f'<a class="btn btn-link" href="{reverse("home")}">' in page.content.decode()


def test_passwords_and_files_are_to_be_entered_again(nq, messages):
    file = SimpleUploadedFile("a.csv", b"Ada")
    for sent in ({"new_password": "three secret words"}, {"text": "a few words", "file": file}):
        page = Client(SERVER_NAME="127.0.0.1").post(messages, sent).content.decode()
        assert "passwords, codes and files are not kept" in page
        assert "words" not in page.split("<main")[1].replace("passwords", "")
        assert fields_of(page) == {}


def test_an_address_that_only_takes_forms_has_a_page_for_whoever_opens_it(nq, client):
    client.force_login(join(nq, "lena", "lead"))
    answer = client.get(reverse("invite", args=[nq.slug]))
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert "There is nothing to show at this address" in answer.content.decode()
