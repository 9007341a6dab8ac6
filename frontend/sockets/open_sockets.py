"""The open sockets of this process, and what each of them still has to be sent. Used by the event loop only."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from frontend.sockets.places import SocketPlace
from tasks.engine.pokes import Poke
from tasks.models.states import PartnerState

EVERY = 60
"""Seconds between two reports of the same fault."""
logger = logging.getLogger("frontend.sockets")


class Trouble:
    """One kind of fault, with the sentence that reports it."""

    def __init__(self, sentence: str) -> None:
        self._sentence = sentence
        self._reported: float | None = None

    def report(self, error: BaseException) -> None:
        """Write a warning with the error, unless the last one was less than a minute ago."""
        now = time.monotonic()
        if self._reported is None or now - self._reported >= EVERY:
            self._reported = now
            logger.warning("%s %s: %s", self._sentence, type(error).__name__, error)


MOST_OF_A_PERSON = 12
"""Sockets of one person in one process: every tab has one."""
ENDED = 4404
"""The close code of a socket whose person may no longer listen there (as for what does not exist)."""
MISUSED = 1008
"""The close code after a frame that a page of ours would not send (RFC 6455: policy violation)."""
LATER = 1013
"""The close code while pokes of other processes can't be received (registered at IANA: try again later)."""


class OpenSocket:
    """One accepted socket. What is pushed while its client reads slowly is kept once for each kind.

    `heard`: its client has said that the person is here since that was last noted. `partners`: as the page knows them.
    """

    def __init__(self, place: SocketPlace) -> None:
        self.place = place
        self.heard = True
        self.partners = PartnerState.HERE
        self.code: int | None = None
        self._waiting: set[str] = set()
        self._wake = asyncio.Event()

    def push(self, kind: str) -> None:
        """Have a frame of this kind sent."""
        self._waiting.add(kind)
        self._wake.set()

    def close(self, code: int) -> None:
        """Have the socket closed; nothing else is sent any more."""
        self.code = self.code or code
        self._wake.set()

    async def next(self) -> set[str]:
        """Wait for something to do; returns the kinds of frames to be sent, none once it is to be closed."""
        await self._wake.wait()
        self._wake.clear()
        kinds, self._waiting = self._waiting, set()
        return set() if self.code else kinds


class OpenSockets:
    """All open sockets of this process."""

    def __init__(self) -> None:
        self._by_topic: dict[str, set[OpenSocket]] = {}
        self._of_person: Counter[int] = Counter()

    def __iter__(self) -> Iterator[OpenSocket]:
        return iter([socket for sockets in self._by_topic.values() for socket in sockets])

    def has_room_for(self, person: int) -> bool:
        """Whether this person may open one more."""
        return self._of_person[person] < MOST_OF_A_PERSON

    @contextmanager
    def holding(self, socket: OpenSocket) -> Iterator[None]:
        """Count the socket among the open ones inside this block."""
        place = socket.place
        self._by_topic.setdefault(place.topic, set()).add(socket)
        self._of_person[place.person] += 1
        try:
            yield
        finally:
            self._of_person[place.person] -= 1
            if not self._of_person[place.person]:
                del self._of_person[place.person]
            self._by_topic[place.topic].discard(socket)
            if not self._by_topic[place.topic]:
                del self._by_topic[place.topic]

    def deliver(self, poke: Poke) -> None:
        """Poke the sockets that listen to this."""
        for socket in self._by_topic.get(poke.topic, ()):
            person = socket.place.person
            if poke.to in (None, person) and poke.but != person:
                socket.push("partner" if poke.beside else socket.place.kind)

    def deliver_to_all(self) -> None:
        """Poke every socket: pokes may have been lost."""
        for socket in self:
            socket.push(socket.place.kind)

    def close_all(self, code: int) -> None:
        """Close every socket."""
        for socket in self:
            socket.close(code)
