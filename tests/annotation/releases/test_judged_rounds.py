"""A release has each judging round that is over in a file of its own, and its data card cites it."""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from collections import Counter
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from annotation import releases
from annotation.engine import recording
from annotation.judging import draw, rounds
from annotation.models import Annotation
from annotation.releases.rebuild import rebuild
from frontend.server import file_sender
from tasks.judging import raters, working
from tasks.measuring import judging_rounds
from tests.builders import reload
from tests.people import NOON
from tests.tasks.judging.checked_rounds import sealed_with_checks
from tests.tasks.judging.judged_once import answered_once, lights
from tests.tasks.judging.judged_rounds import RaterAtWork, draft, experts, lead, sealed
from tests.tasks.judging.test_draws import alike, sealed_with

__all__ = ["alike", "answered_once", "experts", "lead", "lights", "sealed"]

MARKS = (["C", "Cd", "W"], ["C", "C", "C"])
"""Of two raters, in the order of the draw."""


def judge(row, expert, marks, *, now=NOON):
    """Judge the exhibits in the order of the draw, with a comment that names somebody for each W, and lock."""
    rater = RaterAtWork(expert, row.project)
    held = working.work_in(working.begin(row, by=expert, now=now))
    for work, mark in zip(sorted(held, key=lambda work: work.annotation.exhibit.place), marks, strict=True):
        rater.judge(reload(work), mark, comment="Ask erin, or ada." if mark == "W" else "", now=now)
    working.lock(row, by=expert, now=now)


@pytest.fixture
def judged(sealed, experts):
    for expert, marks in zip(experts, MARKS, strict=True):
        judge(sealed, expert, marks)
    return sealed


def build(project, **options):
    return releases.build(project, format="nq", by=None, now=NOON, partial=True, **options)


def lines(folder, name="rounds/long-answers.jsonl"):
    return [json.loads(line) for line in (folder / name).read_bytes().splitlines()]


def test_each_exhibit_has_a_line_with_what_was_shown_and_the_marks_and_names_nobody(lights, judged, experts):
    folder = releases.folder_of(build(lights))
    found = lines(folder)
    assert [line["marks"] for line in found] == [{"r1": a, "r2": b} for a, b in zip(*MARKS, strict=True)]
    assert [line["item"] for line in found] == [each.item.external_id for each in judged.exhibits.order_by("place")]
    assert [line["shown"] for line in found] == [each.shown for each in judged.exhibits.order_by("place")]
    assert found[2]["comments"] == {"r1": "Ask [person], or [person]."}
    text = json.dumps(found)
    for person in (*experts, lights.memberships.get(user__username="ada").user):
        assert person.username not in text
        assert person.worker_code not in text
    ids = {str(each.annotation.uuid) for each in judged.exhibits.all()}
    ids |= {one["id_hex"] for member in map(json.loads, (folder / "members.jsonl").read_text().splitlines())
            for one in member["annotations"]}  # fmt: skip
    assert not any(each in text for each in ids)


def test_the_manifest_says_what_was_sealed_and_found(lights, judged):
    folder = releases.folder_of(build(lights))
    [entry] = json.loads((folder / "manifest.json").read_bytes())["rounds"]
    data = (folder / entry["name"]).read_bytes()
    assert (entry["bytes"], entry["sha256"]) == (len(data), hashlib.sha256(data).hexdigest())
    about = entry["round"]
    assert (about["sha256"], about["seed"], about["population"]) == (judged.sha256, "7", 3)
    assert about["raters"] == 2
    assert about["results"]["by_rater"] == {"r1": {"C": 1, "Cd": 1, "W": 1}, "r2": {"C": 3, "Cd": 0, "W": 0}}
    assert f"{entry['sha256']}  {entry['name']}" in (folder / "SHA256SUMS").read_text()
    with zipfile.ZipFile(folder / "lights-1.zip") as archive:
        assert archive.read(entry["name"]) == data


