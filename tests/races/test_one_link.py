"""An invitation is for one person: of many who use its link at once, one joins, and the others get no account."""

from __future__ import annotations

from functools import partial

import pytest
from django.test import Client

from annotation import clock, randomness
from annotation.models import Membership, User
from qualification import invitations
from qualification.models import Invite
from tests.builders import project
from tests.factories.people import UserFactory
from tests.people import join
from tests.proving import size
from tests.races.rigs.crowd import together

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database_for_a_merge("postgresql")]
AT_ONCE = 8


@pytest.fixture
def lead():
    lights = project()
    return join(lights, "lena", "lead")


def link_by(lead):
    lights = Membership.objects.get(user=lead).project
    guest = invitations.Guest()
    [made] = invitations.make(lights, [guest], days=3, key=randomness.handle(), by=lead, now=clock.now())
    return f"/join/{made.token}/"


def post(link, name, user=None):
    browser = Client(SERVER_NAME="127.0.0.1")
    if user is not None:
        browser.force_login(user)
    return browser.post(link, {"username": name, "password": "a few easy words"}).status_code


def test_of_new_people_with_one_link_one_joins(lead):
    for number in range(size(2, 50)):
        link, names = link_by(lead), [f"person-{number}-{n}" for n in range(AT_ONCE)]
        answers = together([partial(post, link, name) for name in names])
        assert sorted(answers) == [302] + [404] * (AT_ONCE - 1)
        made = User.objects.get(username__in=names)
        assert Membership.objects.get(user=made)
        assert Invite.objects.latest("pk").used_by == made


def test_of_people_with_accounts_one_joins(lead):
    for number in range(size(2, 50)):
        people = [UserFactory(username=f"known-{number}-{n}") for n in range(AT_ONCE)]
        link = link_by(lead)
        answers = together([partial(post, link, "", user) for user in people])
        assert sorted(answers) == [302] + [404] * (AT_ONCE - 1)
        assert Membership.objects.filter(user__in=people).count() == 1


def test_of_people_who_choose_one_name_one_gets_it_and_the_links_of_the_others_still_work(lead):
    links = [link_by(lead) for _ in range(AT_ONCE)]
    answers = together([partial(post, link, "chosen") for link in links])
    assert sorted(answers) == [302] + [422] * (AT_ONCE - 1)
    left = [link for link, answer in zip(links, answers, strict=True) if answer == 422]
    assert [post(link, f"other-{n}") for n, link in enumerate(left)] == [302] * (AT_ONCE - 1)
