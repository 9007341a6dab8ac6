// Autosave: debounced by one second, at least every five seconds while changing, and when the page is hidden.
import { pause, post } from "./fetching.js";
import { clearTimeout, setTimeout } from "./settled.js";
import { isCurrent, isSaved, saysTheSame } from "./unsent.js";
import { clock } from "./say.js";
import { draftKey, drafts, erase, keep } from "./storage.js";
import { isOver, isSignedOut, whyOver } from "./signin.js";
/** @import { Screen } from "./screen.js" */
/** @import { LocalCopy } from "./storage.js" */
/** @import { View } from "./place.js" */

/** @typedef {{ _view?: View, [field: string]: unknown }} DraftData */

const REST = 1000;
const LONGEST = 5000;
const TOO_MUCH = new Set([400, 413, 422]);
const PRIVATE = new Set(["csrfmiddlewaretoken", "submission_key", "seen", "client", "after", "base"]);

/** @param {HTMLFormElement} form */
export function fieldsOf(form) {
  /** @type {Record<string, unknown>} */
  const fields = {};
  for (const [name, value] of new FormData(form)) {
    if (PRIVATE.has(name)) continue;
    if (name in fields) fields[name] = [fields[name], value].flat();
    else fields[name] = value;
  }
  return fields;
}

/** @param {HTMLFormElement} form @param {DraftData} fields */
export function fill(form, fields) {
  for (const field of /** @type {Iterable<HTMLInputElement>} */ (form.elements)) {
    if (!field.name || PRIVATE.has(field.name)) continue;
    const values = [fields[field.name] ?? []].flat().map(String);
    if (field.type === "radio" || field.type === "checkbox") field.checked = values.includes(field.value);
    else if (values.length) field.value = values[0];
  }
}

export class Drafts {
  #screen; #key; #seq; #unsent = false; #retry = 0; #done = false;
  /** @type {number | undefined} */
  #resting;
  /** @type {number | null} */
  #since = null;
  /** @type {AbortController | null} */
  #sending = null;
  /** @type {LocalCopy | null} */
  #from = null;

  /** @param {Screen} screen */
  constructor(screen) {
    this.#screen = screen;
    this.#key = draftKey(screen.id, screen.stage, screen.client);
    this.#seq = screen.seq;
    this.touched = false; // something was changed in this tab
    /** @type {number | null} */
    this.restoredAt = null; // when the local copy was made that the form was restored from
  }

