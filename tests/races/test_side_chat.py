"""Both people of a pair write into the side chat at once: no number twice, no gap, and each message once."""

from __future__ import annotations

from functools import partial

import pytest

from annotation import randomness
from tasks.models import ChatMessage
from tasks.pairs import side_chat
from tests.people import NOON
from tests.protocols.toy.building import Pair, toy_project
from tests.proving import size
from tests.races.rigs.crowd import together

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database_for_a_merge("postgresql")]


def test_messages_sent_by_both_at_once_and_each_of_them_three_times_are_stored_once_in_one_order():
    pair = Pair.seated(toy_project())
    count = size(5, 60)
    sent = [(seat, f"{seat} {n}", randomness.handle()) for n in range(count) for seat in ("asker", "teller")]

    def write(seat, text, key):
        row = pair.row(seat)
        return side_chat.write(row, by=row.annotator, text=text, to_lead=False, key=key, now=NOON).number

    numbers = together(partial(write, *message) for message in sent for _again in range(3))
    assert {numbers.count(number) for number in numbers} == {3}
    stored = ChatMessage.objects.order_by("number").values_list("number", "text")
    assert [number for number, _ in stored] == list(range(1, 2 * count + 1))
    assert sorted(text for _, text in stored) == sorted(text for _, text, _ in sent)
