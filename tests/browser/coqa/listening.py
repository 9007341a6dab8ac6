"""What the sockets of a page carry, and ways to do without them."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, WebSocket, WebSocketRoute

HERE = '{"here": true}'
SECOND = "00:01"
LOOKS = "00:30"
"""However often it has failed, a page has looked for news after so long."""


class Listening:
    """The sockets that a page opens from now on: `received` frames, `sent` frames."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.sockets: list[WebSocket] = []
        self.received: list[str | bytes] = []
        self.sent: list[str | bytes] = []
        self.unanswered = 0
        page.on("websocket", self._watch)

    def _watch(self, socket: WebSocket) -> None:
        self.sockets.append(socket)
        self.unanswered = 0
        socket.on("framereceived", lambda frame: self._note(self.received, frame, -1))
        socket.on("framesent", lambda frame: self._note(self.sent, frame, 1))

    def _note(self, frames: list[str | bytes], frame: str | bytes, more: int) -> None:
        frames.append(frame)
        self.unanswered += more * (frame == HERE)

    def until(self, true: Callable[[Listening], bool]) -> None:
        """Wait for something that its newest socket carries, once it has opened one."""
        if not self.sockets:
            self.page.wait_for_event("websocket")
        if not true(self):
            self.sockets[-1].wait_for_event("framereceived", lambda _frame: true(self))

    def connected(self) -> None:
        """Wait until the server has answered over a socket; the page's clock is installed, and goes on by seconds.

        A page closes a socket over which it has had no answer by its next beat, so a whole beat is not moved at once:
        the page may just have sent one.
        """
        before = self.received.count(HERE)
        while self.received.count(HERE) == before:
            self.page.clock.run_for(SECOND)
            if self.unanswered > 0:
                self.until(lambda mine: mine.unanswered <= 0)


def block_sockets(page: Page) -> None:
    """From the next page on, no socket opens, as behind a proxy that does not pass them."""
    page.route_web_socket("**/ws/**", lambda socket: socket.close())


class Cutter:
    """Sockets that a page opens from now on go through here and can be cut; register it before the page opens one."""

    def __init__(self, page: Page) -> None:
        self.open: list[WebSocketRoute] = []
        page.route_web_socket("**/ws/**", self._pass)

    def _pass(self, socket: WebSocketRoute) -> None:
        self.open.append(socket)
        socket.connect_to_server()

    def cut(self) -> None:
        """Close all that are open."""
        for socket in self.open:
            socket.close()
        self.open.clear()
