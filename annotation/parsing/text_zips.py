"""A folder or a zip of text files as an import source: it reads like a JSON Lines file that names each of them."""

from __future__ import annotations

import hashlib
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath

import orjson

from annotation.errors import ImportRefused
from annotation.parsing.forms import Form
from annotation.parsing.sources import LINK, MAX_COMPRESSION_RATIO, RATIO_CHECKED_ABOVE, FileSource, is_link

SUFFIX = ".txt"
SPLITS = ("train", "dev", "test")
"""Folders of these names say which split their texts are."""
MOST = 4 * 2**30
"""Bytes of all texts together, unpacked."""
UTF_8 = 0x800
"""The flag of an entry whose name is UTF-8; without it, it may be anything."""
DRIVE = re.compile(r"[A-Za-z]:")


@dataclass(frozen=True)
class TextZip(FileSource):
    """The .txt files of a zip, in the order of their paths; hidden ones, and those that macOS adds, are left out.

    Each is a line with `file`, its path in the zip, `id`, the same without .txt, and `fields`, which are the same for
    all. What these don't say is read from the folders: train, dev or test is the `split`, and the last other folder
    the `domain`. A file whose name can't be used has a line too, so that it is refused where it is read.
    `suffix`: how the names of the files end, if they are others than .txt.
    """

    fields: Mapping[str, str] = field(default_factory=dict)
    suffix: str = SUFFIX

    form = Form.LINES

    @property
    def read_as(self) -> str:
        """How an export of another tool is read; "" for a zip of texts."""
        return "" if self.export is None else self.export.read_as

    @property
    def name(self) -> str:
        """The name of the zip without .zip, with a slash at its end as a folder of texts has it."""
        return f"{self.path.stem}/"

    @property
    def _zip(self) -> Path:
        return self.path

    def sha256(self) -> str:
        """The sha-256 of what is said of all files, and of the bytes of the zip."""
        digest = hashlib.sha256(orjson.dumps([self.split, dict(self.fields)], option=orjson.OPT_SORT_KEYS))
        digest.update(self.how_exported)
        with self.path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
        return digest.hexdigest()

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """A line for each file, numbered from 1."""
        for number, name in self.paths():
            said = {**_from_folders(name, split=not self.split), **self.fields}
            yield number, orjson.dumps({**said, "id": name[: -len(self.suffix)], "file": name})

    def paths(self) -> Iterator[tuple[int, str]]:
        """The path in the zip of each file, numbered from 1."""
        for number, (name, _entry) in enumerate(self._texts, start=1):
            yield number, name

    def resource(self, path: str) -> bytes:
        """A text of the zip. Raises LookupError (`TooLarge`), also for a name that can't be used."""
        entry = self._by_name.get(path)
        if entry is None:
            raise LookupError(f"There is no file {path}.")
        if problem := self._problem(entry, path):
            raise LookupError(problem)
        try:
            return self._from_zip(self._opened_here, entry)
        except (OSError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
            raise LookupError(f"{path} can't be read: {error}") from None

    @property
    def _opened_here(self) -> zipfile.ZipFile:
        archive = self._archive
        assert archive is not None  # there is a zip: `_zip` says so
        return archive

    @cached_property
    def _texts(self) -> list[tuple[str, zipfile.ZipInfo]]:
        """The texts by name. ImportRefused if there are too many bytes of them for the size of the zip (a bomb)."""
        found = [(_name(entry), entry) for entry in self._opened_here.infolist() if not entry.is_dir()]
        texts = sorted(
            (row for row in found if _is_text(row[0], self.suffix)), key=lambda row: (row[0], row[1].header_offset)
        )
        unpacked = sum(entry.file_size for _name, entry in texts)
        if unpacked > max(RATIO_CHECKED_ABOVE, MAX_COMPRESSION_RATIO * self.path.stat().st_size):
            raise ImportRefused(f"{self.path.name} is compressed to less than a hundredth of its size.")
        if unpacked > MOST:
            raise ImportRefused(f"The texts of {self.path.name} are over {MOST // 2**30} GB. Make several zips.")
        return texts

    @cached_property
    def _by_name(self) -> dict[str, zipfile.ZipInfo]:
        return dict(self._texts)

    @cached_property
    def _counts(self) -> Counter[str]:
        return Counter(name for name, _entry in self._texts)

    def _problem(self, entry: zipfile.ZipInfo, name: str) -> str:
        """Why the file can't be taken by its name; "" if it can."""
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or "\\" in name or DRIVE.match(name):
            return f"{name} points outside the zip."
        if is_link(entry):
            return LINK % name
        if "\x00" in entry.orig_filename:
            return f"The name of {name} contains a NUL character."
        if not entry.flag_bits & UTF_8 and not _is_utf_8(entry.orig_filename):
            return f"The name of {name} is not UTF-8: pack the zip anew, with UTF-8 names."
        return f"{name} is in the zip {self._counts[name]} times." if self._counts[name] > 1 else ""


def names_in_zip(path: Path) -> list[str]:
    """The paths in a zip; none for a file that is no zip or can't be read."""
    try:
        with zipfile.ZipFile(path) as archive:
            return archive.namelist()
    except (OSError, zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError):
        return []


def has_texts(path: Path) -> bool:
    """Whether a file is a zip with .txt files; also if it can't be read, which TextZip then says."""
    if not zipfile.is_zipfile(path):
        return path.suffix == ".zip"
    try:
        with zipfile.ZipFile(path) as archive:
            return any(map(_is_text, archive.namelist()))
    except (OSError, zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError):
        return True


def _from_folders(name: str, *, split: bool) -> dict[str, str]:
    """What the folders of a file say."""
    folders = PurePosixPath(name).parts[:-1]
    splits = [each for each in folders if each in SPLITS]
    domains = [each for each in folders if each not in SPLITS]
    return ({"split": splits[-1]} if splits and split else {}) | ({"domain": domains[-1]} if domains else {})


def _name(entry: zipfile.ZipInfo) -> str:
    """Its name; of one without the flag, in UTF-8 if it is that (as macOS packs), or else as DOS had it."""
    name = entry.orig_filename
    return name if entry.flag_bits & UTF_8 or not _is_utf_8(name) else _bytes(name).decode()


def _bytes(name: str) -> bytes:
    """The bytes of a name without the flag, which zipfile has read as code page 437."""
    return name.encode("cp437")


def _is_utf_8(name: str) -> bool:
    try:
        _bytes(name).decode()
    except UnicodeError:
        return False
    return True


def _is_text(name: str, suffix: str = SUFFIX) -> bool:
    parts = PurePosixPath(name.replace("\\", "/")).parts
    hidden = any(part == "__MACOSX" or (part.startswith(".") and part != "..") for part in parts)
    return name.endswith(suffix) and not hidden


@dataclass(frozen=True)
class TextFolder(FileSource):
    """The .txt files of a folder and of those in it, in the order of their paths; hidden ones are left out.

    Each is a line with `file`, its path in the folder, `id`, the same without .txt, and `fields`, which are the same
    for all.
    """

    fields: Mapping[str, str] = field(default_factory=dict)

    form = Form.LINES
    read_as = ""

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
