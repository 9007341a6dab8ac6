"""Set up a second step through the pages."""

from __future__ import annotations

import re
import time

import time_machine
from django.urls import reverse

from tests.authenticator import code


def set_up(client) -> tuple[str, list[str]]:
    """Set up a second step for whoever has just signed in; returns the key and the recovery codes."""
    page = client.get(reverse("mfa_activate_totp")).content.decode()
    [key] = re.findall(r'secret">([A-Z2-7]{32})<', page)
    with time_machine.travel(time.time(), tick=False):  # or the code might expire while it is sent
        done = client.post(reverse("mfa_activate_totp"), {"code": code(key)}).content.decode()
    return key, re.findall(r"^\d{8}$", done.split("<textarea", 1)[1].split(">", 1)[1], re.MULTILINE)
