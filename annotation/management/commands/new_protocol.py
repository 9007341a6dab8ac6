"""new_protocol KEY: a running protocol of one's own, with demo, samples, tests and screens modules, to be changed."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation import registry
from annotation.management.base import QuickCommand
from annotation.skeletons.copies import CHECKOUT, NewProtocol


class Command(QuickCommand):
    """Copies a skeleton; in a checkout of Goldfinch it is listed in the settings, too."""

    help = "Begin a protocol of your own: a running skeleton for one annotator, or for two who talk."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("key", help="its name in files and addresses: small letters, digits, underscores")
        parser.add_argument("--pair", action="store_true", help="two people talk; later others answer again")
        parser.add_argument("--title", default="", help="what people read (default: the key in words)")
        parser.add_argument(
            "--into",
            type=Path,
            default=CHECKOUT / "annotation" / "protocols",
            metavar="FOLDER",
            help="the folder of a package of its own (default: this checkout's protocols)",
        )

    def handle(self, *args: Any, key: str, pair: bool, title: str, into: Path, **options: Any) -> None:
        title = title.strip() or key.replace("_", " ").capitalize()
        made = NewProtocol(key, title, "pair" if pair else "one", into)
        if problem := _problem_of(made):
            raise CommandError(problem)
        try:
            files = made.write()
        except FileExistsError as error:
            raise CommandError(f"{error} is there already. Remove it, or choose another key.") from None
        if made.is_ours:
            made.list_in_settings()
        for path in files:
            self.stdout.write(str(path))
        self.stdout.write(_next_steps(made))


def _problem_of(made: NewProtocol) -> str:
    """Why there can be no such protocol; "" if there can."""
    if not re.fullmatch(r"[a-z][a-z0-9_]{1,30}", made.key):
        return f"{made.key!r} is no key: 2 to 31 small letters, digits and underscores, a letter first."
    if '"' in made.title or "\\" in made.title or not made.title.isprintable():
        return "A title has neither quotation marks nor backslashes."
    if made.key in {protocol.key for protocol in registry.all_protocols()} or find_spec(made.module) is not None:
        return f"{made.key} is taken: a protocol or a Python package has that name."
    return "" if made.into.is_dir() else f"There is no folder {made.into}."


def _next_steps(made: NewProtocol) -> str:
    where = "" if made.is_ours else f"export GOLDFINCH_PROTOCOLS={made.key} PYTHONPATH={made.into}\n"
    run = "make run" if made.is_ours else "manage.py migrate && manage.py collectstatic --noinput"
    return (
        f"\nNow:\n{where}manage.py check_protocol {made.key}\n{run}\ndocs/protocols.md says what to change, and where."
    )
