"""A lead looks at screens of work as annotators see them, from an item's page and back. Nobody else can."""

from __future__ import annotations

import re
from random import Random

from django.urls import reverse

from annotation import registry
from annotation.models import Role
from frontend.bots.bot import Bot
from tests.builders import GOOD, NO_ANSWER, PAGE, Worker, open_papers, open_with, project, questions
from tests.disagreeing import browser
from tests.frontend.leads.every_page import addresses
from tests.frontend.leads.items.as_seen import fresh, pages_of
from tests.people import join
from tests.pictures import png
from tests.protocols.peers import finish_one


def test_the_sheet_is_the_one_that_an_annotator_gets(db):
    item, lead = fresh("qasper", "ask")
    page = next(iter(pages_of(item, lead).values()))
    alice = join(item.project, "alice")
    work = Bot(alice, None)
    own = work.client.get(work.claim(item.project, "ask"))
    assert own.context["work"].slug == item.project.slug
    assert page.context["sheet"] == own.context["sheet"]


def test_it_is_no_way_in_for_anybody_else(db):
    item, lead = fresh("nq", "annotate")
    links, elsewhere = list(pages_of(item, lead)), project("elsewhere")
    others = [
        join(item.project, "erin", Role.EXPERT),
        join(item.project, "alice"),
        join(elsewhere, "otto", Role.LEAD),
        join(elsewhere, "mallory"),
    ]
    frames = [
        link.replace("/projects/", "/page/as-seen/").replace("/items/", "/").replace("/as-seen/annotate", "/annotate")
        for link in links
    ]
    assert lead.get(frames[1]).status_code == 200
    first = reverse("as_seen_first", args=[item.project.slug, item.pk])
    for other in others:
        site = browser(other)
        for address in (first, links[0], links[-1], frames[1]):
            assert site.get(address).status_code == 404, (other.username, address)


def test_a_step_that_does_not_come_is_not_found(db):
    item, lead = fresh("nq", "annotate")
    for place in (["annotate", "one", "no_such"], ["annotate", "two", "question"], ["no_such", "one", "question"]):
        for route in ("as_seen", "as_seen_page"):
            assert lead.get(reverse(route, args=[item.project.slug, item.pk, *place])).status_code == 404
    place = ["annotate", "one", "question"]
    assert lead.get(reverse("as_seen_page", args=[item.project.slug, item.pk, *place])).status_code == 404
    assert lead.get(reverse("as_seen_image", args=[item.project.slug, item.pk, *place, 0])).status_code == 404


def test_the_page_stays_in_its_sandbox_with_its_images_inside_it(db, tmp_path):
    nq = project()
    (tmp_path / "reef.png").write_bytes(png())
    open_with(nq, tmp_path, questions(1, page=PAGE.replace("Anna Berg", '<img src="reef.png">Anna')))
    lead, item = browser(join(nq, "lena", Role.LEAD)), nq.items.get()
    frame = lead.get(reverse("as_seen_page", args=[nq.slug, item.pk, "annotate", "one", "long_answer"]))
    policy = frame["Content-Security-Policy"]
    assert "sandbox allow-scripts" in policy
    assert "default-src 'none'" in policy
    assert "img-src data:" in policy
    assert 'src="data:image/png;base64,' in frame.content.decode()


def test_a_figure_of_a_paper_is_shown_as_annotators_see_it(db):
    papers, found = open_papers(), list[str]()
    lead, ask = browser(join(papers, "lena", Role.LEAD)), registry.get("qasper").activity("ask")
    for name in ("ann", "ben", "cara", "dan"):  # several papers have figures
        finish_one(papers, ask, name, Random(1))
        found = found or [address for route, address in addresses(papers) if route == "as_seen_image"]
    [address] = found
    answer = lead.get(address)
    assert (answer.status_code, answer["Content-Type"].partition("/")[0]) == (200, "image")
    beyond = lead.get(f"{address.rstrip('/')}999/")
    assert beyond.status_code == 404


def test_the_newest_finished_annotation_says_what_came_before(db, tmp_path):
    nq = project()
    open_with(nq, tmp_path, questions(1))
    alice = Worker(join(nq, "alice"), nq)
    lead, item = browser(join(nq, "lena", Role.LEAD)), nq.items.get()
    place = [nq.slug, item.pk, "annotate", "one"]
    assert (
        "The earlier answers are made up."
        in lead.get(reverse("as_seen", args=[*place, "long_answer"])).content.decode()
    )
    held = alice.claim()
    alice.commit(held, "question", GOOD)
    alice.commit(held, "long_answer", NO_ANSWER)
    second, third = (
        lead.get(reverse("as_seen", args=[*place, step])).content.decode() for step in ("long_answer", "short_answer")
    )
    assert "The earlier answers are those of the newest annotation." in second
    assert "The earlier answers are made up." in third


def test_the_way_leads_from_the_item_and_back_to_its_place_in_the_list(lead, lights):
    item = lights.items.order_by("pk").first()
    address = reverse("item", args=[lights.slug, item.pk])
    page = lead.get(f"{address}?sort=-order&at=2").content.decode()
    [entrance] = re.findall(r'href="([^"]+/as-seen/[^"]*)"', page)
    first = lead.get(entrance.replace("&amp;", "&"), follow=True)
    assert first.redirect_chain[0][0].endswith("/annotate/one/question/?sort=-order&at=2")
    assert f'href="{address}?sort=-order&amp;at=2"' in first.content.decode()
