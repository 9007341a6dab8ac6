"""Take people's names out of what leads and experts wrote, before a release publishes it."""

from __future__ import annotations

import re

from annotation.models import Project, User

NAMES = ("username", "first_name", "last_name", "email", "worker_code")
"""The columns of a person that identify them."""
SHORTEST = 3
"""Shorter names would hit ordinary words."""
SOMEBODY = "[person]"
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(\.[\w-]+)+")


class Redactor:
    """Replaces the names, addresses and worker codes of everybody in a project, and every e-mail address."""

    def __init__(self, project: Project, *, using: str = "default") -> None:
        people = User.objects.using(using).filter(memberships__project=project)
        names = {name for row in people.distinct().values_list(*NAMES) for name in row if len(name) >= SHORTEST}
        longest_first = sorted(names, key=lambda name: (-len(name), name))
        self._names = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, longest_first))})(?!\w)", re.IGNORECASE)
        self._any = bool(names)

    def redacted(self, text: str) -> str:
        """The text without them."""
        text = _MAIL.sub(SOMEBODY, text)
        return self._names.sub(SOMEBODY, text) if self._any else text
