"""The disputes beside the one that is shown, and more annotations asked for instead of a decision."""

from __future__ import annotations

import html
import re
from datetime import timedelta

import pytest
from django.urls import reverse

from annotation import clock
from annotation.models import Annotation, Item, Project, Role, User
from frontend.experts import disputes
from tasks.corrections import more_annotations
from tasks.disputes import who
from tasks.engine import skip_and_return
from tasks.models import ItemSimilarity, Task
from tasks.models.states import TaskState
from tests.builders import Worker
from tests.disagreeing import BAD, NOTHING, answered, box, browser, lights
from tests.factories.people import MembershipFactory, UserFactory
from tests.people import NOON, join

ANNOTATE = "annotate"


@pytest.fixture(scope="module")
def disputed_once(shared_rows, tmp_path_factory):
    """Four disputes, of which the first agrees least, and erin, an expert who has begun to see answers."""
    made = lights(tmp_path_factory.mktemp("lights"), of=4)
    found = [answered(made, box(1), box(2), BAD, names=[f"{part}-{n}" for part in "abc"]) for n in range(4)]
    for place, item in enumerate(found):
        ItemSimilarity.objects.filter(item=item).update(value=place / 10)
    who.begin(join(made, "erin", Role.EXPERT), made, now=NOON)
    return [item.pk for item in found]


@pytest.fixture
def nq(disputed_once, db, monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: NOON + timedelta(days=3))
    return Project.objects.get()


@pytest.fixture
def items(nq, disputed_once):
    return list(Item.objects.select_related("project").filter(pk__in=disputed_once).order_by("pk"))


@pytest.fixture
def erin(nq):
    return User.objects.get(username="erin")


def at(name, item):
    return reverse(name, args=[item.project.slug, ANNOTATE, item.pk])


def shown(user, item):
    return browser(user).get(at("dispute", item))


def words(response):
    return " ".join(html.unescape(response.content.decode()).split())


def state(item):
    return Task.objects.get(item=item, queue__activity=ANNOTATE).state


def test_the_disputes_beside_it_are_listed_from_the_least_agreement_with_how_long_they_are_open(erin, items):
    page = shown(erin, items[1])
    found = page.context["rail"]
    assert [(entry.item, entry.agreed, entry.here) for entry in found.entries] == [
        (item.pk, place / 10, place == 1) for place, item in enumerate(items)
    ]
    assert (found.number, found.total, found.more) == (2, 4, 0)
    assert (found.before, found.after) == (items[0].pk, items[2].pk)
    assert "open for 3 days" in words(page)
    assert "2 of 4" in words(page)


def test_a_dispute_is_as_old_as_before_once_more_annotations_are_not_asked_for_any_more(erin, items):
    task, now = Task.objects.get(item=items[1], queue__activity=ANNOTATE), NOON + timedelta(days=2)
    for _time in range(2):
        more_annotations.ask_for_more(task, count=1, by=erin, now=now)
        more_annotations.take_back(task, by=erin, now=now)
    assert state(items[1]) == TaskState.DISPUTED
    assert [entry.open_for for entry in shown(erin, items[1]).context["rail"].entries] == [3 * 24 * 3600] * 4
    more_annotations.ask_for_more(task, count=1, by=erin, now=now)
    newcomer = Worker(join(items[1].project, "dora"), items[1].project)
    while newcomer.claim(now=now).task.item != items[1]:
        newcomer.finish_bad(now=now)
    newcomer.finish_bad(now=now)
    assert state(items[1]) == TaskState.DISPUTED
    assert shown(erin, items[1]).context["rail"].entries[1].open_for == 24 * 3600


def test_of_many_those_around_it_are_listed_and_the_others_counted(monkeypatch, erin, items):
    monkeypatch.setattr(disputes, "BEFORE", 1)
    monkeypatch.setattr(disputes, "SHOWN", 3)
    page = shown(erin, items[2])
    assert [entry.item for entry in page.context["rail"].entries] == [item.pk for item in items[1:]]
    assert "and 1 more" in words(page)
    assert shown(erin, items[3]).context["rail"].after is None


def test_what_has_to_be_measured_again_comes_last(erin, items):
    ItemSimilarity.objects.filter(item=items[0]).delete()
    found = shown(erin, items[0]).context["rail"]
    assert (found.number, found.before, found.after) == (4, items[3].pk, None)
    assert [entry.agreed for entry in found.entries] == [0.1, 0.2, 0.3, None]
    assert shown(erin, items[3]).context["rail"].after == items[0].pk


def test_a_decided_one_leads_on_to_the_first_that_is_open(erin, items):
    chosen = items[0].annotations.order_by("pk").first().uuid
    browser(erin).post(at("decide_dispute", items[0]), {"chosen": chosen, "reason": "It is the smallest."})
    found = shown(erin, items[0]).context["rail"]
    assert (found.number, found.total, found.after) == (None, 3, items[1].pk)


