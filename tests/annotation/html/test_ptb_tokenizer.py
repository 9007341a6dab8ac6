"""How text is split into words."""

from __future__ import annotations

import pytest

from annotation.html.ptb_tokenizer import split


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Earth's atmosphere.", "Earth 's atmosphere ."),
        ("I don't and can’t", "I do n't and ca n't"),
        ("O'Brien's l'eau", "O'Brien 's l'eau"),
        ("low-pressure mid-summer non-profit", "low - pressure mid-summer non-profit"),
        ("in 2009-11-09, 05:08", "in 2009 - 11 - 09 , 05 : 08"),
        ("13,000 ft, 3.5% of $1,000.50", "13,000 ft , 3.5 % of $ 1,000.50"),
        ("G. E. Pieter and U. S. forces", "G.E. Pieter and U.S. forces"),
        ("in the U.S. at 3 a.m. today.", "in the U.S. at 3 a.m. today ."),
        ("John E. Oliver, p. 38. Dr. Who, Inc.", "John E. Oliver , p. 38 . Dr. Who , Inc."),
        ("see no. 5 or no.", "see no. 5 or no ."),
        ('He said "yes" ("no").', "He said `` yes '' ( `` no '' ) ."),
        ("“curly” ‘single’", "`` curly '' ' single '"),
        ("[edit] 145–151 — so..", "( edit ) 145 -- 151 -- so ..."),
        ("Texas A&M and R & D", "Texas A&M and R & D"),
        ("at https://a.org/b?c=d&e=f. Or x@y.org!", "at https://a.org/b?c=d&e=f . Or x@y.org !"),
        ("30°S Wikipedia®", "30 ° S Wikipedia ®"),
        ("日本語 한국어 हिन्दी ไทย", "日 本 語 한국어 हिन्दी ไทย"),
        ("a\u00a0b\u2003c\nd", "a b c d"),
        (
            "\U0001f468‍\U0001f469‍\U0001f467 \U0001f1e9\U0001f1ea❤️",
            "\U0001f468‍\U0001f469‍\U0001f467 \U0001f1e9\U0001f1ea ❤️",
        ),
        ("combin\u0301ing e\u0301", "combin\u0301ing e\u0301"),
        ("", ""),
        (" \n ", ""),
    ],
)
def test_words_are_split_and_spelled_as_in_the_treebank(text, words):
    assert " ".join(word for word, _, _ in split(text)) == words


def test_words_are_in_order_and_leave_out_only_white_space():
    text = 'A "test", isn\'t it? U. S. x@y.z \U0001f600... [1] – ’s ’tis ab\u0301c. 1.2.3a'
    at = 0
    for _, start, end in split(text):
        assert not text[at:start].strip()
        assert start < end
        at = end
    assert not text[at:].strip()


def test_hostile_text_is_split_in_linear_time():
    for text in ("a-" * 50_000 + " @ ://", "1." * 100_000 + "a", "n't" * 50_000, "A. " * 50_000, "'s" * 50_000 + "@"):
        assert sum(end - start for _, start, end in split(text)) >= len(text.replace(" ", ""))
