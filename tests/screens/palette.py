"""Screenshots as small PNGs: a palette of at most 256 colours."""

from __future__ import annotations

import base64
import struct
import zlib

import numpy as np
from playwright.sync_api import Page

from tests.pictures import chunk

MOST = 256
PIXELS = """async (data) => {
    const picture = await createImageBitmap(await (await fetch("data:image/png;base64," + data)).blob());
    const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
    canvas.drawImage(picture, 0, 0);
    const { data: bytes, width, height } = canvas.getImageData(0, 0, picture.width, picture.height);
    let text = "";
    for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
    return [width, height, btoa(text)];
}"""


def pixels(blank: Page, png: bytes) -> np.ndarray:
    """The colours of a PNG, as rows of 0xRRGGBB; decoded by the browser, in a page that forbids it nothing."""
    width, height, data = blank.evaluate(PIXELS, base64.b64encode(png).decode())
    bands = np.frombuffer(base64.b64decode(data), np.uint8).reshape(height, width, 4).astype(np.uint32)
    return bands[..., 0] << 16 | bands[..., 1] << 8 | bands[..., 2]


def with_palette(colours: np.ndarray) -> bytes:
    """A PNG of these rows of 0xRRGGBB: some of its colours, and for all others the nearest of them."""
    found, places, counts = np.unique(colours, return_inverse=True, return_counts=True)
    kept = np.sort(_chosen(found[np.argsort(-counts, kind="stable")]))
    apart = ((_bands(found)[:, None] - _bands(kept)[None]) ** 2).sum(axis=2)
    height, width = colours.shape
    rows = np.zeros((height, width + 1), np.uint8)  # each begins with its filter: none
    rows[:, 1:] = apart.argmin(axis=1)[places].reshape(colours.shape)
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0))
    table = chunk(b"PLTE", b"".join(int(colour).to_bytes(3, "big") for colour in kept))
    body = chunk(b"IDAT", zlib.compress(rows.tobytes(), 9))
    return b"\x89PNG\r\n\x1a\n" + head + table + body + chunk(b"IEND", b"")


def _chosen(colours: np.ndarray) -> np.ndarray:
    """The first of these, so far apart that they are few enough: a rare red is kept, the hundredth grey is not."""
    bands, apart = _bands(colours), 0
    while True:
        places = [0]
        for place in range(1, len(colours)):
            if ((bands[places] - bands[place]) ** 2).sum(axis=1).min() > apart:
                places.append(place)
        if len(places) <= MOST:
            return colours[places]
        apart = 2 * apart + 8


def _bands(colours: np.ndarray) -> np.ndarray:
    """Red, green and blue of each."""
    return np.stack([colours >> shift & 0xFF for shift in (16, 8, 0)], axis=1).astype(np.int64)
