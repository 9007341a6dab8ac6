"""The steps of a new project as a lead sends and reads them."""

from __future__ import annotations

import html
import re

from django.urls import reverse

from annotation import registry
from frontend.leads.setup.config_form import fields_by_activity

WORDS = {"title": "Harbour lights", "slug": "", "guidelines": "# Judge\r\nRead it.\r\n", "consent": ""}


def send(lead, section, fields, go, *, follow=True):
    return lead.post(reverse("new_project_step", args=[section]), fields | {"go": go}, follow=follow)


def numbers(protocol="nq", **changes):
    """The third step as it begins, with these changes; a box that is not ticked is not sent."""
    found = fields_by_activity(registry.get(protocol), registry.get(protocol).config())
    return {name: value for name, value in (found | changes).items() if value is not False}


def text(answer):
    page = re.sub(r"<svg.*?</svg>|<[^>]+>", " ", answer.content.decode(), flags=re.DOTALL)
    return html.unescape(" ".join(page.split()))


def entered(lead, section):
    return html.unescape(lead.get(reverse("new_project_step", args=[section])).content.decode())
