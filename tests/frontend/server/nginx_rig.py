"""nginx with deploy/nginx.conf in front of a server of a test, without HTTPS."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.frontend.server.server_rig import Rig
from tests.ports import reserved_port

CONFIGURATION = Path(__file__).resolve().parents[3] / "deploy" / "nginx.conf"
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
WITHOUT = "nginx is missing: install it from your system's packages"
AROUND = """
daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log;
{user}
events {{ worker_connections 4096; }}
http {{
    access_log off; default_type application/octet-stream;
    client_body_temp_path {folder}/bodies; proxy_temp_path {folder}/responses;
    fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    {site}
}}
"""


def skip_without_nginx() -> None:
    """Skip the test; under CI fail it."""
    if NGINX is None and os.environ.get("CI") != "true":
        pytest.skip(WITHOUT)
    assert NGINX is not None, WITHOUT


def _of_one_host(text: str, port: int) -> str:
    """Plain HTTP on a port of all loopback addresses."""
    text = re.sub(r"server \{\n +listen 80;.*?\n\}\n", "", text, flags=re.DOTALL)
    text = re.sub(r"(?m)^ +ssl_.*\n", "", text).replace("listen 443 ssl;", f"listen {port};")
    assert not re.search(r"\b443\b", text)
    return text


def configuration(folder: Path, *, port: int, upstream: int, server: Callable[[str, int], str] = _of_one_host) -> str:
    """deploy/nginx.conf for one upstream; `server` makes its server for a test."""
    text = CONFIGURATION.read_text(encoding="utf-8")
    text = re.sub(r"(?m)^ +server 127\.0\.0\.1:\d+;\n", "", text)
    text = text.replace("least_conn;", f"server 127.0.0.1:{upstream};")
    user = "user root;" if os.geteuid() == 0 else ""
    return AROUND.format(folder=folder, site=server(text, port), user=user)


class Nginx:
    """nginx in front of a rig (`behind`): its port, and the ways to talk to it that the rig has for itself."""

    raw, ask = Rig.raw, Rig.ask

    def __init__(self, rig: Rig, folder: Path, **options: Any) -> None:
        self.behind = rig
        assert NGINX is not None
        self.port = reserved_port()
        self.open: list[socket.socket] = []
        path = folder / "nginx.conf"
        path.write_text(configuration(folder, port=self.port, upstream=rig.port, **options), encoding="utf-8")
        self.process = subprocess.Popen([NGINX, "-p", str(folder), "-c", str(path)], stderr=subprocess.PIPE, text=True)
        self._until_it_listens()

    def _until_it_listens(self) -> None:
        while self.process.poll() is None:
            with suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", self.port)):
                return
        raise AssertionError(self.process.stderr.read())

    def stop(self) -> None:
        for one in self.open:
            one.close()
        self.process.terminate()
        self.process.wait()
