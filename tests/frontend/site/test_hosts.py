"""Admins say which hosts the site may call, and everybody else finds no such page."""

from __future__ import annotations

import html

import pytest
from django.urls import reverse

from annotation.models import AllowedHost, Event
from annotation.outgoing import calling
from tests.frontend.site.conftest import signed_in


def page(admin):
    return html.unescape(admin.get(reverse("hosts")).content.decode())


def allow(admin, name, purpose=""):
    return admin.post(reverse("hosts"), {"name": name, "purpose": purpose})


def names():
    return list(AllowedHost.objects.order_by("name").values_list("name", flat=True))


def test_no_host_may_be_called_at_first(admin):
    assert "this site calls no other server" in page(admin)
    assert not calling.is_allowed("hooks.lab.example")


def test_an_admin_allows_a_host_and_takes_it_off_again(admin, grace):
    assert allow(admin, " Hooks.Lab.example ", "Nightly counts").status_code == 302
    assert calling.is_allowed("hooks.lab.example")
    assert "Nightly counts" in page(admin)
    answer = admin.post(reverse("remove_host", args=[AllowedHost.objects.get().pk]), follow=True)
    assert "Calls to hooks.lab.example are refused from now on." in html.unescape(answer.content.decode())
    assert names() == []
    kinds = [(event.kind, event.by, event.data["name"]) for event in Event.objects.order_by("pk")]
    assert kinds == [("host.allowed", grace.pk, "hooks.lab.example"), ("host.removed", grace.pk, "hooks.lab.example")]
    assert page(admin).count("hooks.lab.example") == 2


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("hooks.lab.example:443", "hooks.lab.example"),
        ("hooks.lab.example:8443", "hooks.lab.example:8443"),
        ("hooks.lab.example/", "hooks.lab.example"),
    ],
)
def test_a_port_is_part_of_a_host_unless_https_implies_it(admin, typed, name):
    allow(admin, typed)
    assert names() == [name]


@pytest.mark.parametrize(
    "typed",
    ["", "hooks", "localhost", "10.0.0.1", "https://hooks.lab.example", "*.lab.example", "a.example:0",
     "a.example:65536", "a.example:x", "a.example:"],
)  # fmt: skip
def test_what_is_no_full_name_is_refused_and_stays_in_its_field(admin, typed):
    answer = allow(admin, typed, "Counts")
    assert answer.status_code == 422
    found = html.unescape(answer.content.decode())
    assert "Write a host as in hooks.example.org, or with a port." in found
    assert f'value="{typed}"' in found
    assert 'value="Counts"' in found
    assert names() == []


def test_a_host_is_allowed_once(admin):
    allow(admin, "hooks.lab.example")
    answer = allow(admin, "hooks.lab.example:443")
    assert answer.status_code == 422
    assert "This host is allowed already." in answer.content.decode()


def test_a_second_click_on_remove_says_that_it_is_gone(grace, admin):
    allow(admin, "hooks.lab.example")
    row = AllowedHost.objects.get()
    assert admin.post(reverse("remove_host", args=[row.pk])).status_code == 302
    assert admin.post(reverse("remove_host", args=[row.pk])).status_code == 404


def test_a_lead_sees_no_such_page(lena):
    lead = signed_in(lena)
    assert lead.get(reverse("hosts")).status_code == 404
    assert allow(lead, "hooks.lab.example").status_code == 404
    assert names() == []
