"""An image is what its bytes say, whatever it is called, and says its size before anybody paints it."""

import pytest

from annotation.documents import images
from annotation.documents.images import PictureRefused, Size
from tests.pictures import SVG, gif, jpeg, png, png_head, webp


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (png(300, 200), "image/png"),
        (gif(300, 200), "image/gif"),
        (jpeg(300, 200), "image/jpeg"),
        *((webp(300, 200, form), "image/webp") for form in (b"VP8 ", b"VP8L", b"VP8X")),
    ],
)
def test_type_and_size_are_read_from_the_bytes(data, kind):
    assert images.check(data) == (kind, Size(300, 200))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (SVG, "an SVG drawing, which can hold script"),
        (b"\xef\xbb\xbf \n<!-- x --><SVG onload=alert(1)>", "an SVG drawing, which can hold script"),
        (b"<html>Not found</html>", "no PNG, JPEG, GIF or WebP image"),
        (b"%PDF-1.7", "no PNG, JPEG, GIF or WebP image"),
        (b"", "no PNG, JPEG, GIF or WebP image"),
        (png()[:20], "a broken image"),
        (jpeg(9, 9)[:15], "a broken image"),
        (b"\xff\xd8\xff\xe0\0\0" * 3, "a broken image"),
        (gif(0, 9), "a broken image"),
        (gif(9, 9)[:7], "a broken image"),
        (webp(9, 9)[:20], "a broken image"),
        (webp(9, 9, b"VP9 "), "a broken image"),
        (png_head(30_000, 30_000), "over 25,000,000 pixels"),
        (png() + b"\0" * images.BYTES_LIMIT, "over 4 MB"),
    ],
)
def test_what_is_no_image_or_too_large_is_refused_with_a_reason(data, reason):
    with pytest.raises(PictureRefused) as refused:
        images.check(data)
    assert refused.value.reason == reason
