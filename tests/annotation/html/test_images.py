"""Images of a page: which name a file beside it, and that showing them changes no token, word or text."""

import pytest

from annotation.html import Image, ImageToShow, lay_out, render, with_pictures
from annotation.html.rendering import file_of

SOURCE = (
    b'<p>one<img src="a.png" width=220 alt="A &amp; &quot;b&quot;"> two</p>'
    b'<p>three<img src="https://example.org/b.png" alt=B><img src="c.png"> four</p>'
)
PLAIN = b"<p>one two</p><p>three four</p>"


@pytest.mark.parametrize(
    ("address", "file"),
    [
        ("a.png", "a.png"),
        ("  pictures/a%20b.png?size=2#x ", "pictures/a b.png"),
        ("../a.png", "../a.png"),
        ("./a.png", "./a.png"),
        ("/a.png", ""),
        ("//example.org/a.png", ""),
        ("\\\\example.org\\a.png", ""),
        ("https://example.org/a.png", ""),
        ("data:image/png;base64,AAAA", ""),
        ("file:///etc/passwd", ""),
        ("javascript:alert(1)", ""),
        ("http://[", ""),
        ("?a.png", ""),
        ("", ""),
        ("a" * 501, ""),
    ],
)
def test_only_a_relative_address_names_a_file(address, file):
    assert file_of(address) == file


def test_an_image_gives_its_file_its_first_byte_and_the_width_that_the_page_states():
    rendering = render(SOURCE, lay_out(SOURCE))
    first, second = SOURCE.index(b"<img"), SOURCE.rindex(b"<img")
    assert rendering.images == (Image(first, "a.png", 220), Image(second, "c.png", 0))
    assert render(SOURCE, lay_out(SOURCE), root=1).images == (Image(second, "c.png", 0),)


@pytest.mark.parametrize("width", ["100%", "-3", "0x10", "99999", "٣", "", "1e3"])
def test_an_invalid_width_is_ignored(width):
    source = f'<p>a<img src=a.png width="{width}"></p>'.encode()
    assert render(source, lay_out(source)).images[0].width == 0


def test_tokens_words_and_text_are_those_of_the_page_without_its_images():
    with_images, without = (render(page, lay_out(page)) for page in (SOURCE, PLAIN))
    assert (with_images.text, with_images.words) == (without.text, without.words)
    assert [token.text for token in lay_out(SOURCE).tokens] == [token.text for token in lay_out(PLAIN).tokens]


def test_an_image_replaces_its_placeholder_and_the_others_stay():
    rendering = render(SOURCE, lay_out(SOURCE))
    at = rendering.images[0].at
    html = with_pictures(rendering.html, {at: ImageToShow("http://here/1/", 220, 165)})
    assert html == (
        '<p data-c="0">one<img class="gf-picture" src="http://here/1/" alt="A &amp; &quot;b&quot;" width="220"'
        ' height="165" loading="lazy" decoding="async" draggable="false"> two</p>\n'
        '<p data-c="1">three<span class="gf-image" role="img" aria-label="B"></span>'
        '<span class="gf-image" aria-hidden="true"></span> four</p>\n'
    )


@pytest.mark.parametrize(
    "text",
    [
        '&lt;span class="gf-image" data-i="5"&gt;&lt;/span&gt;',
        '<span class="gf-image" data-i="5"></span>',
        '<b data-i="5" class="gf-image"></b>',
        '<img src="a.png" alt=\'" data-i="5"><img src=x onerror=alert(1)\'>',
    ],
)
def test_no_page_can_write_a_placeholder_of_its_own(text):
    source = f"<p>one {text} two</p>".encode()
    html = with_pictures(render(source, lay_out(source)).html, {5: ImageToShow("http://here/1/", 1, 1)})
    assert "<img" not in html
    assert 'data-i="' not in html.replace('&lt;span class="gf-image" data-i="5"&gt;', "")
