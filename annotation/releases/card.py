"""The data card of a release: Markdown with a YAML head, written from its manifest alone, so always the same."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from annotation.releases import recipes
from annotation.releases.card_texts import (
    Manifest,
    authors_of,
    cited_rounds,
    languages_of,
    markdown_table,
    plain,
    texts_of,
    tidied,
    written_by_leads,
)
from annotation.statistics.estimates import Estimate

NAME = "README.md"
STATISTICS = {
    "alpha": "Krippendorff's alpha",
    "alpha_jaccard": "Krippendorff's alpha, sets by Jaccard",
    "mean": "mean similarity of two annotations",
}
HOW = {
    True: "a BCa bootstrap over items. n: items; turns of one conversation are one",
    False: "a bootstrap over items",
}
"""By whether the numbers say how many items differ: an older release keeps the card that it was frozen with."""
PURPOSES = {"check": "hidden checks", "quiz": "exams", "study": "studies", "reference": "references of experts"}
LICENCES = {"CC0": "cc0-1.0", "PUBLIC DOMAIN": "cc0-1.0"}
"""Licences without a version, as the hub calls them."""
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
LATEX = {each: f"\\{each}" for each in "&%$#_"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}
"""What LaTeX prints of characters that it would read otherwise."""
_CC = re.compile(r"CC[ -](BY(?:-(?:SA|NC|ND))*)[ -](\d\.\d)", re.IGNORECASE)


def text(manifest: Manifest) -> str:
    """The whole card."""
    parts = [_head(manifest), _title(manifest), *_sections(manifest)]
    return "\n".join(parts).rstrip() + "\n"


def hub_splits(splits: Iterable[str]) -> dict[str, str]:
    """The names of splits as the Hugging Face libraries take them: of letters, digits and _, and not their keyword all.

    Those that would then be the same, or that keyword, get underscores at the end.
    """
    names: dict[str, str] = {}
    for split in splits:
        name = re.sub(r"\W", "_", split)
        while name in ("", "all", *names.values()):
            name += "_"
        names[split] = name
    return names


def _head(manifest: Manifest) -> str:
    """The YAML front matter; its texts are quoted as in JSON, which YAML contains."""
    about = manifest["measured"]
    lines = [f"pretty_name: {json.dumps(about['title'])}", *_head_licence(manifest)]
    if languages := languages_of(manifest):
        lines += ["language:", *(f"- {json.dumps(each)}" for each in languages)]
    lines += ["task_categories:", f"- {about['task']}"] if about["task"] else []
    lines += ["size_categories:", f"- {_size(manifest)}"]
    lines += ["tags:", "- goldfinch", f"- {manifest['protocol']}"]
    if manifest["recipe"]["format"] == recipes.HUGGING_FACE:
        lines += ["configs:", "- config_name: default", "  data_files:"]
        names = hub_splits(entry["split"] for entry in manifest["files"])
        for entry in manifest["files"]:  # none is without rows: `datasets` would refuse all of them
            lines += [f"  - split: {json.dumps(names[entry['split']])}", f"    path: {json.dumps(entry['name'])}"]
    return "\n".join(["---", *lines, "---", ""])


def _head_licence(manifest: Manifest) -> list[str]:
    own = texts_of(manifest).get("licence", "")
    if not own:
        return [f"license: {_hub_licence(manifest['measured']['licences'])}"]
    name = _hub_name(own)
    return [f"license: {name}", *([f"license_name: {json.dumps(own)}"] if name == "other" else [])]


def _hub_licence(licences: dict[str, int]) -> str:
    names = {_hub_name(name) for name in licences}
    return names.pop() if len(names) == 1 else "other"


def _hub_name(licence: str) -> str:
    found = _CC.match(licence.strip())
    if found:
        return f"cc-{found[1].lower()}-{found[2]}"
    return LICENCES.get(licence.strip().upper(), "other")


def _size(manifest: Manifest) -> str:
    items = sum(row["items"] for row in manifest["counts"].values())
    return next((name for below, name in SIZES if items < below), "n>1M")


def _title(manifest: Manifest) -> str:
    about = manifest["measured"]
    return (
        f"# {plain(about['title'])}, release {manifest['version']}\n\n"
        f"Made with Goldfinch under the protocol {plain(about['protocol'])}, and frozen on {about['frozen']}. "
        "Every number on this card was measured when the release was frozen.\n"
    )


def _sections(manifest: Manifest) -> Iterator[str]:
    yield from written_by_leads(manifest, ("description", ""))
    if texts_of(manifest).get("authors"):
        yield "## Authors\n"
        yield "".join(f"- {plain(each)}\n" for each in authors_of(manifest))
    yield "## What is in it\n"
    yield from _contents(manifest)
    yield from _fields(manifest)
    yield "## How it was made\n"
    yield from _making(manifest)
    if manifest["measured"]["agreement"]:
        yield "## How well people agree\n"
        yield from _agreement(manifest["measured"]["agreement"])
    yield from cited_rounds(manifest)
    yield "## What was left out, and why\n"
    yield from _left_out(manifest)
    yield from written_by_leads(manifest, ("intended_use", "Intended use"), ("limits", "Limits"))
    if licence := texts_of(manifest).get("licence"):
        yield f"## Licence of the annotations\n\n{plain(licence)}\n"
    yield "## Licences of the sources\n"
    yield from _licences(manifest["measured"]["licences"])
    yield "## How to cite it\n"
    yield from _citation(manifest)


def _contents(manifest: Manifest) -> Iterator[str]:
    contents = manifest["measured"]["contents"]
    rows = ((split or "–", *_of_split(contents.get(split, []))) for split in manifest["counts"])
    yield from markdown_table(("Split", "Items", "Annotations", "Items by number of annotations"), rows)
    there = {entry["split"] for entry in manifest["files"]}
    for split in manifest["counts"]:
        if split not in there:
            yield f"There is no file of the split {plain(split) or '–'}, since it would have no rows.\n"


def _fields(manifest: Manifest) -> Iterator[str]:
    """The fields of a record, each with an example; releases from before that was counted have no such table."""
    rows = manifest.get("fields", ())
    if rows:
        yield "## Fields of a record\n"
        yield "Each with a value from the data; `schema.json` says the same as JSON Schema.\n"
        named = ((f"`{row['name']}`", " or ".join(row["types"]), _example(row["example"])) for row in rows)
        yield from markdown_table(("Field", "Type", "Example"), named)


def _example(value: Any) -> str:
    return "" if value is None else plain(value) if isinstance(value, str) else json.dumps(value)


def _of_split(kinds: list[dict[str, Any]]) -> tuple[str, str, str]:
    """Items, annotations, and items by number of annotations; if items of several kinds have some, by kind."""
    items = ", ".join(f"{_n(kind['items'])} {kind['one' if kind['items'] == 1 else 'many']}" for kind in kinds)
    annotated = [kind for kind in kinds if kind["annotations"]] or kinds[-1:]
    numbers = [", ".join(f"{n}: {_n(items)}" for n, items in kind["overlap"].items()) for kind in annotated]
    if len(annotated) > 1:
        numbers = [f"{kind['many']} {each}" for kind, each in zip(annotated, numbers, strict=True)]
    return items or "0", _n(sum(kind["annotations"] for kind in kinds)), "; ".join(numbers)


def _making(manifest: Manifest) -> Iterator[str]:
    about, recipe = manifest["measured"], manifest["recipe"]
    made = about["annotations"] - about["imported"]
    people = _people(about["people"])
    yield f"- Made here: {_counted(made, 'annotation')} by {people}, under pseudonyms of this release."
    if about["imported"]:
        yield f"- Imported from published files: {_counted(about['imported'], 'annotation')}."
    if about["timed"]:
        hours, minutes = about["seconds"] / 3600, about["seconds"] / 60 / about["timed"]
        yield (
            f"- Working time (active and reading), measured for {_counted(about['timed'], 'annotation')}: {hours:,.1f} "
            f"hours ({_counted(about['seconds'], 'second')}) in all, {minutes:,.1f} minutes for one."
        )
    yield from _written(manifest)
    for row in about["guidelines"]:
        worked = _counted(row["annotations"], "annotation")
        yield f"- Under guidelines {row['number']} (since {row['since']}): {worked}."
    chosen = "at least one annotation" if recipe["partial"] else "all of their annotations"
    yield f"- Only items with {chosen} are in it."
    if recipe.get("until"):
        yield f"- Nothing that was said after {recipe['until']} counts."
    yield f"- Built by {manifest['code_version']}.\n"


def _written(manifest: Manifest) -> Iterator[str]:
    """Who wrote items here, if that is not among the annotations."""
    about, written = manifest["measured"], manifest["measured"]["written"]
    if not written:
        return
    nouns = {kind["kind"]: kind for kinds in about["contents"].values() for kind in kinds}
    what = ", ".join(
        f"{_n(items)} {nouns[kind]['one' if items == 1 else 'many']}" for kind, items in written["items"].items()
    )
    named = "under pseudonyms of this release" if manifest["recipe"].get("name_writers") else "who are not named"
    yield f"- Written here: {what} by {_people(written['people'])}, {named}."
    if written["timed"]:
        yield (
            f"- Working time of the writing, measured for {_n(written['timed'])} of "
            f"{_counted(written['works'], 'piece')} of work: {written['seconds'] / 3600:,.1f} hours "
            f"({_counted(written['seconds'], 'second')}) in all."
        )
    yield f"- In all, {_people(about['everybody'])} took part."


def _people(number: int) -> str:
    return "1 person" if number == 1 else f"{_n(number)} people"


def _agreement(rows: list[dict[str, Any]]) -> Iterator[str]:
    yield f"Of the whole project, as last measured. Intervals: 95 %, {HOW['differing' in rows[0]]}.\n"
    yield from markdown_table(
        ("What", "Statistic", "Value", "Interval", "n", "Measured"),
        (
            (
                plain(row["measure"]),
                STATISTICS.get(row["statistic"], row["statistic"]),
                f"{row['value']:.2f}",
                _interval(row),
                _n(row["n"]),
                row["measured"],
            )
            for row in rows
        ),
    )


def _interval(row: dict[str, Any]) -> str:
    found = Estimate(row["value"], row["low"], row["high"], row["n"], row.get("differing"))
    if found.low is not None:
        return f"{found.low:.2f} to {found.high:.2f}"
    return found.no_interval if "differing" in row else "–"


def _left_out(manifest: Manifest) -> Iterator[str]:
    rows = list(_rows_left_out(manifest))
    if rows:
        yield from markdown_table(("Split", "Number", "Why"), rows)
    else:
        yield "Nothing: all that was finished is in it.\n"


def _rows_left_out(manifest: Manifest) -> Iterator[tuple[str, str, str]]:
    counts, found = manifest["counts"], manifest["left_out"]
    for split in sorted({*counts, *found}):
        why, name = found.get(split, {}), split or "–"
        if "split" in why:
            reason = "sequestered split" if why["split"]["why"] == "sequestered" else "split not chosen"
            yield name, _counted(why["split"]["items"], "item"), reason
            continue
        row = counts.get(split, {})
        if row.get("left_out_incomplete"):
            yield name, _counted(row["left_out_incomplete"], "item"), "annotations missing"
        if row.get("left_out_by_name"):
            yield name, _counted(row["left_out_by_name"], "item"), "the format can't represent them"
        if row.get("left_out_by_format"):
            n = _counted(row["left_out_by_format"], "annotation")
            yield name, n, "the format has no place for them, as the notes in the manifest say"
        for reason, n in why.get("excluded", {}).items():
            yield (
                name,
                _counted(n, "annotation"),
                f"excluded: {plain(reason)}" if reason else "excluded for other reasons",
            )
        for key, words in (("late", "came too late"), ("after", "after the cut-off"), ("unfinished", "not finished")):
            if why.get(key):
                yield name, _counted(why[key], "annotation"), words
        for purpose, n in why.get("purposes", {}).items():
            yield name, _counted(n, "annotation"), PURPOSES.get(purpose, purpose)


def _licences(licences: dict[str, int]) -> Iterator[str]:
    if licences:
        rows = ((plain(name) or "not stated", _n(n)) for name, n in licences.items())
        yield from markdown_table(("Licence", "Documents"), rows)
    else:
        yield "The items have no documents of their own.\n"


def _citation(manifest: Manifest) -> Iterator[str]:
    about = manifest["measured"]
    if own := texts_of(manifest).get("citation", "").replace("\r\n", "\n").strip():
        yield f"```bibtex\n{own.replace('```', '')}\n```\n" if own.startswith("@") else f"{tidied(own)}\n"
        return
    fields = {
        "title": about["title"],
        "author": " and ".join(authors_of(manifest)),
        "year": about["frozen"][:4],
        "version": str(manifest["version"]),
        "note": f"SHA-256 of the members: {manifest['members_sha256']}",
    }
    body = ",\n".join(f"  {key} = {{{_braced(value)}}}" for key, value in fields.items() if value)
    yield f"```bibtex\n@misc{{{manifest['project']}-{manifest['version']},\n{body}\n}}\n```\n"


def _braced(text: str) -> str:
    """A text as BibTeX and LaTeX print it. Braces must be in pairs there, and ` would end the card's block of code."""
    return "".join(LATEX.get(each, each) for each in re.sub(r"[{}\r\n`]", " ", text))


def _counted(number: int, what: str) -> str:
    return f"{_n(number)} {what}" + ("" if number == 1 else "s")


def _n(number: int) -> str:
    return f"{number:,}"
