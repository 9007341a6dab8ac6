// Words of a text and spans of them: where words begin, what a drag extends to, and offsets in code points.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { cut } from "./cutting.js";
import { openPage } from "./page.js";

let document;
let saysSomething;
let decoded;
let Marked;
let Passage;
let Passages;
let Spans;
let TextSpans;

before(async () => {
  const page = openPage("");
  ({ document } = page);
  ({ saysSomething } = await page.load("goldfinch/spans/words.js"));
  ({ decoded } = await page.load("goldfinch/spans/boundaries.js"));
  ({ Passage, Passages } = await page.load("goldfinch/spans/passages.js"));
  ({ TextSpans } = await page.load("goldfinch/spans/text_spans.js"));
  ({ Marked } = await page.load("goldfinch/spans/marked.js"));
  ({ Spans } = await page.load("nq/spans.js"));
});

const sentences = (text) => text.sentences.map(({ start, end }) => text.slice(start, end));

// A text in a page, with its HTML.
function passage(html, index = 0) {
  document.body.innerHTML = `<p data-passage="${index}">${html}</p>`;
  cut(document);
  return new Passage(document.querySelector("p"), index);
}

// Texts in which spans are marked.
function textSpans(...texts) {
  document.body.innerHTML = `<main>${texts.map((text, at) => `<p data-passage="${at}">${text}</p>`).join("")}</main>`;
  cut(document);
  const passages = new Passages(document.querySelector("main"));
  return (most) => new TextSpans(passages, most);
}

describe("words", () => {
  // Codes as annotation/documents/words.py writes them; tests/annotation/documents/test_words.py has them, too.
  for (const [text, tokens, clusters, ...expected] of [
    ["Manning's 19-nation $3.5", "!-#$#*##!%", "", "Manning's", "19", "nation", "$", "3.5"],
    [`a${" ".repeat(200)}b`, "!#~~B#", "", "a", "b"],
    ["", "", "", ...[]],
  ]) {
    test(`of ${JSON.stringify(text.slice(0, 30))} are those that the server has cut`, () => {
      assert.deepEqual(decoded(tokens).map(([start, end]) => text.slice(start, end)), expected);
      assert.deepEqual(decoded(clusters), []);
    });
  }

  test("an equation is one word, and the text around it is cut as usual", () => {
    const text = passage("where <code data-whole>$x + y$</code> is");
    assert.deepEqual(text.words.map((word) => text.slice(...word)), ["where", "$x + y$", "is"]);
  });

  test("only those with a letter or a digit are counted", () => {
    assert.deepEqual(["bell", "7", "語", "+", "😀", "$"].map((token) => saysSomething(token)),
      [true, true, true, false, false, false]);
  });
});

describe("offsets of a text", () => {
  test("are code points in the record, and UTF-16 units here", () => {
    const text = passage("a 😀 b 👍🏽 c");
    const at = text.text.indexOf("b");
    assert.equal(at, 5);
    assert.equal(text.toPoints(at), 4);
    assert.equal(text.toUnits(4), at);
    const end = text.text.length;
    assert.equal(text.toPoints(end), [...text.text].length);
    assert.equal(text.toUnits([...text.text].length), end);
  });

  test("go there and back at every code point", () => {
    const text = passage("😀👍🏽 née 東 𝒳y");
    for (let point = 0; point <= [...text.text].length; point += 1) {
      assert.equal(text.toPoints(text.toUnits(point)), point);
    }
  });

  test("that lie within a character count as its end, and those past the text as the text's", () => {
    const text = passage("a😀b");
    assert.equal(text.toPoints(2), 2);
    assert.equal(text.toUnits(99), 4);
  });

  test("are the same in both where every character has one unit", () => {
    const text = passage("née 東京");
    assert.equal(text.toPoints(4), 4);
    assert.equal(text.toUnits(4), 4);
  });

  test("of words are those of their places on the page, through nested elements", () => {
    const text = passage("The <b>old <i>be</i>ll</b> rang 😀 <a>twice</a>.");
    for (const [start, end] of text.words) {
      const range = text.range(start, end);
      assert.equal(range.toString(), text.slice(start, end));
      assert.equal(text.offset(range.startContainer, range.startOffset), start);
      assert.equal(text.offset(range.endContainer, range.endOffset), end);
    }
  });

  test("of a place between elements are those of the text that follows it", () => {
    const text = passage("The <b>old</b> bell");
    assert.equal(text.offset(text.element, 1), 4);
    assert.equal(text.offset(text.element, 3), 12);
    assert.equal(text.offset(document.body, 1), text.text.length);
  });

  test("within an equation are its start or its end, whatever has been drawn in it", () => {
    const text = passage('where <code data-whole>$x^2$</code> is');
    document.querySelector("code").innerHTML = "<math><mi>x</mi><mn>2</mn></math>";
    const drawn = document.querySelector("mn").firstChild;
    assert.equal(text.offset(drawn, 1), 6);
    assert.equal(text.offset(drawn, 1, { end: true }), 11);
    assert.deepEqual(text.words.map((word) => text.slice(...word)), ["where", "$x^2$", "is"]);
    assert.equal(text.range(6, 11).cloneContents().querySelectorAll("code").length, 1);
  });
});