def test_more_annotations_are_asked_for_and_that_is_undone(erin, items):
    asked = browser(erin).post(at("ask_for_more", items[0]))
    task = Task.objects.get(item=items[0])
    assert (task.state, task.slots) == ("open", 5)
    assert asked["Location"] == f"{at('dispute', items[1])}?asked={task.pk}"
    following = browser(erin).get(asked["Location"])
    undo = reverse("unask_for_more", args=[items[0].project.slug, task.pk])
    assert "Asked for 2 more annotations" in words(following)
    assert f'action="{undo}"' in following.content.decode()
    assert shown(erin, items[0]).status_code == 404
    assert browser(erin).post(undo)["Location"] == at("dispute", items[0])
    assert state(items[0]) == "disputed"
    assert "Asked for 2 more" not in words(browser(erin).get(asked["Location"]))


def test_who_decides_when_more_was_asked_for_is_told_so_and_where_to_undo_it(nq, erin, items):
    chosen = items[0].annotations.order_by("pk").first().uuid
    other = join(nq, "ernest", Role.EXPERT)
    who.begin(other, nq, now=NOON)
    browser(other).post(at("ask_for_more", items[0]))
    reader = browser(erin)
    for way in ("decide_dispute", "write_reference", "ask_for_more"):
        late = reader.post(at(way, items[0]), {"chosen": chosen, "reason": "It is the smallest."})
        task = Task.objects.get(item=items[0])
        assert late["Location"] == f"{reverse('disputes', args=[nq.slug])}?asked={task.pk}", way
        assert (task.state, task.slots) == ("open", 5), way
    page = words(reader.get(late["Location"]))
    assert "More annotations were asked for in the meantime. To decide now, undo that first." in page
    assert f'action="{reverse("unask_for_more", args=[nq.slug, task.pk])}"' in page
    assert ("ernest" in page, 'data-key="u"' in page) == (False, True)
    Worker(join(nq, "nils"), nq).claim()
    late = reader.post(at("decide_dispute", items[0]), {"chosen": chosen, "reason": "It is."})
    assert "If they disagree, too, the dispute comes back." in words(reader.get(late["Location"]))


def test_a_lead_reads_who_asked_for_more_and_when_and_that_it_cannot_be_undone_once_begun(nq, erin, items):
    lead = join(nq, "lena", Role.LEAD)
    browser(erin).post(at("ask_for_more", items[0]))
    Worker(join(nq, "d"), nq).claim()
    reader = browser(lead)
    page = words(reader.get(reader.post(at("ask_for_more", items[0]))["Location"]))
    assert "erin · " in page
    assert "so this can’t be undone" in page
    assert 'data-key="u"' not in page


def test_the_dispute_comes_back_with_the_new_answers_if_people_still_disagree(nq, erin, items):
    browser(erin).post(at("ask_for_more", items[0]))
    again = [answered(nq, NOTHING, names=[name]) for name in ("d", "e")]
    assert again == [items[0]] * 2
    assert state(items[0]) == "disputed"
    assert "5 annotations" in words(shown(erin, items[0]))


def test_why_more_was_asked_for_is_read_when_the_dispute_comes_back_and_by_no_annotator(nq, erin, items):
    why = "Is a  lamp a light?"
    following = browser(erin).post(at("ask_for_more", items[0]), {"reason": why})["Location"]
    assert "Is a lamp a light?" in words(browser(erin).get(following))
    worker = Worker(join(nq, "dan"), nq)
    held = worker.claim()
    assert held.task.item == items[0]
    assert "Is a lamp a light?" not in words(browser(worker.user).get(reverse("work", args=[held.uuid])))
    skip_and_return.skip(held, by=worker.user, reason="hard", text="", now=NOON)
    for name in ("d", "e"):
        answered(nq, NOTHING, names=[name])
    page = words(shown(erin, items[0]))
    assert "More annotations were asked for, because: Is a lamp a light?" in re.sub(r"<[^>]*>", "", page).replace(
        "  ", " "
    )
    history = browser(join(nq, "lena", Role.LEAD)).get(reverse("item_history", args=[nq.slug, items[0].pk]))
    assert "Is a lamp a light?" in words(history)


def test_whoever_may_not_decide_cannot_ask_for_more_either(nq, items):
    leading = join(nq, "a-0", Role.LEAD)
    assert browser(leading).post(at("ask_for_more", items[0])).status_code == 409
    assert browser(join(nq, "zoe")).post(at("ask_for_more", items[0])).status_code == 404
    assert state(items[0]) == "disputed"


def test_an_expert_without_consent_reads_it_first_and_comes_back_to_the_dispute(nq, items):
    expert = UserFactory(username="new")
    MembershipFactory(project=nq, user=expert, role=Role.EXPERT)
    who.begin(expert, nq, now=NOON)
    assert "Before the first one you read what is kept" in words(shown(expert, items[0]))
    to = browser(expert).post(at("write_reference", items[0]))["Location"]
    assert "back to the dispute" in words(browser(expert).get(to))
    assert browser(expert).post(to)["Location"] == at("dispute", items[0])
    assert "Before the first one" not in words(shown(expert, items[0]))
    screen = browser(expert).get(browser(expert).post(at("write_reference", items[0]))["Location"])
    assert "You write a reference for this question" in words(screen)
    assert f'href="{at("dispute", items[0])}"' in screen.content.decode()
    assert Annotation.objects.filter(author=expert).count() == 1
