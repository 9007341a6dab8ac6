"""Release files are sent by the event loop: whole or in ranges, and nothing from elsewhere."""

import hashlib

import pytest

from frontend.server import file_sender

CONTENT = bytes(range(256)) * 4096


@pytest.fixture
def release(settings, tmp_path):
    """A file of a release, of 1 MB."""
    settings.GOLDFINCH_DATA = tmp_path
    file = tmp_path / "releases" / "für alle" / "train.jsonl.gz"
    file.parent.mkdir(parents=True)
    file.write_bytes(CONTENT)
    return file


@pytest.fixture
def answered(views, release):
    """Have the views answer with that file, as Django would."""
    response = file_sender.file_response(release, filename="train.jsonl.gz", content_type="application/gzip")
    views.extra = list(response.items())
    return views


def test_a_file_arrives_whole_and_its_path_is_not_revealed(wrapped, answered):
    response, body = wrapped.ask()
    assert body == CONTENT
    assert response.headers["Content-Disposition"] == 'attachment; filename="train.jsonl.gz"'
    assert response.headers["Accept-Ranges"] == "bytes"
    assert file_sender.HEADER not in response.headers


def test_a_cache_between_keeps_no_release_for_others(wrapped, answered):
    response, _ = wrapped.ask()
    assert set(response.headers["Cache-Control"].split(", ")) == {"private", "no-cache"}


@pytest.mark.parametrize(
    ("asked", "start", "end"),
    [("bytes=0-0", 0, 1), ("bytes=100-199", 100, 200), ("bytes=1048000-", 1048000, None), ("bytes=-5", -5, None)],
)
def test_a_range_arrives_as_requested(wrapped, answered, asked, start, end):
    response, body = wrapped.ask(headers={"Range": asked})
    assert (response.status, body) == (206, CONTENT[start:end])
    first = start % len(CONTENT)
    assert response.headers["Content-Range"] == f"bytes {first}-{first + len(body) - 1}/{len(CONTENT)}"


@pytest.mark.parametrize("asked", ["bytes=1048576-", "bytes=-0", "bytes=9999999-99999999"])
def test_a_range_beyond_the_end_is_refused_with_the_size(wrapped, answered, asked):
    response, body = wrapped.ask(headers={"Range": asked})
    assert (response.status, body) == (416, b"")
    assert response.headers["Content-Range"] == f"bytes */{len(CONTENT)}"


@pytest.mark.parametrize(
    "asked", ["bytes=0-1,5-6", "lines=1-2", "bytes=-", "bytes=5-2", "nonsense", f"bytes=-{'9' * 5000}"]
)
def test_a_request_for_anything_but_one_range_is_answered_whole(wrapped, answered, asked):
    response, body = wrapped.ask(headers={"Range": asked})
    assert (response.status, body) == (200, CONTENT)


def test_an_interrupted_download_is_resumed_to_the_same_hash(wrapped, answered):
    response, _ = wrapped.ask("HEAD")
    rest = {"Range": "bytes=500000-", "If-Range": response.headers["ETag"]}
    _, body = wrapped.ask(headers=rest)
    assert hashlib.sha256(CONTENT[:500000] + body).digest() == hashlib.sha256(CONTENT).digest()


def test_a_range_of_another_version_is_not_given(wrapped, answered):
    response, body = wrapped.ask(headers={"Range": "bytes=500000-", "If-Range": '"another"'})
    assert (response.status, body) == (200, CONTENT)


def test_head_gives_the_size_and_sends_nothing(wrapped, answered):
    response, body = wrapped.ask("HEAD")
    assert (response.headers["Content-Length"], body) == (str(len(CONTENT)), b"")


@pytest.mark.parametrize("name", ["../secret_key", "%2e%2e/secret_key", "/etc/passwd", "none.gz"])
def test_nothing_outside_the_releases_can_be_sent(wrapped, views, release, name):
    (release.parents[2] / "secret_key").write_text("secret")
    views.extra = [(file_sender.HEADER, name)]
    response, body = wrapped.ask()
    assert response.status == 500
    assert b"secret" not in body


def test_a_view_cannot_name_a_file_outside_the_releases(release):
    with pytest.raises(ValueError, match="not in the subpath"):
        file_sender.file_response(release.parents[2] / "secret_key", filename="x", content_type="text/plain")


def test_a_client_cannot_ask_for_a_file_by_the_header(wrapped, release):
    _, body = wrapped.ask(headers={file_sender.HEADER: "f%C3%BCr%20alle/train.jsonl.gz"})
    assert body.startswith(b"{")


def test_behind_nginx_the_file_is_left_to_nginx(serve, gateway, answered):
    response, _ = serve(gateway(nginx_prefix="/_releases/")).ask()
    assert response.headers["X-Accel-Redirect"] == "/_releases/f%C3%BCr%20alle/train.jsonl.gz"
    assert file_sender.HEADER not in response.headers
