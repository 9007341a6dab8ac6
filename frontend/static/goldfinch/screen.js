// One screen of a stage: its form, draft, lease, keys and panels. The stage's script adds the rest.
import { joinChat } from "./chat.js";
import { fill, Drafts } from "./drafts.js";
import { GuidelinesPanel } from "./guidelines_panel.js";
import { announceUnsentCopies } from "./unsent.js";
import { Flags } from "./flags.js";
import { FIELDS, Keys } from "./keys.js";
import { Lease } from "./lease.js";
import { closeMenus } from "./menus.js";
import { Outbox } from "./outbox.js";
import { Panels } from "./panels.js";
import { isLeaving } from "./leaving.js";
import { keepPlace, placeOf, scrollTo } from "./place.js";
import { Requests } from "./requests.js";
import { isSendKey, Sending } from "./sending.js";
import { hush, icon, make, notice, Voice } from "./say.js";
import { Tabs } from "./tabs.js";
import { Traces } from "./traces.js";
import { Steps } from "./undo.js";
import { markWrong } from "./wrong_fields.js";
/** @import { LocalCopy } from "./storage.js" */
/** @import { DraftData } from "./drafts.js" */
/** @import { View } from "./place.js" */

/**
 * What a stage's script returns: what the keys and buttons of every screen do in this stage, and its position.
 * @typedef {{ undo?(): void, escape?(): boolean, ready?(): boolean, view?(): View, keysChanged?(): void }} Stage
 */
/** @typedef {{ start(screen: Screen, draft: DraftData): Stage | null }} StageModule */

export class Screen {
  #abort = new AbortController();
  /** @type {Stage | null} */
  #stage = null;
  #stops = false;
  /** @type {LocalCopy | null} */
  #unsent = null; // an answer that waits to be sent from this device
  // From `start` on; the last four not on a page without work.
  /** @type {Keys} */ keys;
  /** @type {Panels} */ panels;
  /** @type {Lease} */ lease;
  /** @type {Traces} */ traces;
  /** @type {Drafts} */ drafts;
  /** @type {Outbox} */ outbox;
  ended = false; // the work is closed

  /** @param {HTMLElement} root */
  constructor(root) {
    const data = root.dataset;
    this.root = root;
    this.id = data.work;
    this.user = data.user;
    this.stage = data.stage;
    this.client = data.client;
    this.after = data.after;
    this.seq = Number(data.seq ?? 0);
    this.draftClient = data.draftClient;
    this.expiresIn = Number(data.expiresIn || 0);
    this.readonly = "readonly" in data;
    this.asSeen = "asSeen" in data; // a lead looks at what annotators see
    this.urls = {
      stage: data.urlStage, draft: data.urlDraft, renew: data.urlRenew, kept: data.urlKept, take: data.urlTake,
      unskip: data.urlUnskip, work: data.urlWork, findQuote: data.urlFindQuote,
    };
    this.form = this.readonly ? null : root.querySelector("form[data-commit]");
    this.signal = this.#abort.signal;
    this.voice = new Voice(root);
    const panel = root.querySelector("dialog#guidelines");
    const { signal } = this;
    this.guidelines = panel && new GuidelinesPanel(panel, { note: (...line) => this.note(...line), signal });
    this.tabs = new Tabs(this);
    this.requests = new Requests(this);
    this.sending = new Sending(this);
    /** @type {(() => void) | null} */
    this.undoSkip = null;
    this.steps = new Steps(this.find("[data-undo-last]"));
  }

