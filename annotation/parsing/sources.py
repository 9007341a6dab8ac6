"""Import sources on disk: plain or gzipped JSON Lines, the files they name, and the kinds of files that are refused."""

from __future__ import annotations

import codecs
import gzip
import hashlib
import io
import os
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from annotation.errors import ImportRefused

MAX_LINE = 64 * 1024 * 1024
"""Bytes of a line; longer ones are refused (a 4 MB page with its tokens takes about 20 MB)."""
MAX_RESOURCE = 16 * 1024 * 1024
"""Bytes of one page beside the file or in the zip."""
MAX_WHOLE = 128 * 1024 * 1024
"""Bytes of a file that is one JSON object; decoding it whole takes several times that in memory."""
MAX_PASSED_OVER = 512 * 1024 * 1024
"""Bytes of a line that is read to its end, though it is refused; after that the file is refused."""
MAX_COMPRESSION_RATIO = 100
"""Guards against zip bombs: the ratio is 10 to 20 for a page and 1 for an image."""
RATIO_CHECKED_ABOVE = 1024 * 1024
"""Bytes; smaller files may be compressed further."""
MAX_EMPTY = 1_000_000
"""Blank lines of a file: a few compressed bytes can stand for millions of them."""
TOO_LONG = b"\x00too long"
"""What `lines` yields for a line above MAX_LINE: it isn't JSON, so the reader refuses it."""


class TooLarge(LookupError):
    """The file exists but is over the size limit, as opposed to missing."""


