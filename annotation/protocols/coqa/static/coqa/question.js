// Asking: words of the passage are pointed out while a question is typed, and the conversation may be ended.
import { Advice } from "../goldfinch/advice.js";
import { make } from "../goldfinch/say.js";
import { saysSomething } from "../goldfinch/spans/words.js";
import { overlap } from "./overlap.js";
import { clearTimeout, setTimeout } from "../goldfinch/settled.js";
import { follow } from "../goldfinch/talk.js";
/** @import { Screen } from "../goldfinch/screen.js" */

const PAUSE = 400; // after this long without typing, the advice is spoken

/** @param {Screen} screen */
export function start(screen) {
  const { form, voice, signal } = screen;
  follow(screen);
  if (!form) return null;
  const { text } = form.elements;
  const end = form.querySelector("details.coqa-end");
  const there = new Set(screen.json("advised") ?? []);
  const list = new Intl.ListFormat(document.documentElement.lang || "en");
  const advice = new Advice(screen);
  let composing = false;
  /** @type {number | undefined} */
  let resting;
  let spoken = "";
  let unasked = "";

  const why = () => form.elements.why?.value ?? "";

  // The same text behind the box, with a wavy line under the words.
  /** @param {[number, number, string][]} found */
  function echo(found) {
    const parts = [];
    let at = 0;
    for (const [first, last, word] of found) {
      parts.push(text.value.slice(at, first), make("mark", { class: "coqa-over" }, word));
      at = last;
    }
    const place = screen.find("[data-echo]");
    place.replaceChildren(...parts, `${text.value.slice(at)}\n`);
    place.scrollTop = text.scrollTop;
  }

  function draw() {
    const found = overlap(text.value, there);
    const words = [...new Map(found.map(([, , word]) => [word.toLowerCase(), word])).values()];
    echo(found);
    advice.holds("overlap", words.length > 0 && !why());
    warn();
    if (!words.length) { spoken = ""; return; }
    const sentence = voice.text("overlap", { n: words.length, words: list.format(words) });
    screen.find("[data-overlap]").replaceChildren(...marked(sentence, words));
    clearTimeout(resting);
    resting = setTimeout(() => {
      if (sentence !== spoken) voice.live(sentence);
      spoken = sentence;
    }, PAUSE);
  }

  // A question that is written while the end is proposed is not asked: that is said before it is sent.
  function warn() {
    const place = screen.find("[data-unasked]");
    const kept = "kept" in place.dataset && why() === "done"; // a partner has to agree
    const sentence = why() && text.value.trim() ? voice.text(kept ? "unasked-kept" : "unasked") : "";
    screen.find("[data-unasked-what]").textContent = sentence;
    place.hidden = !sentence;
    if (sentence && sentence !== unasked) voice.live(sentence);
    unasked = sentence;
  }

  // The sentence with the words in bold.
  /** @param {string} sentence @param {string[]} words */
  function marked(sentence, words) {
    const parts = [];
    let at = 0;
    for (const word of words) {
      const found = sentence.indexOf(word, at);
      if (found < 0) continue;
      parts.push(sentence.slice(at, found), make("b", { class: "coqa-over" }, word));
      at = found + word.length;
    }
    return [...parts, sentence.slice(at)];
  }

  function ways() {
    const chosen = why();
    screen.find("[data-commit-label]").textContent = voice.text(`send-${chosen || "asked"}`);
    const reason = screen.find("[data-reason-part]");
    if (reason) reason.hidden = chosen !== "exhausted";
    text.closest(".coqa-echo").toggleAttribute("data-off", Boolean(chosen));
    draw();
  }

  text.addEventListener("compositionstart", () => { composing = true; clearTimeout(resting); }, { signal });
  text.addEventListener("compositionend", () => { composing = false; draw(); }, { signal });
  text.addEventListener("input", () => { if (!composing) draw(); }, { signal });
  text.addEventListener("scroll", () => { screen.find("[data-echo]").scrollTop = text.scrollTop; }, { signal });
  end?.addEventListener("change", () => { screen.noProblem(); ways(); }, { signal });
  signal.addEventListener("abort", () => clearTimeout(resting));
  if (why()) end.open = true;
  ways();

  return {
    ready() {
      const chosen = why();
      const { reason } = form.elements;
      let problem = "";
      if (!chosen && !saysSomething(text.value)) problem = "write-question";
      if (chosen === "exhausted" && !saysSomething(reason.value)) problem = "write-reason";
      if (problem) {
        screen.problem(voice.text(problem));
        (chosen ? reason : text).focus();
        return false;
      }
      advice.answered("sent");
      return true;
    },
  };
}
