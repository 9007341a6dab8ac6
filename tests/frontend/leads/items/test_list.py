"""The list of items: filtered, sorted, searched and paged by its address."""

from __future__ import annotations

from django.urls import reverse

from annotation.models import User
from frontend.leads.items import filters, listing
from frontend.leads.items.filters import Filter, filter_of
from tasks.models import Task
from tests.builders import open_with, project, questions
from tests.disagreeing import answered, box, browser
from tests.disagreeing import lights as disagreeing
from tests.people import join

ALL = [0, 1, 2, 3, 10, 11]


def code(name: str) -> str:
    return User.objects.get(username=name).worker_code


def test_every_item_is_listed_with_what_was_made_of_it(lead, lights):
    rows = lead.get(reverse("items", args=[lights.slug])).context["listed"].rows
    assert [row.caption for row in rows] == [f"who tended light number {number}" for number in ALL]
    assert [(row.finished, row.wanted, row.excluded) for row in rows[:3]] == [(1, 1, 0), (0, 0, 1), (0, 1, 0)]
    assert [row.state for row in rows[:3]] == ["done", "done", "open"]
    assert (rows[3].reported, rows[4].wanted) == (1, 2)


WANTED = [
    ({"split": "dev"}, [10, 11]),
    ({"state": "done"}, [0, 1]),
    ({"state": "open"}, [2, 3, 10, 11]),
    ({"state": "none"}, []),
    ({"state": "at_work"}, []),
    ({"skipped": "1"}, [2]),
    ({"reported": "1"}, [3]),
    ({"excluded": "1"}, [1]),
    ({"since": "2026-11-21"}, [1]),
    ({"until": "2026-11-20"}, [0]),
    ({"skipped": "1", "since": "2026-11-21"}, []),
    ({"activity": "annotate"}, ALL),
    ({"activity": "dance"}, []),
    ({"q": "NUMBER 1"}, [0, 1, 10, 11]),
    ({"q": "number light tended"}, ALL),
    ({"q": "harbour"}, []),
    ({"split": "dev", "q": "11"}, [10, 11]),
]


def test_the_address_says_which_items_are_listed(listed):
    for query, numbers in WANTED:
        assert listed(**query) == numbers, query


def test_ended_are_those_that_are_done_or_disputed(listed, lights):
    Task.objects.filter(queue__project=lights, state="done").first().item.tasks.update(state="disputed")
    assert (listed(state="ended"), listed(state="disputed")) == ([0, 1], [0])


def test_the_page_lists_what_its_address_says(lead, lights, listed):
    query = {"split": "dev", "sort": "-order"}
    page = lead.get(reverse("items", args=[lights.slug]), query)
    assert [int(row.caption.rsplit(" ", 1)[1]) for row in page.context["listed"].rows] == listed(**query) == [11, 10]
    assert page.content.decode().index("light number 11") < page.content.decode().index("light number 10")


def test_a_person_is_named_by_code_and_every_filter_is_about_them(listed, lights):
    assert listed(person=code("alice")) == [0]
    assert listed(person=code("carol")) == [2, 3]
    assert listed(person=code("carol"), skipped="1") == [2]
    assert listed(person=code("alice"), skipped="1") == []
    assert listed(person=code("bob"), excluded="1", since="2026-11-21") == [1]
    assert listed(person=code("bob"), since="2026-11-21", until="2026-11-21") == [1]
    assert listed(person="nobody") == []
    assert listed(person="lena") == []


def test_a_queue_is_named_by_its_key(listed, lights):
    assert listed(queue=str(lights.queues.get().pk)) == ALL
    assert listed(queue="999999") == []


SORTED = [
    ("order", 0),
    ("-order", 11),
    ("-finished", 1),
    ("finished", 0),
    ("-annotations", 0),
    ("annotations", 1),
    ("id", 0),
    ("", 0),
]


def test_the_address_says_how_they_are_sorted(listed):
    for sort, first in SORTED:
        found = listed(sort=sort)
        assert (found[0], sorted(found)) == (first, ALL), sort


def test_the_lowest_agreement_comes_first_and_what_was_not_measured_last(db, tmp_path):
    two = disagreeing(tmp_path, people=2, slug="two")
    answered(two, box(1), box(6))
    answered(two, box(1), box(1))
    rows = listing.listed(two, Filter(sort="agreement")).rows
    assert [row.agreement for row in rows] == sorted(row.agreement for row in rows)
    assert rows[0].agreement < rows[1].agreement == 1
    assert listing.listed(two, Filter(sort="-agreement")).rows[0] == rows[1]


def test_items_come_in_pages_of_fifty_with_the_filters_kept(db, tmp_path):
    many = project("many")
    open_with(many, tmp_path, questions(120))
    first = listing.listed(many, Filter())
    assert (len(first.rows), first.first, first.last, first.count) == (50, 1, 50, 120)
    last = listing.listed(many, Filter(page=3))
    assert (len(last.rows), last.first, last.previous, last.next) == (20, 101, 2, None)
    assert listing.listed(many, Filter(page=9)).rows == first.rows
    assert Filter(q="a b", split="dev", page=2).address(page=3) == "q=a+b&split=dev&page=3"


def test_the_number_of_queries_does_not_grow_with_the_items(db, tmp_path, django_assert_num_queries):
    few = project("few")
    open_with(few, tmp_path, questions(2))
    with django_assert_num_queries(7):
        listing.listed(few, Filter())
    open_with(few, tmp_path, questions(30, start=2))
    with django_assert_num_queries(7):
        listing.listed(few, Filter())


def test_items_that_people_make_are_found_by_their_words(db, tmp_path):
    from importlib import import_module

    from django.apps import apps

    from annotation.models import ItemText

    made = project("made")
    open_with(made, tmp_path, questions(2))
    given = list(ItemText.objects.order_by("item").values_list("item", "text"))
    assert given[0][1] == "who tended light number 0\n1"
    ItemText.objects.all().delete()
    assert listing.listed(made, Filter(q="light")).rows == []
    import_module("annotation.migrations.0016_texts_of_items").fill(apps, None)
    assert list(ItemText.objects.order_by("item").values_list("item", "text")) == given


def test_an_import_that_is_not_done_is_not_listed(db, tmp_path):
    hidden = project("hidden")
    open_with(hidden, tmp_path, questions(2))
    job = hidden.jobs.get()
    job.state = job.State.RUNNING
    job.save()
    assert listing.listed(hidden, Filter()).rows == []


def test_without_items_and_without_matches_the_page_says_what_to_do(lead, lights, django_user_model):
    page = lead.get(reverse("items", args=[lights.slug]), {"q": "zebra"}).content.decode()
    assert "match" in page
    assert "Show all" in page
    assert filter_of({"q": "\x00\ud800 zebra"}).q == "zebra"
    assert filters.filter_of({"page": "-3"}).page == 1


def test_an_empty_list_leads_to_the_import_and_offers_no_filters(db):
    empty = project("empty")
    text = browser(join(empty, "lena-of-nothing", "lead")).get(reverse("items", args=[empty.slug])).content.decode()
    assert "Nothing has been imported yet" in text
    assert text.count(f'href="{reverse("imports", args=[empty.slug])}"') == 2
    assert 'role="search"' not in text


def test_days_that_are_chosen_are_written_as_everywhere_else(lead, lights):
    shown = lead.get(reverse("items", args=[lights.slug]), {"since": "2026-11-09", "until": "2026-11-27"})
    assert [chip.text for chip in shown.context["chips"]] == ["from 9 November 2026", "until 27 November 2026"]
