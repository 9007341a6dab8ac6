"""Two experts decide one dispute at once: one wins, the other is told; and a decision meets one that is taken back."""

from __future__ import annotations

from functools import partial

import pytest

from annotation.errors import NotEligible, WrongMove
from annotation.models import Adjudication, Annotation, Event, Role
from tasks.disputes import deciding, references, who
from tasks.engine import claiming
from tasks.engine.no_work import NoWork
from tasks.models import ADJUDICATE, Assignment, Task
from tests.disagreeing import BAD, answered, box, lights
from tests.people import NOON, join
from tests.proving import size
from tests.races.rigs.crowd import together

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database_for_a_merge("postgresql")]
ROUNDS = size(5, 200)


def experts(project, *names):
    found = [join(project, name, Role.EXPERT) for name in names]
    for user in found:
        who.begin(user, project, now=NOON)
    return found


def disputed(project, number) -> Task:
    """A dispute of its own for each round: a decision that was taken back opens it again."""
    return Task.objects.select_related("queue", "item__project").exclude(queue__activity=ADJUDICATE).get(pk=number)


def decides(task, user, chosen) -> str:
    try:
        deciding.decide(task, chosen, by=user, reason="It answers the question.", now=NOON)
    except WrongMove:
        return "told"
    return "decided"


def takes_back(task, user) -> str:
    try:
        deciding.take_back(task, by=user, reason="A slip.", now=NOON)
    except WrongMove:
        return "told"
    return "taken back"


def test_of_experts_who_decide_at_once_one_wins_and_the_others_are_told(tmp_path, crossings):
    project = lights(tmp_path)
    item = answered(project, box(1), box(2), BAD)
    number, people = Task.objects.get(item=item).pk, experts(project, "erin", "ernest", "edda")
    choices = list(item.annotations.values_list("uuid", flat=True))
    for turn in range(ROUNDS):
        acts = [partial(decides, disputed(project, number), *pair) for pair in zip(people, choices, strict=True)]
        assert sorted(together(acts)) == ["decided", "told", "told"]
        [standing] = Adjudication.objects.filter(taken_back_at=None)
        assert Adjudication.objects.count() == turn + 1
        assert Task.objects.get(pk=number).state == "done"
        assert Event.objects.filter(kind="adjudication.decided").count() == turn + 1
        deciding.take_back(disputed(project, number), by=standing.by, reason="Once more.", now=NOON)


def test_a_decision_taken_back_twice_at_once_is_taken_back_once(tmp_path, crossings):
    project = lights(tmp_path)
    item = answered(project, box(1), box(2), BAD)
    number, [erin] = Task.objects.get(item=item).pk, experts(project, "erin")
    lena = join(project, "lena", Role.LEAD)
    chosen = item.annotations.first().uuid
    for turn in range(ROUNDS):
        deciding.decide(disputed(project, number), chosen, by=erin, reason="It answers.", now=NOON)
        acts = [partial(takes_back, disputed(project, number), user) for user in (erin, lena)]
        assert sorted(together(acts)) == ["taken back", "told"]
        assert Event.objects.filter(kind="adjudication.taken_back").count() == turn + 1
        assert Task.objects.get(pk=number).state == "disputed"


def test_one_expert_who_opens_their_own_answer_twice_at_once_has_one(tmp_path, crossings):
    for turn in range(ROUNDS):
        folder = tmp_path / str(turn)
        folder.mkdir()
        project = lights(folder, slug=f"lights-{turn}")
        item = answered(project, box(1), box(2), BAD, names=[f"{name}{turn}" for name in "abc"])
        [erin] = experts(project, "erin")
        number = Task.objects.get(item=item).pk
        acts = [
            partial(references.write, disputed(project, number), by=erin, now=NOON),
            partial(references.write, disputed(project, number), by=erin, now=NOON),
        ]
        one, other = together(acts)
        assert one.uuid == other.uuid
        assert Annotation.objects.filter(item=item, author=erin).count() == 1
        assert Assignment.objects.filter(annotator=erin, annotation__item=item).count() == 1


def test_an_expert_either_gets_work_or_sees_answers(tmp_path, crossings):
    project = lights(tmp_path, people=ROUNDS + 1)

    def claims(user) -> str:
        try:
            got = claiming.claim(project, "annotate", by=user, now=NOON)
        except NotEligible:
            return "refused"
        return "nothing" if isinstance(got, NoWork) else "work"

    def begins(user) -> str:
        try:
            who.begin(user, project, now=NOON)
        except WrongMove:
            return "refused"
        return "sees"

    found = set()
    for turn in range(ROUNDS):
        user = join(project, f"expert-{turn}", Role.EXPERT)
        found.add(tuple(together([partial(claims, user), partial(begins, user)])))
    assert found <= {("work", "refused"), ("refused", "sees")}
