"""What is judged of DuReader: each answer in words with its opinion or entities, without the documents."""

from annotation.protocols.dureader.exhibits import exhibits_of
from annotation.values.records import AnnotationRecord
from tests.protocols.dureader.builders import NONE, answered_row, composed, item, ours, published


def of(found_item, annotation):
    return list(exhibits_of("answers", found_item, annotation))


def test_each_answer_of_an_annotation_is_one_by_its_place():
    found = of(item(), ours(composed("Rape oil.", "Gas, later.")))
    assert [(turn, shown.answers) for turn, shown in found] == [(0, ("Rape oil.",)), (1, ("Gas, later.",))]
    assert {shown.prompt for _turn, shown in found} == {"which oil did lamp 1 burn"}


def test_nothing_of_the_documents_is_shown():
    [(_turn, shown)] = of(item(), ours(composed("It burned something.")))
    assert (shown.texts, shown.box) == ((), None)
    assert "Lamps of the lighthouse" not in repr(shown)


def test_opinion_and_entities_belong_to_the_answer():
    [(_turn, yes)] = of(item("YES_NO"), ours(composed(("It does.", "Yes"))))
    assert [(one.label, one.texts, one.ours) for one in yes.details] == [("Opinion", ("Yes",), True)]
    [(_turn, named)] = of(item("ENTITY"), ours(composed(("These two.", ["rape oil", "gas"]))))
    assert [(one.label, one.texts, one.ours) for one in named.details] == [("Entities", ("rape oil", "gas"), False)]


def test_published_answers_are_judged_in_the_same_way():
    record = published(answered_row(kind="YES_NO"))
    found = of(record.item, record.annotations[0])
    assert [shown.answers for _turn, shown in found] == [("It burned rape oil.",), ("Later gas.",)]
    assert [shown.details[0].texts for _turn, shown in found] == [("Yes",), ("Depends",)]


def test_no_answer_and_an_empty_published_one_are_not_judged():
    assert of(item(), ours(NONE)) == []
    assert of(item(), AnnotationRecord("compose", ())) == []
    record = published(answered_row(answers=[" ", "Gas."]))
    assert [turn for turn, _shown in of(record.item, record.annotations[0])] == [1]
