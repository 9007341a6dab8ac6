"""Choose passages as the CoQA paper did: several entities, events and pronouns, cut to the first 200 words or so.

The paper (section 3.2) gives no numbers except the 200 words; the others here are ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from annotation.documents.words import words
from annotation.errors import ImportRefused
from annotation.i18n import _
from annotation.parsing.incoming import ImportSource, IncomingItem, RefusedLine
from annotation.protocol_tools import ChosenMaterial, MaterialChooser
from annotation.protocols.coqa import mentions, reading
from annotation.protocols.coqa.mentions import Finder
from annotation.protocols.coqa.schemas import Passage

WORDS = 200
"""CoQA: "the first few paragraphs that result in around 200 words"."""
FEWEST_WORDS, MOST_WORDS = 60, 500
"""A shorter passage can't carry ten turns; a longer first paragraph can't be cut at its end."""
LEAST = {"entities": 3, "events": 5, "pronouns": 3}
"""How many a passage needs at least, so that questions do not all focus on one entity."""
_PARAGRAPHS = re.compile(r"\n[^\S\n]*\n\s*")
BY_RULES = _("Entities and events were found by simple rules for English, which miss stories in the present tense.")
NO_SPACY = _(
    "Entities and events were found by simple rules for English, which miss stories in the present tense, "
    "since spaCy or its model is not installed."
)
BY_SPACY = _("Entities and events were found by spaCy.")


@dataclass(frozen=True)
class Judged:
    """A passage as it would be imported, the figures behind that, and what speaks against it (nothing if chosen)."""

    text: str
    figures: dict[str, int]
    against: tuple[str, ...]


def cut(story: str, around: int = WORDS) -> str:
    """The first paragraphs whose number of words comes nearest to `around`, at least one.

    Blank lines separate paragraphs; in a text without any, single line breaks do.
    """
    text = story.strip()
    separator = _PARAGRAPHS if _PARAGRAPHS.search(text) else re.compile(r"\n+")
    ends = [*(found.start() for found in separator.finditer(text)), len(text)]
    counts = [sum(1 for _word in words(text[:end])) for end in ends]
    # Of two equally near ones the shorter.
    best = min(range(len(ends)), key=lambda place: (abs(counts[place] - around), place))
    return text[: ends[best]]


def judge(story: str, find: Finder) -> Judged:
    """Whether this story is good for a conversation after cutting, and why not."""
    text = cut(story)
    number = sum(1 for _word in words(text))
    found = find(text)
    against = []
    if number < FEWEST_WORDS:
        against.append(f"words: {number} of {FEWEST_WORDS}")
    if number > MOST_WORDS:
        against.append(f"its first paragraph has {number} words; the limit is {MOST_WORDS}")
    counts = {"entities": len(found.entities), "events": len(found.events), "pronouns": found.pronouns}
    against += [f"{name}: {count} of {LEAST[name]}" for name, count in counts.items() if count < LEAST[name]]
    return Judged(text, {"words": number} | counts, tuple(against))


def choose(source: ImportSource, options: Mapping[str, str]) -> tuple[str, Iterator[ChosenMaterial]]:
    """How passages were judged, and the choice for each passage of a file, in order.

    The option `finder` is `rules` or `spacy`; without it spaCy is used if it can be. ImportRefused if a wanted spaCy is
    missing.
    """
    wanted = options.get("finder", "")
    if wanted not in ("", "rules", "spacy"):
        raise ImportRefused(f"--finder is rules or spacy, not {wanted}.")
    if wanted == "rules":
        return BY_RULES, _choices(source, mentions.by_rules)
    try:
        return BY_SPACY, _choices(source, mentions.with_spacy())
    except (ImportError, OSError) as error:
        if wanted:
            raise ImportRefused(f"spaCy with its model {mentions.MODELS[0]} can't be loaded: {error}") from None
    return NO_SPACY, _choices(source, mentions.by_rules)


def _choices(source: ImportSource, find: Finder) -> Iterator[ChosenMaterial]:
    for item in reading.read(source):
        if isinstance(item, RefusedLine):
            where = f", {item.field}" if item.field else ""
            yield ChosenMaterial(f"line {item.line}{where}", kept=False, why=item.reason)
            continue
        story = item.documents[0].source.decode()
        judged = judge(story, find)
        kept = not judged.against
        why = "; ".join(judged.against) or ("cut" if judged.text != story.strip() else "whole")
        yield ChosenMaterial(item.external_id, kept, why, judged.figures, _line(item, judged.text) if kept else None)


def _line(item: IncomingItem, text: str) -> dict[str, Any]:
    """The passage as a line for `import_items`."""
    passage = Passage.from_stored(item.payload)
    about = {"id": item.external_id, "source": passage.source, "filename": passage.filename, "split": item.split}
    return about | {"story": text} | passage.fields


CHOOSER = MaterialChooser(
    run=choose,
    options={"finder": _("rules or spacy; by default spaCy if it is installed")},
)