def test_the_card_says_what_the_file_says(lights, judged):
    folder = releases.folder_of(build(lights))
    card = (folder / "README.md").read_text()
    section = card.split("## How good the answers are")[1].split("\n## ")[0]
    given = Counter(mark for line in lines(folder) for mark in line["marks"].values())
    table = [[cell.strip() for cell in row.strip("|").split("|")] for row in re.findall(r"^\|.*\|$", section, re.M)]
    told = {row[0].split()[0]: row for row in table[2:]}
    rubric = json.loads((folder / "manifest.json").read_bytes())["rounds"][0]["round"]["rubric"]
    for mark in rubric["marks"]:
        row = next(row for row in table[2:] if row[0] == mark["title"])
        assert row[1] == f"{100 * given[mark['key']] / given.total():.1f} %"
        assert row[4] == f"{given[mark['key']]} of {given.total()}"
    assert told["Right"][1] == "83.3 %"
    assert "2 people judged 3 exhibits, of 3 drawn from 3" in section
    assert judged.sha256 in section
    same = sum(len(set(line["marks"].values())) == 1 for line in lines(folder))
    assert f"The same mark from all: {same} of 3 exhibits." in section


def test_a_round_in_which_somebody_still_judges_is_in_no_release(lights, sealed, experts):
    judge(sealed, experts[0], MARKS[0])
    folder = releases.folder_of(build(lights))
    assert not (folder / "rounds").exists()
    assert "rounds" not in json.loads((folder / "manifest.json").read_bytes())
    assert "How good the answers are" not in (folder / "README.md").read_text()


def test_a_rebuild_gives_the_same_bytes_though_marks_came_later(lights, lead, sealed, experts, tmp_path):
    before = build(lights)
    for expert, marks in zip(experts, MARKS, strict=True):
        judge(sealed, expert, marks)
    after = build(lights)
    for release in (before, after):
        again = tmp_path / str(release.version)
        again.mkdir()
        rebuild(release, again)
        kept = releases.folder_of(release)
        for path in (path for path in kept.rglob("*") if path.is_file()):
            assert (again / path.relative_to(kept)).read_bytes() == path.read_bytes()
    assert (tmp_path / "2" / "rounds" / "long-answers.jsonl").exists()
    assert not (tmp_path / "1" / "rounds").exists()


def test_a_round_that_was_locked_after_the_cut_off_is_left_out_and_one_at_it_is_not(lights, sealed, experts):
    later = NOON + timedelta(hours=1)
    for expert, marks in zip(experts, MARKS, strict=True):
        judge(sealed, expert, marks, now=later)
    early, at = (releases.folder_of(build(lights, until=when)) for when in (NOON, later))
    assert not (early / "rounds").exists()
    assert len(lines(at)) == 3


def test_what_is_not_in_the_release_has_no_line_and_the_results_stay_those_of_the_round(lights, judged):
    by_place = list(judged.exhibits.order_by("place"))
    recording.exclude(by_place[0].annotation, by=None, reason="spam", now=NOON)
    item = by_place[1].item
    folder = releases.folder_of(build(lights, without=[f"{item.kind}/{item.external_id}"]))
    assert [line["place"] for line in lines(folder)] == [2]
    [entry] = json.loads((folder / "manifest.json").read_bytes())["rounds"]
    assert (entry["records"], entry["round"]["results"]["exhibits"]) == (1, 3)


def test_two_rounds_of_one_title_have_files_of_their_own(lights, lead, judged, experts):

    other = draft(lights, lead)
    raters.name(other, experts[0], by=lead, now=NOON)
    rounds.seal(other, by=lead, now=NOON)
    judge(other, experts[0], MARKS[0])
    folder = releases.folder_of(build(lights))
    assert sorted(path.name for path in (folder / "rounds").iterdir()) == ["long-answers-2.jsonl", "long-answers.jsonl"]


def test_a_lead_saves_the_file_from_the_page_of_the_release(lights, lead, judged):
    build(lights)
    client = Client()
    client.force_login(lead)
    address = reverse("release_file", args=["lights", 1, "rounds/long-answers.jsonl"])
    assert address in client.get(reverse("release", args=["lights", 1])).content.decode()
    answer = client.get(address)
    assert answer.headers[file_sender.HEADER].endswith("lights/1/rounds/long-answers.jsonl")
    assert 'filename="long-answers.jsonl"' in answer.headers["Content-Disposition"]
    for other in ("rounds/other.jsonl", "rounds/../members.jsonl", "rounds/"):
        assert client.get(f"{reverse('release', args=['lights', 1])}{other}").status_code == 404