  /** @param {StageModule | null} stage */
  async start(stage) {
    this.keys = new Keys({ changed: () => this.#stage?.keysChanged?.(), used: (key) => this.traces?.used(key) });
    this.#bindKeys();
    this.#listen();
    this.panels = new Panels(this);
    this.flags = new Flags(this);
    joinChat(this);
    if (this.asSeen) this.#show(stage);
    if (!this.id) return;
    this.lease = new Lease(this);
    this.traces = new Traces(this);
    this.note("stage_entered");
    const { refused } = this.root.dataset;
    if (refused !== undefined) this.note("validation_failed", { by: "server", rules: refused.slice(0, 200) });
    this.drafts = new Drafts(this);
    this.outbox = new Outbox(this);
    const unsent = (this.#unsent = this.outbox.waiting());
    const draft = this.#restored(unsent);
    if (draft) fill(this.form, draft);
    const view = placeOf(this, draft);
    this.#stage = stage?.start(this, { ...draft, _view: view }) ?? null;
    scrollTo(this, view.y);
    this.#stage?.keysChanged?.();
    if (refused !== undefined && this.form) {
      markWrong(this.root, this.form, this.signal);
      this.panels.showErrors();
    }
    if (unsent) this.requests.sendKept(unsent);
  }

  // What else this device has kept is compared with the server's draft, so what was restored is saved first.
  async announceCopies() {
    await this.drafts.saveRestored();
    if (!this.signal.aborted) announceUnsentCopies(this, this.#unsent);
  }

  // Draw the stage as for somebody who has just come to it. No field or button of a form can be used, and nothing is
  // measured or saved.
  /** @param {StageModule | null} stage */
  #show(stage) {
    this.#stage = stage?.start(this, {}) ?? null;
    this.#stage?.keysChanged?.();
    const what = "input, select, textarea, button:not([data-toggles], [data-open], [data-close])";
    const found = this.root.querySelectorAll(`form :is(${what}), button[form]`);
    for (const control of /** @type {NodeListOf<HTMLButtonElement>} */ (found)) control.disabled = true;
    // The text is not marked; a link is followed by the browser itself, for a script may ask for nothing.
    const stop = (/** @type {Event & { target: HTMLElement }} */ event) => {
      const inText = event.target.closest("#material") && !event.target.closest("a, button, summary");
      if (inText || event.target.closest("a[hx-get]")) event.stopImmediatePropagation();
    };
    for (const type of /** @type {const} */ (["pointerdown", "mouseup", "click", "dblclick"])) {
      this.root.addEventListener(type, stop, { signal: this.signal, capture: true });
    }
  }

  // A form that was refused is newer than any draft.
  /** @param {LocalCopy | null} unsent */
  #restored(unsent) {
    if (!this.form || "refused" in this.root.dataset) return null;
    return this.drafts.restored(this.json("draft"), this.root.dataset.draftAt, unsent);
  }

  /** @param {string} id */
  json(id) {
    const text = this.root.querySelector(`template[data-json]#${id}`)?.content.textContent;
    return text ? JSON.parse(text) : null;
  }

  /**
   * @template {string} S
   * @template {Element} [E=Found<S>]
   * @param {S} selector
   * @returns {E}
   */
  find(selector) { return this.root.querySelector(selector); }

  // Scroll position, and what the stage adds (the box or the word in focus).
  view() { return { y: this.find(".material")?.scrollTop ?? 0, ...this.#stage?.view?.() }; }

  changed() { this.drafts?.changed(); }

  /** @param {string} kind @param {object} [data] */
  note(kind, data) { this.traces?.note(kind, data); }

  isReady() { return this.#stage?.ready?.() !== false; }

  commit() {
    if (!this.form || this.asSeen || !this.isReady()) return;
    this.form.requestSubmit(this.form.querySelector(this.#stops ? "[data-then-stop]" : "[type=submit]"));
  }

  // Show the button that sends without going on, where this answer ends the work.
  /** @param {boolean} on */
  mayStop(on) { this.find("[data-then-stop]")?.toggleAttribute("hidden", !on); }

  /** @param {string} sentence */
  problem(sentence) {
    this.note("validation_failed", { by: "page", said: sentence });
    const alert = make("div", { class: "alert bad", role: "alert" }, icon("alert"), make("div", {}, sentence));
    this.find("[data-problems]")?.replaceChildren(alert);
    alert.scrollIntoView({ block: "nearest" });
  }

  noProblem() { this.find("[data-problems]")?.replaceChildren(); }

  #bindKeys() {
    /** @param {string} key */
    const say = (key) => this.voice.text(key);
    const general = true;
    this.keys.bind("Mod+Enter", () => this.sending.send(), { label: this.form ? say("key-commit") : "", general });
    const undo = () => (this.undoSkip ?? this.#stage?.undo)?.();
    this.keys.bind("u", undo, { label: this.form ? say("key-undo") : "", general });
    if (this.find("#skip")) {
      this.keys.bind("Alt+s", () => this.panels.open("skip"), { label: this.form ? say("key-skip") : "", general });
    }
    if (this.urls.renew) {
      const renew = () => this.lease?.renew({ asked: true });
      this.keys.bind("Alt+k", renew, { label: this.form ? say("key-renew") : "", general });
    }
    this.keys.bind("Alt+r", () => this.panels.open("report"), { label: this.form ? say("key-report") : "", general });
    for (const which of /** @type {const} */ (["d", "q", "a"])) {
      const label = say(`key-landmark-${which}`);
      this.keys.bind(`Alt+Shift+${which}`, () => this.#landmark(which), { label, general });
    }
    this.keys.bind("Alt+g", () => this.find("[data-guidelines]")?.click(), { label: say("key-guidelines"), general });
    this.keys.bind("?", () => this.panels.open("keys"), { label: say("key-keys"), general });
    this.keys.bind("Escape", () => this.#escape(), { label: say("key-close"), general });
  }

  /** @param {"d" | "q" | "a"} which */
  #landmark(which) {
    const place = { d: "#material", q: "[data-prompt]", a: "[data-answer]" }[which];
    const target = this.find(place);
    (target?.querySelector("iframe") ?? target)?.focus();
  }

  #escape() {
    if (this.#stage?.escape?.()) return;
    const way = this.find("[data-escape]");
    if (way) { way.click(); return; }
    const field = /** @type {HTMLElement} */ (document.activeElement);
    // Out of a field, so that the single-letter keys work again.
    if (!this.panels.close() && field.matches(FIELDS)) {
      const material = this.find("#material");
      if (material) material.focus({ preventScroll: true }); else field.blur();
    }
  }

  #listen() {
    const options = { signal: this.signal };
    this.root.addEventListener("click", (event) => this.#click(event), options);
    for (const type of /** @type {const} */ (["input", "pointerdown", "wheel", "touchmove"])) {
      this.root.addEventListener(type, (event) => this.#acted(event), { ...options, passive: true });
    }
    this.form?.addEventListener("input", ({ target }) => {
      if (!target.name) return;
      this.steps.edited(target.name);
      this.changed();
    }, options);
    this.form?.addEventListener("submit", (event) => {
      if (!this.isReady()) { event.preventDefault(); event.stopImmediatePropagation(); }
      else this.#stops = event.submitter?.matches("[data-then-stop]") ?? false; // to be repeated if it doesn't arrive
    }, { ...options, capture: true });
    for (const box of this.root.querySelectorAll("input[data-single-keys]")) {
      box.checked = this.keys.singles;
      box.addEventListener("change", () => this.keys.switchSingles(box.checked), options);
    }
    this.find("[data-give-back]")?.addEventListener("submit", () => this.leave(), options);
  }

  /** @param {MouseEvent & { target: HTMLElement }} event */
  #click(event) {
    const guidelines = this.guidelines && event.target.closest("a[data-guidelines]");
    if (guidelines) this.guidelines.open(event, guidelines);
    if (event.target.closest("[data-undo-last]")) this.#stage?.undo?.();
  }

  /** @param {KeyboardEvent & { target: HTMLElement }} event */
  press(event) {
    if (this.asSeen) return;
    if (this.tabs.overtaken) {
      if (isSendKey(event)) event.preventDefault(); // it presses no button of what is shown instead
      return;
    }
    this.input();
    this.sending.pressed(event);
    this.keys?.press(event);
  }

  // A key pressed in the frame.
  /** @param {{ key: string, repeat: boolean }} message */
  pressed({ key, repeat }) {
    if (this.tabs.overtaken || this.asSeen) return;
    this.input();
    if (key !== "Mod+Enter") this.sending.looked();
    if (key === "Escape" && closeMenus()) return;
    this.keys.run(key, { repeat });
  }

  // Not for the button in the lease notice, which renews by itself: the notice must not vanish under the pointer.
  /** @param {Event & { target: HTMLElement }} event */
  #acted(event) { if (!event.target.closest?.('[data-notice="lease"]')) this.touched(); }

  // Somebody has scrolled, clicked or typed, here or in the frame.
  touched() {
    this.sending.looked();
    this.input();
  }

  input() {
    this.lease?.input();
    this.traces?.input();
  }

  // The work was closed elsewhere: stop saving and renewing; what is on the page stays, to be read and copied.
  /** @param {string | null} why */
  over(why = null) {
    // Not if it is this page that closes it, whose answer or next page is on its way.
    if (isLeaving() || this.find(":is([data-commit], [data-leaves]).htmx-request")) return;
    this.ended = true;
    this.lease?.stop();
    this.drafts?.hold();
    this.outbox?.stop();
    this.find(".saved")?.setAttribute("hidden", "");
    for (const name of ["connection", "lease", "sending"]) hush(this.root, name);
    const text = this.voice.text(`over-${why}`) || this.voice.text("over");
    const link = make("a", { class: "btn", href: this.urls.work }, this.voice.text("go-on"));
    notice(this.root, "closed", { text, buttons: [link] });
  }

  leave() {
    if (this.tabs.overtaken || !this.id) return;
    keepPlace(this);
    if (this.drafts?.waits) this.drafts.send({ leaving: true });
    else if (this.form) this.traces?.send();
  }

  stop() {
    this.lease?.stop();
    this.drafts?.hold();
    this.outbox?.stop();
    this.#abort.abort();
  }
}
