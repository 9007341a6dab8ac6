"""A server on this machine that the site calls in tests, with an answer for each request, over http or https."""

from __future__ import annotations

import contextlib
import datetime
import ssl
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


@dataclass(frozen=True)
class Received:
    """A request as it arrived; the names of `headers` are in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


Answer = Callable[[BaseHTTPRequestHandler], None]


def status(code: int, body: bytes = b"", **headers: str) -> Answer:
    """An answer with that status, body and headers (`_` for `-`)."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(code)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return answer


@dataclass
class AnsweringServer:
    """`received`: the requests so far. `answer` answers the next ones."""

    port: int
    scheme: str
    answer: Answer = field(default_factory=lambda: status(204))
    received: list[Received] = field(default_factory=list)

    @property
    def host(self) -> str:
        """As on the list of allowed hosts."""
        return f"localhost:{self.port}"

    def url(self, path: str = "/hook") -> str:
        return f"{self.scheme}://{self.host}{path}"


@contextlib.contextmanager
def answering_server(certificate: Path | None = None) -> Iterator[AnsweringServer]:
    """Serve until the block ends; over https with that certificate (`made_certificate`)."""
    httpd = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    # A call that has ended leaves the thread that answers it behind.
    httpd.daemon_threads, httpd.block_on_close = True, False
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        httpd.socket = context.wrap_socket(httpd.socket, server_side=True)
    found = AnsweringServer(httpd.server_address[1], "https" if certificate else "http")
    httpd.found = found  # type: ignore[attr-defined]
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield found
    finally:
        httpd.shutdown()
        thread.join()
        httpd.server_close()


def made_certificate(place: Path, name: str) -> Path:
    """A file with a key and a certificate for that name, which vouches for itself."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.datetime.now(datetime.UTC)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    made = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = place / f"{name}.pem"
    pem = serialization.Encoding.PEM
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file.write_bytes(private + made.public_bytes(pem))
    return file


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        found: AnsweringServer = self.server.found  # type: ignore[attr-defined]
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        found.received.append(Received(self.command, self.path, headers, body))
        with contextlib.suppress(OSError):  # whoever asked may have gone
            found.answer(self)

    do_GET = do_POST  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""
