"""Paragraphs have no id in their file: what they say makes them known, and releases have them where the file does."""

import json
from dataclasses import replace
from hashlib import sha256

import pytest

from annotation import releases
from annotation.imports import insert, run
from annotation.models import Item
from annotation.parsing.sources import FileSource
from annotation.protocols.squad import reading
from annotation.protocols.squad.protocol import PROTOCOL
from annotation.releases import rebuild
from tests.builders import load, project
from tests.people import NOON
from tests.protocols.squad.builders import CONTEXT, answer, article, file_v2, paragraph, question


@pytest.fixture
def articles(db):
    return project("articles", "squad")


def take_in(into, tmp_path, *found, name="dev-v2.0.json", published=True, **options):
    path = tmp_path / name
    path.write_text(json.dumps(file_v2(*found)))
    return load(into, path, published=published, **options)


def build(from_):
    return releases.build(from_, format="v2.0", by=None, now=NOON)


def released(from_):
    """The articles of a release."""
    return json.loads((releases.folder_of(build(from_)) / "dev-v2.0.json").read_bytes())["data"]


def text(number, *questions, **fields):
    """A paragraph that says a number."""
    return paragraph(*questions, context=f"{CONTEXT} {number}", **fields)


def by_place(source):
    """The items of a file with the ids that earlier versions gave to paragraphs: made of their places."""

    def name(*parts):
        return sha256("\n".join(map(str, parts)).encode()).hexdigest()[:24]

    names, group = {}, ""
    for item in reading.read(source):
        if item.kind == "question":
            yield replace(item, parent=("paragraph", names[item.parent[1]]))
            continue
        place, context = item.payload["place"], item.documents[0].source.decode()
        if place == 1:
            group = name(item.split, item.line, item.payload["title"], context)
        names[item.external_id] = name(group, place - 1, context)
        yield replace(
            item, external_id=names[item.external_id], payload=item.payload | {"article": group}, unnamed=False
        )


@pytest.fixture
def as_before(monkeypatch):
    """Return a function that imports articles as versions did that named paragraphs by their places."""

    def bring(into, tmp_path, *found, **options):
        with monkeypatch.context() as patched:
            patched.setattr(PROTOCOL, "read", by_place, raising=False)
            patched.setattr(PROTOCOL, "unnamed", {}, raising=False)
            return take_in(into, tmp_path, *found, **options)

    return bring


FIRST = article(text(1, question(1), page=7), text(2, question(2, answer(), answer("Holt"))), title="First", url="x")
SECOND = article(text(1, question(80)), text(1), text(1), title="Second")
NEW = article(text(1, question(90)), title="New")


def rows():
    columns = ("kind", "external_id", "split", "payload", "content_sha256", "position", "root__external_id", "job")
    return list(Item.objects.order_by("pk").values_list("pk", *columns))


def test_what_older_versions_named_by_place_is_known_and_keeps_its_ids(articles, tmp_path, as_before):
    as_before(articles, tmp_path, FIRST, SECOND)
    before, first = rows(), build(articles)
    longer = article(text(9), *FIRST["paragraphs"], title="First", url="x")
    report = take_in(articles, tmp_path, NEW, SECOND, longer)
    assert (report.items, report.adopted, report.refused) == (3, 8, [])
    assert rows()[:8] == before
    (tmp_path / "again").mkdir()
    rebuild.rebuild(first, tmp_path / "again")
    for path in releases.folder_of(first).iterdir():
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()
    assert released(articles) == [longer, SECOND, NEW]


def test_the_same_file_is_known_as_a_whole_after_an_update(articles, tmp_path, as_before):
    as_before(articles, tmp_path, FIRST, SECOND)
    report = take_in(articles, tmp_path, FIRST, SECOND)
    assert (report.items, report.adopted) == (0, 8)
    assert released(articles) == [FIRST, SECOND]


def test_paragraphs_come_out_in_the_order_of_the_file_that_has_grown(articles, tmp_path):
    old = [text(1, question(1)), text(2), text(3, question(3))]
    take_in(articles, tmp_path, article(*old), SECOND)
    once = article(text(4, question(4)), old[0], old[1], text(5), text(6), old[2], text(7))
    assert take_in(articles, tmp_path, once, SECOND).items == 5
    assert released(articles) == [once, SECOND]
    twice = article(text(8), *once["paragraphs"][:3], text(9), *once["paragraphs"][3:], text(10))
    assert take_in(articles, tmp_path, twice, SECOND, NEW).items == 5
    assert released(articles) == [twice, SECOND, NEW]


def test_a_file_in_another_order_changes_no_release(articles, tmp_path):
    take_in(articles, tmp_path, FIRST, SECOND)
    turned = [article(*reversed(one["paragraphs"]), title=one["title"]) for one in (SECOND, FIRST)]
    turned[1]["url"] = "x"
    before = rows()
    assert take_in(articles, tmp_path, *turned).items == 0
    assert rows() == before
    assert released(articles) == [FIRST, SECOND]


def test_new_questions_come_after_those_of_their_paragraph(articles, tmp_path):
    take_in(articles, tmp_path, article(text(1, question(1), question(2))))
    report = take_in(articles, tmp_path, article(text(1, question(3), question(1), question(4), question(2))))
    assert (report.items, report.adopted) == (2, 3)
    assert released(articles) == [article(text(1, question(1), question(2), question(3), question(4)))]