  // The data to restore: the server's draft, or a local copy based on it (`waiting`, an answer still to be sent, or the
  // newest). A local copy that conflicts with the server's draft is kept: the person has to choose.
  /** @param {DraftData | null} fromServer @param {string | undefined} at @param {LocalCopy | null} waiting */
  restored(fromServer, at, waiting) {
    let here = waiting;
    for (const [key, copy] of drafts({ work: this.#screen.id, stage: this.#screen.stage })) {
      const known = isSaved(this.#screen, copy, fromServer) || (here && saysTheSame(copy.data, here.data));
      if (!known && (here || !isCurrent(this.#screen, copy))) continue;
      if (!known) here = copy;
      erase(key);
    }
    if (here) return this.#restore(here);
    if (fromServer && at) this.#status("restored", { at: clock(new Date(at)).slice(0, 5) });
    return fromServer;
  }

  /** @param {LocalCopy} here */
  #restore(here) {
    this.#seq = Math.max(this.#seq, here.seq);
    this.touched = true;
    this.restoredAt = here.at;
    this.#from = here;
    this.#unsent = true;
    keep(this.#key, this.entry({ at: here.at, data: here.data }));
    this.#status("restored-here", { at: clock(new Date(here.at)).slice(0, 5) });
    return here.data;
  }

  // The local copy of the form: its fields, and the versions that the page was based on.
  /** @param {Partial<LocalCopy>} more @returns {LocalCopy} */
  entry(more = {}) {
    const { id, stage, user, client, urls, form } = this.#screen;
    const { base, seen } = form.elements;
    return {
      user, work: id, stage, url: urls.work, door: urls.kept, client, seq: this.#seq, base: Number(base.value),
      seen: Number(seen.value), at: Date.now(), data: this.#data(), ...more,
    };
  }

  changed() {
    if (!this.#screen.form) return;
    this.touched = true;
    this.#seq += 1;
    this.#unsent = true;
    keep(this.#key, this.entry());
    if (!this.#done) this.#plan();
  }

  #plan() {
    this.#since ??= performance.now();
    clearTimeout(this.#resting);
    const wait = Math.max(0, Math.min(REST, this.#since + LONGEST - performance.now()));
    this.#resting = setTimeout(() => this.send(), wait);
  }

  #data() {
    return { ...fieldsOf(this.#screen.form), _view: this.#screen.view() };
  }

  #body() {
    const { client, after, base, seen } = this.#screen.form.elements;
    return {
      seq: this.#seq,
      client: client.value,
      after: after.value,
      base: base.value,
      seen: seen.value,
      data: JSON.stringify(this.#data()),
      trace: this.#screen.traces.take({ saving: true }),
      sent: Date.now(),
    };
  }

  // Whether there is something to save.
  get waits() { return this.#unsent && !this.#done; }

  async send({ leaving = false } = {}) {
    clearTimeout(this.#resting);
    if (!this.#unsent || this.#done || (this.#sending && !leaving)) return;
    this.#since = null;
    const seq = this.#seq;
    const abort = (this.#sending = new AbortController());
    if (!leaving) this.#status("saving");
    const fields = this.#body();
    const { last } = this.#screen.traces;
    const { root, urls } = this.#screen;
    try {
      const answer = await post(urls.draft, fields, { root, keepalive: leaving, signal: abort.signal });
      if (abort.signal.aborted) return;
      if (isSignedOut(answer)) return this.#screen.requests.signedOut();
      if (answer.status === 409) return this.#screen.tabs.giveWay(await answer.text(), answer.headers.get("X-Refused"));
      if (isOver(answer)) return this.#screen.over(whyOver(answer));
      if (TOO_MUCH.has(answer.status)) return this.#tooLong(seq);
      if (!answer.ok) throw new Error(String(answer.status));
      const saved = await answer.json();
      this.#screen.traces.arrived(last);
      this.#screen.requests.connected(true);
      if (saved.gone) return this.finish(); // a partner took back what this was about: the next screen says so
      this.#screen.lease?.renewed(saved);
      this.#retry = 0;
      if (seq === this.#seq) { this.#unsent = false; erase(this.#key); }
      this.#status("saved", { at: clock(new Date(saved.saved_at)) });
    } catch (error) {
      if (error.name === "AbortError" || this.#done) return;
      this.#screen.requests.connected(false);
      this.#status("not-saved");
      this.#retry += 1;
      this.#resting = setTimeout(() => this.send(), pause(this.#retry));
    } finally {
      if (this.#sending === abort) this.#sending = null;
    }
    if (this.#unsent && !this.#retry) this.#plan();
  }

  // Retry only after a change: the same draft would be refused again.
  /** @param {number} seq */
  #tooLong(seq) {
    this.#screen.requests.connected(true);
    this.#retry = 0;
    this.#status("too-long");
    this.#screen.voice.live(this.#screen.voice.text("too-long"));
    if (seq !== this.#seq) this.#plan();
  }

  // A commit is under way: stop saving, so that no save overtakes or delays it.
  hold() {
    clearTimeout(this.#resting);
    this.#sending?.abort();
    this.#done = true;
  }

  // A save by the previous page load arrived after this page was rendered: adopt its version, its text is here already.
  /** @param {{ client: string, seq: number } | null | undefined} draft */
  caughtUp(draft) {
    const { client, seq } = this.#from ?? {};
    if (draft && draft.client === client && draft.seq <= seq) this.#screen.form.elements.base.value = String(draft.seq);
  }

  // The person has seen the other page's draft: base further saves on it.
  /** @param {number} seq */
  follow(seq) {
    this.#seq = Math.max(this.#seq, seq) + 1;
    this.#screen.form.elements.base.value = String(seq);
  }

  // What was restored from this device is no longer only here once this page is the one that may write.
  async saveRestored() { if (this.#from && this.waits) await this.send(); }

  // Nobody is signed in any more: what is here waits for them.
  signedOut() {
    this.hold();
    this.#status("not-saved-signed-out");
  }

  // Save even if unchanged, when another page has taken over: the 409 response shows its version.
  compare() { this.#unsent = true; this.send(); }

  // The commit did not arrive: resume saving; the local copy still exists.
  resume() { this.#done = false; this.#unsent = true; this.#plan(); }

  finish() { this.hold(); erase(this.#key); }

  /** @param {string} key @param {{ at: string }} [values] */
  #status(key, values) {
    const place = this.#screen.root.querySelector("[data-saved]");
    if (!place) return;
    place.closest("[hidden]")?.removeAttribute("hidden");
    place.textContent = this.#screen.voice.text(key, values);
    place.closest(".saved").toggleAttribute("data-troubled", key.startsWith("not-saved") || key === "too-long");
  }
}
