"""Servers for the tests of the gateway: with it, and with bare a2wsgi as the control."""

from __future__ import annotations

import pytest
from a2wsgi import WSGIMiddleware

from frontend.server.gateway import Gateway
from tests.frontend.server.nginx_rig import Nginx, skip_without_nginx
from tests.frontend.server.server_rig import Rig, Views


@pytest.fixture
def views() -> Views:
    return Views()


@pytest.fixture
def serve():
    """Start servers, and stop them at the end."""
    rigs = []

    def start(application) -> Rig:
        rigs.append(Rig(application))
        return rigs[-1]

    yield start
    for rig in rigs:
        rig.stop()


@pytest.fixture
def gateway(views):
    """Return a function: the gateway with the given limits around the views, in 8 threads as in production."""

    def make(**limits) -> Gateway:
        return Gateway(WSGIMiddleware(views, workers=8), **({"longest_body": 2**20} | limits))

    return make


@pytest.fixture
def wrapped(serve, gateway) -> Rig:
    return serve(gateway())


@pytest.fixture
def proxy(tmp_path):
    """Return a function that puts nginx in front of a server."""
    skip_without_nginx()
    fronts = []

    def start(rig: Rig) -> Nginx:
        fronts.append(Nginx(rig, tmp_path))
        return fronts[-1]

    yield start
    for front in fronts:
        front.stop()


@pytest.fixture
def bare(serve, views) -> Rig:
    """The control: the same without the gateway."""
    return serve(WSGIMiddleware(views, workers=8))