class _Bounded(io.BufferedReader):
    """A zip file whose central directory, which zipfile reads with one call, may not be larger than MAX_RESOURCE."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > MAX_RESOURCE + 1:
            raise zipfile.BadZipFile(f"its central directory is over {MAX_RESOURCE // 2**20} MB. Make several zips.")
        return super().read(size)


@dataclass(frozen=True)
class FileSource:
    """One file to import. `beside` is the folder or zip with the files that lines name.

    Files that are not there are looked for in the import file's own folder. `config` is the project's configuration.
    """

    path: Path
    published: bool = False
    split: str = ""
    beside: Path | None = None
    config: Mapping[str, Any] = field(default_factory=dict)
    _archives: dict[int, zipfile.ZipFile | None] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def name(self) -> str:
        """The file's name, from which the split of a published file is read."""
        return self.path.name

    def sha256(self) -> str:
        """The sha-256 of the bytes on disk, the zip's included, and of the requested split."""
        digest = hashlib.sha256(self.split.encode())
        for path in filter(None, (self.path, self._zip)):
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        return digest.hexdigest()

    @property
    def _zip(self) -> Path | None:
        return None if self.beside is None or self.beside.is_dir() else self.beside

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Lines numbered from 1, split at newline bytes only (texts contain other separators), without blank lines."""
        opener = gzip.open if self.path.suffix == ".gz" else open
        try:
            with opener(self.path, "rb") as file:
                self._refuse_binary(file)
                number = empty = 0
                while line := file.readline(MAX_LINE + 1):
                    number += 1
                    if len(line) > MAX_LINE:
                        self._pass_over(file, number)
                        yield number, TOO_LONG
                    elif line.strip():
                        yield number, line.rstrip(b"\r\n")
                    elif (empty := empty + 1) > MAX_EMPTY:
                        raise ImportRefused(f"{self.name} has more than {MAX_EMPTY:,} blank lines.")
        except (OSError, EOFError, zlib.error) as error:
            raise ImportRefused(f"{self.name} can't be read: {error}") from None

    def _refuse_binary(self, file: io.BufferedIOBase) -> None:
        """Look at the beginning of a file that has just been opened."""
        refuse_binary(self.name, file.read(BEGINNING))
        file.seek(0)

    def _pass_over(self, file: io.BufferedIOBase, number: int) -> None:
        """Skip the rest of a line that is too long; ImportRefused above MAX_PASSED_OVER (a decompression bomb)."""
        for _ in range(MAX_PASSED_OVER // MAX_LINE):
            if file.readline(MAX_LINE)[-1:] in (b"", b"\n"):
                return
        raise ImportRefused(f"{self.name}: line {number:,} is over {MAX_PASSED_OVER // 2**20} MB.")

    def whole(self) -> bytes:
        """All bytes of a file that is one JSON object; ImportRefused above MAX_WHOLE, or for a decompression bomb."""
        packed, most = self.path.suffix == ".gz", MAX_WHOLE
        try:
            if packed:
                most = min(most, max(RATIO_CHECKED_ABOVE, MAX_COMPRESSION_RATIO * self.path.stat().st_size))
            with (gzip.open if packed else open)(self.path, "rb") as file:
                self._refuse_binary(file)
                data = file.read(most + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise ImportRefused(f"{self.name} can't be read: {error}") from None
        if len(data) > MAX_WHOLE:
            raise ImportRefused(f"{self.name} is over {MAX_WHOLE // 2**20} MB. Divide it into several files.")
        if len(data) > most:
            raise ImportRefused(f"{self.name} is compressed to less than a hundredth of its size.")
        return data

    def resource(self, path: str) -> bytes:
        """The file that a line names; never one outside the folder or zip. Raises LookupError (`TooLarge`)."""
        relative = PurePosixPath(path)
        if relative.is_absolute() or ".." in relative.parts or "\\" in path or "\x00" in path:
            raise LookupError(f"{path} points outside the folder.")
        try:
            if self._archive is not None and path in self._archive.NameToInfo:
                return self._from_zip(self._archive, self._archive.getinfo(path))
            if self.beside is not None and self._archive is None and (self.beside / path).exists():
                return self._from_folder(self.beside, path)
            return self._from_folder(self.path.parent, path)
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            raise LookupError(f"There is no file {path}.") from None
        # zipfile raises all of these for broken, encrypted or oddly compressed entries.
        except (OSError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
            raise LookupError(f"{path} can't be read: {error}") from None

    @staticmethod
    def _from_folder(folder: Path, path: str) -> bytes:
        folder = folder.resolve()
        found = (folder / path).resolve()
        if not found.is_relative_to(folder):
            raise LookupError(f"{path} points outside the folder.")
        if not found.is_file():  # reading a pipe would never end
            raise FileNotFoundError
        if found.stat().st_size > MAX_RESOURCE:
            raise TooLarge(f"{path} is over {MAX_RESOURCE // 2**20} MB.")
        return found.read_bytes()

    @property
    def _archive(self) -> zipfile.ZipFile | None:
        """The zip, if any, opened once: its central directory can have thousands of entries.

        Once in each process, since a forked one would share the position in the file.
        """
        if os.getpid() not in self._archives:
            self._archives[os.getpid()] = self._opened()
        return self._archives[os.getpid()]

    def _opened(self) -> zipfile.ZipFile | None:
        if self._zip is None:
            return None
        try:
            return zipfile.ZipFile(_Bounded(open(self._zip, "rb", buffering=0)))
        except (OSError, zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError) as error:
            raise ImportRefused(f"{self._zip.name} can't be read as a zip: {error}") from None

    @staticmethod
    def _from_zip(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
        path = entry.filename
        if entry.file_size > max(RATIO_CHECKED_ABOVE, MAX_COMPRESSION_RATIO * entry.compress_size):
            raise TooLarge(f"{path} is compressed to less than a hundredth of its size.")
        with archive.open(entry) as file:
            data = file.read(MAX_RESOURCE + 1)
        if len(data) > MAX_RESOURCE:
            raise TooLarge(f"{path} is over {MAX_RESOURCE // 2**20} MB.")
        return data


BEGINNING = 64 * 1024
"""Bytes that are looked at."""
_KNOWN = {
    b"PK\x03\x04": "a zip archive",
    b"PK\x05\x06": "a zip archive",
    b"\x1f\x8b": "packed with gzip, although its name does not end in .gz",
    b"%PDF-": "a PDF document",
    codecs.BOM_UTF16_LE: "text in UTF-16",
    codecs.BOM_UTF16_BE: "text in UTF-16",
}
"""What files that begin with these bytes are, in the words of a refusal."""
_CONTROL = re.compile(rb"[\x01-\x08\x0e-\x1f\x7f]")


def refuse_binary(name: str, beginning: bytes) -> None:
    """Raise ImportRefused, which says what the file is, if its beginning is no text.

    Text is what has no NUL byte and is UTF-8, or at least has no control characters: a text in another encoding is
    refused line by line, where it is not ASCII.
    """
    known = next((words for start, words in _KNOWN.items() if beginning.startswith(start)), "")
    if known or b"\x00" in beginning or (_CONTROL.search(beginning) and not _is_utf_8(beginning)):
        what = known or "not a text file"
        raise ImportRefused(f"{name} is {what}, so nothing of it was read. Give a text file in UTF-8.")


def _is_utf_8(beginning: bytes) -> bool:
    """Whether the bytes are UTF-8; a character may be cut off at the end."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(beginning)
    except UnicodeDecodeError:
        return False
    return True
