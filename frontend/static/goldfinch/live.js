// A page of work that several people do together: it fetches its live part (`#live`) until it is its person's turn.
// docs/protocols.md, "Waiting and live updates", says how a stage uses it.
import { fragmentOf, get, goTo, OneAtATime, pause } from "./fetching.js";
import { isLeaving } from "./leaving.js";
import { clearTimeout, setTimeout } from "./settled.js";
import { isOver, isSignedOut } from "./signin.js";
import { isConnected, onPoke } from "./socket.js";
/** @import { Screen } from "./screen.js" */

const WAITS = 2000; // while somebody waits for a partner
const WORKS = 10_000; // at one's own step: only to learn that the partner has left
const CONNECTED = 30_000; // while the socket would say so

/** @type {Live | null} */
let current = null; // the Live of the screen that is shown
let unsaid = ""; // what a partner said, to be spoken once the next screen is there
let missed = false; // a poke came while one screen made way for another

// Something has changed, says the server: fetch it now.
export function poke() {
  if (current) current.fetch(); else missed = true;
}
onPoke("work", poke);

// The notices that a screen begins with, which nothing speaks where they come with all of it.
/** @param {string} html */
function told(html) {
  const screen = fragmentOf(html);
  const notices = [...screen.querySelectorAll(".notices [role=status], .floating [role=status]")];
  return notices.map((each) => each.textContent.trim());
}

/** @param {ParentNode} part */
const said = (part) => new Map([...part.querySelectorAll("[data-said]")].map(
  (each) => [each.dataset.said, each.textContent.trim()],
));

export class Live {
  #screen; #url; #waits; #failed = 0; #shown; #spoken;
  #polls = new OneAtATime(() => this.#poll());
  #shows = false; // the next screen has come, and takes the place of this one
  /** @type {number | undefined} */
  #timer;

  // `swapped(live)` runs after each swap; `speak(texts)` makes one sentence of what a partner has said.
  /**
   * @param {Screen} screen
   * @param {{ swapped?: (part: HTMLElement) => void, speak?: (texts: string[]) => string }} [options]
   */
  constructor(screen, { swapped = () => {}, speak = (texts) => texts.join(" ") } = {}) {
    this.#screen = screen;
    this.#url = screen.root.dataset.urlNow;
    this.#waits = "waits" in screen.root.dataset;
    this.swapped = swapped;
    this.speak = speak;
    this.#shown = this.#part.outerHTML;
    this.#spoken = said(this.#part);
    current = this;
    const { signal } = screen;
    document.addEventListener("visibilitychange", () => this.#look(), { signal });
    addEventListener("focus", () => this.#look(), { signal });
    addEventListener("online", () => this.#look(), { signal });
    signal.addEventListener("abort", () => this.#stop());
    if (unsaid) screen.voice.live(unsaid);
    unsaid = "";
    if (missed) this.fetch(); else this.#plan();
    missed = false;
  }

  get #part() { return this.#screen.find("#live"); }
  get #here() { return this.#waits ? "" : this.#screen.stage; }

  #stop() {
    clearTimeout(this.#timer);
    missed ||= this.#polls.isWantedAgain || (this.#polls.isUnderWay && !this.#shows);
    if (current === this) current = null;
  }

  // Back in sight: at once, however long the pause would have been.
  #look() {
    if (!document.hidden) { this.#failed = 0; this.fetch(); }
  }

  #plan() {
    clearTimeout(this.#timer);
    if (document.hidden || this.#screen.signal.aborted || this.#screen.ended) return;
    const often = isConnected() && !this.#failed ? CONNECTED : this.#waits ? WAITS : WORKS;
    const wait = this.#failed ? pause(this.#failed, often) : often;
    this.#timer = setTimeout(() => this.fetch(), wait);
  }

  fetch() { return this.#polls.ask(); }

  async #poll() {
    clearTimeout(this.#timer);
    let next = "";
    try {
      next = await this.#get();
    } finally {
      if (!next) this.#plan();
    }
    if (next) this.#show(next);
  }

  // Resolves to the next screen if there is one, else to "".
  async #get() {
    const { requests, signal, tabs } = this.#screen;
    if (tabs.overtaken || signal.aborted || this.#shows) return "";
    const answer = await get(this.#url, { headers: { "HX-Request": "true", "X-Step": this.#here }, signal });
    if (signal.aborted) return "";
    if (answer && isSignedOut(answer)) { requests.signedOut(); return ""; }
    if (this.#goesOn()) return "";
    // Over, or the partner has left: the address of the work leads to what follows.
    if (answer && isOver(answer)) { this.#leave(); return ""; }
    if (!answer?.ok) {
      this.#failed += 1;
      if (this.#failed > 1) requests.connected(false);
      return "";
    }
    if (this.#failed > 1) requests.connected(true);
    this.#failed = 0;
    const html = await answer.text();
    return signal.aborted || this.#goesOn() ? "" : this.#take(html, answer.headers.get("X-Step") ?? "");
  }

  // What this person has just sent is under way, and its answer is the next screen, or has led to the next page.
  #goesOn() {
    const sends = Boolean(this.#screen.find(".htmx-request"));
    missed ||= sends;
    return sends || isLeaving();
  }

  #leave() {
    this.#screen.leave();
    goTo(this.#screen.urls.work);
  }

  // Of the same step only the live part has come, and is exchanged: nothing else moves. Else it is the whole screen.
  /** @param {string} html @param {string} step */
  #take(html, step) {
    const part = fragmentOf(html).querySelector("#live");
    const texts = part ? [...said(part)].filter(([name]) => !this.#spoken.has(name)).map(([, text]) => text) : [];
    const sentence = texts.length ? this.speak(texts) : "";
    if (step !== this.#here) {
      unsaid = [...told(html), sentence].filter(Boolean).join(" ");
      return html;
    }
    if (!part || part.outerHTML === this.#shown) return "";
    this.#shown = part.outerHTML;
    this.#spoken = said(part);
    this.#exchange(part);
    if (sentence) this.#screen.voice.live(sentence);
    this.swapped(part);
    return "";
  }

  // Where the focus is in the live part, or how far something in it is scrolled, stays.
  /** @param {HTMLElement} part */
  #exchange(part) {
    const before = this.#part;
    const focused = /** @type {HTMLElement} */ (document.activeElement);
    const at = before.contains(focused) ? [...before.querySelectorAll("*")].indexOf(focused) : -1;
    before.replaceWith(part);
    part.querySelectorAll("*")[at]?.focus({ preventScroll: true });
  }

  /** @param {string} html */
  #show(html) {
    this.#shows = true;
    this.#screen.leave();
    htmx.swap("#screen", html, { swapStyle: "outerHTML", swapDelay: 0, settleDelay: 0 });
  }
}
