"""The site calls only hosts that an admin has allowed, at public addresses, and no call lasts longer than it may."""

from __future__ import annotations

import socket
import threading

import pytest

from annotation.models import AllowedHost
from annotation.outgoing import addresses, calling
from annotation.outgoing.addresses import CallFailed, CallRefused
from annotation.outgoing.calling import LONGEST_ANSWER, call
from tests.annotation.outgoing.answering import answering_server, made_certificate, status
from tests.factories.outgoing import AllowedHostFactory
from tests.factories.people import UserFactory
from tests.people import NOON

PUBLIC = "93.184.215.14"
SHORT = 0.4
"""Seconds of a call that is to end before its answer does."""


@pytest.fixture
def grace(db):
    return UserFactory(username="grace", is_staff=True)


@pytest.fixture
def itself(settings):
    """Calls to this machine are let through."""
    settings.GOLDFINCH_CALLS_ITSELF = True


@pytest.fixture
def server(itself, grace):
    with answering_server() as found:
        AllowedHostFactory(name=found.host, by=grace)
        yield found


def post(url, **kwargs):
    return call("POST", url, body=b"{}", headers={"Content-Type": "application/json"}, **kwargs)


def refusal(url, **kwargs):
    with pytest.raises(CallRefused) as refused:
        post(url, **kwargs)
    return refused.value.reason


def failure(url, **kwargs):
    with pytest.raises(CallFailed) as failed:
        post(url, **kwargs)
    return failed.value.reason, failed.value.sent


def resolver(monkeypatch, *answers):
    """Names mean each of these lists of addresses in turn, and then nothing; returns what was asked."""
    asked, left = [], list(answers)

    def look_up(host, port):
        asked.append(host)
        return left.pop(0) if left else []

    monkeypatch.setattr(addresses, "look_up", look_up)
    return asked


def test_a_call_to_an_allowed_host_brings_its_answer(server):
    server.answer = status(200, b"thanks", X_Number="7")
    reply = post(server.url("/hook?of=goldfinch"))
    assert (reply.status, reply.is_good, reply.body, reply.headers["x-number"]) == (200, True, b"thanks", "7")
    [received] = server.received
    assert (received.method, received.path, received.body) == ("POST", "/hook?of=goldfinch", b"{}")
    assert received.headers["host"] == server.host
    assert received.headers["content-type"] == "application/json"


def test_a_host_that_nobody_has_allowed_is_not_called(itself, db):
    with answering_server() as server:
        assert refusal(server.url()) == "not_allowed"
        assert server.received == []


def test_a_host_is_not_called_any_more_once_it_is_taken_off_the_list(server, grace):
    calling.remove_host(AllowedHost.objects.get(), by=grace, now=NOON)
    assert refusal(server.url()) == "not_allowed"
    assert server.received == []


def test_another_port_of_an_allowed_host_is_another_host(server):
    with answering_server() as other:
        assert refusal(other.url()) == "not_allowed"
        assert other.received == []


def test_http_is_refused(grace):
    AllowedHostFactory(name="hooks.lab.example:80", by=grace)
    assert refusal("http://hooks.lab.example/") == "https"


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1/", "https://[::1]/", "https://2130706433/", "https://0x7f.1/", "https://127.1/",
        "https://localhost/", "https://hooks/", "ftp://hooks.lab.example/", "hooks.lab.example",
        "https://user@hooks.lab.example/", "https://hooks.lab.example@evil.example/",
        "https://hooks.lab.example/#part",
        "https://hooks.lab.example\\@evil.example/", "https://hooks.lab.example/a b",
        "https://hooks.lab.example/\r\nX: y",
        "https://hooks.lab.example:0/", "https://hooks.lab.example:99999/", "https://hooks.lab.example./",
        "https://hööks.example/", "https://hooks.lab.example/" + "x" * 500, "",
    ],
)  # fmt: skip
def test_what_is_no_full_name_of_a_host_is_no_address(url, grace):
    AllowedHostFactory(name="hooks.lab.example", by=grace)
    assert refusal(url) == "address"


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.0.0.8", "172.16.3.4", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
        "255.255.255.255", "::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1", "::ffff:127.0.0.1",
        "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "2002:7f00:1::", "2002:a00:1::",
        "64:ff9b:1::1",
    ],
)  # fmt: skip
def test_a_host_with_an_address_that_is_not_public_is_not_called(address, grace, monkeypatch):
    AllowedHostFactory(name="hooks.lab.example", by=grace)
    for found in ([address], [PUBLIC, address]):
        resolver(monkeypatch, found)
        assert refusal("https://hooks.lab.example/") == "not_public"


@pytest.mark.parametrize("address", [PUBLIC, "2606:4700::1111", "64:ff9b::5db8:d70e", "::ffff:93.184.215.14"])
def test_a_public_address_may_be_called(address):
    assert addresses.may_be_called(address)


