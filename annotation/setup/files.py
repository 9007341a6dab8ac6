"""A set-up as a YAML file: written so that people can read it, and read so that every mistake is named by its line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import yaml

from annotation.i18n import _
from annotation.setup.schema import Setup, SetupRefused, Wrong, checked_values

LARGEST = 512 * 1024
"""Bytes."""
DEEPEST = 20
"""Levels of groups within groups."""
MAP, SEQUENCE, TEXT = (f"tag:yaml.org,2002:{name}" for name in ("map", "seq", "str"))
PLAIN = {f"tag:yaml.org,2002:{name}" for name in ("int", "float", "bool", "null")}
"""Values that are not texts; all others, a date for example, are read as the text that they are."""


_Reader: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""Ten times as fast with libyaml, which the packages of PyYAML bring."""


class _Writer(yaml.SafeDumper):
    """Texts of several lines as blocks."""


def _text(writer: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return writer.represent_scalar(TEXT, text, style="|" if "\n" in text else None)


_Writer.add_representer(str, _text)


def write(setup: Setup, *, heading: str = "") -> str:
    """The file; `heading` is a comment above it."""
    data = {name: value for name, value in setup.model_dump(mode="json").items() if value != ""}
    data |= data.pop("sections")
    comment = "".join(f"# {line}\n" for line in heading.splitlines())
    return comment + yaml.dump(data, Dumper=_Writer, sort_keys=False, allow_unicode=True, width=120)


def read(data: bytes) -> Setup:
    """The set-up in a file; SetupRefused with each place and its line."""
    found, lines = parsed(data)
    if not isinstance(found, dict):
        raise _refused(_("This is no set-up of a project."))
    try:
        return checked_values(found)
    except SetupRefused as refused:
        raise SetupRefused(with_lines(refused.wrong, lines)) from None


def parsed(data: bytes) -> tuple[Any, dict[str, int]]:
    """The value that a file of YAML has, and the line of each place in it; SetupRefused for what can't be read."""
    lines: dict[str, int] = {}
    if len(data) > LARGEST:
        raise _refused(_("The file is too large: 512 kB at most."))
    try:
        text = data.decode("utf-8-sig")
        _look_through(text)
        loader = _Reader(text)
        root = loader.get_single_node()
        found = _value(root, (), lines, loader) if root is not None else None
    except UnicodeDecodeError:
        raise _refused(_("This is no text in UTF-8.")) from None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise _refused(_("This is no YAML."), line=line) from None
    except (yaml.YAMLError, ValueError):
        raise _refused(_("This is no YAML.")) from None
    return found, lines


def with_lines(wrong: Iterable[Wrong], lines: Mapping[str, int]) -> list[Wrong]:
    """The same with the line of each place, by what `parsed` said."""
    return [replace(each, line=_line_of(each.place, lines)) for each in wrong]


def _look_through(text: str) -> None:
    """Refuse what would take long or have no end, before anything is built from it."""
    depth = 0
    for event in yaml.parse(text, Loader=_Reader):
        line = event.start_mark.line + 1 if event.start_mark else None
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            raise _refused(_("Its groups are nested too deeply."), line=line)
        if isinstance(event, yaml.AliasEvent):
            raise _refused(_("Anchors and aliases (& and *) are not read."), line=line)


def _value(node: yaml.Node, path: tuple[str, ...], lines: dict[str, int], loader: yaml.SafeLoader) -> Any:
    if path:
        lines.setdefault(".".join(path), node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode) and node.tag == MAP:
        return _group(node, path, lines, loader)
    if isinstance(node, yaml.SequenceNode) and node.tag == SEQUENCE:
        return [_value(each, (*path, str(n)), lines, loader) for n, each in enumerate(node.value)]
    if isinstance(node, yaml.ScalarNode):
        return loader.construct_object(node) if node.tag in PLAIN else node.value
    raise _refused(_("This can’t be read."), ".".join(path), line=node.start_mark.line + 1)


def _group(node: yaml.MappingNode, path: tuple[str, ...], lines: dict[str, int], loader: yaml.SafeLoader) -> Any:
    found: dict[str, Any] = {}
    for key, value in node.value:
        line = key.start_mark.line + 1
        if not isinstance(key, yaml.ScalarNode):
            raise _refused(_("A field needs a name."), ".".join(path), line=line)
        place = (*path, key.value)
        if key.value in found:
            raise _refused(_("This field is there twice."), ".".join(place), line=line)
        lines[".".join(place)] = line
        found[key.value] = _value(value, place, lines, loader)
    return found


def _line_of(place: str, lines: Mapping[str, int]) -> int | None:
    """Of the place, or of the nearest group around it that the file has."""
    while place and place not in lines:
        place = place.rpartition(".")[0]
    return lines.get(place)


def _refused(message: str, place: str = "", *, line: int | None = None) -> SetupRefused:
    return SetupRefused([Wrong(place, message, line)])
