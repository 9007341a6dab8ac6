"""What is kept of participants is theirs to see, goes with them, and has no token."""

from __future__ import annotations

import pytest

from annotation.errors import WrongMove
from frontend.accounts import erasing, own_data
from qualification import accounts
from tasks.models import Submission
from tasks.prolific import connecting, sending
from tests.prolific.site import TOKEN
from tests.prolific.story import LATER, confirm


def test_of_who_is_erased_nothing_is_kept_and_nothing_read_again(lights):
    ada = lights.works("ada", 1, minutes=30)
    made = confirm(lights)
    accounts.close(ada, reason="asked for it", by=lights.lead, now=LATER)
    with pytest.raises(WrongMove, match="under way"):
        erasing.erase(ada, by=None, now=LATER)
    sending.send_due(now=LATER)
    sending.send_due(now=LATER)
    erasing.erase(ada, by=None, now=LATER)
    connecting.read(lights.study, now=LATER)
    assert not Submission.objects.exists()
    assert [part.submission_id for part in made.parts.all()] == [""]


def test_what_is_kept_is_in_the_data_of_a_person_without_the_token(lights):
    ada = lights.works("ada", 1, minutes=30)
    confirm(lights)
    found = str(own_data.own_data(ada))
    assert lights.submission("ada") in found
    assert TOKEN not in found
    assert lights.study.sealed_token not in found