describe("what somebody drags over", () => {
  for (const [from, to, expected] of [
    [6, 7, "old"], // within a word
    [5, 9, "old"], // its exact ends, and the space after it
    [4, 8, "old"],
    [7, 10, "old bell"],
    [8, 9, null], // only the space
    [0, 0, null],
    [13, 15, null], // only the full stop and what follows
    [-5, 99, "The  old bell"],
  ]) {
    test(`from ${from} to ${to} in "The  old bell." is extended to ${expected ?? "nothing"}`, () => {
      const text = passage("The  old bell.");
      const found = text.snap(from, to);
      assert.equal(found && text.slice(...found), expected);
    });
  }

  test("is counted in words, without signs", () => {
    const text = passage("3 % of 😀 bells");
    assert.equal(text.size(0, text.text.length), 3);
  });
});

describe("what somebody marks finely", () => {
  for (const [html, from, to, expected] of [
    ["Manning's helmet", 0, 7, "Manning"],
    ["Manning's helmet", 0, 10, "Manning's"], // the space after it is not marked
    ["a 🇩🇪 b", 3, 4, "🇩🇪"], // half of a flag
    ["cafe\u0301 noir", 0, 4, "cafe\u0301"], // without its accent
    ["東京タワー", 1, 3, "京タ"],
    ["one two", 3, 4, null], // only the space
    ["x <code data-whole>$y$</code> z", 3, 4, "$y$"],
  ]) {
    test(`${from} to ${to} of ${JSON.stringify(html)} is ${expected ?? "nothing"}`, () => {
      const text = passage(html);
      const found = text.snap(from, to, { fine: true });
      assert.equal(found && text.slice(...found), expected);
    });
  }

  test("has ends that go on by a character, and skip white space", () => {
    const spans = textSpans("It is Manning's 🇩🇪 helmet")();
    const moved = (side, by) => {
      spans.move(side, by, { fine: true });
      return spans.quote(spans.pending);
    };
    spans.select({ passage: 0, start: 6, end: 15 });
    assert.equal(moved("end", -1), "Manning'");
    assert.equal(moved("end", -1), "Manning");
    assert.equal(moved("start", 1), "anning");
    assert.equal(moved("start", -1), "Manning");
    assert.equal(moved("start", -1), "s Manning");
    spans.select({ passage: 0, start: 6, end: 15 });
    assert.equal(moved("end", 1), "Manning's 🇩🇪");
    assert.equal(moved("end", 1), "Manning's 🇩🇪 h");
  });

  test("keeps at least one character", () => {
    const spans = textSpans("a b")();
    spans.select({ passage: 0, start: 2, end: 3 });
    spans.move("end", -1, { fine: true });
    assert.equal(spans.quote(spans.pending), "b");
    spans.move("start", 1, { fine: true });
    assert.equal(spans.quote(spans.pending), "b");
    spans.move("end", 1, { fine: true });
    assert.equal(spans.quote(spans.pending), "b");
  });
});

describe("sentences", () => {
  test("are the ones that the page has marked, if it has", () => {
    const text = passage('<i data-sentence="0">One e.g. two.</i> <i data-sentence="1">Three.</i>');
    assert.deepEqual(sentences(text), ["One e.g. two.", "Three."]);
  });

  test("are otherwise those of the language", () => {
    const text = passage("A bell rang. Who? 😀 Nobody.");
    assert.deepEqual(sentences(text), ["A bell rang.", "Who?", "😀 Nobody."]);
  });

  test("an offset at the end of one is in the next, and one past all of them in the last", () => {
    const text = passage('<i data-sentence="0">One.</i><i data-sentence="1">Two.</i>');
    assert.deepEqual([0, 3, 4, 7, 8, 99].map((offset) => text.sentenceAt(offset)), [0, 0, 1, 1, 1, 1]);
  });
});

