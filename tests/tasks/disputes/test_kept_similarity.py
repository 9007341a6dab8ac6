"""How alike an item's annotations are is measured again when one of them is revised."""

from __future__ import annotations

from annotation.engine import loading
from tasks import corrections
from tasks.engine import assignments, settling, similarity
from tasks.models import ItemSimilarity
from tests.builders import GOOD, Worker, open_with, project, questions, reload
from tests.people import NOON, join


def test_of_a_task_with_places_left_a_revised_answer_is_compared_anew(db, tmp_path):
    made = project(activities={"annotate": {"overlap": {"train": 3}}})
    open_with(made, tmp_path, questions(1))
    alice, bob = (Worker(join(made, name), made) for name in ("alice", "bob"))
    first, second = alice.finish_without_answer(), bob.finish_without_answer()
    similarity.measure_due()
    third = Worker(join(made, "carol"), made)
    third.commit(third.claim(), "question", GOOD)
    assert ItemSimilarity.objects.get().value == 1, "what is not finished is not compared"
    corrections.reopen(made, second.annotation.uuid, by=None, reason="Look again.", now=NOON)
    boxes = assignments.work_of(reload(second)).sheet("long_answer").boxes
    bob.commit(second, "long_answer", {"kind": "box", "candidate": 0, "quote": boxes[0].excerpt[:200]})
    bob.commit(second, "short_answer", {"kind": "none"})
    similarity.measure_due()
    item, finished = first.task.item, settling.finished(reload(first).task)
    expected = similarity.of_records(item, loading.finished_records(finished, item))
    assert ItemSimilarity.objects.get().value == expected < 1
