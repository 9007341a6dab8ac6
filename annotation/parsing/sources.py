"""Import sources on disk: a file of records, plain, gzipped or in a zip, and the files that its records name."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import stat
import zipfile
import zlib
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Any, cast

import orjson

from annotation.errors import ImportRefused
from annotation.parsing.forms import BEGINNING, Form, array_lines, form_of, table_lines, table_rows

if TYPE_CHECKING:
    from annotation.exchange.options import ExportOptions

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


RECORDS = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".tab")
"""Endings of the files in a zip that may be the one with the records; they may be gzipped, too."""
_GZIP, _ZIPS = b"\x1f\x8b", (b"PK\x03\x04", b"PK\x05\x06")
"""How packed files begin, whatever their names say."""


LINK = "%s is a symbolic link, so its text is not in the zip: pack the file that it leads to."


def is_link(entry: zipfile.ZipInfo) -> bool:
    """Whether what is packed is a symbolic link: its data is then the path that it leads to."""
    return stat.S_ISLNK(entry.external_attr >> 16)


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

    Files that are not there are looked for in the import file's own folder. A zip with one file of records is read as
    that file, and is the zip with the files that its lines name. `config` is the project's configuration. `export`: how
    it is read, if another tool has exported it.
    """

    path: Path
    published: bool = False
    split: str = ""
    beside: Path | None = None
    config: Mapping[str, Any] = field(default_factory=dict)
    export: ExportOptions | None = None
    _archives: dict[int, zipfile.ZipFile | None] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def name(self) -> str:
        """The file's name, from which the split of a published file is read."""
        return self._inside.rpartition("/")[2] or self.path.name

    def sha256(self) -> str:
        """The sha-256 of the bytes on disk, the zip's included, of the requested split, and of how it is read."""
        digest = hashlib.sha256(self.split.encode() + self.how_exported)
        for path in filter(None, (self.path, self._zip)):
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        return digest.hexdigest()

    @property
    def how_exported(self) -> bytes:
        """What a lead says of an export, in bytes to be hashed; none for other files."""
        return b"" if self.export is None else orjson.dumps(self.export.as_json())

    @property
    def _zip(self) -> Path | None:
        if self.beside is not None:
            return None if self.beside.is_dir() else self.beside
        return self.path if self._inside else None

    @cached_property
    def _inside(self) -> str:
        """The path of the file of records in the zip that the file is; "" if it is none."""
        with self.path.open("rb") as file:
            if not file.read(4).startswith(_ZIPS):
                return ""
        names = [name for name in self._listed() if not name.endswith("/") and not name.startswith("__MACOSX/")]
        if "[Content_Types].xml" in names:
            raise ImportRefused(
                f"{self.path.name} is a workbook or a document, of which nothing was read. Save its sheet as CSV in"
                " UTF-8."
            )
        found = [name for name in names if name.lower().removesuffix(".gz").endswith(RECORDS)]
        if len(found) != 1:
            what = (
                f"{len(found)} files with records: {', '.join(sorted(found)[:3])}" if found else "no file with records"
            )
            raise ImportRefused(
                f"{self.path.name} is a zip with {what}. Give a zip with one such file ({', '.join(RECORDS)}), or the"
                " file itself."
            )
        with _zip_file(self.path) as archive:
            if is_link(archive.getinfo(found[0])):
                raise ImportRefused(LINK % found[0])
        return found[0]

    def _listed(self) -> list[str]:
        with _zip_file(self.path) as archive:
            return archive.namelist()

    @contextmanager
    def _opened_file(self) -> Iterator[IO[bytes]]:
        """The bytes of the file of records, unpacked; ImportRefused if they can't be read."""
        with ExitStack() as stack:
            try:
                file: IO[bytes] = stack.enter_context(self.path.open("rb"))
                if self._inside:
                    file = stack.enter_context(stack.enter_context(_zip_file(self.path)).open(self._inside))
                if file.read(2) == _GZIP:
                    file.seek(0)
                    file = cast(IO[bytes], stack.enter_context(gzip.open(file)))
                file.seek(0)
                yield file
            except (OSError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
                raise ImportRefused(f"{self.name} can't be read: {error}") from None

    @property
    def is_packed(self) -> bool:
        """Whether the file is gzipped or a zip."""
        with self.path.open("rb") as file:
            return file.read(4).startswith((_GZIP, *_ZIPS))

    @cached_property
    def form(self) -> Form:
        """How its records are written; ImportRefused if it is no text."""
        with self._opened_file() as file:
            return form_of(self.name, file.read(BEGINNING))

    @property
    def read_as(self) -> str:
        """How the file is read, in a sentence; "" for JSON Lines and for one JSON object."""
        found = f"Read {self._inside} in the zip. " if self._inside else ""
        if self.export is not None:
            found += self.export.read_as
        elif self.form.is_table:
            found += "Read as a table: its first row names the columns, and every other row is a record."
        elif self.form is Form.ARRAY:
            found += "Read as an array of JSON: every element is a record."
        return found.strip()

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Lines numbered from 1, split at newline bytes only (texts contain other separators), without blank lines.

        Of an array or a table: a line of JSON for each element or row.
        """
        if self.form is Form.ARRAY:
            yield from array_lines(self.name, self.whole())
            return
        with self._opened_file() as file:
            if self.form.is_table:
                yield from table_lines(self.name, file, self.form)
                return
            number = empty = 0
            while line := file.readline(MAX_LINE + 1):
                number += 1
                line = line.removeprefix(BOM_UTF8) if number == 1 else line
                if len(line) > MAX_LINE:
                    self._pass_over(file, number)
                    yield number, TOO_LONG
                elif line.strip():
                    yield number, line.rstrip(b"\r\n")
                elif (empty := empty + 1) > MAX_EMPTY:
                    raise ImportRefused(f"{self.name} has more than {MAX_EMPTY:,} blank lines.")

    def records(self) -> Iterator[tuple[int, bytes]]:
        """The same."""
        return self.lines()

    def rows(self) -> Iterator[tuple[int, bytes]]:
        """Of a table: each row as it is written, the one with the names of the columns too, numbered from 1."""
        with self._opened_file() as file:
            for number, raw, _cells in table_rows(self.name, file, self.form):
                yield number, raw.encode()

    def _pass_over(self, file: IO[bytes], number: int) -> None:
        """Skip the rest of a line that is too long; ImportRefused above MAX_PASSED_OVER (a decompression bomb)."""
        for _ in range(MAX_PASSED_OVER // MAX_LINE):
            if file.readline(MAX_LINE)[-1:] in (b"", b"\n"):
                return
        raise ImportRefused(f"{self.name}: line {number:,} is over {MAX_PASSED_OVER // 2**20} MB.")

    def whole(self) -> bytes:
        """All bytes of a file that is one JSON document; ImportRefused above MAX_WHOLE, or for a decompression bomb."""
        if self.form.is_table:
            raise ImportRefused(f"{self.name} is a table, and what is imported here is JSON.")
        most = min(MAX_WHOLE, max(RATIO_CHECKED_ABOVE, MAX_COMPRESSION_RATIO * self.path.stat().st_size))
        with self._opened_file() as file:
            data = file.read(most + 1).removeprefix(BOM_UTF8)
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
        return None if self._zip is None else _zip_file(self._zip)

    @staticmethod
    def _from_zip(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
        path = entry.filename
        if is_link(entry):
            raise LookupError(LINK % path)
        if entry.file_size > max(RATIO_CHECKED_ABOVE, MAX_COMPRESSION_RATIO * entry.compress_size):
            raise TooLarge(f"{path} is compressed to less than a hundredth of its size.")
        with archive.open(entry) as file:
            data = file.read(MAX_RESOURCE + 1)
        if len(data) > MAX_RESOURCE:
            raise TooLarge(f"{path} is over {MAX_RESOURCE // 2**20} MB.")
        return data


def _zip_file(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(_Bounded(open(path, "rb", buffering=0)))
    except (OSError, zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError) as error:
        raise ImportRefused(f"{path.name} can't be read as a zip: {error}") from None