describe("marked spans of a text", () => {
  test("are sent in code points, with their words, in the order of the texts", () => {
    const spans = textSpans("no", "a 😀 bell rang")();
    spans.select({ passage: 1, start: 5, end: 9 });
    spans.add();
    spans.select({ passage: 0, start: 0, end: 2 });
    spans.add();
    assert.deepEqual(JSON.parse(spans.value), [
      { passage: 0, start: 0, end: 2, quote: "no" }, { passage: 1, start: 4, end: 8, quote: "bell" },
    ]);
  });

  test("are drafted with the pending words, which are not marked yet", () => {
    const spans = textSpans("no", "a 😀 bell rang")();
    assert.equal(spans.draft, "");
    spans.select({ passage: 1, start: 5, end: 9 });
    assert.equal(spans.value, "");
    assert.deepEqual(JSON.parse(spans.draft), [{ passage: 1, start: 4, end: 8, quote: "bell" }]);
  });

  test("come back from what was sent, without those of a text that is not there", () => {
    const make = textSpans("a 😀 bell rang");
    const spans = make();
    spans.value = JSON.stringify([{ passage: 0, start: 4, end: 8 }, { passage: 7, start: 0, end: 1 }]);
    assert.deepEqual(spans.list, [{ passage: 0, start: 5, end: 9 }]);
    const again = make();
    again.value = spans.value;
    assert.equal(again.value, spans.value);
  });

  test("of words that touch are two, and of one word that lies in both only the new one", () => {
    const spans = textSpans("a😀 bell")();
    for (const [start, end] of [[0, 1], [1, 3]]) { spans.select({ passage: 0, start, end }); spans.add(); }
    assert.equal(spans.list.length, 2);
    spans.select({ passage: 0, start: 1, end: 8 });
    assert.deepEqual(spans.add(), [{ passage: 0, start: 1, end: 3 }]);
  });

  test("are nothing if there are none", () => {
    const spans = textSpans("a bell")();
    spans.value = "";
    assert.equal(spans.value, "");
  });

  test("that a quote gives are those that the server has found, and none where only white space is", () => {
    const spans = textSpans("😀 the bell …")();
    assert.deepEqual(spans.snapped({ passage: 0, start: 3, end: 7 }), { passage: 0, start: 4, end: 8 });
    assert.deepEqual(spans.snapped({ passage: 0, start: 0, end: 1 }), { passage: 0, start: 0, end: 2 });
    assert.equal(spans.snapped({ passage: 0, start: 10, end: 11 }), null);
    assert.equal(spans.snapped({ passage: 4, start: 0, end: 1 }), null);
  });

  test("change by one word at either end, keep one, and stay within the text", () => {
    const spans = textSpans("one two three")();
    spans.select({ passage: 0, start: 4, end: 7 });
    const after = (side, by) => { spans.move(side, by); return spans.quote(spans.pending); };
    assert.equal(after("end", 1), "two three");
    assert.equal(after("end", 1), "two three");
    assert.equal(after("start", -1), "one two three");
    assert.equal(after("start", -1), "one two three");
    assert.equal(after("end", -9), "one");
    assert.equal(after("start", 9), "one");
  });

  test("are shown with at least thirty characters on either side, from whole words on", () => {
    const text = "A first long sentence stands here before the bell and a second long one stands after the bell.";
    const spans = textSpans(text)();
    const start = text.indexOf("bell");
    assert.deepEqual(spans.around({ passage: 0, start, end: start + 4 }), {
      before: "sentence stands here before the ", words: "bell", after: " and a second long one stands after",
    });
    assert.deepEqual(spans.around({ passage: 0, start: 2, end: 7 }).before, "A ");
  });

  test("are as many words as select mode goes through, with their sentences and stretches", () => {
    document.body.innerHTML = '<p data-passage="0">One two. Three.</p><p data-passage="1">Four.</p>';
    cut(document);
    const passages = new Passages(document.body);
    const found = passages.wordsIn([{ passage: 1, start: 0, end: 5 }, { passage: 0, start: 4, end: 15 }]);
    assert.deepEqual(found.map(({ passage: at, start, sentence, block }) => [at, start, sentence, block]),
      [[1, 0, 0, 0], [0, 4, 0, 1], [0, 9, 1, 1]]);
  });

  for (const [text, ...paragraphs] of [
    ["One two. Three.", "One two. Three."],
    ["One.\nTwo.\n", "One.", "Two."],
    ["One\ntwo.\n\nThree.\r\n \r\nFour\nfive.\n\n", "One two.", "Three.", "Four five."],
    ["\n\nOne.\nTwo.\n\n", "One.", "Two."],
  ]) {
    test(`of a whole text are apart by paragraph: ${JSON.stringify(text)}`, () => {
      document.body.innerHTML = '<p data-passage="0"></p><p data-passage="1">Last.</p>';
      document.querySelector("p").textContent = text;
      cut(document);
      const passages = new Passages(document.body);
      const found = passages.allWords;
      const blocks = [...new Set(found.map(({ block }) => block))].slice(0, -1);
      const inside = (number) => found.filter(({ block }) => block === number);
      const read = blocks.map((number) => inside(number).map(({ start, end }) => text.slice(start, end)).join(" "));
      assert.deepEqual(read, paragraphs.map((paragraph) => paragraph.replace(/\./g, "")));
      assert.deepEqual(found.map(({ passage, part }) => passage - part), found.map(() => 0));
    });
  }
});

