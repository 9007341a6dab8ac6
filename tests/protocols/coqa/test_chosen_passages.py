"""Passages are chosen for their entities, events and pronouns, and cut to whole paragraphs of about 200 words."""

import sys
from types import SimpleNamespace

import pytest

from annotation.errors import ImportRefused
from annotation.protocols.coqa import mentions
from annotation.protocols.coqa.choosing import BY_RULES, BY_SPACY, CHOOSER, NO_SPACY, cut, judge
from annotation.protocols.coqa.mentions import Mentions, by_rules
from tests.protocols.coqa.builders import File, read

GOOD = (
    "Anna Holt climbed the tower of Skerrow before dawn. She lit the lamp, and her brother Tom carried the oil up to "
    "her. When a ship from Bergen struck the rocks, they ran down to the shore and pulled three sailors out of the "
    "water. The captain, Mr. Lund, had lost his hat. He thanked them and promised that he would write to the harbour "
    "office in Bergen as soon as he had slept."
)


def paragraph(number, word="word"):
    return " ".join([word] * number)


@pytest.mark.parametrize(
    ("counts", "kept"),
    [
        ([50, 100, 60, 400], 3),  # 210 is nearer to 200 than 150
        ([120, 200], 1),  # 120 is as near as 320 is not
        ([150, 100], 1),  # equally near: the shorter
        ([100, 90, 70], 2),
        ([700, 10], 1),
        ([10], 1),
    ],
)
def test_a_story_is_cut_after_the_paragraph_that_comes_nearest_to_200_words(counts, kept):
    parts = [paragraph(count) for count in counts]
    assert cut("\n\n".join(parts)) == "\n\n".join(parts[:kept])
    assert cut("\n".join(parts)) == "\n".join(parts[:kept])


def test_single_line_breaks_do_not_divide_paragraphs_where_blank_lines_do():
    first = f"{paragraph(190)}\n{paragraph(50)}"
    assert cut(f"\n {first}\n \n{paragraph(10)}\n") == first


def test_rules_find_names_pasts_and_pronouns():
    found = by_rules(GOOD)
    assert found.entities == ("Anna Holt", "Skerrow", "Tom", "Bergen", "Mr Lund")
    assert found.events[:6] == ("climbed", "lit", "carried", "struck", "ran", "pulled")
    assert found.pronouns == 9


@pytest.mark.parametrize(
    ("text", "entities"),
    [
        ("Rain fell. The rain fell on Monday in March, and I ran.", ()),
        ("Otters sleep. Tom saw otters. Then Tom left.", ("Tom",)),  # the first word of a sentence, named again
        ("The letter came from Anna Holt. Holt wrote it.", ("Anna Holt",)),
        ("We met Anna’s Uncle Ben.", ("Anna", "Uncle Ben")),
        ("They saw the King. It was Queen Maud.", ("Queen Maud",)),
        ("", ()),
    ],
)
def test_capitals_that_are_no_names_do_not_count(text, entities):
    assert by_rules(text).entities == entities


class Parsed(list):
    """What a model of spaCy returns for a text: tokens, and entities in `ents`."""

    def __init__(self, tokens, ents):
        super().__init__(SimpleNamespace(text=text, lemma_=lemma, pos_=kind) for text, lemma, kind in tokens)
        self.ents = [SimpleNamespace(text=text, label_=label) for text, label in ents]


def test_spacy_s_verbs_and_names_are_counted_once_each(monkeypatch):
    tokens = [("She", "she", "PRON"), ("Ran", "run", "VERB"), ("runs", "run", "VERB"), ("has", "have", "AUX")]
    ents = [("Anna\nHolt’s", "PERSON"), ("Holt", "PERSON"), ("the Alps", "LOC"), ("May", "DATE"), ("two", "CARDINAL")]
    loaded = {"en_core_web_sm": lambda text: Parsed(tokens, ents)}
    monkeypatch.setitem(sys.modules, "spacy", SimpleNamespace(load=loaded.__getitem__))
    assert mentions.with_spacy()("any text") == Mentions(("Anna Holt", "Alps"), ("run",), 1)
    how, [choice] = CHOOSER.run(File([line("a", GOOD)], name="raw.jsonl"), {})
    assert (how, choice.why) == (BY_SPACY, "entities: 2 of 3; events: 1 of 5; pronouns: 1 of 3")


def judged(words=200, entities=3, events=5, pronouns=3):
    """What speaks against a story with these numbers."""
    made = Mentions(tuple(map(str, range(entities))), tuple(map(str, range(events))), pronouns)
    return judge(paragraph(words), lambda text: made).against


@pytest.mark.parametrize(
    ("numbers", "against"),
    [
        ({}, ()),
        ({"words": 59}, ("words: 59 of 60",)),
        ({"words": 501}, ("its first paragraph has 501 words; the limit is 500",)),
        ({"entities": 2}, ("entities: 2 of 3",)),
        ({"events": 4, "pronouns": 0}, ("events: 4 of 5", "pronouns: 0 of 3")),
    ],
)
def test_every_reason_against_a_passage_is_given(numbers, against):
    assert judged(**numbers) == against


def chosen(records, **options):
    how, choices = CHOOSER.run(File(records, name="raw.jsonl"), {"finder": "rules"} | options)
    return how, list(choices)


def line(name, story, **fields):
    return {"id": name, "domain": "gutenberg", "filename": "tower.txt", "story": story} | fields


def test_what_is_kept_can_be_imported_and_is_cut():
    long = f"{GOOD}\n\n{GOOD}\n\n{paragraph(300)}"
    how, [whole, shorter, dull, refused] = chosen(
        [line("a", GOOD), line("b", long, split="dev", licence="CC0"), line("c", paragraph(100)), {"id": "d"}]
    )
    assert how == BY_RULES
    assert (whole.kept, whole.why, whole.figures["pronouns"]) == (True, "whole", 9)
    assert (shorter.kept, shorter.why, shorter.figures["words"]) == (True, "cut", 148)
    assert (dull.kept, dull.line) == (False, None)
    assert dull.why == "entities: 0 of 3; events: 0 of 5; pronouns: 0 of 3"
    assert (refused.name, refused.kept, refused.why) == ("line 4, source", False, "The field is missing.")
    first, second = read([whole.line, shorter.line], name="chosen.jsonl")
    assert (first.external_id, first.documents[0].source.decode()) == ("a", GOOD)
    assert (second.split, second.payload["fields"]) == ("dev", {"licence": "CC0"})
    assert second.documents[0].source.decode() == f"{GOOD}\n\n{GOOD}"


def test_without_spacy_the_rules_say_so_and_asking_for_it_is_refused(monkeypatch):
    def missing():
        raise ImportError("No module named 'spacy'")

    monkeypatch.setattr(mentions, "with_spacy", missing)
    how, choices = CHOOSER.run(File([line("a", GOOD)], name="raw.jsonl"), {})
    assert (how, [choice.kept for choice in choices]) == (NO_SPACY, [True])
    with pytest.raises(ImportRefused, match="No module named"):
        CHOOSER.run(File([], name="raw.jsonl"), {"finder": "spacy"})
    with pytest.raises(ImportRefused, match="rules or spacy, not magic"):
        CHOOSER.run(File([], name="raw.jsonl"), {"finder": "magic"})
