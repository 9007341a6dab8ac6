"""Blocks and items are moved, copied, taken out and brought back; lists of items are read by place."""

from __future__ import annotations

import pytest

from annotation.errors import NotFound, WrongMove
from annotation.setup.schema import SetupRefused
from qualification.courses import editing, pieces
from qualification.courses.content import MOST_ITEMS
from tests.people import NOON
from tests.qualification.courses.building import block, choice, course, three_blocks

LIST = b"""
- stem: Which is it?
  concept: paths
  options:
    - text: This
      right: true
      explanation: As the guidelines say.
    - text: That
- key: mine
  stem: Which are they?
  options: [{text: One, right: true}, {text: Two, right: true}]
"""


def order(of, part):
    return [piece.key for piece in pieces.pieces_of(of, part)]


@pytest.mark.parametrize(
    ("key", "by", "after"),
    [
        ("task-0", 1, ["task-1", "task-0", "task-2"]),
        ("task-2", -1, ["task-0", "task-2", "task-1"]),
        ("task-0", -1, ["task-0", "task-1", "task-2"]),
        ("task-2", 1, ["task-0", "task-1", "task-2"]),
    ],
)
def test_an_item_moves_up_and_down_and_stays_at_the_ends(key, by, after):
    assert order(pieces.moved_by(course(block("task", pool=3)), "task", key, by), "task") == after


def test_a_copied_block_has_keys_of_its_own_and_the_same_items():
    changed, copy = pieces.copied(three_blocks(), pieces.BLOCKS, "reading")
    assert order(changed, pieces.BLOCKS) == ["background", "reading", copy.key, "task"]
    assert [item.stem for item in copy.pool] == [item.stem for item in changed.block("reading").pool]
    assert len(set(changed.items())) == len(three_blocks().items()) + 6


def test_an_item_replaces_the_one_with_its_key_or_comes_last():
    new = choice("task-1", options=2)
    assert pieces.with_piece(course(), "task", new).block("task").pool[1] == new
    assert order(pieces.with_piece(course(), pieces.TUTORIAL, choice("more")), pieces.TUTORIAL)[-1] == "more"


def test_what_is_not_there_is_not_found_and_too_many_are_refused():
    with pytest.raises(NotFound):
        pieces.pieces_of(course(), "nothing")
    with pytest.raises(NotFound):
        pieces.without(course(), "task", "nothing")
    full = course(block("task", pool=MOST_ITEMS))
    with pytest.raises(WrongMove):
        pieces.with_piece(full, "task", choice("one-more"))
    assert len(pieces.with_piece(course(block("task", pool=MOST_ITEMS - 1)), "task", choice("last")).items()) == 401


@pytest.mark.parametrize(
    ("part", "key"), [("task", "task-2"), (pieces.BLOCKS, "reading"), (pieces.TUTORIAL, "tutorial-0")]
)
def test_what_was_taken_out_comes_back_to_its_place(reading, lena, part, key):
    draft = editing.edit(reading, start=three_blocks(), by=lena, now=NOON)
    taken = editing.remove(draft, part, key, edits=0, by=lena, now=NOON)
    assert key not in order(editing.read(draft), part)
    for _twice in range(2):
        editing.bring_back(draft, taken, by=lena, now=NOON)
    assert editing.read(draft) == three_blocks()
    assert draft.edits == 2


def test_an_item_whose_block_is_gone_comes_back_after_it(reading, lena):
    draft = editing.edit(reading, start=three_blocks(), by=lena, now=NOON)
    item = editing.remove(draft, "task", "task-2", edits=0, by=lena, now=NOON)
    whole = editing.remove(draft, pieces.BLOCKS, "task", edits=1, by=lena, now=NOON)
    with pytest.raises(WrongMove):
        editing.bring_back(draft, item, by=lena, now=NOON)
    for each in (whole, item):
        editing.bring_back(draft, each, by=lena, now=NOON)
    assert editing.read(draft) == three_blocks()


def test_a_list_of_items_gets_the_keys_that_it_lacks():
    one, other = pieces.read_items(LIST, course())
    assert (one.right, one.concept, len(one.key), other.key, other.several) == ({0}, "paths", 8, "mine", True)


@pytest.mark.parametrize(
    ("text", "where", "line"),
    [
        (b"stem: no list", "", None),
        (b"[", "", 2),
        (b"- stem: One", "0.options", 1),
        (LIST.replace(b"right: true", b"right: 1", 1), "0.options.0.right", 6),
        (LIST.replace(b"key: mine", b"key: task-0"), "1.key", 9),
        (LIST.replace(b"key: mine", b"key: [mine]"), "1.key", 9),
        (LIST.replace(b"Two, right: true", b"One"), "1", 9),
        (LIST + LIST.split(b"\n- key", 1)[1].join([b"- key", b""]), "2.key", 12),
        (b"- just a text", "0", 1),
    ],
)
def test_what_is_wrong_in_a_list_is_named_by_place_and_line(text, where, line):
    with pytest.raises(SetupRefused) as refused:
        pieces.read_items(text, course())
    assert (where, line) in [(each.place, each.line) for each in refused.value.wrong]
    assert {each.place.split(".")[0] for each in refused.value.wrong} == {where.split(".")[0]}
