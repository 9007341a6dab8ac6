"""score PROTOCOL --gold FILES --predictions FILE: the field's official metrics, as JSON."""

from __future__ import annotations

from glob import glob
from pathlib import Path
from typing import Any

import orjson
from django.core.management.base import CommandError, CommandParser

from annotation import registry
from annotation.errors import ScoreRefused
from annotation.management.base import QuickCommand
from annotation.protocol_tools import ScoreRequest


class Command(QuickCommand):
    """Print what the official script prints; each protocol defines its own flags."""

    help = "Score predictions, or people, against gold files in a published layout."

    def add_arguments(self, parser: CommandParser) -> None:
        of = parser.add_subparsers(dest="protocol", required=True, metavar="PROTOCOL")
        for protocol in registry.all_protocols():
            if protocol.scorer is None:
                continue
            own = of.add_parser(protocol.key, help=str(protocol.title))
            own.add_argument("--gold", action="append", required=True, help="a file, or a pattern such as 'dev-*.gz'")
            own.add_argument("--predictions", type=Path, help="the file to be scored")
            own.set_defaults(flags=[])
            for flag, what in protocol.scorer.flags.items():
                own.add_argument(f"--{flag}", dest="flags", action="append_const", const=flag, default=[], help=what)
            for option, what in protocol.scorer.options.items():
                own.add_argument(f"--{option}", dest=_dest(option), help=what)

    def handle(
        self, *args: Any, protocol: str, gold: list[str], predictions: Path | None, flags: list[str], **options: Any
    ) -> None:
        scorer = registry.get(protocol).scorer
        if scorer is None:
            raise CommandError(f"{protocol} has no official metrics.")
        given = {name: value for name in scorer.options if (value := options[_dest(name)]) is not None}
        request = ScoreRequest(_files(gold), predictions, frozenset(flags), given)
        try:
            figures = scorer.run(request)
        except ScoreRefused as refused:
            raise CommandError(str(refused)) from None
        for note in figures.pop("notes", ()):
            self.stderr.write(f"Note: {note}")
        self.stdout.write(orjson.dumps(figures, option=orjson.OPT_INDENT_2).decode())


def _dest(option: str) -> str:
    return f"option_{option}"


def _files(patterns: list[str]) -> tuple[Path, ...]:
    """Every file that the patterns match, in order; the name of an existing file is not treated as a pattern."""
    found: list[Path] = []
    for pattern in patterns:
        names = [pattern] if Path(pattern).is_file() else sorted(glob(pattern))
        if not names:
            raise CommandError(f"There is no file {pattern}.")
        found += map(Path, names)
    return tuple(dict.fromkeys(found))