def test_the_file_says_what_was_copied_and_has_nothing_of_practice(lights, lead, experts, alike):
    row = sealed_with(lights, lead, experts[:1], practice=1)
    judge(row, experts[0], "C" * working.work_in(working.begin(row, by=experts[0], now=NOON)).count())
    found = lines(releases.folder_of(build(lights)))
    drawn = list(draw.judged(row).order_by("place").values_list("place", "same_as__place"))
    assert [(line["place"], line["same_as"]) for line in found] == drawn
    assert len(drawn) == 3
    assert all(line["marks"] == {"r1": "C"} for line in found)


def test_what_was_said_to_checks_is_in_the_file_the_manifest_and_the_card(lights, lead, experts):
    row = sealed_with_checks(lights, lead, experts[:1])
    rater, said = RaterAtWork(experts[0], lights), [{"named": True, "dates": [1, 4]}, {"dates": [3, 4]}, {}]
    held = working.work_in(working.begin(row, by=experts[0], now=NOON)).select_related("annotation__exhibit")
    for work in held:
        rater.judge(reload(work), "C", **({"checks": each} if (each := said[work.annotation.exhibit.place]) else {}))
    working.lock(row, by=experts[0], now=NOON)
    folder = releases.folder_of(build(lights))
    assert [line["checks"] for line in lines(folder)] == [{"r1": each} if each else {} for each in said]
    [entry] = json.loads((folder / "manifest.json").read_bytes())["rounds"]
    found = entry["round"]["results"]["checks"]
    assert found["named"]["all"] == {"yes": 1, "no": 0, "unanswered": 2}
    card = (folder / "README.md").read_text()
    assert "- Said beside the mark, It names the keeper: yes 1, no 0, not answered 2." in card
    assert "- Said beside the mark, Dates: 4 of 8 in all, in the mean 50.0 %, answered 2, not answered 1." in card
    again = folder.parent / "again"
    again.mkdir()
    rebuild(lights.releases.get(), again)
    assert (again / entry["name"]).read_bytes() == (folder / entry["name"]).read_bytes()


def test_a_round_without_checks_has_no_word_of_them(lights, judged):
    folder = releases.folder_of(build(lights))
    assert not any("checks" in line for line in lines(folder))
    [entry] = json.loads((folder / "manifest.json").read_bytes())["rounds"]
    assert "checks" not in entry["round"]["results"]
    assert "beside the mark" not in (folder / "README.md").read_text()


def test_the_file_says_which_judgement_was_a_repeat_of_which(lights, lead, experts):
    """Read by itself, the file gives the self-consistency that the page shows."""
    row = sealed_with(lights, lead, experts, repeats=50)
    for expert in experts:
        worker, held = RaterAtWork(expert, lights), working.work_in(working.begin(row, by=expert, now=NOON))
        for work in held.select_related("annotation__exhibit"):
            second = work.annotation.round == 2
            comment = "erin: now I doubt it." if second else ""
            mark = "W" if second and expert == experts[0] else "C"
            worker.judge(reload(work), mark, comment=comment)
        working.lock(row, by=expert, now=NOON)
    found = lines(releases.folder_of(build(lights)))
    assert all(set(line["marks"].values()) == {"C"} for line in found)  # the first mark is the one that counts
    pairs = [(rater, line["marks"][rater], said["mark"]) for line in found for rater, said in line["again"].items()]
    shown = judging_rounds.measure(row)["self_consistency"]
    for number, rater in (("1", "r1"), ("2", "r2")):
        same = [first == second for who, first, second in pairs if who == rater]
        assert (shown[number]["n"], shown[number]["same"][0]) == (len(same), sum(same) / len(same))
    assert {said["comment"] for line in found for said in line["again"].values()} == {"[person]: now I doubt it."}
    came_twice = {(f"r{number}", place) for number, place in Annotation.with_trials.filter(
        exhibit__round=row, round=2).values_list("author__rated_rounds__number", "exhibit__place")}  # fmt: skip
    assert {(rater, line["place"]) for line in found for rater in line["again"]} == came_twice


def test_without_repeats_nothing_came_again(lights, judged):
    assert all(line["again"] == {} for line in lines(releases.folder_of(build(lights))))
