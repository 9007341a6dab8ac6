"""The page of a round says in words what has happened with it, but not what was said at its meeting."""

from __future__ import annotations

from html import unescape

from django.urls import reverse

from annotation.judging import rounds
from annotation.models import Role
from tasks.judging import defects, ending, raters, working
from tests.people import NOON, join
from tests.tasks.judging.judged_rounds import RaterAtWork, draft


def history(client, person, row) -> list[str]:
    """The lines, newest first, without their dates."""
    client.force_login(person)
    page = client.get(reverse("judging_round", args=["lights", row.uuid])).content.decode()
    if 'id="history"' not in page:
        return []
    lines = page.partition('id="history"')[2].partition("</ul>")[0].split("<li")[1:]
    return [unescape(" ".join(line.partition('<span dir="auto">')[2].replace("</span>", "").split())) for line in lines]


def test_each_thing_is_a_sentence_with_whose_doing_it_was(lights, lead, experts, client):
    row = draft(lights, lead, sample=2)
    emma = join(lights, "emma", Role.EXPERT)
    for expert in experts:
        raters.name(row, expert, by=lead, now=NOON)
    rounds.seal(row, by=lead, now=NOON)
    row.refresh_from_db()
    flagged = row.exhibits.select_related("item", "round__project").get(place=0)
    defects.flag(flagged, why="It is cut off.", by=lead, now=NOON)
    working.replace_rater(row.raters.get(person=experts[1]), emma, reason="He is ill.", by=lead, now=NOON)
    RaterAtWork(experts[0], lights).judge_all(row, ["C", "C"])
    working.lock(row, by=experts[0], now=NOON)
    ending.stop(row, why="No time left.", by=lead, now=NOON)
    told = [" ".join(line.rpartition("</li>")[0].split()) for line in history(client, lead, row)]
    assert told == [
        "Stopped: No time left. · lena",
        "Locked, as rater 1 · erin",
        "Began to judge · erin",
        "Rater 2 was replaced: He is ill. · lena",
        "Named as a rater: emma · lena",
        "Exhibit 1 is a defect: It is cut off. · exhibit 3 is judged instead · lena",
        "Sealed · lena",
        "Named as a rater: egon · lena",
        "Named as a rater: erin · lena",
        "Made as a draft · lena",
    ]


def test_a_meeting_is_told_by_its_end_and_what_was_settled(meeting, lead, client):
    told = history(client, lead, meeting)
    assert any(line.startswith("The meeting was opened") for line in told)
    assert not any("mark" in line.lower() for line in told)


def test_a_lead_who_rates_sees_no_history_before_they_have_locked(sealed, lead, experts, client):
    raters.name(sealed, lead, by=lead, now=NOON)
    working.begin(sealed, by=experts[0], now=NOON)
    assert history(client, lead, sealed) == []
    olga = join(sealed.project, "olga", Role.LEAD)
    assert any(line.startswith("Began to judge") for line in history(client, olga, sealed))
