"""Annotations side by side: without names, in the reader's own order, with what differs marked."""

from __future__ import annotations

import html
import re

import pytest
from django.urls import reverse

from annotation.engine import exclusion
from annotation.engine.loading import activity_of, item_record
from annotation.models import Annotation, Item, Project, Role, User
from frontend.experts.sides import sides_of
from tasks.disputes import who
from tasks.engine import similarity
from tests.disagreeing import BAD, NOTHING, answered, box, browser, lights
from tests.people import NOON, join

ANNOTATE = "annotate"


@pytest.fixture(scope="module")
def answered_once(shared_rows, tmp_path_factory):
    """Three of five people say the same of one of two questions; lena leads, and erin has begun to see answers."""
    made = lights(tmp_path_factory.mktemp("lights"), people=5)
    join(made, "lena", Role.LEAD)
    who.begin(join(made, "erin", Role.EXPERT), made, now=NOON)
    return answered(made, box(1), box(1), box(1), box(2), BAD).pk


@pytest.fixture
def nq(answered_once, db):
    return Project.objects.get()


@pytest.fixture
def item(answered_once, db):
    return Item.objects.select_related("project").get(pk=answered_once)


@pytest.fixture
def lead(answered_once, db):
    return User.objects.get(username="lena")


@pytest.fixture
def expert(answered_once, db):
    return User.objects.get(username="erin")


def page(user, item, query="") -> str:
    address = reverse("compare", args=[item.project.slug, ANNOTATE, item.pk])
    return html.unescape(browser(user).get(address + query).content.decode())


def shown(user, item):
    return sides_of(item, activity_of("nq", ANNOTATE), by=user)


def test_annotations_that_say_the_same_are_one_side_with_their_number(item, lead):
    found = shown(lead, item)
    assert (found.n, sorted(side.n for side in found.sides)) == (5, [1, 1, 3])
    assert sorted(side.letter for side in found.sides) == ["A", "B", "C"]


def test_the_answer_that_most_people_gave_is_not_marked_and_the_others_are(item, lead):
    found = shown(lead, item)
    marks = {(side.n, address): answer.differs for side in found.sides for address, answer in side.answers.items()}
    assert marks[3, "long_answer"] is False
    assert marks[3, "question"] is False
    others = [side for side in found.sides if side.n == 1]
    assert all(side.answers["long_answer"].differs for side in others if "long_answer" in side.answers)
    assert [side.answers["question"].differs for side in others if "long_answer" not in side.answers] == [True]


def test_the_words_of_a_box_that_others_did_not_choose_are_marked(item, lead):
    odd = next(side for side in shown(lead, item).sides if side.n == 1 and "long_answer" in side.answers)
    usual = next(side for side in shown(lead, item).sides if side.n == 3)
    assert "<ins>" in odd.answers["long_answer"].html
    assert "<ins>" not in usual.answers["long_answer"].html


def test_in_long_texts_that_share_hardly_a_word_none_is_marked(db, tmp_path):
    page = "<h1>Lights</h1><p>First one.</p><p>{}</p><p>{}</p>".format(
        "The keeper of the northern tower counted eleven ships that evening, and wrote each of them down.",
        "Whoever measures tides for a year needs patience, dry boots, paper and some pencils with soft leads.",
    )
    long = lights(tmp_path, people=3, page=page, slug="long")
    item = answered(long, box(1), box(1), box(2))
    found = shown(join(long, "lena", Role.LEAD), item)
    [odd] = [side for side in found.sides if side.n == 1]
    assert odd.answers["long_answer"].differs
    assert "<ins>" not in odd.answers["long_answer"].html
    assert all("Question" not in side.in_short for side in found.sides)


def test_with_as_many_on_each_side_nothing_is_the_usual_answer(nq, lead):
    item = answered(nq, box(1), box(1), box(2), box(2), names=["a", "b", "c", "d"])
    found = shown(lead, item)
    assert all(side.answers["long_answer"].differs for side in found.sides)
    assert not any(side.answers["question"].differs for side in found.sides)


def test_two_readers_have_orders_of_their_own_and_keep_them(item, lead, nq):
    def order(reader):
        return tuple(side.uuids[0] for side in shown(reader, item).sides)

    readers = [join(nq, f"reader-{number}", Role.LEAD) for number in range(12)]
    orders = [order(reader) for reader in readers]
    assert len(set(orders)) > 2
    assert [order(reader) for reader in readers[:3]] == orders[:3]


def test_nobody_is_named_unless_a_lead_asks_for_it(item, lead, expert):
    codes = set(Annotation.objects.filter(item=item).values_list("author__worker_code", flat=True))
    uuids = {str(uuid) for uuid in Annotation.objects.filter(item=item).values_list("uuid", flat=True)}
    for text in (page(lead, item), page(expert, item), page(expert, item, "?names=1")):
        assert not [word for word in codes | uuids if word in text]
        assert "3 of 5" in text
    named = page(lead, item, "?names=1")
    assert all(code in named for code in codes)


