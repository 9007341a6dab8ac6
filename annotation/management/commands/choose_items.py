"""choose_items PROTOCOL FILE OUT: choose from raw material what is worth importing, with a table of the reasons."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
from django.core.management.base import CommandError, CommandParser

from annotation import registry
from annotation.errors import ImportRefused
from annotation.management.base import QuickCommand
from annotation.management.importing import add_field, source_of
from annotation.protocol_tools import ChosenMaterial

NAME, OUTCOME = 40, 8
"""Columns of the table."""


class Command(QuickCommand):
    """Write the chosen records as JSON Lines for import_items, and say of each why it is kept or dropped."""

    help = "Choose from a file of raw material what is worth importing."

    def add_arguments(self, parser: CommandParser) -> None:
        of = parser.add_subparsers(dest="protocol", required=True, metavar="PROTOCOL")
        for protocol in registry.all_protocols():
            if protocol.chooser is None:
                continue
            own = of.add_parser(protocol.key, help=str(protocol.title))
            own.add_argument("file", type=Path)
            own.add_argument("out", type=Path, help="a new file for what is kept, its name ending in .jsonl")
            beside = "zip or folder with the files that the file names (default: the folder of the file)"
            own.add_argument("--zip", "--folder", type=Path, dest="beside", metavar="PATH", help=beside)
            own.add_argument("--split", default="", help="split of records that do not name one")
            add_field(own)
            for option, what in protocol.chooser.options.items():
                own.add_argument(f"--{option}", dest=_dest(option), help=what)

    def handle(
        self,
        *args: Any,
        protocol: str,
        file: Path,
        out: Path,
        beside: Path | None,
        split: str,
        fields: list[Any],
        **options: Any,
    ) -> None:
        chooser = registry.get(protocol).chooser
        if chooser is None:
            raise CommandError(f"{protocol} has nothing to choose by.")
        source = source_of(file, protocol=protocol, beside=beside, fields=fields, split=split, config={})
        given = {name: value for name in chooser.options if (value := options[_dest(name)]) is not None}
        try:
            how, choices = chooser.run(source, given)
            found = list(choices)
        except ImportRefused as refused:
            raise CommandError(refused.message) from None
        lines = [choice.line for choice in found if choice.line is not None]
        try:
            with out.open("xb") as target:
                target.writelines(orjson.dumps(line) + b"\n" for line in lines)
        except OSError as error:
            raise CommandError(f"{out} can't be written: {error.strerror or error}.") from None
        self._say(found)
        self.stdout.write(str(how))
        self.stdout.write(self.style.SUCCESS(f"Kept {len(lines):,} of {len(found):,} in {out}."))

    def _say(self, choices: list[ChosenMaterial]) -> None:
        names = list(dict.fromkeys(name for choice in choices for name in choice.figures))
        titles = "".join(f" {name:>{_width(name)}}" for name in names)
        self.stdout.write(f"{'item':{NAME}} {'outcome':{OUTCOME}}{titles}  why")
        for choice in choices:
            figures = "".join(f" {choice.figures.get(name, '-'):>{_width(name)}}" for name in names)
            outcome = "kept" if choice.kept else "dropped"
            self.stdout.write(f"{choice.name[:NAME]:{NAME}} {outcome:{OUTCOME}}{figures}  {choice.why}")


def _width(name: str) -> int:
    return max(len(name), 6)


def _dest(option: str) -> str:
    return f"option_{option}"
