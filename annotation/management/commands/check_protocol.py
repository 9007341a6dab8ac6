"""check_protocol KEY: bots work through a protocol's items in memory, and every cause of what is wrong is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
from django.core.management.base import CommandError, CommandParser

from annotation import registry
from annotation.checking.findings import PIECES, ProtocolCheck
from annotation.management.base import QuickCommand


class Command(QuickCommand):
    """Exits with an error if anything was found."""

    help = "Check a protocol while you write it: forms, sheets, what they hide, comparing, releases."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("protocol", choices=[one.key for one in registry.all_protocols()], metavar="KEY")
        parser.add_argument(
            "--examples", type=Path, help="a folder with items.jsonl, sentinels.json and, if it hides, other.jsonl"
        )

    def handle(self, *args: Any, protocol: str, examples: Path | None, **options: Any) -> None:
        check = _check_of(protocol, examples)
        found = check.findings()
        for cause in found:
            self.stdout.write(f"- {cause}")
        if found:
            raise CommandError(f"{len(found)} causes were found in {protocol}.")
        words = len(check.words)
        self.stdout.write(
            f"{protocol}: {PIECES} pieces of work for each activity, {words} hidden words, nothing found."
        )


def _check_of(key: str, examples: Path | None) -> ProtocolCheck:
    protocol = registry.get(key)
    if examples is None:
        if protocol.demo is None:
            raise CommandError(f"{key} has no demo: name a folder with --examples.")
        return ProtocolCheck(protocol, protocol.demo.items)
    items, words, other = (examples / name for name in ("items.jsonl", "sentinels.json", "other.jsonl"))
    if not items.is_file():
        raise CommandError(f"There is no {items.name} in {examples}.")
    rules = orjson.loads(words.read_bytes()) if words.is_file() else {}
    return ProtocolCheck(protocol, items, rules, other if other.is_file() else None)
