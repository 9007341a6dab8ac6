"""The board of a split has the agreement that the page of agreement has of it, also where there is only one split."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse

from annotation.models import Role
from tasks.measuring import agreement
from tests.disagreeing import BAD, answered, box, browser, lights
from tests.factories.people import MembershipFactory
from tests.judged import judged, with_slips
from tests.people import NOON, join


@pytest.fixture
def people(nq):
    return [join(nq, name) for name in ("ann", "ben", "cleo")]


@pytest.fixture
def lead(nq, lena):
    return browser(lena)


@pytest.fixture
def card(nq, lead):
    """The card on the board of a part."""

    def shown(**query):
        board = lead.get(reverse("project", args=[nq.slug]), query).context["board"]
        return next(one for one in board.cards if one.key == "agreement")

    return shown


def page(lead, address: str):
    """The headline of each measure on the page of agreement, and how many items it is of."""
    found = lead.get(address).context["found"]
    return {group.key: {number.key: number.estimate.value for number in group.numbers} for group in found.groups}, found


def agree(card, found) -> bool:
    measures, _found = found
    return bool(card.rows) and all(measures[key][name] == value for key, name, value, *_rest in card.rows)


def test_where_all_items_are_in_one_split_its_board_has_the_numbers_of_the_whole(nq, lead, card, people):
    judged(nq, with_slips(dict.fromkeys(people, 0.2), items=8))
    agreement.keep(nq, now=NOON)
    whole, train = card(), card(split="train")
    assert whole.rows == train.rows
    assert whole.about == train.about
    assert agree(train, page(lead, train.link[0]))
    dev = card(split="dev")
    assert (dev.rows, dev.nothing) == ([], "No two annotations to compare in this part.")


def test_a_split_whose_first_items_come_later_has_its_numbers_at_once(nq, lead, card, people):
    judged(nq, with_slips(dict.fromkeys(people, 0.2), items=8))
    agreement.keep(nq, now=NOON)
    before = card(split="train").rows
    judged(nq, with_slips(dict.fromkeys(people, 0.3), items=8), split="dev", now=NOON + timedelta(minutes=1))
    agreement.keep(nq, now=NOON + timedelta(minutes=2), whole=False)
    dev = card(split="dev")
    assert "8 with several annotations" in dev.about
    assert agree(dev, page(lead, dev.link[0]))
    assert card(split="train").rows == before


def test_the_number_in_the_sentence_leads_to_the_agreement_of_the_split(nq, lead, people):
    judged(nq, with_slips(dict.fromkeys(people, 0.2), items=8))
    agreement.keep(nq, now=NOON)
    board = lead.get(reverse("project", args=[nq.slug]), {"split": "train"})
    address = board.context["board"].links["agreement"]
    assert f'href="{address.replace("&", "&amp;")}"' in board.content.decode()
    assert page(lead, address)[1].asked.split == "train"


def test_the_page_lists_splits_only_where_there_are_several_but_the_csv_always_has_them(nq, lead, people):
    judged(nq, with_slips(dict.fromkeys(people, 0.2), items=8))
    agreement.keep(nq, now=NOON)
    address = reverse("agreement", args=[nq.slug])
    assert '<th scope="col">Split</th>' not in lead.get(address).content.decode()
    lines = lead.get(reverse("agreement_csv", args=[nq.slug])).content.decode().splitlines()
    assert any(",split,train," in line for line in lines)
    judged(nq, with_slips(dict.fromkeys(people, 0.2), items=8), split="dev")
    agreement.keep(nq, now=NOON, anew=True)
    assert '<th scope="col">Split</th>' in lead.get(address).content.decode()


def test_numbers_without_an_interval_are_named_in_one_sentence_with_what_each_needs(lena, tmp_path):
    few = lights(tmp_path, people=2, of=8, least=None, slug="few")
    MembershipFactory(project=few, user=lena, role=Role.LEAD)
    for one, other in ((box(1), box(1)), (box(1), box(2)), (box(2), box(1)), (box(1), BAD), (BAD, BAD)):
        answered(few, one, other)
    agreement.keep(few, now=NOON)
    board = browser(lena).get(reverse("project", args=[few.slug])).context["board"]
    [note] = next(one for one in board.cards if one.key == "agreement").notes
    assert note.bold == "Too few for an interval:"
    assert note.rest.count("more would do") > 1