@pytest.mark.parametrize("address", ["10.0.0.8", "169.254.169.254", "fe80::1", "::ffff:192.168.0.1"])
def test_the_setting_for_tests_lets_in_this_machine_and_no_private_network(address, itself):
    assert addresses.may_be_called("127.0.0.1")
    assert not addresses.may_be_called(address)


def test_this_machine_is_not_called_through_a_name_that_points_to_it(grace, monkeypatch):
    with answering_server() as server:
        AllowedHostFactory(name=f"hooks.lab.example:{server.port}", by=grace)
        resolver(monkeypatch, ["127.0.0.1"])
        assert refusal(f"https://hooks.lab.example:{server.port}/") == "not_public"
        assert server.received == []


def test_a_name_is_asked_once_and_the_address_that_was_checked_is_called(server, grace, monkeypatch):
    name = f"hooks.lab.example:{server.port}"
    AllowedHostFactory(name=name, by=grace)
    asked = resolver(monkeypatch, ["127.0.0.1"], ["10.0.0.1"])
    assert post(f"http://{name}/").status == 204
    assert asked == ["hooks.lab.example"]
    assert server.received[0].headers["host"] == name


def test_the_next_address_is_tried_where_one_takes_no_connection(server, monkeypatch):
    with socket.socket() as closed:
        closed.bind(("127.0.0.2", server.port))  # taken, but nobody listens
        resolver(monkeypatch, ["127.0.0.2", "127.0.0.1"])
        assert post(server.url()).status == 204


def test_a_name_that_means_nothing_and_a_closed_door_are_told_apart(server, monkeypatch):
    resolver(monkeypatch, [], ["127.0.0.2"])
    assert failure(server.url()) == ("name", False)
    assert failure(server.url()) == ("connection", False)


def test_a_redirect_is_an_answer_and_is_not_followed(server, grace):
    with answering_server() as other:
        AllowedHostFactory(name=other.host, by=grace)
        server.answer = status(307, Location=other.url())
        reply = post(server.url())
        assert (reply.status, reply.is_good) == (307, False)
        assert other.received == []


@pytest.mark.parametrize("part", ["head", "body"])
def test_an_answer_that_drips_ends_the_call_in_time(server, part):
    gone = threading.Event()

    def drip(handler):
        head = (
            b"HTTP/1.1 200 OK\r\nX-Long: " if part == "head" else b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"
        )
        handler.wfile.write(head)
        try:
            while not gone.wait(SHORT / 20):
                handler.wfile.write(b"x")
        finally:
            gone.set()

    server.answer = drip
    assert failure(server.url(), seconds=SHORT) == ("time", True)
    assert gone.wait(10)


def test_a_server_that_says_nothing_ends_the_call_in_time(server):
    gone = threading.Event()
    server.answer = lambda handler: gone.wait(10)
    assert failure(server.url(), seconds=SHORT) == ("time", True)
    gone.set()


def test_a_resolver_that_says_nothing_ends_the_call_in_time(server, monkeypatch):
    gone = threading.Event()
    monkeypatch.setattr(addresses, "look_up", lambda host, port: gone.wait(10) and [])
    assert failure(server.url(), seconds=SHORT) == ("time", False)
    gone.set()


def test_an_answer_may_have_a_megabyte_and_no_more(server):
    server.answer = status(200, b"x" * (LONGEST_ANSWER - 1000))
    assert len(post(server.url()).body) == LONGEST_ANSWER - 1000
    server.answer = status(200, b"x" * (LONGEST_ANSWER + 1))
    assert failure(server.url()) == ("size", True)


@pytest.mark.parametrize(
    "said", [b"SSH-2.0-OpenSSH_9.9\r\n", b"", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort"]
)
def test_what_is_no_whole_answer_of_the_web_is_broken(server, said):
    server.answer = lambda handler: handler.wfile.write(said)
    assert failure(server.url()) == ("broken", True)


def test_https_is_called_under_the_name_of_the_host(itself, grace, tmp_path, monkeypatch):
    certificate = made_certificate(tmp_path, "hooks.lab.example")
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with answering_server(certificate) as server:
        for name in ("hooks.lab.example", "other.lab.example"):
            AllowedHostFactory(name=f"{name}:{server.port}", by=grace)
        resolver(monkeypatch, ["127.0.0.1"], ["127.0.0.1"])
        assert post(f"https://hooks.lab.example:{server.port}/").status == 204
        assert failure(f"https://other.lab.example:{server.port}/") == ("certificate", False)
        assert len(server.received) == 1


def test_a_certificate_that_nobody_vouches_for_is_refused(itself, grace, tmp_path):
    with answering_server(made_certificate(tmp_path, "localhost")) as server:
        AllowedHostFactory(name=server.host, by=grace)
        assert failure(server.url()) == ("certificate", False)
        assert server.received == []


def test_no_proxy_of_the_environment_is_used(server, monkeypatch):
    with answering_server() as proxy:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.port}")
        assert post(server.url()).status == 204
        assert proxy.received == []
