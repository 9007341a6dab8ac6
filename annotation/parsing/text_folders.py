"""A folder of text files as an import source: it reads like a JSON Lines file that names each of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import orjson

from annotation.errors import ImportRefused
from annotation.parsing.sources import FileSource

SUFFIX = ".txt"


@dataclass(frozen=True)
class TextFolder(FileSource):
    """The .txt files of a folder and of those in it, in the order of their paths; hidden ones are left out.

    Each is a line with `file`, its path in the folder, `id`, the same without .txt, and `fields`, which are the same
    for all.
    """

    fields: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The folder's name, with a slash at its end."""
        return f"{self.path.resolve().name}/"

    @cached_property
    def _files(self) -> list[str]:
        """The paths in the folder; ImportRefused for one that is not UTF-8."""
        found = sorted(path.relative_to(self.path) for path in self.path.rglob(f"*{SUFFIX}") if path.is_file())
        names = [path.as_posix() for path in found if not any(part.startswith(".") for part in path.parts)]
        for name in names:
            if not name.isascii() and name.encode(errors="ignore").decode() != name:
                raise ImportRefused(f"{self.name} has a file whose name is not UTF-8: {name!a}.")
        return names

    def sha256(self) -> str:
        """The sha-256 of what is said of all files, of their paths, and of their bytes."""
        said = orjson.dumps([self.split, dict(self.fields)], option=orjson.OPT_SORT_KEYS)
        digest = hashlib.sha256(said)
        for name in self._files:
            with (self.path / name).open("rb") as file:
                digest.update(hashlib.sha256(name.encode()).digest() + hashlib.file_digest(file, "sha256").digest())
        return digest.hexdigest()

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """A line for each file, numbered from 1."""
        for number, name in enumerate(self._files, start=1):
            yield number, orjson.dumps({**self.fields, "id": name.removesuffix(SUFFIX), "file": name})

    def resource(self, path: str) -> bytes:
        """A file of the folder."""
        try:
            return self._from_folder(self.path, path)
        except OSError as error:
            raise LookupError(f"{path} can't be read: {error.strerror or error}.") from None
