"""My time: forms that are sent in the same moment."""

from __future__ import annotations

import threading

import pytest
from django.db import connection

from annotation.models import TimeAmendment
from tests.builders import open_with, project, questions
from tests.frontend.test_my_time import _late_that_day, of_day, signed_in
from tests.people import join

__all__ = ["_late_that_day"]


@pytest.fixture
def crowd(transactional_db, tmp_path):
    lights = project()
    open_with(lights, tmp_path, questions(1))
    return join(lights, "alice")


def test_simultaneous_forms_never_give_a_day_more_time_than_it_had(crowd):
    gate = threading.Barrier(6)

    def one() -> None:
        mine = signed_in(crowd)
        gate.wait()
        of_day(mine, project="lights", how="add", minutes="900", note="Forgot to open it.")
        connection.close()

    threads = [threading.Thread(target=one) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert TimeAmendment.objects.count() == 1
