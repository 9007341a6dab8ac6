"""Shared by the commands: finding a project or lead, progress bars, showing refusals."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management.base import CommandError
from tqdm import tqdm

from annotation import membership
from annotation.errors import Refused
from annotation.models import Project, Role, User

# Its thread would keep work that follows a bar from being done by forked processes (annotation/processes).
tqdm.monitor_interval = 0


def project_of(slug: str) -> Project:
    """The project of that name, or a CommandError that lists the names."""
    project = Project.objects.filter(slug=slug).first()
    if project is None:
        names = ", ".join(Project.objects.order_by("slug").values_list("slug", flat=True)) or "none yet"
        raise CommandError(f"There is no project {slug}. Projects: {names}.")
    return project


def lead_of(project: Project, username: str) -> User | None:
    """The lead of that name, None for no name (an operator acts), or a CommandError."""
    if not username:
        return None
    user = User.objects.filter(username=username).first()
    if user is None or Role.LEAD not in membership.roles_of(user, project):
        raise CommandError(f"{username} is not a lead of {project.slug}.")
    return user


class Bar:
    """A progress bar per pass, on standard error; silent if that is not a terminal."""

    def __init__(self, stream: Any, *, unit: str) -> None:
        self.stream, self.unit, self.name = stream, unit, ""
        self.bar: tqdm | None = None

    def __call__(self, name: str, done: int, total: int) -> None:
        """Show that `done` of `total` (0: unknown) have been processed in the pass of that name."""
        if self.bar is None or name != self.name:
            self.close()
            self.name = name
            self.bar = tqdm(
                total=total or None, desc=name, unit=f" {self.unit}", file=self.stream, disable=None, leave=False
            )
        self.bar.total = total or None
        self.bar.update(done - self.bar.n)

    def close(self) -> None:
        """Remove the bar from the screen."""
        if self.bar is not None:
            self.bar.close()


@contextmanager
def refusals() -> Iterator[None]:
    """Turn refusals of the domain into a CommandError with their sentence, instead of a traceback."""
    try:
        yield
    except Refused as refused:
        raise CommandError(refused.message or refused.reason) from None
