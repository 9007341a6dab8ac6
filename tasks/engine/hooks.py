"""What the engine calls without knowing who listens: packages that build on it add functions when the app starts.

`tasks/apps.py: TasksConfig.ready` adds them, so that one place shows what happens besides.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from datetime import datetime
from typing import Protocol

from annotation.models import User
from tasks.models import Assignment


class Leaving(Protocol):
    """Entered before somebody leaves work without an answer, in the same transaction; left when they have."""

    def __call__(
        self, assignment: Assignment, /, *, by: User, reason: str, text: str, now: datetime
    ) -> AbstractContextManager[None]: ...


leaving: list[Leaving] = []


def listen(to: list[Leaving], each: Leaving) -> None:
    """Add a function to a hook, once: Django calls `ready` again when a test installs another app."""
    if each not in to:
        to.append(each)


@contextmanager
def around_leaving(assignment: Assignment, *, by: User, reason: str, text: str, now: datetime) -> Iterator[None]:
    """Run the block, which makes the person leave this work, inside all that listen."""
    with ExitStack() as stack:
        for each in leaving:
            stack.enter_context(each(assignment, by=by, reason=reason, text=text, now=now))
        yield
