"""The bytes of any range of shown words cut to the same text: 100,000 ranges of ten pages, a million at full size."""

import pytest

from annotation.html import lay_out, open_page, render
from annotation.protocols.nq import demo
from tests.annotation.html.pages import real_and_hard
from tests.annotation.html.spans import mismatches
from tests.proving import size

SPANS = size(20_000, 1_000_000)
SEED = 14
OURS = ("clara-schumann", "date-palm-ar", "italian-game", "list-of-cloud-types", "map-projection", "western-honey-bee")
"""Six sample pages beside the published one, two of an encyclopedia and a hard one."""


@pytest.fixture(scope="module")
def pages(shared):
    """Ten pages with their layouts and renderings."""
    found = real_and_hard(shared)
    for name in OURS:
        source = open_page((demo.SAMPLES / "pages" / f"{name}.html").read_bytes()).source
        found.append((source, lay_out(source)))
    assert len(found) == 10
    return [(source, layout, render(source, layout)) for source, layout in found]


def test_every_random_span_cuts_the_original_to_what_was_shown(pages, record_property):
    record_property("size", SPANS)
    record_property("seed", SEED)
    for number, (source, layout, rendering) in enumerate(pages):
        spans = SPANS // len(pages)
        assert mismatches(source, layout, rendering, spans=spans, seed=SEED + number) == [], number


@pytest.mark.parametrize("off", [-1, 1])
def test_the_control_spans_shifted_by_one_byte_are_noticed(pages, off):
    for number, (source, layout, rendering) in enumerate(pages):
        noticed = mismatches(source, layout, rendering, spans=200, seed=SEED + number, off=off)
        assert len(noticed) >= 190, number


def test_the_control_a_page_that_is_read_one_byte_off_is_noticed(pages):
    source, layout, rendering = pages[0]
    assert mismatches(b"!" + source, layout, rendering, spans=100, seed=SEED)
