"""The protocol at the end of docs/protocols.md works as printed: installed, answered, released, imported again."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from random import Random

import orjson
import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from annotation import registry, releases
from annotation.models import Response
from annotation.setup import files
from annotation.values.records import AnnotationRecord, GivenAnswer
from frontend.bots.bot import Bot
from qualification import setup_section
from qualification.models import Attempt
from tasks.engine import queues
from tasks.items import setting_aside
from tests import builders
from tests.people import NOON, join
from tests.protocols.examples import Example
from tests.protocols.installing import installed
from tests.protocols.peers import member
from tests.protocols.playing import player_of
from tests.protocols.sentinels import judged
from tests.site import CHECKOUT, Site

PAGE = CHECKOUT / "docs" / "protocols.md"
BLOCK = re.compile(r"^#### `([^`]+)`\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PACKAGE = "true_false"
HIDDEN_FIELD = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')


@pytest.fixture(scope="module")
def written(tmp_path_factory) -> Path:
    """The folder with the files on the page."""
    folder = tmp_path_factory.mktemp("tutorial")
    for name, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def protocol(written, settings, monkeypatch):
    """The protocol, installed through INSTALLED_APPS for this test."""
    return installed(PACKAGE, written, settings, monkeypatch)


@pytest.fixture
def tides(db, protocol, tmp_path):
    """A project with two statements about one text."""
    made = builders.project("tides", PACKAGE)
    about = {"text": "The tide turns\ntwice a day.", "origin": "Zq3origin"}
    lines = [{"id": f"s{n}", "statement": f"It turns {n} times a day."} | about for n in (1, 2)]
    report = builders.load(made, builders.write_lines(tmp_path / "items.jsonl", lines))
    assert (report.items, report.refused) == (2, [])
    queues.open_queue(made, "judge", by=None, now=NOON)
    return made


class Desk:
    """One person at the work page, in a browser without scripts."""

    def __init__(self, project) -> None:
        self.client = Client()
        self.client.force_login(join(project, "alice"))
        self.project = project

    def claim(self) -> str:
        answer = self.client.post(reverse("claim", args=[self.project.slug, "judge"]))
        self.url = answer["Location"]
        return self.client.get(self.url).content.decode()

    def send(self, **fields):
        page = self.client.get(self.url).content.decode()
        return self.client.post(f"{self.url}verdict/", dict(HIDDEN_FIELD.findall(page)) | fields)


def lines_of(release) -> list[dict]:
    return [orjson.loads(line) for line in (releases.folder_of(release) / "train.jsonl").read_bytes().splitlines()]


def test_the_environment_variable_installs_it(written, tmp_path):
    site = Site(tmp_path, GOLDFINCH_PROTOCOLS=PACKAGE, PYTHONPATH=str(written))
    installed = registry.all_protocols()
    ours = [found.key for found in installed if type(found).__module__.startswith("annotation.protocols.")]
    assert f"{{{','.join(sorted([*ours, PACKAGE]))}}}" in site.manage("create_project", "--help")


def test_the_page_shows_statement_and_text_and_not_what_is_hidden(tides):
    page = Desk(tides).claim()
    assert "times a day." in page
    assert "The tide turns" in page
    assert "Zq3origin" not in page
    assert 'data-module="/static/true_false/verdict.js"' in page
    assert finders.find("true_false/verdict.js")


def test_a_quote_that_is_not_in_the_text_is_refused_and_a_missing_one_too(tides):
    desk = Desk(tides)
    desk.claim()
    for quote, message in (("thrice", "are not in the text"), ("", "Copy the words")):
        refused = desk.send(kind="true", quote=quote)
        assert refused.status_code == 422
        assert message in refused.content.decode()
    assert not Response.objects.exists()


def test_answers_survive_a_release_and_import(tides, tmp_path):
    desk = Desk(tides)
    desk.claim()
    desk.send(kind="false", quote="twice a day")
    desk.claim()
    desk.send(kind="not_said")
    release = releases.build(tides, format=PACKAGE, by=None, now=NOON)
    found = lines_of(release)
    assert [line["id"] for line in found] == ["s1", "s2"]
    verdicts = [answer["verdict"] for line in found for answer in line["answers"]]
    assert sorted(verdicts, key=len) == [
        {"kind": "not_said"},
        {"kind": "judged", "true": False, "quote": "twice a day"},
    ]

    again = builders.project("tides-again", PACKAGE)
    report = builders.load(again, releases.folder_of(release) / "train.jsonl", published=True)
    assert (report.items, report.annotations) == (2, 2)
    released = lines_of(releases.build(again, format=PACKAGE, by=None, now=NOON))
    assert [answer["verdict"] for line in released for answer in line["answers"]] == verdicts
    assert [line["origin"] for line in released] == [line["origin"] for line in found]


def test_exams_would_be_graded_by_verdict_and_quote(protocol):
    def judged(**said):
        payload = protocol.activities[0].stages[0].schema.validate_python(said)
        return AnnotationRecord("judge", (GivenAnswer("verdict", payload),))

    def graded(answer, *references):
        return {score.part.key: score.points for score in protocol.grade("judge", None, answer, references)}

    true = judged(kind="judged", true=True, quote="twice a day")
    near, silent = judged(kind="judged", true=True, quote="twice"), judged(kind="not_said")
    assert graded(near, true) == {"verdict": 1, "quote": Fraction(2, 3)}
    assert graded(near, true, near) == graded(silent, true, silent) == {"verdict": 1, "quote": 1}
    assert graded(silent, silent) == {"verdict": 1}
    assert graded(AnnotationRecord("judge", ()), true, silent) == {"verdict": 0, "quote": 0}
    assert graded(true) == {}


@pytest.mark.parametrize(("quote", "said"), [("twice a day", "You have passed"), ("turns", "Not passed")])
def test_its_course_is_sat_on_the_real_screen(tides, written, quote, said):
    lena = join(tides, "lena", "lead")
    setting_aside.set_aside(tides.items.all(), by=lena, reason="For the exam.", now=NOON)
    value, _lines = files.parsed((written / PACKAGE / "samples" / "qualifications.yaml").read_bytes())
    setup_section.make(tides, value, lena, NOON)
    desk, place = Desk(tides), [tides.slug, "judging"]
    for name, more in (("begin_course", []), ("course_guidelines", []), ("course_tutorial", ["known"])):
        desk.client.post(reverse(name, args=[*place, *more]), {"option": "0"})
    exam = desk.client.post(reverse("begin_exam", args=place))["Location"]
    desk.url = desk.client.get(exam)["Location"]
    once = Attempt.objects.get().form[0][1] == "once"
    desk.send(kind="false" if once else "true", quote=quote)
    assert said in desk.client.get(exam, follow=True).content.decode()


def test_unreadable_lines_are_refused_by_number_and_field(tides, tmp_path):
    bad = {"id": "s3", "text": "Words.", "statement": "So.", "origin": "ours"}
    answer = {"id": "a1", "worker": "w", "verdict": {"kind": "judged", "true": True}}
    path = builders.write_lines(tmp_path / "bad.jsonl", [bad | {"answers": [answer]}, {"id": "s4"}, b"{"])
    with pytest.raises(builders.run.LinesRefused) as refused:
        builders.load(tides, path, published=True)
    assert [(line.line, line.field) for line in refused.value.report.refused] == [
        (1, "answers[0].verdict"),
        (2, "statement"),
        (3, ""),
    ]


def test_bots_finish_everything_and_the_read_only_template_shows_it(tides):
    bot = Bot(join(tides, "bob"), Random(1))
    assert [bot.finish_one(tides, "judge") for _ in range(3)] == [True, True, False]
    lead = Client()
    lead.force_login(join(tides, "lena", "lead"))
    for item in tides.items.all():
        page = lead.get(reverse("item", args=[tides.slug, item.pk])).content.decode()
        assert any(words in page for words in ("<b>True</b>", "<b>False</b>", "<p>The text does not say</p>"))


def test_its_sentinels_are_seen_where_declared_and_nowhere_else(db, protocol):
    example = Example(protocol)
    project, [activity] = example.opened(), protocol.activities
    player, met = player_of(member(project, "player"), project, activity, Random(1), []), set()
    for _state in player.states():
        sent = player.client.taken() + player.look(list(example.sentinels), guesses=False, pages=False, posts=not met)
        for word, stage, exchange, may in judged(player, example.sentinels, sent):
            assert may, f"{word} at {stage}: {exchange}"
            met.add((word, stage))
    assert met == {("Zq3tide", "verdict")}
