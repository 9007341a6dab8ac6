"""add_member PROJECT USERNAME ... --role annotator|expert|lead: make people members."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser
from django.db import transaction

from annotation import clock, membership
from annotation.management.base import QuickCommand
from annotation.management.progress import project_of
from annotation.models import Role, User


class Command(QuickCommand):
    """Make people members, all or none; a new user is created with a password, which is printed only now."""

    help = "Make people members of a project."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project")
        parser.add_argument("username", nargs="*", help="one or several")
        parser.add_argument("--file", type=Path, help="a text file with one user name on each line")
        parser.add_argument("--role", required=True, choices=Role.values)

    def handle(
        self, *args: Any, project: str, username: list[str], role: str, file: Path | None = None, **options: Any
    ) -> None:
        names = [*username, *(_names_in(file) if file else ())]
        if not names:
            raise CommandError("Give at least one user name, or a --file of user names.")
        target = project_of(project)
        for name in names:
            _check(name)
        with transaction.atomic():
            added = [
                membership.add(project=target, username=name, role=role, by=None, now=clock.now())
                for name in dict.fromkeys(names)
            ]
        for user, password in added:
            self.stdout.write(self.style.SUCCESS(f"{user.username} is now {role} in {project}."))
            if password:
                self.stdout.write(f"Password (shown only once): {password}")


def _names_in(file: Path) -> list[str]:
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{file} can't be read: {error}") from None
    return [line.strip() for line in lines if line.strip()]


def _check(name: str) -> None:
    """CommandError for what can't be a user name."""
    try:
        User._meta.get_field("username").clean(name, None)
    except ValidationError as error:
        raise CommandError(f"{name!r} is not a valid user name: {' '.join(error.messages)}") from None
