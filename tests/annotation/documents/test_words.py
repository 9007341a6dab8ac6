"""What a word and a character of a plain text are, in any script, and how pages are told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.documents.words import (
    DIGITS,
    Boundaries,
    boundaries,
    language_by_script,
    length_of,
    opening,
    says_something,
    words,
)
from tests.texts.languages import STORIES
from tests.texts.scripts import SCRIPTS


def tokens(text):
    return [token.text_in(text) for token in boundaries(text).tokens]


def clusters(text):
    return [cluster.text_in(text) for cluster in boundaries(text).clusters]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It’s 3.5 km, or 1,000", ["It’s", "3.5", "km", "or", "1,000"]),
        ("state-of-the-art - or not-", ["state", "of", "the", "art", "or", "not"]),
        ("“Well,” she said… (no)", ["Well", "she", "said", "no"]),
        ("$20 + 3 %", ["$", "20", "+", "3", "%"]),
        ("Manning's 19-nation", ["Manning's", "19", "nation"]),
        ("我爱北京天安门。", ["我", "爱", "北京", "天安门"]),
        ("東京タワーは高い", ["東京タワー", "は", "高い"]),
        ("ภาษาไทยง่ายมาก", ["ภาษา", "ไทย", "ง่าย", "มาก"]),
        ("हिन्दी में।", ["हिन्दी", "में"]),
        ("می‌خواهم", ["می‌خواهم"]),
        ("a 😀 👍🏽 🇩🇪🇫🇷", ["a", "😀", "👍🏽", "🇩🇪", "🇫🇷"]),
        ("ne\u0301e", ["ne\u0301e"]),
        (" \u00a0\n\u200b\u0085 ", []),
        ("", []),
    ],
)
def test_tokens_are_words_and_symbols_in_any_script(text, expected):
    assert tokens(text) == expected


def test_words_are_those_with_a_letter_or_a_digit():
    assert [word.text_in("$20 + ½ 😀 of 東") for word in words("$20 + ½ 😀 of 東")] == ["20", "½", "of", "東"]


def test_characters_of_several_code_points_are_not_cut():
    assert clusters("cafe\u0301 🇩🇪 👨\u200d👩\u200d👧 हि ง่ a\r\nb") == [
        *("e\u0301", "🇩🇪", "👨\u200d👩\u200d👧", "हि", "ง่", "\r\n")
    ]
    found = boundaries("e\u0301a")
    assert [found.cuts_character(at) for at in range(4)] == [False, True, False, False]


def test_where_a_word_would_be_cut_is_known_at_its_ends_too():
    found = boundaries("ab, c")
    assert [found.cuts_token(at) for at in range(6)] == [False, True, False, False, False, False]


def test_a_range_is_extended_to_whole_characters_and_no_further():
    text = "a e\u0301🇩🇪b"
    found = boundaries(text).whole_characters
    assert found(3, 5).text_in(text) == "e\u0301🇩🇪"
    assert found(2, 4) == (2, 4)
    assert found(0, 7) == (0, 7)


# tests/js/spans.test.js reads the first two.
@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Manning's 19-nation $3.5", ("!-#$#*##!%", "")),
        ("a" + " " * 200 + "b", ("!#~~B#", "")),
        ("", ("", "")),
        ("😀 cafe\u0301", ("!$#)", "!$($")),
    ],
)
def test_pages_are_told_in_utf_16_units(text, codes):
    assert boundaries(text).codes == codes


@pytest.mark.parametrize("n", [len(DIGITS) - 1, len(DIGITS), len(DIGITS) + 1])
def test_a_word_of_any_length_is_told(n):
    more, last = divmod(n, len(DIGITS))
    assert boundaries("a" * n).codes[0] == "!" + "~" * more + DIGITS[last]


@pytest.mark.parametrize("script", SCRIPTS)
def test_no_token_cuts_a_character_and_none_is_empty_in_any_script(script):
    holds(SCRIPTS[script])


@given(st.lists(st.sampled_from([*SCRIPTS.values(), " ", "\n", "x"]), max_size=6).map("".join))
def test_neither_where_scripts_meet(text):
    holds(text)


def holds(text):
    found, end = Boundaries(text), 0
    for start, after in found.tokens:
        assert end <= start < after <= len(text)
        assert not text[start:after].isspace()
        assert not found.cuts_character(start)
        assert not found.cuts_character(after)
        end = after


@pytest.mark.parametrize(
    ("text", "n", "in_characters"),
    [
        ("The light was lit in 1823.", 6, False),
        ("ภาษาไทยง่ายมาก", 4, False),
        ("我爱北京天安门。2019年", 12, True),
        ("東京タワーは高い。", 8, True),
        ("한국어는 어렵다.", 2, False),
        ("北京 is a city", 4, False),
        ("", 0, False),
    ],
)
def test_a_text_is_as_long_as_people_would_say(text, n, in_characters):
    assert length_of(text) == (n, in_characters)


@pytest.mark.parametrize(
    ("text", "says"),
    [("bell", True), ("7", True), ("語", True), ("+", False), ("😀", False), ("\u200b", False), ("", False)],
)
def test_a_text_says_something_with_a_letter_or_a_digit(text, says):
    assert says_something(text) is says


@pytest.mark.parametrize(("language", "story"), STORIES.items())
def test_the_language_is_known_where_the_script_says_it(language, story):
    assert language_by_script(story.text) == (language if language in ("th", "zh", "ja", "ko") else "")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The light was lit.", ""),
        ("The 灯塔 was lit in 1871.", ""),
        ("他读了《ノルウェイの森》，然后回到北京大学继续学习中国古代历史和文学，一学就是十年，从来没有中断过。", "zh"),
        ("", ""),
    ],
)
def test_a_few_words_of_another_script_do_not_make_a_language(text, language):
    assert language_by_script(text) == language


@pytest.mark.parametrize(
    ("text", "most", "shown"),
    [
        ("The light\n was lit.", 4, "The light was lit."),
        ("The light was lit.", 3, "The light was …"),
        ("海湾灯塔建于1871年。", 2, "海湾灯塔 …"),
        ("", 3, ""),
        ("…", 1, "…"),
    ],
)
def test_a_text_opens_with_its_first_words(text, most, shown):
    assert opening(text, most) == shown
