// Drag, taps, keys and a pasted quote mark the same words, in a text and in the page of a frame.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, describe, test } from "node:test";
import { compileFunction } from "node:vm";
import { cut } from "./cutting.js";
import { openPage } from "./page.js";

const FRAME = readFileSync(new URL("../../frontend/frame/words.js", import.meta.url), "utf8");
const PARTS = [
  "bell", "It’s", "3.5", "Lund", "😀", "%", "née", "語", "state-of-the-art",
  ",", ".", "…", "(", ")", "“", "”", "-", "--", "?!", " ", " ", " ", "\n", "  ",
];
const TOKENS = /[\p{L}\p{N}\p{M}]+(?:[-'’.,·][\p{L}\p{N}\p{M}]+)*|[-.?!]+|\S/gu;
const TEXTS = 60;
const SPANS = 6; // of each text

let document;
let Passages;
let Pointing;
let Selecting;
let Spans;
let TextSpans;
let isPunctuation;

before(async () => {
  const page = openPage("");
  ({ document } = page);
  ({ Passages } = await page.load("goldfinch/spans/passages.js"));
  ({ Pointing } = await page.load("goldfinch/spans/pointing.js"));
  ({ Selecting } = await page.load("goldfinch/selecting.js"));
  ({ TextSpans } = await page.load("goldfinch/spans/text_spans.js"));
  ({ isPunctuation } = await page.load("goldfinch/spans/words.js"));
  ({ Spans } = await page.load("nq/spans.js"));
});

// Numbers that look random and are the same in each run.
function drawing(seed) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return (below) => Math.floor(next() * below);
}

function texts() {
  return Array.from({ length: TEXTS }, (_, seed) => {
    const draw = drawing(seed + 1);
    return [Array.from({ length: 8 + draw(30) }, () => PARTS[draw(PARTS.length)]).join(""), draw];
  });
}

// Two places of a list of so many, in order.
function pair(draw, count) {
  const [a, b] = [draw(count), draw(count)];
  return [Math.min(a, b), Math.max(a, b)];
}

// What select mode marks with Shift and arrows from one of its words to another.
function byKeys(words, from, to) {
  const pressed = new Map();
  const keys = { push() {}, pop() {}, bind: (names, run) => [names].flat().forEach((name) => pressed.set(name, run)) };
  let marked = null;
  const mode = new Selecting({ keys, rtl: false, mark: (first, last) => { marked = [first, last]; }, done() {} });
  mode.enter(words, from);
  if (from === to) { pressed.get(" ")(" "); return marked; }
  for (let at = from; at < to; at += 1) pressed.get("Shift+ArrowRight")("Shift+ArrowRight");
  return marked;
}

// Somewhere in a word, or in what is before it, for the beginning of a drag; and in or after one for its end.
const fromOf = (draw, [, end], earlier) => earlier + draw(end - earlier);
const toOf = (draw, [start], later) => later - draw(later - start);

describe("in a text", () => {
  // The words that two taps mark; `first` and `second` are where they hit.
  function byTaps(passages, first, second) {
    const [text] = passages.all;
    const marked = [];
    const hears = {
      marks: () => true, taps: () => true, fine: () => false, words: (span) => marked.push(span), dragged() {},
      twice() {}, clicked: () => false,
    };
    new Pointing(passages.root, passages, hears, new AbortController().signal);
    for (const word of [first, second]) {
      text.wordAt = () => word;
      text.element.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    }
    return marked.at(-1);
  }

  test("all four give the span from the first word to the last", () => {
    let compared = 0;
    for (const [content, draw] of texts()) {
      document.body.innerHTML = '<main><p data-passage="0"></p></main>';
      document.querySelector("p").textContent = content;
      cut(document);
      const passages = new Passages(document.querySelector("main"));
      const [text] = passages.all;
      const spans = new TextSpans(passages, Infinity);
      const { words } = text;
      for (let time = 0; words.length && time < SPANS; time += 1) {
        const [i, j] = pair(draw, words.length);
        const wanted = { passage: 0, start: words[i][0], end: words[j][1] };
        const [earlier, later] = [words[i - 1]?.[1] ?? 0, words[j + 1]?.[0] ?? content.length];
        const [from, to] = [fromOf(draw, words[i], earlier), toOf(draw, words[j], later)];
        const [start, end] = text.snap(from, to);
        assert.deepEqual({ passage: 0, start, end }, wanted, `a drag from ${from} to ${to} in ${content}`);
        assert.deepEqual(byTaps(passages, words[i], words[j]), wanted);
        assert.deepEqual(byTaps(passages, words[j], words[i]), wanted);
        const visited = passages.wordsIn([{ passage: 0, start: 0, end: content.length }]);
        const [first, last] = byKeys(visited, i, j);
        assert.deepEqual({ passage: 0, start: visited[first].start, end: visited[last].end }, wanted);
        const quoted = { passage: 0, start: text.toPoints(wanted.start), end: text.toPoints(wanted.end) };
        assert.deepEqual(spans.snapped(quoted), wanted, `a quote of ${content}`);
        assert.ok(!isPunctuation(content.slice(wanted.start, words[i][1])));
        compared += 1;
      }
    }
    assert.ok(compared > TEXTS * SPANS / 2);
  });
});

describe("in the page of a frame", () => {
  // The functions of the frame's script over a text.
  function frameOf(content, spans) {
    document.body.innerHTML = '<main id="material"></main>';
    const material = document.querySelector("main");
    material.textContent = content;
    const nothing = () => {};
    const tools = { say: nothing, hear: nothing, paint: nothing, later: nothing, cancel: nothing };
    const given = { material, page: material, ...tools, BLOCKS: "main" };
    const script = compileFunction(`${FRAME}\nreturn { startWords, wordsBetween };`, Object.keys(given));
    const frame = script(...Object.values(given));
    frame.startWords({ words: spans.words, visited: spans.visited });
    return frame;
  }

  test("all four give the span from the first word to the last", () => {
    let compared = 0;
    for (const [content, draw] of texts()) {
      const tokens = [...content.matchAll(TOKENS)];
      const rows = tokens.map(({ 0: token, index }, at) => [at + 40, index, index + token.length]);
      const spans = new Spans(rows, content);
      const frame = frameOf(content, spans);
      const { visited } = spans;
      for (let time = 0; visited.length && time < SPANS; time += 1) {
        const [i, j] = pair(draw, visited.length);
        const wanted = [visited[i], visited[j] + 1];
        const [earlier, later] = [rows[visited[i - 1]]?.[2] ?? 0, rows[visited[j + 1]]?.[1] ?? content.length];
        const from = fromOf(draw, rows[visited[i]].slice(1), earlier);
        const to = toOf(draw, rows[visited[j]].slice(1), later);
        assert.deepEqual(frame.wordsBetween(from, to), wanted, `a drag from ${from} to ${to} in ${content}`);
        assert.deepEqual(spans.trimmed([Math.min(visited[i], visited[j]), visited[j] + 1]), wanted);
        const [first, last] = byKeys(visited.map((index) => ({ index, block: 0, sentence: 0 })), i, j);
        assert.deepEqual([visited[first], visited[last] + 1], wanted);
        const [before, after] = [visited[i - 1] ?? -1, visited[j + 1] ?? rows.length];
        const quoted = spans.fromTokens(before + 41, after + 40); // the tokens between the words around it
        assert.deepEqual(spans.trimmed(quoted), wanted, `a quote with what stands around it in ${content}`);
        compared += 1;
      }
    }
    assert.ok(compared > TEXTS * SPANS / 2);
  });

  test("punctuation alone is nothing, and an end moves over it to the next word", () => {
    const spans = new Spans([[0, 0, 2], [1, 2, 3], [2, 4, 6], [3, 6, 7]], "ab, cd.");
    assert.deepEqual(spans.visited, [0, 2]);
    assert.equal(spans.trimmed([1, 2]), null);
    assert.equal(frameOf("ab, cd.", spans).wordsBetween(2, 3), null);
    spans.select([0, 1]);
    spans.move("end", 1);
    assert.deepEqual(spans.pending, [0, 3]);
    spans.move("end", -1);
    assert.deepEqual(spans.pending, [0, 1]);
  });
});

describe("a selection by keys", () => {
  const words = [[0, 0], [0, 0], [0, 1], [0, 1], [1, 2], [1, 2]].map(([block, sentence]) => ({ block, sentence }));

  function selected(from, ...names) { return selectedIn(words, from, names); }

  function selectedIn(visited, from, names, how = {}) {
    const pressed = new Map();
    const keys = { push() {}, pop() {}, bind: (all, run) => [all].flat().forEach((name) => pressed.set(name, run)) };
    const marked = [];
    const mode = new Selecting({ keys, rtl: false, mark: (...range) => marked.push(range), done() {}, ...how });
    mode.enter(visited, from);
    for (const name of names) pressed.get(name)(name);
    return marked.at(-1);
  }

  for (const [from, names, expected] of [
    [0, ["Mod+Shift+ArrowRight"], [0, 1]],
    [0, ["Mod+Shift+ArrowRight", "Mod+Shift+ArrowRight"], [0, 3]],
    [1, ["Mod+Shift+ArrowRight"], [1, 3]],
    [0, ["Shift+PageDown"], [0, 3]],
    [4, ["Mod+Shift+ArrowRight", "Mod+Shift+ArrowRight"], [4, 5]],
    [3, ["Mod+Shift+ArrowLeft"], [2, 3]],
    [0, ["Mod+Shift+ArrowRight", "Mod+Shift+ArrowRight", "Mod+Shift+ArrowLeft"], [0, 1]],
    [3, ["Mod+Shift+ArrowLeft", "Mod+Shift+ArrowLeft", "Mod+Shift+ArrowRight"], [2, 3]],
    [0, [" ", "Mod+ArrowRight"], [0, 1]],
  ]) {
    test(`from word ${from} by ${names.join(", ")} is ${expected.join(" to ")}`, () => {
      assert.deepEqual(selected(from, ...names), expected);
    });
  }

  test("goes on into the next paragraph of a text, and not into another text", () => {
    const placed = words.map((word, at) => ({ ...word, part: at < 5 ? 0 : 1 }));
    assert.deepEqual(selectedIn(placed, 2, ["Shift+PageDown", "Shift+ArrowRight"], { apart: true }), [2, 4]);
    assert.deepEqual(selectedIn(placed, 2, ["Shift+PageDown", "Shift+PageDown"], { apart: true }), [2, 4]);
  });
});