def test_an_article_that_begins_like_another_one_is_a_second_one(articles, tmp_path):
    take_in(articles, tmp_path, article(text(1, question(1)), text(2)))
    other = article(text(1, question(2)), text(3))
    report = take_in(articles, tmp_path, other, article(text(1, question(1)), text(2)))
    assert (report.items, report.adopted) == (3, 3)
    assert released(articles) == [article(text(1, question(1)), text(2)), other]


def test_articles_without_paragraphs_come_in_once(articles, tmp_path):
    empty, last = article(title="Empty"), article(title="Last")
    take_in(articles, tmp_path, empty, FIRST, SECOND, last)
    report = take_in(articles, tmp_path, empty, NEW, empty, FIRST, SECOND, last, article(text(5)), last)
    assert (report.items, report.adopted) == (3, 8)
    assert released(articles) == [empty, FIRST, SECOND, last, empty, NEW, last, article(text(5))]
    assert take_in(articles, tmp_path, empty, article(text(6)), FIRST, SECOND, last).items == 1
    assert released(articles)[-1] == article(text(6))


def test_a_paragraph_that_moved_to_another_split_is_known(articles, tmp_path):
    take_in(articles, tmp_path, FIRST)
    Item.objects.update(split="train")
    report = take_in(articles, tmp_path, FIRST, NEW)
    assert (report.items, report.adopted) == (2, 4)


def test_what_is_new_in_an_article_that_moved_to_another_split_goes_there(articles, tmp_path):
    take_in(articles, tmp_path, FIRST, SECOND)
    first = Item.objects.get(external_id=question(1)["id"]).root
    Item.objects.filter(payload__article=first.payload["article"]).update(split="train")
    more = article(text(5, question(5)), *FIRST["paragraphs"], title="First", url="x")
    for items in (2, 0):
        assert take_in(articles, tmp_path, more, SECOND).items == items
    new = Item.objects.get(external_id=question(5)["id"])
    assert (new.split, new.root.split) == ("train", "train")


def test_the_same_articles_in_another_split_are_others(articles, tmp_path):
    take_in(articles, tmp_path, article(text(1)), published=False)
    report = take_in(articles, tmp_path, article(text(1)), name="train-v2.0.json", published=False)
    assert (report.items, report.adopted) == (1, 0)


def test_a_grown_file_whose_import_was_killed_is_resumed(articles, tmp_path, monkeypatch):
    take_in(articles, tmp_path, FIRST)
    longer = article(text(9, question(9)), *FIRST["paragraphs"], title="First", url="x")
    real, calls = insert._insert, []

    def killed(*args, **kwargs):
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return real(*args, **kwargs)

    monkeypatch.setattr(insert, "BATCH", 2)
    with monkeypatch.context() as patched:
        patched.setattr(insert, "_insert", killed)
        with pytest.raises(KeyboardInterrupt):
            take_in(articles, tmp_path, longer, NEW)
    assert released(articles) == [FIRST]
    report = take_in(articles, tmp_path, longer, NEW)
    assert (report.items, report.adopted, Item.objects.count()) == (3, 5, 8)
    assert released(articles) == [longer, NEW]


def test_the_good_articles_of_a_grown_file_come_in(articles, tmp_path):
    take_in(articles, tmp_path, FIRST)
    path = tmp_path / "dev-v2.0.json"
    broken = article(text(1), {"context": 5}, title="Broken")
    path.write_text(json.dumps(file_v2(NEW, broken, FIRST)))
    source = FileSource(path, published=True)
    how = {"by": None, "clock": lambda: NOON, "progress": lambda *seen: None, "mode": run.Mode.GOOD}
    report = run.run(articles, source, sha256=source.sha256(), **how)
    assert (report.items, report.adopted, [found.line for found in report.refused]) == (2, 4, [2])
    assert released(articles) == [FIRST, NEW]


@pytest.mark.parametrize(
    "changed",
    [
        article(text(1, question(1), page=8), *FIRST["paragraphs"][1:], title="First", url="x"),
        article(*FIRST["paragraphs"], title="First", url="y"),
        article(text(1, question(1, answer("Holt")), page=7), *FIRST["paragraphs"][1:], title="First", url="x"),
    ],
    ids=["another field of the paragraph", "another field of the article", "another answer"],
)
def test_what_says_something_else_is_refused_as_a_change(articles, tmp_path, changed):
    take_in(articles, tmp_path, FIRST)
    with pytest.raises(run.LinesRefused) as refused:
        take_in(articles, tmp_path, NEW, changed)
    assert {found.line for found in refused.value.report.refused} == {2}
    assert "different content" in refused.value.report.refused[0].reason


def test_a_paragraph_with_its_question_moves_to_no_other_text(articles, tmp_path):
    take_in(articles, tmp_path, article(text(1, question(1)), text(2)))
    with pytest.raises(run.LinesRefused) as refused:
        take_in(articles, tmp_path, article(text(1), text(2, question(1))))
    [found] = refused.value.report.refused
    assert found.field == "id"
    assert "different content" in found.reason