describe("a list of marked spans", () => {
  const numbers = (most) => new Marked({
    order: (a, b) => a[0] - b[0], overlap: (a, b) => a[0] < b[1] && b[0] < a[1], most,
  });
  const add = (marked, ...spans) => spans.flatMap((span) => { marked.select(span); return marked.add(); });

  test("is in order, whatever the order in which they were added", () => {
    const marked = numbers();
    add(marked, [5, 6], [1, 2], [3, 4]);
    assert.deepEqual(marked.list, [[1, 2], [3, 4], [5, 6]]);
  });

  test("has a new one in the place of those that it overlaps, and says which, before and after", () => {
    const marked = numbers();
    add(marked, [1, 3], [4, 6], [8, 9]);
    marked.select([2, 5]);
    assert.deepEqual(marked.replaced, [[1, 3], [4, 6]]);
    assert.deepEqual(marked.add(), [[1, 3], [4, 6]]);
    assert.deepEqual(marked.list, [[2, 5], [8, 9]]);
  });

  test("keeps those that only touch the new one", () => {
    const marked = numbers();
    assert.deepEqual(add(marked, [1, 3], [3, 5], [0, 1]), []);
    assert.equal(marked.list.length, 3);
  });

  test("loses its first ones once there would be too many", () => {
    const marked = numbers(2);
    assert.deepEqual(add(marked, [5, 6], [1, 2], [3, 4]), [[1, 2]]);
    assert.deepEqual(marked.list, [[3, 4], [5, 6]]);
    const single = numbers(1);
    assert.deepEqual(add(single, [1, 2], [5, 6]), [[1, 2]]);
  });

  test("gets back a span whose change is given up, and not one that is added in another form", () => {
    const marked = numbers();
    const span = [1, 3];
    add(marked, span, [5, 6]);
    marked.edit(span);
    assert.deepEqual([marked.list, marked.pending], [[[5, 6]], span]);
    marked.drop();
    assert.deepEqual([marked.list, marked.pending], [[[1, 3], [5, 6]], null]);
    marked.edit(span);
    marked.select([1, 2]);
    marked.add();
    marked.drop();
    assert.deepEqual(marked.list, [[1, 2], [5, 6]]);
  });

  test("is put back as it was by its state, which later changes do not touch", () => {
    const marked = numbers();
    add(marked, [1, 2]);
    marked.select([7, 8]);
    const { state } = marked;
    marked.add();
    marked.clear();
    marked.state = state;
    assert.deepEqual([marked.list, marked.pending, marked.editing], [[[1, 2]], [7, 8], null]);
  });

  test("is drafted with the pending one, which changes nothing yet", () => {
    const marked = numbers();
    add(marked, [1, 3], [8, 9]);
    assert.deepEqual(marked.drafted, [[1, 3], [8, 9]]);
    marked.select([4, 5]);
    assert.deepEqual(marked.drafted, [[1, 3], [4, 5], [8, 9]]);
    assert.deepEqual(marked.list, [[1, 3], [8, 9]]);
  });

  test("is drafted without a pending one that would replace others, since they are confirmed and it is not", () => {
    const marked = numbers();
    add(marked, [1, 3], [8, 9]);
    marked.select([2, 5]);
    assert.deepEqual(marked.drafted, [[1, 3], [8, 9]]);
    marked.add();
    assert.deepEqual(marked.drafted, [[2, 5], [8, 9]]);
  });

  test("is drafted with the one that is being edited", () => {
    const marked = numbers();
    add(marked, [1, 3], [8, 9]);
    marked.edit(marked.list[0]);
    assert.deepEqual(marked.drafted, [[1, 3], [8, 9]]);
  });

  test("keeps one that another took the place of elsewhere, until either is settled", () => {
    const marked = numbers();
    marked.select([1, 3]);
    marked.select([5, 6]);
    assert.deepEqual([marked.pending, marked.passed, marked.drafted], [[5, 6], [[1, 3]], [[5, 6]]]);
    marked.select([5, 7]); // its ends are moved
    assert.deepEqual([marked.pending, marked.passed], [[5, 7], [[1, 3]]]);
    assert.deepEqual(marked.addAll(), []);
    assert.deepEqual([marked.list, marked.pending, marked.passed], [[[1, 3], [5, 7]], null, []]);
    marked.select([10, 11]);
    marked.select([12, 13]);
    marked.add();
    assert.deepEqual([marked.list, marked.passed], [[[1, 3], [5, 7], [12, 13]], []]);
  });

  test("goes back to the one before when the pending one is discarded", () => {
    const marked = numbers();
    for (const span of [[1, 3], [5, 6], [8, 9]]) marked.select(span);
    marked.back();
    assert.deepEqual([marked.pending, marked.passed], [[5, 6], [[1, 3]]]);
    const { state } = marked;
    marked.back();
    marked.back();
    assert.deepEqual([marked.pending, marked.passed, marked.list], [null, [], []]);
    marked.state = state;
    assert.deepEqual([marked.pending, marked.passed], [[5, 6], [[1, 3]]]);
    marked.drop();
    assert.deepEqual([marked.pending, marked.passed], [null, []]);
  });

  test("passes nothing over that touches the pending one, is being edited, or where there is only one", () => {
    const marked = numbers();
    marked.select([1, 3]);
    marked.select([2, 4]);
    assert.deepEqual(marked.passed, []);
    add(marked, [2, 4]);
    marked.edit(marked.list[0]);
    marked.select([7, 8]);
    assert.deepEqual(marked.passed, []);
    const single = numbers(1);
    single.select([1, 3]);
    single.select([5, 6]);
    assert.deepEqual([single.pending, single.passed], [[5, 6], []]);
  });

  test("adds nothing if nothing is pending", () => {
    const marked = numbers();
    assert.deepEqual(marked.add(), []);
    assert.deepEqual(marked.list, []);
  });
});

