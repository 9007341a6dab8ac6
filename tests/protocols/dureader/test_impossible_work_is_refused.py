"""What can't be an answer is refused with its field and a code, by form, schema and check; and what is seen when."""

import pytest

from annotation.errors import NotFound
from annotation.protocols.dureader.forms import FORMS
from annotation.protocols.dureader.protocol import PROTOCOL
from annotation.protocols.dureader.schemas import LONGEST_ANSWER, LONGEST_ENTITY, MOST_ENTITIES
from annotation.values.records import Step
from tests.protocols.dureader.builders import NONE, composed, context, item, problems_at, said, sheet_at
from tests.protocols.wordless import SHORT_BUT_WORDS, WORDLESS

TYPE = {"question_type": "YES_NO", "fact_or_opinion": "OPINION"}


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("DESCRIPTION", composed("Rape oil.")),
        ("DESCRIPTION", composed("Rape oil.", "Gas.", used=[0, 1])),
        ("YES_NO", composed(("It did.", "Yes"), ("It did not.", "No"))),
        ("YES_NO", composed(("So it is said.", "Yes"), ("So it is said.", "Depends"))),
        ("ENTITY", composed(("Rape oil and gas.", ["Rape oil", "gas"]))),
        ("ENTITY", composed(("What rape seeds give.", ["rape oil"]))),  # the page asks about it
        ("ENTITY", NONE),
        ("DESCRIPTION", composed(*"12345")),
    ],
)
def test_ordinary_answers_are_accepted(kind, payload):
    assert problems_at("answers", payload, item(kind)) == []


@pytest.mark.parametrize(
    ("kind", "payload", "problems"),
    [
        ("YES_NO", composed("It did."), [("opinion_1", "missing")]),
        ("YES_NO", composed(("It did.", "Yes"), "Or not."), [("opinion_2", "missing")]),
        ("ENTITY", composed("Rape oil."), [("entities_1", "missing")]),
        ("ENTITY", composed(("Oil.", ["oil", "oil"])), [("entities_1", "twice")]),
        ("ENTITY", composed(("Oil.", ["oil", "…"])), [("entities_1", "empty")]),
        ("DESCRIPTION", composed(("It did.", "Yes")), [("text_1", "other_type")]),
        ("DESCRIPTION", composed(("It did.", ["oil"])), [("text_1", "other_type")]),
        ("ENTITY", composed(("It did.", "Yes")), [("entities_1", "missing"), ("text_1", "other_type")]),
        ("DESCRIPTION", composed("Oil, it is.", "Oil,  it is."), [("text_2", "twice")]),
        ("DESCRIPTION", composed("Oil.", used=[]), [("used", "none")]),
        ("DESCRIPTION", composed("Oil.", used=[2]), [("used", "unknown")]),
    ],
)
def test_what_does_not_fit_the_question(kind, payload, problems):
    assert problems_at("answers", payload, item(kind)) == problems


@pytest.mark.parametrize("text", WORDLESS)
def test_an_answer_without_a_letter_or_a_digit(text):
    if text.strip():
        assert problems_at("answers", composed(text)) == [("text_1", "empty")]


@pytest.mark.parametrize("text", SHORT_BUT_WORDS)
def test_short_answers_are_answers(text):
    assert problems_at("answers", composed(text)) == []


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"kind": "answers"}, "text_1"),
        ({"kind": "answers", "text_1": " ", "opinion_1": "Yes"}, "text_1"),
        ({"kind": "answers", "text_2": "Oil", "entities_1": "oil"}, "text_1"),
        ({"kind": "answers", "text_1": "x" * (LONGEST_ANSWER + 1)}, "text_1"),
        ({"kind": "answers", "text_1": "Oil", "entities_1": "x" * (LONGEST_ENTITY + 1)}, "entities_1"),
        (
            {"kind": "answers", "text_1": "Oil", "entities_1": "\n".join(map(str, range(MOST_ENTITIES + 1)))},
            "entities_1",
        ),
        ({"kind": "answers", "text_1": "Oil", "opinion_1": "Maybe"}, "opinion_1"),
        ({"kind": "answers", "text_1": "Oil", "used": ["5"]}, "used"),
    ],
)
def test_the_form_says_what_is_wrong(sent, field):
    assert [one.field for one in FORMS["answers"](sent).problems()] == [field]


@pytest.mark.parametrize(
    "sent",
    [
        {"kind": "answers", "text_1": "x" * LONGEST_ANSWER},
        {"kind": "answers", "text_1": "Oil", "entities_1": "x" * LONGEST_ENTITY},
        {"kind": "answers", "text_1": "Oil", "entities_1": "\n".join(map(str, range(MOST_ENTITIES)))},
        {"kind": "none", "text_1": "not sent", "opinion_2": "Yes"},
    ],
)
def test_the_form_accepts_what_is_just_possible(sent):
    assert FORMS["answers"](sent).is_valid()


def test_no_answer_leaves_out_what_was_written():
    form = FORMS["answers"]({"kind": "none", "text_1": "Oil.", "used": ["0"]})
    assert form.is_valid()
    assert form.payload() == NONE


def test_entities_are_lines_with_single_spaces():
    form = FORMS["answers"](
        {"kind": "answers", "text_1": "Oil.", "entities_1": " rape \t oil\r\n\n gas ", "used": ["1"]}
    )
    assert form.is_valid()
    assert form.payload() == composed(("Oil.", ["rape oil", "gas"]), used=[1])


def test_a_question_whose_type_came_with_it_is_answered_at_once():
    assert PROTOCOL.next_step(context(item())) == Step("answers", seat="one")
    sheet = sheet_at("answers", item("ENTITY", "OPINION"))
    assert (sheet.question_type, sheet.fact_or_opinion) == ("ENTITY", "OPINION")
    assert [each.title for each in sheet.documents] == ["Lamps of the lighthouse", "灯塔"]
    assert [each.lang for each in sheet.documents] == ["", "zh"]


@pytest.mark.parametrize(("kind", "fact"), [(None, None), ("YES_NO", None), (None, "OPINION")])
def test_otherwise_the_type_comes_first_and_without_the_documents(kind, fact):
    of = item(kind, fact)
    assert PROTOCOL.next_step(context(of)) == Step("kind", seat="one")
    assert not hasattr(sheet_at("kind", of), "documents")
    with pytest.raises(NotFound):
        sheet_at("answers", of)
    typed = said("kind", TYPE)
    assert PROTOCOL.next_step(context(of, typed)) == Step("answers", seat="one")
    sheet = sheet_at("answers", of, typed)
    assert (sheet.question_type, sheet.fact_or_opinion) == (kind or "YES_NO", fact or "OPINION")
    answered = said("answers", composed(("So it is.", "Yes")))
    assert PROTOCOL.next_step(context(of, typed, answered)) is None


def test_a_sheet_counts_characters_where_there_are_no_spaces():
    assert sheet_at("answers", item(question="灯塔用什么灯")).word_count == 6 + 4 + 7 + 3 + 2 + 5
