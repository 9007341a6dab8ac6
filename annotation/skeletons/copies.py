"""Copy a skeleton under the name of a new protocol: its package, and its examples, screens modules and tests."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

SKELETONS = Path(__file__).parent
CHECKOUT = SKELETONS.parents[1]
LISTED = '    "annotation.protocols.{key}",\n'
"""The line of a protocol in the settings."""
_LAST_LISTED = re.compile(r'(    "annotation\.protocols\.\w+",\n)(?!    "annotation\.protocols\.)')


@dataclass(frozen=True)
class NewProtocol:
    """A protocol to be made: its key, its title, the skeleton (`one` or `pair`), and the folder of its package.

    In `annotation/protocols` of this checkout it is a protocol of Goldfinch; anywhere else a package of its own.
    """

    key: str
    title: str
    skeleton: str
    into: Path

    @property
    def is_ours(self) -> bool:
        """Whether it becomes a part of this checkout."""
        return self.into.resolve() == CHECKOUT / "annotation" / "protocols"

    @property
    def module(self) -> str:
        """The name by which Python imports it."""
        return f"annotation.protocols.{self.key}" if self.is_ours else self.key

    @property
    def tests(self) -> Path:
        """The folder for its examples, screens modules and tests."""
        return (CHECKOUT if self.is_ours else self.into) / "tests" / "protocols" / self.key

    def write(self) -> list[Path]:
        """Write all files and return them; FileExistsError if a folder is there already."""
        pairs = ((SKELETONS / self.skeleton, self.into / self.key), (_tests_of(self.skeleton), self.tests))
        for _source, target in pairs:
            if target.exists():
                raise FileExistsError(target)
        return [path for source, target in pairs for path in self._copied(source, target)]

    def list_in_settings(self) -> None:
        """Add its line to the settings of this checkout, after those of the others."""
        path = CHECKOUT / "frontend" / "settings.py"
        text = path.read_text(encoding="utf-8")
        line = LISTED.format(key=self.key)
        path.write_text(_LAST_LISTED.sub(lambda found: found[1] + line, text, count=1), encoding="utf-8")

    def _copied(self, source: Path, target: Path) -> list[Path]:
        made = []
        for path in sorted(source.rglob("*")):
            if path.is_dir() or "__pycache__" in path.parts:
                continue
            copy = target / self._renamed(path.relative_to(source).as_posix())
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(self._renamed(path.read_text(encoding="utf-8")), encoding="utf-8")
            made.append(copy)
        return made

    def _renamed(self, text: str) -> str:
        old = f"skeleton_{self.skeleton}"
        words = {
            f"annotation.skeletons.{self.skeleton}": self.module,
            _class_name(old): _class_name(self.key),
            f"Skeleton {self.skeleton}": self.title,
            old.replace("_", "-"): self.key.replace("_", "-"),
            old: self.key,
        }
        return re.sub("|".join(map(re.escape, words)), lambda found: words[found[0]], text)


def _tests_of(skeleton: str) -> Path:
    return CHECKOUT / "tests" / "skeletons" / skeleton


def _class_name(key: str) -> str:
    return "".join(part.capitalize() for part in key.split("_"))
