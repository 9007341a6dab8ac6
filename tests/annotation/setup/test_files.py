"""A set-up is a YAML file: what is written is read back as it was, and what is wrong is named by place and line."""

from __future__ import annotations

import pytest

from annotation import registry
from annotation.models import GuidelineVersion, Project
from annotation.setup import files, schema
from annotation.setup.schema import Setup, SetupRefused, checked_values
from tasks.setup import opening, outline
from tests.builders import project
from tests.people import NOON, join

TEXTS = [
    "# Judge\n\nRead *all* of it.\n",
    "two spaces  \nbreak a line\n",
    "\ttab, \u2028 line separator, \x85 next line, emoji 🐦, 中文\n",
    "no line feed at the end",
    "---\n...\n%TAG\n# no comment\n- yes: no\n",
    "  indented\nthan not\n",
    "'quotes' and \"more\": `code`\n",
]
FILE = """\
goldfinch: 1
protocol: nq
title: Lights
config:
  pay: 12.60 EUR an hour
  activities:
    annotate:
      overlap:
        train: 2
"""


def wrong(text: str | bytes) -> list[tuple[str, int | None]]:
    with pytest.raises(SetupRefused) as refused:
        files.read(text if isinstance(text, bytes) else text.encode())
    assert all(str(each.message) for each in refused.value.wrong)
    return [(each.place, each.line) for each in refused.value.wrong]


@pytest.mark.parametrize("text", TEXTS)
def test_any_text_comes_back_as_it_was_written(text):
    setup = Setup(protocol="nq", title="a: title # with yes", guidelines=text, consent=text)
    assert files.read(files.write(setup, heading="of a project\nin two lines").encode()) == setup


@pytest.mark.parametrize("protocol", [protocol.key for protocol in registry.all_protocols()])
def test_a_project_made_from_the_file_of_another_is_set_up_like_it(db, protocol):
    first = project("first", protocol, pay="12.60 EUR an hour", fast_share=0.3)
    lena = join(first, "lena", "lead")
    activity = registry.get(protocol).activities[0].key
    opening.open_queue(first, activity, numbers=opening.QueueSettings(77, 0.5), by=lena, now=NOON)
    written = outline.setup_of(first)
    read = files.read(files.write(written).encode())
    assert read == written
    second = schema.make_project(read.model_copy(update={"slug": "second"}), by=lena, now=NOON)
    again = outline.setup_of(second)
    assert again == written.model_copy(update={"slug": "second"})
    assert again.config["activities"][activity]["lease_minutes"] == 77
    assert second.config["seed"] != first.config["seed"]
    texts = GuidelineVersion.objects.filter(number=1).values_list("text", "fast_share").distinct()
    assert list(texts) == [(registry.get(protocol).guideline(), 0.3)]


@pytest.mark.parametrize(
    ("change", "place", "line"),
    [
        (("pay:", "pays:"), "config.pays", 5),
        (("train: 2", "train: -1"), "config.activities.annotate.overlap.train", 9),
        (("train: 2", "train: yes"), "config.activities.annotate.overlap.train", 9),
        (("train: 2", "train: {base: 1, more: 2}"), "config.activities.annotate.overlap.train.share", 9),
        (("overlap:", "overlaps:"), "config.activities.annotate.overlaps", 8),
        (("annotate:", "talk:"), "config.activities.talk", 7),
        (("protocol: nq", "protocol: cuneiform"), "protocol", 2),
        (("title: Lights", "title:"), "title", 3),
        (("title: Lights\n", ""), "title", None),
        (("goldfinch: 1", "goldfinch: 2"), "goldfinch", 1),
        (("  pay: 12.60 EUR an hour", "  pay: 1\n  pay: 2"), "config.pay", 6),
        (("  pay: 12.60 EUR an hour", "  seed: mine"), "config.seed", 5),
        (("title: Lights", "title: Lights\nitems: []"), "items", 4),
    ],
)
def test_a_mistake_is_named_by_its_place_and_line(change, place, line):
    assert (place, line) in wrong(FILE.replace(*change))


def test_every_mistake_is_named_at_once():
    assert len(wrong(FILE.replace("pay:", "pays:").replace("overlap:", "overlaps:"))) == 2


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"", None),
        (b"- a list\n", None),
        (b"\xff\xfe\x00", None),
        (b"title: [unclosed\n", 2),
        (b"a: &x 1\nb: *x\n", 2),
        (b"a: " + 20_000 * b"[" + 20_000 * b"]", 1),
        (b"goldfinch: 1\nprotocol: nq\ntitle: !!python/object/apply:os.system [ls]\n", 3),
        (b'goldfinch: 1\nprotocol: nq\ntitle: "a\\0b"\n', None),
        (b"goldfinch: 99999999999999999999999\nprotocol: nq\ntitle: a\n", None),
        (b"x: " + files.LARGEST * b"a", None),
    ],
)
def test_what_is_no_set_up_at_all_is_refused(data, line):
    assert line in [at for _place, at in wrong(data)]


def test_two_projects_can_not_have_the_same_address_nor_one_of_the_sites_own(db):
    lena = join(project("first"), "lena", "lead")
    for slug in ("first", "new", "with space", ""):
        with pytest.raises(SetupRefused):
            schema.make_project(checked_values({"protocol": "nq", "slug": slug, "title": "x"}), by=lena, now=NOON)
    assert Project.objects.count() == 1