def test_an_excluded_annotation_is_counted_and_not_shown(item, lead, nq):
    odd = next(side for side in shown(lead, item).sides if side.n == 1)
    exclusion.exclude(nq, uuids=odd.uuids, by=lead, reason="spam", now=NOON)
    found = shown(lead, item)
    assert (found.n, found.excluded, len(found.sides)) == (4, 1, 2)
    assert "1 excluded, not shown" in page(lead, item)


def test_the_list_begins_with_the_least_agreement_and_leads_from_item_to_item(nq, lead, item):
    alike = answered(nq, NOTHING, NOTHING, NOTHING, NOTHING, box(1), names=[f"p{n}" for n in range(5)])
    if alike.pk == item.pk:
        pytest.fail("the second question was not reached")
    similarity.measure_due()
    client = browser(lead)
    listed = client.get(reverse("compared", args=[nq.slug, ANNOTATE])).content.decode()
    places = [int(found) for found in re.findall(r"/compared/(\d+)/", listed)]
    assert places == [item.pk, alike.pk]
    first, second = page(lead, item), page(lead, alike)
    assert "1 of 2" in first
    assert f'/compared/{alike.pk}/"' in first
    assert "2 of 2" in second
    assert f'/compared/{item.pk}/"' in second


def test_an_item_is_measured_again_when_an_annotation_is_excluded(nq, lead, item):
    similarity.measure_due()
    before = item.similarities.get()
    assert (before.annotations, similarity.due(nq)) == (5, [])
    odd = next(side for side in shown(lead, item).sides if side.n == 1)
    exclusion.exclude(nq, uuids=odd.uuids, by=lead, reason="spam", now=NOON)
    assert similarity.measure_due() == 1
    after = item.similarities.get()
    assert after.annotations == 4
    assert after.value > before.value


def test_an_item_with_one_annotation_left_is_no_longer_listed(nq, lead, item):
    similarity.measure_due()
    exclusion.exclude(nq, item=item, by=lead, reason="spam", now=NOON)
    similarity.measure_due()
    assert not item.similarities.exists()
    assert "No finished annotation of it counts." in page(lead, item)


def in_page(user, item, query=""):
    return browser(user).get(reverse("compared_page", args=[item.project.slug, ANNOTATE, item.pk]) + query)


def test_the_page_can_be_read_with_the_boxes_of_all_answers_marked(item, lead):
    sides = {side.letter: side.box for side in shown(lead, item).sides}
    assert sorted(number is None for number in sides.values()) == [False, False, True]
    addresses = html.unescape(page(lead, item))
    for letter, number in sides.items():
        if number is not None:
            assert f"?side={letter}#chosen" in addresses
            text = in_page(lead, item, f"?side={letter}").content.decode()
            assert re.search(rf'data-c="{number}" id="chosen" data-chosen data-by="{letter}"', text)
            assert text.count("data-by=") == 2
    assert 'id="chosen"' not in in_page(lead, item).content.decode()


def test_the_words_of_short_answers_are_marked_in_the_page(nq, lead):
    rendering = item_record(nq.items.order_by("position").first()).documents[0].rendering(1)
    (start, _from, _to), (last, *_rest) = rendering.words[:2]
    span = {"start": start, "end": last + 1, "quote": rendering.quote(start, last + 1)}
    spans = {"kind": "spans", "spans": [span]}
    item = answered(nq, box(1, spans), box(1, spans), box(1), box(2), box(2))
    [letter] = [side.letter for side in shown(lead, item).sides if side.n == 2 and side.box == 1]
    assert span["quote"] in page(lead, item)
    marked = re.findall(r'<mark data-by="(.)"(?: data-end="(.)")?>([^<]*)', in_page(lead, item).content.decode())
    assert "".join(words for _by, _end, words in marked).split() == span["quote"].split()
    assert {by for by, _end, _words in marked} == {letter} == {end for _by, end, _words in marked if end}


def test_the_page_has_no_script_and_a_policy_of_its_own(item, lead):
    response = in_page(lead, item, '?side=A"><script>')
    assert "<script" not in response.content.decode()
    assert "sandbox" in response["Content-Security-Policy"]
    assert response["X-Frame-Options"] == "SAMEORIGIN"


def test_the_page_is_not_there_for_an_expert_who_has_not_begun(item, nq):
    assert in_page(join(nq, "ernest", Role.EXPERT), item).status_code == 404
    assert in_page(join(nq, "annotator-0"), item).status_code == 404
