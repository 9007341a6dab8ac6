"""Paragraphs are split into sentences at exact offsets."""

import pytest

from annotation.documents.layout import PUBLISHED, SENTENCES, Candidate, Layout, Token
from annotation.documents.text import Block, Span, sentences

KEPT_TOGETHER = [
    "We follow Devlin et al. (2018) here.",
    "Peters et al. BIBREF25 proposed a model.",
    "It costs 0.5 of 1.25 points, e.g. in Fig. 3 and Sec. 4.2 of No. 7.",
    "See Eq. (3), cf. Table 2, vs. Baseline, i.e. BERT.",
    "The model (see Fig. 3. It has two parts.) is small.",
    "She wrote “It works. It is good.” in her notes.",
    'She wrote "It works. It is good." in her notes.',
    "It holds that $x = 1. Y$ and $$a. B$$ are the same.",
    "A. B. Smith and J. Doe wrote it.",
    "1. Cut the text.",
    "The U.S. Army paid for it.",
    "Yahoo! Answers has many of them.",
    "It is done ... by hand, a.k.a. annotation.",
    "Apples, pears, etc. and so on.",
    "A heading without a stop",
]
CUT = [
    ("It is here BIBREF13. We use it BIBREF1, BIBREF2. BIBREF3 did so too.", 3),
    ("It rose to 91.4. The baseline is 84.0 F1. 14 people helped.", 3),
    ("Is it? Yes! No… Perhaps.", 4),
    ("This is by Smith et al. We take it. It lists apples etc. The rest is here.", 4),
    ("The answer is no. We asked twice. There is no plan B. This is all.", 4),
    ("mBERT wins. word2vec loses. $x$ is small. (This is one. This is two.) [3] is last.", 5),
    ('It says so (TABREF1). “Why?” He asked. "So." Then he left.', 5),
    ("It is known.BIBREF5 It is old.2 We go on.", 3),
    ("仕事をクビになった。楽だ。 The work is easy.", 3),
    ("1. Cut it. 2. Paste it.", 2),
    ("One without a stop\n\nAnother after a blank line", 2),
    ("The cost was $5. We paid $7. Both are sums.", 3),
    ("🦊 runs. 🦊 sleeps.", 2),
]


@pytest.mark.parametrize("text", KEPT_TOGETHER)
def test_no_sentence_ends_there(text):
    assert [span.text_in(text) for span in sentences(text)] == [text]


@pytest.mark.parametrize(("text", "number"), CUT)
def test_sentences_end_where_a_reader_would_end_them(text, number):
    assert len(sentences(text)) == number


def test_only_white_space_lies_between_sentences():
    for text in KEPT_TOGETHER + [text for text, _ in CUT]:
        spaced = f" \t{text}\u00a0 {text} \n"
        kept, at = "", 0
        for span in sentences(spaced):
            assert spaced[at : span.start].strip() == ""
            assert span.text_in(spaced) == span.text_in(spaced).strip() != ""
            kept, at = kept + span.text_in(spaced), span.end
        assert spaced[at:].strip() == ""
        assert "".join(kept.split()) == "".join(spaced.split())


def test_adjacent_sentences_are_one_verbatim_string():
    text = "One is here.  Two is there.\nThree (see Fig. 1) is last."
    first, second, third = sentences(text)
    assert text[first.start : second.end] == "One is here.  Two is there."
    assert text[first.start : third.end] == text


@pytest.mark.parametrize("text", ["", " ", "\n \n", " " * 100_000])
def test_a_paragraph_without_words_has_no_sentence(text):
    assert sentences(text) == ()


@pytest.mark.parametrize("piece", ["a. B ", "(", '"a', "“a. B ", "$a. ", ". ", "\n ", "et al. ", "((a) "])
def test_odd_text_of_any_length_is_split(piece):
    text = piece * 20_000
    assert sum(len(span.text_in(text)) for span in sentences(text)) <= len(text)


def test_blocks_survive_being_stored_in_a_layout():
    layout = Layout(SENTENCES, blocks=(Block(0, 0, (Span(0, 4), Span(5, 9))), Block(0, 1, ()), Block(3, 0, ())))
    assert Layout.from_bytes(layout.to_bytes()) == layout


def test_a_layout_without_blocks_has_the_bytes_that_it_had_before_there_were_blocks():
    layout = Layout(PUBLISHED, (Token("a", 0, 1, False),), (Candidate(0, 1, 0, 1, True),))
    assert layout.to_bytes() == b'{"version":"published","tokens":[["a",0,1,0]],"candidates":[[0,1,0,1,1]]}'
    assert Layout.from_bytes(layout.to_bytes()) == layout


def test_a_line_of_leader_dots_is_split_as_fast_as_any_other():
    text = f"Contents {'.' * 200_000}12"
    assert [span.text_in(text) for span in sentences(text)] == [text]
