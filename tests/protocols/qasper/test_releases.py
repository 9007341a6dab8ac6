"""Our own answers are released in the QASPER layout with verbatim evidence, and only while their quotes still match."""

import dataclasses

import orjson
import pytest

from annotation.errors import ReleaseRefused
from annotation.protocols.qasper import formats, rules, scoring
from annotation.values.records import ReleaseRecord
from tests.protocols.qasper.builders import (
    FIRST,
    SECOND,
    float_unit,
    item_of,
    ours,
    paper,
    paper_item,
    question_item,
    read,
    sentences,
    sheet_of,
    span,
)

OTTERS = sentences(0, 0, 1, "Otters hold hands (see Fig. 1).")
KELP = sentences(0, 1, 2, "They sleep on 🦊 kelp.")
JUGGLE = sentences(2, 1, 2, "Nobody knows why.")
TABLE, FIGURE = float_unit(1, "Table 1: Otters by river."), float_unit(0, "Figure 1: An otter.")


def written(*payloads, item=None, author="author"):
    """The paper as released with these answers to one question."""
    item = item or question_item()
    made = tuple(ours(payload, number=number) for number, payload in enumerate(payloads))
    record = ReleaseRecord(item.root, children=(ReleaseRecord(item, made, author=author),))
    ((_, found),) = formats.write("qasper", [record])
    return orjson.loads(orjson.dumps(found))


def answers(*payloads, **options):
    return [one["answer"] for one in written(*payloads, **options)["qas"][0]["answers"]]


def test_adjacent_sentences_are_one_string_and_everything_is_in_the_order_of_the_paper():
    evidence = [TABLE, JUGGLE, KELP, FIGURE, OTTERS]
    (found,) = answers({"kind": "extractive", "spans": [span(0, "kelp"), span(0, "hands")], "evidence": evidence})
    assert found == {
        "unanswerable": False,
        "extractive_spans": ["kelp", "hands"],
        "yes_no": None,
        "free_form_answer": "",
        "evidence": [
            FIRST,
            SECOND,
            "FLOAT SELECTED: Figure 1: An otter.",
            "FLOAT SELECTED: Table 1: Otters by river.",
        ],
        "highlighted_evidence": [
            "Otters hold hands (see Fig. 1). They sleep on 🦊 kelp.",
            "Nobody knows why.",
            "FLOAT SELECTED: Figure 1: An otter.",
            "FLOAT SELECTED: Table 1: Otters by river.",
        ],
    }


def test_sentences_that_are_not_adjacent_stay_separate():
    last = sheet_of(question_item()).sections[0].paragraphs[0].sentences[2]
    evidence = [OTTERS, sentences(0, 2, 3, last.text)]
    (found,) = answers({"kind": "abstractive", "text": "so", "evidence": evidence})
    assert found["highlighted_evidence"] == [OTTERS["quote"], last.text]
    assert found["evidence"] == [FIRST]


def test_every_type_is_written_as_the_evaluator_reads_it():
    found = answers(
        {"kind": "unanswerable"},
        {"kind": "yes_no", "value": True, "evidence": [KELP], "by_absence": False},
        {"kind": "yes_no", "value": False, "evidence": [], "by_absence": True},
        {"kind": "abstractive", "text": "on plants", "evidence": [KELP]},
        {"kind": "extractive", "spans": [span(0, "kelp")], "evidence": [KELP]},
    )
    assert [scoring.reference_of(one)[:2] for one in found] == [
        ("Unanswerable", "none"),
        ("Yes", "boolean"),
        ("No", "boolean"),
        ("on plants", "abstractive"),
        ("kelp", "extractive"),
    ]
    assert all(one["evidence"] == one["highlighted_evidence"] == [] for one in (found[0], found[2]))


def test_repeated_paragraphs_and_captions_appear_once():
    item = question_item(
        full_text=[{"section_name": "A", "paragraphs": ["Twice.", "Once.", "Twice."]}],
        figures_and_tables=[{"file": "a", "caption": "Same."}, {"file": "b", "caption": "Same."}, {"file": "c"}],
    )
    evidence = [sentences(0, 0, 1, "Twice."), sentences(2, 0, 1, "Twice.")]
    evidence += [float_unit(0, "Same."), float_unit(1, "Same."), float_unit(2, "")]
    (found,) = answers({"kind": "abstractive", "text": "so", "evidence": evidence}, item=item)
    assert found["evidence"] == ["Twice.", "FLOAT SELECTED: Same.", "FLOAT SELECTED: "]
    assert found["highlighted_evidence"] == found["evidence"]


def test_our_own_question_has_its_writer_and_its_answers_their_pseudonyms():
    root = paper_item()
    made = rules.follow_ups(root, ours(WRITTEN, "questions", "ask"))
    record = ReleaseRecord(
        root,
        children=tuple(
            ReleaseRecord(item_of(one, root=root), (ours({"kind": "unanswerable"}, number=7),), author="asker")
            for one in made
        ),
    )
    ((paper_id, found),) = formats.write("qasper", [record])
    assert paper_id == "2001.00001"
    assert list(found) == ["title", "abstract", "full_text", "qas", "figures_and_tables"]
    (asked,) = found["qas"]
    assert {key: value for key, value in asked.items() if key != "answers"} == {
        "question": "How many otters are there?",
        "question_id": made[0].external_id,
        "nlp_background": "two",
        "topic_background": "familiar",
        "paper_read": "no",
        "search_query": "otter",
        "question_writer": "asker",
    }
    ((answer),) = asked["answers"]
    assert (answer["annotation_id"], answer["worker_id"]) == (f"{7:040x}", "worker-7")


WRITTEN = {
    "nlp_background": "two",
    "topic_background": "familiar",
    "paper_read": "no",
    "search_query": "otter",
    "questions": [{"text": "How many otters are there?", "answerable_from_abstract": False}],
}


def moved(item):
    """The same question under a paper whose text has changed."""
    other = item_of(read({"2001.00001": paper(abstract="x", full_text=CHANGED, figures_and_tables=[])})[0])
    return dataclasses.replace(item, root=other)


CHANGED = [{"section_name": "A", "paragraphs": ["Otters hold hands. They sleep on 🦊 kelp.", "", SECOND + " So"]}]
QUOTED = [
    {"kind": "extractive", "spans": [span(0, "kelp")], "evidence": [KELP]},
    {"kind": "abstractive", "text": "so", "evidence": [OTTERS]},
    {"kind": "yes_no", "value": True, "evidence": [FIGURE], "by_absence": False},
]


@pytest.mark.parametrize("payload", QUOTED, ids=["span", "sentence", "caption"])
def test_a_quote_that_is_no_longer_in_the_paper_stops_the_release(payload):
    item = question_item()
    assert answers(payload, item=item)
    with pytest.raises(ReleaseRefused, match=item.external_id):
        answers(payload, item=moved(item))


def test_there_is_no_other_format():
    with pytest.raises(KeyError):
        list(formats.write("squad", []))
