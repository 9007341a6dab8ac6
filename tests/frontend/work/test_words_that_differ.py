"""Two versions side by side: the words that only one of them has are marked."""

from __future__ import annotations

from frontend.work.differences import marked


def test_what_only_one_version_has_is_marked_in_it():
    one, other = marked("<ul><li><q>a</q></li></ul>", "<ul><li><q>a</q></li> <li><q>b c</q></li></ul>")
    assert one == "<ul><li><q>a</q></li></ul>"
    assert other == "<ul><li><q>a</q></li> <li><q><ins>b c</ins></q></li></ul>"


def test_in_texts_that_are_similar_only_the_words_that_differ_are_marked():
    one, other = marked("<p>They counted 38 bells &amp; whistles.</p>", "<p>They counted 40 bells &amp; whistles.</p>")
    assert one == "<p>They counted <ins>38</ins> bells &amp; whistles.</p>"
    assert other == "<p>They counted <ins>40</ins> bells &amp; whistles.</p>"


def test_texts_that_have_little_in_common_are_marked_as_a_whole():
    one, other = marked("<p> Fog is the reason.\n</p>", "<p>Nobody asked the keepers about it.</p>")
    assert one == "<p> <ins>Fog is the reason.</ins>\n</p>"
    assert other == "<p><ins>Nobody asked the keepers about it.</ins></p>"


def test_what_was_escaped_stays_escaped_wherever_a_mark_begins_or_ends():
    one, other = marked("<p>they &lt;b&gt; say &amp;lt;</p>", "<p>they &lt;script&gt; say &amp;amp;lt;</p>")
    assert one == "<p>they &lt;<ins>b</ins>&gt; say &amp;lt;</p>"
    assert other == "<p>they &lt;<ins>script</ins>&gt; say &amp;<ins>amp;</ins>lt;</p>"


def test_the_same_words_in_other_white_space_are_no_difference():
    assert marked("<p>\n  a\n  b</p>", "<p>a b</p>") == ("<p>\n  a\n  b</p>", "<p>a b</p>")
