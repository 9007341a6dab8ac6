"""Objects come back as they were stored, are stored once, and are found by processes that were already running."""

from __future__ import annotations

import hashlib
import random
import threading

import pytest

from annotation.storage import store
from annotation.storage.packs import DamagedIndex, Index
from annotation.storage.store import Batch, Missing, Store

SEED = 20130


@pytest.fixture
def made(tmp_path):
    return Store(tmp_path / "objects")


def some(count, *, seed=SEED):
    rng = random.Random(seed)
    return [rng.randbytes(rng.choice((0, 1, 300, 5000))) + number.to_bytes(4) for number in range(count)]


def add(made, objects, *, settle=True):
    """Publish these objects and return their keys."""
    with Batch(made, made.folder.with_name("parts")) as batch:
        keys = [batch.add(data) for data in objects]
        batch.publish()
        if settle:
            batch.settle()
    return keys


def sizes(made):
    return sorted(path.stat().st_size for path in made.paths(".pack"))


def test_objects_come_back_as_they_were_stored_under_their_sha_256(made):
    objects = some(3000)
    keys = add(made, objects)
    assert keys == [hashlib.sha256(data).hexdigest() for data in objects]
    assert [Store(made.folder).read(key) for key in keys] == objects


def test_an_object_is_stored_once_however_often_it_is_added(made):
    objects = some(50)
    add(made, objects + objects)
    add(made, objects)
    assert sizes(made) == [sum(map(len, objects))]
    assert len(made.paths(store.SETTLED)) == 1


def test_a_batch_is_divided_into_packs_of_bounded_size_under_one_index(made, monkeypatch):
    monkeypatch.setattr(store, "PACK_BYTES", 10_000)
    objects = some(500)
    keys = add(made, objects)
    assert max(sizes(made)) < 10_000 + 5004
    assert len(sizes(made)) > 10
    assert len(made.paths(store.SETTLED)) == 1
    assert [made.read(key) for key in keys] == objects


def test_nothing_is_found_before_a_batch_is_published_and_nothing_stays_of_one_that_never_is(made):
    parts = made.folder.with_name("parts")
    with Batch(made, parts) as batch:
        key = batch.add(b"a page")
        with pytest.raises(Missing):
            Store(made.folder).read(key)
        assert list(parts.iterdir())
    assert not parts.exists()
    assert not made.folder.exists()


def test_a_store_that_was_opened_before_finds_what_is_published_later(made):
    early = Store(made.folder)
    with pytest.raises(Missing):
        early.read("00" * 32)
    [key] = add(made, [b"a page"], settle=False)
    assert early.read(key) == b"a page"


def test_a_store_finds_an_object_that_has_moved_to_another_pack(made):
    early, [key] = Store(made.folder), add(made, [b"a page"])
    early.has(bytes.fromhex(key))  # it knows the index now, but has not opened the pack
    [old] = made.paths(store.SETTLED)
    with Batch(made, made.folder.with_name("parts")) as batch:
        index = Index(old)
        batch.copy(index, index.entry(0))
        batch.publish()
    for path in (old, made.folder / f"{index.packs[0]}.pack"):
        path.unlink()
    assert early.read(key) == b"a page"


def test_threads_read_while_objects_are_added(made):
    objects, wrong = some(400), []
    keys = add(made, objects[:200])

    def look():
        rng = random.Random(SEED)
        for _ in range(500):
            number = rng.randrange(200)
            if made.read(keys[number]) != objects[number]:
                wrong.append(number)

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for start in range(200, 400, 20):
        add(made, objects[start : start + 20])
    for thread in threads:
        thread.join()
    assert wrong == []


def test_only_the_owner_can_read_packs_and_indexes(made):
    add(made, some(3))
    assert {path.stat().st_mode & 0o777 for path in made.folder.iterdir()} == {0o600}


@pytest.mark.parametrize("damage", [lambda data: data[:-1], lambda data: b"X" + data[1:], lambda data: b""])
def test_an_index_that_is_not_whole_is_refused(made, damage):
    add(made, some(3))
    [path] = made.paths(store.SETTLED)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(DamagedIndex):
        Index(path)