describe("words of a box of a page", () => {
  const TEXT = "The old\n bell 😀 rang.";
  const box = () => new Spans([[3, 0, 3], [4, 4, 7], [7, 9, 13], [8, 14, 16], [9, 17, 21]], TEXT);

  test("are named by the tokens of the page, and quoted as the server compares them", () => {
    const spans = box();
    spans.select([1, 3]);
    spans.add();
    assert.deepEqual(JSON.parse(spans.forForm()), [{ start: 4, end: 8, quote: "old bell" }]);
  });

  for (const [start, end, expected] of [
    [4, 8, [1, 3]], [5, 8, [2, 3]], [4, 7, [1, 2]], [0, 99, [0, 5]], [5, 7, null], [10, 12, null], [0, 3, null],
  ]) {
    test(`from token ${start} to ${end} are ${expected ? `words ${expected.join(" to ")}` : "no words of it"}`, () => {
      assert.deepEqual(box().fromTokens(start, end), expected);
    });
  }

  test("count without signs, unless there is nothing else", () => {
    assert.equal(box().size([0, 5]), 4);
    assert.equal(box().size([3, 4]), 1);
  });

  test("begin with so many characters, not halves of them", () => {
    const spans = new Spans([[0, 0, 2], [1, 3, 5]], "😀 👍");
    assert.equal(spans.beginning(0, 2, 1), "😀");
    assert.equal(spans.beginning(0, 2, 3), "😀 👍");
    assert.equal(spans.beginning(5, 6, 3), null);
  });

  test("change by one at either end, keep one, and stay within the box", () => {
    const spans = box();
    spans.select([1, 3]);
    const after = (end, by) => { spans.move(end, by); return spans.pending; };
    assert.deepEqual(after("end", 9), [1, 5]);
    assert.deepEqual(after("start", -9), [0, 5]);
    assert.deepEqual(after("end", -9), [0, 1]);
    assert.deepEqual(after("start", 9), [0, 1]);
  });
});
